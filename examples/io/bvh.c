// Read a BVH text as somebody's program wrote it, say what was odd, and write it as every reader takes it.
#include "troupe/io/bvh.h"

#include <stdio.h>
#include <string.h>

static const char text[] =
    "hierarchy\n"
    "ROOT Hips {\n"
    "  OFFSET 0 0 0  CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation\n"
    "  JOINT LeftUpLeg { OFFSET 10 -5 0  CHANNELS 3 Zrotation Yrotation Xrotation\n"
    "    JOINT LeftLeg { OFFSET 0 -42 0  CHANNELS 1 Xrotation\n"
    "      JOINT LeftFoot { OFFSET 0 -41,5 0 } } } }\n"
    "MOTION\nFrames: 3\nFrame Time: .0333333\n"
    "0 95 0 0 0 0 0 0 0 0\n"
    "0 94,5 2 0 5 0 0 0 -30 20\n";

static void print_note(void *user, const char *sentence) {
    (void)user;
    printf("note: %s\n", sentence);
}

int main(void) {
    tr_bvh_options options = tr_bvh_options_default();
    options.note = print_note;
    tr_figure figure = {0};
    tr_error error = {0};
    tr_bytes written;
    if (tr_bvh_read(text, strlen(text), &options, &figure, &error) != TR_OK ||
        tr_bvh_write(NULL, figure.skeleton, figure.clips[0], 0.01, &written, &error) != TR_OK) {
        fprintf(stderr, "line %u: %s\n", error.line, error.message);
        return 1;
    }
    printf("%u joints, %u frames at %g per second\n\n%.*s", tr_skeleton_joint_count(figure.skeleton),
           tr_clip_frame_count(figure.clips[0]), tr_clip_rate(figure.clips[0]), (int)written.size,
           (const char *)written.data);
    tr_bytes_free(NULL, &written);
    tr_figure_destroy(&figure);

    static const char wrong[] = "HIERARCHY\nROOT a\n{\nOFFSET 0 up 0\n";
    tr_status status = tr_bvh_read(wrong, strlen(wrong), NULL, &figure, &error);
    printf("\nline %u: %s\n", error.line, error.message);
    return status == TR_BAD_FILE ? 0 : 1;
}
