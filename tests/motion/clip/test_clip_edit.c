// Parts of clips, other rates, other courses of time, and the low-pass.
#include "clip_edit_cases.h"
#include "troupe/base/hash.h"

// One joint: x is `value(time)`, and it turns about +Y by `turn(time)`.
static tr_skeleton *one_joint(void) {
    tr_joint_def joint = {.name = "point", .parent = TR_NONE};
    joint.rest = tr_transform_identity();
    tr_skeleton_def def = {.joints = &joint, .joint_count = 1};
    tr_skeleton *skeleton = NULL;
    tr_skeleton_create(&def, &skeleton, NULL);
    return skeleton;
}

static double of_time(double time, double unused) {
    (void)unused;
    return time;
}

static double of_sine(double time, double hertz) {
    return sin(2 * TR_PI * hertz * time + 0.4);
}

static double at_rest(double time, double unused) {
    (void)time;
    return unused;
}

static tr_clip *track(const tr_skeleton *skeleton, uint32_t frames, double rate, bool loop,
                      double (*value)(double, double), double (*turn)(double, double), double parameter) {
    tr_clip_def def = {.skeleton = skeleton, .frame_count = frames, .frames_per_second = rate, .loop = loop};
    tr_clip *clip = NULL;
    tr_pose pose;
    if (tr_clip_create(&def, &clip, NULL) != TR_OK || tr_pose_create(NULL, 1, &pose, NULL) != TR_OK)
        abort();
    for (uint32_t i = 0; i < frames; i++) {
        pose.position[0][0] = (float)value(i / rate, parameter);
        tr_pose_set_rotation(&pose, 0, tr_quat_about(tr_vec3_make(0, 1, 0), turn(i / rate, parameter)));
        CHECK_INT(tr_clip_set_frame(clip, i, &pose), TR_OK);
    }
    tr_pose_destroy(&pose);
    return clip;
}

static double x_of(const tr_clip *clip, uint32_t frame) {
    tr_pose pose;
    if (tr_pose_create(NULL, 1, &pose, NULL) != TR_OK)
        abort();
    tr_clip_get_frame(clip, frame, &pose);
    double x = pose.position[0][0];
    tr_pose_destroy(&pose);
    return x;
}

// The angle about +Y.
static double turn_of(const tr_clip *clip, uint32_t frame) {
    tr_pose pose;
    if (tr_pose_create(NULL, 1, &pose, NULL) != TR_OK)
        abort();
    tr_clip_get_frame(clip, frame, &pose);
    tr_quat q = tr_pose_rotation(&pose, 0);
    tr_pose_destroy(&pose);
    return 2 * atan2(q.w < 0 ? -q.y : q.y, q.w < 0 ? -q.w : q.w);
}

TEST(a_cut_has_the_requested_frames) {
    for (uint64_t seed = 0; seed < 30; seed++) {
        tr_random random = tr_random_seed(seed);
        tr_skeleton *skeleton = random_skeleton(&random, NULL);
        uint32_t count = 2 + tr_random_below(&random, 30), begin = tr_random_below(&random, count);
        uint32_t end = begin + 1 + tr_random_below(&random, count - begin);
        tr_clip *raw = random_clip(&random, skeleton, count, NULL), *clip = NULL, *cut = NULL;
        CHECK_INT(tr_clip_edit_take_base(NULL, skeleton, raw, TR_BASE_FOLLOW, &clip, NULL), TR_OK);
        CHECK_INT(tr_clip_edit_cut(NULL, skeleton, clip, begin, end, &cut, NULL), TR_OK);
        REQUIRE(cut);
        CHECK_INT(tr_clip_frame_count(cut), end - begin);
        CHECK_TEXT(tr_clip_name(cut), "case");
        tr_pose a, b;
        REQUIRE(tr_pose_create(NULL, CASE_JOINTS, &a, NULL) == TR_OK);
        REQUIRE(tr_pose_create(NULL, CASE_JOINTS, &b, NULL) == TR_OK);
        for (uint32_t i = begin; i < end; i++) {
            tr_clip_get_frame(clip, i, &a);
            tr_clip_get_frame(cut, i - begin, &b);
            for (uint32_t k = 0; k < CASE_JOINTS; k++) {
                tr_transform s = tr_pose_get(&a, k), t = tr_pose_get(&b, k);
                CHECK(tr_vec3_length(tr_vec3_subtract(s.position, t.position)) < 1e-6f);
                CHECK(fabsf(s.rotation.x - t.rotation.x) < 1e-6f &&
                      fabsf(s.rotation.w - t.rotation.w) < 1e-6f);
            }
            CHECK_INT(tr_clip_frame_contacts(cut, i - begin), tr_clip_frame_contacts(clip, i));
            CHECK(tr_clip_frame_base(cut, i - begin).x == tr_clip_frame_base(clip, i).x);
        }
        uint32_t inside = 0;
        double from = begin / tr_clip_rate(clip), to = (end - 1) / tr_clip_rate(clip);
        for (uint32_t i = 0; i < tr_clip_event_count(clip); i++) {
            double time = tr_clip_get_event(clip, i).time;
            if (time < from - 1e-9 || time > to + 1e-9)
                continue;
            CHECK_NEAR(tr_clip_get_event(cut, inside).time, time - from, 1e-9);
            inside++;
        }
        CHECK_INT(tr_clip_event_count(cut), inside);
        tr_pose_destroy(&a);
        tr_pose_destroy(&b);
        tr_clip_destroy(raw);
        tr_clip_destroy(clip);
        tr_clip_destroy(cut);
        tr_skeleton_destroy(skeleton);
    }
}

