// What the paper shows: figures 1, 2, 4, 5 and 7, children and adults.
#include "surface_route_judge.h"

static const tr_ground_body adult = {1.8f, 0, 0.9f, 0.45f}, child = {1.1f, 0, 0.55f, 0.275f};

TEST(spans_are_functions_of_the_height) {
    tr_ground_body one = tr_surface_route_body_of_height(1.8f), other = tr_surface_route_body_of_height(1.1f);
    CHECK(one.height == 1.8f && one.foot_span == 0.9f && one.foot_rise == 0.45f && one.radius == 0);
    CHECK(other.foot_span < one.foot_span && other.foot_rise < one.foot_rise);
}

// What is met on the way from (column, 1) in +x; the cell that it leads to is `ahead` columns further, or 0.
static void check_ahead(const surface_route_world *world, tr_ground_body person, uint32_t column,
                        float height, tr_obstacle expected, uint32_t ahead) {
    tr_surface_route *route = surface_route_world_route(world, person, 4);
    REQUIRE(route != NULL);
    tr_surface_place from = surface_route_world_place(world, column, 1, height);
    tr_obstacle obstacle = TR_OBSTACLE_EDGE;
    tr_surface_place to = tr_surface_route_neighbour(route, &from, 0, &obstacle);
    if (obstacle != expected)
        test_failed(__FILE__, __LINE__, "from column %u", column);
    CHECK_INT(obstacle, expected);
    CHECK_INT(to.cell == TR_NONE ? 0 : to.column - column, ahead);
    tr_surface_route_destroy(route);
}

// One row of text as three rows of world.
static surface_route_world corridor(const char *row) {
    surface_route_world world = surface_route_world_begin();
    const char *rows[3] = {row, row, row};
    CHECK(surface_route_world_map(&world, rows, 3));
    return world;
}

TEST(figure_5_surmountable_obstacles) {
    surface_route_world world = corridor("..44..v...");
    check_ahead(&world, adult, 0, 0, TR_OBSTACLE_NONE, 1);
    check_ahead(&world, adult, 1, 0, TR_OBSTACLE_STEP_ON, 1);
    check_ahead(&world, adult, 3, 0.4f, TR_OBSTACLE_STEP_DOWN, 1);
    check_ahead(&world, adult, 5, 0, TR_OBSTACLE_CROSS, 2);
    check_ahead(&world, child, 1, 0, TR_OBSTACLE_CLIMB, 0);
    surface_route_world_end(&world);
    world = corridor("..  ..xx..x..");
    check_ahead(&world, adult, 1, 0, TR_OBSTACLE_CROSS, 3);
    check_ahead(&world, adult, 5, 0, TR_OBSTACLE_STEP_OVER, 3);
    check_ahead(&world, adult, 9, 0, TR_OBSTACLE_STEP_OVER, 2);
    check_ahead(&world, child, 1, 0, TR_OBSTACLE_GAP, 0);
    check_ahead(&world, child, 9, 0, TR_OBSTACLE_CLIMB, 0);
    surface_route_world_end(&world);
}

TEST(figure_5_insurmountable_obstacles) {
    surface_route_world world = corridor("..9...   ..oo..vvvv.#.");
    check_ahead(&world, adult, 1, 0, TR_OBSTACLE_CLIMB, 0);
    check_ahead(&world, adult, 5, 0, TR_OBSTACLE_GAP, 0);
    check_ahead(&world, adult, 10, 0, TR_OBSTACLE_PASS, 0);
    check_ahead(&world, adult, 14, 0, TR_OBSTACLE_CLIMB, 0);
    check_ahead(&world, adult, 19, 0, TR_OBSTACLE_CLIMB, 0);
    check_ahead(&world, adult, 21, 0, TR_OBSTACLE_EDGE, 0);
    check_ahead(&world, child, 10, 0, TR_OBSTACLE_NONE, 1); // a child passes under what an adult does not
    surface_route_world_end(&world);
}

TEST(gaps_are_crossed_upwards_and_over_things_of_the_right_height) {
    surface_route_world world = corridor("..  4..x3...x5..");
    check_ahead(&world, adult, 1, 0, TR_OBSTACLE_CROSS, 3);
    check_ahead(&world, adult, 6, 0, TR_OBSTACLE_CROSS, 2); // no higher than the higher foot
    check_ahead(&world, adult, 11, 0, TR_OBSTACLE_GAP, 0);  // the other side is too high
    surface_route_world_end(&world);
    world = corridor("..x ..o.. ..");
    tr_ground_body low = {1.8f, 0, 0.9f, 0.25f};
    check_ahead(&world, adult, 1, 0, TR_OBSTACLE_STEP_OVER, 3);
    check_ahead(&world, low, 1, 0, TR_OBSTACLE_CLIMB, 0); // it cannot lift its foot over that
    check_ahead(&world, adult, 5, 0, TR_OBSTACLE_PASS, 0);
    surface_route_world_end(&world);
    world = surface_route_world_begin(); // a beam over the gap: nobody steps through it
    surface_route_world_box(&world, 0.6f, 1.2f, 0, 0.9f, 1.4f, 0.9f, 0);
    const char *rows[3] = {".. ...", ".. ...", ".. ..."};
    REQUIRE(surface_route_world_map(&world, rows, 3));
    check_ahead(&world, adult, 1, 0, TR_OBSTACLE_PASS, 0);
    check_ahead(&world, (tr_ground_body){1.1f, 0, 0.9f, 0.275f}, 1, 0, TR_OBSTACLE_CROSS, 2);
    surface_route_world_end(&world);
}

