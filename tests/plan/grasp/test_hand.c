#include "test.h"
#include "troupe/base/random.h"
#include "troupe/base/scalar.h"
#include "troupe/plan/hand.h"

TEST(a_hand_is_as_large_as_its_person) {
    tr_hand_shape small = tr_hand_default(TR_ARM_LEFT, 1), large = tr_hand_default(TR_ARM_LEFT, 2);
    tr_hand_posture rest = {0};
    for (uint32_t f = 0; f < TR_FINGERS; f++) {
        tr_finger_place a = tr_hand_put(&small, &rest, f), b = tr_hand_put(&large, &rest, f);
        for (int k = 0; k <= TR_FINGER_BONES; k++)
            CHECK(tr_vec3_distance(tr_vec3_scale(a.joints[k], 2), b.joints[k]) < 1e-6f);
    }
    // The middle finger ends a hand's length from the wrist, 10.8 % of the height (Drillis & Contini 1966).
    float length = tr_vec3_length(small.fingers[TR_MIDDLE].joints[3]) + small.fingers[TR_MIDDLE].radius[2];
    CHECK_NEAR((double)length, .108, .002);
}

// Each bone by rotation matrices in double precision, one joint after the other.
TEST(bones_are_where_rotations_one_after_the_other_put_them) {
    tr_random random = tr_random_seed(3);
    for (int round = 0; round < 2000; round++) {
        tr_hand_shape hand = tr_hand_default(round % 2 ? TR_ARM_LEFT : TR_ARM_RIGHT, 1.75f);
        tr_hand_posture posture = {0};
        uint32_t f = 1 + (uint32_t)round % 4;
        for (int b = 0; b < TR_FINGER_BONES; b++)
            posture.bend[f][b] = tr_random_between(&random, 0, 1.5f);
        tr_finger_place place = tr_hand_put(&hand, &posture, f);
        const tr_finger *finger = &hand.fingers[f];
        double side = hand.side == TR_ARM_LEFT ? -1 : 1, angle = 0; // about Z
        CHECK(tr_vec3_distance(finger->hinge, tr_vec3_make(0, 0, (float)side)) < 1e-6f);
        double x = finger->joints[0].x, y = finger->joints[0].y;
        for (int b = 0; b < TR_FINGER_BONES; b++) {
            angle += side * posture.bend[f][b];
            double dx = (double)finger->joints[b + 1].x - finger->joints[b].x,
                   dy = (double)finger->joints[b + 1].y - finger->joints[b].y;
            x += cos(angle) * dx - sin(angle) * dy;
            y += sin(angle) * dx + cos(angle) * dy;
            CHECK_NEAR((double)place.joints[b + 1].x, x, 1e-6);
            CHECK_NEAR((double)place.joints[b + 1].y, y, 1e-6);
            CHECK_NEAR((double)place.joints[b + 1].z, (double)finger->joints[b + 1].z, 1e-6);
        }
    }
}

TEST(bent_fingers_go_to_the_palm_and_the_thumb_comes_to_meet_them) {
    for (int side = 0; side < 2; side++) {
        tr_hand_shape hand = tr_hand_default(side ? TR_ARM_LEFT : TR_ARM_RIGHT, 1.75f);
        tr_hand_posture rest = {0}, bent = {0};
        float palm = side ? -1.0f : 1.0f;
        for (uint32_t f = TR_INDEX; f < TR_FINGERS; f++)
            bent.bend[f][0] = bent.bend[f][1] = 1.4f;
        bent.oppose = 1.2f;
        bent.swing = 0.6f;
        for (uint32_t f = 0; f < TR_FINGERS; f++) {
            tr_vec3 before = tr_hand_put(&hand, &rest, f).joints[1],
                    after = tr_hand_put(&hand, &bent, f).joints[1];
            CHECK(palm * (after.x - before.x) > 0.02f);
        }
        tr_vec3 thumb = tr_hand_put(&hand, &bent, TR_THUMB).joints[3];
        CHECK(palm * thumb.x > 0.04f); // in front of the palm
    }
}

