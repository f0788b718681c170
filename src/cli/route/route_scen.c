// A scenario of the Moving AI Lab: compares the length of every query with the optimal one in the file.
#include "cli/commands.h"
#include "cli/json_fields.h"
#include "cli/progress.h"
#include "route.h"
#include "troupe/base/clock.h"
#include "troupe/io/moving_ai.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#define WARM_QUERIES 64  // run once untimed: touches memory and wakes the processor
#define MISTAKES_SHOWN 5 // the others are only counted

typedef struct scenario_result {
    uint32_t queries, agree, unreachable;
    double worst_difference; // of those that have a path
    double total_us, slowest_us, total_length;
    uint64_t expanded, generated;
} scenario_result;

static tr_status read_scenario(const char *path, tr_moving_ai_scenario *scenario, tr_error *error) {
    tr_bytes text;
    tr_status status = tr_file_read(NULL, path, &text, error);
    if (status != TR_OK)
        return status;
    status = tr_moving_ai_read_scenario(NULL, text.data, text.size, scenario, error);
    if (status != TR_OK)
        tr_error_set_file(error, path);
    tr_bytes_free(NULL, &text);
    return status;
}

static tr_status check_cell(const route_world *world, const char *what, uint32_t column, uint32_t row,
                            tr_error *error) {
    if (tr_route_map_is_free(&world->map, tr_route_map_node(&world->map, column, row)))
        return TR_OK;
    return tr_fail(error, TR_BAD_FILE, "the %s %u,%u is a blocked cell of %.200s", what, column, row,
                   world->name);
}

// Checks all queries before the first search, so that a file for another map is rejected at once.
static tr_status check_queries(const route_request *request, const route_world *world,
                               const tr_moving_ai_scenario *scenario, tr_error *error) {
    tr_status status = TR_OK;
    uint32_t i = 0;
    if (scenario->count == 0)
        status = tr_fail(error, TR_BAD_FILE, "the scenario has no queries");
    for (; status == TR_OK && i < scenario->count; i++) {
        const tr_moving_ai_query *query = &scenario->queries[i];
        if (query->map_width != world->grid.columns || query->map_height != world->grid.rows)
            status = tr_fail(error, TR_BAD_FILE,
                             "the query is for a map of %u x %u cells, %.200s has %u x %u", query->map_width,
                             query->map_height, world->name, world->grid.columns, world->grid.rows);
        if (status == TR_OK)
            status = check_cell(world, "start", query->start_column, query->start_row, error);
        if (status == TR_OK)
            status = check_cell(world, "goal", query->goal_column, query->goal_row, error);
    }
    if (status != TR_OK) {
        tr_error_set_file(error, request->scenario_path);
        error->line = i > 0 ? scenario->queries[i - 1].line : 0;
    }
    return status;
}

static tr_status run_query(const route_request *request, const route_world *world,
                           const tr_moving_ai_query *query, tr_error *error) {
    uint32_t start = tr_route_map_node(&world->map, query->start_column, query->start_row);
    uint32_t goal = tr_route_map_node(&world->map, query->goal_column, query->goal_row);
    return tr_route_find_cells(world->route, &world->map, &request->params, start, &goal, 1, error);
}

static void tell_mistake(const route_request *request, const tr_moving_ai_query *query, tr_status status,
                         double length) {
    fprintf(stderr, "troupe: %s:%u: from %u,%u to %u,%u ", request->scenario_path, query->line,
            query->start_column, query->start_row, query->goal_column, query->goal_row);
    if (status == TR_OK)
        fprintf(stderr, "the path is %.6f long, the file says %g\n", length, query->optimal);
    else
        fprintf(stderr, "there is no path, the file says %g\n", query->optimal);
}

static void count_query(const route_request *request, const route_world *world,
                        const tr_moving_ai_scenario *scenario, uint32_t index, tr_status status,
                        scenario_result *result) {
    const tr_moving_ai_query *query = &scenario->queries[index];
    tr_route_result found = tr_route_last(world->route);
    double length = status == TR_OK ? found.length : (double)INFINITY;
    result->queries++;
    result->expanded += found.counters.expanded;
    result->generated += found.counters.generated;
    if (status == TR_OK) {
        result->worst_difference = fmax(result->worst_difference, fabs(length - query->optimal));
        result->total_length += length;
    } else {
        result->unreachable++;
    }
    if (tr_moving_ai_agrees(scenario, index, length))
        result->agree++;
    else if (result->queries - result->agree <= MISTAKES_SHOWN)
        tell_mistake(request, query, status, length);
}

