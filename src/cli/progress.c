#define _POSIX_C_SOURCE 200809L // isatty and fileno
#include "progress.h"
#include "troupe/base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BAR_WIDTH 32
#define REDRAW_NANOSECONDS 100000000u

progress_bar progress_begin(const char *what, uint64_t total) {
    const char *terminal = getenv("TERM");
    progress_bar bar = {.what = what, .total = total, .drawn_at = tr_clock_nanoseconds()};
    bar.is_shown = isatty(fileno(stderr)) && (!terminal || strcmp(terminal, "dumb") != 0);
    return bar;
}

void progress_step(progress_bar *bar, uint64_t done) {
    uint64_t now = tr_clock_nanoseconds();
    // Work that takes less than a tenth of a second never shows a bar, which avoids flicker.
    if (!bar->is_shown || now - bar->drawn_at < REDRAW_NANOSECONDS)
        return;
    bar->drawn_at = now;
    bar->was_drawn = true;
    if (bar->total == 0) {
        fprintf(stderr, "\r%s ...", bar->what);
        fflush(stderr);
        return;
    }
    double share = done < bar->total ? (double)done / (double)bar->total : 1;
    int filled = (int)(share * BAR_WIDTH);
    char cells[BAR_WIDTH + 1];
    for (int i = 0; i < BAR_WIDTH; i++)
        cells[i] = i < filled ? '#' : '.';
    cells[BAR_WIDTH] = 0;
    fprintf(stderr, "\r%s [%s] %3d%%", bar->what, cells, (int)(share * 100));
    fflush(stderr);
}

void progress_end(progress_bar *bar) {
    if (!bar->was_drawn)
        return;
    fprintf(stderr, "\r%*s\r", (int)strlen(bar->what) + BAR_WIDTH + 10, "");
    fflush(stderr);
    bar->was_drawn = false;
}
