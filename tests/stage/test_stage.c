#include "theatre.h"
#include "troupe/motion/likeness.h"
#include "troupe/base/random.h"
#include "troupe/base/scalar.h"

TEST(a_single_actor_goes_around_a_wall_to_its_goal) {
    theatre t;
    if (open_theatre(&t, NULL)) {
        add_box(t.scene, "wall", -4, -0.1f, 4, 0.1f);
        tr_actor_id actor = add_walker(&t, 0, -3, 0, 3);
        double time = play(&t, 60);
        check_arrived(&t, actor);
        CHECK(time > 8 && time < 20); // some 12 m
        uint32_t count;
        const tr_vec3 *trace = tr_stage_trace(t.stage, actor, &count);
        CHECK_INT(count, (int64_t)(time * 30 + 0.5));
        for (uint32_t i = 0; i < count; i++) // its disc never touches the wall
            CHECK(fabsf(trace[i].x) > 4.28f || fabsf(trace[i].z) > 0.37f);
    }
    close_theatre(&t);
}

TEST(two_actors_that_meet_head_on_pass_each_other) {
    theatre t;
    if (open_theatre(&t, NULL)) {
        tr_actor_id a = add_walker(&t, 0, -5, 0, 5), b = add_walker(&t, 0, 5, 0, -5);
        double time = play(&t, 60);
        check_arrived(&t, a);
        check_arrived(&t, b);
        check_apart(&t);
        CHECK(time < 13); // a turn, and 10 m at 1.3 m/s without a stop
    }
    close_theatre(&t);
}

TEST(an_order_may_have_a_speed_of_its_own) {
    double times[2];
    for (int i = 0; i < 2; i++) {
        theatre t;
        times[i] = 0;
        if (open_theatre(&t, NULL)) {
            tr_order order = {.kind = TR_ORDER_GO, .goal = {0, 0, 4}, .speed = i ? 0.8f : 0};
            give_order(&t, add_actor(&t, 0, -4), order, TR_ORDER_QUEUE);
            times[i] = play(&t, 60);
        }
        close_theatre(&t);
    }
    CHECK_NEAR(times[0], 8 / 1.3 + 1, 1);
    CHECK_NEAR(times[1], 8 / 0.8 + 1, 1);
}

TEST(actors_that_meet_report_their_distance_and_their_wait) {
    theatre t;
    if (open_theatre(&t, NULL)) {
        add_box(t.scene, "wall", -6, -0.1f, -0.5f, 0.1f);
        add_box(t.scene, "wall", 0.5f, -0.1f, 6, 0.1f);
        tr_actor_id a = add_walker(&t, 0, -4, 0, 4), b = add_walker(&t, 0.3f, 4, 0, -4);
        play(&t, 60);
        tr_stage_counters first = tr_stage_counters_of(t.stage, a), second = tr_stage_counters_of(t.stage, b);
        CHECK(first.nearest < 2);
        CHECK_NEAR(first.nearest, second.nearest, 0);
        CHECK(first.waited + second.waited > 0.5);
        CHECK(first.plans > 0 && second.plans > 0);
    }
    close_theatre(&t);
}

TEST(two_actors_that_meet_in_a_door_get_through_one_after_the_other) {
    theatre t;
    if (open_theatre(&t, NULL)) {
        add_box(t.scene, "wall", -6, -0.1f, -0.5f, 0.1f);
        add_box(t.scene, "wall", 0.5f, -0.1f, 6, 0.1f);
        tr_actor_id a = add_walker(&t, 0, -4, 0, 4), b = add_walker(&t, 0.3f, 4, 0, -4);
        play(&t, 60);
        check_arrived(&t, a);
        check_arrived(&t, b);
        check_apart(&t);
    }
    close_theatre(&t);
}

TEST(an_actor_that_stands_in_a_corridor_makes_way) {
    theatre t;
    if (open_theatre(&t, NULL)) {
        add_box(t.scene, "left", -6, -3, -0.6f, 3);
        add_box(t.scene, "right", 0.6f, -3, 6, 3);
        tr_actor_id a = add_walker(&t, 0, -5, 0, 5);
        add_actor(&t, 0, 2);
        play(&t, 90);
        check_arrived(&t, a);
        check_apart(&t);
    }
    close_theatre(&t);
}

