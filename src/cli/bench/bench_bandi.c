// Bandi & Thalmann 1998, table 1: the labyrinth, the stairs and the factory, from triangles to a path, all
// rebuilt on one thread; the memory used; Recast on the same triangles; and a block of a city at cells of 5
// cm.
#include "bench.h"
#include "cli/commands.h"
#include "troupe/base/clock.h"
#include "troupe/base/random.h"
#include "troupe/plan/surface_route.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct experiment {
    const char *scene;
    double paper_discretize_ms, paper_border_ms; // SGI Indigo2 Impact, R10000
} experiment;

static const experiment experiments[] = {
    {"labyrinth", 3000, 6000}, {"stairs", 5000, 10000}, {"factory", 40000, 8000}};
#define EXPERIMENT_COUNT ((uint32_t)(sizeof experiments / sizeof experiments[0]))
#define PAPER_PATH_MS 1000 // "at most a second"
#define PAPER_CELL_BYTES 7 // of the dense grid
#define PERSON_HEIGHT 1.8f
#define RUNS 101
#define RECAST_RUNS 15 // the best counts; comparisons use our best as well
#define MOVES 100
#define CITY_CELL 0.05f

typedef struct stand {
    tr_sample sample;
    tr_surface_def def;
    tr_raster *raster;
    tr_surface *surface;
    tr_surface_route *route;
    tr_surface_route_params params;
    tr_tasks *tasks;
    tr_status status;
    tr_error error;
} stand;

static void take_down(stand *s) {
    tr_surface_route_destroy(s->route);
    tr_surface_destroy(s->surface);
    tr_raster_destroy(s->raster);
    tr_tasks_destroy(s->tasks);
    tr_scene_destroy(s->sample.scene);
}

static tr_voxel_grid sample_grid(const tr_sample *sample) {
    tr_voxel_grid grid = {
        .grid = {{sample->ground.min.x, sample->ground.min.z}, sample->cell, sample->columns, sample->rows},
        .bottom = sample->ground.min.y,
        .layer = sample->layer,
        .layers = sample->layers};
    return grid;
}

static void build(stand *s) {
    if (s->status == TR_OK)
        s->status = tr_surface_build(s->surface, s->raster, s->sample.scene, &s->error);
}

// As in the paper: a flood from the goal.
static void mark(stand *s) {
    if (s->status == TR_OK)
        s->status = tr_surface_route_refresh(s->route, &s->error);
    if (s->status == TR_OK)
        s->status = tr_surface_route_mark_border(s->route, &s->sample.goal, 1, &s->error);
}

// A*, the 8-path and its refinement.
static void find(stand *s) {
    if (s->status == TR_OK)
        s->status =
            tr_surface_route_find(s->route, &s->params, s->sample.start, &s->sample.goal, 1, &s->error);
    if (s->status == TR_OK)
        s->status = tr_surface_route_refine(s->route, TR_SURFACE_ROUTE_ALTERNATE);
}

static bool prepare(stand *s, const tr_voxel_grid *grid, uint32_t members) {
    tr_ground_body person = tr_surface_route_body_of_height(PERSON_HEIGHT);
    s->def = tr_surface_def_default();
    s->def.grid = *grid;
    s->def.merge = person.foot_rise;
    s->params = tr_surface_route_params_default();
    if (members > 1)
        s->status = tr_tasks_create(NULL, members, &s->tasks, &s->error);
    tr_raster_def raster = {.backend = TR_RASTER_SOFT, .tasks = s->tasks};
    if (s->status == TR_OK)
        s->status = tr_raster_create(&raster, &s->raster, &s->error);
    if (s->status == TR_OK)
        s->status = tr_surface_create(&s->def, &s->surface, &s->error);
    build(s);
    tr_surface_route_def route = {.surface = s->surface, .person = person, .border_neighbours = 4};
    if (s->status == TR_OK)
        s->status = tr_surface_route_create(&route, &s->route, &s->error);
    return s->status == TR_OK;
}

static void take_nothing(void *user, const tr_voxels *tile, uint32_t number, uint32_t member) {
    (void)user, (void)tile, (void)number, (void)member;
}

// Slicing alone, including the tops that a surface needs.
static void discretize(stand *s) {
    tr_voxels_request request = {.scene = s->sample.scene,
                                 .grid = s->def.grid,
                                 .region = tr_grid_all(&s->def.grid.grid),
                                 .exclude_tags = s->def.exclude_tags,
                                 .exclude_object = TR_NONE,
                                 .stand_cosine = 0.70710678f,
                                 .stand_exclude_tags = TR_TAG_NO_STEP,
                                 .sure_tags = TR_TAG_WALKABLE,
                                 .take = take_nothing};
    if (s->status == TR_OK)
        s->status = tr_voxels_draw(s->raster, &request, &s->error);
}

