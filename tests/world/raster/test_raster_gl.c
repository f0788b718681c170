#include "world/little.h"
#include "world/nearest.h"
#include "world/open_gl.h"
#include "troupe/world/occupancy.h"
#include "troupe/world/sample.h"

#include <stdlib.h>

typedef struct planes {
    tr_bitmap occupied, widened, other;
    float *floor, *overhang;
} planes;

static planes make_planes(const tr_grid *grid) {
    planes made = {.floor = malloc(sizeof(float) * grid->columns * grid->rows),
                   .overhang = malloc(sizeof(float) * grid->columns * grid->rows)};
    CHECK_INT(tr_bitmap_create(NULL, grid->columns, grid->rows, &made.occupied), TR_OK);
    CHECK_INT(tr_bitmap_create(NULL, grid->columns, grid->rows, &made.widened), TR_OK);
    CHECK_INT(tr_bitmap_create(NULL, grid->columns, grid->rows, &made.other), TR_OK);
    return made;
}

static void release_planes(planes *made) {
    free(made->floor);
    free(made->overhang);
    tr_bitmap_destroy(NULL, &made->occupied);
    tr_bitmap_destroy(NULL, &made->widened);
    tr_bitmap_destroy(NULL, &made->other);
}

// Nothing that is touched is missing; what is set has geometry within the slack; the same for the widened
// cells.
static void check_cells(const tr_raster_request *request) {
    const tr_grid *grid = &request->grid;
    double slack = tr_raster_slack(grid),
           radius = request->widened ? (double)request->radius / grid->cell : 0;
    nearest_map map = nearest_measure(request->scene, grid, &request->band, radius + 1, 0);
    for (uint32_t row = 0; row < grid->rows; row++)
        for (uint32_t column = 0; column < grid->columns; column++) {
            double exact = map.exact[(size_t)row * grid->columns + column];
            double loose = map.loose[(size_t)row * grid->columns + column];
            if (request->occupied) {
                bool set = tr_bitmap_get(request->occupied, column, row);
                if (set ? loose > slack : exact == 0)
                    test_failed(__FILE__, __LINE__, "cell (%u, %u) is %s, the scene is %g cells away", column,
                                row, set ? "set" : "not set", set ? loose : exact);
            }
            if (request->widened) {
                bool set = tr_bitmap_get(request->widened, column, row);
                if (set ? loose > radius + slack : exact < radius - slack || exact == 0)
                    test_failed(__FILE__, __LINE__,
                                "cell (%u, %u) is %s, the scene is %g cells away, the radius %g", column, row,
                                set ? "widened" : "not widened", set ? loose : exact, radius);
            }
        }
    nearest_release(&map);
}

// Where the back ends differ, geometry is near but does not touch. `soft` takes the slack along x and z each,
// and rounds heights to floats.
static void check_same_but_for_the_slack(const tr_raster_request *gl, const tr_raster_request *soft) {
    const tr_grid *grid = &gl->grid;
    nearest_map map = nearest_measure(gl->scene, grid, &gl->band, 1, 4e-6);
    for (uint32_t row = 0; row < grid->rows; row++)
        for (uint32_t column = 0; column < grid->columns; column++) {
            size_t cell = (size_t)row * grid->columns + column;
            bool differ =
                tr_bitmap_get(gl->occupied, column, row) != tr_bitmap_get(soft->occupied, column, row);
            if (differ && !(map.exact[cell] > 0 && map.loose[cell] <= 1.4143 * tr_raster_slack(grid)))
                test_failed(__FILE__, __LINE__, "soft and gl differ in cell (%u, %u), %g cells off", column,
                            row, map.exact[cell]);
        }
    nearest_release(&map);
}

