// plan/indexed_heap.h - a priority queue that can change and remove what is in it. Internal to plan/.
//
// A heap with four children to a node: half as deep as one with two, and four children lie in one cache line.
// Each node is in it once at most. Where it stands is kept in the caller's own record of the node, so that
// what a search reads together lies together. What leaves first among equal keys depends on the calls made
// and on nothing else.
#pragma once
#include "troupe/base/allocator.h"

typedef struct indexed_heap_item {
    uint64_t key; // a pair of 32-bit keys: the first in the upper half
    uint32_t node;
} indexed_heap_item;

typedef struct indexed_heap {
    indexed_heap_item *items; // children of i are 4 i + 1 to 4 i + 4
    uint32_t *places;         // the place of node n is places[n << spacing], TR_NONE when it is not in
    uint32_t spacing;
    uint32_t count, capacity;
    indexed_heap_item *block; // what was allocated
} indexed_heap;

// false: no memory. The caller sets the place of a node to TR_NONE before it is first named here.
bool tr_indexed_heap_create(const tr_allocator *allocator, uint32_t capacity, uint32_t *places,
                            uint32_t spacing, indexed_heap *heap);
void tr_indexed_heap_destroy(const tr_allocator *allocator, indexed_heap *heap);

// Put the node in [fewer than capacity are], or change its key.
void tr_indexed_heap_set(indexed_heap *heap, uint32_t node, uint64_t key);
void tr_indexed_heap_remove(indexed_heap *heap, uint32_t node); // nothing when it is not in

// Forget all, in constant time: the places of the nodes that were in are the caller's to set to TR_NONE.
static inline void indexed_heap_forget(indexed_heap *heap) {
    heap->count = 0;
}
static inline uint32_t *indexed_heap_place(const indexed_heap *heap, uint32_t node) {
    return &heap->places[(size_t)node << heap->spacing];
}
// The least key; UINT64_MAX when empty.
static inline uint64_t indexed_heap_first_key(const indexed_heap *heap) {
    return heap->count ? heap->items[0].key : UINT64_MAX;
}
static inline uint32_t indexed_heap_first(const indexed_heap *heap) { // not when empty
    return heap->items[0].node;
}
