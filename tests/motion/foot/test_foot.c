#include "test.h"
#include "troupe/base/random.h"
#include "troupe/base/scalar.h"
#include "motion/foot/foot.h"
#include "troupe/motion/mannequin.h"

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

// The mannequin in a crouch, both feet where they would stand, one of them turned about a point of its sole.
static tr_affine crouch(const tr_legs *legs, const tr_skeleton *skeleton, tr_vec3 hips, bool on_toes,
                        float roll, tr_pose *pose, tr_affine *model) {
    tr_affine place = tr_affine_place(tr_vec3_make(2 + hips.x, 0, hips.z), 0.3 + 0.2 * (double)roll);
    tr_pose_set_rest(pose, skeleton);
    pose->position[1][legs->hips] -= 0.05f + hips.y;
    tr_pose_to_model(skeleton, pose, &place, model);
    for (uint32_t side = 0; side < 2; side++) {
        const tr_foot *foot = &legs->feet[side];
        tr_quat flat = tr_quat_multiply(tr_quat_about(tr_vec3_make(0, 1, 0), 0.3f), legs->sole[side]);
        tr_quat turn = tr_quat_about(tr_vec3_make(1, 0, 0), side ? roll : 0);
        tr_quat rotation = tr_quat_multiply(turn, flat);
        tr_vec3 point = on_toes ? foot->ball : foot->heel, at = {side ? 1.9f : 2.1f, 0, 0.05f};
        tr_limb_goal goal = {tr_vec3_subtract(at, tr_quat_rotate(rotation, point)), &rotation, 1, 0};
        CHECK(tr_limb_reach(&legs->limbs[side], skeleton, &goal, pose, &place, model) == 0);
    }
    return place;
}

// A rolling foot turns about the point that stands; the other foot does not move at all.
TEST(between_two_moments_feet_that_stand_stay_while_the_body_goes_on) {
    tr_random random = tr_random_seed(7);
    for (int round = 0; round < 200; round++) {
        tr_mannequin_def def = {.height = tr_random_between(&random, 1.1f, 2.0f)};
        tr_skeleton *skeleton = NULL;
        tr_legs legs;
        REQUIRE(tr_mannequin_make(&def, &skeleton, NULL, NULL) == TR_OK);
        REQUIRE(tr_legs_measure(skeleton, &legs, NULL) == TR_OK);
        uint32_t joints = tr_skeleton_joint_count(skeleton);
        tr_pose a, b, pose;
        tr_affine model[128], mixed[128];
        REQUIRE(joints <= 128 && tr_pose_create(NULL, joints, &a, NULL) == TR_OK);
        REQUIRE(tr_pose_create(NULL, joints, &b, NULL) == TR_OK);
        REQUIRE(tr_pose_create(NULL, joints, &pose, NULL) == TR_OK);
        bool on_toes = round % 2;
        float roll = tr_random_between(&random, 0.05f, 0.3f);
        tr_vec3 ahead = {tr_random_between(&random, -0.02f, 0.02f), 0.02f, 0.05f};
        tr_legs_moment from = {&a, crouch(&legs, skeleton, tr_vec3_make(0, 0, 0), on_toes, 0, &a, model)};
        tr_legs_moment to = {&b, crouch(&legs, skeleton, ahead, on_toes, on_toes ? roll : -roll, &b, model)};
        for (uint32_t part = 0; part <= 8; part++) {
            tr_legs_between(&legs, skeleton, &from, &to, (float)part / 8, &pose, mixed);
            tr_vec3 heel = tr_foot_heel(&legs.feet[0], mixed), ball = tr_foot_ball(&legs.feet[0], mixed);
            tr_vec3 still = on_toes ? tr_foot_ball(&legs.feet[1], mixed) : tr_foot_heel(&legs.feet[1], mixed);
            CHECK_NEAR(heel.y, 0, 1e-5);
            CHECK_NEAR(ball.y, 0, 1e-5);
            CHECK_NEAR(on_toes ? ball.x : heel.x, 2.1, 1e-5);
            CHECK_NEAR(still.x, 1.9, 1e-5);
            CHECK_NEAR(still.y, 0, 1e-5);
            CHECK_NEAR(still.z, 0.05, 1e-5);
            // The heel of the foot that rolls rises steadily, as does the ball the other way.
            tr_vec3 other = on_toes ? tr_foot_heel(&legs.feet[1], mixed) : tr_foot_ball(&legs.feet[1], mixed);
            tr_vec3 end = on_toes ? tr_foot_heel(&legs.feet[1], model) : tr_foot_ball(&legs.feet[1], model);
            CHECK_NEAR(other.y, end.y * (float)part / 8, 2e-3);
        }
        CHECK_NEAR(mixed[legs.hips].m[2][3], model[legs.hips].m[2][3], 1e-6);
        tr_pose_destroy(&a);
        tr_pose_destroy(&b);
        tr_pose_destroy(&pose);
        tr_skeleton_destroy(skeleton);
    }
}

