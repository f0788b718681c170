// Where the root is: what the steps say, the way to a precise goal, and the ground under it.
#include "behavior_motion_data.h"

#define GOAL_SPEED 0.3      // at most so fast on average is a distance to the goal walked off [m/s]
#define GOAL_TURN_SPEED 0.5 // [rad/s]
#define GOAL_SHORTEST 0.8   // [s]
#define GOAL_LEAST 0.1      // with less time there is no way to the goal [s]
#define AVERAGE 0.2         // half of the window of averages of the ground [s]
#define AVERAGE_PAPER 2     // frames on either side

float tr_motion_curve(const float *values, uint32_t count, double at) {
    at = at < 0 ? 0 : at > count - 1 ? count - 1 : at;
    uint32_t k = (uint32_t)at;
    k = k + 1 < count || k == 0 ? k : k - 1;
    if (count < 2)
        return values[0];
    double t = at - k, a = (double)values[k], b = (double)values[k + 1];
    double before = k > 0 ? (double)values[k - 1] : a, after = k + 2 < count ? (double)values[k + 2] : b;
    double m = 0.5 * (b - before), n = 0.5 * (after - a);
    return (float)(a + t * (m + t * (3 * (b - a) - 2 * m - n + t * (2 * (a - b) + m + n))));
}

// ------------------------------------------------------------------------------------------------ the base

static tr_base mix(tr_base a, tr_base b, double t) {
    float share = (float)t;
    return (tr_base){a.x + share * (b.x - a.x), a.z + share * (b.z - a.z),
                     a.heading + share * (b.heading - a.heading)};
}

// Half of the window around the joint before this step in which the paper blends [s].
static double window_before(const tr_behavior_motion *motion, uint32_t number) {
    if (number == 0 || number >= motion->step_count)
        return 0;
    const motion_step *a = &motion->steps[number - 1], *b = &motion->steps[number];
    double least = motion->blend / motion->rate;
    double limits[4] = {tr_motion_step_extra(motion, a, true), tr_motion_step_extra(motion, b, false),
                        0.5 * a->seconds, 0.5 * b->seconds};
    for (int i = 0; i < 4; i++)
        least = limits[i] < least ? limits[i] : least;
    return least;
}

double tr_motion_window(const tr_behavior_motion *motion, uint32_t number, double since, uint32_t *other,
                        double *other_since) {
    const motion_step *step = &motion->steps[number];
    double before = window_before(motion, number), after = window_before(motion, number + 1);
    if (since < before) {
        *other = number - 1;
        *other_since = motion->steps[number - 1].seconds + since;
        return 0.5 - 0.5 * since / before;
    }
    double left = step->seconds - since;
    if (left < after) {
        *other = number + 1;
        *other_since = -left;
        return 0.5 - 0.5 * left / after;
    }
    return 0;
}

static tr_base base_of_steps(const tr_behavior_motion *motion, double time) {
    double since, other_since;
    uint32_t number = tr_motion_step_number(motion, time, &since), other;
    const motion_step *step = &motion->steps[number];
    since = since < 0 ? 0 : since > step->seconds ? step->seconds : since;
    tr_base base = tr_motion_step_base(motion, step, since);
    if (motion->style == TR_BEHAVIOR_MOTION_PAPER) {
        double share = tr_motion_window(motion, number, since, &other, &other_since);
        if (share > 0)
            base = mix(base, tr_motion_step_base(motion, &motion->steps[other], other_since), share);
    } else if (since < (double)step->decay) {
        double place, speed;
        tr_motion_fade(since / (double)step->decay, &place, &speed);
        float rate = (float)(speed * (double)step->decay);
        base.x += rate * step->base_rate.x;
        base.z += rate * step->base_rate.z;
        base.heading += rate * step->base_turn_rate;
    }
    return base;
}

float tr_motion_goal_share(const tr_behavior_motion *motion, double time) {
    if (!(motion->goal_end > motion->goal_begin))
        return 0;
    return (float)tr_ease((time - motion->goal_begin) / (motion->goal_end - motion->goal_begin));
}

tr_base tr_motion_base(const tr_behavior_motion *motion, double time) {
    tr_base base = base_of_steps(motion, time);
    float gone = tr_motion_goal_share(motion, time);
    base.x += gone * motion->goal_off.x;
    base.z += gone * motion->goal_off.z;
    base.heading += gone * motion->goal_off.heading;
    return base;
}

// ------------------------------------------------------------------------------------------------ the goal

static double wrapped(double angle) {
    double turns = angle / (2 * TR_PI);
    long whole = (long)(turns + (turns >= 0 ? 0.5 : -0.5));
    return angle - (double)whole * (2 * TR_PI);
}

// Do all feet stand? Of a body without feet: all limbs.
static bool all_stand(const tr_behavior_motion *motion, uint32_t labels) {
    uint32_t feet = 0, standing = 0, limbs = 0;
    for (uint32_t i = 0; i < motion->limb_count; i++) {
        bool stands = labels & motion->limbs[i].contacts;
        feet += motion->limbs[i].is_foot;
        standing += motion->limbs[i].is_foot && stands;
        limbs += stands;
    }
    return feet ? standing == feet : limbs == motion->limb_count;
}

