#include "gltf_shot.h"
#include "troupe/motion/mannequin.h"
#include "troupe/io/bvh.h"
#include "troupe/io/json.h"
#include "troupe/world/sample.h"

#include <dirent.h>

// How far two points are apart.
static double apart(tr_vec3 a, tr_vec3 b) {
    return (double)tr_vec3_length(tr_vec3_subtract(a, b));
}

// Every joint of every frame is where it was, turns included: a point beside each joint is looked at too.
static void check_same_motion(const shot_actor *actor, const tr_figure *figure, uint32_t clip,
                              double tolerance) {
    const tr_clip *one = actor->clips[clip], *two = figure->clips[clip];
    uint32_t joints = tr_skeleton_joint_count(actor->skeleton);
    REQUIRE(tr_skeleton_joint_count(figure->skeleton) == joints);
    CHECK_INT(tr_clip_frame_count(two), tr_clip_frame_count(one));
    CHECK_NEAR(tr_clip_rate(two), tr_clip_rate(one), 1e-6);
    double worst = 0;
    for (uint32_t frame = 0; frame < tr_clip_frame_count(one) && frame < tr_clip_frame_count(two); frame++) {
        tr_affine a[SHOT_JOINTS_MAX], b[SHOT_JOINTS_MAX];
        shot_model(actor->skeleton, one, frame, a);
        shot_model(figure->skeleton, two, frame, b);
        for (uint32_t i = 0; i < joints; i++) {
            tr_vec3 beside = {0.3f, 0.5f, 0.7f};
            double off = apart(tr_affine_apply(&a[i], beside), tr_affine_apply(&b[i], beside));
            worst = off > worst ? off : worst;
        }
    }
    CHECK_NEAR(worst, 0, tolerance);
}

TEST(what_is_written_reads_back_as_it_was) {
    for (uint64_t seed = 1; seed <= 12; seed++) {
        shot_actor actor = shot_make_actor(seed, seed % 3 == 0);
        tr_gltf_shot shot = {
            .actors = &actor.view, .actor_count = 1, .form = TR_GLTF_BONES, .text = seed % 2};
        tr_figures figures = shot_read_back(&shot);
        REQUIRE(figures.count == 1);
        const tr_figure *figure = &figures.items[0];
        CHECK_TEXT(figure->name, actor.view.name);
        REQUIRE(figure->clip_count == SHOT_CLIPS);
        REQUIRE(tr_skeleton_joint_count(figure->skeleton) == tr_skeleton_joint_count(actor.skeleton));
        for (uint32_t i = 0; i < tr_skeleton_joint_count(actor.skeleton); i++) {
            tr_joint_def was = tr_skeleton_joint(actor.skeleton, i),
                         is = tr_skeleton_joint(figure->skeleton, i);
            CHECK_TEXT(is.name, was.name);
            CHECK_INT(is.parent, was.parent);
            CHECK_INT(is.is_end, was.is_end);
        }
        for (uint32_t clip = 0; clip < SHOT_CLIPS; clip++) {
            CHECK_TEXT(tr_clip_name(figure->clips[clip]), tr_clip_name(actor.clips[clip]));
            check_same_motion(&actor, figure, clip, 2e-5);
        }
        tr_figures_destroy(&figures);
        shot_destroy_actor(&actor);
    }
}

TEST(a_body_reads_back_and_is_moved_alike) {
    for (uint64_t seed = 20; seed < 26; seed++) {
        shot_actor actor = shot_make_actor(seed, false);
        shot_make_body(&actor, seed);
        tr_gltf_shot shot = {.actors = &actor.view, .actor_count = 1};
        tr_figures figures = shot_read_back(&shot);
        REQUIRE(figures.count == 1 && figures.items[0].body);
        const tr_figure *figure = &figures.items[0];
        const tr_body_def *was = tr_body_view(actor.body), *is = tr_body_view(figure->body);
        REQUIRE(is->triangle_count == was->triangle_count);
        CHECK_NEAR((double)is->color[1], (double)was->color[1], 1e-6);
        tr_affine a[SHOT_JOINTS_MAX], b[SHOT_JOINTS_MAX];
        shot_model(actor.skeleton, actor.clips[0], 3, a);
        shot_model(figure->skeleton, figure->clips[0], 3, b);
        tr_vec3 p[SHOT_VERTICES], q[SHOT_VERTICES], n[SHOT_VERTICES], m[SHOT_VERTICES];
        tr_body_skin(actor.body, a, p, n);
        tr_body_skin(figure->body, b, q, m);
        for (uint32_t i = 0; i < was->triangle_count * 3; i++) {
            CHECK_NEAR(apart(p[was->indices[i]], q[is->indices[i]]), 0, 5e-5);
            CHECK_NEAR(apart(n[was->indices[i]], m[is->indices[i]]), 0, 1e-3);
        }
        tr_figures_destroy(&figures);
        shot_destroy_actor(&actor);
    }
}

