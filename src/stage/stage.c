#include "stage_data.h"
#include "troupe/base/scalar.h"

#include <stdio.h>
#include <string.h>

tr_stage_def tr_stage_def_default(tr_scene *scene, tr_box area) {
    tr_stage_def def = {.scene = scene,
                        .area = area,
                        .cell = 0.05f,
                        .frames_per_second = 30,
                        .look_ahead = 3,
                        .replan_interval = 0.5,
                        .margin = 0.15f,
                        .record = true};
    return def;
}

static tr_status check_def(const tr_stage_def *def, tr_error *error) {
    if (!def->scene)
        return tr_fail(error, TR_INVALID, "a stage needs a scene");
    if (!(def->frames_per_second >= 1 && def->frames_per_second <= 1000))
        return tr_fail(error, TR_INVALID, "frames_per_second is %g, it must be 1 to 1000",
                       def->frames_per_second);
    if (!(def->look_ahead >= 0 && def->look_ahead <= 60))
        return tr_fail(error, TR_INVALID, "look_ahead is %g s, it must be 0 to 60", def->look_ahead);
    if (!(def->replan_interval > 0 && def->replan_interval <= 3600))
        return tr_fail(error, TR_INVALID, "replan_interval is %g s, it must be above 0 and at most 3600",
                       def->replan_interval);
    if (!(def->margin >= 0 && def->margin <= 10))
        return tr_fail(error, TR_INVALID, "margin is %g m, it must be 0 to 10", (double)def->margin);
    if (def->link_count > TR_CLIMB_LINKS_MAX || (def->link_count && !def->links))
        return tr_fail(error, TR_INVALID, "%u links, there may be %d", def->link_count, TR_CLIMB_LINKS_MAX);
    return TR_OK;
}

static tr_status allocate_maps(tr_stage *stage, tr_error *error) {
    tr_status status = tr_route_map_create(&stage->allocator, &stage->grid, &stage->route_map, error);
    if (status == TR_OK)
        status =
            tr_route_create(&stage->allocator, tr_route_map_nodes(&stage->route_map), &stage->route, error);
    if (status == TR_OK)
        status = tr_bitmap_create(&stage->allocator, stage->grid.columns, stage->grid.rows, &stage->blocked);
    if (status != TR_OK)
        return status;
    stage->weights = tr_allocate_zero(&stage->allocator, (size_t)stage->grid.columns * stage->grid.rows, 1);
    return stage->weights ? TR_OK : tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a stage");
}

static tr_status allocate(tr_stage *stage, tr_error *error) {
    tr_status status = tr_grid_cover(stage->def.area, stage->def.cell, 0, 0, &stage->grid, error);
    if (status != TR_OK)
        return status;
    tr_raster_def raster = {
        .backend = TR_RASTER_SOFT, .allocator = &stage->allocator, .tasks = stage->def.tasks};
    status = tr_raster_create(&raster, &stage->raster, error);
    if (status == TR_OK)
        status = stage->def.storeys ? tr_stage_open_storeys(stage, error) : allocate_maps(stage, error);
    if (status != TR_OK)
        return status;
    stage->trial = tr_allocate(&stage->allocator, stage->future_steps, sizeof *stage->trial);
    stage->member_count = tr_tasks_members(stage->def.tasks);
    if (!stage->trial)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a stage");
    return TR_OK;
}

tr_status tr_stage_create(const tr_stage_def *def, tr_stage **stage, tr_error *error) {
    *stage = NULL;
    tr_status status = check_def(def, error);
    if (status != TR_OK)
        return status;
    tr_allocator allocator = tr_allocator_or_default(def->allocator);
    tr_stage *made = tr_allocate_zero(&allocator, 1, sizeof *made);
    if (!made)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a stage");
    made->def = *def;
    made->allocator = allocator;
    // The future in steps of whole ticks, about STAGE_SIGHT of them a second.
    double ticks = floor(def->frames_per_second / STAGE_SIGHT + 0.5);
    made->steps_between = ticks < 1 ? 1 : (uint32_t)ticks;
    made->future_steps = 1 + (uint32_t)(def->look_ahead * def->frames_per_second / made->steps_between);
    status = allocate(made, error);
    if (status != TR_OK) {
        tr_stage_destroy(made);
        return status;
    }
    *stage = made;
    return TR_OK;
}

