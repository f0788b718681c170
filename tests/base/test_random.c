#include "test.h"
#include "troupe/base/random.h"

#include <math.h>

// Of the reference implementation's `oneseq` generator (O'Neill 2014), worked out apart from this library.
TEST(the_first_numbers_of_a_seed_never_change) {
    static const struct {
        uint64_t seed;
        uint32_t bits[6];
    } known[] = {
        {0, {0xe823a24e, 0x7a7ecbd9, 0x89fd6c06, 0xae646aa8, 0xcd3cf945, 0x6204b303}},
        {42, {0xc2f57bd6, 0x6b07c4a9, 0x72b7b29b, 0x44215383, 0xf5af5ead, 0x68beb632}},
        {UINT64_MAX, {0xd9313036, 0xcd4b6992, 0x7b8ec69e, 0x999dd010, 0x5c4eb9ab, 0xb7673059}},
    };
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        tr_random random = tr_random_seed(known[k].seed);
        for (int i = 0; i < 6; i++)
            CHECK_INT(tr_random_bits(&random), known[k].bits[i]);
    }
}

TEST(the_same_seed_gives_the_same_numbers_and_another_seed_others) {
    tr_random a = tr_random_seed(7), b = tr_random_seed(7), c = tr_random_seed(8);
    int equal_to_other = 0;
    for (int i = 0; i < 1000; i++) {
        uint32_t bits = tr_random_bits(&a);
        CHECK_INT(bits, tr_random_bits(&b));
        equal_to_other += bits == tr_random_bits(&c);
    }
    CHECK(equal_to_other < 5);
}

TEST(every_bit_is_set_half_the_time) {
    tr_random random = tr_random_seed(1);
    int set[32] = {0};
    const int rounds = 100000;
    for (int i = 0; i < rounds; i++) {
        uint32_t bits = tr_random_bits(&random);
        for (int bit = 0; bit < 32; bit++)
            set[bit] += bits >> bit & 1;
    }
    for (int bit = 0; bit < 32; bit++)
        CHECK_NEAR(set[bit], rounds / 2.0, 5 * 158.2); // five standard deviations
}

// Chi-squared: for even numbers its mean is count - 1, and its standard deviation sqrt(2 (count - 1)).
static double unevenness(uint32_t count, uint64_t seed) {
    static int drawn[1000];
    for (uint32_t i = 0; i < count; i++)
        drawn[i] = 0;
    tr_random random = tr_random_seed(seed);
    for (uint32_t i = 0; i < 1000 * count; i++)
        drawn[tr_random_below(&random, count)]++;
    double sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += (drawn[i] - 1000.0) * (drawn[i] - 1000.0) / 1000.0;
    return sum;
}

TEST(numbers_below_a_count_are_in_range_and_even) {
    static const uint32_t counts[] = {1, 2, 3, 7, 10, 64, 100, 1000};
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
        double expected = counts[k] - 1;
        CHECK(unevenness(counts[k], k) <= expected + 6 * sqrt(2 * expected));
    }
}

TEST(a_count_that_does_not_divide_two_to_the_32_has_no_bias) {
    // Without rejection the lower half of 3 * 2^30 numbers would come up twice as often as the rest.
    tr_random random = tr_random_seed(3);
    int low = 0;
    const int rounds = 100000;
    for (int i = 0; i < rounds; i++)
        low += tr_random_below(&random, 3221225472u) < 1073741824u;
    CHECK_NEAR(low, rounds / 3.0, 5 * 149.1);
}

TEST(below_zero_and_below_one_are_zero) {
    tr_random random = tr_random_seed(4);
    CHECK_INT(tr_random_below(&random, 0), 0);
    for (int i = 0; i < 100; i++)
        CHECK_INT(tr_random_below(&random, 1), 0);
}

TEST(unit_numbers_stay_below_one_and_average_a_half) {
    tr_random random = tr_random_seed(5);
    double sum = 0, squares = 0;
    float greatest = 0;
    const int rounds = 1000000;
    for (int i = 0; i < rounds; i++) {
        float value = tr_random_unit(&random);
        CHECK(value >= 0 && value < 1);
        greatest = value > greatest ? value : greatest;
        sum += value;
        squares += (double)value * value;
    }
    CHECK_NEAR(sum / rounds, 0.5, 0.0015);
    CHECK_NEAR(squares / rounds, 1.0 / 3, 0.0015);
    CHECK(greatest > 0.99999f);
}

TEST(numbers_between_keep_off_the_open_end) {
    tr_random random = tr_random_seed(6);
    for (int i = 0; i < 100000; i++) {
        float wide = tr_random_between(&random, -3, 5);
        CHECK(wide >= -3 && wide < 5);
        float narrow =
            tr_random_between(&random, 16777216.0f, 16777218.0f); // neighbours: rounding reaches the end
        CHECK(narrow >= 16777216.0f && narrow < 16777218.0f);
    }
    CHECK(tr_random_between(&random, 2, 2) == 2);
}
