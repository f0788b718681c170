#include "refine_level.h"

#include <string.h>

static uint32_t tiles_of(uint32_t cells) {
    return (cells + REFINE_TILE - 1) / REFINE_TILE;
}

static size_t scratch_for(const refine_level *level) {
    uint32_t columns = tiles_of(level->grid.columns), rows = tiles_of(level->grid.rows);
    size_t grow = tr_occupancy_grow_scratch(level->grid.columns, level->radius_cells),
           spread = tr_occupancy_grow_scratch(columns, columns > rows ? columns : rows);
    return grow > spread ? grow : spread;
}

static bool allocate_planes(refine_level *level, uint32_t number) {
    const tr_allocator *allocator = &level->allocator;
    uint32_t columns = level->grid.columns, rows = level->grid.rows;
    if (tr_bitmap_create(allocator, columns, rows, &level->blocked) != TR_OK ||
        tr_bitmap_create(allocator, columns, rows, &level->occupied) != TR_OK ||
        tr_bitmap_create(allocator, tiles_of(columns), tiles_of(rows), &level->projected) != TR_OK)
        return false;
    if (number == 0)
        return true; // an occupancy makes it, whole
    level->scratch_words = scratch_for(level);
    level->scratch = tr_allocate(allocator, level->scratch_words, sizeof *level->scratch);
    if (!level->scratch)
        return false;
    tr_bitmap *const tiles[] = {&level->known, &level->wanted, &level->wider};
    for (size_t i = 0; i < sizeof tiles / sizeof *tiles; i++)
        if (tr_bitmap_create(allocator, tiles_of(columns), tiles_of(rows), tiles[i]) != TR_OK)
            return false;
    return true;
}

tr_status tr_refine_level_create(const tr_allocator *allocator, const tr_occupancy_def *def, uint32_t number,
                                 refine_level *level, tr_error *error) {
    memset(level, 0, sizeof *level);
    level->allocator = *allocator;
    level->band = def->band;
    level->grid = def->grid;
    // Powers of two: a fine cell's borders and the radius in cells are exact, whatever the coarse ones are.
    float scale = (float)(1u << number);
    level->grid.cell /= scale;
    level->radius_cells = (double)(def->radius / def->grid.cell) * scale;
    level->grid.columns <<= number;
    level->grid.rows <<= number;
    tr_status status = tr_grid_check(&level->grid, def->max_cells, error);
    if (status == TR_OK)
        status = tr_route_map_create(allocator, &level->grid, &level->certain, error);
    if (status == TR_OK && number > 0)
        status = tr_route_map_create(allocator, &level->grid, &level->hopeful, error);
    if (status == TR_OK && !allocate_planes(level, number))
        status = tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a map of %u x %u cells", level->grid.columns,
                         level->grid.rows);
    if (status != TR_OK)
        tr_refine_level_destroy(level);
    return status;
}

void tr_refine_level_destroy(refine_level *level) {
    const tr_allocator *allocator = &level->allocator;
    tr_bitmap *const planes[] = {&level->occupied, &level->blocked, &level->projected,
                                 &level->known,    &level->wanted,  &level->wider};
    for (size_t i = 0; i < sizeof planes / sizeof *planes; i++)
        tr_bitmap_destroy(allocator, planes[i]);
    tr_route_map_destroy(&level->certain);
    tr_route_map_destroy(&level->hopeful);
    tr_release(allocator, level->scratch, level->scratch_words, sizeof *level->scratch);
    memset(level, 0, sizeof *level);
}

void tr_refine_level_copy(refine_level *level, const tr_occupancy *occupancy) {
    memcpy(level->occupied.words, tr_occupancy_occupied(occupancy)->words, tr_bitmap_bytes(&level->occupied));
    memcpy(level->blocked.words, tr_occupancy_blocked(occupancy)->words, tr_bitmap_bytes(&level->blocked));
    for (uint32_t row = 0; row < level->projected.rows; row++)
        for (uint32_t tile = 0; tile < level->projected.columns; tile++)
            tr_bitmap_set(&level->projected, tile, row);
    tr_route_map_set(&level->certain, &level->blocked, tr_grid_all(&level->grid));
}

