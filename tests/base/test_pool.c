// The pool: what it gives out is as large as was asked for and nobody else's, and what it was given back it
// gives out again.
#include "base/pool.h"
#include "test.h"
#include "troupe/base/random.h"

#include <string.h>

#define BLOCKS 200

// A pool over memory that is counted.
typedef struct counted_pool {
    test_memory memory;
    tr_allocator source;
    tr_pool pool;
    tr_allocator allocator; // of the pool
} counted_pool;

static void open_pool(counted_pool *b) {
    memset(b, 0, sizeof *b);
    b->source = test_memory_allocator(&b->memory);
    tr_pool_open(&b->pool, &b->source);
    b->allocator = tr_pool_allocator(&b->pool);
}

static void close_pool(counted_pool *b) {
    tr_pool_close(&b->pool);
    CHECK_INT(b->memory.live_bytes, 0);
}

typedef struct piece {
    uint8_t *data;
    size_t size;
    uint8_t mark;
} piece;

static void fill(piece *b, uint8_t mark) {
    b->mark = mark;
    memset(b->data, mark, b->size);
}

static void check_filled(const piece *b, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (b->data[i] != b->mark) {
            test_failed(__FILE__, __LINE__, "byte %zu of %zu was overwritten", i, b->size);
            return;
        }
}

// One random change: a block comes, goes, grows or shrinks.
static void change(const tr_allocator *allocator, tr_random *random, piece *b, uint32_t most) {
    size_t size = 1 + tr_random_below(random, most);
    uint32_t what = tr_random_below(random, 3);
    if (!b->data) {
        b->data = tr_allocate(allocator, size, 1);
        b->size = size;
        fill(b, (uint8_t)size);
        CHECK((uintptr_t)b->data % 16 == 0);
    } else if (what == 0) {
        check_filled(b, b->size);
        tr_release(allocator, b->data, b->size, 1);
        b->data = NULL;
    } else if (what == 1) {
        size_t less = size < b->size ? size : b->size;
        b->data = allocator->resize(allocator->user, b->data, b->size, size);
        b->size = size;
        check_filled(b, less);
        fill(b, (uint8_t)size);
    }
}

TEST(blocks_are_as_large_as_asked_and_apart) {
    counted_pool b;
    open_pool(&b);
    tr_random random = tr_random_seed(5);
    static piece blocks[BLOCKS];
    memset(blocks, 0, sizeof blocks);
    for (int i = 0; i < 30000; i++) {
        b.pool.keeps = i % 1000 > 100;
        change(&b.allocator, &random, &blocks[tr_random_below(&random, BLOCKS)], i % 7 ? 300 : 20000);
    }
    for (int i = 0; i < BLOCKS; i++)
        if (blocks[i].data) {
            check_filled(&blocks[i], blocks[i].size);
            tr_release(&b.allocator, blocks[i].data, blocks[i].size, 1);
        }
    CHECK_INT(b.memory.live_bytes, b.pool.kept_bytes);
    close_pool(&b);
}

TEST(the_same_work_again_asks_for_nothing) {
    counted_pool b;
    open_pool(&b);
    b.pool.keeps = true;
    uint64_t calls = 0;
    for (int round = 0; round < 3; round++) {
        static piece blocks[BLOCKS];
        memset(blocks, 0, sizeof blocks);
        tr_random random = tr_random_seed(9);
        for (int i = 0; i < 5000; i++)
            change(&b.allocator, &random, &blocks[tr_random_below(&random, BLOCKS)], 4000);
        for (int i = 0; i < BLOCKS; i++)
            if (blocks[i].data)
                tr_release(&b.allocator, blocks[i].data, blocks[i].size, 1);
        CHECK(round == 0 || b.memory.calls == calls);
        calls = b.memory.calls;
    }
    CHECK(b.memory.peak_bytes < 3u * BLOCKS * 4000);
    close_pool(&b);
}

TEST(a_pool_that_does_not_keep_gives_back_at_once_and_large_sizes_are_refused) {
    counted_pool b;
    open_pool(&b);
    void *block = tr_allocate(&b.allocator, 1000, 1);
    CHECK(block && b.memory.live_bytes >= 1016 && b.memory.live_bytes <= 1300);
    tr_release(&b.allocator, block, 1000, 1);
    CHECK_INT(b.memory.live_bytes, 0);
    uint64_t calls = b.memory.calls;
    CHECK(!b.allocator.resize(b.allocator.user, NULL, 0, SIZE_MAX));
    CHECK(!b.allocator.resize(b.allocator.user, NULL, 0, SIZE_MAX - 16));
    CHECK(!b.allocator.resize(b.allocator.user, NULL, 0, SIZE_MAX / 2 + 2));
    CHECK_INT(b.memory.calls, calls);
    b.memory.fail_at = b.memory.calls + 2;
    block = tr_allocate(&b.allocator, 10, 1);
    REQUIRE(block);
    memcpy(block, "content", 8);
    CHECK(!b.allocator.resize(b.allocator.user, block, 10, 100000));
    CHECK_TEXT(block, "content"); // it is as it was
    tr_release(&b.allocator, block, 10, 1);
    CHECK_INT(b.memory.live_bytes, 0);
    close_pool(&b);
}
