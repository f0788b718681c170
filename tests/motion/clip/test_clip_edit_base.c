// The base point taken out and put back; left and right exchanged.
#include "clip_edit_cases.h"

// Two roots, one of them turned: everything below them must come along.
static tr_skeleton *two_roots(void) {
    tr_joint_def joints[4] = {{.name = "hips", .parent = TR_NONE, .role = TR_ROLE_HIPS},
                              {.name = "spine", .parent = 0},
                              {.name = "prop", .parent = TR_NONE},
                              {.name = "tip", .parent = 2}};
    for (int i = 0; i < 4; i++)
        joints[i].rest = tr_transform_identity();
    joints[0].rest.position.y = 1;
    joints[0].rest.rotation = tr_quat_about(tr_vec3_make(1, 0, 0), 1.5);
    joints[1].rest.position.z = 0.4f;
    joints[3].rest.position.x = 0.3f;
    tr_skeleton_def def = {.joints = joints, .joint_count = 4};
    tr_skeleton *skeleton = NULL;
    tr_skeleton_create(&def, &skeleton, NULL);
    return skeleton;
}

// Hips at a place and heading in each frame; the hips nod, the prop follows half a metre behind.
static tr_clip *path_clip(const tr_skeleton *skeleton, const tr_base *path, uint32_t count, double rate,
                          bool loop) {
    tr_clip_def def = {.skeleton = skeleton, .frame_count = count, .frames_per_second = rate, .loop = loop};
    tr_clip *clip = NULL;
    tr_pose pose;
    if (tr_clip_create(&def, &clip, NULL) != TR_OK || tr_pose_create(NULL, 4, &pose, NULL) != TR_OK)
        abort();
    for (uint32_t i = 0; i < count; i++) {
        tr_pose_set_rest(&pose, skeleton);
        tr_quat facing = tr_quat_about(tr_vec3_make(0, 1, 0), path[i].heading);
        tr_quat nod = tr_quat_about(tr_vec3_make(1, 0, 0), 0.3 * sin(0.2 * i));
        tr_transform t = tr_pose_get(&pose, 0);
        t.position = tr_vec3_make(path[i].x, 1, path[i].z);
        t.rotation = tr_quat_multiply(facing, tr_quat_multiply(nod, t.rotation));
        tr_pose_set(&pose, 0, t);
        t = tr_pose_get(&pose, 2);
        t.position = tr_vec3_make(path[i].x, 0.2f, path[i].z - 0.5f);
        tr_pose_set(&pose, 2, t);
        CHECK_INT(tr_clip_set_frame(clip, i, &pose), TR_OK);
    }
    tr_pose_destroy(&pose);
    return clip;
}

TEST(taking_the_base_out_leaves_every_joint_where_it_was) {
    for (uint64_t seed = 0; seed < 40; seed++) {
        tr_random random = tr_random_seed(seed);
        tr_skeleton *skeleton = random_skeleton(&random, NULL);
        tr_clip *clip = random_clip(&random, skeleton, 1 + tr_random_below(&random, 50), NULL);
        REQUIRE(clip);
        for (int kind = TR_BASE_LINE; kind <= TR_BASE_FOLLOW; kind++) {
            tr_clip *taken = NULL, *again = NULL, *back = NULL;
            CHECK_INT(tr_clip_edit_take_base(NULL, skeleton, clip, (tr_base_kind)kind, &taken, NULL), TR_OK);
            REQUIRE(taken);
            CHECK(tr_clip_has_base(taken));
            CHECK(clips_apart(skeleton, clip, taken) < 2e-6);
            CHECK(same_events(clip, taken));
            CHECK_INT(tr_clip_edit_take_base(NULL, skeleton, taken, (tr_base_kind)kind, &again, NULL), TR_OK);
            REQUIRE(again);
            CHECK(clips_apart(skeleton, taken, again) < 2e-6);
            CHECK_NEAR(tr_clip_speed(again), tr_clip_speed(taken), 1e-4);
            CHECK_INT(tr_clip_edit_put_base(NULL, skeleton, again, &back, NULL), TR_OK);
            REQUIRE(back);
            CHECK(!tr_clip_has_base(back));
            CHECK(clips_apart(skeleton, clip, back) < 2e-6);
            CHECK(same_events(clip, back));
            tr_clip_destroy(taken);
            tr_clip_destroy(again);
            tr_clip_destroy(back);
        }
        tr_clip_destroy(clip);
        tr_skeleton_destroy(skeleton);
    }
}

