// Parts of buildings for the sample scenes with storeys: flights of stairs, rails, walls with openings, slabs
// with wells, arches, ramps, pipes. All of them are aligned with the axes and use no sines, so that edges lie
// exactly at the given coordinates. Internal.
#pragma once
#include "sample_build.h"

// A direction.
typedef enum sample_way { SAMPLE_EAST, SAMPLE_SOUTH, SAMPLE_WEST, SAMPLE_NORTH } sample_way; // +x +z -x -z

static inline void sample_box(sample_builder *builder, float x0, float y0, float z0, float x1, float y1,
                              float z1) {
    sample_shape_box(&builder->shape, sample_at(x0, y0, z0), sample_at(x1, y1, z1));
}
// One box as an object of its own.
void sample_block(sample_builder *builder, const char *name, tr_vec3 min, tr_vec3 max, uint32_t tags);
// Makes the shape so far one object, in place.
uint32_t sample_finish(sample_builder *builder, const char *name, uint32_t tags);

// A bar from a to b, `width` across and `height` upright, its upper side through a and b: 12 triangles. Its
// ends are upright. a and b differ in x or z.
void sample_shape_bar(sample_shape *shape, tr_vec3 a, tr_vec3 b, float width, float height);
// A round bar along one axis (a and b differ in one coordinate): 4 * sides - 4 triangles.
void sample_shape_pipe(sample_shape *shape, uint32_t sides, float radius, tr_vec3 a, tr_vec3 b);
// A pipe through all these points, with a thicker ring at each bend: 28 a leg, 44 a bend.
void sample_pipe_line(sample_builder *builder, float radius, const tr_vec3 *points, uint32_t count);

// A flight of `count` rises: the top of the last is the storey above and has no step of its own. `foot` is
// the middle of the first rise at the floor. Each step is a box of `thickness` (0: down to the floor), thick
// enough to leave no gap under the next; 12 triangles a step.
typedef struct sample_flight {
    tr_vec3 foot;
    sample_way way;
    uint32_t count;
    float rise, going, width, thickness;
} sample_flight;
void sample_shape_flight(sample_shape *shape, const sample_flight *flight);
// The handrail of a flight on its left (-1) or right (+1) side, seen going up: rail, middle rail and a post
// on every `every`th step.
void sample_shape_flight_rail(sample_shape *shape, const sample_flight *flight, float side, uint32_t every);
// Where a flight ends: the middle of its last rise, at the storey above.
tr_vec3 sample_flight_head(const sample_flight *flight);

// A railing of 1 m along an axis: rail, middle rail, posts about every 1.2 m.
void sample_shape_rail(sample_shape *shape, tr_vec3 a, tr_vec3 b);

// A wall along x or z from `from` to `to`, with openings (in rising order, not touching): doors have sill 0,
// windows a sill; heights are above `bottom`.
typedef struct sample_opening {
    float from, to, sill, head;
} sample_opening;
typedef struct sample_wall {
    bool along_z;
    float line; // the middle of the wall, across
    float from, to;
    float bottom, top, thickness;
} sample_wall;
void sample_shape_wall(sample_shape *shape, const sample_wall *wall, const sample_opening *openings,
                       uint32_t count);

// A slab with a rectangular well through it: up to four boxes.
void sample_shape_slab(sample_shape *shape, tr_box slab, tr_box well);
// A wedge that fills the lower half of the box and rises towards `way`: 8 triangles.
void sample_shape_ramp(sample_shape *shape, tr_box box, sample_way way);
// The wall above a round-headed opening: the box less an arc that springs at its bottom corners and rises by
// `rise` in the middle. 8 * segments + 4 triangles.
void sample_shape_arch(sample_shape *shape, tr_box box, bool along_z, float rise, uint32_t segments);

// The box of a grid whose corner is the origin, and its numbers in the sample.
void sample_grid(sample_builder *builder, uint32_t columns, uint32_t layers, uint32_t rows, float cell,
                 float layer);
// Level rectangles at one height, tagged walkable, that bring the scene to exactly builder->wish triangles
// (or have 2 each), distributed by area.
void sample_storey_floor(sample_builder *builder, const tr_box *boxes, uint32_t count);
// The same with slabs of SAMPLE_SLAB under them: 10 more triangles each. An error if the requested number is
// too small.
#define SAMPLE_SLAB 0.1f
void sample_slab_floor(sample_builder *builder, const tr_box *boxes, uint32_t count);

void sample_labyrinth_make(sample_builder *builder);
void sample_stairs_make(sample_builder *builder);
void sample_factory_make(sample_builder *builder);
void sample_house_make(sample_builder *builder);
void sample_house_furnish(sample_builder *builder, float ground, float upper);
void sample_city_make(sample_builder *builder);
void sample_corridor_make(sample_builder *builder);
void sample_door_make(sample_builder *builder);
void sample_crossing_make(sample_builder *builder);
void sample_bridge_make(sample_builder *builder);
void sample_course_make(sample_builder *builder);
void sample_plaza_make(sample_builder *builder);
void sample_uneven_make(sample_builder *builder);
void sample_trail_make(sample_builder *builder);
void sample_trap_make(sample_builder *builder);
void sample_rough_make(sample_builder *builder);
