// Shared by the files of plan/surface_route: the person in the surface's units, reachability, the state of a
// cell, the path. The inner loops of every search are here, inline.
#pragma once
#include "troupe/base/allocator.h"
#include "troupe/plan/surface_route.h"
#include "world/surface/surface_data.h"

// Unlimited head room, in units; sums with heights stay far below 2^32.
#define TR_SURFACE_ROUTE_NO_CEILING (1u << 24)
// Longest step, in cells: costs are kept modulo 256, and steps onto border cells cost more.
#define TR_SURFACE_ROUTE_SPAN_MAX 48
#define TR_SURFACE_ROUTE_RADIUS_MAX 250     // of a person, in cells: distances to the border are bytes
#define TR_SURFACE_ROUTE_LINK_STEPS_MAX 4e6 // of one link, in cells: the sum of all is still a valid cost

// A position on a cell, with its column: cells do not store their column.
typedef struct tr_surface_route_place {
    uint32_t cell; // TR_NONE: nowhere
    uint16_t column, row;
    uint16_t height; // in the surface's units
    uint8_t room;    // kind << 6 | room, as stored in the surface
} tr_surface_route_place;

// A link with both ends on the surface; `cell` TR_NONE: it has none there.
typedef struct tr_surface_route_ends {
    tr_surface_route_place from, to;
} tr_surface_route_ends;

// The state byte of a cell: the result of the border flood, then the state of the current search.
enum {
    TR_SURFACE_ROUTE_IS_REACHED = 1,  // reached by the border flood
    TR_SURFACE_ROUTE_IS_BORDER = 2,   // and too near to what is not reachable
    TR_SURFACE_ROUTE_IS_LINKED = 4,   // an end of a link
    TR_SURFACE_ROUTE_IS_CLOSED = 8,   // expanded, in the search of the stamp
    TR_SURFACE_ROUTE_STAMP_SHIFT = 4, // above: the search that has seen it, 0 for none
    TR_SURFACE_ROUTE_STAMP_MAX = 15
};

// An entry of the queue.
typedef struct tr_surface_route_entry {
    uint32_t cell;
    uint16_t column, row;
    uint32_t next; // entry of the same total; TR_NONE at the end
} tr_surface_route_entry;

#define TR_SURFACE_ROUTE_BUCKETS 256 // one for each total, modulo

struct tr_surface_route {
    tr_allocator allocator;
    const tr_surface *surface;
    uint64_t revision; // of the surface at the last refresh
    tr_grid grid;
    tr_surface_scale scale;
    tr_ground_body person;
    uint32_t border_neighbours;
    // The person in units.
    uint32_t need;      // free height
    uint32_t rise;      // largest rise or fall of a foot
    uint32_t slope;     // largest rise over a cell of ground that can be stood on; a larger rise is a step
    uint32_t span;      // longest step [cells, 1 to TR_SURFACE_ROUTE_SPAN_MAX]
    uint8_t stand_room; // TR_SURFACE_STAND << 6 | least room, for comparison with room bytes
    uint32_t rooms[64]; // head room of each room byte; the last is TR_SURFACE_ROUTE_NO_CEILING
    uint32_t room_most; // guaranteed head room of the last
    // The state of the cells.
    uint32_t cell_count;
    uint8_t *states, *costs;
    uint8_t stamp;         // of the current search
    bool border_is_marked; // the first two bits of the states are valid
    uint32_t reached, border;
    // The queue of the wavefront; entries for which there is no room are found again by a scan of all cells.
    tr_surface_route_entry *entries;
    uint32_t entry_count, entry_free;         // number of entries; the first free one
    uint32_t heads[TR_SURFACE_ROUTE_BUCKETS]; // the first entry of each total; TR_NONE
    // Links.
    tr_ground_link *links;
    tr_surface_route_ends *ends;
    uint32_t link_count;
    // The last result: its cells are `path`, first complete, later refined.
    tr_surface_route_cell *path;
    uint32_t path_capacity;
    tr_surface_route_result result;
    tr_surface_route_border_use last_border; // the border use of that search
    // Memory of TR_SURFACE_ROUTE_EFFORT, managed by surface_route_effort.c; NULL before the first search.
    void *effort;
};

// The cells of a column of the grid, from the lowest up.
static inline tr_surface_column tr_surface_route_column(const tr_surface_route *route, uint32_t column,
                                                        uint32_t row) {
    return surface_at(route->surface, column, row);
}

