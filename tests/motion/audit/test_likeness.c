#include "test.h"

#include "troupe/base/scalar.h"
#include "troupe/motion/clip_edit.h"
#include "troupe/motion/gait.h"
#include "troupe/motion/likeness.h"
#include "troupe/motion/mannequin.h"

#include <math.h>
#include <string.h>

#define DEGREES (TR_PI / 180)

// A walker that glides along a line with known angles. Each joint turns about one axis of the body, by a
// constant plus a cosine over the stride; the right side half a stride later. Everything else is at rest.
typedef struct walker {
    double rate, speed, stride_time, seconds;
    double heading;                // of the line [deg]
    double facing;                 // of the pelvis beside it [deg]
    double turn_rate;              // of line and pelvis [deg/s]
    double slope;                  // rise over distance
    double speed_change;           // [m/s^2]
    double jump;                   // velocity added after half the time [m/s]
    tr_role role;                  // of the joint that turns; for a limb the left one
    tr_vec3 axis;                  // of its turn
    double constant, swing;        // [deg]
    double pelvis_up, pelvis_left; // of the path [m]
    bool labelled;
} walker;

static const tr_vec3 X = {1, 0, 0}, Y = {0, 1, 0};

static walker plain_walker(void) {
    return (walker){
        .rate = 60, .speed = 1.2, .stride_time = 1.1, .seconds = 6, .labelled = true, .axis = {1, 0, 0}};
}

static tr_skeleton *new_mannequin(float height) {
    tr_skeleton *skeleton = NULL;
    tr_mannequin_def def = {.height = height, .detail = 1};
    CHECK_INT(tr_mannequin_make(&def, &skeleton, NULL, NULL), TR_OK);
    return skeleton;
}

// 60 % of the stride on the ground, from the heel strike at phase 0 on.
static uint32_t labels_at(double phase) {
    double right = phase + 0.5 - floor(phase + 0.5), left = phase - floor(phase);
    return (left < 0.6 ? TR_CONTACT_LEFT_HEEL | TR_CONTACT_LEFT_TOES : 0u) |
           (right < 0.6 ? TR_CONTACT_RIGHT_HEEL | TR_CONTACT_RIGHT_TOES : 0u);
}

static void turn_joint(const walker *w, const tr_skeleton *skeleton, tr_pose *pose, tr_role role,
                       double phase, double mirror) {
    uint32_t joint = tr_skeleton_with_role(skeleton, role);
    if (joint == TR_NONE)
        return;
    double angle = w->constant + w->swing * cos(2 * TR_PI * phase);
    tr_quat turn = tr_quat_about(w->axis, angle * mirror * DEGREES);
    tr_pose_set_rotation(pose, joint, tr_quat_multiply(tr_pose_rotation(pose, joint), turn));
}

static void set_pose(const walker *w, const tr_skeleton *skeleton, double time, tr_pose *pose) {
    double phase = time / w->stride_time, heading = (w->heading + w->turn_rate * time) * DEGREES;
    double way = w->speed * time + 0.5 * w->speed_change * time * time;
    way += time > w->seconds / 2 ? w->jump * (time - w->seconds / 2) : 0;
    double x = way * sin(heading), z = way * cos(heading);
    if (w->turn_rate != 0) { // along a circle
        double radius = w->speed / (w->turn_rate * DEGREES), from = w->heading * DEGREES;
        x = radius * (cos(from) - cos(heading)), z = radius * (sin(heading) - sin(from));
    }
    double aside = w->pelvis_left * sin(2 * TR_PI * phase);
    uint32_t hips = tr_skeleton_with_role(skeleton, TR_ROLE_HIPS);
    tr_pose_set_rest(pose, skeleton);
    tr_transform root = tr_pose_get(pose, hips);
    root.position.x += (float)(x + aside * cos(heading));
    root.position.y += (float)(w->slope * way + w->pelvis_up * sin(4 * TR_PI * phase));
    root.position.z += (float)(z - aside * sin(heading));
    root.rotation = tr_quat_about(Y, heading + w->facing * DEGREES);
    tr_pose_set(pose, hips, root);
    if (w->role == TR_ROLE_NONE)
        return;
    turn_joint(w, skeleton, pose, w->role, phase, 1);
    if (tr_role_mirror(w->role) != w->role) // a turn about X is its own mirror image
        turn_joint(w, skeleton, pose, tr_role_mirror(w->role), phase + 0.5, w->axis.x != 0 ? 1 : -1);
}

