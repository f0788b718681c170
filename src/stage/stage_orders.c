// Orders and their results. Every order ends: done, failed with a reason, or cancelled.
#include "stage_data.h"

#include "troupe/base/scalar.h"

#include <stdio.h>
#include <string.h>

#define FOLLOW_PERIOD 15  // ticks between two checks of a moving goal
#define PASS_SECONDS 0.2  // an actor that passes its goal plans its next way this long before it would brake
#define DRAG_MOST 100.0f  // of a dragged velocity [m/s, rad/s]
#define DRAG_HAIR 1e-9    // rounding of times [s]
#define FOLLOW_MOVED 0.4f // an actor follows its goal once that has moved this far [m]

static bool is_good_reach(const tr_order *order) {
    float length = tr_vec3_length(order->direction);
    return (order->has_object || tr_vec3_is_finite(order->point)) && order->seconds >= 0 &&
           isfinite(order->seconds) && order->hold >= 0 && isfinite(order->hold) && order->tolerance >= 0 &&
           order->tolerance <= (float)TR_PI &&
           (!order->has_direction || (tr_vec3_is_finite(order->direction) && length > 0 && isfinite(length)));
}

static tr_status check_go(const tr_stage *stage, tr_actor_id actor, const tr_order *order, tr_error *error) {
    if (!(order->speed >= 0 && order->speed < 100) || (order->has_heading && !isfinite(order->heading)) ||
        !(order->near >= 0 && isfinite(order->near)))
        return tr_fail(error, TR_INVALID,
                       "a go order has speed %g, heading %g and near %g, a value is out of range",
                       (double)order->speed, (double)order->heading, (double)order->near);
    switch (order->goal_kind) {
    case TR_GOAL_POINT:
        if (isfinite(order->goal.x) && isfinite(order->goal.z) &&
            (order->any_floor || isfinite(order->goal.y)))
            return TR_OK;
        return tr_fail(error, TR_INVALID, "the goal (%g, %g, %g) is not finite", (double)order->goal.x,
                       (double)order->goal.y, (double)order->goal.z);
    case TR_GOAL_REGION:
        if (!tr_box_is_empty(order->region) && tr_vec3_is_finite(order->region.min) &&
            tr_vec3_is_finite(order->region.max))
            return TR_OK;
        return tr_fail(error, TR_INVALID, "the goal region is empty or not finite");
    case TR_GOAL_OBJECT:
        if (!tr_scene_object(stage->def.scene, order->object).removed)
            return TR_OK;
        return tr_fail(error, TR_INVALID, "there is no object %u to go to", order->object);
    case TR_GOAL_ACTOR:
        if (order->target == actor)
            return tr_fail(error, TR_INVALID, "actor %u cannot follow itself", actor);
        if (tr_stage_find_actor(stage, order->target))
            return TR_OK;
        return tr_fail(error, TR_INVALID, "there is no actor %u to follow", order->target);
    }
    return tr_fail(error, TR_INVALID, "unknown goal kind %d", (int)order->goal_kind);
}

static bool is_good_drag(float value) {
    return fabsf(value) <= DRAG_MOST;
}

// What a character without a gait cannot do.
static tr_status check_performer(const stage_actor *who, const tr_order *order, tr_error *error) {
    bool goes = order->kind == TR_ORDER_GO && order->goal_kind != TR_GOAL_ACTOR;
    if (tr_stage_walks(who) || goes || order->kind == TR_ORDER_WAIT)
        return TR_OK;
    return tr_fail(
        error, TR_INVALID,
        "%.60s moves by behaviors alone: it can go to places and wait, but neither follow others, be "
        "steered nor reach",
        who->name);
}

