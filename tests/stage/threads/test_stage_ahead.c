// Ways searched by several threads at the same time: the same bits as with one thread, for any budget, and
// only the stepping thread requests memory.
#include "stage/theatre.h"
#include "troupe/base/hash.h"
#include "troupe/base/random.h"

#define TICKS 45
#define PEOPLE 24
#define ORDERS_AT 20 // the tick at which all actors are sent elsewhere

// An allocator that counts requests from other threads than that of the test, and refuses a request.
typedef struct watched {
    tr_allocator source;
    uint64_t calls, fail_at, strangers;
} watched;

static _Thread_local bool is_test;

static void *resize_watched(void *user, void *old, size_t old_size, size_t new_size) {
    watched *w = user;
    if (!is_test) {
        w->strangers++; // must not happen at all, so the count need not be exact
        return NULL;
    }
    if (new_size > 0 && ++w->calls == w->fail_at)
        return NULL;
    return w->source.resize(w->source.user, old, old_size, new_size);
}

typedef struct outcome {
    uint64_t hashes[TICKS];
    uint32_t plans, failures, started;
    uint32_t plans_first; // in the first tick
} outcome;

static uint64_t hash_of(const theatre *t, outcome *out) {
    uint64_t hash = TR_HASH_START;
    out->plans = out->started = 0;
    for (uint32_t i = 0; i < PEOPLE; i++) {
        tr_actor_id actor = tr_stage_actor(t->stage, i);
        tr_actor_view view = view_of(t, actor);
        hash = tr_hash(hash, view.model, view.pose->joint_count * sizeof *view.model);
        const tr_way *way = tr_stage_way(t->stage, actor);
        out->started += way && way->point_count;
        for (uint32_t k = 0; way && k < way->point_count; k++)
            hash = tr_hash(hash, &way->points[k].position, sizeof way->points[k].position);
        out->plans += tr_stage_counters_of(t->stage, actor).plans;
    }
    return tr_hash(hash, &out->plans, sizeof out->plans);
}

// People in two rows, with a wood of posts between them: many ways lead through.
static void plant(theatre *t, uint32_t posts) {
    tr_random random = tr_random_seed(posts);
    for (uint32_t i = 0; i < posts; i++) {
        float x = tr_random_between(&random, -5.5f, 5.5f), z = tr_random_between(&random, -3.8f, 3.8f);
        add_box(t->scene, "post", x, z, x + 0.1f, z + 0.1f);
    }
}
static void send(theatre *t, uint32_t person, bool back) {
    float z = (person % 2 == 0) != back ? 5.3f : -5.3f;
    float x = 0.9f * (float)((7 * person + 3) % 12) - 5;
    give_order(t, tr_stage_actor(t->stage, person), (tr_order){.kind = TR_ORDER_GO, .goal = {x, 0, z}},
               TR_ORDER_REPLACE);
}

// One tick, in which the first request for memory is refused, then the second, ... where it `refuses`.
static void step(theatre *t, watched *memory, bool refuses, outcome *out) {
    tr_status status = TR_OUT_OF_MEMORY;
    for (uint32_t attempt = 1; status == TR_OUT_OF_MEMORY && attempt < 1000; attempt++) {
        memory->calls = 0;
        memory->fail_at = refuses ? attempt : 0;
        status = tr_stage_step(t->stage, attempt == 1 ? TR_STAGE_TICK : 0, NULL);
        out->failures += status == TR_OUT_OF_MEMORY;
    }
    memory->fail_at = 0;
    CHECK(status == TR_OK || status == TR_DONE);
}

typedef struct setting {
    uint32_t members, budget, posts;
    bool refuses; // in every third tick
} setting;

