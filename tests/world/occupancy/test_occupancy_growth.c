// Growth and clearance against their definitions, cell for cell.
#include "world/little.h"

#include <stdlib.h>

// Does an occupied cell so many columns and rows away block this one? From the header's words.
static bool blocks(tr_growth growth, double radius, int64_t dx, int64_t dz) {
    dx = dx < 0 ? -dx : dx, dz = dz < 0 ? -dz : dz;
    if (growth == TR_GROWTH_CENTRES)
        return (double)(dx * dx + dz * dz) <= radius * radius;
    if (dx == 0 && dz == 0)
        return true;
    int64_t gap_x = dx > 0 ? dx - 1 : 0, gap_z = dz > 0 ? dz - 1 : 0;
    return (double)(gap_x * gap_x + gap_z * gap_z) < radius * radius;
}

static void grow_by_definition(const tr_bitmap *occupied, tr_bitmap *blocked, tr_growth growth,
                               double radius) {
    tr_bitmap_clear(blocked);
    for (uint32_t row = 0; row < occupied->rows; row++)
        for (uint32_t column = 0; column < occupied->columns; column++) {
            if (!tr_bitmap_get(occupied, column, row))
                continue;
            for (uint32_t z = 0; z < occupied->rows; z++)
                for (uint32_t x = 0; x < occupied->columns; x++)
                    if (blocks(growth, radius, (int64_t)x - column, (int64_t)z - row))
                        tr_bitmap_set(blocked, x, z);
        }
}

static uint32_t random_side(tr_random *random) {
    static const uint32_t sides[] = {1, 1, 2, 3, 7, 31, 63, 64, 65, 100, 127, 128, 129};
    return little_pick(random, sides, 13);
}

static double random_radius(tr_random *random) {
    double whole = tr_random_below(random, 12);
    switch (tr_random_below(random, 7)) {
    case 0:
        return 0;
    case 1:
        return whole;
    case 2:
        return nextafter(whole, INFINITY);
    case 3:
        return whole > 0 ? nextafter(whole, 0) : 0;
    case 4:
        return sqrt(whole * whole + (double)tr_random_below(random, 9)); // a lattice distance, rounded
    case 5:
        return 130 + 300 * (double)tr_random_unit(random); // larger than the map
    default:
        return 20 * (double)tr_random_unit(random);
    }
}

static void scatter(tr_random *random, tr_bitmap *bitmap) {
    uint64_t cells = (uint64_t)bitmap->columns * bitmap->rows;
    static const uint32_t shares[] = {0, 1, 2, 5, 20};
    uint32_t count = little_pick(random, shares, 5);
    for (uint32_t i = 0; i < count; i++)
        tr_bitmap_set(bitmap, tr_random_below(random, bitmap->columns),
                      tr_random_below(random, bitmap->rows));
    if (tr_random_below(random, 12) == 0 && cells < 5000) // full
        for (uint64_t i = 0; i < cells; i++)
            tr_bitmap_set(bitmap, (uint32_t)(i % bitmap->columns), (uint32_t)(i / bitmap->columns));
}

static tr_cells random_region(tr_random *random, uint32_t columns, uint32_t rows) {
    tr_cells region = {tr_random_below(random, columns), tr_random_below(random, rows), 0, 0};
    region.column_end = region.column_begin + tr_random_below(random, columns - region.column_begin + 1);
    region.row_end = region.row_begin + tr_random_below(random, rows - region.row_begin + 1);
    return region;
}

// Into a map full of a pattern, so that a cell written outside the region, or not written inside, is seen.
static void check_region(const tr_bitmap *occupied, const tr_bitmap *expected, tr_growth growth,
                         double radius, tr_cells region) {
    uint32_t columns = occupied->columns, rows = occupied->rows;
    size_t words = tr_occupancy_grow_scratch(columns, radius);
    uint64_t *scratch = malloc(words * sizeof *scratch); // exactly: the sanitizer sees one word more
    tr_bitmap blocked;
    REQUIRE(scratch && tr_bitmap_create(NULL, columns, rows, &blocked) == TR_OK);
    memset(scratch, 0xa5, words * sizeof *scratch);
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t column = row % 3; column < columns; column += 3)
            tr_bitmap_set(&blocked, column, row);
    CHECK_INT(tr_occupancy_grow(occupied, &blocked, growth, radius, region, scratch, words), TR_OK);
    uint32_t wrong = 0;
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t column = 0; column < columns; column++) {
            bool before = column >= row % 3 && (column - row % 3) % 3 == 0;
            bool wanted =
                little_is_inside(region, column, row) ? tr_bitmap_get(expected, column, row) : before;
            wrong += tr_bitmap_get(&blocked, column, row) != wanted;
        }
    if (wrong)
        test_failed(__FILE__, __LINE__,
                    "%u of %u x %u cells are wrong for radius %.17g, growth %d, region [%u, %u) x [%u, %u)",
                    wrong, columns, rows, radius, (int)growth, region.column_begin, region.column_end,
                    region.row_begin, region.row_end);
    for (uint32_t row = 0; row < rows; row++) // bits beyond the last column stay 0
        CHECK((blocked.words[(size_t)row * blocked.stride + blocked.stride - 1]) == 0 &&
              (columns % 64 == 0 ||
               blocked.words[(size_t)row * blocked.stride + columns / 64] >> columns % 64 == 0));
    tr_bitmap_destroy(NULL, &blocked);
    free(scratch);
}

