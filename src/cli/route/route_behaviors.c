// troupe route --behaviors: plans what characters do, one after the other; each minds those before it.
#include "route_behaviors.h"
#include "cli/commands.h"
#include "cli/progress.h"
#include "route_options.h"
#include "troupe/base/clock.h"
#include "troupe/base/scalar.h"
#include "troupe/world/surface.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CELLS_IN_RADIUS 6      // by default,
#define CELLS_DEFAULT_MOST 800 // but not more than this many on the longer side
#define NODES_MAX (1u << 20)
#define SECONDS_AHEAD 120.0 // that motions of objects are known, after the characters set out

// --- Options ---

behavior_options behavior_options_default(void) {
    behavior_options options = {
        .inflation = (double)NAN, .tolerance = 0.5, .moment = (double)NAN, .heading = (double)NAN};
    return options;
}

bool route_behavior_option_read(route_request *request, int option, const char *value) {
    behavior_options *options = &request->behaviors;
    options->given = option == OPTION_BEHAVIORS ? options->given : option;
    switch (option) {
    case OPTION_BEHAVIORS:
        options->machine = value;
        return true;
    case OPTION_INFLATION:
        return arguments_number("--inflation", value, 1, 1000, &options->inflation);
    case OPTION_HEURISTIC:
        options->heuristic = value;
        return true;
    case OPTION_TOLERANCE:
        return arguments_number("--tolerance", value, 0.01, 100, &options->tolerance);
    case OPTION_HEADING:
        return arguments_number("--heading", value, -360, 360, &options->heading);
    case OPTION_DEPART:
        return arguments_number("--depart", value, 0, 600, &options->depart);
    case OPTION_MOMENT:
        return arguments_number("--moment", value, 0, 1000, &options->moment);
    case OPTION_AS_WRITTEN:
        return options->as_written = true;
    case OPTION_WEIGHT:
        if (options->weight_count == ROUTE_WEIGHTS_MAX) {
            command_complain("--weight is given more than %d times", ROUTE_WEIGHTS_MAX);
            return false;
        }
        options->weights[options->weight_count++] = value;
        return true;
    }
    return false;
}

// A sample scene knows a start and a goal.
static bool take_places_of_sample(route_request *request) {
    tr_sample sample;
    tr_error error = {0};
    if (tr_sample_make(&request->scene.sample, &sample, &error) != TR_OK) {
        command_complain_of(&error);
        return false;
    }
    tr_vec3 a = sample.start, b = sample.goal;
    tr_scene_destroy(sample.scene);
    if (a.x == b.x && a.z == b.z)
        return true;
    return route_orders_add_start(&request->orders,
                                  (route_point){(double)a.x, (double)a.y, (double)a.z, true}) &&
           route_orders_add_goal(&request->orders,
                                 (route_point){(double)b.x, (double)b.y, (double)b.z, true});
}

static bool uses_tree(const route_request *request) {
    return request->search && strcmp(request->search, "tree") == 0;
}

// What serves the planner that was asked for.
static void fill_options(route_request *request) {
    behavior_options *options = &request->behaviors;
    if (isnan(options->inflation))
        options->inflation = uses_tree(request) ? 2 : 1;
    if (!options->heuristic)
        options->heuristic = uses_tree(request) ? "field" : "straight";
}

bool route_behavior_options_check(route_request *request) {
    static const char *const methods[] = {"astar", "truncated", "tree"}, *const heuristics[] = {"straight",
                                                                                                "field"};
    const uint32_t others = 1u << SCENE_OPTION_BAND | 1u << SCENE_OPTION_GROUND | 1u << SCENE_OPTION_GROWTH |
                            1u << SCENE_OPTION_BODY;
    uint32_t word = 0;
    if (request->search && !arguments_word("--search", request->search, methods, 3, &word))
        return false;
    if (request->behaviors.heuristic &&
        !arguments_word("--heuristic", request->behaviors.heuristic, heuristics, 2, &word))
        return false;
    if (request->surface.given || request->surface.asked || request->has_neighbours || request->has_reach ||
        request->params.cut_corners || request->params.metric != TR_ROUTE_TRUE || request->map_path ||
        request->scenario_path || request->pairs_path || (request->scene.given & others)) {
        command_complain(
            "--behaviors plans with the body and the bands of its machine: options for other planners "
            "cannot be given with it, nor --map, --scen and --pairs");
        return false;
    }
    if (uses_tree(request) && request->behaviors.as_written) {
        command_complain("--as-written cannot be used with --search tree");
        return false;
    }
    if (!isnan(request->behaviors.moment) && !request->png) {
        command_complain("--moment requires --png");
        return false;
    }
    fill_options(request);
    if (request->orders.count == 0 && request->scene.sample.name && !take_places_of_sample(request))
        return false;
    return scene_options_check(&request->scene, "route") && route_orders_check(request);
}

