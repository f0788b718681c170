// Queries of plan/path: places of starts and goals, permitted links, results.
#include "path_data.h"

#include <math.h>
#include <string.h>

tr_path_params tr_path_params_default(uint32_t size) {
    tr_path_params params = {.size = size,
                             .up = 4,
                             .down = 1,
                             .rise = 0.5f,
                             .reach = 1,
                             .links = TR_GROUND_DOOR | TR_GROUND_LIFT | TR_GROUND_OTHER};
    return params;
}

static void forget(tr_path *path) {
    const tr_ground_place none = {
        .cell = TR_NONE, .region = TR_NONE, .why = TR_GROUND_OUTSIDE, .object = TR_NONE};
    memset(&path->result, 0, sizeof path->result);
    path->result.points = path->points;
    path->result.goal = TR_NONE;
    path->result.start = path->result.end = none;
}

tr_status tr_path_create(const tr_allocator *allocator, tr_path **path, tr_error *error) {
    tr_allocator own = tr_allocator_or_default(allocator);
    *path = tr_allocate_zero(&own, 1, sizeof **path);
    if (!*path)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a path");
    (*path)->allocator = own;
    forget(*path);
    return TR_OK;
}

void tr_path_destroy(tr_path *path) {
    if (!path)
        return;
    tr_allocator allocator = path->allocator;
    tr_release(&allocator, path->nodes, path->node_capacity, sizeof *path->nodes);
    tr_release(&allocator, path->heap, path->heap_capacity, sizeof *path->heap);
    tr_release(&allocator, path->roots, path->root_capacity, sizeof *path->roots);
    tr_release(&allocator, path->known, path->known_capacity, sizeof *path->known);
    tr_release(&allocator, path->corners, path->corner_capacity, sizeof *path->corners);
    tr_release(&allocator, path->points, path->point_capacity, sizeof *path->points);
    tr_release(&allocator, path, 1, sizeof *path);
}

void tr_path_forget_stamps(tr_path *path) {
    if (path->root_capacity > 0)
        memset(path->roots, 0, path->root_capacity * sizeof *path->roots);
    if (path->known_capacity > 0)
        memset(path->known, 0, path->known_capacity * sizeof *path->known);
    path->stamp = 0;
}

bool tr_path_make_room(tr_path *path, uint32_t vertices, uint32_t portals) {
    uint32_t roots_before = path->root_capacity, known_before = path->known_capacity;
    void *roots = path->roots, *known = path->known;
    bool room = tr_reserve(&path->allocator, &roots, &path->root_capacity, vertices, sizeof *path->roots);
    path->roots = roots;
    room = room && tr_reserve(&path->allocator, &known, &path->known_capacity, portals, sizeof *path->known);
    path->known = known;
    if (path->root_capacity > roots_before || path->known_capacity > known_before)
        tr_path_forget_stamps(path);
    return room;
}

tr_status tr_path_reserve(tr_path *path, const tr_ground *ground, uint32_t node_max, tr_error *error) {
    const tr_allocator *allocator = &path->allocator;
    void *nodes = path->nodes, *heap = path->heap, *corners = path->corners, *points = path->points;
    bool room = tr_reserve(allocator, &nodes, &path->node_capacity, node_max, sizeof *path->nodes);
    path->nodes = nodes;
    room = room && tr_reserve(allocator, &heap, &path->heap_capacity, node_max, sizeof *path->heap);
    path->heap = heap;
    room = room &&
           tr_reserve(allocator, &corners, &path->corner_capacity, PATH_CORNERS_MAX, sizeof *path->corners);
    path->corners = corners;
    room =
        room && tr_reserve(allocator, &points, &path->point_capacity, PATH_CORNERS_MAX, sizeof *path->points);
    path->points = points;
    for (uint32_t i = 0; i < ground->size_count && room; i++)
        room = tr_path_make_room(path, ground->sizes[i].vertex_total, ground->sizes[i].portal_total);
    return room ? TR_OK : tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a path");
}

tr_path_result tr_path_last(const tr_path *path) {
    return path->result;
}

static tr_status check(const tr_ground *ground, const tr_path_params *params, tr_vec3 start,
                       const tr_vec3 *goals, uint32_t goal_count, tr_error *error) {
    if (params->size >= ground->size_count)
        return tr_fail(error, TR_INVALID, "size %u does not exist, the ground has %u sizes", params->size,
                       ground->size_count);
    if (goal_count == 0 || goal_count > TR_PATH_GOALS_MAX)
        return tr_fail(error, TR_INVALID, "there are %u goals, it must be 1 to %d", goal_count,
                       TR_PATH_GOALS_MAX);
    const float lengths[4] = {params->up, params->down, params->rise, params->reach};
    static const char *const names[4] = {"up", "down", "rise", "reach"};
    for (int i = 0; i < 4; i++)
        if (!(lengths[i] >= 0 && isfinite(lengths[i])))
            return tr_fail(error, TR_INVALID, "%s is %g, it must be finite and at least 0", names[i],
                           lengths[i]);
    if (!tr_vec3_is_finite(start))
        return tr_fail(error, TR_INVALID, "the start is (%g, %g, %g), it must be finite", start.x, start.y,
                       start.z);
    for (uint32_t i = 0; i < goal_count; i++)
        if (!tr_vec3_is_finite(goals[i]))
            return tr_fail(error, TR_INVALID, "goal %u is (%g, %g, %g), it must be finite", i, goals[i].x,
                           goals[i].y, goals[i].z);
    return TR_OK;
}

