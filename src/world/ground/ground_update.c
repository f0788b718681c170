// Building and updating. Everything that an update replaces is kept in a log until the update succeeds, and
// restored when it fails.
#include "ground_data.h"

#include <string.h>

static bool get_bit(const uint64_t *bits, uint32_t i) {
    return bits[i / 64] >> (i & 63) & 1;
}

static void set_bit(uint64_t *bits, uint32_t i) {
    bits[i / 64] |= (uint64_t)1 << (i & 63);
}

// --- Tiles ---

// The height of more than half of the standing cells, if there is one (Boyer-Moore majority vote).
static uint16_t vote_floor(const ground_tile *tile) {
    uint32_t votes = 0;
    uint16_t floor = 0;
    for (uint32_t i = 0; i < tile->count; i++) {
        if (!tr_surface_is_for_standing(tile->rooms[i]))
            continue;
        floor = votes == 0 ? tile->heights[i] : floor;
        votes += tile->heights[i] == floor ? 1 : UINT32_MAX;
    }
    return floor;
}

static void find_plain(ground_tile *tile) {
    tile->floor = vote_floor(tile);
    for (uint32_t column = 0; column < GROUND_TILE * GROUND_TILE; column++) {
        uint32_t stands = 0, others = 0;
        for (uint32_t i = tile->offsets[column]; i < tile->offsets[column + 1]; i++) {
            bool can = tr_surface_is_for_standing(tile->rooms[i]);
            stands += can && tile->heights[i] == tile->floor;
            others += can && tile->heights[i] != tile->floor;
        }
        uint32_t plain = stands == 1 && others == 0;
        tile->plain[column / GROUND_TILE] |= plain << column % GROUND_TILE;
    }
}

bool tr_ground_tile_copy(const tr_ground *ground, uint32_t number, ground_tile *tile) {
    const surface_cells *cells = &ground->surface->cells;
    const surface_tile *from = &cells->tiles[number];
    tr_cells window =
        surface_tile_window(&ground->grid, number % ground->tile_columns, number / ground->tile_columns);
    uint32_t width = window.column_end - window.column_begin, rows = window.row_end - window.row_begin;
    const uint16_t *offsets = cells->offsets + from->offsets;
    uint32_t count = offsets[width * rows];
    uint16_t *block = tr_allocate(&ground->allocator, GROUND_OFFSETS * sizeof *block + count * 3u, 1);
    if (!block)
        return false;
    for (uint32_t row = 0; row < GROUND_TILE; row++)
        for (uint32_t column = 0; column < GROUND_TILE; column++)
            block[row * GROUND_TILE + column] =
                (uint16_t)(row >= rows ? count : offsets[row * width + (column < width ? column : width)]);
    block[GROUND_OFFSETS - 1] = (uint16_t)count;
    *tile = (ground_tile){.offsets = block,
                          .heights = block + GROUND_OFFSETS,
                          .rooms = (uint8_t *)(block + GROUND_OFFSETS + count),
                          .count = count,
                          .first = from->first};
    memcpy(tile->heights, cells->heights + from->position, count * sizeof *tile->heights);
    memcpy(tile->rooms, cells->rooms + from->position, count);
    find_plain(tile);
    return true;
}

static bool is_same_column(const ground_tile *a, const ground_tile *b, uint32_t i) {
    uint32_t count = a->offsets[i + 1] - a->offsets[i];
    return count == (uint32_t)(b->offsets[i + 1] - b->offsets[i]) &&
           memcmp(a->heights + a->offsets[i], b->heights + b->offsets[i], count * sizeof *a->heights) == 0 &&
           memcmp(a->rooms + a->offsets[i], b->rooms + b->offsets[i], count) == 0;
}

// Compares all columns of a row at once: most rows of a tile do not change.
static bool is_same_row(const ground_tile *a, const ground_tile *b, uint32_t row) {
    const uint16_t *x = a->offsets + row * GROUND_TILE, *y = b->offsets + row * GROUND_TILE;
    uint32_t odd = 0, count = x[GROUND_TILE] - x[0];
    for (uint32_t i = 0; i <= GROUND_TILE; i++)
        odd |= (uint32_t)(x[i] - x[0]) ^ (uint32_t)(y[i] - y[0]);
    return !odd && memcmp(a->heights + x[0], b->heights + y[0], count * sizeof *a->heights) == 0 &&
           memcmp(a->rooms + x[0], b->rooms + y[0], count) == 0;
}