// --- The world ---

uint32_t behavior_frame(const behavior_world *world, double seconds) {
    return (uint32_t)(seconds * tr_behavior_def_of(world->machine.machine)->frames_per_second + 0.5);
}

double behavior_seconds(const behavior_world *world, double frame) {
    return frame / tr_behavior_def_of(world->machine.machine)->frames_per_second;
}

static tr_status load_machine(const route_request *request, behavior_world *world, tr_error *error) {
    tr_status status = behaviors_load(request->behaviors.machine, 0, &world->machine, error);
    for (uint32_t i = 0; i < request->behaviors.weight_count && status == TR_OK; i++)
        if (!behaviors_set_weight(&world->machine, request->behaviors.weights[i], error))
            status = error->message[0] ? error->status
                                       : tr_fail(error, TR_INVALID, "--weight %s cannot be used",
                                                 request->behaviors.weights[i]);
    return status;
}

static tr_status choose_grid(const route_request *request, const behavior_world *world, tr_grid *grid,
                             tr_error *error) {
    const scene_options *options = &request->scene;
    tr_box box = world->scene.sample.ground;
    if (options->has_area) {
        box.min.x = (float)options->area[0], box.min.z = (float)options->area[1];
        box.max.x = (float)options->area[2], box.max.z = (float)options->area[3];
    }
    double longer = fmax((double)(box.max.x - box.min.x), (double)(box.max.z - box.min.z));
    double radius = (double)tr_behavior_def_of(world->machine.machine)->radius;
    double cell = options->cell > 0    ? options->cell
                  : options->cells > 0 ? longer / (double)options->cells
                                       : fmax(radius / CELLS_IN_RADIUS, longer / CELLS_DEFAULT_MOST);
    return tr_grid_cover(box, (float)cell, 0, 0, grid, error);
}

// The floor under each start.
static tr_status find_floors(const route_request *request, behavior_world *world, tr_error *error) {
    uint32_t count = request->orders.count;
    float top = tr_scene_bounds(world->scene.sample.scene).max.y + 1;
    world->floors = malloc(count * sizeof *world->floors);
    if (!world->floors)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for %u characters", count);
    for (uint32_t i = 0; i < count; i++) {
        const route_point *from = &request->orders.orders[i].from;
        tr_vec3 start = {(float)from->x, from->has_height ? (float)from->y + 0.05f : top, (float)from->z};
        tr_surface_hit hit;
        if (!tr_surface_look(world->scene.sample.scene, start, false, &hit))
            return tr_fail(error, TR_NOT_FOUND, "there is no floor below the start (%g, %g, %g)", from->x,
                           from->y, from->z);
        world->floors[i] = tr_vec3_make(start.x, hit.height, start.z);
    }
    return TR_OK;
}

static tr_status build_map(const route_request *request, behavior_world *world, tr_error *error) {
    tr_behavior_scene from = {
        .scene = world->scene.sample.scene, .floors = world->floors, .floor_count = request->orders.count};
    uint64_t begin = tr_clock_nanoseconds();
    from.raster = world->scene.raster;
    tr_status status = tr_behavior_map_build(world->map, &from, error);
    if (status != TR_OK && scene_job_falls_back(&request->scene, status)) {
        status = scene_job_take_soft(&world->scene, error);
        from.raster = world->scene.raster;
        if (status == TR_OK)
            status = tr_behavior_map_build(world->map, &from, error);
    }
    world->build_us = microseconds_since(begin);
    return status;
}

static tr_status make_tree(behavior_world *world, tr_error *error) {
    tr_behavior_tree_def def = {.behavior = world->machine.machine};
    uint64_t begin = tr_clock_nanoseconds();
    tr_status status = tr_behavior_tree_create(&def, &world->tree, error);
    world->tree_us = microseconds_since(begin);
    if (status == TR_OK)
        status =
            tr_behavior_tree_reserve(world->tree, world->search, world->map, TR_BEHAVIOR_GOALS_MAX, error);
    return status;
}