TEST(a_part_of_a_loop_does_not_loop_and_the_whole_still_does) {
    tr_skeleton *skeleton = one_joint();
    tr_clip *clip = track(skeleton, 10, 10, true, of_time, at_rest, 0), *part = NULL, *whole = NULL;
    CHECK_INT(tr_clip_edit_cut(NULL, skeleton, clip, 0, 9, &part, NULL), TR_OK);
    CHECK_INT(tr_clip_edit_cut(NULL, skeleton, clip, 0, 10, &whole, NULL), TR_OK);
    REQUIRE(part && whole);
    CHECK(!tr_clip_loops(part));
    CHECK(tr_clip_loops(whole));
    tr_clip_destroy(part);
    tr_clip_destroy(whole);
    tr_clip_destroy(clip);
    tr_skeleton_destroy(skeleton);
}

TEST(another_rate_shows_the_same_motion) {
    tr_skeleton *skeleton = one_joint();
    for (uint64_t seed = 0; seed < 50; seed++) {
        tr_random random = tr_random_seed(seed);
        uint32_t frames = 1 + tr_random_below(&random, 100);
        double rate = tr_random_between(&random, 10, 130), wanted = tr_random_between(&random, 5, 300);
        tr_clip *clip = track(skeleton, frames, rate, false, of_time, of_time, 0), *other = NULL;
        CHECK_INT(tr_clip_edit_resample(NULL, skeleton, clip, wanted, &other, NULL), TR_OK);
        REQUIRE(other);
        CHECK_NEAR(tr_clip_rate(other), wanted, 0);
        double lost = tr_clip_duration(clip) - tr_clip_duration(other);
        CHECK(lost > -1e-6 && lost < 1 / wanted);
        for (uint32_t i = 0; i < tr_clip_frame_count(other); i++)
            CHECK_NEAR(x_of(other, i), i / wanted, 1e-5);
        tr_clip_destroy(clip);
        tr_clip_destroy(other);
    }
    tr_skeleton_destroy(skeleton);
}

