// A skateboarder: its joints, the eleven behaviors, and the moments of a jump.
#include <troupe/motion/skateboarder.h>

#include <stdio.h>

static tr_status print_behaviors(const tr_skeleton *skeleton, tr_error *error) {
    uint32_t frames = 0;
    for (uint32_t i = 0; i < TR_SKATEBOARDER_BEHAVIORS; i++) {
        tr_skateboarder_behavior behavior = tr_skateboarder_get_behavior(i);
        tr_skateboarder_clip_def def = {.skeleton = skeleton,
                                        .kind = behavior.kind,
                                        .turn = behavior.turn,
                                        .extra_frames = behavior.extra_frames};
        tr_clip *clip = NULL;
        tr_status status = tr_skateboarder_clip_make(&def, &clip, error);
        if (status != TR_OK)
            return status;
        uint32_t first = behavior.extra_frames / 2;
        tr_base way = tr_base_difference(tr_clip_frame_base(clip, first),
                                         tr_clip_frame_base(clip, first + behavior.frames));
        printf("%-11s %3u + %u frames: %4.2f m ahead, turns by %3.0f degrees, weight %.2f, %s to %s\n",
               behavior.name, behavior.frames, behavior.extra_frames, (double)way.z,
               (double)way.heading * 57.2958, (double)behavior.weight,
               behavior.stands_before ? "standing" : "gliding",
               behavior.stands_after ? "standing" : "gliding");
        for (uint32_t k = 0; k < tr_clip_event_count(clip); k++)
            printf("    %.2f s  %s\n", tr_clip_get_event(clip, k).time, tr_clip_get_event(clip, k).name);
        frames += tr_clip_frame_count(clip);
        tr_clip_destroy(clip);
    }
    printf("%u frames in all\n", frames);
    return TR_OK;
}

int main(void) {
    tr_mannequin_def def = {.shape = TR_SHAPE_WOMAN};
    tr_skeleton *skeleton = NULL;
    tr_body *body = NULL;
    tr_error error = {0};
    tr_status status = tr_skateboarder_make(&def, &skeleton, &body, &error);
    if (status == TR_OK) {
        const tr_body_def *view = tr_body_view(body);
        printf("%u joints, %u triangles, %u capsules\n", tr_skeleton_joint_count(skeleton),
               view->triangle_count, view->capsule_count);
        status = print_behaviors(skeleton, &error);
    }
    if (status != TR_OK)
        fprintf(stderr, "%s\n", error.message);
    tr_skateboarder_clip_def tight = {.skeleton = skeleton, .kind = TR_SKATEBOARDER_GLIDE, .turn = 2};
    tr_clip *none = NULL;
    if (skeleton && tr_skateboarder_clip_make(&tight, &none, &error) == TR_INVALID)
        printf("refused: %s\n", error.message);
    tr_body_destroy(body);
    tr_skeleton_destroy(skeleton);
    return status != TR_OK;
}
