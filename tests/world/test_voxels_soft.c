// Slicing with `soft` against exact arithmetic: no cell missed, none set that nothing comes near, and tops
// where brute force finds them.
#include "voxels_oracle.h"
#include "troupe/world/sample.h"

// [first, last] of the numbers in [0, count) whose interval, a little larger, a triangle can touch.
static void numbers_under(int64_t triangle[3][3], int axis, int64_t begin, int64_t size, int64_t count,
                          int64_t *first, int64_t *last) {
    int64_t low = INT64_MAX, high = INT64_MIN;
    for (int k = 0; k < 3; k++) {
        low = triangle[k][axis] < low ? triangle[k][axis] : low;
        high = triangle[k][axis] > high ? triangle[k][axis] : high;
    }
    *first = (low - begin + 1000 * size) / size - 1000 - 1;
    *last = (high - begin + 1000 * size) / size - 1000 + 1;
    *first = *first < 0 ? 0 : *first;
    *last = *last >= count ? count - 1 : *last;
}

static uint8_t expected[VOXEL_ROWS][VOXEL_COLUMNS][VOXEL_LAYERS]; // 1: may be set, 3: must be

static void expect_triangle(int64_t triangle[3][3]) {
    int64_t c0, c1, k0, k1, r0, r1;
    numbers_under(triangle, 0, VOXEL_FIRST_X, VOXEL_CELL, VOXEL_COLUMNS, &c0, &c1);
    numbers_under(triangle, 1, VOXEL_FIRST_Y, VOXEL_LAYER, VOXEL_LAYERS, &k0, &k1);
    numbers_under(triangle, 2, VOXEL_FIRST_Z, VOXEL_CELL, VOXEL_ROWS, &r0, &r1);
    for (int64_t row = r0; row <= r1; row++)
        for (int64_t column = c0; column <= c1; column++)
            for (int64_t layer = k0; layer <= k1; layer++) {
                uint8_t *cell = &expected[row][column][layer];
                uint32_t c = (uint32_t)column, k = (uint32_t)layer, r = (uint32_t)row;
                if (*cell == 3 || !voxel_touches(triangle, c, k, r, true))
                    continue;
                *cell |= voxel_touches(triangle, c, k, r, false) ? 3 : 1;
            }
}

typedef struct tally {
    uint64_t set, by_slack, tops, stands;
} tally;

// Is the kept height (of `steps` in a layer) between what the cell itself has and what the slack may add?
static bool is_top(const tr_voxel_grid *grid, double height, double tight, double loose, double steps) {
    double rounding = 1e-6 * grid->layer * grid->layers;
    return height >= tight - rounding && height <= loose + grid->layer / steps + rounding;
}

static void check_top(const tr_voxels *voxels, int64_t (*triangles)[3][3], uint32_t count, uint32_t column,
                      uint32_t layer, uint32_t row, tally *all) {
    const tr_voxel_grid *grid = &voxels->grid;
    double tight[3][2], loose[3][2], top[2] = {-INFINITY, -INFINITY}, stand[2] = {-INFINITY, -INFINITY};
    voxel_cell_box(grid, column, layer, row, 0, 0, tight);
    voxel_cell_box(grid, column, layer, row, 1.0 / 256, 1.0 / 256, loose);
    for (uint32_t i = 0; i < count; i++) {
        double t[3][3];
        for (int k = 0; k < 9; k++)
            t[k / 3][k % 3] = (double)triangles[i][k / 3][k % 3] * VOXEL_UNIT;
        double heights[2] = {voxel_highest(t, tight), voxel_highest(t, loose)};
        bool stands = voxel_cosine(t) > 0.707106;
        for (int k = 0; k < 2; k++) {
            top[k] = fmax(top[k], heights[k]);
            stand[k] = stands ? fmax(stand[k], heights[k]) : stand[k];
        }
    }
    tr_voxel_top kept = voxels->tops[(size_t)tr_voxels_column(voxels, column, row) * VOXEL_LAYERS + layer];
    double bottom = grid->bottom + (double)layer * grid->layer;
    if (!is_top(grid, bottom + kept.top * (double)grid->layer / 65535, top[0], top[1], 65535))
        test_failed(__FILE__, __LINE__, "cell (%u, %u, %u) has top %u, not %g to %g", column, layer, row,
                    kept.top, top[0], top[1]);
    if (kept.stand == 0) {
        CHECK(stand[0] == -INFINITY);
        return;
    }
    double height = bottom + ((kept.stand >> 1) - 1) * (double)grid->layer / 32766;
    if (!is_top(grid, height, stand[0], stand[1], 32766))
        test_failed(__FILE__, __LINE__, "cell (%u, %u, %u) has stand %u, not %g to %g", column, layer, row,
                    kept.stand, stand[0], stand[1]);
    CHECK_INT(kept.stand & 1, 1); // the scene's object has the sure tag
    all->stands++;
}