TEST(a_loop_keeps_its_duration_at_another_rate) {
    tr_skeleton *skeleton = one_joint();
    tr_clip *clip = track(skeleton, 37, 30, true, of_sine, at_rest, 30.0 / 37), *other = NULL;
    tr_base bases[37];
    for (int i = 0; i < 37; i++) {
        bases[i] = (tr_base){0, 0.1f * i, 0};
        tr_clip_set_contacts(clip, (uint32_t)i, i < 20 ? TR_CONTACT_LEFT_HEEL : TR_CONTACT_RIGHT_HEEL);
    }
    CHECK_INT(tr_clip_set_base(clip, bases, (tr_base){0, 3.7f, 0}), TR_OK);
    CHECK_INT(tr_clip_add_event(clip, 1, "beat"), TR_OK);
    CHECK_INT(tr_clip_edit_resample(NULL, skeleton, clip, 120, &other, NULL), TR_OK);
    REQUIRE(other);
    CHECK(tr_clip_loops(other));
    CHECK_NEAR(tr_clip_duration(other), tr_clip_duration(clip), 1e-12);
    CHECK_INT(tr_clip_frame_count(other), 148);
    CHECK_NEAR(tr_clip_speed(other), tr_clip_speed(clip), 1e-6);
    for (uint32_t i = 0; i < 148; i++) {
        double time = i / tr_clip_rate(other);
        CHECK_NEAR(tr_clip_frame_base(other, i).z, 3 * time, 1e-5);
        CHECK_INT(tr_clip_frame_contacts(other, i), i < 80 ? TR_CONTACT_LEFT_HEEL : TR_CONTACT_RIGHT_HEEL);
    }
    CHECK_NEAR(tr_clip_get_event(other, 0).time, 1, 1e-9);
    tr_clip_destroy(clip);
    tr_clip_destroy(other);
    tr_skeleton_destroy(skeleton);
}

// x is time itself, so a warped clip shows its own curve of time.
TEST(a_warp_passes_through_its_moments_never_falls_and_has_no_kinks) {
    tr_skeleton *skeleton = one_joint();
    for (uint64_t seed = 0; seed < 60; seed++) {
        tr_random random = tr_random_seed(seed);
        const double rate = 200;
        tr_clip *clip = track(skeleton, 2001, rate, false, of_time, at_rest, 0), *warped = NULL;
        uint32_t count = 2 + tr_random_below(&random, 6), frame_at[8];
        double from[8], to[8];
        from[0] = tr_random_between(&random, -3, 3), to[0] = tr_random_between(&random, 0, 1),
        frame_at[0] = 0;
        for (uint32_t i = 1; i < count; i++) {
            frame_at[i] = frame_at[i - 1] + 20 + tr_random_below(&random, 200);
            from[i] = from[0] + frame_at[i] / rate;
            to[i] = to[i - 1] + (tr_random_below(&random, 5) ? tr_random_between(&random, 0.01f, 1) : 0);
        }
        CHECK_INT(tr_clip_add_event(clip, to[0] + (to[count - 1] - to[0]) * 0.3, "mark"), TR_OK);
        CHECK_INT(tr_clip_edit_warp(NULL, skeleton, clip, from, to, count, &warped, NULL), TR_OK);
        REQUIRE(warped);
        CHECK_INT(tr_clip_frame_count(warped), frame_at[count - 1] + 1);
        for (uint32_t i = 0; i < count; i++)
            CHECK_NEAR(x_of(warped, frame_at[i]), to[i], 2e-6);
        double worst_bend = 0, before = x_of(warped, 0), step = 0;
        for (uint32_t i = 1; i < tr_clip_frame_count(warped); i++) {
            double x = x_of(warped, i);
            CHECK(x >= before - 1e-6);
            if (i > 1)
                worst_bend = fmax(worst_bend, fabs((x - before) - step));
            step = x - before, before = x;
        }
        CHECK(worst_bend < 0.02); // of at most 50 source frames in one; a kink would be a jump of speed
        double mark = to[0] + (to[count - 1] - to[0]) * 0.3;
        if (tr_clip_event_count(warped) == 1) {
            uint32_t near = (uint32_t)(tr_clip_get_event(warped, 0).time * rate);
            CHECK(x_of(warped, near) <= mark + 1e-5);
            CHECK(near + 1 == tr_clip_frame_count(warped) || x_of(warped, near + 1) >= mark - 1e-5);
        }
        CHECK_INT(tr_clip_event_count(warped), 1);
        tr_clip_destroy(clip);
        tr_clip_destroy(warped);
    }
    tr_skeleton_destroy(skeleton);
}

