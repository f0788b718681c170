// Skeletons with a limb somewhere in them, poses of any kind, and forward kinematics apart from the
// library's.
#pragma once
#include "test.h"
#include "troupe/base/random.h"
#include "troupe/base/scalar.h"
#include "troupe/motion/limb.h"

#include <math.h>

#define CASE_JOINTS_MAX 16

typedef struct limb_case {
    tr_skeleton *skeleton;
    tr_pose pose;
    tr_affine place, model[CASE_JOINTS_MAX];
    uint32_t count, upper, lower, end;
    tr_limb limb;
} limb_case;

static inline tr_vec3 random_vector(tr_random *random, float size) {
    float x = tr_random_between(random, -size, size), y = tr_random_between(random, -size, size);
    float z = tr_random_between(random, -size, size);
    return tr_vec3_make(x, y, z);
}

static inline tr_quat random_turn(tr_random *random) {
    tr_vec3 v = random_vector(random, 1);
    tr_quat q = {v.x, v.y, v.z, tr_random_between(random, -1, 1)};
    return tr_quat_normalize(q);
}

static inline tr_vec3 random_bone(tr_random *random) {
    tr_vec3 v = random_vector(random, 1);
    float size = tr_vec3_length(v);
    return size < 0.1f ? tr_vec3_make(0, -0.3f, 0)
                       : tr_vec3_scale(v, tr_random_between(random, 0.1f, 0.6f) / size);
}

static inline uint32_t add_joint(tr_joint_def *joints, uint32_t *count, tr_random *random, bool scaled) {
    tr_transform rest = {random_bone(random), random_turn(random), {1, 1, 1}};
    if (scaled && tr_random_below(random, 2)) {
        float s = tr_random_between(random, 0.6f, 1.6f);
        s = tr_random_below(random, 4) ? s : -s;
        rest.scale = tr_vec3_make(s, s, s);
    }
    joints[*count] = (tr_joint_def){.parent = *count ? *count - 1 : TR_NONE, .rest = rest};
    return (*count)++;
}

// A skeleton of these joints, turned and placed at random.
static inline bool make_posed(const tr_joint_def *joints, uint32_t count, tr_random *random,
                              tr_skeleton **skeleton, tr_pose *pose, tr_affine *place, tr_affine *model) {
    tr_skeleton_def def = {.joints = joints, .joint_count = count};
    if (tr_skeleton_create(&def, skeleton, NULL) != TR_OK)
        return false;
    if (tr_pose_create(NULL, count, pose, NULL) != TR_OK) {
        tr_skeleton_destroy(*skeleton);
        return false;
    }
    tr_pose_set_rest(pose, *skeleton);
    for (uint32_t i = 0; i < count; i++)
        tr_pose_set_rotation(pose, i, random_turn(random));
    *place = tr_affine_place(random_vector(random, 3), tr_random_between(random, -3, 3));
    tr_pose_to_model(*skeleton, pose, place, model);
    return true;
}

// Zero to two joints above, between and below those of the limb, with any axes; every scale the same on all
// three axes.
static inline bool make_case(limb_case *made, tr_random *random, bool scaled) {
    tr_joint_def joints[CASE_JOINTS_MAX];
    uint32_t count = 0, above = tr_random_below(random, 3), between = tr_random_below(random, 3);
    for (uint32_t i = 0; i < above; i++)
        add_joint(joints, &count, random, scaled);
    made->upper = add_joint(joints, &count, random, scaled);
    for (uint32_t i = 0; i < between; i++)
        add_joint(joints, &count, random, scaled);
    made->lower = add_joint(joints, &count, random, scaled);
    between = tr_random_below(random, 3);
    for (uint32_t i = 0; i < between; i++)
        add_joint(joints, &count, random, scaled);
    made->end = add_joint(joints, &count, random, scaled);
    add_joint(joints, &count, random, scaled);
    made->count = count;
    return make_posed(joints, count, random, &made->skeleton, &made->pose, &made->place, made->model);
}

static inline void destroy_case(limb_case *made) {
    tr_pose_destroy(&made->pose);
    tr_skeleton_destroy(made->skeleton);
}

// Forward kinematics by turning points with quaternions, joint by joint upwards, in double.
typedef struct point {
    double x, y, z;
} point;

static inline point point_of(const limb_case *at, uint32_t joint) {
    const uint32_t *parents = tr_skeleton_parents(at->skeleton);
    point p = {0, 0, 0};
    for (uint32_t i = joint; i != TR_NONE; i = parents[i]) {
        tr_transform t = tr_pose_get(&at->pose, i);
        double x = p.x * t.scale.x, y = p.y * t.scale.y, z = p.z * t.scale.z;
        double qx = t.rotation.x, qy = t.rotation.y, qz = t.rotation.z, qw = t.rotation.w;
        double ux = 2 * (qy * z - qz * y), uy = 2 * (qz * x - qx * z), uz = 2 * (qx * y - qy * x);
        p.x = t.position.x + x + qw * ux + qy * uz - qz * uy;
        p.y = t.position.y + y + qw * uy + qz * ux - qx * uz;
        p.z = t.position.z + z + qw * uz + qx * uy - qy * ux;
    }
    const tr_affine *m = &at->place;
    point world = {m->m[0][0] * p.x + m->m[0][1] * p.y + m->m[0][2] * p.z + m->m[0][3],
                   m->m[1][0] * p.x + m->m[1][1] * p.y + m->m[1][2] * p.z + m->m[1][3],
                   m->m[2][0] * p.x + m->m[2][1] * p.y + m->m[2][2] * p.z + m->m[2][3]};
    return world;
}

static inline point minus(point a, point b) {
    return (point){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline double size_of(point a) {
    return sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
}

static inline double inner(point a, point b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline point outer(point a, point b) {
    return (point){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline tr_vec3 narrow(point a) {
    return tr_vec3_make((float)a.x, (float)a.y, (float)a.z);
}

static inline point wide(tr_vec3 a) {
    return (point){a.x, a.y, a.z};
}
