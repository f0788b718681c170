// The body at a time: the clips of the step, what decays after a joint, root, and what is held.
#include "behavior_motion_data.h"

#define EASINGS 6 // of an ankle that passes its limit

// The paper's blend of two steps around their joint.
static void blend_steps(const tr_behavior_motion *motion, uint32_t number, uint32_t other, double share,
                        tr_pose *pose, const tr_pose *more) {
    const uint32_t *parents = tr_skeleton_parents(motion->skeleton);
    // Heights are above the ground of the step that is at hand.
    float rise = other < number ? -motion->steps[other].is.rise : motion->steps[number].is.rise;
    float eased = (float)(share * share * (3 - 2 * share));
    for (uint32_t i = 0; i < motion->joint_count; i++) {
        tr_transform a = tr_pose_get(pose, i), b = tr_pose_get(more, i);
        if (parents[i] == TR_NONE)
            b.position.y += rise;
        tr_vec3 way = tr_vec3_subtract(b.position, a.position);
        a.position = tr_vec3_add(a.position, tr_vec3_scale(way, eased));
        a.rotation = tr_quat_blend(a.rotation, b.rotation, eased);
        tr_pose_set(pose, i, a);
    }
}

void tr_motion_raw(const tr_behavior_motion *motion, double time, tr_pose *pose, tr_pose *scratch,
                   tr_affine *place) {
    double since, other_since;
    uint32_t number = tr_motion_step_number(motion, time, &since), other;
    const motion_step *step = &motion->steps[number];
    since = since < 0 ? 0 : since > step->seconds ? step->seconds : since;
    tr_motion_step_pose(motion, step, since, pose, scratch);
    *place = tr_base_place(tr_motion_base(motion, time), tr_motion_ground(motion, time));
    if (motion->style == TR_BEHAVIOR_MOTION_DEFAULT) {
        tr_motion_join_apply(motion, number, since, pose);
        return;
    }
    double share = tr_motion_window(motion, number, since, &other, &other_since);
    if (share > 0) { // a mix of two clips is blended as its first clip
        motion_step plain = motion->steps[other];
        plain.is.share = 0;
        tr_motion_step_pose(motion, &plain, other_since, scratch, NULL);
        blend_steps(motion, number, other, share, pose, scratch);
    }
}

uint32_t tr_motion_labels(const tr_behavior_motion *motion, double time) {
    double since;
    uint32_t number = tr_motion_step_number(motion, time, &since);
    const motion_step *step = &motion->steps[number];
    since = since < 0 ? 0 : since > step->seconds ? step->seconds : since;
    return tr_motion_step_contacts(motion, step, since);
}

static void lower(const tr_behavior_motion *motion, float by, tr_pose *pose, const tr_affine *place,
                  tr_affine *model) {
    uint32_t parent = tr_skeleton_parents(motion->skeleton)[motion->hips];
    const tr_affine *axes = parent == TR_NONE ? place : &model[parent];
    tr_affine inverse;
    if (!tr_affine_invert(axes, &inverse))
        return;
    tr_vec3 down = tr_affine_turn(&inverse, tr_vec3_make(0, -by, 0));
    tr_transform hips = tr_pose_get(pose, motion->hips);
    hips.position = tr_vec3_add(hips.position, down);
    tr_pose_set(pose, motion->hips, hips);
    tr_pose_update_model(motion->skeleton, pose, place, motion->hips, model);
}

// Turns one bone towards where its end has to be.
static void aim(const tr_behavior_motion *motion, const motion_limb *limb, const motion_hold *hold,
                tr_pose *pose, const tr_affine *place, tr_affine *model) {
    tr_vec3 from = tr_affine_position(&model[limb->upper]);
    tr_vec3 to = tr_affine_position(&model[limb->end]);
    tr_quat turn = tr_quat_between(tr_vec3_subtract(to, from), tr_vec3_subtract(hold->end, from));
    uint32_t parent = tr_skeleton_parents(motion->skeleton)[limb->upper];
    tr_quat axes = tr_affine_rotation(parent == TR_NONE ? place : &model[parent]);
    tr_quat own = tr_quat_multiply(tr_quat_conjugate(axes), tr_quat_multiply(turn, axes));
    tr_quat turned = tr_quat_multiply(own, tr_pose_rotation(pose, limb->upper));
    tr_pose_set_rotation(pose, limb->upper, tr_quat_normalize(turned));
    tr_pose_update_model(motion->skeleton, pose, place, limb->upper, model);
}

// The toes keep lying on the slope, as far as they bend.
static void keep_toes(const tr_skeleton *skeleton, uint32_t toes, tr_quat world, tr_pose *pose,
                      const tr_affine *place, tr_affine *model) {
    tr_quat above = tr_quat_normalize(tr_affine_rotation(&model[tr_skeleton_parents(skeleton)[toes]]));
    tr_quat own = tr_quat_normalize(tr_quat_multiply(tr_quat_conjugate(above), world));
    tr_pose_set_rotation(pose, toes, tr_skeleton_limit_clamp(skeleton, toes, own));
    tr_pose_update_model(skeleton, pose, place, toes, model);
}

