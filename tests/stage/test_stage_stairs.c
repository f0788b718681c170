// Stairs, gaps, lifts, floors above each other.
#include "building.h"
#include "troupe/base/random.h"

#define RISE 0.17f
#define GOING 0.29f
#define STEPS 10

// A floor from z = -4 to 0, a flight of stairs of the given width, and a platform above of 6 m, with a gap
// after 2 m where it is wanted.
static bool open_stairs(building *b, float height, float width, float gap) {
    if (!open_building(b, height))
        return false;
    float half = 0.5f * width, top = STEPS * RISE, begin = (STEPS - 1) * GOING;
    add_block(b->scene, NULL, tr_vec3_make(-3, -0.2f, -4), tr_vec3_make(3, 0, 0.5f));
    for (int i = 1; i < STEPS; i++) {
        float near = (float)(i - 1) * GOING;
        add_block(b->scene, NULL, tr_vec3_make(-half, (float)i * RISE - 0.15f, near),
                  tr_vec3_make(half, (float)i * RISE, near + GOING + 0.02f));
    }
    add_block(b->scene, NULL, tr_vec3_make(-half, top - 0.2f, begin), tr_vec3_make(half, top, begin + 2));
    add_block(b->scene, NULL, tr_vec3_make(-half, top - 0.2f, begin + 2 + gap),
              tr_vec3_make(half, top, begin + 6));
    return true;
}

static void play(building *b, double longest) {
    tr_status status = TR_OK;
    tr_error error = {0};
    while (status == TR_OK && tr_stage_time(b->stage) < longest)
        status = tr_stage_step(b->stage, TR_STAGE_TICK, &error);
    CHECK_INT(status, TR_DONE);
    CHECK_TEXT(error.message, "");
    for (int i = 0; i < 30 && status == TR_DONE; i++) // standing is looked at too
        status = tr_stage_step(b->stage, TR_STAGE_TICK, &error);
    for (uint32_t i = 0; i < tr_stage_actor_count(b->stage); i++) {
        tr_stage_counters counters = tr_stage_counters_of(b->stage, tr_stage_actor(b->stage, i));
        CHECK(counters.nearest > -1e-5f);
        CHECK_INT(counters.deviations, 0);
    }
}

static void check_arrived(const building *b, tr_actor_id actor) {
    tr_order_report report = report_of(b, actor);
    CHECK_TEXT(report.reason, "");
    CHECK_INT(report.state, TR_ORDER_DONE);
    tr_actor_view view = view_of(b, actor);
    CHECK_NEAR(view.position.x, report.order.goal.x, 0.15);
    CHECK_NEAR(view.position.z, report.order.goal.z, 0.15);
    CHECK_NEAR(view.position.y, report.order.goal.y, 0.02);
}

// Feet on the footsteps: nothing slides, nothing goes through the stairs.
static void check_body(const building *b, tr_actor_id actor) {
    tr_audit audit = audit_of(b, actor);
    CHECK(audit.plants > 10);
    CHECK(audit.slide_mm_max < 2);
    CHECK(audit.penetration_mm_max < 2);
    CHECK_INT(audit.joint_limit_violations, 0);
    CHECK_INT(audit.collisions, 0);
}

static float end_of_stairs(void) {
    return (STEPS - 1) * GOING;
}

TEST(people_of_every_size_climb_stairs_and_come_down_again) {
    static const float heights[] = {1.75f, 1.25f, 1.95f};
    for (int i = 0; i < 3; i++)
        for (int down = 0; down < 2; down++) {
            building b;
            if (open_stairs(&b, heights[i], 1.4f, 0) && set_stage(&b, NULL, 0)) {
                tr_vec3 low = {0.3f, 0, -3}, high = {-0.1f, STEPS * RISE, end_of_stairs() + 4};
                tr_actor_id actor = down ? send(&b, high, low) : send(&b, low, high);
                play(&b, 60);
                check_arrived(&b, actor);
                check_body(&b, actor);
            }
            close_building(&b);
        }
}

