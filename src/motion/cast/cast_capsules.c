#include "cast_capsules.h"

#include <string.h>

#define SAMPLES 4 // of each triangle
#define LEAST 12  // a bone with fewer samples gets no capsule
#define FAR                                                                                                  \
    2.5f           // samples further than this multiple of the median distance from the middle are things
                   // that hang on the bone: a cape, a sword
#define GIRTH 0.7f // share of the samples that lie within the radius
#define END 0.04f  // share of the samples beyond each end
#define HAND_REACH 0.9f // hands are no longer than this multiple of the forearm
#define THICK 0.45f     // a limb is no thicker than this multiple of its length
#define THIN 0.008f     // nor thinner than this share of the height
#define NEIGHBOURS 2    // bones this close are not tested against each other

typedef struct capsule_sample {
    tr_vec3 at; // in the axes of the body in its rest pose
    uint32_t bone;
} capsule_sample;

typedef struct capsule_fit {
    const tr_cast *cast;
    const tr_body_def *body;
    capsule_sample *samples;
    tr_vec3 *points; // those of one bone
    float *values;   // of these points
    uint32_t sample_count;
    tr_capsule capsules[TR_ROLE_COUNT];
    tr_role roles[TR_ROLE_COUNT]; // of each capsule
    uint32_t count;
} capsule_fit;

static tr_vec3 between(tr_vec3 a, tr_vec3 b, float share) {
    return tr_vec3_add(a, tr_vec3_scale(tr_vec3_subtract(b, a), share));
}

static bool is_bone(tr_role role) {
    return role != TR_ROLE_NONE && role != TR_ROLE_LEFT_SHOULDER && role != TR_ROLE_RIGHT_SHOULDER;
}

// The bone that a joint belongs to: fingers to the hand, what is above the hips to the hips.
static uint32_t bone_of(const tr_skeleton *skeleton, uint32_t joint) {
    const uint32_t *parents = tr_skeleton_parents(skeleton);
    for (; joint != TR_NONE; joint = parents[joint])
        if (is_bone(tr_skeleton_joint(skeleton, joint).role))
            return joint;
    uint32_t hips = tr_skeleton_with_role(skeleton, TR_ROLE_HIPS);
    return hips == TR_NONE ? 0 : hips;
}

// The bone that moves a triangle most.
static uint32_t bone_of_triangle(const capsule_fit *fit, const uint32_t *bones, const uint32_t corners[3]) {
    const tr_body_def *body = fit->body;
    uint32_t best = 0;
    float most = 0;
    for (int k = 0; k < 3 * TR_BODY_INFLUENCES; k++) {
        uint32_t bone = bones[body->joints[corners[k / TR_BODY_INFLUENCES]][k % TR_BODY_INFLUENCES]];
        float sum = 0;
        for (int n = 0; n < 3 * TR_BODY_INFLUENCES; n++) {
            uint32_t vertex = corners[n / TR_BODY_INFLUENCES];
            if (bones[body->joints[vertex][n % TR_BODY_INFLUENCES]] == bone)
                sum += body->weights[vertex][n % TR_BODY_INFLUENCES];
        }
        if (sum > most)
            most = sum, best = bone;
    }
    return best;
}

// The middle of every triangle and points towards its corners: meshes of few triangles have no vertices
// between joints.
static void take_samples(capsule_fit *fit, const uint32_t *bones) {
    const tr_body_def *body = fit->body;
    for (uint32_t i = 0; i < body->triangle_count; i++) {
        const uint32_t *corners = body->indices + 3 * (size_t)i;
        uint32_t bone = bone_of_triangle(fit, bones, corners);
        tr_vec3 middle = {0, 0, 0};
        for (int k = 0; k < 3; k++)
            middle = tr_vec3_add(middle, tr_vec3_scale(body->positions[corners[k]], 1.0f / 3));
        fit->samples[fit->sample_count++] = (capsule_sample){middle, bone};
        for (int k = 0; k < 3; k++)
            fit->samples[fit->sample_count++] =
                (capsule_sample){between(middle, body->positions[corners[k]], 0.6f), bone};
    }
}

