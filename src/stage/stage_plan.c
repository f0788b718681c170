// Ways for orders: actors that need a way get one in turn, within the budget of the tick, and set out on it.
#include "stage_data.h"

#include "troupe/base/clock.h"
#include "troupe/base/scalar.h"

#define STRAYED 0.1f           // an actor farther from the start of its way has strayed from it [m]
#define LONG_SCALE 3.0         // a way longer than this times the straight line,
#define LONG_MORE 8.0          // and by this much, may be much shorter bent [m]
#define LOW_STEP 0.2           // between the places where a low floor is looked for [m]
#define STEER_LEAST 0.05f      // anything slower is standing [m/s]
#define STEER_CURVE 0.45       // length of the pieces of a curve [m],
#define STEER_CURVE_SPEED 0.3f // which actors walk that are faster than this [m/s]

// The free length in a direction, at most `length`.
static float free_length(const tr_stage *stage, const stage_actor *who, tr_vec3 at, double x, double z,
                         float length) {
    float good = 0;
    for (int i = 1; i <= 8; i++) {
        float t = length * (float)i / 8;
        tr_vec3 to = tr_vec3_make(at.x + (float)x * t, at.y, at.z + (float)z * t);
        if (!tr_ground_sees(stage->ground, who->sizes[0], at, to))
            break;
        good = t;
    }
    return good;
}

// A walking actor changes its direction in a curve, if there is room. Returns the number of points of the
// curve.
static uint32_t add_curve(const tr_stage *stage, const stage_actor *who, tr_vec3 at, tr_vec3 *to,
                          tr_path_point *points) {
    tr_follow_state state = tr_actor_look(who->actor).state;
    double s, c, x = to->x - at.x, z = to->z - at.z, length = sqrt(x * x + z * z);
    tr_sin_cos(state.heading, &s, &c);
    double cosine = length > 0 ? (x * s + z * c) / length : 1;
    if (state.speed < STEER_CURVE_SPEED || cosine > 0.8 || cosine < -0.8)
        return 0;
    double half_x = s + x / length, half_z = c + z / length, half = sqrt(half_x * half_x + half_z * half_z);
    tr_vec3 first = tr_vec3_make(at.x + (float)(STEER_CURVE * s), at.y, at.z + (float)(STEER_CURVE * c));
    tr_vec3 next = tr_vec3_make(first.x + (float)(STEER_CURVE * half_x / half), at.y,
                                first.z + (float)(STEER_CURVE * half_z / half));
    if (!tr_ground_sees(stage->ground, who->sizes[0], at, first) ||
        !tr_ground_sees(stage->ground, who->sizes[0], first, next) ||
        !tr_ground_sees(stage->ground, who->sizes[0], next, *to))
        return 0;
    tr_vec3 on = tr_vec3_make(next.x + (float)x, at.y, next.z + (float)z);
    if (tr_ground_sees(stage->ground, who->sizes[0], next, on))
        *to = on;
    points[0] = (tr_path_point){.position = first, .link = TR_NONE};
    points[1] = (tr_path_point){.position = next, .link = TR_NONE};
    return 2;
}

void tr_stage_lose_way(tr_stage *stage, stage_actor *who) {
    stage_order *order = tr_stage_current(who);
    tr_stage_halt(stage, who);
    if (order && tr_stage_is_of_legs(&order->order))
        order->unplanned = true;
}

// Sets out on the way in stage->trial. An actor that is too fast to change to it without leaving free ground
// comes to rest first, and the way is planned again from there.
void tr_stage_take_way(tr_stage *stage, stage_actor *who, stage_order *order) {
    tr_stage_set_out(stage, who, STAGE_ORDER);
    if (!tr_stage_swings_off(stage, who))
        return;
    tr_stage_lose_way(stage, who);
    order->rests_first = true;
}

// A short straight way in the steered direction; along a wall if there is one.
static void plan_steering(tr_stage *stage, stage_actor *who, stage_order *order) {
    static const double off[] = {0, 0.4, -0.4, 0.8, -0.8, 1.2, -1.2};
    tr_vec2 v = order->order.velocity;
    double speed = sqrt((double)v.x * v.x + (double)v.z * v.z);
    order->unplanned = false;
    who->pushes = 0;
    if (speed < (double)STEER_LEAST) {
        tr_stage_halt(stage, who);
        return;
    }
    tr_vec3 at = tr_stage_place_of(who);
    float length = TUNE_STEER_SECONDS * (float)speed, best = 0;
    tr_vec3 to = at;
    for (size_t i = 0; i < sizeof off / sizeof *off; i++) {
        double s, c;
        tr_sin_cos(off[i], &s, &c);
        double x = (c * v.x + s * v.z) / speed, z = (c * v.z - s * v.x) / speed;
        float worth = free_length(stage, who, at, x, z, length) * (float)c;
        if (worth > best + 0.1f) {
            best = worth;
            to = tr_vec3_make(at.x + (float)x * worth / (float)c, at.y, at.z + (float)z * worth / (float)c);
        }
        if (i == 0 && best > 0.9f * length)
            break;
    }
    order->order.speed = (float)speed;
    if (best == 0)
        return;
    tr_path_point line[4] = {{.position = at, .link = TR_NONE}};
    uint32_t count = 1 + add_curve(stage, who, at, &to, line + 1);
    line[count++] = (tr_path_point){.position = to, .link = TR_NONE};
    const tr_ground_body *body = tr_ground_size(stage->ground, who->sizes[0]);
    if (tr_way_cut(&stage->trial, stage->ground, line, count, body->foot_rise, (float)speed, 0.6f, NULL) ==
        TR_OK)
        tr_stage_take_way(stage, who, order);
}