// An actor that turns on the spot has time to plan again: it must not change its mind for ever.
TEST(an_actor_that_has_to_turn_first_gets_past_standing_actors) {
    tr_random random = tr_random_seed(5);
    for (int run = 0; run < 150; run++) {
        theatre t;
        if (open_theatre(&t, NULL)) {
            tr_stage_actor_def def = {.character = t.character,
                                      .heading = tr_random_between(&random, -3.1f, 3.1f),
                                      .radius = 0.22f};
            tr_actor_id a;
            CHECK_INT(tr_stage_add_actor(t.stage, &def, &a, NULL), TR_OK);
            float away = tr_random_between(&random, 1.2f, 2.5f),
                  off = tr_random_between(&random, -0.8f, 0.8f);
            for (int i = 0; i < 1 + run % 4; i++) // side by side
                add_actor(&t, off + 0.65f * (float)(i - run % 4 / 2), away);
            send_to(&t, a, tr_random_between(&random, -1, 1), tr_random_between(&random, 3.5f, 5));
            play(&t, 30);
            CHECK_INT(report_of(&t, a, 0).state, TR_ORDER_DONE);
        }
        close_theatre(&t);
    }
}

// A wide one with the waist turned, a narrower one in side-steps.
static void pass_gap(float half, bool expect_sideways) {
    theatre t;
    if (open_theatre(&t, NULL)) {
        add_box(t.scene, "wall", -6, -0.1f, -half, 0.1f);
        add_box(t.scene, "wall", half, -0.1f, 6, 0.1f);
        tr_actor_id actor = add_walker(&t, 0.5f, -2.5f, 0.5f, 2.5f);
        uint32_t sideways = 0, inside = 0;
        tr_status status = TR_OK;
        while (status == TR_OK && tr_stage_time(t.stage) < 40) {
            status = tick(&t);
            tr_actor_view view = view_of(&t, actor);
            bool between = fabsf(view.position.z) < 0.1f;
            inside += between;
            sideways += between && view.doing == TR_ACTOR_SIDE_STEPS && fabs(sin(view.heading)) > 0.9;
        }
        check_arrived(&t, actor);
        CHECK(inside > (expect_sideways ? 5u : 2u));
        CHECK_INT(sideways, expect_sideways ? inside : 0);
    }
    close_theatre(&t);
}

TEST(a_gap_that_is_too_narrow_for_shoulders_is_passed_with_the_waist_turned_or_sideways) {
    pass_gap(0.33f, false);
    pass_gap(0.26f, true);
}

TEST(no_actor_stays_in_a_gap_that_is_passed_sideways) {
    theatre t;
    if (open_theatre(&t, NULL)) {
        add_box(t.scene, "wall", -6, -0.1f, -0.33f, 0.1f);
        add_box(t.scene, "wall", 0.33f, -0.1f, 6, 0.1f);
        // A goal in the gap, nearer to its far side: the nearest place to stand is through it.
        tr_actor_id actor = add_walker(&t, 0.5f, -2.5f, 0, 0.04f);
        play(&t, 40);
        CHECK_INT(report_of(&t, actor, 0).state, TR_ORDER_DONE);
        tr_vec2 at = place_of(&t, actor);
        CHECK(fabsf(at.z) > 0.2f);
        CHECK(fabsf(at.z) < 1);
    }
    close_theatre(&t);
}

TEST(a_crowd_in_the_open_crosses_without_touching) {
    theatre t;
    tr_random random = tr_random_seed(4);
    if (open_theatre(&t, NULL)) {
        for (uint32_t i = 0; i < 8; i++) {
            double s, c;
            tr_sin_cos(2 * TR_PI * i / 8 + tr_random_between(&random, -0.1f, 0.1f), &s, &c);
            add_walker(&t, (float)(5 * s), (float)(5 * c), (float)(-5 * s), (float)(-5 * c));
        }
        play(&t, 120);
        for (uint32_t i = 0; i < 8; i++)
            check_arrived(&t, tr_stage_actor(t.stage, i));
        check_apart(&t);
    }
    close_theatre(&t);
}

