// `troupe route --surface`: what its parts share. The options are among those of route.h.
#pragma once
#include "cli/route.h"
#include "troupe/plan/traffic.h"
#include "troupe/plan/tread.h"

// The surface of a scene and the ways over it. Zero is valid.
typedef struct surface_world {
    scene_job scene;
    const char *name;
    tr_surface_def def;
    tr_surface *surface;
    tr_climb *climb;
    tr_traffic *traffic; // with --times
    tr_ground_body person;
    double slope;      // [degrees]
    double project_us; // triangles to surface
    double border_us;
    // The same without the guess at furniture, once somebody asked for it.
    tr_surface *plain_surface;
    tr_climb *plain_climb;
    bool plain_tried;
} surface_world;

tr_status surface_world_create(const route_request *request, surface_world *world, tr_error *error);
void surface_world_destroy(surface_world *world);
// Ways over the surface as it would be with --no-guess, made when they are first asked for; NULL: it has no
// guess, or they cannot be made.
tr_climb *surface_world_plain(const route_request *request, surface_world *world);
// A point without a height is above everything.
tr_vec3 surface_world_point(const surface_world *world, route_point point);
tr_climb_params surface_world_params(const route_request *request);
uint32_t surface_world_standing(const surface_world *world); // cells that can be stood on

typedef struct surface_answer {
    tr_status status;       // as in route_answer
    char reason[240];       // of a "no", and what happened to the ends otherwise
    tr_climb_result result; // its cells are `cells`
    tr_climb_cell *cells;   // after refinement
    tr_climb_point *points;
    double *times; // of the points, with --times; NULL
    uint32_t cell_count, point_count, capacity;
    double length;                // of the points [m]
    float start_fall, goal_fall;  // how far they fell [m]
    bool start_solid, goal_solid; // inside an obstacle, and moved out of it
    double search_us, straighten_us;
} surface_answer;

// `strict` as for route_answer_find. Each answer must be freed.
tr_status surface_answer_find(const route_request *request, surface_world *world, const route_order *order,
                              bool strict, surface_answer *answer, tr_error *error);
void surface_answer_free(surface_answer *answer);
const char *surface_answer_status(const surface_answer *answer);
bool surface_answer_has_path(const surface_answer *answer);

// Footprints along an answer's path, as the request wants them; `treads` has room for `most`. TR_NOT_FOUND:
// there is no foothold somewhere.
tr_status surface_answer_tread(const route_request *request, const surface_world *world,
                               const surface_answer *answer, tr_tread *treads, uint32_t most,
                               uint32_t *count);
uint32_t surface_answer_treads_most(const surface_answer *answer);

void surface_print_table(const route_request *request, const surface_world *world,
                         const surface_answer *answers);
tr_status surface_print_json(const route_request *request, const surface_world *world,
                             const surface_answer *answers, tr_error *error);
tr_status surface_draw(const route_request *request, const surface_world *world,
                       const surface_answer *answers, tr_error *error);
const char *surface_method_name(tr_climb_method method);
