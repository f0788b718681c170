// Prepares a route for a body: wiggles that the corridor covers are left out, places where the body must turn
// on the spot end a section, and every knot gets the speed that suits what comes after it.
#include "follow_data.h"

#include "troupe/base/scalar.h"

#include <math.h>
#include <string.h>

#define COINCIDE 1e-5  // closer points are merged [m]
#define SKIP_MAX 64    // points in a row that one piece may replace
#define ROUND_KNOTS 16 // more knots than three times the number of points
#define ROUND_BEND (5 * TR_PI / 180)
#define CURVE_OFF 0.3     // share of the corridor: offset where curves begin and end
#define ROUND_MOST 8      // knots of an arc
#define STOP_COSINE -0.35 // of the bend at which the body turns on the spot: about 110 degrees

// For a route of this many points: bends are rounded by further knots, the first bends first.
static uint32_t knot_max(uint32_t point_count) {
    return 3 * point_count + ROUND_KNOTS;
}

tr_status tr_follow_route_create(const tr_allocator *allocator, uint32_t point_max, tr_follow_route **route,
                                 tr_error *error) {
    *route = NULL;
    if (point_max < 1)
        return tr_fail(error, TR_INVALID, "point_max is 0, it must be at least 1");
    tr_allocator own = tr_allocator_or_default(allocator);
    tr_follow_route *made = tr_allocate_zero(&own, 1, sizeof *made);
    if (!made)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a route");
    made->allocator = own;
    made->point_max = point_max;
    made->points = tr_allocate(&own, point_max, sizeof *made->points);
    made->along = tr_allocate(&own, point_max, sizeof *made->along);
    made->sideways = tr_allocate(&own, point_max, sizeof *made->sideways);
    made->knots = tr_allocate(&own, knot_max(point_max), sizeof *made->knots);
    made->bands = tr_allocate(&own, point_max, sizeof *made->bands);
    if (!made->points || !made->along || !made->sideways || !made->knots || !made->bands) {
        tr_follow_route_destroy(made);
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a route of %u points", point_max);
    }
    *route = made;
    return TR_OK;
}

void tr_follow_route_destroy(tr_follow_route *route) {
    if (!route)
        return;
    tr_allocator own = route->allocator;
    tr_release(&own, route->points, route->point_max, sizeof *route->points);
    tr_release(&own, route->along, route->point_max, sizeof *route->along);
    tr_release(&own, route->sideways, route->point_max, sizeof *route->sideways);
    tr_release(&own, route->knots, knot_max(route->point_max), sizeof *route->knots);
    tr_release(&own, route->bands, route->point_max, sizeof *route->bands);
    tr_release(&own, route, 1, sizeof *route);
}

tr_status tr_follow_route_reserve(tr_follow_route *route, uint32_t point_max) {
    if (point_max <= route->point_max)
        return TR_OK;
    tr_follow_route *larger = NULL;
    tr_status status = tr_follow_route_create(&route->allocator, point_max, &larger, NULL);
    if (status != TR_OK)
        return status;
    tr_follow_route_copy(larger, route);
    tr_follow_route old = *route;
    *route = *larger;
    *larger = old;
    tr_follow_route_destroy(larger);
    return TR_OK;
}

static tr_status check_points(const tr_follow_route *route, const tr_vec2 *points, uint32_t count,
                              const float *final_heading, tr_error *error) {
    if (count < 1)
        return tr_fail(error, TR_INVALID, "a route needs at least 1 point");
    if (count > route->point_max)
        return tr_fail(error, TR_LIMIT, "the route has %u points, but there is room for only %u", count,
                       route->point_max);
    for (uint32_t i = 0; i < count; i++)
        if (!(fabsf(points[i].x) <= TR_FOLLOW_EXTENT_MAX && fabsf(points[i].z) <= TR_FOLLOW_EXTENT_MAX))
            return tr_fail(error, TR_INVALID, "point %u of the route is at (%g, %g), out of range", i,
                           (double)points[i].x, (double)points[i].z);
    if (final_heading && !(fabsf(*final_heading) < 1e6f))
        return tr_fail(error, TR_INVALID, "the final heading is %g, out of range", (double)*final_heading);
    return TR_OK;
}

