// How a ground is stored. Internal; plan/path reads it too.
//
// The cells of the surface are copied tile by tile, so that a ground stays as it is when an update fails half
// way. Every size has, for each of these cells, the ways that lead out of it, and a mesh: the free cells of a
// tile cut into rectangles that are level inside, with portals where one leads to another. A tile depends on
// cells alone, not on what was there before: an update gives the same bits as a new ground.
#pragma once
#include "world/surface/surface_data.h"
#include "troupe/world/ground.h"

#define GROUND_TILE TR_VOXEL_TILE
#define GROUND_OFFSETS (GROUND_TILE * GROUND_TILE + 1)
#define GROUND_NO_RECT 0xffff        // of a cell: it is not free
#define GROUND_NO_CEILING (1u << 24) // head room without an end [units]
#define GROUND_SPAN_MAX 48           // furthest step [cells]
#define GROUND_RADIUS_MAX 250        // [cells]

// The copied cells of a tile: all columns have a place, those beyond the grid are empty.
typedef struct ground_tile {
    uint16_t *offsets; // GROUND_OFFSETS of them; the block begins here
    uint16_t *heights;
    uint8_t *rooms;
    uint32_t count; // of cells
    uint32_t first; // number of the first cell, as the surface counts
    // Most columns of most tiles have one cell to stand on, at the same height: what is asked of them needs
    // no look at cells.
    uint32_t plain[GROUND_TILE]; // a bit for each column of a row that is so
    uint16_t floor;              // the height [units]
} ground_tile;

enum {
    GROUND_OPEN = 1,  // << direction: the cell beside can be stepped to
    GROUND_LEAP = 16, // << direction: it cannot, but one further on can
};

// A rectangle of free cells that lead to each other without a step: columns [x0, x1), rows [z0, z1). Portals
// are those of the directions +x, +z, -x, -z one after the other, each from the least number of its side on.
typedef struct ground_rect {
    uint16_t x0, z0, x1, z1;
    uint32_t portals;  // of the first
    uint16_t sides[4]; // how many there are up to the end of each direction
} ground_rect;

// Where a rectangle ends and another one begins; seen from one of them. There is another for the way back.
typedef struct ground_portal {
    uint32_t tile; // that it leads to
    uint16_t rect;
    uint16_t begin, end; // along the side [columns or rows]
    uint16_t from, to;   // heights of the floor before and behind it, rounded [units]
    uint8_t steps;       // 1: beside. More: a leap over steps - 1 columns
    uint8_t corners; // 1: a way may bend at the beginning, 2: at the end; 4, 8: even if heights cost nothing
    uint16_t vertices[2]; // their numbers in the tile that it leads from
} ground_portal;

// One tile for bodies of one size.
typedef struct size_tile {
    uint16_t *rects_of; // of each cell, GROUND_NO_RECT; the first block begins here
    uint8_t *ways;      // of each cell: GROUND_OPEN, GROUND_LEAP
    uint32_t cell_count;
    ground_rect *rects; // the second block: rectangles, then portals
    ground_portal *portals;
    uint32_t rect_count, portal_count, vertex_count;
    uint32_t first_rect, first_portal, first_vertex; // numbers of the first ones, over all tiles
    uint32_t plain[GROUND_TILE]; // which columns are plain and their cell free, once the tile is cut
} size_tile;

// A place on the ground: a cell of a tile, and where it is.
typedef struct ground_spot {
    uint32_t tile; // TR_NONE: nowhere
    uint16_t index;
    uint16_t x, z;
} ground_spot;

// An end of a link for one size: the free place nearest to it.
typedef struct ground_end {
    uint32_t tile; // TR_NONE: there is none
    uint16_t rect, height;
    tr_vec3 position;
} ground_end;

// A body in units and cells.
typedef struct ground_measure {
    uint32_t need; // free height
    uint32_t rise; // most a foot goes up or down
    uint32_t over; // highest thing that is leapt over
    uint32_t span; // furthest step [cells, >= 1]
    uint32_t room; // least room byte without its kind
    uint32_t halo; // cells nearer than this to something may be too near
    double radius; // [cells]
} ground_measure;

