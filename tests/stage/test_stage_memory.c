// Memory that runs out inside a tick: every allocation of every tick of a busy play fails once, and again
// together with all later ones. The step reports it, and the retry gives the same bits as a play that always
// had memory.
#include "theatre.h"
#include "troupe/base/hash.h"
#include "troupe/base/scalar.h"

#include <stdlib.h>

#define TICKS 210
#define TABLE 0.92f

// An allocator that refuses one request, or all from it on, while it is armed.
typedef struct unreliable {
    tr_allocator source;
    bool armed, for_good;
    uint64_t calls, fail_at, refused;
} unreliable;

static void *resize_or_refuse(void *user, void *old, size_t old_size, size_t new_size) {
    unreliable *u = user;
    if (u->armed && new_size > 0) {
        u->calls++;
        if (u->calls == u->fail_at || (u->for_good && u->calls > u->fail_at)) {
            u->refused++;
            return NULL;
        }
    }
    return u->source.resize(u->source.user, old, old_size, new_size);
}

typedef struct busy {
    theatre t;
    unreliable memory;
    tr_allocator allocator;
    test_memory counted;
    bool fails;
    uint32_t cart, crate, door, cup;
    tr_actor_id actors[8];
    uint32_t actor_count;
    uint64_t failures;
    uint64_t hash; // of all events so far
} busy;

static void drive(tr_scene *scene, uint32_t object, tr_vec3 to, double begin, double end) {
    const double times[] = {begin, end};
    tr_transform there[2] = {tr_transform_identity(), tr_transform_identity()};
    there[1].position = to;
    tr_trajectory_def def = {.times = times, .transforms = there, .count = 2};
    CHECK_INT(tr_scene_set_trajectory(scene, object, &def, NULL), TR_OK);
}

static bool open_busy(busy *b, bool fails, bool for_good, tr_tasks *tasks) {
    memset(b, 0, sizeof *b);
    b->fails = fails;
    b->hash = TR_HASH_START;
    b->memory.source = test_memory_allocator(&b->counted);
    b->memory.for_good = for_good;
    b->allocator = (tr_allocator){resize_or_refuse, &b->memory};
    tr_stage_def def = tr_stage_def_default(NULL);
    def.allocator = &b->allocator;
    def.tasks = tasks;
    def.record = true;
    def.frames_per_second = 50;
    return open_theatre_with(&b->t, &def);
}

// Calls between two ticks may fail as well, and are then repeated.
static bool once_more(busy *b, tr_status status, uint64_t *attempt) {
    bool refused = b->memory.refused > 0;
    b->memory.armed = false;
    if (refused != (status == TR_OUT_OF_MEMORY))
        test_failed(__FILE__, __LINE__, "%" PRIu64 " requests were refused at %.3f s, and the answer is %s",
                    b->memory.refused, tr_stage_time(b->t.stage), tr_status_name(status));
    b->failures += refused;
    *attempt += 1;
    return refused && *attempt < 2000;
}

static void arm(busy *b, uint64_t attempt) {
    b->memory.armed = b->fails;
    b->memory.calls = b->memory.refused = 0;
    b->memory.fail_at = attempt;
}

static void enter(busy *b, float x, float z) {
    tr_stage_actor_def def = {.character = b->t.character, .position = {x, 0, z}};
    tr_status status;
    uint64_t attempt = 1;
    do {
        arm(b, attempt);
        status = tr_stage_add_actor(b->t.stage, &def, &b->actors[b->actor_count], NULL);
    } while (once_more(b, status, &attempt));
    CHECK_INT(status, TR_OK);
    b->actor_count++;
}

static void tell(busy *b, uint32_t actor, tr_order order, tr_order_mode mode) {
    tr_status status;
    uint64_t attempt = 1;
    do {
        arm(b, attempt);
        status = tr_stage_order(b->t.stage, b->actors[actor], &order, mode, NULL, NULL);
    } while (once_more(b, status, &attempt));
    CHECK_INT(status, TR_OK);
}

static void go(busy *b, uint32_t actor, float x, float z, tr_order_mode mode) {
    tell(b, actor, (tr_order){.kind = TR_ORDER_GO, .goal = {x, 0, z}}, mode);
}

