// What a game should not do to a stage: objects dropped onto people, floors taken away, scenes emptied and
// swapped, orders with arbitrary numbers. A status with a message or an event reports it, nothing is lost,
// and the play goes on.
#include "theatre.h"
#include "troupe/base/random.h"

#include <stdlib.h>

// Ticks, with the number of events of a kind for an actor.
static uint32_t ticks_with(theatre *t, int count, tr_event_kind kind, tr_actor_id actor) {
    uint32_t found = 0;
    for (int i = 0; i < count; i++) {
        uint32_t event_count;
        ticks(t, 1);
        const tr_event *events = tr_stage_events(t->stage, &event_count);
        for (uint32_t k = 0; k < event_count; k++)
            found += events[k].kind == kind && events[k].actor == actor;
    }
    return found;
}

// How far an actor's middle is outside of a rectangle; 0: inside.
static float outside(const theatre *t, tr_actor_id actor, tr_box box) {
    tr_vec2 at = place_of(t, actor);
    float x = fmaxf(fmaxf(box.min.x - at.x, at.x - box.max.x), 0),
          z = fmaxf(fmaxf(box.min.z - at.z, at.z - box.max.z), 0);
    return sqrtf(x * x + z * z);
}

static void check_finite(const theatre *t) {
    uint32_t count = 16 * tr_stage_matrix_count(t->stage);
    float *floats = malloc((count + 1) * sizeof *floats);
    CHECK_INT(tr_stage_write_matrices(t->stage, TR_MATRICES_WORLD, floats, count), TR_OK);
    for (uint32_t i = 0; i < count; i++)
        if (!isfinite(floats[i])) {
            test_failed(__FILE__, __LINE__, "a matrix is not finite");
            break;
        }
    free(floats);
}

TEST(an_actor_under_a_dropped_object_is_reported_and_walks_out) {
    static const tr_box drops[] = {{{-0.3f, 0, -0.3f}, {0.3f, 2.2f, 0.3f}},
                                   {{-1, 0, -1}, {1, 2.2f, 1}},
                                   {{-0.4f, 0, -0.4f}, {0.4f, 0.6f, 0.4f}}, // low
                                   {{0.1f, 0, -1}, {1.5f, 2.2f, 1}},        // it stands at the side of it
                                   {{-2, 0, -1}, {0.5f, 3, 2}}};
    for (int i = 0; i < 5; i++) {
        theatre t;
        if (open_theatre(&t, NULL)) {
            tr_actor_id actor = add_actor(&t, 0, 0);
            CHECK_INT(ticks_with(&t, 10, TR_EVENT_COVERED, actor), 0);
            uint32_t box = add_block(t.scene, "box", drops[i].min, drops[i].max);
            CHECK_INT(ticks_with(&t, 200, TR_EVENT_COVERED, actor), 1); // once
            CHECK(outside(&t, actor, drops[i]) > 0.25f);
            send_to(&t, actor, 4, 4);
            play(&t, 30);
            check_arrived(&t, actor);
            check_apart(&t);
            CHECK_INT(tr_scene_remove_object(t.scene, box), TR_OK);
        }
        close_theatre(&t);
    }
}

// The nearest room is behind a wall that was there before.
TEST(an_actor_that_walks_out_of_an_object_does_not_walk_through_another) {
    theatre t;
    if (open_theatre(&t, NULL)) {
        tr_actor_id actor = add_actor(&t, 0, 0);
        add_block(t.scene, "wall", tr_vec3_make(0.5f, 0, -2.9f), tr_vec3_make(0.6f, 2.5f, 2.9f));
        ticks(&t, 10);
        tr_box box = {{-1.6f, 0, -1.6f}, {0.45f, 2.2f, 1.6f}};
        add_block(t.scene, "box", box.min, box.max);
        for (int i = 0; i < 240; i++) {
            ticks(&t, 1);
            CHECK(place_of(&t, actor).x < 0.4f);
        }
        CHECK(outside(&t, actor, box) > 0.25f);
        check_apart(&t);
    }
    close_theatre(&t);
}

