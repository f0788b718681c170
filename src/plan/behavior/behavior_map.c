#include "behavior_map_data.h"
#include "troupe/world/occupancy.h"

#include <string.h>

#define SLOT_FRAMES_MAX 256 // beyond that, dividing by multiplication is not exact
// Rounding of positions and cells is far below this [m].
#define ROUNDING 1e-4

static tr_status check(const tr_behavior_map_def *def, tr_error *error) {
    if (!def->behavior)
        return tr_fail(error, TR_INVALID, "a behavior map needs a machine");
    tr_status status = tr_grid_check(&def->grid, 0, error);
    if (status != TR_OK)
        return status;
    if (def->slot_frames > SLOT_FRAMES_MAX)
        return tr_fail(error, TR_INVALID, "a slot has %u frames, it must have at most %d", def->slot_frames,
                       SLOT_FRAMES_MAX);
    if (!(def->seconds >= 0 && def->seconds <= 1e6))
        return tr_fail(error, TR_INVALID, "seconds is %g, it must be 0 to 1e6", def->seconds);
    if (!(def->slack >= 0 && def->slack <= 1e3f))
        return tr_fail(error, TR_INVALID, "the slack is %g m, it must be 0 to 1000", (double)def->slack);
    return TR_OK;
}

static tr_status divide_time(tr_behavior_map *made, const tr_behavior_map_def *def, tr_error *error) {
    double rate = def->behavior->def.frames_per_second, tenth = rate / 10;
    made->slot_frames = def->slot_frames          ? def->slot_frames
                        : tenth < SLOT_FRAMES_MAX ? (uint32_t)(tenth + 0.5)
                                                  : SLOT_FRAMES_MAX;
    made->slot_frames = made->slot_frames ? made->slot_frames : 1;
    made->slot_inverse = ((uint64_t)1 << 32) / made->slot_frames + 1;
    double slots = (def->seconds > 0 ? def->seconds : 60) * rate / made->slot_frames;
    if (!(slots < TR_BEHAVIOR_SLOTS_MAX))
        return tr_fail(error, TR_LIMIT, "%g s are %.0f slots of %u frames, the most is %d", def->seconds,
                       slots, made->slot_frames, TR_BEHAVIOR_SLOTS_MAX);
    made->slot_count = (uint32_t)slots + 1;
    made->block_count = (made->slot_count + BEHAVIOR_BLOCK_SLOTS - 1) / BEHAVIOR_BLOCK_SLOTS;
    return TR_OK;
}

static size_t cell_count(const tr_behavior_map *map) {
    return (size_t)map->grid.columns * map->grid.rows;
}

static size_t directory_size(const tr_behavior_map *map) {
    return (size_t)map->block_count * map->tile_columns * map->tile_rows;
}

static size_t open_words(const tr_behavior_map *map) {
    return (size_t)map->coarse_stride * (map->coarse_rows + 2);
}

static size_t coarse_count(const tr_behavior_map *map) {
    return (size_t)map->coarse_columns * map->coarse_rows;
}

static void divide_space(tr_behavior_map *made) {
    const tr_grid *grid = &made->grid;
    uint32_t longer = grid->columns > grid->rows ? grid->columns : grid->rows;
    made->tile_columns = (grid->columns + BEHAVIOR_TILE_SIDE - 1) / BEHAVIOR_TILE_SIDE;
    made->tile_rows = (grid->rows + BEHAVIOR_TILE_SIDE - 1) / BEHAVIOR_TILE_SIDE;
    made->coarse = (longer + BEHAVIOR_COARSE_SIDE - 1) / BEHAVIOR_COARSE_SIDE;
    made->coarse_columns = (grid->columns + made->coarse - 1) / made->coarse;
    made->coarse_rows = (grid->rows + made->coarse - 1) / made->coarse;
    made->coarse_stride = (made->coarse_columns + 63) / 64 + 2;
}

