// Writes a disc and its route into bytes and reads them back.
#include "follow_data.h"

#include <math.h>

#define POINTS_MAX (1u << 20) // of a route
#define RATE_MAX 1000.0f      // no body is faster [m/s, rad/s]

void tr_follow_archive_state(tr_follow_state *state, tr_archive *archive) {
    tr_archive_vec2(archive, &state->position);
    tr_archive_float(archive, &state->heading);
    tr_archive_float(archive, &state->speed);
    tr_archive_float(archive, &state->side_speed);
    tr_archive_float(archive, &state->turn_rate);
    tr_archive_float(archive, &state->progress);
    state->mode = (tr_follow_mode)tr_archive_choice(archive, state->mode, TR_FOLLOW_REST + 1);
    tr_archive_vec2(archive, &state->remainder);
    tr_archive_u32(archive, &state->piece);
    tr_archive_u32(archive, &state->aim);
    bool sane = fabsf(state->position.x) <= TR_FOLLOW_EXTENT_MAX &&
                fabsf(state->position.z) <= TR_FOLLOW_EXTENT_MAX && fabsf(state->heading) < 1e6f &&
                fabsf(state->speed) <= RATE_MAX && fabsf(state->side_speed) <= RATE_MAX &&
                fabsf(state->turn_rate) <= RATE_MAX && fabsf(state->remainder.x) <= 1 &&
                fabsf(state->remainder.z) <= 1;
    tr_archive_check(archive, sane, "the saved state of motion is out of range");
}

void tr_follow_archive_route(tr_follow_route *route, const tr_follow_params *params, tr_archive *archive) {
    uint32_t count = tr_archive_count(archive, route->point_count, POINTS_MAX, "points of a route");
    if (tr_archive_reads(archive)) {
        route->point_count = route->knot_count = 0;
        if (count && tr_follow_route_reserve(route, count) != TR_OK) {
            tr_archive_fail(archive, TR_OUT_OF_MEMORY, "no memory for a route of %u points", count);
            return;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        tr_archive_vec2(archive, &route->points[i]);
        tr_archive_bool(archive, &route->sideways[i]);
    }
    bool final = route->has_final_heading;
    float heading = route->final_heading;
    tr_archive_bool(archive, &final);
    tr_archive_float(archive, &heading);
    if (!tr_archive_reads(archive) || !tr_archive_is_good(archive) || count == 0)
        return;
    tr_error error = {0};
    tr_status status = tr_follow_route_set(route, route->points, count, route->sideways,
                                           final ? &heading : NULL, params, &error);
    if (status != TR_OK)
        tr_archive_fail(archive, TR_BAD_FILE, "%s", error.message);
}
