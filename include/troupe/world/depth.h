// troupe/world/depth.h - what a camera sees of a scene, as distances: perspective depth maps.
//
// Liu & Badler 2003, 3.2.3: a camera looks along a link of an arm from the inside. Where it sees the scene
// before it sees the link's own wall, something is inside the link. Drawn by the same rasterisers as
// occupancy maps and slices; a pixel is sampled at its middle, as graphics hardware does, so that things
// thinner than a pixel can be missed (solid.h is exact).
#pragma once
#include "troupe/world/raster.h"

TR_BEGIN_DECLARATIONS

#define TR_DEPTH_SIZE_MAX 4096 // columns and rows of a map

// Looks from `eye` along `forward`; `up` need not be square to it. Points nearer than `near` or further than
// `far`, measured along `forward`, are not seen.
typedef struct tr_depth_camera {
    tr_vec3 eye;
    tr_vec3 forward, up; // of any length but 0, not parallel
    float half_tangent;  // of half the view angle, both ways: the view is square [> 0]
    float near, far;     // [m, 0 < near < far]
} tr_depth_camera;
#define TR_DEPTH_HALF_TANGENT 0.41421356f // of 45 degrees in all: the paper's

// Pixel (column, row) is depth[row * columns + column]: row 0 at the top, column 0 on the left. The distance
// along `forward` of the nearest thing seen at its middle [m]; `far` where nothing is.
typedef struct tr_depth_map {
    uint32_t columns, rows; // [1, TR_DEPTH_SIZE_MAX]
    float *depth;
} tr_depth_map;

typedef struct tr_depth_request {
    const tr_scene *scene;
    tr_depth_camera camera;
    uint32_t exclude_tags;   // objects with any of these tags are left out
    uint32_t exclude_object; // and this one; TR_NONE for none
} tr_depth_request;

// Draw the scene. A scene that was drawn before is drawn without allocating (`soft` never allocates). `soft`
// and `gl` agree but for pixels whose middle is within 2^-8 of a pixel of a triangle's border. Elsewhere a
// depth of `soft` is right to 1e-5 of itself, with the same bits everywhere; one of `gl` is right somewhere
// within 2^-8 of a pixel of the middle, to 1e-5 of itself while `far` is within 20 times `near`, to 1e-3
// beyond. Triangles without area, and those seen exactly edge-on, are not seen. Objects that draw themselves
// are asked to emit, by both.
// TR_INVALID: a camera or a map that breaks a rule, requests in flight, an object that emits what it must not
// (the map is then drawn in part).
TR_API tr_status tr_depth_draw(tr_raster *raster, const tr_depth_request *request, const tr_depth_map *map,
                               tr_error *error);

// A link: a line grown by a radius, with round ends. Its own map, from inside: at each pixel how far the
// camera sees along `forward` until it leaves the link (always less than `far`, so that seeing nothing is
// never a hit), 0 where the middle of the pixel does not look into the link at the near plane. Worked out
// exactly, once for a camera that moves with the link: tr_depth_link_camera's sees the same map wherever the
// link is. TR_INVALID: ends that are not finite, a radius that is not above 0, a bad camera or map.
TR_API tr_status tr_depth_link(const tr_depth_camera *camera, tr_vec3 a, tr_vec3 b, float radius,
                               const tr_depth_map *map, tr_error *error);

// The cameras of a link. `pull_back` 0: at its proximal end `a`, near plane slightly away from it, far plane
// slightly beyond the distal end (the paper's; blind beside the camera, zones Z1 and Z2 of figure 2). 1: as
// far behind `a` that the view is as wide as the link there, the near plane at `a`: what is beside the link's
// beginning is seen too. A link without length, or not finite, gives a camera that every call refuses.
TR_API tr_depth_camera tr_depth_link_camera(tr_vec3 a, tr_vec3 b, float radius, float pull_back);

// Does any pixel have A >= E: the link's own map `link` against what the camera sees of the scene? Pixels of
// the link at 0, or not a number, never do. The answer is that of comparing the maps oneself. `soft` compares
// as it goes and stops at the first such pixel; `gl` compares on the card and sends back one number
// (TR_DEPTH_COMPARE_ON_CARD) or reads the map back as the paper did. TR_INVALID as for tr_depth_draw; `hit`
// is then left as it was.
typedef enum tr_depth_comparison { TR_DEPTH_COMPARE_ON_CARD, TR_DEPTH_READ_BACK } tr_depth_comparison;
TR_API tr_status tr_depth_hits(tr_raster *raster, const tr_depth_request *request, const tr_depth_map *link,
                               tr_depth_comparison comparison, bool *hit, tr_error *error);

TR_END_DECLARATIONS
