#include "go_data.h"

#include <math.h>
#include <string.h>

#define REACH 2.0f         // a goal that is not free is moved to the nearest room within this [m]
#define TIGHT_RADIUS 0.8f  // share of the radius for a body that turns its shoulders
#define SIDE_RADIUS 0.5f   // and for one that goes sideways
#define HEIGHT_STEP 0.1f   // bodies whose heights differ by less
#define BENT_STEP 0.05f    // or, bent, by less than this,
#define RADIUS_STEP 0.01f  // and whose radii differ by less share a size of the ground [m]
#define HEAD_ROOM 1.02f    // share of the stature that a walking body needs
#define ROOM_STEP 0.05f    // distance between the samples of a way through a narrow place [m]
#define SUSPECT_SCALE 1.2f // a way longer than this times the straight line,
#define SUSPECT_MORE 2.0f  // and by this much, may have a shorter one through a narrow place [m]

tr_status tr_go_create(const tr_allocator *allocator, tr_go **go, tr_error *error) {
    *go = NULL;
    tr_allocator own = tr_allocator_or_default(allocator);
    tr_go *made = tr_allocate_zero(&own, 1, sizeof *made);
    if (!made)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a way planner");
    made->allocator = own;
    tr_status status = tr_path_create(&own, &made->path, error);
    if (status != TR_OK) {
        tr_release(&own, made, 1, sizeof *made);
        return status;
    }
    *go = made;
    return TR_OK;
}

void tr_go_destroy(tr_go *go) {
    if (!go)
        return;
    tr_allocator allocator = go->allocator;
    tr_go_free_pace(go);
    tr_path_destroy(go->path);
    tr_release(&allocator, go, 1, sizeof *go);
}

tr_status tr_go_reserve(tr_go *go, const tr_ground *ground, uint32_t node_max, tr_error *error) {
    return tr_path_reserve(go->path, ground, node_max, error);
}

static float round_down(float value, float step) {
    return (float)(floor((double)value / (double)step + 1e-4) * (double)step);
}

tr_status tr_go_add_sizes(tr_ground *ground, const tr_go_body *body, uint32_t sizes[TR_WAY_ROOMS],
                          tr_error *error) {
    const float shares[TR_WAY_ROOMS] = {1, TIGHT_RADIUS, SIDE_RADIUS, TIGHT_RADIUS};
    float radius = body->radius > 0 ? body->radius : 0.3f,
          depth = body->depth < radius ? body->depth : radius,
          height = body->height > 0 ? body->height : HEAD_ROOM * body->stature;
    tr_status status = TR_OK;
    sizes[TR_WAY_BENT] = TR_NONE;
    for (uint32_t room = 0; room < TR_WAY_ROOMS && status == TR_OK; room++) {
        bool bends = room == TR_WAY_BENT;
        if (bends && !(body->bent > 0 && body->bent < height))
            break;
        tr_ground_body made = tr_ground_body_of_height(round_down(body->stature, HEIGHT_STEP));
        made.height = -round_down(-(bends ? body->bent : height), bends ? BENT_STEP : HEIGHT_STEP);
        float needed = shares[room] * radius > depth ? shares[room] * radius : depth;
        made.radius = -round_down(-(needed + TR_GO_CORRIDOR), RADIUS_STEP);
        status = tr_ground_add_size(ground, &made, &sizes[room], error);
    }
    return status;
}

tr_go_query tr_go_query_default(uint32_t size) {
    tr_path_params path = tr_path_params_default(size);
    tr_go_query query = {.sizes = {size, TR_NONE, TR_NONE, TR_NONE},
                         .speed = 1.3f,
                         .up = path.up,
                         .down = path.down,
                         .rise = path.rise,
                         .reach = REACH,
                         .detour = 3,
                         .links = path.links,
                         .lane = 1,
                         .merge = TR_GO_MERGE,
                         .bend = TR_GO_BEND};
    return query;
}

static void add_counters(tr_search_counters *sum, const tr_search_counters *more) {
    sum->expanded += more->expanded;
    sum->generated += more->generated;
    sum->improved += more->improved;
    sum->reopened += more->reopened;
    sum->waiting = more->waiting;
}

// Finds a way for bodies of one size, kept in go->points.
static tr_status find_with(tr_go *go, const tr_ground *ground, const tr_go_query *query, uint32_t size,
                           const tr_vec3 *goals, tr_go_result *result, tr_error *error) {
    tr_path_params params = tr_path_params_default(size);
    params.up = query->up;
    params.down = query->down;
    params.rise = query->rise;
    params.stands = query->stands;
    params.reach = query->reach;
    params.links = query->links;
    params.budget = query->budget;
    params.node_max = query->node_max;
    tr_status status = tr_path_find(go->path, ground, &params, query->start, goals, query->goal_count, error);
    tr_path_result found = tr_path_last(go->path);
    add_counters(&result->counters, &found.counters);
    result->start = found.start;
    result->end = found.end;
    if (status != TR_OK && status != TR_PARTIAL)
        return status;
    uint32_t extra = found.start_moved ? 1 : 0;
    if (found.point_count + extra > GO_POINTS_MAX)
        return tr_fail(error, TR_LIMIT, "the way has more than %d corners", GO_POINTS_MAX);
    go->points[0] = (tr_path_point){.position = query->start, .link = TR_NONE};
    if (found.start_moved)
        go->points[0].position.y = found.start.position.y;
    memcpy(go->points + extra, found.points, found.point_count * sizeof *found.points);
    go->point_count = found.point_count + extra;
    result->length = found.length;
    result->cost = found.cost;
    result->goal = found.goal;
    result->start_moved = found.start_moved;
    result->goal_moved = found.goal_moved;
    return status;
}

