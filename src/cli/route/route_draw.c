// The picture of routes: the map, the searched cells in their order, the path of cells, and the straightened
// route on top.
#include "route.h"
#include "troupe/io/picture.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define ROUTES_LISTED 10 // in the legend; any more are only counted
#define ROUTES_MARKED 40 // with start and goal; if there are more, only thin lines are drawn

static const tr_color white = {255, 255, 255};
static const tr_color ink = {58, 64, 72};
static const tr_color faint_ink = {128, 128, 124};
// Colours of the first and the last expanded cell. Adjacent cells form a pale area; the few cells of a jump
// point search stand alone and need stronger colours.
static const tr_color early_colors[2] = {{214, 234, 232}, {64, 176, 166}};
static const tr_color late_colors[2] = {{88, 150, 190}, {52, 70, 170}};
static const tr_color cells_color = {232, 150, 40};
static const tr_color start_color = {36, 128, 84};
static const tr_color goal_color = {190, 36, 52};
// Distinguishable in daylight, on paper, and mostly by people with colour blindness.
static const tr_color route_colors[] = {{190, 36, 52},  {24, 100, 171}, {36, 128, 84}, {214, 118, 20},
                                        {116, 66, 160}, {0, 140, 150},  {150, 90, 40}, {200, 60, 140},
                                        {96, 110, 30},  {70, 80, 96}};
#define ROUTE_COLORS (sizeof route_colors / sizeof route_colors[0])

typedef struct route_drawing {
    const route_request *request;
    const route_world *world;
    tr_picture *picture;
    tr_map_view view;
    float width;    // of a route's line [pixels]
    bool is_sparse; // few cells are expanded: each is drawn as a dot
} route_drawing;

static tr_color mix(tr_color from, tr_color to, double weight) {
    tr_color mixed = {(uint8_t)(from.red + (to.red - from.red) * weight),
                      (uint8_t)(from.green + (to.green - from.green) * weight),
                      (uint8_t)(from.blue + (to.blue - from.blue) * weight)};
    return mixed;
}

// The turn in which each node was expanded: 1 is the first, 0 means never.
typedef struct expansion_log {
    uint32_t *turn;
    uint32_t count;
} expansion_log;

static void hear(void *user, tr_search_event event, uint32_t node, uint32_t parent, uint32_t cost,
                 uint32_t total) {
    expansion_log *log = user;
    (void)parent, (void)cost, (void)total;
    if (event == TR_SEARCH_EXPANDS)
        log->turn[node] = ++log->count;
}

static tr_color turn_color(const route_drawing *drawing, double share) {
    return mix(early_colors[drawing->is_sparse], late_colors[drawing->is_sparse], share);
}

static void tint_cells(const route_drawing *drawing, const expansion_log *log) {
    const tr_grid *grid = &drawing->world->grid;
    float side = (float)drawing->view.pixels_per_cell;
    for (uint32_t row = 0; row < grid->rows; row++)
        for (uint32_t column = 0; column < grid->columns; column++) {
            uint32_t turn = log->turn[tr_route_map_node(&drawing->world->map, column, row)];
            if (turn == 0)
                continue;
            float x = drawing->view.left + side * (float)column, y = drawing->view.top + side * (float)row;
            tr_color color = turn_color(drawing, (double)turn / log->count);
            if (drawing->is_sparse)
                tr_picture_disc(drawing->picture, x + side / 2, y + side / 2, side < 4 ? 2 : side / 2, color,
                                1);
            else
                tr_picture_rectangle(drawing->picture, x, y, x + side, y + side, color, 0.9f);
        }
}

