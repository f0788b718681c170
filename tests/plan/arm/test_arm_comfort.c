// The most comfortable posture for a goal: as good as the best of many that are drawn at random, and what
// free reaches end in.
#include "test.h"
#include "troupe/base/random.h"
#include "troupe/base/scalar.h"
#include "troupe/plan/reach.h"

static tr_posture draw_posture(tr_random *random, const tr_arm *arm) {
    tr_posture posture = {{0}};
    for (int i = 0; i < TR_ARM_JOINTS; i++)
        posture.q[i] = tr_random_between(random, arm->low.q[i], arm->high.q[i]);
    return posture;
}

static tr_arm_goal goal_of(const tr_arm *arm, const tr_posture *posture, tr_arm_goal_kind kind) {
    tr_arm_place place = tr_arm_put(arm, posture);
    return (tr_arm_goal){.kind = kind,
                         .wrist = place.wrist,
                         .direction = tr_vec3_subtract(place.tip, place.wrist),
                         .tolerance = 0.4f,
                         .rotation = place.hand};
}

TEST(hardly_any_random_posture_is_more_comfortable) {
    static const float help[TR_ARM_HELP] = {0};
    tr_random random = tr_random_seed(17);
    uint32_t worse = 0, cases = 600;
    for (uint32_t round = 0; round < cases; round++) {
        tr_arm arm = tr_arm_default(round & 1 ? TR_ARM_LEFT : TR_ARM_RIGHT, 1.6f);
        tr_posture drawn = draw_posture(&random, &arm), best;
        tr_arm_goal goal = goal_of(&arm, &drawn, (tr_arm_goal_kind)(round % 3));
        float cost = tr_arm_most_comfortable(&arm, help, &goal, &best), least = INFINITY;
        tr_arm_family family;
        if (tr_arm_solve(&arm, help, &goal, &family) != TR_OK) {
            CHECK(!(cost < INFINITY));
            continue;
        }
        if (cost < INFINITY) {
            tr_arm_place place = tr_arm_put(&arm, &best);
            CHECK(tr_vec3_length(tr_vec3_subtract(place.wrist, goal.wrist)) < 1e-4f);
            CHECK(tr_arm_allows(&arm, &best, 1e-5f));
            CHECK_NEAR(tr_arm_comfort(&arm, &best), cost, 1e-6);
        }
        for (int i = 0; i < 300; i++) {
            const tr_arm_range *range = &family.ranges[tr_random_below(&random, family.range_count)];
            float swivel = tr_random_between(&random, range->low, range->high);
            tr_posture hand = draw_posture(&random, &arm), tried;
            if (tr_arm_family_at(&arm, &family, &goal, swivel, range->branch, &hand.q[TR_FOREARM_PRONATION],
                                 &tried))
                least = fminf(least, tr_arm_comfort(&arm, &tried));
        }
        worse += cost > least + 0.25f;
    }
    CHECK(worse < cases / 20);
}

// Reaches with nothing in the way end with the elbow near the natural swivel and the wrist hardly bent,
// wherever they begin.
TEST(free_reaches_end_in_comfort) {
    tr_random random = tr_random_seed(18);
    uint32_t off = 0, bent = 0, cases = 400;
    for (uint32_t round = 0; round < cases; round++) {
        tr_arm arm = tr_arm_default(round & 1 ? TR_ARM_LEFT : TR_ARM_RIGHT, 1.5f + 0.001f * (float)round);
        tr_reach_def def = tr_reach_def_default(NULL, &arm);
        tr_reach *reach;
        REQUIRE(tr_reach_create(&def, &reach, NULL) == TR_OK);
        tr_posture start = draw_posture(&random, &arm), end = draw_posture(&random, &arm);
        tr_arm_goal goal = goal_of(&arm, &end, TR_ARM_GOAL_POSITION);
        tr_reach_params params = tr_reach_params_default();
        REQUIRE(tr_reach_plan(reach, &start, &goal, &params, NULL) == TR_OK);
        tr_arm_path path = tr_reach_last(reach)->path;
        tr_posture last = path.knots[path.count - 1];
        tr_arm_family family;
        REQUIRE(tr_arm_solve(&arm, &start.q[TR_ARM_JOINTS], &goal, &family) == TR_OK);
        float turn = fabsf(tr_arm_swivel(&arm, &last) - tr_arm_natural_swivel(&arm, &family));
        turn = turn > (float)TR_PI ? 2 * (float)TR_PI - turn : turn;
        off += turn > 15 * (float)TR_PI / 180;
        bent += cos((double)last.q[TR_WRIST_FLEXION]) * cos((double)last.q[TR_WRIST_DEVIATION]) <
                cos(40 * TR_PI / 180);
        tr_reach_destroy(reach);
    }
    CHECK(off < cases / 10);
    CHECK(bent < cases / 20);
    if (off >= cases / 10 || bent >= cases / 20)
        test_failed(__FILE__, __LINE__, "%u of %u elbows are off, %u wrists bent", off, cases, bent);
}
