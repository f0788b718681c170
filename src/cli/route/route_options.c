#include "route_options.h"
#include "cli/commands.h"
#include "troupe/io/picture.h"

#include <string.h>

const argument_option route_options[ROUTE_OPTION_COUNT] = {
    SCENE_OPTIONS("the y of the first start, else 0"),
    [OPTION_MAP] = {"--map", 0, "FILE.map", "or a grid map of the Moving AI Lab"},
    [OPTION_SCEN] = {"--scen", 0, "FILE.scen",
                     "check all optimal lengths of its scenario; --json prints the paths, too"},
    [OPTION_FROM] = {"--from", 0, "X,Y,Z", "where a route begins [m]; X,Z will do; COLUMN,ROW with --map"},
    [OPTION_TO] = {"--to", 0, "X,Y,Z", "where it ends; of several the nearest"},
    [OPTION_PAIRS] = {"--pairs", 0, "FILE.csv",
                      "many routes: columns sx,sy,sz,ex,ey,ez; --json prints the points of each"},
    [OPTION_SEARCH] = {"--search", 0, "NAME",
                       "another planner: dijkstra, astar or jps over level ground; with --surface "
                       "flood, astar or effort over its cells"},
    [OPTION_METRIC] = {"--metric", 0, "true|paper", "a diagonal step is sqrt 2, or 1.4 (true)"},
    [OPTION_NEIGHBOURS] = {"--neighbours", 0, "4|8", "of a cell (8)"},
    [OPTION_CUT_CORNERS] = {"--cut-corners", 0, NULL, "a diagonal step may pass one blocked cell"},
    [OPTION_REACH] = {"--reach", 0, "M",
                      "how far a start or goal that is not free is moved [m] (2; 1 with --search)"},
    [OPTION_BUDGET] = {"--budget", 0, "N", "stop after so many expansions with the best path so far"},
    [OPTION_SURFACE] = {"--surface", 0, NULL,
                        "ground with stairs, gaps and storeys: what is usual, but for --search astar"},
    [OPTION_LAYER] = {"--layer", 0, "M", "height of a layer of cells [m] (0.05; 0.1 with --search)"},
    [OPTION_PERSON] = {"--person", 0, "HEIGHT[,RADIUS]",
                       "a person as on a stage (1.75,0.3): keeps 0.05 m more from things, turns its "
                       "shoulders or goes sideways in narrow places, keeps right, goes round hills; "
                       "--body keeps its radius and goes the shortest way"},
    [OPTION_SPAN] = {"--span", 0, "M", "furthest that a foot is put ahead [m] (by the height)"},
    [OPTION_BORDER] = {"--border", 0, "avoid|allow|ignore",
                       "cells beside what cannot be walked on (avoid); another planner, as --search effort"},
    [OPTION_BORDER_CELLS] = {"--border-cells", 0, "4|8",
                             "neighbours that make a cell one of the border (4); likewise"},
    [OPTION_REFINE] = {"--refine", 0, "alternate|every|straight",
                       "how the path is straightened (straight); likewise"},
    [OPTION_EFFORT] = {"--effort", 0, "UP,DOWN",
                       "level metres that a metre up and down is worth (4,1; 0,0 with --body)"},
    [OPTION_DROP] = {"--drop", 0, "M", "how far a start or goal in mid-air falls at most [m] (any)"},
    [OPTION_NO_GUESS] = {"--no-guess", 0, NULL, "small raised patches are ground too, not furniture"},
    [OPTION_LINK] = {"--link", 0, "KIND,X,Y,Z,X,Y,Z[,COST]",
                     "a door, lift, ladder or other way, in both directions"},
    [OPTION_LADDERS] = {"--ladders", 0, NULL, "links that are ladders may be used"},
    [OPTION_FOOTSTEPS] = {"--footsteps", 0, "corners|plan",
                          "where the feet go: the paper's, or the best (plan)"},
    [OPTION_TIMES] = {"--times", 0, NULL, "one after the other, nobody meets: points with times"},
    [OPTION_SPEED] = {"--speed", 0, "M/S", "that they walk at (1.3)"},
    [OPTION_PNG] = {"--png", 0, "FILE", "draw map, search and routes"},
    [OPTION_PIXELS] = {"--pixels", 0, "N", "of each cell in the picture (about 900 in all)"},
    [OPTION_JSON] = {"--json", 0, NULL, "print one JSON document and nothing else"},
};

