// The wavefront where it is hard: long ways, queues without room, steps that lead one way, budgets, wide
// borders.
#include "surface_route_judge.h"
#include "plan/surface_route/surface_route_data.h"

// Floors at random heights with holes: many steps across gaps lead one way, and ways are long.
static void random_map(tr_random *random, uint32_t columns, uint32_t rows, char (*text)[64],
                       const char **lines) {
    static const char kinds[] = "....  135#xv";
    for (uint32_t row = 0; row < rows; row++) {
        for (uint32_t column = 0; column < columns; column++)
            text[row][column] = kinds[tr_random_below(random, sizeof kinds - 1)];
        text[row][columns] = 0;
        lines[row] = text[row];
    }
}

// A corridor one cell wide that winds through the whole map.
static void serpentine(uint32_t columns, uint32_t rows, char (*text)[64], const char **lines) {
    for (uint32_t row = 0; row < rows; row++) {
        memset(text[row], row % 2 ? '#' : '.', columns);
        if (row % 2)
            text[row][row % 4 == 1 ? columns - 1 : 0] = '.';
        text[row][columns] = 0;
        lines[row] = text[row];
    }
}

static uint64_t judged_cost(surface_route_judge *judge, uint32_t start, uint32_t goal) {
    bool *none = calloc(judge->count, sizeof *none);
    judge_dijkstra(judge, start, TR_SURFACE_ROUTE_BORDER_IGNORE, none, NULL, 0);
    free(none);
    return judge->costs[goal];
}

// Each move of the path is one of the graph, and their costs are the result's.
static bool adds_up(const surface_route_judge *judge, const tr_surface_route_result *result) {
    uint64_t cost = 0;
    for (uint32_t i = 1; i < result->cell_count; i++) {
        uint32_t from = result->cells[i - 1].cell, to = result->cells[i].cell;
        uint32_t direction = judge_direction(judge, from, to);
        if (direction == 4 && !judge_diagonal(judge, from, to))
            return false;
        cost += direction == 4 ? 2 : judge->cells[from].steps[direction];
    }
    return (double)cost == result->cost;
}

static bool same_as_judge(tr_surface_route *route, surface_route_judge *judge,
                          const surface_route_world *world, uint32_t start, uint32_t goal,
                          tr_surface_route_method method) {
    tr_surface_route_params params = tr_surface_route_params_default();
    params.border = TR_SURFACE_ROUTE_BORDER_IGNORE;
    params.method = method;
    tr_surface_place places[2] = {tr_surface_find(world->surface, start),
                                  tr_surface_find(world->surface, goal)};
    tr_vec3 end = tr_surface_centre(world->surface, &places[1]);
    tr_status status =
        tr_surface_route_find(route, &params, tr_surface_centre(world->surface, &places[0]), &end, 1, NULL);
    tr_surface_route_result result = tr_surface_route_last(route);
    uint64_t cost = judged_cost(judge, start, goal);
    if (cost == UINT64_MAX)
        return status == TR_NOT_FOUND;
    return status == TR_OK && (uint64_t)result.cost == cost && adds_up(judge, &result) &&
           result.cells[0].cell == start && result.cells[result.cell_count - 1].cell == goal;
}

TEST(ways_longer_than_a_byte_of_cost_are_exact) {
    static char text[41][64];
    const char *lines[41];
    serpentine(40, 41, text, lines);
    surface_route_world world = surface_route_world_begin();
    REQUIRE(surface_route_world_map(&world, lines, 41));
    tr_ground_body person = {1.8f, 0, 0.3f, 0.45f};
    tr_surface_route *route = surface_route_world_route(&world, person, 4);
    surface_route_judge judge = surface_route_judge_make(world.surface, person, 4);
    uint32_t first = surface_route_world_place(&world, 0, 0, 0).cell,
             last = surface_route_world_place(&world, 39, 40, 0).cell;
    for (int i = 0; i < 40; i++) // more than there are stamps
        CHECK(same_as_judge(route, &judge, &world, i & 1 ? last : first, i & 1 ? first : last,
                            i & 2 ? TR_SURFACE_ROUTE_FLOOD : TR_SURFACE_ROUTE_ASTAR));
    CHECK(tr_surface_route_last(route).cost > 800);
    tr_surface_route_destroy(route);
    surface_route_judge_destroy(&judge);
    surface_route_world_end(&world);
}

