// troupe route over ground that need not be level: paths over stairs, gaps and storeys.
#include "route_surface.h"
#include "cli/papers/footstep_corners.h"
#include "cli/json_fields.h"
#include "cli/progress.h"

#include <math.h>

// `answers` is NULL when none is kept, `pairs` when none is printed at once.
static tr_status find_all(const route_request *request, surface_world *world, surface_answer *answers,
                          tr_json_writer *pairs, route_tally *tally, tr_error *error) {
    tr_status status = TR_OK;
    progress_bar bar = progress_begin("troupe route", request->orders.count);
    for (uint32_t i = 0; status == TR_OK && i < request->orders.count; i++) {
        surface_answer one = {.cells = NULL}, *answer = answers ? &answers[i] : &one;
        status = surface_answer_find(request, world, &request->orders.orders[i], !request->pairs_path, answer,
                                     error);
        if (status == TR_OK)
            route_tally_add(tally, answer->status, answer->search_us);
        if (status == TR_OK && pairs)
            surface_print_pair(pairs, request, answer);
        if (!answers)
            surface_answer_free(answer);
        progress_step(&bar, i);
    }
    progress_end(&bar);
    return status;
}

// Of many pairs each is printed and forgotten, so that memory does not grow with their paths; a picture needs
// all of them.
static tr_status answer_orders(const route_request *request, surface_world *world, route_tally *tally,
                               tr_error *error) {
    tr_allocator allocator = tr_allocator_default();
    bool pairs = request->pairs_path != NULL, keeps = !pairs || request->png;
    uint32_t count = keeps ? request->orders.count : 0;
    surface_answer *answers = keeps ? tr_allocate_zero(&allocator, count, sizeof *answers) : NULL;
    if (keeps && !answers)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for %u routes", count);
    tr_json_writer writer = route_print_begin();
    tr_status status =
        find_all(request, world, answers, pairs && request->json ? &writer : NULL, tally, error);
    if (status == TR_OK && request->png)
        status = surface_draw(request, world, answers, error);
    if (status == TR_OK && !request->json)
        surface_print_table(request, world, answers, tally);
    else if (status == TR_OK)
        status = pairs ? surface_print_end(&writer, request, world, tally, error)
                       : surface_print_json(request, world, answers, tally, error);
    json_drop(&writer);
    for (uint32_t i = 0; i < count; i++)
        surface_answer_free(&answers[i]);
    tr_release(&allocator, answers, count, sizeof *answers);
    return status;
}

// A sample with a default route needs no --from.
static tr_status take_sample_way(route_request *request, const surface_world *world, tr_error *error) {
    const tr_sample *sample = &world->scene.sample;
    if (request->orders.count > 0)
        return TR_OK;
    if (sample->columns == 0)
        return tr_fail(error, TR_INVALID,
                       "route needs --from X,Y,Z and --to X,Y,Z: the sample %s has no default route",
                       world->name);
    route_point from = {(double)sample->start.x, (double)sample->start.y, (double)sample->start.z, true};
    route_point to = {(double)sample->goal.x, (double)sample->goal.y, (double)sample->goal.z, true};
    if (!route_orders_add_start(&request->orders, from) || !route_orders_add_goal(&request->orders, to))
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a route");
    return TR_OK;
}

tr_status route_surface_run(route_request *request, bool *succeeded, tr_error *error) {
    surface_world world = {.name = NULL};
    route_tally tally = {.count = 0};
    tr_status status = surface_world_create(request, &world, error);
    if (status == TR_OK)
        status = take_sample_way(request, &world, error);
    if (status == TR_OK)
        status = answer_orders(request, &world, &tally, error);
    *succeeded = tally.unanswered == 0;
    surface_world_destroy(&world);
    return status;
}

uint32_t surface_answer_footsteps_most(const surface_answer *answer) {
    double strides = answer->length / 0.05;
    uint32_t cells = 2 * answer->cell_count + 2;
    return strides < 1e6 && (uint32_t)strides + 64 > cells ? (uint32_t)strides + 64 : cells;
}

// Both feet side by side at the start, facing along the path.
static void stand_at_start(const surface_answer *answer, const tr_footstep_params *params,
                           tr_footstep feet[2]) {
    tr_vec3 at = answer->points[0].position, ahead = tr_vec3_make(0, 0, 1);
    for (uint32_t i = 1; i < answer->point_count; i++) {
        tr_vec3 way = tr_vec3_subtract(answer->points[i].position, at);
        double length = hypot((double)way.x, (double)way.z);
        if (!(length > 0.05))
            continue;
        ahead = tr_vec3_make((float)((double)way.x / length), 0, (float)((double)way.z / length));
        break;
    }
    // Facing +Z, the left hand is at +X.
    for (uint32_t side = 0; side < 2; side++) {
        float out = (side == 0 ? 0.5f : -0.5f) * params->apart;
        tr_footstep foot = {.side = side,
                            .position = tr_vec3_make(at.x + out * ahead.z, at.y, at.z - out * ahead.x),
                            .heading = (float)atan2((double)ahead.x, (double)ahead.z),
                            .support = 1};
        feet[side] = foot;
    }
}

tr_status surface_answer_footstep(const route_request *request, const surface_world *world,
                                  const surface_answer *answer, tr_footstep *footsteps, uint32_t most,
                                  uint32_t *count) {
    *count = 0;
    if (request->surface.footstep_window)
        return surface_answer_window(world, answer, NULL, footsteps, most, count);
    if (request->surface.footstep_corners)
        return paper_footstep_corners(world->surface, answer->cells, answer->cell_count, 1, footsteps, most,
                                      count);
    tr_footstep_scratch *scratch = NULL;
    tr_footstep_params params = tr_footstep_params_default(world->person.height);
    tr_footstep feet[2];
    stand_at_start(answer, &params, feet);
    tr_status status = tr_footstep_scratch_create(NULL, &scratch, NULL);
    if (status == TR_OK)
        status = tr_footstep_plan(scratch,
                                  &(tr_footstep_query){.surface = surface_world_surface(world),
                                                       .points = answer->points,
                                                       .point_count = answer->point_count,
                                                       .feet = feet,
                                                       .first = 2,
                                                       .params = &params},
                                  footsteps, most, count, NULL);
    tr_footstep_scratch_destroy(scratch);
    if (status != TR_OK)
        *count = 0;
    return status;
}
