// Whole clips on another body: real captures on the mannequin, what is carried over, and what is refused.
#include "motion/humanoid.h"
#include "troupe/io/bvh.h"
#include "motion/foot/foot.h"
#include "troupe/motion/gait.h"
#include "troupe/motion/mannequin.h"
#include "troupe/motion/retarget.h"

#include <math.h>

static bool read_capture(const char *name, tr_figure *figure) {
    const char *folder = test_data_folder();
    char path[600];
    tr_bytes bytes;
    tr_bvh_options options = {.skip_first = true};
    snprintf(path, sizeof path, "%s/mocap/%s.bvh", folder ? folder : "", name);
    *figure = (tr_figure){0};
    if (!folder || tr_file_read(NULL, path, &bytes, NULL) != TR_OK)
        return false;
    tr_status status = tr_bvh_read(bytes.data, bytes.size, &options, figure, NULL);
    tr_bytes_free(NULL, &bytes);
    return status == TR_OK;
}

static tr_vec3 along(const tr_skeleton *skeleton, const tr_affine *model, int role) {
    return tr_vec3_subtract(tr_affine_position(&model[tr_skeleton_with_role(skeleton, (tr_role)(role + 1))]),
                            tr_affine_position(&model[tr_skeleton_with_role(skeleton, (tr_role)role)]));
}

static void place_frame(const tr_skeleton *skeleton, const tr_clip *clip, uint32_t frame, tr_affine *model) {
    tr_pose pose;
    if (tr_pose_create(NULL, tr_skeleton_joint_count(skeleton), &pose, NULL) != TR_OK)
        return;
    tr_clip_get_frame(clip, frame, &pose);
    tr_pose_to_model(skeleton, &pose, NULL, model);
    tr_pose_destroy(&pose);
}

static double angle_between(tr_vec3 a, tr_vec3 b) {
    return atan2((double)tr_vec3_length(tr_vec3_cross(a, b)), (double)tr_vec3_dot(a, b));
}

TEST(captures_point_the_mannequins_limbs_as_they_point_their_own) {
    static const char *const names[] = {"16_15", "104_02", "127_21", "111_03", "113_19"};
    for (int i = 0; i < 5; i++) {
        tr_figure figure;
        if (!read_capture(names[i], &figure)) {
            test_skip("no data folder");
            return;
        }
        tr_mannequin_def def = {.height = 1.9f};
        tr_skeleton *skeleton = NULL;
        REQUIRE(tr_mannequin_make(&def, &skeleton, NULL, NULL) == TR_OK);
        tr_retarget_params params = {.keep_feet = false};
        tr_retarget *retarget = NULL;
        tr_clip *clip = NULL;
        tr_error error = {0};
        if (tr_retarget_create(NULL, figure.skeleton, skeleton, &params, &retarget, &error) != TR_OK)
            test_failed(__FILE__, __LINE__, "%s", error.message);
        REQUIRE(retarget && tr_retarget_clip(retarget, figure.clips[0], &clip, &error) == TR_OK);
        static const int limbs[] = {TR_ROLE_LEFT_UPPER_ARM, TR_ROLE_LEFT_FOREARM,    TR_ROLE_LEFT_THIGH,
                                    TR_ROLE_LEFT_SHANK,     TR_ROLE_RIGHT_UPPER_ARM, TR_ROLE_RIGHT_FOREARM,
                                    TR_ROLE_RIGHT_THIGH,    TR_ROLE_RIGHT_SHANK};
        double worst = 0;
        for (uint32_t frame = 0; frame < tr_clip_frame_count(clip); frame += 5) {
            tr_affine there[64], here[64];
            place_frame(figure.skeleton, figure.clips[0], frame, there);
            place_frame(skeleton, clip, frame, here);
            for (int k = 0; k < 8; k++) {
                double angle =
                    angle_between(along(figure.skeleton, there, limbs[k]), along(skeleton, here, limbs[k]));
                worst = angle > worst ? angle : worst;
            }
        }
        CHECK_NEAR(worst, 0, 1e-3);
        tr_clip_destroy(clip);
        tr_retarget_destroy(retarget);
        tr_skeleton_destroy(skeleton);
        tr_figure_destroy(&figure);
    }
}

