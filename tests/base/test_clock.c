#include "test.h"
#include "troupe/base/clock.h"

TEST(the_clock_never_goes_back) {
    uint64_t before = tr_clock_nanoseconds();
    for (int i = 0; i < 10000; i++) {
        uint64_t now = tr_clock_nanoseconds();
        CHECK(now >= before);
        before = now;
    }
}

TEST(the_clock_moves_on_within_a_second) {
    uint64_t start = tr_clock_nanoseconds();
    CHECK(start != 0);
    uint64_t tries = 0;
    while (tr_clock_nanoseconds() == start && tries < 100000000)
        tries++;
    CHECK(tr_clock_nanoseconds() > start);
}
