#include "audit_motions.h"

#include "motion/audit/audit_parts.h"
#include "troupe/base/random.h"
#include "troupe/world/distance.h"

// A body of capsules on the legs: one on the hips, one on each left bone.
static tr_body *new_body(const tr_capsule *capsules, uint32_t count, const bool *ignored) {
    tr_body_def def = {
        .joint_count = JOINTS, .capsules = capsules, .capsule_count = count, .ignored_pairs = ignored};
    tr_body *body = NULL;
    tr_error error = {0};
    if (tr_body_create(&def, &body, &error) != TR_OK)
        test_failed(__FILE__, __LINE__, "%s", error.message);
    return body;
}

static void add_triangles(tr_scene *scene, const tr_vec3 *corners, uint32_t count, uint32_t tags) {
    uint32_t indices[3000], mesh, object;
    for (uint32_t i = 0; i < 3 * count; i++)
        indices[i] = i;
    tr_mesh_def def = {
        .positions = corners, .position_count = 3 * count, .indices = indices, .triangle_count = count};
    CHECK_INT(tr_scene_add_mesh(scene, &def, &mesh, NULL), TR_OK);
    tr_object_def place = {.mesh = mesh, .placement = tr_affine_identity(), .tags = tags};
    CHECK_INT(tr_scene_add_object(scene, &place, &object, NULL), TR_OK);
}

TEST(a_body_that_walks_into_a_wall_is_as_deep_in_it_as_it_went) {
    tr_skeleton *skeleton = new_legs(true);
    const tr_capsule capsule = {HIPS, {-0.1f, 0, 0}, {0.1f, 0, 0}, 0.15f};
    tr_body *body = new_body(&capsule, 1, NULL);
    tr_scene *scene;
    REQUIRE(tr_scene_create(NULL, &scene) == TR_OK);
    tr_vec3 wall[3] = {{-5, 0, 1}, {5, 0, 1}, {0, 9, 1}};
    add_triangles(scene, wall, 1, 0);
    tr_clip *clip = new_clip(skeleton, 50, 30, false);
    for (uint32_t i = 0; i < 50; i++) // up to z = 0.98: the front of the capsule 130 mm behind the wall
        move_root(clip, skeleton, i, 0, 0, 0.02f * (float)i, BOTH_FEET);
    tr_audit_params params = on_ground(0);
    params.scene = scene, params.body = body;
    tr_audit audit = measure(skeleton, clip, &params);
    CHECK_NEAR(audit.collision_mm_max, 130, 0.01);
    CHECK_INT(audit.collisions, 7); // 0.86 is 10 mm deep: frames 43 to 49
    CHECK_INT(audit.self_collisions, 0);
    params.exclude_tags = TR_TAG_USER;
    CHECK_INT(tr_scene_set_tags(scene, 0, TR_TAG_USER), TR_OK);
    CHECK_INT(measure(skeleton, clip, &params).collisions, 0);
    tr_scene_destroy(scene);
    tr_body_destroy(body);
    tr_clip_destroy(clip);
    tr_skeleton_destroy(skeleton);
}

