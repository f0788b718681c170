// Figure 8 of Bandi & Thalmann 1998: feet on the corners of the cells of a path.
#include "plan/footstep/footstep_world.h"
#include "cli/papers/footstep_corners.h"

#include "troupe/base/random.h"

#define CELL 0.25f
#define CELLS_MAX 64

// A path over a world of three heights: the paper puts no foot where no cell is, so heights come from cells.
typedef struct corner_world {
    footstep_world world;
    tr_surface_route_cell cells[CELLS_MAX];
    uint32_t cell_count;
} corner_world;

static bool make_corners(corner_world *corners) {
    memset(corners, 0, sizeof *corners);
    world_add(&corners->world, 0.01f, 0.01f, 1.99f, 7.99f, -0.2f, 0);
    world_add(&corners->world, 2.01f, 0.01f, 3.99f, 7.99f, -0.2f, 0.2f);
    world_add(&corners->world, 4.01f, 0.01f, 7.99f, 7.99f, -0.2f, 0.35f);
    return world_build(&corners->world, CELL);
}

// The cell at a place, counted from the corner of the world.
static tr_surface_route_cell cell_at(const corner_world *corners, int column, int row) {
    const tr_grid *grid = &tr_surface_grid(corners->world.surface)->grid;
    tr_surface_route_cell cell = {.column = (uint16_t)((int)lrintf(-grid->origin.x / CELL) + column),
                                  .row = (uint16_t)((int)lrintf(-grid->origin.z / CELL) + row)};
    tr_surface_column found = tr_surface_at(corners->world.surface, cell.column, cell.row);
    if (found.count > 0) {
        cell.cell = found.first + found.count - 1;
        cell.height = found.heights[found.count - 1];
    }
    return cell;
}

static void go_cell(corner_world *corners, int column, int row) {
    corners->cells[corners->cell_count++] = cell_at(corners, column, row);
}

static tr_status corners_plan(corner_world *corners, uint32_t stride) {
    footstep_world *world = &corners->world;
    return paper_footstep_corners(world->surface, corners->cells, corners->cell_count, stride,
                                  world->footsteps, WORLD_FOOTSTEPS_MAX, &world->footstep_count);
}

static void check_at(const corner_world *corners, uint32_t index, uint32_t side, float x, float z) {
    const tr_footstep *footstep = &corners->world.footsteps[index];
    CHECK_INT(footstep->side, side);
    CHECK_NEAR(footstep->position.x, x * CELL, 1e-5);
    CHECK_NEAR(footstep->position.z, z * CELL, 1e-5);
}

TEST(the_feet_of_figure_eight_go_left_and_right_of_the_line) {
    static corner_world corners;
    REQUIRE(make_corners(&corners));
    // Three cells on, round a corner to the left, one more.
    go_cell(&corners, 2, 2);
    go_cell(&corners, 2, 3);
    go_cell(&corners, 2, 4);
    go_cell(&corners, 3, 4);
    CHECK_INT(corners_plan(&corners, 1), TR_OK);
    CHECK_INT(corners.world.footstep_count, 8);
    check_at(&corners, 0, 0, 3, 3); // L1, R1: left is +x when one looks along +z
    check_at(&corners, 1, 1, 2, 3);
    check_at(&corners, 2, 0, 3, 4); // L1 L2
    check_at(&corners, 3, 1, 2, 4); // R1 R2
    check_at(&corners, 4, 0, 3, 5);
    check_at(&corners, 5, 1, 2, 5);
    check_at(&corners, 6, 0, 4, 4); // along +x now: left is -z
    check_at(&corners, 7, 1, 4, 5);
    CHECK_NEAR(corners.world.footsteps[5].heading, 0, 1e-6);
    CHECK_NEAR(corners.world.footsteps[6].heading, 1.5707963, 1e-6);
    for (uint32_t i = 0; i < 8; i++)
        CHECK_NEAR(corners.world.footsteps[i].support, 1, 0);
    world_end(&corners.world);
}

TEST(on_a_diagonal_the_feet_take_the_two_corners_beside_it) {
    static corner_world corners;
    REQUIRE(make_corners(&corners));
    go_cell(&corners, 2, 2);
    go_cell(&corners, 3, 3);
    CHECK_INT(corners_plan(&corners, 1), TR_OK);
    CHECK_INT(corners.world.footstep_count, 4);
    check_at(&corners, 0, 0, 3, 2);
    check_at(&corners, 1, 1, 2, 3);
    check_at(&corners, 2, 0, 4, 3);
    check_at(&corners, 3, 1, 3, 4);
    CHECK_NEAR(corners.world.footsteps[2].heading, 0.78539816, 1e-6);
    world_end(&corners.world);
}

TEST(bigger_strides_leave_cells_out_and_end_on_the_last) {
    static corner_world corners;
    REQUIRE(make_corners(&corners));
    for (int i = 0; i < 11; i++)
        go_cell(&corners, 2, 2 + i);
    for (uint32_t stride = 1; stride <= 8; stride++) {
        CHECK_INT(corners_plan(&corners, stride), TR_OK);
        CHECK_INT(corners.world.footstep_count, 2 + 2 * ((10 + stride - 1) / stride));
        check_at(&corners, 2, 0, 3, 3 + (float)stride);
        check_at(&corners, corners.world.footstep_count - 1, 1, 2, 13);
    }
    world_end(&corners.world);
}

