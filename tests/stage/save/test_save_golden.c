// The bytes of a save are the same for every compiler, level of optimisation and machine.
#include "saves.h"

TEST(a_save_has_the_same_bytes_everywhere) {
    tr_scene *scene = NULL;
    tr_stage *stage = NULL;
    tr_actor_id actor = 0;
    CHECK_INT(tr_scene_create(NULL, &scene), TR_OK);
    add_block(scene, "floor", tr_vec3_make(-1, -0.2f, -1), tr_vec3_make(1, 0, 1));
    add_block(scene, "ball", tr_vec3_make(-0.25f, 1, 0.45f), tr_vec3_make(-0.15f, 1.1f, 0.55f));
    tr_stage_def def = tr_stage_def_default(scene);
    CHECK_INT(tr_stage_create(&def, &stage, NULL), TR_OK);
    tr_stage_actor_def who = {.character = world_characters()[0], .radius = 0.2f};
    tr_order reach = {.kind = TR_ORDER_REACH, .has_object = true, .object = 1, .hands = TR_HAND_RIGHT};
    CHECK_INT(tr_stage_add_actor(stage, &who, &actor, NULL), TR_OK);
    CHECK_INT(tr_stage_order(stage, actor, &reach, TR_ORDER_QUEUE, NULL, NULL), TR_OK);
    static const uint64_t expected[2] = {0x3bf0bb7cd50b127e, 0x4857ac19cd6f65ca};
    for (int i = 0; i < 2; i++) {
        saved made = save_stage(stage);
        CHECK_HASH(tr_hash(TR_HASH_START, made.bytes, made.size), expected[i]);
        free(made.bytes);
        for (int tick = 0; tick < 30; tick++)
            tr_stage_step(stage, TR_STAGE_TICK, NULL);
    }
    tr_order_report report;
    CHECK_INT(tr_stage_order_report(stage, actor, 0, &report), TR_OK);
    CHECK_TEXT(report.reason, "");
    CHECK_INT(report.reach.plans, 1);
    tr_stage_destroy(stage);
    tr_scene_destroy(scene);
}