// When the last foot comes down.
static double last_landing(const tr_behavior_motion *motion) {
    for (uint32_t k = motion->frame_count; k-- > 0;)
        if (!all_stand(motion, tr_motion_labels(motion, k / motion->rate)))
            return (k + 1) / motion->rate;
    return motion->duration;
}

void tr_motion_set_goal(tr_behavior_motion *motion, const tr_base *goal) {
    motion->goal_off = (tr_base){0};
    motion->goal_begin = motion->goal_end = 0;
    if (!goal || motion->style == TR_BEHAVIOR_MOTION_PAPER)
        return;
    tr_base end = base_of_steps(motion, motion->duration);
    double x = (double)goal->x - (double)end.x, z = (double)goal->z - (double)end.z;
    double turn = wrapped((double)goal->heading - (double)end.heading);
    double needs = sqrt(x * x + z * z) / GOAL_SPEED, turns = fabs(turn) / GOAL_TURN_SPEED, from = 0;
    needs = turns > needs ? turns : needs;
    needs = needs > GOAL_SHORTEST ? needs : GOAL_SHORTEST;
    for (uint32_t i = 0; i < motion->step_count; i++) // not while it jumps or crawls
        if (motion->steps[i].is.special)
            from = motion->steps[i].begin + motion->steps[i].seconds;
    double to = last_landing(motion);
    from = to - needs > from ? to - needs : from;
    if (to - from < GOAL_LEAST)
        return;
    motion->goal_begin = from;
    motion->goal_end = to;
    motion->goal_off = (tr_base){(float)x, (float)z, (float)turn};
}

// ---------------------------------------------------------------------------------------------- the ground

static float floor_at(const tr_behavior_motion *motion, tr_base base) {
    return motion->floor ? motion->floor(motion->floor_user, (tr_vec2){base.x, base.z}) : 0;
}

// The heights of every frame without the rises of steps.
static void measure_floor(tr_behavior_motion *motion) {
    for (uint32_t k = 0; k < motion->frame_count; k++) {
        double time = k / motion->rate, since;
        uint32_t number = tr_motion_step_number(motion, time, &since);
        const motion_step *step = &motion->steps[number];
        double end = step->begin + step->seconds;
        if (!step->is.special) {
            motion->ground[k] = floor_at(motion, tr_motion_base(motion, time)) - step->risen;
            continue;
        }
        float low = floor_at(motion, tr_motion_base(motion, step->begin)) - step->risen;
        float high = floor_at(motion, tr_motion_base(motion, end)) - step->risen - step->is.rise;
        double share = since / step->seconds;
        motion->ground[k] = low + (float)(share < 1 ? share : 1) * (high - low);
    }
}

// Windows end at the ends, so that a body begins and ends on the floor.
static void average(const float *from, float *to, uint32_t count, uint32_t window) {
    for (uint32_t k = 0; k < count; k++) {
        uint32_t half = window < k ? window : k;
        half = half < count - 1 - k ? half : count - 1 - k;
        double sum = 0;
        for (uint32_t i = k - half; i <= k + half; i++)
            sum += (double)from[i];
        to[k] = (float)(sum / (2 * half + 1));
    }
}

void tr_motion_set_ground(tr_behavior_motion *motion) {
    bool paper = motion->style == TR_BEHAVIOR_MOTION_PAPER;
    uint32_t count = motion->frame_count, window = paper ? AVERAGE_PAPER : (uint32_t)(AVERAGE * motion->rate);
    measure_floor(motion);
    average(motion->ground, motion->drop, count, window);
    if (!paper)
        average(motion->drop, motion->ground, count, window);
    for (uint32_t k = 0; k < count; k++) {
        motion->ground[k] = paper ? motion->drop[k] : motion->ground[k];
        motion->drop[k] = 0;
    }
}

float tr_motion_ground(const tr_behavior_motion *motion, double time) {
    double since;
    uint32_t number = tr_motion_step_number(motion, time, &since);
    return tr_motion_curve(motion->ground, motion->frame_count, time * motion->rate) +
           motion->steps[number].risen;
}

float tr_motion_climbed(const tr_behavior_motion *motion, double time) {
    double since;
    const motion_step *step = &motion->steps[tr_motion_step_number(motion, time, &since)];
    return step->is.rise == 0 ? 0 : step->is.rise * (float)tr_ease(since / step->seconds);
}

#define RATE_OF_CHANGE 1e-3 // interval in which the velocity of the root is measured [s]

tr_behavior_motion_root tr_behavior_motion_root_at(const tr_behavior_motion *motion, double time) {
    tr_behavior_motion_root root = {0};
    if (motion->step_count == 0 || !(fabs(time) < 1e9))
        return root;
    root.base = tr_motion_base(motion, time);
    root.ground = tr_motion_ground(motion, time) + tr_motion_climbed(motion, time);
    double from = time - RATE_OF_CHANGE, to = time + RATE_OF_CHANGE;
    tr_base a = tr_motion_base(motion, from), b = tr_motion_base(motion, to);
    float over = (float)(0.5 / RATE_OF_CHANGE);
    root.velocity = (tr_vec2){(b.x - a.x) * over, (b.z - a.z) * over};
    root.turn_rate = (b.heading - a.heading) * over;
    return root;
}
