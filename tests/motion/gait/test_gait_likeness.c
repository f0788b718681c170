// The walk beside captured people: every curve over the stride (docs/motion/likeness.md).
#include "gait_measure.h"
#include "troupe/motion/likeness.h"

#define HEIGHT 1.75f

static bool measure_likeness(float speed, double rate, tr_likeness *likeness) {
    measured m;
    tr_gait_def def = {.kind = TR_GAIT_WALK, .speed = speed, .frames_per_second = rate};
    if (!measure_gait(&m, &def, HEIGHT))
        return false;
    tr_error error = {0};
    tr_status status = tr_likeness_measure(NULL, m.skeleton, m.clip, NULL, likeness, &error);
    if (status != TR_OK)
        test_failed(__FILE__, __LINE__, "%s", error.message);
    measure_end(&m);
    return status == TR_OK;
}

static void check_curves(const tr_likeness *likeness, float speed, float least) {
    for (int c = 0; c < TR_LIKENESS_CURVES; c++) {
        const tr_likeness_match *match = &likeness->curves[c];
        if (match->within_2sd < least)
            test_failed(__FILE__, __LINE__, "%s at %g m/s: %g %% within 2 SD, %+g SD at %g %%",
                        tr_likeness_name((tr_likeness_curve)c), (double)speed,
                        (double)match->within_2sd * 100, (double)match->worst_sd,
                        (double)match->worst_percent);
        CHECK(match->within_2sd >= least);
    }
}

TEST(every_curve_of_the_walk_is_that_of_people) {
    const float speeds[] = {1.0f, 1.4f, 1.8f};
    for (uint32_t i = 0; i < 3; i++)
        for (double rate = 60; rate <= 240; rate *= 2) {
            tr_likeness likeness;
            REQUIRE(measure_likeness(speeds[i], rate, &likeness));
            check_curves(&likeness, speeds[i], 0.95f);
            for (int c = 0; c < TR_LIKENESS_CURVES; c++) {
                // The mean of the heads drifts over the stride at 1.0 m/s. The best walk whose left and right
                // halves are alike correlates with it by 0.56.
                bool drifts = c == TR_LIKENESS_HEAD_PITCH && i == 0;
                CHECK(likeness.curves[c].correlation > (drifts ? 0.45f : 0.8f));
            }
            CHECK(likeness.curves[TR_LIKENESS_THIGH].correlation > 0.98f);
            CHECK(likeness.curves[TR_LIKENESS_KNEE].correlation > 0.97f);
            CHECK(likeness.curves[TR_LIKENESS_FOOT_PITCH].correlation > 0.98f);
        }
}

TEST(the_walk_is_like_that_of_people_between_their_speeds) {
    for (float speed = 0.9f; speed < 1.81f; speed += 0.1f) {
        tr_likeness likeness;
        REQUIRE(measure_likeness(speed, 60, &likeness));
        check_curves(&likeness, speed, 0.94f);
        CHECK(likeness.likeness > 0.99f);
    }
}

TEST(the_pelvis_is_neither_smoother_nor_rougher_than_that_of_people) {
    for (float speed = 1.0f; speed < 1.81f; speed += 0.1f) {
        tr_likeness likeness;
        for (double rate = 60; rate <= 240; rate *= 2) {
            REQUIRE(measure_likeness(speed, rate, &likeness));
            CHECK(likeness.ldlj > -7.4f && likeness.ldlj < -7.0f);
        }
    }
}

TEST(the_heel_rises_late_and_the_toes_hardly_bend) {
    for (float speed = 0.8f; speed < 1.81f; speed += 0.2f) {
        tr_likeness likeness;
        REQUIRE(measure_likeness(speed, 60, &likeness));
        const float *pitch = likeness.curves[TR_LIKENESS_FOOT_PITCH].values;
        const float *toes = likeness.curves[TR_LIKENESS_TOE].values;
        for (int i = 0; i < TR_LIKENESS_POINTS; i++) {
            CHECK(toes[i] < 25 && toes[i] > -5);
            if (i >= 10 && i <= 20) // 20 to 40 % of the stride
                CHECK(pitch[i] > -4.5f && pitch[i] < 2);
        }
        CHECK(pitch[25] > -18); // people at 50 %: -8 +- 2 at 1.4 m/s, -13 +- 2 at 1.8 m/s
        float ankle = likeness.curves[TR_LIKENESS_ANKLE].range;
        CHECK(ankle > (speed < 1.3f ? 23 : 33) && ankle < 49);
    }
}

// The largest distance of a joint between the same phases of two walks, relative to the base.
static double largest_change(measured *a, measured *b) {
    double worst = 0;
    for (uint32_t i = 0; i < 100; i++) {
        tr_clip_sample(a->clip, a->period * i / 100, &a->pose);
        tr_clip_sample(b->clip, b->period * i / 100, &b->pose);
        tr_pose_to_model(a->skeleton, &a->pose, NULL, a->model);
        tr_pose_to_model(b->skeleton, &b->pose, NULL, b->model);
        for (uint32_t joint = 0; joint < a->pose.joint_count; joint++) {
            tr_vec3 off =
                tr_vec3_subtract(tr_affine_position(&a->model[joint]), tr_affine_position(&b->model[joint]));
            double distance = (double)tr_vec3_length(off);
            worst = distance > worst ? distance : worst;
        }
    }
    return worst;
}

TEST(neighbouring_speeds_have_neighbouring_walks) {
    measured before = {0};
    for (int i = 0; i <= 65; i++) {
        measured now;
        tr_gait_def def = {.kind = TR_GAIT_WALK, .frames_per_second = 240};
        def.speed = 0.5f + 0.02f * (float)i;
        REQUIRE(measure_gait(&now, &def, HEIGHT));
        if (i > 0) {
            CHECK(largest_change(&before, &now) < 0.02);
            measure_end(&before);
        }
        before = now;
    }
    measure_end(&before);
}

TEST(children_and_tall_people_walk_like_the_mannequin_of_their_size) {
    const float heights[] = {1.1f, 1.4f, 2.0f};
    for (uint32_t i = 0; i < 3; i++)
        for (float alike = 0.5f; alike < 1.81f; alike += 0.26f) {
            measured usual, other;
            tr_gait_def def = {.kind = TR_GAIT_WALK, .speed = alike, .frames_per_second = 240};
            REQUIRE(measure_gait(&usual, &def, HEIGHT));
            def.speed = alike * sqrtf(heights[i] / HEIGHT);
            REQUIRE(measure_gait(&other, &def, heights[i]));
            double drift, depth;
            measure_plants(&other, 2 * other.frames, &drift, &depth);
            CHECK(drift < 1e-4 && depth < 1e-4);
            CHECK_NEAR(worst_limit(&other), 0, 0.05);
            for (int k = 0; k < 20; k++) {
                tr_clip_sample(usual.clip, usual.period * k / 20, &usual.pose);
                tr_clip_sample(other.clip, other.period * k / 20, &other.pose);
                for (uint32_t joint = 0; joint < usual.pose.joint_count; joint++) {
                    tr_quat a = tr_pose_rotation(&usual.pose, joint),
                            b = tr_pose_rotation(&other.pose, joint);
                    double same = fabs((double)(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w));
                    CHECK(same > cos(2 / DEGREES)); // less than 4 degrees apart
                }
            }
            measure_end(&usual);
            measure_end(&other);
        }
}
