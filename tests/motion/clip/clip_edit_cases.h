// Skeletons and clips for the tests of clip_edit, and an independent forward kinematics in double.
#pragma once
#include "test.h"
#include "troupe/base/random.h"
#include "troupe/base/scalar.h"
#include "troupe/motion/clip_edit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static inline tr_quat random_turn(tr_random *random, float most) {
    float x = tr_random_between(random, -1, 1), y = tr_random_between(random, -1, 1);
    float z = tr_random_between(random, -1, 1), angle = tr_random_between(random, -most, most);
    return tr_quat_about(tr_vec3_make(x, y, z), angle);
}

static inline tr_vec3 random_place(tr_random *random, float most) {
    float x = tr_random_between(random, -most, most), y = tr_random_between(random, -most, most);
    float z = tr_random_between(random, -most, most);
    return tr_vec3_make(x, y, z);
}

enum { CASE_JOINTS = 17 };

// A body with symmetric places of joints and random rest axes, different for each joint. Joints 1 to 8 are
// the left side, in a chain or two below joint 0; 9 to 16 are the right.
static inline tr_skeleton *random_skeleton(tr_random *random, const tr_allocator *allocator) {
    static const uint32_t chain[8] = {0, 1, 2, 3, 0, 5, 6, 7};
    static const tr_role roles[8] = {TR_ROLE_LEFT_THIGH,   TR_ROLE_LEFT_SHANK,    TR_ROLE_LEFT_FOOT,
                                     TR_ROLE_LEFT_TOES,    TR_ROLE_LEFT_SHOULDER, TR_ROLE_LEFT_UPPER_ARM,
                                     TR_ROLE_LEFT_FOREARM, TR_ROLE_LEFT_HAND};
    tr_joint_def joints[CASE_JOINTS] = {{.name = "hips", .parent = TR_NONE, .role = TR_ROLE_HIPS}};
    tr_vec3 places[CASE_JOINTS] = {{0, 1, 0}};
    tr_quat axes[CASE_JOINTS] = {random_turn(random, 3)};
    joints[0].rest = tr_transform_identity();
    joints[0].rest.position = places[0];
    joints[0].rest.rotation = axes[0];
    for (uint32_t i = 1; i < CASE_JOINTS; i++) {
        bool right = i > 8;
        uint32_t bone = (i - 1) % 8, parent = chain[bone] && right ? chain[bone] + 8 : chain[bone];
        joints[i].parent = parent;
        joints[i].role = right ? tr_role_mirror(roles[bone]) : roles[bone];
        axes[i] = random_turn(random, 3);
        if (right) {
            places[i] = tr_vec3_make(-places[i - 8].x, places[i - 8].y, places[i - 8].z);
        } else {
            places[i] = tr_vec3_add(places[parent], random_place(random, 0.2f));
            places[i].x += bone == 0 || bone == 4 ? 0.25f : 0;
            places[i].y += bone < 4 ? -0.25f : 0.1f;
        }
        tr_quat back = tr_quat_conjugate(axes[parent]);
        joints[i].rest = tr_transform_identity();
        joints[i].rest.position = tr_quat_rotate(back, tr_vec3_subtract(places[i], places[parent]));
        joints[i].rest.rotation = tr_quat_multiply(back, axes[i]);
    }
    tr_skeleton_def def = {.allocator = allocator, .joints = joints, .joint_count = CASE_JOINTS};
    tr_skeleton *skeleton = NULL;
    tr_skeleton_create(&def, &skeleton, NULL);
    return skeleton;
}

// Frames that follow each other smoothly, the root anywhere; labels and two events.
static inline tr_clip *random_clip(tr_random *random, const tr_skeleton *skeleton, uint32_t frames,
                                   const tr_allocator *allocator) {
    uint8_t channels[CASE_JOINTS];
    for (uint32_t i = 0; i < CASE_JOINTS; i++)
        channels[i] = i == 0 || tr_random_below(random, 4) == 0 ? TR_CHANNEL_TURNS | TR_CHANNEL_MOVES
                                                                : TR_CHANNEL_TURNS;
    tr_clip_def def = {.allocator = allocator,
                       .name = "case",
                       .skeleton = skeleton,
                       .channels = channels,
                       .frame_count = frames,
                       .frames_per_second = tr_random_between(random, 20, 130)};
    tr_clip *clip = NULL;
    tr_pose pose = {.joint_count = 0};
    if (tr_clip_create(&def, &clip, NULL) != TR_OK)
        return NULL;
    if (tr_pose_create(allocator, CASE_JOINTS, &pose, NULL) != TR_OK) {
        tr_clip_destroy(clip);
        return NULL;
    }
    tr_pose_set_rest(&pose, skeleton);
    for (uint32_t i = 0; i < frames; i++) {
        for (uint32_t joint = 0; joint < CASE_JOINTS; joint++) {
            tr_transform t = tr_pose_get(&pose, joint);
            t.rotation = tr_quat_normalize(tr_quat_multiply(random_turn(random, 0.3f), t.rotation));
            if (channels[joint] & TR_CHANNEL_MOVES)
                t.position = tr_vec3_add(t.position, random_place(random, joint ? 0.01f : 0.1f));
            tr_pose_set(&pose, joint, t);
        }
        tr_clip_set_frame(clip, i, &pose);
        tr_clip_set_contacts(clip, i, tr_random_below(random, 16));
    }
    tr_pose_destroy(&pose);
    double duration = tr_clip_duration(clip);
    if (tr_clip_add_event(clip, duration * 0.25, "left_step") != TR_OK ||
        tr_clip_add_event(clip, duration * 0.5, "door_opens") != TR_OK) {
        tr_clip_destroy(clip);
        return NULL;
    }
    return clip;
}