TEST(an_adult_crosses_a_gap_that_a_child_does_not) {
    for (int child = 0; child < 2; child++) {
        building b;
        if (open_stairs(&b, child ? 0.8f : 1.8f, 1.4f, 0.45f) && set_stage(&b, NULL, 0)) {
            tr_vec3 from = {0, STEPS * RISE, end_of_stairs() + 0.8f},
                    to = {0, STEPS * RISE, end_of_stairs() + 4.5f};
            tr_actor_id actor = send(&b, from, to);
            play(&b, 60);
            if (child) {
                CHECK_INT(report_of(&b, actor).state, TR_ORDER_FAILED);
                CHECK_TEXT(report_of(&b, actor).reason, "no way leads to the goal");
            } else {
                check_arrived(&b, actor);
                check_body(&b, actor);
            }
        }
        close_building(&b);
    }
}

TEST(a_lift_carries_where_no_stairs_lead) {
    building b;
    REQUIRE(open_building(&b, 0));
    add_block(b.scene, NULL, tr_vec3_make(-2, -0.2f, -4), tr_vec3_make(2, 0, 1));
    add_block(b.scene, NULL, tr_vec3_make(-2, 2.8f, 0),
              tr_vec3_make(2, 3, 5)); // the cabin stands at its edge
    tr_ground_link lift = {TR_GROUND_LIFT, {0, 0, -0.6f}, {0, 3, 0.6f}, true, false, 3};
    if (set_stage(&b, &lift, 1)) {
        tr_actor_id actor = send(&b, tr_vec3_make(0.5f, 0, -3), tr_vec3_make(-0.5f, 3, 4));
        play(&b, 60);
        CHECK_INT(report_of(&b, actor).state,
                  TR_ORDER_FAILED); // too far from floor to floor
    }
    tr_stage_destroy(b.stage);
    b.stage = NULL;
    lift.to = tr_vec3_make(0, 3, 0.45f);
    lift.from = tr_vec3_make(0, 0, 0.4f);
    if (set_stage(&b, &lift, 1)) {
        tr_actor_id actor = send(&b, tr_vec3_make(0.5f, 0, -3), tr_vec3_make(-0.5f, 3, 4));
        play(&b, 60);
        check_arrived(&b, actor);
    }
    close_building(&b);
}

TEST(two_actors_on_the_same_stairs_do_not_walk_into_each_other) {
    building b;
    if (open_stairs(&b, 1.75f, 3, 0) && set_stage(&b, NULL, 0)) {
        tr_vec3 low = {-0.5f, 0, -3}, high = {-0.5f, STEPS * RISE, end_of_stairs() + 4};
        tr_actor_id up = send(&b, low, high),
                    down = send(&b, tr_vec3_make(0.5f, high.y, high.z - 0.5f), tr_vec3_make(0.5f, 0, -2.5f));
        play(&b, 90);
        check_arrived(&b, up);
        check_arrived(&b, down);
        CHECK(tr_stage_counters_of(b.stage, up).nearest > 0);
    }
    close_building(&b);
}

// A body needs headroom, but headroom does not lengthen its legs: a kerb higher than the legs allow is walked
// around, not up to.
TEST(an_actor_goes_around_a_kerb_too_high_for_its_legs) {
    building b;
    REQUIRE(open_building(&b, 1.75f));
    float kerb = tr_ground_body_of_height(1.75f * 1.01f).foot_rise;
    add_block(b.scene, NULL, tr_vec3_make(-6, -0.2f, -4), tr_vec3_make(6, 0, 0));
    add_block(b.scene, NULL, tr_vec3_make(-6, -0.2f, 0), tr_vec3_make(6, kerb, 4));
    add_block(b.scene, NULL, tr_vec3_make(3.5f, 0, -1), tr_vec3_make(6, 0.5f * kerb, 0));
    if (set_stage(&b, NULL, 0)) {
        tr_actor_id actor = send(&b, tr_vec3_make(-3, 0, -3), tr_vec3_make(-3, kerb, 3));
        play(&b, 60);
        check_arrived(&b, actor);
        check_body(&b, actor);
    }
    close_building(&b);
}

