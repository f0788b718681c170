// troupe/plan/surface_route.h - paths over a surface: up stairs, over gaps, under arches, from storey to
// storey.
//
// Bandi & Thalmann 1998, section 3. A person moves from a cell to its four neighbours: the next cell in a
// direction or, across a gap, an extended neighbour, as far as the spans of its feet and its height allow.
// The paper's search (a wavefront of unit steps, A* by Manhattan distance, an 8-path traced back through it)
// needs two bytes a cell. The search by effort counts true lengths, slopes and stairs, and needs 21.
#pragma once
#include "troupe/plan/search.h"
#include "troupe/world/ground.h"

TR_BEGIN_DECLARATIONS

// Returns the body of a person of this height. Its spans decide which obstacles are surmountable (3.3.1), see
// docs/plan/surface_route.md. Its radius is 0: the paper's border, one cell.
TR_API tr_ground_body tr_surface_route_body_of_height(float height);

typedef struct tr_surface_route_def {
    const tr_allocator *allocator; // NULL: malloc
    const tr_surface *surface;     // must outlive the route; call tr_surface_route_refresh after a change
    tr_ground_body person;
    uint32_t border_neighbours; // 4 (the paper's border cells) or 8 (corners of holes have a border too)
} tr_surface_route_def;

typedef struct tr_surface_route tr_surface_route;
TR_API tr_status tr_surface_route_create(const tr_surface_route_def *def, tr_surface_route **route,
                                         tr_error *error);
TR_API void tr_surface_route_destroy(tr_surface_route *route); // NULL is allowed
// Adopts the current state of the surface: allocates memory for it and discards the border and the last
// result.
TR_API tr_status tr_surface_route_refresh(tr_surface_route *route, tr_error *error);
// Replaces all links. TR_INVALID: an end of a link has no surface below; the error names the link. A link may
// be opened and closed at any time.
TR_API tr_status tr_surface_route_set_links(tr_surface_route *route, const tr_ground_link *links,
                                            uint32_t count, tr_error *error);
TR_API tr_status tr_surface_route_close_link(tr_surface_route *route, uint32_t link, bool closed);
TR_API uint64_t tr_surface_route_bytes(
    const tr_surface_route *route); // without the surface, without the memory that an effort search adds
#define TR_SURFACE_ROUTE_CELL_BYTES                                                                          \
    2 // of tr_surface_route_bytes, per cell; the rest is the queue, links and the last path
TR_API const tr_surface *tr_surface_route_surface(const tr_surface_route *route);
TR_API const tr_ground_body *tr_surface_route_person(const tr_surface_route *route);

// The four directions of a wavefront: +x, +z, -x, -z.
#define TR_SURFACE_ROUTE_DIRECTIONS 4

// The obstacle in a direction; figure 5 of the paper.
typedef enum tr_obstacle {
    TR_OBSTACLE_NONE,    // the next cell is level with this one (within 1/8 of the foot's rise) and reachable
    TR_OBSTACLE_STEP_ON, // surmountable: higher
    TR_OBSTACLE_STEP_DOWN, // lower
    TR_OBSTACLE_CROSS,     // across a gap
    TR_OBSTACLE_STEP_OVER, // over a top that a person cannot stand on
    TR_OBSTACLE_CLIMB,     // insurmountable: too high (a wall), or too deep (the floor below a balcony)
    TR_OBSTACLE_GAP,       // too wide, no place to stand
    TR_OBSTACLE_PASS,      // the roof is too low; also from a cell where the person cannot stand at all
    TR_OBSTACLE_EDGE,      // the grid ends
} tr_obstacle;
// Returns the immediate or extended neighbour in a direction [0, 4). Its `cell` is TR_NONE if the obstacle is
// insurmountable. `obstacle` (may be NULL) receives the obstacle in the way. The border is ignored.
TR_API tr_surface_place tr_surface_route_neighbour(const tr_surface_route *route,
                                                   const tr_surface_place *from, uint32_t direction,
                                                   tr_obstacle *obstacle);