static void sort(float *values, uint32_t count) {
    for (uint32_t gap = count / 2; gap > 0; gap = gap == 2 ? 1 : (uint32_t)((uint64_t)gap * 5 / 11))
        for (uint32_t i = gap; i < count; i++) {
            float value = values[i];
            uint32_t at = i;
            for (; at >= gap && values[at - gap] > value; at -= gap)
                values[at] = values[at - gap];
            values[at] = value;
        }
}

// The value below which this share of the first `count` values lies; sorts them.
static float quantile(float *values, uint32_t count, float share) {
    sort(values, count);
    uint32_t at = (uint32_t)(share * (float)(count - 1) + 0.5f);
    return values[at < count ? at : count - 1];
}

static tr_vec3 median_of(const capsule_fit *fit, uint32_t count) {
    float middle[3];
    for (int axis = 0; axis < 3; axis++) {
        for (uint32_t i = 0; i < count; i++)
            fit->values[i] = (&fit->points[i].x)[axis];
        middle[axis] = quantile(fit->values, count, 0.5f);
    }
    return tr_vec3_make(middle[0], middle[1], middle[2]);
}

// Drops what hangs on a bone but is no part of it.
static uint32_t drop_far(capsule_fit *fit, uint32_t count) {
    tr_vec3 middle = median_of(fit, count);
    for (uint32_t i = 0; i < count; i++)
        fit->values[i] = tr_vec3_length(tr_vec3_subtract(fit->points[i], middle));
    float most = FAR * quantile(fit->values, count, 0.5f);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (tr_vec3_length(tr_vec3_subtract(fit->points[i], middle)) <= most)
            fit->points[kept++] = fit->points[i];
    return kept;
}

// The direction in which the points extend most: the power method on their covariance.
static tr_vec3 long_axis(const capsule_fit *fit, uint32_t count, tr_vec3 middle, tr_vec3 start) {
    double c[3][3] = {{0}};
    for (uint32_t i = 0; i < count; i++) {
        tr_vec3 off = tr_vec3_subtract(fit->points[i], middle);
        const double v[3] = {off.x, off.y, off.z};
        for (int row = 0; row < 3; row++)
            for (int column = 0; column < 3; column++)
                c[row][column] += v[row] * v[column];
    }
    double axis[3] = {start.x, start.y, start.z};
    for (int round = 0; round < 60; round++) {
        double next[3] = {0, 0, 0}, length = 0;
        for (int row = 0; row < 3; row++) {
            for (int column = 0; column < 3; column++)
                next[row] += c[row][column] * axis[column];
            length += next[row] * next[row];
        }
        length = sqrt(length);
        for (int k = 0; k < 3 && length > 0; k++)
            axis[k] = next[k] / length;
    }
    return tr_vec3_make((float)axis[0], (float)axis[1], (float)axis[2]);
}

static tr_vec3 rest_place(const capsule_fit *fit, uint32_t joint) {
    tr_affine map;
    return tr_affine_invert(&fit->body->inverse_rest[joint], &map)
               ? tr_affine_position(&map)
               : tr_affine_position(&tr_skeleton_rest_model(fit->cast->skeleton)[joint]);
}

// How long a limb is: from its joint to the next one with a role. 0: it is no limb.
static float limb_length(const capsule_fit *fit, tr_role role) {
    const tr_skeleton *skeleton = fit->cast->skeleton;
    bool is_limb = (role >= TR_ROLE_LEFT_UPPER_ARM && role <= TR_ROLE_LEFT_FOREARM) ||
                   (role >= TR_ROLE_RIGHT_UPPER_ARM && role <= TR_ROLE_RIGHT_FOREARM) ||
                   (role >= TR_ROLE_LEFT_THIGH && role <= TR_ROLE_LEFT_SHANK) ||
                   (role >= TR_ROLE_RIGHT_THIGH && role <= TR_ROLE_RIGHT_SHANK);
    uint32_t from = tr_skeleton_with_role(skeleton, role),
             to = tr_skeleton_with_role(skeleton, (tr_role)(role + 1));
    if (!is_limb || from == TR_NONE || to == TR_NONE)
        return 0;
    return tr_vec3_length(tr_vec3_subtract(rest_place(fit, to), rest_place(fit, from)));
}

