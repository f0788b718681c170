// The trunk helps gradually: its posture at the goal changes continuously with the place of the goal.
#include "test.h"
#include "troupe/plan/reach.h"

static tr_reach *make(tr_arm_side side, float height) {
    tr_arm arm = tr_arm_default(side, height);
    tr_reach *reach = NULL;
    tr_arm_allow_help(&arm);
    tr_reach_def def = tr_reach_def_default(NULL, &arm);
    CHECK_INT(tr_reach_create(&def, &reach, NULL), TR_OK);
    return reach;
}

static tr_status reach_to(tr_reach *reach, tr_vec3 wrist, tr_posture *end) {
    static const tr_posture hanging = {{0, 0.1f, 0, 0.3f}};
    tr_arm_goal goal = {.kind = TR_ARM_GOAL_POSITION, .wrist = wrist};
    tr_reach_params params = tr_reach_params_default();
    params.help = true;
    tr_status status = tr_reach_plan(reach, &hanging, &goal, &params, NULL);
    tr_arm_path path = tr_reach_last(reach)->path;
    if (status == TR_OK)
        *end = path.knots[path.count - 1];
    return status;
}

TEST(the_trunk_helps_more_and_more_and_without_jumps) {
    static const tr_vec3 ways[] = {{0, 0, 1}, {0, -0.5f, 1}, {0.3f, -0.2f, 1}, {0, 0.3f, 1}};
    for (int side = 0; side < 2; side++)
        for (uint32_t k = 0; k < sizeof ways / sizeof *ways; k++) {
            tr_reach *reach = make(side ? TR_ARM_LEFT : TR_ARM_RIGHT, 1.6f + 0.05f * (float)k);
            const tr_arm *arm = tr_reach_arm(reach);
            tr_vec3 shoulder = tr_affine_apply(&arm->base, arm->shoulder), way = ways[k];
            way.x *= side ? -1.0f : 1.0f;
            way = tr_vec3_scale(way, 1 / tr_vec3_length(way));
            float stretched = arm->length[0] + arm->length[1], step = 0.005f;
            tr_posture last = {{0}};
            for (float d = 0.5f * stretched; d < 1.3f * stretched; d += step) {
                tr_posture end;
                REQUIRE(reach_to(reach, tr_vec3_add(shoulder, tr_vec3_scale(way, d)), &end) == TR_OK);
                float help = 0;
                for (int i = TR_ARM_JOINTS; i < TR_ARM_ANGLES; i++)
                    help += fabsf(end.q[i]);
                for (int i = TR_ARM_JOINTS; i < TR_ARM_ANGLES && d > 0.5f * stretched; i++)
                    CHECK(fabsf(end.q[i] - last.q[i]) < 0.06f); // of 5 mm
                if (d < 0.79f * stretched)
                    CHECK(help == 0);
                if (d > 0.95f * stretched)
                    CHECK(help > 0.05f);
                last = end;
            }
            CHECK(last.q[TR_ELBOW_FLEXION] > 0.2f); // not stretched
            tr_reach_destroy(reach);
        }
}
