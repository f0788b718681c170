// Real captures: a walk and a run of one person, cut to strides and mixed.
#include "test.h"
#include "troupe/io/bvh.h"
#include "motion/gait/locomotion.h"
#include "troupe/motion/clip_edit.h"

#include <math.h>
#include <string.h>

// The best stride of a capture of the CMU database; NULL, and a failure, when there is none.
static tr_clip *read_cycle(const char *name, tr_figure *figure) {
    char path[512];
    snprintf(path, sizeof path, "%s/mocap/%s.bvh", test_data_folder(), name);
    tr_bytes bytes = {0};
    tr_error error = {0};
    tr_bvh_options options = tr_bvh_options_default();
    options.skip_first = true;
    options.metres_per_unit = 0.056444;
    tr_clip *cycle = NULL;
    tr_status status = tr_file_read(NULL, path, &bytes, &error);
    if (status == TR_OK)
        status = tr_bvh_read(bytes.data, bytes.size, &options, figure, &error);
    tr_contact_params contacts = tr_contact_params_default();
    if (status == TR_OK)
        status = tr_clip_edit_contacts(figure->skeleton, figure->clips[0], &contacts, NULL, &error);
    tr_cycle_params params = tr_cycle_params_default();
    if (status == TR_OK)
        status = tr_clip_edit_cycle(NULL, figure->skeleton, figure->clips[0], &params, &cycle, &error);
    if (status != TR_OK)
        test_failed(__FILE__, __LINE__, "%s: %s", name, error.message);
    tr_bytes_free(NULL, &bytes);
    return cycle;
}

// Every speed once: the pose is sound, the mix rises.
static void check_play(const tr_locomotion *locomotion, uint32_t joints) {
    tr_pose poses[3];
    memset(poses, 0, sizeof poses);
    for (int i = 0; i < 3; i++)
        CHECK_INT(tr_pose_create(NULL, joints, &poses[i], NULL), TR_OK);
    tr_locomotion_state state = {0};
    double last = 0;
    for (float speed = 0; speed < tr_locomotion_speed_max(locomotion); speed += 0.01f) {
        tr_locomotion_mix mix = tr_locomotion_at(locomotion, speed);
        double number = (mix.lower == TR_NONE ? 0 : mix.lower + 1) + (double)mix.blend;
        bool runs = mix.blend == 1 && number == last + 1; // another gait, at once
        CHECK(number >= last - 1e-6 && (runs || number < last + 0.06));
        last = number;
        uint32_t contacts;
        tr_locomotion_step(locomotion, &state, speed, 1 / 30.0f, &poses[0], &poses[1], &contacts);
        for (uint32_t joint = 0; joint < joints; joint++) {
            tr_quat q = tr_pose_rotation(&poses[0], joint);
            CHECK_NEAR(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w, 1, 1e-4);
            CHECK(tr_vec3_is_finite(tr_pose_get(&poses[0], joint).position));
        }
    }
    for (int i = 0; i < 3; i++)
        tr_pose_destroy(&poses[i]);
}

TEST(a_captured_walk_slides_no_more_at_lower_speeds_than_at_its_own) {
    if (!test_data_folder()) {
        test_skip("no captures here");
        return;
    }
    tr_figure walker = {0}, runner = {0};
    tr_clip *cycles[2] = {read_cycle("16_15", &walker), read_cycle("16_35", &runner)}, *stand = NULL;
    REQUIRE(cycles[0] && cycles[1]);
    tr_clip_def still = {
        .skeleton = walker.skeleton, .frame_count = 1, .frames_per_second = 30, .loop = true};
    REQUIRE(tr_clip_create(&still, &stand, NULL) == TR_OK);
    tr_locomotion_def def = {.skeleton = walker.skeleton,
                             .stand = stand,
                             .cycles = (const tr_clip *const *)cycles,
                             .cycle_count = 2};
    tr_locomotion *locomotion = NULL;
    tr_error error = {0};
    CHECK_INT(tr_locomotion_create(&def, &locomotion, &error), TR_OK);
    CHECK_TEXT(error.message, "");
    REQUIRE(locomotion);
    float own = tr_clip_speed(cycles[0]), share = tr_locomotion_at(locomotion, own).slide / own;
    CHECK(share < 0.2f); // the sliding of the capture and its labels
    for (float speed = 0.1f; speed < own; speed += 0.02f)
        CHECK(tr_locomotion_at(locomotion, speed).slide < (share + 0.01f) * speed);
    check_play(locomotion, tr_skeleton_joint_count(walker.skeleton));
    tr_locomotion_destroy(locomotion);
    tr_clip_destroy(stand);
    tr_clip_destroy(cycles[0]);
    tr_clip_destroy(cycles[1]);
    tr_figure_destroy(&walker);
    tr_figure_destroy(&runner);
}
