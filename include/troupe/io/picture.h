// troupe/io/picture.h - an RGB picture to draw maps and plans in, and its PNG file.
#pragma once
#include "troupe/io/file.h"
#include "troupe/plan/climb.h"
#include "troupe/world/depth.h"
#include "troupe/world/occupancy.h"

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

TR_API tr_status tr_picture_create(const tr_allocator *allocator, uint32_t width, uint32_t height,
                                   tr_color background, tr_picture *picture, tr_error *error);
TR_API void tr_picture_destroy(tr_picture *picture);

// Drawing clips to the picture; a coordinate that is not finite draws nothing. Coordinates in pixels, (0, 0)
// the upper left corner of the picture; `alpha` in [0, 1]. Edges are smooth: a pixel that is covered in part
// is mixed in part.
TR_API void tr_picture_rectangle(tr_picture *picture, float x0, float y0, float x1, float y1, tr_color color,
                                 float alpha);
TR_API void tr_picture_line(tr_picture *picture, float x0, float y0, float x1, float y1, float width,
                            tr_color color,
                            float alpha); // with round ends
TR_API void tr_picture_disc(tr_picture *picture, float x, float y, float radius, tr_color color, float alpha);
// One line of text with its upper left corner at (x, y). `height` is that of the whole line, from the top of
// an A to the tail of a g; 12 is readable. Printable ASCII is drawn with strokes of our own; any other
// character is a small box.
TR_API void tr_picture_text(tr_picture *picture, float x, float y, float height, const char *text,
                            tr_color color);
// How wide that text is [pixels].
TR_API float tr_picture_text_width(float height, const char *text);

// Where a map lies in a picture: later layers (routes, trees) are drawn over it. x to the right, z downwards.
typedef struct tr_map_view {
    uint32_t pixels_per_cell;
    float left, top; // where the map's corner lies in the picture [pixels]
    tr_grid grid;
    float text;      // height of the legend's text, and [pixels]
    float notes_top; // where the lines begin that are kept free for notes, each 1.8 times as high as the text
} tr_map_view;
// The pixel of a point of the ground, as (x, z) of the result.
TR_API tr_vec2 tr_map_view_pixel(const tr_map_view *view, tr_vec2 point);

#define TR_MAP_CELL_PIXELS_MAX 64

// Make a picture with the map of an occupancy: free ground shaded by clearance where kept, grown cells,
// occupied cells, a scale bar and a legend. `pixels_per_cell` [1, TR_MAP_CELL_PIXELS_MAX]; `title` and `view`
// may be NULL. TR_LIMIT when the picture would pass TR_PICTURE_SIDE_MAX. The picture is the caller's, to be
// destroyed.
TR_API tr_status tr_picture_draw_occupancy(const tr_allocator *allocator, const tr_occupancy *occupancy,
                                           uint32_t pixels_per_cell, const char *title, tr_picture *picture,
                                           tr_map_view *view, tr_error *error);
// The same for cells that come from elsewhere, and with room for a legend of what is drawn over the map.
typedef struct tr_map_layers {
    tr_grid grid;
    const tr_bitmap *occupied; // of the grid's size
    const tr_bitmap *blocked;  // occupied and grown cells; NULL: nothing is grown
    const float *clearance;    // row by row; NULL: free ground is not shaded
    uint32_t note_lines;       // lines kept free under the legend [0, 100]
} tr_map_layers;
TR_API tr_map_layers tr_map_layers_of(const tr_occupancy *occupancy);
TR_API tr_status tr_picture_draw_map(const tr_allocator *allocator, const tr_map_layers *layers,
                                     uint32_t pixels_per_cell, const char *title, tr_picture *picture,
                                     tr_map_view *view, tr_error *error);
// The same for the kept heights: the floor on the left, the overhang on the right, each with its ramp of
// colours. TR_INVALID when the occupancy keeps none.
TR_API tr_status tr_picture_draw_heights(const tr_allocator *allocator, const tr_occupancy *occupancy,
                                         uint32_t pixels_per_cell, const char *title, tr_picture *picture,
                                         tr_error *error);

// A surface as blocks seen obliquely from above, from where x and z are greatest. Walls and roofs are cut a
// little above the ground that is walked on; storeys that lie above each other stand apart, each with a name.
#define TR_SURFACE_VIEW_STOREYS_MAX 8
typedef struct tr_surface_layers {
    const tr_surface *surface;
    const tr_climb *climb; // its flood tells free, border and other cells apart; NULL: not told apart
    const uint8_t *states; // or this does: a tr_climb_state for each cell of the surface; NULL: it does not
    uint32_t width;        // of the picture [pixels, 320 to 16384]
    uint32_t note_lines;   // lines kept free under the legend [0, 100]
} tr_surface_layers;
typedef struct tr_surface_storey {
    float from;      // heights from here up to the next storey's belong to it [m]
    float floor;     // where most of it lies [m]
    float left, top; // the pixel of the view's origin at the height of the floor
} tr_surface_storey;
typedef struct tr_surface_view {
    tr_vec2 origin; // the corner of what is shown with the least x and z [m]
    float metre;    // pixels of a metre along each of the three axes
    uint32_t storey_count;
    tr_surface_storey storeys[TR_SURFACE_VIEW_STOREYS_MAX]; // from the lowest up
    float left, text, notes_top;                            // as in tr_map_view
} tr_surface_view;
TR_API uint32_t tr_surface_view_storey(const tr_surface_view *view, float height);
TR_API tr_vec2 tr_surface_view_pixel(const tr_surface_view *view, tr_vec3 point, uint32_t storey);
// `title` and `view` may be NULL. TR_INVALID, TR_LIMIT and the picture as above.
TR_API tr_status tr_picture_draw_surface(const tr_allocator *allocator, const tr_surface_layers *layers,
                                         const char *title, tr_picture *picture, tr_surface_view *view,
                                         tr_error *error);

// Depth maps side by side: near is bright, far is dark. Where a link's own map is given, its outline and
// contours of its wall are drawn over it, and pixels in which the link collides (its depth above 0 and at
// least the scene's) are red.
#define TR_DEPTH_LAYERS_MAX 8
typedef struct tr_depth_layer {
    const char *name;   // "upper arm"; may be NULL
    tr_depth_map scene; // what the camera sees
    tr_depth_map link;  // of the same size, or without pixels (depth NULL): no link
    float near, far;    // the camera's [m]
} tr_depth_layer;
// `count` layers [1, TR_DEPTH_LAYERS_MAX] of one size, `scale` pixels of the picture for each of theirs [1,
// TR_MAP_CELL_PIXELS_MAX]; `title` may be NULL. TR_INVALID, TR_LIMIT and the picture as above.
TR_API tr_status tr_picture_draw_depth(const tr_allocator *allocator, const tr_depth_layer *layers,
                                       uint32_t count, uint32_t scale, const char *title, tr_picture *picture,
                                       tr_error *error);

// The picture as the bytes of a PNG file; free them with tr_bytes_free and the same allocator. TR_UNAVAILABLE
// in a build without libpng.
TR_API tr_status tr_picture_encode_png(const tr_allocator *allocator, const tr_picture *picture,
                                       tr_bytes *png, tr_error *error);
TR_API tr_status tr_picture_write_png(const tr_picture *picture, const char *path, tr_error *error);

TR_END_DECLARATIONS
