// Two ways lead out of a room. The nearer door shut while nobody looked: somebody who remembers it open goes
// to it, sees that it is shut, and takes the other one.
#include "troupe/world/sight.h"

#include <stdio.h>

static uint32_t add_box(tr_scene *scene, const char *name, tr_vec3 low, tr_vec3 high, uint32_t tags) {
    static const uint32_t indices[36] = {0, 1, 3, 0, 3, 2, 4, 6, 7, 4, 7, 5, 0, 4, 5, 0, 5, 1,
                                         2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7, 3};
    tr_vec3 corners[8];
    for (int i = 0; i < 8; i++)
        corners[i] = tr_vec3_make(i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z);
    tr_mesh_def def = {.positions = corners, .position_count = 8, .indices = indices, .triangle_count = 12};
    tr_object_def object = {.name = name, .placement = tr_affine_identity(), .tags = tags};
    uint32_t number = TR_NONE;
    if (tr_scene_add_mesh(scene, &def, &object.mesh, NULL) == TR_OK)
        tr_scene_add_object(scene, &object, &number, NULL);
    return number;
}

static void say(const tr_scene *scene, const tr_sight *sight, uint32_t object) {
    tr_box real = tr_scene_object(scene, object).bounds,
           believed = tr_scene_object(tr_sight_scene(sight), object).bounds;
    tr_sight_memory memory = tr_sight_recall(sight, object);
    printf("  %s: x = %.1f, believed %s", tr_scene_object(scene, object).name, (double)real.min.x,
           memory.known ? "at " : "to be nowhere\n");
    if (memory.known)
        printf("%.1f%s\n", (double)believed.min.x, memory.seen ? ", seen" : ", not seen yet");
}

int main(void) {
    tr_scene *scene = NULL;
    tr_raster *raster = NULL;
    tr_sight *sight = NULL;
    tr_raster_def soft = {.backend = TR_RASTER_SOFT};
    if (tr_scene_create(NULL, &scene) != TR_OK || tr_raster_create(&soft, &raster, NULL) != TR_OK)
        return 1;
    add_box(scene, "floor", tr_vec3_make(-5, -0.1f, -5), tr_vec3_make(5, 0, 5), TR_TAG_WALKABLE);
    add_box(scene, "wall", tr_vec3_make(-5, 0, 2), tr_vec3_make(1, 2.5f, 2.1f), 0);
    uint32_t door = add_box(scene, "door", tr_vec3_make(0, 0, 2.2f), tr_vec3_make(1, 2, 2.25f), 0);
    tr_sight_def def = {.scene = scene};
    if (tr_sight_create(&def, &sight, NULL) != TR_OK)
        return 1;
    tr_affine shut = tr_affine_identity();
    shut.m[0][3] = 1; // the door slides out from behind the wall
    tr_scene_place(scene, door, &shut);
    printf("looking away\n");
    tr_sight_look(sight, raster, tr_vec3_make(0, 1.6f, -2), tr_vec3_make(0, 0, -1), 0, NULL, NULL);
    say(scene, sight, door);
    printf("turning round\n");
    tr_sight_look(sight, raster, tr_vec3_make(0, 1.6f, -2), tr_vec3_make(0, 0, 1), 1, NULL, NULL);
    say(scene, sight, door);
    tr_depth_map map = tr_sight_map(sight, NULL);
    uint32_t pixels = 0;
    for (uint32_t i = 0; i < map.columns * map.rows; i++)
        pixels += map.objects[i] == door;
    printf("  the door fills %u of %u pixels\n", pixels, map.columns * map.rows);
    printf("it opens again in the dark, and a hand finds it beside the wall\n");
    tr_affine open = tr_affine_identity();
    tr_scene_place(scene, door, &open);
    tr_sight_touch(sight, door, 2, NULL);
    say(scene, sight, door);
    tr_sight_destroy(sight);
    tr_raster_destroy(raster);
    tr_scene_destroy(scene);
    return 0;
}