// The other calls between two ticks.
typedef enum request { PLACE, CANCEL, STEER, LOOK } request;
static void ask(busy *b, request what, uint32_t actor) {
    tr_stage *stage = b->t.stage;
    tr_vec3 point = {2.5f, 0, -1};
    tr_status status = TR_OK;
    uint64_t attempt = 1;
    do {
        arm(b, attempt);
        tr_actor_id id = b->actors[actor];
        status = what == PLACE    ? tr_stage_place_actor(stage, id, point, 1, NULL)
                 : what == CANCEL ? tr_stage_cancel(stage, id, TR_NONE)
                 : what == STEER  ? tr_stage_steer(stage, id, (tr_vec2){-0.6f, 0.1f}, NULL)
                                  : tr_stage_look_at(stage, id, &point, NULL);
    } while (once_more(b, status, &attempt));
    CHECK_INT(status, TR_OK);
}

static void begin_play(busy *b) {
    tr_scene *scene = b->t.scene;
    add_box(scene, "wall", -0.2f, -6, 0.2f, -1);
    add_box(scene, "other wall", -0.2f, 0.4f, 0.2f, 4);
    b->cart = add_box(scene, "cart", -4, -3, -3.4f, -2.4f);
    drive(scene, b->cart, tr_vec3_make(3, 0, 0.5f), 0.5, 4);
    b->crate = add_box(scene, "crate", 3, 3, 3.6f, 3.6f);
    add_block(scene, "table", tr_vec3_make(3.2f, TABLE - 0.04f, -4.6f), tr_vec3_make(4.8f, TABLE, -3.9f));
    b->cup = add_block(scene, "cup", tr_vec3_make(3.66f, TABLE + 0.001f, -4.4f),
                       tr_vec3_make(3.74f, TABLE + 0.1f, -4.32f));
    enter(b, -4.5f, 0);
    enter(b, 4.5f, 0.2f);
    enter(b, -3, 4.5f);
    enter(b, 4, -5);
    for (uint32_t i = 0; i < 3; i++)
        go(b, i, i == 1 ? -4 : 4, i == 2 ? 1 : -0.3f, TR_ORDER_QUEUE);
    tell(b, 3, (tr_order){.kind = TR_ORDER_REACH, .has_object = true, .object = b->cup, .hold = 0.3},
         TR_ORDER_QUEUE);
    tell(b, 3, (tr_order){.kind = TR_ORDER_LOWER}, TR_ORDER_QUEUE);
    tell(b, 3, (tr_order){.kind = TR_ORDER_LOWER}, TR_ORDER_QUEUE); // ends at once
    go(b, 3, 2, -2, TR_ORDER_QUEUE);
}

// The calls before a tick.
static void change(busy *b, int tick) {
    tr_scene *scene = b->t.scene;
    if (tick >= 20 && tick < 60) { // pushed, without a trajectory
        tr_affine place = tr_affine_identity();
        place.m[0][3] = -0.05f * (float)(tick - 19);
        CHECK_INT(tr_scene_place(scene, b->crate, &place), TR_OK);
    }
    if (tick == 15)
        drive(scene, b->cup, tr_vec3_make(0.1f, 0, 0), 0.7, 1.1);
    if (tick == 30) {
        enter(b, -5, -5);
        go(b, 4, 5, 5, TR_ORDER_QUEUE);
    }
    if (tick == 45)
        b->door = add_box(scene, "door", -0.2f, -1, 0.2f, 0.4f);
    if (tick == 70)
        CHECK_INT(tr_scene_remove_object(scene, b->door), TR_OK);
    if (tick == 80) {
        go(b, 0, -5, 5, TR_ORDER_REPLACE);
        tell(b, 1, (tr_order){.kind = TR_ORDER_WAIT, .seconds = 0.4}, TR_ORDER_NEXT);
    }
    if (tick == 100)
        CHECK_INT(tr_stage_remove_actor(b->t.stage, b->actors[2]), TR_OK);
    if (tick == 110)
        tell(b, 4, (tr_order){.kind = TR_ORDER_STEER, .velocity = {0.8f, 0.5f}}, TR_ORDER_REPLACE);
    if (tick == 40)
        ask(b, LOOK, 1);
    if (tick == 120) { // with the ground changed since the last tick
        add_box(scene, "post", 4.5f, 4.5f, 4.8f, 4.8f);
        ask(b, PLACE, 1);
    }
    if (tick == 130)
        ask(b, CANCEL, 0);
    if (tick == 140)
        ask(b, STEER, 0);
    if (tick == 150)
        tell(b, 4, (tr_order){.kind = TR_ORDER_GO, .goal_kind = TR_GOAL_ACTOR, .target = b->actors[1]},
             TR_ORDER_REPLACE);
}

