// Capsules fitted to a mesh: for the mannequin they are about those that were drawn by hand.
#include "test.h"
#include "motion/cast/cast.h"
#include "troupe/io/motion_file.h"
#include "troupe/motion/mannequin.h"
#include "troupe/stage/character.h"
#include "troupe/world/distance.h"

#include <math.h>

static void make_bare(float height, tr_skeleton **skeleton, tr_body **body, tr_body **bare) {
    tr_mannequin_def def = {.height = height};
    REQUIRE(tr_mannequin_make(&def, skeleton, body, NULL) == TR_OK);
    tr_body_def without = *tr_body_view(*body);
    without.capsules = NULL;
    without.capsule_count = 0;
    without.ignored_pairs = NULL;
    REQUIRE(tr_body_create(&without, bare, NULL) == TR_OK);
}

static tr_vec3 middle_of(const tr_capsule *capsule) {
    return tr_vec3_scale(tr_vec3_add(capsule->a, capsule->b), 0.5f);
}

TEST(a_mesh_without_capsules_gets_those_of_its_bones) {
    const float heights[] = {1.1f, 1.75f};
    for (int i = 0; i < 2; i++) {
        tr_skeleton *skeleton;
        tr_body *body, *bare;
        make_bare(heights[i], &skeleton, &body, &bare);
        tr_character *character = NULL;
        tr_error error = {0};
        tr_character_def def = {.skeleton = skeleton, .body = bare};
        REQUIRE(tr_character_create(&def, &character, &error) == TR_OK);
        const tr_body_def *drawn = tr_body_view(body), *fitted = tr_body_view(tr_character_body(character));
        CHECK(fitted->capsule_count >= 18 && fitted->vertex_count == drawn->vertex_count);
        uint32_t compared = 0;
        for (uint32_t k = 0; k < drawn->capsule_count; k++)
            for (uint32_t n = 0; n < fitted->capsule_count; n++) {
                const tr_capsule *a = &drawn->capsules[k], *b = &fitted->capsules[n];
                if (a->joint != b->joint)
                    continue;
                compared++;
                CHECK(b->radius > 0.55f * a->radius && b->radius < 1.8f * a->radius);
                CHECK_NEAR(tr_vec3_length(tr_vec3_subtract(middle_of(a), middle_of(b))), 0,
                           0.035 * (double)heights[i]);
            }
        CHECK(compared >= 18);
        // Feet stand on their soles, the disc holds arms that hang, and people are flatter than wide.
        const tr_affine *rest = tr_skeleton_rest_model(skeleton);
        float deepest = 0;
        for (uint32_t n = 0; n < fitted->capsule_count; n++)
            for (int end = 0; end < 2; end++) {
                const tr_capsule *c = &fitted->capsules[n];
                tr_vec3 at = tr_affine_apply(&rest[c->joint], end ? c->b : c->a);
                deepest = fmaxf(deepest, c->radius - at.y);
            }
        CHECK(deepest < 0.002f);
        CHECK(character->radius > 0.12f * heights[i] && character->radius < 0.18f * heights[i]);
        CHECK(character->depth > 0.05f * heights[i] && character->depth < 0.1f * heights[i]);
        tr_character_destroy(character);
        tr_body_destroy(bare);
        tr_body_destroy(body);
        tr_skeleton_destroy(skeleton);
    }
}

// How deep upper arm and forearm are in spine and hips, with the arms held in a way [m].
static float depth_of_arms(const tr_character *character, tr_quat held[2][2]) {
    const tr_body_def *body = tr_body_view(tr_character_body(character));
    uint32_t joints = tr_skeleton_joint_count(character->skeleton);
    tr_pose pose;
    tr_affine model[64];
    float deepest = 0;
    CHECK(joints <= 64);
    CHECK_INT(tr_pose_create(NULL, joints, &pose, NULL), TR_OK);
    tr_clip_sample(character->stand, 0, &pose);
    for (uint32_t i = 0; i < 4; i++)
        tr_pose_set_rotation(&pose, character->arms[i / 2][i % 2], held[i / 2][i % 2]);
    tr_pose_to_model(character->skeleton, &pose, NULL, model);
    for (uint32_t i = 0; i < body->capsule_count; i++)
        for (uint32_t k = 0; k < body->capsule_count; k++) {
            const tr_capsule *arm = &body->capsules[i], *trunk = &body->capsules[k];
            tr_role role = tr_skeleton_joint(character->skeleton, trunk->joint).role;
            bool is_arm = false;
            for (uint32_t n = 0; n < 4; n++)
                is_arm = is_arm || arm->joint == character->arms[n / 2][n % 2];
            if (!is_arm || (role != TR_ROLE_SPINE && role != TR_ROLE_HIPS))
                continue;
            float apart = sqrtf(tr_distance_segments(
                tr_affine_apply(&model[arm->joint], arm->a), tr_affine_apply(&model[arm->joint], arm->b),
                tr_affine_apply(&model[trunk->joint], trunk->a),
                tr_affine_apply(&model[trunk->joint], trunk->b), NULL, NULL));
            deepest = fmaxf(deepest, arm->radius + trunk->radius - apart);
        }
    tr_pose_destroy(&pose);
    return deepest;
}

