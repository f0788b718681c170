// The same construction as in limb.c, in the axes of the joint that both limbs hang on, where their bones are
// known from the local rotations alone. Leg by leg the lanes are left, right, left, right; bone by bone they
// are both thighs, then both shanks.
#include "limb_pair.h"
#include "lanes.h"
#include "limb_turn.h"
#include "troupe/base/scalar.h"

#define BENT_SINE 0.1f // as in limb.c
#define RIGID 1e-4f    // what the squares of a map's columns may be off 1
#define FOLDED 0.05f   // of the sum of the bones: closer to its hip an end does not say where it is
#define VAGUE 0.2f     // less than this of a direction across another one does not tell the way
#define OPPOSITE 0.05f // 1 + the cosine of a turn of more than 160 degrees
#define HALF_TURN 0.1f // 4 * the square of the cosine of half a turn of more than 160 degrees

typedef struct pair_shape {
    lane_turns thigh_turns, shank_turns; // by leg
    lane_turns bone_turns;               // by bone
    lane_vectors bones;                  // unit length, by bone
    simd_float upper, lower;             // lengths, by leg
    lane_vectors line;                   // from hip to end, unit length
    lane_vectors normal;                 // of the plane, across the line
    simd_int valid;
} pair_shape;

// Where the ends shall go, from the hips.
typedef struct pair_aim {
    lane_vectors line;
    simd_float distance, sine, cosine;
} pair_aim;

static inline simd_float twice(float left, float right) {
    return (simd_float){left, right, left, right};
}

static inline lane_vectors vectors_twice(tr_vec3 left, tr_vec3 right) {
    return (lane_vectors){twice(left.x, right.x), twice(left.y, right.y), twice(left.z, right.z)};
}

static inline simd_float take_four(const float *values, const uint32_t joints[4]) {
    return (simd_float){values[joints[0]], values[joints[1]], values[joints[2]], values[joints[3]]};
}

static inline lane_turns take_turns(const tr_pose *pose, const uint32_t joints[4]) {
    return (lane_turns){take_four(pose->rotation[0], joints), take_four(pose->rotation[1], joints),
                        take_four(pose->rotation[2], joints), take_four(pose->rotation[3], joints)};
}

static inline lane_vectors take_positions(const tr_pose *pose, const uint32_t joints[4]) {
    return (lane_vectors){take_four(pose->position[0], joints), take_four(pose->position[1], joints),
                          take_four(pose->position[2], joints)};
}

// What of `a` is across the unit vectors `axis`, at unit length.
static inline lane_vectors across(lane_vectors a, lane_vectors axis, simd_int *valid) {
    lane_vectors b = lanes_subtract(a, lanes_scale(axis, lanes_dot(a, axis)));
    simd_float square = lanes_dot(b, b);
    *valid = *valid & (square > lanes_dot(a, a) * simd_set(VAGUE * VAGUE));
    return lanes_scale(b, simd_set(1) / simd_sqrt(square));
}

static inline pair_shape look_at_pair(const tr_limb limbs[2], const tr_pose *pose) {
    const tr_limb *left = &limbs[0], *right = &limbs[1];
    const uint32_t joints[4] = {left->upper, right->upper, left->lower, right->lower};
    const uint32_t below[4] = {left->lower, right->lower, left->end, right->end};
    pair_shape shape;
    lane_turns own = take_turns(pose, joints);
    shape.thigh_turns = lanes_first_turns(own);
    shape.shank_turns = lanes_multiply(shape.thigh_turns, lanes_last_turns(own));
    shape.bone_turns = lanes_join_turns(shape.thigh_turns, shape.shank_turns);
    lane_vectors bones = lanes_rotate(shape.bone_turns, take_positions(pose, below));
    simd_float lengths = lanes_length(bones);
    shape.bones = lanes_scale(bones, simd_set(1) / lengths);
    shape.upper = lanes_first(lengths), shape.lower = lanes_last(lengths);
    lane_vectors line = lanes_add(lanes_first_vectors(bones), lanes_last_vectors(bones));
    simd_float distance = lanes_length(line);
    shape.line = lanes_scale(line, simd_set(1) / distance);
    shape.valid = (lengths > simd_set(1e-6f)) & (distance > (shape.upper + shape.lower) * simd_set(FOLDED));
    lane_vectors hinge = lanes_rotate(shape.shank_turns, vectors_twice(left->hinge, right->hinge));
    lane_vectors normal = lanes_cross(lanes_first_vectors(shape.bones), lanes_last_vectors(shape.bones));
    simd_float lacking = simd_max(simd_set(BENT_SINE) - lanes_dot(normal, hinge), simd_set(0));
    normal = lanes_add(normal, lanes_scale(hinge, lacking * lacking * simd_set(1 / BENT_SINE)));
    shape.normal = across(normal, shape.line, &shape.valid);
    return shape;
}

