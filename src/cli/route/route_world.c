// The world that routes are planned in: the occupancy map of a body in a scene, or the cells of a map file.
#include "route.h"
#include "troupe/base/clock.h"
#include "troupe/io/moving_ai.h"

static tr_status read_map(const char *path, route_world *world, tr_error *error) {
    tr_bytes text;
    tr_status status = tr_file_read(NULL, path, &text, error);
    if (status != TR_OK)
        return status;
    status = tr_moving_ai_read_map(NULL, text.data, text.size, &world->grid, &world->cells, error);
    if (status != TR_OK)
        tr_error_set_file(error, path);
    tr_bytes_free(NULL, &text);
    return status;
}

static tr_status build_scene(const route_request *request, route_world *world, tr_error *error) {
    tr_status status = scene_job_load(&request->scene, &world->scene, error);
    if (status == TR_OK)
        status = scene_job_define(&request->scene, false, false, &world->scene, error);
    if (status == TR_OK)
        status = scene_job_build(&world->scene, error);
    world->grid = world->scene.def.grid;
    world->ground = scene_options_ground(&request->scene, &world->scene);
    if (status == TR_OK)
        scene_job_hint_at_ground(&request->scene, &world->scene);
    return status;
}

// Measures the second run, after memory has been touched: the cost whenever an object has moved.
static tr_status measure_projection(route_world *world, tr_error *error) {
    scene_job *job = &world->scene;
    uint64_t start = tr_clock_nanoseconds();
    tr_status status = TR_OK;
    if (!world->is_plain)
        status = tr_occupancy_build(job->occupancy, job->raster, job->sample.scene, error);
    if (status == TR_OK) {
        const tr_bitmap *blocked = world->is_plain ? &world->cells : tr_occupancy_blocked(job->occupancy);
        status = tr_route_map_set(&world->map, blocked, tr_grid_all(&world->grid));
        if (status != TR_OK)
            tr_fail(error, status, "the cells do not fit the map");
    }
    world->project_us = microseconds_since(start);
    return status;
}

tr_status route_world_create(const route_request *request, route_world *world, tr_error *error) {
    world->is_plain = request->map_path != NULL;
    world->name = world->is_plain ? request->map_path : scene_options_name(&request->scene);
    tr_status status =
        world->is_plain ? read_map(request->map_path, world, error) : build_scene(request, world, error);
    if (status == TR_OK)
        status = tr_route_map_create(NULL, &world->grid, &world->map, error);
    if (status == TR_OK)
        status = measure_projection(world, error);
    if (status == TR_OK)
        status = tr_route_create(NULL, tr_route_map_nodes(&world->map), &world->route, error);
    return status;
}

void route_world_destroy(route_world *world) {
    tr_route_destroy(world->route);
    if (world->map.free)
        tr_route_map_destroy(&world->map);
    if (world->cells.words)
        tr_bitmap_destroy(NULL, &world->cells);
    scene_job_destroy(&world->scene);
}

tr_vec2 route_world_point(const route_world *world, route_point point) {
    double shift = world->is_plain ? 0.5 : 0;
    tr_vec2 made = {(float)(point.x + shift), (float)(point.z + shift)};
    return made;
}

double route_world_x(const route_world *world, tr_vec2 point) {
    return (double)point.x - (world->is_plain ? 0.5 : 0);
}

double route_world_y(const route_world *world) {
    return world->ground;
}

double route_world_z(const route_world *world, tr_vec2 point) {
    return (double)point.z - (world->is_plain ? 0.5 : 0);
}

double route_world_free_percent(const route_world *world) {
    const tr_bitmap *blocked = world->is_plain ? &world->cells : tr_occupancy_blocked(world->scene.occupancy);
    double cells = (double)world->grid.columns * (double)world->grid.rows;
    return 100 * (cells - (double)tr_bitmap_count(blocked)) / cells;
}
