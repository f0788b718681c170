// How a ground is stored. Internal; plan/path reads it too.
//
// The cells of the surface are copied tile by tile, so that a ground is unchanged when an update fails half
// way. For every size there are, for each of these cells, the steps out of it (`ways`), and a mesh: the free
// cells of a tile cut into rectangles that are level inside, with portals where one leads to another. A tile
// depends on its cells alone, not on earlier content: an update gives the same bits as a new ground.
#pragma once
#include "world/surface/surface_data.h"
#include "troupe/world/ground.h"

#define GROUND_TILE TR_VOXEL_TILE
#define GROUND_OFFSETS (GROUND_TILE * GROUND_TILE + 1)
#define GROUND_NO_RECT 0xffff        // of a cell that is not free
#define GROUND_NO_CEILING (1u << 24) // unlimited head room [units]
#define GROUND_SPAN_MAX 48           // longest step [cells]
#define GROUND_RADIUS_MAX 250        // [cells]

// The copied cells of a tile: every column has an entry, columns beyond the grid are empty.
typedef struct ground_tile {
    uint16_t *offsets; // GROUND_OFFSETS of them; the block begins here
    uint16_t *heights;
    uint8_t *rooms;
    uint32_t count; // of cells
    uint32_t first; // number of the first cell in the surface
    // Most columns of most tiles have one cell to stand on, at the same height: queries about them need not
    // read cells.
    uint32_t plain[GROUND_TILE]; // a bit for each such column of a row
    uint16_t floor;              // their height [units]
} ground_tile;

enum {
    GROUND_OPEN = 1,  // << direction: a body can step to the cell beside
    GROUND_LEAP = 16, // << direction: it cannot, but to a cell further on
};

// A rectangle of free cells that lead to each other without a step: columns [x0, x1), rows [z0, z1). Its
// portals are sorted by direction, +x, +z, -x, -z, and then by position along the side.
typedef struct ground_rect {
    uint16_t x0, z0, x1, z1;
    uint32_t portals;  // the first portal
    uint16_t sides[4]; // the number of portals up to the end of each direction
} ground_rect;

// Where a rectangle borders on another, seen from one of them. The other has a portal for the way back.
typedef struct ground_portal {
    uint32_t tile; // where it leads
    uint16_t rect;
    uint16_t begin, end; // along the side [columns or rows]
    uint16_t from, to;   // heights of the floor before and behind it, rounded [units]
    uint8_t steps;       // 1: beside. More: a leap over steps - 1 columns
    uint8_t corners; // 1: a way may bend at the beginning, 2: at the end; 4, 8: even if heights cost nothing
    uint16_t vertices[2]; // the numbers of both ends in the tile that it leads from
} ground_portal;

// One tile for bodies of one size.
typedef struct size_tile {
    uint16_t *rects_of; // of each cell, or GROUND_NO_RECT; the first block begins here
    uint8_t *ways;      // of each cell: GROUND_OPEN, GROUND_LEAP
    uint32_t cell_count;
    ground_rect *rects; // the second block: rectangles, then portals
    ground_portal *portals;
    uint32_t rect_count, portal_count, vertex_count;
    uint32_t first_rect, first_portal, first_vertex; // numbers of the first ones, over all tiles
    uint32_t plain[GROUND_TILE]; // the plain columns whose cell is free, once the tile is cut
} size_tile;

// A cell of a tile, and its position on the ground.
typedef struct ground_spot {
    uint32_t tile; // TR_NONE: no cell
    uint16_t index;
    uint16_t x, z;
} ground_spot;

// An end of a link for one size: the nearest free place.
typedef struct ground_end {
    uint32_t tile; // TR_NONE: there is none
    uint16_t rect, height;
    tr_vec3 position;
} ground_end;

// A body in units and cells.
typedef struct ground_measure {
    uint32_t need; // free height
    uint32_t rise; // greatest rise or drop of a foot
    uint32_t over; // greatest height of an obstacle that a body leaps over
    uint32_t span; // longest step [cells, >= 1]
    uint32_t room; // least room byte without its kind
    uint32_t halo; // cells nearer than this to something may be too close
    double radius; // [cells]
} ground_measure;

