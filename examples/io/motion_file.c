// Read a motion from a file named on the command line (BVH, glTF or GLB), or from a little one that is
// written first, tell what is in it, and write it as a GLB.
#include "troupe/io/file.h"
#include "troupe/io/motion_file.h"

#include <stdio.h>

static const char text[] = "HIERARCHY\nROOT pole\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
                           "JOINT flag\n{\nOFFSET 0 2 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
                           "End Site\n{\nOFFSET 0.8 0 0\n}\n}\n}\n"
                           "MOTION\nFrames: 3\nFrame Time: 0.1\n"
                           "0 0 0 0 0 0\n0 0 0 0 0 25\n2 0 0 0 0 -25\n";

static void print_note(void *user, const char *sentence) {
    (void)user;
    printf("note: %s\n", sentence);
}

static void print_figures(const tr_figures *figures) {
    for (uint32_t i = 0; i < figures->count; i++) {
        const tr_figure *figure = &figures->items[i];
        printf("%s: %u joints\n", figure->name, tr_skeleton_joint_count(figure->skeleton));
        for (uint32_t k = 0; k < figure->clip_count; k++)
            printf("  %s: %.2f s\n", tr_clip_name(figure->clips[k]), tr_clip_duration(figure->clips[k]));
    }
}

int main(int argument_count, char **arguments) {
    static const char own[] = "example_motion_file.bvh", out[] = "example_motion_file.glb";
    const char *path = argument_count > 1 ? arguments[1] : own;
    tr_error error = {0};
    if (path == own && tr_file_write(own, text, sizeof text - 1, &error) != TR_OK)
        return 1;
    tr_motion_options options = tr_motion_options_default();
    options.note = print_note;
    tr_figures figures = tr_figures_begin(NULL), again = tr_figures_begin(NULL);
    tr_status status = tr_motion_file_read(path, &options, &figures, &error);
    if (status == TR_OK)
        status = tr_motion_file_write(out, &figures, 0.01, &error);
    if (status == TR_OK)
        status = tr_motion_file_read(out, NULL, &again, &error);
    if (status == TR_OK) {
        print_figures(&figures);
        printf("read back from %s:\n", out);
        print_figures(&again);
    } else {
        char line[700];
        fprintf(stderr, "%s\n", tr_error_format(&error, line, sizeof line));
    }
    remove(own);
    remove(out);
    tr_figures_destroy(&figures);
    tr_figures_destroy(&again);
    return status == TR_OK ? 0 : 1;
}
