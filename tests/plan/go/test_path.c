// Ways over a ground against ways found without it, on random little worlds.
#include "path_world.h"

static tr_ground_body thin_body(void) {
    tr_ground_body body = {.height = 1.8f, .radius = 0, .foot_span = 0.2f, .foot_rise = 0.3f};
    return body;
}

// Where the path says that it goes: every piece is seen, and costs add up to what it says.
static void check_path(const path_world *world, const path_graph *graph, const tr_path_result *way) {
    double cost = 0;
    for (uint32_t i = 1; i < way->point_count; i++) {
        tr_vec3 a = way->points[i - 1].position, b = way->points[i].position;
        double x = (double)b.x - a.x, z = (double)b.z - a.z;
        cost += sqrt(x * x + z * z);
        CHECK(way->points[i].move == TR_PATH_WALK);
        CHECK(tr_ground_is_free(world->ground, world->size, b, NULL));
        if (!tr_ground_sees(world->ground, world->size, a, b))
            test_failed(__FILE__, __LINE__, "piece %u of %u is blind: (%g, %g, %g) (%g, %g, %g)", i,
                        way->point_count, a.x, a.y, a.z, b.x, b.y, b.z);
        cost += path_effort(graph, a, b, PATH_CELL / 64.0);
    }
    if (!(fabs(cost - way->cost) < 0.02))
        test_failed(__FILE__, __LINE__, "the points cost %g, the path says %g", cost, way->cost);
}

static void compare(path_world *world, tr_random *random, float up, float down) {
    static path_graph graph;
    graph = (path_graph){.world = world, .up = up, .down = down};
    for (int i = 0; i < 2; i++) {
        tr_vec3 point = {tr_random_between(random, 0, PATH_SIDE * PATH_CELL),
                         tr_random_between(random, 0, 2.5f),
                         tr_random_between(random, 0, PATH_SIDE * PATH_CELL)};
        tr_ground_place place = tr_ground_drop(world->ground, world->size, point, 0.5f);
        if (place.why != TR_GROUND_FREE)
            return;
        graph.points[graph.count++] = place.position;
    }
    path_graph_fill(&graph);
    double least = path_graph_find(&graph);
    tr_path_params params = tr_path_params_default(world->size);
    params.up = up;
    params.down = down;
    tr_status status =
        tr_path_find(world->path, world->ground, &params, graph.points[0], &graph.points[1], 1, NULL);
    if ((status == TR_OK) != (least < INFINITY)) {
        test_failed(__FILE__, __LINE__,
                    "the oracle's cost is %g, the path's status %d: (%g, %g, %g) (%g, %g, %g)", least,
                    (int)status, graph.points[0].x, graph.points[0].y, graph.points[0].z, graph.points[1].x,
                    graph.points[1].y, graph.points[1].z);
        return;
    }
    if (status != TR_OK)
        return;
    tr_path_result way = tr_path_last(world->path);
    check_path(world, &graph, &way);
    // The oracle's points are a little off the corners.
    if (way.cost > least + 0.001 || way.cost < least - 0.03)
        test_failed(__FILE__, __LINE__, "the oracle's cost is %g, the path's %g", least, way.cost);
}

// Walls, pits and steps on a floor.
static tr_scene *random_scene(tr_random *random, float step, bool bridge) {
    tr_scene *scene = NULL;
    CHECK_INT(tr_scene_create(NULL, &scene), TR_OK);
    uint32_t count = 1 + tr_random_below(random, 9);
    little_box(scene, path_cells(0, 0, PATH_SIDE, PATH_SIDE, 0, 0.05f), 0);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t x = tr_random_below(random, PATH_SIDE), z = tr_random_below(random, PATH_SIDE);
        uint32_t x1 = x + 1 + tr_random_below(random, PATH_SIDE - x), z1 = z + 1 + tr_random_below(random, 2);
        if (tr_random_below(random, 2) && z < PATH_SIDE - 1) {
            x1 = x + 1;
            z1 = z + 1 + tr_random_below(random, PATH_SIDE - z);
        }
        z1 = z1 < PATH_SIDE ? z1 : PATH_SIDE;
        float top = step > 0 && tr_random_below(random, 2)
                        ? 0.05f + step * (float)(1 + tr_random_below(random, 4))
                        : 1.55f;
        little_box(scene, path_cells(x, z, x1, z1, 0, top), 0);
    }
    if (bridge)
        little_box(scene, path_cells(2, 3, 8, 6, 2.2f, 2.3f), 0);
    return scene;
}