// The columns in which two copies of a tile differ, in columns of the grid.
static tr_cells difference(const tr_ground *ground, uint32_t number, const ground_tile *a,
                           const ground_tile *b) {
    ground_extent differs = GROUND_NO_EXTENT;
    uint32_t x0 = number % ground->tile_columns * GROUND_TILE,
             z0 = number / ground->tile_columns * GROUND_TILE;
    if (!a->offsets)
        return surface_tile_window(&ground->grid, number % ground->tile_columns,
                                   number / ground->tile_columns);
    for (uint32_t row = 0; row < GROUND_TILE; row++) {
        if (is_same_row(a, b, row))
            continue;
        for (uint32_t column = 0; column < GROUND_TILE; column++)
            if (!is_same_column(a, b, row * GROUND_TILE + column))
                ground_extend(&differs, x0 + column, z0 + row);
    }
    return ground_extent_cells(&differs);
}

// Copies the cells of unchanged columns.
static void keep_cells(const ground_tile *now, const ground_tile *before, const size_tile *old,
                       uint32_t first, uint32_t columns, size_tile *made) {
    uint32_t to = now->offsets[first], from = before->offsets[first],
             count = now->offsets[first + columns] - to;
    memcpy(made->rects_of + to, old->rects_of + from, count * sizeof *made->rects_of);
    memcpy(made->ways + to, old->ways + from, count);
}

bool tr_ground_new_cells(const tr_ground *ground, const ground_tile *now, const ground_tile *before,
                         const size_tile *old, size_tile *made) {
    uint8_t *block = tr_allocate(&ground->allocator, now->count * 3u, 1);
    if (!block)
        return false;
    made->rects_of = (uint16_t *)(void *)block;
    made->ways = block + now->count * 2u;
    made->cell_count = now->count;
    memset(made->rects_of, 0xff, now->count * sizeof *made->rects_of);
    memset(made->ways, 0, now->count);
    for (uint32_t row = 0; before && before->offsets && row < GROUND_TILE; row++) {
        uint32_t first = row * GROUND_TILE;
        if (is_same_row(now, before, row)) {
            keep_cells(now, before, old, first, GROUND_TILE, made);
            continue;
        }
        for (uint32_t i = first; i < first + GROUND_TILE; i++)
            if (is_same_column(now, before, i))
                keep_cells(now, before, old, i, 1, made);
    }
    return true;
}

static bool same_cells(const tr_ground *ground, size_tile *tile) {
    size_tile made = *tile;
    uint8_t *block = tr_allocate(&ground->allocator, tile->cell_count * 3u, 1);
    if (!block)
        return false;
    if (tile->cell_count > 0)
        memcpy(block, tile->rects_of, tile->cell_count * 3u);
    made.rects_of = (uint16_t *)(void *)block;
    made.ways = block + tile->cell_count * 2u;
    *tile = made;
    return true;
}

static void release_cells(const tr_ground *ground, const size_tile *tile) {
    tr_release(&ground->allocator, tile->rects_of, tile->cell_count * 3u, 1);
}

void tr_ground_release_mesh(const tr_ground *ground, const size_tile *tile) {
    tr_release(&ground->allocator, tile->rects,
               tile->rect_count * sizeof *tile->rects + tile->portal_count * sizeof *tile->portals, 1);
}

static tr_cells widened(const tr_ground *ground, tr_cells cells, uint32_t along_x, uint32_t along_z) {
    tr_cells wide = {
        cells.column_begin > along_x ? cells.column_begin - along_x : 0,
        cells.row_begin > along_z ? cells.row_begin - along_z : 0,
        cells.column_end + along_x < ground->grid.columns ? cells.column_end + along_x : ground->grid.columns,
        cells.row_end + along_z < ground->grid.rows ? cells.row_end + along_z : ground->grid.rows};
    return wide;
}

// --- Updates ---

// The previous content of the ground (`size` TR_NONE) or of a size.
typedef struct log_entry {
    uint32_t size, tile;
    ground_tile cells;
    size_tile of_size;
} log_entry;

typedef struct old_labels {
    uint32_t *labels, *joined;
    uint32_t rect_total, label_count;
} old_labels;

typedef struct update {
    tr_ground *ground;
    ground_scratch scratch;
    log_entry *log;
    uint32_t log_count, log_capacity;
    uint64_t *logged, *cut, *joined; // bits of tiles, for the current size
    uint32_t words;
    dirty_list dirty;   // columns that differ
    dirty_list changes; // columns in which anything may have changed
    old_labels labels[TR_GROUND_SIZES_MAX];
    uint32_t labelled; // sizes with new labels
} update;

