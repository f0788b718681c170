// Maps of the ground for every size of body, and ways over them around those who stand and walk there.
#include "stage_data.h"
#include "troupe/base/clock.h"

#include <string.h>

#define REACH 2.0f          // a start or goal that is not free is moved to a free cell within this [m]
#define SOON_WEIGHT 140     // of a cell that somebody will be in at once
#define LATER_WEIGHT 40     // and at the end of the look ahead
#define STANDING_WEIGHT 255 // of somebody who stands, where there is no way around
#define NARROW_STEP 0.05f   // how finely a way through a gap is looked at [m]
#define NARROW_REACH 3      // steps before and behind a narrow place that count as narrow
#define LAY_BY_REACH 4.0f   // how far one goes to be out of somebody's way [m]
#define LAY_BY_STEP 0.25f   // from one place that is considered to the next [m]
#define LAY_BY_PLACES 1024

tr_status tr_stage_map_for(tr_stage *stage, float radius, float height, uint32_t *map, tr_error *error) {
    for (*map = 0; *map < stage->map_count; ++*map)
        if (stage->maps[*map].radius == radius && stage->maps[*map].height == height)
            return TR_OK;
    void *maps = stage->maps;
    bool room = tr_reserve(&stage->allocator, &maps, &stage->map_capacity, (uint64_t)stage->map_count + 1,
                           sizeof *stage->maps);
    stage->maps = maps;
    if (!room)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a map");
    float ground = stage->def.area.min.y;
    tr_footprint_def def = tr_footprint_def_default(ground);
    def.allocator = &stage->allocator;
    def.grid = stage->grid;
    def.band.high = ground + height;
    def.radius = radius;
    stage_map made = {.radius = radius, .height = height};
    tr_status status = tr_footprint_create(&def, &made.footprint, error);
    if (status == TR_OK)
        status = tr_footprint_build(made.footprint, stage->raster, stage->def.scene, error);
    if (status != TR_OK) {
        tr_footprint_destroy(made.footprint);
        return status;
    }
    stage->maps[stage->map_count++] = made;
    return TR_OK;
}

tr_status tr_stage_update_maps(tr_stage *stage, tr_error *error) {
    for (uint32_t i = 0; i < stage->map_count; i++) {
        tr_cells changed = {0, 0, 0, 0};
        tr_status status =
            tr_footprint_update(stage->maps[i].footprint, stage->raster, stage->def.scene, &changed, error);
        if (status != TR_OK)
            return status;
        if (changed.column_begin >= changed.column_end)
            continue;
        for (uint32_t j = 0; j < stage->actor_count; j++)
            if ((stage->actors[j]->map == i || stage->actors[j]->narrow_map == i) &&
                stage->actors[j]->walking)
                stage->actors[j]->replan =
                    stage->actors[j]->replan || !tr_stage_way_is_free(stage, stage->actors[j]);
    }
    return TR_OK;
}

bool tr_stage_way_is_free(tr_stage *stage, const stage_actor *actor) {
    uint32_t map = actor->narrow ? actor->narrow_map : actor->map;
    const tr_bitmap *blocked = tr_footprint_blocked(stage->maps[map].footprint);
    tr_route_map_set_weights(&stage->route_map, NULL);
    if (tr_route_map_set(&stage->route_map, blocked, tr_grid_all(&stage->grid)) != TR_OK)
        return false;
    for (uint32_t i = 0; i + 1 < actor->point_count; i++)
        if (!tr_straight_is_free(&stage->route_map, actor->points[i], actor->points[i + 1], true))
            return false;
    return true;
}

// The rows and columns of a disc, clipped.
static tr_cells cells_around(const tr_grid *grid, tr_vec2 centre, float radius) {
    double left = (centre.x - radius - grid->origin.x) / grid->cell, right = left + 2 * radius / grid->cell;
    double top = (centre.z - radius - grid->origin.z) / grid->cell, bottom = top + 2 * radius / grid->cell;
    tr_cells cells = {0, 0, 0, 0};
    if (!(right >= 0 && bottom >= 0 && left < grid->columns && top < grid->rows))
        return cells;
    cells.column_begin = left < 0 ? 0 : (uint32_t)left;
    cells.row_begin = top < 0 ? 0 : (uint32_t)top;
    cells.column_end = right + 1 > grid->columns ? grid->columns : (uint32_t)right + 1;
    cells.row_end = bottom + 1 > grid->rows ? grid->rows : (uint32_t)bottom + 1;
    return cells;
}

