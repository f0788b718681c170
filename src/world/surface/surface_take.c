// Finds tops in the bits of columns, while a tile is in the cache.
#include "surface_data.h"

#include <string.h>

// Heights and head rooms that differ from a whole number by less than this, of a unit or a step, are that
// number: a floor at 0.75 m is 750 mm however a float rounds it.
#define HAIR (1.0 / 64)
#define TILE_CELLS_MAX 65535

surface_rule tr_surface_rule_of(const tr_surface *surface) {
    const tr_voxel_grid *grid = &surface->def.grid;
    const tr_surface_scale *scale = &surface->scale;
    double layer = grid->layer;
    // Both heights were rounded, and a wall that ends where a floor begins may have been drawn slightly
    // higher.
    double stick_out = surface->def.merge + (scale->unit > layer / 128 ? scale->unit : layer / 128);
    stick_out = stick_out < layer ? stick_out / layer : 1;
    surface_rule rule = {.unit_of_fine = layer / (65535.0 * scale->unit),
                         .unit_of_layer = layer / scale->unit,
                         .step_of_unit = scale->unit / scale->room,
                         .least = surface->def.room_least / scale->unit - HAIR,
                         .stick_out = (int64_t)(stick_out * 65535.0 * 32766.0),
                         .layers = grid->layers};
    return rule;
}

static uint64_t tops_of(const uint64_t *words, uint32_t count, uint32_t i) {
    uint64_t above = i + 1 < count ? words[i + 1] << 63 : 0;
    return words[i] & ~(words[i] >> 1 | above);
}

// An upper bound of the tile's cells. Does not use a population count, which is a function call on old
// processors; few columns have more than one top.
static uint32_t count_cells(const tr_voxels *tile, uint32_t columns) {
    uint32_t count = 0, words = tile->words;
    for (uint32_t c = 0; c < columns; c++) {
        const uint64_t *column = tile->occupied + (size_t)c * words;
        uint64_t any = 0;
        for (uint32_t i = 0; i < words; i++) {
            uint64_t tops = tops_of(column, words, i);
            any |= column[i];
            count += tops != 0;
            while (tops &= tops - (tops != 0))
                count++;
        }
        count += any && !(column[0] & 1);
    }
    return count;
}

// A cache of converted tops: those of one storey are mostly alike.
#define KNOWN_TOPS 8
typedef struct known_top {
    uint32_t layer;
    tr_voxel_top top;
    uint16_t height;
    uint8_t kind;
} known_top;

// The destination of a tile's cells.
typedef struct tile_writer {
    const surface_rule *rule;
    const tr_voxel_top *tops; // of the current column
    uint16_t *heights;
    uint8_t *rooms;
    uint32_t count;
    known_top known[KNOWN_TOPS];
} tile_writer;

static uint8_t kind_of(const surface_rule *rule, tr_voxel_top top) {
    if (!top.stand)
        return TR_SURFACE_STEEP << 6;
    int64_t over = (int64_t)top.top * 32766 - (int64_t)((top.stand >> 1) - 1) * 65535;
    return (uint8_t)(over > rule->stick_out ? TR_SURFACE_STEEP << 6
                     : top.stand & 1        ? TR_SURFACE_SURE << 6
                                            : TR_SURFACE_STAND << 6);
}

static inline const known_top *measure_top(tile_writer *out, uint32_t layer) {
    tr_voxel_top top = out->tops[layer];
    known_top *known = &out->known[layer % KNOWN_TOPS];
    if (layer == known->layer && top.top == known->top.top && top.stand == known->top.stand)
        return known;
    double fine = (layer * 65535.0 + top.top) * out->rule->unit_of_fine;
    uint32_t height = (uint32_t)(fine + (1 - HAIR));
    known->top = top;
    known->layer = layer;
    known->height = (uint16_t)(height < 65535 ? height : 65535);
    known->kind = kind_of(out->rule, top);
    return known;
}

static inline void put_cell(tile_writer *out, uint16_t height, uint8_t room) {
    out->heights[out->count] = height;
    out->rooms[out->count] = room;
    out->count++;
}

// `above`: the layer where the head room ends.
static void put_below(tile_writer *out, uint16_t height, uint32_t above, uint8_t kind) {
    const surface_rule *rule = out->rule;
    double room = above * rule->unit_of_layer - height;
    if (room < rule->least)
        return;
    double steps = room * rule->step_of_unit + HAIR;
    put_cell(out, height,
             (uint8_t)(kind | (steps < 0                     ? 0
                               : steps < TR_SURFACE_ROOM_MAX ? (uint32_t)steps
                                                             : TR_SURFACE_ROOM_MAX)));
}

