// Impasses. An actor that stands because of another standing actor waits for it. A ring of such waits, or a
// chain that ends with an idle actor, does not end by itself. Then the stage clears the way of one of them:
// the actors that stand on it make room, with the same rank against those in their own way (priority
// inheritance). No actor of lower precedence comes to rest there until the owner has passed.
#include "stage_push.h"
#include "stage_trial.h"

#include <stdio.h>

#define RING_MOST 128
#define CLEARINGS 4 // number of ways in which others can make room

typedef enum stage_answer { STAGE_MADE_ROOM, STAGE_NO_ROOM, STAGE_LATER, STAGE_ASK_ON } stage_answer;

stage_right tr_stage_right(const stage_actor *who) {
    if (who->lent_rank)
        return (stage_right){who->lent_rank, who->lent_depth};
    return (stage_right){tr_stage_current(who) ? who->rank : UINT64_MAX, 1};
}

bool tr_stage_goes_before(stage_right a, stage_right b) {
    return a.rank < b.rank || (a.rank == b.rank && a.depth < b.depth);
}

static tr_go_claim claim_of(const tr_stage *stage, const stage_actor *owner, const stage_actor *who) {
    tr_go_claim claim = {.way = &owner->way,
                         .begin = tr_stage_along(owner),
                         .end = owner->claim_end,
                         .width = owner->radius + who->radius + TUNE_CORRIDOR};
    (void)stage;
    return claim;
}

uint32_t tr_stage_claims_on(tr_stage *stage, const stage_actor *who) {
    uint32_t count = 0;
    stage_right own = tr_stage_right(who);
    for (uint32_t i = 0; i < stage->claimant_count && count < STAGE_CLAIMS; i++) {
        const stage_actor *owner = tr_stage_find_actor(stage, stage->claimants[i]);
        if (!owner || owner == who || !owner->claims || !tr_stage_goes_before(tr_stage_right(owner), own))
            continue;
        stage->claim_bodies[count] = owner->body;
        stage->claims[count++] = claim_of(stage, owner, who);
    }
    return count;
}

static void list_claimants(tr_stage *stage) {
    stage->claimant_count = 0;
    for (uint32_t i = 0; i < stage->actor_count && stage->claimant_count < STAGE_CLAIMS; i++)
        if (stage->actors[i]->claims)
            stage->claimants[stage->claimant_count++] = stage->actors[i]->id;
}

// As far as others stand on the way, one close behind the other.
static float claim_end(const tr_stage *stage, const stage_actor *owner) {
    float begin = tr_stage_along(owner), end = begin;
    tr_vec3 at = tr_stage_place_of(owner);
    uint32_t near[256], count = tr_timeline_near(stage->timeline, at, TUNE_CLAIM_SIGHT, TUNE_FLOOR_APART * 3,
                                                 TUNE_FLOOR_APART * 3, near, 256);
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < count && i < 256; i++) {
            const stage_actor *other = stage->bodies[near[i]];
            if (!other || other == owner || !tr_stage_rests(stage, other))
                continue;
            tr_go_claim claim = claim_of(stage, owner, other);
            float along = 0, off = tr_way_distance(&owner->way, begin, tr_stage_place_of(other),
                                                   TUNE_FLOOR_APART, &along);
            if (off < claim.width && along > end && along < end + TUNE_CLAIM_GAP) {
                end = along;
                more = true;
            }
        }
    }
    return end + TUNE_CLAIM_BEYOND;
}

// The actors nearby that have precedence: they are not asked to make room.
static uint32_t find_fixed(const tr_stage *stage, const stage_actor *who, tr_vec3 *fixed, uint32_t max) {
    uint32_t near[32], found = 0;
    uint32_t count = tr_timeline_near(stage->timeline, tr_stage_place_of(who), 4, 1, who->height, near, 32);
    for (uint32_t i = 0; i < count && i < 32 && found < max; i++) {
        const stage_actor *other = near[i] != who->body ? stage->bodies[near[i]] : NULL;
        if (other && tr_stage_rests(stage, other) &&
            tr_stage_goes_before(tr_stage_right(other), tr_stage_right(who)))
            fixed[found++] = tr_stage_place_of(other);
    }
    return found;
}

