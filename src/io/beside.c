#include "beside.h"

#include <string.h>

static int hex_digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
        return (c | 0x20) - 'a' + 10;
    return -1;
}

// Decodes %20 and other escapes. `decoded` has room for as many bytes as `uri`. false: an invalid escape, or
// a zero byte.
static bool decode_percent(const char *uri, char *decoded) {
    while (*uri) {
        char c = *uri++;
        if (c == '%') {
            int high = hex_digit(uri[0]), low = high < 0 ? -1 : hex_digit(uri[1]);
            if (low < 0 || high * 16 + low == 0)
                return false;
            c = (char)(high * 16 + low);
            uri += 2;
        }
        *decoded++ = c;
    }
    *decoded = 0;
    return true;
}

static bool has_parent_step(const char *path) {
    for (const char *at = path; *at;) {
        size_t length = strcspn(at, "/\\");
        if (length == 2 && at[0] == '.' && at[1] == '.')
            return true;
        at += length;
        at += *at != 0;
    }
    return false;
}

// A file may only name files in its own folder or below, so that an untrusted scene cannot read the rest of
// the disk.
static tr_status check_relative(const char *uri, const char *path, tr_error *error) {
    const char *reason = NULL;
    size_t scheme = strcspn(path, ":/\\");
    if (path[0] == 0)
        reason = "it is empty";
    else if (path[0] == '/' || path[0] == '\\')
        reason = "it must not be absolute";
    else if (path[scheme] == ':')
        reason = "data: is the only scheme allowed";
    else if (has_parent_step(path))
        reason = "it must not contain \"..\"";
    return reason ? tr_fail(error, TR_BAD_FILE, "the URI \"%.100s\" is refused: %s", uri, reason) : TR_OK;
}

size_t tr_beside_folder(const char *path) {
    size_t length = strlen(path);
    while (length > 0 && path[length - 1] != '/')
        length--;
    return length;
}

tr_status tr_beside_path(const tr_allocator *allocator, const char *file, const char *uri, char **path,
                         size_t *room, tr_error *error) {
    size_t folder = tr_beside_folder(file);
    *room = folder + strlen(uri) + 1;
    *path = tr_allocate(allocator, *room, 1);
    if (!*path)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the name of a file");
    memcpy(*path, file, folder);
    tr_status status = TR_OK;
    if (!decode_percent(uri, *path + folder))
        status = tr_fail(error, TR_BAD_FILE, "the URI \"%.100s\" has an invalid %% escape", uri);
    if (status == TR_OK)
        status = check_relative(uri, *path + folder, error);
    if (status != TR_OK) {
        tr_release(allocator, *path, *room, 1);
        *path = NULL;
    }
    return status;
}

tr_status tr_beside_load(void *user, const char *uri, const tr_allocator *allocator, tr_bytes *bytes,
                         tr_error *error) {
    char *path;
    size_t room;
    const tr_beside *beside = user;
    tr_status status = tr_beside_path(allocator, beside->path, uri, &path, &room, error);
    if (status != TR_OK)
        return status;
    status = tr_files_read(beside->files, allocator, path, bytes, error);
    tr_release(allocator, path, room, 1);
    return status;
}
