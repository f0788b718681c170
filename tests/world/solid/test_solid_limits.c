// Solids at the edge of what is allowed, out of memory, on several threads and with either width of SIMD.
#include "solid_oracle.h"
#include "test.h"
#include "troupe/base/hash.h"
#include "troupe/base/tasks.h"

#include <math.h>
#include <string.h>

static tr_scene *cluttered(uint64_t seed) {
    tr_scene *scene = NULL;
    tr_random random = tr_random_seed(seed);
    tr_scene_create(NULL, &scene);
    for (int i = 0; i < 4; i++)
        add_random_object(scene, &random, 60, 1, 0);
    return scene;
}

static tr_solid_def def_with_grid(const tr_scene *scene) {
    tr_solid_def def = tr_solid_def_default(scene);
    def.clearance_cell = 0.06f;
    def.clearance_box = (tr_box){{-1, -1, -1}, {1, 1, 1}};
    return def;
}

TEST(an_empty_scene_is_never_touched) {
    tr_scene *scene = NULL;
    tr_scene_create(NULL, &scene);
    for (int grid = 0; grid < 2; grid++) {
        tr_solid_def def = grid ? def_with_grid(scene) : tr_solid_def_default(scene);
        tr_solid *solid = NULL;
        REQUIRE(tr_solid_create(&def, &solid, NULL) == TR_OK);
        tr_solid_capsule capsule = {{0, 0, 0}, {0.3f, 0, 0}, 0.1f};
        tr_solid_hit hit = {7, 8, {0, 0, 0}, {0, 0, 0}};
        CHECK(tr_solid_distance(solid, capsule.a, capsule.b, 2.5f, &hit) == 2.5f);
        CHECK(tr_solid_distance(solid, capsule.a, capsule.b, INFINITY, NULL) == INFINITY);
        CHECK_INT(hit.object, 7);
        CHECK_INT(hit.triangle, 8);
        CHECK(!tr_solid_touches(solid, &capsule));
        CHECK(tr_solid_clearance(solid, &capsule, 0.5f) >= 0.5f);
        CHECK(tr_box_is_empty(tr_solid_count(solid).bounds));
        CHECK_INT(tr_solid_update(solid, NULL, NULL), TR_OK);
        tr_solid_destroy(solid);
    }
    tr_scene_destroy(scene);
    tr_solid_destroy(NULL);
}

TEST(what_is_not_finite_touches_and_has_no_distance) {
    tr_scene *scene = cluttered(1);
    for (int grid = 0; grid < 2; grid++) {
        tr_solid_def def = grid ? def_with_grid(scene) : tr_solid_def_default(scene);
        tr_solid *solid = NULL;
        REQUIRE(tr_solid_create(&def, &solid, NULL) == TR_OK);
        const float bad[3] = {NAN, INFINITY, -INFINITY};
        for (int i = 0; i < 21; i++) {
            tr_solid_capsule capsule = {{9, 9, 9}, {9.3f, 9, 9}, 0.1f};
            memcpy((char *)&capsule + (size_t)(i / 3) * sizeof(float), &bad[i % 3], sizeof(float));
            CHECK(tr_solid_touches(solid, &capsule));
            CHECK(tr_solid_clearance(solid, &capsule, 0.1f) < 0);
            if (i < 18)
                CHECK(isnan(tr_solid_distance(solid, capsule.a, capsule.b, 1, NULL)));
        }
        CHECK(isnan(tr_solid_distance(solid, tr_vec3_make(0, 0, 0), tr_vec3_make(1, 0, 0), NAN, NULL)));
        tr_solid_destroy(solid);
    }
    tr_scene_destroy(scene);
}

TEST(far_outside_the_world_there_is_nowhere_to_be) {
    tr_scene *scene = cluttered(2);
    tr_solid_def def = def_with_grid(scene);
    tr_solid *solid = NULL;
    REQUIRE(tr_solid_create(&def, &solid, NULL) == TR_OK);
    tr_solid_capsule capsule = {{9.9e7f, 0, 0}, {-9e7f, 1, 0}, 0.1f};
    CHECK_NEAR(tr_solid_distance(solid, capsule.a, capsule.a, INFINITY, NULL), 9.9e7, 10);
    CHECK(isfinite(tr_solid_distance(solid, capsule.a, capsule.b, INFINITY, NULL)));
    const float far[4] = {1.1e8f, 1e15f, 1e25f, -3e38f};
    for (int i = 0; i < 4; i++) {
        capsule = (tr_solid_capsule){{0, 3, 0}, {far[i], 3, 0}, 0.1f};
        CHECK(tr_solid_touches(solid, &capsule));
        CHECK(tr_solid_clearance(solid, &capsule, 0.1f) < 0);
        CHECK(isnan(tr_solid_distance(solid, capsule.a, capsule.b, 10, NULL)));
    }
    tr_solid_destroy(solid);
    tr_scene_destroy(scene);
}

