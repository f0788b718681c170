// The footstep window on terrain: against every configuration, and against a judge who knows the triangles.
#include "block.h"
#include "troupe/base/random.h"
#include "window_world.h"

static tr_scene *new_scene(void) {
    tr_scene *scene = NULL;
    CHECK_INT(tr_scene_create(NULL, &scene), TR_OK);
    return scene;
}

// Ground from z = a to z = b.
static void add_ground(tr_scene *scene, float a, float b, float y) {
    add_block(scene, "ground", tr_vec3_make(-1, y - 1, a), tr_vec3_make(1, y, b));
}

// Blocks of random heights, with gaps.
static void add_random_ground(tr_scene *scene, tr_random *random) {
    float z = -2, y = 0, rough = tr_random_between(random, 0, 0.35f);
    while (z < 7) {
        float length = z < 0 ? 2.3f : tr_random_between(random, 0.15f, 0.8f);
        if (z < 0 || tr_random_below(random, 8))
            add_ground(scene, z, z + length, z < 0 ? 0 : y + tr_random_between(random, -rough, rough));
        else
            length *= 1.2f;
        y += tr_random_between(random, -0.5f, 0.5f) * rough;
        z += length;
    }
}

static bool open_random(window_world *world, tr_random *random) {
    tr_scene *scene = new_scene();
    add_random_ground(scene, random);
    return open_world(world, scene, tr_random_between(random, 1.3f, 1.95f));
}

static void compare_methods(window_world *world, tr_random *random, uint32_t *found, uint32_t *partial) {
    lane_walker walker = stand_at(world, tr_random_between(random, -0.3f, 0.1f), 0);
    world->params.steps = 1 + tr_random_below(random, 3);
    world->params.intervals = 2 + tr_random_below(random, world->params.steps == 3 ? 5 : 12);
    walker.side = tr_random_below(random, 2);
    CHECK_INT(cut_around(world, &walker), TR_OK);
    tr_footstep_window_query query = query_of(world, &walker);
    tr_footstep_window_plan plans[3];
    tr_status status[3];
    for (int i = 0; i < 3; i++) {
        world->params.method = (tr_footstep_window_method)i;
        status[i] = tr_footstep_window_find(world->window, &query, &plans[i], NULL);
    }
    world->params.method = TR_FOOTSTEP_WINDOW_BEST;
    const tr_footstep_window_plan *best = &plans[0], *local = &plans[1], *every = &plans[2];
    CHECK_INT(status[0], status[2]);
    CHECK_INT(status[0], status[1]);
    CHECK_INT(best->step_count, every->step_count);
    CHECK_INT(best->step_count, local->step_count);
    if (best->step_count > 0) {
        CHECK(best->cost == every->cost);
        CHECK(local->cost >= best->cost);
        CHECK(best->examined <= every->examined);
    }
    *found += status[0] == TR_OK;
    *partial += status[0] == TR_PARTIAL;
}

TEST(branch_and_bound_finds_what_trying_everything_finds) {
    uint32_t found = 0, partial = 0;
    for (uint64_t seed = 1; seed <= 2500; seed++) {
        tr_random random = tr_random_seed(seed);
        window_world world;
        REQUIRE(open_random(&world, &random));
        compare_methods(&world, &random, &found, &partial);
        close_world(&world);
    }
    CHECK(found > 1000);
    CHECK(partial > 50);
}

TEST(windows_of_the_papers_size_are_the_best_of_all) {
    for (uint64_t seed = 1; seed <= 25; seed++) {
        window_world world;
        REQUIRE(open_sample(&world, "uneven", seed, 1.75f));
        lane_walker walker = stand_at(&world, 0.05f * (float)(seed % 9), 0);
        tr_footstep_window_plan best, every;
        for (int step = 0; step < 3; step++) {
            CHECK_INT(cut_around(&world, &walker), TR_OK);
            tr_footstep_window_query query = query_of(&world, &walker);
            REQUIRE(tr_footstep_window_find(world.window, &query, &best, NULL) == TR_OK);
            world.params.method = TR_FOOTSTEP_WINDOW_EVERY;
            REQUIRE(tr_footstep_window_find(world.window, &query, &every, NULL) == TR_OK);
            world.params.method = TR_FOOTSTEP_WINDOW_BEST;
            CHECK(best.cost == every.cost);
            take_step(&walker, &best);
        }
        close_world(&world);
    }
}

