#include "troupe/base/allocator.h"

#include <stdlib.h>
#include <string.h>

static void *resize_with_malloc(void *user, void *old, size_t old_size, size_t new_size) {
    (void)user;
    (void)old_size;
    if (new_size == 0) {
        free(old);
        return NULL;
    }
    return realloc(old, new_size);
}

tr_allocator tr_allocator_default(void) {
    tr_allocator allocator = {resize_with_malloc, NULL};
    return allocator;
}

tr_allocator tr_allocator_or_default(const tr_allocator *allocator) {
    return allocator && allocator->resize ? *allocator : tr_allocator_default();
}

// A block of no items still has an address, so that NULL always means "no memory".
static size_t byte_count(size_t count, size_t size) {
    if (size != 0 && count > SIZE_MAX / 2 / size)
        return 0;
    size_t bytes = count * size;
    return bytes ? bytes : 1;
}

void *tr_allocate(const tr_allocator *allocator, size_t count, size_t size) {
    size_t bytes = byte_count(count, size);
    return bytes ? allocator->resize(allocator->user, NULL, 0, bytes) : NULL;
}

void *tr_allocate_zero(const tr_allocator *allocator, size_t count, size_t size) {
    void *block = tr_allocate(allocator, count, size);
    if (block)
        memset(block, 0, byte_count(count, size));
    return block;
}

void tr_release(const tr_allocator *allocator, void *block, size_t count, size_t size) {
    if (block)
        allocator->resize(allocator->user, block, byte_count(count, size), 0);
}

bool tr_reserve(const tr_allocator *allocator, void **block, uint32_t *capacity, uint64_t needed,
                size_t size) {
    if (needed <= *capacity)
        return true;
    uint64_t wanted = (uint64_t)*capacity * 2 > needed ? (uint64_t)*capacity * 2 : needed;
    if (wanted < 8)
        wanted = 8;
    if (wanted > UINT32_MAX - 1)
        wanted = needed;
    if (wanted > UINT32_MAX - 1 || size == 0 || wanted > SIZE_MAX / 2 / size)
        return false;
    size_t old_bytes = *block ? byte_count(*capacity, size) : 0;
    void *moved = allocator->resize(allocator->user, *block, old_bytes, (size_t)wanted * size);
    if (!moved)
        return false;
    *block = moved;
    *capacity = (uint32_t)wanted;
    return true;
}
