#include "plan/indexed_heap.h"
#include "test.h"
#include "troupe/base/random.h"

#include <string.h>

#define NODES 300

// A heap over records of four words, the place in the third, beside a plain table of keys.
typedef struct bench_heap {
    uint32_t records[NODES][4];
    uint64_t keys[NODES]; // UINT64_MAX: not in
    indexed_heap heap;
} bench_heap;

static bool set_up(bench_heap *b, const tr_allocator *allocator) {
    for (uint32_t i = 0; i < NODES; i++) {
        b->records[i][2] = TR_NONE;
        b->keys[i] = UINT64_MAX;
    }
    return tr_indexed_heap_create(allocator, NODES, &b->records[0][2], 2, &b->heap);
}

// Every item not before its parent, every place right, and just those in that the table has.
static bool is_sound(const bench_heap *b) {
    uint32_t in = 0;
    for (uint32_t node = 0; node < NODES; node++) {
        uint32_t place = b->records[node][2];
        if ((place != TR_NONE) != (b->keys[node] != UINT64_MAX))
            return false;
        if (place == TR_NONE)
            continue;
        in++;
        if (place >= b->heap.count || b->heap.items[place].node != node ||
            b->heap.items[place].key != b->keys[node])
            return false;
        if (place > 0 && b->heap.items[(place - 1) / 4].key > b->keys[node])
            return false;
    }
    return in == b->heap.count;
}

static uint64_t least_key(const bench_heap *b) {
    uint64_t least = UINT64_MAX;
    for (uint32_t node = 0; node < NODES; node++)
        least = b->keys[node] < least ? b->keys[node] : least;
    return least;
}

TEST(an_empty_heap_has_the_greatest_key_first) {
    bench_heap b;
    tr_allocator allocator = tr_allocator_default();
    REQUIRE(set_up(&b, &allocator));
    CHECK(indexed_heap_first_key(&b.heap) == UINT64_MAX);
    tr_indexed_heap_remove(&b.heap, 7); // not in: nothing happens
    CHECK_INT(b.heap.count, 0);
    tr_indexed_heap_destroy(&allocator, &b.heap);
}

TEST(nodes_leave_in_the_order_of_their_keys) {
    bench_heap b;
    tr_allocator allocator = tr_allocator_default();
    REQUIRE(set_up(&b, &allocator));
    tr_random random = tr_random_seed(1);
    for (uint32_t node = 0; node < NODES; node++) {
        b.keys[node] = (uint64_t)tr_random_below(&random, 20) << 32 | tr_random_below(&random, 20);
        tr_indexed_heap_set(&b.heap, node, b.keys[node]);
    }
    uint64_t last = 0;
    for (uint32_t i = 0; i < NODES; i++) {
        uint64_t key = indexed_heap_first_key(&b.heap);
        uint32_t node = indexed_heap_first(&b.heap);
        CHECK(key >= last);
        CHECK_INT(key, b.keys[node]);
        tr_indexed_heap_remove(&b.heap, node);
        CHECK_INT(b.records[node][2], TR_NONE);
        last = key;
    }
    CHECK_INT(b.heap.count, 0);
    tr_indexed_heap_destroy(&allocator, &b.heap);
}

TEST(the_heap_agrees_with_a_plain_table_over_random_changes_and_removals) {
    bench_heap b;
    tr_allocator allocator = tr_allocator_default();
    REQUIRE(set_up(&b, &allocator));
    tr_random random = tr_random_seed(2);
    for (uint32_t step = 0; step < 20000; step++) {
        uint32_t node = tr_random_below(&random, NODES), what = tr_random_below(&random, 8);
        uint32_t span = step % 4000 < 2000 ? 50 : 100000; // many equal keys, and few
        if (what < 5) {
            b.keys[node] = (uint64_t)tr_random_below(&random, span) << 32 | tr_random_below(&random, 5);
            tr_indexed_heap_set(&b.heap, node, b.keys[node]);
        } else if (what < 7 || b.heap.count == 0) {
            b.keys[node] = UINT64_MAX;
            tr_indexed_heap_remove(&b.heap, node);
        } else {
            node = indexed_heap_first(&b.heap);
            b.keys[node] = UINT64_MAX;
            tr_indexed_heap_remove(&b.heap, node);
        }
        REQUIRE(is_sound(&b));
        CHECK(indexed_heap_first_key(&b.heap) == least_key(&b));
    }
    tr_indexed_heap_destroy(&allocator, &b.heap);
}

TEST(equal_keys_leave_in_the_same_order_every_time) {
    uint32_t order[2][NODES];
    for (int run = 0; run < 2; run++) {
        bench_heap b;
        tr_allocator allocator = tr_allocator_default();
        REQUIRE(set_up(&b, &allocator));
        for (uint32_t node = 0; node < NODES; node++)
            tr_indexed_heap_set(&b.heap, node, node % 3);
        for (uint32_t i = 0; i < NODES; i++) {
            order[run][i] = indexed_heap_first(&b.heap);
            tr_indexed_heap_remove(&b.heap, order[run][i]);
        }
        tr_indexed_heap_destroy(&allocator, &b.heap);
    }
    CHECK(memcmp(order[0], order[1], sizeof order[0]) == 0);
}

TEST(a_heap_that_was_forgotten_is_empty_and_fills_again) {
    bench_heap b;
    tr_allocator allocator = tr_allocator_default();
    REQUIRE(set_up(&b, &allocator));
    for (uint32_t node = 0; node < NODES; node++)
        tr_indexed_heap_set(&b.heap, node, node);
    indexed_heap_forget(&b.heap);
    CHECK(indexed_heap_first_key(&b.heap) == UINT64_MAX);
    b.records[9][2] = TR_NONE;
    tr_indexed_heap_set(&b.heap, 9, 4);
    CHECK_INT(b.heap.count, 1);
    CHECK_INT(indexed_heap_first(&b.heap), 9);
    tr_indexed_heap_destroy(&allocator, &b.heap);
}

static bool attempt_to_create(const tr_allocator *allocator) {
    bench_heap b;
    bool fine = set_up(&b, allocator);
    tr_indexed_heap_destroy(allocator, &b.heap);
    return fine;
}

TEST(a_heap_survives_every_allocation_failure) {
    CHECK_INT(CHECK_EVERY_ALLOCATION_FAILURE(attempt_to_create), 1);
}

// Blocks of any alignment that an allocator may give: 16, 32, 48 bytes past a cache line.
static unsigned char pool[1 << 14] __attribute__((aligned(64)));
static void *give_shifted(void *user, void *old, size_t old_size, size_t new_size) {
    (void)old_size;
    return old || new_size > sizeof pool - 64 ? NULL : pool + *(uint32_t *)user;
}

TEST(the_children_of_a_node_share_a_cache_line_wherever_the_block_lies) {
    for (uint32_t shift = 0; shift < 64; shift += 16) {
        tr_allocator allocator = {give_shifted, &shift};
        bench_heap b;
        REQUIRE(set_up(&b, &allocator));
        CHECK_INT((uintptr_t)&b.heap.items[1] % 64, 0);
        CHECK(b.heap.items + NODES <= b.heap.block + (sizeof pool - 64) / sizeof *b.heap.block);
        for (uint32_t node = 0; node < NODES; node++)
            tr_indexed_heap_set(&b.heap, node, b.keys[node] = NODES - node);
        CHECK(is_sound(&b));
        tr_indexed_heap_destroy(&allocator, &b.heap);
    }
}
