// The front of the rasteriser: what it takes, what it refuses and how, and what every back end has to keep
// to. The exact cells are judged in test_raster_soft.c.
#include "world/little.h"

#include <float.h>

#define COLUMNS 70
#define ROWS 40

// A room with three boxes, its planes and a rasteriser: what nearly every test begins with.
typedef struct bench {
    tr_scene *scene;
    tr_raster *raster;
    tr_grid grid;
    tr_bitmap occupied;
    float floor[COLUMNS * ROWS], overhang[COLUMNS * ROWS];
    uint32_t box, shelf, far_box;
} bench;

static bool bench_begin(bench *b) {
    memset(b, 0, sizeof *b);
    b->grid = (tr_grid){{-1, -2}, 0.125f, COLUMNS, ROWS};
    b->raster = little_raster(0);
    if (!b->raster || tr_scene_create(NULL, &b->scene) != TR_OK ||
        tr_bitmap_create(NULL, COLUMNS, ROWS, &b->occupied) != TR_OK)
        return false;
    b->box = little_box(b->scene, little_make_box(0.3f, 0, -1, 1.3f, 1, 0), TR_TAG_JUMP_OVER);
    b->shelf = little_box(b->scene, little_make_box(2.3f, 1.5f, -0.7f, 4.1f, 1.6f, 2), TR_TAG_CRAWL_UNDER);
    b->far_box = little_box(b->scene, little_make_box(6.2f, 0, 1.2f, 9, 2.5f, 4), 0);
    return b->box != TR_NONE && b->shelf != TR_NONE && b->far_box != TR_NONE;
}

static void bench_end(bench *b) {
    tr_bitmap_destroy(NULL, &b->occupied);
    tr_raster_destroy(b->raster);
    tr_scene_destroy(b->scene);
}

static tr_raster_request bench_request(bench *b) {
    return little_request(b->scene, &b->grid, &b->occupied);
}

static void ask_for_heights(bench *b, tr_raster_request *request) {
    request->floor = b->floor;
    request->overhang = b->overhang;
    request->split = 0.9f;
}

static uint64_t draw_and_count(bench *b, const tr_raster_request *request) {
    CHECK_INT(tr_raster_draw(b->raster, request, NULL), TR_OK);
    return tr_bitmap_count(&b->occupied);
}

TEST(a_rasteriser_says_what_it_is) {
    tr_raster *raster = little_raster(0);
    REQUIRE(raster);
    CHECK_INT(tr_raster_which(raster), TR_RASTER_SOFT);
    CHECK_CONTAINS(tr_raster_name(raster), "soft");
    tr_raster_destroy(raster);
    tr_raster_destroy(NULL);
}

