// troupe/base/allocator.h - where memory comes from. Every create call takes one; NULL means malloc.
#pragma once
#include "troupe/base/api.h"

TR_BEGIN_DECLARATIONS

// `resize` is the one function: it allocates (old == NULL), moves (both sizes > 0) and frees (new_size == 0,
// returns NULL). Blocks are aligned to 16 bytes at least. It returns NULL when there is no memory and then
// leaves the old block as it was. It is only called from the thread that calls Troupe, never from Troupe's
// own workers.
typedef struct tr_allocator {
    void *(*resize)(void *user, void *old, size_t old_size, size_t new_size);
    void *user;
} tr_allocator;

// malloc, realloc and free.
TR_API tr_allocator tr_allocator_default(void);

// A copy of *allocator, or the default where it is NULL: what a create call keeps.
TR_API tr_allocator tr_allocator_or_default(const tr_allocator *allocator);

// `count` items of `size` bytes, uninitialised. NULL when there is no memory or the product overflows;
// never NULL for a count of zero that succeeds.
TR_API void *tr_allocate(const tr_allocator *allocator, size_t count, size_t size);
// The same, filled with zero bytes.
TR_API void *tr_allocate_zero(const tr_allocator *allocator, size_t count, size_t size);
// Give back what tr_allocate(allocator, count, size) returned. NULL is allowed.
TR_API void tr_release(const tr_allocator *allocator, void *block, size_t count, size_t size);
// Make room in the array *block of *capacity items for at least `needed` items (it doubles; 8 at first).
// false: no memory, or more than UINT32_MAX - 1 items; the array is as it was. Give it back with
// tr_release(.., *capacity, size).
TR_API bool tr_reserve(const tr_allocator *allocator, void **block, uint32_t *capacity, uint64_t needed,
                       size_t size);

TR_END_DECLARATIONS