static tr_clip *new_walk(const walker *w, const tr_skeleton *skeleton) {
    tr_clip_def def = {.skeleton = skeleton,
                       .frame_count = (uint32_t)(w->seconds * w->rate + 0.5) + 1,
                       .frames_per_second = w->rate};
    tr_clip *clip = NULL;
    tr_pose pose;
    CHECK_INT(tr_clip_create(&def, &clip, NULL), TR_OK);
    CHECK_INT(tr_pose_create(NULL, tr_skeleton_joint_count(skeleton), &pose, NULL), TR_OK);
    for (uint32_t i = 0; i < def.frame_count; i++) {
        set_pose(w, skeleton, i / w->rate, &pose);
        CHECK_INT(tr_clip_set_frame(clip, i, &pose), TR_OK);
        if (w->labelled)
            tr_clip_set_contacts(clip, i, labels_at(i / w->rate / w->stride_time));
    }
    tr_pose_destroy(&pose);
    return clip;
}

static tr_likeness measure_walk(const walker *w) {
    tr_likeness likeness;
    memset(&likeness, 0xff, sizeof likeness);
    tr_error error = {0};
    tr_skeleton *skeleton = new_mannequin(1.75f);
    tr_clip *clip = new_walk(w, skeleton);
    CHECK_INT(tr_likeness_measure(NULL, skeleton, clip, NULL, &likeness, &error), TR_OK);
    CHECK_TEXT(error.message, "");
    tr_clip_destroy(clip);
    tr_skeleton_destroy(skeleton);
    return likeness;
}

// Every point of a curve has the value constant + swing * cos(2 pi phase).
static void check_curve(const tr_likeness *likeness, tr_likeness_curve curve, double constant, double swing,
                        double tolerance) {
    for (int i = 0; i < TR_LIKENESS_POINTS; i++)
        CHECK_NEAR(likeness->curves[curve].values[i], constant + swing * cos(2 * TR_PI * 0.02 * i),
                   tolerance);
}

typedef struct known_angle {
    tr_role role;
    tr_vec3 axis;
    double sign; // of the curve against the turn
    tr_likeness_curve curve;
    double constant;
} known_angle;

static const known_angle known[] = {
    {TR_ROLE_LEFT_THIGH, {1, 0, 0}, -1, TR_LIKENESS_THIGH, -7},
    {TR_ROLE_LEFT_THIGH, {1, 0, 0}, -1, TR_LIKENESS_HIP, -7},
    {TR_ROLE_HIPS, {1, 0, 0}, -1, TR_LIKENESS_THIGH, 0},
    {TR_ROLE_LEFT_SHANK, {1, 0, 0}, 1, TR_LIKENESS_KNEE, 30},
    {TR_ROLE_LEFT_FOOT, {1, 0, 0}, -1, TR_LIKENESS_ANKLE, 4},
    {TR_ROLE_LEFT_FOOT, {1, 0, 0}, -1, TR_LIKENESS_FOOT_PITCH, 4},
    {TR_ROLE_LEFT_SHANK, {1, 0, 0}, -1, TR_LIKENESS_FOOT_PITCH, 30},
    {TR_ROLE_LEFT_TOES, {1, 0, 0}, -1, TR_LIKENESS_TOE, -15},
    {TR_ROLE_LEFT_UPPER_ARM, {1, 0, 0}, -1, TR_LIKENESS_ARM, -10},
    {TR_ROLE_LEFT_UPPER_ARM, {1, 0, 0}, -1, TR_LIKENESS_ARM_WORLD, -10},
    {TR_ROLE_UPPER_CHEST, {1, 0, 0}, -1, TR_LIKENESS_ARM_WORLD, 0},
    {TR_ROLE_LEFT_FOREARM, {1, 0, 0}, -1, TR_LIKENESS_ELBOW, -40},
    {TR_ROLE_HIPS, {0, 1, 0}, 1, TR_LIKENESS_HIPS_YAW, 0},
    {TR_ROLE_HIPS, {0, 0, 1}, 1, TR_LIKENESS_HIPS_ROLL, 0},
    {TR_ROLE_UPPER_CHEST, {0, 1, 0}, 1, TR_LIKENESS_CHEST_YAW, 0},
    {TR_ROLE_UPPER_CHEST, {0, 0, 1}, 1, TR_LIKENESS_CHEST_ROLL, 0},
    {TR_ROLE_HEAD, {0, 1, 0}, 1, TR_LIKENESS_HEAD_YAW, 0},
    {TR_ROLE_HEAD, {0, 0, 1}, 1, TR_LIKENESS_HEAD_ROLL, 0},
};

