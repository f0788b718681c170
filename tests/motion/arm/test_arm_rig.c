#include "arm_rig_cases.h"
#include "test.h"
#include "troupe/base/scalar.h"
#include "troupe/motion/mannequin.h"

#include <string.h>

#define DEGREE (TR_PI / 180)

static tr_skeleton *make_mannequin(tr_body **body) {
    tr_mannequin_def def = {.height = 1.75f, .detail = 1};
    tr_skeleton *skeleton = NULL;
    CHECK(tr_mannequin_make(&def, &skeleton, body, NULL) == TR_OK);
    return skeleton;
}

TEST(the_mannequins_arms_are_measured) {
    tr_body *skin = NULL;
    tr_skeleton *skeleton = make_mannequin(&skin);
    REQUIRE(skeleton && skin);
    for (int side = 0; side < 2; side++) {
        tr_arm_rig joints;
        REQUIRE(tr_arm_rig_measure(skeleton, skin, (tr_arm_side)side, &joints, NULL) == TR_OK);
        CHECK_NEAR((double)joints.arm.length[0], 0.188 * 1.75, 1e-5);
        CHECK_NEAR((double)joints.arm.length[1], 0.152 * 1.75, 1e-5);
        CHECK_NEAR((double)joints.arm.length[2], 0.106 * 1.75, 1e-5);
        CHECK_NEAR((double)joints.arm.radius[0], 0.026 * 1.75, 1e-6);
        CHECK_NEAR((double)joints.arm.radius[2], 0.018 * 1.75, 1e-6);
        CHECK_NEAR((double)joints.arm.shoulder.x, (side == TR_ARM_LEFT ? .115 : -.115) * 1.75, 1e-5);
        CHECK_NEAR((double)joints.arm.base.m[1][3], 0.530 * 1.75, 1e-5);
        CHECK_NEAR((double)joints.arm.waist.y, 0.060 * 1.75, 1e-5);
        tr_posture hanging = {{0}};
        CHECK(arm_worst_angle(&joints.rest, &hanging) < 1e-5);
        CHECK(tr_arm_check(&joints.arm, NULL) == TR_OK);
        CHECK_NEAR((double)joints.arm.high.q[TR_ELBOW_FLEXION], 145 * DEGREE, 0.01);
        CHECK(joints.arm.high.q[TR_WAIST_LEAN] > 0.5f && joints.arm.high.q[TR_COLLAR] > 0.3f);
    }
    tr_body_destroy(skin);
    tr_skeleton_destroy(skeleton);
}

// A random posture written into the pose matches the arm, and is read back as it was.
static void check_round_trips(const tr_skeleton *skeleton, tr_arm_side side, double most, int times,
                              uint64_t seed) {
    tr_random random = tr_random_seed(seed);
    tr_arm_rig joints;
    tr_error error = {0};
    if (tr_arm_rig_measure(skeleton, NULL, side, &joints, &error) != TR_OK) {
        test_failed(__FILE__, __LINE__, "%s", error.message);
        return;
    }
    arm_body body;
    arm_body_begin(&body, skeleton);
    double worst_place = 0, worst_angle = 0, worst_trunk = 0;
    for (int n = 0; n < times; n++) {
        humanoid_random_pose(&random, skeleton, most, &body.pose);
        float x = tr_random_between(&random, -3, 3);
        float heading = tr_random_between(&random, -3, 3);
        body.place = tr_affine_place(tr_vec3_make(x, 0.2f, -x), heading);
        tr_pose_to_model(skeleton, &body.pose, &body.place, body.model);
        tr_arm arm, again;
        tr_posture now, read, wanted;
        tr_arm_rig_read(&joints, skeleton, &body.pose, body.model, &arm, &now);
        wanted = arm_random_posture(&random, &arm);
        tr_arm_rig_write(&joints, skeleton, &arm, &wanted, 1, &body.pose, &body.place, body.model);
        double off = arm_worst_place(&body, &joints, &arm, &wanted);
        worst_place = off > worst_place ? off : worst_place;
        CHECK(tr_arm_rig_read(&joints, skeleton, &body.pose, body.model, &again, &read) < 1e-3f);
        double sine = cos((double)wanted.q[TR_SHOULDER_ABDUCTION]);
        off = arm_worst_angle(&wanted, &read) * fabs(sine); // near straight out two angles are one
        worst_angle = off > worst_angle ? off : worst_angle;
        tr_arm_place put = tr_arm_put(&arm, &wanted), kept = tr_arm_put(&again, &read);
        off = arm_distance(put.tip, kept.tip) + arm_distance(put.elbow, kept.elbow);
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                off = fmax(off, fabs((double)put.trunk.m[i][k] - (double)kept.trunk.m[i][k]));
        worst_trunk = off > worst_trunk ? off : worst_trunk;
    }
    CHECK_NEAR(worst_place, 0, 1e-5);
    CHECK_NEAR(worst_angle, 0, 2e-4);
    CHECK_NEAR(worst_trunk, 0, 5e-5);
    tr_pose_destroy(&body.pose);
}

