#include "cli/json_fields.h"
#include "route_surface.h"

#include <inttypes.h>
#include <stdio.h>

#define POINTS_SHOWN 12

static const char *fate_name(tr_surface_route_fate fate) {
    static const char *const names[] = {"on", "dropped", "moved", "nowhere", "in_border"};
    return names[fate];
}

static uint64_t all_bytes(const surface_world *world) {
    return world->ground ? tr_ground_bytes(world->ground)
                         : tr_surface_bytes(world->surface) + tr_surface_route_bytes(world->route);
}

static void print_fate(const char *what, tr_surface_route_fate fate, float fall, bool solid) {
    if (fate == TR_SURFACE_ROUTE_DROPPED)
        printf("%-10s in mid-air, dropped by %.2f m\n", what, (double)fall);
    else if (fate == TR_SURFACE_ROUTE_MOVED)
        printf("%-10s %smoved to the nearest free cell\n", what, solid ? "inside an obstacle, " : "");
    else if (fate == TR_SURFACE_ROUTE_IN_BORDER)
        printf("%-10s in the border\n", what);
}

// Heights are relative to the bottom of the grid, so 0 may become a nanometre.
static float clean(float metres) {
    return fabsf(metres) < 1e-6f ? 0 : metres;
}

static void print_points(const surface_answer *answer) {
    printf("%-10s", "points");
    for (uint32_t i = 0; i < answer->point_count && i < POINTS_SHOWN; i++) {
        tr_vec3 p = answer->points[i].position;
        printf(" %.4g,%.4g,%.4g", (double)clean(p.x), (double)clean(p.y), (double)clean(p.z));
        if (answer->times)
            printf("@%.4g", answer->times[i]);
    }
    if (answer->point_count > POINTS_SHOWN)
        printf(" and %u more (--json has all)", answer->point_count - POINTS_SHOWN);
    printf("\n");
}

// The number of stretches with turned shoulders or sideways steps.
static uint32_t count_narrow(const surface_answer *answer) {
    uint32_t narrow = 0;
    for (uint32_t i = 0; answer->rooms && i + 1 < answer->point_count; i++)
        narrow += answer->rooms[i] != TR_WAY_OPEN;
    return narrow;
}

static uint32_t count_pieces(const surface_answer *answer, tr_way_kind kind) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < answer->piece_count; i++)
        count += answer->pieces[i].kind == kind;
    return count;
}

static void print_way(const surface_answer *answer) {
    const tr_surface_route_result *result = &answer->result;
    printf("%-10s %s, %.2f m in %u points", "route", surface_answer_status(answer), answer->length,
           answer->point_count);
    if (answer->times)
        printf(", arrives after %.2f s, %.2f s of it waiting", answer->times[answer->point_count - 1],
               answer->waits);
    if (answer->cell_count > 0)
        printf("; %.2f m over %u cells", result->length, answer->cell_count);
    if (result->border_cells > 0)
        printf(", %u of them in the border", result->border_cells);
    if (count_pieces(answer, TR_WAY_STEP) > 0)
        printf(", %u by footsteps", count_pieces(answer, TR_WAY_STEP));
    if (count_pieces(answer, TR_WAY_RIDE) > 0)
        printf(", %u carried", count_pieces(answer, TR_WAY_RIDE));
    if (count_narrow(answer) > 0)
        printf(", %u narrow", count_narrow(answer));
    printf("\n");
}

static void print_answer(const route_request *request, const route_order *order,
                         const surface_answer *answer) {
    const tr_surface_route_result *result = &answer->result;
    if (!surface_answer_has_path(answer)) {
        printf("%-10s %s: %s\n", "route", surface_answer_status(answer), answer->reason);
    } else {
        print_way(answer);
        print_fate("start", result->start_fate, answer->start_fall, answer->start_solid);
        print_fate("goal", result->goal_fate, answer->goal_fall, answer->goal_solid);
        if (order->goal_count > 1 && result->goal != TR_NONE)
            printf("%-10s %u of %u\n", "reached", result->goal + 1, order->goal_count);
        print_points(answer);
    }
    printf("%-10s %s, %" PRIu64 " expanded, %.1f us", "search", surface_method_name(request),
           result->counters.expanded, answer->search_us);
    if (request->planner == ROUTE_SURFACE_CELLS)
        printf("; straightened in %.1f us", answer->straighten_us);
    printf("\n");
}

