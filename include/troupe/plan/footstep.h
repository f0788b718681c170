// troupe/plan/footstep.h - plans where the feet go along a path: footsteps left and right of it.
//
// A body needs its whole sole on a tread and has a stride length of its own: tr_footstep_plan chooses among
// all places along the path.
#pragma once
#include "troupe/base/allocator.h"
#include "troupe/base/status.h"
#include "troupe/base/vector.h"
#include "troupe/plan/surface_route.h"

TR_BEGIN_DECLARATIONS

typedef struct tr_footstep {
    uint32_t side;    // 0 left, 1 right
    tr_vec3 position; // under the middle of the sole, on the floor [m]
    float heading;    // direction of the toes [rad]
    float support;    // share of the sole that has floor under it at that height [0, 1]
    // Rise of the floor under the sole towards the toes and towards the left, in metres per metre: 0 on a
    // tread, the slope on a ramp. The sole lies in that plane.
    float pitch, roll;
} tr_footstep;

// Start from tr_footstep_params_default(height).
typedef struct tr_footstep_params {
    float sole_length, sole_width; // [m, 0.01 to 10, together no more than 4000 cells]
    float apart;                   // sideways, between the centres of the two feet [m, 0.001 to 10]
    float stride;        // preferred distance from one foot to the other along the path [m, 0.01 to 100]
    float stride_most;   // the greatest such distance [m, 0.01 to 100]
    float rise_most;     // greatest rise or fall from one foot to the next [m, 0 to 100]
    float level;         // floor within this of the sole's height counts as support [m, 0 to 10], 0.02
    float support_least; // least `support` of a footstep [0, 1], 0.7
    float clear;         // distance of toes and heel from higher floor [m, 0 to 10], 0.01
} tr_footstep_params;
TR_API tr_footstep_params tr_footstep_params_default(float height);

// Places that are considered along one path, left and right together. They are 1.25 cm apart on paths of up
// to 50 m and at most 4 cm apart on longer ones, so a path may be 160 m long.
#define TR_FOOTSTEP_PLACES_MAX 8192

typedef struct tr_footstep_scratch tr_footstep_scratch;
TR_API tr_status tr_footstep_scratch_create(const tr_allocator *allocator, tr_footstep_scratch **scratch,
                                            tr_error *error);
TR_API void tr_footstep_scratch_destroy(tr_footstep_scratch *scratch);

typedef struct tr_footstep_query {
    const tr_surface *surface;
    const tr_surface_route_point *points; // the path, from tr_surface_route_straighten
    uint32_t point_count;
    // Where the left and the right foot stand now, near the beginning of the path, in any direction.
    const tr_footstep *feet;
    uint32_t first; // the side that moves first: 0, 1, or 2 for the better of the two
    const tr_footstep_params *params;
    // If the foot `first` is in the air: how much it costs to land elsewhere than at its place in `feet`, for
    // the square of the distance in strides [0 to 1e6]. 0: it may land anywhere.
    float landing;
} tr_footstep_query;

// Plans the best sequence of footsteps along a path: strides near the preferred one, whole soles, small
// rises. At the end both feet stand side by side. Allocates nothing; the result has the
// same bits everywhere. TR_OK with no footsteps: the feet are already there. TR_NOT_FOUND: there is no
// foothold somewhere; `stuck_at` (may be NULL) receives the furthest place that the plan reached. TR_LIMIT:
// the path is too long, or there are more than footstep_max footsteps, and *footstep_count receives their
// number. TR_INVALID: a number is not finite or out of range. Footsteps are written only with TR_OK.
TR_API tr_status tr_footstep_plan(tr_footstep_scratch *scratch, const tr_footstep_query *query,
                                  tr_footstep *footsteps, uint32_t footstep_max, uint32_t *footstep_count,
                                  tr_vec3 *stuck_at);

TR_END_DECLARATIONS
