// The two checks for collision of a march: the exact one against every triangle, depth maps against rays, and
// every difference between the two explained.
#include "test.h"
#include "troupe/base/random.h"
#include "cli/papers/march.h"
#include "troupe/world/distance.h"
#include "troupe/world/sample.h"

#include <math.h>
#include <stdlib.h>

#define SIZE 48 // of the maps here: coarse ones slip more often

typedef struct check_stand {
    tr_sample sample;
    tr_arm arm;
    tr_solid *solid;
    tr_raster *raster;
    tr_vec3 (*triangles)[3];
    uint32_t triangle_count;
} check_stand;

static void collect_triangles(check_stand *stand) {
    const tr_scene *scene = stand->sample.scene;
    stand->triangles = malloc((size_t)tr_scene_triangle_count(scene) * sizeof *stand->triangles);
    for (uint32_t i = 0; stand->triangles && i < tr_scene_object_count(scene); i++) {
        tr_object_view object = tr_scene_object(scene, i);
        tr_mesh_view mesh = tr_scene_mesh(scene, object.mesh);
        for (uint32_t j = 0; j < 3 * mesh.triangle_count; j++)
            stand->triangles[stand->triangle_count + j / 3][j % 3] =
                tr_affine_apply(&object.placement, mesh.positions[mesh.indices[j]]);
        stand->triangle_count += mesh.triangle_count;
    }
}

static bool make_stand(check_stand *stand) {
    tr_error error = {0};
    tr_sample_def desk = {.name = "desk", .triangles = 7634};
    tr_raster_def raster = {.backend = TR_RASTER_SOFT};
    *stand = (check_stand){.arm = tr_arm_default(TR_ARM_RIGHT, 1.75f)};
    if (tr_sample_make(&desk, &stand->sample, &error) == TR_OK) {
        tr_solid_def solid = tr_solid_def_default(stand->sample.scene);
        collect_triangles(stand);
        if (stand->triangles && tr_solid_create(&solid, &stand->solid, &error) == TR_OK &&
            tr_raster_create(&raster, &stand->raster, &error) == TR_OK)
            return true;
    }
    test_failed(__FILE__, __LINE__, "no stand: %s", error.message);
    return false;
}

static void destroy_stand(check_stand *stand) {
    tr_raster_destroy(stand->raster);
    tr_solid_destroy(stand->solid);
    tr_scene_destroy(stand->sample.scene);
    free(stand->triangles);
}

static march_depth *make_depth(const check_stand *stand, uint32_t size, float pull_back) {
    march_depth_def def = march_depth_def_default(stand->raster, stand->sample.scene, &stand->arm);
    march_depth *depth = NULL;
    tr_error error = {0};
    def.size = size;
    def.pull_back = pull_back;
    if (march_depth_create(&def, &depth, &error) != TR_OK)
        test_failed(__FILE__, __LINE__, "no maps: %s", error.message);
    return depth;
}

// Someone at a random place about the desk, or in it, with an arm held anyhow.
static tr_posture draw_arm(tr_arm *arm, tr_random *random) {
    tr_posture posture = {{0}};
    for (int i = 0; i < TR_ARM_JOINTS; i++)
        posture.q[i] = tr_random_between(random, arm->low.q[i], arm->high.q[i]);
    float x = tr_random_between(random, -0.6f, 0.6f), z = tr_random_between(random, -0.1f, 0.9f);
    float heading = tr_random_between(random, -3.14f, 3.14f);
    arm->base = tr_affine_place(tr_vec3_make(x, arm->base.m[1][3], z), (double)heading);
    return posture;
}

// May the triangle be within `reach` of the link's line? Their boxes say so.
static bool is_near(const tr_vec3 triangle[3], tr_vec3 a, tr_vec3 b, float reach) {
    tr_box line = tr_box_include(tr_box_include(tr_box_empty(), a), b), box = tr_box_empty();
    for (int i = 0; i < 3; i++)
        box = tr_box_include(box, triangle[i]);
    return box.min.x <= line.max.x + reach && box.max.x >= line.min.x - reach &&
           box.min.y <= line.max.y + reach && box.max.y >= line.min.y - reach &&
           box.min.z <= line.max.z + reach && box.max.z >= line.min.z - reach;
}

