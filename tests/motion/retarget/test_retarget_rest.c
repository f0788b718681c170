// The rest pose of a capture is a convention of its file: rewriting it must not change the motion.
#include "motion/humanoid.h"
#include "motion/rest_pose.h"
#include "troupe/io/bvh.h"
#include "troupe/motion/gait.h"
#include "troupe/motion/mannequin.h"
#include "troupe/motion/retarget.h"

#include <math.h>

#define DEGREES 57.29577951308232

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

typedef enum anatomy { FROM_MOTION, FROM_REST, FROM_TRUSTED_REST, FROM_MOTION_WITH_FREE_FEET } anatomy;

static tr_clip *wear(const tr_skeleton *from, const tr_clip *clip, const tr_skeleton *to, anatomy how) {
    tr_retarget_params params = tr_retarget_params_default();
    params.motions = &clip;
    params.motion_count = how != FROM_REST;
    params.trust_rest = how == FROM_TRUSTED_REST;
    params.keep_feet = how != FROM_MOTION_WITH_FREE_FEET;
    tr_retarget *retarget = NULL;
    tr_clip *worn = NULL;
    tr_error error = {0};
    if (tr_retarget_create(NULL, from, to, &params, &retarget, &error) != TR_OK ||
        tr_retarget_clip(retarget, clip, &worn, &error) != TR_OK)
        test_failed(__FILE__, __LINE__, "%s", error.message);
    tr_retarget_destroy(retarget);
    return worn;
}

static tr_skeleton *make_mannequin(float height) {
    tr_mannequin_def def = {.height = height};
    tr_skeleton *mannequin = NULL;
    tr_mannequin_make(&def, &mannequin, NULL, NULL);
    return mannequin;
}

static tr_clip *make_gait(const tr_skeleton *skeleton, tr_gait_kind kind, double rate) {
    tr_gait_def gait = {.skeleton = skeleton, .kind = kind, .frames_per_second = rate};
    tr_clip *clip = NULL;
    tr_error error = {0};
    if (tr_gait_make(&gait, &clip, &error) != TR_OK)
        test_failed(__FILE__, __LINE__, "%s", error.message);
    return clip;
}

static double angle_of(tr_quat a, tr_quat b) {
    tr_quat d = tr_quat_multiply(tr_quat_conjugate(a), b);
    double sine = sqrt((double)d.x * (double)d.x + (double)d.y * (double)d.y + (double)d.z * (double)d.z);
    return 2 * atan2(sine, fabs((double)d.w)) * DEGREES;
}

// The greatest differences between two motions of as many joints.
typedef struct difference {
    double angle, hips, place; // of a rotation [degrees], of the place of the hips, of any joint [m]
    uint32_t joint;            // with that angle
} difference;

static difference compare(const tr_skeleton *a_skeleton, const tr_clip *a, const tr_skeleton *b_skeleton,
                          const tr_clip *b) {
    difference most = {0};
    uint32_t count = tr_skeleton_joint_count(a_skeleton);
    tr_pose p, q;
    if (tr_pose_create(NULL, count, &p, NULL) != TR_OK || tr_pose_create(NULL, count, &q, NULL) != TR_OK)
        return most;
    for (uint32_t frame = 0; frame < tr_clip_frame_count(a); frame++) {
        tr_affine here[REST_JOINTS_MAX], there[REST_JOINTS_MAX];
        tr_clip_get_frame(a, frame, &p);
        tr_clip_get_frame(b, frame, &q);
        tr_pose_to_model(a_skeleton, &p, NULL, here);
        tr_pose_to_model(b_skeleton, &q, NULL, there);
        for (uint32_t i = 0; i < count; i++) {
            double angle = angle_of(tr_pose_rotation(&p, i), tr_pose_rotation(&q, i));
            double off =
                (double)tr_vec3_distance(tr_affine_position(&here[i]), tr_affine_position(&there[i]));
            if (!(angle <= most.angle)) {
                most.angle = angle;
                most.joint = i;
            }
            most.place = off <= most.place ? most.place : off;
            if (tr_skeleton_joint(a_skeleton, i).role == TR_ROLE_HIPS && !(off <= most.hips))
                most.hips = off;
        }
    }
    tr_pose_destroy(&p);
    tr_pose_destroy(&q);
    return most;
}

