// One order over a surface: search, refine or straighten, and describe what happened to start and goal.
#include "route_surface.h"
#include "troupe/base/clock.h"

#include <stdio.h>
#include <string.h>

#define WARM_LIMIT_US 1e6 // a search that takes longer is not repeated for timing
#define POINTS_MAX (1u << 20)

const char *surface_method_name(const route_request *request) {
    static const char *const names[] = {"flood", "astar", "effort"};
    return request->planner == ROUTE_GO ? "go" : names[request->surface.method];
}

const char *surface_answer_status(const surface_answer *answer) {
    return answer->status == TR_OK        ? "ok"
           : answer->status == TR_PARTIAL ? "partial"
           : answer->status == TR_INVALID ? "outside"
                                          : "no_path";
}

bool surface_answer_has_path(const surface_answer *answer) {
    return (answer->status == TR_OK || answer->status == TR_PARTIAL) && answer->point_count > 0;
}

void surface_answer_free(surface_answer *answer) {
    tr_allocator allocator = tr_allocator_default();
    tr_release(&allocator, answer->cells, answer->cell_count, sizeof *answer->cells);
    tr_release(&allocator, answer->points, answer->capacity, sizeof *answer->points);
    tr_release(&allocator, answer->times, answer->capacity, sizeof *answer->times);
    tr_release(&allocator, answer->rooms, answer->capacity, sizeof *answer->rooms);
    tr_release(&allocator, answer->pieces, answer->piece_capacity, sizeof *answer->pieces);
}

tr_surface_route_params surface_world_params(const route_request *request) {
    const surface_options *options = &request->surface;
    tr_surface_route_params params = tr_surface_route_params_default();
    params.method = options->method;
    params.path = request->params.neighbours;
    params.border = options->border;
    params.up = (float)options->effort[0];
    params.down = (float)options->effort[1];
    params.drop = (float)options->drop;
    params.reach = request->params.reach;
    params.budget = request->params.budget;
    params.links =
        TR_GROUND_DOOR | TR_GROUND_LIFT | TR_GROUND_OTHER | (options->ladders ? TR_GROUND_LADDER : 0u);
    return params;
}

tr_status surface_world_find_outside(const surface_world *world, const char *what, tr_vec3 point,
                                     tr_error *error) {
    const tr_grid *grid = &world->def.grid.grid;
    tr_vec2 seen = {point.x, point.z};
    uint32_t column, row;
    if (tr_grid_find(grid, seen, &column, &row))
        return TR_OK;
    double width = (double)grid->cell * grid->columns, depth = (double)grid->cell * grid->rows;
    return tr_fail(error, TR_INVALID,
                   "the %s x %g, z %g is not on the grid, which covers x %g to %g and z %g to %g", what,
                   (double)point.x, (double)point.z, (double)grid->origin.x, (double)grid->origin.x + width,
                   (double)grid->origin.z, (double)grid->origin.z + depth);
}

static bool make_room(surface_answer *answer, uint32_t count) {
    tr_allocator allocator = tr_allocator_default();
    tr_release(&allocator, answer->points, answer->capacity, sizeof *answer->points);
    answer->capacity = count;
    answer->points = tr_allocate(&allocator, count, sizeof *answer->points);
    return answer->points;
}

static tr_status keep_cells(const surface_world *world, surface_answer *answer, tr_error *error) {
    tr_allocator allocator = tr_allocator_default();
    tr_surface_route_result result = tr_surface_route_last(world->route);
    answer->cells = tr_allocate(&allocator, result.cell_count, sizeof *answer->cells);
    if (!answer->cells)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a path of %u cells", result.cell_count);
    answer->cell_count = result.cell_count;
    if (result.cell_count > 0)
        memcpy(answer->cells, result.cells, result.cell_count * sizeof *answer->cells);
    answer->result.length = result.length;
    answer->result.cells = answer->cells;
    answer->result.cell_count = result.cell_count;
    return TR_OK;
}

static tr_vec3 cell_centre(const surface_world *world, const tr_surface_route_cell *cell) {
    tr_surface_scale scale = tr_surface_scale_of(world->surface);
    tr_vec2 centre = tr_grid_centre(&world->def.grid.grid, cell->column, cell->row);
    return tr_vec3_make(centre.x, (float)(scale.bottom + cell->height * scale.unit), centre.z);
}

// The points are the centres of the refined cells.
static tr_status refine(const route_request *request, const surface_world *world, surface_answer *answer,
                        tr_error *error) {
    tr_surface_route_refinement kind =
        request->surface.refine == REFINE_EVERY ? TR_SURFACE_ROUTE_EVERY : TR_SURFACE_ROUTE_ALTERNATE;
    uint64_t begin = tr_clock_nanoseconds();
    tr_status status = tr_surface_route_refine(world->route, kind);
    answer->straighten_us = microseconds_since(begin);
    if (status != TR_OK)
        return tr_fail(error, status, "the path could not be refined: %s", tr_status_name(status));
    status = keep_cells(world, answer, error);
    if (status == TR_OK && !make_room(answer, answer->cell_count))
        status = tr_fail(error, TR_OUT_OF_MEMORY, "no memory for %u points", answer->cell_count);
    for (uint32_t i = 0; status == TR_OK && i < answer->cell_count; i++) {
        tr_surface_route_point point = {cell_centre(world, &answer->cells[i]), answer->cells[i].obstacle,
                                        answer->cells[i].link};
        answer->points[answer->point_count++] = point;
    }
    answer->length = answer->result.length;
    return status;
}

