#include "behavior_motion_data.h"

#include <string.h>

#define RATE_DEFAULT 30.0
#define RATE_MAX 1000.0

// ------------------------------------------------------------------------------------------------ creation

static tr_status check_clip(const tr_behavior_motion_def *def, uint32_t number, tr_error *error) {
    const tr_behavior_motion_clip *is = &def->clips[number];
    uint32_t joints = tr_skeleton_joint_count(def->skeleton);
    if (!is->clip || tr_clip_joint_count(is->clip) != joints)
        return tr_fail(error, TR_INVALID, "clip %u has %u joints, the skeleton has %u", number,
                       is->clip ? tr_clip_joint_count(is->clip) : 0, joints);
    if (!tr_clip_has_base(is->clip))
        return tr_fail(error, TR_INVALID, "clip %u (\"%s\") has no base", number, tr_clip_name(is->clip));
    if (!(is->first < is->last && is->last < tr_clip_frame_count(is->clip)))
        return tr_fail(error, TR_INVALID, "clip %u (\"%s\") goes from frame %u to %u, it has %u frames",
                       number, tr_clip_name(is->clip), is->first, is->last, tr_clip_frame_count(is->clip));
    return TR_OK;
}

static tr_status check_def(const tr_behavior_motion_def *def, tr_error *error) {
    if (!def->skeleton || !def->clips || def->clip_count == 0)
        return tr_fail(error, TR_INVALID, "a motion of behaviors needs a skeleton and clips");
    double rate = def->frames_per_second;
    if (!(rate >= 0 && rate <= RATE_MAX))
        return tr_fail(error, TR_INVALID, "%g frames per second, it must be above 0 and at most %g", rate,
                       RATE_MAX);
    if (def->limb_count > TR_BEHAVIOR_MOTION_LIMBS_MAX)
        return tr_fail(error, TR_INVALID, "%u limbs, the most is %d", def->limb_count,
                       TR_BEHAVIOR_MOTION_LIMBS_MAX);
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < def->clip_count && status == TR_OK; i++)
        status = check_clip(def, i, error);
    return status;
}

static void add_knee(tr_behavior_motion *motion, const tr_foot *foot, uint32_t contact) {
    motion->limbs[motion->limb_count++] =
        (motion_limb){.contacts = contact, .upper = foot->thigh, .end = foot->shank};
}

static void add_foot(tr_behavior_motion *motion, uint32_t side) {
    motion_limb limb = {.is_foot = true, .bends = true};
    const tr_skeleton *skeleton = motion->skeleton;
    if (tr_foot_measure(skeleton, side, &limb.foot) != TR_OK ||
        tr_limb_measure(skeleton, limb.foot.thigh, limb.foot.shank, limb.foot.ankle, &limb.limb, NULL) !=
            TR_OK)
        return;
    limb.contacts =
        side ? TR_CONTACT_RIGHT_HEEL | TR_CONTACT_RIGHT_TOES : TR_CONTACT_LEFT_HEEL | TR_CONTACT_LEFT_TOES;
    limb.upper = limb.foot.thigh;
    limb.end = limb.foot.ankle;
    motion->limbs[motion->limb_count++] = limb;
}

static void add_hand(tr_behavior_motion *motion, uint32_t side) {
    uint32_t joints[3];
    for (uint32_t i = 0; i < 3; i++) {
        int role = (int)TR_ROLE_LEFT_UPPER_ARM + (int)i;
        role += side ? TR_ROLE_RIGHT_UPPER_ARM - TR_ROLE_LEFT_UPPER_ARM : 0;
        joints[i] = tr_skeleton_with_role(motion->skeleton, (tr_role)role);
        if (joints[i] == TR_NONE)
            return;
    }
    motion_limb limb = {.bends = true, .upper = joints[0], .end = joints[2]};
    limb.contacts = side ? TR_CONTACT_RIGHT_HAND : TR_CONTACT_LEFT_HAND;
    if (tr_limb_measure(motion->skeleton, joints[0], joints[1], joints[2], &limb.limb, NULL) == TR_OK)
        motion->limbs[motion->limb_count++] = limb;
}

