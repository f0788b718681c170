#include "arm_rig_cases.h"
#include "test.h"
#include "troupe/motion/mannequin.h"

static tr_skeleton *make_mannequin(tr_body **body) {
    tr_mannequin_def def = {.height = 1.75f, .detail = 1};
    tr_skeleton *skeleton = NULL;
    CHECK(tr_mannequin_make(&def, &skeleton, body, NULL) == TR_OK);
    return skeleton;
}

// The capsule of the body that a part stands for, by where it is; UINT32_MAX for none.
static uint32_t capsule_of(const tr_body_def *view, const tr_affine *model, const tr_affine *base,
                           const tr_reach_body *part) {
    for (uint32_t i = 0; i < view->capsule_count; i++) {
        const tr_capsule *capsule = &view->capsules[i];
        if (arm_distance(tr_affine_apply(base, part->a),
                         tr_affine_apply(&model[capsule->joint], capsule->a)) < 1e-5 &&
            arm_distance(tr_affine_apply(base, part->b),
                         tr_affine_apply(&model[capsule->joint], capsule->b)) < 1e-5 &&
            capsule->radius == part->radius)
            return i;
    }
    return UINT32_MAX;
}

// The trunk leans and turns: parts that go with it are where the arm's own formulas take them, the others
// stay.
TEST(parts_of_the_body_go_where_the_help_takes_them) {
    tr_body *skin = NULL;
    tr_skeleton *skeleton = make_mannequin(&skin);
    REQUIRE(skeleton && skin);
    tr_random random = tr_random_seed(21);
    arm_body body;
    arm_body_begin(&body, skeleton);
    const tr_body_def *view = tr_body_view(skin);
    for (int n = 0; n < 400; n++) {
        tr_arm_rig joints;
        tr_arm_side side = n % 2 ? TR_ARM_LEFT : TR_ARM_RIGHT;
        REQUIRE(tr_arm_rig_measure(skeleton, skin, side, &joints, NULL) == TR_OK);
        humanoid_random_pose(&random, skeleton, 0.3, &body.pose);
        body.place = tr_affine_place(tr_vec3_make(1, 0, 2), 0.3 * n);
        tr_pose_to_model(skeleton, &body.pose, &body.place, body.model);
        tr_reach_body parts[TR_REACH_BODIES_MAX];
        uint32_t count = tr_arm_rig_bodies(&joints, skeleton, skin, body.model, parts, TR_REACH_BODIES_MAX);
        CHECK_INT(count, 13); // six of the trunk, four of the legs, three of the other arm
        tr_arm arm;
        tr_posture posture;
        tr_arm_rig_read(&joints, skeleton, &body.pose, body.model, &arm, &posture);
        uint32_t capsules[TR_REACH_BODIES_MAX], on_trunk = 0;
        for (uint32_t i = 0; i < count; i++) {
            capsules[i] = capsule_of(view, body.model, &arm.base, &parts[i]);
            REQUIRE(capsules[i] != UINT32_MAX);
            on_trunk += parts[i].on_trunk;
            CHECK(parts[i].links >= 2 && parts[i].hits_scene == parts[i].on_trunk);
        }
        CHECK_INT(on_trunk, 8);
        posture = arm_random_posture(&random, &arm);
        tr_arm_place put = tr_arm_put(&arm, &posture);
        tr_arm_rig_write(&joints, skeleton, &arm, &posture, 1, &body.pose, &body.place, body.model);
        for (uint32_t i = 0; i < count; i++)
            CHECK_INT(capsule_of(view, body.model, parts[i].on_trunk ? &put.trunk : &arm.base, &parts[i]),
                      capsules[i]);
    }
    tr_pose_destroy(&body.pose);
    tr_body_destroy(skin);
    tr_skeleton_destroy(skeleton);
}

