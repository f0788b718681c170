// plan/behavior/behavior_map_data.h - what a behavior map holds, and its queries as inline functions for the
// search. Internal to plan/behavior.
//
// What moves is in tiles of 8 x 8 cells and 64 slots of time. A tile has a word for each cell and a bit for
// each slot. A directory has a pointer for each place and block of slots, nearly all of them NULL.
#pragma once
#include "behavior_data.h"
#include "behavior_terrain.h"
#include "troupe/plan/behavior_map.h"

#define BEHAVIOR_TILE_SIDE 8
#define BEHAVIOR_BLOCK_SLOTS 64
#define BEHAVIOR_NEVER 0xffff    // of `rest`
#define BEHAVIOR_COARSE_SIDE 160 // coarse cells on the longer side, at most

typedef struct behavior_tile behavior_tile;
struct behavior_tile {
    uint64_t words[BEHAVIOR_TILE_SIDE * BEHAVIOR_TILE_SIDE];
    behavior_tile *next; // of those that are not in use
    size_t place;        // in the directory
    uint32_t first_link; // of the bodies that have bits in it; TR_NONE: none, or a tile of objects
};

typedef struct behavior_chunk behavior_chunk;
struct behavior_chunk {
    behavior_chunk *next;
    behavior_tile tiles[63];
};

// NULL directory: nothing moves here.
typedef struct behavior_layer {
    behavior_tile **directory; // [block][tile row][tile column]
    uint32_t tile_count;
} behavior_layer;

// A body has bits in a tile. In two lists: of the tile, and of the body. The tile has the bits of all.
typedef struct behavior_link {
    uint32_t body, next_in_tile, next_of_body;
    behavior_tile *tile, *own;
} behavior_link;

typedef struct behavior_body {
    tr_behavior_spot *spots; // NULL: none is committed
    uint32_t spot_count, first_link;
    float radius;
    bool rests; // it has marked `rest`
} behavior_body;

// What the map knows of an object of its scene.
typedef enum behavior_object_kind {
    BEHAVIOR_TERRAIN, // it stands, and is part of the terrain
    BEHAVIOR_KNOWN,   // it has a trajectory
    BEHAVIOR_GUESSED, // it moved without one
    BEHAVIOR_NOTHING, // it is removed, or a character
} behavior_object_kind;
typedef struct behavior_object {
    behavior_object_kind kind;
    uint64_t revision, trajectory_revision; // of the scene's object when it was last looked at
    tr_affine placement;
    tr_cells area;        // of all its cells
    uint32_t first, last; // slots [first, last) in which it has cells
    bool rests;           // guessed: it stands where it is
} behavior_object;

struct tr_behavior_map {
    tr_allocator allocator;
    const tr_behavior *behavior;
    tr_grid grid;
    float per_metre; // cells in a metre
    float slack;
    double growth; // of obstacles: from a disc at a sample to the body between two samples [m]
    uint32_t slot_frames, slot_count, block_count;
    uint64_t slot_inverse; // to divide by slot_frames
    uint32_t tile_columns, tile_rows;
    uint8_t *blocked; // bit b: a static obstacle blocks the cell in band b; row by row
    float *heights;   // NULL: 0
    behavior_layer objects[TR_BEHAVIOR_BANDS_MAX];
    uint32_t object_bands; // bit b: objects[b] has tiles
    tr_cells object_area;  // all cells of objects' tiles are in it
    behavior_layer people;
    uint16_t *rest; // for each cell, the slot from which a person stands there for ever
    uint32_t people_count;
    behavior_body *bodies;
    uint32_t body_count, body_capacity;
    behavior_link *links;
    uint32_t link_count, link_capacity, free_link;
    behavior_chunk *chunks;
    behavior_tile *free_tile;
    uint64_t chunk_count, spot_bytes;
    behavior_terrain terrain; // of the scene that was built; heights are NULL before
    behavior_object *scene_objects;
    uint32_t scene_object_count, scene_object_capacity;
    uint32_t scene_frame; // of the last update
    uint8_t *near;        // bit b: a state that serves band b may be worth trying from here
    uint16_t *parts;      // cells with different numbers are not connected; 0: not known, or no way in
    uint32_t coarse;      // cells on a side of a coarse one
    uint32_t coarse_columns, coarse_rows, coarse_stride;
    uint64_t *open;    // coarse cells that are not wholly blocked: a bitmap with a border of a word and a row
    uint64_t *upright; // those that are not wholly blocked in band 0: the same, behind it in memory
    uint8_t *postures; // bit b: a coarse cell is not wholly blocked in band b, which a state serves, or 0
};

