#include "world/little.h"
#include "troupe/base/scalar.h"

#include <float.h>

static tr_scene *make_scene(void) {
    tr_scene *scene = NULL;
    CHECK_INT(tr_scene_create(NULL, &scene), TR_OK);
    return scene;
}

static void check_box(tr_box box, tr_box expected, double tolerance) {
    CHECK_NEAR(box.min.x, expected.min.x, tolerance);
    CHECK_NEAR(box.min.y, expected.min.y, tolerance);
    CHECK_NEAR(box.min.z, expected.min.z, tolerance);
    CHECK_NEAR(box.max.x, expected.max.x, tolerance);
    CHECK_NEAR(box.max.y, expected.max.y, tolerance);
    CHECK_NEAR(box.max.z, expected.max.z, tolerance);
}

TEST(an_empty_scene_has_nothing_and_an_empty_box) {
    tr_scene *scene = make_scene();
    CHECK_INT(tr_scene_object_count(scene), 0);
    CHECK_INT(tr_scene_mesh_count(scene), 0);
    CHECK_INT(tr_scene_triangle_count(scene), 0);
    CHECK(tr_box_is_empty(tr_scene_bounds(scene)));
    CHECK_INT(tr_scene_find(scene, "anything"), TR_NONE);
    CHECK(tr_scene_object(scene, 0).removed);
    CHECK_INT(tr_scene_mesh(scene, 0).triangle_count, 0);
    CHECK_NEAR(tr_scene_time(scene), 0, 0);
    tr_scene_destroy(scene);
    tr_scene_destroy(NULL);
}

TEST(a_mesh_is_kept_as_it_was_given) {
    tr_scene *scene = make_scene();
    char name[] = "crate";
    tr_vec3 corners[8];
    uint32_t indices[36], mesh = TR_NONE;
    little_box_corners(little_make_box(1, 2, 3, 4, 6, 8), corners);
    memcpy(indices, little_box_indices, sizeof indices);
    tr_mesh_def def = {name, corners, 8, indices, 12};
    REQUIRE(tr_scene_add_mesh(scene, &def, &mesh, NULL) == TR_OK);
    memset(name, 'x', sizeof name - 1); // the scene has its own copy of everything
    memset(corners, 0, sizeof corners);
    memset(indices, 0, sizeof indices);
    CHECK_INT(mesh, 0);
    tr_mesh_view view = tr_scene_mesh(scene, mesh);
    CHECK_TEXT(view.name, "crate");
    CHECK_INT(view.position_count, 8);
    CHECK_INT(view.triangle_count, 12);
    CHECK_INT(memcmp(view.indices, little_box_indices, sizeof little_box_indices), 0);
    CHECK_NEAR(view.positions[7].z, 8, 0);
    check_box(view.bounds, little_make_box(1, 2, 3, 4, 6, 8), 0);
    tr_scene_destroy(scene);
}

TEST(vertices_that_no_triangle_uses_do_not_count_for_the_box) {
    tr_scene *scene = make_scene();
    tr_vec3 positions[4] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {900, 900, 900}};
    static const uint32_t indices[3] = {0, 1, 2};
    tr_mesh_def def = {NULL, positions, 4, indices, 1};
    uint32_t mesh;
    REQUIRE(tr_scene_add_mesh(scene, &def, &mesh, NULL) == TR_OK);
    check_box(tr_scene_mesh(scene, mesh).bounds, little_make_box(0, 0, 0, 1, 0, 1), 0);
    CHECK_TEXT(tr_scene_mesh(scene, mesh).name, "");
    tr_scene_destroy(scene);
}