// Growing the finished cells and widening while drawing differ by the cell that geometry lies in.
static void check_against_growth(const tr_raster_request *request, tr_bitmap *grown) {
    double radius = (double)request->radius / request->grid.cell;
    size_t words = tr_occupancy_grow_scratch(request->grid.columns, radius);
    uint64_t *scratch = malloc((words + 1) * sizeof *scratch);
    tr_bitmap_clear(grown);
    CHECK_INT(tr_occupancy_grow(request->occupied, grown, TR_GROWTH_SAFE, radius, tr_grid_all(&request->grid),
                                scratch, words),
              TR_OK);
    free(scratch);
    int32_t columns = (int32_t)request->grid.columns, rows = (int32_t)request->grid.rows;
    int32_t border =
        (int32_t)ceil(radius) + 1; // what lies outside the grid has no cell to grow, but is widened
    for (int32_t row = border; row < rows - border; row++)
        for (int32_t column = border; column < columns - border; column++) {
            bool near = false;
            for (int k = 0; k < 9; k++)
                near |= tr_bitmap_get(request->widened, (uint32_t)(column + k % 3 - 1),
                                      (uint32_t)(row + k / 3 - 1));
            bool is_grown = tr_bitmap_get(grown, (uint32_t)column, (uint32_t)row);
            if (is_grown ? !near : tr_bitmap_get(request->widened, (uint32_t)column, (uint32_t)row))
                test_failed(__FILE__, __LINE__, "cell (%d, %d) is %s", column, row,
                            is_grown ? "grown, and none around it is widened" : "widened and not grown");
        }
}

static void compare_on_grid(tr_raster *gl, tr_raster *soft, const tr_sample *sample, uint32_t cells,
                            float low, float high) {
    tr_grid grid;
    REQUIRE(tr_grid_divide(sample->ground, cells, &grid, NULL) == TR_OK);
    planes by_gl = make_planes(&grid), by_soft = make_planes(&grid);
    tr_raster_request request = little_request(sample->scene, &grid, &by_gl.occupied);
    request.band.low = sample->ground.min.y + low;
    request.band.high = sample->ground.min.y + high;
    tr_raster_request other = request;
    request.widened = &by_gl.widened;
    request.radius = 2.3f * grid.cell; // no two cells are nearly so far apart: 2.236 and 2.828 are the next
    other.occupied = &by_soft.occupied;
    tr_error error = {0};
    CHECK_INT(tr_raster_draw(gl, &request, &error), TR_OK);
    CHECK_TEXT(error.message, "");
    CHECK_INT(tr_raster_draw(soft, &other, NULL), TR_OK);
    check_cells(&request);
    check_same_but_for_the_slack(&request, &other);
    check_against_growth(&request, &by_gl.other);
    release_planes(&by_gl);
    release_planes(&by_soft);
}

// Scenes made for scale take minutes where OpenGL is a program; what they show, the others show too.
static bool is_for_scale(tr_sample *sample) {
    if (tr_scene_triangle_count(sample->scene) < 100000)
        return false;
    tr_scene_destroy(sample->scene);
    return true;
}

TEST(every_sample_scene_has_the_same_cells_as_soft_and_exact_arithmetic) {
    tr_raster *gl = open_gl(NULL), *soft = little_raster(0);
    for (uint32_t i = 0; gl && i < tr_sample_count(); i++) {
        tr_sample sample;
        tr_sample_def def = {.name = tr_sample_name(i)};
        REQUIRE(tr_sample_make(&def, &sample, NULL) == TR_OK);
        if (is_for_scale(&sample))
            continue;
        compare_on_grid(gl, soft, &sample, 37, 0.05f, 1.8f);
        compare_on_grid(gl, soft, &sample, 135, 0.05f, 1.8f);
        compare_on_grid(gl, soft, &sample, 90, 0.4f, 0.4f);
        if (sample.movable_count) {
            CHECK_INT(tr_sample_shuffle(&sample, 5), TR_OK);
            compare_on_grid(gl, soft, &sample, 100, 0.0f, 0.9f);
        }
        tr_scene_destroy(sample.scene);
    }
    tr_raster_destroy(gl);
    tr_raster_destroy(soft);
}