// --- For writers of scenes ---
// Static obstacles: those of `blocked_cells` block the band (kept: in addition to those that are there). The
// cells are already grown: by map->growth.
void tr_behavior_map_block(tr_behavior_map *map, uint32_t band, const tr_bitmap *blocked_cells, bool keep);
// To be called after such changes: computes the regions. TR_OUT_OF_MEMORY: states that serve special
// obstacles are tried everywhere, and walls are found by searching only.
tr_status tr_behavior_map_finish(tr_behavior_map *map, tr_error *error);
// Moving objects: the cell is blocked in the band in slots [first, last] [< slot_count]. Cells are grown by
// map->growth, and hold whatever the object touches at any time of the slot, both ends included: slot s is
// the frames from s * slot_frames to (s + 1) * slot_frames. After the last slot, things rest as in that slot.
// false: no memory.
bool tr_behavior_map_occupy(tr_behavior_map *map, uint32_t band, uint32_t column, uint32_t row,
                            uint32_t first, uint32_t last);
void tr_behavior_map_clear_objects(tr_behavior_map *map);
// Frees cells of moving objects in slots [first, last], in all bands.
void tr_behavior_map_clear_cells(tr_behavior_map *map, tr_cells cells, uint32_t first, uint32_t last);

// As tr_behavior_map_commit, but after its last spots the body is nowhere.
tr_status tr_behavior_map_visit(tr_behavior_map *map, uint32_t body, const tr_behavior_spot *spots,
                                uint32_t count, float radius, tr_error *error);

// The first frame from `frame` on in which a disc at a point touches something in a band; UINT32_MAX: never.
uint32_t tr_behavior_map_blocked_from(const tr_behavior_map *map, uint32_t band, tr_vec2 point,
                                      uint32_t frame);
// The first frame from which a disc in some cell within `reach` of a point touches nothing in band 0, for
// ever; UINT32_MAX: there is none.
uint32_t tr_behavior_map_rest_from(const tr_behavior_map *map, tr_vec2 point, float reach);

// --- Tiles ---
static inline uint32_t behavior_slot(const tr_behavior_map *map, uint32_t frame) {
    return (uint32_t)(frame * map->slot_inverse >> 32);
}
static inline size_t behavior_place_of(const tr_behavior_map *map, uint32_t block, uint32_t column,
                                       uint32_t row) {
    return ((size_t)block * map->tile_rows + row / BEHAVIOR_TILE_SIDE) * map->tile_columns +
           column / BEHAVIOR_TILE_SIDE;
}
static inline uint32_t behavior_word(uint32_t column, uint32_t row) {
    return row % BEHAVIOR_TILE_SIDE * BEHAVIOR_TILE_SIDE + column % BEHAVIOR_TILE_SIDE;
}
// The tile, made if there is none. NULL: no memory.
behavior_tile *tr_behavior_map_take_tile(tr_behavior_map *map); // an empty one, in no layer
void tr_behavior_map_put_tile(tr_behavior_map *map, behavior_tile *tile);
behavior_tile *tr_behavior_map_tile(tr_behavior_map *map, behavior_layer *layer, size_t place);
void tr_behavior_map_free_tile(tr_behavior_map *map, behavior_layer *layer, behavior_tile *tile);
static inline uint64_t behavior_mask(uint32_t first, uint32_t last) { // bits first to last of a word
    return (UINT64_MAX >> (63 - (last - first))) << first;
}