TEST(feet_stand_on_floors_and_run_into_walls) {
    tr_skeleton *skeleton = new_legs(true);
    const tr_capsule foot[] = {{LEFT_FOOT, {0, -0.03f, 0}, {0, -0.03f, 0.1f}, 0.06f},
                               {LEFT_TIP, {0, 0, 0}, {0, 0, 0.01f}, 0.05f}},
                     shank[] = {{LEFT_SHANK, {0, 0, 0}, {0, -0.48f, 0}, 0.05f}};
    tr_body *with_foot = new_body(foot, 2, NULL), *with_shank = new_body(shank, 1, NULL);
    tr_scene *scene;
    REQUIRE(tr_scene_create(NULL, &scene) == TR_OK);
    tr_vec3 ground[3] = {{-5, 0, -5}, {5, 0, -5}, {0, 0, 9}},
            wall[3] = {{-5, -1, 0.2f}, {5, -1, 0.2f}, {0, 9, 0.2f}};
    add_triangles(scene, ground, 1, 0);
    tr_clip *clip = new_clip(skeleton, 10, 30, false);
    tr_audit_params params = on_ground(0);
    params.scene = scene, params.body = with_foot;
    CHECK_INT(measure(skeleton, clip, &params).collisions, 0);
    params.body = with_shank; // its end hangs 20 mm over the floor with a radius of 50
    tr_audit audit = measure(skeleton, clip, &params);
    CHECK_INT(audit.collisions, 10);
    CHECK_NEAR(audit.collision_mm_max, 30, 0.01);
    add_triangles(scene, wall, 1, 0);
    params.body = with_foot;
    audit = measure(skeleton, clip, &params);
    CHECK_INT(audit.collisions, 10);
    CHECK_NEAR(audit.collision_mm_max, 20, 0.01); // the tip at z = 0.23, 30 mm behind the wall, 50 thick
    tr_scene_destroy(scene);
    tr_body_destroy(with_foot);
    tr_body_destroy(with_shank);
    tr_clip_destroy(clip);
    tr_skeleton_destroy(skeleton);
}

TEST(limbs_inside_each_other_are_self_collisions) {
    tr_skeleton *skeleton = new_legs(true);
    const tr_capsule thighs[] = {{LEFT_THIGH, {0, 0, 0}, {0, -0.4f, 0}, 0.07f},
                                 {RIGHT_THIGH, {0, 0, 0}, {0, -0.4f, 0}, 0.07f},
                                 {LEFT_SHANK, {0, 0, 0}, {0, -0.4f, 0}, 0.07f}};
    tr_body *body = new_body(thighs, 3, NULL);
    tr_clip *clip;
    tr_pose pose;
    REQUIRE(tr_pose_create(NULL, JOINTS, &pose, NULL) == TR_OK);
    tr_clip_def def = {.skeleton = skeleton, .frame_count = 20, .frames_per_second = 30};
    uint8_t channels[JOINTS];
    memset(channels, TR_CHANNEL_TURNS | TR_CHANNEL_MOVES, sizeof channels);
    def.channels = channels;
    REQUIRE(tr_clip_create(&def, &clip, NULL) == TR_OK);
    for (uint32_t i = 0; i < 20; i++) { // thighs 200 mm apart, brought together by 5 mm in each frame
        tr_pose_set_rest(&pose, skeleton);
        tr_transform thigh = tr_pose_get(&pose, LEFT_THIGH);
        thigh.position.x -= 0.005f * (float)i;
        tr_pose_set(&pose, LEFT_THIGH, thigh);
        tr_clip_set_frame(clip, i, &pose);
    }
    tr_audit_params params = on_ground(0);
    params.body = body;
    tr_audit audit = measure(skeleton, clip, &params);
    // Apart by 200 - 5 i; inside each other by more than 5 mm below 135: i = 14 to 19.
    CHECK_INT(audit.self_collisions, 6);
    CHECK_NEAR(audit.self_collision_mm_max, 35, 0.01);
    bool ignored[9] = {[1] = true, [2] = true, [5] = true};
    tr_body *blind = new_body(thighs, 3, ignored);
    params.body = blind;
    CHECK_INT(measure(skeleton, clip, &params).self_collisions, 0);
    tr_pose_destroy(&pose);
    tr_body_destroy(body);
    tr_body_destroy(blind);
    tr_clip_destroy(clip);
    tr_skeleton_destroy(skeleton);
}

static tr_vec3 random_point(tr_random *random, float reach) {
    tr_vec3 p;
    p.x = tr_random_between(random, -reach, reach);
    p.y = tr_random_between(random, 0, reach);
    p.z = tr_random_between(random, -reach, reach);
    return p;
}

