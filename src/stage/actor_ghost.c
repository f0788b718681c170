// Tries: the root of an actor, copied and led on without a body.
#include "actor_data.h"

#include <string.h>

#define STOP_TICKS_MAX 100000 // no root takes so long to come to rest

typedef enum ghost_told { GHOST_NOTHING, GHOST_ROUTE, GHOST_TREADS } ghost_told;

// A root and what it goes over footprints with.
typedef struct ghost_state {
    actor_root root;
    tr_stepping_state steps;
} ghost_state;

struct tr_actor_ghost {
    tr_allocator allocator;
    const tr_actor *actor;
    ghost_told told;
    actor_task task; // its own, in use when it was told a route or footprints
    uint32_t gone;   // ticks
    // Since it began. Of `steps` only those of ticks in which it went over footprints are set.
    ghost_state states[TR_ACTOR_GHOST_TICKS + 1];
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
    tr_status status = tr_actor_task_create(&own, points, TR_ACTOR_TREADS_MAX, &made->task, error);
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
    tr_actor_task_destroy(&allocator, &ghost->task);
    tr_release(&allocator, ghost, 1, sizeof *ghost);
}

static void copy_state(ghost_state *to, const ghost_state *from) {
    to->root = from->root;
    if (from->root.stepping)
        to->steps = from->steps;
}

void tr_actor_ghost_begin(tr_actor_ghost *ghost, const tr_actor *actor) {
    ghost->actor = actor;
    ghost->told = GHOST_NOTHING;
    ghost->gone = 0;
    ghost->states[0].root = actor->root;
    if (actor->root.stepping)
        ghost->states[0].steps = actor->steps;
}

tr_status tr_actor_ghost_set_route(tr_actor_ghost *ghost, const tr_vec2 *points, uint32_t point_count,
                                   const uint8_t *passage, const float *final_heading, float speed,
                                   tr_error *error) {
    const tr_actor *actor = ghost->actor;
    ghost_state *state = &ghost->states[0];
    tr_actor_ghost_begin(ghost, actor);
    tr_status status = tr_actor_root_set_route(&state->root, &ghost->task, &actor->nature, points,
                                               point_count, passage, final_heading, speed, error);
    if (status != TR_OK)
        return status;
    if (state->root.stepping)
        tr_actor_root_leave_treads(&state->root, &state->steps);
    ghost->told = GHOST_ROUTE;
    return TR_OK;
}

tr_status tr_actor_ghost_set_treads(tr_actor_ghost *ghost, const tr_tread *treads, uint32_t tread_count,
                                    float (*floor)(void *user, tr_vec3 point), void *floor_user,
                                    tr_error *error) {
    ghost_state *state = &ghost->states[0];
    tr_actor_ghost_begin(ghost, ghost->actor);
    tr_status status = tr_actor_root_check_treads(treads, tread_count, error);
    if (status != TR_OK)
        return status;
    if (!state->root.stepping)
        tr_actor_begin_steps(ghost->actor, &state->steps);
    tr_actor_root_set_treads(&state->root, &ghost->task, treads, tread_count, floor, floor_user);
    ghost->told = GHOST_TREADS;
    return TR_OK;
}

// The same as tr_actor_step does with the root.
static tr_status lead(ghost_state *state, const actor_task *task, const actor_nature *nature, float limit) {
    actor_root *root = &state->root;
    if (!root->stepping)
        return tr_actor_root_walk(root, task, nature, limit);
    uint32_t used, seen = tr_actor_root_treads_seen(root, limit);
    const tr_character *character = nature->character;
    tr_status status =
        tr_stepping_lead(&state->steps, &task->stepping, &character->legs, &character->stepping_stand,
                         task->treads + root->tread_next, seen, &used, nature->dt);
    if (status != TR_OK && status != TR_DONE)
        return status;
    return tr_actor_root_follow_steps(root, &state->steps, used, status, nature->dt);
}

static tr_status step(const tr_actor_ghost *ghost, ghost_state *state, float limit) {
    const actor_task *task = ghost->told ? &ghost->task : &ghost->actor->task;
    return lead(state, task, &ghost->actor->nature, limit);
}

static tr_vec3 position_of(const actor_root *root) {
    return tr_vec3_make(root->state.position.x, root->ground, root->state.position.z);
}

uint32_t tr_actor_ghost_go(tr_actor_ghost *ghost, float limit, uint32_t ticks, tr_vec3 *positions,
                           bool *done) {
    uint32_t count = 0;
    tr_status status = TR_OK;
    for (; count < ticks && ghost->gone < TR_ACTOR_GHOST_TICKS; count++) {
        ghost_state *next = &ghost->states[ghost->gone + 1];
        copy_state(next, &ghost->states[ghost->gone]);
        status = step(ghost, next, limit);
        ghost->gone++;
        if (positions)
            positions[count] = position_of(&next->root);
    }
    if (done)
        *done = status == TR_DONE;
    return count;
}

uint32_t tr_actor_ghost_stop(tr_actor_ghost *ghost, uint32_t after, tr_vec3 *positions, uint32_t max) {
    ghost_state state;
    copy_state(&state, &ghost->states[after < ghost->gone ? after : ghost->gone]);
    uint32_t count = 0;
    while (count < STOP_TICKS_MAX && !tr_actor_root_rests(&state.root, &state.steps)) {
        tr_status status = step(ghost, &state, 0);
        if (status != TR_OK && status != TR_DONE)
            break; // refused: it does not move
        if (count < max)
            positions[count] = position_of(&state.root);
        count++;
    }
    return count;
}

tr_follow_state tr_actor_ghost_state(const tr_actor_ghost *ghost, uint32_t after) {
    return ghost->states[after < ghost->gone ? after : ghost->gone].root.state;
}

tr_status tr_actor_take(tr_actor *actor, const tr_actor_ghost *ghost) {
    const actor_root *begin = &ghost->states[0].root;
    const actor_task *task = &ghost->task;
    if (ghost->told == GHOST_ROUTE) {
        tr_status status = tr_actor_task_reserve(&actor->allocator, task->point_count, 0, &actor->task, NULL);
        if (status != TR_OK)
            return status;
        tr_follow_route_copy(actor->task.route, task->route);
        tr_actor_leave_treads(actor);
        memcpy(actor->task.stretches, task->stretches, task->stretch_count * sizeof *task->stretches);
        actor->task.stretch_count = task->stretch_count;
        actor->task.point_count = task->point_count;
        actor->task.follow = task->follow;
        actor->root = *begin;
    } else if (ghost->told == GHOST_TREADS) {
        return tr_actor_set_treads(actor, task->treads, begin->tread_count, task->stepping.floor,
                                   task->stepping.floor_user, NULL);
    }
    return TR_OK;
}

void tr_actor_predict(const tr_actor *actor, float speed_limit, uint32_t stride, uint32_t count,
                      tr_vec2 *positions) {
    ghost_state state = {.root = actor->root, .steps = actor->steps};
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = 0; j < stride && status == TR_OK; j++)
            status = lead(&state, &actor->task, &actor->nature, speed_limit);
        positions[i] = state.root.state.position;
    }
}
