// Footsteps along a path by the sliding window, over the triangles of the scene.
#include "route_surface.h"
#include "troupe/plan/footstep_window.h"

#include <math.h>

#define BEHIND 1.0  // of the profile behind the standing foot [m]
#define BEYOND 0.25 // and beyond the end of the path [m]
#define POINTS (TR_PROFILE_POINTS_MAX - 2)
#define CURVE 12 // points of a swing that is drawn

typedef struct window_walk {
    const surface_answer *answer;
    const surface_window_see *see;
    tr_solid *solid;
    tr_profile *profile;
    tr_footstep_window *window;
    tr_stride_body body;
    tr_footstep_window_params params;
    tr_vec2 points[TR_PROFILE_POINTS_MAX];
    uint32_t point_count;
    double begin; // of the profile's path, along the whole path [m]
} window_walk;

// The part of the path from `begin` on, over `length`; both ends of the path are extended straight on.
static void take_path(window_walk *walk, double begin, double length) {
    const surface_answer *answer = walk->answer;
    double at = 0;
    walk->point_count = 0;
    walk->begin = begin;
    for (uint32_t i = 1; i < answer->point_count; i++) {
        tr_vec2 a = tr_vec3_from_above(answer->points[i - 1].position);
        tr_vec2 b = tr_vec3_from_above(answer->points[i].position), way = tr_vec2_subtract(b, a);
        double size = (double)tr_vec2_length(way);
        if (!(size > 1e-4))
            continue;
        bool first = walk->point_count == 0, last = i + 1 == answer->point_count;
        double from = fmax(begin - at, at == 0 ? -INFINITY : 0), to = last ? begin + length - at : size;
        to = fmin(to, begin + length - at);
        if (to > from && walk->point_count < POINTS) {
            if (first)
                walk->points[walk->point_count++] = tr_vec2_add(a, tr_vec2_scale(way, (float)(from / size)));
            walk->points[walk->point_count++] = tr_vec2_add(a, tr_vec2_scale(way, (float)(to / size)));
        }
        at += size;
    }
}

static void see_stride(void *user, const tr_stride *stride, tr_stride_reason reason) {
    const window_walk *walk = user;
    tr_vec3 points[CURVE];
    float heading;
    tr_vec2 place = tr_profile_place(walk->profile, stride->to.along, stride->to.aside, &heading);
    for (int i = 0; i < CURVE; i++)
        points[i] = tr_vec3_make(place.x, stride->to.height, place.z);
    for (int i = 0; i < CURVE && reason == TR_STRIDE_FINE; i++) {
        tr_stride_pose pose;
        float share = stride->both + (1 - stride->both) * (float)i / (CURVE - 1);
        tr_stride_pose_at(&walk->body, stride, share, &pose);
        tr_vec3 ankle = pose.ankles[stride->side];
        place = tr_profile_place(walk->profile, ankle.z, ankle.x, &heading);
        points[i] = tr_vec3_make(place.x, ankle.y, place.z);
    }
    walk->see->swing(walk->see->user, points, CURVE, reason == TR_STRIDE_FINE, false);
}

// One window. `feet` are measured along the profile's path, which begins behind the standing foot.
static tr_status step(window_walk *walk, tr_stride_foot feet[2], tr_stride_stand *start, uint32_t number,
                      tr_footstep_window_plan *plan) {
    uint32_t side = number % 2;
    double stands = walk->begin + (double)feet[1 - side].along, begin = stands - BEHIND;
    double room = BEHIND + (double)((float)walk->params.steps * walk->params.length_most) + 0.5;
    double left = walk->answer->length + BEYOND - begin;
    float shift = (float)(begin - walk->begin);
    feet[0].along -= shift, feet[1].along -= shift, start->along -= shift;
    take_path(walk, begin, fmin(room, left));
    if (walk->point_count < 2)
        return TR_NOT_FOUND;
    tr_profile_query cut = {walk->solid,
                            walk->points,
                            walk->point_count,
                            feet[1 - side].height,
                            0.26f * walk->body.thigh / 0.245f,
                            walk->params.length_most};
    tr_status status = tr_profile_cut(walk->profile, &cut, NULL);
    if (status != TR_OK)
        return status;
    tr_footstep_window_query query = {.profile = walk->profile,
                                      .body = &walk->body,
                                      .params = &walk->params,
                                      .height = walk->body.thigh / 0.245f,
                                      .facing = 1,
                                      .side = side,
                                      .feet = {feet[0], feet[1]},
                                      .start = number ? start : NULL,
                                      .see = walk->see ? see_stride : NULL,
                                      .user = walk};
    return tr_footstep_window_find(walk->window, &query, plan, NULL);
}

static tr_status walk_path(window_walk *walk, tr_footstep *footsteps, uint32_t most, uint32_t *count) {
    float height = walk->answer->points[0].position.y, apart = walk->body.apart;
    tr_stride_foot feet[2] = {{.aside = 0.5f * apart, .height = height},
                              {.aside = -0.5f * apart, .height = height}};
    tr_stride_stand start = {0};
    tr_status status = TR_OK;
    for (uint32_t number = 0; number < most; number++) {
        tr_footstep_window_plan plan;
        status = step(walk, feet, &start, number, &plan);
        if (status != TR_OK && status != TR_PARTIAL)
            break;
        const tr_stride *stride = &plan.strides[0];
        if (walk->see) {
            tr_vec3 curve[CURVE];
            for (int i = 0; i < CURVE; i++) {
                tr_stride_pose pose;
                float share = stride->both + (1 - stride->both) * (float)i / (CURVE - 1), heading;
                tr_stride_pose_at(&walk->body, stride, share, &pose);
                tr_vec3 ankle = pose.ankles[stride->side];
                tr_vec2 place = tr_profile_place(walk->profile, ankle.z, ankle.x, &heading);
                curve[i] = tr_vec3_make(place.x, ankle.y, place.z);
            }
            walk->see->swing(walk->see->user, curve, CURVE, true, true);
        }
        footsteps[(*count)++] = plan.footsteps[0];
        tr_footstep_window_take(stride, feet);
        start = stride->end;
    }
    // The goal is reached where the next step would lead beyond it.
    double gone = walk->begin + fmax((double)feet[0].along, (double)feet[1].along);
    return walk->answer->length - gone < (double)walk->params.length_usual ? TR_OK : status;
}

tr_status surface_answer_window(const surface_world *world, const surface_answer *answer,
                                const surface_window_see *see, tr_footstep *footsteps, uint32_t most,
                                uint32_t *count) {
    float height = world->person.height;
    window_walk walk = {.answer = answer,
                        .see = see,
                        .body = tr_stride_body_default(height),
                        .params = tr_footstep_window_params_default(height)};
    tr_solid_def solid = tr_solid_def_default(world->scene.sample.scene);
    tr_profile_def profile = tr_profile_def_default();
    profile.triangles = 1u << 16;
    *count = 0;
    tr_status status = tr_solid_create(&solid, &walk.solid, NULL);
    if (status == TR_OK)
        status = tr_profile_create(&profile, &walk.profile, NULL);
    if (status == TR_OK)
        status = tr_footstep_window_create(NULL, walk.params.steps, walk.params.intervals, profile.columns,
                                           &walk.window, NULL);
    if (status == TR_OK)
        status = walk_path(&walk, footsteps, most, count);
    tr_footstep_window_destroy(walk.window);
    tr_profile_destroy(walk.profile);
    tr_solid_destroy(walk.solid);
    return status;
}