TEST(a_joint_that_turns_by_a_known_angle_gives_that_angle_whatever_the_heading) {
    const double headings[] = {0, 90, -135};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        for (int h = 0; h < 3; h++) {
            walker w = plain_walker();
            w.heading = headings[h];
            w.role = known[i].role, w.axis = known[i].axis;
            w.constant = known[i].constant, w.swing = 6;
            // The trunk moves with the stride of the left foot only: half a stride later its turns about X
            // are not repeated, so that they average out over the two sides.
            bool middle = tr_role_mirror(w.role) == w.role;
            if (middle && w.axis.x != 0)
                w.constant = 8, w.swing = 0;
            tr_likeness likeness = measure_walk(&w);
            check_curve(&likeness, known[i].curve, known[i].sign * w.constant, known[i].sign * w.swing, 0.2);
        }
}

TEST(pitch_is_positive_forwards) {
    const tr_role roles[] = {TR_ROLE_HIPS, TR_ROLE_UPPER_CHEST, TR_ROLE_HEAD};
    const tr_likeness_curve curves[] = {TR_LIKENESS_HIPS_PITCH, TR_LIKENESS_CHEST_PITCH,
                                        TR_LIKENESS_HEAD_PITCH};
    for (int i = 0; i < 3; i++) {
        walker w = plain_walker();
        w.heading = 70;
        w.role = roles[i], w.axis = X, w.constant = 9;
        tr_likeness likeness = measure_walk(&w);
        check_curve(&likeness, curves[i], 9, 0, 0.01);
    }
}

TEST(a_thigh_is_measured_against_the_pelvis_and_against_the_world) {
    walker w = plain_walker();
    w.role = TR_ROLE_HIPS, w.axis = X, w.constant = 8;
    tr_likeness likeness = measure_walk(&w);
    check_curve(&likeness, TR_LIKENESS_THIGH, -8, 0, 0.01); // the leg swings back with the pelvis
    check_curve(&likeness, TR_LIKENESS_HIP, 0, 0, 0.01);
    w.role = TR_ROLE_UPPER_CHEST;
    likeness = measure_walk(&w);
    check_curve(&likeness, TR_LIKENESS_ARM, 0, 0, 0.01);
}

TEST(left_and_right_are_averaged) {
    tr_skeleton *skeleton = new_mannequin(1.75f);
    walker w = plain_walker();
    w.role = TR_ROLE_LEFT_SHANK, w.constant = 20;
    tr_clip *clip = new_walk(&w, skeleton);
    uint32_t shank = tr_skeleton_with_role(skeleton, TR_ROLE_RIGHT_SHANK);
    tr_pose pose;
    REQUIRE(tr_pose_create(NULL, tr_skeleton_joint_count(skeleton), &pose, NULL) == TR_OK);
    for (uint32_t i = 0; i < tr_clip_frame_count(clip); i++) {
        tr_clip_get_frame(clip, i, &pose);
        tr_pose_set_rotation(&pose, shank, tr_quat_about(X, 50 * DEGREES));
        tr_clip_set_frame(clip, i, &pose);
    }
    tr_likeness likeness;
    REQUIRE(tr_likeness_measure(NULL, skeleton, clip, NULL, &likeness, NULL) == TR_OK);
    double left = likeness.strides[0], right = likeness.strides[1];
    CHECK(left > 0 && right > 0);
    check_curve(&likeness, TR_LIKENESS_KNEE, (20 * left + 50 * right) / (left + right), 0, 0.01);
    tr_pose_destroy(&pose);
    tr_clip_destroy(clip);
    tr_skeleton_destroy(skeleton);
}

