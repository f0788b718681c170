// What the parts of a surface's picture share. Internal.
#pragma once
#include "picture_draw.h"

#define SURFACE_FINENESS 2       // blocks are filled without smooth edges in a picture so many times as large
#define SURFACE_ACROSS 0.8660254 // of a metre along x or z, to the side
#define SURFACE_DOWN 0.5         // and downwards
#define SURFACE_CUT 0.7          // walls are cut so far above the ground beside them [m]
#define SURFACE_AROUND 1.2       // shown around what is reached in upper storeys [m]
#define SURFACE_SLAB 0.3         // what has no known underside is shown so thick [m]

// The heights that one storey shows.
typedef struct surface_band {
    double from, to;  // [m]
    double low, high; // of what is reached in it
    double floor;     // where most of it lies
    double above,
        below; // what is shown reaches so far up and down from its floor at the view's origin, as drawn [m]
} surface_band;

// Columns are taken together in square blocks where there are more of them than pixels; the middle one stands
// for all.
typedef struct surface_sheet {
    const tr_surface *surface;
    const tr_surface_route *route;
    const uint8_t *states;
    tr_surface_scale scale;
    tr_cells window;        // columns and rows that are shown
    uint32_t stride;        // columns of a block
    uint32_t columns, rows; // blocks
    double side;            // of a block [m]
    float *cut;             // of each block: where walls are cut in this storey [m]
    float *shown;           // the highest that is shown of it; -INFINITY: nothing
    uint32_t *queue;
    double low, high; // of all that is reached
    surface_band bands[TR_SURFACE_VIEW_STOREYS_MAX];
    uint32_t band_count;
} surface_sheet;

typedef enum surface_tone { TONE_FREE, TONE_BORDER, TONE_OTHER, TONE_STEEP, TONE_CUT } surface_tone;

// A piece of a column that is shown.
typedef struct surface_block {
    double bottom, top;
    surface_tone tone;
} surface_block;

// Look at the surface: what is reached, which storeys there are. Takes memory; destroy it in any case.
tr_status surface_sheet_create(const tr_allocator *memory, const tr_surface_layers *layers,
                               surface_sheet *sheet, tr_error *error);
void surface_sheet_destroy(const tr_allocator *memory, surface_sheet *sheet);
// Ready the sheet for a storey: where walls are cut, and what is shown.
void surface_sheet_enter(surface_sheet *sheet, uint32_t band);
#define SURFACE_PIECES_MAX 64
// What is shown of a block, from the lowest up.
uint32_t surface_sheet_pieces(const surface_sheet *sheet, uint32_t band, uint32_t column, uint32_t row,
                              surface_block *pieces);

tr_color surface_tone_color(const surface_sheet *sheet, surface_tone tone, double height);
// All blocks of a storey, from the back to the front.
void surface_blocks_draw(tr_picture *fine, const surface_sheet *sheet, uint32_t band,
                         const tr_surface_view *view);
