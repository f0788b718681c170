// Little worlds to climb in, and a judge: the rules of docs/plan/surface_route.md written down once more,
// slowly, over an explicit graph.
#pragma once
#include "troupe/plan/surface_route.h"
#include "world/little.h"

#include <stdlib.h>

// A scene, its surface and what is needed to make it again.
typedef struct surface_route_world {
    tr_scene *scene;
    tr_raster *raster;
    tr_surface *surface;
} surface_route_world;

static inline surface_route_world surface_route_world_begin(void) {
    surface_route_world world = {NULL, little_raster(4), NULL};
    tr_scene_create(NULL, &world.scene);
    return world;
}

// Cells of `cell` metres on x, z in [0, size), heights in [-1.5, 6); nothing is guessed.
static inline bool surface_route_world_build(surface_route_world *world, float size_x, float size_z,
                                             float cell) {
    tr_surface_def def = tr_surface_def_default();
    def.grid = (tr_voxel_grid){
        {{0, 0}, cell, (uint32_t)(size_x / cell + 0.5f), (uint32_t)(size_z / cell + 0.5f)}, -1.5f, 0.1f, 75};
    def.guess = false;
    tr_surface_destroy(world->surface);
    world->surface = NULL;
    return tr_surface_create(&def, &world->surface, NULL) == TR_OK &&
           tr_surface_build(world->surface, world->raster, world->scene, NULL) == TR_OK;
}

static inline void surface_route_world_end(surface_route_world *world) {
    tr_surface_destroy(world->surface);
    tr_raster_destroy(world->raster);
    tr_scene_destroy(world->scene);
}

// A box, a little inside of its cells, so that it touches no others.
static inline void surface_route_world_box(surface_route_world *world, float x0, float y0, float z0, float x1,
                                           float y1, float z1, uint32_t tags) {
    little_box(world->scene, little_make_box(x0 + 0.02f, y0, z0 + 0.02f, x1 - 0.02f, y1, z1 - 0.02f), tags);
}

// A world as a map seen from above, cells of 0.3 m, one row of text for each row: '.' floor, ' ' nothing at
// all, '1' to '9' floor so many times 0.1 m higher, '#' a wall of 2.5 m, 'x' floor with something 0.3 m high
// that is not for standing on, 'o' floor under a roof at 1.3 m, 'v' floor 1 m lower.
#define SURFACE_ROUTE_MAP_CELL 0.3f
static inline bool surface_route_world_map(surface_route_world *world, const char *const *rows,
                                           uint32_t row_count) {
    uint32_t columns = (uint32_t)strlen(rows[0]);
    for (uint32_t row = 0; row < row_count; row++)
        for (uint32_t column = 0; column < columns; column++) {
            char c = rows[row][column];
            float x = (float)column * SURFACE_ROUTE_MAP_CELL, z = (float)row * SURFACE_ROUTE_MAP_CELL;
            float top = c >= '1' && c <= '9' ? 0.1f * (float)(c - '0') : c == '#' ? 2.5f : c == 'v' ? -1 : 0;
            if (c == ' ')
                continue;
            float x1 = x + SURFACE_ROUTE_MAP_CELL, z1 = z + SURFACE_ROUTE_MAP_CELL;
            surface_route_world_box(world, x, top < 0 ? top - 0.2f : -0.2f, z, x1, top, z1, 0);
            if (c == 'x')
                surface_route_world_box(world, x, 0, z, x1, 0.3f, z1, TR_TAG_NO_STEP);
            if (c == 'o')
                surface_route_world_box(world, x, 1.3f, z, x1, 1.5f, z1, 0);
        }
    return surface_route_world_build(world, (float)columns * SURFACE_ROUTE_MAP_CELL,
                                     (float)row_count * SURFACE_ROUTE_MAP_CELL, SURFACE_ROUTE_MAP_CELL);
}

static inline tr_surface_route *surface_route_world_route(const surface_route_world *world,
                                                          tr_ground_body person, uint32_t neighbours) {
    tr_surface_route_def def = {.surface = world->surface, .person = person, .border_neighbours = neighbours};
    tr_surface_route *route = NULL;
    return tr_surface_route_create(&def, &route, NULL) == TR_OK ? route : NULL;
}

