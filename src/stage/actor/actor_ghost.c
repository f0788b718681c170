// Trials: the root of an actor, copied and moved on without a body.
#include "actor_data.h"

#define STOP_TICKS_MAX 100000 // more than any root takes to come to rest

typedef enum ghost_told { GHOST_NOTHING, GHOST_ROUTE, GHOST_FOOTSTEPS, GHOST_RIDE } ghost_told;

struct tr_actor_ghost {
    tr_allocator allocator;
    tr_actor *actor;
    ghost_told told;
    tr_driver_task task;     // its own; used once it has a route or footsteps
    uint32_t gone;           // ticks so far
    tr_driver_state braking; // coming to rest, or at rest
    actor_rehearsals rehearsals;
    actor_rehearsal *rehearsal; // of its route; may be NULL
    bool prepared;              // the task has the route of the rehearsal
    actor_run_place going, stopping;
    // States since the start. Only the parts of a driver are set that count in a tick.
    tr_driver_state states[TR_ACTOR_GHOST_TICKS + 1];
};

tr_status tr_actor_ghost_create(const tr_allocator *allocator, uint32_t route_points_max,
                                tr_actor_ghost **ghost, tr_error *error) {
    *ghost = NULL;
    tr_allocator own = tr_allocator_or_default(allocator);
    tr_actor_ghost *made = tr_allocate_zero(&own, 1, sizeof *made);
    if (!made)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a ghost");
    made->allocator = own;
    uint32_t points = route_points_max ? route_points_max : ACTOR_ROUTE_POINTS;
    tr_status status = tr_driver_task_create(&own, points, TR_ACTOR_FOOTSTEPS_MAX, &made->task, error);
    if (status != TR_OK) {
        tr_actor_ghost_destroy(made);
        return status;
    }
    *ghost = made;
    return TR_OK;
}

void tr_actor_ghost_destroy(tr_actor_ghost *ghost) {
    if (!ghost)
        return;
    tr_allocator allocator = ghost->allocator;
    tr_driver_task_destroy(&allocator, &ghost->task);
    tr_actor_rehearsals_release(&ghost->rehearsals, &allocator);
    tr_release(&allocator, ghost, 1, sizeof *ghost);
}

tr_status tr_actor_ghost_reserve(tr_actor_ghost *ghost, uint32_t waiting, tr_error *error) {
    if (!tr_actor_rehearsals_reserve(&ghost->rehearsals, &ghost->allocator, waiting))
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the rehearsals of %u actors", waiting);
    return TR_OK;
}

// For a walking actor neither steps nor a ride count.
static void copy_state(tr_driver_state *to, const tr_driver_state *from) {
    to->root = from->root;
    if (from->root.kind == TR_DRIVER_STEPS)
        to->steps = from->steps;
    else if (from->root.kind == TR_DRIVER_RIDE)
        to->ride = from->ride;
    else if (from->root.kind == TR_DRIVER_PERFORM)
        to->perform = from->perform;
}

void tr_actor_ghost_begin(tr_actor_ghost *ghost, tr_actor *actor) {
    ghost->actor = actor;
    ghost->told = GHOST_NOTHING;
    ghost->rehearsal = NULL;
    ghost->going.run = TR_NONE;
    ghost->gone = 0;
    copy_state(&ghost->states[0], &actor->driver);
}

static tr_status tell_route(tr_actor_ghost *ghost, const actor_told *told, tr_error *error) {
    ghost->task.footstep_motion = ghost->actor->task.footstep_motion; // for a step that is finished first
    tr_status status =
        tr_driver_set_route(&ghost->states[0], &ghost->task, &ghost->actor->nature, told->points,
                            told->point_count, told->passage, told->final_heading, told->speed, error);
    if (status == TR_OK && told->heights)
        tr_driver_set_heights(&ghost->states[0], &ghost->task, told->points, told->heights,
                              told->point_count);
    return status;
}

// The route of a rehearsal is prepared only when something not yet rehearsed is needed. It was prepared
// before, so it is valid.
static void prepare(tr_actor_ghost *ghost) {
    if (!ghost->rehearsal || ghost->prepared)
        return;
    actor_told told = tr_actor_rehearsal_told(ghost->rehearsal);
    tr_driver_root begin = ghost->states[0].root;
    tell_route(ghost, &told, NULL);
    ghost->states[0].root = begin;
    ghost->prepared = true;
}