TEST(a_bad_definition_is_refused_with_the_value) {
    tr_raster_def def = {.backend = TR_RASTER_SOFT, .lanes = 5};
    tr_raster *raster = (tr_raster *)&def;
    tr_error error = {0};
    CHECK_INT(tr_raster_create(&def, &raster, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "lanes is 5, it must be");
    CHECK(raster == NULL);
    def = (tr_raster_def){.backend = (tr_raster_backend)9};
    CHECK_INT(tr_raster_create(&def, &raster, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "back end 9 is unknown");
}

TEST(each_width_of_simd_is_refused_with_a_reason_or_draws_the_same) {
    bench b;
    REQUIRE(bench_begin(&b));
    tr_raster_request request = bench_request(&b);
    uint64_t count = draw_and_count(&b, &request);
    tr_bitmap other;
    REQUIRE(tr_bitmap_create(NULL, COLUMNS, ROWS, &other) == TR_OK);
    request.occupied = &other;
    uint32_t drew = 0;
    for (uint32_t lanes = 4; lanes <= 16; lanes *= 2) {
        tr_raster_def def = {.backend = TR_RASTER_SOFT, .lanes = lanes};
        tr_raster *raster = NULL;
        tr_error error = {0};
        tr_status status = tr_raster_create(&def, &raster, &error);
        if (status == TR_OK) {
            tr_bitmap_clear(&other);
            CHECK_INT(tr_raster_draw(raster, &request, NULL), TR_OK);
            CHECK(tr_bitmap_equal(&b.occupied, &other));
            CHECK_CONTAINS(tr_raster_name(raster), lanes == 4   ? "4 lanes"
                                                   : lanes == 8 ? "8 lanes"
                                                                : "16 lanes");
            drew++;
        } else {
            CHECK(status == TR_UNAVAILABLE || status == TR_INVALID);
            CHECK_CONTAINS(error.message, "lanes");
        }
        tr_raster_destroy(raster);
    }
    CHECK(drew >= 1 && count > 100);
    tr_bitmap_destroy(NULL, &other);
    bench_end(&b);
}

TEST(the_slack_is_constant_up_to_8192_cells_and_grows_in_proportion) {
    tr_grid grid = {{0, 0}, 0.1f, 1, 1};
    CHECK_NEAR(tr_raster_slack(&grid), 1.0 / 256, 0);
    grid.rows = 8192;
    CHECK_NEAR(tr_raster_slack(&grid), 1.0 / 256, 0);
    grid.columns = 32768;
    CHECK_NEAR(tr_raster_slack(&grid), 4.0 / 256, 0);
}

static void check_refused(bench *b, const tr_raster_request *request, tr_status status,
                          const char *sentence) {
    tr_error error = {0};
    uint64_t before = tr_bitmap_count(&b->occupied);
    CHECK_INT(tr_raster_draw(b->raster, request, &error), status);
    CHECK_CONTAINS(error.message, sentence);
    CHECK_INT(error.status, status);
    error.message[0] = 0;
    CHECK_INT(tr_raster_submit(b->raster, request, &error), status);
    CHECK_CONTAINS(error.message, sentence);
    CHECK_INT(tr_raster_draw(b->raster, request, NULL), status);
    CHECK_INT(tr_raster_collect(b->raster, NULL), TR_DONE);
    CHECK_INT(tr_bitmap_count(&b->occupied), before); // nothing was drawn
}

TEST(a_request_without_scene_planes_or_a_sound_grid_is_refused) {
    bench b;
    REQUIRE(bench_begin(&b));
    tr_raster_request good = bench_request(&b), bad = good;
    CHECK(draw_and_count(&b, &good) > 0);
    bad.scene = NULL;
    check_refused(&b, &bad, TR_INVALID, "the request has no scene");
    bad = good, bad.occupied = NULL;
    check_refused(&b, &bad, TR_INVALID, "the request has no plane to fill");
    bad = good, bad.grid.cell = NAN;
    check_refused(&b, &bad, TR_INVALID, "the grid's cell is");
    bad = good, bad.grid.columns = 0;
    check_refused(&b, &bad, TR_INVALID, "the grid has 0 x 40 cells");
    bad = good, bad.grid.origin.x = INFINITY;
    check_refused(&b, &bad, TR_INVALID, "the grid's origin (inf");
    bad = good, bad.grid.columns = 40000;
    check_refused(&b, &bad, TR_LIMIT, "40000 x 40 cells");
    bench_end(&b);
}

TEST(a_plane_of_another_size_is_refused) {
    bench b;
    REQUIRE(bench_begin(&b));
    tr_raster_request bad = bench_request(&b);
    tr_bitmap wide, empty = {0};
    REQUIRE(tr_bitmap_create(NULL, COLUMNS + 1, ROWS, &wide) == TR_OK);
    bad.occupied = &wide;
    check_refused(&b, &bad, TR_INVALID, "a plane does not have the size of the grid, 70 x 40 cells");
    bad.occupied = &empty;
    check_refused(&b, &bad, TR_INVALID, "a plane does not have the size of the grid");
    bad = bench_request(&b);
    bad.widened = &wide;
    check_refused(&b, &bad, TR_INVALID, "a plane does not have the size of the grid");
    tr_bitmap_destroy(NULL, &wide);
    bench_end(&b);
}

TEST(a_region_outside_the_grid_or_inside_out_is_refused) {
    bench b;
    REQUIRE(bench_begin(&b));
    static const tr_cells bad[] = {
        {0, 0, COLUMNS + 1, ROWS}, {0, 0, COLUMNS, ROWS + 1},       {5, 0, 4, ROWS},
        {0, 9, COLUMNS, 8},        {UINT32_MAX, 0, UINT32_MAX, 10}, {0, 0, UINT32_MAX, 1}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        tr_raster_request request = bench_request(&b);
        request.region = bad[i];
        check_refused(&b, &request, TR_INVALID, "is not inside the grid of 70 x 40 cells");
    }
    bench_end(&b);
}

TEST(a_band_that_is_upside_down_or_not_finite_is_refused) {
    bench b;
    REQUIRE(bench_begin(&b));
    const float bad[][2] = {{2, 1}, {NAN, 1}, {0, NAN}, {-INFINITY, 1}, {0, INFINITY}};
    for (int i = 0; i < 5; i++) {
        tr_raster_request request = bench_request(&b);
        request.band.low = bad[i][0];
        request.band.high = bad[i][1];
        check_refused(&b, &request, TR_INVALID, "the height band goes from");
    }
    tr_raster_request request = bench_request(&b);
    request.band.low = 2, request.band.high = 1;
    check_refused(&b, &request, TR_INVALID, "from 2 to 1 m");
    bench_end(&b);
}

TEST(heights_need_both_planes_and_a_split_inside_the_band) {
    bench b;
    REQUIRE(bench_begin(&b));
    tr_raster_request request = bench_request(&b);
    ask_for_heights(&b, &request);
    CHECK_INT(tr_raster_draw(b.raster, &request, NULL), TR_OK);
    const float bad[] = {0.04f, 1.81f, NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 5; i++) {
        request.split = bad[i];
        check_refused(&b, &request, TR_INVALID, "outside the band [0.05, 1.8]");
    }
    request.split = 0.9f;
    request.floor = NULL;
    check_refused(&b, &request, TR_INVALID, "floor and overhang must be given together");
    request.floor = b.floor, request.overhang = NULL;
    check_refused(&b, &request, TR_INVALID, "floor and overhang must be given together");
    bench_end(&b);
}

TEST(widened_needs_a_sound_radius_and_is_not_to_be_had_from_soft) {
    bench b;
    REQUIRE(bench_begin(&b));
    tr_bitmap widened;
    REQUIRE(tr_bitmap_create(NULL, COLUMNS, ROWS, &widened) == TR_OK);
    tr_raster_request request = bench_request(&b);
    request.widened = &widened;
    const float bad[] = {NAN, -1, INFINITY, -INFINITY};
    for (int i = 0; i < 4; i++) {
        request.radius = bad[i];
        check_refused(&b, &request, TR_INVALID, "it must be at least 0 and finite");
    }
    request.radius = 0.3f;
    check_refused(&b, &request, TR_UNAVAILABLE, "cannot widen: grow the finished cells instead");
    tr_bitmap_destroy(NULL, &widened);
    bench_end(&b);
}

TEST(up_to_three_requests_are_in_flight_and_come_back_in_order) {
    bench b;
    REQUIRE(bench_begin(&b));
    tr_bitmap planes[TR_RASTER_IN_FLIGHT];
    tr_error error = {0};
    CHECK_INT(tr_raster_collect(b.raster, NULL), TR_DONE);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < TR_RASTER_IN_FLIGHT; i++) {
            REQUIRE(tr_bitmap_create(NULL, COLUMNS, ROWS, &planes[i]) == TR_OK);
            tr_raster_request request = little_request(b.scene, &b.grid, &planes[i]);
            request.band.exclude_object = (uint32_t)i;
            CHECK_INT(tr_raster_submit(b.raster, &request, NULL), TR_OK);
        }
        tr_raster_request request = bench_request(&b);
        CHECK_INT(tr_raster_submit(b.raster, &request, &error), TR_LIMIT);
        CHECK_CONTAINS(error.message, "3 requests are in flight already");
        CHECK_INT(tr_raster_draw(b.raster, &request, &error), TR_INVALID);
        CHECK_CONTAINS(error.message, "3 requests are in flight: collect them");
        for (int i = 0; i < TR_RASTER_IN_FLIGHT; i++) {
            CHECK_INT(tr_raster_collect(b.raster, &error), TR_OK);
            tr_raster_request alone = request;
            alone.band.exclude_object = (uint32_t)i;
            if (i < TR_RASTER_IN_FLIGHT - 1)
                CHECK_INT(tr_raster_draw(b.raster, &alone, NULL), TR_INVALID);
        }
        CHECK_INT(tr_raster_collect(b.raster, &error), TR_DONE);
        for (int i = 0; i < TR_RASTER_IN_FLIGHT; i++) {
            request.band.exclude_object = (uint32_t)i;
            CHECK_INT(tr_raster_draw(b.raster, &request, NULL), TR_OK);
            CHECK(tr_bitmap_equal(&planes[i], &b.occupied));
            tr_bitmap_destroy(NULL, &planes[i]);
        }
    }
    bench_end(&b);
}

