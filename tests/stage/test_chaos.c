// A little chaos: see tests/soak/chaos.h. `make soak` runs a thousand seeds of it.
#include "chaos.h"
#include "test.h"

static void check_seeds(uint64_t first, uint64_t last, uint32_t ticks) {
    for (uint64_t seed = first; seed <= last; seed++) {
        chaos_def def = {.seed = seed, .ticks = ticks, .quiet = true};
        chaos_result result;
        if (!chaos_run(&def, &result))
            test_failed(__FILE__, __LINE__, "%u faults, the first: %s", result.faults, result.first);
        CHECK(result.ticks >= ticks);
        CHECK(result.orders > 0);
    }
}

TEST(whatever_is_done_to_a_stage_no_actor_overlaps_jumps_or_loses_an_order) {
    check_seeds(1, 10, 200);
}

// An actor that stands where it does not fit looks for a way around others, and finds none.
TEST(no_actor_takes_a_way_that_was_found_for_another) {
    check_seeds(535, 535, 1500);
}
