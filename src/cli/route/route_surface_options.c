#include "cli/commands.h"
#include "route_options.h"
#include "troupe/plan/path.h"

#include <math.h>
#include <string.h>

surface_options surface_options_default(void) {
    surface_options options = {.method = TR_SURFACE_ROUTE_EFFORT,
                               .border = TR_SURFACE_ROUTE_BORDER_AVOID,
                               .border_cells = 4,
                               .refine = REFINE_STRAIGHT,
                               .speed = 1.3,
                               .drop = (double)INFINITY};
    return options;
}

// "lift,1,0,2,1,3,2,5": a kind, two points, and the cost.
static bool read_link(surface_options *options, const char *value) {
    static const struct {
        const char *name;
        tr_ground_link_kind kind;
    } kinds[] = {{"door", TR_GROUND_DOOR},
                 {"lift", TR_GROUND_LIFT},
                 {"ladder", TR_GROUND_LADDER},
                 {"other", TR_GROUND_OTHER}};
    const char *comma = strchr(value, ',');
    size_t length = comma ? (size_t)(comma - value) : 0;
    uint32_t kind = 0, count;
    double n[7] = {0};
    while (kind < 4 && (strlen(kinds[kind].name) != length || strncmp(kinds[kind].name, value, length) != 0))
        kind++;
    if (kind == 4) {
        command_complain("--link is \"%s\", it must begin with door, lift, ladder or other and a comma",
                         value);
        return false;
    }
    if (!arguments_list("--link", comma + 1, 6, 7, n, &count))
        return false;
    bool fine = n[6] >= 0 && n[6] <= 1e6;
    for (int i = 0; i < 6; i++)
        fine = fine && n[i] >= -1e7 && n[i] <= 1e7;
    if (!fine)
        command_complain("--link is %s: coordinates must be within 1e7 of 0, the cost 0 to 1e6", value);
    else if (options->link_count == TR_GROUND_LINKS_MAX)
        command_complain("there can be at most %u links, and --link %s is one more", TR_GROUND_LINKS_MAX,
                         value);
    if (!fine || options->link_count == TR_GROUND_LINKS_MAX)
        return false;
    tr_ground_link link = {.kind = kinds[kind].kind,
                           .from = tr_vec3_make((float)n[0], (float)n[1], (float)n[2]),
                           .to = tr_vec3_make((float)n[3], (float)n[4], (float)n[5]),
                           .both_ways = true,
                           .cost = (float)n[6]};
    options->links[options->link_count++] = link;
    return true;
}

static bool read_effort(surface_options *options, const char *value) {
    uint32_t count;
    if (!arguments_list("--effort", value, 2, 2, options->effort, &count))
        return false;
    if (options->effort[0] >= 0 && options->effort[0] <= 1000 && options->effort[1] >= 0 &&
        options->effort[1] <= 1000)
        return true;
    command_complain("--effort is %s: each number must be 0 to 1000", value);
    return false;
}

static bool read_person(surface_options *options, const char *value) {
    uint32_t count;
    if (!arguments_list("--person", value, 1, 2, options->person, &count))
        return false;
    if (options->person[0] >= 0.3 && options->person[0] <= 5 &&
        (count == 1 || (options->person[1] > 0 && options->person[1] <= 5)))
        return true;
    command_complain("--person is %s: the height must be 0.3 to 5, the radius above 0 and at most 5", value);
    return false;
}

static bool read_word(surface_options *options, int option, const char *value) {
    static const char *const borders[] = {"avoid", "allow", "ignore"}, *const neighbours[] = {"4", "8"},
                             *const refinements[] = {"alternate", "every", "straight"},
                             *const footsteps[] = {"corners", "plan", "window"};
    uint32_t word = 0;
    bool right = false;
    if (option == OPTION_BORDER) {
        right = arguments_word("--border", value, borders, 3, &word);
        options->border = (tr_surface_route_border_use)word;
    } else if (option == OPTION_BORDER_CELLS) {
        right = arguments_word("--border-cells", value, neighbours, 2, &word);
        options->border_cells = word == 0 ? 4 : 8;
    } else if (option == OPTION_REFINE) {
        right = arguments_word("--refine", value, refinements, 3, &word);
        options->refine = (surface_refinement)word;
    } else if (option == OPTION_FOOTSTEPS) {
        right = options->footsteps = arguments_word("--footsteps", value, footsteps, 3, &word);
        options->footstep_corners = word == 0;
        options->footstep_window = word == 2;
        options->paper_given = word == 0 ? option : options->paper_given;
    }
    return right;
}

