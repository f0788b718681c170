// The soft rasteriser against exact arithmetic: no cell missed, none set that geometry does not come near.
#include "test.h"
#include "world/oracle.h"
#include "troupe/base/random.h"
#include "troupe/world/raster.h"
#include "troupe/world/sample.h"

#include <string.h>

// Coordinates of the exact tests are whole numbers of 1/64 m; a cell is 16 of them, the band 20 to 75.
#define UNIT (1.0f / 64)
#define CELL_UNITS 16
#define SIDE 24
#define BAND_LOW 20
#define BAND_HIGH 75

static tr_grid exact_grid(void) {
    tr_grid grid = {{-96 * UNIT, -160 * UNIT}, CELL_UNITS * UNIT, SIDE, SIDE};
    return grid;
}

static tr_raster_band exact_band(void) {
    tr_raster_band band = {.low = BAND_LOW * UNIT, .high = BAND_HIGH * UNIT, .exclude_object = TR_NONE};
    return band;
}

static bool exact_touch(int64_t triangle[3][3], uint32_t column, uint32_t row, int64_t margin) {
    // Doubled, so that centres are whole numbers.
    int64_t doubled[3][3];
    for (int k = 0; k < 3; k++)
        for (int axis = 0; axis < 3; axis++)
            doubled[k][axis] = 2 * triangle[k][axis];
    int64_t centre[3] = {2 * (-96 + CELL_UNITS * (int64_t)column) + CELL_UNITS, BAND_LOW + BAND_HIGH,
                         2 * (-160 + CELL_UNITS * (int64_t)row) + CELL_UNITS};
    int64_t half[3] = {CELL_UNITS + margin, BAND_HIGH - BAND_LOW, CELL_UNITS + margin};
    return oracle_touches_int(doubled, centre, half);
}

// One of many kinds of triangle: whole, thin, upright, flat, a segment, a point, on the borders, large, tiny.
static void random_triangle(tr_random *random, int64_t triangle[3][3]) {
    uint32_t kind = tr_random_below(random, 10);
    int64_t size = kind == 0 ? 2000 : kind == 1 ? 6 : 20 + (int64_t)tr_random_below(random, 300);
    int64_t centre[3] = {(int64_t)tr_random_below(random, 440) - 120,
                         (int64_t)tr_random_below(random, 120) - 10,
                         (int64_t)tr_random_below(random, 440) - 190};
    for (int k = 0; k < 3; k++)
        for (int axis = 0; axis < 3; axis++)
            triangle[k][axis] =
                centre[axis] + (int64_t)tr_random_below(random, (uint32_t)size + 1) - size / 2;
    if (kind == 2) // upright: the third corner above the first
        triangle[2][0] = triangle[0][0], triangle[2][2] = triangle[0][2];
    if (kind == 3) // a segment
        memcpy(triangle[2], triangle[1], sizeof triangle[1]);
    if (kind == 4) // a point
        memcpy(triangle[1], triangle[0], sizeof triangle[0]),
            memcpy(triangle[2], triangle[0], sizeof triangle[0]);
    if (kind == 5) // flat
        triangle[1][1] = triangle[2][1] = triangle[0][1];
    if (kind == 6) // corners on the corners of cells
        for (int k = 0; k < 3; k++) {
            triangle[k][0] &= ~(int64_t)(CELL_UNITS - 1);
            triangle[k][2] &= ~(int64_t)(CELL_UNITS - 1);
        }
    if (kind == 7) // a wall along the grid, on a border
        for (int k = 0; k < 3; k++)
            triangle[k][0] = centre[0] & ~(int64_t)(CELL_UNITS - 1);
    if (kind == 8) // heights exactly on the band's borders
        for (int k = 0; k < 3; k++)
            triangle[k][1] = tr_random_below(random, 2) ? BAND_LOW : BAND_HIGH;
    if (kind == 9) { // a sliver: the third corner one unit off the edge
        triangle[2][0] = (triangle[0][0] + triangle[1][0]) / 2 + 1;
        triangle[2][1] = (triangle[0][1] + triangle[1][1]) / 2;
        triangle[2][2] = (triangle[0][2] + triangle[1][2]) / 2;
    }
}

