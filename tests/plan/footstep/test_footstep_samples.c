// Footsteps along ways through the sample scenes with storeys and other people's, seen against their
// triangles.
#include "test.h"
#include "troupe/base/random.h"
#include "troupe/io/scene_file.h"
#include "troupe/plan/footstep.h"
#include "troupe/world/sample.h"

#include <math.h>

#define CELL 0.05f
#define POINTS_MAX 1024
#define FOOTSTEPS_MAX 1024

typedef struct sample_world {
    tr_sample sample;
    tr_raster *raster;
    tr_surface *surface;
    tr_surface_route *route;
    tr_footstep_scratch *scratch;
    tr_footstep_params params;
    tr_surface_route_point points[POINTS_MAX];
    uint32_t point_count;
    tr_footstep footsteps[FOOTSTEPS_MAX];
    uint32_t footstep_count;
} sample_world;

static void tear_down(sample_world *world) {
    tr_footstep_scratch_destroy(world->scratch);
    tr_surface_route_destroy(world->route);
    tr_surface_destroy(world->surface);
    tr_raster_destroy(world->raster);
    tr_scene_destroy(world->sample.scene);
}

static tr_status build(sample_world *world, float cell, float height, float radius, tr_error *error) {
    tr_raster_def raster = {.backend = TR_RASTER_SOFT};
    tr_surface_def surface = tr_surface_def_default();
    tr_box bounds = world->sample.ground;
    tr_status status = tr_voxel_grid_cover(bounds, cell, 0.05f, 0, 0, &surface.grid, error);
    if (status == TR_OK)
        status = tr_raster_create(&raster, &world->raster, error);
    if (status == TR_OK)
        status = tr_surface_create(&surface, &world->surface, error);
    if (status == TR_OK)
        status = tr_surface_build(world->surface, world->raster, world->sample.scene, error);
    tr_surface_route_def route = {
        .surface = world->surface, .person = tr_surface_route_body_of_height(height), .border_neighbours = 4};
    route.person.radius = radius;
    world->params = tr_footstep_params_default(height);
    if (status == TR_OK)
        status = tr_surface_route_create(&route, &world->route, error);
    return status == TR_OK ? tr_footstep_scratch_create(NULL, &world->scratch, error) : status;
}

// From the sample's start to its goal, with effort as a measure.
static bool find_way(sample_world *world) {
    tr_surface_route_params params = tr_surface_route_params_default();
    params.method = TR_SURFACE_ROUTE_EFFORT;
    tr_error error = {0};
    double length;
    tr_status status =
        tr_surface_route_find(world->route, &params, world->sample.start, &world->sample.goal, 1, &error);
    if (status == TR_OK)
        status = tr_surface_route_straighten(world->route, world->sample.start, world->sample.goal,
                                             world->points, POINTS_MAX, &world->point_count, &length);
    if (status != TR_OK)
        test_failed(__FILE__, __LINE__, "no way: %s", tr_status_name(status));
    return status == TR_OK;
}

static tr_status plan(sample_world *world, tr_vec3 *stuck_at) {
    tr_vec3 from = world->points[0].position, to = world->points[1].position;
    float heading = atan2f(to.x - from.x, to.z - from.z);
    tr_footstep feet[2];
    for (uint32_t side = 0; side < 2; side++) {
        float left = (side == 0 ? 0.5f : -0.5f) * world->params.apart;
        feet[side] =
            (tr_footstep){.side = side,
                          .position = {from.x + left * cosf(heading), from.y, from.z - left * sinf(heading)},
                          .heading = heading};
    }
    return tr_footstep_plan(world->scratch,
                            &(tr_footstep_query){.surface = world->surface,
                                                 .points = world->points,
                                                 .point_count = world->point_count,
                                                 .feet = feet,
                                                 .first = 2,
                                                 .params = &world->params},
                            world->footsteps, FOOTSTEPS_MAX, &world->footstep_count, stuck_at);
}

// The height of a triangle over a point; -INFINITY beside it, and when it is upright.
static float triangle_at(tr_vec3 a, tr_vec3 b, tr_vec3 c, float x, float z) {
    float area = (b.x - a.x) * (c.z - a.z) - (b.z - a.z) * (c.x - a.x);
    if (fabsf(area) < 1e-9f)
        return -INFINITY;
    float v = ((x - a.x) * (c.z - a.z) - (z - a.z) * (c.x - a.x)) / area,
          w = ((b.x - a.x) * (z - a.z) - (b.z - a.z) * (x - a.x)) / area;
    return v >= 0 && w >= 0 && v + w <= 1 ? a.y + v * (b.y - a.y) + w * (c.y - a.y) : -INFINITY;
}

