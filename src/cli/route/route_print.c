#include "cli/json_fields.h"
#include "route.h"

#include <inttypes.h>
#include <stdio.h>

#define POINTS_SHOWN 12

const char *route_method_name(tr_route_method method) {
    static const char *const names[] = {"dijkstra", "astar", "jps"};
    return names[method];
}

static bool has_path(const route_answer *answer) {
    return (answer->status == TR_OK || answer->status == TR_PARTIAL) && answer->result.cell_count > 0;
}

static void print_points(const route_world *world, const route_answer *answer) {
    printf("%-10s", "points");
    for (uint32_t i = 0; i < answer->point_count && i < POINTS_SHOWN; i++)
        printf(" %.4g,%.4g,%.4g", route_world_x(world, answer->points[i]), route_world_y(world),
               route_world_z(world, answer->points[i]));
    if (answer->point_count > POINTS_SHOWN)
        printf(" and %u more (--json has all)", answer->point_count - POINTS_SHOWN);
    printf("\n");
}

static void print_answer(const route_request *request, const route_world *world, const route_order *order,
                         const route_answer *answer) {
    const tr_route_result *result = &answer->result;
    if (!has_path(answer)) {
        printf("%-10s %s: %s\n", "route", route_answer_status(answer), answer->reason);
    } else {
        printf("%-10s %s, %.2f m in %u points; %.2f m over %u cells\n", "route", route_answer_status(answer),
               answer->straight_length, answer->point_count, result->length, result->cell_count);
        if (result->start_moved || result->goal_moved)
            printf("%-10s %s to the nearest free cell\n", "moved",
                   !result->goal_moved   ? "the start"
                   : result->start_moved ? "start and goal"
                                         : "the goal");
        if (order->goal_count > 1 && result->goal != TR_NONE)
            printf("%-10s %u of %u\n", "goal", result->goal + 1, order->goal_count);
        print_points(world, answer);
    }
    printf("%-10s %s, %" PRIu64 " cells expanded, %.1f us; straightened in %.1f us\n", "search",
           route_method_name(request->params.method), result->counters.expanded, answer->search_us,
           answer->straighten_us);
}

void route_print_table(const route_request *request, const route_world *world, const route_answer *answers,
                       const route_tally *tally) {
    printf("%-10s %s, %u x %u cells of %g m, %.1f %% free\n", world->is_plain ? "map" : "scene", world->name,
           world->grid.columns, world->grid.rows, (double)world->grid.cell, route_world_free_percent(world));
    printf("%-10s %.0f us\n", "project", world->project_us);
    if (request->pairs_path)
        printf("%-10s %u, %u found, %.1f us each\n", "pairs", tally->count, tally->found,
               route_tally_mean_us(tally));
    else
        for (uint32_t i = 0; i < request->orders.count; i++)
            print_answer(request, world, &request->orders.orders[i], &answers[i]);
    if (request->png)
        printf("%-10s %s\n", "picture", request->png);
}

static void write_points(tr_json_writer *writer, const route_world *world, const route_answer *answer) {
    tr_json_write_key(writer, "points");
    tr_json_write_array(writer);
    for (uint32_t i = 0; i < answer->point_count; i++) {
        tr_json_write_array(writer);
        tr_json_write_float(writer, (float)route_world_x(world, answer->points[i]));
        tr_json_write_float(writer, (float)route_world_y(world));
        tr_json_write_float(writer, (float)route_world_z(world, answer->points[i]));
        tr_json_write_end(writer);
    }
    tr_json_write_end(writer);
}

static void write_counters(tr_json_writer *writer, const tr_search_counters *counters) {
    json_field_count(writer, "expanded", counters->expanded);
    json_field_count(writer, "generated", counters->generated);
    json_field_count(writer, "improved", counters->improved);
    json_field_count(writer, "reopened", counters->reopened);
    json_field_count(writer, "waiting", counters->waiting);
}

