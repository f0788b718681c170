#include "actor_root.h"

#include "troupe/base/scalar.h"

#include <string.h>

#define TURN_LEAST 0.6f       // a smaller error of heading at rest is walked off in a curve [rad]
#define TURN_PACE 1.6         // turns on the spot are played so much faster: half a turn takes two seconds
#define FINAL_TURN_LEAST 0.2f // at the end of a route
#define REST_SPEED 0.05f      // below this an actor stands [m/s]
#define HELD_SPEED 0.01f      // one who is held up and slower comes to a stand at once [m/s]
#define HELD_TURN 0.02f       // likewise [rad/s]
#define ARRIVE 0.04f          // so near to the end is there: the last centimetres would be shuffled [m]

tr_status tr_actor_task_create(const tr_allocator *allocator, uint32_t route_points_max, actor_task *task,
                               tr_error *error) {
    uint32_t points = route_points_max ? route_points_max : 256;
    *task = (actor_task){.route_points_max = points};
    tr_status status = tr_follow_route_create(allocator, points, &task->route, error);
    if (status != TR_OK)
        return status;
    task->sideways = tr_allocate_zero(allocator, points, sizeof *task->sideways);
    task->treads = tr_allocate_zero(allocator, TR_ACTOR_TREADS_MAX, sizeof *task->treads);
    return task->sideways && task->treads ? TR_OK
                                          : tr_fail(error, TR_OUT_OF_MEMORY, "no memory for an actor");
}

void tr_actor_task_destroy(const tr_allocator *allocator, actor_task *task) {
    tr_release(allocator, task->treads, TR_ACTOR_TREADS_MAX, sizeof *task->treads);
    tr_release(allocator, task->sideways, task->route_points_max, sizeof *task->sideways);
    tr_follow_route_destroy(task->route);
}

// ------------------------------------------------------------------------------------------ what it is told

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
    for (uint32_t i = 0; passage && i + 1 < point_count && i < task->route_points_max; i++)
        task->sideways[i] = passage[i] == TR_PASSAGE_SIDE;
    tr_status status = tr_follow_route_set(task->route, points, point_count, passage ? task->sideways : NULL,
                                           NULL, &params, error);
    if (status != TR_OK)
        return status;
    task->follow = params;
    root->state.progress = 0;
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
    memcpy(task->treads, treads, tread_count * sizeof *treads);
    task->stepping = tr_stepping_params_default();
    task->stepping.floor = floor;
    task->stepping.floor_user = floor_user;
    root->tread_count = tread_count;
    root->tread_next = 0;
    root->stepping = true;
    root->has_route = root->has_final = false;
    root->turn = NULL;
}

void tr_actor_root_leave_treads(actor_root *root, const tr_stepping_state *steps) {
    float left = steps->feet[0].tread.position.y, right = steps->feet[1].tread.position.y;
    root->stepping = false;
    root->ground = left < right ? left : right;
}

// ------------------------------------------------------------------------------------------------ on the
// level

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

static void begin_turn(actor_root *root, const tr_character *character, float angle) {
    uint32_t side = angle > 0 ? 0 : 1; // positive turns from +Z towards +X, which is the character's left
    float size = fabsf(angle), step = (float)TR_PI / TR_CHARACTER_TURNS;
    uint32_t which = (uint32_t)(size / step + 0.5f);
    which = which < 1 ? 1 : which > TR_CHARACTER_TURNS ? TR_CHARACTER_TURNS : which;
    root->turn = character->turns[side][which - 1];
    root->turn_time = 0;
    root->turn_begin = (tr_base){root->state.position.x, root->state.position.z, root->state.heading};
    root->turn_scale = size / ((float)which * step);
    root->state.speed = root->state.side_speed = root->state.turn_rate = 0;
    root->doing = TR_ACTOR_TURNS;
}

// Where the turn has brought the base point at a time of its clip.
static tr_base turn_base(const actor_root *root, double time) {
    tr_base by = tr_base_difference(tr_clip_base(root->turn, 0), tr_clip_base(root->turn, time));
    by.heading *= root->turn_scale;
    return tr_base_move(root->turn_begin, by);
}

static void step_turn(actor_root *root, float dt) {
    root->turn_time += TURN_PACE * dt;
    double end = tr_clip_duration(root->turn);
    bool ends = root->turn_time >= end;
    tr_base base = turn_base(root, ends ? end : root->turn_time);
    root->state.turn_rate = ends ? 0 : (base.heading - root->state.heading) / dt;
    root->state.position = (tr_vec2){base.x, base.z};
    root->state.heading = base.heading;
    root->doing = TR_ACTOR_TURNS;
}

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
    if (fabsf(state->speed) >= HELD_SPEED || fabsf(state->side_speed) >= HELD_SPEED)
        return false;
    float decay = 1 - 8 * dt;
    state->speed = state->side_speed = 0;
    state->heading += state->turn_rate * dt;
    state->turn_rate *= decay > 0 && fabsf(state->turn_rate) > HELD_TURN ? decay : 0;
    return true;
}

static tr_status arrive(actor_root *root, const tr_character *character) {
    root->state.speed = root->state.side_speed = 0;
    float error = root->has_final ? wrap(root->final_heading - root->state.heading) : 0;
    root->has_final = false;
    if (fabsf(error) > FINAL_TURN_LEAST) {
        begin_turn(root, character, error);
        return TR_OK;
    }
    root->has_route = false;
    return TR_DONE;
}

tr_status tr_actor_root_walk(actor_root *root, const actor_task *task, const actor_nature *nature,
                             float speed_limit) {
    tr_follow_state *state = &root->state;
    root->doing = TR_ACTOR_STANDS;
    if (root->turn && root->turn_time >= tr_clip_duration(root->turn))
        root->turn = NULL; // its last pose was shown in the step before
    if (root->turn) {
        step_turn(root, nature->dt);
        return TR_OK;
    }
    if (!root->has_route)
        return TR_DONE;
    if (speed_limit == 0 && hold(state, nature->dt)) {
        root->doing = state->mode == TR_FOLLOW_SIDE ? TR_ACTOR_SIDE_STEPS : TR_ACTOR_STANDS;
        return TR_OK;
    }
    bool rests = fabsf(state->speed) < REST_SPEED && fabsf(state->side_speed) < REST_SPEED;
    float left = tr_follow_route_length(task->route) - state->progress;
    // Who rests in a gap goes on sideways: to turn there is to turn for ever.
    bool ahead = rests && state->mode != TR_FOLLOW_SIDE && left > task->follow.arrive;
    float error = ahead && speed_limit > 0 ? error_at_start(root, task, nature->corridor) : 0;
    if (fabsf(error) > TURN_LEAST) {
        begin_turn(root, nature->character, error);
        return TR_OK;
    }
    if (state->mode == TR_FOLLOW_TURN && !rests) {
        brake(state, task->follow.acceleration_max, nature->dt);
        root->doing = TR_ACTOR_WALKS;
        return TR_OK;
    }
    tr_status status = tr_follow_step(state, task->route, &task->follow, speed_limit, nature->dt);
    if (status == TR_DONE)
        return arrive(root, nature->character);
    root->doing = state->mode == TR_FOLLOW_SIDE ? TR_ACTOR_SIDE_STEPS : TR_ACTOR_WALKS;
    return status;
}

// ---------------------------------------------------------------------------------------------- over
// footprints

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
    if (root->turn && root->turn_time < tr_clip_duration(root->turn))
        return false;
    return !root->has_route || (root->state.speed == 0 && root->state.side_speed == 0);
}