// Knees before feet: a foot is placed from the knee that is held.
static void add_limbs_by_role(tr_behavior_motion *motion) {
    for (uint32_t side = 0; side < 2; side++) {
        tr_foot foot;
        if (tr_foot_measure(motion->skeleton, side, &foot) == TR_OK)
            add_knee(motion, &foot, side ? TR_CONTACT_RIGHT_KNEE : TR_CONTACT_LEFT_KNEE);
        add_foot(motion, side);
        add_hand(motion, side);
    }
}

static tr_status add_limbs(tr_behavior_motion *motion, const tr_behavior_motion_def *def, tr_error *error) {
    uint32_t joints = motion->joint_count;
    for (uint32_t i = 0; i < def->limb_count; i++) {
        const tr_behavior_motion_limb *is = &def->limbs[i];
        if (is->upper >= joints || is->lower >= joints || is->end >= joints)
            return tr_fail(error, TR_INVALID, "limb %u has a joint that the skeleton does not have", i);
        motion_limb limb = {.contacts = is->contact, .bends = true, .upper = is->upper, .end = is->end};
        tr_status status =
            tr_limb_measure(motion->skeleton, is->upper, is->lower, is->end, &limb.limb, error);
        if (status != TR_OK)
            return status;
        motion->limbs[motion->limb_count++] = limb;
    }
    return TR_OK;
}

// The joint above all legs: the one that they hang on, with no joint above it that is not above all.
static uint32_t find_hips(const tr_behavior_motion *motion) {
    uint32_t hips = tr_skeleton_with_role(motion->skeleton, TR_ROLE_HIPS);
    return hips != TR_NONE ? hips : 0;
}

static tr_status make_room(tr_behavior_motion *made, const tr_behavior_motion_def *def, tr_error *error) {
    made->clips = tr_allocate(&made->allocator, def->clip_count, sizeof *made->clips);
    made->model = tr_allocate(&made->allocator, made->joint_count, sizeof *made->model);
    tr_status status = made->clips && made->model
                           ? TR_OK
                           : tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a motion of behaviors");
    for (int i = 0; i < 4 && status == TR_OK; i++)
        status = tr_pose_create(&made->allocator, made->joint_count, &made->poses[i], error);
    if (status == TR_OK)
        memcpy(made->clips, def->clips, def->clip_count * sizeof *made->clips);
    return status;
}

tr_status tr_behavior_motion_create(const tr_behavior_motion_def *def, tr_behavior_motion **motion,
                                    tr_error *error) {
    *motion = NULL;
    tr_status status = check_def(def, error);
    if (status != TR_OK)
        return status;
    tr_allocator own = tr_allocator_or_default(def->allocator);
    tr_behavior_motion *made = tr_allocate_zero(&own, 1, sizeof *made);
    if (!made)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a motion of behaviors");
    made->allocator = own;
    made->skeleton = def->skeleton;
    made->joint_count = tr_skeleton_joint_count(def->skeleton);
    made->clip_count = def->clip_count;
    made->rate = def->frames_per_second > 0 ? def->frames_per_second : RATE_DEFAULT;
    made->style = def->style;
    made->blend = def->blend ? def->blend : UINT32_MAX;
    status = make_room(made, def, error);
    if (status == TR_OK && def->limbs)
        status = add_limbs(made, def, error);
    else if (status == TR_OK)
        add_limbs_by_role(made);
    made->hips = find_hips(made);
    if (status != TR_OK)
        tr_behavior_motion_destroy(made);
    else
        *motion = made;
    return status;
}

void tr_behavior_motion_destroy(tr_behavior_motion *motion) {
    if (!motion)
        return;
    tr_allocator own = motion->allocator;
    tr_release(&own, motion->clips, motion->clip_count, sizeof *motion->clips);
    tr_release(&own, motion->model, motion->joint_count, sizeof *motion->model);
    for (int i = 0; i < 4; i++)
        tr_pose_destroy(&motion->poses[i]);
    tr_release(&own, motion->steps, motion->step_room, sizeof *motion->steps);
    tr_release(&own, motion->offsets, motion->offset_room, sizeof *motion->offsets);
    tr_release(&own, motion->ground, motion->ground_room, sizeof *motion->ground);
    tr_release(&own, motion->drop, motion->drop_room, sizeof *motion->drop);
    tr_release(&own, motion->tracks, motion->track_room, sizeof *motion->tracks);
    tr_release(&own, motion->plants, motion->plant_room, sizeof *motion->plants);
    tr_release(&own, motion, 1, sizeof *motion);
}

