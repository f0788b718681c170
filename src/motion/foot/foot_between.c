// A body between two moments. Mixing joints by angle moves feet that stand: hips and knees turn at a steady
// rate each, and the ankle goes along a curve. The feet are therefore mixed in the world, and the legs follow
// them.
#include "foot.h"
#include "troupe/motion/blend.h"

// A foot in the world.
typedef struct foot_place {
    tr_quat rotation;
    tr_vec3 ankle;
    tr_vec3 sole[3]; // heel, ball, tip
} foot_place;

static void find_feet(const tr_legs *legs, const tr_skeleton *skeleton, const tr_legs_moment *moment,
                      tr_affine *model, foot_place feet[2]) {
    tr_pose_to_model(skeleton, moment->pose, &moment->place, model);
    for (uint32_t side = 0; side < 2; side++) {
        const tr_foot *foot = &legs->feet[side];
        const tr_affine *ankle = &model[foot->ankle];
        feet[side] =
            (foot_place){tr_affine_rotation(ankle),
                         tr_affine_position(ankle),
                         {tr_foot_heel(foot, model), tr_foot_ball(foot, model), tr_foot_tip(foot, model)}};
    }
}

// A body that moves by behaviors alone has none that hold feet.
static bool has_legs(const tr_legs *legs) {
    return legs->limbs[0].upper_length > 0;
}

static tr_vec3 mix(tr_vec3 a, tr_vec3 b, float t) {
    return tr_vec3_add(a, tr_vec3_scale(tr_vec3_subtract(b, a), t));
}

// A point of the sole as seen from the ankle.
static tr_vec3 arm_of(const foot_place *foot, int point) {
    return tr_quat_rotate(tr_quat_conjugate(foot->rotation),
                          tr_vec3_subtract(foot->sole[point], foot->ankle));
}

static void reach_foot(const tr_limb *limb, const tr_skeleton *skeleton, const foot_place *a,
                       const foot_place *b, float t, tr_pose *pose, const tr_affine *place,
                       tr_affine *model) {
    int still = 0;
    float least = INFINITY;
    for (int i = 0; i < 3; i++) {
        float moved = tr_vec3_length(tr_vec3_subtract(b->sole[i], a->sole[i]));
        if (moved < least)
            still = i, least = moved;
    }
    tr_quat rotation = tr_quat_blend(a->rotation, b->rotation, t);
    tr_vec3 arm = tr_quat_rotate(rotation, mix(arm_of(a, still), arm_of(b, still), t));
    tr_limb_goal goal = {.position = tr_vec3_subtract(mix(a->sole[still], b->sole[still], t), arm),
                         .rotation = &rotation,
                         .weight = 1};
    tr_limb_reach(limb, skeleton, &goal, pose, place, model);
}

void tr_legs_between(const tr_legs *legs, const tr_skeleton *skeleton, const tr_legs_moment *a,
                     const tr_legs_moment *b, float t, tr_pose *pose, tr_affine *model) {
    foot_place from[2], to[2];
    bool mixes = t > 0 && t < 1 && has_legs(legs); // otherwise the feet are where they are
    if (mixes) {
        find_feet(legs, skeleton, a, model, from);
        find_feet(legs, skeleton, b, model, to);
    }
    tr_affine place = tr_affine_from_transform(
        tr_transform_blend(tr_affine_to_transform(&a->place), tr_affine_to_transform(&b->place), t));
    tr_blend_two(a->pose, b->pose, t, pose);
    tr_pose_to_model(skeleton, pose, &place, model);
    for (uint32_t side = 0; mixes && side < 2; side++)
        reach_foot(&legs->limbs[side], skeleton, &from[side], &to[side], t, pose, &place, model);
}

// One blend of three poses: the first two by their shares of each other, then with the third.
static void mix_three(const tr_pose *before, const tr_pose *here, const tr_pose *after, float u,
                      tr_pose *spare, tr_pose *pose) {
    float from = 0.5f * (0.5f - u) * (0.5f - u), to = 0.5f * (0.5f + u) * (0.5f + u);
    tr_blend_two(before, after, to / (from + to), spare);
    tr_blend_two(spare, here, 1 - from - to, pose);
}

void tr_legs_along(const tr_legs *legs, const tr_skeleton *skeleton, const tr_pose *const row[4], float t,
                   tr_pose *pose, tr_pose *spare, tr_affine *model) {
    tr_affine world = tr_affine_identity();
    foot_place from[2], to[2];
    uint32_t sides = has_legs(legs) ? 2 : 0;
    if (sides) {
        find_feet(legs, skeleton, &(tr_legs_moment){row[1], world}, model, from);
        find_feet(legs, skeleton, &(tr_legs_moment){row[2], world}, model, to);
    }
    const tr_pose *const *near = t < 0.5f ? row : row + 1;
    if (near[0] == near[1] || near[1] == near[2]) // straight on, as where the curve begins and ends
        tr_blend_two(row[1], row[2], t, pose);
    else
        mix_three(near[0], near[1], near[2], t < 0.5f ? t : t - 1, spare, pose);
    for (uint32_t side = 0; side < sides; side++) { // toes go with their feet
        uint32_t toes = legs->feet[side].toes;
        if (toes != TR_NONE)
            tr_pose_set_rotation(
                pose, toes, tr_quat_blend(tr_pose_rotation(row[1], toes), tr_pose_rotation(row[2], toes), t));
    }
    tr_pose_to_model(skeleton, pose, &world, model);
    for (uint32_t side = 0; side < sides; side++)
        reach_foot(&legs->limbs[side], skeleton, &from[side], &to[side], t, pose, &world, model);
}
