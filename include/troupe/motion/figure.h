// troupe/motion/figure.h - a character as files hold it: a skeleton, its clips and, where it has one, a body.
#pragma once
#include "troupe/motion/body.h"
#include "troupe/motion/clip.h"

TR_BEGIN_DECLARATIONS

// Owns everything it points to. Zero is valid: empty.
typedef struct tr_figure {
    tr_allocator allocator;
    char *name; // NULL when it has none
    tr_skeleton *skeleton;
    tr_body *body; // may be NULL
    tr_clip **clips;
    uint32_t clip_count, clip_capacity;
} tr_figure;

TR_API void tr_figure_destroy(tr_figure *figure); // leaves it empty
TR_API tr_status tr_figure_set_name(tr_figure *figure, const char *name);
// Takes the clip over when it returns TR_OK.
TR_API tr_status tr_figure_add_clip(tr_figure *figure, tr_clip *clip);
TR_API const tr_clip *tr_figure_find_clip(const tr_figure *figure, const char *name); // NULL for none

// Several, as one file holds them.
typedef struct tr_figures {
    tr_allocator allocator;
    tr_figure *items;
    uint32_t count, capacity;
} tr_figures;

TR_API tr_figures tr_figures_begin(const tr_allocator *allocator);
TR_API void tr_figures_destroy(tr_figures *figures);
// An empty one at the end; NULL without memory. Moves the others: pointers to them go stale.
TR_API tr_figure *tr_figures_add(tr_figures *figures);

TR_END_DECLARATIONS