static bool has_narrow_places(const tr_way *way) {
    for (uint32_t i = 0; i + 1 < way->point_count; i++)
        if (way->points[i].room != TR_WAY_OPEN)
            return true;
    return false;
}

// Is the way a detour, and is there a floor with little head room on the straight line, or is it a very long
// one?
static bool may_save_by_bending(const tr_stage *stage, const stage_actor *who, const tr_vec3 *goals,
                                const tr_go_result *result) {
    tr_vec3 from = tr_stage_place_of(who), to = goals[result->goal];
    tr_go_query query = tr_go_query_default(who->sizes[0]);
    query.start = from;
    query.goals = goals;
    double straight = (double)tr_vec3_distance_from_above(from, to);
    if (!tr_go_is_detour(&query, result))
        return false;
    if (result->length > LONG_SCALE * straight + LONG_MORE)
        return true;
    uint32_t steps = 1 + (uint32_t)(straight / LOW_STEP);
    for (uint32_t i = 1; i < steps; i++) {
        tr_vec3 at = tr_vec3_add(from, tr_vec3_scale(tr_vec3_subtract(to, from), (float)i / (float)steps));
        if (tr_ground_drop(stage->ground, who->sizes[0], at, TUNE_FLOOR_RISE).why == TR_GROUND_LOW)
            return true;
    }
    return false;
}

// Where no way, or only a long one, leads upright, there may be one on which the actor bends. It plans its
// upper body where there is little room.
static tr_status find_way_for(tr_stage *stage, stage_actor *who, const tr_vec3 *goals, uint32_t goal_count,
                              tr_go_result *result, tr_error *error) {
    tr_status status = tr_stage_find_way(stage, who, goals, goal_count, 1, result, error);
    bool added = false;
    if (status == TR_NOT_FOUND || (status == TR_OK && may_save_by_bending(stage, who, goals, result))) {
        tr_status bent = tr_stage_add_bent(stage, who, &added, error);
        if (bent != TR_OK)
            return bent;
    }
    if (added)
        status = tr_stage_find_way(stage, who, goals, goal_count, 1, result, error);
    if (status != TR_OK || !has_narrow_places(&stage->trial))
        return status;
    tr_status prepared = tr_stage_prepare_upper(stage, who, error);
    return prepared == TR_OK ? status : prepared;
}

// Searches of a tick that runs out of memory do not count.
static tr_status find_way(tr_stage *stage, stage_actor *who, const tr_vec3 *goals, uint32_t goal_count,
                          tr_go_result *result, tr_error *error) {
    uint64_t expanded = stage->expanded, all = stage->searches.expanded, asked = stage->searches.asked;
    uint32_t plans = who->plan_count, timed = who->plan_timed;
    tr_status status = find_way_for(stage, who, goals, goal_count, result, error);
    if (status == TR_OUT_OF_MEMORY) {
        stage->expanded = expanded;
        stage->searches.expanded = all;
        stage->searches.asked = asked;
        who->plan_count = plans;
        who->plan_timed = timed;
    }
    return status;
}

static tr_status plan_going(tr_stage *stage, stage_actor *who, stage_order *order, tr_error *no_memory) {
    tr_vec3 goals[TR_PATH_GOALS_MAX];
    uint32_t count = tr_stage_goals(stage, who, &order->order, goals);
    tr_go_result result = {0};
    tr_error error = {0};
    if (who->upper_order != order->number) {
        who->upper_order = order->number;
        who->upper_barred = 0;
    }
    tr_status status = find_way(stage, who, goals, count, &result, &error);
    if (status == TR_OUT_OF_MEMORY)
        return tr_fail(no_memory, status, "no memory for the way of %.60s", who->name);
    order->unplanned = who->replan = false;
    bool follows = order->order.goal_kind == TR_GOAL_ACTOR;
    who->pushes = follows ? 0 : who->pushes; // the distance to a moving goal does not measure progress
    if (status == TR_OK)
        tr_stage_take_way(stage, who, order);
    else if (follows)
        tr_stage_halt(stage, who);
    else
        tr_stage_end_order(stage, who, TR_ORDER_FAILED,
                           who->upper_barred  ? who->upper_reason
                           : error.message[0] ? error.message
                                              : "no way was found");
    return TR_OK;
}

