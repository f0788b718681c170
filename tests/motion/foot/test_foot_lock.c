#include "foot_lock_walker.h"
#include "foot_lock_watch.h"

static foot_lock_watch watch_walk(const walker_faults *faults, const tr_foot_lock_params *params, double rate,
                                  double seconds, bool toes) {
    foot_lock_view view = {.rate = rate};
    walker at;
    if (!walker_make(&at, toes)) {
        view.watch.drift = NAN;
        return view.watch;
    }
    tr_random random = tr_random_seed(12);
    for (int step = 0; step < (int)(seconds * rate); step++) {
        tr_affine place;
        uint32_t contacts = walker_pose(&at, faults, step / rate, &random, &place);
        CHECK_INT(watch_step(&view, params, &at.legs, at.skeleton, contacts, &at.pose, &place, at.model),
                  TR_OK);
        view.watch.model_off = worst_of(view.watch.model_off, walker_model_off(&at, &place));
    }
    walker_destroy(&at);
    return view.watch;
}

static const double rates[] = {30, 60, 120};

TEST(held_points_stay_within_a_hundredth_of_a_millimetre) {
    const struct {
        walker_faults faults;
        double slides; // at least, in the animation [m]
    } walks[] = {
        {{0}, 0},
        {{.slide = 0.2}, 0.05},
        {{.slide = -0.3}, 0.05},
        {{.curve = 0.5}, 0.01},
        {{.curve = -1.4}, 0.05},
        {{.noise = 0.01}, 0.01},
        {{.sunk = 0.02}, 0},
        {{.sunk = -0.02}, 0},
        {{.slide = 0.15, .curve = 0.8, .noise = 0.005, .sunk = 0.01}, 0.05},
    };
    tr_foot_lock_params params = tr_foot_lock_params_default();
    for (int r = 0; r < 3; r++)
        for (uint32_t i = 0; i < sizeof walks / sizeof *walks; i++)
            for (int toes = 0; toes < 2; toes++) {
                foot_lock_watch watch = watch_walk(&walks[i].faults, &params, rates[r], 10, toes);
                CHECK_NEAR(watch.drift, 0, 1e-5);
                CHECK_NEAR(watch.unreached, 0, 1e-5);
                CHECK(watch.depth < 1.1e-5);
                CHECK(watch.meant_drift >= walks[i].slides);
                CHECK_NEAR(watch.model_off, 0, 1e-5);
                CHECK(watch.plants >= 25);
                CHECK_INT(watch.strayed, 0);
            }
}

TEST(a_walk_without_faults_is_hardly_changed) {
    tr_foot_lock_params params = tr_foot_lock_params_default();
    walker_faults faults = {0};
    foot_lock_watch watch = watch_walk(&faults, &params, 60, 10, true);
    CHECK(watch.away < 2.5e-3);
    CHECK_NEAR(watch.drop, 0, 0);
    CHECK_NEAR(watch.knee, watch.meant_knee, 0.1);
}

// The bound of docs/internals/foot_lock.md: a released offset adds at most twice its size over the release
// time, plus the speed that the foot lacked.
TEST(ankles_are_never_much_faster_than_the_animation) {
    tr_foot_lock_params params = tr_foot_lock_params_default();
    const walker_faults walks[] = {{.slide = 0.2}, {.slide = -0.3}, {.curve = 0.5}, {.curve = -1.4}};
    for (int r = 0; r < 3; r++)
        for (int i = 0; i < 4; i++) {
            foot_lock_watch watch = watch_walk(&walks[i], &params, rates[r], 10, true);
            double lacking = WALKER_SPEED * fabs(walks[i].slide) + WALKER_SPEED * fabs(walks[i].curve) * 0.2;
            CHECK(watch.excess < 2 * watch.away / params.release_time + lacking);
        }
}