TEST(a_warp_of_even_steps_is_exact_and_labels_follow) {
    tr_skeleton *skeleton = one_joint();
    tr_clip *clip = track(skeleton, 101, 100, false, of_time, at_rest, 0), *slow = NULL;
    for (uint32_t i = 0; i < 101; i++)
        tr_clip_set_contacts(clip, i, i >= 40 ? TR_CONTACT_LEFT_TOES : 0);
    const double from[3] = {0, 1, 2}, to[3] = {0, 0.5, 1};
    CHECK_INT(tr_clip_edit_warp(NULL, skeleton, clip, from, to, 3, &slow, NULL), TR_OK);
    REQUIRE(slow);
    CHECK_INT(tr_clip_frame_count(slow), 201);
    for (uint32_t i = 0; i <= 200; i++) {
        CHECK_NEAR(x_of(slow, i), i * 0.005, 1e-6);
        CHECK_INT(tr_clip_frame_contacts(slow, i), i >= 80 ? TR_CONTACT_LEFT_TOES : 0);
    }
    tr_clip_destroy(clip);
    tr_clip_destroy(slow);
    tr_skeleton_destroy(skeleton);
}

TEST(a_loop_warped_over_whole_passes_still_loops) {
    tr_skeleton *skeleton = one_joint();
    tr_clip *clip = track(skeleton, 100, 100, true, of_sine, at_rest, 1), *warped = NULL;
    tr_base bases[100];
    for (int i = 0; i < 100; i++)
        bases[i] = (tr_base){0, 0.02f * i, 0};
    CHECK_INT(tr_clip_set_base(clip, bases, (tr_base){0, 2, 0}), TR_OK);
    CHECK_INT(tr_clip_add_event(clip, 0.25, "step"), TR_OK);
    const double from[3] = {0, 1.8, 3}, to[3] = {0.5, 1.2, 2.5};
    CHECK_INT(tr_clip_edit_warp(NULL, skeleton, clip, from, to, 3, &warped, NULL), TR_OK);
    REQUIRE(warped);
    CHECK(tr_clip_loops(warped));
    CHECK_NEAR(tr_clip_duration(warped), 3, 1e-9);
    CHECK_NEAR(tr_clip_advance(warped).z, 4, 1e-5);
    CHECK_INT(tr_clip_event_count(warped), 2);
    tr_clip_destroy(warped);
    const double odd[3] = {0.5, 1.2, 2.4};
    CHECK_INT(tr_clip_edit_warp(NULL, skeleton, clip, from, odd, 3, &warped, NULL), TR_OK);
    REQUIRE(warped);
    CHECK(!tr_clip_loops(warped));
    tr_clip_destroy(warped);
    tr_clip_destroy(clip);
    tr_skeleton_destroy(skeleton);
}

TEST(the_seam_of_a_warped_loop_has_no_kink_of_speed) {
    tr_skeleton *skeleton = one_joint();
    tr_clip *clip = track(skeleton, 1000, 1000, true, of_sine, at_rest, 1), *warped = NULL;
    const double from[3] = {0, 2.5, 3}, to[3] = {0.5, 0.8, 2.5}; // a crawl, then a dash
    CHECK_INT(tr_clip_edit_warp(NULL, skeleton, clip, from, to, 3, &warped, NULL), TR_OK);
    REQUIRE(warped);
    double last = x_of(warped, 2999), first = x_of(warped, 0), next = x_of(warped, 1);
    CHECK_NEAR(next - first, first - last, 1e-3);
    tr_clip_destroy(warped);
    tr_clip_destroy(clip);
    tr_skeleton_destroy(skeleton);
}

// The gain of both passes, from the analogue filter that the bilinear map stands for.
static double gain(double hertz, double cutoff, double rate) {
    double ratio = tan(TR_PI * hertz / rate) / (tan(TR_PI * cutoff / rate) / pow(sqrt(2) - 1, 0.25));
    return 1 / (1 + pow(ratio, 4));
}

