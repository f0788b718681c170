#define _POSIX_C_SOURCE 200809L
#include "bench_print.h"
#include "cli/json_fields.h"
#include "troupe/base/version.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// "model name : X" of /proc/cpuinfo, or "".
static void read_processor(char *name, size_t size) {
    name[0] = 0;
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[256];
    while (file && fgets(line, sizeof line, file)) {
        char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon)
            continue;
        line[strcspn(line, "\n")] = 0;
        snprintf(name, size, "%s", colon + 2);
        break;
    }
    if (file)
        fclose(file);
}

// "2026-11-18T10:30:00Z", or "".
static void read_date(char *text, size_t size) {
    time_t now = time(NULL);
    struct tm utc;
    if (!gmtime_r(&now, &utc) || strftime(text, size, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0)
        text[0] = 0;
}

bench_origin bench_origin_now(uint64_t seed) {
    bench_origin origin = {.processors = sysconf(_SC_NPROCESSORS_ONLN),
                           .compiler = __VERSION__,
                           .troupe = tr_version(),
                           .commit = TROUPE_COMMIT,
                           .seed = seed};
    read_processor(origin.processor, sizeof origin.processor);
    read_date(origin.date, sizeof origin.date);
    return origin;
}

static void write_result(tr_json_writer *json, const bench_result *result) {
    tr_json_write_object(json);
    json_field_text(json, "id", result->id);
    json_field_text(json, "what", result->what);
    json_field_number(json, "value", result->value);
    json_field_text(json, "unit", result->unit);
    json_field_number(json, "paper", result->paper);
    json_field_text(json, "peer", result->peer);
    json_field_number(json, "peer_value", result->peer_value);
    tr_json_write_end(json);
}

tr_status bench_print_json(const bench_result *results, uint32_t count, const bench_origin *origin,
                           tr_error *error) {
    tr_json_writer json = tr_json_writer_begin(NULL);
    tr_json_write_object(&json);
    tr_json_write_key(&json, "machine");
    tr_json_write_object(&json);
    json_field_text(&json, "processor", origin->processor);
    tr_json_write_key(&json, "processors");
    tr_json_write_integer(&json, origin->processors);
    json_field_text(&json, "compiler", origin->compiler);
    json_field_text(&json, "troupe", origin->troupe);
    json_field_text(&json, "commit", origin->commit);
    tr_json_write_end(&json);
    json_field_text(&json, "date", origin->date);
    json_field_count(&json, "seed", origin->seed);
    tr_json_write_key(&json, "results");
    tr_json_write_array(&json);
    for (uint32_t i = 0; i < count; i++)
        write_result(&json, &results[i]);
    tr_json_write_end(&json);
    tr_json_write_end(&json);
    return json_print(&json, error);
}

// A field of a CSV file; quotes are doubled.
static void print_quoted(const char *text) {
    putchar('"');
    for (; *text; text++) {
        if (*text == '"')
            putchar('"');
        putchar(*text);
    }
    putchar('"');
}

void bench_print_csv(const bench_result *results, uint32_t count, const bench_origin *origin) {
    printf("id,value,unit,paper,peer,peer_value,what,seed\n");
    for (uint32_t i = 0; i < count; i++) {
        const bench_result *r = &results[i];
        char paper[32] = "", peer[32] = "";
        if (!isnan(r->paper))
            snprintf(paper, sizeof paper, "%.9g", r->paper);
        if (!isnan(r->peer_value))
            snprintf(peer, sizeof peer, "%.9g", r->peer_value);
        printf("%s,%.9g,%s,%s,", r->id, r->value, r->unit, paper);
        print_quoted(r->peer ? r->peer : "");
        printf(",%s,", peer);
        print_quoted(r->what);
        printf(",%" PRIu64 "\n", origin->seed);
    }
}

void bench_print_table(const bench_result *results, uint32_t count) {
    printf("%-38s %12s %-7s %10s %10s  %s\n", "id", "ours", "unit", "paper", "peer", "what");
    for (uint32_t i = 0; i < count; i++) {
        const bench_result *r = &results[i];
        char paper[32] = "-", peer[32] = "-";
        if (!isnan(r->paper))
            snprintf(paper, sizeof paper, "%.4g", r->paper);
        if (!isnan(r->peer_value))
            snprintf(peer, sizeof peer, "%.4g", r->peer_value);
        printf("%-38s %12.4g %-7s %10s %10s  %s%s%s%s\n", r->id, r->value, r->unit, paper, peer, r->what,
               r->peer ? " (peer: " : "", r->peer ? r->peer : "", r->peer ? ")" : "");
    }
}