typedef struct ground_size {
    tr_ground_body body;
    ground_measure measure;
    size_tile *tiles;
    uint32_t rect_total, portal_total, vertex_total;
    uint32_t *labels; // of each rectangle: connected by portals
    uint32_t *joined; // of each label: connected by links too
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
    uint32_t rooms[64]; // the head room of each room byte [units]; the last is GROUND_NO_CEILING
    uint32_t room_most; // the head room that the last is known to have
    int32_t level;      // heights are rounded to multiples of this where they cost something [units]
    int32_t slope_rise; // rise within a cell of the steepest walkable floor; more is a step [units]
    ground_tile *tiles;
    ground_size *sizes;
    uint32_t size_count, size_capacity;
    uint64_t *touched; // a bit for each tile that may differ from the surface
    tr_ground_link *links;
    uint32_t link_count;
    uint64_t revision;
    tr_cells changes[TR_GROUND_CHANGES_MAX];
    uint32_t change_count;
};

// The smallest rectangle around some columns, while it grows.
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
    _Static_assert(GROUND_TILE == 32, "a row must fit one word");
    return plain[z % GROUND_TILE] >> x % GROUND_TILE & 1;
}

// Whether a body of this size can stand on a cell, by its kind and head room.
static inline bool ground_stands(const ground_measure *measure, uint8_t room) {
    return room >= TR_SURFACE_STAND << 6 && (room & 63u) >= measure->room;
}

// Whether a body can step between two standing cells, apart from obstacles between them: they differ by at
// most the foot's rise, and the head room from the higher floor to the lower ceiling is enough for the body.
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

// The cell of a column that fits; TR_NONE if there is none. There is at most one: the rise is less than the
// height, so a second floor within reach would leave no head room on the first.
static inline uint32_t ground_fitting(const tr_ground *ground, const ground_measure *measure,
                                      const ground_tile *tile, const uint16_t *offsets, uint32_t height,
                                      uint8_t room) {
    for (uint32_t i = offsets[0]; i < offsets[1]; i++)
        if (ground_stands(measure, tile->rooms[i]) &&
            ground_fits(ground, measure, height, room, tile->heights[i], tile->rooms[i]))
            return i;
    return TR_NONE;
}

// Columns to move along for the directions +x, +z, -x, -z.
static inline int32_t ground_along_x(uint32_t direction) {
    return direction & 1 ? 0 : 1 - (int32_t)direction;
}
static inline int32_t ground_along_z(uint32_t direction) {
    return direction & 1 ? 2 - (int32_t)direction : 0;
}

// The height as portals store it.
static inline int32_t ground_rounded(const tr_ground *ground, uint32_t height) {
    int32_t rounded = ((int32_t)height + ground->level / 2) / ground->level * ground->level;
    return rounded < 65535 ? rounded : 65535;
}

static inline double ground_height_of(const tr_ground *ground, uint32_t units) {
    return ground->scale.bottom + units * ground->scale.unit;
}

// The cell that the step in a direction leads to, by the size's `ways`, and the columns to it; 0: none.
uint32_t tr_ground_step(const tr_ground *ground, const ground_size *size, const ground_spot *from,
                        uint32_t direction, ground_spot *to);
// The cell across a gap, or over an obstacle; the columns to it, 0: none.
uint32_t tr_ground_across(const tr_ground *ground, const ground_measure *measure, const ground_spot *from,
                          uint32_t direction, ground_spot *to);
// Whether the column does not obstruct a body that steps across it from a foot at this height. The body may
// step onto standing cells no higher than its rise, and over other tops no higher than measure->over.
bool tr_ground_is_low(const tr_ground *ground, const ground_measure *measure, uint32_t x, uint32_t z,
                      uint32_t height);
// Finds the steps out of each standing cell of these columns, into size->tiles, or only leaps along one axis.
// Returns the columns in which they changed.
typedef enum ground_ways { GROUND_ALL_WAYS, GROUND_LEAPS_X, GROUND_LEAPS_Z } ground_ways;
tr_cells tr_ground_find_ways(const tr_ground *ground, ground_size *size, tr_cells window, ground_ways which);
// Memory that is reused from tile to tile. Zero is valid.
typedef struct ground_scratch {
    struct ground_node *nodes;
    uint32_t *columns; // the number of each column's first node, and the end
    ground_rect *rects;
    ground_portal *portals;
    uint16_t *marks;
    uint32_t node_capacity, column_capacity, rect_capacity, portal_capacity, mark_capacity;
} ground_scratch;
void tr_ground_scratch_release(const tr_ground *ground, ground_scratch *scratch);
// Finds the free cells of these columns: rects_of becomes GROUND_NO_RECT for cells that are no longer free,
// and 0 for cells that are free now; the bits of the tiles in which this happens are set in `changed`. false:
// no memory.
bool tr_ground_find_free(const tr_ground *ground, ground_size *size, tr_cells window, uint64_t *changed,
                         ground_scratch *scratch);
