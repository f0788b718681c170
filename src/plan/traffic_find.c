// tr_traffic_find: the way on foot without the others first; where it meets nobody it is the answer. Else a
// search in space and time, in long strides where that will do and in shorter ones where it does not.
#include "traffic_search.h"
#include "troupe/base/clock.h"

#define STRIDE 0.3        // length of a move [m]
#define STRIDE_LEAST 0.01 // where longer ones find no way: a cell, where cells are larger
#define BODY_SLACK 5e-4f  // kept beside the margin [m]: positions are rounded to floats
#define NODES_LEAST 16u
#define NODES_MOST (1u << 26)

float tr_traffic_radius(const tr_person *person) {
    return person->radius > 0 ? person->radius : 0.15f * person->height;
}

tr_traffic_params tr_traffic_params_default(void) {
    tr_traffic_params params = {tr_climb_params_default(), 0, 1.3f, 0.05f, 60, 1u << 18};
    return params;
}

static tr_status check(const tr_traffic_params *params, tr_error *error) {
    if (!(params->speed > 0 && params->speed <= 1e3f))
        return tr_fail(error, TR_INVALID, "the speed is %g m/s, it must be above 0 and at most 1000",
                       params->speed);
    if (!(params->margin >= 0 && params->margin <= 1e3f))
        return tr_fail(error, TR_INVALID, "the margin is %g m, it must be 0 to 1000", params->margin);
    if (!(params->begin >= -1e9 && params->begin <= 1e9))
        return tr_fail(error, TR_INVALID, "the way begins at %g s, it must be within 1e9", params->begin);
    if (!(params->wait_max >= 0))
        return tr_fail(error, TR_INVALID, "it waits %g s at most, that must be at least 0", params->wait_max);
    if (params->nodes_max < NODES_LEAST || params->nodes_max > NODES_MOST)
        return tr_fail(error, TR_INVALID, "nodes_max is %u, it must be %u to %u", params->nodes_max,
                       NODES_LEAST, NODES_MOST);
    return TR_OK;
}

static tr_vec3 end_position(const tr_climb *climb, const tr_climb_place *place, tr_vec3 wanted,
                            climb_spot *spot) {
    bool inside;
    *spot = tr_climb_spot_at(climb, place, wanted, &inside);
    tr_vec2 centre = tr_grid_centre(&climb->grid, place->column, place->row);
    tr_vec3 position = {inside ? wanted.x : centre.x,
                        (float)(climb->scale.bottom + place->height * climb->scale.unit),
                        inside ? wanted.z : centre.z};
    return position;
}

// Border cells at an end of the path, and as far around.
static uint32_t border_at(const tr_climb *climb, uint32_t from, int step) {
    uint32_t count = 0;
    for (uint32_t i = from; i < climb->result.cell_count && !tr_climb_is_free(climb, climb->path[i].cell);
         i += (uint32_t)step)
        count++;
    return count ? 2 * count + 1 : 0;
}

static void set_ends(traffic_quest *quest, tr_vec3 start, tr_vec3 goal) {
    const tr_climb *climb = quest->climb;
    uint32_t last = climb->result.cell_count - 1;
    quest->start = tr_climb_path_place(climb, climb->path);
    quest->goal = tr_climb_path_place(climb, climb->path + last);
    quest->start_position = end_position(climb, &quest->start, start, &quest->start_spot);
    quest->goal_position = end_position(climb, &quest->goal, goal, &quest->goal_spot);
    quest->near_start = border_at(climb, 0, 1);
    quest->near_goal = border_at(climb, last, -1);
    uint32_t at_ends = quest->near_start / 2 + quest->near_goal / 2;
    quest->border_is_open =
        quest->params->climb.border == TR_CLIMB_BORDER_IGNORE ||
        (quest->params->climb.border == TR_CLIMB_BORDER_ALLOW && climb->result.border_cells > at_ends);
}

// Whoever stands on the start when the way begins, or on the goal for ever, leaves nothing to search for.
static bool ends_are_free(traffic_quest *quest) {
    const tr_traffic *traffic = quest->traffic;
    traffic_move stand = {quest->start_position, quest->start_position, 0, quest->radius, quest->height};
    uint32_t met = tr_traffic_meet(traffic, &stand, quest->params->begin);
    if (met == TR_NONE) {
        tr_traffic_contacts(quest->traffic, quest->goal_position, quest->radius, quest->height,
                            quest->params->begin);
        if (traffic->contact_count == 0 || isfinite(traffic->contacts[traffic->contact_count - 1].end))
            return true;
        quest->blocked_by = traffic->contacts[traffic->contact_count - 1].track;
        return false;
    }
    quest->blocked_by = traffic->pieces[met].track;
    return false;
}

