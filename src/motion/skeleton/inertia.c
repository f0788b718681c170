#include "motion/skeleton/inertia.h"

#define SIMD_LANES 4
#include "base/simd_trigonometry.h"

// Offset of a joint and its rate at the switch, for the position (a vector) and the rotation (a rotation
// vector). Scales are not smoothed: those of human figures do not change.
typedef struct joint_offset {
    tr_vec3 move, move_rate; // [m], [m/s]
    tr_vec3 turn, turn_rate; // [rad], [rad/s]
} joint_offset;

#define PARTS (sizeof(joint_offset) / sizeof(float))

struct tr_inertia {
    tr_allocator allocator;
    uint32_t joint_count, stride;
    float duration, elapsed; // elapsed >= duration: over
    float *offsets;          // of all joints: each component of a joint_offset is an array of `stride`
};

tr_status tr_inertia_create(const tr_allocator *allocator, uint32_t joint_count, tr_inertia **inertia,
                            tr_error *error) {
    *inertia = NULL;
    if (joint_count == 0 || joint_count > TR_SKELETON_JOINTS_MAX)
        return tr_fail(error, TR_INVALID, "a transition for %u joints, it must be for 1 to %u", joint_count,
                       TR_SKELETON_JOINTS_MAX);
    tr_allocator own = tr_allocator_or_default(allocator);
    tr_inertia *made = tr_allocate_zero(&own, 1, sizeof *made);
    uint32_t stride = (joint_count + 3) / 4 * 4;
    float *offsets = tr_allocate_zero(&own, stride * PARTS, sizeof *offsets);
    if (!made || !offsets) {
        tr_release(&own, offsets, stride * PARTS, sizeof *offsets);
        tr_release(&own, made, 1, sizeof *made);
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for transitions of %u joints", joint_count);
    }
    made->allocator = own;
    made->joint_count = joint_count;
    made->stride = stride;
    made->offsets = offsets;
    *inertia = made;
    return TR_OK;
}

void tr_inertia_destroy(tr_inertia *inertia) {
    if (!inertia)
        return;
    tr_allocator allocator = inertia->allocator;
    tr_release(&allocator, inertia->offsets, inertia->stride * PARTS, sizeof *inertia->offsets);
    tr_release(&allocator, inertia, 1, sizeof *inertia);
}

static void set_offset(tr_inertia *inertia, uint32_t joint, const joint_offset *offset) {
    float parts[PARTS];
    memcpy(parts, offset, sizeof parts);
    for (uint32_t i = 0; i < PARTS; i++)
        inertia->offsets[i * inertia->stride + joint] = parts[i];
}

static joint_offset get_offset(const tr_inertia *inertia, uint32_t joint) {
    float parts[PARTS];
    for (uint32_t i = 0; i < PARTS; i++)
        parts[i] = inertia->offsets[i * inertia->stride + joint];
    joint_offset offset;
    memcpy(&offset, parts, sizeof offset);
    return offset;
}

// The rotation that turns `from` into `to`, applied from outside, the shorter way.
static tr_vec3 turn_between(tr_quat from, tr_quat to) {
    return tr_quat_to_vector(tr_quat_normalize(tr_quat_multiply(to, tr_quat_conjugate(from))));
}

static tr_vec3 rate(tr_vec3 before, tr_vec3 now, float dt) {
    return tr_vec3_scale(tr_vec3_subtract(now, before), 1 / dt);
}

static joint_offset offset_of(uint32_t joint, const tr_pose *before, const tr_pose *shown,
                              const tr_pose *next, const tr_pose *after, float dt) {
    tr_transform old0 = tr_pose_get(before, joint), old1 = tr_pose_get(shown, joint);
    tr_transform new0 = tr_pose_get(next, joint), new1 = tr_pose_get(after, joint);
    tr_vec3 old_speed = rate(old0.position, old1.position, dt),
            new_speed = rate(new0.position, new1.position, dt);
    tr_vec3 old_turning = tr_vec3_scale(turn_between(old0.rotation, old1.rotation), 1 / dt);
    tr_vec3 new_turning = tr_vec3_scale(turn_between(new0.rotation, new1.rotation), 1 / dt);
    joint_offset offset = {.move = tr_vec3_subtract(old1.position, new0.position),
                           .move_rate = tr_vec3_subtract(old_speed, new_speed),
                           .turn = turn_between(new0.rotation, old1.rotation),
                           .turn_rate = tr_vec3_subtract(old_turning, new_turning)};
    return offset;
}

