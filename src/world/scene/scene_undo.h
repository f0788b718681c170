// Removes what was just added to a scene, so that a reader that runs out of memory halfway leaves it
// unchanged. Internal: numbers returned by tr_scene_add_* are used again afterwards.
#pragma once
#include "troupe/world/scene.h"

// Removes all meshes from `mesh_count` on and all objects from `object_count` on. No remaining object may use
// such a mesh.
void tr_scene_undo(tr_scene *scene, uint32_t mesh_count, uint32_t object_count);