// Finds a place out of the way of all actors, and writes the way there to stage->trial. false: there is none.
static bool find_aside(tr_stage *stage, stage_actor *who) {
    if (!tr_stage_walks(who))
        return false;
    tr_vec3 at = tr_stage_place_of(who), place;
    uint32_t size = TR_NONE;
    for (uint32_t room = TR_WAY_OPEN; room <= TR_WAY_SIDE && size == TR_NONE; room++)
        if (tr_ground_is_free(stage->ground, who->sizes[room], at, NULL))
            size = who->sizes[room];
    tr_go_walker walker = {.body = who->body,
                           .size = size == TR_NONE ? who->sizes[TR_WAY_SIDE] : size,
                           .radius = who->radius,
                           .height = who->height,
                           .margin = stage->def.margin + 0.02f,
                           .position = at,
                           .speed = who->speed,
                           .tick = stage->tick,
                           .tick_seconds = TR_STAGE_TICK,
                           .claims = stage->claims};
    tr_vec3 fixed[16];
    walker.claim_count = tr_stage_claims_on(stage, who);
    walker.fixed = fixed;
    walker.fixed_count = find_fixed(stage, who, fixed, 16);
    walker.fixed_apart = 2 * who->radius;
    tr_go_result result;
    return tr_go_aside(stage->go, stage->ground, stage->timeline, &walker, &place) == TR_OK &&
           tr_stage_find_way(stage, who, &place, 1, 0, &result, NULL) == TR_OK;
}

// An actor that stands where an object will come leaves in time.
static void flee(tr_stage *stage, stage_actor *who) {
    tr_vec3 at = tr_stage_place_of(who);
    tr_timeline_motion motion = tr_stage_standing(stage, who, &at);
    tr_timeline_meeting meeting;
    if (!tr_timeline_meets(stage->timeline, &motion, &meeting) || meeting.object == TR_NONE ||
        (meeting.tick - (double)stage->tick) * TR_STAGE_TICK > TUNE_FLEE)
        return;
    who->lent_rank = 1; // precedence over all
    who->lent_depth = 0;
    if (find_aside(stage, who)) {
        tr_stage_set_out(stage, who, STAGE_ASIDE);
        who->aside_for = 0;
    } else
        who->lent_rank = 0;
}

void tr_stage_resume(tr_stage *stage, stage_actor *who) {
    who->lent_rank = 0;
    tr_stage_halt(stage, who);
    stage_order *order = tr_stage_current(who);
    if (order && tr_stage_is_of_legs(&order->order))
        order->unplanned = true;
}

void tr_stage_fail(tr_stage *stage, stage_actor *who, const char *reason) {
    if (who->errand == STAGE_ORDER && tr_stage_current(who))
        tr_stage_end_order(stage, who, TR_ORDER_FAILED, reason);
    else
        tr_stage_resume(stage, who);
}

// So many requests to make room have gained the actor no progress that another one would be useless. An actor
// that makes room may come back, or send others away that come back: without a limit this would not end.
static bool is_in_vain(const stage_actor *owner) {
    return owner->pushes >= TUNE_PUSHES && tr_stage_to_go(owner) > owner->pushed_to_go - TUNE_PUSH_WORTH;
}

