#include "test.h"
#include "troupe/base/random.h"
#include "troupe/base/scalar.h"
#include "stage/actor/actor.h"

#include <math.h>
#include <string.h>

#define CASES 3000
#define GO_MAX 60 // ticks that a case goes before it stops
#define STOP_MAX 400
#define STAY 40 // ticks after which it must still be where it came to rest

// One actor that lives through all cases, and a ghost of it.
typedef struct theatre {
    tr_character *character;
    tr_actor *actor;
    tr_actor_scratch scratch;
    tr_actor_ghost *ghost;
    tr_random random;
} theatre;

static bool begin(theatre *t, float dt, uint64_t seed) {
    memset(t, 0, sizeof *t);
    tr_error error = {0};
    tr_character_def kind = {.detail = 1};
    bool good = tr_character_create(&kind, &t->character, &error) == TR_OK;
    tr_actor_def def = {.character = t->character, .position = {3, -2}, .heading = 1, .dt = dt};
    good = good && tr_actor_create(&def, &t->actor, &error) == TR_OK &&
           tr_actor_scratch_create(NULL, tr_skeleton_joint_count(t->character->skeleton), &t->scratch,
                                   &error) == TR_OK &&
           tr_actor_ghost_create(NULL, 0, &t->ghost, &error) == TR_OK;
    t->random = tr_random_seed(seed);
    if (!good)
        test_failed(__FILE__, __LINE__, "%s", error.message);
    return good;
}

static void end(theatre *t) {
    tr_actor_ghost_destroy(t->ghost);
    tr_actor_scratch_destroy(&t->scratch);
    tr_actor_destroy(t->actor);
    tr_character_destroy(t->character);
}

// The task of an actor in one case.
typedef struct task {
    enum { GO_ON, ROUTE, FOOTSTEPS, RIDE } kind;
    tr_vec2 points[8];
    uint8_t passage[8];
    uint32_t count;
    bool has_passage, has_heading;
    float heading, speed;
    tr_footstep footsteps[16];
    tr_vec3 to;
    float seconds;
} task;

static void make_route(theatre *t, task *told) {
    tr_random *random = &t->random;
    told->kind = ROUTE;
    told->count = 1 + tr_random_below(random, 7);
    told->points[0] = tr_actor_look(t->actor).state.position;
    told->has_passage = tr_random_below(random, 4) == 0;
    told->has_heading = tr_random_below(random, 2) == 0;
    told->heading = tr_random_between(random, -4, 4);
    told->speed = tr_random_below(random, 3) ? tr_random_between(random, 0.5f, 3.5f) : 0;
    float size = tr_random_below(random, 3) ? 2 : 0.2f; // some are done within the case
    for (uint32_t i = 1; i < told->count; i++) {
        told->points[i].x = told->points[i - 1].x + tr_random_between(random, -size, size);
        told->points[i].z = told->points[i - 1].z + tr_random_between(random, -size, size);
        told->passage[i - 1] = (uint8_t)tr_random_below(random, 3);
    }
}

// Footsteps up or down from where the feet are, straight on or round a bend, as on stairs.
static void make_footsteps(theatre *t, task *told) {
    tr_random *random = &t->random;
    tr_footstep feet[2];
    uint32_t side = tr_actor_feet(t->actor, feet, NULL);
    tr_follow_state state = tr_actor_look(t->actor).state;
    float heading = state.heading, turn = tr_random_between(random, -0.2f, 0.2f);
    float rise = tr_random_between(random, -0.18f, 0.18f), stride = tr_random_between(random, 0.2f, 0.6f);
    float x = state.position.x, y = 0.5f * (feet[0].position.y + feet[1].position.y), z = state.position.z;
    told->kind = FOOTSTEPS;
    told->count = 1 + tr_random_below(random, 12);
    side = side < 2 ? side : tr_random_below(random, 2);
    for (uint32_t i = 0; i < told->count; i++, side = 1 - side) {
        double s, c;
        heading += turn;
        tr_sin_cos((double)heading, &s, &c);
        x += stride * (float)s, y += rise, z += stride * (float)c;
        float out = side ? -0.09f : 0.09f;
        told->footsteps[i] = (tr_footstep){.side = side,
                                           .position = {x + out * (float)c, y, z - out * (float)s},
                                           .heading = heading,
                                           .support = 1};
    }
}

static void make_ride(theatre *t, task *told) {
    tr_follow_state state = tr_actor_look(t->actor).state;
    told->kind = RIDE;
    told->to = tr_vec3_make(state.position.x, tr_random_between(&t->random, -3, 3), state.position.z);
    told->seconds = tr_random_between(&t->random, 0.1f, 3);
}

