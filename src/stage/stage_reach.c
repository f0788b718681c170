// Orders for arms, tick by tick: an arm is taken, moved to its goal and held there. Moving objects are taken
// into account, and arms are brought back before the actor walks.
#include "stage_data.h"

#include <stdio.h>

#define REPLAN_LEAST 0.1  // between two plans of an arm [s]
#define PATIENCE 2.0      // time without a path before an order fails [s]
#define TRIES 3           // searches with different random numbers, if nothing moves
#define CHASE 10.0        // how long a hand follows a target that keeps moving [s]
#define GOAL_MOVED 0.005f // an object that has moved farther is reached for anew [m]
#define LEAN_LEAST 1e-3f  // a trunk that leans or turns by more than this helps an arm [rad]
#define MIDDLE 0.1f       // this near to the middle of the body, both hands are equally near [m]
#define SLOW 1e-3f        // a slower body stands [m/s]

static bool look(const stage_actor *who, uint32_t side, tr_actor_arm_view *view) {
    return who->reach && tr_actor_look_arm(who->actor, (tr_arm_side)side, view) == TR_OK;
}

static bool is_out(const stage_actor *who, uint32_t side) {
    tr_actor_arm_view view;
    return look(who, side, &view) && view.doing != TR_ACTOR_ARM_SWINGS && view.doing != TR_ACTOR_ARM_FADES;
}

bool tr_stage_arms_are_out(const stage_actor *who) {
    return is_out(who, 0) || is_out(who, 1);
}

static uint32_t arms_out(const stage_actor *who) {
    return (is_out(who, 0) ? TR_HAND_RIGHT : 0u) | (is_out(who, 1) ? TR_HAND_LEFT : 0u);
}

tr_status tr_stage_update_reach(tr_stage *stage, tr_error *error) {
    stage->solid_changed = false;
    bool needed = false;
    for (uint32_t i = 0; i < stage->actor_count; i++)
        needed = needed || (stage->actors[i]->reach && stage->actors[i]->reach->busy) ||
                 tr_stage_is_dragged(stage->actors[i]) || stage->actors[i]->on_triangles;
    // The solid is up to date before an actor begins to reach or to step.
    if (!stage->solid || !(needed || stage->reaching || stage->uppers))
        return TR_OK;
    tr_box changed;
    tr_status status = tr_solid_update(stage->solid, &changed, error);
    stage->solid_changed = status == TR_OK && !tr_box_is_empty(changed);
    stage->reaching = needed;
    return status;
}

// The hand on the side of the goal; in the middle a hand that is out already, else the right one.
static tr_arm_side choose_side(const tr_stage *stage, const stage_actor *who, const tr_order *order,
                               uint32_t hands) {
    if (hands == TR_HAND_RIGHT || hands == TR_HAND_LEFT)
        return hands == TR_HAND_LEFT ? TR_ARM_LEFT : TR_ARM_RIGHT;
    tr_vec3 target;
    actor_look view = tr_actor_look(who->actor);
    if (!tr_stage_reach_target(stage, order, &target))
        return TR_ARM_RIGHT;
    tr_vec3 left = tr_affine_turn(&view.place, tr_vec3_make(1, 0, 0));
    float aside = tr_vec3_dot(left, tr_vec3_subtract(target, tr_affine_position(&view.place)));
    if (aside > MIDDLE || aside < -MIDDLE)
        return aside > 0 ? TR_ARM_LEFT : TR_ARM_RIGHT;
    return arms_out(who) == TR_HAND_LEFT ? TR_ARM_LEFT : TR_ARM_RIGHT;
}

static bool leans(const stage_actor *who, uint32_t side) {
    tr_actor_arm_view view;
    if (!is_out(who, side) || !look(who, side, &view))
        return false;
    for (uint32_t i = TR_WAIST_LEAN; i <= TR_COLLAR; i++)
        if (view.posture.q[i] > LEAN_LEAST || view.posture.q[i] < -LEAN_LEAST)
            return true;
    return false;
}

static void begin_reach(stage_actor *who, tr_arm_side side) {
    stage_reach *reach = who->reach;
    reach->side = side;
    reach->untried &= ~(1u << side);
    reach->moving = reach->moved = false;
    reach->tries = 0;
    reach->planned = -INFINITY;
    reach->blocked_since = reach->held_since = INFINITY;
    // Both arms share the trunk: while it helps one of them, the other hangs.
    uint32_t other = 1 - (uint32_t)side;
    if (is_out(who, other) && (leans(who, 0) || leans(who, 1)))
        reach->lowering |= 1u << other;
}

// Resets the state for a new order; arms on their way back continue.
static void clear(stage_reach *reach, uint32_t lowering) {
    *reach = (stage_reach){.busy = true,
                           .lowering = lowering,
                           .returning = {reach->returning[0], reach->returning[1]},
                           .planned = -INFINITY,
                           .blocked_since = INFINITY,
                           .held_since = INFINITY};
}

