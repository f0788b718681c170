// What a planner says of itself holds: proofs, certificates, budgets, bodies that lean.
#include "reach_world.h"

#include <string.h>

static tr_arm_goal position(const tr_arm *arm, const tr_posture *posture) {
    tr_vec3 points[4];
    tr_arm_points(arm, posture, points);
    return (tr_arm_goal){.kind = TR_ARM_GOAL_POSITION, .wrist = points[2]};
}

TEST(help_of_the_trunk_is_never_proven_useless_where_it_helps) {
    reach_world world;
    world_begin(&world, TR_ARM_LEFT);
    tr_arm_allow_help(&world.arm);
    for (int i = 0; i < 4; i++) { // little freedom in the arm: few leans and turns do
        float middle = 0.5f * (world.arm.low.q[i] + world.arm.high.q[i]);
        world.arm.low.q[i] = middle - 0.05f, world.arm.high.q[i] = middle + 0.05f;
    }
    world.body_count = 0;
    world_end(&world, false);
    tr_random random = tr_random_seed(11);
    tr_reach_params params = tr_reach_params_default();
    params.help = true;
    params.checks_max = 2000;
    uint32_t found = 0;
    tr_posture start = tr_arm_clamp(&world.arm, (tr_posture){{0}});
    for (int i = 0; i < 200; i++) {
        tr_posture at = draw_posture(&random, &world.arm);
        tr_arm_goal goal = position(&world.arm, &at);
        tr_status status = tr_reach_plan(world.reach, &start, &goal, &params, NULL);
        CHECK(status == TR_OK || status == TR_PARTIAL);
        CHECK_INT(tr_reach_last(world.reach)->reason, status ? TR_REACH_OUT_OF_BUDGET : TR_REACH_FOUND);
        found += status == TR_OK;
    }
    CHECK(found > 100);
    // What no help brings nearer is still proven.
    tr_vec3 s = world.arm.shoulder;
    tr_arm_goal goal = {.kind = TR_ARM_GOAL_POSITION, .wrist = {s.x, s.y, s.z + 2}};
    tr_error error = {0};
    CHECK_INT(tr_reach_plan(world.reach, &start, &goal, &params, &error), TR_NOT_FOUND);
    CHECK_INT(tr_reach_last(world.reach)->reason, TR_REACH_GOAL_TOO_FAR);
    CHECK_CONTAINS(error.message, "too far");
    goal.wrist = tr_vec3_make(s.x, s.y, s.z - 1.2f); // behind
    CHECK_INT(tr_reach_plan(world.reach, &start, &goal, &params, &error), TR_NOT_FOUND);
    world_destroy(&world);
}

TEST(a_sweep_of_thousands_of_knots_is_looked_at_to_its_end) {
    static tr_posture knots[6000];
    reach_world world;
    world_begin(&world, TR_ARM_RIGHT);
    world.body_count = 0;
    tr_vec3 s = world.arm.shoulder;
    world_box(&world, tr_vec3_make(s.x - 0.2f, s.y - 0.3f, s.z + 0.45f),
              tr_vec3_make(s.x + 0.2f, s.y + 0.3f, s.z + 0.5f));
    world_end(&world, false);
    for (int i = 0; i < 6000; i++)
        knots[i] = (tr_posture){{i < 5900 ? 0.2f : 0.2f + 0.014f * (float)(i - 5900), 0, 0, 0.1f}};
    tr_arm_path arm_path = {knots, 5900};
    CHECK(tr_reach_is_free(world.reach, &arm_path, 0, 5899));
    arm_path.count = 6000;
    tr_posture last = tr_arm_path_at(&arm_path, 5999, NULL);
    CHECK(tr_reach_clearance(world.reach, &last, 0.01f) < 0);
    CHECK(!tr_reach_is_free(world.reach, &arm_path, 0, 5999));
    world_destroy(&world);
}

TEST(a_body_all_but_parallel_to_a_link_is_as_near_as_its_nearer_end) {
    for (int tilt = -4; tilt <= 4; tilt++) {
        reach_world world;
        world_begin(&world, TR_ARM_RIGHT);
        tr_posture straight = {{0}};
        tr_vec3 p[4];
        tr_arm_points(&world.arm, &straight, p);
        float lean = 7e-5f * (float)tilt; // [rad]
        tr_vec3 a = {p[1].x + 0.2f, p[1].y, p[1].z}, b = {p[2].x + 0.2f, p[2].y, p[2].z};
        b.x += lean * (a.y - b.y);
        world.bodies[0] = (tr_reach_body){a, b, 0.1f, false, 2, false};
        world.body_count = 1;
        world_end(&world, false);
        double truth = judge_clearance(&world, &straight);
        CHECK(truth > 0.01);
        CHECK_NEAR(tr_reach_clearance(world.reach, &straight, 1), truth, 1e-6);
        world_destroy(&world);
    }
}

