// Put a few boxes and a curtain that the program draws itself into a scene, move one, take another away, draw
// the curtain, and see what the scene knows of them.
#include "troupe/world/scene.h"

#include <stdio.h>

// A curtain of two triangles whose width changes; the program keeps it, the scene asks for it.
static void emit_curtain(void *user, tr_triangle_sink *sink) {
    float right = *(const float *)user;
    const tr_vec3 corners[6] = {{0, 0, 3}, {right, 0, 3}, {right, 2, 3}, {0, 0, 3}, {right, 2, 3}, {0, 2, 3}};
    sink->take(sink, corners, 2);
}

static void print_object(const tr_scene *scene, uint32_t number) {
    tr_object_view object = tr_scene_object(scene, number);
    if (object.removed)
        printf("  %u  removed\n", number);
    else
        printf("  %u  %-7s x %5.2f to %5.2f, z %5.2f to %5.2f, tags %u, revision %llu\n", number, object.name,
               object.bounds.min.x, object.bounds.max.x, object.bounds.min.z, object.bounds.max.z,
               object.tags, (unsigned long long)object.revision);
}

int main(void) {
    // A box of one metre, about the middle of its bottom.
    static const tr_vec3 corners[8] = {{-0.5f, 0, -0.5f}, {0.5f, 0, -0.5f}, {-0.5f, 1, -0.5f},
                                       {0.5f, 1, -0.5f},  {-0.5f, 0, 0.5f}, {0.5f, 0, 0.5f},
                                       {-0.5f, 1, 0.5f},  {0.5f, 1, 0.5f}};
    static const uint32_t faces[36] = {0, 1, 3, 0, 3, 2, 4, 6, 7, 4, 7, 5, 0, 4, 5, 0, 5, 1,
                                       2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7, 3};
    const tr_mesh_def box = {"box", corners, 8, faces, 12};
    tr_scene *scene = NULL;
    tr_error error;
    uint32_t mesh, chair, table, curtain;
    float right = 3; // where the curtain ends
    if (tr_scene_create(NULL, &scene) != TR_OK || tr_scene_add_mesh(scene, &box, &mesh, &error) != TR_OK)
        return 1;
    // Two objects share the mesh.
    tr_object_def chair_def = {"chair", mesh, tr_affine_place(tr_vec3_make(1, 0, 1), 0.5), 0};
    tr_object_def table_def = {"table", mesh, tr_affine_place(tr_vec3_make(4, 0, 2), 0), TR_TAG_NO_STEP};
    tr_drawn_def curtain_def = {
        .name = "curtain", .bounds = {{0, 0, 3}, {right, 2, 3}}, .user = &right, .emit = emit_curtain};
    if (tr_scene_add_object(scene, &chair_def, &chair, &error) != TR_OK ||
        tr_scene_add_object(scene, &table_def, &table, &error) != TR_OK ||
        tr_scene_add_drawn(scene, &curtain_def, &curtain, &error) != TR_OK)
        return 1;
    printf("%u objects of %u mesh, %llu triangles, %llu bytes\n", tr_scene_object_count(scene),
           tr_scene_mesh_count(scene), (unsigned long long)tr_scene_triangle_count(scene),
           (unsigned long long)tr_scene_bytes(scene));
    print_object(scene, chair);
    print_object(scene, table);
    print_object(scene, curtain);

    printf("the chair is dragged, the table taken away\n");
    tr_affine dragged = tr_affine_place(tr_vec3_make(2, 0, 1), 1.2);
    tr_scene_place(scene, tr_scene_find(scene, "chair"), &dragged);
    tr_scene_remove_object(scene, table);
    print_object(scene, chair);
    print_object(scene, table);

    printf("the curtain is drawn back; grounds and solids of the scene take notice with their next update\n");
    right = 0.5f;
    if (tr_scene_touch(scene, curtain, (tr_box){{0, 0, 3}, {right, 2, 3}}) != TR_OK)
        return 1;
    print_object(scene, curtain);

    dragged.m[0][3] = INFINITY; // bad input changes nothing
    printf("a chair at infinity: %s\n", tr_status_name(tr_scene_place(scene, chair, &dragged)));
    chair_def.mesh = 7;
    if (tr_scene_add_object(scene, &chair_def, &chair, &error) != TR_OK)
        printf("a chair without a mesh: %s\n", error.message);
    tr_scene_destroy(scene);
    return 0;
}