// The middle of a column, at a height.
static inline tr_vec3 surface_route_world_point(const surface_route_world *world, uint32_t column,
                                                uint32_t row, float height) {
    tr_vec2 centre = tr_grid_centre(&tr_surface_grid(world->surface)->grid, column, row);
    return tr_vec3_make(centre.x, height, centre.z);
}

static inline tr_surface_place surface_route_world_place(const surface_route_world *world, uint32_t column,
                                                         uint32_t row, float height) {
    return tr_surface_drop(world->surface, surface_route_world_point(world, column, row, height), 0.05f);
}

typedef struct judge_cell {
    int32_t column, row;
    int64_t height, ceiling; // [units]; without an end where there is enough for everybody
    int64_t known;           // ceiling that is sure
    uint32_t kind, index;
    bool stands, reached, border;
    uint32_t next[4], steps[4]; // TR_NONE and 0: barred
} judge_cell;

typedef struct surface_route_judge {
    judge_cell *cells;
    uint32_t count, columns, rows;
    uint32_t *first; // of each column, row by row; one more at the end is not needed: counts
    uint32_t *counts;
    int64_t need, rise, slope;
    uint32_t span;
    double radius; // [cells]
    uint32_t neighbours;
    uint64_t *costs;
    bool *done;
} surface_route_judge;

static inline void judge_read(surface_route_judge *judge, const tr_surface *surface) {
    tr_surface_scale scale = tr_surface_scale_of(surface);
    for (uint32_t row = 0; row < judge->rows; row++)
        for (uint32_t column = 0; column < judge->columns; column++) {
            tr_surface_column cells = tr_surface_at(surface, column, row);
            judge->first[row * judge->columns + column] = cells.first;
            judge->counts[row * judge->columns + column] = cells.count;
            for (uint32_t i = 0; i < cells.count; i++) {
                judge_cell *cell = &judge->cells[cells.first + i];
                int64_t room = cells.rooms[i] & 63;
                bool is_open = room == 63;
                room = (int64_t)floor((double)room * scale.room / scale.unit + 0.001);
                memset(cell, 0, sizeof *cell);
                cell->column = (int32_t)column;
                cell->row = (int32_t)row;
                cell->height = cells.heights[i];
                cell->ceiling = cell->height + (is_open ? 1000000000 : room);
                cell->known = is_open && i + 1 < cells.count ? cell->height + room : cell->ceiling;
                cell->kind = cells.rooms[i] >> 6;
                cell->index = i;
                cell->stands = cell->kind >= TR_SURFACE_STAND && cell->ceiling - cell->height >= judge->need;
            }
        }
}

static inline bool judge_fits(const surface_route_judge *judge, const judge_cell *a, const judge_cell *b) {
    int64_t high = a->height > b->height ? a->height : b->height;
    int64_t low = a->height > b->height ? b->height : a->height;
    int64_t ceiling = a->ceiling < b->ceiling ? a->ceiling : b->ceiling;
    return a->stands && b->stands && high - low <= judge->rise && ceiling - high >= judge->need;
}

// The ground of a cell in the column beside it, nearest in height and no further than a slope leads; NULL.
static inline const judge_cell *judge_ground(const surface_route_judge *judge, const judge_cell *cell,
                                             int32_t x, int32_t z) {
    const judge_cell *best = NULL;
    for (uint32_t i = 0; i < judge->count; i++) {
        const judge_cell *other = &judge->cells[i];
        if (other->column != cell->column + x || other->row != cell->row + z ||
            other->kind < TR_SURFACE_STAND || llabs(other->height - cell->height) > judge->slope)
            continue;
        if (!best || llabs(other->height - cell->height) < llabs(best->height - cell->height))
            best = other;
    }
    return best;
}

// A step is as high as the tops say, twice what the lower ground falls towards it in a cell, and what it
// grows by to one of its sides.
static inline bool judge_rises(const surface_route_judge *judge, const judge_cell *a, const judge_cell *b) {
    const judge_cell *low = a->height < b->height ? a : b, *high = a->height < b->height ? b : a;
    int64_t step = high->height - low->height, falls = 0, grows = 0;
    if (step <= judge->slope || step + 3 * judge->slope <= judge->rise)
        return step <= judge->rise;
    int32_t x = low->column == high->column  ? 0
                : low->column < high->column ? -1
                                             : 1,
            z = low->row == high->row  ? 0
                : low->row < high->row ? -1
                                       : 1;
    const judge_cell *behind = judge_ground(judge, low, x, z);
    if (behind && behind->height > low->height)
        falls = 2 * (behind->height - low->height);
    for (int32_t side = -1; side <= 1; side += 2) {
        const judge_cell *lower = judge_ground(judge, low, side * z, side * x),
                         *higher = judge_ground(judge, high, side * z, side * x);
        int64_t there = lower && higher ? higher->height - lower->height : 0;
        grows = there - step > grows ? there - step : grows;
    }
    return step + falls + grows <= judge->rise;
}

