// After the joint of two steps the offset of the step before decays, with its rate: position and speed of
// every joint are continuous. Where two clips fit exactly, nothing is changed.
#include "behavior_motion_data.h"

// Clips whose poses are equal at the joint were made to fit: what their rates differ by is no more than the
// error of measuring them from frames.
#define FITS 1e-4f     // [m, rad]
#define FITS_RATE 1.0f // [m/s, rad/s]
#define FITS_BASE 0.1f // the same of the root

void tr_motion_fade(double s, double *place, double *speed) {
    double left = 1 - s, cube = left * left * left;
    *place = cube * (1 + 3 * s + 6 * s * s);
    *speed = cube * (s + 3 * s * s);
}

static tr_vec3 turn_between(tr_quat from, tr_quat to) {
    return tr_quat_to_vector(tr_quat_normalize(tr_quat_multiply(to, tr_quat_conjugate(from))));
}

// The rates of all joints of a step at a moment, of second order: from both sides if the clips go on there,
// otherwise from one. poses[0] gets the pose; poses[1] to [3] are overwritten.
typedef struct slopes {
    tr_pose *pose, *near, *far, *scratch;
    double step; // to the next sample, with its sign [s]
    bool both;   // `near` lies a step back, `far` a step ahead; otherwise one and two steps back
} slopes;

static slopes measure_slopes(tr_behavior_motion *motion, const motion_step *step, double since, bool ends,
                             tr_pose *pose) {
    tr_pose *poses = motion->poses;
    double frame = 1 / motion->rate, extra = tr_motion_step_extra(motion, step, ends);
    slopes s = {pose, &poses[1], &poses[2], &poses[3], frame, extra >= frame * 0.999};
    double back = ends ? -frame : frame; // into the step
    tr_motion_step_pose(motion, step, since, s.pose, s.scratch);
    tr_motion_step_pose(motion, step, s.both ? since - frame : since + back, s.near, s.scratch);
    tr_motion_step_pose(motion, step, s.both ? since + frame : since + 2 * back, s.far, s.scratch);
    s.step = s.both ? frame : back;
    return s;
}

static tr_vec3 move_rate(const slopes *s, uint32_t joint) {
    tr_vec3 here = tr_pose_get(s->pose, joint).position, near = tr_pose_get(s->near, joint).position;
    tr_vec3 far = tr_pose_get(s->far, joint).position;
    float over = (float)(0.5 / s->step);
    if (s->both)
        return tr_vec3_scale(tr_vec3_subtract(far, near), over);
    tr_vec3 one = tr_vec3_subtract(near, here), two = tr_vec3_subtract(far, here);
    return tr_vec3_scale(tr_vec3_subtract(tr_vec3_scale(one, 4), two), over);
}

static tr_vec3 turn_rate(const slopes *s, uint32_t joint) {
    tr_quat here = tr_pose_rotation(s->pose, joint);
    tr_vec3 one = turn_between(here, tr_pose_rotation(s->near, joint));
    tr_vec3 two = turn_between(here, tr_pose_rotation(s->far, joint));
    float over = (float)(0.5 / s->step);
    return s->both ? tr_vec3_scale(tr_vec3_subtract(two, one), over)
                   : tr_vec3_scale(tr_vec3_subtract(tr_vec3_scale(one, 4), two), over);
}

// Rates of the root in the world: x, heading, z.
static tr_vec3 base_rate(const tr_behavior_motion *motion, const motion_step *step, double since, bool ends) {
    double frame = 1 / motion->rate;
    bool both = tr_motion_step_extra(motion, step, ends) >= frame * 0.999;
    double back = ends ? -frame : frame;
    tr_base here = tr_motion_step_base(motion, step, since);
    tr_base near = tr_motion_step_base(motion, step, both ? since - frame : since + back);
    tr_base far = tr_motion_step_base(motion, step, both ? since + frame : since + 2 * back);
    tr_vec3 one = {near.x - here.x, near.heading - here.heading, near.z - here.z};
    tr_vec3 two = {far.x - here.x, far.heading - here.heading, far.z - here.z};
    return both ? tr_vec3_scale(tr_vec3_subtract(two, one), (float)(0.5 / frame))
                : tr_vec3_scale(tr_vec3_subtract(tr_vec3_scale(one, 4), two), (float)(0.5 / back));
}