TEST(a_goal_that_cannot_be_reached_fails_with_a_reason_and_the_next_order_is_done) {
    theatre t;
    if (open_theatre(&t, NULL)) {
        add_box(t.scene, "wall", -6, -0.1f, 6, 0.1f);
        tr_actor_id actor = add_walker(&t, 0, -3, 0, 3);
        tr_order outside = {.kind = TR_ORDER_GO, .goal = {50, 0, 0}},
                 near = {.kind = TR_ORDER_GO, .goal = {1, 0, -4}};
        tr_order wait = {.kind = TR_ORDER_WAIT, .seconds = 0.5};
        give_order(&t, actor, outside, TR_ORDER_QUEUE);
        give_order(&t, actor, wait, TR_ORDER_QUEUE);
        give_order(&t, actor, near, TR_ORDER_QUEUE);
        play(&t, 30);
        CHECK_TEXT(report_of(&t, actor, 0).reason, "no way leads to the goal");
        CHECK_CONTAINS(report_of(&t, actor, 1).reason, "the goal (50, 0, 0) is outside the area");
        CHECK_INT(report_of(&t, actor, 1).state, TR_ORDER_FAILED);
        tr_order_report waited = report_of(&t, actor, 2);
        CHECK_NEAR(waited.end - waited.begin, 0.5, 0.04);
        check_arrived(&t, actor);
    }
    close_theatre(&t);
}

TEST(an_actor_whose_goal_is_inside_a_wall_goes_as_near_as_possible_and_reports_it) {
    theatre t;
    if (open_theatre(&t, NULL)) {
        add_box(t.scene, "wall", -1, -0.1f, 1, 0.1f);
        tr_actor_id blocked = add_walker(&t, 0, -3, 0, 0), open = add_walker(&t, 3, -3, 3, 3);
        play(&t, 30);
        CHECK_INT(report_of(&t, blocked, 0).state, TR_ORDER_DONE);
        CHECK(report_of(&t, blocked, 0).beside);
        CHECK(!report_of(&t, open, 0).beside);
        CHECK(fabsf(place_of(&t, blocked).z) < 0.7f);
    }
    close_theatre(&t);
}

TEST(a_way_that_is_blocked_while_it_is_walked_is_planned_again) {
    theatre t;
    if (open_theatre(&t, NULL)) {
        uint32_t gate = add_box(t.scene, "gate", -2, -0.1f, 2, 0.1f);
        tr_affine aside = tr_affine_place(tr_vec3_make(0, 0, 30), 0), back = tr_affine_identity();
        tr_scene_place(t.scene, gate, &aside);
        tr_actor_id actor = add_walker(&t, 0, -4, 0, 4);
        for (int i = 0; i < 60; i++)
            CHECK_INT(tick(&t), TR_OK);
        tr_scene_place(t.scene, gate, &back);
        play(&t, 60);
        check_arrived(&t, actor);
        CHECK(tr_stage_counters_of(t.stage, actor).plans >= 2);
        uint32_t count;
        const tr_vec3 *trace = tr_stage_trace(t.stage, actor, &count);
        for (uint32_t i = 60; i < count; i++)
            CHECK(fabsf(trace[i].x) > 2.28f || fabsf(trace[i].z) > 0.37f);
    }
    close_theatre(&t);
}

// A cart that goes to and fro for ever along x, at `z`.
static uint32_t add_cart(theatre *t, float z) {
    uint32_t cart =
        add_block(t->scene, "cart", tr_vec3_make(-0.4f, 0.02f, -0.4f), tr_vec3_make(0.4f, 1, 0.4f));
    const double times[3] = {0, 5, 10};
    tr_transform places[3];
    for (int i = 0; i < 3; i++) {
        places[i] = tr_transform_identity();
        places[i].position = tr_vec3_make(i == 1 ? 4.0f : -4.0f, 0, z);
    }
    tr_trajectory_def def = {.times = times, .transforms = places, .count = 3, .loop = true};
    CHECK_INT(tr_scene_set_trajectory(t->scene, cart, &def, NULL), TR_OK);
    tr_scene_set_time(t->scene, 0);
    return cart;
}

// At its present place the cart touches no disc.
static void check_off_cart(const theatre *t, uint32_t cart) {
    tr_vec3 there =
        tr_trajectory_sample(tr_scene_trajectory(t->scene, cart), tr_stage_time(t->stage)).position;
    for (uint32_t i = 0; i < tr_stage_actor_count(t->stage); i++) {
        tr_vec2 at = place_of(t, tr_stage_actor(t->stage, i));
        float x = fmaxf(fabsf(at.x - there.x) - 0.4f, 0), z = fmaxf(fabsf(at.z - there.z) - 0.4f, 0);
        CHECK(hypotf(x, z) > 0.3f);
    }
}