TEST(an_empty_mesh_is_allowed_and_its_object_is_nowhere) {
    tr_scene *scene = make_scene();
    tr_mesh_def def = {0};
    uint32_t mesh = TR_NONE;
    REQUIRE(tr_scene_add_mesh(scene, &def, &mesh, NULL) == TR_OK);
    uint32_t object = little_object(scene, mesh, tr_affine_identity(), 0);
    REQUIRE(object != TR_NONE);
    CHECK(tr_box_is_empty(tr_scene_object(scene, object).bounds));
    tr_affine moved = little_move(5, 0, 5);
    CHECK_INT(tr_scene_place(scene, object, &moved), TR_OK);
    CHECK(tr_box_is_empty(tr_scene_bounds(scene)));
    tr_scene_destroy(scene);
}

static void check_mesh_refused(tr_mesh_def def, tr_status status, const char *sentence) {
    tr_scene *scene = make_scene();
    uint32_t mesh = 77;
    tr_error error = {0};
    CHECK_INT(tr_scene_add_mesh(scene, &def, &mesh, &error), status);
    CHECK_CONTAINS(error.message, sentence);
    CHECK_INT(mesh, 77);
    CHECK_INT(tr_scene_mesh_count(scene), 0);
    tr_scene_destroy(scene);
}

TEST(a_bad_mesh_is_refused_with_the_vertex_or_the_triangle) {
    tr_vec3 positions[3] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}};
    static const uint32_t good[3] = {0, 1, 2}, bad[6] = {0, 1, 2, 2, 1, 3};
    check_mesh_refused((tr_mesh_def){"wall", positions, 3, bad, 2}, TR_INVALID,
                       "triangle 1 of mesh \"wall\" uses vertex 3, but there are only 3");
    check_mesh_refused((tr_mesh_def){"wall", NULL, 0, bad, 1}, TR_INVALID, "there are only 0");
    check_mesh_refused((tr_mesh_def){"wall", positions, 3, good, UINT32_MAX / 3 + 1}, TR_LIMIT,
                       "1431655766 triangles, the maximum is 1431655765");
    const float values[] = {NAN, INFINITY, -INFINITY, 2e7f, -1.0001e7f};
    for (int i = 0; i < 15; i++) {
        tr_vec3 broken[3] = {positions[0], positions[1], positions[2]};
        (&broken[1].x)[i % 3] = values[i / 3];
        check_mesh_refused((tr_mesh_def){"wall", broken, 3, good, 1}, TR_INVALID,
                           "vertex 1 of mesh \"wall\" is (");
    }
    tr_vec3 limit[3] = {{TR_SCENE_EXTENT_MAX, 0, 0}, {-TR_SCENE_EXTENT_MAX, 0, 0}, {0, 0, 1}};
    tr_scene *scene = make_scene();
    uint32_t mesh;
    CHECK_INT(tr_scene_add_mesh(scene, &(tr_mesh_def){NULL, limit, 3, good, 1}, &mesh, NULL), TR_OK);
    tr_scene_destroy(scene);
}

TEST(objects_get_rising_numbers_and_share_their_mesh) {
    tr_scene *scene = make_scene();
    uint32_t mesh = little_box_mesh(scene, little_make_box(0, 0, 0, 1, 1, 1));
    for (uint32_t i = 0; i < 20; i++)
        CHECK_INT(little_object(scene, mesh, little_move((float)i, 0, 0), i), i);
    CHECK_INT(tr_scene_object_count(scene), 20);
    CHECK_INT(tr_scene_mesh_count(scene), 1);
    CHECK_INT(tr_scene_triangle_count(scene), 240);
    tr_object_view view = tr_scene_object(scene, 7);
    CHECK_INT(view.mesh, mesh);
    CHECK_INT(view.tags, 7);
    CHECK(!view.removed);
    CHECK_TEXT(view.name, "");
    check_box(view.bounds, little_make_box(7, 0, 0, 8, 1, 1), 0);
    check_box(tr_scene_bounds(scene), little_make_box(0, 0, 0, 20, 1, 1), 0);
    tr_scene_destroy(scene);
}

