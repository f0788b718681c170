// Floors that are reached by climbing: those beside a floor that is reached, higher or lower than a step and
// no more than moves climb, on which a body has room to stand. What was carried over them before, for those
// who jump, is replaced.
#include "behavior_terrain_job.h"

#include <math.h>

// The cells of a floor that is looked at are in the queue, behind those that are reached.
typedef struct terrace {
    terrain_job *job;
    flood_queues *flood;
    uint8_t *looked;     // a byte for each cell: it belongs to a floor that was looked at
    float *heights;      // of the cells that were looked at
    uint32_t first, end; // in the queue
} terrace;
enum { LOOKED_NOW = 1, LOOKED_BEFORE = 2 };

static uint32_t neighbour(const terrain_job *job, uint32_t cell, int i) {
    static const int step[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    uint32_t columns = job->def->grid.columns, rows = job->def->grid.rows;
    uint32_t column = cell % columns + (uint32_t)step[i][0], row = cell / columns + (uint32_t)step[i][1];
    return column < columns && row < rows ? row * columns + column : TR_NONE;
}

// Under an obstacle that is jumped over there may be a floor that nobody stands on.
static bool is_stood_on(const terrain_job *job, uint32_t cell) {
    return job->steps[cell] == 0 &&
           tr_behavior_terrain_is_free(job, cell, 0, job->terrain->heights[cell], true);
}

static bool take(terrace *t, uint32_t cell, float height) {
    if (t->looked[cell] || is_stood_on(t->job, cell))
        return false;
    t->looked[cell] = LOOKED_NOW;
    t->heights[cell] = height;
    t->job->queue[t->end++] = cell;
    return true;
}

// All cells of the floor that a cell is on.
static void grow(terrace *t, uint32_t cell, float height) {
    float step = t->job->def->step;
    t->first = t->end = t->flood->end;
    take(t, cell, height);
    for (uint32_t at = t->first; at < t->end; at++)
        for (int i = 0; i < 4; i++) {
            uint32_t next = neighbour(t->job, t->job->queue[at], i);
            float floor = next == TR_NONE
                              ? NAN
                              : tr_behavior_terrain_floor(t->job, next, t->heights[t->job->queue[at]], step);
            if (floor == floor && tr_behavior_terrain_is_any_free(t->job, next, floor, true))
                take(t, next, floor);
        }
}

// Whether all cells around one belong to the floor.
static bool has_room_at(const terrace *t, uint32_t cell) {
    const tr_grid *grid = &t->job->def->grid;
    int64_t reach = (int64_t)ceilf(t->job->def->radius / grid->cell);
    int64_t column = cell % grid->columns, row = cell / grid->columns;
    for (int64_t z = -reach; z <= reach; z++)
        for (int64_t x = -reach; x <= reach; x++) {
            bool inside =
                column + x >= 0 && row + z >= 0 && column + x < grid->columns && row + z < grid->rows;
            if (x * x + z * z <= reach * reach &&
                (!inside || t->looked[(row + z) * grid->columns + column + x] != LOOKED_NOW))
                return false;
        }
    return true;
}

// A higher floor needs room to stand. A lower one has to lead somewhere: a ditch is jumped across.
static bool is_wanted(const terrace *t, bool is_lower) {
    for (uint32_t i = t->first; i < t->end; i++) {
        uint32_t cell = t->job->queue[i];
        if (is_lower ? t->job->steps[cell] == BEHAVIOR_NOT_REACHED : has_room_at(t, cell))
            return true;
    }
    return false;
}

static void look_at(terrace *t, uint32_t cell, float height, bool is_lower) {
    grow(t, cell, height);
    bool wanted = is_wanted(t, is_lower);
    for (uint32_t i = t->first; i < t->end; i++) {
        uint32_t at = t->job->queue[i];
        t->looked[at] = LOOKED_BEFORE;
        if (wanted) {
            t->job->terrain->heights[at] = t->heights[at];
            t->job->steps[at] = 0;
        }
    }
    t->flood->end = wanted ? t->end : t->flood->end;
    tr_behavior_terrain_flood(t->job, t->flood); // from there on
}

// The floor beside a cell that a climb leads to; NAN: none.
static float floor_beside(const terrain_job *job, uint32_t to, float height, bool is_lower) {
    const behavior_terrain_def *def = job->def;
    float most = is_lower ? def->climb_down : def->climb_up, middle = 0.5f * (most + def->step);
    if (!(most > def->step))
        return NAN;
    float half = most - middle + 0.01f, at = is_lower ? height - middle : height + middle;
    float floor = tr_behavior_terrain_floor(job, to, at, half);
    return floor == floor && fabsf(floor - height) > def->step ? floor : NAN;
}

tr_status tr_behavior_terrain_climb(terrain_job *job, flood_queues *flood, tr_error *error) {
    const tr_allocator *allocator = &job->def->allocator;
    terrace t = {.job = job, .flood = flood};
    t.looked = tr_allocate_zero(allocator, job->cells, 1);
    t.heights = tr_allocate(allocator, job->cells, sizeof *t.heights);
    bool room = t.looked && t.heights;
    for (uint32_t i = 0; room && i < flood->end; i++) { // the queue grows
        for (int k = 0; k < 8; k++) {
            uint32_t cell = job->queue[i], to = neighbour(job, cell, k % 4);
            if (to == TR_NONE || t.looked[to] || is_stood_on(job, to))
                continue;
            float floor = floor_beside(job, to, job->terrain->heights[cell], k >= 4);
            if (floor == floor && tr_behavior_terrain_is_any_free(job, to, floor, true))
                look_at(&t, to, floor, k >= 4);
        }
    }
    tr_release(allocator, t.looked, job->cells, 1);
    tr_release(allocator, t.heights, job->cells, sizeof *t.heights);
    return room ? TR_OK : tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the floor of %u cells", job->cells);
}