void surface_print_table(const route_request *request, const surface_world *world,
                         const surface_answer *answers, const route_tally *tally) {
    const tr_voxel_grid *grid = &world->def.grid;
    const tr_ground_body *person = &world->person;
    printf("%-10s %s, %u x %u columns of %g m, %u layers of %g m\n", "scene", world->name, grid->grid.columns,
           grid->grid.rows, (double)grid->grid.cell, grid->layers, (double)grid->layer);
    printf("%-10s %.2f m, foot span %.2f m, rise %.2f m, radius %.2f m, slope %g degrees\n", "person",
           (double)person->height, (double)person->foot_span, (double)person->foot_rise,
           (double)person->radius, world->slope);
    printf("%-10s %u cells, %" PRIu64 " bytes in all", "surface",
           tr_surface_cell_count(surface_world_surface(world)), all_bytes(world));
    if (world->route)
        printf("; %u reached, %u border", tr_surface_route_reached(world->route),
               tr_surface_route_border(world->route));
    printf("\n");
    printf("%-10s %.0f us by %s; reachable cells %.0f us\n", "project", world->project_us,
           tr_raster_name(world->scene.raster), world->border_us);
    if (request->pairs_path)
        printf("%-10s %u, %u found, %.1f us each\n", "pairs", tally->count, tally->found,
               route_tally_mean_us(tally));
    else
        for (uint32_t i = 0; i < request->orders.count; i++)
            print_answer(request, &request->orders.orders[i], &answers[i]);
    if (request->png)
        printf("%-10s %s\n", "picture", request->png);
}

static void write_position(tr_json_writer *writer, tr_vec3 p) {
    tr_json_write_array(writer);
    tr_json_write_float(writer, clean(p.x));
    tr_json_write_float(writer, clean(p.y));
    tr_json_write_float(writer, clean(p.z));
    tr_json_write_end(writer);
}

static void write_points(tr_json_writer *writer, const surface_answer *answer) {
    tr_json_write_key(writer, "points");
    tr_json_write_array(writer);
    for (uint32_t i = 0; i < answer->point_count; i++)
        write_position(writer, answer->points[i].position);
    tr_json_write_end(writer);
    if (!answer->times)
        return;
    tr_json_write_key(writer, "times");
    tr_json_write_array(writer);
    for (uint32_t i = 0; i < answer->point_count; i++)
        tr_json_write_number(writer, answer->times[i]);
    tr_json_write_end(writer);
}

static tr_status write_footsteps(tr_json_writer *writer, const route_request *request,
                                 const surface_world *world, const surface_answer *answer, tr_error *error) {
    tr_allocator allocator = tr_allocator_default();
    uint32_t most = surface_answer_footsteps_most(answer), count = 0;
    tr_footstep *footsteps = tr_allocate(&allocator, most, sizeof *footsteps);
    if (!footsteps)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for %u footsteps", most);
    if (surface_answer_has_path(answer))
        surface_answer_footstep(request, world, answer, footsteps, most, &count);
    tr_json_write_key(writer, "footsteps");
    tr_json_write_array(writer);
    for (uint32_t i = 0; i < count; i++) {
        tr_json_write_object(writer);
        json_field_text(writer, "side", footsteps[i].side == 0 ? "left" : "right");
        tr_json_write_key(writer, "position");
        write_position(writer, footsteps[i].position);
        json_field_float(writer, "heading", footsteps[i].heading);
        tr_json_write_end(writer);
    }
    tr_json_write_end(writer);
    tr_release(&allocator, footsteps, most, sizeof *footsteps);
    return TR_OK;
}

static void write_cells(tr_json_writer *writer, const surface_answer *answer) {
    const tr_surface_route_result *result = &answer->result;
    bool found = surface_answer_has_path(answer);
    json_field_number(writer, "cells_length", found ? result->length : (double)NAN);
    json_field_count(writer, "cells", answer->cell_count);
    json_field_count(writer, "border_cells", found ? result->border_cells : 0);
    json_field_boolean(writer, "through_border",
                       result->border_leads_through || (found && result->border_cells > 0));
}

// Stretches of one kind, given by the numbers of their first and last points, and those that are narrow.
static void write_pieces(tr_json_writer *writer, const surface_answer *answer) {
    static const char *const kinds[] = {"walk", "footsteps", "carried"}, *const rooms[] = {"open", "tight",
                                                                                           "side"};
    if (answer->times)
        json_field_number(writer, "waits", answer->waits);
    tr_json_write_key(writer, "pieces");
    tr_json_write_array(writer);
    for (uint32_t i = 0; i < answer->piece_count; i++) {
        const tr_way_piece *piece = &answer->pieces[i];
        tr_json_write_object(writer);
        json_field_text(writer, "kind", kinds[piece->kind]);
        json_field_count(writer, "first", piece->first);
        json_field_count(writer, "last", piece->first + piece->count - (piece->count > 0));
        tr_json_write_end(writer);
    }
    tr_json_write_end(writer);
    tr_json_write_key(writer, "rooms");
    tr_json_write_array(writer);
    for (uint32_t i = 0; i + 1 < answer->point_count; i++)
        tr_json_write_text(writer, rooms[answer->rooms[i]]);
    tr_json_write_end(writer);
}

