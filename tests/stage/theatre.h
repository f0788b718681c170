// A floor of 12 x 12 m for the tests of a stage, and helpers.
#pragma once
#include "block.h"
#include "stage/actor/character.h"
#include "troupe/stage/stage.h"

#include <math.h>
#include <string.h>

typedef struct theatre {
    tr_scene *scene;
    const tr_character *character;
    tr_stage *stage;
    tr_box area;
    uint32_t floor; // the object
} theatre;

// An object on the floor, taller than any actor.
static inline uint32_t add_box(tr_scene *scene, const char *name, float x0, float z0, float x1, float z1) {
    return add_block(scene, name, tr_vec3_make(x0, 0, z0), tr_vec3_make(x1, 2.2f, z1));
}

// The fields of def override the defaults of the theatre; tasks and allocator may be NULL.
static inline bool open_theatre_with(theatre *t, const tr_stage_def *like) {
    memset(t, 0, sizeof *t);
    t->area = (tr_box){{-6, 0, -6}, {6, 6, 6}};
    t->character = some_character();
    tr_error error = {0};
    bool good = t->character && tr_scene_create(NULL, &t->scene) == TR_OK;
    if (good)
        t->floor = add_block(t->scene, "floor", tr_vec3_make(-6, -0.2f, -6), tr_vec3_make(6, 0, 6));
    tr_stage_def def = like ? *like : tr_stage_def_default(NULL);
    def.scene = t->scene;
    def.area = t->area;
    good = good && tr_stage_create(&def, &t->stage, &error) == TR_OK;
    if (!good)
        test_failed(__FILE__, __LINE__, "%s", error.message);
    return good;
}

static inline bool open_theatre(theatre *t, tr_tasks *tasks) {
    tr_stage_def def = tr_stage_def_default(NULL);
    def.tasks = tasks;
    def.record = true;
    return open_theatre_with(t, &def);
}

static inline void close_theatre(theatre *t) {
    tr_stage_destroy(t->stage);
    tr_scene_destroy(t->scene);
}

static inline tr_actor_id add_actor(theatre *t, float x, float z) {
    tr_stage_actor_def def = {.character = t->character, .position = {x, 0, z}};
    tr_actor_id actor = 0;
    tr_error error = {0};
    CHECK_INT(tr_stage_add_actor(t->stage, &def, &actor, &error), TR_OK);
    CHECK_TEXT(error.message, "");
    return actor;
}

static inline uint32_t give_order(theatre *t, tr_actor_id actor, tr_order order, tr_order_mode mode) {
    tr_error error = {0};
    uint32_t number = TR_NONE;
    CHECK_INT(tr_stage_order(t->stage, actor, &order, mode, &number, &error), TR_OK);
    CHECK_TEXT(error.message, "");
    return number;
}

static inline uint32_t send_to(theatre *t, tr_actor_id actor, float x, float z) {
    return give_order(t, actor, (tr_order){.kind = TR_ORDER_GO, .goal = {x, 0, z}}, TR_ORDER_QUEUE);
}

static inline tr_actor_id add_walker(theatre *t, float x, float z, float goal_x, float goal_z) {
    tr_actor_id actor = add_actor(t, x, z);
    send_to(t, actor, goal_x, goal_z);
    return actor;
}

static inline tr_order_report report_of(const theatre *t, tr_actor_id actor, uint32_t order) {
    tr_order_report report = {0};
    CHECK_INT(tr_stage_order_report(t->stage, actor, order, &report), TR_OK);
    return report;
}

static inline tr_actor_view view_of(const theatre *t, tr_actor_id actor) {
    tr_actor_view view = {0};
    CHECK_INT(tr_stage_look(t->stage, actor, &view), TR_OK);
    return view;
}

static inline tr_vec2 place_of(const theatre *t, tr_actor_id actor) {
    return tr_vec3_from_above(view_of(t, actor).position);
}

static inline tr_status tick(theatre *t) {
    tr_error error = {0};
    tr_status status = tr_stage_step(t->stage, TR_STAGE_TICK, &error);
    CHECK_TEXT(error.message, "");
    return status;
}

static inline void ticks(theatre *t, int count) {
    for (int i = 0; i < count; i++)
        CHECK(tick(t) <= TR_DONE);
}

// Until all orders have ended; how long it took [s].
static inline double play(theatre *t, double longest) {
    tr_status status = TR_OK;
    while (status == TR_OK && tr_stage_time(t->stage) < longest)
        status = tick(t);
    CHECK_INT(status, TR_DONE);
    return tr_stage_time(t->stage);
}

static inline void check_arrived(const theatre *t, tr_actor_id actor) {
    tr_order_report report = report_of(t, actor, tr_stage_order_count(t->stage, actor, NULL) - 1);
    CHECK_TEXT(report.reason, "");
    CHECK_INT(report.state, TR_ORDER_DONE);
    tr_vec2 at = place_of(t, actor);
    CHECK_NEAR(at.x, report.order.goal.x, 0.15);
    CHECK_NEAR(at.z, report.order.goal.z, 0.15);
}

// Checks that no two discs overlapped, and that every actor was where it was committed to be.
static inline void check_apart(const theatre *t) {
    for (uint32_t i = 0; i < tr_stage_actor_count(t->stage); i++) {
        tr_stage_counters counters = tr_stage_counters_of(t->stage, tr_stage_actor(t->stage, i));
        CHECK(counters.nearest > -1e-5f);
        CHECK_INT(counters.deviations, 0);
    }
}
