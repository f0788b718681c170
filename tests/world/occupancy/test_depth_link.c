// A link's own map against sampled rays, its cameras, and what they are blind to.
#include "depth_scene.h"
#include "troupe/world/distance.h"

// Distance of a point from a line between two points.
static double distance_to(oracle_vector p, oracle_vector a, oracle_vector b) {
    oracle_vector along = oracle_add(b, a, -1), from = oracle_add(p, a, -1);
    double whole = oracle_dot(along, along), t = whole > 0 ? oracle_dot(from, along) / whole : 0;
    oracle_vector off = oracle_add(p, oracle_add(a, along, fmin(fmax(t, 0), 1)), -1);
    return sqrt(oracle_dot(off, off));
}

typedef struct link {
    tr_vec3 a, b;
    float radius;
} link;

static bool is_inside(const link *of, oracle_vector p, double slack) {
    return distance_to(p, oracle_from(of->a), oracle_from(of->b)) <= (double)of->radius + slack;
}

// One pixel: the ray is inside from the near plane to the depth and outside beyond; or not inside at all.
static void check_pixel(const link *of, const tr_depth_camera *camera, const oracle_camera *look,
                        uint32_t column, uint32_t row, float depth) {
    oracle_vector ray = oracle_ray(look, column + 0.5, row + 0.5);
    double near = (double)camera->near, slack = 1e-6 * ((double)camera->far + (double)of->radius);
    oracle_vector at_near = oracle_add(look->eye, ray, near);
    if (depth == 0) {
        CHECK(!is_inside(of, at_near, -slack));
        return;
    }
    CHECK((double)depth >= near * (1 - 1e-6) && depth < camera->far);
    for (int i = 0; i <= 4; i++)
        CHECK(is_inside(of, oracle_add(look->eye, ray, near + ((double)depth - near) * i / 4), slack));
    double beyond = (double)depth * (1 + 1e-4) + 1e-4 * (double)of->radius;
    if (beyond < (double)camera->far)
        CHECK(!is_inside(of, oracle_add(look->eye, ray, beyond), 0));
}

TEST(a_link_map_says_where_rays_leave_the_link) {
    tr_random random = tr_random_seed(1);
    uint32_t inside = 0, outside = 0;
    for (int trial = 0; trial < 400; trial++) {
        static const float radii[3] = {0.02f, 0.1f, 0.5f};
        tr_vec3 about = trial % 4 ? tr_vec3_make(0, 1, 0) : tr_vec3_make(300, 1, -200);
        link of = {.a = depth_random_point(&random, about, 0.5f),
                   .radius = radii[tr_random_below(&random, 3)]};
        of.b = trial % 10 == 9 ? of.a : depth_random_point(&random, about, 0.5f); // some are balls
        tr_depth_camera camera = depth_random_camera(&random, about);
        if (trial % 2)
            camera.eye = depth_random_point(&random, of.a, of.radius / 4); // most often from the inside
        tr_depth_map map = depth_make_map(12, 9);
        CHECK_INT(tr_depth_link(&camera, of.a, of.b, of.radius, &map, NULL), TR_OK);
        oracle_camera look = oracle_look(&camera, &map);
        for (uint32_t i = 0; i < 12 * 9; i++) {
            check_pixel(&of, &camera, &look, i % 12, i / 12, map.depth[i]);
            inside += map.depth[i] > 0;
            outside += map.depth[i] == 0;
        }
        free(map.depth);
    }
    CHECK(inside > 5000 && outside > 5000);
}

TEST(a_link_looks_the_same_wherever_it_is) {
    tr_random random = tr_random_seed(2);
    tr_vec3 a = {0, 0, 0}, b = {0, 0, 0.3f};
    for (int pulled = 0; pulled < 2; pulled++) {
        tr_depth_map one = depth_make_map(100, 100), two = depth_make_map(100, 100);
        tr_depth_camera camera = tr_depth_link_camera(a, b, 0.05f, (float)pulled);
        CHECK_INT(tr_depth_link(&camera, a, b, 0.05f, &one, NULL), TR_OK);
        for (int trial = 0; trial < 10; trial++) {
            tr_vec3 from = depth_random_point(&random, tr_vec3_make(0.2f, 1, -0.3f), 0.5f);
            tr_vec3 along = depth_random_point(&random, a, 1);
            tr_vec3 to = tr_vec3_add(from, tr_vec3_scale(along, 0.3f / tr_vec3_length(along)));
            camera = tr_depth_link_camera(from, to, 0.05f, (float)pulled);
            CHECK_INT(tr_depth_link(&camera, from, to, 0.05f, &two, NULL), TR_OK);
            uint32_t differ = 0;
            for (int i = 0; i < 10000; i++)
                differ += fabsf(one.depth[i] - two.depth[i]) > 2e-5f * one.depth[i];
            CHECK(differ <= 8); // pixels at the very border of the near plane
        }
        free(one.depth);
        free(two.depth);
    }
}

