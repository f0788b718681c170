// The measurements of `troupe map`, shared by map.c, which makes them, and map_print.c, which prints them.
#pragma once
#include "troupe/world/occupancy.h"

typedef struct map_result {
    const char *scene_name; // the file's, or the sample's
    uint64_t triangles;
    uint32_t objects;
    tr_raster_band band;
    float radius;
    tr_growth growth;
    const char *backend;
    const tr_occupancy *occupancy;
    uint64_t cells, occupied, blocked;
    // Duration of each part, after the scene is prepared [microseconds].
    double prepare_us, project_us, grow_us, build_us;
    const char *picture, *height_picture; // files that were written, or NULL
} map_result;

void map_print_table(const map_result *result);
tr_status map_print_json(const map_result *result, tr_error *error);
// One character for each cell: # occupied, + too near, . free.
void map_print_ascii(const map_result *result);