static bool is_hand(tr_role role) {
    return role == TR_ROLE_LEFT_HAND || role == TR_ROLE_RIGHT_HAND;
}

static uint32_t collect(capsule_fit *fit, uint32_t joint, tr_role role) {
    uint32_t count = 0;
    float reach = is_hand(role) ? HAND_REACH * limb_length(fit, (tr_role)(role - 1)) : INFINITY;
    tr_vec3 place = rest_place(fit, joint);
    for (uint32_t i = 0; i < fit->sample_count; i++)
        if (fit->samples[i].bone == joint &&
            tr_vec3_length(tr_vec3_subtract(fit->samples[i].at, place)) <= reach)
            fit->points[count++] = fit->samples[i].at;
    for (int round = 0; round < 2 && count >= LEAST; round++)
        count = drop_far(fit, count);
    return count;
}

static bool is_foot(tr_role role) {
    return role == TR_ROLE_LEFT_FOOT || role == TR_ROLE_RIGHT_FOOT || role == TR_ROLE_LEFT_TOES ||
           role == TR_ROLE_RIGHT_TOES;
}

// The capsule of a foot stands on the sole: a round one would be in the floor.
static void stand(const capsule_fit *fit, uint32_t count, tr_vec3 ends[2], float *radius) {
    float low = INFINITY, high = -INFINITY, least = THIN * fit->cast->height;
    for (uint32_t i = 0; i < count; i++) {
        low = fminf(low, fit->points[i].y);
        high = fmaxf(high, fit->points[i].y);
    }
    *radius = fmaxf(fminf(*radius, 0.5f * (high - low)), least);
    for (int k = 0; k < 2; k++)
        ends[k].y = fmaxf(ends[k].y, low + *radius);
}

static void fit_bone(capsule_fit *fit, tr_role role) {
    uint32_t joint = tr_skeleton_with_role(fit->cast->skeleton, role);
    uint32_t count = joint == TR_NONE || !is_bone(role) ? 0 : collect(fit, joint, role);
    if (count < LEAST)
        return;
    float height = fit->cast->height, length = limb_length(fit, role);
    tr_vec3 middle = median_of(fit, count), start = {0.3f, 1, 0.2f};
    if (length > 0) // a limb lies along its bone, however thick it is
        start =
            tr_vec3_subtract(rest_place(fit, tr_skeleton_with_role(fit->cast->skeleton, (tr_role)(role + 1))),
                             rest_place(fit, joint));
    tr_vec3 axis = length > 0 ? tr_vec3_scale(start, 1 / length) : long_axis(fit, count, middle, start);
    for (uint32_t i = 0; i < count; i++) {
        tr_vec3 off = tr_vec3_subtract(fit->points[i], middle);
        float along = tr_vec3_dot(off, axis);
        fit->values[i] = tr_vec3_length(tr_vec3_subtract(off, tr_vec3_scale(axis, along)));
    }
    float radius = quantile(fit->values, count, GIRTH);
    radius = length > 0 && radius > THICK * length ? THICK * length : radius;
    radius = radius < THIN * height ? THIN * height : radius;
    for (uint32_t i = 0; i < count; i++)
        fit->values[i] = tr_vec3_dot(tr_vec3_subtract(fit->points[i], middle), axis);
    float low = quantile(fit->values, count, END) + radius,
          high = quantile(fit->values, count, 1 - END) - radius;
    if (low > high)
        low = high = 0.5f * (low + high);
    const tr_affine *to_joint = &fit->body->inverse_rest[joint];
    tr_vec3 ends[2] = {tr_vec3_add(middle, tr_vec3_scale(axis, low)),
                       tr_vec3_add(middle, tr_vec3_scale(axis, high))};
    if (is_foot(role))
        stand(fit, count, ends, &radius);
    tr_capsule capsule = {.joint = joint,
                          .a = tr_affine_apply(to_joint, ends[0]),
                          .b = tr_affine_apply(to_joint, ends[1]),
                          .radius = radius};
    fit->roles[fit->count] = role;
    fit->capsules[fit->count++] = capsule;
}

