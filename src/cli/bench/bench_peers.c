// Comparison with Detour on third-party ground: nav_test.obj, on its lower level. Times a query on a finished
// map, and the delay that a user sees after an object moved: the map update and a path on it.
#include "bench.h"
#include "cli/commands.h"
#include "troupe/base/clock.h"
#include "troupe/base/random.h"
#include "troupe/io/scene_file.h"
#include "troupe/plan/route.h"
#include "troupe/plan/line_of_sight.h"
#include "troupe/world/occupancy.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define CELL 0.3f
#define GROUND -2.27f // of the lower level
#define QUERIES 200
#define MOVES 20
#define POINTS_MAX 4096

static const bench_agent agent = {2.0f, 0.6f, 0.9f, 45, 0.2f};

typedef struct stand {
    tr_scene *scene;
    tr_occupancy *occupancy;
    tr_raster *raster;
    tr_route_map map;
    tr_route *route;
    bench_detour *detour;
    tr_random random;
    uint32_t box; // the object that moves
    tr_status status;
    tr_error error;
    const char *refusal; // Detour's reason for failing
} stand;

static void take_down(stand *s) {
    bench_detour_destroy(s->detour);
    tr_route_destroy(s->route);
    tr_route_map_destroy(&s->map);
    tr_raster_destroy(s->raster);
    tr_occupancy_destroy(s->occupancy);
    tr_scene_destroy(s->scene);
}