// In all three conventions the joints are where they were, and the mannequin moves as it did: every joint,
// also those at the ends.
static void check_rewriting(const char *name, const tr_skeleton *skeleton, const tr_clip *clip) {
    tr_skeleton *mannequin = make_mannequin(1.75f);
    REQUIRE(mannequin);
    tr_clip *expected = wear(skeleton, clip, mannequin, FROM_MOTION);
    double angle = 0, hips = 0;
    for (int i = 0; i < REST_CONVENTIONS && expected; i++) {
        tr_skeleton *other = NULL;
        tr_clip *same = NULL;
        REQUIRE(rest_rewrite(skeleton, clip, (rest_convention)i, &other, &same));
        CHECK_NEAR(compare(skeleton, clip, other, same).place, 0, 1e-4);
        tr_clip *worn = wear(other, same, mannequin, FROM_MOTION);
        REQUIRE(worn);
        difference off = compare(mannequin, expected, mannequin, worn);
        if (!(off.angle < 0.5 && off.hips < 1e-3))
            test_failed(__FILE__, __LINE__, "%s, rest pose %s: %s is off by %g degrees, the hips by %g m",
                        name, rest_name((rest_convention)i), tr_skeleton_joint(mannequin, off.joint).name,
                        off.angle, off.hips);
        angle = off.angle > angle ? off.angle : angle;
        hips = off.hips > hips ? off.hips : hips;
        tr_clip_destroy(worn);
        tr_clip_destroy(same);
        tr_skeleton_destroy(other);
    }
    printf("        %s: joints differ by up to %.3f degrees, the hips by %.3f mm\n", name, angle,
           hips * 1000);
    tr_clip_destroy(expected);
    tr_skeleton_destroy(mannequin);
}

static const tr_gait_kind kinds[] = {TR_GAIT_WALK, TR_GAIT_RUN, TR_GAIT_TURN_LEFT, TR_GAIT_SIDE_RIGHT,
                                     TR_GAIT_STAND};
#define KINDS 5
static const float heights[] = {1.55f, 1.9f};
static const double rates[] = {30, 120};

TEST(made_motions_do_not_depend_on_the_rest_pose_they_are_written_in) {
    for (int i = 0; i < KINDS; i++) {
        tr_skeleton *skeleton = make_mannequin(heights[i % 2]);
        REQUIRE(skeleton);
        tr_clip *clip = make_gait(skeleton, kinds[i], rates[i / 2 % 2]);
        REQUIRE(clip);
        check_rewriting(tr_gait_name(kinds[i]), skeleton, clip);
        tr_clip_destroy(clip);
        tr_skeleton_destroy(skeleton);
    }
}

// Bodies without neck, toes or collar bones, with other backs, arms and axes.
static const humanoid_def bodies[] = {
    {.size = 0.7f, .no_neck = true, .spine_bones = 1, .root = true},
    {.size = 1.3f, .no_toes = true, .odd_axes = true, .arms = HUMANOID_ARMS_DOWN},
    {.size = 1, .no_shoulders = true, .spine_bones = 6, .thigh = 0.38f, .arms = HUMANOID_ARMS_SLANTED},
    {.size = 1, .up_z = true, .odd_axes = true, .astride = true},
};
#define BODIES 4

// The walk of a mannequin on such a body, made by way of its rest pose.
static tr_clip *make_walk_on(const tr_skeleton *body, bool with_base) {
    tr_skeleton *mannequin = make_mannequin(1.7f);
    tr_clip *walk = mannequin ? make_gait(mannequin, TR_GAIT_WALK, 60) : NULL;
    if (walk && !with_base)
        tr_clip_set_base(walk, NULL, (tr_base){0, 0, 0});
    tr_clip *worn = walk ? wear(mannequin, walk, body, FROM_REST) : NULL;
    tr_clip_destroy(walk);
    tr_skeleton_destroy(mannequin);
    return worn;
}

