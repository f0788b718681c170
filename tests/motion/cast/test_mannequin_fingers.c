#include "../closed_skin.h"
#include "test.h"
#include "troupe/base/scalar.h"
#include "troupe/motion/mannequin.h"
#include "troupe/motion/pose.h"

#include <stdlib.h>

TEST(fingers_with_joints_change_nothing_else) {
    for (uint32_t shape = 0; shape < TR_SHAPES; shape++) {
        tr_mannequin_def def = {.shape = (tr_mannequin_shape)shape, .detail = shape % 2};
        tr_skeleton *skeletons[2] = {NULL, NULL};
        tr_body *bodies[2] = {NULL, NULL};
        for (int k = 0; k < 2; k++) {
            def.fingers = k == 1;
            REQUIRE(tr_mannequin_make(&def, &skeletons[k], &bodies[k], NULL) == TR_OK);
        }
        CHECK_INT(tr_skeleton_joint_count(skeletons[0]), 27);
        CHECK_INT(tr_skeleton_joint_count(skeletons[1]), 67);
        for (uint32_t i = 0; i < 27; i++) {
            tr_joint_def joint = tr_skeleton_joint(skeletons[0], i);
            uint32_t other = tr_skeleton_find(skeletons[1], joint.name);
            REQUIRE(other != TR_NONE);
            CHECK_INT(tr_skeleton_joint(skeletons[1], other).role, joint.role);
            tr_vec3 a = tr_affine_position(&tr_skeleton_rest_model(skeletons[0])[i]),
                    b = tr_affine_position(&tr_skeleton_rest_model(skeletons[1])[other]);
            CHECK(a.x == b.x && a.y == b.y && a.z == b.z);
        }
        const tr_body_def *plain = tr_body_view(bodies[0]), *jointed = tr_body_view(bodies[1]);
        CHECK_INT(jointed->capsule_count, plain->capsule_count);
        for (uint32_t i = 0; i < plain->capsule_count; i++)
            CHECK_TEXT(tr_skeleton_joint(skeletons[1], jointed->capsules[i].joint).name,
                       tr_skeleton_joint(skeletons[0], plain->capsules[i].joint).name);
        CHECK(jointed->triangle_count >= plain->triangle_count);
        check_closed(jointed);
        for (int k = 0; k < 2; k++) {
            tr_body_destroy(bodies[k]);
            tr_skeleton_destroy(skeletons[k]);
        }
    }
}

TEST(fingers_are_numbered_depth_first_below_their_hands_and_mirror_each_other) {
    tr_mannequin_def def = {.fingers = true};
    tr_skeleton *skeleton = NULL;
    REQUIRE(tr_mannequin_make(&def, &skeleton, NULL, NULL) == TR_OK);
    const tr_affine *rest = tr_skeleton_rest_model(skeleton);
    for (int side = 0; side < 2; side++) {
        uint32_t hand = tr_skeleton_with_role(skeleton, side ? TR_ROLE_RIGHT_HAND : TR_ROLE_LEFT_HAND);
        CHECK_INT(tr_skeleton_subtree_end(skeleton, hand) - hand, 22); // itself, its end, five times four
        for (uint32_t i = hand; i < hand + 22; i++) {
            CHECK(tr_skeleton_hangs_on(skeleton, i, hand));
            uint32_t other = tr_skeleton_mirror_of(skeleton, i);
            CHECK(other != i);
            CHECK_NEAR((double)rest[i].m[0][3], -(double)rest[other].m[0][3], 1e-7);
            CHECK_NEAR((double)rest[i].m[1][3], (double)rest[other].m[1][3], 1e-7);
            CHECK_NEAR((double)rest[i].m[2][3], (double)rest[other].m[2][3], 1e-7);
        }
    }
    tr_skeleton_destroy(skeleton);
}

// The middle of the skin that moves with a joint, in a pose.
static tr_vec3 middle_of(const tr_body *body, uint32_t joint, const tr_vec3 *positions) {
    const tr_body_def *view = tr_body_view(body);
    tr_vec3 sum = {0, 0, 0};
    uint32_t count = 0;
    for (uint32_t i = 0; i < view->vertex_count; i++)
        for (int k = 0; k < TR_BODY_INFLUENCES; k++)
            if (view->joints[i][k] == joint && view->weights[i][k] > 0.9f) {
                sum = tr_vec3_add(sum, positions[i]);
                count++;
            }
    CHECK(count > 0);
    return tr_vec3_scale(sum, 1 / (float)(count ? count : 1));
}

TEST(a_fist_brings_the_skin_of_the_finger_tips_to_the_palm_and_keeps_its_volume) {
    tr_mannequin_def def = {.fingers = true};
    tr_skeleton *skeleton = NULL;
    tr_body *body = NULL;
    REQUIRE(tr_mannequin_make(&def, &skeleton, &body, NULL) == TR_OK);
    const tr_body_def *view = tr_body_view(body);
    tr_vec3 *positions = malloc(view->vertex_count * sizeof *positions);
    tr_affine *model = malloc(view->joint_count * sizeof *model);
    tr_pose pose = {0};
    REQUIRE(positions && model && tr_pose_create(NULL, view->joint_count, &pose, NULL) == TR_OK);
    tr_pose_set_rest(&pose, skeleton);
    static const char *const bent[] = {"left_index_1", "left_index_2", "left_index_3",
                                       "left_ring_1",  "left_ring_2",  "left_ring_3"};
    for (int i = 0; i < 6; i++)
        tr_pose_set_rotation(&pose, tr_skeleton_find(skeleton, bent[i]),
                             tr_quat_about(tr_vec3_make(0, 0, -1), 1.3));
    tr_pose_to_model(skeleton, &pose, NULL, model);
    tr_body_skin(body, model, positions, NULL);
    tr_vec3 palm = tr_affine_position(&model[tr_skeleton_with_role(skeleton, TR_ROLE_LEFT_HAND)]);
    palm.y -= 0.07f;
    for (int i = 2; i < 6; i += 3) {
        uint32_t tip = tr_skeleton_find(skeleton, bent[i]);
        tr_vec3 before = middle_of(body, tip, view->positions), after = middle_of(body, tip, positions);
        CHECK(tr_vec3_distance(before, palm) > 0.08f);
        CHECK(tr_vec3_distance(after, palm) < 0.05f);
        CHECK(after.x < palm.x); // on the side of the palm
    }
    double rest = volume_of(view, view->positions), fist = volume_of(view, positions);
    CHECK(fist > 0.99 * rest && fist < 1.01 * rest);
    tr_pose_destroy(&pose);
    free(model);
    free(positions);
    tr_body_destroy(body);
    tr_skeleton_destroy(skeleton);
}
