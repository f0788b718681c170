#include "test.h"
#include "troupe/base/random.h"
#include "troupe/world/grid.h"

#include <float.h>
#include <math.h>
#include <string.h>

static tr_box ground(float x0, float z0, float x1, float z1) {
    tr_box box = {{x0, 0, z0}, {x1, 0, z1}};
    return box;
}

TEST(a_cover_begins_on_a_multiple_of_the_cell_and_has_the_margin) {
    tr_grid grid;
    REQUIRE(tr_grid_cover(ground(0.3f, -1, 9.9f, 4), 0.5f, 0.25f, 0, &grid, NULL) == TR_OK);
    CHECK_NEAR(grid.origin.x, 0, 0);
    CHECK_NEAR(grid.origin.z, -1.5, 0);
    CHECK_NEAR(grid.cell, 0.5, 0);
    CHECK_INT(grid.columns, 21); // to 10.15, so to 10.5
    CHECK_INT(grid.rows, 12);    // to 4.25, so to 4.5
}

TEST(a_box_without_area_still_gets_a_cell) {
    tr_grid grid;
    REQUIRE(tr_grid_cover(ground(2, 3, 2, 3), 0.5f, 0, 0, &grid, NULL) == TR_OK);
    CHECK_INT(grid.columns, 1);
    CHECK_INT(grid.rows, 1);
    REQUIRE(tr_grid_divide(ground(2, 3, 2, 3), 10, &grid, NULL) == TR_OK);
    CHECK_INT(grid.columns, 1);
    CHECK_INT(grid.rows, 1);
}

static bool holds(const tr_grid *grid, float x, float z) {
    uint32_t column, row;
    return tr_grid_find(grid, (tr_vec2){x, z}, &column, &row);
}

static void check_covers(const tr_grid *grid, tr_box box) {
    if (!holds(grid, box.min.x, box.min.z) || !holds(grid, box.max.x, box.max.z))
        test_failed(__FILE__, __LINE__,
                    "[%.9g, %.9g] x [%.9g, %.9g] is not in %u x %u cells of %.9g at (%.9g, %.9g)", box.min.x,
                    box.max.x, box.min.z, box.max.z, grid->columns, grid->rows, grid->cell, grid->origin.x,
                    grid->origin.z);
}

TEST(every_box_is_covered_to_its_last_corner_wherever_it_lies) {
    tr_random random = tr_random_seed(1);
    for (int trial = 0; trial < 20000; trial++) {
        float far = trial % 3 == 0 ? 5000 : trial % 3 == 1 ? -77 : 0;
        float x = far + tr_random_between(&random, -9, 9), z = -far + tr_random_between(&random, -9, 9);
        tr_box box = ground(x, z, x + tr_random_between(&random, 4, 9), z + tr_random_between(&random, 0, 9));
        float cell = trial % 2 ? 0.1f : tr_random_between(&random, 0.02f, 0.7f);
        tr_grid grid;
        REQUIRE(tr_grid_cover(box, cell, trial % 5 ? 0 : 0.2f, 0, &grid, NULL) == TR_OK);
        check_covers(&grid, box);
        // No cell too many: the first and the last columns are those of the corners, or their neighbours.
        CHECK(grid.columns <= (box.max.x - box.min.x) / cell + 2 + (trial % 5 ? 0 : 0.4f / cell) + 0.01f);
        REQUIRE(tr_grid_divide(box, 1 + tr_random_below(&random, 500), &grid, NULL) == TR_OK);
        float side = fmaxf(box.max.x - box.min.x, box.max.z - box.min.z);
        if (box.max.x - box.min.x == side) // the shorter side may be short of a millionth of a cell
            CHECK(holds(&grid, box.max.x, box.min.z));
        else
            CHECK(holds(&grid, box.min.x, box.max.z));
        CHECK_NEAR(grid.origin.x, box.min.x, 0);
        CHECK_NEAR(grid.origin.z, box.min.z, 0);
    }
}

TEST(a_division_has_the_cells_that_were_wished_for) {
    tr_grid grid;
    for (uint32_t wish = 1; wish <= TR_GRID_SIDE_MAX; wish = wish * 3 + 1) {
        REQUIRE(tr_grid_divide(ground(-10, -5, 10, 5), wish, &grid, NULL) == TR_OK);
        CHECK_INT(grid.columns, wish);
        CHECK_INT(grid.rows, (wish + 1) / 2);
        CHECK(holds(&grid, 10, 5));
        REQUIRE(tr_grid_divide(ground(0, 0, 3, 12.3f), wish, &grid, NULL) == TR_OK);
        CHECK_INT(grid.rows, wish);
    }
}

