// Motions whose measures are known, for the tests of `audit`.
#pragma once
#include "test.h"

#include "troupe/base/scalar.h"
#include "troupe/motion/audit.h"
#include "motion/foot/foot.h"

#include <math.h>
#include <string.h>

#define HIP_HEIGHT 1.0f
enum { HIPS, LEFT_THIGH, LEFT_SHANK, LEFT_FOOT, LEFT_TOES, LEFT_TIP, RIGHT_THIGH, JOINTS = 11 };

// A pelvis on two legs, soles on the ground: heels, balls and tips are at y = 0 in the rest pose. Knees bend
// by 0 to 1 radian.
static inline tr_skeleton *new_legs(bool with_roles) {
    tr_joint_def joints[JOINTS] = {{.name = "hips", .parent = TR_NONE, .role = TR_ROLE_HIPS}};
    joints[0].rest = tr_transform_identity();
    joints[0].rest.position.y = HIP_HEIGHT;
    const tr_vec3 steps[5] = {
        {0.1f, -0.05f, 0}, {0, -0.45f, 0}, {0, -0.42f, 0}, {0, -0.06f, 0.15f}, {0, -0.02f, 0.08f}};
    for (uint32_t i = 0; i < 10; i++) {
        tr_joint_def *joint = &joints[1 + i];
        joint->parent = i % 5 == 0 ? 0 : i;
        joint->rest = tr_transform_identity();
        joint->rest.position = steps[i % 5];
        joint->rest.position.x *= i < 5 ? 1 : -1;
        joint->role = i % 5 == 4 || !with_roles
                          ? TR_ROLE_NONE
                          : (tr_role)((i < 5 ? TR_ROLE_LEFT_THIGH : TR_ROLE_RIGHT_THIGH) + i % 5);
        joint->is_end = i % 5 == 4;
        if (i % 5 == 1)
            joint->limit =
                (tr_joint_limit){.active = true, .twist_axis = 1, .low = {0, 0, 0}, .high = {1, 0, 0}};
    }
    tr_skeleton_def def = {.joints = joints, .joint_count = JOINTS};
    tr_skeleton *skeleton = NULL;
    tr_skeleton_create(&def, &skeleton, NULL);
    return skeleton;
}

static inline tr_clip *new_clip(const tr_skeleton *skeleton, uint32_t frames, double rate, bool loop) {
    tr_clip_def def = {.skeleton = skeleton, .frame_count = frames, .frames_per_second = rate, .loop = loop};
    tr_clip *clip = NULL;
    tr_clip_create(&def, &clip, NULL);
    return clip;
}

// The rest pose with the root moved and turned about +X or +Y.
static inline void set_root(tr_clip *clip, const tr_skeleton *skeleton, uint32_t frame, tr_vec3 move,
                            tr_quat turn, uint32_t contacts) {
    tr_pose pose;
    if (tr_pose_create(NULL, tr_skeleton_joint_count(skeleton), &pose, NULL) != TR_OK)
        return;
    tr_pose_set_rest(&pose, skeleton);
    tr_transform root = tr_pose_get(&pose, 0);
    root.position = tr_vec3_add(root.position, move);
    root.rotation = turn;
    tr_pose_set(&pose, 0, root);
    tr_clip_set_frame(clip, frame, &pose);
    tr_clip_set_contacts(clip, frame, contacts);
    tr_pose_destroy(&pose);
}

static inline void move_root(tr_clip *clip, const tr_skeleton *skeleton, uint32_t frame, float x, float y,
                             float z, uint32_t contacts) {
    set_root(clip, skeleton, frame, tr_vec3_make(x, y, z), tr_quat_identity(), contacts);
}

#define BOTH_FEET 15u

static inline tr_audit measure(const tr_skeleton *skeleton, const tr_clip *clip,
                               const tr_audit_params *params) {
    tr_audit audit;
    memset(&audit, 0xff, sizeof audit);
    CHECK_INT(tr_audit_measure(NULL, skeleton, clip, params, &audit, NULL), TR_OK);
    return audit;
}

static inline tr_audit_params on_ground(float ground) {
    tr_audit_params params = tr_audit_params_default();
    params.ground = ground;
    return params;
}
