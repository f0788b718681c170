#include "test.h"
#include "troupe/base/random.h"
#include "troupe/base/scalar.h"
#include "troupe/motion/body.h"
#include "troupe/motion/mannequin.h"

#include <math.h>
#include <string.h>

#define VERTICES 60
#define JOINTS 5

// A body with random vertices on random joints.
typedef struct sample_body {
    tr_vec3 positions[VERTICES], normals[VERTICES];
    uint16_t joints[VERTICES][TR_BODY_INFLUENCES];
    float weights[VERTICES][TR_BODY_INFLUENCES];
    uint32_t indices[30];
    tr_affine inverse_rest[250];
    tr_capsule capsules[2];
    bool ignored[4];
    tr_body_def def;
} sample_body;

static tr_vec3 random_vector(tr_random *random, float size) {
    float x = tr_random_between(random, -size, size), y = tr_random_between(random, -size, size);
    return tr_vec3_make(x, y, tr_random_between(random, -size, size));
}

static tr_affine random_rigid(tr_random *random) {
    tr_transform t = tr_transform_identity();
    t.position = random_vector(random, 2);
    tr_vec3 axis = random_vector(random, 1);
    t.rotation = tr_quat_about(axis, tr_random_between(random, -3, 3));
    return tr_affine_from_transform(t);
}

static void fill_vertex(sample_body *body, tr_random *random, uint32_t i, uint32_t joint_count) {
    body->positions[i] = random_vector(random, 1);
    tr_vec3 normal = random_vector(random, 1);
    body->normals[i] = tr_vec3_scale(normal, 1 / tr_vec3_length(normal));
    float sum = 0;
    uint32_t used = 1 + tr_random_below(random, TR_BODY_INFLUENCES);
    for (uint32_t k = 0; k < used; k++) {
        body->joints[i][k] = (uint16_t)tr_random_below(random, joint_count);
        body->weights[i][k] = tr_random_between(random, 0.1f, 1);
        sum += body->weights[i][k];
    }
    for (uint32_t k = 0; k < used; k++)
        body->weights[i][k] /= sum;
}

static void fill_body(sample_body *body, uint64_t seed, uint32_t joint_count) {
    memset(body, 0, sizeof *body);
    tr_random random = tr_random_seed(seed);
    for (uint32_t i = 0; i < VERTICES; i++)
        fill_vertex(body, &random, i, joint_count);
    for (uint32_t i = 0; i < 30; i++)
        body->indices[i] = tr_random_below(&random, VERTICES);
    for (uint32_t i = 0; i < joint_count; i++)
        body->inverse_rest[i] = random_rigid(&random);
    for (uint32_t i = 0; i < 2; i++)
        body->capsules[i] = (tr_capsule){i, {0, 0, 0}, {0, 1, 0}, 0.1f};
    body->ignored[1] = body->ignored[2] = true;
    body->def = (tr_body_def){.name = "sample",
                              .joint_count = joint_count,
                              .positions = body->positions,
                              .normals = body->normals,
                              .joints = (const uint16_t(*)[TR_BODY_INFLUENCES])body->joints,
                              .weights = (const float(*)[TR_BODY_INFLUENCES])body->weights,
                              .vertex_count = VERTICES,
                              .indices = body->indices,
                              .triangle_count = 10,
                              .inverse_rest = body->inverse_rest,
                              .color = {0.5f, 0.25f, 1},
                              .capsules = body->capsules,
                              .capsule_count = 2,
                              .ignored_pairs = body->ignored};
}

TEST(a_body_keeps_copies_of_everything) {
    sample_body source, same;
    fill_body(&source, 1, JOINTS);
    fill_body(&same, 1, JOINTS);
    tr_body *body = NULL;
    REQUIRE(tr_body_create(&source.def, &body, NULL) == TR_OK);
    memset(&source, 0xff, sizeof source);
    const tr_body_def *view = tr_body_view(body);
    CHECK_TEXT(view->name, "sample");
    CHECK_INT(view->joint_count, JOINTS);
    CHECK_INT(view->vertex_count, VERTICES);
    CHECK_INT(view->triangle_count, 10);
    CHECK_INT(view->capsule_count, 2);
    CHECK(memcmp(view->positions, same.positions, sizeof same.positions) == 0);
    CHECK(memcmp(view->normals, same.normals, sizeof same.normals) == 0);
    CHECK(memcmp(view->joints, same.joints, sizeof same.joints) == 0);
    CHECK(memcmp(view->weights, same.weights, sizeof same.weights) == 0);
    CHECK(memcmp(view->indices, same.indices, sizeof same.indices) == 0);
    CHECK(memcmp(view->inverse_rest, same.inverse_rest, JOINTS * sizeof(tr_affine)) == 0);
    CHECK(memcmp(view->capsules, same.capsules, sizeof same.capsules) == 0);
    CHECK(memcmp(view->ignored_pairs, same.ignored, sizeof same.ignored) == 0);
    CHECK(view->color[0] == 0.5f && view->color[1] == 0.25f && view->color[2] == 1);
    tr_body_destroy(body);
    tr_body_destroy(NULL);
}