// Li's figure 8: who looks one step ahead walks into the pit; who looks three ahead strides over it.
TEST(without_a_window_she_is_trapped_and_with_it_she_strides_over) {
    uint32_t trapped = 0, starts = 24;
    for (uint32_t i = 0; i < starts; i++) {
        window_world world;
        REQUIRE(open_sample(&world, "trap", 0, 1.75f));
        float begin = -0.4f + 0.05f * (float)i;
        lane_walker walker = stand_at(&world, begin, 0);
        walk_result result = walk(&world, &walker, 0);
        CHECK(result.arrived);
        CHECK_NEAR(result.y, 0, 1e-5);
        world.params.steps = 1;
        walker = stand_at(&world, begin, 0);
        result = walk(&world, &walker, 0);
        if (!result.arrived) {
            trapped++;
            CHECK(result.y < -0.3f); // in the pit
            CHECK_INT(result.status, TR_NOT_FOUND);
            CHECK_INT(result.reason, TR_STRIDE_TOO_HIGH);
        }
        close_world(&world);
    }
    CHECK(trapped >= 3);
}

static void check_verdict(const lane_verdict *verdict, const window_world *world) {
    CHECK(verdict->sole < 1e-3);
    CHECK(verdict->support > (double)world->params.support_least - 0.08);
    CHECK(verdict->leg > 0.3 * (double)world->body.radius);
    CHECK(verdict->stretch < 1e-3);
}

TEST(every_step_over_random_terrain_is_sound_at_every_moment) {
    uint32_t arrived = 0, stopped = 0, moments = 0;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        window_world world;
        REQUIRE(open_sample(&world, "rough", seed, 1.5f + 0.02f * (float)(seed % 20)));
        lane_walker walker = stand_at(&world, -0.5f, 0);
        walk_result result = walk(&world, &walker, 120);
        check_verdict(&result.verdict, &world);
        arrived += result.arrived;
        stopped += !result.arrived && result.status == TR_NOT_FOUND && result.reason > TR_STRIDE_OUTSIDE;
        moments += result.verdict.moments;
        close_world(&world);
    }
    CHECK_INT(arrived + stopped, 30);
    CHECK(arrived >= 10);
    CHECK(moments > 10000);
}

typedef struct stop_case {
    const char *name;
    float gap_from, gap_to, bottom; // a pit; its bottom
    float block, high;              // a block from `block` on
    tr_stride_reason reason, other;
} stop_case;

TEST(a_walker_stops_on_both_feet_before_what_she_cannot_cross_and_says_why) {
    static const stop_case cases[] = {
        {"gap", 2, 4, -50, 9, 0, TR_STRIDE_NO_FLOOR, TR_STRIDE_UNEVEN},
        {"pit", 2, 4, -0.9f, 9, -0.9f, TR_STRIDE_TOO_DEEP, TR_STRIDE_UNEVEN},
        {"step", 9, 9, 0, 2, 0.8f, TR_STRIDE_FOOT, TR_STRIDE_CROWDED},
        {"wall", 9, 9, 0, 2, 2.5f, TR_STRIDE_FOOT, TR_STRIDE_CROWDED},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const stop_case *stop = &cases[i];
        tr_scene *scene = new_scene();
        window_world world;
        add_ground(scene, -2, stop->gap_from < stop->block ? stop->gap_from : stop->block, 0);
        if (stop->gap_to > stop->gap_from) {
            if (stop->bottom > -10)
                add_ground(scene, stop->gap_from, stop->gap_to, stop->bottom);
            add_ground(scene, stop->gap_to, 9, 0);
        } else {
            add_ground(scene, stop->block, 9, 0);
            add_block(scene, "block", tr_vec3_make(-1, 0, stop->block),
                      tr_vec3_make(1, stop->high, stop->block + (stop->high > 1 ? 0.2f : 3)));
        }
        REQUIRE(open_world(&world, scene, 1.75f));
        world.goal = 8;
        lane_walker walker = stand_at(&world, -0.5f, 0);
        walk_result result = walk(&world, &walker, 60);
        CHECK(!result.arrived);
        CHECK_INT(result.status, TR_NOT_FOUND);
        CHECK(result.z > 1.2f && result.z < 2);
        CHECK_NEAR(result.y, 0, 1e-5);
        if (result.reason != stop->reason && result.reason != stop->other)
            test_failed(__FILE__, __LINE__, "%s: %s", stop->name, tr_stride_reason_text(result.reason));
        check_verdict(&result.verdict, &world);
        close_world(&world);
    }
}

