// The ground in front of a walker: a step, a pit, and a table to walk under.
#include "troupe/world/profile.h"

#include <math.h>
#include <stdio.h>

// A level rectangle of triangles.
static void add_plate(tr_scene *scene, float x, float y, float from, float to) {
    const tr_vec3 corners[4] = {{-x, y, from}, {x, y, from}, {x, y, to}, {-x, y, to}};
    const uint32_t indices[6] = {0, 2, 1, 0, 3, 2};
    tr_mesh_def mesh = {.positions = corners, .position_count = 4, .indices = indices, .triangle_count = 2};
    tr_object_def def = {.placement = tr_affine_identity()};
    uint32_t object;
    if (tr_scene_add_mesh(scene, &mesh, &def.mesh, NULL) == TR_OK)
        tr_scene_add_object(scene, &def, &object, NULL);
}

int main(void) {
    tr_scene *scene = NULL;
    tr_solid *solid = NULL;
    tr_profile *profile = NULL;
    if (tr_scene_create(NULL, &scene) != TR_OK)
        return 1;
    add_plate(scene, 1, 0, -1, 0.8f);
    add_plate(scene, 1, 0.18f, 0.8f, 1.4f);
    add_plate(scene, 1, -0.5f, 1.4f, 1.9f); // the bottom of a pit
    add_plate(scene, 1, 0.1f, 1.9f, 4);
    add_plate(scene, 1, 0.85f, 2.3f, 2.7f); // a table
    tr_solid_def solid_def = tr_solid_def_default(scene);
    tr_profile_def def = tr_profile_def_default();
    if (tr_solid_create(&solid_def, &solid, NULL) != TR_OK ||
        tr_profile_create(&def, &profile, NULL) != TR_OK)
        return 1;

    const tr_vec2 path[2] = {{0, 0}, {0, 3}};
    tr_profile_query query = {solid, path, 2, .height = 0, .knee = 0.45f, .reach = 0.9f};
    if (tr_profile_cut(profile, &query, NULL) != TR_OK)
        return 1;
    tr_profile_view view = tr_profile_look(profile);
    for (uint32_t column = 10; column < view.columns; column += 20) {
        uint32_t cell = column * view.rows + view.rows / 2;
        printf("%.1f m ahead: floor at %5.2f m, to clear %5.2f m", (double)((float)column * view.cell),
               (double)view.floor[cell], (double)view.top[cell]);
        if (isfinite(view.under[cell]))
            printf(", overhang from %.2f m", (double)view.under[cell]);
        printf("\n");
    }
    float heading, along, aside;
    tr_vec2 place = tr_profile_place(profile, 1.2f, 0.07f, &heading);
    tr_profile_find(profile, place, &along, &aside);
    printf("a left foot at (%.2f, %.2f) stands %.2f m along the path, %.2f m to its left\n", (double)place.x,
           (double)place.z, (double)along, (double)aside);
    tr_profile_destroy(profile);
    tr_solid_destroy(solid);
    tr_scene_destroy(scene);
    return 0;
}
