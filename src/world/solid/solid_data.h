// How the trees of a solid are stored, and the declarations that its files share. Internal to world/.
#pragma once
#include "world/scene/scene_data.h"
#include "troupe/world/solid.h"

#define SOLID_WIDTH 8          // children of a node, and triangles of a packet
#define SOLID_LEAF 0x80000000u // marks a child that is a packet
#define SOLID_DEPTH_MAX 72     // levels of a tree: from the 40th on it is halved by number
#define SOLID_STACK ((SOLID_WIDTH - 1) * SOLID_DEPTH_MAX + SOLID_WIDTH)

// Boxes as middle and half size, slightly enlarged, so that rounding in a query never makes a box smaller
// than its content. An empty child has a negative half size.
typedef struct solid_node {
    float middle[3][SOLID_WIDTH], half[3][SOLID_WIDTH];
    uint32_t child[SOLID_WIDTH]; // a node, or SOLID_LEAF and a packet
} solid_node;

// Corner coordinates as structure of arrays: x, y, z of the first, second and third corner. NaN where there
// is no triangle, or no longer one. `slack` [m]: the error of a distance in floats; negative for a triangle
// too thin for floats to distinguish its inside from its edges.
typedef struct solid_packet {
    float corner[9][SOLID_WIDTH];
    float slack[SOLID_WIDTH];
} solid_packet;

typedef struct solid_name {
    uint32_t object, triangle;
} solid_name;

// Children come after their parents. Zero is valid: an empty tree.
typedef struct solid_tree {
    solid_node *nodes;
    tr_box *boxes; // of each node
    solid_packet *packets;
    solid_name *names; // SOLID_WIDTH for each packet
    uint32_t node_count, node_capacity, packet_count;
    uint32_t triangle_count; // in the tree now
} solid_tree;

// Triangles to be put into a tree: three corners each, in the world. Zero is valid.
typedef struct solid_list {
    tr_vec3 *corners;
    solid_name *names;
    uint32_t count, corner_capacity, name_capacity; // corner_capacity counts triangles
} solid_list;

// The state of an object of the scene at the last update.
typedef struct solid_object {
    uint64_t revision;
    tr_affine placement;
    tr_box bounds;  // empty when the object is not shown
    uint32_t mover; // the object's own tree; TR_NONE: none
    bool large;     // the object is in the large tree
    // The shape of the trees depends on where the objects were when they were built.
    bool was_large;
    uint32_t mesh;  // the mesh in the large tree, and
    tr_affine laid; // its placement there
} solid_object;

typedef struct solid_mover {
    solid_tree tree;
    solid_list drawn; // the triangles that a drawn object emitted
    tr_affine built;  // the placement of the object when the tree was built
    bool shown;
} solid_mover;

// One query, prepared: the line from `a` along `u`, and the values that boxes are compared with.
typedef struct solid_probe {
    tr_vec3 from, to;              // as they were given
    float a[3], u[3];              // [m]
    float squared, inverse;        // of the length of u; 0 for a point
    float middle[3], half[3];      // of its box
    float across[3][2];            // u x axis, of unit length: (z, -y), (-z, x), (y, -x)
    float across_size[3][2];       // without signs
    float along[3], along_size[3]; // u, of unit length
    float half_length;
    float slack;     // rounding error between the line and a triangle, besides the triangle's own [m]
    float box_slack; // rounding error between the line and a box [m]
    float ill;       // the greatest excess of the squared distance of nearly parallel lines [m^2]
} solid_probe;

// The state of a search through several trees.
typedef struct solid_search {
    solid_probe probe;
    float limit;       // [m]: only nearer triangles count
    float radius;      // clearance: a distance up to this ends the search [m]
    float low, high;   // clearance: the distance is between the two [m]
    bool found;        // exact: something nearer than the limit was found...
    tr_solid_hit *hit; // ...and written here (may be NULL)
    bool touches;      // clearance: something is certainly within the radius
} solid_search;

