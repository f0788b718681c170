// Any bytes: they are read as characters in text or GLB, or refused. What was read can be written again, and
// that can be read, but for numbers that lie at the end of what a float can hold. The clips can also be added
// to the file itself, unless it names buffers elsewhere, and the character can be written into a shot.
#include "target.h"
#include "troupe/io/gltf_add.h"
#include "troupe/io/gltf_motion.h"
#include "troupe/io/gltf_write.h"

#include <math.h>

static void ignore_note(void *user, const char *sentence) {
    (void)user;
    TARGET_CHECK(sentence[0]);
}

static void check_figure(const tr_figure *figure) {
    uint32_t count = tr_skeleton_joint_count(figure->skeleton);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t parent = tr_skeleton_parents(figure->skeleton)[i];
        TARGET_CHECK(parent == TR_NONE || parent < i);
        TARGET_CHECK(tr_affine_is_finite(&tr_skeleton_rest_model(figure->skeleton)[i]));
    }
    tr_pose pose;
    TARGET_CHECK(tr_pose_create(NULL, count, &pose, NULL) == TR_OK);
    for (uint32_t i = 0; i < figure->clip_count; i++) {
        tr_clip_sample(figure->clips[i], tr_clip_duration(figure->clips[i]) / 2, &pose);
        for (uint32_t k = 0; k < count; k++)
            TARGET_CHECK(isfinite(pose.position[0][k]) && isfinite(pose.rotation[3][k]));
    }
    tr_pose_destroy(&pose);
}

static void write_again(const tr_figure *figure) {
    tr_gltf_actor actor = {.skeleton = figure->skeleton,
                           .body = figure->body,
                           .clips = (const tr_clip *const *)figure->clips,
                           .clip_count = figure->clip_count};
    tr_gltf_shot shot = {.actors = &actor, .actor_count = 1, .tolerance = 0.01f};
    tr_bytes bytes = {0};
    tr_figures figures = tr_figures_begin(NULL);
    TARGET_CHECK(tr_gltf_write(&shot, &bytes, NULL) == TR_OK);
    tr_status status = tr_gltf_read_figures(bytes.data, bytes.size, NULL, NULL, NULL, &figures, NULL);
    TARGET_CHECK(status == TR_OK || status == TR_BAD_FILE);
    TARGET_CHECK(figures.count == (status == TR_OK));
    tr_figures_destroy(&figures);
    tr_bytes_free(NULL, &bytes);
}

// The character of the file in a shot, twice, with its own looks.
static void stage_again(const uint8_t *data, size_t size, const tr_allocator *allocator,
                        const tr_figure *figure) {
    tr_gltf_source source = {.data = data, .size = size, .metres_per_unit = size % 3 ? 1 : 0.5};
    tr_gltf_actor actors[2] = {{.skeleton = figure->skeleton,
                                .clips = (const tr_clip *const *)figure->clips,
                                .clip_count = figure->clip_count,
                                .source = &source}};
    actors[1] = actors[0];
    tr_gltf_shot shot = {.allocator = allocator,
                         .actors = actors,
                         .actor_count = 2,
                         .root_motion = true,
                         .text = size % 2,
                         .tolerance = 0.01f,
                         .note = ignore_note};
    tr_bytes bytes = {0};
    tr_error error = {0};
    tr_status status = tr_gltf_write(&shot, &bytes, &error);
    TARGET_CHECK(status == TR_OK || (error.status == status && error.message[0] && !bytes.data));
    if (status != TR_OK)
        return;
    tr_figures figures = tr_figures_begin(NULL);
    status = tr_gltf_read_figures(bytes.data, bytes.size, NULL, NULL, NULL, &figures, &error);
    TARGET_CHECK(status == TR_OK || status == TR_BAD_FILE || status == TR_LIMIT || status == TR_NOT_FOUND);
    tr_figures_destroy(&figures);
    tr_bytes_free(allocator, &bytes);
}

static void add_again(const uint8_t *data, size_t size, const tr_allocator *allocator,
                      const tr_figure *figure) {
    tr_gltf_copy copies[2] = {
        {.clips = (const tr_clip *const *)figure->clips, .clip_count = figure->clip_count}};
    copies[1] = copies[0];
    copies[1].name = "twin";
    tr_gltf_addition addition = {.allocator = allocator,
                                 .data = data,
                                 .size = size,
                                 .copies = copies,
                                 .copy_count = 1 + (uint32_t)(size / 2 % 2),
                                 .text = size % 2,
                                 .tolerance = 0.01f,
                                 .note = ignore_note};
    tr_bytes bytes = {0};
    tr_error error = {0};
    tr_status status = tr_gltf_add_clips(&addition, &bytes, &error);
    TARGET_CHECK(status == TR_OK || (error.status == status && error.message[0] && !bytes.data));
    if (status != TR_OK)
        return;
    tr_figures figures = tr_figures_begin(NULL);
    status = tr_gltf_read_figures(bytes.data, bytes.size, NULL, NULL, NULL, &figures, &error);
    TARGET_CHECK(status == TR_OK || status == TR_BAD_FILE || status == TR_LIMIT);
    // Without skins, all nodes that move are one figure, those of all copies.
    if (status == TR_OK && addition.copy_count == 1)
        TARGET_CHECK(tr_skeleton_joint_count(figures.items[0].skeleton) ==
                     tr_skeleton_joint_count(figure->skeleton));
    tr_figures_destroy(&figures);
    tr_bytes_free(allocator, &bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    target_memory memory;
    tr_allocator allocator = target_allocator(&memory, size);
    tr_gltf_motion_options options = tr_gltf_motion_options_default();
    options.allocator = &allocator;
    options.max_values = 20000;
    options.textures = true;
    options.note = ignore_note;
    tr_figures figures = tr_figures_begin(&allocator);
    tr_error error = {0};
    tr_status status = tr_gltf_read_figures(data, size, &options, NULL, NULL, &figures, &error);
    TARGET_CHECK(status == TR_OK || (error.status == status && error.message[0]));
    TARGET_CHECK((status == TR_OK) == (figures.count > 0));
    for (uint32_t i = 0; i < figures.count; i++)
        check_figure(&figures.items[i]);
    if (figures.count > 0) {
        write_again(&figures.items[0]);
        add_again(data, size, &allocator, &figures.items[0]);
        stage_again(data, size, &allocator, &figures.items[0]);
    }
    tr_figures_destroy(&figures);
    TARGET_CHECK(memory.live == 0);
    return 0;
}
