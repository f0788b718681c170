// troupe/plan/way.h - a plan to get to a goal: points with times, in pieces of one kind of motion each.
//
// An actor walks where the floor is smooth, level or sloped, takes stairs, gaps and rough ground by
// footsteps, and is carried by links. The stage gives each piece to the driver of its kind.
#pragma once
#include "troupe/base/allocator.h"
#include "troupe/base/status.h"
#include "troupe/base/vector.h"
#include "troupe/plan/path.h"

TR_BEGIN_DECLARATIONS

typedef enum tr_way_kind {
    TR_WAY_WALK,    // level, or on slopes
    TR_WAY_STEP,    // by footsteps
    TR_WAY_RIDE,    // the actor stands and is carried
    TR_WAY_PERFORM, // by behaviors: jogs, jumps, ducks, crawls
} tr_way_kind;

// How much room a stretch of a walked piece has.
typedef enum tr_way_room {
    TR_WAY_OPEN,
    TR_WAY_TIGHT, // shoulders turned
    TR_WAY_SIDE,  // sideways
    TR_WAY_BENT,  // less head room than an upright body needs, and no more width than with shoulders turned
} tr_way_room;
#define TR_WAY_ROOMS 4

typedef struct tr_way_point {
    tr_vec3 position; // on the floor
    float along;      // distance from the beginning of the way, seen from above [m]
    float time;       // after setting out [s]; two points at one place: a wait
    uint8_t room;     // tr_way_room of the stretch that begins here
} tr_way_point;

// Points `first` to `first` + `count` - 1. The last of them is also the first point of the next piece.
typedef struct tr_way_piece {
    tr_way_kind kind;
    uint32_t first, count;
    float begin, end; // along the way [m]
    // A walked piece whose floor is not level. Between its points the floor is straight to within a few
    // centimetres. A walked piece without slopes has one level floor.
    bool slopes;
} tr_way_piece;

// Owned by the caller. A zero tr_way is an empty way.
typedef struct tr_way {
    tr_way_point *points;
    uint32_t point_count, point_max;
    tr_way_piece *pieces;
    uint32_t piece_count, piece_max;
} tr_way;

TR_API tr_status tr_way_create(const tr_allocator *allocator, uint32_t point_max, uint32_t piece_max,
                               tr_way *way, tr_error *error);
TR_API void tr_way_destroy(const tr_allocator *allocator, tr_way *way);
TR_API void tr_way_clear(tr_way *way);
// Copies the points and pieces of another way. TR_LIMIT: there is not enough room for them.
TR_API tr_status tr_way_copy(tr_way *way, const tr_way *from);
TR_API float tr_way_length(const tr_way *way);                 // [m]
TR_API tr_vec3 tr_way_at(const tr_way *way, float along);      // clamps
TR_API tr_vec3 tr_way_at_time(const tr_way *way, double time); // [s], clamps
// Returns the distance of a point from the part of the way beyond `from` [m]; `along` (may be NULL) receives
// the place of the nearest point along the way. Only parts of the way within `floor` [m] of the point's
// height count. INFINITY: there are none.
TR_API float tr_way_distance(const tr_way *way, float from, tr_vec3 point, float floor, float *along);

// Makes a way from a path and divides it into pieces by the shape of the floor. `speed` on level ground and
// `step_speed` on footsteps determine the times [m/s, > 0]. A link that leads up or down becomes a ride.
// TR_LIMIT: there are too many points or pieces.
TR_API tr_status tr_way_cut(tr_way *way, const tr_ground *ground, const tr_path_point *points,
                            uint32_t point_count, float foot_rise, float speed, float step_speed,
                            tr_error *error);

// Returns whether a straight line can be part of a walked piece whose level floor is at `floor` [m]. false:
// there is a step, a slope or a gap on the line, or just beside it where feet come down. The function does
// not test for obstacles: use tr_ground_sees.
TR_API bool tr_way_is_level(const tr_ground *ground, tr_vec3 from, tr_vec3 to, float floor, float foot_rise);

// Returns whether a straight line can be part of a walked piece with slopes, `from` being on the floor.
// false: there is a step, a gap, rough ground or a slope of more than 23 degrees on the line or just beside
// it.
TR_API bool tr_way_is_smooth(const tr_ground *ground, tr_vec3 from, tr_vec3 to, float foot_rise);
// Returns the share of their speed on level ground at which people walk on a slope, from the metabolic cost C
// of walking on gradients [m/m, uphill positive] that Minetti et al. 2002 measured: the root of the ratio of
// the least cost at hand to C(gradient), which is halfway between equal speed and equal power. Up to 8
// degrees down there is no difference, 10 degrees up take 0.59 of the speed.
TR_API float tr_way_slope_speed(float gradient);

TR_END_DECLARATIONS