TEST(the_low_pass_has_the_gain_of_a_butterworth_filter_and_no_phase) {
    tr_skeleton *skeleton = one_joint();
    const double rate = 120, cutoff = 6;
    CHECK_NEAR(gain(cutoff, cutoff, rate), sqrt(0.5), 1e-12);
    for (double hertz = 1; hertz <= 40; hertz *= 1.7) {
        uint32_t frames = (uint32_t)lround(20 * rate / hertz);
        double exact = 20 * rate / frames;
        tr_clip *clip = track(skeleton, frames, rate, true, of_sine, at_rest, exact), *smooth = NULL;
        CHECK_INT(tr_clip_edit_smooth(NULL, skeleton, clip, cutoff, &smooth, NULL), TR_OK);
        REQUIRE(smooth);
        double expected = gain(exact, cutoff, rate);
        for (uint32_t i = 0; i < frames; i++)
            CHECK_NEAR(x_of(smooth, i), expected * x_of(clip, i), 2e-5);
        tr_clip_destroy(clip);
        tr_clip_destroy(smooth);
    }
    tr_skeleton_destroy(skeleton);
}

TEST(the_low_pass_leaves_steady_motion_and_steady_turning_alone) {
    tr_skeleton *skeleton = one_joint();
    tr_clip *clip = track(skeleton, 200, 100, false, of_time, of_time, 0), *smooth = NULL;
    CHECK_INT(tr_clip_edit_smooth(NULL, skeleton, clip, 5, &smooth, NULL), TR_OK);
    REQUIRE(smooth);
    for (uint32_t i = 0; i < 200; i++) {
        CHECK_NEAR(x_of(smooth, i), i * 0.01, 1e-5);
        CHECK_NEAR(turn_of(smooth, i), i * 0.01, 2e-3);
    }
    tr_clip_destroy(clip);
    tr_clip_destroy(smooth);
    tr_skeleton_destroy(skeleton);
}

static double of_round(double time, double hertz) {
    return 2 * TR_PI * hertz * time;
}

TEST(a_loop_that_turns_all_the_way_round_is_smooth_over_its_seam) {
    tr_skeleton *skeleton = one_joint();
    tr_clip *clip = track(skeleton, 200, 100, true, at_rest, of_round, 0.5), *smooth = NULL;
    CHECK_INT(tr_clip_edit_smooth(NULL, skeleton, clip, 5, &smooth, NULL), TR_OK);
    REQUIRE(smooth);
    for (uint32_t i = 0; i < 200; i++) {
        double off = turn_of(smooth, i) - of_round(i / 100.0, 0.5);
        CHECK_NEAR(off - 2 * TR_PI * floor(off / (2 * TR_PI) + 0.5), 0, 1e-5);
    }
    tr_clip_destroy(clip);
    tr_clip_destroy(smooth);
    tr_skeleton_destroy(skeleton);
}

TEST(the_low_pass_takes_noise_out_and_keeps_what_is_slow) {
    tr_skeleton *skeleton = one_joint();
    tr_clip *clip = track(skeleton, 600, 120, false, of_sine, of_sine, 0.7), *smooth = NULL, *noisy = NULL;
    CHECK_INT(tr_clip_edit_cut(NULL, skeleton, clip, 0, 600, &noisy, NULL), TR_OK);
    REQUIRE(noisy);
    tr_random random = tr_random_seed(9);
    tr_pose pose;
    REQUIRE(tr_pose_create(NULL, 1, &pose, NULL) == TR_OK);
    for (uint32_t i = 0; i < 600; i++) {
        tr_clip_get_frame(noisy, i, &pose);
        pose.position[0][0] += tr_random_between(&random, -0.05f, 0.05f);
        tr_quat turn = tr_quat_multiply(random_turn(&random, 0.05f), tr_pose_rotation(&pose, 0));
        if (tr_random_below(&random, 2)) // the same turn, written the other way
            turn = (tr_quat){-turn.x, -turn.y, -turn.z, -turn.w};
        tr_pose_set_rotation(&pose, 0, turn);
        tr_clip_set_frame(noisy, i, &pose);
    }
    CHECK_INT(tr_clip_edit_smooth(NULL, skeleton, noisy, 4, &smooth, NULL), TR_OK);
    REQUIRE(smooth);
    double noise = 0, left = 0, turn_noise = 0, turn_left = 0;
    for (uint32_t i = 0; i < 600; i++) {
        noise += pow(x_of(noisy, i) - x_of(clip, i), 2), left += pow(x_of(smooth, i) - x_of(clip, i), 2);
        turn_noise += pow(turn_of(noisy, i) - turn_of(clip, i), 2);
        turn_left += pow(turn_of(smooth, i) - turn_of(clip, i), 2);
    }
    CHECK(left < 0.15 * noise);
    CHECK(turn_left < 0.2 * turn_noise);
    tr_pose_destroy(&pose);
    tr_clip_destroy(clip);
    tr_clip_destroy(noisy);
    tr_clip_destroy(smooth);
    tr_skeleton_destroy(skeleton);
}

