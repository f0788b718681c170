// Building and updating: tiles are drafted outside the surface and copied into it when everything has
// succeeded.
#include "surface_data.h"
#include "troupe/base/scalar.h"

#include <string.h>

static tr_cells all_tiles(const tr_surface *surface) {
    const tr_grid *grid = &surface->def.grid.grid;
    tr_cells tiles = {0, 0, tr_voxels_tile_columns(grid), tr_voxels_tile_rows(grid)};
    return tiles;
}

static tr_cells columns_of(const tr_surface *surface, tr_cells tiles) {
    const tr_grid *grid = &surface->def.grid.grid;
    return tr_cells_join(surface_tile_window(grid, tiles.column_begin, tiles.row_begin),
                         surface_tile_window(grid, tiles.column_end - 1, tiles.row_end - 1));
}

static tr_voxels_request request_of(const tr_surface *surface, const tr_scene *scene) {
    const tr_surface_def *def = &surface->def;
    double sine, cosine;
    tr_sin_cos(def->slope, &sine, &cosine);
    cosine -= 1e-6; // with floats a ramp of 45 degrees must not count as slightly steeper
    tr_voxels_request request = {.scene = scene,
                                 .grid = def->grid,
                                 .exclude_tags = def->exclude_tags,
                                 .exclude_object = TR_NONE,
                                 .exclude = surface->exclude.bits,
                                 .exclude_count = surface->exclude.count,
                                 .stand_cosine = cosine > 0 ? (float)cosine : 0,
                                 .stand_exclude_tags = TR_TAG_NO_STEP,
                                 .sure_tags = TR_TAG_WALKABLE,
                                 .take = tr_surface_take};
    return request;
}

static void draft_destroy(const tr_allocator *allocator, surface_draft *draft, surface_cells *cells) {
    tr_release(allocator, draft->counts, cells->tile_count, sizeof *draft->counts);
    tr_surface_cells_destroy(allocator, cells);
}

// A draft for the tiles of the list, with an estimated number of cells.
static bool draft_create(const tr_surface *surface, const dirty_list *tiles, uint64_t capacity,
                         surface_draft *draft, surface_cells *cells) {
    const tr_grid *grid = &surface->def.grid.grid;
    uint32_t tile_count = 0, offset_count = 0;
    for (uint32_t i = 0; i < tiles->count; i++) {
        tile_count += (uint32_t)tr_cells_area(tiles->cells[i]);
        offset_count += tr_surface_offset_count(grid, tiles->cells[i]);
    }
    memset(draft, 0, sizeof *draft);
    memset(cells, 0, sizeof *cells);
    if (!tr_surface_cells_create(&surface->allocator, tile_count, offset_count, cells))
        return false;
    tr_surface_block_destroy(&surface->allocator, cells);
    draft->counts = tr_allocate(&surface->allocator, tile_count, sizeof *draft->counts);
    if (!draft->counts || !tr_surface_block_create(&surface->allocator, (uint32_t)capacity, false, cells)) {
        draft_destroy(&surface->allocator, draft, cells);
        return false;
    }
    memset(draft->counts, 0xff, tile_count * sizeof *draft->counts);
    uint32_t tile = 0, offset = 0;
    for (uint32_t i = 0; i < tiles->count; i++) {
        offset = tr_surface_lay_out(cells, grid, tiles->cells[i], tile, offset);
        tile += (uint32_t)tr_cells_area(tiles->cells[i]);
    }
    draft->rule = tr_surface_rule_of(surface);
    draft->grid_tile_columns = surface->tile_columns;
    draft->cells = cells;
    return true;
}

// The block was too small: replaces it with a larger one that contains everything found so far.
static tr_status draft_grow(const tr_surface *surface, surface_draft *draft, tr_error *error) {
    surface_cells *cells = draft->cells, grown = *cells;
    uint64_t needed = draft->used + draft->missing;
    if (needed > UINT32_MAX - 1)
        return tr_fail(error, TR_LIMIT, "the surface may have %llu cells, the maximum is %u",
                       (unsigned long long)needed, UINT32_MAX - 1);
    if (!tr_surface_block_create(&surface->allocator, (uint32_t)needed, false, &grown))
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for %llu cells of a surface",
                       (unsigned long long)needed);
    memcpy(grown.heights, cells->heights, draft->used * sizeof *grown.heights);
    memcpy(grown.rooms, cells->rooms, draft->used);
    tr_surface_block_destroy(&surface->allocator, cells);
    *cells = grown;
    return TR_OK;
}

