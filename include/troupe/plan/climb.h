// troupe/plan/climb.h - ways over a surface: up stairs, over gaps, under arches, from storey to storey.
//
// Bandi & Thalmann 1998, section 3. From a cell one goes to its four neighbours: the next cell in a
// direction, or across a gap an extended one, as far as the person's foot spans and height allow. The paper's
// search (a wavefront of unit steps, A* by Manhattan distance, an 8-path taken back through it) keeps two
// bytes a cell; searching by effort counts true lengths, slopes and stairs, and keeps 21.
#pragma once
#include "troupe/plan/search.h"
#include "troupe/world/ground.h"

TR_BEGIN_DECLARATIONS

// What decides which obstacles are surmountable (3.3.1): spans that people of a height have, see
// docs/climb.md. Radius 0: the paper's border, one cell.
TR_API tr_ground_body tr_climb_body_of_height(float height);

typedef struct tr_climb_def {
    const tr_allocator *allocator; // NULL: malloc
    const tr_surface *surface;     // must outlive it; call tr_climb_refresh after it changed
    tr_ground_body person;
    uint32_t border_neighbours; // 4 (the paper's border cells) or 8 (corners of holes have one too)
} tr_climb_def;

typedef struct tr_climb tr_climb;
TR_API tr_status tr_climb_create(const tr_climb_def *def, tr_climb **climb, tr_error *error);
TR_API void tr_climb_destroy(tr_climb *climb); // NULL is allowed
// Take over the surface as it is now: makes room, forgets the border and the last result.
TR_API tr_status tr_climb_refresh(tr_climb *climb, tr_error *error);
// Replaces all links. TR_INVALID names the one whose end has no surface below. Open or close one at any time.
TR_API tr_status tr_climb_set_links(tr_climb *climb, const tr_ground_link *links, uint32_t count,
                                    tr_error *error);
TR_API tr_status tr_climb_close_link(tr_climb *climb, uint32_t link, bool closed);
TR_API uint64_t
tr_climb_bytes(const tr_climb *climb); // without the surface, without what an effort search adds
#define TR_CLIMB_CELL_BYTES 2 // of these for each cell; the rest is the queue, links and the last path
TR_API const tr_surface *tr_climb_surface(const tr_climb *climb);
TR_API const tr_ground_body *tr_climb_person(const tr_climb *climb);

// The four directions of a wavefront: +x, +z, -x, -z.
#define TR_CLIMB_DIRECTIONS 4

// Why one cannot go on in a direction; figure 5 of the paper.
typedef enum tr_obstacle {
    TR_OBSTACLE_NONE,    // the next cell is level with this one (within 1/8 of the foot's rise) and reachable
    TR_OBSTACLE_STEP_ON, // surmountable: higher
    TR_OBSTACLE_STEP_DOWN, // lower
    TR_OBSTACLE_CROSS,     // across a gap
    TR_OBSTACLE_STEP_OVER, // over something that cannot be stood on
    TR_OBSTACLE_CLIMB,     // insurmountable: too high (a wall), or too deep (the floor below a balcony)
    TR_OBSTACLE_GAP,       // too wide, nothing to stand on
    TR_OBSTACLE_PASS,      // too low a roof; also from where the person cannot stand at all
    TR_OBSTACLE_EDGE,      // the grid ends
} tr_obstacle;
// The immediate or extended neighbour in a direction [0, 4), `place.cell` TR_NONE when it is insurmountable;
// `obstacle` (may be NULL) gets what is in the way. Border or not is not asked.
TR_API tr_surface_place tr_climb_neighbour(const tr_climb *climb, const tr_surface_place *from,
                                           uint32_t direction, tr_obstacle *obstacle);

// 3.3.2: mark the border cells, by a flood from the cells below `seeds`, or everywhere (no seeds). Done by
// tr_climb_find when it has not been: call it yourself to choose the moment. Border: a cell with an
// unreachable neighbour (of the 4 or 8; the edge of the grid is unreachable), and with a radius all that are
// nearer to such a place than it, from square to square as in TR_GROWTH_SAFE, measured by walking away from
// the place along x and then along z. TR_NOT_FOUND: no seed has a surface below. At most TR_CLIMB_GOALS_MAX
// seeds. A flood follows links, closed ones too.
TR_API tr_status tr_climb_mark_border(tr_climb *climb, const tr_vec3 *seeds, uint32_t seed_count,
                                      tr_error *error);
typedef enum tr_climb_state {
    TR_CLIMB_UNSEEN, // not to be stood on, or not reached by the flood
    TR_CLIMB_FREE,
    TR_CLIMB_BORDER
} tr_climb_state;
TR_API tr_climb_state tr_climb_state_of(const tr_climb *climb, uint32_t cell);
TR_API uint32_t tr_climb_reached(const tr_climb *climb); // cells that the flood saw, border cells among them
TR_API uint32_t tr_climb_border(const tr_climb *climb);  // border cells

typedef enum tr_climb_method {
    TR_CLIMB_FLOOD,  // breadth first: the paper's special case of A* without a heuristic
    TR_CLIMB_ASTAR,  // the paper's
    TR_CLIMB_EFFORT, // true lengths and the effort of rising, eight directions; cheapest is best
} tr_climb_method;
typedef enum tr_climb_border_use {
    TR_CLIMB_BORDER_AVOID, // TR_NOT_FOUND where only border cells lead through; the result says so
    TR_CLIMB_BORDER_ALLOW, // then go through them: as few as possible
    TR_CLIMB_BORDER_IGNORE // as if there were none
} tr_climb_border_use;

