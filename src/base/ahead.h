// base/ahead.h - crowds are larger than caches: memory that is needed soon is asked for while others are at
// work. Internal.
#pragma once
#include <stddef.h>

#define AHEAD_LINE 64 // bytes that come at once; elsewhere there are some too few or too many

static inline void tr_ahead(const void *begin, size_t bytes) {
    for (size_t at = 0; at < bytes; at += AHEAD_LINE)
        __builtin_prefetch((const char *)begin + at);
}
