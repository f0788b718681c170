// Ways over the ground of a scene: the planner of the stage, with its settings.
#include "route_surface.h"
#include "troupe/base/clock.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define WARM_LIMIT_US 1e6 // a search that takes longer is not repeated for timing
#define WAY_POINTS 4096
#define WAY_PIECES 1024
#define CELLS_MOST 4e6  // without --cell and --cells; a larger ground gets larger cells
#define FALL_LEAST 0.1f // a start or goal that is higher above the floor is in mid-air [m]
#define DEGREE (3.14159265358979323846 / 180)

// --- The world ---

static tr_status define_ground(const route_request *request, const surface_world *world, tr_ground_def *def,
                               tr_error *error) {
    double cell;
    *def = tr_ground_def_default();
    tr_box bounds = tr_scene_bounds(world->scene.sample.scene);
    double area =
               ((double)bounds.max.x - (double)bounds.min.x) * ((double)bounds.max.z - (double)bounds.min.z),
           usual = fmax((double)def->cell, sqrt(area / CELLS_MOST));
    tr_status status = surface_world_area(request, world, usual, &def->area, &cell, error);
    if (status != TR_OK)
        return status;
    double height = (double)def->area.max.y - (double)def->area.min.y;
    def->cell = (float)cell;
    if (request->surface.layer > 0)
        def->layer = (float)request->surface.layer;
    else if (height / (double)def->layer > TR_VOXEL_LAYERS_MAX - 2)
        def->layer = (float)(height / (TR_VOXEL_LAYERS_MAX - 2));
    def->slope = (float)(world->slope * DEGREE);
    def->guess = !request->surface.no_guess;
    // Steps up to the CLIMB of --body are steps, not furniture.
    if (request->scene.body_count > 2)
        def->guess_rise = fmaxf(0.25f, world->person.foot_rise);
    return TR_OK;
}

// A person has the sizes of an actor; a body has the given size and keeps its radius everywhere.
static tr_status add_sizes(const route_request *request, tr_ground *ground, const surface_world *world,
                           uint32_t sizes[TR_WAY_ROOMS], tr_error *error) {
    tr_go_body person = {.stature = world->person.height, .radius = world->person.radius};
    if (!request->scene.has_body && !(request->surface.span > 0))
        return tr_go_add_sizes(ground, &person, sizes, error);
    sizes[1] = sizes[2] = sizes[TR_WAY_BENT] = TR_NONE;
    return tr_ground_add_size(ground, &world->person, &sizes[0], error);
}

static tr_status make_ground(const route_request *request, surface_world *world, const tr_ground_def *def,
                             tr_ground **ground, tr_error *error) {
    tr_status status = tr_ground_create(def, world->scene.raster, world->scene.sample.scene, ground, error);
    if (status != TR_OK)
        return status;
    status = add_sizes(request, *ground, world, world->sizes, error);
    if (status == TR_OK && request->surface.link_count > 0)
        status = tr_ground_set_links(*ground, request->surface.links, request->surface.link_count, error);
    return status;
}

static tr_status build(const route_request *request, surface_world *world, const tr_ground_def *def,
                       tr_error *error) {
    scene_job *job = &world->scene;
    tr_status status = tr_ground_create(def, job->raster, job->sample.scene, &world->ground, error);
    if (!scene_job_falls_back(&request->scene, status))
        return status;
    status = scene_job_take_soft(job, error);
    return status == TR_OK ? tr_ground_create(def, job->raster, job->sample.scene, &world->ground, error)
                           : status;
}

static tr_go_query query_of(const route_request *request, const surface_world *world) {
    const surface_options *options = &request->surface;
    tr_go_query query = tr_go_query_default(world->sizes[0]);
    memcpy(query.sizes, world->sizes, sizeof query.sizes);
    query.up = (float)options->effort[0];
    query.down = (float)options->effort[1];
    query.speed = (float)options->speed;
    query.budget = request->params.budget;
    query.links |= options->ladders ? TR_GROUND_LADDER : 0u;
    if (request->has_reach)
        query.reach = request->params.reach;
    if (request->scene.has_body)
        query.lane = query.bend = 0;
    return query;
}

