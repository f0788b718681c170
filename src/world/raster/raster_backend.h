// The interface of a back end to raster.c. Internal.
#pragma once
#include "troupe/world/depth.h"
#include "troupe/world/voxels.h"

typedef struct depth_view depth_view; // depth_data.h

typedef struct raster_functions {
    void (*destroy)(tr_raster *raster);
    tr_status (*prepare)(tr_raster *raster, const tr_scene *scene, const tr_grid *grid, tr_error *error);
    // The request has been checked; at most TR_RASTER_IN_FLIGHT are in flight.
    tr_status (*submit)(tr_raster *raster, const tr_raster_request *request, tr_error *error);
    tr_status (*collect)(tr_raster *raster, tr_error *error); // the oldest; never called with none in flight
    // The request has been checked; none is in flight.
    tr_status (*slice)(tr_raster *raster, const tr_voxels_request *request, tr_error *error);
    tr_status (*depth_draw)(tr_raster *raster, const depth_view *view, const tr_depth_map *map,
                            tr_error *error);
    tr_status (*depth_hits)(tr_raster *raster, const depth_view *view, const tr_depth_map *link,
                            tr_depth_comparison comparison, bool *hit, tr_error *error);
} raster_functions;

// A back end's own struct begins with this.
struct tr_raster {
    const raster_functions *functions;
    tr_allocator allocator;
    tr_raster_backend backend;
    uint32_t in_flight;
    char name[160];
};

// A plane counts as flat enough to stand on if it is too steep only by rounding: the square of its cosine may
// be too small by this fraction.
#define VOXEL_FLATNESS_ROUNDING 4e-6f

// TR_INVALID for a region that is not inside the grid.
tr_status raster_region_check(const tr_cells *region, const tr_grid *grid, tr_error *error);

tr_status raster_soft_create(const tr_raster_def *def, tr_raster **raster, tr_error *error);
tr_status raster_gl_create(const tr_raster_def *def, tr_raster **raster, tr_error *error);
