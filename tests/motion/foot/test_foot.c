#include "test.h"
#include "troupe/base/random.h"
#include "motion/foot/foot.h"

#include <math.h>

static tr_joint_def joint(const char *name, uint32_t parent, tr_role role, float x, float y, float z) {
    tr_joint_def def = {.name = name, .parent = parent, .role = role, .rest = tr_transform_identity()};
    def.rest.position = tr_vec3_make(x, y, z);
    return def;
}

// A leg of a body that stands on y = 0, with or without toes; joints may have any axes.
static tr_skeleton *make_leg(bool toes, tr_quat axes) {
    tr_joint_def joints[6] = {joint("hips", TR_NONE, TR_ROLE_HIPS, 0, 1, 0),
                              joint("thigh", 0, TR_ROLE_LEFT_THIGH, 0.1f, 0, 0),
                              joint("shank", 1, TR_ROLE_LEFT_SHANK, 0, -0.45f, 0),
                              joint("foot", 2, TR_ROLE_LEFT_FOOT, 0, -0.46f, 0),
                              joint("toes", 3, TR_ROLE_LEFT_TOES, 0, -0.06f, 0.14f),
                              joint("tip", 4, TR_ROLE_NONE, 0, -0.03f, 0.07f)};
    // The foot's axes are turned; its children are given in these axes.
    joints[3].rest.rotation = axes;
    joints[4].rest.position = tr_quat_rotate(tr_quat_conjugate(axes), joints[4].rest.position);
    joints[4].rest.rotation = tr_quat_conjugate(axes);
    tr_skeleton *skeleton = NULL;
    tr_skeleton_create(&(tr_skeleton_def){.joints = joints, .joint_count = toes ? 6 : 4}, &skeleton, NULL);
    return skeleton;
}

TEST(the_sole_is_level_with_the_lowest_point_of_the_foot_whatever_its_axes) {
    tr_random random = tr_random_seed(1);
    for (int round = 0; round < 100; round++) {
        tr_vec3 axis = {tr_random_unit(&random), 0.3f, -0.5f};
        tr_skeleton *skeleton = make_leg(true, tr_quat_about(axis, tr_random_between(&random, -3, 3)));
        tr_foot foot;
        REQUIRE(skeleton && tr_foot_measure(skeleton, 0, &foot) == TR_OK);
        const tr_affine *rest = tr_skeleton_rest_model(skeleton);
        tr_vec3 heel = tr_foot_heel(&foot, rest), ball = tr_foot_ball(&foot, rest),
                tip = tr_foot_tip(&foot, rest);
        CHECK_NEAR(heel.y, 0, 1e-6);
        CHECK_NEAR(ball.y, 0, 1e-6);
        CHECK_NEAR(tip.y, 0, 1e-6);
        CHECK_NEAR(ball.z, 0.14, 1e-6);
        CHECK_NEAR(tip.z, 0.21, 1e-6);
        CHECK_NEAR(heel.z, -0.056, 1e-6);
        CHECK_NEAR(ball.x, 0.1, 1e-6);
        CHECK_INT(foot.ankle, 3);
        CHECK_INT(foot.toes, 4);
        CHECK_INT(tr_foot_measure(skeleton, 1, &foot), TR_NOT_FOUND);
        tr_skeleton_destroy(skeleton);
    }
}

TEST(a_leg_that_ends_at_the_ankle_gets_a_foot_of_human_size) {
    tr_skeleton *skeleton = make_leg(false, tr_quat_identity());
    tr_foot foot;
    REQUIRE(skeleton && tr_foot_measure(skeleton, 0, &foot) == TR_OK);
    const tr_affine *rest = tr_skeleton_rest_model(skeleton);
    tr_vec3 heel = tr_foot_heel(&foot, rest), tip = tr_foot_tip(&foot, rest);
    CHECK_INT(foot.toes, TR_NONE);
    CHECK(tip.z - heel.z > 0.1f && tip.z - heel.z < 0.4f);
    CHECK_NEAR(tip.y, 0.09, 1e-6);
    tr_skeleton_destroy(skeleton);
}