TEST(postures_written_to_the_mannequin_match_the_arm_and_are_read_back) {
    tr_skeleton *skeleton = make_mannequin(NULL);
    REQUIRE(skeleton);
    for (int side = 0; side < 2; side++) {
        check_round_trips(skeleton, (tr_arm_side)side, 0, 1500, 1);
        check_round_trips(skeleton, (tr_arm_side)side, 0.4, 1500, 2);
    }
    tr_skeleton_destroy(skeleton);
}

TEST(any_humanoid_in_any_rest_pose_and_axes_does_the_same) {
    for (uint32_t n = 0; n < 48; n++) {
        humanoid_def def = {.size = 0.5f + 0.05f * (float)n,
                            .arms = (humanoid_arms)(n % 3),
                            .spine_bones = 1 + n % 5,
                            .no_neck = n % 7 == 3,
                            .no_shoulders = n % 4 == 1,
                            .root = n % 2,
                            .up_z = n % 5 == 2,
                            .odd_axes = n % 6 != 0,
                            .heading = n % 8 == 5 ? tr_quat_about(tr_vec3_make(0, 1, 0), 1) : (tr_quat){0}};
        tr_skeleton *skeleton = humanoid_make(NULL, def, n);
        REQUIRE(skeleton);
        check_round_trips(skeleton, (tr_arm_side)(n / 2 % 2), n % 3 ? 0.3 : 0, 60, n);
        tr_skeleton_destroy(skeleton);
    }
}

TEST(the_rest_pose_is_read_from_the_bones) {
    static const double raised[] = {90, 90 - 0.8 / DEGREE, 90 - 1.45 / DEGREE};
    for (int arms = 0; arms < 3; arms++)
        for (int side = 0; side < 2; side++) {
            humanoid_def def = {.size = 1, .arms = (humanoid_arms)arms, .odd_axes = true, .up_z = side == 1};
            tr_skeleton *skeleton = humanoid_make(NULL, def, 5);
            REQUIRE(skeleton);
            tr_arm_rig joints;
            REQUIRE(tr_arm_rig_measure(skeleton, NULL, (tr_arm_side)side, &joints, NULL) == TR_OK);
            CHECK_NEAR((double)joints.rest.q[TR_SHOULDER_ABDUCTION], raised[arms] * DEGREE, 1e-3);
            CHECK_NEAR((double)joints.rest.q[TR_SHOULDER_FLEXION], 0, 2e-3);
            CHECK_NEAR((double)joints.rest.q[TR_SHOULDER_ROTATION], 0, 2e-3);
            CHECK_NEAR((double)joints.rest.q[TR_ELBOW_FLEXION], 0, 1e-3);
            CHECK_NEAR((double)joints.rest.q[TR_FOREARM_PRONATION], 0, 1e-3);
            CHECK_NEAR((double)joints.arm.length[0], 0.28, 1e-5);
            CHECK_NEAR((double)joints.arm.length[2], 0.18, 1e-5);
            tr_skeleton_destroy(skeleton);
        }
}

TEST(no_posture_of_the_arm_breaks_a_joint_limit_of_the_mannequin) {
    tr_skeleton *skeleton = make_mannequin(NULL);
    REQUIRE(skeleton);
    tr_random random = tr_random_seed(11);
    arm_body body;
    arm_body_begin(&body, skeleton);
    for (int side = 0; side < 2; side++) {
        tr_arm_rig joints;
        REQUIRE(tr_arm_rig_measure(skeleton, NULL, (tr_arm_side)side, &joints, NULL) == TR_OK);
        const uint32_t own[] = {joints.waist, joints.collar, joints.upper, joints.forearm, joints.hand};
        float worst[5] = {0};
        for (int n = 0; n < 20000; n++) {
            tr_pose_set_rest(&body.pose, skeleton);
            tr_pose_to_model(skeleton, &body.pose, NULL, body.model);
            tr_posture posture = arm_random_posture(&random, &joints.arm);
            tr_arm_rig_write(&joints, skeleton, &joints.arm, &posture, 1, &body.pose, NULL, body.model);
            for (int i = 0; i < 5; i++) {
                float excess =
                    tr_skeleton_limit_excess(skeleton, own[i], tr_pose_rotation(&body.pose, own[i]));
                worst[i] = excess > worst[i] ? excess : worst[i];
            }
        }
        for (int i = 0; i < 5; i++)
            CHECK_NEAR((double)worst[i], 0, 0.3 * DEGREE);
    }
    tr_pose_destroy(&body.pose);
    tr_skeleton_destroy(skeleton);
}

