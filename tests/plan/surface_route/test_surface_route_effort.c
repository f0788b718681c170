// Ways of least effort against Dijkstra's search over an explicit graph, and what effort decides.
#include "surface_route_judge.h"
#include "test.h"

#define SIZE 3.6f

typedef struct effort_case {
    surface_route_world world;
    tr_surface_route *route;
    surface_route_judge judge;
    tr_surface_route_params params;
    double cell, unit;
    uint32_t standing[2000], standing_count;
    judge_link links[8]; // both ways where they are; `steps` is the cost
    uint32_t link_count;
} effort_case;

// The costs of the header of surface_route_effort.c, once more.
static uint64_t judge_height(const effort_case *one, int64_t from, int64_t to) {
    double metres = to > from ? (double)one->params.up : (double)one->params.down;
    uint64_t rate = (uint64_t)(metres * one->unit / one->cell * 128 * 65536 + 0.5);
    return (rate * (uint64_t)(to > from ? to - from : from - to) + 65535) / 65536;
}

static uint64_t judge_step(const effort_case *one, uint32_t a, uint32_t b, uint64_t level,
                           tr_surface_route_border_use border) {
    const judge_cell *from = &one->judge.cells[a], *to = &one->judge.cells[b];
    double rise = (double)(to->height - from->height) * one->unit / one->cell * 128;
    uint64_t cost = level;
    if (from->height != to->height)
        cost = (uint64_t)ceil(sqrt((double)(level * level) + rise * rise)) +
               judge_height(one, from->height, to->height);
    if (border == TR_SURFACE_ROUTE_BORDER_ALLOW && !judge_is_free(&one->judge, b))
        cost += 15 * level;
    return cost;
}

static void relax(effort_case *one, uint32_t a, uint32_t b, uint64_t cost, tr_surface_route_border_use border,
                  const bool *is_goal) {
    surface_route_judge *judge = &one->judge;
    if (border == TR_SURFACE_ROUTE_BORDER_AVOID && !judge_is_free(judge, b) && !is_goal[b])
        return;
    if (judge->costs[a] + cost < judge->costs[b])
        judge->costs[b] = judge->costs[a] + cost;
}

static uint32_t cheapest(const surface_route_judge *judge) {
    uint32_t at = TR_NONE;
    for (uint32_t i = 0; i < judge->count; i++)
        if (!judge->done[i] && judge->costs[i] != UINT64_MAX &&
            (at == TR_NONE || judge->costs[i] < judge->costs[at]))
            at = i;
    return at;
}

static void expand(effort_case *one, uint32_t at, tr_surface_route_border_use border, const bool *is_goal) {
    surface_route_judge *judge = &one->judge;
    const judge_cell *cell = &judge->cells[at];
    for (uint32_t k = 0; k < 4; k++) {
        if (cell->next[k] == TR_NONE)
            continue;
        uint64_t level = 128u * cell->steps[k];
        relax(one, at, cell->next[k], judge_step(one, at, cell->next[k], level, border), border, is_goal);
        uint32_t corner = judge->cells[cell->next[k]].next[(k + 1) & 3];
        if (corner != TR_NONE && judge_diagonal(judge, at, corner))
            relax(one, at, corner, judge_step(one, at, corner, 181, border), border, is_goal);
    }
    for (uint32_t i = 0; i < one->link_count; i++)
        if (one->links[i].from == at && one->links[i].to != at)
            relax(one, at, one->links[i].to, one->links[i].steps, border, is_goal);
}

static void judge_effort(effort_case *one, uint32_t start, tr_surface_route_border_use border,
                         const bool *is_goal) {
    surface_route_judge *judge = &one->judge;
    for (uint32_t i = 0; i < judge->count; i++) {
        judge->costs[i] = UINT64_MAX;
        judge->done[i] = false;
    }
    judge->costs[start] = 0;
    for (uint32_t at; (at = cheapest(judge)) != TR_NONE; judge->done[at] = true)
        expand(one, at, border, is_goal);
}

