// From a scene to its walkable surface and the body that walks on it.
#include "route_surface.h"
#include "troupe/base/clock.h"

#include <stdio.h>

#define CELL_DEFAULT 0.2     // about the distance between the feet [m]
#define LAYER_DEFAULT 0.1    // [m]
#define STATURE_DEFAULT 1.75 // of a person, as on a stage [m],
#define HEIGHT_DEFAULT 1.8   // and in the experiments of the paper [m]
#define DEGREE (3.14159265358979323846 / 180)

static void choose_person(const route_request *request, surface_world *world) {
    const scene_options *scene = &request->scene;
    const surface_options *options = &request->surface;
    double height = options->person[0] > 0         ? options->person[0]
                    : scene->has_body              ? scene->body[0]
                    : request->planner == ROUTE_GO ? STATURE_DEFAULT
                                                   : HEIGHT_DEFAULT;
    world->person = tr_surface_route_body_of_height((float)height);
    world->slope = scene->body[3];
    world->person.radius = (float)(options->person[1] > 0 ? options->person[1] : scene->body[1]);
    if (scene->body_count > 2)
        world->person.foot_rise = (float)scene->body[2];
    if (options->span > 0)
        world->person.foot_span = (float)options->span;
}

tr_status surface_world_area(const route_request *request, const surface_world *world, double usual,
                             tr_box *box, double *cell, tr_error *error) {
    const scene_options *scene = &request->scene;
    *box = tr_scene_bounds(world->scene.sample.scene);
    if (scene->has_area) {
        box->min.x = (float)scene->area[0], box->min.z = (float)scene->area[1];
        box->max.x = (float)scene->area[2], box->max.z = (float)scene->area[3];
    }
    double width = (double)box->max.x - (double)box->min.x, depth = (double)box->max.z - (double)box->min.z,
           longer = fmax(width, depth);
    *cell = scene->cell > 0 ? scene->cell : scene->cells > 0 ? longer / (double)scene->cells : usual;
    if (longer >= *cell && *cell > 0)
        return TR_OK;
    return tr_fail(error, TR_INVALID,
                   "%s is %g x %g m seen from above, smaller than a cell of %g m: see --cell", world->name,
                   width, depth, *cell > 0 ? *cell : usual);
}

static tr_status cover(const route_request *request, surface_world *world, tr_error *error) {
    const tr_sample *sample = &world->scene.sample;
    tr_box box;
    double cell, layer = request->surface.layer;
    tr_status status = surface_world_area(
        request, world, sample->cell > 0 ? (double)sample->cell : CELL_DEFAULT, &box, &cell, error);
    if (status != TR_OK)
        return status;
    double height = (double)box.max.y - (double)box.min.y;
    if (!(layer > 0))
        layer = sample->layer > 0 && !(request->scene.cell > 0) ? (double)sample->layer
                                                                : fmin(cell, LAYER_DEFAULT);
    if (!(request->surface.layer > 0) && height / layer > TR_VOXEL_LAYERS_MAX - 2)
        layer = height / (TR_VOXEL_LAYERS_MAX - 2);
    return tr_voxel_grid_cover(box, (float)cell, (float)layer, 0, 0, &world->def.grid, error);
}

// The samples of an experiment come with the paper's grid.
static tr_status choose_grid(const route_request *request, surface_world *world, tr_error *error) {
    const scene_options *scene = &request->scene;
    const tr_sample *sample = &world->scene.sample;
    if (sample->columns == 0 || scene->cell > 0 || scene->cells > 0 || scene->has_area ||
        request->surface.layer > 0)
        return cover(request, world, error);
    tr_voxel_grid grid = {
        .grid = {{sample->ground.min.x, sample->ground.min.z}, sample->cell, sample->columns, sample->rows},
        .bottom = sample->ground.min.y,
        .layer = sample->layer,
        .layers = sample->layers};
    world->def.grid = grid;
    return TR_OK;
}

// Twice the area of all triangles [m^2].
static double scene_area(const tr_scene *scene) {
    double area = 0;
    for (uint32_t i = 0; i < tr_scene_object_count(scene); i++) {
        tr_object_view object = tr_scene_object(scene, i);
        if (object.mesh == TR_NONE)
            continue;
        tr_mesh_view mesh = tr_scene_mesh(scene, object.mesh);
        for (uint32_t k = 0; k < mesh.triangle_count; k++) {
            tr_vec3 corners[3];
            for (int c = 0; c < 3; c++)
                corners[c] =
                    tr_affine_apply(&object.placement, mesh.positions[mesh.indices[3 * k + (uint32_t)c]]);
            area += (double)tr_vec3_length(tr_vec3_cross(tr_vec3_subtract(corners[1], corners[0]),
                                                         tr_vec3_subtract(corners[2], corners[0])));
        }
    }
    return area;
}

uint32_t surface_world_standing(const surface_world *world) {
    const tr_surface *surface = surface_world_surface(world);
    const tr_grid *grid = &world->def.grid.grid;
    uint32_t standing = 0;
    for (uint32_t row = 0; row < grid->rows; row++)
        for (uint32_t column = 0; column < grid->columns; column++) {
            tr_surface_column cells = tr_surface_at(surface, column, row);
            for (uint32_t i = 0; i < cells.count; i++)
                standing += tr_surface_is_for_standing(cells.rooms[i]);
        }
    return standing;
}

