// One step: its ends join those of its neighbours, feet that stand stay, bones keep their lengths.
#include "test.h"
#include "troupe/base/random.h"
#include "troupe/plan/stride.h"

#include <math.h>
#include <string.h>

typedef struct step_pair {
    tr_stride_foot feet[4]; // where the feet stand, in the order of the steps
    tr_stride strides[2];
    tr_stride_reason reasons[2];
} step_pair;

static step_pair plan_pair(const tr_stride_body *body, const float *lengths, const float *rises) {
    step_pair pair;
    memset(&pair, 0, sizeof pair);
    for (int i = 0; i < 4; i++) {
        pair.feet[i].aside = (i % 2 ? -0.5f : 0.5f) * body->apart;
        if (i > 0) {
            pair.feet[i].along = pair.feet[i - 1].along + lengths[i - 1];
            pair.feet[i].height = pair.feet[i - 1].height + rises[i - 1];
        }
    }
    for (uint32_t i = 0; i < 2; i++) {
        tr_stride_query query = {.body = body,
                                 .facing = 1,
                                 .side = i,
                                 .from = pair.feet[i],
                                 .stance = pair.feet[i + 1],
                                 .to = pair.feet[i + 2],
                                 .clear = 0.02f};
        query.start = tr_stride_between(body, 1, i, &query.from, &query.stance);
        pair.reasons[i] = tr_stride_plan(&query, &pair.strides[i]);
    }
    return pair;
}

static void check_pose(const tr_stride_body *body, const tr_stride_pose *pose) {
    for (int side = 0; side < 2; side++) {
        CHECK_NEAR(tr_vec3_distance(pose->hips[side], pose->knees[side]), body->thigh, 1e-4);
        CHECK_NEAR(tr_vec3_distance(pose->knees[side], pose->ankles[side]), body->shin, 1e-4);
        CHECK(pose->knee[side] >= -1e-4f && pose->knee[side] <= body->knee_most + 1e-3f);
        CHECK(pose->hip_swing[side] >= -body->hip_back - 1e-2f &&
              pose->hip_swing[side] <= body->hip_front + 1e-2f);
        CHECK_NEAR(pose->hips[0].x - pose->hips[1].x, body->hips, 1e-5);
    }
}

static void check_moments(const tr_stride_body *body, const tr_stride *stride) {
    tr_vec3 tip = {0, 0, 0};
    uint32_t stance = 1 - stride->side;
    for (int i = 0; i <= 60; i++) {
        tr_stride_pose pose;
        float share = (float)i / 60;
        tr_stride_pose_at(body, stride, share, &pose);
        check_pose(body, &pose);
        CHECK(pose.down[stance]);
        CHECK_INT(pose.down[stride->side], share <= stride->both || i == 60);
        // The ankle bends no further than it may while the foot stands.
        CHECK(pose.bend[stance] <= body->ankle_up + 2e-2f && pose.bend[stance] >= -body->ankle_down - 2e-2f);
        if (share > 0.2f && share < 0.5f && stride->start.front <= 0.06f) { // flat
            if (tip.z != 0)
                CHECK_NEAR(tr_vec3_distance(tip, pose.toes[stance]), 0, 1e-5);
            tip = pose.toes[stance];
        }
    }
}

static void check_joint(const tr_stride_body *body, const step_pair *pair) {
    tr_stride_pose before, after;
    tr_stride_pose_at(body, &pair->strides[0], 1, &before);
    tr_stride_pose_at(body, &pair->strides[1], 0, &after);
    CHECK_NEAR(tr_vec3_distance(before.pelvis, after.pelvis), 0, 1e-5);
    for (int side = 0; side < 2; side++) {
        CHECK_NEAR(tr_vec3_distance(before.ankles[side], after.ankles[side]), 0, 1e-5);
        CHECK_NEAR(tr_vec3_distance(before.toes[side], after.toes[side]), 0, 1e-5);
        CHECK_NEAR(before.knee[side], after.knee[side], 1e-3);
    }
    // The pelvis keeps its speed.
    tr_stride_pose near;
    const float little = 1e-2f;
    tr_stride_pose_at(body, &pair->strides[0], 1 - little, &near);
    float first = (before.pelvis.z - near.pelvis.z) / (little * pair->strides[0].duration);
    tr_stride_pose_at(body, &pair->strides[1], little, &near);
    float second = (near.pelvis.z - after.pelvis.z) / (little * pair->strides[1].duration);
    CHECK_NEAR(first, second, 0.06);
}