static void check_voxels(const tr_voxels *voxels, int64_t (*triangles)[3][3], uint32_t count, bool with_tops,
                         tally *all) {
    memset(expected, 0, sizeof expected);
    for (uint32_t i = 0; i < count; i++)
        expect_triangle(triangles[i]);
    for (uint32_t row = 0; row < VOXEL_ROWS; row++)
        for (uint32_t column = 0; column < VOXEL_COLUMNS; column++)
            for (uint32_t layer = 0; layer < VOXEL_LAYERS; layer++) {
                bool set = tr_voxels_get(voxels, column, layer, row);
                uint8_t cell = expected[row][column][layer];
                if (set ? cell == 0 : cell == 3)
                    test_failed(__FILE__, __LINE__, "cell (%u, %u, %u) is %s", column, layer, row,
                                set ? "set, and nothing is near" : "touched, and not set");
                if (!set)
                    continue;
                all->set++;
                all->by_slack += cell == 1;
                bool covered = layer + 1 < VOXEL_LAYERS && tr_voxels_get(voxels, column, layer + 1, row);
                if (!with_tops || covered)
                    continue;
                check_top(voxels, triangles, count, column, layer, row, all);
                all->tops++;
            }
}

static tally slice_at_random(uint64_t seed, int trials, uint32_t most, bool with_tops) {
    tally all = {0, 0, 0, 0};
    tr_random random = tr_random_seed(seed);
    tr_voxel_grid grid = voxel_exact_grid();
    tr_raster *raster = little_raster(0);
    for (int trial = 0; trial < trials && raster; trial++) {
        int64_t triangles[64][3][3];
        uint32_t count = most > 1 ? 1 + tr_random_below(&random, most) : 1;
        for (uint32_t i = 0; i < count; i++)
            voxel_random_triangle(&random, triangles[i]);
        tr_scene *scene = voxel_scene(triangles, count, TR_TAG_WALKABLE);
        tr_voxels_request request = voxel_request(scene, &grid);
        request.sure_tags = TR_TAG_WALKABLE;
        tr_voxels voxels;
        CHECK_INT(tr_voxels_make(raster, &request, with_tops, NULL, &voxels, NULL), TR_OK);
        check_voxels(&voxels, triangles, count, with_tops, &all);
        tr_voxels_destroy(NULL, &voxels);
        tr_scene_destroy(scene);
    }
    tr_raster_destroy(raster);
    return all;
}

TEST(no_cell_is_missed_on_2000_random_and_degenerate_triangles) {
    tally all = slice_at_random(1, 2000, 1, false);
    CHECK(all.set > 100000);
    CHECK(all.by_slack * 20 < all.set); // few cells are set by the slack alone
}

TEST(many_triangles_in_a_scene_are_sliced_like_each_of_them) {
    tally all = slice_at_random(2, 60, 64, false);
    CHECK(all.set > 50000);
}

TEST(tops_are_the_highest_points_inside_their_cells) {
    tally all = slice_at_random(3, 500, 1, true);
    CHECK(all.tops > 5000);
    CHECK(all.stands > 1000);
}

TEST(tops_of_many_triangles_are_those_of_the_highest) {
    tally all = slice_at_random(4, 30, 24, true);
    CHECK(all.tops > 2000);
    CHECK(all.stands > 500);
}