static void perform(setting how, outcome *out) {
    theatre t;
    tr_tasks *tasks = NULL;
    test_memory counted = {0};
    watched memory = {.source = test_memory_allocator(&counted)};
    tr_allocator allocator = {resize_watched, &memory};
    tr_stage_def like = tr_stage_def_default(NULL);
    is_test = true;
    memset(out, 0, sizeof *out);
    if (how.members)
        CHECK_INT(tr_tasks_create(NULL, how.members, &tasks, NULL), TR_OK);
    like.tasks = tasks;
    like.plan_budget = how.budget;
    like.allocator = &allocator;
    if (open_theatre_with(&t, &like)) {
        plant(&t, how.posts);
        for (uint32_t i = 0; i < PEOPLE; i++)
            add_actor(&t, 0.9f * (float)(i / 2) - 5, i % 2 ? 5.3f : -5.3f);
        for (uint32_t tick = 0; tick < TICKS; tick++) {
            for (uint32_t i = 0; i < PEOPLE && (tick == 0 || tick == ORDERS_AT); i++)
                send(&t, i, tick == ORDERS_AT);
            step(&t, &memory, how.refuses && tick % 3 == 0, out);
            out->hashes[tick] = hash_of(&t, out);
            out->plans_first = tick == 0 ? out->plans : out->plans_first;
        }
    }
    close_theatre(&t);
    tr_tasks_destroy(tasks);
    CHECK_INT(memory.strangers, 0);
    CHECK_INT(counted.live_bytes, 0);
}

static void check_same(const outcome *a, const outcome *b, uint32_t members) {
    for (uint32_t i = 0; i < TICKS; i++)
        if (a->hashes[i] != b->hashes[i]) {
            test_failed(__FILE__, __LINE__, "tick %u is another with %u threads", i, members);
            return;
        }
}

static void check(setting how) {
    static outcome one, other;
    perform((setting){.budget = how.budget, .posts = how.posts}, &one);
    CHECK(one.plans >= PEOPLE && one.started >= PEOPLE / 2);
    for (how.members = 2; how.members <= 4; how.members++) {
        perform(how, &other);
        CHECK((other.failures > 0) == how.refuses);
        check_same(&one, &other, how.members);
    }
}

TEST(ways_are_the_same_for_any_number_of_threads) {
    check((setting){.posts = 20});
}

TEST(ways_are_the_same_for_any_number_of_threads_with_a_budget) {
    check((setting){.posts = 20, .budget = 1000});
    check((setting){.posts = 20, .budget = 1});
}

// A planner has room for a thousand nodes at first: a wood takes more.
TEST(large_searches_are_the_same_with_threads_and_when_memory_runs_out) {
    check((setting){.posts = 250});
    check((setting){.posts = 250, .refuses = true});
}

// A game may send an actor elsewhere in every tick. With a budget that this uses up, the others must get
// their turns as well.
TEST(no_actor_waits_for_ever_when_others_use_up_the_budget) {
    theatre t;
    tr_stage_def like = tr_stage_def_default(NULL);
    like.plan_budget = 1;
    if (open_theatre_with(&t, &like)) {
        tr_actor_id actors[5];
        for (uint32_t i = 0; i < 5; i++)
            actors[i] = add_actor(&t, -4, 2 * (float)i - 4);
        send_to(&t, actors[3], 3, 2);
        send_to(&t, actors[4], 3, 4);
        for (uint32_t i = 0; i < 300; i++) {
            for (uint32_t k = 0; k < 3; k++)
                give_order(
                    &t, actors[k],
                    (tr_order){.kind = TR_ORDER_GO, .goal = {2 + 0.01f * (float)i, 0, 2 * (float)k - 4}},
                    TR_ORDER_REPLACE);
            tick(&t);
        }
        for (uint32_t k = 0; k < 3; k++)
            CHECK(tr_stage_counters_of(t.stage, actors[k]).plans > 80);
        CHECK_INT(report_of(&t, actors[3], 0).state, TR_ORDER_DONE);
        CHECK_INT(report_of(&t, actors[4], 0).state, TR_ORDER_DONE);
    }
    close_theatre(&t);
}

TEST(a_budget_spreads_the_first_ways_over_ticks_with_threads_too) {
    static outcome all, some, few;
    perform((setting){.members = 3, .posts = 20}, &all);
    perform((setting){.members = 3, .posts = 20, .budget = 1000}, &some);
    perform((setting){.members = 3, .posts = 20, .budget = 1}, &few);
    CHECK_INT(all.plans_first, PEOPLE);
    CHECK(some.plans_first > 1 && some.plans_first < PEOPLE);
    CHECK_INT(few.plans_first, 1);
    CHECK(few.plans >= 40);
}