// Fill every plane with a pattern that a draw would not leave.
static void fill_planes(bench *b) {
    for (uint32_t row = 0; row < ROWS; row++)
        for (uint32_t column = 0; column < COLUMNS; column++) {
            if ((column * 7 + row * 3) % 5 < 2)
                tr_bitmap_set(&b->occupied, column, row);
            b->floor[row * COLUMNS + column] = 1000 + (float)column;
            b->overhang[row * COLUMNS + column] = 2000 + (float)row;
        }
}

TEST(cells_outside_the_region_are_left_alone) {
    bench b, whole;
    REQUIRE(bench_begin(&b) && bench_begin(&whole));
    tr_raster_request request = bench_request(&whole);
    ask_for_heights(&whole, &request);
    CHECK_INT(tr_raster_draw(whole.raster, &request, NULL), TR_OK);
    tr_random random = tr_random_seed(5);
    for (int trial = 0; trial < 100; trial++) {
        tr_cells region = {tr_random_below(&random, COLUMNS), tr_random_below(&random, ROWS), 0, 0};
        region.column_end = region.column_begin + tr_random_below(&random, COLUMNS - region.column_begin + 1);
        region.row_end = region.row_begin + tr_random_below(&random, ROWS - region.row_begin + 1);
        tr_bitmap_clear(&b.occupied);
        fill_planes(&b);
        request = bench_request(&b);
        ask_for_heights(&b, &request);
        request.region = region;
        CHECK_INT(tr_raster_draw(b.raster, &request, NULL), TR_OK);
        for (uint32_t row = 0; row < ROWS; row++)
            for (uint32_t column = 0; column < COLUMNS; column++) {
                uint32_t i = row * COLUMNS + column;
                bool in = little_is_inside(region, column, row);
                CHECK_INT(tr_bitmap_get(&b.occupied, column, row),
                          in ? tr_bitmap_get(&whole.occupied, column, row) : (column * 7 + row * 3) % 5 < 2);
                CHECK(b.floor[i] == (in ? whole.floor[i] : 1000 + (float)column));
                CHECK(b.overhang[i] == (in ? whole.overhang[i] : 2000 + (float)row));
            }
    }
    bench_end(&b);
    bench_end(&whole);
}

