// The measurements of `troupe map`, shared by map.c, which makes them, and map_print.c, which prints them.
#pragma once
#include "troupe/io/picture.h"
#include "troupe/world/occupancy.h"

#define MAP_POINTS_MAX 64 // of --to

// The distance from every cell to the nearest of some points, walking over free cells.
typedef struct map_distance {
    float *plane;          // row by row [m]; INFINITY: none can be reached
    uint64_t reached;      // cells from which one can be reached
    double mean, greatest; // of these [m]
    tr_vec2 farthest;      // the cell of `greatest`
} map_distance;
// TR_NOT_FOUND: no free cell is near one of the points. Destroy the distance also after a failure.
tr_status map_distance_make(const tr_occupancy *occupancy, const tr_vec2 *points, uint32_t count,
                            map_distance *distance, tr_error *error);
void map_distance_destroy(map_distance *distance);
tr_status map_distance_draw(const map_distance *distance, const tr_occupancy *occupancy, uint32_t pixels,
                            const char *title, tr_picture *picture, tr_error *error);

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
    map_distance distance;                // no plane without --to
} map_result;

void map_print_table(const map_result *result);
tr_status map_print_json(const map_result *result, tr_error *error);
// One character for each cell: # occupied, + too near, . free.
void map_print_ascii(const map_result *result);
