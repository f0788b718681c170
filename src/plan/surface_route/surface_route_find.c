// A query from beginning to end: places of start and goals, the search, and the cells it may use.
#include "surface_route_wave.h"

#include <math.h>
#include <string.h>

// A start or goal on the surface.
typedef struct find_end {
    tr_surface_route_place place; // cell TR_NONE: there is none
    tr_surface_route_fate fate;
} find_end;

static tr_status check_numbers(const tr_surface_route_params *params, tr_error *error) {
    const struct {
        const char *name;
        float value;
    } lengths[] = {
        {"up", params->up}, {"down", params->down}, {"drop", params->drop}, {"reach", params->reach}};
    for (uint32_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        if (!(lengths[i].value >= 0) || (i < 2 && isinf(lengths[i].value)))
            return tr_fail(error, TR_INVALID, "%s is %g, it must be at least 0%s", lengths[i].name,
                           lengths[i].value, i < 2 ? " and finite" : "");
    return TR_OK;
}

static tr_status check_params(const tr_surface_route *route, const tr_surface_route_params *params,
                              uint32_t goal_count, tr_error *error) {
    if ((unsigned)params->method > TR_SURFACE_ROUTE_EFFORT)
        return tr_fail(error, TR_INVALID, "method is %d, which does not exist", (int)params->method);
    if ((unsigned)params->border > TR_SURFACE_ROUTE_BORDER_IGNORE)
        return tr_fail(error, TR_INVALID, "border is %d, which does not exist", (int)params->border);
    if (params->path != 4 && params->path != 8)
        return tr_fail(error, TR_INVALID, "path is %u, it must be 4 or 8", params->path);
    if (goal_count == 0 || goal_count > TR_SURFACE_ROUTE_GOALS_MAX)
        return tr_fail(error, TR_INVALID, "there are %u goals, it must be 1 to %d", goal_count,
                       TR_SURFACE_ROUTE_GOALS_MAX);
    if (route->revision != tr_surface_revision(route->surface))
        return tr_fail(error, TR_INVALID, "the surface has changed: call tr_surface_route_refresh first");
    return check_numbers(params, error);
}

static tr_status check_point(const tr_surface_route *route, const char *what, tr_vec3 point,
                             tr_error *error) {
    uint32_t column, row;
    tr_vec2 above = {point.x, point.z};
    if (!tr_vec3_is_finite(point))
        return tr_fail(error, TR_INVALID, "%s is (%g, %g, %g), it must be finite", what, point.x, point.y,
                       point.z);
    if (!tr_grid_find(&route->grid, above, &column, &row))
        return tr_fail(error, TR_INVALID, "%s is (%g, %g, %g), which is outside the surface's grid", what,
                       point.x, point.y, point.z);
    return TR_OK;
}

static bool is_wanted(const tr_surface_route *route, tr_surface_route_border_use border, uint32_t cell) {
    return border != TR_SURFACE_ROUTE_BORDER_AVOID || tr_surface_route_is_free(route, cell);
}

// The nearest free cell that can be reached on foot from one that is not free: never through a wall.
static tr_surface_route_place walk_to_free(tr_surface_route *route, const tr_surface_route_place *from,
                                           float reach) {
    double cells = floor((double)reach / route->grid.cell);
    surface_route_wave_def def = {.start = *from,
                                  .until = SURFACE_ROUTE_UNTIL_FREE,
                                  .border = TR_SURFACE_ROUTE_BORDER_IGNORE,
                                  .cost_most = cells < 1e9 ? (uint32_t)cells : 1000000000u};
    surface_route_wave_end end;
    tr_surface_route_place none = {.cell = TR_NONE};
    return tr_surface_route_wave(route, &def, &end) == TR_OK ? end.end : none;
}

// Down onto the surface; then to a place to stand; then out of the border, within `reach`.
static find_end settle(tr_surface_route *route, const tr_surface_route_params *params, tr_vec3 point) {
    find_end end = {{.cell = TR_NONE}, TR_SURFACE_ROUTE_NOWHERE};
    tr_surface_place below = tr_surface_drop(route->surface, point, route->person.foot_rise);
    if (below.cell != TR_NONE && (double)point.y - below.height <= (double)params->drop) {
        end.place = tr_surface_route_place_of(&below, route);
        bool is_low = point.y - below.height <= route->person.foot_rise;
        end.fate = is_low ? TR_SURFACE_ROUTE_ON : TR_SURFACE_ROUTE_DROPPED;
    }
    if (end.place.cell == TR_NONE || !tr_surface_route_stands(route, end.place.room)) {
        tr_surface_place near =
            tr_surface_nearest(route->surface, point, params->reach, route->person.height);
        end.fate = near.cell == TR_NONE ? TR_SURFACE_ROUTE_NOWHERE : TR_SURFACE_ROUTE_MOVED;
        end.place.cell = TR_NONE;
        if (near.cell != TR_NONE)
            end.place = tr_surface_route_place_of(&near, route);
    }
    if (end.place.cell == TR_NONE || params->border == TR_SURFACE_ROUTE_BORDER_IGNORE ||
        tr_surface_route_is_free(route, end.place.cell))
        return end;
    tr_surface_route_place free = {.cell = TR_NONE};
    if (!is_wanted(route, params->border, end.place.cell))
        free = walk_to_free(route, &end.place, params->reach);
    end.fate = free.cell == TR_NONE ? TR_SURFACE_ROUTE_IN_BORDER : TR_SURFACE_ROUTE_MOVED;
    end.place = free.cell == TR_NONE ? end.place : free;
    return end;
}

static surface_route_wave_def wave_of(const tr_surface_route_query *query,
                                      tr_surface_route_border_use border) {
    surface_route_wave_def def = {.start = query->start,
                                  .goals = query->goals,
                                  .goal_count = query->goal_count,
                                  .until = SURFACE_ROUTE_UNTIL_GOAL,
                                  .estimate = query->params->method != TR_SURFACE_ROUTE_FLOOD,
                                  .border = border,
                                  .links = query->params->links,
                                  .cost_most = TR_NONE,
                                  .budget = query->params->budget};
    return def;
}

static tr_status find_wave(tr_surface_route *route, const tr_surface_route_query *query, tr_error *error) {
    surface_route_wave_def def = wave_of(query, query->border);
    surface_route_wave_end end;
    tr_status status = tr_surface_route_wave(route, &def, &end);
    route->result.counters = end.counters;
    route->result.goal = end.goal;
    if (status == TR_NOT_FOUND)
        return status;
    route->result.cost = end.cost;
    if (!tr_surface_route_wave_path(route, &def, &end, query->params->path))
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a path of up to %u cells", end.cost + 1);
    return status;
}

static tr_status find_one(tr_surface_route *route, const tr_surface_route_query *query, tr_error *error) {
    return query->params->method == TR_SURFACE_ROUTE_EFFORT
               ? tr_surface_route_effort_find(route, query, error)
               : find_wave(route, query, error);
}

// With ALLOW there is a second search, only if no way avoids border cells.
static tr_status find_through(tr_surface_route *route, tr_surface_route_query *query, tr_error *error) {
    tr_surface_route_border_use wanted = query->params->border;
    query->border = wanted == TR_SURFACE_ROUTE_BORDER_IGNORE ? wanted : TR_SURFACE_ROUTE_BORDER_AVOID;
    tr_status status = find_one(route, query, error);
    if (status != TR_NOT_FOUND || wanted == TR_SURFACE_ROUTE_BORDER_IGNORE)
        return status;
    tr_search_counters before = route->result.counters;
    if (wanted == TR_SURFACE_ROUTE_BORDER_ALLOW) {
        query->border = TR_SURFACE_ROUTE_BORDER_ALLOW;
        status = find_one(route, query, error);
        route->result.counters.expanded += before.expanded;
        route->result.counters.generated += before.generated;
        route->result.counters.improved += before.improved;
        return status;
    }
    surface_route_wave_def def = wave_of(query, TR_SURFACE_ROUTE_BORDER_IGNORE);
    surface_route_wave_end end;
    route->result.border_leads_through = tr_surface_route_wave(route, &def, &end) == TR_OK;
    return status;
}

static tr_status no_way(const tr_surface_route *route, tr_error *error) {
    const tr_surface_route_result *result = &route->result;
    if (result->start_fate == TR_SURFACE_ROUTE_NOWHERE)
        return tr_fail(error, TR_NOT_FOUND, "there is no surface to stand on below or near the start");
    if (result->goal_fate == TR_SURFACE_ROUTE_NOWHERE)
        return tr_fail(error, TR_NOT_FOUND, "there is no surface to stand on below or near any goal");
    return tr_fail(error, TR_NOT_FOUND, "no way leads from the start to a goal%s",
                   result->border_leads_through ? " except through border cells" : "");
}

static void clear_result(tr_surface_route *route) {
    memset(&route->result, 0, sizeof route->result);
    route->result.cells = route->path;
    route->result.goal = TR_NONE;
    route->result.start_fate = route->result.goal_fate = TR_SURFACE_ROUTE_NOWHERE;
}

// The results and places of all goals; false: none has a place.
static bool settle_goals(tr_surface_route *route, const tr_surface_route_params *params, const tr_vec3 *goals,
                         uint32_t count, tr_surface_route_place *places, tr_surface_route_fate *fates) {
    bool any = false;
    for (uint32_t i = 0; i < count; i++) {
        find_end goal = settle(route, params, goals[i]);
        places[i] = goal.place;
        fates[i] = goal.fate;
        if (goal.place.cell != TR_NONE && !any)
            route->result.goal_fate = goal.fate;
        any |= goal.place.cell != TR_NONE;
    }
    return any;
}

static tr_status check_question(const tr_surface_route *route, const tr_surface_route_params *params,
                                tr_vec3 start, const tr_vec3 *goals, uint32_t goal_count, tr_error *error) {
    tr_status status = check_params(route, params, goal_count, error);
    if (status == TR_OK)
        status = check_point(route, "the start", start, error);
    for (uint32_t i = 0; status == TR_OK && i < goal_count; i++)
        status = check_point(route, "a goal", goals[i], error);
    return status;
}

tr_status tr_surface_route_find(tr_surface_route *route, const tr_surface_route_params *params, tr_vec3 start,
                                const tr_vec3 *goals, uint32_t goal_count, tr_error *error) {
    tr_status status = check_question(route, params, start, goals, goal_count, error);
    if (status != TR_OK)
        return status;
    if (!route->border_is_marked)
        tr_surface_route_mark_border(route, NULL, 0, NULL); // everywhere: this cannot fail
    clear_result(route);
    tr_surface_route_place places[TR_SURFACE_ROUTE_GOALS_MAX];
    tr_surface_route_fate fates[TR_SURFACE_ROUTE_GOALS_MAX];
    find_end from = settle(route, params, start);
    route->result.start_fate = from.fate;
    bool any = settle_goals(route, params, goals, goal_count, places, fates);
    if (!any || from.place.cell == TR_NONE)
        return no_way(route, error);
    tr_surface_route_query query = {
        .params = params, .start = from.place, .goals = places, .goal_count = goal_count};
    route->last_border = params->border;
    status = find_through(route, &query, error);
    if (status != TR_OK && status != TR_PARTIAL) {
        route->result.cell_count = 0;
        return status == TR_NOT_FOUND ? no_way(route, error) : status;
    }
    if (route->result.goal != TR_NONE)
        route->result.goal_fate = fates[route->result.goal];
    tr_surface_route_path_finish(route);
    return status;
}

tr_surface_route_result tr_surface_route_last(const tr_surface_route *route) {
    return route->result;
}
