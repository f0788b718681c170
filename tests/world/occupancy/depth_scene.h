// Random triangles and cameras, and a scene with both for the tests of depth maps.
#pragma once
#include "depth_oracle.h"

#include <stdlib.h>

#define DEPTH_TRIANGLES_MAX 64

// The corners as they are in the world, in double precision, for the oracle.
typedef struct depth_scene {
    tr_scene *scene;
    oracle_vector corners[3 * DEPTH_TRIANGLES_MAX];
    uint32_t triangles;
} depth_scene;

static inline tr_vec3 depth_random_point(tr_random *random, tr_vec3 about, float reach) {
    float x = tr_random_between(random, -reach, reach), y = tr_random_between(random, -reach, reach),
          z = tr_random_between(random, -reach, reach);
    return tr_vec3_add(about, tr_vec3_make(x, y, z));
}

// Some large, some small, some slivers: all around `about`.
static inline void depth_random_triangle(tr_random *random, tr_vec3 about, tr_vec3 corner[3]) {
    static const float reaches[4] = {0.05f, 0.3f, 1, 4};
    tr_vec3 middle = depth_random_point(random, about, 1.5f);
    float reach = reaches[tr_random_below(random, 4)];
    for (int k = 0; k < 3; k++)
        corner[k] = depth_random_point(random, middle, reach);
    if (tr_random_below(random, 8) == 0)
        corner[2] = tr_vec3_add(corner[1], tr_vec3_make(1e-4f, 0, -2e-4f));
}

// A scene of one placed mesh of `triangles` random triangles.
static inline depth_scene depth_random_scene(tr_random *random, tr_vec3 about, uint32_t triangles) {
    depth_scene made = {.triangles = triangles};
    tr_vec3 positions[3 * DEPTH_TRIANGLES_MAX];
    uint32_t indices[3 * DEPTH_TRIANGLES_MAX], mesh = TR_NONE;
    for (uint32_t i = 0; i < triangles; i++)
        depth_random_triangle(random, tr_vec3_make(0, 0, 0), &positions[3 * i]);
    for (uint32_t i = 0; i < 3 * triangles; i++)
        indices[i] = i;
    tr_mesh_def def = {.positions = positions,
                       .position_count = 3 * triangles,
                       .indices = indices,
                       .triangle_count = triangles};
    tr_affine placement = tr_affine_place(about, (double)tr_random_between(random, -3, 3));
    CHECK_INT(tr_scene_create(NULL, &made.scene), TR_OK);
    CHECK_INT(tr_scene_add_mesh(made.scene, &def, &mesh, NULL), TR_OK);
    little_object(made.scene, mesh, placement, 0);
    for (uint32_t i = 0; i < 3 * triangles; i++) {
        oracle_vector p = oracle_from(positions[i]);
        double world[3];
        for (int axis = 0; axis < 3; axis++) {
            const float *m = placement.m[axis];
            world[axis] = (double)m[0] * p.x + (double)m[1] * p.y + (double)m[2] * p.z + (double)m[3];
        }
        made.corners[i] = oracle_make(world[0], world[1], world[2]);
    }
    return made;
}

static inline tr_depth_camera depth_random_camera(tr_random *random, tr_vec3 about) {
    static const float tangents[4] = {0.1f, TR_DEPTH_HALF_TANGENT, 1, 4};
    static const float nears[3] = {0.01f, 0.2f, 1};
    tr_depth_camera camera = {.eye = depth_random_point(random, about, 1)};
    camera.forward = depth_random_point(random, tr_vec3_make(0, 0, 0), 1);
    camera.up = depth_random_point(random, tr_vec3_make(0, 0, 0), 1);
    camera.half_tangent = tangents[tr_random_below(random, 4)];
    camera.near = nears[tr_random_below(random, 3)];
    camera.far = camera.near * tr_random_between(random, 1.5f, 20);
    return camera;
}

static inline tr_depth_request depth_request(const tr_scene *scene, tr_depth_camera camera) {
    tr_depth_request request = {.scene = scene, .camera = camera, .exclude_object = TR_NONE};
    return request;
}

static inline tr_depth_map depth_make_map(uint32_t columns, uint32_t rows) {
    tr_depth_map map = {columns, rows, malloc(sizeof(float) * columns * rows), NULL};
    for (size_t i = 0; i < (size_t)columns * rows; i++)
        map.depth[i] = -77;
    return map;
}

// Compare two maps as the paper does, without asking anybody.
static inline bool depth_collides(const tr_depth_map *link, const tr_depth_map *scene) {
    for (size_t i = 0; i < (size_t)link->columns * link->rows; i++)
        if (link->depth[i] > 0 && link->depth[i] >= scene->depth[i])
            return true;
    return false;
}
