// Look at a walk: where it was made for, and through a wall on ground that is 3 mm too high.
#include "troupe/motion/audit.h"
#include "troupe/motion/gait.h"
#include "troupe/motion/mannequin.h"

#include <math.h>
#include <stdio.h>

static void print(const char *title, const tr_audit *a) {
    printf("%s: %u frames at %g per second, %u plants\n", title, a->frames, a->fps, a->plants);
    printf("  slide at most %.2f mm, on average %.2f; skating %.2f mm a frame\n", (double)a->slide_mm_max,
           (double)a->slide_mm_mean, (double)a->skate_mm);
    printf("  penetration %.2f mm, clearance in mid-swing %.1f mm\n", (double)a->penetration_mm_max,
           (double)a->clearance_mm_min);
    printf("  joint limits broken %u times, jerk %.0f m/s^3, of the pelvis %.2f without dimension\n",
           a->joint_limit_violations, (double)a->jerk_30hz, (double)a->ldlj);
    printf("  seam %.2f m/s; collisions in %u frames, %.0f mm deep; with itself in %u\n", (double)a->seam_mps,
           a->collisions, (double)a->collision_mm_max, a->self_collisions);
}

// A wall across the way, half a metre ahead.
static tr_scene *make_wall(void) {
    tr_scene *scene = NULL;
    const tr_vec3 corners[] = {{-2, 0, 0.5f}, {2, 0, 0.5f}, {0, 4, 0.5f}};
    const uint32_t indices[] = {0, 1, 2};
    tr_mesh_def mesh = {.positions = corners, .position_count = 3, .indices = indices, .triangle_count = 1};
    tr_object_def object = {.placement = tr_affine_identity()};
    uint32_t number;
    if (tr_scene_create(NULL, &scene) == TR_OK &&
        tr_scene_add_mesh(scene, &mesh, &object.mesh, NULL) == TR_OK)
        tr_scene_add_object(scene, &object, &number, NULL);
    return scene;
}

int main(void) {
    tr_error error = {0};
    tr_skeleton *skeleton = NULL;
    tr_body *body = NULL;
    tr_clip *walk = NULL;
    tr_mannequin_def mannequin = {.height = 1.75f};
    tr_status status = tr_mannequin_make(&mannequin, &skeleton, &body, &error);
    tr_gait_def gait = {.skeleton = skeleton, .kind = TR_GAIT_WALK};
    if (status == TR_OK)
        status = tr_gait_make(&gait, &walk, &error);
    tr_audit_params params = tr_audit_params_default();
    tr_audit audit;
    params.ground = 0, params.body = body;
    if (status == TR_OK)
        status = tr_audit_measure(NULL, skeleton, walk, &params, &audit, &error);
    if (status == TR_OK) {
        print("a walk", &audit);
        tr_scene *scene = make_wall();
        params.scene = scene;
        params.ground = 0.003f;
        status = tr_audit_measure(NULL, skeleton, walk, &params, &audit, &error);
        print("the same in a bad place", &audit);
        tr_scene_destroy(scene);
    }
    if (status != TR_OK)
        fprintf(stderr, "%s\n", error.message);
    tr_clip_destroy(walk);
    tr_body_destroy(body);
    tr_skeleton_destroy(skeleton);
    return status == TR_OK ? 0 : 1;
}
