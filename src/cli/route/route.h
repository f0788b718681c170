// Shared by the parts of `troupe route`: the request, the world to plan in, and the answers.
#pragma once
#include "cli/scene_options.h"
#include "troupe/io/json.h"
#include "troupe/plan/surface_route.h"
#include "troupe/plan/route.h"

// As given by the user. With --map x is a column and z a row, whole numbers at the centres of the cells.
typedef struct route_point {
    double x, y, z;
    bool has_height;
} route_point;

// One character's order: from a start to the goal with the cheapest path.
typedef struct route_order {
    route_point from;
    bool has_from;
    uint32_t first_goal, goal_count; // among all goals
} route_order;

typedef struct route_orders {
    route_order *orders;
    route_point *goals;
    uint32_t count, capacity, goal_count, goal_capacity;
} route_orders;

// false: no memory. If the last order already has a start, another start begins the next order.
bool route_orders_add_start(route_orders *orders, route_point from);
bool route_orders_add_goal(route_orders *orders, route_point goal);
void route_orders_free(route_orders *orders);
// Reads the columns sx, sy, sz, ex, ey, ez of a table with a header line; each line is an order.
tr_status route_orders_read_pairs(const char *path, route_orders *orders, tr_error *error);

// How the path over a surface is straightened.
typedef enum surface_refinement { REFINE_ALTERNATE, REFINE_EVERY, REFINE_STRAIGHT } surface_refinement;

// The planner: that of the stage, unless an option of one of the others was given.
typedef enum route_planner {
    ROUTE_GO,            // over the ground, as on a stage
    ROUTE_LEVEL,         // over a map of level ground (Kuffner 1998)
    ROUTE_SURFACE_CELLS, // surface_route: over the cells of a surface (Bandi & Thalmann 1998)
    ROUTE_BEHAVIORS      // behavior_search: a machine of behaviors (Lau & Kuffner 2005)
} route_planner;

// Options for ground that need not be level.
typedef struct surface_options {
    bool asked;         // --surface
    int given;          // the last option that level maps do not have; 0: none
    int paper_given;    // the last option that only ROUTE_SURFACE_CELLS has; 0: none
    double layer, span; // 0: not given
    double person[2];   // height, radius; 0: not given
    double speed;       // [m/s]
    double drop;        // INFINITY: not given
    tr_surface_route_method method;
    tr_surface_route_border_use border;
    uint32_t border_cells; // 4 or 8
    surface_refinement refine;
    double effort[2]; // up, down; 0,0: the shortest path
    bool has_effort;
    bool no_guess, ladders, times;
    bool footsteps;        // include footsteps in the document
    bool footstep_corners; // the paper's method
    bool footstep_window;  // the sliding window
    tr_ground_link links[TR_GROUND_LINKS_MAX];
    uint32_t link_count;
} surface_options;
surface_options surface_options_default(void);

// Options for planning behaviors.
#define ROUTE_WEIGHTS_MAX 64
typedef struct behavior_options {
    const char *machine; // as given; NULL: behaviors are not planned
    const char *heuristic, *weights[ROUTE_WEIGHTS_MAX];
    uint32_t weight_count;
    double inflation, tolerance, depart, moment, heading; // NAN: not given
    bool as_written;
    int given; // the last of these options but --behaviors; 0: none
} behavior_options;

behavior_options behavior_options_default(void);

typedef struct route_request {
    scene_options scene;
    surface_options surface;
    behavior_options behaviors;
    const char *search; // as given; NULL: not given
    route_planner planner;
    bool has_reach, has_neighbours;
    const char *map_path, *scenario_path, *pairs_path, *png;
    route_orders orders;
    tr_route_params params;
    uint64_t pixels;
    bool json, help;
} route_request;

// Zero is valid.
typedef struct route_world {
    scene_job scene;  // of --scene or --sample
    tr_bitmap cells;  // of --map: the blocked cells
    const char *name; // of the file or the sample
    tr_grid grid;
    tr_route_map map;
    tr_route *route;
    double ground;     // height of the floor [m]; 0 with --map
    bool is_plain;     // from --map
    double project_us; // scene to map: project, grow, copy [microseconds]
} route_world;

tr_status route_world_create(const route_request *request, route_world *world, tr_error *error);
void route_world_destroy(route_world *world);
// Converts between the user's coordinates and the plan's metres: they differ only with --map.
tr_vec2 route_world_point(const route_world *world, route_point point);
double route_world_x(const route_world *world, tr_vec2 point);
double route_world_y(const route_world *world);
double route_world_z(const route_world *world, tr_vec2 point);
// Free cells [%].
double route_world_free_percent(const route_world *world);

// What came of all orders so far.
typedef struct route_tally {
    uint32_t count, found; // "partial" is not found,
    uint32_t unanswered;   // but answered
    double search_us;      // of all
} route_tally;
void route_tally_add(route_tally *tally, tr_status status, double search_us);
double route_tally_mean_us(const route_tally *tally);

typedef struct route_answer {
    tr_status status;       // TR_OK, TR_PARTIAL, TR_NOT_FOUND; TR_INVALID for a pair that is not on the map
    char reason[160];       // why there is no path
    tr_route_result result; // its cells are `cells`
    uint32_t *cells;
    tr_vec2 *points; // the straightened route
    uint32_t point_count;
    double straight_length; // [m]
    double search_us, straighten_us;
} route_answer;

// `strict`: a point outside the map is an error, not an answer. Each answer must be freed.
tr_status route_answer_find(const route_request *request, route_world *world, const route_order *order,
                            bool strict, route_answer *answer, tr_error *error);
void route_answer_free(route_answer *answer);
// The path of the last search, straightened.
tr_status route_answer_take(const route_request *request, const route_world *world, tr_vec2 start,
                            const tr_vec2 *goals, route_answer *answer, tr_error *error);
extern const char route_no_way[];                            // the reason where nothing more can be told
const char *route_answer_status(const route_answer *answer); // "ok", "partial", "no_path", "outside"

tr_status route_draw(const route_request *request, const route_world *world, const route_answer *answers,
                     tr_error *error);

// `answers` is NULL with --pairs, whose table has no paths.
void route_print_table(const route_request *request, const route_world *world, const route_answer *answers,
                       const route_tally *tally);
tr_status route_print_json(const route_request *request, const route_world *world,
                           const route_answer *answers, const route_tally *tally, tr_error *error);
// With --pairs the document is printed pair by pair: begin, one after the other, end. With --png it is
// printed at the end: a picture that cannot be written ends the command without a document.
tr_json_writer route_print_begin(void);
void route_print_pair(tr_json_writer *writer, const route_request *request, const route_world *world,
                      const route_answer *answer);
tr_status route_print_end(tr_json_writer *writer, const route_request *request, const route_world *world,
                          const route_tally *tally, tr_error *error);
void route_write_tally(tr_json_writer *writer, const route_tally *tally); // after the last pair
void route_write_answer(tr_json_writer *writer, const route_world *world, const route_answer *answer);
const char *route_method_name(tr_route_method method);

// Checks all queries of --scen against the lengths in the file. `all_agree`: whether all lengths agree.
tr_status route_check_scenario(const route_request *request, route_world *world, bool *all_agree,
                               tr_error *error);

// Plans behaviors for all characters, one after the other. `succeeded`: each has a plan.
tr_status route_behaviors_run(route_request *request, bool *succeeded, tr_error *error);

// Plans all orders over ground that need not be level. `succeeded`: each has a path.
tr_status route_surface_run(route_request *request, bool *succeeded, tr_error *error);
