// Surfaces of scenes with nothing in them, of bad input, without memory, and at their limits.
#include "surface_oracle.h"

static tr_surface_def small_def(void) {
    tr_surface_def def = tr_surface_def_default();
    def.grid = (tr_voxel_grid){{{0, 0}, 0.25f, 40, 36}, 0, 0.1f, 40};
    return def;
}

static void check_refused(const tr_surface_def *def, tr_status status, const char *part) {
    tr_surface *surface = NULL;
    tr_error error = {.message = ""};
    CHECK_INT(tr_surface_create(def, &surface, &error), status);
    CHECK(surface == NULL);
    CHECK_CONTAINS(error.message, part);
    tr_surface_destroy(surface);
}

TEST(bad_definitions_are_refused_with_the_value) {
    tr_surface_def good = small_def(), def;
    def = good, def.slope = NAN, check_refused(&def, TR_INVALID, "nan");
    def = good, def.slope = -0.1f, check_refused(&def, TR_INVALID, "-0.1");
    def = good, def.slope = 1.7f, check_refused(&def, TR_INVALID, "1.7");
    def = good, def.merge = -1, check_refused(&def, TR_INVALID, "merge");
    def = good, def.merge = INFINITY, check_refused(&def, TR_INVALID, "inf");
    def = good, def.room_step = 0, check_refused(&def, TR_INVALID, "room");
    def = good, def.room_step = NAN, check_refused(&def, TR_INVALID, "nan");
    def = good, def.room_least = -2, check_refused(&def, TR_INVALID, "-2");
    def = good, def.guess_area = NAN, check_refused(&def, TR_INVALID, "area");
    def = good, def.guess_rise = -0.5f, check_refused(&def, TR_INVALID, "rise");
    def = good, def.grid.layers = 0, check_refused(&def, TR_INVALID, "layers");
    def = good, def.grid.layers = 5000, check_refused(&def, TR_LIMIT, "4096");
    def = good, def.grid.layer = NAN, check_refused(&def, TR_INVALID, "nan");
    def = good, def.grid.bottom = INFINITY, check_refused(&def, TR_INVALID, "inf");
    def = good, def.grid.grid.cell = 0, check_refused(&def, TR_INVALID, "cell");
    def = good, def.grid.grid.columns = 0, check_refused(&def, TR_INVALID, "0 x 36");
    def = good, def.max_columns = 100, check_refused(&def, TR_LIMIT, "100");
    tr_surface_destroy(NULL);
}

static void check_no_cells(tr_scene *scene) {
    tr_surface_def def = small_def();
    tr_surface *surface = NULL;
    tr_raster *raster = little_raster(0);
    CHECK_INT(tr_surface_create(&def, &surface, NULL), TR_OK);
    CHECK_INT(tr_surface_build(surface, raster, scene, NULL), TR_OK);
    CHECK_INT(tr_surface_cell_count(surface), 0);
    CHECK_INT(tr_surface_at(surface, 39, 35).count, 0);
    CHECK_INT(tr_surface_find(surface, 0).cell, TR_NONE);
    CHECK_INT(tr_surface_nearest(surface, tr_vec3_make(1, 1, 1), INFINITY, 0).cell, TR_NONE);
    tr_cells changed;
    CHECK_INT(tr_surface_update(surface, raster, scene, &changed, NULL), TR_OK);
    CHECK_INT(changed.column_end, 0);
    tr_surface_destroy(surface);
    tr_raster_destroy(raster);
}

TEST(scenes_without_anything_in_the_grid_have_no_cells) {
    tr_scene *scene = NULL;
    REQUIRE(tr_scene_create(NULL, &scene) == TR_OK);
    check_no_cells(scene);
    tr_mesh_def nothing = {.triangle_count = 0};
    uint32_t mesh = TR_NONE;
    CHECK_INT(tr_scene_add_mesh(scene, &nothing, &mesh, NULL), TR_OK);
    little_object(scene, mesh, tr_affine_identity(), 0);
    little_box(scene, little_make_box(1, 50, 1, 2, 51, 2), 0);
    little_box(scene, little_make_box(-9, 0, 1, -8, 1, 2), 0);
    check_no_cells(scene);
    tr_scene_destroy(scene);
}