// Marks the border cells (3.3.2), by a flood from the cells below `seeds`, or everywhere if there are no
// seeds. tr_surface_route_find does this if it has not been done: call the function yourself to choose the
// moment. A border cell has an unreachable neighbour (of the 4 or 8; the edge of the grid is unreachable).
// With a radius, every cell that is nearer than the radius to such a place is a border cell too. This
// distance is from square to square as in TR_GROWTH_SAFE, measured by walking away from the place along x and
// then along z. TR_NOT_FOUND: no seed has a surface below. There may be at most TR_SURFACE_ROUTE_GOALS_MAX
// seeds. A flood follows links, including closed ones.
TR_API tr_status tr_surface_route_mark_border(tr_surface_route *route, const tr_vec3 *seeds,
                                              uint32_t seed_count, tr_error *error);
typedef enum tr_surface_route_state {
    TR_SURFACE_ROUTE_UNSEEN, // a person cannot stand there, or the flood did not reach it
    TR_SURFACE_ROUTE_FREE,
    TR_SURFACE_ROUTE_BORDER
} tr_surface_route_state;
TR_API tr_surface_route_state tr_surface_route_state_of(const tr_surface_route *route, uint32_t cell);
TR_API uint32_t
tr_surface_route_reached(const tr_surface_route *route); // cells that the flood reached, with border cells
TR_API uint32_t tr_surface_route_border(const tr_surface_route *route); // border cells

typedef enum tr_surface_route_method {
    TR_SURFACE_ROUTE_FLOOD,  // breadth first: the paper's special case of A* without a heuristic
    TR_SURFACE_ROUTE_ASTAR,  // the paper's
    TR_SURFACE_ROUTE_EFFORT, // true lengths and the effort of rising, eight directions; finds the cheapest
                             // path
} tr_surface_route_method;
typedef enum tr_surface_route_border_use {
    TR_SURFACE_ROUTE_BORDER_AVOID, // TR_NOT_FOUND if only border cells lead through; the result says so
    TR_SURFACE_ROUTE_BORDER_ALLOW, // in that case go through as few of them as possible
    TR_SURFACE_ROUTE_BORDER_IGNORE // as if there were no border
} tr_surface_route_border_use;

#define TR_SURFACE_ROUTE_GOALS_MAX 64

typedef struct tr_surface_route_params {
    tr_surface_route_method method;
    uint32_t path; // 4 or 8: neighbours by which the path is traced back through a wavefront
    tr_surface_route_border_use border;
    uint32_t links; // kinds that may be used, or'ed
    float up,
        down;   // TR_SURFACE_ROUTE_EFFORT: metres of level ground that a metre of rise and of fall are worth
                // [>= 0]
    float drop; // the furthest that a start or goal in mid-air falls [m, >= 0]; INFINITY
    float
        reach; // a start or goal where a person cannot stand moves to the nearest cell within this [m, >= 0];
               // if the border is avoided, one in the border moves to the nearest free cell that a
               // walk of at most this length reaches
    tr_search_budget budget;
} tr_surface_route_params;
// A*, 8-path, avoid the border, all links but ladders, up 4, down 1, drop INFINITY, reach 1 m, no budget.
TR_API tr_surface_route_params tr_surface_route_params_default(void);

// What happened to a start or goal.
typedef enum tr_surface_route_fate {
    TR_SURFACE_ROUTE_ON,        // it is on the surface
    TR_SURFACE_ROUTE_DROPPED,   // it was in mid-air and fell onto it
    TR_SURFACE_ROUTE_MOVED,     // it was moved to the nearest free cell
    TR_SURFACE_ROUTE_NOWHERE,   // there is no surface below or near it
    TR_SURFACE_ROUTE_IN_BORDER, // it stands in a border region, and stays there
} tr_surface_route_fate;

