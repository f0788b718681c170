#include "actor_root.h"

#include "troupe/base/scalar.h"

#include <string.h>

#define TURN_LEAST 0.6f       // a smaller error of heading at rest is walked off in a curve [rad]
#define SIDE_TURNED 0.15f     // so near to facing across a gap is turned [rad]
#define SIDE_LEAST 0.03f      // what is left of a gap when it is done [m]
#define SIDE_STRAIGHT 0.03f   // that a stretch may bend [m]
#define FINAL_TURN_LEAST 0.2f // at the end of a route
#define REST_SPEED 0.05f      // below this an actor stands [m/s]
#define HELD_SPEED 0.01f      // one who is held up and slower comes to a stand at once [m/s]
#define HELD_TURN 0.02f       // likewise [rad/s]
#define ARRIVE 0.04f          // so near to the end is there: the last centimetres would be shuffled [m]

tr_status tr_actor_task_create(const tr_allocator *allocator, uint32_t points, uint32_t treads,
                               actor_task *task, tr_error *error) {
    *task = (actor_task){0};
    tr_status status = tr_follow_route_create(allocator, points, &task->route, error);
    return status == TR_OK ? tr_actor_task_reserve(allocator, points, treads, task, error) : status;
}

tr_status tr_actor_task_reserve(const tr_allocator *allocator, uint32_t points, uint32_t treads,
                                actor_task *task, tr_error *error) {
    void *stretches = task->stretches, *prints = task->treads;
    bool room = tr_reserve(allocator, &stretches, &task->point_room, points, sizeof *task->stretches) &&
                tr_follow_route_reserve(task->route, task->point_room) == TR_OK;
    task->stretches = stretches;
    room = room &&
           (treads == 0 || tr_reserve(allocator, &prints, &task->tread_room, treads, sizeof *task->treads));
    task->treads = prints;
    return room ? TR_OK : tr_fail(error, TR_OUT_OF_MEMORY, "no memory for what an actor is told");
}

void tr_actor_task_destroy(const tr_allocator *allocator, actor_task *task) {
    tr_release(allocator, task->treads, task->tread_room, sizeof *task->treads);
    tr_release(allocator, task->stretches, task->point_room, sizeof *task->stretches);
    tr_follow_route_destroy(task->route);
}

// ---------------------------------------------------------------- what it is told

// How far a point is from the line between two others [m].
static float off_line(tr_vec2 a, tr_vec2 b, tr_vec2 point) {
    float x = b.x - a.x, z = b.z - a.z, size = sqrtf(x * x + z * z);
    return size > 0 ? fabsf((point.x - a.x) * z - (point.z - a.z) * x) / size : 0;
}

// May pieces `first` to `piece` be one stretch? Steps aside go straight.
static bool is_one(const tr_vec2 *points, const uint8_t *passage, uint32_t first, uint32_t piece) {
    if (passage[piece] != passage[first])
        return false;
    bool straight = true;
    for (uint32_t i = first + 1; i <= piece && passage[first] == TR_PASSAGE_SIDE && straight; i++)
        straight = off_line(points[first], points[piece + 1], points[i]) < SIDE_STRAIGHT;
    return straight;
}

static void find_stretches(actor_task *task, const tr_vec2 *points, uint32_t point_count,
                           const uint8_t *passage) {
    double along = 0;
    task->stretch_count = 0;
    for (uint32_t i = 0; passage && i + 1 < point_count;) {
        uint32_t first = i;
        float begin = (float)along;
        for (; i + 1 < point_count && is_one(points, passage, first, i); i++) {
            double x = (double)points[i + 1].x - points[i].x, z = (double)points[i + 1].z - points[i].z;
            along += sqrt(x * x + z * z);
        }
        if (passage[first] != TR_PASSAGE_OPEN)
            task->stretches[task->stretch_count++] =
                (actor_stretch){begin, (float)along, points[i], passage[first]};
    }
}

tr_status tr_actor_root_set_route(actor_root *root, actor_task *task, const actor_nature *nature,
                                  const tr_vec2 *points, uint32_t point_count, const uint8_t *passage,
                                  const float *final_heading, float speed, tr_error *error) {
    float most = tr_locomotion_speed_max(nature->character->locomotion);
    float wish = speed > 0 ? speed : nature->speed;
    tr_follow_params params =
        tr_follow_params_default(wish < most ? wish : most, nature->dt, nature->corridor);
    params.arrive = ARRIVE;
    float gentle = 1.2f + 0.4f * params.speed; // harder braking stretches a stance further than legs reach
    params.acceleration_max = params.acceleration_max < gentle ? params.acceleration_max : gentle;
    for (uint32_t i = 0; passage && i + 1 < point_count; i++)
        if (passage[i] > TR_PASSAGE_SIDE)
            return tr_fail(error, TR_INVALID, "piece %u of the route has passage %u", i, passage[i]);
    tr_status status = tr_follow_route_set(task->route, points, point_count, NULL, NULL, &params, error);
    if (status != TR_OK)
        return status;
    find_stretches(task, points, point_count, passage);
    task->point_count = point_count;
    task->follow = params;
    root->state.progress = 0;
    root->side = 0;
    root->has_route = true;
    root->has_final = final_heading != NULL;
    root->final_heading = final_heading ? *final_heading : 0;
    return TR_OK;
}

