// Scenes of awkward triangles, and the slow way to ask them: every triangle, one after the other.
#pragma once
#include "troupe/base/random.h"
#include "troupe/world/distance.h"
#include "troupe/world/solid.h"

#include <stdlib.h>

typedef struct oracle {
    tr_vec3 (*triangles)[3];
    uint32_t *objects, *numbers;
    uint32_t count;
} oracle;

static inline tr_vec3 oracle_placed(const tr_affine *a, tr_vec3 p) {
    float at[3];
    for (int k = 0; k < 3; k++)
        at[k] = (float)((double)a->m[k][0] * p.x + (double)a->m[k][1] * p.y + (double)a->m[k][2] * p.z +
                        (double)a->m[k][3]);
    return tr_vec3_make(at[0], at[1], at[2]);
}

// All objects with a mesh that have none of the tags.
static inline oracle oracle_make(const tr_scene *scene, uint32_t exclude_tags) {
    uint64_t most = tr_scene_triangle_count(scene) + 1;
    oracle made = {malloc(most * sizeof *made.triangles), malloc(most * 4), malloc(most * 4), 0};
    for (uint32_t i = 0; i < tr_scene_object_count(scene); i++) {
        tr_object_view object = tr_scene_object(scene, i);
        if (object.removed || (object.tags & exclude_tags) || object.mesh == TR_NONE)
            continue;
        tr_mesh_view mesh = tr_scene_mesh(scene, object.mesh);
        for (uint32_t t = 0; t < mesh.triangle_count; t++, made.count++) {
            for (int k = 0; k < 3; k++)
                made.triangles[made.count][k] =
                    oracle_placed(&object.placement, mesh.positions[mesh.indices[3 * t + k]]);
            made.objects[made.count] = i;
            made.numbers[made.count] = t;
        }
    }
    return made;
}

static inline void oracle_free(oracle *made) {
    free(made->triangles);
    free(made->objects);
    free(made->numbers);
}

static inline float oracle_distance(const oracle *of, tr_vec3 a, tr_vec3 b) {
    float best = INFINITY;
    for (uint32_t i = 0; i < of->count; i++) {
        float squared = tr_distance_segment_triangle(a, b, of->triangles[i], NULL, NULL);
        best = squared < best ? squared : best;
    }
    return sqrtf(best);
}

static inline tr_vec3 random_point(tr_random *random, float size) {
    float x = tr_random_between(random, -size, size);
    float y = tr_random_between(random, -size, size);
    float z = tr_random_between(random, -size, size);
    return tr_vec3_make(x, y, z);
}

// One triangle of a kind: plain, sliver, a line, a point, flat on an axis, huge, tiny.
static inline void random_triangle(tr_random *random, float size, tr_vec3 corners[3]) {
    uint32_t kind = tr_random_below(random, 8);
    tr_vec3 at = random_point(random, size);
    float extent = size * (kind == 5 ? 2 : kind == 6 ? 1e-5f : 0.1f);
    for (int k = 0; k < 3; k++)
        corners[k] = tr_vec3_add(at, random_point(random, extent));
    float t = tr_random_unit(random);
    tr_vec3 side = tr_vec3_subtract(corners[1], corners[0]);
    if (kind == 1)
        corners[2] = tr_vec3_add(tr_vec3_add(corners[0], tr_vec3_scale(side, t)),
                                 random_point(random, extent * 1e-5f));
    if (kind == 2)
        corners[2] = tr_vec3_add(corners[0], tr_vec3_scale(side, t));
    if (kind == 3)
        corners[1] = corners[2] = corners[0];
    if (kind == 4)
        corners[1].y = corners[2].y = corners[0].y = 0.25f * size;
}

static inline uint32_t add_random_mesh(tr_scene *scene, tr_random *random, uint32_t count, float size) {
    tr_vec3 *positions = malloc(3 * (size_t)count * sizeof *positions + 1);
    uint32_t *indices = malloc(3 * (size_t)count * sizeof *indices + 1), mesh = TR_NONE;
    for (uint32_t i = 0; i < 3 * count; i++)
        indices[i] = i;
    for (uint32_t i = 0; i < count; i++)
        random_triangle(random, size, &positions[3 * i]);
    tr_mesh_def def = {NULL, positions, 3 * count, indices, count};
    tr_scene_add_mesh(scene, &def, &mesh, NULL);
    free(positions);
    free(indices);
    return mesh;
}

static inline uint32_t add_random_object(tr_scene *scene, tr_random *random, uint32_t count, float size,
                                         uint32_t tags) {
    uint32_t object = TR_NONE;
    tr_object_def def = {NULL, add_random_mesh(scene, random, count, size), tr_affine_identity(), tags};
    tr_scene_add_object(scene, &def, &object, NULL);
    return object;
}

static inline tr_affine random_placement(tr_random *random, float size) {
    tr_vec3 position = random_point(random, size), axis = random_point(random, 1);
    float angle = tr_random_between(random, -3, 3), stretch = tr_random_between(random, 0.5f, 1.5f);
    tr_transform transform = {position, tr_quat_about(axis, angle), {stretch, stretch, stretch}};
    return tr_affine_from_transform(transform);
}

// A line of a kind: anywhere, of no length, along an axis, from a corner, along an edge, far away, very long.
static inline void random_line(tr_random *random, const oracle *of, float size, tr_vec3 *a, tr_vec3 *b) {
    uint32_t kind = tr_random_below(random, 8);
    float t = tr_random_unit(random);
    *a = random_point(random, 1.2f * size);
    *b = tr_vec3_add(*a, random_point(random, 0.3f * size));
    if (kind == 1)
        *b = *a;
    if (kind == 2)
        b->x = a->x, b->y = a->y;
    if (kind < 3 || of->count == 0)
        return;
    const tr_vec3 *triangle = of->triangles[tr_random_below(random, of->count)];
    tr_vec3 side = tr_vec3_subtract(triangle[1], triangle[0]);
    if (kind == 3)
        *a = triangle[0];
    if (kind == 4) // along an edge, a little off
        *a = tr_vec3_add(triangle[0], random_point(random, 0.01f * size)), *b = tr_vec3_add(*a, side);
    if (kind == 5)
        *a = tr_vec3_add(triangle[2], random_point(random, 1e-4f * size));
    if (kind == 6)
        *a = tr_vec3_scale(*a, 1 + 9 * t * t), *b = tr_vec3_add(*a, side);
    if (kind == 7 && t < 0.2f)
        *a = tr_vec3_scale(*a, 100 * t);
}
