// The same border, ways and refined ways, bit for bit, for every compiler and level of optimisation.
#include "surface_route_judge.h"
#include "troupe/base/hash.h"

#define SIZE 6.0f

static uint64_t hash_way(uint64_t hash, tr_surface_route *route, tr_status status) {
    tr_surface_route_result result = tr_surface_route_last(route);
    const uint8_t words[5] = {(uint8_t)status, (uint8_t)result.start_fate, (uint8_t)result.goal_fate,
                              (uint8_t)result.border_cells, result.border_leads_through};
    hash = tr_hash(hash, words, sizeof words);
    hash = tr_hash(hash, result.cells, result.cell_count * sizeof *result.cells);
    hash = tr_hash(hash, &result.cost, sizeof result.cost);
    hash = tr_hash(hash, &result.counters.expanded, sizeof result.counters.expanded);
    return tr_hash(hash, &result.length, sizeof result.length);
}

static uint64_t hash_border(uint64_t hash, const tr_surface_route *route, const tr_surface *surface) {
    for (uint32_t i = 0; i < tr_surface_cell_count(surface); i++) {
        uint8_t state = (uint8_t)tr_surface_route_state_of(route, i);
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
        surface_route_world world = surface_route_world_begin();
        surface_route_world_random(&world, &random, SIZE, 10 + tr_random_below(&random, 20));
        REQUIRE(surface_route_world_build(&world, SIZE, SIZE, 0.25f));
        tr_surface_route *route =
            surface_route_world_route(&world, surface_route_random_person(&random), i & 1 ? 8 : 4);
        REQUIRE(route != NULL);
        for (uint32_t k = 0; k < 8; k++) {
            tr_surface_route_params params = tr_surface_route_params_default();
            params.method = k & 1 ? TR_SURFACE_ROUTE_FLOOD : TR_SURFACE_ROUTE_ASTAR;
            params.border = (tr_surface_route_border_use)(k % 3);
            tr_vec3 ends[2];
            for (int e = 0; e < 2; e++) {
                uint32_t column = tr_random_below(&random, 24), row = tr_random_below(&random, 24);
                ends[e] = surface_route_world_point(&world, column, row, tr_random_between(&random, 0, 3));
            }
            tr_status status = tr_surface_route_find(route, &params, ends[0], &ends[1], 1, NULL);
            hashes[k & 1] = hash_way(hashes[k & 1], route, status);
            CHECK_INT(
                tr_surface_route_refine(route, k & 2 ? TR_SURFACE_ROUTE_ALTERNATE : TR_SURFACE_ROUTE_EVERY),
                TR_OK);
            hashes[2] = hash_way(hashes[2], route, status);
        }
        hashes[3] = hash_border(hashes[3], route, world.surface);
        tr_surface_route_destroy(route);
        surface_route_world_end(&world);
    }
    for (int i = 0; i < 4; i++)
        CHECK_HASH(hashes[i], golden[i]);
}