// Is the column free for a step over it between these two heights?
static inline bool judge_passes(const surface_route_judge *judge, int32_t column, int32_t row, int64_t low,
                                int64_t high) {
    uint32_t number = (uint32_t)row * judge->columns + (uint32_t)column;
    if (judge->counts[number] == 0)
        return true;
    for (uint32_t i = 0; i < judge->counts[number]; i++) {
        const judge_cell *cell = &judge->cells[judge->first[number] + i];
        bool low_enough =
            cell->height <= high || (cell->kind == TR_SURFACE_STEEP && cell->height <= low + judge->rise);
        if (low_enough && cell->known >= high + judge->need)
            return true;
    }
    return false;
}

static inline void judge_look(surface_route_judge *judge, uint32_t number, uint32_t direction) {
    static const int32_t x[4] = {1, 0, -1, 0}, z[4] = {0, 1, 0, -1};
    judge_cell *from = &judge->cells[number];
    from->next[direction] = TR_NONE;
    from->steps[direction] = 0;
    for (int32_t steps = 1; from->stands && steps <= (int32_t)judge->span; steps++) {
        int32_t column = from->column + x[direction] * steps, row = from->row + z[direction] * steps;
        if (column < 0 || row < 0 || column >= (int32_t)judge->columns || row >= (int32_t)judge->rows)
            return;
        uint32_t at = (uint32_t)row * judge->columns + (uint32_t)column, best = TR_NONE;
        int64_t best_apart = INT64_MAX;
        for (uint32_t i = judge->first[at]; i < judge->first[at] + judge->counts[at]; i++) {
            const judge_cell *to = &judge->cells[i];
            bool free = judge_fits(judge, from, to) && judge_rises(judge, from, to);
            int64_t low = from->height < to->height ? from->height : to->height,
                    high = from->height < to->height ? to->height : from->height;
            for (int32_t k = 1; free && k < steps; k++)
                free = judge_passes(judge, from->column + x[direction] * k, from->row + z[direction] * k, low,
                                    high);
            if (free && high - low < best_apart) {
                best_apart = high - low;
                best = i;
            }
        }
        if (best != TR_NONE) {
            from->next[direction] = best;
            from->steps[direction] = (uint32_t)steps;
            return;
        }
    }
}

static inline surface_route_judge surface_route_judge_make(const tr_surface *surface, tr_ground_body person,
                                                           uint32_t neighbours) {
    tr_surface_scale scale = tr_surface_scale_of(surface);
    const tr_grid *grid = &tr_surface_grid(surface)->grid;
    surface_route_judge judge = {.count = tr_surface_cell_count(surface),
                                 .columns = grid->columns,
                                 .rows = grid->rows,
                                 .neighbours = neighbours,
                                 .radius = (double)(person.radius / grid->cell)};
    judge.need = (int64_t)floor(tr_surface_room(surface, person.height) * scale.room / scale.unit + 0.001);
    judge.rise = tr_surface_units(surface, person.foot_rise);
    judge.slope = (int64_t)(tan((double)tr_surface_def_of(surface)->slope) * grid->cell / scale.unit) + 1;
    double span = floor((double)person.foot_span / grid->cell + 1.0 / 1024);
    judge.span = span < 1 ? 1 : (uint32_t)span;
    judge.cells = calloc(judge.count + 1, sizeof *judge.cells);
    judge.first = calloc(grid->columns * grid->rows, sizeof *judge.first);
    judge.counts = calloc(grid->columns * grid->rows, sizeof *judge.counts);
    judge.costs = calloc(judge.count + 1, sizeof *judge.costs);
    judge.done = calloc(judge.count + 1, sizeof *judge.done);
    judge_read(&judge, surface);
    for (uint32_t i = 0; i < judge.count; i++)
        for (uint32_t direction = 0; direction < 4; direction++)
            judge_look(&judge, i, direction);
    return judge;
}