static void destroy_actor(tr_stage *stage, stage_actor *actor) {
    const tr_allocator *allocator = &stage->allocator;
    tr_stage_forget(stage, actor);
    tr_actor_destroy(actor->actor);
    tr_release(allocator, actor->reach, 1, sizeof *actor->reach);
    tr_release(allocator, actor->ascent, 1, sizeof *actor->ascent);
    tr_release(allocator, actor->future, stage->future_steps, sizeof *actor->future);
    tr_release(allocator, actor->orders, actor->order_capacity, sizeof *actor->orders);
    tr_release(allocator, actor->name, actor->name_size, 1);
    tr_release(allocator, actor, 1, sizeof *actor);
}

static void destroy_scratch(tr_stage *stage, struct stage_scratch *scratch) {
    for (uint32_t i = 0; scratch->members && i < stage->member_count; i++)
        tr_actor_scratch_destroy(&scratch->members[i]);
    tr_release(&stage->allocator, scratch->members, stage->member_count, sizeof *scratch->members);
}

void tr_stage_destroy(tr_stage *stage) {
    if (!stage)
        return;
    tr_allocator allocator = stage->allocator;
    for (uint32_t i = 0; i < stage->actor_count; i++)
        destroy_actor(stage, stage->actors[i]);
    tr_release(&allocator, stage->actors, stage->actor_capacity, sizeof *stage->actors);
    for (uint32_t i = 0; i < stage->map_count; i++)
        tr_footprint_destroy(stage->maps[i].footprint);
    tr_release(&allocator, stage->maps, stage->map_capacity, sizeof *stage->maps);
    tr_footprint_destroy(stage->ground);
    tr_stage_close_storeys(stage);
    tr_stage_close_reach(stage);
    for (uint32_t i = 0; i < stage->scratch_count; i++)
        destroy_scratch(stage, &stage->scratches[i]);
    tr_release(&allocator, stage->scratches, stage->scratch_capacity, sizeof *stage->scratches);
    tr_release(&allocator, stage->trial, stage->future_steps, sizeof *stage->trial);
    tr_release(&allocator, stage->weights, (size_t)stage->grid.columns * stage->grid.rows, 1);
    tr_bitmap_destroy(&allocator, &stage->blocked);
    tr_route_destroy(stage->route);
    tr_route_map_destroy(&stage->route_map);
    tr_raster_destroy(stage->raster);
    tr_release(&allocator, stage, 1, sizeof *stage);
}

static tr_status scratch_for(tr_stage *stage, uint32_t joints, uint32_t *scratch, tr_error *error) {
    for (*scratch = 0; *scratch < stage->scratch_count; ++*scratch)
        if (stage->scratches[*scratch].joints == joints)
            return TR_OK;
    void *scratches = stage->scratches;
    bool room = tr_reserve(&stage->allocator, &scratches, &stage->scratch_capacity,
                           (uint64_t)stage->scratch_count + 1, sizeof *stage->scratches);
    stage->scratches = scratches;
    struct stage_scratch made = {.joints = joints};
    if (room)
        made.members = tr_allocate_zero(&stage->allocator, stage->member_count, sizeof *made.members);
    tr_status status = made.members ? TR_OK : tr_fail(error, TR_OUT_OF_MEMORY, "no memory for an actor");
    for (uint32_t i = 0; i < stage->member_count && status == TR_OK; i++)
        status = tr_actor_scratch_create(&stage->allocator, joints, &made.members[i], error);
    if (status != TR_OK) {
        destroy_scratch(stage, &made);
        return status;
    }
    stage->scratches[stage->scratch_count++] = made;
    return TR_OK;
}

