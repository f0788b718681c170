#include "march_world.h"
#include "troupe/base/scalar.h"

static march_world plain_world(void) {
    march_world world = {.arm = tr_arm_default(TR_ARM_RIGHT, 1.75f), .step = 0.02f};
    return world;
}

static void check_way(const march_world *world, const march_search *march) {
    march_result way = march_look(march);
    for (uint32_t i = 0; i < way.count; i++) {
        tr_vec3 points[4];
        tr_arm_points(&world->arm, &way.postures[i], points);
        CHECK(tr_arm_allows(&world->arm, &way.postures[i], 2e-3f));
        CHECK_NEAR((double)tr_vec3_length(tr_vec3_subtract(points[2], way.wrists[i])), 0, 1e-4);
        world_cell cell = world_cell_of(world, way.wrists[i]);
        CHECK(i == 0 || !world->is_blocked || !world->is_blocked(world, cell));
        for (uint32_t j = 0; j < i; j++)
            CHECK(!world_same(cell, world_cell_of(world, way.wrists[j])));
        if (i == 0)
            continue;
        world_cell before = world_cell_of(world, way.wrists[i - 1]);
        CHECK_INT(abs(cell.x - before.x) + abs(cell.y - before.y) + abs(cell.z - before.z), 1);
    }
}

static const tr_vec3 low_place = {-0.25f, 1.05f, 0.25f}, high_place = {-0.15f, 1.35f, 0.4f};

TEST(open_space_is_crossed_without_a_detour) {
    march_world world = plain_world();
    tr_posture start;
    REQUIRE(world_posture(&world.arm, low_place, &start));
    march_search *march = world_march(&world, NULL);
    REQUIRE(march);
    CHECK_INT(march_begin(march, &start, high_place, NULL, NULL), TR_OK);
    CHECK_INT(world_run(march, 1000), TR_DONE);
    march_result way = march_look(march);
    world_cell a = world_cell_of(&world, low_place), b = world_cell_of(&world, high_place);
    CHECK_INT(way.count, 1 + abs(a.x - b.x) + abs(a.y - b.y) + abs(a.z - b.z));
    CHECK_INT(way.visited, way.count);
    CHECK_INT(way.backtracks + way.refused + way.out_of_reach, 0);
    CHECK(world_same(world_cell_of(&world, way.wrists[way.count - 1]), b));
    CHECK(memcmp(&way.postures[0], &start, sizeof start) == 0);
    check_way(&world, march);
    CHECK_INT(march_step(march), TR_DONE);
    CHECK_INT(march_look(march).visited, way.visited);
    march_destroy(march);
}

// A wall across z between start and goal, with one cell open.
static bool is_wall(const march_world *world, world_cell cell) {
    return cell.z == world->gate.z && !(cell.x == world->gate.x && cell.y == world->gate.y);
}

TEST(a_hole_in_a_wall_is_found) {
    march_world world = plain_world();
    world.is_blocked = is_wall;
    world.gate = world_cell_of(&world, tr_vec3_make(-0.3f, 1.3f, 0.33f));
    tr_posture start;
    REQUIRE(world_posture(&world.arm, low_place, &start));
    march_search *march = world_march(&world, NULL);
    REQUIRE(march);
    CHECK_INT(march_begin(march, &start, high_place, NULL, NULL), TR_OK);
    CHECK_INT(world_run(march, 1000000), TR_DONE);
    march_result way = march_look(march);
    CHECK(way.refused > 0);
    bool through = false;
    for (uint32_t i = 0; i < way.count; i++)
        through |= world_same(world_cell_of(&world, way.wrists[i]), world.gate);
    CHECK(through);
    check_way(&world, march);
    march_destroy(march);
}

// A bag that is open towards the start: the straight way leads into it.
static bool is_bag_of(const march_world *world, world_cell cell, int wide) {
    int x = abs(cell.x - world->gate.x), y = abs(cell.y - world->gate.y), z = cell.z - world->gate.z;
    return z <= 0 && z >= -5 && x <= wide && y <= wide && (z == 0 || x == wide || y == wide);
}