static tr_status create_world(const route_request *request, behavior_world *world, tr_error *error) {
    tr_behavior_map_def def = {.seconds = request->behaviors.depart + SECONDS_AHEAD};
    world->name = scene_options_name(&request->scene);
    tr_status status = load_machine(request, world, error);
    if (status == TR_OK)
        status = scene_job_load(&request->scene, &world->scene, error);
    if (status == TR_OK)
        status = scene_job_create_raster(&request->scene, &world->scene, error);
    if (status == TR_OK)
        status = choose_grid(request, world, &def.grid, error);
    if (status == TR_OK)
        status = find_floors(request, world, error);
    def.behavior = world->machine.machine;
    if (status == TR_OK)
        status = tr_behavior_map_create(&def, &world->map, error);
    if (status == TR_OK)
        status = build_map(request, world, error);
    if (status == TR_OK)
        status = tr_behavior_search_create(NULL, NODES_MAX, &world->search, error);
    if (status == TR_OK)
        status = tr_behavior_search_reserve(world->search, world->machine.machine, world->map,
                                            TR_BEHAVIOR_GOALS_MAX, error);
    if (status == TR_OK && uses_tree(request))
        status = make_tree(world, error);
    return status;
}

static void destroy_world(behavior_world *world) {
    tr_behavior_tree_destroy(world->tree);
    tr_behavior_search_destroy(world->search);
    tr_behavior_map_destroy(world->map);
    scene_job_destroy(&world->scene);
    behaviors_destroy(&world->machine);
    free(world->floors);
}

// --- Plans ---

static bool is_plan(tr_status status) {
    return status == TR_OK || status == TR_PARTIAL || status == TR_LIMIT;
}

const char *behavior_status_name(tr_status status) {
    return status == TR_OK ? "ok" : is_plan(status) ? "partial" : "no_path";
}

double behavior_length(const tr_behavior_plan *plan) {
    double length = 0;
    for (uint32_t i = 0; i < plan->action_count; i++) {
        tr_vec2 next = i + 1 < plan->action_count ? plan->actions[i + 1].position : plan->end;
        length += (double)tr_vec2_length(tr_vec2_subtract(next, plan->actions[i].position));
    }
    return length;
}

static tr_behavior_query make_query(const route_request *request, const behavior_world *world, uint32_t index,
                                    tr_vec2 *goals) {
    const behavior_options *options = &request->behaviors;
    const route_order *order = &request->orders.orders[index];
    tr_behavior_query query = tr_behavior_query_default();
    for (uint32_t i = 0; i < order->goal_count; i++) {
        const route_point *goal = &request->orders.goals[order->first_goal + i];
        goals[i] = tr_vec2_make((float)goal->x, (float)goal->z);
    }
    query.start = tr_vec3_from_above(world->floors[index]);
    tr_vec2 ahead = tr_vec2_subtract(goals[0], query.start);
    query.heading = isnan(options->heading) ? (float)tr_arc_tangent((double)ahead.x, (double)ahead.z)
                                            : (float)(options->heading * TR_PI / 180);
    query.frame = behavior_frame(world, options->depart);
    query.goals = goals;
    query.goal_count = order->goal_count;
    query.tolerance = (float)options->tolerance;
    query.inflation = (float)options->inflation;
    query.method = request->search && strcmp(request->search, "truncated") == 0 ? TR_BEHAVIOR_TRUNCATED
                                                                                : TR_BEHAVIOR_ASTAR;
    query.heuristic = strcmp(options->heuristic, "field") == 0 ? TR_BEHAVIOR_FIELD : TR_BEHAVIOR_STRAIGHT;
    query.as_written = options->as_written;
    query.budget = request->params.budget;
    return query;
}

// The other characters mind this one.
static tr_status commit(behavior_world *world, uint32_t index, const behavior_answer *answer,
                        tr_error *error) {
    const tr_behavior *machine = world->machine.machine;
    tr_behavior_spot still = {answer->start.x, answer->start.z, 0}, *spots = &still;
    float radius = tr_behavior_def_of(machine)->radius;
    uint32_t count = 1;
    if (!is_plan(answer->status) || answer->plan.action_count == 0)
        return tr_behavior_map_commit(world->map, index, &still, 1, radius, error);
    tr_behavior_plan_spots(machine, &answer->plan, &still, 0, &count);
    spots = malloc(count * sizeof *spots);
    if (!spots)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a plan");
    tr_status status = tr_behavior_plan_spots(machine, &answer->plan, spots, count, &count);
    if (status == TR_OK)
        status = tr_behavior_map_commit(world->map, index, spots, count, radius, error);
    free(spots);
    return status;
}

