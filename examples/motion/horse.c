// A horse: its joints, the five gallops of Lau & Kuffner 2005, and the footfalls of one stride.
#include <troupe/motion/horse.h>

#include <math.h>
#include <stdio.h>

static int print_behaviors(const tr_skeleton *skeleton, tr_error *error) {
    uint32_t frames = 0;
    for (uint32_t i = 0; i < TR_HORSE_BEHAVIORS; i++) {
        tr_horse_behavior behavior = tr_horse_get_behavior(i);
        tr_horse_clip_def def = {.skeleton = skeleton,
                                 .kind = TR_HORSE_GALLOP,
                                 .speed = behavior.speed,
                                 .turn = behavior.turn,
                                 .frames = behavior.frames,
                                 .frames_per_second = behavior.frames_per_second,
                                 .extra_frames = behavior.extra_frames};
        tr_clip *clip = NULL;
        if (tr_horse_clip_make(&def, &clip, error) != TR_OK)
            return 1;
        uint32_t first = behavior.extra_frames / 2;
        tr_base way = tr_base_difference(tr_clip_frame_base(clip, first),
                                         tr_clip_frame_base(clip, first + behavior.frames));
        printf(
            "%-11s %u + %u frames: %5.2f m ahead, %5.2f m to the left, turns by %3.0f degrees, weight %.2f\n",
            behavior.name, behavior.frames, behavior.extra_frames, (double)way.z, (double)way.x,
            (double)way.heading * 57.2958, (double)behavior.weight);
        frames += tr_clip_frame_count(clip);
        tr_clip_destroy(clip);
    }
    printf("%u frames in all\n", frames);
    return 0;
}

static int print_stride(const tr_skeleton *skeleton, tr_error *error) {
    tr_horse_clip_def def = {.skeleton = skeleton, .kind = TR_HORSE_GALLOP, .speed = 6};
    tr_clip *clip = NULL;
    if (tr_horse_clip_make(&def, &clip, error) != TR_OK)
        return 1;
    printf("a stride at %.1f m/s takes %.2f s\n", (double)tr_clip_speed(clip), tr_clip_duration(clip));
    for (uint32_t i = 0; i < tr_clip_event_count(clip); i++)
        printf("  %.3f s  %s\n", tr_clip_get_event(clip, i).time, tr_clip_get_event(clip, i).name);
    tr_clip_destroy(clip);
    return 0;
}

int main(void) {
    tr_horse_def def = {.height = 1.6f};
    tr_skeleton *skeleton = NULL;
    tr_body *body = NULL;
    tr_error error = {0};
    int failed = tr_horse_make(&def, &skeleton, &body, &error) != TR_OK;
    if (!failed) {
        const tr_body_def *view = tr_body_view(body);
        printf("%u joints, %u triangles, %u capsules\n", tr_skeleton_joint_count(skeleton),
               view->triangle_count, view->capsule_count);
        failed = print_behaviors(skeleton, &error) || print_stride(skeleton, &error);
    }
    if (failed)
        fprintf(stderr, "%s\n", error.message);
    tr_horse_clip_def tight = {.skeleton = skeleton, .kind = TR_HORSE_GALLOP, .turn = 1.5f};
    tr_clip *none = NULL;
    if (skeleton && tr_horse_clip_make(&tight, &none, &error) == TR_INVALID)
        printf("refused: %s\n", error.message);
    tr_body_destroy(body);
    tr_skeleton_destroy(skeleton);
    return failed;
}