tr_status tr_behavior_map_create(const tr_behavior_map_def *def, tr_behavior_map **map, tr_error *error) {
    *map = NULL;
    tr_status status = check(def, error);
    if (status != TR_OK)
        return status;
    tr_allocator own = tr_allocator_or_default(def->allocator);
    tr_behavior_map *made = tr_allocate_zero(&own, 1, sizeof *made);
    if (!made)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a behavior map");
    made->allocator = own;
    made->behavior = def->behavior;
    made->grid = def->grid;
    made->per_metre = 1 / def->grid.cell;
    made->slack = def->slack;
    made->free_link = TR_NONE;
    double radius = (double)def->behavior->def.radius, half = (double)def->behavior->step / 2;
    made->growth = sqrt(radius * radius + half * half) + ROUNDING;
    divide_space(made);
    status = divide_time(made, def, error);
    if (status == TR_OK) {
        made->blocked = tr_allocate_zero(&own, cell_count(made), sizeof *made->blocked);
        made->near = tr_allocate_zero(&own, cell_count(made), sizeof *made->near);
        made->rest = tr_allocate(&own, cell_count(made), sizeof *made->rest);
        made->people.directory = tr_allocate_zero(&own, directory_size(made), sizeof *made->people.directory);
        made->parts = tr_allocate_zero(&own, cell_count(made), sizeof *made->parts);
        made->open = tr_allocate_zero(&own, 2 * open_words(made), sizeof *made->open);
        made->postures = tr_allocate(&own, coarse_count(made), sizeof *made->postures);
        if (!made->blocked || !made->near || !made->rest || !made->people.directory || !made->parts ||
            !made->open || !made->postures)
            status = tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a behavior map of %u x %u cells",
                             def->grid.columns, def->grid.rows);
    }
    if (status != TR_OK) {
        tr_behavior_map_destroy(made);
        return status;
    }
    made->upright = made->open + open_words(made);
    memset(made->rest, 0xff, cell_count(made) * sizeof *made->rest);
    status = tr_behavior_map_finish(made, error);
    if (status == TR_OK)
        *map = made;
    else
        tr_behavior_map_destroy(made);
    return status;
}

void tr_behavior_map_destroy(tr_behavior_map *map) {
    if (!map)
        return;
    tr_allocator memory = map->allocator;
    tr_behavior_map_withdraw_all(map);
    for (behavior_chunk *chunk = map->chunks, *next; chunk; chunk = next) {
        next = chunk->next;
        tr_release(&memory, chunk, 1, sizeof *chunk);
    }
    for (uint32_t i = 0; i < TR_BEHAVIOR_BANDS_MAX; i++)
        tr_release(&memory, map->objects[i].directory, directory_size(map),
                   sizeof *map->objects[i].directory);
    tr_release(&memory, map->people.directory, directory_size(map), sizeof *map->people.directory);
    tr_release(&memory, map->bodies, map->body_capacity, sizeof *map->bodies);
    tr_release(&memory, map->links, map->link_capacity, sizeof *map->links);
    tr_release(&memory, map->rest, cell_count(map), sizeof *map->rest);
    tr_release(&memory, map->blocked, cell_count(map), sizeof *map->blocked);
    tr_behavior_terrain_free(&memory, &map->grid, &map->terrain);
    tr_release(&memory, map->scene_objects, map->scene_object_capacity, sizeof *map->scene_objects);
    tr_release(&memory, map->near, cell_count(map), sizeof *map->near);
    tr_release(&memory, map->parts, cell_count(map), sizeof *map->parts);
    tr_release(&memory, map->open, 2 * open_words(map), sizeof *map->open);
    tr_release(&memory, map->postures, coarse_count(map), sizeof *map->postures);
    tr_release(&memory, map->heights, cell_count(map), sizeof *map->heights);
    tr_release(&memory, map, 1, sizeof *map);
}

const tr_grid *tr_behavior_map_grid(const tr_behavior_map *map) {
    return &map->grid;
}

uint32_t tr_behavior_map_end(const tr_behavior_map *map) {
    return map->slot_count * map->slot_frames;
}

uint64_t tr_behavior_map_bytes(const tr_behavior_map *map) {
    uint64_t cells = cell_count(map), directories = 1;
    for (uint32_t i = 0; i < TR_BEHAVIOR_BANDS_MAX; i++)
        directories += map->objects[i].directory != NULL;
    return sizeof *map +
           cells * (2 + sizeof *map->parts + sizeof *map->rest + (map->heights ? sizeof *map->heights : 0)) +
           directories * directory_size(map) * sizeof(behavior_tile *) +
           2 * open_words(map) * sizeof *map->open + coarse_count(map) +
           map->chunk_count * sizeof(behavior_chunk) + map->spot_bytes +
           (uint64_t)map->body_capacity * sizeof *map->bodies +
           (uint64_t)map->link_capacity * sizeof *map->links;
}

// --- Static obstacles and the floor ---

void tr_behavior_map_block(tr_behavior_map *map, uint32_t band, const tr_bitmap *cells, bool keep) {
    uint8_t bit = (uint8_t)(1u << band);
    for (uint32_t row = 0; row < map->grid.rows; row++) {
        uint8_t *blocked = map->blocked + (size_t)row * map->grid.columns;
        for (uint32_t column = 0; column < map->grid.columns; column++) {
            uint8_t others = keep ? blocked[column] : blocked[column] & (uint8_t)~bit;
            blocked[column] = tr_bitmap_get(cells, column, row) ? others | bit : others;
        }
    }
}

