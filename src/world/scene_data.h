// How a scene is stored: read by the rasterisers. Internal to world/.
#pragma once
#include "mesh.h"

typedef struct scene_object {
    char *name;    // NULL when it has none
    uint32_t mesh; // TR_NONE for a drawn object
    uint32_t tags;
    tr_affine placement;
    tr_box bounds; // in the world
    uint64_t revision;
    tr_trajectory *trajectory;
    tr_drawn_def drawn; // `emit` is NULL unless this is a drawn object
    bool removed;
} scene_object;

struct tr_scene {
    tr_allocator allocator;
    tr_mesh *meshes;
    scene_object *objects;
    uint32_t mesh_count, mesh_capacity, object_count, object_capacity;
    uint64_t identity; // when it was made [ns]: tells it from an earlier scene at the same address
    uint64_t revision; // of the scene: the source of all revisions of objects
    double time;
};