TEST(painted_triangles_are_primitives_of_the_same_mesh) {
    tr_mannequin_def def = {.height = 1.7f, .color = {0.25f, 0.5f, 0.125f}};
    tr_skeleton *skeleton = NULL;
    tr_body *body = NULL;
    REQUIRE(tr_mannequin_make(&def, &skeleton, &body, NULL) == TR_OK);
    tr_gltf_actor actor = {.name = "Ada", .skeleton = skeleton, .body = body};
    tr_gltf_shot shot = {.actors = &actor, .actor_count = 1};
    tr_bytes bytes = {0};
    REQUIRE(tr_gltf_write(&shot, &bytes, NULL) == TR_OK);
    uint32_t json_size;
    memcpy(&json_size, bytes.data + 12, 4);
    tr_json *json = NULL;
    REQUIRE(tr_json_read(NULL, bytes.data + 20, json_size, &json, NULL) == TR_OK);
    uint32_t root = tr_json_root(json), meshes = tr_json_member(json, root, "meshes");
    uint32_t list = tr_json_member(json, tr_json_item(json, meshes, 0), "primitives");
    uint32_t accessors = tr_json_member(json, root, "accessors");
    CHECK_INT(tr_json_count(json, meshes), 1);
    CHECK_INT(tr_json_count(json, list), 1 + tr_body_view(body)->paint_count);
    double corners = 0;
    for (uint32_t i = 0; i < tr_json_count(json, list); i++) {
        uint32_t primitive = tr_json_item(json, list, i);
        uint32_t indices = (uint32_t)tr_json_number(json, tr_json_member(json, primitive, "indices"));
        corners +=
            tr_json_number(json, tr_json_member(json, tr_json_item(json, accessors, indices), "count"));
        CHECK_NEAR(tr_json_number(json, tr_json_member(json, primitive, "material")), i, 0);
    }
    CHECK_NEAR(corners, 3 * (double)tr_body_view(body)->triangle_count, 0);
    tr_json_destroy(json);
    tr_bytes_free(NULL, &bytes);
    tr_figures figures = shot_read_back(&shot);
    REQUIRE(figures.count == 1 && figures.items[0].body);
    const tr_body_def *is = tr_body_view(figures.items[0].body);
    CHECK_INT(is->triangle_count, tr_body_view(body)->triangle_count);
    CHECK_NEAR((double)is->color[1], 0.5, 1e-6);
    tr_figures_destroy(&figures);
    tr_body_destroy(body);
    tr_skeleton_destroy(skeleton);
}

