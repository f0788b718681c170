// troupe/world/surface.h - the cells that a body can stand on, storey above storey, each with its head room.
//
// Bandi & Thalmann 1998, 3.3: only the tops of things matter for walking. A surface keeps these as spans in
// columns, three bytes each, and never holds the 3D grid itself. It serves bodies of every size: world/ground
// and plan/surface_route decide which body fits where (a child under a low roof, an adult across a gap).
#pragma once
#include "troupe/world/voxels.h"

TR_BEGIN_DECLARATIONS

// The kind of a top. Tops that a body cannot stand on are kept because a body may step over them.
typedef enum tr_surface_kind {
    TR_SURFACE_VOID,  // not a top: the air below the lowest thing of a column that has no floor
    TR_SURFACE_STEEP, // too steep, tagged TR_TAG_NO_STEP, or guessed to be furniture
    TR_SURFACE_STAND, // a body can stand on it
    TR_SURFACE_SURE,  // and it is meant for that: tagged TR_TAG_WALKABLE
} tr_surface_kind;

#define TR_SURFACE_ROOM_MAX 63 // most steps of room that are counted; this many are enough for any body

typedef struct tr_surface_def {
    const tr_allocator *allocator; // NULL: malloc
    tr_voxel_grid grid;
    float slope;      // steepest plane that a body can stand on [rad, 0 to pi/2]; 45 degrees
    float merge;      // how far a steep surface may stick out of a surface to stand on, within a layer, and
                      // still belong to it [m, >= 0]; the height of the cell is the top of both
    float room_step;  // head room is stored in steps of this [m, > 0], rounded down; 0.05
    float room_least; // tops with less room above them are not kept [m, >= 0]; 0.5
    uint32_t exclude_tags; // ignore objects with any of these tags; TR_TAG_CHARACTER
    // Meaning. A body never stands on an object tagged TR_TAG_NO_STEP. With `guess`, it does not stand on
    // furniture either. Furniture is a raised patch smaller than `guess_area` that no rise of `guess_rise` or
    // less leads to: tables and chairs, not stairs or platforms. A patch from which a rise of `guess_step` or
    // less leads on is a high stair, not furniture. The guess leaves out objects tagged TR_TAG_WALKABLE.
    bool guess;
    float guess_area;     // [m^2], 2
    float guess_rise;     // [m], 0.25
    float guess_step;     // [m], 0: only guess_rise counts
    uint64_t max_columns; // 0: TR_GRID_CELLS_DEFAULT_MAX
} tr_surface_def;
// 45 degrees, merge 0, guess on. The caller fills in the grid (tr_voxel_grid_cover).
TR_API tr_surface_def tr_surface_def_default(void);

typedef struct tr_surface tr_surface;
TR_API tr_status tr_surface_create(const tr_surface_def *def, tr_surface **surface, tr_error *error);
TR_API void tr_surface_destroy(tr_surface *surface); // NULL is allowed

// Builds all cells anew and numbers them from 0. TR_LIMIT: a tile has more than 65535 tops. On failure the
// surface is unchanged, and the next update is a build.
TR_API tr_status tr_surface_build(tr_surface *surface, tr_raster *raster, const tr_scene *scene,
                                  tr_error *error);
// Rebuilds only the tiles under objects that moved since the last build or update of the same scene. The
// result is the same, bit for bit, as after a build. `changed` (may be NULL) receives the columns that were
// rebuilt or guessed anew; it is empty if nothing moved. Cells may be renumbered: `revision` grows whenever
// anything changed. On failure the surface is unchanged, and the next update is a build.
TR_API tr_status tr_surface_update(tr_surface *surface, tr_raster *raster, const tr_scene *scene,
                                   tr_cells *changed, tr_error *error);
TR_API uint64_t tr_surface_revision(const tr_surface *surface);