static void hash_events(busy *b) {
    uint32_t count;
    const tr_event *events = tr_stage_events(b->t.stage, &count);
    for (uint32_t i = 0; i < count; i++) {
        b->hash = tr_hash(b->hash, &events[i].kind, sizeof events[i].kind);
        b->hash = tr_hash(b->hash, &events[i].actor, sizeof events[i].actor);
        b->hash = tr_hash(b->hash, &events[i].order, sizeof events[i].order);
        b->hash = tr_hash(b->hash, &events[i].time, sizeof events[i].time);
    }
}

// One step, in which the first, the second, ... allocation fails until all of them succeed.
static void step(busy *b, double dt) {
    tr_status status;
    uint64_t attempt = 1;
    do {
        tr_error error = {0};
        arm(b, attempt);
        status = tr_stage_step(b->t.stage, attempt == 1 ? dt : 0, &error);
        hash_events(b);
        CHECK((status == TR_OUT_OF_MEMORY) == (error.message[0] != 0));
    } while (once_more(b, status, &attempt));
    CHECK(status == TR_OK || status == TR_DONE);
}

// Everything that can be seen of the stage.
static uint64_t hash_of(busy *b) {
    static float floats[1 << 16];
    tr_stage *stage = b->t.stage;
    uint64_t hash = b->hash;
    CHECK_INT(tr_stage_write_matrices(stage, TR_MATRICES_WORLD, floats, 1 << 16), TR_OK);
    hash = tr_hash(hash, floats, 16 * sizeof(float) * tr_stage_matrix_count(stage));
    for (uint32_t i = 0; i < tr_stage_actor_count(stage); i++) {
        tr_actor_id actor = tr_stage_actor(stage, i);
        uint32_t first, count = tr_stage_order_count(stage, actor, &first);
        for (uint32_t k = first; k < count; k++) {
            tr_order_report report = report_of(&b->t, actor, k);
            hash = tr_hash(hash, &report.state, sizeof report.state);
            hash = tr_hash(hash, &report.begin, sizeof report.begin);
            hash = tr_hash(hash, &report.end, sizeof report.end);
            hash = tr_hash(hash, report.reason, strlen(report.reason));
            hash = tr_hash(hash, &report.reach.plans, sizeof report.reach.plans);
        }
        tr_stage_counters counters = tr_stage_counters_of(stage, actor);
        hash = tr_hash(hash, &counters.plans, sizeof counters.plans);
        hash = tr_hash(hash, &counters.nearest, sizeof counters.nearest);
        hash = tr_hash(hash, &counters.waited, sizeof counters.waited);
        CHECK_INT(counters.deviations, 0);
        const tr_vec3 *trace = tr_stage_trace(stage, actor, &count);
        hash = tr_hash(hash, trace, count * sizeof *trace);
    }
    return hash;
}

static uint64_t hash_clips(const busy *b) {
    uint64_t hash = TR_HASH_START;
    for (uint32_t i = 0; i < tr_stage_actor_count(b->t.stage); i++) {
        tr_clip *clip = NULL;
        CHECK_INT(tr_stage_clip(b->t.stage, tr_stage_actor(b->t.stage, i), NULL, &clip, NULL), TR_OK);
        uint32_t frames = clip ? tr_clip_frame_count(clip) : 0;
        hash = tr_hash(hash, &frames, sizeof frames);
        tr_pose pose;
        if (clip && tr_pose_create(NULL, tr_clip_joint_count(clip), &pose, NULL) == TR_OK) {
            for (uint32_t k = 0; k < frames; k++) {
                tr_clip_get_frame(clip, k, &pose);
                for (uint32_t j = 0; j < pose.joint_count; j++) {
                    tr_transform at = tr_pose_get(&pose, j);
                    hash = tr_hash(hash, &at.position, sizeof at.position);
                    hash = tr_hash(hash, &at.rotation, sizeof at.rotation);
                }
            }
            tr_pose_destroy(&pose);
        }
        tr_clip_destroy(clip);
    }
    return hash;
}

