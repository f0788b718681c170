// A lane to walk along with the footstep window, and a judge who knows the triangles alone.
#pragma once
#include "test.h"
#include "troupe/plan/footstep_window.h"
#include "troupe/world/sample.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define WALK_STEPS_MAX 400
#define WALK_BEHIND 0.9f // of the profile behind the standing foot [m]
#define WALK_ROOM 256    // columns

typedef struct window_world {
    tr_scene *scene;
    tr_solid *solid;
    tr_profile *profile;
    tr_footstep_window *window;
    tr_stride_body body;
    tr_footstep_window_params params;
    float height;
    float goal; // along z
} window_world;

// `rows`: of the profile; 0: the usual ones.
static inline bool open_wide_world(window_world *world, tr_scene *scene, float height, uint32_t rows) {
    memset(world, 0, sizeof *world);
    world->scene = scene;
    world->height = height;
    tr_solid_def solid = tr_solid_def_default(scene);
    tr_profile_def profile = tr_profile_def_default();
    profile.columns = WALK_ROOM;
    profile.rows = rows ? rows : profile.rows;
    world->body = tr_stride_body_default(height);
    world->params = tr_footstep_window_params_default(height);
    return tr_solid_create(&solid, &world->solid, NULL) == TR_OK &&
           tr_profile_create(&profile, &world->profile, NULL) == TR_OK &&
           tr_footstep_window_create(NULL, TR_FOOTSTEP_WINDOW_STEPS_MAX, 13, WALK_ROOM, &world->window,
                                     NULL) == TR_OK;
}

static inline bool open_world(window_world *world, tr_scene *scene, float height) {
    return open_wide_world(world, scene, height, 0);
}

static inline bool open_sample(window_world *world, const char *name, uint64_t seed, float height) {
    tr_sample_def def = {.name = name, .seed = seed};
    tr_sample sample;
    if (tr_sample_make(&def, &sample, NULL) != TR_OK || !open_world(world, sample.scene, height))
        return false;
    world->goal = sample.goal.z;
    return true;
}

static inline void close_world(window_world *world) {
    tr_footstep_window_destroy(world->window);
    tr_profile_destroy(world->profile);
    tr_solid_destroy(world->solid);
    tr_scene_destroy(world->scene);
}

// A walker along +z. Places along the path are those of the world: its path begins at z = base.
typedef struct lane_walker {
    tr_stride_foot feet[2];
    tr_stride_stand start;
    bool walks;
    uint32_t side;
    float base;
    float lengths[TR_FOOTSTEP_WINDOW_STEPS_MAX];
    uint32_t length_count;
} lane_walker;

static inline lane_walker stand_at(const window_world *world, float z, float y) {
    lane_walker walker = {.base = z - WALK_BEHIND};
    for (int i = 0; i < 2; i++)
        walker.feet[i] = (tr_stride_foot){
            .along = WALK_BEHIND, .aside = (i ? -0.5f : 0.5f) * world->body.apart, .height = y};
    return walker;
}

// Cuts the profile around the walker, whose coordinates change with it.
static inline tr_status cut_around(const window_world *world, lane_walker *walker) {
    float shift = walker->feet[1 - walker->side].along - WALK_BEHIND;
    walker->base += shift;
    walker->feet[0].along -= shift, walker->feet[1].along -= shift, walker->start.along -= shift;
    float low = walker->feet[0].height, high = walker->feet[1].height;
    float room = WALK_BEHIND + (float)world->params.steps * world->params.length_most + 2 * world->body.toe;
    const tr_vec2 path[2] = {{0, walker->base}, {0, walker->base + room}};
    tr_profile_query query = {world->solid, path, 2, low > high ? low : high, 0.26f * world->height, 0.9f};
    return tr_profile_cut(world->profile, &query, NULL);
}

