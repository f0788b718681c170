#include "reach_world.h"

#include <string.h>

static const tr_posture hanging = {{0.1f, 0.3f, 0, 0.3f}};

static void expect(reach_world *world, const tr_posture *start, const tr_arm_goal *goal, tr_status status,
                   tr_reach_reason reason, const char *words) {
    tr_reach_params params = tr_reach_params_default();
    params.checks_max = 20000;
    tr_error error = {0};
    CHECK_INT(tr_reach_plan(world->reach, start, goal, &params, &error), status);
    CHECK_INT(tr_reach_last(world->reach)->reason, reason);
    CHECK_INT(tr_reach_last(world->reach)->path.count, 0);
    CHECK_CONTAINS(error.message, words);
}

TEST(goals_that_cannot_be_reached_are_told_apart) {
    reach_world world;
    world_begin(&world, TR_ARM_RIGHT);
    tr_vec3 s = world.arm.shoulder;
    world_box(&world, tr_vec3_make(s.x - 0.2f, s.y - 0.1f, s.z + 0.3f), tr_vec3_make(s.x, s.y, s.z + 0.5f));
    world_end(&world, true);
    tr_arm_goal goal = {.kind = TR_ARM_GOAL_POSITION, .wrist = tr_vec3_add(s, tr_vec3_make(0, 0, 2))};
    expect(&world, &hanging, &goal, TR_NOT_FOUND, TR_REACH_GOAL_TOO_FAR, "too far");
    goal.wrist = tr_vec3_add(s, tr_vec3_make(0, 0, 0.01f));
    expect(&world, &hanging, &goal, TR_NOT_FOUND, TR_REACH_GOAL_TOO_NEAR, "too near");
    goal.wrist = tr_vec3_add(s, tr_vec3_make(0.35f, 0.3f, -0.3f)); // behind the other side of the back
    expect(&world, &hanging, &goal, TR_NOT_FOUND, TR_REACH_GOAL_LIMITS, "limits");
    goal.wrist = tr_vec3_add(s, tr_vec3_make(-0.1f, 0.02f, 0.4f)); // in the top of the box
    expect(&world, &hanging, &goal, TR_NOT_FOUND, TR_REACH_GOAL_INSIDE, "inside an obstacle");
    world_destroy(&world);
}

TEST(a_goal_in_the_body_is_told_at_once) {
    for (int solid = 0; solid < 2; solid++) {
        reach_world world;
        world_begin(&world, TR_ARM_RIGHT);
        tr_arm_allow_help(&world.arm);
        tr_vec3 s = world.arm.shoulder;
        world_box(&world, tr_vec3_make(s.x, s.y, s.z + 2), tr_vec3_make(s.x + 1, s.y + 1, s.z + 3));
        world_end(&world, true);
        if (!solid) { // an empty world has a body too
            tr_reach_destroy(world.reach);
            tr_reach_def def = tr_reach_def_default(NULL, &world.arm);
            def.bodies = world.bodies;
            def.body_count = world.body_count;
            REQUIRE(tr_reach_create(&def, &world.reach, NULL) == TR_OK);
        }
        // In the front of the trunk, beside the middle of it.
        tr_arm_goal goal = {.kind = TR_ARM_GOAL_POSITION, .wrist = {-0.02f, s.y - 0.3f, 0.06f}};
        expect(&world, &hanging, &goal, TR_NOT_FOUND, TR_REACH_GOAL_IN_BODY, "inside the body");
        CHECK(tr_reach_last(world.reach)->checks < 100);
        // Nothing is claimed where the trunk may lean away with what is on it.
        tr_reach_params params = tr_reach_params_default();
        params.checks_max = 500;
        params.help = true;
        tr_reach_plan(world.reach, &hanging, &goal, &params, NULL);
        CHECK(tr_reach_last(world.reach)->reason != TR_REACH_GOAL_IN_BODY);
        goal.wrist.z = 0.3f;
        CHECK_INT(tr_reach_plan(world.reach, &hanging, &goal, &params, NULL), TR_OK);
        world_destroy(&world);
    }
}