// Steps of 0.2 m up to a balcony that one can walk under; and under the first steps one cannot.
static surface_route_world balcony(void) {
    surface_route_world world = surface_route_world_begin();
    little_box(world.scene, little_make_box(0, -0.2f, 0, 9, 0, 4.2f), 0);
    for (int i = 0; i < 12; i++) {
        float x = 1.5f + 0.3f * (float)i, top = 0.2f * (float)(i + 1);
        surface_route_world_box(&world, x, top - 0.15f, 1.5f, x + 0.3f, top, 2.7f, 0);
    }
    surface_route_world_box(&world, 5.1f, 2.25f, 1.5f, 9, 2.4f, 2.7f, 0);
    CHECK(surface_route_world_build(&world, 9, 4.2f, 0.3f));
    return world;
}

TEST(figure_4_the_balcony_above_is_reached_by_the_stairs_alone) {
    surface_route_world world = balcony();
    tr_surface_route *route = surface_route_world_route(&world, adult, 4);
    REQUIRE(route != NULL);
    tr_surface_place below = surface_route_world_place(&world, 24, 7, 0),
                     above = surface_route_world_place(&world, 24, 7, 2.4f);
    CHECK(below.cell != TR_NONE && above.cell != TR_NONE && below.cell != above.cell);
    CHECK_NEAR(below.height, 0, 0.02);
    CHECK_NEAR(above.height, 2.4, 0.02);
    tr_surface_route_params params = tr_surface_route_params_default();
    params.reach = 0;
    tr_vec3 goal = surface_route_world_point(&world, 24, 7, 2.4f);
    REQUIRE(tr_surface_route_find(route, &params, surface_route_world_point(&world, 24, 7, 0), &goal, 1,
                                  NULL) == TR_OK);
    tr_surface_route_result result = tr_surface_route_last(route);
    uint32_t risen = 0, lowest_column = 99;
    for (uint32_t i = 1; i < result.cell_count; i++) {
        risen += result.cells[i].obstacle == TR_OBSTACLE_STEP_ON;
        lowest_column = result.cells[i].column < lowest_column ? result.cells[i].column : lowest_column;
    }
    CHECK(risen >= 11);        // the first two steps may be one, from the side
    CHECK(lowest_column <= 6); // the way leads around to the foot of the stairs
    CHECK_INT(result.cells[0].cell, below.cell);
    CHECK_INT(result.cells[result.cell_count - 1].cell, above.cell);
    CHECK_INT(result.border_cells, 0);
    tr_surface_route_destroy(route);
    surface_route_world_end(&world);
}

TEST(figure_4_nobody_walks_into_the_forbidden_region_under_the_stairs) {
    surface_route_world world = balcony();
    const tr_ground_body people[2] = {adult, child};
    uint32_t standing[2] = {0, 0};
    for (int who = 0; who < 2; who++) {
        tr_surface_route *route = surface_route_world_route(&world, people[who], 4);
        REQUIRE(route != NULL && tr_surface_route_mark_border(route, NULL, 0, NULL) == TR_OK);
        for (uint32_t i = 0; i < 12; i++) {
            uint32_t cell = surface_route_world_place(&world, 5 + i, 7, 0).cell;
            double room = 0.2 * (i + 1) - 0.15;
            bool is_seen =
                cell != TR_NONE && tr_surface_route_state_of(route, cell) != TR_SURFACE_ROUTE_UNSEEN;
            CHECK_INT(is_seen, room >= people[who].height);
            standing[who] += is_seen;
        }
        tr_surface_place last = surface_route_world_place(&world, who ? 11 : 14, 7, 0);
        tr_obstacle obstacle;
        CHECK_INT(tr_surface_route_neighbour(route, &last, 2, &obstacle).cell, TR_NONE);
        CHECK_INT(obstacle, TR_OBSTACLE_PASS);
        CHECK_INT(tr_surface_route_state_of(route, last.cell), TR_SURFACE_ROUTE_BORDER);
        tr_surface_route_destroy(route);
    }
    CHECK(standing[1] > standing[0]);
    surface_route_world_end(&world);
}

static bool is_border(const surface_route_world *world, const tr_surface_route *route, uint32_t column,
                      uint32_t row) {
    return tr_surface_route_state_of(route, surface_route_world_place(world, column, row, 0).cell) ==
           TR_SURFACE_ROUTE_BORDER;
}

