// The legs of tr_foot_lock: knees, ankles and toes that follow where the feet are held.
#include "motion/overlay/overlay_pull.h"
#include "foot_lock_foot.h"
#include "motion/skeleton/limb_turn.h"
#include "troupe/base/scalar.h"

#define KNEE_SHARE 0.8f    // of a foot's rotation that the knee takes over
#define KNEE_ASIDE 0.6f    // of half the distance between the hips: knees stay this far from the middle
#define KNEE_PULL 18.0f    // how fast a knee moves aside and back [1/s]
#define KNEE_LEAST 2e-3f   // a smaller remainder is dropped [rad]
#define KNEE_ROUNDS 4      // for turning a knee back until the ankle is within its limit
#define ANKLE_ROUNDS 10    // for bringing an ankle back inside its limit, while the shank moves with it
#define ANKLE_BACK 0.8f    // the largest share of such a turn that the shank is known to take back
#define ANKLE_LEFT 5e-5f   // excess that may remain [rad]
#define ANKLE_EXCESS 1e-3f // excess for which a knee turns back [rad]
#define TOES_ROUNDS 4      // for bending toes about an oblique hinge
#define TIP_DEPTH 1e-5f    // a tip less deep than this is on the ground [m]

tr_vec3 tr_foot_lock_toes_of(const tr_foot *foot) {
    return foot->toes == TR_NONE ? foot->tip : foot->ball;
}

// How far a foot is turned about the vertical relative to the animation. The knee takes over most of it, like
// a thigh that turns in the hip, because otherwise the ankle would be twisted.
float tr_foot_lock_swivel(const leg_view *leg, const ankle_goal *goal) {
    tr_quat turn = tr_quat_multiply(goal->rotation, tr_quat_conjugate(leg->rotation));
    if (fabsf(turn.y) < 0.15f * fabsf(turn.w)) { // the remainder of the arc tangent series is below 1e-8
        float t = turn.y / turn.w, square = t * t;
        return -KNEE_SHARE * 2 * t * (1 - square * (1.0f / 3 - square * (0.2f - square * (1.0f / 7))));
    }
    float side = turn.w < 0 ? -1 : 1;
    return -KNEE_SHARE * 2 * (float)tr_arc_tangent((double)(turn.y * side), (double)(turn.w * side));
}

// `swivel` turns the knee further from where it is.
float tr_foot_lock_bend_leg(const tr_legs *legs, uint32_t side, const tr_skeleton *skeleton,
                            const leg_view *leg, const ankle_goal *goal, float swivel, tr_pose *pose,
                            const tr_affine *place, tr_affine *model) {
    tr_limb limb = legs->limbs[side];
    // The leg may do what the animation itself does.
    float rest = (limb.upper_length + limb.lower_length) / leg->straight;
    limb.reach_max = tr_foot_lock_leg_most(leg) * rest;
    limb.reach_min = leg->distance * rest < limb.reach_min ? leg->distance * rest : limb.reach_min;
    tr_limb_goal reach = {goal->position, &goal->rotation, 1, swivel};
    return tr_limb_reach(&limb, skeleton, &reach, pose, place, model);
}

// Both legs; `pair` as it was set, or NULL. `left` gets the distance that remains between each foot and its
// goal.
void tr_foot_lock_bend_legs(const tr_legs *legs, limb_pair *pair, const tr_skeleton *skeleton,
                            const leg_view views[2], const ankle_goal goals[2], tr_pose *pose,
                            const tr_affine *place, tr_affine *model, float left[2]) {
    limb_pair_goal reach[2];
    for (uint32_t side = 0; side < 2; side++) {
        const tr_limb *limb = &legs->limbs[side];
        const leg_view *leg = &views[side];
        float least = limb->reach_min * (leg->straight / (limb->upper_length + limb->lower_length));
        reach[side] = (limb_pair_goal){
            goals[side].position, goals[side].rotation, tr_foot_lock_swivel(leg, &goals[side]),
            leg->distance < least ? leg->distance : least, tr_foot_lock_leg_most(leg)};
    }
    if (pair && tr_limb_pair_reach(pair, skeleton, reach, pose, place, model, left))
        return;
    for (uint32_t side = 0; side < 2; side++)
        left[side] = tr_foot_lock_bend_leg(legs, side, skeleton, &views[side], &goals[side],
                                           reach[side].swivel, pose, place, model);
}