TEST(an_actor_sent_to_an_occupied_place_stops_beside_it) {
    building b;
    if (open_stairs(&b, 1.75f, 3, 0) && set_stage(&b, NULL, 0)) {
        tr_vec3 place = {0, STEPS * RISE, end_of_stairs() + 4};
        tr_actor_id first = send(&b, place, place), others[2];
        for (int i = 0; i < 2; i++)
            others[i] = send(&b, tr_vec3_make(-1 + 2 * (float)i, 0, -3), place);
        play(&b, 60);
        check_arrived(&b, first);
        for (int i = 0; i < 2; i++) {
            tr_order_report report = report_of(&b, others[i]);
            CHECK_INT(report.state, TR_ORDER_DONE);
            CHECK(report.beside);
            tr_actor_view view = view_of(&b, others[i]);
            CHECK_NEAR(view.position.z, place.z, 2);
            CHECK_NEAR(view.position.y, place.y, 0.02);
            CHECK(tr_stage_counters_of(b.stage, others[i]).nearest > 0);
        }
    }
    close_building(&b);
}

TEST(people_above_each_other_ignore_each_other) {
    building b;
    REQUIRE(open_building(&b, 0));
    add_block(b.scene, NULL, tr_vec3_make(-2, -0.2f, -4), tr_vec3_make(2, 0, 4));
    add_block(b.scene, NULL, tr_vec3_make(-2, 2.8f, -4), tr_vec3_make(2, 3, 4));
    if (set_stage(&b, NULL, 0)) {
        tr_actor_id below = send(&b, tr_vec3_make(0, 0, -3), tr_vec3_make(0, 0, 3));
        tr_actor_id above = send(&b, tr_vec3_make(0, 3, -3), tr_vec3_make(0, 3, 3));
        play(&b, 12);
        check_arrived(&b, below);
        check_arrived(&b, above);
        CHECK(tr_stage_counters_of(b.stage, above).nearest == INFINITY);
        CHECK(tr_stage_counters_of(b.stage, above).waited == 0);
    }
    close_building(&b);
}

TEST(no_actor_starts_in_a_wall_or_in_the_air_beside_the_floor) {
    building b;
    if (open_stairs(&b, 1.75f, 1.4f, 0) && set_stage(&b, NULL, 0)) {
        tr_stage_actor_def def = {.character = b.character};
        const tr_vec3 bad[] = {{2, 0, 3}, {0, 0, 1}, {2.9f, 0, -3.9f}, {50, 0, 0}};
        tr_actor_id actor;
        tr_error error = {0};
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
            def.position = bad[i];
            CHECK_INT(tr_stage_add_actor(b.stage, &def, &actor, &error), TR_INVALID);
            CHECK_CONTAINS(error.message, "free place");
        }
        def.position = tr_vec3_make(0, 1.5f, -2); // falls onto the floor
        CHECK_INT(tr_stage_add_actor(b.stage, &def, &actor, &error), TR_OK);
        CHECK_NEAR(view_of(&b, actor).position.y, 0, 1e-3);
        def.position.y = NAN;
        CHECK_INT(tr_stage_add_actor(b.stage, &def, &actor, &error), TR_INVALID);
    }
    close_building(&b);
}

static const building *shared;

static bool make_and_play(const tr_allocator *allocator) {
    tr_stage_def def = tr_stage_def_default(shared->scene);
    def.allocator = allocator;
    def.cell = 0.1f;
    tr_stage *stage = NULL;
    tr_stage_actor_def who = {.character = shared->character, .position = {0, 0, -2}};
    tr_order order = {.kind = TR_ORDER_GO, .goal = {0, STEPS * RISE, 4}};
    tr_actor_id actor = 0;
    tr_status status = tr_stage_create(&def, &stage, NULL);
    if (status == TR_OK)
        status = tr_stage_add_actor(stage, &who, &actor, NULL);
    if (status == TR_OK)
        status = tr_stage_order(stage, actor, &order, TR_ORDER_QUEUE, NULL, NULL);
    if (status == TR_OK)
        status = tr_stage_step(stage, TR_STAGE_TICK, NULL);
    CHECK(status == TR_OK || status == TR_OUT_OF_MEMORY || status == TR_DONE);
    tr_order_report report = {0};
    bool failed = status != TR_OK || tr_stage_order_report(stage, actor, 0, &report) != TR_OK ||
                  report.state == TR_ORDER_FAILED;
    tr_stage_destroy(stage);
    return !failed;
}

