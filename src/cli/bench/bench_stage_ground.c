// The ground of a stage: the cost of a query that finds a way and of one that does not, of a plan, and of
// moving a box. Detour finds the same ways on its finished mesh.
#include "bench.h"
#include "cli/commands.h"
#include "troupe/base/clock.h"
#include "troupe/base/random.h"
#include "troupe/io/scene_file.h"
#include "troupe/plan/go.h"
#include "troupe/world/sample.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAIRS 2000
#define TRIES 3        // per query; the quickest counts, since the machine may be busy
#define BOX_MOVES 1000 // of the box
#define BOX_SIDE 0.5f  // [m]
#define BOX_TALL 1.0f
#define HEIGHT 1.8f // of the body [m]
#define SCENE_CELL 0.15f
#define WAY_POINTS 512
#define WAY_PIECES 128

typedef struct terrain {
    tr_scene *scene;
    tr_raster *raster;
    tr_ground *ground;
    tr_path *path;
    tr_go *go;
    tr_way way;
    bench_detour *detour;
    tr_random random;
    uint32_t size;
    tr_error error;
} terrain;

static void clear_terrain(terrain *t) {
    bench_detour_destroy(t->detour);
    tr_way_destroy(NULL, &t->way);
    tr_go_destroy(t->go);
    tr_path_destroy(t->path);
    tr_ground_destroy(t->ground);
    tr_raster_destroy(t->raster);
    tr_scene_destroy(t->scene);
}

static bool complain(terrain *t) {
    command_complain_of(&t->error);
    clear_terrain(t);
    return false;
}

// Creates a ground over the scene for an adult, with all planners.
static tr_status lay(terrain *t, const bench_report *bench, float cell) {
    tr_raster_def raster = {.backend = TR_RASTER_SOFT};
    tr_ground_def def = tr_ground_def_default();
    tr_ground_body body = tr_ground_body_of_height(HEIGHT);
    tr_status status;
    def.cell = cell;
    t->random = tr_random_seed(bench_seed(bench, 12));
    if ((status = tr_raster_create(&raster, &t->raster, &t->error)) != TR_OK ||
        (status = tr_ground_create(&def, t->raster, t->scene, &t->ground, &t->error)) != TR_OK ||
        (status = tr_ground_add_size(t->ground, &body, &t->size, &t->error)) != TR_OK ||
        (status = tr_path_create(NULL, &t->path, &t->error)) != TR_OK ||
        (status = tr_go_create(NULL, &t->go, &t->error)) != TR_OK)
        return status;
    return tr_way_create(NULL, WAY_POINTS, WAY_PIECES, &t->way, &t->error);
}

// A random place within the bounds of the scene where the body can stand.
static tr_vec3 random_place(terrain *t) {
    tr_box box = tr_scene_bounds(t->scene);
    for (uint32_t i = 0; i < 1000000; i++) {
        tr_vec3 point = {tr_random_between(&t->random, box.min.x, box.max.x),
                         tr_random_between(&t->random, box.min.y, box.max.y),
                         tr_random_between(&t->random, box.min.z, box.max.z)};
        tr_ground_place place = tr_ground_level(t->ground, t->size, point);
        if (place.why == TR_GROUND_FREE)
            return place.position;
    }
    return tr_vec3_make(0, 0, 0);
}

static double microseconds_since(uint64_t begin) {
    return (double)(tr_clock_nanoseconds() - begin) / 1e3;
}

static double time_path(terrain *t, tr_vec3 start, tr_vec3 goal, bool *found) {
    tr_path_params params = tr_path_params_default(t->size);
    double least = INFINITY;
    tr_error said; // giving the reason is part of the answer
    for (uint32_t i = 0; i < TRIES; i++) {
        uint64_t begin = tr_clock_nanoseconds();
        *found = tr_path_find(t->path, t->ground, &params, start, &goal, 1, &said) == TR_OK;
        least = fmin(least, microseconds_since(begin));
    }
    return least;
}

static double time_plan(terrain *t, tr_vec3 start, tr_vec3 goal) {
    tr_go_query query = tr_go_query_default(t->size);
    double least = INFINITY;
    query.start = start;
    query.goals = &goal;
    query.goal_count = 1;
    query.lane = 1;
    for (uint32_t i = 0; i < TRIES; i++) {
        uint64_t begin = tr_clock_nanoseconds();
        tr_go_find(t->go, t->ground, &query, &t->way, NULL, NULL);
        least = fmin(least, microseconds_since(begin));
    }
    return least;
}

