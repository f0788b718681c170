// One order: search, straighten, and store the result.
#include "route.h"
#include "troupe/base/clock.h"
#include "troupe/plan/line_of_sight.h"

#include <stdio.h>
#include <string.h>

#define WARM_LIMIT_US 1e6 // a search that takes longer is not repeated for timing

const char route_no_way[] = "no way leads from the start to a goal";

const char *route_answer_status(const route_answer *answer) {
    return answer->status == TR_OK        ? "ok"
           : answer->status == TR_PARTIAL ? "partial"
           : answer->status == TR_INVALID ? "outside"
                                          : "no_path";
}

void route_tally_add(route_tally *tally, tr_status status, double search_us) {
    tally->count++;
    tally->found += status == TR_OK;
    tally->unanswered += status != TR_OK && status != TR_PARTIAL;
    tally->search_us += search_us;
}

double route_tally_mean_us(const route_tally *tally) {
    return tally->count ? tally->search_us / tally->count : 0;
}

// Room that tr_line_of_sight_pull may need.
static uint32_t points_room(const tr_route_result *result) {
    return result->cell_count + 2;
}

void route_answer_free(route_answer *answer) {
    tr_allocator allocator = tr_allocator_default();
    tr_release(&allocator, answer->cells, answer->result.cell_count, sizeof *answer->cells);
    tr_release(&allocator, answer->points, points_room(&answer->result), sizeof *answer->points);
}

static tr_status search(const route_request *request, route_world *world, tr_vec2 start, const tr_vec2 *goals,
                        uint32_t goal_count, route_answer *answer, tr_error *error) {
    tr_status status = TR_OK;
    // The first run touches memory; the second gives the time of a warm planner.
    for (int i = 0; i < 2 && answer->search_us < WARM_LIMIT_US; i++) {
        uint64_t begin = tr_clock_nanoseconds();
        status = tr_route_find(world->route, &world->map, &request->params, start, goals, goal_count, error);
        answer->search_us = microseconds_since(begin);
        if (status != TR_OK && status != TR_PARTIAL)
            break;
    }
    return status;
}

static tr_vec2 cell_centre(const route_world *world, uint32_t node) {
    return tr_grid_centre(&world->grid, tr_route_map_column(&world->map, node),
                          tr_route_map_row(&world->map, node));
}

static tr_status straighten(const route_request *request, const route_world *world, tr_vec2 start,
                            const tr_vec2 *goals, route_answer *answer, tr_error *error) {
    const tr_route_result *result = &answer->result;
    tr_vec2 from = result->start_moved ? cell_centre(world, answer->cells[0]) : start;
    tr_vec2 to = result->goal == TR_NONE || result->goal_moved
                     ? cell_centre(world, answer->cells[result->cell_count - 1])
                     : goals[result->goal];
    uint64_t begin = tr_clock_nanoseconds();
    tr_status status = tr_line_of_sight_pull(
        &world->map,
        &(tr_line_of_sight_path){.cells = answer->cells,
                                 .cell_count = result->cell_count,
                                 .start = from,
                                 .goal = to,
                                 .cut_corners = request->params.cut_corners},
        answer->points, points_room(result), &answer->point_count, &answer->straight_length);
    answer->straighten_us = microseconds_since(begin);
    return status == TR_OK ? TR_OK
                           : tr_fail(error, status, "the path of %u cells could not be straightened: %s",
                                     result->cell_count, tr_status_name(status));
}

// Copies the path, because the search reuses its memory for the next order.
static tr_status keep(const route_world *world, route_answer *answer, tr_error *error) {
    tr_allocator allocator = tr_allocator_default();
    tr_route_result result = tr_route_last(world->route);
    uint32_t *cells = tr_allocate(&allocator, result.cell_count, sizeof *cells);
    tr_vec2 *points = tr_allocate(&allocator, points_room(&result), sizeof *points);
    if (!cells || !points) {
        tr_release(&allocator, cells, result.cell_count, sizeof *cells);
        tr_release(&allocator, points, points_room(&result), sizeof *points);
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a path of %u cells", result.cell_count);
    }
    if (result.cell_count > 0)
        memcpy(cells, result.cells, result.cell_count * sizeof *cells);
    result.cells = cells;
    answer->result = result;
    answer->cells = cells;
    answer->points = points;
    return TR_OK;
}

