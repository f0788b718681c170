// Kuffner 1998, section 8.1, table 1: projection and growth for the maze and the office at three grid sizes
// each, averaged over 100 random positions of the movable obstacles; one moved chair; and Recast on the same
// triangles.
#include "bench.h"
#include "cli/commands.h"
#include "troupe/base/clock.h"
#include "troupe/base/random.h"
#include "troupe/plan/route.h"
#include "troupe/world/occupancy.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct experiment {
    const char *scene;
    uint32_t cells;
    double paper_ms; // projection alone, SGI Indigo2 at 200 MHz
    double paper_search_ms, paper_total_ms;
} experiment;

static const experiment experiments[] = {
    {"maze", 50, 9.5, 7.2, 16.7},     {"maze", 100, 34.5, 37.4, 72.0},  {"maze", 150, 82.9, 79.8, 163.0},
    {"office", 45, 47.7, 13.9, 61.7}, {"office", 90, 62.7, 27.4, 90.2}, {"office", 135, 139.2, 56.8, 196.0}};
#define EXPERIMENT_COUNT ((uint32_t)(sizeof experiments / sizeof experiments[0]))
#define POSITIONS 100
#define RECAST_POSITIONS 10 // its build takes hundreds of times longer
#define RECAST_RUNS 3       // the best counts; for us the median of five counts

// One scene, its map and its rasteriser.
typedef struct stand {
    tr_sample sample;
    tr_occupancy_def def;
    tr_occupancy *occupancy;
    tr_raster *raster;
    tr_bitmap occupied, widened; // for the widening of `gl`
    tr_route_map map;
    tr_route *route;
    tr_vec2 start, goal;
    bool has_way; // the last search found a path
    const bench_report *bench;
    tr_error error;
    tr_status status;
} stand;

static void take_down(stand *s) {
    tr_occupancy_destroy(s->occupancy);
    tr_raster_destroy(s->raster);
    tr_scene_destroy(s->sample.scene);
    tr_bitmap_destroy(NULL, &s->occupied);
    tr_bitmap_destroy(NULL, &s->widened);
    tr_route_destroy(s->route);
    tr_route_map_destroy(&s->map);
}

static bool set_up(stand *s, const bench_report *bench, const char *scene, uint32_t cells,
                   tr_raster_backend backend) {
    memset(s, 0, sizeof *s);
    s->bench = bench;
    tr_sample_def sample = {.name = scene};
    tr_raster_def raster = {.backend = backend};
    s->status = tr_sample_make(&sample, &s->sample, &s->error);
    if (s->status != TR_OK)
        return false;
    s->def = tr_occupancy_def_default(s->sample.ground.min.y);
    if ((s->status = tr_grid_divide(s->sample.ground, cells, &s->def.grid, &s->error)) == TR_OK &&
        (s->status = tr_occupancy_create(&s->def, &s->occupancy, &s->error)) == TR_OK &&
        (s->status = tr_raster_create(&raster, &s->raster, &s->error)) == TR_OK &&
        (s->status = tr_bitmap_create(NULL, s->def.grid.columns, s->def.grid.rows, &s->occupied)) == TR_OK &&
        (s->status = tr_bitmap_create(NULL, s->def.grid.columns, s->def.grid.rows, &s->widened)) == TR_OK)
        s->status = tr_raster_prepare(s->raster, s->sample.scene, &s->def.grid, &s->error);
    if (s->status == TR_OK &&
        (s->status = tr_route_map_create(NULL, &s->def.grid, &s->map, &s->error)) == TR_OK)
        s->status = tr_route_create(NULL, tr_route_map_nodes(&s->map), &s->route, &s->error);
    return s->status == TR_OK;
}

static void build(void *user) {
    stand *s = user;
    if (s->status == TR_OK)
        s->status = tr_occupancy_build(s->occupancy, s->raster, s->sample.scene, &s->error);
}

