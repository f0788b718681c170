#include "troupe/io/scene_file.h"
#include "assimp_reader.h"
#include "troupe/io/gltf.h"
#include "troupe/io/obj.h"

#include <string.h>

typedef enum scene_format { FORMAT_UNKNOWN, FORMAT_OBJ, FORMAT_GLTF, FORMAT_OTHER } scene_format;

// Where the name of the file begins in its path.
static size_t folder_length(const char *path) {
    size_t length = strlen(path);
    while (length > 0 && path[length - 1] != '/')
        length--;
    return length;
}

// The ending of the name in small letters, without the point; "" where there is none.
static void find_ending(const char *path, char ending[16]) {
    const char *point = strrchr(path + folder_length(path), '.');
    size_t length = 0;
    for (const char *at = point ? point + 1 : ""; *at && length < 15; at++)
        ending[length++] = *at >= 'A' && *at <= 'Z' ? (char)(*at - 'A' + 'a') : *at;
    ending[length] = 0;
}

static bool begins_with(const tr_bytes *content, const char *word) {
    size_t length = strlen(word);
    return content->size >= length && memcmp(content->data, word, length) == 0;
}

// The first byte that is no blank; 0 where there is none.
static char first_character(const tr_bytes *content) {
    size_t at = begins_with(content, "\xef\xbb\xbf") ? 3 : 0;
    while (at < content->size && strchr(" \t\r\n", content->data[at]) && content->data[at])
        at++;
    return at < content->size ? (char)content->data[at] : 0;
}

// Does a line near the beginning start as a vertex does? Comments come first in most files.
static bool looks_like_obj(const tr_bytes *content) {
    size_t end = content->size < 65536 ? content->size : 65536;
    const char *text = (const char *)content->data;
    bool line_begins = true;
    for (size_t i = 0; i + 2 < end; i++) {
        if (line_begins && text[i] == 'v' && (text[i + 1] == ' ' || text[i + 1] == '\t'))
            return true;
        line_begins = text[i] == '\n' || text[i] == '\r';
        if (text[i] == 0)
            return false;
    }
    return false;
}

static scene_format tell_format(const tr_bytes *content, const char *ending) {
    static const char *const others[] = {"ply\n", "ply\r",    "Kaydara FBX", "; FBX",
                                         "<?xml", "<COLLADA", "solid ",      "MM"};
    if (begins_with(content, "glTF") || first_character(content) == '{')
        return FORMAT_GLTF;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (begins_with(content, others[i]) && strcmp(ending, "obj") != 0)
            return FORMAT_OTHER;
    if (strcmp(ending, "obj") == 0)
        return FORMAT_OBJ;
    if (strcmp(ending, "gltf") == 0 || strcmp(ending, "glb") == 0)
        return FORMAT_GLTF;
    if (!ending[0])
        return looks_like_obj(content) ? FORMAT_OBJ : FORMAT_UNKNOWN;
    return FORMAT_OTHER;
}

static int hex_digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
        return (c | 0x20) - 'a' + 10;
    return -1;
}

// %20 and the like. `decoded` has room for as many bytes as `uri`. false: broken, or a zero byte.
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

// What a file names must lie beside it or below: a scene from elsewhere cannot reach for the rest of the
// disk.
static tr_status check_relative(const char *uri, const char *path, tr_error *error) {
    const char *reason = NULL;
    size_t scheme = strcspn(path, ":/\\");
    if (path[0] == 0)
        reason = "it is empty";
    else if (path[0] == '/' || path[0] == '\\')
        reason = "it must not be absolute";
    else if (path[scheme] == ':')
        reason = "it must have no scheme but data:";
    else if (has_parent_step(path))
        reason = "it must not contain \"..\"";
    return reason ? tr_fail(error, TR_BAD_FILE, "the URI \"%.100s\" is refused: %s", uri, reason) : TR_OK;
}

typedef struct beside_file {
    const char *path; // of the glTF
} beside_file;

static tr_status load_beside(void *user, const char *uri, const tr_allocator *allocator, tr_bytes *bytes,
                             tr_error *error) {
    const beside_file *beside = user;
    size_t folder = folder_length(beside->path), room = folder + strlen(uri) + 1;
    char *path = tr_allocate(allocator, room, 1);
    if (!path)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the name of a buffer");
    memcpy(path, beside->path, folder);
    tr_status status = TR_OK;
    if (!decode_percent(uri, path + folder))
        status = tr_fail(error, TR_BAD_FILE, "the URI \"%.100s\" has a broken %% code", uri);
    if (status == TR_OK)
        status = check_relative(uri, path + folder, error);
    if (status == TR_OK)
        status = tr_file_read(allocator, path, bytes, error);
    tr_release(allocator, path, room, 1);
    return status;
}

static tr_status read_other(const tr_bytes *content, const char *ending, const tr_scene_reading *reading,
                            tr_scene *scene, tr_error *error) {
    tr_scene_parts parts = tr_scene_parts_begin(reading);
    tr_status status = tr_assimp_read(content->data, content->size, ending, &parts, error);
    if (status == TR_OK)
        status = tr_scene_parts_commit(&parts, scene, error);
    tr_scene_parts_end(&parts);
    return status;
}

tr_status tr_scene_file_read(const char *path, const tr_scene_read_options *options, tr_scene *scene,
                             tr_error *error) {
    tr_scene_reading reading;
    tr_bytes content;
    char ending[16];
    tr_status status = tr_scene_reading_begin(options, &reading, error);
    if (status == TR_OK)
        status = tr_file_read(&reading.allocator, path, &content, error);
    if (status != TR_OK)
        return status;
    find_ending(path, ending);
    if (error)
        memset(error, 0, sizeof *error);
    beside_file beside = {path};
    switch (tell_format(&content, ending)) {
    case FORMAT_OBJ:
        status = tr_obj_read(content.data, content.size, options, scene, error);
        break;
    case FORMAT_GLTF:
        status = tr_gltf_read(content.data, content.size, options, load_beside, &beside, scene, error);
        break;
    case FORMAT_OTHER:
        status = read_other(&content, ending, &reading, scene, error);
        break;
    case FORMAT_UNKNOWN:
        status = tr_fail(error, TR_UNAVAILABLE,
                         "neither the content nor the name tells which format the file has");
        break;
    }
    if (status != TR_OK && error && !error->file[0])
        tr_error_set_file(error, path);
    tr_bytes_free(&reading.allocator, &content);
    return status;
}