// Triangles without area, upright ones, and a thing smaller than a cell: each has its cells, none is ground
// unless it is flat.
TEST(degenerate_meshes_and_specks_have_their_cells) {
    tr_scene *scene = NULL;
    REQUIRE(tr_scene_create(NULL, &scene) == TR_OK);
    little_box(scene, little_make_box(1.1f, 0.5f, 1.1f, 1.1f, 0.5f, 1.1f), 0); // a point
    little_box(scene, little_make_box(3.1f, 0, 1.1f, 3.1f, 1.5f, 2.1f), 0);    // a wall without thickness
    little_box(scene, little_make_box(5.1f, 0.5f, 5.1f, 5.101f, 0.501f, 5.101f), 0); // a grain
    tr_surface_def def = small_def();
    def.guess = false;
    tr_surface *surface = NULL;
    tr_raster *raster = little_raster(0);
    CHECK_INT(tr_surface_create(&def, &surface, NULL), TR_OK);
    CHECK_INT(tr_surface_build(surface, raster, scene, NULL), TR_OK);
    tr_surface_column point = tr_surface_at(surface, 4, 4), wall = tr_surface_at(surface, 12, 6),
                      grain = tr_surface_at(surface, 20, 20);
    REQUIRE(point.count && wall.count && grain.count);
    CHECK_INT(point.heights[point.count - 1], 500);
    CHECK_INT(wall.heights[wall.count - 1], 1500);
    CHECK_INT(tr_surface_kind_of(wall.rooms[wall.count - 1]), TR_SURFACE_STEEP);
    CHECK_INT(grain.heights[grain.count - 1], 501);
    CHECK_INT(tr_surface_kind_of(grain.rooms[grain.count - 1]), TR_SURFACE_STAND);
    tr_surface_destroy(surface);
    tr_raster_destroy(raster);
    tr_scene_destroy(scene);
}

// More storeys than the first attempt makes room for, and more than a tile can count.
TEST(any_number_of_storeys_fits_until_the_limit_is_told) {
    const uint32_t storeys[] = {1, 7, 63, 70};
    for (int i = 0; i < 4; i++) {
        tr_scene *scene = NULL;
        REQUIRE(tr_scene_create(NULL, &scene) == TR_OK);
        for (uint32_t k = 0; k < storeys[i]; k++) {
            float y = 0.05f + 0.6f * (float)k;
            little_box(scene, little_make_box(-1, y, -1, 20, y, 20), 0);
        }
        tr_surface_def def = small_def();
        def.grid.layers = 450;
        tr_surface *surface = NULL;
        tr_raster *raster = little_raster(0);
        tr_error error = {.message = ""};
        CHECK_INT(tr_surface_create(&def, &surface, NULL), TR_OK);
        tr_status status = tr_surface_build(surface, raster, scene, &error);
        CHECK_INT(status, storeys[i] > 63 ? TR_LIMIT : TR_OK);
        if (status == TR_OK)
            CHECK_INT(tr_surface_cell_count(surface), 40 * 36 * storeys[i]);
        else
            CHECK_CONTAINS(error.message, "71680");
        tr_surface_destroy(surface);
        tr_raster_destroy(raster);
        tr_scene_destroy(scene);
    }
}

// Three bytes a cell and two a column, and little more: the paper's labyrinth takes less than a twentieth of
// the seven bytes a cell of its dense grid, the two bytes a cell of plan/surface_route included.
TEST(a_labyrinth_takes_little_memory) {
    tr_scene *scene = NULL;
    REQUIRE(tr_scene_create(NULL, &scene) == TR_OK);
    little_box(scene, little_make_box(0, -0.1f, 0, 18, 0, 23.25f), TR_TAG_WALKABLE);
    for (int i = 0; i < 20; i++)
        little_box(scene, little_make_box(0.9f * (float)i, 0, 1, 0.9f * (float)i + 0.1f, 2.2f, 20), 0);
    tr_surface_def def = tr_surface_def_default();
    def.grid = (tr_voxel_grid){{{0, 0}, 0.25f, 72, 93}, -0.1f, 0.1f, 23};
    tr_surface *surface = NULL;
    tr_raster *raster = little_raster(0);
    CHECK_INT(tr_surface_create(&def, &surface, NULL), TR_OK);
    CHECK_INT(tr_surface_build(surface, raster, scene, NULL), TR_OK);
    uint32_t cells = tr_surface_cell_count(surface), columns = 72 * 93;
    CHECK(cells >= columns);
    CHECK(tr_surface_bytes(surface) <= 3 * cells + 2 * columns + cells / 8 + 1100);
    CHECK(tr_surface_bytes(surface) + 2 * cells < 72 * 23 * 93 * 7 / 20);
    tr_surface_destroy(surface);
    tr_raster_destroy(raster);
    tr_scene_destroy(scene);
}