tr_status tr_behavior_map_set(tr_behavior_map *map, uint32_t band, const tr_bitmap *occupied,
                              tr_error *error) {
    if (band >= map->behavior->def.band_count)
        return tr_fail(error, TR_INVALID, "there is no band %u, the machine has %u", band,
                       map->behavior->def.band_count);
    if (occupied->columns != map->grid.columns || occupied->rows != map->grid.rows)
        return tr_fail(error, TR_INVALID, "the bitmap has %u x %u cells, the map %u x %u", occupied->columns,
                       occupied->rows, map->grid.columns, map->grid.rows);
    double radius = map->growth * (double)map->per_metre;
    size_t words = tr_occupancy_grow_scratch(map->grid.columns, radius);
    uint64_t *scratch = tr_allocate(&map->allocator, words, sizeof *scratch);
    tr_bitmap grown = {0};
    tr_status status = scratch ? tr_bitmap_create(&map->allocator, map->grid.columns, map->grid.rows, &grown)
                               : TR_OUT_OF_MEMORY;
    if (status == TR_OK)
        status = tr_occupancy_grow(occupied, &grown, TR_GROWTH_SAFE, radius, tr_grid_all(&map->grid), scratch,
                                   words);
    if (status == TR_OK) {
        tr_behavior_map_block(map, band, &grown, false);
        status = tr_behavior_map_finish(map, error);
    } else {
        tr_fail(error, status, "obstacles of band %u cannot be grown by %g m", band, map->growth);
    }
    tr_bitmap_destroy(&map->allocator, &grown);
    tr_release(&map->allocator, scratch, words, sizeof *scratch);
    return status;
}

tr_status tr_behavior_map_set_heights(tr_behavior_map *map, const float *heights, tr_error *error) {
    for (size_t i = 0; heights && i < cell_count(map); i++)
        if (!isfinite(heights[i]))
            return tr_fail(error, TR_INVALID, "the height of cell (%u, %u) is %g",
                           (uint32_t)(i % map->grid.columns), (uint32_t)(i / map->grid.columns),
                           (double)heights[i]);
    if (heights && !map->heights)
        map->heights = tr_allocate(&map->allocator, cell_count(map), sizeof *map->heights);
    if (heights && !map->heights)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the heights of %u x %u cells",
                       map->grid.columns, map->grid.rows);
    if (heights) {
        memcpy(map->heights, heights, cell_count(map) * sizeof *map->heights);
    } else {
        tr_release(&map->allocator, map->heights, cell_count(map), sizeof *map->heights);
        map->heights = NULL;
    }
    return TR_OK;
}

// --- Tiles ---

static behavior_tile *new_tile(tr_behavior_map *map) {
    if (!map->free_tile) {
        behavior_chunk *chunk = tr_allocate(&map->allocator, 1, sizeof *chunk);
        if (!chunk)
            return NULL;
        chunk->next = map->chunks;
        map->chunks = chunk;
        map->chunk_count++;
        for (size_t i = sizeof chunk->tiles / sizeof *chunk->tiles; i-- > 0;) {
            chunk->tiles[i].next = map->free_tile;
            map->free_tile = &chunk->tiles[i];
        }
    }
    behavior_tile *tile = map->free_tile;
    map->free_tile = tile->next;
    return tile;
}

behavior_tile *tr_behavior_map_take_tile(tr_behavior_map *map) {
    behavior_tile *tile = new_tile(map);
    if (tile) {
        memset(tile->words, 0, sizeof tile->words);
        tile->next = NULL;
    }
    return tile;
}

void tr_behavior_map_put_tile(tr_behavior_map *map, behavior_tile *tile) {
    tile->next = map->free_tile;
    map->free_tile = tile;
}

behavior_tile *tr_behavior_map_tile(tr_behavior_map *map, behavior_layer *layer, size_t place) {
    if (layer->directory[place])
        return layer->directory[place];
    behavior_tile *tile = tr_behavior_map_take_tile(map);
    if (!tile)
        return NULL;
    tile->place = place;
    tile->first_link = TR_NONE;
    layer->directory[place] = tile;
    layer->tile_count++;
    return tile;
}

void tr_behavior_map_free_tile(tr_behavior_map *map, behavior_layer *layer, behavior_tile *tile) {
    layer->directory[tile->place] = NULL;
    layer->tile_count--;
    tr_behavior_map_put_tile(map, tile);
}