// The tick length is chosen so that the longest way and its waits fit into the timeline.
static tr_status create_timeline(const route_request *request, surface_world *world, tr_error *error) {
    double longest = 0, ticks = TR_TIMELINE_TICKS_MAX - 4;
    for (uint32_t i = 0; i < request->orders.count; i++) {
        const route_order *order = &request->orders.orders[i];
        tr_go_query query = query_of(request, world);
        tr_vec3 goal = surface_world_point(world, request->orders.goals[order->first_goal]);
        query.start = surface_world_point(world, order->from);
        query.goals = &goal;
        query.goal_count = 1;
        if (tr_go_find(world->go, world->ground, &query, &world->way, NULL, NULL) == TR_OK)
            longest = fmax(longest, (double)world->way.points[world->way.point_count - 1].time);
    }
    world->tick = fmax(1.0 / 30, (1.2 * longest + ROUTE_WAIT_MAX) / ticks);
    tr_timeline_def def = {
        .tick = world->tick, .ticks_max = TR_TIMELINE_TICKS_MAX, .object_sight = ticks * world->tick};
    tr_status status = tr_timeline_create(&def, &world->timeline, error);
    if (status == TR_OK)
        status = tr_timeline_watch(world->timeline, world->scene.sample.scene, error);
    if (status != TR_OK)
        return status;
    // Moving objects are in the timeline and not part of the ground.
    uint32_t count;
    const uint64_t *moving = tr_timeline_moving(world->timeline, &count);
    return tr_ground_update(world->ground, world->scene.raster, world->scene.sample.scene, moving, count,
                            error);
}

tr_status ground_world_create(const route_request *request, surface_world *world, tr_error *error) {
    tr_ground_def def;
    tr_status status = define_ground(request, world, &def, error);
    if (status == TR_OK)
        status = scene_job_create_raster(&request->scene, &world->scene, error);
    uint64_t begin = tr_clock_nanoseconds();
    if (status == TR_OK)
        status = build(request, world, &def, error);
    world->project_us = microseconds_since(begin);
    if (status == TR_OK) {
        world->def.grid = *tr_surface_grid(tr_ground_surface(world->ground));
        status = surface_world_check(world, error);
    }
    begin = tr_clock_nanoseconds();
    if (status == TR_OK)
        status = add_sizes(request, world->ground, world, world->sizes, error);
    world->border_us = microseconds_since(begin);
    if (status == TR_OK && request->surface.link_count > 0)
        status =
            tr_ground_set_links(world->ground, request->surface.links, request->surface.link_count, error);
    if (status == TR_OK)
        status = tr_go_create(NULL, &world->go, error);
    if (status == TR_OK)
        status = tr_way_create(NULL, WAY_POINTS, WAY_PIECES, &world->way, error);
    return status == TR_OK && request->surface.times ? create_timeline(request, world, error) : status;
}

void ground_world_destroy(surface_world *world) {
    tr_timeline_destroy(world->timeline);
    tr_way_destroy(NULL, &world->way);
    tr_go_destroy(world->go);
    tr_ground_destroy(world->plain_ground);
    tr_ground_destroy(world->ground);
}

// --- One order ---

// The ground as it would be with --no-guess. If it cannot be made, the answer has no hint.
static const tr_ground *plain_ground(const route_request *request, surface_world *world) {
    tr_ground_def def;
    if (world->plain_tried || request->surface.no_guess)
        return world->plain_ground;
    world->plain_tried = true;
    if (define_ground(request, world, &def, NULL) != TR_OK)
        return NULL;
    def.guess = false;
    if (make_ground(request, world, &def, &world->plain_ground, NULL) != TR_OK) {
        tr_ground_destroy(world->plain_ground);
        world->plain_ground = NULL;
    }
    return world->plain_ground;
}

static bool is_guess_in_the_way(const route_request *request, surface_world *world,
                                const tr_go_query *query) {
    const tr_ground *plain = plain_ground(request, world);
    return plain && tr_go_find(world->go, plain, query, &world->way, NULL, NULL) == TR_OK;
}

// Is an end inside an obstacle? Even a free place may be: hollow objects have floors inside.
static bool is_inside(const surface_world *world, tr_vec3 point, tr_ground_place place) {
    const tr_scene *scene = world->scene.sample.scene;
    if (surface_is_in_obstacle(scene, point))
        return true;
    tr_surface_hit below;
    tr_ground_look_inside(scene, point, &place);
    return place.why == TR_GROUND_INSIDE && tr_surface_look(scene, point, false, &below) && !below.looks_up;
}

