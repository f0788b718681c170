// What the last ghost of an actor found out, for the next one.
#include "actor_data.h"

tr_status tr_actor_reserve_route(tr_actor *actor, uint32_t points, tr_error *error) {
    if (!actor->trail)
        actor->trail = tr_allocate_zero(&actor->allocator, 1, sizeof *actor->trail);
    if (!actor->trail)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the trail of an actor");
    return tr_driver_task_reserve(&actor->allocator, points, 0, &actor->task, error);
}

void tr_actor_trail_forget(tr_actor *actor) {
    if (actor->trail)
        actor->trail->count = 0;
}

static bool is_walk(const tr_driver_root *root) {
    return root->kind == TR_DRIVER_GAIT && root->doing == TR_DRIVER_WALKS && !root->move && root->has_route;
}

// Everything that a tick reads of a walking root, except for its state and its past: moves that have ended do
// not count.
static bool is_same_walk(const tr_driver_root *a, const tr_driver_root *b) {
    bool same_ground = a->slopes == b->slopes &&
                       (a->slopes ? a->ground_new == b->ground_new && a->ground_off == b->ground_off
                                  : a->ground == b->ground);
    return a->kind == b->kind && a->move == b->move && a->has_route == b->has_route &&
           a->has_final == b->has_final && a->final_heading == b->final_heading && same_ground &&
           a->side == b->side;
}

static bool is_on(const actor_trail *trail, uint64_t tick, const tr_driver_root *root) {
    return tick >= trail->first && tick - trail->first < trail->count &&
           tr_actor_is_same_state(&trail->states[tick % ACTOR_TRAIL], &root->state) &&
           is_same_walk(&trail->root, root);
}

uint32_t tr_actor_trail_known(const tr_actor *actor, uint32_t after, const tr_driver_root *root,
                              float limit) {
    const actor_trail *trail = actor->trail;
    uint64_t tick = actor->ticks + after;
    if (!trail || trail->count == 0 || trail->limit != limit || !is_on(trail, tick, root))
        return 0;
    return (uint32_t)(trail->first + trail->count - 1 - tick);
}

void tr_actor_trail_follow(const tr_actor *actor, uint32_t after, tr_driver_root *root) {
    root->state = actor->trail->states[(actor->ticks + after + 1) % ACTOR_TRAIL];
    root->doing = TR_DRIVER_WALKS;
    tr_driver_keep_height(root, &actor->task);
}

bool tr_actor_trail_add(tr_actor *actor, uint32_t after, const tr_driver_root *from, const tr_driver_root *to,
                        float limit, bool is_last) {
    actor_trail *trail = actor->trail;
    uint64_t tick = actor->ticks + after;
    if (!trail || !is_walk(to))
        return false;
    bool lengthens = (is_last || (trail->limit == limit && tick + 1 == trail->first + trail->count &&
                                  is_on(trail, tick, from))) &&
                     is_same_walk(&trail->root, to);
    if (!lengthens) {
        if (is_on(trail, actor->ticks, &actor->driver.root))
            return false;
        trail->first = tick + 1;
        trail->count = 0;
        trail->limit = limit;
        trail->root = *to;
    }
    if (trail->count == ACTOR_TRAIL) {
        if (trail->first >= actor->ticks)
            return false; // the whole trail is still ahead
        trail->first++;
        trail->count--;
    }
    trail->states[(tick + 1) % ACTOR_TRAIL] = to->state;
    trail->count++;
    return true;
}
