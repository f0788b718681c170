// A machine of behaviors out of one capture: here a body that starts, jogs around a bend and stops.
#include "troupe/motion/behavior_build.h"
#include "troupe/motion/behavior_clip.h"
#include "troupe/motion/mannequin.h"

#include <stdio.h>

#define FRAMES_MAX 600
#define STEPS 6

// Stands in for a file that tr_motion_file_read would bring.
static tr_clip *capture(const tr_skeleton *skeleton) {
    static const struct {
        tr_behavior_clip_kind kind;
        float turn;
    } course[STEPS] = {{TR_BEHAVIOR_CLIP_START, 0}, {TR_BEHAVIOR_CLIP_JOG, 0}, {TR_BEHAVIOR_CLIP_JOG, 0.6f},
                       {TR_BEHAVIOR_CLIP_JOG, 0},   {TR_BEHAVIOR_CLIP_JOG, 0}, {TR_BEHAVIOR_CLIP_END, 0}};
    tr_base bases[FRAMES_MAX], at = {0, 0, 0};
    tr_clip_def room = {.skeleton = skeleton, .frame_count = FRAMES_MAX, .frames_per_second = 60};
    tr_clip *whole = NULL;
    tr_pose pose = {0};
    uint32_t frames = 0;
    bool good = tr_clip_create(&room, &whole, NULL) == TR_OK &&
                tr_pose_create(NULL, tr_skeleton_joint_count(skeleton), &pose, NULL) == TR_OK;
    for (int i = 0; i < STEPS && good; i++) {
        tr_behavior_clip_def def = {.skeleton = skeleton,
                                    .kind = course[i].kind,
                                    .turn = course[i].turn,
                                    .extra = 30,
                                    .frames_per_second = 60};
        tr_behavior_clip_info info;
        tr_clip *clip = NULL;
        good = tr_behavior_clip_make(&def, &clip, &info, NULL) == TR_OK;
        uint32_t from = i == 0 ? 0 : info.first, to = i + 1 == STEPS ? info.last + 30 : info.last;
        for (uint32_t k = from; k < to && good && frames < FRAMES_MAX; k++) {
            tr_base way = tr_base_difference(tr_clip_frame_base(clip, from), tr_clip_frame_base(clip, k));
            bases[frames] = tr_base_move(at, way);
            good = tr_clip_get_frame(clip, k, &pose) == TR_OK &&
                   tr_clip_set_frame(whole, frames++, &pose) == TR_OK;
        }
        at = tr_base_move(at,
                          tr_base_difference(tr_clip_frame_base(clip, from), tr_clip_frame_base(clip, to)));
        tr_clip_destroy(clip);
    }
    for (uint32_t i = frames; i < FRAMES_MAX && good; i++) { // stands
        bases[i] = bases[frames - 1];
        good = tr_clip_set_frame(whole, i, &pose) == TR_OK;
    }
    good = good && tr_clip_set_base(whole, bases, tr_base_difference(bases[0], at)) == TR_OK;
    tr_pose_destroy(&pose);
    if (good)
        return whole;
    tr_clip_destroy(whole);
    return NULL;
}

static void print(const tr_behavior_build *build, const tr_behavior_capture *captures) {
    for (uint32_t i = 0; i < build->state_count; i++) {
        const tr_behavior_build_state *state = &build->states[i];
        printf("%-12s from %s to %s:", state->name, build->labels[state->begin].name,
               build->labels[state->end].name);
        for (uint32_t k = 0; k < state->clip_count; k++) {
            const tr_behavior_piece *piece = &build->pieces[build->clips[state->clip + k].piece];
            printf(" %s%s %u-%u (%.2f m, %+.0f degrees)", captures[piece->capture].name,
                   piece->mirrored ? " mirrored" : "", piece->first, piece->last, (double)piece->z,
                   (double)piece->turn * 57.3);
        }
        printf("\n");
    }
    for (uint32_t i = 0; i < build->piece_count; i++)
        if (build->pieces[i].state == TR_NONE)
            printf("not used: frames %u-%u: %s\n", build->pieces[i].first, build->pieces[i].last,
                   build->pieces[i].reason);
}

int main(void) {
    tr_mannequin_def tall = {.height = 1.9f}, adult = {0};
    tr_skeleton *actor = NULL, *target = NULL;
    tr_behavior_build *build = NULL;
    tr_error error = {0};
    if (tr_mannequin_make(&tall, &actor, NULL, &error) != TR_OK ||
        tr_mannequin_make(&adult, &target, NULL, &error) != TR_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    tr_behavior_capture captures[] = {{"jog", actor, capture(actor), false}};
    tr_behavior_build_def def = {.skeleton = target, .captures = captures, .capture_count = 1};
    if (tr_behavior_build_make(&def, &build, &error) == TR_OK)
        print(build, captures);
    else
        fprintf(stderr, "%s\n", error.message);
    bool good = build != NULL;
    tr_behavior_build_destroy(build);
    tr_clip_destroy((tr_clip *)captures[0].clip);
    tr_skeleton_destroy(actor);
    tr_skeleton_destroy(target);
    return good ? 0 : 1;
}