// Does an idle actor stand on its goal, with this actor near? `keeps`: and is that its own place, not one to
// which it was sent to make room.
static bool goal_is_taken(const tr_stage *stage, const stage_actor *who, bool keeps) {
    const stage_order *order = tr_stage_current(who);
    if (who->errand != STAGE_ORDER || !order || order->order.kind != TR_ORDER_GO ||
        tr_stage_to_go(who) > TUNE_BESIDE)
        return false;
    uint32_t near[64],
        count = tr_timeline_near(stage->timeline, who->goal, 2 * who->radius + 1, 1, 1, near, 64);
    for (uint32_t i = 0; i < count && i < 64; i++) {
        const stage_actor *other = stage->bodies[near[i]];
        if (!other || other == who || !tr_stage_is_idle(other) || tr_stage_current(other))
            continue;
        tr_vec3 apart = tr_vec3_subtract(tr_stage_place_of(other), who->goal);
        float taken = who->radius + other->radius + stage->def.margin;
        tr_vec3 own = tr_vec3_subtract(other->post, who->goal);
        if (apart.x * apart.x + apart.z * apart.z < taken * taken &&
            (!keeps || own.x * own.x + own.z * own.z < taken * taken))
            return true;
    }
    return false;
}

static void fail(tr_stage *stage, stage_actor *who, const stage_actor *other) {
    if (goal_is_taken(stage, who, false)) { // it will stay: a place beside it is near enough
        tr_stage_end_order(stage, who, TR_ORDER_DONE, "");
        return;
    }
    tr_vec3 at = tr_stage_place_of(other);
    char reason[TR_ORDER_REASON_MAX];
    if (is_in_vain(who))
        snprintf(reason, sizeof reason,
                 "%.60s blocks the way at (%.2f, %.2f, %.2f), after %u requests to others to make room",
                 other->name, (double)at.x, (double)at.y, (double)at.z, who->pushes);
    else
        snprintf(reason, sizeof reason,
                 "%.60s blocks the way at (%.2f, %.2f, %.2f) and has no room to give way", other->name,
                 (double)at.x, (double)at.y, (double)at.z);
    who->pushes = 0;
    tr_stage_fail(stage, who, reason);
}

bool tr_stage_is_idle(const stage_actor *who) {
    return (who->errand == STAGE_IDLE && !tr_stage_is_performing(who)) ||
           (who->errand == STAGE_ASIDE && !tr_stage_piece(who));
}

bool tr_stage_waits(const tr_stage *stage, const stage_actor *who) {
    const stage_actor *other = who->blocker != TR_NONE ? stage->bodies[who->blocker] : NULL;
    return tr_stage_piece(who) && who->stuck && tr_stage_rests(stage, who) && other &&
           tr_stage_rests(stage, other) && other->commits == who->blocker_seen;
}

// Sends an actor out of the owner's way, however far. false: there is no room.
static bool send_away(tr_stage *stage, stage_actor *who, const stage_actor *owner) {
    stage_right by = tr_stage_right(owner), kept = {who->lent_rank, who->lent_depth};
    who->lent_rank = by.rank;
    who->lent_depth = by.depth + 1;
    if (find_aside(stage, who) && tr_stage_send(stage, who, owner))
        return true;
    who->lent_rank = kept.rank;
    who->lent_depth = kept.depth;
    return false;
}

// The actors of a ring of waits that contains this actor. 0: there is none.
static uint32_t ring_of(const tr_stage *stage, stage_actor *who, stage_actor **ring) {
    uint32_t count = 0;
    stage_actor *at = who;
    do {
        if (count == RING_MOST || !tr_stage_waits(stage, at))
            return 0;
        ring[count++] = at;
        at = stage->bodies[at->blocker];
    } while (at != who);
    return count;
}

// In a ring, an actor for which the other has made room already goes first, then one that cannot make room
// itself, then the one with the best rank.
static bool acts_before(const stage_actor *a, const stage_actor *b) {
    bool gave = b->aside_for == a->id, took = a->aside_for == b->id;
    bool inside = tr_stage_inside(a) != NULL, its = tr_stage_inside(b) != NULL;
    if (gave != took)
        return gave;
    if (inside && its)
        return tr_stage_goes_through_first(a, b);
    return inside != its ? inside : tr_stage_goes_before(tr_stage_right(a), tr_stage_right(b));
}

