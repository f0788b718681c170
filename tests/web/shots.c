// shots FOLDER FILE...: read each motion file (BVH, glTF, GLB) and write it into the folder in every form
// that the library has, and write a shot with a scene, several characters and a line. For the judges
// (validate.mjs, compare.mjs).
#include "troupe/io/bvh.h"
#include "troupe/io/gltf_motion.h"
#include "troupe/io/gltf_write.h"
#include "troupe/motion/mannequin.h"
#include "troupe/world/sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ACTORS_MAX 16

static const char *const forms[] = {"skinned", "segments", "bones"};

static void stop(const char *what, const tr_error *error) {
    fprintf(stderr, "%s: %s\n", what, error->message);
    exit(1);
}

static void write(const char *folder, const char *name, const tr_gltf_shot *shot) {
    char path[4096];
    tr_bytes bytes = {0};
    tr_error error = {0};
    snprintf(path, sizeof path, "%s/%s-%s.%s", folder, name, forms[shot->form], shot->text ? "gltf" : "glb");
    if (tr_gltf_write(shot, &bytes, &error) != TR_OK ||
        tr_file_write(path, bytes.data, bytes.size, &error) != TR_OK)
        stop(path, &error);
    tr_bytes_free(NULL, &bytes);
}

// A buffer beside the glTF file, whose path is `user`.
static tr_status load_beside(void *user, const char *uri, const tr_allocator *allocator, tr_bytes *bytes,
                             tr_error *error) {
    const char *file = user, *slash = strrchr(file, '/');
    char path[4096];
    snprintf(path, sizeof path, "%.*s%s", slash ? (int)(slash - file + 1) : 0, file, uri);
    return tr_file_read(allocator, path, bytes, error);
}

static void write_file(const char *folder, char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    tr_bytes bytes = {0};
    tr_error error = {0};
    tr_figures figures = tr_figures_begin(NULL);
    tr_status status = tr_file_read(NULL, path, &bytes, &error);
    if (status == TR_OK && strstr(name, ".bvh")) {
        tr_figure *figure = tr_figures_add(&figures);
        status = figure ? tr_bvh_read(bytes.data, bytes.size, NULL, figure, &error) : TR_OUT_OF_MEMORY;
    } else if (status == TR_OK) {
        status = tr_gltf_read_figures(bytes.data, bytes.size, NULL, load_beside, path, &figures, &error);
    }
    if (status != TR_OK)
        stop(path, &error);
    tr_gltf_actor actors[ACTORS_MAX];
    uint32_t count = figures.count < ACTORS_MAX ? figures.count : ACTORS_MAX;
    for (uint32_t i = 0; i < count; i++)
        actors[i] = (tr_gltf_actor){.name = figures.items[i].name,
                                    .skeleton = figures.items[i].skeleton,
                                    .body = figures.items[i].body,
                                    .clips = (const tr_clip *const *)figures.items[i].clips,
                                    .clip_count = figures.items[i].clip_count};
    for (int form = 0; form < 3; form++) {
        tr_gltf_shot shot = {.actors = actors,
                             .actor_count = count,
                             .form = (tr_gltf_form)form,
                             .text = form == TR_GLTF_SEGMENTS,
                             .apart = form == TR_GLTF_SEGMENTS,
                             .tolerance = form == TR_GLTF_SKINNED ? 0.001f : 0};
        write(folder, name, &shot);
    }
    tr_figures_destroy(&figures);
    tr_bytes_free(NULL, &bytes);
}

// Two mannequins that turn on the spot in an office, and a line on the floor.
static void write_office(const char *folder) {
    static const tr_vec3 points[4] = {{0, 0.02f, 0}, {1, 0.02f, 1}, {2, 0.02f, 1}, {3, 0.02f, 3}};
    const tr_gltf_line line = {"route", points, 4, {0.9f, 0.3f, 0.1f}};
    tr_error error = {0};
    tr_sample sample = {0};
    tr_skeleton *skeleton = NULL;
    tr_body *body = NULL;
    tr_clip *clip = NULL;
    tr_pose pose = {0};
    if (tr_sample_make(&(tr_sample_def){.name = "office"}, &sample, &error) != TR_OK ||
        tr_mannequin_make(&(tr_mannequin_def){0}, &skeleton, &body, &error) != TR_OK)
        stop("office", &error);
    tr_clip_def def = {.name = "turn", .skeleton = skeleton, .frame_count = 61, .frames_per_second = 30};
    if (tr_clip_create(&def, &clip, &error) != TR_OK ||
        tr_pose_create(NULL, tr_skeleton_joint_count(skeleton), &pose, &error) != TR_OK)
        stop("office", &error);
    for (uint32_t i = 0; i < 61; i++) {
        tr_pose_set_rest(&pose, skeleton);
        tr_pose_set_rotation(&pose, 0, tr_quat_about(tr_vec3_make(0, 1, 0), i * 0.1));
        tr_clip_set_frame(clip, i, &pose);
    }
    const tr_clip *clips[] = {clip};
    tr_affine place = tr_affine_place(tr_vec3_make(2, 0, 1), 1);
    const tr_gltf_actor actors[2] = {
        {.name = "Ann", .skeleton = skeleton, .body = body, .clips = clips, .clip_count = 1},
        {.name = "Bob",
         .skeleton = skeleton,
         .body = body,
         .clips = clips,
         .clip_count = 1,
         .place = &place}};
    for (int form = 0; form < 3; form++) {
        tr_gltf_shot shot = {.actors = actors,
                             .actor_count = 2,
                             .scene = sample.scene,
                             .lines = &line,
                             .line_count = 1,
                             .form = (tr_gltf_form)form,
                             .title = "office"};
        write(folder, "office", &shot);
    }
    tr_pose_destroy(&pose);
    tr_clip_destroy(clip);
    tr_body_destroy(body);
    tr_skeleton_destroy(skeleton);
    tr_scene_destroy(sample.scene);
}

int main(int argument_count, char **arguments) {
    if (argument_count < 2) {
        fprintf(stderr, "usage: shots FOLDER FILE...\n");
        return 2;
    }
    write_office(arguments[1]);
    for (int i = 2; i < argument_count; i++)
        write_file(arguments[1], arguments[i]);
    return 0;
}
