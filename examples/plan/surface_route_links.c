// A lift in the sample house: who wants to go up takes it, and the stairs while it is closed. Before any
// search, somebody looks around: what is on each side, and which places can be walked to straight away.
#include "troupe/plan/surface_route.h"
#include "troupe/world/sample.h"

#include <stdio.h>

static const tr_vec3 from = {8, 0.3f, 6.8f}, upstairs = {9.4f, 3, 6.2f};

// Feels for walls, steps and edges, as a character does that a player steers.
static void look_around(const tr_surface_route *route, tr_vec3 point) {
    static const char *const sides[] = {"+x", "+z", "-x", "-z"};
    static const char *const words[] = {
        "level ground",      "a step up",  "a step down", "a gap to step across", "a thing to step over",
        "a wall or an edge", "a wide gap", "a low roof",  "the end of the world"};
    const tr_surface *surface = tr_surface_route_surface(route);
    for (uint32_t side = 0; side < TR_SURFACE_ROUTE_DIRECTIONS; side++) {
        tr_surface_place at = tr_surface_drop(surface, point, 0.3f), next = at;
        tr_obstacle obstacle = TR_OBSTACLE_NONE;
        uint32_t steps = 0;
        while (next.cell != TR_NONE && obstacle == TR_OBSTACLE_NONE) {
            at = next;
            next = tr_surface_route_neighbour(route, &at, side, &obstacle);
            steps++;
        }
        printf("  %s: %s after %.1f m\n", sides[side], words[obstacle],
               (double)(steps - 1) * (double)tr_surface_grid(surface)->grid.cell);
    }
}

// No search is needed where one can walk straight: one look along the line is much cheaper.
static void look_at(const tr_surface_route *route, tr_vec3 to) {
    const tr_surface *surface = tr_surface_route_surface(route);
    tr_surface_place here = tr_surface_drop(surface, from, 0.3f), there = tr_surface_drop(surface, to, 0.3f);
    bool straight =
        here.cell != TR_NONE && there.cell != TR_NONE && tr_surface_route_sees(route, &here, &there);
    printf("  to (%g, %g, %g): %s\n", (double)to.x, (double)to.y, (double)to.z,
           straight ? "straight ahead" : "needs a search");
}

static tr_status go_up(tr_surface_route *route, const char *when, tr_error *error) {
    tr_surface_route_params params = tr_surface_route_params_default();
    params.border = TR_SURFACE_ROUTE_BORDER_ALLOW;
    tr_status status = tr_surface_route_find(route, &params, from, &upstairs, 1, error);
    tr_surface_route_result way = tr_surface_route_last(route);
    bool by_lift = false;
    for (uint32_t i = 0; i < way.cell_count; i++)
        by_lift = by_lift || way.cells[i].link == 1; // 1 + the number of the link
    if (status == TR_OK)
        printf("the lift is %s: %u cells, by the %s\n", when, way.cell_count, by_lift ? "lift" : "stairs");
    return status;
}

static tr_status run(const tr_surface *surface, tr_error *error) {
    tr_surface_route_def def = {
        .surface = surface, .person = tr_surface_route_body_of_height(1.75f), .border_neighbours = 4};
    tr_ground_link lift = {TR_GROUND_LIFT, {8.6f, 0.3f, 6.2f}, {8.6f, 3, 6.2f}, .both_ways = true, .cost = 3};
    tr_surface_route *route = NULL;
    tr_status status = tr_surface_route_create(&def, &route, error);
    if (status == TR_OK)
        status = tr_surface_route_set_links(route, &lift, 1, error);
    if (status == TR_OK) {
        printf("around (%g, %g, %g):\n", (double)from.x, (double)from.y, (double)from.z);
        look_around(route, from);
        look_at(route, lift.from);
        look_at(route, upstairs);
        status = go_up(route, "open", error);
    }
    if (status == TR_OK) // somebody else rides in it: nothing is built anew
        status = tr_surface_route_close_link(route, 0, true);
    if (status == TR_OK)
        status = go_up(route, "closed", error);
    tr_surface_route_destroy(route);
    return status;
}

int main(void) {
    tr_error error = {.message = "no memory"};
    tr_sample house = {.scene = NULL};
    tr_raster *raster = NULL;
    tr_surface *surface = NULL;
    tr_surface_def def = tr_surface_def_default();
    tr_status status = tr_sample_make(&(tr_sample_def){.name = "house"}, &house, &error);
    if (status == TR_OK)
        status = tr_voxel_grid_cover(tr_scene_bounds(house.scene), 0.1f, 0.1f, 0.2f, 0, &def.grid, &error);
    if (status == TR_OK)
        status = tr_raster_create(&(tr_raster_def){.backend = TR_RASTER_SOFT}, &raster, &error);
    if (status == TR_OK)
        status = tr_surface_create(&def, &surface, &error);
    if (status == TR_OK)
        status = tr_surface_build(surface, raster, house.scene, &error);
    if (status == TR_OK)
        status = run(surface, &error);
    if (status != TR_OK)
        fprintf(stderr, "%s\n", error.message);
    tr_surface_destroy(surface);
    tr_raster_destroy(raster);
    tr_scene_destroy(house.scene);
    return status == TR_OK ? 0 : 1;
}
