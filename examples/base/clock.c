// Work within a budget of time.
#include "troupe/base/clock.h"
#include "troupe/base/random.h"

#include <stdio.h>

int main(void) {
    const uint64_t budget = 2000000; // 2 ms
    uint64_t begin = tr_clock_nanoseconds(), spent = 0;
    tr_random random = tr_random_seed(1);
    double inside = 0, total = 0;
    while (spent < budget) {
        for (int i = 0; i < 1000; i++) { // looking at the clock costs more than a step of this work
            float x = tr_random_unit(&random), y = tr_random_unit(&random);
            inside += x * x + y * y < 1;
        }
        total += 1000;
        spent = tr_clock_nanoseconds() - begin;
    }
    printf("pi is about %.3f after %.0f thousand points in %.2f ms\n", 4 * inside / total, total / 1000,
           (double)spent / 1e6);
    return 0;
}
