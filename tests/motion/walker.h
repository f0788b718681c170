// A pair of legs that walks exactly: feet are flat on the ground and still while they touch it, by
// independent closed-form trigonometry. For tests that need walking clips.
#pragma once
#include "test.h"
#include "troupe/motion/clip.h"

#include <math.h>

enum { WALKER_JOINTS = 11 };
#define WALKER_THIGH 0.42
#define WALKER_SHANK 0.40
#define WALKER_ANKLE 0.08

static inline tr_skeleton *walker_skeleton(void) {
    static const double leg_rest[5][3] = {
        {0.1, 0, 0}, {0, -WALKER_THIGH, 0}, {0, -WALKER_SHANK, 0}, {0, -WALKER_ANKLE, 0.13}, {0, 0, 0.06}};
    tr_joint_def joints[WALKER_JOINTS] = {{.name = "hips", .parent = TR_NONE, .role = TR_ROLE_HIPS}};
    joints[0].rest = tr_transform_identity();
    joints[0].rest.position.y = (float)(WALKER_THIGH + WALKER_SHANK + WALKER_ANKLE);
    for (uint32_t i = 0; i < 10; i++) {
        uint32_t side = i / 5, bone = i % 5;
        const double *rest = leg_rest[bone];
        tr_joint_def *joint = &joints[1 + i];
        joint->parent = bone ? i : 0;
        joint->rest = tr_transform_identity();
        joint->rest.position =
            tr_vec3_make((float)(side ? -rest[0] : rest[0]), (float)rest[1], (float)rest[2]);
        joint->is_end = bone == 4;
        if (bone < 4)
            joint->role = (tr_role)((side ? TR_ROLE_RIGHT_THIGH : TR_ROLE_LEFT_THIGH) + bone);
    }
    tr_skeleton_def def = {.joints = joints, .joint_count = WALKER_JOINTS};
    tr_skeleton *skeleton = NULL;
    tr_error error = {0};
    if (tr_skeleton_create(&def, &skeleton, &error) != TR_OK)
        test_failed(__FILE__, __LINE__, "%s", error.message);
    return skeleton;
}

// How it walks. Stance below a half of the stride is a run.
typedef struct walker_gait {
    const char *name;
    double speed, rate; // [m/s], [strides/s]
    double stance;      // share of the stride that a foot is down
    double crouch;      // how much lower than standing the hips are [m]
    double lift;        // of the swinging foot [m]
    uint32_t frames;
} walker_gait;

// Where an ankle is at a time of its own stride [0, 1), relative to the base: z and height.
static inline void walker_ankle(const walker_gait *gait, double time, double *z, double *y) {
    double stride = gait->speed / gait->rate, half = stride * gait->stance / 2;
    *y = WALKER_ANKLE;
    *z = half - stride * time;
    if (time <= gait->stance)
        return;
    // A cubic back to the front that joins the stance with its speed at both ends.
    double swing = 1 - gait->stance, t = (time - gait->stance) / swing, slope = -stride * swing;
    *z = -half + 2 * half * t * t * (3 - 2 * t) + slope * t * (1 - t) * (1 - 2 * t);
    *y += gait->lift * 16 * t * t * (1 - t) * (1 - t);
}

static inline void walker_set_leg(tr_pose *pose, uint32_t first, double hip, double z, double y) {
    const double a = WALKER_THIGH, b = WALKER_SHANK;
    double down = hip - y, distance = sqrt(z * z + down * down);
    distance = distance < 0.9999 * (a + b) ? distance : 0.9999 * (a + b);
    double lean = atan2(-z, down), top = acos((a * a + distance * distance - b * b) / (2 * a * distance));
    double knee = acos((distance * distance - a * a - b * b) / (2 * a * b)), thigh = lean - top;
    const tr_vec3 across = {1, 0, 0};
    tr_pose_set_rotation(pose, first, tr_quat_about(across, thigh));
    tr_pose_set_rotation(pose, first + 1, tr_quat_about(across, knee));
    tr_pose_set_rotation(pose, first + 2, tr_quat_about(across, -(thigh + knee)));
}

// One stride beginning with the left foot's contact; speed 0 gives a frame of standing.
static inline tr_clip *walker_clip(const tr_skeleton *skeleton, const walker_gait *gait) {
    bool walks = gait->speed > 0;
    uint32_t frames = walks ? gait->frames : 1;
    tr_clip_def def = {.name = gait->name, .skeleton = skeleton, .frame_count = frames, .loop = true};
    def.frames_per_second = walks ? frames * gait->rate : 30;
    tr_clip *clip = NULL;
    tr_pose pose = {0};
    static tr_base base[1024];
    if (frames > 1024 || tr_clip_create(&def, &clip, NULL) != TR_OK ||
        tr_pose_create(NULL, WALKER_JOINTS, &pose, NULL) != TR_OK)
        return NULL;
    double hip = WALKER_THIGH + WALKER_SHANK + WALKER_ANKLE - gait->crouch,
           stride = walks ? gait->speed / gait->rate : 0;
    for (uint32_t i = 0; i < frames; i++) {
        uint32_t contacts = 0;
        tr_pose_set_rest(&pose, skeleton);
        pose.position[1][0] = (float)hip;
        for (uint32_t side = 0; side < 2; side++) {
            double time = fmod((double)i / frames + 0.5 * side, 1), z = 0, y = WALKER_ANKLE;
            if (walks)
                walker_ankle(gait, time, &z, &y);
            walker_set_leg(&pose, 1 + 5 * side, hip, z, y);
            if (!walks || time <= gait->stance)
                contacts |= (TR_CONTACT_LEFT_HEEL | TR_CONTACT_LEFT_TOES) << 2 * side;
        }
        CHECK_INT(tr_clip_set_frame(clip, i, &pose), TR_OK);
        tr_clip_set_contacts(clip, i, contacts);
        base[i] = (tr_base){0, (float)(stride * i / frames), 0};
    }
    if (walks)
        CHECK_INT(tr_clip_set_base(clip, base, (tr_base){0, (float)stride, 0}), TR_OK);
    tr_pose_destroy(&pose);
    return clip;
}