TEST(ways_on_level_ground_are_as_short_as_can_be) {
    tr_random random = tr_random_seed(1);
    for (int i = 0; i < 400; i++) {
        path_world world = {.scene = random_scene(&random, 0, false)};
        tr_ground_body body = thin_body();
        if (path_world_open(&world, &body))
            for (int k = 0; k < 4; k++)
                compare(&world, &random, 4, 1);
        path_world_close(&world);
    }
}

TEST(ways_over_steps_cost_as_little_as_can_be) {
    tr_random random = tr_random_seed(2);
    for (int i = 0; i < 400; i++) {
        path_world world = {.scene = random_scene(&random, 0.25f, i & 1)};
        tr_ground_body body = thin_body();
        if (path_world_open(&world, &body))
            for (int k = 0; k < 4; k++)
                compare(&world, &random, k & 1 ? 4 : 0.5f, k & 2 ? 1 : 0);
        path_world_close(&world);
    }
}

static tr_ground_body striding_body(void) {
    tr_ground_body body = {.height = 1.8f, .radius = 0.2f, .foot_span = 0.8f, .foot_rise = 0.3f};
    return body;
}

// Two floors with a ditch of `cells` columns between them.
static path_world ditch_world(uint32_t cells) {
    path_world world = {.scene = NULL};
    CHECK_INT(tr_scene_create(NULL, &world.scene), TR_OK);
    little_box(world.scene, path_cells(0, 0, 4, PATH_SIDE, 0, 0.05f), 0);
    little_box(world.scene, path_cells(4 + cells, 0, PATH_SIDE, PATH_SIDE, 0, 0.05f), 0);
    return world;
}

TEST(narrow_gaps_are_leapt_and_wide_ones_are_not) {
    for (uint32_t cells = 1; cells <= 4; cells++) {
        path_world world = ditch_world(cells);
        tr_ground_body body = striding_body();
        REQUIRE(path_world_open(&world, &body));
        tr_vec3 start = {0.6f, 0.05f, 0.7f}, goal = {2, 0.05f, 1.6f};
        tr_path_params params = tr_path_params_default(world.size);
        tr_status status = tr_path_find(world.path, world.ground, &params, start, &goal, 1, NULL);
        CHECK_INT(status, cells <= 2 ? TR_OK : TR_NOT_FOUND); // 0.8 m from middle to middle of cells
        tr_path_result way = tr_path_last(world.path);
        uint32_t leaps = 0;
        for (uint32_t i = 1; status == TR_OK && i < way.point_count; i++) {
            tr_vec3 a = way.points[i - 1].position, b = way.points[i].position;
            if (way.points[i].move == TR_PATH_LEAP) {
                leaps++;
                CHECK_NEAR(a.z, b.z, 1e-4);
                CHECK_NEAR((double)b.x - a.x, cells * PATH_CELL, 0.01);
                CHECK(!tr_ground_sees(world.ground, world.size, a, b));
            } else {
                CHECK(tr_ground_sees(world.ground, world.size, a, b));
            }
        }
        CHECK_INT(leaps, cells <= 2 ? 1 : 0);
        // As straight as if the gap were not there: the way over it counts as long as it is.
        if (status == TR_OK)
            CHECK(way.cost < 0.001 + cells * (double)PATH_CELL +
                                 sqrt((1.4 - cells * 0.25) * (1.4 - cells * 0.25) + 0.9 * 0.9));
        CHECK(!tr_ground_sees(world.ground, world.size, start, goal)); // nobody walks in the air
        path_world_close(&world);
    }
}

