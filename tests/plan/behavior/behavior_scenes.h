// Random scenes for tests of behavior maps: prisms to jump over, to crawl under and to go around, some of
// which move, turn and tumble.
#pragma once
#include "behavior_machine.h"
#include "test.h"
#include "troupe/base/random.h"
#include "troupe/base/scalar.h"
#include "troupe/plan/behavior_map.h"

#include <math.h>
#include <string.h>

#define STEP 0.15f
#define SECONDS 6

typedef struct fixture {
    test_machine machine;
    tr_behavior *behavior;
    tr_behavior_map *map;
    tr_scene *scene;
    tr_raster *raster;
    tr_grid grid;
    tr_vec3 floor;
} fixture;

static inline bool make_machine(fixture *f) {
    memset(f, 0, sizeof *f);
    machine_make(&f->machine);
    f->machine.bands[1] = (tr_behavior_band){.name = "jump", .low = 0.45f, .high = 2.2f};
    f->machine.bands[2] = (tr_behavior_band){.name = "crawl", .low = 0, .high = 0.85f};
    return tr_behavior_create(&f->machine.def, &f->behavior, NULL) == TR_OK &&
           tr_raster_create(&(tr_raster_def){.backend = TR_RASTER_SOFT}, &f->raster, NULL) == TR_OK;
}

static inline tr_status build_at(fixture *f, double time, tr_error *error) {
    tr_behavior_map_def def = {.grid = f->grid, .behavior = f->behavior, .seconds = SECONDS};
    tr_behavior_scene from = {f->scene, f->raster, time, &f->floor, 1, STEP, 0, 0};
    tr_status status = tr_behavior_map_create(&def, &f->map, error);
    return status == TR_OK ? tr_behavior_map_build(f->map, &from, error) : status;
}

static inline bool build(fixture *f) {
    tr_error error = {0};
    if (build_at(f, 0, &error) == TR_OK)
        return true;
    test_failed(__FILE__, __LINE__, "no map: %s", error.message);
    return false;
}

static inline void drop(fixture *f) {
    tr_behavior_map_destroy(f->map);
    tr_behavior_destroy(f->behavior);
    tr_scene_destroy(f->scene);
    tr_raster_destroy(f->raster);
}

// --- Random scenes ---

static inline uint32_t add_prism(tr_scene *scene, uint32_t sides, tr_vec3 half, float low, float high) {
    tr_vec3 points[32];
    uint32_t indices[3 * 60], count = 0;
    for (uint32_t i = 0; i < sides; i++) {
        double s, c;
        tr_sin_cos(2 * TR_PI * (i + 0.5) / sides, &s, &c);
        points[i] = tr_vec3_make(half.x * (float)s, low, half.z * (float)c);
        points[sides + i] = tr_vec3_make(half.x * (float)s * half.y, high, half.z * (float)c * half.y);
    }
    for (uint32_t i = 0; i < sides; i++) {
        uint32_t j = (i + 1) % sides, face[12] = {i, j, sides + j, i, sides + j, sides + i};
        memcpy(indices + count, face, 6 * sizeof *face);
        count += 6;
        if (i + 2 < sides + 0 && i > 0) {
            uint32_t caps[6] = {0, i + 1, i, sides, sides + i, sides + i + 1};
            memcpy(indices + count, caps, sizeof caps);
            count += 6;
        }
    }
    uint32_t caps[6] = {0, sides - 1, sides - 2, sides, sides + sides - 2, sides + sides - 1};
    memcpy(indices + count, caps, sizeof caps);
    count += 6;
    tr_mesh_def def = {
        .positions = points, .position_count = 2 * sides, .indices = indices, .triangle_count = count / 3};
    uint32_t mesh = TR_NONE;
    if (tr_scene_add_mesh(scene, &def, &mesh, NULL) != TR_OK)
        test_failed(__FILE__, __LINE__, "no mesh");
    return mesh;
}

static inline uint32_t add_object(tr_scene *scene, uint32_t mesh, tr_vec3 at, double heading, uint32_t tags) {
    tr_object_def def = {NULL, mesh, tr_affine_place(at, heading), tags};
    uint32_t object = TR_NONE;
    if (tr_scene_add_object(scene, &def, &object, NULL) != TR_OK)
        test_failed(__FILE__, __LINE__, "no object");
    return object;
}

