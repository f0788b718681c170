// troupe route: the shortest way of a body through a scene, or over a map of the Moving AI Lab.
#include "cli/route.h"
#include "cli/commands.h"
#include "cli/progress.h"
#include "troupe/io/picture.h"

#include <stdio.h>

enum {
    OPTION_MAP = SCENE_OPTION_COUNT,
    OPTION_SCEN,
    OPTION_FROM,
    OPTION_TO,
    OPTION_PAIRS,
    OPTION_SEARCH,
    OPTION_METRIC,
    OPTION_NEIGHBOURS,
    OPTION_CUT_CORNERS,
    OPTION_REACH,
    OPTION_BUDGET,
    OPTION_PNG,
    OPTION_PIXELS,
    OPTION_JSON,
    OPTION_COUNT
};
static const argument_option options[OPTION_COUNT] = {
    SCENE_OPTIONS("the y of the first start, else 0"),
    [OPTION_MAP] = {"--map", 0, "FILE.map", "or a grid map of the Moving AI Lab"},
    [OPTION_SCEN] = {"--scen", 0, "FILE.scen", "check all optimal lengths of its scenario"},
    [OPTION_FROM] = {"--from", 0, "X,Y,Z", "where a route begins [m]; X,Z will do; COLUMN,ROW with --map"},
    [OPTION_TO] = {"--to", 0, "X,Y,Z", "where it ends; of several the nearest"},
    [OPTION_PAIRS] = {"--pairs", 0, "FILE.csv", "many routes: columns sx,sy,sz,ex,ey,ez"},
    [OPTION_SEARCH] = {"--search", 0, "dijkstra|astar|jps", "how it is found (astar)"},
    [OPTION_METRIC] = {"--metric", 0, "true|paper", "a diagonal step is sqrt 2, or 1.4 (true)"},
    [OPTION_NEIGHBOURS] = {"--neighbours", 0, "4|8", "of a cell (8)"},
    [OPTION_CUT_CORNERS] = {"--cut-corners", 0, NULL, "a diagonal step may pass one blocked cell"},
    [OPTION_REACH] = {"--reach", 0, "M", "how far a blocked start or goal is moved [m] (1)"},
    [OPTION_BUDGET] = {"--budget", 0, "N", "stop after so many expansions with the best path so far"},
    [OPTION_PNG] = {"--png", 0, "FILE", "draw map, search and routes"},
    [OPTION_PIXELS] = {"--pixels", 0, "N", "of each cell in the picture (about 900 in all)"},
    [OPTION_JSON] = {"--json", 0, NULL, "print one JSON document and nothing else"},
};

static bool read_point(route_request *request, int option, const char *value) {
    double numbers[3];
    uint32_t count;
    if (!arguments_list(options[option].name, value, 2, 3, numbers, &count))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!(numbers[i] >= -1e7 && numbers[i] <= 1e7)) {
            command_complain("%s is %s: each number must be within 1e7 of 0", options[option].name, value);
            return false;
        }
    route_point point = {numbers[0], count == 3 ? numbers[1] : 0, numbers[count - 1], count == 3};
    if (option == OPTION_FROM ? route_orders_add_start(&request->orders, point)
                              : route_orders_add_goal(&request->orders, point))
        return true;
    command_complain("no memory for so many routes");
    return false;
}

static bool read_search_option(route_request *request, int option, const char *value) {
    static const char *const methods[] = {"dijkstra", "astar", "jps"}, *const metrics[] = {"true", "paper"},
                             *const neighbours[] = {"4", "8"};
    uint32_t word = 0;
    double reach = 0;
    bool right = false;
    switch (option) {
    case OPTION_SEARCH:
        right = arguments_word("--search", value, methods, 3, &word);
        request->params.method = (tr_route_method)word;
        return right;
    case OPTION_METRIC:
        right = arguments_word("--metric", value, metrics, 2, &word);
        request->params.metric = (tr_route_metric)word;
        return right;
    case OPTION_NEIGHBOURS:
        right = arguments_word("--neighbours", value, neighbours, 2, &word);
        request->params.neighbours = word == 0 ? 4 : 8;
        return right;
    case OPTION_REACH:
        right = arguments_number("--reach", value, 0, 1e6, &reach);
        request->params.reach = (float)reach;
        return right;
    case OPTION_BUDGET:
        return arguments_integer("--budget", value, 1, UINT64_MAX, &request->params.budget.expansions);
    }
    return false;
}