static void cross_a_cart(bool behind_a_door) {
    theatre t;
    if (open_theatre(&t, NULL)) {
        uint32_t cart = add_cart(&t, behind_a_door ? 2 : 0), count = behind_a_door ? 6 : 4;
        if (behind_a_door) {
            add_box(t.scene, "wall", -6, -0.1f, -1, 0.1f);
            add_box(t.scene, "wall", 1, -0.1f, 6, 0.1f);
        }
        for (uint32_t i = 0; i < count; i++) {
            float x = -5 + 2 * (float)i, z = i % 2 ? -4 : 4;
            add_walker(&t, x, z, behind_a_door ? 4.5f - 1.8f * (float)i : x, -z);
        }
        tr_status status = TR_OK;
        while (status == TR_OK && tr_stage_time(t.stage) < 120) {
            status = tick(&t);
            check_off_cart(&t, cart);
        }
        CHECK_INT(status, TR_DONE);
        for (uint32_t i = 0; i < count; i++)
            check_arrived(&t, tr_stage_actor(t.stage, i));
        check_apart(&t);
    }
    close_theatre(&t);
}

TEST(people_cross_the_way_of_a_cart_that_never_stops) {
    cross_a_cart(false);
}

TEST(people_that_come_through_a_door_cross_the_way_of_a_cart_that_never_stops) {
    cross_a_cart(true);
}

// The cart was to be gone when the actor comes, and stays after all; this is known at the last moment.
TEST(no_actor_walks_into_a_cart_that_stays_longer_than_announced) {
    const float speeds[3] = {1.3f, 1.6f, 2};
    for (int run = 0; run < 30; run++) {
        theatre t;
        if (open_theatre(&t, NULL)) {
            uint32_t cart =
                add_block(t.scene, "cart", tr_vec3_make(-3, 0.02f, -0.4f), tr_vec3_make(3, 1, 0.4f));
            tr_transform places[2] = {tr_transform_identity(), tr_transform_identity()};
            places[1].position.y = 4; // lifted away
            double times[2] = {3, 3.5};
            tr_trajectory_def def = {.times = times, .transforms = places, .count = 2};
            CHECK_INT(tr_scene_set_trajectory(t.scene, cart, &def, NULL), TR_OK);
            tr_actor_id a = add_walker(&t, 0, -4.5f, 0, 4);
            CHECK_INT(tr_stage_set_speed(t.stage, a, speeds[run / 10]), TR_OK);
            tr_status status = TR_OK;
            while (status == TR_OK && tr_stage_time(t.stage) < 60) {
                if (times[0] < 10 && tr_stage_time(t.stage) > 2 + 0.1 * (run % 10)) {
                    times[0] = 20;
                    times[1] = 21;
                    CHECK_INT(tr_scene_set_trajectory(t.scene, cart, &def, NULL), TR_OK);
                }
                status = tick(&t);
                tr_vec2 at = place_of(&t, a);
                float z = fmaxf(fabsf(at.z) - 0.4f, 0), x = fmaxf(fabsf(at.x) - 3, 0);
                CHECK(tr_stage_time(t.stage) > 20 || hypotf(x, z) > 0.29f);
            }
            CHECK_INT(status, TR_DONE);
            check_arrived(&t, a);
        }
        close_theatre(&t);
    }
}

// The greatest acceleration of the root in a recording [m/s^2].
static double hips_acceleration(const tr_clip *clip, double rate) {
    tr_pose pose;
    tr_vec3 hips[3] = {{0, 0, 0}};
    double most = 0;
    CHECK_INT(tr_pose_create(NULL, tr_clip_joint_count(clip), &pose, NULL), TR_OK);
    for (uint32_t i = 0; i < tr_clip_frame_count(clip); i++) {
        tr_clip_get_frame(clip, i, &pose);
        hips[0] = hips[1], hips[1] = hips[2];
        hips[2] = tr_pose_get(&pose, 0).position;
        tr_vec3 bend = tr_vec3_add(tr_vec3_subtract(hips[2], tr_vec3_scale(hips[1], 2)), hips[0]);
        most = i > 1 ? fmax(most, (double)tr_vec3_length(bend) * rate * rate) : 0;
    }
    tr_pose_destroy(&pose);
    return most;
}

