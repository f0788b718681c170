// Random small worlds in which every move leads from one point of a lattice to another, so that each place
// can be told exactly, and an exhaustive search over them in doubles. It shares no code with the planner; it
// asks the map for single places and times.
#pragma once
#include "plan/behavior/behavior_map_data.h"
#include "troupe/base/random.h"
#include "troupe/plan/behavior_search.h"

#include <math.h>
#include <string.h>

#define SIDE 7    // lattice points, 1 m apart
#define OFF 0.57  // of the lattice: points are well inside cells [m]
#define TICK 6    // frames; all moves take a multiple of it
#define LAYERS 22 // ticks, in worlds that move
#define LATTICE_STATES 9
#define LATTICE_DISCS 4

typedef struct lattice {
    tr_behavior_disc discs[LATTICE_STATES][2][LATTICE_DISCS];
    tr_behavior_move moves[LATTICE_STATES][2];
    tr_behavior_state states[LATTICE_STATES];
    tr_behavior_def def;
    tr_behavior *behavior;
    tr_behavior_map *map;
    bool moves_at_all;
    tr_vec2 start, goals[2];
    uint32_t goal_count, heading;
} lattice;

static inline void lattice_move(lattice *l, tr_random *random, uint32_t state, float x, float z,
                                int quarter) {
    uint32_t frames = TICK * (1 + tr_random_below(random, 3));
    uint32_t count = l->moves_at_all && tr_random_below(random, 3) ? 3 : 4;
    for (uint32_t k = 0; k < 2; k++) { // two clips, the same on the whole
        tr_behavior_disc *discs = l->discs[state][k];
        for (uint32_t i = 0; i < count; i++) {
            float t = (float)i / (float)(count - 1);
            discs[i] = (tr_behavior_disc){x * t, z * t, (uint16_t)(frames * i / (count - 1)), 0};
        }
        l->moves[state][k] = (tr_behavior_move){.name = "m",
                                                .x = x,
                                                .z = z,
                                                .turn = (float)quarter * 1.57079633f,
                                                .frames = frames,
                                                .action = TR_NONE,
                                                .discs = discs,
                                                .disc_count = count};
    }
    l->states[state].moves = l->moves[state];
    l->states[state].move_count = 1 + tr_random_below(random, 2);
    l->states[state].weight = 1 + tr_random_unit(random) * 2;
}

static inline void lattice_machine(lattice *l, tr_random *random) {
    static const char *const labels[] = {"rest", "jog"};
    static const tr_behavior_band bands[] = {{.name = "upright", .low = 0, .high = 1.8f},
                                             {.name = "over", .low = 0.6f, .high = 2.3f}};
    static const struct {
        const char *name;
        float x, z;
        int quarter;
        uint32_t begin, end;
    } rows[LATTICE_STATES] = {{"start", 0, 1, 0, 0, 1}, {"end", 0, 1, 0, 1, 0},     {"on", 0, 1, 0, 1, 1},
                              {"left", 1, 1, 1, 1, 1},  {"right", -1, 1, -1, 1, 1}, {"wait", 0, 0, 0, 1, 1},
                              {"over", 0, 2, 0, 1, 1},  {"spin", 0, 0, 1, 0, 0},    {"side", 2, 1, 0, 1, 1}};
    for (uint32_t i = 0; i < LATTICE_STATES; i++) {
        lattice_move(l, random, i, rows[i].x, rows[i].z, rows[i].quarter);
        l->states[i].name = rows[i].name;
        l->states[i].begin = rows[i].begin;
        l->states[i].end = rows[i].end;
    }
    l->states[6].serves = 1;
    for (uint32_t k = 0; k < 2; k++)
        for (uint32_t i = 1; i + 1 < l->moves[6][k].disc_count; i++)
            l->discs[6][k][i].band = 1;
    l->def = (tr_behavior_def){.labels = labels,
                               .label_count = 2,
                               .bands = bands,
                               .band_count = 2,
                               .radius = 0.2f,
                               .frames_per_second = 30,
                               .states = l->states,
                               .state_count = 7 + tr_random_below(random, 3),
                               .up = tr_random_below(random, 2) ? tr_random_unit(random) * 3 : 0,
                               .down = tr_random_below(random, 2) ? tr_random_unit(random) : 0};
}

static inline tr_vec2 lattice_point(tr_random *random) {
    return tr_vec2_make((float)tr_random_below(random, SIDE) + (float)OFF,
                        (float)tr_random_below(random, SIDE) + (float)OFF);
}

