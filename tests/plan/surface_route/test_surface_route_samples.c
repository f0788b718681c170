// People go through the sample scenes with storeys: from start to goal, and not through anything.
#include "test.h"
#include "troupe/plan/surface_route.h"
#include "troupe/world/sample.h"

#include <stdlib.h>
#include <string.h>

#define ADULT 1.8f
#define CHILD 1.1f

typedef struct test_world {
    tr_sample sample;
    tr_raster *raster;
    tr_surface *surface;
} test_world;

static void tear_down(test_world *world) {
    tr_surface_destroy(world->surface);
    tr_raster_destroy(world->raster);
    tr_scene_destroy(world->sample.scene);
}

static bool build_on(test_world *world, tr_voxel_grid grid) {
    tr_raster_def raster_def = {.backend = TR_RASTER_SOFT};
    tr_surface_def def = tr_surface_def_default();
    def.grid = grid;
    tr_error error = {0};
    if (tr_raster_create(&raster_def, &world->raster, &error) == TR_OK &&
        tr_surface_create(&def, &world->surface, &error) == TR_OK &&
        tr_surface_build(world->surface, world->raster, world->sample.scene, &error) == TR_OK)
        return true;
    test_failed(__FILE__, __LINE__, "no surface: %s", error.message);
    return false;
}

static tr_voxel_grid grid_of(const tr_sample *sample) {
    tr_voxel_grid grid = {.bottom = sample->ground.min.y, .layer = sample->layer, .layers = sample->layers};
    grid.grid = (tr_grid){.origin = {sample->ground.min.x, sample->ground.min.z},
                          .cell = sample->cell,
                          .columns = sample->columns,
                          .rows = sample->rows};
    return grid;
}

static bool set_up(const char *name, uint64_t seed, test_world *world) {
    *world = (test_world){.raster = NULL};
    tr_error error = {0};
    if (tr_sample_make(&(tr_sample_def){.name = name, .seed = seed}, &world->sample, &error) != TR_OK) {
        test_failed(__FILE__, __LINE__, "no %s: %s", name, error.message);
        return false;
    }
    return build_on(world, grid_of(&world->sample));
}

static tr_surface_route *surface_route_for(const test_world *world, tr_ground_body person) {
    tr_surface_route_def def = {.surface = world->surface, .person = person, .border_neighbours = 4};
    tr_surface_route *route = NULL;
    tr_error error = {0};
    if (tr_surface_route_create(&def, &route, &error) != TR_OK)
        test_failed(__FILE__, __LINE__, "no surface route: %s", error.message);
    return route;
}

// Someone who needs room for the shoulders, where cells are finer than these.
static tr_ground_body with_shoulders(float height) {
    tr_ground_body person = tr_surface_route_body_of_height(height);
    person.radius = 0.3f;
    return person;
}

static tr_status find(tr_surface_route *route, tr_surface_route_border_use border, tr_vec3 start,
                      tr_vec3 goal) {
    tr_surface_route_params params = tr_surface_route_params_default();
    params.border = border;
    tr_error error = {0};
    tr_status status = tr_surface_route_find(route, &params, start, &goal, 1, &error);
    if (status != TR_OK && status != TR_NOT_FOUND)
        test_failed(__FILE__, __LINE__, "search failed: %s", error.message);
    return status;
}

static tr_vec3 point_of(const tr_surface *surface, const tr_surface_route_cell *cell) {
    tr_surface_scale scale = tr_surface_scale_of(surface);
    tr_vec2 centre = tr_grid_centre(&tr_surface_grid(surface)->grid, cell->column, cell->row);
    return tr_vec3_make(centre.x, (float)(scale.bottom + scale.unit * cell->height), centre.z);
}

// What of a triangle lies between two heights, seen from above.
typedef struct flat_polygon {
    double x[8], y[8], z[8];
    int count;
} flat_polygon;

static flat_polygon cut(const flat_polygon *given, double height, double side) {
    flat_polygon kept = {.count = 0};
    for (int i = 0; i < given->count; i++) {
        int next = (i + 1) % given->count;
        double here = side * (given->y[i] - height), there = side * (given->y[next] - height);
        if (here >= 0) {
            kept.x[kept.count] = given->x[i], kept.y[kept.count] = given->y[i];
            kept.z[kept.count++] = given->z[i];
        }
        if ((here < 0) != (there < 0)) {
            double t = here / (here - there);
            kept.x[kept.count] = given->x[i] + t * (given->x[next] - given->x[i]);
            kept.y[kept.count] = height;
            kept.z[kept.count++] = given->z[i] + t * (given->z[next] - given->z[i]);
        }
    }
    return kept;
}

