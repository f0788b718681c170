// Ducks: the body stays under the bar, and no lower than it must.
#include "behavior_obstacle.h"

static const float bodies[] = {1.1f, 1.75f, 2.0f};
#define BODIES (sizeof bodies / sizeof *bodies)

// For a body of 1.75 m.
static const float sizes[][2] = {{0.95f, 0.05f}, {0.95f, 2}, {1.05f, 0.6f},
                                 {1.2f, 0.3f},   {1.35f, 3}, {1.5f, 0.1f}};
#define SIZES (sizeof sizes / sizeof *sizes)

static tr_behavior_clip_def duck(uint32_t size, float body) {
    return (tr_behavior_clip_def){.kind = TR_BEHAVIOR_CLIP_DUCK,
                                  .height = sizes[size][0] * body / 1.75f,
                                  .length = sizes[size][1] * body / 1.75f};
}

TEST(every_part_of_the_body_goes_under_the_bar) {
    for (uint32_t b = 0; b < BODIES; b++)
        for (uint32_t i = 0; i < SIZES; i++) {
            behavior m;
            tr_behavior_clip_def def = duck(i, bodies[b]);
            REQUIRE(measure_behavior(&m, &def, bodies[b]));
            obstacle bar = obstacle_of(&m, (double)def.length, (double)def.height, 4);
            double room = clearance(&m, &bar) * 1.75 / (double)bodies[b];
            CHECK(room > 0.025);
            CHECK(room < 0.12);
            behavior_end(&m);
        }
}

static double lowest_hips(behavior *m) {
    uint32_t hips = tr_skeleton_with_role(m->skeleton, TR_ROLE_HIPS);
    double lowest = INFINITY;
    for (uint32_t i = 0; i < tr_clip_frame_count(m->clip); i++) {
        pose_behavior(m, i);
        lowest = fmin(lowest, (double)tr_affine_position(&m->model[hips]).y);
    }
    return lowest;
}

TEST(lower_bars_take_deeper_knees) {
    double before = 0;
    for (int i = 0; i <= 5; i++) {
        behavior m;
        tr_behavior_clip_def def = {.kind = TR_BEHAVIOR_CLIP_DUCK, .height = 0.95f + 0.11f * (float)i};
        REQUIRE(measure_behavior(&m, &def, 1.75f));
        double hips = lowest_hips(&m);
        CHECK(hips > before);
        before = hips;
        behavior_end(&m);
    }
    CHECK(before > 0.7);
}

// There is always a foot on the ground under the bar.
TEST(a_duck_takes_steps_without_a_flight) {
    behavior m;
    tr_behavior_clip_def def = {.kind = TR_BEHAVIOR_CLIP_DUCK, .height = 1, .length = 2};
    REQUIRE(measure_behavior(&m, &def, 1.75f));
    uint32_t middle = (uint32_t)(m.info.action * 30), strikes = 0;
    for (uint32_t i = middle - 25; i <= middle + 25; i++) {
        CHECK(tr_clip_frame_contacts(m.clip, i) != 0);
        uint32_t now = tr_clip_frame_contacts(m.clip, i), before = tr_clip_frame_contacts(m.clip, i - 1);
        strikes += (now & 3 && !(before & 3)) + (now & 12 && !(before & 12));
    }
    CHECK(strikes >= 3 && strikes <= 6);
    behavior_end(&m);
}

TEST(longer_bars_take_longer) {
    uint32_t before = 0;
    for (int i = 0; i < 5; i++) {
        behavior m;
        tr_behavior_clip_def def = {
            .kind = TR_BEHAVIOR_CLIP_DUCK, .height = 1.1f, .length = 0.1f + 0.7f * (float)i};
        REQUIRE(measure_behavior(&m, &def, 1.75f));
        CHECK(tr_clip_frame_count(m.clip) >= before);
        before = tr_clip_frame_count(m.clip);
        behavior_end(&m);
    }
    CHECK(before > 120);
}