// How far the balls of the feet move in all while they are lower than `height` and slow [m], in the source
// and in the target alike.
static void measure_slide(const tr_figure *figure, const tr_skeleton *skeleton, const tr_clip *clip,
                          double slide[2], double *lowest) {
    tr_foot there[2], here[2];
    slide[0] = slide[1] = 0;
    *lowest = 1e9;
    tr_vec3 last[2][2] = {{{0, 0, 0}}};
    for (int side = 0; side < 2; side++) {
        REQUIRE(tr_foot_measure(figure->skeleton, (uint32_t)side, &there[side]) == TR_OK);
        REQUIRE(tr_foot_measure(skeleton, (uint32_t)side, &here[side]) == TR_OK);
    }
    for (uint32_t frame = 0; frame < tr_clip_frame_count(clip); frame++) {
        tr_affine a[64], b[64];
        place_frame(figure->skeleton, figure->clips[0], frame, a);
        place_frame(skeleton, clip, frame, b);
        for (int side = 0; side < 2; side++) {
            tr_vec3 p = tr_foot_ball(&there[side], a), q = tr_foot_ball(&here[side], b);
            tr_vec3 dp = tr_vec3_subtract(p, last[0][side]), dq = tr_vec3_subtract(q, last[1][side]);
            if (frame > 0 && tr_vec3_length(dp) * 120 < 0.2f) { // the source stands
                slide[0] += (double)sqrtf(dp.x * dp.x + dp.z * dp.z);
                slide[1] += (double)sqrtf(dq.x * dq.x + dq.z * dq.z);
                *lowest = (double)q.y < *lowest ? (double)q.y : *lowest;
            }
            last[0][side] = p;
            last[1][side] = q;
        }
    }
}

TEST(feet_of_captures_stand_as_still_on_the_mannequin) {
    static const char *const names[] = {"16_15", "104_02", "127_03"};
    for (int i = 0; i < 3; i++) {
        tr_figure figure;
        if (!read_capture(names[i], &figure)) {
            test_skip("no data folder");
            return;
        }
        tr_mannequin_def def = {.height = 1.6f};
        tr_skeleton *skeleton = NULL;
        REQUIRE(tr_mannequin_make(&def, &skeleton, NULL, NULL) == TR_OK);
        double slide[2][2], lowest[2];
        for (int keep = 0; keep < 2; keep++) {
            tr_retarget_params params = {.keep_feet = keep};
            tr_retarget *retarget = NULL;
            tr_clip *clip = NULL;
            REQUIRE(tr_retarget_create(NULL, figure.skeleton, skeleton, &params, &retarget, NULL) == TR_OK);
            REQUIRE(tr_retarget_clip(retarget, figure.clips[0], &clip, NULL) == TR_OK);
            measure_slide(&figure, skeleton, clip, slide[keep], &lowest[keep]);
            tr_clip_destroy(clip);
            tr_retarget_destroy(retarget);
        }
        printf("        %s: feet of the source slide %.3f m, kept %.3f m, not kept %.3f m; lowest %.3f m\n",
               names[i], slide[1][0], slide[1][1], slide[0][1], lowest[1]);
        CHECK(slide[1][1] <= 1.1 * slide[1][0]);
        CHECK(slide[1][1] < slide[0][1]);
        tr_skeleton_destroy(skeleton);
        tr_figure_destroy(&figure);
    }
}

// The largest change of a joint's angular velocity from one frame to the next [rad per frame].
static double worst_jerk(const tr_skeleton *skeleton, const tr_clip *clip, int role) {
    tr_pose pose;
    if (tr_pose_create(NULL, tr_skeleton_joint_count(skeleton), &pose, NULL) != TR_OK)
        return INFINITY;
    uint32_t joint = tr_skeleton_with_role(skeleton, (tr_role)role);
    tr_quat before = tr_quat_identity();
    tr_vec3 last = {0, 0, 0};
    double worst = 0;
    for (uint32_t frame = 0; frame < tr_clip_frame_count(clip); frame++) {
        tr_clip_get_frame(clip, frame, &pose);
        tr_quat now = tr_pose_rotation(&pose, joint);
        tr_vec3 turn = tr_quat_to_vector(tr_quat_multiply(tr_quat_conjugate(before), now));
        double change = (double)tr_vec3_length(tr_vec3_subtract(turn, last));
        worst = frame > 1 && change > worst ? change : worst;
        before = now;
        last = turn;
    }
    tr_pose_destroy(&pose);
    return worst;
}

