// Bodies for the tests of retargeting: any proportions, rest pose, axes of joints, up axis, number of bones.
#pragma once
#include "test.h"
#include "troupe/base/random.h"
#include "troupe/motion/clip.h"
#include "troupe/motion/pose.h"

#include <string.h>

#define HUMANOID_JOINTS_MAX 64

typedef enum humanoid_arms { HUMANOID_ARMS_OUT, HUMANOID_ARMS_SLANTED, HUMANOID_ARMS_DOWN } humanoid_arms;

typedef struct humanoid_def {
    float size;         // of everything
    float thigh, shank; // lengths, of a body of size 1 [m]; 0: 0.42 and 0.41
    humanoid_arms arms;
    uint32_t spine_bones; // [1, 8]; 0: 3
    bool no_neck, no_shoulders, no_toes, root, up_z, odd_axes, astride;
    tr_quat heading; // of the whole body at rest; all 0: none
} humanoid_def;

typedef struct humanoid_build {
    humanoid_def def;
    tr_joint_def joints[HUMANOID_JOINTS_MAX];
    tr_vec3 place[HUMANOID_JOINTS_MAX];
    tr_quat axes[HUMANOID_JOINTS_MAX];
    uint32_t count;
    tr_random random;
} humanoid_build;

static inline tr_quat humanoid_random_turn(tr_random *random) {
    tr_quat q;
    q.x = tr_random_between(random, -1, 1);
    q.y = tr_random_between(random, -1, 1);
    q.z = tr_random_between(random, -1, 1);
    q.w = tr_random_between(random, -1, 1);
    return tr_quat_normalize(q);
}

// A joint at a place of the body in its own axes (left X, up Y, ahead Z).
static inline uint32_t humanoid_add(humanoid_build *build, tr_role role, uint32_t parent, tr_vec3 place) {
    uint32_t joint = build->count++;
    tr_quat up =
        build->def.up_z ? tr_quat_about(tr_vec3_make(1, 0, 0), 3.14159265358979 / 2) : tr_quat_identity();
    if (build->def.heading.w != 0 || build->def.heading.y != 0)
        up = tr_quat_multiply(up, build->def.heading);
    build->place[joint] = tr_quat_rotate(up, tr_vec3_scale(place, build->def.size));
    build->axes[joint] = build->def.odd_axes ? humanoid_random_turn(&build->random) : tr_quat_identity();
    tr_joint_def *def = &build->joints[joint];
    *def = (tr_joint_def){.parent = parent, .role = role, .rest = tr_transform_identity()};
    tr_quat above = parent == TR_NONE ? tr_quat_identity() : build->axes[parent];
    tr_vec3 from = parent == TR_NONE ? tr_vec3_make(0, 0, 0) : build->place[parent];
    tr_quat back = tr_quat_conjugate(above);
    def->rest.rotation = tr_quat_multiply(back, build->axes[joint]);
    def->rest.position = tr_quat_rotate(back, tr_vec3_subtract(build->place[joint], from));
    return joint;
}

static inline void humanoid_add_arm(humanoid_build *build, uint32_t chest, float side) {
    int shift = side > 0 ? 0 : TR_ROLE_RIGHT_SHOULDER - TR_ROLE_LEFT_SHOULDER;
    static const double angles[] = {0, 0.8, 1.45};
    tr_quat lower = tr_quat_about(tr_vec3_make(0, 0, -side), angles[build->def.arms]);
    tr_vec3 at = {side * 0.18f, 1.42f, 0};
    if (!build->def.no_shoulders)
        chest = humanoid_add(build, (tr_role)(TR_ROLE_LEFT_SHOULDER + shift), chest,
                             tr_vec3_make(side * 0.04f, 1.4f, 0));
    // A thumb points ahead and the fingers on, however the arm hangs: palms down, or to the thighs.
    static const float along[] = {0, 0.28f, 0.26f};
    for (int i = 0; i < 3; i++) {
        at = tr_vec3_add(at, tr_quat_rotate(lower, tr_vec3_make(side * along[i], 0, 0)));
        chest = humanoid_add(build, (tr_role)(TR_ROLE_LEFT_UPPER_ARM + i + shift), chest, at);
    }
    humanoid_add(build, TR_ROLE_NONE, chest,
                 tr_vec3_add(at, tr_quat_rotate(lower, tr_vec3_make(side * 0.18f, 0, 0))));
    humanoid_add(build, TR_ROLE_NONE, chest,
                 tr_vec3_add(at, tr_quat_rotate(lower, tr_vec3_make(side * 0.03f, 0, 0.08f))));
}

