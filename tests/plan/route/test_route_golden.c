// Routes are the same cells everywhere: one hash for each method, whatever the compiler, the optimisation,
// and under WASM.
#include "test.h"
#include "troupe/base/hash.h"
#include "troupe/base/random.h"
#include "troupe/plan/field.h"
#include "troupe/plan/line_of_sight.h"

#define SIDE 60

static void make_map(tr_route_map *map, tr_random *random) {
    for (uint32_t i = 0; i < SIDE * SIDE; i++)
        tr_route_map_set_cell(map, i % SIDE, i / SIDE, true);
    for (int box = 0; box < 40; box++) {
        uint32_t column = tr_random_below(random, SIDE), row = tr_random_below(random, SIDE);
        uint32_t width = 1 + tr_random_below(random, 12), height = 1 + tr_random_below(random, 6);
        for (uint32_t i = 0; i < width * height; i++)
            tr_route_map_set_cell(map, column + i % width, row + i / width, false);
    }
}

static uint64_t hash_route(uint64_t hash, const tr_route_map *map, tr_route *route, tr_route_method method,
                           tr_vec2 start, tr_vec2 goal) {
    tr_route_params params = tr_route_params_default();
    params.method = method;
    params.reach = 100;
    tr_status status = tr_route_find(route, map, &params, start, &goal, 1, NULL);
    hash = tr_hash(hash, &(uint8_t){(uint8_t)status}, 1);
    if (status != TR_OK)
        return hash;
    tr_route_result path = tr_route_last(route);
    hash = tr_hash(hash, path.cells, path.cell_count * sizeof *path.cells);
    tr_vec2 points[SIDE * SIDE], ends[2];
    for (int i = 0; i < 2; i++) {
        uint32_t cell = path.cells[i ? path.cell_count - 1 : 0];
        ends[i] = tr_grid_centre(&map->grid, tr_route_map_column(map, cell), tr_route_map_row(map, cell));
    }
    uint32_t count;
    double length;
    CHECK_INT(tr_line_of_sight_pull(map,
                                    &(tr_line_of_sight_path){.cells = path.cells,
                                                             .cell_count = path.cell_count,
                                                             .start = ends[0],
                                                             .goal = ends[1],
                                                             .cut_corners = true},
                                    points, SIDE * SIDE, &count, &length),
              TR_OK);
    hash = tr_hash(hash, points, count * sizeof *points);
    return tr_hash(hash, &length, sizeof length);
}

TEST(routes_and_fields_have_the_same_bits_everywhere) {
    static const uint64_t golden[4] = {0xe5a69a57eefc4c5e, 0x828fe521fea59205, 0x536fedadab94982e,
                                       0x94f7878a8d75cd67};
    uint64_t hashes[4] = {TR_HASH_START, TR_HASH_START, TR_HASH_START, TR_HASH_START};
    tr_grid grid = {{-7, 3}, 0.25f, SIDE, SIDE};
    tr_random random = tr_random_seed(31);
    tr_route_map map;
    tr_route *route;
    tr_field *field;
    REQUIRE(tr_route_map_create(NULL, &grid, &map, NULL) == TR_OK);
    REQUIRE(tr_route_create(NULL, tr_route_map_nodes(&map), &route, NULL) == TR_OK);
    REQUIRE(tr_field_create(NULL, tr_route_map_nodes(&map), &field, NULL) == TR_OK);
    for (int trial = 0; trial < 100; trial++) {
        make_map(&map, &random);
        tr_vec2 ends[2];
        for (int i = 0; i < 2; i++) { // not as arguments of one call: their order is the compiler's
            uint32_t column = tr_random_below(&random, SIDE);
            ends[i] = tr_grid_centre(&grid, column, tr_random_below(&random, SIDE));
        }
        for (int method = 0; method < 3; method++)
            hashes[method] =
                hash_route(hashes[method], &map, route, (tr_route_method)method, ends[0], ends[1]);
        uint32_t goal = tr_route_map_nearest_free(&map, ends[1], 100);
        tr_route_params params = tr_route_params_default();
        CHECK_INT(tr_field_flood(field, &map, &params, &goal, 1, NULL), TR_OK);
        for (uint32_t i = 0; i < SIDE * SIDE; i++) {
            uint32_t cost = tr_field_cost(field, tr_route_map_node(&map, i % SIDE, i / SIDE));
            hashes[3] = tr_hash(hashes[3], &cost, sizeof cost);
        }
    }
    for (int i = 0; i < 4; i++)
        CHECK_HASH(hashes[i], golden[i]);
    tr_field_destroy(field);
    tr_route_destroy(route);
    tr_route_map_destroy(&map);
}
