// The number of SIMD lanes to use on this processor. Internal.
#pragma once
#include <stdint.h>

static inline uint32_t simd_widest(void) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") ? 8 : 4;
#else
    return 4;
#endif
}
