// How far feet slide while a body walks round a bend: as its driver poses it, and with an overlay on top.
#include "troupe/motion/mannequin.h"
#include "troupe/motion/overlay.h"

#include <math.h>
#include <stdio.h>

#define JOINTS 64

static float walk(const tr_cast *cast, tr_driver_task *task, tr_overlay *overlay, tr_pose poses[4]) {
    tr_driver_nature nature = {.cast = cast, .dt = 1.0f / 30, .speed = 1.3f, .corridor = 0.1f};
    tr_driver_state state = {0};
    tr_affine model[JOINTS];
    tr_driver_body body = {.pose = &poses[0], .scratch = poses + 1, .model = model, .stand_share = 1};
    const tr_vec2 way[] = {{0, 0}, {0, 2}, {2, 4}, {5, 4}};
    tr_driver_set_route(&state, task, &nature, way, 4, NULL, NULL, 0, NULL);
    tr_vec3 held = {0, 0, 0};
    float slide = 0;
    bool stood = false;
    for (int i = 0; i < 180; i++) {
        const tr_driver *driver = tr_driver_of(&state);
        driver->step(&state, task, &nature, INFINITY, &body);
        if (overlay)
            tr_overlay_apply(overlay, driver, &state, task, &nature, &body);
        else
            tr_pose_to_model(cast->skeleton, body.pose, &body.place, model);
        tr_vec3 at = tr_foot_ball(&cast->legs.feet[0], model);
        bool stands = body.contacts & TR_CONTACT_LEFT_TOES;
        if (stands && stood)
            slide = fmaxf(slide, tr_vec3_length(tr_vec3_subtract(at, held)));
        held = stands && stood ? held : at;
        stood = stands;
    }
    return slide;
}

int main(void) {
    tr_skeleton *skeleton = NULL;
    tr_cast *cast = NULL;
    tr_driver_task task = {0};
    tr_overlay *overlay = NULL;
    tr_pose poses[4] = {0};
    tr_error error = {0};
    bool good = tr_mannequin_make(&(tr_mannequin_def){0}, &skeleton, NULL, &error) == TR_OK &&
                tr_cast_create(&(tr_cast_def){.skeleton = skeleton}, &cast, &error) == TR_OK &&
                tr_driver_task_create(NULL, 8, 0, &task, &error) == TR_OK &&
                tr_overlay_create(&(tr_overlay_def){.cast = cast}, &overlay, &error) == TR_OK;
    for (int i = 0; i < 4 && good; i++)
        good = tr_pose_create(NULL, tr_skeleton_joint_count(skeleton), &poses[i], &error) == TR_OK;
    if (good) {
        printf("the ball of the left foot slides by %.1f mm as the driver poses it, ",
               1000 * (double)walk(cast, &task, NULL, poses));
        printf("by %.1f mm with the overlay\n", 1000 * (double)walk(cast, &task, overlay, poses));
    } else {
        fprintf(stderr, "%s\n", error.message);
    }
    for (int i = 0; i < 4; i++)
        tr_pose_destroy(&poses[i]);
    tr_overlay_destroy(overlay);
    tr_driver_task_destroy(NULL, &task);
    tr_cast_destroy(cast);
    tr_skeleton_destroy(skeleton);
    return good ? 0 : 1;
}