TEST(the_weight_leads_from_the_pose_to_the_posture) {
    tr_skeleton *skeleton = make_mannequin(NULL);
    REQUIRE(skeleton);
    tr_arm_rig joints;
    REQUIRE(tr_arm_rig_measure(skeleton, NULL, TR_ARM_RIGHT, &joints, NULL) == TR_OK);
    arm_body body;
    arm_body_begin(&body, skeleton);
    tr_posture posture = {{1.2f, 0.3f, 0.2f, 1.1f, 0.4f, 0.1f, 0.3f, 0.3f, 0.2f, 0.2f}};
    tr_vec3 from = tr_affine_position(&body.model[joints.hand]), last = from;
    tr_arm_place put = tr_arm_put(&joints.arm, &posture);
    for (int k = 0; k <= 20; k++) {
        tr_pose_set_rest(&body.pose, skeleton);
        tr_pose_to_model(skeleton, &body.pose, NULL, body.model);
        tr_affine before[ARM_POSE_JOINTS_MAX];
        memcpy(before, body.model, sizeof before);
        tr_arm_rig_write(&joints, skeleton, &joints.arm, &posture, (float)k / 20, &body.pose, NULL,
                         body.model);
        tr_vec3 wrist = tr_affine_position(&body.model[joints.hand]);
        CHECK(arm_distance(wrist, last) < 0.1);
        if (k == 0)
            CHECK(memcmp(before, body.model, sizeof(tr_affine) * tr_skeleton_joint_count(skeleton)) == 0);
        tr_affine fresh[ARM_POSE_JOINTS_MAX];
        tr_pose_to_model(skeleton, &body.pose, NULL, fresh);
        CHECK(memcmp(fresh, body.model, sizeof(tr_affine) * tr_skeleton_joint_count(skeleton)) == 0);
        last = wrist;
    }
    CHECK(arm_distance(last, put.wrist) < 1e-5);
    // An invalid posture changes nothing.
    tr_affine before = body.model[joints.hand];
    posture.q[3] = NAN;
    tr_arm_rig_write(&joints, skeleton, &joints.arm, &posture, 1, &body.pose, NULL, body.model);
    CHECK(memcmp(&before, &body.model[joints.hand], sizeof before) == 0);
    tr_pose_destroy(&body.pose);
    tr_skeleton_destroy(skeleton);
}

TEST(a_skeleton_without_an_arm_is_refused_by_name) {
    tr_joint_def joints[] = {{.name = "hips", .parent = TR_NONE, .role = TR_ROLE_HIPS},
                             {.name = "spine", .parent = 0, .role = TR_ROLE_SPINE},
                             {.name = "head", .parent = 1, .role = TR_ROLE_HEAD},
                             {.name = "upper", .parent = 1, .role = TR_ROLE_RIGHT_UPPER_ARM},
                             {.name = "fore", .parent = 3, .role = TR_ROLE_RIGHT_FOREARM},
                             {.name = "hand", .parent = 4, .role = TR_ROLE_RIGHT_HAND}};
    for (int i = 0; i < 6; i++)
        joints[i].rest = tr_transform_identity();
    tr_skeleton_def def = {.joints = joints, .joint_count = 6};
    tr_skeleton *skeleton = NULL;
    tr_arm_rig found;
    tr_error error = {0};
    REQUIRE(tr_skeleton_create(&def, &skeleton, NULL) == TR_OK);
    CHECK(tr_arm_rig_measure(skeleton, NULL, TR_ARM_LEFT, &found, &error) == TR_NOT_FOUND);
    CHECK_CONTAINS(error.message, "left_upper_arm");
    CHECK(tr_arm_rig_measure(skeleton, NULL, TR_ARM_RIGHT, &found, &error) == TR_INVALID);
    CHECK(tr_arm_rig_measure(skeleton, NULL, (tr_arm_side)7, &found, &error) == TR_INVALID);
    CHECK_CONTAINS(error.message, "7");
    tr_skeleton_destroy(skeleton);
    joints[4].rest.position = joints[5].rest.position = tr_vec3_make(0, -0.3f, 0);
    REQUIRE(tr_skeleton_create(&def, &skeleton, NULL) == TR_OK);
    CHECK(tr_arm_rig_measure(skeleton, NULL, TR_ARM_RIGHT, &found, &error) == TR_INVALID);
    CHECK_CONTAINS(error.message, "up");
    tr_skeleton_destroy(skeleton);
    joints[3].rest.position = tr_vec3_make(-0.2f, 0.5f, 0);
    joints[2].parent = 0, joints[3].parent = TR_NONE;
    REQUIRE(tr_skeleton_create(&def, &skeleton, NULL) == TR_OK);
    CHECK(tr_arm_rig_measure(skeleton, NULL, TR_ARM_RIGHT, &found, &error) == TR_INVALID);
    CHECK_CONTAINS(error.message, "pelvis");
    tr_skeleton_destroy(skeleton);
}