static void check_cover_refused(tr_box box, float cell, float margin, uint64_t max_cells, tr_status status,
                                const char *sentence) {
    tr_grid grid = {{1, 2}, 3, 4, 5}, before = grid;
    tr_error error = {0};
    CHECK_INT(tr_grid_cover(box, cell, margin, max_cells, &grid, &error), status);
    CHECK_CONTAINS(error.message, sentence);
    CHECK_INT(error.status, status);
    CHECK_INT(memcmp(&grid, &before, sizeof grid), 0);
    CHECK_INT(tr_grid_cover(box, cell, margin, max_cells, &grid, NULL), status);
}

TEST(a_bad_cover_is_refused_with_the_value) {
    tr_box good = ground(0, 0, 10, 10);
    check_cover_refused(tr_box_empty(), 0.1f, 0, 0, TR_INVALID, "empty or not finite");
    check_cover_refused(ground(0, 0, INFINITY, 1), 0.1f, 0, 0, TR_INVALID, "empty or not finite (x 0 to inf");
    check_cover_refused(ground(0, NAN, 1, 1), 0.1f, 0, 0, TR_INVALID, "empty or not finite");
    check_cover_refused(ground(1, 0, 0, 1), 0.1f, 0, 0, TR_INVALID, "(x 1 to 0");
    check_cover_refused(good, 0, 0, 0, TR_INVALID, "the cell is 0 m");
    check_cover_refused(good, -0.1f, 0, 0, TR_INVALID, "the cell is -0.1 m");
    check_cover_refused(good, NAN, 0, 0, TR_INVALID, "the cell is");
    check_cover_refused(good, INFINITY, 0, 0, TR_INVALID, "the cell is inf");
    check_cover_refused(good, 0.1f, -1, 0, TR_INVALID, "the margin is -1 m");
    check_cover_refused(good, 0.1f, NAN, 0, TR_INVALID, "the margin is");
    check_cover_refused(good, 0.1f, 0, 9999, TR_LIMIT,
                        "100 x 100 cells of 0.1 m are needed, the limit is 9999");
    check_cover_refused(ground(0, 0, 3000, 3000), 0.1f, 0, 0, TR_LIMIT, "30000 x 30000 cells");
    check_cover_refused(ground(-5000, -5000, 5000, 5000), 0.01f, 0, 0, TR_LIMIT,
                        "1000001 x 1000001 cells of 0.01 m are needed, the limit is 268435456 cells");
    check_cover_refused(ground(0, 0, 10, 1), 1e-4f, 0, 0, TR_LIMIT, "32768 on a side");
    check_cover_refused(ground(-FLT_MAX, -FLT_MAX, FLT_MAX, FLT_MAX), FLT_MIN, 0, 0, TR_LIMIT, "cells of");
    check_cover_refused(ground(9e6f, 0, 9e6f + 10, 1), 0.1f, 0, 0, TR_INVALID,
                        "too small for single precision");
}