// Rotation and place of every joint of a frame in the world, in double, base point included.
typedef struct case_joint {
    double m[3][3], p[3];
} case_joint;

static inline void case_turn(const double m[3][3], const double v[3], double out[3]) {
    for (int i = 0; i < 3; i++)
        out[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
}

static inline case_joint case_below(const case_joint *parent, tr_transform t) {
    double x = t.rotation.x, y = t.rotation.y, z = t.rotation.z, w = t.rotation.w;
    double local[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                          {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                          {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    double place[3] = {t.position.x, t.position.y, t.position.z};
    case_joint joint;
    case_turn(parent->m, place, joint.p);
    for (int i = 0; i < 3; i++) {
        joint.p[i] += parent->p[i];
        for (int k = 0; k < 3; k++)
            joint.m[i][k] =
                parent->m[i][0] * local[0][k] + parent->m[i][1] * local[1][k] + parent->m[i][2] * local[2][k];
    }
    return joint;
}

// libm's sine and cosine: an oracle of the library's own.
static inline case_joint case_base(tr_base base) {
    double s = sin((double)base.heading), c = cos((double)base.heading);
    case_joint place = {{{c, 0, s}, {0, 1, 0}, {-s, 0, c}}, {base.x, 0, base.z}};
    return place;
}

static inline void case_forward(const tr_skeleton *skeleton, const tr_pose *pose, tr_base base,
                                case_joint *joints) {
    case_joint place = case_base(base);
    for (uint32_t i = 0; i < pose->joint_count; i++) {
        uint32_t parent = tr_skeleton_parents(skeleton)[i];
        joints[i] = case_below(parent == TR_NONE ? &place : &joints[parent], tr_pose_get(pose, i));
    }
}

// The largest difference of anything in two frames of worlds.
static inline double case_apart(const case_joint *a, const case_joint *b, uint32_t count) {
    double most = 0;
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            most = fmax(most, fabs(a[i].p[k] - b[i].p[k]));
            for (int j = 0; j < 3; j++)
                most = fmax(most, fabs(a[i].m[k][j] - b[i].m[k][j]));
        }
    return most;
}

// Two clips compared in the world, frame by frame.
static inline double clips_apart(const tr_skeleton *skeleton, const tr_clip *a, const tr_clip *b) {
    uint32_t joints = tr_clip_joint_count(a), frames = tr_clip_frame_count(a);
    if (tr_clip_frame_count(b) != frames || tr_clip_joint_count(b) != joints ||
        tr_clip_rate(a) != tr_clip_rate(b))
        return INFINITY;
    tr_pose pose;
    case_joint *worlds = calloc(2 * (size_t)joints, sizeof *worlds);
    double most = 0;
    if (!worlds || tr_pose_create(NULL, joints, &pose, NULL) != TR_OK)
        abort();
    for (uint32_t i = 0; i < frames; i++) {
        tr_clip_get_frame(a, i, &pose);
        case_forward(skeleton, &pose, tr_clip_frame_base(a, i), worlds);
        tr_clip_get_frame(b, i, &pose);
        case_forward(skeleton, &pose, tr_clip_frame_base(b, i), worlds + joints);
        most = fmax(most, case_apart(worlds, worlds + joints, joints));
        if (tr_clip_frame_contacts(a, i) != tr_clip_frame_contacts(b, i))
            most = INFINITY;
    }
    tr_pose_destroy(&pose);
    free(worlds);
    return most;
}

static inline bool same_events(const tr_clip *a, const tr_clip *b) {
    if (tr_clip_event_count(a) != tr_clip_event_count(b))
        return false;
    for (uint32_t i = 0; i < tr_clip_event_count(a); i++) {
        tr_clip_event x = tr_clip_get_event(a, i), y = tr_clip_get_event(b, i);
        if (fabs(x.time - y.time) > 1e-9 || strcmp(x.name, y.name) != 0)
            return false;
    }
    return true;
}