TEST(a_body_may_be_bare) {
    tr_body_def def = {.joint_count = 3};
    tr_body *body = NULL;
    REQUIRE(tr_body_create(&def, &body, NULL) == TR_OK);
    CHECK_TEXT(tr_body_view(body)->name, "");
    CHECK(tr_body_view(body)->ignored_pairs == NULL);
    tr_affine model[3];
    tr_body_skin(body, model, NULL, NULL);
    tr_body_destroy(body);
}

// Skinning by the sum over influences of weight times the moved point, in doubles.
static void expected_point(const sample_body *body, const tr_affine *model, uint32_t vertex, double out[3]) {
    out[0] = out[1] = out[2] = 0;
    for (int k = 0; k < TR_BODY_INFLUENCES; k++) {
        uint32_t joint = body->joints[vertex][k];
        const tr_affine *inverse = &body->inverse_rest[joint], *now = &model[joint];
        double p[3] = {body->positions[vertex].x, body->positions[vertex].y, body->positions[vertex].z};
        double local[3];
        for (int row = 0; row < 3; row++)
            local[row] = (double)inverse->m[row][0] * p[0] + (double)inverse->m[row][1] * p[1] +
                         (double)inverse->m[row][2] * p[2] + (double)inverse->m[row][3];
        for (int row = 0; row < 3; row++)
            out[row] += (double)body->weights[vertex][k] *
                        ((double)now->m[row][0] * local[0] + (double)now->m[row][1] * local[1] +
                         (double)now->m[row][2] * local[2] + (double)now->m[row][3]);
    }
}

static void check_skin(uint64_t seed, uint32_t joint_count) {
    static sample_body source;
    static tr_affine model[250];
    fill_body(&source, seed, joint_count);
    tr_random random = tr_random_seed(seed + 1000);
    for (uint32_t i = 0; i < joint_count; i++)
        model[i] = random_rigid(&random);
    tr_body *body = NULL;
    REQUIRE(tr_body_create(&source.def, &body, NULL) == TR_OK);
    tr_vec3 positions[VERTICES], again[VERTICES], normals[VERTICES];
    tr_body_skin(body, model, positions, normals);
    tr_body_skin(body, model, again, NULL);
    CHECK(memcmp(positions, again, sizeof again) == 0);
    for (uint32_t i = 0; i < VERTICES; i++) {
        double expected[3];
        expected_point(&source, model, i, expected);
        CHECK_NEAR((double)positions[i].x, expected[0], 1e-5);
        CHECK_NEAR((double)positions[i].y, expected[1], 1e-5);
        CHECK_NEAR((double)positions[i].z, expected[2], 1e-5);
        CHECK_NEAR((double)tr_vec3_length(normals[i]), 1, 1e-5);
    }
    tr_body_destroy(body);
}

TEST(skinning_is_the_weighted_mean_of_the_joints) {
    for (uint64_t seed = 1; seed <= 20; seed++)
        check_skin(seed, JOINTS);
}

TEST(skinning_is_the_same_for_a_skeleton_too_large_for_the_stack) {
    check_skin(77, 250);
}

TEST(a_body_moved_as_a_whole_moves_rigidly) {
    sample_body source;
    fill_body(&source, 5, JOINTS);
    tr_random random = tr_random_seed(6);
    tr_affine place = random_rigid(&random), model[JOINTS];
    for (uint32_t i = 0; i < JOINTS; i++) {
        tr_affine rest;
        REQUIRE(tr_affine_invert(&source.inverse_rest[i], &rest));
        model[i] = tr_affine_multiply(&place, &rest);
    }
    tr_body *body = NULL;
    REQUIRE(tr_body_create(&source.def, &body, NULL) == TR_OK);
    tr_vec3 positions[VERTICES], normals[VERTICES];
    tr_body_skin(body, model, positions, normals);
    for (uint32_t i = 0; i < VERTICES; i++) {
        tr_vec3 point = tr_affine_apply(&place, source.positions[i]);
        tr_vec3 normal = tr_affine_turn(&place, source.normals[i]);
        CHECK_NEAR((double)tr_vec3_length(tr_vec3_subtract(positions[i], point)), 0, 1e-5);
        CHECK_NEAR((double)tr_vec3_length(tr_vec3_subtract(normals[i], normal)), 0, 1e-5);
    }
    tr_body_destroy(body);
}