TEST(the_path_of_the_pelvis_has_no_trend_and_no_mean) {
    const double rates[] = {25, 30, 60, 120};
    for (int r = 0; r < 4; r++)
        for (double heading = 0; heading < 360; heading += 120) {
            walker w = plain_walker();
            w.rate = rates[r], w.heading = heading;
            w.pelvis_up = 0.015, w.pelvis_left = 0.025;
            w.slope = 0.02;
            tr_likeness likeness = measure_walk(&w);
            for (int i = 0; i < TR_LIKENESS_POINTS; i++) {
                double phase = 2 * TR_PI * 0.02 * i;
                // A label is half a frame off at most, and positions between frames lie on chords.
                double off = 1000 * 0.5 / w.rate / w.stride_time * 4 * TR_PI;
                CHECK_NEAR(likeness.curves[TR_LIKENESS_PELVIS_HEIGHT].values[i], 15 * sin(2 * phase),
                           0.015 * off + 0.4);
                CHECK_NEAR(likeness.curves[TR_LIKENESS_PELVIS_SIDE].values[i], 25 * sin(phase),
                           0.025 * off / 2 + 0.4);
            }
        }
}

TEST(stride_cadence_and_speed_are_those_of_the_walk) {
    const double rates[] = {25, 30, 60, 120}, speeds[] = {0.9, 1.4, 1.9};
    for (int r = 0; r < 4; r++)
        for (int s = 0; s < 3; s++) {
            walker w = plain_walker();
            w.rate = rates[r], w.speed = speeds[s];
            tr_likeness likeness = measure_walk(&w);
            CHECK_NEAR(likeness.speed, w.speed, 1e-3);
            CHECK_NEAR(likeness.stride_length, w.speed * w.stride_time, 0.02 * w.speed);
            CHECK_NEAR(likeness.cadence, 120 / w.stride_time, 1.5);
            // 0.491 of the height is thigh and shank (Boulic, Thalmann & Thalmann 1990).
            CHECK_NEAR(likeness.people_stride_length, 1.346 * sqrt(w.speed * 0.491 * 1.75), 0.02);
            CHECK_NEAR(likeness.people_cadence * likeness.people_stride_length, 120 * w.speed, 0.01);
            // 6 s from the middle of a step on: strikes at 1.1, ..., 5.5 s and at 0.55, ..., 5.5 + 0.44 s.
            CHECK_INT(likeness.strides[0], 4);
            CHECK_INT(likeness.strides[1], 4);
            CHECK_INT(likeness.found, 8);
        }
}

TEST(a_jump_of_the_hips_velocity_shows) {
    walker w = plain_walker();
    CHECK_NEAR(measure_walk(&w).hip_jump, 0, 2e-3);
    for (w.jump = 0.04; w.jump < 0.1; w.jump += 0.02)
        CHECK_NEAR(measure_walk(&w).hip_jump, w.jump, 4e-3);
}

static void check_refused(const walker *w, const char *why) {
    tr_error error = {0};
    tr_likeness likeness = {.found = 77};
    tr_skeleton *skeleton = new_mannequin(1.75f);
    tr_clip *clip = new_walk(w, skeleton);
    CHECK_INT(tr_likeness_measure(NULL, skeleton, clip, NULL, &likeness, &error), TR_NOT_FOUND);
    CHECK_CONTAINS(error.message, why);
    CHECK_INT(likeness.found, 77);
    tr_clip_destroy(clip);
    tr_skeleton_destroy(skeleton);
}

TEST(strides_that_are_not_steady_walking_are_left_out) {
    walker w = plain_walker();
    w.speed = 0.7;
    check_refused(&w, "is slower than 0.8 m/s");
    w.speed = 2.1;
    check_refused(&w, "is faster than 2 m/s");
    w = plain_walker(), w.speed = 0.9, w.speed_change = 0.7, w.seconds = 1.9;
    check_refused(&w, "changes its speed");
    w = plain_walker(), w.turn_rate = 6;
    check_refused(&w, "turns by 5 degrees");
    w = plain_walker(), w.facing = 90;
    check_refused(&w, "does not go ahead");
    w.facing = 180;
    check_refused(&w, "does not go ahead");
    w = plain_walker(), w.slope = 0.1;
    check_refused(&w, "is not level");
    w = plain_walker(), w.labelled = false, w.speed = 0;
    check_refused(&w, "no stride");
    w = plain_walker(), w.turn_rate = 4;
    CHECK_INT(measure_walk(&w).strides[0], 4);
}

