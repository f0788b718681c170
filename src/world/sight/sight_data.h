// How eyes and a memory are stored. Internal to world/.
#pragma once
#include "troupe/world/sight.h"
#include "world/scene/scene_data.h"

typedef struct sight_memory {
    uint64_t revision; // of the true object when it was last seen; 0: never
    double seen_at;
    bool seen;
} sight_memory;

struct tr_sight {
    tr_allocator allocator;
    tr_sight_def def;
    tr_scene *believed; // with the meshes of the true scene
    sight_memory *memories;
    uint32_t memory_capacity; // one for each object of `believed`
    tr_depth_map maps[2];     // of the true scene, and of the remembered one
    tr_depth_camera camera;
    bool looked;
};
