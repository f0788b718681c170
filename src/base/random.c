#include "troupe/base/random.h"

#define PCG_MULTIPLIER 6364136223846793005u
#define PCG_INCREMENT 1442695040888963407u

tr_random tr_random_seed(uint64_t seed) {
    tr_random random = {seed + PCG_INCREMENT};
    tr_random_bits(&random);
    return random;
}

uint32_t tr_random_bits(tr_random *random) {
    uint64_t old = random->state;
    random->state = old * PCG_MULTIPLIER + PCG_INCREMENT;
    uint32_t shifted = (uint32_t)(((old >> 18) ^ old) >> 27), turn = (uint32_t)(old >> 59);
    return (shifted >> turn) | (shifted << ((32 - turn) & 31));
}

uint32_t tr_random_below(tr_random *random, uint32_t count) {
    if (count == 0)
        return 0;
    uint32_t reject_below =
        (0u - count) % count; // 2^32 mod count: rejecting bits below this removes the bias
    uint32_t bits;
    do
        bits = tr_random_bits(random);
    while (bits < reject_below);
    return bits % count;
}

float tr_random_unit(tr_random *random) {
    return (float)(tr_random_bits(random) >> 8) * (1.0f / 16777216.0f);
}

float tr_random_between(tr_random *random, float low, float high) {
    float value = low + (high - low) * tr_random_unit(random);
    return value < high ? value : low; // rounding may reach the open end
}