static tr_vec3 into_axes(const tr_affine *axes, tr_vec3 from, tr_vec3 to) {
    tr_vec3 v = tr_vec3_subtract(to, from);
    return tr_vec3_make(axes->m[0][0] * v.x + axes->m[1][0] * v.y + axes->m[2][0] * v.z,
                        axes->m[0][1] * v.x + axes->m[1][1] * v.y + axes->m[2][1] * v.z,
                        axes->m[0][2] * v.x + axes->m[1][2] * v.y + axes->m[2][2] * v.z);
}

static inline pair_aim aim_at_goals(const tr_limb limbs[2], const limb_pair_goal goals[2],
                                    const tr_affine *axes, const tr_affine *model, pair_shape *shape,
                                    float left[2]) {
    tr_vec3 ways[2];
    double sine[2] = {0, 0}, cosine[2] = {1, 1};
    for (int side = 0; side < 2; side++) {
        ways[side] = into_axes(axes, tr_affine_position(&model[limbs[side].upper]), goals[side].position);
        if (goals[side].swivel != 0)
            tr_sin_cos((double)goals[side].swivel, &sine[side], &cosine[side]);
    }
    lane_vectors way = vectors_twice(ways[0], ways[1]);
    simd_float whole = shape->upper + shape->lower, distance = lanes_length(way);
    simd_float least = simd_max(twice(goals[0].least, goals[1].least), simd_abs(shape->upper - shape->lower));
    simd_float most = simd_min(twice(goals[0].most, goals[1].most), whole);
    pair_aim aim = {.line = lanes_scale(way, simd_set(1) / distance),
                    .distance = simd_min(simd_max(distance, least), most),
                    .sine = twice((float)sine[0], (float)sine[1]),
                    .cosine = twice((float)cosine[0], (float)cosine[1])};
    simd_float off = simd_abs(distance - aim.distance);
    left[0] = off[0], left[1] = off[1];
    simd_float folded = whole * simd_set(FOLDED);
    shape->valid = shape->valid & (distance > folded) & (aim.distance > folded) & (distance < simd_set(1e6f));
    return aim;
}

// Where the bones point and the normal of their plane, by bone, when the ends are where they shall be.
static inline lane_vectors bend_pair(pair_shape *shape, const pair_aim *aim, lane_vectors *normals) {
    lane_vectors line = aim->line, normal = shape->normal;
    simd_float both = simd_set(1) + lanes_dot(shape->line, line);
    shape->valid = shape->valid & (both > simd_set(OPPOSITE));
    normal = lanes_subtract(
        normal, lanes_scale(lanes_add(shape->line, line), lanes_dot(line, normal) / both)); // swung along
    normal = across(normal, line, &shape->valid);
    normal = lanes_add(lanes_scale(normal, aim->cosine), lanes_scale(lanes_cross(line, normal), aim->sine));
    lane_vectors outwards = lanes_cross(line, normal); // to where the knee points
    simd_float a = shape->upper, b = shape->lower, d = aim->distance, half = simd_set(0.5f) / d;
    // Heron's product keeps its digits where the limb is straight and a cosine would lose them.
    simd_float area = (a + b + d) * (a + b - d) * ((d + a - b) * (d - a + b));
    simd_float off = simd_sqrt(simd_max(area, simd_set(0))) * half;
    simd_float along = (a * a - b * b + d * d) * half;
    simd_float lengths = lanes_join(a, b);
    simd_float forth = lanes_join(along, d - along) / lengths;
    simd_float out = lanes_join(off, simd_set(0) - off) / lengths;
    *normals = normal;
    return lanes_add(lanes_scale(line, forth), lanes_scale(outwards, out));
}

