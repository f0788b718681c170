// troupe/io/stage_file.h - the stage file: a JSON document that says who is where and does what. Its schema
// is docs/stage.schema.json.
#pragma once
#include "troupe/stage/stage.h"

TR_BEGIN_DECLARATIONS

#define TR_STAGE_FILE_CHARACTERS_MAX 10000

typedef struct tr_stage_file_options {
    const tr_allocator *allocator;
    tr_tasks *tasks;
    void (*note)(void *user, const char *sentence); // what was odd but readable; may be NULL
    void *note_user;
} tr_stage_file_options;

// All that a stage file makes, with its owner. Zero is valid.
typedef struct tr_stage_play {
    tr_allocator allocator;
    tr_scene *scene;
    tr_stage *stage;
    tr_character **characters; // shared by actors of the same height, colour and clips
    uint32_t character_count, character_capacity;
    double seconds; // after which to stop, whoever is on the way
    char *title;
} tr_stage_play;

// Read the document in `data`; files it names lie beside `path` (no absolute path, no ".."). TR_BAD_FILE has
// the line and the path of the value ("characters[2].start"). On failure *play is empty.
TR_API tr_status tr_stage_file_read(const void *data, size_t size, const char *path,
                                    const tr_stage_file_options *options, tr_stage_play *play,
                                    tr_error *error);
TR_API void tr_stage_play_destroy(tr_stage_play *play);

TR_END_DECLARATIONS
