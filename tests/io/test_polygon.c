#include "io/polygon.h"
#include "test.h"
#include "troupe/base/random.h"
#include "troupe/base/scalar.h"

#include <string.h>

static double cross(tr_vec3 a, tr_vec3 b, tr_vec3 c) { // seen along -y: x to the right, z down
    return ((double)b.x - a.x) * ((double)c.z - a.z) - ((double)b.z - a.z) * ((double)c.x - a.x);
}

// Cut a polygon of the ground plane and check that its triangles all turn the same way and together have its
// area: then they cover it without gap or overlap.
static void check_cut(const char *what, const tr_vec3 *points, uint32_t count) {
    tr_polygon_cutter cutter = {0};
    tr_allocator allocator = tr_allocator_default();
    REQUIRE(tr_polygon_reserve(&allocator, &cutter, count));
    memcpy(cutter.points, points, count * sizeof *points);
    tr_polygon_cut(&cutter, count);
    double whole = 0, sum = 0;
    for (uint32_t i = 1; i + 1 < count; i++)
        whole += cross(points[0], points[i], points[i + 1]);
    for (uint32_t i = 0; i < count - 2; i++) {
        const uint32_t *corner = cutter.triangles + i * 3;
        REQUIRE(corner[0] < count && corner[1] < count && corner[2] < count);
        double area = cross(points[corner[0]], points[corner[1]], points[corner[2]]);
        if (area * whole < 0)
            test_failed(__FILE__, __LINE__, "%s: triangle %u %u %u is turned over", what, corner[0],
                        corner[1], corner[2]);
        sum += area;
    }
    CHECK_NEAR(sum, whole, 1e-4 * fabs(whole));
    tr_polygon_release(&allocator, &cutter);
}

static void check_both_ways(const char *what, const float (*xz)[2], uint32_t count) {
    tr_vec3 points[64];
    for (uint32_t i = 0; i < count; i++)
        points[i] = tr_vec3_make(xz[i][0], 2, xz[i][1]);
    check_cut(what, points, count);
    for (uint32_t i = 0; i < count; i++)
        points[i] = tr_vec3_make(xz[count - 1 - i][0], 2, xz[count - 1 - i][1]);
    check_cut(what, points, count);
}

TEST(concave_shapes_are_cut_without_gap_or_overlap) {
    static const float square[][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    static const float arrow[][2] = {{0, 0}, {4, 0}, {1, 1}, {0, 4}};
    static const float angle[][2] = {{0, 0}, {4, 0}, {4, 1}, {1, 1}, {1, 4}, {0, 4}};
    static const float comb[][2] = {{0, 0}, {7, 0}, {7, 5}, {6, 5}, {6, 1}, {5, 1}, {5, 5}, {4, 5},
                                    {4, 1}, {3, 1}, {3, 5}, {2, 5}, {2, 1}, {1, 1}, {1, 5}, {0, 5}};
    static const float straight[][2] = {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {3, 3},
                                        {2, 1}, {1, 3}, {0, 3}, {0, 2}, {0, 1}};
    static const float keyhole[][2] = {{0, 0}, {6, 0}, {6, 6}, {0, 6}, {0, 0},
                                       {2, 2}, {2, 4}, {4, 4}, {4, 2}, {2, 2}};
    check_both_ways("square", square, 4);
    check_both_ways("arrow", arrow, 4);
    check_both_ways("angle", angle, 6);
    check_both_ways("comb", comb, 16);
    check_both_ways("straight edges", straight, 10);
    check_both_ways("square with a hole", keyhole, 10);
}

// A star with rays of random length: simple for any lengths, and mostly concave.
TEST(random_stars_are_cut_without_gap_or_overlap) {
    tr_random random = tr_random_seed(7);
    for (int round = 0; round < 300; round++) {
        tr_vec3 points[200];
        uint32_t count = 3 + tr_random_below(&random, 197);
        for (uint32_t i = 0; i < count; i++) {
            double sine, cosine;
            tr_sin_cos(2 * TR_PI * i / count, &sine, &cosine);
            float radius = tr_random_between(&random, 0.2f, 10);
            points[i] = tr_vec3_make(radius * (float)cosine, 0, radius * (float)sine);
        }
        check_cut("star", points, count);
    }
}

TEST(a_spiral_is_cut_without_gap_or_overlap) {
    tr_vec3 points[400];
    for (int i = 0; i < 200; i++) {
        double sine, cosine;
        tr_sin_cos(0.15 * i, &sine, &cosine);
        float out = 1 + 0.1f * (float)i;
        points[i] = tr_vec3_make(out * (float)cosine, 0, out * (float)sine);
        points[399 - i] = tr_vec3_make((out + 1) * (float)cosine, 0, (out + 1) * (float)sine);
    }
    check_cut("spiral", points, 400);
}

TEST(an_upright_polygon_is_cut_in_its_own_plane) {
    static const tr_vec3 points[] = {{0, 0, 3}, {4, 0, 3}, {4, 4, 3}, {2, 1, 3}, {0, 4, 3}};
    tr_polygon_cutter cutter = {0};
    tr_allocator allocator = tr_allocator_default();
    REQUIRE(tr_polygon_reserve(&allocator, &cutter, 5));
    memcpy(cutter.points, points, sizeof points);
    tr_polygon_cut(&cutter, 5);
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        const uint32_t *corner = cutter.triangles + i * 3;
        tr_vec3 a = points[corner[0]], b = points[corner[1]], c = points[corner[2]];
        double area = (double)tr_vec3_cross(tr_vec3_subtract(b, a), tr_vec3_subtract(c, a)).z;
        CHECK(area >= 0);
        sum += area;
    }
    CHECK_NEAR(sum, 20, 1e-6);
    tr_polygon_release(&allocator, &cutter);
}

TEST(what_is_no_polygon_still_gives_triangles_of_its_corners) {
    tr_random random = tr_random_seed(8);
    tr_allocator allocator = tr_allocator_default();
    tr_polygon_cutter cutter = {0};
    for (int round = 0; round < 500; round++) {
        uint32_t count = 3 + tr_random_below(&random, 60);
        REQUIRE(tr_polygon_reserve(&allocator, &cutter, count));
        for (uint32_t i = 0; i < count; i++) // crossing itself, with corners in the same place
            cutter.points[i] = tr_vec3_make((float)tr_random_below(&random, 4),
                                            (float)tr_random_below(&random, 1 + round % 4),
                                            (float)tr_random_below(&random, 4));
        tr_polygon_cut(&cutter, count);
        bool used[63] = {false};
        for (uint32_t i = 0; i < (count - 2) * 3; i++) {
            REQUIRE(cutter.triangles[i] < count);
            used[cutter.triangles[i]] = true;
        }
        for (uint32_t i = 0; i < count; i++)
            CHECK(used[i]); // no corner is lost: it may be the only one that touches a cell
    }
    tr_polygon_release(&allocator, &cutter);
}