static tr_status tell_ghost(theatre *t, const task *told) {
    if (told->kind == ROUTE)
        return tr_actor_ghost_set_route(t->ghost, told->points, told->count,
                                        told->has_passage ? told->passage : NULL,
                                        told->has_heading ? &told->heading : NULL, told->speed, NULL);
    if (told->kind == RIDE)
        return tr_actor_ghost_set_ride(t->ghost, told->to, told->seconds, NULL);
    return tr_actor_ghost_set_footsteps(t->ghost, told->footsteps, told->count, 0, NULL, NULL, NULL);
}

static tr_status tell_actor(theatre *t, const task *told) {
    if (told->kind == ROUTE)
        return tr_actor_set_route(t->actor, told->points, told->count,
                                  told->has_passage ? told->passage : NULL,
                                  told->has_heading ? &told->heading : NULL, told->speed, NULL);
    if (told->kind == RIDE)
        return tr_actor_set_ride(t->actor, told->to, told->seconds, NULL);
    return tr_actor_set_footsteps(t->actor, told->footsteps, told->count, 0, NULL, NULL, NULL);
}

static float random_limit(tr_random *random) {
    const float limits[] = {INFINITY, 2, 1, 0.6f, 0.3f, 0.05f, 0.04f, 0};
    return limits[tr_random_below(random, 8)];
}

static bool is_at(const tr_actor *actor, tr_vec3 position) {
    actor_look view = tr_actor_look(actor);
    tr_vec3 at = {view.state.position.x, view.ground, view.state.position.z};
    return memcmp(&at, &position, sizeof at) == 0;
}

// Where the ghost goes and stops, and then the actor with the same limits. Returns ticks that differ.
static uint32_t run_case(theatre *t, bool takes, uint32_t *rested, uint32_t *finished, uint32_t *rides) {
    tr_random *random = &t->random;
    task told = {.kind = GO_ON};
    uint32_t choice = tr_random_below(random, 8);
    bool carried = tr_actor_root(t->actor)->kind == TR_DRIVER_RIDE;
    if (choice < 4)
        make_route(t, &told);
    else if (choice < 6 && !carried)
        make_footsteps(t, &told);
    else if (choice == 6)
        make_ride(t, &told);
    tr_actor_ghost_begin(t->ghost, t->actor);
    if (told.kind == RIDE && tell_ghost(t, &told) != TR_OK) { // it does not stand
        tr_actor_ghost_begin(t->ghost, t->actor);
        CHECK_INT(tell_actor(t, &told), TR_INVALID);
        told.kind = GO_ON;
    } else if (told.kind != GO_ON)
        CHECK_INT(tell_ghost(t, &told), TR_OK);
    *rides += told.kind == RIDE;
    tr_vec3 positions[GO_MAX], stop[STOP_MAX];
    float limits[GO_MAX];
    uint32_t gone = 0, total = tr_random_below(random, GO_MAX + 1);
    while (gone < total) {
        uint32_t part = 1 + tr_random_below(random, total - gone);
        float limit = random_limit(random);
        for (uint32_t i = gone; i < gone + part; i++)
            limits[i] = limit;
        bool done;
        CHECK_INT(tr_actor_ghost_go(t->ghost, limit, part, positions + gone, &done), part);
        *finished += done;
        gone += part;
    }
    uint32_t after = tr_random_below(random, gone + 1);
    uint32_t stops = tr_actor_ghost_stop(t->ghost, after, stop, STOP_MAX);
    CHECK(stops <= STOP_MAX);
    if (told.kind != GO_ON)
        CHECK_INT(takes ? tr_actor_take(t->actor, t->ghost) : tell_actor(t, &told), TR_OK);
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < after; i++) {
        tr_actor_step(t->actor, &t->scratch, limits[i]);
        wrong += !is_at(t->actor, positions[i]);
        tr_follow_state state = tr_actor_ghost_state(t->ghost, i + 1), real = tr_actor_look(t->actor).state;
        wrong += memcmp(&state.heading, &real.heading, sizeof(float)) != 0;
    }
    actor_look view = tr_actor_look(t->actor);
    tr_vec3 last = {view.state.position.x, view.ground, view.state.position.z};
    uint32_t watched = tr_random_below(random, 3) ? stops : stops + STAY; // some get a new task on the way
    watched = tr_random_below(random, 3) ? watched : tr_random_below(random, stops + 1);
    for (uint32_t i = 0; i < watched; i++) {
        tr_actor_step(t->actor, &t->scratch, 0);
        last = i < stops ? stop[i] : last;
        wrong += !is_at(t->actor, last);
        *rested += i > stops;
    }
    return wrong;
}