// By every triangle: how far the link's wall is from the nearest [m], 0.01 at most, negative where it
// touches.
static double link_clearance(const check_stand *stand, const tr_vec3 points[4], uint32_t link) {
    tr_vec3 a = points[link], b = points[link + 1];
    float reach = stand->arm.radius[link] + 0.01f, least = reach * reach;
    for (uint32_t i = 0; i < stand->triangle_count; i++) {
        if (!is_near(stand->triangles[i], a, b, reach))
            continue;
        float squared = tr_distance_segment_triangle(a, b, stand->triangles[i], NULL, NULL);
        least = squared < least ? squared : least;
    }
    return sqrt((double)least) - (double)stand->arm.radius[link];
}

TEST(the_exact_check_finds_what_every_triangle_says) {
    check_stand stand;
    REQUIRE(make_stand(&stand));
    tr_random random = tr_random_seed(1);
    uint32_t touching = 0;
    for (int i = 0; i < 400; i++) {
        march_exact exact = {stand.solid, stand.arm};
        tr_posture posture = draw_arm(&exact.arm, &random);
        tr_vec3 points[4];
        tr_arm_points(&exact.arm, &posture, points);
        double least = INFINITY;
        for (uint32_t link = 0; link < TR_ARM_LINKS; link++)
            least = fmin(least, link_clearance(&stand, points, link));
        bool is_free = march_exact_is_free(&exact, &posture);
        if (fabs(least) > 1e-6)
            CHECK_INT(is_free, least > 0);
        touching += !is_free;
    }
    CHECK(touching > 40 && touching < 360);
    destroy_stand(&stand);
}

