// Long runs, for `make soak`: soak chaos FIRST LAST [TICKS] - runs of chaos with these seeds.
#include "chaos.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int run_chaos(int count, char **words) {
    uint64_t first = strtoull(words[0], NULL, 10), last = count > 1 ? strtoull(words[1], NULL, 10) : first;
    uint32_t ticks = count > 2 ? (uint32_t)strtoul(words[2], NULL, 10) : 2000;
    uint32_t faults = 0, endless = 0;
    for (uint64_t seed = first; seed <= last; seed++) {
        chaos_def def = {.seed = seed, .ticks = ticks, .patience = 300};
        chaos_result result;
        chaos_run(&def, &result);
        faults += result.faults;
        endless += result.endless;
        printf("seed %llu: %u ticks, %u orders (%u done, %u failed, %u cancelled), %u without end, %u "
               "faults, %u times "
               "struck\n",
               (unsigned long long)seed, result.ticks, result.orders, result.done, result.failed,
               result.cancelled, result.endless, result.faults, result.struck);
        fflush(stdout);
    }
    printf("chaos, seeds %llu to %llu: %u faults, %u orders without end\n", (unsigned long long)first,
           (unsigned long long)last, faults, endless);
    return faults || endless;
}

int main(int count, char **words) {
    if (count >= 3 && strcmp(words[1], "chaos") == 0)
        return run_chaos(count - 2, words + 2);
    fprintf(stderr, "soak chaos FIRST [LAST [TICKS]]\n");
    return 2;
}