TEST(an_actor_goes_bit_for_bit_where_its_ghost_went) {
    const float steps[] = {1.0f / 30, 1.0f / 60, 0.1f};
    for (uint32_t i = 0; i < 6; i++) {
        theatre t;
        if (begin(&t, steps[i % 3], 100 + i)) {
            uint32_t wrong = 0, rested = 0, finished = 0, rides = 0;
            for (uint32_t k = 0; k < CASES / 6 && wrong == 0; k++)
                wrong += run_case(&t, i % 2, &rested, &finished, &rides);
            CHECK_INT(wrong, 0);
            CHECK(rides > 5);
            CHECK(rested > 100);
            CHECK(finished > 5);
        }
        end(&t);
    }
}

// A stop in parts of one to seven ticks is the stop.
static void check_parts(tr_actor_ghost *ghost, const tr_vec3 *stop, uint32_t stops) {
    for (uint32_t part = 1; part <= 7; part++) {
        tr_vec3 braked[100];
        uint32_t count = 0;
        tr_actor_ghost_brake(ghost, 10);
        for (bool rests = false; !rests && count < 100;)
            count += tr_actor_ghost_brake_on(ghost, part, braked + count, 100 - count, &rests);
        CHECK_INT(count, stops);
        CHECK(memcmp(stop, braked, stops * sizeof *stop) == 0);
    }
}

TEST(a_ghost_changes_nothing_and_can_be_run_again) {
    theatre t, other;
    if (begin(&t, 0, 5) && begin(&other, 0, 5)) {
        const tr_vec2 way[] = {{3, -2}, {3, 2}, {5, 4}};
        tr_actor_set_route(t.actor, way, 3, NULL, NULL, 0, NULL);
        tr_actor_set_route(other.actor, way, 3, NULL, NULL, 0, NULL);
        for (uint32_t i = 0; i < 200; i++) {
            tr_vec3 once[20], again[20], stop[100], stop_again[100];
            tr_actor_ghost_begin(t.ghost, t.actor);
            tr_actor_ghost_go(t.ghost, 1, 20, once, NULL);
            uint32_t stops = tr_actor_ghost_stop(t.ghost, 10, stop, 100);
            tr_vec2 there[] = {way[0], {-4, -4}};
            tr_actor_ghost_set_route(t.ghost, there, 2, NULL, NULL, 2, NULL);
            tr_actor_ghost_go(t.ghost, 2, 20, again, NULL);
            tr_actor_ghost_begin(t.ghost, t.actor);
            tr_actor_ghost_go(t.ghost, 1, 10, again, NULL);
            tr_actor_ghost_go(t.ghost, 1, 10, again + 10, NULL);
            CHECK(memcmp(once, again, sizeof once) == 0);
            CHECK_INT(tr_actor_ghost_stop(t.ghost, 10, stop_again, 100), stops);
            CHECK(memcmp(stop, stop_again, stops * sizeof *stop) == 0);
            check_parts(t.ghost, stop, stops);
            tr_actor_step(t.actor, &t.scratch, INFINITY);
            tr_actor_step(other.actor, &other.scratch, INFINITY);
            actor_look a = tr_actor_look(t.actor), b = tr_actor_look(other.actor);
            CHECK(memcmp(&a.state, &b.state, sizeof a.state) == 0);
            CHECK(memcmp(a.model, b.model, a.pose->joint_count * sizeof *a.model) == 0);
        }
        end(&other);
    }
    end(&t);
}