// A body that goes through a narrow place does not stay in it: goals are moved to open room first.
static void open_goals(const tr_ground *ground, const tr_go_query *query, tr_vec3 *goals, bool *moved) {
    for (uint32_t i = 0; i < query->goal_count; i++) {
        goals[i] = query->goals[i];
        moved[i] = false;
        tr_ground_place at = tr_ground_drop(ground, query->sizes[0], goals[i], query->rise);
        if (at.why == TR_GROUND_FREE)
            continue;
        tr_ground_place near = tr_ground_nearest(ground, query->sizes[0], goals[i], query->reach);
        moved[i] = near.cell != TR_NONE;
        goals[i] = moved[i] ? near.position : goals[i];
    }
}

bool tr_go_is_detour(const tr_go_query *query, const tr_go_result *result) {
    tr_vec3 apart = tr_vec3_subtract(query->goals[result->goal], query->start);
    double straight = sqrtf(apart.x * apart.x + apart.z * apart.z);
    return result->length > SUSPECT_SCALE * straight + SUSPECT_MORE;
}

static tr_way_room room_at(const tr_ground *ground, const tr_go_query *query, tr_vec3 point) {
    const uint32_t *sizes = query->sizes;
    for (uint32_t room = TR_WAY_OPEN; room < TR_WAY_SIDE; room++)
        if (sizes[room] != TR_NONE && tr_ground_is_free(ground, sizes[room], point, NULL))
            return (tr_way_room)room;
    if (sizes[TR_WAY_BENT] != TR_NONE &&
        (sizes[TR_WAY_SIDE] == TR_NONE || !tr_ground_is_free(ground, sizes[TR_WAY_SIDE], point, NULL)))
        return TR_WAY_BENT;
    return query->sizes[TR_WAY_SIDE] != TR_NONE ? TR_WAY_SIDE : TR_WAY_TIGHT;
}

static tr_vec3 between(tr_vec3 a, tr_vec3 b, float t) {
    return tr_vec3_add(a, tr_vec3_scale(tr_vec3_subtract(b, a), t));
}

// Adds corners where the room changes, so that every stretch of the way has one kind of room.
static tr_status mark_rooms(tr_go *go, const tr_ground *ground, const tr_go_query *query, tr_error *error) {
    tr_path_point old[GO_POINTS_MAX];
    uint32_t count = go->point_count;
    memcpy(old, go->points, count * sizeof *old);
    go->point_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (go->point_count == GO_POINTS_MAX)
            return tr_fail(error, TR_LIMIT, "the way has more than %d corners", GO_POINTS_MAX);
        go->points[go->point_count++] = old[i];
        if (i + 1 == count || old[i + 1].move != TR_PATH_WALK)
            continue;
        tr_vec3 a = old[i].position, b = old[i + 1].position, apart = tr_vec3_subtract(b, a);
        uint32_t steps = 1 + (uint32_t)(tr_vec3_length(apart) / ROOM_STEP);
        tr_way_room last = room_at(ground, query, between(a, b, 0.5f / (float)steps));
        for (uint32_t k = 1; k < steps; k++) {
            tr_way_room room = room_at(ground, query, between(a, b, ((float)k + 0.5f) / (float)steps));
            if (room == last)
                continue;
            last = room;
            if (go->point_count == GO_POINTS_MAX)
                return tr_fail(error, TR_LIMIT, "the way has more than %d corners", GO_POINTS_MAX);
            go->points[go->point_count++] =
                (tr_path_point){.position = between(a, b, (float)k / (float)steps), .link = TR_NONE};
        }
    }
    return TR_OK;
}

void tr_go_name_rooms(const tr_ground *ground, const tr_go_query *query, tr_way *way) {
    for (uint32_t i = 0; i + 1 < way->point_count; i++)
        way->points[i].room = (uint8_t)room_at(
            ground, query, between(way->points[i].position, way->points[i + 1].position, 0.5f));
}

