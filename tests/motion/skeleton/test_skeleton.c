#include "motion/cast/random_body.h"
#include "test.h"
#include "troupe/base/scalar.h"

#include <math.h>
#include <string.h>

static tr_joint_def joint(const char *name, uint32_t parent, float y) {
    tr_joint_def def = {.name = name, .parent = parent, .rest = tr_transform_identity()};
    def.rest.position.y = y;
    return def;
}

static tr_skeleton *make_three(tr_error *error, tr_status *status) {
    tr_joint_def joints[3] = {joint("hips", TR_NONE, 1), joint(NULL, 0, 0.5f), joint("head", 1, 0.25f)};
    joints[0].role = TR_ROLE_HIPS;
    tr_skeleton_def def = {.name = "three", .joints = joints, .joint_count = 3};
    tr_skeleton *skeleton = NULL;
    *status = tr_skeleton_create(&def, &skeleton, error);
    return skeleton;
}

TEST(a_skeleton_keeps_names_parents_roles_and_measures_its_rest_pose) {
    tr_status status;
    tr_skeleton *skeleton = make_three(NULL, &status);
    REQUIRE(skeleton);
    CHECK_TEXT(tr_skeleton_name(skeleton), "three");
    CHECK_INT(tr_skeleton_joint_count(skeleton), 3);
    CHECK_TEXT(tr_skeleton_joint(skeleton, 1).name, "joint1");
    CHECK_INT(tr_skeleton_parents(skeleton)[2], 1);
    CHECK_INT(tr_skeleton_find(skeleton, "head"), 2);
    CHECK_INT(tr_skeleton_find(skeleton, "tail"), TR_NONE);
    CHECK_INT(tr_skeleton_find(skeleton, NULL), TR_NONE);
    CHECK_INT(tr_skeleton_with_role(skeleton, TR_ROLE_HIPS), 0);
    CHECK_INT(tr_skeleton_with_role(skeleton, TR_ROLE_HEAD), TR_NONE);
    CHECK_INT(tr_skeleton_with_role(skeleton, TR_ROLE_NONE), TR_NONE);
    CHECK_NEAR(tr_skeleton_rest_model(skeleton)[2].m[1][3], 1.75, 1e-6);
    CHECK_NEAR(tr_skeleton_height(skeleton), 0.75, 1e-6);
    CHECK(tr_skeleton_joint(skeleton, 3).name == NULL);
    CHECK_INT(tr_skeleton_subtree_end(skeleton, 0), 3);
    CHECK_INT(tr_skeleton_subtree_end(skeleton, 9), 9);
    tr_skeleton_destroy(skeleton);
    tr_skeleton_destroy(NULL);
}

static void check_refused(tr_joint_def broken, const char *part) {
    tr_joint_def joints[2] = {joint("root", TR_NONE, 0), broken};
    tr_skeleton_def def = {.joints = joints, .joint_count = 2};
    tr_skeleton *skeleton = NULL;
    tr_error error = {0};
    CHECK_INT(tr_skeleton_create(&def, &skeleton, &error), TR_INVALID);
    CHECK(skeleton == NULL);
    CHECK_CONTAINS(error.message, part);
}

TEST(a_joint_that_breaks_a_rule_is_named) {
    check_refused(joint("knee", 1, 0), "knee) has the parent 1");
    check_refused(joint("knee", 7, 0), "has the parent 7");
    tr_joint_def broken = joint("knee", 0, NAN);
    check_refused(broken, "knee) is not finite");
    broken = joint("knee", 0, 0);
    broken.rest.scale.y = 0;
    check_refused(broken, "scale of joint 1 (knee) is 0");
    broken = joint("knee", 0, 0);
    broken.role = (tr_role)77;
    check_refused(broken, "role 77");
    broken = joint("knee", 0, 0);
    broken.limit = (tr_joint_limit){.active = true, .twist_axis = 3};
    check_refused(broken, "limit of joint 1 (knee)");
    broken.limit = (tr_joint_limit){.active = true, .low = {1, 0, 0}, .high = {0.5f, 0, 0}};
    check_refused(broken, "low <= high");
    broken.limit = (tr_joint_limit){.active = true, .low = {0, NAN, 0}};
    check_refused(broken, "low <= high");
    tr_skeleton *skeleton;
    tr_error error = {0};
    tr_joint_def one = joint("root", TR_NONE, 0);
    CHECK_INT(tr_skeleton_create(&(tr_skeleton_def){.joints = &one, .joint_count = 0}, &skeleton, &error),
              TR_INVALID);
    tr_skeleton_def many = {.joints = &one, .joint_count = TR_SKELETON_JOINTS_MAX + 1};
    CHECK_INT(tr_skeleton_create(&many, &skeleton, &error), TR_LIMIT);
    CHECK_CONTAINS(error.message, "4097");
}

