// Every gait of the mannequin, three seconds of the walk with its steps, and gaits by the names that a file
// uses.
#include <troupe/motion/gait.h>
#include <troupe/motion/mannequin.h>

#include <math.h>
#include <stdio.h>

static void print_step(void *user, const char *name, double time) {
    const tr_clip *walk = user;
    tr_base base = tr_clip_base(walk, time);
    printf("%5.2f s  %-10s  the base is at %5.2f m\n", time, name, base.z);
}

int main(void) {
    tr_mannequin_def def = {.height = 1.75f};
    tr_skeleton *skeleton = NULL;
    tr_error error = {0};
    if (tr_mannequin_make(&def, &skeleton, NULL, &error) != TR_OK)
        return 1;
    for (uint32_t kind = 0; kind < TR_GAIT_KINDS; kind++) {
        tr_clip *clip = NULL;
        tr_gait_def gait = {.skeleton = skeleton, .kind = (tr_gait_kind)kind};
        if (tr_gait_make(&gait, &clip, &error) != TR_OK) {
            printf("%s: %s\n", tr_gait_name((tr_gait_kind)kind), error.message);
            return 1;
        }
        tr_base way = tr_clip_advance(clip);
        printf("%-10s %3u frames, %4.2f s, goes %.2f m and turns by %4.0f degrees in %u steps%s\n",
               tr_clip_name(clip), tr_clip_frame_count(clip), tr_clip_duration(clip),
               (double)sqrtf(way.x * way.x + way.z * way.z), way.heading * 57.2958, tr_clip_event_count(clip),
               tr_clip_loops(clip) ? ", again and again" : "");
        if (kind == TR_GAIT_WALK) // three seconds of it
            tr_clip_events_between(clip, -0.01, 3, print_step, clip);
        tr_clip_destroy(clip);
    }
    tr_clip *none = NULL;
    tr_gait_def sprint = {.skeleton = skeleton, .kind = TR_GAIT_RUN, .speed = 12};
    if (tr_gait_make(&sprint, &none, &error) == TR_INVALID)
        printf("refused: %s\n", error.message);
    bool failed = false;
    static const char *const words[] = {"jog", "side_left", "moonwalk"}; // as a file or a user says it
    for (int i = 0; i < 3; i++) {
        tr_gait_kind kind = tr_gait_find(words[i]);
        tr_clip *clip = NULL;
        tr_gait_def gait = {.skeleton = skeleton, .kind = kind};
        if (kind == TR_GAIT_KINDS)
            printf("\"%s\" is no gait: take one of those above\n", words[i]);
        else if (tr_gait_make(&gait, &clip, &error) == TR_OK)
            printf("\"%s\" goes at %.2f m/s\n", words[i], tr_clip_speed(clip));
        else
            fprintf(stderr, "%s\n", error.message);
        failed = failed || (kind != TR_GAIT_KINDS && !clip);
        tr_clip_destroy(clip);
    }
    tr_skeleton_destroy(skeleton);
    return failed ? 1 : 0;
}