// Copies the points, without those that coincide with the previous one. They may be the route's own.
static void take_points(tr_follow_route *route, const tr_vec2 *points, uint32_t count, const bool *sideways) {
    route->points[0] = points[0];
    route->along[0] = 0;
    uint32_t kept = 1;
    for (uint32_t i = 1; i < count; i++) {
        double dx = (double)points[i].x - route->points[kept - 1].x,
               dz = (double)points[i].z - route->points[kept - 1].z, length = sqrt(dx * dx + dz * dz);
        if (length < COINCIDE)
            continue;
        route->sideways[kept - 1] = sideways && sideways[i - 1];
        route->points[kept] = points[i];
        route->along[kept] = route->along[kept - 1] + length;
        kept++;
    }
    route->sideways[kept - 1] = false;
    route->point_count = kept;
    route->length = (float)route->along[kept - 1];
}

// Can one piece from point `a` to point `b` replace all points in between? Each of them must lie within
// `slack` of it, and in order (a way back and forth along one line is not a straight piece).
static bool may_skip(const tr_follow_route *route, uint32_t a, uint32_t b, double slack) {
    const tr_vec2 *p = route->points;
    double ux = (double)p[b].x - p[a].x, uz = (double)p[b].z - p[a].z, length = sqrt(ux * ux + uz * uz),
           furthest = 0;
    if (length < slack)
        return false;
    ux /= length, uz /= length;
    for (uint32_t k = a + 1; k < b; k++) {
        double dx = (double)p[k].x - p[a].x, dz = (double)p[k].z - p[a].z, t = dx * ux + dz * uz,
               off = dx * uz - dz * ux;
        if (off > slack || off < -slack || t < furthest - slack || t > length)
            return false;
        furthest = follow_most(furthest, t);
    }
    return true;
}

static void add_knot(tr_follow_route *route, uint32_t point) {
    follow_knot knot = {.x = route->points[point].x,
                        .z = route->points[point].z,
                        .along = route->along[point],
                        .along_scale = 1,
                        .side = TR_NONE,
                        .sideways = route->sideways[point]};
    route->knots[route->knot_count++] = knot;
}

static void choose_knots(tr_follow_route *route, double slack) {
    route->knot_count = 0;
    add_knot(route, 0);
    for (uint32_t a = 0; a + 1 < route->point_count;) {
        uint32_t b = a + 1;
        while (slack > 0 && b + 1 < route->point_count && b - a < SKIP_MAX &&
               route->sideways[b] == route->sideways[a] && may_skip(route, a, b + 1, slack))
            b++;
        add_knot(route, b);
        a = b;
    }
}

// An arc that replaces a bend between two knots, on its inside.
typedef struct follow_arc {
    double x, z, ux, uz; // where it begins, and the direction there
    double to_x, to_z;   // the direction of the side that it turns to
    double radius, angle, tangent;
    uint32_t count; // corners of the polygon around it
} follow_arc;

// The arc that cuts off at most `cut` of the corner at b. false: the corner stays.
static bool find_arc(const follow_knot *a, const follow_knot *b, const follow_knot *c, double cut,
                     follow_arc *arc) {
    double ux = b->x - a->x, uz = b->z - a->z, before = sqrt(ux * ux + uz * uz), wx = c->x - b->x,
           wz = c->z - b->z, after = sqrt(wx * wx + wz * wz), sine, cosine;
    ux /= before, uz /= before, wx /= after, wz /= after;
    double along = ux * wx + uz * wz, across = wx * uz - wz * ux, bend = fabs(tr_arc_tangent(across, along));
    if (a->sideways || b->sideways || bend < 1.5 * ROUND_BEND || along < STOP_COSINE)
        return false;
    tr_sin_cos(bend / 4, &sine, &cosine);
    double tangent = follow_least(cut * cosine / sine, 0.5 * follow_least(before, after));
    tr_sin_cos(bend / 2, &sine, &cosine);
    double side = across > 0 ? 1 : -1;
    *arc = (follow_arc){.x = b->x - ux * tangent,
                        .z = b->z - uz * tangent,
                        .ux = ux,
                        .uz = uz,
                        .to_x = side * uz,
                        .to_z = -side * ux,
                        .radius = tangent * cosine / sine,
                        .angle = bend,
                        .tangent = tangent,
                        .count = 1 + (uint32_t)(bend / ROUND_BEND)};
    arc->count = arc->count < ROUND_MOST ? arc->count : ROUND_MOST;
    return true;
}

