// DDA refinement: cell by cell over reachable ones, never longer, on random worlds and on floors where the
// line is known.
#include "surface_route_judge.h"

#define PATH_MAX_CELLS 4000

// Every move of a path is a step of the explicit graph or a diagonal that it allows.
static bool is_walkable(const surface_route_judge *judge, const tr_surface_route_result *result) {
    for (uint32_t i = 1; i < result->cell_count; i++) {
        uint32_t from = result->cells[i - 1].cell, to = result->cells[i].cell;
        if (result->cells[i].link == 0 && judge_direction(judge, from, to) == 4 &&
            !judge_diagonal(judge, from, to))
            return false;
    }
    return true;
}

static bool holds_cell(const tr_surface_route_cell *cells, uint32_t count, uint32_t cell) {
    for (uint32_t i = 0; i < count; i++)
        if (cells[i].cell == cell)
            return true;
    return false;
}

// Steps across gaps, and links, in their order.
static uint32_t far_moves(const tr_surface_route_cell *cells, uint32_t count, uint32_t *moves) {
    uint32_t found = 0;
    for (uint32_t i = 1; i < count; i++) {
        int32_t x = abs(cells[i].column - cells[i - 1].column), z = abs(cells[i].row - cells[i - 1].row);
        if (cells[i].link || x > 1 || z > 1) {
            moves[found++] = cells[i - 1].cell;
            moves[found++] = cells[i].cell;
        }
    }
    return found;
}

typedef struct refine_tally {
    uint32_t paths, shorter, far;
} refine_tally;

static bool refines_well(tr_surface_route *route, const surface_route_judge *judge, bool border_counts,
                         refine_tally *tally, tr_surface_route_refinement refinement) {
    static tr_surface_route_cell old[PATH_MAX_CELLS];
    static uint32_t moves[2][2 * PATH_MAX_CELLS];
    tr_surface_route_result before = tr_surface_route_last(route);
    if (before.cell_count > PATH_MAX_CELLS)
        return false;
    memcpy(old, before.cells, before.cell_count * sizeof *old);
    if (tr_surface_route_refine(route, refinement) != TR_OK)
        return false;
    tr_surface_route_result after = tr_surface_route_last(route);
    bool good = after.cell_count <= before.cell_count && after.length <= before.length + 1e-9 &&
                after.cells[0].cell == old[0].cell &&
                after.cells[after.cell_count - 1].cell == old[before.cell_count - 1].cell &&
                is_walkable(judge, &after);
    for (uint32_t i = 0; good && i < after.cell_count; i++) {
        const judge_cell *known = &judge->cells[after.cells[i].cell];
        good = known->column == after.cells[i].column && known->row == after.cells[i].row &&
               known->height == after.cells[i].height;
        if (border_counts && known->border)
            good = good && holds_cell(old, before.cell_count, after.cells[i].cell);
    }
    uint32_t far = far_moves(old, before.cell_count, moves[0]);
    good = good && far_moves(after.cells, after.cell_count, moves[1]) == far &&
           memcmp(moves[0], moves[1], far * sizeof *moves[0]) == 0;
    tally->paths++;
    tally->shorter += after.length < before.length - 1e-9;
    tally->far += far > 0;
    return good;
}

TEST(refined_paths_are_walkable_and_no_longer_and_keep_their_far_steps) {
    tr_random random = tr_random_seed(21);
    refine_tally tally = {0, 0, 0};
    for (uint32_t i = 0; i < 400; i++) {
        surface_route_world world = surface_route_world_begin();
        surface_route_world_random(&world, &random, 4.8f, tr_random_below(&random, 16));
        REQUIRE(surface_route_world_build(&world, 4.8f, 4.8f, 0.3f));
        tr_ground_body person = surface_route_random_person(&random);
        tr_surface_route *route = surface_route_world_route(&world, person, 4);
        surface_route_judge judge = surface_route_judge_make(world.surface, person, 4);
        for (uint32_t k = 0; k < judge.count; k++)
            judge.cells[k].reached = judge.cells[k].stands;
        judge_mark(&judge);
        bool good = true;
        for (uint32_t k = 0; k < 12 && good; k++) {
            tr_surface_route_params params = tr_surface_route_params_default();
            params.path = 4 + 4 * tr_random_below(&random, 2);
            params.border = (tr_surface_route_border_use)tr_random_below(&random, 3);
            tr_vec3 ends[2];
            for (int e = 0; e < 2; e++) {
                uint32_t column = tr_random_below(&random, 16), row = tr_random_below(&random, 16);
                ends[e] = surface_route_world_point(&world, column, row, tr_random_between(&random, 0, 3));
            }
            if (tr_surface_route_find(route, &params, ends[0], &ends[1], 1, NULL) != TR_OK)
                continue;
            tr_surface_route_refinement refinement = (tr_surface_route_refinement)tr_random_below(&random, 2);
            bool border_counts = params.border != TR_SURFACE_ROUTE_BORDER_IGNORE;
            good = refines_well(route, &judge, border_counts, &tally, refinement) &&
                   refines_well(route, &judge, border_counts, &tally, TR_SURFACE_ROUTE_EVERY);
        }
        tr_surface_route_destroy(route);
        surface_route_judge_destroy(&judge);
        surface_route_world_end(&world);
        if (!good) {
            test_failed(__FILE__, __LINE__, "in world %u", i);
            return;
        }
    }
    CHECK(tally.paths > 1000 && tally.shorter > 150 && tally.far > 20);
}

