// Steps to the side, turns on the spot, and walking on from them: against every configuration, and against a
// judge who knows the triangles.
#include "block.h"
#include "troupe/base/random.h"
#include "window_world.h"

#define HALF_PI 1.5707963f
#define ROWS 64

static tr_scene *new_scene(void) {
    tr_scene *scene = NULL;
    CHECK_INT(tr_scene_create(NULL, &scene), TR_OK);
    return scene;
}

// Tiles of random heights all around, level where the walker begins.
static bool open_tiles(window_world *world, tr_random *random, float rough) {
    tr_scene *scene = new_scene();
    for (int i = -3; i < 9; i++)
        for (int k = -3; k < 4; k++) {
            float size = 0.37f, x = size * (float)k, z = size * (float)i;
            float y = tr_random_between(random, -rough, rough);
            y = i >= -1 && i <= 1 && k >= -1 && k <= 1 ? 0 : y;
            add_block(scene, "tile", tr_vec3_make(x - 0.5f * size, y - 1, z - 0.5f * size),
                      tr_vec3_make(x + 0.5f * size, y, z + 0.5f * size));
        }
    return open_wide_world(world, scene, tr_random_between(random, 1.1f, 2), ROWS);
}

// Stands at z = 0 with the body turned.
static lane_walker stand_turned(const window_world *world, float turn) {
    lane_walker walker = stand_at(world, 0, 0);
    for (int i = 0; i < 2; i++) {
        float off = (i ? -0.5f : 0.5f) * world->body.apart;
        walker.feet[i].along -= off * sinf(turn);
        walker.feet[i].aside = off * cosf(turn);
        walker.feet[i].turn = turn;
    }
    return walker;
}

typedef struct turned_walk {
    uint32_t steps;
    tr_status status;
    tr_stride_reason reason;
    lane_verdict verdict;
} turned_walk;

// The joints of both strides agree where one ends and the other begins.
static void check_joined(const window_world *world, const tr_stride *before, const tr_stride *after,
                         float shift) {
    tr_stride_pose a, b;
    tr_stride_pose_at(&world->body, before, 1, &a);
    tr_stride_pose_at(&world->body, after, 0, &b);
    a.pelvis.z -= shift;
    CHECK_NEAR(tr_vec3_distance(a.pelvis, b.pelvis), 0, 1e-4);
    CHECK_NEAR(a.turn, b.turn, 1e-5);
    for (int side = 0; side < 2; side++) {
        a.ankles[side].z -= shift;
        CHECK_NEAR(tr_vec3_distance(a.ankles[side], b.ankles[side]), 0, 1e-4);
        CHECK_NEAR(a.turns[side], b.turns[side], 1e-5);
        CHECK_NEAR(a.knee[side], b.knee[side], 2e-3);
    }
}

// Walks `most` windows of a kind, one step of each.
static turned_walk walk_turned(const window_world *world, lane_walker *walker, tr_footstep_window_kind kind,
                               float turn, uint32_t most) {
    turned_walk result = {.verdict = {.support = 1, .leg = INFINITY}};
    tr_stride last = {0};
    while (result.steps < most) {
        tr_footstep_window_plan plan;
        tr_footstep_window_query query = query_of(world, walker);
        query.kind = kind, query.turn = turn;
        walker->side = tr_footstep_window_side(&query);
        float base = walker->base;
        CHECK_INT(cut_around(world, walker), TR_OK);
        query = query_of(world, walker);
        query.kind = kind, query.turn = turn;
        result.status = tr_footstep_window_find(world->window, &query, &plan, NULL);
        result.reason = plan.reason;
        if (result.status != TR_OK && result.status != TR_PARTIAL)
            return result;
        const tr_stride *stride = &plan.strides[0];
        judge_stride(world, stride, walker->base, 60, &result.verdict);
        double carried = carried_at(world, stride, walker->base);
        result.verdict.support = carried < result.verdict.support ? carried : result.verdict.support;
        if (result.steps > 0)
            check_joined(world, &last, stride, walker->base - base);
        last = *stride;
        result.steps++;
        take_step(walker, &plan);
        bool there = fabsf(walker->feet[0].turn - turn) < 1e-4f && fabsf(walker->feet[1].turn - turn) < 1e-4f;
        if (kind == TR_FOOTSTEP_WINDOW_TURN && there)
            return result;
    }
    return result;
}

