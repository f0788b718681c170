// Shared by the parts of `troupe behaviors`.
#pragma once
#include "troupe/io/behavior_file.h"
#include "troupe/io/behavior_folder.h"

// A machine, wherever it comes from.
typedef struct behaviors_job {
    const char *source;        // the argument
    tr_behavior_file file;     // what it was read from; of a cast only `cast` and `height`
    tr_behavior_cast *cast;    // the machine with its motion; NULL: it has none
    tr_behavior *machine;      // that of the cast, or a machine of numbers alone
    tr_behavior_folder folder; // of captures; its cast is `cast`
    // Set before it is built from a folder: rate, tolerance and sides; the rest is not used.
    tr_behavior_build_def how;
} behaviors_job;

// Reads, generates or builds the machine that `source` names. `height`: of a cast, or of the mannequin that
// wears captures [m]; 0: the usual.
tr_status behaviors_load(const char *source, float height, behaviors_job *job, tr_error *error);
void behaviors_destroy(behaviors_job *job);
// Changes the weight of a state as "STATE=W" says. false: it cannot; where `error` has no message, it was
// reported.
bool behaviors_set_weight(behaviors_job *job, const char *text, tr_error *error);
// Writes a machine file, with or without the numbers that can be measured.
tr_status behaviors_write(const behaviors_job *job, bool numbers, const char *path, tr_error *error);
// Parts of the above for folders of captures.
tr_status behaviors_build(const char *folder, float height, behaviors_job *job, tr_error *error);
// Writes the motions of the cast beside the machine file, and where they are into `clips` (one for each).
// `name`: room for the name of the file, which the clips refer to.
tr_status behaviors_write_motion(const behaviors_job *job, const char *path, char *name, size_t size,
                                 tr_behavior_file_clip *clips, tr_error *error);
// One line for each piece of a capture: what it is, and why it is not used.
void behaviors_print_pieces(const behaviors_job *job);
// Draws the first clip of a state (NULL: of every state) as a strip of frames: FOLDER/STATE.png.
tr_status behaviors_film(const behaviors_job *job, const char *state, const char *folder, tr_error *error);

// What all states together show.
typedef struct behaviors_totals {
    uint32_t moves, edges;
    uint64_t frames;
    uint32_t from_rest, to_rest; // states from rest to the farthest state, and from there back
} behaviors_totals;
// `from_rest` and `to_rest` get these numbers for every state; NULL: they are not counted.
behaviors_totals behaviors_count(const tr_behavior_def *def, uint32_t *from_rest, uint32_t *to_rest);

// A state by what it does on average.
typedef struct behaviors_means {
    double frames, metres, turn; // of its moves; `turn` in degrees, left positive
} behaviors_means;
behaviors_means behaviors_mean(const tr_behavior_state *state);

// What a machine that can be used does not have, and a character will miss.
typedef enum behaviors_lack {
    BEHAVIORS_LACK_GOING, // every behavior that leads anywhere is for an obstacle
    BEHAVIORS_LACK_LEFT,  // none of those that are not turns left
    BEHAVIORS_LACK_RIGHT,
    BEHAVIORS_LACKS
} behaviors_lack;
extern const char *const behaviors_lack_words[BEHAVIORS_LACKS];
bool behaviors_lacks(const tr_behavior_def *def, behaviors_lack what);

void behaviors_print(const behaviors_job *job);
tr_status behaviors_print_json(const behaviors_job *job, const char *written, const char *picture,
                               tr_error *error);
tr_status behaviors_draw(const behaviors_job *job, const char *path, tr_error *error);
