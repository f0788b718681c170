// How a surface is stored: spans in tiles. Internal; plan/climb reads it too, because it looks at every cell.
#pragma once
#include "world/scene/scene_changes.h"
#include "troupe/world/surface.h"

// Cells are counted tile after tile (`first`), but lie where there was room for them (`position`): a tile
// that was redone moves to the end and no other needs to. A tile has the columns that it has: those at the
// far borders are smaller.
typedef struct surface_tile {
    uint32_t first;
    uint32_t position; // of its cells in heights and rooms
    uint32_t offsets;  // of its columns in `offsets`: one more than there are columns, the last is the count
} surface_tile;

// What is known of some tiles: of all, or (while an update is drawn) of those that are redone. `guessed`,
// heights and rooms are one block.
typedef struct surface_cells {
    surface_tile *tiles;
    uint16_t *offsets; // of a column's first cell in its tile
    uint16_t *heights;
    uint8_t *rooms;
    uint64_t *guessed; // a bit for each cell: could be stood on, but is guessed not to be meant for it; NULL
                       // when nothing is guessed
    uint32_t tile_count, offset_count;
    uint32_t capacity; // of the block [cells]
    uint32_t used;     // by tiles and by what they left behind
} surface_cells;
// Tiles without cells. false: no memory, and nothing is held.
bool tr_surface_cells_create(const tr_allocator *allocator, uint32_t tiles, uint32_t offsets,
                             surface_cells *cells);
void tr_surface_cells_destroy(const tr_allocator *allocator, surface_cells *cells);
// A block for so many cells, its bits cleared; the one that is there is forgotten. false: no memory, and
// nothing was changed.
bool tr_surface_block_create(const tr_allocator *allocator, uint32_t capacity, bool guess,
                             surface_cells *cells);
void tr_surface_block_destroy(const tr_allocator *allocator, surface_cells *cells);
size_t tr_surface_block_bytes(const surface_cells *cells);
// Say where in `offsets` the columns of these tiles begin, from `tile` on, and give where the next may.
uint32_t tr_surface_lay_out(surface_cells *cells, const tr_grid *grid, tr_cells tiles, uint32_t tile,
                            uint32_t offset);
// Columns of tiles, and offsets that they need.
uint32_t tr_surface_offset_count(const tr_grid *grid, tr_cells tiles);

// Objects that are left out, a bit each; `bits` may be NULL.
typedef struct surface_exclude {
    const uint64_t *bits;
    uint32_t count;
} surface_exclude;

struct tr_surface {
    surface_cells cells;
    uint32_t tile_columns;
    uint32_t cell_count;
    tr_surface_scale scale;
    uint64_t revision;
    tr_allocator allocator;
    tr_surface_def def;
    scene_changes changes;
    surface_exclude exclude; // of the build or update that is under way
};

static inline uint32_t surface_words(uint32_t cells) {
    return (uint32_t)(((uint64_t)cells + 63) / 64);
}

// Columns, and rows, of a tile that begins at `begin`.
static inline uint32_t surface_tile_side(uint32_t begin, uint32_t end) {
    return end - begin < TR_VOXEL_TILE ? end - begin : TR_VOXEL_TILE;
}

static inline tr_cells surface_tile_window(const tr_grid *grid, uint32_t tile_column, uint32_t tile_row) {
    uint32_t column = tile_column * TR_VOXEL_TILE, row = tile_row * TR_VOXEL_TILE;
    tr_cells window = {column, row, column + surface_tile_side(column, grid->columns),
                       row + surface_tile_side(row, grid->rows)};
    return window;
}

// The cells of a column of the grid, as they lie: begin <= position < end.
typedef struct surface_span {
    uint32_t begin, end;
    uint32_t number; // of the first
} surface_span;
static inline surface_span surface_span_at(const tr_surface *surface, uint32_t column, uint32_t row) {
    const uint32_t low = TR_VOXEL_TILE - 1;
    const surface_tile *tile =
        &surface->cells.tiles[row / TR_VOXEL_TILE * surface->tile_columns + column / TR_VOXEL_TILE];
    uint32_t width = surface_tile_side(column & ~low, surface->def.grid.grid.columns);
    const uint16_t *offsets = surface->cells.offsets + tile->offsets + (row & low) * width + (column & low);
    surface_span span = {tile->position + offsets[0], tile->position + offsets[1], tile->first + offsets[0]};
    return span;
}