TEST(a_walker_under_a_dropped_object_gets_out_and_arrives) {
    for (int i = 0; i < 6; i++) {
        theatre t;
        if (open_theatre(&t, NULL)) {
            tr_actor_id actor = add_walker(&t, -4, 0, 4, 0);
            ticks(&t, 60 + 23 * i);
            tr_vec2 at = place_of(&t, actor);
            float half = 0.3f + 0.2f * (float)i;
            tr_box box = {{at.x - half, 0, at.z - half}, {at.x + half, 2.2f, at.z + half}};
            add_block(t.scene, "box", box.min, box.max);
            CHECK_INT(ticks_with(&t, 165, TR_EVENT_COVERED, actor), 1);
            CHECK(outside(&t, actor, box) > 0.2f);
            play(&t, 60);
            check_arrived(&t, actor);
            check_apart(&t);
        }
        close_theatre(&t);
    }
}

TEST(several_covered_actors_get_out_without_touching_each_other) {
    theatre t;
    if (open_theatre(&t, NULL)) {
        tr_actor_id actors[6];
        for (int i = 0; i < 6; i++)
            actors[i] = add_actor(&t, 0.7f * (float)(i % 3) - 0.7f, 0.8f * (float)(i / 3) - 0.4f);
        tr_box box = {{-1.2f, 0, -0.8f}, {1.2f, 2.2f, 0.8f}};
        ticks(&t, 5);
        add_block(t.scene, "lorry", box.min, box.max);
        ticks(&t, 450);
        for (int i = 0; i < 6; i++)
            CHECK(outside(&t, actors[i], box) > 0.2f);
        check_apart(&t);
    }
    close_theatre(&t);
}

// One actor turns to walk away, another is committed to pass where it stood, and a box is put onto the way of
// the first. Both stop.
TEST(an_actor_that_cannot_stop_for_others_does_not_walk_into_a_new_obstacle) {
    for (int i = 0; i < 40; i++) {
        theatre t;
        if (open_theatre(&t, NULL)) {
            tr_actor_id turns = add_walker(&t, 0, 0, 0, -4),
                        passes = add_walker(&t, -1.6f - 0.1f * (float)(i % 10), 0.1f, 4, 0.1f);
            ticks(&t, 35 + 5 * (i / 10));
            tr_box box = {{-0.8f, 0, -1.6f}, {0.8f, 1.2f, -0.7f}};
            bool late = place_of(&t, turns).z < -0.05f;
            add_block(t.scene, "box", box.min, box.max);
            for (int k = 0; k < 300; k++) {
                ticks(&t, 1);
                CHECK(late || outside(&t, turns, box) > 0.15f);
                check_apart(&t);
            }
            play(&t, 40);
            check_arrived(&t, turns);
            check_arrived(&t, passes);
        }
        close_theatre(&t);
    }
}

// The end of a thin wall is beside the shortest way out, inside the dropped object.
TEST(an_actor_that_walks_out_of_an_object_does_not_brush_walls_inside_it) {
    for (int i = 0; i < 12; i++) {
        theatre t;
        if (open_theatre(&t, NULL)) {
            tr_box wall = {{0.3f, 0, 0.02f * (float)i}, {0.34f, 2, 2}};
            add_block(t.scene, "wall", wall.min, wall.max);
            tr_actor_id actor = add_actor(&t, 0, -0.05f);
            tr_box box = {{-1.6f, 0, -0.9f}, {0.5f, 2.2f, 1.6f}};
            ticks(&t, 5);
            add_block(t.scene, "box", box.min, box.max);
            for (int k = 0; k < 200; k++) {
                ticks(&t, 1);
                CHECK(outside(&t, actor, wall) > 0.12f);
            }
            CHECK(outside(&t, actor, box) > 0.2f);
        }
        close_theatre(&t);
    }
}

TEST(without_room_an_order_fails_and_names_the_obstacle) {
    theatre t;
    if (open_theatre(&t, NULL)) {
        tr_actor_id actor = add_walker(&t, 0, 0, 4, 0), idle = add_actor(&t, -1, -1);
        ticks(&t, 30);
        uint32_t box = add_box(t.scene, "container", -5, -5, 5, 5);
        CHECK_INT(ticks_with(&t, 60, TR_EVENT_COVERED, actor), 1);
        tr_order_report report = report_of(&t, actor, 0);
        CHECK_INT(report.state, TR_ORDER_FAILED);
        CHECK_TEXT(report.reason, "container covers the actor, and there is no room within 3 m");
        send_to(&t, actor, 0, 4);
        ticks(&t, 60);
        CHECK_INT(report_of(&t, actor, 1).state, TR_ORDER_FAILED);
        CHECK_INT(tr_scene_remove_object(t.scene, box), TR_OK);
        send_to(&t, actor, 0, 4);
        send_to(&t, idle, -4, -4);
        play(&t, 40);
        check_arrived(&t, actor);
        check_arrived(&t, idle);
    }
    close_theatre(&t);
}

