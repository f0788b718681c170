// The picture of paths over a surface: its storeys as blocks, with the paths and the footsteps on top.
#include "route_surface.h"
#include "troupe/base/scalar.h"
#include "troupe/io/picture.h"

#include <stdio.h>
#include <string.h>

#define PICTURE_WIDTH 1400
#define ROUTES_LISTED 10
#define STARTS_LOOKED_AT 16 // number of starts from which a picture shows what is reached
#define ROUTES_MARKED 40    // with start, goal and footsteps; if there are more, only thin lines are drawn

static const tr_color white = {255, 255, 255};
static const tr_color ink = {58, 64, 72};
static const tr_color start_color = {24, 110, 70};
static const tr_color goal_color = {190, 36, 52};
static const tr_color foot_colors[2] = {{34, 60, 140}, {150, 40, 90}}; // left, right
static const tr_color route_colors[] = {{190, 36, 52},  {24, 90, 171}, {24, 110, 70}, {198, 100, 10},
                                        {116, 66, 160}, {0, 120, 130}, {130, 74, 30}, {190, 50, 130},
                                        {86, 100, 20},  {60, 70, 86}};
#define ROUTE_COLORS (sizeof route_colors / sizeof route_colors[0])

typedef struct surface_drawing {
    const route_request *request;
    const surface_world *world;
    tr_picture *picture;
    tr_surface_view view;
    float width; // of a line [pixels]
} surface_drawing;

static tr_vec3 between(tr_vec3 a, tr_vec3 b, float share) {
    return tr_vec3_add(a, tr_vec3_scale(tr_vec3_subtract(b, a), share));
}

// The share [0, 1] of a line at which it passes a height.
static float share_at(tr_vec3 a, tr_vec3 b, float height) {
    return a.y != b.y ? fminf(fmaxf((height - a.y) / (b.y - a.y), 0), 1) : 0;
}

// Draws each part of a line in its storey.
static void draw_segment(const surface_drawing *drawing, tr_vec3 a, tr_vec3 b, float width, tr_color color) {
    const tr_surface_view *view = &drawing->view;
    uint32_t first = tr_surface_view_storey(view, a.y), last = tr_surface_view_storey(view, b.y);
    uint32_t low = first < last ? first : last, high = first < last ? last : first;
    for (uint32_t storey = low; storey <= high; storey++) {
        float enter = storey > low   ? share_at(a, b, view->storeys[storey].from)
                      : first == low ? 0.0f
                                     : 1.0f,
              leave = storey < high  ? share_at(a, b, view->storeys[storey + 1].from)
                      : first == low ? 1.0f
                                     : 0.0f;
        tr_vec2 p = tr_surface_view_pixel(view, between(a, b, enter), storey),
                q = tr_surface_view_pixel(view, between(a, b, leave), storey);
        tr_picture_line(drawing->picture, p.x, p.z, q.x, q.z, width, color, 1);
    }
}

static void draw_route(const surface_drawing *drawing, const surface_answer *answer, tr_color color) {
    bool halo = drawing->request->orders.count <= ROUTES_MARKED;
    for (int pass = halo ? 0 : 1; pass < 2; pass++)
        for (uint32_t i = 1; i < answer->point_count; i++)
            draw_segment(drawing, answer->points[i - 1].position, answer->points[i].position,
                         drawing->width + (pass == 0 ? 2.5f : 0), pass == 0 ? white : color);
}

static void draw_dot(const surface_drawing *drawing, tr_vec2 pixel, float radius, tr_color color) {
    tr_picture_disc(drawing->picture, pixel.x, pixel.z, radius + 1.5f, white, 1);
    tr_picture_disc(drawing->picture, pixel.x, pixel.z, radius, color, 1);
}

static void draw_target(const surface_drawing *drawing, tr_vec2 pixel, float radius, tr_color color) {
    draw_dot(drawing, pixel, radius, color);
    tr_picture_disc(drawing->picture, pixel.x, pixel.z, 0.62f * radius, white, 1);
    tr_picture_disc(drawing->picture, pixel.x, pixel.z, 0.3f * radius, color, 1);
}

