// How it is used, and misused: fates of starts and goals, borders on request, links, memory, bad input.
#include "surface_route_judge.h"

static const tr_ground_body adult = {1.8f, 0, 0.9f, 0.45f};

static surface_route_world map_world(const char *const *rows, uint32_t count) {
    surface_route_world world = surface_route_world_begin();
    CHECK(surface_route_world_map(&world, rows, count));
    return world;
}

static const char *const room[] = {".........", ".........", ".........",
                                   ".........", ".........", "........."};

TEST(starts_and_goals_drop_onto_the_surface_or_are_moved_or_said_to_be_nowhere) {
    const char *rows[] = {".........", ".........", ".........", "....#....", ".........", ".........",
                          ".........", "        .", "        .", "        .", "        .", "        ."};
    surface_route_world world = map_world(rows, 12);
    tr_surface_route *route = surface_route_world_route(&world, adult, 4);
    REQUIRE(route != NULL);
    tr_surface_route_params params = tr_surface_route_params_default();
    tr_vec3 goal = surface_route_world_point(&world, 6, 5, 0);
    CHECK_INT(
        tr_surface_route_find(route, &params, surface_route_world_point(&world, 2, 2, 0.1f), &goal, 1, NULL),
        TR_OK);
    CHECK_INT(tr_surface_route_last(route).start_fate, TR_SURFACE_ROUTE_ON);
    CHECK_INT(tr_surface_route_last(route).goal_fate, TR_SURFACE_ROUTE_ON);
    CHECK_INT(
        tr_surface_route_find(route, &params, surface_route_world_point(&world, 2, 2, 3), &goal, 1, NULL),
        TR_OK);
    CHECK_INT(tr_surface_route_last(route).start_fate, TR_SURFACE_ROUTE_DROPPED);
    params.drop = 2; // then it is too high, and nothing is near
    CHECK_INT(
        tr_surface_route_find(route, &params, surface_route_world_point(&world, 1, 1, 3), &goal, 1, NULL),
        TR_NOT_FOUND);
    CHECK_INT(tr_surface_route_last(route).start_fate, TR_SURFACE_ROUTE_NOWHERE);
    params.drop = INFINITY;
    tr_vec3 inside = surface_route_world_point(&world, 4, 3, 0.6f); // of the wall
    CHECK_INT(tr_surface_route_find(route, &params, goal, &inside, 1, NULL), TR_OK);
    CHECK_INT(tr_surface_route_last(route).goal_fate, TR_SURFACE_ROUTE_MOVED);
    CHECK_INT(tr_surface_route_last(route).border_cells, 0);
    tr_vec3 nowhere = surface_route_world_point(&world, 1, 11, 0);
    tr_error error = {0};
    CHECK_INT(tr_surface_route_find(route, &params, goal, &nowhere, 1, &error), TR_NOT_FOUND);
    CHECK_INT(tr_surface_route_last(route).goal_fate, TR_SURFACE_ROUTE_NOWHERE);
    CHECK_CONTAINS(error.message, "goal");
    tr_vec3 two[2] = {nowhere, goal};
    CHECK_INT(tr_surface_route_find(route, &params, surface_route_world_point(&world, 2, 2, 0), two, 2, NULL),
              TR_OK);
    CHECK_INT(tr_surface_route_last(route).goal, 1);
    tr_surface_route_destroy(route);
    surface_route_world_end(&world);
}