static inline tr_footstep_window_query query_of(const window_world *world, const lane_walker *walker) {
    return (tr_footstep_window_query){.profile = world->profile,
                                      .body = &world->body,
                                      .params = &world->params,
                                      .height = world->height,
                                      .facing = 1,
                                      .side = walker->side,
                                      .feet = {walker->feet[0], walker->feet[1]},
                                      .start = walker->walks ? &walker->start : NULL,
                                      .lengths = walker->lengths,
                                      .length_count = walker->length_count};
}

static inline void take_step(lane_walker *walker, const tr_footstep_window_plan *plan) {
    tr_footstep_window_take(&plan->strides[0], walker->feet);
    walker->start = plan->strides[0].end;
    walker->walks = true;
    walker->side = 1 - walker->side;
    walker->length_count = plan->step_count - 1;
    memcpy(walker->lengths, plan->lengths + 1, walker->length_count * sizeof *plan->lengths);
}

// --- The judge ---

// The greatest height of a triangle over a point, in doubles, up to `limit`; -INFINITY: none.
static inline double floor_under(const tr_scene *scene, double x, double z, double limit) {
    double high = -INFINITY;
    for (uint32_t k = 0; k < tr_scene_object_count(scene); k++) {
        tr_object_view object = tr_scene_object(scene, k);
        if (x < (double)object.bounds.min.x || x > (double)object.bounds.max.x ||
            z < (double)object.bounds.min.z || z > (double)object.bounds.max.z)
            continue;
        tr_mesh_view mesh = tr_scene_mesh(scene, object.mesh);
        for (uint32_t i = 0; i < mesh.triangle_count; i++) {
            tr_vec3 c[3];
            for (int n = 0; n < 3; n++)
                c[n] = tr_affine_apply(&object.placement, mesh.positions[mesh.indices[3 * i + (uint32_t)n]]);
            double ax = (double)c[1].x - (double)c[0].x, az = (double)c[1].z - (double)c[0].z;
            double bx = (double)c[2].x - (double)c[0].x, bz = (double)c[2].z - (double)c[0].z;
            double px = x - (double)c[0].x, pz = z - (double)c[0].z, area = ax * bz - az * bx;
            if (fabs(area) < 1e-12)
                continue;
            double u = (px * bz - pz * bx) / area, v = (ax * pz - az * px) / area;
            if (u < -1e-9 || v < -1e-9 || u + v > 1 + 1e-9)
                continue;
            double y = (double)c[0].y + u * ((double)c[1].y - (double)c[0].y) +
                       v * ((double)c[2].y - (double)c[0].y);
            high = y > high && y <= limit ? y : high;
        }
    }
    return high;
}

typedef struct lane_verdict {
    double sole;    // deepest point of a sole below the floor [m]
    double support; // least share of a standing sole that is carried
    double leg;     // least distance of the bone of a shin or thigh from a triangle [m]
    double slide;   // of a foot that stands flat, between two moments [m]
    double stretch; // most that a leg is longer or shorter than its bones [m]
    uint32_t moments;
} lane_verdict;

static inline double later(double a, double b) {
    return a > b ? a : b;
}

// The sole of a foot at a moment: heel to tip, in three lines across its width.
static inline void judge_sole(const window_world *world, const tr_stride_pose *pose, int side, float base,
                              lane_verdict *verdict) {
    tr_vec3 heel = pose->heels[side], toes = pose->toes[side];
    double way_x = (double)(toes.x - heel.x), way_z = (double)(toes.z - heel.z);
    double half = 0.45 * (double)world->body.width / sqrt(way_x * way_x + way_z * way_z);
    for (int i = 0; i <= 8; i++)
        for (int k = -1; k <= 1; k++) {
            double s = i / 8.0, x = (double)heel.x + s * way_x + k * half * way_z;
            double z = (double)base + (double)heel.z + s * way_z - k * half * way_x;
            double y = (double)heel.y + s * (double)(toes.y - heel.y);
            double floor = floor_under(world->scene, x, z, y + 0.2);
            verdict->sole = later(verdict->sole, floor - y);
        }
}

