#include "base/simd_width.h"
#include "motion/cast/random_body.h"
#include "motion/skeleton/pose_loops.h"
#include "test.h"

#include <math.h>
#include <string.h>

// The plain way, one joint after the other in double.
static void plain_model(const tr_skeleton *skeleton, const tr_pose *pose, const tr_affine *place,
                        double (*model)[3][4]) {
    const uint32_t *parents = tr_skeleton_parents(skeleton);
    for (uint32_t i = 0; i < pose->joint_count; i++) {
        tr_affine local = tr_affine_from_transform(tr_pose_get(pose, i));
        double above[3][4];
        for (int row = 0; row < 3; row++)
            for (int column = 0; column < 4; column++)
                above[row][column] = parents[i] == TR_NONE ? place ? place->m[row][column] : row == column
                                                           : model[parents[i]][row][column];
        for (int row = 0; row < 3; row++)
            for (int column = 0; column < 4; column++) {
                double sum = column == 3 ? above[row][3] : 0;
                for (int k = 0; k < 3; k++)
                    sum += above[row][k] * local.m[k][column];
                model[i][row][column] = sum;
            }
    }
}

static double worst_difference(uint32_t count, const tr_affine *model, double (*plain)[3][4]) {
    double worst = 0;
    for (uint32_t i = 0; i < count; i++)
        for (int row = 0; row < 3; row++)
            for (int column = 0; column < 4; column++) {
                double size = fabs(plain[i][row][column]) + 1;
                worst = fmax(worst, fabs(model[i].m[row][column] - plain[i][row][column]) / size);
            }
    return worst;
}

TEST(joints_are_where_a_plain_walk_over_the_tree_puts_them) {
    tr_random random = tr_random_seed(11);
    for (int round = 0; round < 400; round++) {
        bool scaled = round % 2;
        uint32_t count = 1 + tr_random_below(&random, 70);
        tr_skeleton *skeleton = random_skeleton(&random, count, scaled);
        tr_pose pose;
        tr_affine model[70],
            place = tr_affine_place(random_vector(&random, 5), tr_random_between(&random, -3, 3));
        double plain[70][3][4];
        REQUIRE(skeleton && tr_pose_create(NULL, count, &pose, NULL) == TR_OK);
        random_pose(&random, &pose, scaled);
        const tr_affine *where = round % 3 ? &place : NULL;
        tr_pose_to_model(skeleton, &pose, where, model);
        plain_model(skeleton, &pose, where, plain);
        // Scales of up to 2 on each of a dozen joints in a row take digits away.
        CHECK(worst_difference(count, model, plain) < (scaled ? 1e-3 : 3e-5));
        tr_pose_destroy(&pose);
        tr_skeleton_destroy(skeleton);
    }
}

TEST(updating_below_a_joint_gives_the_same_bits_as_a_full_update) {
    tr_random random = tr_random_seed(12);
    for (int round = 0; round < 400; round++) {
        bool scaled = round % 2;
        uint32_t count = 1 + tr_random_below(&random, 70), joint = tr_random_below(&random, count);
        tr_skeleton *skeleton = random_skeleton(&random, count, scaled);
        tr_pose pose;
        tr_affine model[70], anew[70];
        REQUIRE(skeleton && tr_pose_create(NULL, count, &pose, NULL) == TR_OK);
        random_pose(&random, &pose, scaled);
        tr_pose_to_model(skeleton, &pose, NULL, model);
        tr_pose_set_rotation(&pose, joint, random_turn(&random));
        tr_pose_update_model(skeleton, &pose, NULL, joint, model);
        tr_pose_to_model(skeleton, &pose, NULL, anew);
        CHECK(memcmp(model, anew, count * sizeof *model) == 0);
        tr_pose_destroy(&pose);
        tr_skeleton_destroy(skeleton);
    }
}

TEST(joints_read_back_as_they_were_set) {
    tr_random random = tr_random_seed(13);
    tr_pose pose, copy;
    REQUIRE(tr_pose_create(NULL, 7, &pose, NULL) == TR_OK && tr_pose_create(NULL, 7, &copy, NULL) == TR_OK);
    CHECK_INT(pose.stride, 8);
    CHECK(!pose.scaled);
    tr_transform first = random_transform(&random, false), second = random_transform(&random, true);
    tr_pose_set(&pose, 2, first);
    CHECK(!pose.scaled);
    tr_pose_set(&pose, 6, second);
    CHECK(pose.scaled);
    tr_transform got = tr_pose_get(&pose, 2);
    CHECK(memcmp(&got, &first, sizeof got) == 0);
    got = tr_pose_get(&pose, 6);
    CHECK(memcmp(&got, &second, sizeof got) == 0);
    tr_pose_copy(&copy, &pose);
    got = tr_pose_get(&copy, 6);
    CHECK(memcmp(&got, &second, sizeof got) == 0);
    got = tr_pose_get(&copy, 99);
    CHECK_NEAR(got.rotation.w, 1, 0);
    tr_pose_destroy(&pose);
    tr_pose_destroy(&copy);
    tr_pose_destroy(&copy);
    CHECK_INT(tr_pose_create(NULL, 0, &pose, NULL), TR_INVALID);
    CHECK_INT(tr_pose_create(NULL, TR_SKELETON_JOINTS_MAX + 1, &pose, NULL), TR_INVALID);
}

