// Characters made at random for tests of the glTF writer.
#pragma once
#include "io/reading.h"
#include "troupe/base/scalar.h"
#include "troupe/io/gltf_motion.h"
#include "troupe/io/gltf_write.h"

#include <stdlib.h>

#define SHOT_JOINTS 12
#define SHOT_JOINTS_MAX 64
#define SHOT_FRAMES 40
#define SHOT_CLIPS 2
#define SHOT_VERTICES 30

typedef struct shot_actor {
    tr_skeleton *skeleton;
    tr_body *body;
    tr_clip *clips[SHOT_CLIPS];
    const tr_clip **list; // a block of its own, so that the struct may be copied
    tr_gltf_actor view;
} shot_actor;

static inline tr_vec3 shot_point(tr_random *random, float size) {
    tr_vec3 p;
    p.x = tr_random_between(random, -size, size);
    p.y = tr_random_between(random, -size, size);
    p.z = tr_random_between(random, -size, size);
    return p;
}

static inline tr_quat shot_turn(tr_random *random) {
    tr_vec3 axis = shot_point(random, 1);
    return tr_quat_about(axis, (double)tr_random_between(random, -3, 3));
}

// Joints hang on any earlier one; the last two are ends of bones, and numbers run depth first.
static inline tr_skeleton *shot_skeleton(tr_random *random) {
    static const char *const names[SHOT_JOINTS] = {"root", "a", "b", "c", "d",   "e",
                                                   "f",    "g", "h", "i", "top", "top_end"};
    tr_joint_def joints[SHOT_JOINTS];
    for (uint32_t i = 0; i < SHOT_JOINTS; i++) {
        // One of the joints on the way from the last one to the root: any other would break the order.
        uint32_t parent = i ? i - 1 : TR_NONE;
        for (uint32_t up = tr_random_below(random, 4); i > 1 && i + 1 < SHOT_JOINTS && up > 2 && parent > 0;
             up--)
            parent = joints[parent].parent;
        joints[i] = (tr_joint_def){.name = names[i], .parent = parent, .is_end = i + 1 == SHOT_JOINTS};
        joints[i].rest.position = shot_point(random, 0.4f);
        joints[i].rest.rotation = shot_turn(random);
        joints[i].rest.scale = tr_vec3_make(1, 1, 1);
    }
    tr_skeleton_def def = {.name = "made up", .joints = joints, .joint_count = SHOT_JOINTS};
    tr_skeleton *skeleton = NULL;
    if (tr_skeleton_create(&def, &skeleton, NULL) != TR_OK)
        test_failed(__FILE__, __LINE__, "no skeleton");
    return skeleton;
}

// Smooth motion: every joint swings about an axis of its own; the root and one joint also move, and scale if
// asked.
static inline tr_clip *shot_clip(tr_random *random, const tr_skeleton *skeleton, const char *name,
                                 bool scaled) {
    uint8_t channels[SHOT_JOINTS];
    for (int i = 0; i < SHOT_JOINTS; i++)
        channels[i] = TR_CHANNEL_TURNS;
    channels[0] |= TR_CHANNEL_MOVES;
    channels[3] |= TR_CHANNEL_MOVES | (scaled ? TR_CHANNEL_SCALES : 0);
    channels[SHOT_JOINTS - 1] = 0;
    tr_clip_def def = {.name = name,
                       .skeleton = skeleton,
                       .channels = channels,
                       .frame_count = SHOT_FRAMES,
                       .frames_per_second = 120 / (double)(1 + tr_random_below(random, 4))};
    tr_clip *clip = NULL;
    tr_pose pose;
    if (tr_clip_create(&def, &clip, NULL) != TR_OK ||
        tr_pose_create(NULL, SHOT_JOINTS, &pose, NULL) != TR_OK) {
        test_failed(__FILE__, __LINE__, "no clip");
        return NULL;
    }
    tr_vec3 axes[SHOT_JOINTS];
    for (int i = 0; i < SHOT_JOINTS; i++)
        axes[i] = shot_point(random, 1);
    for (uint32_t frame = 0; frame < SHOT_FRAMES; frame++) {
        tr_pose_set_rest(&pose, skeleton);
        for (uint32_t i = 0; i + 1 < SHOT_JOINTS; i++) {
            double sine, cosine;
            tr_sin_cos(frame * 0.15 + i, &sine, &cosine);
            tr_transform local = tr_pose_get(&pose, i);
            if (i != 5) // one stays as it is
                local.rotation = tr_quat_multiply(local.rotation, tr_quat_about(axes[i], 1.2 * sine));
            if (channels[i] & TR_CHANNEL_MOVES)
                local.position = tr_vec3_add(local.position, tr_vec3_scale(axes[i], (float)cosine));
            if (channels[i] & TR_CHANNEL_SCALES)
                local.scale = tr_vec3_make((float)(1.5 + sine / 2), 2, 1);
            tr_pose_set(&pose, i, local);
        }
        if (tr_clip_set_frame(clip, frame, &pose) != TR_OK)
            test_failed(__FILE__, __LINE__, "frame %u is refused", frame);
    }
    tr_pose_destroy(&pose);
    return clip;
}

