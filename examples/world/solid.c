// How near a forearm comes to a table, and to a cup that is pushed along it; then a whole arm at once.
#include "troupe/world/solid.h"

#include <stdio.h>

// A box on the ground plane's axes, as a mesh.
static uint32_t add_box(tr_scene *scene, const char *name, tr_vec3 size, tr_vec3 at) {
    tr_vec3 corners[8];
    for (int i = 0; i < 8; i++)
        corners[i] =
            tr_vec3_make(i & 1 ? size.x : -size.x, i & 2 ? size.y : -size.y, i & 4 ? size.z : -size.z);
    const uint32_t indices[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                  2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    tr_mesh_def mesh_def = {
        .positions = corners, .position_count = 8, .indices = indices, .triangle_count = 12};
    tr_object_def def = {.name = name, .placement = tr_affine_place(at, 0)};
    uint32_t object = TR_NONE;
    if (tr_scene_add_mesh(scene, &mesh_def, &def.mesh, NULL) == TR_OK)
        tr_scene_add_object(scene, &def, &object, NULL);
    return object;
}

int main(void) {
    tr_scene *scene = NULL;
    if (tr_scene_create(NULL, &scene) != TR_OK)
        return 1;
    add_box(scene, "table", tr_vec3_make(0.6f, 0.02f, 0.4f), tr_vec3_make(0, 0.72f, 0.4f));
    uint32_t cup = add_box(scene, "cup", tr_vec3_make(0.04f, 0.05f, 0.04f), tr_vec3_make(0.3f, 0.79f, 0.3f));

    tr_solid_def def = tr_solid_def_default(scene);
    def.clearance_cell = 0.03f; // most questions are then answered by a few look-ups
    def.clearance_box = (tr_box){{-0.8f, 0.5f, -0.4f}, {0.8f, 1.5f, 1}};
    tr_solid *solid = NULL;
    if (tr_solid_create(&def, &solid, NULL) != TR_OK)
        return 1;

    const tr_solid_capsule forearm = {{-0.2f, 0.95f, 0.1f}, {0, 0.86f, 0.3f}, 0.04f};
    for (int i = 0; i <= 4; i++) {
        tr_affine placement = tr_affine_place(tr_vec3_make(0.3f - 0.08f * (float)i, 0.79f, 0.3f), 0);
        tr_scene_place(scene, cup, &placement);
        tr_solid_update(solid, NULL, NULL); // refitted, not built anew
        tr_solid_hit hit = {TR_NONE, TR_NONE, forearm.a, forearm.b};
        float distance = tr_solid_distance(solid, forearm.a, forearm.b, 1, &hit);
        printf("cup at %.2f m: %s, nearest is the %s, %.0f mm from the skin; clear by %.0f mm at least\n",
               (double)(0.3f - 0.08f * (float)i), tr_solid_touches(solid, &forearm) ? "touches" : "free",
               tr_scene_object(scene, hit.object).name, (double)(distance - forearm.radius) * 1000,
               (double)tr_solid_clearance(solid, &forearm, 0.03f) * 1000);
    }
    // All capsules of a body in one call: the one with the least clearance says how far the body may move.
    static const char *const names[] = {"upper arm", "forearm", "hand"};
    const tr_solid_capsule arm[] = {{{-0.2f, 1.4f, -0.1f}, {-0.2f, 0.95f, 0.1f}, 0.05f},
                                    forearm,
                                    {{0, 0.86f, 0.3f}, {0.1f, 0.8f, 0.4f}, 0.03f}};
    float clearances[3];
    tr_solid_clearances(solid, arm, 3, 0.5f, clearances);
    for (int i = 0; i < 3; i++) {
        if (clearances[i] < 0)
            printf("the %s touches something\n", names[i]);
        else
            printf("the %s is clear by %.0f mm at least\n", names[i], (double)clearances[i] * 1000);
    }
    tr_solid_destroy(solid);
    tr_scene_destroy(scene);
    return 0;
}
