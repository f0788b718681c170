// The rest pose of a capture is a convention of its file: rewriting it must not change the motion.
#include "motion/humanoid.h"
#include "motion/rest_pose.h"
#include "troupe/io/bvh.h"
#include "troupe/motion/gait.h"
#include "troupe/motion/mannequin.h"
#include "troupe/motion/retarget.h"

#include <math.h>
#include <stdlib.h>

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

// The motion on the mannequin, learned from itself, or from the rest pose with `rest`.
static tr_clip *wear(const tr_skeleton *from, const tr_clip *clip, const tr_skeleton *to, bool rest) {
    tr_retarget_params params = tr_retarget_params_default();
    params.motions = &clip;
    params.motion_count = rest ? 0 : 1;
    tr_retarget *retarget = NULL;
    tr_clip *worn = NULL;
    tr_error error = {0};
    if (tr_retarget_create(NULL, from, to, &params, &retarget, &error) != TR_OK ||
        tr_retarget_clip(retarget, clip, &worn, &error) != TR_OK)
        test_failed(__FILE__, __LINE__, "%s", error.message);
    tr_retarget_destroy(retarget);
    return worn;
}

static double angle_of(tr_quat a, tr_quat b) {
    tr_quat d = tr_quat_multiply(tr_quat_conjugate(a), b);
    double sine = sqrt((double)d.x * (double)d.x + (double)d.y * (double)d.y + (double)d.z * (double)d.z);
    return 2 * atan2(sine, fabs((double)d.w)) * DEGREES;
}

typedef struct difference {
    double angle, hips, place; // the greatest of any joint [degrees], of the hips [m], of any place [m]
    uint32_t joint;
    double sum[REST_JOINTS_MAX];
} difference;

static difference compare(const tr_skeleton *a_skeleton, const tr_clip *a, const tr_skeleton *b_skeleton,
                          const tr_clip *b) {
    difference worst = {0};
    uint32_t count = tr_skeleton_joint_count(a_skeleton);
    tr_pose p, q;
    if (tr_pose_create(NULL, count, &p, NULL) != TR_OK || tr_pose_create(NULL, count, &q, NULL) != TR_OK)
        return worst;
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
            if (!(angle <= worst.angle)) {
                worst.angle = angle;
                worst.joint = i;
            }
            worst.place = off <= worst.place ? worst.place : off;
            worst.sum[i] += angle / tr_clip_frame_count(a);
            if (tr_skeleton_joint(a_skeleton, i).role == TR_ROLE_HIPS && !(off <= worst.hips))
                worst.hips = off;
        }
    }
    tr_pose_destroy(&p);
    tr_pose_destroy(&q);
    return worst;
}

// In all three conventions: the joints are where they were, and the mannequin moves as it did.
static void check_rewriting(const char *name, const tr_skeleton *skeleton, const tr_clip *clip) {
    tr_mannequin_def def = {.height = 1.75f};
    tr_skeleton *mannequin = NULL;
    REQUIRE(tr_mannequin_make(&def, &mannequin, NULL, NULL) == TR_OK);
    tr_clip *expected = wear(skeleton, clip, mannequin, false);
    difference worst = {0};
    for (int i = 0; i < REST_CONVENTIONS && expected; i++) {
        tr_skeleton *other = NULL;
        tr_clip *same = NULL;
        REQUIRE(rest_rewrite(skeleton, clip, (rest_convention)i, &other, &same));
        CHECK_NEAR(compare(skeleton, clip, other, same).place, 0, 1e-4);
        tr_clip *worn = wear(other, same, mannequin, false);
        REQUIRE(worn);
        difference off = compare(mannequin, expected, mannequin, worn);
        if (!(off.angle < 0.5 && off.hips < 1e-3))
            test_failed(__FILE__, __LINE__, "%s, rest pose %s: %s is off by %g degrees, the hips by %g m",
                        name, rest_name((rest_convention)i), tr_skeleton_joint(mannequin, off.joint).name,
                        off.angle, off.hips);
        worst.angle = off.angle > worst.angle ? off.angle : worst.angle;
        worst.hips = off.hips > worst.hips ? off.hips : worst.hips;
        tr_clip_destroy(worn);
        tr_clip_destroy(same);
        tr_skeleton_destroy(other);
    }
    printf("        %s: joints differ by %.3f degrees at most, hips by %.3f mm\n", name, worst.angle,
           worst.hips * 1000);
    tr_clip *rested = wear(skeleton, clip, mannequin, true);
    difference moved = compare(mannequin, expected, mannequin, rested);
    for (uint32_t i = 0; i < tr_skeleton_joint_count(mannequin); i++)
        if (getenv("SHOW") && moved.sum[i] > 0.01)
            printf("   %s %.1f", tr_skeleton_joint(mannequin, i).name, moved.sum[i]);
    if (getenv("SHOW"))
        printf(" place %.3f\n", moved.place);
    tr_clip_destroy(rested);
    tr_clip_destroy(expected);
    tr_skeleton_destroy(mannequin);
}

TEST(made_motions_do_not_depend_on_the_rest_pose_they_are_written_in) {
    static const tr_gait_kind kinds[] = {TR_GAIT_WALK, TR_GAIT_RUN, TR_GAIT_TURN_LEFT, TR_GAIT_SIDE_RIGHT};
    static const float heights[] = {1.55f, 1.9f};
    static const double rates[] = {30, 120};
    for (int i = 0; i < 4; i++) {
        tr_mannequin_def body = {.height = heights[i % 2]};
        tr_skeleton *skeleton = NULL;
        tr_clip *clip = NULL;
        REQUIRE(tr_mannequin_make(&body, &skeleton, NULL, NULL) == TR_OK);
        tr_gait_def gait = {.skeleton = skeleton, .kind = kinds[i], .frames_per_second = rates[i / 2]};
        REQUIRE(tr_gait_make(&gait, &clip, NULL) == TR_OK);
        check_rewriting(tr_gait_name(kinds[i]), skeleton, clip);
        tr_clip_destroy(clip);
        tr_skeleton_destroy(skeleton);
    }
}

TEST(captures_do_not_depend_on_the_rest_pose_they_are_written_in) {
    static const char *const names[] = {"16_15",  "104_02", "111_03", "113_19", "127_03", "127_21",
                                        "127_29", "133_01", "16_05",  "69_16",  "83_27"};
    for (int i = 0; i < 11; i++) {
        tr_figure figure;
        if (!read_capture(names[i], &figure)) {
            test_skip("no data folder");
            return;
        }
        check_rewriting(names[i], figure.skeleton, figure.clips[0]);
        tr_figure_destroy(&figure);
    }
}