typedef struct solid_grid solid_grid;
typedef struct solid_nearest solid_nearest;

typedef struct solid_kernel {
    // The nearest triangle, exactly: lowers search->limit.
    void (*nearest)(const solid_tree *tree, solid_search *search);
    // Bounds of the distance, in floats: lowers low, high and limit until something certainly touches.
    void (*clear)(const solid_tree *tree, solid_search *search);
    // Which boxes of a node overlap a box with this middle and half size: one bit for each.
    uint32_t (*near)(const solid_node *node, const float middle[3], const float half[3]);
    // See solid_grid.h.
    void (*foot)(const solid_tree *tree, solid_nearest *nearest);
    bool (*glance)(const solid_grid *grid, tr_vec3 a, tr_vec3 b, float wanted, float *low, float *high);
} solid_kernel;
void tr_solid_nearest_4(const solid_tree *tree, solid_search *search);
void tr_solid_nearest_8(const solid_tree *tree, solid_search *search);
void tr_solid_clear_4(const solid_tree *tree, solid_search *search);
void tr_solid_clear_8(const solid_tree *tree, solid_search *search);
uint32_t tr_solid_near_4(const solid_node *node, const float middle[3], const float half[3]);
uint32_t tr_solid_near_8(const solid_node *node, const float middle[3], const float half[3]);

struct tr_solid {
    tr_allocator allocator;
    tr_tasks *tasks;
    const tr_scene *scene;
    uint32_t exclude_tags, exclude_object;
    uint32_t lanes;
    solid_kernel kernel;
    solid_tree large;
    solid_grid *grid; // of the large tree; NULL: none
    solid_object *objects;
    solid_mover *movers;
    solid_node *tops; // the boxes of the movers, eight to a node; empty where one is not shown
    uint32_t object_count, object_capacity, mover_count, mover_capacity, top_capacity;
    uint64_t revision; // of the scene at the last update
    uint64_t build_us, refit_us;
};

// --- solid_build.c ---
// Builds a tree from the triangles of the list; on success the old content of *tree is released.
// TR_OUT_OF_MEMORY: *tree is unchanged.
tr_status tr_solid_tree_build(solid_tree *tree, const tr_allocator *allocator, const solid_list *list,
                              tr_error *error);
void tr_solid_tree_release(solid_tree *tree, const tr_allocator *allocator);
void tr_solid_tree_refit(solid_tree *tree); // fits the boxes to the current corners
void tr_solid_tree_set(solid_tree *tree, uint32_t slot, const tr_vec3 corners[3]); // refit afterwards
void tr_solid_tree_drop(solid_tree *tree, uint32_t object); // removes the object's triangles; refits
uint64_t tr_solid_tree_bytes(const solid_tree *tree);
void tr_solid_node_set(solid_node *node, uint32_t child, tr_box box);
static inline tr_box solid_tree_bounds(const solid_tree *tree) {
    return tree->node_count ? tree->boxes[0] : tr_box_empty();
}

// --- solid_take.c ---
// Takes the whole scene into an empty solid, or what changed since.
tr_status tr_solid_take(tr_solid *solid, tr_error *error);
tr_status tr_solid_take_changes(tr_solid *solid, tr_box *changed, tr_error *error);
// Creates an empty solid from the definition.
tr_status tr_solid_begin(const tr_solid_def *def, tr_solid **solid, tr_error *error);
tr_status tr_solid_reserve_objects(tr_solid *solid, tr_error *error);
// Rebuilds trees as they were: the large one, from all objects that were in it, without those that have left
// it; and the tree of the next mover, which belongs to the object.
tr_status tr_solid_rebuild_large(tr_solid *solid, tr_error *error);
tr_status tr_solid_rebuild_mover(tr_solid *solid, uint32_t object, const tr_affine *built, bool shown,
                                 tr_error *error);
void tr_solid_list_release(solid_list *list, const tr_allocator *allocator);