static bool is_bag(const march_world *world, world_cell cell) {
    return is_bag_of(world, cell, 3);
}

static bool is_tube(const march_world *world, world_cell cell) {
    return is_bag_of(world, cell, 1);
}

TEST(a_trap_is_left_by_going_back) {
    march_world world = plain_world();
    world.is_blocked = is_tube;
    tr_vec3 from = {-0.23f, 1.25f, 0.17f}, to = {-0.23f, 1.25f, 0.47f};
    world.gate = world_cell_of(&world, tr_vec3_make(-0.23f, 1.25f, 0.37f));
    tr_posture start;
    REQUIRE(world_posture(&world.arm, from, &start));
    march_search *march = world_march(&world, NULL);
    REQUIRE(march);
    CHECK_INT(march_begin(march, &start, to, NULL, NULL), TR_OK);
    CHECK_INT(world_run(march, 1000000), TR_DONE);
    march_result way = march_look(march);
    CHECK_INT(way.backtracks, 5); // the tube's five cells, none of which has another way out
    CHECK(way.refused >= 5 * 4 + 1);
    check_way(&world, march);
    world.is_blocked = is_bag; // filled cell by cell
    CHECK_INT(march_begin(march, &start, to, NULL, NULL), TR_OK);
    CHECK_INT(world_run(march, 1000000), TR_DONE);
    CHECK(march_look(march).visited > 5 * 25);
    check_way(&world, march);
    march_destroy(march);
}

// A shell of cells around the gate.
static bool is_shell(const march_world *world, world_cell cell) {
    int x = abs(cell.x - world->gate.x), y = abs(cell.y - world->gate.y), z = abs(cell.z - world->gate.z);
    return (x == 2 || y == 2 || z == 2) && x <= 2 && y <= 2 && z <= 2;
}

TEST(what_is_walled_in_is_not_found_and_all_that_can_be_reached_was_visited) {
    march_world world = plain_world();
    world.is_blocked = is_shell;
    world.gate = world_cell_of(&world, low_place);
    tr_posture start;
    REQUIRE(world_posture(&world.arm, low_place, &start));
    march_search *march = world_march(&world, NULL);
    REQUIRE(march);
    CHECK_INT(march_begin(march, &start, high_place, NULL, NULL), TR_OK);
    CHECK_INT(world_run(march, 1000), TR_NOT_FOUND);
    march_result way = march_look(march);
    CHECK_INT(way.visited, 27 + 6 * 9); // inside, and the shell less its edges
    CHECK_INT(way.refused, 6 * 9);
    CHECK_INT(way.count, 1);
    CHECK_INT(march_step(march), TR_NOT_FOUND);
    CHECK_INT(march_look(march).visited, 27 + 6 * 9);
    march_destroy(march);
}

static bool is_start_only(const march_world *world, world_cell cell) {
    return world_same(cell, world->gate);
}

static bool is_everything(const march_world *world, world_cell cell) {
    (void)world, (void)cell;
    return true;
}

TEST(a_start_in_collision_is_left_where_there_is_a_way_out) {
    march_world world = plain_world();
    world.is_blocked = is_start_only;
    world.gate = world_cell_of(&world, low_place);
    tr_posture start;
    REQUIRE(world_posture(&world.arm, low_place, &start));
    march_search *march = world_march(&world, NULL);
    REQUIRE(march);
    CHECK_INT(march_begin(march, &start, high_place, NULL, NULL), TR_OK);
    CHECK_INT(world_run(march, 1000), TR_DONE);
    world.is_blocked = is_everything;
    CHECK_INT(march_begin(march, &start, high_place, NULL, NULL), TR_OK);
    CHECK_INT(world_run(march, 1000), TR_NOT_FOUND);
    CHECK_INT(march_look(march).visited, 7);
    CHECK_INT(march_look(march).refused, 6);
    march_destroy(march);
}

