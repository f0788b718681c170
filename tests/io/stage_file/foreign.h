// Character files as others make them, from the mannequin: other names, units, axes, facing and shoes, joints
// added and left out.
#pragma once
#include "test.h"
#include "troupe/io/file.h"
#include "troupe/io/gltf_write.h"
#include "troupe/motion/gait.h"
#include "troupe/motion/mannequin.h"

#include <stdlib.h>
#include <string.h>

#define FOREIGN_JOINTS 80

typedef struct foreign_def {
    float unit;   // 0: none; else a node above the joints has this scale, and they are in its units
    float facing; // [rad] from +Z
    bool up_z;    // below that node, Z is up
    const char *const (*names)[2]; // role and name; NULL: the mannequin's
    const char *left_out;          // joints whose name has one of these words (with |), and those below
    bool twist;                    // a twist bone in each limb, before the next bone
    float arms;                    // 0: as they are; else forearms and hands are further out by this factor
    float shoes;                   // by how much the mesh goes ahead of the toes [m]
} foreign_def;

typedef struct foreign_build {
    const foreign_def *def;
    tr_joint_def joints[FOREIGN_JOINTS];
    char names[FOREIGN_JOINTS][64];
    uint32_t from[FOREIGN_JOINTS]; // the mannequin's joint; TR_NONE: none
    uint32_t to[FOREIGN_JOINTS];   // of each of the mannequin's: the joint, or the one above that is left
    uint32_t count;
    tr_transform top, plain; // above the joints: as in the file, and without its facing
} foreign_build;

static inline bool foreign_leaves_out(const foreign_def *def, const char *name) {
    char words[100];
    snprintf(words, sizeof words, "%s", def->left_out ? def->left_out : "");
    for (char *word = strtok(words, "|"); word; word = strtok(NULL, "|"))
        if (strstr(name, word))
            return true;
    return false;
}

static inline void foreign_name(const foreign_def *def, const char *own, char *name, size_t size) {
    bool right = strncmp(own, "right_", 6) == 0;
    char left[64];
    snprintf(left, sizeof left, "%s%s", right ? "left_" : "", right ? own + 6 : own);
    snprintf(name, size, "%s", own);
    for (int i = 0; def->names && def->names[i][0]; i++) {
        const char *text = def->names[i][1];
        const char *at = strchr(text, '*'); // where the side is
        if (strcmp(def->names[i][0], left) != 0)
            continue;
        if (at) // "*L/R*" style: the two sides follow, divided by a bar
            snprintf(name, size, "%.*s%.*s%s", (int)(at - text), text, (int)(strchr(at, '/') - at - 1),
                     at + 1, strrchr(at, '*') + 1);
        if (at && right)
            snprintf(name, size, "%.*s%.*s%s", (int)(at - text), text,
                     (int)(strrchr(at, '*') - strchr(at, '/') - 1), strchr(at, '/') + 1,
                     strrchr(at, '*') + 1);
        if (!at)
            snprintf(name, size, "%s", text);
    }
}

static inline uint32_t foreign_add(foreign_build *build, uint32_t from, uint32_t parent, tr_transform rest) {
    uint32_t joint = build->count++;
    build->joints[joint] = (tr_joint_def){.name = build->names[joint], .parent = parent, .rest = rest};
    build->from[joint] = from;
    return joint;
}

// In the axes and units below the top node.
static inline tr_transform foreign_below_top(const foreign_build *build, tr_transform t) {
    tr_quat back = tr_quat_conjugate(build->plain.rotation);
    t.position = tr_vec3_scale(tr_quat_rotate(back, t.position), 1 / build->top.scale.x);
    t.rotation = tr_quat_multiply(back, t.rotation);
    return t;
}

static inline tr_transform foreign_local(const foreign_build *build, uint32_t parent, tr_transform t) {
    if (parent == TR_NONE)
        return foreign_below_top(build, t);
    t.position = tr_vec3_scale(t.position, 1 / build->top.scale.x);
    return t;
}

