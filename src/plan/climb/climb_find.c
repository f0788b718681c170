// A question from beginning to end: where start and goals stand, which search, through which cells.
#include "climb_wave.h"

#include <math.h>
#include <string.h>

// A start or goal on the surface.
typedef struct find_end {
    tr_climb_place place; // cell TR_NONE: nowhere
    tr_climb_fate fate;
} find_end;

static tr_status check_numbers(const tr_climb_params *params, tr_error *error) {
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

static tr_status check_params(const tr_climb *climb, const tr_climb_params *params, uint32_t goal_count,
                              tr_error *error) {
    if ((unsigned)params->method > TR_CLIMB_EFFORT)
        return tr_fail(error, TR_INVALID, "method is %d, there is no such one", (int)params->method);
    if ((unsigned)params->border > TR_CLIMB_BORDER_IGNORE)
        return tr_fail(error, TR_INVALID, "border is %d, there is no such use", (int)params->border);
    if (params->path != 4 && params->path != 8)
        return tr_fail(error, TR_INVALID, "path is %u, it must be 4 or 8", params->path);
    if (goal_count == 0 || goal_count > TR_CLIMB_GOALS_MAX)
        return tr_fail(error, TR_INVALID, "there are %u goals, it must be 1 to %d", goal_count,
                       TR_CLIMB_GOALS_MAX);
    if (climb->revision != tr_surface_revision(climb->surface))
        return tr_fail(error, TR_INVALID, "the surface has changed: tr_climb_refresh comes first");
    return check_numbers(params, error);
}

static tr_status check_point(const tr_climb *climb, const char *what, tr_vec3 point, tr_error *error) {
    uint32_t column, row;
    tr_vec2 above = {point.x, point.z};
    if (!tr_vec3_is_finite(point))
        return tr_fail(error, TR_INVALID, "%s is (%g, %g, %g), it must be finite", what, point.x, point.y,
                       point.z);
    if (!tr_grid_find(&climb->grid, above, &column, &row))
        return tr_fail(error, TR_INVALID, "%s is (%g, %g, %g), which is outside the surface's grid", what,
                       point.x, point.y, point.z);
    return TR_OK;
}

static bool is_wanted(const tr_climb *climb, tr_climb_border_use border, uint32_t cell) {
    return border != TR_CLIMB_BORDER_AVOID || tr_climb_is_free(climb, cell);
}

// The nearest free cell to walk to from one that is not: never through a wall.
static tr_climb_place walk_to_free(tr_climb *climb, const tr_climb_place *from, float reach) {
    double cells = floor((double)reach / climb->grid.cell);
    climb_wave_def def = {.start = *from,
                          .until = CLIMB_UNTIL_FREE,
                          .border = TR_CLIMB_BORDER_IGNORE,
                          .cost_most = cells < 1e9 ? (uint32_t)cells : 1000000000u};
    climb_wave_end end;
    tr_climb_place none = {.cell = TR_NONE};
    return tr_climb_wave(climb, &def, &end) == TR_OK ? end.end : none;
}

// Down onto the surface; then to where somebody can stand; then out of the border, as far as `reach` allows.
static find_end settle(tr_climb *climb, const tr_climb_params *params, tr_vec3 point) {
    find_end end = {{.cell = TR_NONE}, TR_CLIMB_NOWHERE};
    tr_surface_place below = tr_surface_drop(climb->surface, point, climb->person.foot_rise);
    if (below.cell != TR_NONE && (double)point.y - below.height <= (double)params->drop) {
        end.place = tr_climb_place_of(&below, climb);
        bool is_low = point.y - below.height <= climb->person.foot_rise;
        end.fate = is_low ? TR_CLIMB_ON : TR_CLIMB_DROPPED;
    }
    if (end.place.cell == TR_NONE || !tr_climb_stands(climb, end.place.room)) {
        tr_surface_place near =
            tr_surface_nearest(climb->surface, point, params->reach, climb->person.height);
        end.fate = near.cell == TR_NONE ? TR_CLIMB_NOWHERE : TR_CLIMB_MOVED;
        end.place.cell = TR_NONE;
        if (near.cell != TR_NONE)
            end.place = tr_climb_place_of(&near, climb);
    }
    if (end.place.cell == TR_NONE || params->border == TR_CLIMB_BORDER_IGNORE ||
        tr_climb_is_free(climb, end.place.cell))
        return end;
    tr_climb_place free = {.cell = TR_NONE};
    if (!is_wanted(climb, params->border, end.place.cell))
        free = walk_to_free(climb, &end.place, params->reach);
    end.fate = free.cell == TR_NONE ? TR_CLIMB_IN_BORDER : TR_CLIMB_MOVED;
    end.place = free.cell == TR_NONE ? end.place : free;
    return end;
}

static climb_wave_def wave_of(const tr_climb_query *query, tr_climb_border_use border) {
    climb_wave_def def = {.start = query->start,
                          .goals = query->goals,
                          .goal_count = query->goal_count,
                          .until = CLIMB_UNTIL_GOAL,
                          .estimate = query->params->method != TR_CLIMB_FLOOD,
                          .border = border,
                          .links = query->params->links,
                          .cost_most = TR_NONE,
                          .budget = query->params->budget};
    return def;
}

static tr_status find_wave(tr_climb *climb, const tr_climb_query *query, tr_error *error) {
    climb_wave_def def = wave_of(query, query->border);
    climb_wave_end end;
    tr_status status = tr_climb_wave(climb, &def, &end);
    climb->result.counters = end.counters;
    climb->result.goal = end.goal;
    if (status == TR_NOT_FOUND)
        return status;
    climb->result.cost = end.cost;
    if (!tr_climb_wave_path(climb, &def, &end, query->params->path))
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a path of up to %u cells", end.cost + 1);
    return status;
}

static tr_status find_one(tr_climb *climb, const tr_climb_query *query, tr_error *error) {
    return query->params->method == TR_CLIMB_EFFORT ? tr_climb_effort_find(climb, query, error)
                                                    : find_wave(climb, query, error);
}

// ALLOW is a search of its own only when there is no way without border cells.
static tr_status find_through(tr_climb *climb, tr_climb_query *query, tr_error *error) {
    tr_climb_border_use wanted = query->params->border;
    query->border = wanted == TR_CLIMB_BORDER_IGNORE ? wanted : TR_CLIMB_BORDER_AVOID;
    tr_status status = find_one(climb, query, error);
    if (status != TR_NOT_FOUND || wanted == TR_CLIMB_BORDER_IGNORE)
        return status;
    tr_search_counters before = climb->result.counters;
    if (wanted == TR_CLIMB_BORDER_ALLOW) {
        query->border = TR_CLIMB_BORDER_ALLOW;
        status = find_one(climb, query, error);
        climb->result.counters.expanded += before.expanded;
        climb->result.counters.generated += before.generated;
        climb->result.counters.improved += before.improved;
        return status;
    }
    climb_wave_def def = wave_of(query, TR_CLIMB_BORDER_IGNORE);
    climb_wave_end end;
    climb->result.border_leads_through = tr_climb_wave(climb, &def, &end) == TR_OK;
    return status;
}

static tr_status no_way(const tr_climb *climb, tr_error *error) {
    const tr_climb_result *result = &climb->result;
    if (result->start_fate == TR_CLIMB_NOWHERE)
        return tr_fail(error, TR_NOT_FOUND, "there is no surface to stand on below or near the start");
    if (result->goal_fate == TR_CLIMB_NOWHERE)
        return tr_fail(error, TR_NOT_FOUND, "there is no surface to stand on below or near any goal");
    return tr_fail(error, TR_NOT_FOUND, "no way leads from the start to a goal%s",
                   result->border_leads_through ? " but through border cells" : "");
}

static void clear_result(tr_climb *climb) {
    memset(&climb->result, 0, sizeof climb->result);
    climb->result.cells = climb->path;
    climb->result.goal = TR_NONE;
    climb->result.start_fate = climb->result.goal_fate = TR_CLIMB_NOWHERE;
}

// Fates and places of all goals; false when none is anywhere.
static bool settle_goals(tr_climb *climb, const tr_climb_params *params, const tr_vec3 *goals, uint32_t count,
                         tr_climb_place *places, tr_climb_fate *fates) {
    bool any = false;
    for (uint32_t i = 0; i < count; i++) {
        find_end goal = settle(climb, params, goals[i]);
        places[i] = goal.place;
        fates[i] = goal.fate;
        if (goal.place.cell != TR_NONE && !any)
            climb->result.goal_fate = goal.fate;
        any |= goal.place.cell != TR_NONE;
    }
    return any;
}

static tr_status check_question(const tr_climb *climb, const tr_climb_params *params, tr_vec3 start,
                                const tr_vec3 *goals, uint32_t goal_count, tr_error *error) {
    tr_status status = check_params(climb, params, goal_count, error);
    if (status == TR_OK)
        status = check_point(climb, "the start", start, error);
    for (uint32_t i = 0; status == TR_OK && i < goal_count; i++)
        status = check_point(climb, "a goal", goals[i], error);
    return status;
}

tr_status tr_climb_find(tr_climb *climb, const tr_climb_params *params, tr_vec3 start, const tr_vec3 *goals,
                        uint32_t goal_count, tr_error *error) {
    tr_status status = check_question(climb, params, start, goals, goal_count, error);
    if (status != TR_OK)
        return status;
    if (!climb->border_is_marked)
        tr_climb_mark_border(climb, NULL, 0, NULL); // everywhere: nothing can go wrong
    clear_result(climb);
    tr_climb_place places[TR_CLIMB_GOALS_MAX];
    tr_climb_fate fates[TR_CLIMB_GOALS_MAX];
    find_end from = settle(climb, params, start);
    climb->result.start_fate = from.fate;
    bool any = settle_goals(climb, params, goals, goal_count, places, fates);
    if (!any || from.place.cell == TR_NONE)
        return no_way(climb, error);
    tr_climb_query query = {.params = params, .start = from.place, .goals = places, .goal_count = goal_count};
    climb->last_border = params->border;
    status = find_through(climb, &query, error);
    if (status != TR_OK && status != TR_PARTIAL) {
        climb->result.cell_count = 0;
        return status == TR_NOT_FOUND ? no_way(climb, error) : status;
    }
    if (climb->result.goal != TR_NONE)
        climb->result.goal_fate = fates[climb->result.goal];
    tr_climb_path_finish(climb);
    return status;
}

tr_climb_result tr_climb_last(const tr_climb *climb) {
    return climb->result;
}