static tr_scene *random_scene(tr_random *random, tr_vec3 *corners, uint32_t count) {
    tr_scene *scene = NULL;
    if (tr_scene_create(NULL, &scene) != TR_OK)
        return NULL;
    for (uint32_t i = 0; i < count; i++) {
        tr_vec3 at = random_point(random, 3);
        float size = tr_random_below(random, 10) == 0 ? 4.0f : 0.5f;
        for (int k = 0; k < 3; k++)
            corners[3 * i + (uint32_t)k] = tr_vec3_add(at, random_point(random, size));
        if (tr_random_below(random, 20) == 0) // without area
            corners[3 * i + 2] = corners[3 * i + 1];
    }
    add_triangles(scene, corners, count, 0);
    return scene;
}

TEST(collisions_match_brute_force) {
    tr_skeleton *skeleton = new_legs(true);
    const tr_capsule capsules[] = {{HIPS, {-0.1f, 0, 0}, {0.1f, 0.1f, 0}, 0.12f},
                                   {LEFT_THIGH, {0, 0, 0}, {0, -0.4f, 0}, 0.07f},
                                   {LEFT_FOOT, {0, 0, 0}, {0, -0.02f, 0.1f}, 0.05f}};
    tr_body *body = new_body(capsules, 3, NULL);
    uint32_t hit = 0, missed = 0;
    for (uint32_t seed = 0; seed < 60; seed++) {
        tr_random random = tr_random_seed(seed);
        tr_vec3 corners[3 * 200];
        uint32_t count = 1 + tr_random_below(&random, 200);
        tr_scene *scene = random_scene(&random, corners, count);
        tr_clip *clip = new_clip(skeleton, 1, 30, false);
        tr_vec3 move = random_point(&random, 3);
        move_root(clip, skeleton, 0, move.x, move.y, move.z, BOTH_FEET);
        tr_audit_params params = on_ground(0);
        params.scene = scene, params.body = body;
        tr_audit audit = measure(skeleton, clip, &params);
        float deepest = 0;
        for (uint32_t i = 0; i < 3; i++) {
            tr_vec3 at =
                tr_vec3_add(tr_affine_position(&tr_skeleton_rest_model(skeleton)[capsules[i].joint]), move);
            for (uint32_t k = 0; k < count; k++) {
                tr_vec3 normal = tr_vec3_cross(tr_vec3_subtract(corners[3 * k + 1], corners[3 * k]),
                                               tr_vec3_subtract(corners[3 * k + 2], corners[3 * k]));
                if (i == 2 && fabsf(normal.y) > 0.7f * tr_vec3_length(normal))
                    continue;
                float depth = capsules[i].radius -
                              sqrtf(tr_distance_segment_triangle(tr_vec3_add(at, capsules[i].a),
                                                                 tr_vec3_add(at, capsules[i].b),
                                                                 corners + 3 * (size_t)k, NULL, NULL));
                deepest = depth > deepest ? depth : deepest;
            }
        }
        CHECK_NEAR(audit.collision_mm_max, deepest * 1000, 1e-2);
        hit += deepest > 0, missed += deepest == 0;
        tr_clip_destroy(clip);
        tr_scene_destroy(scene);
    }
    CHECK(hit > 10 && missed > 5);
    tr_body_destroy(body);
    tr_skeleton_destroy(skeleton);
}

