// A body that is driven in tests: mannequin, cast, driver, overlay.
#pragma once
#include "test.h"
#include "troupe/base/random.h"
#include "troupe/base/scalar.h"
#include "troupe/motion/mannequin.h"
#include "motion/overlay/overlay.h"

#include <math.h>
#include <string.h>

#define DRIVEN_JOINTS 64

typedef struct driven {
    tr_skeleton *skeleton;
    tr_cast *cast;
    tr_driver_nature nature;
    tr_driver_state state;
    tr_driver_task task;
    tr_pose poses[4];
    tr_affine model[DRIVEN_JOINTS];
    tr_driver_body body;
    tr_overlay *overlay;
} driven;

static inline bool driven_begin(driven *d) {
    tr_error error = {0};
    memset(d, 0, sizeof *d);
    bool good = tr_mannequin_make(&(tr_mannequin_def){.detail = 1}, &d->skeleton, NULL, &error) == TR_OK &&
                tr_cast_create(&(tr_cast_def){.skeleton = d->skeleton}, &d->cast, &error) == TR_OK &&
                tr_driver_task_create(NULL, 16, 16, &d->task, &error) == TR_OK &&
                tr_overlay_create(&(tr_overlay_def){.cast = d->cast}, &d->overlay, &error) == TR_OK;
    uint32_t joints = good ? tr_skeleton_joint_count(d->skeleton) : 1;
    for (uint32_t i = 0; i < 4; i++)
        good = good && joints <= DRIVEN_JOINTS && tr_pose_create(NULL, joints, &d->poses[i], &error) == TR_OK;
    d->nature = (tr_driver_nature){.cast = d->cast, .dt = 1.0f / 30, .speed = 1.3f, .corridor = 0.1f};
    d->body.pose = &d->poses[0];
    d->body.scratch = d->poses + 1;
    d->body.model = d->model;
    d->body.stand_share = 1;
    if (!good)
        test_failed(__FILE__, __LINE__, "%s", error.message);
    return good;
}

static inline void driven_end(driven *d) {
    for (uint32_t i = 0; i < 4; i++)
        tr_pose_destroy(&d->poses[i]);
    tr_overlay_destroy(d->overlay);
    tr_driver_task_destroy(NULL, &d->task);
    tr_cast_destroy(d->cast);
    tr_skeleton_destroy(d->skeleton);
}

static inline tr_status driven_route(driven *d, const tr_vec2 *points, uint32_t count,
                                     const uint8_t *passage) {
    return tr_driver_set_route(&d->state, &d->task, &d->nature, points, count, passage, NULL, 0, NULL);
}

// One tick with its overlay.
static inline tr_status driven_step(driven *d, float limit) {
    const tr_driver *driver = tr_driver_of(&d->state);
    tr_status status = driver->step(&d->state, &d->task, &d->nature, limit, &d->body);
    if (status == TR_OK || status == TR_DONE)
        tr_overlay_apply(d->overlay, driver, &d->state, &d->task, &d->nature, &d->body);
    return status;
}

// Footsteps straight on from a body that stands at its root, facing +Z.
static inline uint32_t driven_footsteps(const driven *d, float rise, tr_footstep footsteps[8]) {
    tr_vec2 at = d->state.root.state.position;
    for (uint32_t i = 0; i < 8; i++)
        footsteps[i] = (tr_footstep){.side = i % 2,
                                     .position = {at.x + (i % 2 ? -0.09f : 0.09f),
                                                  d->state.root.ground + rise * (float)(i < 7 ? i + 1 : i),
                                                  at.z + 0.3f * (float)(i < 7 ? i + 1 : i)},
                                     .support = 1};
    return 8;
}

static inline void driven_begin_steps(driven *d) {
    tr_vec3 hips = tr_affine_position(&d->model[d->cast->legs.hips]);
    tr_footstep_motion_start start = {.model = d->model, .in_air = 2, .base = {hips.x, d->state.root.ground, hips.z}};
    for (uint32_t side = 0; side < 2; side++) {
        const tr_foot *foot = &d->cast->legs.feet[side];
        tr_vec3 heel = tr_foot_heel(foot, d->model), tip = tr_foot_tip(foot, d->model);
        start.feet[side] = (tr_footstep){
            .side = side,
            .position = {0.5f * (heel.x + tip.x), d->state.root.ground, 0.5f * (heel.z + tip.z)},
            .support = 1};
    }
    tr_footstep_motion_begin(&d->state.steps, &d->cast->legs, &start);
}