// Cuts the free cells of a tile into rectangles, in a new block without portals. false: no memory, and
// nothing was changed.
bool tr_ground_cut(const tr_ground *ground, ground_size *size, uint32_t tile, ground_scratch *scratch);
// Finds the portals of a tile after the rectangles of the tile and of its neighbours have been cut. The whole
// mesh is put into one new block. false: no memory, and nothing was changed.
bool tr_ground_join(const tr_ground *ground, ground_size *size, uint32_t tile, ground_scratch *scratch);
// Numbers rectangles and vertices, labels connected ones and finds the ends of links. false: no memory.
bool tr_ground_label(const tr_ground *ground, ground_size *size);
void tr_ground_count_up(const tr_ground *ground, ground_size *size); // only numbers them
void tr_ground_label_links(const tr_ground *ground, ground_size *size);
void tr_ground_labels_release(const tr_ground *ground, ground_size *size);
// Finds where links begin and end for bodies of this size; the free cells must be known. Label afterwards.
void tr_ground_find_ends(const tr_ground *ground, ground_size *size);

static inline uint32_t ground_label_of(const ground_size *size, uint32_t tile, uint32_t rect) {
    return size->joined[size->labels[size->tiles[tile].first_rect + rect]];
}

// A ground over a grid of the surface (NULL: from the definition's area), without the excluded objects.
tr_status tr_ground_make(const tr_ground_def *def, const tr_voxel_grid *grid, surface_exclude exclude,
                         tr_raster *raster, const tr_scene *scene, tr_ground **ground, tr_error *error);
// Sets links that were checked now or in the past.
tr_status tr_ground_keep_links(tr_ground *ground, const tr_ground_link *links, uint32_t count,
                               tr_error *error);

// Copies the surface's changes in the touched tiles.
tr_status tr_ground_take_over(tr_ground *ground, tr_error *error);

// Makes the cells of a size's tile: those of unchanged columns are copied (from `old`, for the cells
// `before`; may be NULL), others are not free and lead nowhere. false: no memory.
bool tr_ground_new_cells(const tr_ground *ground, const ground_tile *now, const ground_tile *before,
                         const size_tile *old, size_tile *made);
void tr_ground_release_mesh(const tr_ground *ground, const size_tile *tile); // rectangles and portals
// Builds all tiles of a size. false: no memory, and the size holds nothing.
bool tr_ground_size_build(const tr_ground *ground, ground_size *size);
void tr_ground_size_release(const tr_ground *ground, ground_size *size);
void tr_ground_size_tile_release(const tr_ground *ground, size_tile *tile);
// Copies the surface's cells. false: no memory.
bool tr_ground_tile_copy(const tr_ground *ground, uint32_t number, ground_tile *tile);
void tr_ground_tile_release(const tr_ground *ground, ground_tile *tile);

// The free cell of a column whose floor is nearest to a height, within `most` [m]; tile TR_NONE: none.
ground_spot tr_ground_free_near(const tr_ground *ground, const ground_size *size, tr_vec3 point, double most);
// tr_ground_drop and tr_ground_nearest for a size that need not belong to the ground yet. The nearest place
// is at most `rise` above or below the point [m, INFINITY], and in the given region, unless that is TR_NONE.
tr_ground_place tr_ground_drop_on(const tr_ground *ground, const ground_size *size, tr_vec3 point,
                                  float rise);
tr_ground_place tr_ground_nearest_on(const tr_ground *ground, const ground_size *size, tr_vec3 point,
                                     float reach, float rise, uint32_t region);

// The column, or the row, of a coordinate among `count` from `origin` on. TR_NONE: outside.
static inline uint32_t ground_find_line(float at, float origin, float cell, uint32_t count) {
    double u = ((double)at - origin) / cell;
    if (!(u >= 0 && u <= count))
        return TR_NONE;
    return (uint32_t)u < count ? (uint32_t)u : count - 1;
}

// A point in columns and rows with fractions; false: outside the grid.
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