TEST(an_empty_region_draws_nothing_and_is_no_error) {
    bench b;
    REQUIRE(bench_begin(&b));
    tr_raster_request request = bench_request(&b);
    request.region = (tr_cells){5, 5, 5, 20};
    CHECK_INT(draw_and_count(&b, &request), 0);
    request.region = (tr_cells){COLUMNS, ROWS, COLUMNS, ROWS};
    CHECK_INT(draw_and_count(&b, &request), 0);
    bench_end(&b);
}

TEST(an_empty_scene_clears_the_region) {
    bench b;
    REQUIRE(bench_begin(&b));
    tr_scene *nothing = NULL;
    REQUIRE(tr_scene_create(NULL, &nothing) == TR_OK);
    tr_raster_request request = bench_request(&b);
    fill_planes(&b);
    ask_for_heights(&b, &request);
    request.scene = nothing;
    CHECK_INT(draw_and_count(&b, &request), 0);
    for (int i = 0; i < COLUMNS * ROWS; i++)
        CHECK(b.floor[i] == -INFINITY && b.overhang[i] == INFINITY);
    tr_scene_destroy(nothing);
    bench_end(&b);
}

TEST(excluded_tags_and_the_excluded_object_are_left_out) {
    bench b;
    REQUIRE(bench_begin(&b));
    tr_bitmap expected;
    REQUIRE(tr_bitmap_create(NULL, COLUMNS, ROWS, &expected) == TR_OK);
    tr_raster_request request = bench_request(&b);
    uint64_t all = draw_and_count(&b, &request);
    request.band.exclude_object = b.shelf;
    uint64_t without_shelf = draw_and_count(&b, &request);
    memcpy(expected.words, b.occupied.words, tr_bitmap_bytes(&expected));
    request.band.exclude_object = TR_NONE;
    request.band.exclude_tags = TR_TAG_CRAWL_UNDER | TR_TAG_WALKABLE;
    CHECK_INT(draw_and_count(&b, &request), without_shelf);
    CHECK(tr_bitmap_equal(&expected, &b.occupied));
    CHECK(without_shelf < all);
    request.band.exclude_tags = TR_TAG_WALKABLE;
    CHECK_INT(draw_and_count(&b, &request), all);
    request.band.exclude_tags = TR_TAG_CRAWL_UNDER | TR_TAG_JUMP_OVER;
    request.band.exclude_object = b.far_box;
    CHECK_INT(draw_and_count(&b, &request), 0);
    // The same for objects that draw themselves.
    little_drawing drawing = {.triangles = 0};
    little_draw_box(&drawing, little_make_box(0, 0.5f, 0, 1, 1, 1));
    uint32_t drawn = little_drawn(b.scene, &drawing, little_make_box(0, 0.5f, 0, 1, 1, 1));
    CHECK(draw_and_count(&b, &request) > 0);
    CHECK_INT(tr_scene_set_tags(b.scene, drawn, TR_TAG_JUMP_OVER), TR_OK);
    CHECK_INT(draw_and_count(&b, &request), 0);
    CHECK_INT(tr_scene_set_tags(b.scene, drawn, 0), TR_OK);
    request.band.exclude_tags = TR_TAG_CRAWL_UNDER | TR_TAG_JUMP_OVER | TR_TAG_USER;
    CHECK_INT(tr_scene_set_tags(b.scene, b.far_box, TR_TAG_USER), TR_OK);
    request.band.exclude_object = drawn;
    CHECK_INT(draw_and_count(&b, &request), 0);
    CHECK_INT(tr_scene_remove_object(b.scene, drawn), TR_OK);
    request.band.exclude_object = TR_NONE;
    CHECK_INT(draw_and_count(&b, &request), 0);
    tr_bitmap_destroy(NULL, &expected);
    bench_end(&b);
}

