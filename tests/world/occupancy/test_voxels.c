// Slicing: grids, requests, tiles and what is done with them.
#include "troupe/base/hash.h"
#include "troupe/world/sample.h"
#include "voxels_oracle.h"

static tr_voxel_grid small_grid(void) {
    tr_voxel_grid grid = {{{0, 0}, 0.25f, 70, 40}, -0.5f, 0.125f, 30};
    return grid;
}

// A floor at height 0, two boxes, a slope and a wall.
static tr_scene *small_scene(const tr_allocator *allocator) {
    tr_scene *scene;
    if (tr_scene_create(allocator, &scene) != TR_OK)
        return NULL;
    little_box(scene, little_make_box(0, -0.25f, 0, 17, 0, 10), TR_TAG_WALKABLE);
    little_box(scene, little_make_box(2, 0, 2, 3.1f, 0.7f, 3.3f), TR_TAG_NO_STEP);
    little_box(scene, little_make_box(7.5f, 1, 1, 9.2f, 1.6f, 8), 0);
    tr_vec3 slope[3] = {{10, 0, 2}, {16, 2.5f, 3}, {12, 1, 9}}, wall[3] = {{4, 0, 0}, {4, 3, 9}, {4, 0, 9}};
    uint32_t indices[3] = {0, 1, 2}, mesh;
    tr_mesh_def def = {.positions = slope, .position_count = 3, .indices = indices, .triangle_count = 1};
    CHECK_INT(tr_scene_add_mesh(scene, &def, &mesh, NULL), TR_OK);
    little_object(scene, mesh, tr_affine_identity(), 0);
    def.positions = wall;
    CHECK_INT(tr_scene_add_mesh(scene, &def, &mesh, NULL), TR_OK);
    little_object(scene, mesh, tr_affine_identity(), 0);
    return scene;
}

static tr_voxels slice(tr_raster *raster, const tr_voxels_request *request) {
    tr_voxels voxels;
    tr_error error = {.message = ""};
    CHECK_INT(tr_voxels_make(raster, request, true, NULL, &voxels, &error), TR_OK);
    CHECK_TEXT(error.message, "");
    return voxels;
}

static size_t column_count(const tr_voxels *voxels) {
    return (size_t)voxels->grid.grid.columns * voxels->grid.grid.rows;
}

static bool are_equal(const tr_voxels *a, const tr_voxels *b) {
    return a->occupied && b->occupied &&
           memcmp(a->occupied, b->occupied, column_count(a) * a->words * sizeof *a->occupied) == 0 &&
           memcmp(a->tops, b->tops, column_count(a) * a->grid.layers * sizeof *a->tops) == 0;
}

static tr_voxel_top top_of(const tr_voxels *voxels, uint32_t column, uint32_t layer, uint32_t row) {
    return voxels->tops[(size_t)tr_voxels_column(voxels, column, row) * voxels->grid.layers + layer];
}

TEST(a_grid_covers_its_box_from_multiples_of_its_cells) {
    tr_voxel_grid grid;
    tr_box box = little_make_box(0.3f, -0.33f, 1, 5.2f, 2.9f, 4);
    REQUIRE(tr_voxel_grid_cover(box, 0.5f, 0.25f, 0, 0, &grid, NULL) == TR_OK);
    CHECK_INT(grid.grid.columns, 11);
    CHECK_INT(grid.grid.rows, 6);
    CHECK_NEAR(grid.bottom, -0.5, 0);
    CHECK_INT(grid.layers, 14); // to 3.0
    CHECK(tr_voxel_grid_check(&grid, 0, NULL) == TR_OK);
    box.max.y = box.min.y = 1; // flat, and exactly on a border
    REQUIRE(tr_voxel_grid_cover(box, 0.5f, 0.25f, 1, 0, &grid, NULL) == TR_OK);
    CHECK_NEAR(grid.bottom, 1, 0);
    CHECK_INT(grid.layers, 1);
}

