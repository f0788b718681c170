// Geometry much larger than the grid, and far from it: floats alone would lose cells.
#include "world/little.h"
#include "world/oracle.h"

#define TRIANGLES 400
#define LARGE 8 // the first few; the others follow in the order given, eight to a block

// One mesh with a small patch of triangles about the grid and a few far out: a landscape that a small grid
// looks at. As crumbs, each eight triangles lie in one spot on the grid's border, where a whole block is
// easily left out.
static tr_vec3 choose_spot(tr_random *random, float side, bool crumbs) {
    tr_vec3 spot = {tr_random_between(random, -0.02f, side + 0.02f), 0,
                    tr_random_between(random, -0.02f, side + 0.02f)};
    float border = (tr_random_below(random, 2) ? side : 0) + tr_random_between(random, -0.001f, 0.001f);
    if (crumbs && tr_random_below(random, 2))
        spot.x = border;
    else if (crumbs)
        spot.z = border;
    return spot;
}

static tr_scene *make_landscape(tr_random *random, float size, float side, bool crumbs, tr_vec3 away) {
    static tr_vec3 positions[3 * TRIANGLES];
    static uint32_t indices[3 * TRIANGLES];
    tr_vec3 spot = {0, 0, 0};
    float spread = crumbs ? 0.0001f : 0.2f;
    for (uint32_t i = 0; i < 3 * TRIANGLES; i++) {
        tr_vec3 p = {tr_random_between(random, -spread, spread), tr_random_between(random, 0, 2),
                     tr_random_between(random, -spread, spread)};
        if (i % (crumbs ? 3 * 8 : 3) == 0)
            spot = choose_spot(random, side, crumbs);
        p = tr_vec3_add(p, spot);
        if (i < 3 * LARGE) // over the grid, or with crumbs, which they would hide, to one side of it
            p.x = tr_random_between(random, crumbs ? size / 2 : -size, size),
            p.z = tr_random_between(random, -size, size);
        positions[i] = tr_vec3_add(p, away);
        indices[i] = i;
    }
    tr_scene *scene = NULL;
    uint32_t mesh;
    tr_mesh_def def = {NULL, positions, 3 * TRIANGLES, indices, TRIANGLES};
    if (tr_scene_create(NULL, &scene) == TR_OK && tr_scene_add_mesh(scene, &def, &mesh, NULL) == TR_OK)
        little_object(scene, mesh, little_move(-away.x, -away.y, -away.z), 0);
    return scene;
}

TEST(a_mesh_much_larger_than_the_grid_loses_no_cell) {
    tr_random random = tr_random_seed(21);
    tr_raster *raster = little_raster(0);
    tr_bitmap drawn, must, may;
    REQUIRE(raster && tr_bitmap_create(NULL, 60, 60, &drawn) == TR_OK &&
            tr_bitmap_create(NULL, 60, 60, &must) == TR_OK && tr_bitmap_create(NULL, 60, 60, &may) == TR_OK);
    uint32_t missed = 0, invented = 0;
    for (int trial = 0; trial < 120; trial++) {
        const float sizes[] = {100, 3000, 50000, 1e6f};
        tr_vec3 away = {trial % 3 ? 0 : tr_random_between(&random, 2000, 30000), 0,
                        trial % 3 == 1 ? tr_random_between(&random, -9000, -1000) : 0};
        tr_grid grid = {{0, 0}, trial % 2 ? 0.05f : 0.0113f, 60, 60};
        tr_scene *scene = make_landscape(&random, sizes[trial % 4], 60 * grid.cell, trial % 8 < 4, away);
        tr_raster_request request = little_request(scene, &grid, &drawn);
        tr_bitmap_clear(&must);
        tr_bitmap_clear(&may);
        CHECK_INT(tr_raster_draw(raster, &request, NULL), TR_OK);
        oracle_draw(scene, &grid, &request.band, &must, &may);
        for (uint32_t row = 0; row < 60; row++)
            for (uint32_t column = 0; column < 60; column++) {
                bool set = tr_bitmap_get(&drawn, column, row);
                missed += tr_bitmap_get(&must, column, row) && !set;
                invented += set && !tr_bitmap_get(&may, column, row);
            }
        tr_scene_destroy(scene);
    }
    CHECK_INT(missed, 0);
    CHECK_INT(invented, 0);
    tr_bitmap_destroy(NULL, &drawn);
    tr_bitmap_destroy(NULL, &must);
    tr_bitmap_destroy(NULL, &may);
    tr_raster_destroy(raster);
}

// A flat mesh may have any scale across its plane, and a speck may be blown up: numbers that no float holds
// once they are counted in cells. Many triangles, so that there are blocks with boxes of their own.
TEST(a_placement_beyond_floats_loses_no_cell) {
    tr_vec3 positions[3 * 40];
    uint32_t indices[3 * 40];
    tr_raster *raster = little_raster(0);
    tr_grid grid = {{-1, -1}, 0.05f, 60, 60};
    tr_bitmap plain, odd;
    REQUIRE(raster && tr_bitmap_create(NULL, 60, 60, &plain) == TR_OK &&
            tr_bitmap_create(NULL, 60, 60, &odd) == TR_OK);
    for (int speck = 0; speck < 2; speck++) {
        float size = speck ? 0x1p-127f : 1; // a power of two: the corners of both scenes are the same
        tr_scene *scenes[2] = {NULL, NULL};
        for (int k = 0; k < 2; k++) {
            tr_random random = tr_random_seed(5);
            for (uint32_t i = 0; i < 3 * 40; i++) {
                float unit = k ? size : 1;
                positions[i] = tr_vec3_make(tr_random_between(&random, 0.5f, 1) * unit,
                                            tr_random_between(&random, 0.5f, 1) * unit, 0);
                indices[i] = i;
            }
            REQUIRE(tr_scene_create(NULL, &scenes[k]) == TR_OK);
            uint32_t mesh = TR_NONE;
            tr_mesh_def def = {NULL, positions, 3 * 40, indices, 40};
            CHECK_INT(tr_scene_add_mesh(scenes[k], &def, &mesh, NULL), TR_OK);
            tr_affine placement = tr_affine_identity();
            if (k && speck)
                placement.m[0][0] = placement.m[1][1] = 0x1p127f;
            else if (k)
                placement.m[0][2] = placement.m[2][2] = 1e38f;
            CHECK(little_object(scenes[k], mesh, placement, 0) != TR_NONE);
            tr_raster_request request = little_request(scenes[k], &grid, k ? &odd : &plain);
            CHECK_INT(tr_raster_draw(raster, &request, NULL), TR_OK);
        }
        CHECK(tr_bitmap_count(&plain) > 5);
        CHECK(tr_bitmap_equal(&plain, &odd));
        tr_scene_destroy(scenes[0]);
        tr_scene_destroy(scenes[1]);
    }
    tr_bitmap_destroy(NULL, &plain);
    tr_bitmap_destroy(NULL, &odd);
    tr_raster_destroy(raster);
}
