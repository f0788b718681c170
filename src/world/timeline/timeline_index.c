// The spatial index of bodies: a hashed grid for each size of box. A body is in one list only, that of the
// cell with the lower corner of its box in the grid whose cells are at least as large as the box. So a query
// checks the cells that its box covers and one more row and column before them.
#include "timeline_data.h"

#define HEADS_MIN 64u

// A power of two, so that dividing by it is exact.
static float cell_side(uint32_t level) {
    return (float)((uint32_t)2 << level);
}

static uint32_t level_for(const flat_box *box) {
    float x = box->max_x - box->min_x, z = box->max_z - box->min_z, side = x > z ? x : z;
    uint32_t level = 0;
    while (level < LEVELS - 1 && cell_side(level) < side)
        level++;
    return level;
}

// Rounded down; coordinates are far below 2^30 cells.
static int32_t cell_at(float coordinate, uint32_t level) {
    float cells = coordinate / cell_side(level);
    int32_t cell = (int32_t)cells;
    return cell - ((float)cell > cells);
}

static uint32_t slot_of(const tr_timeline *timeline, uint32_t level, int32_t column, int32_t row) {
    uint64_t key = (uint64_t)(uint32_t)column * 0x9e3779b97f4a7c15u ^
                   (uint64_t)(uint32_t)row * 0xc2b2ae3d27d4eb4fu ^
                   (uint64_t)(level + 1) * 0x165667b19e3779f9u;
    key ^= key >> 29;
    return (uint32_t)(key * 0xbf58476d1ce4e5b9u >> 32) & (timeline->head_count - 1);
}

static void link_body(tr_timeline *timeline, uint32_t body) {
    body_node *node = &timeline->nodes[body];
    body_place *data = &timeline->places[body];
    data->slot = slot_of(timeline, data->level, cell_at(node->box.min_x, data->level),
                         cell_at(node->box.min_z, data->level));
    node->previous = TR_NONE;
    node->next = timeline->heads[data->slot];
    if (node->next != TR_NONE)
        timeline->nodes[node->next].previous = body;
    timeline->heads[data->slot] = body;
}

static void unlink_body(tr_timeline *timeline, uint32_t body) {
    const body_node *node = &timeline->nodes[body];
    if (node->previous != TR_NONE)
        timeline->nodes[node->previous].next = node->next;
    else
        timeline->heads[timeline->places[body].slot] = node->next;
    if (node->next != TR_NONE)
        timeline->nodes[node->next].previous = node->previous;
}

bool tr_timeline_index_reserve(tr_timeline *timeline) {
    uint32_t count = timeline->head_count ? timeline->head_count : HEADS_MIN;
    while (count < UINT32_MAX / 4 && count < 2 * (timeline->body_live + 1))
        count *= 2;
    if (count == timeline->head_count)
        return true;
    uint32_t *heads = tr_allocate(&timeline->allocator, count, sizeof *heads);
    if (!heads)
        return false;
    tr_release(&timeline->allocator, timeline->heads, timeline->head_count, sizeof *heads);
    for (uint32_t i = 0; i < count; i++)
        heads[i] = TR_NONE;
    timeline->heads = heads;
    timeline->head_count = count;
    for (uint32_t i = 0; i < timeline->body_count; i++)
        if (timeline->places[i].slot != TR_NONE)
            link_body(timeline, i);
    return true;
}

void tr_timeline_index_put(tr_timeline *timeline, uint32_t body, const flat_box *box) {
    if (timeline->places[body].slot != TR_NONE)
        tr_timeline_index_take(timeline, body);
    timeline->nodes[body].box = *box;
    timeline->places[body].level = level_for(box);
    timeline->level_counts[timeline->places[body].level]++;
    timeline->levels |= 1u << timeline->places[body].level;
    timeline->body_live++;
    link_body(timeline, body);
}

