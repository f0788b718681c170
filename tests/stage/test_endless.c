// People with endless orders: see tests/soak/endless.h. `make soak` lets them walk for an hour.
#include "endless.h"
#include "test.h"

TEST(ten_people_with_endless_orders_neither_freeze_nor_touch_nor_grow) {
    for (uint64_t seed = 5; seed <= 6; seed++) {
        endless_def def = {.seed = seed, .people = 10, .seconds = 75, .settling = 40, .patience = 45};
        endless_result result;
        REQUIRE(endless_run(&def, &result));
        CHECK(result.trips > 20);
        CHECK_INT(result.failed, 0);
        CHECK_INT(result.overlaps, 0);
        CHECK_INT(result.frozen, 0);
        CHECK(result.longest_stand < def.patience);
        CHECK(result.end_bytes < result.settled_bytes + result.settled_bytes / 50);
    }
}
