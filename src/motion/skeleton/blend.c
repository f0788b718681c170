#include "pose_loops.h"
#include "troupe/motion/blend.h"

#define SIMD_LANES 4
#include "base/simd.h"

#define WEIGHT_LEAST 1e-4f

// Four joints of a pose.
typedef struct four_joints {
    simd_float position[3], rotation[4], scale[3];
} four_joints;

static inline four_joints load_joints(const tr_pose *pose, uint32_t first) {
    four_joints four;
    for (int i = 0; i < 3; i++)
        four.position[i] = simd_load(pose->position[i] + first);
    for (int i = 0; i < 4; i++)
        four.rotation[i] = simd_load(pose->rotation[i] + first);
    for (int i = 0; i < 3; i++)
        four.scale[i] = pose->scaled ? simd_load(pose->scale[i] + first) : simd_set(1);
    return four;
}

static inline void store_joints(tr_pose *pose, uint32_t first, const four_joints *four) {
    for (int i = 0; i < 3; i++)
        simd_store_float(pose->position[i] + first, four->position[i]);
    for (int i = 0; i < 4; i++)
        simd_store_float(pose->rotation[i] + first, four->rotation[i]);
    for (int i = 0; pose->scaled && i < 3; i++)
        simd_store_float(pose->scale[i] + first, four->scale[i]);
}

static inline simd_float dot4(const simd_float a[4], const simd_float b[4]) {
    return a[0] * b[0] + a[1] * b[1] + (a[2] * b[2] + a[3] * b[3]);
}

static inline void normalize4(simd_float q[4]) {
    simd_float inverse = simd_set(1) / simd_sqrt(dot4(q, q));
    for (int i = 0; i < 4; i++)
        q[i] = q[i] * inverse;
}

// Adds a layer with its weight to the sum; the rotation takes the sign nearer to the sum.
static inline void add_layer(four_joints *sum, const four_joints *layer, simd_float weight) {
    for (int i = 0; i < 3; i++) {
        sum->position[i] = sum->position[i] + layer->position[i] * weight;
        sum->scale[i] = sum->scale[i] + layer->scale[i] * weight;
    }
    simd_float zero = simd_set(0);
    simd_float turn = simd_select(dot4(sum->rotation, layer->rotation) < zero, zero - weight, weight);
    for (int i = 0; i < 4; i++)
        sum->rotation[i] = sum->rotation[i] + layer->rotation[i] * turn;
}

static four_joints mix_joints(const tr_blend_layer *layers, uint32_t count, const tr_pose *rest,
                              uint32_t first) {
    four_joints sum, pose;
    memset(&sum, 0, sizeof sum);
    simd_float total = simd_set(0);
    for (uint32_t i = 0; i < count; i++) {
        simd_float weight = simd_set(layers[i].weight);
        if (layers[i].mask)
            weight = weight * simd_load(layers[i].mask + first);
        pose = load_joints(layers[i].pose, first);
        add_layer(&sum, &pose, weight);
        total = total + weight;
    }
    pose = load_joints(rest, first);
    simd_int counts = total >= simd_set(WEIGHT_LEAST);
    // Opposite rotations may cancel out: then there is no mean, and the rest rotation serves.
    simd_int turned = counts & (dot4(sum.rotation, sum.rotation) > total * total * simd_set(1e-8f));
    simd_float inverse = simd_set(1) / simd_select(counts, total, simd_set(1));
    for (int i = 0; i < 3; i++) {
        sum.position[i] = simd_select(counts, sum.position[i] * inverse, pose.position[i]);
        sum.scale[i] = simd_select(counts, sum.scale[i] * inverse, pose.scale[i]);
    }
    for (int i = 0; i < 4; i++)
        sum.rotation[i] = simd_select(turned, sum.rotation[i], pose.rotation[i]);
    normalize4(sum.rotation);
    return sum;
}

void tr_blend(const tr_blend_layer *layers, uint32_t count, const tr_pose *rest, tr_pose *result) {
    bool scaled = rest->scaled;
    for (uint32_t i = 0; i < count; i++)
        scaled = scaled || layers[i].pose->scaled;
    for (uint32_t first = 0; first < result->stride; first += 4) {
        four_joints mixed = mix_joints(layers, count, rest, first);
        bool before = result->scaled; // the result may be one of the layers: its scales count until the end
        result->scaled = scaled;
        store_joints(result, first, &mixed);
        result->scaled = before;
    }
    result->scaled = scaled;
}