// Runs the search again with a listener.
static tr_status draw_search(const route_drawing *drawing, tr_error *error) {
    const route_world *world = drawing->world;
    const route_order *order = &drawing->request->orders.orders[0];
    uint32_t nodes = tr_route_map_nodes(&world->map);
    tr_allocator allocator = tr_allocator_default();
    expansion_log log = {tr_allocate_zero(&allocator, nodes, sizeof *log.turn), 0};
    tr_vec2 *goals = tr_allocate(&allocator, order->goal_count, sizeof *goals);
    if (log.turn && goals) {
        tr_search_listener listener = {hear, &log};
        tr_route_params params = drawing->request->params;
        params.listener = &listener;
        for (uint32_t i = 0; i < order->goal_count; i++)
            goals[i] = route_world_point(world, drawing->request->orders.goals[order->first_goal + i]);
        tr_route_find(world->route, &world->map, &params, route_world_point(world, order->from), goals,
                      order->goal_count, NULL);
        tint_cells(drawing, &log);
    }
    bool done = log.turn && goals;
    tr_release(&allocator, log.turn, nodes, sizeof *log.turn);
    tr_release(&allocator, goals, order->goal_count, sizeof *goals);
    return done ? TR_OK : tr_fail(error, TR_OUT_OF_MEMORY, "no memory to record a search of %u nodes", nodes);
}

static void draw_segment(const route_drawing *drawing, tr_vec2 from, tr_vec2 to, float width,
                         tr_color color) {
    tr_vec2 a = tr_map_view_pixel(&drawing->view, from), b = tr_map_view_pixel(&drawing->view, to);
    tr_picture_line(drawing->picture, a.x, a.z, b.x, b.z, width, color, 1);
}

static tr_vec2 node_centre(const route_drawing *drawing, uint32_t node) {
    const tr_route_map *map = &drawing->world->map;
    return tr_grid_centre(&map->grid, tr_route_map_column(map, node), tr_route_map_row(map, node));
}

static void draw_cells(const route_drawing *drawing, const route_answer *answer) {
    for (uint32_t i = 1; i < answer->result.cell_count; i++)
        draw_segment(drawing, node_centre(drawing, answer->cells[i - 1]),
                     node_centre(drawing, answer->cells[i]), 0.7f * drawing->width, cells_color);
}

// A white outline separates the route from walls and other routes.
static void draw_route(const route_drawing *drawing, const route_answer *answer, tr_color color) {
    for (uint32_t i = 1; i < answer->point_count && drawing->request->orders.count <= ROUTES_MARKED; i++)
        draw_segment(drawing, answer->points[i - 1], answer->points[i], drawing->width + 2, white);
    for (uint32_t i = 1; i < answer->point_count; i++)
        draw_segment(drawing, answer->points[i - 1], answer->points[i], drawing->width, color);
}

static void draw_dot(const route_drawing *drawing, tr_vec2 pixel, float radius, tr_color color) {
    tr_picture_disc(drawing->picture, pixel.x, pixel.z, radius + 1.5f, white, 1);
    tr_picture_disc(drawing->picture, pixel.x, pixel.z, radius, color, 1);
}

static void draw_target(const route_drawing *drawing, tr_vec2 pixel, float radius, tr_color color) {
    draw_dot(drawing, pixel, radius, color);
    tr_picture_disc(drawing->picture, pixel.x, pixel.z, 0.62f * radius, white, 1);
    tr_picture_disc(drawing->picture, pixel.x, pixel.z, 0.3f * radius, color, 1);
}

// A cross at a requested start or goal that is not free; it is mostly on a dark area.
static void draw_wish(const route_drawing *drawing, tr_vec2 wish, tr_vec2 taken) {
    tr_vec2 pixel = tr_map_view_pixel(&drawing->view, wish);
    float arm = 1.5f * drawing->width;
    for (int pass = 0; pass < 2; pass++) {
        float width = pass == 0 ? 5 : 2;
        tr_color color = pass == 0 ? white : ink;
        draw_segment(drawing, wish, taken, width - 1, color);
        tr_picture_line(drawing->picture, pixel.x - arm, pixel.z - arm, pixel.x + arm, pixel.z + arm, width,
                        color, 1);
        tr_picture_line(drawing->picture, pixel.x - arm, pixel.z + arm, pixel.x + arm, pixel.z - arm, width,
                        color, 1);
    }
}