// Is there a way for a body without shoulders?
static bool is_radius_in_the_way(surface_world *world, const tr_go_query *query) {
    tr_ground_body thin = world->person;
    tr_go_query narrow = *query;
    thin.radius = 0;
    narrow.sizes[1] = narrow.sizes[2] = narrow.sizes[TR_WAY_BENT] = TR_NONE;
    return world->person.radius > 0 &&
           tr_ground_add_size(world->ground, &thin, &narrow.sizes[0], NULL) == TR_OK &&
           tr_go_find(world->go, world->ground, &narrow, &world->way, NULL, NULL) == TR_OK;
}

static void explain_place(const surface_world *world, const char *what, tr_vec3 point,
                          const tr_ground_place *place, surface_answer *answer) {
    char text[200];
    tr_ground_explain(world->ground, world->sizes[0], point, place, text, sizeof text);
    snprintf(answer->reason, sizeof answer->reason, "the %s %s", what, text);
}

// Explains why there is no way, as far as known.
static void explain(const route_request *request, surface_world *world, const tr_go_query *query,
                    const tr_go_result *result, surface_answer *answer) {
    bool one = query->goal_count == 1;
    if (is_inside(world, query->start, result->start))
        surface_answer_say_obstacle("start", query->start, answer);
    else if (one && is_inside(world, query->goals[0], result->end))
        surface_answer_say_obstacle("goal", query->goals[0], answer);
    else if (is_guess_in_the_way(request, world, query))
        snprintf(answer->reason, sizeof answer->reason,
                 "the only path leads over something that looks like furniture: --no-guess treats it as "
                 "ground, as does a CLIMB in --body of at least the height of its steps");
    else if (result->start.why != TR_GROUND_FREE)
        explain_place(world, "start", query->start, &result->start, answer);
    else if (one && result->end.why != TR_GROUND_FREE)
        explain_place(world, "goal", query->goals[0], &result->end, answer);
    else if (is_radius_in_the_way(world, query))
        snprintf(answer->reason, sizeof answer->reason,
                 "the only path leads closer to an obstacle or an edge than the radius");
    else
        snprintf(answer->reason, sizeof answer->reason, "%s", route_no_way);
}

// Stores what happened to an end; false: it fell too far, or out of an object that enclosed it.
static bool take_end(const route_request *request, const surface_world *world, const char *what,
                     tr_vec3 point, const tr_ground_place *place, bool moved, tr_surface_route_fate *fate,
                     float *fall, bool *solid, surface_answer *answer) {
    const tr_scene *scene = world->scene.sample.scene;
    *fate = place->why != TR_GROUND_FREE ? TR_SURFACE_ROUTE_NOWHERE
            : moved                      ? TR_SURFACE_ROUTE_MOVED
                                         : TR_SURFACE_ROUTE_ON;
    *solid = moved && surface_is_in_obstacle(scene, point);
    if (*fate != TR_SURFACE_ROUTE_ON || !(point.y - place->position.y > FALL_LEAST))
        return true;
    *fate = TR_SURFACE_ROUTE_DROPPED;
    *fall = point.y - place->position.y;
    if ((double)*fall > request->surface.drop) {
        *fate = TR_SURFACE_ROUTE_NOWHERE;
        snprintf(answer->reason, sizeof answer->reason, "the floor is %.3g m below the %s (%g, %g, %g)",
                 (double)*fall, what, (double)point.x, (double)point.y, (double)point.z);
        return false;
    }
    if (!surface_fell_through(scene, point, (double)place->position.y + 1e-3))
        return true;
    surface_answer_say_obstacle(what, point, answer);
    return false;
}

static bool take_ends(const route_request *request, const surface_world *world, const tr_go_query *query,
                      const tr_go_result *result, surface_answer *answer) {
    tr_surface_route_result *kept = &answer->result;
    bool fine = take_end(request, world, "start", query->start, &result->start, result->start_moved,
                         &kept->start_fate, &answer->start_fall, &answer->start_solid, answer);
    uint32_t goal = result->goal == TR_NONE ? 0 : result->goal;
    if (answer->status == TR_PARTIAL)
        return fine;
    return take_end(request, world, "goal", query->goals[goal], &result->end, result->goal_moved,
                    &kept->goal_fate, &answer->goal_fall, &answer->goal_solid, answer) &&
           fine;
}

