#include "test.h"
#include "troupe/motion/manner.h"

#include <math.h>
#include <string.h>

enum { PEOPLE = 2000 };

static bool is_same(const tr_manner *a, const tr_manner *b) {
    return memcmp(a, b, sizeof *a) == 0; // no padding: 4-byte members only
}

TEST(the_same_seed_is_the_same_person_and_another_seed_another) {
    for (uint64_t seed = 0; seed < 50; seed++) {
        tr_manner a = tr_manner_of_person(seed, 1), b = tr_manner_of_person(seed, 1);
        tr_manner other = tr_manner_of_person(seed + 1, 1);
        CHECK(is_same(&a, &b));
        CHECK(!is_same(&a, &other));
        CHECK(a.cadence != other.cadence);
        CHECK(a.seed != other.seed);
    }
}

TEST(nobody_departs_from_the_clips_without_variety) {
    const tr_manner none = {0};
    tr_manner manner = tr_manner_of_person(5, 0);
    CHECK(is_same(&manner, &none));
    manner = tr_manner_of_person(5, NAN);
    CHECK(is_same(&manner, &none));
    manner = tr_manner_of_person(5, -1);
    CHECK(is_same(&manner, &none));
    manner = tr_manner_of_style(&(tr_style){0});
    CHECK(is_same(&manner, &none));
}

TEST(half_the_variety_is_half_the_difference) {
    tr_manner whole = tr_manner_of_person(9, 1), half = tr_manner_of_person(9, 0.5f);
    CHECK_NEAR(half.cadence, 0.5 * (double)whole.cadence, 1e-7);
    CHECK_NEAR(half.lean, 0.5 * (double)whole.lean, 1e-7);
    CHECK_NEAR(half.variation, 0.5 * (double)whole.variation, 1e-7);
}

// Published: stride times of healthy adults vary by 1 to 3 %; the length of the steps of different people at
// one speed by some 4 %.
TEST(people_differ_as_much_as_people_do) {
    double sum = 0, squares = 0;
    for (uint64_t seed = 1; seed <= PEOPLE; seed++) {
        tr_manner person = tr_manner_of_person(seed, 1);
        CHECK_INT(tr_manner_check(&person, NULL), TR_OK);
        CHECK(person.variation > 0.01f && person.variation < 0.03f);
        CHECK(fabsf(person.uneven) < 0.03f);
        CHECK_NEAR(person.speed, 0, 0);
        sum += (double)person.cadence;
        squares += (double)person.cadence * (double)person.cadence;
    }
    CHECK_NEAR(sum / PEOPLE, 0, 0.004);
    CHECK_NEAR(sqrt(squares / PEOPLE), 0.037, 0.004);
}

TEST(styles_mix_by_their_shares) {
    tr_manner tired = tr_manner_of_style(&(tr_style){.tired = 1});
    tr_manner proud = tr_manner_of_style(&(tr_style){.proud = 1});
    tr_manner mixed = tr_manner_of_style(&(tr_style){.tired = 0.5f, .proud = 0.25f});
    CHECK_NEAR(mixed.stoop, 0.5 * (double)tired.stoop + 0.25 * (double)proud.stoop, 1e-6);
    CHECK_NEAR(mixed.speed, 0.5 * (double)tired.speed + 0.25 * (double)proud.speed, 1e-6);
    CHECK_NEAR(mixed.arm_swing[1], 0.5 * (double)tired.arm_swing[1] + 0.25 * (double)proud.arm_swing[1],
               1e-6);
    tr_manner clamped = tr_manner_of_style(&(tr_style){.tired = 7, .proud = -2, .brisk = NAN});
    CHECK(is_same(&clamped, &tired));
    CHECK(tired.speed < 0 && tired.head_down > 0 && tired.arm_swing[0] < 0);
    CHECK(proud.stoop < 0 && proud.head_down < 0);
    tr_manner brisk = tr_manner_of_style(&(tr_style){.brisk = 1});
    CHECK(brisk.speed > 0 && brisk.arm_swing[0] > 0);
    tr_manner cautious = tr_manner_of_style(&(tr_style){.cautious = 1});
    CHECK(cautious.width > 0 && cautious.crouch > 0 && cautious.cadence > 0);
    tr_manner carrying = tr_manner_of_style(&(tr_style){.carrying = 1});
    CHECK(carrying.elbows > 1 && carrying.lean < 0);
}

TEST(sums_stay_within_the_limits) {
    tr_style all = {1, 1, 1, 1, 1};
    tr_manner sum = tr_manner_of_style(&all);
    for (int i = 0; i < 10; i++) {
        CHECK_INT(tr_manner_check(&sum, NULL), TR_OK);
        sum = tr_manner_add(&sum, &sum);
    }
    tr_manner person = tr_manner_of_person(3, 1), tired = tr_manner_of_style(&(tr_style){.tired = 1});
    tr_manner both = tr_manner_add(&tired, &person);
    CHECK_INT(both.seed, person.seed);
    CHECK_NEAR(both.phase, person.phase, 0);
    both = tr_manner_add(&person, &tired);
    CHECK_INT(both.seed, person.seed);
    CHECK_NEAR(both.lean, (double)person.lean + (double)tired.lean, 1e-6);
}

TEST(a_manner_outside_its_limits_is_refused_by_name) {
    tr_error error = {0};
    CHECK_INT(tr_manner_check(&(tr_manner){.cadence = 0.5f}, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "cadence of the manner is 0.5, it must be -0.2 to 0.25");
    CHECK_INT(tr_manner_check(&(tr_manner){.crouch = NAN}, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "crouch");
    CHECK_INT(tr_manner_check(&(tr_manner){.arm_swing = {0, -INFINITY}}, &error), TR_INVALID);
    CHECK_INT(tr_manner_check(&(tr_manner){0}, NULL), TR_OK);
}