// The rotation about the line from hip to ankle that brings a knee far enough out; 0 if it is. A knee stays
// on its own side, KNEE_ASIDE from the middle or where the animation has it. If the line from hip to ankle
// itself is further in, the knee stays on the outside of that line.
static float turn_out(const tr_foot *foot, const leg_view *leg, const leg_view *other,
                      const tr_affine *model) {
    const tr_affine *thigh = &model[foot->thigh], *shank = &model[foot->shank];
    tr_vec3 out = leg->out;
    float half = 0.5f * ((leg->hip.x - other->hip.x) * out.x + (leg->hip.z - other->hip.z) * out.z);
    float x = shank->m[0][3] - thigh->m[0][3], z = shank->m[2][3] - thigh->m[2][3];
    float aside = x * out.x + z * out.z + half, least = KNEE_ASIDE * half;
    if (!(aside < least))
        return 0;
    float meant = tr_vec3_dot(tr_vec3_subtract(leg->knee, leg->hip), out) + half;
    least = meant < least ? meant : least;
    tr_vec3 hip = tr_affine_position(thigh), off = tr_vec3_subtract(tr_affine_position(shank), hip);
    tr_vec3 axis = tr_vec3_subtract(tr_affine_position(&model[foot->ankle]), hip);
    float length = tr_vec3_length(axis);
    if (!(aside < least) || !(length > 0))
        return 0;
    axis = tr_vec3_scale(axis, 1 / length);
    off = tr_vec3_subtract(off, tr_vec3_scale(axis, tr_vec3_dot(off, axis)));
    x = tr_vec3_dot(off, out);
    float y = tr_vec3_dot(tr_vec3_cross(axis, off), out), size = sqrtf(x * x + y * y);
    least = aside - x < least ? aside - x : least;
    if (!(aside < least) || !(size > 1e-3f))
        return 0;
    float cosine = (least - aside + x) / size, most = (float)tr_arc_tangent((double)y, (double)x);
    cosine = cosine < 1 ? cosine : 1;
    float back = (float)tr_arc_tangent(sqrt(1 - (double)cosine * (double)cosine), (double)cosine);
    return most > 0 ? most - back : most + back;
}

// Turns a knee out, and back as far as the ankle of a held foot needs. Returns its final turn.
static float turn_knee(const tr_legs *legs, uint32_t side, const tr_skeleton *skeleton, const leg_view *leg,
                       const ankle_goal *goal, float turn, tr_pose *pose, const tr_affine *place,
                       tr_affine *model) {
    uint32_t ankle = legs->feet[side].ankle;
    float turned = turn;
    tr_foot_lock_bend_leg(legs, side, skeleton, leg, goal, turn, pose, place, model);
    for (int round = 1; goal->held && round <= KNEE_ROUNDS; round++) {
        if (!(tr_skeleton_limit_excess(skeleton, ankle, tr_pose_rotation(pose, ankle)) > ANKLE_EXCESS))
            break;
        turn = round < KNEE_ROUNDS ? turn / 2 : turned; // the last round turns it all the way back
        turned -= turn;
        tr_foot_lock_bend_leg(legs, side, skeleton, leg, goal, -turn, pose, place, model);
    }
    return turned;
}

// A foot over which the body has turned takes its knee along, but not into the other leg. The ankle takes
// over the turn that the knee does not do, as far as it can: a held foot does not move for it. The knee moves
// there and back smoothly.
void tr_foot_lock_keep_knee(const tr_legs *legs, uint32_t side, const tr_skeleton *skeleton,
                            const leg_view *views, const ankle_goal *goal, float dt, tr_foot_lock_foot *foot,
                            tr_pose *pose, const tr_affine *place, tr_affine *model) {
    const leg_view *leg = &views[side];
    float turn = turn_out(&legs->feet[side], leg, &views[1 - side], model);
    if (turn == 0 && foot->knee == 0 && foot->knee_rate == 0)
        return;
    if (turn != 0)
        turn = turn_knee(legs, side, skeleton, leg, goal, turn, pose, place, model);
    tr_overlay_pull(KNEE_PULL, turn, dt, &foot->knee, &foot->knee_rate);
    if (turn == 0 && fabsf(foot->knee) < KNEE_LEAST && fabsf(foot->knee_rate) < KNEE_PULL * KNEE_LEAST)
        foot->knee = foot->knee_rate = 0;
    tr_foot_lock_bend_leg(legs, side, skeleton, leg, goal, foot->knee - turn, pose, place, model);
    uint32_t ankle = legs->feet[side].ankle;
    if (!goal->held ||
        !(tr_skeleton_limit_excess(skeleton, ankle, tr_pose_rotation(pose, ankle)) > ANKLE_EXCESS))
        return;
    // Only as smoothly as the ankle allows.
    tr_foot_lock_bend_leg(legs, side, skeleton, leg, goal, turn - foot->knee, pose, place, model);
    foot->knee = turn;
    foot->knee_rate = 0;
}