bool tr_behavior_map_occupy(tr_behavior_map *map, uint32_t band, uint32_t column, uint32_t row,
                            uint32_t first, uint32_t last) {
    behavior_layer *layer = &map->objects[band];
    if (!layer->directory)
        layer->directory = tr_allocate_zero(&map->allocator, directory_size(map), sizeof *layer->directory);
    if (!layer->directory)
        return false;
    uint32_t last_block = last / BEHAVIOR_BLOCK_SLOTS;
    for (uint32_t block = first / BEHAVIOR_BLOCK_SLOTS; block <= last_block; block++) {
        behavior_tile *tile = tr_behavior_map_tile(map, layer, behavior_place_of(map, block, column, row));
        if (!tile)
            return false;
        uint32_t low = block * BEHAVIOR_BLOCK_SLOTS < first ? first % BEHAVIOR_BLOCK_SLOTS : 0;
        uint32_t high = block < last_block ? BEHAVIOR_BLOCK_SLOTS - 1 : last % BEHAVIOR_BLOCK_SLOTS;
        tile->words[behavior_word(column, row)] |= behavior_mask(low, high);
    }
    tr_cells *area = &map->object_area;
    bool is_first = map->object_bands == 0;
    map->object_bands |= 1u << band;
    area->column_begin = is_first || column < area->column_begin ? column : area->column_begin;
    area->row_begin = is_first || row < area->row_begin ? row : area->row_begin;
    area->column_end = is_first || column + 1 > area->column_end ? column + 1 : area->column_end;
    area->row_end = is_first || row + 1 > area->row_end ? row + 1 : area->row_end;
    return true;
}

void tr_behavior_map_clear_objects(tr_behavior_map *map) {
    for (uint32_t band = 0; band < TR_BEHAVIOR_BANDS_MAX; band++) {
        behavior_layer *layer = &map->objects[band];
        for (size_t i = 0; layer->tile_count > 0; i++)
            if (layer->directory[i])
                tr_behavior_map_free_tile(map, layer, layer->directory[i]);
    }
    map->object_bands = 0;
    map->object_area = (tr_cells){0, 0, 0, 0};
}

void tr_behavior_map_clear_cells(tr_behavior_map *map, tr_cells cells, uint32_t first, uint32_t last) {
    uint32_t columns = cells.column_end - cells.column_begin,
             count = columns * (cells.row_end - cells.row_begin);
    for (uint32_t band = 0; band < TR_BEHAVIOR_BANDS_MAX; band++) {
        behavior_layer *layer = &map->objects[band];
        for (uint32_t i = 0; i < count && layer->tile_count > 0; i++) {
            uint32_t column = cells.column_begin + i % columns, row = cells.row_begin + i / columns;
            for (uint32_t block = first / BEHAVIOR_BLOCK_SLOTS; block <= last / BEHAVIOR_BLOCK_SLOTS;
                 block++) {
                behavior_tile *tile = layer->directory[behavior_place_of(map, block, column, row)];
                uint32_t low = block * BEHAVIOR_BLOCK_SLOTS < first ? first % BEHAVIOR_BLOCK_SLOTS : 0;
                uint32_t high = block < last / BEHAVIOR_BLOCK_SLOTS ? BEHAVIOR_BLOCK_SLOTS - 1
                                                                    : last % BEHAVIOR_BLOCK_SLOTS;
                if (tile)
                    tile->words[behavior_word(column, row)] &= ~behavior_mask(low, high);
            }
        }
    }
}

// --- Queries ---

bool tr_behavior_map_is_free(const tr_behavior_map *map, uint32_t band, tr_vec2 point, uint32_t frame) {
    return tr_behavior_map_is_free_during(map, band, point, frame, frame);
}

bool tr_behavior_map_is_free_during(const tr_behavior_map *map, uint32_t band, tr_vec2 point, uint32_t first,
                                    uint32_t last) {
    uint32_t column, row;
    return band < map->behavior->def.band_count && behavior_cell(map, point.x, point.z, &column, &row) &&
           behavior_cell_is_free(map, band, column, row, first, last < first ? first : last);
}

bool tr_behavior_map_is_within(const tr_behavior_map *map, uint32_t band, tr_vec2 point, uint32_t frame) {
    uint32_t column, row;
    return band < map->behavior->def.band_count && behavior_cell(map, point.x, point.z, &column, &row) &&
           behavior_cell_is_within(map, band, column, row, frame);
}