TEST(steps_that_lead_one_way_are_followed_that_way) {
    static char text[24][64];
    const char *lines[24];
    tr_random random = tr_random_seed(31);
    for (uint32_t i = 0; i < 60; i++) {
        random_map(&random, 24, 24, text, lines);
        surface_route_world world = surface_route_world_begin();
        REQUIRE(surface_route_world_map(&world, lines, 24));
        tr_ground_body person = {1.7f, 0, 0.3f * (float)(1 + tr_random_below(&random, 5)), 0.25f};
        tr_surface_route *route = surface_route_world_route(&world, person, 4);
        surface_route_judge judge = surface_route_judge_make(world.surface, person, 4);
        bool same = true;
        for (uint32_t k = 0; k < 12 && same; k++) {
            uint32_t start = tr_random_below(&random, judge.count),
                     goal = tr_random_below(&random, judge.count);
            if (judge.cells[start].stands && judge.cells[goal].stands)
                same = same_as_judge(route, &judge, &world, start, goal,
                                     k & 1 ? TR_SURFACE_ROUTE_FLOOD : TR_SURFACE_ROUTE_ASTAR);
        }
        tr_surface_route_destroy(route);
        surface_route_judge_destroy(&judge);
        surface_route_world_end(&world);
        if (!same) {
            test_failed(__FILE__, __LINE__, "in map %u", i);
            return;
        }
    }
}

// Two lifts lead to one landing, the wrong one first, from a place whose cost looks like the right one's when
// it is known modulo 256 only: there are more ways back from it than can be tried one by one.
TEST(a_link_that_looks_right_is_not_followed_back_in_every_way) {
    surface_route_world world = surface_route_world_begin();
    surface_route_world_box(&world, 0, -0.2f, 0, 60, 0, 60, 0);
    surface_route_world_box(&world, 70.2f, -0.2f, 0, 159.9f, 0, 6, 0);
    REQUIRE(surface_route_world_build(&world, 159.9f, 60, 0.3f));
    tr_surface_route *route = surface_route_world_route(&world, tr_surface_route_body_of_height(1.8f), 4);
    REQUIRE(route != NULL);
    tr_vec3 landing = surface_route_world_point(&world, 240, 10, 0),
            start = surface_route_world_point(&world, 5, 5, 0),
            goal = surface_route_world_point(&world, 520, 10, 0);
    const tr_ground_link links[2] = {
        {TR_GROUND_LIFT, surface_route_world_point(&world, 155, 155, 0), landing, false, false, 3},
        {TR_GROUND_LIFT, surface_route_world_point(&world, 27, 27, 0), landing, false, false,
         3}}; // 256 steps nearer
    REQUIRE(tr_surface_route_set_links(route, links, 2, NULL) == TR_OK);
    for (uint32_t i = 0; i < 4; i++) {
        tr_surface_route_params params = tr_surface_route_params_default();
        params.method = i & 1 ? TR_SURFACE_ROUTE_ASTAR : TR_SURFACE_ROUTE_FLOOD;
        params.path = i & 2 ? 8 : 4;
        REQUIRE(tr_surface_route_find(route, &params, start, &goal, 1, NULL) == TR_OK);
        tr_surface_route_result way = tr_surface_route_last(route);
        uint32_t taken = 0;
        for (uint32_t k = 0; k < way.cell_count; k++)
            taken = way.cells[k].link ? way.cells[k].link : taken;
        CHECK_INT(taken, 2);
        CHECK_INT(way.cost, 44 + 10 + 280);
    }
    tr_surface_route_destroy(route);
    surface_route_world_end(&world);
}

// As if the front were far wider than usual: only a few cells can wait in the queue at a time.
TEST(a_queue_without_room_finds_the_same_ways) {
    static char text[24][64];
    const char *lines[24];
    tr_random random = tr_random_seed(32);
    for (uint32_t i = 0; i < 25; i++) {
        random_map(&random, 20, 20, text, lines);
        surface_route_world world = surface_route_world_begin();
        REQUIRE(surface_route_world_map(&world, lines, 20));
        tr_ground_body person = {1.7f, 0, 0.9f, 0.45f};
        tr_surface_route *route = surface_route_world_route(&world, person, 4);
        surface_route_judge judge = surface_route_judge_make(world.surface, person, 4);
        uint32_t entries = route->entry_count;
        route->entry_count = 1 + tr_random_below(&random, 6);
        bool same = true;
        for (uint32_t k = 0; k < 10 && same; k++) {
            uint32_t start = tr_random_below(&random, judge.count),
                     goal = tr_random_below(&random, judge.count);
            if (judge.cells[start].stands && judge.cells[goal].stands)
                same = same_as_judge(route, &judge, &world, start, goal,
                                     k & 1 ? TR_SURFACE_ROUTE_FLOOD : TR_SURFACE_ROUTE_ASTAR);
        }
        uint32_t seed = 0;
        while (seed + 1 < judge.count && !judge.cells[seed].stands)
            seed++;
        tr_surface_place place = tr_surface_find(world.surface, seed);
        tr_vec3 point = tr_surface_centre(world.surface, &place);
        CHECK_INT(tr_surface_route_mark_border(route, &point, 1, NULL), TR_OK);
        judge_flood(&judge, seed);
        uint32_t reached = 0;
        for (uint32_t k = 0; k < judge.count; k++)
            reached += judge.cells[k].reached;
        CHECK_INT(tr_surface_route_reached(route), reached);
        route->entry_count = entries;
        tr_surface_route_destroy(route);
        surface_route_judge_destroy(&judge);
        surface_route_world_end(&world);
        REQUIRE(same);
    }
}

