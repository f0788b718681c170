#include "troupe/world/occupancy.h"
#include "occupancy_clearance.h"
#include "world/scene/scene_changes.h"

#include <math.h>
#include <string.h>

struct tr_occupancy {
    tr_allocator allocator;
    tr_occupancy_def def;
    double radius_cells;
    tr_bitmap occupied, blocked;
    float *floor, *overhang, *clearance;
    uint64_t *grow_scratch;
    size_t grow_scratch_words;
    int32_t *clearance_scratch;
    scene_changes changes;
    dirty_list changed; // by the last build or update
};

tr_occupancy_def tr_occupancy_def_default(float ground) {
    tr_occupancy_def def = {.band = {.low = ground + 0.05f, .high = ground + 1.8f, .exclude_object = TR_NONE},
                            .radius = 0.3f,
                            .growth = TR_GROWTH_SAFE};
    return def;
}

static tr_status check_def(const tr_occupancy_def *def, tr_error *error) {
    tr_status status = tr_grid_check(&def->grid, def->max_cells, error);
    if (status != TR_OK)
        return status;
    if (!isfinite(def->band.low) || !isfinite(def->band.high) || def->band.low > def->band.high)
        return tr_fail(error, TR_INVALID,
                       "the height band goes from %g to %g m, it must be finite and not reversed",
                       def->band.low, def->band.high);
    if (!(def->radius >= 0) || !(def->radius / def->grid.cell <= 2.0 * TR_GRID_SIDE_MAX))
        return tr_fail(error, TR_INVALID,
                       "the radius is %g m, it must be at least 0 and at most %d cells of %g m", def->radius,
                       2 * TR_GRID_SIDE_MAX, def->grid.cell);
    if (def->growth != TR_GROWTH_SAFE && def->growth != TR_GROWTH_CENTRES)
        return tr_fail(error, TR_INVALID, "growth %d is unknown", (int)def->growth);
    return TR_OK;
}

static bool allocate_planes(tr_occupancy *made) {
    const tr_occupancy_def *def = &made->def;
    uint32_t columns = def->grid.columns, rows = def->grid.rows;
    size_t cells = (size_t)columns * rows;
    if (tr_bitmap_create(&made->allocator, columns, rows, &made->occupied) != TR_OK ||
        tr_bitmap_create(&made->allocator, columns, rows, &made->blocked) != TR_OK)
        return false;
    made->grow_scratch_words = tr_occupancy_grow_scratch(columns, made->radius_cells);
    made->grow_scratch = tr_allocate(&made->allocator, made->grow_scratch_words, sizeof *made->grow_scratch);
    bool enough = made->grow_scratch != NULL;
    if (def->keep_heights) {
        made->floor = tr_allocate(&made->allocator, cells, sizeof *made->floor);
        made->overhang = tr_allocate(&made->allocator, cells, sizeof *made->overhang);
        enough = enough && made->floor && made->overhang;
        for (size_t i = 0; enough && i < cells; i++)
            made->floor[i] = -INFINITY, made->overhang[i] = INFINITY;
    }
    if (def->keep_clearance) {
        made->clearance = tr_allocate(&made->allocator, cells, sizeof *made->clearance);
        made->clearance_scratch =
            tr_allocate(&made->allocator, tr_clearance_scratch(columns), sizeof *made->clearance_scratch);
        enough = enough && made->clearance && made->clearance_scratch;
        for (size_t i = 0; enough && i < cells; i++)
            made->clearance[i] = INFINITY;
    }
    return enough;
}

tr_status tr_occupancy_create(const tr_occupancy_def *def, tr_occupancy **occupancy, tr_error *error) {
    *occupancy = NULL;
    tr_status status = check_def(def, error);
    if (status != TR_OK)
        return status;
    tr_allocator own = tr_allocator_or_default(def->allocator);
    tr_occupancy *made = tr_allocate_zero(&own, 1, sizeof *made);
    if (!made)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for an occupancy map");
    made->allocator = own;
    made->def = *def;
    made->def.allocator = NULL;                        // the map keeps its own copy
    made->radius_cells = def->radius / def->grid.cell; // as floats: 0.3 m is three cells of 0.1 m
    if (!allocate_planes(made)) {
        tr_occupancy_destroy(made);
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for an occupancy map of %u x %u cells",
                       def->grid.columns, def->grid.rows);
    }
    *occupancy = made;
    return TR_OK;
}

