// How a hand takes a book from a table: the best grips that do not touch the table.
#include <stdio.h>
#include <troupe/troupe.h>

static tr_status add_box(tr_scene *scene, tr_vec3 low, tr_vec3 high, tr_error *error) {
    static const uint32_t indices[36] = {0, 5, 1, 0, 4, 5, 1, 6, 2, 1, 5, 6, 2, 7, 3, 2, 6, 7,
                                         3, 4, 0, 3, 7, 4, 4, 6, 5, 4, 7, 6, 0, 1, 2, 0, 2, 3};
    tr_vec3 corners[8];
    for (int i = 0; i < 8; i++)
        corners[i] = tr_vec3_make(i % 4 == 1 || i % 4 == 2 ? high.x : low.x, i < 4 ? low.y : high.y,
                                  i % 4 < 2 ? low.z : high.z);
    tr_mesh_def mesh = {.positions = corners, .position_count = 8, .indices = indices, .triangle_count = 12};
    tr_object_def object = {.placement = tr_affine_identity()};
    uint32_t number;
    tr_status status = tr_scene_add_mesh(scene, &mesh, &object.mesh, error);
    return status == TR_OK ? tr_scene_add_object(scene, &object, &number, error) : status;
}

static tr_status make(tr_vec3 low, tr_vec3 high, tr_scene **scene, tr_solid **solid, tr_error *error) {
    tr_status status = tr_scene_create(NULL, scene);
    if (status == TR_OK)
        status = add_box(*scene, low, high, error);
    if (status != TR_OK)
        return status;
    tr_solid_def def = tr_solid_def_default(*scene);
    return tr_solid_create(&def, solid, error);
}

int main(void) {
    tr_scene *scenes[2] = {NULL, NULL};
    tr_solid *book = NULL, *table = NULL;
    tr_error error;
    tr_status status =
        make(tr_vec3_make(-.07f, .75f, -.015f), tr_vec3_make(.07f, .95f, .015f), &scenes[0], &book, &error);
    if (status == TR_OK)
        status =
            make(tr_vec3_make(-.6f, .72f, -.4f), tr_vec3_make(.6f, .75f, .4f), &scenes[1], &table, &error);
    if (status == TR_OK) {
        tr_hand_shape hand = tr_hand_default(TR_ARM_RIGHT, 1.75f);
        tr_grasp_def def = tr_grasp_def_default(&hand, book, tr_scene_bounds(scenes[0]));
        def.others = table;
        tr_grasp grasps[5];
        uint32_t count = 0;
        status = tr_grasp_find(&def, grasps, 5, &count, &error);
        for (uint32_t i = 0; i < count; i++)
            printf("%s grip, quality %.2f: wrist at (%.2f, %.2f, %.2f), %u contacts\n",
                   tr_grip_name(grasps[i].grip), (double)grasps[i].quality, (double)grasps[i].wrist.x,
                   (double)grasps[i].wrist.y, (double)grasps[i].wrist.z, grasps[i].contact_count);
        if (status == TR_OK) {
            tr_grasp higher = grasps[0]; // the same grip, 3 cm further up
            higher.wrist.y += 0.03f;
            status = tr_grasp_close(&def, &higher, &error);
            printf("3 cm further up: quality %.2f\n", (double)higher.quality);
        }
    }
    if (status != TR_OK)
        fprintf(stderr, "grasp: %s\n", error.message);
    tr_solid_destroy(book);
    tr_solid_destroy(table);
    tr_scene_destroy(scenes[0]);
    tr_scene_destroy(scenes[1]);
    return status != TR_OK;
}
