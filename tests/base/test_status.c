#include "test.h"
#include "troupe/base/status.h"

#include <string.h>

TEST(every_status_has_a_name_of_its_own) {
    for (int a = TR_OK; a <= TR_UNAVAILABLE; a++) {
        CHECK(strcmp(tr_status_name((tr_status)a), "unknown") != 0);
        for (int b = TR_OK; b < a; b++)
            CHECK(strcmp(tr_status_name((tr_status)a), tr_status_name((tr_status)b)) != 0);
    }
    CHECK_TEXT(tr_status_name(TR_OK), "ok");
    CHECK_TEXT(tr_status_name((tr_status)99), "unknown");
}

TEST(fail_returns_the_status_and_fills_the_error) {
    tr_error error = {.line = 3, .offset = 4, .file = "old", .message = "old"};
    CHECK_INT(tr_fail(&error, TR_LIMIT, "%d is more than %s", 5, "four"), TR_LIMIT);
    CHECK_INT(error.status, TR_LIMIT);
    CHECK_TEXT(error.message, "5 is more than four");
    CHECK_TEXT(error.file, "");
    CHECK_INT(error.line, 0);
    CHECK_INT(error.offset, 0);
}

TEST(fail_without_an_error_still_returns_the_status) {
    CHECK_INT(tr_fail(NULL, TR_INVALID, "nobody reads this %d", 1), TR_INVALID);
    tr_error_set_file(NULL, "nobody.obj");
}

TEST(a_sentence_may_quote_the_error_it_replaces) {
    tr_error error;
    tr_fail(&error, TR_BAD_FILE, "the vertex is missing");
    tr_fail(&error, TR_BAD_FILE, "mesh 2: %s", error.message);
    CHECK_TEXT(error.message, "mesh 2: the vertex is missing");
}

TEST(a_sentence_that_is_too_long_is_cut) {
    char text[1000];
    memset(text, 'x', sizeof text);
    text[999] = 0;
    tr_error error;
    tr_fail(&error, TR_INVALID, "%s", text);
    CHECK_INT(strlen(error.message), sizeof error.message - 1);
}

TEST(a_sentence_that_quotes_a_file_cannot_command_a_terminal) {
    tr_error error;
    tr_fail(&error, TR_BAD_FILE, "\"%s\" is no number", "\x1b[2J\a\x7f 1\t\xc3\xa4");
    CHECK_TEXT(error.message, "\"?[2J?? 1\t\xc3\xa4\" is no number");
}

TEST(of_a_long_path_the_end_is_kept) {
    char path[1000];
    memset(path, 'd', sizeof path);
    memcpy(path + 1000 - 11, "/scene.obj", 11);
    tr_error error;
    tr_fail(&error, TR_NO_FILE, "gone");
    tr_error_set_file(&error, path);
    CHECK_INT(strlen(error.file), sizeof error.file - 1);
    CHECK_CONTAINS(error.file, "d/scene.obj");
    tr_error_set_file(&error, error.file + 200);
    CHECK_INT(strlen(error.file), 55);
    CHECK_CONTAINS(error.file, "d/scene.obj");
    tr_error_set_file(&error, NULL);
    CHECK_INT(strlen(error.file), 55);
}

TEST(an_error_is_written_with_its_place) {
    char text[200];
    tr_error error;
    tr_fail(&error, TR_INVALID, "the radius is -1");
    CHECK_TEXT(tr_error_format(&error, text, sizeof text), "the radius is -1");
    tr_error_set_file(&error, "a.obj");
    CHECK_TEXT(tr_error_format(&error, text, sizeof text), "a.obj: the radius is -1");
    error.line = 12;
    CHECK_TEXT(tr_error_format(&error, text, sizeof text), "a.obj:12: the radius is -1");
    error.line = 0;
    error.offset = 77;
    CHECK_TEXT(tr_error_format(&error, text, sizeof text), "a.obj: byte 77: the radius is -1");
}

TEST(an_error_is_cut_to_the_room_there_is) {
    char text[8] = "#######";
    tr_error error;
    tr_fail(&error, TR_INVALID, "the radius is -1");
    CHECK_TEXT(tr_error_format(&error, text, 5), "the ");
    CHECK(text[5] == '#');
    tr_error_format(&error, text, 0);
    CHECK(text[0] == 't');
}
