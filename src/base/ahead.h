// base/ahead.h - prefetching: crowds are larger than caches, so memory that is needed soon is fetched while
// other items are processed. Internal.
#pragma once
#include <stddef.h>

#define AHEAD_LINE 64 // bytes in a cache line; with another size some prefetches are missing or redundant

static inline void tr_ahead(const void *begin, size_t bytes) {
    for (size_t at = 0; at < bytes; at += AHEAD_LINE)
        __builtin_prefetch((const char *)begin + at);
}
