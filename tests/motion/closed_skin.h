// What every body that Troupe makes itself must be: closed skins that face out.
#pragma once
#include "test.h"
#include "troupe/motion/body.h"

#include <math.h>
#include <stdlib.h>

// Every edge of a closed surface is walked once each way.
static inline int compare_edges(const void *a, const void *b) {
    const uint64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

static inline void check_closed(const tr_body_def *view) {
    uint32_t count = 3 * view->triangle_count, lonely = 0, twice = 0;
    uint64_t *edges = malloc(count * sizeof *edges), *back = malloc(count * sizeof *back);
    REQUIRE(edges && back);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t from = view->indices[i], to = view->indices[i % 3 == 2 ? i - 2 : i + 1];
        CHECK(from != to);
        edges[i] = from << 32 | to;
        back[i] = to << 32 | from;
    }
    qsort(edges, count, sizeof *edges, compare_edges);
    qsort(back, count, sizeof *back, compare_edges);
    for (uint32_t i = 0; i < count; i++) {
        lonely += edges[i] != back[i];
        twice += i > 0 && edges[i] == edges[i - 1];
    }
    CHECK_INT(lonely, 0);
    CHECK_INT(twice, 0);
    free(edges);
    free(back);
}

static inline double volume_of(const tr_body_def *view, const tr_vec3 *positions) {
    double volume = 0;
    for (uint32_t i = 0; i < view->triangle_count; i++) {
        tr_vec3 a = positions[view->indices[3 * i]], b = positions[view->indices[3 * i + 1]];
        tr_vec3 c = positions[view->indices[3 * i + 2]];
        volume += (double)tr_vec3_dot(a, tr_vec3_cross(b, c)) / 6;
    }
    return volume;
}

// Triangles look where the normals of their corners look.
static inline void check_normals(const tr_body_def *view) {
    for (uint32_t i = 0; i < view->triangle_count; i++) {
        const uint32_t *corner = &view->indices[3 * i];
        tr_vec3 a = view->positions[corner[0]];
        tr_vec3 out = tr_vec3_cross(tr_vec3_subtract(view->positions[corner[1]], a),
                                    tr_vec3_subtract(view->positions[corner[2]], a));
        tr_vec3 sum = tr_vec3_add(view->normals[corner[0]],
                                  tr_vec3_add(view->normals[corner[1]], view->normals[corner[2]]));
        CHECK(tr_vec3_length(out) > 0);
        CHECK(tr_vec3_dot(out, sum) > 0);
    }
    for (uint32_t i = 0; i < view->vertex_count; i++)
        CHECK_NEAR((double)tr_vec3_length(view->normals[i]), 1, 1e-5);
}

// The least distance between two segments, by trying many points: slow and plain.
static inline float distance_between(tr_vec3 a, tr_vec3 b, tr_vec3 c, tr_vec3 d) {
    float least = INFINITY;
    for (int i = 0; i <= 40; i++)
        for (int j = 0; j <= 40; j++) {
            tr_vec3 p = tr_vec3_add(a, tr_vec3_scale(tr_vec3_subtract(b, a), (float)i / 40));
            tr_vec3 q = tr_vec3_add(c, tr_vec3_scale(tr_vec3_subtract(d, c), (float)j / 40));
            float distance = tr_vec3_length(tr_vec3_subtract(p, q));
            least = distance < least ? distance : least;
        }
    return least;
}