static tr_vec3 on_cell(const effort_case *one, uint32_t cell) {
    tr_surface_place place = tr_surface_find(one->world.surface, cell);
    return tr_surface_centre(one->world.surface, &place);
}

static uint32_t any_cell(const effort_case *one, tr_random *random) {
    return one->standing[tr_random_below(random, one->standing_count)];
}

static void add_links(effort_case *one, tr_random *random) {
    tr_ground_link links[4];
    uint32_t count = tr_random_below(random, 5);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t from = any_cell(one, random), to = any_cell(one, random);
        // On a whole number of units, so that no rounding is in doubt.
        uint32_t cost = tr_random_below(random, 400);
        links[i] = (tr_ground_link){TR_GROUND_LIFT,
                                    on_cell(one, from),
                                    on_cell(one, to),
                                    tr_random_below(random, 2) == 1,
                                    tr_random_below(random, 5) == 0,
                                    (float)(cost * one->cell / 128)};
        cost = (uint32_t)((double)links[i].cost / (double)(float)one->cell * 128 + 0.5);
        if (links[i].closed)
            continue;
        one->links[one->link_count++] = (judge_link){from, to, cost};
        if (links[i].both_ways)
            one->links[one->link_count++] = (judge_link){to, from, cost};
    }
    CHECK_INT(tr_surface_route_set_links(one->route, links, count, NULL), TR_OK);
}

static bool case_begin(effort_case *one, tr_random *random) {
    memset(one, 0, sizeof *one);
    one->world = surface_route_world_begin();
    surface_route_world_random(&one->world, random, SIZE, tr_random_below(random, 14));
    float cell = tr_random_between(random, 0.25f, 0.5f);
    uint32_t neighbours = 4 + 4 * tr_random_below(random, 2);
    tr_ground_body person = surface_route_random_person(random);
    if (!surface_route_world_build(&one->world, SIZE, SIZE, cell))
        return false;
    one->route = surface_route_world_route(&one->world, person, neighbours);
    one->judge = surface_route_judge_make(one->world.surface, person, neighbours);
    one->cell = (double)tr_surface_grid(one->world.surface)->grid.cell;
    one->unit = tr_surface_scale_of(one->world.surface).unit;
    for (uint32_t i = 0; i < one->judge.count && one->standing_count < 2000; i++) {
        one->judge.cells[i].reached = one->judge.cells[i].stands;
        if (one->judge.cells[i].stands)
            one->standing[one->standing_count++] = i;
    }
    judge_mark(&one->judge);
    one->params = tr_surface_route_params_default();
    one->params.method = TR_SURFACE_ROUTE_EFFORT;
    one->params.reach = 0;
    one->params.up = tr_random_between(random, 0, 6);
    one->params.down = tr_random_between(random, 0, 3);
    return one->route != NULL;
}

static void case_end(effort_case *one) {
    tr_surface_route_destroy(one->route);
    surface_route_judge_destroy(&one->judge);
    surface_route_world_end(&one->world);
}

// What the path costs, step by step; UINT64_MAX where a step is none.
static uint64_t path_cost(const effort_case *one, const tr_surface_route_result *result,
                          tr_surface_route_border_use border) {
    uint64_t cost = 0;
    for (uint32_t i = 1; i < result->cell_count; i++) {
        uint32_t a = result->cells[i - 1].cell, b = result->cells[i].cell;
        uint32_t direction = judge_direction(&one->judge, a, b);
        uint64_t step = UINT64_MAX;
        if (result->cells[i].link)
            for (uint32_t k = 0; k < one->link_count; k++)
                step = one->links[k].from == a && one->links[k].to == b && one->links[k].steps < step
                           ? one->links[k].steps
                           : step;
        else if (direction < 4)
            step = judge_step(one, a, b, 128u * one->judge.cells[a].steps[direction], border);
        else if (judge_diagonal(&one->judge, a, b))
            step = judge_step(one, a, b, 181, border);
        if (step == UINT64_MAX)
            return step;
        cost += step;
    }
    return cost;
}

