#include "troupe/plan/refine.h"
#include "refine_level.h"

#include <math.h>

struct tr_refine {
    tr_allocator allocator;
    tr_refine_def def;
    tr_occupancy *coarse;
    refine_level levels[TR_REFINE_LEVELS_MAX + 1];
    tr_route *route;
    tr_refine_result last;
    bool is_built;
};

tr_refine_def tr_refine_def_default(const tr_occupancy_def *occupancy) {
    tr_refine_def def = {
        .occupancy = *occupancy, .levels = 2, .params = tr_route_params_default(), .stretch = INFINITY};
    def.params.method = TR_ROUTE_JPS;
    return def;
}

static tr_status check_def(const tr_refine_def *def, tr_error *error) {
    if (def->occupancy.growth != TR_GROWTH_SAFE)
        return tr_fail(error, TR_INVALID,
                       "growth is number %d, refinement needs TR_GROWTH_SAFE: only then is a free cell free "
                       "when it is halved",
                       (int)def->occupancy.growth);
    if (def->levels > TR_REFINE_LEVELS_MAX)
        return tr_fail(error, TR_INVALID, "cells may be halved %d times at most, %u were asked for",
                       TR_REFINE_LEVELS_MAX, def->levels);
    if (!(def->stretch >= 1))
        return tr_fail(error, TR_INVALID, "the stretch is %g, it must be at least 1", def->stretch);
    return TR_OK;
}

// What the coarse occupancy alone cannot know: whether the radius fits the finest cells.
static tr_status check_finest(const tr_refine_def *def, tr_error *error) {
    double radius = (double)(def->occupancy.radius / def->occupancy.grid.cell) * (double)(1u << def->levels);
    if (tr_occupancy_grow_scratch(1, radius) == 0)
        return tr_fail(error, TR_INVALID,
                       "a radius of %g m is %g of the finest cells, at most %d are allowed",
                       def->occupancy.radius, radius, 2 * TR_GRID_SIDE_MAX);
    return TR_OK;
}

static tr_status create_parts(tr_refine *made, tr_error *error) {
    tr_occupancy_def occupancy = made->def.occupancy;
    occupancy.allocator = &made->allocator;
    occupancy.keep_heights = occupancy.keep_clearance = false;
    tr_status status = tr_occupancy_create(&occupancy, &made->coarse, error);
    if (status == TR_OK)
        status = check_finest(&made->def, error);
    for (uint32_t i = 0; i <= made->def.levels && status == TR_OK; i++)
        status = tr_refine_level_create(&made->allocator, &occupancy, i, &made->levels[i], error);
    if (status == TR_OK)
        status =
            tr_route_create(&made->allocator, tr_route_map_nodes(&made->levels[made->def.levels].certain),
                            &made->route, error);
    return status;
}

tr_status tr_refine_create(const tr_refine_def *def, tr_refine **refine, tr_error *error) {
    *refine = NULL;
    tr_status status = check_def(def, error);
    if (status != TR_OK)
        return status;
    tr_allocator own = tr_allocator_or_default(def->allocator);
    tr_refine *made = tr_allocate_zero(&own, 1, sizeof *made);
    if (!made)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a refinement");
    made->allocator = own;
    made->def = *def;
    made->def.allocator = made->def.occupancy.allocator = NULL; // ours is a copy
    made->def.params.budget = (tr_search_budget){0};
    made->def.params.listener = NULL;
    status = create_parts(made, error);
    if (status != TR_OK) {
        tr_refine_destroy(made);
        return status;
    }
    *refine = made;
    return TR_OK;
}

void tr_refine_destroy(tr_refine *refine) {
    if (!refine)
        return;
    tr_allocator allocator = refine->allocator;
    tr_route_destroy(refine->route);
    for (uint32_t i = 0; i <= refine->def.levels; i++)
        if (refine->levels[i].allocator.resize)
            tr_refine_level_destroy(&refine->levels[i]);
    tr_occupancy_destroy(refine->coarse);
    tr_release(&allocator, refine, 1, sizeof *refine);
}

