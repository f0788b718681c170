// How a picture is made, and the data shared by the parts of the renderer. Internal.
//
// Faces are kept in world coordinates as they are added. At the end of a frame they are projected twice,
// chunk by chunk: into the shadow map as seen from the sun, then into the picture as seen from the camera.
// Both are drawn band by band; a band of the picture stores the nearest triangle and its nearness for every
// sample, and is shaded while it is still in the cache. Chunks and bands never share what they write: any
// number of threads gives the same pixels.
#pragma once
#include "troupe/io/render.h"

#define RENDER_BAND_ROWS 8    // pixel rows of a band of the picture
#define RENDER_SHADOW_ROWS 32 // rows of a band of the shadow map
#define RENDER_BLOCK 8        // texels a side of a block of it
#define RENDER_CHUNK 512      // faces that are projected together
#define RENDER_SHADES 8192    // steps of linear light in the table of sRGB,
#define RENDER_BRIGHTEST 2.0f // from 0 to this
#define RENDER_FACES_MAX (1u << 26)
#define RENDER_SUN_X (-0.58011603f) // towards the sun, of unit length
#define RENDER_SUN_Y 0.74014804f
#define RENDER_SUN_Z 0.34006802f

typedef enum render_material {
    RENDER_PLAIN,
    RENDER_FLOOR,  // with lines every metre
    RENDER_GROUND, // the same, but fades into the background; casts no shadow
    RENDER_CUT     // where a body is cut: one colour in any light; casts no shadow
} render_material;

// A triangle as added, in world coordinates.
typedef struct render_face {
    tr_vec3 corner[3];
    float color[3];   // linear
    uint32_t normals; // number of its three normals, TR_NONE: flat
    uint8_t material; // render_material
} render_face;

// Projection of points of the world to pixels, for the camera and for the sun.
typedef struct render_view {
    double eye[3];
    double axis[3][3];         // unit length: right, up, ahead
    double scale;              // pixels for a slope of 1, or for 1 m with a parallel projection
    double middle_x, middle_y; // the pixel at the centre of the view
    double near_depth;         // nothing nearer is drawn; -INFINITY: everything is
    bool is_parallel;
    uint32_t width, height; // [pixels]
    double sample_margin;   // from a pixel's border to its first sample [pixels]
} render_view;

// A triangle on the screen. `nearness` is 1 / depth, or -depth with a parallel projection: linear in pixels.
// An edge is the linear function base + across * x + down * y, >= 0 on the inner side.
typedef struct render_triangle {
    double base[3], down[3];
    double nearness, nearness_down; // at the corner of pixel (left, top)
    float across[3], nearness_across;
    int32_t left, right, top, bottom; // the pixels it may touch, right and bottom excluded
    uint32_t face;
    float normal[3]; // of its plane, towards the eye
    bool is_turned;  // the back is visible
} render_triangle;

typedef struct render_chunk {
    uint32_t count;      // of triangles: up to two for each face
    int32_t top, bottom; // the rows they overlap
} render_chunk;

// Rows of samples that triangles are drawn into. Samples are processed in groups of four: of one pixel, or of
// four neighbouring pixels if a pixel has one sample.
typedef struct render_target {
    float *nearness;
    uint32_t *owner; // number of the triangle; NULL: not kept
    int32_t top, bottom;
    size_t stride;                          // floats of a pixel row
    uint32_t groups;                        // of four samples, for each pixel; 0: four pixels share a group
    const float (*lane_x)[4], (*lane_y)[4]; // positions of the samples of each group in the pixel
} render_target;

// Sunlight and shadows.
typedef struct render_shadow {
    float *map; // nearness to the sun; NULL: no shadows
    // The least and the greatest nearness of each block and its neighbours: most places are entirely in the
    // light or in the shade. `own` is for the block alone.
    float *block_low, *block_high, *own_low, *own_high;
    uint32_t size;
    float row[3][4]; // a place relative to the eye -> column, row, nearness
    float texel;     // [m]
    bool is_lit;     // nothing casts a shadow in this frame
} render_shadow;

#define RENDER_SKY_SIDE 256 // cells
#define RENDER_SKY_LEVELS 8

// The hidden part of the sky at places over the ground: a grid of values, with several levels in each cell.
typedef struct render_sky {
    float *heights;     // of the objects in each cell
    float *cells, *old; // RENDER_SKY_LEVELS values for each
    float row[2][4];    // a place relative to the eye -> column, row
    float first, step;  // heights of the levels, relative to the eye [m]
    float cell;         // [m]
    uint32_t radius;    // of the surroundings that hide the sky from a cell [cells]
    bool is_open;       // nothing hides it in this frame
} render_sky;

// A line of a cross-section, z0 < z1, and the direction in which the body's border runs along it.
typedef struct render_cut_line {
    float x0, z0, x1, z1;
    int32_t turn;   // 1 or -1
    uint32_t piece; // the piece that it currently bounds on the left, or TR_NONE
} render_cut_line;

// A part of a cross-section between two lines.
typedef struct render_cut_piece {
    uint32_t left, right; // lines
    float begin;          // z
} render_cut_piece;

