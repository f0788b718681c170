// Compare the walk that Troupe makes with people, at three speeds.
#include "troupe/motion/gait.h"
#include "troupe/motion/likeness.h"
#include "troupe/motion/mannequin.h"

#include <stdio.h>

static void print(const tr_likeness *likeness) {
    printf("%.2f m/s: %.0f %% like people; stride %.2f m, people %.2f m\n", (double)likeness->speed,
           (double)likeness->likeness * 100, (double)likeness->stride_length,
           (double)likeness->people_stride_length);
    const tr_likeness_curve shown[] = {TR_LIKENESS_KNEE, TR_LIKENESS_ARM_WORLD, TR_LIKENESS_PELVIS_HEIGHT};
    for (int i = 0; i < 3; i++) {
        const tr_likeness_match *match = &likeness->curves[shown[i]];
        tr_likeness_people there = tr_likeness_of_people(shown[i], likeness->speed, match->worst_percent);
        printf("  %-13s range %5.1f of %5.1f, correlation %.2f, at worst %+.1f SD from %.1f at %.0f %%\n",
               tr_likeness_name(shown[i]), (double)match->range, (double)match->people_range,
               (double)match->correlation, (double)match->worst_sd, (double)there.mean,
               (double)match->worst_percent);
    }
}

int main(void) {
    tr_error error = {0};
    tr_skeleton *skeleton = NULL;
    tr_mannequin_def mannequin = {.height = 1.75f};
    tr_status status = tr_mannequin_make(&mannequin, &skeleton, NULL, &error);
    const float speeds[] = {1.0f, 1.4f, 1.8f};
    for (int i = 0; i < 3 && status == TR_OK; i++) {
        tr_clip *walk = NULL;
        tr_likeness likeness;
        tr_gait_def gait = {.skeleton = skeleton, .kind = TR_GAIT_WALK, .speed = speeds[i]};
        status = tr_gait_make(&gait, &walk, &error);
        if (status == TR_OK)
            status = tr_likeness_measure(NULL, skeleton, walk, NULL, &likeness, &error);
        if (status == TR_OK)
            print(&likeness);
        tr_clip_destroy(walk);
    }
    if (status != TR_OK)
        fprintf(stderr, "%s\n", error.message);
    tr_skeleton_destroy(skeleton);
    return status == TR_OK ? 0 : 1;
}