TEST(growth_is_the_definition_cell_for_cell_on_600_random_maps) {
    tr_random random = tr_random_seed(1);
    for (int trial = 0; trial < 600; trial++) {
        uint32_t columns = random_side(&random), rows = random_side(&random);
        if (trial % 10 == 0)
            columns = trial % 20 ? 1 : columns, rows = trial % 20 ? rows : 1;
        tr_bitmap occupied, expected;
        REQUIRE(tr_bitmap_create(NULL, columns, rows, &occupied) == TR_OK &&
                tr_bitmap_create(NULL, columns, rows, &expected) == TR_OK);
        scatter(&random, &occupied);
        double radius = random_radius(&random);
        tr_growth growth = trial % 2 ? TR_GROWTH_CENTRES : TR_GROWTH_SAFE;
        grow_by_definition(&occupied, &expected, growth, radius);
        check_region(&occupied, &expected, growth, radius, (tr_cells){0, 0, columns, rows});
        check_region(&occupied, &expected, growth, radius, random_region(&random, columns, rows));
        tr_bitmap_destroy(NULL, &occupied);
        tr_bitmap_destroy(NULL, &expected);
    }
}

// What blocks the first cells of a region may stand just at the end of the word before, and the other way
// round.
TEST(a_region_is_reached_from_the_words_beside_it) {
    tr_random random = tr_random_seed(9);
    for (int trial = 0; trial < 400; trial++) {
        tr_growth growth = trial % 2 ? TR_GROWTH_CENTRES : TR_GROWTH_SAFE;
        double radius = tr_random_below(&random, 9) + (trial % 4 < 2 ? 0.5 : 0);
        uint32_t reach = (uint32_t)radius + 2, shift = tr_random_below(&random, reach + 1);
        tr_bitmap occupied, expected;
        REQUIRE(tr_bitmap_create(NULL, 200, 5, &occupied) == TR_OK &&
                tr_bitmap_create(NULL, 200, 5, &expected) == TR_OK);
        tr_bitmap_set(&occupied, 63, 2);
        tr_bitmap_set(&occupied, 128, tr_random_below(&random, 5));
        grow_by_definition(&occupied, &expected, growth, radius);
        check_region(&occupied, &expected, growth, radius, (tr_cells){64 + shift, 0, 128 - shift, 5});
        tr_bitmap_destroy(NULL, &occupied);
        tr_bitmap_destroy(NULL, &expected);
    }
}

TEST(a_radius_of_zero_blocks_what_is_occupied_and_no_more) {
    tr_bitmap occupied, blocked;
    REQUIRE(tr_bitmap_create(NULL, 67, 5, &occupied) == TR_OK &&
            tr_bitmap_create(NULL, 67, 5, &blocked) == TR_OK);
    tr_bitmap_set(&occupied, 64, 2);
    tr_bitmap_set(&occupied, 0, 0);
    uint64_t scratch[64];
    for (int growth = 0; growth < 2; growth++) {
        CHECK_INT(tr_occupancy_grow(&occupied, &blocked, (tr_growth)growth, 0, (tr_cells){0, 0, 67, 5},
                                    scratch, 64),
                  TR_OK);
        CHECK(tr_bitmap_equal(&occupied, &blocked));
    }
    tr_bitmap_destroy(NULL, &occupied);
    tr_bitmap_destroy(NULL, &blocked);
}