// tr_surface_at without the call and without the check: the column must be in the grid.
static inline tr_surface_column surface_at(const tr_surface *surface, uint32_t column, uint32_t row) {
    surface_span span = surface_span_at(surface, column, row);
    tr_surface_column found = {span.number, span.end - span.begin, surface->cells.heights + span.begin,
                               surface->cells.rooms + span.begin};
    return found;
}

// What the extraction needs to know, in numbers that fit its loops.
typedef struct surface_rule {
    double unit_of_fine;  // units in 1/65535 of a layer
    double unit_of_layer; // and in a layer
    double step_of_unit;  // steps of room in a unit
    double least;         // room below this is dropped [units]
    int64_t stick_out;    // how far a top may stick out of what can be stood on [1 / (65535 * 32766) layer]
    uint32_t layers;
} surface_rule;
surface_rule tr_surface_rule_of(const tr_surface *surface);

// Tiles on their way from the rasteriser: filled by any member of its team, in any order.
typedef struct surface_draft {
    surface_rule rule;
    surface_cells *cells;
    uint32_t *counts;           // of cells, one for each tile; TR_NONE: there was no room for it
    tr_cells tiles;             // those that this drawing redoes, in tiles
    uint32_t first_tile;        // number in `cells` of the first of them
    uint32_t grid_tile_columns; // in the whole grid
    uint64_t used;              // of `cells`; changed by all members
    uint64_t missing;           // cells at most that found no room; changed by all members
    uint32_t too_many;          // tops in the worst tile above the limit, else 0; changed by all members
} surface_draft;
// A tr_voxels_request's `take`.
void tr_surface_take(void *draft, const tr_voxels *tile, uint32_t number, uint32_t member);

// What an update changed: all columns, and (where it is not NULL) a bit for each tile.
typedef struct surface_touched {
    tr_cells columns;
    uint64_t *tiles;
} surface_touched;
// tr_surface_update without the objects whose bit is set in `exclude` (may be NULL). Bits of `touched` are
// only ever set, and those of a failed update may be.
tr_status tr_surface_follow(tr_surface *surface, tr_raster *raster, const tr_scene *scene,
                            surface_exclude exclude, surface_touched *touched, tr_error *error);

// The first object that encloses a point, as tr_surface_is_inside means it; TR_NONE.
uint32_t tr_surface_inside_of(const tr_scene *scene, tr_vec3 point);

// Scratch of the guess, sized for a surface.
typedef struct surface_guess {
    uint64_t *seen, *large; // a bit for each cell: flooded; part of a patch that is too large to matter
    struct guess_entry *queue;
    uint32_t capacity, queue_capacity;
} surface_guess;
// TR_OUT_OF_MEMORY; zero cells are allowed.
tr_status tr_surface_guess_create(const tr_surface *surface, uint32_t cells, surface_guess *guess,
                                  tr_error *error);
void tr_surface_guess_destroy(const tr_allocator *allocator, surface_guess *guess);
// Guess about the whole surface, whose cells have nothing guessed about them yet.
void tr_surface_guess_all(tr_surface *surface, surface_guess *guess);
// Guess anew about everything, with another guess_step. TR_OUT_OF_MEMORY: nothing was changed.
tr_status tr_surface_guess_anew(tr_surface *surface, float step, tr_error *error);
// Guess again about what touches these columns, which were redone; gives the columns that may have changed.
// Call it for each of several parts that were redone together after tr_surface_guess_forget was called for
// all.
void tr_surface_guess_forget(tr_surface *surface, surface_guess *guess, tr_cells redone,
                             surface_touched *changed);
void tr_surface_guess_again(tr_surface *surface, surface_guess *guess, tr_cells redone,
                            surface_touched *changed);