// Weigh (or block, for a weight of 0) the cells of a disc.
static void draw_disc(tr_stage *stage, tr_vec2 centre, float radius, uint8_t weight) {
    tr_cells cells = cells_around(&stage->grid, centre, radius);
    for (uint32_t row = cells.row_begin; row < cells.row_end; row++)
        for (uint32_t column = cells.column_begin; column < cells.column_end; column++) {
            tr_vec2 c = tr_grid_centre(&stage->grid, column, row);
            float x = c.x - centre.x, z = c.z - centre.z;
            if (x * x + z * z > radius * radius)
                continue;
            uint8_t *cell = &stage->weights[(size_t)row * stage->grid.columns + column];
            if (weight == 0)
                tr_bitmap_set(&stage->blocked, column, row);
            else if (*cell < weight)
                *cell = weight;
        }
}

// Those who stand are in the way; the ways of those who walk are best avoided, the sooner they are there the
// more.
static bool draw_others(tr_stage *stage, uint32_t actor, bool block) {
    const stage_actor *who = stage->actors[actor];
    tr_vec2 own = tr_actor_look(who->actor).state.position;
    bool any = false;
    for (uint32_t j = 0; j < stage->actor_count; j++) {
        const stage_actor *other = stage->actors[j];
        if (j == actor)
            continue;
        float radius = who->radius + other->radius + stage->def.margin;
        tr_vec2 at = tr_actor_look(other->actor).state.position;
        if (tr_stage_stands(other)) {
            draw_disc(stage, at, radius + stage->grid.cell, block ? 0 : STANDING_WEIGHT);
            any = any || !block;
            continue;
        }
        float x = at.x - own.x, z = at.z - own.z, sight = (float)stage->def.look_ahead * 4;
        if (j > actor || x * x + z * z > sight * sight)
            continue; // they will mind us, or are far away
        any = true;
        for (uint32_t i = 0; i < stage->future_steps; i++) {
            uint32_t fall = (SOON_WEIGHT - LATER_WEIGHT) * i / stage->future_steps;
            draw_disc(stage, other->future[i], radius, (uint8_t)(SOON_WEIGHT - fall));
        }
    }
    return any;
}

// A path that keeps off the weighted cells is not to be pulled back over them: they are blocked for the
// pulling.
static void block_weighted(tr_stage *stage, const tr_route_result *path) {
    const tr_route_map *map = &stage->route_map;
    for (uint32_t i = 0; i < path->cell_count; i++) {
        size_t row = tr_route_map_row(map, path->cells[i]), column = tr_route_map_column(map, path->cells[i]);
        if (stage->weights[row * stage->grid.columns + column])
            return;
    }
    for (uint32_t row = 0; row < stage->grid.rows; row++)
        for (uint32_t column = 0; column < stage->grid.columns; column++)
            if (stage->weights[(size_t)row * stage->grid.columns + column])
                tr_bitmap_set(&stage->blocked, column, row);
    tr_route_map_set(&stage->route_map, &stage->blocked, tr_grid_all(&stage->grid));
}

static tr_status search(tr_stage *stage, uint32_t actor, const tr_vec2 *goals, uint32_t goal_count,
                        bool block, tr_error *error) {
    const stage_actor *who = stage->actors[actor];
    const tr_bitmap *obstacles =
        tr_footprint_blocked(stage->maps[who->narrow ? who->narrow_map : who->map].footprint);
    memcpy(stage->blocked.words, obstacles->words, tr_bitmap_bytes(obstacles));
    memset(stage->weights, 0, (size_t)stage->grid.columns * stage->grid.rows);
    bool weighted = draw_others(stage, actor, block);
    stage->actors[actor]->around = weighted;
    tr_route_map_set_weights(&stage->route_map, weighted ? stage->weights : NULL);
    tr_status status = tr_route_map_set(&stage->route_map, &stage->blocked, tr_grid_all(&stage->grid));
    if (status != TR_OK)
        return status;
    tr_route_params params = tr_route_params_default();
    params.method = TR_ROUTE_JPS;
    params.reach = REACH;
    tr_vec2 start = tr_actor_look(who->actor).state.position;
    return tr_route_find(stage->route, &stage->route_map, &params, start, goals, goal_count, error);
}

static tr_vec2 cell_centre(const tr_stage *stage, uint32_t node) {
    return tr_grid_centre(&stage->grid, tr_route_map_column(&stage->route_map, node),
                          tr_route_map_row(&stage->route_map, node));
}

static tr_vec2 end_of(const tr_stage *stage, const tr_route_result *path, tr_vec2 goal) {
    return path->goal_moved ? cell_centre(stage, path->cells[path->cell_count - 1]) : goal;
}

