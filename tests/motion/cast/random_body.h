// Skeletons and poses made at random, for tests. Seeds make them the same everywhere.
#pragma once
#include "troupe/base/random.h"
#include "troupe/motion/pose.h"

static inline tr_vec3 random_vector(tr_random *random, float size) {
    float x = tr_random_between(random, -size, size);
    float y = tr_random_between(random, -size, size);
    float z = tr_random_between(random, -size, size);
    return tr_vec3_make(x, y, z);
}

static inline tr_quat random_turn(tr_random *random) {
    tr_vec3 axis = random_vector(random, 1);
    float angle = tr_random_between(random, -3, 3);
    return tr_quat_about(axis, angle);
}

static inline tr_transform random_transform(tr_random *random, bool scaled) {
    tr_transform t = tr_transform_identity();
    t.position = random_vector(random, 1);
    t.rotation = random_turn(random);
    if (scaled) {
        float x = tr_random_between(random, 0.5f, 2);
        float y = tr_random_between(random, 0.5f, 2);
        t.scale = tr_vec3_make(x, y, x);
    }
    return t;
}

// A tree of `count` joints [at most 128], each a child of an earlier one; NULL when there is no memory.
static inline tr_skeleton *random_skeleton(tr_random *random, uint32_t count, bool scaled) {
    tr_joint_def joints[128];
    for (uint32_t i = 0; i < count; i++) {
        uint32_t parent = i ? tr_random_below(random, i) : TR_NONE;
        joints[i] = (tr_joint_def){.parent = parent, .rest = random_transform(random, scaled)};
    }
    tr_skeleton *skeleton = NULL;
    tr_skeleton_def def = {.joints = joints, .joint_count = count};
    tr_skeleton_create(&def, &skeleton, NULL);
    return skeleton;
}

static inline void random_pose(tr_random *random, tr_pose *pose, bool scaled) {
    for (uint32_t i = 0; i < pose->joint_count; i++)
        tr_pose_set(pose, i, random_transform(random, scaled));
}
