// Rewrites a skeleton and its motion into another rest pose, as files of other conventions have it: every
// joint is in the same place in every frame, and only the axes in which rotations are measured differ.
#pragma once
#include "test.h"
#include "troupe/base/random.h"
#include "troupe/motion/clip.h"

#define REST_JOINTS_MAX 128

typedef enum rest_convention {
    REST_ALONG_X,   // every bone along X of the joint it hangs on, rolled by any angle
    REST_LYING,     // on its back
    REST_OTHER_ARMS // a T-pose from a body with its arms down, arms down from a T-pose
} rest_convention;
#define REST_CONVENTIONS 3

static inline const char *rest_name(rest_convention convention) {
    static const char *const names[] = {"along X", "lying", "other arms"};
    return names[convention];
}

// The first bone with a length that hangs on the joint; zero if there is none.
static inline tr_vec3 rest_bone(const tr_skeleton *skeleton, uint32_t joint) {
    const uint32_t *parents = tr_skeleton_parents(skeleton);
    for (uint32_t i = joint + 1; i < tr_skeleton_joint_count(skeleton); i++) {
        tr_vec3 offset = tr_skeleton_joint(skeleton, i).rest.position;
        if (parents[i] == joint && tr_vec3_length(offset) > 1e-6f)
            return offset;
    }
    return tr_vec3_make(0, 0, 0);
}

// How a joint is rotated from the old rest pose to one with the arms out if they hang, hanging if they are
// out.
static inline tr_quat rest_arm_turn(const tr_skeleton *skeleton, uint32_t joint) {
    const tr_affine *rest = tr_skeleton_rest_model(skeleton);
    for (int side = 0; side < 2; side++) {
        int shift = side ? TR_ROLE_RIGHT_SHOULDER - TR_ROLE_LEFT_SHOULDER : 0;
        uint32_t arm = tr_skeleton_with_role(skeleton, (tr_role)(TR_ROLE_LEFT_UPPER_ARM + shift));
        uint32_t elbow = tr_skeleton_with_role(skeleton, (tr_role)(TR_ROLE_LEFT_FOREARM + shift));
        if (!tr_skeleton_hangs_on(skeleton, joint, arm))
            continue;
        tr_vec3 now = tr_vec3_subtract(tr_affine_position(&rest[elbow]), tr_affine_position(&rest[arm]));
        bool hangs = -now.y > 0.7f * tr_vec3_length(now);
        return tr_quat_between(now, tr_vec3_make(hangs ? (side ? -1.0f : 1.0f) : 0, hangs ? 0 : -1.0f, 0));
    }
    return tr_quat_identity();
}

// The new axes of each joint in its old axes.
static inline void rest_axes(const tr_skeleton *skeleton, rest_convention convention, tr_quat *axes) {
    tr_random random = tr_random_seed(5);
    const tr_affine *rest = tr_skeleton_rest_model(skeleton);
    for (uint32_t i = 0; i < tr_skeleton_joint_count(skeleton); i++) {
        tr_quat back = tr_quat_conjugate(tr_affine_rotation(&rest[i]));
        const tr_vec3 x = {1, 0, 0};
        if (convention == REST_ALONG_X)
            axes[i] = tr_quat_multiply(tr_quat_between(x, rest_bone(skeleton, i)),
                                       tr_quat_about(x, (double)tr_random_between(&random, -3, 3)));
        else if (convention == REST_LYING)
            axes[i] = tr_quat_multiply(back, tr_quat_about(x, 1.5707963267948966));
        else
            axes[i] = tr_quat_multiply(back, tr_quat_conjugate(rest_arm_turn(skeleton, i)));
        axes[i] = tr_quat_normalize(axes[i]);
    }
}

static inline tr_skeleton *rest_rewrite_skeleton(const tr_skeleton *skeleton, const tr_quat *axes) {
    tr_joint_def joints[REST_JOINTS_MAX];
    uint32_t count = tr_skeleton_joint_count(skeleton);
    for (uint32_t i = 0; i < count; i++) {
        joints[i] = tr_skeleton_joint(skeleton, i);
        joints[i].rest.rotation = tr_quat_identity();
        joints[i].limit.active = false;
        if (joints[i].parent != TR_NONE)
            joints[i].rest.position =
                tr_quat_rotate(tr_quat_conjugate(axes[joints[i].parent]), joints[i].rest.position);
    }
    tr_skeleton_def def = {.joints = joints, .joint_count = count};
    tr_skeleton *made = NULL;
    tr_skeleton_create(&def, &made, NULL);
    return made;
}

static inline void rest_rewrite_pose(const tr_skeleton *skeleton, const tr_quat *axes, tr_pose *pose) {
    const uint32_t *parents = tr_skeleton_parents(skeleton);
    for (uint32_t i = 0; i < pose->joint_count; i++) {
        tr_transform local = tr_pose_get(pose, i);
        tr_quat back = parents[i] == TR_NONE ? tr_quat_identity() : tr_quat_conjugate(axes[parents[i]]);
        local.position = tr_quat_rotate(back, local.position);
        local.rotation = tr_quat_normalize(tr_quat_multiply(tr_quat_multiply(back, local.rotation), axes[i]));
        tr_pose_set(pose, i, local);
    }
}

// false: out of memory, or more joints than there is room for. The results belong to the caller.
static inline bool rest_rewrite(const tr_skeleton *skeleton, const tr_clip *clip, rest_convention convention,
                                tr_skeleton **other, tr_clip **same) {
    tr_quat axes[REST_JOINTS_MAX];
    uint8_t channels[REST_JOINTS_MAX];
    uint32_t count = tr_skeleton_joint_count(skeleton), frames = tr_clip_frame_count(clip);
    tr_pose pose;
    *other = NULL;
    *same = NULL;
    if (count > REST_JOINTS_MAX || tr_pose_create(NULL, count, &pose, NULL) != TR_OK)
        return false;
    rest_axes(skeleton, convention, axes);
    *other = rest_rewrite_skeleton(skeleton, axes);
    for (uint32_t i = 0; i < count; i++) // all turn: a joint that rests in the old axes need not in the new
        channels[i] = tr_clip_channels(clip)[i] | TR_CHANNEL_TURNS;
    tr_clip_def def = {.skeleton = *other,
                       .channels = channels,
                       .frame_count = frames,
                       .frames_per_second = tr_clip_rate(clip),
                       .loop = tr_clip_loops(clip)};
    bool good = *other && tr_clip_create(&def, same, NULL) == TR_OK;
    for (uint32_t frame = 0; frame < frames && good; frame++) {
        tr_clip_get_frame(clip, frame, &pose);
        rest_rewrite_pose(skeleton, axes, &pose);
        good = tr_clip_set_frame(*same, frame, &pose) == TR_OK;
    }
    tr_allocator memory = tr_allocator_default();
    tr_base *base = good && tr_clip_has_base(clip) ? tr_allocate(&memory, frames, sizeof *base) : NULL;
    for (uint32_t frame = 0; frame < frames && base; frame++)
        base[frame] = tr_clip_frame_base(clip, frame);
    if (base)
        good = tr_clip_set_base(*same, base, tr_clip_advance(clip)) == TR_OK;
    tr_release(&memory, base, frames, sizeof *base);
    tr_pose_destroy(&pose);
    return good;
}