TEST(absurd_parameters_are_refused_with_their_value) {
    tr_skeleton *skeleton = one_joint();
    tr_clip *clip = track(skeleton, 50, 30, false, of_time, at_rest, 0), *result = clip;
    tr_error error;
    const double rates[] = {0, -1, NAN, INFINITY, 10001};
    for (int i = 0; i < 5; i++) {
        result = clip;
        CHECK_INT(tr_clip_edit_resample(NULL, skeleton, clip, rates[i], &result, &error), TR_INVALID);
        CHECK(result == NULL);
    }
    CHECK_CONTAINS(error.message, "10001");
    const double cutoffs[] = {0, -1, NAN, INFINITY, 15, 1e-300};
    for (int i = 0; i < 6; i++)
        CHECK_INT(tr_clip_edit_smooth(NULL, skeleton, clip, cutoffs[i], &result, &error), TR_INVALID);
    CHECK_INT(tr_clip_edit_cut(NULL, skeleton, clip, 5, 5, &result, &error), TR_INVALID);
    CHECK_INT(tr_clip_edit_cut(NULL, skeleton, clip, 7, 51, &result, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "51");
    const double up[3] = {0, 1, 2}, down[3] = {0, 2, 1}, even[3] = {0, 0, 1}, bad[3] = {0, NAN, 2},
                 far[3] = {0, 1e8, 2e8};
    CHECK_INT(tr_clip_edit_warp(NULL, skeleton, clip, up, down, 3, &result, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "moment 2");
    CHECK_INT(tr_clip_edit_warp(NULL, skeleton, clip, even, up, 3, &result, NULL), TR_INVALID);
    CHECK_INT(tr_clip_edit_warp(NULL, skeleton, clip, up, bad, 3, &result, NULL), TR_INVALID);
    CHECK_INT(tr_clip_edit_warp(NULL, skeleton, clip, bad, up, 3, &result, NULL), TR_INVALID);
    CHECK_INT(tr_clip_edit_warp(NULL, skeleton, clip, up, up, 1, &result, NULL), TR_INVALID);
    CHECK_INT(tr_clip_edit_warp(NULL, skeleton, clip, NULL, up, 3, &result, NULL), TR_INVALID);
    CHECK_INT(tr_clip_edit_warp(NULL, skeleton, clip, far, up, 3, &result, &error), TR_LIMIT);
    CHECK_CONTAINS(error.message, "4194304");
    tr_clip_destroy(clip);
    tr_skeleton_destroy(skeleton);
}

TEST(every_edit_accepts_a_clip_of_one_frame) {
    tr_skeleton *skeleton = one_joint();
    for (int loop = 0; loop < 2; loop++) {
        tr_clip *clip = track(skeleton, 1, 30, loop == 1, at_rest, at_rest, 0.5);
        tr_clip *results[5] = {NULL};
        const double from[2] = {0, 1}, to[2] = {0, 0.01};
        CHECK_INT(tr_clip_edit_cut(NULL, skeleton, clip, 0, 1, &results[0], NULL), TR_OK);
        CHECK_INT(tr_clip_edit_resample(NULL, skeleton, clip, 60, &results[1], NULL), TR_OK);
        CHECK_INT(tr_clip_edit_smooth(NULL, skeleton, clip, 5, &results[2], NULL), TR_OK);
        CHECK_INT(tr_clip_edit_warp(NULL, skeleton, clip, from, to, 2, &results[3], NULL), TR_OK);
        CHECK_INT(tr_clip_edit_take_base(NULL, skeleton, clip, TR_BASE_FOLLOW, &results[4], NULL), TR_OK);
        for (int i = 0; i < 4; i++) {
            REQUIRE(results[i]);
            CHECK_NEAR(x_of(results[i], 0), 0.5, 1e-6);
            CHECK_NEAR(turn_of(results[i], 0), 0.5, 1e-6);
        }
        for (int i = 0; i < 5; i++)
            tr_clip_destroy(results[i]);
        tr_clip_destroy(clip);
    }
    tr_skeleton_destroy(skeleton);
}

static bool clip_edit_with(const tr_allocator *allocator) {
    tr_random random = tr_random_seed(5);
    tr_skeleton *skeleton = random_skeleton(&random, NULL);
    tr_clip *clip = random_clip(&random, skeleton, 20, NULL), *made[4] = {NULL};
    double duration = tr_clip_duration(clip);
    const double from[3] = {0, 0.3, 1}, to[3] = {0, duration * 0.5, duration};
    bool done = tr_clip_edit_cut(allocator, skeleton, clip, 2, 19, &made[0], NULL) == TR_OK &&
                tr_clip_edit_resample(allocator, skeleton, clip, 30, &made[1], NULL) == TR_OK &&
                tr_clip_edit_smooth(allocator, skeleton, clip, 4, &made[2], NULL) == TR_OK &&
                tr_clip_edit_warp(allocator, skeleton, clip, from, to, 3, &made[3], NULL) == TR_OK;
    for (int i = 0; i < 4; i++)
        tr_clip_destroy(made[i]);
    tr_clip_destroy(clip);
    tr_skeleton_destroy(skeleton);
    return done;
}

TEST(cut_resample_smooth_and_warp_survive_every_failing_allocation) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(clip_edit_with) > 40);
}

