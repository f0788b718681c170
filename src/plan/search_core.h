// The search of plan/search.h as inline functions, so that a planner that knows its domain at compile time
// needs no calls. search.c compiles the same code for domains given by pointers. Internal to plan/.
#pragma once
#include "troupe/base/clock.h"
#include "troupe/plan/search.h"

#define SEARCH_INLINE static inline __attribute__((always_inline))

// `next` and `previous` link the nodes of one bucket; with a heap, `next` is the place in it.
typedef struct search_node {
    uint32_t cost, parent, next, previous;
} search_node;

// Compared as one number: least total first, then greatest cost.
typedef struct search_entry {
    uint64_t key;
    uint32_t node;
} search_entry;

struct tr_search {
    tr_allocator allocator;
    uint32_t node_count;
    tr_search_queue queue;
    uint8_t generation; // of this search, 1 to 127
    uint8_t *states;    // generation * 2, + 1 once expanded; that of another generation means "not seen"
    search_node *nodes;
    // Heap.
    search_entry *heap;
    uint32_t heap_count;
    // Buckets: a ring of lists, and two levels of bits that say which are not empty.
    uint32_t ring, ring_max; // a power of two above the span: in use, and allocated
    uint32_t *heads;
    uint64_t *filled, *filled_words;
    uint32_t floor; // no waiting total is below this
    uint64_t waiting;
    // Results.
    tr_search_counters counters;
    uint32_t found, nearest, nearest_estimate;
    bool overflowed; // a cost or a total did not fit: the search has ended
};

// Selects the other queue of a search that was created with both (a heap and a span), or a narrower ring;
// call it before tr_search_begin.
void tr_search_choose(tr_search *search, tr_search_queue queue, uint32_t span);

// Keeps the `keep` first nodes of a heap that waits, and forgets the others: they are as if they had never
// been reached. Returns how many were forgotten.
uint32_t tr_search_truncate(tr_search *search, uint32_t keep);

struct tr_search_step {
    tr_search *search;
    const tr_search_domain *domain;
    const tr_search_listener *listener;
    uint32_t node, cost;
};

SEARCH_INLINE void bucket_insert(tr_search *s, uint32_t node, uint32_t total) {
    uint32_t bucket = total & (s->ring - 1), head = s->heads[bucket];
    s->nodes[node].next = head;
    s->nodes[node].previous = TR_NONE;
    if (head != TR_NONE) {
        s->nodes[head].previous = node;
    } else {
        s->filled[bucket >> 6] |= (uint64_t)1 << (bucket & 63);
        s->filled_words[bucket >> 12] |= (uint64_t)1 << (bucket >> 6 & 63);
    }
    s->heads[bucket] = node;
    s->waiting++;
}

SEARCH_INLINE void bucket_empty(tr_search *s, uint32_t bucket) {
    s->filled[bucket >> 6] &= ~((uint64_t)1 << (bucket & 63));
    if (s->filled[bucket >> 6] == 0)
        s->filled_words[bucket >> 12] &= ~((uint64_t)1 << (bucket >> 6 & 63));
}

SEARCH_INLINE void bucket_remove(tr_search *s, uint32_t node, uint32_t total) {
    uint32_t next = s->nodes[node].next, previous = s->nodes[node].previous, bucket = total & (s->ring - 1);
    if (next != TR_NONE)
        s->nodes[next].previous = previous;
    if (previous != TR_NONE)
        s->nodes[previous].next = next;
    else if ((s->heads[bucket] = next) == TR_NONE)
        bucket_empty(s, bucket);
    s->waiting--;
}

// The first bucket that is not empty, from `bucket` on and around the ring.
static inline uint32_t bucket_find(const tr_search *s, uint32_t bucket) {
    uint64_t bits = s->filled[bucket >> 6] >> (bucket & 63);
    if (bits)
        return bucket + (uint32_t)__builtin_ctzll(bits);
    uint32_t words = s->ring >> 6, groups = (words + 63) >> 6, word = (bucket >> 6) + 1;
    for (uint32_t turn = 0; turn <= groups + 1; turn++) {
        if (word >= words)
            word = 0;
        uint64_t rest = s->filled_words[word >> 6] >> (word & 63);
        if (rest) {
            word += (uint32_t)__builtin_ctzll(rest);
            return (word << 6) + (uint32_t)__builtin_ctzll(s->filled[word]);
        }
        word = (word | 63) + 1;
    }
    return bucket; // not reached while something waits
}

SEARCH_INLINE uint32_t bucket_pop(tr_search *s, uint32_t *total) {
    uint32_t mask = s->ring - 1, from = s->floor & mask;
    uint32_t bucket = bucket_find(s, from), node = s->heads[bucket], next = s->nodes[node].next;
    s->floor += (bucket - from) & mask;
    if ((s->heads[bucket] = next) != TR_NONE)
        s->nodes[next].previous = TR_NONE;
    else
        bucket_empty(s, bucket);
    s->waiting--;
    *total = s->floor;
    return node;
}

static inline void heap_place(tr_search *s, uint32_t place, search_entry entry) {
    s->heap[place] = entry;
    s->nodes[entry.node].next = place;
}

static inline void heap_rise(tr_search *s, uint32_t place, search_entry entry) {
    while (place > 0) {
        uint32_t above = (place - 1) >> 2;
        if (s->heap[above].key <= entry.key)
            break;
        heap_place(s, place, s->heap[above]);
        place = above;
    }
    heap_place(s, place, entry);
}

