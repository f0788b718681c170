// The way as a row of stations, about a centimetre apart: points of the line with a smooth heading and the
// height of the floor below, which is followed from one station to the next.
#include "footstep_data.h"
#include "troupe/base/scalar.h"

#include <math.h>

#define SPACING 0.0125      // between stations [m]
#define SPACING_MOST 0.04   // on long ways
#define TURN_LEAST 0.35     // a smaller turn at the start is made while walking [rad]
#define TURN_BETWEEN 0.08   // between stations of a turn on the spot [rad]
#define SHORTEST_PIECE 1e-6 // shorter pieces of the way have no direction [m]
#define HALF_TURN_SLACK 1e-6

static double wrap(double angle) {
    double turns = floor(angle / (2 * TR_PI) + 0.5);
    return angle - turns * 2 * TR_PI;
}

// The turn from one heading to another. A turn by 180 degrees is always to the left, regardless of rounding.
static double turn_between(double from, double to) {
    double turn = wrap(to - from);
    return turn < -TR_PI + HALF_TURN_SLACK ? turn + 2 * TR_PI : turn;
}

static double piece_length(const tr_surface_route_point *from) {
    double x = (double)from[1].position.x - (double)from[0].position.x,
           z = (double)from[1].position.z - (double)from[0].position.z;
    return sqrt(x * x + z * z);
}

static bool measure_way(const tr_surface_route_point *points, uint32_t count, double *length) {
    *length = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!tr_vec3_is_finite(points[i].position))
            return false;
        if (i > 0)
            *length += piece_length(points + i - 1);
    }
    return isfinite(*length);
}

// The current piece of the way in a walk along it.
typedef struct way_walk {
    const tr_surface_route_point *points;
    uint32_t count, piece;
    double begin, length; // of the piece
    double heading;       // not wrapped
    bool has_heading;
} way_walk;

static void take_heading(way_walk *walk) {
    const tr_surface_route_point *from = walk->points + walk->piece;
    if (walk->length < SHORTEST_PIECE)
        return;
    double heading = tr_arc_tangent((double)from[1].position.x - (double)from[0].position.x,
                                    (double)from[1].position.z - (double)from[0].position.z);
    walk->heading = walk->has_heading ? walk->heading + turn_between(walk->heading, heading) : heading;
    walk->has_heading = true;
}

static way_walk walk_begin(const tr_surface_route_point *points, uint32_t count, double heading) {
    way_walk walk = {.points = points, .count = count, .heading = heading};
    if (count > 1) {
        walk.length = piece_length(points);
        take_heading(&walk);
    }
    return walk;
}

// Moves on to the piece that contains a station. If the way leaves the followed floor by more than a step (in
// a lift), the height comes from the points.
static void walk_to(way_walk *walk, double along, float rise, float *height) {
    while (walk->piece + 2 < walk->count &&
           (along > walk->begin + walk->length || walk->length < SHORTEST_PIECE)) {
        walk->begin += walk->length;
        walk->piece++;
        walk->length = piece_length(walk->points + walk->piece);
        take_heading(walk);
        float known = walk->points[walk->piece].position.y;
        if (!(fabsf(known - *height) <= rise))
            *height = known;
    }
}

static tr_vec3 walk_point(const way_walk *walk, double along) {
    tr_vec3 from = walk->points[walk->piece].position;
    if (walk->count < 2)
        return from;
    tr_vec3 to = walk->points[walk->piece + 1].position;
    double t = walk->length < SHORTEST_PIECE ? 1 : (along - walk->begin) / walk->length;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return tr_vec3_make((float)((double)from.x + t * ((double)to.x - (double)from.x)),
                        (float)((double)from.y + t * ((double)to.y - (double)from.y)),
                        (float)((double)from.z + t * ((double)to.z - (double)from.z)));
}

