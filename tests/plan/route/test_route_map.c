// Route maps against plain arrays of cells: every bit, by rows and by columns, whichever way it was set.
#include "test.h"
#include "troupe/base/random.h"
#include "troupe/plan/route.h"

#include <math.h>
#include <string.h>

#define SIDE_MAX 200

// What should be in the map: cells as bytes, row by row.
typedef struct plain_cells {
    uint32_t columns, rows;
    bool blocked[SIDE_MAX * SIDE_MAX];
} plain_cells;

typedef struct map_pair {
    plain_cells plain;
    tr_bitmap bitmap; // the same cells, or what they shall become
    tr_route_map map;
} map_pair;

// Around one and two words of 64 bits with their borders, and anything else.
static uint32_t random_side(tr_random *random) {
    switch (tr_random_below(random, 4)) {
    case 0:
        return 61 + tr_random_below(random, 6);
    case 1:
        return 125 + tr_random_below(random, 6);
    case 2:
        return 1 + tr_random_below(random, 4);
    default:
        return 1 + tr_random_below(random, SIDE_MAX);
    }
}

static bool make_pair(map_pair *pair, uint32_t columns, uint32_t rows) {
    tr_grid grid = {{-2, 3}, 0.5f, columns, rows};
    memset(&pair->plain, 0, sizeof pair->plain);
    memset(pair->plain.blocked, true, sizeof pair->plain.blocked);
    pair->plain.columns = columns;
    pair->plain.rows = rows;
    return tr_bitmap_create(NULL, columns, rows, &pair->bitmap) == TR_OK &&
           tr_route_map_create(NULL, &grid, &pair->map, NULL) == TR_OK;
}

static void drop_pair(map_pair *pair) {
    tr_bitmap_destroy(NULL, &pair->bitmap);
    tr_route_map_destroy(&pair->map);
}

static bool is_free_in(const plain_cells *plain, int64_t column, int64_t row) {
    return column >= 0 && row >= 0 && column < plain->columns && row < plain->rows &&
           !plain->blocked[row * plain->columns + column];
}

static bool bit(const uint64_t *bits, uint64_t number) {
    return bits[number >> 6] >> (number & 63) & 1;
}

// Every bit there is, borders and spare words included; true when all are right.
static bool is_right(const map_pair *pair) {
    const tr_route_map *map = &pair->map;
    const plain_cells *plain = &pair->plain;
    uint32_t wrong = 0;
    for (uint32_t row = 0; row < plain->rows + 2; row++)
        for (uint32_t column = 0; column < map->pitch; column++)
            wrong += bit(map->free, (uint64_t)row * map->pitch + column) !=
                     is_free_in(plain, (int64_t)column - 1, (int64_t)row - 1);
    for (uint32_t column = 0; column < plain->columns + 2; column++)
        for (uint32_t row = 0; row < map->pitch_turned; row++)
            wrong += bit(map->free_turned, (uint64_t)column * map->pitch_turned + row) !=
                     is_free_in(plain, (int64_t)column - 1, (int64_t)row - 1);
    const uint64_t *ends[4] = {map->free - 1, map->free + (size_t)map->pitch / 64 * (plain->rows + 2),
                               map->free_turned - 1,
                               map->free_turned + (size_t)map->pitch_turned / 64 * (plain->columns + 2)};
    for (int i = 0; i < 4; i++)
        wrong += *ends[i] != 0;
    CHECK_INT(wrong, 0);
    return wrong == 0;
}

static void random_bitmap(tr_random *random, tr_bitmap *bitmap) {
    uint32_t share = tr_random_below(random, 101);
    tr_bitmap_clear(bitmap);
    for (uint32_t row = 0; row < bitmap->rows; row++)
        for (uint32_t column = 0; column < bitmap->columns; column++)
            if (tr_random_below(random, 100) < share)
                tr_bitmap_set(bitmap, column, row);
}