static inline void put_last(tile_writer *out, uint32_t layer) {
    const known_top *known = measure_top(out, layer);
    put_cell(out, known->height, (uint8_t)(known->kind | TR_SURFACE_ROOM_MAX));
}

// One column, from the bottom up: a bit that differs from the one below is where an object begins or where
// the air above it begins, in turn.
static void read_column(tile_writer *out, const uint64_t *words, uint32_t count) {
    uint32_t top = TR_NONE; // of the previous object
    bool inside = false;
    uint64_t below = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t changes = words[i] ^ (words[i] << 1 | below);
        below = words[i] >> 63;
        for (; changes; changes &= changes - 1, inside = !inside) {
            uint32_t layer = i * 64 + (uint32_t)__builtin_ctzll(changes);
            if (inside) {
                top = layer - 1;
            } else if (top != TR_NONE) {
                const known_top *known = measure_top(out, top);
                put_below(out, known->height, layer, known->kind);
            } else if (layer) {
                put_below(out, 0, layer, TR_SURFACE_VOID << 6);
            }
        }
    }
    put_last(out, inside ? count * 64 - 1 : top);
}

// Most columns have one object at the bottom and air above it.
static uint32_t read_tile(tile_writer *out, const tr_voxels *tile, uint32_t columns, uint16_t *offsets) {
    tile_writer local =
        *out; // a local copy, because a store to a room byte could alias anything that is not local
    uint32_t words = tile->words;
    for (uint32_t c = 0; c < columns; c++) {
        const uint64_t *column = tile->occupied + (size_t)c * words;
        offsets[c] = (uint16_t)local.count;
        local.tops = tile->tops + (size_t)c * tile->grid.layers;
        uint64_t low = column[0], high = 0;
        for (uint32_t i = 1; i < words; i++)
            high |= column[i];
        if (!high && (low & 1) && !(low & (low + 1)))
            put_last(&local, low == UINT64_MAX ? 63 : (uint32_t)__builtin_ctzll(low + 1) - 1);
        else if (low | high)
            read_column(&local, column, words);
    }
    offsets[columns] = (uint16_t)local.count;
    return local.count;
}

static void note_most(uint32_t *most, uint32_t count) {
    uint32_t before = __atomic_load_n(most, __ATOMIC_RELAXED);
    while (before < count &&
           !__atomic_compare_exchange_n(most, &before, count, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
}

// Claims room in the draft for `count` cells; returns where it begins, or UINT64_MAX. A failed claim takes
// nothing, so that a smaller tile may still fit.
static uint64_t claim(surface_draft *draft, uint32_t count) {
    uint64_t begin = __atomic_load_n(&draft->used, __ATOMIC_RELAXED);
    do {
        if (begin + count > draft->cells->capacity) {
            __atomic_fetch_add(&draft->missing, count, __ATOMIC_RELAXED);
            return UINT64_MAX;
        }
    } while (!__atomic_compare_exchange_n(&draft->used, &begin, begin + count, true, __ATOMIC_RELAXED,
                                          __ATOMIC_RELAXED));
    return begin;
}

void tr_surface_take(void *user, const tr_voxels *tile, uint32_t number, uint32_t member) {
    (void)member;
    surface_draft *draft = user;
    uint32_t column = number % draft->grid_tile_columns - draft->tiles.column_begin,
             row = number / draft->grid_tile_columns - draft->tiles.row_begin,
             across = draft->tiles.column_end - draft->tiles.column_begin;
    if (column >= across || row >= draft->tiles.row_end - draft->tiles.row_begin)
        return;
    uint32_t index = draft->first_tile + row * across + column;
    if (draft->counts[index] != TR_NONE)
        return; // it was stored in an earlier drawing
    surface_cells *cells = draft->cells;
    uint32_t columns = (uint32_t)tr_cells_area(tile->window), most = count_cells(tile, columns);
    if (most > TILE_CELLS_MAX) {
        note_most(&draft->too_many, most);
        return;
    }
    uint64_t begin = claim(draft, most);
    if (begin == UINT64_MAX)
        return;
    surface_tile *made = &cells->tiles[index];
    uint32_t count = 0;
    tile_writer out = {
        .rule = &draft->rule, .heights = cells->heights + begin, .rooms = cells->rooms + begin};
    for (uint32_t i = 0; i < KNOWN_TOPS; i++)
        out.known[i].layer = TR_NONE;
    made->position = (uint32_t)begin;
    if (most)
        count = read_tile(&out, tile, columns, cells->offsets + made->offsets);
    else
        memset(cells->offsets + made->offsets, 0, (columns + 1) * sizeof *cells->offsets);
    draft->counts[index] = count;
    uint64_t end = begin + most; // release the rest, unless another member has claimed room after it
    __atomic_compare_exchange_n(&draft->used, &end, begin + count, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}