static void check_turned(const window_world *world, const turned_walk *walked, uint64_t seed) {
    const lane_verdict *verdict = &walked->verdict;
    if (!(verdict->sole < 1e-3) || !(verdict->leg > 0.3 * (double)world->body.radius) ||
        !(verdict->support > (double)world->params.support_least - 0.1) || !(verdict->stretch < 1e-3))
        test_failed(__FILE__, __LINE__, "seed %llu: sole %g m below, leg %g m away, %g carried, stretch %g m",
                    (unsigned long long)seed, verdict->sole, verdict->leg, verdict->support,
                    verdict->stretch);
}

TEST(on_level_ground_she_steps_to_either_side) {
    for (int way = -1; way <= 1; way += 2) {
        tr_scene *scene = new_scene();
        window_world world;
        add_block(scene, "ground", tr_vec3_make(-3, -1, -3), tr_vec3_make(3, 0, 9));
        REQUIRE(open_wide_world(&world, scene, 1.75f, ROWS));
        float turn = (float)way * HALF_PI;
        lane_walker walker = stand_turned(&world, turn);
        turned_walk walked = walk_turned(&world, &walker, TR_FOOTSTEP_WINDOW_ALONG, turn, 8);
        CHECK_INT(walked.steps, 8);
        check_turned(&world, &walked, 0);
        CHECK(walker.base + walker.feet[0].along > 1); // four times the body moved by some 0.3 m
        CHECK(walker.base + walker.feet[0].along < 2);
        CHECK_NEAR(fabsf(walker.feet[0].along - walker.feet[1].along), world.body.apart, 1e-4);
        CHECK_NEAR(walker.feet[0].turn, turn, 0);
        close_world(&world);
    }
}

TEST(she_turns_on_the_spot_by_any_angle) {
    for (int degrees = -350; degrees <= 350; degrees += 25) {
        tr_scene *scene = new_scene();
        window_world world;
        add_block(scene, "ground", tr_vec3_make(-3, -1, -3), tr_vec3_make(3, 0, 9));
        REQUIRE(open_wide_world(&world, scene, 1.75f, ROWS));
        float turn = (float)degrees * HALF_PI / 90;
        lane_walker walker = stand_turned(&world, 0);
        turned_walk walked = walk_turned(&world, &walker, TR_FOOTSTEP_WINDOW_TURN, turn, 20);
        if (walked.status != TR_OK)
            test_failed(__FILE__, __LINE__, "%d degrees: %s", degrees, tr_stride_reason_text(walked.reason));
        check_turned(&world, &walked, (uint64_t)(degrees + 400));
        for (int i = 0; i < 2; i++)
            CHECK_NEAR(walker.feet[i].turn, turn, 1e-5);
        // About a point between the feet.
        CHECK_NEAR(walker.base + 0.5f * (walker.feet[0].along + walker.feet[1].along), 0, 0.1);
        CHECK_NEAR(0.5f * (walker.feet[0].aside + walker.feet[1].aside), 0, 0.1);
        CHECK(walked.steps <= 2 + 2 * (uint32_t)(fabsf(turn) / 0.8f) + 1);
        close_world(&world);
    }
}

