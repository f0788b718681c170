#include "troupe/io/motion_file.h"
#include "beside.h"
#include "troupe/io/bvh.h"
#include "troupe/io/gltf_add.h"
#include "troupe/io/gltf_motion.h"
#include "troupe/io/gltf_write.h"

#include <stdio.h>
#include <string.h>

typedef enum motion_format {
    FORMAT_UNKNOWN,
    FORMAT_EMPTY,
    FORMAT_BVH,
    FORMAT_GLB,
    FORMAT_GLTF
} motion_format;

tr_motion_options tr_motion_options_default(void) {
    tr_motion_options options = {.metres_per_unit = 0};
    return options;
}

static char to_small(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool ends_with(const char *path, const char *ending) {
    size_t length = strlen(path), tail = strlen(ending);
    for (size_t i = 0; i < tail; i++)
        if (length < tail || to_small(path[length - tail + i]) != ending[i])
            return false;
    return true;
}

static motion_format format_of_name(const char *path) {
    if (ends_with(path, ".bvh"))
        return FORMAT_BVH;
    if (ends_with(path, ".glb"))
        return FORMAT_GLB;
    return ends_with(path, ".gltf") ? FORMAT_GLTF : FORMAT_UNKNOWN;
}

static bool begins_with(const tr_bytes *content, size_t at, const char *word) {
    for (size_t i = 0; word[i]; i++)
        if (at + i >= content->size || to_small((char)content->data[at + i]) != word[i])
            return false;
    return true;
}

static motion_format tell_format(const tr_bytes *content, const char *path) {
    static const char mark[] = "\xef\xbb\xbf";
    size_t at = content->size >= 3 && memcmp(content->data, mark, 3) == 0 ? 3 : 0;
    while (at < content->size &&
           (content->data[at] == ' ' || (content->data[at] >= 9 && content->data[at] <= 13)))
        at++;
    if (begins_with(content, at, "hierarchy"))
        return FORMAT_BVH;
    if (begins_with(content, 0, "gltf") || begins_with(content, at, "{"))
        return FORMAT_GLTF;
    return format_of_name(path);
}

// The file's name without folders and extension.
static void name_of_file(const char *path, char *name, size_t size) {
    const char *begin = path + tr_beside_folder(path), *point = strrchr(begin, '.');
    size_t length = point && point > begin ? (size_t)(point - begin) : strlen(begin);
    snprintf(name, size, "%.*s", (int)(length < size ? length : size - 1), begin);
}

static tr_status read_bvh(const char *path, const tr_bytes *content, const tr_motion_options *options,
                          tr_figures *figures, tr_error *error) {
    tr_bvh_options bvh = {.allocator = options->allocator,
                          .metres_per_unit = options->metres_per_unit,
                          .skip_first = options->skip_first,
                          .note = options->note,
                          .note_user = options->note_user};
    tr_figure figure = {.allocator = figures->allocator};
    tr_status status = tr_bvh_read(content->data, content->size, &bvh, &figure, error);
    if (status != TR_OK)
        return status;
    char name[256];
    name_of_file(path, name, sizeof name);
    status = tr_figure_set_name(&figure, name);
    if (status == TR_OK && figure.clip_count)
        status = tr_clip_set_name(figure.clips[0], name);
    tr_figure *added = status == TR_OK ? tr_figures_add(figures) : NULL;
    if (!added) {
        tr_figure_destroy(&figure);
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a figure");
    }
    *added = figure;
    return TR_OK;
}

static tr_status read_gltf(const char *path, const tr_bytes *content, const tr_motion_options *options,
                           tr_figures *figures, tr_error *error) {
    tr_gltf_motion_options gltf = tr_gltf_motion_options_default();
    gltf.allocator = options->allocator;
    gltf.frames_per_second = options->frames_per_second;
    gltf.textures = options->textures;
    gltf.note = options->note;
    gltf.note_user = options->note_user;
    if (options->metres_per_unit != 0)
        gltf.metres_per_unit = options->metres_per_unit;
    tr_beside beside = {options->files, path};
    return tr_gltf_read_figures(content->data, content->size, &gltf, tr_beside_load, &beside, figures, error);
}

tr_status tr_motion_file_read(const char *path, const tr_motion_options *options, tr_figures *figures,
                              tr_error *error) {
    tr_motion_options used = options ? *options : tr_motion_options_default();
    if (!used.allocator)
        used.allocator = &figures->allocator;
    tr_bytes content;
    tr_status status = tr_files_read(used.files, used.allocator, path, &content, error);
    if (status != TR_OK)
        return status;
    if (error)
        memset(error, 0, sizeof *error);
    switch (content.size == 0 ? FORMAT_EMPTY : tell_format(&content, path)) {
    case FORMAT_EMPTY:
        status = tr_fail(error, TR_BAD_FILE, "the file is empty");
        break;
    case FORMAT_BVH:
        status = read_bvh(path, &content, &used, figures, error);
        break;
    case FORMAT_GLB:
    case FORMAT_GLTF:
        status = read_gltf(path, &content, &used, figures, error);
        break;
    case FORMAT_UNKNOWN:
        status =
            tr_fail(error, TR_UNAVAILABLE, "the file is neither BVH nor glTF, by its content or by its name");
        break;
    }
    if (status != TR_OK && error && !error->file[0])
        tr_error_set_file(error, path);
    tr_bytes_free(used.allocator, &content);
    return status;
}

// A list of names for an error: "walk", "run" and 3 more.
static void list_names(char *text, size_t size, uint32_t count, const char *(*name)(const void *, uint32_t),
                       const void *user) {
    text[0] = 0;
    for (uint32_t i = 0; i < count; i++) {
        size_t length = strlen(text);
        if (length + 80 > size) {
            snprintf(text + length, size - length, " and %u more", count - i);
            return;
        }
        const char *given = name(user, i);
        snprintf(text + length, size - length, "%s\"%.60s\"", i ? ", " : "", given ? given : "");
    }
}

static const char *figure_name(const void *user, uint32_t number) {
    return ((const tr_figures *)user)->items[number].name;
}
static const char *clip_name(const void *user, uint32_t number) {
    return tr_clip_name(((const tr_figure *)user)->clips[number]);
}

static tr_status write_bvh(const tr_figures *figures, double metres_per_unit, tr_bytes *bytes,
                           tr_error *error) {
    char names[260];
    if (figures->count > 1) {
        list_names(names, sizeof names, figures->count, figure_name, figures);
        return tr_fail(error, TR_INVALID, "a BVH file can have only one figure, but there are %u: %s",
                       figures->count, names);
    }
    const tr_figure *figure = &figures->items[0];
    if (figure->clip_count > 1) {
        list_names(names, sizeof names, figure->clip_count, clip_name, figure);
        return tr_fail(error, TR_INVALID, "a BVH file can have only one clip, but there are %u: %s",
                       figure->clip_count, names);
    }
    return tr_bvh_write(&figures->allocator, figure->skeleton, figure->clip_count ? figure->clips[0] : NULL,
                        metres_per_unit, bytes, error);
}

static tr_status write_gltf(const tr_figures *figures, bool text, tr_bytes *bytes, tr_error *error) {
    tr_gltf_actor *actors = tr_allocate_zero(&figures->allocator, figures->count, sizeof *actors);
    if (!actors)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory to write a motion");
    bool has_body = false;
    for (uint32_t i = 0; i < figures->count; i++) {
        const tr_figure *figure = &figures->items[i];
        actors[i] = (tr_gltf_actor){.name = figure->name ? figure->name : "figure",
                                    .skeleton = figure->skeleton,
                                    .body = figure->body,
                                    .clips = (const tr_clip *const *)figure->clips,
                                    .clip_count = figure->clip_count};
        has_body = has_body || figure->body;
    }
    tr_gltf_shot shot = {.allocator = &figures->allocator,
                         .actors = actors,
                         .actor_count = figures->count,
                         .form = has_body ? TR_GLTF_SKINNED : TR_GLTF_BONES,
                         .apart = figures->count == 1,
                         .root_motion = true,
                         .text = text};
    tr_status status = tr_gltf_write(&shot, bytes, error);
    tr_release(&figures->allocator, actors, figures->count, sizeof *actors);
    return status;
}

tr_status tr_motion_file_write(const char *path, const tr_figures *figures, double bvh_metres_per_unit,
                               tr_error *error) {
    tr_bytes bytes = {NULL, 0};
    motion_format format = format_of_name(path);
    if (format == FORMAT_UNKNOWN)
        return tr_fail(error, TR_UNAVAILABLE, "\"%.200s\" does not end with .bvh, .glb or .gltf", path);
    if (figures->count == 0)
        return tr_fail(error, TR_INVALID, "there is no figure to write");
    tr_status status = format == FORMAT_BVH ? write_bvh(figures, bvh_metres_per_unit, &bytes, error)
                                            : write_gltf(figures, format == FORMAT_GLTF, &bytes, error);
    if (status == TR_OK)
        status = tr_file_write(path, bytes.data, bytes.size, error);
    tr_bytes_free(&figures->allocator, &bytes);
    return status;
}

static tr_status add_clips(const tr_bytes *content, const char *character, const tr_motion_options *options,
                           const tr_figures *figures, tr_gltf_addition *addition, tr_bytes *bytes,
                           tr_error *error) {
    if (content->size == 0 || tell_format(content, character) < FORMAT_GLB)
        return tr_fail(error, TR_UNAVAILABLE, "clips can be added to glTF and GLB files only");
    tr_gltf_copy *copies = tr_allocate_zero(addition->allocator, figures->count, sizeof *copies);
    if (!copies)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory to write a motion");
    for (uint32_t i = 0; i < figures->count; i++)
        copies[i] = (tr_gltf_copy){.name = figures->items[i].name,
                                   .clips = (const tr_clip *const *)figures->items[i].clips,
                                   .clip_count = figures->items[i].clip_count};
    tr_beside beside = {options->files, character};
    addition->data = content->data;
    addition->size = content->size;
    addition->load = tr_beside_load;
    addition->load_user = &beside;
    addition->copies = copies;
    addition->copy_count = figures->count;
    addition->note = options->note;
    addition->note_user = options->note_user;
    tr_status status = tr_gltf_add_clips(addition, bytes, error);
    tr_release(addition->allocator, copies, figures->count, sizeof *copies);
    return status;
}

tr_status tr_motion_file_add_clips(const char *path, const char *character, const tr_motion_options *options,
                                   const tr_figures *figures, tr_error *error) {
    tr_motion_options used = options ? *options : tr_motion_options_default();
    motion_format format = format_of_name(path);
    if (format < FORMAT_GLB)
        return tr_fail(error, TR_UNAVAILABLE, "\"%.200s\" does not end with .glb or .gltf", path);
    tr_bytes content = {NULL, 0}, bytes = {NULL, 0};
    tr_gltf_addition addition = {.allocator = used.allocator ? used.allocator : &figures->allocator,
                                 .text = format == FORMAT_GLTF};
    tr_status status = tr_files_read(used.files, addition.allocator, character, &content, error);
    if (status != TR_OK)
        return status;
    if (error)
        memset(error, 0, sizeof *error);
    status = add_clips(&content, character, &used, figures, &addition, &bytes, error);
    if (status != TR_OK && error && !error->file[0])
        tr_error_set_file(error, character);
    if (status == TR_OK)
        status = tr_file_write(path, bytes.data, bytes.size, error);
    tr_bytes_free(addition.allocator, &content);
    if (bytes.data)
        tr_bytes_free(addition.allocator, &bytes);
    return status;
}
