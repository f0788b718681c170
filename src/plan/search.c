#include "search_core.h"

#include <string.h>

#define SPAN_MAX (1u << 20)

static uint32_t ring_for(uint32_t span) {
    uint32_t ring = 64;
    while (ring <= span)
        ring *= 2;
    return ring;
}

static bool allocate_heap(tr_search *made) {
    made->heap = tr_allocate(&made->allocator, made->node_count, sizeof *made->heap);
    return made->heap != NULL;
}

static bool allocate_buckets(tr_search *made, uint32_t span) {
    const tr_allocator *memory = &made->allocator;
    made->ring = made->ring_max = ring_for(span);
    made->heads = tr_allocate(memory, made->ring, sizeof *made->heads);
    made->filled = tr_allocate_zero(memory, made->ring / 64, sizeof *made->filled);
    made->filled_words = tr_allocate_zero(memory, (made->ring / 64 + 63) / 64, sizeof *made->filled_words);
    if (!made->heads || !made->filled || !made->filled_words)
        return false;
    memset(made->heads, 0xff, made->ring * sizeof *made->heads); // TR_NONE
    return true;
}

tr_status tr_search_create(const tr_search_def *def, tr_search **search, tr_error *error) {
    *search = NULL;
    if (def->node_count == 0 || def->node_count >= 1u << 31)
        return tr_fail(error, TR_INVALID, "a search has %u nodes, it must be 1 to 2^31 - 1", def->node_count);
    if ((unsigned)def->queue > TR_SEARCH_BUCKETS)
        return tr_fail(error, TR_INVALID, "there is no queue %d", (int)def->queue);
    if ((def->queue == TR_SEARCH_BUCKETS && def->span == 0) || def->span > SPAN_MAX)
        return tr_fail(error, TR_INVALID, "the span of the buckets is %u, it must be 1 to %u", def->span,
                       SPAN_MAX);
    tr_allocator own = tr_allocator_or_default(def->allocator);
    tr_search *made = tr_allocate_zero(&own, 1, sizeof *made);
    if (made) {
        made->allocator = own;
        made->node_count = def->node_count;
        made->queue = def->queue;
        made->states = tr_allocate_zero(&own, def->node_count, sizeof *made->states);
        made->nodes = tr_allocate(&own, def->node_count, sizeof *made->nodes);
        bool enough = made->states && made->nodes &&
                      (def->queue == TR_SEARCH_BUCKETS || allocate_heap(made)) &&
                      (def->span == 0 || allocate_buckets(made, def->span));
        if (enough) {
            made->found = made->nearest = TR_NONE;
            *search = made;
            return TR_OK;
        }
        tr_search_destroy(made);
    }
    return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a search over %u nodes", def->node_count);
}

void tr_search_destroy(tr_search *search) {
    if (!search)
        return;
    tr_allocator memory = search->allocator;
    tr_release(&memory, search->states, search->node_count, sizeof *search->states);
    tr_release(&memory, search->nodes, search->node_count, sizeof *search->nodes);
    tr_release(&memory, search->heap, search->node_count, sizeof *search->heap);
    tr_release(&memory, search->heads, search->ring_max, sizeof *search->heads);
    tr_release(&memory, search->filled, search->ring_max / 64, sizeof *search->filled);
    tr_release(&memory, search->filled_words, (search->ring_max / 64 + 63) / 64,
               sizeof *search->filled_words);
    tr_release(&memory, search, 1, sizeof *search);
}

uint64_t tr_search_bytes(const tr_search *search) {
    uint64_t nodes = search->node_count;
    return sizeof *search + nodes * (sizeof *search->states + sizeof *search->nodes) +
           (search->heap ? nodes * sizeof *search->heap : 0) +
           (uint64_t)search->ring_max * sizeof *search->heads +
           search->ring_max / 64 * sizeof *search->filled +
           (search->ring_max / 64 + 63) / 64 * sizeof *search->filled_words;
}

// By buckets, not by their entries: these may be millions, and out of the cache.
static void empty_buckets(tr_search *search) {
    uint32_t groups = search->waiting ? (search->ring / 64 + 63) / 64 : 0;
    for (uint32_t group = 0; group < groups; group++)
        while (search->filled_words[group]) {
            uint32_t word = group * 64 + (uint32_t)__builtin_ctzll(search->filled_words[group]);
            uint32_t bucket = word * 64 + (uint32_t)__builtin_ctzll(search->filled[word]);
            search->heads[bucket] = TR_NONE;
            bucket_empty(search, bucket);
        }
    search->waiting = 0;
}