static tr_cells random_region(tr_random *random, uint32_t columns, uint32_t rows) {
    tr_cells cells = {tr_random_below(random, columns), tr_random_below(random, rows), 0, 0};
    cells.column_end = cells.column_begin + 1 + tr_random_below(random, columns - cells.column_begin);
    cells.row_end = cells.row_begin + 1 + tr_random_below(random, rows - cells.row_begin);
    return cells;
}

static void take_over(map_pair *pair, tr_cells cells) {
    for (uint32_t row = cells.row_begin; row < cells.row_end; row++)
        for (uint32_t column = cells.column_begin; column < cells.column_end; column++)
            pair->plain.blocked[row * pair->plain.columns + column] =
                tr_bitmap_get(&pair->bitmap, column, row);
}

static map_pair pair; // large

TEST(a_new_map_is_blocked_everywhere) {
    for (uint32_t columns = 1; columns <= SIDE_MAX; columns += 7) {
        REQUIRE(make_pair(&pair, columns, SIDE_MAX + 1 - columns));
        CHECK(is_right(&pair));
        CHECK_INT(pair.map.pitch % 64, 0);
        CHECK(pair.map.pitch >= columns + 2 && pair.map.pitch < columns + 2 + 64);
        CHECK_INT(tr_route_map_nodes(&pair.map), pair.map.pitch * (pair.plain.rows + 2));
        drop_pair(&pair);
    }
}

TEST(the_whole_and_regions_of_every_size_are_taken_over_exactly) {
    tr_random random = tr_random_seed(1);
    for (int trial = 0; trial < 120; trial++) {
        REQUIRE(make_pair(&pair, random_side(&random), random_side(&random)));
        random_bitmap(&random, &pair.bitmap);
        tr_cells cells = tr_grid_all(&pair.map.grid);
        for (int change = 0; change < 8; change++) {
            uint64_t revision = pair.map.revision;
            CHECK_INT(tr_route_map_set(&pair.map, &pair.bitmap, cells), TR_OK);
            CHECK(pair.map.revision > revision);
            take_over(&pair, cells);
            if (!is_right(&pair))
                break;
            random_bitmap(&random, &pair.bitmap); // all of it: what lies beside the region must stay
            cells = random_region(&random, pair.plain.columns, pair.plain.rows);
        }
        drop_pair(&pair);
    }
}

TEST(every_size_around_a_word_is_taken_over_exactly) {
    tr_random random = tr_random_seed(2);
    for (uint32_t columns = 59; columns <= 68; columns++)
        for (uint32_t rows = 123; rows <= 132; rows++) {
            bool turn = (columns + rows) % 2;
            REQUIRE(make_pair(&pair, turn ? rows : columns, turn ? columns : rows));
            random_bitmap(&random, &pair.bitmap);
            CHECK_INT(tr_route_map_set(&pair.map, &pair.bitmap, tr_grid_all(&pair.map.grid)), TR_OK);
            take_over(&pair, tr_grid_all(&pair.map.grid));
            CHECK(is_right(&pair));
            drop_pair(&pair);
        }
}

TEST(single_cells_are_set_by_rows_and_by_columns) {
    tr_random random = tr_random_seed(3);
    for (int trial = 0; trial < 20; trial++) {
        REQUIRE(make_pair(&pair, random_side(&random), random_side(&random)));
        for (int change = 0; change < 500; change++) {
            uint32_t column = tr_random_below(&random, pair.plain.columns),
                     row = tr_random_below(&random, pair.plain.rows);
            bool is_free = tr_random_below(&random, 3) != 0;
            uint64_t revision = pair.map.revision;
            tr_route_map_set_cell(&pair.map, column, row, is_free);
            CHECK(pair.map.revision > revision);
            pair.plain.blocked[row * pair.plain.columns + column] = !is_free;
            uint32_t node = tr_route_map_node(&pair.map, column, row);
            CHECK_INT(tr_route_map_is_free(&pair.map, node), is_free);
            CHECK_INT(tr_route_map_column(&pair.map, node), column);
            CHECK_INT(tr_route_map_row(&pair.map, node), row);
        }
        uint64_t revision = pair.map.revision;
        tr_route_map_set_cell(&pair.map, pair.plain.columns, 0, true); // outside: nothing
        tr_route_map_set_cell(&pair.map, 0, pair.plain.rows, true);
        tr_route_map_set_cell(&pair.map, UINT32_MAX, UINT32_MAX, true);
        CHECK_INT(pair.map.revision, revision);
        CHECK(is_right(&pair));
        drop_pair(&pair);
    }
}