// Without seeds, as tr_surface_route_find does by default: every cell that a body can stand on.
static void mark_everywhere(stand *s) {
    if (s->status == TR_OK)
        s->status = tr_surface_route_refresh(s->route, &s->error);
    if (s->status == TR_OK)
        s->status = tr_surface_route_mark_border(s->route, NULL, 0, &s->error);
}

static void everything(stand *s) {
    build(s);
    mark_everywhere(s);
    find(s);
}

// The median of many [ms]; `best` (may be NULL) gets the shortest, which other programs disturb least.
static double measure(stand *s, void (*work)(stand *s), double *best) {
    double times[RUNS];
    work(s);
    for (int i = 0; i < RUNS; i++) {
        uint64_t begin = tr_clock_nanoseconds();
        work(s);
        times[i] = (double)(tr_clock_nanoseconds() - begin) / 1e6;
    }
    double median = bench_median(times, RUNS);
    if (best)
        *best = times[0]; // they are sorted
    return median;
}

static void add(bench_report *bench, const char *scene, const char *id_end, const char *what, double value,
                const char *unit, double paper) {
    bench_result result = {.value = value, .unit = unit, .paper = paper, .peer_value = NAN};
    snprintf(result.id, sizeof result.id, "bandi.%s.%s", scene, id_end);
    snprintf(result.what, sizeof result.what, "%s", what);
    bench_add(bench, &result);
}

// Recast at the same cell size with the same person; the paper's border is one cell wide.
static double measure_recast(bench_report *bench, const stand *s) {
    const tr_ground_body *person = tr_surface_route_person(s->route);
    bench_agent agent = {person->height, s->def.grid.grid.cell, person->foot_rise, 45, s->def.grid.layer};
    double best = INFINITY;
    for (int run = 0; run < RECAST_RUNS; run++) {
        bench_recast_times times;
        const char *refusal = bench_recast_measure(s->sample.scene, &s->def.grid.grid, &agent, &times);
        if (refusal) {
            bench_note(bench, refusal);
            return NAN;
        }
        best = fmin(best, times.build_ms);
    }
    return best;
}

static void add_total(bench_report *bench, const experiment *e, const stand *s, double total, double best) {
    double recast = measure_recast(bench, s);
    bench_result result = {.value = total,
                           .unit = "ms",
                           .paper = e->paper_discretize_ms + e->paper_border_ms + PAPER_PATH_MS,
                           .peer = isnan(recast) ? NULL : "Recast, full build without a search",
                           .peer_value = recast};
    snprintf(result.id, sizeof result.id, "bandi.%s.total_ms", e->scene);
    snprintf(result.what, sizeof result.what, "triangles to path, all rebuilt, one thread");
    bench_add(bench, &result);
    if (isnan(recast))
        return;
    bench_result theirs = {.value = recast, .unit = "ms", .paper = NAN, .peer_value = NAN, .by = result.peer};
    snprintf(theirs.id, sizeof theirs.id, "bandi.%s.recast_ms", e->scene);
    snprintf(theirs.what, sizeof theirs.what, "Recast, full build at the same cell size, best of 15");
    bench_add(bench, &theirs);
    add(bench, e->scene, "recast_ratio", "Recast's build divided by our total, best of each", recast / best,
        "times", NAN);
}

// Counts as the paper does: what is kept for every cell. The queue and the path grow with the distance and
// are counted separately.
static void add_memory(bench_report *bench, const char *scene, const stand *s) {
    const tr_voxel_grid *grid = &s->def.grid;
    double cells = tr_surface_cell_count(s->surface), surface = (double)tr_surface_bytes(s->surface),
           bytes = surface + TR_SURFACE_ROUTE_CELL_BYTES * cells,
           all = surface + (double)tr_surface_route_bytes(s->route),
           dense = (double)grid->grid.columns * grid->grid.rows * grid->layers;
    char what[160];
    snprintf(what, sizeof what,
             "surface, border and costs; the paper's %d bytes for each of %u x %u x %u cells",
             PAPER_CELL_BYTES, grid->grid.columns, grid->layers, grid->grid.rows);
    add(bench, scene, "cells", "of the surface", cells, "cells", dense);
    add(bench, scene, "bytes", what, bytes, "bytes", PAPER_CELL_BYTES * dense);
    add(bench, scene, "bytes_per_cell", "of the surface", bytes / cells, "bytes", NAN);
    add(bench, scene, "dense_ratio", "the paper's bytes divided by ours", PAPER_CELL_BYTES * dense / bytes,
        "times", NAN);
    add(bench, scene, "bytes_with_queue", "the same with the queue and the path", all, "bytes", NAN);
    add(bench, scene, "dense_ratio_with_queue", "the paper's bytes, without its queue, divided by these",
        PAPER_CELL_BYTES * dense / all, "times", NAN);
}

