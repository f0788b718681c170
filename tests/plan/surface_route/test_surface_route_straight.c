// Lines over a surface: every piece walked again in little steps over an explicit graph, and lengths against
// the shortest lines there are.
#include "surface_route_judge.h"
#include "plan/route/line_of_sight_oracle.h"
#include "test.h"

#define SIZE 3.6f
#define POINTS 600

typedef struct line_case {
    surface_route_world world;
    tr_surface_route *route;
    surface_route_judge judge;
    uint32_t standing[2000], standing_count;
} line_case;

static bool case_begin(line_case *one, tr_random *random) {
    memset(one, 0, sizeof *one);
    one->world = surface_route_world_begin();
    surface_route_world_random(&one->world, random, SIZE, tr_random_below(random, 14));
    float cell = tr_random_between(random, 0.2f, 0.45f);
    tr_ground_body person = surface_route_random_person(random);
    if (!surface_route_world_build(&one->world, SIZE, SIZE, cell))
        return false;
    one->route = surface_route_world_route(&one->world, person, 4);
    one->judge = surface_route_judge_make(one->world.surface, person, 4);
    for (uint32_t i = 0; i < one->judge.count && one->standing_count < 2000; i++) {
        one->judge.cells[i].reached = one->judge.cells[i].stands;
        if (one->judge.cells[i].stands)
            one->standing[one->standing_count++] = i;
    }
    judge_mark(&one->judge);
    return one->route != NULL;
}

static void case_end(line_case *one) {
    tr_surface_route_destroy(one->route);
    surface_route_judge_destroy(&one->judge);
    surface_route_world_end(&one->world);
}

static tr_vec3 on_cell(const line_case *one, uint32_t cell) {
    tr_surface_place place = tr_surface_find(one->world.surface, cell);
    return tr_surface_centre(one->world.surface, &place);
}

// The cell that a walk along the line leads to, TR_NONE where it is blocked. All cells that the closed line
// comes into, in order: by the moments when it crosses a border, as fractions.
static uint32_t walk(const surface_route_judge *judge, uint32_t cell, oracle_point a, oracle_point b,
                     uint32_t *border) {
    int64_t dx = b.x - a.x, dz = b.z - a.z, wide = dx < 0 ? -dx : dx, deep = dz < 0 ? -dz : dz;
    int64_t column = a.x / 256, row = a.z / 256;
    while (cell != TR_NONE && (column != b.x / 256 || row != b.z / 256)) {
        int64_t to_x = dx > 0 ? (column + 1) * 256 - a.x : a.x - column * 256,
                to_z = dz > 0 ? (row + 1) * 256 - a.z : a.z - row * 256;
        // to_x / wide against to_z / deep
        bool first_x = column != b.x / 256 && (row == b.z / 256 || to_x * deep <= to_z * wide);
        bool first_z = row != b.z / 256 && (column == b.x / 256 || to_z * wide <= to_x * deep);
        uint32_t along_x = dx > 0 ? 0 : 2, along_z = dz > 0 ? 1 : 3, next = TR_NONE;
        const judge_cell *at = &judge->cells[cell];
        if (first_x && first_z) {
            uint32_t side = at->steps[along_x] == 1 ? at->next[along_x] : TR_NONE,
                     other = at->steps[along_z] == 1 ? at->next[along_z] : TR_NONE;
            if (side != TR_NONE && other != TR_NONE && judge->cells[side].steps[along_z] == 1) {
                next = judge->cells[side].next[along_z];
                next = next != TR_NONE && judge_diagonal(judge, cell, next) ? next : TR_NONE;
            }
        } else if (first_x && at->steps[along_x] == 1) {
            next = at->next[along_x];
        } else if (first_z && at->steps[along_z] == 1) {
            next = at->next[along_z];
        }
        column += first_x ? (dx > 0 ? 1 : -1) : 0;
        row += first_z ? (dz > 0 ? 1 : -1) : 0;
        cell = next;
        *border += cell != TR_NONE && !judge_is_free(judge, cell);
    }
    return cell;
}

