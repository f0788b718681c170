// Geometry much larger than the grid, and far from it: floats alone would lose cells.
#include "little.h"
#include "oracle.h"

// One mesh with a small patch of triangles at the origin and a few far out: a landscape that a small grid
// looks at.
static tr_scene *make_landscape(tr_random *random, float size, float patch, tr_vec3 away) {
    static tr_vec3 positions[3 * 200];
    static uint32_t indices[3 * 200];
    for (uint32_t i = 0; i < 3 * 200; i++) {
        float reach = i < 3 * 8 ? size : patch;
        tr_vec3 p = {tr_random_between(random, -reach, reach), tr_random_between(random, 0, 2),
                     tr_random_between(random, -reach, reach)};
        if (i % 3 && reach == patch) // small triangles
            p = tr_vec3_make(positions[i - 1].x + tr_random_between(random, -0.2f, 0.2f), p.y,
                             positions[i - 1].z + tr_random_between(random, -0.2f, 0.2f));
        positions[i] = tr_vec3_add(p, away);
        indices[i] = i;
    }
    tr_scene *scene = NULL;
    uint32_t mesh;
    tr_mesh_def def = {NULL, positions, 3 * 200, indices, 200};
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
        tr_vec3 away = {trial % 3 ? 0 : 3000.5f, 0, trial % 3 == 1 ? -20000 : 0};
        tr_scene *scene = make_landscape(&random, sizes[trial % 4], 3, away);
        tr_grid grid = {{-1.5f, -1.5f}, trial % 2 ? 0.05f : 0.0113f, 60, 60};
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