static tr_scene *scene_of(int64_t (*triangles)[3][3], uint32_t count) {
    static tr_vec3 positions[3 * 64];
    static uint32_t indices[3 * 64];
    for (uint32_t i = 0; i < 3 * count; i++) {
        const int64_t *p = triangles[i / 3][i % 3];
        positions[i] = tr_vec3_make((float)p[0] * UNIT, (float)p[1] * UNIT, (float)p[2] * UNIT);
        indices[i] = i;
    }
    tr_scene *scene;
    uint32_t mesh, object;
    if (tr_scene_create(NULL, &scene) != TR_OK)
        return NULL;
    tr_mesh_def def = {
        .positions = positions, .position_count = 3 * count, .indices = indices, .triangle_count = count};
    tr_object_def object_def = {.placement = tr_affine_identity()};
    CHECK_INT(tr_scene_add_mesh(scene, &def, &mesh, NULL), TR_OK);
    CHECK_INT(tr_scene_add_object(scene, &object_def, &object, NULL), TR_OK);
    return scene;
}

static tr_raster *make_raster(uint32_t lanes) {
    tr_raster_def def = {.backend = TR_RASTER_SOFT, .lanes = lanes};
    tr_raster *raster = NULL;
    tr_raster_create(&def, &raster, NULL); // NULL where the processor has fewer lanes
    return raster;
}

static void check_exact_cells(const tr_bitmap *drawn, int64_t (*triangles)[3][3], uint32_t count,
                              uint64_t *extra) {
    for (uint32_t row = 0; row < SIDE; row++)
        for (uint32_t column = 0; column < SIDE; column++) {
            bool touched = false, near = false, set = tr_bitmap_get(drawn, column, row);
            for (uint32_t i = 0; i < count && !touched; i++)
                touched = exact_touch(triangles[i], column, row, 0);
            if (set == touched)
                continue;
            CHECK(!touched); // a cell was missed
            // Set without being touched: the doubled slack is 1/8 of a doubled unit, so one unit is a
            // generous margin.
            for (uint32_t i = 0; i < count && !near; i++)
                near = exact_touch(triangles[i], column, row, 1);
            CHECK(near);
            ++*extra;
        }
}

TEST(no_cell_is_missed_on_20000_random_and_degenerate_triangles) {
    tr_random random = tr_random_seed(1);
    tr_grid grid = exact_grid();
    tr_bitmap drawn;
    REQUIRE(tr_bitmap_create(NULL, SIDE, SIDE, &drawn) == TR_OK);
    tr_raster *raster = make_raster(0);
    REQUIRE(raster);
    uint64_t extra = 0, set = 0;
    for (int trial = 0; trial < 20000; trial++) {
        int64_t triangle[1][3][3];
        random_triangle(&random, triangle[0]);
        tr_scene *scene = scene_of(triangle, 1);
        tr_raster_request request = {.scene = scene,
                                     .grid = grid,
                                     .band = exact_band(),
                                     .region = tr_grid_all(&grid),
                                     .occupied = &drawn};
        CHECK_INT(tr_raster_draw(raster, &request, NULL), TR_OK);
        check_exact_cells(&drawn, triangle, 1, &extra);
        set += tr_bitmap_count(&drawn);
        tr_scene_destroy(scene);
    }
    CHECK(set > 100000);      // the triangles do hit the grid
    CHECK(extra * 100 < set); // and few cells are set by the slack alone
    tr_raster_destroy(raster);
    tr_bitmap_destroy(NULL, &drawn);
}