TEST(motions_of_other_bodies_do_not_depend_on_their_rest_pose) {
    static const char *const names[] = {"a small one", "a large one", "a long back", "Z up"};
    for (int i = 0; i < BODIES; i++) {
        tr_skeleton *body = humanoid_make(NULL, bodies[i], 3);
        REQUIRE(body);
        tr_clip *clip = make_walk_on(body, !bodies[i].up_z); // bases lie on the plane of X and Z
        REQUIRE(clip);
        check_rewriting(names[i], body, clip);
        tr_clip_destroy(clip);
        tr_skeleton_destroy(body);
    }
}

// These bodies stand in their rest pose: what the motion tells must agree with it.
TEST(motions_tell_the_anatomy_that_a_sensible_rest_pose_has) {
    tr_skeleton *mannequin = make_mannequin(1.75f);
    for (int i = 0; i < KINDS + BODIES; i++) {
        bool made = i < KINDS;
        tr_skeleton *body = made ? make_mannequin(heights[i % 2]) : humanoid_make(NULL, bodies[i - KINDS], 3);
        REQUIRE(body && mannequin);
        tr_clip *clip = made ? make_gait(body, kinds[i], 60) : make_walk_on(body, !bodies[i - KINDS].up_z);
        REQUIRE(clip);
        tr_clip *learned = wear(body, clip, mannequin, FROM_MOTION);
        tr_clip *rested = wear(body, clip, mannequin, FROM_REST);
        tr_clip *trusted = wear(body, clip, mannequin, FROM_TRUSTED_REST);
        REQUIRE(learned && rested && trusted);
        difference off = compare(mannequin, learned, mannequin, rested);
        printf("        %s: %s differs by %.2f degrees, places by %.1f mm\n",
               made ? tr_gait_name(kinds[i]) : "another body", tr_skeleton_joint(mannequin, off.joint).name,
               off.angle, off.place * 1000);
        if (made) // necks of other shapes are not turned alike: by the motion they point alike
            CHECK_NEAR(off.angle, 0, 3);
        CHECK_NEAR(off.place, 0, 0.025);
        CHECK_NEAR(compare(mannequin, trusted, mannequin, rested).place, 0, 0);
        tr_clip_destroy(learned);
        tr_clip_destroy(rested);
        tr_clip_destroy(trusted);
        tr_clip_destroy(clip);
        tr_skeleton_destroy(body);
    }
    tr_skeleton_destroy(mannequin);
}

// A skin does not make a rest pose that lies one that stands.
TEST(a_rest_pose_that_lies_is_not_trusted) {
    tr_skeleton *mannequin = make_mannequin(1.75f), *body = make_mannequin(1.6f), *other = NULL;
    tr_clip *clip = make_gait(body, TR_GAIT_WALK, 60), *same = NULL;
    REQUIRE(mannequin && clip && rest_rewrite(body, clip, REST_LYING, &other, &same));
    tr_clip *learned = wear(other, same, mannequin, FROM_MOTION);
    tr_clip *trusted = wear(other, same, mannequin, FROM_TRUSTED_REST);
    REQUIRE(learned && trusted);
    CHECK_NEAR(compare(mannequin, trusted, mannequin, learned).place, 0, 0);
    tr_clip_destroy(learned);
    tr_clip_destroy(trusted);
    tr_clip_destroy(same);
    tr_clip_destroy(clip);
    tr_skeleton_destroy(other);
    tr_skeleton_destroy(body);
    tr_skeleton_destroy(mannequin);
}

TEST(captures_do_not_depend_on_the_rest_pose_they_are_written_in) {
    static const char *const names[] = {"03_01",  "104_02", "104_06", "104_09", "111_03", "113_19", "127_03",
                                        "127_04", "127_05", "127_06", "127_09", "127_11", "127_15", "127_17",
                                        "127_21", "127_25", "127_29", "127_31", "133_01", "16_05",  "16_08",
                                        "16_15",  "16_17",  "16_19",  "16_35",  "69_16",  "83_27"};
    for (int i = 0; i < 27; i++) {
        tr_figure figure;
        if (!read_capture(names[i], &figure)) {
            test_skip("no data folder");
            return;
        }
        check_rewriting(names[i], figure.skeleton, figure.clips[0]);
        tr_figure_destroy(&figure);
    }
}

static double angle_between(tr_vec3 a, tr_vec3 b) {
    return atan2((double)tr_vec3_length(tr_vec3_cross(a, b)), (double)tr_vec3_dot(a, b)) * DEGREES;
}

