#include "test.h"
#include "troupe/base/random.h"
#include "troupe/base/scalar.h"
#include "troupe/world/trajectory.h"

#include <float.h>
#include <math.h>
#include <string.h>

static tr_transform at(float x, float y, float z) {
    tr_transform t = tr_transform_identity();
    t.position = tr_vec3_make(x, y, z);
    return t;
}

// Along x to 1 at 1 s, then along z to 2 at 3 s.
static tr_trajectory *make_corner(bool loop) {
    static const double times[] = {0, 1, 3};
    tr_transform transforms[] = {at(0, 0, 0), at(1, 0, 0), at(1, 0, 2)};
    tr_trajectory_def def = {times, transforms, 3, loop};
    tr_trajectory *trajectory = NULL;
    CHECK_INT(tr_trajectory_create(NULL, &def, &trajectory, NULL), TR_OK);
    return trajectory;
}

static void check_position(const tr_trajectory *trajectory, double time, float x, float z) {
    tr_vec3 p = tr_trajectory_sample(trajectory, time).position;
    CHECK_NEAR(p.x, x, 1e-6);
    CHECK_NEAR(p.y, 0, 0);
    CHECK_NEAR(p.z, z, 1e-6);
}

TEST(between_two_samples_the_position_is_blended_and_at_a_sample_it_is_exact) {
    tr_trajectory *trajectory = make_corner(false);
    REQUIRE(trajectory);
    check_position(trajectory, 0, 0, 0);
    check_position(trajectory, 0.25, 0.25f, 0);
    check_position(trajectory, 1, 1, 0);
    check_position(trajectory, 2, 1, 1);
    tr_transform last = tr_trajectory_sample(trajectory, 3);
    CHECK(last.position.x == 1 && last.position.z == 2);
    CHECK_NEAR(tr_trajectory_begin(trajectory), 0, 0);
    CHECK_NEAR(tr_trajectory_end(trajectory), 3, 0);
    tr_trajectory_destroy(trajectory);
}

TEST(before_the_first_and_after_the_last_sample_it_stands_still) {
    tr_trajectory *trajectory = make_corner(false);
    REQUIRE(trajectory);
    check_position(trajectory, -5, 0, 0);
    check_position(trajectory, -DBL_MAX, 0, 0);
    check_position(trajectory, 3.5, 1, 2);
    check_position(trajectory, DBL_MAX, 1, 2);
    tr_trajectory_destroy(trajectory);
}

TEST(a_time_that_is_not_finite_counts_as_the_first_sample) {
    for (int loop = 0; loop < 2; loop++) {
        tr_trajectory *trajectory = make_corner(loop);
        REQUIRE(trajectory);
        check_position(trajectory, NAN, 0, 0);
        check_position(trajectory, INFINITY, 0, 0);
        check_position(trajectory, -INFINITY, 0, 0);
        tr_trajectory_destroy(trajectory);
    }
}

TEST(a_loop_starts_again_at_the_first_sample) {
    tr_trajectory *trajectory = make_corner(true);
    REQUIRE(trajectory);
    check_position(trajectory, 3, 0, 0); // the end is the beginning
    check_position(trajectory, 3.5, 0.5f, 0);
    check_position(trajectory, 5, 1, 1);
    check_position(trajectory, 3000000.5, 0.5f, 0);
    check_position(trajectory, -1, 0, 0); // before the first sample it waits
    tr_trajectory_destroy(trajectory);
}

TEST(a_loop_that_does_not_begin_at_zero_keeps_its_own_times) {
    static const double times[] = {10, 12};
    tr_transform transforms[] = {at(0, 0, 0), at(2, 0, 0)};
    tr_trajectory_def def = {times, transforms, 2, true};
    tr_trajectory *trajectory = NULL;
    REQUIRE(tr_trajectory_create(NULL, &def, &trajectory, NULL) == TR_OK);
    check_position(trajectory, 0, 0, 0);
    check_position(trajectory, 11, 1, 0);
    check_position(trajectory, 12.5, 0.5f, 0);
    check_position(trajectory, 21, 1, 0);
    tr_trajectory_destroy(trajectory);
}