TEST(without_memory_a_stage_with_stairs_reports_it_and_leaks_nothing) {
    building b;
    if (open_stairs(&b, 1.75f, 1.4f, 0)) {
        shared = &b;
        CHECK(CHECK_EVERY_ALLOCATION_FAILURE(make_and_play) > 30);
    }
    close_building(&b);
}

TEST(an_idle_actor_on_stairs_makes_way) {
    building b;
    if (open_stairs(&b, 1.75f, 1.4f, 0) && set_stage(&b, NULL, 0)) {
        tr_vec3 low = {0, 0, -2.5f}, step = {0, 4 * RISE, 3.5f * GOING},
                high = {0, STEPS * RISE, end_of_stairs() + 4};
        tr_actor_id idle = send(&b, low, step), comes = send(&b, high, tr_vec3_make(0, 0, -3));
        play(&b, 90);
        CHECK_INT(report_of(&b, idle).state, TR_ORDER_DONE);
        check_arrived(&b, comes);
        CHECK(tr_stage_counters_of(b.stage, comes).nearest > 0);
    }
    close_building(&b);
}

// The floor of open_stairs.
static float floor_at(float z) {
    float step = z < 0 ? 0 : floorf(z / GOING) + 1;
    return RISE * (step < STEPS ? step : STEPS);
}

// A walking body stays at one height: a walked way around another actor must not lead over steps.
TEST(an_actor_that_stands_on_wide_stairs_is_not_passed_in_the_air) {
    for (int down = 0; down < 2; down++) {
        building b;
        if (open_stairs(&b, 0, 2.6f, 0) && set_stage(&b, NULL, 0)) {
            tr_stage_actor_def def = {.character = b.character, .position = {0, 4 * RISE, 3.5f * GOING}};
            tr_actor_id stands;
            CHECK_INT(tr_stage_add_actor(b.stage, &def, &stands, NULL), TR_OK);
            tr_vec3 low = {0.1f, 0, -3}, high = {-0.1f, STEPS * RISE, end_of_stairs() + 4};
            tr_actor_id actor = down ? send(&b, high, low) : send(&b, low, high);
            tr_status status = TR_OK;
            float off = 0;
            while (status == TR_OK && tr_stage_time(b.stage) < 60) {
                status = tr_stage_step(b.stage, TR_STAGE_TICK, NULL);
                tr_actor_view view = view_of(&b, actor);
                off = fmaxf(off, fabsf(view.position.y - floor_at(view.position.z)));
            }
            CHECK_INT(status, TR_DONE);
            CHECK(off < 2 * RISE);
            check_arrived(&b, actor);
            check_body(&b, actor);
        }
        close_building(&b);
    }
}

// On level ground, with a podium on one side of a standing actor and a wall on the other.
TEST(no_actor_walks_through_a_podium_to_get_past_another) {
    building b;
    REQUIRE(open_building(&b, 0));
    add_block(b.scene, NULL, tr_vec3_make(-0.6f, -0.2f, -5), tr_vec3_make(3, 0, 5));
    add_block(b.scene, NULL, tr_vec3_make(-0.8f, 0, -5), tr_vec3_make(-0.6f, 2.4f, 5));
    add_block(b.scene, NULL, tr_vec3_make(0.6f, 0, -2), tr_vec3_make(3, 0.3f, 2));
    if (set_stage(&b, NULL, 0)) {
        tr_stage_actor_def def = {.character = b.character};
        tr_actor_id stands;
        CHECK_INT(tr_stage_add_actor(b.stage, &def, &stands, NULL), TR_OK);
        tr_actor_id actor = send(&b, tr_vec3_make(0, 0, -4), tr_vec3_make(0, 0, 4));
        tr_status status = TR_OK;
        while (status == TR_OK && tr_stage_time(b.stage) < 60) {
            status = tr_stage_step(b.stage, TR_STAGE_TICK, NULL);
            tr_actor_view view = view_of(&b, actor);
            if (view.position.x > 0.7f && fabsf(view.position.z) < 1.9f)
                CHECK(view.position.y > 0.2f);
        }
        CHECK_INT(status, TR_DONE);
        check_arrived(&b, actor);
    }
    close_building(&b);
}

