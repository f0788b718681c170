// A machine built from a folder of captures.
#define _POSIX_C_SOURCE 200809L // opendir and stat
#include "troupe/io/behavior_folder.h"

#include "troupe/io/motion_file.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MARGIN 0.02f // around the body [m]
#define UP 2.0f      // walking up a metre costs as much as walking two more on the level, down one
#define DOWN 1.0f

typedef struct capture_set {
    tr_allocator allocator;
    char **paths;
    tr_figures *files;
    uint32_t file_count, path_room;
    tr_behavior_capture *captures;
    uint32_t capture_count, capture_room;
} capture_set;

bool tr_behavior_folder_exists(const char *path) {
    struct stat found;
    return path && stat(path, &found) == 0 && S_ISDIR(found.st_mode);
}

static bool ends_with(const char *name, const char *end) {
    size_t length = strlen(name), tail = strlen(end);
    return length > tail && strcmp(name + length - tail, end) == 0;
}

static bool is_motion_file(const char *name) {
    return name[0] != '.' && (ends_with(name, ".bvh") || ends_with(name, ".BVH") || ends_with(name, ".glb") ||
                              ends_with(name, ".gltf"));
}

static tr_status add_path(capture_set *set, const char *folder, const char *name, tr_error *error) {
    void *paths = set->paths;
    if (set->file_count == TR_BEHAVIOR_FOLDER_FILES_MAX)
        return tr_fail(error, TR_LIMIT, "the folder %.200s has more than %d motion files", folder,
                       TR_BEHAVIOR_FOLDER_FILES_MAX);
    size_t size = strlen(folder) + strlen(name) + 2;
    bool room = tr_reserve(&set->allocator, &paths, &set->path_room, (uint64_t)set->file_count + 1,
                           sizeof *set->paths);
    set->paths = paths;
    char *path = room ? tr_allocate(&set->allocator, size, 1) : NULL;
    if (!path)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the names of files");
    snprintf(path, size, "%s/%s", folder, name);
    set->paths[set->file_count++] = path;
    return TR_OK;
}

