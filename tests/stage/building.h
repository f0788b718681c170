// A scene that a test builds of blocks, with a stage on it and a character for it.
#pragma once
#include "block.h"
#include "motion/cast/cast.h"
#include "test.h"
#include "troupe/motion/audit.h"
#include "troupe/stage/stage.h"

#include <math.h>
#include <string.h>

typedef struct building {
    tr_scene *scene;
    tr_character *character;
    tr_stage *stage;
} building;

// An empty scene, and a character of this height [m]; 0: the default height.
static inline bool open_building(building *b, float height) {
    memset(b, 0, sizeof *b);
    tr_character_def kind = {.detail = 1, .height = height};
    CHECK_INT(tr_scene_create(NULL, &b->scene), TR_OK);
    CHECK_INT(tr_character_create(&kind, &b->character, NULL), TR_OK);
    return b->scene && b->character;
}

// Call this after everything is built.
static inline bool set_stage(building *b, const tr_ground_link *links, uint32_t link_count) {
    tr_stage_def def = tr_stage_def_default(b->scene);
    def.record = true;
    def.links = links;
    def.link_count = link_count;
    tr_error error = {0};
    CHECK_INT(tr_stage_create(&def, &b->stage, &error), TR_OK);
    CHECK_TEXT(error.message, "");
    return b->stage;
}

static inline void close_building(building *b) {
    tr_stage_destroy(b->stage);
    tr_character_destroy(b->character);
    tr_scene_destroy(b->scene);
}

static inline tr_actor_id send(building *b, tr_vec3 from, tr_vec3 to) {
    tr_stage_actor_def def = {.character = b->character, .position = from};
    tr_order order = {.kind = TR_ORDER_GO, .goal = to};
    tr_actor_id actor = 0;
    tr_error error = {0};
    CHECK_INT(tr_stage_add_actor(b->stage, &def, &actor, &error), TR_OK);
    CHECK_TEXT(error.message, "");
    CHECK_INT(tr_stage_order(b->stage, actor, &order, TR_ORDER_QUEUE, NULL, NULL), TR_OK);
    return actor;
}

static inline tr_order_report report_of(const building *b, tr_actor_id actor) {
    tr_order_report report = {0};
    CHECK_INT(tr_stage_order_report(b->stage, actor, 0, &report), TR_OK);
    return report;
}

static inline tr_actor_view view_of(const building *b, tr_actor_id actor) {
    tr_actor_view view = {0};
    CHECK_INT(tr_stage_look(b->stage, actor, &view), TR_OK);
    return view;
}

// An audit of all that an actor did, among the triangles of the scene.
static inline tr_audit audit_of(const building *b, tr_actor_id actor) {
    tr_clip *clip = NULL;
    tr_error error = {0};
    tr_audit audit = {0};
    CHECK_INT(tr_stage_clip(b->stage, actor, NULL, &clip, &error), TR_OK);
    tr_audit_params params = tr_audit_params_default();
    params.scene = b->scene;
    params.body = b->character->body;
    CHECK_INT(tr_audit_measure(NULL, b->character->skeleton, clip, &params, &audit, &error), TR_OK);
    CHECK_TEXT(error.message, "");
    tr_clip_destroy(clip);
    return audit;
}