// Points, segments, slivers, upright and lying triangles, and corners on the borders of cells.
static void random_triangle(tr_random *random, tr_vec3 corner[3], float size) {
    for (int k = 0; k < 3; k++)
        corner[k] = tr_vec3_make(tr_random_between(random, -1, size), tr_random_between(random, -0.5f, 2.5f),
                                 tr_random_between(random, -1, size));
    uint32_t kind = tr_random_below(random, 8);
    if (kind == 0)
        corner[2] = corner[1] = corner[0];
    if (kind == 1)
        corner[2] = corner[1];
    if (kind == 2) // collinear
        corner[2] = tr_vec3_scale(tr_vec3_add(corner[0], corner[1]), 0.5f);
    if (kind == 3) // a sliver
        corner[2] = tr_vec3_add(corner[1], tr_vec3_make(1e-4f, 0, 0));
    if (kind == 4) // upright
        corner[2] = tr_vec3_make(corner[0].x, corner[1].y, corner[0].z);
    for (int k = 0; k < 3 && kind >= 5; k++) {
        corner[k].x = kind == 7 ? corner[k].x : floorf(corner[k].x * 4) / 4; // the border of a cell of 0.25
        corner[k].z = floorf(corner[k].z * 4) / 4;
        corner[k].y = kind == 6 ? 0.5f : corner[k].y;
    }
}

static tr_scene *random_scene(tr_random *random, uint32_t count, float size) {
    tr_vec3 *positions = malloc(sizeof *positions * 3 * count);
    uint32_t *indices = malloc(sizeof *indices * 3 * count);
    for (uint32_t i = 0; i < count; i++)
        random_triangle(random, &positions[3 * i], size);
    for (uint32_t i = 0; i < 3 * count; i++)
        indices[i] = i;
    tr_mesh_def def = {
        .positions = positions, .position_count = 3 * count, .indices = indices, .triangle_count = count};
    tr_scene *scene = NULL;
    uint32_t mesh = TR_NONE;
    CHECK_INT(tr_scene_create(NULL, &scene), TR_OK);
    CHECK_INT(tr_scene_add_mesh(scene, &def, &mesh, NULL), TR_OK);
    little_object(scene, mesh, tr_affine_identity(), 0);
    free(positions);
    free(indices);
    return scene;
}

TEST(no_cell_is_missed_or_invented_on_3000_random_and_degenerate_triangles) {
    tr_raster *gl = open_gl(NULL);
    tr_random random = tr_random_seed(11);
    for (int trial = 0; gl && trial < 300; trial++) {
        tr_scene *scene = random_scene(&random, 10, 10);
        tr_grid grid = {{0, 0}, 0.25f, 36, 31};
        planes made = make_planes(&grid);
        tr_raster_request request = little_request(scene, &grid, &made.occupied);
        request.band.low = trial % 3 == 0 ? 0.5f : 0.3f;
        request.band.high = trial % 3 == 1 ? 0.5f : 1.8f;
        request.widened = &made.widened;
        request.radius = trial % 5 == 0 ? 0 : tr_random_between(&random, 0.001f, 1);
        CHECK_INT(tr_raster_draw(gl, &request, NULL), TR_OK);
        check_cells(&request);
        if (request.radius == 0)
            CHECK(tr_bitmap_equal(&made.occupied, &made.widened));
        release_planes(&made);
        tr_scene_destroy(scene);
    }
    tr_raster_destroy(gl);
}

// A wall beside the map still keeps a body off its border; boxes on every side, nearer than the radius and
// further.
TEST(what_lies_outside_the_grid_widens_into_it) {
    tr_raster *gl = open_gl(NULL);
    if (!gl)
        return;
    tr_grid grid = {{0, 0}, 0.1f, 40, 40};
    planes made = make_planes(&grid);
    for (int side = 0; side < 4; side++)
        for (int far = 0; far < 2; far++) {
            tr_scene *scene = NULL;
            REQUIRE(tr_scene_create(NULL, &scene) == TR_OK);
            float off = far ? 0.75f : 0.35f; // from the grid's border, with a radius of 0.6
            float x = side == 0 ? -off - 0.2f : side == 1 ? 4 + off : 2;
            float z = side == 2 ? -off - 0.2f : side == 3 ? 4 + off : 2;
            little_box(scene, little_make_box(x, 0, z, x + 0.2f, 1, z + 0.2f), 0);
            tr_raster_request request = little_request(scene, &grid, &made.occupied);
            request.widened = &made.widened;
            request.radius = 0.6f;
            CHECK_INT(tr_raster_draw(gl, &request, NULL), TR_OK);
            check_cells(&request);
            CHECK_INT(tr_bitmap_count(&made.occupied), 0);
            CHECK_INT(tr_bitmap_count(&made.widened) > 0, !far);
            tr_scene_destroy(scene);
        }
    release_planes(&made);
    tr_raster_destroy(gl);
}