static tr_status check_order(const tr_stage *stage, tr_actor_id actor, const tr_order *order,
                             tr_error *error) {
    if (!(order->deadline >= 0 && isfinite(order->deadline)))
        return tr_fail(error, TR_INVALID, "deadline is %g s, it must be at least 0", order->deadline);
    if (order->hands > (TR_HAND_RIGHT | TR_HAND_LEFT))
        return tr_fail(error, TR_INVALID, "hands is %u, it must be at most 3", order->hands);
    switch (order->kind) {
    case TR_ORDER_GO:
        return check_go(stage, actor, order, error);
    case TR_ORDER_WAIT:
        if (order->seconds >= 0 && isfinite(order->seconds))
            return TR_OK;
        return tr_fail(error, TR_INVALID, "seconds is %g, it must be at least 0", order->seconds);
    case TR_ORDER_REACH:
        if (order->has_object && tr_scene_object(stage->def.scene, order->object).removed)
            return tr_fail(error, TR_INVALID, "there is no object %u to reach for", order->object);
        if (is_good_reach(order))
            return TR_OK;
        return tr_fail(error, TR_INVALID, "a reach order has a value that is out of range");
    case TR_ORDER_LOWER:
        return TR_OK;
    case TR_ORDER_STEER:
        if (isfinite(order->velocity.x) && isfinite(order->velocity.z))
            return TR_OK;
        return tr_fail(error, TR_INVALID, "the steering velocity is not finite");
    case TR_ORDER_DRAG:
        if (is_good_drag(order->drag.ahead) && is_good_drag(order->drag.aside) &&
            is_good_drag(order->drag.turn) && order->seconds >= 0 && isfinite(order->seconds))
            return TR_OK;
        return tr_fail(error, TR_INVALID,
                       "a drag has ahead %g, aside %g, turn %g and seconds %g, a value is out of range",
                       (double)order->drag.ahead, (double)order->drag.aside, (double)order->drag.turn,
                       order->seconds);
    }
    return tr_fail(error, TR_INVALID, "unknown order kind %d", (int)order->kind);
}

bool tr_stage_is_of_legs(const tr_order *order) {
    return order->kind == TR_ORDER_GO || order->kind == TR_ORDER_STEER || order->kind == TR_ORDER_DRAG;
}

stage_order *tr_stage_current(const stage_actor *who) {
    bool under_way = who->current < who->order_count && who->orders[who->current].state == TR_ORDER_UNDER_WAY;
    return under_way ? &who->orders[who->current] : NULL;
}

static void tell_order(tr_stage *stage, const stage_actor *who, tr_event_kind kind, uint32_t index) {
    tr_event event = {.kind = kind,
                      .actor = who->id,
                      .order = who->orders[index].number,
                      .position = tr_stage_place_of(who),
                      .time = tr_stage_time(stage)};
    tr_stage_tell(stage, &event);
}

// Drops reports of orders that ended long ago, so that a stage does not grow.
static void drop_reports(const tr_stage *stage, stage_actor *who) {
    if (stage->def.record || who->current <= STAGE_REPORTS)
        return;
    uint32_t gone = who->current - STAGE_REPORTS;
    memmove(who->orders, who->orders + gone, (who->order_count - gone) * sizeof *who->orders);
    who->order_count -= gone;
    who->current -= gone;
}

// Did it come to rest too far from its goal?
static bool misses_goal(const stage_actor *who, const tr_order *order) {
    tr_vec3 at = tr_stage_place_of(who);
    float x = order->goal.x - at.x, z = order->goal.z - at.z, near = TUNE_MISS + order->near;
    near += tr_stage_walks(who) ? 0 : tr_stage_tolerance(who);
    return order->goal_kind == TR_GOAL_POINT && x * x + z * z > near * near;
}

// Ends the order under way. The actor goes on as it does.
static void close_order(tr_stage *stage, stage_actor *who, tr_order_state state, const char *reason) {
    stage_order *order = &who->orders[who->current];
    order->state = state;
    snprintf(order->reason, sizeof order->reason, "%s", reason);
    order->end = tr_stage_time(stage);
    order->unplanned = false;
    if (state == TR_ORDER_DONE)
        who->post = tr_stage_place_of(who);
    order->beside = state == TR_ORDER_DONE && order->order.kind == TR_ORDER_GO && !order->order.passes &&
                    misses_goal(who, &order->order);
    tell_order(stage, who,
               state == TR_ORDER_DONE     ? TR_EVENT_ORDER_DONE
               : state == TR_ORDER_FAILED ? TR_EVENT_ORDER_FAILED
                                          : TR_EVENT_ORDER_CANCELLED,
               who->current);
    who->current++;
    who->pushes = who->rounds = 0;
    drop_reports(stage, who);
}