static void write_answer(tr_json_writer *writer, const route_request *request, const surface_answer *answer) {
    const tr_surface_route_result *result = &answer->result;
    bool found = surface_answer_has_path(answer);
    json_field_text(writer, "status", surface_answer_status(answer));
    json_field_text(writer, "reason", answer->reason[0] ? answer->reason : NULL);
    json_field_number(writer, "length", found ? answer->length : (double)NAN);
    write_points(writer, answer);
    json_field_boolean(writer, "start_moved", result->start_fate == TR_SURFACE_ROUTE_MOVED);
    json_field_boolean(writer, "goal_moved", result->goal_fate == TR_SURFACE_ROUTE_MOVED);
    json_field_text(writer, "start_fate", fate_name(result->start_fate));
    json_field_text(writer, "goal_fate", fate_name(result->goal_fate));
    json_field_float(writer, "start_fall", answer->start_fall);
    json_field_float(writer, "goal_fall", answer->goal_fall);
    json_field_boolean(writer, "start_solid", answer->start_solid);
    json_field_boolean(writer, "goal_solid", answer->goal_solid);
    tr_json_write_key(writer, "goal");
    if (answer->status == TR_OK && result->goal != TR_NONE)
        tr_json_write_integer(writer, result->goal);
    else
        tr_json_write_null(writer);
    json_field_number(writer, "cost", found ? result->cost : (double)NAN);
    if (request->planner == ROUTE_SURFACE_CELLS)
        write_cells(writer, answer);
    else
        write_pieces(writer, answer);
    json_field_count(writer, "expanded", result->counters.expanded);
    json_field_count(writer, "generated", result->counters.generated);
    json_field_number(writer, "search_us", answer->search_us);
    if (request->planner == ROUTE_SURFACE_CELLS)
        json_field_number(writer, "straighten_us", answer->straighten_us);
}

// With its footsteps, where they are wanted.
static tr_status write_whole_answer(tr_json_writer *writer, const route_request *request,
                                    const surface_world *world, const surface_answer *answer,
                                    tr_error *error) {
    write_answer(writer, request, answer);
    return request->surface.footsteps ? write_footsteps(writer, request, world, answer, error) : TR_OK;
}

static void write_setting(tr_json_writer *writer, const route_request *request, const surface_world *world) {
    const tr_voxel_grid *grid = &world->def.grid;
    json_field_text(writer, "scene", world->name);
    json_field_grid(writer, "grid", &grid->grid);
    json_field_number(writer, "project_us", world->project_us);
    json_field_number(writer, "border_us", world->border_us);
    json_field_float(writer, "layer", grid->layer);
    json_field_count(writer, "layers", grid->layers);
    tr_json_write_key(writer, "person");
    tr_json_write_object(writer);
    json_field_float(writer, "height", world->person.height);
    json_field_float(writer, "foot_span", world->person.foot_span);
    json_field_float(writer, "foot_rise", world->person.foot_rise);
    json_field_float(writer, "radius", world->person.radius);
    tr_json_write_end(writer);
    json_field_count(writer, "surface_cells", tr_surface_cell_count(surface_world_surface(world)));
    if (world->route) {
        json_field_count(writer, "reached", tr_surface_route_reached(world->route));
        json_field_count(writer, "border", tr_surface_route_border(world->route));
    }
    json_field_count(writer, "bytes", all_bytes(world));
    json_field_text(writer, "search", surface_method_name(request));
    json_field_number(writer, "effort_up", request->surface.effort[0]);
    json_field_number(writer, "effort_down", request->surface.effort[1]);
    json_field_text(writer, "picture", request->png);
}

void surface_print_pair(tr_json_writer *writer, const route_request *request, const surface_answer *answer) {
    tr_json_write_object(writer);
    write_answer(writer, request, answer);
    tr_json_write_end(writer);
    if (!request->png)
        json_print_part(writer);
}

tr_status surface_print_end(tr_json_writer *writer, const route_request *request, const surface_world *world,
                            const route_tally *tally, tr_error *error) {
    route_write_tally(writer, tally);
    write_setting(writer, request, world);
    tr_json_write_end(writer);
    return json_print(writer, error);
}

static tr_status write_routes(tr_json_writer *writer, const route_request *request,
                              const surface_world *world, const surface_answer *answers,
                              const route_tally *tally, tr_error *error) {
    tr_status status = TR_OK;
    json_field_count(writer, "found", tally->found);
    tr_json_write_key(writer, "routes");
    tr_json_write_array(writer);
    for (uint32_t i = 0; status == TR_OK && i < tally->count; i++) {
        tr_json_write_object(writer);
        status = write_whole_answer(writer, request, world, &answers[i], error);
        tr_json_write_end(writer);
    }
    tr_json_write_end(writer);
    return status;
}

tr_status surface_print_json(const route_request *request, const surface_world *world,
                             const surface_answer *answers, const route_tally *tally, tr_error *error) {
    tr_json_writer writer = tr_json_writer_begin(NULL);
    tr_json_write_object(&writer);
    tr_status status = tally->count == 1 ? write_whole_answer(&writer, request, world, &answers[0], error)
                                         : write_routes(&writer, request, world, answers, tally, error);
    write_setting(&writer, request, world);
    tr_json_write_end(&writer);
    if (status == TR_OK)
        return json_print(&writer, error);
    json_drop(&writer);
    return status;
}
