// The arms of other people's skeletons: captures and characters of the data folder.
#include "arm_rig_cases.h"
#include "test.h"
#include "troupe/base/scalar.h"
#include "troupe/io/bvh.h"
#include "troupe/io/gltf_motion.h"

#include <string.h>

typedef struct capture_sum {
    uint32_t frames, inside;
    double wrist, elbow; // worst distance to where they were, of those inside the limits [m]
    double excess;       // mean excess over the limits [rad]
} capture_sum;

// Read the arm from a frame and write it back: wrist and elbow stay where they were, however the skeleton
// bends its elbow.
static void read_and_write(const tr_skeleton *skeleton, const tr_clip *clip, tr_arm_side side,
                           capture_sum *sum) {
    tr_arm_rig joints;
    tr_error error = {0};
    if (tr_arm_rig_measure(skeleton, NULL, side, &joints, &error) != TR_OK) {
        test_failed(__FILE__, __LINE__, "%s", error.message);
        return;
    }
    arm_body body;
    arm_body_begin(&body, skeleton);
    for (uint32_t frame = 1; frame < tr_clip_frame_count(clip); frame += 1 + tr_clip_frame_count(clip) / 60) {
        tr_clip_get_frame(clip, frame, &body.pose);
        tr_pose_to_model(skeleton, &body.pose, NULL, body.model);
        tr_vec3 elbow = tr_affine_position(&body.model[joints.forearm]),
                wrist = tr_affine_position(&body.model[joints.hand]);
        tr_arm arm;
        tr_posture posture;
        float excess = tr_arm_rig_read(&joints, skeleton, &body.pose, body.model, &arm, &posture);
        CHECK(tr_arm_check(&arm, NULL) == TR_OK);
        sum->frames++;
        sum->excess += (double)excess;
        tr_arm_rig_write(&joints, skeleton, &arm, &posture, 1, &body.pose, NULL, body.model);
        CHECK(arm_worst_place(&body, &joints, &arm, &posture) < 1e-4);
        if (excess > 1e-4f)
            continue;
        sum->inside++;
        sum->elbow = fmax(sum->elbow, arm_distance(elbow, tr_affine_position(&body.model[joints.forearm])));
        sum->wrist = fmax(sum->wrist, arm_distance(wrist, tr_affine_position(&body.model[joints.hand])));
    }
    tr_pose_destroy(&body.pose);
}

TEST(arms_of_captures_are_read_within_human_limits_and_written_back_where_they_were) {
    static const char *const names[] = {"03_01", "16_15", "104_02", "127_03", "111_03"};
    if (!test_data_folder()) {
        test_skip("the data folder is absent");
        return;
    }
    capture_sum sum = {0};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[512];
        tr_bytes bytes = {0};
        tr_figure figure = {0};
        tr_error error = {0};
        snprintf(path, sizeof path, "%s/mocap/%s.bvh", test_data_folder(), names[i]);
        if (tr_file_read(NULL, path, &bytes, &error) != TR_OK)
            continue;
        tr_bvh_options options = tr_bvh_options_default();
        if (tr_bvh_read(bytes.data, bytes.size, &options, &figure, &error) == TR_OK)
            for (int side = 0; side < 2; side++)
                read_and_write(figure.skeleton, figure.clips[0], (tr_arm_side)side, &sum);
        tr_figure_destroy(&figure);
        tr_bytes_free(NULL, &bytes);
    }
    if (getenv("TROUPE_TEST_TABLE"))
        printf("%u frames, %u inside, elbow off by %g m, wrist by %g m, mean excess %.3f rad\n", sum.frames,
               sum.inside, sum.elbow, sum.wrist, sum.excess / sum.frames);
    CHECK(sum.frames > 100);
    CHECK(sum.elbow < 1e-4 && sum.wrist < 1e-4);
    CHECK(sum.inside * 2 > sum.frames);
    CHECK(sum.excess / sum.frames < 0.15);
}

TEST(arms_of_characters_are_measured) {
    static const char *const names[] = {"Knight.glb", "RiggedFigure.glb", "RobotExpressive.glb",
                                        "rig-human.glb"};
    if (!test_data_folder()) {
        test_skip("the data folder is absent");
        return;
    }
    int measured = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[512];
        tr_bytes bytes = {0};
        tr_error error = {0};
        tr_figures figures = tr_figures_begin(NULL);
        snprintf(path, sizeof path, "%s/gltf/%s", test_data_folder(), names[i]);
        if (tr_file_read(NULL, path, &bytes, &error) != TR_OK)
            continue;
        CHECK(tr_gltf_read_figures(bytes.data, bytes.size, NULL, NULL, NULL, &figures, &error) == TR_OK);
        for (int side = 0; side < 2 && figures.count > 0; side++) {
            const tr_skeleton *skeleton = figures.items[0].skeleton;
            tr_arm_rig joints;
            tr_status status = tr_arm_rig_measure(skeleton, NULL, (tr_arm_side)side, &joints, &error);
            if (getenv("TROUPE_TEST_TABLE")) {
                printf("%s %d: %s", names[i], side, status == TR_OK ? "" : error.message);
                for (int k = 0; status == TR_OK && k < TR_ARM_JOINTS; k++)
                    printf(" %.2f", (double)joints.rest.q[k]);
                printf(" lengths %.3f %.3f %.3f\n", (double)joints.arm.length[0],
                       (double)joints.arm.length[1], (double)joints.arm.length[2]);
            }
            if (status != TR_OK)
                continue;
            measured++;
            for (uint32_t k = 0; k < figures.items[0].clip_count && k < 3; k++) {
                capture_sum sum = {0};
                read_and_write(skeleton, figures.items[0].clips[k], (tr_arm_side)side, &sum);
                CHECK(sum.elbow < 1e-3 && sum.wrist < 1e-3);
            }
        }
        tr_figures_destroy(&figures);
        tr_bytes_free(NULL, &bytes);
    }
    CHECK(measured >= 4);
}