// In ever smaller steps the change of velocity at a release goes to nothing: position and speed are
// continuous.
TEST(a_foot_is_released_without_a_jolt) {
    tr_foot_lock_params params = tr_foot_lock_params_default();
    const walker_faults walks[] = {{0}, {.slide = 0.2}, {.slide = -0.3}, {.curve = 0.5}, {.sunk = -0.01}};
    for (int i = 0; i < 5; i++) {
        foot_lock_watch coarse = watch_walk(&walks[i], &params, 120, 5, true);
        foot_lock_watch fine = watch_walk(&walks[i], &params, 960, 5, true);
        CHECK(coarse.jolt < 0.6);
        CHECK(fine.jolt < 0.1);
        CHECK(fine.acceleration < 4 * fine.meant_acceleration + 30);
    }
}

TEST(feet_that_the_animation_puts_below_the_ground_come_out_of_it) {
    tr_foot_lock_params params = tr_foot_lock_params_default();
    for (int i = 1; i < 10; i++) {
        walker_faults faults = {.sunk = 0.01 * i, .noise = i % 3 ? 0 : 0.01};
        foot_lock_watch watch = watch_walk(&faults, &params, 60, 5, i % 2);
        CHECK(watch.depth < 1.1e-5);
        CHECK_NEAR(watch.drift, 0, 1e-5);
    }
}

TEST(held_feet_keep_their_heading_on_a_curve) {
    tr_foot_lock_params params = tr_foot_lock_params_default();
    walker_faults faults = {.curve = 1};
    foot_lock_watch watch = watch_walk(&faults, &params, 60, 10, true);
    CHECK_NEAR(watch.twist, 0, 2e-3); // of 0.013 that the body turns in a step
}

TEST(hips_sink_where_legs_are_too_short_and_no_faster_than_they_may) {
    tr_foot_lock_params params = tr_foot_lock_params_default();
    walker_faults faults = {.sunk = -0.03, .slide = -0.1};
    foot_lock_watch watch = watch_walk(&faults, &params, 60, 10, true);
    CHECK(watch.drop > 0.01 && watch.drop < 0.05);
    CHECK(watch.drop_speed < 0.501);
    CHECK_NEAR(watch.drift, 0, 1e-5);
    CHECK(watch.depth < 1.1e-5);

    params.settle_speed = 0;
    watch = watch_walk(&faults, &params, 60, 10, true);
    CHECK_NEAR(watch.drop, 0, 0);
    CHECK(watch.depth < 1.1e-5);
}

TEST(knees_do_not_snap_straight) {
    tr_foot_lock_params params = tr_foot_lock_params_default();
    const walker_faults walks[] = {
        {.sunk = -0.02}, {.hip_high = 0.03, .slide = -0.2}, {.hip_high = 0.03, .curve = 1}};
    for (int i = 0; i < 3; i++) {
        foot_lock_watch watch = watch_walk(&walks[i], &params, 120, 10, true);
        CHECK(watch.knee < 2 * watch.meant_knee);
    }
}

// Stands with its feet on the ground, at a place.
static void stand(walker *at, float x, float z, float y, double heading, tr_affine *place) {
    *place = tr_affine_place(tr_vec3_make(x, y, z), heading);
    tr_pose_set_rest(&at->pose, at->skeleton);
    at->pose.position[1][0] = 0.9f;
    tr_pose_to_model(at->skeleton, &at->pose, NULL, at->model);
    for (uint32_t side = 0; side < 2; side++) {
        tr_quat level = tr_quat_identity();
        tr_limb_goal goal = {{side ? -0.1f : 0.1f, 0.08f, 0}, &level, 1, 0};
        tr_limb_reach(&at->legs.limbs[side], at->skeleton, &goal, &at->pose, NULL, at->model);
    }
    tr_pose_to_model(at->skeleton, &at->pose, place, at->model);
}

TEST(a_foot_that_comes_down_above_the_ground_sinks_to_it_smoothly) {
    walker at;
    REQUIRE(walker_make(&at, true));
    tr_foot_lock_params params = tr_foot_lock_params_default();
    tr_foot_lock_state state = {0};
    double last = 0.02;
    for (int i = 0; i < 60; i++) {
        tr_affine place;
        stand(&at, 0, 0, 0.02f, 0, &place);
        REQUIRE(tr_foot_lock_step(&state, &params, &at.legs, at.skeleton, 15, 1 / 120.f, &at.pose, &place,
                                  at.model) == TR_OK);
        double height = tr_foot_heel(&at.legs.feet[0], at.model).y;
        CHECK(height <= last + 1e-6 && height > -1e-6);
        CHECK(last - height < 0.004); // 2 cm in 0.12 s, at most twice the mean speed
        last = height;
    }
    CHECK_NEAR(last, 0, 1e-5);
    CHECK_NEAR(tr_foot_ball(&at.legs.feet[1], at.model).y, 0, 1e-5);
    walker_destroy(&at);
}