// A floor whose height is tilt * x.
static inline void add_floor(tr_scene *scene, float half, float tilt) {
    tr_vec3 points[4];
    const uint32_t indices[6] = {0, 1, 2, 0, 2, 3};
    for (int i = 0; i < 4; i++) {
        float x = i == 0 || i == 1 ? -half : half, z = i == 0 || i == 3 ? -half : half;
        points[i] = tr_vec3_make(x, tilt * x, z);
    }
    tr_mesh_def def = {.positions = points, .position_count = 4, .indices = indices, .triangle_count = 2};
    uint32_t mesh;
    if (tr_scene_add_mesh(scene, &def, &mesh, NULL) != TR_OK)
        test_failed(__FILE__, __LINE__, "no floor");
    add_object(scene, mesh, tr_vec3_make(0, 0, 0), 0, TR_TAG_WALKABLE);
}

static inline float draw(tr_random *random, float low, float high) {
    return tr_random_between(random, low, high);
}

// Things to jump over, to crawl under, and neither.
static inline uint32_t random_mesh(tr_scene *scene, tr_random *random) {
    static const float lows[] = {0, 0, 1.0f, 0.9f, 0}, highs[] = {0.3f, 0.4f, 1.6f, 2.0f, 2.0f};
    uint32_t kind = tr_random_below(random, 5), sides = 3 + tr_random_below(random, 8);
    tr_vec3 half = {draw(random, 0.1f, 0.5f), draw(random, 0.4f, 1), draw(random, 0.1f, 0.5f)};
    return add_prism(scene, sides, half, lows[kind], highs[kind] + draw(random, -0.05f, 0.05f));
}

static inline void add_motion(fixture *f, uint32_t object, tr_random *random, float half, float tilt) {
    double times[5], time = (double)draw(random, -1, 3);
    tr_transform places[5];
    uint32_t count = 2 + tr_random_below(random, 4);
    bool tumbles = tr_random_below(random, 2);
    for (uint32_t i = 0; i < count; i++) {
        tr_vec3 axis = tumbles ? tr_vec3_make(draw(random, -1, 1), draw(random, -1, 1), draw(random, -1, 1))
                               : tr_vec3_make(0, 1, 0);
        float x = draw(random, -half, half),
              scale = tr_random_below(random, 3) ? 1 : draw(random, 0.6f, 1.4f);
        places[i].position =
            tr_vec3_make(x, tilt * x + (tumbles ? draw(random, 0, 1) : 0), draw(random, -half, half));
        places[i].rotation = tr_quat_about(axis, (double)draw(random, -3, 3));
        places[i].scale = tr_vec3_make(scale, 1, scale);
        times[i] = time;
        time += (double)draw(random, 0.3f, 3);
    }
    tr_trajectory_def def = {times, places, count, tr_random_below(random, 3) == 0};
    if (tr_scene_set_trajectory(f->scene, object, &def, NULL) != TR_OK)
        test_failed(__FILE__, __LINE__, "no trajectory");
}

#define HALF 6.0f
static inline bool make_scene(fixture *f, tr_random *random, uint32_t standing, uint32_t moving, float tilt) {
    tr_box box = {{-HALF, 0, -HALF}, {HALF, 0, HALF}};
    if (tr_scene_create(NULL, &f->scene) != TR_OK ||
        tr_grid_cover(box, draw(random, 0.09f, 0.3f), 0, 0, &f->grid, NULL) != TR_OK)
        return false;
    add_floor(f->scene, HALF + 1, tilt);
    for (uint32_t i = 0; i < standing + moving; i++) {
        float x = draw(random, -HALF, HALF), z = draw(random, -HALF, HALF);
        uint32_t mesh = random_mesh(f->scene, random);
        if (i < standing && x * x + z * z < 4)
            continue; // the middle stays free: it is where people start
        uint32_t object =
            add_object(f->scene, mesh, tr_vec3_make(x, tilt * x, z), (double)draw(random, 0, 6), 0);
        if (i >= standing)
            add_motion(f, object, random, HALF, tilt);
    }
    f->floor = tr_vec3_make(0, 0, 0);
    return true;
}
