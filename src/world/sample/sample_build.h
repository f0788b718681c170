// Building blocks of the sample scenes: shapes made of parts, turned into meshes and objects. Internal.
//
// Errors stick: after the first one every call does nothing. So a scene reads as a plain list of objects, and
// the status is checked once, at the end.
#pragma once
#include "troupe/base/random.h"
#include "troupe/world/sample.h"

// Triangles of an unfinished mesh. Normals face outwards (counter-clockwise corners).
typedef struct sample_shape {
    tr_allocator allocator;
    tr_affine frame; // from the part's axes to the shape's, for every part added from now on
    tr_vec3 *positions;
    uint32_t position_count, position_capacity;
    uint32_t *indices;
    uint32_t index_count, index_capacity;
    bool failed; // no memory
} sample_shape;

typedef struct sample_builder {
    tr_sample sample;
    tr_random random;
    sample_shape shape;
    uint64_t seed;
    const char *name; // of the recipe
    uint32_t wish;    // triangles in total; the recipe's default where the user gave none; 0: any number
    tr_status status;
    tr_error *error;
} sample_builder;

// The properties of a sample before it is made.
typedef struct sample_recipe {
    const char *name, *summary;
    uint32_t triangles;   // by default
    uint32_t least, most; // that can be requested
    void (*make)(sample_builder *builder);
} sample_recipe;

// Corner by corner: the number of a new point, and one or two triangles between points (0 after an error).
uint32_t sample_shape_point(sample_shape *shape, tr_vec3 p);
void sample_shape_face(sample_shape *shape, uint32_t a, uint32_t b, uint32_t c);
void sample_shape_faces(sample_shape *shape, uint32_t a, uint32_t b, uint32_t c, uint32_t d);
void sample_shape_triangle(sample_shape *shape, tr_vec3 a, tr_vec3 b, tr_vec3 c);
void sample_shape_quad(sample_shape *shape, tr_vec3 a, tr_vec3 b, tr_vec3 c, tr_vec3 d);
void sample_shape_box(sample_shape *shape, tr_vec3 min, tr_vec3 max); // 12 triangles
// A round or angular column about the Y axis, its radius changing on the way up: 4 * sides - 4 triangles.
void sample_shape_column(sample_shape *shape, uint32_t sides, float bottom_radius, float top_radius,
                         float bottom, float top);
// A plate of even thickness (along z) bent along the `count` points (y rising): 8 * count - 4 triangles.
void sample_shape_bent(sample_shape *shape, const tr_vec2 *yz, uint32_t count, float half_width,
                       float thickness);
// An ellipsoid about the origin: 2 * around * (rings - 1) triangles.
void sample_shape_ball(sample_shape *shape, uint32_t around, uint32_t rings, tr_vec3 radii);
// A level rectangle of exactly `triangles` [>= 2] triangles, facing up.
void sample_shape_ground(sample_shape *shape, tr_box ground, uint32_t triangles);

// From now on parts are put at `position`, turned by `heading`; sample_shape_home goes back.
void sample_shape_move(sample_shape *shape, tr_vec3 position, double heading);
void sample_shape_home(sample_shape *shape);

// Turns the shape into a mesh of the scene and begins an empty one. TR_NONE after an error.
uint32_t sample_mesh(sample_builder *builder, const char *name);
uint32_t sample_object(sample_builder *builder, const char *name, uint32_t mesh, const tr_affine *placement,
                       uint32_t tags);
uint32_t sample_place(sample_builder *builder, const char *name, uint32_t mesh, tr_vec3 position,
                      double heading, uint32_t tags);
// Objects placed from now on (until the scene ends) are movable.
void sample_movable_from_here(sample_builder *builder);
// Objects placed between the two calls are movable.
void sample_movable_to_here(sample_builder *builder);
// A walkable floor under `ground` that brings the scene to exactly builder->wish triangles (or has `least`).
void sample_floor(sample_builder *builder, tr_box ground, uint32_t least);
uint64_t sample_triangles(const sample_builder *builder); // placed so far
float sample_random(sample_builder *builder, float low, float high);

static inline tr_vec3 sample_at(float x, float y, float z) {
    return tr_vec3_make(x, y, z);
}
static inline tr_box sample_ground(float half_x, float half_z) {
    tr_box ground = {{-half_x, 0, -half_z}, {half_x, 0, half_z}};
    return ground;
}

// Furniture: each makes one mesh, standing on the floor about the origin, its front along +Z.
uint32_t sample_office_chair(sample_builder *builder, bool fine); // 304 triangles, plain: 84
uint32_t sample_kitchen_chair(sample_builder *builder);           // 72
uint32_t sample_table(sample_builder *builder, const char *name, float half_x, float half_z, float top); // 60
uint32_t sample_desk(sample_builder *builder);                  // the chair is at +Z; top at 0.73 m; 48
uint32_t sample_drawers(sample_builder *builder);               // 48
uint32_t sample_monitor(sample_builder *builder);               // 36
uint32_t sample_shelf(sample_builder *builder);                 // 1.2 m wide, 1.8 m high; 96
uint32_t sample_books(sample_builder *builder, uint32_t count); // for one shelf; 12 each
uint32_t sample_plant(sample_builder *builder);                 // 60
uint32_t sample_sofa(sample_builder *builder);                  // 72
uint32_t sample_lamp(sample_builder *builder);                  // hangs at 2.4 m; 36
uint32_t sample_sign(sample_builder *builder);                  // lower edge at 1.6 m; 24
#define SAMPLE_SHELF_BOOKS 96                                   // that one shelf can hold

void sample_maze_make(sample_builder *builder);
void sample_office_make(sample_builder *builder);
void sample_field_make(sample_builder *builder);
void sample_edges_make(sample_builder *builder);
void sample_terrace_make(sample_builder *builder);
void sample_room_make(sample_builder *builder);
void sample_desk_make(sample_builder *builder);
// After figure 9 of Li's digital actor.
void sample_li_passage_make(sample_builder *builder);
void sample_li_slide_make(sample_builder *builder);
void sample_li_table_make(sample_builder *builder);
