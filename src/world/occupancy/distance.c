#include "troupe/world/distance.h"

// Squares of floats fit into a double with room to spare, and so do products of four of them: nothing here
// overflows, and nothing that is not zero underflows.
typedef struct vector {
    double x, y, z;
} vector;

// The best pair of points so far.
typedef struct nearest {
    double squared;
    vector a, b;
} nearest;

// A squared sine below which the common perpendicular of two lines, or the normal of a triangle, may be
// noise.
#define FLAT 1e-12

static vector widen(tr_vec3 v) {
    vector wide = {v.x, v.y, v.z};
    return wide;
}

static void narrow(vector v, tr_vec3 *narrowed) {
    if (narrowed)
        *narrowed = tr_vec3_make((float)v.x, (float)v.y, (float)v.z);
}

static vector minus(vector a, vector b) {
    vector v = {a.x - b.x, a.y - b.y, a.z - b.z};
    return v;
}

static vector ahead(vector from, vector direction, double way) {
    vector v = {from.x + direction.x * way, from.y + direction.y * way, from.z + direction.z * way};
    return v;
}

static double dot(vector a, vector b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static vector cross(vector a, vector b) {
    vector v = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return v;
}

// NaN stays NaN, so that a bad coordinate shows in the result.
static double clamp_unit(double t) {
    return t < 0 ? 0 : t > 1 ? 1 : t;
}

// Exact at both ends: from + 1 * (to - from) need not be `to`.
static vector between(vector from, vector to, double t) {
    return t == 1 ? to : ahead(from, minus(to, from), t);
}

static void keep_nearer(nearest *best, vector a, vector b) {
    vector apart = minus(a, b);
    double squared = dot(apart, apart);
    // The negation accepts a NaN as well, and keeps it.
    if (!(squared >= best->squared) && !isnan(best->squared)) {
        nearest found = {squared, a, b};
        *best = found;
    }
}

static nearest none(void) {
    nearest best = {.squared = INFINITY};
    return best;
}

static vector nearest_of_segment(vector point, vector b0, vector b1) {
    vector along = minus(b1, b0);
    double length = dot(along, along);
    double t = length == 0 ? 0 : clamp_unit(dot(along, minus(point, b0)) / length);
    return between(b0, b1, t);
}

// The nearest points of the infinite lines first, clamped to one segment, then to the other. Nearly parallel
// lines give a wrong s, but along those the distance hardly changes: the error is below the last bit of a
// float.
static void try_segments(nearest *best, vector a0, vector a1, vector b0, vector b1) {
    vector u = minus(a1, a0), v = minus(b1, b0), w = minus(a0, b0);
    double uu = dot(u, u), vv = dot(v, v), uv = dot(u, v), uw = dot(u, w), vw = dot(v, w);
    double s, t;
    if (uu == 0 || vv == 0) {
        s = uu == 0 ? 0 : clamp_unit(-uw / uu);
        t = vv == 0 ? 0 : clamp_unit(vw / vv);
    } else {
        double across = uu * vv - uv * uv;
        s = across <= 0 ? 0 : clamp_unit((uv * vw - uw * vv) / across);
        t = (uv * s + vw) / vv;
        if (t < 0 || t > 1) {
            t = clamp_unit(t);
            s = clamp_unit((uv * t - uw) / uu);
        }
    }
    keep_nearer(best, between(a0, a1, s), between(b0, b1, t));
}

// Where `point` projects into the triangle. The foot is a combination of the corners with weights that are
// not negative, so that it lies in the triangle even where the normal is inaccurate. Returns whether there is
// such a foot and the normal is accurate, so that no nearer point can exist.
static bool try_inside(nearest *best, vector point, const vector triangle[3]) {
    vector ab = minus(triangle[1], triangle[0]), ac = minus(triangle[2], triangle[0]);
    vector ap = minus(point, triangle[0]), normal = cross(ab, ac);
    double area = dot(normal, normal);
    double along_b = dot(normal, cross(ap, ac)), along_c = dot(normal, cross(ab, ap));
    if (!(area > 0 && along_b >= 0 && along_c >= 0 && along_b + along_c <= area))
        return false;
    vector foot = ahead(ahead(triangle[0], ab, along_b / area), ac, along_c / area);
    keep_nearer(best, point, foot);
    return area > FLAT * dot(ab, ab) * dot(ac, ac);
}

// Six times the volume of the tetrahedron of the line and two corners relative to the line's start.
static double volume(vector line, vector p, vector q) {
    return dot(line, cross(p, q));
}

// Whether the line pierces the triangle: its ends lie on both sides, and it passes every edge on the same
// side.
static bool pierce(vector a0, vector a1, const vector triangle[3], vector *at) {
    vector line = minus(a1, a0);
    vector p = minus(triangle[0], a0), q = minus(triangle[1], a0), r = minus(triangle[2], a0);
    vector normal = cross(minus(triangle[1], triangle[0]), minus(triangle[2], triangle[0]));
    double start = -dot(normal, p), end = dot(normal, minus(a1, triangle[0]));
    if (!((start <= 0 && end >= 0) || (start >= 0 && end <= 0)))
        return false;
    double of_p = volume(line, q, r), of_q = volume(line, r, p), of_r = volume(line, p, q);
    bool one_side = (of_p >= 0 && of_q >= 0 && of_r >= 0) || (of_p <= 0 && of_q <= 0 && of_r <= 0);
    double sum = of_p + of_q + of_r;
    if (!one_side || sum == 0 || !isfinite(sum))
        return false;
    *at = ahead(ahead(triangle[0], minus(triangle[1], triangle[0]), of_q / sum),
                minus(triangle[2], triangle[0]), of_r / sum);
    return true;
}

static float answer(const nearest *best, tr_vec3 *a_point, tr_vec3 *b_point) {
    narrow(best->a, a_point);
    narrow(best->b, b_point);
    return (float)best->squared;
}

float tr_distance_point_segment(tr_vec3 point, tr_vec3 b0, tr_vec3 b1, tr_vec3 *b_point) {
    nearest best = none();
    keep_nearer(&best, widen(point), nearest_of_segment(widen(point), widen(b0), widen(b1)));
    return answer(&best, NULL, b_point);
}

float tr_distance_point_triangle(tr_vec3 point, const tr_vec3 triangle[3], tr_vec3 *b_point) {
    vector p = widen(point), corners[3] = {widen(triangle[0]), widen(triangle[1]), widen(triangle[2])};
    nearest best = none();
    if (!try_inside(&best, p, corners))
        for (int i = 0; i < 3; i++)
            keep_nearer(&best, p, nearest_of_segment(p, corners[i], corners[(i + 1) % 3]));
    return answer(&best, NULL, b_point);
}

float tr_distance_segments(tr_vec3 a0, tr_vec3 a1, tr_vec3 b0, tr_vec3 b1, tr_vec3 *a_point,
                           tr_vec3 *b_point) {
    nearest best = none();
    try_segments(&best, widen(a0), widen(a1), widen(b0), widen(b1));
    return answer(&best, a_point, b_point);
}

float tr_distance_segment_triangle(tr_vec3 a0, tr_vec3 a1, const tr_vec3 triangle[3], tr_vec3 *a_point,
                                   tr_vec3 *b_point) {
    vector start = widen(a0), end = widen(a1), at;
    vector corners[3] = {widen(triangle[0]), widen(triangle[1]), widen(triangle[2])};
    nearest best = none();
    if (pierce(start, end, corners, &at)) {
        nearest through = {0, at, at};
        return answer(&through, a_point, b_point);
    }
    // If the line does not pierce the triangle, the nearest pair includes an end of the line or a point on an
    // edge.
    try_inside(&best, start, corners);
    try_inside(&best, end, corners);
    for (int i = 0; i < 3; i++)
        try_segments(&best, start, end, corners[i], corners[(i + 1) % 3]);
    return answer(&best, a_point, b_point);
}
