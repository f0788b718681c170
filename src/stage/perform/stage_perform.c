// Performances: an order to go becomes a plan of behaviors, which is tried against the committed motions of
// all others, committed from beginning to end, and played. A plan that is made while another one is played
// begins where the action under way ends.
#include "stage_perform.h"

#include "troupe/base/clock.h"
#include "troupe/base/scalar.h"

#include <stdio.h>
#include <string.h>

#define RETRY_TICKS 20     // from one attempt to plan to the next
#define TRIES_MOST 4       // attempts while others are about
#define WALK_SHARE 1.1f    // shorter ways than this share of a start and a stop are walked
#define GOAL_TURN 0.6f     // a heading that is off by no more is reached within the last steps [rad]
#define OFF_PLAN 1e-3f     // a root that is further from its plan walks off a distance to its goal [m]
#define NODES_MOST 262144u // of a search
#define MOVE_LEAST 0.1f    // a move that goes no further leads nowhere [m]
#define STEP_SHARE 0.33f   // of its shortest move: so near to its goal comes a character that cannot walk on

// Plans cost at most this times the least. Where that takes too many nodes, the next one is tried.
static const struct {
    float inflation;
    uint32_t nodes; // expanded at most; 0: as many as there is room for
} attempts[] = {{1.1f, 6000}, {1.5f, 12000}, {2.5f, 24000}, {6, 48000}, {1.5f, 0}};
#define ATTEMPTS (sizeof attempts / sizeof *attempts)

bool tr_stage_is_performing(const stage_actor *who) {
    return tr_actor_root(who->actor)->kind == TR_DRIVER_PERFORM;
}

// ------------------------------------------------------------------------------------------------- kinds

static void free_kind(tr_stage *stage, stage_kind *kind) {
    const tr_allocator *own = &stage->allocator;
    tr_behavior_search_destroy(kind->search);
    tr_behavior_map_destroy(kind->map);
    tr_release(own, kind->clips, kind->cast->clip_count, sizeof *kind->clips);
    tr_release(own, kind->seen, kind->seen_room, sizeof *kind->seen);
    tr_release(own, kind->spots, kind->spot_room, sizeof *kind->spots);
    tr_release(own, kind->floors, kind->floor_room, sizeof *kind->floors);
    tr_stage_free_crossings(stage, kind);
    tr_release(own, kind, 1, sizeof *kind);
}

static tr_status make_kind(tr_stage *stage, const tr_behavior_cast *cast, stage_kind **kind,
                           tr_error *error) {
    void *kinds = stage->kinds;
    bool room = tr_reserve(&stage->allocator, &kinds, &stage->kind_room, (uint64_t)stage->kind_count + 1,
                           sizeof *stage->kinds);
    stage->kinds = kinds;
    stage_kind *made = room ? tr_allocate_zero(&stage->allocator, 1, sizeof *made) : NULL;
    if (!made)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for behaviors");
    made->cast = cast;
    made->clips = tr_allocate(&stage->allocator, cast->clip_count, sizeof *made->clips);
    tr_status status = made->clips ? TR_OK : tr_fail(error, TR_OUT_OF_MEMORY, "no memory for behaviors");
    for (uint32_t i = 0; i < cast->clip_count && status == TR_OK; i++)
        made->clips[i] =
            (tr_behavior_motion_clip){cast->clips[i].motion, cast->clips[i].first, cast->clips[i].last};
    if (status == TR_OK)
        status = tr_behavior_search_create(&stage->allocator, NODES_MOST, &made->search, error);
    if (status != TR_OK) {
        free_kind(stage, made);
        return status;
    }
    stage->kinds[stage->kind_count++] = *kind = made;
    return TR_OK;
}

void tr_stage_close_kinds(tr_stage *stage) {
    for (uint32_t i = 0; i < stage->kind_count; i++)
        free_kind(stage, stage->kinds[i]);
    tr_release(&stage->allocator, stage->kinds, stage->kind_room, sizeof *stage->kinds);
    tr_release(&stage->allocator, stage->performed, stage->performed_room, sizeof *stage->performed);
}

