// A few steps as a capture would have them, made into one stride that loops: contacts found, the seam closed,
// the motion over the ground taken out; then the same stride with left and right exchanged.
#include "troupe/motion/limb.h"
#include "troupe/motion/mannequin.h"
#include "troupe/motion/clip_edit.h"

#include <stdio.h>

enum { FRAMES = 200, STRIDE = 60 }; // at 60 a second
static const float speed = 1.1f;    // [m/s]

// Where an ankle is along the way: it stands for 36 frames of a stride and is carried ahead in the others.
static tr_vec3 ankle_at(tr_vec3 rest, uint32_t frame, uint32_t side) {
    uint32_t shifted = frame + side * STRIDE / 2, at = shifted % STRIDE;
    float step = speed * STRIDE / 60, t = at < 36 ? 0 : (float)(at - 36) / 24,
          past = (float)(shifted / STRIDE);
    float along = step * (past - 0.5f * (float)side + t * t * (3 - 2 * t)) + 0.3f * step;
    return tr_vec3_make(rest.x, rest.y + 1.6f * t * t * (1 - t) * (1 - t), rest.z + along);
}

static void walk(const tr_skeleton *skeleton, tr_clip *clip, tr_pose *pose, tr_affine *model) {
    static const tr_role roles[2][3] = {{TR_ROLE_LEFT_THIGH, TR_ROLE_LEFT_SHANK, TR_ROLE_LEFT_FOOT},
                                        {TR_ROLE_RIGHT_THIGH, TR_ROLE_RIGHT_SHANK, TR_ROLE_RIGHT_FOOT}};
    uint32_t joints[2][3];
    tr_limb legs[2];
    for (uint32_t side = 0; side < 2; side++) {
        for (uint32_t i = 0; i < 3; i++)
            joints[side][i] = tr_skeleton_with_role(skeleton, roles[side][i]);
        tr_limb_measure(skeleton, joints[side][0], joints[side][1], joints[side][2], &legs[side], NULL);
    }
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        tr_pose_set_rest(pose, skeleton);
        pose->position[1][0] -= 0.06f;
        pose->position[2][0] += speed * (float)frame / 60;
        tr_pose_to_model(skeleton, pose, NULL, model);
        for (uint32_t side = 0; side < 2; side++) {
            const tr_quat flat = tr_quat_identity();
            tr_vec3 rest = tr_affine_position(&tr_skeleton_rest_model(skeleton)[joints[side][2]]);
            tr_limb_goal goal = {ankle_at(rest, frame, side), &flat, 1, 0};
            tr_limb_reach(&legs[side], skeleton, &goal, pose, NULL, model);
        }
        tr_clip_set_frame(clip, frame, pose);
    }
}

static int prepare(const tr_skeleton *skeleton, tr_clip *clip) {
    float ground;
    tr_error error;
    tr_clip *stride = NULL, *mirrored = NULL;
    if (tr_clip_edit_contacts(skeleton, clip, NULL, &ground, &error) != TR_OK ||
        tr_clip_edit_cycle(NULL, skeleton, clip, NULL, &stride, &error) != TR_OK ||
        tr_clip_edit_mirror(NULL, skeleton, stride, &mirrored, &error) != TR_OK) {
        fprintf(stderr, "%s\n", error.message);
        tr_clip_destroy(stride);
        return 1;
    }
    printf("ground at %.3f m; a stride of %u frames, %.2f s, at %.2f m/s\n", (double)ground,
           tr_clip_frame_count(stride), tr_clip_duration(stride), (double)tr_clip_speed(stride));
    for (int side = 0; side < 2; side++) {
        printf(side ? "right " : "left  ");
        for (uint32_t i = 0; i < tr_clip_frame_count(stride); i++)
            putchar(tr_clip_frame_contacts(stride, i) >> 2 * side & 3 ? '#' : '.');
        putchar('\n');
    }
    bool left = tr_clip_frame_contacts(mirrored, STRIDE / 4) & 3;
    printf("mirrored, it stands on the %s foot first\n", left ? "left" : "right");
    tr_clip_destroy(stride);
    tr_clip_destroy(mirrored);
    return 0;
}

int main(void) {
    tr_mannequin_def def = {.height = 1.75f};
    tr_skeleton *skeleton = NULL;
    tr_clip *clip = NULL;
    tr_pose pose = {.joint_count = 0};
    static tr_affine model[TR_SKELETON_JOINTS_MAX];
    int result = 1;
    if (tr_mannequin_make(&def, &skeleton, NULL, NULL) == TR_OK) {
        tr_clip_def clip_def = {.skeleton = skeleton, .frame_count = FRAMES, .frames_per_second = 60};
        if (tr_clip_create(&clip_def, &clip, NULL) == TR_OK &&
            tr_pose_create(NULL, tr_skeleton_joint_count(skeleton), &pose, NULL) == TR_OK) {
            walk(skeleton, clip, &pose, model);
            result = prepare(skeleton, clip);
            tr_pose_destroy(&pose);
        }
    }
    tr_clip_destroy(clip);
    tr_skeleton_destroy(skeleton);
    return result;
}