// Pushes one movable object by up to half a metre. Times the surface update, and then everything up to a
// path.
static void add_update(bench_report *bench, const char *scene, stand *s) {
    double updates[MOVES], replans[MOVES];
    tr_random random = tr_random_seed(bench_seed(bench, 1));
    for (uint32_t i = 0; i < MOVES && s->status == TR_OK; i++) {
        uint32_t object = s->sample.first_movable + tr_random_below(&random, s->sample.movable_count);
        tr_affine placement = tr_scene_object(s->sample.scene, object).placement;
        placement.m[0][3] += tr_random_between(&random, -0.5f, 0.5f);
        placement.m[2][3] += tr_random_between(&random, -0.5f, 0.5f);
        s->status = tr_scene_place(s->sample.scene, object, &placement);
        uint64_t begin = tr_clock_nanoseconds();
        if (s->status == TR_OK)
            s->status = tr_surface_update(s->surface, s->raster, s->sample.scene, NULL, &s->error);
        updates[i] = (double)(tr_clock_nanoseconds() - begin) / 1e6;
        mark_everywhere(s);
        find(s);
        s->status = s->status == TR_NOT_FOUND ? TR_OK : s->status; // the object may block the path
        replans[i] = (double)(tr_clock_nanoseconds() - begin) / 1e6;
    }
    if (s->status != TR_OK)
        return;
    add(bench, scene, "update_ms", "one object moved, surface updated", bench_median(updates, MOVES), "ms",
        NAN);
    add(bench, scene, "replan_ms", "the same, border and path recomputed", bench_median(replans, MOVES), "ms",
        NAN);
}

static bool complain(const stand *s) {
    char text[700];
    command_complain("%s (%s)", tr_error_format(&s->error, text, sizeof text), tr_status_name(s->status));
    return false;
}

static void measure_all(bench_report *bench, const experiment *e, stand *s) {
    double best, total = measure(s, everything, &best), surface = measure(s, build, NULL),
                 border = measure(s, mark, NULL), path = measure(s, find, NULL),
                 slicing = measure(s, discretize, NULL), everywhere = measure(s, mark_everywhere, NULL);
    mark(s);
    find(s);
    if (s->status != TR_OK)
        return;
    tr_surface_route_result result = tr_surface_route_last(s->route);
    char what[160];
    add(bench, e->scene, "triangles", "of the scene", (double)tr_scene_triangle_count(s->sample.scene),
        "triangles", NAN);
    snprintf(what, sizeof what, "%u x %u x %u cells sliced on %s", s->def.grid.grid.columns,
             s->def.grid.layers, s->def.grid.grid.rows, tr_raster_name(s->raster));
    add(bench, e->scene, "discretize_ms", what, slicing, "ms", e->paper_discretize_ms);
    add(bench, e->scene, "surface_ms", "the same, and the cells a body can stand on", surface, "ms", NAN);
    snprintf(what, sizeof what, "flood from the goal: %u of %u cells are border",
             tr_surface_route_border(s->route), tr_surface_route_reached(s->route));
    add(bench, e->scene, "border_ms", what, border, "ms", e->paper_border_ms);
    add(bench, e->scene, "border_all_ms", "the same without a flood, for all cells a body can stand on",
        everywhere, "ms", NAN);
    snprintf(what, sizeof what, "A*, 8-path and its refinement: %.1f m over %u cells", result.length,
             result.cell_count);
    add(bench, e->scene, "path_ms", what, path, "ms", PAPER_PATH_MS);
    add_total(bench, e, s, total, best);
    add_memory(bench, e->scene, s);
    if (s->sample.movable_count > 0)
        add_update(bench, e->scene, s);
}

// The same surface on the graphics card, if requested.
static void add_gl(bench_report *bench, const experiment *e, stand *s) {
    stand card = *s;
    tr_raster_def def = {.backend = TR_RASTER_GL};
    card.raster = NULL;
    card.status = tr_raster_create(&def, &card.raster, &card.error);
    build(&card);
    if (card.status == TR_OK) {
        char what[160];
        double time = measure(&card, build, NULL);
        snprintf(what, sizeof what, "triangles to surface on %.100s", tr_raster_name(card.raster));
        add(bench, e->scene, "gl_surface_ms", what, time, "ms", e->paper_discretize_ms);
    } else {
        bench_note(bench, card.error.message);
    }
    tr_raster_destroy(card.raster);
}