TEST(angles_are_clamped_and_blended) {
    tr_hand_shape hand = tr_hand_default(TR_ARM_RIGHT, 1.75f);
    tr_hand_posture wild = {.swing = -3, .oppose = 9}, none = {0};
    for (uint32_t f = 0; f < TR_FINGERS; f++)
        for (int b = 0; b < TR_FINGER_BONES; b++)
            wild.bend[f][b] = b == 1 ? -7.0f : 7.0f;
    tr_hand_posture held = tr_hand_clamp(&hand, wild), half = tr_hand_blend(&none, &held, 0.5f);
    for (uint32_t f = 0; f < TR_FINGERS; f++)
        for (int b = 0; b < TR_FINGER_BONES; b++) {
            const tr_finger *finger = &hand.fingers[f];
            CHECK(held.bend[f][b] == (b == 1 ? finger->low[b] : finger->high[b]));
            CHECK_NEAR((double)half.bend[f][b], 0.5 * (double)held.bend[f][b], 1e-6);
        }
    CHECK(held.swing == 0 && held.oppose == hand.oppose_max);
}

TEST(capsules_are_those_of_all_bones_and_the_palm) {
    tr_hand_shape hand = tr_hand_default(TR_ARM_LEFT, 1.75f);
    hand.fingers[TR_LITTLE].bones = 0; // a hand with a finger less
    tr_hand_posture rest = {0};
    tr_affine place = tr_affine_place(tr_vec3_make(1, 2, 3), 0.7);
    tr_solid_capsule capsules[TR_HAND_CAPSULES];
    uint32_t fingers[TR_HAND_CAPSULES];
    uint32_t count = tr_hand_capsules(&hand, &rest, &place, capsules, fingers);
    CHECK_INT(count, 4 * TR_FINGER_BONES + 2);
    tr_vec3 tip = tr_affine_apply(&place, tr_hand_put(&hand, &rest, TR_THUMB).joints[3]);
    CHECK(tr_vec3_distance(capsules[2].b, tip) < 1e-6f);
    CHECK_INT(fingers[0], TR_THUMB);
    CHECK_INT(fingers[count - 1], TR_FINGERS);
}

TEST(hands_that_are_none_are_refused) {
    const tr_hand_shape good = tr_hand_default(TR_ARM_LEFT, 1.75f);
    tr_error error;
    CHECK(tr_hand_check(&good, &error) == TR_OK);
    tr_hand_shape bad = good;
    bad.fingers[TR_THUMB].bones = 0;
    CHECK(tr_hand_check(&bad, &error) == TR_INVALID);
    CHECK_CONTAINS(error.message, "no thumb");
    bad = good;
    bad.fingers[TR_RING].radius[1] = 0;
    CHECK(tr_hand_check(&bad, &error) == TR_INVALID);
    CHECK_CONTAINS(error.message, "ring finger");
    bad = good;
    bad.fingers[TR_INDEX].joints[2] = bad.fingers[TR_INDEX].joints[1];
    CHECK(tr_hand_check(&bad, &error) == TR_INVALID);
    bad = good;
    bad.fingers[TR_INDEX].low[0] = NAN;
    CHECK(tr_hand_check(&bad, &error) == TR_INVALID);
    bad = good;
    bad.fingers[TR_LITTLE].hinge = tr_vec3_make(0, 0, 0.5f);
    CHECK(tr_hand_check(&bad, &error) == TR_INVALID);
    bad = good;
    bad.thickness = -1;
    CHECK(tr_hand_check(&bad, &error) == TR_INVALID);
    bad = good;
    bad.palm.y = INFINITY;
    CHECK(tr_hand_check(&bad, &error) == TR_INVALID);
    bad = good;
    bad.oppose_max = 9;
    CHECK(tr_hand_check(&bad, &error) == TR_INVALID);
    bad = good;
    bad.side = (tr_arm_side)5;
    CHECK(tr_hand_check(&bad, &error) == TR_INVALID);
}