// A ghost every few ticks, as for actors that plan again and again: each one knows what the last one walked.
// Every prediction for a tick must come true.
TEST(successive_ghosts_predict_the_same_motion_and_it_comes_true) {
    theatre t;
    if (begin(&t, 0, 8)) {
        enum { TICKS = 4000 };
        static tr_vec3 expected[TICKS + GO_MAX];
        static bool is_known[TICKS + GO_MAX];
        uint32_t wrong = 0, known = 0;
        float limit = 1;
        memset(is_known, 0, sizeof is_known);
        for (uint32_t tick = 0; tick < TICKS; tick++) {
            bool is_new = tr_random_below(&t.random, 120) == 0 || tick == 0;
            if (is_new || tr_random_below(&t.random, 40) == 0) { // nothing that was foretold holds
                memset(is_known, 0, sizeof is_known);
                limit = random_limit(&t.random);
            }
            if (is_new) {
                task told;
                make_route(&t, &told);
                CHECK_INT(tell_actor(&t, &told), TR_OK);
            }
            if (tr_random_below(&t.random, 4) == 0) {
                tr_vec3 positions[GO_MAX], stop[STOP_MAX];
                float other = random_limit(&t.random); // is tried as well, and changes nothing
                tr_actor_ghost_begin(t.ghost, t.actor);
                if (tr_random_below(&t.random, 2))
                    tr_actor_ghost_go(t.ghost, other, 20, NULL, NULL);
                tr_actor_ghost_begin(t.ghost, t.actor);
                uint32_t count = tr_actor_ghost_go(t.ghost, limit, GO_MAX, positions, NULL);
                tr_actor_ghost_stop(t.ghost, tr_random_below(&t.random, GO_MAX), stop, STOP_MAX);
                for (uint32_t i = 0; i < count; i++) {
                    wrong += is_known[tick + i] &&
                             memcmp(&expected[tick + i], &positions[i], sizeof positions[i]) != 0;
                    expected[tick + i] = positions[i];
                    is_known[tick + i] = true;
                }
            }
            tr_actor_step(t.actor, &t.scratch, limit);
            known += is_known[tick];
            wrong += is_known[tick] && !is_at(t.actor, expected[tick]);
        }
        CHECK_INT(wrong, 0);
        CHECK(known > TICKS / 2);
    }
    end(&t);
}

TEST(a_ghost_goes_no_further_than_its_number_of_ticks) {
    theatre t;
    if (begin(&t, 0, 6)) {
        const tr_vec2 way[] = {{3, -2}, {3, 60}};
        tr_vec3 positions[TR_ACTOR_GHOST_TICKS];
        bool done = true;
        tr_actor_ghost_begin(t.ghost, t.actor);
        CHECK_INT(tr_actor_ghost_set_route(t.ghost, way, 2, NULL, NULL, 0, NULL), TR_OK);
        CHECK_INT(tr_actor_ghost_go(t.ghost, INFINITY, 100, positions, &done), 100);
        CHECK(!done);
        CHECK_INT(tr_actor_ghost_go(t.ghost, INFINITY, 100, positions + 100, &done),
                  TR_ACTOR_GHOST_TICKS - 100);
        CHECK_INT(tr_actor_ghost_go(t.ghost, INFINITY, 1, NULL, &done), 0);
        CHECK(positions[TR_ACTOR_GHOST_TICKS - 1].z > positions[99].z + 0.5f);
        CHECK(tr_actor_ghost_state(t.ghost, 100).position.z == positions[99].z);
        tr_error error = {0};
        CHECK_INT(tr_actor_ghost_set_route(t.ghost, way, 0, NULL, NULL, 0, &error), TR_INVALID);
        CHECK_INT(tr_actor_ghost_set_footsteps(t.ghost, NULL, 0, 0, NULL, NULL, &error), TR_INVALID);
        tr_actor_ghost_go(t.ghost, INFINITY, 1, positions, &done);
        CHECK(done); // does the same as the actor: nothing
    }
    end(&t);
}

TEST(an_actor_without_memory_to_take_a_ghost_s_task_keeps_its_own) {
    theatre t;
    test_memory memory = {0};
    tr_allocator allocator = test_memory_allocator(&memory);
    if (begin(&t, 0, 7)) {
        tr_actor *actor = NULL;
        tr_actor_def def = {.allocator = &allocator, .character = t.character};
        CHECK_INT(tr_actor_create(&def, &actor, NULL), TR_OK);
        tr_vec2 way[32] = {{0, 0}, {0, 5}};
        CHECK_INT(tr_actor_set_route(actor, way, 2, NULL, NULL, 0, NULL), TR_OK);
        for (uint32_t i = 2; i < 32; i++)
            way[i] = (tr_vec2){(float)(i % 3), -(float)i};
        tr_vec3 before[30], after[30];
        tr_actor_ghost_begin(t.ghost, actor);
        tr_actor_ghost_go(t.ghost, INFINITY, 30, before, NULL);
        CHECK_INT(tr_actor_ghost_set_route(t.ghost, way, 32, NULL, NULL, 0, NULL), TR_OK);
        memory.fail_at = memory.calls + 1;
        CHECK_INT(tr_actor_take(actor, t.ghost), TR_OUT_OF_MEMORY);
        memory.fail_at = 0;
        tr_actor_ghost_begin(t.ghost, actor);
        tr_actor_ghost_go(t.ghost, INFINITY, 30, after, NULL);
        CHECK(memcmp(before, after, sizeof before) == 0);
        CHECK_INT(tr_actor_ghost_set_route(t.ghost, way, 32, NULL, NULL, 0, NULL), TR_OK);
        CHECK_INT(tr_actor_take(actor, t.ghost), TR_OK);
        tr_actor_destroy(actor);
        CHECK_INT(memory.live_bytes, 0);
    }
    end(&t);
}

