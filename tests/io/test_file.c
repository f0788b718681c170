#define _POSIX_C_SOURCE 200809L // mkfifo, symlink
#include "test.h"
#include "troupe/io/file.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char name[] = "test_file.tmp";

static bool exists(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file)
        fclose(file);
    return file != NULL;
}

static void check_content(const char *path, const void *expected, size_t size) {
    tr_bytes bytes;
    tr_error error = {0};
    CHECK_INT(tr_file_read(NULL, path, &bytes, &error), TR_OK);
    CHECK_INT(bytes.size, size);
    CHECK(bytes.size == size && (size == 0 || memcmp(bytes.data, expected, size) == 0));
    tr_bytes_free(NULL, &bytes);
    CHECK(!bytes.data && bytes.size == 0);
}

TEST(what_is_written_is_read_back) {
    tr_error error = {0};
    static uint8_t content[200000];
    for (size_t i = 0; i < sizeof content; i++)
        content[i] = (uint8_t)(i * 7 >> 3);
    static const size_t sizes[] = {0, 1, 65536, 65537, sizeof content};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        CHECK_INT(tr_file_write(name, content, sizes[i], &error), TR_OK);
        check_content(name, content, sizes[i]);
    }
    remove(name);
}

TEST(writing_replaces_the_file_and_leaves_no_other_behind) {
    tr_error error = {0};
    CHECK_INT(tr_file_write(name, "longer content", 14, &error), TR_OK);
    CHECK_INT(tr_file_write(name, "short", 5, &error), TR_OK);
    check_content(name, "short", 5);
    CHECK(!exists("test_file.tmp.part0"));
    remove(name);
}

TEST(a_file_that_was_left_behind_under_the_temporary_name_is_not_touched) {
    FILE *file = fopen("test_file.tmp.part0", "wb");
    REQUIRE(file);
    fputs("mine", file);
    fclose(file);
    CHECK_INT(tr_file_write(name, "new", 3, NULL), TR_OK);
    check_content(name, "new", 3);
    check_content("test_file.tmp.part0", "mine", 4);
    remove("test_file.tmp.part0");
    remove(name);
}

TEST(the_mode_of_a_file_that_is_replaced_stays) {
#if defined(__wasm__)
    test_skip("WASI has no file modes");
#else
    CHECK_INT(tr_file_write(name, "a", 1, NULL), TR_OK);
    REQUIRE(chmod(name, 0640) == 0);
    CHECK_INT(tr_file_write(name, "b", 1, NULL), TR_OK);
    struct stat what;
    REQUIRE(stat(name, &what) == 0);
    CHECK_INT(what.st_mode & 07777, 0640);
    remove(name);
#endif
}

TEST(a_symbolic_link_stays_a_link_and_what_it_names_is_written) {
#if defined(__wasm__)
    test_skip("WASI programs here see no files");
#else
    char link[64];
    struct stat itself;
    snprintf(link, sizeof link, "%s.link", name);
    remove(link);
    REQUIRE(tr_file_write(name, "before", 6, NULL) == TR_OK && symlink(name, link) == 0);
    CHECK_INT(tr_file_write(link, "now", 3, NULL), TR_OK);
    CHECK(lstat(link, &itself) == 0 && S_ISLNK(itself.st_mode));
    check_content(name, "now", 3);
    remove(link);
    remove(name);
#endif
}

TEST(a_missing_file_says_so_with_its_name) {
    tr_bytes bytes = {(uint8_t *)"x", 1};
    tr_error error = {0};
    CHECK_INT(tr_file_read(NULL, "no/such/file.obj", &bytes, &error), TR_NO_FILE);
    CHECK(!bytes.data && bytes.size == 0);
    CHECK_TEXT(error.file, "no/such/file.obj");
    CHECK_CONTAINS(error.message, "cannot read: No such file");
}

