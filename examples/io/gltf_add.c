// A flag in a glTF text, with a material and extras of its own, gets a motion: the file keeps what it has.
// With a path the result is written there.
#include "troupe/base/scalar.h"
#include "troupe/io/gltf_add.h"
#include "troupe/io/gltf_motion.h"

#include <stdio.h>

#define FRAMES 31

static const char flag[] =
    "{\"asset\": {\"version\": \"2.0\"}, \"scene\": 0, \"scenes\": [{\"nodes\": [0]}],"
    "\"nodes\": [{\"name\": \"pole\", \"children\": [1]}, {\"name\": \"flag\", \"translation\": [0, 2, 0]}],"
    "\"skins\": [{\"joints\": [0, 1]}], \"materials\": [{\"name\": \"silk\", \"doubleSided\": true}],"
    "\"extras\": {\"country\": \"Erewhon\"}}";

// The flag turns once about the pole.
static tr_status turn(const tr_skeleton *skeleton, tr_clip *clip) {
    tr_pose pose;
    tr_status status = tr_pose_create(NULL, tr_skeleton_joint_count(skeleton), &pose, NULL);
    for (uint32_t frame = 0; frame < FRAMES && status == TR_OK; frame++) {
        tr_pose_set_rest(&pose, skeleton);
        tr_pose_set_rotation(&pose, 1,
                             tr_quat_about(tr_vec3_make(0, 1, 0), 2 * TR_PI * frame / (FRAMES - 1)));
        status = tr_clip_set_frame(clip, frame, &pose);
    }
    tr_pose_destroy(&pose);
    return status;
}

int main(int argument_count, char **arguments) {
    tr_figures figures = tr_figures_begin(NULL);
    tr_clip *clip = NULL;
    tr_bytes bytes = {0};
    tr_error error = {0};
    tr_status status = tr_gltf_read_figures(flag, sizeof flag - 1, NULL, NULL, NULL, &figures, &error);
    const tr_skeleton *skeleton = status == TR_OK ? figures.items[0].skeleton : NULL;
    tr_clip_def def = {.name = "turn", .skeleton = skeleton, .frame_count = FRAMES, .frames_per_second = 30};
    if (status == TR_OK)
        status = tr_clip_create(&def, &clip, &error);
    if (status == TR_OK)
        status = turn(skeleton, clip);
    const tr_clip *clips[] = {clip};
    tr_gltf_copy copy = {.clips = clips, .clip_count = 1};
    tr_gltf_addition addition = {
        .data = flag, .size = sizeof flag - 1, .copies = &copy, .copy_count = 1, .text = true};
    if (status == TR_OK)
        status = tr_gltf_add_clips(&addition, &bytes, &error);
    if (status == TR_OK && argument_count > 1)
        status = tr_file_write(arguments[1], bytes.data, bytes.size, &error);
    if (status == TR_OK)
        printf("%zu bytes of glTF became %zu:\n%.*s...\n", sizeof flag - 1, bytes.size, 300,
               (const char *)bytes.data);
    else
        fprintf(stderr, "%s\n", error.message);
    tr_bytes_free(NULL, &bytes);
    tr_clip_destroy(clip);
    tr_figures_destroy(&figures);
    return status != TR_OK;
}