TEST(a_goal_that_changes_is_followed_from_where_the_arm_is) {
    march_world world = plain_world();
    tr_posture start;
    REQUIRE(world_posture(&world.arm, low_place, &start));
    march_search *march = world_march(&world, NULL);
    REQUIRE(march);
    CHECK_INT(march_begin(march, &start, high_place, NULL, NULL), TR_OK);
    for (int i = 0; i < 10; i++)
        CHECK_INT(march_step(march), TR_OK);
    tr_vec3 here = march_look(march).wrists[10], other = {-0.4f, 1.1f, 0.3f};
    CHECK_INT(march_set_goal(march, other, NULL, NULL), TR_OK);
    CHECK_INT(world_run(march, 1000), TR_DONE);
    march_result way = march_look(march);
    CHECK(memcmp(&way.wrists[10], &here, sizeof here) == 0);
    CHECK(world_same(world_cell_of(&world, way.wrists[way.count - 1]), world_cell_of(&world, other)));
    check_way(&world, march);
    // Back to a place on the way: no cell is looked at.
    uint32_t visited = way.visited;
    tr_vec3 on_way = way.wrists[5];
    CHECK_INT(march_set_goal(march, on_way, NULL, NULL), TR_OK);
    CHECK_INT(march_step(march), TR_DONE);
    CHECK_INT(march_look(march).count, 6);
    CHECK_INT(march_look(march).visited, visited);
    // And to where it was before that.
    CHECK_INT(march_set_goal(march, other, NULL, NULL), TR_OK);
    CHECK_INT(world_run(march, 1000), TR_DONE);
    check_way(&world, march);
    // A goal that cannot be reached leaves the old one.
    tr_arm_reason reason;
    tr_error error = {0};
    CHECK_INT(march_set_goal(march, tr_vec3_make(3, 1, 0), &reason, &error), TR_NOT_FOUND);
    CHECK_INT(reason, TR_ARM_TOO_FAR);
    CHECK_INT(march_step(march), TR_DONE);
    march_destroy(march);
}

// Cells that the search gave up once lead to a goal that was moved there later.
TEST(a_goal_moved_into_a_dead_end_that_was_left_is_found) {
    march_world world = plain_world();
    world.is_blocked = is_bag;
    tr_vec3 from = {-0.23f, 1.25f, 0.17f}, to = {-0.23f, 1.25f, 0.47f};
    world.gate = world_cell_of(&world, tr_vec3_make(-0.23f, 1.25f, 0.37f));
    tr_posture start;
    REQUIRE(world_posture(&world.arm, from, &start));
    march_search *march = world_march(&world, NULL);
    REQUIRE(march);
    CHECK_INT(march_begin(march, &start, to, NULL, NULL), TR_OK);
    CHECK_INT(world_run(march, 1000000), TR_DONE);
    CHECK_INT(march_set_goal(march, tr_vec3_make(-0.21f, 1.27f, 0.355f), NULL, NULL), TR_OK);
    CHECK_INT(world_run(march, 1000000), TR_DONE);
    check_way(&world, march);
    march_destroy(march);
}

// The elbow nearest to where people have it, found by trying many.
static double least_offset(const march_world *world, tr_vec3 wrist, double *natural) {
    tr_arm_goal goal = {.kind = TR_ARM_GOAL_POSITION, .wrist = wrist};
    const float help[TR_ARM_HELP] = {0}, hand[3] = {0};
    tr_arm_family family;
    if (tr_arm_solve(&world->arm, help, &goal, &family) != TR_OK)
        return INFINITY;
    *natural = (double)tr_arm_natural_swivel(&world->arm, &family);
    for (int i = 0; i <= 1000; i++)
        for (uint32_t way = 0; way < 4; way++) {
            double offset = TR_PI * i / 1000;
            tr_posture posture;
            float swivel = (float)(*natural + (way & 1 ? offset : -offset));
            if (tr_arm_family_at(&world->arm, &family, &goal, swivel, way >> 1, hand, &posture))
                return offset;
        }
    return INFINITY;
}

