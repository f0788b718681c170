#include "audit_motions.h"

#include "troupe/base/hash.h"

// ---- feet ----

TEST(a_foot_that_slides_by_3_mm_is_said_to_slide_by_3_mm) {
    tr_skeleton *skeleton = new_legs(true);
    tr_clip *clip = new_clip(skeleton, 40, 60, false);
    for (uint32_t i = 0; i < 40; i++) { // out by 3 mm in frames 10 to 19, and back
        float out = i < 10 ? 0 : i < 20 ? (float)(i - 9) * 0.1f : i < 30 ? 1 - (float)(i - 19) * 0.1f : 0;
        move_root(clip, skeleton, i, 0.0018f * out, 0, 0.0024f * out, BOTH_FEET);
    }
    tr_audit_params params = on_ground(0);
    tr_audit audit = measure(skeleton, clip, &params);
    CHECK_INT(audit.frames, 40);
    CHECK_NEAR(audit.fps, 60, 0);
    CHECK_INT(audit.plants, 4);
    CHECK_NEAR(audit.slide_mm_max, 3, 1e-3);
    CHECK_NEAR(audit.slide_mm_mean, 3, 1e-3);
    CHECK_NEAR(audit.plant_speed_max, 0.0003 * 60, 1e-4);
    CHECK_NEAR(audit.penetration_mm_max, 0, 1e-4);
    CHECK(isnan(audit.clearance_mm_min));
    tr_clip_destroy(clip);
    tr_skeleton_destroy(skeleton);
}

TEST(every_plant_counts_for_itself) {
    tr_skeleton *skeleton = new_legs(true);
    tr_clip *clip = new_clip(skeleton, 60, 60, false);
    // The body moves on at 2 mm a frame; the left heel stands for 6 frames, later the right toes for 11.
    for (uint32_t i = 0; i < 60; i++)
        move_root(clip, skeleton, i, 0, 0, 0.002f * (float)i,
                  i >= 5 && i < 11    ? TR_CONTACT_LEFT_HEEL
                  : i >= 30 && i < 41 ? TR_CONTACT_RIGHT_TOES
                                      : 0);
    tr_audit_params params = on_ground(0);
    tr_audit audit = measure(skeleton, clip, &params);
    CHECK_INT(audit.plants, 2);
    CHECK_NEAR(audit.slide_mm_max, 20, 1e-2);
    CHECK_NEAR(audit.slide_mm_mean, 15, 1e-2);
    CHECK_NEAR(audit.plant_speed_max, 0.12, 1e-4);
    // Only a part: the end of the first plant.
    params.begin = 8 / 60.0, params.end = 20 / 60.0;
    audit = measure(skeleton, clip, &params);
    CHECK_INT(audit.frames, 13);
    CHECK_INT(audit.plants, 1);
    CHECK_NEAR(audit.slide_mm_max, 4, 1e-2);
    tr_clip_destroy(clip);
    tr_skeleton_destroy(skeleton);
}

// Turn the whole body about a point of its left foot that stays where it is.
static void roll_about(tr_clip *clip, const tr_skeleton *skeleton, tr_vec3 point, uint32_t contacts) {
    for (uint32_t i = 0; i < tr_clip_frame_count(clip); i++) {
        tr_quat turn = tr_quat_about(tr_vec3_make(1, 0, 0), 0.02 * i);
        tr_vec3 root = {0, HIP_HEIGHT, 0}, arm = tr_vec3_subtract(root, point),
                moved = tr_vec3_add(point, tr_quat_rotate(turn, arm));
        set_root(clip, skeleton, i, tr_vec3_subtract(moved, root), turn, contacts);
    }
}