static inline void judge_legs(const window_world *world, const tr_stride_pose *pose, int side, float base,
                              lane_verdict *verdict) {
    tr_vec3 points[3] = {pose->hips[side], pose->knees[side], pose->ankles[side]};
    const double bones[2] = {(double)world->body.thigh, (double)world->body.shin};
    for (int i = 0; i < 2; i++) {
        double length = (double)tr_vec3_distance(points[i], points[i + 1]);
        verdict->stretch = later(verdict->stretch, fabs(length - bones[i]));
    }
    for (int i = 0; i < 3; i++)
        points[i].z += base;
    for (int i = 0; i < 2; i++) {
        double distance = (double)tr_solid_distance(world->solid, points[i], points[i + 1], 1, NULL);
        verdict->leg = distance < verdict->leg ? distance : verdict->leg;
    }
}

// A whole step, `rate` times a second.
static inline void judge_stride(const window_world *world, const tr_stride *stride, float base, int rate,
                                lane_verdict *verdict) {
    int moments = (int)(stride->duration * (float)rate) + 1;
    tr_vec3 stood = {0, 0, 0};
    for (int i = 0; i <= moments; i++) {
        tr_stride_pose pose;
        tr_stride_pose_at(&world->body, stride, (float)i / (float)moments, &pose);
        verdict->moments++;
        uint32_t stance = 1 - stride->side;
        // The ball of a standing foot rests.
        if (i > 0 && stride->facing > 0 && stride->start.front >= 0)
            verdict->slide = later(verdict->slide, (double)tr_vec3_distance(stood, pose.toes[stance]));
        stood = pose.toes[stance];
        for (int side = 0; side < 2; side++) {
            judge_sole(world, &pose, side, base, verdict);
            judge_legs(world, &pose, side, base, verdict);
        }
    }
}

// Where the foot of a step lands: how much of the sole is carried by triangles.
static inline double carried_at(const window_world *world, const tr_stride *stride, float base) {
    const tr_stride_foot *foot = &stride->to;
    uint32_t carried = 0, all = 0;
    for (int i = 0; i < 40; i++)
        for (int k = 0; k < 12; k++) {
            double ahead =
                -(double)world->body.heel + (i + 0.5) / 40 * (double)(world->body.toe + world->body.heel);
            double left = ((k + 0.5) / 12 - 0.5) * (double)world->body.width;
            double sine = sin((double)foot->turn), cosine = cos((double)foot->turn);
            double x = (double)foot->aside + left * cosine + ahead * sine;
            double z = (double)base + (double)foot->along + ahead * cosine - left * sine;
            double y = (double)foot->height + ahead * (double)foot->slope;
            double floor = floor_under(world->scene, x, z, y + 0.1);
            carried += floor >= y - (double)world->params.level - 1e-4;
            all++;
        }
    return (double)carried / all;
}

typedef struct walk_result {
    uint32_t steps;
    bool arrived;
    tr_status status; // of the last window
    tr_stride_reason reason;
    float z, y;
    lane_verdict verdict;
} walk_result;

// Walks as far as it goes. `rate`: of the judge; 0: nothing is judged.
static inline walk_result walk(const window_world *world, lane_walker *walker, int rate) {
    walk_result result = {.verdict = {.support = 1, .leg = INFINITY}};
    while (result.steps < WALK_STEPS_MAX) {
        tr_footstep_window_plan plan;
        if (cut_around(world, walker) != TR_OK)
            return result;
        tr_footstep_window_query query = query_of(world, walker);
        result.status = tr_footstep_window_find(world->window, &query, &plan, NULL);
        result.reason = plan.reason;
        if (result.status != TR_OK && result.status != TR_PARTIAL)
            break;
        const tr_stride *stride = &plan.strides[0];
        if (rate) {
            judge_stride(world, stride, walker->base, rate, &result.verdict);
            double carried = carried_at(world, stride, walker->base);
            result.verdict.support = carried < result.verdict.support ? carried : result.verdict.support;
        }
        result.steps++;
        result.z = walker->base + stride->to.along;
        result.y = stride->to.height;
        take_step(walker, &plan);
        if (result.z >= world->goal) {
            result.arrived = true;
            break;
        }
    }
    return result;
}