// Can the person stand on it, by its kind and head room?
static inline bool tr_surface_route_stands(const tr_surface_route *route, uint8_t room) {
    return room >= TR_SURFACE_STAND << 6 && (room & 63) >= (route->stand_room & 63);
}

static inline uint32_t tr_surface_route_ceiling(const tr_surface_route *route, uint32_t height,
                                                uint8_t room) {
    return height + route->rooms[room & 63];
}

// 3.3.1: are two cells on which the person can stand reachable from each other, apart from what lies between?
// They must be no more than the foot's rise apart, and free from the higher floor to the lower ceiling for
// the height of the person.
static inline bool tr_surface_route_fits(const tr_surface_route *route, uint32_t height, uint8_t room,
                                         uint32_t other_height, uint8_t other_room) {
    if (height == other_height)
        return true; // level floors: room to stand is room to pass
    uint32_t high = height > other_height ? height : other_height;
    uint32_t low = height > other_height ? other_height : height;
    uint32_t ceiling = tr_surface_route_ceiling(route, height, room);
    uint32_t other_ceiling = tr_surface_route_ceiling(route, other_height, other_room);
    ceiling = ceiling < other_ceiling ? ceiling : other_ceiling;
    return high - low <= route->rise && ceiling >= high + route->need;
}

// surface_route_rise.c: is a step between two cells in one row or column of the grid no higher than the
// foot's rise, on the ground itself? Only the top of a cell is known: if the ground falls towards a step, the
// foot of the step is lower than that.
bool tr_surface_route_rise_is_real(const tr_surface_route *route, const tr_surface_route_place *from,
                                   const tr_surface_route_place *to);

// The same, without the test of the ground if that cannot change the result.
static inline bool tr_surface_route_rises(const tr_surface_route *route, const tr_surface_route_place *from,
                                          const tr_surface_route_place *to) {
    uint32_t apart = from->height > to->height ? (uint32_t)(from->height - to->height)
                                               : (uint32_t)(to->height - from->height);
    return apart <= route->slope || apart + 3 * route->slope <= route->rise ||
           tr_surface_route_rise_is_real(route, from, to);
}

// The cell of a column that is reachable from a height under a ceiling, as a number in the column; TR_NONE.
// There is at most one: the rise is less than the height, so a second floor within reach would leave no room
// on the first.
static inline uint32_t tr_surface_route_reachable(const tr_surface_route *route,
                                                  const tr_surface_column *column, uint32_t height,
                                                  uint8_t room) {
    for (uint32_t i = 0; i < column->count; i++)
        if (tr_surface_route_stands(route, column->rooms[i]) &&
            tr_surface_route_fits(route, height, room, column->heights[i], column->rooms[i]))
            return i;
    return TR_NONE;
}

// Column offsets of the directions +x, +z, -x, -z.
static inline int32_t tr_surface_route_along_x(uint32_t direction) {
    return direction & 1 ? 0 : 1 - (int32_t)direction;
}
static inline int32_t tr_surface_route_along_z(uint32_t direction) {
    return direction & 1 ? 2 - (int32_t)direction : 0;
}

// The reachable cell of one column, written to `to`. false: there is none, or the grid ends. `from` must be a
// cell to stand on.
static inline bool tr_surface_route_beside(const tr_surface_route *route, const tr_surface_route_place *from,
                                           int32_t along_x, int32_t along_z, tr_surface_route_place *to) {
    uint32_t column = (uint32_t)((int32_t)from->column + along_x),
             row = (uint32_t)((int32_t)from->row + along_z);
    if (column >= route->grid.columns || row >= route->grid.rows)
        return false;
    tr_surface_column cells = tr_surface_route_column(route, column, row);
    uint32_t i = tr_surface_route_reachable(route, &cells, from->height, from->room);
    if (i == TR_NONE)
        return false;
    to->cell = cells.first + i;
    to->column = (uint16_t)column;
    to->row = (uint16_t)row;
    to->height = cells.heights[i];
    to->room = cells.rooms[i];
    return tr_surface_route_rises(route, from, to);
}

// The extended neighbour across a gap or over an obstacle (surface_route_reach.c): the steps to it, 2 to the
// span; 0: there is none. Only if tr_surface_route_beside found nothing.
uint32_t tr_surface_route_across(const tr_surface_route *route, const tr_surface_route_place *from,
                                 uint32_t direction, tr_surface_route_place *to);

