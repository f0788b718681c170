#include "polygon.h"

typedef struct tr_polygon_corner {
    double u, v;             // in the plane; the polygon runs counter-clockwise
    uint32_t previous, next; // remaining corners
    bool reflex, ear;
} corner;

bool tr_polygon_reserve(const tr_allocator *allocator, tr_polygon_cutter *cutter, uint32_t count) {
    return tr_reserve(allocator, (void **)&cutter->corners, &cutter->corner_capacity, count,
                      sizeof *cutter->corners) &&
           tr_reserve(allocator, (void **)&cutter->points, &cutter->point_capacity, count,
                      sizeof *cutter->points) &&
           tr_reserve(allocator, (void **)&cutter->triangles, &cutter->triangle_capacity, (uint64_t)count * 3,
                      sizeof *cutter->triangles);
}

void tr_polygon_release(const tr_allocator *allocator, tr_polygon_cutter *cutter) {
    tr_release(allocator, cutter->corners, cutter->corner_capacity, sizeof *cutter->corners);
    tr_release(allocator, cutter->points, cutter->point_capacity, sizeof *cutter->points);
    tr_release(allocator, cutter->triangles, cutter->triangle_capacity, sizeof *cutter->triangles);
    *cutter = (tr_polygon_cutter){0};
}

void tr_polygon_cut_fan(tr_polygon_cutter *cutter, uint32_t count) {
    uint32_t *triangle = cutter->triangles;
    for (uint32_t i = 2; i < count; i++, triangle += 3) {
        triangle[0] = 0;
        triangle[1] = i - 1;
        triangle[2] = i;
    }
}

// Newell's normal: of the best-fitting plane of a polygon; its length is twice the area.
static void find_normal(const tr_vec3 *points, uint32_t count, double normal[3]) {
    normal[0] = normal[1] = normal[2] = 0;
    tr_vec3 origin = points[0];
    for (uint32_t i = 0; i < count; i++) {
        tr_vec3 p = points[i], q = points[i + 1 < count ? i + 1 : 0];
        double px = (double)p.x - origin.x, py = (double)p.y - origin.y, pz = (double)p.z - origin.z;
        double qx = (double)q.x - origin.x, qy = (double)q.y - origin.y, qz = (double)q.z - origin.z;
        normal[0] += py * qz - pz * qy;
        normal[1] += pz * qx - px * qz;
        normal[2] += px * qy - py * qx;
    }
}

// Drops the axis along which the normal is longest. false: the polygon has no area.
static bool flatten(tr_polygon_cutter *cutter, uint32_t count) {
    double normal[3];
    find_normal(cutter->points, count, normal);
    double x = fabs(normal[0]), y = fabs(normal[1]), z = fabs(normal[2]);
    int axis = x > y && x > z ? 0 : y > z ? 1 : 2;
    if (normal[axis] == 0)
        return false;
    bool mirrored = normal[axis] < 0;
    for (uint32_t i = 0; i < count; i++) {
        tr_vec3 p = cutter->points[i];
        double u = axis == 0 ? p.y : axis == 1 ? p.z : p.x;
        double v = axis == 0 ? p.z : axis == 1 ? p.x : p.y;
        cutter->corners[i].u = mirrored ? v : u;
        cutter->corners[i].v = mirrored ? u : v;
        cutter->corners[i].previous = i > 0 ? i - 1 : count - 1;
        cutter->corners[i].next = i + 1 < count ? i + 1 : 0;
    }
    return true;
}

// Twice the area of a-b-c: positive for a left turn.
static double turn(const corner *a, const corner *b, const corner *c) {
    return (b->u - a->u) * (c->v - a->v) - (b->v - a->v) * (c->u - a->u);
}

static bool is_same_point(const corner *a, const corner *b) {
    return a->u == b->u && a->v == b->v;
}

static bool is_blocked_by(const corner *a, const corner *b, const corner *c, const corner *p) {
    return turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0 && !is_same_point(a, p) &&
           !is_same_point(b, p) && !is_same_point(c, p);
}

// Can the triangle at corner `b` be cut off? Only reflex corners can be inside it.
static void classify(corner *corners, uint32_t number) {
    corner *b = &corners[number];
    const corner *a = &corners[b->previous], *c = &corners[b->next];
    double bend = turn(a, b, c);
    b->reflex = bend < 0;
    b->ear = bend >= 0;
    if (bend <= 0)
        return; // a corner on a straight line is an ear without area
    for (uint32_t p = c->next; p != b->previous && b->ear; p = corners[p].next)
        if (corners[p].reflex && is_blocked_by(a, b, c, &corners[p]))
            b->ear = false;
}

static bool is_convex(const corner *corners, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (turn(&corners[corners[i].previous], &corners[i], &corners[corners[i].next]) < 0)
            return false;
    return true;
}

// The next ear from `at` on. Every simple polygon has one; if none is found, the polygon crosses or touches
// itself, and the next convex corner is used.
static uint32_t find_ear(const corner *corners, uint32_t at, uint32_t left) {
    for (uint32_t tries = 0; tries < left; tries++, at = corners[at].next)
        if (corners[at].ear)
            return at;
    for (uint32_t tries = 0; tries < left; tries++, at = corners[at].next)
        if (!corners[at].reflex)
            return at;
    return at;
}

void tr_polygon_cut(tr_polygon_cutter *cutter, uint32_t count) {
    corner *corners = cutter->corners;
    if (count == 3 || !flatten(cutter, count) || is_convex(corners, count)) {
        tr_polygon_cut_fan(cutter, count);
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        corners[i].reflex = turn(&corners[corners[i].previous], &corners[i], &corners[corners[i].next]) < 0;
    for (uint32_t i = 0; i < count; i++)
        classify(corners, i);
    uint32_t at = 0, *triangle = cutter->triangles;
    for (uint32_t left = count; left > 2; left--, triangle += 3) {
        at = find_ear(corners, at, left);
        uint32_t before = corners[at].previous, behind = corners[at].next;
        triangle[0] = before;
        triangle[1] = at;
        triangle[2] = behind;
        corners[before].next = behind;
        corners[behind].previous = before;
        classify(corners, before);
        classify(corners, behind);
        at = corners[behind].next; // skips the neighbour, which gives less thin triangles
    }
}