TEST(a_foot_that_rolls_about_its_point_of_contact_does_not_slide) {
    tr_skeleton *skeleton = new_legs(true);
    tr_foot foot;
    REQUIRE(tr_foot_measure(skeleton, 0, &foot) == TR_OK);
    const tr_affine *rest = tr_skeleton_rest_model(skeleton);
    tr_clip *clip = new_clip(skeleton, 20, 30, false);
    tr_audit_params params = on_ground(0);
    roll_about(clip, skeleton, tr_foot_heel(&foot, rest), TR_CONTACT_LEFT_HEEL);
    CHECK_NEAR(measure(skeleton, clip, &params).slide_mm_max, 0, 1e-3);
    roll_about(clip, skeleton, tr_foot_ball(&foot, rest), TR_CONTACT_LEFT_TOES);
    CHECK_NEAR(measure(skeleton, clip, &params).slide_mm_max, 0, 1e-3);
    roll_about(clip, skeleton, tr_foot_tip(&foot, rest), TR_CONTACT_LEFT_TOES);
    CHECK_NEAR(measure(skeleton, clip, &params).slide_mm_max, 0, 1e-3);
    // The heel is not a pivot when the labels say that the toes stand.
    roll_about(clip, skeleton, tr_foot_heel(&foot, rest), TR_CONTACT_LEFT_TOES);
    double ball = (double)tr_foot_ball(&foot, rest).z - tr_foot_heel(&foot, rest).z;
    CHECK_NEAR(measure(skeleton, clip, &params).slide_mm_max, ball * (1 - cos(0.38)) * 1000, 1e-2);
    tr_clip_destroy(clip);
    tr_skeleton_destroy(skeleton);
}

TEST(a_plant_over_the_seam_of_a_loop_is_one_plant) {
    tr_skeleton *skeleton = new_legs(true);
    tr_clip *clip = new_clip(skeleton, 30, 30, true);
    tr_base bases[30];
    for (uint32_t i = 0; i < 30; i++) {
        // The base advances by 2 m per loop; the body stays behind it by as much in the frames that stand.
        bool stands = i < 10 || i >= 20;
        float gone = 2 * (float)i / 30, back = i < 10 ? gone : i >= 20 ? gone - 2 : 0;
        bases[i] = (tr_base){0, gone, 0};
        move_root(clip, skeleton, i, 0, stands ? 0 : 0.1f, -back, stands ? BOTH_FEET : 0);
    }
    REQUIRE(tr_clip_set_base(clip, bases, (tr_base){0, 2, 0}) == TR_OK);
    tr_audit_params params = on_ground(0);
    tr_audit audit = measure(skeleton, clip, &params);
    CHECK_INT(audit.plants, 4);
    CHECK_NEAR(audit.slide_mm_max, 0, 1e-3);
    CHECK_NEAR(audit.clearance_mm_min, 100, 1e-3);
    // A foot that stands throughout the loop is one plant for each of its parts.
    tr_clip *still = new_clip(skeleton, 30, 30, true);
    for (uint32_t i = 0; i < 30; i++)
        move_root(still, skeleton, i, i == 7 ? 0.002f : 0, 0, 0, BOTH_FEET);
    audit = measure(skeleton, still, &params);
    CHECK_INT(audit.plants, 4);
    CHECK_NEAR(audit.slide_mm_max, 2, 1e-3);
    tr_clip_destroy(clip);
    tr_clip_destroy(still);
    tr_skeleton_destroy(skeleton);
}

TEST(skating_is_weighed_by_height_as_mann_does) {
    tr_skeleton *skeleton = new_legs(true);
    const double rates[] = {30, 60, 120};
    for (int k = 0; k < 3; k++) {
        tr_clip *clip = new_clip(skeleton, 61, rates[k], false);
        const float heights[] = {-0.01f, 0, 0.0125f, 0.02f, 0.025f, 0.1f};
        for (int h = 0; h < 6; h++) {
            for (uint32_t i = 0; i < 61; i++) // 0.3 m/s: 10 mm in 1/30 s
                move_root(clip, skeleton, i, 0.3f * (float)(i / rates[k]), heights[h], 0,
                          TR_CONTACT_LEFT_HEEL);
            tr_audit_params params = on_ground(0);
            double height = heights[h] > 0 ? (double)heights[h] : 0,
                   weight = height < 0.02499 ? 2 - pow(2, height / 0.025) : 0;
            CHECK_NEAR(measure(skeleton, clip, &params).skate_mm, 10 * weight, 2e-3);
        }
        tr_clip_destroy(clip);
    }
    tr_skeleton_destroy(skeleton);
}

