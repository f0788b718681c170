// troupe/world/surface.h - the cells one can stand on, storey above storey, each with its head room.
//
// Bandi & Thalmann 1998, 3.3: only the tops of things matter to somebody who walks. A surface keeps these as
// spans in columns, three bytes each, and never holds the 3D grid itself. It serves bodies of every size:
// world/ground and plan/climb decide which of them fits where (a child under a low roof, an adult across a
// gap).
#pragma once
#include "troupe/world/voxels.h"

TR_BEGIN_DECLARATIONS

// What a top is. Those that cannot be stood on are kept because they may be stepped over.
typedef enum tr_surface_kind {
    TR_SURFACE_VOID,  // no top: the air under the lowest thing of a column that has no floor
    TR_SURFACE_STEEP, // too steep, tagged against it, or an object's meaning speaks against it
    TR_SURFACE_STAND, // can be stood on
    TR_SURFACE_SURE,  // and is meant for it: tagged TR_TAG_WALKABLE
} tr_surface_kind;

#define TR_SURFACE_ROOM_MAX 63 // room is counted in these steps at most, more is "enough for everybody"

typedef struct tr_surface_def {
    const tr_allocator *allocator; // NULL: malloc
    tr_voxel_grid grid;
    float slope;      // steepest plane that can be stood on [rad, 0 to pi/2]; 45 degrees
    float merge;      // how far a steep surface may stick out of one to stand on, within a layer, and still
                      // belong to it [m, >= 0]; the height of the cell is the top of both
    float room_step;  // head room is kept in steps of this [m, > 0], rounded down: 0.05
    float room_least; // tops with less above them are not kept at all [m, >= 0]: 0.5
    uint32_t exclude_tags; // objects with any of these are not there: TR_TAG_CHARACTER
    // Meaning. TR_TAG_NO_STEP is never stood on. With `guess`, neither is a raised patch smaller than
    // `guess_area` that no rise of `guess_rise` or less leads to: tables and chairs, not stairs or platforms.
    // Nor is it furniture if a rise of `guess_step` or less leads on from it: a high stair. Objects tagged
    // TR_TAG_WALKABLE are not guessed about.
    bool guess;
    float guess_area;     // [m^2], 2
    float guess_rise;     // [m], 0.25
    float guess_step;     // [m], 0: only guess_rise counts
    uint64_t max_columns; // 0: TR_GRID_CELLS_DEFAULT_MAX
} tr_surface_def;
// 45 degrees, merge 0, guess on; the grid is left for the caller to fill (tr_voxel_grid_cover).
TR_API tr_surface_def tr_surface_def_default(void);

typedef struct tr_surface tr_surface;
TR_API tr_status tr_surface_create(const tr_surface_def *def, tr_surface **surface, tr_error *error);
TR_API void tr_surface_destroy(tr_surface *surface); // NULL is allowed

// Everything anew: cells are numbered from 0 on. TR_LIMIT: a tile has more than 65535 tops. When it fails the
// surface is as it was, and the next update is a build.
TR_API tr_status tr_surface_build(tr_surface *surface, tr_raster *raster, const tr_scene *scene,
                                  tr_error *error);
// Only the tiles under what moved since the last build or update of the same scene; bit for bit as after a
// build. `changed` (may be NULL) gets the columns that were redone or guessed about anew, empty when nothing
// had moved. Cells may get other numbers: `revision` grows when anything changed. When it fails the surface
// is as it was, and the next update is a build.
TR_API tr_status tr_surface_update(tr_surface *surface, tr_raster *raster, const tr_scene *scene,
                                   tr_cells *changed, tr_error *error);
TR_API uint64_t tr_surface_revision(const tr_surface *surface);

TR_API const tr_voxel_grid *tr_surface_grid(const tr_surface *surface);
TR_API const tr_surface_def *tr_surface_def_of(const tr_surface *surface);
TR_API uint32_t tr_surface_cell_count(const tr_surface *surface);
TR_API uint64_t tr_surface_bytes(const tr_surface *surface); // all that is held, scratch apart

// The cells of one column, from the lowest up: numbers first to first + count - 1.
typedef struct tr_surface_column {
    uint32_t first, count;
    const uint16_t *heights; // of these cells, count of each
    const uint8_t *rooms;    // kind << 6 | room
} tr_surface_column;
TR_API tr_surface_column tr_surface_at(const tr_surface *surface, uint32_t column,
                                       uint32_t row); // outside the grid: none

// Heights are whole numbers of `unit` metres above `bottom`, rounded up.
typedef struct tr_surface_scale {
    double bottom, unit, room; // [m]
} tr_surface_scale;
TR_API tr_surface_scale tr_surface_scale_of(const tr_surface *surface);
TR_API uint16_t tr_surface_units(const tr_surface *surface,
                                 double metres); // a difference of heights, rounded down
TR_API uint8_t tr_surface_room(const tr_surface *surface, double metres); // needed room, rounded up

static inline tr_surface_kind tr_surface_kind_of(uint8_t room) {
    return (tr_surface_kind)(room >> 6);
}
static inline bool tr_surface_is_for_standing(uint8_t room) {
    return room >= TR_SURFACE_STAND << 6;
}

// One cell, for those who do not count in units.
typedef struct tr_surface_place {
    uint32_t cell;        // TR_NONE: there is none
    uint32_t column, row; // of the grid
    float height;         // [m]
    float room;           // free above it, at least this [m]; INFINITY for TR_SURFACE_ROOM_MAX
    tr_surface_kind kind;
} tr_surface_place;
TR_API tr_surface_place tr_surface_place_of(const tr_surface *surface, uint32_t column, uint32_t row,
                                            uint32_t index); // the index-th of its column
// The cell that someone in mid-air at `point` drops onto: the highest that can be stood on in its column no
// higher than `point.y + rise` [m, >= 0] and a unit. TR_NONE when there is none below (the ground begins
// elsewhere).
TR_API tr_surface_place tr_surface_drop(const tr_surface *surface, tr_vec3 point, float rise);
// The nearest cell to stand on with this much room, by straight distance to its centre, within `reach` [m];
// of several the one with the least number. NaN anywhere in a point: TR_NONE.
TR_API tr_surface_place tr_surface_nearest(const tr_surface *surface, tr_vec3 point, float reach, float room);
// Which column and row a cell is in: found by a search in its tile, for those who have nothing else to go by.
TR_API tr_surface_place tr_surface_find(const tr_surface *surface, uint32_t cell);
// The middle of a cell, at its height.
TR_API tr_vec3 tr_surface_centre(const tr_surface *surface, const tr_surface_place *place);

// Is the point inside something: does an object's geometry enclose it, by the faces above and below it,
// whichever way they look? For answers to "why not". Walks all triangles of objects whose box holds the
// point; drawn objects are left out. A shell without thickness (a room that is one box) encloses as well.
TR_API bool tr_surface_is_inside(const tr_scene *scene, tr_vec3 point);
// The nearest triangle straight below a point, or above it. In the air over a floor it looks up; in something
// solid the one below looks down and the one above looks up. False: there is none. Walks all triangles of
// objects whose box is below or above the point; drawn objects are left out.
typedef struct tr_surface_hit {
    uint32_t object;
    float height;  // of the triangle where the vertical line meets it [m]
    bool looks_up; // by the order of its corners; of several at one height most do
} tr_surface_hit;
TR_API bool tr_surface_look(const tr_scene *scene, tr_vec3 point, bool upwards, tr_surface_hit *hit);

TR_END_DECLARATIONS
