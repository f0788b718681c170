// How a surface is stored: spans in tiles. Internal; plan/surface_route reads it too, because it reads every
// cell.
#pragma once
#include "world/scene/scene_changes.h"
#include "troupe/world/surface.h"

// Cells are numbered tile after tile (`first`), but are stored where there was room for them (`position`): a
// redone tile moves to the end and no other tile has to. Tiles at the far borders of the grid have fewer
// columns.
typedef struct surface_tile {
    uint32_t first;
    uint32_t position; // of its cells in heights and rooms
    uint32_t offsets;  // of its columns in `offsets`: one more than there are columns, the last is the count
} surface_tile;

// The cells of some tiles: of all, or (while an update is drawn) of the redone ones. `guessed`, heights and
// rooms are one block.
typedef struct surface_cells {
    surface_tile *tiles;
    uint16_t *offsets; // of a column's first cell in its tile
    uint16_t *heights;
    uint8_t *rooms;
    uint64_t *guessed; // a bit for each standing cell that is guessed not to be meant for standing; NULL
                       // when nothing is guessed
    uint32_t tile_count, offset_count;
    uint32_t capacity; // of the block [cells]
    uint32_t used;     // by tiles and by the gaps that they left
} surface_cells;
// Tiles without cells. false: no memory, and nothing is allocated.
bool tr_surface_cells_create(const tr_allocator *allocator, uint32_t tiles, uint32_t offsets,
                             surface_cells *cells);
void tr_surface_cells_destroy(const tr_allocator *allocator, surface_cells *cells);
// Creates a block for `capacity` cells with clear bits; an existing block is overwritten, not released.
// false: no memory, and nothing was changed.
bool tr_surface_block_create(const tr_allocator *allocator, uint32_t capacity, bool guess,
                             surface_cells *cells);
void tr_surface_block_destroy(const tr_allocator *allocator, surface_cells *cells);
size_t tr_surface_block_bytes(const surface_cells *cells);
// Sets where in `offsets` the columns of these tiles begin, from `tile` on, and returns where the next tile
// begins.
uint32_t tr_surface_lay_out(surface_cells *cells, const tr_grid *grid, tr_cells tiles, uint32_t tile,
                            uint32_t offset);
// The number of offsets that the columns of these tiles need.
uint32_t tr_surface_offset_count(const tr_grid *grid, tr_cells tiles);

// Excluded objects, a bit each; `bits` may be NULL.
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
    surface_exclude exclude; // of the current build or update
};

static inline uint32_t surface_words(uint32_t cells) {
    return (uint32_t)(((uint64_t)cells + 63) / 64);
}

// Columns, or rows, of a tile that begins at `begin`.
static inline uint32_t surface_tile_side(uint32_t begin, uint32_t end) {
    return end - begin < TR_VOXEL_TILE ? end - begin : TR_VOXEL_TILE;
}

static inline tr_cells surface_tile_window(const tr_grid *grid, uint32_t tile_column, uint32_t tile_row) {
    uint32_t column = tile_column * TR_VOXEL_TILE, row = tile_row * TR_VOXEL_TILE;
    tr_cells window = {column, row, column + surface_tile_side(column, grid->columns),
                       row + surface_tile_side(row, grid->rows)};
    return window;
}

// The stored cells of a column of the grid: begin <= position < end.
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

// tr_surface_at inline and unchecked: the column must be in the grid.
static inline tr_surface_column surface_at(const tr_surface *surface, uint32_t column, uint32_t row) {
    surface_span span = surface_span_at(surface, column, row);
    tr_surface_column found = {span.number, span.end - span.begin, surface->cells.heights + span.begin,
                               surface->cells.rooms + span.begin};
    return found;
}

// The parameters of the extraction, in the units of its loops.
typedef struct surface_rule {
    double unit_of_fine;  // units in 1/65535 of a layer
    double unit_of_layer; // and in a layer
    double step_of_unit;  // steps of head room in a unit
    double least;         // less head room than this is dropped [units]
    int64_t stick_out;    // how far a top may be above its walkable part [1 / (65535 * 32766) layer]
    uint32_t layers;
} surface_rule;
surface_rule tr_surface_rule_of(const tr_surface *surface);

// Tiles from the rasteriser: filled by any member of its team, in any order.
typedef struct surface_draft {
    surface_rule rule;
    surface_cells *cells;
    uint32_t *counts;           // of cells, one for each tile; TR_NONE: there was no room for the tile
    tr_cells tiles;             // the tiles that this drawing redoes, in tiles
    uint32_t first_tile;        // number of the first of them in `cells`
    uint32_t grid_tile_columns; // in the whole grid
    uint64_t used;              // of `cells`; changed by all members
    uint64_t missing;           // an upper bound of the cells without room; changed by all members
    uint32_t too_many;          // tops in the worst tile above the limit, else 0; changed by all members
} surface_draft;
// A tr_voxels_request's `take`.
void tr_surface_take(void *draft, const tr_voxels *tile, uint32_t number, uint32_t member);

// The changes of an update: all columns, and (unless NULL) a bit for each tile.
typedef struct surface_touched {
    tr_cells columns;
    uint64_t *tiles;
} surface_touched;
// tr_surface_update without the objects whose bit is set in `exclude` (may be NULL). Bits of `touched` are
// only ever set; a failed update may set some.
tr_status tr_surface_follow(tr_surface *surface, tr_raster *raster, const tr_scene *scene,
                            surface_exclude exclude, surface_touched *touched, tr_error *error);

// The first object that encloses a point in the sense of tr_surface_is_inside; TR_NONE.
uint32_t tr_surface_inside_of(const tr_scene *scene, tr_vec3 point);

// Scratch of the guess, sized for a surface.
typedef struct surface_guess {
    uint64_t *seen, *large; // a bit for each cell: flooded; part of a patch that is large enough to stay
    struct guess_entry *queue;
    uint32_t capacity, queue_capacity;
} surface_guess;
// TR_OUT_OF_MEMORY; zero cells are allowed.
tr_status tr_surface_guess_create(const tr_surface *surface, uint32_t cells, surface_guess *guess,
                                  tr_error *error);
void tr_surface_guess_destroy(const tr_allocator *allocator, surface_guess *guess);
// Guesses for the whole surface, whose cells must not have guesses yet.
void tr_surface_guess_all(tr_surface *surface, surface_guess *guess);
// Repeats the guess for everything, with another guess_step. TR_OUT_OF_MEMORY: nothing was changed.
tr_status tr_surface_guess_anew(tr_surface *surface, float step, tr_error *error);
// After columns were redone, call tr_surface_guess_forget for all redone parts, then tr_surface_guess_again
// for each: it repeats the guess for everything that touches them. Both add the columns that may have
// changed.
void tr_surface_guess_forget(tr_surface *surface, surface_guess *guess, tr_cells redone,
                             surface_touched *changed);
void tr_surface_guess_again(tr_surface *surface, surface_guess *guess, tr_cells redone,
                            surface_touched *changed);
