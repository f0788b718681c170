// Actors that go by behaviors: jumps where walking ends, others who mind them, orders and worlds that change.
#include "block.h"
#include "stage/actor/character.h"
#include "troupe/stage/save.h"
#include "troupe/stage/stage.h"

#include <math.h>
#include <string.h>

typedef struct hall {
    tr_scene *scene;
    tr_stage *stage;
} hall;

static tr_behavior_cast *cast;
static tr_character *character;

// Made once: it is only read.
static bool open_cast(void) {
    tr_error error = {0};
    if (cast)
        return true;
    tr_behavior_cast_human_def def = {.clips_max = 1};
    bool good = tr_behavior_cast_human(&def, &cast, &error) == TR_OK;
    tr_character_def kind = {.skeleton = good ? cast->skeleton : NULL, .body = good ? cast->body : NULL};
    good = good && tr_character_create(&kind, &character, &error) == TR_OK;
    if (!good)
        test_failed(__FILE__, __LINE__, "%s", error.message);
    return good;
}

// A floor of 30 x 30 m; with a log it is divided by a wall with a gap, in which the log lies.
static bool open_hall(hall *h, bool log) {
    memset(h, 0, sizeof *h);
    tr_error error = {0};
    bool good = open_cast() && tr_scene_create(NULL, &h->scene) == TR_OK;
    if (!good)
        return false;
    add_block(h->scene, "floor", tr_vec3_make(-15, -0.2f, -15), tr_vec3_make(15, 0, 15));
    if (log) {
        add_block(h->scene, "left", tr_vec3_make(-15, 0, -0.2f), tr_vec3_make(-1.5f, 2.4f, 0.2f));
        add_block(h->scene, "right", tr_vec3_make(1.5f, 0, -0.2f), tr_vec3_make(15, 2.4f, 0.2f));
        add_block(h->scene, "log", tr_vec3_make(-1.5f, 0, -0.1f), tr_vec3_make(1.5f, 0.28f, 0.1f));
    }
    tr_stage_def def = tr_stage_def_default(h->scene);
    def.cell = 0.05f;
    good = tr_stage_create(&def, &h->stage, &error) == TR_OK;
    if (!good)
        test_failed(__FILE__, __LINE__, "%s", error.message);
    return good;
}

static void close_hall(hall *h) {
    tr_stage_destroy(h->stage);
    tr_scene_destroy(h->scene);
}

static tr_actor_id add_who(hall *h, float x, float z, float heading, bool performs, bool where_needed) {
    tr_stage_actor_def def = {.character = character,
                              .behaviors_where_needed = where_needed,
                              .position = {x, 0, z},
                              .heading = heading,
                              .behaviors = performs ? cast : NULL};
    tr_actor_id actor = 0;
    tr_error error = {0};
    if (tr_stage_add_actor(h->stage, &def, &actor, &error) != TR_OK)
        test_failed(__FILE__, __LINE__, "%s", error.message);
    return actor;
}

static tr_actor_id add(hall *h, float x, float z, float heading, bool performs) {
    return add_who(h, x, z, heading, performs, false);
}

static void go(hall *h, tr_actor_id actor, float x, float z) {
    tr_order order = {.kind = TR_ORDER_GO, .goal = {x, 0, z}};
    CHECK_INT(tr_stage_order(h->stage, actor, &order, TR_ORDER_REPLACE, NULL, NULL), TR_OK);
}

static tr_actor_view look(const hall *h, tr_actor_id actor) {
    tr_actor_view view = {0};
    CHECK_INT(tr_stage_look(h->stage, actor, &view), TR_OK);
    return view;
}

static tr_order_report report(const hall *h, tr_actor_id actor, uint32_t number) {
    tr_order_report got = {0};
    CHECK_INT(tr_stage_order_report(h->stage, actor, number, &got), TR_OK);
    return got;
}