// The turns that take one frame (unit vectors at right angles) to another.
static inline lane_turns turns_between(lane_vectors bone, lane_vectors normal, lane_vectors to_bone,
                                       lane_vectors to_normal, simd_int *valid) {
    lane_vectors side = lanes_cross(bone, normal), to_side = lanes_cross(to_bone, to_normal);
    lane_vectors axis = lanes_add(lanes_cross(bone, to_bone),
                                  lanes_add(lanes_cross(normal, to_normal), lanes_cross(side, to_side)));
    simd_float w =
        simd_set(1) + lanes_dot(bone, to_bone) + (lanes_dot(normal, to_normal) + lanes_dot(side, to_side));
    *valid = *valid & (w > simd_set(HALF_TURN));
    return (lane_turns){axis.x, axis.y, axis.z, w};
}

static inline void set_turns(tr_pose *pose, uint32_t left, uint32_t right, lane_turns q) {
    pose->rotation[0][left] = q.x[0], pose->rotation[0][right] = q.x[1];
    pose->rotation[1][left] = q.y[0], pose->rotation[1][right] = q.y[1];
    pose->rotation[2][left] = q.z[0], pose->rotation[2][right] = q.z[1];
    pose->rotation[3][left] = q.w[0], pose->rotation[3][right] = q.w[1];
}

// Local rotations of thighs, shanks and ends from those in the axes that the limbs hang in.
static inline void set_pair(const tr_limb limbs[2], const limb_pair_goal goals[2], tr_quat above,
                            lane_turns bones, tr_pose *pose) {
    const tr_limb *left = &limbs[0], *right = &limbs[1];
    tr_quat back = tr_quat_conjugate(above),
            ends[2] = {tr_quat_multiply(back, goals[0].rotation), tr_quat_multiply(back, goals[1].rotation)};
    lane_turns wanted = {twice(ends[0].x, ends[1].x), twice(ends[0].y, ends[1].y),
                         twice(ends[0].z, ends[1].z), twice(ends[0].w, ends[1].w)};
    // Both shanks in the axes of the thighs, then both ends in those of the shanks.
    lane_turns shanks = lanes_last_turns(bones);
    lane_turns locals = lanes_unit(lanes_multiply_back(bones, lanes_join_turns(shanks, wanted)));
    set_turns(pose, left->upper, right->upper, bones);
    set_turns(pose, left->lower, right->lower, locals);
    set_turns(pose, left->end, right->end, lanes_last_turns(locals));
}

static bool is_rigid(const tr_affine *a) {
    for (int column = 0; column < 3; column++) {
        float x = a->m[0][column], y = a->m[1][column], z = a->m[2][column], square = x * x + y * y + z * z;
        if (!(square > 1 - RIGID && square < 1 + RIGID))
            return false;
    }
    return !tr_limb_is_mirrored(a);
}

static bool is_direct(const tr_limb limbs[2], const tr_skeleton *skeleton, const tr_pose *pose) {
    const uint32_t *parents = tr_skeleton_parents(skeleton);
    for (int side = 0; side < 2; side++) {
        const tr_limb *limb = &limbs[side];
        if (limb->end >= pose->joint_count || parents[limb->end] != limb->lower ||
            parents[limb->lower] != limb->upper)
            return false;
    }
    uint32_t above = parents[limbs[0].upper];
    return above != TR_NONE && above == parents[limbs[1].upper];
}

bool tr_limb_pair_reach(const tr_limb limbs[2], const tr_skeleton *skeleton, const limb_pair_goal goals[2],
                        tr_pose *pose, const tr_affine *place, tr_affine *model, float left[2]) {
    if (pose->scaled || !is_direct(limbs, skeleton, pose))
        return false;
    const tr_affine *axes = &model[tr_skeleton_parents(skeleton)[limbs[0].upper]];
    if (!is_rigid(axes))
        return false;
    float off[2];
    pair_shape shape = look_at_pair(limbs, pose);
    pair_aim aim = aim_at_goals(limbs, goals, axes, model, &shape, off);
    lane_vectors to_normal, to_bone = bend_pair(&shape, &aim, &to_normal);
    lane_vectors normal = across(shape.normal, shape.bones, &shape.valid);
    lane_turns turns = turns_between(shape.bones, normal, to_bone, to_normal, &shape.valid);
    if (simd_bits(shape.valid) != 15)
        return false;
    lane_turns bones = lanes_unit(lanes_multiply(turns, shape.bone_turns));
    set_pair(limbs, goals, tr_limb_turn_to_quat(tr_limb_turn_of_map(axes)), bones, pose);
    for (int side = 0; side < 2; side++) {
        tr_pose_update_model(skeleton, pose, place, limbs[side].upper, model);
        left[side] = off[side];
    }
    return true;
}