static tr_vec3 place_of(const tr_skeleton *skeleton, const tr_affine *model, int role) {
    return tr_affine_position(&model[tr_skeleton_with_role(skeleton, (tr_role)role)]);
}

static tr_vec3 trunk_of(const tr_skeleton *skeleton, const tr_affine *model) {
    tr_vec3 thighs = tr_vec3_scale(tr_vec3_add(place_of(skeleton, model, TR_ROLE_LEFT_THIGH),
                                               place_of(skeleton, model, TR_ROLE_RIGHT_THIGH)),
                                   0.5f);
    return tr_vec3_subtract(place_of(skeleton, model, TR_ROLE_NECK), thighs);
}

// What can be seen of a capture written along X: limbs point as its joints lie, and so does the trunk on the
// mean, apart from its bends.
static void check_directions(const char *name, const tr_skeleton *from, const tr_clip *clip) {
    static const int limbs[] = {TR_ROLE_LEFT_UPPER_ARM, TR_ROLE_LEFT_FOREARM,    TR_ROLE_LEFT_THIGH,
                                TR_ROLE_LEFT_SHANK,     TR_ROLE_RIGHT_UPPER_ARM, TR_ROLE_RIGHT_FOREARM,
                                TR_ROLE_RIGHT_THIGH,    TR_ROLE_RIGHT_SHANK};
    tr_skeleton *to = make_mannequin(1.6f);
    tr_clip *worn = wear(from, clip, to, FROM_MOTION_WITH_FREE_FEET);
    tr_pose p, q;
    REQUIRE(worn && tr_pose_create(NULL, tr_skeleton_joint_count(from), &p, NULL) == TR_OK &&
            tr_pose_create(NULL, tr_skeleton_joint_count(to), &q, NULL) == TR_OK);
    double limb = 0, trunk = 0;
    for (uint32_t frame = 0; frame < tr_clip_frame_count(clip); frame++) {
        tr_affine there[REST_JOINTS_MAX], here[REST_JOINTS_MAX];
        tr_clip_get_frame(clip, frame, &p);
        tr_clip_get_frame(worn, frame, &q);
        tr_pose_to_model(from, &p, NULL, there);
        tr_pose_to_model(to, &q, NULL, here);
        for (int i = 0; i < 8; i++) {
            tr_vec3 a =
                tr_vec3_subtract(place_of(from, there, limbs[i] + 1), place_of(from, there, limbs[i]));
            tr_vec3 b = tr_vec3_subtract(place_of(to, here, limbs[i] + 1), place_of(to, here, limbs[i]));
            double angle = angle_between(a, b);
            limb = angle <= limb ? limb : angle;
        }
        trunk += angle_between(trunk_of(from, there), trunk_of(to, here)) / tr_clip_frame_count(clip);
    }
    printf("        %s: limbs off by up to %.3f degrees, the trunk by %.1f on the mean\n", name, limb, trunk);
    CHECK_NEAR(limb, 0, 0.1);
    CHECK_NEAR(trunk, 0, 5);
    tr_pose_destroy(&p);
    tr_pose_destroy(&q);
    tr_clip_destroy(worn);
    tr_skeleton_destroy(to);
}

TEST(limbs_and_trunks_of_captures_along_x_point_as_their_joints_lie) {
    static const char *const names[] = {"16_15", "111_03", "127_21", "133_01"};
    for (int i = 0; i < 4; i++) {
        tr_figure figure;
        tr_skeleton *other = NULL;
        tr_clip *same = NULL;
        if (!read_capture(names[i], &figure)) {
            test_skip("no data folder");
            return;
        }
        REQUIRE(rest_rewrite(figure.skeleton, figure.clips[0], REST_ALONG_X, &other, &same));
        check_directions(names[i], other, same);
        tr_clip_destroy(same);
        tr_skeleton_destroy(other);
        tr_figure_destroy(&figure);
    }
}