TEST(a_bad_definition_is_refused_with_the_value) {
    tr_scene *scene = cluttered(3);
    tr_solid *solid = NULL;
    tr_error error;
    tr_solid_def def = def_with_grid(scene);
    def.lanes = 5;
    CHECK_INT(tr_solid_create(&def, &solid, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "5");
    def = def_with_grid(scene);
    def.clearance_cell = NAN;
    CHECK_INT(tr_solid_create(&def, &solid, &error), TR_INVALID);
    def.clearance_cell = -1;
    CHECK_INT(tr_solid_create(&def, &solid, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "-1");
    def.clearance_cell = 1e-4f;
    CHECK_INT(tr_solid_create(&def, &solid, &error), TR_LIMIT);
    CHECK_CONTAINS(error.message, "67108864");
    def.clearance_cell = 1e-30f;
    CHECK_INT(tr_solid_create(&def, &solid, &error), TR_LIMIT);
    def.clearance_cell = 0.1f;
    def.clearance_box = tr_box_empty();
    CHECK_INT(tr_solid_create(&def, &solid, &error), TR_INVALID);
    def.clearance_box.min.x = NAN;
    CHECK_INT(tr_solid_create(&def, &solid, &error), TR_INVALID);
    def = tr_solid_def_default(NULL);
    CHECK_INT(tr_solid_create(&def, &solid, &error), TR_INVALID);
    CHECK(!solid);
    tr_scene_destroy(scene);
}

TEST(a_grid_may_be_flat_or_a_point) {
    tr_scene *scene = cluttered(4);
    tr_solid_def def = def_with_grid(scene);
    def.clearance_box = (tr_box){{-1, 0.5f, -1}, {1, 0.5f, 1}};
    tr_solid *solid = NULL;
    REQUIRE(tr_solid_create(&def, &solid, NULL) == TR_OK);
    oracle of = oracle_make(scene, 0);
    tr_random random = tr_random_seed(5);
    for (int i = 0; i < 300; i++) {
        tr_vec3 a = random_point(&random, 1), b = random_point(&random, 1);
        a.y = b.y = 0.5f;
        tr_solid_capsule capsule = {a, b, 0.02f};
        float truth = oracle_distance(&of, a, b), clearance = tr_solid_clearance(solid, &capsule, 0.2f);
        CHECK_INT(clearance < 0, truth <= 0.02f);
        CHECK(clearance <= truth - 0.02f + 1e-6f || truth <= 0.02f);
    }
    tr_solid_destroy(solid);
    def.clearance_box.min = def.clearance_box.max;
    CHECK_INT(tr_solid_create(&def, &solid, NULL), TR_OK);
    tr_solid_destroy(solid);
    oracle_free(&of);
    tr_scene_destroy(scene);
}

static bool create_and_move(const tr_allocator *allocator) {
    tr_scene *scene = cluttered(6);
    tr_solid_def def = def_with_grid(scene);
    def.allocator = allocator;
    def.clearance_cell = 0.5f;
    tr_solid *solid = NULL;
    tr_error error;
    bool done = tr_solid_create(&def, &solid, &error) == TR_OK;
    if (done) {
        tr_affine placement = tr_affine_place(tr_vec3_make(1, 0, 0), 1);
        tr_scene_place(scene, 2, &placement);
        done = tr_solid_update(solid, NULL, &error) == TR_OK;
        oracle of = oracle_make(scene, 0);
        tr_vec3 a = {0.2f, 0.1f, 0}, b = {0.9f, 0.2f, 0.3f};
        if (done)
            CHECK(tr_solid_distance(solid, a, b, INFINITY, NULL) == oracle_distance(&of, a, b));
        oracle_free(&of);
    }
    if (!done)
        CHECK_INT(error.status, TR_OUT_OF_MEMORY);
    tr_solid_destroy(solid);
    tr_scene_destroy(scene);
    return done;
}

TEST(running_out_of_memory_is_a_status) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(create_and_move) > 8);
}

// Everything that can be asked, in one number.
static uint64_t hash_answers(const tr_solid *solid, uint64_t seed) {
    tr_random random = tr_random_seed(seed);
    uint64_t hash = TR_HASH_START;
    for (int i = 0; i < 2000; i++) {
        tr_solid_capsule capsule;
        capsule.a = random_point(&random, 1.1f);
        capsule.b = tr_vec3_add(capsule.a, random_point(&random, 0.3f));
        capsule.radius = 0.1f * tr_random_unit(&random);
        tr_solid_hit hit = {0};
        float answers[3] = {tr_solid_distance(solid, capsule.a, capsule.b, 0.5f, &hit),
                            tr_solid_clearance(solid, &capsule, 0.05f),
                            tr_solid_touches(solid, &capsule) ? 1.0f : 0.0f};
        hash = tr_hash(hash, answers, sizeof answers);
        hash = tr_hash(hash, &hit, sizeof hit);
    }
    return hash;
}

