// A step of the chain: one clip, or two in phase.
#include "behavior_motion_data.h"
#include "troupe/motion/blend.h"

#include <string.h>

#define HOLDS 1e-9 // a label counts from its frame on, whatever the rounding of times [s]

static const tr_behavior_motion_clip *clip_of(const tr_behavior_motion *motion, const motion_step *step,
                                              uint32_t which) {
    return &motion->clips[step->is.clips[which]];
}

static bool is_mix(const motion_step *step) {
    return step->is.share > 0 && step->is.clips[0] != step->is.clips[1];
}

// Time in the clip [s] at a share of its length: beyond 0 and 1 in its extra frames.
static double clip_time(const tr_behavior_motion_clip *clip, double share) {
    double rate = tr_clip_rate(clip->clip);
    return clip->first / rate + share * ((clip->last - clip->first) / rate);
}

static double length_of(const tr_behavior_motion_clip *clip) {
    return (clip->last - clip->first) / tr_clip_rate(clip->clip);
}

// The share of the length of clip `which` that is played after this share of the step.
static double phase_in(const motion_step *step, uint32_t which, double share) {
    double from[2] = {0, 0}; // of the step and of the clip
    if (share < 0 || step->knot_count == 0)
        return share;
    for (uint32_t i = 0; i <= step->knot_count; i++) {
        bool last = i == step->knot_count;
        double a = last ? 1 : (double)step->knots[0][i], b = last ? 1 : (double)step->knots[1][i];
        double at = a + (double)step->is.share * (b - a), to = which ? b : a;
        if (share < at)
            return from[1] + (to - from[1]) * (share - from[0]) / (at - from[0]);
        from[0] = at;
        from[1] = to;
    }
    return share;
}

static double share_of(const motion_step *step, double since) {
    return since / step->seconds;
}

static double time_in(const tr_behavior_motion *motion, const motion_step *step, uint32_t which,
                      double since) {
    return clip_time(clip_of(motion, step, which), phase_in(step, which, share_of(step, since)));
}

// Is there another event between the ends of the clip, from `event` on?
static bool next_event(const tr_behavior_motion_clip *clip, uint32_t *event, float *share,
                       const char **name) {
    double begin = clip_time(clip, 0), length = length_of(clip);
    for (; *event < tr_clip_event_count(clip->clip); ++*event) {
        tr_clip_event is = tr_clip_get_event(clip->clip, *event);
        double at = (is.time - begin) / length;
        if (at > 1e-6 && at < 1 - 1e-6) {
            *share = (float)at;
            *name = is.name;
            ++*event;
            return true;
        }
    }
    return false;
}

void tr_motion_step_knots(const tr_behavior_motion *motion, motion_step *step) {
    step->knot_count = 0;
    if (!is_mix(step))
        return;
    uint32_t events[2] = {0, 0}, count = 0;
    float before[2] = {0, 0};
    for (;;) {
        float share[2] = {0, 0};
        const char *names[2] = {NULL, NULL};
        bool more = next_event(clip_of(motion, step, 0), &events[0], &share[0], &names[0]);
        bool other = next_event(clip_of(motion, step, 1), &events[1], &share[1], &names[1]);
        if (!more && !other)
            break;
        if (more != other || strcmp(names[0], names[1]) != 0)
            return; // another sequence: in phase by time alone
        if (!(share[0] > before[0] + 1e-3f && share[1] > before[1] + 1e-3f) || count == MOTION_KNOTS)
            continue;
        for (int i = 0; i < 2; i++)
            before[i] = step->knots[i][count] = share[i];
        count++;
    }
    step->knot_count = count;
}

void tr_motion_step_pose(const tr_behavior_motion *motion, const motion_step *step, double since,
                         tr_pose *pose, tr_pose *scratch) {
    tr_clip_sample(clip_of(motion, step, 0)->clip, time_in(motion, step, 0, since), pose);
    if (!is_mix(step))
        return;
    tr_clip_sample(clip_of(motion, step, 1)->clip, time_in(motion, step, 1, since), scratch);
    tr_blend_two(pose, scratch, step->is.share, pose);
}

static tr_base moved_in(const tr_behavior_motion *motion, const motion_step *step, uint32_t which,
                        double since) {
    const tr_behavior_motion_clip *clip = clip_of(motion, step, which);
    return tr_base_difference(tr_clip_frame_base(clip->clip, clip->first),
                              tr_clip_base(clip->clip, time_in(motion, step, which, since)));
}

tr_base tr_motion_step_base(const tr_behavior_motion *motion, const motion_step *step, double since) {
    tr_base by = moved_in(motion, step, 0, since);
    if (is_mix(step)) {
        tr_base other = moved_in(motion, step, 1, since);
        float share = step->is.share;
        by.x += share * (other.x - by.x);
        by.z += share * (other.z - by.z);
        by.heading += share * (other.heading - by.heading);
    }
    tr_base base = tr_base_move(step->is.begin, by);
    float gone = (float)tr_ease(share_of(step, since));
    base.x += gone * step->residual.x;
    base.z += gone * step->residual.z;
    base.heading += gone * step->residual.heading;
    return base;
}

// Of a mix, what touches the ground in both clips: only then the mix of them is there as well.
uint32_t tr_motion_step_contacts(const tr_behavior_motion *motion, const motion_step *step, double since) {
    uint32_t labels = UINT32_MAX;
    for (uint32_t which = 0; which <= (uint32_t)is_mix(step); which++)
        labels &=
            tr_clip_contacts(clip_of(motion, step, which)->clip, time_in(motion, step, which, since) + HOLDS);
    return labels;
}

double tr_motion_step_extra(const tr_behavior_motion *motion, const motion_step *step, bool after) {
    double least = 1e9;
    for (uint32_t which = 0; which <= (uint32_t)is_mix(step); which++) {
        const tr_behavior_motion_clip *clip = clip_of(motion, step, which);
        uint32_t frames = after ? tr_clip_frame_count(clip->clip) - 1 - clip->last : clip->first;
        double seconds = frames * step->seconds / (clip->last - clip->first);
        least = seconds < least ? seconds : least;
    }
    return least;
}

uint32_t tr_motion_step_number(const tr_behavior_motion *motion, double time, double *since) {
    uint32_t low = 0, high = motion->step_count; // the step begins at or before the time
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (motion->steps[middle].begin <= time)
            low = middle;
        else
            high = middle;
    }
    *since = time - motion->steps[low].begin;
    return low;
}
