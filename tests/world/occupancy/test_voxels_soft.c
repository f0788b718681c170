// Slicing with `soft` against exact arithmetic: no cell missed, none set that nothing comes near, and tops
// where brute force finds them.
#include "voxels_oracle.h"
#include "troupe/world/sample.h"

static voxel_tally slice_at_random(uint64_t seed, int trials, uint32_t most, bool with_tops) {
    voxel_tally all = {0, 0, 0, 0};
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
        voxel_check(&voxels, triangles, count, with_tops, &all);
        tr_voxels_destroy(NULL, &voxels);
        tr_scene_destroy(scene);
    }
    tr_raster_destroy(raster);
    return all;
}

TEST(no_cell_is_missed_on_1000_random_and_degenerate_triangles) {
    voxel_tally all = slice_at_random(1, 1000, 1, false);
    CHECK(all.set > 50000);
    CHECK(all.by_slack * 20 < all.set); // few cells are set by the slack alone
}

TEST(many_triangles_in_a_scene_are_sliced_like_each_of_them) {
    voxel_tally all = slice_at_random(2, 20, 64, false);
    CHECK(all.set > 50000);
}

TEST(tops_are_the_highest_points_inside_their_cells) {
    voxel_tally all = slice_at_random(3, 300, 1, true);
    CHECK(all.tops > 3000);
    CHECK(all.stands > 1000);
}

TEST(tops_of_many_triangles_are_those_of_the_highest) {
    voxel_tally all = slice_at_random(4, 18, 24, true);
    CHECK(all.tops > 2000);
    CHECK(all.stands > 500);
}

// A random affine map: turned any way, scaled, sheared a little, mirrored at times.
static tr_affine random_placement(tr_random *random, tr_vec3 around) {
    tr_transform t = tr_transform_identity();
    float v[7];
    for (int i = 0; i < 7; i++)
        v[i] = tr_random_between(random, -1, 1);
    t.position = around;
    t.rotation = tr_quat_about(tr_vec3_make(v[0], v[1], v[2]), 7 * v[3]);
    t.scale = tr_vec3_make(1.1f + v[4], 2 * v[5], 1.1f + v[6]);
    tr_affine a = tr_affine_from_transform(t);
    a.m[0][1] += 0.2f * v[0];
    return a;
}

// 32 triangles with corners up to `size` from the mesh's origin.
static uint32_t random_mesh(tr_random *random, tr_scene *scene, float size) {
    tr_vec3 positions[96];
    uint32_t indices[96], mesh = TR_NONE;
    for (uint32_t i = 0; i < 96; i++) {
        float x = tr_random_between(random, -size, size), y = tr_random_between(random, -size, size);
        positions[i] = tr_vec3_make(x, y, tr_random_between(random, -size, size));
        indices[i] = tr_random_below(random, 96);
    }
    tr_mesh_def def = {
        .positions = positions, .position_count = 96, .indices = indices, .triangle_count = 32};
    CHECK_INT(tr_scene_add_mesh(scene, &def, &mesh, NULL), TR_OK);
    return mesh;
}

static void check_slice(const tr_scene *scene, const tr_voxel_grid *grid) {
    tr_raster *raster = little_raster(0);
    REQUIRE(raster);
    tr_voxels_request request = voxel_request(scene, grid);
    tr_voxels voxels;
    REQUIRE(tr_voxels_make(raster, &request, false, NULL, &voxels, NULL) == TR_OK);
    CHECK(tr_voxels_count(&voxels) > 0);
    voxel_check_scene(&voxels, scene);
    tr_voxels_destroy(NULL, &voxels);
    tr_raster_destroy(raster);
}