// One try of a route: a while at one limit, in parts, then to rest from somewhere on the way.
typedef struct try_out {
    float limit;
    uint32_t parts[3], after;
} try_out;

static uint32_t try_route(theatre *t, tr_actor_ghost *ghost, const task *told, const try_out *how,
                          tr_vec3 *positions) {
    uint32_t count = 0;
    tr_actor_ghost_begin(ghost, t->actor);
    CHECK_INT(tr_actor_ghost_set_route(ghost, told->points, told->count,
                                       told->has_passage ? told->passage : NULL,
                                       told->has_heading ? &told->heading : NULL, told->speed, NULL),
              TR_OK);
    for (uint32_t i = 0; i < 3; i++)
        count += tr_actor_ghost_go(ghost, how->limit, how->parts[i], positions + count, NULL);
    return count + tr_actor_ghost_stop(ghost, how->after, positions + count, STOP_MAX);
}

// What a waiting actor tries again is remembered; another ghost remembers nothing.
static void check_tries_again(theatre *t, tr_actor_ghost *plain, task told[2]) {
    static tr_vec3 remembered[3 * GO_MAX + STOP_MAX], anew[3 * GO_MAX + STOP_MAX];
    try_out ways[6];
    for (uint32_t i = 0; i < 6; i++) {
        ways[i].limit = tr_random_below(&t->random, 3) ? INFINITY : tr_random_between(&t->random, 0.3f, 2);
        for (uint32_t k = 0; k < 3; k++)
            ways[i].parts[k] = tr_random_below(&t->random, 3) ? 4 : tr_random_below(&t->random, 40);
        ways[i].after = tr_random_below(&t->random, 40);
    }
    for (uint32_t i = 0; i < 24; i++) {
        const task *now = &told[tr_random_below(&t->random, 5) == 0];
        const try_out *how = &ways[tr_random_below(&t->random, 6)];
        uint32_t count = try_route(t, plain, now, how, anew);
        CHECK_INT(try_route(t, t->ghost, now, how, remembered), count);
        CHECK(count > 3 * GO_MAX + STOP_MAX || memcmp(remembered, anew, count * sizeof *anew) == 0);
    }
}

// The actor goes where the last ghost went that it takes over.
static void check_taken(theatre *t, const task *told) {
    tr_vec3 positions[3 * GO_MAX + STOP_MAX];
    try_out how = {.limit = INFINITY, .parts = {GO_MAX, 0, 0}};
    try_route(t, t->ghost, told, &how, positions);
    CHECK_INT(tr_actor_take(t->actor, t->ghost), TR_OK);
    for (uint32_t i = 0; i < GO_MAX; i++) {
        tr_actor_step(t->actor, &t->scratch, INFINITY);
        actor_look view = tr_actor_look(t->actor);
        CHECK(view.state.position.x == positions[i].x && view.state.position.z == positions[i].z);
    }
    for (uint32_t i = 0; i < STOP_MAX; i++)
        tr_actor_step(t->actor, &t->scratch, 0);
}

TEST(a_ghost_that_gets_a_route_again_goes_the_same_way) {
    theatre t;
    if (begin(&t, 0, 11)) {
        tr_actor_ghost *plain = NULL;
        CHECK_INT(tr_actor_ghost_create(NULL, 0, &plain, NULL), TR_OK);
        CHECK_INT(tr_actor_ghost_reserve(t.ghost, 2, NULL), TR_OK);
        for (uint32_t i = 0; i < 100; i++) {
            task told[2] = {{.kind = ROUTE}, {.kind = ROUTE}};
            make_route(&t, &told[0]);
            make_route(&t, &told[1]);
            check_tries_again(&t, plain, told);
            check_taken(&t, &told[tr_random_below(&t.random, 2)]);
        }
        tr_actor_ghost_destroy(plain);
    }
    end(&t);
}

static bool attempt(const tr_allocator *allocator) {
    tr_actor_ghost *ghost = NULL;
    tr_status status = tr_actor_ghost_create(allocator, 8, &ghost, NULL);
    if (status == TR_OK)
        status = tr_actor_ghost_reserve(ghost, 3, NULL);
    tr_actor_ghost_destroy(ghost);
    CHECK(status == TR_OK || status == TR_OUT_OF_MEMORY);
    return status == TR_OK;
}

TEST(without_memory_there_is_no_ghost_and_nothing_leaks) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(attempt) > 3);
}