typedef struct ground_size {
    tr_ground_body body;
    ground_measure measure;
    size_tile *tiles;
    uint32_t rect_total, portal_total, vertex_total;
    uint32_t *labels; // of each rectangle: joined by portals
    uint32_t *joined; // of each label: joined by links too
    uint32_t label_count;
    ground_end (*ends)[2]; // of each link
} ground_size;

struct tr_ground {
    tr_allocator allocator;
    tr_ground_def def;
    tr_surface *surface;
    tr_grid grid;
    tr_surface_scale scale;
    uint32_t tile_columns, tile_rows, tile_count;
    uint32_t rooms[64]; // head room that a room byte stands for [units]; the last is GROUND_NO_CEILING
    uint32_t room_most; // what is sure of the last
    int32_t level;      // heights are rounded to multiples of this where they cost something [units]
    int32_t slope_rise; // rise within a cell of the steepest floor to stand on; more is a step [units]
    ground_tile *tiles;
    ground_size *sizes;
    uint32_t size_count, size_capacity;
    uint64_t *touched; // a bit for each tile that may differ from the surface's
    tr_ground_link *links;
    uint32_t link_count;
    uint64_t revision;
    tr_cells changes[TR_GROUND_CHANGES_MAX];
    uint32_t change_count;
};

// The least rectangle around some columns, while it grows.
typedef struct ground_extent {
    uint32_t x0, z0, x1, z1;
} ground_extent;
#define GROUND_NO_EXTENT                                                                                     \
    { UINT32_MAX, UINT32_MAX, 0, 0 }
static inline void ground_extend(ground_extent *extent, uint32_t x, uint32_t z) {
    extent->x0 = x < extent->x0 ? x : extent->x0;
    extent->z0 = z < extent->z0 ? z : extent->z0;
    extent->x1 = x >= extent->x1 ? x + 1 : extent->x1;
    extent->z1 = z >= extent->z1 ? z + 1 : extent->z1;
}
static inline tr_cells ground_extent_cells(const ground_extent *extent) {
    tr_cells cells = {0, 0, 0, 0};
    if (extent->x1 > 0)
        cells = (tr_cells){extent->x0, extent->z0, extent->x1, extent->z1};
    return cells;
}

static inline uint32_t ground_tile_of(const tr_ground *ground, uint32_t x, uint32_t z) {
    return z / GROUND_TILE * ground->tile_columns + x / GROUND_TILE;
}

static inline const uint16_t *ground_offsets_at(const ground_tile *tile, uint32_t x, uint32_t z) {
    return tile->offsets + (z % GROUND_TILE) * GROUND_TILE + x % GROUND_TILE;
}

static inline bool ground_is_plain(const uint32_t *plain, uint32_t x, uint32_t z) {
    _Static_assert(GROUND_TILE == 32, "a row is a word");
    return plain[z % GROUND_TILE] >> x % GROUND_TILE & 1;
}

// Can a body of this size stand on a cell: its kind, and head room?
static inline bool ground_stands(const ground_measure *measure, uint8_t room) {
    return room >= TR_SURFACE_STAND << 6 && (room & 63u) >= measure->room;
}

// Are two cells to stand on reachable from each other but for what lies between: no more than the foot's rise
// apart, and free from the higher floor to the lower ceiling as far as the body is tall?
static inline bool ground_fits(const tr_ground *ground, const ground_measure *measure, uint32_t height,
                               uint8_t room, uint32_t other_height, uint8_t other_room) {
    if (height == other_height)
        return true;
    uint32_t high = height > other_height ? height : other_height,
             low = height > other_height ? other_height : height;
    uint32_t ceiling = height + ground->rooms[room & 63],
             other_ceiling = other_height + ground->rooms[other_room & 63];
    ceiling = ceiling < other_ceiling ? ceiling : other_ceiling;
    return high - low <= measure->rise && ceiling >= high + measure->need;
}