TEST(all_widths_of_simd_and_all_regions_give_the_same_cells) {
    tr_random random = tr_random_seed(2);
    tr_grid grid = exact_grid();
    tr_bitmap whole, part;
    REQUIRE(tr_bitmap_create(NULL, SIDE, SIDE, &whole) == TR_OK &&
            tr_bitmap_create(NULL, SIDE, SIDE, &part) == TR_OK);
    tr_raster *rasters[2] = {make_raster(4), make_raster(8)};
    REQUIRE(rasters[0]);
    for (int trial = 0; trial < 500; trial++) {
        int64_t triangles[64][3][3];
        uint32_t count = 1 + tr_random_below(&random, 64);
        for (uint32_t i = 0; i < count; i++)
            random_triangle(&random, triangles[i]);
        tr_scene *scene = scene_of(triangles, count);
        tr_raster_request request = {.scene = scene,
                                     .grid = grid,
                                     .band = exact_band(),
                                     .region = tr_grid_all(&grid),
                                     .occupied = &whole};
        CHECK_INT(tr_raster_draw(rasters[0], &request, NULL), TR_OK);
        request.occupied = &part;
        if (rasters[1]) {
            CHECK_INT(tr_raster_draw(rasters[1], &request, NULL), TR_OK);
            CHECK(tr_bitmap_equal(&whole, &part));
        }
        // Four quarters drawn apart make the whole.
        uint32_t column = tr_random_below(&random, SIDE + 1), row = tr_random_below(&random, SIDE + 1);
        tr_cells quarters[4] = {
            {0, 0, column, row}, {column, 0, SIDE, row}, {0, row, column, SIDE}, {column, row, SIDE, SIDE}};
        memset(part.words, 0xff, 8); // what was there before must not matter
        part.words[0] &= ((uint64_t)1 << SIDE) - 1;
        for (int i = 0; i < 4; i++) {
            request.region = quarters[i];
            CHECK_INT(tr_raster_draw(rasters[trial % 2] ? rasters[trial % 2] : rasters[0], &request, NULL),
                      TR_OK);
        }
        CHECK(tr_bitmap_equal(&whole, &part));
        tr_scene_destroy(scene);
    }
    for (int i = 0; i < 2; i++)
        tr_raster_destroy(rasters[i]);
    tr_bitmap_destroy(NULL, &whole);
    tr_bitmap_destroy(NULL, &part);
}

#define WIDE 150
#define HIGH 80

// Cells [begin, end) of a map of WIDE x HIGH are as exact arithmetic says; returns how many are set.
static uint64_t check_exact_part(const tr_bitmap *drawn, int64_t (*triangles)[3][3], uint32_t count,
                                 tr_cells part) {
    uint64_t set = 0;
    for (uint32_t row = part.row_begin; row < part.row_end; row++)
        for (uint32_t column = part.column_begin; column < part.column_end; column++) {
            bool touched = false, near = false;
            for (uint32_t i = 0; i < count && !touched; i++) {
                touched = exact_touch(triangles[i], column, row, 0);
                near = near || exact_touch(triangles[i], column, row, 1);
            }
            bool is_set = tr_bitmap_get(drawn, column, row);
            CHECK(is_set ? near : !touched);
            set += is_set;
        }
    return set;
}

// Cells that a few triangles are to lie over: small or long and narrow, often across the 64th column.
static tr_cells random_part(tr_random *random) {
    uint32_t columns = 1 + tr_random_below(random, 36),
             rows = 1 + tr_random_below(random, tr_random_below(random, 2) ? 64 / columns + 1 : 70);
    uint32_t column = tr_random_below(random, 2) ? 64 - tr_random_below(random, columns)
                                                 : 1 + tr_random_below(random, WIDE - columns - 1);
    uint32_t row = 1 + tr_random_below(random, HIGH - rows - 1);
    tr_cells part = {column, row, column + columns, row + rows};
    return part;
}

TEST(small_meshes_of_any_shape_are_exact_across_the_words_of_the_map) {
    tr_random random = tr_random_seed(9);
    tr_grid grid = {exact_grid().origin, CELL_UNITS * UNIT, WIDE, HIGH};
    tr_bitmap drawn[2];
    tr_raster *rasters[2] = {make_raster(4), make_raster(8)};
    REQUIRE(rasters[0] && tr_bitmap_create(NULL, WIDE, HIGH, &drawn[0]) == TR_OK &&
            tr_bitmap_create(NULL, WIDE, HIGH, &drawn[1]) == TR_OK);
    for (int trial = 0; trial < 300; trial++) {
        int64_t triangles[64][3][3];
        uint32_t count = 1 + tr_random_below(&random, 24);
        tr_cells part = random_part(&random);
        for (uint32_t i = 0; i < 3 * count; i++) {
            int64_t *corner = triangles[i / 3][i % 3];
            corner[0] = -96 + (int64_t)part.column_begin * CELL_UNITS + 1 +
                        tr_random_below(&random, (part.column_end - part.column_begin) * CELL_UNITS - 1);
            corner[1] = tr_random_below(&random, 100);
            corner[2] = -160 + (int64_t)part.row_begin * CELL_UNITS + 1 +
                        tr_random_below(&random, (part.row_end - part.row_begin) * CELL_UNITS - 1);
        }
        tr_scene *scene = scene_of(triangles, count);
        for (int i = 0; i < 2 && rasters[i]; i++) {
            tr_raster_request request = {.scene = scene,
                                         .grid = grid,
                                         .band = exact_band(),
                                         .region = tr_grid_all(&grid),
                                         .occupied = &drawn[i]};
            CHECK_INT(tr_raster_draw(rasters[i], &request, NULL), TR_OK);
        }
        uint64_t set = check_exact_part(&drawn[0], triangles, count, part);
        CHECK_INT(tr_bitmap_count(&drawn[0]), set); // and none outside
        CHECK(!rasters[1] || tr_bitmap_equal(&drawn[0], &drawn[1]));
        tr_scene_destroy(scene);
    }
    for (int i = 0; i < 2; i++) {
        tr_raster_destroy(rasters[i]);
        tr_bitmap_destroy(NULL, &drawn[i]);
    }
}