TEST(turned_scaled_and_far_away_objects_are_sliced_within_the_slack) {
    tr_random random = tr_random_seed(5);
    for (int trial = 0; trial < 24; trial++) {
        float far = trial % 3 == 0 ? 5000.0f : trial % 3 == 1 ? -300.0f : 0.0f;
        float cell = tr_random_between(&random, 0.05f, 0.4f);
        tr_voxel_grid grid = {{{far, far}, far == 5000.0f ? fmaxf(cell, 0.1f) : cell, 45, 40},
                              far / 20,
                              tr_random_between(&random, 0.02f, 0.3f),
                              40};
        tr_scene *scene;
        REQUIRE(tr_scene_create(NULL, &scene) == TR_OK);
        uint32_t mesh = random_mesh(&random, scene, 1);
        for (int i = 0; i < 4; i++) {
            float x = far + tr_random_between(&random, 0, 45 * grid.grid.cell),
                  y = grid.bottom + tr_random_between(&random, 0, 40 * grid.layer);
            tr_vec3 around = {x, y, far + tr_random_between(&random, 0, 40 * grid.grid.cell)};
            little_object(scene, mesh, random_placement(&random, around), 0);
        }
        check_slice(scene, &grid);
        tr_scene_destroy(scene);
    }
}

// A mesh of 20 km with small triangles in it: floats about its centre would be off by more than a cell.
TEST(small_triangles_of_a_huge_mesh_lose_nothing) {
    tr_random random = tr_random_seed(6);
    for (int trial = 0; trial < 5; trial++) {
        tr_voxel_grid grid = {{{9000, -7000}, 0.05f, 40, 40}, 101, 0.05f, 60};
        tr_vec3 positions[3 * 64];
        uint32_t indices[3 * 64], mesh;
        for (uint32_t i = 0; i < 3 * 64; i++) {
            // In every other trial blocks of small triangles, which floats can place about their own middle.
            float spread = trial % 2 && i / 3 % 4 == 0 ? 2 : 0.1f, height = trial % 2 ? 3 : 0.5f;
            if (i % 3 == 0) {
                float x = 9000 + tr_random_between(&random, 0, 2),
                      y = 101 + tr_random_between(&random, 0, height);
                positions[i] = tr_vec3_make(x, y, -7000 + tr_random_between(&random, 0, 2));
            } else {
                float x = tr_random_between(&random, -spread, spread),
                      y = tr_random_between(&random, -spread, spread);
                tr_vec3 off = tr_vec3_make(x, y, tr_random_between(&random, -spread, spread));
                positions[i] = tr_vec3_add(positions[i / 3 * 3], off);
            }
            indices[i] = i;
        }
        for (int k = 0; k < 3; k++) // and one far away, one that reaches over everything
            positions[k] = tr_vec3_make(-9000, 0, 8000);
        if (trial % 2) {
            positions[3] = tr_vec3_make(-9000, 90, 8000);
            positions[4] = tr_vec3_make(30000, 104, 9000);
            positions[5] = tr_vec3_make(8000, 110, -30000);
        }
        tr_scene *scene;
        REQUIRE(tr_scene_create(NULL, &scene) == TR_OK);
        tr_mesh_def def = {
            .positions = positions, .position_count = 192, .indices = indices, .triangle_count = 64};
        REQUIRE(tr_scene_add_mesh(scene, &def, &mesh, NULL) == TR_OK);
        little_object(scene, mesh, tr_affine_identity(), 0);
        check_slice(scene, &grid);
        tr_scene_destroy(scene);
    }
}

TEST(every_sample_scene_is_sliced_as_exact_arithmetic_says) {
    for (uint32_t i = 0; i < tr_sample_count(); i++) {
        tr_sample sample;
        tr_sample_def def = {.name = tr_sample_name(i)};
        REQUIRE(tr_sample_make(&def, &sample, NULL) == TR_OK);
        tr_box box = tr_scene_bounds(sample.scene);
        tr_voxel_grid grid;
        float side = fmaxf(box.max.x - box.min.x, box.max.z - box.min.z);
        REQUIRE(tr_voxel_grid_cover(box, side / 50, (box.max.y - box.min.y) / 25 + 0.01f, 0, 0, &grid,
                                    NULL) == TR_OK);
        check_slice(sample.scene, &grid);
        tr_scene_destroy(sample.scene);
    }
}