static bool read_option(route_request *request, int option, const char *value) {
    switch (option) {
    case OPTION_MAP:
        request->map_path = value;
        return true;
    case OPTION_SCEN:
        request->scenario_path = value;
        return true;
    case OPTION_PAIRS:
        request->pairs_path = value;
        return true;
    case OPTION_PNG:
        request->png = value;
        return true;
    case OPTION_FROM:
    case OPTION_TO:
        return read_point(request, option, value);
    case OPTION_PIXELS:
        return arguments_integer("--pixels", value, 1, TR_MAP_CELL_PIXELS_MAX, &request->pixels);
    case OPTION_CUT_CORNERS:
        return request->params.cut_corners = true;
    case OPTION_JSON:
        return request->json = true;
    case ARGUMENT_HELP:
        return request->help = true;
    case ARGUMENT_PLAIN:
        command_complain("route takes no \"%s\"; see troupe route --help", value);
        return false;
    }
    if (option >= 0 && option < SCENE_OPTION_COUNT)
        return scene_options_read(&request->scene, option, value);
    return read_search_option(request, option, value);
}

// A map has no bodies, and its cells are its own.
static bool check_map(const route_request *request) {
    for (int i = 0; i < SCENE_OPTION_COUNT; i++)
        if (request->scene.given >> i & 1) {
            if (i == SCENE_OPTION_SCENE || i == SCENE_OPTION_SAMPLE)
                command_complain("route needs one of --scene FILE, --sample NAME and --map FILE.map");
            else
                command_complain("%s belongs to --scene and --sample, a map has cells of its own",
                                 options[i].name);
            return false;
        }
    return true;
}

static bool check_scenario(const route_request *request) {
    const tr_route_params *params = &request->params;
    if (!request->map_path)
        command_complain("--scen belongs to --map");
    else if (request->orders.count > 0 || request->pairs_path || request->png)
        command_complain("--scen has routes of its own: --from, --to, --pairs and --png cannot be given");
    else if (params->metric != TR_ROUTE_TRUE || params->neighbours != 8 || params->cut_corners)
        command_complain(
            "the lengths of a scenario are for --metric true, --neighbours 8 and no corners cut");
    else if (params->budget.expansions)
        command_complain("--budget and --scen cannot both be given: a length that is cut short says nothing");
    else
        return true;
    return false;
}

static bool check_orders(const route_request *request) {
    const route_orders *orders = &request->orders;
    if (request->pairs_path) {
        if (orders->count > 0)
            command_complain("--pairs has routes of its own: --from and --to cannot be given");
        return orders->count == 0;
    }
    if (orders->count == 0)
        command_complain("route needs --from X,Y,Z and --to X,Y,Z%s",
                         request->map_path ? ", --pairs FILE.csv or --scen FILE.scen"
                                           : " or --pairs FILE.csv");
    for (uint32_t i = 0; i < orders->count; i++) {
        const route_order *order = &orders->orders[i];
        if (order->has_from && order->goal_count > 0)
            continue;
        if (order->has_from)
            command_complain("no --to follows --from %g,%g,%g", order->from.x, order->from.y, order->from.z);
        else
            command_complain("--to is given without --from");
        return false;
    }
    return orders->count > 0;
}

static bool check_request(const route_request *request) {
    if (!request->map_path && !request->scenario_path && !request->scene.path &&
        !request->scene.sample.name) {
        command_complain("route needs one of --scene FILE, --sample NAME and --map FILE.map");
        return false;
    }
    if (request->pixels && !request->png) {
        command_complain("--pixels belongs to --png");
        return false;
    }
    if (request->map_path && !check_map(request))
        return false;
    if (request->scenario_path)
        return check_scenario(request);
    return (request->map_path || scene_options_check(&request->scene, "route")) && check_orders(request);
}

// The level that the bodies walk on is where the first of them stands, if nobody says otherwise.
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
        options, OPTION_COUNT,
        "Each --from begins the route of another character, each --to after it is one of its goals.\n"
        "The ground is level: y says where the body stands, and what it meets there is what is in the way.\n"
        "With --map, points are column,row: whole numbers at the centres of the cells, 0,0 the first.\n"
        "--scen prints how many lengths agree with the file, and fails when one does not.\n"
        "Exit status: 0 found, or partial when the budget ran out; 1 no path; 2 bad usage or input.");
}

static int execute(route_request *request) {
    if (request->help) {
        print_help();
        return COMMAND_DONE;
    }
    if (!check_request(request))
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
    route_request request = {.scene = scene_options_default(), .params = tr_route_params_default()};
    argument_reader reader = arguments_begin(count, arguments, options, OPTION_COUNT);
    const char *value;
    int status = COMMAND_DONE;
    for (int option; status == COMMAND_DONE && (option = arguments_next(&reader, &value)) != ARGUMENT_END;)
        if (!read_option(&request, option, value))
            status = COMMAND_BAD;
    if (status == COMMAND_DONE)
        status = execute(&request);
    route_orders_free(&request.orders);
    return status;
}
