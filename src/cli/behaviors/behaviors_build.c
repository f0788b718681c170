// A machine built from a folder of captures.
#define _POSIX_C_SOURCE 200809L
#include "behaviors.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "troupe/io/gltf_write.h"
#include "troupe/io/motion_file.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FILES_MAX 4096

bool behaviors_is_folder(const char *path) {
    struct stat found;
    return stat(path, &found) == 0 && S_ISDIR(found.st_mode);
}

// --- The captures ---

typedef struct capture_set {
    char **paths;
    tr_figures *files;
    uint32_t file_count;
    tr_behavior_capture *captures;
    uint32_t capture_count;
} capture_set;

static bool is_motion_file(const char *name) {
    static const char *const ends[] = {".bvh", ".BVH", ".glb", ".gltf"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (name[0] != '.' && arguments_ends_with(name, ends[i]))
            return true;
    return false;
}

static int compare_names(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

// By name, so that the machine does not depend on the order on the disk.
static tr_status list_files(const char *folder, capture_set *set, tr_error *error) {
    DIR *open = opendir(folder);
    if (!open)
        return tr_fail(error, TR_NO_FILE, "the folder %.200s cannot be read: %s", folder, strerror(errno));
    tr_status status = TR_OK;
    set->paths = calloc(FILES_MAX, sizeof *set->paths);
    for (struct dirent *entry; status == TR_OK && set->paths && (entry = readdir(open));) {
        if (!is_motion_file(entry->d_name))
            continue;
        size_t size = strlen(folder) + strlen(entry->d_name) + 2;
        char *path = set->file_count < FILES_MAX ? malloc(size) : NULL;
        if (!path) {
            status = tr_fail(error, TR_LIMIT, "%.200s has more than %d motion files, or there is no memory",
                             folder, FILES_MAX);
            break;
        }
        snprintf(path, size, "%s/%s", folder, entry->d_name);
        set->paths[set->file_count++] = path;
    }
    closedir(open);
    if (!set->paths)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the names of files");
    qsort(set->paths, set->file_count, sizeof *set->paths, compare_names);
    if (status == TR_OK && set->file_count == 0)
        status =
            tr_fail(error, TR_NO_FILE, "the folder %.200s has no motion files (.bvh, .glb, .gltf)", folder);
    return status;
}

static tr_status read_files(capture_set *set, tr_error *error) {
    uint32_t clips = 0;
    set->files = calloc(set->file_count, sizeof *set->files);
    if (!set->files)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for %u captures", set->file_count);
    for (uint32_t i = 0; i < set->file_count; i++) {
        set->files[i] = tr_figures_begin(NULL);
        tr_status status = tr_motion_file_read(set->paths[i], NULL, &set->files[i], error);
        if (status == TR_OUT_OF_MEMORY)
            return status;
        if (status != TR_OK && error) // one bad file does not spoil a folder
            command_note(set->paths[i], error->message);
        for (uint32_t k = 0; k < set->files[i].count; k++)
            clips += set->files[i].items[k].clip_count;
    }
    set->captures = calloc(clips + 1, sizeof *set->captures);
    if (!set->captures)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for %u captures", clips);
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
static tr_status keep_names(const capture_set *set, behaviors_job *job, tr_error *error) {
    job->captures = calloc(set->capture_count + 1, sizeof *job->captures);
    for (uint32_t i = 0; i < set->capture_count && job->captures; i++) {
        job->captures[i] = strdup(set->captures[i].name);
        job->capture_count += job->captures[i] != NULL;
    }
    return job->captures && job->capture_count == set->capture_count
               ? TR_OK
               : tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the names of captures");
}

static void close_set(capture_set *set) {
    for (uint32_t i = 0; i < set->file_count; i++) {
        free(set->paths[i]);
        if (set->files)
            tr_figures_destroy(&set->files[i]);
    }
    free(set->paths);
    free(set->files);
    free(set->captures);
}

// --- The machine ---

// Motions stay the build's.
static tr_status make_cast(const tr_behavior_build *build, const char *name, tr_skeleton *skeleton,
                           tr_body *body, tr_behavior_cast **cast, tr_error *error) {
    tr_behavior_cast_def def = {.name = name,
                                .skeleton = skeleton,
                                .body = body,
                                .margin = 0.02f,
                                .up = 2,
                                .down = 1,
                                .take_skeleton = true};
    return tr_behavior_build_cast(build, &def, cast, error);
}

tr_status behaviors_build(const char *folder, float height, behaviors_job *job, tr_error *error) {
    capture_set set = {0};
    tr_mannequin_def mannequin = {.height = height};
    tr_skeleton *skeleton = NULL;
    tr_body *body = NULL;
    tr_status status = list_files(folder, &set, error);
    if (status == TR_OK)
        status = read_files(&set, error);
    if (status == TR_OK)
        status = keep_names(&set, job, error);
    if (status == TR_OK)
        status = tr_mannequin_make(&mannequin, &skeleton, &body, error);
    tr_behavior_build_def def = job->how;
    def.skeleton = skeleton;
    def.captures = set.captures;
    def.capture_count = set.capture_count;
    if (status == TR_OK)
        status = tr_behavior_build_make(&def, &job->build, error);
    if (status == TR_OK)
        status = make_cast(job->build, "machine of captures", skeleton, body, &job->cast, error);
    if (status != TR_OK) {
        tr_skeleton_destroy(skeleton);
        tr_body_destroy(body);
    }
    close_set(&set);
    return status;
}

// --- The motion file beside the machine file ---

// The name of the file as the machine file has it: % begins an escape there.
static const char *name_beside(const char *path, char *name, size_t size) {
    const char *slash = strrchr(path, '/');
    size_t used = 0;
    for (const char *at = slash ? slash + 1 : path; *at && used + 4 < size; at++)
        used += (size_t)snprintf(name + used, size - used, *at == '%' ? "%%25" : "%c", *at);
    return name;
}

tr_status behaviors_write_motion(const behaviors_job *job, const char *path, char *name, size_t size,
                                 tr_behavior_file_clip *clips, tr_error *error) {
    uint32_t count = job->cast->clip_count;
    const tr_clip **motions = calloc(count, sizeof *motions);
    tr_bytes bytes = {NULL, 0};
    if (!motions)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for %u clips", count);
    name_beside(path, name, size);
    for (uint32_t i = 0; i < count; i++) {
        const tr_behavior_cast_clip *clip = &job->cast->clips[i];
        motions[i] = clip->motion;
        clips[i].file = name;
        clips[i].name = tr_clip_name(clip->motion);
        clips[i].first = clip->first;
        clips[i].last = clip->last;
        uint32_t after = tr_clip_frame_count(clip->motion) - 1 - clip->last;
        clips[i].extra = clip->first > after ? clip->first : after;
    }
    // The base has to be in the file: it is what the numbers of the moves were measured from.
    tr_gltf_actor actor = {
        .skeleton = job->cast->skeleton, .body = job->cast->body, .clips = motions, .clip_count = count};
    tr_gltf_shot shot = {.actors = &actor, .actor_count = 1, .apart = true, .root_motion = true};
    tr_status status = tr_gltf_write(&shot, &bytes, error);
    if (status == TR_OK)
        status = tr_file_write(path, bytes.data, bytes.size, error);
    tr_bytes_free(NULL, &bytes);
    free(motions);
    return status;
}
