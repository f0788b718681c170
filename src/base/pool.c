#include "pool.h"

#include <string.h>

// The header in front of each block. Its size is the alignment of blocks.
struct pool_block {
    size_t number; // its class
    pool_block *next;
};
#define HEADER ((size_t)16)
_Static_assert(sizeof(pool_block) <= HEADER, "the header of a block is too large");

// The bytes of a class, header included: 16, 20, 24, 28, 32, 40, 48, ...
static size_t class_bytes(size_t number) {
    return (4 + number % 4) << (number / 4 + 2);
}

// The smallest class with at least `bytes` bytes; POOL_CLASSES if there is none.
static size_t class_for(size_t bytes) {
    size_t octave = 0;
    while (octave < POOL_CLASSES / 4 && octave + 6 < 8 * sizeof bytes && bytes > (size_t)7 << (octave + 2))
        octave++;
    for (size_t number = 4 * octave; number < 4 * octave + 4 && number < POOL_CLASSES; number++)
        if (octave + 6 < 8 * sizeof bytes && class_bytes(number) >= bytes)
            return number;
    return POOL_CLASSES;
}

static void *take(tr_pool *pool, size_t size) {
    if (size > SIZE_MAX - HEADER)
        return NULL;
    size_t number = class_for(size + HEADER);
    if (number == POOL_CLASSES)
        return NULL;
    pool_block *block = pool->kept[number];
    if (block) {
        pool->kept[number] = block->next;
        pool->kept_bytes -= class_bytes(number);
        return (char *)block + HEADER;
    }
    block = pool->source.resize(pool->source.user, NULL, 0, class_bytes(number));
    if (!block)
        return NULL;
    block->number = number;
    return (char *)block + HEADER;
}

static pool_block *header_of(void *memory) {
    return (pool_block *)(void *)((char *)memory - HEADER);
}

static void give_back(tr_pool *pool, void *memory) {
    pool_block *block = header_of(memory);
    size_t number = block->number, bytes = class_bytes(number);
    if (!pool->keeps) {
        pool->source.resize(pool->source.user, block, bytes, 0);
        return;
    }
    block->next = pool->kept[number];
    pool->kept[number] = block;
    pool->kept_bytes += bytes;
}

static void *resize(void *user, void *old, size_t old_size, size_t new_size) {
    tr_pool *pool = user;
    if (new_size == 0) {
        if (old)
            give_back(pool, old);
        return NULL;
    }
    if (old && new_size <= SIZE_MAX - HEADER && class_for(new_size + HEADER) == header_of(old)->number)
        return old;
    void *made = take(pool, new_size);
    if (!made || !old)
        return made;
    memcpy(made, old, old_size < new_size ? old_size : new_size);
    give_back(pool, old);
    return made;
}

void tr_pool_open(tr_pool *pool, const tr_allocator *source) {
    *pool = (tr_pool){.source = tr_allocator_or_default(source)};
}

void tr_pool_close(tr_pool *pool) {
    for (size_t i = 0; i < POOL_CLASSES; i++)
        while (pool->kept[i]) {
            pool_block *block = pool->kept[i];
            pool->kept[i] = block->next;
            pool->source.resize(pool->source.user, block, class_bytes(i), 0);
        }
    pool->kept_bytes = 0;
}

tr_allocator tr_pool_allocator(tr_pool *pool) {
    return (tr_allocator){resize, pool};
}