TEST(a_base_is_put_back_and_a_loop_closed) {
    shot_actor actor = shot_make_actor(7, false);
    const tr_clip *source = actor.clips[0];
    uint32_t frames = tr_clip_frame_count(source), joints = tr_skeleton_joint_count(actor.skeleton);
    tr_clip_def def = {.name = "walk",
                       .skeleton = actor.skeleton,
                       .frame_count = frames,
                       .frames_per_second = 25,
                       .loop = true};
    tr_clip *clip = NULL;
    tr_pose pose;
    REQUIRE(tr_clip_create(&def, &clip, NULL) == TR_OK && tr_pose_create(NULL, joints, &pose, NULL) == TR_OK);
    tr_base base[SHOT_FRAMES];
    for (uint32_t i = 0; i < frames; i++) {
        tr_clip_get_frame(source, i, &pose);
        tr_clip_set_frame(clip, i, &pose);
        base[i] = (tr_base){0.1f * (float)i, 0.2f * (float)i, 0.3f * (float)i};
    }
    tr_base advance = {1, 2, 0.5f};
    REQUIRE(tr_clip_set_base(clip, base, advance) == TR_OK);
    const tr_clip *clips[] = {clip};
    actor.view.clips = clips;
    actor.view.clip_count = 1;
    tr_gltf_shot shot = {.actors = &actor.view, .actor_count = 1, .form = TR_GLTF_BONES};
    tr_figures figures = shot_read_back(&shot);
    REQUIRE(figures.count == 1 && figures.items[0].clip_count == 1);
    CHECK_INT(tr_clip_frame_count(figures.items[0].clips[0]), frames + 1);
    for (uint32_t i = 0; i <= frames; i++) {
        tr_affine a[SHOT_JOINTS_MAX], b[SHOT_JOINTS_MAX];
        tr_base at = i < frames ? base[i] : tr_clip_base(clip, i / 25.0);
        tr_affine place = tr_affine_place(tr_vec3_make(at.x, 0, at.z), (double)at.heading);
        tr_clip_get_frame(clip, i % frames, &pose);
        tr_pose_to_model(actor.skeleton, &pose, &place, a);
        shot_model(figures.items[0].skeleton, figures.items[0].clips[0], i, b);
        for (uint32_t k = 0; k < joints; k++)
            CHECK_NEAR(apart(tr_affine_position(&a[k]), tr_affine_position(&b[k])), 0, 2e-5);
    }
    tr_pose_destroy(&pose);
    tr_figures_destroy(&figures);
    tr_clip_destroy(clip);
    shot_destroy_actor(&actor);
}

TEST(fewer_keys_keep_joints_within_the_tolerance) {
    static const float tolerances[] = {0.0005f, 0.005f, 0.02f};
    shot_actor actor = shot_make_actor(3, false);
    tr_gltf_shot shot = {.actors = &actor.view, .actor_count = 1, .form = TR_GLTF_BONES};
    tr_bytes whole = {0};
    REQUIRE(tr_gltf_write(&shot, &whole, NULL) == TR_OK);
    size_t before = whole.size;
    for (int i = 0; i < 3; i++) {
        shot.tolerance = tolerances[i];
        tr_bytes bytes = {0};
        REQUIRE(tr_gltf_write(&shot, &bytes, NULL) == TR_OK);
        CHECK(i == 2 ? bytes.size < before : bytes.size <= before);
        before = bytes.size;
        tr_bytes_free(NULL, &bytes);
        tr_figures figures = shot_read_back(&shot);
        REQUIRE(figures.count == 1);
        // Each joint may be off by the tolerance relative to its parent; they add up along the deepest chain.
        check_same_motion(&actor, &figures.items[0], 0, (double)tolerances[i] * 2.5 * SHOT_JOINTS);
        tr_figures_destroy(&figures);
    }
    tr_bytes_free(NULL, &whole);
    shot_destroy_actor(&actor);
}

TEST(all_characters_play_together_unless_asked_apart) {
    shot_actor actors[2] = {shot_make_actor(4, false), shot_make_actor(5, false)};
    for (uint64_t seed = 6; tr_clip_rate(actors[0].clips[0]) != tr_clip_rate(actors[1].clips[0]); seed++) {
        shot_destroy_actor(&actors[1]);
        actors[1] = shot_make_actor(seed, false);
    }
    tr_gltf_actor views[2] = {actors[0].view, actors[1].view};
    views[1].name = views[0].name; // equal names are told apart
    tr_gltf_shot shot = {.actors = views, .actor_count = 2, .form = TR_GLTF_BONES};
    tr_figures figures = shot_read_back(&shot);
    REQUIRE(figures.count == 2 && figures.items[0].clip_count == SHOT_CLIPS &&
            figures.items[1].clip_count == SHOT_CLIPS);
    CHECK_TEXT(tr_clip_name(figures.items[0].clips[0]), "clip 0");
    CHECK_TEXT(tr_clip_name(figures.items[1].clips[0]), "clip 0");
    CHECK_TEXT(figures.items[1].name, "somebody_2");
    check_same_motion(&actors[0], &figures.items[0], 0, 2e-5);
    check_same_motion(&actors[1], &figures.items[1], 0, 2e-5);
    tr_figures_destroy(&figures);
    shot.apart = true;
    figures = shot_read_back(&shot);
    REQUIRE(figures.count == 2 && figures.items[0].clip_count == SHOT_CLIPS);
    CHECK_TEXT(tr_clip_name(figures.items[0].clips[0]), "somebody/clip 0");
    CHECK_TEXT(tr_clip_name(figures.items[1].clips[1]), "somebody_2/clip 1");
    tr_figures_destroy(&figures);
    shot_destroy_actor(&actors[0]);
    shot_destroy_actor(&actors[1]);
}