static tr_status straighten(const surface_world *world, tr_vec3 start, tr_vec3 goal, surface_answer *answer,
                            tr_error *error) {
    tr_status status = keep_cells(world, answer, error);
    uint32_t room = 2 * answer->cell_count + 2;
    if (status != TR_OK)
        return status;
    for (status = TR_LIMIT; status == TR_LIMIT && room <= POINTS_MAX; room *= 2) {
        if (!make_room(answer, room))
            return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for %u points", room);
        uint64_t begin = tr_clock_nanoseconds();
        status = tr_surface_route_straighten(world->route, start, goal, answer->points, room,
                                             &answer->point_count, &answer->length);
        answer->straighten_us = microseconds_since(begin);
    }
    return status == TR_OK ? TR_OK
                           : tr_fail(error, status, "the path of %u cells could not be straightened: %s",
                                     answer->cell_count, tr_status_name(status));
}

static tr_status search(const route_request *request, surface_world *world, tr_vec3 start,
                        const tr_vec3 *goals, uint32_t goal_count, surface_answer *answer, tr_error *error) {
    tr_surface_route_params params = surface_world_params(request);
    tr_status status = TR_OK;
    for (int i = 0; i < 2 && answer->search_us < WARM_LIMIT_US; i++) {
        uint64_t begin = tr_clock_nanoseconds();
        status = tr_surface_route_find(world->route, &params, start, goals, goal_count, error);
        answer->search_us = microseconds_since(begin);
        if (status != TR_OK && status != TR_PARTIAL)
            break;
    }
    answer->result = tr_surface_route_last(world->route);
    return status;
}

// A hand's breadth above the point: feet on the floor touch the boundary of the floor's own object.
static tr_vec3 hand_above(tr_vec3 point) {
    return tr_vec3_make(point.x, point.y + 0.05f, point.z);
}

bool surface_is_in_obstacle(const tr_scene *scene, tr_vec3 point) {
    tr_surface_hit below, above;
    if (!tr_surface_look(scene, hand_above(point), false, &below) || below.looks_up)
        return false;
    return (tr_surface_look(scene, hand_above(point), true, &above) && above.looks_up) ||
           tr_surface_is_inside(scene, hand_above(point));
}

static bool is_in_obstacle(const surface_world *world, tr_vec3 point) {
    return surface_is_in_obstacle(world->scene.sample.scene, point);
}

bool surface_fell_through(const tr_scene *scene, tr_vec3 point, double floor) {
    tr_surface_hit below;
    return tr_surface_is_inside(scene, hand_above(point)) &&
           tr_surface_look(scene, hand_above(point), false, &below) && (double)below.height > floor;
}

static bool fell_through(const surface_world *world, tr_vec3 point, const tr_surface_route_cell *cell) {
    tr_surface_scale scale = tr_surface_scale_of(world->surface);
    double top = scale.bottom + (cell->height + 1) * scale.unit; // heights are rounded up
    return surface_fell_through(world->scene.sample.scene, point, top);
}

void surface_answer_say_obstacle(const char *what, tr_vec3 point, surface_answer *answer) {
    snprintf(answer->reason, sizeof answer->reason, "%s (%g, %g, %g) is inside an obstacle", what,
             (double)point.x, (double)point.y, (double)point.z);
}

static void say_no_floor(const route_request *request, const char *what, tr_vec3 point,
                         surface_answer *answer) {
    snprintf(answer->reason, sizeof answer->reason,
             "there is no floor to stand on below %s (%g, %g, %g) or within %g m of it", what,
             (double)point.x, (double)point.y, (double)point.z, (double)request->params.reach);
}

// Is there a path if furniture counts as ground?
static bool is_guess_in_the_way(const route_request *request, surface_world *world, tr_vec3 start,
                                const tr_vec3 *goals, uint32_t goal_count) {
    tr_surface_route *plain = surface_world_plain(request, world);
    tr_surface_route_params params = surface_world_params(request);
    return plain && tr_surface_route_find(plain, &params, start, goals, goal_count, NULL) == TR_OK;
}