TEST(four_and_eight_lanes_give_the_same_bits) {
    tr_scene *scene = cluttered(7);
    uint64_t hashes[2] = {0, 0};
    for (uint32_t i = 0; i < 2; i++) {
        tr_solid_def def = def_with_grid(scene);
        def.lanes = 4 + 4 * i;
        tr_solid *solid = NULL;
        if (tr_solid_create(&def, &solid, NULL) == TR_UNAVAILABLE) {
            test_skip("this processor has no eight lanes");
            break;
        }
        hashes[i] = hash_answers(solid, 8);
        tr_solid_destroy(solid);
    }
    if (hashes[1])
        CHECK_HASH(hashes[1], hashes[0]);
    tr_scene_destroy(scene);
}

typedef struct shared {
    const tr_solid *solid;
    uint64_t hashes[16];
} shared;

static void ask(void *user, uint32_t part, uint32_t member) {
    shared *s = user;
    (void)member;
    s->hashes[part] = hash_answers(s->solid, 9);
}

TEST(threads_build_and_ask_with_the_same_answers) {
    tr_scene *scene = cluttered(10);
    tr_tasks *team = NULL;
    REQUIRE(tr_tasks_create(NULL, 4, &team, NULL) == TR_OK);
    tr_solid_def def = def_with_grid(scene);
    tr_solid *alone = NULL;
    REQUIRE(tr_solid_create(&def, &alone, NULL) == TR_OK);
    def.tasks = team;
    shared s = {NULL, {0}};
    tr_solid *solid = NULL;
    REQUIRE(tr_solid_create(&def, &solid, NULL) == TR_OK);
    s.solid = solid;
    uint64_t expected = hash_answers(alone, 9);
    tr_tasks_run(team, 8, ask, &s);
    for (int i = 0; i < 8; i++)
        CHECK_HASH(s.hashes[i], expected);
    tr_solid_destroy(solid);
    tr_solid_destroy(alone);
    tr_tasks_destroy(team);
    tr_scene_destroy(scene);
}

TEST(many_answers_are_those_of_one_at_a_time) {
    tr_scene *scene = cluttered(11);
    tr_solid_def def = def_with_grid(scene);
    tr_solid *solid = NULL;
    REQUIRE(tr_solid_create(&def, &solid, NULL) == TR_OK);
    tr_random random = tr_random_seed(12);
    tr_solid_capsule capsules[50];
    float clearances[50];
    for (int i = 0; i < 50; i++) {
        capsules[i].a = random_point(&random, 1);
        capsules[i].b = random_point(&random, 1);
        capsules[i].radius = 0.03f;
    }
    tr_solid_clearances(solid, capsules, 50, 0.1f, clearances);
    for (int i = 0; i < 50; i++)
        CHECK(clearances[i] == tr_solid_clearance(solid, &capsules[i], 0.1f));
    tr_solid_clearances(solid, NULL, 0, 0.1f, NULL);
    tr_solid_destroy(solid);
    tr_scene_destroy(scene);
}

// A thousand triangles at one place cannot be told apart by any cut.
TEST(triangles_on_top_of_each_other_make_a_tree) {
    tr_scene *scene = NULL;
    tr_scene_create(NULL, &scene);
    const tr_vec3 positions[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    uint32_t indices[3000], mesh, object;
    for (uint32_t i = 0; i < 3000; i++)
        indices[i] = i % 3;
    tr_mesh_def mesh_def = {NULL, positions, 3, indices, 1000};
    CHECK_INT(tr_scene_add_mesh(scene, &mesh_def, &mesh, NULL), TR_OK);
    tr_object_def object_def = {NULL, mesh, tr_affine_identity(), 0};
    CHECK_INT(tr_scene_add_object(scene, &object_def, &object, NULL), TR_OK);
    tr_solid_def def = tr_solid_def_default(scene);
    tr_solid *solid = NULL;
    REQUIRE(tr_solid_create(&def, &solid, NULL) == TR_OK);
    tr_vec3 a = {0.2f, 0.2f, 0.25f}, b = {0.2f, 0.2f, 1};
    CHECK_NEAR(tr_solid_distance(solid, a, b, 5, NULL), 0.25, 1e-7);
    def.exclude_object = object;
    tr_solid_destroy(solid);
    REQUIRE(tr_solid_create(&def, &solid, NULL) == TR_OK);
    CHECK(tr_solid_distance(solid, a, b, 5, NULL) == 5);
    tr_solid_destroy(solid);
    tr_scene_destroy(scene);
}