TEST(a_trunk_that_is_held_leaning_takes_its_body_along) {
    reach_world world;
    world_begin(&world, TR_ARM_RIGHT);
    world.arm.low.q[TR_WAIST_LEAN] = world.arm.high.q[TR_WAIST_LEAN] = 0.5f;
    world_end(&world, false);
    tr_random random = tr_random_seed(3);
    for (int i = 0; i < 200; i++) {
        tr_posture posture = draw_posture(&random, &world.arm);
        double truth = judge_clearance(&world, &posture);
        float said = tr_reach_clearance(world.reach, &posture, 1);
        if (truth > 1e-5 || truth < -1e-5)
            CHECK_INT(said < 0, truth < 0);
        if (truth > 1e-5)
            CHECK_NEAR(said, truth, 1e-5);
    }
    // A start that was refused leaves no trace.
    tr_posture hanging = tr_arm_clamp(&world.arm, (tr_posture){{0.1f, 0.3f, 0, 0.3f}}), bad = hanging;
    float before = tr_reach_clearance(world.reach, &hanging, 1);
    bad.q[TR_WAIST_LEAN] = NAN;
    tr_arm_goal goal = position(&world.arm, &hanging);
    tr_reach_params params = tr_reach_params_default();
    CHECK_INT(tr_reach_plan(world.reach, &bad, &goal, &params, NULL), TR_INVALID);
    CHECK(tr_reach_last(world.reach)->reason != TR_REACH_FOUND);
    CHECK(tr_reach_clearance(world.reach, &hanging, 1) == before);
    world_destroy(&world);
}

TEST(a_body_is_not_placed_where_an_arm_would_be_refused) {
    reach_world world;
    world_begin(&world, TR_ARM_RIGHT);
    world_end(&world, false);
    tr_affine base = tr_affine_identity();
    for (int i = 0; i < 3; i++)
        base.m[i][i] = 2;
    CHECK_INT(tr_reach_place(world.reach, &base), TR_INVALID);
    CHECK(tr_reach_arm(world.reach)->base.m[0][0] == 1);
    base = tr_affine_identity();
    base.m[0][3] = 3;
    CHECK_INT(tr_reach_place(world.reach, &base), TR_OK);
    base.m[0][3] = INFINITY;
    CHECK_INT(tr_reach_place(world.reach, &base), TR_INVALID);
    CHECK(tr_reach_arm(world.reach)->base.m[0][3] == 3);
    world_destroy(&world);
}

// Between a free posture and one that touches: with this much room, about.
static tr_posture squeeze(const reach_world *world, tr_posture apart, tr_posture touching, double room) {
    for (int i = 0; i < 30 && judge_clearance(world, &apart) > room; i++) {
        tr_posture middle;
        for (int k = 0; k < TR_ARM_ANGLES; k++)
            middle.q[k] = 0.5f * (apart.q[k] + touching.q[k]);
        if (judge_clearance(world, &middle) > 0.6 * room)
            apart = middle;
        else
            touching = middle;
    }
    return apart;
}

TEST(a_path_from_a_start_that_all_but_touches_stays_free) {
    reach_world world;
    world_begin(&world, TR_ARM_RIGHT);
    world.body_count = 0;
    tr_vec3 s = world.arm.shoulder;
    world_box(&world, tr_vec3_make(s.x - 0.3f, s.y - 0.4f, s.z + 0.45f),
              tr_vec3_make(s.x + 0.3f, s.y + 0.3f, s.z + 0.5f));
    world_end(&world, false);
    tr_reach_params params = tr_reach_params_default();
    tr_random random = tr_random_seed(2);
    uint32_t found = 0;
    for (int i = 0; i < 400; i++) {
        tr_posture apart = {{0.2f, 0.1f, 0, 0.3f}}, touching = {{1.4f, 0.1f, 0, 0.3f}}, velocity;
        for (int k = 0; k < TR_ARM_JOINTS; k++) {
            apart.q[k] += tr_random_between(&random, 0, 0.2f);
            touching.q[k] += tr_random_between(&random, 0, 0.2f);
            velocity.q[k] = tr_random_between(&random, -0.04f, 0.04f);
        }
        for (int k = TR_ARM_JOINTS; k < TR_ARM_ANGLES; k++)
            velocity.q[k] = 0;
        params.velocity = &velocity;
        double room = tr_random_between(&random, 5e-5f, 2e-4f);
        tr_posture start = squeeze(&world, apart, touching, room),
                   end = squeeze(&world, apart, touching, 0.05);
        tr_arm_goal goal = position(&world.arm, &end);
        if (tr_reach_plan(world.reach, &start, &goal, &params, NULL) != TR_OK)
            continue;
        const tr_reach_result *result = tr_reach_last(world.reach);
        CHECK(tr_reach_is_free(world.reach, &result->path, result->free_from, result->path.count - 1));
        found++;
    }
    CHECK(found > 100);
    world_destroy(&world);
}

