// What `troupe bench` prints of its results, and where they come from: machine, date, commit and seed.
#pragma once
#include "bench.h"
#include "troupe/base/status.h"

typedef struct bench_origin {
    char processor[128]; // "" where it is not known
    long processors;
    const char *compiler, *troupe, *commit;
    char date[32]; // "2026-11-18T10:30:00Z"
    uint64_t seed; // of --seed
} bench_origin;
bench_origin bench_origin_now(uint64_t seed);

tr_status bench_print_json(const bench_result *results, uint32_t count, const bench_origin *origin,
                           tr_error *error);
void bench_print_csv(const bench_result *results, uint32_t count, const bench_origin *origin);
void bench_print_table(const bench_result *results, uint32_t count);