TEST(what_is_outside_the_band_does_not_count_and_what_is_on_its_border_does) {
    bench b;
    REQUIRE(bench_begin(&b));
    tr_raster_request request = bench_request(&b);
    request.band.exclude_tags = TR_TAG_JUMP_OVER;
    request.band.exclude_object = b.far_box;
    const float bands[][3] = {{0, 1.4f, 0}, {0, 1.5f, 1},    {1.6f, 3, 1},
                              {1.7f, 3, 0}, {1.5f, 1.5f, 1}, {1.2f, 1.2f, 0}};
    for (int i = 0; i < 6; i++) {
        request.band.low = bands[i][0], request.band.high = bands[i][1];
        CHECK_INT(draw_and_count(&b, &request) > 0, bands[i][2] > 0);
    }
    bench_end(&b);
}

TEST(a_band_as_high_as_floats_go_takes_everything_and_keeps_exact_heights) {
    bench b;
    REQUIRE(bench_begin(&b));
    tr_raster_request request = bench_request(&b);
    ask_for_heights(&b, &request);
    request.band.low = -3, request.band.high = 100, request.split = 1.25f;
    uint64_t count = draw_and_count(&b, &request);
    float floor_before[COLUMNS * ROWS], overhang_before[COLUMNS * ROWS];
    memcpy(floor_before, b.floor, sizeof b.floor);
    memcpy(overhang_before, b.overhang, sizeof b.overhang);
    const float sizes[] = {1e6f, 1e9f, 1e30f, FLT_MAX};
    for (int i = 0; i < 4; i++) {
        request.band.low = -sizes[i], request.band.high = sizes[i];
        CHECK_INT(draw_and_count(&b, &request), count);
        for (int k = 0; k < COLUMNS * ROWS; k++) {
            CHECK(b.floor[k] == floor_before[k] || fabsf(b.floor[k] - floor_before[k]) < 1e-5f);
            CHECK(b.overhang[k] == overhang_before[k] || fabsf(b.overhang[k] - overhang_before[k]) < 1e-5f);
        }
    }
    bench_end(&b);
}