TEST(a_direction_that_no_wrist_bends_to_is_proven) {
    reach_world world;
    world_begin(&world, TR_ARM_RIGHT);
    tr_vec3 s = world.arm.shoulder;
    world_box(&world, tr_vec3_make(s.x, s.y, s.z + 2), tr_vec3_make(s.x + 1, s.y + 1, s.z + 3));
    world_end(&world, true);
    // Far ahead, where the forearm points ahead too: back is out of the question, up is not.
    float length = world.arm.length[0] + world.arm.length[1];
    tr_arm_goal goal = {.kind = TR_ARM_GOAL_DIRECTION,
                        .wrist = tr_vec3_add(s, tr_vec3_make(0, -0.05f, 0.9f * length)),
                        .direction = {0, 0, -2},
                        .tolerance = 0.4f};
    expect(&world, &hanging, &goal, TR_NOT_FOUND, TR_REACH_GOAL_LIMITS, "limits");
    goal.direction = tr_vec3_make(0, 1, 0.3f);
    CHECK_INT(tr_reach_plan(world.reach, &hanging, &goal, &(tr_reach_params){.checks_max = 20000}, NULL),
              TR_OK);
    goal.direction = tr_vec3_make(0, 0, -2);
    goal.tolerance = 3.1f;
    CHECK_INT(tr_reach_plan(world.reach, &hanging, &goal, &(tr_reach_params){.checks_max = 20000}, NULL),
              TR_OK);
    world_destroy(&world);
}

// Whatever a random posture shows to be possible must not be said to be impossible.
TEST(proofs_never_deny_what_a_posture_shows) {
    reach_world world;
    world_begin(&world, TR_ARM_LEFT);
    tr_vec3 s = world.arm.shoulder;
    world_box(&world, tr_vec3_make(s.x - 0.5f, s.y - 0.5f, s.z + 0.3f),
              tr_vec3_make(s.x + 0.5f, s.y - 0.45f, s.z + 0.9f));
    world_end(&world, true);
    tr_random random = tr_random_seed(5);
    uint32_t asked = 0;
    for (int i = 0; i < 3000; i++) {
        tr_posture posture = {{0}};
        for (int k = 0; k < TR_ARM_JOINTS; k++)
            posture.q[k] = tr_random_between(&random, world.arm.low.q[k], world.arm.high.q[k]);
        if (tr_reach_clearance(world.reach, &posture, 0.01f) < 0.002f)
            continue;
        tr_vec3 points[4];
        tr_arm_points(&world.arm, &posture, points);
        tr_arm_goal goal = {.kind = TR_ARM_GOAL_DIRECTION,
                            .wrist = points[2],
                            .direction = tr_vec3_subtract(points[3], points[2]),
                            .tolerance = i % 2 ? 0.001f : 0.3f};
        tr_reach_params params = tr_reach_params_default();
        params.checks_max = 300;
        asked++;
        if (tr_reach_plan(world.reach, &hanging, &goal, &params, NULL) != TR_OK)
            CHECK_INT(tr_reach_last(world.reach)->reason, TR_REACH_OUT_OF_BUDGET);
    }
    CHECK(asked > 1000);
    world_destroy(&world);
}

TEST(a_goal_in_a_closed_box_is_proven_blocked) {
    reach_world world;
    world_begin(&world, TR_ARM_RIGHT);
    tr_vec3 s = world.arm.shoulder, m = tr_vec3_add(s, tr_vec3_make(-0.05f, -0.1f, 0.4f));
    // Large enough for the wrist, too small for the forearm: it must cross a side.
    world_box(&world, tr_vec3_make(m.x - 0.06f, m.y - 0.06f, m.z - 0.06f),
              tr_vec3_make(m.x + 0.06f, m.y + 0.06f, m.z + 0.06f));
    world_end(&world, true);
    tr_arm_goal goal = {.kind = TR_ARM_GOAL_POSITION, .wrist = m};
    expect(&world, &hanging, &goal, TR_NOT_FOUND, TR_REACH_GOAL_BLOCKED, "every posture");
    world_destroy(&world);
}

