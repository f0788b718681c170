// The edge of a moving body over a straight way, and where an obstacle fits beside it.
#include "behavior_parts.h"

#include <string.h>

#define SAMPLES_LEAST 40
#define SAMPLE 0.05 // [s], at most, for a body of 1.75 m
#define PLACES 80
#define MARGIN 0.045 // between body and obstacle [m]
#define ABOUT 0.008  // [m]
#define FAR 10.0
#define POINTS_MAX 24

// Points of the body with the thickness of the flesh around them, as seen from the side.
typedef struct edge_points {
    uint32_t count;
    double at[POINTS_MAX][2]; // along the way, height
} edge_points;

static void add_point(const tr_behavior_plan *plan, const tr_gait_state *state, tr_vec3 at, double thick,
                      edge_points *points) {
    double *point = points->at[points->count++];
    point[0] = state->base_z + (double)at.z;
    point[1] = (double)at.y - plan->rig->ground + thick * plan->rig->scale;
}

static void low_points(const tr_behavior_plan *plan, const tr_gait_state *state, edge_points *points) {
    const tr_gait_rig *rig = plan->rig;
    for (uint32_t side = 0; side < 2; side++) {
        const tr_foot *foot = &rig->feet[side];
        add_point(plan, state, tr_foot_heel(foot, rig->model), -0.02, points);
        add_point(plan, state, tr_foot_ball(foot, rig->model), -0.015, points);
        add_point(plan, state, tr_foot_tip(foot, rig->model), -0.02, points);
        add_point(plan, state, tr_affine_position(&rig->model[foot->ankle]), -0.055, points);
        add_point(plan, state, tr_affine_position(&rig->model[foot->shank]), -0.075, points);
        add_point(plan, state, tr_affine_position(&rig->model[foot->thigh]), -0.11, points);
    }
}

// The top of the head, above the joint at which it nods.
static tr_vec3 head_top(const tr_gait_rig *rig, const tr_gait_state *state, double share) {
    const tr_affine *rest = tr_skeleton_rest_model(rig->skeleton);
    double height = 0;
    for (uint32_t i = 0; i < rig->joint_count; i++) {
        double above = (double)(tr_affine_position(&rest[i]).y - tr_affine_position(&rest[rig->head]).y);
        height = tr_skeleton_hangs_on(rig->skeleton, i, rig->head) && above > height ? above : height;
    }
    double least = 0.2 * rig->scale;
    height = height > least ? height : least; // a skeleton without an end of the head
    tr_quat nod = tr_quat_about(tr_vec3_make(1, 0, 0), state->head_nod);
    tr_vec3 up = tr_quat_rotate(nod, tr_vec3_make(0, (float)(share * height), 0));
    return tr_vec3_add(tr_affine_position(&rig->model[rig->head]), up);
}

static void high_points(const tr_behavior_plan *plan, const tr_gait_state *state, edge_points *points) {
    const tr_gait_rig *rig = plan->rig;
    add_point(plan, state, head_top(rig, state, 0.55), 0.115, points);
    add_point(plan, state, head_top(rig, state, 0.3), 0.10, points);
    add_point(plan, state, tr_affine_position(&rig->model[rig->head]), 0.08, points);
    add_point(plan, state, tr_affine_position(&rig->model[rig->hips]), 0.15, points);
    for (uint32_t i = 0; i < rig->trunk_count; i++)
        add_point(plan, state, tr_affine_position(&rig->model[rig->trunk[i]]), 0.125, points);
    for (uint32_t side = 0; side < 2; side++) {
        add_point(plan, state, tr_affine_position(&rig->model[rig->arms[side]]), 0.08, points);
        add_point(plan, state, tr_affine_position(&rig->model[rig->forearms[side]]), 0.055, points);
        add_point(plan, state, tr_affine_position(&rig->model[rig->hands[side]]), 0.06, points);
        add_point(plan, state, tr_affine_position(&rig->model[rig->feet[side].shank]), 0.08, points);
    }
}

