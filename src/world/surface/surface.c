#include "troupe/base/scalar.h"
#include "surface_data.h"

#include <math.h>
#include <string.h>

#define HAIR (1.0 / 64) // of a unit or step: the error of differences

tr_surface_def tr_surface_def_default(void) {
    tr_surface_def def = {.slope = 0.78539816f,
                          .room_step = 0.05f,
                          .room_least = 0.5f,
                          .exclude_tags = TR_TAG_CHARACTER,
                          .guess = true,
                          .guess_area = 2,
                          .guess_rise = 0.25f};
    return def;
}

static tr_status check_length(const char *what, float value, tr_error *error) {
    if (value >= 0 && isfinite(value))
        return TR_OK;
    return tr_fail(error, TR_INVALID, "the surface's %s is %g, it must be finite and at least 0", what,
                   value);
}

static tr_status check_def(const tr_surface_def *def, tr_error *error) {
    tr_status status = tr_voxel_grid_check(&def->grid, def->max_columns, error);
    if (status != TR_OK)
        return status;
    if (!(def->slope >= 0 && def->slope <= 1.5707964f))
        return tr_fail(error, TR_INVALID,
                       "the steepest walkable slope is %g rad, it must be between 0 and pi/2", def->slope);
    if (!(def->room_step > 0) || !isfinite(def->room_step))
        return tr_fail(error, TR_INVALID, "room_step is %g m, it must be above 0", def->room_step);
    if ((status = check_length("merge [m]", def->merge, error)) != TR_OK ||
        (status = check_length("least room [m]", def->room_least, error)) != TR_OK ||
        (status = check_length("guessed area [m^2]", def->guess_area, error)) != TR_OK ||
        (status = check_length("guessed rise [m]", def->guess_rise, error)) != TR_OK ||
        (status = check_length("guessed step [m]", def->guess_step, error)) != TR_OK)
        return status;
    return TR_OK;
}

size_t tr_surface_block_bytes(const surface_cells *cells) {
    return (size_t)cells->capacity * 3 + (cells->guessed ? (size_t)surface_words(cells->capacity) * 8 : 0);
}

bool tr_surface_block_create(const tr_allocator *allocator, uint32_t capacity, bool guess,
                             surface_cells *cells) {
    size_t words = guess ? surface_words(capacity) : 0;
    uint64_t *block = tr_allocate(allocator, words * 8 + (size_t)capacity * 3, 1);
    if (!block)
        return false;
    memset(block, 0, words * 8);
    cells->guessed = guess ? block : NULL;
    cells->heights = (uint16_t *)(block + words);
    cells->rooms = (uint8_t *)(cells->heights + capacity);
    cells->capacity = capacity;
    cells->used = 0;
    return true;
}

void tr_surface_block_destroy(const tr_allocator *allocator, surface_cells *cells) {
    void *block = cells->guessed ? (void *)cells->guessed : (void *)cells->heights;
    tr_release(allocator, block, tr_surface_block_bytes(cells), 1);
    cells->heights = NULL;
    cells->rooms = NULL;
    cells->guessed = NULL;
    cells->capacity = cells->used = 0;
}

bool tr_surface_cells_create(const tr_allocator *allocator, uint32_t tiles, uint32_t offsets,
                             surface_cells *cells) {
    surface_cells made = {.tile_count = tiles, .offset_count = offsets};
    made.tiles = tr_allocate_zero(allocator, tiles, sizeof *made.tiles);
    made.offsets = tr_allocate_zero(allocator, offsets, sizeof *made.offsets);
    bool enough = tr_surface_block_create(allocator, 0, false, &made) && made.tiles && made.offsets;
    *cells = made;
    if (enough)
        return true;
    tr_surface_cells_destroy(allocator, cells);
    return false;
}

void tr_surface_cells_destroy(const tr_allocator *allocator, surface_cells *cells) {
    tr_surface_block_destroy(allocator, cells);
    tr_release(allocator, cells->tiles, cells->tile_count, sizeof *cells->tiles);
    tr_release(allocator, cells->offsets, cells->offset_count, sizeof *cells->offsets);
    memset(cells, 0, sizeof *cells);
}

