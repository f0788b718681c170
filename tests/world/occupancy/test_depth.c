// Depth maps drawn by `soft` against rays in double precision.
#include "depth_scene.h"

static const tr_vec3 home = {0.3f, 1.2f, -0.4f};

static void check_scenes(tr_vec3 about, uint64_t seed, int trials) {
    tr_raster *raster = little_raster(0);
    tr_random random = tr_random_seed(seed);
    oracle_tally tally = {0, 0, 0};
    for (int trial = 0; trial < trials; trial++) {
        uint32_t columns = 1 + tr_random_below(&random, 24), rows = 1 + tr_random_below(&random, 24);
        depth_scene made = depth_random_scene(&random, about, 1 + tr_random_below(&random, 30));
        tr_depth_map map = depth_make_map(columns, rows);
        tr_depth_request request = depth_request(made.scene, depth_random_camera(&random, about));
        CHECK_INT(tr_depth_draw(raster, &request, &map, NULL), TR_OK);
        oracle_compare(&request.camera, &map, made.corners, made.triangles, 1e-5, 0, &tally);
        free(map.depth);
        tr_scene_destroy(made.scene);
    }
    CHECK_INT(tally.wrong, 0);
    CHECK(tally.seen > 12 * (uint64_t)trials); // there is something to be wrong about
    CHECK(tally.border < 2 + tally.seen / 1000);
    tr_raster_destroy(raster);
}

TEST(random_triangles_are_seen_as_rays_see_them) {
    check_scenes(home, 1, 2000);
}

TEST(a_scene_far_from_the_origin_is_seen_as_well) {
    check_scenes(tr_vec3_make(5000, 20, -3000), 2, 500);
}

static tr_depth_camera ahead(float near, float far) {
    tr_depth_camera camera = {.eye = {0, 0, 0},
                              .forward = {0, 0, 2},
                              .up = {0, 3, 0.5f},
                              .half_tangent = 0.5f,
                              .near = near,
                              .far = far};
    return camera;
}

static tr_scene *scene_of_triangle(tr_vec3 a, tr_vec3 b, tr_vec3 c) {
    tr_scene *scene = NULL;
    const tr_vec3 corners[3] = {a, b, c};
    const uint32_t indices[3] = {0, 1, 2};
    tr_mesh_def def = {.positions = corners, .position_count = 3, .indices = indices, .triangle_count = 1};
    uint32_t mesh = TR_NONE;
    CHECK_INT(tr_scene_create(NULL, &scene), TR_OK);
    CHECK_INT(tr_scene_add_mesh(scene, &def, &mesh, NULL), TR_OK);
    little_object(scene, mesh, tr_affine_identity(), 0);
    return scene;
}

TEST(up_is_up_and_left_is_left) {
    // Ahead is +z and up +y, so that left is +x.
    tr_scene *scene = scene_of_triangle(tr_vec3_make(0, 0, 4), tr_vec3_make(9, 0, 4), tr_vec3_make(0, 9, 4));
    tr_raster *raster = little_raster(0);
    tr_depth_map map = depth_make_map(2, 2);
    tr_depth_request request = depth_request(scene, ahead(1, 10));
    REQUIRE(tr_depth_draw(raster, &request, &map, NULL) == TR_OK);
    CHECK_NEAR((double)map.depth[0], 4, 1e-6);
    CHECK(map.depth[1] == 10 && map.depth[2] == 10 && map.depth[3] == 10);
    free(map.depth);
    tr_raster_destroy(raster);
    tr_scene_destroy(scene);
}

TEST(only_what_lies_between_near_and_far_is_seen) {
    // A floor 1 m below the eye, from behind it to far ahead: row by row its depth is known.
    tr_scene *scene = scene_of_triangle(tr_vec3_make(-900, -1, -500), tr_vec3_make(900, -1, -500),
                                        tr_vec3_make(0, -1, 4000));
    tr_raster *raster = little_raster(0);
    tr_depth_map map = depth_make_map(7, 64);
    tr_depth_request request = depth_request(scene, ahead(2.5f, 20));
    request.camera.up = tr_vec3_make(0, 1, 0);
    REQUIRE(tr_depth_draw(raster, &request, &map, NULL) == TR_OK);
    uint32_t near_rows = 0, far_rows = 0;
    for (uint32_t row = 0; row < map.rows; row++) {
        double fall = ((2 * row + 1) / 64.0 - 1) * 0.5, depth = fall > 0 ? 1 / fall : 1e9;
        bool seen = depth >= 2.5 && depth < 20;
        near_rows += depth < 2.5;
        far_rows += depth >= 20;
        for (uint32_t column = 0; column < 7; column++)
            CHECK_NEAR((double)map.depth[row * 7 + column], seen ? depth : 20, 1e-5 * depth);
    }
    CHECK(near_rows > 5 && far_rows > 30);
    free(map.depth);
    tr_raster_destroy(raster);
    tr_scene_destroy(scene);
}