static tr_cells tile_cells(const refine_level *level, uint32_t begin, uint32_t end, uint32_t row) {
    tr_cells cells = {begin * REFINE_TILE, row * REFINE_TILE, end * REFINE_TILE, (row + 1) * REFINE_TILE};
    cells.column_end = cells.column_end < level->grid.columns ? cells.column_end : level->grid.columns;
    cells.row_end = cells.row_end < level->grid.rows ? cells.row_end : level->grid.rows;
    return cells;
}

// The bits of a tile in one of its rows. Bits beyond the last column are 0.
static uint32_t tile_bits(const tr_bitmap *bitmap, uint32_t tile, uint32_t row) {
    return bitmap->words[(size_t)row * bitmap->stride + tile / 8] >> (tile % 8 * 8) & 0xff;
}

static bool tile_has_any(const tr_bitmap *bitmap, uint32_t tile, tr_cells cells) {
    uint32_t any = 0;
    for (uint32_t row = cells.row_begin; row < cells.row_end; row++)
        any |= tile_bits(bitmap, tile, row);
    return any != 0;
}

// Four bits become eight, each of them twice.
static uint64_t double_bits(uint64_t bits) {
    bits = (bits | bits << 2) & 0x33;
    bits = (bits | bits << 1) & 0x55;
    return bits | bits << 1;
}

static void inherit_tile(refine_level *level, const refine_level *parent, uint32_t tile, tr_cells cells) {
    uint32_t shift = tile % 8 * 8, half = tile % 2 * 4;
    for (uint32_t row = cells.row_begin; row < cells.row_end; row++) {
        uint64_t bits = double_bits(tile_bits(&parent->blocked, tile / 2, row / 2) >> half & 0xf);
        uint64_t *word = &level->blocked.words[(size_t)row * level->blocked.stride + tile / 8];
        *word = (*word & ~((uint64_t)0xff << shift)) | bits << shift;
    }
}

void tr_refine_level_inherit(refine_level *level, const refine_level *parent) {
    if (level->is_begun && level->parent_revision == parent->certain.revision)
        return;
    tr_cells all = tr_grid_all(&level->grid);
    if (!level->is_begun) {
        tr_bitmap_clear(&level->occupied);
        tr_bitmap_clear(&level->projected);
        tr_bitmap_clear(&level->known);
        tr_bitmap_clear(&level->wanted);
        level->projected_cells = 0;
        tr_route_map_set(&level->hopeful, &level->occupied, all); // nothing is known to be blocked
    }
    for (uint32_t row = 0; row < level->known.rows; row++)
        for (uint32_t tile = 0; tile < level->known.columns; tile++)
            if (!tr_bitmap_get(&level->known, tile, row))
                inherit_tile(level, parent, tile, tile_cells(level, tile, tile + 1, row));
    tr_route_map_set(&level->certain, &level->blocked, all);
    level->is_begun = true;
    level->parent_revision = parent->certain.revision;
}

bool tr_refine_level_is_certain(const refine_level *level, uint32_t column, uint32_t row) {
    return !tr_bitmap_get(&level->blocked, column, row) ||
           tr_bitmap_get(&level->known, column / REFINE_TILE, row / REFINE_TILE);
}

void tr_refine_level_want(refine_level *level, uint32_t column, uint32_t row) {
    tr_bitmap_set(&level->wanted, column / REFINE_TILE, row / REFINE_TILE);
}

// The end of the run of set bits that begins at `tile`.
static uint32_t run_end(const tr_bitmap *tiles, uint32_t tile, uint32_t row) {
    while (tile < tiles->columns && tr_bitmap_get(tiles, tile, row))
        tile++;
    return tile;
}

// Nothing of the scene is in a tile when nothing is in the parent's cells, so far as the parent was drawn.
static bool is_empty(const refine_level *parent, tr_cells cells) {
    for (uint32_t row = cells.row_begin / 2; row < (cells.row_end + 1) / 2; row++)
        for (uint32_t column = cells.column_begin / 2; column < (cells.column_end + 1) / 2; column++)
            if (tr_bitmap_get(&parent->occupied, column, row) ||
                !tr_bitmap_get(&parent->projected, column / REFINE_TILE, row / REFINE_TILE))
                return false;
    return true;
}