void tr_timeline_index_take(tr_timeline *timeline, uint32_t body) {
    unlink_body(timeline, body);
    uint32_t level = timeline->places[body].level;
    if (--timeline->level_counts[level] == 0)
        timeline->levels &= ~(1u << level);
    timeline->body_live--;
    timeline->places[body].slot = TR_NONE;
}

typedef struct cell_range {
    int32_t column_begin, column_end, row_begin, row_end; // both ends included
} cell_range;

static float clamp_extent(float coordinate) { // bodies are within 4e7 m, whatever the query
    float most = 4 * TR_SCENE_EXTENT_MAX;
    return coordinate < -most ? -most : coordinate < most ? coordinate : most;
}

static cell_range cells_under(const flat_box *box, uint32_t level) {
    cell_range range = {
        cell_at(clamp_extent(box->min_x), level) - 1, cell_at(clamp_extent(box->max_x), level),
        cell_at(clamp_extent(box->min_z), level) - 1, cell_at(clamp_extent(box->max_z), level)};
    return range;
}

static double cells_in(const cell_range *range) {
    return ((double)range->column_end - range->column_begin + 1) *
           ((double)range->row_end - range->row_begin + 1);
}

// Bodies that were found and wait to be visited while their tracks are prefetched.
typedef struct found_bodies {
    uint32_t bodies[32];
    uint32_t count;
    void (*visit)(void *user, uint32_t body);
    void *user;
} found_bodies;

static void visit_found(found_bodies *found) {
    for (uint32_t i = 0; i < found->count; i++)
        found->visit(found->user, found->bodies[i]);
    found->count = 0;
}

static void find_body(const tr_timeline *timeline, found_bodies *found, uint32_t body) {
    if (found->count == sizeof found->bodies / sizeof found->bodies[0])
        visit_found(found);
    found->bodies[found->count++] = body;
    const char *block = (const char *)timeline->blocks[body];
    for (int line = 0; line < 4; line++)
        __builtin_prefetch(block + line * 64);
}

// Different cells may share a slot, so a body counts only when its own cell is searched.
static void find_in_cell(const tr_timeline *timeline, const flat_box *box, uint32_t level, int32_t column,
                         int32_t row, found_bodies *found) {
    uint32_t body = timeline->heads[slot_of(timeline, level, column, row)];
    while (body != TR_NONE) {
        const body_node *node = &timeline->nodes[body];
        if (!boxes_apart(&node->box, box) && timeline->places[body].level == level &&
            cell_at(node->box.min_x, level) == column && cell_at(node->box.min_z, level) == row)
            find_body(timeline, found, body);
        body = node->next;
    }
}

void tr_timeline_index_visit(const tr_timeline *timeline, const flat_box *box,
                             void (*visit)(void *user, uint32_t body), void *user) {
    found_bodies found;
    found.count = 0;
    found.visit = visit;
    found.user = user;
    cell_range ranges[LEVELS];
    double cells = 0;
    for (uint32_t levels = timeline->levels; levels; levels &= levels - 1) {
        uint32_t level = (uint32_t)__builtin_ctz(levels);
        ranges[level] = cells_under(box, level);
        cells += cells_in(&ranges[level]);
    }
    if (cells > timeline->body_count) { // few bodies, or a large box: testing all bodies is faster
        for (uint32_t body = 0; body < timeline->body_count; body++)
            if (!boxes_apart(&timeline->nodes[body].box, box) && timeline->places[body].slot != TR_NONE)
                find_body(timeline, &found, body);
        visit_found(&found);
        return;
    }
    for (uint32_t levels = timeline->levels; levels; levels &= levels - 1) {
        uint32_t level = (uint32_t)__builtin_ctz(levels);
        const cell_range *range = &ranges[level];
        for (int32_t row = range->row_begin; row <= range->row_end; row++)
            for (int32_t column = range->column_begin; column <= range->column_end; column++)
                find_in_cell(timeline, box, level, column, row, &found);
    }
    visit_found(&found);
}