TEST(seeing_each_other_is_walking_straight_over_the_explicit_graph) {
    tr_random random = tr_random_seed(601);
    uint32_t seen = 0, unseen = 0;
    for (uint32_t i = 0; i < 250; i++) {
        line_case one;
        REQUIRE(case_begin(&one, &random));
        for (uint32_t k = 0; k < 60 && one.standing_count > 0; k++) {
            uint32_t a = one.standing[tr_random_below(&random, one.standing_count)];
            uint32_t b = one.standing[tr_random_below(&random, one.standing_count)], border = 0;
            tr_surface_place from = tr_surface_find(one.world.surface, a),
                             to = tr_surface_find(one.world.surface, b);
            oracle_point p = {from.column * 256 + 128, from.row * 256 + 128},
                         q = {to.column * 256 + 128, to.row * 256 + 128};
            bool expected = walk(&one.judge, a, p, q, &border) == b;
            if (tr_surface_route_sees(one.route, &from, &to) != expected) {
                test_failed(__FILE__, __LINE__, "world %u: from %u to %u, expected %d", i, a, b, expected);
                k = 60;
            }
            seen += expected, unseen += !expected;
        }
        case_end(&one);
    }
    CHECK(seen > 1000 && unseen > 1000);
}

static oracle_point spot_of(const line_case *one, tr_vec3 p) {
    const tr_grid *grid = &tr_surface_grid(one->world.surface)->grid;
    oracle_point units = {(int64_t)floor(((double)p.x - grid->origin.x) / grid->cell * 256 + 0.5),
                          (int64_t)floor(((double)p.z - grid->origin.z) / grid->cell * 256 + 0.5)};
    return units;
}

static bool is_leap(uint8_t obstacle, uint8_t link) {
    return link || obstacle == TR_OBSTACLE_CROSS || obstacle == TR_OBSTACLE_STEP_OVER;
}

// Every piece of the line leads on from where the last one ended; leaps are those of the path.
static bool check_line(const line_case *one, const tr_surface_route_point *points, uint32_t count,
                       tr_surface_route_border_use use) {
    tr_surface_route_result path = tr_surface_route_last(one->route);
    uint32_t cell = path.cells[0].cell, leap = 0, border = 0;
    for (uint32_t i = 1; i < count; i++) {
        if (is_leap(points[i].obstacle, points[i].link)) {
            do
                leap++;
            while (leap < path.cell_count && !is_leap(path.cells[leap].obstacle, path.cells[leap].link));
            if (leap >= path.cell_count || path.cells[leap - 1].cell != cell)
                return false;
            cell = path.cells[leap].cell;
            continue;
        }
        oracle_point a = spot_of(one, points[i - 1].position), b = spot_of(one, points[i].position);
        cell = walk(&one->judge, cell, a, b, &border);
        if (cell == TR_NONE)
            return false;
        tr_surface_place place = tr_surface_find(one->world.surface, cell);
        CHECK_NEAR((double)points[i].position.y, (double)place.height, 1e-4);
    }
    for (leap++; leap < path.cell_count; leap++)
        if (is_leap(path.cells[leap].obstacle, path.cells[leap].link))
            return false;
    if (use == TR_SURFACE_ROUTE_BORDER_AVOID && path.border_cells == 0)
        CHECK_INT(border, 0);
    return cell == path.cells[path.cell_count - 1].cell;
}

static double length_of(const tr_surface_route_point *points, uint32_t count) {
    double length = 0;
    for (uint32_t i = 1; i < count; i++) {
        double x = (double)points[i].position.x - points[i - 1].position.x,
               y = (double)points[i].position.y - points[i - 1].position.y,
               z = (double)points[i].position.z - points[i - 1].position.z;
        length += sqrt(x * x + y * y + z * z);
    }
    return length;
}