// The immediate or extended neighbour: the number of cells to it, 0 for none. Steps across gaps lead one way
// if the floor between can be reached from one side only.
static inline uint32_t tr_surface_route_step(const tr_surface_route *route,
                                             const tr_surface_route_place *from, uint32_t direction,
                                             tr_surface_route_place *to) {
    if (tr_surface_route_beside(route, from, tr_surface_route_along_x(direction),
                                tr_surface_route_along_z(direction), to))
        return 1;
    return route->span > 1 ? tr_surface_route_across(route, from, direction, to) : 0;
}

// Figure 1: a diagonal step, allowed if both ways around the corner lead to the same cell.
static inline bool tr_surface_route_diagonal(const tr_surface_route *route,
                                             const tr_surface_route_place *from, int32_t along_x,
                                             int32_t along_z, tr_surface_route_place *to) {
    tr_surface_route_place side, other, end;
    return tr_surface_route_beside(route, from, along_x, 0, &side) &&
           tr_surface_route_beside(route, from, 0, along_z, &other) &&
           tr_surface_route_beside(route, &side, 0, along_z, to) &&
           tr_surface_route_beside(route, &other, along_x, 0, &end) && end.cell == to->cell &&
           tr_surface_route_fits(route, from->height, from->room, to->height, to->room);
}

// Is the cell free: reached by the flood, and no border cell?
static inline bool tr_surface_route_is_free(const tr_surface_route *route, uint32_t cell) {
    return (route->states[cell] & (TR_SURFACE_ROUTE_IS_REACHED | TR_SURFACE_ROUTE_IS_BORDER)) ==
           TR_SURFACE_ROUTE_IS_REACHED;
}

tr_surface_route_place tr_surface_route_place_of(const tr_surface_place *place,
                                                 const tr_surface_route *route);
tr_surface_place tr_surface_route_public_place(const tr_surface_route *route,
                                               const tr_surface_route_place *place);
// The place of a cell of the path.
tr_surface_route_place tr_surface_route_path_place(const tr_surface_route *route,
                                                   const tr_surface_route_cell *cell);

// The kind of a move from one place to the next; they need not be in one row, nor neighbours.
tr_obstacle tr_surface_route_move(const tr_surface_route *route, const tr_surface_route_place *from,
                                  const tr_surface_route_place *to);

// Is the link open, and permitted by the parameters?
static inline bool tr_surface_route_link_is_open(const tr_surface_route *route,
                                                 const tr_surface_route_params *params, uint32_t link) {
    return !route->links[link].closed && (params->links & (uint32_t)route->links[link].kind) != 0;
}

// Reserves room for a path of this many cells. false: no memory; the path is unchanged.
bool tr_surface_route_path_reserve(tr_surface_route *route, uint64_t cells);
// Call it after path[0 .. result.cell_count) has its cells, columns, rows, heights and links: fills in the
// obstacles, length, number of border cells, and result.cells.
void tr_surface_route_path_finish(tr_surface_route *route);

// A query whose ends are on the surface.
typedef struct tr_surface_route_query {
    const tr_surface_route_params *params;
    tr_surface_route_border_use
        border; // AVOID: only free cells, except for the ends. ALLOW: there is no such
                // way: other cells cost TR_SURFACE_ROUTE_BORDER_WEIGHT times as much
    tr_surface_route_place start;
    const tr_surface_route_place *goals; // `cell` TR_NONE: not available
    uint32_t goal_count;
} tr_surface_route_query;
#define TR_SURFACE_ROUTE_BORDER_WEIGHT 16

// surface_route_effort.c. Fills path (in order from the start, with links), result.cell_count, result.cost,
// result.goal (its number in query->goals) and result.counters; the caller calls
// tr_surface_route_path_finish. TR_OK, TR_NOT_FOUND, TR_PARTIAL (path to the cell nearest to a goal, goal
// TR_NONE), TR_OUT_OF_MEMORY, TR_LIMIT.
tr_status tr_surface_route_effort_find(tr_surface_route *route, const tr_surface_route_query *query,
                                       tr_error *error);
// Frees route->effort and sets it to NULL; called at a refresh and at the end.
void tr_surface_route_effort_release(tr_surface_route *route);
