#include "motion/cast/random_body.h"
#include "test.h"
#include "troupe/motion/blend.h"

#include <math.h>
#include <string.h>

#define JOINTS 21

static tr_pose make(tr_random *random, bool scaled) {
    tr_pose pose;
    if (tr_pose_create(NULL, JOINTS, &pose, NULL) == TR_OK && random)
        random_pose(random, &pose, scaled);
    return pose;
}

static double dot(tr_quat a, tr_quat b) {
    return (double)a.x * b.x + (double)a.y * b.y + (double)a.z * b.z + (double)a.w * b.w;
}

static void check_near(const tr_pose *a, const tr_pose *b, double tolerance) {
    for (uint32_t i = 0; i < JOINTS; i++) {
        tr_transform s = tr_pose_get(a, i), t = tr_pose_get(b, i);
        CHECK_NEAR(fabs(dot(s.rotation, t.rotation)), 1, tolerance);
        for (int axis = 0; axis < 3; axis++) {
            CHECK_NEAR((&s.position.x)[axis], (&t.position.x)[axis], tolerance);
            CHECK_NEAR((&s.scale.x)[axis], (&t.scale.x)[axis], tolerance);
        }
    }
}

// Joint by joint in double.
static tr_transform plain_mean(const tr_blend_layer *layers, uint32_t count, const tr_pose *rest,
                               uint32_t joint) {
    double sum[10] = {0}, total = 0;
    for (uint32_t i = 0; i < count; i++) {
        double weight = layers[i].weight * (layers[i].mask ? layers[i].mask[joint] : 1);
        tr_transform t = tr_pose_get(layers[i].pose, joint);
        double side = 0;
        for (int k = 0; k < 4; k++)
            side += sum[3 + k] * (&t.rotation.x)[k];
        for (int k = 0; k < 3; k++) {
            sum[k] += (&t.position.x)[k] * weight;
            sum[7 + k] += (&t.scale.x)[k] * weight;
        }
        for (int k = 0; k < 4; k++)
            sum[3 + k] += (&t.rotation.x)[k] * (side < 0 ? -weight : weight);
        total += weight;
    }
    if (total < 1e-4)
        return tr_pose_get(rest, joint);
    tr_transform mean;
    double length = sqrt(sum[3] * sum[3] + sum[4] * sum[4] + sum[5] * sum[5] + sum[6] * sum[6]);
    for (int k = 0; k < 3; k++) {
        (&mean.position.x)[k] = (float)(sum[k] / total);
        (&mean.scale.x)[k] = (float)(sum[7 + k] / total);
    }
    for (int k = 0; k < 4; k++)
        (&mean.rotation.x)[k] = (float)(sum[3 + k] / length);
    return mean;
}

TEST(the_mean_of_any_number_of_layers_is_that_of_each_joint_alone) {
    tr_random random = tr_random_seed(21);
    for (int round = 0; round < 300; round++) {
        bool scaled = round % 2;
        uint32_t count = 1 + tr_random_below(&random, 5);
        tr_pose poses[5], rest = make(&random, scaled), result = make(NULL, false),
                          expected = make(NULL, false);
        tr_blend_layer layers[5];
        float masks[5][24];
        for (uint32_t i = 0; i < count; i++) {
            poses[i] = make(&random, scaled);
            for (uint32_t j = 0; j < 24; j++)
                masks[i][j] = tr_random_below(&random, 3) ? tr_random_unit(&random) : 0;
            layers[i] = (tr_blend_layer){&poses[i], tr_random_unit(&random), round % 3 ? masks[i] : NULL};
        }
        tr_blend(layers, count, &rest, &result);
        for (uint32_t j = 0; j < JOINTS; j++)
            tr_pose_set(&expected, j, plain_mean(layers, count, &rest, j));
        check_near(&result, &expected, 2e-5);
        tr_blend(layers, count, &rest, &poses[0]); // into one of the layers
        check_near(&poses[0], &expected, 2e-5);
        for (uint32_t i = 0; i < count; i++)
            tr_pose_destroy(&poses[i]);
        tr_pose_destroy(&rest);
        tr_pose_destroy(&result);
        tr_pose_destroy(&expected);
    }
}

TEST(a_blend_of_two_is_exact_at_both_ends_and_agrees_with_the_mean_between) {
    tr_random random = tr_random_seed(22);
    for (int round = 0; round < 200; round++) {
        tr_pose a = make(&random, round % 2), b = make(&random, false), result = make(NULL, false);
        tr_pose mean = make(NULL, false);
        float t = tr_random_unit(&random);
        tr_blend_two(&a, &b, 0, &result);
        check_near(&result, &a, 1e-6);
        tr_blend_two(&a, &b, 1, &result);
        check_near(&result, &b, 1e-6);
        tr_blend_two(&a, &b, t, &result);
        tr_blend((tr_blend_layer[2]){{&a, 1 - t, NULL}, {&b, t, NULL}}, 2, &a, &mean);
        check_near(&result, &mean, 2e-5);
        tr_blend_two(&a, &b, t, &b);
        check_near(&b, &result, 1e-6);
        tr_pose_destroy(&a), tr_pose_destroy(&b), tr_pose_destroy(&result), tr_pose_destroy(&mean);
    }
}