TEST(a_folder_is_no_file) {
    tr_bytes bytes;
    tr_error error = {0};
    CHECK_INT(tr_file_read(NULL, ".", &bytes, &error), TR_NO_FILE);
    CHECK_CONTAINS(error.message, "cannot read: it is a folder, only regular files are read");
    CHECK_TEXT(error.file, ".");
    CHECK_INT(tr_file_write(".", "x", 1, &error), TR_NO_FILE);
    CHECK_CONTAINS(error.message, "cannot write: Is a directory");
    CHECK_INT(tr_file_write("no/such/folder", "x", 1, &error), TR_NO_FILE);
    CHECK_CONTAINS(error.message, "cannot write: No such file or directory");
    static char long_name[5000];
    memset(long_name, 'a', sizeof long_name - 1);
    CHECK_INT(tr_file_write(long_name, "x", 1, &error), TR_NO_FILE);
    CHECK_CONTAINS(error.message, "ame too long"); // "File name" or "Filename", as the C library likes
    CHECK_INT(tr_file_read(NULL, "", &bytes, &error), TR_INVALID);
    CHECK_INT(tr_file_read(NULL, NULL, &bytes, &error), TR_INVALID);
    CHECK_INT(tr_file_write(NULL, "x", 1, &error), TR_INVALID);
}

TEST(a_device_is_written_to_and_neither_replaced_nor_read) {
    struct stat before, after;
    if (stat("/dev/null", &before) != 0) {
        test_skip("there is no /dev/null");
        return;
    }
    CHECK_INT(tr_file_write("/dev/null", "x", 1, NULL), TR_OK);
    REQUIRE(stat("/dev/null", &after) == 0);
    CHECK(S_ISCHR(after.st_mode) && before.st_ino == after.st_ino);
    tr_bytes bytes;
    tr_error said = {0};
    CHECK_INT(tr_file_read(NULL, "/dev/null", &bytes, &said), TR_NO_FILE);
    CHECK_CONTAINS(said.message, "it is a device, only regular files are read");
    CHECK(!bytes.data && bytes.size == 0);
    if (exists("/dev/full")) {
        tr_error error = {0};
        CHECK_INT(tr_file_write("/dev/full", "x", 1, &error), TR_NO_FILE);
        CHECK_CONTAINS(error.message, "cannot write: No space left on device");
    }
}

TEST(a_pipe_without_a_writer_answers_at_once) {
#if defined(__wasm__)
    test_skip("WASI has no pipes");
#else
    tr_bytes bytes;
    tr_error error = {0};
    remove(name);
    REQUIRE(mkfifo(name, 0600) == 0);
    CHECK_INT(tr_file_read(NULL, name, &bytes, &error), TR_NO_FILE);
    CHECK_CONTAINS(error.message, "it is a pipe, only regular files are read");
    CHECK_TEXT(error.file, name);
    remove(name);
#endif
}

TEST(a_file_larger_than_the_limit_is_refused_before_it_is_read) {
    FILE *file = fopen(name, "wb");
    REQUIRE(file);
    bool fits = (uint64_t)LONG_MAX > TR_FILE_MAX;
    bool made = fits && fseek(file, (long)TR_FILE_MAX, SEEK_SET) == 0 && fputc('x', file) == 'x';
    made = (fclose(file) == 0) & made;
    if (made) { // a file with a hole: it takes no room on the disk
        tr_bytes bytes;
        tr_error error = {0};
        CHECK_INT(tr_file_read(NULL, name, &bytes, &error), TR_LIMIT);
        CHECK_CONTAINS(error.message, "the file has 4294967297 bytes, the maximum is 4294967296 (4 GiB)");
    } else {
        test_skip("a file of this size cannot be made here");
    }
    remove(name);
}

static bool read_file(const tr_allocator *allocator) {
    tr_bytes bytes;
    tr_error error = {0};
    tr_status status = tr_file_read(allocator, name, &bytes, &error);
    CHECK(status == TR_OK || status == TR_OUT_OF_MEMORY);
    if (status == TR_OK)
        tr_bytes_free(allocator, &bytes);
    return status == TR_OK;
}

TEST(reading_survives_every_failed_allocation) {
    REQUIRE(tr_file_write(name, "content", 7, NULL) == TR_OK);
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(read_file) >= 2);
    remove(name);
}