static inline uint32_t heap_pop(tr_search *s, uint32_t *total) {
    search_entry first = s->heap[0], entry = s->heap[--s->heap_count];
    uint32_t count = s->heap_count, place = 0;
    for (;;) {
        uint32_t child = 4 * place + 1, least = child;
        if (child >= count)
            break;
        uint32_t end = child + 4 < count ? child + 4 : count;
        for (uint32_t i = child + 1; i < end; i++)
            least = s->heap[i].key < s->heap[least].key ? i : least;
        if (entry.key <= s->heap[least].key)
            break;
        heap_place(s, place, s->heap[least]);
        place = least;
    }
    if (count)
        heap_place(s, place, entry);
    *total = (uint32_t)(first.key >> 32);
    return first.node;
}

SEARCH_INLINE search_entry heap_entry(uint32_t node, uint32_t cost, uint32_t total) {
    search_entry entry = {(uint64_t)total << 32 | (UINT32_MAX - cost), node};
    return entry;
}

SEARCH_INLINE uint64_t search_waiting(const tr_search *s) {
    return s->queue == TR_SEARCH_BUCKETS ? s->waiting : s->heap_count;
}

// Is it worth reaching `child` at this cost? `*cost` is that of the edge and becomes that from the start.
SEARCH_INLINE bool search_wants(tr_search_step *step, uint32_t child, uint32_t *cost) {
    tr_search *s = step->search;
    uint8_t state = s->states[child];
    s->counters.generated++;
    *cost += step->cost;
    if (*cost < step->cost) {
        s->overflowed = true;
        return false;
    }
    if (state >> 1 != s->generation)
        return true;
    return !((state & 1) && step->domain->is_consistent) && *cost < s->nodes[child].cost;
}

// Reaches it, after search_wants() has returned true.
SEARCH_INLINE void search_take(tr_search_step *step, uint32_t child, uint32_t cost, uint32_t estimate) {
    tr_search *s = step->search;
    uint8_t state = s->states[child], waits = (uint8_t)(s->generation << 1);
    uint32_t total = cost + estimate;
    if (total + 1 <= cost) { // at or above 2^32 - 1, which stands for "not reached"
        s->overflowed = true;
        return;
    }
    bool is_waiting = state == waits;
    if (s->queue == TR_SEARCH_BUCKETS) {
        if (total - s->floor >= s->ring) { // also if below the floor: the domain broke its contract
            s->overflowed = true;
            return;
        }
        if (is_waiting)
            bucket_remove(s, child, s->nodes[child].cost + estimate);
        bucket_insert(s, child, total);
    } else {
        heap_rise(s, is_waiting ? s->nodes[child].next : s->heap_count++, heap_entry(child, cost, total));
    }
    s->counters.improved += is_waiting;
    s->counters.reopened += state == waits + 1;
    s->nodes[child].cost = cost;
    s->nodes[child].parent = step->node;
    s->states[child] = waits;
    if (step->listener)
        step->listener->hear(step->listener->user, is_waiting ? TR_SEARCH_IMPROVES : TR_SEARCH_GENERATES,
                             child, step->node, cost, total);
}

// Puts the node that is expanded back into the queue (a heap), at a greater total: that of the best child
// which it has not made yet.
SEARCH_INLINE void search_put_back(tr_search_step *step, uint32_t total) {
    tr_search *s = step->search;
    heap_rise(s, s->heap_count++, heap_entry(step->node, step->cost, total));
    s->states[step->node] = (uint8_t)(s->generation << 1);
}

// The least total that waits in a heap.
SEARCH_INLINE uint32_t search_least(const tr_search *s) {
    return s->heap_count ? (uint32_t)(s->heap[0].key >> 32) : UINT32_MAX;
}

SEARCH_INLINE void search_follow(tr_search_step *step, uint32_t child, uint32_t cost) {
    if (search_wants(step, child, &cost))
        search_take(step, child, cost,
                    step->domain->estimate ? step->domain->estimate(step->domain->user, child) : 0);
}

SEARCH_INLINE tr_status search_run(tr_search *s, const tr_search_domain *domain, tr_search_budget budget,
                                   const tr_search_listener *listener) {
    uint64_t first = s->counters.expanded, stop_at = first + budget.expansions;
    if (budget.expansions == 0 || stop_at < first)
        stop_at = UINT64_MAX;
    uint64_t begin = budget.microseconds ? tr_clock_nanoseconds() : 0;
    uint64_t time = budget.microseconds < UINT64_MAX / 1000 ? budget.microseconds * 1000 : UINT64_MAX;
    tr_search_step step = {s, domain, listener, 0, 0};
    if (s->found != TR_NONE)
        return TR_OK;
    if (s->overflowed)
        return TR_LIMIT;
    while (search_waiting(s)) {
        if (s->counters.expanded >= stop_at)
            return TR_PARTIAL;
        if (budget.microseconds && s->counters.expanded % 64 == 63 && s->counters.expanded != first &&
            tr_clock_nanoseconds() - begin >= time)
            return TR_PARTIAL;
        uint32_t total, node = s->queue == TR_SEARCH_BUCKETS ? bucket_pop(s, &total) : heap_pop(s, &total);
        s->states[node] |= 1;
        s->counters.expanded++;
        step.node = node;
        step.cost = s->nodes[node].cost;
        if (total - step.cost < s->nearest_estimate) {
            s->nearest_estimate = total - step.cost;
            s->nearest = node;
        }
        bool arrives = domain->is_goal && domain->is_goal(domain->user, node);
        if (listener)
            listener->hear(listener->user, arrives ? TR_SEARCH_ARRIVES : TR_SEARCH_EXPANDS, node,
                           s->nodes[node].parent, step.cost, total);
        if (arrives) {
            s->found = node;
            return TR_OK;
        }
        domain->expand(domain->user, node, s->nodes[node].parent, &step);
        if (s->overflowed)
            return TR_LIMIT;
    }
    return TR_NOT_FOUND;
}
