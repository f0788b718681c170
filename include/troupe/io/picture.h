// troupe/io/picture.h - an RGB picture in which maps and plans are drawn, and its PNG file.
#pragma once
#include "troupe/io/file.h"
#include "troupe/plan/behavior_map.h"
#include "troupe/plan/surface_route.h"
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

// Reads a PNG of any kind as 8 bits for each colour; what is transparent keeps its colour. The caller
// destroys the picture. TR_BAD_FILE: it is broken. TR_LIMIT: more than 2^26 pixels. TR_UNAVAILABLE: a build
// without libpng.
TR_API tr_status tr_picture_decode_png(const tr_allocator *allocator, const void *data, size_t size,
                                       tr_picture *picture, tr_error *error);

// Drawing is clipped to the picture; a coordinate that is not finite draws nothing. Coordinates are in
// pixels, and (0, 0) is the upper left corner of the picture; `alpha` is in [0, 1]. Edges are smooth: a
// partly covered pixel is mixed in proportion.
TR_API void tr_picture_rectangle(tr_picture *picture, float x0, float y0, float x1, float y1, tr_color color,
                                 float alpha);
TR_API void tr_picture_line(tr_picture *picture, float x0, float y0, float x1, float y1, float width,
                            tr_color color,
                            float alpha); // with round ends
TR_API void tr_picture_disc(tr_picture *picture, float x, float y, float radius, tr_color color, float alpha);
// Draws one line of text with its upper left corner at (x, y). `height` is that of the whole line, from the
// top of an A to the bottom of a g; 12 is readable. Printable ASCII is drawn with a built-in font of strokes;
// any other character is a small box.
TR_API void tr_picture_text(tr_picture *picture, float x, float y, float height, const char *text,
                            tr_color color);
// Returns the width of that text [pixels].
TR_API float tr_picture_text_width(float height, const char *text);

// Position of a map in a picture, for drawing later layers (routes, trees) over it. x to the right, z
// downwards.
typedef struct tr_map_view {
    uint32_t pixels_per_cell;
    float left, top; // the map's corner in the picture [pixels]
    tr_grid grid;
    float text;      // height of the legend's text [pixels]
    float notes_top; // top of the lines kept free for notes, each 1.8 times as high as the text [pixels]
} tr_map_view;
// Returns the pixel of a point of the ground, as (x, z) of the result.
TR_API tr_vec2 tr_map_view_pixel(const tr_map_view *view, tr_vec2 point);

#define TR_MAP_CELL_PIXELS_MAX 64

// Creates a picture with the map of an occupancy: free ground (shaded by clearance if the occupancy keeps
// it), grown cells, occupied cells, a scale bar and a legend. `pixels_per_cell` [1, TR_MAP_CELL_PIXELS_MAX];
// `title` and `view` may be NULL. TR_LIMIT when the picture would exceed TR_PICTURE_SIDE_MAX. The caller owns
// the picture and destroys it.
TR_API tr_status tr_picture_draw_occupancy(const tr_allocator *allocator, const tr_occupancy *occupancy,
                                           uint32_t pixels_per_cell, const char *title, tr_picture *picture,
                                           tr_map_view *view, tr_error *error);
// The same for cells from any source, with room for a legend of what is drawn over the map.
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
// The map of a behavior planner at a frame: cells that are blocked in every band, by what stands and by what
// moves; cells of special obstacles, in a colour for each band in which they are free, and lighter the free
// cells from which a special motion may reach them. The rest is as above.
typedef struct tr_behavior_layers {
    const tr_behavior_map *map;
    uint32_t frame;
    uint32_t note_lines; // as in tr_map_layers
} tr_behavior_layers;
TR_API tr_status tr_picture_draw_behavior_map(const tr_allocator *allocator, const tr_behavior_layers *layers,
                                              uint32_t pixels_per_cell, const char *title,
                                              tr_picture *picture, tr_map_view *view, tr_error *error);
// The same for the heights that an occupancy keeps: the floor on the left, the overhang on the right, each
// with its colour ramp. TR_INVALID when the occupancy keeps none.
TR_API tr_status tr_picture_draw_heights(const tr_allocator *allocator, const tr_occupancy *occupancy,
                                         uint32_t pixels_per_cell, const char *title, tr_picture *picture,
                                         tr_error *error);

// A surface drawn as blocks seen obliquely from above, from the side of the greatest x and z. Walls and roofs
// are cut slightly above the ground that is walked on. Storeys that lie above each other are drawn apart,
// each with a name.
#define TR_SURFACE_VIEW_STOREYS_MAX 8
typedef struct tr_surface_layers {
    const tr_surface *surface;
    const tr_surface_route
        *route;            // its flood distinguishes free, border and other cells; NULL: no distinction
    const uint8_t *states; // alternatively a tr_surface_route_state for each cell of the surface; NULL: none
    uint32_t width;        // of the picture [pixels, 320 to 16384]
    uint32_t note_lines;   // lines kept free under the legend [0, 100]
} tr_surface_layers;
typedef struct tr_surface_storey {
    float from;      // lowest height of the storey, which ends where the next begins [m]
    float floor;     // height of most of the storey [m]
    float left, top; // the pixel of the view's origin at the height of the floor
} tr_surface_storey;
typedef struct tr_surface_view {
    tr_vec2 origin; // the corner of the visible area with the least x and z [m]
    float metre;    // pixels per metre along each of the three axes
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

// Depth maps side by side: near is bright, far is dark. If a link's own map is given, its outline and the
// contours of its wall are drawn over it. Pixels in which the link collides (its depth is above 0 and at
// least that of the scene) are red.
#define TR_DEPTH_LAYERS_MAX 8
typedef struct tr_depth_layer {
    const char *name;   // "upper arm"; may be NULL
    tr_depth_map scene; // what the camera sees
    tr_depth_map link;  // of the same size, or without pixels (depth NULL): no link
    float near, far;    // the camera's [m]
} tr_depth_layer;
// Draws `count` layers [1, TR_DEPTH_LAYERS_MAX] of the same size, with `scale` pixels of the picture for each
// of their pixels [1, TR_MAP_CELL_PIXELS_MAX]; `title` may be NULL. TR_INVALID, TR_LIMIT and the picture as
// above.
TR_API tr_status tr_picture_draw_depth(const tr_allocator *allocator, const tr_depth_layer *layers,
                                       uint32_t count, uint32_t scale, const char *title, tr_picture *picture,
                                       tr_error *error);

// Returns the picture as the bytes of a PNG file; free them with tr_bytes_free and the same allocator.
// TR_UNAVAILABLE in a build without libpng.
TR_API tr_status tr_picture_encode_png(const tr_allocator *allocator, const tr_picture *picture,
                                       tr_bytes *png, tr_error *error);
TR_API tr_status tr_picture_write_png(const tr_picture *picture, const char *path, tr_error *error);

TR_END_DECLARATIONS