TEST(a_goal_behind_a_closed_wall_runs_out_of_budget) {
    reach_world world;
    world_begin(&world, TR_ARM_RIGHT);
    tr_vec3 s = world.arm.shoulder;
    // A cage around all that the arm can reach behind a wall with a slit too narrow for the hand.
    world_box(&world, tr_vec3_make(s.x - 1, s.y - 1, s.z + 0.25f),
              tr_vec3_make(s.x + 1, s.y + 1, s.z + 0.26f));
    world_end(&world, true);
    tr_arm_goal goal = {.kind = TR_ARM_GOAL_POSITION, .wrist = tr_vec3_add(s, tr_vec3_make(0, 0, 0.45f))};
    tr_reach_params params = tr_reach_params_default();
    params.checks_max = 5000;
    tr_status status = tr_reach_plan(world.reach, &hanging, &goal, &params, NULL);
    // Whatever holds the wrist there has its forearm or upper arm through the wall.
    CHECK_INT(status, TR_NOT_FOUND);
    CHECK_INT(tr_reach_last(world.reach)->reason, TR_REACH_GOAL_BLOCKED);
    world_destroy(&world);
}

TEST(a_start_that_touches_gets_out_or_says_so) {
    reach_world world;
    world_begin(&world, TR_ARM_RIGHT);
    tr_vec3 s = world.arm.shoulder;
    world_box(&world, tr_vec3_make(s.x - 0.3f, s.y - 0.9f, s.z + 0.06f),
              tr_vec3_make(s.x + 0.3f, s.y - 0.25f, s.z + 0.5f));
    world_end(&world, true);
    tr_posture in_table = {{0.12f, 0.1f}}; // the forearm a little in the front of the box
    CHECK(judge_clearance(&world, &in_table) < 0);
    CHECK(judge_clearance(&world, &in_table) > -0.06);
    tr_arm_goal goal = {.kind = TR_ARM_GOAL_POSITION, .wrist = tr_vec3_add(s, tr_vec3_make(-0.2f, 0, 0.35f))};
    tr_reach_params params = tr_reach_params_default();
    tr_error error = {0};
    CHECK_INT(tr_reach_plan(world.reach, &in_table, &goal, &params, &error), TR_OK);
    const tr_reach_result *result = tr_reach_last(world.reach);
    CHECK(result->start_touched);
    CHECK(result->free_from > 0);
    CHECK_NEAR(tr_arm_path_at(&result->path, 0, NULL).q[0], 0.12, 1e-5);
    CHECK(judge_path(&world, &result->path, result->free_from, 0.02) >= -1e-5);
    world_destroy(&world);
    world_begin(&world, TR_ARM_RIGHT); // shut in: slabs through upper arm and forearm everywhere
    s = world.arm.shoulder;
    for (int i = 0; i < 12; i++) {
        float y = s.y - 0.55f + 0.09f * (float)i;
        world_box(&world, tr_vec3_make(s.x - 1, y, s.z - 1), tr_vec3_make(s.x + 1, y + 0.01f, s.z + 1));
    }
    world_end(&world, true);
    expect(&world, &hanging, &goal, TR_NOT_FOUND, TR_REACH_START_TOUCHES, "start");
    world_destroy(&world);
}