static double distance_to(const flat_polygon *polygon, double x, double z) {
    double least = INFINITY;
    bool left = true, right = true;
    for (int i = 0; i < polygon->count; i++) {
        int next = (i + 1) % polygon->count;
        double ax = polygon->x[i], az = polygon->z[i], bx = polygon->x[next] - ax, bz = polygon->z[next] - az;
        double length = bx * bx + bz * bz, t = length > 0 ? ((x - ax) * bx + (z - az) * bz) / length : 0;
        t = t < 0 ? 0 : t > 1 ? 1 : t;
        double away = sqrt((ax + t * bx - x) * (ax + t * bx - x) + (az + t * bz - z) * (az + t * bz - z));
        double turn = bx * (z - az) - bz * (x - ax);
        least = away < least ? away : least;
        left &= turn > 0;
        right &= turn < 0;
    }
    return polygon->count > 2 && (left || right) ? 0 : least;
}

static double clearance_of(const tr_vec3 *corner, tr_vec3 at, float height) {
    flat_polygon polygon = {.count = 3};
    for (int k = 0; k < 3; k++) {
        polygon.x[k] = (double)corner[k].x, polygon.y[k] = (double)corner[k].y;
        polygon.z[k] = (double)corner[k].z;
    }
    polygon = cut(&polygon, (double)at.y + 0.5, 1);
    polygon = cut(&polygon, (double)at.y + (double)height, -1);
    return distance_to(&polygon, (double)at.x, (double)at.z);
}

static bool is_near(tr_box box, tr_vec3 at, float around, float height) {
    return box.min.x < at.x + around && box.max.x > at.x - around && box.min.z < at.z + around &&
           box.max.z > at.z - around && box.min.y < at.y + height && box.max.y > at.y + 0.5f;
}

// Does a body that is upright at `at` touch a triangle? Names the object, or NULL.
static const char *touched_by(const tr_scene *scene, tr_vec3 at, float height) {
    const float radius = 0.15f;
    for (uint32_t i = 0; i < tr_scene_object_count(scene); i++) {
        tr_object_view object = tr_scene_object(scene, i);
        if (!is_near(object.bounds, at, radius, height))
            continue;
        tr_mesh_view mesh = tr_scene_mesh(scene, object.mesh);
        for (uint32_t j = 0; j < mesh.triangle_count; j++) {
            tr_vec3 corner[3];
            for (uint32_t k = 0; k < 3; k++)
                corner[k] = tr_affine_apply(&object.placement, mesh.positions[mesh.indices[3 * j + k]]);
            if (clearance_of(corner, at, height) < (double)radius)
                return object.name;
        }
    }
    return NULL;
}

static void check_path(const test_world *world, const tr_surface_route *route, const char *name) {
    tr_surface_route_result result = tr_surface_route_last(route);
    float height = tr_surface_route_person(route)->height;
    REQUIRE(result.cell_count > 1);
    CHECK_INT(result.start_fate, TR_SURFACE_ROUTE_ON);
    CHECK_INT(result.goal_fate, TR_SURFACE_ROUTE_ON);
    CHECK_INT(result.border_cells, 0);
    for (uint32_t i = 0; i < result.cell_count; i++) {
        tr_vec3 at = point_of(world->surface, &result.cells[i]);
        const char *touched = touched_by(world->sample.scene, at, height);
        if (touched) {
            test_failed(__FILE__, __LINE__, "%s: at cell %u of %u (%g %g %g) the body touches \"%s\"", name,
                        i, result.cell_count, (double)at.x, (double)at.y, (double)at.z, touched);
            return;
        }
    }
}

// Finds the way of the sample and checks it; the route is the caller's.
static tr_surface_route *walk(const test_world *world, tr_ground_body person, const char *name) {
    tr_surface_route *route = surface_route_for(world, person);
    if (!route)
        return NULL;
    tr_status status = find(route, TR_SURFACE_ROUTE_BORDER_AVOID, world->sample.start, world->sample.goal);
    CHECK_INT(status, TR_OK);
    if (status == TR_OK)
        check_path(world, route, name);
    return route;
}

TEST(an_adult_gets_from_start_to_goal_in_the_scenes_of_the_paper) {
    static const char *const names[] = {"labyrinth", "stairs", "factory"};
    for (uint32_t i = 0; i < 3; i++)
        for (uint64_t seed = 0; seed < 3; seed++) {
            test_world world;
            if (set_up(names[i], seed, &world))
                tr_surface_route_destroy(walk(&world, tr_surface_route_body_of_height(ADULT), names[i]));
            tear_down(&world);
        }
}

static bool goes_through(const tr_surface_route *route, uint32_t column_begin, uint32_t column_end,
                         uint32_t row) {
    tr_surface_route_result result = tr_surface_route_last(route);
    for (uint32_t i = 0; i < result.cell_count; i++)
        if (result.cells[i].row == row && result.cells[i].column >= column_begin &&
            result.cells[i].column < column_end)
            return true;
    return false;
}