static surface_route_world open_floor(float size) {
    surface_route_world world = surface_route_world_begin();
    little_box(world.scene, little_make_box(0, -0.2f, 0, size, 0, size), 0);
    CHECK(surface_route_world_build(&world, size, size, 0.3f));
    return world;
}

// Figure 3: cell k of n is the nearest to the point k / n along the line.
TEST(on_an_open_floor_the_path_becomes_the_digital_line) {
    surface_route_world world = open_floor(9);
    tr_surface_route *route = surface_route_world_route(&world, tr_surface_route_body_of_height(1.8f), 4);
    REQUIRE(route != NULL);
    tr_surface_route_params params = tr_surface_route_params_default();
    tr_random random = tr_random_seed(22);
    for (int i = 0; i < 200; i++) {
        int32_t ends[4];
        for (int k = 0; k < 4; k++)
            ends[k] = 1 + (int32_t)tr_random_below(&random, 28);
        params.path = 4 + 4 * tr_random_below(&random, 2);
        tr_vec3 goal = surface_route_world_point(&world, (uint32_t)ends[2], (uint32_t)ends[3], 0);
        tr_vec3 start = surface_route_world_point(&world, (uint32_t)ends[0], (uint32_t)ends[1], 0);
        REQUIRE(tr_surface_route_find(route, &params, start, &goal, 1, NULL) == TR_OK);
        REQUIRE(tr_surface_route_refine(route, TR_SURFACE_ROUTE_EVERY) == TR_OK);
        tr_surface_route_result result = tr_surface_route_last(route);
        int32_t x = ends[2] - ends[0], z = ends[3] - ends[1], steps = abs(x) > abs(z) ? abs(x) : abs(z);
        CHECK_INT(result.cell_count, steps + 1);
        for (int32_t k = 0; k <= steps && k < (int32_t)result.cell_count; k++) {
            double away_x = ends[0] + (steps ? (double)x * k / steps : 0) - result.cells[k].column,
                   away_z = ends[1] + (steps ? (double)z * k / steps : 0) - result.cells[k].row;
            CHECK(fabs(away_x) <= 0.5 + 1e-9 && fabs(away_z) <= 0.5 + 1e-9);
        }
    }
    tr_surface_route_destroy(route);
    surface_route_world_end(&world);
}

// The paper's alternate nodes: fewer turns, and what is left of them is for EVERY.
TEST(alternate_nodes_straighten_less_than_every_cell) {
    surface_route_world world = open_floor(9);
    tr_surface_route *route = surface_route_world_route(&world, tr_surface_route_body_of_height(1.8f), 4);
    REQUIRE(route != NULL);
    tr_surface_route_params params = tr_surface_route_params_default();
    params.path = 4;
    tr_vec3 start = surface_route_world_point(&world, 1, 1, 0),
            goal = surface_route_world_point(&world, 27, 12, 0);
    double lengths[3];
    for (int i = 0; i < 3; i++) {
        REQUIRE(tr_surface_route_find(route, &params, start, &goal, 1, NULL) == TR_OK);
        if (i > 0)
            CHECK_INT(
                tr_surface_route_refine(route, i == 1 ? TR_SURFACE_ROUTE_ALTERNATE : TR_SURFACE_ROUTE_EVERY),
                TR_OK);
        lengths[i] = tr_surface_route_last(route).length;
    }
    CHECK_NEAR(lengths[0], 0.3 * (26 + 11), 1e-6);
    CHECK(lengths[1] < lengths[0] && lengths[2] <= lengths[1]);
    CHECK_NEAR(lengths[2], 0.3 * (15 + 11 * sqrt(2)), 1e-5);
    tr_surface_route_destroy(route);
    surface_route_world_end(&world);
}

TEST(refining_nothing_is_no_harm) {
    surface_route_world world = open_floor(3);
    tr_surface_route *route = surface_route_world_route(&world, tr_surface_route_body_of_height(1.8f), 4);
    REQUIRE(route != NULL);
    CHECK_INT(tr_surface_route_refine(route, TR_SURFACE_ROUTE_EVERY), TR_OK);
    CHECK_INT(tr_surface_route_last(route).cell_count, 0);
    CHECK_INT(tr_surface_route_refine(route, (tr_surface_route_refinement)7), TR_INVALID);
    tr_surface_route_params params = tr_surface_route_params_default();
    tr_vec3 goal = surface_route_world_point(&world, 4, 4, 0);
    REQUIRE(tr_surface_route_find(route, &params, goal, &goal, 1, NULL) == TR_OK);
    CHECK_INT(tr_surface_route_refine(route, TR_SURFACE_ROUTE_ALTERNATE), TR_OK);
    CHECK_INT(tr_surface_route_last(route).cell_count, 1);
    tr_surface_route_destroy(route);
    surface_route_world_end(&world);
}
