// plan/indexed_heap.h - a priority queue whose entries can change and be removed. Internal to plan/.
//
// A heap with four children per node: half as deep as one with two, and the four children share a cache line.
// Each node is in it at most once. The place of a node is kept in the caller's own record of the node, so
// that data that a search reads together is adjacent. The order among equal keys depends only on the calls
// made.
#pragma once
#include "troupe/base/allocator.h"

typedef struct indexed_heap_item {
    uint64_t key; // a pair of 32-bit keys: the first in the upper half
    uint32_t node;
} indexed_heap_item;

typedef struct indexed_heap {
    indexed_heap_item *items; // children of i are 4 i + 1 to 4 i + 4
    uint32_t *places;         // the place of node n is places[n << spacing]; TR_NONE: it is not in the heap
    uint32_t spacing;
    uint32_t count, capacity;
    indexed_heap_item *block; // the allocated memory
} indexed_heap;

// false: no memory. The caller sets the place of a node to TR_NONE before its first use here.
bool tr_indexed_heap_create(const tr_allocator *allocator, uint32_t capacity, uint32_t *places,
                            uint32_t spacing, indexed_heap *heap);
void tr_indexed_heap_destroy(const tr_allocator *allocator, indexed_heap *heap);

// Adds the node [fewer than capacity are in], or changes its key.
void tr_indexed_heap_set(indexed_heap *heap, uint32_t node, uint64_t key);
void tr_indexed_heap_remove(indexed_heap *heap, uint32_t node); // no effect if it is not in

// Removes all, in constant time: the caller has to set the places of the removed nodes to TR_NONE.
static inline void indexed_heap_forget(indexed_heap *heap) {
    heap->count = 0;
}
static inline uint32_t *indexed_heap_place(const indexed_heap *heap, uint32_t node) {
    return &heap->places[(size_t)node << heap->spacing];
}
// The least key; UINT64_MAX if empty.
static inline uint64_t indexed_heap_first_key(const indexed_heap *heap) {
    return heap->count ? heap->items[0].key : UINT64_MAX;
}
static inline uint32_t indexed_heap_first(const indexed_heap *heap) { // must not be empty
    return heap->items[0].node;
}