// The nearest place to a goal where the actor can stand. Through a gap one goes sideways, but nobody stays in
// it: whoever stands has shoulders.
static tr_vec2 find_standing(const tr_stage *stage, const stage_actor *who, tr_vec2 goal) {
    const tr_footprint *wide = stage->maps[who->map].footprint;
    tr_vec2 found = goal;
    float nearest = tr_footprint_is_free(wide, goal) ? 0 : INFINITY;
    tr_cells cells = cells_around(&stage->grid, goal, REACH);
    for (uint32_t row = cells.row_begin; row < cells.row_end && nearest > 0; row++)
        for (uint32_t column = cells.column_begin; column < cells.column_end; column++) {
            tr_vec2 c = tr_grid_centre(&stage->grid, column, row);
            float x = c.x - goal.x, z = c.z - goal.z;
            if (x * x + z * z < nearest && tr_footprint_is_free(wide, c)) {
                nearest = x * x + z * z;
                found = c;
            }
        }
    return found;
}

static tr_status check_end(const tr_stage *stage, const stage_actor *who, tr_vec2 goal) {
    tr_route_result path = tr_route_last(stage->route);
    bool stands = tr_footprint_is_free(stage->maps[who->map].footprint, end_of(stage, &path, goal));
    return stands ? TR_OK : TR_NOT_FOUND;
}

// The path of cells as the actor's way: pulled tight, from where it stands.
static tr_status take_way(tr_stage *stage, stage_actor *who, tr_vec2 goal, tr_error *error) {
    tr_route_result path = tr_route_last(stage->route);
    tr_vec2 at = tr_actor_look(who->actor).state.position;
    tr_vec2 start = path.start_moved ? cell_centre(stage, path.cells[0]) : at;
    tr_vec2 end = end_of(stage, &path, goal);
    block_weighted(stage, &path);
    tr_vec2 *points = who->points + 1; // room for where it stands, when the way begins elsewhere
    uint32_t count = 0;
    tr_status status = tr_straight_pull(&stage->route_map, path.cells, path.cell_count, start, end, true,
                                        points, STAGE_ROUTE_POINTS - 1, &count, NULL);
    if (status != TR_OK)
        return tr_fail(error, status, "the way has more than %d corners", STAGE_ROUTE_POINTS - 1);
    if (path.start_moved)
        count++;
    else
        points = memmove(who->points, points, count * sizeof *points);
    who->points[0] = at;
    who->point_count = count;
    who->goal = end;
    return TR_OK;
}

// Where the way is too narrow to walk ahead it is cut into pieces: those that are stepped sideways, and the
// others.
static void mark_narrow(tr_stage *stage, stage_actor *who) {
    const tr_footprint *wide = stage->maps[who->map].footprint;
    tr_vec2 old[STAGE_ROUTE_POINTS];
    uint32_t count = who->point_count;
    memcpy(old, who->points, count * sizeof *old);
    who->point_count = 0;
    for (uint32_t i = 0; i + 1 < count; i++) {
        float x = old[i + 1].x - old[i].x, z = old[i + 1].z - old[i].z, length = sqrtf(x * x + z * z);
        uint32_t steps = 1 + (uint32_t)(length / NARROW_STEP);
        for (uint32_t k = 0; k < steps; k++) {
            // Of the stretch from here to the next step, with what is just before and behind it.
            bool narrow = false;
            for (int off = -NARROW_REACH; off <= 1 + NARROW_REACH; off++) {
                float t = ((float)k + (float)off) / (float)steps;
                tr_vec2 p = {old[i].x + x * t, old[i].z + z * t};
                narrow = narrow || (t >= 0 && t <= 1 && !tr_footprint_is_free(wide, p));
            }
            bool changes = k == 0 || narrow != (who->sideways[who->point_count - 1] == TR_PASSAGE_SIDE);
            // Corners come first: there is always room for those that are left.
            if (!changes || who->point_count + (count - i) > STAGE_ROUTE_POINTS)
                continue;
            float t = (float)k / (float)steps;
            who->points[who->point_count] = (tr_vec2){old[i].x + x * t, old[i].z + z * t};
            who->sideways[who->point_count++] = narrow ? TR_PASSAGE_SIDE : TR_PASSAGE_OPEN;
        }
    }
    who->points[who->point_count++] = old[count - 1];
}

static tr_status walk_way(stage_actor *who, tr_error *error) {
    // One who has no order left may still be asked to make way.
    const tr_order *order = who->current < who->order_count ? &who->orders[who->current].order : NULL;
    const float *heading = order && order->has_heading && !who->makes_way ? &order->heading : NULL;
    tr_status status =
        tr_actor_set_route(who->actor, who->points, who->point_count, who->narrow ? who->sideways : NULL,
                           heading, order ? order->speed : 0, error);
    who->walking = status == TR_OK;
    return status;
}