static inline shot_actor shot_make_actor(uint64_t seed, bool scaled) {
    tr_random random = tr_random_seed(seed);
    shot_actor actor = {.skeleton = shot_skeleton(&random)};
    for (int i = 0; i < SHOT_CLIPS; i++) {
        char name[32];
        snprintf(name, sizeof name, "clip %d", i);
        actor.clips[i] = shot_clip(&random, actor.skeleton, name, scaled);
    }
    actor.view = (tr_gltf_actor){.name = "somebody", .skeleton = actor.skeleton, .clip_count = SHOT_CLIPS};
    actor.view.clips = actor.list = calloc(SHOT_CLIPS, sizeof *actor.list);
    for (int i = 0; actor.list && i < SHOT_CLIPS; i++)
        actor.list[i] = actor.clips[i];
    return actor;
}

// Triangles anywhere around the skeleton, each vertex moved by up to four joints.
static inline void shot_make_body(shot_actor *actor, uint64_t seed) {
    tr_random random = tr_random_seed(seed + 1000);
    tr_vec3 positions[SHOT_VERTICES], normals[SHOT_VERTICES];
    uint16_t joints[SHOT_VERTICES][TR_BODY_INFLUENCES] = {{0}};
    float weights[SHOT_VERTICES][TR_BODY_INFLUENCES] = {{0}};
    uint32_t indices[SHOT_VERTICES];
    tr_affine inverse_rest[SHOT_JOINTS];
    for (uint32_t i = 0; i < SHOT_VERTICES; i++) {
        positions[i] = shot_point(&random, 1);
        normals[i] = tr_quat_rotate(shot_turn(&random), tr_vec3_make(0, 0, 1));
        indices[i] = i;
        uint32_t count = 1 + tr_random_below(&random, TR_BODY_INFLUENCES);
        for (uint32_t k = 0; k < count; k++) {
            joints[i][k] = (uint16_t)tr_random_below(&random, SHOT_JOINTS);
            weights[i][k] = 1.0f / (float)count;
        }
    }
    for (uint32_t i = 0; i < SHOT_JOINTS; i++)
        tr_affine_invert(&tr_skeleton_rest_model(actor->skeleton)[i], &inverse_rest[i]);
    tr_body_def def = {.joint_count = SHOT_JOINTS,
                       .positions = positions,
                       .normals = normals,
                       .joints = (const uint16_t(*)[TR_BODY_INFLUENCES])joints,
                       .weights = (const float(*)[TR_BODY_INFLUENCES])weights,
                       .vertex_count = SHOT_VERTICES,
                       .indices = indices,
                       .triangle_count = SHOT_VERTICES / 3,
                       .inverse_rest = inverse_rest,
                       .color = {0.2f, 0.4f, 0.6f}};
    if (tr_body_create(&def, &actor->body, NULL) != TR_OK)
        test_failed(__FILE__, __LINE__, "no body");
    actor->view.body = actor->body;
}

static inline void shot_destroy_actor(shot_actor *actor) {
    free(actor->list);
    for (int i = 0; i < SHOT_CLIPS; i++)
        tr_clip_destroy(actor->clips[i]);
    tr_body_destroy(actor->body);
    tr_skeleton_destroy(actor->skeleton);
}

static inline void shot_model(const tr_skeleton *skeleton, const tr_clip *clip, uint32_t frame,
                              tr_affine *model) {
    tr_pose pose;
    if (tr_pose_create(NULL, tr_skeleton_joint_count(skeleton), &pose, NULL) != TR_OK ||
        tr_clip_get_frame(clip, frame, &pose) != TR_OK) {
        test_failed(__FILE__, __LINE__, "there is no frame %u", frame);
        return;
    }
    tr_pose_to_model(skeleton, &pose, NULL, model);
    tr_pose_destroy(&pose);
}

// Write the shot and read what was written.
static inline tr_figures shot_read_back(const tr_gltf_shot *shot) {
    tr_figures figures = tr_figures_begin(NULL);
    tr_bytes bytes = {0};
    tr_error error = {0};
    if (tr_gltf_write(shot, &bytes, &error) != TR_OK ||
        tr_gltf_read_figures(bytes.data, bytes.size, NULL, NULL, NULL, &figures, &error) != TR_OK)
        test_failed(__FILE__, __LINE__, "%s", error.message);
    tr_bytes_free(NULL, &bytes);
    return figures;
}
