// Shots that cannot be written, and writing without memory.
#include "gltf_shot.h"
#include "troupe/base/hash.h"

static void check_refused(const tr_gltf_shot *shot, const char *sentence) {
    tr_bytes bytes = {(uint8_t *)1, 1};
    tr_error error = {0};
    CHECK_INT(tr_gltf_write(shot, &bytes, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, sentence);
    CHECK(bytes.data == NULL && bytes.size == 0);
    CHECK_INT(tr_gltf_write(shot, &bytes, NULL), TR_INVALID);
}

TEST(shots_that_make_no_sense_are_refused) {
    shot_actor actor = shot_make_actor(1, false), other = shot_make_actor(2, false);
    tr_joint_def one = {.name = "one", .parent = TR_NONE, .rest = tr_transform_identity()};
    tr_skeleton_def def = {.joints = &one, .joint_count = 1};
    tr_skeleton *small = NULL;
    REQUIRE(tr_skeleton_create(&def, &small, NULL) == TR_OK);
    shot_make_body(&other, 3);
    tr_gltf_shot shot = {.actors = &actor.view, .actor_count = 1};
    check_refused(NULL, "the shot is NULL");
    shot.tolerance = NAN;
    check_refused(&shot, "the tolerance is nan");
    shot.tolerance = -1;
    check_refused(&shot, "the tolerance is -1, it must be at least 0");
    shot.tolerance = 0;
    shot.form = (tr_gltf_form)7;
    check_refused(&shot, "the form is 7");
    shot.form = TR_GLTF_BONES;
    shot.line_count = 1;
    check_refused(&shot, "one list is NULL");
    static const tr_vec3 points[2] = {{0, 0, 0}, {0, NAN, 0}};
    tr_gltf_line line = {"l", points, 2, {0}};
    shot.lines = &line;
    check_refused(&shot, "point 1 of line 0 is not finite");
    line.points = NULL;
    check_refused(&shot, "line 0 has 2 points, but the list is NULL");
    shot.line_count = 0;
    tr_affine place = tr_affine_identity();
    place.m[0][1] = 0.5f;
    actor.view.place = &place;
    check_refused(&shot, "the place of actor 0 is not finite or has a shear");
    place.m[0][1] = INFINITY;
    check_refused(&shot, "the place of actor 0 is not finite or has a shear");
    actor.view.place = NULL;
    actor.view.skeleton = NULL;
    check_refused(&shot, "actor 0 has no skeleton");
    actor.view.skeleton = small;
    check_refused(&shot, "clip 0 of actor 0 has 12 joints, its skeleton has 1");
    actor.view.body = other.body;
    check_refused(&shot, "the body of actor 0 is for 12 joints, its skeleton has 1");
    actor.view.body = NULL;
    actor.view.clips = NULL;
    check_refused(&shot, "clip 0 of actor 0 is NULL");
    tr_skeleton_destroy(small);
    shot_destroy_actor(&actor);
    shot_destroy_actor(&other);
}

TEST(an_empty_shot_is_a_file_all_the_same) {
    tr_bytes bytes = {0};
    REQUIRE(tr_gltf_write(&(tr_gltf_shot){.text = true}, &bytes, NULL) == TR_OK);
    CHECK_CONTAINS((const char *)bytes.data, "\"asset\"");
    tr_bytes_free(NULL, &bytes);
    tr_scene *scene = NULL;
    REQUIRE(tr_gltf_write(&(tr_gltf_shot){0}, &bytes, NULL) == TR_OK &&
            tr_scene_create(NULL, &scene) == TR_OK);
    CHECK_INT(tr_gltf_read(bytes.data, bytes.size, NULL, NULL, NULL, scene, NULL), TR_OK);
    tr_scene_destroy(scene);
    tr_bytes_free(NULL, &bytes);
}

static tr_scene *make_scene(void) {
    static const tr_vec3 corners[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    static const uint32_t indices[3] = {0, 1, 2};
    tr_scene *scene = NULL;
    tr_mesh_def mesh = {"m", corners, 3, indices, 1};
    tr_object_def object = {"thing", 0, tr_affine_identity(), 0};
    static const double times[2] = {0, 1};
    const tr_transform ends[2] = {tr_transform_identity(), {{4, 0, 2}, {0, 0.6f, 0, 0.8f}, {1, 1, 1}}};
    tr_trajectory_def trajectory = {times, ends, 2, false};
    uint32_t number;
    if (tr_scene_create(NULL, &scene) != TR_OK ||
        tr_scene_add_mesh(scene, &mesh, &object.mesh, NULL) != TR_OK ||
        tr_scene_add_object(scene, &object, &number, NULL) != TR_OK ||
        tr_scene_set_trajectory(scene, number, &trajectory, NULL) != TR_OK)
        test_failed(__FILE__, __LINE__, "no scene");
    return scene;
}

static bool write_form(const tr_allocator *allocator, tr_gltf_form form) {
    static const tr_vec3 points[2] = {{0, 0, 0}, {1, 0, 0}};
    const tr_gltf_line line = {"l", points, 2, {1, 0, 0}};
    shot_actor actor = shot_make_actor(1, true);
    shot_make_body(&actor, 1);
    tr_scene *scene = make_scene();
    tr_gltf_shot shot = {.allocator = allocator,
                         .actors = &actor.view,
                         .actor_count = 1,
                         .scene = scene,
                         .lines = &line,
                         .line_count = 1,
                         .form = form,
                         .text = form == TR_GLTF_SEGMENTS,
                         .apart = form == TR_GLTF_SEGMENTS,
                         .tolerance = 0.01f};
    tr_bytes bytes = {0};
    tr_error error = {0};
    tr_status status = tr_gltf_write(&shot, &bytes, &error);
    CHECK(status == TR_OK || (status == TR_OUT_OF_MEMORY && error.message[0] && !bytes.data));
    tr_bytes_free(allocator, &bytes);
    tr_scene_destroy(scene);
    shot_destroy_actor(&actor);
    return status == TR_OK;
}
static bool write_skinned(const tr_allocator *allocator) {
    return write_form(allocator, TR_GLTF_SKINNED);
}
static bool write_segments(const tr_allocator *allocator) {
    return write_form(allocator, TR_GLTF_SEGMENTS);
}
static bool write_bones(const tr_allocator *allocator) {
    return write_form(allocator, TR_GLTF_BONES);
}

TEST(writing_survives_every_failed_allocation) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(write_skinned) > 20);
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(write_segments) > 20);
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(write_bones) > 20);
}

TEST(the_bytes_are_the_same_everywhere) {
    shot_actor actor = shot_make_actor(77, true);
    shot_make_body(&actor, 77);
    uint64_t hash = TR_HASH_START;
    for (int form = 0; form < 3; form++)
        for (int rough = 0; rough < 2; rough++) {
            tr_gltf_shot shot = {.actors = &actor.view,
                                 .actor_count = 1,
                                 .form = (tr_gltf_form)form,
                                 .tolerance = 0.001f * (float)rough};
            tr_bytes bytes = {0};
            uint32_t json_size;
            REQUIRE(tr_gltf_write(&shot, &bytes, NULL) == TR_OK);
            memcpy(&json_size, bytes.data + 12,
                   sizeof json_size); // the JSON names the version: the rest is hashed
            hash = tr_hash(hash, bytes.data + 20 + json_size, bytes.size - 20 - json_size);
            tr_bytes_free(NULL, &bytes);
        }
    shot_destroy_actor(&actor);
    CHECK_HASH(hash, 0x8767a929b6e248fdu);
}
