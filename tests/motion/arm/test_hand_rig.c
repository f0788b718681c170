#include "test.h"
#include "troupe/base/random.h"
#include "troupe/base/scalar.h"
#include "troupe/motion/hand_rig.h"
#include "troupe/motion/mannequin.h"
#include "troupe/plan/grasp.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct made_hand {
    tr_skeleton *skeleton;
    tr_body *body;
    tr_arm_rig arm;
    tr_hand_rig rig;
    tr_pose pose;
    tr_affine model[96];
} made_hand;

static void make_hand(made_hand *m, tr_mannequin_shape shape, float height, tr_arm_side side) {
    *m = (made_hand){0};
    tr_mannequin_def def = {.shape = shape, .height = height, .fingers = true};
    tr_error error = {0};
    bool good = tr_mannequin_make(&def, &m->skeleton, &m->body, &error) == TR_OK &&
                tr_arm_rig_measure(m->skeleton, m->body, side, &m->arm, &error) == TR_OK &&
                tr_hand_rig_measure(m->skeleton, m->body, &m->arm, &m->rig, &error) == TR_OK &&
                tr_pose_create(NULL, tr_skeleton_joint_count(m->skeleton), &m->pose, &error) == TR_OK;
    CHECK_TEXT(error.message, "");
    REQUIRE(good && tr_skeleton_joint_count(m->skeleton) <= 96);
    tr_pose_set_rest(&m->pose, m->skeleton);
}

static void release_hand(made_hand *m) {
    tr_pose_destroy(&m->pose);
    tr_body_destroy(m->body);
    tr_skeleton_destroy(m->skeleton);
}

// From the axes of the hand to the world, in the present pose.
static tr_affine hand_axes(made_hand *m) {
    tr_pose_to_model(m->skeleton, &m->pose, NULL, m->model);
    const tr_affine *hand = &m->model[m->rig.joint];
    tr_quat turn = tr_quat_multiply(tr_affine_rotation(hand), m->arm.hand_offset);
    tr_transform axes = {tr_affine_position(hand), turn, {1, 1, 1}};
    return tr_affine_from_transform(axes);
}

static tr_hand_posture random_posture(const tr_hand_shape *hand, tr_random *random) {
    tr_hand_posture posture;
    for (uint32_t f = 0; f < TR_FINGERS; f++)
        for (uint32_t b = 0; b < TR_FINGER_BONES; b++)
            posture.bend[f][b] = tr_random_between(random, hand->fingers[f].low[b], hand->fingers[f].high[b]);
    posture.swing = tr_random_between(random, 0, hand->swing_max);
    posture.oppose = tr_random_between(random, 0, hand->oppose_max);
    return posture;
}

TEST(fingers_of_mannequins_are_where_the_model_of_the_hand_puts_them) {
    tr_random random = tr_random_seed(1);
    for (uint32_t round = 0; round < 24; round++) {
        made_hand m;
        float height = 1.0f + 0.05f * (float)round;
        make_hand(&m, (tr_mannequin_shape)(round % TR_SHAPES), height,
                  round % 2 ? TR_ARM_LEFT : TR_ARM_RIGHT);
        for (int k = 0; k < 20; k++) {
            tr_hand_posture posture = random_posture(&m.rig.hand, &random);
            tr_hand_rig_write(&m.rig, m.skeleton, &posture, 1, &m.pose);
            tr_affine axes = hand_axes(&m);
            for (uint32_t f = 0; f < TR_FINGERS; f++) {
                CHECK_INT(m.rig.hand.fingers[f].bones, TR_FINGER_BONES);
                tr_finger_place place = tr_hand_put(&m.rig.hand, &posture, f);
                for (uint32_t b = 0; b <= TR_FINGER_BONES; b++) {
                    uint32_t joint = b < TR_FINGER_BONES ? m.rig.bones[f][b] : m.rig.bones[f][b - 1] + 1;
                    tr_vec3 is = tr_affine_position(&m.model[joint]);
                    CHECK(tr_vec3_distance(is, tr_affine_apply(&axes, place.joints[b])) < 1e-5f);
                }
            }
        }
        release_hand(&m);
    }
}