TEST(triangles_that_share_an_edge_leave_no_gap) {
    tr_raster *raster = little_raster(0);
    tr_random random = tr_random_seed(5);
    tr_depth_map map = depth_make_map(64, 64);
    for (int trial = 0; trial < 200; trial++) {
        // A fan around a point ahead, wider than the view; sometimes its middle is a pixel's.
        tr_vec3 corners[9];
        corners[0] = depth_random_point(&random, tr_vec3_make(0, 0, 4), 1);
        uint32_t indices[24], mesh = TR_NONE;
        if (trial % 4 == 0)
            corners[0] = tr_vec3_make(1.0f / 32, -3.0f / 32, 2);
        for (int i = 0; i < 8; i++) {
            static const float around[8][2] = {{9, 0},  {9, 9},   {0, 9},  {-9, 9},
                                               {-9, 0}, {-9, -9}, {0, -9}, {9, -9}};
            corners[i + 1] =
                tr_vec3_make(around[i][0] * 2, around[i][1] * 2, tr_random_between(&random, 2, 6));
            indices[3 * i] = 0;
            indices[3 * i + 1] = (uint32_t)(i + 1);
            indices[3 * i + 2] = (uint32_t)((i + 1) % 8 + 1);
        }
        tr_scene *scene = NULL;
        tr_mesh_def def = {
            .positions = corners, .position_count = 9, .indices = indices, .triangle_count = 8};
        CHECK_INT(tr_scene_create(NULL, &scene), TR_OK);
        CHECK_INT(tr_scene_add_mesh(scene, &def, &mesh, NULL), TR_OK);
        little_object(scene, mesh, tr_affine_identity(), 0);
        tr_depth_request request = depth_request(scene, ahead(0.5f, 100));
        CHECK_INT(tr_depth_draw(raster, &request, &map, NULL), TR_OK);
        uint32_t gaps = 0;
        for (int i = 0; i < 64 * 64; i++)
            gaps += map.depth[i] == 100;
        CHECK_INT(gaps, 0);
        tr_scene_destroy(scene);
    }
    free(map.depth);
    tr_raster_destroy(raster);
}

TEST(four_and_eight_lanes_give_the_same_bits) {
    tr_raster *four = little_raster(4), *eight = little_raster(8);
    if (!eight) {
        tr_raster_destroy(four);
        test_skip("this processor has no 8 lanes");
        return;
    }
    tr_random random = tr_random_seed(3);
    for (int trial = 0; trial < 300; trial++) {
        depth_scene made = depth_random_scene(&random, home, 1 + tr_random_below(&random, 60));
        tr_depth_request request = depth_request(made.scene, depth_random_camera(&random, home));
        tr_depth_map one = depth_make_map(33, 17), two = depth_make_map(33, 17);
        CHECK_INT(tr_depth_draw(four, &request, &one, NULL), TR_OK);
        CHECK_INT(tr_depth_draw(eight, &request, &two, NULL), TR_OK);
        CHECK(memcmp(one.depth, two.depth, 33 * 17 * sizeof(float)) == 0);
        free(one.depth);
        free(two.depth);
        tr_scene_destroy(made.scene);
    }
    tr_raster_destroy(four);
    tr_raster_destroy(eight);
}

// A wall of random depths, some of them 0, some beyond far or not a number.
static void fill_link(tr_random *random, tr_depth_map *link, const tr_depth_camera *camera) {
    float deepest = tr_random_between(random, 0, camera->far);
    uint32_t odd = tr_random_below(random, 30);
    for (size_t i = 0; i < (size_t)link->columns * link->rows; i++)
        link->depth[i] = tr_random_below(random, 3) ? tr_random_between(random, 0, deepest) : 0;
    size_t at = tr_random_below(random, link->columns * link->rows);
    if (odd < 4)
        link->depth[at] = odd == 0 ? NAN : odd == 1 ? camera->far : odd == 2 ? INFINITY : -1.0f;
}

TEST(hits_are_what_comparing_the_maps_says) {
    tr_random random = tr_random_seed(4);
    tr_raster *rasters[2] = {little_raster(4), little_raster(0)};
    int hits = 0, trials = 1500;
    for (int trial = 0; trial < trials; trial++) {
        uint32_t columns = 1 + tr_random_below(&random, 80), rows = 1 + tr_random_below(&random, 40);
        depth_scene made = depth_random_scene(&random, home, 1 + tr_random_below(&random, 12));
        tr_depth_request request = depth_request(made.scene, depth_random_camera(&random, home));
        tr_depth_map map = depth_make_map(columns, rows), link = depth_make_map(columns, rows);
        fill_link(&random, &link, &request.camera);
        if (trial % 3 == 0) { // as near as can be
            CHECK_INT(tr_depth_draw(rasters[0], &request, &map, NULL), TR_OK);
            for (size_t i = 0; i < (size_t)columns * rows; i++)
                link.depth[i] = nextafterf(map.depth[i], 0);
            if (trial % 2) {
                size_t at = tr_random_below(&random, columns * rows);
                link.depth[at] = map.depth[at];
            }
        }
        for (int k = 0; k < 2; k++) {
            bool hit = trial % 2;
            CHECK_INT(tr_depth_draw(rasters[k], &request, &map, NULL), TR_OK);
            CHECK_INT(tr_depth_hits(rasters[k], &request, &link, (tr_depth_comparison)k, &hit, NULL), TR_OK);
            CHECK_INT(hit, depth_collides(&link, &map));
            hits += hit;
        }
        free(map.depth);
        free(link.depth);
        tr_scene_destroy(made.scene);
    }
    CHECK(hits > trials / 4 && hits < 2 * trials - trials / 4);
    tr_raster_destroy(rasters[0]);
    tr_raster_destroy(rasters[1]);
}