TEST(a_scene_far_from_the_origin_is_drawn_within_the_slack) {
    tr_raster *gl = open_gl(NULL);
    tr_random random = tr_random_seed(4);
    for (int trial = 0; gl && trial < 12; trial++) {
        tr_scene *scene = random_scene(&random, 30, 6);
        tr_vec3 at = {trial % 2 ? 5000.0f : -4321.5f, 0, trial % 3 ? -7000.25f : 5000.0f};
        tr_affine placement = tr_affine_place(at, tr_random_between(&random, -3, 3));
        CHECK_INT(tr_scene_place(scene, 0, &placement), TR_OK);
        tr_grid grid = {{at.x - 8, at.z - 8}, 0.125f, 128, 128};
        planes made = make_planes(&grid);
        tr_raster_request request = little_request(scene, &grid, &made.occupied);
        request.widened = &made.widened;
        request.radius = 0.4f;
        CHECK_INT(tr_raster_draw(gl, &request, NULL), TR_OK);
        CHECK(tr_bitmap_count(&made.occupied) > 0);
        check_cells(&request);
        release_planes(&made);
        tr_scene_destroy(scene);
    }
    tr_raster_destroy(gl);
}

// A triangle of kilometres whose corners no float could place to within the slack of a cell.
TEST(huge_triangles_are_cut_before_they_are_rounded) {
    tr_raster *gl = open_gl(NULL);
    if (!gl)
        return;
    tr_vec3 corners[6] = {{-90000, 1, -70001}, {90000, 1, 70003}, {90000.5f, 1, 70003},
                          {-50000, 0, 3.3f},   {50000, 3, 3.4f},  {50000, 3, 3.45f}};
    uint32_t indices[6] = {0, 1, 2, 3, 4, 5}, mesh;
    tr_mesh_def def = {.positions = corners, .position_count = 6, .indices = indices, .triangle_count = 2};
    tr_scene *scene;
    REQUIRE(tr_scene_create(NULL, &scene) == TR_OK);
    REQUIRE(tr_scene_add_mesh(scene, &def, &mesh, NULL) == TR_OK);
    little_object(scene, mesh, tr_affine_identity(), 0);
    tr_grid grid = {{-20, -20}, 0.1f, 400, 400};
    planes made = make_planes(&grid);
    tr_raster_request request = little_request(scene, &grid, &made.occupied);
    request.widened = &made.widened;
    request.radius = 0.35f;
    CHECK_INT(tr_raster_draw(gl, &request, NULL), TR_OK);
    CHECK(tr_bitmap_count(&made.occupied) > 400);
    check_cells(&request);
    release_planes(&made);
    tr_scene_destroy(scene);
    tr_raster_destroy(gl);
}

// Paint all cells of a plane the same.
static void fill_plane(tr_bitmap *plane, bool set) {
    tr_bitmap_clear(plane);
    for (uint32_t row = 0; set && row < plane->rows; row++)
        for (uint32_t column = 0; column < plane->columns; column++)
            tr_bitmap_set(plane, column, row);
}

static void check_region(const tr_raster_request *part, const tr_raster_request *whole, bool before) {
    tr_cells region = part->region;
    for (uint32_t row = 0; row < part->grid.rows; row++)
        for (uint32_t column = 0; column < part->grid.columns; column++) {
            size_t cell = (size_t)row * part->grid.columns + column;
            bool inside = column >= region.column_begin && column < region.column_end &&
                          row >= region.row_begin && row < region.row_end;
            CHECK_INT(tr_bitmap_get(part->occupied, column, row),
                      inside ? tr_bitmap_get(whole->occupied, column, row) : before);
            CHECK_INT(tr_bitmap_get(part->widened, column, row),
                      inside ? tr_bitmap_get(whole->widened, column, row) : before);
            CHECK(part->floor[cell] == (inside ? whole->floor[cell] : 77));
            CHECK(part->overhang[cell] == (inside ? whole->overhang[cell] : 77));
        }
    for (uint32_t row = 0; row < part->grid.rows; row++) // the spare word of each row stays 0
        CHECK(part->occupied->words[(row + 1) * part->occupied->stride - 1] == 0);
}

