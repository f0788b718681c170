// Little worlds of boxes for the tests of plan/path, and ways over them found without it: a graph of points
// that see each other.
#pragma once
#include "troupe/plan/path.h"
#include "world/little.h"

#define PATH_CELL 0.25f
#define PATH_SIDE 9 // cells

typedef struct path_world {
    tr_scene *scene;
    tr_raster *raster;
    tr_ground *ground;
    uint32_t size;
    tr_path *path;
} path_world;

static inline tr_ground_def path_world_def(void) {
    tr_ground_def def = tr_ground_def_default();
    def.area = little_make_box(0, 0, 0, PATH_SIDE * PATH_CELL, 3, PATH_SIDE * PATH_CELL);
    def.cell = PATH_CELL;
    def.layer = 0.1f;
    def.guess = false;
    def.slope = 0.35f; // steps of 0.25 m are no slopes
    return def;
}

// Cells of boxes are shrunk a little: they touch the cells that they are in, and no others.
static inline tr_box path_cells(uint32_t x0, uint32_t z0, uint32_t x1, uint32_t z1, float bottom, float top) {
    return little_make_box((float)x0 * PATH_CELL + 0.01f, bottom, (float)z0 * PATH_CELL + 0.01f,
                           (float)x1 * PATH_CELL - 0.01f, top, (float)z1 * PATH_CELL - 0.01f);
}

static inline bool path_world_open(path_world *world, const tr_ground_body *body) {
    tr_ground_def def = path_world_def();
    tr_error error = {.message = ""};
    world->raster = little_raster(0);
    world->ground = NULL;
    world->path = NULL;
    if (tr_ground_create(&def, world->raster, world->scene, &world->ground, &error) == TR_OK &&
        tr_ground_add_size(world->ground, body, &world->size, &error) == TR_OK &&
        tr_path_create(NULL, &world->path, &error) == TR_OK)
        return true;
    test_failed(__FILE__, __LINE__, "%s", error.message);
    return false;
}

static inline void path_world_close(path_world *world) {
    tr_path_destroy(world->path);
    tr_ground_destroy(world->ground);
    tr_raster_destroy(world->raster);
    tr_scene_destroy(world->scene);
}

// --- The oracle ---

#define PATH_POINTS_MAX 2048

typedef struct path_graph {
    const path_world *world;
    float up, down;
    tr_vec3 points[PATH_POINTS_MAX];
    double costs[PATH_POINTS_MAX];
    bool done[PATH_POINTS_MAX];
    uint32_t count;
} path_graph;

// Where a line crosses the borders of cells, as parts of it, in order.
static inline uint32_t path_crossings(tr_vec3 from, tr_vec3 to, double times[64]) {
    uint32_t count = 0;
    times[count++] = 0;
    for (int axis = 0; axis < 2; axis++) {
        double a = (axis ? from.z : from.x) / (double)PATH_CELL, b = (axis ? to.z : to.x) / (double)PATH_CELL;
        for (int line = 0; line <= PATH_SIDE && a != b; line++) {
            double time = (line - a) / (b - a);
            if (time > 0 && time < 1 && count < 62)
                times[count++] = time;
        }
    }
    times[count++] = 1;
    for (uint32_t i = 1; i < count; i++)
        for (uint32_t k = i; k > 0 && times[k] < times[k - 1]; k--) {
            double other = times[k];
            times[k] = times[k - 1];
            times[k - 1] = other;
        }
    return count;
}