TEST(a_foot_too_high_is_not_held_yet) {
    walker at;
    REQUIRE(walker_make(&at, true));
    tr_foot_lock_params params = tr_foot_lock_params_default();
    tr_foot_lock_state state = {0};
    tr_affine place;
    stand(&at, 0, 0, 0.06f, 0, &place);
    CHECK_INT(
        tr_foot_lock_step(&state, &params, &at.legs, at.skeleton, 15, 0.01f, &at.pose, &place, at.model),
        TR_OK);
    CHECK(!state.feet[0].held_heel && !state.feet[1].held_toes);
    stand(&at, 0, 0, 0.04f, 0, &place);
    CHECK_INT(
        tr_foot_lock_step(&state, &params, &at.legs, at.skeleton, 15, 0.01f, &at.pose, &place, at.model),
        TR_OK);
    CHECK(state.feet[0].held_heel && state.feet[1].held_toes);
    walker_destroy(&at);
}

// A body that slows down in the middle of a step: the foot is down, its label comes late, and the animation
// drags it on.
TEST(a_foot_that_has_come_down_stands_before_its_label_says_so) {
    walker at;
    REQUIRE(walker_make(&at, true));
    tr_foot_lock_params params = tr_foot_lock_params_default();
    tr_foot_lock_state state = {0};
    tr_vec3 down = {0, 0, 0};
    for (int i = 0; i < 90; i++) {
        tr_affine place;
        float height = i < 30 ? 0.03f * (float)(30 - i) / 30 : i < 60 ? 0 : 0.03f * (float)(i - 60) / 30;
        stand(&at, 0.1f * (float)i / 60, 0, height, 0, &place);
        REQUIRE(tr_foot_lock_step(&state, &params, &at.legs, at.skeleton, 0, 1 / 60.f, &at.pose, &place,
                                  at.model) == TR_OK);
        tr_vec3 heel = tr_foot_heel(&at.legs.feet[0], at.model);
        CHECK(heel.y > -1e-5f);
        if (i == 31)
            down = heel;
        if (i >= 31 && i < 60) {
            CHECK_NEAR(heel.x, down.x, 1e-5);
            CHECK_INT(tr_foot_lock_standing(&state, 0), 15);
        }
    }
    CHECK_INT(tr_foot_lock_standing(&state, 0), 0);
    CHECK(tr_foot_heel(&at.legs.feet[0], at.model).y > 0.01f);
    walker_destroy(&at);
}

TEST(flat_feet_do_not_move_at_all_while_the_body_sways_and_turns) {
    walker at;
    REQUIRE(walker_make(&at, true));
    tr_foot_lock_params params = tr_foot_lock_params_default();
    tr_foot_lock_state state = {0};
    tr_affine first[2];
    for (int i = 0; i < 240; i++) {
        tr_affine place;
        double t = i / 60.0;
        stand(&at, (float)(0.03 * sin(3 * t)), (float)(0.03 * sin(2 * t)), 0, 0.2 * sin(t), &place);
        REQUIRE(tr_foot_lock_step(&state, &params, &at.legs, at.skeleton, 15, 1 / 60.f, &at.pose, &place,
                                  at.model) == TR_OK);
        for (int side = 0; side < 2; side++) {
            const tr_affine *ankle = &at.model[at.legs.feet[side].ankle];
            if (i == 10)
                first[side] = *ankle;
            for (int row = 0; row < 3 && i > 10; row++)
                for (int column = 0; column < 4; column++)
                    CHECK_NEAR(ankle->m[row][column], first[side].m[row][column], 2e-6);
        }
    }
    walker_destroy(&at);
}