TEST(who_stands_in_the_border_is_led_out_of_it_where_it_is_to_be_avoided) {
    surface_route_world world = map_world(room, 6);
    tr_surface_route *route = surface_route_world_route(&world, adult, 4);
    REQUIRE(route != NULL);
    tr_surface_route_params params = tr_surface_route_params_default();
    tr_vec3 corner = surface_route_world_point(&world, 0, 0, 0),
            goal = surface_route_world_point(&world, 5, 3, 0);
    REQUIRE(tr_surface_route_find(route, &params, corner, &goal, 1, NULL) == TR_OK);
    tr_surface_route_result result = tr_surface_route_last(route);
    CHECK_INT(result.start_fate, TR_SURFACE_ROUTE_MOVED);
    CHECK(result.cells[0].column == 1 && result.cells[0].row == 1);
    params.reach = 0.1f; // no free cell is so near
    CHECK_INT(tr_surface_route_find(route, &params, corner, &goal, 1, NULL), TR_NOT_FOUND);
    CHECK_INT(tr_surface_route_last(route).start_fate, TR_SURFACE_ROUTE_IN_BORDER);
    CHECK(tr_surface_route_last(route).border_leads_through);
    params.border = TR_SURFACE_ROUTE_BORDER_ALLOW;
    REQUIRE(tr_surface_route_find(route, &params, corner, &goal, 1, NULL) == TR_OK);
    CHECK_INT(tr_surface_route_last(route).start_fate, TR_SURFACE_ROUTE_IN_BORDER);
    CHECK_INT(tr_surface_route_last(route).cells[0].column + tr_surface_route_last(route).cells[0].row, 0);
    params.border = TR_SURFACE_ROUTE_BORDER_IGNORE;
    REQUIRE(tr_surface_route_find(route, &params, corner, &goal, 1, NULL) == TR_OK);
    CHECK_INT(tr_surface_route_last(route).start_fate, TR_SURFACE_ROUTE_ON);
    tr_surface_route_destroy(route);
    surface_route_world_end(&world);
}

// The nearest free cell by the crow is in the next room; nobody is put through a wall.
TEST(nobody_is_led_out_of_the_border_through_a_wall) {
    const char *rows[] = {"#######...", "..........", "#######...", "..........", "..........", ".........."};
    surface_route_world world = map_world(rows, 6);
    tr_surface_route *route = surface_route_world_route(&world, (tr_ground_body){1.8f, 0, 0.3f, 0.2f}, 4);
    REQUIRE(route != NULL);
    tr_surface_route_params params = tr_surface_route_params_default();
    params.reach = 5;
    tr_vec3 start = surface_route_world_point(&world, 1, 1, 0),
            goal = surface_route_world_point(&world, 8, 4, 0);
    REQUIRE(tr_surface_route_find(route, &params, start, &goal, 1, NULL) == TR_OK);
    CHECK_INT(tr_surface_route_last(route).start_fate, TR_SURFACE_ROUTE_MOVED);
    CHECK_INT(tr_surface_route_last(route).cells[0].row, 1);
    CHECK(tr_surface_route_last(route).cells[0].column >= 7);
    tr_surface_route_destroy(route);
    surface_route_world_end(&world);
}

TEST(a_narrow_passage_is_all_border_and_is_taken_only_when_allowed) {
    const char *rows[] = {"....#....", "....#....", ".........", "....#....", "....#...."};
    surface_route_world world = map_world(rows, 5);
    tr_surface_route *route = surface_route_world_route(&world, (tr_ground_body){1.8f, 0, 0.3f, 0.2f}, 4);
    REQUIRE(route != NULL);
    tr_surface_route_params params = tr_surface_route_params_default();
    tr_error error = {0};
    tr_vec3 start = surface_route_world_point(&world, 2, 1, 0),
            goal = surface_route_world_point(&world, 6, 3, 0);
    CHECK_INT(tr_surface_route_find(route, &params, start, &goal, 1, &error), TR_NOT_FOUND);
    CHECK(tr_surface_route_last(route).border_leads_through && tr_surface_route_last(route).cell_count == 0);
    CHECK_CONTAINS(error.message, "border");
    params.border = TR_SURFACE_ROUTE_BORDER_ALLOW;
    REQUIRE(tr_surface_route_find(route, &params, start, &goal, 1, NULL) == TR_OK);
    CHECK_INT(tr_surface_route_last(route).border_cells, 1); // the passage itself
    CHECK(!tr_surface_route_last(route).border_leads_through);
    params.border = TR_SURFACE_ROUTE_BORDER_IGNORE;
    REQUIRE(tr_surface_route_find(route, &params, start, &goal, 1, NULL) == TR_OK);
    CHECK_NEAR(tr_surface_route_last(route).cost, 6, 0);
    tr_surface_route_destroy(route);
    surface_route_world_end(&world);
}