// A thing as high as people across the flight, from `z` on.
static uint32_t bar_stairs(building *b, float z) {
    return add_block(b->scene, "crate", tr_vec3_make(-1, 0, z), tr_vec3_make(1, STEPS * RISE + 1, z + 0.5f));
}

TEST(an_actor_with_a_new_speed_on_stairs_stops_before_a_new_obstacle) {
    for (int run = 0; run < 6; run++) {
        building b;
        if (open_stairs(&b, 0, 1.6f, 0) && set_stage(&b, NULL, 0)) {
            tr_actor_id a =
                send(&b, tr_vec3_make(0, 0, -1), tr_vec3_make(0, STEPS * RISE, end_of_stairs() + 2));
            while (view_of(&b, a).position.z < 0.3f + 0.1f * (float)run && tr_stage_time(b.stage) < 20)
                CHECK_INT(tr_stage_step(b.stage, TR_STAGE_TICK, NULL), TR_OK);
            CHECK_INT(tr_stage_set_speed(b.stage, a, 1.2f), TR_OK);
            CHECK(tr_stage_step(b.stage, TR_STAGE_TICK, NULL) == TR_OK);
            float crate = view_of(&b, a).position.z + 1.1f;
            bar_stairs(&b, crate);
            for (int i = 0; i < 300; i++) {
                CHECK(tr_stage_step(b.stage, TR_STAGE_TICK, NULL) <= TR_DONE);
                CHECK(view_of(&b, a).position.z < crate - 0.15f);
            }
            CHECK_INT(report_of(&b, a).state, TR_ORDER_FAILED);
        }
        close_building(&b);
    }
}

// There may be room outside a dropped object and yet no step to it: between walls an actor cannot turn on
// stairs.
TEST(the_order_of_an_actor_under_a_dropped_object_on_stairs_ends) {
    tr_random random = tr_random_seed(7);
    for (int run = 0; run < 20; run++) {
        building b;
        float half = tr_random_between(&random, 0.5f, 0.7f);
        bool good = open_stairs(&b, 0, 2, 0);
        for (int side = -1; side <= 1; side += 2)
            add_block(b.scene, "wall", tr_vec3_make((float)side * half - 0.1f, 0, 0.1f),
                      tr_vec3_make((float)side * half + 0.1f, 4, end_of_stairs()));
        if (good && set_stage(&b, NULL, 0)) {
            tr_vec3 top = tr_vec3_make(0, STEPS * RISE, end_of_stairs() + 2);
            tr_actor_id a = send(&b, tr_vec3_make(0, 0, -1), top);
            float begin = tr_random_between(&random, 0.5f, 2), far = tr_random_between(&random, 0.05f, 0.3f);
            while (view_of(&b, a).position.z < begin && tr_stage_time(b.stage) < 20)
                CHECK_INT(tr_stage_step(b.stage, TR_STAGE_TICK, NULL), TR_OK);
            CHECK_INT(tr_stage_cancel(b.stage, a, 0), TR_OK);
            for (int i = 0; i < 60; i++)
                CHECK(tr_stage_step(b.stage, TR_STAGE_TICK, NULL) == TR_DONE);
            bar_stairs(&b, view_of(&b, a).position.z + far);
            tr_order order = {.kind = TR_ORDER_GO, .goal = top};
            CHECK_INT(tr_stage_order(b.stage, a, &order, TR_ORDER_QUEUE, NULL, NULL), TR_OK);
            tr_status status = TR_OK;
            while (status == TR_OK && tr_stage_time(b.stage) < 40)
                status = tr_stage_step(b.stage, TR_STAGE_TICK, NULL);
            CHECK_INT(status, TR_DONE);
        }
        close_building(&b);
    }
}