// The same root as tr_driver_set_route leaves for a standing actor.
static void begin_rehearsed(tr_actor_ghost *ghost) {
    tr_driver_root *root = &ghost->states[0].root;
    const tr_driver_root *then = &ghost->rehearsal->root;
    root->state.progress = then->state.progress;
    root->side = then->side;
    root->has_route = then->has_route;
    root->has_final = then->has_final;
    root->final_heading = then->final_heading;
    root->slopes = root->ground_new = false;
}

tr_status tr_actor_ghost_set_route(tr_actor_ghost *ghost, const tr_vec2 *points, uint32_t point_count,
                                   const uint8_t *passage, const float *final_heading, float speed,
                                   tr_error *error) {
    return tr_actor_ghost_set_slopes(ghost, points, NULL, point_count, passage, final_heading, speed, error);
}

tr_status tr_actor_ghost_set_slopes(tr_actor_ghost *ghost, const tr_vec2 *points, const float *heights,
                                    uint32_t point_count, const uint8_t *passage, const float *final_heading,
                                    float speed, tr_error *error) {
    tr_actor *actor = ghost->actor;
    tr_actor_ghost_begin(ghost, actor);
    actor_told told = {points, point_count, passage, final_heading, speed, heights};
    actor_rehearsal *rehearsal = tr_actor_rehearsal_of(&ghost->rehearsals, actor, &told);
    tr_status status = TR_OK;
    ghost->prepared = !rehearsal || !rehearsal->actor;
    if (ghost->prepared)
        status = tell_route(ghost, &told, error);
    ghost->told = status == TR_OK ? GHOST_ROUTE : GHOST_NOTHING;
    if (status != TR_OK)
        return status;
    ghost->rehearsal = rehearsal;
    if (!ghost->prepared)
        begin_rehearsed(ghost);
    else if (rehearsal)
        tr_actor_rehearsal_begin(rehearsal, actor, &told, &ghost->states[0].root);
    return TR_OK;
}

tr_status tr_actor_ghost_set_footsteps(tr_actor_ghost *ghost, const tr_footstep *footsteps,
                                       uint32_t footstep_count, float speed,
                                       float (*floor)(void *user, tr_vec3 point), void *floor_user,
                                       tr_error *error) {
    tr_actor_ghost_begin(ghost, ghost->actor);
    bool begins = ghost->states[0].root.kind != TR_DRIVER_STEPS;
    tr_status status = tr_driver_set_footsteps(&ghost->states[0], &ghost->task, &ghost->actor->nature,
                                               footsteps, footstep_count, speed, floor, floor_user, error);
    if (status == TR_OK && begins)
        tr_actor_begin_steps(ghost->actor, &ghost->states[0].steps);
    ghost->told = status == TR_OK ? GHOST_FOOTSTEPS : GHOST_NOTHING;
    return status;
}

tr_status tr_actor_ghost_set_ride(tr_actor_ghost *ghost, tr_vec3 to, float seconds, tr_error *error) {
    tr_actor_ghost_begin(ghost, ghost->actor);
    tr_status status = tr_driver_set_ride(&ghost->states[0], to, seconds, error);
    ghost->told = status == TR_OK ? GHOST_RIDE : GHOST_NOTHING;
    return status;
}

static tr_status step(tr_actor_ghost *ghost, tr_driver_state *state, float limit) {
    const tr_driver_task *task = ghost->told ? &ghost->task : &ghost->actor->task;
    prepare(ghost);
    return tr_driver_of(state)->predict(state, task, &ghost->actor->nature, limit);
}

// A step on a rehearsed route.
static tr_status step_rehearsed(tr_actor_ghost *ghost, tr_driver_state *state, float limit,
                                actor_run_place *place) {
    const tr_follow_state *next = tr_actor_rehearsal_next(ghost->rehearsal, place, &state->root, limit);
    if (next) {
        state->root.state = *next;
        state->root.doing = TR_DRIVER_WALKS;
        return TR_OK;
    }
    tr_driver_root from = state->root;
    tr_status status = step(ghost, state, limit);
    if (status == TR_OK)
        tr_actor_rehearsal_add(ghost->rehearsal, place, &from, &state->root, limit);
    return status;
}

static tr_vec3 position_of(const tr_driver_root *root) {
    return tr_vec3_make(root->state.position.x, root->ground, root->state.position.z);
}

