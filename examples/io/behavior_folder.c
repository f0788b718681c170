// Makes a machine of behaviors out of the captures in a folder: here two files that hold one jog, written for
// the purpose.
#include <stdio.h>
#include <sys/stat.h>
#include <troupe/io/behavior_folder.h>
#include <troupe/io/bvh.h>
#include <troupe/motion/behavior_clip.h>

#define FOLDER "example_captures"

// Stands in for captures of your own.
static int write_capture(const tr_skeleton *skeleton, const char *path, tr_error *error) {
    tr_behavior_clip_def def = {
        .skeleton = skeleton, .kind = TR_BEHAVIOR_CLIP_JOG, .extra = 60, .frames_per_second = 60};
    tr_behavior_clip_info info;
    tr_clip *clip = NULL;
    tr_bytes text = {NULL, 0};
    tr_status status = tr_behavior_clip_make(&def, &clip, &info, error);
    if (status == TR_OK)
        status = tr_bvh_write(NULL, skeleton, clip, 1, &text, error);
    if (status == TR_OK)
        status = tr_file_write(path, text.data, text.size, error);
    tr_bytes_free(NULL, &text);
    tr_clip_destroy(clip);
    return status == TR_OK;
}

int main(void) {
    tr_skeleton *skeleton = NULL;
    tr_error error = {0};
    mkdir(FOLDER, 0777);
    int good = tr_mannequin_make(&(tr_mannequin_def){0}, &skeleton, NULL, &error) == TR_OK &&
               write_capture(skeleton, FOLDER "/jog.bvh", &error);
    tr_skeleton_destroy(skeleton);
    tr_behavior_folder made = {0};
    tr_behavior_folder_def def = {.mannequin.height = 1.7f};
    if (!good || !tr_behavior_folder_exists(FOLDER) ||
        tr_behavior_folder_read(FOLDER, &def, &made, &error) != TR_OK) {
        printf("%s\n", error.message);
        return !good;
    }
    printf("%u of %u captures are used, %u states\n", made.build->captures_used, made.capture_count,
           tr_behavior_def_of(made.cast->machine)->state_count);
    for (uint32_t i = 0; i < made.build->piece_count; i++)
        printf("%s: %s\n", made.captures[made.build->pieces[i].capture],
               tr_behavior_piece_name(made.build->pieces[i].kind));
    tr_behavior_folder_destroy(&made);
    return 0;
}
