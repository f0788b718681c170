// Surfaces of random scenes against the slow way, built and updated, for any team.
#include "surface_oracle.h"

static tr_raster *raster_with(tr_tasks *tasks) {
    tr_raster_def def = {.backend = TR_RASTER_SOFT, .tasks = tasks};
    tr_raster *raster = NULL;
    CHECK_INT(tr_raster_create(&def, &raster, NULL), TR_OK);
    return raster;
}

// Cells are counted tile after tile, column after column, and can be found by their number.
static void check_numbers(const tr_surface *surface, tr_random *random) {
    const tr_grid *grid = &tr_surface_grid(surface)->grid;
    uint32_t next = 0;
    for (uint32_t tile = 0; tile < tr_voxels_tile_columns(grid) * tr_voxels_tile_rows(grid); tile++)
        for (uint32_t i = 0; i < TR_VOXEL_TILE * TR_VOXEL_TILE; i++) {
            uint32_t column = tile % tr_voxels_tile_columns(grid) * TR_VOXEL_TILE + i % TR_VOXEL_TILE,
                     row = tile / tr_voxels_tile_columns(grid) * TR_VOXEL_TILE + i / TR_VOXEL_TILE;
            if (column >= grid->columns || row >= grid->rows)
                continue;
            tr_surface_column cells = tr_surface_at(surface, column, row);
            if (cells.count && cells.first != next) {
                CHECK_INT(cells.first, next);
                return;
            }
            next += cells.count;
        }
    CHECK_INT(next, tr_surface_cell_count(surface));
    for (uint32_t i = 0; i < 20 && next; i++) {
        uint32_t cell = tr_random_below(random, next);
        tr_surface_place place = tr_surface_find(surface, cell);
        tr_surface_column cells = tr_surface_at(surface, place.column, place.row);
        CHECK(place.cell == cell && cell >= cells.first && cell < cells.first + cells.count);
    }
    CHECK_INT(tr_surface_find(surface, next).cell, TR_NONE);
}

static void check_scenes(uint64_t seed, uint32_t scenes, uint32_t side, tr_tasks *tasks) {
    tr_random random = tr_random_seed(seed);
    tr_raster *raster = raster_with(tasks);
    bool agree = true;
    for (uint32_t i = 0; i < scenes && agree; i++) {
        tr_surface_def def = oracle_def(&random, side);
        uint32_t things = tr_random_below(&random, 12);
        tr_scene *scene = oracle_scene(&random, oracle_size(&def), things);
        tr_surface *surface = NULL;
        CHECK_INT(tr_surface_create(&def, &surface, NULL), TR_OK);
        CHECK_INT(tr_surface_build(surface, raster, scene, NULL), TR_OK);
        surface_oracle oracle = oracle_make(&def, raster, scene);
        agree = oracle_agrees(&oracle, surface);
        if (!agree)
            test_failed(__FILE__, __LINE__, "scene %u of seed %" PRIu64, i, seed);
        check_numbers(surface, &random);
        oracle_destroy(&oracle);
        tr_surface_destroy(surface);
        tr_scene_destroy(scene);
    }
    tr_raster_destroy(raster);
}

TEST(thousands_of_little_scenes_have_the_surface_of_their_dense_grid) {
    check_scenes(1, 2000, 9, NULL);
}

TEST(scenes_of_several_tiles_have_the_surface_of_their_dense_grid) {
    check_scenes(2, 12, 80, NULL);
}

TEST(a_team_finds_the_same_surface) {
    tr_tasks *tasks = NULL;
    REQUIRE(tr_tasks_create(NULL, 3, &tasks, NULL) == TR_OK);
    check_scenes(2, 8, 80, tasks);
    tr_tasks_destroy(tasks);
}

// Move, turn, tag, remove and add things.
static void change_scene(tr_scene *scene, tr_random *random, tr_vec3 size) {
    uint32_t changes = tr_random_below(random, 4);
    for (uint32_t i = 0; i < changes; i++) {
        uint32_t object = tr_random_below(random, tr_scene_object_count(scene));
        float x = tr_random_between(random, -1, 1), y = tr_random_between(random, -0.5f, 0.5f),
              z = tr_random_between(random, -1, 1);
        double heading = tr_random_between(random, -3, 3);
        tr_affine placement = tr_affine_place(tr_vec3_make(x, y, z), heading * 0.05);
        uint32_t what = tr_random_below(random, 8);
        if (what == 0)
            tr_scene_remove_object(scene, object);
        else if (what == 1)
            tr_scene_set_tags(scene, object, tr_random_below(random, 2) ? TR_TAG_NO_STEP : TR_TAG_WALKABLE);
        else if (what == 2)
            oracle_thing(scene, random, size);
        else
            tr_scene_place(scene, object, &placement);
    }
}

static bool same_surface(const tr_surface *a, const tr_surface *b, tr_cells changed,
                         const tr_surface *before) {
    const tr_grid *grid = &tr_surface_grid(a)->grid;
    for (uint32_t i = 0; i < grid->columns * grid->rows; i++) {
        uint32_t column = i % grid->columns, row = i / grid->columns;
        tr_surface_column x = tr_surface_at(a, column, row), y = tr_surface_at(b, column, row),
                          old = tr_surface_at(before, column, row);
        bool same = x.first == y.first && x.count == y.count &&
                    !memcmp(x.heights, y.heights, x.count * sizeof *x.heights) &&
                    !memcmp(x.rooms, y.rooms, x.count);
        bool stayed = x.count == old.count && !memcmp(x.heights, old.heights, x.count * sizeof *x.heights) &&
                      !memcmp(x.rooms, old.rooms, x.count);
        if (!same || (!stayed && !little_is_inside(changed, column, row))) {
            test_failed(__FILE__, __LINE__, "column %u row %u: %s", column, row,
                        same ? "changed and not told" : "not as after a build");
            return false;
        }
    }
    return tr_surface_cell_count(a) == tr_surface_cell_count(b);
}