TEST(links_are_used_when_they_are_open_and_allowed) {
    path_world world = ditch_world(4);
    tr_ground_body body = striding_body();
    body.foot_span = 0.2f;
    body.radius = 0;
    REQUIRE(path_world_open(&world, &body));
    tr_vec3 start = {0.6f, 0.05f, 0.7f}, goal = {2.1f, 0.05f, 1.6f};
    tr_ground_link bridge = {TR_GROUND_OTHER, {0.6f, 0.05f, 1.6f}, {2.1f, 0.05f, 1.1f}, false, false, 5};
    tr_path_params params = tr_path_params_default(world.size);
    CHECK_INT(tr_path_find(world.path, world.ground, &params, start, &goal, 1, NULL), TR_NOT_FOUND);
    CHECK_INT(tr_ground_set_links(world.ground, &bridge, 1, NULL), TR_OK);
    CHECK_INT(tr_path_find(world.path, world.ground, &params, start, &goal, 1, NULL), TR_OK);
    tr_path_result way = tr_path_last(world.path);
    REQUIRE(way.point_count == 4);
    CHECK_INT(way.points[2].move, TR_PATH_LINK);
    CHECK_INT(way.points[2].link, 0);
    CHECK_INT(way.points[1].link, TR_NONE);
    CHECK_NEAR(way.cost, 0.9 + 5 + 0.5, 1e-3);
    CHECK_INT(tr_path_find(world.path, world.ground, &params, goal, &start, 1, NULL),
              TR_NOT_FOUND); // one way
    params.links = TR_GROUND_LADDER;
    CHECK_INT(tr_path_find(world.path, world.ground, &params, start, &goal, 1, NULL), TR_NOT_FOUND);
    params.links = TR_GROUND_OTHER;
    CHECK_INT(tr_ground_close_link(world.ground, 0, true), TR_OK);
    CHECK_INT(tr_path_find(world.path, world.ground, &params, start, &goal, 1, NULL), TR_NOT_FOUND);
    path_world_close(&world);
}

TEST(the_cheapest_goal_is_taken_and_blocked_ones_are_moved) {
    path_world world = {.scene = NULL};
    CHECK_INT(tr_scene_create(NULL, &world.scene), TR_OK);
    little_box(world.scene, path_cells(0, 0, PATH_SIDE, PATH_SIDE, 0, 0.05f), 0);
    little_box(world.scene, path_cells(4, 4, 5, 5, 0, 2), 0);
    tr_ground_body body = thin_body();
    REQUIRE(path_world_open(&world, &body));
    tr_path_params params = tr_path_params_default(world.size);
    tr_vec3 start = {0.3f, 0.05f, 0.3f};
    tr_vec3 goals[3] = {{2.1f, 0.05f, 2.1f}, {1.1f, 0.05f, 0.3f}, {50, 0, 50}};
    CHECK_INT(tr_path_find(world.path, world.ground, &params, start, goals, 3, NULL), TR_OK);
    tr_path_result way = tr_path_last(world.path);
    CHECK_INT(way.goal, 1);
    CHECK_NEAR(way.cost, 0.8, 1e-4);
    CHECK(!way.start_moved && !way.goal_moved);
    tr_vec3 inside = {1.12f, 0.05f, 1.12f};
    CHECK_INT(tr_path_find(world.path, world.ground, &params, start, &inside, 1, NULL), TR_OK);
    CHECK(tr_path_last(world.path).goal_moved);
    params.reach = 0.05f;
    tr_error error;
    CHECK_INT(tr_path_find(world.path, world.ground, &params, start, &inside, 1, &error), TR_NOT_FOUND);
    CHECK(strstr(error.message, "the goal (1.12, 0.05, 1.12)") != NULL);
    CHECK(tr_path_last(world.path).end.why != TR_GROUND_FREE);
    CHECK_INT(tr_path_find(world.path, world.ground, &params, goals[2], goals, 1, &error), TR_NOT_FOUND);
    CHECK(strstr(error.message, "the start (50, 0, 50) is outside the area") != NULL);
    path_world_close(&world);
}

// A shelf 0.9 m above the floor, too narrow for the body: whoever stands on it does not begin below.
TEST(nobody_who_stands_on_a_ledge_begins_on_the_floor_below) {
    path_world world = {.scene = NULL};
    CHECK_INT(tr_scene_create(NULL, &world.scene), TR_OK);
    little_box(world.scene, path_cells(0, 0, PATH_SIDE, PATH_SIDE, 0, 0.05f), 0);
    little_box(world.scene, path_cells(2, 0, 3, PATH_SIDE, 0.85f, 0.95f), 0);
    tr_ground_body body = {.height = 0.6f, .radius = 0.2f, .foot_span = 0.2f, .foot_rise = 0.3f};
    REQUIRE(path_world_open(&world, &body));
    tr_path_params params = tr_path_params_default(world.size);
    tr_vec3 start = {2.5f * PATH_CELL, 0.95f, 1.1f}, goal = {7.5f * PATH_CELL, 0.05f, 1.1f};
    CHECK_INT(tr_path_find(world.path, world.ground, &params, start, &goal, 1, NULL), TR_OK);
    CHECK_NEAR(tr_path_last(world.path).start.position.y, 0.05, 1e-3);
    params.stands = true;
    tr_error error = {0};
    CHECK_INT(tr_path_find(world.path, world.ground, &params, start, &goal, 1, &error), TR_NOT_FOUND);
    CHECK_CONTAINS(error.message, "the start");
    start.y = 0.05f;
    CHECK_INT(tr_path_find(world.path, world.ground, &params, start, &goal, 1, NULL), TR_OK);
    path_world_close(&world);
}