// Dragged along with both feet labelled: each is let go when it is too far off, comes home and is held anew.
TEST(a_foot_left_too_far_behind_is_released_and_held_again) {
    walker at;
    REQUIRE(walker_make(&at, true));
    tr_foot_lock_params params = tr_foot_lock_params_default();
    params.stray_max = 0.15f;
    tr_foot_lock_state state = {0};
    uint32_t let_go = 0, taken = 0;
    bool held = false;
    tr_vec3 before = {0, 0, 0};
    for (int i = 0; i < 600; i++) {
        tr_affine place;
        stand(&at, 0.2f * (float)i / 60, 0, 0, 0, &place);
        tr_vec3 meant = tr_affine_position(&at.model[at.legs.feet[0].ankle]);
        REQUIRE(tr_foot_lock_step(&state, &params, &at.legs, at.skeleton, 15, 1 / 60.f, &at.pose, &place,
                                  at.model) == TR_OK);
        bool now = state.feet[0].held_heel;
        let_go += held && !now;
        taken += !held && now;
        held = now;
        tr_vec3 ankle = tr_affine_position(&at.model[at.legs.feet[0].ankle]);
        CHECK(apart(ankle, meant) < 0.165);
        if (i)
            CHECK(apart(ankle, before) < (0.2 + 2 * 0.165 / params.release_time) / 60);
        before = ankle;
    }
    CHECK(let_go >= 1 && taken > let_go - 1 && let_go < 20);
    walker_destroy(&at);
}

TEST(a_body_put_elsewhere_forgets_its_foot_locks) {
    walker at;
    REQUIRE(walker_make(&at, true));
    tr_foot_lock_params params = tr_foot_lock_params_default();
    tr_foot_lock_state state = {0};
    for (int i = 0; i < 20; i++) {
        tr_affine place;
        stand(&at, i < 10 ? 0 : 7.f, 0, 0, 0, &place);
        tr_vec3 meant = tr_affine_position(&at.model[at.legs.feet[1].ankle]);
        REQUIRE(tr_foot_lock_step(&state, &params, &at.legs, at.skeleton, 15, 1 / 60.f, &at.pose, &place,
                                  at.model) == TR_OK);
        CHECK_NEAR(apart(meant, tr_affine_position(&at.model[at.legs.feet[1].ankle])), 0, 2e-3);
    }
    CHECK(state.feet[1].held_heel);
    walker_destroy(&at);
}

TEST(without_a_release_time_feet_return_to_the_animation_at_once) {
    tr_foot_lock_params params = tr_foot_lock_params_default();
    params.release_time = 0;
    walker_faults faults = {.slide = 0.2};
    foot_lock_watch watch = watch_walk(&faults, &params, 60, 5, true);
    CHECK_NEAR(watch.drift, 0, 1e-5);
    CHECK(watch.excess > 2); // that is why one has a release time
}

TEST(bad_parameters_and_poses_change_nothing) {
    walker at;
    REQUIRE(walker_make(&at, true));
    tr_affine place;
    stand(&at, 0, 0, 0, 0, &place);
    const tr_foot_lock_params good = tr_foot_lock_params_default();
    tr_foot_lock_params bad[16];
    uint32_t count = 0;
    const float odd[] = {NAN, INFINITY, -1};
    for (int i = 0; i < 3; i++) {
        bad[count] = good, bad[count++].release_time = odd[i];
        bad[count] = good, bad[count++].capture_height = odd[i];
        bad[count] = good, bad[count++].stray_max = odd[i];
        bad[count] = good, bad[count++].settle_speed = odd[i];
        bad[count] = good, bad[count++].ground = i < 2 ? odd[i] : NAN;
    }
    bad[count] = good, bad[count++].stray_max = 0;
    tr_foot_lock_state state = {0}, untouched = {0};
    tr_affine before[WALKER_JOINTS];
    memcpy(before, at.model, sizeof before);
    for (uint32_t i = 0; i < count; i++)
        CHECK_INT(
            tr_foot_lock_step(&state, &bad[i], &at.legs, at.skeleton, 15, 0.01f, &at.pose, &place, at.model),
            TR_INVALID);
    for (int i = 0; i < 3; i++)
        CHECK_INT(
            tr_foot_lock_step(&state, &good, &at.legs, at.skeleton, 15, odd[i], &at.pose, &place, at.model),
            TR_INVALID);
    CHECK(memcmp(&state, &untouched, sizeof state) == 0);
    CHECK(memcmp(before, at.model, sizeof before) == 0);
    tr_legs legs = at.legs;
    legs.feet[1].ankle = WALKER_JOINTS;
    CHECK_INT(tr_foot_lock_step(&state, &good, &legs, at.skeleton, 15, 0.01f, &at.pose, &place, at.model),
              TR_INVALID);
    at.model[at.legs.feet[0].ankle].m[1][2] = NAN;
    CHECK_INT(tr_foot_lock_step(&state, &good, &at.legs, at.skeleton, 15, 0.01f, &at.pose, &place, at.model),
              TR_INVALID);
    walker_destroy(&at);
}