// The corners of a polygon around the arc, each with the same bend.
static void add_arc(tr_follow_route *route, const follow_knot *corner, const follow_arc *arc) {
    double each = arc->angle / arc->count, sine, cosine, ignored;
    tr_sin_cos(each / 2, &ignored, &cosine);
    double radius = arc->radius / cosine;
    for (uint32_t i = 0; i < arc->count; i++) {
        double share = (i + 0.5) / arc->count;
        tr_sin_cos(share * arc->angle, &sine, &cosine);
        follow_knot knot = *corner;
        knot.x = arc->x + arc->to_x * (arc->radius - radius * cosine) + arc->ux * radius * sine;
        knot.z = arc->z + arc->to_z * (arc->radius - radius * cosine) + arc->uz * radius * sine;
        knot.along += (2 * share - 1) * arc->tangent;
        knot.band -= share < 0.5;
        route->knots[route->knot_count++] = knot;
    }
}

static void make_bands(tr_follow_route *route, bool stops) {
    uint32_t last = route->knot_count - 1;
    for (uint32_t i = 0; i <= last; i++) {
        follow_knot *k = &route->knots[i];
        double dx = i < last ? k[1].x - k->x : 0, dz = i < last ? k[1].z - k->z : 0,
               length = sqrt(dx * dx + dz * dz);
        follow_band *band = &route->bands[i];
        *band = (follow_band){.x = k->x, .z = k->z, .length = length, .stop = i == last};
        if (i < last)
            band->ux = dx / length, band->uz = dz / length;
        if (i > 0 && i < last)
            band->stop = stops && band->ux * band[-1].ux + band->uz * band[-1].uz < STOP_COSINE;
        k->band = i;
    }
    route->band_count = last + 1;
}

// Bends become arcs that the body can walk without braking.
static void round_bends(tr_follow_route *route, double cut) {
    uint32_t count = route->knot_count, most = knot_max(route->point_count), spare = most - count;
    follow_knot *from = route->knots + spare; // moved away from the knots that are written
    memmove(from, route->knots, count * sizeof *from);
    route->knot_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        follow_arc arc;
        if (i > 0 && i + 1 < count && find_arc(&from[i - 1], &from[i], &from[i + 1], cut, &arc) &&
            route->knot_count + arc.count + count - i - 1 <= most) {
            follow_knot corner = from[i];
            add_arc(route, &corner, &arc);
        } else
            route->knots[route->knot_count++] = from[i];
    }
}

// Directions and lengths; sections end where the body must turn on the spot.
static void measure_knots(tr_follow_route *route, bool stops) {
    follow_knot *k = route->knots;
    uint32_t last = route->knot_count - 1;
    for (uint32_t i = 0; i < last; i++) {
        double dx = k[i + 1].x - k[i].x, dz = k[i + 1].z - k[i].z;
        k[i].length = sqrt(dx * dx + dz * dz);
        k[i].ux = dx / k[i].length, k[i].uz = dz / k[i].length;
        k[i].along_scale = (k[i + 1].along - k[i].along) / k[i].length;
        k[i + 1].distance = k[i].distance + k[i].length;
        k[i + 1].ux = k[i].ux, k[i + 1].uz = k[i].uz;
        if (i > 0)
            k[i].stop = stops && k[i].ux * k[i - 1].ux + k[i].uz * k[i - 1].uz < STOP_COSINE;
    }
    k[last].stop = true;
    k[last].section = last;
    for (uint32_t i = last; i-- > 0;) {
        k[i].section = k[i + 1].stop ? i + 1 : k[i + 1].section;
        k[i].side = k[i].sideways ? i : k[i + 1].side;
    }
}