// What a line costs beside its length: rises and falls of the floor from cell to cell; those of gentle slopes
// do not count. INFINITY: it leaves what is free. Cells that it crosses for less than `graze` [m] are left
// out.
static inline double path_effort(const path_graph *graph, tr_vec3 from, tr_vec3 to, double graze) {
    const path_world *world = graph->world;
    double unit = tr_surface_scale_of(tr_ground_surface(world->ground)).unit, gentle = unit * 1.01,
           effort = 0, times[64];
    uint32_t count = path_crossings(from, to, times);
    float height = from.y, next = 0;
    double x = (double)to.x - from.x, z = (double)to.z - from.z, length = sqrt(x * x + z * z);
    for (uint32_t i = 1; i < count; i++) {
        if ((times[i] - times[i - 1]) * length < graze)
            continue;
        double time = (times[i - 1] + times[i]) / 2;
        if (times[i] - times[i - 1] < 1e-9 && i > 1)
            return INFINITY; // through the corner of a cell: which way around is not said
        tr_vec3 at = {(float)(from.x + x * time), height, (float)(from.z + z * time)};
        if (!tr_ground_is_free(world->ground, world->size, at, &next))
            return INFINITY;
        double rise = (double)next - height;
        if (fabs(rise) > gentle)
            effort += rise > 0 ? graph->up * rise : -graph->down * rise;
        height = next;
    }
    double last = (double)to.y - height;
    if (fabs(last) > 1e-4 && graze == 0)
        return INFINITY;
    return fabs(last) > gentle ? effort + (last > 0 ? graph->up * last : -graph->down * last) : effort;
}

static inline void path_graph_add(path_graph *graph, tr_vec3 point) {
    float height;
    if (graph->count < PATH_POINTS_MAX &&
        tr_ground_is_free(graph->world->ground, graph->world->size, point, &height)) {
        point.y = height;
        graph->points[graph->count++] = point;
    }
}

// Is the corner of a cell one that ways may have to go around: are not all four cells there free, and level?
static inline bool path_is_corner(const path_graph *graph, tr_vec3 corner) {
    for (int k = 0; k < 4; k++) {
        float off = PATH_CELL / 2, height;
        tr_vec3 at = {corner.x + (k & 1 ? off : -off), corner.y, corner.z + (k & 2 ? off : -off)};
        if (!tr_ground_is_free(graph->world->ground, graph->world->size, at, &height) || height != corner.y)
            return true;
    }
    return false;
}

// A little inside of the corners of free cells.
static inline void path_graph_fill(path_graph *graph) {
    const tr_surface *surface = tr_ground_surface(graph->world->ground);
    const tr_grid *grid = &tr_surface_grid(surface)->grid;
    for (uint32_t row = 0; row < grid->rows; row++)
        for (uint32_t column = 0; column < grid->columns; column++) {
            tr_surface_column cells = tr_surface_at(surface, column, row);
            for (uint32_t i = 0; i < 4 * cells.count; i++) {
                tr_surface_place place = tr_surface_place_of(surface, column, row, i / 4);
                tr_vec3 centre = tr_surface_centre(surface, &place);
                float x = i & 1 ? PATH_CELL / 2 : -PATH_CELL / 2, z = i & 2 ? PATH_CELL / 2 : -PATH_CELL / 2,
                      inside = 1 - 1.0f / 128;
                if (path_is_corner(graph, tr_vec3_make(centre.x + x, centre.y, centre.z + z)))
                    path_graph_add(graph,
                                   tr_vec3_make(centre.x + x * inside, centre.y, centre.z + z * inside));
            }
        }
}

// The cheapest way from point 0 to point 1 through the others; INFINITY: none.
static inline double path_graph_find(path_graph *graph) {
    for (uint32_t i = 0; i < graph->count; i++) {
        graph->costs[i] = i == 0 ? 0 : INFINITY;
        graph->done[i] = false;
    }
    for (;;) {
        uint32_t best = TR_NONE;
        for (uint32_t i = 0; i < graph->count; i++)
            if (!graph->done[i] &&
                graph->costs[i] < (best == TR_NONE ? (double)INFINITY : graph->costs[best]))
                best = i;
        if (best == TR_NONE || best == 1)
            return graph->costs[1];
        graph->done[best] = true;
        for (uint32_t i = 0; i < graph->count; i++) {
            double x = (double)graph->points[i].x - graph->points[best].x,
                   z = (double)graph->points[i].z - graph->points[best].z, length = sqrt(x * x + z * z);
            if (graph->done[i] || graph->costs[best] + length >= graph->costs[i] ||
                !tr_ground_sees(graph->world->ground, graph->world->size, graph->points[best],
                                graph->points[i]))
                continue; // a quick look; path_effort looks again
            double cost =
                graph->costs[best] + length + path_effort(graph, graph->points[best], graph->points[i], 0);
            graph->costs[i] = cost < graph->costs[i] ? cost : graph->costs[i];
        }
    }
}