TEST(penetration_and_swing_clearance_are_heights_over_the_ground) {
    tr_skeleton *skeleton = new_legs(true);
    tr_clip *clip = new_clip(skeleton, 60, 60, false);
    for (uint32_t i = 0; i < 60; i++) {
        // Swings from frame 20 to 39: high at first and last, 17 mm in the middle (frames 28 to 34).
        bool swings = i >= 20 && i < 40;
        float y = !swings            ? (i == 50 ? -0.007f : 0)
                  : i < 28 || i > 34 ? 0.005f
                                     : 0.017f + 0.01f * (float)(i == 31);
        move_root(clip, skeleton, i, 0, 0.5f + y, 0, swings ? 0 : BOTH_FEET);
    }
    tr_audit_params params = on_ground(0.5f);
    tr_audit audit = measure(skeleton, clip, &params);
    CHECK_NEAR(audit.penetration_mm_max, 7, 1e-3);
    CHECK_NEAR(audit.clearance_mm_min, 17, 1e-3);
    // A ground that is not given is found.
    params.ground = NAN;
    audit = measure(skeleton, clip, &params);
    CHECK_NEAR(audit.penetration_mm_max, 7, 0.5);
    CHECK_NEAR(audit.clearance_mm_min, 17, 0.5);
    tr_clip_destroy(clip);
    tr_skeleton_destroy(skeleton);
}

// A square of side 2 around (x, z) at a height.
static void add_floor(tr_scene *scene, float x, float y, float z, uint32_t tags) {
    tr_vec3 corners[] = {{x - 1, y, z - 1}, {x + 1, y, z - 1}, {x + 1, y, z + 1}, {x - 1, y, z + 1}};
    uint32_t indices[] = {0, 1, 2, 0, 2, 3}, mesh, object;
    tr_mesh_def def = {.positions = corners, .position_count = 4, .indices = indices, .triangle_count = 2};
    CHECK_INT(tr_scene_add_mesh(scene, &def, &mesh, NULL), TR_OK);
    tr_object_def place = {.mesh = mesh, .placement = tr_affine_identity(), .tags = tags};
    CHECK_INT(tr_scene_add_object(scene, &place, &object, NULL), TR_OK);
}

TEST(penetration_is_measured_from_the_floor_of_the_scene) {
    tr_skeleton *skeleton = new_legs(true);
    tr_clip *clip = new_clip(skeleton, 10, 30, false);
    tr_scene *scene;
    REQUIRE(tr_scene_create(NULL, &scene) == TR_OK);
    add_floor(scene, 0, 0.2f, 0, TR_TAG_WALKABLE);
    add_floor(scene, 0, -1, 0, TR_TAG_WALKABLE); // the storey below
    add_floor(scene, 0, 0.45f, 0, 0);            // a table is not a floor where floors are tagged
    for (uint32_t i = 0; i < 10; i++)
        move_root(clip, skeleton, i, 0, i == 3 ? 0.196f : 0.2f, 0, BOTH_FEET);
    tr_audit_params params = on_ground(0);
    params.scene = scene;
    CHECK_NEAR(measure(skeleton, clip, &params).penetration_mm_max, 4, 1e-3);
    // Beside the floor the ground counts; here the feet hang 200 mm over it.
    for (uint32_t i = 0; i < 10; i++)
        move_root(clip, skeleton, i, 5, i == 3 ? -0.002f : 0.2f, 0, BOTH_FEET);
    CHECK_NEAR(measure(skeleton, clip, &params).penetration_mm_max, 2, 1e-3);
    // Excluded objects are not there.
    for (uint32_t i = 0; i < 10; i++)
        move_root(clip, skeleton, i, 0, 0.1f, 0, BOTH_FEET);
    CHECK_NEAR(measure(skeleton, clip, &params).penetration_mm_max, 100, 1e-3);
    params.exclude_tags = TR_TAG_WALKABLE;
    CHECK_NEAR(measure(skeleton, clip, &params).penetration_mm_max, 0, 1e-3);
    tr_scene_destroy(scene);
    tr_clip_destroy(clip);
    tr_skeleton_destroy(skeleton);
}

TEST(contacts_are_found_where_there_are_no_labels) {
    tr_skeleton *skeleton = new_legs(true);
    tr_clip *clip = new_clip(skeleton, 120, 60, false);
    for (uint32_t i = 0; i < 120; i++) { // stands, hops over half a metre, stands; slides 6 mm at the end
        float part = i < 40   ? 0
                     : i < 70 ? (float)(i - 40) / 30
                              : 1,
              slide = i > 100 ? 0.006f * (float)(i - 100) / 19 : 0;
        move_root(clip, skeleton, i, 0, 0.8f * part * (1 - part), 0.5f * part + slide, 0);
    }
    tr_audit_params params = tr_audit_params_default();
    tr_audit audit = measure(skeleton, clip, &params);
    CHECK_INT(audit.plants, 8);
    CHECK_NEAR(audit.slide_mm_max, 6, 6);
    CHECK(audit.slide_mm_max > 5.5f);
    CHECK_INT(tr_clip_frame_contacts(clip, 0), 0); // the clip itself stays as it is
    tr_clip_destroy(clip);
    tr_skeleton_destroy(skeleton);
}