// ------------------------------------------------------------------------------------------------- the chain

static bool reserve(tr_behavior_motion *motion, void **block, uint32_t *room, uint64_t count, size_t size) {
    return tr_reserve(&motion->allocator, block, room, count, size);
}

static bool reserve_all(tr_behavior_motion *motion, uint32_t steps, uint32_t frames) {
    void *blocks[6] = {motion->steps, motion->offsets, motion->ground,
                       motion->drop,  motion->tracks,  motion->plants};
    uint64_t tracks = (uint64_t)frames * motion->limb_count;
    bool room = reserve(motion, &blocks[0], &motion->step_room, steps, sizeof *motion->steps);
    motion->steps = blocks[0];
    room = room && reserve(motion, &blocks[1], &motion->offset_room, (uint64_t)steps * motion->joint_count,
                           sizeof *motion->offsets);
    motion->offsets = blocks[1];
    room = room && reserve(motion, &blocks[2], &motion->ground_room, frames, sizeof *motion->ground);
    motion->ground = blocks[2];
    room = room && reserve(motion, &blocks[3], &motion->drop_room, frames, sizeof *motion->drop);
    motion->drop = blocks[3];
    if (motion->style == TR_BEHAVIOR_MOTION_PAPER)
        return room;
    room = room && reserve(motion, &blocks[4], &motion->track_room, tracks, sizeof *motion->tracks);
    motion->tracks = blocks[4];
    // Few limbs touch the ground for less than eight frames.
    room = room && reserve(motion, &blocks[5], &motion->plant_room, tracks / 8 + 4 * motion->limb_count,
                           sizeof *motion->plants);
    motion->plants = blocks[5];
    return room;
}

tr_status tr_behavior_motion_reserve(tr_behavior_motion *motion, uint32_t steps, uint32_t frames,
                                     tr_error *error) {
    if (steps > TR_BEHAVIOR_MOTION_STEPS_MAX || frames >= TR_BEHAVIOR_MOTION_FRAMES_MAX)
        return tr_fail(error, TR_LIMIT, "%u steps of %u frames, the most is %d of %u", steps, frames,
                       TR_BEHAVIOR_MOTION_STEPS_MAX, TR_BEHAVIOR_MOTION_FRAMES_MAX);
    return reserve_all(motion, steps, frames + 1)
               ? TR_OK
               : tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a motion of %u behaviors", steps);
}

static bool is_finite_base(tr_base base) {
    return isfinite(base.x) && isfinite(base.z) && isfinite(base.heading);
}

static tr_status check_chain(const tr_behavior_motion *motion, const tr_behavior_motion_chain *chain,
                             uint64_t *frames, tr_error *error) {
    if (chain->step_count == 0 || !chain->steps)
        return tr_fail(error, TR_INVALID, "a chain of behaviors needs a step");
    for (uint32_t i = 0; i < chain->step_count; i++) {
        const tr_behavior_motion_step *step = &chain->steps[i];
        uint32_t other = step->share > 0 ? step->clips[1] : 0;
        if (step->clips[0] >= motion->clip_count || other >= motion->clip_count)
            return tr_fail(error, TR_INVALID, "step %u plays clip %u of %u", i,
                           step->clips[0] >= motion->clip_count ? step->clips[0] : other, motion->clip_count);
        if (!(step->share >= 0 && step->share <= 1) || step->frames == 0 || !is_finite_base(step->begin) ||
            !isfinite(step->rise))
            return tr_fail(
                error, TR_INVALID,
                "step %u: share %g must be 0 to 1, %u frames more than 0, and place and rise finite", i,
                (double)step->share, step->frames);
        *frames += step->frames;
    }
    if (!is_finite_base(chain->end) || (chain->goal && !is_finite_base(*chain->goal)))
        return tr_fail(error, TR_INVALID, "the end of a chain of behaviors must be finite");
    if (*frames >= TR_BEHAVIOR_MOTION_FRAMES_MAX)
        return tr_fail(error, TR_LIMIT, "a chain of %llu frames, the most is %u", (unsigned long long)*frames,
                       TR_BEHAVIOR_MOTION_FRAMES_MAX - 1);
    return TR_OK;
}