// The query that was run last, in the document.
static tr_status print_query(const route_request *request, const route_world *world,
                             const tr_moving_ai_query *query, tr_status found, double us,
                             tr_json_writer *writer, tr_error *error) {
    tr_vec2 start = tr_grid_centre(&world->grid, query->start_column, query->start_row),
            goal = tr_grid_centre(&world->grid, query->goal_column, query->goal_row);
    route_answer answer = {.status = found, .search_us = us};
    tr_status status = TR_OK;
    if (found == TR_OK) {
        status = route_answer_take(request, world, start, &goal, &answer, error);
    } else {
        answer.result.counters = tr_route_last(world->route).counters;
        snprintf(answer.reason, sizeof answer.reason, "%s", route_no_way);
    }
    if (status == TR_OK) {
        tr_json_write_object(writer);
        route_write_answer(writer, world, &answer);
        json_field_number(writer, "optimal", query->optimal);
        tr_json_write_end(writer);
        json_print_part(writer);
    }
    route_answer_free(&answer);
    return status;
}

// `writer` is NULL where no document is wanted.
static tr_status run_all(const route_request *request, const route_world *world,
                         const tr_moving_ai_scenario *scenario, scenario_result *result,
                         tr_json_writer *writer, tr_error *error) {
    progress_bar bar = progress_begin("troupe route", scenario->count);
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < scenario->count && i < WARM_QUERIES; i++)
        run_query(request, world, &scenario->queries[i], error);
    for (uint32_t i = 0; i < scenario->count; i++) {
        uint64_t begin = tr_clock_nanoseconds();
        status = run_query(request, world, &scenario->queries[i], error);
        double us = microseconds_since(begin);
        if (status != TR_OK && status != TR_NOT_FOUND)
            break;
        result->total_us += us;
        result->slowest_us = fmax(result->slowest_us, us);
        count_query(request, world, scenario, i, status, result);
        status =
            writer ? print_query(request, world, &scenario->queries[i], status, us, writer, error) : TR_OK;
        if (status != TR_OK)
            break;
        progress_step(&bar, i);
    }
    progress_end(&bar);
    return status;
}

static void print_table(const route_request *request, const route_world *world,
                        const scenario_result *result) {
    double mean = result->total_us / result->queries;
    printf("%-10s %s, %u x %u cells, %.1f %% free\n", "map", world->name, world->grid.columns,
           world->grid.rows, route_world_free_percent(world));
    printf("%-10s %u, %u agree, %u without a path; largest difference %.3g\n", "queries", result->queries,
           result->agree, result->unreachable, result->worst_difference);
    printf("%-10s %s, %.1f us each, %.1f us for the slowest, %.1f million cells expanded per second\n",
           "search", route_method_name(request->params.method), mean, result->slowest_us,
           result->total_us > 0 ? (double)result->expanded / result->total_us : 0);
}

static tr_status print_json(const route_request *request, const route_world *world,
                            const tr_moving_ai_scenario *scenario, const scenario_result *result,
                            tr_json_writer *writer, tr_error *error) {
    tr_json_write_end(writer);
    json_field_text(writer, "map", world->name);
    json_field_text(writer, "scenario", request->scenario_path);
    json_field_grid(writer, "grid", &world->grid);
    json_field_text(writer, "search", route_method_name(request->params.method));
    json_field_count(writer, "queries", result->queries);
    json_field_count(writer, "agree", result->agree);
    json_field_count(writer, "unreachable", result->unreachable);
    json_field_count(writer, "decimals", scenario->decimals);
    json_field_number(writer, "worst_difference", result->worst_difference);
    json_field_number(writer, "mean_us", result->total_us / result->queries);
    json_field_number(writer, "slowest_us", result->slowest_us);
    json_field_number(writer, "mean_length", result->total_length / result->queries);
    json_field_count(writer, "expanded", result->expanded);
    json_field_count(writer, "generated", result->generated);
    tr_json_write_end(writer);
    return json_print(writer, error);
}

tr_status route_check_scenario(const route_request *request, route_world *world, bool *all_agree,
                               tr_error *error) {
    tr_moving_ai_scenario scenario;
    scenario_result result = {.queries = 0};
    tr_status status = read_scenario(request->scenario_path, &scenario, error);
    if (status != TR_OK)
        return status;
    tr_json_writer writer = route_print_begin();
    status = check_queries(request, world, &scenario, error);
    if (status == TR_OK)
        status = run_all(request, world, &scenario, &result, request->json ? &writer : NULL, error);
    if (status == TR_OK && request->json)
        status = print_json(request, world, &scenario, &result, &writer, error);
    else if (status == TR_OK)
        print_table(request, world, &result);
    json_drop(&writer);
    *all_agree = result.agree == result.queries;
    tr_moving_ai_free_scenario(NULL, &scenario);
    return status;
}