// ---- limits, smoothness ----

TEST(joints_beyond_their_limits_are_counted) {
    tr_skeleton *skeleton = new_legs(true);
    tr_clip *clip = new_clip(skeleton, 20, 30, false);
    tr_pose pose;
    REQUIRE(tr_pose_create(NULL, JOINTS, &pose, NULL) == TR_OK);
    for (uint32_t i = 0; i < 20; i++) {
        tr_pose_set_rest(&pose, skeleton);
        double knee = i < 5 ? 1.25 : i < 8 ? 1.005 : i < 10 ? -0.1 : 0.9; // the middle one within tolerance
        tr_pose_set_rotation(&pose, LEFT_SHANK, tr_quat_about(tr_vec3_make(1, 0, 0), knee));
        tr_clip_set_frame(clip, i, &pose);
    }
    tr_audit audit = measure(skeleton, clip, NULL);
    CHECK_INT(audit.joint_limit_violations, 7);
    CHECK_NEAR(audit.joint_limit_worst, 0.25, 1e-4);
    tr_pose_destroy(&pose);
    tr_clip_destroy(clip);
    tr_skeleton_destroy(skeleton);
}

TEST(jerk_at_30_hz_is_the_third_derivative) {
    tr_skeleton *skeleton = new_legs(true);
    const double rates[] = {30, 60, 120};
    for (int k = 0; k < 3; k++) {
        tr_clip *clip = new_clip(skeleton, (uint32_t)rates[k] + 1, rates[k], false);
        for (uint32_t i = 0; i <= (uint32_t)rates[k]; i++) {
            double t = i / rates[k];
            move_root(clip, skeleton, i, (float)(t * t * t), (float)(2 * t * t), 0, BOTH_FEET);
        }
        CHECK_NEAR(measure(skeleton, clip, NULL).jerk_30hz, 6, 0.02); // of t^3; that of t^2 is 0
        tr_clip_destroy(clip);
    }
    // One frame out of place by 1 mm, far from the origin: 1 + 3 + 3 + 1 mm over all differences.
    tr_clip *clip = new_clip(skeleton, 31, 30, false);
    for (uint32_t i = 0; i < 31; i++)
        move_root(clip, skeleton, i, i == 15 ? 0.001f : 0, 0, 0, BOTH_FEET);
    CHECK_NEAR(measure(skeleton, clip, NULL).jerk_30hz, 0.008 * 27000 / 28, 0.02);
    tr_clip_destroy(clip);
    tr_skeleton_destroy(skeleton);
}

TEST(log_dimensionless_jerk_of_a_sway_matches_the_formula) {
    tr_skeleton *skeleton = new_legs(true);
    tr_clip *clip = new_clip(skeleton, 400, 100, false);
    const double frequency = 1.3, w = 2 * TR_PI * frequency;
    for (uint32_t i = 0; i < 400; i++)
        move_root(clip, skeleton, i, (float)(0.1 * sin(w * i / 100.0)), 0, 0, BOTH_FEET);
    double worst = INFINITY;
    for (int begin = 2; begin < 280; begin++) {
        double sum = 0, most = 0;
        for (int i = begin; i < begin + 110; i++) {
            double v = 0.1 * w * cos(w * i / 100.0), jerk = -0.1 * w * w * w * cos(w * i / 100.0);
            sum += jerk * jerk / 100;
            most = fmax(most, v * v);
        }
        worst = fmin(worst, -log(1.1 * 1.1 * 1.1 / most * sum));
    }
    CHECK_NEAR(measure(skeleton, clip, NULL).ldlj, worst, 0.03);
    // Standing, and any motion shorter than a window, has none.
    for (uint32_t i = 0; i < 400; i++)
        move_root(clip, skeleton, i, 0.0001f * (float)i, 0, 0, BOTH_FEET);
    CHECK(isnan(measure(skeleton, clip, NULL).ldlj));
    tr_audit_params params = tr_audit_params_default();
    params.end = 1;
    CHECK(isnan(measure(skeleton, clip, &params).ldlj));
    tr_clip_destroy(clip);
    tr_skeleton_destroy(skeleton);
}

