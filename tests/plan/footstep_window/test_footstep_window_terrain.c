// Random terrains of steps, ramps, gaps, rubble, stepping stones and roots, walked by bodies of all sizes and
// judged by the triangles.
#include "window_world.h"

#define TERRAINS 240

TEST(random_terrains_are_walked_by_any_body_or_end_in_a_stop_with_a_reason) {
    uint32_t arrived = 0, steps = 0;
    for (uint64_t seed = 1; seed <= TERRAINS; seed++) {
        window_world world;
        REQUIRE(open_sample(&world, "rough", 5000 + seed, 1.1f + 0.9f * (float)(seed % 37) / 36));
        lane_walker walker = stand_at(&world, -0.5f, 0);
        walk_result result = walk(&world, &walker, 40);
        const lane_verdict *verdict = &result.verdict;
        bool reasoned = result.status == TR_NOT_FOUND && result.reason > TR_STRIDE_OUTSIDE;
        if (!(result.arrived || reasoned) || !(verdict->sole < 1e-3) ||
            !(verdict->leg > 0.25 * (double)world.body.radius) || !(verdict->stretch < 1e-3))
            test_failed(__FILE__, __LINE__, "seed %llu: sole %.2f mm below the floor, leg %.1f mm away, %s",
                        (unsigned long long)seed, 1e3 * verdict->sole, 1e3 * verdict->leg,
                        tr_stride_reason_text(result.reason));
        arrived += result.arrived;
        steps += result.steps;
        close_world(&world);
    }
    printf("%u of %u arrived, %u steps\n", arrived, TERRAINS, steps);
    CHECK(arrived > TERRAINS / 4);
    CHECK(steps > 3000);
}