static void set_claim(tr_stage *stage, stage_actor *owner, bool claims, float end) {
    owner->claims = claims;
    owner->claim_end = end;
    list_claimants(stage);
}

static void note_push(stage_actor *owner) {
    float left = tr_stage_to_go(owner);
    if (owner->pushes == 0 || left <= owner->pushed_to_go - TUNE_PUSH_WORTH) {
        owner->pushes = 0;
        owner->pushed_to_go = left;
    }
    owner->pushes++;
}

// The actors that stand on its way up to `end` make room, if there are places for which they can set off.
// After earlier failures the search takes longer.
static bool push_aside(tr_stage *stage, stage_actor *owner, float end, stage_push *push) {
    push->banned_count = 0;
    push->effort = owner->pushes < TUNE_PUSH_HARD ? 1 : 2;
    while (tr_stage_plan_push(stage, owner, end, push)) {
        set_claim(stage, owner, true, end);
        if (tr_stage_carry_out(stage, push))
            return true;
        set_claim(stage, owner, false, end);
        if (push->banned_count == STAGE_BANNED_MOST)
            break;
    }
    return false;
}

// Lends a rank; the better of the two counts.
static stage_right lend(stage_actor *who, stage_right right) {
    stage_right kept = {who->lent_rank, who->lent_depth};
    if (tr_stage_goes_before(right, tr_stage_right(who))) {
        who->lent_rank = right.rank;
        who->lent_depth = right.depth;
    }
    return kept;
}

// The actor in its way goes farther away, and finds its way among the others with the same rank.
static bool clear_away(tr_stage *stage, stage_actor *owner, float end) {
    stage_actor *other = stage->bodies[owner->blocker];
    stage_push push = {.stage = stage, .owner = owner};
    set_claim(stage, owner, true, end);
    if (tr_stage_may_send(&push, other) && send_away(stage, other, owner))
        return true;
    set_claim(stage, owner, false, end);
    return false;
}

// One of the ways in which others can make room: step off the next part of the owner's way, off more of it,
// or go away. `unsure`: a later attempt may succeed.
static bool try_to_clear(tr_stage *stage, stage_actor *owner, uint32_t number, bool *unsure) {
    static const float lengths[CLEARINGS - 1] = {1.2f, 3, INFINITY};
    float begin = tr_stage_along(owner), full = claim_end(stage, owner), length = tr_way_length(&owner->way);
    const tr_way_piece *piece = tr_stage_piece(owner);
    if (piece->kind == TR_WAY_PERFORM) // all of it at once: it cannot stop on it
        begin = piece->end;
    full = full > begin ? full : begin;
    full = full < length ? full : length;
    if (number == CLEARINGS - 1)
        return clear_away(stage, owner, full);
    if (number > 0 && begin + lengths[number - 1] >= full)
        return false;
    stage_push push;
    if (push_aside(stage, owner, begin + lengths[number] < full ? begin + lengths[number] : full, &push))
        return true;
    owner->asking.cut = owner->asking.cut || push.cut;
    *unsure = push.cut || push.denied;
    return false;
}

// Did it ask in the last tick, so that the request continues?
static bool is_asking(const tr_stage *stage, const stage_actor *who) {
    return who->asking.tick > 0 && who->asking.tick >= stage->tick;
}