// Where the actor is to stand: the maps of its size, and how high the floor is there.
static tr_status find_place(tr_stage *stage, const tr_stage_actor_def *def, stage_actor *made, float *ground,
                            tr_error *error) {
    float height = def->height > 0 ? def->height : def->character->height * 1.02f;
    float wide = made->radius + STAGE_CORRIDOR;
    bool has_room = false;
    *ground = stage->def.area.min.y;
    if (stage->storeys) {
        tr_status status =
            tr_stage_climber_for(stage, wide, height, def->character->height, &made->climber, error);
        if (status != TR_OK)
            return status;
        float level = def->has_level ? def->level : stage->def.area.min.y;
        has_room = tr_stage_find_floor(stage, made->climber, def->position, def->has_level, level, ground);
    } else {
        tr_status status = tr_stage_map_for(stage, wide, height, &made->map, error);
        if (status == TR_OK)
            status = tr_stage_map_for(stage, STAGE_NARROW * made->radius + STAGE_CORRIDOR, height,
                                      &made->narrow_map, error);
        if (status != TR_OK)
            return status;
        has_room = tr_footprint_is_free(stage->maps[made->map].footprint, def->position);
    }
    if (has_room)
        return TR_OK;
    if (stage->storeys && def->has_level)
        return tr_fail(error, TR_INVALID, "%.60s cannot stand at (%g, %g, %g): there is no room", made->name,
                       (double)def->position.x, (double)def->level, (double)def->position.z);
    return tr_fail(error, TR_INVALID, "%.60s cannot stand at (%g, %g): there is no room", made->name,
                   (double)def->position.x, (double)def->position.z);
}

static tr_status name_actor(tr_stage *stage, const tr_stage_actor_def *def, stage_actor *made,
                            tr_error *error) {
    char number[32];
    snprintf(number, sizeof number, "actor%u", stage->actor_count);
    const char *name = def->name ? def->name : number;
    made->name_size = strlen(name) + 1;
    made->name = tr_allocate(&stage->allocator, made->name_size, 1);
    made->future = tr_allocate(&stage->allocator, stage->future_steps, sizeof *made->future);
    if (stage->storeys)
        made->ascent = tr_allocate_zero(&stage->allocator, 1, sizeof *made->ascent);
    if (!made->name || !made->future || (stage->storeys && !made->ascent))
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for an actor");
    memcpy(made->name, name, made->name_size);
    return TR_OK;
}

static tr_status fill_actor(tr_stage *stage, const tr_stage_actor_def *def, stage_actor *made,
                            tr_error *error) {
    tr_actor_def actor = {.allocator = &stage->allocator,
                          .character = def->character,
                          .position = def->position,
                          .heading = def->heading,
                          .speed = def->speed,
                          .corridor = STAGE_CORRIDOR,
                          .dt = (float)(1 / stage->def.frames_per_second),
                          .route_points_max = STAGE_ROUTE_POINTS,
                          .rise = stage->ground_is_uneven ? tr_stage_rise : NULL,
                          .rise_user = stage};
    if (stage->storeys) {
        actor.rise = tr_stage_rise_on_level;
        actor.rise_user = made;
    }
    made->stage = stage;
    made->radius = def->radius > 0 ? def->radius : 0.3f;
    made->speed = def->speed > 0 ? def->speed : 1.3f;
    made->nearest = INFINITY;
    made->waits_since = made->slow_since = made->misses_since = made->held_since = INFINITY;
    made->limit = INFINITY;
    made->blocker = TR_NONE;
    made->planned = made->asked = -INFINITY;
    tr_status status = name_actor(stage, def, made, error), place = TR_OK;
    tr_error no_place;
    if (status == TR_OK)
        place = find_place(stage, def, made, &actor.ground, &no_place);
    if (status == TR_OK && place != TR_OK && place != TR_INVALID)
        return tr_fail(error, place, "%s", no_place.message);
    made->level = actor.ground;
    if (status == TR_OK)
        status = tr_actor_create(&actor, &made->actor, error);
    for (uint32_t i = 0; i < stage->actor_count && status == TR_OK; i++)
        if (tr_stage_gap(made, stage->actors[i]) < 0)
            return tr_fail(error, TR_INVALID, "%.60s cannot stand at (%g, %g): %.60s stands there",
                           made->name, (double)def->position.x, (double)def->position.z,
                           stage->actors[i]->name);
    return status == TR_OK && place != TR_OK ? tr_fail(error, place, "%s", no_place.message) : status;
}