static bool pull_once(line_case *one, tr_random *random, uint32_t *found, uint32_t *leaps) {
    tr_surface_route_params params = tr_surface_route_params_default();
    params.method = (tr_surface_route_method)tr_random_below(random, 3);
    params.path = 4 + 4 * tr_random_below(random, 2);
    params.border = (tr_surface_route_border_use)tr_random_below(random, 3);
    params.reach = 0;
    uint32_t a = one->standing[tr_random_below(random, one->standing_count)];
    uint32_t b = one->standing[tr_random_below(random, one->standing_count)], count;
    tr_vec3 start = on_cell(one, a), goal = on_cell(one, b);
    if (tr_random_below(random, 2)) { // somewhere in its cell
        float cell = tr_surface_grid(one->world.surface)->grid.cell;
        start.x += tr_random_between(random, -0.45f, 0.45f) * cell;
        goal.z += tr_random_between(random, -0.45f, 0.45f) * cell;
    }
    tr_surface_route_point points[POINTS];
    double length;
    if (tr_surface_route_find(one->route, &params, start, &goal, 1, NULL) != TR_OK)
        return true;
    if (tr_random_below(random, 4) == 0)
        CHECK_INT(tr_surface_route_refine(one->route, TR_SURFACE_ROUTE_EVERY), TR_OK);
    double cells = tr_surface_route_last(one->route).length;
    if (tr_surface_route_straighten(one->route, start, goal, points, POINTS, &count, &length) != TR_OK)
        return false;
    CHECK_NEAR(length, length_of(points, count), 0.01 * SIZE);
    CHECK(points[0].position.x == start.x && points[count - 1].position.z == goal.z);
    // Heights between bends do not count in the line, and ends off the centre may add a little.
    CHECK(length <= cells + 2 * tr_surface_grid(one->world.surface)->grid.cell);
    ++*found;
    for (uint32_t i = 0; i < count; i++)
        *leaps += is_leap(points[i].obstacle, points[i].link);
    return check_line(one, points, count, params.border);
}

TEST(lines_stay_on_reachable_cells_and_keep_their_gaps) {
    tr_random random = tr_random_seed(602);
    uint32_t found = 0, leaps = 0;
    for (uint32_t i = 0; i < 350; i++) {
        line_case one;
        REQUIRE(case_begin(&one, &random));
        bool good = true;
        for (uint32_t k = 0; k < 6 && good && one.standing_count > 0; k++)
            good = pull_once(&one, &random, &found, &leaps);
        case_end(&one);
        if (!good) {
            test_failed(__FILE__, __LINE__, "world %u: a piece is not to be walked", i);
            return;
        }
    }
    CHECK(found > 700 && leaps > 50);
}

// A flat floor with pillars on some of its cells: the same as a route map.
static bool make_pillars(surface_route_world *world, tr_route_map *map, tr_random *random, uint32_t side) {
    float cell = 0.25f;
    uint32_t share = 5 + tr_random_below(random, 30);
    tr_grid grid = {{0, 0}, cell, side, side};
    if (tr_route_map_create(NULL, &grid, map, NULL) != TR_OK)
        return false;
    little_box(world->scene, little_make_box(0, -0.3f, 0, cell * (float)side, 0, cell * (float)side), 0);
    for (uint32_t i = 0; i < side * side; i++) {
        uint32_t column = i % side, row = i / side;
        bool is_free = tr_random_below(random, 100) >= share;
        tr_route_map_set_cell(map, column, row, is_free);
        float x = cell * (float)column, z = cell * (float)row;
        if (!is_free)
            surface_route_world_box(world, x, 0, z, x + cell, 3, z + cell, 0);
    }
    return surface_route_world_build(world, cell * (float)side, cell * (float)side, cell);
}

typedef struct quality {
    double sum, worst;
    uint32_t count;
} quality;