// The bend at a knot: positive to the left [rad].
static double bend_at(const follow_knot *k) {
    double along = k[0].ux * k[-1].ux + k[0].uz * k[-1].uz, across = k[0].ux * k[-1].uz - k[0].uz * k[-1].ux;
    return tr_arc_tangent(across, along);
}

// How fast the body may take one bend. It aims further ahead the faster it goes, so that the bend is spread
// over about that distance. Limits: the human speed-curvature law, the sideways acceleration, the turn rate,
// and the corner that is cut.
static double bend_speed(double bend, const tr_follow_params *p) {
    double look_time = (double)p->look_ahead / p->speed, speed = p->speed, sine, cosine;
    if (!(bend > 1e-3))
        return speed;
    double sharpness = 1.5 * bend / look_time; // curvature times speed
    if (p->curve_constant > 0) {
        double k = p->curve_constant;
        speed = follow_least(speed, sqrt(k * k * k / sharpness));
    }
    speed = follow_least(speed, (double)p->lateral_max / sharpness);
    if (sharpness > (double)p->turn_rate_max)
        speed *= (double)p->turn_rate_max / sharpness;
    if (bend < 1.5 * ROUND_BEND) // part of an arc
        return speed;
    tr_sin_cos(follow_least(bend, TR_PI / 2), &sine, &cosine);
    return follow_least(speed, 2 * (double)p->corridor / (look_time * sine));
}

// How fast the body may take a curve of many bends. It cuts the curve by about a fifth of the curvature times
// the square of the look-ahead.
static double curve_speed(double curvature, const tr_follow_params *p) {
    double speed = p->speed;
    if (!(curvature > 1e-3))
        return speed;
    if (p->curve_constant > 0)
        speed = follow_least(speed, (double)p->curve_constant * follow_inverse_cube_root(curvature));
    speed = follow_least(speed, sqrt((double)p->lateral_max / curvature));
    speed = follow_least(speed, (double)p->turn_rate_max / curvature);
    // Where a curve begins, the body is off by v^2 curvature / (4 k_theta^2), because its control smooths the
    // corner.
    double gain = 2 * (double)p->heading_gain;
    return follow_least(speed, gain * sqrt(CURVE_OFF * (double)p->corridor / curvature));
}

// The length of route that the bends of a window of knots are spread over: a bend reaches halfway into the
// pieces before and after it, but not further than the window.
static double bent_length(const follow_knot *k, uint32_t first, uint32_t last, double window) {
    return k[last].distance - k[first].distance + 0.5 * follow_least(k[first - 1].length, window) +
           0.5 * follow_least(k[last].length, window);
}

// The speed that each knot allows, from the end to the start: for its own bend, for the following bends
// together (many small bends make a curve), and at most what the body can brake off in time.
static void plan_speeds(tr_follow_route *route, const tr_follow_params *p) {
    follow_knot *k = route->knots;
    uint32_t last = route->knot_count - 1, window = last - (last > 0);
    double sum = 0, brake = 2 * FOLLOW_COMFORT * (double)p->acceleration_max,
           ahead = follow_least(p->look_ahead, 4 * (double)p->corridor),
           crawl = FOLLOW_BRAKE * (double)p->acceleration_max * (double)p->corridor * 0.1;
    k[last].speed_square = p->speed * p->speed; // a separate law governs the stop there
    for (uint32_t i = last; i-- > 0;) {
        double square = (double)p->speed * p->speed;
        if (i > 0) {
            double bend = bend_at(&k[i]);
            k[i].bend = fabs(bend);
            if (k[i].stop) // begins a section
                sum = 0, window = i - 1, square = crawl;
            else {
                for (sum += bend; k[window].distance - k[i].distance > ahead; window--)
                    sum -= bend_at(&k[window]);
                double speed = follow_least(bend_speed(fabs(bend), p),
                                            curve_speed(fabs(sum) / bent_length(k, i, window, ahead), p));
                square = speed * speed;
            }
        }
        k[i].speed_square = (float)follow_least(square, (double)k[i + 1].speed_square + brake * k[i].length);
    }
}