static bool run_experiment(bench_report *bench, const experiment *e) {
    stand s = {.status = TR_OK};
    tr_sample_def def = {.name = e->scene};
    s.status = tr_sample_make(&def, &s.sample, &s.error);
    tr_voxel_grid grid = sample_grid(&s.sample);
    if (s.status == TR_OK && prepare(&s, &grid, 1))
        measure_all(bench, e, &s);
    if (s.status == TR_OK && bench_wants_gl(bench))
        add_gl(bench, e, &s);
    bool fine = s.status == TR_OK || complain(&s);
    take_down(&s);
    return fine;
}

// Rebuilds everything after memory has been touched [s].
static double city_build_s(stand *s) {
    uint64_t begin = tr_clock_nanoseconds();
    build(s);
    return (double)(tr_clock_nanoseconds() - begin) / 1e9;
}

static void add_city(bench_report *bench, stand *s, uint32_t members) {
    const tr_voxel_grid *grid = &s->def.grid;
    double seconds = city_build_s(s);
    char what[160];
    snprintf(what, sizeof what,
             "%.0f x %.0f m at cells of %g m and layers of %g m: triangles to surface on %u thread%s",
             (double)grid->grid.columns * (double)grid->grid.cell,
             (double)grid->grid.rows * (double)grid->grid.cell, (double)grid->grid.cell, (double)grid->layer,
             members, members > 1 ? "s" : "");
    add(bench, "city", members > 1 ? "build_team_s" : "build_s", what, seconds, "s", NAN);
    if (members > 1 || s->status != TR_OK)
        return;
    uint64_t begin = tr_clock_nanoseconds();
    mark(s);
    add(bench, "city", "border_ms", "flood from the goal", (double)(tr_clock_nanoseconds() - begin) / 1e6,
        "ms", NAN);
    find(s);
    begin = tr_clock_nanoseconds();
    find(s);
    double route = (double)(tr_clock_nanoseconds() - begin) / 1e6;
    if (s->status != TR_OK)
        return;
    snprintf(what, sizeof what, "A*, 8-path and its refinement: %.0f m over %u cells",
             tr_surface_route_last(s->route).length, tr_surface_route_last(s->route).cell_count);
    add(bench, "city", "route_ms", what, route, "ms", NAN);
    add(bench, "city", "triangles", "of the scene", (double)tr_scene_triangle_count(s->sample.scene),
        "triangles", NAN);
    add(bench, "city", "columns", "of the grid", (double)grid->grid.columns * grid->grid.rows, "columns",
        NAN);
    add_memory(bench, "city", s);
}

static bool run_city(bench_report *bench, uint32_t members) {
    stand s = {.status = TR_OK};
    tr_sample_def def = {.name = "city"};
    s.status = tr_sample_make(&def, &s.sample, &s.error);
    tr_voxel_grid grid = sample_grid(&s.sample);
    if (s.status == TR_OK && !(s.sample.cell <= CITY_CELL)) {
        float layer = s.sample.layer > 0 ? s.sample.layer : CITY_CELL;
        s.status =
            tr_voxel_grid_cover(tr_scene_bounds(s.sample.scene), CITY_CELL, layer, 0, 0, &grid, &s.error);
    }
    if (s.status == TR_OK && prepare(&s, &grid, members))
        add_city(bench, &s, members);
    bool fine = s.status == TR_OK || complain(&s);
    take_down(&s);
    return fine;
}

bool bench_bandi(bench_report *bench) {
    bool fine = true;
    for (uint32_t i = 0; i < EXPERIMENT_COUNT && fine; i++) {
        char what[64];
        snprintf(what, sizeof what, "bandi %s", experiments[i].scene);
        bench_progress(bench, what, (double)i / (EXPERIMENT_COUNT + 2));
        fine = run_experiment(bench, &experiments[i]);
    }
    bench_progress(bench, "bandi city", 0.6);
    fine = fine && run_city(bench, 1);
    tr_tasks *team = NULL; // as many threads as the machine has
    uint32_t members = tr_tasks_create(NULL, 0, &team, NULL) == TR_OK ? tr_tasks_members(team) : 1;
    tr_tasks_destroy(team);
    bench_progress(bench, "bandi city", 0.8);
    return fine && (members == 1 || run_city(bench, members));
}