static bool read_point(route_request *request, int option, const char *value) {
    double numbers[3];
    uint32_t count;
    if (!arguments_list(route_options[option].name, value, 2, 3, numbers, &count))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!(numbers[i] >= -1e7 && numbers[i] <= 1e7)) {
            command_complain("%s is %s: each number must be within 1e7 of 0", route_options[option].name,
                             value);
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
    static const char *const metrics[] = {"true", "paper"}, *const neighbours[] = {"4", "8"};
    uint32_t word = 0;
    double reach = 0;
    bool right = false;
    switch (option) {
    case OPTION_METRIC:
        right = arguments_word("--metric", value, metrics, 2, &word);
        request->params.metric = (tr_route_metric)word;
        return right;
    case OPTION_NEIGHBOURS:
        request->has_neighbours = true;
        right = arguments_word("--neighbours", value, neighbours, 2, &word);
        request->params.neighbours = word == 0 ? 4 : 8;
        return right;
    case OPTION_REACH:
        request->has_reach = true;
        right = arguments_number("--reach", value, 0, 1e6, &reach);
        request->params.reach = (float)reach;
        return right;
    case OPTION_BUDGET:
        return arguments_integer("--budget", value, 1, UINT64_MAX, &request->params.budget.expansions);
    }
    return false;
}

bool route_option_read(route_request *request, int option, const char *value) {
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
    case OPTION_SEARCH:
        request->search = value;
        return true;
    case OPTION_SURFACE:
        return request->surface.asked = true;
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
    if (option >= OPTION_LAYER && option <= OPTION_SPEED)
        return route_surface_option_read(request, option, value);
    return read_search_option(request, option, value);
}

static bool check_search(route_request *request) {
    static const char *const methods[] = {"dijkstra", "astar", "jps"};
    uint32_t word = request->params.method;
    if (request->search && !arguments_word("--search", request->search, methods, 3, &word))
        return false;
    request->params.method = (tr_route_method)word;
    if (request->surface.given)
        command_complain("%s is not for maps of level ground (--map, --search dijkstra, astar or jps)",
                         route_options[request->surface.given].name);
    return !request->surface.given;
}

static bool is_search(const route_request *request, const char *name) {
    return request->search && strcmp(request->search, name) == 0;
}

// What is said about level ground, or about the cells of a surface, says who plans.
static route_planner choose_planner(const route_request *request) {
    const uint32_t level = 1u << SCENE_OPTION_BAND | 1u << SCENE_OPTION_GROUND | 1u << SCENE_OPTION_GROWTH;
    bool asked = request->surface.asked, either = is_search(request, "astar") || request->has_neighbours;
    if (request->map_path || request->scenario_path)
        return ROUTE_LEVEL;
    if (!asked && (either || is_search(request, "dijkstra") || is_search(request, "jps") ||
                   request->params.cut_corners || request->params.metric != TR_ROUTE_TRUE ||
                   (request->scene.given & level)))
        return ROUTE_LEVEL;
    return either || request->search || request->surface.paper_given ? ROUTE_CLIMB : ROUTE_GO;
}

// A map has no bodies, and its cells are its own.
static bool check_map(const route_request *request) {
    for (int i = 0; i < SCENE_OPTION_COUNT; i++)
        if (request->scene.given >> i & 1) {
            if (i == SCENE_OPTION_SCENE || i == SCENE_OPTION_SAMPLE)
                command_complain("route needs one of --scene FILE, --sample NAME and --map FILE.map");
            else
                command_complain("%s belongs to --scene and --sample, a map has cells of its own",
                                 route_options[i].name);
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

bool route_orders_check(const route_request *request) {
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

bool route_options_check(route_request *request) {
    if (!request->map_path && !request->scenario_path && !request->scene.path &&
        !request->scene.sample.name) {
        command_complain("route needs one of --scene FILE, --sample NAME and --map FILE.map");
        return false;
    }
    if (request->pixels && !request->png) {
        command_complain("--pixels belongs to --png");
        return false;
    }
    if (request->surface.asked && (request->map_path || request->scenario_path)) {
        command_complain("--surface needs --scene or --sample: a map is level");
        return false;
    }
    request->planner = choose_planner(request);
    if (request->planner != ROUTE_LEVEL)
        return route_surface_options_check(request);
    if (!check_search(request))
        return false;
    if (request->map_path && !check_map(request))
        return false;
    if (request->scenario_path)
        return check_scenario(request);
    return (request->map_path || scene_options_check(&request->scene, "route")) &&
           route_orders_check(request);
}