TR_API const tr_voxel_grid *tr_surface_grid(const tr_surface *surface);
TR_API const tr_surface_def *tr_surface_def_of(const tr_surface *surface);
TR_API uint32_t tr_surface_cell_count(const tr_surface *surface);
TR_API uint64_t tr_surface_bytes(const tr_surface *surface); // memory held, without scratch memory

// The cells of one column, from the lowest up. Their numbers are first to first + count - 1.
typedef struct tr_surface_column {
    uint32_t first, count;
    const uint16_t *heights; // one for each of these cells
    const uint8_t *rooms;    // kind << 6 | room
} tr_surface_column;
TR_API tr_surface_column tr_surface_at(const tr_surface *surface, uint32_t column,
                                       uint32_t row); // outside the grid: count 0

// Heights are whole multiples of `unit` above `bottom`, rounded up.
typedef struct tr_surface_scale {
    double bottom, unit, room; // [m]
} tr_surface_scale;
TR_API tr_surface_scale tr_surface_scale_of(const tr_surface *surface);
TR_API uint16_t tr_surface_units(const tr_surface *surface,
                                 double metres); // converts a height difference, rounds down
TR_API uint8_t tr_surface_room(const tr_surface *surface, double metres); // converts required room, rounds up

static inline tr_surface_kind tr_surface_kind_of(uint8_t room) {
    return (tr_surface_kind)(room >> 6);
}
static inline bool tr_surface_is_for_standing(uint8_t room) {
    return room >= TR_SURFACE_STAND << 6;
}

// One cell, in metres.
typedef struct tr_surface_place {
    uint32_t cell;        // TR_NONE: there is none
    uint32_t column, row; // of the grid
    float height;         // [m]
    float room;           // least free height above it [m]; INFINITY for TR_SURFACE_ROOM_MAX
    tr_surface_kind kind;
} tr_surface_place;
TR_API tr_surface_place tr_surface_place_of(const tr_surface *surface, uint32_t column, uint32_t row,
                                            uint32_t index); // the cell number `index` of its column
// Returns the cell that a body in mid-air at `point` drops onto: the highest cell of its column that a body
// can stand on and that is no higher than `point.y + rise` [m, >= 0] and a unit. TR_NONE if there is none
// below (the ground begins elsewhere).
TR_API tr_surface_place tr_surface_drop(const tr_surface *surface, tr_vec3 point, float rise);
// Returns the nearest cell to stand on that has at least `room` above it, by straight distance to its centre,
// within `reach` [m]. Of several equally near cells it is the one with the lowest number. NaN anywhere in a
// point: TR_NONE.
TR_API tr_surface_place tr_surface_nearest(const tr_surface *surface, tr_vec3 point, float reach, float room);
// Finds the column and row of a cell from its number alone, by a search in its tile.
TR_API tr_surface_place tr_surface_find(const tr_surface *surface, uint32_t cell);
// Returns the middle of a cell, at its height.
TR_API tr_vec3 tr_surface_centre(const tr_surface *surface, const tr_surface_place *place);

// Returns whether an object's geometry encloses the point, judged by the faces above and below it, whichever
// way they face. Use it to explain why a place is not free. Visits all triangles of objects whose box
// contains the point; drawn objects are left out. A shell without thickness (a room that is one box) encloses
// as well.
TR_API bool tr_surface_is_inside(const tr_scene *scene, tr_vec3 point);
// Finds the nearest triangle straight below a point, or above it with `upwards`. If the point is in the air
// over a floor, the triangle below faces up. If it is inside a solid, the one below faces down and the one
// above faces up. false: there is none. Visits all triangles of objects whose box is below or above the
// point; drawn objects are left out.
typedef struct tr_surface_hit {
    uint32_t object;
    float height;  // where the vertical line meets the triangle [m]
    bool looks_up; // faces up, by the order of its corners; of several at one height, most do
} tr_surface_hit;
TR_API bool tr_surface_look(const tr_scene *scene, tr_vec3 point, bool upwards, tr_surface_hit *hit);

TR_END_DECLARATIONS
