// Shared by the files of tr_footstep: the way as a row of stations, the spots beside them, soles on the
// floor.
#pragma once
#include "troupe/plan/footstep.h"

#define FOOTSTEP_STATIONS_MAX (TR_FOOTSTEP_PLACES_MAX / 2)
#define FOOTSTEP_TURNS_MAX 40 // stations before the way for a turn on the spot
#define FOOTSTEP_LANES 5      // a foot's own lane, and two to the right and to the left of it
#define FOOTSTEP_SPOTS (2 * FOOTSTEP_LANES)

// A point of the way.
typedef struct footstep_station {
    float x, z;
    float height;           // of the floor that the way follows
    float heading;          // smooth, and not wrapped: it keeps counting in a spiral
    float ahead_x, ahead_z; // the heading as a direction
    float along;            // from the start of the way [m]
    uint32_t barred; // number of stations up to and including this one where an obstacle closes the way
} footstep_station;

// A place for a foot. Spot (side * FOOTSTEP_LANES + lane) of a station.
typedef struct footstep_spot {
    tr_vec3 position;
    float flaw; // cost of standing here; INFINITY: no foothold
    float cost; // of the best chain that ends here; INFINITY: none does
    uint32_t from;
} footstep_spot;

// How a sole lies on the floor.
typedef struct footstep_sole {
    float height; // under its middle
    float support, pitch, roll;
    float rough; // how far the floor sticks out of its plane, as a share of `level` [0, 1]
    float edge;  // share of the area within a cell of its ends that is lower [0, 1]
    float aside; // share of the floor a cell beside it that is much lower [0, 1]
} footstep_sole;

// The content of a cell, valid for every height within a range, so that neighbouring soles share it.
typedef struct footstep_glance {
    uint32_t column, row;
    float low, high;
    float top;
    uint32_t kind; // footstep_floor
} footstep_glance;
#define FOOTSTEP_GLANCES_SIDE 32 // remembered cells, as a square that repeats
#define FOOTSTEP_GLANCES (FOOTSTEP_GLANCES_SIDE * FOOTSTEP_GLANCES_SIDE)

struct tr_footstep_scratch {
    tr_allocator allocator;
    uint32_t first, count; // stations of this way: first to first + count - 1
    double length;         // of the way, seen from above
    footstep_station stations[FOOTSTEP_TURNS_MAX + FOOTSTEP_STATIONS_MAX];
    double sums[FOOTSTEP_STATIONS_MAX + 1]; // of headings
    footstep_spot spots[(FOOTSTEP_TURNS_MAX + FOOTSTEP_STATIONS_MAX) * FOOTSTEP_SPOTS];
    uint8_t looks[FOOTSTEP_TURNS_MAX + FOOTSTEP_STATIONS_MAX]; // number of lanes of a foot that are examined
    bool wide[FOOTSTEP_TURNS_MAX + FOOTSTEP_STATIONS_MAX];     // more lanes are needed
    footstep_glance glances[FOOTSTEP_GLANCES];
};

// The surface, with the values that every query needs.
typedef struct footstep_ground {
    const tr_surface *surface;
    tr_grid grid;
    double cells_per_metre;
    double bottom, unit, room;
    footstep_glance *glances; // NULL: nothing is cached
} footstep_ground;
footstep_ground tr_footstep_ground(const tr_surface *surface, footstep_glance *glances);

typedef enum footstep_floor {
    FOOTSTEP_HOLE,  // nothing, or nothing near the height
    FOOTSTEP_STAND, // floor
    FOOTSTEP_SOLID, // not for standing
    FOOTSTEP_SHUT,  // the point is inside an obstacle, or an obstacle is higher than a step
} footstep_floor;
// The content at a point within `rise` of a height; a ground with a cache always needs the same `rise`.
footstep_floor tr_footstep_floor_at(const footstep_ground *ground, float x, float z, float height, float rise,
                                    float *found);
// The standing floor within `rise` of `height` that is nearest to `wish`; false: there is none.
bool tr_footstep_follow(const footstep_ground *ground, float x, float z, float height, float rise, float wish,
                        float *found);

// A foot: the middle of its sole, and the direction of its toes.
typedef struct footstep_foot {
    tr_vec3 position;
    float ahead_x, ahead_z;
} footstep_foot;
// Lays a sole on the floor near the foot's height. false: no foothold.
bool tr_footstep_lay(const footstep_ground *ground, const tr_footstep_params *params,
                     const footstep_foot *foot, footstep_sole *sole);

// Makes the stations of a way. TR_INVALID: not finite; TR_LIMIT: too long.
tr_status tr_footstep_way(tr_footstep_scratch *scratch, const footstep_ground *ground,
                          const tr_surface_route_point *points, uint32_t point_count,
                          const tr_footstep feet[2], const tr_footstep_params *params);

// The cost of a step that puts the foot of `side` there while the other stands; INFINITY: it is not possible.
// `back` is how far it may come down behind the other [m].
float tr_footstep_step(const tr_footstep_params *params, const footstep_foot *stand, const footstep_foot *put,
                       uint32_t side, float back);