// A cell of the path, and how it is reached from the previous cell.
typedef struct tr_surface_route_cell {
    uint32_t cell;
    uint16_t column, row;
    uint16_t height;  // in the surface's units
    uint8_t obstacle; // tr_obstacle of the move to here; TR_OBSTACLE_NONE for the first
    uint8_t link;     // 1 + number of the link that leads here, 0: none
} tr_surface_route_cell;

typedef struct tr_surface_route_result {
    const tr_surface_route_cell *cells; // from start to goal
    uint32_t cell_count;
    double length; // through the centres, in three dimensions [m]
    double cost; // steps of the wavefront: 1 for a cell, the cells crossed for a gap, for a link its cost in
                 // cells, 15 more for a border cell that had to be entered; or effort [m]
    uint32_t goal; // index of the goal that is reached; TR_NONE: none
    tr_surface_route_fate start_fate, goal_fate;
    uint32_t border_cells;     // number of them in the path
    bool border_leads_through; // TR_NOT_FOUND, but there is a path through border cells
    tr_search_counters counters;
} tr_surface_route_result;

// Finds the path from `start` to the goal that is cheapest to reach. Allocates only in the first search by
// TR_SURFACE_ROUTE_EFFORT after a refresh, and for a path of more than 64 + 4 * sqrt(cells) cells that is
// longer than all before. TR_OK; TR_NOT_FOUND; TR_PARTIAL: the budget ran out, and the path leads to the cell
// nearest to a goal; search again with a larger budget. TR_INVALID: a value is not finite, a point is outside
// the grid, there is no goal or more than TR_SURFACE_ROUTE_GOALS_MAX, or the surface has changed since the
// last refresh.
TR_API tr_status tr_surface_route_find(tr_surface_route *route, const tr_surface_route_params *params,
                                       tr_vec3 start, const tr_vec3 *goals, uint32_t goal_count,
                                       tr_error *error);
TR_API tr_surface_route_result tr_surface_route_last(const tr_surface_route *route);

// Straightens the last path by DDA, in place (3.2, 3.3.3). A line is rejected, and the old piece stays, if
// one of its cells is not reachable from the cell before (each at the height that follows from the cell
// before), or if the line enters a border cell that the path did not enter. Links and steps across gaps are
// unchanged.
typedef enum tr_surface_route_refinement {
    TR_SURFACE_ROUTE_ALTERNATE, // join every other node cell (where the path turns): the paper's method
    TR_SURFACE_ROUTE_EVERY      // every cell is a node: the smoothest
} tr_surface_route_refinement;
TR_API tr_status tr_surface_route_refine(tr_surface_route *route, tr_surface_route_refinement refinement);

// Returns the last path, found by any method, as a line of any angles, pulled tight over reachable cells. It
// has points where it turns, and where a leap across a gap, over an obstacle or along a link begins and ends.
// Leaps are unchanged. Between two points the ground may rise and fall: look up its height on the surface. No
// piece enters more border cells than the piece that it replaces or, after TR_SURFACE_ROUTE_EFFORT, costs
// more effort. `start` and `goal` become the ends if they lie in the first and last cell; otherwise the
// centres of these cells do. `length` (may be NULL) receives the length of the straight pieces from point to
// point [m]. TR_LIMIT: there are more than point_max points (2 * cell_count + 2 are always enough).
// TR_INVALID: there is no path, or the surface has changed.
typedef struct tr_surface_route_point {
    tr_vec3 position;
    uint8_t obstacle, link; // of the piece that ends here, as in tr_surface_route_cell
} tr_surface_route_point;
TR_API tr_status tr_surface_route_straighten(tr_surface_route *route, tr_vec3 start, tr_vec3 goal,
                                             tr_surface_route_point *points, uint32_t point_max,
                                             uint32_t *point_count, double *length);
// Returns whether the straight line from the centre of one cell to that of another is free, cell by cell over
// reachable cells. If the line passes through the corner of a cell, both cells beside it must be reachable.
// The border is ignored.
TR_API bool tr_surface_route_sees(const tr_surface_route *route, const tr_surface_place *from,
                                  const tr_surface_place *to);

TR_END_DECLARATIONS