TEST(bad_input_is_refused_with_the_value) {
    reach_world world;
    world_begin(&world, TR_ARM_RIGHT);
    world_end(&world, false);
    tr_arm_goal goal = {.kind = TR_ARM_GOAL_POSITION, .wrist = {NAN, 0, 0}};
    tr_reach_params params = tr_reach_params_default();
    tr_error error = {0};
    CHECK_INT(tr_reach_plan(world.reach, &hanging, &goal, &params, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "not finite");
    goal.wrist = tr_vec3_make(0, 1, 0.3f);
    goal.kind = TR_ARM_GOAL_DIRECTION;
    CHECK_INT(tr_reach_plan(world.reach, &hanging, &goal, &params, &error), TR_INVALID);
    tr_posture bad = hanging;
    bad.q[2] = NAN;
    goal.kind = TR_ARM_GOAL_POSITION;
    CHECK_INT(tr_reach_plan(world.reach, &bad, &goal, &params, &error), TR_INVALID);
    bad.q[2] = 3; // further than a shoulder turns
    expect(&world, &bad, &goal, TR_NOT_FOUND, TR_REACH_START_LIMITS, "limits");
    CHECK(tr_reach_clearance(world.reach, &(tr_posture){{NAN}}, 0.1f) < 0);
    tr_affine nowhere = tr_affine_identity();
    nowhere.m[0][3] = INFINITY;
    CHECK_INT(tr_reach_place(world.reach, &nowhere), TR_INVALID);
    tr_reach *reach;
    tr_reach_def def = tr_reach_def_default(NULL, &world.arm);
    def.arm.length[1] = 0;
    CHECK_INT(tr_reach_create(&def, &reach, &error), TR_INVALID);
    CHECK(reach == NULL);
    def = tr_reach_def_default(NULL, &world.arm);
    def.margin = -1;
    CHECK_INT(tr_reach_create(&def, &reach, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "-1");
    def.margin = 0, def.body_count = 17, def.bodies = world.bodies;
    CHECK_INT(tr_reach_create(&def, &reach, &error), TR_LIMIT);
    CHECK_CONTAINS(error.message, "17");
    world_destroy(&world);
}

TEST(limits_that_exclude_everything_are_told_at_once) {
    reach_world world;
    world_begin(&world, TR_ARM_RIGHT);
    for (int i = 0; i < TR_ARM_JOINTS; i++)
        world.arm.low.q[i] = world.arm.high.q[i] = 0; // a stiff arm
    world_end(&world, false);
    tr_posture rest = {{0}};
    tr_arm_goal goal = {.kind = TR_ARM_GOAL_POSITION,
                        .wrist = tr_vec3_add(world.arm.shoulder, tr_vec3_make(0, 0, 0.4f))};
    tr_reach_params params = tr_reach_params_default();
    CHECK_INT(tr_reach_plan(world.reach, &rest, &goal, &params, NULL), TR_NOT_FOUND);
    CHECK(tr_reach_last(world.reach)->reason != TR_REACH_FOUND);
    CHECK(tr_reach_last(world.reach)->checks < 10);
    world_destroy(&world);
}

TEST(an_arm_that_moves_goes_on_before_it_turns) {
    reach_world world;
    world_begin(&world, TR_ARM_RIGHT);
    tr_vec3 s = world.arm.shoulder;
    world_box(&world, tr_vec3_make(s.x - 0.3f, s.y - 0.3f, s.z + 0.25f),
              tr_vec3_make(s.x + 0.3f, s.y - 0.2f, s.z + 0.5f));
    world_end(&world, true);
    tr_posture start = {{0.2f, 0.4f, 0, 1.0f}}, velocity = {{0.8f, 0, 0.3f, -0.5f}};
    tr_arm_goal goal = {.kind = TR_ARM_GOAL_POSITION,
                        .wrist = tr_vec3_add(s, tr_vec3_make(-0.1f, 0.1f, 0.35f))};
    tr_reach_params params = tr_reach_params_default();
    params.velocity = &velocity;
    REQUIRE(tr_reach_plan(world.reach, &start, &goal, &params, NULL) == TR_OK);
    const tr_reach_result *result = tr_reach_last(world.reach);
    tr_posture along;
    tr_arm_path_at(&result->path, 0, &along);
    double dot = 0, a = 0, b = 0;
    for (int i = 0; i < TR_ARM_ANGLES; i++)
        dot += (double)along.q[i] * velocity.q[i], a += (double)along.q[i] * along.q[i],
            b += (double)velocity.q[i] * velocity.q[i];
    CHECK_NEAR(dot / sqrt(a * b), 1, 1e-4);
    CHECK(judge_path(&world, &result->path, 0, 0.02) >= -1e-5);
    world_destroy(&world);
}

TEST(the_trunk_helps_where_the_arm_is_short) {
    reach_world world;
    world_begin(&world, TR_ARM_RIGHT);
    tr_arm_allow_help(&world.arm);
    world_end(&world, false);
    tr_vec3 s = world.arm.shoulder;
    float reach = world.arm.length[0] + world.arm.length[1];
    tr_arm_goal goal = {.kind = TR_ARM_GOAL_POSITION,
                        .wrist = tr_vec3_add(s, tr_vec3_make(0.1f, -0.1f, reach + 0.12f))};
    expect(&world, &hanging, &goal, TR_NOT_FOUND, TR_REACH_GOAL_TOO_FAR, "too far");
    tr_reach_params params = tr_reach_params_default();
    params.help = true;
    tr_error error = {0};
    CHECK_INT(tr_reach_plan(world.reach, &hanging, &goal, &params, &error), TR_OK);
    const tr_reach_result *result = tr_reach_last(world.reach);
    REQUIRE(result->path.count > 1);
    const tr_posture *last = &result->path.knots[result->path.count - 1];
    CHECK(fabsf(last->q[TR_WAIST_LEAN]) + fabsf(last->q[TR_WAIST_TURN]) + fabsf(last->q[TR_COLLAR]) > 0.05f);
    tr_vec3 points[4];
    tr_arm_points(&world.arm, last, points);
    CHECK(tr_vec3_length(tr_vec3_subtract(points[2], goal.wrist)) < 1e-4f);
    CHECK(judge_path(&world, &result->path, 0, 0.02) >= -1e-5);
    goal.wrist.z += 0.1f - reach - 0.12f + 0.3f; // within the arm's own reach: no help is taken
    CHECK_INT(tr_reach_plan(world.reach, &hanging, &goal, &params, &error), TR_OK);
    result = tr_reach_last(world.reach);
    CHECK_NEAR(result->path.knots[result->path.count - 1].q[TR_WAIST_LEAN], 0, 1e-6);
    world_destroy(&world);
}

TEST(planning_allocates_nothing) {
    reach_world world;
    world_begin(&world, TR_ARM_RIGHT);
    tr_random random = tr_random_seed(15);
    draw_boxes(&random, &world, 6);
    world_end(&world, true);
    test_memory memory = {0};
    tr_allocator allocator = test_memory_allocator(&memory);
    tr_reach_def def = tr_reach_def_default(world.solid, &world.arm);
    def.allocator = &allocator;
    tr_reach *reach;
    REQUIRE(tr_reach_create(&def, &reach, NULL) == TR_OK);
    uint64_t before = memory.calls;
    for (int i = 0; i < 20; i++) {
        tr_posture start = draw_posture(&random, &world.arm), end = draw_posture(&random, &world.arm);
        tr_vec3 points[4];
        tr_arm_points(&world.arm, &end, points);
        tr_arm_goal goal = {.kind = TR_ARM_GOAL_POSITION, .wrist = points[2]};
        tr_reach_params params = tr_reach_params_default();
        params.checks_max = 3000;
        tr_reach_plan(reach, &start, &goal, &params, NULL);
    }
    CHECK_INT(memory.calls, before);
    tr_reach_destroy(reach);
    CHECK_INT(memory.live_bytes, 0);
    world_destroy(&world);
}

static bool create(const tr_allocator *allocator) {
    tr_arm arm = tr_arm_default(TR_ARM_RIGHT, 1.7f);
    tr_reach_def def = tr_reach_def_default(NULL, &arm);
    def.allocator = allocator;
    tr_reach *reach;
    if (tr_reach_create(&def, &reach, NULL) != TR_OK)
        return false;
    tr_reach_destroy(reach);
    return true;
}

TEST(every_allocation_may_fail) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(create) > 5);
}
