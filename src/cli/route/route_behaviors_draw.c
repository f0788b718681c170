// The picture of planned behaviors: the map at a moment, the first character's search tree coloured by cost
// from blue to red, and the plans with the places where behaviors begin (Lau & Kuffner 2005, figures 4 and
// 5).
#include "route_behaviors.h"
#include "troupe/io/picture.h"

#include <inttypes.h>
#include <stdio.h>

#define PLANS_MARKED 40

static const tr_color ink = {30, 34, 40};
static const tr_color white = {255, 255, 255};
static const tr_color start_color = {36, 128, 84};
static const tr_color goal_color = {190, 36, 52};
static const tr_color ramp[] = {{40, 60, 190}, {40, 160, 200}, {70, 180, 90}, {230, 190, 40}, {210, 50, 40}};
#define RAMP_LAST (sizeof ramp / sizeof ramp[0] - 1)

typedef struct behavior_drawing {
    const route_request *request;
    const behavior_world *world;
    tr_picture picture;
    tr_map_view view;
} behavior_drawing;

static tr_color cost_color(double share) {
    double at = (share < 0 ? 0 : share > 1 ? 1 : share) * RAMP_LAST;
    uint32_t low = at < RAMP_LAST ? (uint32_t)at : RAMP_LAST - 1;
    double part = at - low;
    tr_color a = ramp[low], b = ramp[low + 1];
    tr_color mixed = {(uint8_t)(a.red + (b.red - a.red) * part),
                      (uint8_t)(a.green + (b.green - a.green) * part),
                      (uint8_t)(a.blue + (b.blue - a.blue) * part)};
    return mixed;
}

static double greatest_cost(const behavior_answer *answer) {
    double most = 0;
    for (uint32_t i = 0; i < answer->place_count; i++)
        most = answer->places[i].cost > most ? answer->places[i].cost : most;
    return most > 0 ? most : 1;
}

// A tree that was made beforehand may reach beyond the map.
static bool is_on_map(const behavior_drawing *drawing, tr_vec2 at) {
    const tr_grid *grid = &drawing->view.grid;
    float x = (at.x - grid->origin.x) / grid->cell, z = (at.z - grid->origin.z) / grid->cell;
    return x >= 0 && z >= 0 && x <= (float)grid->columns && z <= (float)grid->rows;
}

static void draw_tree(behavior_drawing *drawing, const behavior_answer *answer) {
    double most = greatest_cost(answer);
    float dot = 0.12f * (float)drawing->view.pixels_per_cell / drawing->view.grid.cell;
    dot = dot < 1.5f ? 1.5f : dot > 4 ? 4 : dot;
    dot = answer->place_count > 20000 ? 1 : dot;
    for (uint32_t i = 0; i < answer->place_count; i++) {
        const tr_behavior_place *place = &answer->places[i];
        tr_vec2 at = tr_map_view_pixel(&drawing->view, place->position);
        if (place->parent == TR_NONE || place->parent >= answer->place_count ||
            !is_on_map(drawing, place->position) ||
            !is_on_map(drawing, answer->places[place->parent].position))
            continue;
        tr_vec2 from = tr_map_view_pixel(&drawing->view, answer->places[place->parent].position);
        tr_picture_line(&drawing->picture, from.x, from.z, at.x, at.z, 0.7f, cost_color(place->cost / most),
                        answer->place_count > 5000 ? 0.12f : 0.3f);
    }
    for (uint32_t i = 0; i < answer->place_count; i++) {
        tr_vec2 at = tr_map_view_pixel(&drawing->view, answer->places[i].position);
        if (is_on_map(drawing, answer->places[i].position))
            tr_picture_disc(&drawing->picture, at.x, at.z, dot, cost_color(answer->places[i].cost / most), 1);
    }
}

static void draw_plan(behavior_drawing *drawing, const behavior_answer *answer) {
    const tr_behavior_def *machine = tr_behavior_def_of(drawing->world->machine.machine);
    const tr_behavior_plan *plan = &answer->plan;
    for (int layer = 0; layer < 2; layer++)
        for (uint32_t i = 0; i < plan->action_count; i++) {
            tr_vec2 a = tr_map_view_pixel(&drawing->view, plan->actions[i].position);
            tr_vec2 b = tr_map_view_pixel(
                &drawing->view, i + 1 < plan->action_count ? plan->actions[i + 1].position : plan->end);
            tr_picture_line(&drawing->picture, a.x, a.z, b.x, b.z, layer ? 2 : 5, layer ? ink : white, 1);
            if (layer) {
                tr_picture_disc(&drawing->picture, b.x, b.z, 4.5f, white, 1);
                tr_picture_disc(&drawing->picture, b.x, b.z, 3, ink, 1);
            }
        }
    for (uint32_t i = 0; i < plan->action_count; i++) { // special behaviors have their names
        const tr_behavior_state *state = &machine->states[plan->actions[i].state];
        if (!state->serves || !state->name)
            continue;
        tr_vec2 a = tr_map_view_pixel(&drawing->view, plan->actions[i].position);
        tr_vec2 b = tr_map_view_pixel(&drawing->view,
                                      i + 1 < plan->action_count ? plan->actions[i + 1].position : plan->end);
        float x = (a.x + b.x) / 2 + 8, y = (a.z + b.z) / 2 - 7, height = drawing->view.text;
        float width = tr_picture_text_width(height, state->name);
        tr_picture_rectangle(&drawing->picture, x - 3, y - 2, x + width + 3, y + height + 2, white, 0.85f);
        tr_picture_text(&drawing->picture, x, y, height, state->name, ink);
    }
}