void tr_occupancy_destroy(tr_occupancy *occupancy) {
    if (!occupancy)
        return;
    tr_allocator allocator = occupancy->allocator;
    uint32_t columns = occupancy->def.grid.columns;
    size_t cells = (size_t)columns * occupancy->def.grid.rows;
    tr_bitmap_destroy(&allocator, &occupancy->occupied);
    tr_bitmap_destroy(&allocator, &occupancy->blocked);
    tr_release(&allocator, occupancy->floor, cells, sizeof(float));
    tr_release(&allocator, occupancy->overhang, cells, sizeof(float));
    tr_release(&allocator, occupancy->clearance, cells, sizeof(float));
    tr_release(&allocator, occupancy->grow_scratch, occupancy->grow_scratch_words, sizeof(uint64_t));
    tr_release(&allocator, occupancy->clearance_scratch, tr_clearance_scratch(columns), sizeof(int32_t));
    tr_scene_changes_release(&occupancy->changes, &allocator);
    tr_release(&allocator, occupancy, 1, sizeof *occupancy);
}

static tr_status draw(tr_occupancy *occupancy, tr_raster *raster, const tr_scene *scene, tr_cells region,
                      tr_error *error) {
    const tr_raster_band *band = &occupancy->def.band;
    tr_raster_request request = {.scene = scene,
                                 .grid = occupancy->def.grid,
                                 .band = *band,
                                 .region = region,
                                 .occupied = &occupancy->occupied,
                                 .floor = occupancy->floor,
                                 .overhang = occupancy->overhang,
                                 .split = (float)(((double)band->low + band->high) / 2)};
    return tr_raster_draw(raster, &request, error);
}

static void grow(tr_occupancy *occupancy, tr_cells region) {
    tr_occupancy_grow(&occupancy->occupied, &occupancy->blocked, occupancy->def.growth,
                      occupancy->radius_cells, region, occupancy->grow_scratch,
                      occupancy->grow_scratch_words);
}

static void measure_clearance(tr_occupancy *occupancy) {
    const tr_occupancy_def *def = &occupancy->def;
    clearance_rule rule = {def->growth, def->grid.cell, def->radius, occupancy->radius_cells};
    if (occupancy->clearance)
        tr_clearance_measure(&occupancy->occupied, &rule, occupancy->clearance, occupancy->clearance_scratch);
}

static seen_part part_of(const tr_occupancy *occupancy) {
    const tr_raster_band *band = &occupancy->def.band;
    seen_part part = {.grid = &occupancy->def.grid,
                      .low = band->low,
                      .high = band->high,
                      .height_room = 1e-4,
                      .exclude_tags = band->exclude_tags,
                      .exclude_object = band->exclude_object};
    return part;
}

tr_status tr_occupancy_build(tr_occupancy *occupancy, tr_raster *raster, const tr_scene *scene,
                             tr_error *error) {
    seen_part part = part_of(occupancy);
    occupancy->changed = (dirty_list){.cells = {tr_grid_all(&occupancy->def.grid)}, .count = 1};
    tr_scene_changes_drawn(&occupancy->changes,
                           NULL); // the map counts as not built until everything has succeeded
    tr_status status = tr_scene_changes_reserve(&occupancy->changes, &occupancy->allocator, scene, error);
    if (status != TR_OK)
        return status;
    tr_scene_changes_see(&occupancy->changes, &part, scene);
    status = draw(occupancy, raster, scene, tr_grid_all(&occupancy->def.grid), error);
    if (status != TR_OK)
        return status;
    grow(occupancy, tr_grid_all(&occupancy->def.grid));
    measure_clearance(occupancy);
    tr_scene_changes_drawn(&occupancy->changes, scene);
    return TR_OK;
}

static tr_cells grown_cells(const tr_occupancy *occupancy, tr_cells cells) {
    const tr_grid *grid = &occupancy->def.grid;
    uint64_t reach = (uint64_t)occupancy->radius_cells + 1;
    tr_cells grown = {cells.column_begin > reach ? (uint32_t)(cells.column_begin - reach) : 0,
                      cells.row_begin > reach ? (uint32_t)(cells.row_begin - reach) : 0,
                      cells.column_end + reach < grid->columns ? (uint32_t)(cells.column_end + reach)
                                                               : grid->columns,
                      cells.row_end + reach < grid->rows ? (uint32_t)(cells.row_end + reach) : grid->rows};
    return grown;
}