TEST(growth_refuses_what_does_not_fit_together) {
    tr_bitmap a, b, other;
    REQUIRE(tr_bitmap_create(NULL, 20, 10, &a) == TR_OK && tr_bitmap_create(NULL, 20, 10, &b) == TR_OK &&
            tr_bitmap_create(NULL, 20, 11, &other) == TR_OK);
    static uint64_t scratch[1000];
    tr_cells all = {0, 0, 20, 10};
    const double bad[] = {NAN, -1, INFINITY, -INFINITY, 65537};
    for (int i = 0; i < 5; i++) {
        CHECK_INT(tr_occupancy_grow_scratch(20, bad[i]), 0);
        CHECK_INT(tr_occupancy_grow(&a, &b, TR_GROWTH_SAFE, bad[i], all, scratch, 1000), TR_INVALID);
    }
    CHECK_INT(tr_occupancy_grow(&a, &other, TR_GROWTH_SAFE, 2, all, scratch, 1000), TR_INVALID);
    CHECK_INT(tr_occupancy_grow(&a, &a, TR_GROWTH_SAFE, 2, all, scratch, 1000), TR_INVALID);
    CHECK_INT(tr_occupancy_grow(&a, &b, TR_GROWTH_SAFE, 2, (tr_cells){0, 0, 21, 10}, scratch, 1000),
              TR_INVALID);
    CHECK_INT(tr_occupancy_grow(&a, &b, TR_GROWTH_SAFE, 2, (tr_cells){0, 0, 20, 11}, scratch, 1000),
              TR_INVALID);
    size_t words = tr_occupancy_grow_scratch(20, 2);
    CHECK_INT(tr_occupancy_grow(&a, &b, TR_GROWTH_SAFE, 2, all, scratch, words - 1), TR_INVALID);
    CHECK_INT(tr_occupancy_grow(&a, &b, TR_GROWTH_SAFE, 2, all, scratch, words), TR_OK);
    CHECK_INT(tr_occupancy_grow(&a, &b, TR_GROWTH_SAFE, 2, (tr_cells){9, 0, 9, 10}, scratch, words), TR_OK);
    tr_bitmap_destroy(NULL, &a);
    tr_bitmap_destroy(NULL, &b);
    tr_bitmap_destroy(NULL, &other);
}

// Boxes exactly on cells, so that a map of wished-for cells comes out.
static tr_scene *scene_of_cells(const tr_bitmap *cells, const tr_grid *grid) {
    tr_scene *scene = NULL;
    CHECK_INT(tr_scene_create(NULL, &scene), TR_OK);
    float inset = grid->cell / 4;
    uint32_t mesh = little_box_mesh(
        scene, little_make_box(inset, 0.5f, inset, grid->cell - inset, 1, grid->cell - inset));
    for (uint32_t row = 0; row < cells->rows; row++)
        for (uint32_t column = 0; column < cells->columns; column++)
            if (tr_bitmap_get(cells, column, row))
                little_object(scene, mesh,
                              little_move(grid->origin.x + (float)column * grid->cell, 0,
                                          grid->origin.z + (float)row * grid->cell),
                              0);
    return scene;
}

// The least squared distance to an occupied cell, measured as the growth says; -1 when none is.
static int64_t nearest(const tr_bitmap *occupied, tr_growth growth, uint32_t column, uint32_t row) {
    int64_t least = -1;
    for (uint32_t z = 0; z < occupied->rows; z++)
        for (uint32_t x = 0; x < occupied->columns; x++) {
            if (!tr_bitmap_get(occupied, x, z))
                continue;
            int64_t dx = llabs((int64_t)x - column), dz = llabs((int64_t)z - row);
            if (growth == TR_GROWTH_SAFE)
                dx = dx > 0 ? dx - 1 : 0, dz = dz > 0 ? dz - 1 : 0;
            if (least < 0 || dx * dx + dz * dz < least)
                least = dx * dx + dz * dz;
        }
    return least;
}

static void check_clearance(const tr_occupancy *occupancy, tr_growth growth, float radius) {
    const tr_grid *grid = tr_occupancy_grid(occupancy);
    const float *clearance = tr_occupancy_clearance(occupancy);
    for (uint32_t row = 0; row < grid->rows; row++)
        for (uint32_t column = 0; column < grid->columns; column++) {
            int64_t squared = nearest(tr_occupancy_occupied(occupancy), growth, column, row);
            float got = clearance[row * grid->columns + column];
            float expected = squared < 0 ? INFINITY : (float)(grid->cell * sqrt((double)squared));
            bool blocked = tr_bitmap_get(tr_occupancy_blocked(occupancy), column, row);
            // Where the exact distance is the radius but for the last bit, the side of the radius counts
            // more.
            if (got != expected &&
                !(fabsf(got - radius) <= radius * 1.2e-7f && fabsf(got - expected) <= radius * 1.2e-7f))
                test_failed(__FILE__, __LINE__, "clearance (%u, %u) is %.9g, expected %.9g", column, row, got,
                            expected);
            bool near = growth == TR_GROWTH_CENTRES ? got <= radius : got < radius;
            bool occupied = tr_bitmap_get(tr_occupancy_occupied(occupancy), column, row);
            if (blocked != (near || (radius == 0 && occupied)))
                test_failed(__FILE__, __LINE__, "blocked (%u, %u) is %d with clearance %.9g and radius %.9g",
                            column, row, blocked, got, radius);
        }
}