// Hips that go up and down, sideways, ahead and back, at moments a thirtieth of a second apart.
static tr_vec3 hips_at(int moment) {
    double a, b, unused;
    tr_sin_cos(0.9 * moment, &a, &unused);
    tr_sin_cos(0.45 * moment, &b, &unused);
    return tr_vec3_make(0.02f * (float)b, 0.01f * (float)a, 0.04f * (float)b);
}

static tr_vec3 bend_of(const tr_vec3 *three) {
    return tr_vec3_add(tr_vec3_subtract(three[2], tr_vec3_scale(three[1], 2)), three[0]);
}

TEST(along_a_row_of_moments_the_body_accelerates_no_harder_than_they_do) {
    enum { MOMENTS = 30, PARTS = 4 };
    tr_mannequin_def def = {.height = 1.75f};
    tr_skeleton *skeleton = NULL;
    tr_legs legs;
    REQUIRE(tr_mannequin_make(&def, &skeleton, NULL, NULL) == TR_OK);
    REQUIRE(tr_legs_measure(skeleton, &legs, NULL) == TR_OK);
    uint32_t joints = tr_skeleton_joint_count(skeleton);
    tr_pose poses[MOMENTS], pose, spare;
    tr_affine model[128];
    REQUIRE(joints <= 128 && tr_pose_create(NULL, joints, &pose, NULL) == TR_OK);
    REQUIRE(tr_pose_create(NULL, joints, &spare, NULL) == TR_OK);
    tr_vec3 moments[MOMENTS], shown[MOMENTS * PARTS];
    float hard = 0, harder = 0, off = 0;
    for (int i = 0; i < MOMENTS; i++) {
        REQUIRE(tr_pose_create(NULL, joints, &poses[i], NULL) == TR_OK);
        tr_affine place = crouch(&legs, skeleton, hips_at(i), false, 0, &poses[i], model);
        uint32_t hips = legs.hips; // it is the root
        tr_transform root = tr_pose_get(&poses[i], hips);
        root.position = tr_affine_apply(&place, root.position);
        tr_pose_set(&poses[i], hips, root);
        moments[i] = root.position;
        hard = i > 1 ? fmaxf(hard, tr_vec3_length(bend_of(&moments[i - 2]))) : hard;
    }
    int count = 0;
    for (int i = 0; i + 1 < MOMENTS; i++)
        for (int part = 0; part < PARTS; part++) {
            int row[4] = {i ? i - 1 : 0, i, i + 1, i + 2 < MOMENTS ? i + 2 : i + 1};
            const tr_pose *of[4] = {&poses[row[0]], &poses[row[1]], &poses[row[2]], &poses[row[3]]};
            tr_legs_along(&legs, skeleton, of, (float)part / PARTS, &pose, &spare, model);
            shown[count++] = tr_affine_position(&model[legs.hips]);
            if (count > 2)
                harder = fmaxf(harder, PARTS * PARTS * tr_vec3_length(bend_of(&shown[count - 3])));
            off =
                part == 0 ? fmaxf(off, tr_vec3_length(tr_vec3_subtract(shown[count - 1], moments[i]))) : off;
            tr_vec3 heel = tr_foot_heel(&legs.feet[0], model);
            CHECK_NEAR(heel.y, 0, 1e-5);
        }
    CHECK(hard > 0.01f);
    CHECK(harder < 1.01f * hard);
    CHECK(off < 0.126f * hard);
    for (int i = 0; i < MOMENTS; i++)
        tr_pose_destroy(&poses[i]);
    tr_pose_destroy(&pose);
    tr_pose_destroy(&spare);
    tr_skeleton_destroy(skeleton);
}