// NAN: Detour is unavailable or finds no way.
static double time_detour(const terrain *t, tr_vec3 start, tr_vec3 goal) {
    bench_detour_length length;
    double least = INFINITY;
    for (uint32_t i = 0; i < TRIES && t->detour; i++) {
        uint64_t begin = tr_clock_nanoseconds();
        if (bench_detour_query(t->detour, start, goal, &length))
            return NAN;
        least = fmin(least, microseconds_since(begin));
    }
    return t->detour ? least : NAN;
}

// Medians [us]; NAN if there was no such query.
typedef struct query_figures {
    double found, refused, detour;
    uint32_t found_count, refused_count;
    const char *scene;
} query_figures;

static double median_or_nan(double *values, uint32_t count) {
    return count ? bench_median(values, count) : NAN;
}

static void measure_queries(terrain *t, query_figures *figures) {
    double found[PAIRS], refused[PAIRS], theirs[PAIRS];
    uint32_t detour_count = 0;
    for (uint32_t i = 0; i < PAIRS; i++) {
        tr_vec3 start = random_place(t), goal = random_place(t);
        bool has_way;
        double taken = time_path(t, start, goal, &has_way), detour = time_detour(t, start, goal);
        if (has_way)
            found[figures->found_count++] = taken;
        else
            refused[figures->refused_count++] = taken;
        if (has_way && !isnan(detour))
            theirs[detour_count++] = detour;
    }
    figures->found = median_or_nan(found, figures->found_count);
    figures->refused = median_or_nan(refused, figures->refused_count);
    figures->detour = median_or_nan(theirs, detour_count);
}

static void add(bench_report *bench, const char *id, const char *what, double value, double theirs) {
    bench_result result = {.value = value,
                           .unit = "us",
                           .paper = NAN,
                           .peer = isnan(theirs) ? NULL : "Detour",
                           .peer_value = theirs};
    snprintf(result.id, sizeof result.id, "%s", id);
    snprintf(result.what, sizeof result.what, "%s", what);
    bench_add(bench, &result);
}

// false: an error was reported. A missing scene is skipped.
static bool bench_scene(bench_report *bench, const char *name, const char *file, query_figures *figures) {
    terrain t = {.size = 0};
    char path[1024], id[64], what[160];
    tr_scene_read_options options = tr_scene_read_options_default();
    *figures = (query_figures){.found = NAN, .refused = NAN, .detour = NAN, .scene = file};
    snprintf(path, sizeof path, "%s/scenes/%s", bench_data(bench), file);
    tr_status status = tr_scene_create(NULL, &t.scene);
    if (status == TR_OK)
        status = tr_scene_file_read(path, &options, t.scene, &t.error);
    if (status == TR_NO_FILE) {
        snprintf(what, sizeof what, "%s was not found: --data names the folder that holds scenes/", file);
        bench_note(bench, what);
        clear_terrain(&t);
        return true;
    }
    if (status != TR_OK || lay(&t, bench, SCENE_CELL) != TR_OK)
        return complain(&t);
    const tr_ground_body *body = tr_ground_size(t.ground, t.size);
    bench_agent agent = {body->height, body->radius, body->foot_rise, 45, 0.1f};
    const char *refusal =
        bench_detour_build(t.scene, &tr_surface_grid(tr_ground_surface(t.ground))->grid, &agent, &t.detour);
    if (refusal)
        bench_note(bench, refusal);
    measure_queries(&t, figures);
    snprintf(id, sizeof id, "stage.%s.query_us", name);
    snprintf(what, sizeof what, "%s at %g m: a way between two random places, median of %u", file,
             (double)SCENE_CELL, figures->found_count);
    add(bench, id, what, figures->found, figures->detour);
    snprintf(id, sizeof id, "stage.%s.query_no_us", name);
    snprintf(what, sizeof what, "%s at %g m: no way leads there, median of %u", file, (double)SCENE_CELL,
             figures->refused_count);
    add(bench, id, what, figures->refused, NAN);
    clear_terrain(&t);
    return true;
}

