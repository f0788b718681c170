// Depth maps drawn by `gl` against rays in double precision and against `soft`.
#include "depth_scene.h"
#include "world/open_gl.h"
#include "troupe/world/sample.h"

static const tr_vec3 home = {0.3f, 1.2f, -0.4f};

TEST(random_triangles_are_seen_by_gl_as_rays_see_them) {
    tr_raster *raster = open_gl(NULL);
    if (!raster)
        return;
    tr_random random = tr_random_seed(1);
    oracle_tally tally = {0, 0, 0};
    for (int trial = 0; trial < 200; trial++) {
        tr_vec3 about = trial % 3 ? home : tr_vec3_make(5000, 20, -3000);
        uint32_t columns = 1 + tr_random_below(&random, 24), rows = 1 + tr_random_below(&random, 24);
        depth_scene made = depth_random_scene(&random, about, 1 + tr_random_below(&random, 60));
        tr_depth_map map = depth_make_map(columns, rows);
        tr_depth_request request = depth_request(made.scene, depth_random_camera(&random, about));
        tr_error error = {.message = ""};
        CHECK_INT(tr_depth_draw(raster, &request, &map, &error), TR_OK);
        CHECK_TEXT(error.message, "");
        oracle_compare(&request.camera, &map, made.corners, made.triangles, 1e-5, 1.0 / 256, &tally);
        free(map.depth);
        tr_scene_destroy(made.scene);
    }
    CHECK(tally.seen > 2000);
    CHECK_INT(tally.wrong, 0);
    CHECK(tally.border < 2 + tally.seen / 50);
    tr_raster_destroy(raster);
}

TEST(gl_hits_are_what_comparing_its_maps_says) {
    tr_raster *raster = open_gl(NULL);
    if (!raster)
        return;
    tr_random random = tr_random_seed(2);
    int hits = 0;
    for (int trial = 0; trial < 150; trial++) {
        uint32_t columns = 1 + tr_random_below(&random, 60), rows = 1 + tr_random_below(&random, 60);
        depth_scene made = depth_random_scene(&random, home, 1 + tr_random_below(&random, 12));
        tr_depth_request request = depth_request(made.scene, depth_random_camera(&random, home));
        tr_depth_map map = depth_make_map(columns, rows), link = depth_make_map(columns, rows);
        CHECK_INT(tr_depth_draw(raster, &request, &map, NULL), TR_OK);
        // Just before everything, or just behind in one pixel; some pixels see no link at all.
        bool expected = false;
        size_t at = tr_random_below(&random, columns * rows);
        for (size_t i = 0; i < (size_t)columns * rows; i++)
            link.depth[i] = tr_random_below(&random, 4) ? map.depth[i] * 0.9999f : 0;
        if (trial % 2 && map.depth[at] < request.camera.far * 0.999f) {
            link.depth[at] = map.depth[at] * 1.0001f;
            expected = true;
        }
        if (trial % 11 == 0) {
            link.depth[at] = request.camera.far;
            expected = true;
        }
        for (int k = 0; k < 2; k++) {
            bool hit = !expected;
            CHECK_INT(tr_depth_hits(raster, &request, &link, (tr_depth_comparison)k, &hit, NULL), TR_OK);
            CHECK_INT(hit, expected);
            hits += hit;
        }
        CHECK_INT(depth_collides(&link, &map), expected);
        free(map.depth);
        free(link.depth);
        tr_scene_destroy(made.scene);
    }
    CHECK(hits > 20 && hits < 280);
    tr_raster_destroy(raster);
}

// The least that the depth changes from a pixel to its neighbours on opposite sides: an edge is not a slope.
static float slope_at(const tr_depth_map *map, int pixel) {
    int columns = (int)map->columns, column = pixel % columns, row = pixel / columns;
    float here = map->depth[pixel], across = 0, down = 0;
    if (column > 0 && column + 1 < columns)
        across = fminf(fabsf(here - map->depth[pixel - 1]), fabsf(here - map->depth[pixel + 1]));
    if (row > 0 && row + 1 < (int)map->rows)
        down = fminf(fabsf(here - map->depth[pixel - columns]), fabsf(here - map->depth[pixel + columns]));
    return across + down;
}

// A scene as people have them: the two agree but for pixels at the border of some triangle.
TEST(soft_and_gl_see_the_same_house) {
    tr_raster *gl = open_gl(NULL), *soft = little_raster(0);
    tr_sample sample;
    tr_sample_def def = {.name = "house"};
    if (!gl) {
        tr_raster_destroy(soft);
        return;
    }
    REQUIRE(tr_sample_make(&def, &sample, NULL) == TR_OK);
    tr_random random = tr_random_seed(3);
    tr_depth_map one = depth_make_map(80, 60), two = depth_make_map(80, 60);
    uint64_t differ = 0, seen = 0;
    for (int trial = 0; trial < 12; trial++) {
        tr_vec3 middle = tr_vec3_scale(tr_vec3_add(sample.ground.min, sample.ground.max), 0.5f);
        middle.y = sample.ground.min.y + 1.3f;
        tr_depth_camera camera = depth_random_camera(&random, middle);
        camera.half_tangent = 0.7f;
        camera.near = 0.05f;
        camera.far = 15;
        tr_depth_request request = depth_request(sample.scene, camera);
        CHECK_INT(tr_depth_draw(gl, &request, &one, NULL), TR_OK);
        CHECK_INT(tr_depth_draw(soft, &request, &two, NULL), TR_OK);
        for (int i = 0; i < 80 * 60; i++) {
            seen += two.depth[i] < 15;
            differ += fabsf(one.depth[i] - two.depth[i]) > 1e-3f * two.depth[i] + slope_at(&two, i) / 64;
        }
    }
    CHECK(seen > 20000);
    CHECK(differ < 12 * 80 * 60 / 500);
    free(one.depth);
    free(two.depth);
    tr_scene_destroy(sample.scene);
    tr_raster_destroy(gl);
    tr_raster_destroy(soft);
}