tr_status tr_stage_add_performer(tr_stage *stage, stage_actor *who, const tr_stage_actor_def *def,
                                 tr_error *error) {
    const tr_behavior_cast *cast = def->behaviors;
    if (!cast)
        return TR_OK;
    double rate = tr_behavior_def_of(cast->machine)->frames_per_second;
    if (fabs(rate * TR_STAGE_TICK - 1) > 1e-9)
        return tr_fail(error, TR_INVALID, "the behaviors of %.60s have %g frames a second, a stage has %g",
                       who->name, rate, 1 / TR_STAGE_TICK);
    stage_kind *kind = NULL;
    for (uint32_t i = 0; i < stage->kind_count; i++)
        kind = stage->kinds[i]->cast == cast ? stage->kinds[i] : kind;
    tr_status status = kind ? TR_OK : make_kind(stage, cast, &kind, error);
    void *performed = stage->performed;
    if (status == TR_OK && !tr_reserve(&stage->allocator, &performed, &stage->performed_room,
                                       2 * TR_TIMELINE_TICKS_MAX, sizeof *stage->performed))
        status = tr_fail(error, TR_OUT_OF_MEMORY, "no memory for behaviors");
    stage->performed = performed;
    tr_behavior_motion_def motion = {.skeleton = cast->skeleton,
                                     .clips = kind ? kind->clips : NULL,
                                     .clip_count = cast->clip_count,
                                     .frames_per_second = rate,
                                     .limbs = cast->limbs,
                                     .limb_count = cast->limb_count};
    if (status == TR_OK)
        status = tr_actor_prepare_perform(who->actor, &motion, error);
    if (status == TR_OK)
        who->performer = tr_allocate_zero(&stage->allocator, 1, sizeof *who->performer);
    if (status == TR_OK && !who->performer)
        status = tr_fail(error, TR_OUT_OF_MEMORY, "no memory for behaviors");
    if (status != TR_OK)
        return status;
    who->performer->kind = kind;
    who->performer->where_needed = def->behaviors_where_needed;
    who->performer->stood = tr_stage_place_of(who);
    kind->built = kind->built && kind->map; // floors spread from where it stands as well
    return TR_OK;
}

void tr_stage_drop_performer(tr_stage *stage, stage_actor *who) {
    for (uint32_t i = 0; i < stage->kind_count && who->body != TR_NONE; i++) {
        stage_kind *kind = stage->kinds[i];
        if (who->body < kind->seen_room && kind->seen[who->body]) {
            tr_behavior_map_withdraw(kind->map, who->body);
            kind->seen[who->body] = 0;
        }
    }
    tr_release(&stage->allocator, who->performer, 1, sizeof *who->performer);
}

// ------------------------------------------------------------------------------------------------- plans

// Where the plan of an actor that performs may go on: at the end of its action under way. TR_NONE: it is the
// last one, or it leaves its plan on the way to its goal.
static uint32_t action_under_way(const stage_actor *who, double *since) {
    const stage_performer *performer = who->performer;
    const stage_performance *is = &performer->performances[performer->now];
    double time;
    const tr_behavior_motion *motion = tr_actor_motion(who->actor, &time);
    uint32_t action = tr_behavior_motion_step_at(motion, time);
    if (action + 1 >= is->plan.action_count)
        return TR_NONE;
    const tr_behavior_action *next = &is->plan.actions[action + 1];
    tr_base at = tr_behavior_motion_root_at(motion, next->frame * TR_STAGE_TICK).base;
    tr_vec2 off = {at.x - next->position.x, at.z - next->position.z};
    *since = time - is->plan.actions[action].frame * TR_STAGE_TICK;
    return tr_vec2_length(off) < OFF_PLAN ? action : TR_NONE;
}

// The query, and in `next` the action under way that the plan continues.
static void begin_plan(const tr_stage *stage, const stage_actor *who, uint32_t action,
                       tr_behavior_query *query, stage_performance *next) {
    const stage_performer *performer = who->performer;
    const stage_performance *is = &performer->performances[performer->now];
    const stage_kind *kind = performer->kind;
    const tr_behavior_def *machine = tr_behavior_def_of(kind->cast->machine);
    const tr_follow_state *root = &tr_actor_root(who->actor)->state;
    next->plan = (tr_behavior_plan){.actions = next->actions, .action_max = PERFORM_ACTIONS};
    next->begin = stage->tick;
    query->start = root->position;
    query->heading = root->heading;
    query->frame = (uint32_t)(stage->tick - kind->base);
    if (action == TR_NONE)
        return;
    const tr_behavior_action *now = &is->plan.actions[action];
    next->actions[0] = *now;
    next->begin = is->begin + now->frame;
    next->plan.actions++;
    next->plan.action_max--;
    query->start = now[1].position;
    query->heading = now[1].heading;
    query->label = machine->states[now->state].end;
    query->frame = (uint32_t)(is->begin + now[1].frame - kind->base);
}

