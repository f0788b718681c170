// The feet of a walker, observed step by step: drift of held points, depth, jumps.
#pragma once
#include "test.h"
#include "troupe/base/scalar.h"
#include "motion/foot/foot_lock.h"

#include <math.h>
#include <string.h>

typedef struct foot_lock_watch {
    double drift;        // of a held point from where it was held, while the leg reached it [m]
    double meant_drift;  // of the same point in the animation
    double depth;        // of heel, ball or tip below the ground
    double excess;       // speed of an ankle beyond that of the animation [m/s]
    double jolt;         // change of an ankle's velocity from one step to the next at a release [m/s]
    double acceleration; // of an ankle in the air [m/s^2]
    double meant_acceleration;
    double knee;       // fastest turn of a knee, held or not [rad/s]
    double meant_knee; // in the animation
    double unreached;  // distance from a held foot to its place
    double away;       // of an ankle from the animation
    double drop;       // of the hips
    double drop_speed;
    double model_off;   // between the model and the pose
    double twist;       // of a held foot's heading [rad]
    double slide;       // of a point that is labelled, while it is, held or not [m]
    double meant_slide; // in the animation
    uint32_t plants, strayed;
} foot_lock_watch;

typedef struct foot_lock_track {
    bool held[2]; // heel, toes: is it the point that the foot turns about
    tr_vec3 point[2], meant_point[2];
    bool labelled[2];
    tr_vec3 label_point[2], label_meant[2];
    tr_vec3 ankle[3], meant[3]; // now, before, before that
    double knee, meant_knee, heading;
    bool was_held, was_held_before;
} foot_lock_track;

static double worst_of(double worst, double value) {
    return value > worst || isnan(value) ? value : worst;
}

static double apart(tr_vec3 a, tr_vec3 b) {
    return tr_vec3_length(tr_vec3_subtract(a, b));
}

static double knee_of(const tr_foot *foot, const tr_affine *model) {
    tr_vec3 hip = tr_affine_position(&model[foot->thigh]), knee = tr_affine_position(&model[foot->shank]);
    tr_vec3 a = tr_vec3_subtract(knee, hip);
    tr_vec3 b = tr_vec3_subtract(tr_affine_position(&model[foot->ankle]), knee);
    return atan2(tr_vec3_length(tr_vec3_cross(a, b)), tr_vec3_dot(a, b));
}

static void push(tr_vec3 track[3], tr_vec3 now) {
    track[2] = track[1], track[1] = track[0], track[0] = now;
}

static tr_vec3 second_difference(const tr_vec3 track[3]) {
    return tr_vec3_add(tr_vec3_subtract(track[0], tr_vec3_scale(track[1], 2)), track[2]);
}

static void foot_points(const tr_foot *foot, const tr_affine *model, tr_vec3 points[3]) {
    points[0] = tr_foot_heel(foot, model);
    points[1] = foot->toes == TR_NONE ? tr_foot_tip(foot, model) : tr_foot_ball(foot, model);
    points[2] = tr_foot_tip(foot, model);
}

// Before the step: the animation.
static void watch_meant(foot_lock_watch *watch, foot_lock_track *track, const tr_foot *foot,
                        const tr_affine *model, double rate, int step) {
    tr_vec3 points[3];
    foot_points(foot, model, points);
    for (int i = 0; i < 2; i++) {
        if (!track->held[i])
            track->meant_point[i] = points[i];
        else
            watch->meant_drift = worst_of(watch->meant_drift, hypot(points[i].x - track->meant_point[i].x,
                                                                    points[i].z - track->meant_point[i].z));
    }
    push(track->meant, tr_affine_position(&model[foot->ankle]));
    double knee = knee_of(foot, model);
    if (step > 0)
        watch->meant_knee = worst_of(watch->meant_knee, fabs(knee - track->meant_knee) * rate);
    if (step > 1)
        watch->meant_acceleration = worst_of(watch->meant_acceleration,
                                             tr_vec3_length(second_difference(track->meant)) * rate * rate);
    track->meant_knee = knee;
}

static void watch_held(foot_lock_watch *watch, foot_lock_track *track, const tr_foot_lock_foot *state,
                       const tr_vec3 points[3]) {
    double unreached = apart(track->ankle[0], state->past[0].shown);
    for (int i = 0; i < 2; i++) {
        bool held = (i ? state->held_toes : state->held_heel) && state->on_toes == (i == 1);
        if (held && track->held[i]) {
            watch->unreached = worst_of(watch->unreached, unreached);
            if (unreached < 1e-5)
                watch->drift = worst_of(
                    watch->drift, hypot(points[i].x - track->point[i].x, points[i].z - track->point[i].z));
        } else {
            track->point[i] = points[i];
        }
        watch->plants += held && !track->held[i];
        track->held[i] = held;
    }
}