// A ring of fewer buckets than were allocated stays in the nearest cache.
void tr_search_choose(tr_search *search, tr_search_queue queue, uint32_t span) {
    empty_buckets(search);
    search->heap_count = 0;
    search->queue = queue;
    if (queue == TR_SEARCH_BUCKETS && ring_for(span) <= search->ring_max)
        search->ring = ring_for(span);
}

// The first ones are taken out in order into the room that this leaves at the end, and put back: a sorted
// list is a heap.
uint32_t tr_search_truncate(tr_search *search, uint32_t keep) {
    uint32_t count = search->heap_count, total;
    search_entry *heap = search->heap;
    if (search->queue != TR_SEARCH_HEAP || keep >= count)
        return 0;
    for (uint32_t i = 0; i < keep; i++) {
        search_entry first = heap[0];
        heap_pop(search, &total);
        heap[search->heap_count] = first;
    }
    for (uint32_t i = 0; i < search->heap_count; i++)
        search->states[heap[i].node] = 0;
    for (uint32_t low = 0, high = count - 1; low < high; low++, high--) {
        search_entry other = heap[low];
        heap[low] = heap[high];
        heap[high] = other;
    }
    search->heap_count = keep;
    for (uint32_t i = 0; i < keep; i++)
        search->nodes[heap[i].node].next = i;
    return count - keep;
}

tr_status tr_search_begin(tr_search *search, const tr_search_domain *domain, const uint32_t *starts,
                          const uint32_t *costs, uint32_t count) {
    if (count == 0 || !domain->expand || (search->queue == TR_SEARCH_BUCKETS && !domain->is_consistent))
        return TR_INVALID;
    uint32_t least = UINT32_MAX, greatest = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (starts[i] >= search->node_count)
            return TR_INVALID;
        uint64_t total = (uint64_t)(costs ? costs[i] : 0) +
                         (domain->estimate ? domain->estimate(domain->user, starts[i]) : 0);
        if (total >= UINT32_MAX)
            return TR_LIMIT;
        least = total < least ? (uint32_t)total : least;
        greatest = total > greatest ? (uint32_t)total : greatest;
    }
    if (search->queue == TR_SEARCH_BUCKETS && greatest - least >= search->ring)
        return TR_INVALID; // they do not fit into the ring together
    empty_buckets(search);
    search->heap_count = 0;
    if (++search->generation == 128) {
        memset(search->states, 0, search->node_count);
        search->generation = 1;
    }
    memset(&search->counters, 0, sizeof search->counters);
    search->found = search->nearest = TR_NONE;
    search->nearest_estimate = UINT32_MAX;
    search->overflowed = false;
    search->floor = least;
    tr_search_step step = {search, domain, NULL, TR_NONE, 0};
    for (uint32_t i = 0; i < count; i++)
        search_follow(&step, starts[i], costs ? costs[i] : 0);
    search->counters.generated = 0;
    return TR_OK;
}

void tr_search_follow(tr_search_step *step, uint32_t child, uint32_t cost) {
    if (child < step->search->node_count)
        search_follow(step, child, cost);
}

tr_status tr_search_run(tr_search *search, const tr_search_domain *domain, tr_search_budget budget,
                        const tr_search_listener *listener) {
    return search_run(search, domain, budget, listener);
}

static bool is_reached(const tr_search *search, uint32_t node) {
    return node < search->node_count && search->states[node] >> 1 == search->generation &&
           search->generation != 0;
}

uint32_t tr_search_found(const tr_search *search) {
    return search->found;
}

uint32_t tr_search_nearest(const tr_search *search) {
    return search->nearest;
}

uint32_t tr_search_cost(const tr_search *search, uint32_t node) {
    return is_reached(search, node) ? search->nodes[node].cost : UINT32_MAX;
}

uint32_t tr_search_parent(const tr_search *search, uint32_t node) {
    return is_reached(search, node) ? search->nodes[node].parent : TR_NONE;
}

bool tr_search_is_expanded(const tr_search *search, uint32_t node) {
    return is_reached(search, node) && (search->states[node] & 1);
}

tr_search_counters tr_search_count(const tr_search *search) {
    tr_search_counters counters = search->counters;
    counters.waiting = search_waiting(search);
    return counters;
}