// Frames of the plan count from the beginning of the performance from now on.
static void take_plan(const stage_kind *kind, bool continues, stage_performance *next) {
    tr_behavior_plan *plan = &next->plan;
    if (continues) {
        plan->actions--;
        plan->action_count++;
        plan->action_max++;
        plan->actions[0].frame = (uint32_t)(next->begin - kind->base);
    }
    uint32_t first = (uint32_t)(next->begin - kind->base);
    for (uint32_t i = 0; i < plan->action_count; i++)
        plan->actions[i].frame -= first;
    plan->end_frame -= first;
}

float tr_stage_tolerance(const stage_actor *who) {
    float usual = tr_behavior_query_default().tolerance, least = INFINITY;
    if (tr_stage_walks(who))
        return usual; // it walks the rest
    const tr_behavior_def *machine = tr_behavior_def_of(who->performer->kind->cast->machine);
    for (uint32_t i = 0; i < machine->state_count; i++)
        for (uint32_t k = 0; k < machine->states[i].move_count; k++) {
            const tr_behavior_move *move = &machine->states[i].moves[k];
            float far = tr_vec2_length((tr_vec2){move->x, move->z});
            least = far > MOVE_LEAST && far < least ? far : least;
        }
    return least < INFINITY && STEP_SHARE * least > usual ? STEP_SHARE * least : usual;
}

static tr_status find_plan(tr_stage *stage, stage_actor *who, tr_vec3 goal, uint32_t action,
                           stage_performance *next, tr_error *error) {
    stage_kind *kind = who->performer->kind;
    const stage_order *order = tr_stage_current(who);
    tr_vec2 to = {goal.x, goal.z};
    tr_behavior_query query = tr_behavior_query_default();
    begin_plan(stage, who, action, &query, next);
    query.goals = &to;
    query.goal_count = 1;
    query.tolerance = tr_stage_tolerance(who);
    query.tolerance = order && order->order.near > query.tolerance ? order->order.near : query.tolerance;
    query.heuristic = TR_BEHAVIOR_FIELD;
    query.seed = who->id + 1000003ull * (order ? order->number : 0);
    tr_behavior_result result = {0};
    tr_behavior_map_withdraw(kind->map, who->body);
    uint64_t began = tr_clock_nanoseconds();
    tr_status status = TR_LIMIT;
    tr_behavior_plan room = next->plan;
    for (uint32_t i = 0; i < ATTEMPTS && (status == TR_LIMIT || status == TR_PARTIAL); i++) {
        next->plan = room;
        query.inflation = attempts[i].inflation;
        query.budget.expansions = attempts[i].nodes;
        status = tr_behavior_find(kind->search, kind->cast->machine, kind->map, &query, &next->plan, &result,
                                  error);
    }
    if (who->plan_timed < STAGE_PLANS)
        who->plan_us[who->plan_timed++] = (float)(tr_clock_nanoseconds() - began) * 1e-3f;
    who->plan_count++;
    stage->expanded += result.expanded;
    tr_error ignored;
    kind->seen[who->body] = 0;
    tr_status back = tr_stage_map_body(stage, kind, who, &ignored);
    if (status == TR_OK)
        take_plan(kind, action != TR_NONE, next);
    return back == TR_OUT_OF_MEMORY ? back : status;
}

// ------------------------------------------------------------------------------------------------ motions

// The clips of an action; of a parametrised one, the two between which its parameter lies.
static tr_behavior_motion_step step_of(const tr_behavior *machine, const tr_behavior_plan *plan, uint32_t i) {
    const tr_behavior_action *action = &plan->actions[i];
    const tr_behavior_state *state = &tr_behavior_def_of(machine)->states[action->state];
    const tr_behavior_move *move = &state->moves[action->move];
    uint32_t end = i + 1 < plan->action_count ? action[1].frame : plan->end_frame;
    tr_behavior_motion_step step = {.clips = {move->clip, move->clip},
                                    .frames = end - action->frame,
                                    .begin = {action->position.x, action->position.z, action->heading},
                                    .special = state->serves != 0 || move->rise != 0,
                                    .rise = move->rise};
    for (uint32_t k = 0; state->parametrised && k + 1 < state->move_count; k++) {
        float low = state->moves[k].parameter, high = state->moves[k + 1].parameter;
        if (action->parameter < low || action->parameter > high)
            continue;
        step.share = (action->parameter - low) / (high - low);
        step.clips[0] = state->moves[k].clip;
        step.clips[1] = state->moves[k + 1].clip;
        step.rise = state->moves[k].rise + step.share * (state->moves[k + 1].rise - state->moves[k].rise);
    }
    return step;
}

