#include "route_options.h"
#include "cli/commands.h"
#include "troupe/io/picture.h"

#include <string.h>

// The rows of --behaviors and what belongs to it.
#define BEHAVIOR_OPTIONS                                                                                     \
    [OPTION_BEHAVIORS] =                                                                                     \
        {"--behaviors", 0, "human|horse|skateboarder|FILE",                                                  \
         "plan the behaviors of this machine (see troupe behaviors); goals are visited in order"},           \
    [OPTION_INFLATION] = {"--inflation", 0, "W",                                                             \
                          "of behaviors: weight of the expected cost (1: cheapest plan; --search tree: 2)"}, \
    [OPTION_HEURISTIC] =                                                                                     \
        {"--heuristic", 0, "straight|field",                                                                 \
         "of behaviors: distance in a straight line, or around obstacles (straight; --search tree: field)"}, \
    [OPTION_TOLERANCE] = {"--tolerance", 0, "M",                                                             \
                          "of behaviors: how near to a goal is near enough [m] (0.5)"},                      \
    [OPTION_WEIGHT] = {"--weight", 0, "STATE=W", "change the weight of a behavior; may be repeated"},        \
    [OPTION_HEADING] = {"--heading", 0, "DEGREES",                                                           \
                        "of behaviors: where the characters look at first, 0 along +z (at their goals)"},    \
    [OPTION_DEPART] = {"--depart", 0, "S", "of behaviors: when the characters set out [s] (0)"},             \
    [OPTION_AS_WRITTEN] = {"--as-written", 0, NULL,                                                          \
                           "search word by word as in Lau and Kuffner's Algorithm 1"},                       \
    [OPTION_MOMENT] = {"--moment", 0, "S",                                                                   \
                       "the picture shows what moves as it is then [s] (when they set out)"}

const argument_option route_options[ROUTE_OPTION_COUNT] = {
    SCENE_OPTIONS("the y of the first start, or 0"),
    [OPTION_MAP] = {"--map", 0, "FILE.map", "or a grid map in the format of the Moving AI Lab"},
    [OPTION_SCEN] =
        {"--scen", 0, "FILE.scen",
         "compare all path lengths with the optimal ones of this scenario; --json prints the paths, too"},
    [OPTION_FROM] = {"--from", 0, "X,Y,Z",
                     "start of a route [m]; X,Z without a height; COLUMN,ROW with --map"},
    [OPTION_TO] = {"--to", 0, "X,Y,Z", "goal of the route; with several, the one with the cheapest path"},
    [OPTION_PAIRS] = {"--pairs", 0, "FILE.csv",
                      "read many routes: columns sx,sy,sz,ex,ey,ez; --json prints the points of each"},
    [OPTION_SEARCH] = {"--search", 0, "dijkstra|astar|jps|flood|effort|truncated|tree",
                       "another planner: dijkstra, astar or jps on level ground; with --surface "
                       "flood, astar or effort on its cells; with --behaviors astar, truncated or tree"},
    [OPTION_METRIC] = {"--metric", 0, "true|paper", "length of a diagonal step: sqrt 2, or 1.4 (true)"},
    [OPTION_NEIGHBOURS] = {"--neighbours", 0, "4|8", "neighbours of a cell (8)"},
    [OPTION_CUT_CORNERS] = {"--cut-corners", 0, NULL, "a diagonal step may pass one blocked cell beside it"},
    [OPTION_REACH] = {"--reach", 0, "M",
                      "farthest that a start or goal that is not free is moved [m] (2; 1 with --search)"},
    [OPTION_BUDGET] = {"--budget", 0, "N", "stop after N expansions with the best path so far"},
    [OPTION_SURFACE] = {"--surface", 0, NULL,
                        "ground with stairs, gaps and storeys: the default, except with --search astar"},
    [OPTION_LAYER] = {"--layer", 0, "M", "height of a layer of cells [m] (0.05; 0.1 with --search)"},
    [OPTION_PERSON] = {"--person", 0, "HEIGHT[,RADIUS]",
                       "a person as on a stage (1.75,0.3): keeps the radius plus 0.05 m, turns its "
                       "shoulders or goes sideways in narrow places, keeps right, avoids climbs; "
                       "--body keeps its radius and takes the shortest path"},
    [OPTION_SPAN] = {"--span", 0, "M", "longest step of a foot [m] (from the height)"},
    [OPTION_BORDER] = {"--border", 0, "avoid|allow|ignore",
                       "use of cells beside an obstacle or edge (avoid); selects the planner surface_route"},
    [OPTION_BORDER_CELLS] = {"--border-cells", 0, "4|8",
                             "neighbours that decide whether a cell is border (4); likewise"},
    [OPTION_REFINE] = {"--refine", 0, "alternate|every|straight",
                       "how the path is straightened (straight); likewise"},
    [OPTION_EFFORT] = {"--effort", 0, "UP,DOWN",
                       "level metres that a metre up or down costs (4,1; 0,0 with --body)"},
    [OPTION_DROP] = {"--drop", 0, "M", "farthest that a start or goal in mid-air falls [m] (unlimited)"},
    [OPTION_NO_GUESS] = {"--no-guess", 0, NULL, "treat small raised patches as ground, not as furniture"},
    [OPTION_LINK] = {"--link", 0, "KIND,X,Y,Z,X,Y,Z[,COST]",
                     "a door, lift, ladder or other link, usable in both directions"},
    [OPTION_LADDERS] = {"--ladders", 0, NULL, "allow links that are ladders"},
    [OPTION_FOOTSTEPS] = {"--footsteps", 0, "corners|plan|window",
                          "footsteps: Bandi's method, the best of the whole path, or Li's window"},
    [OPTION_TIMES] = {"--times", 0, NULL,
                      "plan the routes one after the other without collisions: points with times"},
    [OPTION_SPEED] = {"--speed", 0, "M/S", "walking speed with --times (1.3)"},
    BEHAVIOR_OPTIONS,
    [OPTION_PNG] = {"--png", 0, "FILE", "draw map, search and routes"},
    [OPTION_PIXELS] = {"--pixels", 0, "N", "pixels per cell of the picture (about 900 pixels in all)"},
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
    command_complain("no memory for the routes");
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
        command_complain("route takes no argument \"%s\"; see troupe route --help", value);
        return false;
    }
    if (option >= 0 && option < SCENE_OPTION_COUNT)
        return scene_options_read(&request->scene, option, value);
    if (option >= OPTION_LAYER && option <= OPTION_SPEED)
        return route_surface_option_read(request, option, value);
    if (option >= OPTION_BEHAVIORS && option <= OPTION_MOMENT)
        return route_behavior_option_read(request, option, value);
    return read_search_option(request, option, value);
}

