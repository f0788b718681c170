// Slicing with `gl` against exact arithmetic and against `soft`: the same cells but for those that geometry
// comes within the slack of.
#include "world/open_gl.h"
#include "troupe/world/sample.h"
#include "voxels_oracle.h"

static tr_voxels slice(tr_raster *raster, const tr_voxels_request *request) {
    tr_voxels voxels;
    tr_error error = {.message = ""};
    CHECK_INT(tr_voxels_make(raster, request, true, NULL, &voxels, &error), TR_OK);
    CHECK_TEXT(error.message, "");
    return voxels;
}

TEST(random_and_degenerate_triangles_are_sliced_as_exact_arithmetic_says) {
    tr_raster *raster = open_gl(NULL);
    if (!raster)
        return;
    voxel_tally all = {0, 0, 0, 0};
    tr_random random = tr_random_seed(11);
    tr_voxel_grid grid = voxel_exact_grid();
    for (int trial = 0; trial < 4; trial++) {
        int64_t triangles[24][3][3];
        for (uint32_t i = 0; i < 24; i++)
            voxel_random_triangle(&random, triangles[i]);
        tr_scene *scene = voxel_scene(triangles, 24, TR_TAG_WALKABLE);
        tr_voxels_request request = voxel_request(scene, &grid);
        request.sure_tags = TR_TAG_WALKABLE;
        tr_voxels voxels = slice(raster, &request);
        voxel_check(&voxels, triangles, 24, true, &all);
        tr_voxels_destroy(NULL, &voxels);
        tr_scene_destroy(scene);
    }
    CHECK(all.set > 3000);
    CHECK(all.stands > 100);
    tr_raster_destroy(raster);
}

// How many cells differ, and how many tops by more than a hundredth of a layer.
typedef struct difference {
    uint64_t cells, tops, compared;
} difference;

static bool is_top(const tr_voxels *voxels, uint32_t column, uint32_t layer, uint32_t row) {
    return tr_voxels_get(voxels, column, layer, row) &&
           (layer + 1 == voxels->grid.layers || !tr_voxels_get(voxels, column, layer + 1, row));
}

static bool tops_differ(tr_voxel_top a, tr_voxel_top b) {
    int top = (int)a.top - b.top, stand = (int)a.stand - b.stand;
    return top > 655 || top < -655 || stand > 655 || stand < -655;
}

static difference compare(const tr_voxels *a, const tr_voxels *b) {
    difference d = {0, 0, 0};
    const tr_voxel_grid *grid = &a->grid;
    for (uint32_t row = 0; row < grid->grid.rows; row++)
        for (uint32_t column = 0; column < grid->grid.columns; column++)
            for (uint32_t layer = 0; layer < grid->layers; layer++) {
                d.cells += tr_voxels_get(a, column, layer, row) != tr_voxels_get(b, column, layer, row);
                if (!is_top(a, column, layer, row) || !is_top(b, column, layer, row))
                    continue;
                size_t number = (size_t)tr_voxels_column(a, column, row) * grid->layers + layer;
                d.compared++;
                d.tops += tops_differ(a->tops[number], b->tops[number]);
            }
    return d;
}