tr_status tr_follow_route_set(tr_follow_route *route, const tr_vec2 *points, uint32_t point_count,
                              const bool *sideways, const float *final_heading,
                              const tr_follow_params *params, tr_error *error) {
    tr_status status = check_points(route, points, point_count, final_heading, error);
    if (status == TR_OK)
        status = tr_follow_params_check(params, error);
    if (status != TR_OK)
        return status;
    bool own_laws = params->corridor < INFINITY;
    route->has_final_heading = final_heading != NULL;
    route->final_heading = final_heading ? *final_heading : 0;
    take_points(route, points, point_count, own_laws ? sideways : NULL);
    choose_knots(route, own_laws ? FOLLOW_SIMPLIFY * (double)params->corridor : 0);
    make_bands(route, own_laws);
    if (own_laws)
        round_bends(route, FOLLOW_ROUND * (double)params->corridor);
    measure_knots(route, own_laws);
    if (own_laws)
        plan_speeds(route, params);
    return TR_OK;
}

tr_status tr_follow_route_copy(tr_follow_route *to, const tr_follow_route *from) {
    if (from->point_count > to->point_max)
        return TR_LIMIT;
    to->point_count = from->point_count, to->knot_count = from->knot_count;
    to->length = from->length;
    to->has_final_heading = from->has_final_heading, to->final_heading = from->final_heading;
    to->band_count = from->band_count;
    to->control = from->control;
    memcpy(to->bands, from->bands, from->band_count * sizeof *to->bands);
    memcpy(to->points, from->points, from->point_count * sizeof *to->points);
    memcpy(to->along, from->along, from->point_count * sizeof *to->along);
    memcpy(to->sideways, from->sideways, from->point_count * sizeof *to->sideways);
    memcpy(to->knots, from->knots, from->knot_count * sizeof *to->knots);
    return TR_OK;
}

float tr_follow_route_length(const tr_follow_route *route) {
    return route->point_count ? route->length : 0;
}

tr_vec2 tr_follow_route_point(const tr_follow_route *route, float along) {
    tr_vec2 nowhere = {0, 0};
    if (route->point_count == 0)
        return nowhere;
    uint32_t low = 0, high = route->point_count - 1;
    if (!(along > 0))
        return route->points[0];
    if ((double)along >= route->along[high])
        return route->points[high];
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (route->along[middle] <= (double)along)
            low = middle;
        else
            high = middle;
    }
    double part = ((double)along - route->along[low]) / (route->along[high] - route->along[low]);
    tr_vec2 a = route->points[low], b = route->points[high],
            point = {(float)(a.x + ((double)b.x - a.x) * part), (float)(a.z + ((double)b.z - a.z) * part)};
    return point;
}

float tr_follow_route_distance(const tr_follow_route *route, tr_vec2 point, float *along) {
    double best = INFINITY, where = 0;
    for (uint32_t i = 0; i < route->point_count; i++) {
        tr_vec2 a = route->points[i], b = route->points[i + 1 < route->point_count ? i + 1 : i];
        double ux = (double)b.x - a.x, uz = (double)b.z - a.z, dx = (double)point.x - a.x,
               dz = (double)point.z - a.z, square = ux * ux + uz * uz;
        double t = square > 0 ? follow_clamp((dx * ux + dz * uz) / square, 0, 1) : 0;
        dx -= ux * t, dz -= uz * t;
        if (dx * dx + dz * dz < best) {
            best = dx * dx + dz * dz;
            where = route->along[i] + t * sqrt(square);
        }
    }
    if (along)
        *along = (float)where;
    return (float)sqrt(best);
}
