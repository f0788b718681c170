// Give Troupe an allocator of your own: here one that counts, and refuses beyond a budget.
#include "troupe/base/allocator.h"
#include "troupe/base/tasks.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct budget {
    size_t used, most;
} budget;

static void *resize(void *user, void *old, size_t old_size, size_t new_size) {
    budget *own = user;
    if (own->used - old_size + new_size > own->most)
        return NULL; // the old block stays as it is
    void *block = NULL;
    if (new_size == 0)
        free(old);
    else if (!(block = realloc(old, new_size)))
        return NULL;
    own->used = own->used - old_size + new_size;
    return block;
}

int main(void) {
    budget own = {.most = 64 * 1024};
    tr_allocator allocator = {resize, &own};

    uint32_t capacity = 0, refused_at = 0;
    void *numbers = NULL;
    for (uint32_t needed = 1; refused_at == 0; needed *= 2)
        if (!tr_reserve(&allocator, &numbers, &capacity, needed, sizeof(double)))
            refused_at = needed;
    printf("room for %u numbers in %zu bytes; %u were refused\n", capacity, own.used, refused_at);
    tr_release(&allocator, numbers, capacity, sizeof(double));

    own.most = 4;
    tr_tasks *tasks = NULL;
    tr_error error;
    if (tr_tasks_create(&allocator, 2, &tasks, &error) == TR_OUT_OF_MEMORY)
        printf("and with 4 bytes: %s\n", error.message);
    tr_tasks_destroy(tasks);
    printf("bytes in use at the end: %zu\n", own.used);
    return own.used == 0 ? 0 : 1;
}
