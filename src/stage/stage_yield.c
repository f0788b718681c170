// Impasses. Somebody who stands because of somebody who stands is waiting for it; a ring of such waits, or
// one that ends with somebody who has nothing to do, does not end by itself. The one of them with the oldest
// order claims its way, and whoever stands on it makes room, with the same right against those who stand in
// its own way (priority inheritance). Where somebody finds no room, the two change roles.
#include "stage_data.h"

#include <stdio.h>

// The older order goes first; of those who go by the same right, the one that it came from.
typedef struct right {
    uint64_t rank;
    uint32_t depth;
} right;

static right right_of(const tr_stage *stage, const stage_actor *who) {
    if (who->errand == STAGE_ASIDE || who->lent_rank)
        return (right){who->lent_rank, who->lent_depth};
    (void)stage;
    return (right){tr_stage_current(who) ? who->rank : UINT64_MAX, 0};
}

static bool goes_before(right a, right b) {
    return a.rank < b.rank || (a.rank == b.rank && a.depth < b.depth);
}

static tr_go_claim claim_of(const tr_stage *stage, const stage_actor *owner, const stage_actor *who) {
    tr_go_claim claim = {.way = &owner->way,
                         .begin = tr_stage_along(owner),
                         .end = owner->claim_end,
                         .width = owner->radius + who->radius + stage->def.margin + TUNE_CORRIDOR};
    return claim;
}