TEST(a_place_moves_the_whole_character) {
    shot_actor actor = shot_make_actor(9, false);
    tr_affine place = tr_affine_place(tr_vec3_make(3, 1, -2), 0.8);
    actor.view.place = &place;
    tr_gltf_shot shot = {.actors = &actor.view, .actor_count = 1, .form = TR_GLTF_BONES};
    tr_figures figures = shot_read_back(&shot);
    REQUIRE(figures.count == 1);
    uint32_t joints = tr_skeleton_joint_count(actor.skeleton);
    REQUIRE(tr_skeleton_joint_count(figures.items[0].skeleton) == joints + 1); // the place is a joint above
    tr_affine a[SHOT_JOINTS_MAX], b[SHOT_JOINTS_MAX];
    shot_model(actor.skeleton, actor.clips[0], 5, a);
    shot_model(figures.items[0].skeleton, figures.items[0].clips[0], 5, b);
    for (uint32_t i = 0; i < joints; i++)
        CHECK_NEAR(apart(tr_affine_apply(&place, tr_affine_position(&a[i])), tr_affine_position(&b[i + 1])),
                   0, 2e-5);
    tr_figures_destroy(&figures);
    shot_destroy_actor(&actor);
}

TEST(a_character_that_stands_still_takes_its_time) {
    shot_actor actor = shot_make_actor(2, false);
    tr_clip_def def = {
        .name = "wait", .skeleton = actor.skeleton, .frame_count = 91, .frames_per_second = 30};
    tr_clip *clip = NULL;
    REQUIRE(tr_clip_create(&def, &clip, NULL) == TR_OK);
    const tr_clip *clips[] = {clip};
    actor.view.clips = clips;
    actor.view.clip_count = 1;
    tr_gltf_shot shot = {.actors = &actor.view, .actor_count = 1, .form = TR_GLTF_BONES};
    tr_figures figures = shot_read_back(&shot);
    REQUIRE(figures.count == 1 && figures.items[0].clip_count == 1);
    CHECK_INT(tr_clip_frame_count(figures.items[0].clips[0]), 91);
    CHECK_NEAR(tr_clip_rate(figures.items[0].clips[0]), 30, 0);
    tr_figures_destroy(&figures);
    tr_clip_destroy(clip);
    shot_destroy_actor(&actor);
}

// A walk over the JSON: does every accessor lie in its view, every view in the buffer, aligned, with true
// bounds?
static void check_accessors(const tr_json *json, const uint8_t *chunk, size_t chunk_size) {
    uint32_t root = tr_json_root(json), accessors = tr_json_member(json, root, "accessors");
    uint32_t views = tr_json_member(json, root, "bufferViews");
    size_t end = 0;
    for (uint32_t i = 0; i < tr_json_count(json, views); i++) {
        uint32_t view = tr_json_item(json, views, i);
        size_t offset = (size_t)tr_json_number(json, tr_json_member(json, view, "byteOffset"));
        CHECK_INT(offset % 4, 0);
        CHECK(offset >= end);
        end = offset + (size_t)tr_json_number(json, tr_json_member(json, view, "byteLength"));
        CHECK(end <= chunk_size);
    }
    for (uint32_t i = 0; i < tr_json_count(json, accessors); i++) {
        uint32_t accessor = tr_json_item(json, accessors, i), low = tr_json_member(json, accessor, "min");
        uint32_t view = tr_json_item(
            json, views, (uint32_t)tr_json_number(json, tr_json_member(json, accessor, "bufferView")));
        size_t offset = (size_t)tr_json_number(json, tr_json_member(json, accessor, "byteOffset"));
        CHECK_INT(offset % 4, 0);
        uint32_t width = tr_json_count(json, low), high = tr_json_member(json, accessor, "max");
        const uint8_t *at =
            chunk + offset + (size_t)tr_json_number(json, tr_json_member(json, view, "byteOffset"));
        uint32_t count = (uint32_t)tr_json_number(json, tr_json_member(json, accessor, "count"));
        for (uint32_t axis = 0; axis < width; axis++) {
            float least = INFINITY, most = -INFINITY, value;
            for (uint32_t k = 0; k < count; k++) {
                memcpy(&value, at + (k * width + axis) * sizeof value, sizeof value);
                least = value < least ? value : least;
                most = value > most ? value : most;
            }
            CHECK(tr_json_number(json, tr_json_item(json, low, axis)) == (double)least);
            CHECK(tr_json_number(json, tr_json_item(json, high, axis)) == (double)most);
        }
    }
}