TEST(a_bad_division_is_refused_with_the_value) {
    tr_grid grid;
    tr_error error = {0};
    CHECK_INT(tr_grid_divide(ground(0, 0, 1, 1), 0, &grid, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "0 cells on the longer side requested, it must be 1 to 32768");
    CHECK_INT(tr_grid_divide(ground(0, 0, 1, 1), TR_GRID_SIDE_MAX + 1, &grid, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "32769 cells");
    CHECK_INT(tr_grid_divide(tr_box_empty(), 10, &grid, &error), TR_INVALID);
    CHECK_INT(tr_grid_divide(ground(-FLT_MAX, 0, FLT_MAX, 1), 1, &grid, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "the grid's cell is inf m");
    CHECK_INT(tr_grid_divide(ground(1e6f, 0, 1e6f + 1, 1), 1000, &grid, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "too small for single precision");
}

static void check_grid_refused(tr_grid grid, uint64_t max_cells, tr_status status, const char *sentence) {
    tr_error error = {0};
    CHECK_INT(tr_grid_check(&grid, max_cells, &error), status);
    CHECK_CONTAINS(error.message, sentence);
}

TEST(a_bad_grid_is_refused_with_the_value) {
    tr_grid good = {{0, 0}, 0.1f, 100, 50};
    CHECK_INT(tr_grid_check(&good, 0, NULL), TR_OK);
    CHECK_INT(tr_grid_check(&good, 5000, NULL), TR_OK);
    check_grid_refused(good, 4999, TR_LIMIT, "100 x 50 cells of 0.1 m are needed, the limit is 4999 cells");
    check_grid_refused((tr_grid){{NAN, 0}, 0.1f, 9, 9}, 0, TR_INVALID, "the grid's origin (");
    check_grid_refused((tr_grid){{0, INFINITY}, 0.1f, 9, 9}, 0, TR_INVALID, "the grid's origin (0, inf)");
    check_grid_refused((tr_grid){{0, 0}, 0, 9, 9}, 0, TR_INVALID, "the grid's cell is 0 m");
    check_grid_refused((tr_grid){{0, 0}, NAN, 9, 9}, 0, TR_INVALID, "the grid's cell is");
    check_grid_refused((tr_grid){{0, 0}, 0.1f, 0, 9}, 0, TR_INVALID, "the grid has 0 x 9 cells");
    check_grid_refused((tr_grid){{0, 0}, 0.1f, 9, 0}, 0, TR_INVALID, "the grid has 9 x 0 cells");
    check_grid_refused((tr_grid){{0, 0}, 0.1f, 32769, 1}, UINT64_MAX, TR_LIMIT, "32769 x 1 cells");
    check_grid_refused((tr_grid){{0, 0}, 0.1f, UINT32_MAX, UINT32_MAX}, UINT64_MAX, TR_LIMIT, "4294967295");
    check_grid_refused((tr_grid){{1e6f, 0}, 0.1f, 9, 9}, 0, TR_INVALID,
                       "too small for single precision at 1e+06 m");
    tr_grid most = {{0, 0}, 0.1f, TR_GRID_SIDE_MAX, TR_GRID_SIDE_MAX};
    CHECK_INT(tr_grid_check(&most, UINT64_MAX, NULL), TR_OK);
    CHECK_INT(tr_grid_check(&most, 0, NULL), TR_LIMIT);
}

static void check_cell(const tr_grid *grid, float x, float z, uint32_t expected_column,
                       uint32_t expected_row) {
    uint32_t column = TR_NONE, row = TR_NONE;
    CHECK(tr_grid_find(grid, (tr_vec2){x, z}, &column, &row));
    CHECK_INT(column, expected_column);
    CHECK_INT(row, expected_row);
}

TEST(a_point_on_a_border_is_in_the_cell_with_the_greater_numbers) {
    tr_grid grid = {{-1, 2}, 0.5f, 4, 3};
    check_cell(&grid, -1, 2, 0, 0);
    check_cell(&grid, -0.75f, 2.1f, 0, 0);
    check_cell(&grid, -0.5f, 2.5f, 1, 1);
    check_cell(&grid, 1, 3.5f, 3, 2); // the far borders belong to the last cells
    CHECK(!holds(&grid, nextafterf(-1, -2), 2));
    CHECK(!holds(&grid, -1, nextafterf(2, 1)));
    CHECK(!holds(&grid, nextafterf(1, 2), 2));
    CHECK(!holds(&grid, 0, nextafterf(3.5f, 4)));
    CHECK(!holds(&grid, NAN, 3));
    CHECK(!holds(&grid, 0, NAN));
    CHECK(!holds(&grid, INFINITY, 3));
    CHECK(!holds(&grid, 0, -INFINITY));
    CHECK(!holds(&grid, FLT_MAX, -FLT_MAX));
}

TEST(the_centre_of_every_cell_is_found_in_it) {
    static const tr_grid grids[] = {
        {{0, 0}, 0.1f, 300, 200}, {{-5000.3f, 4999.9f}, 0.05f, 333, 100}, {{1, 1}, 7, 1, 1}};
    for (size_t i = 0; i < sizeof grids / sizeof grids[0]; i++)
        for (uint32_t row = 0; row < grids[i].rows; row++)
            for (uint32_t column = 0; column < grids[i].columns; column++) {
                tr_vec2 centre = tr_grid_centre(&grids[i], column, row);
                check_cell(&grids[i], centre.x, centre.z, column, row);
            }
}

// As bits one by one: what the words must agree with.
static uint64_t count_slowly(const tr_bitmap *bitmap) {
    uint64_t count = 0;
    for (uint32_t row = 0; row < bitmap->rows; row++)
        for (uint32_t column = 0; column < bitmap->columns; column++)
            count += tr_bitmap_get(bitmap, column, row);
    return count;
}

TEST(a_bitmap_keeps_what_was_set_for_every_width) {
    static const uint32_t widths[] = {1, 2, 31, 63, 64, 65, 127, 128, 129, 1000};
    tr_random random = tr_random_seed(2);
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
        tr_bitmap bitmap;
        REQUIRE(tr_bitmap_create(NULL, widths[i], 7, &bitmap) == TR_OK);
        CHECK_INT(bitmap.stride, (widths[i] + 63) / 64 + 1);
        CHECK_INT(tr_bitmap_bytes(&bitmap), (size_t)bitmap.stride * 7 * 8);
        CHECK_INT(tr_bitmap_count(&bitmap), 0);
        for (int trial = 0; trial < 200; trial++) {
            uint32_t column = tr_random_below(&random, widths[i]), row = tr_random_below(&random, 7);
            uint64_t before = tr_bitmap_count(&bitmap);
            bool was_set = tr_bitmap_get(&bitmap, column, row);
            tr_bitmap_set(&bitmap, column, row);
            CHECK(tr_bitmap_get(&bitmap, column, row));
            CHECK_INT(tr_bitmap_count(&bitmap), before + !was_set);
        }
        CHECK_INT(tr_bitmap_count(&bitmap), count_slowly(&bitmap));
        tr_bitmap_clear(&bitmap);
        CHECK_INT(tr_bitmap_count(&bitmap), 0);
        tr_bitmap_destroy(NULL, &bitmap);
        CHECK(bitmap.words == NULL);
        tr_bitmap_destroy(NULL, &bitmap); // a second time does no harm
    }
}

static void fill(tr_bitmap *bitmap) {
    for (uint32_t row = 0; row < bitmap->rows; row++)
        for (uint32_t column = 0; column < bitmap->columns; column++)
            tr_bitmap_set(bitmap, column, row);
}

static bool is_inside(tr_cells cells, uint32_t column, uint32_t row) {
    return column >= cells.column_begin && column < cells.column_end && row >= cells.row_begin &&
           row < cells.row_end;
}

TEST(clearing_cells_leaves_the_others) {
    tr_random random = tr_random_seed(3);
    for (int trial = 0; trial < 500; trial++) {
        uint32_t columns = 1 + tr_random_below(&random, 200), rows = 1 + tr_random_below(&random, 5);
        tr_bitmap bitmap;
        REQUIRE(tr_bitmap_create(NULL, columns, rows, &bitmap) == TR_OK);
        fill(&bitmap);
        tr_cells cells = {tr_random_below(&random, columns + 1), tr_random_below(&random, rows + 1),
                          tr_random_below(&random, columns + 1), tr_random_below(&random, rows + 1)};
        if (trial % 7 == 0) // beyond the map: cut to it
            cells.column_end += 300, cells.row_end += 3;
        tr_bitmap_clear_cells(&bitmap, cells);
        for (uint32_t row = 0; row < rows; row++)
            for (uint32_t column = 0; column < columns; column++)
                CHECK_INT(tr_bitmap_get(&bitmap, column, row), !is_inside(cells, column, row));
        tr_bitmap_destroy(NULL, &bitmap);
    }
}

TEST(bitmaps_are_equal_when_size_and_cells_are) {
    tr_bitmap a, b, other;
    REQUIRE(tr_bitmap_create(NULL, 70, 3, &a) == TR_OK && tr_bitmap_create(NULL, 70, 3, &b) == TR_OK &&
            tr_bitmap_create(NULL, 71, 3, &other) == TR_OK);
    CHECK(tr_bitmap_equal(&a, &b));
    CHECK(!tr_bitmap_equal(&a, &other));
    tr_bitmap_set(&a, 69, 2);
    CHECK(!tr_bitmap_equal(&a, &b));
    tr_bitmap_set(&b, 69, 2);
    CHECK(tr_bitmap_equal(&a, &b));
    tr_bitmap_destroy(NULL, &a);
    tr_bitmap_destroy(NULL, &b);
    tr_bitmap_destroy(NULL, &other);
}

TEST(a_bitmap_of_a_bad_size_is_refused) {
    tr_bitmap bitmap;
    CHECK_INT(tr_bitmap_create(NULL, 0, 5, &bitmap), TR_INVALID);
    CHECK_INT(tr_bitmap_create(NULL, 5, 0, &bitmap), TR_INVALID);
    CHECK_INT(tr_bitmap_create(NULL, TR_GRID_SIDE_MAX + 1, 1, &bitmap), TR_INVALID);
    CHECK_INT(tr_bitmap_create(NULL, 1, TR_GRID_SIDE_MAX + 1, &bitmap), TR_INVALID);
    CHECK(bitmap.words == NULL);
}

static bool create_a_bitmap(const tr_allocator *allocator) {
    tr_bitmap bitmap;
    tr_status status = tr_bitmap_create(allocator, 100, 10, &bitmap);
    if (status == TR_OK)
        tr_bitmap_set(&bitmap, 99, 9);
    else
        CHECK_INT(status, TR_OUT_OF_MEMORY);
    tr_bitmap_destroy(allocator, &bitmap);
    return status == TR_OK;
}

TEST(nothing_leaks_whichever_allocation_fails) {
    CHECK_INT(CHECK_EVERY_ALLOCATION_FAILURE(create_a_bitmap), 1);
}