TEST(floors_match_brute_force) {
    uint32_t found = 0;
    for (uint32_t seed = 0; seed < 100; seed++) {
        tr_random random = tr_random_seed(seed);
        tr_vec3 corners[3 * 150];
        uint32_t count = 1 + tr_random_below(&random, 150);
        tr_scene *scene = random_scene(&random, corners, count);
        if (seed % 2)
            CHECK_INT(tr_scene_set_tags(scene, 0, TR_TAG_WALKABLE), TR_OK);
        tr_allocator allocator = tr_allocator_default();
        audit_scene trees;
        REQUIRE(tr_audit_scene_make(&allocator, scene, 0, &trees, NULL) == TR_OK);
        double reach = seed % 2 ? 0.5 : 0.1;
        for (int q = 0; q < 50; q++) {
            tr_vec3 p = random_point(&random, 3);
            double best = NAN;
            for (uint32_t k = 0; k < count; k++) {
                const tr_vec3 *c = corners + 3 * (size_t)k;
                tr_vec3 n = tr_vec3_cross(tr_vec3_subtract(c[1], c[0]), tr_vec3_subtract(c[2], c[0]));
                if (!(fabsf(n.y) > 0.7f * tr_vec3_length(n)))
                    continue;
                bool left = false, right = false; // on both sides of some edge, seen from above?
                for (int e = 0; e < 3; e++) {
                    tr_vec3 a = c[e], b = c[(e + 1) % 3];
                    double side =
                        ((double)b.x - a.x) * ((double)p.z - a.z) - ((double)b.z - a.z) * ((double)p.x - a.x);
                    left |= side > 0, right |= side < 0;
                }
                double y = c[0].y - ((double)n.x * (p.x - c[0].x) + (double)n.z * (p.z - c[0].z)) / n.y;
                if (!(left && right) && y <= p.y + reach && !(y <= best))
                    best = y;
            }
            float floor_height = tr_audit_scene_floor(&trees, p);
            CHECK(isnan(best) == isnan(floor_height));
            if (!isnan(best))
                CHECK_NEAR(floor_height, best, 1e-4);
            found += !isnan(best);
        }
        tr_audit_scene_destroy(&allocator, &trees);
        tr_scene_destroy(scene);
    }
    CHECK(found > 500);
}

TEST(many_triangles_in_one_place_are_sorted_as_well) {
    tr_scene *scene;
    REQUIRE(tr_scene_create(NULL, &scene) == TR_OK);
    tr_vec3 corners[3 * 999];
    for (uint32_t i = 0; i < 999; i++) {
        corners[3 * i] = tr_vec3_make(0, 0, 0);
        corners[3 * i + 1] = tr_vec3_make(0, 0, 1), corners[3 * i + 2] = tr_vec3_make(1, 0, 0);
    }
    add_triangles(scene, corners, 999, 0);
    tr_allocator allocator = tr_allocator_default();
    audit_scene trees;
    REQUIRE(tr_audit_scene_make(&allocator, scene, 0, &trees, NULL) == TR_OK);
    tr_box box = {{0, 0, 0}, {1, 1, 1}};
    audit_walk walk = tr_audit_walk_begin(&trees.still, box);
    uint32_t count = 0;
    while (tr_audit_walk_next(&trees.still, &walk))
        count++;
    CHECK_INT(count, 999);
    tr_audit_scene_destroy(&allocator, &trees);
    tr_scene_destroy(scene);
}

// An object that is at `from` at 0 s and at `to` at `seconds`.
static void give_motion(tr_scene *scene, uint32_t object, tr_vec3 from, tr_vec3 to, double seconds) {
    double times[2] = {0, seconds};
    tr_transform keys[2] = {tr_transform_identity(), tr_transform_identity()};
    keys[0].position = from, keys[1].position = to;
    tr_trajectory_def def = {times, keys, 2, false};
    CHECK_INT(tr_scene_set_trajectory(scene, object, &def, NULL), TR_OK);
}

