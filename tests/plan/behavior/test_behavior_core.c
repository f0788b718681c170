// Machines with a core: characters keep apart with it, and keep off everything else with their discs.
#include "behavior_machine.h"
#include "test.h"
#include "troupe/base/random.h"
#include "troupe/base/scalar.h"
#include "troupe/plan/behavior_crowd.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CORE 0.2f
#define WIDE 0.35f // of the two discs of a body, and how far they are to its sides [m]
#define SLOT 4     // frames
#define SIDE 16.0f // of the room [m]
#define CELL 0.1f
#define PEOPLE 14
#define DISCS 64

// Moves go straight from their beginning to their end, with two discs side by side.
typedef struct core_machine {
    test_machine plain;
    tr_behavior_move moves[MACHINE_STATES];
    tr_behavior_disc discs[MACHINE_STATES][DISCS], cores[MACHINE_STATES][DISCS];
} core_machine;

static void make_core(core_machine *m) {
    machine_make(&m->plain);
    for (uint32_t i = 0; i < MACHINE_STATES; i++) {
        tr_behavior_move *move = &m->moves[i];
        *move = m->plain.moves[i];
        move->disc_count = move->core_count = 0;
        move->discs = m->discs[i];
        move->core = m->cores[i];
        for (uint32_t frame = 0; frame < move->frames; frame += SLOT) {
            float t = ((float)frame + 0.5f * SLOT) / (float)move->frames, x = move->x * t, z = move->z * t;
            for (int side = -1; side <= 1; side += 2)
                m->discs[i][move->disc_count++] =
                    (tr_behavior_disc){x + WIDE * (float)side, z, (uint16_t)frame, 0};
            m->cores[i][move->core_count++] = (tr_behavior_disc){x, z, (uint16_t)frame, 0};
        }
        m->plain.states[i].moves = move;
        m->plain.states[i].serves = 0;
    }
    m->plain.def.radius = WIDE;
    m->plain.def.core = CORE;
    m->plain.def.discs_hold = true;
}

typedef struct core_room {
    core_machine machine;
    tr_behavior *behavior;
    tr_behavior_map *map, *walls;
    tr_behavior_crowd *crowd;
    tr_behavior_person people[PEOPLE];
    tr_vec2 goals[PEOPLE];
} core_room;

static bool open_room(core_room *r) {
    uint32_t cells = (uint32_t)(SIDE / CELL);
    tr_behavior_map_def def = {.grid = {{0, 0}, CELL, cells, cells}};
    tr_behavior_crowd_def crowd = {0};
    tr_bitmap block = {0};
    memset(r, 0, sizeof *r);
    make_core(&r->machine);
    bool good = tr_behavior_create(&r->machine.plain.def, &r->behavior, NULL) == TR_OK;
    def.behavior = r->behavior;
    good = good && tr_behavior_map_create(&def, &r->map, NULL) == TR_OK &&
           tr_behavior_map_create(&def, &r->walls, NULL) == TR_OK &&
           tr_behavior_crowd_create(&crowd, &r->crowd, NULL) == TR_OK &&
           tr_bitmap_create(NULL, cells, cells, &block) == TR_OK;
    for (uint32_t i = 0; i < 100 && good; i++) // a pillar in the middle
        tr_bitmap_set(&block, cells / 2 - 5 + i % 10, cells / 2 - 5 + i / 10);
    good = good && tr_behavior_map_set(r->map, 0, &block, NULL) == TR_OK &&
           tr_behavior_map_set(r->walls, 0, &block, NULL) == TR_OK;
    if (block.words)
        tr_bitmap_destroy(NULL, &block);
    CHECK(good);
    return good;
}

static void close_room(core_room *r) {
    tr_behavior_crowd_destroy(r->crowd);
    tr_behavior_map_destroy(r->map);
    tr_behavior_map_destroy(r->walls);
    tr_behavior_destroy(r->behavior);
}

// Across a circle, all at once.
static void add_people(core_room *r, uint64_t seed) {
    tr_random random = tr_random_seed(seed);
    for (uint32_t i = 0; i < PEOPLE; i++) {
        float jitter = tr_random_between(&random, -0.1f, 0.1f);
        double angle = 2 * TR_PI * i / PEOPLE + (double)jitter, sine, cosine;
        tr_sin_cos(angle, &sine, &cosine);
        r->goals[i] = (tr_vec2){SIDE / 2 - 5.5f * (float)sine, SIDE / 2 - 5.5f * (float)cosine};
        tr_behavior_query query = tr_behavior_query_default();
        query.start = (tr_vec2){SIDE / 2 + 6 * (float)sine, SIDE / 2 + 6 * (float)cosine};
        query.heading = (float)(angle + TR_PI);
        query.goals = &r->goals[i];
        query.goal_count = 1;
        query.inflation = 1.5f;
        query.heuristic = TR_BEHAVIOR_FIELD;
        query.seed = seed;
        r->people[i].query = query;
    }
}