// Marks the places where a path changes storeys with the same letter in both.
static void draw_passages(const surface_drawing *drawing, const surface_answer *answer) {
    float radius = 0.62f * drawing->view.text;
    char letter[2] = {'A', 0};
    for (uint32_t i = 1; i < answer->point_count && letter[0] <= 'Z'; i++) {
        tr_vec3 a = answer->points[i - 1].position, b = answer->points[i].position;
        uint32_t first = tr_surface_view_storey(&drawing->view, a.y),
                 last = tr_surface_view_storey(&drawing->view, b.y);
        if (first == last)
            continue;
        float border = drawing->view.storeys[first > last ? first : last].from;
        tr_vec3 at = between(a, b, share_at(a, b, border));
        for (int k = 0; k < 2; k++) {
            tr_vec2 pixel = tr_surface_view_pixel(&drawing->view, at, k == 0 ? first : last);
            tr_picture_disc(drawing->picture, pixel.x, pixel.z, radius + 1.5f, ink, 1);
            tr_picture_disc(drawing->picture, pixel.x, pixel.z, radius, white, 1);
            tr_picture_text(drawing->picture,
                            pixel.x - 0.5f * tr_picture_text_width(0.95f * drawing->view.text, letter),
                            pixel.z - 0.36f * drawing->view.text, 0.95f * drawing->view.text, letter, ink);
        }
        letter[0]++;
    }
}

// Draws each foot as a sole of its own length, projected like the ground.
static void draw_footstep(const surface_drawing *drawing, const tr_footstep *footstep, float length) {
    double sine, cosine;
    tr_sin_cos((double)footstep->heading, &sine, &cosine);
    tr_vec3 half = tr_vec3_make((float)sine * 0.3f * length, 0, (float)cosine * 0.3f * length);
    uint32_t storey = tr_surface_view_storey(&drawing->view, footstep->position.y);
    tr_vec2 heel = tr_surface_view_pixel(&drawing->view, tr_vec3_subtract(footstep->position, half), storey),
            toe = tr_surface_view_pixel(&drawing->view, tr_vec3_add(footstep->position, half), storey);
    float width = fmaxf(0.3f * length * drawing->view.metre, 2);
    tr_picture_line(drawing->picture, heel.x, heel.z, toe.x, toe.z, width + 1.5f, white, 0.9f);
    tr_picture_line(drawing->picture, heel.x, heel.z, toe.x, toe.z, width, foot_colors[footstep->side & 1],
                    1);
}

static void name_feet(const surface_drawing *drawing, float x, float y) {
    static const char *const names[2] = {"left foot", "right foot"};
    float text = drawing->view.text, middle = y + 0.45f * text;
    for (int side = 0; side < 2; side++) {
        tr_picture_line(drawing->picture, x, middle, x + 0.7f * text, middle, 0.36f * text, foot_colors[side],
                        1);
        tr_picture_text(drawing->picture, x + 1.3f * text, y, text, names[side], ink);
        x += 2.4f * text + tr_picture_text_width(text, names[side]);
    }
}

// A swing of the window: taken, possible, or only the place where a step would have ended.
static void draw_swing(void *user, const tr_vec3 *points, uint32_t count, bool possible, bool taken) {
    const surface_drawing *drawing = user;
    uint32_t storey = tr_surface_view_storey(&drawing->view, points[count - 1].y);
    tr_vec2 last = tr_surface_view_pixel(&drawing->view, points[count - 1], storey);
    if (!possible)
        tr_picture_disc(drawing->picture, last.x, last.z, 1.6f, goal_color, 0.5f);
    for (uint32_t i = 1; i < count && possible; i++) {
        tr_vec2 a = tr_surface_view_pixel(&drawing->view, points[i - 1], storey),
                b = tr_surface_view_pixel(&drawing->view, points[i], storey);
        tr_picture_line(drawing->picture, a.x, a.z, b.x, b.z, taken ? 2.2f : 0.8f, taken ? start_color : ink,
                        taken ? 1 : 0.18f);
    }
}

