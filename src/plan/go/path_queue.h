// plan/go/path_queue.h - the queue of a search: least total first, of equal ones the last that was added.
// Internal to path_search.c.
#pragma once
#include "path_data.h"

static inline bool comes_first(const path_entry *a, const path_entry *b) {
    return a->total < b->total || (a->total == b->total && a->node > b->node);
}

static inline bool push_on_heap(tr_path *path, path_entry entry) {
    void *heap = path->heap;
    bool room = tr_reserve(&path->allocator, &heap, &path->heap_capacity, (uint64_t)path->heap_count + 1,
                           sizeof *path->heap);
    path->heap = heap;
    if (!room)
        return false;
    uint32_t at = path->heap_count++;
    while (at > 0 && comes_first(&entry, &path->heap[(at - 1) / 4])) {
        path->heap[at] = path->heap[(at - 1) / 4];
        at = (at - 1) / 4;
    }
    path->heap[at] = entry;
    return true;
}

// The first entry added since the last was taken is kept in hand: it is often the next, and then never enters
// the heap.
static inline bool push(tr_path *path, path_entry entry) {
    path_entry later = entry;
    if (path->hand.node == TR_NONE || comes_first(&entry, &path->hand)) {
        later = path->hand;
        path->hand = entry;
    }
    return later.node == TR_NONE || push_on_heap(path, later);
}

static inline uint32_t count_waiting(const tr_path *path) {
    return path->heap_count + (path->hand.node != TR_NONE);
}

// Four children each: a large heap is less deep, and they are adjacent in memory.
static inline path_entry pop_from_heap(tr_path *path) {
    path_entry *heap = path->heap, first = heap[0], last = heap[--path->heap_count];
    uint32_t at = 0, count = path->heap_count;
    for (uint32_t child = 1; child < count; child = 4 * at + 1) {
        uint32_t end = child + 4 < count ? child + 4 : count, best = child;
        for (uint32_t other = child + 1; other < end; other++)
            best = comes_first(&heap[other], &heap[best]) ? other : best;
        if (!comes_first(&heap[best], &last))
            break;
        heap[at] = heap[best];
        at = best;
    }
    heap[at] = last;
    return first;
}

static inline path_entry pop(tr_path *path) {
    path_entry hand = path->hand;
    if (hand.node == TR_NONE || (path->heap_count > 0 && !comes_first(&hand, &path->heap[0])))
        return pop_from_heap(path);
    path->hand.node = TR_NONE;
    return hand;
}