static bool log_tile(update *u, const log_entry *entry) {
    void *log = u->log;
    bool room =
        tr_reserve(&u->ground->allocator, &log, &u->log_capacity, (uint64_t)u->log_count + 1, sizeof *u->log);
    u->log = log;
    if (room)
        u->log[u->log_count++] = *entry;
    return room;
}

// Copies the tiles that the surface has changed.
static bool take_tiles(update *u) {
    tr_ground *ground = u->ground;
    for (uint32_t i = 0; i < ground->tile_count; i++) {
        ground_tile made;
        if (!get_bit(ground->touched, i))
            continue;
        if (!tr_ground_tile_copy(ground, i, &made))
            return false;
        tr_cells differs = difference(ground, i, &ground->tiles[i], &made);
        log_entry entry = {.size = TR_NONE, .tile = i, .cells = ground->tiles[i]};
        if (tr_cells_are_none(differs) || !log_tile(u, &entry)) {
            bool is_lost = !tr_cells_are_none(differs);
            tr_ground_tile_release(ground, &made);
            if (is_lost)
                return false;
            continue;
        }
        ground->tiles[i] = made;
        tr_dirty_add(&u->dirty, widened(ground, differs, 1, 1)); // rectangles that touch become one
    }
    return true;
}

// Makes a tile of a size ready for writing.
static bool open_tile(update *u, uint32_t number, uint32_t tile) {
    ground_size *size = &u->ground->sizes[number];
    if (get_bit(u->logged, tile))
        return true;
    log_entry entry = {.size = number, .tile = tile, .of_size = size->tiles[tile]};
    if (!log_tile(u, &entry))
        return false;
    if (!same_cells(u->ground, &size->tiles[tile])) {
        u->log_count--;
        return false;
    }
    set_bit(u->logged, tile);
    return true;
}

static bool open_window(update *u, uint32_t number, tr_cells window) {
    if (tr_cells_are_none(window))
        return true;
    for (uint32_t z = window.row_begin / GROUND_TILE; z <= (window.row_end - 1) / GROUND_TILE; z++)
        for (uint32_t x = window.column_begin / GROUND_TILE; x <= (window.column_end - 1) / GROUND_TILE; x++)
            if (!open_tile(u, number, z * u->ground->tile_columns + x))
                return false;
    return true;
}

static void mark_window(const tr_ground *ground, tr_cells window, uint64_t *bits) {
    if (tr_cells_are_none(window))
        return;
    for (uint32_t z = window.row_begin / GROUND_TILE; z <= (window.row_end - 1) / GROUND_TILE; z++)
        for (uint32_t x = window.column_begin / GROUND_TILE; x <= (window.column_end - 1) / GROUND_TILE; x++)
            set_bit(bits, z * ground->tile_columns + x);
}

// Gives the tiles that the surface has changed as many cells as there are now.
static bool take_cells(update *u, uint32_t number) {
    tr_ground *ground = u->ground;
    ground_size *size = &ground->sizes[number];
    for (uint32_t i = 0; i < u->log_count && u->log[i].size == TR_NONE; i++) {
        uint32_t tile = u->log[i].tile;
        log_entry entry = {.size = number, .tile = tile, .of_size = size->tiles[tile]};
        size_tile made = size->tiles[tile];
        if (!log_tile(u, &entry))
            return false;
        if (!tr_ground_new_cells(ground, &ground->tiles[tile], &u->log[i].cells, &size->tiles[tile], &made)) {
            u->log_count--;
            return false;
        }
        size->tiles[tile] = made;
        set_bit(u->logged, tile);
        set_bit(u->cut, tile);
    }
    return true;
}

// Recomputes the steps around one rectangle of changed columns; *around are the columns in which free cells
// may have changed. Whether a body can step between two cells depends only on them and on the columns beside
// them; a leap also depends on the columns on its way.
static bool redo_ways(update *u, uint32_t number, tr_cells differs, tr_cells *around) {
    tr_ground *ground = u->ground;
    ground_size *size = &ground->sizes[number];
    uint32_t along = size->measure.span + 2;
    tr_cells windows[3] = {widened(ground, differs, 2, 2), widened(ground, differs, along, 2),
                           widened(ground, differs, 2, along)};
    for (int i = 0; i < (size->measure.span > 1 ? 3 : 1); i++) {
        if (!open_window(u, number, windows[i]))
            return false;
        tr_cells changed = tr_ground_find_ways(ground, size, windows[i],
                                               i == 0   ? GROUND_ALL_WAYS
                                               : i == 1 ? GROUND_LEAPS_X
                                                        : GROUND_LEAPS_Z);
        mark_window(ground, changed, u->cut);
        differs = tr_cells_join(differs, changed);
    }
    *around = widened(ground, differs, size->measure.halo, size->measure.halo);
    tr_dirty_add(&u->changes, *around);
    return open_window(u, number, *around);
}

