// A progress bar for long work: on a terminal's stderr, and nothing in a pipe or a file.
#pragma once
#include "troupe/base/api.h"

typedef struct progress_bar {
    const char *what;
    uint64_t total, drawn_at; // [ns]
    bool is_shown, was_drawn;
} progress_bar;

// `what` must live until the end; `total` is the number of steps, 0 when nobody knows.
progress_bar progress_begin(const char *what, uint64_t total);
// `done` of the steps are done. Draws at most ten times a second.
void progress_step(progress_bar *bar, uint64_t done);
// Wipes the bar away.
void progress_end(progress_bar *bar);