void tr_stage_end_order(tr_stage *stage, stage_actor *who, tr_order_state state, const char *reason) {
    close_order(stage, who, state, reason);
    if (who->errand == STAGE_ORDER)
        tr_stage_halt(stage, who);
}

// Cancels one order, or all if `index` is their number.
static void cancel_orders(tr_stage *stage, stage_actor *who, uint32_t index) {
    bool all = index == who->order_count;
    // From last to first: the order under way ends last, so none begins in between.
    for (uint32_t i = who->order_count; i-- > who->current;) {
        if (!all && i != index)
            continue;
        if (i == who->current && who->orders[i].state == TR_ORDER_UNDER_WAY) {
            tr_stage_end_order(stage, who, TR_ORDER_CANCELLED, "");
        } else if (who->orders[i].state == TR_ORDER_PENDING) {
            tell_order(stage, who, TR_EVENT_ORDER_CANCELLED, i);
            who->orders[i].state = TR_ORDER_CANCELLED;
            who->orders[i].begin = who->orders[i].end = tr_stage_time(stage);
        }
    }
}

tr_status tr_stage_order(tr_stage *stage, tr_actor_id actor, const tr_order *order, tr_order_mode mode,
                         uint32_t *number, tr_error *error) {
    stage_actor *who = tr_stage_find_actor(stage, actor);
    if (!who)
        return tr_fail(error, TR_INVALID, "there is no actor %u", actor);
    tr_status status = check_order(stage, actor, order, error);
    if (status == TR_OK)
        status = check_performer(who, order, error);
    if (status == TR_OK)
        tr_stage_note(stage,
                      &(journal_entry){.kind = JOURNAL_ORDER, .actor = actor, .order = *order, .mode = mode});
    if (status == TR_OK)
        status = tr_stage_prepare_reach(stage, who, order, error);
    if (status == TR_OK && order->kind == TR_ORDER_DRAG)
        status = tr_stage_open_steps(stage, error);
    if (status == TR_OK && order->kind == TR_ORDER_DRAG)
        status = tr_stage_prepare_upper(stage, who, error);
    if (status != TR_OK)
        return status;
    void *orders = who->orders;
    bool room = tr_reserve(&stage->allocator, &orders, &who->order_capacity, (uint64_t)who->order_count + 1,
                           sizeof *who->orders);
    who->orders = orders;
    if (!room ||
        (mode == TR_ORDER_REPLACE && !tr_stage_reserve_later(stage, who->order_count - who->current)))
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for an order");
    if (mode == TR_ORDER_REPLACE)
        cancel_orders(stage, who, who->order_count);
    uint32_t place = who->order_count;
    if (mode == TR_ORDER_NEXT) {
        place = who->current + (tr_stage_current(who) ? 1 : 0);
        memmove(who->orders + place + 1, who->orders + place,
                (who->order_count - place) * sizeof *who->orders);
    }
    who->orders[place] = (stage_order){.order = *order, .number = who->order_total++};
    who->order_count++;
    if (number)
        *number = who->orders[place].number;
    return TR_OK;
}

// TR_NONE: there was no such order, or its report was dropped.
static uint32_t index_of(const stage_actor *who, uint32_t number) {
    for (uint32_t i = 0; i < who->order_count; i++)
        if (who->orders[i].number == number)
            return i;
    return TR_NONE;
}