static inline void foreign_make_joints(foreign_build *build, const tr_skeleton *skeleton) {
    const foreign_def *def = build->def;
    float unit = def->unit > 0 ? def->unit : 1;
    build->plain = build->top = tr_transform_identity();
    build->top.scale = tr_vec3_make(unit, unit, unit);
    if (def->up_z)
        build->plain.rotation = tr_quat_about(tr_vec3_make(1, 0, 0), -3.14159265 / 2);
    build->top.rotation =
        tr_quat_multiply(tr_quat_about(tr_vec3_make(0, 1, 0), (double)def->facing), build->plain.rotation);
    snprintf(build->names[0], sizeof build->names[0], "Armature");
    foreign_add(build, TR_NONE, TR_NONE, build->top);
    for (uint32_t i = 0; i < tr_skeleton_joint_count(skeleton); i++) {
        tr_joint_def joint = tr_skeleton_joint(skeleton, i);
        uint32_t parent = joint.parent == TR_NONE ? 0 : build->to[joint.parent];
        bool above_out = joint.parent != TR_NONE && build->from[parent] != joint.parent;
        build->to[i] = parent;
        if (above_out || foreign_leaves_out(def, joint.name))
            continue;
        tr_transform rest = foreign_local(build, joint.parent, joint.rest);
        if (def->arms > 0 && (strstr(joint.name, "forearm") || strstr(joint.name, "hand")))
            rest.position = tr_vec3_scale(rest.position, def->arms);
        build->to[i] = foreign_add(build, i, parent, rest);
        foreign_name(def, joint.name, build->names[build->to[i]], sizeof build->names[0]);
        if (def->twist && (strstr(joint.name, "arm") || strstr(joint.name, "thigh"))) {
            tr_transform half = tr_transform_identity();
            half.position = tr_vec3_make(0, -0.1f / unit, 0);
            uint32_t twist = foreign_add(build, TR_NONE, build->to[i], half);
            snprintf(build->names[twist], sizeof build->names[0], "%.50s_twist_01", joint.name);
        }
    }
}

static inline void foreign_make_clip(const foreign_build *build, const tr_skeleton *from, const tr_clip *clip,
                                     const tr_skeleton *to, tr_clip **made) {
    uint8_t channels[FOREIGN_JOINTS];
    for (uint32_t i = 0; i < build->count; i++)
        channels[i] = TR_CHANNEL_TURNS | TR_CHANNEL_MOVES;
    tr_clip_def def = {.name = tr_clip_name(clip),
                       .skeleton = to,
                       .channels = channels,
                       .frame_count = tr_clip_frame_count(clip),
                       .frames_per_second = tr_clip_rate(clip),
                       .loop = true};
    tr_pose own, pose;
    REQUIRE(tr_clip_create(&def, made, NULL) == TR_OK);
    REQUIRE(tr_pose_create(NULL, tr_skeleton_joint_count(from), &own, NULL) == TR_OK &&
            tr_pose_create(NULL, build->count, &pose, NULL) == TR_OK);
    for (uint32_t frame = 0; frame < def.frame_count; frame++) {
        tr_clip_get_frame(clip, frame, &own);
        tr_pose_set_rest(&pose, to);
        for (uint32_t i = 1; i < build->count; i++) {
            if (build->from[i] == TR_NONE)
                continue;
            tr_transform local = tr_pose_get(&own, build->from[i]);
            tr_pose_set(&pose, i, foreign_local(build, tr_skeleton_parents(from)[build->from[i]], local));
        }
        REQUIRE(tr_clip_set_frame(*made, frame, &pose) == TR_OK);
    }
    tr_pose_destroy(&own);
    tr_pose_destroy(&pose);
}

