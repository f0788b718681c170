// What `troupe route --behaviors` prints.
#include "cli/json_fields.h"
#include "route_behaviors.h"
#include "troupe/base/scalar.h"

#include <inttypes.h>
#include <stdio.h>

static double degrees(float heading) {
    return (double)heading * (180 / TR_PI);
}

// Heights are relative to the bottom of a grid, so 0 may become a nanometre.
static double clean(float metres) {
    return fabsf(metres) < 1e-5f ? 0 : (double)metres;
}

static const char *state_name(const behavior_world *world, uint32_t state) {
    const char *name = tr_behavior_def_of(world->machine.machine)->states[state].name;
    return name ? name : "";
}

static double plan_seconds(const behavior_world *world, const tr_behavior_plan *plan) {
    return plan->action_count ? behavior_seconds(world, plan->end_frame - plan->actions[0].frame) : 0;
}

static void print_answer(const route_request *request, const behavior_world *world,
                         const behavior_answer *answer) {
    const tr_behavior_plan *plan = &answer->plan;
    printf("%-10s %s%s%s\n", "status", behavior_status_name(answer->status), answer->reason[0] ? ": " : "",
           answer->reason);
    if (answer->status != TR_NOT_FOUND) {
        printf("%-10s %u behaviors, %.1f m, %.1f s, cost %.2f\n", "plan", plan->action_count,
               behavior_length(plan), plan_seconds(world, plan), plan->cost);
        for (uint32_t i = 0; i < plan->action_count; i++) {
            const tr_behavior_action *action = &plan->actions[i];
            printf("%-10s %7.2f s  %8.2f %6.2f %8.2f  %5.0f  %s\n", "",
                   behavior_seconds(world, action->frame), (double)action->position.x, (double)action->height,
                   (double)action->position.z, degrees(action->heading), state_name(world, action->state));
        }
        printf("%-10s %7.2f s  %8.2f %6.2f %8.2f  %5.0f\n", "end", behavior_seconds(world, plan->end_frame),
               (double)plan->end.x, clean(tr_behavior_map_height(world->map, plan->end)), (double)plan->end.z,
               degrees(plan->end_heading));
    }
    printf("%-10s %u nodes, %" PRIu64 " expanded, %" PRIu64 " moves tested, %.2f ms\n",
           request->search ? request->search : "astar", answer->result.nodes, answer->result.expanded,
           answer->result.tests, answer->search_us / 1000);
}

void behavior_print(const route_request *request, const behavior_world *world,
                    const behavior_answer *answers) {
    const tr_grid *grid = tr_behavior_map_grid(world->map);
    const char *machine = tr_behavior_def_of(world->machine.machine)->name;
    printf("%-10s %s, %u x %u cells of %g m, map built in %.1f ms\n", "scene", world->name, grid->columns,
           grid->rows, (double)grid->cell, world->build_us / 1000);
    printf("%-10s %s\n", "machine", machine ? machine : request->behaviors.machine);
    for (uint32_t i = 0; i < request->orders.count; i++)
        print_answer(request, world, &answers[i]);
}

static void write_point(tr_json_writer *json, const char *key, float x, float y, float z) {
    if (key)
        tr_json_write_key(json, key);
    tr_json_write_array(json);
    tr_json_write_float(json, x);
    tr_json_write_float(json, y);
    tr_json_write_float(json, z);
    tr_json_write_end(json);
}

static void write_points(tr_json_writer *json, const behavior_world *world, const tr_behavior_plan *plan) {
    tr_json_write_key(json, "points");
    tr_json_write_array(json);
    for (uint32_t i = 0; i < plan->action_count; i++)
        write_point(json, NULL, plan->actions[i].position.x, (float)clean(plan->actions[i].height),
                    plan->actions[i].position.z);
    if (plan->action_count)
        write_point(json, NULL, plan->end.x, (float)clean(tr_behavior_map_height(world->map, plan->end)),
                    plan->end.z);
    tr_json_write_end(json);
}

static void write_actions(tr_json_writer *json, const behavior_world *world, const tr_behavior_plan *plan) {
    const tr_behavior_def *machine = tr_behavior_def_of(world->machine.machine);
    tr_json_write_key(json, "actions");
    tr_json_write_array(json);
    for (uint32_t i = 0; i < plan->action_count; i++) {
        const tr_behavior_action *action = &plan->actions[i];
        tr_json_write_object(json);
        json_field_text(json, "state", state_name(world, action->state));
        json_field_count(json, "move", action->move);
        json_field_number(json, "parameter",
                          machine->states[action->state].parametrised ? (double)action->parameter
                                                                      : (double)NAN);
        json_field_count(json, "frame", action->frame);
        json_field_number(json, "seconds", behavior_seconds(world, action->frame));
        write_point(json, "position", action->position.x, (float)clean(action->height), action->position.z);
        json_field_number(json, "heading_degrees", degrees(action->heading));
        json_field_number(json, "cost", action->cost);
        tr_json_write_end(json);
    }
    tr_json_write_end(json);
}

static void write_answer(tr_json_writer *json, const behavior_world *world, const behavior_answer *answer) {
    static const tr_behavior_plan none = {.action_count = 0};
    bool found = answer->status != TR_NOT_FOUND;
    const tr_behavior_plan *plan = found ? &answer->plan : &none;
    json_field_text(json, "status", behavior_status_name(answer->status));
    json_field_text(json, "reason", answer->reason[0] ? answer->reason : NULL);
    json_field_number(json, "length", found ? behavior_length(plan) : (double)NAN);
    json_field_number(json, "seconds", found ? plan_seconds(world, plan) : (double)NAN);
    json_field_number(json, "cost", found ? plan->cost : (double)NAN);
    write_points(json, world, plan);
    write_actions(json, world, plan);
    json_field_count(json, "nodes", answer->result.nodes);
    json_field_count(json, "expanded", answer->result.expanded);
    json_field_count(json, "tests", answer->result.tests);
    json_field_number(json, "search_us", answer->search_us);
}

tr_status behavior_print_json(const route_request *request, const behavior_world *world,
                              const behavior_answer *answers, tr_error *error) {
    const behavior_options *options = &request->behaviors;
    tr_json_writer json = tr_json_writer_begin(NULL);
    tr_json_write_object(&json);
    if (request->orders.count == 1)
        write_answer(&json, world, answers);
    else {
        tr_json_write_key(&json, "routes");
        tr_json_write_array(&json);
        for (uint32_t i = 0; i < request->orders.count; i++) {
            tr_json_write_object(&json);
            write_answer(&json, world, &answers[i]);
            tr_json_write_end(&json);
        }
        tr_json_write_end(&json);
    }
    json_field_text(&json, "scene", world->name);
    json_field_text(&json, "machine", options->machine);
    json_field_text(&json, "search", request->search ? request->search : "astar");
    json_field_text(&json, "heuristic", options->heuristic);
    json_field_number(&json, "inflation", options->inflation);
    json_field_number(&json, "depart", options->depart);
    json_field_grid(&json, "grid", tr_behavior_map_grid(world->map));
    json_field_number(&json, "project_us", world->build_us);
    tr_json_write_end(&json);
    return json_print(&json, error);
}