tr_status tr_stage_cancel(tr_stage *stage, tr_actor_id actor, uint32_t number) {
    stage_actor *who = tr_stage_find_actor(stage, actor);
    if (!who)
        return TR_INVALID;
    uint32_t index = number == TR_NONE ? who->order_count : index_of(who, number);
    if (index == TR_NONE)
        return TR_NOT_FOUND;
    if (!tr_stage_reserve_later(stage, who->order_count - who->current))
        return TR_OUT_OF_MEMORY;
    tr_stage_note(stage, &(journal_entry){.kind = JOURNAL_CANCEL, .actor = actor, .number = number});
    cancel_orders(stage, who, index);
    return TR_OK;
}

tr_status tr_stage_steer(tr_stage *stage, tr_actor_id actor, tr_vec2 velocity, tr_error *error) {
    stage_actor *who = tr_stage_find_actor(stage, actor);
    stage_order *order = who ? tr_stage_current(who) : NULL;
    tr_order made = {.kind = TR_ORDER_STEER, .velocity = velocity};
    if (!order || order->order.kind != TR_ORDER_STEER || who->current + 1 < who->order_count)
        return tr_stage_order(stage, actor, &made, TR_ORDER_REPLACE, NULL, error);
    tr_status status = check_order(stage, actor, &made, error);
    if (status == TR_OK) {
        tr_stage_note(stage, &(journal_entry){.kind = JOURNAL_STEER, .actor = actor, .velocity = velocity});
        order->unplanned = order->unplanned || order->order.velocity.x != velocity.x ||
                           order->order.velocity.z != velocity.z;
        order->order.velocity = velocity;
    }
    return status;
}

tr_status tr_stage_drag(tr_stage *stage, tr_actor_id actor, tr_drag drag, tr_error *error) {
    stage_actor *who = tr_stage_find_actor(stage, actor);
    stage_order *order = who ? tr_stage_current(who) : NULL;
    tr_order made = {.kind = TR_ORDER_DRAG, .drag = drag};
    if (!order || order->order.kind != TR_ORDER_DRAG || order->order.seconds > 0 ||
        who->current + 1 < who->order_count)
        return tr_stage_order(stage, actor, &made, TR_ORDER_REPLACE, NULL, error);
    tr_status status = check_order(stage, actor, &made, error);
    if (status == TR_OK) {
        tr_stage_note(stage, &(journal_entry){.kind = JOURNAL_DRAG, .actor = actor, .drag = drag});
        order->unplanned = order->unplanned || order->order.drag.ahead != drag.ahead ||
                           order->order.drag.aside != drag.aside || order->order.drag.turn != drag.turn;
        order->order.drag = drag;
    }
    return status;
}

// --- Tick by tick ---

static void begin_legs(tr_stage *stage, stage_actor *who) {
    stage_order *order = &who->orders[who->current];
    if (tr_stage_is_of_legs(&order->order))
        order->unplanned = true;
    else
        tr_stage_end_order(stage, who, TR_ORDER_DONE, "");
}

static void begin_order(tr_stage *stage, stage_actor *who, double begin) {
    stage_order *order = &who->orders[who->current];
    order->state = TR_ORDER_UNDER_WAY;
    order->begin = begin;
    who->rank = stage->rank += 2; // odd ranks are lent
    tell_order(stage, who, TR_EVENT_ORDER_BEGUN, who->current);
    if (order->order.kind == TR_ORDER_WAIT)
        who->wait_until = order->begin + order->order.seconds;
    else if (!tr_stage_begin_arms(stage, who))
        begin_legs(stage, who);
}

void tr_stage_begin_orders(tr_stage *stage) {
    for (uint32_t i = 0; i < stage->actor_count; i++) {
        stage_actor *who = stage->actors[i];
        // Orders that end at once are followed by the next.
        while (who->current < who->order_count && who->orders[who->current].state != TR_ORDER_UNDER_WAY) {
            if (who->orders[who->current].state == TR_ORDER_PENDING)
                begin_order(stage, who, tr_stage_time(stage));
            else // cancelled before it began
                who->current++;
        }
    }
}