TEST(every_joint_below_another_lies_before_the_end_of_its_subtree) {
    tr_random random = tr_random_seed(1);
    for (int round = 0; round < 200; round++) {
        uint32_t count = 1 + tr_random_below(&random, 60);
        tr_skeleton *skeleton = random_skeleton(&random, count, false);
        REQUIRE(skeleton);
        const uint32_t *parents = tr_skeleton_parents(skeleton);
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t above = parents[i]; above != TR_NONE; above = parents[above])
                CHECK(i < tr_skeleton_subtree_end(skeleton, above));
        tr_skeleton_destroy(skeleton);
    }
}

TEST(the_other_side_is_found_by_role_or_by_name) {
    static const struct {
        const char *a, *b;
    } pairs[] = {{"LeftFinger", "RightFinger"}, {"thumb.L", "thumb.R"},
                 {"l_wing", "r_wing"},          {"lWing2", "rWing2"},
                 {"tail_left", "tail_right"},   {"mixamorig:LeftEar", "mixamorig:RightEar"}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        tr_joint_def joints[4] = {joint("root", TR_NONE, 0), joint(pairs[i].a, 0, 0), joint("middle", 0, 0),
                                  joint(pairs[i].b, 0, 0)};
        tr_skeleton *skeleton = NULL;
        tr_skeleton_create(&(tr_skeleton_def){.joints = joints, .joint_count = 4}, &skeleton, NULL);
        REQUIRE(skeleton);
        CHECK_INT(tr_skeleton_mirror_of(skeleton, 1), 3);
        CHECK_INT(tr_skeleton_mirror_of(skeleton, 3), 1);
        CHECK_INT(tr_skeleton_mirror_of(skeleton, 2), 2);
        CHECK_INT(tr_skeleton_mirror_of(skeleton, 0), 0);
        CHECK_INT(tr_skeleton_mirror_of(skeleton, 44), 44);
        tr_skeleton_destroy(skeleton);
    }
    tr_joint_def joints[3] = {joint("bone", TR_NONE, 0), joint("a", 0, 0), joint("b", 0, 0)};
    joints[1].role = TR_ROLE_RIGHT_THIGH, joints[2].role = TR_ROLE_LEFT_THIGH;
    tr_skeleton *skeleton = NULL;
    tr_skeleton_create(&(tr_skeleton_def){.joints = joints, .joint_count = 3}, &skeleton, NULL);
    REQUIRE(skeleton);
    CHECK_INT(tr_skeleton_mirror_of(skeleton, 1), 2);
    tr_skeleton_destroy(skeleton);
}

static tr_skeleton *with_limit(tr_quat rest, tr_joint_limit limit) {
    tr_joint_def joints[1] = {joint("joint", TR_NONE, 0)};
    joints[0].rest.rotation = rest;
    joints[0].limit = limit;
    tr_skeleton *skeleton = NULL;
    tr_skeleton_create(&(tr_skeleton_def){.joints = joints, .joint_count = 1}, &skeleton, NULL);
    return skeleton;
}

TEST(a_rotation_is_split_into_its_twist_and_swing) {
    tr_random random = tr_random_seed(2);
    for (int round = 0; round < 3000; round++) {
        uint32_t axis = tr_random_below(&random, 3);
        tr_quat rest = random_turn(&random);
        tr_joint_limit limit = {.active = true, .twist_axis = (uint8_t)axis};
        limit.low = tr_vec3_make(-3.1f, -3.1f, -3.1f), limit.high = tr_vec3_make(3.1f, 3.1f, 3.1f);
        tr_skeleton *skeleton = with_limit(rest, limit);
        REQUIRE(skeleton);
        tr_vec3 wanted = random_vector(&random, 1.4f), swing = wanted, along = {0, 0, 0};
        (&swing.x)[axis] = 0;
        (&along.x)[axis] = 1;
        tr_quat turn = tr_quat_multiply(tr_quat_from_vector(swing), tr_quat_about(along, (&wanted.x)[axis]));
        tr_quat rotation = tr_quat_multiply(rest, turn);
        tr_vec3 found = tr_skeleton_limit_angles(skeleton, 0, rotation);
        CHECK_NEAR(found.x, wanted.x, 2e-5);
        CHECK_NEAR(found.y, wanted.y, 2e-5);
        CHECK_NEAR(found.z, wanted.z, 2e-5);
        tr_skeleton_destroy(skeleton);
    }
}

