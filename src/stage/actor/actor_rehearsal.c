// What ghosts found out about a route that an actor has not taken yet. An actor that waits for others tries
// the same route again and again, at a few limits, and stops at a few places: only the others have moved
// meanwhile.
#include "actor_data.h"

#define TOLD_LEAST 2  // an actor that gets a route only once sets off
#define MISSES_MOST 8 // other routes in between before a rehearsal changes to another route

static bool is_same_route(const actor_rehearsal *rehearsal, const actor_told *told) {
    size_t pieces = told->point_count - 1;
    return rehearsal->point_count == told->point_count && rehearsal->speed == told->speed &&
           rehearsal->has_passage == (told->passage != NULL) &&
           rehearsal->has_final == (told->final_heading != NULL) &&
           (!told->final_heading || rehearsal->final_heading == *told->final_heading) &&
           memcmp(rehearsal->points, told->points, told->point_count * sizeof *told->points) == 0 &&
           (!told->passage || memcmp(rehearsal->passage, told->passage, pieces) == 0);
}

static bool fits(const actor_rehearsal *rehearsal, const tr_driver_root *root, const actor_told *told) {
    return tr_actor_is_same_state(&rehearsal->begin, &root->state) && rehearsal->ground == root->ground &&
           is_same_route(rehearsal, told);
}

// May the route be kept for an actor in this state? It must stand on level ground.
static bool may_keep(const tr_driver_root *root, const actor_told *told) {
    return root->kind == TR_DRIVER_GAIT && !root->move && root->state.speed == 0 && told->speed > 0 &&
           !told->heights && told->point_count > 0 && told->point_count <= ACTOR_REHEARSAL_POINTS;
}

actor_rehearsal *tr_actor_rehearsal_of(actor_rehearsals *all, tr_actor *actor, const actor_told *told) {
    if (all->count == 0 || !may_keep(&actor->driver.root, told))
        return NULL;
    actor_rehearsal *own = actor->rehearsal < all->count ? all->each[actor->rehearsal] : NULL;
    if (own && own->actor == actor && actor->rehearsed_by == all) {
        bool same = fits(own, &actor->driver.root, told);
        own->misses = same ? 0 : own->misses + 1;
        if (same || own->misses <= MISSES_MOST)
            return same ? own : NULL;
    } else if (++actor->told < TOLD_LEAST) {
        return NULL;
    } else { // the one that was begun first
        actor->rehearsal = all->next++ % all->count;
        actor->rehearsed_by = all;
        own = all->each[actor->rehearsal];
    }
    own->actor = NULL; // until it is begun
    return own;
}

void tr_actor_rehearsal_begin(actor_rehearsal *rehearsal, tr_actor *actor, const actor_told *told,
                              const tr_driver_root *root) {
    rehearsal->actor = actor;
    rehearsal->begin = actor->driver.root.state;
    rehearsal->ground = root->ground;
    rehearsal->point_count = told->point_count;
    rehearsal->speed = told->speed;
    rehearsal->has_passage = told->passage != NULL;
    rehearsal->has_final = told->final_heading != NULL;
    rehearsal->final_heading = told->final_heading ? *told->final_heading : 0;
    memcpy(rehearsal->points, told->points, told->point_count * sizeof *told->points);
    if (told->passage)
        memcpy(rehearsal->passage, told->passage, told->point_count - 1);
    rehearsal->root = *root;
    rehearsal->misses = rehearsal->run_count = rehearsal->state_count = 0;
}

actor_told tr_actor_rehearsal_told(const actor_rehearsal *rehearsal) {
    return (actor_told){.points = rehearsal->points,
                        .point_count = rehearsal->point_count,
                        .passage = rehearsal->has_passage ? rehearsal->passage : NULL,
                        .final_heading = rehearsal->has_final ? &rehearsal->final_heading : NULL,
                        .speed = rehearsal->speed};
}

// --- Runs: chains of states at one limit. Where one ends, another may continue. ---

// A tick reads only the state of a walking root and its route, which is the same for all.
static bool walks_on(const actor_rehearsal *rehearsal, const tr_driver_root *root) {
    return root->kind == TR_DRIVER_GAIT && !root->move && root->has_route &&
           root->has_final == rehearsal->root.has_final && root->ground == rehearsal->ground;
}

static uint32_t find_run(const actor_rehearsal *rehearsal, const tr_driver_root *root, float limit) {
    for (uint32_t i = 0; i < rehearsal->run_count; i++) {
        const actor_run *run = &rehearsal->runs[i];
        if (run->limit == limit && run->side == root->side &&
            tr_actor_is_same_state(&rehearsal->states[run->first], &root->state))
            return i;
    }
    return TR_NONE;
}

const tr_follow_state *tr_actor_rehearsal_next(const actor_rehearsal *rehearsal, actor_run_place *place,
                                               const tr_driver_root *root, float limit) {
    const actor_run *run = place->run != TR_NONE ? &rehearsal->runs[place->run] : NULL;
    if (!run || run->limit != limit || place->at + 1 >= run->count) {
        uint32_t found = walks_on(rehearsal, root) ? find_run(rehearsal, root, limit) : TR_NONE;
        if (found == TR_NONE)
            return NULL;
        *place = (actor_run_place){found, 0};
        run = &rehearsal->runs[found];
    }
    return &rehearsal->states[run->first + ++place->at];
}

void tr_actor_rehearsal_add(actor_rehearsal *rehearsal, actor_run_place *place, const tr_driver_root *from,
                            const tr_driver_root *to, float limit) {
    actor_run *run = place->run != TR_NONE ? &rehearsal->runs[place->run] : NULL;
    bool lengthens = run && run->limit == limit && place->at + 1 == run->count &&
                     run->first + run->count == rehearsal->state_count;
    uint32_t more = lengthens ? 1 : 2;
    bool walks = walks_on(rehearsal, from) && walks_on(rehearsal, to) && to->doing == TR_DRIVER_WALKS &&
                 from->side == to->side;
    if (!walks || rehearsal->state_count + more > ACTOR_REHEARSAL_STATES ||
        (!lengthens && rehearsal->run_count == ACTOR_REHEARSAL_RUNS)) {
        place->run = TR_NONE;
        return;
    }
    if (!lengthens) {
        *place = (actor_run_place){rehearsal->run_count, 0};
        run = &rehearsal->runs[rehearsal->run_count++];
        *run = (actor_run){limit, to->side, rehearsal->state_count, 1};
        rehearsal->states[rehearsal->state_count++] = from->state;
    }
    rehearsal->states[rehearsal->state_count++] = to->state;
    run->count++;
    place->at++;
}

// --- Memory ---

bool tr_actor_rehearsals_reserve(actor_rehearsals *all, const tr_allocator *allocator, uint32_t count) {
    void *each = all->each;
    bool room = tr_reserve(allocator, &each, &all->capacity, count, sizeof *all->each);
    all->each = each;
    for (; room && all->count < count; all->count += room) {
        all->each[all->count] = tr_allocate_zero(allocator, 1, sizeof **all->each);
        room = all->each[all->count] != NULL;
    }
    return room;
}

void tr_actor_rehearsals_release(actor_rehearsals *all, const tr_allocator *allocator) {
    for (uint32_t i = 0; i < all->count; i++)
        tr_release(allocator, all->each[i], 1, sizeof **all->each);
    tr_release(allocator, all->each, all->capacity, sizeof *all->each);
    *all = (actor_rehearsals){0};
}
