// How eyes and a memory are stored. Internal to world/.
#pragma once
#include "troupe/world/sight.h"
#include "base/archive.h"
#include "world/scene/scene_data.h"

typedef struct sight_memory {
    uint64_t revision; // of the true object when it was last noticed
    double seen_at;
    bool seen, noticed; // noticed: seen, or known from the beginning
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

// Takes over what is new in the true scene, without looking. Call it before the remembered scene is read.
tr_status tr_sight_follow(tr_sight *sight, tr_error *error);

// Writes or reads what is remembered. Read into new eyes for the same objects, which are placed as they were
// when it was written. What was last seen is not saved.
void tr_sight_archive(tr_sight *sight, tr_archive *archive);
