// The same construction as in limb.c, in the axes of the common parent of both limbs, where the local
// rotations alone give the bones.
#include "limb_pair.h"
#include "limb_lanes.h"
#include "limb_turn.h"
#include "troupe/base/scalar.h"

#define BENT_SINE 0.1f // as in limb.c
#define RIGID 1e-4f    // tolerance of the squared lengths of a map's columns
#define SMALL 0.35f    // smaller swivels are computed with series [rad]
#define FOLDED 0.05f   // of the sum of the bones: an end closer to its hip does not define a direction

// Computes the shape from the local rotations.
static inline void look_at_bones(limb_pair *pair, const tr_pose *pose) {
    const tr_limb *left = &pair->limbs[0], *right = &pair->limbs[1];
    lane_limbs *shape = &pair->shape;
    lane_turns own = lanes_take_turns(pose, left->upper, right->upper, pose, left->lower, right->lower);
    lane_turns thighs = lanes_first_turns(own), shanks = lanes_multiply(thighs, lanes_last_turns(own));
    pair->bone_turns = lanes_join_turns(thighs, shanks);
    lane_vectors bones = lanes_rotate(
        pair->bone_turns, lanes_take_positions(pose, left->lower, right->lower, pose, left->end, right->end));
    simd_float lengths = lanes_length(bones);
    shape->bones = lanes_scale(bones, simd_set(1) / lengths);
    shape->upper = lanes_first(lengths), shape->lower = lanes_last(lengths);
    lane_vectors line = lanes_add(lanes_first_vectors(bones), lanes_last_vectors(bones));
    pair->distance = lanes_length(line);
    shape->line = lanes_scale(line, simd_set(1) / pair->distance);
    simd_float folded = (shape->upper + shape->lower) * simd_set(FOLDED);
    shape->valid = (lengths > simd_set(1e-6f)) & (pair->distance > folded);
    lane_vectors hinge = lanes_rotate(shanks, lanes_vectors_twice(left->hinge, right->hinge));
    lane_vectors normal = lanes_cross(lanes_first_vectors(shape->bones), lanes_last_vectors(shape->bones));
    simd_float lacking = simd_max(simd_set(BENT_SINE) - lanes_dot(normal, hinge), simd_set(0));
    normal = lanes_add(normal, lanes_scale(hinge, lacking * lacking * simd_set(1 / BENT_SINE)));
    shape->normal = lanes_across(normal, shape->line, &shape->valid);
}

static tr_vec3 into_axes(const tr_affine *axes, tr_vec3 from, tr_vec3 to) {
    tr_vec3 v = tr_vec3_subtract(to, from);
    return tr_vec3_make(axes->m[0][0] * v.x + axes->m[1][0] * v.y + axes->m[2][0] * v.z,
                        axes->m[0][1] * v.x + axes->m[1][1] * v.y + axes->m[2][1] * v.z,
                        axes->m[0][2] * v.x + axes->m[1][2] * v.y + axes->m[2][2] * v.z);
}

// The normals, turned about the lines by the swivels of the goals.
static inline lane_vectors swivel(const lane_limbs *shape, const limb_pair_goal goals[2]) {
    simd_float angle = lanes_twice(goals[0].swivel, goals[1].swivel), square = angle * angle, sine, cosine;
    if (simd_bits(square < simd_set(SMALL * SMALL)) == 15) {
        // The remainder of the series is below 1e-8.
        sine = angle *
               (simd_set(1) - square * (simd_set(1.0f / 6) -
                                        square * (simd_set(1.0f / 120) - square * simd_set(1.0f / 5040))));
        cosine = simd_set(1) -
                 square * (simd_set(0.5f) - square * (simd_set(1.0f / 24) - square * simd_set(1.0f / 720)));
    } else {
        double s[2], c[2];
        for (int side = 0; side < 2; side++)
            tr_sin_cos((double)goals[side].swivel, &s[side], &c[side]);
        sine = lanes_twice((float)s[0], (float)s[1]);
        cosine = lanes_twice((float)c[0], (float)c[1]);
    }
    lane_vectors across = lanes_cross(shape->line, shape->normal);
    return lanes_add(lanes_scale(shape->normal, cosine), lanes_scale(across, sine));
}