// The cell of a column that fits; TR_NONE. There is at most one: the rise is less than the height, so a
// second floor within reach would leave no room on the first.
static inline uint32_t ground_fitting(const tr_ground *ground, const ground_measure *measure,
                                      const ground_tile *tile, const uint16_t *offsets, uint32_t height,
                                      uint8_t room) {
    for (uint32_t i = offsets[0]; i < offsets[1]; i++)
        if (ground_stands(measure, tile->rooms[i]) &&
            ground_fits(ground, measure, height, room, tile->heights[i], tile->rooms[i]))
            return i;
    return TR_NONE;
}

// Columns to go along for the directions +x, +z, -x, -z.
static inline int32_t ground_along_x(uint32_t direction) {
    return direction & 1 ? 0 : 1 - (int32_t)direction;
}
static inline int32_t ground_along_z(uint32_t direction) {
    return direction & 1 ? 2 - (int32_t)direction : 0;
}

// As portals know heights.
static inline int32_t ground_rounded(const tr_ground *ground, uint32_t height) {
    int32_t rounded = ((int32_t)height + ground->level / 2) / ground->level * ground->level;
    return rounded < 65535 ? rounded : 65535;
}

static inline double ground_height_of(const tr_ground *ground, uint32_t units) {
    return ground->scale.bottom + units * ground->scale.unit;
}

// The cell that the way in a direction leads to, by ground_size's `ways`, and the columns to it; 0: none.
uint32_t tr_ground_step(const tr_ground *ground, const ground_size *size, const ground_spot *from,
                        uint32_t direction, ground_spot *to);
// The cell across a gap, or over something; the columns to it, 0: none.
uint32_t tr_ground_across(const tr_ground *ground, const ground_measure *measure, const ground_spot *from,
                          uint32_t direction, ground_spot *to);
// Is nothing in the column in the way of a body that steps across it from a foot at this height? It may step
// onto what is no higher than its rise, and over what is lower.
bool tr_ground_is_low(const tr_ground *ground, const ground_measure *measure, uint32_t x, uint32_t z,
                      uint32_t height);
// The ways out of each standing cell of these columns, into size->tiles; or only those of leaps along an
// axis. Gives the columns in which they are others than before.
typedef enum ground_ways { GROUND_ALL_WAYS, GROUND_LEAPS_X, GROUND_LEAPS_Z } ground_ways;
tr_cells tr_ground_find_ways(const tr_ground *ground, ground_size *size, tr_cells window, ground_ways which);
// Memory that is used again from tile to tile. Zero is valid.
typedef struct ground_scratch {
    struct ground_node *nodes;
    uint32_t *columns; // number of the first node of each, and the end
    ground_rect *rects;
    ground_portal *portals;
    uint16_t *marks;
    uint32_t node_capacity, column_capacity, rect_capacity, portal_capacity, mark_capacity;
} ground_scratch;
void tr_ground_scratch_release(const tr_ground *ground, ground_scratch *scratch);
// Which cells of these columns are free: rects_of of those that are no longer becomes GROUND_NO_RECT, of
// those that now are 0; the tiles in which that happens get their bit set in `changed`. false: no memory.
bool tr_ground_find_free(const tr_ground *ground, ground_size *size, tr_cells window, uint64_t *changed,
                         ground_scratch *scratch);
// Cut the free cells of a tile into rectangles; the tile's own are in a new block, its portals are gone.
// false: no memory, and nothing was changed.
bool tr_ground_cut(const tr_ground *ground, ground_size *size, uint32_t tile, ground_scratch *scratch);
// Find the portals of a tile whose rectangles, and those around it, are there. Everything of the mesh is in
// one new block. false: no memory, and nothing was changed.
bool tr_ground_join(const tr_ground *ground, ground_size *size, uint32_t tile, ground_scratch *scratch);
// Number rectangles and vertices, label what is connected, find the ends of links. false: no memory.
bool tr_ground_label(const tr_ground *ground, ground_size *size);
void tr_ground_count_up(const tr_ground *ground, ground_size *size); // number them alone
void tr_ground_label_links(const tr_ground *ground, ground_size *size);
void tr_ground_labels_release(const tr_ground *ground, ground_size *size);
// Where links begin and end for bodies of this size; the free cells must be known. Label them afterwards.
void tr_ground_find_ends(const tr_ground *ground, ground_size *size);