// Is there a free place at the middle of any cell, so near and so high?
static bool has_room_near(const path_world *world, tr_vec3 point, float reach, float rise) {
    for (uint32_t i = 0; i < PATH_SIDE * PATH_SIDE; i++)
        for (float up = -rise; up <= rise; up += 0.05f) {
            tr_vec3 at = {((float)(i % PATH_SIDE) + 0.5f) * PATH_CELL, point.y + up,
                          ((float)(i / PATH_SIDE) + 0.5f) * PATH_CELL};
            float height;
            if (!tr_ground_is_free(world->ground, world->size, at, &height))
                continue;
            at.y = height;
            if (fabsf(height - point.y) <= rise && tr_vec3_length(tr_vec3_subtract(at, point)) <= reach)
                return true;
        }
    return false;
}

TEST(somebody_who_stands_begins_at_its_own_height_or_not_at_all) {
    tr_random random = tr_random_seed(8);
    uint32_t here = 0, moved = 0, nowhere = 0;
    for (int i = 0; i < 200; i++) {
        path_world world = {.scene = random_scene(&random, 0.25f, i & 1)};
        tr_ground_body body = striding_body();
        if (path_world_open(&world, &body))
            for (int k = 0; k < 20; k++) {
                tr_vec3 start = {tr_random_between(&random, 0, PATH_SIDE * PATH_CELL),
                                 tr_random_between(&random, 0, 2.5f),
                                 tr_random_between(&random, 0, PATH_SIDE * PATH_CELL)};
                tr_path_params params = tr_path_params_default(world.size);
                params.stands = true;
                params.reach = tr_random_between(&random, 0, 1);
                tr_path_find(world.path, world.ground, &params, start, &start, 1, NULL);
                tr_path_result found = tr_path_last(world.path);
                bool begins = found.start.why == TR_GROUND_FREE;
                CHECK(!begins || fabsf(found.start.position.y - start.y) <= params.rise + 1e-4f);
                CHECK(begins || !has_room_near(&world, start, params.reach - 0.01f, params.rise - 0.01f));
                here += begins && !found.start_moved;
                moved += begins && found.start_moved;
                nowhere += !begins;
            }
        path_world_close(&world);
    }
    CHECK(here > 200 && moved > 200 && nowhere > 200);
}

TEST(bad_questions_and_budgets) {
    tr_random random = tr_random_seed(5);
    path_world world = {.scene = random_scene(&random, 0, false)};
    tr_ground_body body = thin_body();
    REQUIRE(path_world_open(&world, &body));
    tr_path_params params = tr_path_params_default(world.size);
    tr_vec3 start = {0.1f, 0.05f, 0.1f}, goal = {2.1f, 0.05f, 2.1f}, bad = {NAN, 0, 0};
    CHECK_INT(tr_path_find(world.path, world.ground, &params, bad, &goal, 1, NULL), TR_INVALID);
    CHECK_INT(tr_path_find(world.path, world.ground, &params, start, &bad, 1, NULL), TR_INVALID);
    CHECK_INT(tr_path_find(world.path, world.ground, &params, start, &goal, 0, NULL), TR_INVALID);
    CHECK_INT(tr_path_find(world.path, world.ground, &params, start, &goal, 65, NULL), TR_INVALID);
    params.size = 1;
    CHECK_INT(tr_path_find(world.path, world.ground, &params, start, &goal, 1, NULL), TR_INVALID);
    params.size = 0;
    params.up = -1;
    CHECK_INT(tr_path_find(world.path, world.ground, &params, start, &goal, 1, NULL), TR_INVALID);
    params.up = 4;
    if (tr_path_find(world.path, world.ground, &params, start, &goal, 1, NULL) == TR_OK)
        for (params.budget.expansions = 1; params.budget.expansions < 8; params.budget.expansions++) {
            tr_status status = tr_path_find(world.path, world.ground, &params, start, &goal, 1, NULL);
            tr_path_result way = tr_path_last(world.path);
            CHECK(status == TR_OK || status == TR_PARTIAL);
            CHECK(way.point_count >= 1);
            CHECK(way.counters.expanded <= params.budget.expansions);
            for (uint32_t i = 1; i < way.point_count; i++)
                CHECK(tr_ground_sees(world.ground, 0, way.points[i - 1].position, way.points[i].position));
        }
    path_world_close(&world);
}

