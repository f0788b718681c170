// A small test harness: names read as sentences, a failure prints file, line and both values and the run goes
// on. Link tests/test.c, which holds main(): `test_x` runs all, `test_x WORD` those with WORD in their name.
#pragma once
#include "troupe/base/allocator.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct test_case test_case;
struct test_case {
    const char *name;
    void (*run)(void);
    test_case *next;
};
void test_register(test_case *test);
void test_failed(const char *file, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));
// Say that this test cannot run here and why; return from it afterwards.
void test_skip(const char *reason);

#define TEST(title)                                                                                          \
    static void title(void);                                                                                 \
    __attribute__((constructor)) static void register_##title(void) {                                        \
        static test_case test = {#title, title, NULL};                                                       \
        test_register(&test);                                                                                \
    }                                                                                                        \
    static void title(void)

#define CHECK(condition)                                                                                     \
    do {                                                                                                     \
        if (!(condition))                                                                                    \
            test_failed(__FILE__, __LINE__, "%s", #condition);                                               \
    } while (0)
// Leave the test when it fails: for what the rest stands on.
#define REQUIRE(condition)                                                                                   \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            test_failed(__FILE__, __LINE__, "%s", #condition);                                               \
            return;                                                                                          \
        }                                                                                                    \
    } while (0)
#define CHECK_INT(actual, expected)                                                                          \
    do {                                                                                                     \
        int64_t actual_ = (int64_t)(actual), expected_ = (int64_t)(expected);                                \
        if (actual_ != expected_)                                                                            \
            test_failed(__FILE__, __LINE__, "%s is %" PRId64 ", expected %" PRId64, #actual, actual_,        \
                        expected_);                                                                          \
    } while (0)
#define CHECK_HASH(actual, expected)                                                                         \
    do {                                                                                                     \
        uint64_t actual_ = (actual), expected_ = (expected);                                                 \
        if (actual_ != expected_)                                                                            \
            test_failed(__FILE__, __LINE__, "%s is 0x%016" PRIx64 ", expected 0x%016" PRIx64, #actual,       \
                        actual_, expected_);                                                                 \
    } while (0)
#define CHECK_NEAR(actual, expected, tolerance)                                                              \
    do {                                                                                                     \
        double actual_ = (actual), expected_ = (expected), tolerance_ = (tolerance);                         \
        double off_ = actual_ > expected_ ? actual_ - expected_ : expected_ - actual_;                       \
        if (!(off_ <= tolerance_))                                                                           \
            test_failed(__FILE__, __LINE__, "%s is %.9g, expected %.9g within %.3g", #actual, actual_,       \
                        expected_, tolerance_);                                                              \
    } while (0)
#define CHECK_TEXT(actual, expected) test_check_text(__FILE__, __LINE__, #actual, actual, expected)
void test_check_text(const char *file, int line, const char *what, const char *actual, const char *expected);
// `part` must stand somewhere in `text`: for error sentences.
#define CHECK_CONTAINS(text, part) test_check_contains(__FILE__, __LINE__, #text, text, part)
void test_check_contains(const char *file, int line, const char *what, const char *text, const char *part);

// An allocator that counts, checks sizes, and fails on request.
typedef struct test_memory {
    uint64_t calls;      // that asked for memory, so far
    uint64_t fail_at;    // the call (1 is the first) from which on memory is refused; 0: never
    uint64_t live_bytes; // given and not given back; 0 at the end, or there is a leak
    uint64_t peak_bytes;
} test_memory;
tr_allocator test_memory_allocator(test_memory *memory);

// Run `attempt` with the 1st, 2nd, ... allocation failing until it succeeds, and check that nothing leaks.
// `attempt` returns true when it succeeded; on a failure it must have given everything back. Returns how many
// allocations it makes.
uint64_t test_every_allocation_failure(const char *file, int line,
                                       bool (*attempt)(const tr_allocator *allocator));
#define CHECK_EVERY_ALLOCATION_FAILURE(attempt) test_every_allocation_failure(__FILE__, __LINE__, attempt)

// The folder of other people's data (../shared/data), or NULL where it is absent: skip then.
const char *test_data_folder(void);
