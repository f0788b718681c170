// Long runs, for `make soak`. Seeds from FIRST to LAST of
//
//   soak chaos FIRST [LAST [TICKS]]
//   soak encounters FIRST [LAST]
//   soak endless FIRST [LAST [SECONDS]]
//   soak steps FIRST [LAST]
#include "chaos.h"
#include "encounter.h"
#include "endless.h"
#include "steps.h"

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

// Discs may come as near as rounding lets them.
#define TOUCH -1e-3f

static int run_encounters(int count, char **words) {
    uint64_t first = strtoull(words[0], NULL, 10), last = count > 1 ? strtoull(words[1], NULL, 10) : first;
    uint32_t bad = 0;
    for (uint32_t kind = 0; kind < ENCOUNTER_KINDS; kind++) {
        uint32_t done = 0, failed = 0, endless = 0, touched = 0;
        float nearest = INFINITY;
        for (uint64_t seed = first; seed <= last; seed++) {
            encounter_result result;
            bool ran = encounter_run((encounter_kind)kind, seed, &result);
            bool touches = result.nearest < TOUCH && !result.was_in_the_way;
            bool ends = ran && encounter_ended_well((encounter_kind)kind, &result);
            done += result.state == TR_ORDER_DONE;
            failed += result.state == TR_ORDER_FAILED;
            endless += result.state < TR_ORDER_DONE;
            touched += touches;
            nearest = result.was_in_the_way || result.nearest > nearest ? nearest : result.nearest;
            bad += touches || !ends;
            if (touches || !ends)
                printf("bad: seed %llu (%s): nearest %.4f m at %.2f s, state %d after %.1f s, '%s'\n",
                       (unsigned long long)seed, encounter_name((encounter_kind)kind), (double)result.nearest,
                       result.time, (int)result.state, result.seconds, result.reason);
        }
        printf("%s: %u done, %u failed with a reason, %u without end, %u touched, nearest %.3f m\n",
               encounter_name((encounter_kind)kind), done, failed, endless, touched, (double)nearest);
        fflush(stdout);
    }
    return bad > 0;
}

static int run_endless(int count, char **words) {
    uint64_t first = strtoull(words[0], NULL, 10), last = count > 1 ? strtoull(words[1], NULL, 10) : first;
    uint32_t bad = 0;
    for (uint64_t seed = first; seed <= last; seed++) {
        endless_def def = {.seed = seed, .people = 10, .seconds = 3600, .patience = 120, .tell = 300};
        def.seconds = count > 2 ? strtod(words[2], NULL) : def.seconds;
        def.settling = def.seconds / 3;
        endless_result result;
        bool good = endless_run(&def, &result) && !result.overlaps && !result.frozen &&
                    result.longest_stand < def.patience &&
                    result.end_bytes < 1.01 * (double)result.settled_bytes;
        bad += !good;
        printf("endless, seed %llu: %u trips, %u failed, longest stand %.0f s (actor %u at %.0f s), %u "
               "frozen, %u "
               "overlaps, %llu bytes after a third of it and %llu at the end: %s\n",
               (unsigned long long)seed, result.trips, result.failed, result.longest_stand, result.who_stood,
               result.stood_at, result.frozen, result.overlaps, (unsigned long long)result.settled_bytes,
               (unsigned long long)result.end_bytes, good ? "good" : "bad");
    }
    return bad > 0;
}

#define SOLE_MOST 1e-3 // that a sole may sink [m]
#define LEG_LEAST 0.25 // of the radius of a leg
#define JUDGE_RATE 60  // moments a second

static int run_steps(int count, char **words) {
    uint64_t first = strtoull(words[0], NULL, 10), last = count > 1 ? strtoull(words[1], NULL, 10) : first;
    uint32_t bad = 0, arrived = 0, sunk = 0;
    uint64_t steps = 0;
    for (uint64_t seed = first; seed <= last; seed++) {
        steps_result result = {0};
        bool good = steps_run(seed, JUDGE_RATE, &result) && result.reasoned && result.sole < SOLE_MOST &&
                    result.leg > LEG_LEAST;
        steps += result.steps;
        arrived += result.arrived;
        sunk += result.sole > 1e-3;
        bad += !good;
        if (!good)
            printf("bad: seed %llu: %u steps, sole %.2f mm below the floor, leg %.2f radii, %s\n",
                   (unsigned long long)seed, result.steps, result.sole * 1e3, result.leg, result.reason);
    }
    printf("steps, seeds %llu to %llu: %llu steps, %u arrived, the others stopped with a reason; a sole sank "
           "more than 1 mm on %u terrains, %u bad\n",
           (unsigned long long)first, (unsigned long long)last, (unsigned long long)steps, arrived, sunk,
           bad);
    return bad > 0;
}

int main(int count, char **words) {
    if (count >= 3 && strcmp(words[1], "chaos") == 0)
        return run_chaos(count - 2, words + 2);
    if (count >= 3 && strcmp(words[1], "encounters") == 0)
        return run_encounters(count - 2, words + 2);
    if (count >= 3 && strcmp(words[1], "endless") == 0)
        return run_endless(count - 2, words + 2);
    if (count >= 3 && strcmp(words[1], "steps") == 0)
        return run_steps(count - 2, words + 2);
    fprintf(stderr,
            "soak chaos FIRST [LAST [TICKS]] | encounters FIRST [LAST] | endless FIRST [LAST [SECONDS]] | "
            "steps FIRST [LAST]\n");
    return 2;
}
