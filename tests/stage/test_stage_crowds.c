// Crowds on the stage: whatever happens, no two bodies overlap.
#include "crowds.h"

#define OVERLAP 1e-4f // of discs, for rounding [m]

// Steps the crowd and checks every tick; false at the first overlap, which is reported.
static bool is_safe(crowd_stage *all, const char *kind, uint64_t seed, uint32_t ticks) {
    for (uint32_t tick = 0; tick < ticks; tick++) {
        tr_error error = {0};
        uint32_t who[2] = {0, 0};
        tr_status status = tr_stage_step(all->stage, TR_STAGE_TICK, &error);
        float nearest = crowd_stage_nearest(all, who);
        if ((status == TR_OK || status == TR_DONE) && nearest > -OVERLAP)
            continue;
        test_failed(__FILE__, __LINE__, "%s, seed %u, tick %u: people %u and %u are %g m apart; %s", kind,
                    (unsigned)seed, tick, who[0], who[1], (double)nearest, error.message);
        return false;
    }
    return true;
}

static float nearest_of_counters(const crowd_stage *all) {
    float nearest = INFINITY;
    for (uint32_t i = 0; i < all->count; i++) {
        float own = tr_stage_counters_of(all->stage, all->actors[i]).nearest;
        nearest = own < nearest ? own : nearest;
    }
    return nearest;
}

TEST(the_stage_knows_how_near_people_came) {
    const char *kinds[] = {"plaza", "swap", "house"};
    for (int kind = 0; kind < 3; kind++) {
        crowd_stage all;
        tr_sample_crowd_def def = {.kind = kinds[kind], .people = 12, .seed = 3};
        float nearest = INFINITY;
        REQUIRE(crowd_stage_open(&all, &def, NULL));
        for (uint32_t tick = 0; tick < 240; tick++) {
            tr_stage_step(all.stage, TR_STAGE_TICK, NULL);
            float now = crowd_stage_nearest(&all, NULL);
            nearest = now < nearest ? now : nearest;
        }
        CHECK_NEAR(nearest_of_counters(&all), nearest, 1e-5);
        crowd_stage_close(&all);
    }
}

static void check_safe(const char *kind, uint32_t people, float width, uint32_t ticks) {
    for (uint64_t seed = 1; seed <= 2; seed++) {
        crowd_stage all;
        tr_sample_crowd_def def = {.kind = kind, .people = people, .seed = seed, .width = width};
        REQUIRE(crowd_stage_open(&all, &def, NULL));
        is_safe(&all, kind, seed, ticks);
        crowd_stage_close(&all);
    }
}

TEST(no_two_bodies_overlap_where_people_meet_head_on) {
    check_safe("corridor", 10, 0, 600);
    check_safe("swap", 8, 1, 450);
    check_safe("swap", 8, 3, 450);
    check_safe("crossing", 16, 0, 450);
}

TEST(no_two_bodies_overlap_where_many_want_through_one_door) {
    check_safe("door", 16, 0, 450);
}

TEST(no_two_bodies_overlap_on_open_ground_and_among_furniture) {
    check_safe("plaza", 20, 0, 450);
    check_safe("office", 12, 0, 450);
}

TEST(no_two_bodies_overlap_on_stairs) {
    check_safe("house", 8, 0, 450);
    check_safe("stairs", 8, 0, 450);
}