// Explains why there is no path, as far as known.
static void explain(const route_request *request, surface_world *world, tr_vec3 start, const tr_vec3 *goals,
                    uint32_t goal_count, surface_answer *answer) {
    tr_surface_route_fate from = answer->result.start_fate, to = answer->result.goal_fate;
    if (is_in_obstacle(world, start))
        surface_answer_say_obstacle("start", start, answer);
    else if (goal_count == 1 && is_in_obstacle(world, goals[0]))
        surface_answer_say_obstacle("goal", goals[0], answer);
    else if (is_guess_in_the_way(request, world, start, goals, goal_count))
        snprintf(answer->reason, sizeof answer->reason,
                 "the only path leads over something that looks like furniture: --no-guess treats it as "
                 "ground, as does a CLIMB in --body of at least the height of its steps");
    else if (from == TR_SURFACE_ROUTE_NOWHERE)
        say_no_floor(request, "start", start, answer);
    else if (goal_count == 1 && to == TR_SURFACE_ROUTE_NOWHERE)
        say_no_floor(request, "goal", goals[0], answer);
    else if (answer->result.border_leads_through)
        snprintf(answer->reason, sizeof answer->reason,
                 "the only path leads through border cells, closer to an obstacle than the radius: --border "
                 "allow permits them");
    else
        snprintf(answer->reason, sizeof answer->reason, "%s", route_no_way);
}

static float fall(tr_vec3 from, tr_surface_route_fate fate, tr_vec3 onto) {
    return fate == TR_SURFACE_ROUTE_DROPPED ? from.y - onto.y : 0;
}

static tr_status keep_path(const route_request *request, const surface_world *world, tr_vec3 start,
                           tr_vec3 goal, surface_answer *answer, tr_error *error) {
    if (answer->result.cell_count == 0)
        return TR_OK;
    tr_status status = request->surface.refine == REFINE_STRAIGHT
                           ? straighten(world, start, goal, answer, error)
                           : refine(request, world, answer, error);
    answer->start_solid = answer->result.start_fate == TR_SURFACE_ROUTE_MOVED && is_in_obstacle(world, start);
    answer->goal_solid = answer->result.goal_fate == TR_SURFACE_ROUTE_MOVED && is_in_obstacle(world, goal);
    if (status == TR_OK && answer->cell_count > 0) {
        answer->start_fall = fall(start, answer->result.start_fate, cell_centre(world, &answer->cells[0]));
        answer->goal_fall =
            fall(goal, answer->result.goal_fate, cell_centre(world, &answer->cells[answer->cell_count - 1]));
    }
    return status;
}

// Rejects an end that is inside an obstacle and fell out of it onto the floor below.
static void refuse_fallen(const surface_world *world, tr_vec3 start, tr_vec3 goal, surface_answer *answer) {
    const tr_surface_route_result *result = &answer->result;
    if (result->cell_count == 0)
        return;
    if (result->start_fate == TR_SURFACE_ROUTE_DROPPED && fell_through(world, start, &result->cells[0]))
        surface_answer_say_obstacle("start", start, answer);
    else if (result->goal_fate == TR_SURFACE_ROUTE_DROPPED && result->goal != TR_NONE &&
             fell_through(world, goal, &result->cells[result->cell_count - 1]))
        surface_answer_say_obstacle("goal", goal, answer);
    else
        return;
    answer->status = TR_NOT_FOUND;
    answer->result.cell_count = 0;
}

static tr_status find(const route_request *request, surface_world *world, tr_vec3 start, const tr_vec3 *goals,
                      uint32_t goal_count, bool strict, surface_answer *answer, tr_error *error) {
    tr_error said = {0};
    tr_status status = surface_world_find_outside(world, "start", start, &said);
    for (uint32_t i = 0; status == TR_OK && i < goal_count; i++)
        status = surface_world_find_outside(world, "goal", goals[i], &said);
    if (status == TR_OK)
        status = search(request, world, start, goals, goal_count, answer, &said);
    bool answered = status == TR_OK || status == TR_PARTIAL || status == TR_NOT_FOUND;
    if (!answered && (strict || status != TR_INVALID)) {
        *error = said;
        return status;
    }
    answer->status = status;
    if (status == TR_INVALID)
        snprintf(answer->reason, sizeof answer->reason, "%.200s", said.message);
    if (status == TR_NOT_FOUND)
        explain(request, world, start, goals, goal_count, answer);
    if (status == TR_INVALID || status == TR_NOT_FOUND)
        return TR_OK;
    tr_vec3 goal = goals[answer->result.goal == TR_NONE ? 0 : answer->result.goal];
    refuse_fallen(world, start, goal, answer);
    return answer->status == TR_NOT_FOUND ? TR_OK : keep_path(request, world, start, goal, answer, error);
}

tr_status surface_answer_find(const route_request *request, surface_world *world, const route_order *order,
                              bool strict, surface_answer *answer, tr_error *error) {
    tr_allocator allocator = tr_allocator_default();
    tr_vec3 *goals = tr_allocate(&allocator, order->goal_count, sizeof *goals);
    if (!goals)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for %u goals", order->goal_count);
    for (uint32_t i = 0; i < order->goal_count; i++)
        goals[i] = surface_world_point(world, request->orders.goals[order->first_goal + i]);
    tr_vec3 start = surface_world_point(world, order->from);
    tr_status status =
        world->ground
            ? ground_answer_find(request, world, start, goals, order->goal_count, strict, answer, error)
            : find(request, world, start, goals, order->goal_count, strict, answer, error);
    tr_release(&allocator, goals, order->goal_count, sizeof *goals);
    return status;
}
