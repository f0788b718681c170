#include "scene_undo.h"
#include "scene_data.h"

#include <string.h>

void tr_scene_undo(tr_scene *scene, uint32_t mesh_count, uint32_t object_count) {
    while (scene->object_count > object_count) {
        scene_object *object = &scene->objects[--scene->object_count];
        if (object->name)
            tr_release(&scene->allocator, object->name, strlen(object->name) + 1, 1);
        tr_trajectory_destroy(object->trajectory);
    }
    while (scene->mesh_count > mesh_count)
        tr_mesh_destroy(&scene->allocator, &scene->meshes[--scene->mesh_count]);
}