static void join_roots(tr_behavior_motion *motion, uint32_t number) {
    motion_step *before = &motion->steps[number - 1], *step = &motion->steps[number];
    tr_vec3 old = base_rate(motion, before, before->seconds, true);
    tr_vec3 by = tr_vec3_subtract(old, base_rate(motion, step, 0, false));
    if (step->decay > 0 || tr_vec3_length(by) > FITS_BASE) {
        step->base_rate = (tr_vec2){by.x, by.z};
        step->base_turn_rate = by.y;
        step->decay = 1;
    }
}

static float size_of(const motion_offset *offset, float *rate) {
    float move = tr_vec3_length(offset->move), turn = tr_vec3_length(offset->turn);
    float moves = tr_vec3_length(offset->move_rate), turns = tr_vec3_length(offset->turn_rate);
    *rate = moves > turns ? moves : turns;
    return move > turn ? move : turn;
}

void tr_motion_join(tr_behavior_motion *motion, uint32_t number) {
    motion_step *before = &motion->steps[number - 1], *step = &motion->steps[number];
    motion_offset *offsets = motion->offsets + (size_t)number * motion->joint_count;
    const uint32_t *parents = tr_skeleton_parents(motion->skeleton);
    slopes old = measure_slopes(motion, before, before->seconds, true, &motion->poses[0]);
    for (uint32_t i = 0; i < motion->joint_count; i++) {
        tr_transform joint = tr_pose_get(old.pose, i);
        offsets[i] = (motion_offset){.move = joint.position,
                                     .turn = tr_quat_to_vector(joint.rotation),
                                     .move_rate = move_rate(&old, i),
                                     .turn_rate = turn_rate(&old, i)};
        if (parents[i] == TR_NONE) // the ground of this step is higher
            offsets[i].move.y -= before->is.rise;
    }
    slopes now = measure_slopes(motion, step, 0, false, &motion->poses[0]);
    float worst = 0, worst_rate = 0;
    for (uint32_t i = 0; i < motion->joint_count; i++) {
        tr_transform joint = tr_pose_get(now.pose, i);
        tr_quat was = tr_quat_from_vector(offsets[i].turn);
        offsets[i].move = tr_vec3_subtract(offsets[i].move, joint.position);
        offsets[i].turn = turn_between(joint.rotation, was);
        offsets[i].move_rate = tr_vec3_subtract(offsets[i].move_rate, move_rate(&now, i));
        offsets[i].turn_rate = tr_vec3_subtract(offsets[i].turn_rate, turn_rate(&now, i));
        float rate, size = size_of(&offsets[i], &rate);
        worst = size > worst ? size : worst;
        worst_rate = rate > worst_rate ? rate : worst_rate;
    }
    step->decay = worst > FITS || worst_rate > FITS_RATE;
    join_roots(motion, number);
    if (step->decay > 0)
        step->decay = step->seconds < (double)MOTION_DECAY ? (float)step->seconds : MOTION_DECAY;
}

void tr_motion_join_apply(const tr_behavior_motion *motion, uint32_t number, double since, tr_pose *pose) {
    const motion_step *step = &motion->steps[number];
    if (!(since < (double)step->decay))
        return;
    double place, speed;
    tr_motion_fade(since / (double)step->decay, &place, &speed);
    float at = (float)place, rate = (float)(speed * (double)step->decay);
    const motion_offset *offsets = motion->offsets + (size_t)number * motion->joint_count;
    for (uint32_t i = 0; i < motion->joint_count; i++) {
        tr_vec3 move =
            tr_vec3_add(tr_vec3_scale(offsets[i].move, at), tr_vec3_scale(offsets[i].move_rate, rate));
        tr_vec3 turn =
            tr_vec3_add(tr_vec3_scale(offsets[i].turn, at), tr_vec3_scale(offsets[i].turn_rate, rate));
        pose->position[0][i] += move.x;
        pose->position[1][i] += move.y;
        pose->position[2][i] += move.z;
        tr_quat turned = tr_quat_multiply(tr_quat_from_vector(turn), tr_pose_rotation(pose, i));
        tr_pose_set_rotation(pose, i, tr_quat_normalize(turned));
    }
}