TEST(what_does_not_fit_the_map_is_refused_and_nothing_changes) {
    REQUIRE(make_pair(&pair, 70, 30));
    tr_bitmap other;
    REQUIRE(tr_bitmap_create(NULL, 70, 31, &other) == TR_OK);
    const tr_cells all = {0, 0, 70, 30}, bad[3] = {{0, 0, 71, 30}, {0, 0, 70, 31}, {5, 5, UINT32_MAX, 6}},
                   empty[4] = {{0}, {5, 5, 5, 9}, {5, 5, 9, 5}, {9, 9, 5, 5}};
    CHECK_INT(tr_route_map_set(&pair.map, &other, all), TR_INVALID);
    for (int i = 0; i < 3; i++)
        CHECK_INT(tr_route_map_set(&pair.map, &pair.bitmap, bad[i]), TR_INVALID);
    for (int i = 0; i < 4; i++)
        CHECK_INT(tr_route_map_set(&pair.map, &pair.bitmap, empty[i]), TR_OK);
    CHECK_INT(pair.map.revision, 0);
    CHECK(is_right(&pair));
    tr_bitmap_destroy(NULL, &other);
    drop_pair(&pair);
}

// All cells one by one. The numbers are such that nothing is rounded: ties are ties.
static uint32_t nearest_of_all(const map_pair *p, tr_vec2 point, double reach) {
    double best = reach * reach;
    uint32_t found = TR_NONE;
    for (uint32_t row = 0; row < p->plain.rows; row++)
        for (uint32_t column = 0; column < p->plain.columns; column++) {
            tr_vec2 centre = tr_grid_centre(&p->map.grid, column, row);
            double dx = (double)centre.x - point.x, dz = (double)centre.z - point.z;
            if (!is_free_in(&p->plain, column, row) || dx * dx + dz * dz > best ||
                (found != TR_NONE && dx * dx + dz * dz == best))
                continue;
            best = dx * dx + dz * dz;
            found = tr_route_map_node(&p->map, column, row);
        }
    return found;
}

TEST(the_nearest_free_cell_is_that_of_a_look_at_all_cells) {
    tr_random random = tr_random_seed(4);
    uint32_t found = 0, missed = 0;
    for (int trial = 0; trial < 60; trial++) {
        REQUIRE(make_pair(&pair, 1 + tr_random_below(&random, 40), 1 + tr_random_below(&random, 40)));
        uint32_t share = trial % 3 == 0 ? 1 : tr_random_below(&random, 60); // of 100 cells that are free
        for (uint32_t i = 0; i < pair.plain.columns * pair.plain.rows; i++)
            if (tr_random_below(&random, 100) < share) {
                tr_route_map_set_cell(&pair.map, i % pair.plain.columns, i / pair.plain.columns, true);
                pair.plain.blocked[i] = false;
            }
        for (int query = 0; query < 100; query++) {
            // Eighths of a metre, a quarter of a cell: on centres, corners and borders, up to 10 m outside.
            tr_vec2 point = {-12 + (float)tr_random_below(&random, 300) / 8,
                             -7 + (float)tr_random_below(&random, 300) / 8};
            float reach = query % 4 ? (float)tr_random_below(&random, 40) / 4 : INFINITY;
            if (query % 50 == 0) // and far away
                point.x += query ? 4096 : -4096;
            uint32_t node = tr_route_map_nearest_free(&pair.map, point, reach);
            CHECK_INT(node, nearest_of_all(&pair, point, reach));
            found += node != TR_NONE;
            missed += node == TR_NONE;
        }
        drop_pair(&pair);
    }
    CHECK(found > 1000 && missed > 1000);
}