#define TR_CLIMB_GOALS_MAX 64

typedef struct tr_climb_params {
    tr_climb_method method;
    uint32_t path; // 4 or 8: how the path is taken back through a wavefront
    tr_climb_border_use border;
    uint32_t links; // kinds that may be used, or'ed
    float up,
        down;   // TR_CLIMB_EFFORT: metres of level ground that a metre of rise and of fall are worth [>= 0]
    float drop; // a start or goal in mid-air falls so far at most [m, >= 0]; INFINITY
    float
        reach; // one that nobody can stand at is moved to the nearest cell within this [m, >= 0]; where the
               // border is avoided, one in it to the nearest free cell that can be walked to, so far at most
    tr_search_budget budget;
} tr_climb_params;
// A*, 8-path, avoid the border, all links but ladders, up 4, down 1, drop INFINITY, reach 1 m, no budget.
TR_API tr_climb_params tr_climb_params_default(void);

// What happened to a start or goal.
typedef enum tr_climb_fate {
    TR_CLIMB_ON,        // it is on the surface
    TR_CLIMB_DROPPED,   // it was in mid-air and fell onto it
    TR_CLIMB_MOVED,     // it was moved to the nearest free cell
    TR_CLIMB_NOWHERE,   // there is no surface below or near it
    TR_CLIMB_IN_BORDER, // it stands in a border region, and stays there
} tr_climb_fate;

// A cell of the path, and how it is reached from the one before.
typedef struct tr_climb_cell {
    uint32_t cell;
    uint16_t column, row;
    uint16_t height;  // in the surface's units
    uint8_t obstacle; // tr_obstacle of the move to here; TR_OBSTACLE_NONE for the first
    uint8_t link;     // 1 + number of the link that leads here, 0: none
} tr_climb_cell;

typedef struct tr_climb_result {
    const tr_climb_cell *cells; // from start to goal
    uint32_t cell_count;
    double length; // through the centres, in three dimensions [m]
    double cost; // steps of the wavefront: one for a cell, those it crosses for a gap, for a link its cost in
                 // cells, 15 more for a border cell that had to be entered; or effort [m]
    uint32_t goal; // which of the goals; TR_NONE
    tr_climb_fate start_fate, goal_fate;
    uint32_t border_cells;     // of the path
    bool border_leads_through; // TR_NOT_FOUND, but there is a way through border cells
    tr_search_counters counters;
} tr_climb_result;

// From `start` to the goal that is reached most cheaply. No allocation, but for TR_CLIMB_EFFORT's first
// search after a refresh, and for a path longer than all before and than 64 + 4 * sqrt(cells). TR_OK,
// TR_NOT_FOUND, TR_PARTIAL (budget: the path to the cell nearest to a goal; find again with more), TR_INVALID
// (not finite, outside the grid, no goal, or more than TR_CLIMB_GOALS_MAX, the surface has changed since the
// last refresh).
TR_API tr_status tr_climb_find(tr_climb *climb, const tr_climb_params *params, tr_vec3 start,
                               const tr_vec3 *goals, uint32_t goal_count, tr_error *error);
TR_API tr_climb_result tr_climb_last(const tr_climb *climb);

// 3.2, 3.3.3: straighten the last path by DDA, in place. A line whose cells are not all reachable one from
// the other (each new one at the height that follows from the one before), or that enters a border cell that
// the path did not enter, is not taken: the old piece stays. Links and steps across gaps are kept as they
// are.
typedef enum tr_climb_refinement {
    TR_CLIMB_ALTERNATE, // join every other node cell (where the path turns): the paper's
    TR_CLIMB_EVERY      // every cell is a node: the smoothest
} tr_climb_refinement;
TR_API tr_status tr_climb_refine(tr_climb *climb, tr_climb_refinement refinement);

// The last path, however it was found, as a line of any angles: pulled tight over reachable cells, with
// points where it turns and where a leap across a gap, over something or along a link begins and ends; leaps
// stay as they are. Between two points the ground may rise and fall: its height is looked up on the surface.
// No piece enters more border cells than what it replaces, or is worth more effort after TR_CLIMB_EFFORT.
// `start` and `goal` become the ends where they lie in the first and last cell, else the cells' centres do.
// `length` (may be NULL) is that of the straight pieces from point to point [m]. TR_LIMIT: more than
// point_max points (2 * cell_count + 2 are always enough). TR_INVALID: there is no path, or the surface has
// changed.
typedef struct tr_climb_point {
    tr_vec3 position;
    uint8_t obstacle, link; // of the piece that ends here, as in tr_climb_cell
} tr_climb_point;
TR_API tr_status tr_climb_straighten(tr_climb *climb, tr_vec3 start, tr_vec3 goal, tr_climb_point *points,
                                     uint32_t point_max, uint32_t *point_count, double *length);
// Is the straight line from the middle of one cell to another free, cell by cell over reachable ones? A line
// through the corner of a cell needs both cells beside it to be reachable. Border or not is not asked.
TR_API bool tr_climb_sees(const tr_climb *climb, const tr_surface_place *from, const tr_surface_place *to);

TR_END_DECLARATIONS
