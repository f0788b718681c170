// The pool: what it gives out is as large as was asked for and nobody else's, and what it was given back it
// gives out again.
#include "base/pool.h"
#include "test.h"
#include "troupe/base/random.h"

#include <string.h>

#define BLOCKS 200

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
    test_memory memory = {0};
    tr_allocator source = test_memory_allocator(&memory);
    tr_pool pool;
    tr_pool_open(&pool, &source);
    tr_allocator allocator = tr_pool_allocator(&pool);
    tr_random random = tr_random_seed(5);
    static piece blocks[BLOCKS];
    memset(blocks, 0, sizeof blocks);
    for (int i = 0; i < 30000; i++) {
        pool.keeps = i % 1000 > 100;
        change(&allocator, &random, &blocks[tr_random_below(&random, BLOCKS)], i % 7 ? 300 : 20000);
    }
    for (int i = 0; i < BLOCKS; i++)
        if (blocks[i].data) {
            check_filled(&blocks[i], blocks[i].size);
            tr_release(&allocator, blocks[i].data, blocks[i].size, 1);
        }
    CHECK_INT(memory.live_bytes, pool.kept_bytes);
    tr_pool_close(&pool);
    CHECK_INT(memory.live_bytes, 0);
}

TEST(the_same_work_again_asks_for_nothing) {
    test_memory memory = {0};
    tr_allocator source = test_memory_allocator(&memory);
    tr_pool pool;
    tr_pool_open(&pool, &source);
    pool.keeps = true;
    tr_allocator allocator = tr_pool_allocator(&pool);
    uint64_t calls = 0;
    for (int round = 0; round < 3; round++) {
        static piece blocks[BLOCKS];
        memset(blocks, 0, sizeof blocks);
        tr_random random = tr_random_seed(9);
        for (int i = 0; i < 5000; i++)
            change(&allocator, &random, &blocks[tr_random_below(&random, BLOCKS)], 4000);
        for (int i = 0; i < BLOCKS; i++)
            if (blocks[i].data)
                tr_release(&allocator, blocks[i].data, blocks[i].size, 1);
        CHECK(round == 0 || memory.calls == calls);
        calls = memory.calls;
    }
    CHECK(memory.peak_bytes < 3u * BLOCKS * 4000);
    tr_pool_close(&pool);
    CHECK_INT(memory.live_bytes, 0);
}

TEST(a_pool_that_does_not_keep_gives_back_at_once_and_large_sizes_are_refused) {
    test_memory memory = {0};
    tr_allocator source = test_memory_allocator(&memory);
    tr_pool pool;
    tr_pool_open(&pool, &source);
    tr_allocator allocator = tr_pool_allocator(&pool);
    void *block = tr_allocate(&allocator, 1000, 1);
    CHECK(block && memory.live_bytes >= 1016 && memory.live_bytes <= 1300);
    tr_release(&allocator, block, 1000, 1);
    CHECK_INT(memory.live_bytes, 0);
    uint64_t calls = memory.calls;
    CHECK(!allocator.resize(allocator.user, NULL, 0, SIZE_MAX));
    CHECK(!allocator.resize(allocator.user, NULL, 0, SIZE_MAX - 16));
    CHECK(!allocator.resize(allocator.user, NULL, 0, SIZE_MAX / 2 + 2));
    CHECK_INT(memory.calls, calls);
    memory.fail_at = memory.calls + 2;
    block = tr_allocate(&allocator, 10, 1);
    REQUIRE(block);
    memcpy(block, "content", 8);
    CHECK(!allocator.resize(allocator.user, block, 10, 100000));
    CHECK_TEXT(block, "content"); // it is as it was
    tr_release(&allocator, block, 10, 1);
    CHECK_INT(memory.live_bytes, 0);
    tr_pool_close(&pool);
}
