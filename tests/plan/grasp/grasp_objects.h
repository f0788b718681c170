// Things to take hold of: balls, prisms with many sides, and boxes, as scenes with one object.
#pragma once
#include "test.h"
#include "troupe/base/random.h"
#include "troupe/base/scalar.h"
#include "troupe/plan/grasp.h"

#include <stdlib.h>

typedef enum thing_kind { THING_BALL, THING_PRISM, THING_BOX, THING_KINDS } thing_kind;

typedef struct thing {
    tr_scene *scene;
    tr_solid *solid;
    tr_box bounds;
    tr_vec3 *corners; // three for each triangle, in the world
    uint32_t triangles;
} thing;

#define THING_ROUND 24
#define THING_RINGS 12

// Rings of corners between two poles: a prism has two rings, a ball many.
static uint32_t thing_rings(thing_kind kind, tr_vec3 half, tr_vec3 *positions, uint32_t *ring_count) {
    uint32_t rings = kind == THING_BALL ? THING_RINGS : 2, round = kind == THING_BOX ? 4 : THING_ROUND, n = 0;
    for (uint32_t r = 0; r < rings; r++) {
        double at = kind == THING_BALL ? TR_PI * (r + 1.0) / (rings + 1.0) : 0, sine = 1, cosine = r ? -1 : 1;
        if (kind == THING_BALL)
            tr_sin_cos(at, &sine, &cosine);
        for (uint32_t k = 0; k < round; k++) {
            double s, c, wide = kind == THING_BOX ? 1.4142135623730951 : 1;
            tr_sin_cos(2 * TR_PI * (k + (kind == THING_BOX ? 0.5 : 0)) / round, &s, &c);
            positions[n++] = tr_vec3_make(half.x * (float)(wide * sine * c), half.y * (float)cosine,
                                          half.z * (float)(wide * sine * s));
        }
    }
    positions[n++] = tr_vec3_make(0, half.y, 0);
    positions[n++] = tr_vec3_make(0, -half.y, 0);
    *ring_count = rings;
    return n;
}

static uint32_t thing_indices(uint32_t rings, uint32_t round, uint32_t *indices) {
    uint32_t n = 0, top = rings * round, bottom = top + 1;
    for (uint32_t k = 0; k < round; k++) {
        uint32_t next = (k + 1) % round, last = (rings - 1) * round;
        const uint32_t caps[6] = {top, next, k, bottom, last + k, last + next};
        for (int i = 0; i < 6; i++)
            indices[n++] = caps[i];
        for (uint32_t r = 0; r + 1 < rings; r++) {
            uint32_t a = r * round + k, b = r * round + next;
            const uint32_t sides[6] = {a, b, b + round, a, b + round, a + round};
            for (int i = 0; i < 6; i++)
                indices[n++] = sides[i];
        }
    }
    return n / 3;
}

static inline thing thing_make(thing_kind kind, tr_vec3 half, tr_affine placement) {
    thing t = {0};
    tr_vec3 positions[THING_ROUND * THING_RINGS + 2];
    uint32_t indices[6 * THING_ROUND * (THING_RINGS + 1)], rings;
    uint32_t count = thing_rings(kind, half, positions, &rings);
    t.triangles = thing_indices(rings, (count - 2) / rings, indices);
    tr_mesh_def mesh = {
        .positions = positions, .position_count = count, .indices = indices, .triangle_count = t.triangles};
    tr_object_def object = {.name = "thing", .placement = placement};
    uint32_t number;
    bool good = tr_scene_create(NULL, &t.scene) == TR_OK &&
                tr_scene_add_mesh(t.scene, &mesh, &object.mesh, NULL) == TR_OK &&
                tr_scene_add_object(t.scene, &object, &number, NULL) == TR_OK;
    tr_solid_def def = tr_solid_def_default(t.scene);
    good = good && tr_solid_create(&def, &t.solid, NULL) == TR_OK;
    t.corners = malloc(3 * t.triangles * sizeof *t.corners);
    CHECK(good && t.corners);
    for (uint32_t i = 0; good && t.corners && i < 3 * t.triangles; i++)
        t.corners[i] = tr_affine_apply(&placement, positions[indices[i]]);
    t.bounds = good ? tr_scene_bounds(t.scene) : tr_box_empty();
    return t;
}

static inline void thing_release(thing *t) {
    tr_solid_destroy(t->solid);
    tr_scene_destroy(t->scene);
    free(t->corners);
}

// A thing of random kind, size and place, that a hand may or may not be able to hold.
static inline thing thing_random(tr_random *random, thing_kind *kind, tr_vec3 *half) {
    *kind = (thing_kind)tr_random_below(random, THING_KINDS);
    half->x = tr_random_between(random, 0.004f, 0.045f);
    half->z = tr_random_between(random, 0.004f, 0.045f);
    half->y = tr_random_between(random, 0.01f, 0.12f);
    if (*kind == THING_BALL)
        half->x = half->y = half->z;
    tr_vec3 axis;
    axis.x = tr_random_between(random, -1, 1);
    axis.y = tr_random_between(random, -1, 1);
    axis.z = tr_random_between(random, -1, 1);
    float angle = tr_random_between(random, -3, 3);
    tr_transform place = {{0, 0, 0}, tr_quat_about(axis, (double)angle), {1, 1, 1}};
    place.position.x = tr_random_between(random, -2, 2);
    place.position.y = tr_random_between(random, 0, 2);
    place.position.z = tr_random_between(random, -2, 2);
    return thing_make(*kind, *half, tr_affine_from_transform(place));
}