// All steps first: free cells depend on them.
static bool redo_cells(update *u, uint32_t number) {
    tr_cells around[DIRTY_MAX];
    bool enough = take_cells(u, number);
    for (uint32_t i = 0; enough && i < u->dirty.count; i++)
        enough = redo_ways(u, number, u->dirty.cells[i], &around[i]);
    for (uint32_t i = 0; enough && i < u->dirty.count; i++)
        enough = tr_ground_find_free(u->ground, &u->ground->sizes[number], around[i], u->cut, &u->scratch);
    return enough;
}

// Whether free cells may have changed in a column or beside it.
static bool may_have_changed(const update *u, uint32_t x, uint32_t z) {
    for (uint32_t i = 0; i < u->changes.count; i++) {
        tr_cells near = widened(u->ground, u->changes.cells[i], 2, 2);
        if (x >= near.column_begin && x < near.column_end && z >= near.row_begin && z < near.row_end)
            return true;
    }
    return false;
}

// Portals depend on the rectangles that they lead to, beside a tile or across a gap, and on the cells around
// their ends. A diagonal neighbour depends only on the cell at the corner.
static bool is_concerned(const update *u, uint32_t x, uint32_t z, int32_t dx, int32_t dz) {
    if (dx == 0 || dz == 0)
        return true;
    if (dx * dx > 1 || dz * dz > 1)
        return false;
    return may_have_changed(u, x * GROUND_TILE + (dx > 0 ? GROUND_TILE - 1 : 0),
                            z * GROUND_TILE + (dz > 0 ? GROUND_TILE - 1 : 0));
}

static void mark_joined(update *u, const ground_size *size) {
    const tr_ground *ground = u->ground;
    int32_t far = (int32_t)((size->measure.span + GROUND_TILE - 1) / GROUND_TILE);
    for (uint32_t i = 0; i < ground->tile_count; i++) {
        if (!get_bit(u->cut, i))
            continue;
        int32_t x = (int32_t)(i % ground->tile_columns), z = (int32_t)(i / ground->tile_columns);
        for (int32_t dz = -far; dz <= far; dz++)
            for (int32_t dx = -far; dx <= far; dx++) {
                uint32_t to_x = (uint32_t)(x + dx), to_z = (uint32_t)(z + dz);
                if (to_x < ground->tile_columns && to_z < ground->tile_rows &&
                    is_concerned(u, (uint32_t)x, (uint32_t)z, dx, dz))
                    set_bit(u->joined, to_z * ground->tile_columns + to_x);
            }
    }
}

// Replaces a mesh. A mesh that this update made is released; an older one is in the log.
static bool remake(update *u, uint32_t number, uint32_t tile, bool is_new,
                   bool make(const tr_ground *, ground_size *, uint32_t, ground_scratch *)) {
    ground_size *size = &u->ground->sizes[number];
    size_tile before = size->tiles[tile];
    if (!make(u->ground, size, tile, &u->scratch))
        return false;
    if (is_new)
        tr_ground_release_mesh(u->ground, &before);
    return true;
}

static bool redo_mesh(update *u, uint32_t number) {
    const tr_ground *ground = u->ground;
    mark_joined(u, &ground->sizes[number]);
    for (uint32_t i = 0; i < ground->tile_count; i++)
        if (get_bit(u->joined, i) && !open_tile(u, number, i))
            return false;
    for (uint32_t i = 0; i < ground->tile_count; i++)
        if (get_bit(u->cut, i) && !remake(u, number, i, false, tr_ground_cut))
            return false;
    for (uint32_t i = 0; i < ground->tile_count; i++)
        if (get_bit(u->joined, i) && !remake(u, number, i, get_bit(u->cut, i), tr_ground_join))
            return false;
    return true;
}

static bool redo_size(update *u, uint32_t number) {
    tr_ground *ground = u->ground;
    ground_size *size = &ground->sizes[number];
    memset(u->logged, 0, 3u * u->words * sizeof *u->logged);
    if (!redo_cells(u, number) || !redo_mesh(u, number))
        return false;
    u->labels[number] = (old_labels){size->labels, size->joined, size->rect_total, size->label_count};
    size->labels = size->joined = NULL;
    size->rect_total = size->label_count = 0;
    u->labelled++;
    return tr_ground_label(ground, size);
}

