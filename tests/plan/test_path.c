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
