// The shot as GLB and BVH.
#include "play.h"
#include "troupe/io/bvh.h"
#include "troupe/io/gltf_write.h"
#include "troupe/motion/clip_edit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const tr_stage_kind *play_kind(const play_shot *shot, const tr_character *character) {
    for (uint32_t i = 0; i < shot->play.kind_count; i++)
        if (shot->play.kinds[i].character == character)
            return &shot->play.kinds[i];
    return NULL;
}

// The file that a character comes from; NULL: none.
static const tr_gltf_source *source_of(const play_shot *shot, const tr_character *character) {
    const tr_stage_kind *kind = play_kind(shot, character);
    return kind && kind->source.data ? &kind->source : NULL;
}

static void fill_glb(const play_shot *shot, tr_gltf_actor *actors, tr_gltf_line *lines) {
    for (uint32_t i = 0; i < shot->count; i++) {
        const play_part *part = &shot->parts[i];
        actors[i] = (tr_gltf_actor){.name = part->name,
                                    .skeleton = tr_character_skeleton(part->character),
                                    .body = tr_character_body(part->character),
                                    .clips = (const tr_clip *const *)&part->clip,
                                    .clip_count = 1,
                                    .source = source_of(shot, part->character)};
        lines[i] =
            (tr_gltf_line){.name = part->name, .points = part->trace, .point_count = part->trace_count};
        const tr_body_def *body =
            tr_character_body(part->character) ? tr_body_view(tr_character_body(part->character)) : NULL;
        for (int k = 0; k < 3; k++)
            lines[i].color[k] = body ? body->color[k] : 0.5f;
    }
}

// The clips with their motion over the ground taken out, for a node of its own.
static tr_status take_bases(const play_shot *shot, tr_clip **clips, tr_gltf_actor *actors, tr_error *error) {
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < shot->count && status == TR_OK; i++) {
        status = tr_clip_edit_take_base(NULL, actors[i].skeleton, shot->parts[i].clip, TR_BASE_FOLLOW, &clips[i],
                                        error);
        actors[i].clips = (const tr_clip *const *)&clips[i];
    }
    return status;
}

static void say_note(void *user, const char *sentence) {
    (void)user;
    fprintf(stderr, "troupe: %s\n", sentence);
}

tr_status play_write_glb(const play_request *request, const play_shot *shot, tr_error *error) {
    tr_gltf_actor *actors = calloc(shot->count, sizeof *actors);
    tr_gltf_line *lines = calloc(shot->count, sizeof *lines);
    tr_clip **clips = calloc(shot->count, sizeof *clips);
    tr_bytes bytes = {NULL, 0};
    tr_status status = TR_OUT_OF_MEMORY;
    if (actors && lines && clips) {
        fill_glb(shot, actors, lines);
        tr_gltf_shot gltf = {.actors = actors,
                             .actor_count = shot->count,
                             .scene = request->without_scene ? NULL : shot->play.scene,
                             .lines = lines,
                             .line_count = shot->count,
                             .form = request->segments ? TR_GLTF_SEGMENTS : TR_GLTF_SKINNED,
                             .apart = request->apart,
                             .root_motion = request->root_motion,
                             .text = request->text,
                             .title = shot->play.title[0] ? shot->play.title : NULL,
                             .note = say_note};
        status = request->root_motion ? take_bases(shot, clips, actors, error) : TR_OK;
        if (status == TR_OK)
            status = tr_gltf_write(&gltf, &bytes, error);
    } else {
        tr_fail(error, status, "no memory for the GLB");
    }
    if (status == TR_OK)
        status = tr_file_write(request->out, bytes.data, bytes.size, error);
    tr_bytes_free(NULL, &bytes);
    for (uint32_t i = 0; clips && i < shot->count; i++)
        tr_clip_destroy(clips[i]);
    free(clips);
    free(actors);
    free(lines);
    return status;
}

// Makes a file name of letters, digits, dots and dashes.
static void file_name(const char *folder, const char *name, uint32_t number, char *path, size_t size) {
    char plain[80];
    size_t length = 0;
    for (; *name && length + 1 < sizeof plain; name++) {
        bool good = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') ||
                    (*name >= '0' && *name <= '9') || *name == '-' || *name == '_';
        plain[length++] = good ? *name : '_';
    }
    plain[length] = 0;
    snprintf(path, size, "%s/%02u-%s.bvh", folder, number, plain);
}

tr_status play_write_bvh(const play_request *request, const play_shot *shot, tr_error *error) {
    if (mkdir(request->bvh, 0777) != 0 && errno != EEXIST)
        return tr_fail(error, TR_NO_FILE, "cannot create the folder %.200s: %s", request->bvh,
                       strerror(errno));
    for (uint32_t i = 0; i < shot->count; i++) {
        char path[1024];
        tr_bytes bytes = {NULL, 0};
        file_name(request->bvh, shot->parts[i].name, i, path, sizeof path);
        // In centimetres, as most programs expect in a BVH file.
        tr_status status = tr_bvh_write(NULL, tr_character_skeleton(shot->parts[i].character),
                                        shot->parts[i].clip, 0.01, &bytes, error);
        if (status == TR_OK)
            status = tr_file_write(path, bytes.data, bytes.size, error);
        tr_bytes_free(NULL, &bytes);
        if (status != TR_OK)
            return status;
    }
    return TR_OK;
}