// Steps of no time, of a long time, contacts that flicker, wild poses: nothing that is not a number comes
// out.
TEST(wild_input_gives_finite_poses) {
    walker at;
    REQUIRE(walker_make(&at, true));
    tr_foot_lock_params params = tr_foot_lock_params_default();
    tr_random random = tr_random_seed(13);
    const float steps[] = {0, 0.001f, 0.033f, 1, 1000};
    for (int run = 0; run < 50; run++) {
        tr_foot_lock_state state = {0};
        for (int i = 0; i < 60; i++) {
            tr_affine place;
            float x = tr_random_between(&random, -0.3f, 0.3f), z = tr_random_between(&random, -0.3f, 0.3f);
            stand(&at, x, z, tr_random_between(&random, -0.2f, 0.2f), x * 20, &place);
            for (uint32_t j = 0; run % 2 && j < WALKER_JOINTS; j++) {
                tr_vec3 turn = {tr_random_between(&random, -3, 3), x, z};
                tr_pose_set_rotation(&at.pose, j, tr_quat_from_vector(turn));
            }
            tr_pose_to_model(at.skeleton, &at.pose, &place, at.model);
            float dt = steps[tr_random_below(&random, 5)];
            CHECK_INT(tr_foot_lock_step(&state, &params, &at.legs, at.skeleton, tr_random_below(&random, 16),
                                        dt, &at.pose, &place, at.model),
                      TR_OK);
            bool finite = isfinite(state.hip_drop);
            for (uint32_t j = 0; j < WALKER_JOINTS; j++)
                finite &= tr_affine_is_finite(&at.model[j]);
            CHECK(finite);
            CHECK_NEAR(walker_model_off(&at, &place), 0, 1e-5);
        }
    }
    walker_destroy(&at);
}

TEST(the_same_steps_give_the_same_bits) {
    walker at;
    REQUIRE(walker_make(&at, true));
    tr_foot_lock_params params = tr_foot_lock_params_default();
    walker_faults faults = {.slide = 0.1, .curve = 0.7, .noise = 0.01};
    static tr_affine first[200][WALKER_JOINTS];
    for (int run = 0; run < 2; run++) {
        tr_foot_lock_state state = {0};
        tr_random random = tr_random_seed(14);
        for (int i = 0; i < 200; i++) {
            tr_affine place;
            uint32_t contacts = walker_pose(&at, &faults, i / 60.0, &random, &place);
            tr_foot_lock_step(&state, &params, &at.legs, at.skeleton, contacts, 1 / 60.f, &at.pose, &place,
                              at.model);
            if (run == 0)
                memcpy(first[i], at.model, sizeof at.model);
            else
                CHECK(memcmp(first[i], at.model, sizeof at.model) == 0);
        }
    }
    walker_destroy(&at);
}

TEST(legs_are_found_by_role) {
    tr_skeleton *skeleton = walker_skeleton(true);
    REQUIRE(skeleton);
    tr_legs legs;
    CHECK_INT(tr_legs_measure(skeleton, &legs, NULL), TR_OK);
    CHECK_INT(legs.hips, 0);
    CHECK(legs.hips_move_all);
    CHECK_INT(legs.feet[1].ankle, 8);
    CHECK_NEAR(legs.ahead[0].z, 0.13 * 1.4, 1e-5);
    tr_skeleton_destroy(skeleton);
}

