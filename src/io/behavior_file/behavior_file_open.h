// io/behavior_file/behavior_file_open.h - a machine file while its motion is read. Internal to
// behavior_file*.c.
#pragma once
#include "troupe/io/behavior_file.h"
#include "troupe/motion/figure.h"

// A motion of a file as the machine needs it. Moves share it.
typedef struct machine_motion {
    const tr_figure *figure;
    const tr_clip *clip; // of the figure
    bool mirrored;
    tr_clip *made; // on the body of the machine, at its rate, with a base
} machine_motion;

typedef struct machine_source {
    const char *name; // as in the machine file
    tr_figures figures;
} machine_source;

typedef struct machine_opening {
    const tr_behavior_file *file;
    const char *path; // of the machine file
    tr_behavior_file_options options;
    tr_allocator allocator;
    tr_error *error;
    machine_source *sources; // at most one for each move, and one for the body
    machine_motion *motions; // at most one for each move
    uint32_t source_count, motion_count;
    tr_skeleton *skeleton; // of the machine, and its body, until the cast takes them
    tr_body *body;
    bool keeps_skeleton;          // motions have the skeleton of the machine already
    tr_behavior_cast_clip *clips; // of each move; their motions until the cast takes them
    uint32_t clip_count;          // made so far
    tr_behavior_cast_state *states;
} machine_opening;

// An error about a move: the machine file with the line, the state and the number of the move.
tr_status tr_machine_blame_move(const machine_opening *opening, uint32_t state, uint32_t move,
                                tr_status status, const char *why);
// The motion with the base that a joint above the body moves along, as games and 3D programs have it. *made:
// NULL if there is no such joint.
tr_status tr_machine_take_root(const tr_allocator *allocator, const tr_skeleton *skeleton,
                               const tr_clip *clip, tr_clip **made, tr_error *error);
// Reads the motion of the moves and puts it on the body of the machine.
tr_status tr_machine_open_files(machine_opening *opening, tr_behavior_cast **cast);