// The tiles of this rectangle that are not drafted yet. Drafted tiles inside it are drawn but not read again.
static tr_cells tiles_left(const surface_draft *draft) {
    tr_cells left = {0, 0, 0, 0};
    const uint32_t *count = draft->counts + draft->first_tile;
    for (uint32_t row = draft->tiles.row_begin; row < draft->tiles.row_end; row++)
        for (uint32_t column = draft->tiles.column_begin; column < draft->tiles.column_end; column++)
            if (*count++ == TR_NONE)
                left = tr_cells_join(left, (tr_cells){column, row, column + 1, row + 1});
    return left;
}

static tr_status draft_draw(const tr_surface *surface, tr_raster *raster, const tr_scene *scene,
                            const dirty_list *tiles, surface_draft *draft, tr_error *error) {
    tr_voxels_request request = request_of(surface, scene);
    request.user = draft;
    for (uint32_t i = 0; i < tiles->count; i++) {
        draft->tiles = tiles->cells[i];
        tr_cells left = draft->tiles;
        while (!tr_cells_are_none(left)) {
            draft->missing = 0;
            request.region = columns_of(surface, left);
            tr_status status = tr_voxels_draw(raster, &request, error);
            if (status != TR_OK)
                return status;
            if (draft->too_many)
                return tr_fail(error, TR_LIMIT, "a tile of %d x %d columns has %u tops, the maximum is 65535",
                               TR_VOXEL_TILE, TR_VOXEL_TILE, draft->too_many);
            left = tiles_left(draft);
            if (!tr_cells_are_none(left) && (status = draft_grow(surface, draft, error)) != TR_OK)
                return status;
        }
        draft->first_tile += (uint32_t)tr_cells_area(draft->tiles);
    }
    return TR_OK;
}

static void copy_cells(surface_cells *to, uint32_t at, const surface_cells *from, uint32_t begin,
                       uint32_t count) {
    memcpy(to->heights + at, from->heights + begin, count * sizeof *to->heights);
    memcpy(to->rooms + at, from->rooms + begin, count);
}

// Copies the set bits; the bits of `to` must be clear.
static void copy_bits(uint64_t *to, uint32_t at, const uint64_t *from, uint32_t begin, uint32_t count) {
    uint64_t end = (uint64_t)begin + count;
    for (uint64_t i = begin; i < end; i++) {
        uint64_t word = from[i / 64] >> (i & 63);
        if (!word) {
            i |= 63;
            continue;
        }
        i += (uint64_t)__builtin_ctzll(word);
        if (i < end)
            to[(i - begin + at) / 64] |= (uint64_t)1 << ((i - begin + at) & 63);
    }
}

static void clear_bits(uint64_t *bits, uint32_t begin, uint32_t count) {
    uint64_t end = (uint64_t)begin + count;
    for (uint64_t i = begin; i < end; i++) {
        if (!(i & 63) && end - i >= 64) {
            bits[i / 64] = 0;
            i += 63;
        } else {
            bits[i / 64] &= ~((uint64_t)1 << (i & 63));
        }
    }
}

static uint32_t cells_in_tile(const surface_cells *cells, uint32_t tile) {
    uint32_t end = tile + 1 < cells->tile_count ? cells->tiles[tile + 1].offsets : cells->offset_count;
    return cells->offsets[end - 1];
}

static void count_up(tr_surface *surface) {
    uint32_t first = 0;
    for (uint32_t i = 0; i < surface->cells.tile_count; i++) {
        surface->cells.tiles[i].first = first;
        first += cells_in_tile(&surface->cells, i);
    }
    surface->cell_count = first;
    surface->revision++;
}

static tr_status no_memory(uint64_t cells, tr_error *error) {
    return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a surface of %llu cells",
                   (unsigned long long)cells);
}