// The wall between the halves of the labyrinth fills row 42; A is in columns 29 to 34, the lintel in 36 to
// 41, B in 64 to 69.
TEST(the_narrow_corridor_of_the_labyrinth_is_left_for_the_wide_one) {
    test_world world;
    if (set_up("labyrinth", 0, &world)) {
        tr_surface_route *route = walk(&world, tr_surface_route_body_of_height(ADULT), "labyrinth");
        CHECK(route && goes_through(route, 64, 70, 42));
        double wide = route ? tr_surface_route_last(route).length : 0;
        CHECK(route &&
              find(route, TR_SURFACE_ROUTE_BORDER_IGNORE, world.sample.start, world.sample.goal) == TR_OK);
        CHECK(route && goes_through(route, 29, 35, 42) && !goes_through(route, 64, 70, 42));
        CHECK(route && tr_surface_route_last(route).length < wide);
        tr_surface_route_destroy(route);
    }
    tear_down(&world);
}

TEST(a_child_passes_under_the_lintel_and_an_adult_does_not) {
    test_world world;
    if (set_up("labyrinth", 0, &world)) {
        tr_surface_route *child = walk(&world, tr_surface_route_body_of_height(CHILD), "labyrinth");
        CHECK(child && goes_through(child, 36, 42, 42));
        tr_surface_route *adult = surface_route_for(&world, tr_surface_route_body_of_height(ADULT));
        for (uint32_t column = 36; column < 42; column++) {
            tr_surface_place under = tr_surface_place_of(world.surface, column, 42, 0);
            CHECK(under.cell != TR_NONE && under.room >= CHILD && under.room < ADULT);
            tr_surface_place before = tr_surface_place_of(world.surface, column, 41, 0);
            tr_obstacle obstacle = TR_OBSTACLE_NONE;
            CHECK(adult && tr_surface_route_neighbour(adult, &before, 1, &obstacle).cell == TR_NONE);
            CHECK_INT(obstacle, TR_OBSTACLE_PASS);
            CHECK(child && tr_surface_route_neighbour(child, &before, 1, &obstacle).cell == under.cell);
        }
        tr_surface_route_destroy(child);
        tr_surface_route_destroy(adult);
    }
    tear_down(&world);
}

// The floor cell of the stairs scene at a place.
static tr_surface_place floor_at(const test_world *world, float x, float z, float y) {
    return tr_surface_drop(world->surface, tr_vec3_make(x, y, z), 0.02f);
}

TEST(an_adult_crosses_the_trench_a_child_does_not_and_nobody_the_pit) {
    test_world world;
    if (set_up("stairs", 0, &world)) {
        tr_surface_route *adult = surface_route_for(&world, tr_surface_route_body_of_height(ADULT));
        tr_surface_route *child = surface_route_for(&world, tr_surface_route_body_of_height(CHILD));
        tr_surface_place edge = floor_at(&world, 3.1f, 14.5f, 0.6f),
                         rim = floor_at(&world, 2.7f, 11.3f, 0.6f);
        tr_obstacle obstacle = TR_OBSTACLE_NONE;
        REQUIRE(adult && child && edge.cell != TR_NONE && rim.cell != TR_NONE);
        tr_surface_place across = tr_surface_route_neighbour(adult, &edge, 3, &obstacle);
        CHECK(across.cell != TR_NONE && across.row == edge.row - 3);
        CHECK_INT(obstacle, TR_OBSTACLE_CROSS);
        CHECK(tr_surface_route_neighbour(child, &edge, 3, NULL).cell == TR_NONE);
        CHECK(tr_surface_route_neighbour(adult, &rim, 3, &obstacle).cell == TR_NONE);
        CHECK_INT(obstacle, TR_OBSTACLE_GAP);
        tr_surface_route_destroy(adult);
        tr_surface_route_destroy(child);
    }
    tear_down(&world);
}

TEST(nobody_stands_upright_under_the_stairs_or_the_kiln) {
    static const struct {
        const char *name;
        float x, z, floor;
        bool for_children;
    } places[] = {{"stairs", 8.3f, 8.6f, 0.6f, false}, {"factory", 18.75f, 17.4f, 0, true}};
    for (uint32_t i = 0; i < 2; i++) {
        test_world world;
        if (set_up(places[i].name, 0, &world)) {
            tr_surface_route *adult = surface_route_for(&world, tr_surface_route_body_of_height(ADULT));
            tr_surface_route *child = surface_route_for(&world, tr_surface_route_body_of_height(CHILD));
            tr_surface_place under = floor_at(&world, places[i].x, places[i].z, places[i].floor + 0.02f);
            REQUIRE(adult && child && under.cell != TR_NONE);
            CHECK(under.room < ADULT);
            CHECK_INT(under.room >= CHILD, places[i].for_children);
            CHECK_INT(tr_surface_route_mark_border(adult, &world.sample.goal, 1, NULL), TR_OK);
            CHECK_INT(tr_surface_route_state_of(adult, under.cell), TR_SURFACE_ROUTE_UNSEEN);
            tr_surface_route_destroy(adult);
            tr_surface_route_destroy(child);
        }
        tear_down(&world);
    }
}