// A leg that is stopped in full stretch would jerk at the knee.
TEST(knees_that_keep_feet_jerk_little_more_than_those_of_the_capture) {
    static const char *const names[] = {"16_15", "127_06", "69_16"};
    for (int i = 0; i < 3; i++) {
        tr_figure figure;
        if (!read_capture(names[i], &figure)) {
            test_skip("no data folder");
            return;
        }
        tr_mannequin_def def = {.height = 0};
        tr_skeleton *skeleton = NULL;
        tr_retarget *retarget = NULL;
        tr_clip *clip = NULL;
        REQUIRE(tr_mannequin_make(&def, &skeleton, NULL, NULL) == TR_OK);
        REQUIRE(tr_retarget_create(NULL, figure.skeleton, skeleton, NULL, &retarget, NULL) == TR_OK);
        REQUIRE(tr_retarget_clip(retarget, figure.clips[0], &clip, NULL) == TR_OK);
        for (int role = TR_ROLE_LEFT_SHANK; role <= TR_ROLE_RIGHT_SHANK;
             role += TR_ROLE_RIGHT_SHANK - TR_ROLE_LEFT_SHANK)
            CHECK(worst_jerk(skeleton, clip, role) <=
                  1.8 * worst_jerk(figure.skeleton, figure.clips[0], role));
        tr_clip_destroy(clip);
        tr_retarget_destroy(retarget);
        tr_skeleton_destroy(skeleton);
        tr_figure_destroy(&figure);
    }
}

// How far the top of a foot is from pointing up [rad].
static double tilt_of(const tr_skeleton *skeleton, const tr_affine *model, int role) {
    uint32_t joint = tr_skeleton_with_role(skeleton, (tr_role)role);
    tr_quat rest = tr_affine_rotation(&tr_skeleton_rest_model(skeleton)[joint]);
    tr_quat turn = tr_quat_multiply(tr_affine_rotation(&model[joint]), tr_quat_conjugate(rest));
    return angle_between(tr_quat_rotate(turn, tr_vec3_make(0, 1, 0)), tr_vec3_make(0, 1, 0));
}

// A clip that stands for a while, its feet tilted by an angle.
static tr_clip *make_standing(const tr_skeleton *skeleton, double angle, float climb) {
    tr_clip_def def = {.skeleton = skeleton, .frame_count = 30, .frames_per_second = 30};
    tr_clip *clip = NULL;
    tr_pose pose;
    if (tr_clip_create(&def, &clip, NULL) != TR_OK ||
        tr_pose_create(NULL, tr_skeleton_joint_count(skeleton), &pose, NULL) != TR_OK)
        return clip;
    for (uint32_t frame = 0; frame < 30; frame++) {
        tr_pose_set_rest(&pose, skeleton);
        for (int role = TR_ROLE_LEFT_FOOT; role <= TR_ROLE_RIGHT_FOOT;
             role += TR_ROLE_RIGHT_FOOT - TR_ROLE_LEFT_FOOT)
            tr_pose_set_rotation(&pose, tr_skeleton_with_role(skeleton, (tr_role)role),
                                 tr_quat_about(tr_vec3_make(1, 0, 0), angle));
        tr_transform hips = tr_pose_get(&pose, 0);
        hips.position.y += climb * (float)frame;
        tr_pose_set(&pose, 0, hips);
        tr_clip_set_frame(clip, frame, &pose);
    }
    tr_pose_destroy(&pose);
    return clip;
}

