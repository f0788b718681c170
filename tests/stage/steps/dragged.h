// One person who is dragged over a sample scene, for tests.
#pragma once
#include "stage/actor/character.h"
#include "troupe/motion/audit.h"
#include "troupe/stage/stage.h"
#include "troupe/world/sample.h"

#include <math.h>
#include <string.h>

typedef struct dragged {
    tr_sample sample;
    tr_stage *stage;
    tr_actor_id actor;
} dragged;

static inline bool open_dragged_at(dragged *d, const char *sample, uint64_t seed, tr_vec3 at,
                                   const tr_stage_def *like) {
    memset(d, 0, sizeof *d);
    tr_sample_def made = {.name = sample, .seed = seed};
    tr_error error = {0};
    bool good = tr_sample_make(&made, &d->sample, &error) == TR_OK;
    tr_stage_def def = like ? *like : tr_stage_def_default(NULL);
    def.scene = d->sample.scene;
    def.area = d->sample.ground;
    good = good && tr_stage_create(&def, &d->stage, &error) == TR_OK;
    tr_stage_actor_def actor = {.character = some_character(), .position = at, .plain = 1};
    good = good && actor.character && tr_stage_add_actor(d->stage, &actor, &d->actor, &error) == TR_OK;
    if (!good)
        test_failed(__FILE__, __LINE__, "%s", error.message);
    return good;
}

static inline bool open_dragged(dragged *d, const char *sample, uint64_t seed, const tr_stage_def *like) {
    return open_dragged_at(d, sample, seed, tr_vec3_make(0, 0, -0.3f), like);
}

static inline void close_dragged(dragged *d) {
    tr_stage_destroy(d->stage);
    tr_scene_destroy(d->sample.scene);
}

static inline tr_status drag_tick(dragged *d) {
    tr_error error = {0};
    tr_status status = tr_stage_step(d->stage, TR_STAGE_TICK, &error);
    CHECK_TEXT(error.message, "");
    return status;
}

static inline void drag_as(dragged *d, tr_drag drag, double seconds) {
    tr_error error = {0};
    CHECK_INT(tr_stage_drag(d->stage, d->actor, drag, &error), TR_OK);
    for (double end = tr_stage_time(d->stage) + seconds - 1e-6; tr_stage_time(d->stage) < end;)
        CHECK_INT(drag_tick(d), TR_OK);
}

static inline void drag_for(dragged *d, float ahead, float turn, double seconds) {
    drag_as(d, (tr_drag){.ahead = ahead, .turn = turn}, seconds);
}

static inline tr_actor_view see_dragged(const dragged *d) {
    tr_actor_view view = {0};
    CHECK_INT(tr_stage_look(d->stage, d->actor, &view), TR_OK);
    return view;
}

static inline tr_order_report last_report(const dragged *d) {
    tr_order_report report = {0};
    uint32_t count = tr_stage_order_count(d->stage, d->actor, NULL);
    CHECK_INT(tr_stage_order_report(d->stage, d->actor, count - 1, &report), TR_OK);
    return report;
}

// The recording of the stage, measured against the triangles of the scene.
static inline tr_audit measure_dragged(const dragged *d) {
    tr_clip *clip = NULL;
    tr_error error = {0};
    tr_audit audit = {0};
    tr_actor_view view = see_dragged(d);
    tr_audit_params params = tr_audit_params_default();
    params.scene = d->sample.scene;
    params.ground = tr_scene_bounds(d->sample.scene).min.y;
    params.body = tr_character_body(view.character);
    if (tr_stage_clip(d->stage, d->actor, NULL, &clip, &error) != TR_OK ||
        tr_audit_measure(NULL, tr_character_skeleton(view.character), clip, &params, &audit, &error) != TR_OK)
        test_failed(__FILE__, __LINE__, "%s", error.message);
    tr_clip_destroy(clip);
    return audit;
}