static void draw_ends(const route_drawing *drawing, const route_order *order, const route_answer *answer,
                      tr_color start, tr_color goal) {
    const route_world *world = drawing->world;
    tr_vec2 from = route_world_point(world, order->from);
    float radius = 1.9f * drawing->width;
    for (uint32_t i = 0; i < order->goal_count; i++) {
        tr_vec2 wish = route_world_point(world, drawing->request->orders.goals[order->first_goal + i]);
        bool reached = answer->status == TR_OK && i == answer->result.goal && answer->point_count > 0;
        tr_vec2 at = reached ? answer->points[answer->point_count - 1] : wish;
        if (reached && answer->result.goal_moved)
            draw_wish(drawing, wish, at);
        draw_target(drawing, tr_map_view_pixel(&drawing->view, at), radius, reached ? goal : faint_ink);
    }
    tr_vec2 begin = answer->point_count > 0 ? answer->points[0] : from;
    if (answer->result.start_moved && answer->point_count > 0)
        draw_wish(drawing, from, begin);
    draw_dot(drawing, tr_map_view_pixel(&drawing->view, begin), radius, start);
}

// Write a word after a mark; returns where the next one begins.
static float draw_word(const route_drawing *drawing, float x, float y, float mark_width, const char *word) {
    float text = drawing->view.text;
    tr_picture_text(drawing->picture, x + mark_width + 0.5f * text, y, text, word, ink);
    return x + mark_width + 1.8f * text + tr_picture_text_width(text, word);
}

static float draw_line_key(const route_drawing *drawing, float x, float y, float width, tr_color color,
                           const char *word) {
    float text = drawing->view.text, middle = y + 0.45f * text;
    tr_picture_line(drawing->picture, x, middle, x + 1.6f * text, middle, width, color, 1);
    return draw_word(drawing, x, y, 1.6f * text, word);
}

static void draw_keys(const route_drawing *drawing, const route_order *order) {
    float text = drawing->view.text, x = drawing->view.left, y = drawing->view.notes_top;
    float radius = 0.42f * text, middle = y + 0.45f * text;
    tr_vec2 dot = {x + radius, middle};
    draw_dot(drawing, dot, radius, start_color);
    x = draw_word(drawing, x, y, 2 * radius, "start");
    dot.x = x + radius;
    draw_target(drawing, dot, radius, goal_color);
    x = draw_word(drawing, x, y, 2 * radius, order->goal_count > 1 ? "goals" : "goal");
    x = draw_line_key(drawing, x, y, drawing->width, route_colors[0], "route");
    x = draw_line_key(drawing, x, y, 0.7f * drawing->width, cells_color, "its cells");
    for (float i = 0; i < 2 * text; i += 1)
        tr_picture_rectangle(drawing->picture, x + i, y, x + i + 1, y + text,
                             turn_color(drawing, (double)(i / (2 * text))), 1);
    draw_word(drawing, x, y, 2 * text, "expanded, first to last");
}

// No times, so that the same routes give the same picture.
static void describe(const route_drawing *drawing, const route_answer *answer, char *text, size_t size) {
    const tr_route_result *result = &answer->result;
    const char *unit = drawing->world->is_plain ? "" : " m";
    if (answer->point_count == 0)
        snprintf(text, size, "no path: %.100s", answer->reason);
    else
        snprintf(text, size, "%s%.2f%s, over the cells %.2f%s; %s expanded %" PRIu64 " cells",
                 answer->status == TR_PARTIAL ? "partial, " : "", answer->straight_length, unit,
                 result->length, unit, route_method_name(drawing->request->params.method),
                 result->counters.expanded);
}

static tr_status draw_one(const route_drawing *drawing, const route_answer *answer, tr_error *error) {
    const route_order *order = &drawing->request->orders.orders[0];
    tr_status status = draw_search(drawing, error);
    if (status != TR_OK)
        return status;
    char text[200];
    draw_cells(drawing, answer);
    draw_route(drawing, answer, route_colors[0]);
    draw_ends(drawing, order, answer, start_color, goal_color);
    draw_keys(drawing, order);
    describe(drawing, answer, text, sizeof text);
    tr_picture_text(drawing->picture, drawing->view.left, drawing->view.notes_top + 1.8f * drawing->view.text,
                    drawing->view.text, text, faint_ink);
    return TR_OK;
}

