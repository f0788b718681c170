// Several people planned one after the other: each avoids those planned before.
#include "route_surface.h"
#include "troupe/base/clock.h"

#include <stdio.h>

#define MARGIN 0.1f // distance between two people, as on a stage [m]

static tr_go_disc disc_of(const surface_world *world) {
    tr_go_disc disc = {.radius = world->person.radius > 0 ? world->person.radius : 0.25f,
                       .height = world->person.height,
                       .margin = MARGIN,
                       .tick_seconds = world->tick,
                       .wait_max = ROUTE_WAIT_MAX,
                       .around = true};
    return disc;
}

// Adds the way to the timeline for those planned later; its number there is that of its order.
static tr_status commit(surface_world *world, uint32_t ticks, tr_error *error) {
    tr_allocator allocator = tr_allocator_default();
    tr_go_disc disc = disc_of(world);
    uint32_t count = ticks + 1, body;
    tr_vec3 *positions = tr_allocate(&allocator, count, sizeof *positions);
    if (!positions)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for %u positions", count);
    for (uint32_t i = 0; i < count; i++)
        positions[i] = tr_way_at_time(&world->way, i * world->tick);
    tr_status status = tr_timeline_add(world->timeline, positions[0], disc.radius, disc.height, &body, error);
    if (status == TR_OK && tr_timeline_commit(world->timeline, body, 0, positions, count) != TR_OK)
        status = tr_fail(error, TR_LIMIT, "a way of %u ticks does not fit into the timeline", count);
    tr_release(&allocator, positions, count, sizeof *positions);
    return status;
}

tr_status ground_answer_stay(surface_world *world, tr_vec3 place, tr_error *error) {
    tr_go_disc disc = disc_of(world);
    uint32_t body;
    return tr_timeline_add(world->timeline, place, disc.radius, disc.height, &body, error);
}

tr_status ground_answer_pace(surface_world *world, const tr_go_query *query, surface_answer *answer,
                             tr_error *error) {
    tr_go_disc disc = disc_of(world);
    tr_go_pace_result result;
    uint64_t begin = tr_clock_nanoseconds();
    tr_status status =
        tr_go_pace(world->go, world->ground, world->timeline, query, &disc, &world->way, &result, error);
    answer->search_us += microseconds_since(begin);
    answer->waits = result.waits;
    if (status == TR_NOT_FOUND) {
        answer->status = status;
        if (result.body != TR_NONE)
            snprintf(answer->reason, sizeof answer->reason, "route %u is in the way", result.body + 1);
        else
            snprintf(answer->reason, sizeof answer->reason, "object %u is in the way", result.object);
        return TR_OK;
    }
    return status == TR_OK ? commit(world, result.ticks, error) : status;
}