static void watch_motion(foot_lock_watch *watch, foot_lock_track *track, bool held, double rate, int step) {
    if (step > 1) {
        double speed = apart(track->ankle[0], track->ankle[1]) * rate;
        watch->excess = worst_of(watch->excess, speed - apart(track->meant[0], track->meant[1]) * rate);
        double change = tr_vec3_length(second_difference(track->ankle)) * rate;
        if ((track->was_held || track->was_held_before) && !held) // the first steps in the air
            watch->jolt = worst_of(watch->jolt, change);
        if (!held && !track->was_held && !track->was_held_before)
            watch->acceleration = worst_of(watch->acceleration, change * rate);
    }
    track->was_held_before = track->was_held;
    track->was_held = held;
}

// After the step: the result.
static void watch_shown(foot_lock_watch *watch, foot_lock_track *track, const tr_foot_lock_foot *state,
                        const tr_foot *foot, const tr_affine *model, double rate, int step) {
    tr_vec3 points[3];
    foot_points(foot, model, points);
    for (int i = 0; i < 3; i++)
        watch->depth = worst_of(watch->depth, -points[i].y);
    push(track->ankle, tr_affine_position(&model[foot->ankle]));
    watch->away = worst_of(watch->away, apart(track->ankle[0], track->meant[0]));
    watch->strayed += state->strayed && (state->held_heel || state->held_toes);
    bool was_held = track->held[0] || track->held[1];
    watch_held(watch, track, state, points);
    bool held = state->held_heel || state->held_toes;
    watch_motion(watch, track, held, rate, step);
    double heading = atan2(points[1].x - points[0].x, points[1].z - points[0].z);
    if (held && was_held && points[1].y - points[0].y < 0.15) {
        double twist = fabs(heading - track->heading);
        watch->twist = worst_of(watch->twist, twist > TR_PI ? 2 * TR_PI - twist : twist);
    }
    track->heading = heading;
    double knee = knee_of(foot, model);
    if (step > 0)
        watch->knee = worst_of(watch->knee, fabs(knee - track->knee) * rate);
    track->knee = knee;
}

static double over_ground(tr_vec3 a, tr_vec3 b) {
    return hypot(a.x - b.x, a.z - b.z);
}

// As an audit does it, which knows labels only: from where a point is when its label begins.
static void watch_labels(foot_lock_watch *watch, foot_lock_track *track, uint32_t contacts,
                         const tr_vec3 meant[3], const tr_vec3 shown[3]) {
    for (int i = 0; i < 2; i++) {
        bool labelled = contacts >> i & 1;
        if (labelled && track->labelled[i]) {
            watch->slide = worst_of(watch->slide, over_ground(shown[i], track->label_point[i]));
            watch->meant_slide = worst_of(watch->meant_slide, over_ground(meant[i], track->label_meant[i]));
        } else {
            track->label_point[i] = shown[i], track->label_meant[i] = meant[i];
        }
        track->labelled[i] = labelled;
    }
}

// A character that is watched from its first step on.
typedef struct foot_lock_view {
    double rate; // steps per second
    int step;
    tr_foot_lock_state state;
    foot_lock_track tracks[2];
    foot_lock_watch watch;
} foot_lock_view;

// One step of the foot lock, with an up-to-date `model`.
static tr_status watch_step(foot_lock_view *view, const tr_foot_lock_params *params, const tr_legs *legs,
                            const tr_skeleton *skeleton, uint32_t contacts, tr_pose *pose,
                            const tr_affine *place, tr_affine *model) {
    foot_lock_watch *watch = &view->watch;
    tr_vec3 meant[2][3], shown[3];
    double drop = view->state.hip_drop;
    for (uint32_t side = 0; side < 2; side++) {
        foot_points(&legs->feet[side], model, meant[side]);
        watch_meant(watch, &view->tracks[side], &legs->feet[side], model, view->rate, view->step);
    }
    tr_status status = tr_foot_lock_step(&view->state, params, legs, skeleton, contacts,
                                         (float)(1 / view->rate), pose, place, model);
    for (uint32_t side = 0; side < 2; side++) {
        watch_shown(watch, &view->tracks[side], &view->state.feet[side], &legs->feet[side], model, view->rate,
                    view->step);
        foot_points(&legs->feet[side], model, shown);
        watch_labels(watch, &view->tracks[side], contacts >> (2 * side), meant[side], shown);
    }
    watch->drop = worst_of(watch->drop, view->state.hip_drop);
    watch->drop_speed = worst_of(watch->drop_speed, fabs(view->state.hip_drop - drop) * view->rate);
    view->step++;
    return status;
}
