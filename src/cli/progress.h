// A progress bar for long work: on stderr if it is a terminal; nothing in a pipe or a file.
#pragma once
#include "troupe/base/api.h"

typedef struct progress_bar {
    const char *what;
    uint64_t total, drawn_at; // [ns]
    bool is_shown, was_drawn;
} progress_bar;

// `what` must stay valid until the end; `total` is the number of steps, or 0 if unknown.
progress_bar progress_begin(const char *what, uint64_t total);
// `done` of the steps are done. Draws at most ten times a second.
void progress_step(progress_bar *bar, uint64_t done);
// Erases the bar.
void progress_end(progress_bar *bar);