TEST(the_elbow_is_held_as_people_would_as_far_as_limits_allow) {
    march_world world = plain_world();
    tr_vec3 shoulder = world_shoulder(&world.arm);
    tr_random random = tr_random_seed(3);
    uint32_t compared = 0;
    march_search *march = world_march(&world, NULL);
    REQUIRE(march);
    for (int i = 0; i < 40; i++) {
        float x = tr_random_between(&random, -0.3f, 0.3f), y = tr_random_between(&random, -0.4f, 0.2f);
        float z = tr_random_between(&random, 0.05f, 0.4f);
        tr_posture start;
        if (!world_posture(&world.arm, tr_vec3_add(shoulder, tr_vec3_make(x, y, z)), &start) ||
            march_begin(march, &start, low_place, NULL, NULL) != TR_OK || world_run(march, 100000) != TR_DONE)
            continue;
        march_result way = march_look(march);
        for (uint32_t j = 1; j < way.count; j += 3) {
            double natural = 0, least = least_offset(&world, way.wrists[j], &natural);
            double off = fabs((double)tr_arm_swivel(&world.arm, &way.postures[j]) - natural);
            off = fabs(off - 2 * TR_PI * floor(off / (2 * TR_PI) + 0.5));
            CHECK_NEAR(off, least, 5e-3);
            compared++;
            for (int k = TR_FOREARM_PRONATION; k <= TR_WRIST_DEVIATION; k++)
                CHECK_NEAR((double)way.postures[j].q[k], (double)start.q[k], 1e-6);
        }
    }
    CHECK(compared > 100);
    march_destroy(march);
}

TEST(goals_out_of_reach_are_refused_with_the_reason) {
    march_world world = plain_world();
    tr_posture start;
    REQUIRE(world_posture(&world.arm, low_place, &start));
    march_search *march = world_march(&world, NULL);
    REQUIRE(march);
    tr_vec3 shoulder = world_shoulder(&world.arm);
    tr_arm_reason reason = TR_ARM_REACHES;
    tr_error error = {0};
    CHECK_INT(march_begin(march, &start, tr_vec3_make(0, 1.4f, 5), &reason, &error), TR_NOT_FOUND);
    CHECK_INT(reason, TR_ARM_TOO_FAR);
    CHECK_CONTAINS(error.message, "(0, 1.4, 5)");
    CHECK_INT(march_begin(march, &start, tr_vec3_make(1e30f, 0, 0), &reason, NULL), TR_NOT_FOUND);
    CHECK_INT(reason, TR_ARM_TOO_FAR);
    CHECK_INT(march_begin(march, &start, shoulder, &reason, NULL), TR_NOT_FOUND);
    CHECK_INT(reason, TR_ARM_TOO_NEAR);
    tr_vec3 behind = tr_vec3_add(shoulder, tr_vec3_make(0.3f, 0.1f, -0.45f));
    CHECK_INT(march_begin(march, &start, behind, &reason, NULL), TR_NOT_FOUND);
    CHECK_INT(reason, TR_ARM_LIMITS);
    CHECK_INT(march_step(march), TR_INVALID); // none of them began anything
    CHECK_INT(march_look(march).count, 0);
    CHECK(march_look(march).postures == NULL);
    march_destroy(march);
}