TEST(the_line_runs_from_the_first_frame_to_the_last_at_constant_speed) {
    for (uint64_t seed = 0; seed < 40; seed++) {
        tr_random random = tr_random_seed(seed);
        tr_skeleton *skeleton = random_skeleton(&random, NULL);
        uint32_t count = 2 + tr_random_below(&random, 50);
        tr_clip *clip = random_clip(&random, skeleton, count, NULL), *taken = NULL;
        tr_pose first, last, pose;
        REQUIRE(clip && tr_pose_create(NULL, CASE_JOINTS, &first, NULL) == TR_OK);
        REQUIRE(tr_pose_create(NULL, CASE_JOINTS, &last, NULL) == TR_OK);
        REQUIRE(tr_pose_create(NULL, CASE_JOINTS, &pose, NULL) == TR_OK);
        tr_clip_get_frame(clip, 0, &first);
        tr_clip_get_frame(clip, count - 1, &last);
        CHECK_INT(tr_clip_edit_take_base(NULL, skeleton, clip, TR_BASE_LINE, &taken, NULL), TR_OK);
        REQUIRE(taken);
        double x = (double)last.position[0][0] - first.position[0][0];
        double z = (double)last.position[2][0] - first.position[2][0];
        double duration = tr_clip_duration(clip), speed = hypot(x, z) / duration;
        CHECK_NEAR(tr_clip_speed(taken), speed, 1e-5 * (1 + speed));
        for (uint32_t i = 0; i < count && speed > 0.06; i++) {
            tr_base base = tr_clip_frame_base(taken, i);
            CHECK_NEAR(base.x, first.position[0][0] + x * i / (count - 1), 1e-6);
            CHECK_NEAR(base.z, first.position[2][0] + z * i / (count - 1), 1e-6);
            CHECK_NEAR(base.heading, atan2(x, z), 1e-6);
            tr_clip_get_frame(clip, i, &pose);
            float height = pose.position[1][0];
            tr_clip_get_frame(taken, i, &pose);
            CHECK(pose.position[1][0] == height);
        }
        // Ahead is +Z: over the clip nothing is lost or won on average sideways.
        tr_base advance = tr_clip_advance(taken);
        if (speed > 0.06) {
            CHECK_NEAR(advance.x, 0, 1e-5);
            CHECK_NEAR(advance.z, hypot(x, z), 1e-5);
        }
        tr_pose_destroy(&first);
        tr_pose_destroy(&last);
        tr_pose_destroy(&pose);
        tr_clip_destroy(taken);
        tr_clip_destroy(clip);
        tr_skeleton_destroy(skeleton);
    }
}