// A random affine map: turned any way, scaled, sheared a little, mirrored at times.
static tr_affine random_placement(tr_random *random, tr_vec3 around) {
    tr_transform t = tr_transform_identity();
    t.position = around;
    t.rotation =
        tr_quat_about(tr_vec3_make(tr_random_between(random, -1, 1), tr_random_between(random, -1, 1),
                                   tr_random_between(random, -1, 1)),
                      tr_random_between(random, -7, 7));
    t.scale = tr_vec3_make(tr_random_between(random, 0.1f, 2), tr_random_between(random, -2, 2),
                           tr_random_between(random, 0.1f, 2));
    tr_affine a = tr_affine_from_transform(t);
    a.m[0][1] += tr_random_between(random, -0.2f, 0.2f);
    return a;
}

static void check_between(const tr_scene *scene, const tr_grid *grid, const tr_raster_band *band,
                          const tr_bitmap *drawn) {
    tr_bitmap must, may;
    REQUIRE(tr_bitmap_create(NULL, grid->columns, grid->rows, &must) == TR_OK);
    REQUIRE(tr_bitmap_create(NULL, grid->columns, grid->rows, &may) == TR_OK);
    oracle_draw(scene, grid, band, &must, &may);
    for (uint32_t row = 0; row < grid->rows; row++)
        for (uint32_t column = 0; column < grid->columns; column++) {
            bool set = tr_bitmap_get(drawn, column, row);
            if (tr_bitmap_get(&must, column, row) && !set)
                test_failed(__FILE__, __LINE__, "cell (%u, %u) is touched and not set", column, row);
            if (set && !tr_bitmap_get(&may, column, row))
                test_failed(__FILE__, __LINE__, "cell (%u, %u) is set but nothing is near", column, row);
        }
    tr_bitmap_destroy(NULL, &must);
    tr_bitmap_destroy(NULL, &may);
}

TEST(turned_scaled_and_far_away_objects_are_drawn_within_the_slack) {
    tr_random random = tr_random_seed(3);
    tr_raster *raster = make_raster(0);
    REQUIRE(raster);
    for (int trial = 0; trial < 60; trial++) {
        float far = trial % 3 == 0 ? 5000.0f : trial % 3 == 1 ? -300.0f : 0.0f;
        float cell = tr_random_between(&random, 0.05f, 0.4f);
        tr_grid grid = {{far, far}, far == 5000.0f ? fmaxf(cell, 0.1f) : cell, 60, 50};
        tr_raster_band band = {.low = 0.05f, .high = 1.8f, .exclude_object = TR_NONE};
        tr_scene *scene;
        REQUIRE(tr_scene_create(NULL, &scene) == TR_OK);
        tr_vec3 positions[96];
        uint32_t indices[96], mesh, object;
        for (uint32_t i = 0; i < 96; i++) {
            positions[i] = tr_vec3_make(tr_random_between(&random, -1, 1), tr_random_between(&random, -1, 1),
                                        tr_random_between(&random, -1, 1));
            indices[i] = tr_random_below(&random, 96);
        }
        tr_mesh_def def = {
            .positions = positions, .position_count = 96, .indices = indices, .triangle_count = 32};
        REQUIRE(tr_scene_add_mesh(scene, &def, &mesh, NULL) == TR_OK);
        for (int i = 0; i < 8; i++) {
            tr_vec3 around = {far + tr_random_between(&random, 0, 60 * grid.cell),
                              tr_random_between(&random, 0, 2),
                              far + tr_random_between(&random, 0, 50 * grid.cell)};
            tr_object_def object_def = {.mesh = mesh, .placement = random_placement(&random, around)};
            REQUIRE(tr_scene_add_object(scene, &object_def, &object, NULL) == TR_OK);
        }
        tr_bitmap drawn;
        REQUIRE(tr_bitmap_create(NULL, grid.columns, grid.rows, &drawn) == TR_OK);
        tr_raster_request request = {
            .scene = scene, .grid = grid, .band = band, .region = tr_grid_all(&grid), .occupied = &drawn};
        CHECK_INT(tr_raster_draw(raster, &request, NULL), TR_OK);
        CHECK(tr_bitmap_count(&drawn) > 0);
        check_between(scene, &grid, &band, &drawn);
        tr_bitmap_destroy(NULL, &drawn);
        tr_scene_destroy(scene);
    }
    tr_raster_destroy(raster);
}