static tr_status draw_footsteps(const surface_drawing *drawing, const surface_answer *answer,
                                tr_error *error) {
    tr_allocator allocator = tr_allocator_default();
    uint32_t most = surface_answer_footsteps_most(answer), count = 0;
    float length = tr_footstep_params_default(drawing->world->person.height).sole_length;
    if (answer->times || answer->point_count == 0 || length * drawing->view.metre < 4)
        return TR_OK;
    tr_footstep *footsteps = tr_allocate(&allocator, most, sizeof *footsteps);
    if (!footsteps)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for %u footsteps", most);
    const surface_window_see see = {draw_swing, (void *)(uintptr_t)drawing};
    if (drawing->request->surface.footstep_window)
        surface_answer_window(drawing->world, answer, &see, footsteps, most, &count);
    else
        surface_answer_footstep(drawing->request, drawing->world, answer, footsteps, most, &count);
    for (uint32_t i = 0; i < count; i++)
        draw_footstep(drawing, &footsteps[i], length);
    if (count > 0)
        name_feet(drawing, (float)drawing->picture->width - 15 * drawing->view.text, drawing->view.notes_top);
    tr_release(&allocator, footsteps, most, sizeof *footsteps);
    return TR_OK;
}

static void draw_ends(const surface_drawing *drawing, const route_order *order, const surface_answer *answer,
                      tr_color start, tr_color goal) {
    const tr_surface_view *view = &drawing->view;
    float radius = 1.8f * drawing->width;
    bool found = answer->point_count > 0;
    for (uint32_t i = 0; i < order->goal_count; i++) {
        tr_vec3 at =
            surface_world_point(drawing->world, drawing->request->orders.goals[order->first_goal + i]);
        if (found && (order->goal_count == 1 || i == answer->result.goal))
            at = answer->points[answer->point_count - 1].position;
        draw_target(drawing, tr_surface_view_pixel(view, at, tr_surface_view_storey(view, at.y)), radius,
                    goal);
    }
    tr_vec3 at = found ? answer->points[0].position : surface_world_point(drawing->world, order->from);
    draw_dot(drawing, tr_surface_view_pixel(view, at, tr_surface_view_storey(view, at.y)), radius, start);
}

static void describe(const surface_drawing *drawing, const surface_answer *answer, char *text, size_t size) {
    if (!surface_answer_has_path(answer))
        snprintf(text, size, "no path: %.150s", answer->reason);
    else if (answer->times)
        snprintf(text, size, "%s%.2f m, arrives after %.2f s",
                 answer->status == TR_PARTIAL ? "partial, " : "", answer->length,
                 answer->times[answer->point_count - 1]);
    else
        snprintf(text, size, "%s%.2f m by %s, %llu expanded", answer->status == TR_PARTIAL ? "partial, " : "",
                 answer->length, surface_method_name(drawing->request),
                 (unsigned long long)answer->result.counters.expanded);
}

static void list_routes(const surface_drawing *drawing, const surface_answer *answers) {
    uint32_t count = drawing->request->orders.count, found = 0;
    float text = drawing->view.text, x = drawing->view.left, y = drawing->view.notes_top;
    char words[240];
    for (uint32_t i = 0; i < count; i++) {
        found += answers[i].status == TR_OK;
        if (count > ROUTES_LISTED)
            continue;
        describe(drawing, &answers[i], words, sizeof words);
        tr_picture_line(drawing->picture, x, y + 0.45f * text, x + 1.6f * text, y + 0.45f * text,
                        drawing->width, route_colors[i % ROUTE_COLORS], 1);
        tr_picture_text(drawing->picture, x + 2.2f * text, y, text, words, ink);
        y += 1.8f * text;
    }
    snprintf(words, sizeof words, "%u routes, %u found", count, found);
    if (count > ROUTES_LISTED)
        tr_picture_text(drawing->picture, x, y, text, words, ink);
}

static tr_status draw_routes(const surface_drawing *drawing, const surface_answer *answers, tr_error *error) {
    const route_orders *orders = &drawing->request->orders;
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < orders->count; i++)
        draw_route(drawing, &answers[i], route_colors[i % ROUTE_COLORS]);
    for (uint32_t i = 0; status == TR_OK && i < orders->count && orders->count <= ROUTES_LISTED; i++)
        status = draw_footsteps(drawing, &answers[i], error);
    for (uint32_t i = 0; i < orders->count && orders->count <= ROUTES_MARKED; i++) {
        tr_color color = route_colors[i % ROUTE_COLORS];
        draw_ends(drawing, &orders->orders[i], &answers[i], orders->count == 1 ? start_color : color,
                  orders->count == 1 ? goal_color : color);
    }
    if (orders->count == 1)
        draw_passages(drawing, &answers[0]);
    list_routes(drawing, answers);
    return status;
}