TEST(what_is_not_a_number_or_not_a_posture_is_refused) {
    march_world world = plain_world();
    tr_posture start;
    REQUIRE(world_posture(&world.arm, low_place, &start));
    march_search *march = world_march(&world, NULL);
    REQUIRE(march);
    tr_error error = {0};
    CHECK_INT(march_begin(march, &start, tr_vec3_make(NAN, 1, 0), NULL, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "not finite");
    CHECK_INT(march_begin(march, &start, tr_vec3_make(0, INFINITY, 0), NULL, NULL), TR_INVALID);
    for (int i = 0; i < TR_ARM_ANGLES; i++) {
        tr_posture bad = start;
        bad.q[i] = NAN;
        CHECK_INT(march_begin(march, &bad, high_place, NULL, &error), TR_INVALID);
        bad.q[i] = 3.2f; // beyond every limit; the trunk does not help here
        CHECK_INT(march_begin(march, &bad, high_place, NULL, &error), TR_INVALID);
        CHECK_CONTAINS(error.message, "limits");
    }
    CHECK_INT(march_begin(NULL, &start, high_place, NULL, NULL), TR_INVALID);
    CHECK_INT(march_begin(march, NULL, high_place, NULL, NULL), TR_INVALID);
    CHECK_INT(march_set_goal(march, high_place, NULL, NULL), TR_INVALID);
    CHECK_INT(march_set_goal(NULL, high_place, NULL, NULL), TR_INVALID);
    CHECK_INT(march_step(NULL), TR_INVALID);
    CHECK_INT(march_look(NULL).count, 0);
    march_destroy(march);
    march_destroy(NULL);
}

static void check_refused(const march_def *def, tr_status expected, const char *part) {
    march_search *march = NULL;
    tr_error error = {0};
    CHECK_INT(march_create(def, &march, &error), expected);
    CHECK_CONTAINS(error.message, part);
    CHECK(march == NULL);
    march_destroy(march);
}

TEST(definitions_that_make_no_sense_are_refused) {
    march_world world = plain_world();
    march_def good = {.arm = world.arm, .step = 0.02f, .is_free = world_is_free, .user = &world}, def = good;
    check_refused(NULL, TR_INVALID, "definition");
    def.is_free = NULL;
    check_refused(&def, TR_INVALID, "collision");
    static const float steps[] = {0, -1, NAN, INFINITY};
    for (int i = 0; i < 4; i++) {
        def = good;
        def.step = steps[i];
        check_refused(&def, TR_INVALID, "step");
    }
    def = good;
    def.step = 0.001f;
    check_refused(&def, TR_LIMIT, "16777216");
    def.step = 1e-30f;
    check_refused(&def, TR_LIMIT, "16777216");
    def = good;
    def.arm.length[0] = 0;
    check_refused(&def, TR_INVALID, "");
    def = good;
    def.arm.base.m[0][3] = NAN;
    check_refused(&def, TR_INVALID, "");
    CHECK_INT(march_create(&good, NULL, NULL), TR_INVALID);
}

static bool attempt(const tr_allocator *allocator) {
    march_world world = plain_world();
    march_def def = {
        .allocator = allocator, .arm = world.arm, .step = 0.05f, .is_free = world_is_free, .user = &world};
    march_search *march = NULL;
    tr_error error = {0};
    tr_status status = march_create(&def, &march, &error);
    if (status != TR_OK) {
        CHECK_INT(status, TR_OUT_OF_MEMORY);
        CHECK(march == NULL && error.message[0] != 0);
        return false;
    }
    march_destroy(march);
    return true;
}

TEST(every_allocation_may_fail) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(attempt) >= 7);
}

TEST(memory_is_taken_for_cells_within_reach_and_nothing_allocates_later) {
    test_memory memory = {0};
    tr_allocator allocator = test_memory_allocator(&memory);
    march_world world = plain_world();
    world.is_blocked = world_is_random;
    world.share = 300;
    tr_posture start;
    REQUIRE(world_posture(&world.arm, low_place, &start));
    march_search *march = world_march(&world, &allocator);
    REQUIRE(march);
    uint64_t calls = memory.calls;
    double reach = (double)(world.arm.length[0] + world.arm.length[1]) / (double)world.step;
    double ball = 4.0 / 3 * TR_PI * reach * reach * reach, cell = sizeof(tr_posture) + 2 * sizeof(tr_vec3);
    CHECK((double)memory.live_bytes < 1.05 * ball * (cell + 1) + 50000);
    CHECK_INT(march_begin(march, &start, high_place, NULL, NULL), TR_OK);
    world_run(march, 1000000);
    march_set_goal(march, low_place, NULL, NULL);
    world_run(march, 1000000);
    CHECK_INT(memory.calls, calls);
    march_destroy(march);
    CHECK_INT(memory.live_bytes, 0);
}