// Coarse, because software drawing is slow.
TEST(sample_scenes_are_sliced_like_soft_but_for_the_border) {
    tr_raster *gl = open_gl(NULL), *soft = little_raster(0);
    const char *names[] = {"terrace", "room", "edges", "labyrinth", "stairs"};
    for (int i = 0; i < 5 && gl; i++) {
        tr_sample sample;
        tr_sample_def def = {.name = names[i]};
        REQUIRE(tr_sample_make(&def, &sample, NULL) == TR_OK);
        tr_box box = tr_scene_bounds(sample.scene);
        float side = fmaxf(box.max.x - box.min.x, box.max.z - box.min.z);
        tr_voxel_grid grid;
        REQUIRE(tr_voxel_grid_cover(box, side / 40, (box.max.y - box.min.y) / 7 + 0.01f, 0, 0, &grid, NULL) ==
                TR_OK);
        tr_voxels_request request = voxel_request(sample.scene, &grid);
        request.sure_tags = TR_TAG_WALKABLE;
        tr_voxels a = slice(soft, &request), b = slice(gl, &request);
        voxel_check_scene(&a, sample.scene);
        voxel_check_scene(&b, sample.scene);
        difference d = compare(&a, &b);
        CHECK(d.compared > 50);
        CHECK(d.cells * 200 < tr_voxels_count(&a));
        CHECK(d.tops * 20 < d.compared); // steep things, whose height the slack changes
        tr_voxels_destroy(NULL, &a);
        tr_voxels_destroy(NULL, &b);
        tr_scene_destroy(sample.scene);
    }
    tr_raster_destroy(gl);
    tr_raster_destroy(soft);
}

static void count_tile(void *user, const tr_voxels *tile, uint32_t number, uint32_t member) {
    uint32_t *taken = user;
    taken[number]++;
    CHECK_INT(member, 0);
    CHECK_INT(tile->window.column_begin, number % 3 * TR_VOXEL_TILE);
    CHECK_INT(tile->window.row_begin, number / 3 * TR_VOXEL_TILE);
}

TEST(tiles_tags_and_callbacks_are_those_of_soft) {
    tr_raster *gl = open_gl(NULL), *soft = little_raster(0);
    if (!gl) {
        tr_raster_destroy(soft);
        return;
    }
    tr_scene *scene;
    REQUIRE(tr_scene_create(NULL, &scene) == TR_OK);
    little_box(scene, little_make_box(0, -0.2f, 0, 20, 0.03f, 12), TR_TAG_WALKABLE);
    little_box(scene, little_make_box(2.1f, 0, 2.2f, 3.3f, 0.71f, 3.4f), TR_TAG_NO_STEP);
    little_box(scene, little_make_box(5.1f, 0, 2.2f, 6.3f, 0.71f, 3.4f), TR_TAG_CHARACTER);
    little_drawing drawing = {.emitted = 0};
    tr_box box = little_make_box(8.1f, 0.1f, 1.7f, 15.3f, 0.66f, 9.2f);
    little_draw_box(&drawing, box);
    little_drawn(scene, &drawing, box);
    tr_voxel_grid grid = {{{0, 0}, 0.3f, 68, 40}, -0.25f, 0.2f, 6};
    tr_voxels_request request = voxel_request(scene, &grid);
    request.exclude_tags = TR_TAG_CHARACTER;
    request.stand_exclude_tags = TR_TAG_NO_STEP;
    request.sure_tags = TR_TAG_WALKABLE;
    tr_voxels a = slice(soft, &request), b = slice(gl, &request);
    difference d = compare(&a, &b);
    CHECK_INT(d.cells, 0);
    CHECK_INT(d.tops, 0);
    CHECK(d.compared > 1000);
    CHECK_INT(drawing.emitted, 2); // once by each
    uint32_t taken[6] = {0};
    request.take = count_tile, request.user = taken;
    tr_cells region = {40, 31, 41, 33};
    request.region = region;
    CHECK_INT(tr_voxels_draw(gl, &request, NULL), TR_OK);
    for (int i = 0; i < 6; i++)
        CHECK_INT(taken[i], i == 1 || i == 4);
    drawing.corners[3].x = 99; // outside its bounds
    tr_error error;
    CHECK_INT(tr_voxels_draw(gl, &request, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "outside its bounds");
    drawing.corners[3] = drawing.corners[0];
    CHECK_INT(tr_voxels_draw(gl, &request, NULL), TR_OK); // and it goes on
    tr_voxels_destroy(NULL, &a);
    tr_voxels_destroy(NULL, &b);
    tr_scene_destroy(scene);
    tr_raster_destroy(gl);
    tr_raster_destroy(soft);
}