TEST(a_budget_gives_a_way_to_the_nearest_cell_and_more_of_it_a_nearer_one) {
    static char text[41][64];
    const char *lines[41];
    serpentine(40, 21, text, lines);
    surface_route_world world = surface_route_world_begin();
    REQUIRE(surface_route_world_map(&world, lines, 21));
    tr_ground_body person = {1.8f, 0, 0.3f, 0.45f};
    tr_surface_route *route = surface_route_world_route(&world, person, 4);
    surface_route_judge judge = surface_route_judge_make(world.surface, person, 4);
    tr_surface_route_params params = tr_surface_route_params_default();
    params.border = TR_SURFACE_ROUTE_BORDER_IGNORE;
    tr_vec3 start = surface_route_world_point(&world, 0, 0, 0),
            goal = surface_route_world_point(&world, 39, 20, 0);
    int32_t nearest = INT32_MAX;
    tr_status status = TR_PARTIAL;
    for (params.budget.expansions = 1; status == TR_PARTIAL; params.budget.expansions += 37) {
        status = tr_surface_route_find(route, &params, start, &goal, 1, NULL);
        tr_surface_route_result result = tr_surface_route_last(route);
        const tr_surface_route_cell *last = &result.cells[result.cell_count - 1];
        int32_t away = 39 - last->column + 20 - last->row;
        CHECK(result.cell_count > 0 && away <= nearest && adds_up(&judge, &result));
        CHECK(result.counters.expanded <= params.budget.expansions);
        CHECK_INT(result.goal, status == TR_OK ? 0 : TR_NONE);
        nearest = away;
    }
    CHECK_INT(status, TR_OK);
    CHECK_INT(nearest, 0);
    params.budget = (tr_search_budget){0, 1};
    status = tr_surface_route_find(route, &params, start, &goal, 1, NULL);
    CHECK(status == TR_OK || status == TR_PARTIAL);
    tr_surface_route_destroy(route);
    surface_route_judge_destroy(&judge);
    surface_route_world_end(&world);
}

// On a level floor the border is an exact disc around each hole, measured between the squares of cells.
TEST(a_radius_grows_holes_by_the_distance_between_cells) {
    tr_random random = tr_random_seed(33);
    static char text[20][64];
    const char *lines[20];
    for (uint32_t i = 0; i < 60; i++) {
        for (uint32_t row = 0; row < 20; row++) {
            for (uint32_t column = 0; column < 22; column++)
                text[row][column] = tr_random_below(&random, 60) ? '.' : '#';
            text[row][22] = 0;
            lines[row] = text[row];
        }
        surface_route_world world = surface_route_world_begin();
        REQUIRE(surface_route_world_map(&world, lines, 20));
        tr_ground_body person = {1.8f, tr_random_between(&random, 0.01f, 1.5f), 0.3f, 0.45f};
        tr_surface_route *route =
            surface_route_world_route(&world, person, 4 + 4 * tr_random_below(&random, 2));
        REQUIRE(route != NULL && tr_surface_route_mark_border(route, NULL, 0, NULL) == TR_OK);
        double radius = (double)(person.radius / 0.3f);
        for (int32_t row = 0; row < 20; row++)
            for (int32_t column = 0; column < 22; column++) {
                double nearest = INFINITY;
                for (int32_t z = -1; z <= 20; z++)
                    for (int32_t x = -1; x <= 22; x++) {
                        bool is_hole = x < 0 || z < 0 || x == 22 || z == 20 || text[z][x] == '#';
                        double across = abs(x - column) > 1 ? abs(x - column) - 1 : 0,
                               along = abs(z - row) > 1 ? abs(z - row) - 1 : 0;
                        double away = across * across + along * along;
                        nearest = is_hole && away < nearest ? away : nearest;
                    }
                if (text[row][column] == '#')
                    continue;
                uint32_t cell = surface_route_world_place(&world, (uint32_t)column, (uint32_t)row, 0).cell;
                CHECK_INT(tr_surface_route_state_of(route, cell),
                          nearest < radius * radius ? TR_SURFACE_ROUTE_BORDER : TR_SURFACE_ROUTE_FREE);
            }
        tr_surface_route_destroy(route);
        surface_route_world_end(&world);
    }
}