// Clears the owner's way, as far as possible. The search may need so many places that it continues in the
// next tick.
static stage_answer make_way(tr_stage *stage, stage_actor *owner, stage_right right) {
    stage_asking *asking = &owner->asking;
    if (!is_asking(stage, owner)) {
        if (is_in_vain(owner))
            return STAGE_NO_ROOM;
        *asking = (stage_asking){.begun = stage->tick + 1};
    }
    bool is_known = asking->tried == CLEARINGS;
    asking->tick = stage->tick + 1;
    for (; asking->tried < CLEARINGS; asking->tried++) {
        if (stage->aside_tries >= TUNE_ASIDE_TRIES)
            return STAGE_ASK_ON;
        stage_right kept = lend(owner, right);
        bool unsure = false;
        if (try_to_clear(stage, owner, asking->tried, &unsure)) {
            note_push(owner);
            return STAGE_MADE_ROOM;
        }
        owner->lent_rank = kept.rank;
        owner->lent_depth = kept.depth;
        asking->unsure = asking->unsure || unsure;
    }
    if (!is_known && asking->begun != asking->tick) // others may have moved since the first answer
        asking->cut = asking->unsure = true;
    if (asking->cut && !is_known) // it is unknown whether there is room
        note_push(owner);
    return asking->unsure ? STAGE_LATER : STAGE_NO_ROOM;
}

// Does it wait only out of politeness, so that it could go on? Not if it had a waiver since it came to rest:
// then others are in its way as well.
static bool is_polite(const stage_actor *who) {
    return who->polite && who->waiver <= who->commitment.rest;
}

// Goes on with a step to the side, or around. An actor does not queue behind one that waits for it.
static bool slips_past(tr_stage *stage, stage_actor *who) {
    tr_timeline_meeting met;
    float left = tr_stage_to_go(who);
    if (tr_stage_piece(who)->kind != TR_WAY_WALK)
        return false;
    stage->claim_count = tr_stage_claims_on(stage, who);
    return tr_stage_edge_past(stage, who, left, &met) ||
           (tr_stage_find_around(stage, who) && tr_stage_go_around(stage, who, left, NULL));
}

static void sort_ring(stage_actor **ring, uint32_t count) {
    for (uint32_t i = 1; i < count; i++) { // in the order in which they act
        stage_actor *who = ring[i];
        uint32_t slot = i;
        for (; slot > 0 && acts_before(who, ring[slot - 1]); slot--)
            ring[slot] = ring[slot - 1];
        ring[slot] = who;
    }
}

// An actor of the ring may go on without others making room.
static bool slips_out(tr_stage *stage, stage_actor **ring, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (is_asking(stage, ring[i]))
            return false; // this was tried before
    for (uint32_t i = 0; i < count; i++)
        if (is_polite(ring[i])) {
            ring[i]->waiver = stage->tick + TUNE_WAIVER;
            return true;
        }
    for (uint32_t i = 0; i < count; i++)
        if (slips_past(stage, ring[i]))
            return true;
    return false;
}

// false: it continues in the next tick.
static bool break_ring(tr_stage *stage, stage_actor **ring, uint32_t count) {
    sort_ring(ring, count);
    if (slips_out(stage, ring, count))
        return true;
    stage_right right = {ring[0]->awaited_rank, 0};
    bool later = false;
    for (uint32_t i = 0; i < count; i++) {
        stage_answer answer =
            tr_stage_waits(stage, ring[i]) ? make_way(stage, ring[i], right) : STAGE_NO_ROOM;
        if (answer == STAGE_MADE_ROOM || answer == STAGE_ASK_ON)
            return answer == STAGE_MADE_ROOM;
        later = later || answer == STAGE_LATER;
    }
    stage_actor *last = ring[count - 1]; // the lowest precedence
    for (uint32_t i = 0; i < count; i++) // no actor is to wait in vain
        if (ring[i]->errand == STAGE_ASIDE)
            tr_stage_resume(stage, ring[i]);
    if (later || last->errand != STAGE_ORDER || last->blocker == TR_NONE)
        return true;
    fail(stage, last, stage->bodies[last->blocker]);
    for (uint32_t i = 0; i < count; i++) // with one actor less there may be a solution
        ring[i]->pushes = 0;
    return true;
}

