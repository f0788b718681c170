// Bends. Nobody turns on a point without slowing down: where there is room outside a corner, a way goes round
// it on an arc that touches the corner.
#include "go_data.h"

#include "troupe/base/scalar.h"

#include <string.h>

#define LEAST 0.25      // smaller turns are left as they are [rad]
#define STEP 0.45       // from one point of an arc to the next [rad]
#define MORE 0.3        // nobody turns so much further for an arc, to and fro [rad]
#define BACK -0.9f      // cosine: whoever turns further than this goes back
#define AWAY 5e-3f      // kept from the corner, which is where there is just room [m]
#define STEPS_NEAR 1.2f // so near to steps the corners of a way stay as they are [m]
#define LEVEL 0.03f     // on steps a way stays as it is [m]

// A circle that is gone round to the left (side 1, from x to z) or to the right (-1).
typedef struct circle {
    double x, z, radius, side;
} circle;

// Where the line from a point touches the circle, from its middle; `side` as that of the circle for a point
// before the bend, else the other one. false: the point is too near.
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

// The corners of lines that touch the circle from outside, between the two that touch it from both points. 0:
// there is no such arc.
static uint32_t arc_of(const circle *c, double most, const tr_vec3 corner[3], tr_vec3 *points) {
    double ax, az, bx, bz;
    if (!touch(c, corner[0], c->side, &ax, &az) || !touch(c, corner[2], -c->side, &bx, &bz))
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
        points[i] = tr_vec3_make((float)(c->x + out * (cosine * ax - sine * az)), corner[1].y,
                                 (float)(c->z + out * (cosine * az + sine * ax)));
    }
    return count;
}

static bool may_walk(const tr_ground *ground, uint32_t size, tr_vec3 from, tr_vec3 to, float floor) {
    return tr_ground_sees(ground, size, from, to) &&
           tr_way_is_level(ground, from, to, floor, tr_ground_size(ground, size)->foot_rise);
}

// Onto the floor. false: there is no room for it, or for the lines between.
static bool settle(const tr_ground *ground, uint32_t size, const tr_vec3 corner[3], tr_vec3 *points,
                   uint32_t count) {
    tr_vec3 last = corner[0];
    for (uint32_t i = 0; i < count; i++) {
        float height;
        if (!tr_ground_is_free(ground, size, points[i], &height) || fabsf(height - corner[1].y) > LEVEL)
            return false;
        points[i].y = height;
        if (!may_walk(ground, size, last, points[i], corner[1].y))
            return false;
        last = points[i];
    }
    return may_walk(ground, size, last, corner[2], corner[1].y);
}

uint32_t tr_go_bend(const tr_ground *ground, uint32_t size, float radius, const tr_vec3 corner[3],
                    tr_vec3 points[TR_GO_BEND_POINTS]) {
    static const float shares[] = {1, 0.7f, 0.5f, 0.33f, 0.2f};
    points[0] = corner[1];
    tr_vec3 a = tr_vec3_subtract(corner[1], corner[0]), b = tr_vec3_subtract(corner[2], corner[1]);
    float before = sqrtf(a.x * a.x + a.z * a.z), after = sqrtf(b.x * b.x + b.z * b.z);
    if (!(radius > 0) || before < 1e-3f || after < 1e-3f || fabsf(a.y) > LEVEL || fabsf(b.y) > LEVEL)
        return 1;
    tr_vec2 in = {a.x / before, a.z / before}, on = {b.x / after, b.z / after};
    float cross = in.x * on.z - in.z * on.x, dot = in.x * on.x + in.z * on.z;
    double turn = fabs(tr_arc_tangent((double)cross, (double)dot));
    if (dot < BACK || turn < LEAST)
        return 1;
    float side = cross > 0 ? 1.0f : -1.0f, x = in.x + on.x, z = in.z + on.z, length = sqrtf(x * x + z * z);
    tr_vec2 inner = {-side * z / length, side * x / length};
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        tr_vec3 tried[TR_GO_BEND_POINTS];
        float r = shares[i] * radius, to = r - AWAY;
        circle c = {(double)(corner[1].x + to * inner.x), (double)(corner[1].z + to * inner.z), (double)r,
                    (double)side};
        uint32_t count = arc_of(&c, turn + MORE, corner, tried);
        if (count == 0 || !settle(ground, size, corner, tried, count))
            continue;
        for (uint32_t k = 0; k < count; k++)
            points[k] = tried[k];
        return count;
    }
    return 1;
}

// Does the path lead over steps soon before a corner, or soon behind it? It is gone by footprints there,
// which take corners as they are.
static bool is_near_steps(const tr_go *go, uint32_t corner) {
    for (int way = -1; way <= 1; way += 2) {
        float far = 0;
        for (uint32_t i = corner; far < STEPS_NEAR; i += (uint32_t)way) {
            if ((way < 0 && i == 0) || (way > 0 && i + 1 == go->point_count))
                break;
            tr_vec3 apart = tr_vec3_subtract(go->points[i + (uint32_t)way].position, go->points[i].position);
            if (fabsf(apart.y) > LEVEL)
                return true;
            far += sqrtf(apart.x * apart.x + apart.z * apart.z);
        }
    }
    return false;
}

void tr_go_round_bends(tr_go *go, const tr_ground *ground, const tr_go_query *query, uint32_t most) {
    tr_path_point made[GO_POINTS_MAX];
    uint32_t count = 0, left = go->point_count;
    most = most < GO_POINTS_MAX ? most : GO_POINTS_MAX;
    if (left < 3 || left > most)
        return;
    made[count++] = go->points[0];
    for (uint32_t i = 1; i + 1 < go->point_count; i++) {
        const tr_path_point *point = &go->points[i];
        tr_vec3 corner[3] = {made[count - 1].position, point->position, point[1].position},
                arc[TR_GO_BEND_POINTS];
        uint32_t points = 1;
        left = go->point_count - i;
        made[count] = *point;
        if (point->move == TR_PATH_WALK && point[1].move == TR_PATH_WALK &&
            count + TR_GO_BEND_POINTS + left <= most && !is_near_steps(go, i))
            points = tr_go_bend(ground, query->sizes[0], query->bend, corner, arc);
        for (uint32_t k = 0; points > 1 && k < points; k++)
            made[count + k] = (tr_path_point){.position = arc[k], .move = TR_PATH_WALK, .link = TR_NONE};
        count += points;
    }
    made[count++] = go->points[go->point_count - 1];
    memcpy(go->points, made, count * sizeof *made);
    go->point_count = count;
}