// One call of tr_refine_find, on one level.
typedef struct find_job {
    tr_refine *refine;
    refine_level *level;
    const refine_level *parent;
    tr_raster *raster;
    const tr_scene *scene;
    tr_vec2 start, goal;
    uint32_t ends[4]; // column and row of start and goal
    tr_error *error;
} find_job;

static tr_status search(find_job *job, const tr_route_map *map) {
    const uint32_t *ends = job->ends;
    uint32_t start = tr_route_map_node(map, ends[0], ends[1]),
             goal = tr_route_map_node(map, ends[2], ends[3]);
    if (!tr_route_map_is_free(map, start) || !tr_route_map_is_free(map, goal))
        return TR_NOT_FOUND;
    job->refine->last.searches++;
    return tr_route_find_cells(job->refine->route, map, &job->refine->def.params, start, &goal, 1,
                               job->error);
}

// The least length that any path between the two cells can have [m].
static double least_length(const find_job *job) {
    const uint32_t *ends = job->ends;
    double x = fabs((double)ends[0] - ends[2]), z = fabs((double)ends[1] - ends[3]);
    double less = x < z ? x : z, more = x < z ? z : x;
    bool diagonals = job->refine->def.params.neighbours == 8;
    return (diagonals ? more + (sqrt(2) - 1) * less : x + z) * job->level->grid.cell;
}

static bool is_good(const find_job *job, double length, double possible) {
    double stretch = job->refine->def.stretch;
    return isinf(stretch) || length <= stretch * possible * (1 + 1e-12);
}

static bool want_cell(refine_level *level, uint32_t column, uint32_t row) {
    if (tr_refine_level_is_certain(level, column, row))
        return false;
    tr_refine_level_want(level, column, row);
    return true;
}

// Want the tiles of all cells on the path just found that have not been looked at, those beside its diagonal
// steps included; false when there are none.
static bool want_path(find_job *job) {
    tr_route_result path = tr_route_last(job->refine->route);
    const tr_route_map *map = &job->level->hopeful;
    bool any = false;
    for (uint32_t i = 0, column_before = 0, row_before = 0; i < path.cell_count; i++) {
        uint32_t column = tr_route_map_column(map, path.cells[i]), row = tr_route_map_row(map, path.cells[i]);
        any |= want_cell(job->level, column, row);
        if (i > 0 && column != column_before && row != row_before) {
            any |= want_cell(job->level, column, row_before);
            any |= want_cell(job->level, column_before, row);
        }
        column_before = column, row_before = row;
    }
    return any;
}

static tr_status look(find_job *job, uint32_t spread) {
    return tr_refine_level_look(job->level, job->parent, spread, job->raster, job->scene, job->error);
}

static tr_status look_at_ends(find_job *job) {
    want_cell(job->level, job->ends[0], job->ends[1]);
    want_cell(job->level, job->ends[2], job->ends[3]);
    return look(job, 0);
}

// Places are looked at around ever wider: a long wall without a gap then takes few rounds.
static uint32_t widen(uint32_t spread) {
    return spread ? 2 * spread : 1;
}

// Take the best way over what is free and what might be, look at it, and again, until what is certain is good
// enough. TR_OK: the route of tr_route_last is, as far as this level can tell. TR_NOT_FOUND: there is none on
// this level.
static tr_status search_level(find_job *job) {
    tr_status status = look_at_ends(job);
    for (uint32_t spread = 0; status == TR_OK; spread = widen(spread)) {
        status = search(job, &job->level->certain);
        bool has_way = status == TR_OK;
        if (!has_way && status != TR_NOT_FOUND)
            return status;
        double length = has_way ? tr_route_last(job->refine->route).length : 0;
        if (has_way && is_good(job, length, least_length(job)))
            return TR_OK;
        status = search(job, &job->level->hopeful);
        if (status != TR_OK)
            return status;
        if (has_way && is_good(job, length, tr_route_last(job->refine->route).length))
            return search(job, &job->level->certain);
        if (!want_path(job))
            return TR_OK; // all of it is certain
        status = look(job, spread);
    }
    return status;
}

