// Load a stage file and the scene it names from memory: for browsers, which have no paths, and for games that
// keep their files in a pack.
#include "troupe/io/stage_file.h"

#include <stdio.h>
#include <string.h>

static const char stage_text[] =
    "{\"scene\": {\"file\": \"scenes/yard.obj\"}, \"cell\": 0.1,"
    " \"characters\": [{\"name\": \"Ada\", \"coarse\": true, \"start\": [-3, 0], \"goal\": [3, 0]}]}";
static const char scene_text[] = "o floor\nv -4 0 -4\nv -4 0 4\nv 4 0 4\nv 4 0 -4\nf 1 2 3 4\n"
                                 "o wall\nv 0 0 -1\nv 0 0 1\nv 0 2 1\nv 0 2 -1\nf 5 6 7 8\n";

// A callback of one's own: here it tells what is asked for and passes it on.
static tr_status read_and_tell(void *user, const char *path, const tr_allocator *allocator, tr_bytes *bytes,
                               tr_error *error) {
    const tr_files *inner = user;
    tr_status status = inner->read(inner->user, path, allocator, bytes, error);
    printf("%s: %zu bytes\n", path, bytes->size);
    return status;
}

int main(void) {
    const tr_memory_file list[] = {{"pack/stage.json", stage_text, strlen(stage_text)},
                                   {"pack/scenes/yard.obj", scene_text, strlen(scene_text)}};
    tr_memory_files memory = {list, 2};
    tr_files in_memory = tr_files_in_memory(&memory);
    tr_files files = {read_and_tell, &in_memory};

    tr_error error = {0};
    tr_bytes text;
    tr_stage_play play = {.scene = NULL};
    tr_stage_file_options options = {.files = &files};
    tr_status status = tr_files_read(&files, NULL, "pack/stage.json", &text, &error);
    if (status == TR_OK)
        status = tr_stage_file_read(text.data, text.size, "pack/stage.json", &options, &play, &error);
    tr_bytes_free(NULL, &text);
    while (status == TR_OK)
        status = tr_stage_step(play.stage, TR_STAGE_TICK, &error);
    if (status == TR_DONE)
        printf("Ada is there after %.1f s\n", tr_stage_time(play.stage));
    else
        fprintf(stderr, "%s: %s\n", error.file, error.message);
    tr_stage_play_destroy(&play);

    status = tr_files_read(&in_memory, NULL, "pack/other.json", &text, &error);
    printf("%s: %s\n", error.file, error.message);
    return status != TR_NO_FILE;
}