static void put_back(update *u) {
    tr_ground *ground = u->ground;
    for (uint32_t k = 0; k < u->labelled; k++) {
        ground_size *size = &ground->sizes[k];
        tr_ground_labels_release(ground, size);
        size->labels = u->labels[k].labels;
        size->joined = u->labels[k].joined;
        size->rect_total = u->labels[k].rect_total;
        size->label_count = u->labels[k].label_count;
    }
    for (uint32_t i = u->log_count; i-- > 0;) {
        const log_entry *entry = &u->log[i];
        if (entry->size == TR_NONE) {
            tr_ground_tile_release(ground, &ground->tiles[entry->tile]);
            ground->tiles[entry->tile] = entry->cells;
            continue;
        }
        size_tile *tile = &ground->sizes[entry->size].tiles[entry->tile];
        release_cells(ground, tile);
        if (tile->rects != entry->of_size.rects)
            tr_ground_release_mesh(ground, tile);
        *tile = entry->of_size;
    }
    for (uint32_t k = 0; k < ground->size_count; k++)
        tr_ground_count_up(ground, &ground->sizes[k]);
}

static void keep(update *u) {
    tr_ground *ground = u->ground;
    for (uint32_t i = 0; i < u->log_count; i++) {
        log_entry *entry = &u->log[i];
        if (entry->size == TR_NONE) {
            tr_ground_tile_release(ground, &entry->cells);
            continue;
        }
        release_cells(ground, &entry->of_size);
        if (ground->sizes[entry->size].tiles[entry->tile].rects != entry->of_size.rects)
            tr_ground_release_mesh(ground, &entry->of_size);
    }
    for (uint32_t k = 0; k < ground->size_count; k++) {
        ground_size *size = &ground->sizes[k];
        tr_release(&ground->allocator, u->labels[k].labels, u->labels[k].rect_total, sizeof *size->labels);
        tr_release(&ground->allocator, u->labels[k].joined, u->labels[k].label_count, sizeof *size->joined);
        tr_ground_find_ends(ground, size);
        tr_ground_label_links(ground, size);
    }
    for (uint32_t i = 0; i < ground->tile_count; i++)
        ground->tiles[i].first = ground->surface->cells.tiles[i].first;
    memset(ground->touched, 0, u->words * sizeof *ground->touched);
    const dirty_list *told = ground->size_count > 0 ? &u->changes : &u->dirty;
    memcpy(ground->changes, told->cells, told->count * sizeof *ground->changes);
    ground->change_count = told->count;
    ground->revision += told->count > 0;
}

static tr_status run(update *u, tr_error *error) {
    tr_ground *ground = u->ground;
    u->words = surface_words(ground->tile_count);
    u->logged = tr_allocate(&ground->allocator, u->words, 3 * sizeof *u->logged);
    bool enough = u->logged != NULL;
    if (enough) {
        u->cut = u->logged + u->words;
        u->joined = u->cut + u->words;
        enough = take_tiles(u);
    }
    for (uint32_t k = 0; enough && u->dirty.count > 0 && k < ground->size_count; k++)
        enough = redo_size(u, k);
    if (enough)
        keep(u);
    else
        put_back(u);
    tr_release(&ground->allocator, u->logged, u->words, 3 * sizeof *u->logged);
    tr_release(&ground->allocator, u->log, u->log_capacity, sizeof *u->log);
    tr_ground_scratch_release(ground, &u->scratch);
    return enough ? TR_OK
                  : tr_fail(error, TR_OUT_OF_MEMORY, "no memory to update a ground of %u cells",
                            tr_surface_cell_count(ground->surface));
}

tr_status tr_ground_take_over(tr_ground *ground, tr_error *error) {
    ground->change_count = 0;
    bool any = false;
    for (uint32_t i = 0; i < surface_words(ground->tile_count); i++)
        any = any || ground->touched[i];
    if (!any)
        return TR_OK;
    update u = {.ground = ground};
    return run(&u, error);
}

tr_status tr_ground_update(tr_ground *ground, tr_raster *raster, const tr_scene *scene,
                           const uint64_t *exclude, uint32_t exclude_count, tr_error *error) {
    surface_touched touched = {.tiles = ground->touched};
    tr_status status = tr_surface_follow(ground->surface, raster, scene,
                                         (surface_exclude){exclude, exclude_count}, &touched, error);
    return status == TR_OK ? tr_ground_take_over(ground, error) : status;
}