typedef struct render_cut {
    render_cut_line *lines;
    uint32_t *active; // lines that the sweep currently crosses
    render_cut_piece *open;
    uint32_t line_count, line_capacity, active_count, active_capacity, open_count, open_capacity;
} render_cut;

// The ray of a pixel: from `origin` along `direction`, both linear in pixels, relative to the eye.
typedef struct render_rays {
    float origin[3][3];    // at (0, 0), for each x, for each y
    float direction[3][3]; // the same
} render_rays;

struct tr_render {
    tr_allocator allocator;
    tr_tasks *tasks;
    uint32_t width, height, samples, members;
    render_face *faces;
    tr_vec3 *normals; // three for each smooth face
    uint32_t face_count, face_capacity, normal_count, normal_capacity;
    render_triangle *triangles;
    render_chunk *chunks;
    uint32_t chunk_capacity;
    float *nearness; // of one band, for each member of the team
    uint32_t *owner;
    float *sums;                // of one row of pixels, for each member
    size_t band_size, row_size; // samples
    render_view camera;
    render_shadow shadow;
    render_sky sky;
    render_cut cut;
    render_rays rays;
    tr_box solid;                      // around everything that casts shadows
    tr_box ground;                     // of the last ground: at its rim it has faded
    bool is_open;                      // between begin and end
    uint8_t shades[RENDER_SHADES + 1]; // linear light -> sRGB
};

static inline double render_dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// render_camera.c
tr_status tr_render_view_make(const tr_camera *camera, uint32_t width, uint32_t height, render_view *view,
                              tr_error *error);
render_rays tr_render_rays_make(const render_view *view);
// render_project.c: faces -> triangles. Chunk `part` of the job.
typedef struct render_projection {
    tr_render *render;
    const render_view *view;
    bool is_sun; // leaves out the ground, and needs no normals
} render_projection;
void tr_render_project(void *projection, uint32_t part, uint32_t member);
uint32_t tr_render_chunk_count(const tr_render *render);
// render_fill.c
void tr_render_fill(const tr_render *render, const render_target *target);
// Positions of the samples in a pixel of samples x samples: each on its own row and column.
void tr_render_lanes(uint32_t samples, render_target *target);
// render_shadow.c: a parallel view of everything that is both visible and able to cast a shadow, with a
// border of pixels around it. false: there is nothing.
bool tr_render_aim(const tr_render *render, tr_vec3 towards, uint32_t size, uint32_t border,
                   render_view *view);
// Draws the map of this frame.
void tr_render_shadow_draw(tr_render *render);
// Four places relative to the eye, their normals and the cosines between these and the sun.
typedef struct render_lanes {
    float place[3][4], normal[3][4], facing[4];
} render_lanes;
// The part of the sunlight that reaches each of them: [0, 1].
void tr_render_sunlight(const render_shadow *shadow, const render_lanes *lanes, float lit[4]);
// render_sky.c: the same for the sky.
void tr_render_sky_draw(tr_render *render);
// The hidden part of the sky at a place relative to the eye: [0, 1].
float tr_render_sky_hidden(const render_sky *sky, const float place[3]);
// render_light.c: the colours of four samples at pixels (x, y), each of its own triangle.
void tr_render_light(const tr_render *render, const float x[4], const float y[4], const float nearness[4],
                     const uint32_t owner[4], const float background[3], float light[3][4]);
// render_shade.c: the colours of a band, from its samples. `sums` holds a row of colours.
void tr_render_shade(const tr_render *render, const render_target *target, float *sums, tr_picture *picture);
void tr_render_shades_make(uint8_t shades[RENDER_SHADES + 1]);
// render_add.c: room for more faces.
tr_status tr_render_faces_reserve(tr_render *render, uint64_t more, bool smooth);
// There must be room. `normals` may be NULL.
void tr_render_face_add(tr_render *render, const tr_vec3 corner[3], const tr_vec3 normals[3],
                        const float color[3], render_material material);
extern const float tr_render_cut_color[3];
// render_open.c: a convex piece of at most four corners of a scene, without what an opening cuts off: at most
// RENDER_OPEN_FACES faces, for which there must be room.
#define RENDER_OPEN_FACES 7
typedef struct render_open {
    const tr_render_opening *planes; // NULL: no opening
    float outside; // 1: the normals of a closed body point out of it; -1: into it; 0: it is not closed
} render_open;
void tr_render_open_add(tr_render *render, const render_open *open, const tr_vec3 *corners, int count,
                        const float color[3], render_material material);
bool tr_render_opening_is_finite(const tr_render_opening *opening);
// May it cut something in the box?
bool tr_render_opening_cuts(const tr_render_opening *opening, tr_box box);
// render_cut.c: begin with room for this many lines, add them in the direction of their triangles, end.
tr_status tr_render_cut_begin(tr_render *render, uint32_t lines);
void tr_render_cut_line(tr_render *render, tr_vec3 from, tr_vec3 to);
tr_status tr_render_cut_end(tr_render *render, float height);