TEST(tilted_feet_are_levelled_unless_the_tilt_is_intended) {
    static const struct {
        double angle, expected;
        float climb;
        bool level;
    } cases[] = {{0.12, 0, 0, true},
                 {-0.2, 0, 0, true},
                 {0.5, 0.5, 0, true},        // too much to be a mistake
                 {0.12, 0.12, 0.005f, true}, // the ground is not level
                 {0.12, 0.12, 0, false}};
    humanoid_def a = {.size = 1}, b = {.size = 1.2f, .arms = HUMANOID_ARMS_DOWN, .thigh = 0.46f};
    for (int i = 0; i < 5; i++) {
        tr_skeleton *from = humanoid_make(NULL, a, 1), *to = humanoid_make(NULL, b, 1);
        tr_clip *clip = make_standing(from, cases[i].angle, cases[i].climb), *worn = NULL;
        tr_retarget_params params = {.keep_feet = true, .level_soles = cases[i].level};
        tr_retarget *retarget = NULL;
        tr_affine model[HUMANOID_JOINTS_MAX];
        REQUIRE(clip && tr_retarget_create(NULL, from, to, &params, &retarget, NULL) == TR_OK);
        REQUIRE(tr_retarget_clip(retarget, clip, &worn, NULL) == TR_OK);
        place_frame(to, worn, 3, model);
        CHECK_NEAR(tilt_of(to, model, TR_ROLE_LEFT_FOOT), cases[i].expected, 1e-3);
        CHECK_NEAR(tilt_of(to, model, TR_ROLE_RIGHT_FOOT), cases[i].expected, 1e-3);
        // Poses by themselves are as they were before.
        tr_pose there, here;
        REQUIRE(tr_pose_create(NULL, tr_skeleton_joint_count(from), &there, NULL) == TR_OK);
        REQUIRE(tr_pose_create(NULL, tr_skeleton_joint_count(to), &here, NULL) == TR_OK);
        tr_clip_get_frame(clip, 3, &there);
        CHECK(tr_retarget_pose(retarget, &there, &here) == TR_OK);
        tr_pose_to_model(to, &here, NULL, model);
        CHECK_NEAR(tilt_of(to, model, TR_ROLE_LEFT_FOOT), fabs(cases[i].angle), 1e-3);
        tr_pose_destroy(&there);
        tr_pose_destroy(&here);
        tr_clip_destroy(worn);
        tr_clip_destroy(clip);
        tr_retarget_destroy(retarget);
        tr_skeleton_destroy(from);
        tr_skeleton_destroy(to);
    }
}

// Mean tilt of the mannequin's feet and toes while those of the capture stand [rad].
static double mean_tilt(const tr_figure *figure, const tr_skeleton *skeleton, const tr_clip *clip) {
    static const int roles[] = {TR_ROLE_LEFT_FOOT, TR_ROLE_LEFT_TOES, TR_ROLE_RIGHT_FOOT, TR_ROLE_RIGHT_TOES};
    tr_vec3 last[4] = {{0, 0, 0}};
    double sum = 0;
    int count = 0;
    for (uint32_t frame = 0; frame < tr_clip_frame_count(clip); frame++) {
        tr_affine there[64], here[64];
        place_frame(figure->skeleton, figure->clips[0], frame, there);
        place_frame(skeleton, clip, frame, here);
        for (int i = 0; i < 4; i += 2) {
            bool still = frame > 0;
            for (int k = i; k < i + 2; k++) {
                tr_vec3 p =
                    tr_affine_position(&there[tr_skeleton_with_role(figure->skeleton, (tr_role)roles[k])]);
                still = still && tr_vec3_length(tr_vec3_subtract(p, last[k])) * 120 < 0.15f;
                last[k] = p;
            }
            for (int k = i; k < i + 2 && still; k++, count++)
                sum += tilt_of(skeleton, here, roles[k]);
        }
    }
    return sum / count;
}

