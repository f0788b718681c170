// Measurements of a gait: every frame posed in the world, its soles, its angles.
#pragma once
#include "test.h"
#include "troupe/base/scalar.h"
#include "motion/foot/foot.h"
#include "troupe/motion/gait.h"
#include "troupe/motion/mannequin.h"

#include <math.h>
#include <stdlib.h>

#define DEGREES (180 / TR_PI)

typedef struct measured {
    tr_skeleton *skeleton;
    tr_clip *clip;
    tr_pose pose;
    tr_affine *model;
    tr_foot feet[2];
    uint32_t frames;
    double period, stride;
} measured;

static inline bool measure_gait(measured *m, const tr_gait_def *def, float height) {
    *m = (measured){0};
    tr_mannequin_def body = {.height = height};
    tr_gait_def made = *def;
    tr_error error = {0};
    if (tr_mannequin_make(&body, &m->skeleton, NULL, &error) != TR_OK)
        return false;
    made.skeleton = m->skeleton;
    if (tr_gait_make(&made, &m->clip, &error) != TR_OK) {
        test_failed(__FILE__, __LINE__, "%s", error.message);
        tr_skeleton_destroy(m->skeleton);
        return false;
    }
    uint32_t joints = tr_skeleton_joint_count(m->skeleton);
    m->model = malloc(joints * sizeof *m->model);
    m->frames = tr_clip_frame_count(m->clip);
    m->period = tr_clip_duration(m->clip);
    m->stride = (double)tr_clip_advance(m->clip).z;
    bool good = m->model && tr_pose_create(NULL, joints, &m->pose, NULL) == TR_OK &&
                tr_foot_measure(m->skeleton, 0, &m->feet[0]) == TR_OK &&
                tr_foot_measure(m->skeleton, 1, &m->feet[1]) == TR_OK;
    CHECK(good);
    return good;
}

static inline void measure_end(measured *m) {
    tr_pose_destroy(&m->pose);
    free(m->model);
    tr_clip_destroy(m->clip);
    tr_skeleton_destroy(m->skeleton);
}

// A frame in the world; for a looping clip also frames beyond the last.
static inline void pose_frame(measured *m, uint32_t frame) {
    uint32_t rounds = frame / m->frames, inside = frame % m->frames;
    tr_base base = tr_clip_frame_base(m->clip, inside), advance = tr_clip_advance(m->clip);
    tr_affine place = tr_affine_place(
        tr_vec3_make(base.x + (float)rounds * advance.x, 0, base.z + (float)rounds * advance.z),
        (double)base.heading);
    CHECK(tr_clip_get_frame(m->clip, inside, &m->pose) == TR_OK);
    tr_pose_to_model(m->skeleton, &m->pose, &place, m->model);
}

// 0 heel, 1 ball, 2 tip.
static inline tr_vec3 sole_point(const measured *m, uint32_t side, int point) {
    const tr_foot *foot = &m->feet[side];
    return point == 0   ? tr_foot_heel(foot, m->model)
           : point == 1 ? tr_foot_ball(foot, m->model)
                        : tr_foot_tip(foot, m->model);
}

static inline bool touches(const measured *m, uint32_t frame, uint32_t side, int point) {
    uint32_t contacts = tr_clip_frame_contacts(m->clip, frame % m->frames) >> (side ? 2 : 0);
    return contacts & (point == 0 ? TR_CONTACT_LEFT_HEEL : TR_CONTACT_LEFT_TOES);
}

// How far a point of contact gets from where it came down, at most, and how far a sole goes below the ground.
static inline void measure_plants(measured *m, uint32_t frames, double *drift, double *depth) {
    tr_vec3 held[2][3];
    bool holds[2][3] = {{false}};
    *drift = *depth = 0;
    for (uint32_t i = 0; i < frames; i++) {
        pose_frame(m, i);
        for (uint32_t side = 0; side < 2; side++)
            for (int point = 0; point < 3; point++) {
                tr_vec3 now = sole_point(m, side, point);
                *depth = -(double)now.y > *depth ? -(double)now.y : *depth;
                bool touch = touches(m, i, side, point);
                if (touch && !holds[side][point])
                    held[side][point] = now;
                holds[side][point] = touch;
                double off = touch ? (double)tr_vec3_length(tr_vec3_subtract(now, held[side][point])) : 0;
                *drift = off > *drift ? off : *drift;
            }
    }
}

static inline double worst_limit(measured *m) {
    float worst = 0;
    for (uint32_t i = 0; i < m->frames; i++) {
        CHECK(tr_clip_get_frame(m->clip, i, &m->pose) == TR_OK);
        for (uint32_t joint = 0; joint < m->pose.joint_count; joint++) {
            float excess = tr_skeleton_limit_excess(m->skeleton, joint, tr_pose_rotation(&m->pose, joint));
            worst = excess > worst ? excess : worst;
        }
    }
    return (double)worst * DEGREES;
}

// The largest second difference of a joint's place in the world, over frames: a jump of speed between frames
// shows as a spike. `worst_at` gets the frame.
static inline double worst_jolt(measured *m, uint32_t frames, uint32_t *worst_at) {
    uint32_t joints = m->pose.joint_count;
    tr_vec3 *places = malloc(3 * (size_t)joints * sizeof *places);
    double worst = 0;
    *worst_at = 0;
    if (!places)
        return INFINITY;
    for (uint32_t i = 0; i < frames; i++) {
        pose_frame(m, i);
        for (uint32_t joint = 0; joint < joints; joint++) {
            tr_vec3 *p = &places[3 * joint];
            p[0] = p[1], p[1] = p[2], p[2] = tr_affine_position(&m->model[joint]);
            if (i < 2)
                continue;
            tr_vec3 second = tr_vec3_add(tr_vec3_subtract(p[2], tr_vec3_scale(p[1], 2)), p[0]);
            double size = (double)tr_vec3_length(second);
            if (size > worst)
                worst = size, *worst_at = i;
        }
    }
    free(places);
    return worst;
}