// The highest triangle of the scene over a point, no higher than `most`.
static float scene_at(const tr_scene *scene, float x, float z, float most) {
    float highest = -INFINITY;
    for (uint32_t i = 0; i < tr_scene_object_count(scene); i++) {
        tr_object_view object = tr_scene_object(scene, i);
        if (object.mesh == TR_NONE || x < object.bounds.min.x || x > object.bounds.max.x ||
            z < object.bounds.min.z || z > object.bounds.max.z || most < object.bounds.min.y)
            continue;
        tr_mesh_view mesh = tr_scene_mesh(scene, object.mesh);
        for (uint32_t t = 0; t < mesh.triangle_count; t++) {
            tr_vec3 corners[3];
            for (uint32_t k = 0; k < 3; k++)
                corners[k] = tr_affine_apply(&object.placement, mesh.positions[mesh.indices[3 * t + k]]);
            float height = triangle_at(corners[0], corners[1], corners[2], x, z);
            highest = height <= most && height > highest ? height : highest;
        }
    }
    return highest;
}

static void check_sole(const sample_world *world, const tr_footstep *footstep) {
    float sine = sinf(footstep->heading), cosine = cosf(footstep->heading), sunk = 0;
    uint32_t carried = 0;
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 3; j++) {
            float u = world->params.sole_length * (((float)i + 0.5f) / 8 - 0.5f),
                  v = world->params.sole_width * (((float)j + 0.5f) / 3 - 0.5f);
            float plane = footstep->position.y + u * footstep->pitch + v * footstep->roll;
            float floor = scene_at(world->sample.scene, footstep->position.x + u * sine + v * cosine,
                                   footstep->position.z + u * cosine - v * sine, plane + 0.4f);
            carried += fabsf(floor - plane) < 0.03f;
            sunk = floor - plane > sunk ? floor - plane : sunk;
        }
    CHECK(sunk < 0.02f);
    CHECK(carried >= 15); // of 24: an edge is known to a cell
}

static void walk_through(const char *name, float radius, float height) {
    static sample_world world;
    tr_error error = {0};
    tr_vec3 stuck_at = {0};
    tr_sample_def sample = {.name = name};
    world = (sample_world){.point_count = 0};
    tr_status status = tr_sample_make(&sample, &world.sample, &error);
    if (status == TR_OK)
        status = build(&world, CELL, height, radius, &error);
    if (status != TR_OK)
        test_failed(__FILE__, __LINE__, "%s: %s", name, error.message);
    else if (find_way(&world)) {
        CHECK_INT(plan(&world, &stuck_at), TR_OK);
        CHECK(world.footstep_count > 20);
        for (uint32_t i = 0; i < world.footstep_count; i++) {
            check_sole(&world, &world.footsteps[i]);
            if (i > 0)
                CHECK_INT(world.footsteps[i].side, 1 - world.footsteps[i - 1].side);
        }
        tr_vec3 end = world.footsteps[world.footstep_count - 1].position;
        CHECK_NEAR(end.x, world.sample.goal.x, 0.3);
        CHECK_NEAR(end.y, world.sample.goal.y, 0.3);
        CHECK_NEAR(end.z, world.sample.goal.z, 0.3);
    }
    tear_down(&world);
}

TEST(the_stairs_of_the_house_and_the_gap_of_its_bridge_are_walked) {
    walk_through("house", 0.3f, 1.75f);
}

TEST(a_short_person_walks_through_the_house_too) {
    walk_through("house", 0.3f, 1.6f);
}

TEST(the_stairs_are_walked) {
    walk_through("stairs", 0.2f, 1.75f);
}

TEST(the_ramp_and_the_stairs_of_the_factory_are_walked) {
    walk_through("factory", 0.2f, 1.75f);
}

TEST(hills_are_walked_wherever_a_way_leads_over_them) {
    char path[512];
    if (test_data_folder() == NULL) {
        test_skip("no shared data");
        return;
    }
    snprintf(path, sizeof path, "%s/scenes/undulating.obj", test_data_folder());
    static sample_world world;
    world = (sample_world){.point_count = 0};
    tr_error error = {0};
    REQUIRE(tr_scene_create(NULL, &world.sample.scene) == TR_OK);
    REQUIRE(tr_scene_file_read(path, NULL, world.sample.scene, &error) == TR_OK);
    world.sample.ground = tr_scene_bounds(world.sample.scene);
    REQUIRE(build(&world, 0.2f, 1.75f, 0.3f, &error) == TR_OK);
    tr_random random = tr_random_seed(2);
    tr_surface_route_params params = tr_surface_route_params_default();
    uint32_t ways = 0;
    for (uint32_t i = 0; i < 60 && ways < 12; i++) {
        uint32_t count = tr_surface_cell_count(world.surface);
        tr_surface_place from = tr_surface_find(world.surface, tr_random_below(&random, count));
        tr_surface_place to = tr_surface_find(world.surface, tr_random_below(&random, count));
        tr_vec3 start = tr_surface_centre(world.surface, &from), goal = tr_surface_centre(world.surface, &to);
        double length;
        tr_vec3 stuck_at;
        if (tr_surface_route_find(world.route, &params, start, &goal, 1, NULL) != TR_OK ||
            tr_surface_route_straighten(world.route, start, goal, world.points, POINTS_MAX,
                                        &world.point_count, &length) != TR_OK ||
            world.point_count < 2)
            continue;
        ways++;
        CHECK_INT(plan(&world, &stuck_at), TR_OK);
        for (uint32_t j = 0; j < world.footstep_count; j++)
            CHECK(world.footsteps[j].support >= world.params.support_least);
    }
    CHECK(ways >= 8);
    tear_down(&world);
}