static tr_status try_motion(tr_stage *stage, stage_actor *who, const stage_performance *next,
                            const tr_base *goal, double since, perform_try *tried, tr_error *error) {
    tr_behavior_motion_step steps[PERFORM_ACTIONS];
    perform_floor floor = {stage, who->performer->kind};
    const tr_behavior_plan *plan = &next->plan;
    for (uint32_t i = 0; i < plan->action_count; i++)
        steps[i] = step_of(who->performer->kind->cast->machine, plan, i);
    tr_behavior_motion_chain chain = {.steps = steps,
                                      .step_count = plan->action_count,
                                      .end = {plan->end.x, plan->end.z, plan->end_heading},
                                      .goal = goal,
                                      .floor = tr_stage_perform_floor,
                                      .floor_user = &floor};
    return tr_actor_try_perform(who->actor, &chain, since, tried->positions + 1, TR_TIMELINE_TICKS_MAX - 1,
                                &tried->count, error);
}

// Is there room where the way to the precise goal leaves the plan?
static bool has_room(const tr_stage *stage, const stage_kind *kind, const perform_try *plain,
                     const perform_try *precise) {
    for (uint32_t i = 1; i <= precise->count && i < TR_TIMELINE_TICKS_MAX; i++) {
        tr_vec3 a = plain->positions[i], b = precise->positions[i];
        uint32_t frame = (uint32_t)(stage->tick + i - kind->base);
        bool same = tr_vec3_distance_from_above(a, b) < OFF_PLAN;
        if (!same && !tr_behavior_map_is_free(kind->map, 0, (tr_vec2){b.x, b.z}, frame))
            return false;
    }
    return true;
}

tr_status tr_stage_try_performance(tr_stage *stage, stage_actor *who, const stage_performance *next,
                                   const tr_base *to, double since, perform_try *tried, tr_error *error) {
    stage_kind *kind = who->performer->kind;
    perform_try plain = {.positions = stage->performed};
    *tried = (perform_try){.positions = stage->performed + TR_TIMELINE_TICKS_MAX};
    tr_status status = try_motion(stage, who, next, NULL, since, &plain, error);
    if (status != TR_OK || plain.count >= TR_TIMELINE_TICKS_MAX)
        return status == TR_OK
                   ? tr_fail(error, TR_LIMIT, "the way takes more than %d ticks", TR_TIMELINE_TICKS_MAX)
                   : status;
    if (!to)
        return try_motion(stage, who, next, NULL, since, tried, error);
    tr_behavior_map_withdraw(kind->map, who->body);
    status = try_motion(stage, who, next, to, since, tried, error);
    bool room = status == TR_OK && has_room(stage, kind, &plain, tried);
    tr_error ignored;
    tr_status back = tr_stage_map_body(stage, kind, who, &ignored);
    if (back == TR_OUT_OF_MEMORY)
        return tr_fail(error, back, "no memory for the map of behaviors");
    return room ? TR_OK : try_motion(stage, who, next, NULL, since, tried, error);
}

// The precise place to come to rest, with the heading of the order if that is near.
static tr_base precise_end(const stage_actor *who, const stage_performance *next, tr_vec3 goal) {
    const stage_order *order = tr_stage_current(who);
    tr_base to = {goal.x, goal.z, next->plan.end_heading};
    if (order && order->order.has_heading) {
        double turns = ((double)order->order.heading - (double)to.heading) / (2 * TR_PI);
        float off = (float)((turns - floor(turns + 0.5)) * 2 * TR_PI);
        to.heading += fabsf(off) < GOAL_TURN ? off : 0;
    }
    return to;
}

// The body in whose way the motion would be; TR_NONE: there is none.
static bool meets(tr_stage *stage, const stage_actor *who, const perform_try *tried, float margin,
                  uint32_t *body) {
    tr_timeline_meeting meeting;
    tr_timeline_motion motion = {.begin = stage->tick,
                                 .positions = tried->positions,
                                 .count = tried->count + 1,
                                 .radius = who->radius + margin,
                                 .height = who->height,
                                 .self = who->body,
                                 .rest = true,
                                 .bodies = true};
    bool met = tr_timeline_meets(stage->timeline, &motion, &meeting);
    *body = meeting.body;
    return met;
}