TEST(hips_without_a_role_are_the_joint_that_carries_both_legs) {
    // A base joint above the hips, no role for the hips, a prop as a child of the base between the joints of
    // the legs.
    const tr_quat level = {0, 0, 0, 1};
    const tr_vec3 plain = {1, 1, 1};
    const tr_joint_def joints[] = {
        {"base", TR_NONE, {{0, 0, 0}, level, plain}, TR_ROLE_NONE, false, {0}},
        {"pelvis", 0, {{0, 0.9f, 0}, level, plain}, TR_ROLE_NONE, false, {0}},
        {"l1", 1, {{0.1f, 0, 0}, level, plain}, TR_ROLE_LEFT_THIGH, false, {0}},
        {"l2", 2, {{0, -0.4f, 0}, level, plain}, TR_ROLE_LEFT_SHANK, false, {0}},
        {"l3", 3, {{0, -0.4f, 0}, level, plain}, TR_ROLE_LEFT_FOOT, false, {0}},
        {"prop", 0, {{1, 0, 0}, level, plain}, TR_ROLE_NONE, false, {0}},
        {"r1", 1, {{-0.1f, 0, 0}, level, plain}, TR_ROLE_RIGHT_THIGH, false, {0}},
        {"r2", 6, {{0, -0.4f, 0}, level, plain}, TR_ROLE_RIGHT_SHANK, false, {0}},
        {"r3", 7, {{0, -0.4f, 0}, level, plain}, TR_ROLE_RIGHT_FOOT, false, {0}},
    };
    tr_skeleton_def def = {.joints = joints, .joint_count = 9};
    tr_skeleton *skeleton = NULL;
    tr_legs legs;
    REQUIRE(tr_skeleton_create(&def, &skeleton, NULL) == TR_OK);
    CHECK_INT(tr_legs_measure(skeleton, &legs, NULL), TR_OK);
    CHECK_INT(legs.hips, 1);
    CHECK(!legs.hips_move_all);

    // Straight legs, 2 cm above the ground: the hips sink, the prop stays.
    tr_foot_lock_params params = tr_foot_lock_params_default();
    params.ground = 0.08f;
    tr_foot_lock_state state = {0};
    tr_pose pose;
    REQUIRE(tr_pose_create(NULL, 9, &pose, NULL) == TR_OK);
    tr_affine place = tr_affine_place(tr_vec3_make(1, 0, 2), 0.5), model[9], again[9];
    double worst = 0;
    for (int step = 0; step < 60; step++) {
        tr_pose_set_rest(&pose, skeleton);
        tr_pose_to_model(skeleton, &pose, &place, model);
        tr_affine prop = model[5];
        CHECK_INT(tr_foot_lock_step(&state, &params, &legs, skeleton, 15, 1 / 60.f, &pose, &place, model),
                  TR_OK);
        tr_pose_to_model(skeleton, &pose, &place, again);
        for (int i = 0; i < 9; i++)
            worst = fmax(worst, apart(tr_affine_position(&model[i]), tr_affine_position(&again[i])));
        CHECK(memcmp(&prop, &model[5], sizeof prop) == 0);
    }
    CHECK_NEAR(worst, 0, 1e-6);
    CHECK_NEAR(state.hip_drop, 0.02, 0.003);
    CHECK_NEAR(tr_foot_heel(&legs.feet[0], model).y, 0.08, 1e-5);
    tr_pose_destroy(&pose);
    tr_skeleton_destroy(skeleton);

    def.joint_count = 6;
    REQUIRE(tr_skeleton_create(&def, &skeleton, NULL) == TR_OK);
    tr_error error;
    CHECK_INT(tr_legs_measure(skeleton, &legs, &error), TR_NOT_FOUND);
    CHECK_CONTAINS(error.message, "right leg");
    tr_skeleton_destroy(skeleton);
}