TEST(no_grip_breaks_a_limit_of_the_joints) {
    for (uint32_t side = 0; side < 2; side++) {
        made_hand m;
        make_hand(&m, TR_SHAPE_ADULT, 1.75f, side ? TR_ARM_LEFT : TR_ARM_RIGHT);
        for (uint32_t g = 0; g < TR_GRIPS; g++)
            for (int open = 0; open <= 10; open++) {
                tr_hand_posture posture = tr_grip_posture(&m.rig.hand, (tr_grip)g, 0.1f * (float)open);
                tr_hand_rig_write(&m.rig, m.skeleton, &posture, 1, &m.pose);
                for (uint32_t f = 0; f < TR_FINGERS; f++)
                    for (uint32_t b = 0; b < TR_FINGER_BONES; b++) {
                        uint32_t joint = m.rig.bones[f][b];
                        float over =
                            tr_skeleton_limit_excess(m.skeleton, joint, tr_pose_rotation(&m.pose, joint));
                        CHECK(over < 0.02f);
                    }
            }
        release_hand(&m);
    }
}

TEST(radii_are_those_of_the_skin) {
    made_hand m;
    make_hand(&m, TR_SHAPE_ADULT, 1.75f, TR_ARM_LEFT);
    tr_hand_shape usual = tr_hand_default(TR_ARM_LEFT, 1.75f);
    for (uint32_t f = 0; f < TR_FINGERS; f++)
        for (uint32_t b = 0; b < TR_FINGER_BONES; b++) {
            float radius = m.rig.hand.fingers[f].radius[b];
            CHECK(radius > 0.5f * usual.fingers[f].radius[b] && radius < 1.8f * usual.fingers[f].radius[b]);
        }
    release_hand(&m);
}

TEST(a_weight_blends_from_the_present_pose_and_none_changes_nothing) {
    made_hand m;
    make_hand(&m, TR_SHAPE_WOMAN, 0, TR_ARM_RIGHT);
    tr_hand_posture fist = tr_grip_posture(&m.rig.hand, TR_GRIP_POWER, 0);
    uint32_t joint = m.rig.bones[TR_INDEX][0];
    tr_quat before = tr_pose_rotation(&m.pose, joint);
    tr_hand_rig_write(&m.rig, m.skeleton, &fist, 0, &m.pose);
    tr_quat after = tr_pose_rotation(&m.pose, joint);
    CHECK(before.x == after.x && before.y == after.y && before.z == after.z && before.w == after.w);
    tr_hand_rig_write(&m.rig, m.skeleton, &fist, 0.5f, &m.pose);
    double half = (double)tr_vec3_length(tr_quat_to_vector(tr_pose_rotation(&m.pose, joint)));
    CHECK_NEAR(half, 0.5 * (double)fist.bend[TR_INDEX][0], 1e-3);
    release_hand(&m);
}

// A skeleton as files of games have it: other names, other axes, a joint inside the palm, no marked tips.
static tr_skeleton *game_skeleton(bool thumb) {
    static const char *const names[] = {"Hips",        "Spine",      "Head",     "LeftUpLeg",    "LeftLeg",
                                        "LeftFoot",    "RightUpLeg", "RightLeg", "RightFoot",    "LeftArm",
                                        "LeftForeArm", "LeftHand",   "RightArm", "RightForeArm", "RightHand"};
    static const uint32_t parents[] = {TR_NONE, 0, 1, 0, 3, 4, 0, 6, 7, 1, 9, 10, 1, 12, 13};
    static const tr_vec3 places[] = {{0, 1, 0},       {0, .2f, 0},    {0, .4f, 0},      {.1f, -.05f, 0},
                                     {0, -.45f, 0},   {0, -.43f, 0},  {-.1f, -.05f, 0}, {0, -.45f, 0},
                                     {0, -.43f, 0},   {.2f, .25f, 0}, {.28f, 0, 0},     {.26f, 0, 0},
                                     {-.2f, .25f, 0}, {-.28f, 0, 0},  {-.26f, 0, 0}};
    tr_joint_def joints[40];
    static char made[25][32];
    uint32_t count = 0, names_made = 0;
    tr_quat turned = tr_quat_about(tr_vec3_make(1, 2, -1), 0.9); // of the axes of the hand
    for (; count < 15; count++)
        joints[count] =
            (tr_joint_def){.name = names[count], .parent = parents[count], .rest = tr_transform_identity()};
    for (uint32_t i = 0; i < 15; i++)
        joints[i].rest.position = places[i];
    joints[11].rest.rotation = turned;
    static const char *const fingers[] = {"Thumb", "Index", "Pinky"};
    static const float side[] = {.03f, .025f, -.03f}; // ahead of the hand: the palm of a T pose faces down
    for (uint32_t f = thumb ? 0 : 1; f < 3; f++)
        for (uint32_t b = 0; b < (f == 1 ? 4u : 3u); b++) {
            snprintf(made[names_made], sizeof *made, "LeftHand%s%u", fingers[f], b + 1);
            tr_vec3 by = {b == 0 ? (f ? .09f : .03f) : .03f, 0, b == 0 ? side[f] : f ? 0 : .015f};
            joints[count] = (tr_joint_def){.name = made[names_made++],
                                           .parent = b == 0 ? 11 : count - 1,
                                           .rest = tr_transform_identity()};
            joints[count++].rest.position = b == 0 ? tr_quat_rotate(tr_quat_conjugate(turned), by)
                                                   : tr_quat_rotate(tr_quat_conjugate(turned), by);
        }
    tr_role_joint places_in_world[40];
    tr_role roles[40];
    tr_skeleton_def def = {.name = "game", .joints = joints, .joint_count = count};
    tr_skeleton *skeleton = NULL;
    if (tr_skeleton_create(&def, &skeleton, NULL) != TR_OK)
        return NULL;
    for (uint32_t i = 0; i < count; i++) {
        tr_role_joint joint = {joints[i].name, joints[i].parent,
                               tr_affine_position(&tr_skeleton_rest_model(skeleton)[i])};
        places_in_world[i] = joint;
    }
    tr_skeleton_destroy(skeleton);
    skeleton = NULL;
    tr_role_guess(places_in_world, count, roles);
    for (uint32_t i = 0; i < count; i++)
        joints[i].role = roles[i];
    return tr_skeleton_create(&def, &skeleton, NULL) == TR_OK ? skeleton : NULL;
}

