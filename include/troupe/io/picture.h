// troupe/io/picture.h - an RGB picture to draw maps and plans in, and its PNG file.
#pragma once
#include "troupe/io/file.h"
#include "troupe/world/footprint.h"

TR_BEGIN_DECLARATIONS

#define TR_PICTURE_SIDE_MAX 32768

typedef struct tr_color {
    uint8_t red, green, blue;
} tr_color;

// Pixels row by row from the top, 3 bytes each.
typedef struct tr_picture {
    tr_allocator allocator;
    uint32_t width, height;
    uint8_t *pixels;
} tr_picture;

TR_API tr_status tr_picture_create(const tr_allocator *allocator, uint32_t width, uint32_t height, tr_color background,
                                   tr_picture *picture, tr_error *error);
TR_API void tr_picture_destroy(tr_picture *picture);

// Drawing clips to the picture. Coordinates in pixels, (0, 0) the upper left corner; `alpha` in [0, 1].
TR_API void tr_picture_rectangle(tr_picture *picture, float x0, float y0, float x1, float y1, tr_color color, float alpha);
TR_API void tr_picture_line(tr_picture *picture, float x0, float y0, float x1, float y1, float width, tr_color color,
                            float alpha); // with smooth edges and round ends
TR_API void tr_picture_disc(tr_picture *picture, float x, float y, float radius, tr_color color, float alpha);
TR_API void tr_picture_text(tr_picture *picture, float x, float y, float height, const char *text, tr_color color);
// How wide that text is [pixels].
TR_API float tr_picture_text_width(float height, const char *text);

// A map of a footprint: free ground shaded by clearance where kept, grown cells, occupied cells, a scale bar and a
// legend. x to the right, z downwards, `pixels_per_cell` [1, 64]. Later layers (routes, trees) are drawn over it.
typedef struct tr_map_view {
    uint32_t pixels_per_cell;
    float left, top; // where the map's corner lies in the picture [pixels]
    tr_grid grid;
} tr_map_view;
TR_API tr_status tr_picture_draw_footprint(const tr_allocator *allocator, const tr_footprint *footprint,
                                           uint32_t pixels_per_cell, const char *title, tr_picture *picture,
                                           tr_map_view *view, tr_error *error);

// TR_UNAVAILABLE in a build without libpng.
TR_API tr_status tr_picture_write_png(const tr_picture *picture, const char *path, tr_error *error);

TR_END_DECLARATIONS
