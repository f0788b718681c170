// troupe route: finds the shortest path of a body through a scene or over a map of the Moving AI Lab.
#include "cli/commands.h"
#include "cli/progress.h"
#include "route_options.h"

// Unless --ground is given, the bodies walk at the height of the first start.
static void choose_ground(route_request *request) {
    const route_orders *orders = &request->orders;
    scene_options *scene = &request->scene;
    if (scene->path && !scene->has_ground && orders->count > 0 && orders->orders[0].from.has_height) {
        scene->has_ground = true;
        scene->ground = orders->orders[0].from.y;
    }
}

static tr_status find_all(route_request *request, route_world *world, route_answer *answers,
                          tr_error *error) {
    bool strict = !request->pairs_path;
    tr_status status = TR_OK;
    progress_bar bar = progress_begin("troupe route", request->orders.count);
    for (uint32_t i = 0; status == TR_OK && i < request->orders.count; i++) {
        status = route_answer_find(request, world, &request->orders.orders[i], strict, &answers[i], error);
        progress_step(&bar, i);
    }
    progress_end(&bar);
    return status;
}

static tr_status answer_orders(route_request *request, route_world *world, bool *all_found, tr_error *error) {
    tr_allocator allocator = tr_allocator_default();
    uint32_t count = request->orders.count;
    route_answer *answers = tr_allocate_zero(&allocator, count, sizeof *answers);
    if (!answers)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for %u routes", count);
    tr_status status = find_all(request, world, answers, error);
    if (status == TR_OK && request->png)
        status = route_draw(request, world, answers, error);
    for (uint32_t i = 0; status == TR_OK && i < count; i++)
        *all_found = *all_found && (answers[i].status == TR_OK || answers[i].status == TR_PARTIAL);
    if (status == TR_OK && request->json)
        status = route_print_json(request, world, answers, error);
    else if (status == TR_OK)
        route_print_table(request, world, answers);
    for (uint32_t i = 0; i < count; i++)
        route_answer_free(&answers[i]);
    tr_release(&allocator, answers, count, sizeof *answers);
    return status;
}

static tr_status run(route_request *request, route_world *world, bool *succeeded, tr_error *error) {
    tr_status status = TR_OK;
    if (request->pairs_path)
        status = route_orders_read_pairs(request->pairs_path, &request->orders, error);
    if (request->planner != ROUTE_LEVEL)
        return status == TR_OK ? route_surface_run(request, succeeded, error) : status;
    choose_ground(request);
    if (status == TR_OK)
        status = route_world_create(request, world, error);
    if (status != TR_OK)
        return status;
    *succeeded = true;
    return request->scenario_path ? route_check_scenario(request, world, succeeded, error)
                                  : answer_orders(request, world, succeeded, error);
}

static void print_help(void) {
    arguments_print_help(
        "troupe route (--scene FILE | --sample NAME | --map FILE.map) --from X,Y,Z --to X,Y,Z ... [OPTIONS]",
        route_options, ROUTE_OPTION_COUNT,
        "Each --from begins the route of another character; each --to after it adds a goal for that "
        "character.\n"
        "The path leads up stairs, over gaps, under arches and from storey to storey, as an actor of a "
        "stage\n"
        "walks. A start or goal in mid-air drops onto the floor below it. A point X,Z without a height is\n"
        "placed on the highest ground there.\n"
        "--search dijkstra, astar or jps, and --band, --ground, --growth, --metric, --neighbours and\n"
        "--cut-corners search a map of level ground instead. Y is then the height at which the body stands,\n"
        "and everything that touches the body there is an obstacle.\n"
        "With --map, points are COLUMN,ROW: whole numbers at the centres of the cells, 0,0 is the first "
        "cell.\n"
        "--scen prints how many lengths agree with the file, and fails if one does not.\n"
        "Exit status: 0 found, or partial when the budget ran out; 1 no path; 2 bad usage or input.");
}

static int execute(route_request *request) {
    if (request->help) {
        print_help();
        return COMMAND_DONE;
    }
    if (!route_options_check(request))
        return COMMAND_BAD;
    route_world world = {.name = NULL};
    tr_error error = {0};
    bool succeeded = false;
    tr_status status = run(request, &world, &succeeded, &error);
    route_world_destroy(&world);
    if (status != TR_OK)
        return command_complain_of(&error);
    return succeeded ? COMMAND_DONE : COMMAND_FAILED;
}

int command_route(int count, char **arguments) {
    route_request request = {.scene = scene_options_default(),
                             .params = tr_route_params_default(),
                             .surface = surface_options_default()};
    argument_reader reader = arguments_begin(count, arguments, route_options, ROUTE_OPTION_COUNT);
    const char *value;
    int status = COMMAND_DONE;
    for (int option; status == COMMAND_DONE && (option = arguments_next(&reader, &value)) != ARGUMENT_END;)
        if (!route_option_read(&request, option, value))
            status = COMMAND_BAD;
    if (status == COMMAND_DONE)
        status = execute(&request);
    route_orders_free(&request.orders);
    return status;
}