// Arms that hang straight down would be 44 mm inside the belly of a heavy body.
TEST(arms_that_hang_or_are_held_close_are_beside_the_belly) {
    for (int shape = 0; shape < TR_SHAPES; shape++) {
        tr_character *character = NULL;
        tr_character_def def = {.shape = (tr_mannequin_shape)shape, .detail = 1};
        REQUIRE(tr_character_create(&def, &character, NULL) == TR_OK);
        tr_cast *cast = character;
        CHECK(depth_of_arms(cast, cast->arms_hang) < 5e-3f);
        CHECK(depth_of_arms(cast, cast->arms_close) < 5e-3f);
        tr_character_destroy(character);
    }
}

// Arms, capsules and the disc are measured on a body that stands: its disc is not that of a long step.
TEST(the_disc_of_a_body_is_that_of_its_stand) {
    const float heights[] = {1.1f, 1.75f, 2};
    for (int i = 0; i < 3; i++) {
        tr_character *character = NULL;
        tr_character_def def = {.height = heights[i], .detail = 1};
        REQUIRE(tr_character_create(&def, &character, NULL) == TR_OK);
        CHECK(tr_character_radius(character) > 0.1f * heights[i]);
        CHECK(tr_character_radius(character) < 0.16f * heights[i]);
        tr_character_destroy(character);
    }
}

TEST(capsules_of_your_own_are_kept) {
    tr_skeleton *skeleton;
    tr_body *body, *bare;
    make_bare(1.75f, &skeleton, &body, &bare);
    tr_character *character = NULL;
    tr_character_def def = {.skeleton = skeleton, .body = body};
    REQUIRE(tr_character_create(&def, &character, NULL) == TR_OK);
    CHECK(tr_character_body(character) == body);
    tr_character_destroy(character);
    tr_body_destroy(bare);
    tr_body_destroy(body);
    tr_skeleton_destroy(skeleton);
}

// A sword in the hand, or a cape, is no part of the body that keeps clear.
TEST(what_a_body_carries_does_not_swell_its_capsules) {
    const char *folder = test_data_folder();
    if (!folder) {
        test_skip("the characters are not here");
        return;
    }
    char path[600];
    snprintf(path, sizeof path, "%s/gltf/Knight.glb", folder);
    tr_figures figures = tr_figures_begin(NULL);
    tr_error error = {0};
    REQUIRE(tr_motion_file_read(path, NULL, &figures, &error) == TR_OK);
    tr_character *character = NULL;
    tr_character_def def = {.skeleton = figures.items[0].skeleton, .body = figures.items[0].body};
    REQUIRE(tr_character_create(&def, &character, &error) == TR_OK);
    const tr_body_def *fitted = tr_body_view(tr_character_body(character));
    CHECK(fitted->capsule_count >= 14);
    for (uint32_t i = 0; i < fitted->capsule_count; i++) {
        const tr_capsule *capsule = &fitted->capsules[i];
        tr_role role = tr_skeleton_joint(def.skeleton, capsule->joint).role;
        float length = tr_vec3_length(tr_vec3_subtract(capsule->b, capsule->a)) + 2 * capsule->radius;
        bool is_hand = role == TR_ROLE_LEFT_HAND || role == TR_ROLE_RIGHT_HAND;
        CHECK(length < (is_hand ? 0.5f : 1.6f)); // the sword is 1.8 m long
        CHECK(capsule->radius < (role == TR_ROLE_HEAD ? 0.7f : 0.45f));
    }
    tr_character_destroy(character);
    tr_figures_destroy(&figures);
}
