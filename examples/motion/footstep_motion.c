// A mannequin climbs five steps of a stair: the footsteps are given, legs and hips are found.
#include "troupe/motion/footstep_motion.h"
#include "troupe/stage/character.h"

#include <stdio.h>

#define JOINTS_MAX 64
#define STEPS 5

// Soles in the middle of the footsteps, feet beside each other at the top.
static uint32_t make_footsteps(tr_footstep *footsteps) {
    uint32_t count = 0;
    for (uint32_t i = 1; i <= STEPS + 1; i++) {
        uint32_t side = i % 2 ? 0 : 1, step = i < STEPS ? i : STEPS;
        float left = side == 0 ? 0.09f : -0.09f;
        footsteps[count++] = (tr_footstep){
            .side = side, .position = {left, 0.17f * (float)step, 0.1f + 0.29f * (float)step}, .support = 1};
    }
    return count;
}

int main(void) {
    tr_character *character = NULL;
    tr_pose pose, scratch[2];
    tr_affine place = tr_affine_place(tr_vec3_make(0, 0, 0), 0), model[JOINTS_MAX];
    if (tr_character_create(&(tr_character_def){.height = 1.75f}, &character, NULL) != TR_OK)
        return 1;
    uint32_t joints = tr_skeleton_joint_count(character->skeleton);
    if (joints > JOINTS_MAX || tr_pose_create(NULL, joints, &pose, NULL) != TR_OK ||
        tr_pose_create(NULL, joints, &scratch[0], NULL) != TR_OK ||
        tr_pose_create(NULL, joints, &scratch[1], NULL) != TR_OK)
        return 1;

    tr_clip_sample(character->stand, 0, &pose);
    tr_pose_to_model(character->skeleton, &pose, &place, model);
    const tr_footstep feet[2] = {{.side = 0, .position = {0.09f, 0, 0.08f}, .support = 1},
                                 {.side = 1, .position = {-0.09f, 0, 0.08f}, .support = 1}};
    tr_footstep footsteps[STEPS + 1];
    uint32_t count = make_footsteps(footsteps), next = 0, contacts = 0;
    tr_footstep_motion_params params = tr_footstep_motion_params_default();
    tr_footstep_motion_state state;
    tr_footstep_motion_begin(&state, &character->legs, model, feet, tr_vec3_make(0, 0, 0), 0);

    printf("  time  footstep   hips at z    height   left foot  right foot  stands\n");
    tr_status status = TR_OK;
    for (int i = 0; status == TR_OK && i < 1000; i++) {
        uint32_t used;
        status = tr_footstep_motion_step(&state, &params, &character->legs, character->skeleton,
                                         character->locomotion, footsteps + next, count - next, &used,
                                         1 / 60.0f, &pose, scratch, &place, model, &contacts);
        next += used;
        tr_vec3 hips = tr_affine_position(&model[character->legs.hips]);
        if (i % 12 == 0 || status == TR_DONE)
            printf("%5.2f s  %5u  %8.3f m  %6.3f m  %7.3f m   %7.3f m  %s %s\n", (i + 1) / 60.0, next,
                   (double)hips.z, (double)hips.y, (double)tr_foot_ball(&character->legs.feet[0], model).y,
                   (double)tr_foot_ball(&character->legs.feet[1], model).y, contacts & 3 ? "left" : "    ",
                   contacts & 12 ? "right" : "");
    }
    tr_pose_destroy(&pose);
    tr_pose_destroy(&scratch[0]);
    tr_pose_destroy(&scratch[1]);
    tr_character_destroy(character);
    return status == TR_DONE ? 0 : 1;
}
