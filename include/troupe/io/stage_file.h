// troupe/io/stage_file.h - the stage file: a JSON document that describes a scene, the characters in it and
// their orders. Its schema is docs/stage.schema.json.
#pragma once
#include "troupe/io/behavior_folder.h"
#include "troupe/io/files.h"
#include "troupe/io/gltf_write.h"
#include "troupe/stage/stage.h"

TR_BEGIN_DECLARATIONS

// Limits of a stage file; the error names the limit.
#define TR_STAGE_FILE_CHARACTERS_MAX 10000
#define TR_STAGE_FILE_KINDS_MAX                                                                              \
    1000                                   // differing in height, colour, mesh or cycles: 2 MB each, less
                                           // where only the colour differs
#define TR_STAGE_FILE_BODIES_MAX 256       // differing in radius or height; see also TR_GROUND_SIZES_MAX
#define TR_STAGE_FILE_CASTS_MAX 64         // of behaviors, differing in body or weights
#define TR_STAGE_FILE_MOVES_MAX 256        // objects that move
#define TR_STAGE_FILE_KEYS_MAX 4096        // of one moving object
#define TR_STAGE_FILE_TRACK_MAX 65536      // of one mouse track
#define TR_STAGE_FILE_CELLS_MAX (1u << 24) // of the area, about 50 bytes each

typedef struct tr_stage_file_options {
    const tr_allocator *allocator;
    const tr_files *files; // source of the scenes and captures that the file names; NULL: the disk
    tr_tasks *tasks;
    bool check_only; // read and check every value, but create nothing: *play stays empty
    bool scene_only; // create the scene and its moving objects, but no stage and no characters
    void (*note)(void *user, const char *sentence); // reports unusual but readable content; may be NULL
    void *note_user;
} tr_stage_file_options;

// A kind of character, shared by actors that are alike.
typedef struct tr_stage_kind {
    tr_character *character;
    tr_mannequin_shape shape;
    float height;
    float color[3];
    uint32_t detail;
    const tr_behavior_cast *behaviors; // of a kind whose behaviors bring its body; otherwise NULL
    // Only for a kind with clips or a body from files.
    tr_skeleton *skeleton;
    tr_body *body;
    tr_clip *stand; // may be NULL
    tr_clip *cycles[TR_CHARACTER_CYCLES_MAX];
    uint32_t cycle_count;
    // Only for a kind with a character file: for tr_gltf_actor, if it is glTF (otherwise its data is NULL).
    tr_gltf_source source;
    float speeds[3];    // of its own clips for walk, jog and run [m/s]; 0: none
    uint32_t described; // the first character of the file that is of this kind
} tr_stage_kind;

// A character file that was read, kept for writing.
typedef struct tr_stage_source tr_stage_source;

// Everything that a stage file creates; owns it. Zero is valid.
typedef struct tr_stage_play {
    tr_allocator allocator;
    tr_scene *scene;
    tr_box ground;
    tr_stage *stage;
    tr_stage_kind *kinds;
    uint32_t kind_count, kind_capacity;
    tr_behavior_cast **casts; // behaviors of characters
    uint32_t cast_count, cast_capacity;
    tr_behavior_folder *folders; // captures of characters
    uint32_t folder_count, folder_capacity;
    tr_stage_source *sources;
    double seconds; // time after which to stop, even if actors are still moving
    double frames_per_second;
    char *title; // "" when the file has none
    size_t title_size;
} tr_stage_play;

// Reads the document in `data`. Files that it names are relative to `path` (no absolute path, no "..").
// Sources of kinds read files that a .gltf names through `options->files`, which must then outlive *play.
// TR_BAD_FILE has the line and the path of the value ("characters[2].start"). On failure *play is empty.
TR_API tr_status tr_stage_file_read(const void *data, size_t size, const char *path,
                                    const tr_stage_file_options *options, tr_stage_play *play,
                                    tr_error *error);
TR_API void tr_stage_play_destroy(tr_stage_play *play);

TR_END_DECLARATIONS
