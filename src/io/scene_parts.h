// io/scene_parts.h - what a reader has found so far. The scene is changed only after the whole file was read.
#pragma once
#include "troupe/io/scene_file.h"

// Options with every default filled in, and the rotation and scale from the file's axes to ours.
typedef struct tr_scene_reading {
    tr_scene_read_options options;
    tr_allocator allocator;
    double axes[3][3];
} tr_scene_reading;

// TR_INVALID for options out of range. `options` may be NULL.
tr_status tr_scene_reading_begin(const tr_scene_read_options *options, tr_scene_reading *reading,
                                 tr_error *error);

// Reports an irregularity to the caller.
void tr_scene_note(const tr_scene_reading *reading, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

typedef struct tr_part_mesh {
    char *name; // never NULL
    tr_vec3 *positions;
    uint32_t *indices;
    uint32_t position_count, position_capacity, index_count, index_capacity;
    tr_box bounds;
} tr_part_mesh;

typedef struct tr_part_object {
    char *name; // never NULL
    uint32_t mesh;
    tr_affine placement;
} tr_part_object;

typedef struct tr_scene_parts {
    const tr_scene_reading *reading;
    tr_part_mesh *meshes;
    tr_part_object *objects;
    uint32_t mesh_count, mesh_capacity, object_count, object_capacity;
    uint64_t triangle_count; // of all objects
} tr_scene_parts;

tr_scene_parts tr_scene_parts_begin(const tr_scene_reading *reading);
void tr_scene_parts_end(tr_scene_parts *parts);

// An empty mesh to be filled by the next two calls, or NULL: no memory. The pointer is valid until the next
// mesh is added.
tr_part_mesh *tr_scene_parts_add_mesh(tr_scene_parts *parts, const char *name, size_t name_length);
bool tr_scene_parts_add_position(tr_scene_parts *parts, tr_part_mesh *mesh,
                                 tr_vec3 position); // false: no memory
bool tr_scene_parts_add_triangle(tr_scene_parts *parts, tr_part_mesh *mesh, uint32_t a, uint32_t b,
                                 uint32_t c);

// Adds an object; TR_LIMIT for too many objects or triangles, TR_BAD_FILE for one outside the allowed extent.
tr_status tr_scene_parts_add_object(tr_scene_parts *parts, const char *name, size_t name_length,
                                    uint32_t mesh, const tr_affine *placement, tr_error *error);

// Adds everything to the scene, or nothing. The parts are empty afterwards.
tr_status tr_scene_parts_commit(tr_scene_parts *parts, tr_scene *scene, tr_error *error);

tr_status tr_scene_parts_no_memory(tr_error *error); // fills the error of a reader that ran out of memory