TEST(a_moving_wall_is_hit_where_it_is_in_each_frame) {
    tr_skeleton *skeleton = new_legs(true);
    const tr_capsule capsule = {HIPS, {-0.1f, 0, 0}, {0.1f, 0, 0}, 0.15f};
    tr_body *body = new_body(&capsule, 1, NULL);
    tr_scene *scene;
    REQUIRE(tr_scene_create(NULL, &scene) == TR_OK);
    tr_vec3 wall[3] = {{-5, 0, 0}, {5, 0, 0}, {0, 9, 0}};
    add_triangles(scene, wall, 1, 0);
    give_motion(scene, 0, tr_vec3_make(0, 0, -1), tr_vec3_make(0, 0, 2), 3);
    tr_clip *clip = new_clip(skeleton, 91, 30, false); // stands at the origin while the wall goes by
    tr_audit_params params = on_ground(0);
    params.scene = scene, params.body = body;
    // Deeper than 5 mm where the wall is within 145 mm: at k / 30 - 1 m, frames 26 to 34.
    for (int last = 0; last < 2; last++) { // wherever the scene was left
        CHECK_INT(tr_scene_set_time(scene, last ? 3 : 0), TR_OK);
        tr_audit audit = measure(skeleton, clip, &params);
        CHECK_INT(audit.collisions, 9);
        CHECK_NEAR(audit.collision_mm_max, 150, 0.01);
    }
    params.scene_time = 2; // it has long passed
    CHECK_INT(measure(skeleton, clip, &params).collisions, 0);
    params.scene_time = -10, params.begin = 1; // it has not set out
    CHECK_INT(measure(skeleton, clip, &params).collisions, 0);
    params.scene_time = -1; // and sets out at the beginning of the part
    CHECK_INT(measure(skeleton, clip, &params).collisions, 9);
    params.scene_time = NAN;
    tr_audit audit;
    CHECK_INT(tr_audit_measure(NULL, skeleton, clip, &params, &audit, NULL), TR_INVALID);
    tr_scene_destroy(scene);
    tr_body_destroy(body);
    tr_clip_destroy(clip);
    tr_skeleton_destroy(skeleton);
}

TEST(feet_on_a_floor_that_rises_sink_in) {
    tr_skeleton *skeleton = new_legs(true);
    tr_scene *scene;
    REQUIRE(tr_scene_create(NULL, &scene) == TR_OK);
    tr_vec3 lift[3] = {{-5, 0, -5}, {5, 0, -5}, {0, 0, 9}};
    add_triangles(scene, lift, 1, TR_TAG_WALKABLE);
    give_motion(scene, 0, tr_vec3_make(0, -1, 0), tr_vec3_make(0, 1, 0), 2);
    tr_clip *clip = new_clip(skeleton, 37, 30, false);
    tr_audit_params params = on_ground(-1);
    params.scene = scene;
    CHECK_NEAR(measure(skeleton, clip, &params).penetration_mm_max, 200, 0.1);
    tr_scene_destroy(scene);
    tr_clip_destroy(clip);
    tr_skeleton_destroy(skeleton);
}

// The motion frame by frame, each in a scene that stands where it is then.
static tr_audit audit_by_frames(const tr_skeleton *skeleton, const tr_clip *clip, tr_audit_params params,
                                tr_scene *still, const tr_scene *moving) {
    tr_audit sum = {0};
    params.scene = still;
    for (uint32_t frame = 0; frame < tr_clip_frame_count(clip); frame++) {
        for (uint32_t i = 0; i < tr_scene_object_count(moving); i++) {
            const tr_trajectory *trajectory = tr_scene_trajectory(moving, i);
            tr_affine at = tr_scene_object(moving, i).placement;
            if (trajectory)
                at = tr_affine_from_transform(tr_trajectory_sample(trajectory, frame / tr_clip_rate(clip)));
            CHECK_INT(tr_scene_place(still, i, &at), TR_OK);
        }
        params.begin = params.end = frame / tr_clip_rate(clip);
        params.end += frame == 0 ? 1e-9 : 0; // 0 would be all
        tr_audit one = measure(skeleton, clip, &params);
        CHECK_INT(one.frames, 1);
        sum.collisions += one.collisions;
        sum.collision_mm_max =
            one.collision_mm_max > sum.collision_mm_max ? one.collision_mm_max : sum.collision_mm_max;
        sum.penetration_mm_max =
            one.penetration_mm_max > sum.penetration_mm_max ? one.penetration_mm_max : sum.penetration_mm_max;
    }
    return sum;
}