// The bone above, by role.
static uint32_t bone_above(const tr_skeleton *skeleton, uint32_t joint) {
    uint32_t parent = tr_skeleton_parents(skeleton)[joint];
    while (parent != TR_NONE && !is_bone(tr_skeleton_joint(skeleton, parent).role))
        parent = tr_skeleton_parents(skeleton)[parent];
    return parent;
}

static bool are_neighbours(const tr_skeleton *skeleton, uint32_t a, uint32_t b) {
    uint32_t up_a = a, up_b;
    for (int i = 0; i <= NEIGHBOURS && up_a != TR_NONE; i++, up_a = bone_above(skeleton, up_a)) {
        up_b = b;
        for (int k = 0; i + k <= NEIGHBOURS && up_b != TR_NONE; k++, up_b = bone_above(skeleton, up_b))
            if (up_a == up_b)
                return true;
    }
    return false;
}

static bool is_trunk(tr_role role) {
    return role >= TR_ROLE_HIPS && role <= TR_ROLE_HEAD;
}

// The distance between two segments, from the nearest points of a few along each: enough to see what touches.
static float distance_between(const tr_capsule *a, const tr_capsule *b, const tr_affine *model) {
    float least = INFINITY;
    tr_vec3 a0 = tr_affine_apply(&model[a->joint], a->a), a1 = tr_affine_apply(&model[a->joint], a->b);
    tr_vec3 b0 = tr_affine_apply(&model[b->joint], b->a), b1 = tr_affine_apply(&model[b->joint], b->b);
    tr_vec3 way = tr_vec3_subtract(b1, b0);
    float square = tr_vec3_dot(way, way);
    for (int i = 0; i <= 16; i++) {
        tr_vec3 at = between(a0, a1, (float)i / 16), off = tr_vec3_subtract(at, b0);
        float share = square > 0 ? tr_vec3_dot(off, way) / square : 0;
        share = share < 0 ? 0 : share > 1 ? 1 : share;
        float apart = tr_vec3_length(tr_vec3_subtract(off, tr_vec3_scale(way, share)));
        least = apart < least ? apart : least;
    }
    return least - a->radius - b->radius;
}

static bool is_ignored(const capsule_fit *fit, uint32_t i, uint32_t k, const tr_affine *stand) {
    const tr_skeleton *skeleton = fit->cast->skeleton;
    const tr_capsule *a = &fit->capsules[i], *b = &fit->capsules[k];
    const float near = 0.01f * fit->cast->height;
    return i == k || (is_trunk(fit->roles[i]) && is_trunk(fit->roles[k])) ||
           are_neighbours(skeleton, a->joint, b->joint) ||
           distance_between(a, b, tr_skeleton_rest_model(skeleton)) < near ||
           distance_between(a, b, stand) < near;
}

static tr_status make_body(tr_cast *cast, capsule_fit *fit, const tr_affine *stand, tr_error *error) {
    bool ignored[TR_ROLE_COUNT * TR_ROLE_COUNT];
    for (uint32_t i = 0; i < fit->count; i++)
        for (uint32_t k = 0; k < fit->count; k++)
            ignored[i * fit->count + k] = is_ignored(fit, i, k, stand);
    tr_body_def def = *fit->body;
    def.allocator = &cast->allocator;
    def.capsules = fit->capsules;
    def.capsule_count = fit->count;
    def.ignored_pairs = ignored;
    tr_status status = tr_body_create(&def, &cast->own_body, error);
    if (status == TR_OK)
        cast->body = cast->own_body;
    return status;
}