static tr_raster_request widened_request(stand *s) {
    tr_raster_request request = {.scene = s->sample.scene,
                                 .grid = s->def.grid,
                                 .band = s->def.band,
                                 .region = tr_grid_all(&s->def.grid),
                                 .occupied = &s->occupied,
                                 .widened = &s->widened,
                                 .radius = s->def.radius};
    return request;
}

// Projects and grows in one pass on the graphics card, as the paper does, and waits for the cells.
static void widen(void *user) {
    stand *s = user;
    tr_raster_request request = widened_request(s);
    if (s->status == TR_OK)
        s->status = tr_raster_draw(s->raster, &request, &s->error);
}

// The same, drawing the next map while the last one is read back.
#define OVERLAPPED 32
static void widen_overlapped(void *user) {
    stand *s = user;
    tr_raster_request request = widened_request(s);
    for (int i = 0; i < OVERLAPPED && s->status == TR_OK; i++) {
        s->status = tr_raster_submit(s->raster, &request, &s->error);
        if (s->status == TR_OK && i + 1 >= TR_RASTER_IN_FLIGHT)
            s->status = tr_raster_collect(s->raster, &s->error);
    }
    while (s->status == TR_OK && tr_raster_collect(s->raster, &s->error) != TR_DONE)
        ;
}

// Mean over random positions of the median of five.
static double measure_positions(stand *s, void (*work)(void *user), uint32_t positions) {
    double sum = 0;
    for (uint32_t i = 0; i < positions && s->status == TR_OK; i++) {
        s->status = tr_sample_shuffle(&s->sample, bench_seed(s->bench, i));
        if (s->status == TR_OK)
            sum += bench_time(work, s);
    }
    return sum / positions;
}

// The map in the form the planner needs, and the path from start to goal. "No path" is a valid answer.
static void search(void *user) {
    stand *s = user;
    tr_route_params params = tr_route_params_default();
    params.method = TR_ROUTE_JPS;
    tr_route_map_set(&s->map, tr_occupancy_blocked(s->occupancy), tr_grid_all(&s->def.grid));
    tr_status status = tr_route_find(s->route, &s->map, &params, s->start, &s->goal, 1, &s->error);
    s->has_way = status == TR_OK;
    if (status != TR_OK && status != TR_NOT_FOUND)
        s->status = status;
}

static void build_and_search(void *user) {
    build(user);
    search(user);
}

static tr_vec2 random_free_point(const stand *s, tr_random *random) {
    const tr_grid *grid = &s->def.grid;
    for (;;) {
        uint32_t column = tr_random_below(
            random, grid->columns); // first: the evaluation order of arguments is up to the compiler
        tr_vec2 point = tr_grid_centre(grid, column, tr_random_below(random, grid->rows));
        if (tr_occupancy_is_free(s->occupancy, point))
            return point;
    }
}

// Means over 100 positions of the obstacles, each with a random start and goal [ns]; `found` of them have a
// path.
static void measure_search(stand *s, double *search_time, double *total_time, uint32_t *found) {
    tr_random random = tr_random_seed(bench_seed(s->bench, 3));
    *search_time = *total_time = 0;
    *found = 0;
    for (uint32_t i = 0; i < POSITIONS && s->status == TR_OK; i++) {
        s->status = tr_sample_shuffle(&s->sample, bench_seed(s->bench, i));
        build(s);
        if (s->status != TR_OK)
            return;
        s->start = random_free_point(s, &random);
        s->goal = random_free_point(s, &random);
        *search_time += bench_time(search, s) / POSITIONS;
        *total_time += bench_time(build_and_search, s) / POSITIONS;
        *found += s->has_way;
    }
}

static bool complain(const stand *s) {
    char text[700];
    command_complain("%s (%s)", tr_error_format(&s->error, text, sizeof text), tr_status_name(s->status));
    return false;
}

