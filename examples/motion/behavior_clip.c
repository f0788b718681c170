// Clips for a behavior planner: the repertoire of the mannequin with what a planner needs to know about it,
// and a chain of clips that turns a corner.
#include <troupe/motion/behavior_clip.h>
#include <troupe/motion/mannequin.h>

#include <stdio.h>

#define DEGREES 57.2958

static const char *const labels[] = {"standing", "left", "right"};

static bool list_repertoire(const tr_skeleton *skeleton, tr_error *error) {
    tr_behavior_clip_state states[TR_BEHAVIOR_CLIP_STATES_MAX];
    uint32_t count, frames = 0;
    if (tr_behavior_clip_repertoire(skeleton, TR_BEHAVIOR_CLIPS_JOGGER, states, &count, error) != TR_OK)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        tr_clip *clip = NULL;
        tr_behavior_clip_info info;
        if (tr_behavior_clip_make(&states[i].def, &clip, &info, error) != TR_OK)
            return false;
        uint32_t own = info.last - info.first;
        frames += own * states[i].clip_count;
        printf("%-20s %u clips of %3u frames, %-8s to %-8s goes %5.2f m, turns %4.0f degrees, weight %.2f\n",
               states[i].name, states[i].clip_count, own, labels[info.begin], labels[info.end],
               info.advance.z, info.advance.heading * DEGREES, states[i].weight);
        tr_clip_destroy(clip);
    }
    printf("%u states, %u frames at 30 frames a second\n", count, frames);
    return true;
}

// Start, turn left twice, stop: each clip begins where the one before ends.
static bool chain(const tr_skeleton *skeleton, tr_error *error) {
    const tr_behavior_clip_def parts[] = {{.kind = TR_BEHAVIOR_CLIP_START},
                                          {.kind = TR_BEHAVIOR_CLIP_JOG, .turn = 0.785f},
                                          {.kind = TR_BEHAVIOR_CLIP_JOG, .turn = 0.785f},
                                          {.kind = TR_BEHAVIOR_CLIP_END}};
    tr_base place = {0};
    for (uint32_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        tr_behavior_clip_def def = parts[i];
        tr_behavior_clip_info info;
        tr_clip *clip = NULL;
        def.skeleton = skeleton;
        if (tr_behavior_clip_make(&def, &clip, &info, error) != TR_OK)
            return false;
        place = tr_base_move(place, info.advance);
        printf("after %-5s at (%.2f, %.2f), heading %.0f degrees\n", tr_clip_name(clip), place.x, place.z,
               place.heading * DEGREES);
        tr_clip_destroy(clip);
    }
    return true;
}

int main(void) {
    tr_mannequin_def def = {.height = 1.75f};
    tr_skeleton *skeleton = NULL;
    tr_error error = {0};
    if (tr_mannequin_make(&def, &skeleton, NULL, &error) != TR_OK)
        return 1;
    printf("kinds:");
    for (uint32_t kind = 0; kind < TR_BEHAVIOR_CLIP_KINDS; kind++)
        printf(" %s", tr_behavior_clip_name((tr_behavior_clip_kind)kind));
    printf("\n\"swim\" is %s\n",
           tr_behavior_clip_find("swim") == TR_BEHAVIOR_CLIP_KINDS ? "none of them" : "one");
    bool good = list_repertoire(skeleton, &error) && chain(skeleton, &error);
    if (!good)
        fprintf(stderr, "%s\n", error.message);
    tr_skeleton_destroy(skeleton);
    return good ? 0 : 1;
}
