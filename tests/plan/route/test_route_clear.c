// From triangles to a route, judged by the triangles: a disc of the body's radius that goes along the
// straightened route touches nothing that lies in the body's height band.
#include "test.h"
#include "troupe/base/random.h"
#include "troupe/plan/route.h"
#include "troupe/plan/line_of_sight.h"
#include "troupe/world/occupancy.h"
#include "troupe/world/sample.h"

#include <math.h>

#define POINTS_MAX 4096

typedef struct flat {
    double x, z;
} flat;

typedef struct polygon {
    flat corner[8];
    int count;
} polygon;

// The part of a triangle between two heights, seen from above.
static polygon clip_to_band(double triangle[3][3], double low, double high) {
    double corner[8][3], kept[8][3];
    int count = 3;
    for (int k = 0; k < 9; k++)
        corner[k / 3][k % 3] = triangle[k / 3][k % 3];
    for (int side = 0; side < 2; side++) {
        int kept_count = 0;
        for (int k = 0; k < count; k++) {
            double *a = corner[k], *b = corner[(k + 1) % count];
            double off_a = side ? a[1] - high : low - a[1], off_b = side ? b[1] - high : low - b[1];
            if (off_a <= 0)
                for (int axis = 0; axis < 3; axis++)
                    kept[kept_count][axis] = a[axis];
            kept_count += off_a <= 0;
            if ((off_a <= 0) == (off_b <= 0))
                continue;
            double t = off_a / (off_a - off_b);
            for (int axis = 0; axis < 3; axis++)
                kept[kept_count][axis] = a[axis] + t * (b[axis] - a[axis]);
            kept_count++;
        }
        count = kept_count;
        for (int k = 0; k < count; k++)
            for (int axis = 0; axis < 3; axis++)
                corner[k][axis] = kept[k][axis];
    }
    polygon seen = {.count = count};
    for (int k = 0; k < count; k++)
        seen.corner[k] = (flat){corner[k][0], corner[k][2]};
    return seen;
}

static double point_to_segment(flat p, flat a, flat b) {
    double dx = b.x - a.x, dz = b.z - a.z, squared = dx * dx + dz * dz;
    double t = squared > 0 ? ((p.x - a.x) * dx + (p.z - a.z) * dz) / squared : 0;
    t = fmin(fmax(t, 0), 1);
    return hypot(p.x - a.x - t * dx, p.z - a.z - t * dz);
}

static double turn(flat a, flat b, flat c) {
    return (b.x - a.x) * (c.z - a.z) - (b.z - a.z) * (c.x - a.x);
}

static bool segments_cross(flat a, flat b, flat c, flat d) {
    return turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0;
}

static double segment_to_polygon(flat a, flat b, const polygon *p) {
    double least = INFINITY;
    int left = 0, right = 0;
    for (int k = 0; k < p->count; k++) {
        flat c = p->corner[k], d = p->corner[(k + 1) % p->count];
        if (segments_cross(a, b, c, d))
            return 0;
        least = fmin(least, fmin(point_to_segment(c, a, b), point_to_segment(a, c, d)));
        least = fmin(least, point_to_segment(b, c, d));
        left += turn(c, d, a) > 0;
        right += turn(c, d, a) < 0;
    }
    return p->count >= 3 && (left == p->count || right == p->count) ? 0 : least; // inside
}

// The nearest that anything in the band comes to the route.
static double route_clearance(const tr_scene *scene, const tr_raster_band *band, const tr_vec2 *points,
                              uint32_t count) {
    double least = INFINITY;
    for (uint32_t object = 0; object < tr_scene_object_count(scene); object++) {
        tr_object_view view = tr_scene_object(scene, object);
        tr_mesh_view mesh = tr_scene_mesh(scene, view.mesh);
        for (uint32_t i = 0; i < mesh.triangle_count; i++) {
            double triangle[3][3];
            for (int k = 0; k < 9; k++) {
                tr_vec3 p = mesh.positions[mesh.indices[3 * i + (uint32_t)k / 3]];
                const float *m = view.placement.m[k % 3];
                triangle[k / 3][k % 3] = (double)m[0] * p.x + (double)m[1] * p.y + (double)m[2] * p.z + m[3];
            }
            polygon seen = clip_to_band(triangle, band->low, band->high);
            for (uint32_t k = 0; seen.count && k + 1 < count; k++) {
                flat a = {points[k].x, points[k].z}, b = {points[k + 1].x, points[k + 1].z};
                least = fmin(least, segment_to_polygon(a, b, &seen));
            }
        }
    }
    return least;
}