tr_status tr_stage_add_actor(tr_stage *stage, const tr_stage_actor_def *def, uint32_t *actor,
                             tr_error *error) {
    if (!def->character || !(def->radius >= 0 && def->radius < 10) ||
        !(def->height >= 0 && def->height < 100) || (def->has_level && !isfinite(def->level)))
        return tr_fail(error, TR_INVALID, "an actor needs a character, a radius and a height of at least 0");
    void *actors = stage->actors;
    bool room = tr_reserve(&stage->allocator, &actors, &stage->actor_capacity,
                           (uint64_t)stage->actor_count + 1, sizeof *stage->actors);
    stage->actors = actors;
    stage_actor *made = room ? tr_allocate_zero(&stage->allocator, 1, sizeof *made) : NULL;
    if (!made)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for an actor");
    tr_status status =
        scratch_for(stage, tr_skeleton_joint_count(def->character->skeleton), &made->scratch, error);
    if (status == TR_OK && !stage->storeys)
        status = tr_stage_prepare_ground(stage, error);
    if (status == TR_OK)
        status = fill_actor(stage, def, made, error);
    if (status != TR_OK) {
        destroy_actor(stage, made);
        return status;
    }
    for (uint32_t i = 0; i < stage->future_steps; i++)
        made->future[i] = def->position;
    *actor = stage->actor_count;
    stage->actors[stage->actor_count++] = made;
    return TR_OK;
}

static bool order_is_good(const tr_order *order) {
    bool both = order->hands <= (TR_HAND_RIGHT | TR_HAND_LEFT);
    switch (order->kind) {
    case TR_ORDER_GO:
        return isfinite(order->goal.x) && isfinite(order->goal.z) && order->speed >= 0 &&
               isfinite(order->speed) && (!order->has_heading || isfinite(order->heading)) &&
               (!order->has_level || isfinite(order->level));
    case TR_ORDER_WAIT:
        return order->seconds >= 0 && isfinite(order->seconds);
    case TR_ORDER_REACH:
        return both && (order->has_object || tr_vec3_is_finite(order->point)) && order->seconds >= 0 &&
               isfinite(order->seconds) && order->hold >= 0 && isfinite(order->hold) &&
               order->tolerance >= 0 && order->tolerance <= (float)TR_PI &&
               (!order->has_direction ||
                (tr_vec3_is_finite(order->direction) && tr_vec3_length(order->direction) > 0 &&
                 isfinite(tr_vec3_length(order->direction))));
    case TR_ORDER_LOWER:
        return both;
    }
    return false;
}

tr_status tr_stage_order(tr_stage *stage, uint32_t actor, const tr_order *order, tr_error *error) {
    if (actor >= stage->actor_count)
        return tr_fail(error, TR_INVALID, "there is no actor %u", actor);
    if (!order_is_good(order))
        return tr_fail(error, TR_INVALID, "an order with a number that is out of range");
    if (order->kind == TR_ORDER_REACH && order->has_object &&
        tr_scene_object(stage->def.scene, order->object).removed)
        return tr_fail(error, TR_INVALID, "there is no object %u to reach for", order->object);
    tr_status status = tr_stage_prepare_reach(stage, stage->actors[actor], order, error);
    if (status != TR_OK)
        return status;
    stage_actor *who = stage->actors[actor];
    void *orders = who->orders;
    bool room = tr_reserve(&stage->allocator, &orders, &who->order_capacity, (uint64_t)who->order_count + 1,
                           sizeof *who->orders);
    who->orders = orders;
    if (!room)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for an order");
    who->orders[who->order_count++] = (stage_order){.order = *order, .reason = ""};
    return TR_OK;
}

// Did it come to rest further from its goal than it should?
static bool misses_goal(const stage_actor *who) {
    tr_vec2 goal = who->orders[who->current].order.goal, at = tr_actor_look(who->actor).state.position;
    float x = goal.x - at.x, z = goal.z - at.z;
    return x * x + z * z > STAGE_MISS * STAGE_MISS;
}

static void end_order(tr_stage *stage, stage_actor *who, tr_order_state state, const char *reason) {
    stage_order *order = &who->orders[who->current];
    order->state = state;
    order->reason = reason;
    order->end = tr_stage_time(stage);
    order->beside = state == TR_ORDER_DONE && order->order.kind == TR_ORDER_GO && misses_goal(who);
    who->walking = who->makes_way = false;
    who->current++;
}