static void lay_way(stage_actor *who, const stage_performance *is, tr_vec3 end) {
    tr_way *way = &who->way;
    tr_way_clear(way);
    float along = 0;
    for (uint32_t i = 0; i <= is->plan.action_count && way->point_count + 1 < way->point_max; i++) {
        const tr_behavior_action *action = &is->plan.actions[i];
        bool last = i == is->plan.action_count || way->point_count + 2 == way->point_max;
        tr_vec3 at = last ? end : tr_vec3_make(action->position.x, action->height, action->position.z);
        if (way->point_count)
            along += tr_vec3_distance_from_above(way->points[way->point_count - 1].position, at);
        uint32_t frame = last ? is->plan.end_frame : action->frame;
        way->points[way->point_count++] =
            (tr_way_point){.position = at, .along = along, .time = (float)(frame * TR_STAGE_TICK)};
        if (last)
            break;
    }
    way->pieces[way->piece_count++] = (tr_way_piece){TR_WAY_PERFORM, 0, way->point_count, 0, along, false};
}

tr_status tr_stage_check_performance(tr_stage *stage, stage_actor *who, perform_try *tried, float margin,
                                     uint32_t *body, tr_error *error) {
    *body = TR_NONE;
    tried->positions[0] = tr_stage_place_of(who);
    tr_status status = tr_timeline_reserve(stage->timeline, who->body, tried->count + 1, error);
    if (status != TR_OK)
        return status;
    if (meets(stage, who, tried, margin, body))
        return tr_fail(error, TR_NOT_FOUND, "%.60s is in the way",
                       *body != TR_NONE ? stage->bodies[*body]->name : "an object");
    return TR_OK;
}

tr_status tr_stage_play(tr_stage *stage, stage_actor *who, const perform_try *tried, float to_go,
                        tr_error *error) {
    stage_performer *performer = who->performer;
    uint32_t count = tried->count + 1;
    if (tr_timeline_commit(stage->timeline, who->body, stage->tick, tried->positions, count) != TR_OK)
        return tr_fail(error, TR_LIMIT, "the way takes more than %d ticks", TR_TIMELINE_TICKS_MAX);
    tr_actor_perform(who->actor);
    performer->now = 1 - performer->now;
    performer->tries = 0;
    who->commits++;
    stage->commits++;
    who->commitment = (stage_commitment){
        .slow = stage->tick, .stop = stage->tick, .rest = stage->tick + tried->count, .to_go = to_go};
    who->piece_begun = true;
    who->replan = who->claims = who->stuck = who->lost = false;
    who->blocker = TR_NONE;
    return TR_OK;
}

// The whole way is performed.
static tr_status play_all(tr_stage *stage, stage_actor *who, const perform_try *tried, tr_error *error) {
    stage_performer *performer = who->performer;
    tr_status status = tr_stage_play(stage, who, tried, -1, error);
    if (status != TR_OK)
        return status;
    performer->crosses = false;
    who->errand = STAGE_ORDER;
    who->piece = 0;
    who->narrow_count = 0;
    who->goal = tried->positions[tried->count];
    lay_way(who, &performer->performances[performer->now], who->goal);
    return TR_OK;
}

// --------------------------------------------------------------------------------------------------- orders

// A way that is hardly longer than a start and a stop is walked.
static bool is_near(const stage_actor *who, tr_vec3 goal) {
    const tr_behavior_def *machine = tr_behavior_def_of(who->performer->kind->cast->machine);
    float least = INFINITY, out = INFINITY;
    for (uint32_t i = 0; i < machine->state_count; i++) {
        const tr_behavior_state *state = &machine->states[i];
        float far = tr_vec2_length((tr_vec2){state->moves[0].x, state->moves[0].z});
        if (state->begin == machine->rest)
            least = far < least ? far : least;
        else if (state->end == machine->rest)
            out = far < out ? far : out;
    }
    return tr_vec3_distance_from_above(tr_stage_place_of(who), goal) < WALK_SHARE * (least + out);
}

static bool may_walk(tr_stage *stage, stage_actor *who, const tr_vec3 *goals) {
    if (!tr_stage_walks(who))
        return false;
    tr_go_result result = {0};
    tr_error ignored;
    return tr_stage_find_way(stage, who, goals, 1, 1, &result, &ignored) == TR_OK;
}