tr_status tr_inertia_begin(tr_inertia *inertia, const tr_pose *before, const tr_pose *shown,
                           const tr_pose *next, const tr_pose *after, float dt, float duration) {
    const tr_pose *poses[4] = {before, shown, next, after};
    for (int i = 0; i < 4; i++)
        if (poses[i]->joint_count != inertia->joint_count)
            return TR_INVALID;
    if (!(dt > 0 && dt < 1e6f) || !(duration > 0 && duration < 1e6f))
        return TR_INVALID;
    for (uint32_t i = 0; i < inertia->joint_count; i++) {
        joint_offset offset = offset_of(i, before, shown, next, after, dt);
        set_offset(inertia, i, &offset);
    }
    inertia->duration = duration;
    inertia->elapsed = 0;
    return TR_OK;
}

// Quintic polynomials in s = t / T that are zero with zero rate and acceleration at s = 1. `place` is 1 with
// zero rate and acceleration at 0; `speed` is 0 with rate 1 (in s) at 0.
static void fade(float s, float *place, float *speed) {
    float left = 1 - s, cube = left * left * left;
    *place = cube * (1 + 3 * s + 6 * s * s);
    *speed = cube * (s + 3 * s * s);
}

// Turns four joints by rotation vectors. A zero vector becomes the identity.
static inline void turn_four(const simd_float by[3], tr_pose *pose, uint32_t first) {
    simd_float zero = simd_set(0), sine, cosine, a[3], b[4], q[4];
    simd_float angle = simd_sqrt(by[0] * by[0] + by[1] * by[1] + by[2] * by[2]);
    simd_sin_cos(angle * 0.5f, &sine, &cosine);
    simd_int turns = angle > zero;
    simd_float share = simd_select(turns, sine / simd_select(turns, angle, simd_set(1)), simd_set(0.5f));
    for (int i = 0; i < 3; i++)
        a[i] = by[i] * share;
    for (int i = 0; i < 4; i++)
        b[i] = simd_load(pose->rotation[i] + first);
    q[0] = cosine * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    q[1] = cosine * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
    q[2] = cosine * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
    q[3] = cosine * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
    simd_float squared = q[0] * q[0] + q[1] * q[1] + (q[2] * q[2] + q[3] * q[3]);
    simd_int there = squared > zero;
    simd_float inverse = 1 / simd_sqrt(simd_select(there, squared, simd_set(1)));
    for (int i = 0; i < 4; i++)
        simd_store_float(pose->rotation[i] + first,
                         simd_select(there, q[i] * inverse, simd_set(i == 3 ? 1 : 0)));
}

void tr_inertia_apply(tr_inertia *inertia, float dt, tr_pose *pose) {
    if (pose->joint_count != inertia->joint_count || !(dt >= 0) || tr_inertia_is_over(inertia))
        return;
    inertia->elapsed = inertia->elapsed + dt;
    if (tr_inertia_is_over(inertia))
        return;
    float place, speed;
    fade(inertia->elapsed / inertia->duration, &place, &speed);
    speed *= inertia->duration;
    for (uint32_t first = 0; first < inertia->stride; first += 4) {
        simd_float vectors[6]; // the offsets of four joints: moves and turns
        for (uint32_t i = 0; i < 6; i++) {
            const float *begin = inertia->offsets + (i < 3 ? i : i + 3) * inertia->stride + first;
            vectors[i] = simd_load(begin) * place + simd_load(begin + 3 * inertia->stride) * speed;
        }
        for (uint32_t axis = 0; axis < 3; axis++) {
            float *position = pose->position[axis] + first;
            simd_store_float(position, simd_load(position) + vectors[axis]);
        }
        turn_four(vectors + 3, pose, first);
    }
}

bool tr_inertia_is_over(const tr_inertia *inertia) {
    return !(inertia->elapsed < inertia->duration);
}

void tr_inertia_copy(tr_inertia *to, const tr_inertia *from) {
    to->duration = from->duration;
    to->elapsed = from->elapsed;
    if (!tr_inertia_is_over(from))
        memcpy(to->offsets, from->offsets, from->stride * PARTS * sizeof *from->offsets);
}

void tr_inertia_clear(tr_inertia *inertia) {
    inertia->elapsed = inertia->duration = 0;
}

void tr_inertia_archive(tr_inertia *inertia, tr_archive *archive) {
    bool over = tr_inertia_is_over(inertia);
    tr_archive_bool(archive, &over);
    if (over) {
        if (tr_archive_reads(archive))
            tr_inertia_clear(inertia);
        return;
    }
    tr_archive_float(archive, &inertia->duration);
    tr_archive_float(archive, &inertia->elapsed);
    for (uint32_t i = 0; i < inertia->joint_count; i++) {
        joint_offset offset = get_offset(inertia, i);
        tr_archive_vec3(archive, &offset.move);
        tr_archive_vec3(archive, &offset.move_rate);
        tr_archive_vec3(archive, &offset.turn);
        tr_archive_vec3(archive, &offset.turn_rate);
        set_offset(inertia, i, &offset);
    }
}