// Doors and stairs: people that make room for each other, and footsteps.
static void begin_narrow(busy *b) {
    add_box(b->t.scene, "wall", -0.2f, -6, 0.2f, -0.5f);
    add_box(b->t.scene, "other wall", -0.2f, 0.45f, 0.2f, 6);
    for (uint32_t i = 0; i < 6; i++) {
        float x = (i % 2 ? -2.0f : 2.0f) * (1 + 0.4f * (float)(i / 2)), z = 0.5f * (float)(i / 2) - 0.5f;
        enter(b, x, z);
        go(b, i, -x, -z, TR_ORDER_QUEUE);
    }
}

static void begin_stairs(busy *b) {
    for (int i = 0; i < 6; i++)
        add_block(b->t.scene, "step", tr_vec3_make(-1 + 0.3f * (float)i, 0, -1),
                  tr_vec3_make(3, 0.16f * (float)(i + 1), 1));
    enter(b, -1.8f, 0.1f);
    enter(b, 2, 2.5f);
    tell(b, 0, (tr_order){.kind = TR_ORDER_GO, .goal = {1.4f, 0.96f, 0.2f}}, TR_ORDER_QUEUE);
    go(b, 0, -3, 0, TR_ORDER_QUEUE);
    go(b, 1, -4, -3, TR_ORDER_QUEUE);
}

typedef struct scenario {
    void (*begin)(busy *b);
    void (*change)(busy *b, int tick);
    int stride;       // ticks in a step
    bool for_good;    // all requests after the first refusal are refused as well
    uint32_t members; // of the team that ways are searched with; 0: none
} scenario;

typedef struct outcome {
    uint64_t hashes[TICKS], clips, failures;
    tr_order_report reports[8]; // the first of each actor
    bool blocked, stepped;      // an actor was blocked; an actor walked over footsteps
    float highest;              // height at which an actor stood [m]
} outcome;

static void look(busy *b, outcome *out) {
    uint32_t count;
    const tr_event *events = tr_stage_events(b->t.stage, &count);
    for (uint32_t i = 0; i < count; i++)
        out->blocked = out->blocked || events[i].kind == TR_EVENT_BLOCKED;
    for (uint32_t i = 0; i < tr_stage_actor_count(b->t.stage); i++) {
        tr_actor_view view = view_of(&b->t, tr_stage_actor(b->t.stage, i));
        out->stepped = out->stepped || view.doing == TR_ACTOR_STEPS;
        out->highest = fmaxf(out->highest, view.position.y);
    }
}

static void play_busy(const scenario *how, bool fails, outcome *out) {
    busy b;
    tr_tasks *tasks = NULL;
    memset(out, 0, sizeof *out);
    if (how->members)
        CHECK_INT(tr_tasks_create(NULL, how->members, &tasks, NULL), TR_OK);
    if (open_busy(&b, fails, how->for_good, tasks)) {
        how->begin(&b);
        for (int tick = 0; tick < TICKS; tick++) {
            if (how->change)
                how->change(&b, tick);
            if (tick % how->stride == how->stride - 1)
                step(&b, how->stride * TR_STAGE_TICK);
            look(&b, out);
            out->hashes[tick] = hash_of(&b);
        }
        for (uint32_t i = 0; i < b.actor_count; i++)
            tr_stage_order_report(b.t.stage, b.actors[i], 0, &out->reports[i]);
        out->clips = hash_clips(&b);
        out->failures = b.failures;
    }
    close_theatre(&b.t);
    tr_tasks_destroy(tasks);
    CHECK_INT(b.counted.live_bytes, 0);
}

static void check_scenario(scenario how, uint64_t failures_least, outcome *expected) {
    static outcome got;
    play_busy(&how, false, expected);
    play_busy(&how, true, &got);
    CHECK_INT(expected->failures, 0);
    CHECK(got.failures >= failures_least);
    for (int tick = 0; tick < TICKS; tick++)
        if (expected->hashes[tick] != got.hashes[tick]) {
            test_failed(__FILE__, __LINE__, "tick %d is another", tick);
            break;
        }
    CHECK_HASH(got.clips, expected->clips);
}

TEST(a_tick_that_runs_out_of_memory_goes_on_with_the_same_bits) {
    static outcome expected;
    check_scenario((scenario){begin_play, change, 1, false, 0}, 300, &expected);
    CHECK_INT(expected.reports[3].state, TR_ORDER_DONE); // the cup moved while it was reached for
    CHECK(expected.reports[3].reach.plans > 1);
    CHECK_INT(expected.reports[0].state, TR_ORDER_CANCELLED);
}