TEST(soles_of_captures_stand_level_on_the_mannequin) {
    static const char *const names[] = {"16_15", "127_03", "69_16"};
    for (int i = 0; i < 3; i++) {
        tr_figure figure;
        if (!read_capture(names[i], &figure)) {
            test_skip("no data folder");
            return;
        }
        tr_mannequin_def def = {.height = 0};
        tr_skeleton *skeleton = NULL;
        REQUIRE(tr_mannequin_make(&def, &skeleton, NULL, NULL) == TR_OK);
        double tilt[2];
        for (int level = 0; level < 2; level++) {
            tr_retarget_params params = {.keep_feet = true, .level_soles = level};
            tr_retarget *retarget = NULL;
            tr_clip *clip = NULL;
            REQUIRE(tr_retarget_create(NULL, figure.skeleton, skeleton, &params, &retarget, NULL) == TR_OK);
            REQUIRE(tr_retarget_clip(retarget, figure.clips[0], &clip, NULL) == TR_OK);
            tilt[level] = mean_tilt(&figure, skeleton, clip);
            tr_clip_destroy(clip);
            tr_retarget_destroy(retarget);
        }
        printf("        %s: soles that stand are tilted by %.1f degrees, levelled %.1f\n", names[i],
               tilt[0] * 57.2958, tilt[1] * 57.2958);
        CHECK(tilt[1] < tilt[0]);
        CHECK(tilt[1] < 0.1);
        tr_skeleton_destroy(skeleton);
        tr_figure_destroy(&figure);
    }
}

// The mannequin with toes this many times as long; `in_one`: feet without a joint for them.
static tr_skeleton *make_long_toes(float longer, bool in_one) {
    tr_mannequin_def def = {.height = 1.75f};
    tr_skeleton *skeleton = NULL, *made = NULL;
    tr_joint_def joints[64];
    if (tr_mannequin_make(&def, &skeleton, NULL, NULL) != TR_OK)
        return NULL;
    uint32_t count = tr_skeleton_joint_count(skeleton);
    for (uint32_t i = 0; i < count && i < 64; i++) {
        joints[i] = tr_skeleton_joint(skeleton, i);
        tr_role above = joints[i].parent == TR_NONE ? TR_ROLE_NONE : joints[joints[i].parent].role;
        if (above == TR_ROLE_LEFT_TOES || above == TR_ROLE_RIGHT_TOES)
            joints[i].rest.position = tr_vec3_scale(joints[i].rest.position, longer);
    }
    for (uint32_t i = 0; i < count && in_one; i++)
        if (joints[i].role == TR_ROLE_LEFT_TOES || joints[i].role == TR_ROLE_RIGHT_TOES)
            joints[i].role = TR_ROLE_NONE;
    tr_skeleton_def long_def = {.joints = joints, .joint_count = count};
    tr_skeleton_create(&long_def, &made, NULL);
    tr_skeleton_destroy(skeleton);
    return made;
}

// How deep the tips of the toes are below the floor, at most over a clip [m].
static double depth_of_tips(const tr_skeleton *skeleton, const tr_clip *clip) {
    tr_affine model[64];
    double most = 0;
    for (uint32_t frame = 0; frame < tr_clip_frame_count(clip); frame++) {
        place_frame(skeleton, clip, frame, model);
        for (int side = 0; side < 2; side++) {
            uint32_t tip = tr_skeleton_find(skeleton, side ? "right_toes_end" : "left_toes_end");
            most = fmax(most, -(double)tr_affine_position(&model[tip]).y);
        }
    }
    return most;
}

TEST(toes_that_are_longer_than_those_of_the_source_do_not_dip_into_the_floor) {
    tr_skeleton *from = make_long_toes(1, false);
    REQUIRE(from);
    tr_gait_def gait = {.skeleton = from, .kind = TR_GAIT_WALK, .frames_per_second = 60};
    tr_clip *walk = NULL;
    REQUIRE(tr_gait_make(&gait, &walk, NULL) == TR_OK);
    double own = depth_of_tips(from, walk);
    for (int in_one = 0; in_one < 2; in_one++)
        for (float longer = 1.5f; longer < 3.1f; longer += 0.5f) {
            tr_skeleton *to = make_long_toes(longer, in_one);
            tr_retarget *retarget = NULL;
            tr_clip *clip = NULL;
            REQUIRE(to && tr_retarget_create(NULL, from, to, NULL, &retarget, NULL) == TR_OK);
            REQUIRE(tr_retarget_clip(retarget, walk, &clip, NULL) == TR_OK);
            double depth = depth_of_tips(to, clip);
            if (!(depth < own + 0.006))
                test_failed(__FILE__, __LINE__, "%d, %g times: %g mm, at first %g", in_one, (double)longer,
                            1000 * depth, 1000 * own);
            tr_clip_destroy(clip);
            tr_retarget_destroy(retarget);
            tr_skeleton_destroy(to);
        }
    tr_clip_destroy(walk);
    tr_skeleton_destroy(from);
}