TEST(numbers_lie_aligned_with_exact_bounds_in_every_form) {
    tr_sample sample = {0};
    REQUIRE(tr_sample_make(&(tr_sample_def){.name = "office"}, &sample, NULL) == TR_OK);
    static const tr_vec3 points[3] = {{0, 0, 0}, {1, 0.1f, 2}, {3, 0, 4}};
    const tr_gltf_line line = {"route", points, 3, {1, 0.5f, 0}};
    for (int form = 0; form < 3; form++) {
        shot_actor actor = shot_make_actor(30, true);
        shot_make_body(&actor, 30);
        tr_gltf_shot shot = {.actors = &actor.view,
                             .actor_count = 1,
                             .scene = sample.scene,
                             .lines = &line,
                             .line_count = 1,
                             .form = (tr_gltf_form)form,
                             .title = "a \"test\""};
        tr_bytes bytes = {0}, again = {0};
        REQUIRE(tr_gltf_write(&shot, &bytes, NULL) == TR_OK && tr_gltf_write(&shot, &again, NULL) == TR_OK);
        CHECK(bytes.size == again.size && memcmp(bytes.data, again.data, bytes.size) == 0);
        CHECK_INT(bytes.size % 4, 0);
        uint32_t length, json_size;
        memcpy(&length, bytes.data + 8, 4);
        memcpy(&json_size, bytes.data + 12, 4);
        CHECK_INT(length, bytes.size);
        CHECK_INT(json_size % 4, 0);
        tr_json *json = NULL;
        REQUIRE(tr_json_read(NULL, bytes.data + 20, json_size, &json, NULL) == TR_OK);
        check_accessors(json, bytes.data + 28 + json_size, bytes.size - 28 - json_size);
        uint32_t asset = tr_json_member(json, tr_json_root(json), "asset");
        CHECK_CONTAINS(tr_json_text(json, tr_json_member(json, asset, "generator"), NULL), "Troupe ");
        CHECK_TEXT(
            tr_json_text(json, tr_json_member(json, tr_json_member(json, asset, "extras"), "title"), NULL),
            "a \"test\"");
        tr_json_destroy(json);
        tr_bytes_free(NULL, &bytes);
        tr_bytes_free(NULL, &again);
        shot_destroy_actor(&actor);
    }
    tr_scene_destroy(sample.scene);
}

TEST(the_scene_reads_back_with_every_triangle_where_it_was) {
    tr_sample sample = {0};
    REQUIRE(tr_sample_make(&(tr_sample_def){.name = "office"}, &sample, NULL) == TR_OK);
    // One thing is sheared, which no node can say, and one is mirrored.
    tr_affine sheared = tr_affine_identity(), mirrored = tr_affine_identity();
    sheared.m[0][1] = 0.5f;
    mirrored.m[0][0] = -1;
    REQUIRE(tr_scene_place(sample.scene, 0, &sheared) == TR_OK);
    REQUIRE(tr_scene_place(sample.scene, 1, &mirrored) == TR_OK);
    tr_gltf_shot shot = {.scene = sample.scene};
    tr_bytes bytes = {0};
    tr_scene *scene = NULL;
    REQUIRE(tr_gltf_write(&shot, &bytes, NULL) == TR_OK && tr_scene_create(NULL, &scene) == TR_OK);
    CHECK_INT(tr_gltf_read(bytes.data, bytes.size, NULL, NULL, NULL, scene, NULL), TR_OK);
    CHECK_INT(tr_scene_triangle_count(scene), tr_scene_triangle_count(sample.scene));
    CHECK_INT(tr_scene_object_count(scene), tr_scene_object_count(sample.scene));
    for (uint32_t i = 0; i < tr_scene_object_count(scene); i++) {
        tr_object_view was = tr_scene_object(sample.scene, i), is = tr_scene_object(scene, i);
        tr_mesh_view old = tr_scene_mesh(sample.scene, was.mesh), new = tr_scene_mesh(scene, is.mesh);
        CHECK_TEXT(is.name, was.name);
        REQUIRE(new.triangle_count == old.triangle_count);
        double worst = 0;
        for (uint32_t k = 0; k < old.triangle_count * 3; k++) {
            double off = apart(tr_affine_apply(&was.placement, old.positions[old.indices[k]]),
                               tr_affine_apply(&is.placement, new.positions[new.indices[k]]));
            worst = off > worst ? off : worst;
        }
        CHECK_NEAR(worst, 0, 1e-5);
    }
    tr_bytes_free(NULL, &bytes);
    tr_scene_destroy(scene);
    tr_scene_destroy(sample.scene);
}