void tr_blend_two(const tr_pose *a, const tr_pose *b, float t, tr_pose *result) {
    bool scaled = a->scaled || b->scaled;
    uint32_t stride = result->stride;
    const pose_loops *loops = tr_pose_loops();
    loops->mix_rotations((const float *const *)a->rotation, (const float *const *)b->rotation, t, stride,
                         result->rotation);
    for (int axis = 0; axis < 3; axis++)
        loops->mix_values(a->position[axis], b->position[axis], t, stride, result->position[axis]);
    for (uint32_t first = 0; scaled && first < stride; first += 4) {
        simd_float one = simd_set(1), to_b = simd_set(t), to_a = simd_set(1 - t);
        for (int axis = 0; axis < 3; axis++) {
            simd_float from = a->scaled ? simd_load(a->scale[axis] + first) : one;
            simd_float to = b->scaled ? simd_load(b->scale[axis] + first) : one;
            simd_store_float(result->scale[axis] + first, from * to_a + to * to_b);
        }
    }
    result->scaled = scaled;
}

// First b, then a, for four joints.
static inline void multiply4(const simd_float a[4], const simd_float b[4], simd_float product[4]) {
    simd_float x = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    simd_float y = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
    simd_float z = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
    simd_float w = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
    product[0] = x, product[1] = y, product[2] = z, product[3] = w;
}

void tr_blend_difference(const tr_pose *pose, const tr_pose *reference, tr_pose *difference) {
    bool scaled = pose->scaled || reference->scaled;
    for (uint32_t first = 0; first < difference->stride; first += 4) {
        four_joints to = load_joints(pose, first), from = load_joints(reference, first);
        simd_float zero = simd_set(0);
        for (int i = 0; i < 3; i++) {
            to.position[i] = to.position[i] - from.position[i];
            to.scale[i] = to.scale[i] / from.scale[i];
            from.rotation[i] = zero - from.rotation[i];
        }
        multiply4(from.rotation, to.rotation, to.rotation);
        simd_int turn_over = to.rotation[3] < zero; // the shorter way, so that a part of it stays on that way
        for (int i = 0; i < 4; i++)
            to.rotation[i] = simd_select(turn_over, zero - to.rotation[i], to.rotation[i]);
        bool before = difference->scaled;
        difference->scaled = scaled;
        store_joints(difference, first, &to);
        difference->scaled = before;
    }
    difference->scaled = scaled;
}

void tr_blend_add(tr_pose *pose, const tr_pose *difference, float weight, const float *mask) {
    bool scaled = pose->scaled || difference->scaled;
    simd_float one = simd_set(1);
    for (uint32_t first = 0; first < pose->stride; first += 4) {
        four_joints sum = load_joints(pose, first), more = load_joints(difference, first);
        simd_float part = simd_set(weight);
        if (mask)
            part = part * simd_load(mask + first);
        for (int i = 0; i < 3; i++) {
            sum.position[i] = sum.position[i] + more.position[i] * part;
            sum.scale[i] = sum.scale[i] * (one + (more.scale[i] - one) * part);
            more.rotation[i] = more.rotation[i] * part;
        }
        more.rotation[3] = one + (more.rotation[3] - one) * part;
        multiply4(sum.rotation, more.rotation, sum.rotation);
        normalize4(sum.rotation);
        bool before = pose->scaled;
        pose->scaled = scaled;
        store_joints(pose, first, &sum);
        pose->scaled = before;
    }
    pose->scaled = scaled;
}

void tr_blend_mask_subtree(const tr_skeleton *skeleton, uint32_t joint, float value, float *mask) {
    const uint32_t *parents = tr_skeleton_parents(skeleton);
    uint32_t end = tr_skeleton_subtree_end(skeleton, joint);
    for (uint32_t i = joint; i < end; i++) {
        uint32_t above = i;
        while (above != TR_NONE && above > joint)
            above = parents[above];
        if (above == joint)
            mask[i] = value;
    }
}