// Bring the coarse map up to date and forget the finer ones when it changed.
static tr_status update_coarse(tr_refine *refine, tr_raster *raster, const tr_scene *scene, tr_error *error) {
    tr_cells changed;
    bool was_built = refine->is_built;
    refine->is_built = false;
    tr_status status = tr_occupancy_update(refine->coarse, raster, scene, &changed, error);
    if (status != TR_OK)
        return status;
    refine->is_built = true;
    if (was_built && (changed.column_begin >= changed.column_end || changed.row_begin >= changed.row_end))
        return TR_OK;
    tr_refine_level_copy(&refine->levels[0], refine->coarse);
    for (uint32_t i = 1; i <= refine->def.levels; i++)
        refine->levels[i].is_begun = false;
    return TR_OK;
}

static void keep_result(tr_refine *refine, uint32_t number, bool found) {
    tr_refine_result *last = &refine->last;
    tr_route_result path = tr_route_last(refine->route);
    last->level = number;
    last->map = &refine->levels[number].certain;
    last->cells = found ? path.cells : NULL;
    last->cell_count = found ? path.cell_count : 0;
    last->length = found ? path.length : 0;
    for (uint32_t i = 1; i <= refine->def.levels; i++)
        last->projected += refine->levels[i].is_begun ? refine->levels[i].projected_cells : 0;
    const tr_grid *finest = &refine->levels[refine->def.levels].grid;
    last->whole = (uint64_t)finest->columns * finest->rows;
}

// Is a route of this level final? The last level's is; else only one that no finer level could better.
static bool is_final(const find_job *job, uint32_t number) {
    const tr_refine *refine = job->refine;
    return number == refine->def.levels ||
           is_good(job, tr_route_last(refine->route).length, least_length(job));
}

static tr_status search_levels(find_job *job) {
    tr_refine *refine = job->refine;
    tr_status status = TR_NOT_FOUND;
    for (uint32_t number = 0; number <= refine->def.levels; number++) {
        job->level = &refine->levels[number];
        if (!tr_grid_find(&job->level->grid, job->start, &job->ends[0], &job->ends[1]) ||
            !tr_grid_find(&job->level->grid, job->goal, &job->ends[2], &job->ends[3]))
            return tr_fail(job->error, TR_INVALID, "the way from (%g, %g) to (%g, %g) leaves the map",
                           job->start.x, job->start.z, job->goal.x, job->goal.z);
        if (number > 0) {
            job->parent = &refine->levels[number - 1];
            tr_refine_level_inherit(job->level, job->parent);
        }
        status = number == 0 ? search(job, &job->level->certain) : search_level(job);
        if (status == TR_OK && is_final(job, number)) {
            keep_result(refine, number, true);
            return TR_OK;
        }
        if (status != TR_OK && status != TR_NOT_FOUND) {
            job->level->is_begun = false; // a draw may have stopped half way
            return status;
        }
    }
    keep_result(refine, refine->def.levels, false);
    return status;
}

tr_status tr_refine_find(tr_refine *refine, tr_raster *raster, const tr_scene *scene, tr_vec2 start,
                         tr_vec2 goal, tr_error *error) {
    find_job job = {
        .refine = refine, .raster = raster, .scene = scene, .start = start, .goal = goal, .error = error};
    refine->last = (tr_refine_result){0};
    tr_status status = update_coarse(refine, raster, scene, error);
    if (status != TR_OK)
        return status;
    status = search_levels(&job);
    if (status == TR_NOT_FOUND)
        tr_fail(error, status, "there is no way from (%g, %g) to (%g, %g) with cells of %g m", start.x,
                start.z, goal.x, goal.z, refine->levels[refine->def.levels].grid.cell);
    return status;
}

tr_refine_result tr_refine_last(const tr_refine *refine) {
    return refine->last;
}
