// troupe bench: the tables of the papers and other libraries, compared in one run.
#define _POSIX_C_SOURCE 200809L
#include "bench.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "troupe/base/clock.h"
#include "troupe/base/version.h"
#include "troupe/io/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct bench_report {
    bench_result *results;
    uint32_t count, capacity;
    bool gl, large;
    const char *data; // folder
    bool out_of_memory;
    char doing[64];  // text of the progress bar
    char noted[400]; // the last note
    progress_bar bar;
};

typedef struct bench_suite {
    const char *name, *what;
    bool (*run)(bench_report *bench);
} bench_suite;

static const bench_suite suites[] = {
    {"kuffner", "Kuffner 1998, table 1: from triangles to a map, compared with Recast", bench_kuffner},
    {"bandi", "Bandi & Thalmann 1998, table 1: from triangles to a path over stairs, compared with Recast",
     bench_bandi},
    {"route", "searches on the Moving AI maps, and floods", bench_route},
    {"peers", "Detour and Recast on nav_test.obj: a query, and a query after an object moved", bench_peers},
    {"scale", "a million triangles, thousands of cells, more threads", bench_scale},
    {"motion", "characters: poses, followers, feet, crowds", bench_motion},
    {"liu", "Liu & Badler 2003, table 1: reaching by depth buffer, compared with the exact check", bench_liu},
    {"reach", "reaching through clutter: tasks on a desk, compared with OMPL and FCL", bench_reach},
    {"stage", "ways over the ground, and crowds in constant motion, compared with Detour", bench_stage},
};
#define SUITE_COUNT ((uint32_t)(sizeof suites / sizeof suites[0]))

void bench_add(bench_report *bench, const bench_result *result) {
    tr_allocator memory = tr_allocator_default();
    if (!tr_reserve(&memory, (void **)&bench->results, &bench->capacity, (uint64_t)bench->count + 1,
                    sizeof *bench->results)) {
        bench->out_of_memory = true;
        return;
    }
    bench->results[bench->count++] = *result;
}

bool bench_wants_gl(const bench_report *bench) {
    return bench->gl;
}

bool bench_wants_large(const bench_report *bench) {
    return bench->large;
}

const char *bench_data(const bench_report *bench) {
    return bench->data;
}

void bench_progress(bench_report *bench, const char *what, double share) {
    if (strcmp(bench->doing, what) != 0) {
        progress_end(&bench->bar);
        snprintf(bench->doing, sizeof bench->doing, "%s", what);
        bench->bar = progress_begin(bench->doing, 100);
    }
    progress_step(&bench->bar, (uint64_t)(share * 100));
}

void bench_note(bench_report *bench, const char *sentence) {
    if (strcmp(bench->noted, sentence) == 0)
        return;
    snprintf(bench->noted, sizeof bench->noted, "%s", sentence);
    progress_end(&bench->bar);
    fprintf(stderr, "troupe: skipped: %s\n", sentence);
}

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double *values, uint32_t count) {
    qsort(values, count, sizeof *values, compare_doubles);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

uint64_t bench_thread_nanoseconds(void) {
    struct timespec now;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) != 0)
        return tr_clock_nanoseconds();
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

double bench_time(void (*work)(void *user), void *user) {
    double times[5];
    work(user);
    for (int i = 0; i < 5; i++) {
        uint64_t begin = tr_clock_nanoseconds();
        work(user);
        times[i] = (double)(tr_clock_nanoseconds() - begin);
    }
    return bench_median(times, 5);
}

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

static void write_optional(tr_json_writer *json, const char *key, double value) {
    tr_json_write_key(json, key);
    tr_json_write_number(json, value); // NAN becomes null
}

static void write_result(tr_json_writer *json, const bench_result *result) {
    tr_json_write_object(json);
    tr_json_write_key(json, "id");
    tr_json_write_text(json, result->id);
    tr_json_write_key(json, "what");
    tr_json_write_text(json, result->what);
    write_optional(json, "value", result->value);
    tr_json_write_key(json, "unit");
    tr_json_write_text(json, result->unit);
    write_optional(json, "paper", result->paper);
    tr_json_write_key(json, "peer");
    if (result->peer)
        tr_json_write_text(json, result->peer);
    else
        tr_json_write_null(json);
    write_optional(json, "peer_value", result->peer_value);
    tr_json_write_end(json);
}