bool tr_stage_begin_arms(tr_stage *stage, stage_actor *who) {
    stage_reach *reach = who->reach;
    const tr_order *order = &who->orders[who->current].order;
    if (!reach || order->kind == TR_ORDER_WAIT)
        return false;
    uint32_t both = TR_HAND_RIGHT | TR_HAND_LEFT, hands = order->hands & both ? order->hands & both : both;
    clear(reach, 0);
    stage->reaching = true;
    if (order->kind == TR_ORDER_REACH) {
        for (uint32_t side = 0; side < 2; side++)
            reach->untried |= tr_actor_has_arm(who->actor, (tr_arm_side)side) ? hands & 1u << side : 0;
        begin_reach(who, choose_side(stage, who, order, reach->untried));
    } else {
        tr_actor_look_at(who->actor, NULL);
        reach->lowering = order->kind == TR_ORDER_GO ? both : hands;
        reach->lowering &= arms_out(who);
    }
    reach->busy = order->kind == TR_ORDER_REACH || reach->lowering;
    return reach->busy;
}

void tr_stage_lower_idle_arms(stage_actor *who) {
    if (!who->reach || who->reach->busy || !tr_stage_arms_are_out(who))
        return;
    tr_actor_look_at(who->actor, NULL);
    clear(who->reach, arms_out(who));
}

// An actor that was stopped on its way, even on stairs, stands as well, although its tr_actor still has the
// rest of the way.
static bool stands(const tr_stage *stage, const stage_actor *who) {
    actor_look view = tr_actor_look(who->actor);
    return !tr_stage_piece(who) && tr_stage_rests(stage, who) &&
           (view.doing == TR_ACTOR_STANDS || view.doing == TR_ACTOR_STEPS) && view.state.turn_rate == 0 &&
           view.state.speed < SLOW && view.state.speed > -SLOW;
}

// Called when no path was found. true: it is time to give up.
static bool lose_patience(const tr_stage *stage, stage_actor *who, tr_arm_side side) {
    stage_reach *reach = who->reach;
    double now = tr_stage_time(stage);
    tr_actor_brake_arm(who->actor, side);
    reach->blocked_since = reach->blocked_since < INFINITY ? reach->blocked_since : now;
    return now - reach->blocked_since >= PATIENCE;
}

static bool may_plan(const tr_stage *stage, const stage_reach *reach) {
    return tr_stage_time(stage) - reach->planned >= REPLAN_LEAST - 1e-9;
}

// Brings one arm back. TR_DONE: it hangs again.
static tr_status step_lowering(tr_stage *stage, stage_actor *who, uint32_t side, const char **reason) {
    stage_reach *reach = who->reach;
    tr_actor_arm_view view;
    if (!is_out(who, side) || !look(who, side, &view))
        return TR_DONE;
    bool stays = view.doing == TR_ACTOR_ARM_STAYS;
    if (stays && reach->returning[side] && view.time >= view.arm_timing.duration) {
        tr_actor_give_arm(who->actor, (tr_arm_side)side);
        reach->returning[side] = false;
        return TR_DONE;
    }
    if (!reach->returning[side] && !stays) { // whatever it was doing
        tr_actor_brake_arm(who->actor, (tr_arm_side)side);
        return TR_OK;
    }
    bool barred = reach->returning[side] && stage->solid_changed &&
                  !tr_stage_arm_is_free(stage, who, (tr_arm_side)side);
    if (barred)
        tr_actor_brake_arm(who->actor, (tr_arm_side)side);
    if (!stays || !may_plan(stage, reach))
        return TR_OK;
    reach->planned = tr_stage_time(stage);
    if (tr_stage_plan_lower(stage, who, (tr_arm_side)side, reason) == TR_OK) {
        reach->returning[side] = true;
        reach->blocked_since = INFINITY;
        return TR_OK;
    }
    return lose_patience(stage, who, (tr_arm_side)side) ? TR_NOT_FOUND : TR_OK;
}

// The tried hand cannot reach: an arm that was taken but not moved is given back, and the other hand may try.
static tr_status give_up(stage_actor *who, const char **reason) {
    stage_reach *reach = who->reach;
    tr_actor_look_at(who->actor, NULL);
    if (!reach->reason[0])
        snprintf(reach->reason, sizeof reach->reason, "%s", *reason);
    *reason = reach->reason;
    tr_actor_arm_view view;
    if (look(who, reach->side, &view) && !reach->moved && tr_arm_allows(&view.arm, &view.posture, 1e-3f)) {
        bool hangs = true;
        for (uint32_t i = 0; i < TR_ARM_ANGLES; i++)
            hangs = hangs && view.posture.q[i] == view.rest.q[i];
        if (hangs)
            tr_actor_give_arm(who->actor, reach->side);
    }
    if (reach->untried == 0 || reach->moved)
        return TR_NOT_FOUND;
    begin_reach(who, reach->untried & TR_HAND_LEFT ? TR_ARM_LEFT : TR_ARM_RIGHT);
    return TR_OK;
}