TEST(stairs_are_climbed_and_descended_one_tread_a_step) {
    tr_scene *scene = new_scene();
    window_world world;
    add_ground(scene, -2, 1, 0);
    for (int i = 0; i < 8; i++)
        add_ground(scene, 1 + 0.29f * (float)i, 1.29f + 0.29f * (float)i, 0.17f * (float)(i + 1));
    add_ground(scene, 3.32f, 5, 1.36f);
    for (int i = 0; i < 8; i++)
        add_ground(scene, 5 + 0.29f * (float)i, 5.29f + 0.29f * (float)i, 1.36f - 0.17f * (float)(i + 1));
    add_ground(scene, 7.32f, 12, 0);
    REQUIRE(open_world(&world, scene, 1.75f));
    world.goal = 9;
    lane_walker walker = stand_at(&world, -0.5f, 0);
    walk_result result = walk(&world, &walker, 120);
    CHECK(result.arrived);
    CHECK(result.steps >= 20 && result.steps <= 36);
    check_verdict(&result.verdict, &world);
    close_world(&world);
}

TEST(steps_backwards_are_planned_with_the_toes_behind) {
    tr_scene *scene = new_scene();
    window_world world;
    add_ground(scene, -2, 1.5f, 0);
    add_ground(scene, 1.5f, 8, -0.15f);
    REQUIRE(open_world(&world, scene, 1.75f));
    world.params.length_least = 0.15f, world.params.length_most = 0.5f;
    lane_walker walker = stand_at(&world, 0, 0);
    for (int i = 0; i < 2; i++)
        walker.feet[i].aside = -walker.feet[i].aside;
    lane_verdict verdict = {.support = 1, .leg = INFINITY};
    for (int step = 0; step < 8; step++) {
        tr_footstep_window_plan plan;
        REQUIRE(cut_around(&world, &walker) == TR_OK);
        tr_footstep_window_query query = query_of(&world, &walker);
        query.facing = -1;
        REQUIRE(tr_footstep_window_find(world.window, &query, &plan, NULL) == TR_OK);
        judge_stride(&world, &plan.strides[0], walker.base, 120, &verdict);
        CHECK_NEAR(fabsf(plan.footsteps[0].heading), 3.14159265, 1e-5);
        CHECK(plan.strides[0].to.along > plan.strides[0].stance.along);
        take_step(&walker, &plan);
    }
    check_verdict(&verdict, &world);
    CHECK_NEAR(walker.feet[0].height, -0.15f, 1e-6);
    close_world(&world);
}

static bool refuse_far(void *user, const tr_stride *stride) {
    uint32_t *calls = user;
    (*calls)++;
    return stride->to.along - stride->stance.along < 0.5f;
}

static void count_reason(void *user, const tr_stride *stride, tr_stride_reason reason) {
    uint32_t *counts = user;
    CHECK(stride->duration > 0);
    counts[reason]++;
}

TEST(a_caller_may_veto_steps_and_see_all_that_are_examined) {
    tr_scene *scene = new_scene();
    window_world world;
    add_ground(scene, -2, 9, 0);
    REQUIRE(open_world(&world, scene, 1.75f));
    lane_walker walker = stand_at(&world, 0, 0);
    tr_footstep_window_plan plan;
    uint32_t counts[TR_STRIDE_REASONS] = {0};
    REQUIRE(cut_around(&world, &walker) == TR_OK);
    tr_footstep_window_query query = query_of(&world, &walker);
    query.see = count_reason, query.user = counts;
    CHECK_INT(tr_footstep_window_find(world.window, &query, &plan, NULL), TR_OK);
    CHECK_INT(counts[TR_STRIDE_FINE], plan.examined);
    CHECK(plan.lengths[0] > 0.6f && plan.lengths[2] > 0.6f);
    uint32_t calls = 0;
    query.see = NULL, query.allow = refuse_far, query.user = &calls;
    CHECK_INT(tr_footstep_window_find(world.window, &query, &plan, NULL), TR_OK);
    for (int i = 0; i < 3; i++)
        CHECK(plan.lengths[i] < 0.5f);
    CHECK(calls > 3);
    close_world(&world);
}