static void measure(const surface_route_world *world, const tr_route_map *map, tr_random *random,
                    uint32_t side, tr_surface_route_method method, quality *q) {
    tr_surface_route *route = surface_route_world_route(world, (tr_ground_body){1.8f, 0, 0.2f, 0.3f}, 4);
    tr_surface_route_params params = tr_surface_route_params_default();
    params.method = method;
    params.border = TR_SURFACE_ROUTE_BORDER_IGNORE;
    params.up = params.down = params.reach = 0;
    for (uint32_t k = 0; k < 4; k++) {
        uint32_t a = tr_random_below(random, side * side);
        uint32_t b = tr_random_below(random, side * side), count;
        tr_surface_route_point points[POINTS];
        double length;
        if (oracle_blocked(map, a % side, a / side) || oracle_blocked(map, b % side, b / side) || a == b)
            continue;
        tr_vec3 start = surface_route_world_point(world, a % side, a / side, 0.1f),
                goal = surface_route_world_point(world, b % side, b / side, 0.1f);
        oracle_point p = {(a % side) * 256 + 128, (a / side) * 256 + 128},
                     r = {(b % side) * 256 + 128, (b / side) * 256 + 128};
        double best = oracle_shortest(map, p, r, false) * 0.25;
        bool found = tr_surface_route_find(route, &params, start, &goal, 1, NULL) == TR_OK;
        CHECK_INT(found, isfinite(best));
        if (!found ||
            tr_surface_route_straighten(route, start, goal, points, POINTS, &count, &length) != TR_OK)
            continue;
        double ratio = length / best;
        CHECK(ratio > 0.995); // a line may pass between the oracle's corners, which keep off
        q->sum += ratio;
        q->worst = ratio > q->worst ? ratio : q->worst;
        q->count++;
    }
    tr_surface_route_destroy(route);
}

// The bounds are what was measured, rounded up: docs/plan/surface_route.md has the figures.
TEST(on_the_flat_lines_are_nearly_the_shortest_there_are) {
    tr_random random = tr_random_seed(603);
    quality by_effort = {0}, by_steps = {0};
    for (uint32_t i = 0; i < 120; i++) {
        surface_route_world world = surface_route_world_begin();
        tr_route_map map;
        uint32_t side = 6 + tr_random_below(&random, 11);
        REQUIRE(make_pillars(&world, &map, &random, side));
        measure(&world, &map, &random, side, TR_SURFACE_ROUTE_EFFORT, &by_effort);
        measure(&world, &map, &random, side, TR_SURFACE_ROUTE_ASTAR, &by_steps);
        tr_route_map_destroy(&map);
        surface_route_world_end(&world);
    }
    REQUIRE(by_effort.count > 150 && by_steps.count > 150);
    if (getenv("TROUPE_TEST_VERBOSE"))
        printf("by effort: %u lines, mean %.5f, worst %.4f; by steps: %u, mean %.5f, worst %.4f\n",
               by_effort.count, by_effort.sum / by_effort.count, by_effort.worst, by_steps.count,
               by_steps.sum / by_steps.count, by_steps.worst);
    CHECK(by_effort.sum / by_effort.count < 1.004);
    CHECK(by_effort.worst < 1.15);
    CHECK(by_steps.sum / by_steps.count < 1.012);
}