// What the judge says: through border cells only where that is asked for and nothing else is left.
static uint64_t judged(effort_case *one, uint32_t start, const uint32_t *goals, uint32_t count,
                       tr_surface_route_border_use *border) {
    bool is_goal[2001] = {false};
    for (uint32_t i = 0; i < count; i++)
        is_goal[goals[i]] = true;
    tr_surface_route_border_use wanted = *border;
    *border = wanted == TR_SURFACE_ROUTE_BORDER_ALLOW ? TR_SURFACE_ROUTE_BORDER_AVOID : wanted;
    for (;;) {
        uint64_t least = UINT64_MAX;
        judge_effort(one, start, *border, is_goal);
        for (uint32_t i = 0; i < count; i++)
            least = one->judge.costs[goals[i]] < least ? one->judge.costs[goals[i]] : least;
        if (least != UINT64_MAX || wanted != TR_SURFACE_ROUTE_BORDER_ALLOW || *border == wanted)
            return least;
        *border = wanted;
    }
}

static bool ask(effort_case *one, tr_random *random, uint32_t number) {
    uint32_t start = any_cell(one, random), goals[12], count = 1;
    if (tr_random_below(random, 4) == 0)
        count += tr_random_below(random, 12);
    tr_vec3 points[12];
    for (uint32_t i = 0; i < count; i++) {
        goals[i] = any_cell(one, random);
        points[i] = on_cell(one, goals[i]);
    }
    tr_surface_route_border_use border = (tr_surface_route_border_use)tr_random_below(random, 3);
    one->params.border = border;
    tr_status status =
        tr_surface_route_find(one->route, &one->params, on_cell(one, start), points, count, NULL);
    tr_surface_route_result result = tr_surface_route_last(one->route);
    uint64_t expected = judged(one, start, goals, count, &border);
    if ((status == TR_OK) != (expected != UINT64_MAX)) {
        test_failed(__FILE__, __LINE__, "world %u: %s, expected cost %.0f", number, tr_status_name(status),
                    (double)expected);
        return false;
    }
    if (status != TR_OK)
        return true;
    uint64_t cost = path_cost(one, &result, border);
    uint64_t told = (uint64_t)(result.cost / one->cell * 128 + 0.5);
    bool at_goal = result.goal < count && result.cells[result.cell_count - 1].cell == goals[result.goal];
    if (cost != expected || told != expected || !at_goal || result.cells[0].cell != start) {
        test_failed(__FILE__, __LINE__, "world %u: the path costs %.0f, it says %.0f, the judge %.0f", number,
                    (double)cost, (double)told, (double)expected);
        return false;
    }
    return true;
}

TEST(ways_are_the_cheapest_of_all_by_an_explicit_graph) {
    tr_random random = tr_random_seed(501);
    for (uint32_t i = 0; i < 400; i++) {
        effort_case one;
        REQUIRE(case_begin(&one, &random));
        bool good = true;
        if (one.standing_count > 0) {
            add_links(&one, &random);
            for (uint32_t k = 0; k < 5 && good; k++)
                good = ask(&one, &random, i);
        }
        case_end(&one);
        if (!good)
            return;
    }
}

// Effort worth so much that totals no longer fit the buckets: the heap finds the same.
TEST(very_great_effort_is_searched_as_well) {
    tr_random random = tr_random_seed(502);
    for (uint32_t i = 0; i < 60; i++) {
        effort_case one;
        REQUIRE(case_begin(&one, &random));
        one.params.up = 3e4f;
        one.params.down = 1e4f;
        bool good = one.standing_count == 0 || (ask(&one, &random, i) && ask(&one, &random, i));
        case_end(&one);
        if (!good)
            return;
    }
}

