// Looking ahead: everybody in order sees where those before will be, and goes round, slows down, waits or
// makes way.
#include "stage_data.h"
#include "troupe/base/scalar.h"

#define SOON 0.5            // those who come after are minded only this far ahead [s]
#define PATIENCE 1.0        // before somebody who stands in the way is asked to make way [s]
#define LAY_BY_PATIENCE 6.0 // how long one stays out of the way at most [s]
#define CLEAR 0.8f          // beyond the discs: so far away one has passed [m]

#define TURN_BACK_COSINE -0.2f // a way that begins further off than 100 degrees turns back
#define TURN_BACK_PATIENCE 4.0 // before that is done for someone who moves [s]
#define DETOUR 4.0f            // a way that is so much longer is not taken sooner either [m]

static const float slower[] = {0.7f, 0.45f, 0.2f, 0};
#define SLOWER_COUNT (sizeof slower / sizeof slower[0])

static tr_vec2 position_of(const stage_actor *actor) {
    return tr_actor_look(actor->actor).state.position;
}

static float distance(tr_vec2 a, tr_vec2 b) {
    float x = a.x - b.x, z = a.z - b.z;
    return sqrtf(x * x + z * z);
}

float tr_stage_gap(const stage_actor *a, const stage_actor *b) {
    if (!tr_stage_same_floor(a, b))
        return INFINITY;
    return distance(position_of(a), position_of(b)) - a->radius - b->radius;
}

bool tr_stage_stands(const stage_actor *actor) {
    tr_actor_view view = tr_actor_look(actor->actor);
    return fabsf(view.state.speed) + fabsf(view.state.side_speed) < 0.1f;
}

typedef struct conflict {
    uint32_t other; // TR_NONE: nobody
    uint32_t step;  // of the look ahead
} conflict;

// The first step at which the trial comes too near to a future. Two who are too near already may part.
static uint32_t first_step(const tr_stage *stage, const stage_actor *who, const stage_actor *other,
                           uint32_t steps, bool still) {
    float needed = who->radius + other->radius + stage->def.margin;
    float now = distance(position_of(who), position_of(other));
    float least = now < needed ? now - 0.002f : needed;
    for (uint32_t i = 0; i < steps; i++) {
        tr_vec2 there = still ? position_of(other) : other->future[i];
        if (distance(stage->trial[i], there) < least)
            return i;
    }
    return steps;
}

// Who is met first on the trial: the futures of those before, those after where they stand or come up at
// once.
static conflict find_conflict(const tr_stage *stage, uint32_t actor) {
    const stage_actor *who = stage->actors[actor];
    double second = stage->def.frames_per_second / stage->steps_between;
    uint32_t soon = (uint32_t)(SOON * second) + 1;
    conflict found = {TR_NONE, stage->future_steps};
    for (uint32_t j = 0; j < stage->actor_count; j++) {
        const stage_actor *other = stage->actors[j];
        if (j == actor || !tr_stage_same_floor(who, other))
            continue;
        bool still = j > actor && tr_stage_stands(other);
        bool first = j < actor || !tr_stage_walks_level(other); // on footprints nobody can mind others
        uint32_t most = first || still || found.step < soon ? found.step : soon;
        uint32_t step = first_step(stage, who, other, most, still);
        if (step < most)
            found = (conflict){j, step};
    }
    return found;
}

// How fast an actor may go whoever is there.
static float pace_of(const tr_stage *stage, const stage_actor *who) {
    return stage->storeys ? tr_stage_leg_pace(stage, who) : INFINITY;
}

static conflict try_limit(tr_stage *stage, uint32_t actor, float limit) {
    tr_actor_predict(stage->actors[actor]->actor, limit, stage->steps_between, stage->future_steps,
                     stage->trial);
    return find_conflict(stage, actor);
}

static void keep_future(tr_stage *stage, stage_actor *who) {
    for (uint32_t i = 0; i < stage->future_steps; i++)
        who->future[i] = stage->trial[i];
}

static bool may_plan(const tr_stage *stage, const stage_actor *who) {
    if (tr_actor_look(who->actor).doing == TR_ACTOR_TURNS && !who->replan)
        return false; // a turn that was begun is finished: who turns to and fro gets nowhere
    if (stage->storeys && !tr_stage_may_climb_anew(stage, who))
        return false;
    return tr_stage_time(stage) - who->planned >= stage->def.replan_interval;
}

// The fastest pace that meets nobody; where all do, the one that meets somebody last. true: nobody is met.
static bool slow_down(tr_stage *stage, stage_actor *who, uint32_t actor, conflict met) {
    float best = INFINITY;
    uint32_t latest = met.step;
    who->blocker = met.other;
    conflict other = met;
    float pace = pace_of(stage, who);
    for (uint32_t i = 0; i < SLOWER_COUNT && other.other != TR_NONE; i++) {
        float limit = who->speed * slower[i] < pace ? who->speed * slower[i] : pace;
        other = try_limit(stage, actor, limit);
        if (other.other == TR_NONE || other.step > latest || i + 1 == SLOWER_COUNT) {
            best = limit;
            latest = other.step;
        }
    }
    who->limit = best;
    tr_actor_predict(who->actor, best, stage->steps_between, stage->future_steps, stage->trial);
    return other.other == TR_NONE;
}

// The heading of the way from where the actor is [rad].
static float first_heading(const stage_actor *who) {
    tr_vec2 at = who->points[0];
    for (uint32_t i = 1; i < who->point_count; i++) {
        float x = who->points[i].x - at.x, z = who->points[i].z - at.z;
        if (x * x + z * z > 0.04f)
            return (float)tr_arc_tangent(x, z);
    }
    return tr_actor_look(who->actor).state.heading;
}

