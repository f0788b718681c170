// The same motion for any step of the caller and any number of threads; no actor leaves its committed motion.
#include "theatre.h"
#include "troupe/base/hash.h"

#define TICKS 360

// Hashes of all joints of all actors after each tick.
typedef struct motion {
    uint64_t hashes[TICKS];
    uint32_t count;
} motion;

static void add_people(theatre *t) {
    add_box(t->scene, "wall", -6, -0.1f, -1, 0.1f);
    add_box(t->scene, "wall", 1, -0.1f, 6, 0.1f);
    for (int i = 0; i < 6; i++)
        add_walker(t, -5 + 2 * (float)i, i % 2 ? -4 : 4, 4.5f - 1.8f * (float)i, i % 2 ? 4 : -4);
}

static void add_cart(theatre *t) {
    uint32_t cart =
        add_block(t->scene, "cart", tr_vec3_make(-0.4f, 0.02f, -0.4f), tr_vec3_make(0.4f, 1, 0.4f));
    const double times[3] = {0, 5, 10};
    tr_transform places[3];
    for (int i = 0; i < 3; i++) {
        places[i] = tr_transform_identity();
        places[i].position = tr_vec3_make(i == 1 ? 4.0f : -4.0f, 0, 2);
    }
    tr_trajectory_def def = {.times = times, .transforms = places, .count = 3, .loop = true};
    CHECK_INT(tr_scene_set_trajectory(t->scene, cart, &def, NULL), TR_OK);
    tr_scene_set_time(t->scene, 0);
}

static uint64_t hash_now(const theatre *t) {
    uint64_t hash = TR_HASH_START;
    for (uint32_t i = 0; i < tr_stage_actor_count(t->stage); i++) {
        tr_actor_view view = view_of(t, tr_stage_actor(t->stage, i));
        hash = tr_hash(hash, view.model, view.pose->joint_count * sizeof *view.model);
    }
    return hash;
}

static void run(uint32_t members, double dt, motion *seen) {
    theatre t;
    tr_tasks *tasks = NULL;
    memset(seen, 0, sizeof *seen);
    if (members)
        CHECK_INT(tr_tasks_create(NULL, members, &tasks, NULL), TR_OK);
    if (open_theatre(&t, tasks)) {
        add_people(&t);
        add_cart(&t);
        uint32_t last = 0;
        while (last < TICKS) {
            CHECK(tr_stage_step(t.stage, dt, NULL) <= TR_DONE);
            uint32_t now = (uint32_t)(tr_stage_time(t.stage) / TR_STAGE_TICK + 0.5);
            CHECK_NEAR(tr_stage_time(t.stage), now * TR_STAGE_TICK, 1e-9);
            if (now > last && now <= TICKS)
                seen->hashes[now - 1] = hash_now(&t);
            last = now;
        }
        seen->count = last;
        check_apart(&t);
    }
    close_theatre(&t);
    tr_tasks_destroy(tasks);
}

static void check_same(const motion *a, const motion *b) {
    uint32_t compared = 0;
    for (uint32_t i = 0; i < TICKS; i++)
        if (a->hashes[i] && b->hashes[i]) {
            compared++;
            if (a->hashes[i] != b->hashes[i]) {
                test_failed(__FILE__, __LINE__, "tick %u differs", i + 1);
                return;
            }
        }
    CHECK(compared >= 12);
}

TEST(the_motion_is_the_same_for_any_step_of_the_caller) {
    static motion base, other;
    run(0, TR_STAGE_TICK, &base);
    static const double steps[] = {1.0 / 60, 1.0 / 144, 0.37, 1};
    for (size_t i = 0; i < 4; i++) {
        run(0, steps[i], &other);
        check_same(&base, &other);
    }
}

TEST(the_motion_is_the_same_for_any_number_of_threads) {
    static motion base, other;
    run(0, TR_STAGE_TICK, &base);
    for (uint32_t members = 1; members <= 4; members++) {
        run(members, TR_STAGE_TICK, &other);
        check_same(&base, &other);
    }
}

TEST(time_advances_by_the_step_of_the_caller) {
    theatre t;
    if (open_theatre(&t, NULL)) {
        add_actor(&t, 0, 0);
        double sum = 0;
        for (int i = 0; i < 1000; i++) {
            double dt = 0.001 * (i % 50);
            CHECK_INT(tr_stage_step(t.stage, dt, NULL), TR_DONE);
            sum += dt;
            CHECK(tr_stage_time(t.stage) <= sum + 1e-6);
            CHECK(tr_stage_time(t.stage) > sum - TR_STAGE_TICK - 1e-6);
        }
        double before = tr_stage_time(t.stage);
        CHECK_INT(tr_stage_step(t.stage, 0, NULL), TR_DONE);
        CHECK_NEAR(tr_stage_time(t.stage), before, 0);
    }
    close_theatre(&t);
}

// A limited budget of searches makes people set out later, but they all do.
static void check_budget(uint32_t nodes, uint32_t microseconds) {
    theatre t;
    tr_stage_def def = tr_stage_def_default(NULL);
    def.plan_budget = nodes;
    def.plan_microseconds = microseconds;
    def.record = true;
    if (open_theatre_with(&t, &def)) {
        add_people(&t);
        play(&t, 120);
        for (uint32_t i = 0; i < tr_stage_actor_count(t.stage); i++)
            CHECK_INT(report_of(&t, tr_stage_actor(t.stage, i), 0).state, TR_ORDER_DONE);
        check_apart(&t);
    }
    close_theatre(&t);
}

TEST(a_budget_of_plans_only_delays_actors) {
    check_budget(1, 0);
    check_budget(0, 1);
}