typedef struct ray_view {
    double eye[3], right[3], down[3], ahead[3];
} ray_view;

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double c[3]) {
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

static void to_doubles(tr_vec3 v, double out[3]) {
    out[0] = (double)v.x, out[1] = (double)v.y, out[2] = (double)v.z;
}

static ray_view view_of(const tr_depth_camera *camera) {
    ray_view view;
    double up[3];
    to_doubles(camera->eye, view.eye);
    to_doubles(camera->forward, view.ahead);
    to_doubles(camera->up, up);
    double length = sqrt(dot(view.ahead, view.ahead));
    for (int i = 0; i < 3; i++)
        view.ahead[i] /= length;
    cross(view.ahead, up, view.right);
    length = sqrt(dot(view.right, view.right));
    for (int i = 0; i < 3; i++)
        view.right[i] /= length;
    cross(view.ahead, view.right, view.down);
    return view;
}

// Where a ray from the eye meets a triangle, along `ahead`; INFINITY: nowhere. Barycentric coordinates may be
// below 0 by `slack`, or must be above it where it is negative.
static double meet(const ray_view *view, const double ray[3], const tr_vec3 triangle[3], double slack) {
    double a[3], b[3], c[3], from[3], ab[3], ac[3], normal[3], across[3];
    to_doubles(triangle[0], a);
    to_doubles(triangle[1], b);
    to_doubles(triangle[2], c);
    for (int i = 0; i < 3; i++) {
        ab[i] = b[i] - a[i];
        ac[i] = c[i] - a[i];
        from[i] = view->eye[i] - a[i];
    }
    cross(ab, ac, normal);
    double over = -dot(ray, normal);
    if (fabs(over) < 1e-14)
        return INFINITY;
    double t = dot(from, normal) / over;
    cross(from, ray, across);
    double u = dot(across, ac) / over, v = -dot(across, ab) / over;
    return u >= -slack && v >= -slack && u + v <= 1 + slack ? t : INFINITY;
}

// A >= E for some pixel, worked out ray by ray: surely (well inside both), or perhaps (on some border).
static bool rays_hit(const check_stand *stand, const tr_depth_map *map, const tr_depth_camera *camera,
                     const tr_vec3 points[4], uint32_t link, bool surely) {
    ray_view view = view_of(camera);
    double slack = surely ? -0.02 : 0.02, margin = surely ? 1e-5 : -1e-5;
    float reach = stand->arm.radius[link] + 1e-3f;
    for (uint32_t i = 0; i < stand->triangle_count; i++) {
        const tr_vec3 *triangle = stand->triangles[i];
        if (!is_near(triangle, points[link], points[link + 1], reach) ||
            tr_distance_segment_triangle(points[link], points[link + 1], triangle, NULL, NULL) >
                reach * reach)
            continue;
        for (uint32_t pixel = 0; pixel < map->columns * map->rows; pixel++) {
            double x = ((2 * (pixel % map->columns) + 1.0) / map->columns - 1) * (double)camera->half_tangent;
            double y = ((2 * (pixel / map->columns) + 1.0) / map->rows - 1) * (double)camera->half_tangent;
            double ray[3];
            for (int k = 0; k < 3; k++)
                ray[k] = view.ahead[k] + x * view.right[k] + y * view.down[k];
            double depth = meet(&view, ray, triangle, slack);
            if (map->depth[pixel] > 0 && depth >= (double)camera->near + margin &&
                depth <= (double)map->depth[pixel] - margin)
                return true;
        }
    }
    return false;
}

typedef struct difference_counts {
    uint32_t hits, misses, zones[MARCH_ZONE_COUNT];
} difference_counts;

static void compare_link(const check_stand *stand, march_depth *depth, float pull_back,
                         const tr_vec3 points[4], uint32_t link, difference_counts *counts) {
    tr_error error = {0};
    bool seen = false;
    CHECK_INT(march_depth_hits(depth, points, link, &seen, &error), TR_OK);
    double clearance = link_clearance(stand, points, link);
    march_zone zone = march_depth_zone(depth, points, link);
    if (seen)
        CHECK(clearance < 1e-5); // never more than the exact check finds
    if (fabs(clearance) < 2e-6)
        return;
    CHECK_INT(zone == MARCH_TOUCHES_NOTHING, clearance > 0);
    counts->hits += seen;
    if (clearance > 0)
        return;
    tr_depth_camera camera =
        tr_depth_link_camera(points[link], points[link + 1], stand->arm.radius[link], pull_back);
    const tr_depth_map *map = march_depth_map(depth, link);
    if (seen) {
        CHECK_INT(zone, MARCH_IN_VIEW);
        CHECK(rays_hit(stand, map, &camera, points, link, false));
    } else {
        counts->misses++;
        counts->zones[zone]++;
        CHECK(!rays_hit(stand, map, &camera, points, link, true));
    }
}

static void compare_all(float pull_back, int postures, difference_counts *counts) {
    check_stand stand;
    REQUIRE(make_stand(&stand));
    march_depth *depth = make_depth(&stand, SIZE, pull_back);
    tr_random random = tr_random_seed(2);
    for (int i = 0; depth && i < postures; i++) {
        tr_arm arm = stand.arm;
        tr_posture posture = draw_arm(&arm, &random);
        tr_vec3 points[4];
        tr_arm_points(&arm, &posture, points);
        for (uint32_t link = 0; link < TR_ARM_LINKS; link++)
            compare_link(&stand, depth, pull_back, points, link, counts);
    }
    march_depth_destroy(depth);
    destroy_stand(&stand);
}

TEST(what_the_papers_cameras_miss_is_beside_them_behind_them_or_between_pixels) {
    difference_counts counts = {0};
    compare_all(0, 150, &counts);
    CHECK(counts.hits > 30);
    CHECK(counts.zones[MARCH_BESIDE] > 0 && counts.zones[MARCH_BEHIND] > 0);
    CHECK_INT(counts.zones[MARCH_IN_VIEW] + counts.zones[MARCH_BESIDE] + counts.zones[MARCH_BEHIND],
              counts.misses);
}

TEST(cameras_pulled_back_miss_nothing_beside_them) {
    difference_counts counts = {0};
    compare_all(1, 150, &counts);
    CHECK(counts.hits > 30);
    CHECK_INT(counts.zones[MARCH_BESIDE], 0);
    CHECK_INT(counts.zones[MARCH_IN_VIEW] + counts.zones[MARCH_BEHIND], counts.misses);
}

static bool is_found(const check_stand *stand, bool (*is_free)(void *, const tr_posture *), void *user,
                     float step) {
    const float hand[3] = {0};
    tr_sample_desk places = tr_sample_desk_places();
    march_def def = {.arm = stand->arm, .step = step, .is_free = is_free, .user = user};
    march_search *march = NULL;
    tr_posture start;
    bool found = march_create(&def, &march, NULL) == TR_OK &&
                 march_hold(&stand->arm, places.start, hand, NULL, &start);
    for (int task = 0; task < 2 && found; task++) {
        tr_vec3 goal = task ? places.teacup_wrist : places.thermos_wrist;
        tr_status status = march_begin(march, &start, goal, NULL, NULL);
        for (int i = 0; status == TR_OK && i < 1000; i++)
            status = march_step(march);
        march_result way = march_look(march);
        CHECK(way.refused > 0); // the desk is in the way
        CHECK(way.visited < 200);
        tr_vec3 off = tr_vec3_subtract(way.wrists[way.count - 1], goal);
        found = status == TR_DONE && tr_vec3_length(off) < step;
        start = way.postures[way.count - 1];
    }
    march_destroy(march);
    return found;
}

TEST(the_thermos_and_the_teacup_are_reached_with_both_checks_and_both_steps) {
    check_stand stand;
    REQUIRE(make_stand(&stand));
    march_depth *depth = make_depth(&stand, 100, 0);
    march_exact exact = {stand.solid, stand.arm};
    for (int i = 0; i < 2 && depth; i++) {
        float step = i ? 0.05f * 5 / 9 : 0.05f / 3;
        CHECK(is_found(&stand, march_exact_is_free, &exact, step));
        CHECK(is_found(&stand, march_depth_is_free, depth, step));
        CHECK_INT(march_depth_status(depth, NULL), TR_OK);
    }
    march_depth_destroy(depth);
    destroy_stand(&stand);
}

// The figures of docs/benchmarks.md, on the whole desk.
TEST(the_two_tasks_visit_as_many_nodes_as_they_are_known_for) {
    static const uint32_t visited[2][2] = {{64, 43}, {27, 41}}, on_way[2][2] = {{39, 35}, {21, 28}};
    const float hand[3] = {0};
    tr_sample sample;
    tr_solid *solid = NULL;
    REQUIRE(tr_sample_make(&(tr_sample_def){.name = "desk"}, &sample, NULL) == TR_OK);
    tr_solid_def solid_def = tr_solid_def_default(sample.scene);
    REQUIRE(tr_solid_create(&solid_def, &solid, NULL) == TR_OK);
    march_exact exact = {solid, tr_arm_default(TR_ARM_RIGHT, 1.75f)};
    tr_sample_desk places = tr_sample_desk_places();
    for (int i = 0; i < 2; i++) {
        march_def def = {.arm = exact.arm,
                         .step = i ? 0.05f * 5 / 9 : 0.05f / 3,
                         .is_free = march_exact_is_free,
                         .user = &exact};
        march_search *march = NULL;
        tr_posture start;
        REQUIRE(march_create(&def, &march, NULL) == TR_OK);
        CHECK(march_hold(&exact.arm, places.start, hand, NULL, &start));
        for (int task = 0; task < 2; task++) {
            tr_vec3 goal = task ? places.teacup_wrist : places.thermos_wrist;
            tr_status status = march_begin(march, &start, goal, NULL, NULL);
            while (status == TR_OK)
                status = march_step(march);
            CHECK_INT(status, TR_DONE);
            march_result way = march_look(march);
            CHECK_INT(way.visited, visited[i][task]);
            CHECK_INT(way.count, on_way[i][task]);
            start = way.postures[way.count - 1];
        }
        march_destroy(march);
    }
    tr_solid_destroy(solid);
    tr_scene_destroy(sample.scene);
}

TEST(a_hand_without_length_is_not_looked_along) {
    check_stand stand;
    REQUIRE(make_stand(&stand));
    stand.arm.length[2] = 0;
    march_depth *depth = make_depth(&stand, SIZE, 0);
    REQUIRE(depth);
    tr_posture posture = {{0.5f}};
    tr_vec3 points[4];
    bool hit = true;
    tr_arm_points(&stand.arm, &posture, points);
    CHECK_INT(march_depth_hits(depth, points, 2, &hit, NULL), TR_OK);
    CHECK(!hit);
    CHECK_INT(march_depth_zone(depth, points, 2), MARCH_TOUCHES_NOTHING);
    CHECK(march_depth_is_free(depth, &posture));
    march_depth_destroy(depth);
    destroy_stand(&stand);
}

static void check_refused(const march_depth_def *def, const char *part) {
    march_depth *depth = NULL;
    tr_error error = {0};
    CHECK_INT(march_depth_create(def, &depth, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, part);
    CHECK(depth == NULL);
}

TEST(maps_that_make_no_sense_are_refused) {
    check_stand stand;
    REQUIRE(make_stand(&stand));
    march_depth_def good = march_depth_def_default(stand.raster, stand.sample.scene, &stand.arm);
    CHECK_INT(good.size, 100);
    check_refused(NULL, "rasteriser");
    march_depth_def def = good;
    def.raster = NULL;
    check_refused(&def, "rasteriser");
    def = good;
    def.scene = NULL;
    check_refused(&def, "scene");
    def = good;
    def.size = 0;
    check_refused(&def, "0 pixels");
    def.size = TR_DEPTH_SIZE_MAX + 1;
    check_refused(&def, "4097 pixels");
    def = good;
    def.pull_back = NAN;
    check_refused(&def, "pulled back");
    def.pull_back = 1.5f;
    check_refused(&def, "1.5");
    def = good;
    def.arm.radius[1] = -1;
    check_refused(&def, "");
    CHECK_INT(march_depth_status(NULL, NULL), TR_INVALID);
    CHECK(march_depth_map(NULL, 0) == NULL);
    bool hit;
    tr_vec3 points[4] = {{0}};
    CHECK_INT(march_depth_hits(NULL, points, 0, &hit, NULL), TR_INVALID);
    CHECK_INT(march_depth_zone(NULL, points, 0), MARCH_TOUCHES_NOTHING);
    march_depth_destroy(NULL);
    destroy_stand(&stand);
}

TEST(a_map_that_cannot_be_drawn_is_no_free_space_and_is_told) {
    check_stand stand;
    REQUIRE(make_stand(&stand));
    march_depth *depth = make_depth(&stand, SIZE, 0);
    REQUIRE(depth);
    tr_posture posture = {{NAN}};
    tr_error error = {0};
    CHECK(!march_depth_is_free(depth, &posture));
    CHECK_INT(march_depth_status(depth, &error), TR_INVALID);
    CHECK(error.message[0] != 0);
    CHECK_INT(march_depth_status(depth, NULL), TR_OK); // told once
    march_exact exact = {stand.solid, stand.arm};
    CHECK(!march_exact_is_free(&exact, &posture));
    march_depth_destroy(depth);
    destroy_stand(&stand);
}

static check_stand *shared_stand; // of the test below, whose attempts take an allocator alone

static bool attempt(const tr_allocator *allocator) {
    march_depth_def def =
        march_depth_def_default(shared_stand->raster, shared_stand->sample.scene, &shared_stand->arm);
    march_depth *depth = NULL;
    def.allocator = allocator;
    tr_status status = march_depth_create(&def, &depth, NULL);
    CHECK(status == TR_OK || (status == TR_OUT_OF_MEMORY && depth == NULL));
    march_depth_destroy(depth);
    return status == TR_OK;
}

TEST(every_allocation_may_fail_while_maps_are_made) {
    check_stand stand;
    REQUIRE(make_stand(&stand));
    shared_stand = &stand;
    CHECK_INT(CHECK_EVERY_ALLOCATION_FAILURE(attempt), 4);
    destroy_stand(&stand);
}