static tr_clip *make_clip(const tr_allocator *allocator, const tr_skeleton *skeleton) {
    tr_clip_def def = {.allocator = allocator,
                       .name = "stroll",
                       .skeleton = skeleton,
                       .frame_count = 4,
                       .frames_per_second = 24,
                       .loop = true};
    tr_clip *clip = NULL;
    tr_base base[4] = {{0, 0, 0}, {1, 2, 0.5f}, {2, 4, 1}, {3, 6, 1.5f}}, advance = {4, 8, 2};
    if (tr_clip_create(&def, &clip, NULL) != TR_OK)
        return NULL;
    tr_clip_set_contacts(clip, 2, TR_CONTACT_LEFT_HEEL | TR_CONTACT_RIGHT_TOES);
    if (tr_clip_set_base(clip, base, advance) == TR_OK && tr_clip_add_event(clip, 0.1, "left_step") == TR_OK)
        return clip;
    tr_clip_destroy(clip);
    return NULL;
}

TEST(rate_labels_events_base_and_name_are_carried_over) {
    humanoid_def a = {.size = 1}, b = {.size = 0.5f, .arms = HUMANOID_ARMS_DOWN};
    tr_skeleton *from = humanoid_make(NULL, a, 1), *to = humanoid_make(NULL, b, 1);
    tr_clip *clip = make_clip(NULL, from), *worn = NULL;
    tr_retarget *retarget = NULL;
    REQUIRE(clip && tr_retarget_create(NULL, from, to, NULL, &retarget, NULL) == TR_OK);
    REQUIRE(tr_retarget_clip(retarget, clip, &worn, NULL) == TR_OK);
    CHECK_TEXT(tr_clip_name(worn), "stroll");
    CHECK_NEAR(tr_clip_rate(worn), 24, 0);
    CHECK(tr_clip_loops(worn));
    CHECK_INT(tr_clip_frame_count(worn), 4);
    CHECK_INT(tr_clip_frame_contacts(worn, 2), TR_CONTACT_LEFT_HEEL | TR_CONTACT_RIGHT_TOES);
    REQUIRE(tr_clip_event_count(worn) == 1);
    CHECK_TEXT(tr_clip_get_event(worn, 0).name, "left_step");
    CHECK_NEAR(tr_clip_frame_base(worn, 3).x, 1.5, 1e-4);
    CHECK_NEAR(tr_clip_frame_base(worn, 3).heading, 1.5, 0);
    CHECK_NEAR(tr_clip_advance(worn).z, 4, 1e-4);
    tr_clip_destroy(worn);
    tr_retarget_destroy(retarget);
    // The scale of travel as given.
    tr_retarget_params params = {.keep_feet = true, .scale = 2};
    REQUIRE(tr_retarget_create(NULL, from, to, &params, &retarget, NULL) == TR_OK);
    REQUIRE(tr_retarget_clip(retarget, clip, &worn, NULL) == TR_OK);
    CHECK_NEAR(tr_clip_frame_base(worn, 3).x, 6, 0);
    tr_clip_destroy(worn);
    tr_retarget_destroy(retarget);
    tr_clip_destroy(clip);
    tr_skeleton_destroy(from);
    tr_skeleton_destroy(to);
}