// Arms are down: now the rest of the order.
static void begin_legs(tr_stage *stage, uint32_t number) {
    stage_actor *who = stage->actors[number];
    stage_order *order = &who->orders[who->current];
    uint32_t column, row;
    tr_error error;
    if (order->order.kind != TR_ORDER_GO) {
        end_order(stage, who, TR_ORDER_DONE, "");
        return;
    }
    if (!tr_grid_find(&stage->grid, order->order.goal, &column, &row)) {
        end_order(stage, who, TR_ORDER_FAILED, "the goal is outside the area");
        return;
    }
    tr_status status = tr_stage_plan(stage, number, order->order.goal, &error);
    if (status == TR_NOT_FOUND)
        end_order(stage, who, TR_ORDER_FAILED, "there is no way to the goal");
    else if (status == TR_LIMIT)
        end_order(stage, who, TR_ORDER_FAILED, "the way has too many corners, stairs or gaps");
    else if (status != TR_OK)
        end_order(stage, who, TR_ORDER_FAILED, "the way could not be planned");
}

static void begin_order(tr_stage *stage, uint32_t number) {
    stage_actor *who = stage->actors[number];
    stage_order *order = &who->orders[who->current];
    who->misses_since = INFINITY;
    order->state = TR_ORDER_UNDER_WAY;
    order->begin = tr_stage_time(stage);
    if (order->order.kind == TR_ORDER_WAIT)
        who->wait_until = order->begin + order->order.seconds;
    else if (!tr_stage_begin_arms(stage, who))
        begin_legs(stage, number);
}

static void begin_orders(tr_stage *stage) {
    for (uint32_t i = 0; i < stage->actor_count; i++) {
        stage_actor *who = stage->actors[i];
        // Orders that end at once (no way there) make room for the next.
        while (who->current < who->order_count && who->orders[who->current].state == TR_ORDER_PENDING)
            begin_order(stage, i);
    }
}

static void step_part(void *user, uint32_t part, uint32_t member) {
    tr_stage *stage = user;
    stage_actor *who = stage->actors[part];
    who->stepped = tr_actor_step(who->actor, &stage->scratches[who->scratch].members[member], who->limit);
}

// Somebody stands where it was to go: it waits a while for the place, then takes what it got.
static bool waits_for_place(tr_stage *stage, stage_actor *who) {
    const tr_order *order = &who->orders[who->current].order;
    float floor;
    if (!misses_goal(who))
        return false;
    if (stage->storeys ? !tr_stage_find_floor(stage, who->climber, order->goal, order->has_level,
                                              order->has_level ? order->level : who->level, &floor)
                       : !tr_footprint_is_free(stage->maps[who->map].footprint, order->goal))
        return false;
    double now = tr_stage_time(stage);
    who->misses_since = who->misses_since < INFINITY ? who->misses_since : now;
    who->replan = now - who->misses_since < STAGE_PLACE_PATIENCE;
    return who->replan;
}

// An actor has come to the end of its way, or of a piece of it.
static void end_go(tr_stage *stage, uint32_t number) {
    stage_actor *who = stage->actors[number];
    const char *reason = NULL;
    if (stage->storeys && tr_stage_goes_on(stage, number, &reason)) {
        if (reason)
            end_order(stage, who, TR_ORDER_FAILED, reason);
    } else if (!waits_for_place(stage, who)) {
        end_order(stage, who, TR_ORDER_DONE, "");
    }
}

static void end_orders(tr_stage *stage) {
    for (uint32_t i = 0; i < stage->actor_count; i++) {
        stage_actor *who = stage->actors[i];
        const char *reason = NULL;
        if (who->stepped == TR_DONE && who->makes_way &&
            !(stage->storeys && tr_stage_goes_on(stage, i, &reason) && !reason))
            who->walking = false; // stays out of the way until tr_stage_avoid lets it go on
        if (who->current >= who->order_count || who->orders[who->current].state != TR_ORDER_UNDER_WAY)
            continue;
        if (who->reach && who->reach->busy)
            continue;
        if (who->orders[who->current].order.kind == TR_ORDER_WAIT) {
            if (tr_stage_time(stage) >= who->wait_until)
                end_order(stage, who, TR_ORDER_DONE, "");
        } else if (who->stepped == TR_DONE && !who->makes_way) {
            end_go(stage, i);
        }
    }
}