TEST(a_region_drawn_alone_has_the_same_bits_and_leaves_the_rest) {
    tr_raster *gl = open_gl(NULL);
    tr_random random = tr_random_seed(8);
    tr_scene *scene = random_scene(&random, 60, 12);
    tr_grid grid = {{0, 0}, 0.0625f, 197, 181};
    planes all = make_planes(&grid), some = make_planes(&grid);
    tr_raster_request whole = little_request(scene, &grid, &all.occupied);
    whole.widened = &all.widened, whole.floor = all.floor, whole.overhang = all.overhang;
    whole.radius = 0.2f;
    whole.split = 0.9f;
    if (gl)
        CHECK_INT(tr_raster_draw(gl, &whole, NULL), TR_OK);
    for (int trial = 0; gl && trial < 20; trial++) {
        tr_raster_request part = whole;
        part.occupied = &some.occupied, part.widened = &some.widened;
        part.floor = some.floor, part.overhang = some.overhang;
        uint32_t column = tr_random_below(&random, grid.columns), row = tr_random_below(&random, grid.rows);
        tr_cells region = {column, row, column + tr_random_below(&random, grid.columns + 1 - column),
                           row + tr_random_below(&random, grid.rows + 1 - row)};
        part.region = region;
        bool before = trial % 2 == 0;
        fill_plane(&some.occupied, before);
        fill_plane(&some.widened, before);
        for (uint32_t i = 0; i < grid.columns * grid.rows; i++)
            some.floor[i] = some.overhang[i] = 77;
        CHECK_INT(tr_raster_draw(gl, &part, NULL), TR_OK);
        check_region(&part, &whole, before);
    }
    release_planes(&all);
    release_planes(&some);
    tr_scene_destroy(scene);
    tr_raster_destroy(gl);
}

// What exact arithmetic says of one cell: at least `tight`, at most `loose` (the slack included).
typedef struct height_limits {
    double tight_floor, loose_floor, tight_overhang, loose_overhang;
} height_limits;

static void meet_limits(height_limits *limits, const tr_raster_request *request, double triangle[3][3],
                        uint32_t column, uint32_t row) {
    double slack = tr_raster_slack(&request->grid), split = request->split, low, high;
    nearest_polygon exact = nearest_in_band(&request->grid, &request->band, triangle, 0);
    nearest_polygon loose =
        nearest_in_band(&request->grid, &request->band, triangle, slack * request->grid.cell);
    if (nearest_heights(exact, column, row, 0, &low, &high)) {
        limits->tight_floor = fmax(limits->tight_floor, low <= split ? fmin(high, split) : -INFINITY);
        limits->tight_overhang = fmin(limits->tight_overhang, high >= split ? fmax(low, split) : INFINITY);
    }
    if (nearest_heights(loose, column, row, slack, &low, &high)) {
        limits->loose_floor = fmax(limits->loose_floor, low <= split + 1e-5 ? fmin(high, split) : -INFINITY);
        limits->loose_overhang =
            fmin(limits->loose_overhang, high >= split - 1e-5 ? fmax(low, split) : INFINITY);
    }
}

