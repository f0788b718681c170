// A clip seen frame by frame in the world: for tests of clips that Troupe makes itself.
#pragma once
#include "closed_skin.h"
#include "test.h"
#include "troupe/base/hash.h"
#include "troupe/motion/body.h"
#include "troupe/motion/clip.h"
#include "troupe/motion/pose.h"

#include <math.h>

#define FILM_JOINTS_MAX 64

// A clip, frame by frame, in the world.
typedef struct clip_film {
    const tr_skeleton *skeleton;
    const tr_clip *clip;
    tr_pose pose;
    tr_affine model[FILM_JOINTS_MAX];
} clip_film;

static inline bool film_open(clip_film *film, const tr_skeleton *skeleton, const tr_clip *clip) {
    film->skeleton = skeleton;
    film->clip = clip;
    return clip && tr_pose_create(NULL, tr_skeleton_joint_count(skeleton), &film->pose, NULL) == TR_OK;
}

static inline void film_show(clip_film *film, uint32_t frame) {
    tr_affine place = tr_base_place(tr_clip_frame_base(film->clip, frame), 0);
    CHECK(tr_clip_get_frame(film->clip, frame, &film->pose) == TR_OK);
    tr_pose_to_model(film->skeleton, &film->pose, &place, film->model);
}

static inline tr_vec3 film_point(const clip_film *film, const char *joint) {
    return tr_affine_position(&film->model[tr_skeleton_find(film->skeleton, joint)]);
}

// The lowest vertex of the body; `positions` has room for all.
static inline float film_lowest(const tr_body *body, const clip_film *film, tr_vec3 *positions) {
    float low = INFINITY;
    tr_body_skin(body, film->model, positions, NULL);
    for (uint32_t i = 0; i < tr_body_view(body)->vertex_count; i++)
        low = fminf(low, positions[i].y);
    return low;
}

// Capsules that are tested against each other stay apart.
static inline void check_apart(const tr_body *body, const clip_film *film) {
    const tr_body_def *view = tr_body_view(body);
    for (uint32_t i = 0; i < view->capsule_count; i++)
        for (uint32_t k = i + 1; k < view->capsule_count; k++) {
            const tr_capsule *p = &view->capsules[i], *q = &view->capsules[k];
            if (view->ignored_pairs[i * view->capsule_count + k])
                continue;
            const tr_affine *a = &film->model[p->joint], *b = &film->model[q->joint];
            CHECK(distance_between(tr_affine_apply(a, p->a), tr_affine_apply(a, p->b),
                                   tr_affine_apply(b, q->a),
                                   tr_affine_apply(b, q->b)) > p->radius + q->radius);
        }
}

// How far two frames of two clips differ: rotations, and the root's place.
static inline double frame_difference(const tr_clip *a, uint32_t i, const tr_clip *b, uint32_t k) {
    tr_pose p = {0}, q = {0};
    double worst = 0;
    uint32_t count = tr_clip_joint_count(a);
    if (tr_pose_create(NULL, count, &p, NULL) != TR_OK || tr_pose_create(NULL, count, &q, NULL) != TR_OK)
        return INFINITY;
    CHECK(tr_clip_get_frame(a, i, &p) == TR_OK && tr_clip_get_frame(b, k, &q) == TR_OK);
    for (uint32_t joint = 0; joint < count; joint++) {
        tr_quat turn =
            tr_quat_multiply(tr_quat_conjugate(tr_pose_rotation(&p, joint)), tr_pose_rotation(&q, joint));
        worst = fmax(worst, (double)tr_vec3_length(tr_quat_to_vector(turn)));
    }
    worst = fmax(worst, (double)tr_vec3_distance(tr_pose_get(&p, 0).position, tr_pose_get(&q, 0).position));
    tr_pose_destroy(&p);
    tr_pose_destroy(&q);
    return worst;
}

static inline uint64_t hash_clip(const tr_clip *clip, uint32_t joints) {
    uint64_t hash = TR_HASH_START;
    tr_pose pose = {0};
    CHECK(tr_pose_create(NULL, joints, &pose, NULL) == TR_OK);
    for (uint32_t i = 0; i < tr_clip_frame_count(clip); i++) {
        tr_base base = tr_clip_frame_base(clip, i);
        uint32_t contacts = tr_clip_frame_contacts(clip, i);
        CHECK(tr_clip_get_frame(clip, i, &pose) == TR_OK);
        hash = tr_hash(hash, &base, sizeof base);
        hash = tr_hash(hash, &contacts, sizeof contacts);
        for (uint32_t joint = 0; joint < joints; joint++) {
            tr_transform t = tr_pose_get(&pose, joint);
            hash = tr_hash(hash, &t, sizeof t);
        }
    }
    tr_pose_destroy(&pose);
    return hash;
}

static inline uint64_t hash_skin(const tr_body_def *view) {
    uint64_t hash = tr_hash(TR_HASH_START, view->positions, view->vertex_count * sizeof(tr_vec3));
    hash = tr_hash(hash, view->normals, view->vertex_count * sizeof(tr_vec3));
    hash = tr_hash(hash, view->weights, view->vertex_count * sizeof *view->weights);
    hash = tr_hash(hash, view->joints, view->vertex_count * sizeof *view->joints);
    hash = tr_hash(hash, view->indices, view->triangle_count * 3 * sizeof *view->indices);
    return hash;
}