TEST(a_loop_continues_where_its_next_pass_begins) {
    enum { COUNT = 40 };
    tr_skeleton *skeleton = two_roots();
    tr_base path[COUNT];
    for (int i = 0; i < COUNT; i++) // two metres per loop, swaying once
        path[i] = (tr_base){(float)(0.05 * sin(2 * TR_PI * i / COUNT)), 2.0f * i / COUNT, 0};
    tr_clip *clip = path_clip(skeleton, path, COUNT, 40, true), *taken = NULL, *again = NULL;
    CHECK_INT(tr_clip_edit_take_base(NULL, skeleton, clip, TR_BASE_LINE, &taken, NULL), TR_OK);
    REQUIRE(taken);
    CHECK_NEAR(tr_clip_advance(taken).z, 2, 1e-3);
    CHECK_NEAR(tr_clip_advance(taken).x, 0, 1e-3);
    CHECK_NEAR(tr_clip_speed(taken), 2, 1e-3);
    // The loop's advance is known now: taking the base out in another way does not depend on the seam again.
    CHECK_INT(tr_clip_edit_take_base(NULL, skeleton, taken, TR_BASE_FOLLOW, &again, NULL), TR_OK);
    REQUIRE(again);
    CHECK(clips_apart(skeleton, taken, again) < 2e-6);
    tr_base far = tr_clip_base(again, 7.5), here = tr_clip_base(again, 0.5);
    CHECK_NEAR(far.z - here.z, 7 * tr_clip_advance(taken).z, 1e-4);
    for (uint32_t i = 0; i < COUNT; i++) // the sway is the body's, not the base's
        CHECK_NEAR(tr_clip_frame_base(again, i).x, 0, 0.03);
    tr_clip_destroy(taken);
    tr_clip_destroy(again);
    tr_clip_destroy(clip);
    tr_skeleton_destroy(skeleton);
}

TEST(a_base_that_follows_a_loop_has_no_step_at_its_seam) {
    enum { COUNT = 90 };
    tr_skeleton *skeleton = two_roots();
    tr_base path[COUNT];
    for (int i = 0; i < COUNT; i++) { // furthest out at the seam, so that the base begins beside the hips
        double angle = 2 * TR_PI * i / COUNT;
        path[i] = (tr_base){(float)(0.3 * cos(angle)), 3.0f * (float)i / COUNT, (float)(0.2 * cos(angle))};
    }
    tr_clip *clip = path_clip(skeleton, path, COUNT, 60, true), *taken = NULL;
    CHECK_INT(tr_clip_edit_take_base(NULL, skeleton, clip, TR_BASE_FOLLOW, &taken, NULL), TR_OK);
    REQUIRE(taken);
    CHECK(fabs(tr_clip_frame_base(taken, 0).x - 0.3) > 0.03);
    double worst = 0;
    for (int i = 0; i < 2 * COUNT; i++) {
        tr_base a = tr_clip_base(taken, (i - 1) / 60.0), b = tr_clip_base(taken, i / 60.0);
        tr_base c = tr_clip_base(taken, (i + 1) / 60.0);
        worst = fmax(worst, hypot((double)a.x - 2 * b.x + c.x, (double)a.z - 2 * b.z + c.z));
    }
    CHECK(worst < 0.004); // a swing of 0.3 m per loop bends the way by less than 1.5 mm a frame
    tr_clip_destroy(taken);
    tr_clip_destroy(clip);
    tr_skeleton_destroy(skeleton);
}

TEST(a_base_that_follows_turns_with_the_hips_any_number_of_times) {
    enum { COUNT = 300 };
    tr_skeleton *skeleton = two_roots();
    tr_base path[COUNT];
    for (int i = 0; i < COUNT; i++) { // two and a half turns on a circle of 2 m, hips swaying twice a second
        double angle = 5 * TR_PI * i / (COUNT - 1);
        path[i] = (tr_base){(float)(2 * sin(angle)), (float)(-2 * cos(angle)),
                            (float)(angle + TR_PI / 2 + 0.2 * sin(2 * TR_PI * i / 15.0))};
    }
    tr_clip *clip = path_clip(skeleton, path, COUNT, 30, false), *taken = NULL;
    CHECK_INT(tr_clip_edit_take_base(NULL, skeleton, clip, TR_BASE_FOLLOW, &taken, NULL), TR_OK);
    REQUIRE(taken);
    CHECK(clips_apart(skeleton, clip, taken) < 4e-6);
    for (int i = 0; i < COUNT; i++) {
        double angle = 5 * TR_PI * i / (COUNT - 1);
        tr_base base = tr_clip_frame_base(taken, (uint32_t)i);
        bool inside = i > 30 && i < COUNT - 30;
        CHECK_NEAR(base.heading, angle + TR_PI / 2, inside ? 0.03 : 0.15);
        CHECK_NEAR(base.x, 2 * sin(angle), inside ? 0.03 : 0.2);
        CHECK_NEAR(base.z, -2 * cos(angle), inside ? 0.03 : 0.2);
    }
    tr_clip_destroy(taken);
    tr_clip_destroy(clip);
    tr_skeleton_destroy(skeleton);
}