// Goes on for a tick that the trail of the actor may know. `known`: the number of ticks that it knows;
// `is_last`: the trail ends where the ghost is.
static tr_status go_on(tr_actor_ghost *ghost, float limit, uint32_t *known, bool *is_last) {
    const tr_driver_state *now = &ghost->states[ghost->gone];
    tr_driver_state *next = &ghost->states[ghost->gone + 1];
    copy_state(next, now);
    if (*known > 0) {
        tr_actor_trail_follow(ghost->actor, ghost->gone++, &next->root);
        --*known;
        return TR_OK;
    }
    tr_status status =
        ghost->rehearsal ? step_rehearsed(ghost, next, limit, &ghost->going) : step(ghost, next, limit);
    *is_last = status == TR_OK && ghost->told == GHOST_NOTHING &&
               tr_actor_trail_add(ghost->actor, ghost->gone, &now->root, &next->root, limit, *is_last);
    ghost->gone++;
    return status;
}

uint32_t tr_actor_ghost_go(tr_actor_ghost *ghost, float limit, uint32_t ticks, tr_vec3 *positions,
                           bool *done) {
    uint32_t count = 0, known = 0;
    bool is_last = false;
    tr_status status = TR_OK;
    if (ghost->told == GHOST_NOTHING)
        known = tr_actor_trail_known(ghost->actor, ghost->gone, &ghost->states[ghost->gone].root, limit);
    for (; count < ticks && ghost->gone < TR_ACTOR_GHOST_TICKS; count++) {
        status = go_on(ghost, limit, &known, &is_last);
        if (positions)
            positions[count] = position_of(&ghost->states[ghost->gone].root);
    }
    if (done)
        *done = status == TR_DONE;
    return count;
}

void tr_actor_ghost_brake(tr_actor_ghost *ghost, uint32_t after) {
    copy_state(&ghost->braking, &ghost->states[after < ghost->gone ? after : ghost->gone]);
    ghost->stopping.run = TR_NONE;
}

uint32_t tr_actor_ghost_brake_on(tr_actor_ghost *ghost, uint32_t ticks, tr_vec3 *positions, uint32_t max,
                                 bool *rests) {
    tr_driver_state *state = &ghost->braking;
    uint32_t count = 0;
    *rests = tr_driver_of(state)->rests(state);
    for (; count < ticks && !*rests; *rests = tr_driver_of(state)->rests(state)) {
        tr_status status =
            ghost->rehearsal ? step_rehearsed(ghost, state, 0, &ghost->stopping) : step(ghost, state, 0);
        if ((status != TR_OK && status != TR_DONE) || count == STOP_TICKS_MAX) {
            *rests = true; // refused: it does not move
            break;
        }
        if (count < max)
            positions[count] = position_of(&state->root);
        count++;
    }
    return count;
}

uint32_t tr_actor_ghost_stop(tr_actor_ghost *ghost, uint32_t after, tr_vec3 *positions, uint32_t max) {
    bool rests;
    tr_actor_ghost_brake(ghost, after);
    return tr_actor_ghost_brake_on(ghost, UINT32_MAX, positions, max, &rests);
}

tr_follow_state tr_actor_ghost_rest(const tr_actor_ghost *ghost) {
    return ghost->braking.root.state;
}

tr_follow_state tr_actor_ghost_state(const tr_actor_ghost *ghost, uint32_t after) {
    return ghost->states[after < ghost->gone ? after : ghost->gone].root.state;
}

tr_status tr_actor_take(tr_actor *actor, tr_actor_ghost *ghost) {
    const tr_driver_root *begin = &ghost->states[0].root;
    const tr_driver_task *task = &ghost->task;
    if (ghost->told == GHOST_FOOTSTEPS)
        return tr_actor_set_footsteps(actor, task->footsteps, begin->footstep_count, task->footstep_speed,
                                      task->footstep_motion.floor, task->footstep_motion.floor_user, NULL);
    if (ghost->told == GHOST_RIDE)
        return tr_actor_set_ride(actor, ghost->states[0].ride.to, ghost->states[0].ride.seconds, NULL);
    if (ghost->told == GHOST_NOTHING)
        return TR_OK;
    prepare(ghost);
    tr_status status = tr_actor_reserve_route(actor, task->point_count, NULL);
    if (status == TR_OK)
        status = tr_driver_task_copy_route(&actor->task, task);
    if (status != TR_OK)
        return status;
    if (begin->kind == TR_DRIVER_GAIT)
        tr_actor_leave_footsteps(actor);
    actor->driver.root = *begin;
    actor->told = 0;
    actor->rehearsed_by = NULL;
    tr_actor_trail_forget(actor);
    return TR_OK;
}