// Which tiles must be drawn so that those in `wider` can be grown? Leaves them in `wanted`.
static void list_drawn(refine_level *level, const refine_level *parent) {
    uint32_t reach = (uint32_t)level->radius_cells + 1;
    tr_bitmap_clear(&level->wanted);
    for (uint32_t row = 0; row < level->wider.rows; row++)
        for (uint32_t tile = 0; tile < level->wider.columns; tile++) {
            if (!tr_bitmap_get(&level->wider, tile, row))
                continue;
            tr_cells cells = tile_cells(level, tile, tile + 1, row);
            uint32_t left = cells.column_begin > reach ? (cells.column_begin - reach) / REFINE_TILE : 0,
                     low = cells.row_begin > reach ? (cells.row_begin - reach) / REFINE_TILE : 0,
                     right = (cells.column_end - 1 + reach) / REFINE_TILE,
                     high = (cells.row_end - 1 + reach) / REFINE_TILE;
            for (uint32_t z = low; z <= high && z < level->projected.rows; z++)
                for (uint32_t x = left; x <= right && x < level->projected.columns; x++)
                    if (!tr_bitmap_get(&level->projected, x, z)) {
                        tr_bitmap_set(&level->projected, x, z);
                        if (!is_empty(parent, tile_cells(level, x, x + 1, z)))
                            tr_bitmap_set(&level->wanted, x, z);
                    }
        }
}

static tr_status draw_listed(refine_level *level, tr_raster *raster, const tr_scene *scene, tr_error *error) {
    tr_raster_request request = {
        .scene = scene, .grid = level->grid, .band = level->band, .occupied = &level->occupied};
    for (uint32_t row = 0; row < level->wanted.rows; row++)
        for (uint32_t tile = 0; tile < level->wanted.columns; tile++) {
            uint32_t end = run_end(&level->wanted, tile, row);
            if (end == tile)
                continue;
            request.region = tile_cells(level, tile, end, row);
            tr_status status = tr_raster_draw(raster, &request, error);
            if (status != TR_OK)
                return status;
            level->projected_cells += (uint64_t)(request.region.column_end - request.region.column_begin) *
                                      (request.region.row_end - request.region.row_begin);
            tile = end;
        }
    return TR_OK;
}

static void grow_listed(refine_level *level) {
    for (uint32_t row = 0; row < level->wider.rows; row++)
        for (uint32_t tile = 0; tile < level->wider.columns; tile++) {
            uint32_t end = run_end(&level->wider, tile, row);
            if (end == tile)
                continue;
            tr_cells cells = tile_cells(level, tile, end, row);
            tr_occupancy_grow(&level->occupied, &level->blocked, TR_GROWTH_SAFE, level->radius_cells, cells,
                              level->scratch, level->scratch_words);
            tr_route_map_set(&level->certain, &level->blocked, cells);
            tr_route_map_set(&level->hopeful, &level->blocked, cells);
            for (; tile < end; tile++)
                tr_bitmap_set(&level->known, tile, row);
        }
}

tr_status tr_refine_level_look(refine_level *level, const refine_level *parent, uint32_t spread,
                               tr_raster *raster, const tr_scene *scene, tr_error *error) {
    uint32_t columns = level->wanted.columns, rows = level->wanted.rows;
    uint32_t most = columns > rows ? columns : rows;
    tr_cells all = {0, 0, columns, rows};
    tr_occupancy_grow(&level->wanted, &level->wider, TR_GROWTH_CENTRES, spread < most ? spread : most, all,
                      level->scratch, level->scratch_words);
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t tile = 0; tile < columns; tile++)
            if (tr_bitmap_get(&level->wider, tile, row) &&
                (tr_bitmap_get(&level->known, tile, row) ||
                 !tile_has_any(&level->blocked, tile, tile_cells(level, tile, tile + 1, row)))) {
                tr_cells one = {tile, row, tile + 1, row + 1};
                tr_bitmap_clear_cells(&level->wider, one);
            }
    list_drawn(level, parent);
    tr_status status = draw_listed(level, raster, scene, error);
    tr_bitmap_clear(&level->wanted);
    if (status != TR_OK)
        return status;
    grow_listed(level);
    return TR_OK;
}