// The worst of the scenes, under the ids that have a target.
static void add_worst(bench_report *bench, const query_figures *scenes, uint32_t count) {
    char what[160];
    const query_figures *found = &scenes[0], *refused = &scenes[0];
    for (uint32_t i = 1; i < count; i++) {
        found = scenes[i].found > found->found || isnan(found->found) ? &scenes[i] : found;
        refused = scenes[i].refused > refused->refused || isnan(refused->refused) ? &scenes[i] : refused;
    }
    snprintf(what, sizeof what, "the slowest of %u scenes, %s: median of ways found", count, found->scene);
    if (!isnan(found->found))
        add(bench, "stage.query_us", what, found->found, found->detour);
    snprintf(what, sizeof what, "the slowest of %u scenes, %s: median where there is no way", count,
             refused->scene);
    if (!isnan(refused->refused))
        add(bench, "stage.query_no_us", what, refused->refused, NAN);
}

static tr_status add_box(terrain *t, uint32_t *box) {
    tr_vec3 corners[8];
    static const uint32_t sides[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                       2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    for (int i = 0; i < 8; i++)
        corners[i] = tr_vec3_make(((i & 1) - 0.5f) * BOX_SIDE, (i & 2) ? BOX_TALL : 0.0f,
                                  (i & 4) ? 0.5f * BOX_SIDE : -0.5f * BOX_SIDE);
    tr_mesh_def mesh = {"box", corners, 8, sides, 12};
    tr_object_def object = {.name = "box", .placement = tr_affine_place(tr_vec3_make(0, -100, 0), 0)};
    tr_status status = tr_scene_add_mesh(t->scene, &mesh, &object.mesh, &t->error);
    return status == TR_OK ? tr_scene_add_object(t->scene, &object, box, &t->error) : status;
}

// Pushed by 10 cm at a time from random places: the old place and the new one overlap.
static bool measure_box(terrain *t, uint32_t box, double *median) {
    double times[BOX_MOVES];
    tr_vec3 at = random_place(t);
    for (uint32_t i = 0; i < BOX_MOVES; i++) {
        if (i % 10 == 0) {
            at = random_place(t);
            tr_affine away = tr_affine_place(at, 0);
            tr_scene_place(t->scene, box, &away);
            if (tr_ground_update(t->ground, t->raster, t->scene, NULL, 0, &t->error) != TR_OK)
                return false;
        }
        at.x += tr_random_between(&t->random, -0.1f, 0.1f);
        at.z += tr_random_between(&t->random, -0.1f, 0.1f);
        tr_affine placement = tr_affine_place(at, (double)tr_random_between(&t->random, 0, 3));
        tr_scene_place(t->scene, box, &placement);
        uint64_t begin = bench_thread_nanoseconds();
        if (tr_ground_update(t->ground, t->raster, t->scene, NULL, 0, &t->error) != TR_OK)
            return false;
        times[i] = (double)(bench_thread_nanoseconds() - begin) / 1e3;
    }
    *median = bench_median(times, BOX_MOVES);
    return true;
}

// The office with the settings of a stage.
static bool bench_office(bench_report *bench) {
    terrain t = {.size = 0};
    tr_sample_def def = {.name = "office"};
    tr_sample sample;
    uint32_t box;
    double plans[PAIRS];
    double moved;
    tr_status status = tr_sample_make(&def, &sample, &t.error);
    t.scene = status == TR_OK ? sample.scene : NULL;
    if (status != TR_OK || lay(&t, bench, tr_ground_def_default().cell) != TR_OK)
        return complain(&t);
    for (uint32_t i = 0; i < PAIRS; i++) {
        tr_vec3 start = random_place(&t);
        plans[i] = time_plan(&t, start, random_place(&t));
    }
    add(bench, "stage.plan_us", "office at 0.05 m: a plan as on a stage, path and pieces; median",
        bench_median(plans, PAIRS), NAN);
    if (add_box(&t, &box) != TR_OK || !measure_box(&t, box, &moved))
        return complain(&t);
    add(bench, "stage.box_moved_us",
        "office at 0.05 m: a box of 0.5 x 0.5 x 1 m pushed by 0.1 m, ground update; median", moved, NAN);
    clear_terrain(&t);
    return true;
}

bool bench_stage_ground(bench_report *bench) {
    query_figures scenes[2];
    bench_progress(bench, "ways over the ground", 0);
    if (!bench_scene(bench, "nav_test", "nav_test.obj", &scenes[0]) ||
        !bench_scene(bench, "collision_world", "collision-world.glb", &scenes[1]))
        return false;
    add_worst(bench, scenes, 2);
    return bench_office(bench);
}
