// The walls of the corridor around a route: from which speeds a body can stop inside them.
#include "follow_data.h"

#include <math.h>

#define BANDS 6       // pieces ahead that are examined for room to brake
#define RESPONSE 1.25 // times until the heading responds, after which it has responded
#define SURELY 1.0001 // a way longer by this factor is certainly longer, in spite of rounding

// How far a body can go from `from` along (x, z) before it leaves the band widened to `wall`; 0 when it is
// outside.
static double way_out(const follow_band *b, follow_place from, double x, double z, double wall) {
    double dx = from.x - b->x, dz = from.z - b->z, t = dx * b->ux + dz * b->uz, y = dx * b->uz - dz * b->ux;
    double along = x * b->ux + z * b->uz, across = x * b->uz - z * b->ux;
    if (b->length == 0) // a single point: a disc
        t = 0, y = sqrt(dx * dx + dz * dz), along = 0, across = y > 0 ? (x * dx + z * dz) / y : 1;
    double way = across > 1e-12 ? (wall - y) / across : across < -1e-12 ? (-wall - y) / across : 1e12;
    double at = t + way * along, over = t - follow_clamp(t, 0, b->length);
    if (!(over * over + y * y <= wall * wall))
        return 0;
    if (b->length > 0 && at >= 0 && at <= b->length)
        return way;
    double end = t - (at > b->length ? b->length : 0), c = end * along + y * across,
           square = c * c - (end * end + y * y - wall * wall);
    return square > 0 ? follow_most(sqrt(square) - c, 0) : 0;
}

static double gap_to(const follow_band *b, const follow_body *body) {
    double dx = body->x - b->x, dz = body->z - b->z, t = follow_clamp(dx * b->ux + dz * b->uz, 0, b->length);
    dx -= t * b->ux, dz -= t * b->uz;
    return sqrt(dx * dx + dz * dz);
}

// Is there certainly room to stop from `speed`, straight on along (x, z), within the band of the piece? A
// band is convex: everything between two places inside it is inside. This test usually succeeds, and needs no
// roots or quotients.
bool tr_follow_has_room(const follow_step *step, double x, double z, double speed) {
    const follow_control *control = step->control;
    const follow_band *b = &step->route->bands[step->route->knots[step->piece].band];
    double way = (speed * speed * control->stop_way + step->speed * (double)control->dt) * SURELY;
    double dx = step->body.x - b->x, dz = step->body.z - b->z;
    double along = dx * b->ux + dz * b->uz, across = dx * b->uz - dz * b->ux;
    double then_along = along + way * (x * b->ux + z * b->uz),
           then_across = across + way * (x * b->uz - z * b->ux);
    return along >= 0 && along <= b->length && then_along >= 0 && then_along <= b->length &&
           fabs(across) <= control->wall && fabs(then_across) <= control->wall;
}

// How far a body gets from `at` along (x, z) inside the walls, if it begins in the band *b, up to `enough` or
// a little more. A band is convex: a line that leaves one band inside the next continues in that one, but not
// past a place to turn. *b becomes the band in which the line ends; `wall` is that of the first one.
static double way_inside(const follow_step *step, const follow_band **b, follow_place at, double x, double z,
                         double wall, double enough) {
    const follow_band *last = step->route->bands + step->route->band_count - 1, *in = *b;
    double way = way_out(in, at, x, z, wall);
    for (int i = 0; i < BANDS && way < enough && in + 1 < last && !in[1].stop; i++) {
        follow_place then = {at.x + x * way, at.z + z * way};
        double further = way_out(in + 1, then, x, z, step->control->wall);
        if (further == 0)
            break;
        way += further;
        in++;
    }
    *b = in;
    return way;
}

// The wall around the band of a body, which may be outside.
static double wall_around(const follow_step *step, const follow_band *b, double wall) {
    return follow_most(wall, gap_to(b, &step->body)) * 1.000001;
}

// The speed from which the body can stop inside the walls of the corridor, in the direction (x, z) of its
// motion.
double tr_follow_corridor_speed(const follow_step *step, double x, double z, double wanted) {
    const follow_band *b = &step->route->bands[step->route->knots[step->piece].band];
    double brake = step->control->brake, wall = step->control->wall,
           ahead = step->speed * (double)step->control->dt, enough = wanted * wanted / brake + ahead;
    follow_place at = {step->body.x, step->body.z};
    double way = way_inside(step, &b, at, x, z, wall_around(step, b, wall), enough);
    return sqrt(brake * follow_most(way - ahead, 0));
}

// The same for a body that steers while it brakes: it goes on along (x, z) until its heading has responded,
// and then towards its aim.
double tr_follow_turning_speed(const follow_step *step, double x, double z, double wanted) {
    const follow_band *b = &step->route->bands[step->route->knots[step->piece].band];
    double brake = step->control->brake, wall = wall_around(step, b, step->control->turn_wall),
           ahead = step->speed * (double)step->control->dt, enough = wanted * wanted / brake + ahead,
           first = RESPONSE * step->speed * step->lead_time;
    follow_place at = {step->body.x, step->body.z};
    double way = way_inside(step, &b, at, x, z, wall, first);
    if (way > first && first < enough) {
        at.x += x * first, at.z += z * first;
        double to_x = step->aim_x - x * first, to_z = step->aim_z - z * first,
               reach = sqrt(to_x * to_x + to_z * to_z);
        if (reach > 1e-9)
            way = first + way_inside(step, &b, at, to_x / reach, to_z / reach, wall, enough - first);
    }
    return sqrt(brake * follow_most(way - ahead, 0));
}
