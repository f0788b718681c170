// Somebody crosses the sample office; half-way the game is saved, and loaded again: the end is the same, bit
// for bit.
#include "troupe/base/hash.h"
#include "troupe/stage/save.h"
#include "troupe/world/sample.h"

#include <stdio.h>
#include <stdlib.h>

// Play on until all orders have ended. A hash of every joint of every tick.
static uint64_t play(tr_stage *stage) {
    uint64_t hash = TR_HASH_START;
    tr_status status = TR_OK;
    while (status == TR_OK) {
        status = tr_stage_step(stage, 1.0 / 30, NULL);
        for (uint32_t i = 0; i < tr_stage_actor_count(stage); i++) {
            tr_actor_view view;
            tr_stage_look(stage, tr_stage_actor(stage, i), &view);
            hash = tr_hash(hash, view.model, view.pose->joint_count * sizeof *view.model);
        }
    }
    return hash;
}

int main(void) {
    tr_sample office;
    tr_character *adult = NULL;
    tr_stage *stage = NULL;
    tr_error error = {0};
    tr_sample_def sample = {.name = "office"};
    tr_character_def kind = {.detail = 1};
    if (tr_sample_make(&sample, &office, &error) != TR_OK ||
        tr_character_create(&kind, &adult, &error) != TR_OK)
        return 1;
    tr_stage_def def = tr_stage_def_default(office.scene);
    def.area = office.ground;
    tr_stage_create(&def, &stage, &error);
    tr_actor_id actor;
    tr_stage_actor_def who = {.name = "Ada", .character = adult, .position = {-8.5f, 0, -6}};
    tr_stage_add_actor(stage, &who, &actor, &error);
    tr_order go = {.kind = TR_ORDER_GO, .goal = {8.5f, 0, 8}};
    tr_stage_order(stage, actor, &go, TR_ORDER_QUEUE, NULL, &error);
    for (int i = 0; i < 300; i++)
        tr_stage_step(stage, 1.0 / 30, &error);

    uint64_t size, needed;
    tr_stage_save(stage, NULL, 0, &size, NULL); // how many bytes
    void *bytes = malloc(size);
    if (tr_stage_save(stage, bytes, size, &needed, &error) != TR_OK)
        return 1;
    printf("saved after %.1f s: %llu bytes\n", tr_stage_time(stage), (unsigned long long)size);
    uint64_t first = play(stage);
    printf("played on to %.1f s: %016llx\n", tr_stage_time(stage), (unsigned long long)first);
    tr_stage_destroy(stage);

    const tr_character *const characters[] = {adult};
    tr_stage_load_def load = {.scene = office.scene, .characters = characters, .character_count = 1};
    if (tr_stage_load(&load, bytes, size, &stage, &error) != TR_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    printf("loaded at %.1f s\n", tr_stage_time(stage));
    uint64_t second = play(stage);
    printf("played on to %.1f s: %016llx\n", tr_stage_time(stage), (unsigned long long)second);
    free(bytes);
    tr_stage_destroy(stage);
    tr_character_destroy(adult);
    tr_scene_destroy(office.scene);
    return first == second ? 0 : 1;
}
