// Ways around others, in space and time: safe intervals over the nodes of a window (Phillips & Likhachev
// 2011). A node's 64 slots of time are one word. A state is a node with the first slot of an interval of free
// slots; of two states in the same interval only the earlier one counts.
#include "go_data.h"

#include "troupe/base/scalar.h"

#include <string.h>

#define SIDE 41         // nodes of the window on a side: five metres in each direction
#define SIGHT 40        // slots after which a plan is judged by the distance left to go
#define GAIN_LEAST 3.0f // slots that a plan must save against staying
#define TURN_FREE 0.6f  // turns up to this are walked [rad]
#define TURN_TIME 0.55f // time of a larger turn on the spot [s/rad]
#define LEFT 0.7f       // additional slots of a step, for each step that it is to the left of the way
#define LEFT_FREE 0.2f  // beyond this [m]
#define LEFT_SIGHT 2.0f // distance at which the direction of the way is taken [m]
#define STRAIGHT 2      // slots of a step
#define DIAGONAL 3
#define REJOIN_STEP 0.25f // a plan is pulled tight to the way in steps of this [m],
#define REJOIN_STEPS 10   // at most this many farther along
#define HAIR 1e-3f        // [slots]
#define ALL_SLOTS (~(uint64_t)0)

typedef struct around_search {
    tr_go *go;
    const tr_go_walker *walker;
    uint32_t slot; // [ticks]
    float slots_per_metre;
    float best;          // the least total of a plan so far [slots]
    uint32_t best_state; // the state in which it stays
    uint32_t expanded;
    tr_vec2 left; // of the direction of the way
} around_search;

static uint64_t bits_from(uint32_t slot) {
    return slot < 64 ? ALL_SLOTS << slot : 0;
}

// The last slot of the interval of free slots that contains `slot`.
static uint32_t interval_end(uint64_t taken, uint32_t slot) {
    uint64_t after = taken & bits_from(slot);
    return after ? (uint32_t)__builtin_ctzll(after) - 1 : 63;
}

static bool may_rest(const around_search *search, uint32_t node, uint32_t slot) {
    if (interval_end(search->go->taken[node], slot) < 63)
        return false;
    const tr_go_walker *walker = search->walker;
    if (walker->claim_count == 0)
        return true;
    tr_vec2 at = go_node_point(search->go, node);
    return !tr_go_is_claimed(walker->claims, walker->claim_count,
                             tr_vec3_make(at.x, search->go->height[node], at.z));
}

// Others are passed on the right, so that bodies that meet do not choose the same side.
static float price_of_left(const around_search *search, uint32_t node) {
    tr_vec2 at = go_node_point(search->go, node);
    float x = at.x - search->go->middle.x, z = at.z - search->go->middle.z;
    float left = x * search->left.x + z * search->left.z - LEFT_FREE;
    return left > 0 ? LEFT * left / GO_STEP : 0;
}

// Adds a state, unless its interval has an earlier one.
static void reach(around_search *search, uint32_t node, uint32_t slot, uint32_t parent) {
    tr_go *go = search->go;
    if (go->reached[node] >> slot & 1 || go->state_count == GO_STATES_MAX)
        return;
    uint32_t end = interval_end(go->taken[node], slot);
    go->reached[node] |= bits_from(slot) & ~(end < 63 ? bits_from(end + 1) : 0);
    float price = (parent == TR_NONE ? 0 : go->states[parent].price) + price_of_left(search, node);
    float most = (search->best - (float)slot - price) / search->slots_per_metre;
    float to_go = tr_go_distance(go, node, most),
          total = (float)slot + price + search->slots_per_metre * to_go;
    if (total >= search->best - HAIR)
        return; // it would not be expanded any more
    uint32_t state = go->state_count++;
    go->states[state] = (go_state){node, parent, price, (uint8_t)slot};
    tr_go_push(&go->heap, total, state);
    // Staying there is a plan as well.
    float stays = (float)(slot > SIGHT ? slot : SIGHT) + price + search->slots_per_metre * to_go;
    if (stays < search->best && may_rest(search, node, slot)) {
        search->best = stays;
        search->best_state = state;
    }
}

