#include "test.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static test_case *first_test;
static int failures_of_this_test;
static const char *skip_reason;

void test_register(test_case *test) {
    test_case **end = &first_test;
    while (*end)
        end = &(*end)->next;
    *end = test;
}

void test_failed(const char *file, int line, const char *format, ...) {
    failures_of_this_test++;
    if (failures_of_this_test > 20)
        return; // a loop that fails does so thousands of times; twenty tell enough
    printf("  %s:%d: ", file, line);
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\n");
}

void test_skip(const char *reason) {
    skip_reason = reason;
}

void test_check_text(const char *file, int line, const char *what, const char *actual, const char *expected) {
    if (strcmp(actual, expected) != 0)
        test_failed(file, line, "%s is \"%s\", expected \"%s\"", what, actual, expected);
}

void test_check_contains(const char *file, int line, const char *what, const char *text, const char *part) {
    if (!strstr(text, part))
        test_failed(file, line, "%s is \"%s\", expected \"%s\" in it", what, text, part);
}

static void *resize_and_count(void *user, void *old, size_t old_size, size_t new_size) {
    test_memory *memory = user;
    if (new_size == 0) {
        memory->live_bytes -= old_size;
        free(old);
        return NULL;
    }
    memory->calls++;
    if (memory->fail_at != 0 && memory->calls >= memory->fail_at)
        return NULL;
    void *block = malloc(new_size); // never in place: a stale pointer is then found by the sanitizer
    if (!block)
        return NULL;
    if (old) {
        memcpy(block, old, old_size < new_size ? old_size : new_size);
        free(old);
        memory->live_bytes -= old_size;
    }
    memory->live_bytes += new_size;
    if (memory->live_bytes > memory->peak_bytes)
        memory->peak_bytes = memory->live_bytes;
    return block;
}

tr_allocator test_memory_allocator(test_memory *memory) {
    tr_allocator allocator = {resize_and_count, memory};
    return allocator;
}

uint64_t test_every_allocation_failure(const char *file, int line,
                                       bool (*attempt)(const tr_allocator *allocator)) {
    for (uint64_t fail_at = 1;; fail_at++) {
        test_memory memory = {.fail_at = fail_at};
        tr_allocator allocator = test_memory_allocator(&memory);
        bool succeeded = attempt(&allocator);
        if (memory.live_bytes != 0)
            test_failed(file, line, "%" PRIu64 " bytes leaked when allocation %" PRIu64 " failed",
                        memory.live_bytes, fail_at);
        bool was_refused = memory.calls >= fail_at;
        if (succeeded && was_refused)
            test_failed(file, line, "success although allocation %" PRIu64 " failed", fail_at);
        if (!succeeded && !was_refused)
            test_failed(file, line, "failure although no allocation failed");
        if (!was_refused)
            return memory.calls;
    }
}

const char *test_data_folder(void) {
#ifdef TROUPE_TEST_DATA
    FILE *probe = fopen(TROUPE_TEST_DATA "/README.md", "rb");
    if (probe) {
        fclose(probe);
        return TROUPE_TEST_DATA;
    }
#endif
    return NULL;
}

int main(int count, char **arguments) {
    int passed = 0, failed = 0, skipped = 0;
    for (test_case *test = first_test; test; test = test->next) {
        if (count > 1 && !strstr(test->name, arguments[1]))
            continue;
        failures_of_this_test = 0;
        skip_reason = NULL;
        test->run();
        if (failures_of_this_test) {
            printf("FAILED  %s (%d checks)\n", test->name, failures_of_this_test);
            failed++;
        } else if (skip_reason) {
            printf("skipped %s: %s\n", test->name, skip_reason);
            skipped++;
        } else {
            printf("ok      %s\n", test->name);
            passed++;
        }
        fflush(stdout);
    }
    printf("%d passed, %d failed, %d skipped\n", passed, failed, skipped);
    return failed != 0 || passed + skipped == 0;
}