// A right arm that hangs, with joints for twists in its bones and a thumb that points outwards by 60 degrees.
static tr_skeleton *make_twisted(bool knuckles) {
    static const struct {
        const char *name;
        uint32_t parent;
        tr_role role;
        tr_vec3 place;
    } rows[] = {{"hips", TR_NONE, TR_ROLE_HIPS, {0, 0.95f, 0}},
                {"spine", 0, TR_ROLE_SPINE, {0, 1.05f, 0}},
                {"head", 1, TR_ROLE_HEAD, {0, 1.6f, 0}},
                {"left", 1, TR_ROLE_LEFT_UPPER_ARM, {0.2f, 1.4f, 0}},
                {"upper", 1, TR_ROLE_RIGHT_UPPER_ARM, {-0.2f, 1.4f, 0}},
                {"upper twist", 4, TR_ROLE_NONE, {-0.2f, 1.25f, 0}},
                {"fore", 5, TR_ROLE_RIGHT_FOREARM, {-0.2f, 1.1f, 0}},
                {"fore twist", 6, TR_ROLE_NONE, {-0.2f, 0.97f, 0}},
                {"hand", 7, TR_ROLE_RIGHT_HAND, {-0.2f, 0.85f, 0}},
                {"Thumb1", 8, TR_ROLE_NONE, {-0.2f - 0.03464f, 0.82f, 0.02f}},
                {"Middle1", 8, TR_ROLE_NONE, {-0.2f, 0.76f, 0}},
                {"Middle4", 10, TR_ROLE_NONE, {-0.2f, 0.67f, 0}},
                {"Index1", 8, TR_ROLE_NONE, {-0.2f, 0.76f, 0.02f}},
                {"Pinky1", 8, TR_ROLE_NONE, {-0.2f, 0.77f, -0.04f}},
                {"toes", 0, TR_ROLE_NONE, {0, 0, 0}}};
    enum { COUNT = sizeof rows / sizeof *rows };
    tr_joint_def joints[COUNT];
    for (int i = 0; i < COUNT; i++) {
        joints[i] = (tr_joint_def){.name = rows[i].name,
                                   .parent = rows[i].parent,
                                   .role = rows[i].role,
                                   .rest = tr_transform_identity()};
        if (!knuckles && (i == 12 || i == 13))
            joints[i].name = i == 12 ? "slot" : "other slot";
        tr_vec3 above = {0, 0, 0};
        if (rows[i].parent != TR_NONE)
            above = rows[rows[i].parent].place;
        joints[i].rest.position = tr_vec3_subtract(rows[i].place, above);
    }
    tr_skeleton_def def = {.joints = joints, .joint_count = COUNT};
    tr_skeleton *skeleton = NULL;
    CHECK(tr_skeleton_create(&def, &skeleton, NULL) == TR_OK);
    return skeleton;
}

TEST(thumbs_and_knuckles_tell_how_the_hand_is_turned) {
    for (int knuckles = 0; knuckles < 2; knuckles++) {
        tr_skeleton *skeleton = make_twisted(knuckles);
        REQUIRE(skeleton);
        tr_arm_rig joints;
        REQUIRE(tr_arm_rig_measure(skeleton, NULL, TR_ARM_RIGHT, &joints, NULL) == TR_OK);
        CHECK_NEAR((double)joints.rest.q[TR_FOREARM_PRONATION], knuckles ? 0 : -60 * DEGREE, 1e-3);
        CHECK_NEAR((double)joints.arm.length[2], 0.18, 1e-5); // to the end of the middle finger
        CHECK_NEAR((double)joints.height, 1.6, 1e-5);
        CHECK(joints.collar == TR_NONE && joints.arm.high.q[TR_COLLAR] == 0);
        tr_skeleton_destroy(skeleton);
    }
}

TEST(twist_joints_are_put_to_rest) {
    tr_skeleton *skeleton = make_twisted(true);
    REQUIRE(skeleton);
    check_round_trips(skeleton, TR_ARM_RIGHT, 0.5, 300, 3);
    tr_skeleton_destroy(skeleton);
}