TEST(moving_objects_are_audited_as_if_static_in_every_frame) {
    tr_skeleton *skeleton = new_legs(true);
    const tr_capsule capsules[] = {{HIPS, {-0.1f, 0, 0}, {0.1f, 0.1f, 0}, 0.12f},
                                   {LEFT_FOOT, {0, 0, 0}, {0, -0.02f, 0.1f}, 0.05f}};
    tr_body *body = new_body(capsules, 2, NULL);
    uint32_t hit = 0, missed = 0;
    for (uint32_t seed = 0; seed < 40; seed++) {
        tr_random random = tr_random_seed(seed);
        tr_scene *scenes[2];
        tr_vec3 corners[3 * 20];
        REQUIRE(tr_scene_create(NULL, &scenes[0]) == TR_OK && tr_scene_create(NULL, &scenes[1]) == TR_OK);
        for (uint32_t object = 0; object < 6; object++) {
            for (uint32_t i = 0; i < 60; i++)
                corners[i] = random_point(&random, 0.7f);
            uint32_t tags = tr_random_below(&random, 2) ? TR_TAG_WALKABLE : 0;
            add_triangles(scenes[0], corners, 20, tags);
            add_triangles(scenes[1], corners, 20, tags);
            if (tr_random_below(&random, 3) > 0)
                give_motion(scenes[0], object, random_point(&random, 3), random_point(&random, 3), 1);
        }
        tr_clip *clip = new_clip(skeleton, 30, 30, false);
        tr_audit_params params = on_ground(0);
        params.body = body;
        tr_audit expected = audit_by_frames(skeleton, clip, params, scenes[1], scenes[0]);
        params.scene = scenes[0];
        tr_audit audit = measure(skeleton, clip, &params);
        CHECK_INT(audit.collisions, expected.collisions);
        CHECK(audit.collision_mm_max == expected.collision_mm_max);
        CHECK(audit.penetration_mm_max == expected.penetration_mm_max);
        hit += audit.collisions > 0, missed += audit.collisions < 30;
        tr_clip_destroy(clip);
        tr_scene_destroy(scenes[0]);
        tr_scene_destroy(scenes[1]);
    }
    CHECK(hit > 10 && missed > 10);
    tr_body_destroy(body);
    tr_skeleton_destroy(skeleton);
}

// The input of one attempt, made once.
static struct {
    tr_skeleton *skeleton;
    tr_clip *clip;
    tr_body *body;
    tr_scene *scene;
} world;

static bool attempt_audit(const tr_allocator *allocator) {
    tr_audit_params params = tr_audit_params_default();
    params.scene = world.scene, params.body = world.body;
    tr_audit audit = {.frames = 77};
    tr_status status = tr_audit_measure(allocator, world.skeleton, world.clip, &params, &audit, NULL);
    CHECK(status == TR_OK || (status == TR_OUT_OF_MEMORY && audit.frames == 77));
    return status == TR_OK;
}

TEST(running_out_of_memory_leaves_nothing_behind) {
    const tr_capsule capsule = {HIPS, {-0.1f, 0, 0}, {0.1f, 0, 0}, 0.15f};
    world.skeleton = new_legs(true);
    world.body = new_body(&capsule, 1, NULL);
    world.clip = new_clip(world.skeleton, 60, 30, false);
    for (uint32_t i = 0; i < 60; i++)
        move_root(world.clip, world.skeleton, i, 0, 0, 0.02f * (float)i, 0);
    REQUIRE(tr_scene_create(NULL, &world.scene) == TR_OK);
    tr_vec3 wall[3] = {{-5, 0, 1}, {5, 0, 1}, {0, 9, 1}};
    add_triangles(world.scene, wall, 1, 0);
    add_triangles(world.scene, wall, 1, 0);
    give_motion(world.scene, 1, tr_vec3_make(0, 0, 0), tr_vec3_make(0, 0, 1), 1);
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(attempt_audit) > 20);
    tr_scene_destroy(world.scene);
    tr_body_destroy(world.body);
    tr_clip_destroy(world.clip);
    tr_skeleton_destroy(world.skeleton);
}
