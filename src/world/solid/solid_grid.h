// A grid of clearances: for every corner of its cells the distance to the nearest static triangle, and where
// that triangle is. Internal to world/.
#pragma once
#include "solid_data.h"

#define SOLID_NO_FOOT INT16_MIN
#define SOLID_GRID_FAR 12 // cells: greater distances are all stored as this

// From a corner to the nearest point of a triangle, in units of solid_grid.foot_unit.
typedef struct solid_foot {
    int16_t x, y, z; // x is SOLID_NO_FOOT where nothing is near
    uint16_t slack;  // the greatest distance of the point from that triangle
} solid_foot;

// x is the fastest index. Squared distances are rounded down.
struct solid_grid {
    uint16_t *squares;
    solid_foot *feet;
    int32_t count[3]; // corners along each axis, at least 2
    float last[3];    // the last corner along each axis
    float origin[3], cell, per_cell;
    float unit; // of distances [m]: `squares` is in units of its square
    float per_unit;
    float cell_squared; // of a cell, in units of `squares`
    float foot_unit;    // [cells]
    float slack;        // the rounding error of positions [m]
};

// The nearest point of a tree: points further away than `high` are not searched.
struct solid_nearest {
    float point[3];
    float low, high; // the distance is between them [m]: both are lowered
    float foot[3];   // from the point to the nearest [m]...
    float slack;     // ...and its error [m]
    bool found;      // something nearer than the initial `high` was found
};
void tr_solid_foot_4(const solid_tree *tree, solid_nearest *nearest);
void tr_solid_foot_8(const solid_tree *tree, solid_nearest *nearest);

// Bounds of the distance of the line from static objects; `high` is set only where low is less than `wanted`.
// false: the line is not entirely inside the grid.
bool tr_solid_glance_4(const solid_grid *grid, tr_vec3 a, tr_vec3 b, float wanted, float *low, float *high);
bool tr_solid_glance_8(const solid_grid *grid, tr_vec3 a, tr_vec3 b, float wanted, float *low, float *high);

tr_status tr_solid_grid_create(tr_solid *solid, float cell, tr_box box, tr_error *error);
void tr_solid_grid_destroy(solid_grid *grid, const tr_allocator *allocator);
// Triangles in the box have left the large tree: recomputes all corners whose nearest triangle was there.
void tr_solid_grid_forget(tr_solid *solid, tr_box box);
uint64_t tr_solid_grid_bytes(const solid_grid *grid);