static void follow_goal(tr_stage *stage, stage_actor *who, stage_order *order, uint32_t number) {
    if ((stage->tick + number) % FOLLOW_PERIOD != 0 || order->unplanned)
        return;
    if (order->order.goal_kind == TR_GOAL_ACTOR && !tr_stage_find_actor(stage, order->order.target)) {
        tr_stage_end_order(stage, who, TR_ORDER_DONE, "");
        return;
    }
    tr_vec3 goals[TR_PATH_GOALS_MAX], aim = who->errand == STAGE_ORDER ? who->goal : tr_stage_place_of(who);
    tr_stage_goals(stage, who, &order->order, goals);
    tr_vec3 off = tr_vec3_subtract(goals[0], aim);
    if (order->order.goal_kind == TR_GOAL_ACTOR)
        order->unplanned = off.x * off.x + off.z * off.z > FOLLOW_MOVED * FOLLOW_MOVED;
}

// An actor does not go on to a point that it is near enough to, unless the order sets a heading.
static bool is_near_enough(const stage_actor *who, const tr_order *order) {
    if (order->kind != TR_ORDER_GO || order->goal_kind != TR_GOAL_POINT || !(order->near > 0) ||
        order->has_heading)
        return false;
    tr_vec3 at = tr_stage_place_of(who);
    float x = order->goal.x - at.x, z = order->goal.z - at.z, y = fabsf(order->goal.y - at.y);
    return x * x + z * z <= order->near * order->near && (order->any_floor || y < TUNE_FLOOR_APART);
}

bool tr_stage_passes_on(const stage_actor *who) {
    const stage_order *order = who->current + 1 < who->order_count ? &who->orders[who->current] : NULL;
    return order && order->order.passes && order->order.kind == TR_ORDER_GO &&
           order[1].order.kind == TR_ORDER_GO;
}

// Does an actor that need not stop at its goal come to where it would brake for it?
static bool may_pass_on(const stage_actor *who, const stage_order *order) {
    if (!tr_stage_passes_on(who) || who->errand != STAGE_ORDER || order->unplanned || !tr_stage_piece(who))
        return false;
    float speed = tr_actor_root(who->actor)->state.speed;
    return tr_stage_to_go(who) < tr_actor_brake_distance(who->actor) + PASS_SECONDS * fabsf(speed);
}

// An actor that is dragged on does not stop between two orders. The next one begins when this one was to end,
// which may be between two ticks: times do not drift.
static void end_drag(tr_stage *stage, stage_actor *who, const stage_order *order) {
    double end = order->begin + order->order.seconds;
    if (!(order->order.seconds > 0) || tr_stage_time(stage) < end - DRAG_HAIR)
        return;
    bool goes_on = who->current + 1 < who->order_count && order[1].order.kind == TR_ORDER_DRAG &&
                   order[1].state == TR_ORDER_PENDING;
    char reason[TR_ORDER_REASON_MAX];
    memcpy(reason, order->reason, sizeof reason);
    if (!goes_on) {
        tr_stage_end_order(stage, who, TR_ORDER_DONE, reason);
        return;
    }
    close_order(stage, who, TR_ORDER_DONE, reason);
    begin_order(stage, who, end);
}

void tr_stage_step_orders(tr_stage *stage) {
    for (uint32_t i = 0; i < stage->actor_count; i++) {
        stage_actor *who = stage->actors[i];
        stage_order *order = tr_stage_current(who);
        const char *reason;
        if (who->reach && who->reach->busy) {
            tr_status status = tr_stage_step_arms(stage, who, &reason);
            if (status != TR_OK && order && order->order.kind != TR_ORDER_WAIT) {
                if (status == TR_DONE)
                    begin_legs(stage, who);
                else
                    tr_stage_end_order(stage, who, TR_ORDER_FAILED, reason);
                continue;
            }
        }
        if (!order)
            continue;
        if (order->order.deadline > 0 && tr_stage_time(stage) - order->begin >= order->order.deadline) {
            char late[TR_ORDER_REASON_MAX];
            snprintf(late, sizeof late, "the order was not done within %g s", order->order.deadline);
            tr_stage_end_order(stage, who, TR_ORDER_FAILED, late);
        } else if (may_pass_on(who, order)) {
            close_order(stage, who, TR_ORDER_DONE, "");
        } else if (is_near_enough(who, &order->order)) {
            tr_stage_end_order(stage, who, TR_ORDER_DONE, "");
        } else if (order->order.kind == TR_ORDER_GO && order->order.goal_kind == TR_GOAL_ACTOR) {
            follow_goal(stage, who, order, i);
        } else if (order->order.kind == TR_ORDER_DRAG) {
            end_drag(stage, who, order);
        } else if (order->order.kind == TR_ORDER_STEER && (stage->tick + i) % FOLLOW_PERIOD == 0) {
            // Plan before it comes to the end of its short way.
            order->unplanned = order->unplanned || who->errand != STAGE_ORDER ||
                               tr_stage_to_go(who) < 0.85f * TUNE_STEER_SECONDS * tr_stage_wish(who);
        }
    }
}