TEST(seams_are_jumps_of_velocity_beyond_their_neighbours) {
    tr_skeleton *skeleton = new_legs(true);
    tr_clip *clip = new_clip(skeleton, 60, 60, false);
    for (uint32_t i = 0; i < 60; i++) // 1 m/s, from frame 30 on 1.4 m/s
        move_root(clip, skeleton, i, 0, 0, (float)i / 60 + (i > 30 ? 0.4f * (float)(i - 30) / 60 : 0),
                  BOTH_FEET);
    tr_audit_params params = on_ground(0);
    CHECK_NEAR(measure(skeleton, clip, &params).seam_mps, 0, 0);
    const double seams[] = {0.2, 0.5, -3, 70};
    params.seams = seams, params.seam_count = 4;
    CHECK_NEAR(measure(skeleton, clip, &params).seam_mps, 0.4, 1e-3);
    params.seam_count = 1;
    CHECK_NEAR(measure(skeleton, clip, &params).seam_mps, 0, 1e-3);
    tr_clip_destroy(clip);

    // A loop: a steady motion along its base has no seam; a root that is back by 10 mm at the end jumps by 10
    // mm a frame, twice in a row in opposite directions.
    tr_clip *loop = new_clip(skeleton, 30, 30, true);
    tr_base bases[30];
    for (uint32_t i = 0; i < 30; i++) {
        bases[i] = (tr_base){0, (float)i / 30, 0};
        move_root(loop, skeleton, i, 0, 0, 0, BOTH_FEET);
    }
    REQUIRE(tr_clip_set_base(loop, bases, (tr_base){0, 1, 0}) == TR_OK);
    CHECK_NEAR(measure(skeleton, loop, NULL).seam_mps, 0, 1e-3);
    REQUIRE(tr_clip_set_base(loop, bases, (tr_base){0, 1.01f, 0}) == TR_OK);
    CHECK_NEAR(measure(skeleton, loop, NULL).seam_mps, 0.01 * 30, 1e-3);
    tr_clip_destroy(loop);
    tr_skeleton_destroy(skeleton);
}

TEST(feet_that_land_in_turn_make_no_seam_where_the_stride_is_cut) {
    tr_skeleton *skeleton = new_legs(true);
    uint8_t channels[JOINTS];
    memset(channels, TR_CHANNEL_TURNS | TR_CHANNEL_MOVES, sizeof channels);
    tr_clip_def def = {
        .skeleton = skeleton, .channels = channels, .frame_count = 40, .frames_per_second = 40, .loop = true};
    tr_clip *clip;
    tr_pose pose;
    REQUIRE(tr_clip_create(&def, &clip, NULL) == TR_OK && tr_pose_create(NULL, JOINTS, &pose, NULL) == TR_OK);
    for (int limps = 0; limps < 2; limps++) {
        for (uint32_t i = 0; i < 40; i++) { // each leg falls by 10 mm a frame and stops: one at 0, one at 20
            tr_pose_set_rest(&pose, skeleton);
            for (uint32_t side = 0; side < 2; side++) {
                uint32_t since = (i + 20 * side) % 40, joint = side ? RIGHT_THIGH : LEFT_THIGH;
                tr_transform leg = tr_pose_get(&pose, joint);
                float height = since > 30 ? 40 - (float)since : since > 20 ? (float)since - 20 : 0;
                leg.position.y += (side && limps ? 0.004f : 0.01f) * height;
                tr_pose_set(&pose, joint, leg);
            }
            REQUIRE(tr_clip_set_frame(clip, i, &pose) == TR_OK);
            tr_clip_set_contacts(clip, i, BOTH_FEET);
        }
        CHECK_NEAR(measure(skeleton, clip, NULL).seam_mps, limps ? 0.4 - 0.16 : 0, 1e-3);
    }
    tr_pose_destroy(&pose);
    tr_clip_destroy(clip);
    tr_skeleton_destroy(skeleton);
}