static void take_point(tr_behavior_profile *profile, double z, double y) {
    double at = (z - profile->from) / profile->width;
    if (!(at >= 0 && at < TR_BEHAVIOR_PIECES))
        return;
    double *height = &profile->height[(int)at];
    bool further = profile->edge == TR_BEHAVIOR_OVER ? y < *height : y > *height;
    *height = further ? y : *height;
}

// Points move straight between samples.
static void take_points(tr_behavior_profile *profile, const edge_points *before, const edge_points *now) {
    for (uint32_t k = 0; k < now->count; k++) {
        const double *a = before->at[k], *b = now->at[k];
        int steps = (int)(fabs(b[0] - a[0]) / profile->width) + 1;
        for (int step = 0; step <= steps; step++) {
            double share = (double)step / steps;
            take_point(profile, a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share);
        }
    }
}

void tr_behavior_profile_make(const tr_behavior_plan *plan, tr_behavior_edge edge, double begin, double end,
                              tr_behavior_profile *profile) {
    double first = tr_behavior_base(plan, begin).z, last = tr_behavior_base(plan, end).z;
    double beside = 0.7 * plan->rig->scale;
    profile->edge = edge;
    profile->from = first - beside;
    profile->width = (last - first + 2 * beside) / TR_BEHAVIOR_PIECES;
    for (int i = 0; i < TR_BEHAVIOR_PIECES; i++)
        profile->height[i] = edge == TR_BEHAVIOR_OVER ? FAR : 0;
    edge_points points[2];
    int samples = (int)((end - begin) / (SAMPLE * sqrt(plan->rig->scale)));
    samples = samples > SAMPLES_LEAST ? samples : SAMPLES_LEAST;
    for (int i = 0; i <= samples; i++) {
        tr_gait_state state;
        edge_points *now = &points[i & 1];
        double time = begin + (end - begin) * i / samples;
        tr_behavior_pose_at(plan, time, &state);
        tr_behavior_finish(plan, time, &state);
        now->count = 0;
        if (edge == TR_BEHAVIOR_OVER)
            low_points(plan, &state, now);
        else
            high_points(plan, &state, now);
        if (i > 0)
            take_points(profile, &points[1 - (i & 1)], now);
    }
}

static double room_between(const tr_behavior_plan *plan, const tr_behavior_profile *profile, double from,
                           double to) {
    double room = FAR;
    for (int i = 0; i < TR_BEHAVIOR_PIECES; i++) {
        double begin = profile->from + i * profile->width;
        if (!(begin + profile->width > from && begin < to))
            continue;
        double here = profile->edge == TR_BEHAVIOR_OVER ? profile->height[i] - plan->height
                                                        : plan->height - profile->height[i];
        room = here < room ? here : room;
    }
    return room;
}

double tr_behavior_profile_place(const tr_behavior_plan *plan, const tr_behavior_profile *profile,
                                 double begin, double end, double *middle) {
    double margin = MARGIN * plan->rig->scale, half = 0.5 * plan->length + margin;
    double rooms[PLACES + 1], best = -FAR, nearest = FAR;
    for (int i = 0; i <= PLACES; i++) {
        double at = begin + (end - begin) * i / PLACES;
        rooms[i] = room_between(plan, profile, at - half, at + half) - margin;
        best = rooms[i] > best ? rooms[i] : best;
    }
    // Of places that are about as good, the one in the middle.
    double chosen = best;
    for (int i = 0; i <= PLACES; i++) {
        double off = fabs(i - 0.5 * PLACES) / PLACES;
        if (rooms[i] >= best - ABOUT * plan->rig->scale && off < nearest) {
            nearest = off;
            chosen = rooms[i];
            *middle = begin + (end - begin) * i / PLACES;
        }
    }
    return chosen;
}

double tr_behavior_time_over(const tr_behavior_plan *plan, double z) {
    double low = 0, high = plan->duration;
    for (int i = 0; i < 50; i++) {
        double half = 0.5 * (low + high);
        *(tr_behavior_base(plan, half).z < z ? &low : &high) = half;
    }
    return 0.5 * (low + high);
}
