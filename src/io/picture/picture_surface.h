// Shared by the parts of a surface's picture. Internal.
#pragma once
#include "picture_draw.h"

#define SURFACE_FINENESS 2       // blocks are drawn without antialiasing at this scale
#define SURFACE_ACROSS 0.8660254 // sideways part of a metre along x or z
#define SURFACE_DOWN 0.5         // downward part
#define SURFACE_CUT 0.7          // walls are cut this far above the ground next to them [m]
#define SURFACE_AROUND 1.2       // shown around the reached cells in upper storeys [m]
#define SURFACE_SLAB 0.3         // shown thickness of what has no known underside [m]

// The heights that one storey shows.
typedef struct surface_band {
    double from, to;     // [m]
    double low, high;    // of the reached cells
    double floor;        // height with most of them
    double above, below; // drawn extent above and below the floor at the view's origin [m]
} surface_band;

// Columns are grouped into square blocks if there are more of them than pixels; the middle column represents
// the block.
typedef struct surface_sheet {
    const tr_surface *surface;
    const tr_surface_route *route;
    const uint8_t *states;
    tr_surface_scale scale;
    tr_cells window;        // visible columns and rows
    uint32_t stride;        // columns of a block
    uint32_t columns, rows; // blocks
    double side;            // of a block [m]
    float *cut;             // of each block: the height at which walls are cut in this storey [m]
    float *shown;           // the highest visible height of it; -INFINITY: nothing
    uint32_t *queue;
    double low, high; // of all reached cells
    surface_band bands[TR_SURFACE_VIEW_STOREYS_MAX];
    uint32_t band_count;
} surface_sheet;

typedef enum surface_tone { TONE_FREE, TONE_BORDER, TONE_OTHER, TONE_STEEP, TONE_CUT } surface_tone;

// A visible piece of a column.
typedef struct surface_block {
    double bottom, top;
    surface_tone tone;
} surface_block;

// Analyses the surface: the reached cells and the storeys. Allocates memory; destroy it in any case.
tr_status surface_sheet_create(const tr_allocator *memory, const tr_surface_layers *layers,
                               surface_sheet *sheet, tr_error *error);
void surface_sheet_destroy(const tr_allocator *memory, surface_sheet *sheet);
// Prepares the sheet for a storey: the cuts of walls and the visible part.
void surface_sheet_enter(surface_sheet *sheet, uint32_t band);
#define SURFACE_PIECES_MAX 64
// The visible pieces of a block, from the lowest up.
uint32_t surface_sheet_pieces(const surface_sheet *sheet, uint32_t band, uint32_t column, uint32_t row,
                              surface_block *pieces);

tr_color surface_tone_color(const surface_sheet *sheet, surface_tone tone, double height);
// Draws all blocks of a storey, from back to front.
void surface_blocks_draw(tr_picture *fine, const surface_sheet *sheet, uint32_t band,
                         const tr_surface_view *view);