static tr_status look_for_path(tr_stage *stage, stage_actor *who, const char **reason) {
    stage_reach *reach = who->reach;
    const tr_order *order = &who->orders[who->current].order;
    reach->planned = tr_stage_time(stage);
    if (!tr_stage_reach_target(stage, order, &reach->target)) {
        tr_actor_brake_arm(who->actor, reach->side);
        tr_actor_look_at(who->actor, NULL);
        *reason = "the object no longer exists";
        return give_up(who, reason);
    }
    if (reach->moved &&
        reach->planned - who->orders[who->current].reach.move_begin > CHASE + order->seconds + order->hold) {
        tr_actor_brake_arm(who->actor, reach->side);
        *reason = "the target or an obstacle keeps moving";
        return give_up(who, reason);
    }
    reach->tries++;
    tr_status status = tr_stage_plan_reach(stage, who, reach->side, reason);
    if (status == TR_OK) {
        reach->tries = 0;
        stage_order *report = &who->orders[who->current];
        report->reach.move_begin = reach->moved ? report->reach.move_begin : reach->planned;
        reach->moving = reach->moved = true;
        reach->returning[reach->side] = false;
        reach->blocked_since = reach->held_since = INFINITY;
        return TR_OK;
    }
    reach->moving = false;
    // If the other arm hangs, the trunk may help.
    uint32_t other = 1 - (uint32_t)reach->side;
    if (is_out(who, other) && (status == TR_UNAVAILABLE || (status == TR_NOT_FOUND && !reach->moved))) {
        tr_actor_brake_arm(who->actor, reach->side);
        reach->lowering |= 1u << other;
        return TR_OK;
    }
    // Obstacles that stand still will not let it through later either.
    bool hopeless = status == TR_NOT_FOUND || reach->tries >= TRIES;
    if (!reach->moved && !stage->solid_changed && hopeless)
        return give_up(who, reason);
    return lose_patience(stage, who, reach->side) ? give_up(who, reason) : TR_OK;
}

static bool goal_moved(const tr_stage *stage, const stage_actor *who) {
    tr_vec3 target;
    if (!tr_stage_reach_target(stage, &who->orders[who->current].order, &target))
        return true;
    return tr_vec3_length(tr_vec3_subtract(target, who->reach->target)) > GOAL_MOVED;
}

static tr_status step_reach(tr_stage *stage, stage_actor *who, const char **reason) {
    stage_reach *reach = who->reach;
    stage_order *order = &who->orders[who->current];
    double now = tr_stage_time(stage);
    tr_actor_arm_view view;
    if (!look(who, reach->side, &view))
        return TR_NOT_FOUND;
    if (stage->solid_changed)
        reach->tries = 0;
    // The eyes are at the goal before the hand sets out.
    tr_vec3 target;
    if (tr_stage_reach_target(stage, &order->order, &target))
        tr_actor_look_at(who->actor, &target);
    if (view.doing == TR_ACTOR_ARM_SWINGS || view.doing == TR_ACTOR_ARM_FADES)
        tr_actor_take_arm(who->actor, reach->side, NULL);
    if (view.doing < TR_ACTOR_ARM_MOVES || view.doing == TR_ACTOR_ARM_FADES)
        return TR_OK;
    bool arrived = reach->moving && view.doing == TR_ACTOR_ARM_STAYS;
    if (arrived && reach->held_since == INFINITY) {
        reach->held_since = now;
        order->reach.move_end = now;
    }
    bool doubtful = !reach->moving || goal_moved(stage, who) ||
                    (stage->solid_changed && !tr_stage_arm_is_free(stage, who, reach->side));
    if (doubtful && may_plan(stage, reach))
        return look_for_path(stage, who, reason);
    if (!doubtful && arrived && now - reach->held_since >= order->order.hold - 1e-9)
        return TR_DONE;
    return TR_OK;
}

tr_status tr_stage_step_arms(tr_stage *stage, stage_actor *who, const char **reason) {
    stage_reach *reach = who->reach;
    *reason = "";
    if (!stands(stage, who))
        return TR_OK;
    for (uint32_t side = 0; side < 2; side++) {
        if (!(reach->lowering >> side & 1))
            continue;
        tr_status status = step_lowering(stage, who, side, reason);
        if (status == TR_DONE) {
            reach->lowering &= ~(1u << side);
            reach->planned = -INFINITY;
        }
        if (status == TR_NOT_FOUND) {
            reach->busy = false;
            return status;
        }
    }
    if (reach->lowering)
        return TR_OK;
    bool reaches = who->current < who->order_count && who->orders[who->current].state == TR_ORDER_UNDER_WAY &&
                   who->orders[who->current].order.kind == TR_ORDER_REACH;
    tr_status status = reaches ? step_reach(stage, who, reason) : TR_DONE;
    reach->busy = status == TR_OK;
    return status;
}