static seen_part part_of(const tr_surface *surface) {
    const tr_voxel_grid *grid = &surface->def.grid;
    seen_part part = {.grid = &grid->grid,
                      .low = grid->bottom,
                      .high = (float)(grid->bottom + (double)grid->layer * grid->layers),
                      .height_room = 1e-4 + grid->layer / 64.0,
                      .exclude_tags = surface->def.exclude_tags,
                      .exclude_object = TR_NONE,
                      .exclude = surface->exclude.bits,
                      .exclude_count = surface->exclude.count};
    return part;
}

// Makes a draft of all tiles the surface: its cells in the order of the tiles, cut to size.
static tr_status take_over_all(tr_surface *surface, surface_draft *draft, tr_error *error) {
    surface_cells *drafted = draft->cells, block = *drafted;
    surface_guess guess = {0};
    uint64_t total = 0;
    for (uint32_t i = 0; i < drafted->tile_count; i++)
        total += draft->counts[i];
    if (!tr_surface_block_create(&surface->allocator, (uint32_t)total, surface->def.guess, &block))
        return no_memory(total, error);
    tr_status status = tr_surface_guess_create(surface, (uint32_t)total, &guess, error);
    if (status != TR_OK) {
        tr_surface_block_destroy(&surface->allocator, &block);
        return status;
    }
    for (uint32_t i = 0; i < drafted->tile_count; i++) {
        copy_cells(&block, block.used, drafted, drafted->tiles[i].position, draft->counts[i]);
        drafted->tiles[i].position = block.used;
        block.used += draft->counts[i];
    }
    tr_surface_block_destroy(&surface->allocator, drafted);
    surface_cells old = surface->cells;
    surface->cells = block;
    *drafted = old; // destroyed with the draft
    count_up(surface);
    tr_surface_guess_all(surface, &guess);
    tr_surface_guess_destroy(&surface->allocator, &guess);
    return TR_OK;
}

tr_status tr_surface_build(tr_surface *surface, tr_raster *raster, const tr_scene *scene, tr_error *error) {
    tr_status status = tr_scene_changes_reserve(&surface->changes, &surface->allocator, scene, error);
    if (status != TR_OK)
        return status;
    const tr_grid *grid = &surface->def.grid.grid;
    uint64_t columns = (uint64_t)grid->columns * grid->rows;
    dirty_list tiles = {.cells = {all_tiles(surface)}, .count = 1};
    surface_draft draft;
    surface_cells cells;
    if (!draft_create(surface, &tiles, columns * 2 + 4096, &draft, &cells))
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a surface of %u x %u columns", grid->columns,
                       grid->rows);
    seen_part part = part_of(surface);
    tr_scene_changes_drawn(&surface->changes,
                           NULL); // the next update is a build until everything has succeeded
    tr_scene_changes_see(&surface->changes, &part, scene);
    status = draft_draw(surface, raster, scene, &tiles, &draft, error);
    if (status == TR_OK)
        status = take_over_all(surface, &draft, error);
    if (status == TR_OK)
        tr_scene_changes_drawn(&surface->changes, scene);
    draft_destroy(&surface->allocator, &draft, &cells);
    return status;
}

// Calls `visit` with the number of each tile of the list and its number in a draft of the list.
typedef void (*visit_function)(tr_surface *surface, surface_draft *draft, uint32_t tile, uint32_t drafted);
static void visit_tiles(tr_surface *surface, const dirty_list *tiles, surface_draft *draft,
                        visit_function visit) {
    uint32_t drafted = 0;
    for (uint32_t i = 0; i < tiles->count; i++)
        for (uint32_t row = tiles->cells[i].row_begin; row < tiles->cells[i].row_end; row++)
            for (uint32_t column = tiles->cells[i].column_begin; column < tiles->cells[i].column_end;
                 column++)
                visit(surface, draft, row * surface->tile_columns + column, drafted++);
}

// Cells that fit in the place of the tile's old ones do not count as new: `used` becomes the number of added
// cells, `missing` the number of cells that become free.
static void count_tile(tr_surface *surface, surface_draft *draft, uint32_t tile, uint32_t drafted) {
    uint32_t before = cells_in_tile(&surface->cells, tile), now = draft->counts[drafted];
    draft->used += now > before ? now : 0;
    draft->missing += before;
}