// A box of one metre with its own mesh.
static tr_status add_box(stand *s) {
    tr_vec3 corners[8];
    static const uint32_t sides[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                       2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    for (int i = 0; i < 8; i++)
        corners[i] = tr_vec3_make((i & 1) - 0.5f, (i & 2) ? 2.0f : 0.0f, (i & 4) ? 0.5f : -0.5f);
    tr_mesh_def mesh = {"box", corners, 8, sides, 12};
    tr_object_def object = {.name = "box", .placement = tr_affine_place(tr_vec3_make(0, GROUND, 0), 0)};
    tr_status status = tr_scene_add_mesh(s->scene, &mesh, &object.mesh, &s->error);
    return status == TR_OK ? tr_scene_add_object(s->scene, &object, &s->box, &s->error) : status;
}

static tr_status set_up(stand *s, const bench_report *bench) {
    char path[1024];
    tr_scene_read_options options = tr_scene_read_options_default();
    snprintf(path, sizeof path, "%s/scenes/nav_test.obj", bench_data(bench));
    tr_raster_def raster = {.backend = TR_RASTER_SOFT};
    tr_occupancy_def def = tr_occupancy_def_default(GROUND);
    def.band.low = GROUND + agent.climb;
    def.band.high = GROUND + agent.height;
    def.radius = agent.radius;
    tr_status status;
    if ((status = tr_scene_create(NULL, &s->scene)) != TR_OK ||
        (status = tr_scene_file_read(path, &options, s->scene, &s->error)) != TR_OK ||
        (status = tr_grid_cover(tr_scene_bounds(s->scene), CELL, 0, 0, &def.grid, &s->error)) != TR_OK ||
        (status = add_box(s)) != TR_OK ||
        (status = tr_occupancy_create(&def, &s->occupancy, &s->error)) != TR_OK ||
        (status = tr_raster_create(&raster, &s->raster, &s->error)) != TR_OK ||
        (status = tr_occupancy_build(s->occupancy, s->raster, s->scene, &s->error)) != TR_OK ||
        (status = tr_route_map_create(NULL, &def.grid, &s->map, &s->error)) != TR_OK ||
        (status = tr_route_create(NULL, tr_route_map_nodes(&s->map), &s->route, &s->error)) != TR_OK)
        return status;
    s->random = tr_random_seed(bench_seed(bench, 9));
    s->refusal = bench_detour_build(s->scene, &def.grid, &agent, &s->detour);
    return tr_route_map_set(&s->map, tr_occupancy_blocked(s->occupancy), tr_grid_all(&def.grid));
}

// Finds a straightened route; returns its length, or NAN if there is none.
static double find_ours(stand *s, tr_vec2 start, tr_vec2 goal) {
    tr_route_params params = tr_route_params_default();
    tr_vec2 points[POINTS_MAX];
    uint32_t count;
    double length = NAN;
    params.method = TR_ROUTE_JPS;
    if (tr_route_find(s->route, &s->map, &params, start, &goal, 1, NULL) != TR_OK)
        return NAN;
    tr_route_result path = tr_route_last(s->route);
    tr_status status = tr_line_of_sight_pull(&s->map,
                                             &(tr_line_of_sight_path){.cells = path.cells,
                                                                      .cell_count = path.cell_count,
                                                                      .start = start,
                                                                      .goal = goal,
                                                                      .cut_corners = true},
                                             points, POINTS_MAX, &count, &length);
    return status == TR_OK ? length : NAN;
}

static tr_vec2 random_point(stand *s) {
    const tr_grid *grid = tr_occupancy_grid(s->occupancy);
    for (;;) {
        uint32_t column = tr_random_below(&s->random, grid->columns);
        tr_vec2 point = tr_grid_centre(grid, column, tr_random_below(&s->random, grid->rows));
        if (tr_occupancy_is_free(s->occupancy, point))
            return point;
    }
}

static double microseconds_since(uint64_t begin) {
    return (double)(tr_clock_nanoseconds() - begin) / 1e3;
}

static const char *ask_detour(stand *s, tr_vec2 start, tr_vec2 goal, double *length) {
    bench_detour_length lengths = {NAN, NAN};
    const char *refusal = bench_detour_query(s->detour, tr_vec3_make(start.x, GROUND, start.z),
                                             tr_vec3_make(goal.x, GROUND, goal.z), &lengths);
    *length = lengths.flat;
    return refusal;
}

static void add_pair(bench_report *bench, const char *what, const char *unit, const char *id, double ours,
                     const char *peer_id, const char *peer, double theirs) {
    bench_result result = {
        .value = ours, .unit = unit, .paper = NAN, .peer = isnan(theirs) ? NULL : peer, .peer_value = theirs};
    snprintf(result.id, sizeof result.id, "%s", id);
    snprintf(result.what, sizeof result.what, "%s", what);
    bench_add(bench, &result);
    if (isnan(theirs))
        return;
    snprintf(result.id, sizeof result.id, "%s", peer_id);
    result.value = theirs;
    result.by = peer;
    result.peer = "Troupe";
    result.peer_value = ours;
    bench_add(bench, &result);
}

// Random pairs for which both find a path, so that both do the same work.
static void measure_queries(bench_report *bench, stand *s) {
    double ours[QUERIES], theirs[QUERIES], ratios[QUERIES];
    uint32_t count = 0;
    for (uint32_t attempt = 0; attempt < 20 * QUERIES && count < QUERIES; attempt++) {
        tr_vec2 start = random_point(s), goal = random_point(s);
        double length = NAN, their_length = NAN;
        uint64_t begin = tr_clock_nanoseconds();
        length = find_ours(s, start, goal);
        ours[count] = microseconds_since(begin);
        begin = tr_clock_nanoseconds();
        const char *refusal = s->detour ? ask_detour(s, start, goal, &their_length) : NULL;
        theirs[count] = s->detour ? microseconds_since(begin) : NAN;
        ratios[count] = length / their_length;
        count += !isnan(length) && !refusal;
    }
    if (count == 0)
        return;
    char what[160];
    double ratio = bench_median(ratios, count);
    snprintf(what, sizeof what,
             "nav_test.obj, %u queries with straightened path, median; lengths ours / Detour's: median %.3f",
             count, ratio);
    add_pair(bench, what, "us", "route.nav_test.query_us", bench_median(ours, count),
             "peers.detour.nav_test.query_us", "Detour", bench_median(theirs, count));
}

// Moves a box to another place and then finds a path.
static void measure_moves(bench_report *bench, stand *s) {
    double ours[MOVES], theirs[MOVES];
    uint32_t count = 0;
    for (uint32_t i = 0; i < MOVES && s->status == TR_OK; i++) {
        tr_vec2 start = random_point(s), goal = random_point(s), place = random_point(s);
        tr_affine placement = tr_affine_place(tr_vec3_make(place.x, GROUND, place.z), i * 0.3);
        uint32_t changed;
        tr_scene_place(s->scene, s->box, &placement);
        uint64_t begin = tr_clock_nanoseconds();
        s->status = tr_occupancy_update(s->occupancy, s->raster, s->scene, NULL, &s->error);
        const tr_cells *cells = tr_occupancy_changes(s->occupancy, &changed);
        for (uint32_t k = 0; k < changed; k++)
            tr_route_map_set(&s->map, tr_occupancy_blocked(s->occupancy), cells[k]);
        bool has_way = !isnan(find_ours(s, start, goal));
        ours[count] = microseconds_since(begin) / 1e3;
        theirs[count] = NAN;
        if (s->detour) {
            double length;
            bench_detour_destroy(s->detour);
            begin = tr_clock_nanoseconds();
            s->refusal = bench_detour_build(s->scene, tr_occupancy_grid(s->occupancy), &agent, &s->detour);
            if (s->detour)
                ask_detour(s, start, goal, &length);
            theirs[count] = microseconds_since(begin) / 1e3;
        }
        count += has_way; // count only moves that end with a path
    }
    if (s->status == TR_OK && count > 0)
        add_pair(bench, "nav_test.obj, a box moved: map update and a path; median", "ms",
                 "route.nav_test.moved_ms", bench_median(ours, count), "peers.recast.nav_test.moved_ms",
                 "Recast rebuild, Detour query", bench_median(theirs, count));
}

bool bench_peers(bench_report *bench) {
    stand s = {.status = TR_OK};
    bench_progress(bench, "comparison with Detour", 0);
    s.status = set_up(&s, bench);
    if (s.status == TR_NO_FILE) {
        bench_note(bench, "nav_test.obj was not found: --data names the folder that holds scenes/");
    } else if (s.status != TR_OK) {
        command_complain_of(&s.error);
    } else {
        if (s.refusal)
            bench_note(bench, s.refusal);
        measure_queries(bench, &s);
        bench_progress(bench, "comparison with Detour", 0.5);
        measure_moves(bench, &s);
    }
    bool fine = s.status == TR_OK || s.status == TR_NO_FILE;
    take_down(&s);
    return fine;
}