TEST(few_checks_are_few) {
    reach_world world;
    world_begin(&world, TR_ARM_RIGHT);
    tr_vec3 s = world.arm.shoulder;
    tr_random random = tr_random_seed(5);
    draw_boxes(&random, &world, 30);
    world_box(&world, tr_vec3_make(s.x - 0.6f, s.y - 0.12f, s.z - 0.6f),
              tr_vec3_make(s.x - 0.1f, s.y - 0.1f, s.z + 0.6f));
    world_end(&world, true);
    tr_reach_params params = tr_reach_params_default();
    params.checks_max = 50;
    uint32_t missed = 0;
    for (int i = 0; i < 300; i++) {
        tr_posture start = draw_posture(&random, &world.arm), end = draw_posture(&random, &world.arm);
        tr_arm_goal goal = position(&world.arm, &end);
        if (judge_clearance(&world, &start) < 0.003 ||
            tr_reach_plan(world.reach, &start, &goal, &params, NULL) != TR_PARTIAL)
            continue;
        missed++;
        // The ways to hold the hand there are looked at once, and an edge that was begun is ended.
        CHECK(tr_reach_last(world.reach)->checks < 50 + 40);
    }
    CHECK(missed > 20);
    world_destroy(&world);
}

TEST(a_stretched_arm_reaches_itself_far_from_the_origin) {
    tr_random random = tr_random_seed(9);
    tr_arm arm = tr_arm_default(TR_ARM_RIGHT, 1.75f);
    for (int i = 0; i < 300; i++) {
        arm.base.m[0][3] = tr_random_between(&random, -2000, 2000);
        arm.base.m[2][3] = tr_random_between(&random, -2000, 2000);
        tr_posture posture = draw_posture(&random, &arm);
        posture.q[TR_ELBOW_FLEXION] = 0;
        tr_arm_goal goal = position(&arm, &posture);
        tr_arm_family family;
        CHECK_INT(tr_arm_solve(&arm, &posture.q[TR_ARM_JOINTS], &goal, &family), TR_OK);
    }
}

TEST(a_sweep_that_is_not_finite_is_not_free_even_in_an_empty_world) {
    tr_arm arm = tr_arm_default(TR_ARM_RIGHT, 1.75f);
    tr_reach_def def = tr_reach_def_default(NULL, &arm);
    def.self = false;
    tr_reach *reach;
    REQUIRE(tr_reach_create(&def, &reach, NULL) == TR_OK);
    tr_posture knots[3] = {{{0}}, {{0.1f}}, {{0.2f}}};
    for (uint32_t count = 1; count <= 3; count++) {
        tr_arm_path arm_path = {knots, count};
        knots[count - 1].q[TR_ELBOW_FLEXION] = 0.5f;
        CHECK(tr_reach_is_free(reach, &arm_path, 0, count - 1));
        knots[count - 1].q[TR_ELBOW_FLEXION] = count & 1 ? NAN : INFINITY;
        CHECK(!tr_reach_is_free(reach, &arm_path, 0, count - 1));
        knots[count - 1].q[TR_ELBOW_FLEXION] = 0;
    }
    CHECK(!tr_reach_is_free(reach, &(tr_arm_path){knots, 0}, 0, 0));
    tr_reach_destroy(reach);
}

TEST(more_time_than_can_be_counted_is_no_limit) {
    reach_world world;
    world_begin(&world, TR_ARM_RIGHT);
    tr_random random = tr_random_seed(21);
    draw_boxes(&random, &world, 20);
    world_end(&world, true);
    tr_reach_params params = tr_reach_params_default();
    uint32_t compared = 0;
    for (int i = 0; i < 60; i++) {
        tr_posture start = draw_posture(&random, &world.arm), end = draw_posture(&random, &world.arm);
        tr_arm_goal goal = position(&world.arm, &end);
        if (judge_clearance(&world, &start) < 0.003 || judge_clearance(&world, &end) < 0.003)
            continue;
        params.microseconds = 0;
        tr_status status = tr_reach_plan(world.reach, &start, &goal, &params, NULL);
        uint32_t checks = tr_reach_last(world.reach)->checks;
        params.microseconds = UINT64_MAX - (uint64_t)i;
        CHECK_INT(tr_reach_plan(world.reach, &start, &goal, &params, NULL), status);
        CHECK_INT(tr_reach_last(world.reach)->checks, checks);
        compared++;
    }
    CHECK(compared > 5);
    world_destroy(&world);
}