static bool is_good(const tr_tread *tread) {
    return tr_vec3_is_finite(tread->position) && isfinite(tread->heading) && tread->side < 2;
}

tr_status tr_actor_root_check_treads(const tr_tread *treads, uint32_t tread_count, tr_error *error) {
    if (tread_count == 0)
        return tr_fail(error, TR_INVALID, "an actor cannot go over no footprints");
    if (tread_count > TR_ACTOR_TREADS_MAX)
        return tr_fail(error, TR_LIMIT, "%u footprints, there may be %d", tread_count, TR_ACTOR_TREADS_MAX);
    for (uint32_t i = 0; i < tread_count; i++)
        if (!is_good(&treads[i]))
            return tr_fail(error, TR_INVALID, "footprint %u is not finite or on neither side", i);
    return TR_OK;
}

void tr_actor_root_set_treads(actor_root *root, actor_task *task, const tr_tread *treads,
                              uint32_t tread_count, float (*floor)(void *user, tr_vec3 point),
                              void *floor_user) {
    memmove(task->treads, treads, tread_count * sizeof *treads);
    task->stepping = tr_stepping_params_default();
    task->stepping.floor = floor;
    task->stepping.floor_user = floor_user;
    root->tread_count = tread_count;
    root->tread_next = 0;
    root->stepping = true;
    root->has_route = root->has_final = false;
    root->move = NULL;
}

void tr_actor_root_leave_treads(actor_root *root, const tr_stepping_state *steps) {
    float left = steps->feet[0].tread.position.y, right = steps->feet[1].tread.position.y;
    root->stepping = false;
    root->ground = left < right ? left : right;
}

// ---------------------------------------------------------------- moves

static float wrap(float angle) {
    double turns = floor((double)angle / (2 * TR_PI) + 0.5);
    return (float)(angle - turns * 2 * TR_PI);
}

// How far the actor must turn before it can walk off along its route [rad]: as a follower at rest aims.
static float error_at_start(const actor_root *root, const actor_task *task, float corridor) {
    float ahead = 0.5f * corridor;
    tr_vec2 aim = tr_follow_route_point(task->route, root->state.progress + (ahead < 0.05f ? 0.05f : ahead));
    double x = aim.x - root->state.position.x, z = aim.z - root->state.position.z;
    if (x * x + z * z < 1e-4)
        return 0;
    return wrap((float)tr_arc_tangent(x, z) - root->state.heading);
}

static void begin_move(actor_root *root, const tr_cast_move *move, float scale) {
    root->move = move;
    root->move_time = 0;
    root->move_begin = (tr_base){root->state.position.x, root->state.position.z, root->state.heading};
    root->move_scale = scale;
    root->state.speed = root->state.side_speed = root->state.turn_rate = 0;
    root->state.mode = TR_FOLLOW_WALK;
}

// Positive turns from +Z towards +X, which is the character's left. false: it cannot turn on the spot.
static bool begin_turn(actor_root *root, const tr_character *character, float angle) {
    float part;
    const tr_cast_move *move = tr_cast_turn(character, angle, &part);
    if (!move)
        return false;
    begin_move(root, move, part);
    root->doing = TR_ACTOR_TURNS;
    return true;
}

static void step_turn(actor_root *root, double time, float dt) {
    tr_base by = tr_base_difference(tr_clip_base(root->move->clip, 0), tr_clip_base(root->move->clip, time));
    by.heading *= root->move_scale;
    tr_base base = tr_base_move(root->move_begin, by);
    root->state.turn_rate = (base.heading - root->state.heading) / dt;
    root->state.position = (tr_vec2){base.x, base.z};
    root->state.heading = base.heading;
}

// Along its way whichever direction the body faces, nearly across.
static void step_aside(actor_root *root, double time, float dt) {
    const tr_base *begin = &root->move_begin;
    float whole = root->move->aside, moved = tr_clip_base(root->move->clip, time).x;
    float way = root->move_scale * fabsf(moved), share = moved / whole;
    tr_vec2 at = {begin->x + root->move_way.x * way, begin->z + root->move_way.z * way};
    float x = at.x - root->state.position.x, z = at.z - root->state.position.z;
    float gone = sqrtf(x * x + z * z);
    root->state.side_speed = (whole > 0 ? gone : -gone) / dt;
    root->state.position = at;
    root->state.heading = begin->heading + root->move_turn * share;
    root->state.progress += gone;
}