TEST(an_object_that_draws_itself_gives_the_cells_of_the_same_mesh) {
    tr_random random = tr_random_seed(8);
    tr_grid grid = {{-3, -3}, 0.1f, 90, 60};
    tr_raster *raster = little_raster(0);
    tr_bitmap from_mesh, from_drawing;
    static float planes[4][90 * 60];
    REQUIRE(raster && tr_bitmap_create(NULL, 90, 60, &from_mesh) == TR_OK &&
            tr_bitmap_create(NULL, 90, 60, &from_drawing) == TR_OK);
    for (int trial = 0; trial < 100; trial++) {
        little_drawing drawing = {.triangles = 12};
        tr_vec3 positions[36];
        uint32_t indices[36];
        tr_box bounds = tr_box_empty();
        for (uint32_t i = 0; i < 36; i++) {
            // Multiples of 1/64: differences from any centre are exact, and so is the comparison.
            positions[i] = tr_vec3_make((float)tr_random_below(&random, 400) / 64 - 3,
                                        (float)tr_random_below(&random, 150) / 64,
                                        (float)tr_random_below(&random, 300) / 64 - 3);
            drawing.corners[i] = positions[i];
            indices[i] = i;
            bounds = tr_box_include(bounds, positions[i]);
        }
        tr_scene *scene[2];
        REQUIRE(tr_scene_create(NULL, &scene[0]) == TR_OK && tr_scene_create(NULL, &scene[1]) == TR_OK);
        tr_mesh_def def = {NULL, positions, 36, indices, 12};
        uint32_t mesh;
        REQUIRE(tr_scene_add_mesh(scene[0], &def, &mesh, NULL) == TR_OK);
        REQUIRE(little_object(scene[0], mesh, tr_affine_identity(), 0) == 0);
        REQUIRE(little_drawn(scene[1], &drawing, bounds) == 0);
        for (int i = 0; i < 2; i++) {
            tr_raster_request request = little_request(scene[i], &grid, i ? &from_drawing : &from_mesh);
            request.floor = planes[2 * i], request.overhang = planes[2 * i + 1], request.split = 0.9f;
            CHECK_INT(tr_raster_draw(raster, &request, NULL), TR_OK);
            tr_scene_destroy(scene[i]);
        }
        CHECK(tr_bitmap_count(&from_mesh) > 0);
        CHECK(tr_bitmap_equal(&from_mesh, &from_drawing));
        CHECK_INT(memcmp(planes[0], planes[2], 2 * sizeof planes[0]), 0);
        CHECK_INT(drawing.emitted, 1);
    }
    tr_bitmap_destroy(NULL, &from_mesh);
    tr_bitmap_destroy(NULL, &from_drawing);
    tr_raster_destroy(raster);
}

// Emits a hundred thousand small triangles, one by one and in bunches.
static void emit_many(void *user, tr_triangle_sink *sink) {
    (void)user;
    tr_vec3 corners[30];
    for (uint32_t i = 0; i < 1000; i++) {
        for (uint32_t k = 0; k < 30; k++)
            corners[k] = tr_vec3_make((float)(i % 50) / 10, 1, (float)(i / 50) / 10);
        sink->take(sink, corners, i % 11);
    }
    sink->take(sink, corners, 0);
}

TEST(an_emit_callback_may_hand_over_any_number_of_triangles_at_a_time) {
    bench b;
    REQUIRE(bench_begin(&b));
    tr_drawn_def def = {.bounds = little_make_box(0, 0, 0, 5, 2, 2), .emit = emit_many};
    uint32_t object;
    REQUIRE(tr_scene_add_drawn(b.scene, &def, &object, NULL) == TR_OK);
    tr_raster_request request = bench_request(&b);
    request.band.exclude_tags = TR_TAG_CRAWL_UNDER | TR_TAG_JUMP_OVER;
    request.band.exclude_object = b.far_box;
    draw_and_count(&b, &request);
    for (uint32_t i = 0; i < 1000; i++) {
        uint32_t column, row;
        tr_vec2 point = {(float)(i % 50) / 10, (float)(i / 50) / 10};
        REQUIRE(tr_grid_find(&b.grid, point, &column, &row));
        if (i % 11)
            CHECK(tr_bitmap_get(&b.occupied, column, row));
    }
    bench_end(&b);
}