// The tree of the first moves, placed at the start: after a place for the start itself.
static void keep_placed(const behavior_world *world, const tr_behavior_query *query,
                        behavior_answer *answer) {
    uint32_t label = tr_behavior_def_of(world->machine.machine)->rest, first = answer->place_count;
    double sine, cosine;
    tr_sin_cos((double)query->heading, &sine, &cosine);
    answer->places[answer->place_count++] =
        (tr_behavior_place){.position = query->start, .parent = TR_NONE, .state = TR_NONE};
    for (uint32_t i = 0, count = tr_behavior_tree_places(world->tree, label); i < count; i++) {
        tr_behavior_place *place = &answer->places[answer->place_count++];
        tr_behavior_tree_place(world->tree, label, i, place);
        float x = place->position.x, z = place->position.z;
        place->position.x = query->start.x + x * (float)cosine + z * (float)sine;
        place->position.z = query->start.z + z * (float)cosine - x * (float)sine;
        place->parent = place->parent == TR_NONE ? first : first + 1 + place->parent;
    }
}

// What the picture shows: the tree of the search, and below it the one that was made beforehand.
static bool keep_tree(const behavior_world *world, const tr_behavior_query *query, behavior_answer *answer) {
    uint32_t label = tr_behavior_def_of(world->machine.machine)->rest;
    uint32_t made = world->tree ? tr_behavior_tree_places(world->tree, label) + 1 : 0;
    uint32_t count = tr_behavior_search_places(world->search);
    answer->places = malloc(((size_t)count + made + 1) * sizeof *answer->places);
    if (!answer->places)
        return false;
    if (world->tree)
        keep_placed(world, query, answer);
    for (uint32_t i = 0, first = answer->place_count; i < count; i++) {
        tr_behavior_place *place = &answer->places[answer->place_count++];
        tr_behavior_search_place(world->search, i, place);
        place->parent = place->parent == TR_NONE ? TR_NONE : place->parent + first;
    }
    return true;
}

static tr_status find(const route_request *request, behavior_world *world, uint32_t index,
                      behavior_answer *answer, tr_error *error) {
    tr_vec2 goals[TR_BEHAVIOR_GOALS_MAX];
    tr_error why = {0};
    if (request->orders.orders[index].goal_count > TR_BEHAVIOR_GOALS_MAX)
        return tr_fail(error, TR_LIMIT, "a character can have at most %d goals", TR_BEHAVIOR_GOALS_MAX);
    tr_behavior_query query = make_query(request, world, index, goals);
    answer->start = world->floors[index];
    answer->plan.action_max = BEHAVIOR_ACTIONS_MAX;
    answer->plan.actions = malloc(BEHAVIOR_ACTIONS_MAX * sizeof *answer->plan.actions);
    if (!answer->plan.actions)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a plan");
    uint64_t begin = tr_clock_nanoseconds();
    answer->status = world->tree ? tr_behavior_tree_find(world->tree, world->search, world->map, &query,
                                                         &answer->plan, &answer->result, &why)
                                 : tr_behavior_find(world->search, NULL, world->map, &query, &answer->plan,
                                                    &answer->result, &why);
    answer->search_us = microseconds_since(begin);
    snprintf(answer->reason, sizeof answer->reason, "%s", why.message);
    if (!is_plan(answer->status) && answer->status != TR_NOT_FOUND)
        return tr_fail(error, answer->status, "%s", why.message);
    if (request->png && index == 0 && !keep_tree(world, &query, answer))
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a picture of the search");
    return index + 1 < request->orders.count ? commit(world, index, answer, error) : TR_OK;
}

tr_status route_behaviors_run(route_request *request, bool *succeeded, tr_error *error) {
    behavior_world world = {.name = NULL};
    uint32_t count = request->orders.count;
    behavior_answer *answers = calloc(count, sizeof *answers);
    tr_status status = answers ? create_world(request, &world, error)
                               : tr_fail(error, TR_OUT_OF_MEMORY, "no memory for %u plans", count);
    progress_bar bar = progress_begin("troupe route", count);
    *succeeded = true;
    for (uint32_t i = 0; i < count && status == TR_OK; i++) {
        status = find(request, &world, i, &answers[i], error);
        *succeeded &= is_plan(answers[i].status);
        progress_step(&bar, i);
    }
    progress_end(&bar);
    if (status == TR_OK && request->png)
        status = behavior_draw(request, &world, answers, error);
    if (status == TR_OK && request->json)
        status = behavior_print_json(request, &world, answers, error);
    else if (status == TR_OK)
        behavior_print(request, &world, answers);
    for (uint32_t i = 0; i < count && answers; i++) {
        free(answers[i].plan.actions);
        free(answers[i].places);
    }
    free(answers);
    destroy_world(&world);
    return status;
}