static inline void humanoid_add_leg(humanoid_build *build, uint32_t hips, float side) {
    int shift = side > 0 ? 0 : TR_ROLE_RIGHT_SHOULDER - TR_ROLE_LEFT_SHOULDER;
    float thigh = build->def.thigh > 0 ? build->def.thigh : 0.42f;
    float shank = build->def.shank > 0 ? build->def.shank : 0.41f;
    float top = 0.08f + thigh + shank;
    const tr_vec3 hip = {side * 0.1f, top, 0}, knee = {side * 0.1f, top - thigh, 0},
                  ankle = {side * 0.1f, 0.08f, 0}, ball = {side * 0.1f, 0.01f, 0.14f},
                  tip = {side * 0.1f, 0.01f, 0.2f};
    const tr_vec3 places[5] = {hip, knee, ankle, ball, tip};
    tr_quat turn = build->def.astride ? tr_quat_about(tr_vec3_make(0, 0, side), 0.35) : tr_quat_identity();
    uint32_t joint = hips;
    for (int i = 0; i < 5; i++) {
        tr_vec3 at = tr_vec3_add(hip, tr_quat_rotate(turn, tr_vec3_subtract(places[i], hip)));
        bool has_role = i < 4 && !(i == 3 && build->def.no_toes);
        joint = humanoid_add(build, has_role ? (tr_role)(TR_ROLE_LEFT_THIGH + i + shift) : TR_ROLE_NONE,
                             joint, at);
    }
}

static inline tr_skeleton *humanoid_make(const tr_allocator *allocator, humanoid_def def, uint64_t seed) {
    humanoid_build build = {.def = def, .random = tr_random_seed(seed)};
    float thigh = def.thigh > 0 ? def.thigh : 0.42f, shank = def.shank > 0 ? def.shank : 0.41f;
    float hips_height = thigh + shank + 0.14f;
    uint32_t parent = def.root ? humanoid_add(&build, TR_ROLE_NONE, TR_NONE, tr_vec3_make(0, 0, 0)) : TR_NONE;
    uint32_t hips = humanoid_add(&build, TR_ROLE_HIPS, parent, tr_vec3_make(0, hips_height, 0)), joint = hips;
    uint32_t bones = def.spine_bones ? def.spine_bones : 3;
    for (uint32_t i = 0; i < bones; i++) {
        tr_role role = i == 0           ? TR_ROLE_SPINE
                       : i + 1 == bones ? (bones > 2 ? TR_ROLE_UPPER_CHEST : TR_ROLE_CHEST)
                       : i == bones / 2 ? TR_ROLE_CHEST
                                        : TR_ROLE_NONE;
        joint = humanoid_add(&build, role, joint,
                             tr_vec3_make(0, hips_height + 0.1f + 0.3f * (float)i / (float)bones, 0));
    }
    uint32_t chest = joint;
    if (!def.no_neck)
        joint = humanoid_add(&build, TR_ROLE_NECK, joint, tr_vec3_make(0, 1.5f, 0));
    joint = humanoid_add(&build, TR_ROLE_HEAD, joint, tr_vec3_make(0, 1.6f, 0));
    humanoid_add(&build, TR_ROLE_NONE, joint, tr_vec3_make(0, 1.75f, 0));
    for (int side = 0; side < 2; side++) {
        humanoid_add_arm(&build, chest, side ? -1.0f : 1.0f);
        humanoid_add_leg(&build, hips, side ? -1.0f : 1.0f);
    }
    tr_skeleton_def skeleton_def = {
        .allocator = allocator, .joints = build.joints, .joint_count = build.count};
    tr_skeleton *skeleton = NULL;
    tr_skeleton_create(&skeleton_def, &skeleton, NULL);
    return skeleton;
}

// Every joint turned by up to `most` [rad] from its rest, the hips somewhere above the ground.
static inline void humanoid_random_pose(tr_random *random, const tr_skeleton *skeleton, double most,
                                        tr_pose *pose) {
    tr_pose_set_rest(pose, skeleton);
    for (uint32_t i = 0; i < tr_skeleton_joint_count(skeleton); i++) {
        tr_vec3 axis;
        axis.x = tr_random_between(random, -1, 1);
        axis.y = tr_random_between(random, -1, 1);
        axis.z = tr_random_between(random, -1, 1);
        double angle = most * (double)tr_random_unit(random);
        tr_pose_set_rotation(
            pose, i,
            tr_quat_normalize(tr_quat_multiply(tr_pose_rotation(pose, i), tr_quat_about(axis, angle))));
    }
    uint32_t hips = tr_skeleton_with_role(skeleton, TR_ROLE_HIPS);
    tr_transform local = tr_pose_get(pose, hips);
    local.position.x += tr_random_between(random, -2, 2);
    local.position.z += tr_random_between(random, -2, 2);
    tr_pose_set(pose, hips, local);
}