TEST(every_sample_scene_is_drawn_as_exact_arithmetic_says) {
    tr_raster *raster = make_raster(0);
    REQUIRE(raster);
    for (uint32_t i = 0; i < tr_sample_count(); i++) {
        tr_sample sample;
        tr_sample_def def = {.name = tr_sample_name(i)};
        REQUIRE(tr_sample_make(&def, &sample, NULL) == TR_OK);
        tr_grid grid;
        REQUIRE(tr_grid_divide(sample.ground, 90, &grid, NULL) == TR_OK);
        tr_raster_band band = {.low = sample.ground.min.y + 0.05f,
                               .high = sample.ground.min.y + 1.8f,
                               .exclude_object = TR_NONE};
        tr_bitmap drawn;
        REQUIRE(tr_bitmap_create(NULL, grid.columns, grid.rows, &drawn) == TR_OK);
        tr_raster_request request = {.scene = sample.scene,
                                     .grid = grid,
                                     .band = band,
                                     .region = tr_grid_all(&grid),
                                     .occupied = &drawn};
        CHECK_INT(tr_raster_draw(raster, &request, NULL), TR_OK);
        check_between(sample.scene, &grid, &band, &drawn);
        tr_bitmap_destroy(NULL, &drawn);
        tr_scene_destroy(sample.scene);
    }
    tr_raster_destroy(raster);
}

// The highest (or lowest) point of a triangle inside a box: the last height at which the box, cut off there,
// is still touched. False when the box is not touched at all.
static bool extreme_height(double triangle[3][3], double box[3][2], bool highest, double *height) {
    double centre[3], half[3];
    for (int axis = 0; axis < 3; axis++) {
        centre[axis] = (box[axis][0] + box[axis][1]) / 2;
        half[axis] = (box[axis][1] - box[axis][0]) / 2;
    }
    if (!oracle_touches(triangle, centre, half))
        return false;
    double from = highest ? box[1][0] : box[1][1], to = highest ? box[1][1] : box[1][0];
    for (int step = 0; step < 40; step++) { // touched when cut at `from`, perhaps not at `to`
        double middle = (from + to) / 2, end = highest ? box[1][1] : box[1][0];
        centre[1] = (middle + end) / 2;
        half[1] = fabs(end - middle) / 2;
        if (oracle_touches(triangle, centre, half))
            from = middle;
        else
            to = middle;
    }
    *height = from;
    return true;
}

