// base/pool.h - an allocator that keeps released blocks and reuses them. Internal.
//
// For repeated work with blocks of similar sizes, such as the ticks of a stage: work that needs no more
// blocks of any class than earlier work requests nothing from the source allocator. Blocks are kept only
// while `keeps` is set, so that the temporary memory of a large build is not held for ever. Blocks are never
// split or joined: a block is at most a quarter larger than requested. Not thread-safe.
#pragma once
#include "troupe/base/allocator.h"

#define POOL_CLASSES 256 // four for each power of two

typedef struct pool_block pool_block;
typedef struct tr_pool {
    tr_allocator source;
    bool keeps;
    pool_block *kept[POOL_CLASSES]; // lists of blocks of each class
    uint64_t kept_bytes;
} tr_pool;

void tr_pool_open(tr_pool *pool, const tr_allocator *source); // NULL: malloc
// Returns all kept blocks to the source.
void tr_pool_close(tr_pool *pool);
// All blocks of the pool must be released before the pool is closed.
tr_allocator tr_pool_allocator(tr_pool *pool);