// The time of a turn by this angle [slots].
static uint32_t slots_of_turn(const around_search *search, double angle) {
    if (angle < (double)TURN_FREE)
        return 0;
    double seconds = angle * (double)TURN_TIME, slot = (double)search->slot * search->walker->tick_seconds;
    double count = seconds / slot + 0.5;
    return count < 60 ? (uint32_t)count : 60;
}

// The time of the turn before the body can set out in a direction [slots].
static uint32_t turn_slots(const around_search *search, uint32_t direction) {
    static const float turns[8] = {0.25f, 0.125f, 0, -0.125f, -0.25f, -0.375f, 0.5f, 0.375f};
    double heading = (double)turns[direction] * 2 * TR_PI, off = heading - (double)search->walker->heading;
    off -= floor(off / (2 * TR_PI) + 0.5) * 2 * TR_PI;
    return slots_of_turn(search, fabs(off));
}

// All departures from `from`, where the body may be in slots [first, last], that bring it to `to`: the first
// for each interval there.
static void follow(around_search *search, uint32_t state, uint32_t to, uint32_t first, uint32_t last,
                   uint32_t duration) {
    tr_go *go = search->go;
    uint32_t from = go->states[state].node, half = duration / 2;
    uint64_t free_from = ~go->taken[from], free_to = ~go->taken[to];
    uint64_t departures = bits_from(first) & ~(last < 63 ? bits_from(last + 1) : 0);
    for (uint32_t k = 0; k <= duration; k++) {
        if (k <= half + 1)
            departures &= free_from >> k;
        if (k >= half)
            departures &= free_to >> k;
    }
    while (departures) {
        uint32_t depart = (uint32_t)__builtin_ctzll(departures), arrive = depart + duration;
        if (arrive > 63)
            return;
        reach(search, to, arrive, state);
        // On to the next interval of the node that is reached.
        uint32_t end = interval_end(go->taken[to], arrive);
        if (end >= 63)
            return;
        departures &= bits_from(end + 1 > duration ? end + 1 - duration : 0);
        departures &= bits_from(depart + 1);
    }
}

static void expand(around_search *search, uint32_t state) {
    tr_go *go = search->go;
    go_state from = go->states[state];
    uint32_t last = interval_end(go->taken[from.node], from.slot);
    int32_t directions[8];
    tr_go_directions(go, directions);
    for (uint32_t steps = go->steps[from.node]; steps; steps &= steps - 1) {
        uint32_t direction = (uint32_t)__builtin_ctz(steps);
        uint32_t first = from.slot + (from.parent == TR_NONE ? turn_slots(search, direction) : 0);
        if (first <= last)
            follow(search, state, from.node + (uint32_t)directions[direction], first, last,
                   direction % 2 ? DIAGONAL : STRAIGHT);
    }
}

static void run(around_search *search) {
    tr_go *go = search->go;
    while (go->heap.count) {
        go_entry entry = tr_go_pop(&go->heap);
        if (entry.key >= search->best - HAIR)
            return;
        search->expanded++;
        expand(search, entry.item);
    }
}

// Can it walk there? Nodes are farther apart than a kerb is wide, and a line may be free over a step.
static bool may_walk(const tr_go *go, const tr_ground *ground, uint32_t size, tr_vec3 a, tr_vec3 b) {
    return tr_ground_sees(ground, size, a, b) &&
           tr_way_is_level(ground, a, b, go->middle.y, tr_ground_size(ground, size)->foot_rise);
}

