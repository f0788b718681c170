// How a scene is stored; the rasterisers read it. Internal to world/.
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
    uint64_t trajectory_revision; // of the scene when the trajectory was set
    tr_drawn_def drawn;           // `emit` is NULL unless this is a drawn object
    bool removed;
} scene_object;

// The region that a drawn object may reach: its declared bounds and a little more, because bounds and
// triangles may have been rounded differently.
static inline tr_box drawn_reach(tr_box promised) {
    tr_vec3 size = tr_vec3_subtract(promised.max, promised.min);
    tr_vec3 room = tr_vec3_make(size.x * 1e-5f + 1e-5f, size.y * 1e-5f + 1e-5f, size.z * 1e-5f + 1e-5f);
    tr_box reach = {tr_vec3_subtract(promised.min, room), tr_vec3_add(promised.max, room)};
    return reach;
}

// Whether the bit of an object is set in a set of excluded objects (may be NULL).
static inline bool scene_is_excluded(const uint64_t *exclude, uint32_t count, uint32_t object) {
    return exclude && object < count && (exclude[object / 64] >> (object & 63) & 1);
}

static inline bool box_holds(const tr_box *box, tr_vec3 p) {
    return p.x >= box->min.x && p.x <= box->max.x && p.y >= box->min.y && p.y <= box->max.y &&
           p.z >= box->min.z && p.z <= box->max.z; // false for NaN
}

struct tr_scene {
    tr_allocator allocator;
    tr_mesh *meshes;
    scene_object *objects;
    uint32_t mesh_count, mesh_capacity, object_count, object_capacity;
    uint64_t identity; // its creation time [ns]: distinguishes it from an earlier scene at the same address
    uint64_t revision; // of the scene: the source of all revisions of objects
    double time;
};