static void check_heights(const tr_raster_request *request) {
    const tr_grid *grid = &request->grid;
    uint32_t count = tr_scene_mesh(request->scene, 0).triangle_count;
    for (uint32_t i = 0; i < grid->columns * grid->rows; i++) {
        height_limits limits = {-INFINITY, -INFINITY, INFINITY, INFINITY};
        for (uint32_t k = 0; k < count; k++) {
            double triangle[3][3];
            oracle_triangle(request->scene, 0, k, triangle);
            meet_limits(&limits, request, triangle, i % grid->columns, i / grid->columns);
        }
        if (!(request->floor[i] >= limits.tight_floor - 1e-5 &&
              request->floor[i] <= limits.loose_floor + 1e-5))
            test_failed(__FILE__, __LINE__, "the floor of cell %u is %g, expected %g to %g", i,
                        request->floor[i], limits.tight_floor, limits.loose_floor);
        if (!(request->overhang[i] <= limits.tight_overhang + 1e-5 &&
              request->overhang[i] >= limits.loose_overhang - 1e-5))
            test_failed(__FILE__, __LINE__, "the overhang of cell %u is %g, expected %g to %g", i,
                        request->overhang[i], limits.loose_overhang, limits.tight_overhang);
    }
}

TEST(floor_and_overhang_are_the_exact_extremes_inside_each_cell) {
    tr_raster *gl = open_gl(NULL);
    tr_random random = tr_random_seed(21);
    for (int trial = 0; gl && trial < 100; trial++) {
        tr_scene *scene = random_scene(&random, 1 + (uint32_t)trial % 4, 6);
        tr_grid grid = {{0, 0}, 0.25f, 24, 23};
        planes made = make_planes(&grid);
        tr_raster_request request = little_request(scene, &grid, trial % 2 ? &made.occupied : NULL);
        request.band.low = -0.25f;
        request.floor = made.floor;
        request.overhang = made.overhang;
        request.split = trial % 3 ? 0.5f : 0.77f; // some triangles lie at 0.5 exactly
        CHECK_INT(tr_raster_draw(gl, &request, NULL), TR_OK);
        check_heights(&request);
        release_planes(&made);
        tr_scene_destroy(scene);
    }
    tr_raster_destroy(gl);
}

TEST(floor_and_overhang_of_sample_scenes_are_those_of_soft) {
    tr_raster *gl = open_gl(NULL), *soft = little_raster(0);
    for (uint32_t i = 0; gl && i < tr_sample_count(); i++) {
        tr_sample sample;
        tr_sample_def def = {.name = tr_sample_name(i)};
        REQUIRE(tr_sample_make(&def, &sample, NULL) == TR_OK);
        if (is_for_scale(&sample))
            continue;
        tr_grid grid;
        REQUIRE(tr_grid_divide(sample.ground, 60, &grid, NULL) == TR_OK);
        planes by_gl = make_planes(&grid), by_soft = make_planes(&grid);
        tr_raster_request request = little_request(sample.scene, &grid, &by_gl.occupied);
        request.band.low = sample.ground.min.y - 0.5f, request.band.high = sample.ground.min.y + 2.5f;
        request.split = sample.ground.min.y + 1.1f;
        request.floor = by_gl.floor, request.overhang = by_gl.overhang;
        tr_raster_request other = request;
        other.occupied = &by_soft.occupied, other.floor = by_soft.floor, other.overhang = by_soft.overhang;
        CHECK_INT(tr_raster_draw(gl, &request, NULL), TR_OK);
        CHECK_INT(tr_raster_draw(soft, &other, NULL), TR_OK);
        uint32_t differ = 0, count = grid.columns * grid.rows;
        for (uint32_t cell = 0; cell < count; cell++)
            differ += !(by_gl.floor[cell] == by_soft.floor[cell] ||
                        fabsf(by_gl.floor[cell] - by_soft.floor[cell]) < 0.01f) ||
                      !(by_gl.overhang[cell] == by_soft.overhang[cell] ||
                        fabsf(by_gl.overhang[cell] - by_soft.overhang[cell]) < 0.01f);
        // Beside a wall the slack decides whether it is in the cell: a few cells in a hundred.
        if (differ > count / 33)
            test_failed(__FILE__, __LINE__, "%s: %u of %u cells have other heights", tr_sample_name(i),
                        differ, count);
        release_planes(&by_gl);
        release_planes(&by_soft);
        tr_scene_destroy(sample.scene);
    }
    tr_raster_destroy(gl);
    tr_raster_destroy(soft);
}