// Recast on the current scene: the best of some runs, for each figure separately. Returns NULL, or the reason
// why it is unavailable.
static const char *run_recast(const stand *s, bench_recast_times *best) {
    bench_agent agent = {s->def.band.high - s->sample.ground.min.y, s->def.radius, 0.1f, 45, 0.1f};
    best->rasterize_ms = best->build_ms = INFINITY;
    for (int run = 0; run < RECAST_RUNS; run++) {
        bench_recast_times times;
        const char *refusal = bench_recast_measure(s->sample.scene, &s->def.grid, &agent, &times);
        if (refusal)
            return refusal;
        best->rasterize_ms = fmin(best->rasterize_ms, times.rasterize_ms);
        best->build_ms = fmin(best->build_ms, times.build_ms);
    }
    return NULL;
}

// Recast on the same triangles at the same positions [ms]; NAN if unavailable.
static bench_recast_times measure_recast(bench_report *bench, stand *s) {
    bench_recast_times mean = {0, 0}, none = {NAN, NAN};
    for (uint32_t i = 0; i < RECAST_POSITIONS && s->status == TR_OK; i++) {
        bench_recast_times best;
        s->status = tr_sample_shuffle(&s->sample, bench_seed(s->bench, i));
        const char *refusal = run_recast(s, &best);
        if (refusal) {
            bench_note(bench, refusal);
            return none;
        }
        mean.rasterize_ms += best.rasterize_ms / RECAST_POSITIONS;
        mean.build_ms += best.build_ms / RECAST_POSITIONS;
    }
    return mean;
}

static void add_recast(bench_report *bench, const experiment *e, const char *id_end, const char *what,
                       double recast, double ours) {
    if (isnan(recast))
        return;
    bench_result result = {
        .value = recast, .unit = "ms", .paper = NAN, .peer = "Troupe", .peer_value = ours, .by = "Recast"};
    snprintf(result.id, sizeof result.id, "peers.recast.%s%u.%s", e->scene, e->cells, id_end);
    snprintf(result.what, sizeof result.what, "%s; %.0f times our project and grow", what, recast / ours);
    bench_add(bench, &result);
}

static void add_ours(bench_report *bench, const experiment *e, const char *id_end, const char *what,
                     double ours, double paper, const char *peer, double peer_value) {
    bench_result result = {.value = ours,
                           .unit = "ms",
                           .paper = paper,
                           .peer = isnan(peer_value) ? NULL : peer,
                           .peer_value = peer_value};
    snprintf(result.id, sizeof result.id, "kuffner.%s%u.%s", e->scene, e->cells, id_end);
    snprintf(result.what, sizeof result.what, "%s", what);
    bench_add(bench, &result);
}

static bool measure_project(bench_report *bench, const experiment *e) {
    stand s;
    bool fine = set_up(&s, bench, e->scene, e->cells, TR_RASTER_SOFT);
    double ours = fine ? measure_positions(&s, build, POSITIONS) / 1e6 : 0;
    double search_time = 0, total_time = 0;
    uint32_t found = 0;
    if (fine)
        measure_search(&s, &search_time, &total_time, &found);
    bench_recast_times recast = measure_recast(bench, &s);
    fine = s.status == TR_OK || complain(&s);
    char what[160], searched[160];
    snprintf(searched, sizeof searched, "jump point search with path extraction; %u of %u have a path", found,
             POSITIONS);
    snprintf(what, sizeof what, "project and grow %u x %u cells on %s", s.def.grid.columns, s.def.grid.rows,
             fine ? tr_raster_name(s.raster) : "");
    if (fine) {
        add_ours(bench, e, "project_ms", what, ours, e->paper_ms, "Recast, rasterisation alone",
                 recast.rasterize_ms);
        add_ours(bench, e, "search_ms", searched, search_time / 1e6, e->paper_search_ms, NULL, NAN);
        add_ours(bench, e, "total_ms", "project, grow and search", total_time / 1e6, e->paper_total_ms,
                 "Recast, full build without a search", recast.build_ms);
        add_recast(bench, e, "rasterize_ms", "Recast, rasterisation alone", recast.rasterize_ms, ours);
        add_recast(bench, e, "build_ms", "Recast, full build of a navigation mesh", recast.build_ms, ours);
    }
    take_down(&s);
    return fine;
}