TEST(a_loop_that_turns_keeps_turning) {
    enum { COUNT = 60 };
    tr_skeleton *skeleton = two_roots();
    tr_base path[COUNT];
    for (int i = 0; i < COUNT; i++) { // a quarter of a circle per loop
        double angle = TR_PI / 2 * i / COUNT;
        path[i] = (tr_base){(float)(3 - 3 * cos(angle)), (float)(3 * sin(angle)), (float)angle};
    }
    tr_clip *clip = path_clip(skeleton, path, COUNT, 30, true), *taken = NULL;
    CHECK_INT(tr_clip_edit_take_base(NULL, skeleton, clip, TR_BASE_FOLLOW, &taken, NULL), TR_OK);
    REQUIRE(taken);
    CHECK_NEAR(tr_clip_advance(taken).heading, TR_PI / 2, 0.01);
    double round = tr_clip_duration(taken);
    for (double time = 0; time < 4 * round; time += 0.1) {
        double angle = TR_PI / 2 * time / round;
        tr_base base = tr_clip_base(taken, time);
        CHECK_NEAR(base.x, 3 - 3 * cos(angle), 0.06);
        CHECK_NEAR(base.z, 3 * sin(angle), 0.06);
        CHECK_NEAR(base.heading, angle, 0.03);
    }
    tr_clip_destroy(taken);
    tr_clip_destroy(clip);
    tr_skeleton_destroy(skeleton);
}

TEST(a_body_that_stands_faces_where_its_hips_face) {
    tr_skeleton *skeleton = two_roots();
    tr_base path[30];
    for (int i = 0; i < 30; i++)
        path[i] = (tr_base){1 + 0.001f * i, -2, 2};
    tr_clip *clip = path_clip(skeleton, path, 30, 30, false), *taken = NULL;
    CHECK_INT(tr_clip_edit_take_base(NULL, skeleton, clip, TR_BASE_LINE, &taken, NULL), TR_OK);
    REQUIRE(taken);
    CHECK_NEAR(tr_clip_frame_base(taken, 0).heading, 2, 1e-5);
    CHECK_NEAR(tr_clip_frame_base(taken, 29).x, 1.029, 1e-6);
    tr_clip_destroy(taken);
    tr_clip_destroy(clip);
    tr_skeleton_destroy(skeleton);
}

static uint32_t other_contacts(uint32_t contacts) {
    static const uint32_t partners[8] = {2, 3, 0, 1, 5, 4, 7, 6};
    uint32_t other = 0;
    for (uint32_t bit = 0; bit < 8; bit++)
        other |= (contacts >> bit & 1) << partners[bit];
    return other;
}

// Every joint must be where its partner's reflection is, and have turned from rest as that has.
static void check_reflected(const tr_skeleton *skeleton, const tr_clip *clip, const tr_clip *mirrored) {
    case_joint rest[CASE_JOINTS], before[CASE_JOINTS], after[CASE_JOINTS];
    tr_pose pose;
    REQUIRE(tr_pose_create(NULL, CASE_JOINTS, &pose, NULL) == TR_OK);
    tr_pose_set_rest(&pose, skeleton);
    case_forward(skeleton, &pose, (tr_base){0, 0, 0}, rest);
    for (uint32_t frame = 0; frame < tr_clip_frame_count(clip); frame++) {
        tr_clip_get_frame(clip, frame, &pose);
        case_forward(skeleton, &pose, tr_clip_frame_base(clip, frame), before);
        tr_clip_get_frame(mirrored, frame, &pose);
        case_forward(skeleton, &pose, tr_clip_frame_base(mirrored, frame), after);
        CHECK_INT(tr_clip_frame_contacts(mirrored, frame),
                  other_contacts(tr_clip_frame_contacts(clip, frame)));
        for (uint32_t i = 0; i < CASE_JOINTS; i++) {
            uint32_t partner = i == 0 ? 0 : i > 8 ? i - 8 : i + 8;
            for (int k = 0; k < 3; k++) {
                CHECK_NEAR(after[i].p[k], before[partner].p[k] * (k == 0 ? -1 : 1), 5e-6);
                for (int j = 0; j < 3; j++) {
                    // (turn rest^-1)[k][j], whose reflection has the signs of both axes.
                    double own = 0, other = 0;
                    for (int l = 0; l < 3; l++) {
                        own += after[i].m[k][l] * rest[i].m[j][l];
                        other += before[partner].m[k][l] * rest[partner].m[j][l];
                    }
                    CHECK_NEAR(own, (k == 0) != (j == 0) ? -other : other, 5e-6);
                }
            }
        }
    }
    tr_pose_destroy(&pose);
}