// Roles, unit and motion survive the file: what `troupe convert` reads.
TEST(a_walk_written_along_x_comes_back_from_a_bvh_file) {
    tr_skeleton *mannequin = make_mannequin(1.75f), *body = make_mannequin(1.6f), *other = NULL;
    tr_clip *clip = make_gait(body, TR_GAIT_WALK, 60), *same = NULL;
    REQUIRE(mannequin && clip);
    tr_clip_set_base(clip, NULL, (tr_base){0, 0, 0}); // the file puts it back into the root
    REQUIRE(rest_rewrite(body, clip, REST_ALONG_X, &other, &same));
    tr_bytes bytes;
    tr_figure figure = {0};
    REQUIRE(tr_bvh_write(NULL, other, same, 0.01, &bytes, NULL) == TR_OK);
    REQUIRE(tr_bvh_read(bytes.data, bytes.size, NULL, &figure, NULL) == TR_OK);
    tr_clip *expected = wear(body, clip, mannequin, FROM_MOTION);
    tr_clip *worn = wear(figure.skeleton, figure.clips[0], mannequin, FROM_MOTION);
    REQUIRE(expected && worn);
    difference off = compare(mannequin, expected, mannequin, worn);
    CHECK_NEAR(off.angle, 0, 0.5);
    CHECK_NEAR(off.hips, 0, 1e-3);
    tr_clip_destroy(expected);
    tr_clip_destroy(worn);
    tr_figure_destroy(&figure);
    tr_bytes_free(NULL, &bytes);
    tr_clip_destroy(same);
    tr_clip_destroy(clip);
    tr_skeleton_destroy(other);
    tr_skeleton_destroy(body);
    tr_skeleton_destroy(mannequin);
}

static void check_refusal(const tr_skeleton *from, const tr_skeleton *to, const tr_clip *motion,
                          const char *sentence) {
    tr_retarget_params params = tr_retarget_params_default();
    params.motions = &motion;
    params.motion_count = motion != NULL;
    tr_retarget *retarget = NULL;
    tr_error error = {0};
    CHECK(tr_retarget_create(NULL, from, to, &params, &retarget, &error) == TR_INVALID);
    CHECK_CONTAINS(error.message, sentence);
    CHECK(retarget == NULL);
    tr_retarget_destroy(retarget);
}

// A copy of the mannequin in which all that hangs on a joint lies at its place.
static tr_skeleton *collapse(const tr_skeleton *skeleton, tr_role above) {
    tr_joint_def joints[REST_JOINTS_MAX];
    uint32_t count = tr_skeleton_joint_count(skeleton), top = tr_skeleton_with_role(skeleton, above);
    for (uint32_t i = 0; i < count; i++) {
        joints[i] = tr_skeleton_joint(skeleton, i);
        if (i != top && tr_skeleton_hangs_on(skeleton, i, top))
            joints[i].rest.position = tr_vec3_make(0, 0, 0);
    }
    tr_skeleton_def def = {.joints = joints, .joint_count = count};
    tr_skeleton *made = NULL;
    tr_skeleton_create(&def, &made, NULL);
    return made;
}

