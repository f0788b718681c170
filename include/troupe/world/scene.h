// troupe/world/scene.h - the geometry of the world: triangle meshes, objects that place them, tags, and known
// motions.
//
// A mesh is a set of triangles in its own axes. An object places one mesh (shared by any number of objects)
// in the world and may be moved, tagged or removed at any time. A program that keeps its own geometry
// provides a draw callback instead. Any number of threads may read a scene while no thread changes it.
#pragma once
#include "troupe/world/trajectory.h"

TR_BEGIN_DECLARATIONS

typedef struct tr_scene tr_scene;

// What an object means to a planner. The low half is reserved for Troupe, the high half (TR_TAG_USER << 0 ...
// << 15) is for the user.
typedef enum tr_tag {
    TR_TAG_WALKABLE = 1 << 0,    // bodies walk on it (a floor, a stair)
    TR_TAG_JUMP_OVER = 1 << 1,   // bodies may jump over it
    TR_TAG_CRAWL_UNDER = 1 << 2, // bodies may crawl under it
    TR_TAG_STEP_OVER = 1 << 3,   // bodies may step over it
    TR_TAG_NO_STEP = 1 << 4,     // flat enough to stand on, but not meant for it (a table)
    TR_TAG_CHARACTER = 1 << 5,   // the body of a character
    TR_TAG_UNKNOWN = 1 << 6,     // in the scene of a tr_sight: nobody knows where it is
    TR_TAG_USER = 1 << 16
} tr_tag;

// Copied by tr_scene_add_mesh. Positions must be finite and below TR_SCENE_EXTENT_MAX in magnitude, indices
// in range. Triangles without area are kept: a wall seen edge-on is still a wall, and a point still touches
// its cell.
typedef struct tr_mesh_def {
    const char *name;         // may be NULL
    const tr_vec3 *positions; // [m]
    uint32_t position_count;
    const uint32_t *indices; // three for each triangle
    uint32_t triangle_count; // 0 is allowed: an empty mesh
} tr_mesh_def;

#define TR_SCENE_EXTENT_MAX 1e7f // largest coordinate, of meshes and in the world [m]

typedef struct tr_object_def {
    const char *name;    // may be NULL
    uint32_t mesh;       // from tr_scene_add_mesh
    tr_affine placement; // from the mesh's axes to the world's
    uint32_t tags;       // tr_tag, or'ed
} tr_object_def;

// Receives triangles in world coordinates from an emit callback. Every three corners form a triangle.
typedef struct tr_triangle_sink tr_triangle_sink;
struct tr_triangle_sink {
    // `corners` holds 3 * count points. Points that are not finite are refused: the whole projection then
    // returns TR_INVALID.
    void (*take)(tr_triangle_sink *sink, const tr_vec3 *corners, uint32_t count);
};

// The state in which a draw_gl callback is called: Troupe's framebuffer and program are bound. The program
// reads the position [vec3, world or model coordinates] from vertex attribute 0 and the model matrix [mat4]
// from uniform location 0 (the identity when the callback is called). The callback binds its own vertex
// arrays and draws GL_TRIANGLES. It must leave framebuffer, program, viewport, scissor and blending
// unchanged.
typedef struct tr_gl_target {
    uint32_t framebuffer, program; // GL names
    int32_t model_location;        // of the model matrix
    tr_affine world_to_clip;       // the map that the program applies; for culling
} tr_gl_target;

typedef struct tr_drawn_def {
    const char *name; // may be NULL
    uint32_t tags;
    tr_box bounds; // of everything that is drawn until the next tr_scene_touch [m]
    void *user;
    void (*emit)(void *user, tr_triangle_sink *sink);        // required: `soft` uses it
    void (*draw_gl)(void *user, const tr_gl_target *target); // may be NULL: `gl` then uses `emit`
} tr_drawn_def;

TR_API tr_status tr_scene_create(const tr_allocator *allocator, tr_scene **scene);
TR_API void tr_scene_destroy(tr_scene *scene); // NULL is allowed

// Each add call either adds one item and returns its number, or changes nothing. Numbers rise from 0 and stay
// valid until the item is removed; the number of a removed item is not reused.
TR_API tr_status tr_scene_add_mesh(tr_scene *scene, const tr_mesh_def *def, uint32_t *mesh, tr_error *error);
TR_API tr_status tr_scene_add_object(tr_scene *scene, const tr_object_def *def, uint32_t *object,
                                     tr_error *error);
TR_API tr_status tr_scene_add_drawn(tr_scene *scene, const tr_drawn_def *def, uint32_t *object,
                                    tr_error *error);
TR_API tr_status tr_scene_remove_object(tr_scene *scene, uint32_t object);

// Moves an object. TR_INVALID (nothing changed): there is no such object, or the placement is not finite or
// puts the object beyond TR_SCENE_EXTENT_MAX.
TR_API tr_status tr_scene_place(tr_scene *scene, uint32_t object, const tr_affine *placement);
TR_API tr_status tr_scene_set_tags(tr_scene *scene, uint32_t object, uint32_t tags);
// Reports that the geometry of a drawn object has changed and now lies inside `bounds`.
TR_API tr_status tr_scene_touch(tr_scene *scene, uint32_t object, tr_box bounds);

// Gives an object a known motion; NULL removes its motion. The motion replaces the placement whenever the
// time is set.
TR_API tr_status tr_scene_set_trajectory(tr_scene *scene, uint32_t object, const tr_trajectory_def *def,
                                         tr_error *error);
// Returns NULL if the object has none. Valid until it is replaced.
TR_API const tr_trajectory *tr_scene_trajectory(const tr_scene *scene, uint32_t object);
// Places every object that has a trajectory where it is at `time` [s, finite]. TR_INVALID: the time is not
// finite and nothing was changed; or a sample puts its object beyond TR_SCENE_EXTENT_MAX: that object stays
// where it was, and the others are placed.
TR_API tr_status tr_scene_set_time(tr_scene *scene, double time);
TR_API double tr_scene_time(const tr_scene *scene);

// A view of one object. The strings and the box are valid until the scene is changed.
typedef struct tr_object_view {
    const char *name;    // "" if it has none
    uint32_t mesh;       // TR_NONE for a drawn or removed object
    tr_affine placement; // identity for a drawn object
    uint32_t tags;
    tr_box bounds;     // in the world; empty for a removed object or an empty mesh
    uint64_t revision; // grows whenever the object moves, is touched, tagged or removed
    bool removed;
} tr_object_view;

// A view of one mesh, as it was added.
typedef struct tr_mesh_view {
    const char *name;
    const tr_vec3 *positions;
    uint32_t position_count;
    const uint32_t *indices;
    uint32_t triangle_count;
    tr_box bounds;
} tr_mesh_view;

TR_API uint32_t tr_scene_object_count(const tr_scene *scene); // includes removed objects
TR_API uint32_t tr_scene_mesh_count(const tr_scene *scene);
TR_API tr_object_view tr_scene_object(const tr_scene *scene, uint32_t object); // `removed` for a bad number
TR_API tr_mesh_view tr_scene_mesh(const tr_scene *scene, uint32_t mesh);       // empty for a bad number
TR_API uint32_t tr_scene_find(const tr_scene *scene,
                              const char *name);                // the first object of this name, or TR_NONE
TR_API tr_box tr_scene_bounds(const tr_scene *scene);           // of all objects; empty if there are none
TR_API uint64_t tr_scene_triangle_count(const tr_scene *scene); // of all objects that have a mesh
TR_API uint64_t tr_scene_bytes(const tr_scene *scene);          // memory held

TR_END_DECLARATIONS
