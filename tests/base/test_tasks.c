#include "test.h"
#include "troupe/base/hash.h"
#include "troupe/base/tasks.h"

#include <string.h>

#define PARTS_MAX 1000

// What each part leaves behind, and what each member counted in its own scratch.
typedef struct record {
    uint32_t runs[PARTS_MAX];
    uint64_t result[PARTS_MAX];
    struct {
        uint64_t parts;
        char apart[56]; // members do not share a cache line
    } scratch[TR_TASKS_MAX];
    uint32_t members;
    bool member_out_of_range[PARTS_MAX];
} record;

static void do_part(void *user, uint32_t part, uint32_t member) {
    record *all = user;
    all->runs[part]++;
    all->result[part] = tr_hash(TR_HASH_START, &part, sizeof part);
    all->member_out_of_range[part] = member >= all->members;
    if (member < all->members)
        all->scratch[member].parts++;
}

static void check_round(tr_tasks *tasks, uint32_t parts) {
    static record all;
    memset(&all, 0, sizeof all);
    all.members = tr_tasks_members(tasks);
    tr_tasks_run(tasks, parts, do_part, &all);
    uint64_t counted = 0;
    for (uint32_t member = 0; member < TR_TASKS_MAX; member++)
        counted += all.scratch[member].parts;
    CHECK_INT(counted, parts);
    for (uint32_t part = 0; part < PARTS_MAX; part++) {
        CHECK_INT(all.runs[part], part < parts);
        CHECK(!all.member_out_of_range[part]);
        if (part < parts)
            CHECK_HASH(all.result[part], tr_hash(TR_HASH_START, &part, sizeof part));
    }
}

TEST(every_part_runs_once_in_a_team_of_any_size) {
    static const uint32_t teams[] = {1, 2, 3, 4, 7, 16, TR_TASKS_MAX};
    static const uint32_t parts[] = {0, 1, 2, 3, 5, 16, 17, 100, PARTS_MAX};
    for (size_t t = 0; t < sizeof teams / sizeof teams[0]; t++) {
        tr_tasks *tasks = NULL;
        REQUIRE(tr_tasks_create(NULL, teams[t], &tasks, NULL) == TR_OK);
        CHECK(tr_tasks_members(tasks) >= 1 && tr_tasks_members(tasks) <= teams[t]);
        for (size_t p = 0; p < sizeof parts / sizeof parts[0]; p++)
            check_round(tasks, parts[p]);
        tr_tasks_destroy(tasks);
    }
}

TEST(without_a_team_the_caller_does_the_work) {
    CHECK_INT(tr_tasks_members(NULL), 1);
    check_round(NULL, 0);
    check_round(NULL, 100);
    tr_tasks_destroy(NULL);
}

static void add_one(void *user, uint32_t part, uint32_t member) {
    (void)member;
    ((uint64_t *)user)[part]++;
}

TEST(thousands_of_rounds_leave_no_part_out) {
    tr_tasks *tasks = NULL;
    REQUIRE(tr_tasks_create(NULL, 4, &tasks, NULL) == TR_OK);
    uint64_t counts[8] = {0}, expected[8] = {0};
    for (uint32_t round = 0; round < 5000; round++) {
        uint32_t parts = round % 9;
        tr_tasks_run(tasks, parts, add_one, counts);
        for (uint32_t part = 0; part < parts; part++)
            expected[part]++;
    }
    for (int part = 0; part < 8; part++)
        CHECK_INT(counts[part], expected[part]);
    tr_tasks_destroy(tasks);
}

TEST(teams_start_and_stop_without_having_worked) {
    for (int round = 0; round < 50; round++) {
        tr_tasks *tasks = NULL;
        REQUIRE(tr_tasks_create(NULL, 5, &tasks, NULL) == TR_OK);
        if (round % 2)
            check_round(tasks, 7);
        tr_tasks_destroy(tasks);
    }
}

// Part of an outer team that has an inner team of its own.
typedef struct nest {
    tr_tasks *inner[4];
    uint64_t counts[4][8];
} nest;

static void run_inner(void *user, uint32_t part, uint32_t member) {
    (void)member;
    nest *all = user;
    tr_tasks_run(all->inner[part], 8, add_one, all->counts[part]);
}

TEST(a_part_may_use_another_team) {
    nest all = {0};
    tr_tasks *outer = NULL;
    REQUIRE(tr_tasks_create(NULL, 4, &outer, NULL) == TR_OK);
    for (int i = 0; i < 4; i++)
        CHECK_INT(tr_tasks_create(NULL, 2, &all.inner[i], NULL), TR_OK);
    for (int round = 0; round < 20; round++)
        tr_tasks_run(outer, 4, run_inner, &all);
    for (int i = 0; i < 4; i++) {
        for (int part = 0; part < 8; part++)
            CHECK_INT(all.counts[i][part], 20);
        tr_tasks_destroy(all.inner[i]);
    }
    tr_tasks_destroy(outer);
}

TEST(zero_members_means_one_for_each_processor) {
    tr_tasks *tasks = NULL;
    REQUIRE(tr_tasks_create(NULL, 0, &tasks, NULL) == TR_OK);
    CHECK(tr_tasks_members(tasks) >= 1 && tr_tasks_members(tasks) <= TR_TASKS_MAX);
    check_round(tasks, 50);
    tr_tasks_destroy(tasks);
}

TEST(a_team_beyond_the_limit_is_refused_with_both_numbers) {
    tr_tasks *tasks = NULL;
    tr_error error;
    CHECK_INT(tr_tasks_create(NULL, TR_TASKS_MAX + 1, &tasks, &error), TR_LIMIT);
    CHECK(tasks == NULL);
    CHECK_CONTAINS(error.message, "65");
    CHECK_CONTAINS(error.message, "64");
    CHECK_INT(tr_tasks_create(NULL, UINT32_MAX, &tasks, NULL), TR_LIMIT);
}

static bool create_and_run(const tr_allocator *allocator) {
    tr_tasks *tasks = NULL;
    tr_error error;
    tr_status status = tr_tasks_create(allocator, 3, &tasks, &error);
    if (status == TR_OK)
        check_round(tasks, 10);
    else
        CHECK_INT(error.status, TR_OUT_OF_MEMORY);
    tr_tasks_destroy(tasks);
    return status == TR_OK;
}

TEST(nothing_leaks_whichever_allocation_fails) {
    CHECK_INT(CHECK_EVERY_ALLOCATION_FAILURE(create_and_run), 1);
}

TEST(running_does_not_allocate) {
    test_memory memory = {0};
    tr_allocator allocator = test_memory_allocator(&memory);
    tr_tasks *tasks = NULL;
    REQUIRE(tr_tasks_create(&allocator, 4, &tasks, NULL) == TR_OK);
    uint64_t before = memory.calls;
    for (int round = 0; round < 100; round++)
        check_round(tasks, 20);
    CHECK_INT(memory.calls, before);
    tr_tasks_destroy(tasks);
    CHECK_INT(memory.live_bytes, 0);
}