// May the body go straight from one point of its plan to a later one? As far as the slots tell: nothing is
// known of others outside the window.
static bool is_straight(const tr_go *go, const tr_ground *ground, uint32_t size, tr_vec3 a, tr_vec3 b,
                        float slot_a, float slot_b) {
    tr_vec3 apart = tr_vec3_subtract(b, a);
    uint32_t steps = 1 + (uint32_t)(tr_vec3_length(apart) / (0.5f * GO_STEP));
    for (uint32_t i = 1; i < steps; i++) {
        float t = (float)i / (float)steps, slot = slot_a + t * (slot_b - slot_a);
        uint32_t node = tr_go_node_at(go, tr_vec3_add(a, tr_vec3_scale(apart, t)));
        if (node != TR_NONE &&
            (!go_is_open(go, node) || go->taken[node] >> (slot < 63 ? (uint32_t)slot : 63) & 1))
            return false;
    }
    return may_walk(go, ground, size, a, b);
}

static tr_vec3 point_of(const tr_go *go, uint32_t node) {
    tr_vec2 at = go_node_point(go, node);
    return tr_vec3_make(at.x, go->height[node], at.z);
}

// The same for a line to a place between nodes: all nodes around each of its points have to be free.
static bool is_clear(const tr_go *go, const tr_ground *ground, uint32_t size, tr_vec3 a, tr_vec3 b,
                     float slot_a, float slot_b) {
    tr_vec3 apart = tr_vec3_subtract(b, a);
    uint32_t steps = 1 + (uint32_t)(tr_vec3_length(apart) / (0.5f * GO_STEP));
    for (uint32_t i = 0; i <= steps; i++) {
        float t = (float)i / (float)steps, slot = slot_a + t * (slot_b - slot_a);
        tr_vec3 at = tr_vec3_add(a, tr_vec3_scale(apart, t));
        for (int k = 0; k < 4; k++) {
            tr_vec3 near = {at.x + (k % 2 ? 0.5f : -0.5f) * GO_STEP, at.y,
                            at.z + (k / 2 ? 0.5f : -0.5f) * GO_STEP};
            uint32_t node = tr_go_node_at(go, near);
            if (node != TR_NONE && go->taken[node] >> (slot < 63 ? (uint32_t)slot : 63) & 1)
                return false;
        }
    }
    return is_straight(go, ground, size, a, b, slot_a, slot_b);
}

// Back onto the way itself. The last node is only near the way, and may be beyond the point where it rejoins.
static void rejoin(const around_search *search, const tr_ground *ground, float slot, float slot_last,
                   tr_go_around_result *result) {
    const tr_go_walker *walker = search->walker;
    tr_vec3 *last = &result->points[result->point_count - 1];
    for (int more = REJOIN_STEPS; more >= 0; more--) {
        float along = result->rejoins + (float)more * REJOIN_STEP;
        tr_vec3 place = tr_way_at(walker->way, along);
        if (along > walker->until)
            continue;
        bool tight = is_clear(search->go, ground, walker->size, last[-1], place, slot, slot_last);
        if (!tight && (more == 0 || result->point_count == TR_GO_AROUND_POINTS ||
                       !is_clear(search->go, ground, walker->size, *last, place, slot_last, slot_last)))
            continue;
        result->point_count += tight ? 0 : 1;
        last[tight ? 0 : 1] = place;
        result->rejoins = along;
        return;
    }
}