static inline void surface_route_judge_destroy(surface_route_judge *judge) {
    free(judge->cells);
    free(judge->first);
    free(judge->counts);
    free(judge->costs);
    free(judge->done);
}

// All cells that walks from `cell` lead to, links left out.
static inline void judge_flood(surface_route_judge *judge, uint32_t cell) {
    uint32_t *stack = malloc((judge->count * 4u + 1u) * sizeof *stack), count = 1;
    stack[0] = cell;
    while (count > 0) {
        judge_cell *at = &judge->cells[stack[--count]];
        if (at->reached)
            continue;
        at->reached = true;
        for (uint32_t i = 0; i < 4; i++)
            if (at->next[i] != TR_NONE && !judge->cells[at->next[i]].reached)
                stack[count++] = at->next[i];
    }
    free(stack);
}

static inline bool judge_has_corner(const surface_route_judge *judge, const judge_cell *cell, uint32_t a,
                                    uint32_t b) {
    const judge_cell *cells = judge->cells;
    return (cell->next[a] != TR_NONE && cells[cell->next[a]].next[b] != TR_NONE) ||
           (cell->next[b] != TR_NONE && cells[cell->next[b]].next[a] != TR_NONE);
}

// Along z from a cell: what lies `across` to the side of it is nearer than the radius.
static inline void judge_spread(surface_route_judge *judge, uint32_t number, uint32_t direction,
                                double across, double begun) {
    for (double walked = begun; number != TR_NONE;) {
        double between = walked > 0 ? walked : 0;
        if (between * between + across * across < judge->radius * judge->radius)
            judge->cells[number].border = true;
        walked += judge->cells[number].steps[direction];
        number = judge->cells[number].next[direction];
    }
}

// Of all cells that are reached. Every barred place, walked away from: first along x, then along z.
static inline void judge_mark(surface_route_judge *judge) {
    for (uint32_t i = 0; i < judge->count; i++) {
        judge_cell *cell = &judge->cells[i];
        for (uint32_t direction = 0; cell->reached && direction < 4; direction++) {
            if (judge->neighbours == 8 && !judge_has_corner(judge, cell, direction, (direction + 1) & 3))
                cell->border = true;
            if (cell->next[direction] != TR_NONE)
                continue;
            cell->border = true;
            if (direction & 1) {
                judge_spread(judge, i, direction ^ 2, 0, 0);
                continue;
            }
            double across = 0;
            for (uint32_t at = i; at != TR_NONE;) {
                judge_spread(judge, at, 1, across, -1);
                judge_spread(judge, at, 3, across, -1);
                across += judge->cells[at].steps[direction ^ 2];
                at = judge->cells[at].next[direction ^ 2];
            }
        }
    }
}

static inline bool judge_is_free(const surface_route_judge *judge, uint32_t cell) {
    return judge->cells[cell].reached && !judge->cells[cell].border;
}

static inline uint64_t judge_entry(const surface_route_judge *judge, tr_surface_route_border_use border,
                                   uint32_t cell, uint64_t steps) {
    return border == TR_SURFACE_ROUTE_BORDER_ALLOW && !judge_is_free(judge, cell) ? steps + 15 : steps;
}

// A link between cells, for the judge.
typedef struct judge_link {
    uint32_t from, to, steps;
} judge_link;

static inline void judge_relax(surface_route_judge *judge, uint64_t cost, uint32_t to, uint64_t steps,
                               tr_surface_route_border_use border, const bool *is_goal) {
    if (border == TR_SURFACE_ROUTE_BORDER_AVOID && !judge_is_free(judge, to) && !is_goal[to])
        return;
    cost += judge_entry(judge, border, to, steps);
    if (cost < judge->costs[to])
        judge->costs[to] = cost;
}

