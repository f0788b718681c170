// Little scenes for the tests of world/: boxes, lone triangles, a rasteriser, planes.
#pragma once
#include "test.h"
#include "troupe/base/random.h"
#include "troupe/world/occupancy.h"

#include <math.h>
#include <string.h>

static const uint32_t little_box_indices[36] = {0, 1, 3, 0, 3, 2, 4, 6, 7, 4, 7, 5, 0, 4, 5, 0, 5, 1,
                                                2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7, 3};

static inline tr_box little_make_box(float x0, float y0, float z0, float x1, float y1, float z1) {
    tr_box box = {{x0, y0, z0}, {x1, y1, z1}};
    return box;
}

static inline void little_box_corners(tr_box box, tr_vec3 corners[8]) {
    for (int i = 0; i < 8; i++)
        corners[i] = tr_vec3_make(i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y,
                                  i & 4 ? box.max.z : box.min.z);
}

// A mesh of twelve triangles; TR_NONE when it was refused.
static inline uint32_t little_box_mesh(tr_scene *scene, tr_box box) {
    tr_vec3 corners[8];
    little_box_corners(box, corners);
    tr_mesh_def def = {.name = "box",
                       .positions = corners,
                       .position_count = 8,
                       .indices = little_box_indices,
                       .triangle_count = 12};
    uint32_t mesh = TR_NONE;
    return tr_scene_add_mesh(scene, &def, &mesh, NULL) == TR_OK ? mesh : TR_NONE;
}

static inline uint32_t little_object(tr_scene *scene, uint32_t mesh, tr_affine placement, uint32_t tags) {
    tr_object_def def = {.mesh = mesh, .placement = placement, .tags = tags};
    uint32_t object = TR_NONE;
    return tr_scene_add_object(scene, &def, &object, NULL) == TR_OK ? object : TR_NONE;
}

// A box with a mesh of its own, where it stands.
static inline uint32_t little_box(tr_scene *scene, tr_box box, uint32_t tags) {
    return little_object(scene, little_box_mesh(scene, box), tr_affine_identity(), tags);
}

static inline tr_affine little_move(float x, float y, float z) {
    tr_affine placement = tr_affine_identity();
    placement.m[0][3] = x, placement.m[1][3] = y, placement.m[2][3] = z;
    return placement;
}

// `soft`; NULL where the processor has fewer lanes.
static inline tr_raster *little_raster(uint32_t lanes) {
    tr_raster_def def = {.backend = TR_RASTER_SOFT, .lanes = lanes};
    tr_raster *raster = NULL;
    return tr_raster_create(&def, &raster, NULL) == TR_OK ? raster : NULL;
}

// A request for the whole grid.
static inline tr_raster_request little_request(const tr_scene *scene, const tr_grid *grid,
                                               tr_bitmap *occupied) {
    tr_raster_request request = {.scene = scene,
                                 .grid = *grid,
                                 .band = {.low = 0.05f, .high = 1.8f, .exclude_object = TR_NONE},
                                 .region = tr_grid_all(grid),
                                 .occupied = occupied};
    return request;
}

// Draws triangles of its own: what a program that keeps its geometry does.
typedef struct little_drawing {
    tr_vec3 corners[36];
    uint32_t triangles;
    uint32_t emitted; // how often the callback ran
} little_drawing;

static inline void little_emit(void *user, tr_triangle_sink *sink) {
    little_drawing *drawing = user;
    drawing->emitted++;
    sink->take(sink, drawing->corners, drawing->triangles);
}

static inline void little_draw_box(little_drawing *drawing, tr_box box) {
    tr_vec3 corners[8];
    little_box_corners(box, corners);
    for (int i = 0; i < 36; i++)
        drawing->corners[i] = corners[little_box_indices[i]];
    drawing->triangles = 12;
}

static inline uint32_t little_drawn(tr_scene *scene, little_drawing *drawing, tr_box bounds) {
    tr_drawn_def def = {.name = "drawn", .bounds = bounds, .user = drawing, .emit = little_emit};
    uint32_t object = TR_NONE;
    return tr_scene_add_drawn(scene, &def, &object, NULL) == TR_OK ? object : TR_NONE;
}

static inline uint32_t little_pick(tr_random *random, const uint32_t *values, uint32_t count) {
    return values[tr_random_below(random, count)];
}

static inline bool little_is_inside(tr_cells cells, uint32_t column, uint32_t row) {
    return column >= cells.column_begin && column < cells.column_end && row >= cells.row_begin &&
           row < cells.row_end;
}

// An occupancy that keeps everything.
static inline tr_occupancy_def little_occupancy_def(tr_grid grid) {
    tr_occupancy_def def = tr_occupancy_def_default(0);
    def.grid = grid;
    def.keep_heights = def.keep_clearance = true;
    return def;
}

static inline tr_occupancy *little_occupancy(const tr_occupancy_def *def) {
    tr_occupancy *occupancy = NULL;
    CHECK_INT(tr_occupancy_create(def, &occupancy, NULL), TR_OK);
    return occupancy;
}
