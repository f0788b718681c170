#include "reach_world.h"

#include <string.h>

static const float tight = 0.02f; // [rad] at which paths are looked at again

static tr_arm_goal at_wrist(const tr_arm *arm, const tr_posture *posture) {
    tr_vec3 points[4];
    tr_arm_points(arm, posture, points);
    tr_arm_goal goal = {.kind = TR_ARM_GOAL_POSITION, .wrist = points[2]};
    return goal;
}

static float wrist_error(const tr_arm *arm, const tr_posture *posture, tr_vec3 wrist) {
    tr_vec3 points[4];
    tr_arm_points(arm, posture, points);
    return tr_vec3_length(tr_vec3_subtract(points[2], wrist));
}

// The path begins at the start, ends with the wrist at the goal, keeps limits and touches nothing.
static void check_path(const reach_world *world, const tr_posture *start, const tr_arm_goal *goal) {
    const tr_reach_result *result = tr_reach_last(world->reach);
    const tr_arm_path *path = &result->path;
    REQUIRE(path->count >= 1);
    tr_posture first = tr_arm_path_at(path, 0, NULL), last = tr_arm_path_at(path, path->count, NULL);
    for (int i = 0; i < TR_ARM_ANGLES; i++)
        CHECK_NEAR(first.q[i], start->q[i], 1e-3);
    CHECK(wrist_error(&world->arm, &last, goal->wrist) < 1e-4f);
    for (int k = 0; k <= 50; k++) {
        tr_posture posture = tr_arm_path_at(path, (path->count - 1) * k / 50.0, NULL);
        CHECK(tr_arm_allows(&world->arm, &posture, 1e-4f));
    }
    double room = judge_path(world, path, result->free_from, (double)tight);
    CHECK(room >= -1e-5);
    CHECK(tr_reach_is_free(world->reach, path, result->free_from, path->count));
}

TEST(clearance_is_what_brute_force_finds) {
    tr_random random = tr_random_seed(11);
    for (int round = 0; round < 12; round++) {
        reach_world world;
        world_begin(&world, round & 1 ? TR_ARM_LEFT : TR_ARM_RIGHT);
        if (round & 2)
            tr_arm_allow_help(&world.arm);
        draw_boxes(&random, &world, 8);
        world_end(&world, round % 3 == 0);
        for (int i = 0; i < 200; i++) {
            tr_posture posture = draw_posture(&random, &world.arm);
            double truth = judge_clearance(&world, &posture);
            double found = (double)tr_reach_clearance(world.reach, &posture, 0.02f);
            bool trunk = (round & 2) != 0; // the trunk may touch the scene where the arm does not
            if (fabs(truth) > 1e-5 && !(trunk && found < 0))
                CHECK((truth < 0) == (found < 0));
            if (truth >= 0)
                CHECK(found <= truth + 1e-5);
            if (truth >= 0 && !trunk && found >= 0)
                CHECK(found >= 0.0199 || found >= 0.5 * truth - 1e-5);
        }
        world_destroy(&world);
    }
}

TEST(paths_through_random_boxes_touch_nothing) {
    tr_random random = tr_random_seed(12);
    uint32_t found = 0, tried = 0;
    for (int round = 0; round < 30; round++) {
        reach_world world;
        world_begin(&world, round & 1 ? TR_ARM_LEFT : TR_ARM_RIGHT);
        draw_boxes(&random, &world, 3 + tr_random_below(&random, 8));
        world_end(&world, round & 2);
        for (int i = 0; i < 6; i++) {
            tr_posture start = draw_posture(&random, &world.arm), end = draw_posture(&random, &world.arm);
            if (judge_clearance(&world, &start) < 1e-3 || judge_clearance(&world, &end) < 1e-3)
                continue;
            tr_arm_goal goal = at_wrist(&world.arm, &end);
            tr_reach_params params = tr_reach_params_default();
            params.checks_max = 20000;
            tr_status status = tr_reach_plan(world.reach, &start, &goal, &params, NULL);
            CHECK(status == TR_OK ||
                  status == TR_PARTIAL); // nothing may be proven impossible: `end` is there
            tried++;
            if (status != TR_OK)
                continue;
            found++;
            check_path(&world, &start, &goal);
        }
        world_destroy(&world);
    }
    CHECK(tried > 30);
    CHECK(found * 10 >= tried * 9); // some are walled in
}

TEST(hand_directions_and_poses_are_kept) {
    tr_random random = tr_random_seed(13);
    uint32_t found = 0;
    for (int round = 0; round < 20; round++) {
        reach_world world;
        world_begin(&world, round & 1 ? TR_ARM_LEFT : TR_ARM_RIGHT);
        draw_boxes(&random, &world, 4);
        world_end(&world, true);
        for (int i = 0; i < 4; i++) {
            tr_posture start = draw_posture(&random, &world.arm), end = draw_posture(&random, &world.arm);
            if (judge_clearance(&world, &start) < 1e-3 || judge_clearance(&world, &end) < 1e-3)
                continue;
            tr_arm_goal goal = at_wrist(&world.arm, &end);
            tr_arm_place place = tr_arm_put(&world.arm, &end);
            goal.kind = i & 1 ? TR_ARM_GOAL_DIRECTION : TR_ARM_GOAL_POSE;
            goal.direction = tr_vec3_subtract(place.tip, place.wrist);
            goal.tolerance = 0.3f;
            goal.rotation = place.hand;
            tr_reach_params params = tr_reach_params_default();
            params.checks_max = 20000;
            if (tr_reach_plan(world.reach, &start, &goal, &params, NULL) != TR_OK)
                continue;
            found++;
            check_path(&world, &start, &goal);
            const tr_arm_path *path = &tr_reach_last(world.reach)->path;
            tr_posture last = path->knots[path->count - 1];
            tr_arm_place at = tr_arm_put(&world.arm, &last);
            tr_vec3 pointed = tr_vec3_subtract(at.tip, at.wrist);
            double cosine = (double)tr_vec3_dot(pointed, goal.direction) /
                            ((double)tr_vec3_length(pointed) * (double)tr_vec3_length(goal.direction));
            CHECK(cosine >= cos(i & 1 ? 0.3 : 0.0) - 1e-4);
            double same = fabs((double)at.hand.x * place.hand.x + (double)at.hand.y * place.hand.y +
                               (double)at.hand.z * place.hand.z + (double)at.hand.w * place.hand.w);
            if (!(i & 1))
                CHECK(same > 0.99999);
        }
        world_destroy(&world);
    }
    CHECK(found > 25);
}