TEST(the_cameras_of_a_link_stand_where_the_paper_puts_them) {
    tr_vec3 a = {1, 2, 3}, b = {1, 2, 3.4f};
    tr_depth_camera paper = tr_depth_link_camera(a, b, 0.05f, 0);
    CHECK(paper.eye.x == a.x && paper.eye.y == a.y && paper.eye.z == a.z);
    CHECK(paper.near > 0 && paper.near < 0.02f);  // slightly away from the proximal end
    CHECK(paper.far > 0.45f && paper.far < 0.5f); // slightly beyond the distal one, which is round
    CHECK_NEAR((double)paper.half_tangent, 0.41421356, 1e-7);
    tr_depth_camera back = tr_depth_link_camera(a, b, 0.05f, 1);
    CHECK_NEAR((double)back.near * (double)back.half_tangent, 0.05, 1e-7); // as wide as the link there
    CHECK_NEAR((double)back.eye.z + (double)back.near, 3, 1e-6);           // the near plane is at `a`
    CHECK_NEAR((double)back.far - (double)back.near, (double)paper.far, 1e-6);
    tr_depth_camera half = tr_depth_link_camera(a, b, 0.05f, 0.5f);
    CHECK_NEAR((double)half.near, (double)back.near / 2, 1e-7);
}

// Where the middle of a triangle lies in a link along z, as the paper's camera at its beginning sees it.
typedef enum blind_zone { ZONE_BEHIND, ZONE_BESIDE, ZONE_AHEAD, ZONE_END, ZONE_COUNT } blind_zone;

static blind_zone zone_of(const link *of, const tr_depth_camera *paper, tr_vec3 p) {
    float depth = p.z - of->a.z, wide = depth * paper->half_tangent;
    if (depth < paper->near)
        return ZONE_BEHIND;
    if (fabsf(p.x) > wide || fabsf(p.y) > wide)
        return ZONE_BESIDE; // Z1 and Z2 of figure 2
    return depth > of->b.z - of->a.z ? ZONE_END : ZONE_AHEAD;
}

// A small triangle that touches the link; its middle is inside.
static void touch(tr_random *random, const link *of, float size, tr_vec3 corner[3]) {
    float length = of->b.z - of->a.z;
    tr_vec3 middle;
    do {
        middle.x = tr_random_between(random, -of->radius, of->radius);
        middle.y = tr_random_between(random, -of->radius, of->radius);
        middle.z = tr_random_between(random, -of->radius, length + of->radius);
    } while (tr_distance_point_segment(middle, of->a, of->b, NULL) > of->radius * of->radius);
    tr_vec3 one = depth_random_point(random, tr_vec3_make(0, 0, 0), 1),
            two = depth_random_point(random, tr_vec3_make(0, 0, 0), 1);
    corner[0] = tr_vec3_add(middle, tr_vec3_scale(one, size));
    corner[1] = tr_vec3_add(middle, tr_vec3_scale(two, size));
    corner[2] = tr_vec3_subtract(middle, tr_vec3_scale(tr_vec3_add(one, two), size));
}

static bool sees(tr_raster *raster, const link *of, float pull_back, const tr_depth_map *own,
                 const tr_vec3 corner[3]) {
    tr_scene *scene = NULL;
    little_drawing drawing = {.triangles = 1};
    tr_box bounds = tr_box_empty();
    for (int k = 0; k < 3; k++) {
        drawing.corners[k] = corner[k];
        bounds = tr_box_include(bounds, corner[k]);
    }
    CHECK_INT(tr_scene_create(NULL, &scene), TR_OK);
    little_drawn(scene, &drawing, bounds);
    tr_depth_request request =
        depth_request(scene, tr_depth_link_camera(of->a, of->b, of->radius, pull_back));
    bool hit = false;
    CHECK_INT(tr_depth_hits(raster, &request, own, TR_DEPTH_COMPARE_ON_CARD, &hit, NULL), TR_OK);
    tr_scene_destroy(scene);
    return hit;
}

