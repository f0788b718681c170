// How depth maps are asked for: bad requests, memory, objects that break their word.
#include "depth_scene.h"

static tr_depth_camera good_camera(void) {
    tr_depth_camera camera = {.eye = {0, 0, 0},
                              .forward = {0, 0, 1},
                              .up = {0, 1, 0},
                              .half_tangent = TR_DEPTH_HALF_TANGENT,
                              .near = 0.1f,
                              .far = 3};
    return camera;
}

typedef struct bench {
    tr_scene *scene;
    tr_raster *raster;
    tr_depth_map map;
} bench;

static bench open_bench(void) {
    bench made = {.raster = little_raster(0), .map = depth_make_map(4, 4)};
    CHECK_INT(tr_scene_create(NULL, &made.scene), TR_OK);
    little_box(made.scene, little_make_box(-1, -1, 1, 1, 1, 2), 0);
    return made;
}

static void close_bench(bench *made) {
    free(made->map.depth);
    tr_raster_destroy(made->raster);
    tr_scene_destroy(made->scene);
}

// All three calls refuse it, say why, and leave the map and the answer alone.
static void check_refused(bench *on, const tr_depth_camera *camera, const char *reason) {
    tr_depth_request request = depth_request(on->scene, *camera);
    tr_error error = {.message = ""};
    bool hit = true;
    on->map.depth[5] = -77;
    CHECK_INT(tr_depth_draw(on->raster, &request, &on->map, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, reason);
    CHECK_INT(tr_depth_hits(on->raster, &request, &on->map, TR_DEPTH_COMPARE_ON_CARD, &hit, NULL),
              TR_INVALID);
    CHECK_INT(tr_depth_link(camera, tr_vec3_make(0, 0, 0), tr_vec3_make(0, 0, 1), 0.1f, &on->map, &error),
              TR_INVALID);
    CHECK_CONTAINS(error.message, reason);
    CHECK(hit && on->map.depth[5] == -77);
}

TEST(bad_cameras_are_refused_with_the_value) {
    bench on = open_bench();
    tr_depth_camera camera = good_camera();
    camera.eye.y = NAN;
    check_refused(&on, &camera, "nan");
    camera.eye.y = 2e7f;
    check_refused(&on, &camera, "2e+07");
    const tr_vec3 nothing = {0, 0, 0}, endless = {0, INFINITY, 1};
    camera = good_camera();
    camera.forward = nothing;
    check_refused(&on, &camera, "forward has no length");
    camera.forward = endless;
    check_refused(&on, &camera, "not finite");
    camera.forward = tr_vec3_make(0, -2, 0);
    check_refused(&on, &camera, "parallel");
    camera = good_camera();
    camera.up = nothing;
    check_refused(&on, &camera, "up has no length");
    const float tangents[4] = {0, -1, NAN, INFINITY};
    for (int i = 0; i < 4; i++) {
        camera = good_camera();
        camera.half_tangent = tangents[i];
        check_refused(&on, &camera, "half_tangent");
    }
    const float planes[6][2] = {{0, 1}, {-1, 1}, {2, 1}, {1, 1}, {NAN, 1}, {1, INFINITY}};
    for (int i = 0; i < 6; i++) {
        camera = good_camera();
        camera.near = planes[i][0];
        camera.far = planes[i][1];
        check_refused(&on, &camera, "0 < near < far");
    }
    close_bench(&on);
}

TEST(bad_maps_and_requests_are_refused) {
    bench on = open_bench();
    tr_depth_request request = depth_request(on.scene, good_camera());
    const tr_depth_map bad[5] = {{0, 4, on.map.depth, NULL},
                                 {4, 0, on.map.depth, NULL},
                                 {TR_DEPTH_SIZE_MAX + 1, 1, on.map.depth, NULL},
                                 {1, TR_DEPTH_SIZE_MAX + 1, on.map.depth, NULL},
                                 {4, 4, NULL, NULL}};
    tr_error error;
    bool hit;
    for (int i = 0; i < 5; i++) {
        CHECK_INT(tr_depth_draw(on.raster, &request, &bad[i], &error), TR_INVALID);
        CHECK_CONTAINS(error.message, "depth map has");
        CHECK_INT(tr_depth_hits(on.raster, &request, &bad[i], TR_DEPTH_READ_BACK, &hit, NULL), TR_INVALID);
        CHECK_INT(
            tr_depth_link(&request.camera, tr_vec3_make(0, 0, 0), tr_vec3_make(0, 0, 1), 0.1f, &bad[i], NULL),
            TR_INVALID);
    }
    CHECK_INT(tr_depth_hits(on.raster, &request, &on.map, (tr_depth_comparison)9, &hit, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "comparison 9");
    request.scene = NULL;
    CHECK_INT(tr_depth_draw(on.raster, &request, &on.map, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "no scene");
    close_bench(&on);
}

TEST(bad_links_are_refused) {
    bench on = open_bench();
    tr_depth_camera camera = good_camera();
    tr_vec3 a = {0, 0, 0}, b = {0, 0, 1}, broken = {0, NAN, 0};
    tr_error error;
    CHECK_INT(tr_depth_link(&camera, broken, b, 0.1f, &on.map, NULL), TR_INVALID);
    CHECK_INT(tr_depth_link(&camera, a, broken, 0.1f, &on.map, NULL), TR_INVALID);
    const float radii[4] = {0, -1, NAN, INFINITY};
    for (int i = 0; i < 4; i++) {
        CHECK_INT(tr_depth_link(&camera, a, b, radii[i], &on.map, &error), TR_INVALID);
        CHECK_CONTAINS(error.message, "radius");
    }
    // A link of no length has no direction to look in: its camera is refused wherever it is used.
    camera = tr_depth_link_camera(a, a, 0.1f, 1);
    check_refused(&on, &camera, "no length");
    camera = tr_depth_link_camera(a, broken, 0.1f, 0);
    tr_depth_request request = depth_request(on.scene, camera);
    CHECK_INT(tr_depth_draw(on.raster, &request, &on.map, NULL), TR_INVALID);
    close_bench(&on);
}

TEST(nothing_is_drawn_while_requests_are_in_flight) {
    bench on = open_bench();
    tr_grid grid;
    tr_bitmap occupied;
    REQUIRE(tr_grid_divide(little_make_box(-1, 0, -1, 1, 1, 1), 8, &grid, NULL) == TR_OK);
    REQUIRE(tr_bitmap_create(NULL, grid.columns, grid.rows, &occupied) == TR_OK);
    tr_raster_request occupancy = little_request(on.scene, &grid, &occupied);
    tr_depth_request request = depth_request(on.scene, good_camera());
    tr_error error;
    CHECK_INT(tr_raster_submit(on.raster, &occupancy, NULL), TR_OK);
    CHECK_INT(tr_depth_draw(on.raster, &request, &on.map, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "in flight");
    CHECK_INT(tr_raster_collect(on.raster, NULL), TR_OK);
    CHECK_INT(tr_depth_draw(on.raster, &request, &on.map, NULL), TR_OK);
    tr_bitmap_destroy(NULL, &occupied);
    close_bench(&on);
}

TEST(an_object_that_draws_outside_its_bounds_is_refused) {
    bench on = open_bench();
    little_drawing drawing = {.emitted = 0};
    little_draw_box(&drawing, little_make_box(-1, -1, 0.4f, 1, 1, 0.6f));
    drawing.corners[7].x = NAN;
    little_drawn(on.scene, &drawing, little_make_box(-1, -1, 0.4f, 1, 1, 0.6f));
    tr_depth_request request = depth_request(on.scene, good_camera());
    tr_error error;
    bool hit = false;
    CHECK_INT(tr_depth_draw(on.raster, &request, &on.map, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "not finite");
    for (int i = 0; i < 16; i++)
        on.map.depth[i] = 0.5f;
    CHECK_INT(tr_depth_hits(on.raster, &request, &on.map, TR_DEPTH_COMPARE_ON_CARD, &hit, NULL), TR_INVALID);
    // Out of sight it does no harm.
    request.camera.forward = tr_vec3_make(0, 0, -1);
    CHECK_INT(tr_depth_draw(on.raster, &request, &on.map, NULL), TR_OK);
    CHECK_INT(drawing.emitted, 2);
    close_bench(&on);
}

static bool draw_with(const tr_allocator *allocator) {
    tr_raster_def def = {.backend = TR_RASTER_SOFT, .allocator = allocator};
    tr_raster *raster = NULL;
    tr_scene *scene = NULL;
    tr_depth_map map = depth_make_map(8, 8);
    bool hit = false, done = false;
    if (tr_raster_create(&def, &raster, NULL) == TR_OK && tr_scene_create(allocator, &scene) == TR_OK &&
        little_box(scene, little_make_box(-1, -1, 1, 1, 1, 2), 0) != TR_NONE) {
        tr_depth_request request = depth_request(scene, good_camera());
        done = tr_depth_draw(raster, &request, &map, NULL) == TR_OK &&
               tr_depth_hits(raster, &request, &map, TR_DEPTH_COMPARE_ON_CARD, &hit, NULL) == TR_OK && hit;
    }
    tr_scene_destroy(scene);
    tr_raster_destroy(raster);
    free(map.depth);
    return done;
}

TEST(when_memory_runs_out_nothing_leaks) {
    CHECK_EVERY_ALLOCATION_FAILURE(draw_with);
}

TEST(soft_allocates_nothing_while_it_draws) {
    test_memory memory = {0};
    tr_allocator allocator = test_memory_allocator(&memory);
    tr_raster_def def = {.backend = TR_RASTER_SOFT, .allocator = &allocator};
    bench on = open_bench();
    tr_raster *raster = NULL;
    REQUIRE(tr_raster_create(&def, &raster, NULL) == TR_OK);
    uint64_t calls = memory.calls;
    tr_depth_request request = depth_request(on.scene, good_camera());
    bool hit = false;
    CHECK_INT(tr_depth_draw(raster, &request, &on.map, NULL), TR_OK);
    CHECK_INT(tr_depth_hits(raster, &request, &on.map, TR_DEPTH_COMPARE_ON_CARD, &hit, NULL), TR_OK);
    CHECK_INT(memory.calls, calls);
    tr_raster_destroy(raster);
    close_bench(&on);
}

// Cameras at the end of what is allowed see something or nothing, but never outside the map.
TEST(extreme_cameras_stay_inside_the_map) {
    bench on = open_bench();
    tr_random random = tr_random_seed(9);
    for (int trial = 0; trial < 300; trial++) {
        static const float sizes[6] = {1e-30f, 1e-6f, 1e-3f, 1, 1e6f, 1e30f};
        tr_depth_camera camera = good_camera();
        camera.eye = depth_random_point(&random, camera.eye, trial % 2 ? 1e7f : 1.5f);
        camera.forward =
            depth_random_point(&random, tr_vec3_make(0, 0, 0), sizes[tr_random_below(&random, 6)]);
        camera.up = tr_vec3_make(camera.forward.y, camera.forward.z, -camera.forward.x);
        camera.half_tangent = sizes[tr_random_below(&random, 6)];
        camera.near = sizes[tr_random_below(&random, 6)];
        camera.far = camera.near * 1e6f;
        tr_depth_request request = depth_request(on.scene, camera);
        CHECK_INT(tr_depth_draw(on.raster, &request, &on.map, NULL), TR_OK);
        for (int i = 0; i < 16; i++)
            CHECK(on.map.depth[i] >= camera.near && on.map.depth[i] <= camera.far);
    }
    close_bench(&on);
}