// With enough nodes a limit changes nothing, with few the search ends as one whose budget ran out; neither
// allocates.
static uint32_t check_node_max(const path_world *world, tr_path *path, tr_vec3 start, tr_vec3 goal,
                               const test_memory *memory) {
    tr_path_params params = tr_path_params_default(world->size);
    static const uint32_t limits[] = {1, 2, 5, 20, 4096};
    tr_status expected = tr_path_find(world->path, world->ground, &params, start, &goal, 1, NULL), status;
    tr_path_result way = tr_path_last(world->path);
    uint64_t calls = memory->calls;
    uint32_t partial = 0;
    for (int i = 0; i < 5; i++) {
        params.node_max = limits[i];
        status = tr_path_find(path, world->ground, &params, start, &goal, 1, NULL);
        tr_path_result limited = tr_path_last(path);
        partial += status == TR_PARTIAL;
        CHECK(status == expected || (status == TR_PARTIAL && i < 4));
        CHECK(limited.counters.generated <= limits[i]);
        if (status == expected)
            CHECK(limited.point_count == way.point_count && limited.cost == way.cost);
        for (uint32_t k = 1; k < limited.point_count; k++)
            CHECK(
                tr_ground_sees(world->ground, 0, limited.points[k - 1].position, limited.points[k].position));
    }
    CHECK_INT(memory->calls, calls);
    return partial;
}

TEST(searches_with_a_limit_of_nodes_allocate_nothing_where_room_was_made) {
    uint32_t partial = 0;
    for (uint32_t seed = 0; seed < 40; seed++) {
        tr_random random = tr_random_seed(seed);
        path_world world = {.scene = random_scene(&random, 0, false)};
        tr_ground_body body = thin_body();
        REQUIRE(path_world_open(&world, &body));
        test_memory memory = {0};
        tr_allocator allocator = test_memory_allocator(&memory);
        tr_path *path = NULL;
        CHECK_INT(tr_path_create(&allocator, &path, NULL), TR_OK);
        CHECK_INT(tr_path_reserve(path, world.ground, 4096, NULL), TR_OK);
        for (int i = 0; i < 20; i++) {
            tr_vec3 start = {tr_random_between(&random, 0, 2.2f), 0.05f, tr_random_between(&random, 0, 2.2f)},
                    goal = {tr_random_between(&random, 0, 2.2f), 0.05f, tr_random_between(&random, 0, 2.2f)};
            partial += check_node_max(&world, path, start, goal, &memory);
        }
        tr_path_destroy(path);
        CHECK_INT(memory.live_bytes, 0);
        path_world_close(&world);
    }
    CHECK(partial > 100);
}

static path_world *failing_world;
static bool attempt(const tr_allocator *allocator) {
    tr_path *path = NULL;
    if (tr_path_create(allocator, &path, NULL) != TR_OK)
        return false;
    tr_path_params params = tr_path_params_default(0);
    tr_vec3 start = {0.1f, 0.05f, 0.1f}, goal = {2.1f, 0.05f, 2.1f};
    tr_status status = tr_path_find(path, failing_world->ground, &params, start, &goal, 1, NULL);
    CHECK(status == TR_OK || (status == TR_OUT_OF_MEMORY && tr_path_last(path).point_count == 0));
    tr_path_destroy(path);
    return status == TR_OK;
}

static bool attempt_reserve(const tr_allocator *allocator) {
    tr_path *path = NULL;
    if (tr_path_create(allocator, &path, NULL) != TR_OK)
        return false;
    tr_status status = tr_path_reserve(path, failing_world->ground, 100, NULL);
    CHECK(status == TR_OK || status == TR_OUT_OF_MEMORY);
    tr_path_destroy(path);
    return status == TR_OK;
}

TEST(a_path_without_memory_says_so) {
    tr_random random = tr_random_seed(6);
    path_world world = {.scene = random_scene(&random, 0, false)};
    tr_ground_body body = thin_body();
    REQUIRE(path_world_open(&world, &body));
    failing_world = &world;
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(attempt) >= 6);
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(attempt_reserve) >= 6);
    path_world_close(&world);
}