TEST(a_body_beyond_the_world_is_refused) {
    reach_world world;
    world_begin(&world, TR_ARM_RIGHT);
    tr_reach_def def = tr_reach_def_default(NULL, &world.arm);
    def.bodies = world.bodies;
    def.body_count = 1;
    // A line that passes close by, too long for floats.
    world.bodies[0].a = tr_vec3_make(-1e30f, 1, 0.1f), world.bodies[0].b = tr_vec3_make(1e30f, 1, 0.1f);
    tr_reach *reach;
    tr_error error = {0};
    CHECK_INT(tr_reach_create(&def, &reach, &error), TR_INVALID);
    CHECK(reach == NULL);
    CHECK_CONTAINS(error.message, "1e+30");
    tr_scene_destroy(world.scene);
}

TEST(what_the_shoulder_is_in_does_not_hold_the_arm_to_a_wall) {
    reach_world world;
    world_begin(&world, TR_ARM_RIGHT);
    world.body_count = 0;
    tr_vec3 s = world.arm.shoulder, tip[4];
    tr_posture start = {{0.9f, 0, 0, 0.6f}}, end = {{0.5f, 0.5f, 0, 0.9f}};
    tr_arm_points(&world.arm, &start, tip);
    float wall = tip[3].z + world.arm.radius[2] + 0.001f; // one millimetre away
    world_box(&world, tr_vec3_make(s.x - 1, s.y - 1, wall), tr_vec3_make(s.x + 1, s.y + 1, wall + 0.05f));
    world_box(&world, tr_vec3_make(s.x - 0.01f, s.y - 0.01f, s.z - 0.01f),
              tr_vec3_make(s.x + 0.01f, s.y + 0.01f, s.z + 0.01f));
    tr_solid_def solid = tr_solid_def_default(world.scene);
    REQUIRE(tr_solid_create(&solid, &world.solid, NULL) == TR_OK);
    tr_reach_def def = tr_reach_def_default(world.solid, &world.arm);
    def.ignore_shoulder = 0.15f;
    def.margin = 0.02f;
    REQUIRE(tr_reach_create(&def, &world.reach, NULL) == TR_OK);
    tr_arm_goal goal = position(&world.arm, &end);
    tr_reach_params params = tr_reach_params_default();
    REQUIRE(tr_reach_plan(world.reach, &start, &goal, &params, NULL) == TR_OK);
    // It leaves the wall at once, and is further from it than the margin soon.
    tr_arm_path path = tr_reach_last(world.reach)->path;
    tr_posture soon = tr_arm_path_at(&path, 0.3 * (path.count - 1), NULL);
    CHECK(path.count > 2);
    CHECK(tr_reach_clearance(world.reach, &soon, 0.05f) > 0.02f);
    world_destroy(&world);
}

TEST(an_arm_that_is_not_quite_straight_is_not_proven_blocked) {
    reach_world world;
    world_begin(&world, TR_ARM_RIGHT);
    world.body_count = 0;
    tr_posture bent = {{0.3f, 0.2f, 0, 0.0025f}}; // its wrist is within a micrometre of the stretched arm's
    tr_vec3 p[4];
    tr_arm_points(&world.arm, &bent, p);
    tr_vec3 way = tr_vec3_subtract(p[2], p[0]), upper = tr_vec3_subtract(p[1], p[0]);
    float share = tr_vec3_dot(way, upper) / tr_vec3_dot(way, way);
    tr_vec3 foot = tr_vec3_add(p[0], tr_vec3_scale(way, share)), off = tr_vec3_subtract(p[1], foot);
    float length = tr_vec3_length(off);
    CHECK(length > 3e-4f && length < 5e-4f);
    // A small thing on the other side of the elbow, where only a straight arm touches it.
    tr_vec3 at = tr_vec3_add(foot, tr_vec3_scale(off, -(world.arm.radius[0] - 0.5f * length) / length));
    tr_vec3 half = {1e-5f, 1e-5f, 1e-5f};
    world_box(&world, tr_vec3_subtract(at, half), tr_vec3_add(at, half));
    world_end(&world, false);
    CHECK(judge_clearance(&world, &bent) > 5e-5);
    tr_posture start = {{-0.5f, 0.8f, 0, 1}};
    tr_arm_goal goal = position(&world.arm, &bent);
    tr_reach_params params = tr_reach_params_default();
    params.checks_max = 2000;
    tr_status status = tr_reach_plan(world.reach, &start, &goal, &params, NULL);
    CHECK(status == TR_OK || status == TR_PARTIAL);
    world_destroy(&world);
}
