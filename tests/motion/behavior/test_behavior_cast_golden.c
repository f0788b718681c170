// The same bits for every compiler, level of optimisation and on WASM: hashes of measured machines.
#include "test.h"
#include "troupe/base/hash.h"
#include "troupe/motion/behavior_cast.h"

#include <string.h>

static uint64_t hash_move(uint64_t hash, const tr_behavior_move *move) {
    const float numbers[] = {move->x, move->z, move->turn, move->rise};
    const uint32_t counts[] = {move->frames, move->action, move->disc_count};
    hash = tr_hash(hash, numbers, sizeof numbers);
    hash = tr_hash(hash, counts, sizeof counts);
    for (uint32_t i = 0; i < move->disc_count; i++) {
        const float place[2] = {move->discs[i].x, move->discs[i].z};
        const uint32_t when[2] = {move->discs[i].frame, move->discs[i].band};
        hash = tr_hash(hash, place, sizeof place);
        hash = tr_hash(hash, when, sizeof when);
    }
    return hash;
}

static uint64_t hash_states(const tr_behavior_def *def, const char *only) {
    uint64_t hash = tr_hash(TR_HASH_START, &def->radius, sizeof def->radius);
    for (uint32_t i = 0; i < def->state_count; i++)
        for (uint32_t k = 0; k < def->states[i].move_count; k++)
            if (!only || strcmp(def->states[i].name, only) == 0)
                hash = hash_move(hash, &def->states[i].moves[k]);
    return hash;
}

TEST(the_machine_of_the_horse_has_the_same_bits_everywhere) {
    tr_horse_def def = {.detail = 1};
    tr_behavior_cast *cast = NULL;
    REQUIRE(tr_behavior_cast_horse(&def, &cast, NULL) == TR_OK);
    CHECK_HASH(hash_states(tr_behavior_def_of(cast->machine), NULL), 0x86b80f29ac067aee);
    tr_behavior_cast_destroy(cast);
}

TEST(jogging_humans_have_the_same_bits_everywhere) {
    tr_behavior_cast_human_def def = {.radius = .4f, .seed = 3, .clips_max = 2};
    tr_behavior_cast *cast = NULL;
    REQUIRE(tr_behavior_cast_human(&def, &cast, NULL) == TR_OK);
    CHECK_HASH(hash_states(tr_behavior_def_of(cast->machine), "jog_left_2"), 0xeb96c7fc4c79d05b);
    tr_behavior_cast_destroy(cast);
}