TEST(a_loop_never_leaves_its_samples_however_long_it_runs) {
    tr_random random = tr_random_seed(7);
    tr_trajectory *trajectory = make_corner(true);
    REQUIRE(trajectory);
    for (int i = 0; i < 20000; i++) {
        double time = (double)tr_random_unit(&random);
        for (uint32_t k = tr_random_below(&random, 400); k > 0; k--)
            time *= 6;
        tr_vec3 p = tr_trajectory_sample(trajectory, time).position;
        CHECK(p.x >= 0 && p.x <= 1 && p.z >= 0 && p.z <= 2);
    }
    tr_trajectory_destroy(trajectory);
}

// Whole rounds: rounding then lands on the very end, or a hair beyond it.
TEST(a_loop_is_at_its_beginning_after_whole_rounds) {
    tr_random random = tr_random_seed(8);
    uint32_t on_the_end = 0;
    for (int i = 0; i < 20000; i++) {
        double begin = 6 * (double)tr_random_unit(&random) - 3,
               length = (double)tr_random_unit(&random) + 0.01;
        double times[] = {begin, begin + length / 3, begin + length};
        tr_transform transforms[3] = {tr_transform_identity(), tr_transform_identity(),
                                      tr_transform_identity()};
        transforms[1].position.x = 1;
        transforms[2].position.z = 3;
        tr_trajectory_def def = {times, transforms, 3, true};
        tr_trajectory *trajectory = NULL;
        REQUIRE(tr_trajectory_create(NULL, &def, &trajectory, NULL) == TR_OK);
        double time = begin + (1 + tr_random_below(&random, 1000)) * (times[2] - begin);
        for (uint32_t step = tr_random_below(&random, 4); step > 0; step--)
            time = nextafter(time, -INFINITY);
        tr_vec3 p = tr_trajectory_sample(trajectory, time).position;
        // Just before the end is as right as at the beginning.
        CHECK((fabsf(p.x) < 1e-3f && fabsf(p.z) < 1e-3f) || (fabsf(p.x) < 1e-3f && fabsf(p.z - 3) < 1e-3f));
        double length_kept = times[2] - times[0];
        on_the_end += time - floor((time - begin) / length_kept) * length_kept >= times[2];
        tr_trajectory_destroy(trajectory);
    }
    CHECK(on_the_end > 0); // else this test says nothing
}

TEST(one_sample_is_a_place_to_stay) {
    static const double times[] = {4};
    tr_transform transforms[] = {at(7, 8, 9)};
    for (int loop = 0; loop < 2; loop++) {
        tr_trajectory_def def = {times, transforms, 1, loop};
        tr_trajectory *trajectory = NULL;
        REQUIRE(tr_trajectory_create(NULL, &def, &trajectory, NULL) == TR_OK);
        for (double time = -10; time < 20; time += 3)
            CHECK_NEAR(tr_trajectory_sample(trajectory, time).position.y, 8, 0);
        tr_trajectory_destroy(trajectory);
    }
}

TEST(rotation_and_scale_are_blended_and_rotations_get_unit_length) {
    static const double times[] = {0, 2};
    tr_transform transforms[] = {tr_transform_identity(), tr_transform_identity()};
    transforms[0].rotation.w = 5; // the identity, five times as long
    transforms[1].rotation = tr_quat_about(tr_vec3_make(0, 1, 0), TR_PI / 2);
    transforms[1].scale = tr_vec3_make(3, 1, 1);
    tr_trajectory_def def = {times, transforms, 2, false};
    tr_trajectory *trajectory = NULL;
    REQUIRE(tr_trajectory_create(NULL, &def, &trajectory, NULL) == TR_OK);
    CHECK_NEAR(tr_trajectory_sample(trajectory, 0).rotation.w, 1, 0);
    tr_transform middle = tr_trajectory_sample(trajectory, 1);
    tr_quat expected = tr_quat_about(tr_vec3_make(0, 1, 0), TR_PI / 4);
    CHECK_NEAR(middle.rotation.y, expected.y, 1e-6);
    CHECK_NEAR(middle.rotation.w, expected.w, 1e-6);
    CHECK_NEAR(middle.scale.x, 2, 1e-6);
    tr_trajectory_destroy(trajectory);
}

