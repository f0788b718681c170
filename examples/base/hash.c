// Tell whether two runs gave the same bits.
#include "troupe/base/hash.h"
#include "troupe/base/random.h"

#include <inttypes.h>
#include <stdio.h>

static uint64_t hash_of_run(uint64_t seed) {
    tr_random random = tr_random_seed(seed);
    uint64_t hash = TR_HASH_START;
    for (int i = 0; i < 1000; i++) {
        float value = tr_random_unit(&random);
        hash = tr_hash(hash, &value, sizeof value);
    }
    return hash;
}

int main(void) {
    uint64_t first = hash_of_run(1), again = hash_of_run(1), other = hash_of_run(2);
    printf("run 1        %016" PRIx64 "\nrun 1 again  %016" PRIx64 "\nrun 2        %016" PRIx64 "\n", first,
           again, other);
    return first == again && first != other ? 0 : 1;
}
