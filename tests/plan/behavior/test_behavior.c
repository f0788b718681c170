#include "behavior_machine.h"
#include "test.h"

#include <math.h>
#include <string.h>

static tr_behavior *make(test_machine *machine) {
    tr_behavior *behavior = NULL;
    tr_error error;
    if (tr_behavior_create(&machine->def, &behavior, &error) != TR_OK)
        test_failed(__FILE__, __LINE__, "%s", error.message);
    return behavior;
}

TEST(a_machine_is_a_copy_with_successors_and_discs) {
    test_machine machine;
    machine_make(&machine);
    tr_behavior *behavior = make(&machine);
    REQUIRE(behavior);
    memset(&machine, 0x55, sizeof machine);
    const tr_behavior_def *def = tr_behavior_def_of(behavior);
    CHECK_TEXT(def->name, "person");
    CHECK_TEXT(def->labels[1], "jog");
    CHECK_TEXT(def->bands[2].name, "crawl");
    CHECK_INT(def->states[MACHINE_START].successor_count, 8); // all that begin with the jog
    CHECK_INT(def->states[MACHINE_END].successor_count, 1);
    CHECK_INT(def->states[MACHINE_END].successors[0], MACHINE_START);
    const tr_behavior_move *move = &def->states[MACHINE_STRAIGHT].moves[0];
    CHECK_TEXT(move->name, "straight");
    CHECK_INT(move->disc_count, 9); // 0.8 s
    CHECK_INT(move->discs[8].frame, 24);
    CHECK_NEAR(move->discs[4].z, 1, 1e-6);
    CHECK_INT(def->states[MACHINE_JUMP].moves[0].discs[4].band, 1);
    tr_behavior_destroy(behavior);
}