TEST(heights_are_those_of_the_cells_and_edges_carry_less) {
    static corner_world corners;
    REQUIRE(make_corners(&corners));
    for (int i = 0; i < 12; i++)
        go_cell(&corners, 6 + i, 5);
    CHECK_INT(corners_plan(&corners, 1), TR_OK);
    CHECK_INT(corners.world.footstep_count, 24);
    for (uint32_t i = 0; i < 24; i++) {
        uint32_t column = 6 + i / 2;
        CHECK_NEAR(corners.world.footsteps[i].position.y, column < 8 ? 0 : column < 16 ? 0.2 : 0.35, 1e-3);
        // The corner ahead of the last cell before a rise lies on the riser.
        CHECK_NEAR(corners.world.footsteps[i].support, column == 7 || column == 15 ? 0.5 : 1, 0);
    }
    world_end(&corners.world);
}

// How far a point lies to the left of the line through the middles of two cells.
static double left_of(const tr_grid *grid, const tr_surface_route_cell *from, const tr_surface_route_cell *to,
                      tr_vec3 point) {
    tr_vec2 a = tr_grid_centre(grid, from->column, from->row), b = tr_grid_centre(grid, to->column, to->row);
    double x = (double)b.x - (double)a.x, z = (double)b.z - (double)a.z, length = sqrt(x * x + z * z);
    return (((double)point.x - (double)a.x) * z - ((double)point.z - (double)a.z) * x) / length;
}

TEST(each_footstep_of_a_random_path_is_a_corner_of_its_cell_on_its_side) {
    static corner_world corners;
    REQUIRE(make_corners(&corners));
    const tr_grid *grid = &tr_surface_grid(corners.world.surface)->grid;
    tr_random random = tr_random_seed(8);
    for (uint32_t round = 0; round < 500; round++) {
        int column = 15, row = 15;
        uint32_t count = 2 + tr_random_below(&random, 40), stride = 1 + tr_random_below(&random, 8);
        corners.cell_count = 0;
        for (uint32_t i = 0; i < count; i++) {
            go_cell(&corners, column, row);
            int x = 0, z = 0;
            while (x == 0 && z == 0) {
                x = (int)tr_random_below(&random, 3) - 1;
                z = (int)tr_random_below(&random, 3) - 1;
            }
            column = column + x < 1 || column + x > 30 ? column - x : column + x;
            row = row + z < 1 || row + z > 30 ? row - z : row + z;
        }
        CHECK_INT(corners_plan(&corners, stride), TR_OK);
        CHECK(corners.world.footstep_count <= 2 * count + 2);
        uint32_t at = 0;
        for (uint32_t i = 0; i < corners.world.footstep_count; i += 2) {
            uint32_t next = i == 0 ? 0 : at + stride < count ? at + stride : count - 1;
            const tr_surface_route_cell *from = &corners.cells[at], *to = &corners.cells[next];
            tr_vec2 centre = tr_grid_centre(grid, to->column, to->row);
            bool moves = from->column != to->column || from->row != to->row;
            for (uint32_t side = 0; side < 2; side++) {
                const tr_footstep *footstep = &corners.world.footsteps[i + side];
                CHECK_INT(footstep->side, side);
                CHECK_NEAR(fabsf(footstep->position.x - centre.x), 0.5 * (double)CELL, 1e-5);
                CHECK_NEAR(fabsf(footstep->position.z - centre.z), 0.5 * (double)CELL, 1e-5);
                double left = moves ? left_of(grid, from, to, footstep->position) : side ? -1 : 1;
                CHECK(side == 0 ? left > 0.2 * (double)CELL : left < -0.2 * (double)CELL);
            }
            at = next;
        }
        CHECK_INT(at, count - 1);
    }
    world_end(&corners.world);
}

TEST(paths_of_one_cell_and_paths_that_stay_have_feet_too) {
    static corner_world corners;
    REQUIRE(make_corners(&corners));
    go_cell(&corners, 4, 4);
    CHECK_INT(corners_plan(&corners, 1), TR_OK);
    CHECK_INT(corners.world.footstep_count, 2);
    check_at(&corners, 0, 0, 5, 5);
    check_at(&corners, 1, 1, 4, 5);
    go_cell(&corners, 4, 4); // up a ladder
    go_cell(&corners, 5, 4);
    CHECK_INT(corners_plan(&corners, 1), TR_OK);
    CHECK_INT(corners.world.footstep_count, 6);
    check_at(&corners, 0, 0, 5, 4); // they look where it goes on
    check_at(&corners, 5, 1, 6, 5);
    world_end(&corners.world);
}

TEST(bad_paths_are_refused) {
    static corner_world corners;
    REQUIRE(make_corners(&corners));
    footstep_world *world = &corners.world;
    CHECK_INT(corners_plan(&corners, 1), TR_INVALID); // no cells
    go_cell(&corners, 4, 4);
    go_cell(&corners, 5, 4);
    CHECK_INT(corners_plan(&corners, 0), TR_INVALID);
    CHECK_INT(corners_plan(&corners, 9), TR_INVALID);
    CHECK_INT(paper_footstep_corners(world->surface, corners.cells, 2, 1, world->footsteps, 3,
                                     &world->footstep_count),
              TR_LIMIT);
    CHECK_INT(world->footstep_count, 4); // what would be needed
    corners.cells[1].column = UINT16_MAX;
    CHECK_INT(corners_plan(&corners, 1), TR_INVALID);
    CHECK_INT(world->footstep_count, 0);
    world_end(&corners.world);
}