static int print_json(const bench_report *bench) {
    char processor[128], date[32];
    read_processor(processor, sizeof processor);
    read_date(date, sizeof date);
    tr_json_writer json = tr_json_writer_begin(NULL);
    tr_json_write_object(&json);
    tr_json_write_key(&json, "machine");
    tr_json_write_object(&json);
    tr_json_write_key(&json, "processor");
    tr_json_write_text(&json, processor);
    tr_json_write_key(&json, "processors");
    tr_json_write_integer(&json, sysconf(_SC_NPROCESSORS_ONLN));
    tr_json_write_key(&json, "compiler");
    tr_json_write_text(&json, __VERSION__);
    tr_json_write_key(&json, "troupe");
    tr_json_write_text(&json, tr_version());
    tr_json_write_key(&json, "commit");
    tr_json_write_text(&json, TROUPE_COMMIT);
    tr_json_write_end(&json);
    tr_json_write_key(&json, "date");
    tr_json_write_text(&json, date);
    tr_json_write_key(&json, "results");
    tr_json_write_array(&json);
    for (uint32_t i = 0; i < bench->count; i++)
        write_result(&json, &bench->results[i]);
    tr_json_write_end(&json);
    tr_json_write_end(&json);
    tr_bytes text;
    tr_error error = {0};
    if (tr_json_writer_finish(&json, &text, &error) != TR_OK)
        return command_complain_of(&error);
    fwrite(text.data, 1, text.size, stdout);
    tr_bytes_free(NULL, &text);
    return COMMAND_DONE;
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

static void print_csv(const bench_report *bench) {
    printf("id,value,unit,paper,peer,peer_value,what\n");
    for (uint32_t i = 0; i < bench->count; i++) {
        const bench_result *r = &bench->results[i];
        char paper[32] = "", peer[32] = "";
        if (!isnan(r->paper))
            snprintf(paper, sizeof paper, "%.9g", r->paper);
        if (!isnan(r->peer_value))
            snprintf(peer, sizeof peer, "%.9g", r->peer_value);
        printf("%s,%.9g,%s,%s,", r->id, r->value, r->unit, paper);
        print_quoted(r->peer ? r->peer : "");
        printf(",%s,", peer);
        print_quoted(r->what);
        putchar('\n');
    }
}

static void print_table(const bench_report *bench) {
    printf("%-38s %12s %-7s %10s %10s  %s\n", "id", "ours", "unit", "paper", "peer", "what");
    for (uint32_t i = 0; i < bench->count; i++) {
        const bench_result *r = &bench->results[i];
        char paper[32] = "-", peer[32] = "-";
        if (!isnan(r->paper))
            snprintf(paper, sizeof paper, "%.4g", r->paper);
        if (!isnan(r->peer_value))
            snprintf(peer, sizeof peer, "%.4g", r->peer_value);
        printf("%-38s %12.4g %-7s %10s %10s  %s%s%s%s\n", r->id, r->value, r->unit, paper, peer, r->what,
               r->peer ? " (peer: " : "", r->peer ? r->peer : "", r->peer ? ")" : "");
    }
}

typedef enum bench_format { BENCH_TABLE, BENCH_JSON, BENCH_CSV } bench_format;

enum { OPTION_JSON, OPTION_CSV, OPTION_GL, OPTION_LARGE, OPTION_DATA, OPTION_COUNT };
static const argument_option options[OPTION_COUNT] = {
    {"--json", 0, NULL, "print one JSON document"},
    {"--csv", 0, NULL, "print comma-separated values with a header line"},
    {"--gl", 0, NULL, "run the tables on the OpenGL back end as well"},
    {"--large", 0, NULL, "include the cases that take minutes: 10,000 people on a square"},
    {"--data", 0, "FOLDER", "folder that holds the test data maps/ and scenes/ (../shared/data)"},
};

static void print_help(void) {
    arguments_print_help("troupe bench [NAME ...] [--json | --csv] [--gl] [--large] [--data FOLDER]", options,
                         OPTION_COUNT, "Without a NAME all suites run. The suites are:");
    for (uint32_t i = 0; i < SUITE_COUNT; i++)
        printf("  %-9s %s\n", suites[i].name, suites[i].what);
}

static const bench_suite *find_suite(const char *name) {
    for (uint32_t i = 0; i < SUITE_COUNT; i++)
        if (strcmp(suites[i].name, name) == 0)
            return &suites[i];
    return NULL;
}

static int run_suites(bench_report *bench, const bool *wanted, bool any, bench_format format) {
    bool fine = true;
    for (uint32_t i = 0; i < SUITE_COUNT && fine; i++)
        if (wanted[i] || !any)
            fine = suites[i].run(bench);
    progress_end(&bench->bar);
    if (bench->out_of_memory)
        return command_complain("no memory for the results");
    if (!fine)
        return COMMAND_FAILED;
    if (format == BENCH_JSON)
        return print_json(bench);
    if (format == BENCH_CSV)
        print_csv(bench);
    else
        print_table(bench);
    return COMMAND_DONE;
}

int command_bench(int count, char **arguments) {
    bool wanted[SUITE_COUNT] = {false}, any = false;
    bench_format format = BENCH_TABLE;
    bench_report bench = {.data = "../shared/data"};
    argument_reader reader = arguments_begin(count, arguments, options, OPTION_COUNT);
    const char *value;
    for (int found; (found = arguments_next(&reader, &value)) != ARGUMENT_END;) {
        const bench_suite *suite = found == ARGUMENT_PLAIN ? find_suite(value) : NULL;
        if (found == ARGUMENT_HELP) {
            print_help();
            return COMMAND_DONE;
        } else if (found == ARGUMENT_PLAIN && !suite) {
            return command_complain("there is no bench suite \"%s\"; see troupe bench --help", value);
        } else if (suite) {
            wanted[suite - suites] = any = true;
        } else if (found == OPTION_JSON) {
            format = BENCH_JSON;
        } else if (found == OPTION_CSV) {
            format = BENCH_CSV;
        } else if (found == OPTION_GL) {
            bench.gl = true;
        } else if (found == OPTION_LARGE) {
            bench.large = true;
        } else if (found == OPTION_DATA) {
            bench.data = value;
        } else {
            return COMMAND_BAD;
        }
    }
    bench_hand_over(count, arguments);
    int status = run_suites(&bench, wanted, any, format);
    tr_allocator memory = tr_allocator_default();
    tr_release(&memory, bench.results, bench.capacity, sizeof *bench.results);
    return status;
}