// The nodes of the plan, then those that lead back to the way, pulled tight.
static void take_points(const around_search *search, const tr_ground *ground, tr_go_around_result *result) {
    tr_go *go = search->go;
    uint32_t *nodes = go->queue, count = 0;
    float slots[GO_SIDE_MAX * 4];
    uint32_t length = 0, before = 0, most = sizeof slots / sizeof *slots;
    for (uint32_t state = search->best_state; state != TR_NONE; state = go->states[state].parent)
        length++;
    uint32_t end = go->states[search->best_state].node, place = length < most ? length : most;
    for (uint32_t state = search->best_state; state != TR_NONE; state = go->states[state].parent, place--)
        if (place > 0) {
            nodes[place - 1] = go->states[state].node;
            slots[place - 1] = go->states[state].slot;
        }
    count = length < most ? length : most;
    result->rejoins = go->rejoins[end];
    result->points[0] = go->middle;
    result->point_count = 1;
    for (uint32_t node = go->next[end]; node != TR_NONE && count < most; node = go->next[node]) {
        if (go->taken[node] >> 63) {
            result->point_count = 0; // a body stands where it would come back to the way
            return;
        }
        slots[count] = 63;
        nodes[count++] = node;
    }
    for (uint32_t i = 0; i + 1 < count;) {
        uint32_t next = i + 1;
        tr_vec3 from = result->points[result->point_count - 1];
        if (!may_walk(go, ground, search->walker->size, from, point_of(go, nodes[next]))) {
            result->point_count = 0; // past a corner, or over a step, that the nodes do not show
            return;
        }
        while (next + 1 < count && is_straight(go, ground, search->walker->size, from,
                                               point_of(go, nodes[next + 1]), slots[i], slots[next + 1]))
            next++;
        result->points[result->point_count++] = point_of(go, nodes[next]);
        before = i;
        i = next;
        if (i + 1 < count && result->point_count == TR_GO_AROUND_POINTS) {
            result->point_count = 0; // half a detour would be useless
            return;
        }
    }
    if (result->point_count > 1)
        rejoin(search, ground, slots[before], slots[count - 1], result);
}

tr_status tr_go_around(tr_go *go, const tr_ground *ground, const tr_timeline *timeline,
                       const tr_go_walker *walker, tr_go_around_result *result) {
    result->point_count = 0;
    result->expanded = 0;
    tr_go_open_window(go, ground, walker, SIDE, true);
    // Two slots for a straight step at the body's speed, three for a diagonal one.
    double ticks = 0.5 * (double)GO_STEP / ((double)walker->speed * walker->tick_seconds) + 0.5;
    uint32_t slot = ticks < 1 ? 1 : ticks > 15 ? 15 : (uint32_t)ticks;
    if (tr_go_fill_times(go, timeline, walker, slot, STRAIGHT) != TR_OK || !tr_go_begin_distances(go, walker))
        return TR_NOT_FOUND;
    uint32_t count = SIDE * SIDE, middle = count / 2;
    float to_go = tr_go_distance(go, middle, INFINITY);
    if (to_go == INFINITY)
        return TR_NOT_FOUND;
    memset(go->reached, 0, count * sizeof *go->reached);
    go->state_count = go->heap.count = 0;
    around_search search = {.go = go,
                            .walker = walker,
                            .slot = slot,
                            .slots_per_metre = 2 / GO_STEP,
                            .best = INFINITY,
                            .best_state = TR_NONE};
    tr_vec3 ahead = tr_way_at(walker->way, walker->along + LEFT_SIGHT);
    float x = ahead.x - walker->position.x, z = ahead.z - walker->position.z, length = sqrtf(x * x + z * z);
    if (length > GO_STEP)
        search.left = (tr_vec2){z / length, -x / length};
    go->taken[middle] &= walker->rests ? 0 : ~(uint64_t)7; // it is there now, and can get away
    reach(&search, middle, 0, TR_NONE);
    // A plan has to save at least this much: the search ends as soon as there is no better one.
    float stays = (float)SIGHT + search.slots_per_metre * to_go, least = stays - GAIN_LEAST;
    search.best = least + 2 * HAIR;
    search.best_state = TR_NONE;
    run(&search);
    result->expanded = search.expanded;
    if (search.best_state == TR_NONE || go->states[search.best_state].node == middle || search.best > least)
        return TR_NOT_FOUND;
    result->gain = (stays - search.best) * (float)((double)slot * walker->tick_seconds);
    take_points(&search, ground, result);
    return result->point_count > 1 ? TR_OK : TR_NOT_FOUND;
}