TEST(the_reach_is_measured_to_the_centre_and_is_inclusive) {
    REQUIRE(make_pair(&pair, 9, 9));
    tr_route_map_set_cell(&pair.map, 7, 4, true);
    tr_vec2 centre = tr_grid_centre(&pair.map.grid, 7, 4), point = {centre.x - 1.5f, centre.z - 2};
    uint32_t node = tr_route_map_node(&pair.map, 7, 4);
    CHECK_INT(tr_route_map_nearest_free(&pair.map, point, 2.5f), node);
    CHECK_INT(tr_route_map_nearest_free(&pair.map, point, 2.4999f), TR_NONE);
    CHECK_INT(tr_route_map_nearest_free(&pair.map, centre, 0), node);
    drop_pair(&pair);
}

TEST(points_and_reaches_that_are_no_numbers_find_nothing) {
    REQUIRE(make_pair(&pair, 5, 5));
    tr_route_map_set_cell(&pair.map, 2, 2, true);
    const tr_vec2 bad[6] = {{NAN, 0}, {0, NAN}, {INFINITY, 0}, {0, -INFINITY}, {3e38f, 0}, {0, -3e38f}};
    const tr_vec2 good = {0, 0};
    for (int i = 0; i < 6; i++)
        CHECK_INT(tr_route_map_nearest_free(&pair.map, bad[i], INFINITY), TR_NONE);
    CHECK_INT(tr_route_map_nearest_free(&pair.map, good, NAN), TR_NONE);
    CHECK_INT(tr_route_map_nearest_free(&pair.map, good, -1), TR_NONE);
    CHECK(tr_route_map_nearest_free(&pair.map, good, INFINITY) != TR_NONE);
    drop_pair(&pair);
}

// Cells are looked at once each and no others: else this would take minutes.
TEST(a_long_map_with_nothing_free_is_searched_in_no_time) {
    tr_grid grid = {{0, 0}, 1, 32768, 2};
    tr_route_map map;
    REQUIRE(tr_route_map_create(NULL, &grid, &map, NULL) == TR_OK);
    tr_vec2 inside = {9000, 1}, outside = {-1e6f, -3e5f};
    CHECK_INT(tr_route_map_nearest_free(&map, inside, INFINITY), TR_NONE);
    CHECK_INT(tr_route_map_nearest_free(&map, outside, INFINITY), TR_NONE);
    tr_route_map_set_cell(&map, 32767, 1, true);
    CHECK_INT(tr_route_map_nearest_free(&map, inside, INFINITY), tr_route_map_node(&map, 32767, 1));
    CHECK_INT(tr_route_map_nearest_free(&map, outside, INFINITY), tr_route_map_node(&map, 32767, 1));
    tr_route_map_destroy(&map);
}

// What stands in the header: a step's length times 1 + (a + b) / 32.
TEST(weights_make_a_step_dearer_as_the_header_says) {
    tr_grid grid = {{0, 0}, 1, 2, 1};
    tr_route_map map;
    tr_route *route;
    REQUIRE(tr_route_map_create(NULL, &grid, &map, NULL) == TR_OK);
    REQUIRE(tr_route_create(NULL, tr_route_map_nodes(&map), &route, NULL) == TR_OK);
    tr_route_map_set_cell(&map, 0, 0, true);
    tr_route_map_set_cell(&map, 1, 0, true);
    tr_route_params params = tr_route_params_default();
    tr_vec2 start = {0.5f, 0.5f}, goal = {1.5f, 0.5f};
    const uint8_t cases[5][2] = {{0, 0}, {16, 16}, {32, 0}, {0, 32}, {255, 255}};
    const uint32_t costs[5] = {985, 2 * 985, 2 * 985, 2 * 985, 985 * 542 / 32};
    for (int i = 0; i < 5; i++) {
        uint64_t revision = map.revision;
        tr_route_map_set_weights(&map, cases[i]);
        CHECK(map.revision > revision);
        CHECK_INT(tr_route_find(route, &map, &params, start, &goal, 1, NULL), TR_OK);
        CHECK_INT(tr_route_last(route).cost, costs[i]);
        CHECK_NEAR(tr_route_last(route).length, 1, 1e-12);
    }
    tr_route_map_set_weights(&map, NULL);
    CHECK_INT(tr_route_find(route, &map, &params, start, &goal, 1, NULL), TR_OK);
    CHECK_INT(tr_route_last(route).cost, 985);
    tr_route_destroy(route);
    tr_route_map_destroy(&map);
}