tr_status tr_cast_fit_capsules(tr_cast *cast, const tr_affine *stand, tr_error *error) {
    const tr_body_def *body = cast->body ? tr_body_view(cast->body) : NULL;
    if (!body || body->capsule_count > 0 || body->triangle_count == 0 ||
        body->triangle_count > UINT32_MAX / 16)
        return TR_OK;
    capsule_fit fit = {.cast = cast, .body = body};
    size_t samples = (size_t)body->triangle_count * SAMPLES;
    uint32_t *bones = tr_allocate(&cast->allocator, body->joint_count, sizeof *bones);
    fit.samples = tr_allocate(&cast->allocator, samples, sizeof *fit.samples);
    fit.points = tr_allocate(&cast->allocator, samples, sizeof *fit.points);
    fit.values = tr_allocate(&cast->allocator, samples, sizeof *fit.values);
    tr_status status = TR_OK;
    if (bones && fit.samples && fit.points && fit.values) {
        for (uint32_t i = 0; i < body->joint_count; i++)
            bones[i] = bone_of(cast->skeleton, i);
        take_samples(&fit, bones);
        for (uint32_t role = TR_ROLE_NONE + 1; role < TR_ROLE_COUNT; role++)
            fit_bone(&fit, (tr_role)role);
        if (fit.count > 0)
            status = make_body(cast, &fit, stand, error);
    } else {
        status = tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the capsules of a body");
    }
    tr_release(&cast->allocator, bones, body->joint_count, sizeof *bones);
    tr_release(&cast->allocator, fit.samples, samples, sizeof *fit.samples);
    tr_release(&cast->allocator, fit.points, samples, sizeof *fit.points);
    tr_release(&cast->allocator, fit.values, samples, sizeof *fit.values);
    return status;
}

static bool is_arm(const tr_skeleton *skeleton, uint32_t joint) {
    uint32_t left = tr_skeleton_with_role(skeleton, TR_ROLE_LEFT_UPPER_ARM),
             right = tr_skeleton_with_role(skeleton, TR_ROLE_RIGHT_UPPER_ARM);
    return (left != TR_NONE && tr_skeleton_hangs_on(skeleton, joint, left)) ||
           (right != TR_NONE && tr_skeleton_hangs_on(skeleton, joint, right));
}

float tr_cast_measure_depth(const tr_cast *cast, const tr_affine *stand) {
    const tr_body_def *body = tr_body_view(cast->body);
    float depth = 0;
    for (uint32_t i = 0; i < 2 * body->capsule_count; i++) {
        const tr_capsule *capsule = &body->capsules[i / 2];
        tr_role role = tr_skeleton_joint(cast->skeleton, capsule->joint).role;
        bool is_thigh = role == TR_ROLE_LEFT_THIGH || role == TR_ROLE_RIGHT_THIGH;
        tr_vec3 at = tr_affine_apply(&stand[capsule->joint], i % 2 ? capsule->b : capsule->a);
        float reach = fabsf(at.z) + capsule->radius;
        depth = (is_trunk(role) || is_thigh) && reach > depth ? reach : depth;
    }
    return depth;
}

float tr_cast_measure_radius(const tr_cast *cast, const tr_affine *stand) {
    const tr_body_def *body = cast->body ? tr_body_view(cast->body) : NULL;
    float radius = 0;
    for (uint32_t i = 0; body && i < 2 * body->capsule_count; i++) {
        const tr_capsule *capsule = &body->capsules[i / 2];
        tr_vec3 at = tr_affine_apply(&stand[capsule->joint], i % 2 ? capsule->b : capsule->a);
        float reach = sqrtf(at.x * at.x + at.z * at.z) + capsule->radius;
        if (is_arm(cast->skeleton, capsule->joint))
            continue; // arms are held closer where there is little room
        radius = reach > radius ? reach : radius;
    }
    return radius;
}