TEST(a_move_costs_its_weight_times_the_average_distance_of_its_state) {
    test_machine machine;
    machine_make(&machine);
    tr_behavior_move clips[3] = {machine_move("a", 0, 2, 0, 24), machine_move("b", 0, 2.3f, 0, 24),
                                 machine_move("c", 0, 2.6f, 0, 24)};
    machine.states[MACHINE_STRAIGHT].moves = clips;
    machine.states[MACHINE_STRAIGHT].move_count = 3;
    machine.states[MACHINE_STRAIGHT].weight = 2;
    machine.moves[MACHINE_WAIT].z = 0; // waits in place: counts as 0.1 m a second
    tr_behavior *behavior = make(&machine);
    REQUIRE(behavior);
    CHECK_NEAR(tr_behavior_cost(behavior, MACHINE_STRAIGHT, 0), 4.6, 1e-6);
    CHECK_NEAR(tr_behavior_cost(behavior, MACHINE_WAIT, 0), 5 * 0.1 * 1.5, 1e-6);
    CHECK_INT(tr_behavior_set_weight(behavior, MACHINE_STRAIGHT, 3, NULL), TR_OK);
    CHECK_NEAR(tr_behavior_cost(behavior, MACHINE_STRAIGHT, 0), 6.9, 1e-6);
    CHECK_NEAR(tr_behavior_cost(behavior, 99, 0), 0, 0);
    tr_error error;
    CHECK_INT(tr_behavior_set_weight(behavior, MACHINE_STRAIGHT, NAN, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "state 'straight' has weight nan");
    CHECK_INT(tr_behavior_set_weight(behavior, 9, 1, &error), TR_INVALID);
    tr_behavior_destroy(behavior);
}

TEST(a_parametrised_state_interpolates_between_its_moves) {
    test_machine machine;
    machine_make(&machine);
    tr_behavior_disc discs[3][2];
    tr_behavior_move turns[3];
    for (int i = 0; i < 3; i++) {
        turns[i] =
            machine_move("turn", 0.4f * (float)i, 2 - 0.2f * (float)i, 0.5f * (float)i, 20 + 4 * (uint32_t)i);
        turns[i].parameter = (float)(10 * i);
        turns[i].discs = discs[i];
        turns[i].disc_count = 2;
        for (int k = 0; k < 2; k++)
            discs[i][k] = (tr_behavior_disc){turns[i].x * (float)k, turns[i].z * (float)k,
                                             (uint16_t)(turns[i].frames * (uint32_t)k), 0};
    }
    machine.states[MACHINE_LEFT].moves = turns;
    machine.states[MACHINE_LEFT].move_count = 3;
    machine.states[MACHINE_LEFT].parametrised = true;
    tr_behavior *behavior = make(&machine);
    REQUIRE(behavior);
    tr_behavior_move move;
    tr_behavior_disc own[2];
    for (int i = 0; i <= 40; i++) {
        float parameter = (float)i / 2;
        CHECK_INT(tr_behavior_interpolate(behavior, MACHINE_LEFT, parameter, &move, own), TR_OK);
        CHECK_NEAR(move.x, 0.04 * (double)parameter, 1e-5);
        CHECK_NEAR(move.turn, 0.05 * (double)parameter, 1e-5);
        CHECK_NEAR(move.frames, 20 + 0.4 * (double)parameter, 0.51);
        CHECK_NEAR(own[1].x, move.x, 1e-5);
        CHECK_INT(own[1].frame, move.frames);
        double way = sqrt((double)(move.x * move.x) + (double)(move.z * move.z));
        CHECK_NEAR(tr_behavior_cost(behavior, MACHINE_LEFT, parameter), (double)1.1f * way, 1e-5);
    }
    CHECK_INT(tr_behavior_interpolate(behavior, MACHINE_LEFT, 20.1f, &move, own), TR_INVALID);
    CHECK_INT(tr_behavior_interpolate(behavior, MACHINE_LEFT, NAN, &move, NULL), TR_INVALID);
    CHECK_INT(tr_behavior_interpolate(behavior, MACHINE_RIGHT, 1, &move, NULL), TR_INVALID);
    CHECK_INT(tr_behavior_interpolate(behavior, 77, 1, &move, NULL), TR_INVALID);
    tr_behavior_destroy(behavior);
}

typedef void machine_change(test_machine *m);

static void check_refused(machine_change *change, const char *sentence) {
    test_machine machine;
    machine_make(&machine);
    change(&machine);
    tr_behavior *behavior = NULL;
    tr_error error = {0};
    CHECK_INT(tr_behavior_create(&machine.def, &behavior, &error), TR_INVALID);
    CHECK(behavior == NULL);
    CHECK_CONTAINS(error.message, sentence);
}

static void no_rest(test_machine *m) {
    m->states[MACHINE_END].end = MACHINE_JOG;
}
static void no_start(test_machine *m) {
    m->states[MACHINE_START].begin = MACHINE_JOG;
}
static void lonely(test_machine *m) {
    static const uint32_t all[] = {1, 2, 3, 4, 5, 6};
    for (uint32_t i = 0; i < MACHINE_STATES; i++)
        if (m->states[i].end == MACHINE_JOG && i != MACHINE_JUMP)
            m->states[i].successors = all, m->states[i].successor_count = 6;
    m->states[MACHINE_CRAWL].serves = 0;
}
static void dead_end(test_machine *m) {
    static const uint32_t itself[] = {MACHINE_WAIT};
    m->states[MACHINE_WAIT].successors = itself;
    m->states[MACHINE_WAIT].successor_count = 1;
}
static void wrong_label(test_machine *m) {
    static const uint32_t next[] = {MACHINE_START};
    m->states[MACHINE_WAIT].successors = next;
    m->states[MACHINE_WAIT].successor_count = 1;
}
static void zero_weight(test_machine *m) {
    m->states[MACHINE_LEFT].weight = 0;
}
static void negative_weight(test_machine *m) {
    m->states[MACHINE_LEFT].weight = -1;
}
static void no_weight(test_machine *m) {
    m->states[MACHINE_LEFT].weight = NAN;
}
static void endless_weight(test_machine *m) {
    m->states[MACHINE_LEFT].weight = INFINITY;
}
static void no_time(test_machine *m) {
    m->moves[MACHINE_JUMP].frames = 0;
}
static void late_action(test_machine *m) {
    m->moves[MACHINE_JUMP].action = 41;
}
static void no_place(test_machine *m) {
    m->moves[MACHINE_LEFT].x = NAN;
}
static void no_turn(test_machine *m) {
    m->moves[MACHINE_LEFT].turn = INFINITY;
}
static void no_band(test_machine *m) {
    m->states[MACHINE_JUMP].serves = 3;
}
static void disc_band(test_machine *m) {
    m->jump[4].band = 7;
}
static void disc_late(test_machine *m) {
    m->jump[8].frame = 41;
}
static void disc_back(test_machine *m) {
    m->jump[3].frame = 9;
}
static void flat_band(test_machine *m) {
    m->bands[2].high = 0;
}
static void no_radius(test_machine *m) {
    m->def.radius = 0;
}
static void no_rate(test_machine *m) {
    m->def.frames_per_second = NAN;
}
static void no_moves(test_machine *m) {
    m->states[MACHINE_LEFT].move_count = 0;
}
static void one_parameter(test_machine *m) {
    m->states[MACHINE_LEFT].parametrised = true;
}
static void no_states(test_machine *m) {
    m->def.state_count = 0;
}
static void bad_label(test_machine *m) {
    m->states[MACHINE_LEFT].end = 2;
}
static void same_parameter(test_machine *m) {
    m->states[MACHINE_STRAIGHT].moves = &m->moves[MACHINE_STRAIGHT];
    m->states[MACHINE_STRAIGHT].move_count = 2;
    m->states[MACHINE_STRAIGHT].parametrised = true;
}

TEST(bad_machines_get_a_sentence) {
    static const struct {
        machine_change *change;
        const char *sentence;
    } cases[] = {
        {no_rest, "no state ends with label 'stand'"},
        {no_start, "no state begins with label 'stand'"},
        {lonely, "state 7 'jump' cannot be reached from rest"},
        {dead_end, "state 5 'wait' cannot get back to rest"},
        {wrong_label, "state 'wait' ends with label 'jog', its successor 'start' begins with another"},
        {zero_weight, "state 'left' has weight 0, it must be above 0"},
        {negative_weight, "state 'left' has weight -1"},
        {no_weight, "state 'left' has weight nan"},
        {endless_weight, "state 'left' has weight inf"},
        {no_time, "move 0 'jump' takes 0 frames"},
        {late_action, "its action is at frame 41 of 40"},
        {no_place, "move 0 'left' goes (nan, 1.6)"},
        {no_turn, "turns by inf"},
        {no_band, "state 'jump' serves band 3, there are 3 bands"},
        {disc_band, "disc 4 at (0, 1.6), frame 20, band 7: there is no such band"},
        {disc_late, "after the end of the move"},
        {disc_back, "before that of the disc before"},
        {flat_band, "band 2 'crawl' is from 0 to 0 m"},
        {no_radius, "the radius is 0 m"},
        {no_rate, "frames_per_second is nan"},
        {no_moves, "state 2 'left' has no moves"},
        {one_parameter, "is parametrised and has one move"},
        {same_parameter, "parameters must rise"},
        {no_states, "a machine has 0 states"},
        {bad_label, "goes from label 1 to label 2, there are 2 labels"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_refused(cases[i].change, cases[i].sentence);
}

static bool make_one(const tr_allocator *allocator) {
    test_machine machine;
    machine_make(&machine);
    machine.def.allocator = allocator;
    tr_behavior *behavior = NULL;
    tr_status status = tr_behavior_create(&machine.def, &behavior, NULL);
    tr_behavior_destroy(behavior);
    return status == TR_OK;
}

TEST(no_memory_is_a_status) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(make_one) > 8);
    tr_behavior_destroy(NULL);
}