// A bar at the height of the shin beside the lane of the feet, which only capsules meet.
TEST(capsules_see_what_is_beside_the_lanes) {
    tr_scene *scene = new_scene();
    window_world world;
    add_ground(scene, -2, 9, 0);
    REQUIRE(open_world(&world, scene, 1.75f));
    lane_walker walker = stand_at(&world, 0, 0);
    tr_footstep_window_plan plan;
    REQUIRE(cut_around(&world, &walker) == TR_OK);
    tr_footstep_window_query query = query_of(&world, &walker);
    CHECK_INT(tr_footstep_window_find(world.window, &query, &plan, NULL), TR_OK);
    float share = -1;
    CHECK(tr_footstep_window_clear(world.solid, world.profile, &world.body, &plan.strides[0], 16, &share));
    CHECK_NEAR(share, -1, 0);
    add_block(world.scene, "bar", tr_vec3_make(0.1f, 0.55f, 0.2f), tr_vec3_make(0.4f, 0.6f, 0.24f));
    CHECK_INT(tr_solid_update(world.solid, NULL, NULL), TR_OK);
    CHECK(!tr_footstep_window_clear(world.solid, world.profile, &world.body, &plan.strides[0], 16, &share));
    CHECK(share > 0 && share < 1);
    close_world(&world);
}

TEST(an_adult_prefers_the_cheapest_pace_and_gentle_slopes_down) {
    CHECK_NEAR(tr_footstep_window_energy(1.75f, 0.72f, 0), 0, 1e-3);
    CHECK(tr_footstep_window_energy(1.75f, 0.4f, 0) > 0.05f);
    CHECK(tr_footstep_window_energy(1.75f, 0.9f, 0) > 0.3f);
    CHECK(tr_footstep_window_energy(1.75f, 0.7f, -0.07f) < 0);
    // Minetti's cost at a gradient of 0.3, less that of level ground.
    CHECK_NEAR(tr_footstep_window_energy(1.75f, 0.5f, 0.15f) - tr_footstep_window_energy(1.75f, 0.5f, 0),
               0.5f * (280.5 * 0.00243 - 58.7 * 0.0081 - 76.8 * 0.027 + 51.9 * 0.09 + 19.6 * 0.3), 1e-3);
}

TEST(bad_values_are_refused) {
    tr_scene *scene = new_scene();
    window_world world;
    add_ground(scene, -2, 9, 0);
    REQUIRE(open_world(&world, scene, 1.75f));
    lane_walker walker = stand_at(&world, 0, 0);
    tr_footstep_window_plan plan;
    tr_error error;
    REQUIRE(cut_around(&world, &walker) == TR_OK);
    const tr_footstep_window_params fine = world.params;
    float *const fields[] = {&world.params.length_least,
                             &world.params.length_most,
                             &world.params.rise_most,
                             &world.params.drop_most,
                             &world.params.level,
                             &world.params.clear,
                             &world.params.aside,
                             &world.params.energy,
                             &world.body.thigh,
                             &world.body.knee_most,
                             &world.body.toe};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        float was = *fields[i];
        static const float values[] = {NAN, INFINITY, -1};
        for (int k = 0; k < 3; k++) {
            *fields[i] = values[k];
            tr_footstep_window_query query = query_of(&world, &walker);
            CHECK_INT(tr_footstep_window_find(world.window, &query, &plan, &error), TR_INVALID);
        }
        *fields[i] = was;
    }
    tr_footstep_window_query query = query_of(&world, &walker);
    query.feet[1].height = NAN;
    CHECK_INT(tr_footstep_window_find(world.window, &query, &plan, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "right foot");
    query = query_of(&world, &walker);
    query.facing = 0.5f;
    CHECK_INT(tr_footstep_window_find(world.window, &query, &plan, &error), TR_INVALID);
    const float lengths[1] = {NAN};
    query = query_of(&world, &walker);
    query.lengths = lengths, query.length_count = 1;
    CHECK_INT(tr_footstep_window_find(world.window, &query, &plan, &error), TR_INVALID);
    query = query_of(&world, &walker);
    world.params.intervals = 14;
    CHECK_INT(tr_footstep_window_find(world.window, &query, &plan, &error), TR_LIMIT);
    world.params = fine;
    world.params.steps = 6, world.params.method = TR_FOOTSTEP_WINDOW_DESCENT;
    CHECK_INT(tr_footstep_window_find(world.window, &query, &plan, &error), TR_LIMIT);
    CHECK_CONTAINS(error.message, "7529536");
    tr_footstep_window *none;
    CHECK_INT(tr_footstep_window_create(NULL, 7, 3, 10, &none, &error), TR_INVALID);
    CHECK_INT(tr_footstep_window_create(NULL, 3, 32, 10, &none, &error), TR_INVALID);
    close_world(&world);
}

static bool make_once(const tr_allocator *allocator) {
    tr_footstep_window *window;
    bool made = tr_footstep_window_create(allocator, 3, 13, 200, &window, NULL) == TR_OK;
    tr_footstep_window_destroy(window);
    return made;
}

TEST(a_window_gives_everything_back_when_memory_runs_out) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(make_once) >= 8);
}