// Where the root of somebody is.
static void root_at(const core_room *r, uint32_t person, double frame, double at[2]) {
    const tr_behavior_def *def = tr_behavior_def_of(r->behavior);
    tr_behavior_crowd_view view;
    CHECK(tr_behavior_crowd_look(r->crowd, person, &view));
    at[0] = (double)r->people[person].query.start.x;
    at[1] = (double)r->people[person].query.start.z;
    for (uint32_t i = 0; i < view.plan->action_count && view.plan->actions[i].frame <= frame; i++) {
        const tr_behavior_action *action = &view.plan->actions[i];
        const tr_behavior_move *move = &def->states[action->state].moves[action->move];
        double t = fmin((frame - action->frame) / move->frames, 1), sine, cosine;
        tr_sin_cos((double)action->heading, &sine, &cosine);
        at[0] = (double)action->position.x + t * ((double)move->x * cosine + (double)move->z * sine);
        at[1] = (double)action->position.z + t * ((double)move->z * cosine - (double)move->x * sine);
    }
}

static double least_distance(const core_room *r) {
    double least = (double)INFINITY, at[PEOPLE][2];
    for (double frame = 0; frame < 900; frame += 0.5) {
        for (uint32_t i = 0; i < PEOPLE; i++)
            root_at(r, i, frame, at[i]);
        for (uint32_t i = 0; i < PEOPLE; i++)
            for (uint32_t k = 0; k < i; k++)
                least = fmin(least, hypot(at[i][0] - at[k][0], at[i][1] - at[k][1]));
    }
    return least;
}

// All discs of all plans, on a map without people.
static void check_walls(const core_room *r) {
    const tr_behavior_def *def = tr_behavior_def_of(r->behavior);
    tr_behavior_crowd_view view;
    for (uint32_t i = 0; tr_behavior_crowd_look(r->crowd, i, &view); i++)
        for (uint32_t k = 0; k < view.plan->action_count; k++) {
            const tr_behavior_action *action = &view.plan->actions[k];
            const tr_behavior_move *move = &def->states[action->state].moves[action->move];
            double sine, cosine;
            tr_sin_cos((double)action->heading, &sine, &cosine);
            for (uint32_t d = 0; d < move->disc_count; d++) {
                float x = move->discs[d].x, z = move->discs[d].z;
                tr_vec2 at = {action->position.x + x * (float)cosine + z * (float)sine,
                              action->position.z + z * (float)cosine - x * (float)sine};
                CHECK(tr_behavior_map_is_free(r->walls, 0, at, 0));
            }
        }
}

TEST(cores_keep_apart_and_discs_keep_off_walls) {
    static core_room r;
    double least = (double)INFINITY;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        if (!open_room(&r))
            return;
        add_people(&r, seed);
        tr_status status = tr_behavior_crowd_find(r.crowd, r.map, r.people, PEOPLE, NULL, NULL);
        CHECK(status == TR_OK || status == TR_PARTIAL);
        double seen = least_distance(&r);
        // A disc stands in the middle of what its slot moves, at most 0.17 m.
        CHECK(seen >= 2 * (double)CORE - 0.17);
        least = fmin(least, seen);
        check_walls(&r);
        close_room(&r);
    }
    CHECK(least < 2 * (double)WIDE); // nearer than with the discs
}

static void check_refused(const core_machine *m, const char *sentence) {
    tr_behavior *behavior = NULL;
    tr_error error = {0};
    CHECK_INT(tr_behavior_create(&m->plain.def, &behavior, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, sentence);
}

TEST(bad_cores_get_a_sentence) {
    static core_machine m;
    make_core(&m);
    m.plain.def.core = -1;
    check_refused(&m, "the radius of the core is -1 m");
    make_core(&m);
    m.plain.def.discs_hold = false;
    check_refused(&m, "unless discs hold");
    make_core(&m);
    m.moves[MACHINE_LEFT].core_count = 0;
    check_refused(&m, "state 'left', move 'left', core discs: it has none");
    make_core(&m);
    m.cores[MACHINE_LEFT][0].frame = 1;
    check_refused(&m, "there is none at frame 0");
    make_core(&m);
    m.cores[MACHINE_LEFT][1].x = NAN;
    check_refused(&m, "a place is out of range");
    make_core(&m);
    m.cores[MACHINE_LEFT][2].frame = 1;
    check_refused(&m, "before that of the disc before");
}

TEST(a_map_for_larger_cores_suits_smaller_ones_only) {
    static core_room r;
    static core_machine larger;
    tr_behavior *behavior = NULL;
    tr_behavior_search *search = NULL;
    tr_behavior_action actions[64];
    tr_behavior_plan plan = {.actions = actions, .action_max = 64};
    tr_error error = {0};
    if (!open_room(&r))
        return;
    add_people(&r, 1);
    make_core(&larger);
    larger.plain.def.core = 0.3f;
    REQUIRE(tr_behavior_create(&larger.plain.def, &behavior, NULL) == TR_OK);
    REQUIRE(tr_behavior_search_create(NULL, 1u << 14, &search, NULL) == TR_OK);
    CHECK_INT(tr_behavior_find(search, behavior, r.map, &r.people[0].query, &plan, NULL, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "the map was made for another machine");
    CHECK_INT(tr_behavior_find(search, NULL, r.map, &r.people[0].query, &plan, NULL, NULL), TR_OK);
    tr_behavior_search_destroy(search);
    tr_behavior_destroy(behavior);
    close_room(&r);
}

static bool make_one(const tr_allocator *allocator) {
    static core_machine machine;
    make_core(&machine);
    machine.plain.def.allocator = allocator;
    tr_behavior *behavior = NULL;
    tr_status status = tr_behavior_create(&machine.plain.def, &behavior, NULL);
    tr_behavior_destroy(behavior);
    return status == TR_OK;
}

TEST(no_memory_for_cores_is_a_status) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(make_one) > 10);
}
