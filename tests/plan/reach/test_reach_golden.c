// The same bits for every compiler, level of optimisation and machine: paths of arms among boxes, straight,
// through cells and by trees, with help and without.
#include "reach_world.h"
#include "troupe/base/hash.h"

static uint64_t hash_plan(uint64_t hash, reach_world *world, const tr_posture *start, const tr_arm_goal *goal,
                          uint64_t seed, bool help) {
    tr_reach_params params = tr_reach_params_default();
    params.seed = seed;
    params.checks_max = 12000;
    params.help = help;
    tr_status status = tr_reach_plan(world->reach, start, goal, &params, NULL);
    const tr_reach_result *result = tr_reach_last(world->reach);
    hash = tr_hash(hash, &status, sizeof status);
    hash = tr_hash(hash, &result->checks, sizeof result->checks);
    if (status != TR_OK)
        return hash;
    hash = tr_hash(hash, &result->by, sizeof result->by);
    return tr_hash(hash, result->path.knots, result->path.count * sizeof *result->path.knots);
}

TEST(paths_have_the_same_bits_everywhere) {
    tr_random random = tr_random_seed(901);
    uint64_t hash = TR_HASH_START;
    for (int round = 0; round < 16; round++) {
        reach_world world;
        world_begin(&world, round & 1 ? TR_ARM_LEFT : TR_ARM_RIGHT);
        if (round & 4)
            tr_arm_allow_help(&world.arm);
        draw_boxes(&random, &world, 4 + (uint32_t)round % 8);
        world_end(&world, round & 2);
        for (uint64_t i = 0; i < 4; i++) {
            tr_posture start = draw_posture(&random, &world.arm), end = draw_posture(&random, &world.arm);
            tr_arm_place place = tr_arm_put(&world.arm, &end);
            tr_arm_goal goal = {.kind = (tr_arm_goal_kind)(i % 3), .wrist = place.wrist, .tolerance = 0.4f};
            goal.direction = tr_vec3_subtract(place.tip, place.wrist);
            goal.rotation = place.hand;
            hash = hash_plan(hash, &world, &start, &goal, i, (round & 4) != 0);
        }
        world_destroy(&world);
    }
    CHECK_HASH(hash, 0x659c66f4298985f2u);
}