// If the start was moved, the answer begins at its new position and leaves out the requested one.
static tr_status keep_way(const surface_world *world, bool start_moved, surface_answer *answer,
                          tr_error *error) {
    tr_allocator allocator = tr_allocator_default();
    const tr_way *way = &world->way;
    uint32_t skip = start_moved && way->point_count > 1 ? 1 : 0, count = way->point_count - skip;
    answer->capacity = count;
    answer->points = tr_allocate_zero(&allocator, count, sizeof *answer->points);
    answer->rooms = tr_allocate(&allocator, count, sizeof *answer->rooms);
    answer->times = world->timeline ? tr_allocate(&allocator, count, sizeof *answer->times) : NULL;
    answer->piece_capacity = answer->piece_count = way->piece_count;
    answer->pieces = tr_allocate(&allocator, way->piece_count, sizeof *answer->pieces);
    if (!answer->points || !answer->rooms || (way->piece_count && !answer->pieces) ||
        (world->timeline && !answer->times))
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for %u points", count);
    for (uint32_t i = 0; i < count; i++) {
        answer->points[i].position = way->points[i + skip].position;
        answer->rooms[i] = way->points[i + skip].room;
        if (answer->times)
            answer->times[i] = (double)way->points[i + skip].time;
        if (i > 0)
            answer->length += (double)tr_vec3_length(
                tr_vec3_subtract(answer->points[i].position, answer->points[i - 1].position));
    }
    answer->point_count = count;
    for (uint32_t i = 0; i < way->piece_count; i++) {
        tr_way_piece piece = way->pieces[i];
        uint32_t cut = piece.first == 0 ? skip : 0;
        piece.first -= cut ? 0 : skip;
        piece.count -= cut;
        answer->pieces[i] = piece;
    }
    return TR_OK;
}

static tr_status search(surface_world *world, const tr_go_query *query, tr_go_result *result,
                        surface_answer *answer, tr_error *error) {
    tr_status status = TR_OK;
    for (int i = 0; i < 2 && answer->search_us < WARM_LIMIT_US; i++) {
        uint64_t begin = tr_clock_nanoseconds();
        status = tr_go_find(world->go, world->ground, query, &world->way, result, error);
        answer->search_us = microseconds_since(begin);
        if (status != TR_OK && status != TR_PARTIAL)
            break;
    }
    answer->result.goal = result->goal;
    answer->result.cost = result->cost;
    answer->result.counters = result->counters;
    return status;
}

tr_status ground_answer_find(const route_request *request, surface_world *world, tr_vec3 start,
                             const tr_vec3 *goals, uint32_t goal_count, bool strict, surface_answer *answer,
                             tr_error *error) {
    tr_error said = {0};
    tr_go_result result = {.goal = TR_NONE};
    tr_go_query query = query_of(request, world);
    query.start = start;
    query.goals = goals;
    query.goal_count = goal_count;
    tr_status status = surface_world_find_outside(world, "start", start, &said);
    for (uint32_t i = 0; status == TR_OK && i < goal_count; i++)
        status = surface_world_find_outside(world, "goal", goals[i], &said);
    if (status == TR_OK)
        status = search(world, &query, &result, answer, &said);
    answer->status = status;
    if (status == TR_INVALID && !strict) {
        snprintf(answer->reason, sizeof answer->reason, "%.200s", said.message);
        return TR_OK;
    }
    if (status != TR_OK && status != TR_PARTIAL && status != TR_NOT_FOUND) {
        *error = said;
        return status;
    }
    bool fine = take_ends(request, world, &query, &result, answer);
    if (status == TR_NOT_FOUND && fine)
        explain(request, world, &query, &result, answer);
    answer->status = fine ? status : TR_NOT_FOUND;
    status = TR_OK;
    if (world->timeline && answer->status == TR_OK)
        status = ground_answer_pace(world, &query, answer, error);
    if (answer->status == TR_NOT_FOUND)
        return world->timeline ? ground_answer_stay(world, result.start.position, error) : status;
    return status == TR_OK ? keep_way(world, result.start_moved, answer, error) : status;
}
