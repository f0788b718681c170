#include "test.h"
#include "troupe/base/random.h"
#include "troupe/motion/arm_smooth.h"
#include "troupe/motion/smoothness.h"

#include <math.h>
#include <string.h>

#define KNOTS 24

// A post in front of the body that arms must get around, in the axes of the arm's base.
static const tr_reach_body post = {
    .a = {-0.2f, -0.6f, 0.38f}, .b = {-0.2f, 0.22f, 0.38f}, .radius = 0.05f, .links = 7};

static tr_reach *make_reach(const tr_allocator *allocator, bool with_post) {
    tr_arm arm = tr_arm_default(TR_ARM_RIGHT, 1.75f);
    tr_reach_def def = tr_reach_def_default(NULL, &arm);
    def.allocator = allocator;
    def.bodies = &post;
    def.body_count = with_post ? 1 : 0;
    tr_reach *reach = NULL;
    CHECK(tr_reach_create(&def, &reach, NULL) == TR_OK);
    return reach;
}

static tr_smoothness smoothness_of(const tr_arm *arm, const tr_posture *knots, uint32_t count) {
    static tr_vec3 positions[2048];
    tr_arm_path arm_path = {knots, count};
    tr_arm_timing arm_timing;
    tr_smoothness smoothness = {0};
    CHECK(tr_arm_timing_make(arm, &arm_path, NULL, &arm_timing, NULL) == TR_OK);
    uint32_t samples = (uint32_t)(arm_timing.duration * 100) + 1;
    samples = samples < 8 ? 8 : samples > 2048 ? 2048 : samples;
    for (uint32_t i = 0; i < samples; i++) {
        tr_posture posture = tr_arm_timing_at(&arm_timing, arm_timing.duration * i / (samples - 1), NULL);
        tr_vec3 points[4];
        tr_arm_points(arm, &posture, points);
        positions[i] = points[2];
    }
    double rate = (samples - 1) / arm_timing.duration;
    CHECK(tr_smoothness_measure(positions, samples, rate, NULL, &smoothness, NULL) == TR_OK);
    return smoothness;
}

// A wavy way between two postures.
static void make_knots(tr_random *random, float wave, tr_posture *knots, uint32_t count) {
    tr_posture from = {{0}}, to = {{0}};
    static const float low[7] = {0, 0, -0.2f, 0.8f, -0.5f, 0, 0},
                       high[7] = {1.2f, 0.8f, 0.8f, 1.9f, 0.5f, 0.4f, 0.1f};
    for (int i = 0; i < 7; i++) {
        from.q[i] = tr_random_between(random, low[i], high[i]);
        to.q[i] = tr_random_between(random, low[i], high[i]);
    }
    for (uint32_t k = 0; k < count; k++)
        for (int i = 0; i < TR_ARM_ANGLES; i++) {
            float t = (float)k / (float)(count - 1);
            float off = i < 7 && k > 0 && k + 1 < count ? tr_random_between(random, -wave, wave) : 0;
            knots[k].q[i] = from.q[i] + t * (to.q[i] - from.q[i]) + off;
        }
}

TEST(a_wavy_path_in_an_empty_world_becomes_as_smooth_as_a_straight_one) {
    tr_random random = tr_random_seed(1);
    tr_reach *reach = make_reach(NULL, false);
    tr_arm_smooth *arm_smooth = NULL;
    REQUIRE(reach && tr_arm_smooth_create(NULL, &arm_smooth, NULL) == TR_OK);
    const tr_arm *arm = tr_reach_arm(reach);
    for (int n = 0; n < 12; n++) {
        tr_posture knots[KNOTS], before[KNOTS];
        uint32_t count = 8 + tr_random_below(&random, KNOTS - 7);
        make_knots(&random, 0.03f, knots, count);
        memcpy(before, knots, sizeof before);
        tr_arm_smooth_params params = {.enough = -5.5, .tries = 30};
        tr_arm_smooth_report report;
        tr_smoothness rough = smoothness_of(arm, knots, count);
        if (rough.path_length < 0.2)
            continue;
        REQUIRE(tr_arm_smooth_run(arm_smooth, reach, &params, knots, count, &report, NULL) == TR_OK);
        tr_smoothness smooth = smoothness_of(arm, knots, count);
        CHECK(report.steps > 0 && report.tries <= 30 && report.after > report.before);
        CHECK(smooth.ldlj > rough.ldlj && smooth.ldlj > -6.2);
        CHECK(smooth.path_length <= rough.path_length * 1.02);
        CHECK_INT(smooth.speed_peaks, 1);
        CHECK(report.after < smooth.ldlj + 0.35); // it looks closer, at 64 steps
        // The ends stay as they were.
        CHECK(memcmp(&knots[0], &before[0], sizeof knots[0]) == 0);
        CHECK(memcmp(&knots[count - 1], &before[count - 1], sizeof knots[0]) == 0);
        for (uint32_t k = 0; k < count; k++)
            CHECK(tr_arm_allows(arm, &knots[k], 1e-6f));
    }
    tr_arm_smooth_destroy(arm_smooth);
    tr_reach_destroy(reach);
}