TEST(a_callback_that_emits_nonsense_makes_the_draw_invalid_with_its_name) {
    bench b;
    REQUIRE(bench_begin(&b));
    little_drawing drawing = {.triangles = 0};
    tr_box box = little_make_box(0, 0.5f, 0, 1, 1, 1);
    little_draw_box(&drawing, box);
    uint32_t object = little_drawn(b.scene, &drawing, box);
    REQUIRE(object != TR_NONE);
    tr_raster_request request = bench_request(&b);
    uint64_t good = draw_and_count(&b, &request);
    const float bad[] = {NAN, INFINITY, -INFINITY, 1.5f, -0.5f, FLT_MAX};
    for (int i = 0; i < 18; i++) {
        little_draw_box(&drawing, box);
        (&drawing.corners[20].x)[i % 3] = bad[i / 3] == 1.5f && i % 3 == 1 ? 1.1f : bad[i / 3];
        tr_error error = {0};
        CHECK_INT(tr_raster_draw(b.raster, &request, &error), TR_INVALID);
        CHECK_CONTAINS(error.message,
                       "drawn object 3 (\"drawn\") emitted a corner that is not finite or outside");
        CHECK_INT(tr_raster_draw(b.raster, &request, NULL), TR_INVALID);
        CHECK_INT(tr_raster_collect(b.raster, NULL), TR_DONE);
    }
    little_draw_box(&drawing, box);
    CHECK_INT(draw_and_count(&b, &request), good); // and a good one is drawn as if nothing had been
    bench_end(&b);
}

TEST(a_callback_whose_bounds_are_outside_the_region_or_the_band_is_not_called) {
    bench b;
    REQUIRE(bench_begin(&b));
    little_drawing drawing = {.triangles = 0};
    REQUIRE(little_drawn(b.scene, &drawing, little_make_box(0, 0.5f, 0, 1, 1, 1)) != TR_NONE);
    tr_raster_request request = bench_request(&b);
    request.region = (tr_cells){30, 0, COLUMNS, ROWS}; // from x = 2.75 on
    draw_and_count(&b, &request);
    CHECK_INT(drawing.emitted, 0);
    request.region = tr_grid_all(&b.grid);
    request.band.low = 1.2f;
    draw_and_count(&b, &request);
    CHECK_INT(drawing.emitted, 0);
    request.band.low = 0.5f;
    draw_and_count(&b, &request);
    CHECK_INT(drawing.emitted, 1);
    bench_end(&b);
}

TEST(preparing_checks_the_grid_and_a_prepared_scene_is_drawn_without_allocating) {
    bench b;
    REQUIRE(bench_begin(&b));
    test_memory memory = {0};
    tr_allocator allocator = test_memory_allocator(&memory);
    tr_raster_def def = {.backend = TR_RASTER_SOFT, .allocator = &allocator};
    tr_raster *raster = NULL;
    REQUIRE(tr_raster_create(&def, &raster, NULL) == TR_OK);
    tr_error error = {0};
    tr_grid bad = {{0, 0}, 0, 10, 10};
    CHECK_INT(tr_raster_prepare(raster, b.scene, &bad, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "the grid's cell is 0 m");
    CHECK_INT(tr_raster_prepare(raster, b.scene, &b.grid, &error), TR_OK);
    uint64_t calls = memory.calls;
    tr_raster_request request = bench_request(&b);
    ask_for_heights(&b, &request);
    for (int i = 0; i < 5; i++)
        CHECK_INT(tr_raster_draw(raster, &request, NULL), TR_OK);
    CHECK_INT(memory.calls, calls);
    tr_raster_destroy(raster);
    CHECK_INT(memory.live_bytes, 0);
    bench_end(&b);
}

static bool create_and_draw(const tr_allocator *allocator) {
    tr_raster_def def = {.backend = TR_RASTER_SOFT, .allocator = allocator};
    tr_raster *raster = NULL;
    tr_error error = {0};
    if (tr_raster_create(&def, &raster, &error) != TR_OK) {
        CHECK(raster == NULL);
        CHECK_INT(error.status, TR_OUT_OF_MEMORY);
        return false;
    }
    bench b;
    bool drawn = bench_begin(&b);
    tr_raster_request request = bench_request(&b);
    drawn = drawn && tr_raster_prepare(raster, b.scene, &b.grid, NULL) == TR_OK &&
            tr_raster_draw(raster, &request, NULL) == TR_OK;
    bench_end(&b);
    tr_raster_destroy(raster);
    return drawn;
}

TEST(nothing_leaks_whichever_allocation_fails) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(create_and_draw) >= 1);
}