TEST(after_a_turn_she_walks_on_and_gathers_her_feet) {
    tr_scene *scene = new_scene();
    window_world world;
    add_block(scene, "ground", tr_vec3_make(-3, -1, -3), tr_vec3_make(3, 0, 9));
    REQUIRE(open_wide_world(&world, scene, 1.75f, ROWS));
    // Half of a turn; then she walks along the path.
    lane_walker walker = stand_turned(&world, -0.9f);
    turned_walk walked = walk_turned(&world, &walker, TR_FOOTSTEP_WINDOW_TURN, 0, 1);
    CHECK_INT(walked.steps, 1);
    CHECK(fabsf(walker.feet[0].turn - walker.feet[1].turn) > 0.3f);
    walked = walk_turned(&world, &walker, TR_FOOTSTEP_WINDOW_ALONG, 0, 5);
    if (walked.steps != 5)
        test_failed(__FILE__, __LINE__, "%u steps: %s", walked.steps, tr_stride_reason_text(walked.reason));
    check_turned(&world, &walked, 1);
    CHECK(walker.feet[0].turn == 0 && walker.feet[1].turn == 0);
    CHECK(fabsf(walker.feet[0].along - walker.feet[1].along) > 0.4f);
    walked = walk_turned(&world, &walker, TR_FOOTSTEP_WINDOW_TURN, 0, 1);
    if (walked.steps != 1)
        test_failed(__FILE__, __LINE__, "gathering: %s", tr_stride_reason_text(walked.reason));
    check_turned(&world, &walked, 2);
    CHECK_NEAR(walker.feet[0].along, walker.feet[1].along, 1e-4);
    close_world(&world);
}

TEST(turned_windows_find_what_trying_everything_finds) {
    uint32_t found = 0;
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        tr_random random = tr_random_seed(seed);
        window_world world;
        REQUIRE(open_tiles(&world, &random, tr_random_between(&random, 0, 0.15f)));
        float turn = tr_random_between(&random, -3, 3);
        bool turns = tr_random_below(&random, 2) == 0;
        world.params.steps = 1 + tr_random_below(&random, 3);
        world.params.intervals = 2 + tr_random_below(&random, 4);
        lane_walker walker = stand_turned(&world, turns ? 0 : turn);
        tr_footstep_window_query query = query_of(&world, &walker);
        query.kind = turns ? TR_FOOTSTEP_WINDOW_TURN : TR_FOOTSTEP_WINDOW_ALONG;
        query.turn = turn;
        walker.side = query.side = tr_random_below(&random, 2);
        REQUIRE(cut_around(&world, &walker) == TR_OK);
        query.feet[0] = walker.feet[0], query.feet[1] = walker.feet[1];
        tr_footstep_window_plan plans[3];
        tr_status status[3];
        for (int i = 0; i < 3; i++) {
            world.params.method = (tr_footstep_window_method)i;
            status[i] = tr_footstep_window_find(world.window, &query, &plans[i], NULL);
        }
        CHECK_INT(status[0], status[2]);
        CHECK_INT(status[0], status[1]);
        CHECK_INT(plans[0].step_count, plans[2].step_count);
        if (plans[0].step_count > 0) {
            CHECK(plans[0].cost == plans[2].cost);
            CHECK(plans[1].cost >= plans[0].cost);
        }
        found += status[0] == TR_OK;
        close_world(&world);
    }
    CHECK(found > 400);
}

TEST(turned_steps_over_rough_tiles_are_sound_at_every_moment) {
    uint32_t steps = 0, stopped = 0;
    for (uint64_t seed = 1; seed <= 120; seed++) {
        tr_random random = tr_random_seed(seed);
        window_world world;
        REQUIRE(open_tiles(&world, &random, tr_random_between(&random, 0, 0.12f)));
        bool turns = seed % 2 == 0;
        float turn = turns ? tr_random_between(&random, -3, 3) : seed % 4 == 1 ? HALF_PI : -HALF_PI;
        lane_walker walker = stand_turned(&world, turns ? 0 : turn);
        turned_walk walked =
            walk_turned(&world, &walker, turns ? TR_FOOTSTEP_WINDOW_TURN : TR_FOOTSTEP_WINDOW_ALONG, turn, 8);
        check_turned(&world, &walked, seed);
        steps += walked.steps;
        stopped += walked.status == TR_NOT_FOUND;
        CHECK(walked.status != TR_NOT_FOUND || walked.reason > TR_STRIDE_FINE);
        close_world(&world);
    }
    printf("%u steps, %u stopped\n", steps, stopped);
    CHECK(steps > 300);
    CHECK(stopped < 40);
}
