// Jogging and running beside people: bounce, flight, arms.
#include "gait_measure.h"

static const tr_gait_def runs[] = {
    {.kind = TR_GAIT_JOG, .speed = 1.9f}, {.kind = TR_GAIT_JOG, .speed = 2.4f},
    {.kind = TR_GAIT_JOG, .speed = 3.0f}, {.kind = TR_GAIT_RUN, .speed = 3.5f},
    {.kind = TR_GAIT_RUN, .speed = 4.5f}, {.kind = TR_GAIT_RUN, .speed = 6.0f},
};
enum { RUNS = sizeof runs / sizeof *runs };

static tr_vec3 place_of(const measured *m, tr_role role) {
    return tr_affine_position(&m->model[tr_skeleton_with_role(m->skeleton, role)]);
}

// From straight down, forwards [degrees].
static double angle_of(const measured *m, tr_role upper, tr_role lower) {
    tr_vec3 from = place_of(m, upper), to = place_of(m, lower);
    return atan2((double)(to.z - from.z), (double)(from.y - to.y)) * DEGREES;
}

// An angle over the stride: its range, and the phase of its first harmonic [degrees].
typedef struct swing {
    double low, high, cosine, sine;
} swing;

static void add_swing(swing *all, double angle, double turns) {
    all->low = angle < all->low ? angle : all->low;
    all->high = angle > all->high ? angle : all->high;
    all->cosine += angle * cos(2 * TR_PI * turns);
    all->sine += angle * sin(2 * TR_PI * turns);
}

static double phase_between(const swing *a, const swing *b) {
    double off = (atan2(a->sine, a->cosine) - atan2(b->sine, b->cosine)) * DEGREES;
    return off < 0 ? off + 360 : off;
}

TEST(arms_swing_as_far_as_people_s_and_against_the_leg) {
    for (uint32_t i = 0; i < RUNS; i++) {
        measured m;
        REQUIRE(measure_gait(&m, &runs[i], 1.75f));
        swing arm = {1e9, -1e9, 0, 0}, thigh = arm, elbow = arm;
        for (uint32_t f = 0; f < m.frames; f++) {
            pose_frame(&m, f);
            double turns = (double)f / m.frames;
            double upper = angle_of(&m, TR_ROLE_LEFT_UPPER_ARM, TR_ROLE_LEFT_FOREARM);
            double lower = angle_of(&m, TR_ROLE_LEFT_FOREARM, TR_ROLE_LEFT_HAND);
            add_swing(&arm, upper, turns);
            add_swing(&thigh, angle_of(&m, TR_ROLE_LEFT_THIGH, TR_ROLE_LEFT_SHANK), turns);
            add_swing(&elbow, lower - upper, turns);
        }
        CHECK(arm.high - arm.low > 29 && arm.high - arm.low < 40);
        CHECK(phase_between(&arm, &thigh) > 166 && phase_between(&arm, &thigh) < 186);
        CHECK(elbow.low > 84 && elbow.high < 104);
        measure_end(&m);
    }
}

TEST(hips_bounce_as_high_as_people_s_and_fall_freely_in_flight) {
    for (uint32_t i = 0; i < RUNS; i++) {
        measured m;
        tr_gait_def def = runs[i];
        def.frames_per_second = 240;
        REQUIRE(measure_gait(&m, &def, 1.75f));
        double low = 9, high = 0, height[3] = {0}, off = 0;
        uint32_t flight = 0, flying = 0;
        for (uint32_t f = 0; f < m.frames + 2; f++) {
            pose_frame(&m, f);
            height[0] = height[1], height[1] = height[2];
            height[2] = (double)place_of(&m, TR_ROLE_HIPS).y;
            low = height[2] < low ? height[2] : low;
            high = height[2] > high ? height[2] : high;
            bool up = true;
            for (uint32_t side = 0; side < 2; side++)
                for (int point = 0; point < 3; point++)
                    up = up && sole_point(&m, side, point).y > 1e-4f;
            flight += up;
            flying = up ? flying + 1 : 0;
            double fall = (height[2] - 2 * height[1] + height[0]) * 240 * 240;
            off = flying > 3 && fabs(fall + 9.81) > off ? fabs(fall + 9.81) : off;
        }
        CHECK(high - low > 0.06 && high - low < 0.10);
        CHECK(flight >= 8);
        CHECK(off < 0.3);
        measure_end(&m);
    }
}

TEST(cadence_and_stance_follow_runners) {
    double before = 1;
    for (uint32_t i = 0; i < RUNS; i++) {
        measured m;
        REQUIRE(measure_gait(&m, &runs[i], 1.75f));
        double speed = (double)runs[i].speed, down = 0;
        for (uint32_t f = 0; f < m.frames; f++) {
            pose_frame(&m, f);
            down += touches(&m, f, 0, 0) || touches(&m, f, 0, 1) || sole_point(&m, 0, 2).y < 1e-4f;
        }
        double stance = down / m.frames, steps = 2 / m.period;
        CHECK_NEAR(steps, 2.2 + 0.2 * speed, 0.1);
        CHECK_NEAR(stance, speed < 4 ? 0.40 - 0.06 * (speed - 2) : 0.29 - 0.035 * (speed - 4), 0.03);
        CHECK(stance < before);
        before = stance;
        measure_end(&m);
    }
}

TEST(legs_turn_no_faster_than_people_s) {
    for (uint32_t i = 0; i < RUNS; i++) {
        measured m;
        tr_gait_def def = runs[i];
        def.frames_per_second = 120;
        REQUIRE(measure_gait(&m, &def, 1.75f));
        tr_quat last[128];
        REQUIRE(m.pose.joint_count <= 128);
        for (uint32_t f = 0; f <= m.frames; f++) {
            pose_frame(&m, f);
            for (uint32_t joint = 0; joint < m.pose.joint_count; joint++) {
                tr_quat now = tr_pose_rotation(&m.pose, joint);
                tr_vec3 by = tr_quat_to_vector(tr_quat_multiply(now, tr_quat_conjugate(last[joint])));
                bool toes = joint == m.feet[0].toes || joint == m.feet[1].toes;
                bool shank = joint == m.feet[0].shank || joint == m.feet[1].shank;
                if (f > 0 && !toes)
                    CHECK(tr_vec3_length(by) * 120 < (shank ? 19 : 15));
                last[joint] = now;
            }
        }
        measure_end(&m);
    }
}