// The place of a start or goal; if that is not free, the nearest free place within reach. A place in `region`
// is preferred, unless that is TR_NONE.
static tr_ground_place stand(const tr_path *path, const tr_path_params *params, tr_vec3 point,
                             uint32_t region, bool *moved) {
    tr_ground_place place = tr_ground_drop_on(path->ground, path->size, point, params->rise);
    *moved = false;
    if (place.why == TR_GROUND_FREE)
        return place;
    tr_vec3 from = place.cell == TR_NONE ? point : place.position;
    tr_ground_place near = {.cell = TR_NONE};
    if (region != TR_NONE)
        near = tr_ground_nearest_on(path->ground, path->size, from, params->reach, INFINITY, region);
    if (near.cell == TR_NONE)
        near = tr_ground_nearest_on(path->ground, path->size, from, params->reach, INFINITY, TR_NONE);
    if (near.cell == TR_NONE)
        return place;
    *moved = true;
    return near;
}

// A body without room where it stands, on a storey or on stairs, cannot begin on the floor below.
static tr_ground_place begin(const tr_path *path, const tr_path_params *params, tr_vec3 point, bool *moved) {
    if (!params->stands)
        return stand(path, params, point, TR_NONE, moved);
    tr_ground_place place = tr_ground_drop_on(path->ground, path->size, point, params->rise);
    bool is_here = place.cell != TR_NONE && fabsf(point.y - place.position.y) <= params->rise;
    *moved = false;
    if (is_here && place.why == TR_GROUND_FREE)
        return place;
    tr_ground_place near =
        tr_ground_nearest_on(path->ground, path->size, point, params->reach, params->rise, TR_NONE);
    *moved = near.cell != TR_NONE;
    if (!*moved && !is_here && place.why == TR_GROUND_FREE)
        place.why = TR_GROUND_NO_FLOOR;
    return *moved ? near : place;
}

static double column_of(const tr_path *path, float x) {
    return ((double)x - path->ground->grid.origin.x) / path->ground->grid.cell;
}
static double row_of(const tr_path *path, float z) {
    return ((double)z - path->ground->grid.origin.z) / path->ground->grid.cell;
}

// The rectangle that contains a free place, its tile and its height.
static uint16_t rect_of(const tr_path *path, const tr_ground_place *place, uint32_t *tile, uint16_t *height) {
    uint32_t x = 0, z = 0;
    ground_find_column(path->ground, place->position.x, place->position.z, &x, &z);
    *tile = ground_tile_of(path->ground, x, z);
    uint32_t index = place->cell - path->ground->tiles[*tile].first;
    *height = (uint16_t)ground_rounded(path->ground, path->ground->tiles[*tile].heights[index]);
    return path->size->tiles[*tile].rects_of[index];
}

static void add_goal(tr_path *path, const tr_ground_place *place, uint32_t goal) {
    path_target *target = &path->targets[path->target_count++];
    *target = (path_target){.x = column_of(path, place->position.x),
                            .z = row_of(path, place->position.z),
                            .goal = goal,
                            .link = TR_NONE};
    target->rect = rect_of(path, place, &target->tile, &target->height);
}

static void add_link(tr_path *path, uint32_t link, bool backwards) {
    const ground_end *end = &path->size->ends[link][backwards];
    path->targets[path->target_count++] = (path_target){.x = column_of(path, end->position.x),
                                                        .z = row_of(path, end->position.z),
                                                        .rest = INFINITY,
                                                        .tile = end->tile,
                                                        .rect = end->rect,
                                                        .height = end->height,
                                                        .goal = TR_NONE,
                                                        .link = link,
                                                        .backwards = backwards};
}

static double rest_from(const tr_path *path, double x, double z, uint16_t height) {
    double least = INFINITY;
    for (uint32_t i = 0; i < path->target_count; i++) {
        const path_target *target = &path->targets[i];
        double across = target->x - x, along = target->z - z,
               length = sqrt(across * across + along * along) + target->rest +
                        path_charge(path, height, target->height);
        least = length < least ? length : least;
    }
    return least;
}