static inline void foreign_make_body(const foreign_build *build, const tr_skeleton *from, const tr_body *body,
                                     const tr_skeleton *to, tr_body **made) {
    tr_body_def def = *tr_body_view(body);
    uint16_t(*joints)[TR_BODY_INFLUENCES] = calloc(def.vertex_count, sizeof *joints);
    tr_vec3 *positions = calloc(def.vertex_count, sizeof *positions);
    tr_vec3 *normals = calloc(def.vertex_count, sizeof *normals);
    tr_affine inverse[FOREIGN_JOINTS];
    tr_quat turn = tr_quat_about(tr_vec3_make(0, 1, 0), (double)build->def->facing);
    REQUIRE(joints && positions && normals);
    for (uint32_t i = 0; i < def.vertex_count; i++) {
        bool in_front = false;
        for (int k = 0; k < TR_BODY_INFLUENCES; k++) {
            uint32_t joint = def.joints[i][k];
            joints[i][k] = (uint16_t)build->to[joint];
            in_front |= def.weights[i][k] > 0.5f && strstr(tr_skeleton_joint(from, joint).name, "toes");
        }
        uint32_t main = def.joints[i][0]; // longer arms carry the skin along
        tr_affine moved =
            tr_affine_multiply(&tr_skeleton_rest_model(to)[build->to[main]], &def.inverse_rest[main]);
        positions[i] = build->def->arms > 0 ? tr_affine_apply(&moved, def.positions[i]) : def.positions[i];
        positions[i].z += in_front ? build->def->shoes : 0;
        positions[i] = tr_quat_rotate(turn, positions[i]);
        normals[i] = tr_quat_rotate(turn, def.normals[i]);
    }
    for (uint32_t i = 0; i < build->count; i++)
        REQUIRE(tr_affine_invert(&tr_skeleton_rest_model(to)[i], &inverse[i]));
    def.joint_count = build->count;
    def.joints = (const uint16_t(*)[TR_BODY_INFLUENCES])joints;
    def.positions = positions;
    def.normals = normals;
    def.inverse_rest = inverse;
    def.capsule_count = 0;
    def.capsules = NULL;
    def.ignored_pairs = NULL;
    REQUIRE(tr_body_create(&def, made, NULL) == TR_OK);
    free(joints);
    free(positions);
    free(normals);
}

// Writes a GLB: the body, with a walk on the spot at `rate` frames a second.
static inline void foreign_write(const char *path, const foreign_def *def, double rate) {
    tr_skeleton *own = NULL, *skeleton = NULL;
    tr_body *own_body = NULL;
    tr_clip *walk = NULL;
    tr_mannequin_def mannequin = {.height = 1.75f, .detail = 1};
    tr_gait_def gait = {.kind = TR_GAIT_WALK, .frames_per_second = rate};
    foreign_build build = {.def = def};
    REQUIRE(tr_mannequin_make(&mannequin, &own, &own_body, NULL) == TR_OK);
    gait.skeleton = own;
    REQUIRE(tr_gait_make(&gait, &walk, NULL) == TR_OK);
    REQUIRE(tr_clip_set_base(walk, NULL, (tr_base){0, 0, 0}) == TR_OK &&
            tr_clip_set_name(walk, "Walking") == TR_OK);
    foreign_make_joints(&build, own);
    tr_skeleton_def made = {.name = "guest", .joints = build.joints, .joint_count = build.count};
    REQUIRE(tr_skeleton_create(&made, &skeleton, NULL) == TR_OK);
    tr_body *body = NULL;
    tr_clip *clip = NULL;
    foreign_make_body(&build, own, own_body, skeleton, &body);
    foreign_make_clip(&build, own, walk, skeleton, &clip);
    const tr_clip *clips[1] = {clip};
    tr_gltf_actor actor = {.skeleton = skeleton, .body = body, .clips = clips, .clip_count = 1};
    tr_gltf_shot shot = {.actors = &actor, .actor_count = 1, .apart = true};
    tr_bytes bytes = {0};
    REQUIRE(tr_gltf_write(&shot, &bytes, NULL) == TR_OK);
    REQUIRE(tr_file_write(path, bytes.data, bytes.size, NULL) == TR_OK);
    tr_bytes_free(NULL, &bytes);
    tr_clip_destroy(clip);
    tr_clip_destroy(walk);
    tr_body_destroy(body);
    tr_body_destroy(own_body);
    tr_skeleton_destroy(skeleton);
    tr_skeleton_destroy(own);
}
