// Why there is no plan, in a sentence: what can be said before a search, in a moment, and after it.
#include "behavior_search_data.h"

// What a goal's surroundings are like.
typedef struct surroundings {
    bool inside;    // a part of them is on the map
    bool free;      // a static obstacle leaves room
    bool connected; // with the start
    bool quiet;     // and there nobody rests in the end
} surroundings;

static surroundings look(const tr_behavior_search *s, tr_vec2 goal, uint32_t part) {
    const tr_behavior_map *map = s->map;
    const tr_grid *grid = &map->grid;
    surroundings found = {false, false, false, false};
    float reach = s->query.tolerance * map->per_metre + 1;
    float column = (goal.x - grid->origin.x) * map->per_metre,
          row = (goal.z - grid->origin.z) * map->per_metre;
    int64_t from[2] = {(int64_t)(column - reach), (int64_t)(row - reach)};
    int64_t to[2] = {(int64_t)(column + reach), (int64_t)(row + reach)};
    for (int64_t r = from[1] < 0 ? 0 : from[1]; r <= to[1] && r < grid->rows; r++)
        for (int64_t c = from[0] < 0 ? 0 : from[0]; c <= to[0] && c < grid->columns; c++) {
            // The nearest point of the cell is what counts.
            float x = behavior_beyond(column, (float)c), z = behavior_beyond(row, (float)r);
            size_t cell = (size_t)r * grid->columns + (size_t)c;
            uint32_t end = map->slot_count - 1;
            if (x * x + z * z > (reach - 1) * (reach - 1))
                continue;
            bool is_free = !(map->blocked[cell] & 1);
            bool is_connected = is_free && (part == 0 || map->parts[cell] == 0 || map->parts[cell] == part);
            found.inside = true;
            found.free = found.free || is_free;
            found.connected = found.connected || is_connected;
            found.quiet =
                found.quiet || (is_connected && map->rest[cell] == BEHAVIOR_NEVER &&
                                behavior_objects_are_clear(map, 0, (uint32_t)c, (uint32_t)r, end, end));
        }
    return found;
}

static tr_status look_at_goal(const tr_behavior_search *s, uint32_t index, uint32_t part, tr_error *error) {
    tr_vec2 goal = s->goals[index];
    surroundings found = look(s, goal, part);
    double x = (double)goal.x, z = (double)goal.z, tolerance = (double)s->query.tolerance;
    if (!found.inside)
        return tr_fail(error, TR_NOT_FOUND, "goal %u (%g, %g) is outside the map", index, x, z);
    if (!found.free)
        return tr_fail(
            error, TR_NOT_FOUND,
            "goal %u (%g, %g) is inside an obstacle, with %g m around it, or in a place without an entrance",
            index, x, z, tolerance);
    if (!found.connected)
        return tr_fail(error, TR_NOT_FOUND,
                       "walls lie between the start (%g, %g) and goal %u (%g, %g), on every way",
                       (double)s->query.start.x, (double)s->query.start.z, index, x, z);
    if (!found.quiet && index + 1 == s->query.goal_count)
        return tr_fail(error, TR_NOT_FOUND,
                       "somebody or something rests at goal %u (%g, %g), with %g m around it", index, x, z,
                       tolerance);
    return TR_OK;
}

tr_status tr_behavior_reason_before(const tr_behavior_search *s, tr_error *error) {
    const tr_behavior_map *map = s->map;
    tr_vec2 start = s->query.start;
    uint32_t column, row;
    if (!behavior_cell(map, start.x, start.z, &column, &row))
        return tr_fail(error, TR_NOT_FOUND, "the start (%g, %g) is outside the map", (double)start.x,
                       (double)start.z);
    size_t cell = (size_t)row * map->grid.columns + column;
    if (map->blocked[cell] & 1)
        return tr_fail(error, TR_NOT_FOUND, "the start (%g, %g) is inside an obstacle", (double)start.x,
                       (double)start.z);
    if (!behavior_cell_is_free(map, 0, column, row, s->query.frame, s->query.frame))
        return tr_fail(error, TR_NOT_FOUND, "somebody or something is at the start (%g, %g) at frame %u",
                       (double)start.x, (double)start.z, s->query.frame);
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < s->query.goal_count && status == TR_OK; i++)
        status = look_at_goal(s, i, map->parts[cell], error);
    return status;
}

tr_status tr_behavior_reason_after(const tr_behavior_search *s, tr_error *error) {
    const behavior_node *node =
        &s->nodes[tr_search_nearest(s->core) == TR_NONE ? 0 : tr_search_nearest(s->core)];
    double x = (double)s->goals[node->leg].x - (double)node->x,
           z = (double)s->goals[node->leg].z - (double)node->z;
    const char *more = s->dropped ? "; a longer queue may find a way"
                       : s->late  ? "; with more time there may be a way"
                                  : "";
    if (s->node_count == 1)
        return tr_fail(error, TR_NOT_FOUND,
                       "every way is blocked at the start (%g, %g): no move is possible there%s",
                       (double)node->x, (double)node->z, more);
    return tr_fail(error, TR_NOT_FOUND,
                   "every way is blocked: of %u places that can be reached the best is (%.2f, %.2f), %.2f m "
                   "from goal %u%s",
                   s->node_count, (double)node->x, (double)node->z, sqrt(x * x + z * z), node->leg, more);
}