// A hill between start and goal, and a level way around it.
TEST(a_line_by_effort_does_not_go_over_the_hill_again) {
    surface_route_world world = surface_route_world_begin();
    little_box(world.scene, little_make_box(0, -0.3f, 0, 9, 0, 9), 0);
    for (int i = 0; i < 8; i++) {
        float in = 0.3f * (float)i;
        surface_route_world_box(&world, 2 + in, 0, 0 + in, 7 - in, 0.2f * (float)(i + 1), 6 - in, 0);
    }
    REQUIRE(surface_route_world_build(&world, 9, 9, 0.25f));
    tr_surface_route *route = surface_route_world_route(&world, (tr_ground_body){1.8f, 0, 0.25f, 0.3f}, 4);
    tr_surface_route_params params = tr_surface_route_params_default();
    params.border = TR_SURFACE_ROUTE_BORDER_IGNORE;
    tr_vec3 start = {1, 0.1f, 4}, goal = {8, 0.1f, 4};
    tr_surface_route_point points[POINTS];
    uint32_t count;
    double length;
    REQUIRE(tr_surface_route_find(route, &params, start, &goal, 1, NULL) == TR_OK);
    REQUIRE(tr_surface_route_straighten(route, start, goal, points, POINTS, &count, &length) == TR_OK);
    CHECK_NEAR(length, 7, 0.01); // by steps: straight over it
    CHECK_INT(count, 2);
    params.method = TR_SURFACE_ROUTE_EFFORT;
    REQUIRE(tr_surface_route_find(route, &params, start, &goal, 1, NULL) == TR_OK);
    REQUIRE(tr_surface_route_straighten(route, start, goal, points, POINTS, &count, &length) == TR_OK);
    // All around it, past (2, 6) and (7, 6): 2 * sqrt(5) + 5.
    CHECK_NEAR(length, 9.47, 0.15);
    for (uint32_t i = 0; i < count; i++)
        CHECK_NEAR((double)points[i].position.y, 0, 0.05);
    tr_surface_route_destroy(route);
    surface_route_world_end(&world);
}

TEST(lines_without_a_path_and_without_room_are_told) {
    surface_route_world world = surface_route_world_begin();
    little_box(world.scene, little_make_box(0, -0.3f, 0, 6, 0, 6), 0);
    surface_route_world_box(&world, 2, 0, 0, 2.25f, 3, 4, 0);
    REQUIRE(surface_route_world_build(&world, 6, 6, 0.25f));
    tr_surface_route *route = surface_route_world_route(&world, (tr_ground_body){1.8f, 0, 0.2f, 0.3f}, 4);
    tr_surface_route_params params = tr_surface_route_params_default();
    tr_vec3 start = {1, 0.1f, 1}, goal = {4, 0.1f, 1};
    tr_surface_route_point points[8];
    uint32_t count = 9;
    double length;
    CHECK_INT(tr_surface_route_straighten(route, start, goal, points, 8, &count, &length), TR_INVALID);
    CHECK_INT(count, 0);
    REQUIRE(tr_surface_route_find(route, &params, start, &goal, 1, NULL) == TR_OK);
    CHECK_INT(tr_surface_route_straighten(route, start, goal, points, 2, &count, &length), TR_LIMIT);
    CHECK_INT(tr_surface_route_straighten(route, start, goal, points, 0, &count, NULL), TR_LIMIT);
    CHECK_INT(tr_surface_route_straighten(route, start, goal, points, 8, &count, NULL), TR_OK);
    CHECK_INT(count, 6); // around the four corners of the border at the wall's end
    CHECK(points[0].position.x == 1 && points[5].position.x == 4);
    CHECK_NEAR((double)points[2].position.x, 2, 0.01);
    CHECK_NEAR((double)points[2].position.z, 4.25, 0.01);
    // Ends elsewhere than in their cells: the centres are taken.
    tr_vec3 off = {5.9f, 0, 5.9f};
    CHECK_INT(tr_surface_route_straighten(route, off, off, points, 8, &count, &length), TR_OK);
    CHECK_NEAR((double)points[0].position.x, 1.125, 1e-6);
    tr_surface_place nowhere = {.cell = TR_NONE}, here = surface_route_world_place(&world, 3, 3, 0.1f);
    CHECK(!tr_surface_route_sees(route, &nowhere, &here));
    CHECK(!tr_surface_route_sees(route, &here, &nowhere));
    CHECK(tr_surface_route_sees(route, &here, &here));
    here.column = 1u << 20;
    CHECK(!tr_surface_route_sees(route, &here, &here));
    tr_surface_route_destroy(route);
    surface_route_world_end(&world);
}
