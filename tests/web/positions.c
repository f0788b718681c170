// positions FILE COUNT: where the joints of every figure in a BVH, glTF or GLB file are, as JSON, at COUNT
// frames of each clip from the first to the last. For comparing with what other programs make of the file
// (compare.mjs). BVH is in the file's own units.
#include "troupe/io/bvh.h"
#include "troupe/io/gltf_motion.h"
#include "troupe/io/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool ends_with(const char *text, const char *end) {
    size_t length = strlen(text), size = strlen(end);
    return length >= size && strcmp(text + length - size, end) == 0;
}

// A buffer beside the glTF file, whose path is `user`.
static tr_status load_beside(void *user, const char *uri, const tr_allocator *allocator, tr_bytes *bytes,
                             tr_error *error) {
    const char *file = user, *slash = strrchr(file, '/');
    char path[4096];
    snprintf(path, sizeof path, "%.*s%s", slash ? (int)(slash - file + 1) : 0, file, uri);
    return tr_file_read(allocator, path, bytes, error);
}

static tr_status read(char *path, tr_figures *figures, tr_error *error) {
    tr_bytes bytes = {0};
    tr_status status = tr_file_read(NULL, path, &bytes, error);
    if (status != TR_OK)
        return status;
    if (ends_with(path, ".bvh")) {
        tr_bvh_options options = tr_bvh_options_default();
        options.metres_per_unit = 1;
        tr_figure *figure = tr_figures_add(figures);
        status = figure ? tr_bvh_read(bytes.data, bytes.size, &options, figure, error) : TR_OUT_OF_MEMORY;
    } else {
        status = tr_gltf_read_figures(bytes.data, bytes.size, NULL, load_beside, path, figures, error);
    }
    tr_bytes_free(NULL, &bytes);
    return status;
}

static void write_points(tr_json_writer *writer, const tr_affine *model, uint32_t count) {
    tr_json_write_key(writer, "points");
    tr_json_write_array(writer);
    for (uint32_t i = 0; i < count; i++) {
        const tr_vec3 points[2] = {tr_affine_position(&model[i]),
                                   tr_affine_apply(&model[i], tr_vec3_make(0.3f, 0.5f, 0.7f))};
        for (int k = 0; k < 2; k++) {
            tr_json_write_float(writer, points[k].x);
            tr_json_write_float(writer, points[k].y);
            tr_json_write_float(writer, points[k].z);
        }
    }
    tr_json_write_end(writer);
}

static void write_frame(tr_json_writer *writer, const tr_skeleton *skeleton, const tr_clip *clip,
                        uint32_t frame, tr_pose *pose, tr_affine *model) {
    tr_clip_get_frame(clip, frame, pose);
    tr_pose_to_model(skeleton, pose, NULL, model);
    tr_json_write_object(writer);
    tr_json_write_key(writer, "time");
    tr_json_write_number(writer, frame / tr_clip_rate(clip));
    write_points(writer, model, tr_skeleton_joint_count(skeleton));
    tr_json_write_end(writer);
}

static void write_clip(tr_json_writer *writer, const tr_skeleton *skeleton, const tr_clip *clip,
                       uint32_t count) {
    uint32_t joints = tr_skeleton_joint_count(skeleton), frames = tr_clip_frame_count(clip);
    tr_pose pose;
    tr_affine *model = calloc(joints, sizeof *model);
    if (!model || tr_pose_create(NULL, joints, &pose, NULL) != TR_OK)
        exit(1);
    tr_json_write_object(writer);
    tr_json_write_key(writer, "name");
    tr_json_write_text(writer, tr_clip_name(clip));
    tr_json_write_key(writer, "frames_per_second");
    tr_json_write_number(writer, tr_clip_rate(clip));
    tr_json_write_key(writer, "frames");
    tr_json_write_array(writer);
    count = count < frames ? count : frames;
    for (uint32_t i = 0; i < count; i++)
        write_frame(writer, skeleton, clip,
                    count > 1 ? (uint32_t)((uint64_t)i * (frames - 1) / (count - 1)) : 0, &pose, model);
    tr_json_write_end(writer);
    tr_json_write_end(writer);
    tr_pose_destroy(&pose);
    free(model);
}

static void write_figure(tr_json_writer *writer, const tr_figure *figure, uint32_t count) {
    tr_json_write_object(writer);
    tr_json_write_key(writer, "name");
    tr_json_write_text(writer, figure->name ? figure->name : "");
    tr_json_write_key(writer, "joints");
    tr_json_write_array(writer);
    for (uint32_t i = 0; i < tr_skeleton_joint_count(figure->skeleton); i++)
        tr_json_write_text(writer, tr_skeleton_joint(figure->skeleton, i).name);
    tr_json_write_end(writer);
    tr_json_write_key(writer, "rest");
    tr_json_write_object(writer);
    write_points(writer, tr_skeleton_rest_model(figure->skeleton), tr_skeleton_joint_count(figure->skeleton));
    tr_json_write_end(writer);
    tr_json_write_key(writer, "clips");
    tr_json_write_array(writer);
    for (uint32_t i = 0; i < figure->clip_count; i++)
        write_clip(writer, figure->skeleton, figure->clips[i], count);
    tr_json_write_end(writer);
    tr_json_write_end(writer);
}

int main(int argument_count, char **arguments) {
    if (argument_count != 3) {
        fprintf(stderr, "usage: positions FILE COUNT\n");
        return 2;
    }
    tr_figures figures = tr_figures_begin(NULL);
    tr_error error = {0};
    if (read(arguments[1], &figures, &error) != TR_OK) {
        fprintf(stderr, "%s: %s\n", arguments[1], error.message);
        return 1;
    }
    tr_json_writer writer = tr_json_writer_begin(NULL);
    tr_json_write_array(&writer);
    for (uint32_t i = 0; i < figures.count; i++)
        write_figure(&writer, &figures.items[i], (uint32_t)atoi(arguments[2]));
    tr_json_write_end(&writer);
    tr_bytes text = {0};
    tr_status status = tr_json_writer_finish(&writer, &text, &error);
    if (status == TR_OK)
        fwrite(text.data, 1, text.size, stdout);
    tr_bytes_free(NULL, &text);
    tr_figures_destroy(&figures);
    return status != TR_OK;
}