static bool turns_back(const stage_actor *who) {
    double off = first_heading(who) - tr_actor_look(who->actor).state.heading, s, c;
    tr_sin_cos(off, &s, &c);
    return c < TURN_BACK_COSINE;
}

static float length_of(const tr_vec2 *points, uint32_t count) {
    float length = 0;
    for (uint32_t i = 1; i < count; i++)
        length += distance(points[i - 1], points[i]);
    return length;
}

// Plan anew; but nobody turns round or walks far for someone who will have passed or gone aside in a moment.
static conflict plan_around(tr_stage *stage, uint32_t actor, conflict met) {
    stage_actor *who = stage->actors[actor];
    tr_vec2 goal = who->makes_way ? who->goal : who->orders[who->current].order.goal;
    if (stage->storeys) {
        tr_stage_plan(stage, actor, goal, NULL);
        return try_limit(stage, actor, pace_of(stage, who));
    }
    bool barred = who->replan,
         still = tr_stage_stands(stage->actors[met.other == TR_NONE ? actor : met.other]);
    bool patient = tr_stage_time(stage) - who->slow_since < TURN_BACK_PATIENCE;
    stage_way old;
    tr_stage_keep_way(who, &old);
    float left = length_of(old.points, old.point_count) - old.progress;
    if (tr_stage_plan(stage, actor, goal, NULL) == TR_OK && patient && !barred && !who->narrow &&
        ((turns_back(who) && !still) || length_of(who->points, who->point_count) > left + DETOUR))
        tr_stage_resume_way(who, &old);
    return try_limit(stage, actor, INFINITY);
}

// On footprints too, for one who stands on both feet; that it has just planned anew is no excuse.
static bool may_go_aside(const tr_stage *stage, const stage_actor *who) {
    if (!stage->storeys)
        return may_plan(stage, who);
    return (tr_stage_walks_level(who) || tr_stage_stands(who)) &&
           tr_stage_time(stage) - who->asked >= PATIENCE;
}

static void make_way(tr_stage *stage, uint32_t actor, uint32_t other) {
    stage_actor *who = stage->actors[actor];
    tr_vec2 place;
    if (who->makes_way || !may_go_aside(stage, who))
        return;
    who->asked = tr_stage_time(stage);
    if (tr_stage_arms_are_out(who)) {
        tr_stage_lower_idle_arms(who); // goes when it is asked again
        return;
    }
    if (!tr_stage_find_lay_by(stage, actor, other, &place))
        return;
    who->makes_way = true;
    who->way_for = other;
    who->way_since = tr_stage_time(stage);
    if (tr_stage_plan(stage, actor, place, NULL) != TR_OK)
        who->makes_way = false;
}

// Somebody who stands is in the way and cannot be gone round: one of the two goes aside.
static void lose_patience(tr_stage *stage, uint32_t actor) {
    stage_actor *who = stage->actors[actor];
    if (who->blocker == TR_NONE || tr_stage_time(stage) - who->waits_since < PATIENCE)
        return;
    const stage_actor *other = stage->actors[who->blocker];
    bool idle = other->current >= other->order_count;
    if (!tr_stage_stands(other) || other->makes_way)
        return;
    if (idle || who->blocker > actor)
        make_way(stage, who->blocker, actor);
    else
        make_way(stage, actor, who->blocker);
}

// Out of the way, until the other has passed.
static void stay_aside(tr_stage *stage, uint32_t actor) {
    stage_actor *who = stage->actors[actor];
    const stage_actor *other = stage->actors[who->way_for];
    bool passed = tr_stage_gap(who, other) > CLEAR || !other->walking;
    if (!passed && tr_stage_time(stage) - who->way_since < LAY_BY_PATIENCE)
        return;
    who->makes_way = false;
    const stage_order *order = who->current < who->order_count ? &who->orders[who->current] : NULL;
    if (order && order->state == TR_ORDER_UNDER_WAY && order->order.kind == TR_ORDER_GO)
        tr_stage_plan(stage, actor, order->order.goal, NULL);
}

static void decide(tr_stage *stage, uint32_t actor) {
    stage_actor *who = stage->actors[actor];
    double now = tr_stage_time(stage);
    who->limit = pace_of(stage, who);
    who->blocker = TR_NONE;
    if (who->makes_way && !who->walking)
        stay_aside(stage, actor);
    conflict met = try_limit(stage, actor, who->limit);
    bool meets = met.other != TR_NONE;
    // A little slower is often enough for those who cross.
    bool solved =
        who->walking && meets && slow_down(stage, who, actor, met) && who->limit > 0.4f * who->speed;
    bool doubtful = who->replan || (meets && !solved) || (who->around && now - who->planned > 2);
    if (who->walking && doubtful && may_plan(stage, who)) {
        met = plan_around(stage, actor, met);
        who->limit = pace_of(stage, who);
        who->blocker = TR_NONE;
        if (met.other != TR_NONE)
            slow_down(stage, who, actor, met);
    }
    keep_future(stage, who);
    bool waits = who->limit < 0.05f * who->speed && tr_stage_stands(who);
    who->waits_since = !waits ? INFINITY : who->waits_since < INFINITY ? who->waits_since : now;
    who->slow_since = who->limit == INFINITY ? INFINITY : who->slow_since < INFINITY ? who->slow_since : now;
    bool held_up = who->blocker != TR_NONE || who->limit == 0;
    who->waited += held_up ? 1 / stage->def.frames_per_second : 0;
}

void tr_stage_avoid(tr_stage *stage) {
    for (uint32_t i = 0; i < stage->actor_count; i++)
        decide(stage, i);
    for (uint32_t i = 0; i < stage->actor_count; i++)
        lose_patience(stage, i);
}