static tr_clip *new_gait(const tr_skeleton *skeleton, float speed, double rate) {
    tr_clip *clip = NULL;
    tr_gait_def def = {.skeleton = skeleton, .kind = TR_GAIT_WALK, .speed = speed, .frames_per_second = rate};
    CHECK_INT(tr_gait_make(&def, &clip, NULL), TR_OK);
    return clip;
}

static tr_likeness measure_clip(const tr_skeleton *skeleton, const tr_clip *clip, bool find_contacts) {
    tr_likeness likeness;
    memset(&likeness, 0xff, sizeof likeness);
    tr_audit_params params = tr_audit_params_default();
    params.find_contacts = find_contacts;
    CHECK_INT(tr_likeness_measure(NULL, skeleton, clip, &params, &likeness, NULL), TR_OK);
    return likeness;
}

// The largest difference of two curves, over all of them.
static double difference(const tr_likeness *a, const tr_likeness *b) {
    double most = 0;
    for (int c = 0; c < TR_LIKENESS_CURVES; c++)
        for (int i = 0; i < TR_LIKENESS_POINTS; i++) {
            double off = fabs((double)a->curves[c].values[i] - (double)b->curves[c].values[i]);
            most = off > most ? off : most;
        }
    return most;
}

TEST(a_loop_of_one_stride_has_one_stride_of_each_foot) {
    const double rates[] = {25, 30, 60, 120};
    tr_skeleton *skeleton = new_mannequin(1.75f);
    for (int r = 0; r < 4; r++) {
        tr_clip *clip = new_gait(skeleton, 1.4f, rates[r]);
        for (int found = 0; found < 2; found++) {
            tr_likeness likeness = measure_clip(skeleton, clip, found);
            CHECK_INT(likeness.strides[0], 1);
            CHECK_INT(likeness.strides[1], 1);
            CHECK_NEAR(likeness.speed, 1.4, 0.03);
            CHECK(!isnan(likeness.ldlj));
        }
        tr_clip_destroy(clip);
    }
    tr_skeleton_destroy(skeleton);
}

TEST(frame_rates_agree) {
    const double rates[] = {25, 30, 50, 60};
    tr_skeleton *skeleton = new_mannequin(1.75f);
    tr_clip *clip = new_gait(skeleton, 1.4f, 120);
    tr_likeness fine = measure_clip(skeleton, clip, false);
    for (int r = 0; r < 4; r++) {
        tr_clip *coarse = NULL;
        REQUIRE(tr_clip_edit_resample(NULL, skeleton, clip, rates[r], &coarse, NULL) == TR_OK);
        tr_likeness likeness = measure_clip(skeleton, coarse, false);
        for (int c = 0; c < TR_LIKENESS_CURVES; c++)
            if (!isnan(fine.curves[c].shift))
                CHECK_NEAR(likeness.curves[c].shift, fine.curves[c].shift, 0.7);
        CHECK_NEAR(likeness.likeness, fine.likeness, 0.02);
        CHECK_NEAR(likeness.hip_jump, fine.hip_jump, 0.03);
        tr_clip_destroy(coarse);
    }
    tr_clip_destroy(clip);
    tr_skeleton_destroy(skeleton);
}

TEST(a_mirrored_walk_is_just_as_like_people) {
    tr_skeleton *skeleton = new_mannequin(1.6f);
    for (float speed = 1.0f; speed < 1.7f; speed += 0.3f) {
        tr_clip *clip = new_gait(skeleton, speed, 60), *mirrored = NULL;
        REQUIRE(tr_clip_edit_mirror(NULL, skeleton, clip, &mirrored, NULL) == TR_OK);
        for (int found = 0; found < 2; found++) {
            tr_likeness a = measure_clip(skeleton, clip, found), b = measure_clip(skeleton, mirrored, found);
            CHECK_NEAR(difference(&a, &b), 0, 0.01);
            CHECK_NEAR(a.likeness, b.likeness, 0.01);
        }
        tr_clip_destroy(mirrored);
        tr_clip_destroy(clip);
    }
    tr_skeleton_destroy(skeleton);
}