static void put_tile(tr_surface *surface, surface_draft *draft, uint32_t tile, uint32_t drafted) {
    surface_cells *cells = &surface->cells;
    const surface_tile *from = &draft->cells->tiles[drafted];
    surface_tile *to = &cells->tiles[tile];
    uint32_t before = cells_in_tile(cells, tile), now = draft->counts[drafted];
    uint32_t from_end = drafted + 1 < draft->cells->tile_count ? from[1].offsets : draft->cells->offset_count;
    memcpy(cells->offsets + to->offsets, draft->cells->offsets + from->offsets,
           (from_end - from->offsets) * sizeof *cells->offsets);
    if (to->position == TR_NONE || now > before) {
        to->position = cells->used;
        cells->used += now;
    }
    copy_cells(cells, to->position, draft->cells, from->position, now);
    if (cells->guessed)
        clear_bits(cells->guessed, to->position, now);
}

static void leave_tile(tr_surface *surface, surface_draft *draft, uint32_t tile, uint32_t drafted) {
    (void)draft, (void)drafted;
    surface->cells.tiles[tile].position = TR_NONE;
}

// Moves all tiles that have a position, one after the other, to another block.
static void move_to(tr_surface *surface, surface_cells *block) {
    surface_cells *cells = &surface->cells;
    for (uint32_t i = 0; i < cells->tile_count; i++) {
        uint32_t begin = cells->tiles[i].position, count = cells_in_tile(cells, i);
        if (begin == TR_NONE)
            continue;
        copy_cells(block, block->used, cells, begin, count);
        if (block->guessed)
            copy_bits(block->guessed, block->used, cells->guessed, begin, count);
        cells->tiles[i].position = block->used;
        block->used += count;
    }
    tr_surface_block_destroy(&surface->allocator, cells);
    *cells = *block;
}

static void guess_again(tr_surface *surface, const dirty_list *tiles, surface_guess *guess,
                        surface_touched *changed) {
    for (uint32_t i = 0; i < tiles->count; i++)
        tr_surface_guess_forget(surface, guess, columns_of(surface, tiles->cells[i]), changed);
    for (uint32_t i = 0; i < tiles->count; i++)
        tr_surface_guess_again(surface, guess, columns_of(surface, tiles->cells[i]), changed);
}

// Makes a draft of some tiles part of the surface. When they no longer fit, all cells move to a block with
// some spare room, so that the next updates need not move them again.
static tr_status take_over(tr_surface *surface, const dirty_list *tiles, surface_draft *draft,
                           surface_touched *changed, tr_error *error) {
    surface_cells block = surface->cells;
    surface_guess guess = {0};
    uint64_t total = surface->cell_count;
    for (uint32_t i = 0; i < draft->cells->tile_count; i++)
        total += draft->counts[i];
    draft->used = surface->cells.used;
    draft->missing = 0;
    visit_tiles(surface, tiles, draft, count_tile);
    total -= draft->missing;
    uint64_t capacity = total + total / 16 + 64;
    if (capacity > UINT32_MAX - 1)
        return tr_fail(error, TR_LIMIT, "the surface has %llu cells, the maximum is %u",
                       (unsigned long long)total, UINT32_MAX - 1);
    bool moves = draft->used > surface->cells.capacity;
    if (moves &&
        !tr_surface_block_create(&surface->allocator, (uint32_t)capacity, surface->def.guess, &block))
        return no_memory(capacity, error);
    tr_status status = tr_surface_guess_create(surface, block.capacity, &guess, error);
    if (status != TR_OK) {
        if (moves)
            tr_surface_block_destroy(&surface->allocator, &block);
        return status;
    }
    if (moves) {
        visit_tiles(surface, tiles, draft, leave_tile);
        move_to(surface, &block);
    }
    visit_tiles(surface, tiles, draft, put_tile);
    count_up(surface);
    if (surface->def.guess)
        guess_again(surface, tiles, &guess, changed);
    tr_surface_guess_destroy(&surface->allocator, &guess);
    return TR_OK;
}

static void find_tiles(const dirty_list *cells, dirty_list *tiles) {
    const uint32_t side = TR_VOXEL_TILE;
    for (uint32_t i = 0; i < cells->count; i++) {
        tr_cells dirty = cells->cells[i];
        tr_cells touched = {dirty.column_begin / side, dirty.row_begin / side,
                            (dirty.column_end + side - 1) / side, (dirty.row_end + side - 1) / side};
        tr_dirty_add(tiles, touched);
    }
}