// Span three cells: one hole is too wide to be stepped over, the other is so along its longer side only.
TEST(figure_7_holes_that_are_stepped_over_have_borders_on_their_shorter_sides_only) {
    const char *rows[] = {"................", "................", "...    .........",
                          "...    ....  ...", "...    ....  ...", "...    ....  ...",
                          "...........  ...", "................", "................"};
    surface_route_world world = surface_route_world_begin();
    REQUIRE(surface_route_world_map(&world, rows, 9));
    for (uint32_t neighbours = 4; neighbours <= 8; neighbours += 4) {
        tr_surface_route *route = surface_route_world_route(&world, adult, neighbours);
        REQUIRE(route != NULL && tr_surface_route_mark_border(route, NULL, 0, NULL) == TR_OK);
        CHECK(is_border(&world, route, 2, 3) && is_border(&world, route, 7, 4));
        CHECK(is_border(&world, route, 4, 1) && is_border(&world, route, 4, 6));
        CHECK(!is_border(&world, route, 10, 4) && !is_border(&world, route, 13, 5));
        CHECK(is_border(&world, route, 11, 2) && is_border(&world, route, 12, 7));
        CHECK_INT(is_border(&world, route, 2, 1), neighbours == 8); // the corners of the larger hole
        CHECK_INT(is_border(&world, route, 7, 6), neighbours == 8);
        CHECK(is_border(&world, route, 0, 4) && is_border(&world, route, 8, 8)); // where the grid ends
        tr_surface_route_destroy(route);
    }
    surface_route_world_end(&world);
}

TEST(figure_1_paths_of_eight_neighbours_do_not_slip_between_two_obstacles) {
    const char *rows[] = {"......", "......", "..#...", "...#..", "......", "......"};
    surface_route_world world = surface_route_world_begin();
    REQUIRE(surface_route_world_map(&world, rows, 6));
    tr_surface_route *route = surface_route_world_route(&world, (tr_ground_body){1.8f, 0, 0.3f, 0.1f}, 4);
    REQUIRE(route != NULL);
    tr_surface_route_params params = tr_surface_route_params_default();
    params.border = TR_SURFACE_ROUTE_BORDER_IGNORE;
    tr_vec3 goal = surface_route_world_point(&world, 3, 2, 0);
    REQUIRE(tr_surface_route_find(route, &params, surface_route_world_point(&world, 2, 3, 0), &goal, 1,
                                  NULL) == TR_OK);
    CHECK_NEAR(tr_surface_route_last(route).cost, 6, 0);
    CHECK(tr_surface_route_last(route).cell_count > 2);
    tr_surface_route_destroy(route);
    surface_route_world_end(&world);
}

TEST(on_an_open_floor_ways_have_the_lengths_of_the_papers_distances) {
    const char *rows[] = {"............", "............", "............", "............", "............"};
    surface_route_world world = surface_route_world_begin();
    REQUIRE(surface_route_world_map(&world, rows, 5));
    tr_surface_route *route = surface_route_world_route(&world, adult, 4);
    REQUIRE(route != NULL);
    tr_surface_route_params params = tr_surface_route_params_default();
    params.border = TR_SURFACE_ROUTE_BORDER_IGNORE;
    tr_vec3 goal = surface_route_world_point(&world, 11, 4, 0);
    for (params.path = 4; params.path <= 8; params.path += 4) {
        params.method = TR_SURFACE_ROUTE_FLOOD;
        REQUIRE(tr_surface_route_find(route, &params, surface_route_world_point(&world, 0, 0, 0), &goal, 1,
                                      NULL) == TR_OK);
        CHECK_NEAR(tr_surface_route_last(route).cost, 11 + 4, 0);
        CHECK_INT(tr_surface_route_last(route).cell_count - 1, params.path == 4 ? 11 + 4 : 11);
    }
    tr_surface_route_destroy(route);
    surface_route_world_end(&world);
}

// The way that an adult takes over the gap, and a child around it.
TEST(an_adult_crosses_a_gap_that_a_child_walks_around) {
    const char *rows[] = {".....  .....", ".....  .....", ".....  .....", ".....  .....",
                          ".....  .....", "............", "............", "............"};
    surface_route_world world = surface_route_world_begin();
    REQUIRE(surface_route_world_map(&world, rows, 8));
    tr_surface_route_params params = tr_surface_route_params_default();
    params.border = TR_SURFACE_ROUTE_BORDER_IGNORE;
    tr_vec3 goal = surface_route_world_point(&world, 9, 1, 0);
    uint32_t crossed[2] = {0, 0};
    double costs[2];
    for (int who = 0; who < 2; who++) {
        tr_surface_route *route = surface_route_world_route(&world, who ? child : adult, 4);
        REQUIRE(route != NULL);
        REQUIRE(tr_surface_route_find(route, &params, surface_route_world_point(&world, 2, 1, 0), &goal, 1,
                                      NULL) == TR_OK);
        tr_surface_route_result result = tr_surface_route_last(route);
        for (uint32_t i = 0; i < result.cell_count; i++)
            crossed[who] += result.cells[i].obstacle == TR_OBSTACLE_CROSS;
        costs[who] = result.cost;
        tr_surface_route_destroy(route);
    }
    CHECK(crossed[0] == 1 && crossed[1] == 0);
    CHECK(costs[0] == 7 && costs[1] == 7 + 8);
    surface_route_world_end(&world);
}