TEST(an_actor_into_which_a_box_is_pushed_ends_up_beside_it) {
    theatre t;
    if (open_theatre(&t, NULL)) {
        uint32_t box = add_box(t.scene, "crate", -2, -0.4f, -1.2f, 0.4f);
        tr_actor_id actor = add_actor(&t, 0, 0);
        for (int i = 1; i <= 60; i++) {
            tr_affine place = tr_affine_identity();
            place.m[0][3] = 0.025f * (float)i;
            CHECK_INT(tr_scene_place(t.scene, box, &place), TR_OK);
            ticks(&t, 1);
        }
        ticks(&t, 150);
        CHECK(outside(&t, actor, tr_scene_object(t.scene, box).bounds) > 0.2f);
        check_finite(&t);
    }
    close_theatre(&t);
}

// A hand at chest height, and a chest that comes up to the knees or to the hips.
static void play_reaching(float height, theatre *t, tr_actor_id *actor, tr_box *box) {
    *actor = add_actor(t, 0, 0);
    give_order(t, *actor, (tr_order){.kind = TR_ORDER_REACH, .point = {-0.2f, 1.2f, 0.4f}}, TR_ORDER_QUEUE);
    play(t, 10);
    CHECK_INT(report_of(t, *actor, 0).state, TR_ORDER_DONE);
    *box = (tr_box){{-0.5f, 0, -0.6f}, {0.5f, height, 0.2f}};
    add_block(t->scene, "chest", box->min, box->max);
    CHECK_INT(ticks_with(t, 300, TR_EVENT_COVERED, *actor), 1);
}

TEST(a_reaching_actor_lowers_its_arm_before_it_walks_out) {
    theatre t;
    tr_actor_id actor;
    tr_box box;
    if (open_theatre(&t, NULL)) {
        play_reaching(0.4f, &t, &actor, &box);
        CHECK(outside(&t, actor, box) > 0.05f); // an object that can be stepped onto may be close
    }
    close_theatre(&t);
    if (open_theatre(&t, NULL)) { // there is no room for the arm to come down
        play_reaching(0.8f, &t, &actor, &box);
        CHECK(outside(&t, actor, box) == 0);
        send_to(&t, actor, 4, 4);
        play(&t, 40);
        CHECK_INT(report_of(&t, actor, 1).state, TR_ORDER_FAILED);
        CHECK(report_of(&t, actor, 1).reason[0]);
    }
    close_theatre(&t);
}

TEST(a_floor_that_is_taken_away_fails_orders_until_it_is_back) {
    theatre t;
    if (open_theatre(&t, NULL)) {
        tr_actor_id actor = add_walker(&t, -4, 0, 4, 0);
        ticks(&t, 60);
        CHECK_INT(tr_scene_remove_object(t.scene, t.floor), TR_OK);
        CHECK_INT(ticks_with(&t, 60, TR_EVENT_COVERED, actor), 1);
        CHECK_INT(report_of(&t, actor, 0).state, TR_ORDER_FAILED);
        CHECK_TEXT(report_of(&t, actor, 0).reason, "the actor no longer has a floor under it");
        tr_stage_actor_def def = {.character = t.character, .position = {2, 0, 2}};
        tr_actor_id none;
        tr_error error = {0};
        CHECK_INT(tr_stage_add_actor(t.stage, &def, &none, &error), TR_INVALID);
        CHECK_CONTAINS(error.message, "no floor");
        add_block(t.scene, "new floor", tr_vec3_make(-6, -0.1f, -6), tr_vec3_make(6, 0, 6));
        send_to(&t, actor, 4, 0);
        play(&t, 30);
        check_arrived(&t, actor);
    }
    close_theatre(&t);
}