void tr_stage_keep_way(const stage_actor *actor, stage_way *way) {
    way->point_count = actor->point_count;
    way->goal = actor->goal;
    way->narrow = actor->narrow;
    way->progress = tr_actor_look(actor->actor).state.progress;
    memcpy(way->points, actor->points, actor->point_count * sizeof *way->points);
    memcpy(way->sideways, actor->sideways, actor->point_count * sizeof *way->sideways);
}

void tr_stage_resume_way(stage_actor *actor, const stage_way *way) {
    uint32_t next = 1;
    for (float done = 0; next + 1 < way->point_count; next++) {
        tr_vec2 from = way->points[next - 1], to = way->points[next];
        float x = to.x - from.x, z = to.z - from.z;
        done += sqrtf(x * x + z * z);
        if (done > way->progress)
            break;
    }
    actor->points[0] = tr_actor_look(actor->actor).state.position;
    actor->sideways[0] = way->sideways[next - 1];
    actor->point_count = 1;
    for (; next < way->point_count; next++) {
        actor->sideways[actor->point_count] = way->sideways[next];
        actor->points[actor->point_count++] = way->points[next];
    }
    actor->narrow = way->narrow;
    actor->goal = way->goal;
    walk_way(actor, NULL);
}

tr_status tr_stage_plan(tr_stage *stage, uint32_t actor, tr_vec2 goal, tr_error *error) {
    stage_actor *who = stage->actors[actor];
    if (stage->storeys) {
        const tr_order *order = who->current < who->order_count ? &who->orders[who->current].order : NULL;
        float level = tr_actor_look(who->actor).ground;
        level = order && order->has_level && !who->makes_way ? order->level : level;
        return tr_stage_climb(stage, actor, tr_vec3_make(goal.x, level, goal.z), error);
    }
    uint64_t begin = tr_clock_nanoseconds();
    who->planned = tr_stage_time(stage);
    who->replan = false;
    // People go away: a way through somebody who stands is better than none, and than one through a gap. Who
    // is in a gap now comes out of it sideways.
    tr_vec2 at = tr_actor_look(who->actor).state.position, end = goal;
    bool inside = who->narrow && !tr_footprint_is_free(stage->maps[who->map].footprint, at);
    tr_status status = TR_NOT_FOUND;
    for (int attempt = inside ? 2 : 0; attempt < 4 && status == TR_NOT_FOUND; attempt++) {
        who->narrow = attempt >= 2;
        end = who->narrow ? find_standing(stage, who, goal) : goal;
        status = search(stage, actor, &end, 1, attempt % 2 == 0, error);
        if (status == TR_OK && who->narrow)
            status = check_end(stage, who, end);
    }
    if (status == TR_OK)
        status = take_way(stage, who, end, error);
    if (status == TR_OK && who->narrow)
        mark_narrow(stage, who);
    if (status == TR_OK)
        status = walk_way(who, error);
    who->plan_us[who->plan_count++ % STAGE_PLANS] = (float)((double)(tr_clock_nanoseconds() - begin) / 1000);
    return status;
}

static float distance_to_way(const stage_actor *other, tr_vec2 point) {
    tr_actor_view view = tr_actor_look(other->actor);
    if (!view.route) {
        float x = view.state.position.x - point.x, z = view.state.position.z - point.z;
        return sqrtf(x * x + z * z);
    }
    return tr_follow_route_distance(view.route, point, NULL);
}

bool tr_stage_find_lay_by(tr_stage *stage, uint32_t actor, uint32_t other, tr_vec2 *place) {
    const stage_actor *who = stage->actors[actor], *him = stage->actors[other];
    if (stage->storeys)
        return tr_stage_find_lay_by_on_floor(stage, actor, other, place);
    tr_vec2 at = tr_actor_look(who->actor).state.position, places[LAY_BY_PLACES];
    float needed = who->radius + him->radius + stage->def.margin + 2 * STAGE_CORRIDOR;
    uint32_t count = 0, side = 2 * (uint32_t)(LAY_BY_REACH / LAY_BY_STEP) + 1;
    for (uint32_t i = 0; i < side * side && count < LAY_BY_PLACES; i++) {
        tr_vec2 c = {at.x - LAY_BY_REACH + LAY_BY_STEP * (float)(i % side),
                     at.z - LAY_BY_REACH + LAY_BY_STEP * (float)(i / side)};
        if (tr_footprint_is_free(stage->maps[who->map].footprint, c) && distance_to_way(him, c) > needed)
            places[count++] = c;
    }
    // Which of them is reached first is for the search to say: some may lie behind walls.
    if (count == 0 || search(stage, actor, places, count, true, NULL) != TR_OK)
        return false;
    *place = places[tr_route_last(stage->route).goal];
    return true;
}
