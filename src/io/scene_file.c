#include "troupe/io/scene_file.h"
#include "assimp_reader.h"
#include "beside.h"
#include "troupe/io/gltf.h"
#include "troupe/io/obj.h"

#include <string.h>

typedef enum scene_format {
    FORMAT_UNKNOWN,
    FORMAT_EMPTY,
    FORMAT_OBJ,
    FORMAT_GLTF,
    FORMAT_OTHER
} scene_format;

// The extension of the name in lower case, without the dot; "" if there is none.
static void find_ending(const char *path, char ending[16]) {
    const char *point = strrchr(path + tr_beside_folder(path), '.');
    size_t length = 0;
    for (const char *at = point ? point + 1 : ""; *at && length < 15; at++)
        ending[length++] = *at >= 'A' && *at <= 'Z' ? (char)(*at - 'A' + 'a') : *at;
    ending[length] = 0;
}

static bool begins_with(const tr_bytes *content, const char *word) {
    size_t length = strlen(word);
    return content->size >= length && memcmp(content->data, word, length) == 0;
}

// The first byte that is not blank; 0 if there is none.
static char first_character(const tr_bytes *content) {
    size_t at = begins_with(content, "\xef\xbb\xbf") ? 3 : 0;
    while (at < content->size && strchr(" \t\r\n", content->data[at]) && content->data[at])
        at++;
    return at < content->size ? (char)content->data[at] : 0;
}

// Does a line near the beginning start like a vertex? Most files begin with comments.
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
        status = tr_files_read(reading.options.files, &reading.allocator, path, &content, error);
    if (status != TR_OK)
        return status;
    find_ending(path, ending);
    if (error)
        memset(error, 0, sizeof *error);
    tr_beside beside = {reading.options.files, path};
    switch (content.size == 0 ? FORMAT_EMPTY : tell_format(&content, ending)) {
    case FORMAT_EMPTY: // assimp ends the process on an empty file
        status = tr_fail(error, TR_BAD_FILE, "the file is empty");
        break;
    case FORMAT_OBJ:
        status = tr_obj_read(content.data, content.size, options, scene, error);
        break;
    case FORMAT_GLTF:
        status = tr_gltf_read(content.data, content.size, options, tr_beside_load, &beside, scene, error);
        break;
    case FORMAT_OTHER:
        status = read_other(&content, ending, &reading, scene, error);
        break;
    case FORMAT_UNKNOWN:
        status = tr_fail(error, TR_UNAVAILABLE,
                         "the format of the file is unknown, by its content and by its name");
        break;
    }
    if (status != TR_OK && error && !error->file[0])
        tr_error_set_file(error, path);
    tr_bytes_free(&reading.allocator, &content);
    return status;
}