// Cheapest costs from a cell to all, in judge->costs; UINT64_MAX: no way. `is_goal` may be entered anyhow.
static inline void judge_dijkstra(surface_route_judge *judge, uint32_t start,
                                  tr_surface_route_border_use border, const bool *is_goal,
                                  const judge_link *links, uint32_t link_count) {
    for (uint32_t i = 0; i < judge->count; i++) {
        judge->costs[i] = UINT64_MAX;
        judge->done[i] = false;
    }
    judge->costs[start] = 0;
    for (;;) {
        uint32_t at = TR_NONE;
        for (uint32_t i = 0; i < judge->count; i++)
            if (!judge->done[i] && judge->costs[i] != UINT64_MAX &&
                (at == TR_NONE || judge->costs[i] < judge->costs[at]))
                at = i;
        if (at == TR_NONE)
            return;
        judge->done[at] = true;
        for (uint32_t i = 0; i < 4; i++)
            if (judge->cells[at].next[i] != TR_NONE)
                judge_relax(judge, judge->costs[at], judge->cells[at].next[i], judge->cells[at].steps[i],
                            border, is_goal);
        for (uint32_t i = 0; i < link_count; i++)
            if (links[i].from == at)
                judge_relax(judge, judge->costs[at], links[i].to, links[i].steps, border, is_goal);
    }
}

// Is b a diagonal step from a: both ways around the corner lead there by single steps?
static inline bool judge_diagonal(const surface_route_judge *judge, uint32_t a, uint32_t b) {
    const judge_cell *from = &judge->cells[a], *to = &judge->cells[b];
    int32_t x = to->column - from->column, z = to->row - from->row;
    if (abs(x) != 1 || abs(z) != 1 || !judge_fits(judge, from, to))
        return false;
    uint32_t along_x = x > 0 ? 0 : 2, along_z = z > 0 ? 1 : 3;
    uint32_t side = from->next[along_x], other = from->next[along_z];
    if (from->steps[along_x] != 1 || from->steps[along_z] != 1)
        return false;
    return judge->cells[side].next[along_z] == b && judge->cells[side].steps[along_z] == 1 &&
           judge->cells[other].next[along_x] == b && judge->cells[other].steps[along_x] == 1;
}

// The direction in which b is the neighbour of a, 4 when it is none.
static inline uint32_t judge_direction(const surface_route_judge *judge, uint32_t a, uint32_t b) {
    uint32_t direction = 0;
    while (direction < 4 && judge->cells[a].next[direction] != b)
        direction++;
    return direction;
}

// A world of random things on random floors: slabs, boxes to step on, walls, roofs, things that are not for
// standing on, ramps.
static inline void surface_route_world_random(surface_route_world *world, tr_random *random, float size,
                                              uint32_t things) {
    float hole = tr_random_between(random, 0, 0.3f) * size,
          split = tr_random_between(random, 0.2f, 0.8f) * size;
    little_box(world->scene, little_make_box(0, -0.3f, 0, split, 0, size), 0);
    little_box(world->scene, little_make_box(split + hole, -0.3f, 0, size, 0, size), 0);
    for (uint32_t i = 0; i < things; i++) {
        uint32_t kind = tr_random_below(random, 6);
        float x = tr_random_between(random, 0, size), z = tr_random_between(random, 0, size);
        float wide = tr_random_between(random, 0.1f, size / 2),
              deep = tr_random_between(random, 0.1f, size / 2);
        float bottom = 0, top = tr_random_between(random, 0.02f, 0.6f);
        uint32_t tags = 0;
        if (kind == 1)
            top = tr_random_between(random, 1, 3), wide = 0.1f;
        if (kind == 2)
            bottom = tr_random_between(random, 0.8f, 3.2f), top = bottom + 0.2f;
        if (kind == 3)
            tags = TR_TAG_NO_STEP, wide = tr_random_between(random, 0.1f, 0.8f);
        uint32_t mesh = little_box_mesh(world->scene, little_make_box(x, bottom, z, x + wide, top, z + deep));
        tr_affine placement = tr_affine_identity();
        if (kind == 4) { // a ramp: sheared upwards
            placement.m[1][0] = tr_random_between(random, -0.8f, 0.8f);
            placement.m[1][3] = -placement.m[1][0] * x;
        }
        if (kind == 5) {
            float up = tr_random_between(random, 0, 2.5f);
            placement.m[1][3] = up;
        }
        little_object(world->scene, mesh, placement, tags);
    }
}

static inline tr_ground_body surface_route_random_person(tr_random *random) {
    tr_ground_body person = {.height = tr_random_between(random, 0.7f, 2.0f)};
    person.foot_span = tr_random_between(random, 0.1f, 1.6f);
    person.foot_rise = tr_random_between(random, 0, 0.65f);
    if (tr_random_below(random, 2))
        person.radius = tr_random_between(random, 0, 1.1f);
    return person;
}
