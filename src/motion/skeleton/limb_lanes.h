// motion/skeleton/limb_lanes.h - two limbs bent at once, in lanes. Values per limb are in the lanes left,
// right, left, right; values per bone are in the lanes of both upper bones, then of both lower ones. Internal
// to motion/.
#pragma once
#include "motion/lanes.h"
#include "troupe/motion/pose.h"

#define LANES_VAGUE 0.2f     // a shorter perpendicular part does not define a direction
#define LANES_OPPOSITE 0.05f // 1 + the cosine of a turn of more than 160 degrees
#define LANES_HALF_TURN 0.1f // 4 * the square of the cosine of half a turn of more than 160 degrees

typedef struct lane_limbs {
    lane_vectors bones;      // unit length, per bone
    simd_float upper, lower; // lengths of the bones
    lane_vectors line;       // from hip to end, unit length
    lane_vectors normal;     // of the plane, unit length, perpendicular to the line: the knee is where
                             // cross(line, normal) points
    simd_int valid;          // per limb and per bone; false: the results are unusable
} lane_limbs;

static inline simd_float lanes_twice(float left, float right) {
    return (simd_float){left, right, left, right};
}

static inline lane_vectors lanes_vectors_twice(tr_vec3 left, tr_vec3 right) {
    return (lane_vectors){lanes_twice(left.x, right.x), lanes_twice(left.y, right.y),
                          lanes_twice(left.z, right.z)};
}

// Two joints of one pose, then two of another.
static inline lane_turns lanes_take_turns(const tr_pose *a, uint32_t a0, uint32_t a1, const tr_pose *b,
                                          uint32_t b0, uint32_t b1) {
    float *const *p = a->rotation, *const *q = b->rotation;
    return (lane_turns){{p[0][a0], p[0][a1], q[0][b0], q[0][b1]},
                        {p[1][a0], p[1][a1], q[1][b0], q[1][b1]},
                        {p[2][a0], p[2][a1], q[2][b0], q[2][b1]},
                        {p[3][a0], p[3][a1], q[3][b0], q[3][b1]}};
}

static inline lane_vectors lanes_take_positions(const tr_pose *a, uint32_t a0, uint32_t a1, const tr_pose *b,
                                                uint32_t b0, uint32_t b1) {
    float *const *p = a->position, *const *q = b->position;
    return (lane_vectors){{p[0][a0], p[0][a1], q[0][b0], q[0][b1]},
                          {p[1][a0], p[1][a1], q[1][b0], q[1][b1]},
                          {p[2][a0], p[2][a1], q[2][b0], q[2][b1]}};
}

// Sets the first two lanes.
static inline void lanes_set_turns(tr_pose *pose, uint32_t left, uint32_t right, lane_turns q) {
    pose->rotation[0][left] = q.x[0], pose->rotation[0][right] = q.x[1];
    pose->rotation[1][left] = q.y[0], pose->rotation[1][right] = q.y[1];
    pose->rotation[2][left] = q.z[0], pose->rotation[2][right] = q.z[1];
    pose->rotation[3][left] = q.w[0], pose->rotation[3][right] = q.w[1];
}

// The part of `a` perpendicular to the unit vectors `axis`, normalized.
static inline lane_vectors lanes_across(lane_vectors a, lane_vectors axis, simd_int *valid) {
    lane_vectors b = lanes_subtract(a, lanes_scale(axis, lanes_dot(a, axis)));
    simd_float square = lanes_dot(b, b);
    *valid = *valid & (square > lanes_dot(a, a) * simd_set(LANES_VAGUE * LANES_VAGUE));
    return lanes_scale(b, simd_set(1) / simd_sqrt(square));
}

// The rotations, of any length, that take one frame (perpendicular unit vectors) to another.
static inline lane_turns lanes_turn_frames(lane_vectors bone, lane_vectors normal, lane_vectors to_bone,
                                           lane_vectors to_normal, simd_int *valid) {
    lane_vectors side = lanes_cross(bone, normal), to_side = lanes_cross(to_bone, to_normal);
    lane_vectors axis = lanes_add(lanes_cross(bone, to_bone),
                                  lanes_add(lanes_cross(normal, to_normal), lanes_cross(side, to_side)));
    simd_float w =
        simd_set(1) + lanes_dot(bone, to_bone) + (lanes_dot(normal, to_normal) + lanes_dot(side, to_side));
    *valid = *valid & (w > simd_set(LANES_HALF_TURN));
    return (lane_turns){axis.x, axis.y, axis.z, w};
}

// The rotations, per bone and of any length, that bring the ends to `distance` in the direction of the unit
// vectors `line`. The plane turns with the line; `meant` is its normal before that, which may be turned about
// the old line.
static inline lane_turns lanes_bend(lane_limbs *limbs, lane_vectors meant, lane_vectors line,
                                    simd_float distance) {
    simd_float both = simd_set(1) + lanes_dot(limbs->line, line);
    limbs->valid = limbs->valid & (both > simd_set(LANES_OPPOSITE));
    lane_vectors sum = lanes_add(limbs->line, line);
    lane_vectors normal = lanes_subtract(meant, lanes_scale(sum, lanes_dot(line, meant) / both));
    normal = lanes_across(normal, line, &limbs->valid);
    lane_vectors outwards = lanes_cross(line, normal);
    simd_float a = limbs->upper, b = limbs->lower, d = distance, half = simd_set(0.5f) / d;
    // Heron's formula keeps its precision where the limb is straight and a cosine would lose it.
    simd_float area = (a + b + d) * (a + b - d) * ((d + a - b) * (d - a + b));
    simd_float off = simd_sqrt(simd_max(area, simd_set(0))) * half;
    simd_float along = (a * a - b * b + d * d) * half, lengths = lanes_join(a, b);
    simd_float forth = lanes_join(along, d - along) / lengths;
    simd_float out = lanes_join(off, simd_set(0) - off) / lengths;
    lane_vectors to_bone = lanes_add(lanes_scale(line, forth), lanes_scale(outwards, out));
    return lanes_turn_frames(limbs->bones, lanes_across(limbs->normal, limbs->bones, &limbs->valid), to_bone,
                             normal, &limbs->valid);
}