// A foot that lands between two ticks is in the air in the frames between them; a foot that stands stays.
TEST(recorded_feet_stand_where_their_labels_say_at_any_rate_and_walk_as_people_do) {
    const double rates[] = {24, 25, 30, 48, 50, 60, 120, 144};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        tr_scene *scene = NULL;
        tr_stage *stage = NULL;
        tr_clip *clip = NULL;
        tr_actor_id actor = 0;
        REQUIRE(tr_scene_create(NULL, &scene) == TR_OK);
        add_block(scene, "floor", tr_vec3_make(0, -0.2f, 0), tr_vec3_make(20, 0, 4));
        tr_stage_def def = tr_stage_def_default(scene);
        def.record = true;
        def.frames_per_second = rates[i];
        REQUIRE(tr_stage_create(&def, &stage, NULL) == TR_OK);
        tr_stage_actor_def who = {.character = some_character(), .position = {1, 0, 2}, .speed = 1.4f};
        who.heading = (float)TR_PI / 2;
        tr_order order = {.kind = TR_ORDER_GO, .goal = {18, 0, 2}};
        REQUIRE(tr_stage_add_actor(stage, &who, &actor, NULL) == TR_OK);
        CHECK_INT(tr_stage_order(stage, actor, &order, TR_ORDER_QUEUE, NULL, NULL), TR_OK);
        for (int tick = 0; tick < 300; tick++)
            CHECK_INT(tr_stage_step(stage, TR_STAGE_TICK, NULL), TR_OK);
        REQUIRE(tr_stage_clip(stage, actor, NULL, &clip, NULL) == TR_OK);
        tr_audit audit;
        tr_likeness likeness;
        const tr_skeleton *skeleton = tr_character_skeleton(some_character());
        REQUIRE(tr_audit_measure(NULL, skeleton, clip, NULL, &audit, NULL) == TR_OK);
        CHECK(audit.slide_mm_max < 0.3f);
        CHECK(audit.penetration_mm_max < 0.3f);
        REQUIRE(tr_likeness_measure(NULL, skeleton, clip, NULL, &likeness, NULL) == TR_OK);
        CHECK(likeness.likeness > 0.97f);
        CHECK(hips_acceleration(clip, rates[i]) < 7); // that of the ticks is 6.86
        tr_clip_destroy(clip);
        tr_stage_destroy(stage);
        tr_scene_destroy(scene);
    }
}

TEST(invalid_calls_are_refused) {
    theatre t;
    if (open_theatre(&t, NULL)) {
        add_box(t.scene, "box", -1, -1, 1, 1);
        tr_error error = {0};
        tr_actor_id actor, other;
        tr_stage_actor_def def = {.character = t.character, .position = {1.1f, 0, 0}}, nobody = {0};
        CHECK_INT(tr_stage_add_actor(t.stage, &def, &actor, &error), TR_INVALID);
        CHECK_CONTAINS(error.message, "the nearest free place");
        def.position = tr_vec3_make(90, 0, 0);
        CHECK_INT(tr_stage_add_actor(t.stage, &def, &actor, &error), TR_INVALID);
        CHECK_CONTAINS(error.message, "outside the area");
        def.position = tr_vec3_make(3, NAN, 0);
        CHECK_INT(tr_stage_add_actor(t.stage, &def, &actor, &error), TR_INVALID);
        CHECK_INT(tr_stage_add_actor(t.stage, &nobody, &actor, &error), TR_INVALID);
        actor = add_walker(&t, 3, 3, -3, -3);
        def.position = tr_vec3_make(3.3f, 0, 3.2f);
        CHECK_INT(tr_stage_add_actor(t.stage, &def, &other, &error), TR_INVALID);
        CHECK_CONTAINS(error.message, "actor1 stands there");
        CHECK_INT(tr_stage_actor_count(t.stage), 1);
        tr_clip *clip;
        CHECK_INT(tr_stage_clip(t.stage, actor, NULL, &clip, &error), TR_NOT_FOUND);
        CHECK_INT(tr_stage_step(t.stage, -1, &error), TR_INVALID);
        CHECK_INT(tr_stage_step(t.stage, NAN, &error), TR_INVALID);
        CHECK_INT(tr_stage_step(t.stage, 1.5, &error), TR_INVALID);
        tr_stage *stage;
        tr_stage_def wrong = tr_stage_def_default(t.scene);
        wrong.frames_per_second = NAN;
        CHECK_INT(tr_stage_create(&wrong, &stage, &error), TR_INVALID);
        wrong = tr_stage_def_default(t.scene);
        wrong.cell = 0;
        CHECK_INT(tr_stage_create(&wrong, &stage, &error), TR_INVALID);
        wrong = tr_stage_def_default(t.scene);
        wrong.margin = -1;
        CHECK_INT(tr_stage_create(&wrong, &stage, &error), TR_INVALID);
        wrong = tr_stage_def_default(NULL);
        CHECK_INT(tr_stage_create(&wrong, &stage, &error), TR_INVALID);
    }
    close_theatre(&t);
}