static inline void lattice_moving_things(lattice *l, tr_random *random) {
    const tr_grid *grid = &l->map->grid;
    for (uint32_t i = 0; i < 30; i++) {
        uint32_t first = tr_random_below(random, l->map->slot_count);
        uint32_t last = first + tr_random_below(random, l->map->slot_count - first);
        tr_behavior_map_occupy(l->map, tr_random_below(random, 3) == 0,
                               tr_random_below(random, grid->columns), tr_random_below(random, grid->rows),
                               first, last);
    }
    for (uint32_t body = 0; body < 2; body++) {
        tr_behavior_spot spots[5];
        tr_vec2 at = lattice_point(random);
        for (uint32_t i = 0; i < 5; i++) {
            spots[i] = (tr_behavior_spot){at.x, at.z, 20 * i};
            at = tr_vec2_add(at, tr_vec2_make(tr_random_between(random, -1.5f, 1.5f),
                                              tr_random_between(random, -1.5f, 1.5f)));
        }
        tr_behavior_map_commit(l->map, body, spots, 5, 0.05f, NULL);
    }
}

static inline bool lattice_make(lattice *l, tr_random *random, bool moves) {
    memset(l, 0, sizeof *l);
    l->moves_at_all = moves;
    lattice_machine(l, random);
    if (tr_behavior_create(&l->def, &l->behavior, NULL) != TR_OK)
        return false;
    tr_behavior_map_def def = {.grid = {{0, 0}, 0.25f, 4 * SIDE, 4 * SIDE},
                               .behavior = l->behavior,
                               .slot_frames = 3,
                               .seconds = LAYERS * TICK / 30.0};
    if (tr_behavior_map_create(&def, &l->map, NULL) != TR_OK)
        return false;
    tr_bitmap blocked;
    float heights[16 * SIDE * SIDE];
    if (tr_bitmap_create(NULL, 4 * SIDE, 4 * SIDE, &blocked) != TR_OK)
        return false;
    for (uint32_t band = 0; band < 2; band++) {
        tr_bitmap_clear(&blocked);
        for (uint32_t i = 0; i < (band ? 8u : 20 + tr_random_below(random, 90)); i++) // pieces of walls
            for (uint32_t k = 0, c = tr_random_below(random, 4 * SIDE), r = tr_random_below(random, 4 * SIDE);
                 k < 3; k++)
                tr_bitmap_set(&blocked, (c + (i % 2 ? k : 0)) % (4 * SIDE),
                              (r + (i % 2 ? 0 : k)) % (4 * SIDE));
        tr_behavior_map_block(l->map, band, &blocked, false);
    }
    tr_bitmap_destroy(NULL, &blocked);
    for (uint32_t i = 0; i < 16 * SIDE * SIDE; i++)
        heights[i] = tr_random_below(random, 5) ? 0 : tr_random_unit(random);
    if (l->def.up + l->def.down > 0)
        tr_behavior_map_set_heights(l->map, heights, NULL);
    if (moves)
        lattice_moving_things(l, random);
    l->start = lattice_point(random);
    l->goal_count = 1 + (tr_random_below(random, 3) == 0);
    for (uint32_t i = 0; i < 2; i++)
        l->goals[i] = lattice_point(random);
    l->heading = tr_random_below(random, 4);
    return tr_behavior_map_finish(l->map, NULL) == TR_OK;
}

static inline void lattice_drop(lattice *l) {
    tr_behavior_map_destroy(l->map);
    tr_behavior_destroy(l->behavior);
}

// --- The oracle ---

// Turns by quarters, exactly.
static inline void lattice_turn(uint32_t heading, double x, double z, double *to) {
    static const int sines[4] = {0, 1, 0, -1}, cosines[4] = {1, 0, -1, 0};
    to[0] = x * cosines[heading] + z * sines[heading];
    to[1] = z * cosines[heading] - x * sines[heading];
}

// Whether a move may be made: every disc is free from the frame of the disc before to that of the disc after.
static inline bool lattice_may(const lattice *l, const tr_behavior_state *state, const double at[2],
                               uint32_t heading, uint32_t frame) {
    const tr_behavior_move *move = &state->moves[0];
    double place[2];
    for (uint32_t i = 0; i < move->disc_count; i++) {
        const tr_behavior_disc *disc = &move->discs[i];
        uint32_t from = i > 0 ? disc[-1].frame : 0,
                 to = i + 1 < move->disc_count ? disc[1].frame : move->frames;
        lattice_turn(heading, (double)disc->x, (double)disc->z, place);
        tr_vec2 p = tr_vec2_make((float)(at[0] + place[0]), (float)(at[1] + place[1]));
        if (!tr_behavior_map_is_free_during(l->map, disc->band, p, frame + from, frame + to))
            return false;
    }
    if (state->serves == 0)
        return true;
    uint32_t action = move->frames / 2, at_action = 0; // the last disc that is not later
    for (uint32_t i = 0; i < move->disc_count; i++)
        at_action = move->discs[i].frame <= action ? i : at_action;
    lattice_turn(heading, (double)move->discs[at_action].x, (double)move->discs[at_action].z, place);
    return tr_behavior_map_is_within(l->map, state->serves,
                                     tr_vec2_make((float)(at[0] + place[0]), (float)(at[1] + place[1])),
                                     frame + action);
}

