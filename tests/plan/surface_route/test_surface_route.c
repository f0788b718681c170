// Who reaches whom, the border, and ways, on thousands of little random worlds against an explicit graph.
#include "surface_route_judge.h"

#define SIZE 3.6f

// One world, one person, the judge's answer to everything.
typedef struct surface_route_case {
    surface_route_world world;
    tr_surface_route *route;
    surface_route_judge judge;
    tr_ground_body person;
    uint32_t standing[2000];
    uint32_t standing_count;
} surface_route_case;

static bool case_begin(surface_route_case *one, tr_random *random) {
    one->world = surface_route_world_begin();
    surface_route_world_random(&one->world, random, SIZE, tr_random_below(random, 14));
    float cell = tr_random_between(random, 0.2f, 0.45f);
    uint32_t neighbours = 4 + 4 * tr_random_below(random, 2);
    one->person = surface_route_random_person(random);
    one->route = NULL;
    one->standing_count = 0;
    if (!surface_route_world_build(&one->world, SIZE, SIZE, cell))
        return false;
    one->route = surface_route_world_route(&one->world, one->person, neighbours);
    one->judge = surface_route_judge_make(one->world.surface, one->person, neighbours);
    for (uint32_t i = 0; i < one->judge.count && one->standing_count < 2000; i++)
        if (one->judge.cells[i].stands)
            one->standing[one->standing_count++] = i;
    return one->route != NULL;
}

static void case_end(surface_route_case *one) {
    tr_surface_route_destroy(one->route);
    surface_route_judge_destroy(&one->judge);
    surface_route_world_end(&one->world);
}

static tr_vec3 on_cell(const surface_route_case *one, uint32_t cell) {
    tr_surface_place place = tr_surface_find(one->world.surface, cell);
    return tr_surface_centre(one->world.surface, &place);
}

static bool same_neighbours(const surface_route_case *one) {
    for (uint32_t i = 0; i < one->judge.count; i++) {
        const judge_cell *cell = &one->judge.cells[i];
        tr_surface_place from =
            tr_surface_place_of(one->world.surface, (uint32_t)cell->column, (uint32_t)cell->row, cell->index);
        for (uint32_t direction = 0; direction < 4; direction++) {
            tr_obstacle obstacle;
            tr_surface_place to = tr_surface_route_neighbour(one->route, &from, direction, &obstacle);
            bool is_far = obstacle == TR_OBSTACLE_CROSS || obstacle == TR_OBSTACLE_STEP_OVER;
            if (to.cell != cell->next[direction] || (to.cell != TR_NONE) != (obstacle < TR_OBSTACLE_CLIMB) ||
                (cell->steps[direction] > 1) != is_far) {
                test_failed(__FILE__, __LINE__, "cell %u direction %u: neighbour %u (%d), expected %u", i,
                            direction, to.cell, (int)obstacle, cell->next[direction]);
                return false;
            }
        }
    }
    return true;
}

TEST(neighbours_are_those_of_the_explicit_graph) {
    tr_random random = tr_random_seed(11);
    uint64_t across = 0, one_way = 0;
    for (uint32_t i = 0; i < 700; i++) {
        surface_route_case one;
        REQUIRE(case_begin(&one, &random));
        bool same = same_neighbours(&one);
        for (uint32_t k = 0; k < one.judge.count; k++)
            for (uint32_t direction = 0; direction < 4; direction++) {
                uint32_t next = one.judge.cells[k].next[direction];
                bool is_far = one.judge.cells[k].steps[direction] > 1;
                across += is_far;
                one_way += is_far && one.judge.cells[next].next[direction ^ 2] != k;
            }
        case_end(&one);
        if (!same) {
            test_failed(__FILE__, __LINE__, "in world %u", i);
            return;
        }
    }
    CHECK(across > 1000 && one_way > 10); // the worlds are worth their while
}

static bool same_border(surface_route_case *one, const char *how, uint32_t number) {
    uint32_t reached = 0, border = 0;
    judge_mark(&one->judge);
    for (uint32_t i = 0; i < one->judge.count; i++) {
        const judge_cell *cell = &one->judge.cells[i];
        tr_surface_route_state expected = !cell->reached ? TR_SURFACE_ROUTE_UNSEEN
                                          : cell->border ? TR_SURFACE_ROUTE_BORDER
                                                         : TR_SURFACE_ROUTE_FREE;
        reached += cell->reached;
        border += cell->reached && cell->border;
        if (tr_surface_route_state_of(one->route, i) != expected) {
            test_failed(__FILE__, __LINE__, "%s, world %u, cell %u at %d, %d: state %d, expected %d", how,
                        number, i, cell->column, cell->row, (int)tr_surface_route_state_of(one->route, i),
                        (int)expected);
            return false;
        }
    }
    CHECK_INT(tr_surface_route_reached(one->route), reached);
    CHECK_INT(tr_surface_route_border(one->route), border);
    return true;
}