// --- Queries ---
// How far a coordinate, in cells, is from the cell that begins at another one.
static inline float behavior_beyond(float at, float cell) {
    return at < cell ? cell - at : at > cell + 1 ? at - cell - 1 : 0;
}

// The cell of a point. false: outside.
static inline bool behavior_cell(const tr_behavior_map *map, float x, float z, uint32_t *column,
                                 uint32_t *row) {
    float c = (x - map->grid.origin.x) * map->per_metre, r = (z - map->grid.origin.z) * map->per_metre;
    if (!(c >= 0 && r >= 0 && c < (float)map->grid.columns && r < (float)map->grid.rows))
        return false;
    *column = (uint32_t)c;
    *row = (uint32_t)r;
    return true;
}

// Whether a layer is free in a cell in slots [first, last], both below slot_count.
static inline bool behavior_layer_is_free(const tr_behavior_map *map, const behavior_layer *layer,
                                          uint32_t column, uint32_t row, uint32_t first, uint32_t last) {
    uint32_t block = first / BEHAVIOR_BLOCK_SLOTS, last_block = last / BEHAVIOR_BLOCK_SLOTS;
    for (; block <= last_block; block++) {
        const behavior_tile *tile = layer->directory[behavior_place_of(map, block, column, row)];
        if (!tile)
            continue;
        uint32_t low = block * BEHAVIOR_BLOCK_SLOTS < first ? first % BEHAVIOR_BLOCK_SLOTS : 0;
        uint32_t high = block < last_block ? BEHAVIOR_BLOCK_SLOTS - 1 : last % BEHAVIOR_BLOCK_SLOTS;
        if (tile->words[behavior_word(column, row)] & behavior_mask(low, high))
            return false;
    }
    return true;
}

static inline bool behavior_objects_are_clear(const tr_behavior_map *map, uint32_t band, uint32_t column,
                                              uint32_t row, uint32_t first, uint32_t last) {
    return !(map->object_bands >> band & 1) ||
           behavior_layer_is_free(map, &map->objects[band], column, row, first, last);
}

static inline bool behavior_people_are_clear(const tr_behavior_map *map, uint32_t column, uint32_t row,
                                             uint32_t first, uint32_t last) {
    return map->people_count == 0 || (last < map->rest[(size_t)row * map->grid.columns + column] &&
                                      behavior_layer_is_free(map, &map->people, column, row, first, last));
}

static inline uint32_t behavior_last_slot(const tr_behavior_map *map, uint32_t frame) {
    uint32_t slot = behavior_slot(map, frame), end = map->slot_count - 1;
    return slot < end ? slot : end;
}

static inline bool behavior_cell_is_free(const tr_behavior_map *map, uint32_t band, uint32_t column,
                                         uint32_t row, uint32_t first, uint32_t last) {
    if (map->blocked[(size_t)row * map->grid.columns + column] >> band & 1)
        return false;
    if (!map->object_bands && !map->people_count)
        return true;
    uint32_t from = behavior_last_slot(map, first), to = behavior_last_slot(map, last);
    return behavior_objects_are_clear(map, band, column, row, from, to) &&
           behavior_people_are_clear(map, column, row, from, to);
}

static inline bool behavior_cell_is_clear_of_things(const tr_behavior_map *map, uint32_t band,
                                                    uint32_t column, uint32_t row, uint32_t first,
                                                    uint32_t last) {
    return !(map->blocked[(size_t)row * map->grid.columns + column] >> band & 1) &&
           behavior_objects_are_clear(map, band, column, row, behavior_last_slot(map, first),
                                      behavior_last_slot(map, last));
}

static inline bool behavior_cell_is_within(const tr_behavior_map *map, uint32_t band, uint32_t column,
                                           uint32_t row, uint32_t frame) {
    uint32_t blocked = map->blocked[(size_t)row * map->grid.columns + column];
    uint32_t slot = behavior_last_slot(map, frame);
    return ((blocked & 1) || !behavior_objects_are_clear(map, 0, column, row, slot, slot)) &&
           behavior_cell_is_free(map, band, column, row, frame, frame);
}