TEST(a_difference_put_back_onto_its_reference_gives_the_pose) {
    tr_random random = tr_random_seed(23);
    for (int round = 0; round < 200; round++) {
        tr_pose pose = make(&random, round % 2), reference = make(&random, round % 3 == 0);
        tr_pose difference = make(NULL, false), sum = make(NULL, false);
        tr_blend_difference(&pose, &reference, &difference);
        tr_pose_copy(&sum, &reference);
        tr_blend_add(&sum, &difference, 1, NULL);
        check_near(&sum, &pose, 2e-5);
        tr_pose_copy(&sum, &reference);
        tr_blend_add(&sum, &difference, 0, NULL);
        check_near(&sum, &reference, 1e-6);
        float mask[24] = {0};
        mask[4] = 1;
        tr_blend_add(&sum, &difference, 1, mask);
        tr_transform masked = tr_pose_get(&sum, 4), full = tr_pose_get(&pose, 4), kept = tr_pose_get(&sum, 5);
        CHECK_NEAR(fabs(dot(masked.rotation, full.rotation)), 1, 2e-5);
        CHECK_NEAR(fabs(dot(kept.rotation, tr_pose_get(&reference, 5).rotation)), 1, 1e-6);
        tr_pose_destroy(&pose), tr_pose_destroy(&reference), tr_pose_destroy(&difference),
            tr_pose_destroy(&sum);
    }
}

TEST(half_of_a_difference_goes_half_of_the_shorter_way) {
    tr_pose pose = make(NULL, false), reference = make(NULL, false), difference = make(NULL, false);
    tr_vec3 axis = {0, 1, 0};
    tr_quat turned = tr_quat_about(axis, 1.2f);
    // The same rotation, written with the other sign.
    tr_pose_set_rotation(&pose, 3, (tr_quat){-turned.x, -turned.y, -turned.z, -turned.w});
    tr_blend_difference(&pose, &reference, &difference);
    tr_blend_add(&reference, &difference, 0.5f, NULL);
    CHECK_NEAR(fabs(dot(tr_pose_rotation(&reference, 3), tr_quat_about(axis, 0.6f))), 1, 1e-3);
    tr_pose_destroy(&pose), tr_pose_destroy(&reference), tr_pose_destroy(&difference);
}

TEST(opposite_rotations_without_a_mean_give_the_rest_and_never_a_nan) {
    tr_pose a = make(NULL, false), b = make(NULL, false), rest = make(NULL, false),
            result = make(NULL, false);
    tr_vec3 x = {1, 0, 0}, y = {0, 1, 0};
    tr_pose_set_rotation(&a, 3, tr_quat_about(x, 3.14159274f));
    tr_pose_set_rotation(&b, 3, tr_quat_about(y, 3.14159274f));
    tr_blend_layer layers[2] = {{&a, 0, NULL}, {&b, 0, NULL}};
    tr_blend(layers, 2, &rest, &result);
    check_near(&result, &rest, 1e-6);
    layers[0].weight = layers[1].weight = 1;
    tr_blend(layers, 2, &rest, &result);
    for (int k = 0; k < 4; k++)
        CHECK(isfinite(result.rotation[k][3]));
    CHECK_NEAR(dot(tr_pose_rotation(&result, 3), tr_pose_rotation(&result, 3)), 1, 1e-5);
    tr_pose_destroy(&a), tr_pose_destroy(&b), tr_pose_destroy(&rest), tr_pose_destroy(&result);
}

TEST(a_mask_of_a_subtree_covers_the_joint_and_its_descendants_only) {
    tr_random random = tr_random_seed(24);
    for (int round = 0; round < 200; round++) {
        tr_skeleton *skeleton = random_skeleton(&random, JOINTS, false);
        REQUIRE(skeleton);
        uint32_t top = tr_random_below(&random, JOINTS);
        float mask[24] = {0};
        tr_blend_mask_subtree(skeleton, top, 1, mask);
        const uint32_t *parents = tr_skeleton_parents(skeleton);
        for (uint32_t i = 0; i < JOINTS; i++) {
            bool below = false;
            for (uint32_t above = i; above != TR_NONE; above = parents[above])
                below = below || above == top;
            CHECK_INT(mask[i] == 1, below);
        }
        tr_skeleton_destroy(skeleton);
    }
}