uint32_t tr_stage_claims_on(tr_stage *stage, const stage_actor *who) {
    uint32_t count = 0;
    right own = right_of(stage, who);
    for (uint32_t i = 0; i < stage->claimant_count && count < STAGE_CLAIMS; i++) {
        const stage_actor *owner = tr_stage_find_actor(stage, stage->claimants[i]);
        if (owner && owner != who && owner->claims && goes_before(right_of(stage, owner), own))
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

// As far as others stand on it, one close behind the other.
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

static void make_claim(tr_stage *stage, stage_actor *owner) {
    if (!owner->claims)
        owner->claim_tick = stage->tick;
    owner->claims = true;
    owner->claim_end = claim_end(stage, owner);
    list_claimants(stage);
}

// Those near it who go before it: they are not asked to make room.
static uint32_t find_fixed(const tr_stage *stage, const stage_actor *who, tr_vec3 *fixed, uint32_t max) {
    uint32_t near[32], found = 0;
    uint32_t count = tr_timeline_near(stage->timeline, tr_stage_place_of(who), 4, 1, who->height, near, 32);
    for (uint32_t i = 0; i < count && i < 32 && found < max; i++) {
        const stage_actor *other = near[i] != who->body ? stage->bodies[near[i]] : NULL;
        if (other && tr_stage_rests(stage, other) &&
            goes_before(right_of(stage, other), right_of(stage, who)))
            fixed[found++] = tr_stage_place_of(other);
    }
    return found;
}

// Find a place out of everybody's way and set out for it. false: there is none.
static bool step_aside(tr_stage *stage, stage_actor *who, tr_actor_id owner) {
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
    if (tr_go_aside(stage->go, stage->ground, stage->timeline, &walker, &place) == TR_OK &&
        tr_stage_find_way(stage, who, &place, 1, &result, NULL) == TR_OK) {
        tr_stage_set_out(stage, who, STAGE_ASIDE);
        who->aside_for = owner;
        return true;
    }
    return false;
}

// Send somebody out of the way of `owner`. false: there is no room for it.
static bool send_aside(tr_stage *stage, stage_actor *who, const stage_actor *owner) {
    right by = right_of(stage, owner), kept = {who->lent_rank, who->lent_depth};
    who->lent_rank = by.rank;
    who->lent_depth = by.depth + 1;
    if (step_aside(stage, who, owner->id))
        return true;
    who->lent_rank = kept.rank;
    who->lent_depth = kept.depth;
    return false;
}

// Somebody who stands where an object will come goes away in time.
static void flee(tr_stage *stage, stage_actor *who) {
    tr_vec3 at = tr_stage_place_of(who);
    tr_timeline_motion motion = {.begin = stage->tick,
                                 .positions = &at,
                                 .count = 1,
                                 .radius = who->radius,
                                 .height = who->height,
                                 .self = who->body,
                                 .rest = true};
    tr_timeline_meeting meeting;
    if (!tr_timeline_meets(stage->timeline, &motion, &meeting) || meeting.object == TR_NONE ||
        (meeting.tick - (double)stage->tick) * TR_STAGE_TICK > TUNE_FLEE)
        return;
    who->lent_rank = 1; // before everybody
    who->lent_depth = 0;
    if (!step_aside(stage, who, 0))
        who->lent_rank = 0;
}

// Can it be sent aside, by one who goes before it?
static bool may_send(const tr_stage *stage, const stage_actor *who, const stage_actor *owner) {
    const tr_way_piece *piece = tr_stage_piece(who);
    bool carried = piece && piece->kind == TR_WAY_RIDE && who->piece_begun;
    return !carried && !(who->reach && who->reach->busy) &&
           goes_before(right_of(stage, owner), right_of(stage, who));
}

void tr_stage_fail(tr_stage *stage, stage_actor *who, const char *reason) {
    if (who->errand == STAGE_ORDER && tr_stage_current(who))
        tr_stage_end_order(stage, who, TR_ORDER_FAILED, reason);
    else
        tr_stage_halt(stage, who);
}

static void fail(tr_stage *stage, stage_actor *who, const stage_actor *other) {
    tr_vec3 at = tr_stage_place_of(other);
    char reason[TR_ORDER_REASON_MAX];
    snprintf(reason, sizeof reason,
             "%.60s stands in the way at (%.2f, %.2f, %.2f) and has no room to give way", other->name,
             (double)at.x, (double)at.y, (double)at.z);
    tr_stage_fail(stage, who, reason);
}

// The one in the way finds no room: the other makes room for it instead.
static bool change_roles(tr_stage *stage, stage_actor *owner, stage_actor *other) {
    if (other->errand != STAGE_ORDER || owner->errand == STAGE_IDLE || other->lent_rank)
        return false;
    right by = right_of(stage, owner);
    owner->claims = false;
    other->lent_rank = by.rank;
    other->lent_depth = by.depth;
    make_claim(stage, other);
    if (send_aside(stage, owner, other))
        return true;
    other->claims = false;
    other->lent_rank = 0;
    list_claimants(stage);
    return false;
}

// One after the other: two who claim their ways near each other send people into each other's. Those who make
// room for somebody claim with its right.
static bool is_turn_of(const tr_stage *stage, const stage_actor *owner) {
    for (uint32_t i = 0; i < stage->claimant_count && owner->errand == STAGE_ORDER; i++) {
        const stage_actor *other = tr_stage_find_actor(stage, stage->claimants[i]);
        if (!other || other == owner || other->errand != STAGE_ORDER)
            continue;
        tr_vec3 apart = tr_vec3_subtract(tr_stage_place_of(other), tr_stage_place_of(owner));
        if (apart.x * apart.x + apart.z * apart.z < TUNE_TURN_APART * TUNE_TURN_APART)
            return false;
    }
    return true;
}

static void claim_way(tr_stage *stage, stage_actor *owner, uint64_t rank) {
    if (stage->tick < owner->yield_tick + TUNE_YIELD_PERIOD || !is_turn_of(stage, owner))
        return;
    owner->yield_tick = stage->tick;
    if (rank < right_of(stage, owner).rank) { // the best of the ring lends it
        owner->lent_rank = rank;
        owner->lent_depth = 0;
    }
    make_claim(stage, owner);
    stage_actor *first = stage->bodies[owner->blocker];
    if (may_send(stage, first, owner) && !send_aside(stage, first, owner)) {
        if (!change_roles(stage, owner, first) && !tr_stage_current(first))
            fail(stage, owner, first);
        return;
    }
    // Everybody else who stands there goes as well, so that the way is free at once.
    uint32_t near[256];
    tr_vec3 at = tr_stage_place_of(owner);
    uint32_t count = tr_timeline_near(stage->timeline, at, TUNE_CLAIM_SIGHT, TUNE_FLOOR_APART * 3,
                                      TUNE_FLOOR_APART * 3, near, 256);
    for (uint32_t i = 0; i < count && i < 256; i++) {
        stage_actor *other = stage->bodies[near[i]];
        if (!other || other == owner || other == first || !tr_stage_rests(stage, other) ||
            other->errand == STAGE_ASIDE)
            continue;
        tr_go_claim claim = claim_of(stage, owner, other);
        if (tr_go_is_claimed(&claim, 1, tr_stage_place_of(other)) && may_send(stage, other, owner))
            send_aside(stage, other, owner);
    }
}

static bool is_idle(const stage_actor *who) {
    return who->errand == STAGE_IDLE || (who->errand == STAGE_ASIDE && !tr_stage_piece(who));
}

static bool waits(const tr_stage *stage, const stage_actor *who) {
    const stage_actor *other = who->blocker != TR_NONE ? stage->bodies[who->blocker] : NULL;
    return tr_stage_piece(who) && who->stuck && tr_stage_rests(stage, who) && other &&
           tr_stage_rests(stage, other) && other->commits == who->blocker_seen;
}

// The goal is taken by somebody who has come to stay: beside it is near enough.
static bool stays_beside(const tr_stage *stage, const stage_actor *who) {
    const stage_order *order = tr_stage_current(who);
    if (who->errand != STAGE_ORDER || !order || order->order.kind != TR_ORDER_GO ||
        tr_stage_to_go(who) > TUNE_BESIDE)
        return false;
    uint32_t near[64],
        count = tr_timeline_near(stage->timeline, who->goal, 2 * who->radius + 1, 1, 1, near, 64);
    for (uint32_t i = 0; i < count && i < 64; i++) {
        const stage_actor *other = stage->bodies[near[i]];
        if (!other || other == who || !is_idle(other) || tr_stage_current(other))
            continue;
        tr_vec3 apart = tr_vec3_subtract(tr_stage_place_of(other), who->goal);
        float taken = who->radius + other->radius + stage->def.margin;
        if (apart.x * apart.x + apart.z * apart.z < taken * taken)
            return true;
    }
    return false;
}

// How many stand on the way that somebody would claim.
static uint32_t price_of(const tr_stage *stage, const stage_actor *owner) {
    uint32_t near[64], price = 0;
    float begin = tr_stage_along(owner);
    uint32_t count = tr_timeline_near(stage->timeline, tr_stage_place_of(owner), TUNE_CLAIM_GAP + 1,
                                      TUNE_FLOOR_APART, TUNE_FLOOR_APART, near, 64);
    for (uint32_t i = 0; i < count && i < 64; i++) {
        const stage_actor *other = stage->bodies[near[i]];
        if (!other || other == owner || !tr_stage_rests(stage, other))
            continue;
        tr_go_claim claim = claim_of(stage, owner, other);
        claim.end = begin + TUNE_CLAIM_GAP;
        price += tr_go_is_claimed(&claim, 1, tr_stage_place_of(other));
    }
    return price;
}

// The one to act in the ring that somebody is part of; NULL: it is part of none. Somebody who is only polite
// need not be any longer; else the one whose way costs least to be made free.
// Could it go on if it were not polite? It was told so before, and that did not help, when it is not long
// ago.
static bool is_polite(const tr_stage *stage, const stage_actor *who) {
    return who->polite && stage->tick > who->waiver + 2 * TUNE_WAIVER;
}

static uint32_t worth(const tr_stage *stage, const stage_actor *who) {
    if (tr_stage_inside(who)) // it cannot go aside itself
        return 0;
    return is_polite(stage, who) ? 1 : 2 + price_of(stage, who);
}

static stage_actor *head_of_ring(const tr_stage *stage, stage_actor *who, uint64_t *rank) {
    stage_actor *best = who, *at = stage->bodies[who->blocker];
    uint32_t price = worth(stage, who);
    *rank = right_of(stage, who).rank;
    for (uint32_t steps = 0; at != who; steps++) {
        if (!waits(stage, at) || steps > stage->actor_count)
            return NULL;
        uint32_t its = worth(stage, at);
        *rank = right_of(stage, at).rank < *rank ? right_of(stage, at).rank : *rank;
        if (its < price || (its == price && goes_before(right_of(stage, at), right_of(stage, best)))) {
            best = at;
            price = its;
        }
        at = stage->bodies[at->blocker];
    }
    return best;
}

static void look_at_wait(tr_stage *stage, stage_actor *who) {
    stage_actor *other = stage->bodies[who->blocker];
    if (stays_beside(stage, who)) {
        tr_stage_end_order(stage, who, TR_ORDER_DONE, "");
        return;
    }
    if (is_idle(other) && !is_polite(stage, who)) {
        claim_way(stage, who, UINT64_MAX);
        return;
    }
    uint64_t rank = UINT64_MAX;
    stage_actor *head = is_idle(other) ? who : head_of_ring(stage, who, &rank);
    if (head == who && is_polite(stage, who))
        who->waiver = stage->tick + TUNE_WAIVER;
    else if (head == who)
        claim_way(stage, who, rank - 1);
}

// A claim is over when its owner has passed, and those who made room go on.
static void end_claims(tr_stage *stage) {
    for (uint32_t i = 0; i < stage->actor_count; i++) {
        stage_actor *who = stage->actors[i];
        if (who->claims && (!tr_stage_piece(who) || tr_stage_along(who) >= who->claim_end))
            who->claims = false;
        // Nobody made room, and somebody else may have more luck.
        if (!tr_stage_rests(stage, who))
            who->claim_tick = stage->tick;
        if (who->claims && stage->tick > who->claim_tick + TUNE_CLAIM_TURN) {
            who->claims = false;
            who->yield_tick = stage->tick + TUNE_CLAIM_TURN;
        }
        if (who->lent_rank && who->errand != STAGE_ASIDE && !who->claims)
            who->lent_rank = 0;
    }
    for (uint32_t i = 0; i < stage->actor_count; i++) {
        stage_actor *who = stage->actors[i];
        if (who->errand != STAGE_ASIDE)
            continue;
        const stage_actor *owner = tr_stage_find_actor(stage, who->aside_for);
        if ((owner && owner->claims) || (!who->aside_for && tr_stage_piece(who)))
            continue;
        who->lent_rank = 0;
        tr_stage_halt(stage, who);
        stage_order *order = tr_stage_current(who);
        if (order && (order->order.kind == TR_ORDER_GO || order->order.kind == TR_ORDER_STEER))
            order->unplanned = true;
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

void tr_stage_resolve(tr_stage *stage) {
    end_claims(stage);
    bool moving = objects_move(stage);
    for (uint32_t i = 0; moving && i < stage->actor_count; i++) {
        stage_actor *who = stage->actors[i];
        if ((stage->tick + i) % TUNE_FLEE_PERIOD == 0 && tr_stage_rests(stage, who) &&
            !(who->reach && who->reach->busy) && !(who->errand == STAGE_ASIDE && tr_stage_piece(who)))
            flee(stage, who);
    }
    for (uint32_t i = 0; i < stage->actor_count; i++)
        if (waits(stage, stage->actors[i]))
            look_at_wait(stage, stage->actors[i]);
}