// Steps until all orders have ended; returns the seconds. Nobody overlaps anybody.
static double run(hall *h, double most) {
    double begin = tr_stage_time(h->stage);
    tr_error error = {0};
    for (;;) {
        tr_status status = tr_stage_step(h->stage, TR_STAGE_TICK, &error);
        double gone = tr_stage_time(h->stage) - begin;
        uint32_t count = tr_stage_actor_count(h->stage);
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t k = i + 1; k < count; k++) {
                tr_vec3 a = look(h, tr_stage_actor(h->stage, i)).position;
                tr_vec3 b = look(h, tr_stage_actor(h->stage, k)).position;
                CHECK(tr_vec3_distance_from_above(a, b) > 0.6f - 1e-3f);
            }
        if (status != TR_OK || gone > most) {
            CHECK_TEXT(error.message, "");
            return gone;
        }
    }
}

TEST(an_actor_jogs_to_its_goal_and_stops_there_precisely) {
    hall h;
    if (open_hall(&h, false)) {
        tr_actor_id who = add(&h, -10, -10, 0, true);
        go(&h, who, 6.3f, 8.1f);
        bool performed = false;
        for (int k = 0; k < 30; k++) {
            tr_stage_step(h.stage, TR_STAGE_TICK, NULL);
            performed = performed || look(&h, who).doing == TR_ACTOR_PERFORMS;
        }
        CHECK(performed);
        CHECK(run(&h, 40) < 20);
        tr_vec3 at = look(&h, who).position;
        CHECK_INT(report(&h, who, 0).state, TR_ORDER_DONE);
        CHECK_NEAR((double)at.x, 6.3, 0.02);
        CHECK_NEAR((double)at.z, 8.1, 0.02);
    }
    close_hall(&h);
}

TEST(where_walking_ends_an_actor_jumps) {
    hall h;
    if (open_hall(&h, true)) {
        tr_actor_id walker = add(&h, 3, -10, 0, false), who = add(&h, -3, -10, 0, true);
        go(&h, who, 0.5f, 11);
        go(&h, walker, 8, -8);
        float highest = 0;
        for (int k = 0; k < 900; k++) {
            tr_stage_step(h.stage, TR_STAGE_TICK, NULL);
            tr_actor_view view = look(&h, who);
            uint32_t hips = tr_skeleton_with_role(cast->skeleton, TR_ROLE_HIPS);
            float height = tr_affine_position(&view.model[hips]).y;
            highest = height > highest ? height : highest;
        }
        tr_order_report got = report(&h, who, 0);
        CHECK_TEXT(got.reason, "");
        CHECK_INT(got.state, TR_ORDER_DONE);
        CHECK(look(&h, who).position.z > 10 && highest > 1.15f); // standing it is at 0.95 m
    }
    close_hall(&h);
}

TEST(an_actor_walks_where_it_can_and_jumps_where_it_has_to) {
    hall h;
    if (open_hall(&h, true)) {
        tr_actor_id who = add_who(&h, -3, -10, 0, true, true);
        tr_order orders[2] = {{.kind = TR_ORDER_GO, .goal = {-4, 0, -8}},
                              {.kind = TR_ORDER_GO, .goal = {0, 0, 10}}};
        for (int i = 0; i < 2; i++)
            CHECK_INT(tr_stage_order(h.stage, who, &orders[i], TR_ORDER_QUEUE, NULL, NULL), TR_OK);
        bool walked = false, performed = false;
        for (int k = 0; k < 1200; k++) {
            tr_stage_step(h.stage, TR_STAGE_TICK, NULL);
            tr_actor_doing doing = look(&h, who).doing;
            walked = walked || doing == TR_ACTOR_WALKS;
            CHECK(walked || doing != TR_ACTOR_PERFORMS);
            performed = performed || doing == TR_ACTOR_PERFORMS;
        }
        CHECK(walked && performed);
        for (uint32_t i = 0; i < 2; i++) {
            CHECK_TEXT(report(&h, who, i).reason, "");
            CHECK_INT(report(&h, who, i).state, TR_ORDER_DONE);
        }
    }
    close_hall(&h);
}