// An actor has come to the end of a piece of its way.
static void end_piece(tr_stage *stage, stage_actor *who) {
    who->level = tr_actor_look(who->actor).ground;
    who->piece++;
    who->piece_begun = false;
    if (who->piece < who->way.piece_count) {
        who->commitment.to_go = INFINITY;
        return;
    }
    stage_order *order = tr_stage_current(who);
    bool ends = who->errand == STAGE_ORDER && order && order->order.kind == TR_ORDER_GO &&
                order->order.goal_kind != TR_GOAL_ACTOR;
    if (ends)
        tr_stage_end_order(stage, who, TR_ORDER_DONE, "");
    else if (who->errand == STAGE_ORDER)
        tr_stage_halt(stage, who);
}

void tr_stage_end_orders(tr_stage *stage) {
    for (uint32_t i = 0; i < stage->actor_count; i++) {
        stage_actor *who = stage->actors[i];
        if (tr_stage_is_carried(who) || tr_actor_root(who->actor)->slopes)
            who->level = tr_actor_root(who->actor)->ground;
        if (tr_stage_piece(who) && who->piece_begun && who->stepped == TR_DONE)
            end_piece(stage, who);
        stage_order *order = tr_stage_current(who);
        if (order && order->order.kind == TR_ORDER_WAIT && tr_stage_time(stage) >= who->wait_until)
            tr_stage_end_order(stage, who, TR_ORDER_DONE, "");
    }
}

bool tr_stage_all_ended(const tr_stage *stage) {
    for (uint32_t i = 0; i < stage->actor_count; i++)
        for (uint32_t k = stage->actors[i]->current; k < stage->actors[i]->order_count; k++)
            if (stage->actors[i]->orders[k].state <= TR_ORDER_UNDER_WAY) // others were cancelled meanwhile
                return false;
    return true;
}

void tr_stage_free_orders(tr_stage *stage, stage_actor *who) {
    tr_release(&stage->allocator, who->orders, who->order_capacity, sizeof *who->orders);
}

uint32_t tr_stage_order_count(const tr_stage *stage, tr_actor_id actor, uint32_t *first) {
    const stage_actor *who = tr_stage_find_actor(stage, actor);
    uint32_t least = who ? who->order_total : 0;
    for (uint32_t i = 0; who && i < who->order_count; i++)
        least = who->orders[i].number < least ? who->orders[i].number : least;
    if (first)
        *first = least;
    return who ? who->order_total : 0;
}

tr_status tr_stage_order_report(const tr_stage *stage, tr_actor_id actor, uint32_t number,
                                tr_order_report *report) {
    const stage_actor *who = tr_stage_find_actor(stage, actor);
    if (!who)
        return TR_INVALID;
    uint32_t index = index_of(who, number);
    if (index == TR_NONE)
        return TR_NOT_FOUND;
    const stage_order *o = &who->orders[index];
    *report = (tr_order_report){.order = o->order,
                                .state = o->state,
                                .begin = o->begin,
                                .end = o->end,
                                .beside = o->beside,
                                .reach = o->reach};
    memcpy(report->reason, o->reason, sizeof report->reason);
    return TR_OK;
}