bool route_surface_option_read(route_request *request, int option, const char *value) {
    surface_options *options = &request->surface;
    options->given = option;
    options->has_effort = options->has_effort || option == OPTION_EFFORT;
    if (option == OPTION_BORDER || option == OPTION_BORDER_CELLS || option == OPTION_REFINE)
        options->paper_given = option;
    switch (option) {
    case OPTION_LAYER:
        return arguments_number("--layer", value, 1e-3, 1e3, &options->layer);
    case OPTION_PERSON:
        return read_person(options, value);
    case OPTION_SPAN:
        return arguments_number("--span", value, 1e-3, 100, &options->span);
    case OPTION_SPEED:
        return arguments_number("--speed", value, 0.01, 100, &options->speed);
    case OPTION_DROP:
        return arguments_number("--drop", value, 0, 1e6, &options->drop);
    case OPTION_EFFORT:
        return read_effort(options, value);
    case OPTION_LINK:
        return read_link(options, value);
    case OPTION_NO_GUESS:
        return options->no_guess = true;
    case OPTION_LADDERS:
        return options->ladders = true;
    case OPTION_TIMES:
        return options->times = true;
    }
    return read_word(options, option, value);
}

// --search effort prefers the flattest good path; without it the planner over cells finds the shortest.
static bool check_search(route_request *request) {
    static const char *const methods[] = {"flood", "astar", "effort"};
    uint32_t word = request->surface.method;
    surface_options *options = &request->surface;
    if (!options->has_effort && ((request->planner == ROUTE_GO && !request->scene.has_body) ||
                                 (request->search && strcmp(request->search, "effort") == 0))) {
        tr_path_params usual = tr_path_params_default(0);
        options->effort[0] = (double)usual.up;
        options->effort[1] = (double)usual.down;
    }
    if (!request->search)
        return true;
    if (strcmp(request->search, "jps") == 0 || strcmp(request->search, "dijkstra") == 0) {
        command_complain("--search %s is for level ground; with --surface it must be flood, astar or effort",
                         request->search);
        return false;
    }
    bool right = arguments_word("--search", request->search, methods, 3, &word);
    request->surface.method = (tr_surface_route_method)word;
    return right;
}

// Options for level ground do not apply to stairs.
static bool check_level_options(const route_request *request) {
    static const int level[] = {SCENE_OPTION_BAND, SCENE_OPTION_GROUND, SCENE_OPTION_GROWTH};
    for (size_t i = 0; i < sizeof level / sizeof level[0]; i++)
        if (request->scene.given >> level[i] & 1) {
            command_complain("%s is for level ground and cannot be given with --surface",
                             route_options[level[i]].name);
            return false;
        }
    if (request->params.cut_corners || request->params.metric != TR_ROUTE_TRUE)
        command_complain(
            "--cut-corners and --metric are for level ground and cannot be given with --surface");
    else
        return true;
    return false;
}

static bool check_single_goals(const route_orders *orders) {
    for (uint32_t i = 0; i < orders->count; i++)
        if (orders->orders[i].goal_count > 1) {
            command_complain("with --times each --from needs exactly one --to, but number %u has %u", i + 1,
                             orders->orders[i].goal_count);
            return false;
        }
    return true;
}

bool route_surface_options_check(route_request *request) {
    const surface_options *options = &request->surface;
    if (!check_level_options(request) || !scene_options_check(&request->scene, "route") ||
        !check_search(request))
        return false;
    if (options->person[0] > 0 && request->scene.has_body)
        command_complain("--person and --body cannot both be given");
    else if (options->times && (request->pairs_path || request->planner != ROUTE_GO))
        command_complain("--times needs --from and --to and excludes --search, --border and --refine");
    else if (options->footsteps && (request->pairs_path || options->times))
        command_complain("--footsteps needs --from and --to and excludes --times");
    else if (request->scene.sample.name && request->orders.count == 0 && !request->pairs_path)
        return true; // the sample may have a default route
    else
        return route_orders_check(request) && (!options->times || check_single_goals(&request->orders));
    return false;
}