static void step_move(actor_root *root, float dt) {
    bool aside = root->move->aside != 0;
    root->move_time += root->move->pace * dt;
    root->doing = aside ? TR_ACTOR_SIDE_STEPS : TR_ACTOR_TURNS;
    double end = tr_clip_duration(root->move->clip);
    bool ends = root->move_time >= end;
    if (aside)
        step_aside(root, ends ? end : root->move_time, dt);
    else
        step_turn(root, ends ? end : root->move_time, dt);
    if (ends)
        root->state.turn_rate = root->state.side_speed = 0;
}

// ---------------------------------------------------------------- narrow places

static const actor_stretch *next_side(actor_root *root, const actor_task *task) {
    const actor_stretch *stretches = task->stretches;
    while (root->side < task->stretch_count && stretches[root->side].passage != TR_PASSAGE_SIDE)
        root->side++;
    return root->side < task->stretch_count ? &stretches[root->side] : NULL;
}

// How fast it may be so far before a place where it stops: as before the end of a route.
static float speed_before(const tr_follow_params *params, float left) {
    float near_goal = params->near_goal, gain = params->position_gain;
    if (left < near_goal)
        return gain * left;
    return sqrtf(gain * near_goal * gain * near_goal + params->acceleration_max * (left - near_goal));
}

// At rest at the begin of a stretch, or within it: turn across, then step by step to its end.
static void go_aside(actor_root *root, const actor_task *task, const tr_character *character) {
    const actor_stretch *stretch = &task->stretches[root->side];
    tr_follow_state *state = &root->state;
    float x = stretch->to.x - state->position.x, z = stretch->to.z - state->position.z;
    float left = sqrtf(x * x + z * z);
    if (left < SIDE_LEAST) {
        state->progress = stretch->end > state->progress ? stretch->end : state->progress;
        root->side++;
        return;
    }
    // The way goes to the left of one who faces a quarter turn short of it.
    float ahead = (float)tr_arc_tangent(x, z);
    float leftwards = wrap(ahead - (float)(TR_PI / 2) - state->heading);
    float rightwards = wrap(ahead + (float)(TR_PI / 2) - state->heading);
    bool to_left = fabsf(leftwards) < fabsf(rightwards);
    float error = to_left ? leftwards : rightwards;
    if (fabsf(error) > SIDE_TURNED && begin_turn(root, character, error))
        return;
    const tr_cast_move *step = tr_cast_aside(character, to_left);
    if (!step) { // walks through
        root->side++;
        return;
    }
    float own = fabsf(step->aside);
    float count = ceilf(left / own - 0.05f); // a little longer than its own is better than one more
    count = count < 1 ? 1 : count;
    begin_move(root, step, left / (count * own));
    root->move_way = (tr_vec2){x / left, z / left};
    root->move_turn = error;
    root->doing = TR_ACTOR_SIDE_STEPS;
}

bool tr_actor_root_is_tight(const actor_root *root, const actor_task *task, float ahead, float behind) {
    float progress = root->state.progress;
    bool tight = false;
    for (uint32_t i = 0; i < task->stretch_count && root->has_route && !tight; i++) {
        const actor_stretch *stretch = &task->stretches[i];
        tight = stretch->passage == TR_PASSAGE_TIGHT && stretch->begin - ahead < progress &&
                progress < stretch->end + behind;
    }
    return tight;
}

// ---------------------------------------------------------------- along the route

// Whose way leads elsewhere comes to rest first, straight on, and then turns with steps: legs that stand
// cannot follow a body that spins.
static void brake(tr_follow_state *state, float acceleration_max, float dt) {
    double s, c, before = state->speed;
    float least = acceleration_max * dt;
    state->speed = fabsf(state->speed) < least ? 0 : state->speed - (state->speed > 0 ? least : -least);
    state->side_speed = 0;
    tr_sin_cos(state->heading + 0.5 * (double)state->turn_rate * dt, &s, &c);
    double way = 0.5 * (before + state->speed) * dt;
    state->position.x += (float)(way * s);
    state->position.z += (float)(way * c);
    state->heading += state->turn_rate * dt;
    float decay = 1 - 8 * dt;
    state->turn_rate *= decay > 0 ? decay : 0;
}

// An actor that is held up ends at rest: control alone would creep up to its aim for ever.
static bool hold(tr_follow_state *state, float dt) {
    if (fabsf(state->speed) >= HELD_SPEED)
        return false;
    float decay = 1 - 8 * dt;
    state->speed = 0;
    state->heading += state->turn_rate * dt;
    state->turn_rate *= decay > 0 && fabsf(state->turn_rate) > HELD_TURN ? decay : 0;
    return true;
}