TEST(links_lead_where_walking_does_not_until_they_are_closed) {
    const char *rows[] = {".....#.....", ".....#.....", ".....#.....", ".....#.....", ".....#....."};
    surface_route_world world = map_world(rows, 5);
    tr_surface_route *route = surface_route_world_route(&world, adult, 4);
    REQUIRE(route != NULL);
    tr_surface_route_params params = tr_surface_route_params_default();
    tr_vec3 start = surface_route_world_point(&world, 2, 2, 0),
            goal = surface_route_world_point(&world, 8, 2, 0);
    tr_ground_link links[2] = {{TR_GROUND_LADDER, surface_route_world_point(&world, 3, 1, 0),
                                surface_route_world_point(&world, 7, 1, 0), true, false, 0.1f},
                               {TR_GROUND_DOOR, surface_route_world_point(&world, 3, 3, 0),
                                surface_route_world_point(&world, 7, 3, 0), false, false, 1.2f}};
    CHECK_INT(tr_surface_route_find(route, &params, start, &goal, 1, NULL), TR_NOT_FOUND);
    REQUIRE(tr_surface_route_set_links(route, links, 2, NULL) == TR_OK);
    REQUIRE(tr_surface_route_find(route, &params, start, &goal, 1, NULL) == TR_OK);
    tr_surface_route_result result = tr_surface_route_last(route);
    CHECK_NEAR(result.cost, 2 + 4 + 2, 0); // ladders are not for everybody; the door counts as four cells
    uint32_t used = 0;
    for (uint32_t i = 0; i < result.cell_count; i++)
        used += result.cells[i].link;
    CHECK_INT(used, 2);
    CHECK_INT(tr_surface_route_find(route, &params, goal, &start, 1, NULL), TR_NOT_FOUND); // it leads one way
    params.links |= TR_GROUND_LADDER;
    REQUIRE(tr_surface_route_find(route, &params, goal, &start, 1, NULL) == TR_OK);
    CHECK_NEAR(tr_surface_route_last(route).cost, 2 + 1 + 2, 0);
    CHECK_INT(tr_surface_route_close_link(route, 0, true), TR_OK);
    CHECK_INT(tr_surface_route_find(route, &params, goal, &start, 1, NULL), TR_NOT_FOUND);
    CHECK_INT(tr_surface_route_close_link(route, 0, false), TR_OK);
    CHECK_INT(tr_surface_route_find(route, &params, goal, &start, 1, NULL), TR_OK);
    CHECK_INT(tr_surface_route_close_link(route, 2, true), TR_INVALID);
    CHECK_INT(tr_surface_route_refine(route, TR_SURFACE_ROUTE_EVERY), TR_OK);
    CHECK_INT(tr_surface_route_set_links(route, NULL, 0, NULL), TR_OK);
    CHECK_INT(tr_surface_route_find(route, &params, goal, &start, 1, NULL), TR_NOT_FOUND);
    tr_surface_route_destroy(route);
    surface_route_world_end(&world);
}

TEST(links_stay_when_the_surface_is_made_anew) {
    const char *rows[] = {".....#.....", ".....#.....", ".....#.....", ".....#.....", ".....#....."};
    surface_route_world world = map_world(rows, 5);
    tr_surface_route *route = surface_route_world_route(&world, adult, 4);
    REQUIRE(route != NULL);
    tr_ground_link link = {TR_GROUND_LIFT,
                           surface_route_world_point(&world, 2, 2, 0),
                           surface_route_world_point(&world, 8, 2, 0),
                           true,
                           false,
                           0};
    REQUIRE(tr_surface_route_set_links(route, &link, 1, NULL) == TR_OK);
    surface_route_world_box(&world, 0, 0, 0, 0.3f, 0.3f, 0.3f, 0);
    surface_route_world_box(&world, 0, 2.2f, 0, 0.3f, 2.3f, 0.3f, 0);
    REQUIRE(tr_surface_build(world.surface, world.raster, world.scene, NULL) == TR_OK);
    tr_surface_route_params params = tr_surface_route_params_default();
    tr_vec3 goal = surface_route_world_point(&world, 7, 3, 0);
    tr_error error = {0};
    CHECK_INT(
        tr_surface_route_find(route, &params, surface_route_world_point(&world, 3, 1, 0), &goal, 1, &error),
        TR_INVALID);
    CHECK_CONTAINS(error.message, "refresh");
    CHECK_INT(tr_surface_route_mark_border(route, NULL, 0, NULL), TR_INVALID);
    CHECK_INT(tr_surface_route_set_links(route, &link, 1, NULL), TR_INVALID);
    CHECK_INT(tr_surface_route_refine(route, TR_SURFACE_ROUTE_EVERY), TR_INVALID);
    REQUIRE(tr_surface_route_refresh(route, NULL) == TR_OK);
    REQUIRE(tr_surface_route_find(route, &params, surface_route_world_point(&world, 3, 1, 0), &goal, 1,
                                  NULL) == TR_OK);
    CHECK_NEAR(tr_surface_route_last(route).cost, 2 + 1 + 2, 0);
    tr_surface_route_destroy(route);
    surface_route_world_end(&world);
}

