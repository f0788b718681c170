// Folders of captures: files in the order of their names, what cannot be read is left out and noted, and what
// holds no locomotion is refused with a sentence.
#include "test.h"
#include "troupe/io/behavior_folder.h"
#include "troupe/io/bvh.h"
#include "troupe/motion/behavior_clip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDER "test_behavior_folder_files"

static void write_text(const char *path, const char *text) {
    CHECK(tr_file_write(path, text, strlen(text), NULL) == TR_OK);
}

// A jog of several strides, as a capture.
static void write_jog(const char *path) {
    tr_skeleton *skeleton = NULL;
    tr_clip *clip = NULL;
    tr_bytes text = {NULL, 0};
    tr_behavior_clip_info info;
    REQUIRE(tr_mannequin_make(&(tr_mannequin_def){0}, &skeleton, NULL, NULL) == TR_OK);
    tr_behavior_clip_def def = {
        .skeleton = skeleton, .kind = TR_BEHAVIOR_CLIP_JOG, .extra = 100, .frames_per_second = 60};
    REQUIRE(tr_behavior_clip_make(&def, &clip, &info, NULL) == TR_OK);
    REQUIRE(tr_bvh_write(NULL, skeleton, clip, 1, &text, NULL) == TR_OK);
    CHECK(tr_file_write(path, text.data, text.size, NULL) == TR_OK);
    tr_bytes_free(NULL, &text);
    tr_clip_destroy(clip);
    tr_skeleton_destroy(skeleton);
}

static void begin(void) {
    mkdir(FOLDER, 0777);
    unlink(FOLDER "/a.bvh");
    unlink(FOLDER "/b.bvh");
    unlink(FOLDER "/c.glb");
    write_text(FOLDER "/notes.txt", "no motion");
    write_text(FOLDER "/.hidden.bvh", "no motion");
}

static void keep_note(void *user, const char *sentence) {
    snprintf(user, 1000, "%s", sentence);
}

TEST(captures_are_read_by_name_and_bad_files_are_left_out_and_noted) {
    begin();
    write_jog(FOLDER "/b.bvh");
    write_jog(FOLDER "/a.bvh");
    write_text(FOLDER "/c.glb", "this is no motion");
    char note[1000] = "";
    tr_behavior_folder made;
    tr_behavior_folder_def def = {.mannequin.height = 1.6f, .note = keep_note, .note_user = note};
    tr_error error = {0};
    CHECK(tr_behavior_folder_exists(FOLDER) && !tr_behavior_folder_exists(FOLDER "/a.bvh"));
    tr_status status = tr_behavior_folder_read(FOLDER, &def, &made, &error);
    CHECK_TEXT(error.message, "");
    REQUIRE(status == TR_OK);
    CHECK_CONTAINS(note, "c.glb is left out");
    REQUIRE(made.capture_count == 2);
    CHECK_TEXT(made.captures[0], "a.bvh");
    CHECK_TEXT(made.captures[1], "b.bvh");
    CHECK(made.build->captures_used >= 1 && made.cast->clip_count > 0);
    CHECK_NEAR((double)tr_skeleton_height(made.cast->skeleton), 1.6, 0.1);
    tr_behavior_folder_destroy(&made);
    CHECK(!made.cast && !made.captures);
}

TEST(folders_without_locomotion_are_refused) {
    tr_behavior_folder made;
    tr_error error = {0};
    CHECK_INT(tr_behavior_folder_read(FOLDER "/none", NULL, &made, &error), TR_NO_FILE);
    CHECK_CONTAINS(error.message, "cannot be read");
    CHECK_INT(tr_behavior_folder_read("", NULL, &made, &error), TR_NO_FILE);
    begin();
    CHECK_INT(tr_behavior_folder_read(FOLDER, NULL, &made, &error), TR_NO_FILE);
    CHECK_CONTAINS(error.message, "has no motion files");
    write_text(FOLDER "/a.bvh",
               "HIERARCHY\nROOT box\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\n"
               "End Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.1\n0 0 0\n1 0 0\n");
    CHECK_INT(tr_behavior_folder_read(FOLDER, NULL, &made, &error), TR_NOT_FOUND);
    CHECK(strlen(error.message) > 20 && !made.cast && !made.captures);
}

// Building makes many allocations: some of them stand for all.
TEST(a_folder_without_memory_leaves_nothing_behind) {
    begin();
    write_jog(FOLDER "/a.bvh");
    test_memory memory = {0};
    tr_allocator allocator = test_memory_allocator(&memory);
    tr_behavior_folder_def def = {.allocator = &allocator};
    tr_behavior_folder made;
    CHECK_INT(tr_behavior_folder_read(FOLDER, &def, &made, NULL), TR_OK);
    tr_behavior_folder_destroy(&made);
    CHECK_INT(memory.live_bytes, 0);
    uint64_t calls = memory.calls;
    for (uint64_t i = 0; i < 40; i++) {
        memory = (test_memory){.fail_at = i < 20 ? 1 + i : 1 + (calls - 1) * (i - 19) / 20};
        CHECK_INT(tr_behavior_folder_read(FOLDER, &def, &made, NULL), TR_OUT_OF_MEMORY);
        CHECK(!made.cast && !made.captures);
        CHECK_INT(memory.live_bytes, 0);
    }
}
