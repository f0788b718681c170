// What a back end gives to raster.c. Internal.
#pragma once
#include "troupe/world/raster.h"

typedef struct raster_functions {
    void (*destroy)(tr_raster *raster);
    tr_status (*prepare)(tr_raster *raster, const tr_scene *scene, const tr_grid *grid, tr_error *error);
    // The request has been checked; at most TR_RASTER_IN_FLIGHT are in flight.
    tr_status (*submit)(tr_raster *raster, const tr_raster_request *request, tr_error *error);
    tr_status (*collect)(tr_raster *raster, tr_error *error); // the oldest; never called with none in flight
} raster_functions;

// A back end's own struct begins with this.
struct tr_raster {
    const raster_functions *functions;
    tr_allocator allocator;
    tr_raster_backend backend;
    uint32_t in_flight;
    char name[160];
};

tr_status raster_soft_create(const tr_raster_def *def, tr_raster **raster, tr_error *error);
tr_status raster_gl_create(const tr_raster_def *def, tr_raster **raster, tr_error *error);