static inline uint32_t ground_label_of(const ground_size *size, uint32_t tile, uint32_t rect) {
    return size->joined[size->labels[size->tiles[tile].first_rect + rect]];
}

// A ground over a grid of the surface (NULL: that of the definition's area), without the objects that are
// left out.
tr_status tr_ground_make(const tr_ground_def *def, const tr_voxel_grid *grid, surface_exclude exclude,
                         tr_raster *raster, const tr_scene *scene, tr_ground **ground, tr_error *error);
// Links that were checked, or are where they were once.
tr_status tr_ground_keep_links(tr_ground *ground, const tr_ground_link *links, uint32_t count,
                               tr_error *error);

// Take over what the surface has changed in the tiles that are touched.
tr_status tr_ground_take_over(tr_ground *ground, tr_error *error);

// Cells of a size's tile: those of columns that are as they were (in `old`, of the cells `before`; may be
// NULL) are taken over, others are not free and lead nowhere. false: no memory.
bool tr_ground_new_cells(const tr_ground *ground, const ground_tile *now, const ground_tile *before,
                         const size_tile *old, size_tile *made);
void tr_ground_release_mesh(const tr_ground *ground, const size_tile *tile); // rectangles and portals
// All tiles of a size anew. false: no memory, and the size holds nothing.
bool tr_ground_size_build(const tr_ground *ground, ground_size *size);
void tr_ground_size_release(const tr_ground *ground, ground_size *size);
void tr_ground_size_tile_release(const tr_ground *ground, size_tile *tile);
// A copy of the surface's cells. false: no memory.
bool tr_ground_tile_copy(const tr_ground *ground, uint32_t number, ground_tile *tile);
void tr_ground_tile_release(const tr_ground *ground, ground_tile *tile);

// The cell of a column whose floor is nearest to a height and free, within `most` [m]; tile TR_NONE: none.
ground_spot tr_ground_free_near(const tr_ground *ground, const ground_size *size, tr_vec3 point, double most);
// tr_ground_drop and tr_ground_nearest for a size that may not be the ground's yet. The nearest place is at
// most `rise` above or below the point [m, INFINITY], and of one region, unless that is TR_NONE.
tr_ground_place tr_ground_drop_on(const tr_ground *ground, const ground_size *size, tr_vec3 point,
                                  float rise);
tr_ground_place tr_ground_nearest_on(const tr_ground *ground, const ground_size *size, tr_vec3 point,
                                     float reach, float rise, uint32_t region);

// The column, or the row, that a coordinate lies in, among `count` from `origin` on. TR_NONE: beyond.
static inline uint32_t ground_find_line(float at, float origin, float cell, uint32_t count) {
    double u = ((double)at - origin) / cell;
    if (!(u >= 0 && u <= count))
        return TR_NONE;
    return (uint32_t)u < count ? (uint32_t)u : count - 1;
}

// A point as columns and rows with fractions; false: not inside the grid.
static inline bool ground_find_column(const tr_ground *ground, float x, float z, uint32_t *column,
                                      uint32_t *row) {
    double u = ((double)x - ground->grid.origin.x) / ground->grid.cell,
           v = ((double)z - ground->grid.origin.z) / ground->grid.cell;
    if (!(u >= 0 && v >= 0 && u <= ground->grid.columns && v <= ground->grid.rows))
        return false;
    *column = (uint32_t)u < ground->grid.columns ? (uint32_t)u : ground->grid.columns - 1;
    *row = (uint32_t)v < ground->grid.rows ? (uint32_t)v : ground->grid.rows - 1;
    return true;
}