static tr_status redo(tr_occupancy *occupancy, tr_raster *raster, const tr_scene *scene,
                      const dirty_list *list, tr_error *error) {
    for (uint32_t i = 0; i < list->count; i++) {
        tr_status status = draw(occupancy, raster, scene, list->cells[i], error);
        if (status != TR_OK)
            return status;
    }
    dirty_list *changed =
        &occupancy->changed; // after all are drawn: a disc may reach from one rectangle into another
    for (uint32_t i = 0; i < list->count; i++)
        tr_dirty_add(changed, grown_cells(occupancy, list->cells[i]));
    for (uint32_t i = 0; i < changed->count; i++)
        grow(occupancy, changed->cells[i]);
    if (list->count)
        measure_clearance(occupancy);
    return TR_OK;
}

static tr_status update(tr_occupancy *occupancy, tr_raster *raster, const tr_scene *scene, tr_error *error) {
    tr_status status = tr_scene_changes_reserve(&occupancy->changes, &occupancy->allocator, scene, error);
    if (status != TR_OK)
        return status;
    tr_cells all = tr_grid_all(&occupancy->def.grid);
    seen_part part = part_of(occupancy);
    dirty_list list = {.count = 0};
    tr_scene_changes_find(&occupancy->changes, &part, scene, &list);
    uint64_t dirty_area = 0;
    for (uint32_t i = 0; i < list.count; i++)
        dirty_area += tr_cells_area(list.cells[i]);
    if (dirty_area * 2 > tr_cells_area(all)) { // then drawing everything at once is cheaper
        list.count = 1;
        list.cells[0] = all;
    }
    tr_scene_changes_drawn(&occupancy->changes, NULL);
    status = redo(occupancy, raster, scene, &list, error);
    if (status == TR_OK)
        tr_scene_changes_drawn(&occupancy->changes, scene);
    return status;
}

tr_status tr_occupancy_update(tr_occupancy *occupancy, tr_raster *raster, const tr_scene *scene,
                              tr_cells *changed, tr_error *error) {
    occupancy->changed.count = 0;
    tr_status status = tr_scene_changes_know(&occupancy->changes, scene)
                           ? update(occupancy, raster, scene, error)
                           : tr_occupancy_build(occupancy, raster, scene, error);
    tr_cells around = {0, 0, 0, 0};
    for (uint32_t i = 0; i < occupancy->changed.count; i++)
        around = tr_cells_join(around, occupancy->changed.cells[i]);
    if (changed)
        *changed = around;
    return status;
}

const tr_cells *tr_occupancy_changes(const tr_occupancy *occupancy, uint32_t *count) {
    *count = occupancy->changed.count;
    return occupancy->changed.cells;
}

const tr_grid *tr_occupancy_grid(const tr_occupancy *occupancy) {
    return &occupancy->def.grid;
}

const tr_bitmap *tr_occupancy_occupied(const tr_occupancy *occupancy) {
    return &occupancy->occupied;
}

const tr_bitmap *tr_occupancy_blocked(const tr_occupancy *occupancy) {
    return &occupancy->blocked;
}

const float *tr_occupancy_floor(const tr_occupancy *occupancy) {
    return occupancy->floor;
}

const float *tr_occupancy_overhang(const tr_occupancy *occupancy) {
    return occupancy->overhang;
}

const float *tr_occupancy_clearance(const tr_occupancy *occupancy) {
    return occupancy->clearance;
}

bool tr_occupancy_is_free(const tr_occupancy *occupancy, tr_vec2 point) {
    uint32_t column, row;
    return tr_grid_find(&occupancy->def.grid, point, &column, &row) &&
           !tr_bitmap_get(&occupancy->blocked, column, row);
}

double tr_occupancy_bytes_per_cell(const tr_occupancy *occupancy) {
    const tr_grid *grid = &occupancy->def.grid;
    size_t cells = (size_t)grid->columns * grid->rows;
    size_t bytes =
        tr_bitmap_bytes(&occupancy->occupied) + tr_bitmap_bytes(&occupancy->blocked) +
        occupancy->grow_scratch_words * sizeof(uint64_t) +
        (occupancy->floor ? 2 * cells * sizeof(float) : 0) +
        (occupancy->clearance ? cells * sizeof(float) + tr_clearance_scratch(grid->columns) * sizeof(int32_t)
                              : 0);
    return (double)bytes / (double)cells;
}