// Planners wrap headings; a chain does not jump by a whole turn.
static tr_base unwrapped(tr_base base, float near) {
    double turns = ((double)near - (double)base.heading) / (2 * TR_PI);
    double whole = floor(turns + 0.5);
    base.heading = whole == 0 ? base.heading : (float)((double)base.heading + whole * (2 * TR_PI));
    return base;
}

void tr_motion_clear(tr_behavior_motion *motion) {
    motion->step_count = motion->frame_count = 0;
    motion->duration = 0;
    for (uint32_t i = 0; i <= MOTION_LIMBS; i++)
        motion->plant_first[i] = 0;
}

void tr_motion_take_steps(tr_behavior_motion *motion, tr_base end, uint32_t count) {
    uint64_t frame = 0;
    float risen = 0, heading = motion->steps[0].is.begin.heading;
    for (uint32_t i = 0; i < count; i++) {
        motion_step *step = &motion->steps[i];
        tr_behavior_motion_step is = step->is;
        *step = (motion_step){.is = is, .begin = (double)frame / motion->rate, .risen = risen};
        step->is.rise = step->is.special ? step->is.rise : 0;
        step->seconds = step->is.frames / motion->rate;
        frame += step->is.frames;
        risen += step->is.rise;
        tr_motion_step_knots(motion, step);
        step->is.begin = unwrapped(step->is.begin, heading);
        tr_base to = i + 1 < count ? motion->steps[i + 1].is.begin : end;
        tr_base ends = tr_motion_step_base(motion, step, step->seconds);
        to = unwrapped(to, ends.heading);
        heading = to.heading;
        step->residual = (tr_base){to.x - ends.x, to.z - ends.z, to.heading - ends.heading};
    }
    motion->step_count = count;
    motion->frame_count = (uint32_t)frame + 1;
    motion->duration = (double)frame / motion->rate;
    motion->end = unwrapped(end, heading);
    if (motion->style == TR_BEHAVIOR_MOTION_DEFAULT)
        for (uint32_t i = 1; i < count; i++)
            tr_motion_join(motion, i);
}

tr_status tr_behavior_motion_set(tr_behavior_motion *motion, const tr_behavior_motion_chain *chain,
                                 tr_error *error) {
    tr_motion_clear(motion);
    uint64_t frames = 0;
    tr_status status = check_chain(motion, chain, &frames, error);
    if (status == TR_OK)
        status = tr_behavior_motion_reserve(motion, chain->step_count, (uint32_t)frames, error);
    if (status != TR_OK)
        return status;
    motion->floor = chain->floor;
    motion->floor_user = chain->floor_user;
    motion->stands = chain->stands;
    motion->goal_begin = motion->goal_end = 0;
    for (uint32_t i = 0; i < chain->step_count; i++)
        motion->steps[i].is = chain->steps[i];
    tr_motion_take_steps(motion, chain->end, chain->step_count);
    tr_motion_set_goal(motion, chain->goal);
    tr_motion_set_ground(motion);
    if (motion->style == TR_BEHAVIOR_MOTION_DEFAULT && !tr_motion_set_plants(motion)) {
        tr_motion_clear(motion);
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a motion of %u behaviors", chain->step_count);
    }
    motion->floor = NULL;
    motion->stands = NULL;
    return TR_OK;
}

double tr_behavior_motion_duration(const tr_behavior_motion *motion) {
    return motion->duration;
}

uint32_t tr_behavior_motion_step_at(const tr_behavior_motion *motion, double time) {
    double since;
    return motion->step_count == 0 ? TR_NONE : tr_motion_step_number(motion, time, &since);
}