static void check_updates(uint64_t seed, uint32_t scenes, uint32_t side, uint32_t things) {
    tr_random random = tr_random_seed(seed);
    tr_raster *raster = raster_with(NULL);
    bool agree = true;
    for (uint32_t i = 0; i < scenes && agree; i++) {
        tr_surface_def def = oracle_def(&random, side);
        tr_vec3 size = oracle_size(&def);
        tr_scene *scene = oracle_scene(&random, size, things);
        tr_surface *updated = NULL, *built = NULL, *before = NULL;
        CHECK_INT(tr_surface_create(&def, &updated, NULL), TR_OK);
        CHECK_INT(tr_surface_create(&def, &built, NULL), TR_OK);
        CHECK_INT(tr_surface_create(&def, &before, NULL), TR_OK);
        for (uint32_t step = 0; step < 8 && agree; step++) {
            tr_cells changed;
            uint64_t revision = tr_surface_revision(updated);
            CHECK_INT(tr_surface_update(updated, raster, scene, &changed, NULL), TR_OK);
            CHECK_INT(tr_surface_build(built, raster, scene, NULL), TR_OK);
            agree = same_surface(updated, built, changed, before);
            bool redone = changed.column_begin < changed.column_end;
            CHECK(redone == (tr_surface_revision(updated) > revision));
            CHECK_INT(tr_surface_build(before, raster, scene, NULL), TR_OK);
            change_scene(scene, &random, size);
        }
        if (!agree)
            test_failed(__FILE__, __LINE__, "scene %u of seed %" PRIu64, i, seed);
        tr_surface_destroy(updated);
        tr_surface_destroy(built);
        tr_surface_destroy(before);
        tr_scene_destroy(scene);
    }
    tr_raster_destroy(raster);
}

TEST(an_update_after_random_moves_is_a_build) {
    check_updates(3, 14, 150, 8);
}

TEST(an_update_of_a_crowded_scene_is_a_build) {
    check_updates(4, 4, 120, 40);
}

// The nearest, and what one falls onto, found by looking at every cell.
static void check_queries(const tr_surface *surface, const surface_oracle *oracle, tr_vec3 point, float reach,
                          float room) {
    const tr_voxel_grid *grid = tr_surface_grid(surface);
    double best = (double)reach * reach, fall = -INFINITY;
    uint32_t nearest = TR_NONE, below = TR_NONE, column = TR_NONE, row = TR_NONE;
    tr_grid_find(&grid->grid, (tr_vec2){point.x, point.z}, &column, &row);
    for (uint32_t i = 0; i < oracle->count; i++) {
        const oracle_cell *cell = &oracle->cells[i];
        if (cell->kind < TR_SURFACE_STAND)
            continue;
        uint32_t index = i - oracle->first[cell->row * oracle->columns + cell->column];
        uint32_t number = tr_surface_at(surface, cell->column, cell->row).first + index;
        double unit = tr_surface_scale_of(surface).unit;
        double x = grid->grid.origin.x + (cell->column + 0.5) * grid->grid.cell - point.x,
               y = grid->bottom + cell->height * unit - point.y,
               z = grid->grid.origin.z + (cell->row + 0.5) * grid->grid.cell - point.z;
        double distance = x * x + y * y + z * z;
        if (cell->room >= tr_surface_room(surface, room) &&
            (distance < best || (distance == best && number < nearest)))
            best = distance, nearest = number;
        if (cell->column == column && cell->row == row && y <= 0.1f + unit && cell->height > fall)
            fall = cell->height, below = number;
    }
    CHECK_INT(tr_surface_nearest(surface, point, reach, room).cell, nearest);
    CHECK_INT(tr_surface_drop(surface, point, 0.1f).cell, below);
}

TEST(the_nearest_cell_and_the_one_below_are_found_wherever_one_asks) {
    tr_random random = tr_random_seed(5);
    tr_raster *raster = raster_with(NULL);
    for (uint32_t i = 0; i < 30; i++) {
        tr_surface_def def = oracle_def(&random, 70);
        tr_vec3 size = oracle_size(&def);
        tr_scene *scene = oracle_scene(&random, size, 9);
        tr_surface *surface = NULL;
        CHECK_INT(tr_surface_create(&def, &surface, NULL), TR_OK);
        CHECK_INT(tr_surface_build(surface, raster, scene, NULL), TR_OK);
        surface_oracle oracle = oracle_make(&def, raster, scene);
        for (uint32_t k = 0; k < 60; k++) {
            tr_vec3 point;
            point.x = tr_random_between(&random, -2, size.x + 2);
            point.y = tr_random_between(&random, -2, size.y + 2);
            point.z = tr_random_between(&random, -2, size.z + 2);
            if (k % 4 == 0) // on the borders of cells, of tiles and of the grid
                point.x = def.grid.grid.cell * (float)tr_random_below(&random, def.grid.grid.columns + 1),
                point.z = def.grid.grid.cell * (float)tr_random_below(&random, def.grid.grid.rows + 1);
            float reach = k % 5 == 0 ? INFINITY : tr_random_between(&random, 0, 4);
            check_queries(surface, &oracle, point, reach, tr_random_between(&random, 0, 2));
        }
        oracle_destroy(&oracle);
        tr_surface_destroy(surface);
        tr_scene_destroy(scene);
    }
    tr_raster_destroy(raster);
}
