// A disc and its route into bytes and back.
#include "follow_data.h"

#define POINTS_MAX (1u << 20) // of a route

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
}

void tr_follow_archive_params(tr_follow_params *params, tr_archive *archive) {
    tr_archive_float(archive, &params->speed);
    tr_archive_float(archive, &params->small_speed);
    tr_archive_float(archive, &params->position_gain);
    tr_archive_float(archive, &params->heading_gain);
    tr_archive_float(archive, &params->speed_gain);
    tr_archive_float(archive, &params->turn_gain);
    tr_archive_float(archive, &params->turn_threshold);
    tr_archive_float(archive, &params->look_ahead);
    tr_archive_float(archive, &params->near_goal);
    tr_archive_float(archive, &params->arrive);
    params->integrator =
        (tr_follow_integrator)tr_archive_choice(archive, params->integrator, TR_FOLLOW_EXACT + 1);
    tr_archive_bool(archive, &params->turn_in_place);
    tr_archive_float(archive, &params->turn_rate_max);
    tr_archive_float(archive, &params->acceleration_max);
    tr_archive_float(archive, &params->lateral_max);
    tr_archive_float(archive, &params->curve_constant);
    tr_archive_float(archive, &params->side_speed);
    tr_archive_float(archive, &params->corridor);
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
