// Loops that walk on the spot get their speed from their feet.
#include "clip_edit_cases.h"
#include "troupe/io/motion_file.h"
#include "troupe/motion/gait.h"
#include "troupe/motion/mannequin.h"

static tr_skeleton *make_body(float height) {
    tr_skeleton *skeleton = NULL;
    tr_body *body = NULL;
    tr_mannequin_def def = {.height = height, .detail = 1};
    if (tr_mannequin_make(&def, &skeleton, &body, NULL) != TR_OK)
        abort();
    tr_body_destroy(body);
    return skeleton;
}

// One stride of a gait without its base: on the spot. Exporters write the first frame once more at the end
// and no mark that it loops, or neither of the two.
typedef enum loop_form { LOOP_MARKED, LOOP_CLOSED, LOOP_OPEN, LOOP_FORMS } loop_form;
static tr_clip *on_the_spot(const tr_skeleton *skeleton, tr_gait_kind kind, float speed, double rate,
                            loop_form form) {
    uint32_t closed = form == LOOP_CLOSED;
    tr_gait_def def = {.skeleton = skeleton, .kind = kind, .speed = speed, .frames_per_second = rate};
    tr_clip *gait = NULL, *clip = NULL;
    tr_pose pose;
    if (tr_gait_make(&def, &gait, NULL) != TR_OK)
        return NULL;
    uint32_t count = tr_clip_frame_count(gait);
    tr_clip_def like = {.skeleton = skeleton,
                        .frame_count = count + closed,
                        .frames_per_second = tr_clip_rate(gait),
                        .loop = form == LOOP_MARKED};
    if (tr_clip_create(&like, &clip, NULL) != TR_OK ||
        tr_pose_create(NULL, tr_skeleton_joint_count(skeleton), &pose, NULL) != TR_OK)
        abort();
    for (uint32_t i = 0; i < count + closed; i++) {
        tr_clip_get_frame(gait, i % count, &pose); // relative to the base
        tr_clip_set_frame(clip, i, &pose);
    }
    tr_pose_destroy(&pose);
    tr_clip_destroy(gait);
    return clip;
}

TEST(the_feet_of_a_loop_on_the_spot_tell_its_speed) {
    const struct {
        float height;
        tr_gait_kind kind;
        float speed;
        double rate;
    } cases[] = {{1.75f, TR_GAIT_WALK, 1.3f, 60}, {1.75f, TR_GAIT_WALK, 0.6f, 30},
                 {1.2f, TR_GAIT_WALK, 1.0f, 24},  {2.0f, TR_GAIT_WALK, 1.7f, 120},
                 {1.75f, TR_GAIT_JOG, 2.4f, 60},  {1.75f, TR_GAIT_RUN, 3.4f, 60},
                 {1.5f, TR_GAIT_RUN, 3.0f, 30}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tr_skeleton *skeleton = make_body(cases[i].height);
        for (int form = 0; form < LOOP_FORMS; form++) {
            uint32_t closed = form == LOOP_CLOSED;
            tr_clip *clip =
                        on_the_spot(skeleton, cases[i].kind, cases[i].speed, cases[i].rate, (loop_form)form),
                    *moving, *cycle = NULL;
            REQUIRE(clip);
            tr_travel travel;
            tr_error error = {0};
            CHECK_INT(tr_clip_edit_travel(NULL, skeleton, clip, 3, &moving, &travel, &error), TR_OK);
            CHECK_NEAR(travel.velocity.z, cases[i].speed, 0.03 * (double)cases[i].speed);
            CHECK_NEAR(travel.velocity.x, 0, 0.02 * (double)cases[i].speed);
            CHECK_NEAR(travel.ground, 0, 0.02);
            CHECK(travel.loops);
            CHECK_INT(tr_clip_frame_count(moving), 3 * (tr_clip_frame_count(clip) - closed));
            tr_cycle_params whole = {travel.period - 0.001, travel.period + 0.001};
            CHECK_INT(tr_clip_edit_cycle(NULL, skeleton, moving, &whole, &cycle, &error), TR_OK);
            CHECK_TEXT(error.message, "");
            CHECK_NEAR(tr_clip_speed(cycle), cases[i].speed, 0.03 * (double)cases[i].speed);
            CHECK(tr_clip_loops(cycle) && (tr_clip_frame_contacts(cycle, 0) & 3));
            tr_clip_destroy(cycle);
            tr_clip_destroy(moving);
            tr_clip_destroy(clip);
        }
        tr_skeleton_destroy(skeleton);
    }
}