// On a steep slope a foot does not lie flat. Where its ankle would pass its limit, the heel rises about the
// ball, or the ball about the heel: the one of them that would go into the ground stays. Returns the labels
// that then no longer hold.
static uint32_t ease_ankle(const tr_behavior_motion *motion, const motion_limb *limb, uint32_t labels,
                           tr_pose *pose, const tr_affine *place, tr_affine *model) {
    const tr_skeleton *skeleton = motion->skeleton;
    const tr_foot *foot = &limb->foot;
    uint32_t heels = TR_CONTACT_LEFT_HEEL | TR_CONTACT_RIGHT_HEEL, lost = 0;
    tr_vec3 ball = tr_foot_ball(foot, model), heel = tr_foot_heel(foot, model);
    tr_quat toes = foot->toes != TR_NONE ? tr_affine_rotation(&model[foot->toes]) : tr_quat_identity();
    bool stands = labels & limb->contacts;
    for (uint32_t i = 0; i < EASINGS; i++) {
        tr_quat turn = tr_pose_rotation(pose, foot->ankle);
        if (!(tr_skeleton_limit_excess(skeleton, foot->ankle, turn) > 0))
            break;
        tr_pose_set_rotation(pose, foot->ankle, tr_skeleton_limit_clamp(skeleton, foot->ankle, turn));
        tr_pose_update_model(skeleton, pose, place, foot->ankle, model);
        tr_vec3 ball_off = tr_vec3_subtract(ball, tr_foot_ball(foot, model)),
                heel_off = tr_vec3_subtract(heel, tr_foot_heel(foot, model));
        bool on_ball = ball_off.y > heel_off.y;
        lost = on_ball ? heels : ~heels;
        if (!stands)
            break;
        tr_quat world = tr_quat_normalize(tr_affine_rotation(&model[foot->ankle]));
        tr_vec3 ankle = tr_vec3_add(tr_affine_position(&model[foot->ankle]), on_ball ? ball_off : heel_off);
        tr_limb_goal goal = {.position = ankle, .rotation = &world, .weight = 1};
        tr_limb_reach(&limb->limb, skeleton, &goal, pose, place, model);
    }
    if (lost && foot->toes != TR_NONE)
        keep_toes(skeleton, foot->toes, toes, pose, place, model);
    return lost & limb->contacts;
}

// Returns what touches the ground.
static uint32_t hold_limbs(const tr_behavior_motion *motion, double time, tr_pose *pose,
                           const tr_affine *place, tr_affine *model) {
    motion_hold holds[MOTION_LIMBS];
    bool held[MOTION_LIMBS];
    tr_quat rotations[MOTION_LIMBS];
    float drop = tr_motion_curve(motion->drop, motion->frame_count, time * motion->rate);
    bool drops = drop > MOTION_SMALL;
    for (uint32_t i = 0; i < motion->limb_count; i++) {
        motion_track track;
        tr_motion_track_limb(&motion->limbs[i], model, &track);
        holds[i] = (motion_hold){track.end, tr_quat_identity()};
        held[i] = tr_motion_hold_at(motion, i, time, &track, &holds[i]) || drops;
        if (held[i] && motion->limbs[i].bends)
            rotations[i] = tr_quat_multiply(holds[i].turn, tr_affine_rotation(&model[motion->limbs[i].end]));
    }
    if (drops)
        lower(motion, drop, pose, place, model);
    uint32_t labels = tr_motion_labels(motion, time);
    for (uint32_t i = 0; i < motion->limb_count; i++) {
        const motion_limb *limb = &motion->limbs[i];
        if (!held[i])
            continue;
        if (!limb->bends) {
            if (labels & limb->contacts) // a knee in the air follows its foot
                aim(motion, limb, &holds[i], pose, place, model);
            continue;
        }
        tr_limb_goal goal = {.position = holds[i].end, .rotation = &rotations[i], .weight = 1};
        tr_limb_reach(&limb->limb, motion->skeleton, &goal, pose, place, model);
        if (limb->is_foot)
            labels &= ~ease_ankle(motion, limb, labels, pose, place, model);
    }
    return labels;
}

// Where a clip climbs, the root rises with the body: the body stays where it is.
static void climb(const tr_behavior_motion *motion, float by, tr_pose *pose, tr_affine *place) {
    const uint32_t *parents = tr_skeleton_parents(motion->skeleton);
    if (by == 0)
        return;
    place->m[1][3] += by;
    for (uint32_t i = 0; i < motion->joint_count; i++)
        if (parents[i] == TR_NONE) {
            tr_transform root = tr_pose_get(pose, i);
            root.position.y -= by;
            tr_pose_set(pose, i, root);
        }
}

uint32_t tr_behavior_motion_sample(const tr_behavior_motion *motion, double time, tr_pose *pose,
                                   tr_pose *scratch, tr_affine *place, tr_affine *model) {
    if (motion->step_count == 0 || pose->joint_count != motion->joint_count ||
        scratch->joint_count != motion->joint_count)
        return 0;
    time = time > 0 ? time < motion->duration ? time : motion->duration : 0;
    tr_motion_raw(motion, time, pose, scratch, place);
    tr_pose_to_model(motion->skeleton, pose, place, model);
    uint32_t labels = motion->style == TR_BEHAVIOR_MOTION_DEFAULT
                          ? hold_limbs(motion, time, pose, place, model)
                          : tr_motion_labels(motion, time);
    climb(motion, tr_motion_climbed(motion, time), pose, place);
    return labels;
}
