// troupe/io/render.h - shaded pictures of scenes and characters: a software rasteriser that needs no graphics
// card.
//
// Light comes from a sun with soft shadows, and from a sky and a ground. Edges are smooth. Triangles are
// visible from both sides. The pixels are the same for any number of threads and on every machine.
#pragma once
#include "troupe/base/tasks.h"
#include "troupe/io/picture.h"
#include "troupe/world/scene.h"

TR_BEGIN_DECLARATIONS

// Up is +Y. A camera that looks straight up or down has -Z at the top of the picture, like a map. Anything
// nearer than 5 cm or behind the eye is not visible.
typedef struct tr_camera {
    tr_vec3 eye, target; // [m]
    float field_of_view; // vertical [rad, 0.05 to 2.5]; 0: parallel projection
    float height;        // of the view of a parallel camera [m, > 0]
} tr_camera;

typedef struct tr_render tr_render;

typedef struct tr_render_def {
    const tr_allocator *allocator;
    tr_tasks *tasks;        // NULL: one thread; the pixels are the same
    uint32_t width, height; // [1, TR_PICTURE_SIDE_MAX]
    uint32_t samples;       // per side of a pixel: 1, 2 or 4; 0: 2
    uint32_t shadow_size;   // side of the shadow map [pixels, 16 to 16384]; 0: no shadows, no dark corners
} tr_render_def;

TR_API tr_status tr_render_create(const tr_render_def *def, tr_render **render, tr_error *error);
TR_API void tr_render_destroy(tr_render *render); // NULL is allowed

// A frame: begin, add triangles and lines in any order, end. Colours are linear [0, 1]. Each add call copies
// its input. It either adds all of it, or fails and leaves the frame unchanged:
//   TR_INVALID        no frame has begun; a coordinate is not finite or beyond TR_SCENE_EXTENT_MAX;
//                     a colour is out of range; an index has no vertex
//   TR_LIMIT          more than 67 million triangles
//   TR_OUT_OF_MEMORY  never for a frame that is no larger than an earlier one
// Use a renderer from one thread at a time.
TR_API tr_status tr_render_begin(tr_render *render, const tr_camera *camera, tr_error *error);
// `normals` may be NULL: flat shaded. Indices as in a mesh. `place` may be NULL.
TR_API tr_status tr_render_add_mesh(tr_render *render, const tr_vec3 *positions, const tr_vec3 *normals,
                                    uint32_t vertex_count, const uint32_t *indices, uint32_t triangle_count,
                                    const tr_affine *place, const float color[3]);
// The same with a colour for each triangle.
TR_API tr_status tr_render_add_painted_mesh(tr_render *render, const tr_vec3 *positions, const tr_vec3 *normals,
                                            uint32_t vertex_count, const uint32_t *indices,
                                            uint32_t triangle_count, const tr_affine *place,
                                            const float (*colors)[3]);
// Adds every object of the scene in muted colours that depend on tag and name. Everything above `cut_height`
// [m; INFINITY: nothing] is cut off, so that rooms are visible; where a closed body is cut, the cut is dark.
TR_API tr_status tr_render_add_scene(tr_render *render, const tr_scene *scene, float cut_height);
// A side view into rooms: the part of a scene beyond both planes is cut off too. Normals point to that part.
typedef struct tr_render_opening {
    tr_vec3 wall, wall_normal;   // a place on the upright plane in front of which rooms are open
    tr_vec3 floor, floor_normal; // a place on the plane above which they are open; it may slope with stairs
} tr_render_opening;
// The same as tr_render_add_scene with an opening. TR_INVALID: a number of the opening is not finite.
TR_API tr_status tr_render_add_scene_open(tr_render *render, const tr_scene *scene, float cut_height,
                                          const tr_render_opening *opening);
// Adds a ground of squares of one metre, at a height, under everything inside `box`; it fades towards its
// rim. Once in a frame.
TR_API tr_status tr_render_add_ground(tr_render *render, tr_box box, float height);
// Adds a ribbon of `width` [m, > 0] that is visible from every side.
TR_API tr_status tr_render_add_line(tr_render *render, const tr_vec3 *points, uint32_t point_count,
                                    float width, const float color[3]);
// Draws the frame into the picture, which the caller created in the size of the def. On failure the frame
// stays open.
TR_API tr_status tr_render_end(tr_render *render, tr_picture *picture, tr_error *error);

// Returns a camera that sees all of `box` from a direction [rad: 0 from +Z, pi/2 from +X] and an elevation
// [rad], for a picture of width / height = aspect. Invalid numbers are replaced: the camera is always valid.
TR_API tr_camera tr_camera_around(tr_box box, float direction, float elevation, float aspect);

TR_END_DECLARATIONS