void route_write_answer(tr_json_writer *writer, const route_world *world, const route_answer *answer) {
    const tr_route_result *result = &answer->result;
    bool found = has_path(answer);
    json_field_text(writer, "status", route_answer_status(answer));
    json_field_text(writer, "reason", answer->reason[0] ? answer->reason : NULL);
    json_field_number(writer, "length", found ? answer->straight_length : (double)NAN);
    write_points(writer, world, answer);
    json_field_boolean(writer, "start_moved", result->start_moved);
    json_field_boolean(writer, "goal_moved", result->goal_moved);
    tr_json_write_key(writer, "goal");
    if (answer->status == TR_OK && result->goal != TR_NONE)
        tr_json_write_integer(writer, result->goal);
    else
        tr_json_write_null(writer);
    json_field_number(writer, "cells_length", found ? result->length : (double)NAN);
    json_field_count(writer, "cells", result->cell_count);
    json_field_count(writer, "cost", found ? result->cost : 0);
    write_counters(writer, &result->counters);
    json_field_number(writer, "search_us", answer->search_us);
    json_field_number(writer, "straighten_us", answer->straighten_us);
}

static void write_setting(tr_json_writer *writer, const route_request *request, const route_world *world) {
    json_field_text(writer, world->is_plain ? "map" : "scene", world->name);
    json_field_grid(writer, "grid", &world->grid);
    json_field_number(writer, "project_us", world->project_us);
    json_field_number(writer, "free_share", route_world_free_percent(world) / 100);
    json_field_text(writer, "search", route_method_name(request->params.method));
    json_field_text(writer, "metric", request->params.metric == TR_ROUTE_TRUE ? "true" : "paper");
    json_field_count(writer, "neighbours", request->params.neighbours);
    json_field_boolean(writer, "cut_corners", request->params.cut_corners);
    json_field_text(writer, "picture", request->png);
}

tr_json_writer route_print_begin(void) {
    tr_json_writer writer = tr_json_writer_begin(NULL);
    tr_json_write_object(&writer);
    tr_json_write_key(&writer, "results");
    tr_json_write_array(&writer);
    return writer;
}

void route_print_pair(tr_json_writer *writer, const route_request *request, const route_world *world,
                      const route_answer *answer) {
    tr_json_write_object(writer);
    route_write_answer(writer, world, answer);
    tr_json_write_end(writer);
    if (!request->png)
        json_print_part(writer);
}

void route_write_tally(tr_json_writer *writer, const route_tally *tally) {
    tr_json_write_end(writer);
    json_field_count(writer, "pairs", tally->count);
    json_field_count(writer, "found", tally->found);
    json_field_number(writer, "mean_us", route_tally_mean_us(tally));
}

tr_status route_print_end(tr_json_writer *writer, const route_request *request, const route_world *world,
                          const route_tally *tally, tr_error *error) {
    route_write_tally(writer, tally);
    write_setting(writer, request, world);
    tr_json_write_end(writer);
    return json_print(writer, error);
}

static void write_routes(tr_json_writer *writer, const route_world *world, const route_answer *answers,
                         const route_tally *tally) {
    json_field_count(writer, "found", tally->found);
    tr_json_write_key(writer, "routes");
    tr_json_write_array(writer);
    for (uint32_t i = 0; i < tally->count; i++) {
        tr_json_write_object(writer);
        route_write_answer(writer, world, &answers[i]);
        tr_json_write_end(writer);
    }
    tr_json_write_end(writer);
}

tr_status route_print_json(const route_request *request, const route_world *world,
                           const route_answer *answers, const route_tally *tally, tr_error *error) {
    tr_json_writer writer = tr_json_writer_begin(NULL);
    tr_json_write_object(&writer);
    if (tally->count == 1)
        route_write_answer(&writer, world, &answers[0]);
    else
        write_routes(&writer, world, answers, tally);
    write_setting(&writer, request, world);
    tr_json_write_end(&writer);
    return json_print(&writer, error);
}
