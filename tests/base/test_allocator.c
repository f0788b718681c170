#include "test.h"
#include "troupe/base/allocator.h"

#include <string.h>

TEST(null_means_malloc) {
    tr_allocator allocator = tr_allocator_or_default(NULL);
    CHECK(allocator.resize == tr_allocator_default().resize);
    tr_allocator without_function = {NULL, &allocator};
    CHECK(tr_allocator_or_default(&without_function).resize == tr_allocator_default().resize);
    test_memory memory = {0};
    tr_allocator own = test_memory_allocator(&memory);
    CHECK(tr_allocator_or_default(&own).resize == own.resize);
    CHECK(tr_allocator_or_default(&own).user == &memory);
}

TEST(blocks_are_aligned_to_sixteen_bytes) {
    tr_allocator allocator = tr_allocator_default();
    for (size_t size = 1; size < 300; size += 7) {
        void *block = tr_allocate(&allocator, size, 3);
        CHECK((uintptr_t)block % 16 == 0);
        tr_release(&allocator, block, size, 3);
    }
}

TEST(a_product_that_overflows_is_refused_without_asking) {
    test_memory memory = {0};
    tr_allocator allocator = test_memory_allocator(&memory);
    CHECK(tr_allocate(&allocator, SIZE_MAX, 2) == NULL);
    CHECK(tr_allocate(&allocator, SIZE_MAX / 2 + 1, 1) == NULL);
    CHECK(tr_allocate(&allocator, 2, SIZE_MAX) == NULL);
    CHECK(tr_allocate(&allocator, SIZE_MAX / 4, 8) == NULL);
    CHECK(tr_allocate_zero(&allocator, SIZE_MAX, SIZE_MAX) == NULL);
    CHECK_INT(memory.calls, 0);
}

TEST(no_items_still_have_an_address) {
    test_memory memory = {0};
    tr_allocator allocator = test_memory_allocator(&memory);
    void *none = tr_allocate(&allocator, 0, 8), *empty = tr_allocate_zero(&allocator, 8, 0);
    CHECK(none != NULL && empty != NULL);
    tr_release(&allocator, none, 0, 8);
    tr_release(&allocator, empty, 8, 0);
    tr_release(&allocator, NULL, 100, 100);
    CHECK_INT(memory.live_bytes, 0);
}

TEST(zeroed_blocks_are_zero) {
    tr_allocator allocator = tr_allocator_default();
    for (int round = 0; round < 20; round++) {
        unsigned char *block = tr_allocate_zero(&allocator, 100, 10);
        REQUIRE(block);
        for (int i = 0; i < 1000; i++)
            CHECK_INT(block[i], 0);
        memset(block, 255, 1000);
        tr_release(&allocator, block, 100, 10);
    }
}

TEST(reserve_starts_at_eight_doubles_and_keeps_the_items) {
    test_memory memory = {0};
    tr_allocator allocator = test_memory_allocator(&memory);
    uint32_t *items = NULL, capacity = 0;
    void *block = NULL;
    for (uint32_t i = 0; i < 1000; i++) {
        REQUIRE(tr_reserve(&allocator, &block, &capacity, i + 1, sizeof *items));
        items = block;
        items[i] = i * i;
    }
    CHECK_INT(capacity, 1024);
    CHECK_INT(memory.calls, 8); // 8, 16, ... 1024
    for (uint32_t i = 0; i < 1000; i++)
        CHECK_INT(items[i], i * i);
    REQUIRE(tr_reserve(&allocator, &block, &capacity, 5000, sizeof *items));
    CHECK_INT(capacity, 5000); // more than twice: as asked for
    CHECK(tr_reserve(&allocator, &block, &capacity, 0, sizeof *items));
    CHECK_INT(memory.calls, 9);
    tr_release(&allocator, block, capacity, sizeof *items);
    CHECK_INT(memory.live_bytes, 0);
}

TEST(a_refused_reserve_leaves_the_array_as_it_was) {
    test_memory memory = {0};
    tr_allocator allocator = test_memory_allocator(&memory);
    uint32_t capacity = 0;
    void *block = NULL;
    REQUIRE(tr_reserve(&allocator, &block, &capacity, 8, 1));
    memcpy(block, "12345678", 8);
    void *before = block;
    memory.fail_at = memory.calls + 1;
    CHECK(!tr_reserve(&allocator, &block, &capacity, 9, 1));
    memory.fail_at = 0;
    CHECK(!tr_reserve(&allocator, &block, &capacity, UINT32_MAX, 1));
    CHECK(!tr_reserve(&allocator, &block, &capacity, UINT64_MAX, 1));
    CHECK(!tr_reserve(&allocator, &block, &capacity, 1 << 20, SIZE_MAX / 1024));
    CHECK(!tr_reserve(&allocator, &block, &capacity, 100, 0));
    CHECK(block == before && capacity == 8);
    CHECK(memcmp(block, "12345678", 8) == 0);
    tr_release(&allocator, block, capacity, 1);
    CHECK_INT(memory.live_bytes, 0);
}

static bool build_three_arrays(const tr_allocator *allocator) {
    void *growing = NULL, *plain = NULL, *zeroed = NULL;
    uint32_t capacity = 0;
    bool all = true;
    for (uint32_t needed = 1; all && needed < 100; needed *= 3)
        all = tr_reserve(allocator, &growing, &capacity, needed, 12);
    all = all && (plain = tr_allocate(allocator, 10, 4)) && (zeroed = tr_allocate_zero(allocator, 10, 4));
    tr_release(allocator, growing, capacity, 12);
    tr_release(allocator, plain, 10, 4);
    tr_release(allocator, zeroed, 10, 4);
    return all;
}

TEST(nothing_leaks_whichever_allocation_fails) {
    CHECK_INT(CHECK_EVERY_ALLOCATION_FAILURE(build_three_arrays), 6); // 8, 16, 32, 81 and the other two
}