static void measure_gaps(tr_stage *stage) {
    for (uint32_t i = 0; i < stage->actor_count; i++)
        for (uint32_t j = 0; j < i; j++) {
            float gap = tr_stage_gap(stage->actors[i], stage->actors[j]);
            if (gap < stage->actors[i]->nearest)
                stage->actors[i]->nearest = gap;
            if (gap < stage->actors[j]->nearest)
                stage->actors[j]->nearest = gap;
        }
}

static bool all_ended(const tr_stage *stage) {
    for (uint32_t i = 0; i < stage->actor_count; i++)
        if (stage->actors[i]->current < stage->actors[i]->order_count)
            return false;
    return true;
}

static void guide_all(tr_stage *stage) {
    for (uint32_t i = 0; i < stage->actor_count; i++) {
        const char *reason = tr_stage_guide(stage, i);
        stage_actor *who = stage->actors[i];
        if (reason && who->current < who->order_count)
            end_order(stage, who, TR_ORDER_FAILED, reason);
    }
}

// What orders ask of arms, one actor after the other: planners are shared.
static void step_arms(tr_stage *stage) {
    for (uint32_t i = 0; i < stage->actor_count; i++) {
        stage_actor *who = stage->actors[i];
        const char *reason;
        if (!who->reach || !who->reach->busy)
            continue;
        tr_status status = tr_stage_step_arms(stage, who, &reason);
        if (status == TR_OK || who->current >= who->order_count ||
            who->orders[who->current].state != TR_ORDER_UNDER_WAY ||
            who->orders[who->current].order.kind == TR_ORDER_WAIT)
            continue;
        if (status == TR_DONE)
            begin_legs(stage, i);
        else
            end_order(stage, who, TR_ORDER_FAILED, reason);
    }
}

tr_status tr_stage_step(tr_stage *stage, tr_error *error) {
    tr_status status = tr_scene_set_time(stage->def.scene, tr_stage_time(stage));
    if (status == TR_OK && stage->storeys)
        status = tr_stage_update_storeys(stage, error);
    if (status == TR_OK)
        status = tr_stage_update_maps(stage, error);
    if (status == TR_OK)
        status = tr_stage_update_ground(stage, error);
    if (status != TR_OK)
        return status;
    begin_orders(stage);
    status = tr_stage_update_reach(stage, error);
    if (status != TR_OK)
        return status;
    step_arms(stage);
    tr_stage_avoid(stage);
    if (stage->storeys)
        guide_all(stage);
    tr_tasks_run(stage->def.tasks, stage->actor_count, step_part, stage);
    stage->tick++;
    end_orders(stage);
    measure_gaps(stage);
    if (stage->def.record)
        status = tr_stage_record(stage, error);
    if (status != TR_OK)
        return status;
    return all_ended(stage) ? TR_DONE : TR_OK;
}

double tr_stage_time(const tr_stage *stage) {
    return (double)stage->tick / stage->def.frames_per_second;
}

uint32_t tr_stage_actor_count(const tr_stage *stage) {
    return stage->actor_count;
}

const char *tr_stage_actor_name(const tr_stage *stage, uint32_t actor) {
    return actor < stage->actor_count ? stage->actors[actor]->name : "";
}

tr_actor_view tr_stage_look(const tr_stage *stage, uint32_t actor) {
    return tr_actor_look(stage->actors[actor]->actor);
}

const tr_vec2 *tr_stage_route(const tr_stage *stage, uint32_t actor, uint32_t *point_count) {
    const stage_actor *who = stage->actors[actor];
    *point_count = who->walking ? who->point_count : 0;
    return who->points;
}

uint32_t tr_stage_order_count(const tr_stage *stage, uint32_t actor) {
    return actor < stage->actor_count ? stage->actors[actor]->order_count : 0;
}

tr_order_report tr_stage_order_report(const tr_stage *stage, uint32_t actor, uint32_t order) {
    tr_order_report none = {.reason = ""};
    if (order >= tr_stage_order_count(stage, actor))
        return none;
    const stage_order *o = &stage->actors[actor]->orders[order];
    tr_order_report report = {o->order, o->state, o->reason, o->begin, o->end, o->beside, o->reach};
    return report;
}