static void add_gl(bench_report *bench, const experiment *e, const char *what, const char *id_end,
                   double nanoseconds, const stand *s) {
    bench_result result = {.value = nanoseconds / 1e6, .unit = "ms", .paper = e->paper_ms, .peer_value = NAN};
    snprintf(result.id, sizeof result.id, "kuffner.%s%u.%s", e->scene, e->cells, id_end);
    snprintf(result.what, sizeof result.what, "%s on %s", what, tr_raster_name(s->raster));
    bench_add(bench, &result);
}

static bool measure_gl(bench_report *bench, const experiment *e) {
    stand s;
    if (!set_up(&s, bench, e->scene, e->cells, TR_RASTER_GL)) {
        bool fine = s.status == TR_UNAVAILABLE || complain(&s);
        if (s.status == TR_UNAVAILABLE)
            bench_note(bench, s.error.message);
        take_down(&s);
        return fine;
    }
    uint32_t positions = strstr(tr_raster_name(s.raster), "llvmpipe") ? 5 : POSITIONS;
    double draw = measure_positions(&s, widen, positions);
    double overlapped = measure_positions(&s, widen_overlapped, positions / 5) / OVERLAPPED;
    bool fine = s.status == TR_OK || complain(&s);
    if (fine) {
        add_gl(bench, e, "project, grow and read back", "gl_project_ms", draw, &s);
        add_gl(bench, e, "the same, read-back overlapped with drawing", "gl_overlapped_ms", overlapped, &s);
    }
    take_down(&s);
    return fine;
}

// Pushes one random chair by up to half a metre and updates the map.
static double measure_update(stand *s) {
    double times[10 * POSITIONS];
    tr_random random = tr_random_seed(bench_seed(s->bench, 1));
    build(s);
    for (uint32_t i = 0; i < 10 * POSITIONS && s->status == TR_OK; i++) {
        uint32_t object = s->sample.first_movable + tr_random_below(&random, s->sample.movable_count);
        tr_affine placement = tr_scene_object(s->sample.scene, object).placement;
        placement.m[0][3] += tr_random_between(&random, -0.5f, 0.5f);
        placement.m[2][3] += tr_random_between(&random, -0.5f, 0.5f);
        s->status = tr_scene_place(s->sample.scene, object, &placement);
        uint64_t begin = tr_clock_nanoseconds();
        if (s->status == TR_OK)
            s->status = tr_occupancy_update(s->occupancy, s->raster, s->sample.scene, NULL, &s->error);
        times[i] = (double)(tr_clock_nanoseconds() - begin);
    }
    return s->status == TR_OK ? bench_median(times, 10 * POSITIONS) : 0;
}

static bool measure_moved_chair(bench_report *bench) {
    stand s;
    bool fine = set_up(&s, bench, "office", 135, TR_RASTER_SOFT);
    double nanoseconds = fine ? measure_update(&s) : 0;
    fine = s.status == TR_OK || complain(&s);
    bench_result result = {.id = "kuffner.office135.update_us",
                           .what = "one chair moved, map updated (median of 1000)",
                           .value = nanoseconds / 1e3,
                           .unit = "us",
                           .paper = NAN,
                           .peer_value = NAN};
    if (fine)
        bench_add(bench, &result);
    take_down(&s);
    return fine;
}

bool bench_kuffner(bench_report *bench) {
    bool fine = true;
    for (uint32_t i = 0; i < EXPERIMENT_COUNT && fine; i++) {
        char what[64];
        snprintf(what, sizeof what, "kuffner %s %u", experiments[i].scene, experiments[i].cells);
        bench_progress(bench, what, (double)i / EXPERIMENT_COUNT);
        fine = measure_project(bench, &experiments[i]) &&
               (!bench_wants_gl(bench) || measure_gl(bench, &experiments[i]));
    }
    return fine && measure_moved_chair(bench);
}