TEST(an_object_is_found_by_the_first_that_has_the_name) {
    tr_scene *scene = make_scene();
    uint32_t mesh = little_box_mesh(scene, little_make_box(0, 0, 0, 1, 1, 1)), object;
    const char *names[] = {NULL, "chair", "", "table", "chair"};
    for (int i = 0; i < 5; i++) {
        tr_object_def def = {.name = names[i], .mesh = mesh, .placement = tr_affine_identity()};
        CHECK_INT(tr_scene_add_object(scene, &def, &object, NULL), TR_OK);
    }
    CHECK_INT(tr_scene_find(scene, "chair"), 1);
    CHECK_INT(tr_scene_find(scene, "table"), 3);
    CHECK_INT(tr_scene_find(scene, "chai"), TR_NONE);
    CHECK_INT(tr_scene_find(scene, ""), TR_NONE);
    CHECK_INT(tr_scene_remove_object(scene, 1), TR_OK);
    CHECK_INT(tr_scene_find(scene, "chair"), 4);
    CHECK_TEXT(tr_scene_object(scene, 1).name, "");
    CHECK_TEXT(tr_scene_object(scene, 4).name, "chair");
    tr_scene_destroy(scene);
}

TEST(moving_tagging_touching_and_removing_raise_the_revision_and_nothing_else_does) {
    tr_scene *scene = make_scene();
    uint32_t first = little_box(scene, little_make_box(0, 0, 0, 1, 1, 1), 0);
    uint32_t second = little_box(scene, little_make_box(0, 0, 0, 1, 1, 1), 0);
    little_drawing drawing = {.triangles = 0};
    uint32_t drawn = little_drawn(scene, &drawing, little_make_box(0, 0, 0, 1, 1, 1));
    uint64_t before = tr_scene_object(scene, second).revision, now = before;
    tr_affine moved = little_move(1, 2, 3);
    CHECK_INT(tr_scene_place(scene, second, &moved), TR_OK);
    CHECK(tr_scene_object(scene, second).revision > now);
    now = tr_scene_object(scene, second).revision;
    CHECK_INT(tr_scene_place(scene, second, &moved), TR_OK); // where it is already
    CHECK_INT(tr_scene_set_tags(scene, second, 0), TR_OK);   // what it has already
    CHECK_INT(tr_scene_object(scene, second).revision, now);
    CHECK_INT(tr_scene_set_tags(scene, second, TR_TAG_NO_STEP | TR_TAG_USER << 3), TR_OK);
    CHECK(tr_scene_object(scene, second).revision > now);
    CHECK_INT(tr_scene_object(scene, second).tags, TR_TAG_NO_STEP | TR_TAG_USER << 3);
    now = tr_scene_object(scene, drawn).revision;
    CHECK_INT(tr_scene_touch(scene, drawn, little_make_box(0, 0, 0, 1, 1, 1)), TR_OK); // the look may differ
    CHECK(tr_scene_object(scene, drawn).revision > now);
    now = tr_scene_object(scene, second).revision;
    CHECK_INT(tr_scene_remove_object(scene, second), TR_OK);
    CHECK(tr_scene_object(scene, second).revision > now);
    CHECK_INT(tr_scene_object(scene, first).revision, 1);
    tr_scene_destroy(scene);
}