// From one side of a wall to the other: a steep stair over it is short, a ramp over its lower end is long and
// gentle. Both go up and down again; the ramp not as far.
static void build_pass(surface_route_world *world) {
    little_box(world->scene, little_make_box(0, -0.3f, 0, 12, 0, 12), 0);
    for (int i = 0; i < 5; i++) { // 1.5 m high, in the middle of z
        float step = 0.3f * (float)(i + 1), from = 6 - 0.3f * (float)(5 - i) - 0.3f,
              to = 6 + 0.3f * (float)(5 - i) + 0.3f;
        surface_route_world_box(world, from, 0, 1.5f, to, step, 3, 0);
    }
    for (int i = 0; i < 3; i++) { // 0.3 m high at the far end
        float step = 0.1f * (float)(i + 1);
        surface_route_world_box(world, 6 - 0.6f * (float)(3 - i), 0, 9, 6 + 0.6f * (float)(3 - i), step,
                                10.5f, 0);
    }
    surface_route_world_box(world, 5.7f, 0, 0, 6.3f, 3, 1.5f, 0);
    surface_route_world_box(world, 5.7f, 0, 3, 6.3f, 3, 9, 0);
    surface_route_world_box(world, 5.7f, 0, 10.5f, 6.3f, 3, 12, 0);
}

static float highest(const tr_surface_route *route, tr_surface_route_result result) {
    tr_surface_scale scale = tr_surface_scale_of(tr_surface_route_surface(route));
    double high = 0;
    for (uint32_t i = 0; i < result.cell_count; i++) {
        double height = scale.bottom + result.cells[i].height * scale.unit;
        high = height > high ? height : high;
    }
    return (float)high;
}

TEST(the_worth_of_rising_decides_between_the_steep_stair_and_the_gentle_ramp) {
    surface_route_world world = surface_route_world_begin();
    build_pass(&world);
    REQUIRE(surface_route_world_build(&world, 12, 12, 0.3f));
    tr_ground_body person = {1.8f, 0, 0.3f, 0.35f};
    tr_surface_route *route = surface_route_world_route(&world, person, 4);
    tr_surface_route_params params = tr_surface_route_params_default();
    params.method = TR_SURFACE_ROUTE_EFFORT;
    params.border = TR_SURFACE_ROUTE_BORDER_ALLOW;
    tr_vec3 start = {2, 0.1f, 2.2f}, goal = {10, 0.1f, 2.2f};
    params.up = params.down = 0;
    REQUIRE(tr_surface_route_find(route, &params, start, &goal, 1, NULL) == TR_OK);
    CHECK_NEAR(highest(route, tr_surface_route_last(route)), 1.5, 0.05);
    double over = tr_surface_route_last(route).length;
    params.up = 8;
    params.down = 2;
    REQUIRE(tr_surface_route_find(route, &params, start, &goal, 1, NULL) == TR_OK);
    CHECK_NEAR(highest(route, tr_surface_route_last(route)), 0.3, 0.05);
    CHECK(tr_surface_route_last(route).length > over + 3);
    // A lift saves the effort: over the top once more, where it takes one up for little.
    tr_ground_link lift = {TR_GROUND_LIFT, {4, 0.1f, 2.2f}, {6, 1.6f, 2.2f}, true, false, 1.0f};
    params.down = 0;
    REQUIRE(tr_surface_route_set_links(route, &lift, 1, NULL) == TR_OK);
    REQUIRE(tr_surface_route_find(route, &params, start, &goal, 1, NULL) == TR_OK);
    CHECK_NEAR(highest(route, tr_surface_route_last(route)), 1.5, 0.05);
    uint32_t rides = 0;
    for (uint32_t i = 0; i < tr_surface_route_last(route).cell_count; i++)
        rides += tr_surface_route_last(route).cells[i].link == 1;
    CHECK_INT(rides, 1);
    tr_surface_route_destroy(route);
    surface_route_world_end(&world);
}