static inline double lattice_cost(const lattice *l, const tr_behavior_state *state, const double from[2],
                                  const double to[2]) {
    const tr_behavior_move *move = &state->moves[0];
    double way = sqrt((double)move->x * (double)move->x + (double)move->z * (double)move->z);
    double least = (double)0.1f * move->frames / 30;
    double rise = (double)tr_behavior_map_height(l->map, tr_vec2_make((float)to[0], (float)to[1])) -
                  (double)tr_behavior_map_height(l->map, tr_vec2_make((float)from[0], (float)from[1]));
    return (double)state->weight * (way > least ? way : least) +
           (rise > 0 ? rise * (double)l->def.up : -rise * (double)l->def.down);
}

// Costs of all places: [tick][leg][label][heading][z][x]. In a world that does not move there is one tick,
// and it is repeated until nothing changes.
typedef double lattice_costs[LAYERS + 4][2][2][4][SIDE][SIDE];

// Goals that are passed on the straight line from one place to another.
static inline uint32_t lattice_leg(const lattice *l, const double from[2], const double to[2], uint32_t leg) {
    for (; leg + 1 < l->goal_count; leg++) {
        double x = (double)l->goals[leg].x - from[0], z = (double)l->goals[leg].z - from[1];
        double wx = to[0] - from[0], wz = to[1] - from[1], length = sqrt(wx * wx + wz * wz), off, along = 0;
        if (length > 0) // in the axes of the way
            along = (x * wx + z * wz) / length;
        off = along < 0 ? 0 : along > length ? length : along;
        x -= length > 0 ? wx / length * off : 0;
        z -= length > 0 ? wz / length * off : 0;
        if (sqrt(x * x + z * z) > 0.25)
            break;
    }
    return leg;
}

static inline bool lattice_relax(const lattice *l, lattice_costs costs, uint32_t tick, uint32_t leg,
                                 uint32_t place) {
    uint32_t x = place % SIDE, z = place / SIDE % SIDE, heading = place / SIDE / SIDE % 4,
             label = place / SIDE / SIDE / 4;
    double here = costs[tick][leg][label][heading][z][x];
    const double at[2] = {x + OFF, z + OFF};
    bool changed = false;
    for (uint32_t i = 0; i < l->def.state_count && here < (double)INFINITY; i++) {
        const tr_behavior_state *state = &tr_behavior_def_of(l->behavior)->states[i];
        double way[2], to[2];
        lattice_turn(heading, (double)state->moves[0].x, (double)state->moves[0].z, way);
        to[0] = at[0] + way[0];
        to[1] = at[1] + way[1];
        uint32_t then = l->moves_at_all ? tick + state->moves[0].frames / TICK : 0;
        if (state->begin != label || to[0] < 0 || to[1] < 0 || to[0] > SIDE || to[1] > SIDE || then > LAYERS)
            continue;
        uint32_t facing = (heading + 4 + (uint32_t)lrintf(state->moves[0].turn / 1.57f)) % 4;
        double *best = &costs[then][lattice_leg(l, at, to, leg)][state->end][facing][(int)to[1]][(int)to[0]];
        double cost = here + lattice_cost(l, state, at, to);
        if (cost >= *best - 1e-9 || !lattice_may(l, state, at, heading, tick * TICK))
            continue;
        *best = cost;
        changed = true;
    }
    return changed;
}

// The least cost of a plan; INFINITY: there is none.
static inline double lattice_least(const lattice *l) {
    static lattice_costs costs;
    double *all = &costs[0][0][0][0][0][0], least = (double)INFINITY;
    for (size_t i = 0; i < sizeof costs / sizeof *all; i++)
        all[i] = (double)INFINITY;
    const double at[2] = {(double)l->start.x, (double)l->start.z};
    if (!tr_behavior_map_is_free(l->map, 0, l->start, 0))
        return least;
    costs[0][lattice_leg(l, at, at, 0)][0][l->heading][(int)at[1]][(int)at[0]] = 0;
    uint32_t places = 2 * 4 * SIDE * SIDE, layers = l->moves_at_all ? LAYERS : 0;
    for (uint32_t tick = 0; tick <= layers; tick++)
        for (bool changed = true; changed;) {
            changed = false;
            for (uint32_t i = 0; i < places * l->goal_count; i++)
                changed = lattice_relax(l, costs, tick, i / places, i % places) || changed;
            changed = changed && !l->moves_at_all;
        }
    tr_vec2 goal = l->goals[l->goal_count - 1];
    for (uint32_t tick = 0; tick <= layers; tick++)
        for (uint32_t heading = 0; heading < 4; heading++) {
            double cost = costs[tick][l->goal_count - 1][0][heading][(int)goal.z][(int)goal.x];
            if (cost < least && tr_behavior_map_is_free_during(l->map, 0, goal, tick * TICK, UINT32_MAX))
                least = cost;
        }
    return least;
}