TEST(a_new_order_is_taken_up_at_a_jog) {
    hall h;
    if (open_hall(&h, false)) {
        tr_actor_id who = add(&h, -10, -10, 0, true);
        go(&h, who, -10, 12);
        for (int k = 0; k < 110; k++)
            tr_stage_step(h.stage, TR_STAGE_TICK, NULL);
        go(&h, who, 10, -6);
        float slowest = INFINITY;
        for (int k = 0; k < 60; k++) {
            tr_stage_step(h.stage, TR_STAGE_TICK, NULL);
            float speed = look(&h, who).speed;
            slowest = speed < slowest ? speed : slowest;
        }
        CHECK(slowest > 1.5f);
        run(&h, 40);
        CHECK_INT(report(&h, who, 1).state, TR_ORDER_DONE);
    }
    close_hall(&h);
}

TEST(people_who_jog_and_people_who_walk_never_overlap) {
    hall h;
    if (open_hall(&h, false)) {
        tr_actor_id all[10];
        for (uint32_t i = 0; i < 10; i++)
            all[i] = add(&h, -9 + 2 * (float)i, i % 2 ? 11 : -11, i % 2 ? 3.1f : 0, i % 3 != 0);
        for (uint32_t i = 0; i < 10; i++)
            go(&h, all[i], 9 - 2 * (float)i, i % 2 ? -10.5f : 10.5f);
        run(&h, 90);
        uint32_t done = 0;
        for (uint32_t i = 0; i < 10; i++)
            done += report(&h, all[i], 0).state == TR_ORDER_DONE;
        CHECK_INT(done, 10);
    }
    close_hall(&h);
}

TEST(a_wall_that_appears_is_gone_around) {
    hall h;
    if (open_hall(&h, false)) {
        tr_actor_id who = add(&h, 0, -12, 0, true);
        go(&h, who, 0, 12);
        for (int k = 0; k < 60; k++)
            tr_stage_step(h.stage, TR_STAGE_TICK, NULL);
        add_block(h.scene, "wall", tr_vec3_make(-5, 0, 3), tr_vec3_make(5, 2.4f, 3.4f));
        for (int k = 0; k < 900; k++) {
            tr_stage_step(h.stage, TR_STAGE_TICK, NULL);
            tr_vec3 at = look(&h, who).position;
            CHECK(!(at.x > -5 && at.x < 5 && at.z > 3 && at.z < 3.4f));
        }
        CHECK_INT(report(&h, who, 0).state, TR_ORDER_DONE);
    }
    close_hall(&h);
}

TEST(goals_that_cannot_be_reached_fail_with_a_reason) {
    hall h;
    if (open_hall(&h, false)) {
        add_block(h.scene, "a", tr_vec3_make(4, 0, 4), tr_vec3_make(10, 3, 4.3f));
        add_block(h.scene, "b", tr_vec3_make(4, 0, 9.7f), tr_vec3_make(10, 3, 10));
        add_block(h.scene, "c", tr_vec3_make(4, 0, 4), tr_vec3_make(4.3f, 3, 10));
        add_block(h.scene, "d", tr_vec3_make(9.7f, 0, 4), tr_vec3_make(10, 3, 10));
        tr_actor_id who = add(&h, -10, -10, 0, true);
        go(&h, who, 7, 7);
        run(&h, 40);
        CHECK_INT(report(&h, who, 0).state, TR_ORDER_FAILED);
        CHECK(report(&h, who, 0).reason[0] != 0);
        uint64_t needed;
        CHECK_INT(tr_stage_save(h.stage, NULL, 0, &needed, NULL), TR_INVALID);
    }
    close_hall(&h);
    tr_character_destroy(character);
    tr_behavior_cast_destroy(cast);
}