TEST(a_clip_whose_feet_stand_keeps_its_own_motion) {
    tr_skeleton *skeleton = make_body(1.75f);
    const tr_gait_kind kinds[] = {TR_GAIT_WALK, TR_GAIT_STAND};
    for (int i = 0; i < 2; i++) {
        tr_gait_def def = {.skeleton = skeleton, .kind = kinds[i]};
        tr_clip *gait = NULL, *moving = NULL;
        tr_travel travel;
        tr_error error = {0};
        REQUIRE(tr_gait_make(&def, &gait, &error) == TR_OK);
        REQUIRE(tr_clip_edit_travel(NULL, skeleton, gait, 2, &moving, &travel, &error) == TR_OK);
        CHECK(travel.velocity.x == 0 && travel.velocity.z == 0);
        tr_pose pose, there;
        tr_pose_create(NULL, tr_skeleton_joint_count(skeleton), &pose, NULL);
        tr_pose_create(NULL, tr_skeleton_joint_count(skeleton), &there, NULL);
        uint32_t count = tr_clip_frame_count(gait);
        for (uint32_t k = 0; k < 2 * count; k += 7) {
            tr_clip_get_frame(moving, k, &pose);
            tr_clip_get_frame(gait, k % count, &there);
            tr_base base = tr_clip_base(gait, k / tr_clip_rate(gait));
            CHECK_NEAR(pose.position[2][0], base.z + there.position[2][0], 1e-4);
            CHECK_NEAR(pose.position[1][0], there.position[1][0], 1e-6);
        }
        tr_pose_destroy(&pose);
        tr_pose_destroy(&there);
        tr_clip_destroy(moving);
        tr_clip_destroy(gait);
    }
    tr_skeleton_destroy(skeleton);
}

// Four strides on the spot while the body turns: by `turn` in all [rad].
static tr_clip *turn_on_the_spot(const tr_skeleton *skeleton, double turn) {
    tr_clip *stride = on_the_spot(skeleton, TR_GAIT_WALK, 1.3f, 30, LOOP_MARKED), *clip = NULL;
    uint32_t count = tr_clip_frame_count(stride), joints = tr_skeleton_joint_count(skeleton);
    uint8_t channels[64];
    tr_pose pose;
    memset(channels, TR_CHANNEL_TURNS | TR_CHANNEL_MOVES, sizeof channels);
    tr_clip_def def = {
        .skeleton = skeleton, .channels = channels, .frame_count = 4 * count, .frames_per_second = 30};
    if (joints > sizeof channels || tr_clip_create(&def, &clip, NULL) != TR_OK ||
        tr_pose_create(NULL, joints, &pose, NULL) != TR_OK)
        abort();
    for (uint32_t i = 0; i < 4 * count; i++) {
        tr_clip_get_frame(stride, i % count, &pose);
        tr_transform root = tr_pose_get(&pose, 0);
        tr_quat turned = tr_quat_about(tr_vec3_make(0, 1, 0), turn * i / (4 * count));
        root.position = tr_quat_rotate(turned, root.position);
        root.rotation = tr_quat_multiply(turned, root.rotation);
        tr_pose_set(&pose, 0, root);
        tr_clip_set_frame(clip, i, &pose);
    }
    tr_pose_destroy(&pose);
    tr_clip_destroy(stride);
    return clip;
}

TEST(feet_without_a_velocity_in_common_have_none) {
    tr_skeleton *skeleton = make_body(1.75f);
    for (int i = 0; i < 2; i++) {
        tr_clip *clip = turn_on_the_spot(skeleton, i ? 6.0 : 0), *moving = NULL;
        tr_travel travel;
        REQUIRE(tr_clip_edit_travel(NULL, skeleton, clip, 1, &moving, &travel, NULL) == TR_OK);
        CHECK_NEAR(travel.velocity.z, i ? 0 : 1.3, i ? 1e-9 : 0.04);
        tr_clip_destroy(moving);
        tr_clip_destroy(clip);
    }
    tr_skeleton_destroy(skeleton);
}