TEST(a_tick_goes_on_when_there_was_no_memory_for_a_while) {
    static outcome expected;
    check_scenario((scenario){begin_play, change, 1, true, 0}, 300, &expected);
}

TEST(a_step_of_several_ticks_stops_in_the_middle_and_goes_on) {
    static outcome expected;
    check_scenario((scenario){begin_play, change, 5, false, 0}, 300, &expected);
}

TEST(a_team_that_searches_for_ways_goes_on_when_memory_runs_out) {
    static outcome alone, expected;
    const scenario one = {begin_play, change, 1, false, 0};
    play_busy(&one, false, &alone);
    check_scenario((scenario){begin_play, change, 1, false, 3}, 300, &expected);
    CHECK(memcmp(alone.hashes, expected.hashes, sizeof alone.hashes) == 0);
}

TEST(people_that_make_room_for_each_other_do_so_when_memory_runs_out) {
    static outcome expected;
    check_scenario((scenario){begin_narrow, NULL, 1, false, 0}, 50, &expected);
    CHECK(expected.blocked);
}

TEST(people_on_stairs_climb_them_when_memory_runs_out) {
    static outcome expected;
    check_scenario((scenario){begin_stairs, NULL, 1, false, 0}, 50, &expected);
    CHECK(expected.stepped);
    CHECK_NEAR(expected.highest, 0.96, 1e-3);
}

// A box on a loop, one that is pushed in a circle, and people that walk back and forth between them. Returns
// the number of memory requests.
static uint64_t allocations_in_a_round(busy *b, tr_actor_id *walkers, uint32_t walker_count) {
    uint64_t before = b->counted.calls;
    for (int i = 0; i < 180; i++) {
        double s, c;
        tr_sin_cos(i / 180.0 * 2 * TR_PI, &s, &c);
        tr_affine place = tr_affine_identity();
        place.m[0][3] = 2 * (float)s;
        place.m[2][3] = 2 * (float)c;
        CHECK_INT(tr_scene_place(b->t.scene, b->crate, &place), TR_OK);
        if (i % 90 == 0)
            for (uint32_t k = 0; k < walker_count; k++)
                give_order(&b->t, walkers[k],
                           (tr_order){.kind = TR_ORDER_GO, .goal = {i ? -5 : 5, 0, 2 * (float)k - 3}},
                           TR_ORDER_REPLACE);
        tick(&b->t);
    }
    return b->counted.calls - before;
}

TEST(ticks_allocate_nothing_once_all_moving_objects_have_been_everywhere) {
    busy b;
    memset(&b, 0, sizeof b);
    b.allocator = test_memory_allocator(&b.counted);
    tr_stage_def def = tr_stage_def_default(NULL);
    def.allocator = &b.allocator;
    if (open_theatre_with(&b.t, &def)) {
        b.cart = add_box(b.t.scene, "cart", -4, -0.3f, -3.4f, 0.3f);
        b.crate = add_box(b.t.scene, "crate", -0.3f, -0.3f, 0.3f, 0.3f);
        const double times[] = {0, 3, 6};
        tr_transform there[3] = {tr_transform_identity(), tr_transform_identity(), tr_transform_identity()};
        there[1].position.x = 7;
        tr_trajectory_def loop = {.times = times, .transforms = there, .count = 3, .loop = true};
        CHECK_INT(tr_scene_set_trajectory(b.t.scene, b.cart, &loop, NULL), TR_OK);
        tr_actor_id walkers[3];
        for (int i = 0; i < 3; i++)
            walkers[i] = add_actor(&b.t, -5, 2 * (float)i - 3);
        uint64_t first = allocations_in_a_round(&b, walkers, 0);
        CHECK(first > 50);
        for (int i = 0; i < 3; i++)
            CHECK_INT(allocations_in_a_round(&b, walkers, 0), 0);
        // People that walk between the boxes go elsewhere each time: a search may need more than all before.
        allocations_in_a_round(&b, walkers, 3);
        uint64_t later = 0, bytes = b.counted.live_bytes;
        for (int i = 0; i < 6; i++)
            later += allocations_in_a_round(&b, walkers, 3);
        CHECK(later < 20);
        CHECK(b.counted.live_bytes < bytes + bytes / 50);
    }
    close_theatre(&b.t);
    CHECK_INT(b.counted.live_bytes, 0);
}