TEST(a_skeleton_that_cannot_be_understood_is_refused_with_a_sentence) {
    tr_skeleton *body = make_mannequin(1.75f), *other = NULL, *mannequin = make_mannequin(1.6f);
    tr_clip *clip = make_gait(body, TR_GAIT_WALK, 30), *same = NULL;
    REQUIRE(mannequin && clip && rest_rewrite(body, clip, REST_ALONG_X, &other, &same));
    check_refusal(other, mannequin, NULL,
                  "the rest pose of the source skeleton is not that of a body that stands: "
                  "its legs do not point away from its head");
    check_refusal(mannequin, other, NULL, "the rest pose of the target skeleton is not that of a body");
    // Points instead of bones, from the whole body down to one shank.
    static const struct {
        tr_role above;
        const char *sentence;
    } points[] = {{TR_ROLE_HIPS, "the legs of the source skeleton are 0 m long"},
                  {TR_ROLE_LEFT_UPPER_ARM, "the left_upper_arm of the source skeleton is 0 m long"},
                  {TR_ROLE_RIGHT_SHANK, "the right_shank of the source skeleton is 0 m long"}};
    for (int i = 0; i < 3; i++) {
        tr_skeleton *point = collapse(body, points[i].above);
        tr_clip_def def = {.skeleton = point, .frame_count = 3, .frames_per_second = 30};
        tr_clip *still = NULL;
        REQUIRE(point && tr_clip_create(&def, &still, NULL) == TR_OK);
        check_refusal(point, mannequin, still, points[i].sentence);
        tr_clip_destroy(still);
        tr_skeleton_destroy(point);
    }
    // Roles on the wrong side, as a file may name them.
    tr_joint_def joints[REST_JOINTS_MAX];
    uint32_t count = tr_skeleton_joint_count(body);
    for (uint32_t i = 0; i < count; i++) {
        joints[i] = tr_skeleton_joint(body, i);
        bool arm = tr_role_mirror(joints[i].role) >= TR_ROLE_LEFT_SHOULDER;
        int left = joints[i].role >= TR_ROLE_RIGHT_SHOULDER ? (int)tr_role_mirror(joints[i].role)
                                                            : (int)joints[i].role;
        if (arm && left <= TR_ROLE_LEFT_HAND)
            joints[i].role = tr_role_mirror(joints[i].role);
    }
    tr_skeleton_def crossed_def = {.joints = joints, .joint_count = count};
    tr_skeleton *crossed = NULL;
    REQUIRE(tr_skeleton_create(&crossed_def, &crossed, NULL) == TR_OK);
    check_refusal(crossed, mannequin, clip,
                  "the left shoulder of the source skeleton is above its right thigh");
    check_refusal(crossed, mannequin, NULL, "its shoulders are not above its thighs, left above left");
    tr_skeleton_destroy(crossed);
    // Motions that are not there, or of another skeleton.
    tr_retarget_params params = tr_retarget_params_default();
    tr_retarget *retarget = NULL;
    tr_error error = {0};
    params.motion_count = 1;
    CHECK(tr_retarget_create(NULL, body, mannequin, &params, &retarget, &error) == TR_INVALID);
    CHECK_CONTAINS(error.message, "motion 0 of the source is NULL");
    humanoid_def def = {.size = 1, .root = true};
    tr_skeleton *stranger = humanoid_make(NULL, def, 1);
    check_refusal(stranger, mannequin, clip, "motion 0 of the source has");
    tr_skeleton_destroy(stranger);
    tr_clip_destroy(same);
    tr_clip_destroy(clip);
    tr_skeleton_destroy(other);
    tr_skeleton_destroy(mannequin);
    tr_skeleton_destroy(body);
}

// A body to itself needs no anatomy: the motion is copied.
TEST(a_skeleton_along_x_copies_to_itself) {
    tr_skeleton *body = make_mannequin(1.75f), *other = NULL;
    tr_clip *clip = make_gait(body, TR_GAIT_WALK, 30), *same = NULL;
    REQUIRE(clip && rest_rewrite(body, clip, REST_ALONG_X, &other, &same));
    tr_clip *worn = wear(other, same, other, FROM_REST);
    REQUIRE(worn);
    CHECK_NEAR(compare(other, same, other, worn).place, 0, 1e-6);
    tr_clip_destroy(worn);
    tr_clip_destroy(same);
    tr_clip_destroy(clip);
    tr_skeleton_destroy(other);
    tr_skeleton_destroy(body);
}

static bool try_all(const tr_allocator *allocator) {
    humanoid_def a = {.size = 1}, b = {.size = 2, .arms = HUMANOID_ARMS_DOWN};
    tr_skeleton *from = humanoid_make(NULL, a, 1), *to = humanoid_make(NULL, b, 1);
    tr_clip_def def = {.skeleton = from, .frame_count = 3, .frames_per_second = 30};
    tr_clip *clip = NULL;
    tr_clip_create(&def, &clip, NULL);
    const tr_clip *motions[] = {clip, clip};
    tr_retarget_params params = {.motions = motions, .motion_count = 2};
    tr_retarget *retarget = NULL;
    bool done = clip && tr_retarget_create(allocator, from, to, &params, &retarget, NULL) == TR_OK;
    tr_retarget_destroy(retarget);
    tr_clip_destroy(clip);
    tr_skeleton_destroy(from);
    tr_skeleton_destroy(to);
    return done;
}

TEST(running_out_of_memory_while_learning_leaves_nothing_behind) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(try_all) > 5);
}