// The nearest of many points on two lines: slow and sure.
static double gap_between(tr_vec3 a, tr_vec3 b, tr_vec3 c, tr_vec3 d) {
    double least = INFINITY;
    for (int i = 0; i <= 40; i++)
        for (int k = 0; k <= 40; k++) {
            tr_vec3 p = tr_vec3_add(a, tr_vec3_scale(tr_vec3_subtract(b, a), (float)i / 40));
            tr_vec3 q = tr_vec3_add(c, tr_vec3_scale(tr_vec3_subtract(d, c), (float)k / 40));
            least = fmin(least, arm_distance(p, q));
        }
    return least;
}

static double clearance_of(const tr_arm *arm, const tr_posture *posture, const tr_reach_body *parts,
                           uint32_t count) {
    tr_vec3 points[4];
    double least = INFINITY;
    tr_arm_points(arm, posture, points);
    for (uint32_t i = 0; i < count; i++)
        for (int link = 0; link < 3; link++) {
            if (!(parts[i].links >> link & 1))
                continue;
            double gap = gap_between(points[link], points[link + 1], tr_affine_apply(&arm->base, parts[i].a),
                                     tr_affine_apply(&arm->base, parts[i].b));
            least = fmin(least, gap - (double)parts[i].radius - (double)arm->radius[link]);
        }
    return least;
}

TEST(an_arm_that_hangs_touches_nothing_and_one_in_the_chest_does) {
    tr_body *skin = NULL;
    tr_skeleton *skeleton = make_mannequin(&skin);
    REQUIRE(skeleton && skin);
    for (int side = 0; side < 2; side++) {
        tr_arm_rig joints;
        REQUIRE(tr_arm_rig_measure(skeleton, skin, (tr_arm_side)side, &joints, NULL) == TR_OK);
        tr_reach_body parts[TR_REACH_BODIES_MAX];
        uint32_t count = tr_arm_rig_bodies(&joints, skeleton, skin, tr_skeleton_rest_model(skeleton), parts,
                                           TR_REACH_BODIES_MAX);
        CHECK(clearance_of(&joints.arm, &joints.rest, parts, count) > 0.001);
        tr_posture ahead = {{0.5f, 0.2f, 0, 1.2f}}, inside = {{0, 0, 1.4f, 1.6f}};
        CHECK(clearance_of(&joints.arm, &ahead, parts, count) > 0.05);
        CHECK(clearance_of(&joints.arm, &inside, parts, count) < -0.05);
    }
    tr_body_destroy(skin);
    tr_skeleton_destroy(skeleton);
}

TEST(a_skeleton_without_capsules_gets_parts_of_human_girth) {
    humanoid_def def = {.size = 1.1f, .arms = HUMANOID_ARMS_DOWN, .odd_axes = true, .up_z = true};
    tr_skeleton *skeleton = humanoid_make(NULL, def, 2);
    REQUIRE(skeleton);
    for (int side = 0; side < 2; side++) {
        tr_arm_rig joints;
        REQUIRE(tr_arm_rig_measure(skeleton, NULL, (tr_arm_side)side, &joints, NULL) == TR_OK);
        tr_reach_body parts[TR_REACH_BODIES_MAX];
        const tr_affine *rest = tr_skeleton_rest_model(skeleton);
        uint32_t count = tr_arm_rig_bodies(&joints, skeleton, NULL, rest, parts, TR_REACH_BODIES_MAX);
        CHECK_INT(count, 10); // hips, belly, chest, head, legs, the other arm
        CHECK_INT(tr_arm_rig_bodies(&joints, skeleton, NULL, rest, parts, 3), 3);
        CHECK_INT(tr_arm_rig_bodies(&joints, skeleton, NULL, rest, parts, 0), 0);
        CHECK(clearance_of(&joints.arm, &joints.rest, parts, count) > 0);
        for (uint32_t i = 0; i < count; i++)
            CHECK(parts[i].radius > 0.03f && parts[i].radius < 0.13f);
    }
    tr_skeleton_destroy(skeleton);
}