typedef struct blindness {
    uint32_t touching[ZONE_COUNT], missed[2][ZONE_COUNT]; // by the paper's camera, by the one pulled back
} blindness;

static blindness measure(uint32_t trials, uint32_t size, float triangle) {
    tr_raster *raster = little_raster(0);
    tr_random random = tr_random_seed(3);
    const link of = {{0, 0, 0}, {0, 0, 0.3f}, 0.05f};
    tr_depth_camera paper = tr_depth_link_camera(of.a, of.b, of.radius, 0);
    tr_depth_map own[2] = {depth_make_map(size, size), depth_make_map(size, size)};
    blindness found = {{0}, {{0}, {0}}};
    for (int k = 0; k < 2; k++) {
        tr_depth_camera camera = tr_depth_link_camera(of.a, of.b, of.radius, (float)k);
        CHECK_INT(tr_depth_link(&camera, of.a, of.b, of.radius, &own[k], NULL), TR_OK);
    }
    for (uint32_t trial = 0; trial < trials; trial++) {
        tr_vec3 corner[3];
        touch(&random, &of, triangle, corner);
        tr_vec3 middle = tr_vec3_scale(tr_vec3_add(corner[0], tr_vec3_add(corner[1], corner[2])), 1.0f / 3);
        blind_zone zone = zone_of(&of, &paper, middle);
        found.touching[zone]++;
        for (int k = 0; k < 2; k++)
            found.missed[k][zone] += !sees(raster, &of, (float)k, &own[k], corner);
    }
    free(own[0].depth);
    free(own[1].depth);
    tr_raster_destroy(raster);
    return found;
}

static double share(uint32_t part, uint32_t whole) {
    return whole ? (double)part / whole : 0;
}

// The table in docs/world/depth.md is this with 100,000 triangles of two sizes and maps of two.
TEST(pulling_the_camera_back_closes_the_zones_beside_it) {
    blindness found = measure(4000, 100, 0.025f);
    for (int zone = 0; zone < ZONE_COUNT; zone++)
        CHECK(found.touching[zone] > 200);
    const uint32_t *paper = found.missed[0], *back = found.missed[1], *touching = found.touching;
    CHECK(share(paper[ZONE_BESIDE], touching[ZONE_BESIDE]) > 0.4);
    CHECK(share(back[ZONE_BESIDE], touching[ZONE_BESIDE]) < 0.02);
    CHECK(share(paper[ZONE_AHEAD], touching[ZONE_AHEAD]) < 0.05);
    CHECK(share(back[ZONE_AHEAD], touching[ZONE_AHEAD]) < 0.05);
    CHECK(share(back[ZONE_END], touching[ZONE_END]) < 0.05);
    // Neither looks behind its near plane: the round beginning stays blind.
    CHECK(share(paper[ZONE_BEHIND], touching[ZONE_BEHIND]) > 0.9);
    CHECK(share(back[ZONE_BEHIND], touching[ZONE_BEHIND]) > 0.3);
}

TEST(what_does_not_touch_the_link_is_never_a_hit) {
    tr_raster *raster = little_raster(0);
    tr_random random = tr_random_seed(4);
    const link of = {{0, 0, 0}, {0, 0, 0.3f}, 0.05f};
    tr_depth_map own[2] = {depth_make_map(64, 64), depth_make_map(64, 64)};
    uint32_t apart = 0, hits = 0;
    for (int k = 0; k < 2; k++) {
        tr_depth_camera camera = tr_depth_link_camera(of.a, of.b, of.radius, (float)k);
        CHECK_INT(tr_depth_link(&camera, of.a, of.b, of.radius, &own[k], NULL), TR_OK);
    }
    for (int trial = 0; trial < 3000; trial++) {
        tr_vec3 corner[3], middle = depth_random_point(&random, tr_vec3_make(0, 0, 0.15f), 0.25f);
        for (int k = 0; k < 3; k++)
            corner[k] = depth_random_point(&random, middle, 0.15f);
        bool clear = sqrtf(tr_distance_segment_triangle(of.a, of.b, corner, NULL, NULL)) > of.radius + 1e-5f;
        for (int k = 0; k < 2; k++) {
            bool hit = sees(raster, &of, (float)k, &own[k], corner);
            CHECK(!(clear && hit));
            hits += hit;
        }
        apart += clear;
    }
    CHECK(apart > 1000 && hits > 300);
    free(own[0].depth);
    free(own[1].depth);
    tr_raster_destroy(raster);
}