// The rotations of the bones; `left` is the distance that remains between the ends and the goals.
static inline lane_turns bend_to_goals(limb_pair *pair, const limb_pair_goal goals[2], const tr_affine *model,
                                       float left[2]) {
    lane_limbs *shape = &pair->shape;
    const tr_affine *axes = &model[pair->above];
    tr_vec3 ways[2];
    for (int side = 0; side < 2; side++)
        ways[side] =
            into_axes(axes, tr_affine_position(&model[pair->limbs[side].upper]), goals[side].position);
    lane_vectors way = lanes_vectors_twice(ways[0], ways[1]);
    simd_float whole = shape->upper + shape->lower, folded = whole * simd_set(FOLDED);
    simd_float least =
        simd_max(lanes_twice(goals[0].least, goals[1].least), simd_abs(shape->upper - shape->lower));
    simd_float most = simd_min(lanes_twice(goals[0].most, goals[1].most), whole);
    simd_float asked = lanes_length(way), distance = simd_min(simd_max(asked, least), most);
    simd_float off = simd_abs(asked - distance);
    left[0] = off[0], left[1] = off[1];
    shape->valid = shape->valid & (asked > folded) & (distance > folded) & (asked < simd_set(1e6f));
    return lanes_bend(shape, swivel(shape, goals), lanes_scale(way, simd_set(1) / asked), distance);
}

// Sets the local rotations of thighs, shanks and ends from rotations in the axes of the limbs' parent.
static inline void set_pair(const limb_pair *pair, const limb_pair_goal goals[2], lane_turns bones,
                            tr_pose *pose) {
    const tr_limb *left = &pair->limbs[0], *right = &pair->limbs[1];
    tr_quat back = tr_quat_conjugate(pair->axes),
            ends[2] = {tr_quat_multiply(back, goals[0].rotation), tr_quat_multiply(back, goals[1].rotation)};
    lane_turns wanted = {lanes_twice(ends[0].x, ends[1].x), lanes_twice(ends[0].y, ends[1].y),
                         lanes_twice(ends[0].z, ends[1].z), lanes_twice(ends[0].w, ends[1].w)};
    // Both shanks in the axes of the thighs, then both ends in the axes of the shanks.
    lane_turns shanks = lanes_last_turns(bones);
    lane_turns locals = lanes_unit(lanes_multiply_back(bones, lanes_join_turns(shanks, wanted)));
    lanes_set_turns(pose, left->upper, right->upper, bones);
    lanes_set_turns(pose, left->lower, right->lower, locals);
    lanes_set_turns(pose, left->end, right->end, lanes_last_turns(locals));
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

bool tr_limb_pair_look(const tr_limb limbs[2], const tr_skeleton *skeleton, const tr_pose *pose,
                       const tr_affine *model, limb_pair *pair) {
    if (pose->scaled || !is_direct(limbs, skeleton, pose))
        return false;
    pair->limbs = limbs;
    pair->above = tr_skeleton_parents(skeleton)[limbs[0].upper];
    if (!is_rigid(&model[pair->above]))
        return false;
    pair->axes = tr_limb_turn_to_quat(tr_limb_turn_of_map(&model[pair->above]));
    look_at_bones(pair, pose);
    return simd_bits(pair->shape.valid) == 15;
}

void tr_limb_pair_ends(const limb_pair *pair, const tr_pose *pose, tr_quat ends[2]) {
    uint32_t left = pair->limbs[0].end, right = pair->limbs[1].end;
    lane_turns above = {simd_set(pair->axes.x), simd_set(pair->axes.y), simd_set(pair->axes.z),
                        simd_set(pair->axes.w)};
    lane_turns own = lanes_take_turns(pose, left, right, pose, left, right);
    lane_turns turns = lanes_multiply(lanes_multiply(above, lanes_last_turns(pair->bone_turns)), own);
    turns = lanes_unit(turns);
    for (int side = 0; side < 2; side++)
        ends[side] = (tr_quat){turns.x[side], turns.y[side], turns.z[side], turns.w[side]};
}

bool tr_limb_pair_reach(limb_pair *pair, const tr_skeleton *skeleton, const limb_pair_goal goals[2],
                        tr_pose *pose, const tr_affine *place, tr_affine *model, float left[2]) {
    float off[2];
    lane_turns turns = bend_to_goals(pair, goals, model, off);
    if (simd_bits(pair->shape.valid) != 15)
        return false;
    set_pair(pair, goals, lanes_unit(lanes_multiply(turns, pair->bone_turns)), pose);
    for (int side = 0; side < 2; side++) {
        tr_pose_update_model(skeleton, pose, place, pair->limbs[side].upper, model);
        left[side] = off[side];
    }
    return true;
}