// A wall with a window in front of the shoulder, beginning beyond the bent arm.
static void build_window(reach_world *world, float half) {
    tr_vec3 s = world->arm.shoulder;
    float z = s.z + 0.38f;
    world_box(world, tr_vec3_make(s.x - 1, s.y + half, z), tr_vec3_make(s.x + 1, s.y + 1, z + 0.02f));
    world_box(world, tr_vec3_make(s.x - 1, s.y - 1, z), tr_vec3_make(s.x + 1, s.y - half, z + 0.02f));
    world_box(world, tr_vec3_make(s.x - 1, s.y - half, z), tr_vec3_make(s.x - half, s.y + half, z + 0.02f));
    world_box(world, tr_vec3_make(s.x + half, s.y - half, z), tr_vec3_make(s.x + 1, s.y + half, z + 0.02f));
}

TEST(a_hand_finds_its_way_through_a_window) {
    reach_world world;
    world_begin(&world, TR_ARM_RIGHT);
    build_window(&world, 0.16f);
    world_end(&world, true);
    tr_posture start = {{0}};
    start.q[TR_SHOULDER_ABDUCTION] = 0.15f;
    start.q[TR_ELBOW_FLEXION] = 0.3f;
    CHECK(judge_clearance(&world, &start) > 0.01);
    tr_arm_goal goal = {.kind = TR_ARM_GOAL_POSITION, .wrist = world.arm.shoulder};
    goal.wrist.z += 0.5f;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        tr_reach_params params = tr_reach_params_default();
        params.seed = seed;
        tr_error error = {0};
        CHECK_INT(tr_reach_plan(world.reach, &start, &goal, &params, &error), TR_OK);
        check_path(&world, &start, &goal);
        CHECK(tr_reach_last(world.reach)->by != TR_REACH_BY_LINE);
    }
    world_destroy(&world);
}

TEST(the_same_seed_gives_the_same_bits) {
    reach_world world;
    world_begin(&world, TR_ARM_RIGHT);
    build_window(&world, 0.16f);
    world_end(&world, true);
    tr_posture start = {{0}}, kept[256];
    start.q[TR_SHOULDER_ABDUCTION] = 0.15f;
    start.q[TR_ELBOW_FLEXION] = 0.3f;
    tr_arm_goal goal = {.kind = TR_ARM_GOAL_POSITION, .wrist = world.arm.shoulder};
    goal.wrist.z += 0.5f;
    tr_reach_params params = tr_reach_params_default();
    params.seed = 5;
    REQUIRE(tr_reach_plan(world.reach, &start, &goal, &params, NULL) == TR_OK);
    tr_arm_path path = tr_reach_last(world.reach)->path;
    uint32_t count = path.count;
    REQUIRE(count <= 256);
    memcpy(kept, path.knots, count * sizeof *kept);
    params.seed = 6;
    tr_reach_plan(world.reach, &start, &goal, &params, NULL);
    params.seed = 5;
    REQUIRE(tr_reach_plan(world.reach, &start, &goal, &params, NULL) == TR_OK);
    path = tr_reach_last(world.reach)->path;
    CHECK_INT(path.count, count);
    CHECK(memcmp(kept, path.knots, count * sizeof *kept) == 0);
    world_destroy(&world);
}

TEST(an_empty_world_is_reached_straight) {
    reach_world world;
    world_begin(&world, TR_ARM_LEFT);
    world.body_count = 0;
    world_end(&world, false);
    tr_random random = tr_random_seed(14);
    for (int i = 0; i < 50; i++) {
        tr_posture start = draw_posture(&random, &world.arm), end = draw_posture(&random, &world.arm);
        if (judge_clearance(&world, &start) < 1e-3 || judge_clearance(&world, &end) < 1e-3)
            continue; // the hand against the upper arm
        tr_arm_goal goal = at_wrist(&world.arm, &end);
        tr_reach_params params = tr_reach_params_default();
        CHECK_INT(tr_reach_plan(world.reach, &start, &goal, &params, NULL), TR_OK);
        check_path(&world, &start, &goal);
    }
    world_destroy(&world);
    tr_reach_def def = tr_reach_def_default(NULL, &world.arm); // no solid at all
    tr_reach *reach;
    REQUIRE(tr_reach_create(&def, &reach, NULL) == TR_OK);
    tr_posture rest = {{0}}, bent = {{0}};
    bent.q[TR_ELBOW_FLEXION] = 1.2f;
    tr_arm_goal goal = at_wrist(&world.arm, &bent);
    tr_reach_params params = tr_reach_params_default();
    CHECK_INT(tr_reach_plan(reach, &rest, &goal, &params, NULL), TR_OK);
    CHECK_INT(tr_reach_last(reach)->by, TR_REACH_BY_LINE);
    tr_reach_destroy(reach);
}