TEST(a_mirrored_clip_is_a_reflection_whatever_the_rest_axes_are) {
    for (uint64_t seed = 0; seed < 40; seed++) {
        tr_random random = tr_random_seed(100 + seed);
        tr_skeleton *skeleton = random_skeleton(&random, NULL);
        tr_clip *clip = random_clip(&random, skeleton, 1 + tr_random_below(&random, 20), NULL);
        tr_clip *mirrored = NULL, *twice = NULL;
        if (seed % 2) {
            tr_clip *taken = NULL;
            CHECK_INT(tr_clip_edit_take_base(NULL, skeleton, clip, TR_BASE_FOLLOW, &taken, NULL), TR_OK);
            tr_clip_destroy(clip);
            clip = taken;
        }
        REQUIRE(clip);
        for (uint32_t i = 0; i < tr_clip_frame_count(clip); i++) // hands and knees
            tr_clip_set_contacts(clip, i, tr_clip_frame_contacts(clip, i) | (i * 7 & 15) << 4);
        CHECK_INT(tr_clip_edit_mirror(NULL, skeleton, clip, &mirrored, NULL), TR_OK);
        REQUIRE(mirrored);
        check_reflected(skeleton, clip, mirrored);
        CHECK_TEXT(tr_clip_get_event(mirrored, 0).name, "right_step");
        CHECK_TEXT(tr_clip_get_event(mirrored, 1).name, "door_opens");
        CHECK_INT(tr_clip_edit_mirror(NULL, skeleton, mirrored, &twice, NULL), TR_OK);
        REQUIRE(twice);
        CHECK(clips_apart(skeleton, clip, twice) < 1e-5);
        CHECK(same_events(clip, twice));
        tr_clip_destroy(clip);
        tr_clip_destroy(mirrored);
        tr_clip_destroy(twice);
        tr_skeleton_destroy(skeleton);
    }
}