TEST(objects_with_a_trajectory_move_in_the_file) {
    tr_scene *scene = NULL;
    static const tr_vec3 corners[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    static const uint32_t indices[3] = {0, 1, 2};
    uint32_t mesh, object;
    REQUIRE(tr_scene_create(NULL, &scene) == TR_OK);
    tr_mesh_def mesh_def = {"m", corners, 3, indices, 1};
    REQUIRE(tr_scene_add_mesh(scene, &mesh_def, &mesh, NULL) == TR_OK);
    tr_object_def object_def = {"cart", mesh, tr_affine_identity(), 0};
    REQUIRE(tr_scene_add_object(scene, &object_def, &object, NULL) == TR_OK);
    static const double times[2] = {0, 2};
    const tr_transform ends[2] = {tr_transform_identity(), {{4, 0, 2}, {0, 0.6f, 0, 0.8f}, {1, 1, 1}}};
    tr_trajectory_def trajectory = {times, ends, 2, false};
    REQUIRE(tr_scene_set_trajectory(scene, object, &trajectory, NULL) == TR_OK);
    tr_gltf_shot shot = {.scene = scene};
    tr_figures figures = shot_read_back(&shot);
    REQUIRE(figures.count == 1 && figures.items[0].clip_count == 1);
    CHECK_INT(tr_clip_frame_count(figures.items[0].clips[0]), 61);
    for (uint32_t frame = 0; frame <= 60; frame += 15) {
        tr_affine model[1];
        tr_transform at = tr_trajectory_sample(tr_scene_trajectory(scene, object), frame / 30.0);
        tr_affine expected = tr_affine_from_transform(at);
        shot_model(figures.items[0].skeleton, figures.items[0].clips[0], frame, model);
        CHECK_NEAR(apart(tr_affine_apply(&model[0], corners[1]), tr_affine_apply(&expected, corners[1])), 0,
                   1e-5);
    }
    tr_figures_destroy(&figures);
    tr_scene_destroy(scene);
}

TEST(many_joints_and_many_vertices_get_wider_numbers) {
    static tr_joint_def joints[300];
    for (uint32_t i = 0; i < 300; i++)
        joints[i] = (tr_joint_def){.name = "same", // names are made unique
                                   .parent = i ? i - 1 : TR_NONE,
                                   .rest = {{0, 0.01f, 0}, {0, 0, 0, 1}, {1, 1, 1}},
                                   .is_end = i == 299};
    tr_skeleton_def def = {.joints = joints, .joint_count = 300};
    tr_skeleton *skeleton = NULL;
    REQUIRE(tr_skeleton_create(&def, &skeleton, NULL) == TR_OK);
    tr_gltf_actor actor = {.skeleton = skeleton};
    tr_gltf_shot shot = {.actors = &actor, .actor_count = 1, .text = true};
    tr_bytes bytes = {0};
    REQUIRE(tr_gltf_write(&shot, &bytes, NULL) == TR_OK);
    tr_json *json = NULL;
    REQUIRE(tr_json_read(NULL, bytes.data, bytes.size, &json, NULL) == TR_OK);
    uint32_t root = tr_json_root(json), mesh = tr_json_item(json, tr_json_member(json, root, "meshes"), 0);
    uint32_t primitive = tr_json_item(json, tr_json_member(json, mesh, "primitives"), 0);
    uint32_t attributes = tr_json_member(json, primitive, "attributes");
    uint32_t number = (uint32_t)tr_json_number(json, tr_json_member(json, attributes, "JOINTS_0"));
    uint32_t accessor = tr_json_item(json, tr_json_member(json, root, "accessors"), number);
    CHECK_INT(tr_json_number(json, tr_json_member(json, accessor, "componentType")), 5123);
    tr_json_destroy(json);
    tr_figures figures = tr_figures_begin(NULL);
    REQUIRE(tr_gltf_read_figures(bytes.data, bytes.size, NULL, NULL, NULL, &figures, NULL) == TR_OK);
    CHECK_TEXT(tr_skeleton_joint(figures.items[0].skeleton, 298).name, "same_299");
    CHECK_TEXT(tr_skeleton_joint(figures.items[0].skeleton, 299).name, "same_end");
    CHECK(tr_skeleton_joint(figures.items[0].skeleton, 299).is_end);
    tr_figures_destroy(&figures);
    tr_bytes_free(NULL, &bytes);
    tr_skeleton_destroy(skeleton);
}

// BVH to GLB and back: the largest distance that a joint gets from where it was [m].
static double bvh_there_and_back(const void *data, size_t size, double unit) {
    tr_figure was = {0};
    tr_bvh_options options = tr_bvh_options_default();
    options.metres_per_unit = unit;
    double worst = -1;
    if (tr_bvh_read(data, size, &options, &was, NULL) != TR_OK)
        return worst;
    const tr_clip *clips[] = {was.clips[0]};
    tr_gltf_actor actor = {.name = "capture", .skeleton = was.skeleton, .clips = clips, .clip_count = 1};
    tr_gltf_shot shot = {.actors = &actor, .actor_count = 1, .form = TR_GLTF_BONES};
    tr_figures figures = shot_read_back(&shot);
    tr_bytes text = {0};
    tr_figure is = {0};
    uint32_t joints = tr_skeleton_joint_count(was.skeleton);
    if (figures.count == 1 && figures.items[0].clip_count == 1 &&
        tr_bvh_write(NULL, figures.items[0].skeleton, figures.items[0].clips[0], unit, &text, NULL) ==
            TR_OK &&
        tr_bvh_read(text.data, text.size, &options, &is, NULL) == TR_OK &&
        tr_skeleton_joint_count(is.skeleton) == joints && joints <= SHOT_JOINTS_MAX &&
        tr_clip_frame_count(is.clips[0]) == tr_clip_frame_count(was.clips[0])) {
        worst = 0;
        for (uint32_t frame = 0; frame < tr_clip_frame_count(was.clips[0]); frame += 7) {
            tr_affine a[SHOT_JOINTS_MAX], b[SHOT_JOINTS_MAX];
            shot_model(was.skeleton, was.clips[0], frame, a);
            shot_model(is.skeleton, is.clips[0], frame, b);
            for (uint32_t i = 0; i < joints; i++) {
                double off = apart(tr_affine_position(&a[i]), tr_affine_position(&b[i]));
                worst = off > worst ? off : worst;
                CHECK_TEXT(tr_skeleton_joint(is.skeleton, i).name, tr_skeleton_joint(was.skeleton, i).name);
                CHECK_INT(tr_skeleton_joint(is.skeleton, i).is_end,
                          tr_skeleton_joint(was.skeleton, i).is_end);
            }
        }
        CHECK_NEAR(tr_clip_rate(is.clips[0]), tr_clip_rate(was.clips[0]), 1e-3);
    }
    tr_bytes_free(NULL, &text);
    tr_figures_destroy(&figures);
    tr_figure_destroy(&is);
    tr_figure_destroy(&was);
    return worst;
}

TEST(bvh_to_glb_and_back_keeps_every_joint_within_a_tenth_of_a_millimetre) {
    char path[1024];
    snprintf(path, sizeof path, "%s/mocap", test_data_folder() ? test_data_folder() : "");
    DIR *folder = test_data_folder() ? opendir(path) : NULL;
    if (!folder) {
        test_skip("the data folder is absent");
        return;
    }
    int count = 0;
    for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        if (!strstr(entry->d_name, ".bvh"))
            continue;
        tr_bytes bytes = {0};
        snprintf(path, sizeof path, "%s/mocap/%s", test_data_folder(), entry->d_name);
        if (tr_file_read(NULL, path, &bytes, NULL) != TR_OK)
            test_failed(__FILE__, __LINE__, "%s cannot be read", path);
        double worst = bvh_there_and_back(bytes.data, bytes.size, 0.056444);
        if (!(worst >= 0 && worst <= 1e-4))
            test_failed(__FILE__, __LINE__, "%s is off by %g m", entry->d_name, worst);
        tr_bytes_free(NULL, &bytes);
        count++;
    }
    closedir(folder);
    CHECK(count >= 20);
}