TEST(clearance_is_the_exact_distance_and_agrees_with_growth_on_random_maps) {
    tr_random random = tr_random_seed(4);
    tr_raster *raster = little_raster(0);
    REQUIRE(raster);
    for (int trial = 0; trial < 160; trial++) {
        static const uint32_t sides[] = {1, 2, 5, 33, 64, 65, 129};
        static const float cell_sizes[] = {0.1f, 0.25f, 0.07f, 0.3f, 1};
        uint32_t columns = little_pick(&random, sides, 7), rows = little_pick(&random, sides, 5);
        tr_grid grid = {{-2, 3}, cell_sizes[trial % 5], columns, rows};
        tr_bitmap cells;
        REQUIRE(tr_bitmap_create(NULL, columns, rows, &cells) == TR_OK);
        if (trial % 8)
            scatter(&random, &cells);
        tr_scene *scene = scene_of_cells(&cells, &grid);
        tr_occupancy_def def = little_occupancy_def(grid);
        def.growth = trial % 2 ? TR_GROWTH_CENTRES : TR_GROWTH_SAFE;
        // Radii that are multiples of the cell as people write them: 0.1 * 3 and 0.3 differ in the last bit.
        def.radius = trial % 3 ? (float)(tr_random_below(&random, 9) * (double)cell_sizes[trial % 5])
                               : (float)tr_random_below(&random, 30) / 10;
        tr_occupancy *occupancy = little_occupancy(&def);
        REQUIRE(occupancy);
        CHECK_INT(tr_occupancy_build(occupancy, raster, scene, NULL), TR_OK);
        CHECK(tr_bitmap_equal(tr_occupancy_occupied(occupancy), &cells));
        check_clearance(occupancy, def.growth, def.radius);
        tr_occupancy_destroy(occupancy);
        tr_scene_destroy(scene);
        tr_bitmap_destroy(NULL, &cells);
    }
    tr_raster_destroy(raster);
}

TEST(clearance_of_a_lone_cell_is_exact_wherever_it_lies_in_its_word) {
    tr_raster *raster = little_raster(0);
    tr_grid grid = {{0, 0}, 0.25f, 130, 4};
    tr_bitmap cells;
    REQUIRE(raster && tr_bitmap_create(NULL, 130, 4, &cells) == TR_OK);
    for (uint32_t i = 0; i < 130; i++) {
        tr_bitmap_clear(&cells);
        tr_bitmap_set(&cells, i, i % 4);
        tr_scene *scene = scene_of_cells(&cells, &grid);
        tr_occupancy_def def = little_occupancy_def(grid);
        def.growth = i / 4 % 2 ? TR_GROWTH_CENTRES : TR_GROWTH_SAFE;
        if (i % 64 < 2 || i % 64 > 61)
            def.growth = TR_GROWTH_SAFE;
        def.radius = 0.5f;
        tr_occupancy *occupancy = little_occupancy(&def);
        REQUIRE(occupancy);
        CHECK_INT(tr_occupancy_build(occupancy, raster, scene, NULL), TR_OK);
        check_clearance(occupancy, def.growth, def.radius);
        tr_occupancy_destroy(occupancy);
        tr_scene_destroy(scene);
    }
    tr_bitmap_destroy(NULL, &cells);
    tr_raster_destroy(raster);
}

TEST(a_radius_that_is_a_whole_number_of_cells_in_decimals_is_one) {
    tr_raster *raster = little_raster(0);
    tr_grid grid = {{0, 0}, 0.1f, 21, 21};
    tr_bitmap cells, expected;
    REQUIRE(raster && tr_bitmap_create(NULL, 21, 21, &cells) == TR_OK &&
            tr_bitmap_create(NULL, 21, 21, &expected) == TR_OK);
    tr_bitmap_set(&cells, 10, 10);
    tr_scene *scene = scene_of_cells(&cells, &grid);
    for (int tenths = 1; tenths <= 9; tenths++)
        for (int growth = 0; growth < 2; growth++) {
            tr_occupancy_def def = little_occupancy_def(grid);
            def.growth = (tr_growth)growth;
            def.radius = (float)tenths / 10;
            tr_occupancy *occupancy = little_occupancy(&def);
            REQUIRE(occupancy);
            CHECK_INT(tr_occupancy_build(occupancy, raster, scene, NULL), TR_OK);
            grow_by_definition(&cells, &expected, def.growth, tenths);
            CHECK(tr_bitmap_equal(tr_occupancy_blocked(occupancy), &expected));
            check_clearance(occupancy, def.growth, def.radius);
            tr_occupancy_destroy(occupancy);
        }
    tr_scene_destroy(scene);
    tr_bitmap_destroy(NULL, &cells);
    tr_bitmap_destroy(NULL, &expected);
    tr_raster_destroy(raster);
}