static int compare_names(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

// By name, so that the machine does not depend on the order on the disk.
static tr_status list_files(const char *folder, capture_set *set, tr_error *error) {
    DIR *open = folder && folder[0] ? opendir(folder) : NULL;
    if (!open)
        return tr_fail(error, TR_NO_FILE, "the folder %.200s cannot be read: %s", folder ? folder : "",
                       strerror(errno));
    tr_status status = TR_OK;
    for (struct dirent *entry; status == TR_OK && (entry = readdir(open));)
        if (is_motion_file(entry->d_name))
            status = add_path(set, folder, entry->d_name, error);
    closedir(open);
    if (status == TR_OK && set->file_count == 0)
        return tr_fail(error, TR_NO_FILE, "the folder %.200s has no motion files (.bvh, .glb, .gltf)",
                       folder);
    if (status == TR_OK)
        qsort(set->paths, set->file_count, sizeof *set->paths, compare_names);
    return status;
}

// One bad file does not spoil a folder.
static void note_left_out(const tr_behavior_folder_def *def, const char *path, const tr_error *why) {
    char text[600];
    snprintf(text, sizeof text, "%.200s is left out: %.380s", path, why->message);
    if (def->note)
        def->note(def->note_user, text);
}

static tr_status read_files(const tr_behavior_folder_def *def, capture_set *set, tr_error *error) {
    tr_motion_options options = tr_motion_options_default();
    options.allocator = &set->allocator;
    set->files = tr_allocate_zero(&set->allocator, set->file_count, sizeof *set->files);
    if (!set->files)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for %u captures", set->file_count);
    for (uint32_t i = 0; i < set->file_count; i++) {
        tr_error why = {0};
        set->files[i] = tr_figures_begin(&set->allocator);
        tr_status status = tr_motion_file_read(set->paths[i], &options, &set->files[i], &why);
        if (status == TR_OUT_OF_MEMORY)
            return tr_fail(error, status, "%s", why.message);
        if (status != TR_OK)
            note_left_out(def, set->paths[i], &why);
        for (uint32_t k = 0; k < set->files[i].count; k++)
            set->capture_room += set->files[i].items[k].clip_count;
    }
    return TR_OK;
}

// Every clip of every figure is a capture.
static tr_status list_captures(capture_set *set, tr_error *error) {
    set->captures = tr_allocate(&set->allocator, set->capture_room + 1, sizeof *set->captures);
    if (!set->captures)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for %u captures", set->capture_room);
    for (uint32_t i = 0; i < set->file_count; i++)
        for (uint32_t k = 0; k < set->files[i].count; k++) {
            const tr_figure *figure = &set->files[i].items[k];
            for (uint32_t c = 0; c < figure->clip_count; c++)
                set->captures[set->capture_count++] =
                    (tr_behavior_capture){strrchr(set->paths[i], '/') + 1, figure->skeleton, figure->clips[c],
                                          figure->body != NULL};
        }
    return TR_OK;
}

// The report names captures after the files are closed.
static tr_status keep_names(const capture_set *set, tr_behavior_folder *made, tr_error *error) {
    made->captures = tr_allocate_zero(&made->allocator, set->capture_count + 1, sizeof *made->captures);
    made->capture_count = made->captures ? set->capture_count : 0;
    bool room = made->captures != NULL;
    for (uint32_t i = 0; i < set->capture_count && room; i++) {
        size_t size = strlen(set->captures[i].name) + 1;
        made->captures[i] = tr_allocate(&made->allocator, size, 1);
        room = made->captures[i] != NULL;
        if (room)
            memcpy(made->captures[i], set->captures[i].name, size);
    }
    return room ? TR_OK : tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the names of captures");
}

static void close_set(capture_set *set) {
    const tr_allocator *own = &set->allocator;
    for (uint32_t i = 0; i < set->file_count; i++) {
        if (set->files)
            tr_figures_destroy(&set->files[i]);
        tr_release(own, set->paths[i], strlen(set->paths[i]) + 1, 1);
    }
    tr_release(own, set->paths, set->path_room, sizeof *set->paths);
    tr_release(own, set->files, set->files ? set->file_count : 0, sizeof *set->files);
    tr_release(own, set->captures, set->captures ? set->capture_room + 1 : 0, sizeof *set->captures);
}

// The motions stay the build's.
static tr_status make_cast(const tr_behavior_folder_def *def, const capture_set *set,
                           tr_behavior_folder *made, tr_error *error) {
    tr_mannequin_def mannequin = def->mannequin;
    mannequin.allocator = &made->allocator;
    tr_skeleton *skeleton = NULL;
    tr_body *body = NULL;
    tr_status status = tr_mannequin_make(&mannequin, &skeleton, &body, error);
    tr_behavior_build_def build = def->how;
    build.allocator = &made->allocator;
    build.skeleton = skeleton;
    build.captures = set->captures;
    build.capture_count = set->capture_count;
    if (status == TR_OK)
        status = tr_behavior_build_make(&build, &made->build, error);
    tr_behavior_cast_def cast = {.allocator = &made->allocator,
                                 .name = "machine of captures",
                                 .skeleton = skeleton,
                                 .body = body,
                                 .margin = MARGIN,
                                 .up = UP,
                                 .down = DOWN,
                                 .take_skeleton = true};
    if (status == TR_OK)
        status = tr_behavior_build_cast(made->build, &cast, &made->cast, error);
    if (status != TR_OK) {
        tr_skeleton_destroy(skeleton);
        tr_body_destroy(body);
    }
    return status;
}

tr_status tr_behavior_folder_read(const char *path, const tr_behavior_folder_def *def,
                                  tr_behavior_folder *made, tr_error *error) {
    const tr_behavior_folder_def usual = {0};
    def = def ? def : &usual;
    tr_allocator allocator = tr_allocator_or_default(def->allocator);
    capture_set set = {.allocator = allocator};
    *made = (tr_behavior_folder){.allocator = allocator};
    tr_status status = list_files(path, &set, error);
    if (status == TR_OK)
        status = read_files(def, &set, error);
    if (status == TR_OK)
        status = list_captures(&set, error);
    if (status == TR_OK)
        status = keep_names(&set, made, error);
    if (status == TR_OK)
        status = make_cast(def, &set, made, error);
    close_set(&set);
    if (status != TR_OK)
        tr_behavior_folder_destroy(made);
    return status;
}

void tr_behavior_folder_destroy(tr_behavior_folder *folder) {
    tr_behavior_cast_destroy(folder->cast);
    tr_behavior_build_destroy(folder->build);
    for (uint32_t i = 0; i < folder->capture_count; i++)
        if (folder->captures[i])
            tr_release(&folder->allocator, folder->captures[i], strlen(folder->captures[i]) + 1, 1);
    tr_release(&folder->allocator, folder->captures, folder->captures ? folder->capture_count + 1 : 0,
               sizeof *folder->captures);
    *folder = (tr_behavior_folder){.allocator = folder->allocator};
}
