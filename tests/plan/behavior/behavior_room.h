// Rooms for a person of behavior_machine.h, and a judge of plans that shares no code with the planner.
#pragma once
#include "behavior_machine.h"
#include "test.h"
#include "troupe/base/scalar.h"
#include "troupe/plan/behavior_search.h"

#include <math.h>
#include <string.h>

#define ROOM_CELL 0.25f
#define ROOM_ACTIONS 400
#define ROOM_SPOTS 6000

typedef struct room {
    test_machine machine;
    tr_behavior *behavior;
    tr_behavior_map *map;
    tr_behavior_search *search;
    tr_bitmap walls[3];
    tr_behavior_action actions[ROOM_ACTIONS];
    tr_behavior_plan plan;
    tr_behavior_result result;
    tr_error error;
    tr_behavior_spot spots[ROOM_SPOTS];
    uint32_t spot_count;
} room;

// A box of obstacles in some bands, as bits [m].
static inline void room_box(room *r, uint32_t bands, float x0, float z0, float x1, float z1) {
    for (uint32_t band = 0; band < 3; band++)
        for (uint32_t row = (uint32_t)(z0 / ROOM_CELL); (bands >> band & 1) && (float)row * ROOM_CELL < z1;
             row++)
            for (uint32_t column = (uint32_t)(x0 / ROOM_CELL); (float)column * ROOM_CELL < x1; column++)
                if (row < r->walls[band].rows && column < r->walls[band].columns)
                    tr_bitmap_set(&r->walls[band], column, row);
}

static inline bool room_walls(room *r) {
    bool set = true;
    for (uint32_t band = 0; band < 3; band++)
        set = set && tr_behavior_map_set(r->map, band, &r->walls[band], NULL) == TR_OK;
    return set;
}

// The machine may be changed between room_begin and room_open.
static inline void room_begin(room *r) {
    memset(r, 0, sizeof *r);
    machine_make(&r->machine);
    r->plan.actions = r->actions;
    r->plan.action_max = ROOM_ACTIONS;
}

static inline bool room_open(room *r, const tr_allocator *allocator, float width, float depth) {
    r->machine.def.allocator = allocator;
    tr_behavior_map_def def = {
        .allocator = allocator,
        .grid = {{0, 0}, ROOM_CELL, (uint32_t)(width / ROOM_CELL), (uint32_t)(depth / ROOM_CELL)}};
    bool made = tr_behavior_create(&r->machine.def, &r->behavior, &r->error) == TR_OK;
    def.behavior = r->behavior;
    made = made && tr_behavior_map_create(&def, &r->map, &r->error) == TR_OK;
    made = made && tr_behavior_search_create(allocator, 1u << 17, &r->search, &r->error) == TR_OK;
    for (uint32_t band = 0; band < 3 && made; band++)
        made = tr_bitmap_create(allocator, def.grid.columns, def.grid.rows, &r->walls[band]) == TR_OK;
    return made;
}

static inline void room_close(room *r) {
    tr_allocator memory = tr_allocator_or_default(r->machine.def.allocator);
    for (uint32_t band = 0; band < 3; band++)
        tr_bitmap_destroy(&memory, &r->walls[band]);
    tr_behavior_search_destroy(r->search);
    tr_behavior_map_destroy(r->map);
    tr_behavior_destroy(r->behavior);
}

static inline tr_behavior_query room_query(tr_vec2 start, const tr_vec2 *goal) {
    tr_behavior_query query = tr_behavior_query_default();
    query.start = start;
    query.goals = goal;
    query.goal_count = 1;
    return query;
}

static inline tr_status room_find(room *r, const tr_behavior_query *query) {
    return tr_behavior_find(r->search, NULL, r->map, query, &r->plan, &r->result, &r->error);
}

// Checks a plan from beginning to end, in doubles: labels, places and times fit, the discs are free, a
// special motion is executed where it serves, and the last goal is reached at rest.
static inline void room_check(room *r, const tr_behavior_query *query) {
    const tr_behavior_def *def = tr_behavior_def_of(r->behavior);
    double x = (double)query->start.x, z = (double)query->start.z, heading = (double)query->heading, sine,
           cosine;
    uint32_t label = def->rest, frame = query->frame;
    for (uint32_t i = 0; i < r->plan.action_count; i++) {
        const tr_behavior_action *action = &r->plan.actions[i];
        const tr_behavior_state *state = &def->states[action->state];
        tr_behavior_move move = state->moves[action->move];
        tr_behavior_disc discs[64];
        if (state->parametrised)
            CHECK_INT(tr_behavior_interpolate(r->behavior, action->state, action->parameter, &move, discs),
                      TR_OK);
        tr_sin_cos(heading, &sine, &cosine);
        CHECK_INT(state->begin, label);
        CHECK_INT(action->frame, frame);
        CHECK_NEAR(action->position.x, x, 1e-3);
        CHECK_NEAR(action->position.z, z, 1e-3);
        CHECK_NEAR(sin((double)action->heading), sine, 1e-4);
        uint32_t act = move.action == TR_NONE ? move.frames / 2 : move.action, at_act = 0;
        for (uint32_t k = 0; k < move.disc_count; k++) {
            const tr_behavior_disc *disc = &move.discs[k];
            tr_vec2 p = {(float)(x + (double)disc->x * cosine + (double)disc->z * sine),
                         (float)(z + (double)disc->z * cosine - (double)disc->x * sine)};
            CHECK(tr_behavior_map_is_free(r->map, disc->band, p, frame + disc->frame));
            at_act = disc->frame <= act ? k : at_act;
            if (state->serves && k == at_act && (k + 1 == move.disc_count || move.discs[k + 1].frame > act))
                CHECK(tr_behavior_map_is_within(r->map, state->serves, p, frame + act));
        }
        x += (double)move.x * cosine + (double)move.z * sine;
        z += (double)move.z * cosine - (double)move.x * sine;
        heading += (double)move.turn;
        frame += move.frames;
        label = state->end;
    }
    tr_vec2 goal = query->goals[query->goal_count - 1];
    CHECK_INT(label, def->rest);
    CHECK(sqrt((x - (double)goal.x) * (x - (double)goal.x) + (z - (double)goal.z) * (z - (double)goal.z)) <=
          (double)query->tolerance + 1e-3);
    CHECK_NEAR(r->plan.end.x, x, 1e-3);
    CHECK_NEAR(r->plan.end.z, z, 1e-3);
    CHECK_INT(r->plan.end_frame, frame);
}

static inline bool room_commit(room *r, uint32_t body) {
    return tr_behavior_plan_spots(r->behavior, &r->plan, r->spots, ROOM_SPOTS, &r->spot_count) == TR_OK &&
           tr_behavior_map_commit(r->map, body, r->spots, r->spot_count, r->machine.def.radius, &r->error) ==
               TR_OK;
}

static inline uint32_t room_uses(const room *r, uint32_t state) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->plan.action_count; i++)
        count += r->plan.actions[i].state == state;
    return count;
}