// A separate planner, so that the picture shows what is reached from the starts without changing the times.
static tr_status create_shown(const route_request *request, const surface_world *world,
                              tr_surface_route **shown, tr_error *error) {
    tr_allocator allocator = tr_allocator_default();
    uint32_t count = request->orders.count;
    tr_vec3 *seeds = tr_allocate(&allocator, count, sizeof *seeds);
    if (!seeds)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for %u starts", count);
    for (uint32_t i = 0; i < count; i++)
        seeds[i] = surface_world_point(world, request->orders.orders[i].from);
    tr_surface_route_def def = {.surface = surface_world_surface(world),
                                .person = world->person,
                                .border_neighbours = request->surface.border_cells};
    tr_status status = tr_surface_route_create(&def, shown, error);
    if (status == TR_OK && request->surface.link_count > 0)
        status =
            tr_surface_route_set_links(*shown, request->surface.links, request->surface.link_count, error);
    // No start can stand, or there are more starts than a flood can have: show all cells.
    if (status == TR_OK && tr_surface_route_mark_border(*shown, seeds, count, NULL) != TR_OK)
        status = tr_surface_route_mark_border(*shown, NULL, 0, error);
    tr_release(&allocator, seeds, count, sizeof *seeds);
    return status;
}

// --- The states of the ground ---

#define BESIDE_RISE 0.1f // the border continues over such rises [m]
enum { MAY_BE_BORDER = 3 };

typedef struct ground_drawing {
    const surface_world *world;
    const tr_surface *surface;
    tr_surface_scale scale;
    tr_ground_place starts[STARTS_LOOKED_AT];
    uint32_t start_count;
    uint8_t *states;
} ground_drawing;

static tr_ground_place start_of(const route_request *request, const surface_world *world, uint32_t order) {
    tr_vec3 from = surface_world_point(world, request->orders.orders[order].from);
    tr_ground_place place = tr_ground_drop(world->ground, world->sizes[0], from, 0.5f);
    return place.why == TR_GROUND_FREE ? place : tr_ground_nearest(world->ground, world->sizes[0], from, 2);
}

// Marks cells that are free and connected with a start, and cells that may be beside them.
static void take_states(const ground_drawing *drawing, uint32_t column, uint32_t row) {
    const surface_world *world = drawing->world;
    tr_surface_column cells = tr_surface_at(drawing->surface, column, row);
    tr_vec2 centre = tr_grid_centre(&world->def.grid.grid, column, row);
    for (uint32_t i = 0; i < cells.count; i++) {
        uint8_t *state = &drawing->states[cells.first + i];
        double height = drawing->scale.bottom + cells.heights[i] * drawing->scale.unit;
        *state = TR_SURFACE_ROUTE_UNSEEN;
        if (!tr_surface_is_for_standing(cells.rooms[i]))
            continue;
        tr_ground_place place =
            tr_ground_level(world->ground, world->sizes[0], tr_vec3_make(centre.x, (float)height, centre.z));
        if (place.why == TR_GROUND_NARROW)
            *state = MAY_BE_BORDER;
        for (uint32_t k = 0; k < drawing->start_count && place.why == TR_GROUND_FREE; k++)
            if (tr_ground_connected(world->ground, world->sizes[0], &place, &drawing->starts[k]))
                *state = TR_SURFACE_ROUTE_FREE;
    }
}

// Is a cell of the neighbouring column at about this height free or border?
static bool is_known_beside(const ground_drawing *drawing, uint32_t column, uint32_t row, uint16_t height) {
    const tr_grid *grid = &drawing->world->def.grid.grid;
    if (column >= grid->columns || row >= grid->rows)
        return false;
    tr_surface_column cells = tr_surface_at(drawing->surface, column, row);
    for (uint32_t i = 0; i < cells.count; i++) {
        double rise = ((double)cells.heights[i] - height) * drawing->scale.unit;
        uint8_t state = drawing->states[cells.first + i];
        if ((state == TR_SURFACE_ROUTE_FREE || state == TR_SURFACE_ROUTE_BORDER) &&
            fabs(rise) <= (double)BESIDE_RISE)
            return true;
    }
    return false;
}

