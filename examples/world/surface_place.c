// Places of a two-storey house that a game remembers: a cell is one number, which says where it is as long as
// the revision of the surface stays the same.
#include "troupe/world/sample.h"
#include "troupe/world/surface.h"

#include <stdio.h>

// What a game keeps for a guard post or a save point.
typedef struct post {
    uint32_t cell;
    uint64_t revision; // of the surface that numbered the cell
} post;

// The nearest place around a point where an adult can stand upright: a game may well say a point inside a
// railing.
static bool choose(const tr_surface *surface, tr_vec3 wish, post *chosen) {
    tr_surface_place place = tr_surface_nearest(surface, wish, 2, 1.8f);
    if (place.cell == TR_NONE) {
        printf("nobody can stand within 2 m of (%.2f, %.2f, %.2f)\n", wish.x, wish.y, wish.z);
        return false;
    }
    tr_vec3 centre = tr_surface_centre(surface, &place);
    printf("near (%.2f, %.2f, %.2f): cell %u at (%.2f, %.2f, %.2f)\n", wish.x, wish.y, wish.z, place.cell,
           centre.x, centre.y, centre.z);
    *chosen = (post){place.cell, tr_surface_revision(surface)};
    return true;
}

static void go_to(const tr_surface *surface, post where) {
    if (where.revision != tr_surface_revision(surface)) {
        printf("cell %u may be another one by now: choose again\n", where.cell);
        return;
    }
    tr_surface_place place = tr_surface_find(surface, where.cell);
    tr_vec3 centre = tr_surface_centre(surface, &place);
    printf("cell %u is in column %u, row %u: go to (%.2f, %.2f, %.2f)\n", where.cell, place.column, place.row,
           centre.x, centre.y, centre.z);
}

static tr_status run(tr_sample *house, tr_raster *raster, tr_surface *surface, tr_error *error) {
    post deck, nowhere;
    const tr_vec3 in_a_railing = {18.6f, 2.85f, 8.34f};
    tr_status status = tr_surface_build(surface, raster, house->scene, error);
    if (status != TR_OK)
        return status;
    choose(surface, (tr_vec3){6, 20, 5}, &nowhere); // high above the house
    if (!choose(surface, in_a_railing, &deck))
        return TR_NOT_FOUND;
    go_to(surface, deck);

    printf("a chair is moved\n");
    tr_affine placement = tr_scene_object(house->scene, house->first_movable).placement;
    placement.m[0][3] += 0.4f;
    status = tr_scene_place(house->scene, house->first_movable, &placement);
    if (status == TR_OK)
        status = tr_surface_update(surface, raster, house->scene, NULL, error);
    if (status != TR_OK)
        return status;
    go_to(surface, deck);
    if (choose(surface, in_a_railing, &deck))
        go_to(surface, deck);
    return TR_OK;
}

int main(void) {
    const tr_sample_def sample = {.name = "house"};
    const tr_raster_def soft = {.backend = TR_RASTER_SOFT};
    tr_sample house = {.scene = NULL};
    tr_raster *raster = NULL;
    tr_surface *surface = NULL;
    tr_error error = {.message = "no memory"};
    tr_surface_def def = tr_surface_def_default();
    tr_status status = tr_sample_make(&sample, &house, &error);
    if (status == TR_OK)
        status = tr_voxel_grid_cover(tr_scene_bounds(house.scene), 0.1f, 0.05f, 0, 0, &def.grid, &error);
    if (status == TR_OK)
        status = tr_raster_create(&soft, &raster, &error);
    if (status == TR_OK)
        status = tr_surface_create(&def, &surface, &error);
    if (status == TR_OK)
        status = run(&house, raster, surface, &error);
    if (status != TR_OK)
        fprintf(stderr, "%s\n", error.message);
    tr_surface_destroy(surface);
    tr_raster_destroy(raster);
    tr_scene_destroy(house.scene);
    return status == TR_OK ? 0 : 1;
}