TEST(border_cells_are_those_of_the_explicit_graph) {
    tr_random random = tr_random_seed(12);
    for (uint32_t i = 0; i < 800; i++) {
        surface_route_case one;
        REQUIRE(case_begin(&one, &random));
        bool same = true;
        if (tr_random_below(&random, 2) || one.standing_count == 0) {
            CHECK_INT(tr_surface_route_mark_border(one.route, NULL, 0, NULL), TR_OK);
            for (uint32_t k = 0; k < one.judge.count; k++)
                one.judge.cells[k].reached = one.judge.cells[k].stands;
            same = same_border(&one, "everywhere", i);
        } else {
            uint32_t seed = one.standing[tr_random_below(&random, one.standing_count)];
            uint32_t other = one.standing[tr_random_below(&random, one.standing_count)];
            tr_vec3 seeds[2] = {on_cell(&one, seed), on_cell(&one, other)};
            CHECK_INT(tr_surface_route_mark_border(one.route, seeds, 2, NULL), TR_OK);
            judge_flood(&one.judge, seed);
            judge_flood(&one.judge, other);
            same = same_border(&one, "from seeds", i);
        }
        case_end(&one);
        if (!same)
            return;
    }
}

// The cost of a path by its cells, checked step by step; UINT64_MAX when something is wrong.
static uint64_t path_cost(const surface_route_case *one, const tr_surface_route_result *result,
                          tr_surface_route_border_use border, uint32_t neighbours, const judge_link *links,
                          uint32_t link_count) {
    const surface_route_judge *judge = &one->judge;
    uint64_t cost = 0;
    for (uint32_t i = 1; i < result->cell_count; i++) {
        uint32_t from = result->cells[i - 1].cell, to = result->cells[i].cell, steps = 0;
        uint32_t direction = judge_direction(judge, from, to);
        if (result->cells[i].link) {
            for (uint32_t k = 0; k < link_count; k++)
                if (links[k].from == from && links[k].to == to && k / 2 + 1 == result->cells[i].link)
                    steps = links[k].steps;
        } else if (direction < 4) {
            steps = judge->cells[from].steps[direction];
        } else if (neighbours == 8 && judge_diagonal(judge, from, to)) {
            const judge_cell *at = &judge->cells[from], *end = &judge->cells[to];
            uint32_t side = at->next[end->column > at->column ? 0 : 2];
            uint32_t other = at->next[end->row > at->row ? 1 : 3];
            uint64_t a = judge_entry(judge, border, side, 1), b = judge_entry(judge, border, other, 1);
            bool avoid = border == TR_SURFACE_ROUTE_BORDER_AVOID;
            CHECK(!avoid || judge_is_free(judge, side) || judge_is_free(judge, other) || i == 1 ||
                  i + 1 == result->cell_count);
            cost += a < b ? a : b;
            steps = 1;
        }
        if (steps == 0)
            return UINT64_MAX;
        bool is_end = i + 1 == result->cell_count;
        if (border == TR_SURFACE_ROUTE_BORDER_AVOID && !is_end && !judge_is_free(judge, to))
            return UINT64_MAX;
        cost += judge_entry(judge, border, to, steps);
    }
    return cost;
}

static bool fields_fit(const surface_route_case *one, const tr_surface_route_result *result) {
    double length = 0, side = tr_surface_grid(one->world.surface)->grid.cell;
    uint32_t border = 0;
    for (uint32_t i = 0; i < result->cell_count; i++) {
        const tr_surface_route_cell *cell = &result->cells[i], *last = i ? cell - 1 : cell;
        const judge_cell *known = &one->judge.cells[cell->cell];
        if (known->column != cell->column || known->row != cell->row || known->height != cell->height)
            return false;
        border += known->border;
        double x = side * (cell->column - last->column), z = side * (cell->row - last->row),
               y = tr_surface_scale_of(one->world.surface).unit * (cell->height - last->height);
        length += sqrt(x * x + y * y + z * z);
        int32_t apart = abs(cell->column - last->column) + abs(cell->row - last->row);
        bool is_single = apart < 2 || (cell->column != last->column && cell->row != last->row);
        if (cell->link == 0 && is_single != (cell->obstacle <= TR_OBSTACLE_STEP_DOWN))
            return false;
    }
    CHECK_NEAR(result->length, length, 1e-9);
    CHECK_INT(result->border_cells, border);
    return true;
}