static bool check_search(route_request *request) {
    static const char *const methods[] = {"dijkstra", "astar", "jps"};
    uint32_t word = request->params.method;
    if (request->search && !arguments_word("--search", request->search, methods, 3, &word))
        return false;
    request->params.method = (tr_route_method)word;
    if (request->surface.given)
        command_complain("%s cannot be used on maps of level ground (--map, --search dijkstra, astar or jps)",
                         route_options[request->surface.given].name);
    return !request->surface.given;
}

static bool is_search(const route_request *request, const char *name) {
    return request->search && strcmp(request->search, name) == 0;
}

// Options for level ground or for the cells of a surface select the planner.
static route_planner choose_planner(const route_request *request) {
    const uint32_t level = 1u << SCENE_OPTION_BAND | 1u << SCENE_OPTION_GROUND | 1u << SCENE_OPTION_GROWTH;
    if (request->behaviors.machine)
        return ROUTE_BEHAVIORS;
    bool asked = request->surface.asked, either = is_search(request, "astar") || request->has_neighbours;
    if (request->map_path || request->scenario_path)
        return ROUTE_LEVEL;
    if (!asked && (either || is_search(request, "dijkstra") || is_search(request, "jps") ||
                   request->params.cut_corners || request->params.metric != TR_ROUTE_TRUE ||
                   (request->scene.given & level)))
        return ROUTE_LEVEL;
    return either || request->search || request->surface.paper_given ? ROUTE_SURFACE_CELLS : ROUTE_GO;
}

// A map has no bodies, and it has its own cells.
static bool check_map(const route_request *request) {
    for (int i = 0; i < SCENE_OPTION_COUNT; i++)
        if (request->scene.given >> i & 1) {
            if (i == SCENE_OPTION_SCENE || i == SCENE_OPTION_SAMPLE)
                command_complain("route needs one of --scene FILE, --sample NAME and --map FILE.map");
            else
                command_complain("%s requires --scene or --sample: a map has its own cells",
                                 route_options[i].name);
            return false;
        }
    return true;
}

static bool check_scenario(const route_request *request) {
    const tr_route_params *params = &request->params;
    if (!request->map_path)
        command_complain("--scen requires --map");
    else if (request->orders.count > 0 || request->pairs_path || request->png)
        command_complain("--scen cannot be given with --from, --to, --pairs or --png: it has its own routes");
    else if (params->metric != TR_ROUTE_TRUE || params->neighbours != 8 || params->cut_corners)
        command_complain(
            "--scen needs --metric true, --neighbours 8 and no --cut-corners: its lengths assume them");
    else if (params->budget.expansions)
        command_complain("--budget and --scen cannot both be given: a partial path has no length to compare");
    else
        return true;
    return false;
}

bool route_orders_check(const route_request *request) {
    const route_orders *orders = &request->orders;
    if (request->pairs_path) {
        if (orders->count > 0)
            command_complain("--pairs cannot be given with --from or --to: it has its own routes");
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
        command_complain("--pixels requires --png");
        return false;
    }
    if (request->surface.asked && (request->map_path || request->scenario_path)) {
        command_complain("--surface requires --scene or --sample: a map is level");
        return false;
    }
    request->planner = choose_planner(request);
    if (request->planner == ROUTE_BEHAVIORS)
        return route_behavior_options_check(request);
    if (request->behaviors.given) {
        command_complain("%s requires --behaviors", route_options[request->behaviors.given].name);
        return false;
    }
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
