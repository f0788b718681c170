// A solid against every triangle asked one by one.
#include "solid_oracle.h"
#include "test.h"

#include <math.h>
#include <string.h>

static tr_scene *new_scene(void) {
    tr_scene *scene = NULL;
    tr_scene_create(NULL, &scene);
    return scene;
}

static tr_solid *new_solid(const tr_scene *scene, uint32_t lanes, float cell, float size) {
    tr_solid_def def = tr_solid_def_default(scene);
    def.lanes = lanes;
    def.clearance_cell = cell;
    def.clearance_box = (tr_box){{-size, -0.9f * size, -size}, {size, size, 0.8f * size}};
    tr_solid *solid = NULL;
    CHECK_INT(tr_solid_create(&def, &solid, NULL), TR_OK);
    return solid;
}

static void check_questions(const tr_solid *solid, const oracle *of, tr_random *random, float size,
                            uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        tr_vec3 a, b;
        random_line(random, of, size, &a, &b);
        float radius = tr_random_below(random, 4) ? size * tr_random_unit(random) * 0.2f : 0;
        float truth = oracle_distance(of, a, b);
        tr_solid_hit hit = {TR_NONE, TR_NONE, a, b};
        float distance = tr_solid_distance(solid, a, b, INFINITY, &hit);
        CHECK(distance == truth);
        if (of->count) {
            REQUIRE(hit.object != TR_NONE);
            float apart = tr_vec3_length(tr_vec3_subtract(hit.on_line, hit.on_triangle));
            CHECK_NEAR(apart, truth, 1e-5 * size + 1e-5 * truth);
        }
        float limit = truth * tr_random_unit(random) * 2;
        float limited = tr_solid_distance(solid, a, b, limit, NULL);
        CHECK(limited == (truth < limit ? truth : limit));
        tr_solid_capsule capsule = {a, b, radius};
        CHECK_INT(tr_solid_touches(solid, &capsule), truth <= radius);
        float enough = size * 0.1f, clearance = tr_solid_clearance(solid, &capsule, enough);
        CHECK_INT(clearance < 0, truth <= radius);
        if (truth > radius) {
            CHECK(clearance <= truth - radius + 1e-6f * truth); // the difference is rounded as well
            CHECK(clearance >= enough || clearance >= 0.5f * (truth - radius));
        }
    }
}

// Without and with a grid of clearances, which not all of the lines are inside of.
static void check_scene(uint64_t seed, uint32_t triangles, float size, uint32_t questions) {
    tr_random random = tr_random_seed(seed);
    tr_scene *scene = new_scene();
    add_random_object(scene, &random, triangles / 2, size, 0);
    add_random_object(scene, &random, triangles - triangles / 2, size, 0);
    oracle of = oracle_make(scene, 0);
    for (int grid = 0; grid < 2; grid++) {
        tr_solid *solid = new_solid(scene, 0, grid ? 0.07f * size : 0, size);
        REQUIRE(solid);
        CHECK_INT(tr_solid_count(solid).triangles, triangles);
        check_questions(solid, &of, &random, size, questions);
        tr_solid_destroy(solid);
    }
    oracle_free(&of);
    tr_scene_destroy(scene);
}

TEST(answers_are_those_of_every_triangle_asked_one_by_one) {
    for (uint64_t seed = 1; seed <= 8; seed++)
        check_scene(seed, 40 + 60 * (uint32_t)seed, 1, 400);
}

TEST(large_and_small_scenes_are_exact_too) {
    check_scene(11, 200, 1e6f, 400);
    check_scene(12, 200, 1e-3f, 400);
    check_scene(13, 200, 100, 400);
}

TEST(few_triangles_make_a_tree_as_well) {
    for (uint32_t count = 1; count <= 20; count++)
        check_scene(20 + count, count, 1, 60);
}

// The exact distance, which the tests above hold to every triangle, against what the grid says.
TEST(the_grid_never_promises_more_than_the_truth) {
    tr_random random = tr_random_seed(51);
    tr_scene *scene = new_scene();
    add_random_object(scene, &random, 300, 1, 0);
    const float cells[3] = {0.03f, 0.08f, 0.25f};
    for (int grid = 0; grid < 3; grid++) {
        tr_solid *solid = new_solid(scene, 0, cells[grid], 1);
        REQUIRE(solid);
        uint32_t near = 0;
        for (int i = 0; i < 8000; i++) {
            tr_vec3 a = random_point(&random, 0.8f), b = tr_vec3_add(a, random_point(&random, 0.2f));
            float radius = 0.06f * tr_random_unit(&random), enough = 0.3f * tr_random_unit(&random) + 0.001f;
            tr_solid_capsule capsule = {a, b, radius};
            float truth = tr_solid_distance(solid, a, b, INFINITY, NULL);
            float clearance = tr_solid_clearance(solid, &capsule, enough);
            CHECK_INT(clearance < 0, truth <= radius);
            if (truth <= radius)
                continue;
            CHECK(clearance <= truth - radius + 1e-6f * truth);
            CHECK(clearance >= enough || clearance >= 0.5f * (truth - radius));
            near += clearance < enough;
        }
        CHECK(near > 1000); // both kinds of answers were among them
        tr_solid_destroy(solid);
    }
    tr_scene_destroy(scene);
}