// All objects go and others come, in one go, again and again, while people walk.
TEST(a_stage_follows_a_scene_that_is_emptied_and_refilled) {
    theatre t;
    if (open_theatre(&t, NULL)) {
        tr_random random = tr_random_seed(3);
        tr_actor_id actors[4];
        for (int i = 0; i < 4; i++)
            actors[i] = add_actor(&t, 2 * (float)i - 3, -5);
        for (int round = 0; round < 12; round++) {
            for (uint32_t i = 0; i < tr_scene_object_count(t.scene); i++)
                tr_scene_remove_object(t.scene, i);
            if (round % 3 == 2)
                ticks(&t, 7); // for a while there is nothing
            add_block(t.scene, "floor", tr_vec3_make(-6, -0.2f, -6), tr_vec3_make(6, 0, 6));
            for (int i = 0; i < 6; i++) {
                float x = tr_random_between(&random, -5, 4), z = tr_random_between(&random, -3, 3);
                add_box(t.scene, "box", x, z, x + 0.8f, z + 0.8f);
            }
            for (int i = 0; i < 4; i++)
                give_order(&t, actors[i],
                           (tr_order){.kind = TR_ORDER_GO, .goal = {2 * (float)i - 3, 0, round % 2 ? -5 : 5}},
                           TR_ORDER_REPLACE);
            ticks(&t, 40);
            check_finite(&t);
        }
        play(&t, tr_stage_time(t.stage) + 60);
        for (int i = 0; i < 4; i++) {
            uint32_t count = tr_stage_order_count(t.stage, actors[i], NULL);
            for (uint32_t k = 0; k < count; k++) {
                tr_order_report report = report_of(&t, actors[i], k);
                CHECK(report.state >= TR_ORDER_DONE);
                CHECK((report.state == TR_ORDER_FAILED) == (report.reason[0] != 0));
            }
        }
        check_apart(&t);
    }
    close_theatre(&t);
}

// One block for the scene itself, so that the next scene lies where the last one did.
typedef struct one_place {
    _Alignas(16) char block[1 << 12];
    bool taken;
} one_place;

static void *resize_in_place(void *user, void *old, size_t old_size, size_t new_size) {
    one_place *place = user;
    tr_allocator plain = tr_allocator_default();
    if (old == place->block) {
        place->taken = new_size > 0;
        return new_size > 0 && new_size <= sizeof place->block ? old : NULL;
    }
    if (!old && !place->taken && new_size <= sizeof place->block) {
        place->taken = true;
        return place->block;
    }
    return plain.resize(plain.user, old, old_size, new_size);
}

