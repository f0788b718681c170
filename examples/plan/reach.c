// A hand goes over the edge of a table to a place behind a box: too far from where the body stands at first,
// and after a step ahead what is found, and how close it comes.
#include "troupe/plan/reach.h"

#include <stdio.h>

static bool add_box(tr_scene *scene, tr_vec3 low, tr_vec3 high) {
    tr_vec3 corner[8];
    for (int i = 0; i < 8; i++)
        corner[i] = tr_vec3_make(i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z);
    static const uint32_t indices[36] = {0, 1, 3, 0, 3, 2, 4, 6, 7, 4, 7, 5, 0, 4, 5, 0, 5, 1,
                                         2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7, 3};
    tr_mesh_def mesh = {.positions = corner, .position_count = 8, .indices = indices, .triangle_count = 12};
    tr_object_def object = {.placement = tr_affine_identity()};
    uint32_t number;
    return tr_scene_add_mesh(scene, &mesh, &object.mesh, NULL) == TR_OK &&
           tr_scene_add_object(scene, &object, &number, NULL) == TR_OK;
}

int main(void) {
    tr_scene *scene = NULL;
    tr_solid *solid = NULL;
    tr_reach *reach = NULL;
    tr_error error = {0};
    int failed = 1;
    if (tr_scene_create(NULL, &scene) != TR_OK ||
        !add_box(scene, tr_vec3_make(-0.8f, 0.95f, 0.25f), tr_vec3_make(0.8f, 1, 0.9f)) ||
        !add_box(scene, tr_vec3_make(-0.3f, 1, 0.35f), tr_vec3_make(-0.1f, 1.08f, 0.4f)))
        goto end;

    tr_arm arm = tr_arm_default(TR_ARM_RIGHT, 1.75f);
    arm.base.m[2][3] -= 0.4f; // the pelvis, well away from the table
    tr_solid_def solid_def = tr_solid_def_default(scene);
    if (tr_solid_create(&solid_def, &solid, &error) != TR_OK)
        goto end;
    tr_reach_def def = tr_reach_def_default(solid, &arm);
    if (tr_reach_create(&def, &reach, &error) != TR_OK)
        goto end;

    tr_posture start = {{0}}; // the arm hangs
    tr_arm_goal goal = {.kind = TR_ARM_GOAL_POSITION, .wrist = {-0.2f, 1.13f, 0.48f}};
    tr_reach_params params = tr_reach_params_default();
    tr_status status = tr_reach_plan(reach, &start, &goal, &params, &error);
    if (status == TR_NOT_FOUND && tr_reach_last(reach)->reason == TR_REACH_GOAL_TOO_FAR) {
        printf("%s; a step ahead\n", error.message);
        tr_affine nearer = tr_reach_arm(reach)->base;
        nearer.m[2][3] += 0.4f;
        status = tr_reach_place(reach, &nearer); // the same planner goes along with the body
        if (status == TR_OK)
            status = tr_reach_plan(reach, &start, &goal, &params, &error);
    }
    if (status != TR_OK)
        goto end;
    const tr_reach_result *result = tr_reach_last(reach);
    printf("%u knots after %u postures: %.2f rad, %.2f m for the wrist, never nearer than %.0f mm\n",
           result->path.count, result->checks, result->length, result->wrist_length,
           1e3 * (double)result->clearance);
    for (int k = 0; k <= 8; k++) {
        tr_posture posture = tr_arm_path_at(&result->path, (result->path.count - 1) * k / 8.0, NULL);
        tr_vec3 points[4];
        tr_arm_points(tr_reach_arm(reach), &posture, points);
        printf("  wrist (%5.2f %5.2f %5.2f)  %3.0f mm of room\n", (double)points[2].x, (double)points[2].y,
               (double)points[2].z, 1e3 * (double)tr_reach_clearance(reach, &posture, 0.2f));
    }
    failed = 0;
end:
    if (failed)
        fprintf(stderr, "%s\n", error.message);
    tr_reach_destroy(reach);
    tr_solid_destroy(solid);
    tr_scene_destroy(scene);
    return failed;
}
