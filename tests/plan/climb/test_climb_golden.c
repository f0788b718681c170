// The same border, ways and refined ways, bit for bit, for every compiler and level of optimisation.
#include "climb_judge.h"
#include "troupe/base/hash.h"

#define SIZE 6.0f

static uint64_t hash_way(uint64_t hash, tr_climb *climb, tr_status status) {
    tr_climb_result result = tr_climb_last(climb);
    const uint8_t words[5] = {(uint8_t)status, (uint8_t)result.start_fate, (uint8_t)result.goal_fate,
                              (uint8_t)result.border_cells, result.border_leads_through};
    hash = tr_hash(hash, words, sizeof words);
    hash = tr_hash(hash, result.cells, result.cell_count * sizeof *result.cells);
    hash = tr_hash(hash, &result.cost, sizeof result.cost);
    hash = tr_hash(hash, &result.counters.expanded, sizeof result.counters.expanded);
    return tr_hash(hash, &result.length, sizeof result.length);
}

static uint64_t hash_border(uint64_t hash, const tr_climb *climb, const tr_surface *surface) {
    for (uint32_t i = 0; i < tr_surface_cell_count(surface); i++) {
        uint8_t state = (uint8_t)tr_climb_state_of(climb, i);
        hash = tr_hash(hash, &state, 1);
    }
    return hash;
}

TEST(ways_and_borders_have_the_same_bits_everywhere) {
    static const uint64_t golden[4] = {0xb4b4d9898cbbaf36, 0xf79552bde2723de6, 0xf3f09f70bb811daf,
                                       0x5b8ff06073fbafdb};
    uint64_t hashes[4] = {TR_HASH_START, TR_HASH_START, TR_HASH_START, TR_HASH_START};
    tr_random random = tr_random_seed(41);
    for (uint32_t i = 0; i < 60; i++) {
        climb_world world = climb_world_begin();
        climb_world_random(&world, &random, SIZE, 10 + tr_random_below(&random, 20));
        REQUIRE(climb_world_build(&world, SIZE, SIZE, 0.25f));
        tr_climb *climb = climb_world_climb(&world, climb_random_person(&random), i & 1 ? 8 : 4);
        REQUIRE(climb != NULL);
        for (uint32_t k = 0; k < 8; k++) {
            tr_climb_params params = tr_climb_params_default();
            params.method = k & 1 ? TR_CLIMB_FLOOD : TR_CLIMB_ASTAR;
            params.border = (tr_climb_border_use)(k % 3);
            tr_vec3 ends[2];
            for (int e = 0; e < 2; e++) {
                uint32_t column = tr_random_below(&random, 24), row = tr_random_below(&random, 24);
                ends[e] = climb_world_point(&world, column, row, tr_random_between(&random, 0, 3));
            }
            tr_status status = tr_climb_find(climb, &params, ends[0], &ends[1], 1, NULL);
            hashes[k & 1] = hash_way(hashes[k & 1], climb, status);
            CHECK_INT(tr_climb_refine(climb, k & 2 ? TR_CLIMB_ALTERNATE : TR_CLIMB_EVERY), TR_OK);
            hashes[2] = hash_way(hashes[2], climb, status);
        }
        hashes[3] = hash_border(hashes[3], climb, world.surface);
        tr_climb_destroy(climb);
        climb_world_end(&world);
    }
    for (int i = 0; i < 4; i++)
        CHECK_HASH(hashes[i], golden[i]);
}
