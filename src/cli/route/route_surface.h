// Shared by the parts of `troupe route` over ground that need not be level. The options are in route.h.
#pragma once
#include "route.h"
#include "troupe/plan/go.h"
#include "troupe/plan/footstep.h"

#define ROUTE_WAIT_MAX 60.0 // with --times, the longest total wait of a person [s]

// The ground of a scene and its planners. Zero is valid.
typedef struct surface_world {
    scene_job scene;
    const char *name;
    tr_surface_def def; // every planner fills in the grid
    tr_ground_body person;
    double slope;      // [degrees]
    double project_us; // triangles to surface
    double border_us;  // reachable cells
    // ROUTE_GO.
    tr_ground *ground;
    tr_go *go;
    tr_way way;
    uint32_t sizes[TR_WAY_ROOMS]; // of the ground, for each tr_way_room
    tr_timeline *timeline;        // with --times
    double tick;                  // of it [s]
    // ROUTE_SURFACE_CELLS.
    tr_surface *surface;
    tr_surface_route *route;
    // The same without the guess at furniture, made on first use.
    tr_ground *plain_ground;
    tr_surface *plain_surface;
    tr_surface_route *plain_route;
    bool plain_tried;
} surface_world;

tr_status surface_world_create(const route_request *request, surface_world *world, tr_error *error);
void surface_world_destroy(surface_world *world);
const tr_surface *surface_world_surface(const surface_world *world);
// Creates the parts for ROUTE_GO.
tr_status ground_world_create(const route_request *request, surface_world *world, tr_error *error);
void ground_world_destroy(surface_world *world);
// A planner over the surface as it would be with --no-guess, made on first use; NULL: there is no guess, or
// it cannot be made.
tr_surface_route *surface_world_plain(const route_request *request, surface_world *world);
// A point without a height is placed above everything.
tr_vec3 surface_world_point(const surface_world *world, route_point point);
tr_surface_route_params surface_world_params(const route_request *request);
// Fails if a body cannot stand anywhere.
tr_status surface_world_check(const surface_world *world, tr_error *error);
// The box to plan in and the side of a cell [m]. `usual`: the default side.
tr_status surface_world_area(const route_request *request, const surface_world *world, double usual,
                             tr_box *box, double *cell, tr_error *error);
uint32_t surface_world_standing(const surface_world *world); // cells that a body can stand on

typedef struct surface_answer {
    tr_status status; // as in route_answer
    char reason[240]; // why there is no path, or what happened to the ends
    tr_surface_route_result
        result; // its cells are `cells`. ROUTE_GO has no cells, but ends, costs and counters
    tr_surface_route_cell *cells; // after refinement
    tr_surface_route_point *points;
    double *times;        // of the points, with --times; NULL
    uint8_t *rooms;       // tr_way_room of the stretch that begins at each point, ROUTE_GO; NULL
    tr_way_piece *pieces; // ROUTE_GO
    uint32_t cell_count, point_count, capacity, piece_count, piece_capacity;
    double length;                // of the points [m]
    float start_fall, goal_fall;  // how far the ends fell [m]
    bool start_solid, goal_solid; // inside an obstacle, and moved out of it
    double waits;                 // with --times [s]
    double search_us, straighten_us;
} surface_answer;

// `strict` as for route_answer_find. Each answer must be freed.
tr_status surface_answer_find(const route_request *request, surface_world *world, const route_order *order,
                              bool strict, surface_answer *answer, tr_error *error);
void surface_answer_free(surface_answer *answer);
// The same for ROUTE_GO, including the points.
tr_status ground_answer_find(const route_request *request, surface_world *world, tr_vec3 start,
                             const tr_vec3 *goals, uint32_t goal_count, bool strict, surface_answer *answer,
                             tr_error *error);
// With --times: times the way of the last tr_go_find so that it avoids those planned before, and adds it to
// the timeline. `answer` gets the status, the waits and the reason; the way gets its times.
tr_status ground_answer_pace(surface_world *world, const tr_go_query *query, surface_answer *answer,
                             tr_error *error);
// A person without a way stays where it is and blocks the others.
tr_status ground_answer_stay(surface_world *world, tr_vec3 place, tr_error *error);
// A room encloses a point as a pillar does: the facing of the nearest triangles distinguishes them.
bool surface_is_in_obstacle(const tr_scene *scene, tr_vec3 point);
// The point was enclosed by an object and fell out of it onto a floor at this height, through a surface in
// between.
bool surface_fell_through(const tr_scene *scene, tr_vec3 point, double floor);
void surface_answer_say_obstacle(const char *what, tr_vec3 point, surface_answer *answer);
tr_status surface_world_find_outside(const surface_world *world, const char *what, tr_vec3 point,
                                     tr_error *error);
const char *surface_answer_status(const surface_answer *answer);
bool surface_answer_has_path(const surface_answer *answer);

// Plans footsteps along an answer's path by the method of the request; `footsteps` has room for `most`.
// TR_NOT_FOUND: a foothold is missing.
tr_status surface_answer_footstep(const route_request *request, const surface_world *world,
                                  const surface_answer *answer, tr_footstep *footsteps, uint32_t most,
                                  uint32_t *count);
// The same by the sliding window over the triangles of the scene; footsteps as far as it comes.
typedef struct surface_window_see {
    // Sees each swing of the ankle that was examined: all points are its end if it is not possible. `taken`:
    // it belongs to the footsteps.
    void (*swing)(void *user, const tr_vec3 *points, uint32_t count, bool possible, bool taken);
    void *user;
} surface_window_see;
tr_status surface_answer_window(const surface_world *world, const surface_answer *answer,
                                const surface_window_see *see, tr_footstep *footsteps, uint32_t most,
                                uint32_t *count);
uint32_t surface_answer_footsteps_most(const surface_answer *answer);

// As those of route.h.
void surface_print_table(const route_request *request, const surface_world *world,
                         const surface_answer *answers, const route_tally *tally);
tr_status surface_print_json(const route_request *request, const surface_world *world,
                             const surface_answer *answers, const route_tally *tally, tr_error *error);
void surface_print_pair(tr_json_writer *writer, const route_request *request, const surface_answer *answer);
tr_status surface_print_end(tr_json_writer *writer, const route_request *request, const surface_world *world,
                            const route_tally *tally, tr_error *error);
tr_status surface_draw(const route_request *request, const surface_world *world,
                       const surface_answer *answers, tr_error *error);
const char *surface_method_name(const route_request *request);
