// Crowds on the stage: every actor arrives, or its order reports why not.
#include "crowds.h"

#include <math.h>

#define SECONDS_MOST 180.0 // of simulated time; the slowest of these crowds takes a third of it

// Plays a crowd to the end of all its orders. Gives how long it took [s].
static double check_live(const char *kind, uint32_t people, float width, uint64_t seed) {
    crowd_stage all;
    tr_sample_crowd_def def = {.kind = kind, .people = people, .seed = seed, .width = width};
    if (!crowd_stage_open(&all, &def, NULL))
        return INFINITY;
    tr_status status = TR_OK;
    while (status == TR_OK && tr_stage_time(all.stage) < SECONDS_MOST)
        status = tr_stage_step(all.stage, TR_STAGE_TICK, NULL);
    for (uint32_t i = 0; i < all.count; i++) {
        tr_order_report report = {0};
        CHECK_INT(tr_stage_order_report(all.stage, all.actors[i], 0, &report), TR_OK);
        if (report.state != TR_ORDER_DONE)
            test_failed(__FILE__, __LINE__, "%s of %u, seed %u: order of %u is in state %d: %s", kind, people,
                        (unsigned)seed, i, (int)report.state, report.reason);
        CHECK_INT(tr_stage_counters_of(all.stage, all.actors[i]).deviations, 0);
    }
    double seconds = tr_stage_time(all.stage);
    crowd_stage_close(&all);
    return seconds;
}

TEST(four_against_four_get_through_a_door) {
    for (uint64_t seed = 1; seed <= 3; seed++)
        check_live("swap", 8, 0.9f, seed);
}

TEST(streams_that_meet_in_a_corridor_and_at_a_crossing_get_through) {
    check_live("corridor", 12, 3, 1);
    check_live("crossing", 12, 0, 1);
}

TEST(twenty_against_twenty_pass_each_other_in_lanes) {
    CHECK(check_live("corridor", 40, 3, 6) < 120); // before there were lanes: 200 to 400
}

TEST(no_actor_waits_for_ever_to_yield_or_for_a_shorter_way) {
    check_live("office", 40, 0, 15);
    check_live("stairs", 10, 0, 23);
}

TEST(all_people_at_one_door_get_through) {
    check_live("door", 12, 1, 1);
}

TEST(people_going_up_and_people_coming_down_get_past_each_other) {
    check_live("stairs", 6, 0, 1);
    check_live("house", 6, 0, 4);
}