static void check_refused(tr_surface_route *route, tr_surface_route_params params, tr_vec3 start,
                          tr_vec3 goal, const char *part) {
    tr_error error = {0};
    CHECK_INT(tr_surface_route_find(route, &params, start, &goal, 1, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, part);
}

TEST(bad_questions_get_a_sentence_and_leave_the_last_answer) {
    surface_route_world world = map_world(room, 6);
    tr_surface_route *route = surface_route_world_route(&world, adult, 4);
    REQUIRE(route != NULL);
    const tr_surface_route_params good = tr_surface_route_params_default();
    tr_vec3 start = surface_route_world_point(&world, 2, 2, 0),
            goal = surface_route_world_point(&world, 6, 3, 0);
    REQUIRE(tr_surface_route_find(route, &good, start, &goal, 1, NULL) == TR_OK);
    uint32_t count = tr_surface_route_last(route).cell_count;
    check_refused(route, good, tr_vec3_make(NAN, 0, 0), goal, "nan");
    check_refused(route, good, start, tr_vec3_make(0, INFINITY, 0), "inf");
    check_refused(route, good, start, tr_vec3_make(-5, 0, 1), "-5");
    tr_surface_route_params params = good;
    params.path = 6;
    check_refused(route, params, start, goal, "6");
    params = good, params.method = (tr_surface_route_method)9;
    check_refused(route, params, start, goal, "9");
    params = good, params.border = (tr_surface_route_border_use)5;
    check_refused(route, params, start, goal, "5");
    params = good, params.reach = -1;
    check_refused(route, params, start, goal, "reach");
    params = good, params.drop = NAN;
    check_refused(route, params, start, goal, "drop");
    params = good, params.up = INFINITY;
    check_refused(route, params, start, goal, "up");
    tr_vec3 goals[TR_SURFACE_ROUTE_GOALS_MAX + 1];
    for (uint32_t i = 0; i <= TR_SURFACE_ROUTE_GOALS_MAX; i++)
        goals[i] = goal;
    CHECK_INT(tr_surface_route_find(route, &good, start, goals, 0, NULL), TR_INVALID);
    CHECK_INT(tr_surface_route_find(route, &good, start, goals, TR_SURFACE_ROUTE_GOALS_MAX + 1, NULL),
              TR_INVALID);
    CHECK_INT(tr_surface_route_last(route).cell_count, count);
    CHECK_INT(tr_surface_route_find(route, &good, start, goals, TR_SURFACE_ROUTE_GOALS_MAX, NULL), TR_OK);
    tr_vec3 seed = tr_vec3_make(0, NAN, 0);
    CHECK_INT(tr_surface_route_mark_border(route, &seed, 1, NULL), TR_INVALID);
    seed = tr_vec3_make(-9, 0, 0);
    CHECK_INT(tr_surface_route_mark_border(route, &seed, 1, NULL), TR_NOT_FOUND);
    CHECK_INT(tr_surface_route_mark_border(route, goals, TR_SURFACE_ROUTE_GOALS_MAX + 1, NULL), TR_LIMIT);
    CHECK_INT(tr_surface_route_state_of(route, TR_NONE), TR_SURFACE_ROUTE_UNSEEN);
    tr_surface_route_destroy(route);
    tr_surface_route_destroy(NULL);
    surface_route_world_end(&world);
}

TEST(bad_people_and_links_are_refused_with_the_value) {
    surface_route_world world = map_world(room, 6);
    const struct {
        tr_ground_body person;
        uint32_t neighbours;
        tr_status status;
        const char *part;
    } bad[] = {
        {{0, 0, 0.9f, 0.4f}, 4, TR_INVALID, "height"},      {{NAN, 0, 0.9f, 0.4f}, 4, TR_INVALID, "nan"},
        {{1.8f, 0, 0, 0.4f}, 4, TR_INVALID, "span"},        {{1.8f, 0, 0.9f, -1}, 4, TR_INVALID, "-1"},
        {{1.8f, NAN, 0.9f, 0.4f}, 4, TR_INVALID, "radius"}, {{1.8f, 0, 0.9f, 1.8f}, 4, TR_INVALID, "1.8"},
        {{1.8f, 0, 0.9f, 0.4f}, 5, TR_INVALID, "5"},        {{3, 0, 0.9f, 0.4f}, 4, TR_LIMIT, "3.15"},
        {{1.8f, 0, 90, 0.4f}, 4, TR_LIMIT, "90"},           {{1.8f, 100, 0.9f, 0.4f}, 8, TR_LIMIT, "100"}};
    for (uint32_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        tr_surface_route_def def = {
            .surface = world.surface, .person = bad[i].person, .border_neighbours = bad[i].neighbours};
        tr_surface_route *route = NULL;
        tr_error error = {0};
        CHECK_INT(tr_surface_route_create(&def, &route, &error), bad[i].status);
        CHECK(route == NULL);
        CHECK_CONTAINS(error.message, bad[i].part);
    }
    tr_surface_route *route = surface_route_world_route(&world, adult, 4);
    REQUIRE(route != NULL);
    tr_vec3 on = surface_route_world_point(&world, 2, 2, 0), off = tr_vec3_make(-3, 0, 0);
    const tr_ground_link links[] = {{TR_GROUND_DOOR, on, off, true, false, 1},
                                    {TR_GROUND_DOOR, tr_vec3_make(NAN, 0, 0), on, true, false, 1},
                                    {(tr_ground_link_kind)3, on, on, true, false, 1},
                                    {TR_GROUND_DOOR, on, on, true, false, -1},
                                    {TR_GROUND_DOOR, on, on, true, false, INFINITY}};
    for (uint32_t i = 0; i < sizeof links / sizeof *links; i++) {
        tr_error error = {0};
        CHECK_INT(tr_surface_route_set_links(route, &links[i], 1, &error), TR_INVALID);
        CHECK_CONTAINS(error.message, "link 0");
    }
    tr_ground_link many[TR_GROUND_LINKS_MAX + 1];
    for (uint32_t i = 0; i <= TR_GROUND_LINKS_MAX; i++)
        many[i] =
            (tr_ground_link){TR_GROUND_OTHER, on, surface_route_world_point(&world, 4, 4, 0), true, false, 1};
    CHECK_INT(tr_surface_route_set_links(route, many, TR_GROUND_LINKS_MAX + 1, NULL), TR_LIMIT);
    CHECK_INT(tr_surface_route_set_links(route, many, TR_GROUND_LINKS_MAX, NULL), TR_OK);
    tr_surface_route_params params = tr_surface_route_params_default();
    tr_vec3 goal = surface_route_world_point(&world, 4, 4, 0);
    CHECK_INT(tr_surface_route_find(route, &params, on, &goal, 1, NULL), TR_OK);
    tr_surface_route_destroy(route);
    surface_route_world_end(&world);
}

TEST(empty_and_tiny_surfaces_have_no_ways_but_do_no_harm) {
    surface_route_world world = surface_route_world_begin();
    REQUIRE(surface_route_world_build(&world, 3, 3, 0.3f)); // nothing in it
    tr_surface_route *route = surface_route_world_route(&world, adult, 8);
    REQUIRE(route != NULL);
    tr_surface_route_params params = tr_surface_route_params_default();
    tr_vec3 point = {1, 1, 1};
    CHECK_INT(tr_surface_route_find(route, &params, point, &point, 1, NULL), TR_NOT_FOUND);
    CHECK_INT(tr_surface_route_last(route).start_fate, TR_SURFACE_ROUTE_NOWHERE);
    CHECK_INT(tr_surface_route_reached(route), 0);
    tr_surface_route_destroy(route);
    little_box(world.scene, little_make_box(0.02f, -0.1f, 0.02f, 0.1f, 0, 0.1f), 0);
    REQUIRE(surface_route_world_build(&world, 0.3f, 0.3f, 0.3f)); // a scene smaller than a cell
    route = surface_route_world_route(&world, adult, 8);
    REQUIRE(route != NULL);
    point = tr_vec3_make(0.05f, 0.1f, 0.05f);
    CHECK_INT(tr_surface_route_find(route, &params, point, &point, 1, NULL), TR_OK);
    CHECK_INT(tr_surface_route_last(route).cell_count, 1);
    CHECK_INT(tr_surface_route_border(route), 1);
    tr_surface_place bad = {.cell = 0, .column = 7, .row = 9};
    CHECK_INT(tr_surface_route_neighbour(route, &bad, 0, NULL).cell, TR_NONE);
    tr_surface_route_destroy(route);
    surface_route_world_end(&world);
}

TEST(a_way_back_and_forth_takes_two_bytes_a_cell_and_no_allocation) {
    surface_route_world world = surface_route_world_begin();
    little_box(world.scene, little_make_box(0, -0.2f, 0, 25, 0, 25), 0);
    REQUIRE(surface_route_world_build(&world, 25, 25, 0.25f));
    test_memory memory = {0};
    tr_allocator allocator = test_memory_allocator(&memory);
    tr_surface_route_def def = {
        .allocator = &allocator, .surface = world.surface, .person = adult, .border_neighbours = 4};
    tr_surface_route *route = NULL;
    REQUIRE(tr_surface_route_create(&def, &route, NULL) == TR_OK);
    uint64_t calls = memory.calls;
    tr_surface_route_params params = tr_surface_route_params_default();
    tr_vec3 ends[2] = {{1, 0, 1}, {24, 0, 23}};
    for (int i = 0; i < 6; i++) {
        params.method = i & 2 ? TR_SURFACE_ROUTE_FLOOD : TR_SURFACE_ROUTE_ASTAR;
        CHECK_INT(tr_surface_route_find(route, &params, ends[i & 1], &ends[~i & 1], 1, NULL), TR_OK);
        CHECK_INT(tr_surface_route_refine(route, TR_SURFACE_ROUTE_ALTERNATE), TR_OK);
    }
    CHECK_INT(memory.calls, calls);
    CHECK_INT(memory.live_bytes, tr_surface_route_bytes(route));
    CHECK(tr_surface_route_bytes(route) < 2 * tr_surface_cell_count(world.surface) + 20480);
    CHECK(tr_surface_route_surface(route) == world.surface && tr_surface_route_person(route)->height == 1.8f);
    tr_surface_route_destroy(route);
    CHECK_INT(memory.live_bytes, 0);
    surface_route_world_end(&world);
}

// Create, links, a path longer than usual (a winding corridor), refresh.
static bool attempt(const tr_allocator *allocator) {
    const char *rows[] = {"..................", "#################.", "..................",
                          ".#################", "..................", "#################.",
                          "..................", ".#################", "..................",
                          "#################.", "..................", ".#################",
                          "..................", "#################.", "..................",
                          ".#################", ".................."};
    surface_route_world world = map_world(rows, 17);
    tr_surface_route_def def = {.allocator = allocator,
                                .surface = world.surface,
                                .person = {1.8f, 0, 0.3f, 0.2f},
                                .border_neighbours = 4};
    tr_surface_route *route = NULL;
    tr_vec3 start = surface_route_world_point(&world, 0, 0, 0),
            goal = surface_route_world_point(&world, 17, 16, 0);
    tr_ground_link link = {TR_GROUND_LADDER, start, goal, true, false, 1};
    tr_surface_route_params params = tr_surface_route_params_default();
    params.border = TR_SURFACE_ROUTE_BORDER_IGNORE;
    tr_status status = tr_surface_route_create(&def, &route, NULL);
    if (status == TR_OK)
        status = tr_surface_route_set_links(route, &link, 1, NULL);
    if (status == TR_OK)
        status = tr_surface_route_find(route, &params, start, &goal, 1, NULL);
    if (status == TR_OK)
        CHECK_INT(tr_surface_route_last(route).cell_count, 9 * 18 + 8);
    if (status == TR_OK)
        status = tr_surface_route_refresh(route, NULL);
    CHECK(status == TR_OK || status == TR_OUT_OF_MEMORY);
    tr_surface_route_destroy(route);
    surface_route_world_end(&world);
    return status == TR_OK;
}

TEST(every_allocation_may_fail) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(attempt) >= 6);
}