TEST(around_an_obstacle_the_path_stays_free_and_is_never_worse) {
    tr_random random = tr_random_seed(2);
    tr_reach *reach = make_reach(NULL, true);
    tr_arm_smooth *arm_smooth = NULL;
    REQUIRE(reach && tr_arm_smooth_create(NULL, &arm_smooth, NULL) == TR_OK);
    const tr_arm *arm = tr_reach_arm(reach);
    double gain = 0;
    int smoothed = 0;
    for (int n = 0; n < 60 && smoothed < 15; n++) {
        tr_posture ends[2], knots[KNOTS], again[KNOTS];
        make_knots(&random, 0, ends, 2);
        tr_vec3 points[4];
        tr_arm_points(arm, &ends[1], points);
        tr_arm_goal goal = {.kind = TR_ARM_GOAL_POSITION, .wrist = points[2]};
        tr_reach_params params = tr_reach_params_default();
        if (tr_reach_plan(reach, &ends[0], &goal, &params, NULL) != TR_OK)
            continue;
        tr_arm_path path = tr_reach_last(reach)->path;
        if (path.count < TR_ARM_SMOOTH_KNOTS_MIN || path.count > KNOTS || tr_reach_last(reach)->start_touched)
            continue;
        memcpy(knots, path.knots, path.count * sizeof *knots);
        memcpy(again, path.knots, path.count * sizeof *knots);
        tr_smoothness rough = smoothness_of(arm, knots, path.count);
        tr_arm_smooth_report report;
        REQUIRE(tr_arm_smooth_run(arm_smooth, reach, NULL, knots, path.count, &report, NULL) == TR_OK);
        tr_arm_path made = {knots, path.count};
        for (uint32_t k = 0; k + 1 < path.count; k++)
            CHECK(tr_reach_is_free(reach, &made, k, k + 1));
        tr_smoothness smooth = smoothness_of(arm, knots, path.count);
        CHECK(smooth.ldlj > rough.ldlj - 0.15);
        gain += smooth.ldlj - rough.ldlj;
        smoothed++;
        // The same again: the same bits.
        REQUIRE(tr_arm_smooth_run(arm_smooth, reach, NULL, again, path.count, NULL, NULL) == TR_OK);
        CHECK(memcmp(again, knots, path.count * sizeof *knots) == 0);
    }
    CHECK(smoothed >= 5);
    CHECK(gain / smoothed > 0.1);
    tr_arm_smooth_destroy(arm_smooth);
    tr_reach_destroy(reach);
}

TEST(existing_clearance_is_kept) {
    tr_random random = tr_random_seed(7);
    tr_reach *reach = make_reach(NULL, true);
    tr_arm_smooth *arm_smooth = NULL;
    REQUIRE(reach && tr_arm_smooth_create(NULL, &arm_smooth, NULL) == TR_OK);
    int kept = 0;
    for (int n = 0; n < 200 && kept < 10; n++) {
        tr_posture knots[12];
        make_knots(&random, 0.02f, knots, 12);
        tr_arm_path arm_path = {knots, 12};
        float before = INFINITY, after = INFINITY;
        for (int i = 0; i <= 11 * 8; i++) {
            tr_posture posture = tr_arm_path_at(&arm_path, i / 8.0, NULL);
            before = fminf(before, tr_reach_clearance(reach, &posture, 0.5f));
        }
        if (!(before > 0.02f && before < 0.06f))
            continue;
        tr_arm_smooth_params params = {.clearance = 0.02f};
        REQUIRE(tr_arm_smooth_run(arm_smooth, reach, &params, knots, 12, NULL, NULL) == TR_OK);
        for (int i = 0; i < 11 * 8; i++) {
            tr_posture posture = tr_arm_path_at(&arm_path, (i + 0.5) / 8, NULL);
            after = fminf(after, tr_reach_clearance(reach, &posture, 0.5f));
        }
        CHECK(after >= 0.0199f);
        kept++;
    }
    CHECK(kept >= 3);
    tr_arm_smooth_destroy(arm_smooth);
    tr_reach_destroy(reach);
}

