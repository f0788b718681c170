// What the fuzz targets share. Each defines LLVMFuzzerTestOneInput, for libFuzzer or for replay.c.
#pragma once
#include "troupe/base/allocator.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define TARGET_CHECK(condition)                                                                              \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                  \
            abort();                                                                                         \
        }                                                                                                    \
    } while (0)

// An allocator that stops the run when a reader asks for more than its input can justify, or gives back less
// than it took.
typedef struct target_memory {
    size_t live, most;
} target_memory;

static inline void *target_resize(void *user, void *old, size_t old_size, size_t new_size) {
    target_memory *memory = user;
    memory->live += new_size - old_size;
    TARGET_CHECK(memory->live <= memory->most);
    if (new_size == 0) {
        free(old);
        return NULL;
    }
    return realloc(old, new_size);
}

static inline tr_allocator target_allocator(target_memory *memory, size_t input_size) {
    memory->live = 0;
    memory->most = ((size_t)32 << 20) + input_size * 1000;
    tr_allocator allocator = {target_resize, memory};
    return allocator;
}
