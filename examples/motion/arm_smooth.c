// A hand goes around a post: the path as it was planned, and bent until the hand goes along it smoothly.
#include "troupe/motion/arm_smooth.h"

#include <stdio.h>
#include <string.h>

static tr_status go(tr_reach *reach, tr_arm_smooth *arm_smooth, tr_error *error) {
    const tr_posture start = {{0.35f, 0.7f, 0.1f, 1.6f}};
    tr_arm_goal goal = {.kind = TR_ARM_GOAL_POSITION, .wrist = {-0.02f, 1.15f, 0.35f}};
    tr_reach_params params = tr_reach_params_default();
    tr_status status = tr_reach_plan(reach, &start, &goal, &params, error);
    if (status != TR_OK)
        return status;
    tr_arm_path path = tr_reach_last(reach)->path;
    printf("planned: %u knots, %.3f m of the wrist\n", path.count,
           tr_arm_path_wrist_length(&path, tr_reach_arm(reach), 200));
    if (path.count > TR_ARM_SMOOTH_KNOTS_MAX)
        return TR_OK;
    tr_posture knots[TR_ARM_SMOOTH_KNOTS_MAX];
    memcpy(knots, path.knots, path.count * sizeof *knots);
    tr_arm_smooth_params arm_smooth_params = {.clearance = 0.005f};
    tr_arm_smooth_report report;
    status = tr_arm_smooth_run(arm_smooth, reach, &arm_smooth_params, knots, path.count, &report, error);
    tr_arm_path smooth = {knots, path.count};
    if (status == TR_OK)
        printf("smoothed: log dimensionless jerk from %.2f to %.2f in %u of %u tries, %.3f m\n",
               report.before, report.after, report.steps, report.tries,
               tr_arm_path_wrist_length(&smooth, tr_reach_arm(reach), 200));
    return status;
}

int main(void) {
    const tr_reach_body post = {
        .a = {-0.12f, -0.9f, 0.4f}, .b = {-0.12f, 0.3f, 0.4f}, .radius = 0.04f, .links = 7};
    tr_arm arm = tr_arm_default(TR_ARM_RIGHT, 1.75f);
    tr_reach_def def = tr_reach_def_default(NULL, &arm);
    def.bodies = &post;
    def.body_count = 1;
    def.margin = 0.01f;
    tr_reach *reach = NULL;
    tr_arm_smooth *arm_smooth = NULL;
    tr_error error = {0};
    tr_status status = tr_reach_create(&def, &reach, &error);
    if (status == TR_OK)
        status = tr_arm_smooth_create(NULL, &arm_smooth, &error);
    if (status == TR_OK)
        status = go(reach, arm_smooth, &error);
    if (status != TR_OK)
        fprintf(stderr, "%s\n", error.message);
    tr_arm_smooth_destroy(arm_smooth);
    tr_reach_destroy(reach);
    return status != TR_OK;
}