TEST(another_scene_at_the_same_address_is_refused_with_a_sentence) {
    static one_place place;
    tr_allocator allocator = {resize_in_place, &place};
    tr_scene *scene = NULL, *other = NULL;
    tr_stage *stage = NULL;
    tr_error error = {0};
    tr_actor_id actor;
    REQUIRE(tr_scene_create(&allocator, &scene) == TR_OK);
    add_block(scene, "floor", tr_vec3_make(-3, -0.2f, -3), tr_vec3_make(3, 0, 3));
    tr_stage_def def = tr_stage_def_default(scene);
    REQUIRE(tr_stage_create(&def, &stage, &error) == TR_OK);
    tr_stage_actor_def who = {.character = some_character()};
    CHECK_INT(tr_stage_add_actor(stage, &who, &actor, &error), TR_OK);
    tr_order go = {.kind = TR_ORDER_GO, .goal = {2, 0, 2}};
    CHECK_INT(tr_stage_order(stage, actor, &go, TR_ORDER_QUEUE, NULL, &error), TR_OK);
    CHECK_INT(tr_stage_step(stage, 0.5, &error), TR_OK);
    tr_scene_destroy(scene);
    REQUIRE(tr_scene_create(&allocator, &other) == TR_OK);
    REQUIRE(other == scene);
    double time = tr_stage_time(stage);
    CHECK_INT(tr_stage_step(stage, 0.5, &error), TR_INVALID);
    CHECK_TEXT(error.message, "the scene of the stage was replaced: create a new stage");
    who.position.x = 1;
    tr_actor_id none;
    CHECK_INT(tr_stage_add_actor(stage, &who, &none, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "was replaced");
    CHECK_INT(tr_stage_place_actor(stage, actor, tr_vec3_make(1, 0, 1), 0, &error), TR_INVALID);
    CHECK_NEAR(tr_stage_time(stage), time, 0);
    CHECK_INT(tr_stage_actor_count(stage), 1);
    tr_order_report report;
    CHECK_INT(tr_stage_order_report(stage, actor, 0, &report), TR_OK);
    CHECK_INT(report.state, TR_ORDER_UNDER_WAY);
    tr_stage_destroy(stage);
    tr_scene_destroy(other);
}

static float any_number(tr_random *random) {
    static const float numbers[] = {0,         1,     -1,     0.5f,   3,     NAN, INFINITY,
                                    -INFINITY, 1e30f, -1e30f, 1e-30f, 3e38f, 99};
    return tr_random_below(random, 3) ? tr_random_between(random, -5, 5)
                                      : numbers[tr_random_below(random, sizeof numbers / sizeof *numbers)];
}

static tr_vec3 any_point(tr_random *random) {
    return tr_vec3_make(any_number(random), any_number(random), any_number(random));
}

static tr_order any_order(tr_random *random, tr_actor_id actor_max) {
    tr_order order = {.kind = (tr_order_kind)tr_random_below(random, 6),
                      .goal_kind = (tr_goal_kind)tr_random_below(random, 5),
                      .goal = any_point(random),
                      .any_floor = tr_random_below(random, 2),
                      .region = {any_point(random), any_point(random)},
                      .target = tr_random_below(random, actor_max + 2),
                      .near = any_number(random),
                      .has_heading = tr_random_below(random, 2),
                      .heading = any_number(random),
                      .speed = any_number(random),
                      .deadline = (double)any_number(random),
                      .velocity = {any_number(random), any_number(random)},
                      .seconds = (double)any_number(random),
                      .hands = tr_random_below(random, 5),
                      .has_object = tr_random_below(random, 2),
                      .object = tr_random_below(random, 4),
                      .point = any_point(random),
                      .has_direction = tr_random_below(random, 2),
                      .direction = any_point(random),
                      .tolerance = any_number(random),
                      .hold = (double)any_number(random)};
    return order;
}

// Most fields of an order mean nothing for its kind: about one of five is taken.
TEST(orders_with_arbitrary_numbers_are_refused_with_a_sentence_or_carried_out) {
    theatre t;
    tr_stage_def like = tr_stage_def_default(NULL);
    if (open_theatre_with(&t, &like)) {
        tr_random random = tr_random_seed(11);
        add_box(t.scene, "box", 1, 1, 2, 2);
        tr_actor_id actors[4];
        for (int i = 0; i < 4; i++)
            actors[i] = add_actor(&t, 2 * (float)i - 3, -3);
        uint32_t taken = 0;
        for (int i = 0; i < 3000; i++) {
            tr_actor_id actor = actors[tr_random_below(&random, 4)];
            tr_order order = any_order(&random, 5);
            tr_error error = {0};
            tr_status status = tr_stage_order(t.stage, actor, &order,
                                              (tr_order_mode)tr_random_below(&random, 3), NULL, &error);
            CHECK(status == TR_OK || status == TR_INVALID);
            CHECK((status == TR_OK) == (error.message[0] == 0));
            taken += status == TR_OK;
            tr_vec2 velocity = {any_number(&random), any_number(&random)};
            if (i % 7 == 0)
                tr_stage_steer(t.stage, actor, velocity, NULL);
            if (i % 10 == 0) {
                ticks(&t, 1);
                check_finite(&t);
            }
        }
        CHECK(taken > 300);
        check_apart(&t);
    }
    close_theatre(&t);
}

// An allocator that refuses one request of fifty.
typedef struct moody {
    tr_random random;
    bool refuses;
    uint64_t refused;
} moody;

static void *resize_or_refuse(void *user, void *old, size_t old_size, size_t new_size) {
    moody *memory = user;
    tr_allocator plain = tr_allocator_default();
    if (memory->refuses && new_size > 0 && tr_random_below(&memory->random, 50) == 0) {
        memory->refused++;
        return NULL;
    }
    return plain.resize(plain.user, old, old_size, new_size);
}

typedef struct chaos {
    theatre t;
    tr_random random;
    moody memory;
    tr_actor_id actors[12];
    uint32_t actor_count;
    uint32_t boxes[8], box_count;
} chaos;

static tr_vec3 somewhere(chaos *c) {
    return tr_vec3_make(tr_random_between(&c->random, -5.5f, 5.5f), 0,
                        tr_random_between(&c->random, -5.5f, 5.5f));
}

static void change_objects(chaos *c) {
    tr_vec3 at = somewhere(c);
    uint32_t which = c->box_count ? tr_random_below(&c->random, c->box_count) : 0;
    float half = tr_random_between(&c->random, 0.1f, 0.9f);
    if (c->box_count < 8 && tr_random_below(&c->random, 2)) {
        c->boxes[c->box_count++] =
            add_block(c->t.scene, "box", tr_vec3_make(-half, 0, -half), tr_vec3_make(half, 4 * half, half));
        which = c->box_count - 1;
    } else if (c->box_count && tr_random_below(&c->random, 3) == 0) {
        CHECK_INT(tr_scene_remove_object(c->t.scene, c->boxes[which]), TR_OK);
        c->boxes[which] = c->boxes[--c->box_count];
        return;
    }
    tr_affine place = tr_affine_identity();
    place.m[0][3] = at.x;
    place.m[2][3] = at.z;
    if (c->box_count)
        CHECK_INT(tr_scene_place(c->t.scene, c->boxes[which], &place), TR_OK);
}

static void change_people(chaos *c) {
    uint32_t which = c->actor_count ? tr_random_below(&c->random, c->actor_count) : 0;
    tr_stage_actor_def def = {.character = c->t.character, .position = somewhere(c)};
    tr_order go = {.kind = TR_ORDER_GO, .goal = somewhere(c), .deadline = 20};
    switch (tr_random_below(&c->random, 6)) {
    case 0:
        if (c->actor_count < 12 &&
            tr_stage_add_actor(c->t.stage, &def, &c->actors[c->actor_count], NULL) == TR_OK)
            c->actor_count++;
        break;
    case 1:
        if (c->actor_count && tr_random_below(&c->random, 4) == 0) {
            CHECK_INT(tr_stage_remove_actor(c->t.stage, c->actors[which]), TR_OK);
            c->actors[which] = c->actors[--c->actor_count];
        }
        break;
    case 2:
        if (c->actor_count)
            tr_stage_place_actor(c->t.stage, c->actors[which], def.position, 0, NULL);
        break;
    default:
        if (c->actor_count)
            tr_stage_order(c->t.stage, c->actors[which], &go, (tr_order_mode)tr_random_below(&c->random, 3),
                           NULL, NULL);
    }
}

static void run_chaos(uint64_t seed) {
    chaos c = {.random = tr_random_seed(seed), .memory.random = tr_random_seed(seed + 1)};
    tr_allocator allocator = {resize_or_refuse, &c.memory};
    tr_stage_def def = tr_stage_def_default(NULL);
    def.allocator = &allocator;
    if (open_theatre_with(&c.t, &def)) {
        c.memory.refuses = true;
        for (int i = 0; i < 400; i++) {
            if (i % 8 == 0)
                change_objects(&c);
            if (i % 3 == 0)
                change_people(&c);
            tr_error error = {0};
            tr_status status = tr_stage_step(c.t.stage, TR_STAGE_TICK, &error);
            while (status == TR_OUT_OF_MEMORY) {
                CHECK(error.message[0]);
                status = tr_stage_step(c.t.stage, 0, &error);
            }
            CHECK(status == TR_OK || status == TR_DONE);
            CHECK_NEAR(tr_stage_time(c.t.stage), (i + 1) * TR_STAGE_TICK, 1e-9);
        }
        c.memory.refuses = false;
        check_finite(&c.t);
        for (uint32_t i = 0; i < c.actor_count; i++) // those that wait behind others have time left then
            CHECK(tr_stage_order_count(c.t.stage, c.actors[i], NULL) < 100);
        tr_status status = TR_OK;
        for (int i = 0; i < 30 * 600 && status == TR_OK; i++)
            status = tick(&c.t);
        CHECK_INT(status, TR_DONE); // every order has an end
        CHECK(c.memory.refused > 5);
        check_apart(&c.t);
    }
    close_theatre(&c.t);
}

TEST(with_dropped_objects_and_little_memory_every_order_ends_and_no_actors_overlap) {
    for (uint64_t seed = 0; seed < 12; seed++)
        run_chaos(seed);
}
