// The soles of a mesh, and the feet that are measured with them.
#include "motion/foot/foot.h"
#include "test.h"
#include "troupe/motion/mannequin.h"

#include <stdlib.h>
#include <string.h>

typedef struct shod {
    tr_skeleton *skeleton;
    tr_body *body;
} shod;

// The mannequin with soles that are thicker and shoes that are longer, behind and ahead [m].
static void put_on_shoes(float thick, float behind, float ahead, shod *made) {
    tr_skeleton *skeleton = NULL;
    tr_body *body = NULL;
    REQUIRE(tr_mannequin_make(&(tr_mannequin_def){.detail = 1}, &skeleton, &body, NULL) == TR_OK);
    tr_body_def def = *tr_body_view(body);
    tr_vec3 *positions = malloc(def.vertex_count * sizeof *positions);
    REQUIRE(positions);
    for (uint32_t i = 0; i < def.vertex_count; i++) {
        const char *name = tr_skeleton_joint(skeleton, def.joints[i][0]).name;
        positions[i] = def.positions[i];
        bool low = positions[i].y < 0.04f;
        positions[i].y -= low ? thick : 0;
        positions[i].z -= strstr(name, "foot") && positions[i].z < 0 ? behind : 0;
        positions[i].z += strstr(name, "toes") ? ahead : 0;
    }
    def.positions = positions;
    REQUIRE(tr_body_create(&def, &made->body, NULL) == TR_OK);
    tr_joint_def joints[64];
    tr_skeleton_def again = {.joints = joints, .joint_count = tr_skeleton_joint_count(skeleton)};
    REQUIRE(again.joint_count <= 64);
    for (uint32_t i = 0; i < again.joint_count; i++)
        joints[i] = tr_skeleton_joint(skeleton, i);
    tr_body_soles(made->body, skeleton, again.soles);
    REQUIRE(tr_skeleton_create(&again, &made->skeleton, NULL) == TR_OK);
    free(positions);
    tr_body_destroy(body);
    tr_skeleton_destroy(skeleton);
}

TEST(soles_are_those_of_the_shoes) {
    tr_foot plain[2], foot;
    static const float cases[][3] = {{0, 0, 0}, {0.03f, 0, 0}, {0, 0.05f, 0.1f}, {0.02f, 0.02f, 0.04f}};
    tr_vec3 heel[2] = {{0, 0, 0}}, tip[2] = {{0, 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        shod it;
        put_on_shoes(cases[i][0], cases[i][1], cases[i][2], &it);
        const tr_affine *rest = tr_skeleton_rest_model(it.skeleton);
        for (uint32_t side = 0; side < 2; side++) {
            CHECK(tr_skeleton_sole(it.skeleton, side).known);
            REQUIRE(tr_foot_measure(it.skeleton, side, &foot) == TR_OK);
            tr_vec3 now[2] = {tr_foot_heel(&foot, rest), tr_foot_tip(&foot, rest)};
            if (i == 0)
                plain[side] = foot, heel[side] = now[0], tip[side] = now[1];
            CHECK_NEAR(now[0].y, heel[side].y - cases[i][0], 1e-5);
            CHECK_NEAR(now[1].y, now[0].y, 1e-6);
            CHECK_NEAR(now[0].z, heel[side].z - cases[i][1], 2e-3); // feet point outwards a little
            CHECK_NEAR(now[1].z, tip[side].z + cases[i][2], 3e-3);
            CHECK_INT(foot.ankle, plain[side].ankle);
        }
        tr_skeleton_destroy(it.skeleton);
        tr_body_destroy(it.body);
    }
}

TEST(a_body_without_feet_or_mesh_has_no_soles) {
    tr_skeleton *skeleton = NULL;
    tr_body *body = NULL, *bare = NULL;
    tr_sole soles[2] = {{true, {0, 0, 0}, {0, 0, 0}}, {true, {0, 0, 0}, {0, 0, 0}}};
    REQUIRE(tr_mannequin_make(&(tr_mannequin_def){.detail = 1}, &skeleton, &body, NULL) == TR_OK);
    tr_body_def def = {.joint_count = tr_skeleton_joint_count(skeleton),
                       .inverse_rest = tr_body_view(body)->inverse_rest};
    REQUIRE(tr_body_create(&def, &bare, NULL) == TR_OK);
    tr_body_soles(bare, skeleton, soles);
    CHECK(!soles[0].known && !soles[1].known);
    tr_joint_def joint = {.name = "box", .parent = TR_NONE, .rest = tr_transform_identity()};
    tr_skeleton *box = NULL;
    REQUIRE(tr_skeleton_create(&(tr_skeleton_def){.joints = &joint, .joint_count = 1}, &box, NULL) == TR_OK);
    soles[0].known = soles[1].known = true;
    tr_body_soles(body, box, soles);
    CHECK(!soles[0].known && !soles[1].known);
    tr_skeleton *bad = NULL;
    tr_error error = {0};
    tr_skeleton_def nowhere = {.joints = &joint, .joint_count = 1, .soles = {{true, {0, 0, 0}, {NAN, 0, 0}}}};
    CHECK_INT(tr_skeleton_create(&nowhere, &bad, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "sole of the left foot");
    tr_skeleton_destroy(box);
    tr_body_destroy(bare);
    tr_body_destroy(body);
    tr_skeleton_destroy(skeleton);
}