TEST(bad_grids_are_refused_with_the_numbers) {
    tr_voxel_grid grid = {.layers = 77};
    tr_error error;
    tr_box box = little_make_box(0, 0, 0, 10, 10, 10);
    CHECK_INT(tr_voxel_grid_cover(box, 0.1f, 0.001f, 0, 0, &grid, &error), TR_LIMIT);
    CHECK_CONTAINS(error.message, "10000 layers");
    CHECK_INT(tr_voxel_grid_cover(box, 0.1f, 0, 0, 0, &grid, &error), TR_INVALID);
    CHECK_INT(tr_voxel_grid_cover(box, 0.1f, NAN, 0, 0, &grid, &error), TR_INVALID);
    CHECK_INT(tr_voxel_grid_cover(box, -1, 0.1f, 0, 0, &grid, &error), TR_INVALID);
    CHECK_INT(tr_voxel_grid_cover(box, 0.1f, 0.1f, 0, 100, &grid, &error), TR_LIMIT);
    CHECK_INT(tr_voxel_grid_cover(tr_box_empty(), 0.1f, 0.1f, 0, 0, &grid, &error), TR_INVALID);
    box.min.y = NAN;
    CHECK_INT(tr_voxel_grid_cover(box, 0.1f, 0.1f, 0, 0, &grid, &error), TR_INVALID);
    box = little_make_box(0, 900000, 0, 10, 900001, 10);
    CHECK_INT(tr_voxel_grid_cover(box, 0.1f, 0.1f, 0, 0, &grid, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "too thin");
    CHECK_INT(grid.layers, 77); // as it was
    tr_voxel_grid bad = small_grid();
    bad.layers = 0;
    CHECK_INT(tr_voxel_grid_check(&bad, 0, &error), TR_INVALID);
    bad.layers = TR_VOXEL_LAYERS_MAX + 1;
    CHECK_INT(tr_voxel_grid_check(&bad, 0, &error), TR_LIMIT);
    bad = small_grid();
    bad.bottom = INFINITY;
    CHECK_INT(tr_voxel_grid_check(&bad, 0, &error), TR_INVALID);
    bad = small_grid();
    bad.grid.columns = 0;
    CHECK_INT(tr_voxel_grid_check(&bad, 0, &error), TR_INVALID);
}

typedef struct tile_tally {
    uint32_t taken[64], cells;
    uint64_t occupied;
} tile_tally;

static void count_tile(void *user, const tr_voxels *tile, uint32_t number, uint32_t member) {
    tile_tally *tally = user;
    tally->taken[number]++;
    tally->cells += (tile->window.column_end - tile->window.column_begin) *
                    (tile->window.row_end - tile->window.row_begin);
    tally->occupied += tr_voxels_count(tile);
    CHECK_INT(member, 0);
    CHECK_INT(tile->window.column_begin, number % 3 * TR_VOXEL_TILE);
    CHECK_INT(tile->window.row_begin, number / 3 * TR_VOXEL_TILE);
}

TEST(bad_requests_are_refused_and_nothing_is_drawn) {
    tr_scene *scene = small_scene(NULL);
    tr_voxel_grid grid = small_grid();
    tr_raster *raster = little_raster(0);
    tr_error error;
    tile_tally tally = {.cells = 0};
    tr_voxels_request good = voxel_request(scene, &grid), request = good;
    CHECK_INT(tr_voxels_draw(raster, &request, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "no callback");
    good.take = count_tile, good.user = &tally;
    request = good, request.scene = NULL;
    CHECK_INT(tr_voxels_draw(raster, &request, &error), TR_INVALID);
    request = good, request.stand_cosine = 1.5f;
    CHECK_INT(tr_voxels_draw(raster, &request, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "1.5");
    request = good, request.stand_cosine = NAN;
    CHECK_INT(tr_voxels_draw(raster, &request, &error), TR_INVALID);
    request = good, request.region.column_end = 71;
    CHECK_INT(tr_voxels_draw(raster, &request, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "[0, 71)");
    request = good, request.grid.layer = -1;
    CHECK_INT(tr_voxels_draw(raster, &request, &error), TR_INVALID);
    CHECK_INT(tally.cells, 0);
    tr_voxels voxels = {.words = 5};
    request = good, request.grid.grid.columns = request.grid.grid.rows = 4096, request.grid.layers = 1025;
    CHECK_INT(tr_voxels_make(raster, &request, false, NULL, &voxels, &error), TR_LIMIT);
    CHECK_CONTAINS(error.message, "4096 x 1025 x 4096");
    request.grid.layers = 17;
    CHECK_INT(tr_voxels_make(raster, &request, true, NULL, &voxels, &error), TR_LIMIT);
    CHECK(voxels.occupied == NULL);
    tr_voxels_destroy(NULL, &voxels);
    // The grid of an update must be the one of the cells.
    voxels = slice(raster, &good);
    request = good, request.grid.layers++;
    CHECK_INT(tr_voxels_update(&voxels, raster, &request, NULL, 0, &error), TR_INVALID);
    tr_voxels_destroy(NULL, &voxels);
    tr_raster_destroy(raster);
    tr_scene_destroy(scene);
}

TEST(every_tile_is_handed_out_once_empty_ones_too) {
    tr_scene *scene = small_scene(NULL);
    tr_voxel_grid grid = small_grid();
    tr_raster *raster = little_raster(0);
    tile_tally tally = {.cells = 0};
    tr_voxels_request request = voxel_request(scene, &grid);
    request.take = count_tile, request.user = &tally;
    REQUIRE(tr_voxels_draw(raster, &request, NULL) == TR_OK);
    for (int i = 0; i < 64; i++)
        CHECK_INT(tally.taken[i], i < 6);
    CHECK_INT(tally.cells, 70 * 40);
    tr_voxels voxels = slice(raster, &request);
    CHECK_INT(tally.occupied, tr_voxels_count(&voxels));
    CHECK(tally.occupied > 1000);
    tr_voxels_destroy(NULL, &voxels);
    // A region takes the tiles that it touches.
    memset(&tally, 0, sizeof tally);
    tr_cells region = {40, 31, 41, 33}, none = {5, 5, 5, 9};
    request.region = region;
    REQUIRE(tr_voxels_draw(raster, &request, NULL) == TR_OK);
    for (int i = 0; i < 64; i++)
        CHECK_INT(tally.taken[i], i == 1 || i == 4);
    request.region = none;
    memset(&tally, 0, sizeof tally);
    REQUIRE(tr_voxels_draw(raster, &request, NULL) == TR_OK);
    CHECK_INT(tally.cells, 0);
    tr_raster_destroy(raster);
    tr_scene_destroy(scene);
}

TEST(a_floor_on_the_border_of_two_layers_is_in_both_and_its_top_is_true) {
    tr_scene *scene = small_scene(NULL);
    tr_voxel_grid grid = small_grid(); // the floor at 0 is where layer 4 begins
    tr_raster *raster = little_raster(0);
    tr_voxels_request request = voxel_request(scene, &grid);
    request.stand_exclude_tags = TR_TAG_NO_STEP;
    request.sure_tags = TR_TAG_WALKABLE;
    tr_voxels voxels = slice(raster, &request);
    CHECK(tr_voxels_get(&voxels, 30, 3, 20) && tr_voxels_get(&voxels, 30, 4, 20));
    CHECK(!tr_voxels_get(&voxels, 30, 5, 20));
    CHECK_INT(top_of(&voxels, 30, 4, 20).top, 0);
    CHECK_INT(top_of(&voxels, 30, 4, 20).stand, 1 << 1 | 1);
    // The box that is not for stepping on ends at 0.7 m, in layer 9, 0.6 of it.
    CHECK(tr_voxels_get(&voxels, 10, 9, 10) && !tr_voxels_get(&voxels, 10, 10, 10));
    CHECK_NEAR(top_of(&voxels, 10, 9, 10).top, 0.6 * 65535, 2);
    CHECK_INT(top_of(&voxels, 10, 9, 10).stand, 0);
    // The other box hangs in the air and is not sure.
    CHECK(!tr_voxels_get(&voxels, 33, 10, 20) && tr_voxels_get(&voxels, 33, 11, 20));
    CHECK_NEAR(top_of(&voxels, 33, 16, 20).stand >> 1, 1 + 0.8 * 32766, 2);
    CHECK_INT(top_of(&voxels, 33, 16, 20).stand & 1, 0);
    // Nobody stands on the wall's edge; it has a top all the same.
    CHECK(tr_voxels_get(&voxels, 16, 20, 32) && top_of(&voxels, 16, 24, 34).stand == 0);
    tr_voxels_destroy(NULL, &voxels);
    tr_raster_destroy(raster);
    tr_scene_destroy(scene);
}

TEST(a_plane_counts_as_flat_up_to_the_angle_whichever_way_it_faces) {
    tr_raster *raster = little_raster(0);
    for (int turned = 0; turned < 2; turned++)
        for (int steep = 0; steep < 2; steep++) {
            tr_scene *scene;
            REQUIRE(tr_scene_create(NULL, &scene) == TR_OK);
            float rise = steep ? 3.01f : 3.0f; // 45 degrees is not too steep, a little more is
            tr_vec3 corners[3] = {{0, 0, 0}, {3, rise, 0}, {0, 0, 3}};
            uint32_t indices[2][3] = {{0, 1, 2}, {0, 2, 1}}, mesh;
            tr_mesh_def def = {
                .positions = corners, .position_count = 3, .indices = indices[turned], .triangle_count = 1};
            REQUIRE(tr_scene_add_mesh(scene, &def, &mesh, NULL) == TR_OK);
            little_object(scene, mesh, tr_affine_identity(), 0);
            tr_voxel_grid grid = {{{0, 0}, 0.5f, 6, 6}, 0, 0.25f, 14};
            tr_voxels_request request = voxel_request(scene, &grid);
            tr_voxels voxels = slice(raster, &request);
            CHECK(tr_voxels_get(&voxels, 1, 3, 1));
            CHECK_INT(top_of(&voxels, 1, 4, 1).stand != 0, !steep);
            tr_voxels_destroy(NULL, &voxels);
            tr_scene_destroy(scene);
        }
    tr_raster_destroy(raster);
}

TEST(what_lies_beyond_the_layers_is_cut_off) {
    tr_scene *scene;
    tr_raster *raster = little_raster(0);
    REQUIRE(tr_scene_create(NULL, &scene) == TR_OK);
    little_box(scene, little_make_box(1, -50, 1, 2, 900, 2), 0);
    little_box(scene, little_make_box(5, 10.01f, 5, 6, 11, 6), 0);
    little_box(scene, little_make_box(5, -3, 5, 6, -0.01f, 6), 0);
    tr_voxel_grid grid = {{{0, 0}, 0.25f, 40, 40}, 0, 0.5f, 20};
    tr_voxels_request request = voxel_request(scene, &grid);
    tr_voxels voxels = slice(raster, &request);
    for (uint32_t layer = 0; layer < 20; layer++) {
        CHECK(tr_voxels_get(&voxels, 4, layer, 6));
        CHECK(!tr_voxels_get(&voxels, 22, layer, 22));
    }
    CHECK_INT(top_of(&voxels, 4, 19, 6).top, 65535);
    tr_voxels_destroy(NULL, &voxels);
    tr_raster_destroy(raster);
    tr_scene_destroy(scene);
}

TEST(lanes_teams_and_regions_give_the_same_bits) {
    tr_sample sample;
    tr_sample_def def = {.name = "field", .triangles = 40000};
    REQUIRE(tr_sample_make(&def, &sample, NULL) == TR_OK);
    tr_voxel_grid grid;
    REQUIRE(tr_voxel_grid_cover(tr_scene_bounds(sample.scene), 0.2f, 0.1f, 0, 0, &grid, NULL) == TR_OK);
    tr_voxels_request request = voxel_request(sample.scene, &grid);
    tr_raster *plain = little_raster(4);
    tr_voxels first = slice(plain, &request);
    CHECK(tr_voxels_count(&first) > 10000);
    for (uint32_t lanes = 4; lanes <= 8; lanes += 4)
        for (uint32_t members = 1; members <= 4; members *= 2) {
            tr_tasks *team;
            REQUIRE(tr_tasks_create(NULL, members, &team, NULL) == TR_OK);
            tr_raster_def raster_def = {.tasks = team, .lanes = lanes};
            tr_raster *raster;
            if (tr_raster_create(&raster_def, &raster, NULL) == TR_OK) {
                tr_voxels again = slice(raster, &request);
                CHECK(are_equal(&first, &again));
                // Everything once more, in pieces.
                memset(again.occupied, 0x55, column_count(&again) * again.words * sizeof *again.occupied);
                tr_box halves[2] = {tr_scene_bounds(sample.scene), tr_scene_bounds(sample.scene)};
                halves[0].max.x = halves[1].min.x = (halves[0].min.x + halves[0].max.x) / 2;
                CHECK_INT(tr_voxels_update(&again, raster, &request, halves, 2, NULL), TR_OK);
                CHECK(are_equal(&first, &again));
                tr_voxels_destroy(NULL, &again);
            }
            tr_raster_destroy(raster);
            tr_tasks_destroy(team);
        }
    tr_voxels_destroy(NULL, &first);
    tr_raster_destroy(plain);
    tr_scene_destroy(sample.scene);
}

TEST(an_update_of_what_moved_is_like_making_all_anew) {
    tr_random random = tr_random_seed(7);
    tr_scene *scene = small_scene(NULL);
    tr_voxel_grid grid = small_grid();
    tr_raster *raster = little_raster(0);
    uint32_t moving = little_object(scene, little_box_mesh(scene, little_make_box(0, 0, 0, 0.6f, 0.8f, 0.4f)),
                                    little_move(1, 0, 1), 0);
    tr_voxels_request request = voxel_request(scene, &grid);
    tr_voxels kept = slice(raster, &request);
    uint64_t changes = 0;
    for (int trial = 0; trial < 60; trial++) {
        tr_box boxes[3] = {tr_scene_object(scene, moving).bounds, tr_box_empty(), tr_box_empty()};
        float x = tr_random_between(&random, -2, 19), y = tr_random_between(&random, -1, 4);
        tr_affine placement = tr_affine_place(tr_vec3_make(x, y, tr_random_between(&random, -2, 12)), x);
        REQUIRE(tr_scene_place(scene, moving, &placement) == TR_OK);
        boxes[1] = tr_scene_object(scene, moving).bounds;
        CHECK_INT(tr_voxels_update(&kept, raster, &request, boxes, 3, NULL), TR_OK);
        tr_voxels anew = slice(raster, &request);
        CHECK(are_equal(&kept, &anew));
        changes += tr_voxels_count(&anew);
        tr_voxels_destroy(NULL, &anew);
    }
    CHECK(changes > 0);
    tr_voxels_destroy(NULL, &kept);
    tr_raster_destroy(raster);
    tr_scene_destroy(scene);
}

TEST(what_is_excluded_or_removed_is_not_there) {
    tr_scene *scene = small_scene(NULL);
    tr_voxel_grid grid = small_grid();
    tr_raster *raster = little_raster(0);
    tr_voxels_request request = voxel_request(scene, &grid);
    tr_voxels all = slice(raster, &request);
    request.exclude_tags = TR_TAG_NO_STEP;
    tr_voxels by_tag = slice(raster, &request);
    request.exclude_tags = 0, request.exclude_object = 1;
    tr_voxels by_number = slice(raster, &request);
    CHECK(are_equal(&by_tag, &by_number) && !are_equal(&all, &by_tag));
    request.exclude_object = TR_NONE;
    REQUIRE(tr_scene_remove_object(scene, 1) == TR_OK);
    tr_voxels removed = slice(raster, &request);
    CHECK(are_equal(&by_tag, &removed));
    tr_voxels_destroy(NULL, &all), tr_voxels_destroy(NULL, &by_tag);
    tr_voxels_destroy(NULL, &by_number), tr_voxels_destroy(NULL, &removed);
    tr_raster_destroy(raster);
    tr_scene_destroy(scene);
}

TEST(what_a_callback_emits_has_the_same_cells_as_a_mesh) {
    tr_box box = little_make_box(2.03f, 0.1f, 3.3f, 11.7f, 1.9f, 5.2f);
    tr_scene *scenes[2];
    little_drawing drawing = {.emitted = 0};
    little_draw_box(&drawing, box);
    tr_voxel_grid grid = small_grid();
    tr_raster *raster = little_raster(0);
    tr_voxels made[2];
    for (int i = 0; i < 2; i++) {
        REQUIRE(tr_scene_create(NULL, &scenes[i]) == TR_OK);
        if (i == 0)
            little_box(scenes[i], box, 0);
        else
            little_drawn(scenes[i], &drawing, box);
        tr_voxels_request request = voxel_request(scenes[i], &grid);
        made[i] = slice(raster, &request);
    }
    CHECK(tr_voxels_count(&made[0]) > 100);
    CHECK(are_equal(&made[0], &made[1]));
    CHECK_INT(drawing.emitted, 1); // once for all tiles
    // A corner where it must not be is refused.
    drawing.corners[7].y = NAN;
    tr_error error;
    tr_voxels_request request = voxel_request(scenes[1], &grid);
    tr_voxels none;
    CHECK_INT(tr_voxels_make(raster, &request, true, NULL, &none, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "drawn");
    CHECK(none.occupied == NULL);
    for (int i = 0; i < 2; i++) {
        tr_voxels_destroy(NULL, &made[i]);
        tr_scene_destroy(scenes[i]);
    }
    tr_raster_destroy(raster);
}

static void ignore_tile(void *user, const tr_voxels *tile, uint32_t number, uint32_t member) {
    (void)user, (void)tile, (void)number, (void)member;
}

TEST(a_scene_that_was_sliced_is_sliced_again_without_allocating) {
    test_memory memory = {0};
    tr_allocator allocator = test_memory_allocator(&memory);
    tr_scene *scene = small_scene(NULL);
    little_drawing drawing = {.emitted = 0};
    tr_box box = little_make_box(2, 0.1f, 3, 11, 1.9f, 5);
    little_draw_box(&drawing, box);
    little_drawn(scene, &drawing, box);
    tr_voxel_grid grid = small_grid();
    tr_raster_def def = {.allocator = &allocator};
    tr_raster *raster;
    REQUIRE(tr_raster_create(&def, &raster, NULL) == TR_OK);
    tr_voxels_request request = voxel_request(scene, &grid);
    request.take = ignore_tile;
    REQUIRE(tr_voxels_draw(raster, &request, NULL) == TR_OK);
    uint64_t calls = memory.calls;
    for (int i = 0; i < 3; i++) {
        tr_affine placement = little_move((float)i, 0, 0);
        CHECK_INT(tr_scene_place(scene, 1, &placement), TR_OK);
        CHECK_INT(tr_voxels_draw(raster, &request, NULL), TR_OK);
    }
    CHECK_INT(memory.calls, calls);
    tr_raster_destroy(raster);
    CHECK_INT(memory.live_bytes, 0);
    tr_scene_destroy(scene);
}

static bool make_with(const tr_allocator *allocator) {
    tr_scene *scene = small_scene(NULL);
    little_drawing drawing = {.emitted = 0};
    tr_box box = little_make_box(2, 0.1f, 3, 11, 1.9f, 5);
    little_draw_box(&drawing, box);
    little_drawn(scene, &drawing, box);
    tr_voxel_grid grid = small_grid();
    tr_raster_def def = {.allocator = allocator};
    tr_raster *raster = NULL;
    tr_voxels voxels = {.words = 0};
    tr_voxels_request request = voxel_request(scene, &grid);
    tr_status status = tr_raster_create(&def, &raster, NULL);
    if (status == TR_OK)
        status = tr_voxels_make(raster, &request, true, allocator, &voxels, NULL);
    CHECK(status == TR_OK || (status == TR_OUT_OF_MEMORY && !voxels.occupied));
    tr_voxels_destroy(allocator, &voxels);
    tr_raster_destroy(raster);
    tr_scene_destroy(scene);
    return status == TR_OK;
}

TEST(running_out_of_memory_anywhere_is_a_status) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(make_with) >= 8);
}

TEST(a_scene_of_nothing_has_no_cells) {
    tr_scene *scene;
    REQUIRE(tr_scene_create(NULL, &scene) == TR_OK);
    tr_voxel_grid grid = small_grid();
    tr_raster *raster = little_raster(0);
    tr_voxels_request request = voxel_request(scene, &grid);
    tr_voxels voxels = slice(raster, &request);
    CHECK_INT(tr_voxels_count(&voxels), 0);
    tr_voxels_destroy(NULL, &voxels);
    tr_voxels_destroy(NULL, &voxels); // twice does no harm
    tr_raster_destroy(raster);
    tr_scene_destroy(scene);
}
