// io/stage_file/stage_file_data.h - a stage file while it is read. Internal to stage_file*.c.
#pragma once
#include "troupe/io/json.h"
#include "troupe/io/motion_file.h"
#include "troupe/io/stage_file.h"

typedef struct stage_reading {
    tr_json *json;
    uint32_t root;
    const char *path; // of the stage file
    tr_stage_file_options options;
    tr_stage_play *play;
    tr_error *error;
    struct stage_body {
        float radius, height;
    } bodies[TR_STAGE_FILE_BODIES_MAX]; // found so far
    uint32_t body_count;
    struct stage_cast {
        uint32_t value; // of "behaviors"
        const tr_skeleton *skeleton;
    } casts[TR_STAGE_FILE_CASTS_MAX]; // of the play
    tr_ground_link links[TR_GROUND_LINKS_MAX];
    bool has_level; // "ground" is given:
    float level;    // points of two numbers are on the floor there [m]
} stage_reading;

#define STAGE_FILE_EXTENT 1e6 // largest distance of anything from the origin [m]

// Is there such a member that is not null?
bool tr_stage_has(const stage_reading *reading, uint32_t object, const char *key);
// This many coordinates, within STAGE_FILE_EXTENT; unchanged if there is no such member.
tr_status tr_stage_get_metres(const stage_reading *reading, uint32_t object, const char *key, double *numbers,
                              uint32_t count);
// Turns the error of a lower-level call about `value` into one with its line and path; out of memory is
// passed on.
tr_status tr_stage_blame(const stage_reading *reading, uint32_t value, const char *what, tr_status status,
                         const tr_error *why);
tr_status tr_stage_check_keys(const stage_reading *reading, uint32_t object, const char *const *known);
// The object of the scene named by the member "object" of `value`.
tr_status tr_stage_find_object(const stage_reading *reading, uint32_t value, const char *name,
                               uint32_t *object);
tr_status tr_stage_read_moves(stage_reading *reading);
tr_status tr_stage_read_characters(stage_reading *reading);
// {"reach": ...} and {"lower": ...}
tr_status tr_stage_read_reach(const stage_reading *reading, uint32_t value, tr_order *order);
tr_status tr_stage_read_lower(const stage_reading *reading, uint32_t value, tr_order *order);
// {"track": [[seconds, right, up], ...]}: one order for each key but the last, which `give` receives.
tr_status tr_stage_read_track(const stage_reading *reading, uint32_t value, uint32_t actor,
                              tr_status (*give)(const stage_reading *reading, uint32_t value, uint32_t actor,
                                                const tr_order *order));
// "variety" and "seed" of a character or of the stage, and all that says how a character moves.
tr_status tr_stage_read_variety(const stage_reading *reading, uint32_t object, double *variety,
                                uint64_t *seed);
tr_status tr_stage_read_shape(const stage_reading *reading, uint32_t character, tr_mannequin_shape *shape);
tr_status tr_stage_read_manner(const stage_reading *reading, uint32_t character, tr_stage_actor_def *def);
tr_status tr_stage_read_eyes(const stage_reading *reading, uint32_t character, tr_stage_eyes *eyes);
tr_status tr_stage_read_behaviors(stage_reading *reading, uint32_t character, const tr_stage_kind *kind,
                                  tr_stage_actor_def *def);
// The weights of "behaviors", into a machine; `machine` NULL: they are only checked.
tr_status tr_stage_read_weights(const stage_reading *reading, uint32_t value, tr_behavior *machine);
// Do the behaviors of a character come with a body, as those of a horse do?
bool tr_stage_brings_body(const stage_reading *reading, uint32_t character);
// Checks which cast, machine file or folder of captures "behaviors" names.
tr_status tr_stage_check_source(const stage_reading *reading, uint32_t character, uint32_t behaviors);
// The kind of a character whose behaviors bring its body: found, or created.
tr_status tr_stage_find_performer(stage_reading *reading, uint32_t character, tr_stage_kind wanted,
                                  uint32_t *number);
// Are two values the same, whatever they are?
bool tr_stage_same_value(const tr_json *json, uint32_t a, uint32_t b);
// A walker made from captures: `files` is an array of names. The captures are retargeted to the skeleton of
// the kind, or to a mannequin.
tr_status tr_stage_read_cycles(stage_reading *reading, uint32_t files, tr_stage_kind *kind);
// A character of a file: "character" and "clips" of a character. `height` 0: that of the file.
tr_status tr_stage_read_figure(stage_reading *reading, uint32_t character, float height, tr_stage_kind *kind);
void tr_stage_free_sources(tr_stage_play *play);
// Makes options that read files beside the stage file, and pass notes with the name of the file in front.
typedef struct stage_notes {
    const tr_stage_file_options *options;
    const char *file;
} stage_notes;
tr_motion_options tr_stage_motion_options(const stage_reading *reading, stage_notes *notes);
// Reads the name of a file: a string without zeros. `path`: free it with tr_release(allocator, path, room,
// 1).
tr_status tr_stage_get_path(const stage_reading *reading, uint32_t value, const char *what, const char **uri,
                            char **path, size_t *room);
// Moves the floor of a clip to height 0.
tr_status tr_stage_lower_clip(const tr_allocator *allocator, const tr_skeleton *skeleton, tr_clip *clip,
                              float ground, tr_error *error);
// Inserts a cycle among those of a kind, which are sorted by speed.
void tr_stage_insert_cycle(tr_stage_kind *kind, tr_clip *cycle);