TEST(steps_join_and_bones_keep_their_lengths) {
    uint32_t fine = 0;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        tr_random random = tr_random_seed(seed);
        tr_stride_body body = tr_stride_body_default(tr_random_between(&random, 1.1f, 2));
        float leg = body.thigh + body.shin, lengths[3], rises[3];
        for (int i = 0; i < 3; i++) {
            lengths[i] = leg * tr_random_between(&random, 0.2f, 1);
            rises[i] = leg * tr_random_between(&random, -0.3f, 0.3f);
        }
        step_pair pair = plan_pair(&body, lengths, rises);
        for (int i = 0; i < 2; i++)
            if (pair.reasons[i] == TR_STRIDE_FINE)
                check_moments(&body, &pair.strides[i]);
        if (pair.reasons[0] != TR_STRIDE_FINE || pair.reasons[1] != TR_STRIDE_FINE)
            continue;
        fine++;
        check_joint(&body, &pair);
    }
    CHECK(fine > 100);
}

TEST(a_level_step_of_an_adult_is_like_those_of_people) {
    tr_stride_body body = tr_stride_body_default(1.75f);
    const float lengths[3] = {0.7f, 0.7f, 0.7f}, rises[3] = {0};
    step_pair pair = plan_pair(&body, lengths, rises);
    CHECK_INT(pair.reasons[0], TR_STRIDE_FINE);
    CHECK_INT(pair.strides[0].kind, TR_STRIDE_LEVEL);
    CHECK(pair.strides[0].duration > 0.45f && pair.strides[0].duration < 0.6f);
    float low = INFINITY, high = -INFINITY, clear = INFINITY, knee = 0;
    for (int i = 0; i <= 100; i++) {
        tr_stride_pose pose;
        tr_stride_pose_at(&body, &pair.strides[0], (float)i / 100, &pose);
        low = pose.pelvis.y < low ? pose.pelvis.y : low;
        high = pose.pelvis.y > high ? pose.pelvis.y : high;
        knee = pose.knee[0] > knee ? pose.knee[0] : knee;
        if (i >= 40 && i <= 60)
            clear = pose.toes[0].y < clear ? pose.toes[0].y : clear;
    }
    CHECK(high - low > 0.02f && high - low < 0.06f); // people: 26 to 49 mm
    CHECK(clear > 0.01f);
    CHECK(knee > 0.75f && knee < 1.3f); // about 60 degrees
}

TEST(kinds_of_steps_follow_their_rise) {
    tr_stride_body body = tr_stride_body_default(1.75f);
    const float lengths[3] = {0.5f, 0.5f, 0.5f}, up[3] = {0.17f, 0.17f, 0.17f},
                down[3] = {-0.17f, -0.17f, -0.17f};
    CHECK_INT(plan_pair(&body, lengths, up).strides[0].kind, TR_STRIDE_UP);
    CHECK_INT(plan_pair(&body, lengths, down).strides[0].kind, TR_STRIDE_DOWN);
}