TEST(kept_heights_are_the_exact_extremes_inside_each_cell) {
    tr_random random = tr_random_seed(4);
    tr_grid grid = exact_grid();
    tr_raster_band band = exact_band();
    float split = 48 * UNIT;
    static float floor_plane[SIDE * SIDE], overhang[SIDE * SIDE];
    tr_raster *raster = make_raster(0);
    REQUIRE(raster);
    uint64_t compared = 0;
    for (int trial = 0; trial < 3000; trial++) {
        int64_t triangle[1][3][3];
        random_triangle(&random, triangle[0]);
        double t[3][3];
        for (int k = 0; k < 9; k++)
            t[k / 3][k % 3] = (double)triangle[0][k / 3][k % 3] * UNIT;
        tr_scene *scene = scene_of(triangle, 1);
        tr_raster_request request = {.scene = scene,
                                     .grid = grid,
                                     .band = band,
                                     .region = tr_grid_all(&grid),
                                     .floor = floor_plane,
                                     .overhang = overhang,
                                     .split = split};
        CHECK_INT(tr_raster_draw(raster, &request, NULL), TR_OK);
        for (uint32_t i = 0; i < SIDE * SIDE; i++) {
            double x = grid.origin.x + (i % SIDE) * (double)grid.cell,
                   z = grid.origin.z + (i / SIDE) * (double)grid.cell;
            for (int upper = 0; upper < 2; upper++) {
                double tight = 0, loose = 0, sign = upper ? -1 : 1,
                       got = upper ? overhang[i] : floor_plane[i];
                double s = grid.cell / 256.0, h = 1e-6,
                       r = 1e-7; // slack, its height, and room for the judge's rounding
                double inner[3][2] = {{x + r, x + grid.cell - r},
                                      {upper ? split : band.low + r, upper ? band.high - r : split},
                                      {z + r, z + grid.cell - r}};
                double outer[3][2] = {{x - s, x + grid.cell + s},
                                      {upper ? split - h : band.low - h, upper ? band.high + h : split + h},
                                      {z - s, z + grid.cell + s}};
                bool is_near = extreme_height(t, outer, !upper, &loose);
                bool is_there = is_near && extreme_height(t, inner, !upper, &tight);
                if (is_there && !(sign * got >= sign * tight - 1e-5))
                    test_failed(__FILE__, __LINE__, "trial %d cell %u: %s is %g, %g is there", trial, i,
                                upper ? "overhang" : "floor", got, tight);
                if (!isinf(got) && !(is_near && sign * got <= sign * loose + 1e-5))
                    test_failed(__FILE__, __LINE__, "trial %d cell %u: %s is %g, no more than %g is near",
                                trial, i, upper ? "overhang" : "floor", got, loose);
                compared += is_there;
            }
        }
        tr_scene_destroy(scene);
    }
    CHECK(compared > 10000);
    tr_raster_destroy(raster);
}

TEST(any_number_of_threads_gives_the_same_cells_and_heights) {
    tr_sample sample;
    tr_sample_def def = {.name = "field", .triangles = 60000, .seed = 5};
    REQUIRE(tr_sample_make(&def, &sample, NULL) == TR_OK);
    tr_grid grid;
    REQUIRE(tr_grid_divide(sample.ground, 500, &grid, NULL) == TR_OK);
    size_t cells = (size_t)grid.columns * grid.rows;
    tr_allocator memory = tr_allocator_default();
    float *planes = tr_allocate(&memory, 4 * cells, sizeof *planes);
    tr_bitmap one, many;
    REQUIRE(planes && tr_bitmap_create(NULL, grid.columns, grid.rows, &one) == TR_OK &&
            tr_bitmap_create(NULL, grid.columns, grid.rows, &many) == TR_OK);
    for (uint32_t members = 1; members <= 5; members += 2) {
        tr_tasks *tasks;
        REQUIRE(tr_tasks_create(NULL, members, &tasks, NULL) == TR_OK);
        tr_raster_def raster_def = {.backend = TR_RASTER_SOFT, .tasks = tasks};
        tr_raster *raster;
        REQUIRE(tr_raster_create(&raster_def, &raster, NULL) == TR_OK);
        float *floor_plane = members == 1 ? planes : planes + 2 * cells;
        tr_raster_request request = {.scene = sample.scene,
                                     .grid = grid,
                                     .band = {0.05f, 1.8f, 0, TR_NONE},
                                     .region = tr_grid_all(&grid),
                                     .occupied = members == 1 ? &one : &many,
                                     .floor = floor_plane,
                                     .overhang = floor_plane + cells,
                                     .split = 0.9f};
        CHECK_INT(tr_raster_draw(raster, &request, NULL), TR_OK);
        if (members > 1) {
            CHECK(tr_bitmap_equal(&one, &many));
            CHECK_INT(memcmp(planes, planes + 2 * cells, 2 * cells * sizeof *planes), 0);
        }
        tr_raster_destroy(raster);
        tr_tasks_destroy(tasks);
    }
    CHECK(tr_bitmap_count(&one) > 1000);
    tr_release(&memory, planes, 4 * cells, sizeof *planes);
    tr_bitmap_destroy(NULL, &one);
    tr_bitmap_destroy(NULL, &many);
    tr_scene_destroy(sample.scene);
}