static bool attempt(const tr_allocator *allocator) {
    tr_scene *scene = NULL;
    tr_stage *stage = NULL;
    tr_clip *clip = NULL;
    tr_actor_id actor = 0;
    tr_status status = tr_scene_create(NULL, &scene);
    add_block(scene, "floor", tr_vec3_make(0, -0.2f, 0), tr_vec3_make(4, 0, 4));
    tr_stage_def def = tr_stage_def_default(scene);
    def.record = true;
    def.allocator = allocator;
    if (status == TR_OK)
        status = tr_stage_create(&def, &stage, NULL);
    for (int i = 0; i < 2 && status == TR_OK; i++) {
        tr_stage_actor_def who = {.character = some_character(), .position = {1, 0, 1 + (float)i * 2}};
        tr_order order = {.kind = TR_ORDER_GO, .goal = {3, 0, 2}};
        status = tr_stage_add_actor(stage, &who, &actor, NULL);
        if (status == TR_OK)
            status = tr_stage_order(stage, actor, &order, TR_ORDER_QUEUE, NULL, NULL);
    }
    for (int i = 0; i < 3 && status == TR_OK; i++)
        status = tr_stage_step(stage, TR_STAGE_TICK, NULL);
    if (status == TR_OK)
        status = tr_stage_clip(stage, actor, allocator, &clip, NULL);
    CHECK(status == TR_OK || status == TR_OUT_OF_MEMORY);
    tr_clip_destroy(clip);
    tr_stage_destroy(stage);
    tr_scene_destroy(scene);
    return status == TR_OK;
}

TEST(without_memory_a_stage_reports_it_and_leaks_nothing) {
    REQUIRE(some_character());
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(attempt) > 30);
}

TEST(a_recording_does_not_connect_the_two_places_of_an_actor_that_is_put_elsewhere) {
    const double rates[] = {30, 60, 120};
    for (int i = 0; i < 3; i++) {
        theatre t;
        tr_stage_def def = tr_stage_def_default(NULL);
        def.record = true;
        def.frames_per_second = rates[i];
        if (open_theatre_with(&t, &def)) {
            tr_actor_id actor = add_walker(&t, -3, 0, 3, 0);
            for (int k = 0; k < 60; k++)
                tick(&t);
            CHECK_INT(tr_stage_place_actor(t.stage, actor, tr_vec3_make(-2, 0, 4), 0, NULL), TR_OK);
            for (int k = 0; k < 30; k++)
                tick(&t);
            tr_clip *clip = NULL;
            tr_pose pose;
            REQUIRE(tr_stage_clip(t.stage, actor, NULL, &clip, NULL) == TR_OK);
            REQUIRE(tr_pose_create(NULL, tr_clip_joint_count(clip), &pose, NULL) == TR_OK);
            uint32_t between = 0;
            for (uint32_t k = 0; k < tr_clip_frame_count(clip); k++) {
                tr_clip_get_frame(clip, k, &pose);
                float z = tr_pose_get(&pose, 0).position.z;
                between += z > 0.5f && z < 3;
            }
            CHECK_INT(between, 0);
            CHECK_INT(tr_clip_frame_count(clip), (uint32_t)(3 * rates[i]));
            tr_pose_destroy(&pose);
            tr_clip_destroy(clip);
        }
        close_theatre(&t);
    }
}
