// troupe/world/depth.h - perspective depth maps: the distances at which a camera sees a scene.
//
// Liu & Badler 2003, 3.2.3: a camera looks along a link of an arm from the inside. Where it sees the scene
// before it sees the link's own wall, something is inside the link. The same rasterisers draw depth maps,
// occupancy maps and slices. A pixel is sampled at its middle, as graphics hardware does, so geometry thinner
// than a pixel can be missed (solid.h is exact).
#pragma once
#include "troupe/world/raster.h"

TR_BEGIN_DECLARATIONS

#define TR_DEPTH_SIZE_MAX 4096 // largest number of columns and of rows of a map

// A camera that looks from `eye` along `forward`; `up` need not be perpendicular to it. Points nearer than
// `near` or further than `far`, measured along `forward`, are not seen.
typedef struct tr_depth_camera {
    tr_vec3 eye;
    tr_vec3 forward, up; // of any length but 0, not parallel
    float half_tangent;  // tangent of half the view angle in both directions: the view is square [> 0]
    float near, far;     // [m, 0 < near < far]
} tr_depth_camera;
#define TR_DEPTH_HALF_TANGENT 0.41421356f // for the paper's view angle of 45 degrees

// Pixel (column, row) is depth[row * columns + column]: row 0 at the top, column 0 on the left. Its value is
// the distance along `forward` of the nearest geometry seen at its middle [m]; `far` if nothing is seen.
typedef struct tr_depth_map {
    uint32_t columns, rows; // [1, TR_DEPTH_SIZE_MAX]
    float *depth;
    // Item buffer: the object that is seen at each pixel, TR_NONE where nothing is seen. Of several at the
    // same depth it is the one with a mesh that has the lowest number. NULL: not wanted. Only tr_depth_draw
    // with the `soft` back end fills it; `gl` returns TR_UNAVAILABLE.
    uint32_t *objects;
} tr_depth_map;

typedef struct tr_depth_request {
    const tr_scene *scene;
    tr_depth_camera camera;
    uint32_t exclude_tags;   // ignore objects with any of these tags
    uint32_t exclude_object; // ignore this object; TR_NONE for none
} tr_depth_request;

// Draws the scene. Drawing a scene a second time allocates nothing (`soft` never allocates). `soft` and `gl`
// agree except for pixels whose middle is within 2^-8 of a pixel of a triangle's border. Elsewhere a depth of
// `soft` is right to 1e-5 of itself, with the same bits everywhere. A depth of `gl` is right for some point
// within 2^-8 of a pixel of the middle: to 1e-5 of itself while `far` is within 20 times `near`, to 1e-3
// beyond. Triangles without area, and triangles seen exactly edge-on, are not drawn. Both back ends call
// `emit` for drawn objects.
//
// TR_INVALID: a camera or a map breaks a rule, requests are in flight, or a drawn object emits invalid
// triangles (the map is then drawn in part).
TR_API tr_status tr_depth_draw(tr_raster *raster, const tr_depth_request *request, const tr_depth_map *map,
                               tr_error *error);

// Draws the map of a link from inside. A link is a line grown by a radius, with round ends. Each pixel holds
// the distance that the camera sees along `forward` until it leaves the link. The distance is always less
// than `far`, so a pixel that sees nothing is never a hit. It is 0 if the middle of the pixel does not look
// into the link at the near plane. The map is computed exactly, once for a camera that moves with the link:
// the camera of tr_depth_link_camera sees the same map wherever the link is. TR_INVALID: an end is not
// finite, the radius is not above 0, or the camera or the map is bad.
TR_API tr_status tr_depth_link(const tr_depth_camera *camera, tr_vec3 a, tr_vec3 b, float radius,
                               const tr_depth_map *map, tr_error *error);

// Returns a camera for a link. `pull_back` 0: at its proximal end `a`, the near plane slightly away from it,
// the far plane slightly beyond the distal end (the paper's camera; blind beside the camera, zones Z1 and Z2
// of figure 2). 1: so far behind `a` that the view is as wide as the link there, with the near plane at `a`;
// this camera also sees geometry beside the beginning of the link. For a link without length, or one that is
// not finite, every call refuses the camera.
TR_API tr_depth_camera tr_depth_link_camera(tr_vec3 a, tr_vec3 b, float radius, float pull_back);

// Sets `hit` to whether any pixel has A >= E, where A is the link's own map `link` and E is what the camera
// sees of the scene. Pixels of the link that are 0 or not a number never count. The result is the same as
// comparing the two maps. `soft` compares while it draws and stops at the first such pixel. `gl` compares on
// the card and sends back one number (TR_DEPTH_COMPARE_ON_CARD), or reads the map back as the paper did.
// TR_INVALID as for tr_depth_draw; `hit` is then unchanged.
typedef enum tr_depth_comparison { TR_DEPTH_COMPARE_ON_CARD, TR_DEPTH_READ_BACK } tr_depth_comparison;
TR_API tr_status tr_depth_hits(tr_raster *raster, const tr_depth_request *request, const tr_depth_map *link,
                               tr_depth_comparison comparison, bool *hit, tr_error *error);

TR_END_DECLARATIONS
