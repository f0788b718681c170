#include "indexed_heap.h"

#define CACHE_LINE 64
// The root is alone at the end of a cache line, so that all children of a node share a line.
#define ROOT_SHIFT 3
#define SPARE_ITEMS (ROOT_SHIFT + CACHE_LINE / (uint32_t)sizeof(indexed_heap_item))

bool tr_indexed_heap_create(const tr_allocator *allocator, uint32_t capacity, uint32_t *places,
                            uint32_t spacing, indexed_heap *heap) {
    heap->block = tr_allocate(allocator, (size_t)capacity + SPARE_ITEMS, sizeof *heap->block);
    if (!heap->block)
        return false;
    size_t past = (uintptr_t)heap->block % CACHE_LINE;
    heap->items = heap->block + ROOT_SHIFT + (past ? (CACHE_LINE - past) / sizeof *heap->block : 0);
    heap->places = places;
    heap->spacing = spacing;
    heap->count = 0;
    heap->capacity = capacity;
    return true;
}

void tr_indexed_heap_destroy(const tr_allocator *allocator, indexed_heap *heap) {
    if (heap->block)
        tr_release(allocator, heap->block, (size_t)heap->capacity + SPARE_ITEMS, sizeof *heap->block);
    heap->block = NULL;
}

static void put(indexed_heap *heap, uint32_t place, indexed_heap_item item) {
    heap->items[place] = item;
    *indexed_heap_place(heap, item.node) = place;
}

static void rise(indexed_heap *heap, uint32_t place, indexed_heap_item item) {
    while (place > 0) {
        uint32_t parent = (place - 1) / 4;
        if (heap->items[parent].key <= item.key)
            break;
        put(heap, place, heap->items[parent]);
        place = parent;
    }
    put(heap, place, item);
}

static uint32_t least_child(const indexed_heap *heap, uint32_t first) {
    const indexed_heap_item *items = heap->items;
    if (first + 3 < heap->count) {
        uint32_t a = first + (items[first + 1].key < items[first].key);
        uint32_t b = first + 2 + (items[first + 3].key < items[first + 2].key);
        return items[b].key < items[a].key ? b : a;
    }
    uint32_t least = first;
    for (uint32_t child = first + 1; child < heap->count; child++)
        if (items[child].key < items[least].key)
            least = child;
    return least;
}

static void sink(indexed_heap *heap, uint32_t place, indexed_heap_item item) {
    for (uint64_t first; (first = (uint64_t)place * 4 + 1) < heap->count;) {
        uint32_t child = least_child(heap, (uint32_t)first);
        if (item.key <= heap->items[child].key)
            break;
        put(heap, place, heap->items[child]);
        place = child;
    }
    put(heap, place, item);
}

void tr_indexed_heap_set(indexed_heap *heap, uint32_t node, uint64_t key) {
    uint32_t place = *indexed_heap_place(heap, node);
    indexed_heap_item item = {key, node};
    if (place == TR_NONE)
        rise(heap, heap->count++, item);
    else if (key < heap->items[place].key)
        rise(heap, place, item);
    else
        sink(heap, place, item);
}

void tr_indexed_heap_remove(indexed_heap *heap, uint32_t node) {
    uint32_t place = *indexed_heap_place(heap, node);
    if (place == TR_NONE)
        return;
    uint64_t key = heap->items[place].key;
    indexed_heap_item last = heap->items[--heap->count];
    *indexed_heap_place(heap, node) = TR_NONE;
    if (place == heap->count)
        return;
    if (last.key < key)
        rise(heap, place, last);
    else
        sink(heap, place, last);
}
