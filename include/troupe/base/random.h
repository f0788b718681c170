// troupe/base/random.h - seeded random numbers (PCG32), the same everywhere. The caller holds the state.
#pragma once
#include "troupe/base/api.h"

TR_BEGIN_DECLARATIONS

typedef struct tr_random {
    uint64_t state;
} tr_random;

TR_API tr_random tr_random_seed(uint64_t seed);
TR_API uint32_t tr_random_bits(tr_random *random); // 32 uniform bits
// 0 to count - 1, without bias; 0 for a count of 0.
TR_API uint32_t tr_random_below(tr_random *random, uint32_t count);
TR_API float tr_random_unit(tr_random *random); // [0, 1), multiples of 2^-24
// [low, high), both finite; `low` if the interval is empty.
TR_API float tr_random_between(tr_random *random, float low, float high);

TR_END_DECLARATIONS