static uint64_t hash_clip(uint64_t hash, const tr_clip *clip) {
    tr_pose pose;
    if (tr_pose_create(NULL, tr_clip_joint_count(clip), &pose, NULL) != TR_OK)
        abort();
    for (uint32_t i = 0; i < tr_clip_frame_count(clip); i++) {
        tr_clip_get_frame(clip, i, &pose);
        for (int k = 0; k < 4; k++)
            hash = tr_hash(hash, pose.rotation[k], pose.joint_count * sizeof(float));
        for (int k = 0; k < 3; k++)
            hash = tr_hash(hash, pose.position[k], pose.joint_count * sizeof(float));
        tr_base base = tr_clip_frame_base(clip, i);
        uint32_t contacts = tr_clip_frame_contacts(clip, i);
        hash = tr_hash(hash, &base, sizeof base);
        hash = tr_hash(hash, &contacts, sizeof contacts);
    }
    tr_pose_destroy(&pose);
    return hash;
}

TEST(everything_gives_the_same_bits_for_every_compiler) {
    tr_random random = tr_random_seed(77);
    tr_skeleton *skeleton = random_skeleton(&random, NULL);
    tr_clip *chain[7] = {random_clip(&random, skeleton, 120, NULL)};
    const double from[3] = {0, 0.4, 1}, to[3] = {0, 0.7, 1};
    CHECK_INT(tr_clip_edit_smooth(NULL, skeleton, chain[0], 3, &chain[1], NULL), TR_OK);
    CHECK_INT(tr_clip_edit_contacts(skeleton, chain[1], NULL, NULL, NULL), TR_OK);
    CHECK_INT(tr_clip_edit_resample(NULL, skeleton, chain[1], 60, &chain[2], NULL), TR_OK);
    CHECK_INT(tr_clip_edit_warp(NULL, skeleton, chain[2], from, to, 3, &chain[3], NULL), TR_OK);
    CHECK_INT(tr_clip_edit_take_base(NULL, skeleton, chain[3], TR_BASE_FOLLOW, &chain[4], NULL), TR_OK);
    CHECK_INT(tr_clip_edit_mirror(NULL, skeleton, chain[4], &chain[5], NULL), TR_OK);
    CHECK_INT(tr_clip_edit_take_base(NULL, skeleton, chain[5], TR_BASE_LINE, &chain[6], NULL), TR_OK);
    uint64_t hash = TR_HASH_START;
    for (int i = 1; i < 7; i++) {
        REQUIRE(chain[i]);
        hash = hash_clip(hash, chain[i]);
    }
    CHECK_HASH(hash, 0xd74061edea92d329);
    for (int i = 0; i < 7; i++)
        tr_clip_destroy(chain[i]);
    tr_skeleton_destroy(skeleton);
}