static tr_vec2 random_free_point(const tr_occupancy *occupancy, tr_random *random) {
    const tr_grid *grid = tr_occupancy_grid(occupancy);
    for (;;) {
        tr_vec2 point = {
            tr_random_between(random, grid->origin.x, grid->origin.x + (float)grid->columns * grid->cell),
            tr_random_between(random, grid->origin.z, grid->origin.z + (float)grid->rows * grid->cell)};
        if (tr_occupancy_is_free(occupancy, point))
            return point;
    }
}

static void check_routes(const char *scene, uint32_t cells, uint32_t routes) {
    tr_sample sample;
    tr_sample_def sample_def = {.name = scene, .seed = cells};
    tr_raster_def raster_def = {.backend = TR_RASTER_SOFT};
    tr_raster *raster;
    tr_occupancy *occupancy;
    tr_route_map map;
    tr_route *route;
    REQUIRE(tr_sample_make(&sample_def, &sample, NULL) == TR_OK &&
            tr_sample_shuffle(&sample, cells) == TR_OK);
    tr_occupancy_def def = tr_occupancy_def_default(sample.ground.min.y);
    REQUIRE(tr_grid_divide(sample.ground, cells, &def.grid, NULL) == TR_OK);
    REQUIRE(tr_raster_create(&raster_def, &raster, NULL) == TR_OK);
    REQUIRE(tr_occupancy_create(&def, &occupancy, NULL) == TR_OK);
    REQUIRE(tr_occupancy_build(occupancy, raster, sample.scene, NULL) == TR_OK);
    REQUIRE(tr_route_map_create(NULL, &def.grid, &map, NULL) == TR_OK);
    REQUIRE(tr_route_map_set(&map, tr_occupancy_blocked(occupancy), tr_grid_all(&def.grid)) == TR_OK);
    REQUIRE(tr_route_create(NULL, tr_route_map_nodes(&map), &route, NULL) == TR_OK);
    tr_random random = tr_random_seed(cells);
    uint32_t found = 0;
    for (uint32_t i = 0; i < 20 * routes && found < routes; i++) {
        tr_vec2 start = random_free_point(occupancy, &random), goal = random_free_point(occupancy, &random);
        tr_route_params params = tr_route_params_default();
        params.method = TR_ROUTE_JPS;
        if (tr_route_find(route, &map, &params, start, &goal, 1, NULL) != TR_OK)
            continue;
        tr_route_result path = tr_route_last(route);
        tr_vec2 points[POINTS_MAX];
        uint32_t count;
        double length;
        CHECK_INT(tr_line_of_sight_pull(&map,
                                        &(tr_line_of_sight_path){.cells = path.cells,
                                                                 .cell_count = path.cell_count,
                                                                 .start = start,
                                                                 .goal = goal,
                                                                 .cut_corners = true},
                                        points, POINTS_MAX, &count, &length),
                  TR_OK);
        double clearance = route_clearance(sample.scene, &def.band, points, count);
        if (!(clearance >= def.radius - 1e-5)) // the route's points are floats
            test_failed(__FILE__, __LINE__,
                        "%s, %u cells: a route comes within %.6f m of a triangle, the radius is %g", scene,
                        cells, clearance, def.radius);
        found++;
    }
    CHECK(found >= routes / 2);
    tr_route_destroy(route);
    tr_route_map_destroy(&map);
    tr_occupancy_destroy(occupancy);
    tr_raster_destroy(raster);
    tr_scene_destroy(sample.scene);
}

TEST(no_route_through_the_sample_scenes_touches_a_triangle) {
    check_routes("office", 45, 12);
    check_routes("office", 135, 12);
    check_routes("maze", 50, 30);
    check_routes("maze", 150, 30);
    check_routes("room", 60, 30);
    check_routes("terrace", 120, 30);
    check_routes("edges", 100, 30);
}