static void draw_ends(behavior_drawing *drawing, uint32_t index, const behavior_answer *answer) {
    const route_orders *orders = &drawing->request->orders;
    const route_order *order = &orders->orders[index];
    tr_vec2 at = tr_map_view_pixel(&drawing->view, tr_vec3_from_above(answer->start));
    tr_picture_disc(&drawing->picture, at.x, at.z, 7, white, 1);
    tr_picture_disc(&drawing->picture, at.x, at.z, 5.5f, start_color, 1);
    for (uint32_t i = 0; i < order->goal_count; i++) {
        const route_point *goal = &orders->goals[order->first_goal + i];
        at = tr_map_view_pixel(&drawing->view, tr_vec2_make((float)goal->x, (float)goal->z));
        tr_picture_disc(&drawing->picture, at.x, at.z, 7, white, 1);
        tr_picture_disc(&drawing->picture, at.x, at.z, 5.5f, goal_color, 1);
    }
}

static void draw_notes(behavior_drawing *drawing, const behavior_answer *answers) {
    const behavior_answer *first = &answers[0];
    float x = drawing->view.left, y = drawing->view.notes_top, height = drawing->view.text;
    char text[200];
    snprintf(text, sizeof text, "cost 0 to %.1f", greatest_cost(first));
    for (float i = 0; i < 120; i += 1)
        tr_picture_rectangle(&drawing->picture, x + i, y, x + i + 1, y + height, cost_color((double)i / 120),
                             1);
    tr_picture_text(&drawing->picture, x + 130, y, height, text, ink);
    if (first->status == TR_NOT_FOUND)
        snprintf(text, sizeof text, "no plan after %u nodes", first->result.nodes);
    else
        snprintf(text, sizeof text,
                 "%u nodes, %" PRIu64 " expanded, %.1f ms; %u behaviors, cost %.2f, %.1f s",
                 first->result.nodes, first->result.expanded, first->search_us / 1000,
                 first->plan.action_count, first->plan.cost,
                 first->plan.action_count
                     ? behavior_seconds(drawing->world, first->plan.end_frame - first->plan.actions[0].frame)
                     : 0);
    tr_picture_text(&drawing->picture, x, y + 1.8f * height, height, text, ink);
}

tr_status behavior_draw(const route_request *request, const behavior_world *world,
                        const behavior_answer *answers, tr_error *error) {
    behavior_drawing drawing = {.request = request, .world = world};
    const behavior_options *options = &request->behaviors;
    double moment = isnan(options->moment) ? options->depart : options->moment;
    tr_behavior_layers layers = {world->map, behavior_frame(world, moment), 2};
    uint32_t pixels = scene_pixels_per_cell(request->pixels, tr_behavior_map_grid(world->map));
    char title[160];
    // Where the others are at that moment would hide the plans.
    for (uint32_t i = 0; i < request->orders.count; i++)
        tr_behavior_map_withdraw(world->map, i);
    snprintf(title, sizeof title, "%.80s: %s%s", world->name, request->search ? request->search : "astar",
             options->as_written ? " as written" : "");
    tr_status status =
        tr_picture_draw_behavior_map(NULL, &layers, pixels, title, &drawing.picture, &drawing.view, error);
    if (status != TR_OK)
        return status;
    draw_tree(&drawing, &answers[0]);
    for (uint32_t i = 0; i < request->orders.count; i++)
        if (answers[i].status != TR_NOT_FOUND)
            draw_plan(&drawing, &answers[i]);
    for (uint32_t i = 0; i < request->orders.count && request->orders.count <= PLANS_MARKED; i++)
        draw_ends(&drawing, i, &answers[i]);
    draw_notes(&drawing, answers);
    status = tr_picture_write_png(&drawing.picture, request->png, error);
    tr_picture_destroy(&drawing.picture);
    return status;
}