TEST(a_clamped_rotation_is_inside_its_limit_and_one_inside_stays) {
    tr_random random = tr_random_seed(3);
    for (int round = 0; round < 3000; round++) {
        tr_joint_limit limit = {.active = true, .twist_axis = (uint8_t)tr_random_below(&random, 3)};
        for (int axis = 0; axis < 3; axis++) {
            (&limit.low.x)[axis] = tr_random_between(&random, -1.2f, 0);
            (&limit.high.x)[axis] = tr_random_between(&random, 0, 1.2f);
        }
        tr_skeleton *skeleton = with_limit(random_turn(&random), limit);
        REQUIRE(skeleton);
        tr_quat rotation = random_turn(&random);
        float excess = tr_skeleton_limit_excess(skeleton, 0, rotation);
        tr_quat clamped = tr_skeleton_limit_clamp(skeleton, 0, rotation);
        CHECK(tr_skeleton_limit_excess(skeleton, 0, clamped) < 2e-5f);
        if (excess <= 0)
            CHECK(memcmp(&clamped, &rotation, sizeof clamped) == 0);
        tr_skeleton_destroy(skeleton);
    }
}

// Rotations that are known to be inside without computing their angles, and those near a limit on either
// side.
TEST(the_excess_is_how_far_the_angles_exceed_their_limits) {
    tr_random random = tr_random_seed(4);
    uint32_t wrong = 0, inside = 0;
    for (int round = 0; round < 200; round++) {
        tr_joint_limit limit = {.active = true, .twist_axis = (uint8_t)tr_random_below(&random, 3)};
        for (int axis = 0; axis < 3; axis++) {
            (&limit.low.x)[axis] = tr_random_between(&random, -2.5f, 0);
            (&limit.high.x)[axis] = tr_random_between(&random, 0, 2.5f);
        }
        tr_quat rest = random_turn(&random);
        tr_skeleton *skeleton = with_limit(rest, limit);
        REQUIRE(skeleton);
        for (int i = 0; i < 200; i++) {
            tr_vec3 turn = random_vector(&random, i % 2 ? 1.0f : 0.3f);
            if (i % 8 == 0) // at a limit, but for a little
                turn = tr_vec3_make(limit.high.x + tr_random_between(&random, -3e-4f, 3e-4f), 0, 0);
            tr_quat rotation =
                i % 10 ? tr_quat_multiply(rest, tr_quat_from_vector(turn)) : random_turn(&random);
            tr_vec3 angles = tr_skeleton_limit_angles(skeleton, 0, rotation);
            float worst = 0;
            for (int axis = 0; axis < 3; axis++) {
                float angle = (&angles.x)[axis];
                worst = fmaxf(worst, fmaxf((&limit.low.x)[axis] - angle, angle - (&limit.high.x)[axis]));
            }
            wrong += tr_skeleton_limit_excess(skeleton, 0, rotation) != worst;
            inside += worst == 0;
        }
        tr_skeleton_destroy(skeleton);
    }
    CHECK_INT(wrong, 0);
    CHECK(inside > 5000 && inside < 35000);
}

TEST(the_excess_of_a_knee_that_bends_too_far_is_measured) {
    tr_joint_limit limit = {.active = true, .twist_axis = 1, .low = {0, 0, 0}, .high = {2.4f, 0, 0}};
    tr_skeleton *skeleton = with_limit(tr_quat_identity(), limit);
    REQUIRE(skeleton);
    tr_vec3 x = {1, 0, 0};
    CHECK_NEAR(tr_skeleton_limit_excess(skeleton, 0, tr_quat_about(x, 1)), 0, 1e-6);
    CHECK_NEAR(tr_skeleton_limit_excess(skeleton, 0, tr_quat_about(x, 2.5)), 0.1, 1e-5);
    CHECK_NEAR(tr_skeleton_limit_excess(skeleton, 0, tr_quat_about(x, -0.3)), 0.3, 1e-5);
    CHECK_NEAR(tr_skeleton_limit_excess(skeleton, 5, tr_quat_about(x, -0.3)), 0, 0);
    tr_skeleton_destroy(skeleton);
}

static bool attempt(const tr_allocator *allocator) {
    tr_joint_def joints[2] = {joint("a", TR_NONE, 0), joint("b", 0, 1)};
    tr_skeleton_def def = {.allocator = allocator, .joints = joints, .joint_count = 2};
    tr_skeleton *skeleton = NULL;
    tr_status status = tr_skeleton_create(&def, &skeleton, NULL);
    CHECK(status == TR_OK || status == TR_OUT_OF_MEMORY);
    CHECK((skeleton != NULL) == (status == TR_OK));
    tr_skeleton_destroy(skeleton);
    return status == TR_OK;
}

TEST(without_memory_nothing_is_made_and_nothing_leaks) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(attempt) >= 5);
}
