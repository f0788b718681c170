// A table with things on it and an actor that stands before it, for the tests of reaching.
#pragma once
#include "block.h"
#include "motion/cast/cast.h"
#include "stage/actor/character.h"
#include "troupe/stage/stage.h"
#include "troupe/world/distance.h"

#include <math.h>
#include <string.h>

#define TABLE_TOP 0.92f

typedef struct reach_theatre {
    tr_scene *scene;
    const tr_character *character;
    tr_stage *stage;
    uint32_t table, cup, bottle; // the cup on the right, the bottle on the left
    tr_actor_id actor;
} reach_theatre;

static inline bool open_reach_theatre(reach_theatre *t, tr_tasks *tasks, const tr_allocator *allocator,
                                      bool record) {
    memset(t, 0, sizeof *t);
    tr_error error = {0};
    t->character = some_character();
    bool good = t->character && tr_scene_create(NULL, &t->scene) == TR_OK;
    if (good) {
        float top = TABLE_TOP;
        t->table = add_block(t->scene, "table", tr_vec3_make(-0.8f, top - 0.04f, 0.36f),
                             tr_vec3_make(0.8f, top, 1.1f));
        t->cup = add_block(t->scene, "cup", tr_vec3_make(-0.34f, top + 0.001f, 0.56f),
                           tr_vec3_make(-0.26f, top + 0.1f, 0.64f));
        t->bottle = add_block(t->scene, "bottle", tr_vec3_make(0.26f, top + 0.001f, 0.56f),
                              tr_vec3_make(0.34f, top + 0.24f, 0.64f));
        add_block(t->scene, "floor", tr_vec3_make(-3, -0.2f, -3), tr_vec3_make(3, 0, 2));
        tr_stage_def def = tr_stage_def_default(t->scene);
        def.area = (tr_box){{-3, 0, -3}, {3, 2.5f, 2}};
        def.tasks = tasks;
        def.allocator = allocator;
        def.record = record;
        good = tr_stage_create(&def, &t->stage, &error) == TR_OK;
    }
    if (good) {
        tr_stage_actor_def def = {.character = t->character, .radius = 0.15f};
        good = tr_stage_add_actor(t->stage, &def, &t->actor, &error) == TR_OK;
    }
    if (!good && !allocator)
        test_failed(__FILE__, __LINE__, "%s", error.message);
    return good;
}

static inline void close_reach_theatre(reach_theatre *t) {
    tr_stage_destroy(t->stage);
    tr_scene_destroy(t->scene);
}

static inline void give(reach_theatre *t, tr_order order) {
    tr_error error = {0};
    CHECK_INT(tr_stage_order(t->stage, t->actor, &order, TR_ORDER_QUEUE, NULL, &error), TR_OK);
    CHECK_TEXT(error.message, "");
}

static inline tr_actor_view view_of(const reach_theatre *t, tr_actor_id actor) {
    tr_actor_view view = {0};
    CHECK_INT(tr_stage_look(t->stage, actor, &view), TR_OK);
    return view;
}

static inline tr_order_report report_of(const reach_theatre *t, uint32_t order) {
    tr_order_report report = {0};
    CHECK_INT(tr_stage_order_report(t->stage, t->actor, order, &report), TR_OK);
    return report;
}

static inline tr_vec3 place_of(const reach_theatre *t, tr_role role) {
    tr_actor_view view = view_of(t, t->actor);
    return tr_affine_position(&view.model[tr_skeleton_with_role(view.character->skeleton, role)]);
}

// The distance between the capsule and the nearest triangle of all objects, one by one.
static inline float gap_to_scene(const tr_scene *scene, tr_vec3 a, tr_vec3 b, float radius) {
    float nearest = INFINITY;
    for (uint32_t i = 0; i < tr_scene_object_count(scene); i++) {
        tr_object_view object = tr_scene_object(scene, i);
        tr_mesh_view mesh = tr_scene_mesh(scene, object.mesh);
        for (uint32_t k = 0; k < mesh.triangle_count && !object.removed; k++) {
            tr_vec3 corners[3];
            for (uint32_t c = 0; c < 3; c++)
                corners[c] = tr_affine_apply(&object.placement, mesh.positions[mesh.indices[3 * k + c]]);
            float square = tr_distance_segment_triangle(a, b, corners, NULL, NULL);
            nearest = fminf(nearest, sqrtf(square) - radius);
        }
    }
    return nearest;
}

// The least gap between the capsules of the actor's arms and anything in the scene [m].
static inline float gap_of_arms(const reach_theatre *t) {
    tr_actor_view view = view_of(t, t->actor);
    const tr_body_def *body = tr_body_view(view.character->body);
    float nearest = INFINITY;
    for (uint32_t i = 0; i < body->capsule_count; i++) {
        const tr_capsule *capsule = &body->capsules[i];
        tr_role role = tr_skeleton_joint(view.character->skeleton, capsule->joint).role;
        tr_role left = role >= TR_ROLE_RIGHT_SHOULDER ? tr_role_mirror(role) : role;
        if (left != TR_ROLE_LEFT_UPPER_ARM && left != TR_ROLE_LEFT_FOREARM && left != TR_ROLE_LEFT_HAND)
            continue;
        const tr_affine *joint = &view.model[capsule->joint];
        nearest = fminf(nearest, gap_to_scene(t->scene, tr_affine_apply(joint, capsule->a),
                                              tr_affine_apply(joint, capsule->b), capsule->radius));
    }
    return nearest;
}

// One tick; checks that the arms of a standing actor touch nothing.
static inline tr_status tick(reach_theatre *t) {
    tr_error error = {0};
    tr_status status = tr_stage_step(t->stage, TR_STAGE_TICK, &error);
    CHECK_TEXT(error.message, "");
    float gap = gap_of_arms(t);
    if (!(gap > 0) && view_of(t, t->actor).doing == TR_ACTOR_STANDS)
        test_failed(__FILE__, __LINE__, "%.2f s: an arm is %.2f mm inside something", tr_stage_time(t->stage),
                    -1000 * (double)gap);
    return status;
}

static inline void play_on(reach_theatre *t, double until) {
    tr_status status = TR_OK;
    while (status == TR_OK && tr_stage_time(t->stage) < until)
        status = tick(t);
    CHECK_INT(status, TR_DONE);
}
