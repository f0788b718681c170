// A machine built from a folder of captures, and its motion file.
#include "behaviors.h"
#include "cli/commands.h"
#include "troupe/io/gltf_write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

tr_status behaviors_build(const char *folder, float height, behaviors_job *job, tr_error *error) {
    tr_behavior_folder_def def = {
        .mannequin.height = height, .how = job->how, .note = command_note, .note_user = (char *)folder};
    tr_status status = tr_behavior_folder_read(folder, &def, &job->folder, error);
    job->cast = job->folder.cast;
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
