// A pendulum of two rods swings for two seconds; the GLB plays in any viewer. With a path it is written
// there.
#include "troupe/base/scalar.h"
#include "troupe/io/gltf_write.h"

#include <stdio.h>

#define FRAMES 61

static tr_status swing(const tr_skeleton *skeleton, tr_clip *clip) {
    tr_pose pose;
    tr_status status = tr_pose_create(NULL, tr_skeleton_joint_count(skeleton), &pose, NULL);
    for (uint32_t frame = 0; frame < FRAMES && status == TR_OK; frame++) {
        double sine, cosine;
        tr_sin_cos(frame * 2 * TR_PI / (FRAMES - 1), &sine, &cosine);
        tr_pose_set_rest(&pose, skeleton);
        tr_pose_set_rotation(&pose, 0, tr_quat_about(tr_vec3_make(0, 0, 1), 0.7 * cosine));
        tr_pose_set_rotation(&pose, 1, tr_quat_about(tr_vec3_make(0, 0, 1), 0.5 * sine));
        status = tr_clip_set_frame(clip, frame, &pose);
    }
    tr_pose_destroy(&pose);
    return status;
}

int main(int argument_count, char **arguments) {
    const tr_joint_def joints[] = {
        {.name = "pivot", .parent = TR_NONE, .rest = {{0, 2, 0}, {0, 0, 0, 1}, {1, 1, 1}}},
        {.name = "elbow", .parent = 0, .rest = {{0, -1, 0}, {0, 0, 0, 1}, {1, 1, 1}}},
        {.name = "tip_end", .parent = 1, .rest = {{0, -0.8f, 0}, {0, 0, 0, 1}, {1, 1, 1}}, .is_end = true}};
    tr_skeleton_def skeleton_def = {.name = "pendulum", .joints = joints, .joint_count = 3};
    tr_skeleton *skeleton = NULL;
    tr_clip *clip = NULL;
    tr_bytes bytes = {0};
    tr_error error = {0};
    tr_status status = tr_skeleton_create(&skeleton_def, &skeleton, &error);
    tr_clip_def clip_def = {
        .name = "swing", .skeleton = skeleton, .frame_count = FRAMES, .frames_per_second = 30};
    if (status == TR_OK)
        status = tr_clip_create(&clip_def, &clip, &error);
    if (status == TR_OK)
        status = swing(skeleton, clip);
    const tr_clip *clips[] = {clip};
    tr_gltf_actor actor = {.name = "pendulum", .skeleton = skeleton, .clips = clips, .clip_count = 1};
    tr_gltf_shot shot = {.actors = &actor, .actor_count = 1, .form = TR_GLTF_BONES, .title = "a pendulum"};
    if (status == TR_OK)
        status = tr_gltf_write(&shot, &bytes, &error);
    if (status == TR_OK && argument_count > 1)
        status = tr_file_write(arguments[1], bytes.data, bytes.size, &error);
    if (status != TR_OK)
        fprintf(stderr, "%s\n", error.message);
    else
        printf("a GLB of %zu bytes: %u joints, %u frames\n", bytes.size, tr_skeleton_joint_count(skeleton),
               tr_clip_frame_count(clip));
    tr_bytes_free(NULL, &bytes);
    tr_clip_destroy(clip);
    tr_skeleton_destroy(skeleton);
    return status != TR_OK;
}