TEST(mirroring_carries_scales_to_the_axis_that_matches) {
    // The right arm's axes are turned a quarter about Z: its X lies along the left arm's Y.
    tr_joint_def joints[3] = {{.name = "hips", .parent = TR_NONE, .role = TR_ROLE_HIPS},
                              {.name = "arm.L", .parent = 0},
                              {.name = "arm.R", .parent = 0}};
    for (int i = 0; i < 3; i++)
        joints[i].rest = tr_transform_identity();
    joints[1].rest.position.x = 1;
    joints[2].rest.position.x = -1;
    joints[2].rest.rotation = tr_quat_about(tr_vec3_make(0, 0, 1), TR_PI / 2);
    tr_skeleton_def def = {.joints = joints, .joint_count = 3};
    tr_skeleton *skeleton = NULL;
    REQUIRE(tr_skeleton_create(&def, &skeleton, NULL) == TR_OK);
    const uint8_t channels[3] = {TR_CHANNEL_TURNS, TR_CHANNEL_TURNS | TR_CHANNEL_SCALES, TR_CHANNEL_TURNS};
    tr_clip_def clip_def = {
        .skeleton = skeleton, .channels = channels, .frame_count = 1, .frames_per_second = 30};
    tr_clip *clip = NULL, *mirrored = NULL, *twice = NULL;
    tr_pose pose;
    REQUIRE(tr_clip_create(&clip_def, &clip, NULL) == TR_OK && tr_pose_create(NULL, 3, &pose, NULL) == TR_OK);
    tr_pose_set_rest(&pose, skeleton);
    tr_transform t = tr_pose_get(&pose, 1);
    t.scale = tr_vec3_make(1, 2, 3);
    tr_pose_set(&pose, 1, t);
    CHECK_INT(tr_clip_set_frame(clip, 0, &pose), TR_OK);
    CHECK_INT(tr_clip_edit_mirror(NULL, skeleton, clip, &mirrored, NULL), TR_OK);
    REQUIRE(mirrored);
    tr_clip_get_frame(mirrored, 0, &pose);
    t = tr_pose_get(&pose, 2);
    CHECK_NEAR(t.scale.x, 2, 1e-6);
    CHECK_NEAR(t.scale.y, 1, 1e-6);
    CHECK_NEAR(t.scale.z, 3, 1e-6);
    CHECK_INT(tr_clip_edit_mirror(NULL, skeleton, mirrored, &twice, NULL), TR_OK);
    REQUIRE(twice);
    tr_clip_get_frame(twice, 0, &pose);
    CHECK_NEAR(tr_pose_get(&pose, 1).scale.y, 2, 1e-6);
    CHECK_NEAR(tr_pose_get(&pose, 2).scale.x, 1, 1e-6);
    tr_pose_destroy(&pose);
    tr_clip_destroy(clip);
    tr_clip_destroy(mirrored);
    tr_clip_destroy(twice);
    tr_skeleton_destroy(skeleton);
}

static bool take_with(const tr_allocator *allocator) {
    tr_random random = tr_random_seed(3);
    tr_skeleton *skeleton = random_skeleton(&random, NULL);
    tr_clip *clip = random_clip(&random, skeleton, 9, NULL), *a = NULL, *b = NULL, *c = NULL;
    bool done = tr_clip_edit_take_base(allocator, skeleton, clip, TR_BASE_FOLLOW, &a, NULL) == TR_OK &&
                tr_clip_edit_mirror(allocator, skeleton, a, &b, NULL) == TR_OK &&
                tr_clip_edit_put_base(allocator, skeleton, b, &c, NULL) == TR_OK;
    tr_clip_destroy(a);
    tr_clip_destroy(b);
    tr_clip_destroy(c);
    tr_clip_destroy(clip);
    tr_skeleton_destroy(skeleton);
    return done;
}

TEST(base_and_mirror_survive_every_failing_allocation) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(take_with) > 20);
}

TEST(an_unknown_kind_of_base_is_refused) {
    tr_random random = tr_random_seed(4);
    tr_skeleton *skeleton = random_skeleton(&random, NULL), *other = two_roots();
    tr_clip *clip = random_clip(&random, skeleton, 5, NULL), *result = clip;
    tr_error error;
    CHECK_INT(tr_clip_edit_take_base(NULL, skeleton, clip, (tr_base_kind)7, &result, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "7");
    CHECK(result == NULL);
    CHECK_INT(tr_clip_edit_take_base(NULL, other, clip, TR_BASE_LINE, &result, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "17 joints");
    CHECK_INT(tr_clip_edit_mirror(NULL, other, clip, &result, NULL), TR_INVALID);
    CHECK_INT(tr_clip_edit_put_base(NULL, NULL, clip, &result, NULL), TR_INVALID);
    CHECK_INT(tr_clip_edit_mirror(NULL, skeleton, NULL, &result, NULL), TR_INVALID);
    CHECK_INT(tr_clip_edit_mirror(NULL, skeleton, clip, NULL, NULL), TR_INVALID);
    tr_clip_destroy(clip);
    tr_skeleton_destroy(skeleton);
    tr_skeleton_destroy(other);
}