// In open room if that is no great detour, else through narrower places.
static tr_status find_path(tr_go *go, const tr_ground *ground, const tr_go_query *query, bool *narrow,
                           tr_go_result *result, tr_error *error) {
    tr_vec3 goals[TR_PATH_GOALS_MAX];
    bool moved[TR_PATH_GOALS_MAX];
    open_goals(ground, query, goals, moved);
    *narrow = false;
    tr_status status = find_with(go, ground, query, query->sizes[0], goals, result, error);
    bool more = status == TR_NOT_FOUND || (status == TR_OK && tr_go_is_detour(query, result));
    // Where a body that bends fits, one fits with its shoulders turned, too.
    bool bends = status == TR_OK && query->sizes[TR_WAY_BENT] != TR_NONE;
    for (uint32_t room = bends ? TR_WAY_BENT : TR_WAY_TIGHT; room < TR_WAY_ROOMS && more; room++) {
        if (query->sizes[room] == TR_NONE)
            continue;
        tr_go_result other = {.counters = result->counters};
        double open = status == TR_OK ? result->length : INFINITY;
        tr_path_point kept[GO_POINTS_MAX];
        uint32_t kept_count = go->point_count;
        if (status == TR_OK)
            memcpy(kept, go->points, kept_count * sizeof *kept);
        tr_status found = find_with(go, ground, query, query->sizes[room], goals, &other, NULL);
        if (found == TR_OK && other.length + (double)query->detour < open) {
            *result = other;
            *narrow = true;
            status = TR_OK;
        } else if (found == TR_PARTIAL && status == TR_NOT_FOUND) { // there may be a way
            *result = other;
            *narrow = true;
            status = TR_PARTIAL;
        } else if (status == TR_OK) {
            memcpy(go->points, kept, kept_count * sizeof *kept);
            go->point_count = kept_count;
        }
        result->counters = other.counters;
        if (found == TR_OUT_OF_MEMORY) // it is unknown whether there is a narrow way
            return tr_fail(error, found, "no memory for a path");
        more = status == TR_NOT_FOUND;
    }
    if (status == TR_OK)
        result->goal_moved = result->goal_moved || moved[result->goal];
    *narrow = *narrow || result->start_moved;
    return status;
}

static tr_status explain(const tr_ground *ground, const tr_go_query *query, const tr_go_result *result,
                         tr_error *error) {
    char text[200];
    if (result->start.why != TR_GROUND_FREE) {
        tr_ground_explain(ground, query->sizes[0], query->start, &result->start, text, sizeof text);
        return tr_fail(error, TR_NOT_FOUND, "the start %s", text);
    }
    if (result->end.why != TR_GROUND_FREE) {
        tr_ground_explain(ground, query->sizes[0], query->goals[0], &result->end, text, sizeof text);
        return tr_fail(error, TR_NOT_FOUND, "the goal %s", text);
    }
    return tr_fail(error, TR_NOT_FOUND, "no way leads to the goal");
}

// A body does not take footsteps sideways.
static bool steps_sideways(const tr_way *way) {
    for (uint32_t p = 0; p < way->piece_count; p++) {
        const tr_way_piece *piece = &way->pieces[p];
        for (uint32_t i = 0; i + 1 < piece->count && piece->kind == TR_WAY_STEP; i++)
            if (way->points[piece->first + i].room == TR_WAY_SIDE)
                return true;
    }
    return false;
}

static tr_status find_wider(tr_go *go, const tr_ground *ground, const tr_go_query *query, tr_way *way,
                            tr_go_result *result, tr_error *error) {
    tr_go_query wider = *query;
    tr_search_counters counters = result->counters;
    wider.sizes[TR_WAY_SIDE] = TR_NONE;
    tr_status status = tr_go_find(go, ground, &wider, way, result, error);
    add_counters(&result->counters, &counters);
    if (status == TR_NOT_FOUND)
        return tr_fail(error, TR_NOT_FOUND,
                       "the only way has footsteps in a gap that is too narrow for them");
    return status;
}

tr_status tr_go_find(tr_go *go, const tr_ground *ground, const tr_go_query *query, tr_way *way,
                     tr_go_result *result, tr_error *error) {
    tr_go_result own;
    result = result ? result : &own;
    *result = (tr_go_result){.goal = TR_NONE};
    tr_way_clear(way);
    const tr_ground_body *body = tr_ground_size(ground, query->sizes[0]);
    if (!body || query->goal_count == 0 || query->goal_count > TR_PATH_GOALS_MAX || !(query->speed > 0))
        return tr_fail(error, TR_INVALID, "a way needs a size of the ground, a speed and 1 to %d goals",
                       TR_PATH_GOALS_MAX);
    bool narrow;
    tr_status status = find_path(go, ground, query, &narrow, result, error);
    if (status == TR_NOT_FOUND)
        return explain(ground, query, result, error);
    if (status != TR_OK && status != TR_PARTIAL)
        return status;
    if (query->lane > 0 && !narrow)
        tr_go_keep_lane(go, ground, query);
    if (query->bend > 0)
        tr_go_smooth(go, ground, query, way->point_max / 4 * 3);
    tr_status made = narrow ? mark_rooms(go, ground, query, error) : TR_OK;
    if (made == TR_OK)
        made = tr_way_cut(way, ground, go->points, go->point_count, body->foot_rise, query->speed,
                          go_step_speed(query), error);
    if (made == TR_OK && narrow)
        tr_go_name_rooms(ground, query, way);
    if (made == TR_OK && narrow && steps_sideways(way))
        return find_wider(go, ground, query, way, result, error);
    return made == TR_OK ? status : made;
}