static void list_routes(const route_drawing *drawing, const route_answer *answers) {
    uint32_t count = drawing->request->orders.count, found = 0;
    char text[200];
    float x = drawing->view.left, y = drawing->view.notes_top;
    for (uint32_t i = 0; i < count; i++)
        found += answers[i].status == TR_OK;
    for (uint32_t i = 0; i < count && count <= ROUTES_LISTED; i++, y += 1.8f * drawing->view.text) {
        describe(drawing, &answers[i], text, sizeof text);
        draw_line_key(drawing, x, y, drawing->width, route_colors[i % ROUTE_COLORS], text);
    }
    if (count <= ROUTES_LISTED)
        return;
    snprintf(text, sizeof text, "%u routes, %u found", count, found);
    tr_picture_text(drawing->picture, x, y, drawing->view.text, text, ink);
}

static void draw_many(const route_drawing *drawing, const route_answer *answers) {
    const route_orders *orders = &drawing->request->orders;
    for (uint32_t i = 0; i < orders->count; i++)
        draw_route(drawing, &answers[i], route_colors[i % ROUTE_COLORS]);
    for (uint32_t i = 0; i < orders->count && orders->count <= ROUTES_MARKED; i++)
        draw_ends(drawing, &orders->orders[i], &answers[i], route_colors[i % ROUTE_COLORS],
                  route_colors[i % ROUTE_COLORS]);
    list_routes(drawing, answers);
}

static void make_title(const route_drawing *drawing, char *title, size_t size) {
    const char *name = drawing->world->name, *slash = strrchr(name, '/');
    uint32_t count = drawing->request->orders.count;
    int used = snprintf(title, size, "%.100s", slash ? slash + 1 : name);
    if (count == 1)
        snprintf(title + used, size - (size_t)used, ", a route");
    else
        snprintf(title + used, size - (size_t)used, ", %u routes", count);
}

// Jump point search needs 8 neighbours; otherwise the search is A*.
static bool jumps(const tr_route_params *params) {
    return params->method == TR_ROUTE_JPS && params->neighbours == 8;
}

static tr_status draw_all(const route_request *request, const route_world *world, const route_answer *answers,
                          tr_map_layers *layers, tr_error *error) {
    uint32_t count = request->orders.count, pixels = scene_pixels_per_cell(request->pixels, &world->grid);
    layers->note_lines = count == 1 ? 2 : count <= ROUTES_LISTED ? count : 1;
    tr_picture picture;
    route_drawing drawing = {
        .request = request, .world = world, .picture = &picture, .is_sparse = jumps(&request->params)};
    char title[160];
    make_title(&drawing, title, sizeof title);
    tr_status status = tr_picture_draw_map(NULL, layers, pixels, title, &picture, &drawing.view, error);
    if (status != TR_OK)
        return status;
    drawing.width = count > ROUTES_MARKED ? 1.2f : pixels >= 8 ? 4 : 3;
    if (count == 1)
        status = draw_one(&drawing, &answers[0], error);
    else
        draw_many(&drawing, answers);
    if (status == TR_OK)
        status = tr_picture_write_png(&picture, request->png, error);
    tr_picture_destroy(&picture);
    return status;
}

tr_status route_draw(const route_request *request, const route_world *world, const route_answer *answers,
                     tr_error *error) {
    tr_map_layers layers = {world->grid, &world->cells, NULL, NULL, 0};
    if (world->is_plain)
        return draw_all(request, world, answers, &layers, error);
    // The ground is shaded by clearance, which planning does not need. It is computed here so that a picture
    // does not change the times.
    tr_occupancy_def def = world->scene.def;
    tr_occupancy *shaded = NULL;
    def.keep_clearance = true;
    tr_status status = tr_occupancy_create(&def, &shaded, error);
    if (status == TR_OK)
        status = tr_occupancy_build(shaded, world->scene.raster, world->scene.sample.scene, error);
    if (status == TR_OK) {
        layers = tr_map_layers_of(shaded);
        status = draw_all(request, world, answers, &layers, error);
    }
    tr_occupancy_destroy(shaded);
    return status;
}
