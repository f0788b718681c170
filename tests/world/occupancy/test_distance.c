// Distances against a search that knows no formula but that of a point and a line: the distance to a convex
// shape is convex, so that golden sections find its least value. The points that come back are checked as
// well: they lie on the shapes, so that no distance can be too small, and the search shows that none is too
// large.
#include "test.h"
#include "troupe/base/random.h"
#include "troupe/world/distance.h"

#include <float.h>
#include <math.h>

typedef struct point {
    double x, y, z;
} point;

static point wide(tr_vec3 v) {
    return (point){v.x, v.y, v.z};
}

static point mix(point a, point b, double t) {
    return (point){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z)};
}

static double apart(point a, point b) {
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

static double to_segment(point p, point a, point b) {
    point u = {b.x - a.x, b.y - a.y, b.z - a.z};
    double squared = u.x * u.x + u.y * u.y + u.z * u.z;
    double t = squared > 0 ? ((p.x - a.x) * u.x + (p.y - a.y) * u.y + (p.z - a.z) * u.z) / squared : 0;
    return apart(p, mix(a, b, fmin(fmax(t, 0), 1)));
}

// A function of t in [0, 1] whose least value is sought.
typedef struct shapes {
    point a[2], b[3];
    point moving;
} shapes;
typedef double (*slope)(const shapes *shapes, double t);

static double least(slope function, const shapes *of) {
    const double golden = 0.6180339887498949;
    double low = 0, high = 1, left = high - golden, right = golden;
    double at_left = function(of, left), at_right = function(of, right);
    double best = fmin(function(of, 0), function(of, 1));
    for (int i = 0; i < 48; i++) {
        best = fmin(best, fmin(at_left, at_right));
        if (at_left < at_right) {
            high = right, right = left, at_right = at_left;
            left = high - golden * (high - low);
            at_left = function(of, left);
        } else {
            low = left, left = right, at_left = at_right;
            right = low + golden * (high - low);
            at_right = function(of, right);
        }
    }
    return best;
}

// From `moving` to the line across the triangle, t of the way from its first corner.
static double to_stripe(const shapes *of, double t) {
    return to_segment(of->moving, mix(of->b[0], of->b[1], t), mix(of->b[2], of->b[1], t));
}

static double to_triangle(point p, const shapes *of) {
    shapes one = *of;
    one.moving = p;
    return least(to_stripe, &one);
}

static double from_segment_to_triangle(const shapes *of, double t) {
    return to_triangle(mix(of->a[0], of->a[1], t), of);
}

static double from_segment_to_segment(const shapes *of, double t) {
    return to_segment(mix(of->a[0], of->a[1], t), of->b[0], of->b[1]);
}

static tr_vec3 random_point(tr_random *random, float size) {
    float x = tr_random_between(random, -size, size);
    float y = tr_random_between(random, -size, size);
    float z = tr_random_between(random, -size, size);
    return tr_vec3_make(x, y, z);
}

// Five points: at random, on a coarse lattice (touching, parallel and flat things), thin, nearly parallel,
// tiny or far from the origin.
static void random_points(tr_random *random, uint32_t kind, tr_vec3 points[5]) {
    for (int i = 0; i < 5; i++) {
        points[i] = random_point(random, 2);
        if (kind == 1)
            points[i] = tr_vec3_make(roundf(points[i].x), roundf(points[i].y), roundf(points[i].z));
        else if (kind == 2)
            points[i].y *= 1e-6f;
        else if (kind == 3)
            points[i] = tr_vec3_make(points[i].x, points[i].x * 0.7f + points[i].y * 1e-6f,
                                     points[i].x * 1.3f + points[i].z * 1e-6f);
        else if (kind == 4)
            points[i] = tr_vec3_scale(points[i], 1e-12f);
        else if (kind == 5)
            points[i] = tr_vec3_add(points[i], tr_vec3_make(1000, -500, 2000));
    }
    if (kind == 6) // points and lines in place of lines and triangles
        points[1] = tr_random_below(random, 2) ? points[0] : points[1];
    if (kind == 6)
        points[3 + tr_random_below(random, 2)] = points[2];
    if (kind == 7) // the second line lies along the first
        points[3] = tr_vec3_add(points[2], tr_vec3_subtract(points[1], points[0]));
}

#define KINDS 8

static float size_of(const tr_vec3 points[5]) {
    float size = 0;
    for (int i = 0; i < 5; i++)
        size = fmaxf(size, fmaxf(fabsf(points[i].x), fmaxf(fabsf(points[i].y), fabsf(points[i].z))));
    return size;
}

// What comes back agrees with the search, with its own points, and they lie where they should.
static void check_distance(float squared, double expected, double off_a, double off_b, double between,
                           float size, uint32_t kind, int i) {
    double found = sqrt((double)squared), slack = 1e-6 * size;
    if (!(fabs(found - expected) <= 3e-7 * expected + 1e-7 * size))
        test_failed(__FILE__, __LINE__, "kind %u, case %d: the distance is %.9g, the search found %.9g", kind,
                    i, found, expected);
    if (!(fabs(found - between) <= slack && off_a <= slack && off_b <= slack))
        test_failed(__FILE__, __LINE__, "kind %u, case %d: points %.9g apart for %.9g, off by %.3g and %.3g",
                    kind, i, between, found, off_a, off_b);
}

TEST(segments_are_as_far_apart_as_a_search_finds) {
    tr_random random = tr_random_seed(11);
    for (uint32_t kind = 0; kind < KINDS; kind++)
        for (int i = 0; i < 5000; i++) {
            tr_vec3 p[5], a, b;
            random_points(&random, kind, p);
            shapes of = {.a = {wide(p[0]), wide(p[1])}, .b = {wide(p[2]), wide(p[3])}};
            float squared = tr_distance_segments(p[0], p[1], p[2], p[3], &a, &b);
            check_distance(squared, least(from_segment_to_segment, &of),
                           to_segment(wide(a), of.a[0], of.a[1]), to_segment(wide(b), of.b[0], of.b[1]),
                           apart(wide(a), wide(b)), size_of(p), kind, i);
        }
}

TEST(a_point_is_as_far_from_a_triangle_as_a_search_finds) {
    tr_random random = tr_random_seed(12);
    for (uint32_t kind = 0; kind < KINDS; kind++)
        for (int i = 0; i < 5000; i++) {
            tr_vec3 p[5], b;
            random_points(&random, kind, p);
            shapes of = {.b = {wide(p[2]), wide(p[3]), wide(p[4])}};
            float squared = tr_distance_point_triangle(p[0], p + 2, &b);
            check_distance(squared, to_triangle(wide(p[0]), &of), 0, to_triangle(wide(b), &of),
                           apart(wide(p[0]), wide(b)), size_of(p), kind, i);
        }
}

TEST(a_point_is_as_far_from_a_segment_as_from_a_flat_triangle) {
    tr_random random = tr_random_seed(13);
    for (uint32_t kind = 0; kind < KINDS; kind++)
        for (int i = 0; i < 2000; i++) {
            tr_vec3 p[5], b;
            random_points(&random, kind, p);
            float squared = tr_distance_point_segment(p[0], p[1], p[2], &b);
            check_distance(squared, to_segment(wide(p[0]), wide(p[1]), wide(p[2])), 0,
                           to_segment(wide(b), wide(p[1]), wide(p[2])), apart(wide(p[0]), wide(b)),
                           size_of(p), kind, i);
            tr_vec3 flat[3] = {p[1], p[2], p[1]};
            CHECK_NEAR(sqrtf(tr_distance_point_triangle(p[0], flat, NULL)), sqrtf(squared),
                       1e-6 * size_of(p));
        }
}

TEST(a_segment_is_as_far_from_a_triangle_as_a_search_finds) {
    tr_random random = tr_random_seed(14);
    uint32_t touching = 0;
    for (uint32_t kind = 0; kind < KINDS; kind++)
        for (int i = 0; i < 1500; i++) {
            tr_vec3 p[5], a, b;
            random_points(&random, kind, p);
            shapes of = {.a = {wide(p[0]), wide(p[1])}, .b = {wide(p[2]), wide(p[3]), wide(p[4])}};
            float squared = tr_distance_segment_triangle(p[0], p[1], p + 2, &a, &b);
            touching += squared == 0;
            check_distance(squared, least(from_segment_to_triangle, &of),
                           to_segment(wide(a), of.a[0], of.a[1]), to_triangle(wide(b), &of),
                           apart(wide(a), wide(b)), size_of(p), kind, i);
        }
    CHECK(touching > 500 && touching < 6000); // both outcomes were met
}

TEST(a_segment_through_a_triangle_is_at_no_distance) {
    tr_random random = tr_random_seed(15);
    for (int i = 0; i < 20000; i++) {
        tr_vec3 p[5], a, b;
        random_points(&random, 0, p);
        // A line through a point well inside the triangle, with its ends well off it on both sides.
        float u = tr_random_between(&random, 0.05f, 0.9f);
        float v = tr_random_between(&random, 0.05f, 0.95f - u);
        tr_vec3 ab = tr_vec3_subtract(p[3], p[2]), ac = tr_vec3_subtract(p[4], p[2]);
        tr_vec3 normal = tr_vec3_cross(ab, ac), way = tr_vec3_subtract(p[1], p[0]);
        if (fabsf(tr_vec3_dot(normal, way)) < 0.05f || tr_vec3_length(normal) < 0.05f)
            continue;
        tr_vec3 at = tr_vec3_add(p[2], tr_vec3_add(tr_vec3_scale(ab, u), tr_vec3_scale(ac, v)));
        tr_vec3 a0 = tr_vec3_add(at, tr_vec3_scale(way, 0.3f)), a1 = tr_vec3_subtract(at, way);
        float squared = tr_distance_segment_triangle(a0, a1, p + 2, &a, &b);
        CHECK(squared == 0);
        CHECK(tr_vec3_length(tr_vec3_subtract(a, at)) < 1e-4f);
        CHECK(a.x == b.x && a.y == b.y && a.z == b.z);
    }
}

TEST(shapes_may_be_swapped_and_turned_about) {
    tr_random random = tr_random_seed(16);
    for (uint32_t kind = 0; kind < KINDS; kind++)
        for (int i = 0; i < 2000; i++) {
            tr_vec3 p[5];
            random_points(&random, kind, p);
            double size = size_of(p), one = sqrtf(tr_distance_segments(p[0], p[1], p[2], p[3], NULL, NULL));
            double other = sqrtf(tr_distance_segments(p[3], p[2], p[1], p[0], NULL, NULL));
            CHECK_NEAR(one, other, 2e-7 * size + 2e-7 * one);
            tr_vec3 turned[3] = {p[4], p[3], p[2]};
            one = sqrtf(tr_distance_segment_triangle(p[0], p[1], p + 2, NULL, NULL));
            other = sqrtf(tr_distance_segment_triangle(p[1], p[0], turned, NULL, NULL));
            CHECK_NEAR(one, other, 2e-7 * size + 2e-7 * one);
        }
}

TEST(a_point_on_a_corner_is_at_no_distance) {
    tr_random random = tr_random_seed(17);
    for (uint32_t kind = 0; kind < KINDS; kind++)
        for (int i = 0; i < 1000; i++) {
            tr_vec3 p[5], at;
            random_points(&random, kind, p);
            CHECK(tr_distance_point_triangle(p[3], p + 2, &at) <= 1e-14f * size_of(p) * size_of(p));
            CHECK(tr_distance_point_segment(p[1], p[0], p[1], &at) == 0);
            CHECK(at.x == p[1].x && at.y == p[1].y && at.z == p[1].z);
            CHECK(tr_distance_segments(p[0], p[1], p[1], p[2], NULL, NULL) <=
                  1e-14f * size_of(p) * size_of(p));
        }
}

TEST(the_largest_and_the_smallest_floats_give_a_distance) {
    const tr_vec3 zero = {0, 0, 0}, far = {FLT_MAX, 0, 0}, up = {0, 1e-30f, 0}, across = {0, 0, FLT_MAX};
    CHECK(tr_distance_point_segment(up, zero, far, NULL) == 0); // 1e-60 is no float
    CHECK(isinf(tr_distance_segments(far, far, zero, up, NULL, NULL)));
    const tr_vec3 vast[3] = {{-FLT_MAX, 3, -FLT_MAX}, {FLT_MAX, 3, -FLT_MAX}, {0, 3, FLT_MAX}};
    CHECK_NEAR(tr_distance_point_triangle(zero, vast, NULL), 9, 1e-5);
    CHECK_NEAR(tr_distance_segment_triangle(far, across, vast, NULL, NULL), 9, 1e-5);
    const float least_float = 1.4e-45f;
    const tr_vec3 least_end = {least_float, 0, 0}, beside = {0, 1, 0};
    CHECK(tr_distance_point_segment(beside, zero, least_end, NULL) == 1);
}

TEST(a_coordinate_that_is_no_number_shows_in_the_distance) {
    const float bad[] = {NAN, INFINITY, -INFINITY};
    tr_random random = tr_random_seed(18);
    for (int i = 0; i < 3000; i++) {
        tr_vec3 p[5], a, b;
        random_points(&random, (uint32_t)i % KINDS, p);
        uint32_t which = tr_random_below(&random, 5), axis = tr_random_below(&random, 3);
        float *coordinate = axis == 0 ? &p[which].x : axis == 1 ? &p[which].y : &p[which].z;
        *coordinate = bad[i % 3];
        CHECK(!isfinite(tr_distance_segment_triangle(p[0], p[1], p + 2, &a, &b)));
        if (which != 4)
            CHECK(!isfinite(tr_distance_segments(p[0], p[1], p[2], p[3], &a, &b)));
        if (which != 1)
            CHECK(!isfinite(tr_distance_point_triangle(p[0], p + 2, &b)));
        if (which < 3)
            CHECK(!isfinite(tr_distance_point_segment(p[0], p[1], p[2], &b)));
    }
}