TEST(a_skeleton_that_is_not_humanoid_is_refused_with_its_missing_roles) {
    humanoid_def def = {.size = 1};
    tr_skeleton *body = humanoid_make(NULL, def, 1), *other = NULL;
    tr_joint_def joints[2] = {{.parent = TR_NONE, .role = TR_ROLE_HIPS}, {.parent = 0, .role = TR_ROLE_HEAD}};
    joints[0].rest = joints[1].rest = tr_transform_identity();
    tr_skeleton_def small = {.joints = joints, .joint_count = 2};
    REQUIRE(tr_skeleton_create(&small, &other, NULL) == TR_OK);
    tr_retarget *retarget = NULL;
    tr_error error = {0};
    CHECK(tr_retarget_create(NULL, other, body, NULL, &retarget, &error) == TR_NOT_FOUND);
    CHECK_CONTAINS(error.message, "the source skeleton has no spine, left_upper_arm, left_forearm");
    CHECK_CONTAINS(error.message, "right_shank, right_foot");
    CHECK(retarget == NULL);
    CHECK(tr_retarget_create(NULL, body, other, NULL, &retarget, &error) == TR_NOT_FOUND);
    CHECK_CONTAINS(error.message, "the target skeleton has no");
    CHECK(tr_retarget_create(NULL, NULL, body, NULL, &retarget, &error) == TR_INVALID);
    static const float scales[] = {-1, NAN, INFINITY};
    for (int i = 0; i < 3; i++) {
        tr_retarget_params params = {.scale = scales[i]};
        CHECK(tr_retarget_create(NULL, body, body, &params, &retarget, &error) == TR_INVALID);
    }
    tr_retarget_destroy(NULL);
    // A body with all joints in one place has no legs.
    tr_joint_def points[HUMANOID_JOINTS_MAX];
    for (uint32_t i = 0; i < tr_skeleton_joint_count(body); i++) {
        points[i] = tr_skeleton_joint(body, i);
        points[i].rest = tr_transform_identity();
    }
    tr_skeleton_destroy(other);
    tr_skeleton_def flat = {.joints = points, .joint_count = tr_skeleton_joint_count(body)};
    REQUIRE(tr_skeleton_create(&flat, &other, NULL) == TR_OK);
    CHECK(tr_retarget_create(NULL, body, other, NULL, &retarget, &error) == TR_INVALID);
    CHECK_CONTAINS(error.message, "the legs of the target skeleton are 0 m long");
    tr_skeleton_destroy(other);
    tr_skeleton_destroy(body);
}

TEST(poses_and_clips_of_another_skeleton_are_refused) {
    humanoid_def a = {.size = 1}, b = {.size = 2, .root = true};
    tr_skeleton *from = humanoid_make(NULL, a, 1), *to = humanoid_make(NULL, b, 1);
    tr_retarget *retarget = NULL;
    tr_pose pose;
    tr_clip *clip = make_clip(NULL, to), *worn = NULL;
    tr_error error = {0};
    REQUIRE(clip && tr_retarget_create(NULL, from, to, NULL, &retarget, NULL) == TR_OK);
    REQUIRE(tr_pose_create(NULL, 3, &pose, NULL) == TR_OK);
    CHECK(tr_retarget_pose(retarget, &pose, &pose) == TR_INVALID);
    CHECK(tr_retarget_clip(retarget, clip, &worn, &error) == TR_INVALID);
    CHECK_CONTAINS(error.message, "joints, the source skeleton");
    CHECK(worn == NULL);
    tr_pose_destroy(&pose);
    tr_clip_destroy(clip);
    tr_retarget_destroy(retarget);
    tr_skeleton_destroy(from);
    tr_skeleton_destroy(to);
}

static bool try_all(const tr_allocator *allocator) {
    humanoid_def a = {.size = 1}, b = {.size = 2, .arms = HUMANOID_ARMS_DOWN};
    tr_skeleton *from = humanoid_make(NULL, a, 1), *to = humanoid_make(NULL, b, 1);
    tr_clip *clip = make_clip(NULL, from), *worn = NULL;
    tr_retarget *retarget = NULL;
    bool done = tr_retarget_create(allocator, from, to, NULL, &retarget, NULL) == TR_OK &&
                tr_retarget_clip(retarget, clip, &worn, NULL) == TR_OK;
    tr_clip_destroy(worn);
    tr_retarget_destroy(retarget);
    tr_clip_destroy(clip);
    tr_skeleton_destroy(from);
    tr_skeleton_destroy(to);
    return done;
}

TEST(running_out_of_memory_leaves_nothing_behind) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(try_all) > 10);
}