TEST(excluded_and_removed_objects_are_not_seen) {
    tr_scene *scene = NULL;
    REQUIRE(tr_scene_create(NULL, &scene) == TR_OK);
    uint32_t first = little_box(scene, little_make_box(-9, -9, 2, 9, 9, 3), TR_TAG_USER);
    uint32_t second = little_box(scene, little_make_box(-9, -9, 4, 9, 9, 5), 0);
    tr_raster *raster = little_raster(0);
    tr_depth_map map = depth_make_map(3, 3);
    tr_depth_request request = depth_request(scene, ahead(1, 10));
    CHECK_INT(tr_depth_draw(raster, &request, &map, NULL), TR_OK);
    CHECK_NEAR((double)map.depth[4], 2, 1e-5);
    request.exclude_tags = TR_TAG_USER;
    CHECK_INT(tr_depth_draw(raster, &request, &map, NULL), TR_OK);
    CHECK_NEAR((double)map.depth[4], 4, 1e-5);
    request.exclude_object = second;
    CHECK_INT(tr_depth_draw(raster, &request, &map, NULL), TR_OK);
    CHECK(map.depth[4] == 10);
    request.exclude_tags = 0;
    CHECK_INT(tr_scene_remove_object(scene, first), TR_OK);
    CHECK_INT(tr_depth_draw(raster, &request, &map, NULL), TR_OK);
    CHECK(map.depth[4] == 10);
    free(map.depth);
    tr_raster_destroy(raster);
    tr_scene_destroy(scene);
}

TEST(an_object_that_draws_itself_looks_like_its_mesh) {
    tr_raster *raster = little_raster(0);
    tr_random random = tr_random_seed(6);
    tr_depth_map mesh_map = depth_make_map(40, 40), drawn_map = depth_make_map(40, 40);
    for (int trial = 0; trial < 50; trial++) {
        tr_scene *with_mesh = NULL, *with_drawing = NULL;
        REQUIRE(tr_scene_create(NULL, &with_mesh) == TR_OK && tr_scene_create(NULL, &with_drawing) == TR_OK);
        tr_vec3 low = depth_random_point(&random, home, 0.5f);
        tr_box box = {low, tr_vec3_add(low, tr_vec3_make(0.5f, 0.25f, 0.75f))};
        little_drawing drawing = {.emitted = 0};
        little_draw_box(&drawing, box);
        little_box(with_mesh, box, 0);
        little_drawn(with_drawing, &drawing, box);
        tr_depth_camera camera = depth_random_camera(&random, home);
        tr_depth_request request = depth_request(with_mesh, camera);
        bool hit = false;
        CHECK_INT(tr_depth_draw(raster, &request, &mesh_map, NULL), TR_OK);
        request.scene = with_drawing;
        CHECK_INT(tr_depth_draw(raster, &request, &drawn_map, NULL), TR_OK);
        for (int i = 0; i < 1600; i++)
            CHECK_NEAR((double)drawn_map.depth[i], (double)mesh_map.depth[i], 1e-5);
        CHECK_INT(tr_depth_hits(raster, &request, &drawn_map, TR_DEPTH_COMPARE_ON_CARD, &hit, NULL), TR_OK);
        CHECK(hit);
        tr_scene_destroy(with_mesh);
        tr_scene_destroy(with_drawing);
    }
    free(mesh_map.depth);
    free(drawn_map.depth);
    tr_raster_destroy(raster);
}

TEST(an_empty_scene_is_far_everywhere_and_never_hit) {
    tr_scene *scene = NULL;
    REQUIRE(tr_scene_create(NULL, &scene) == TR_OK);
    tr_raster *raster = little_raster(0);
    tr_depth_map map = depth_make_map(5, 3), link = depth_make_map(5, 3);
    tr_depth_request request = depth_request(scene, ahead(1, 10));
    bool hit = true;
    CHECK_INT(tr_depth_draw(raster, &request, &map, NULL), TR_OK);
    for (int i = 0; i < 15; i++) {
        CHECK(map.depth[i] == 10);
        link.depth[i] = 9.999f;
    }
    CHECK_INT(tr_depth_hits(raster, &request, &link, TR_DEPTH_COMPARE_ON_CARD, &hit, NULL), TR_OK);
    CHECK(!hit);
    free(map.depth);
    free(link.depth);
    tr_raster_destroy(raster);
    tr_scene_destroy(scene);
}