TEST(what_cannot_travel_is_refused) {
    tr_skeleton *skeleton = make_body(1.75f);
    tr_clip *clip = on_the_spot(skeleton, TR_GAIT_WALK, 1.3f, 60, LOOP_MARKED), *moving = NULL, *one = NULL;
    tr_error error = {0};
    CHECK_INT(tr_clip_edit_travel(NULL, skeleton, clip, 0, &moving, NULL, &error), TR_INVALID);
    CHECK_INT(tr_clip_edit_travel(NULL, skeleton, clip, UINT32_MAX, &moving, NULL, &error), TR_INVALID);
    CHECK_INT(tr_clip_edit_travel(NULL, skeleton, NULL, 1, &moving, NULL, &error), TR_INVALID);
    REQUIRE(tr_clip_edit_cut(NULL, skeleton, clip, 3, 4, &one, &error) == TR_OK);
    CHECK_INT(tr_clip_edit_travel(NULL, skeleton, one, 1, &moving, NULL, &error), TR_NOT_FOUND);
    tr_joint_def joint = {.name = "box", .parent = TR_NONE, .rest = tr_transform_identity()};
    tr_skeleton *box = NULL;
    tr_clip *still = NULL;
    REQUIRE(tr_skeleton_create(&(tr_skeleton_def){.joints = &joint, .joint_count = 1}, &box, NULL) == TR_OK);
    REQUIRE(tr_clip_create(&(tr_clip_def){.skeleton = box, .frame_count = 4, .frames_per_second = 30}, &still,
                           NULL) == TR_OK);
    CHECK_INT(tr_clip_edit_travel(NULL, box, still, 1, &moving, NULL, &error), TR_NOT_FOUND);
    CHECK_CONTAINS(error.message, "left foot");
    CHECK(!moving);
    tr_clip_destroy(still);
    tr_skeleton_destroy(box);
    tr_clip_destroy(one);
    tr_clip_destroy(clip);
    tr_skeleton_destroy(skeleton);
}

static bool travel_with(const tr_allocator *allocator) {
    tr_skeleton *skeleton = make_body(1.75f);
    tr_clip *clip = on_the_spot(skeleton, TR_GAIT_WALK, 1.3f, 30, LOOP_CLOSED), *moving = NULL;
    bool done = tr_clip_edit_travel(allocator, skeleton, clip, 2, &moving, NULL, NULL) == TR_OK;
    CHECK(done || !moving);
    tr_clip_destroy(moving);
    tr_clip_destroy(clip);
    tr_skeleton_destroy(skeleton);
    return done;
}

TEST(every_allocation_of_a_travel_may_fail) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(travel_with) > 8);
}

// Stylised loops of games, read from their files. The speeds were measured by eye from the feet: how far a
// planted foot goes backwards, and in what time.
TEST(loops_of_games_become_cycles) {
    const char *folder = test_data_folder();
    if (!folder) {
        test_skip("the characters are not here");
        return;
    }
    const struct {
        const char *file, *clip;
        float speed;
    } cases[] = {{"Knight.glb", "Walking_A", 0.69f},       {"Knight.glb", "Walking_Backwards", 0.69f},
                 {"Knight.glb", "Running_A", 4.5f},        {"Knight.glb", "Running_B", 2.4f},
                 {"RobotExpressive.glb", "Walking", 4.7f}, {"RobotExpressive.glb", "Running", 6.7f}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char path[600];
        snprintf(path, sizeof path, "%s/gltf/%s", folder, cases[i].file);
        tr_figures figures = tr_figures_begin(NULL);
        tr_error error = {0};
        REQUIRE(tr_motion_file_read(path, NULL, &figures, &error) == TR_OK);
        const tr_figure *figure = &figures.items[0];
        const tr_clip *clip = tr_figure_find_clip(figure, cases[i].clip);
        REQUIRE(clip);
        tr_clip *moving = NULL, *cycle = NULL;
        tr_travel travel;
        REQUIRE(tr_clip_edit_travel(NULL, figure->skeleton, clip, 3, &moving, &travel, &error) == TR_OK);
        CHECK(travel.loops);
        tr_cycle_params whole = {travel.period - 0.01, travel.period + 0.01};
        CHECK_INT(tr_clip_edit_cycle(NULL, figure->skeleton, moving, &whole, &cycle, &error), TR_OK);
        CHECK_TEXT(error.message, "");
        REQUIRE(cycle);
        CHECK_NEAR(tr_clip_speed(cycle), cases[i].speed, 0.03 * (double)cases[i].speed);
        uint32_t all = 0;
        for (uint32_t k = 0; k < tr_clip_frame_count(cycle); k++)
            all |= tr_clip_frame_contacts(cycle, k);
        CHECK((all & 3) && (all & 12));
        tr_clip_destroy(cycle);
        tr_clip_destroy(moving);
        tr_figures_destroy(&figures);
    }
}