TEST(the_samples_are_copied) {
    double times[] = {0, 1};
    tr_transform transforms[] = {at(1, 0, 0), at(2, 0, 0)};
    tr_trajectory_def def = {times, transforms, 2, false};
    tr_trajectory *trajectory = NULL;
    REQUIRE(tr_trajectory_create(NULL, &def, &trajectory, NULL) == TR_OK);
    memset(times, 0xff, sizeof times);
    memset(transforms, 0xff, sizeof transforms);
    check_position(trajectory, 0.5, 1.5f, 0);
    tr_trajectory_destroy(trajectory);
}

TEST(many_samples_are_found_as_by_going_through_them) {
    enum { COUNT = 1000 };
    static double times[COUNT];
    static tr_transform transforms[COUNT];
    tr_random random = tr_random_seed(11);
    double time = -20;
    for (int i = 0; i < COUNT; i++) {
        time += 1e-3 + (double)tr_random_unit(&random);
        times[i] = time;
        transforms[i] = at((float)i, 0, 0);
    }
    tr_trajectory_def def = {times, transforms, COUNT, false};
    tr_trajectory *trajectory = NULL;
    REQUIRE(tr_trajectory_create(NULL, &def, &trajectory, NULL) == TR_OK);
    for (int trial = 0; trial < 5000; trial++) {
        double t = times[0] + (times[COUNT - 1] - times[0]) * (double)tr_random_unit(&random);
        int i = 0;
        while (i + 2 < COUNT && times[i + 1] <= t)
            i++;
        double share = (t - times[i]) / (times[i + 1] - times[i]);
        CHECK_NEAR(tr_trajectory_sample(trajectory, t).position.x, i + share, 1e-3);
    }
    for (int i = 0; i < COUNT; i++) // a sample itself is exact
        CHECK_NEAR(tr_trajectory_sample(trajectory, times[i]).position.x, i, 0);
    tr_trajectory_destroy(trajectory);
}

static void check_refused(const double *times, const tr_transform *transforms, uint32_t count,
                          const char *sentence) {
    tr_trajectory_def def = {times, transforms, count, false};
    tr_trajectory *trajectory = NULL;
    tr_error error = {0};
    CHECK_INT(tr_trajectory_create(NULL, &def, &trajectory, &error), TR_INVALID);
    CHECK(trajectory == NULL);
    CHECK_CONTAINS(error.message, sentence);
    CHECK_INT(tr_trajectory_create(NULL, &def, &trajectory, NULL), TR_INVALID);
}

TEST(bad_samples_are_refused_with_their_number) {
    tr_transform good[3] = {at(0, 0, 0), at(1, 0, 0), at(2, 0, 0)};
    check_refused(NULL, NULL, 0, "at least one sample");
    check_refused((double[]){0, 1, 1}, good, 3, "sample 2 is at 1 s");
    check_refused((double[]){0, -1, 2}, good, 3, "sample 1 is at -1 s, not after the previous sample at 0 s");
    check_refused((double[]){0, NAN, 2}, good, 3, "the time of sample 1 is");
    check_refused((double[]){0, 1, INFINITY}, good, 3, "the time of sample 2 is inf");
    check_refused((double[]){-DBL_MAX, 0, DBL_MAX}, good, 3, "span");
    for (int i = 0; i < 10; i++) { // each number of the transform in turn
        tr_transform bad[3] = {good[0], good[1], good[2]};
        float *numbers = &bad[1].position.x;
        numbers[i] = i & 1 ? NAN : INFINITY;
        check_refused((double[]){0, 1, 2}, bad, 3, "the transform of sample 1 is not finite");
    }
}

static bool create_and_sample(const tr_allocator *allocator) {
    static const double times[] = {0, 1};
    tr_transform transforms[] = {at(1, 0, 0), at(2, 0, 0)};
    tr_trajectory_def def = {times, transforms, 2, false};
    tr_trajectory *trajectory = NULL;
    tr_error error = {0};
    tr_status status = tr_trajectory_create(allocator, &def, &trajectory, &error);
    if (status == TR_OK)
        check_position(trajectory, 0.5, 1.5f, 0);
    else
        CHECK_CONTAINS(error.message, "no memory for a trajectory of 2 samples");
    CHECK((trajectory != NULL) == (status == TR_OK));
    tr_trajectory_destroy(trajectory);
    return status == TR_OK;
}

TEST(nothing_leaks_whichever_allocation_fails) {
    CHECK_INT(CHECK_EVERY_ALLOCATION_FAILURE(create_and_sample), 3);
    tr_trajectory_destroy(NULL);
}
