// troupe route: finds the shortest path of a body through a scene or over a map of the Moving AI Lab.
#include "cli/commands.h"
#include "cli/json_fields.h"
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

// `answers` is NULL when none is kept, `pairs` when none is printed at once.
static tr_status find_all(const route_request *request, route_world *world, route_answer *answers,
                          tr_json_writer *pairs, route_tally *tally, tr_error *error) {
    bool strict = !request->pairs_path;
    tr_status status = TR_OK;
    progress_bar bar = progress_begin("troupe route", request->orders.count);
    for (uint32_t i = 0; status == TR_OK && i < request->orders.count; i++) {
        route_answer one = {.cells = NULL}, *answer = answers ? &answers[i] : &one;
        status = route_answer_find(request, world, &request->orders.orders[i], strict, answer, error);
        if (status == TR_OK)
            route_tally_add(tally, answer->status, answer->search_us);
        if (status == TR_OK && pairs)
            route_print_pair(pairs, request, world, answer);
        if (!answers)
            route_answer_free(answer);
        progress_step(&bar, i);
    }
    progress_end(&bar);
    return status;
}

// Of many pairs each is printed and forgotten, so that memory does not grow with their paths; a picture needs
// all of them.
static tr_status answer_orders(const route_request *request, route_world *world, route_tally *tally,
                               tr_error *error) {
    tr_allocator allocator = tr_allocator_default();
    bool pairs = request->pairs_path != NULL, keeps = !pairs || request->png;
    uint32_t count = keeps ? request->orders.count : 0;
    route_answer *answers = keeps ? tr_allocate_zero(&allocator, count, sizeof *answers) : NULL;
    if (keeps && !answers)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for %u routes", count);
    tr_json_writer writer = route_print_begin();
    tr_status status =
        find_all(request, world, answers, pairs && request->json ? &writer : NULL, tally, error);
    if (status == TR_OK && request->png)
        status = route_draw(request, world, answers, error);
    if (status == TR_OK && !request->json)
        route_print_table(request, world, answers, tally);
    else if (status == TR_OK)
        status = pairs ? route_print_end(&writer, request, world, tally, error)
                       : route_print_json(request, world, answers, tally, error);
    json_drop(&writer);
    for (uint32_t i = 0; i < count; i++)
        route_answer_free(&answers[i]);
    tr_release(&allocator, answers, count, sizeof *answers);
    return status;
}

static tr_status run(route_request *request, route_world *world, bool *succeeded, tr_error *error) {
    tr_status status = TR_OK;
    if (request->pairs_path)
        status = route_orders_read_pairs(request->pairs_path, &request->orders, error);
    if (request->planner == ROUTE_BEHAVIORS)
        return status == TR_OK ? route_behaviors_run(request, succeeded, error) : status;
    if (request->planner != ROUTE_LEVEL)
        return status == TR_OK ? route_surface_run(request, succeeded, error) : status;
    choose_ground(request);
    if (status == TR_OK)
        status = route_world_create(request, world, error);
    if (status != TR_OK)
        return status;
    if (request->scenario_path)
        return route_check_scenario(request, world, succeeded, error);
    route_tally tally = {.count = 0};
    status = answer_orders(request, world, &tally, error);
    *succeeded = tally.unanswered == 0;
    return status;
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
        "--behaviors plans jogs, turns, jumps and whatever else the machine can do, in a scene that may "
        "move.\n"
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
                             .surface = surface_options_default(),
                             .behaviors = behavior_options_default()};
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