TEST(a_removed_object_is_gone_and_its_number_is_not_used_again) {
    tr_scene *scene = make_scene();
    uint32_t mesh = little_box_mesh(scene, little_make_box(0, 0, 0, 1, 1, 1));
    little_object(scene, mesh, tr_affine_identity(), 0);
    uint32_t gone = little_object(scene, mesh, little_move(50, 0, 0), TR_TAG_WALKABLE);
    CHECK_INT(tr_scene_remove_object(scene, gone), TR_OK);
    tr_object_view view = tr_scene_object(scene, gone);
    CHECK(view.removed);
    CHECK_INT(view.mesh, TR_NONE);
    CHECK_INT(view.tags, 0);
    CHECK(tr_box_is_empty(view.bounds));
    check_box(tr_scene_bounds(scene), little_make_box(0, 0, 0, 1, 1, 1), 0);
    CHECK_INT(tr_scene_triangle_count(scene), 12);
    tr_affine identity = tr_affine_identity();
    tr_trajectory_def motion = {(double[]){0}, &(tr_transform){.scale = {1, 1, 1}}, 1, false};
    CHECK_INT(tr_scene_remove_object(scene, gone), TR_INVALID);
    CHECK_INT(tr_scene_place(scene, gone, &identity), TR_INVALID);
    CHECK_INT(tr_scene_set_tags(scene, gone, 1), TR_INVALID);
    CHECK_INT(tr_scene_touch(scene, gone, little_make_box(0, 0, 0, 1, 1, 1)), TR_INVALID);
    CHECK_INT(tr_scene_set_trajectory(scene, gone, &motion, NULL), TR_INVALID);
    CHECK(tr_scene_trajectory(scene, gone) == NULL);
    CHECK_INT(little_object(scene, mesh, tr_affine_identity(), 0), 2);
    CHECK_INT(tr_scene_object_count(scene), 3);
    tr_scene_destroy(scene);
}

TEST(calls_with_a_number_that_was_never_given_are_refused) {
    tr_scene *scene = make_scene();
    tr_affine identity = tr_affine_identity();
    tr_error error;
    for (int i = 0; i < 2; i++) {
        uint32_t number = i ? TR_NONE : 0;
        CHECK_INT(tr_scene_remove_object(scene, number), TR_INVALID);
        CHECK_INT(tr_scene_place(scene, number, &identity), TR_INVALID);
        CHECK_INT(tr_scene_set_tags(scene, number, 1), TR_INVALID);
        CHECK_INT(tr_scene_touch(scene, number, little_make_box(0, 0, 0, 1, 1, 1)), TR_INVALID);
        CHECK_INT(tr_scene_set_trajectory(scene, number, NULL, &error), TR_INVALID);
        CHECK_CONTAINS(error.message, "does not exist");
        CHECK(tr_scene_object(scene, number).removed);
        CHECK(tr_scene_mesh(scene, number).positions == NULL);
    }
    tr_scene_destroy(scene);
}