static void touch_tiles(const tr_surface *surface, const dirty_list *tiles, uint64_t *bits) {
    for (uint32_t i = 0; i < tiles->count; i++)
        for (uint32_t row = tiles->cells[i].row_begin; row < tiles->cells[i].row_end; row++)
            for (uint32_t column = tiles->cells[i].column_begin; column < tiles->cells[i].column_end;
                 column++) {
                uint32_t tile = row * surface->tile_columns + column;
                bits[tile / 64] |= (uint64_t)1 << (tile & 63);
            }
}

static tr_status redo(tr_surface *surface, tr_raster *raster, const tr_scene *scene, const dirty_list *tiles,
                      surface_touched *changed, tr_error *error) {
    surface_draft draft;
    surface_cells cells;
    uint64_t columns = 0;
    for (uint32_t i = 0; i < tiles->count; i++)
        columns += tr_cells_area(columns_of(surface, tiles->cells[i]));
    if (!draft_create(surface, tiles, columns * 2 + 1024, &draft, &cells))
        return no_memory(columns, error);
    tr_status status = draft_draw(surface, raster, scene, tiles, &draft, error);
    for (uint32_t i = 0; i < tiles->count; i++)
        changed->columns = tr_cells_join(changed->columns, columns_of(surface, tiles->cells[i]));
    if (changed->tiles)
        touch_tiles(surface, tiles, changed->tiles);
    if (status == TR_OK)
        status = take_over(surface, tiles, &draft, changed, error);
    draft_destroy(&surface->allocator, &draft, &cells);
    return status;
}

// Redraws everything and marks it as touched.
static tr_status follow_all(tr_surface *surface, tr_raster *raster, const tr_scene *scene,
                            surface_touched *touched, tr_error *error) {
    dirty_list tiles = {.cells = {all_tiles(surface)}, .count = 1};
    tr_status status = tr_surface_build(surface, raster, scene, error);
    if (status != TR_OK)
        return status;
    touched->columns = tr_grid_all(&surface->def.grid.grid);
    if (touched->tiles)
        touch_tiles(surface, &tiles, touched->tiles);
    return TR_OK;
}

static tr_status follow(tr_surface *surface, tr_raster *raster, const tr_scene *scene,
                        surface_touched *touched, tr_error *error) {
    const tr_cells none = {0, 0, 0, 0};
    tr_status status = tr_scene_changes_reserve(&surface->changes, &surface->allocator, scene, error);
    if (status != TR_OK)
        return status;
    dirty_list cells = {.count = 0}, tiles = {.count = 0};
    bool known = tr_scene_changes_know(&surface->changes, scene);
    uint64_t area = 0;
    if (known) {
        seen_part part = part_of(surface);
        tr_scene_changes_find(&surface->changes, &part, scene, &cells);
        find_tiles(&cells, &tiles);
        for (uint32_t i = 0; i < tiles.count; i++)
            area += tr_cells_area(tiles.cells[i]);
        if (area == 0)
            return TR_OK;
        tr_scene_changes_drawn(&surface->changes, NULL);
    }
    if (!known || area * 2 > surface->cells.tile_count) // then drawing everything at once is cheaper
        return follow_all(surface, raster, scene, touched, error);
    status = redo(surface, raster, scene, &tiles, touched, error);
    if (status == TR_OK)
        tr_scene_changes_drawn(&surface->changes, scene);
    else
        touched->columns = none;
    return status;
}

tr_status tr_surface_follow(tr_surface *surface, tr_raster *raster, const tr_scene *scene,
                            surface_exclude exclude, surface_touched *touched, tr_error *error) {
    const surface_exclude nothing = {NULL, 0};
    touched->columns = (tr_cells){0, 0, 0, 0};
    surface->exclude = exclude;
    tr_status status = follow(surface, raster, scene, touched, error);
    surface->exclude = nothing;
    return status;
}

tr_status tr_surface_update(tr_surface *surface, tr_raster *raster, const tr_scene *scene, tr_cells *changed,
                            tr_error *error) {
    const surface_exclude nothing = {NULL, 0};
    surface_touched touched = {.tiles = NULL};
    tr_status status = tr_surface_follow(surface, raster, scene, nothing, &touched, error);
    if (changed)
        *changed = touched.columns;
    return status;
}