static uint32_t cells_in(const tr_climb *climb, double metres) {
    double cells = metres / climb->grid.cell + 1e-3;
    return cells < 1 ? 1 : cells < 1000 ? (uint32_t)cells : 1000;
}

// Strides by halves, and where only that is left, through the border where it is allowed.
static tr_status search(traffic_quest *quest) {
    uint32_t least = cells_in(quest->climb, STRIDE_LEAST);
    for (;;) {
        tr_status status = TR_NOT_FOUND;
        for (quest->stride = cells_in(quest->climb, STRIDE); status == TR_NOT_FOUND; quest->stride /= 2) {
            status = tr_traffic_search_run(quest);
            if (quest->stride / 2 < least)
                break;
        }
        if (status != TR_NOT_FOUND || quest->border_is_open ||
            quest->params->climb.border != TR_CLIMB_BORDER_ALLOW)
            return status;
        quest->border_is_open = true;
    }
}

static double waited(const tr_traffic *traffic) {
    double sum = 0;
    for (uint32_t i = 0; i < traffic->bend_count; i++)
        sum += traffic->bends[i].depart - traffic->bends[i].arrive;
    return sum;
}

// The way that avoids the others. TR_PARTIAL: what leads nearest to the goal.
static tr_status plan(traffic_quest *quest, tr_error *error) {
    tr_status status = search(quest);
    if (status != TR_OK && status != TR_PARTIAL)
        return status;
    uint32_t end = status == TR_OK ? quest->found : quest->nearest;
    if (end == TR_NONE)
        return status;
    if (!tr_traffic_line_nodes(quest, end))
        return tr_fail(error, TR_LIMIT, "the way has more than %d bends", TR_TRAFFIC_BENDS_MAX);
    tr_traffic_line_straighten(quest);
    if (waited(quest->traffic) > quest->params->wait_max)
        tr_traffic_line_nodes(quest, end); // who strolls waits less
    return status;
}

static tr_status find(traffic_quest *quest, tr_vec3 start, tr_vec3 goal, tr_error *error) {
    tr_climb *climb = quest->climb;
    tr_traffic *traffic = quest->traffic;
    tr_climb_params alone = quest->params->climb;
    alone.method = TR_CLIMB_EFFORT;
    tr_status status = tr_climb_find(climb, &alone, start, &goal, 1, error);
    if (status != TR_OK && status != TR_PARTIAL)
        return status;
    set_ends(quest, start, goal);
    if (!ends_are_free(quest))
        return tr_fail(error, TR_NOT_FOUND,
                       "track %u stands on the start when the way begins, or on the goal for ever",
                       quest->blocked_by);
    uint32_t count;
    double length;
    if (tr_climb_straighten(climb, start, goal, traffic->points, TR_TRAFFIC_BENDS_MAX, &count, &length) ==
            TR_OK &&
        tr_traffic_line_plain(quest, traffic->points, count))
        return status;
    tr_status planned = plan(quest, error);
    if (planned == TR_NOT_FOUND && quest->blocked_by != TR_NONE)
        return tr_fail(error, planned, "there is no way that meets nobody: track %u is in it",
                       quest->blocked_by);
    if (planned == TR_NOT_FOUND)
        return tr_fail(error, planned, "there is no way that meets nobody");
    return planned == TR_OK ? status : planned;
}

tr_status tr_traffic_find(tr_traffic *traffic, tr_climb *climb, const tr_traffic_params *params,
                          tr_vec3 start, tr_vec3 goal, tr_traffic_point *points, uint32_t point_max,
                          uint32_t *point_count, uint32_t *blocked_by, tr_error *error) {
    *point_count = 0;
    if (blocked_by)
        *blocked_by = TR_NONE;
    tr_status status = check(params, error);
    if (status != TR_OK)
        return status;
    if (!tr_traffic_search_reserve(traffic, params->nodes_max))
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a search of %u nodes", params->nodes_max);
    traffic_quest quest = {.traffic = traffic,
                           .climb = climb,
                           .params = params,
                           .radius = tr_traffic_radius(&climb->person) + params->margin + BODY_SLACK,
                           .height = climb->person.height,
                           .blocked_by = TR_NONE,
                           .blocked_left = INFINITY,
                           .clock_begin = params->climb.budget.microseconds ? tr_clock_nanoseconds() : 0};
    traffic->bend_count = 0;
    status = find(&quest, start, goal, error);
    if (status == TR_NOT_FOUND && blocked_by)
        *blocked_by = quest.blocked_by;
    if (status != TR_OK && status != TR_PARTIAL)
        return status;
    if (!tr_traffic_line_points(&quest, points, point_max, point_count)) {
        *point_count = 0;
        return tr_fail(error, TR_LIMIT, "the way has more than %u points", point_max);
    }
    return status;
}