TEST(a_bad_grid_gets_a_sentence_and_an_empty_map) {
    const struct {
        tr_grid grid;
        tr_status status;
        const char *sentence;
    } bad[] = {
        {{{0, 0}, 1, 32769, 1}, TR_LIMIT, "32769 x 1"},
        {{{0, 0}, 1, 1, 32769}, TR_LIMIT, "1 x 32769"},
        {{{0, 0}, 1, UINT32_MAX, 5}, TR_LIMIT, "4294967295"},
        {{{0, 0}, 1, 0, 5}, TR_INVALID, "0"},
        {{{0, 0}, 1, 5, 0}, TR_INVALID, "0"},
        {{{0, 0}, 0, 5, 5}, TR_INVALID, "cell"},
        {{{0, 0}, NAN, 5, 5}, TR_INVALID, "nan"},
        {{{NAN, 0}, 1, 5, 5}, TR_INVALID, "nan"},
    };
    for (uint32_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        tr_route_map map;
        tr_error error = {0};
        memset(&map, 0xa5, sizeof map);
        CHECK_INT(tr_route_map_create(NULL, &bad[i].grid, &map, &error), bad[i].status);
        CHECK_CONTAINS(error.message, bad[i].sentence);
        CHECK(map.free == NULL && map.free_turned == NULL);
        tr_route_map_destroy(&map);
    }
}

static bool create(const tr_allocator *allocator) {
    tr_grid grid = {{0, 0}, 1, 100, 50};
    tr_route_map map;
    tr_error error = {0};
    tr_status status = tr_route_map_create(allocator, &grid, &map, &error);
    if (status != TR_OK) {
        CHECK_INT(status, TR_OUT_OF_MEMORY);
        CHECK_CONTAINS(error.message, "100 x 50 cells");
    }
    tr_route_map_destroy(&map);
    return status == TR_OK;
}

TEST(nothing_leaks_whichever_allocation_fails) {
    CHECK_INT(CHECK_EVERY_ALLOCATION_FAILURE(create), 2);
}

TEST(changing_a_map_allocates_nothing) {
    test_memory memory = {0};
    tr_allocator allocator = test_memory_allocator(&memory);
    tr_grid grid = {{0, 0}, 1, 126, 63};
    tr_route_map map;
    tr_bitmap blocked;
    REQUIRE(tr_route_map_create(&allocator, &grid, &map, NULL) == TR_OK);
    REQUIRE(tr_bitmap_create(NULL, 126, 63, &blocked) == TR_OK);
    CHECK_INT(memory.live_bytes, (128 / 64 * 65 + 2 + 128 / 64 * 128 + 2) * 8);
    uint64_t calls = memory.calls;
    tr_route_map_set(&map, &blocked, tr_grid_all(&grid));
    tr_route_map_set_cell(&map, 3, 3, false);
    tr_vec2 point = {3.5f, 3.5f};
    CHECK(tr_route_map_nearest_free(&map, point, 2) != TR_NONE);
    CHECK_INT(memory.calls, calls);
    tr_route_map_destroy(&map);
    tr_route_map_destroy(&map); // a destroyed map is empty
    CHECK_INT(memory.live_bytes, 0);
    tr_bitmap_destroy(NULL, &blocked);
}