// An object that could draw itself with OpenGL.
typedef struct gl_drawing {
    little_drawing base;
    bool asked;
} gl_drawing;

static void ask(void *user, const tr_gl_target *target) {
    (void)target;
    ((gl_drawing *)user)->asked = true;
}

// draw_gl knows no perspective, so that the object is asked to emit; and what other requests leave behind in
// the context, or find there, does no harm.
TEST(depth_maps_and_occupancy_maps_take_turns) {
    tr_raster *raster = open_gl(NULL);
    if (!raster)
        return;
    tr_scene *scene = NULL;
    REQUIRE(tr_scene_create(NULL, &scene) == TR_OK);
    gl_drawing drawing = {.asked = false};
    tr_box box = little_make_box(-1, -1, 1, 1, 1, 2), other = little_make_box(-1, -1, 3, 1, 1, 4);
    uint32_t object = TR_NONE;
    little_draw_box(&drawing.base, box);
    tr_drawn_def def = {.bounds = box, .user = &drawing, .emit = little_emit, .draw_gl = ask};
    REQUIRE(tr_scene_add_drawn(scene, &def, &object, NULL) == TR_OK);
    little_box(scene, other, 0);
    tr_depth_camera camera = {
        .forward = {0, 0, 1}, .up = {0, 1, 0}, .half_tangent = 0.2f, .near = 0.5f, .far = 9};
    tr_depth_request request = depth_request(scene, camera);
    tr_depth_map map = depth_make_map(9, 9);
    tr_grid grid;
    tr_bitmap before, after;
    REQUIRE(tr_grid_divide(little_make_box(-2, 0, -1, 2, 1, 5), 32, &grid, NULL) == TR_OK);
    REQUIRE(tr_bitmap_create(NULL, grid.columns, grid.rows, &before) == TR_OK);
    REQUIRE(tr_bitmap_create(NULL, grid.columns, grid.rows, &after) == TR_OK);
    tr_raster_request occupancy = little_request(scene, &grid, &before);
    CHECK_INT(tr_raster_draw(raster, &occupancy, NULL), TR_OK);
    CHECK(drawing.asked);
    drawing.asked = false;
    CHECK_INT(tr_depth_draw(raster, &request, &map, NULL), TR_OK);
    CHECK_NEAR((double)map.depth[40], 1, 1e-5);
    CHECK(!drawing.asked);
    request.exclude_object = object;
    CHECK_INT(tr_depth_draw(raster, &request, &map, NULL), TR_OK);
    CHECK_NEAR((double)map.depth[40], 3, 1e-5);
    occupancy.occupied = &after;
    CHECK_INT(tr_raster_draw(raster, &occupancy, NULL), TR_OK);
    CHECK(tr_bitmap_count(&before) > 0 && tr_bitmap_equal(&before, &after));
    tr_bitmap_destroy(NULL, &before);
    tr_bitmap_destroy(NULL, &after);
    free(map.depth);
    tr_scene_destroy(scene);
    tr_raster_destroy(raster);
}

static bool draw_with(const tr_allocator *allocator) {
    tr_raster_def def = {.backend = TR_RASTER_GL, .allocator = allocator};
    tr_raster *raster = NULL;
    tr_scene *scene = NULL;
    tr_depth_map map = depth_make_map(8, 8);
    little_drawing drawing = {.emitted = 0};
    tr_box box = little_make_box(-1, -1, 1, 1, 1, 2);
    bool hit = false, done = false;
    little_draw_box(&drawing, box);
    tr_depth_camera camera = {
        .forward = {0, 0, 1}, .up = {0, 1, 0}, .half_tangent = 0.2f, .near = 0.5f, .far = 9};
    if (tr_raster_create(&def, &raster, NULL) == TR_OK && tr_scene_create(allocator, &scene) == TR_OK &&
        little_box(scene, box, 0) != TR_NONE && little_drawn(scene, &drawing, box) != TR_NONE) {
        tr_depth_request request = depth_request(scene, camera);
        done = tr_depth_draw(raster, &request, &map, NULL) == TR_OK;
        map.depth[0] = 1.5f;
        done = done && tr_depth_hits(raster, &request, &map, TR_DEPTH_COMPARE_ON_CARD, &hit, NULL) == TR_OK;
    }
    tr_scene_destroy(scene);
    tr_raster_destroy(raster);
    free(map.depth);
    return done && hit;
}

TEST(when_memory_runs_out_gl_leaks_nothing) {
    tr_raster *raster = open_gl(NULL);
    if (!raster)
        return;
    tr_raster_destroy(raster);
    CHECK_EVERY_ALLOCATION_FAILURE(draw_with);
}