TEST(a_bad_object_is_refused_with_its_name) {
    tr_scene *scene = make_scene();
    tr_object_def def = {.name = "lamp", .placement = tr_affine_identity()};
    uint32_t object = 77;
    tr_error error = {0};
    CHECK_INT(tr_scene_add_object(scene, &def, &object, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "object \"lamp\" uses mesh 0, but there are only 0");
    def.mesh = little_box_mesh(scene, little_make_box(-1000, -1000, -1000, 1000, 1000, 1000));
    for (int i = 0; i < 12; i++) {
        const float values[] = {NAN, INFINITY, -INFINITY, 1.1e7f};
        def.placement = tr_affine_identity();
        def.placement.m[i / 4][i % 4] = values[i % 4];
        CHECK_INT(tr_scene_add_object(scene, &def, &object, &error), TR_INVALID);
        CHECK_CONTAINS(error.message, "the placement of object \"lamp\"");
    }
    CHECK_INT(object, 77);
    CHECK_INT(tr_scene_object_count(scene), 0);
    tr_scene_destroy(scene);
}

TEST(a_placement_that_overflows_is_refused_and_the_object_stays) {
    tr_scene *scene = make_scene();
    uint32_t object = little_box(scene, little_make_box(-1000, -1000, -1000, 1000, 1000, 1000), 0);
    tr_affine bad[4] = {tr_affine_identity(), tr_affine_identity(), tr_affine_identity(),
                        little_move(1.1e7f, 0, 0)};
    bad[0].m[0][0] = FLT_MAX;
    bad[1].m[1][0] = FLT_MAX, bad[1].m[1][1] = -FLT_MAX; // infinite minus infinite is not a number
    bad[2].m[2][3] = NAN;
    uint64_t revision = tr_scene_object(scene, object).revision;
    for (int i = 0; i < 4; i++) {
        CHECK_INT(tr_scene_place(scene, object, &bad[i]), TR_INVALID);
        CHECK_INT(little_object(scene, 0, bad[i], 0), TR_NONE);
    }
    CHECK_INT(tr_scene_object(scene, object).revision, revision);
    check_box(tr_scene_object(scene, object).bounds, little_make_box(-1000, -1000, -1000, 1000, 1000, 1000),
              0);
    tr_scene_destroy(scene);
}

TEST(the_box_of_an_object_holds_every_corner_even_of_a_mesh_far_from_its_own_origin) {
    tr_random random = tr_random_seed(3);
    for (int trial = 0; trial < 500; trial++) {
        float away = trial % 4 == 0 ? 1e6f : trial % 4 == 1 ? 3000.0f : 0;
        tr_scene *scene = make_scene();
        tr_box box = little_make_box(away, 0, -away, away + 1, 2, 1 - away);
        uint32_t mesh = little_box_mesh(scene, box);
        tr_affine turn = tr_affine_place(tr_vec3_make(0, 0, 0), tr_random_between(&random, -3, 3));
        tr_affine back = little_move(-away, 0, away), placement = tr_affine_multiply(&turn, &back);
        uint32_t object = little_object(scene, mesh, placement, 0);
        REQUIRE(object != TR_NONE);
        tr_box bounds = tr_scene_object(scene, object).bounds;
        tr_vec3 corners[8];
        little_box_corners(box, corners);
        for (int i = 0; i < 8; i++) {
            const float p[3] = {corners[i].x, corners[i].y, corners[i].z};
            for (int axis = 0; axis < 3; axis++) {
                const float *m = placement.m[axis];
                double exact = (double)m[0] * p[0] + (double)m[1] * p[1] + (double)m[2] * p[2] + m[3];
                double room = 2e-9; // of this sum in doubles; the box itself is rounded outwards
                CHECK(exact >= (&bounds.min.x)[axis] - room && exact <= (&bounds.max.x)[axis] + room);
            }
        }
        tr_scene_destroy(scene);
    }
}

TEST(a_bad_drawn_object_is_refused) {
    tr_scene *scene = make_scene();
    tr_drawn_def def = {.name = "cloth", .bounds = little_make_box(0, 0, 0, 1, 1, 1)};
    uint32_t object = 77;
    tr_error error = {0};
    CHECK_INT(tr_scene_add_drawn(scene, &def, &object, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "drawn object \"cloth\" has no emit callback");
    def.emit = little_emit;
    const tr_box bad[] = {tr_box_empty(), little_make_box(0, 0, 0, NAN, 1, 1),
                          little_make_box(0, 0, 0, 1, INFINITY, 1), little_make_box(2, 0, 0, 1, 1, 1),
                          little_make_box(-2e7f, 0, 0, 1, 1, 1)};
    for (int i = 0; i < 5; i++) {
        def.bounds = bad[i];
        CHECK_INT(tr_scene_add_drawn(scene, &def, &object, &error), TR_INVALID);
        CHECK_CONTAINS(error.message, "the bounds of drawn object \"cloth\"");
    }
    CHECK_INT(object, 77);
    def.bounds = little_make_box(0, 0, 0, 1, 1, 1);
    REQUIRE(tr_scene_add_drawn(scene, &def, &object, &error) == TR_OK);
    tr_affine identity = tr_affine_identity();
    CHECK_INT(tr_scene_place(scene, object, &identity), TR_INVALID); // it draws itself where it likes
    CHECK_INT(tr_scene_set_trajectory(scene, object, NULL, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "drawn by a callback");
    for (int i = 0; i < 5; i++)
        CHECK_INT(tr_scene_touch(scene, object, bad[i]), TR_INVALID);
    CHECK_INT(tr_scene_touch(scene, object, little_make_box(5, 5, 5, 6, 6, 6)), TR_OK);
    check_box(tr_scene_bounds(scene), little_make_box(5, 5, 5, 6, 6, 6), 0);
    CHECK_INT(tr_scene_object(scene, object).mesh, TR_NONE);
    CHECK_INT(tr_scene_triangle_count(scene), 0);
    CHECK_INT(tr_scene_touch(scene, little_box(scene, little_make_box(0, 0, 0, 1, 1, 1), 0), bad[0]),
              TR_INVALID);
    tr_scene_destroy(scene);
}

static tr_trajectory_def slide(tr_transform transforms[2]) {
    static const double times[] = {0, 10};
    transforms[0] = transforms[1] = tr_transform_identity();
    transforms[1].position.x = 5;
    return (tr_trajectory_def){times, transforms, 2, false};
}

TEST(an_object_with_a_trajectory_goes_where_the_time_says) {
    tr_scene *scene = make_scene();
    uint32_t mesh = little_box_mesh(scene, little_make_box(0, 0, 0, 1, 1, 1));
    uint32_t moving = little_object(scene, mesh, little_move(70, 0, 0), 0);
    uint32_t still = little_object(scene, mesh, little_move(70, 0, 0), 0);
    tr_transform transforms[2];
    tr_trajectory_def def = slide(transforms);
    REQUIRE(tr_scene_set_trajectory(scene, moving, &def, NULL) == TR_OK);
    REQUIRE(tr_scene_trajectory(scene, moving) != NULL);
    CHECK(tr_scene_trajectory(scene, still) == NULL);
    CHECK_NEAR(tr_scene_object(scene, moving).bounds.min.x, 70, 0); // until the time is set
    CHECK_INT(tr_scene_set_time(scene, 4), TR_OK);
    CHECK_NEAR(tr_scene_object(scene, moving).bounds.min.x, 2, 1e-6);
    CHECK_NEAR(tr_scene_object(scene, still).bounds.min.x, 70, 0);
    CHECK_NEAR(tr_scene_time(scene), 4, 0);
    CHECK_INT(tr_scene_set_time(scene, NAN), TR_INVALID);
    CHECK_INT(tr_scene_set_time(scene, INFINITY), TR_INVALID);
    CHECK_NEAR(tr_scene_time(scene), 4, 0);
    uint64_t revision = tr_scene_object(scene, moving).revision;
    CHECK_INT(tr_scene_set_time(scene, 4), TR_OK); // the same time moves nothing
    CHECK_INT(tr_scene_object(scene, moving).revision, revision);
    CHECK_INT(tr_scene_set_trajectory(scene, moving, NULL, NULL), TR_OK);
    CHECK(tr_scene_trajectory(scene, moving) == NULL);
    CHECK_INT(tr_scene_set_time(scene, 8), TR_OK);
    CHECK_NEAR(tr_scene_object(scene, moving).bounds.min.x, 2, 1e-6);
    tr_scene_destroy(scene);
}

TEST(a_bad_trajectory_leaves_the_one_before) {
    tr_scene *scene = make_scene();
    uint32_t object = little_box(scene, little_make_box(0, 0, 0, 1, 1, 1), 0);
    tr_transform transforms[2];
    tr_trajectory_def def = slide(transforms);
    REQUIRE(tr_scene_set_trajectory(scene, object, &def, NULL) == TR_OK);
    transforms[1].position.y = NAN;
    tr_error error = {0};
    CHECK_INT(tr_scene_set_trajectory(scene, object, &def, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "sample 1");
    CHECK_NEAR(tr_trajectory_end(tr_scene_trajectory(scene, object)), 10, 0);
    CHECK_INT(tr_scene_set_time(scene, 10), TR_OK);
    CHECK_NEAR(tr_scene_object(scene, object).bounds.min.x, 5, 0);
    tr_scene_destroy(scene);
}

TEST(a_sample_that_throws_an_object_out_of_the_world_leaves_it_and_moves_the_others) {
    tr_scene *scene = make_scene();
    uint32_t lost = little_box(scene, little_make_box(0, 0, 0, 1, 1, 1), 0);
    uint32_t good = little_box(scene, little_make_box(0, 0, 0, 1, 1, 1), 0);
    tr_transform transforms[2];
    tr_trajectory_def def = slide(transforms);
    REQUIRE(tr_scene_set_trajectory(scene, good, &def, NULL) == TR_OK);
    transforms[1].position.x = 1e9f;
    REQUIRE(tr_scene_set_trajectory(scene, lost, &def, NULL) == TR_OK);
    CHECK_INT(tr_scene_set_time(scene, 10), TR_INVALID);
    CHECK_NEAR(tr_scene_object(scene, lost).bounds.min.x, 0, 0);
    CHECK_NEAR(tr_scene_object(scene, good).bounds.min.x, 5, 0);
    tr_scene_destroy(scene);
}

TEST(the_bytes_are_those_that_were_taken_from_the_allocator) {
    test_memory memory = {0};
    tr_allocator allocator = test_memory_allocator(&memory);
    tr_scene *scene = NULL;
    REQUIRE(tr_scene_create(&allocator, &scene) == TR_OK);
    for (int i = 0; i < 30; i++) {
        uint32_t object = little_box(scene, little_make_box(0, 0, 0, 1, 1, 1), 0);
        REQUIRE(object != TR_NONE);
        CHECK_INT(tr_scene_bytes(scene), memory.live_bytes);
    }
    tr_object_def named = {.name = "a name of some length", .placement = tr_affine_identity()};
    uint32_t object;
    REQUIRE(tr_scene_add_object(scene, &named, &object, NULL) == TR_OK);
    tr_transform transforms[2];
    tr_trajectory_def def = slide(transforms);
    REQUIRE(tr_scene_set_trajectory(scene, object, &def, NULL) == TR_OK);
    CHECK_INT(tr_scene_bytes(scene), memory.live_bytes);
    tr_scene_destroy(scene);
    CHECK_INT(memory.live_bytes, 0);
}

static bool build_a_scene(const tr_allocator *allocator) {
    tr_scene *scene = NULL;
    if (tr_scene_create(allocator, &scene) != TR_OK) {
        CHECK(scene == NULL);
        return false;
    }
    tr_error error = {0};
    bool built = true;
    for (int i = 0; i < 10 && built; i++) { // more than the arrays hold at first
        uint32_t mesh = little_box_mesh(scene, little_make_box(0, 0, 0, 1, 1, 1)), object = 0;
        tr_object_def def = {.name = "crate", .mesh = mesh, .placement = tr_affine_identity()};
        built = mesh != TR_NONE && tr_scene_add_object(scene, &def, &object, &error) == TR_OK;
        tr_transform transforms[2];
        tr_trajectory_def motion = slide(transforms);
        uint32_t count = tr_scene_object_count(scene);
        built = built && tr_scene_set_trajectory(scene, object, &motion, &error) == TR_OK;
        CHECK_INT(tr_scene_object_count(scene), count);
    }
    little_drawing drawing = {.triangles = 0};
    built = built && little_drawn(scene, &drawing, little_make_box(0, 0, 0, 1, 1, 1)) != TR_NONE;
    if (!built && error.status != TR_OK)
        CHECK_INT(error.status, TR_OUT_OF_MEMORY);
    CHECK_INT(tr_scene_set_time(scene, 3), TR_OK); // whatever is there is whole
    tr_scene_destroy(scene);
    return built;
}

TEST(nothing_leaks_whichever_allocation_fails) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(build_a_scene) > 80);
}
