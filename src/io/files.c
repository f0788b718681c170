#include "troupe/io/files.h"

#include <string.h>

static bool is_failure(tr_status status) {
    return status >= TR_NOT_FOUND && status <= TR_UNAVAILABLE;
}

// Fills in what the callback did not report.
static tr_status explain(tr_status status, const char *path, tr_error *error) {
    if (!is_failure(status)) {
        tr_fail(error, TR_NO_FILE, "the callback that reads files returned %d, which is not a failure status",
                (int)status);
        status = TR_NO_FILE;
    } else if (!error->message[0]) {
        tr_fail(error, status, "the callback that reads files failed (%s)", tr_status_name(status));
    }
    error->status = status;
    error->message[sizeof error->message - 1] = 0;
    tr_error_set_file(error, path);
    return status;
}

static tr_status check_given(const tr_bytes *given, tr_error *error) {
    if (!given->data && given->size)
        return tr_fail(error, TR_NO_FILE, "the callback that reads files returned NULL for %zu bytes",
                       given->size);
    if ((uint64_t)given->size > TR_FILE_MAX)
        return tr_fail(error, TR_LIMIT, "the file has %zu bytes, the maximum is %llu (4 GiB)", given->size,
                       (unsigned long long)TR_FILE_MAX);
    return TR_OK;
}

tr_status tr_files_read(const tr_files *files, const tr_allocator *allocator, const char *path,
                        tr_bytes *bytes, tr_error *error) {
    if (!files || !files->read)
        return tr_file_read(allocator, path, bytes, error);
    *bytes = (tr_bytes){NULL, 0};
    if (!path || !path[0])
        return tr_fail(error, TR_INVALID, "the path of the file to read is empty");
    tr_allocator own = tr_allocator_or_default(allocator);
    tr_error unwanted, *said = error ? error : &unwanted;
    memset(said, 0, sizeof *said);
    tr_bytes given = {NULL, 0};
    tr_status status = files->read(files->user, path, &own, &given, said);
    if (status != TR_OK)
        return explain(status, path, said);
    status = check_given(&given, said);
    if (status != TR_OK) {
        tr_bytes_free(&own, &given);
        tr_error_set_file(said, path);
        return status;
    }
    memset(said, 0, sizeof *said);
    *bytes = given;
    return TR_OK;
}

// The next part of a path that is neither empty nor ".". Returns its length, 0 at the end.
static size_t next_part(const char **at) {
    for (;;) {
        *at += strspn(*at, "/");
        size_t length = strcspn(*at, "/");
        if (length != 1 || **at != '.')
            return length;
        *at += 1;
    }
}

static bool same_path(const char *a, const char *b) {
    if ((a[0] == '/') != (b[0] == '/'))
        return false;
    for (;;) {
        size_t length = next_part(&a);
        if (length != next_part(&b) || memcmp(a, b, length) != 0)
            return false;
        if (length == 0)
            return true;
        a += length;
        b += length;
    }
}

static tr_status read_memory(void *user, const char *path, const tr_allocator *allocator, tr_bytes *bytes,
                             tr_error *error) {
    const tr_memory_files *memory = user;
    uint32_t at = 0;
    while (at < memory->file_count && !(memory->files[at].path && same_path(memory->files[at].path, path)))
        at++;
    if (at == memory->file_count)
        return tr_fail(error, TR_NO_FILE, "none of the %u files in memory has this path", memory->file_count);
    const tr_memory_file *file = &memory->files[at];
    if (!file->data && file->size)
        return tr_fail(error, TR_INVALID, "the file in memory has %zu bytes, but its data is NULL",
                       file->size);
    uint8_t *copy = tr_allocate(allocator, file->size, 1);
    if (!copy)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the content of the file");
    if (file->size)
        memcpy(copy, file->data, file->size);
    *bytes = (tr_bytes){copy, file->size};
    return TR_OK;
}

tr_files tr_files_in_memory(const tr_memory_files *memory) {
    return (tr_files){read_memory, (void *)(uintptr_t)memory};
}
