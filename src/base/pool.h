// base/pool.h - an allocator that keeps what it is given back, and gives it out again. Internal.
//
// For work that is done again and again with blocks of similar sizes, as in the ticks of a stage: work that
// needs no more blocks of any class than there were before asks its own allocator for nothing. Blocks are
// kept only while `keeps` is set, so that what a large build needed for a moment is not held for ever.
// Nothing is ever split or joined: blocks are at most a quarter larger than what was asked for. Not
// thread-safe.
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
// Give all that is kept back to the source.
void tr_pool_close(tr_pool *pool);
// Blocks that it gave out must be given back before the pool goes.
tr_allocator tr_pool_allocator(tr_pool *pool);
