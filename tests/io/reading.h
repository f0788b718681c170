// What the tests of the readers share: a scene that must stay as it was, notes, and damage to a file.
#pragma once
#include "test.h"
#include "troupe/base/random.h"
#include "troupe/io/scene_file.h"

#include <math.h>
#include <string.h>

typedef struct reading_notes {
    char text[2000]; // all of them, one a line
    int count;
} reading_notes;

static inline void reading_note(void *user, const char *sentence) {
    reading_notes *notes = user;
    size_t length = strlen(notes->text);
    snprintf(notes->text + length, sizeof notes->text - length, "%s\n", sentence);
    notes->count++;
}

static inline tr_scene_read_options reading_options(reading_notes *notes) {
    memset(notes, 0, sizeof *notes);
    tr_scene_read_options options = tr_scene_read_options_default();
    options.note = reading_note;
    options.note_user = notes;
    return options;
}

// A scene with one object in it; NULL when there was no memory.
static inline tr_scene *reading_scene(const tr_allocator *allocator) {
    static const tr_vec3 positions[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    static const uint32_t indices[3] = {0, 1, 2};
    tr_scene *scene = NULL;
    if (tr_scene_create(allocator, &scene) != TR_OK)
        return NULL;
    tr_mesh_def mesh = {.name = "before",
                        .positions = positions,
                        .position_count = 3,
                        .indices = indices,
                        .triangle_count = 1};
    tr_object_def object = {.name = "before", .placement = tr_affine_identity()};
    uint32_t number;
    if (tr_scene_add_mesh(scene, &mesh, &object.mesh, NULL) == TR_OK &&
        tr_scene_add_object(scene, &object, &number, NULL) == TR_OK)
        return scene;
    tr_scene_destroy(scene);
    return NULL;
}

// Does the scene hold nothing but what reading_scene() put there?
static inline bool reading_scene_is_untouched(const tr_scene *scene) {
    return tr_scene_mesh_count(scene) == 1 && tr_scene_object_count(scene) == 1 &&
           tr_scene_triangle_count(scene) == 1 && strcmp(tr_scene_object(scene, 0).name, "before") == 0;
}

// Twice the area of all triangles of an object, as a vector sum: for plane polygons, twice the area times the
// normal.
static inline tr_vec3 reading_area(const tr_scene *scene, uint32_t number, double *sum_of_sizes) {
    tr_object_view object = tr_scene_object(scene, number);
    tr_mesh_view mesh = tr_scene_mesh(scene, object.mesh);
    tr_vec3 area = {0, 0, 0};
    *sum_of_sizes = 0;
    for (uint32_t i = 0; i < mesh.triangle_count; i++) {
        tr_vec3 p[3];
        for (int k = 0; k < 3; k++)
            p[k] = tr_affine_apply(&object.placement, mesh.positions[mesh.indices[i * 3 + k]]);
        tr_vec3 cross = tr_vec3_cross(tr_vec3_subtract(p[1], p[0]), tr_vec3_subtract(p[2], p[0]));
        area = tr_vec3_add(area, cross);
        *sum_of_sizes += (double)tr_vec3_length(cross);
    }
    return area;
}

typedef tr_status (*reading_function)(const void *data, size_t size, const tr_scene_read_options *options,
                                      tr_scene *scene, tr_error *error);

static inline void reading_try(reading_function read, const uint8_t *data, size_t size) {
    tr_scene *scene = reading_scene(NULL);
    tr_error error = {0};
    tr_scene_read_options options = tr_scene_read_options_default();
    options.max_triangles = 100000;
    tr_allocator allocator = tr_allocator_default();
    uint8_t *copy =
        tr_allocate(&allocator, size, 1); // of this very size: the sanitizer sees one byte too many
    if (!scene || !copy)
        return;
    if (size)
        memcpy(copy, data, size);
    tr_status status = read(copy, size, &options, scene, &error);
    if (status != TR_OK &&
        (!reading_scene_is_untouched(scene) || !error.message[0] || error.status != status))
        test_failed(__FILE__, __LINE__, "%s (%s) left the scene changed or without a sentence",
                    tr_status_name(status), error.message);
    tr_release(&allocator, copy, size, 1);
    tr_scene_destroy(scene);
}

// Read every beginning of the file, and the file with each single byte changed to a few others. Nothing may
// go wrong but the reading.
static inline void reading_damage(reading_function read, const uint8_t *data, size_t size) {
    for (size_t length = 0; length <= size; length++)
        reading_try(read, data, length);
    static uint8_t changed[8192];
    if (size > sizeof changed) {
        test_failed(__FILE__, __LINE__, "the file has %zu bytes, that is too many to damage each", size);
        return;
    }
    static const uint8_t bytes[] = {0, 0x80, 0xff, ' ', '\n', '"', '-', '9', '{', ']', ','};
    tr_random random = tr_random_seed(size);
    for (size_t at = 0; at < size; at++) {
        memcpy(changed, data, size);
        for (size_t i = 0; i < sizeof bytes; i++) {
            changed[at] = bytes[i];
            reading_try(read, changed, size);
        }
        for (int bit = 0; bit < 8; bit += 2) {
            changed[at] = data[at] ^ (uint8_t)(1 << bit);
            reading_try(read, changed, size);
        }
        changed[at] = (uint8_t)tr_random_bits(&random);
        reading_try(read, changed, size);
    }
}