tr_status route_answer_take(const route_request *request, const route_world *world, tr_vec2 start,
                            const tr_vec2 *goals, route_answer *answer, tr_error *error) {
    tr_status status = keep(world, answer, error);
    if (status == TR_OK && answer->result.cell_count > 0)
        status = straighten(request, world, start, goals, answer, error);
    return status;
}

// In the user's coordinates: a map is given in columns and rows.
static void name_point(const route_world *world, route_point point, char *text, size_t size) {
    if (world->is_plain)
        snprintf(text, size, "%g,%g", point.x, point.z);
    else
        snprintf(text, size, "x %g, z %g", point.x, point.z);
}

static tr_status check_inside(const route_world *world, const char *what, route_point point,
                              tr_error *error) {
    const tr_grid *grid = &world->grid;
    uint32_t column, row;
    char place[80];
    if (tr_grid_find(grid, route_world_point(world, point), &column, &row))
        return TR_OK;
    name_point(world, point, place, sizeof place);
    if (world->is_plain)
        return tr_fail(error, TR_INVALID, "the %s %s is not on the map, which has %u columns and %u rows",
                       what, place, grid->columns, grid->rows);
    double width = (double)grid->cell * grid->columns, depth = (double)grid->cell * grid->rows;
    return tr_fail(error, TR_INVALID, "the %s %s is not on the map, which covers x %g to %g and z %g to %g",
                   what, place, (double)grid->origin.x, (double)grid->origin.x + width,
                   (double)grid->origin.z, (double)grid->origin.z + depth);
}

static tr_status check_free(const route_request *request, const route_world *world, const char *what,
                            route_point point, tr_error *error) {
    tr_vec2 place = route_world_point(world, point);
    char name[80];
    if (tr_route_map_nearest_free(&world->map, place, request->params.reach) != TR_NONE)
        return TR_OK;
    name_point(world, point, name, sizeof name);
    return tr_fail(error, TR_NOT_FOUND, "there is no free cell within %g m of the %s %s",
                   (double)request->params.reach, what, name);
}

static tr_status check_points(const route_request *request, const route_world *world,
                              const route_order *order, tr_error *error) {
    const route_point *goals = request->orders.goals + order->first_goal;
    tr_status status = check_inside(world, "start", order->from, error);
    for (uint32_t i = 0; status == TR_OK && i < order->goal_count; i++)
        status = check_inside(world, "goal", goals[i], error);
    if (status == TR_OK)
        status = check_free(request, world, "start", order->from, error);
    // With several goals, one that is reachable is enough, and the search determines which.
    if (status == TR_OK && order->goal_count == 1)
        status = check_free(request, world, "goal", goals[0], error);
    return status;
}

static tr_status find(const route_request *request, route_world *world, const route_order *order,
                      const tr_vec2 *goals, bool strict, route_answer *answer, tr_error *error) {
    tr_error said = {0};
    tr_vec2 start = route_world_point(world, order->from);
    tr_status status = check_points(request, world, order, &said);
    bool searched = status == TR_OK;
    if (searched)
        status = search(request, world, start, goals, order->goal_count, answer, &said);
    bool answered = status == TR_OK || status == TR_PARTIAL || status == TR_NOT_FOUND;
    if (!answered && (strict || status != TR_INVALID)) {
        *error = said;
        return status;
    }
    answer->status = status;
    if (status == TR_INVALID || status == TR_NOT_FOUND)
        snprintf(answer->reason, sizeof answer->reason, "%.150s",
                 said.message[0] ? said.message : route_no_way);
    if (status == TR_NOT_FOUND && searched)
        answer->result.counters = tr_route_last(world->route).counters;
    if (status == TR_INVALID || status == TR_NOT_FOUND)
        return TR_OK;
    return route_answer_take(request, world, start, goals, answer, error);
}

tr_status route_answer_find(const route_request *request, route_world *world, const route_order *order,
                            bool strict, route_answer *answer, tr_error *error) {
    tr_allocator allocator = tr_allocator_default();
    tr_vec2 *goals = tr_allocate(&allocator, order->goal_count, sizeof *goals);
    if (!goals)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for %u goals", order->goal_count);
    for (uint32_t i = 0; i < order->goal_count; i++)
        goals[i] = route_world_point(world, request->orders.goals[order->first_goal + i]);
    tr_status status = find(request, world, order, goals, strict, answer, error);
    tr_release(&allocator, goals, order->goal_count, sizeof *goals);
    return status;
}
