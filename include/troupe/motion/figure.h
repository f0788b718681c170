// troupe/motion/figure.h - a character as stored in a file: a skeleton, its clips and, if it has one, a body.
#pragma once
#include "troupe/motion/body.h"
#include "troupe/motion/clip.h"

TR_BEGIN_DECLARATIONS

// Owns everything it points to. Zero is valid: empty.
typedef struct tr_figure {
    tr_allocator allocator;
    char *name; // NULL if it has none
    tr_skeleton *skeleton;
    tr_body *body; // may be NULL
    tr_clip **clips;
    uint32_t clip_count, clip_capacity;
} tr_figure;

TR_API void tr_figure_destroy(tr_figure *figure); // leaves it empty
TR_API tr_status tr_figure_set_name(tr_figure *figure, const char *name);
// Takes ownership of the clip if it returns TR_OK.
TR_API tr_status tr_figure_add_clip(tr_figure *figure, tr_clip *clip);
TR_API const tr_clip *tr_figure_find_clip(const tr_figure *figure, const char *name); // NULL for none

// Turns skeleton, body and clips about the vertical [rad, about +Y], so that a body that faces elsewhere
// faces +Z (tr_skeleton_facing). If it fails the figure is unchanged.
TR_API tr_status tr_figure_turn(tr_figure *figure, float angle, tr_error *error);
// Moves skeleton, body and clips, so that a body that stands elsewhere stands at the origin. If it fails the
// figure is unchanged.
TR_API tr_status tr_figure_move(tr_figure *figure, tr_vec3 by, tr_error *error);

// Turns skeleton, body and clips by right angles, so that a body that lies at rest stands upright, its head
// above its hips. `raised`: it did not before. TR_INVALID: a clip has bases. TR_OUT_OF_MEMORY: destroy the
// figure.
TR_API tr_status tr_figure_raise(tr_figure *figure, bool *raised, tr_error *error);

// The figures of one file.
typedef struct tr_figures {
    tr_allocator allocator;
    tr_figure *items;
    uint32_t count, capacity;
} tr_figures;

TR_API tr_figures tr_figures_begin(const tr_allocator *allocator);
TR_API void tr_figures_destroy(tr_figures *figures);
// Appends an empty figure; NULL if out of memory. May move the other figures: pointers to them become
// invalid.
TR_API tr_figure *tr_figures_add(tr_figures *figures);

TR_END_DECLARATIONS