TEST(the_rest_pose_of_a_skeleton_stands_where_the_skeleton_says) {
    tr_random random = tr_random_seed(14);
    tr_skeleton *skeleton = random_skeleton(&random, 40, true);
    tr_pose pose;
    tr_affine model[40];
    REQUIRE(skeleton && tr_pose_create(NULL, 40, &pose, NULL) == TR_OK);
    tr_pose_set_rest(&pose, skeleton);
    tr_pose_to_model(skeleton, &pose, NULL, model);
    const tr_affine *rest = tr_skeleton_rest_model(skeleton);
    for (uint32_t i = 0; i < 40; i++)
        for (int row = 0; row < 3; row++)
            CHECK_NEAR(model[i].m[row][3], rest[i].m[row][3], 1e-3);
    tr_pose_destroy(&pose);
    tr_skeleton_destroy(skeleton);
}

// The mix of two poses and the maps of its joints, all of them and those of one subtree.
static void use_loops(const pose_loops *loops, const tr_skeleton *skeleton, const tr_pose poses[2], float t,
                      uint32_t joint, tr_pose *mixed, tr_affine *model) {
    uint32_t count = mixed->joint_count;
    const tr_affine root = tr_affine_identity();
    loops->mix_rotations((const float *const *)poses[0].rotation, (const float *const *)poses[1].rotation, t,
                         mixed->stride, mixed->rotation);
    for (int axis = 0; axis < 3; axis++)
        loops->mix_values(poses[0].position[axis], poses[1].position[axis], t, mixed->stride,
                          mixed->position[axis]);
    for (int axis = 0; axis < 3; axis++)
        loops->mix_values(poses[0].scale[axis], poses[1].scale[axis], t, mixed->stride, mixed->scale[axis]);
    mixed->scaled = poses[0].scaled;
    loops->update(tr_skeleton_parents(skeleton), mixed, &root, 0, count, model);
    mixed->rotation[0][joint] = mixed->rotation[1][joint];
    loops->update(tr_skeleton_parents(skeleton), mixed, &root, joint,
                  tr_skeleton_subtree_end(skeleton, joint), model);
}

TEST(poses_have_the_same_bits_whatever_the_number_of_lanes) {
    if (simd_widest() < 8) {
        test_skip("this processor has no eight lanes");
        return;
    }
    tr_random random = tr_random_seed(15);
    for (int round = 0; round < 200; round++) {
        uint32_t count = 1 + tr_random_below(&random, 70), joint = tr_random_below(&random, count);
        bool scaled = round % 2;
        float t = tr_random_between(&random, 0, 1);
        tr_skeleton *skeleton = random_skeleton(&random, count, scaled);
        tr_pose poses[2], mixed[2];
        tr_affine models[2][70];
        REQUIRE(skeleton);
        for (int i = 0; i < 2; i++) {
            REQUIRE(tr_pose_create(NULL, count, &poses[i], NULL) == TR_OK);
            REQUIRE(tr_pose_create(NULL, count, &mixed[i], NULL) == TR_OK);
            random_pose(&random, &poses[i], scaled);
        }
        for (int i = 0; i < 2; i++)
            use_loops(tr_pose_loops_of(i ? 8 : 4), skeleton, poses, t, joint, &mixed[i], models[i]);
        CHECK(memcmp(models[0], models[1], count * sizeof **models) == 0);
        for (int part = 0; part < 4; part++)
            CHECK(memcmp(mixed[0].rotation[part], mixed[1].rotation[part], count * sizeof(float)) == 0);
        for (int i = 0; i < 2; i++) {
            tr_pose_destroy(&poses[i]);
            tr_pose_destroy(&mixed[i]);
        }
        tr_skeleton_destroy(skeleton);
    }
}

static bool attempt(const tr_allocator *allocator) {
    tr_pose pose;
    tr_status status = tr_pose_create(allocator, 5, &pose, NULL);
    tr_pose_destroy(&pose);
    return status == TR_OK;
}

TEST(without_memory_there_is_no_pose) {
    CHECK_INT(CHECK_EVERY_ALLOCATION_FAILURE(attempt), 1);
}