// Nothing was found: others may leave room later.
static bool waits(const tr_stage *stage, stage_performer *performer) {
    performer->try_tick = stage->tick + RETRY_TICKS;
    return stage->actor_count > 1 && ++performer->tries < TRIES_MOST;
}

static tr_status perform(tr_stage *stage, stage_actor *who, tr_vec3 goal, tr_error *error) {
    stage_performer *performer = who->performer;
    stage_performance *next = &performer->performances[1 - performer->now];
    double since = 0;
    uint32_t action = TR_NONE;
    if (tr_stage_is_performing(who)) {
        action = action_under_way(who, &since);
        if (action == TR_NONE)
            return TR_PARTIAL; // comes to rest first
    } else
        performer->stood = tr_stage_place_of(who);
    tr_status status = tr_stage_update_map(stage, performer->kind, error);
    if (status == TR_OK)
        status = find_plan(stage, who, goal, action, next, error);
    if (status == TR_OK && next->plan.action_count == 0)
        return TR_NOT_FOUND; // it is there
    perform_try tried;
    uint32_t body;
    // Hooves and wheels are not pushed aside: a character without a gait comes to rest near its goal.
    tr_base to = precise_end(who, next, goal);
    if (status == TR_OK)
        status = tr_stage_try_performance(stage, who, next, tr_stage_walks(who) ? &to : NULL, since, &tried,
                                          error);
    if (status == TR_OK)
        status = tr_stage_check_performance(stage, who, &tried, 0, &body, error);
    return status == TR_OK ? play_all(stage, who, &tried, error) : status;
}

// An actor that walks where it can: the cheapest way, with crossings where that is less than walking around.
// TR_NOT_FOUND: there is none.
static tr_status plan_crossings(tr_stage *stage, stage_actor *who, stage_order *order, const tr_vec3 *goals,
                                uint32_t count, bool *done, tr_error *error) {
    bool crosses = false;
    tr_error why = {0};
    tr_status status = tr_stage_find_crossings(stage, who, goals, count, &crosses, &why);
    *done = status == TR_OK && crosses;
    if (*done) {
        order->unplanned = who->replan = false;
        tr_stage_take_way(stage, who, order);
    }
    return status == TR_OUT_OF_MEMORY ? tr_fail(error, status, "no memory for the way of %.60s", who->name)
                                      : status;
}

tr_status tr_stage_plan_performance(tr_stage *stage, stage_actor *who, stage_order *order, bool *done,
                                    tr_error *error) {
    stage_performer *performer = who->performer;
    *done = false;
    if (!performer || order->order.goal_kind == TR_GOAL_ACTOR)
        return TR_OK;
    tr_vec3 goals[TR_PATH_GOALS_MAX];
    uint32_t count = tr_stage_goals(stage, who, &order->order, goals);
    if (count == 0)
        return TR_OK;
    bool performs = tr_stage_is_performing(who);
    if (performs && performer->crosses) {
        *done = order->rests_first = true;
        return TR_OK;
    }
    if (!performs && performer->where_needed) {
        tr_status status = plan_crossings(stage, who, order, goals, count, done, error);
        if (status != TR_NOT_FOUND)
            return status;
    } else if (!performs && tr_stage_walks(who) && is_near(who, goals[0]))
        return TR_OK;
    *done = true;
    if (stage->tick < performer->try_tick)
        return TR_OK;
    if (!performs && !tr_stage_rests(stage, who)) {
        order->rests_first = true;
        return TR_OK;
    }
    tr_error why = {0};
    tr_status status = perform(stage, who, goals[0], &why);
    if (status == TR_OUT_OF_MEMORY)
        return tr_fail(error, status, "no memory for the way of %.60s", who->name);
    if (status == TR_OK) {
        order->unplanned = who->replan = false;
    } else if (status == TR_PARTIAL) {
        order->rests_first = true;
    } else if (!waits(stage, performer) && !performs) {
        // What behaviors cannot do, as to turn on the spot, a walk may.
        performer->tries = 0;
        if (may_walk(stage, who, goals)) {
            *done = false;
            return TR_OK;
        }
        order->unplanned = who->replan = false;
        tr_stage_end_order(stage, who, TR_ORDER_FAILED, why.message[0] ? why.message : "no way was found");
    }
    return TR_OK;
}
