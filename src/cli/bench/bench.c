// troupe bench: the tables of the papers and other libraries, compared in one run.
#define _POSIX_C_SOURCE 200809L
#include "bench_plot.h"
#include "bench_print.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "troupe/base/clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SEED_MAX 1000000
#define SEEDS_APART 1000 // more than a suite draws from one after the other: no two runs share one

struct bench_report {
    bench_result *results;
    uint32_t count, capacity;
    bool gl, large;
    const char *data; // folder
    uint64_t seed;    // of --seed
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
    {"lau", "Lau & Kuffner 2005: the behavior planner", bench_lau},
    {"li", "Li's digital actor: steps over rough ground, an upper body that minds obstacles", bench_li},
    {"stage", "ways over the ground, and crowds in constant motion, compared with Detour", bench_stage},
    {"density", "people who all go the same way: speed by density, compared with pedestrians", bench_density},
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

uint64_t bench_seed(const bench_report *bench, uint64_t own) {
    return own + SEEDS_APART * bench->seed;
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

typedef enum bench_format { BENCH_TABLE, BENCH_JSON, BENCH_CSV } bench_format;

// What was asked for.
typedef struct bench_request {
    bool wanted[SUITE_COUNT], any; // suites by name; none: all of them
    bench_format format;
    const char *png; // a file or a folder; NULL: no pictures
    bool help;
} bench_request;

enum { OPTION_JSON, OPTION_CSV, OPTION_PNG, OPTION_SEED, OPTION_GL, OPTION_LARGE, OPTION_DATA, OPTION_COUNT };
static const argument_option options[OPTION_COUNT] = {
    {"--json", 0, NULL, "print one JSON document"},
    {"--csv", 0, NULL, "print comma-separated values with a header line"},
    {"--png", 0, "FILE|FOLDER", "bar charts as well: all in FILE.png, or one for each suite in FOLDER"},
    {"--seed", 0, "N", "draw other positions, queries, postures and people (0: those of the documentation)"},
    {"--gl", 0, NULL, "run the tables on the OpenGL back end as well"},
    {"--large", 0, NULL, "include the cases that take minutes: 10,000 people on a square"},
    {"--data", 0, "FOLDER", "folder that holds the test data maps/ and scenes/ (../shared/data)"},
};

static void print_help(void) {
    arguments_print_help("troupe bench [NAME ...] [--json | --csv] [--png FILE|FOLDER] [--seed N] [--gl] "
                         "[--large] [--data FOLDER]",
                         options, OPTION_COUNT, "Without a NAME all suites run. The suites are:");
    for (uint32_t i = 0; i < SUITE_COUNT; i++)
        printf("  %-9s %s\n", suites[i].name, suites[i].what);
}

static const bench_suite *find_suite(const char *name) {
    for (uint32_t i = 0; i < SUITE_COUNT; i++)
        if (strcmp(suites[i].name, name) == 0)
            return &suites[i];
    return NULL;
}

static bool read_option(bench_report *bench, bench_request *request, int option, const char *value) {
    switch (option) {
    case OPTION_JSON:
        request->format = BENCH_JSON;
        return true;
    case OPTION_CSV:
        request->format = BENCH_CSV;
        return true;
    case OPTION_PNG:
        request->png = value;
        return true;
    case OPTION_SEED:
        return arguments_integer("--seed", value, 0, SEED_MAX, &bench->seed);
    case OPTION_GL:
        return bench->gl = true;
    case OPTION_LARGE:
        return bench->large = true;
    case OPTION_DATA:
        bench->data = value;
        return true;
    case ARGUMENT_HELP:
        return request->help = true;
    case ARGUMENT_PLAIN: {
        const bench_suite *suite = find_suite(value);
        if (suite)
            return request->wanted[suite - suites] = request->any = true;
        command_complain("there is no bench suite \"%s\": see troupe bench --help", value);
    }
    }
    return false;
}

static tr_status print(const bench_report *bench, const bench_request *request, const bench_origin *origin,
                       tr_error *error) {
    if (request->format == BENCH_JSON)
        return bench_print_json(bench->results, bench->count, origin, error);
    if (request->format == BENCH_CSV)
        bench_print_csv(bench->results, bench->count, origin);
    else
        bench_print_table(bench->results, bench->count);
    return TR_OK;
}

static tr_status draw(const bench_report *bench, const bench_request *request, const uint32_t *ends,
                      const bench_origin *origin, tr_error *error) {
    bench_chart charts[SUITE_COUNT];
    char line[320];
    snprintf(line, sizeof line, "%s, %ld processors, %.10s, Troupe %s, commit %s, seed %" PRIu64,
             origin->processor[0] ? origin->processor : "unknown processor", origin->processors, origin->date,
             origin->troupe, origin->commit[0] ? origin->commit : "unknown", origin->seed);
    for (uint32_t i = 0; i < SUITE_COUNT; i++) {
        uint32_t begin = i ? ends[i - 1] : 0;
        charts[i] = (bench_chart){suites[i].name, suites[i].what, bench->results + begin, ends[i] - begin};
    }
    return bench_plot_write(request->png, charts, SUITE_COUNT, line, error);
}

static int run_suites(bench_report *bench, const bench_request *request) {
    bool fine = true;
    uint32_t ends[SUITE_COUNT]; // of the results of each suite
    tr_error error = {0};
    if (request->png && bench_plot_prepare(request->png, &error) != TR_OK)
        return command_complain_of(&error);
    for (uint32_t i = 0; i < SUITE_COUNT && fine; i++) {
        if (request->wanted[i] || !request->any)
            fine = suites[i].run(bench);
        ends[i] = bench->count;
    }
    progress_end(&bench->bar);
    if (bench->out_of_memory)
        return command_complain("no memory for the results");
    if (!fine)
        return COMMAND_FAILED;
    bench_origin origin = bench_origin_now(bench->seed);
    if (print(bench, request, &origin, &error) != TR_OK ||
        (request->png && draw(bench, request, ends, &origin, &error) != TR_OK))
        return command_complain_of(&error);
    return COMMAND_DONE;
}

int command_bench(int count, char **arguments) {
    bench_request request = {.format = BENCH_TABLE};
    bench_report bench = {.data = "../shared/data"};
    argument_reader reader = arguments_begin(count, arguments, options, OPTION_COUNT);
    const char *value;
    for (int found; (found = arguments_next(&reader, &value)) != ARGUMENT_END && !request.help;)
        if (!read_option(&bench, &request, found, value))
            return COMMAND_BAD;
    if (request.help) {
        print_help();
        return COMMAND_DONE;
    }
    bench_hand_over(count, arguments);
    int status = run_suites(&bench, &request);
    tr_allocator memory = tr_allocator_default();
    tr_release(&memory, bench.results, bench.capacity, sizeof *bench.results);
    return status;
}
