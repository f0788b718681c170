// Blocks as objects of a scene: twelve triangles that face outwards. For tests and long runs.
#pragma once
#include "troupe/world/scene.h"

// The mesh over eight corners: four below, and four above them in the same order. TR_NONE without memory.
static inline uint32_t add_block_mesh(tr_scene *scene, const tr_vec3 corners[8]) {
    static const uint32_t indices[36] = {0, 5, 1, 0, 4, 5, 1, 6, 2, 1, 5, 6, 2, 7, 3, 2, 6, 7,
                                         3, 4, 0, 3, 7, 4, 4, 6, 5, 4, 7, 6, 0, 1, 2, 0, 2, 3};
    tr_mesh_def def = {.positions = corners, .position_count = 8, .indices = indices, .triangle_count = 12};
    uint32_t mesh = TR_NONE;
    tr_scene_add_mesh(scene, &def, &mesh, NULL);
    return mesh;
}

// An object over such corners. TR_NONE without memory.
static inline uint32_t add_block_over(tr_scene *scene, const char *name, const tr_vec3 corners[8]) {
    tr_object_def def = {
        .name = name, .mesh = add_block_mesh(scene, corners), .placement = tr_affine_identity()};
    uint32_t object = TR_NONE;
    if (def.mesh != TR_NONE)
        tr_scene_add_object(scene, &def, &object, NULL);
    return object;
}

// The corners of the box from `a`, the lowest of them, to `b`, the highest.
static inline void block_corners(tr_vec3 a, tr_vec3 b, tr_vec3 corners[8]) {
    for (uint32_t i = 0; i < 8; i++)
        corners[i] =
            tr_vec3_make(i % 4 == 1 || i % 4 == 2 ? b.x : a.x, i < 4 ? a.y : b.y, i % 4 < 2 ? a.z : b.z);
}

static inline uint32_t add_block(tr_scene *scene, const char *name, tr_vec3 a, tr_vec3 b) {
    tr_vec3 corners[8];
    block_corners(a, b, corners);
    return add_block_over(scene, name, corners);
}