// An actor that came to rest away from the start of its way goes straight to the first corner: is that still
// free?
static bool has_strayed(const tr_stage *stage, const stage_actor *who) {
    const tr_way_piece *piece = tr_stage_piece(who);
    if (!piece || piece->kind != TR_WAY_WALK || who->piece_begun || piece->count < 2)
        return false;
    const tr_way_point *points = who->way.points + piece->first;
    tr_vec3 at = tr_stage_place_of(who), off = tr_vec3_subtract(points[0].position, at);
    if (off.x * off.x + off.z * off.z <= STRAYED * STRAYED)
        return false;
    uint32_t size = who->sizes[points[0].room];
    float rise = tr_ground_size(stage->ground, size)->foot_rise;
    return !tr_ground_sees(stage->ground, size, at, points[1].position) ||
           !(piece->slopes ? tr_way_is_smooth(stage->ground, at, points[1].position, rise)
                           : tr_way_is_level(stage->ground, at, points[1].position, who->level, rise));
}

// Is this tick's budget for searches used up?
static bool is_spent(const tr_stage *stage, uint64_t began) {
    if (stage->def.plan_budget && stage->expanded >= stage->def.plan_budget)
        return true;
    uint64_t most = (uint64_t)stage->def.plan_microseconds * 1000;
    return most && stage->expanded && tr_clock_nanoseconds() - began >= most;
}

// Does it want another way than its present one?
static bool asks(const stage_actor *who, const stage_order *order) {
    return order && (order->unplanned || who->replan) && !(who->reach && who->reach->busy) &&
           who->errand != STAGE_ASIDE && !tr_stage_is_dragged(who);
}

// Feet on stairs come to a stand before the actor goes elsewhere.
static bool is_on_steps(const tr_stage *stage, const stage_actor *who) {
    return tr_actor_look(who->actor).doing == TR_ACTOR_STEPS && !tr_stage_rests(stage, who);
}

// An actor does not leave a lift in motion.
static bool may_plan(const tr_stage *stage, const stage_actor *who, const stage_order *order) {
    bool carried = tr_stage_is_carried(who) && !(who->performer && tr_stage_is_performing(who));
    return !carried && !is_on_steps(stage, who) && (!order->rests_first || tr_stage_rests(stage, who));
}

bool tr_stage_wants_way(const tr_stage *stage, const stage_actor *who) {
    const stage_order *order = tr_stage_current(who);
    return order && order->order.kind == TR_ORDER_GO && !who->performer && !who->covered &&
           asks(who, order) && may_plan(stage, who, order);
}

static tr_status plan_order(tr_stage *stage, stage_actor *who, stage_order *order, tr_error *error) {
    order->rests_first = false;
    if (order->order.kind == TR_ORDER_STEER)
        plan_steering(stage, who, order);
    else if (order->order.kind == TR_ORDER_GO) {
        bool done;
        tr_status status = tr_stage_plan_performance(stage, who, order, &done, error);
        return done || status != TR_OK ? status : plan_going(stage, who, order, error);
    }
    return TR_OK;
}

// The first turn goes to the actor that the last tick's budget did not suffice for, so that no actor waits
// for ever.
static uint32_t find_first(const tr_stage *stage) {
    uint32_t first = 0;
    while (first < stage->actor_count && stage->actors[first]->id < stage->plan_turn)
        first++;
    return first < stage->actor_count ? first : 0;
}

stage_actor *tr_stage_planned(const tr_stage *stage, uint32_t place) {
    return stage->actors[(stage->plan_first + place) % stage->actor_count];
}

tr_status tr_stage_plan_orders(tr_stage *stage, tr_error *error) {
    uint64_t began = stage->def.plan_microseconds ? tr_clock_nanoseconds() : 0;
    tr_status status = TR_OK;
    tr_actor_id next_turn = 0;
    stage->plan_first = find_first(stage);
    tr_stage_drop_ahead(stage); // searches before a step that ran out of memory may be outdated
    for (; stage->plan_next < stage->actor_count && status == TR_OK; stage->plan_next += status == TR_OK) {
        stage_actor *who = tr_stage_planned(stage, stage->plan_next);
        stage_order *order = tr_stage_current(who);
        if (tr_stage_leave_cover(stage, who))
            continue;
        if (has_strayed(stage, who))
            tr_stage_lose_way(stage, who);
        if (!asks(who, order)) {
            status = tr_stage_begin_crossing(stage, who, error);
            continue;
        }
        if (!may_plan(stage, who, order)) {
            if (order->order.kind == TR_ORDER_STEER && is_on_steps(stage, who) && tr_stage_piece(who))
                tr_stage_lose_way(stage, who);
            continue;
        }
        if (next_turn || is_spent(stage, began)) {
            next_turn = next_turn ? next_turn : who->id;
            continue;
        }
        if (order->order.kind == TR_ORDER_GO)
            status = tr_stage_search_ahead(stage, stage->plan_next, error);
        if (status == TR_OK)
            status = plan_order(stage, who, order, error);
    }
    tr_stage_drop_ahead(stage);
    stage->plan_turn = status == TR_OK ? next_turn : stage->plan_turn;
    return status;
}