// Links are targets too, at least as far from a goal as their other end is, over other links if necessary.
// This settles after as many rounds as links can follow each other.
static void add_links(tr_path *path, uint32_t kinds) {
    const tr_ground *ground = path->ground;
    uint32_t goals = path->target_count;
    for (uint32_t i = 0; i < ground->link_count; i++) {
        const tr_ground_link *link = &ground->links[i];
        const ground_end *ends = path->size->ends[i];
        if (link->closed || !(kinds & (uint32_t)link->kind) || ends[0].tile == TR_NONE ||
            ends[1].tile == TR_NONE)
            continue;
        add_link(path, i, false);
        if (link->both_ways)
            add_link(path, i, true);
    }
    for (bool changed = path->target_count > goals; changed;) {
        changed = false;
        for (uint32_t i = goals; i < path->target_count; i++) {
            path_target *target = &path->targets[i];
            const ground_end *to = &path->size->ends[target->link][!target->backwards];
            double rest =
                ground->links[target->link].cost / ground->grid.cell +
                rest_from(path, column_of(path, to->position.x), row_of(path, to->position.z), to->height);
            if (rest < target->rest) {
                target->rest = rest;
                changed = true;
            }
        }
    }
    path->estimated = path->target_count;
}

// Adds the goals that can be reached as far as regions tell; the first place that cannot is kept for the
// error.
static void place_goals(tr_path *path, const tr_path_params *params, const tr_vec3 *goals, uint32_t count,
                        tr_ground_place *places, bool *moved) {
    path->target_count = 0;
    uint32_t region = path->result.start.region;
    for (uint32_t i = 0; i < count; i++) {
        places[i] = stand(path, params, goals[i], region, &moved[i]);
        if (i == 0)
            path->result.end = places[i];
        if (places[i].why == TR_GROUND_FREE && places[i].region == region)
            add_goal(path, &places[i], i);
        else if (places[i].why == TR_GROUND_FREE && path->result.end.why != TR_GROUND_FREE)
            path->result.end = places[i];
    }
}

static tr_status refuse(const tr_path *path, uint32_t size, tr_vec3 point, const tr_ground_place *place,
                        const char *what, tr_error *error) {
    char text[200];
    tr_ground_explain(path->ground, size, point, place, text, sizeof text);
    return tr_fail(error, TR_NOT_FOUND, "the %s %s", what, text);
}

tr_status tr_path_find(tr_path *path, const tr_ground *ground, const tr_path_params *params, tr_vec3 start,
                       const tr_vec3 *goals, uint32_t goal_count, tr_error *error) {
    forget(path);
    tr_status status = check(ground, params, start, goals, goal_count, error);
    if (status != TR_OK)
        return status;
    tr_ground_place places[TR_PATH_GOALS_MAX];
    bool moved[TR_PATH_GOALS_MAX];
    path->ground = ground;
    path->node_max = params->node_max;
    path->size = &ground->sizes[params->size];
    path->up = params->up * ground->scale.unit / ground->grid.cell;
    path->down = params->down * ground->scale.unit / ground->grid.cell;
    path->result.start = begin(path, params, start, &path->result.start_moved);
    if (path->result.start.why != TR_GROUND_FREE)
        return refuse(path, params->size, start, &path->result.start, "start", error);
    place_goals(path, params, goals, goal_count, places, moved);
    if (path->target_count == 0 && path->result.end.why != TR_GROUND_FREE)
        return refuse(path, params->size, goals[0], &path->result.end, "goal", error);
    if (path->target_count == 0)
        return tr_fail(error, TR_NOT_FOUND, "no way leads from (%g, %g, %g) to (%g, %g, %g)", start.x,
                       start.y, start.z, goals[0].x, goals[0].y, goals[0].z);
    add_links(path, params->links);
    uint32_t tile, last;
    uint16_t height, rect = rect_of(path, &path->result.start, &tile, &height);
    status = tr_path_search(path, column_of(path, path->result.start.position.x),
                            row_of(path, path->result.start.position.z), tile, rect, height, params->budget,
                            &last);
    if (status == TR_NOT_FOUND)
        return tr_fail(error, TR_NOT_FOUND, "no way leads from (%g, %g, %g) to (%g, %g, %g)", start.x,
                       start.y, start.z, goals[0].x, goals[0].y, goals[0].z);
    if (status == TR_OUT_OF_MEMORY || !tr_path_trace(path, last)) {
        path->result.point_count = 0;
        if (status != TR_OUT_OF_MEMORY && path->full)
            return tr_fail(error, TR_LIMIT, "the path has more than %d corners", PATH_CORNERS_MAX);
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a path");
    }
    if (status == TR_OK) {
        path->result.goal = path->targets[path->nodes[last].target].goal;
        path->result.end = places[path->result.goal];
        path->result.goal_moved = moved[path->result.goal];
    }
    return status;
}