TEST(a_budget_cuts_the_search_short_and_more_of_it_finds_the_way) {
    surface_route_world world = surface_route_world_begin();
    build_pass(&world);
    REQUIRE(surface_route_world_build(&world, 12, 12, 0.3f));
    tr_surface_route *route = surface_route_world_route(&world, (tr_ground_body){1.8f, 0, 0.3f, 0.35f}, 4);
    tr_surface_route_params params = tr_surface_route_params_default();
    params.method = TR_SURFACE_ROUTE_EFFORT;
    params.border = TR_SURFACE_ROUTE_BORDER_ALLOW;
    params.budget.expansions = 20;
    tr_vec3 start = {2, 0.1f, 2.2f}, goal = {10, 0.1f, 2.2f};
    REQUIRE(tr_surface_route_find(route, &params, start, &goal, 1, NULL) == TR_PARTIAL);
    tr_surface_route_result result = tr_surface_route_last(route);
    CHECK_INT(result.counters.expanded, 20);
    CHECK_INT(result.goal, TR_NONE);
    REQUIRE(result.cell_count > 1);
    CHECK(result.cells[result.cell_count - 1].column > result.cells[0].column); // nearer to the goal
    params.budget.expansions = 0;
    CHECK_INT(tr_surface_route_find(route, &params, start, &goal, 1, NULL), TR_OK);
    tr_surface_route_destroy(route);
    surface_route_world_end(&world);
}

static surface_route_world shared_world;

static bool attempt(const tr_allocator *allocator) {
    tr_surface_route_def def = {allocator, shared_world.surface, {1.8f, 0, 0.3f, 0.35f}, 4};
    tr_surface_route *route;
    if (tr_surface_route_create(&def, &route, NULL) != TR_OK)
        return false;
    tr_surface_route_params params = tr_surface_route_params_default();
    params.method = TR_SURFACE_ROUTE_EFFORT;
    params.border = TR_SURFACE_ROUTE_BORDER_ALLOW;
    tr_vec3 start = {2, 0.1f, 2.2f}, goal = {10, 0.1f, 2.2f};
    tr_error error;
    tr_status status = tr_surface_route_find(route, &params, start, &goal, 1, &error);
    if (status == TR_OK) { // and the heap comes beside the buckets
        params.up = 1e6f;
        status = tr_surface_route_find(route, &params, start, &goal, 1, &error);
    }
    CHECK(status == TR_OK || status == TR_OUT_OF_MEMORY);
    tr_surface_route_destroy(route);
    return status == TR_OK;
}

TEST(every_failing_allocation_is_told_and_leaks_nothing) {
    shared_world = surface_route_world_begin();
    build_pass(&shared_world);
    REQUIRE(surface_route_world_build(&shared_world, 12, 12, 0.3f));
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(attempt) > 4);
    surface_route_world_end(&shared_world);
}

TEST(after_the_first_search_nothing_is_allocated) {
    surface_route_world world = surface_route_world_begin();
    build_pass(&world);
    REQUIRE(surface_route_world_build(&world, 12, 12, 0.3f));
    test_memory memory = {0};
    tr_allocator allocator = test_memory_allocator(&memory);
    tr_surface_route_def def = {&allocator, world.surface, {1.8f, 0, 0.3f, 0.35f}, 4};
    tr_surface_route *route;
    REQUIRE(tr_surface_route_create(&def, &route, NULL) == TR_OK);
    tr_surface_route_params params = tr_surface_route_params_default();
    params.method = TR_SURFACE_ROUTE_EFFORT;
    params.border = TR_SURFACE_ROUTE_BORDER_ALLOW;
    tr_vec3 start = {2, 0.1f, 2.2f}, goal = {10, 0.1f, 2.2f}, near_by = {3, 0.1f, 9};
    CHECK_INT(tr_surface_route_find(route, &params, start, &goal, 1, NULL), TR_OK);
    uint64_t calls = memory.calls;
    for (int i = 0; i < 300; i++)
        CHECK_INT(
            tr_surface_route_find(route, &params, i & 1 ? start : goal, i % 3 ? &near_by : &goal, 1, NULL),
            TR_OK);
    CHECK_INT(memory.calls, calls);
    tr_surface_route_destroy(route);
    CHECK_INT(memory.live_bytes, 0);
    surface_route_world_end(&world);
}