// An ankle that is bent or twisted past its limit takes the foot along: about the toes if they are held (the
// heel rises), otherwise about the heel, or in the air about the ankle itself.
void tr_foot_lock_keep_ankle(const tr_legs *legs, uint32_t side, const tr_skeleton *skeleton,
                             const leg_view *leg, const tr_foot_lock_state *state,
                             const tr_foot_lock_params *params, const ankle_goal *goal, tr_pose *pose,
                             const tr_affine *place, tr_affine *model) {
    const tr_foot *shape = &legs->feet[side];
    const tr_foot_lock_foot *foot = &state->feet[side];
    uint32_t ankle = shape->ankle, parent = tr_skeleton_parents(skeleton)[ankle];
    bool stands = goal->held || foot->held_heel || foot->held_toes; // or will, from this step on
    // On a slope the toes stay where they are in the air as well, since they come down first.
    bool on_toes = foot->held_toes || (params->slopes && !stands);
    tr_vec3 pivot = on_toes  ? tr_foot_toes_arm(shape)
                    : stands ? tr_foot_heel_arm(shape)
                             : tr_vec3_make(0, 0, 0);
    float first = 0, more = 1;
    for (int round = 0; round < ANKLE_ROUNDS; round++) {
        tr_quat local = tr_pose_rotation(pose, ankle);
        float excess = tr_skeleton_limit_excess(skeleton, ankle, local);
        if (!(excess > ANKLE_LEFT))
            return;
        // The shank follows the foot, and takes back the same share of every turn: the second turn is further
        // by what it will take back.
        first = round == 0 ? excess : first;
        if (round == 1 && excess < ANKLE_BACK * first)
            more = first / (first - excess);
        tr_quat inside = tr_overlay_mix(local, tr_skeleton_limit_clamp(skeleton, ankle, local), more);
        tr_quat above = tr_limb_turn_to_quat(tr_limb_turn_of_map(&model[parent]));
        tr_quat kept = tr_quat_normalize(tr_quat_multiply(above, inside));
        tr_vec3 held = tr_vec3_add(goal->position, tr_quat_rotate(goal->rotation, pivot));
        ankle_goal turned = {tr_vec3_subtract(held, tr_quat_rotate(kept, pivot)), kept, goal->held};
        tr_vec3 heel = tr_vec3_add(turned.position, tr_quat_rotate(kept, tr_foot_heel_arm(shape))),
                toes = tr_vec3_add(turned.position, tr_quat_rotate(kept, tr_foot_toes_arm(shape)));
        float over = tr_foot_lock_height(state, params, side, heel),
              toes_over = tr_foot_lock_height(state, params, side, toes);
        float depth = -(toes_over < over ? toes_over : over);
        bool toes_lead = params->slopes && !foot->held_toes; // uphill: then the heel does not come down
        if ((!stands || toes_lead) && depth > 0)
            turned.position.y += depth;
        tr_foot_lock_bend_leg(legs, side, skeleton, leg, &turned, 0, pose, place,
                              model); // the knee was turned before
    }
}

// Toes that the foot presses into the ground bend up about their hinge, and stay inside their limit if the
// animation keeps them inside.
void tr_foot_lock_bend_toes(const tr_foot *foot, const tr_skeleton *skeleton, const tr_foot_lock_state *state,
                            const tr_foot_lock_params *params, uint32_t side, tr_pose *pose,
                            const tr_affine *place, tr_affine *model) {
    if (foot->toes == TR_NONE)
        return;
    bool keeps = false;
    tr_quat tilt = params->slopes ? tr_foot_lock_tilt(&state->feet[side].ground) : tr_quat_identity();
    for (int round = 0; round < TOES_ROUNDS; round++) {
        tr_vec3 joint = tr_affine_position(&model[foot->toes]);
        tr_vec3 tip = tr_affine_turn(&model[foot->toes], foot->tip);
        float room = tr_foot_lock_height(state, params, side, joint);
        if (params->slopes)
            tip = tr_quat_rotate(tr_quat_conjugate(tilt), tip);
        if (tip.y >= -room - TIP_DEPTH)
            return;
        tr_quat raise = tr_foot_lock_raise(tip, room);
        if (params->slopes)
            raise = tr_quat_multiply(tilt, tr_quat_multiply(raise, tr_quat_conjugate(tilt)));
        uint32_t parent = tr_skeleton_parents(skeleton)[foot->toes];
        tr_quat above = tr_limb_turn_to_quat(tr_limb_turn_of_map(&model[parent]));
        tr_quat turn = tr_quat_multiply(tr_quat_conjugate(above), tr_quat_multiply(raise, above));
        tr_quat was = tr_pose_rotation(pose, foot->toes);
        tr_quat local = tr_quat_normalize(tr_quat_multiply(turn, was));
        keeps = keeps || tr_skeleton_limit_excess(skeleton, foot->toes, was) <= ANKLE_EXCESS;
        if (keeps) // the next round makes up for what the limit takes away
            local = tr_skeleton_limit_clamp(skeleton, foot->toes, local);
        tr_pose_set_rotation(pose, foot->toes, local);
        tr_pose_update_model(skeleton, pose, place, foot->toes, model);
    }
}
