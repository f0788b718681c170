// The table of places that were visited: open addressing over exact keys. It begins small and grows with the
// tree, so that a small search stays in the nearest cache.
#include "behavior_search_data.h"

#include <string.h>

#define TABLE_BEGIN 4096

static void clear(tr_behavior_search *s, uint32_t size) {
    s->table_size = size;
    s->table_count = 0;
    s->table_shift = 64;
    for (uint32_t i = size; i > 1; i /= 2)
        s->table_shift--;
    memset(s->table, 0xff, size * sizeof *s->table);
}

static uint64_t divisions(double length, double part) {
    return (uint64_t)(length / part) + 2;
}

bool tr_behavior_table_begin(tr_behavior_search *s) {
    const tr_behavior_query *query = &s->query;
    const tr_grid *grid = &s->map->grid;
    double cell = (double)query->cell, rate = s->behavior->def.frames_per_second;
    double time = (double)query->seconds * rate, most = TR_PI * 2 / (double)query->angle + 0.5;
    s->cells[0] = 2 * divisions((double)grid->cell * grid->columns, cell);
    s->cells[1] = 2 * divisions((double)grid->cell * grid->rows, cell);
    s->headings = most < 1 ? 1 : most < 1e6 ? (uint64_t)most : 1000000;
    s->time_frames = !s->moves || !(time < 1e9) ? UINT32_MAX : time < 1 ? 1 : (uint32_t)(time + 0.5);
    s->times = s->moves ? s->frame_max / s->time_frames + 2 : 1;
    double keys = (double)s->cells[0] * (double)s->cells[1] * (double)s->headings * (double)s->times *
                  query->goal_count * s->behavior->group_count;
    clear(s, s->table_max < TABLE_BEGIN ? s->table_max : TABLE_BEGIN);
    return keys < 9e18;
}

// Cells, sectors and times are centred on those of the start, so that moves on a lattice keep to their
// middles.
uint64_t tr_behavior_table_key(const tr_behavior_search *s, const behavior_node *node, uint32_t group) {
    const tr_behavior_query *query = &s->query;
    float per_cell = 1 / query->cell;
    float x = (node->x - query->start.x) * per_cell, z = (node->z - query->start.z) * per_cell;
    float sector = ((node->heading - query->heading) * (float)(0.5 / TR_PI) + 2) * (float)s->headings + 0.5f;
    uint64_t column = (uint64_t)(int64_t)(x + (float)s->cells[0] * 0.5f + 0.5f);
    uint64_t row = (uint64_t)(int64_t)(z + (float)s->cells[1] * 0.5f + 0.5f);
    uint64_t time = 0;
    if (s->times > 1) {
        time = ((uint64_t)(node->frame - query->frame) + s->time_frames / 2) / s->time_frames;
        time = time < s->times ? time : s->times - 1;
    }
    uint64_t key = (column * s->cells[1] + row) * s->headings + (uint64_t)sector % s->headings;
    return ((key * s->behavior->group_count + group) * query->goal_count + node->leg) * s->times + time;
}

static behavior_entry *find(tr_behavior_search *s, uint64_t key) {
    uint32_t mask = s->table_size - 1;
    uint32_t place = (uint32_t)(key * 0x9E3779B97F4A7C15u >> s->table_shift);
    while (s->table[place].node != TR_NONE && s->table[place].key != key)
        place = (place + 1) & mask;
    return &s->table[place];
}

behavior_entry *tr_behavior_table_find(tr_behavior_search *s, uint64_t key) {
    return find(s, key);
}

void tr_behavior_table_enter(tr_behavior_search *s, behavior_entry *entry, uint32_t node) {
    s->table_count += entry->node == TR_NONE;
    *entry = (behavior_entry){s->nodes[node].key, node};
    if (s->table_count * 2 <= s->table_size || s->table_size == s->table_max)
        return;
    clear(s, s->table_size * 2);
    for (uint32_t i = 1; i <= node; i++) { // of one key, the last is the one that holds the place
        entry = find(s, s->nodes[i].key);
        s->table_count += entry->node == TR_NONE;
        *entry = (behavior_entry){s->nodes[i].key, i};
    }
}