// An actor that waits for an idle one. false: it continues in the next tick.
static bool ask_idle(tr_stage *stage, stage_actor *who, const stage_actor *other) {
    if (is_polite(who) && !is_asking(stage, who)) {
        who->waiver = stage->tick + TUNE_WAIVER;
        return true;
    }
    stage_answer answer = make_way(stage, who, (stage_right){who->awaited_rank, 0});
    if (answer == STAGE_MADE_ROOM || answer == STAGE_ASK_ON)
        return answer == STAGE_MADE_ROOM;
    if (who->errand == STAGE_ASIDE || is_in_vain(who) ||
        (answer == STAGE_NO_ROOM && !tr_stage_current(other)))
        fail(stage, who, other);
    return true;
}

static void look_at_wait(tr_stage *stage, stage_actor *who) {
    stage_actor *other = stage->bodies[who->blocker], *ring[RING_MOST];
    if (goal_is_taken(stage, who, true)) {
        tr_stage_end_order(stage, who, TR_ORDER_DONE, "");
        return;
    }
    if (stage->tick < who->yield_tick + TUNE_YIELD_PERIOD && !is_asking(stage, who))
        return;
    bool idle = tr_stage_is_idle(other);
    uint32_t count = idle ? 1 : ring_of(stage, who, ring);
    ring[0] = who;
    for (uint32_t i = 0; i < count; i++)
        ring[i]->yield_tick = stage->tick;
    if (count && (idle ? ask_idle(stage, who, other) : break_ring(stage, ring, count)))
        for (uint32_t i = 0; i < count; i++)
            ring[i]->asking.tick = 0;
}

// A claim ends when its owner has passed or gives way itself. The actors that made room go on as soon as they
// have arrived.
static void end_claims(tr_stage *stage) {
    for (uint32_t i = 0; i < stage->actor_count; i++) {
        stage_actor *who = stage->actors[i];
        if (who->claims && (!tr_stage_piece(who) || tr_stage_along(who) >= who->claim_end))
            who->claims = false;
        if (who->lent_rank && who->errand != STAGE_ASIDE && !who->claims)
            who->lent_rank = 0;
    }
    for (uint32_t i = 0; i < stage->actor_count; i++) {
        stage_actor *who = stage->actors[i];
        if (who->errand == STAGE_ASIDE && !tr_stage_piece(who))
            tr_stage_resume(stage, who);
    }
    list_claimants(stage);
}

static bool objects_move(const tr_stage *stage) {
    uint32_t count;
    const uint64_t *moving = tr_timeline_moving(stage->timeline, &count);
    for (uint32_t i = 0; i < (count + 63) / 64; i++)
        if (moving[i])
            return true;
    return false;
}

// An actor that others wait for gets the best rank of all that wait for it, directly or through others.
static void pass_rights_on(tr_stage *stage) {
    for (uint32_t i = 0; i < stage->actor_count; i++)
        stage->actors[i]->awaited_rank = UINT64_MAX;
    for (uint32_t i = 0; i < stage->actor_count; i++) {
        stage_actor *who = stage->actors[i];
        uint64_t rank = tr_stage_right(who).rank;
        while (tr_stage_waits(stage, who) && rank < who->awaited_rank) {
            who->awaited_rank = rank;
            who = stage->bodies[who->blocker];
        }
    }
}

void tr_stage_resolve(tr_stage *stage) {
    stage->aside_round++;
    stage->aside_tries = 0;
    end_claims(stage);
    pass_rights_on(stage);
    bool moving = objects_move(stage);
    for (uint32_t i = 0; moving && i < stage->actor_count; i++) {
        stage_actor *who = stage->actors[i];
        if ((stage->tick + i) % TUNE_FLEE_PERIOD == 0 && tr_stage_rests(stage, who) &&
            !(who->reach && who->reach->busy) && !(who->errand == STAGE_ASIDE && tr_stage_piece(who)))
            flee(stage, who);
    }
    for (uint32_t i = 0; i < stage->actor_count; i++)
        if (tr_stage_waits(stage, stage->actors[i]))
            look_at_wait(stage, stage->actors[i]);
}