TEST(an_audit_has_the_same_bits_everywhere) {
    tr_skeleton *skeleton = new_legs(true);
    uint64_t hash = TR_HASH_START;
    for (int loop = 0; loop < 2; loop++) {
        tr_clip *clip = new_clip(skeleton, 90, 45, loop);
        for (uint32_t i = 0; i < 90; i++) {
            double slow, fast, unused;
            tr_sin_cos(i * TR_PI / 45, &slow, &unused);
            tr_sin_cos(i * TR_PI / 9, &fast, &unused);
            set_root(clip, skeleton, i,
                     tr_vec3_make((float)slow, 0.05f * (float)(fast > 0 ? fast : 0), 0.1f * (float)fast),
                     tr_quat_about(tr_vec3_make(0, 1, 0.2f), slow),
                     fast > 0 ? TR_CONTACT_LEFT_HEEL : BOTH_FEET);
        }
        tr_audit_params params = on_ground(0);
        tr_audit a = measure(skeleton, clip, &params);
        const float numbers[] = {a.slide_mm_max,     a.slide_mm_mean, a.plant_speed_max,
                                 a.skate_mm,         a.jerk_30hz,     a.penetration_mm_max,
                                 a.clearance_mm_min, a.ldlj,          a.seam_mps};
        for (int i = 0; i < 9; i++)
            CHECK(isfinite(numbers[i]) || (i == 6 && isnan(numbers[i])));
        hash = tr_hash(hash, numbers, 6 * sizeof *numbers);
        hash = tr_hash(hash, numbers + 7, 2 * sizeof *numbers);
        tr_clip_destroy(clip);
    }
    CHECK_HASH(hash, 0x071603f6c5456690u);
    tr_skeleton_destroy(skeleton);
}

// ---- unusual or invalid input ----

TEST(without_feet_the_rest_is_still_measured) {
    tr_skeleton *skeleton = new_legs(false);
    tr_clip *clip = new_clip(skeleton, 31, 30, false);
    for (uint32_t i = 0; i < 31; i++)
        move_root(clip, skeleton, i, (float)(i * i * i) / 27000, 0, 0, 0);
    tr_audit audit;
    tr_error error;
    CHECK_INT(tr_audit_measure(NULL, skeleton, clip, NULL, &audit, &error), TR_NOT_FOUND);
    CHECK_CONTAINS(error.message, "foot");
    CHECK_NEAR(audit.jerk_30hz, 6, 0.02);
    CHECK(audit.plants == 0 && audit.slide_mm_max == 0 && isnan(audit.clearance_mm_min));
    tr_clip_destroy(clip);
    tr_skeleton_destroy(skeleton);
}

TEST(motions_of_one_and_two_frames_are_audited) {
    tr_skeleton *skeleton = new_legs(true);
    for (uint32_t frames = 1; frames <= 5; frames++)
        for (int loop = 0; loop < 2; loop++) {
            tr_clip *clip = new_clip(skeleton, frames, 30, loop);
            tr_clip_set_contacts(clip, 0, BOTH_FEET);
            tr_audit audit = measure(skeleton, clip, NULL);
            CHECK_INT(audit.frames, frames);
            CHECK_INT(audit.plants, 4);
            CHECK_NEAR(audit.slide_mm_max, 0, 1e-6);
            tr_clip_destroy(clip);
        }
    tr_skeleton_destroy(skeleton);
}

TEST(bad_parameters_are_named_and_nothing_is_written) {
    tr_skeleton *skeleton = new_legs(true);
    tr_clip *clip = new_clip(skeleton, 10, 30, false);
    tr_audit audit = {.frames = 77};
    tr_error error;
    const double bad = NAN;
    for (int i = 0; i < 9; i++) {
        tr_audit_params params = tr_audit_params_default();
        switch (i) {
        case 0:
            params.begin = NAN;
            break;
        case 1:
            params.begin = 5;
            break;
        case 2:
            params.end = -1;
            break;
        case 3:
            params.begin = 0.2, params.end = 0.1;
            break;
        case 4:
            params.ground = INFINITY;
            break;
        case 5:
            params.contact_height = -1;
            break;
        case 6:
            params.contact_speed = NAN;
            break;
        case 7:
            params.seams = &bad, params.seam_count = 1;
            break;
        default:
            params.end = INFINITY;
            break;
        }
        CHECK_INT(tr_audit_measure(NULL, skeleton, clip, &params, &audit, &error), TR_INVALID);
        CHECK_INT(audit.frames, 77);
    }
    tr_joint_def one = {.parent = TR_NONE, .rest = tr_transform_identity()};
    tr_skeleton_def def = {.joints = &one, .joint_count = 1};
    tr_skeleton *other;
    REQUIRE(tr_skeleton_create(&def, &other, NULL) == TR_OK);
    CHECK_INT(tr_audit_measure(NULL, other, clip, NULL, &audit, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "11 joints");
    tr_skeleton_destroy(other);
    tr_clip_destroy(clip);
    tr_skeleton_destroy(skeleton);
}
