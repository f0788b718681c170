// A figure put together by hand: a skeleton of one joint, and two clips that are found by name.
#include "troupe/motion/figure.h"

#include <stdio.h>

static tr_status add_clip(tr_figure *figure, const char *name, uint32_t frames) {
    tr_clip_def def = {
        .name = name, .skeleton = figure->skeleton, .frame_count = frames, .frames_per_second = 30};
    tr_clip *clip = NULL;
    tr_status status = tr_clip_create(&def, &clip, NULL);
    if (status == TR_OK)
        status = tr_figure_add_clip(figure, clip);
    if (status != TR_OK)
        tr_clip_destroy(clip);
    return status;
}

int main(void) {
    tr_figures figures = tr_figures_begin(NULL);
    tr_figure *figure = tr_figures_add(&figures);
    tr_joint_def joint = {.name = "root", .parent = TR_NONE, .rest = tr_transform_identity()};
    if (!figure || tr_figure_set_name(figure, "puppet") != TR_OK ||
        tr_skeleton_create(&(tr_skeleton_def){.joints = &joint, .joint_count = 1}, &figure->skeleton, NULL) !=
            TR_OK ||
        add_clip(figure, "bow", 45) != TR_OK || add_clip(figure, "leave", 90) != TR_OK)
        return 1;
    const tr_clip *leave = tr_figure_find_clip(figure, "leave");
    printf("%s has %u joint and %u clips; \"%s\" lasts %.2f s\n", figure->name,
           tr_skeleton_joint_count(figure->skeleton), figure->clip_count, tr_clip_name(leave),
           tr_clip_duration(leave));
    tr_figures_destroy(&figures);
    return 0;
}
