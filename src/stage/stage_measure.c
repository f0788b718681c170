// What came of a tick: is everybody where it was committed to be, and how near did bodies come to each other?
// Those who are near are found in a grid that is filled anew in every tick.
#include "stage_data.h"

#define SIGHT 2.0f // gaps that are larger are not looked at [m]

// What is compared of a body, in one place.
typedef struct stage_spot {
    float x, y, z, radius, height;
    float nearest;
    uint32_t next; // in the same cell of the grid; TR_NONE
} stage_spot;

struct stage_measures {
    stage_spot *spots; // of the actors, in their order
    uint32_t *heads;   // of the lists of cells, hashed
    uint32_t spot_capacity, head_count;
};

bool tr_stage_reserve_measures(tr_stage *stage, uint32_t actors) {
    if (!stage->measures)
        stage->measures = tr_allocate_zero(&stage->allocator, 1, sizeof *stage->measures);
    struct stage_measures *m = stage->measures;
    if (!m)
        return false;
    void *spots = m->spots;
    bool room = tr_reserve(&stage->allocator, &spots, &m->spot_capacity, actors, sizeof *m->spots);
    m->spots = spots;
    uint32_t count = m->head_count ? m->head_count : 16;
    while (count < 2 * actors)
        count *= 2;
    if (!room || count == m->head_count)
        return room;
    uint32_t *heads = tr_allocate(&stage->allocator, count, sizeof *heads);
    if (!heads)
        return false;
    tr_release(&stage->allocator, m->heads, m->head_count, sizeof *heads);
    m->heads = heads;
    m->head_count = count;
    return true;
}

void tr_stage_release_measures(tr_stage *stage) {
    struct stage_measures *m = stage->measures;
    if (!m)
        return;
    tr_release(&stage->allocator, m->spots, m->spot_capacity, sizeof *m->spots);
    tr_release(&stage->allocator, m->heads, m->head_count, sizeof *m->heads);
    tr_release(&stage->allocator, m, 1, sizeof *m);
}

// Actors are within TR_SCENE_EXTENT_MAX, and a cell is larger than SIGHT.
static int32_t cell_of(float coordinate, float side) {
    return (int32_t)floorf(coordinate / side);
}

static uint32_t *list_of(const struct stage_measures *m, int32_t column, int32_t row) {
    uint64_t key =
        (uint64_t)(uint32_t)column * 0x9e3779b97f4a7c15u ^ (uint64_t)(uint32_t)row * 0xc2b2ae3d27d4eb4fu;
    key ^= key >> 29;
    return &m->heads[(uint32_t)(key * 0xbf58476d1ce4e5b9u >> 32) & (m->head_count - 1)];
}

static void compare(stage_spot *a, stage_spot *b) {
    float x = b->x - a->x, y = b->y - a->y, z = b->z - a->z, most = SIGHT + a->radius + b->radius,
          square = x * x + z * z;
    if (!(square < most * most) || !(y < a->height && -y < b->height))
        return;
    float gap = sqrtf(square) - a->radius - b->radius;
    a->nearest = gap < a->nearest ? gap : a->nearest;
    b->nearest = gap < b->nearest ? gap : b->nearest;
}

// With all who are in the grid already, then into it. Cells that share a list are compared as well: that does
// no harm.
static void compare_with_others(struct stage_measures *m, uint32_t index, float side) {
    stage_spot *spot = &m->spots[index];
    int32_t column = cell_of(spot->x, side), row = cell_of(spot->z, side);
    for (int32_t i = 0; i < 9; i++) {
        uint32_t other = *list_of(m, column + i % 3 - 1, row + i / 3 - 1);
        for (; other != TR_NONE; other = m->spots[other].next)
            compare(spot, &m->spots[other]);
    }
    uint32_t *list = list_of(m, column, row);
    spot->next = *list;
    *list = index;
}

// What the actor alone tells.
static void measure_actor(tr_stage *stage, stage_actor *who, stage_spot *spot) {
    tr_vec3 at = tr_stage_place_of(who);
    tr_vec3 there = tr_timeline_at(stage->timeline, who->body, (double)stage->tick);
    bool waits = who->errand == STAGE_ORDER && who->blocker != TR_NONE;
    who->deviations += at.x != there.x || at.z != there.z;
    who->waited += waits ? TR_STAGE_TICK : 0;
    *spot = (stage_spot){at.x, at.y, at.z, who->radius, who->height, who->nearest, TR_NONE};
}

void tr_stage_measure(tr_stage *stage) {
    struct stage_measures *m = stage->measures;
    float radius = 0;
    for (uint32_t i = 0; i < stage->actor_count; i++) {
        measure_actor(stage, stage->actors[i], &m->spots[i]);
        radius = m->spots[i].radius > radius ? m->spots[i].radius : radius;
    }
    for (uint32_t i = 0; m && i < m->head_count; i++)
        m->heads[i] = TR_NONE;
    for (uint32_t i = 0; i < stage->actor_count; i++)
        compare_with_others(m, i, SIGHT + 2 * radius);
    for (uint32_t i = 0; i < stage->actor_count; i++)
        stage->actors[i]->nearest = m->spots[i].nearest;
}