TEST(labels_do_not_move_strikes) {
    for (float height = 1.5f; height < 2.0f; height += 0.2f) {
        tr_skeleton *skeleton = new_mannequin(height);
        for (float speed = 1.0f; speed < 1.7f; speed += 0.3f) {
            tr_clip *clip = new_gait(skeleton, speed, 60);
            tr_likeness labelled = measure_clip(skeleton, clip, false),
                        found = measure_clip(skeleton, clip, true);
            CHECK_NEAR(difference(&found, &labelled), 0, 1e-3);
            CHECK_NEAR(found.speed, labelled.speed, 0.01);
            tr_clip_destroy(clip);
        }
        tr_skeleton_destroy(skeleton);
    }
}

TEST(joints_without_roles_leave_their_curves_out) {
    tr_skeleton *whole = new_mannequin(1.75f), *skeleton = NULL;
    tr_joint_def joints[128];
    uint32_t count = tr_skeleton_joint_count(whole);
    REQUIRE(count <= 128);
    for (uint32_t i = 0; i < count; i++) {
        joints[i] = tr_skeleton_joint(whole, i);
        if (joints[i].role == TR_ROLE_LEFT_HAND || joints[i].role == TR_ROLE_RIGHT_TOES)
            joints[i].role = TR_ROLE_NONE;
    }
    tr_skeleton_def def = {.joints = joints, .joint_count = count};
    REQUIRE(tr_skeleton_create(&def, &skeleton, NULL) == TR_OK);
    walker w = plain_walker();
    tr_clip *clip = new_walk(&w, skeleton);
    tr_likeness likeness;
    CHECK_INT(tr_likeness_measure(NULL, skeleton, clip, NULL, &likeness, NULL), TR_OK);
    for (int c = 0; c < TR_LIKENESS_CURVES; c++)
        CHECK_INT(likeness.curves[c].measured, c != TR_LIKENESS_ELBOW && c != TR_LIKENESS_TOE);
    tr_clip_destroy(clip);
    tr_skeleton_destroy(skeleton);
    tr_skeleton_destroy(whole);
}

TEST(bad_input_is_refused) {
    tr_error error = {0};
    tr_likeness likeness;
    tr_skeleton *skeleton = new_mannequin(1.75f), *point = NULL;
    tr_joint_def joint = {.parent = TR_NONE, .rest = tr_transform_identity()};
    tr_skeleton_def def = {.joints = &joint, .joint_count = 1};
    REQUIRE(tr_skeleton_create(&def, &point, NULL) == TR_OK);
    walker w = plain_walker();
    w.rate = 20;
    tr_clip *clip = new_walk(&w, skeleton);
    CHECK_INT(tr_likeness_measure(NULL, skeleton, clip, NULL, &likeness, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "20 frames per second");
    CHECK_INT(tr_likeness_measure(NULL, point, clip, NULL, &likeness, &error), TR_INVALID);
    tr_clip_destroy(clip);
    tr_clip_def still = {.skeleton = point, .frame_count = 60, .frames_per_second = 60};
    REQUIRE(tr_clip_create(&still, &clip, NULL) == TR_OK);
    CHECK_INT(tr_likeness_measure(NULL, point, clip, NULL, &likeness, &error), TR_NOT_FOUND);
    CHECK_CONTAINS(error.message, "lacks the role of the hips");
    tr_clip_destroy(clip);
    tr_skeleton_destroy(point);
    tr_skeleton_destroy(skeleton);
}

static tr_skeleton *shared_skeleton;
static tr_clip *shared_clip;

static bool attempt(const tr_allocator *allocator) {
    tr_likeness likeness;
    tr_audit_params params = tr_audit_params_default();
    params.find_contacts = true;
    return tr_likeness_measure(allocator, shared_skeleton, shared_clip, &params, &likeness, NULL) == TR_OK;
}

TEST(running_out_of_memory_is_reported_and_leaks_nothing) {
    shared_skeleton = new_mannequin(1.75f);
    shared_clip = new_gait(shared_skeleton, 1.3f, 60);
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(attempt) > 5);
    tr_clip_destroy(shared_clip);
    tr_skeleton_destroy(shared_skeleton);
}
