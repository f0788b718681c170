// troupe/base/allocator.h - memory allocation. Every create call takes an allocator; NULL means malloc.
#pragma once
#include "troupe/base/api.h"

TR_BEGIN_DECLARATIONS

// `resize` is the only function: it allocates (old == NULL), moves (both sizes > 0) and frees (new_size == 0,
// returns NULL). It must return blocks aligned to at least 16 bytes. If there is no memory, it must return
// NULL and leave the old block unchanged. Troupe calls it only from the thread that calls Troupe, never from
// its own workers.
typedef struct tr_allocator {
    void *(*resize)(void *user, void *old, size_t old_size, size_t new_size);
    void *user;
} tr_allocator;

// Returns an allocator that uses malloc, realloc and free.
TR_API tr_allocator tr_allocator_default(void);

// Returns a copy of *allocator, or the default if it is NULL. Create calls keep such a copy.
TR_API tr_allocator tr_allocator_or_default(const tr_allocator *allocator);

// Allocates `count` items of `size` bytes, uninitialised. NULL if there is no memory or the product
// overflows; never NULL for a count of zero that succeeds.
TR_API void *tr_allocate(const tr_allocator *allocator, size_t count, size_t size);
// The same, filled with zero bytes.
TR_API void *tr_allocate_zero(const tr_allocator *allocator, size_t count, size_t size);
// Frees a block that tr_allocate(allocator, count, size) returned. NULL is allowed.
TR_API void tr_release(const tr_allocator *allocator, void *block, size_t count, size_t size);
// Grows the array *block of *capacity items to hold at least `needed` items (it doubles; 8 at first). false:
// no memory, or more than UINT32_MAX - 1 items; the array is unchanged. Free it with tr_release(..,
// *capacity, size).
TR_API bool tr_reserve(const tr_allocator *allocator, void **block, uint32_t *capacity, uint64_t needed,
                       size_t size);

TR_END_DECLARATIONS