TEST(a_curve_is_lifted_over_a_hurdle_and_no_further_than_needed) {
    tr_stride_body body = tr_stride_body_default(1.75f);
    float top[200], lifts[8];
    for (int high = 0; high < 8; high++) {
        for (int i = 0; i < 200; i++)
            top[i] = i >= 60 && i < 64 ? 0.05f * (float)high : 0; // 1.2 to 1.28 m
        tr_stride_query query = {.body = &body,
                                 .facing = 1,
                                 .side = 0,
                                 .from = {0.7f, 0.06f, 0, 0, 0},
                                 .stance = {1.05f, -0.06f, 0, 0, 0},
                                 .to = {1.6f, 0.06f, 0, 0, 0},
                                 .clear = 0.02f};
        query.swing = (tr_stride_lane){.top = top, .columns = 200, .cell = 0.02f};
        query.start = tr_stride_between(&body, 1, 0, &query.from, &query.stance);
        tr_stride stride;
        REQUIRE(tr_stride_plan(&query, &stride) == TR_STRIDE_FINE);
        lifts[high] = stride.lift;
        float least = INFINITY;
        for (int i = 0; i <= 400; i++) {
            tr_stride_pose pose;
            tr_stride_pose_at(&body, &stride, (float)i / 400, &pose);
            for (int k = 0; k <= 10; k++) {
                float z = pose.heels[0].z + 0.1f * (float)k * (pose.toes[0].z - pose.heels[0].z);
                float y = pose.heels[0].y + 0.1f * (float)k * (pose.toes[0].y - pose.heels[0].y);
                if (z >= 1.2f && z <= 1.28f && y - 0.05f * (float)high < least)
                    least = y - 0.05f * (float)high;
            }
        }
        if (least <= 0.002f)
            test_failed(__FILE__, __LINE__, "hurdle of %d: clear by %g m", high, (double)least);
        CHECK(high < 3 || least < 0.15f);
        CHECK(high == 0 || lifts[high] >= lifts[high - 1] - 1e-4f);
    }
    CHECK(lifts[7] > lifts[0] + 0.1f);
}

TEST(walls_and_beams_stop_a_step_with_their_reason) {
    tr_stride_body body = tr_stride_body_default(1.75f);
    float top[200], under[200];
    for (int i = 0; i < 200; i++)
        top[i] = i == 62 ? 2.5f : 0, under[i] = INFINITY;
    tr_stride_query query = {.body = &body,
                             .facing = 1,
                             .side = 1,
                             .from = {0.7f, -0.06f, 0, 0, 0},
                             .stance = {1, 0.06f, 0, 0, 0},
                             .to = {1.5f, -0.06f, 0, 0, 0},
                             .clear = 0.02f};
    query.swing = query.stand = (tr_stride_lane){top, under, 200, 0.02f};
    query.start = tr_stride_between(&body, 1, 1, &query.from, &query.stance);
    tr_stride stride;
    tr_stride_reason reason = tr_stride_plan(&query, &stride);
    CHECK_INT(reason, TR_STRIDE_FOOT);
    top[62] = 0, under[62] = 0.7f;
    CHECK_INT(tr_stride_plan(&query, &stride), TR_STRIDE_OVERHEAD);
    under[62] = INFINITY;
    CHECK_INT(tr_stride_plan(&query, &stride), TR_STRIDE_FINE);
    query.to.along = 3;
    CHECK_INT(tr_stride_plan(&query, &stride), TR_STRIDE_TOO_FAR);
    for (int i = 0; i < TR_STRIDE_REASONS; i++)
        CHECK(strlen(tr_stride_reason_text((tr_stride_reason)i)) > 8);
}

TEST(joint_angles_between_key_frames_agree_with_the_curves_at_the_keys) {
    tr_stride_body body = tr_stride_body_default(1.75f);
    const float lengths[3] = {0.6f, 0.7f, 0.5f}, rises[3] = {0, 0.1f, -0.05f};
    step_pair pair = plan_pair(&body, lengths, rises);
    const tr_stride *stride = &pair.strides[0];
    const float keys[4] = {0, stride->both, 0.5f * (1 + stride->both), 1};
    for (int i = 0; i <= 40; i++) {
        tr_stride_pose curve, angles;
        float share = i < 4 ? keys[i] : (float)i / 40;
        tr_stride_pose_at(&body, stride, share, &curve);
        tr_stride_pose_by_keys(&body, stride, share, &angles);
        check_pose(&body, &angles);
        double limit = i < 4 ? 6e-3 : 0.12; // feet that stand slide between the keys
        for (int side = 0; side < 2; side++)
            CHECK_NEAR(tr_vec3_distance(curve.ankles[side], angles.ankles[side]), 0, limit);
    }
}

TEST(bodies_that_cannot_be_are_refused) {
    tr_stride_body body = tr_stride_body_default(1.75f);
    CHECK_INT(tr_stride_body_check(&body, NULL), TR_OK);
    tr_error error;
    body.thigh = NAN;
    CHECK_INT(tr_stride_body_check(&body, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "thigh");
    body = tr_stride_body_default(1.75f);
    body.ball = 1;
    CHECK_INT(tr_stride_body_check(&body, &error), TR_INVALID);
}