uint32_t tr_surface_lay_out(surface_cells *cells, const tr_grid *grid, tr_cells tiles, uint32_t tile,
                            uint32_t offset) {
    for (uint32_t row = tiles.row_begin; row < tiles.row_end; row++)
        for (uint32_t column = tiles.column_begin; column < tiles.column_end; column++) {
            cells->tiles[tile++].offsets = offset;
            offset += (uint32_t)tr_cells_area(surface_tile_window(grid, column, row)) + 1;
        }
    return offset;
}

uint32_t tr_surface_offset_count(const tr_grid *grid, tr_cells tiles) {
    tr_cells first = surface_tile_window(grid, tiles.column_begin, tiles.row_begin),
             last = surface_tile_window(grid, tiles.column_end - 1, tiles.row_end - 1);
    return (uint32_t)(tr_cells_area(tr_cells_join(first, last)) + tr_cells_area(tiles));
}

static tr_surface_scale scale_of(const tr_surface_def *def) {
    double range = (double)def->grid.layer * def->grid.layers;
    tr_surface_scale scale = {
        .bottom = def->grid.bottom, .unit = range <= 65.0001 ? 0.001 : range / 65535, .room = def->room_step};
    return scale;
}

tr_status tr_surface_create(const tr_surface_def *def, tr_surface **surface, tr_error *error) {
    *surface = NULL;
    tr_status status = check_def(def, error);
    if (status != TR_OK)
        return status;
    tr_allocator own = tr_allocator_or_default(def->allocator);
    tr_surface *made = tr_allocate_zero(&own, 1, sizeof *made);
    const tr_grid *grid = &def->grid.grid;
    tr_cells tiles = {0, 0, tr_voxels_tile_columns(grid), tr_voxels_tile_rows(grid)};
    if (made) {
        made->allocator = own;
        made->def = *def;
        made->def.allocator = NULL; // the surface keeps its own copy
        made->scale = scale_of(def);
        made->tile_columns = tiles.column_end;
    }
    if (!made || !tr_surface_cells_create(&own, (uint32_t)tr_cells_area(tiles),
                                          tr_surface_offset_count(grid, tiles), &made->cells)) {
        tr_surface_destroy(made);
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a surface of %u x %u columns", grid->columns,
                       grid->rows);
    }
    tr_surface_lay_out(&made->cells, grid, tiles, 0, 0);
    *surface = made;
    return TR_OK;
}

void tr_surface_destroy(tr_surface *surface) {
    if (!surface)
        return;
    tr_allocator allocator = surface->allocator;
    tr_surface_cells_destroy(&allocator, &surface->cells);
    tr_scene_changes_release(&surface->changes, &allocator);
    tr_release(&allocator, surface, 1, sizeof *surface);
}

uint64_t tr_surface_revision(const tr_surface *surface) {
    return surface->revision;
}

const tr_voxel_grid *tr_surface_grid(const tr_surface *surface) {
    return &surface->def.grid;
}

const tr_surface_def *tr_surface_def_of(const tr_surface *surface) {
    return &surface->def;
}

uint32_t tr_surface_cell_count(const tr_surface *surface) {
    return surface->cell_count;
}

uint64_t tr_surface_bytes(const tr_surface *surface) {
    const surface_cells *cells = &surface->cells;
    return sizeof *surface + cells->tile_count * sizeof *cells->tiles +
           cells->offset_count * sizeof *cells->offsets + tr_surface_block_bytes(cells) +
           surface->changes.capacity * sizeof *surface->changes.seen;
}

tr_surface_column tr_surface_at(const tr_surface *surface, uint32_t column, uint32_t row) {
    tr_surface_column none = {0, 0, NULL, NULL};
    const tr_grid *grid = &surface->def.grid.grid;
    return column < grid->columns && row < grid->rows ? surface_at(surface, column, row) : none;
}

tr_surface_scale tr_surface_scale_of(const tr_surface *surface) {
    return surface->scale;
}

uint16_t tr_surface_units(const tr_surface *surface, double metres) {
    double units = floor(metres / surface->scale.unit + HAIR);
    return units > 0 ? (uint16_t)(units < 65535 ? units : 65535) : 0;
}

uint8_t tr_surface_room(const tr_surface *surface, double metres) {
    double steps = ceil(metres / surface->scale.room - HAIR);
    return !(steps < TR_SURFACE_ROOM_MAX) ? TR_SURFACE_ROOM_MAX : (uint8_t)(steps > 0 ? steps : 0);
}