static tr_scene *failing_scene; // made once: only the surface's own memory is refused
static uint32_t failing_box;

static bool attempt(const tr_allocator *allocator) {
    tr_surface_def def = small_def();
    def.allocator = allocator;
    def.grid.grid.columns = 150;
    tr_surface *surface = NULL;
    tr_raster *raster = little_raster(0);
    tr_affine here = little_move(0, 0, 0), there = little_move(1, 0.2f, 0);
    tr_scene_place(failing_scene, failing_box, &here);
    tr_error error;
    bool done = tr_surface_create(&def, &surface, &error) == TR_OK &&
                tr_surface_build(surface, raster, failing_scene, &error) == TR_OK;
    if (done) { // a failed update leaves all as it was, and can be tried again
        uint32_t cells = tr_surface_cell_count(surface);
        uint64_t revision = tr_surface_revision(surface);
        tr_scene_place(failing_scene, failing_box, &there);
        tr_status status = tr_surface_update(surface, raster, failing_scene, NULL, &error);
        done = status == TR_OK;
        CHECK(done ? tr_surface_revision(surface) == revision + 1
                   : tr_surface_revision(surface) == revision && tr_surface_cell_count(surface) == cells);
        if (!done)
            CHECK_INT(status, TR_OUT_OF_MEMORY);
    }
    tr_surface_destroy(surface);
    tr_raster_destroy(raster);
    return done;
}

TEST(nothing_leaks_whichever_allocation_fails) {
    REQUIRE(tr_scene_create(NULL, &failing_scene) == TR_OK);
    little_box(failing_scene, little_make_box(0, 0, 0, 40, 0.05f, 9), 0);
    for (int i = 0; i < 8; i++) // enough storeys for a second attempt
        little_box(failing_scene, little_make_box(0, 0.5f * (float)i, 0, 40, 0.05f + 0.5f * (float)i, 9), 0);
    failing_box = little_box(failing_scene, little_make_box(1, 0, 1, 1.5f, 0.7f, 1.5f), 0);
    uint64_t allocations = CHECK_EVERY_ALLOCATION_FAILURE(attempt);
    CHECK(allocations >= 12);
    tr_scene_destroy(failing_scene);
}

// A callback that emits nonsense: the surface stays, and the next update builds it.
TEST(a_drawing_that_fails_leaves_the_surface_as_it_was) {
    tr_scene *scene = NULL;
    REQUIRE(tr_scene_create(NULL, &scene) == TR_OK);
    little_drawing drawing;
    little_draw_box(&drawing, little_make_box(1, 0, 1, 5, 0.3f, 5));
    uint32_t object = little_drawn(scene, &drawing, little_make_box(1, 0, 1, 5, 0.3f, 5));
    tr_surface_def def = small_def();
    tr_surface *surface = NULL;
    tr_raster *raster = little_raster(0);
    CHECK_INT(tr_surface_create(&def, &surface, NULL), TR_OK);
    CHECK_INT(tr_surface_build(surface, raster, scene, NULL), TR_OK);
    uint32_t cells = tr_surface_cell_count(surface);
    CHECK(cells > 0);
    drawing.corners[4].x = NAN;
    tr_cells changed = {1, 2, 3, 4};
    CHECK_INT(tr_scene_touch(scene, object, little_make_box(1, 0, 1, 5, 0.3f, 5)), TR_OK);
    CHECK_INT(tr_surface_update(surface, raster, scene, &changed, NULL), TR_INVALID);
    CHECK_INT(tr_surface_cell_count(surface), cells);
    CHECK_INT(changed.column_end, 0);
    little_draw_box(&drawing, little_make_box(1, 0, 1, 3, 0.3f, 3));
    CHECK_INT(tr_surface_update(surface, raster, scene, &changed, NULL), TR_OK);
    CHECK(tr_surface_cell_count(surface) < cells);
    CHECK_INT(changed.column_end, 40);
    tr_surface_destroy(surface);
    tr_raster_destroy(raster);
    tr_scene_destroy(scene);
}