static void check_refused(const tr_body_def *def, const char *part) {
    tr_error error = {0};
    tr_body *body = NULL;
    CHECK(tr_body_create(def, &body, &error) == TR_INVALID);
    CHECK(body == NULL);
    CHECK_CONTAINS(error.message, part);
}

TEST(errors_in_a_mesh_are_reported) {
    sample_body source;
    fill_body(&source, 2, JOINTS);
    tr_body_def def = source.def;
    def.joint_count = 0;
    check_refused(&def, "0 joints");
    def = source.def;
    def.weights = NULL;
    check_refused(&def, "needs positions");
    def = source.def;
    def.indices = NULL;
    check_refused(&def, "needs indices");
    def = source.def;
    def.color[1] = NAN;
    check_refused(&def, "colour");
    source.positions[7].y = NAN;
    check_refused(&source.def, "vertex 7");
    fill_body(&source, 2, JOINTS);
    source.weights[9][0] += 0.5f;
    check_refused(&source.def, "weights of vertex 9 sum to 1.5");
    fill_body(&source, 2, JOINTS);
    source.weights[9][0] = NAN;
    check_refused(&source.def, "weight 0 of vertex 9");
    fill_body(&source, 2, JOINTS);
    source.joints[3][0] = JOINTS;
    check_refused(&source.def, "vertex 3 uses joint 5");
    fill_body(&source, 2, JOINTS);
    source.indices[4] = VERTICES;
    check_refused(&source.def, "triangle 1 uses vertex 60");
    fill_body(&source, 2, JOINTS);
    source.inverse_rest[2].m[1][1] = INFINITY;
    check_refused(&source.def, "joint 2");
}

TEST(the_last_triangles_may_have_paint_of_their_own) {
    tr_mannequin_def def = {.height = 1.7f};
    tr_skeleton *skeleton = NULL;
    tr_body *body = NULL, *copy = NULL;
    tr_error error = {0};
    REQUIRE(tr_mannequin_make(&def, &skeleton, &body, NULL) == TR_OK);
    tr_body_def like = *tr_body_view(body);
    like.paint_count = 2;
    like.paints[0] = (tr_body_paint){10, {1, 0, 0}};
    like.paints[1] = (tr_body_paint){20, {0, 0, 1}};
    REQUIRE(tr_body_create(&like, &copy, NULL) == TR_OK);
    CHECK_INT(tr_body_plain_triangles(copy), like.triangle_count - 30);
    tr_body_destroy(copy);
    like.paints[1].triangle_count = like.triangle_count;
    CHECK_INT(tr_body_create(&like, &copy, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "have paint, but it has only");
    like.paints[1] = (tr_body_paint){1, {0, 2, 0}};
    CHECK_INT(tr_body_create(&like, &copy, &error), TR_INVALID);
    like.paint_count = TR_BODY_PAINTS_MAX + 1;
    CHECK_INT(tr_body_create(&like, &copy, &error), TR_LIMIT);
    tr_body_destroy(body);
    tr_skeleton_destroy(skeleton);
}

TEST(errors_in_a_capsule_are_reported) {
    sample_body source;
    fill_body(&source, 3, JOINTS);
    source.def.capsules = NULL;
    check_refused(&source.def, "2 capsules");
    fill_body(&source, 3, JOINTS);
    source.capsules[1].joint = 9;
    check_refused(&source.def, "capsule 1 uses joint 9");
    fill_body(&source, 3, JOINTS);
    source.capsules[1].radius = 0;
    check_refused(&source.def, "radius of capsule 1 is 0");
    source.capsules[1].radius = NAN;
    check_refused(&source.def, "radius of capsule 1");
    fill_body(&source, 3, JOINTS);
    source.capsules[0].b.z = NAN;
    check_refused(&source.def, "capsule 0");
}

static bool make_sample(const tr_allocator *allocator) {
    static sample_body source;
    fill_body(&source, 4, JOINTS);
    source.def.allocator = allocator;
    tr_body *body = NULL;
    tr_status status = tr_body_create(&source.def, &body, NULL);
    tr_body_destroy(body);
    return status == TR_OK;
}

TEST(a_body_without_memory_leaves_nothing_behind) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(make_sample) >= 10);
}
