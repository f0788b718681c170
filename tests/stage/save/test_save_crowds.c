// Saves of the sample crowds: at doors, in corridors, on stairs.
#include "stage/crowds.h"
#include "saves.h"
#include "stage/stage_data.h"

// All fields of the crowd for an actor, byte by byte: a field that save_fields.c does not name differs here.
static void check_crowd_fields(const tr_stage *a, const tr_stage *b) {
    size_t begin = offsetof(stage_actor, blocker), end = offsetof(stage_actor, plan_us);
    for (uint32_t i = 0; i < a->actor_count; i++) {
        stage_actor one = *a->actors[i], other = *b->actors[i];
        one.awaited_rank = other.awaited_rank = 0; // valid for one tick only
        for (size_t at = begin; at < end; at++)
            if (((const char *)&one)[at] != ((const char *)&other)[at]) {
                test_failed(__FILE__, __LINE__, "byte %zu of stage_actor was not saved", at);
                return;
            }
    }
}

// People of all heights on a sample scene; the loaded crowd has a scene of its own.
static void play_crowd(const tr_sample_crowd_def *def, uint32_t before, uint32_t after) {
    crowd_stage one, other;
    if (!crowd_stage_open(&one, def, NULL))
        return;
    for (uint32_t i = 0; i < before; i++)
        tr_stage_step(one.stage, TR_STAGE_TICK, NULL);
    saved bytes = save_stage(one.stage);
    tr_sample_crowd *crowd = NULL;
    tr_error error = {0};
    CHECK_INT(tr_sample_crowd_create(def, &crowd, &error), TR_OK);
    other = (crowd_stage){.crowd = crowd};
    tr_status status =
        load_stage(&bytes, tr_sample_crowd_scene(crowd)->scene, (const tr_character *const *)one.characters,
                   CROWD_HEIGHTS, &other.stage, &error);
    CHECK_TEXT(error.message, "");
    if (status == TR_OK)
        check_crowd_fields(one.stage, other.stage);
    for (uint32_t i = 0; i < after && status == TR_OK; i++) {
        tr_stage_step(one.stage, TR_STAGE_TICK, NULL);
        tr_stage_step(other.stage, TR_STAGE_TICK, NULL);
        if (world_hash(one.stage) == world_hash(other.stage))
            continue;
        test_failed(__FILE__, __LINE__, "%s, saved after %u ticks: another after %u", def->kind, before, i);
        break;
    }
    free(bytes.bytes);
    tr_stage_destroy(other.stage);
    tr_sample_crowd_destroy(crowd);
    crowd_stage_close(&one);
}

TEST(crowds_go_on_bit_for_bit) {
    static const char *const kinds[] = {"door", "corridor", "crossing", "office", "house", "stairs"};
    tr_random random = tr_random_seed(5);
    for (uint32_t i = 0; i < 6; i++) {
        tr_sample_crowd_def def = {.kind = kinds[i], .people = i < 4 ? 16 : 8, .seed = 40 + i};
        play_crowd(&def, 30 + tr_random_below(&random, 200), 90);
    }
}