static uint32_t count_moves(const tr_surface_route *route, tr_obstacle obstacle) {
    tr_surface_route_result result = tr_surface_route_last(route);
    uint32_t count = 0;
    for (uint32_t i = 0; i < result.cell_count; i++)
        count += result.cells[i].obstacle == obstacle;
    return count;
}

TEST(the_way_through_the_house_leads_up_the_stairs_and_over_the_gap) {
    test_world world;
    if (set_up("house", 4, &world)) {
        tr_surface_route *route = walk(&world, with_shoulders(ADULT), "house");
        REQUIRE(route);
        CHECK_INT(count_moves(route, TR_OBSTACLE_CROSS), 1);
        CHECK_INT(count_moves(route, TR_OBSTACLE_STEP_ON), 16);
        CHECK_INT(count_moves(route, TR_OBSTACLE_STEP_DOWN), 0);
        tr_vec3 garden = {13, 0, 8.4f}; // steps and a ramp lead on
        CHECK_INT(find(route, TR_SURFACE_ROUTE_BORDER_AVOID, world.sample.goal, garden), TR_OK);
        tr_surface_route_destroy(route);
        tr_ground_body careful = with_shoulders(ADULT);
        careful.foot_span = 0.4f;
        route = surface_route_for(&world, careful);
        REQUIRE(route); // without a long step there is no way round the gap, not even along a wall
        CHECK_INT(find(route, TR_SURFACE_ROUTE_BORDER_IGNORE, world.sample.start, world.sample.goal),
                  TR_NOT_FOUND);
        tr_vec3 balcony = {11.8f, 2.85f, 6.5f};
        CHECK_INT(find(route, TR_SURFACE_ROUTE_BORDER_AVOID, world.sample.start, balcony), TR_OK);
        tr_surface_route_destroy(route);
    }
    tear_down(&world);
}

TEST(every_room_of_the_house_can_be_entered) {
    static const tr_vec3 rooms[] = {{3.0f, 0.05f, 3.4f}, {8.0f, 0.05f, 3.6f}, {3.6f, 2.85f, 4.4f},
                                    {8.0f, 2.85f, 3.6f}, {2.2f, 2.85f, 6.4f}, {0.5f, 0, 6.1f},
                                    {5.0f, 0.0f, 10.4f}, {11.8f, 2.85f, 5.9f}};
    test_world world;
    if (set_up("house", 1, &world)) {
        tr_surface_route *route = surface_route_for(&world, with_shoulders(ADULT));
        for (uint32_t i = 0; route && i < sizeof rooms / sizeof rooms[0]; i++)
            if (find(route, TR_SURFACE_ROUTE_BORDER_AVOID, world.sample.start, rooms[i]) != TR_OK)
                test_failed(__FILE__, __LINE__, "no way to %g %g %g", (double)rooms[i].x, (double)rooms[i].y,
                            (double)rooms[i].z);
        tr_surface_route_destroy(route);
    }
    tear_down(&world);
}

// A window of the city: the fence leaves the footbridge as the only way over the street. Cells of 0.1 m keep
// the test short.
static void cross_the_city(uint64_t seed) {
    test_world world = {.raster = NULL};
    REQUIRE(tr_sample_make(&(tr_sample_def){.name = "city", .seed = seed}, &world.sample, NULL) == TR_OK);
    tr_voxel_grid grid = grid_of(&world.sample);
    grid.grid.origin = (tr_vec2){30, 70};
    grid.grid.cell = 0.1f;
    grid.grid.columns = 350;
    grid.grid.rows = 430;
    if (build_on(&world, grid)) {
        tr_surface_route *route = walk(&world, with_shoulders(ADULT), "city");
        REQUIRE(route);
        bool is_over_the_street = false;
        tr_surface_route_result result = tr_surface_route_last(route);
        for (uint32_t i = 0; i < result.cell_count; i++) {
            tr_vec3 at = point_of(world.surface, &result.cells[i]);
            is_over_the_street |= fabsf(at.z - 100) < 1 && fabsf(at.y - 4.95f) < 0.01f;
        }
        CHECK(is_over_the_street);
        tr_surface_route_destroy(route);
    }
    tear_down(&world);
}

TEST(in_the_city_the_footbridge_and_the_stairs_lead_to_the_upper_storey) {
    for (uint64_t seed = 0; seed < 3; seed++)
        cross_the_city(seed);
}
