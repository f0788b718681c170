// Bends. A body slows down to turn at a corner: if there is room outside a corner, or several that turn the
// same way, a short way goes round them on one arc. Whole ways are smoothed (go_smooth.c).
#include "go_data.h"

#include "troupe/base/scalar.h"

#include <string.h>

#define LEAST 0.25      // smaller turns are left as they are [rad]
#define STEP 0.45       // from one point of an arc to the next [rad]
#define MORE 0.3        // an arc adds at most this much turning, to and fro [rad]
#define TURN_MOST 2.7   // and turns by at most this in all [rad]
#define MORE_WAY 0.25f  // and adds at most this much length, in radii
#define BACK -0.9f      // cosine: a larger turn goes back
#define AWAY 5e-3       // distance from the corners, where there is just enough room [m]
#define LEVEL 0.03f     // height difference of steps, on which a way stays unchanged [m]

// A circle that is passed to the left (side 1, from x to z) or to the right (-1).
typedef struct circle {
    double x, z, radius, side;
} circle;

// Where the tangent from a point touches the circle, relative to its middle; `side` is that of the circle for
// a point before the bend, else the other one. false: the point is too near.
static bool touch(const circle *c, tr_vec3 point, double side, double *x, double *z) {
    double px = point.x - c->x, pz = point.z - c->z, square = px * px + pz * pz,
           rest = square - c->radius * c->radius;
    if (rest < 1e-4)
        return false;
    double share = c->radius * c->radius / square, across = side * c->radius * sqrt(rest) / square;
    *x = share * px - across * pz;
    *z = share * pz + across * px;
    return true;
}

// The corners of tangents of the circle, between the two tangents from both points. 0: there is no such arc.
static uint32_t arc_of(const circle *c, double most, tr_vec3 from, tr_vec3 to, tr_vec3 *points) {
    double ax, az, bx, bz;
    if (!touch(c, from, c->side, &ax, &az) || !touch(c, to, -c->side, &bx, &bz))
        return 0;
    double angle = c->side * tr_arc_tangent(ax * bz - az * bx, ax * bx + az * bz);
    if (angle <= 0 || angle > most)
        return 0;
    uint32_t count = 2 + (uint32_t)(angle / STEP);
    double half = 0.5 * angle / (double)count, sine, cosine;
    tr_sin_cos(half, &sine, &cosine);
    double out = 1 / cosine;
    for (uint32_t i = 0; i < count; i++) {
        tr_sin_cos(c->side * half * (double)(2 * i + 1), &sine, &cosine);
        points[i] = tr_vec3_make((float)(c->x + out * (cosine * ax - sine * az)), from.y,
                                 (float)(c->z + out * (cosine * az + sine * ax)));
    }
    return count;
}

static bool may_walk(const tr_ground *ground, uint32_t size, tr_vec3 from, tr_vec3 to, float floor) {
    return tr_ground_sees(ground, size, from, to) &&
           tr_way_is_level(ground, from, to, floor, tr_ground_size(ground, size)->foot_rise);
}

// Moves the points onto the floor. false: there is no room for them, or for the lines between.
static bool settle(const tr_ground *ground, uint32_t size, tr_vec3 from, tr_vec3 to, tr_vec3 *points,
                   uint32_t count) {
    tr_vec3 last = from;
    for (uint32_t i = 0; i < count; i++) {
        float height;
        if (!tr_ground_is_free(ground, size, points[i], &height) || fabsf(height - from.y) > LEVEL)
            return false;
        points[i].y = height;
        if (!may_walk(ground, size, last, points[i], from.y))
            return false;
        last = points[i];
    }
    return may_walk(ground, size, last, to, from.y);
}

// Corners that turn the same way, with the directions before and after them.
typedef struct bend {
    const tr_vec3 *corners;
    uint32_t count;
    tr_vec2 in, on;
    double side, turn;
} bend;

static float length_of(tr_vec3 a, tr_vec3 b) {
    float x = b.x - a.x, z = b.z - a.z;
    return sqrtf(x * x + z * z);
}

static bool direction_of(tr_vec3 from, tr_vec3 to, tr_vec2 *direction) {
    float x = to.x - from.x, z = to.z - from.z, length = length_of(from, to);
    if (length < 1e-3f || fabsf(to.y - from.y) > LEVEL)
        return false;
    *direction = (tr_vec2){x / length, z / length};
    return true;
}

