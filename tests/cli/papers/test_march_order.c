// The march against a second, plain writing of the procedure: the same nodes in the same order.
#include "march_world.h"

#define SIDE 128 // cells of the plain planner's box, each way

// Neighbours sorted by their distance to the goal when the node is made: the paper's priority queue.
typedef struct plain_node {
    world_cell cell;
    world_cell queue[6];
    int queued, taken;
} plain_node;

typedef struct plain_planner {
    const march_world *world;
    tr_vec3 goal, shoulder;
    world_cell corner;
    uint8_t *visited;
    plain_node *stack;
    uint32_t depth;
    world_cell *tried;
    uint32_t tried_count, visited_count, backtracks;
} plain_planner;

static uint8_t *plain_mark(plain_planner *planner, world_cell cell) {
    int x = cell.x - planner->corner.x, y = cell.y - planner->corner.y, z = cell.z - planner->corner.z;
    return &planner->visited[((size_t)x * SIDE + (size_t)y) * SIDE + (size_t)z];
}

static double plain_distance(const plain_planner *planner, world_cell cell, tr_vec3 from) {
    double step = (double)planner->world->step;
    double x = (cell.x + 0.5) * step - (double)from.x, y = (cell.y + 0.5) * step - (double)from.y;
    double z = (cell.z + 0.5) * step - (double)from.z;
    return x * x + y * y + z * z;
}

// Cells that the arm could possibly reach: between the bent and the stretched arm.
static bool plain_in_range(const plain_planner *planner, world_cell cell) {
    const tr_arm *arm = &planner->world->arm;
    double a = (double)arm->length[0], b = (double)arm->length[1];
    double bent = cos((double)arm->high.q[TR_ELBOW_FLEXION]);
    double away = sqrt(plain_distance(planner, cell, planner->shoulder));
    return away < a + b + 1e-5 && away >= sqrt(a * a + b * b + 2 * a * b * bent) - 1e-5;
}

static void plain_push(plain_planner *planner, world_cell cell) {
    static const int steps[6][3] = {{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}};
    plain_node *node = &planner->stack[planner->depth++];
    node->cell = cell;
    node->queued = node->taken = 0;
    for (int i = 0; i < 6; i++) {
        world_cell next = {cell.x + steps[i][0], cell.y + steps[i][1], cell.z + steps[i][2]};
        if (!plain_in_range(planner, next))
            continue;
        int at = node->queued++;
        double away = plain_distance(planner, next, planner->goal);
        for (; at > 0 && plain_distance(planner, node->queue[at - 1], planner->goal) > away; at--)
            node->queue[at] = node->queue[at - 1];
        node->queue[at] = next;
    }
}

static bool plain_reaches(const plain_planner *planner, world_cell cell) {
    tr_posture posture;
    return world_posture(&planner->world->arm, world_middle(planner->world, cell), &posture);
}

// Until the goal or the end; true: found.
static bool plain_plan(plain_planner *planner, world_cell start, world_cell goal) {
    planner->depth = 0;
    plain_push(planner, start);
    *plain_mark(planner, start) = 1;
    planner->visited_count = 1;
    while (!world_same(planner->stack[planner->depth - 1].cell, goal)) {
        plain_node *node = &planner->stack[planner->depth - 1];
        if (node->taken == node->queued) {
            if (--planner->depth == 0)
                return false;
            planner->backtracks++;
            continue;
        }
        world_cell next = node->queue[node->taken++];
        if (*plain_mark(planner, next))
            continue;
        *plain_mark(planner, next) = 1;
        planner->visited_count++;
        if (!plain_reaches(planner, next))
            continue;
        if (planner->tried_count < WORLD_LOG_MAX)
            planner->tried[planner->tried_count++] = next;
        if (!planner->world->is_blocked(planner->world, next))
            plain_push(planner, next);
    }
    return true;
}

static void compare(const march_world *world, const plain_planner *planner, const march_search *march) {
    march_result way = march_look(march);
    CHECK_INT(way.visited, planner->visited_count);
    CHECK_INT(way.backtracks, planner->backtracks);
    CHECK_INT(world->logged, planner->tried_count);
    for (uint32_t i = 0; i < world->logged && i < planner->tried_count; i++)
        if (!world_same(world->log[i], planner->tried[i])) {
            test_failed(__FILE__, __LINE__, "node %u tried is another one", i);
            break;
        }
    for (uint32_t i = 0; i < way.count && i < planner->depth; i++)
        CHECK(world_same(world_cell_of(world, way.wrists[i]), planner->stack[i].cell));
}

