// Motion over the ground, taken out of a clip and put back: a walk for a file format that knows nothing of
// base points, and a start that comes back from such a file. Then the same walk, slowed down for a moment.
#include "troupe/motion/clip_edit.h"
#include "troupe/motion/gait.h"
#include "troupe/motion/mannequin.h"

#include <stdio.h>

static void print_clip(const char *what, const tr_clip *clip) {
    tr_pose pose = {.joint_count = 0};
    if (tr_pose_create(NULL, tr_clip_joint_count(clip), &pose, NULL) != TR_OK)
        return;
    printf("%s: %.2f s, %s\n", what, tr_clip_duration(clip), tr_clip_has_base(clip) ? "a base" : "no base");
    double last =
        (tr_clip_frame_count(clip) - 1) / tr_clip_rate(clip); // of the frames; a loop goes on a little
    for (int i = 0; i <= 3; i++) {
        double time = last * i / 3;
        tr_base base = tr_clip_base(clip, time);
        tr_clip_sample(clip, time, &pose);
        printf("  %.2f s: base at %.2f m, hips %.2f m ahead of it\n", time, (double)base.z,
               (double)pose.position[2][0]);
    }
    tr_pose_destroy(&pose);
}

// A walk is made with a base. Players that know only joints need the motion in the root.
static tr_status put_back(const tr_skeleton *skeleton, const tr_clip *walk, tr_error *error) {
    tr_clip *world = NULL;
    tr_status status = tr_clip_edit_put_base(NULL, skeleton, walk, &world, error);
    if (status == TR_OK)
        print_clip("for a file", world);
    tr_clip_destroy(world);
    return status;
}

// A start as a file has it, all in the root. It gains speed: a base that goes at constant speed would not
// fit, so it follows the hips.
static tr_status take_out(const tr_skeleton *skeleton, const tr_clip *start, tr_error *error) {
    tr_clip *file = NULL, *ready = NULL;
    tr_status status = tr_clip_edit_put_base(NULL, skeleton, start, &file, error);
    if (status == TR_OK)
        status = tr_clip_edit_take_base(NULL, skeleton, file, TR_BASE_FOLLOW, &ready, error);
    if (status == TR_OK)
        print_clip("a start from a file", ready);
    tr_clip_destroy(file);
    tr_clip_destroy(ready);
    return status;
}

// Two rounds of the walk; the middle of the way takes three times as long.
static tr_status slow_down(const tr_skeleton *skeleton, const tr_clip *walk, tr_error *error) {
    double round = tr_clip_duration(walk);
    const double to[] = {0, 0.75 * round, 1.25 * round, 2 * round},
                 from[] = {0, 0.75 * round, 2.25 * round, 3 * round};
    tr_clip *slow = NULL;
    tr_status status = tr_clip_edit_warp(NULL, skeleton, walk, from, to, 4, &slow, error);
    if (status == TR_OK)
        print_clip("slow in the middle", slow);
    tr_clip_destroy(slow);
    return status;
}

int main(void) {
    tr_mannequin_def def = {.height = 1.75f};
    tr_skeleton *skeleton = NULL;
    tr_clip *walk = NULL, *start = NULL;
    tr_error error = {0};
    tr_status status = tr_mannequin_make(&def, &skeleton, NULL, &error);
    tr_gait_def walk_def = {.skeleton = skeleton, .kind = TR_GAIT_WALK},
                start_def = {.skeleton = skeleton, .kind = TR_GAIT_START};
    if (status == TR_OK)
        status = tr_gait_make(&walk_def, &walk, &error);
    if (status == TR_OK)
        status = tr_gait_make(&start_def, &start, &error);
    if (status == TR_OK) {
        print_clip("as it is made", walk);
        status = put_back(skeleton, walk, &error);
    }
    if (status == TR_OK)
        status = take_out(skeleton, start, &error);
    if (status == TR_OK)
        status = slow_down(skeleton, walk, &error);
    if (status != TR_OK)
        fprintf(stderr, "%s\n", error.message);
    tr_clip_destroy(start);
    tr_clip_destroy(walk);
    tr_skeleton_destroy(skeleton);
    return status == TR_OK ? 0 : 1;
}
