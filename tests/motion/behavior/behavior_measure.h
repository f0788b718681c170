// Measurements of a behavior clip: every frame posed in the world with its skin.
#pragma once
#include "test.h"
#include "troupe/base/scalar.h"
#include "motion/foot/foot.h"
#include "troupe/motion/behavior_clip.h"
#include "troupe/motion/mannequin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEGREES (180 / TR_PI)

typedef struct behavior {
    tr_skeleton *skeleton;
    tr_body *body;
    tr_clip *clip;
    tr_behavior_clip_info info;
    tr_pose pose;
    tr_affine *model;
    tr_vec3 *skin;
    tr_foot feet[2];
    double slide;   // how far a point of contact gets from where it came down, at most [m]
    double lowest;  // of the skin [m]
    double limit;   // by how much a joint passes its limit [degrees]
    double fastest; // turn of a joint, shanks and toes left out [rad/s]
} behavior;

// By the distance between the quaternions, which is exact for small turns.
static inline double turn_between(tr_quat a, tr_quat b) {
    double dot = (double)a.x * (double)b.x + (double)a.y * (double)b.y + (double)a.z * (double)b.z +
                 (double)a.w * (double)b.w;
    double sign = dot < 0 ? -1 : 1, x = (double)a.x - sign * (double)b.x,
           y = (double)a.y - sign * (double)b.y;
    double z = (double)a.z - sign * (double)b.z, w = (double)a.w - sign * (double)b.w;
    double half = 0.5 * sqrt(x * x + y * y + z * z + w * w);
    return 4 * asin(half < 1 ? half : 1);
}

static inline void pose_behavior(behavior *m, uint32_t frame) {
    tr_affine place = tr_base_place(tr_clip_frame_base(m->clip, frame), 0);
    CHECK(tr_clip_get_frame(m->clip, frame, &m->pose) == TR_OK);
    tr_pose_to_model(m->skeleton, &m->pose, &place, m->model);
}

// The point of contact of a bit of tr_contact.
static inline tr_vec3 contact_point(const behavior *m, uint32_t bit) {
    static const tr_role limbs[4] = {TR_ROLE_LEFT_HAND, TR_ROLE_RIGHT_HAND, TR_ROLE_LEFT_SHANK,
                                     TR_ROLE_RIGHT_SHANK};
    if (bit >= 4)
        return tr_affine_position(&m->model[tr_skeleton_with_role(m->skeleton, limbs[bit - 4])]);
    const tr_foot *foot = &m->feet[bit >> 1 & 1];
    return bit & 1 ? tr_foot_ball(foot, m->model) : tr_foot_heel(foot, m->model);
}

static inline void measure_contacts(behavior *m, uint32_t frame, tr_vec3 held[8], uint32_t *before) {
    uint32_t now = tr_clip_frame_contacts(m->clip, frame);
    for (uint32_t bit = 0; bit < 8; bit++) {
        if (!(now >> bit & 1))
            continue;
        tr_vec3 here = contact_point(m, bit);
        if (!(*before >> bit & 1))
            held[bit] = here;
        double off = (double)tr_vec3_length(tr_vec3_subtract(here, held[bit]));
        m->slide = off > m->slide ? off : m->slide;
    }
    *before = now;
}

static inline bool is_quick(const tr_skeleton *skeleton, uint32_t joint) {
    const char *name = tr_skeleton_joint(skeleton, joint).name;
    return strstr(name, "toes") || strstr(name, "shank");
}

static inline void measure_joints(behavior *m, uint32_t frame, tr_quat *before) {
    for (uint32_t joint = 0; joint < m->pose.joint_count; joint++) {
        tr_quat now = tr_pose_rotation(&m->pose, joint);
        double excess = (double)tr_skeleton_limit_excess(m->skeleton, joint, now) * DEGREES;
        double speed = frame > 0 ? turn_between(before[joint], now) * tr_clip_rate(m->clip) : 0;
        m->limit = excess > m->limit ? excess : m->limit;
        if (!is_quick(m->skeleton, joint))
            m->fastest = speed > m->fastest ? speed : m->fastest;
        before[joint] = now;
    }
}

static inline void measure_frames(behavior *m) {
    const tr_body_def *view = tr_body_view(m->body);
    tr_quat *before = malloc(m->pose.joint_count * sizeof *before);
    tr_vec3 held[8] = {{0}};
    uint32_t contacts = 0;
    m->lowest = INFINITY;
    for (uint32_t i = 0; before && i < tr_clip_frame_count(m->clip); i++) {
        pose_behavior(m, i);
        tr_body_skin(m->body, m->model, m->skin, NULL);
        for (uint32_t k = 0; k < view->vertex_count; k++)
            m->lowest = (double)m->skin[k].y < m->lowest ? (double)m->skin[k].y : m->lowest;
        measure_contacts(m, i, held, &contacts);
        measure_joints(m, i, before);
    }
    free(before);
}

static inline bool measure_behavior(behavior *m, const tr_behavior_clip_def *def, float height) {
    *m = (behavior){0};
    tr_mannequin_def body = {.height = height, .detail = 1};
    tr_behavior_clip_def made = *def;
    tr_error error = {0};
    if (tr_mannequin_make(&body, &m->skeleton, &m->body, &error) != TR_OK)
        return false;
    made.skeleton = m->skeleton;
    if (tr_behavior_clip_make(&made, &m->clip, &m->info, &error) != TR_OK) {
        test_failed(__FILE__, __LINE__, "%s", error.message);
        tr_body_destroy(m->body);
        tr_skeleton_destroy(m->skeleton);
        return false;
    }
    uint32_t joints = tr_skeleton_joint_count(m->skeleton);
    m->model = malloc(joints * sizeof *m->model);
    m->skin = malloc(tr_body_view(m->body)->vertex_count * sizeof *m->skin);
    bool good = m->model && m->skin && tr_pose_create(NULL, joints, &m->pose, NULL) == TR_OK &&
                tr_foot_measure(m->skeleton, 0, &m->feet[0]) == TR_OK &&
                tr_foot_measure(m->skeleton, 1, &m->feet[1]) == TR_OK;
    CHECK(good);
    if (good)
        measure_frames(m);
    return good;
}

static inline void behavior_end(behavior *m) {
    tr_pose_destroy(&m->pose);
    free(m->model);
    free(m->skin);
    tr_clip_destroy(m->clip);
    tr_body_destroy(m->body);
    tr_skeleton_destroy(m->skeleton);
}

// The largest difference of a turn [rad] or of the hips' place [m] between two clips of equal length.
static inline double clips_apart(behavior *a, behavior *b) {
    double worst = 0;
    CHECK_INT(tr_clip_frame_count(a->clip), tr_clip_frame_count(b->clip));
    for (uint32_t i = 0; i < tr_clip_frame_count(a->clip); i++) {
        pose_behavior(a, i);
        pose_behavior(b, i);
        uint32_t hips = tr_skeleton_with_role(a->skeleton, TR_ROLE_HIPS);
        tr_vec3 way =
            tr_vec3_subtract(tr_affine_position(&a->model[hips]), tr_affine_position(&b->model[hips]));
        double moved = (double)tr_vec3_length(way);
        worst = moved > worst ? moved : worst;
        for (uint32_t joint = 0; joint < a->pose.joint_count; joint++) {
            double turn = turn_between(tr_pose_rotation(&a->pose, joint), tr_pose_rotation(&b->pose, joint));
            worst = turn > worst ? turn : worst;
        }
    }
    return worst;
}