// A random arm, place, world and pair of wrists. false: the pair cannot be had.
static bool draw_world(march_world *world, tr_random *random, tr_posture *start, tr_vec3 *goal) {
    float height = tr_random_between(random, 1.2f, 2.0f), turn = tr_random_between(random, -3, 3);
    float x = tr_random_between(random, -2, 2), z = tr_random_between(random, -2, 2);
    world->arm = tr_arm_default(tr_random_below(random, 2) ? TR_ARM_LEFT : TR_ARM_RIGHT, height);
    float up = world->arm.base.m[1][3];
    world->arm.base = tr_affine_place(tr_vec3_make(x, up, z), (double)turn);
    world->step = tr_random_between(random, 0.035f, 0.09f);
    world->share = tr_random_below(random, 700);
    world->seed = tr_random_bits(random);
    world->is_blocked = world_is_random;
    tr_vec3 shoulder = world_shoulder(&world->arm), ends[2];
    for (int i = 0; i < 2; i++) {
        float right = tr_random_between(random, -0.5f, 0.5f), above = tr_random_between(random, -0.5f, 0.4f);
        float ahead = tr_random_between(random, -0.5f, 0.5f);
        ends[i] = tr_vec3_add(shoulder, tr_vec3_make(right, above, ahead));
    }
    *goal = ends[1];
    return world_posture(&world->arm, ends[0], start);
}

TEST(nodes_come_in_the_order_of_the_procedure_in_random_worlds) {
    plain_planner planner = {.visited = malloc((size_t)SIDE * SIDE * SIDE),
                             .stack = malloc(WORLD_LOG_MAX * sizeof(plain_node)),
                             .tried = malloc(WORLD_LOG_MAX * sizeof(world_cell))};
    march_world world = {.log = malloc(WORLD_LOG_MAX * sizeof(world_cell))};
    uint32_t found = 0, failed = 0, detours = 0;
    tr_random random = tr_random_seed(2003);
    for (int i = 0; i < 500 && planner.visited && planner.stack && planner.tried && world.log; i++) {
        tr_posture start;
        tr_vec3 goal, points[4];
        if (!draw_world(&world, &random, &start, &goal))
            continue;
        world.logged = planner.tried_count = planner.backtracks = 0;
        march_search *march = world_march(&world, NULL);
        REQUIRE(march);
        tr_status begun = march_begin(march, &start, goal, NULL, NULL);
        planner.world = &world;
        planner.goal = goal;
        planner.shoulder = world_shoulder(&world.arm);
        planner.corner = world_cell_of(&world, tr_vec3_subtract(planner.shoulder, tr_vec3_make(1, 1, 1)));
        world_cell goal_cell = world_cell_of(&world, goal);
        CHECK_INT(begun == TR_OK, plain_reaches(&planner, goal_cell));
        if (begun == TR_OK) {
            memset(planner.visited, 0, (size_t)SIDE * SIDE * SIDE);
            tr_arm_points(&world.arm, &start, points);
            bool reached = plain_plan(&planner, world_cell_of(&world, points[2]), goal_cell);
            CHECK_INT(world_run(march, UINT32_MAX), reached ? TR_DONE : TR_NOT_FOUND);
            compare(&world, &planner, march);
            CHECK_INT(march_look(march).count, reached ? planner.depth : 1);
            found += reached;
            failed += !reached;
            detours += reached && planner.backtracks > 0;
        }
        march_destroy(march);
    }
    CHECK(found > 60 && failed > 30 && detours > 10);
    free(planner.visited);
    free(planner.stack);
    free(planner.tried);
    free(world.log);
}

TEST(the_same_march_has_the_same_bits) {
    tr_random random = tr_random_seed(7);
    for (int i = 0; i < 60; i++) {
        march_world world = {0};
        tr_posture start;
        tr_vec3 goal;
        if (!draw_world(&world, &random, &start, &goal))
            continue;
        march_search *one = world_march(&world, NULL), *other = world_march(&world, NULL);
        REQUIRE(one && other);
        if (march_begin(one, &start, goal, NULL, NULL) == TR_OK) {
            // The other one has been used before.
            march_begin(other, &start, world_shoulder(&world.arm), NULL, NULL);
            march_begin(other, &start, goal, NULL, NULL);
            world_run(other, 100);
            CHECK_INT(march_begin(other, &start, goal, NULL, NULL), TR_OK);
            CHECK_INT(world_run(one, UINT32_MAX), world_run(other, UINT32_MAX));
            march_result a = march_look(one), b = march_look(other);
            CHECK_INT(a.visited, b.visited);
            CHECK_INT(a.count, b.count);
            CHECK(memcmp(a.postures, b.postures, a.count * sizeof *a.postures) == 0);
            CHECK(memcmp(a.wrists, b.wrists, a.count * sizeof *a.wrists) == 0);
        }
        march_destroy(one);
        march_destroy(other);
    }
}