// Grows the border from the free cells.
static bool grow_border(const ground_drawing *drawing) {
    const tr_grid *grid = &drawing->world->def.grid.grid;
    bool grown = false;
    for (uint32_t row = 0; row < grid->rows; row++)
        for (uint32_t column = 0; column < grid->columns; column++) {
            tr_surface_column cells = tr_surface_at(drawing->surface, column, row);
            for (uint32_t i = 0; i < cells.count; i++) {
                uint8_t *state = &drawing->states[cells.first + i];
                uint16_t height = cells.heights[i];
                if (*state != MAY_BE_BORDER || !(is_known_beside(drawing, column + 1, row, height) ||
                                                 is_known_beside(drawing, column - 1, row, height) ||
                                                 is_known_beside(drawing, column, row + 1, height) ||
                                                 is_known_beside(drawing, column, row - 1, height)))
                    continue;
                *state = TR_SURFACE_ROUTE_BORDER;
                grown = true;
            }
        }
    return grown;
}

// The states of the ground as reached from the starts, one for each cell of the surface.
static void find_states(const route_request *request, const surface_world *world, uint8_t *states) {
    const tr_grid *grid = &world->def.grid.grid;
    ground_drawing drawing = {.world = world,
                              .surface = surface_world_surface(world),
                              .scale = tr_surface_scale_of(surface_world_surface(world)),
                              .states = states};
    for (uint32_t i = 0; i < request->orders.count && i < STARTS_LOOKED_AT; i++)
        drawing.starts[drawing.start_count++] = start_of(request, world, i);
    for (uint32_t row = 0; row < grid->rows; row++)
        for (uint32_t column = 0; column < grid->columns; column++)
            take_states(&drawing, column, row);
    while (grow_border(&drawing))
        ;
    for (uint32_t i = 0; i < tr_surface_cell_count(drawing.surface); i++)
        states[i] = states[i] == MAY_BE_BORDER ? TR_SURFACE_ROUTE_UNSEEN : states[i];
}

static uint32_t picture_width(const route_request *request, const surface_world *world) {
    const tr_grid *grid = &world->def.grid.grid;
    double wish = 0.866 * (double)request->pixels * (double)(grid->columns + grid->rows);
    return wish > 0 ? (uint32_t)fmin(fmax(wish, 320), TR_PICTURE_SIDE_MAX / 2) : PICTURE_WIDTH;
}

tr_status surface_draw(const route_request *request, const surface_world *world,
                       const surface_answer *answers, tr_error *error) {
    uint32_t count = request->orders.count;
    tr_surface_route *shown = NULL;
    tr_allocator allocator = tr_allocator_default();
    uint32_t cells = tr_surface_cell_count(surface_world_surface(world));
    uint8_t *states = world->ground ? tr_allocate(&allocator, cells, 1) : NULL;
    tr_picture picture;
    surface_drawing drawing = {.request = request, .world = world, .picture = &picture};
    char title[160];
    const char *slash = strrchr(world->name, '/');
    snprintf(title, sizeof title, count == 1 ? "%.100s, a route" : "%.100s, %u routes",
             slash ? slash + 1 : world->name, count);
    tr_status status = world->ground ? TR_OK : create_shown(request, world, &shown, error);
    if (world->ground && !states)
        status = tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a picture of %u cells", cells);
    if (states)
        find_states(request, world, states);
    tr_surface_layers layers = {.surface = surface_world_surface(world),
                                .route = shown,
                                .states = states,
                                .width = picture_width(request, world),
                                .note_lines = count <= ROUTES_LISTED ? count : 1};
    if (status == TR_OK)
        status = tr_picture_draw_surface(NULL, &layers, title, &picture, &drawing.view, error);
    tr_surface_route_destroy(shown);
    tr_release(&allocator, states, cells, 1);
    if (status != TR_OK)
        return status;
    drawing.width = count > ROUTES_MARKED ? 1.2f : 3.5f;
    status = draw_routes(&drawing, answers, error);
    if (status == TR_OK)
        status = tr_picture_write_png(&picture, request->png, error);
    tr_picture_destroy(&picture);
    return status;
}