TEST(fingers_of_another_skeleton_bend_into_its_palm) {
    tr_skeleton *skeleton = game_skeleton(true);
    REQUIRE(skeleton);
    tr_arm_rig arm;
    tr_hand_rig rig;
    tr_error error = {0};
    REQUIRE(tr_arm_rig_measure(skeleton, NULL, TR_ARM_LEFT, &arm, &error) == TR_OK);
    CHECK_INT(tr_hand_rig_measure(skeleton, NULL, &arm, &rig, &error), TR_OK);
    CHECK_TEXT(error.message, "");
    CHECK_INT(rig.hand.fingers[TR_INDEX].bones, 3); // the fourth joint is the tip
    CHECK_INT(rig.hand.fingers[TR_LITTLE].bones, 3);
    CHECK_INT(rig.hand.fingers[TR_MIDDLE].bones, 0);
    tr_pose pose;
    REQUIRE(tr_pose_create(NULL, tr_skeleton_joint_count(skeleton), &pose, NULL) == TR_OK);
    tr_pose_set_rest(&pose, skeleton);
    tr_affine model[40];
    tr_hand_posture posture = {0};
    posture.bend[TR_INDEX][0] = 1.2f;
    tr_hand_rig_write(&rig, skeleton, &posture, 1, &pose);
    tr_pose_to_model(skeleton, &pose, NULL, model);
    uint32_t tip = tr_skeleton_find(skeleton, "LeftHandIndex4"),
             knuckle = tr_skeleton_find(skeleton, "LeftHandIndex1");
    float dropped = tr_affine_position(&model[knuckle]).y - tr_affine_position(&model[tip]).y;
    CHECK_NEAR((double)dropped, 0.09 * sin(1.2), 0.004); // the palm of a T pose faces down
    tr_pose_destroy(&pose);
    tr_skeleton_destroy(skeleton);
}

TEST(a_hand_without_joints_in_its_fingers_is_refused_by_name) {
    tr_skeleton *skeletons[2] = {game_skeleton(false), NULL};
    REQUIRE(tr_mannequin_make(&(tr_mannequin_def){0}, &skeletons[1], NULL, NULL) == TR_OK);
    for (int k = 0; k < 2; k++) {
        REQUIRE(skeletons[k]);
        tr_arm_rig arm;
        tr_hand_rig rig;
        tr_error error;
        REQUIRE(tr_arm_rig_measure(skeletons[k], NULL, TR_ARM_LEFT, &arm, &error) == TR_OK);
        CHECK_INT(tr_hand_rig_measure(skeletons[k], NULL, &arm, &rig, &error), TR_NOT_FOUND);
        CHECK_CONTAINS(error.message, "left thumb");
        tr_skeleton_destroy(skeletons[k]);
    }
}