// false: they turn by little, or back, or not all of them the same way.
static bool measure(const tr_vec3 *line, uint32_t count, bend *made) {
    tr_vec2 last = {0, 0}, next;
    *made = (bend){.corners = line + 1, .count = count - 2};
    for (uint32_t i = 0; i + 1 < count; i++, last = next) {
        if (!direction_of(line[i], line[i + 1], &next))
            return false;
        if (i == 0) {
            made->in = next;
            continue;
        }
        float cross = last.x * next.z - last.z * next.x, dot = last.x * next.x + last.z * next.z;
        double side = cross > 0 ? 1 : -1;
        if (dot < BACK || (made->side != 0 && side != made->side))
            return false;
        made->side = side;
        made->turn += fabs(tr_arc_tangent((double)cross, (double)dot));
    }
    made->on = last;
    return made->turn >= LEAST && made->turn < TURN_MOST;
}

// The circle of this radius that contains all corners, as far out as possible from a point in a direction.
static bool circle_around(const bend *b, double radius, double x, double z, double inner_x, double inner_z,
                          circle *c) {
    double within = radius - AWAY, out = INFINITY;
    for (uint32_t i = 0; i < b->count; i++) {
        double dx = b->corners[i].x - x, dz = b->corners[i].z - z, across = dx * inner_z - dz * inner_x,
               rest = within * within - across * across;
        if (rest < 0)
            return false;
        double most = dx * inner_x + dz * inner_z + sqrt(rest);
        out = most < out ? most : out;
    }
    *c = (circle){x + out * inner_x, z + out * inner_z, radius, b->side};
    return true;
}

// The position of an arc: the way after the bend stays unchanged, or the way before it, which fits where that
// part is narrow; or the arc lies in the middle.
typedef enum arc_place { ARC_BEFORE, ARC_BEHIND, ARC_MIDDLE, ARC_PLACES } arc_place;

static bool place_circle(const bend *b, arc_place place, double radius, circle *c) {
    tr_vec3 first = b->corners[0], last = b->corners[b->count - 1], at = last;
    double x = b->on.x, z = b->on.z;
    if (place == ARC_BEHIND) {
        at = first;
        x = b->in.x, z = b->in.z;
    } else if (place == ARC_MIDDLE) {
        at = tr_vec3_scale(tr_vec3_add(first, last), 0.5f);
        x = (double)b->in.x + b->on.x, z = (double)b->in.z + b->on.z;
    }
    double length = sqrt(x * x + z * z);
    return length > 1e-3 &&
           circle_around(b, radius, at.x, at.z, -b->side * z / length, b->side * x / length, c);
}

// Is the way on the arc not much longer than over the corners?
static bool is_short(const tr_vec3 *line, uint32_t count, const tr_vec3 *arc, uint32_t arc_count,
                     float most) {
    float way = length_of(line[0], arc[0]) + length_of(arc[arc_count - 1], line[count - 1]);
    for (uint32_t i = 1; i < arc_count; i++)
        way += length_of(arc[i - 1], arc[i]);
    for (uint32_t i = 1; i < count; i++)
        way -= length_of(line[i - 1], line[i]);
    return way < most;
}

uint32_t tr_go_bend(const tr_ground *ground, uint32_t size, float radius, const tr_vec3 *line, uint32_t count,
                    tr_vec3 points[TR_GO_BEND_POINTS]) {
    static const float shares[] = {1, 0.7f, 0.5f, 0.33f, 0.2f};
    bend b;
    if (!(radius > 0) || count < 3 || !measure(line, count, &b))
        return 0;
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++)
        for (int place = 0; place < ARC_PLACES; place++) {
            tr_vec3 tried[TR_GO_BEND_POINTS];
            circle c;
            uint32_t made = 0;
            if (place_circle(&b, (arc_place)place, (double)(shares[i] * radius), &c))
                made = arc_of(&c, b.turn + MORE, line[0], line[count - 1], tried);
            if (made == 0 || !is_short(line, count, tried, made, MORE_WAY * shares[i] * radius) ||
                !settle(ground, size, line[0], line[count - 1], tried, made))
                continue;
            memcpy(points, tried, made * sizeof *tried);
            return made;
        }
    return 0;
}
