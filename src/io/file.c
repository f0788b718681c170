#define _POSIX_C_SOURCE 200809L // open, stat and chmod
#include "troupe/io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static tr_status fail_with_errno(tr_error *error, const char *path, const char *verb) {
    int reason = errno;
    tr_fail(error, TR_NO_FILE, "cannot %s: %s", verb, reason ? strerror(reason) : "unknown reason");
    tr_error_set_file(error, path);
    return TR_NO_FILE;
}

static tr_status fail_for_path(tr_error *error, tr_status status, const char *path, const char *sentence) {
    tr_fail(error, status, "%s", sentence);
    tr_error_set_file(error, path);
    return status;
}

static bool is_given(const char *path) {
    return path && path[0];
}

void tr_bytes_free(const tr_allocator *allocator, tr_bytes *bytes) {
    tr_allocator own = tr_allocator_or_default(allocator);
    tr_release(&own, bytes->data, bytes->size, 1);
    bytes->data = NULL;
    bytes->size = 0;
}

typedef struct growing_bytes {
    uint8_t *data;
    size_t size, capacity;
} growing_bytes;

static bool resize(const tr_allocator *allocator, growing_bytes *bytes, uint64_t capacity) {
    if (capacity > SIZE_MAX / 2)
        return false;
    void *moved = allocator->resize(allocator->user, bytes->data, bytes->capacity, (size_t)capacity);
    if (!moved)
        return false;
    bytes->data = moved;
    bytes->capacity = (size_t)capacity;
    return true;
}

// Reads to the end, whatever the reported size: a file may grow, and some report none (/proc).
static tr_status read_all(const tr_allocator *allocator, FILE *file, uint64_t size_hint,
                          growing_bytes *bytes) {
    if (!resize(allocator, bytes, size_hint + 1))
        return TR_OUT_OF_MEMORY;
    for (;;) {
        if (bytes->size == bytes->capacity && !resize(allocator, bytes, (uint64_t)bytes->capacity * 2))
            return TR_OUT_OF_MEMORY;
        size_t count = fread(bytes->data + bytes->size, 1, bytes->capacity - bytes->size, file);
        bytes->size += count;
        if ((uint64_t)bytes->size > TR_FILE_MAX)
            return TR_LIMIT;
        if (count == 0)
            break;
    }
    if (ferror(file))
        return TR_NO_FILE;
    // tr_bytes_free() knows only the size, so the block must have exactly that; an empty one has 1 byte.
    return resize(allocator, bytes, bytes->size ? bytes->size : 1) ? TR_OK : TR_OUT_OF_MEMORY;
}

// The kind of a file that is not regular.
static const char *kind_of(mode_t mode) {
    return S_ISDIR(mode)    ? "a folder"
           : S_ISFIFO(mode) ? "a pipe"
           : S_ISCHR(mode)  ? "a device"
           : S_ISBLK(mode)  ? "a device"
                            : "not a regular file";
}

// Opens only regular files for reading: a pipe would wait for its writer, and a device may never end.
static tr_status open_regular(const char *path, FILE **file, uint64_t *size, tr_error *error) {
    errno = 0;
    int number = open(path, O_RDONLY | O_NONBLOCK); // so that opening a pipe does not block
    struct stat what;
    if (number < 0)
        return fail_with_errno(error, path, "read");
    if (fstat(number, &what) != 0) {
        fail_with_errno(error, path, "read");
        close(number);
        return TR_NO_FILE;
    }
    if (!S_ISREG(what.st_mode)) {
        close(number);
        tr_fail(error, TR_NO_FILE, "cannot read: it is %s, only regular files are read",
                kind_of(what.st_mode));
        tr_error_set_file(error, path);
        return TR_NO_FILE;
    }
    *size = (uint64_t)what.st_size;
    *file = fdopen(number, "rb");
    if (*file)
        return TR_OK;
    fail_with_errno(error, path, "read");
    close(number);
    return TR_NO_FILE;
}

static tr_status fail_for_size(tr_error *error, const char *path, uint64_t size) {
    tr_fail(error, TR_LIMIT, "the file has %llu bytes%s, the maximum is %llu (4 GiB)",
            (unsigned long long)size, size > TR_FILE_MAX ? "" : " and is growing",
            (unsigned long long)TR_FILE_MAX);
    tr_error_set_file(error, path);
    return TR_LIMIT;
}

tr_status tr_file_read(const tr_allocator *allocator, const char *path, tr_bytes *bytes, tr_error *error) {
    bytes->data = NULL;
    bytes->size = 0;
    if (!is_given(path))
        return tr_fail(error, TR_INVALID, "the path of the file to read is empty");
    tr_allocator own = tr_allocator_or_default(allocator);
    FILE *file = NULL;
    uint64_t size = 0;
    tr_status status = open_regular(path, &file, &size, error);
    if (status != TR_OK)
        return status;
    growing_bytes read = {NULL, 0, 0};
    errno = 0;
    status = size > TR_FILE_MAX ? TR_LIMIT : read_all(&own, file, size, &read);
    if (status == TR_NO_FILE)
        fail_with_errno(error, path, "read");
    else if (status == TR_LIMIT)
        fail_for_size(error, path, size);
    else if (status == TR_OUT_OF_MEMORY)
        fail_for_path(error, status, path, "no memory for the content of the file");
    fclose(file);
    if (status != TR_OK) {
        tr_release(&own, read.data, read.capacity, 1);
        return status;
    }
    bytes->data = read.data;
    bytes->size = read.size;
    return TR_OK;
}

static bool write_stream(FILE *file, const void *data, size_t size) {
    bool complete = size == 0 || fwrite(data, 1, size, file) == size;
    return (fclose(file) == 0) & complete;
}

// Creates a new file next to `path` under an unused name. NULL with errno set on failure.
static FILE *open_beside(const char *path, char *name, size_t name_size) {
    for (int attempt = 0; attempt < 100; attempt++) {
        int length = snprintf(name, name_size, "%s.part%d", path, attempt);
        if (length < 0 || (size_t)length >= name_size) {
            errno = ENAMETOOLONG;
            return NULL;
        }
        FILE *file = fopen(name, "wbx"); // x: fails if the name exists
        if (file || errno != EEXIST)
            return file;
    }
    return NULL;
}

static void keep_mode(const char *name, const struct stat *former) {
#if defined(__wasm__)
    (void)name;
    (void)former; // WASI has no file modes
#else
    (void)chmod(name, former->st_mode & 07777); // if that fails, the new file keeps the default mode
#endif
}

tr_status tr_file_write(const char *path, const void *data, size_t size, tr_error *error) {
    if (!is_given(path))
        return tr_fail(error, TR_INVALID, "the path of the file to write is empty");
    struct stat former, itself;
    bool exists = stat(path, &former) == 0, is_link = lstat(path, &itself) == 0 && S_ISLNK(itself.st_mode);
    errno = 0;
    if (is_link || (exists && !S_ISREG(former.st_mode))) {
        // A link, a pipe or a device is written directly: renaming would replace it by a regular file.
        FILE *file = fopen(path, "wb");
        return file && write_stream(file, data, size) ? TR_OK : fail_with_errno(error, path, "write");
    }
    char name[4096];
    FILE *file = open_beside(path, name, sizeof name);
    if (!file)
        return fail_with_errno(error, path, "write");
    if (write_stream(file, data, size)) {
        if (exists)
            keep_mode(name, &former);
        if (rename(name, path) == 0)
            return TR_OK;
    }
    int reason = errno;
    remove(name);
    errno = reason;
    return fail_with_errno(error, path, "write");
}