static void fill_stations(tr_footstep_scratch *scratch, const footstep_ground *ground,
                          const tr_surface_route_point *points, uint32_t point_count, double heading,
                          float rise) {
    way_walk walk = walk_begin(points, point_count, heading);
    float height = points[0].position.y;
    uint32_t barred = 0;
    for (uint32_t i = 0; i < scratch->count; i++) {
        footstep_station *station = scratch->stations + FOOTSTEP_TURNS_MAX + i;
        double along = scratch->count > 1 ? scratch->length * i / (scratch->count - 1) : 0;
        walk_to(&walk, along, rise, &height);
        tr_vec3 point = walk_point(&walk, along);
        float wish = point.y < height - rise   ? height - rise
                     : point.y > height + rise ? height + rise
                                               : point.y;
        float ignored;
        barred += tr_footstep_floor_at(ground, point.x, point.z, height, rise, &ignored) == FOOTSTEP_SHUT;
        tr_footstep_follow(ground, point.x, point.z, height, rise, wish, &height);
        *station = (footstep_station){.x = point.x,
                                      .z = point.z,
                                      .height = height,
                                      .heading = (float)walk.heading,
                                      .along = (float)along,
                                      .barred = barred};
        scratch->sums[i + 1] = (i > 0 ? scratch->sums[i] : 0) + walk.heading;
    }
}

static void aim(footstep_station *station, double heading) {
    double sine, cosine;
    tr_sin_cos(wrap(heading), &sine, &cosine);
    station->heading = (float)heading;
    station->ahead_x = (float)sine;
    station->ahead_z = (float)cosine;
}

// The mean heading over `reach` stations to either side; beyond its ends the way continues straight.
static void smooth_headings(tr_footstep_scratch *scratch, uint32_t reach) {
    footstep_station *stations = scratch->stations + FOOTSTEP_TURNS_MAX;
    uint32_t last = scratch->count - 1;
    double first_heading = scratch->sums[1], last_heading = scratch->sums[last + 1] - scratch->sums[last];
    if (last == 0)
        last_heading = first_heading;
    for (uint32_t i = 0; i <= last; i++) {
        uint32_t low = i > reach ? i - reach : 0, high = last - i > reach ? i + reach : last;
        double before = low > 0 ? scratch->sums[low] : 0;
        double sum = scratch->sums[high + 1] - before;
        sum += (double)(reach - (i - low)) * first_heading + (double)(reach - (high - i)) * last_heading;
        aim(stations + i, sum / (2 * (double)reach + 1));
    }
}

// A person that faces another direction turns on the spot first: stations at the start of the way, from the
// heading of the feet on.
static void turn_first(tr_footstep_scratch *scratch, double facing) {
    footstep_station *begin = scratch->stations + FOOTSTEP_TURNS_MAX;
    double heading = (double)begin->heading, turn = turn_between(facing, heading);
    uint32_t extra = fabs(turn) > TURN_LEAST ? (uint32_t)(fabs(turn) / TURN_BETWEEN) : 0;
    extra = extra < FOOTSTEP_TURNS_MAX ? extra : FOOTSTEP_TURNS_MAX;
    scratch->first = FOOTSTEP_TURNS_MAX - extra;
    for (uint32_t i = 0; i < extra; i++) {
        footstep_station *station = begin - extra + i;
        *station = *begin;
        aim(station, heading - turn * (double)(extra - i) / (double)(extra + 1));
    }
    scratch->count += extra;
}

tr_status tr_footstep_way(tr_footstep_scratch *scratch, const footstep_ground *ground,
                          const tr_surface_route_point *points, uint32_t point_count,
                          const tr_footstep feet[2], const tr_footstep_params *params) {
    if (point_count == 0 || !measure_way(points, point_count, &scratch->length))
        return TR_INVALID;
    double pieces = ceil(scratch->length / SPACING);
    if (scratch->length > SPACING_MOST * (FOOTSTEP_STATIONS_MAX - 1))
        return TR_LIMIT;
    scratch->count = pieces < FOOTSTEP_STATIONS_MAX - 1 ? (uint32_t)pieces + 1 : FOOTSTEP_STATIONS_MAX;
    double facing =
        (double)feet[0].heading + 0.5 * turn_between((double)feet[0].heading, (double)feet[1].heading);
    fill_stations(scratch, ground, points, point_count, facing, params->rise_most);
    double spacing = scratch->count > 1 ? scratch->length / (scratch->count - 1) : SPACING;
    // A foot points the way of the body while it stands: half a stride before it and behind.
    double reach = 0.5 * (double)params->stride / spacing;
    smooth_headings(scratch, reach < scratch->count ? (uint32_t)reach : scratch->count);
    turn_first(scratch, facing);
    return TR_OK;
}