float tr_behavior_map_height(const tr_behavior_map *map, tr_vec2 point) {
    uint32_t column, row;
    return map->heights && behavior_cell(map, point.x, point.z, &column, &row)
               ? map->heights[(size_t)row * map->grid.columns + column]
               : 0;
}

// The first slot from `from` on that is blocked; UINT32_MAX: none.
static uint32_t first_blocked(const tr_behavior_map *map, const behavior_layer *layer, uint32_t column,
                              uint32_t row, uint32_t from) {
    uint64_t mask = UINT64_MAX << from % BEHAVIOR_BLOCK_SLOTS;
    for (uint32_t block = from / BEHAVIOR_BLOCK_SLOTS; block < map->block_count; block++) {
        const behavior_tile *tile = layer->directory[behavior_place_of(map, block, column, row)];
        uint64_t word = tile ? tile->words[behavior_word(column, row)] & mask : 0;
        if (word)
            return block * BEHAVIOR_BLOCK_SLOTS + (uint32_t)__builtin_ctzll(word);
        mask = UINT64_MAX;
    }
    return UINT32_MAX;
}

// The slot after the last one that is blocked; 0: none is.
static uint32_t end_of_blocked(const tr_behavior_map *map, const behavior_layer *layer, uint32_t column,
                               uint32_t row) {
    for (uint32_t block = map->block_count; block-- > 0;) {
        const behavior_tile *tile = layer->directory[behavior_place_of(map, block, column, row)];
        uint64_t word = tile ? tile->words[behavior_word(column, row)] : 0;
        if (word)
            return block * BEHAVIOR_BLOCK_SLOTS + BEHAVIOR_BLOCK_SLOTS - (uint32_t)__builtin_clzll(word);
    }
    return 0;
}

uint32_t tr_behavior_map_blocked_from(const tr_behavior_map *map, uint32_t band, tr_vec2 point,
                                      uint32_t frame) {
    uint32_t column, row, from = behavior_last_slot(map, frame), slot = UINT32_MAX;
    if (!behavior_cell(map, point.x, point.z, &column, &row) ||
        !behavior_cell_is_free(map, band, column, row, frame, frame))
        return frame;
    if (map->object_bands >> band & 1)
        slot = first_blocked(map, &map->objects[band], column, row, from);
    if (map->people_count > 0) {
        uint32_t people = first_blocked(map, &map->people, column, row, from);
        uint32_t rest = map->rest[(size_t)row * map->grid.columns + column];
        people = rest != BEHAVIOR_NEVER && rest < people ? rest : people;
        slot = people < slot ? people : slot;
    }
    return slot < UINT32_MAX / map->slot_frames ? slot * map->slot_frames : UINT32_MAX;
}

// The slot from which a cell is free for ever; UINT32_MAX: it is not.
static uint32_t rest_slot(const tr_behavior_map *map, uint32_t column, uint32_t row) {
    size_t cell = (size_t)row * map->grid.columns + column;
    uint32_t slot = 0;
    if (map->blocked[cell] & 1)
        return UINT32_MAX;
    if (map->object_bands & 1)
        slot = end_of_blocked(map, &map->objects[0], column, row);
    if (map->people_count > 0) {
        if (map->rest[cell] != BEHAVIOR_NEVER)
            return UINT32_MAX;
        uint32_t people = end_of_blocked(map, &map->people, column, row);
        slot = people > slot ? people : slot;
    }
    return slot < map->slot_count ? slot : UINT32_MAX; // after the last slot, things rest as in it
}

uint32_t tr_behavior_map_rest_from(const tr_behavior_map *map, tr_vec2 point, float reach) {
    float column = (point.x - map->grid.origin.x) * map->per_metre,
          row = (point.z - map->grid.origin.z) * map->per_metre, radius = reach * map->per_metre;
    float low[2] = {column - radius, row - radius};
    uint32_t best = UINT32_MAX,
             first[2] = {low[0] > 0 ? (uint32_t)low[0] : 0, low[1] > 0 ? (uint32_t)low[1] : 0};
    for (uint32_t r = first[1]; r < map->grid.rows && (float)r <= row + radius; r++)
        for (uint32_t c = first[0]; c < map->grid.columns && (float)c <= column + radius; c++) {
            float x = behavior_beyond(column, (float)c), z = behavior_beyond(row, (float)r);
            uint32_t slot = x * x + z * z <= radius * radius ? rest_slot(map, c, r) : UINT32_MAX;
            best = slot < best ? slot : best;
        }
    return best < UINT32_MAX / map->slot_frames ? best * map->slot_frames : UINT32_MAX;
}