static void random_links(surface_route_case *one, tr_random *random, judge_link *links, uint32_t *count) {
    tr_ground_link given[3];
    uint32_t given_count = tr_random_below(random, 4);
    *count = 0;
    for (uint32_t i = 0; i < given_count; i++) {
        uint32_t from = one->standing[tr_random_below(random, one->standing_count)];
        uint32_t to = one->standing[tr_random_below(random, one->standing_count)];
        static const tr_ground_link_kind kinds[4] = {TR_GROUND_DOOR, TR_GROUND_LIFT, TR_GROUND_LADDER,
                                                     TR_GROUND_OTHER};
        tr_ground_link_kind kind = kinds[tr_random_below(random, 4)];
        bool both_ways = tr_random_below(random, 2), closed = tr_random_below(random, 5) == 0;
        float cost = tr_random_between(random, 0, 6);
        given[i] = (tr_ground_link){kind, on_cell(one, from), on_cell(one, to), both_ways, closed, cost};
        uint32_t steps =
            (uint32_t)ceil((double)cost / tr_surface_grid(one->world.surface)->grid.cell - 0.001);
        steps = steps < 1 ? 1 : steps;
        bool is_used = kind != TR_GROUND_LADDER && !closed; // as in the default params
        links[*count] = (judge_link){is_used ? from : TR_NONE, to, steps};
        links[*count + 1] = (judge_link){is_used && both_ways ? to : TR_NONE, from, steps};
        *count += 2;
    }
    tr_error error = {0};
    if (tr_surface_route_set_links(one->route, given, given_count, &error) != TR_OK)
        test_failed(__FILE__, __LINE__, "%s", error.message);
}

// One question; false when the answers differ.
static bool same_answer(surface_route_case *one, tr_random *random, const judge_link *links,
                        uint32_t link_count) {
    tr_surface_route_params params = tr_surface_route_params_default();
    params.method = tr_random_below(random, 2) ? TR_SURFACE_ROUTE_FLOOD : TR_SURFACE_ROUTE_ASTAR;
    params.path = 4 + 4 * tr_random_below(random, 2);
    params.border = (tr_surface_route_border_use)tr_random_below(random, 3);
    params.reach = 0;
    uint32_t goal_count = 1 + tr_random_below(random, 3), goals[3];
    uint32_t start = one->standing[tr_random_below(random, one->standing_count)];
    tr_vec3 points[3];
    bool *is_goal = calloc(one->judge.count, sizeof *is_goal);
    for (uint32_t i = 0; i < goal_count; i++) {
        goals[i] = one->standing[tr_random_below(random, one->standing_count)];
        points[i] = on_cell(one, goals[i]);
        is_goal[goals[i]] = true;
    }
    tr_status status =
        tr_surface_route_find(one->route, &params, on_cell(one, start), points, goal_count, NULL);
    tr_surface_route_result result = tr_surface_route_last(one->route);
    tr_surface_route_border_use used =
        params.border == TR_SURFACE_ROUTE_BORDER_ALLOW ? TR_SURFACE_ROUTE_BORDER_AVOID : params.border;
    uint64_t best = UINT64_MAX;
    bool leads_through = false;
    for (uint32_t pass = 0; pass < 2 && best == UINT64_MAX; pass++) {
        if (pass == 1 && params.border == TR_SURFACE_ROUTE_BORDER_IGNORE)
            break;
        used = pass == 0                                        ? used
               : params.border == TR_SURFACE_ROUTE_BORDER_ALLOW ? TR_SURFACE_ROUTE_BORDER_ALLOW
                                                                : TR_SURFACE_ROUTE_BORDER_IGNORE;
        judge_dijkstra(&one->judge, start, used, is_goal, links, link_count);
        for (uint32_t i = 0; i < goal_count; i++)
            best = one->judge.costs[goals[i]] < best ? one->judge.costs[goals[i]] : best;
        leads_through = pass == 1 && best != UINT64_MAX && params.border == TR_SURFACE_ROUTE_BORDER_AVOID;
    }
    free(is_goal);
    if (best == UINT64_MAX || leads_through) {
        CHECK(result.cell_count == 0 && result.goal == TR_NONE);
        return status == TR_NOT_FOUND && result.border_leads_through == leads_through;
    }
    if (status != TR_OK || (uint64_t)result.cost != best || result.goal >= goal_count)
        return false;
    bool joined =
        result.cells[0].cell == start && result.cells[result.cell_count - 1].cell == goals[result.goal];
    uint64_t walked = path_cost(one, &result, used, params.path, links, link_count);
    return joined && walked == best && fields_fit(one, &result);
}

TEST(ways_cost_what_the_explicit_graph_says) {
    tr_random random = tr_random_seed(13);
    for (uint32_t i = 0; i < 500; i++) {
        surface_route_case one;
        REQUIRE(case_begin(&one, &random));
        judge_link links[6];
        uint32_t link_count = 0;
        for (uint32_t k = 0; k < one.judge.count; k++)
            one.judge.cells[k].reached = one.judge.cells[k].stands;
        judge_mark(&one.judge);
        bool same = true;
        if (one.standing_count)
            random_links(&one, &random, links, &link_count);
        for (uint32_t k = 0; k < 8 && same && one.standing_count; k++)
            same = same_answer(&one, &random, links, link_count);
        case_end(&one);
        if (!same) {
            test_failed(__FILE__, __LINE__, "in world %u", i);
            return;
        }
    }
}