tr_status surface_world_check(const surface_world *world, tr_error *error) {
    const tr_scene *scene = world->scene.sample.scene;
    if (surface_world_standing(world) > 0)
        return TR_OK;
    unsigned long long triangles = (unsigned long long)tr_scene_triangle_count(scene);
    if (!(scene_area(scene) > 0))
        return tr_fail(error, TR_INVALID,
                       "%s is degenerate: none of its %llu triangles has an area to stand on", world->name,
                       triangles);
    return tr_fail(
        error, TR_INVALID,
        "no body can stand in %s: all of its %llu triangles are steeper than %g degrees or have no "
        "room above them",
        world->name, triangles, world->slope);
}

// Measures the second run, after memory has been touched.
static tr_status measure(surface_world *world, tr_error *error) {
    uint64_t begin = tr_clock_nanoseconds();
    tr_status status =
        tr_surface_build(world->surface, world->scene.raster, world->scene.sample.scene, error);
    world->project_us = microseconds_since(begin);
    if (status == TR_OK)
        status = tr_surface_route_refresh(world->route, error);
    begin = tr_clock_nanoseconds();
    if (status == TR_OK)
        status = tr_surface_route_mark_border(world->route, NULL, 0, error);
    world->border_us = microseconds_since(begin);
    return status;
}

static tr_status create_route(const route_request *request, surface_world *world, tr_error *error) {
    tr_surface_route_def def = {.surface = world->surface,
                                .person = world->person,
                                .border_neighbours = request->surface.border_cells};
    tr_status status = tr_surface_route_create(&def, &world->route, error);
    if (status == TR_OK)
        status = measure(world, error);
    if (status == TR_OK && request->surface.link_count > 0)
        status = tr_surface_route_set_links(world->route, request->surface.links, request->surface.link_count,
                                            error);
    return status;
}

static tr_status build(const route_request *request, surface_world *world, tr_error *error) {
    scene_job *job = &world->scene;
    tr_status status = tr_surface_build(world->surface, job->raster, job->sample.scene, error);
    if (!scene_job_falls_back(&request->scene, status))
        return status;
    status = scene_job_take_soft(job, error);
    return status == TR_OK ? tr_surface_build(world->surface, job->raster, job->sample.scene, error) : status;
}

const tr_surface *surface_world_surface(const surface_world *world) {
    return world->ground ? tr_ground_surface(world->ground) : world->surface;
}

static tr_status create_surface(const route_request *request, surface_world *world, tr_error *error) {
    world->def = tr_surface_def_default();
    world->def.slope = (float)(world->slope * DEGREE);
    world->def.merge = world->person.foot_rise;
    world->def.guess = !request->surface.no_guess;
    // Steps up to the CLIMB of --body are steps, not furniture.
    if (request->scene.body_count > 2)
        world->def.guess_rise = fmaxf(world->def.guess_rise, world->person.foot_rise);
    // Headroom is counted up to 63 units: enough for this person and a step up.
    float needed = world->person.height + 2 * world->person.foot_rise;
    world->def.room_step = fmaxf(world->def.room_step, needed / (TR_SURFACE_ROOM_MAX - 2));
    world->def.room_least = fminf(world->def.room_least, 0.9f * world->person.height);
    tr_status status = choose_grid(request, world, error);
    if (status == TR_OK)
        status = scene_job_create_raster(&request->scene, &world->scene, error);
    if (status == TR_OK)
        status = tr_surface_create(&world->def, &world->surface, error);
    if (status == TR_OK)
        status = build(request, world, error);
    if (status == TR_OK)
        status = surface_world_check(world, error);
    return status == TR_OK ? create_route(request, world, error) : status;
}

tr_status surface_world_create(const route_request *request, surface_world *world, tr_error *error) {
    world->name = scene_options_name(&request->scene);
    choose_person(request, world);
    tr_status status = scene_job_load(&request->scene, &world->scene, error);
    if (status != TR_OK)
        return status;
    return request->planner == ROUTE_GO ? ground_world_create(request, world, error)
                                        : create_surface(request, world, error);
}

// A failure is not reported: the answer then has no hint.
tr_surface_route *surface_world_plain(const route_request *request, surface_world *world) {
    if (world->plain_tried || !world->def.guess)
        return world->plain_route;
    world->plain_tried = true;
    tr_surface_def def = world->def;
    def.guess = false;
    tr_status status = tr_surface_create(&def, &world->plain_surface, NULL);
    if (status == TR_OK)
        status = tr_surface_build(world->plain_surface, world->scene.raster, world->scene.sample.scene, NULL);
    tr_surface_route_def route = {.surface = world->plain_surface,
                                  .person = world->person,
                                  .border_neighbours = request->surface.border_cells};
    if (status == TR_OK)
        status = tr_surface_route_create(&route, &world->plain_route, NULL);
    if (status == TR_OK && request->surface.link_count > 0)
        status = tr_surface_route_set_links(world->plain_route, request->surface.links,
                                            request->surface.link_count, NULL);
    if (status != TR_OK) {
        tr_surface_route_destroy(world->plain_route);
        world->plain_route = NULL;
    }
    return world->plain_route;
}

void surface_world_destroy(surface_world *world) {
    tr_surface_route_destroy(world->plain_route);
    tr_surface_destroy(world->plain_surface);
    ground_world_destroy(world);
    tr_surface_route_destroy(world->route);
    tr_surface_destroy(world->surface);
    scene_job_destroy(&world->scene);
}

tr_vec3 surface_world_point(const surface_world *world, route_point point) {
    const tr_voxel_grid *grid = &world->def.grid;
    double top = (double)grid->bottom + (double)grid->layer * grid->layers;
    return tr_vec3_make((float)point.x, (float)(point.has_height ? point.y : top), (float)point.z);
}