TEST(a_moving_arm_keeps_its_velocity_at_the_start) {
    tr_random random = tr_random_seed(3);
    tr_reach *reach = make_reach(NULL, false);
    tr_arm_smooth *arm_smooth = NULL;
    REQUIRE(reach && tr_arm_smooth_create(NULL, &arm_smooth, NULL) == TR_OK);
    tr_posture knots[16], before[16], velocity;
    make_knots(&random, 0.02f, knots, 16);
    memcpy(before, knots, sizeof before);
    for (int i = 0; i < TR_ARM_ANGLES; i++)
        velocity.q[i] = 3 * (knots[1].q[i] - knots[0].q[i]);
    tr_arm_smooth_params params = {.velocity = &velocity};
    REQUIRE(tr_arm_smooth_run(arm_smooth, reach, &params, knots, 16, NULL, NULL) == TR_OK);
    for (int i = 0; i < TR_ARM_ANGLES; i++)
        CHECK_NEAR((double)knots[1].q[i], (double)before[1].q[i], 1e-5);
    CHECK(memcmp(knots, before, sizeof knots) != 0);
    tr_arm_smooth_destroy(arm_smooth);
    tr_reach_destroy(reach);
}

TEST(a_path_that_cannot_be_improved_stays_as_it_is) {
    tr_random random = tr_random_seed(4);
    tr_reach *reach = make_reach(NULL, true);
    tr_arm_smooth *arm_smooth = NULL;
    REQUIRE(reach && tr_arm_smooth_create(NULL, &arm_smooth, NULL) == TR_OK);
    static tr_posture knots[40], before[40];
    tr_arm_smooth_report report;
    make_knots(&random, 0.02f, knots, 40);
    memcpy(before, knots, sizeof before);
    const uint32_t counts[] = {0, 1, 2, 4, 33, 40};
    for (int i = 0; i < 6; i++) {
        CHECK(tr_arm_smooth_run(arm_smooth, reach, NULL, knots, counts[i], &report, NULL) == TR_OK);
        CHECK(memcmp(knots, before, sizeof knots) == 0 && report.tries == 0);
    }
    // Right through the post.
    for (int k = 0; k < 8; k++)
        knots[k] = (tr_posture){
            {0.2f + 0.1f * (float)k, 0.3f - 0.1f * (float)k, 0.5f, 1.0f + 0.02f * (float)(k % 2)}};
    tr_arm_path arm_path = {knots, 8};
    REQUIRE(!tr_reach_is_free(reach, &arm_path, 0, 7));
    memcpy(before, knots, sizeof before);
    CHECK(tr_arm_smooth_run(arm_smooth, reach, NULL, knots, 8, &report, NULL) == TR_OK);
    CHECK(memcmp(knots, before, sizeof knots) == 0 && report.tries == 0);
    // Nothing that moves.
    for (int k = 1; k < 8; k++)
        knots[k] = knots[0];
    CHECK(tr_arm_smooth_run(arm_smooth, reach, NULL, knots, 8, &report, NULL) == TR_OK && report.tries == 0);
    tr_arm_smooth_destroy(arm_smooth);
    tr_arm_smooth_destroy(NULL);
    tr_reach_destroy(reach);
}

TEST(an_invalid_path_is_refused_with_the_value) {
    tr_reach *reach = make_reach(NULL, false);
    tr_arm_smooth *arm_smooth = NULL;
    REQUIRE(reach && tr_arm_smooth_create(NULL, &arm_smooth, NULL) == TR_OK);
    tr_posture knots[6] = {{{0}}}, nothing = {{NAN}};
    tr_error error = {0};
    knots[3].q[2] = NAN;
    CHECK(tr_arm_smooth_run(arm_smooth, reach, NULL, knots, 6, NULL, &error) == TR_INVALID);
    CHECK_CONTAINS(error.message, "knot 3");
    knots[3].q[2] = 0;
    const tr_arm_smooth_params bad[] = {
        {.enough = 2}, {.enough = NAN}, {.enough = -INFINITY}, {.clearance = -1}, {.velocity = &nothing}};
    for (int i = 0; i < 5; i++)
        CHECK(tr_arm_smooth_run(arm_smooth, reach, &bad[i], knots, 6, NULL, &error) == TR_INVALID);
    CHECK_CONTAINS(error.message, "velocity");
    tr_arm_smooth_destroy(arm_smooth);
    tr_reach_destroy(reach);
}

static bool create_with(const tr_allocator *allocator) {
    tr_arm_smooth *arm_smooth = NULL;
    tr_status status = tr_arm_smooth_create(allocator, &arm_smooth, NULL);
    CHECK((status == TR_OK) == (arm_smooth != NULL));
    tr_arm_smooth_destroy(arm_smooth);
    return status == TR_OK;
}

TEST(creating_one_without_memory_leaks_nothing) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(create_with) == 1);
}