static tr_status arrive(actor_root *root, const tr_character *character) {
    root->state.speed = root->state.side_speed = 0;
    float error = root->has_final ? wrap(root->final_heading - root->state.heading) : 0;
    root->has_final = false;
    if (fabsf(error) > FINAL_TURN_LEAST && begin_turn(root, character, error))
        return TR_OK;
    root->has_route = false;
    return TR_DONE;
}

// Comes to rest before a stretch that is side-stepped. true: it is there, or within it, and at rest.
static bool is_at_gap(actor_root *root, const actor_task *task, bool rests, float *speed_limit) {
    const actor_stretch *stretch = next_side(root, task);
    if (!stretch)
        return false;
    float left = stretch->begin - root->state.progress;
    float most = left > ARRIVE ? speed_before(&task->follow, left) : 0;
    *speed_limit = most < *speed_limit ? most : *speed_limit;
    return rests && left <= ARRIVE;
}

static tr_status follow(actor_root *root, const actor_task *task, const actor_nature *nature,
                        float speed_limit) {
    tr_follow_state *state = &root->state;
    bool rests = fabsf(state->speed) < REST_SPEED;
    float wanted = speed_limit;
    if (speed_limit == 0 && hold(state, nature->dt))
        return TR_OK;
    if (is_at_gap(root, task, rests, &speed_limit)) {
        state->speed = state->turn_rate = 0;
        if (wanted > ACTOR_WAIT_SPEED)
            go_aside(root, task, nature->character);
        return TR_OK;
    }
    float left = tr_follow_route_length(task->route) - state->progress;
    bool ahead = rests && left > task->follow.arrive;
    float error = ahead && speed_limit > 0 ? error_at_start(root, task, nature->corridor) : 0;
    if (fabsf(error) > TURN_LEAST && begin_turn(root, nature->character, error))
        return TR_OK;
    root->doing = TR_ACTOR_WALKS;
    if (state->mode == TR_FOLLOW_TURN && !rests) {
        brake(state, task->follow.acceleration_max, nature->dt);
        return TR_OK;
    }
    tr_status status = tr_follow_step(state, task->route, &task->follow, speed_limit, nature->dt);
    if (status != TR_DONE)
        return status;
    root->doing = TR_ACTOR_STANDS;
    return arrive(root, nature->character);
}

tr_status tr_actor_root_walk(actor_root *root, const actor_task *task, const actor_nature *nature,
                             float speed_limit) {
    root->doing = TR_ACTOR_STANDS;
    if (root->move && root->move_time >= tr_clip_duration(root->move->clip))
        root->move = NULL; // its last pose was shown in the step before
    if (root->move) {
        step_move(root, nature->dt);
        return TR_OK;
    }
    return root->has_route ? follow(root, task, nature, speed_limit) : TR_DONE;
}

// ---------------------------------------------------------------- over footprints

uint32_t tr_actor_root_treads_seen(const actor_root *root, float speed_limit) {
    return speed_limit > ACTOR_WAIT_SPEED ? root->tread_count - root->tread_next : 0;
}

// The disc goes where the body is.
static void lead_disc(actor_root *root, const tr_stepping_state *steps, float dt) {
    tr_follow_state *state = &root->state;
    tr_vec3 position, velocity;
    float heading;
    tr_stepping_base(steps, &position, &heading, &velocity);
    state->turn_rate = (heading - state->heading) / dt;
    state->position = (tr_vec2){position.x, position.z};
    state->heading = heading;
    state->speed = sqrtf(velocity.x * velocity.x + velocity.z * velocity.z);
    state->side_speed = 0;
    root->ground = position.y;
}

tr_status tr_actor_root_follow_steps(actor_root *root, const tr_stepping_state *steps, uint32_t used,
                                     tr_status status, float dt) {
    root->tread_next += used;
    root->doing = TR_ACTOR_STEPS;
    lead_disc(root, steps, dt);
    if (status != TR_DONE)
        return status;
    root->state.speed = root->state.turn_rate = 0;
    if (root->tread_next < root->tread_count)
        return TR_OK; // waits on the stairs
    tr_actor_root_leave_treads(root, steps);
    return TR_DONE;
}

bool tr_actor_root_rests(const actor_root *root, const tr_stepping_state *steps) {
    if (root->stepping)
        return !steps->fresh && steps->ends && steps->time >= (double)steps->duration;
    if (root->move && root->move_time < tr_clip_duration(root->move->clip))
        return false;
    return !root->has_route || root->state.speed == 0;
}
