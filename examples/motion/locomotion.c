// One walker from standing to running: how clips are mixed at each speed, and a few seconds of it.
#include "troupe/motion/gait.h"
#include "troupe/motion/locomotion.h"
#include "troupe/motion/mannequin.h"

#include <stdio.h>

enum { CYCLES = 5 };

static tr_clip *make(const tr_skeleton *skeleton, tr_gait_kind kind, float speed) {
    tr_gait_def def = {.skeleton = skeleton, .kind = kind, .speed = speed};
    tr_clip *clip = NULL;
    tr_error error;
    if (tr_gait_make(&def, &clip, &error) != TR_OK)
        printf("%s\n", error.message);
    return clip;
}

static void print_table(const tr_locomotion *locomotion) {
    static const char *const names[] = {"stand", "slow walk", "walk", "fast walk", "jog", "run"};
    printf("speed     mix                        steps/min  step    feet slide\n");
    for (float speed = 0; speed <= tr_locomotion_speed_max(locomotion); speed += 0.25f) {
        tr_locomotion_mix mix = tr_locomotion_at(locomotion, speed);
        uint32_t lower = mix.lower == TR_NONE ? 0 : mix.lower + 1;
        printf("%.2f m/s  %9s %3.0f %% %9s  %7.1f    %.2f m  %4.1f mm/s\n", speed, names[lower],
               100 * mix.blend, names[lower + 1], 120 * mix.rate, speed / mix.rate / 2, 1000 * mix.slide);
    }
}

// Speed up from rest for three seconds; each line is a foot coming down.
static void walk(const tr_locomotion *locomotion, uint32_t joints) {
    tr_pose pose = {0}, scratch[2];
    if (tr_pose_create(NULL, joints, &pose, NULL) != TR_OK ||
        tr_pose_create(NULL, joints, &scratch[0], NULL) != TR_OK ||
        tr_pose_create(NULL, joints, &scratch[1], NULL) != TR_OK)
        return;
    tr_locomotion_state state = {0};
    uint32_t before = 15, contacts;
    float way = 0, dt = 1 / 60.0f;
    for (int frame = 0; frame < 180; frame++) {
        float speed = (float)frame / 60;
        way += speed * dt;
        tr_locomotion_step(locomotion, &state, speed, dt, &pose, scratch, &contacts);
        for (int side = 0; side < 2; side++)
            if ((contacts >> 2 * side & 3) && !(before >> 2 * side & 3))
                printf("%.2f s, %.2f m: %s foot down\n", (float)frame * dt, way, side ? "right" : "left");
        before = contacts;
    }
    tr_pose_destroy(&pose);
    tr_pose_destroy(&scratch[0]);
    tr_pose_destroy(&scratch[1]);
}

int main(void) {
    tr_mannequin_def mannequin = {.detail = 1};
    tr_skeleton *skeleton = NULL;
    if (tr_mannequin_make(&mannequin, &skeleton, NULL, NULL) != TR_OK)
        return 1;
    tr_clip *stand = make(skeleton, TR_GAIT_STAND, 0);
    tr_clip *cycles[CYCLES] = {make(skeleton, TR_GAIT_WALK, 0.7f), make(skeleton, TR_GAIT_WALK, 1.2f),
                               make(skeleton, TR_GAIT_WALK, 1.7f), make(skeleton, TR_GAIT_JOG, 2.4f),
                               make(skeleton, TR_GAIT_RUN, 3.5f)};
    tr_locomotion_def def = {.skeleton = skeleton,
                             .stand = stand,
                             .cycles = (const tr_clip *const *)cycles,
                             .cycle_count = CYCLES};
    tr_locomotion *locomotion = NULL;
    tr_error error;
    if (tr_locomotion_create(&def, &locomotion, &error) != TR_OK) {
        printf("%s\n", error.message);
        return 1;
    }
    print_table(locomotion);
    walk(locomotion, tr_skeleton_joint_count(skeleton));
    tr_locomotion_destroy(locomotion);
    for (int i = 0; i < CYCLES; i++)
        tr_clip_destroy(cycles[i]);
    tr_clip_destroy(stand);
    tr_skeleton_destroy(skeleton);
    return 0;
}
