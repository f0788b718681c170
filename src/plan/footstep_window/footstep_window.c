#include "footstep_window_data.h"
#include "troupe/base/scalar.h"

#define VECTOR 4 // whole vectors are read beyond the last place

tr_footstep_window_params tr_footstep_window_params_default(float height) {
    return (tr_footstep_window_params){.steps = 3,
                                       .intervals = 13,
                                       .length_least = 0.115f * height,
                                       .length_most = 0.53f * height,
                                       .length_usual = 0.41f * height,
                                       .rise_most = 0.24f * height,
                                       .drop_most = 0.3f * height,
                                       .slope_most = 0.47f,
                                       .level = 0.02f,
                                       .support_least = 0.7f,
                                       .margin = 0.01f,
                                       .clear = 0.025f,
                                       .aside = 0.04f,
                                       .energy = 1,
                                       .quality = 0.5f,
                                       .balance = 0.05f};
}

#define LANE_ROWS (4 + STRIDE_RANGES - 1) // numbers for each column of a lane

static size_t lanes_of(uint32_t columns) {
    return (size_t)columns * LANE_ROWS * 2 * WINDOW_LANES;
}
static uint32_t places_of(uint32_t steps, uint32_t intervals) {
    return window_places_before(steps + 1, intervals);
}
static uint32_t stands_of(uint32_t steps, uint32_t intervals) {
    return places_of(steps, intervals) * (intervals + 1);
}
static uint32_t rows_of(uint32_t steps, uint32_t intervals) {
    return places_of(steps, intervals) * window_row_room(intervals);
}
static uint32_t swings_of(uint32_t steps, uint32_t intervals) {
    uint32_t lengths = intervals + 1, count = lengths;
    for (uint32_t i = 2; i <= steps; i++)
        count += window_level_places(i - 2, intervals) * lengths * lengths;
    return count;
}

static void share_lanes(tr_footstep_window *window) {
    float *next = window->lanes;
    for (uint32_t side = 0; side < 2; side++)
        for (uint32_t i = 0; i < WINDOW_LANES; i++) {
            window_lane *lane = &window->lane[side][i];
            lane->top = next, lane->under = next + window->columns;
            lane->high = next + 2 * (size_t)window->columns, lane->low = next + 3 * (size_t)window->columns;
            lane->memory = next + 4 * (size_t)window->columns;
            next += LANE_ROWS * (size_t)window->columns;
        }
}

tr_status tr_footstep_window_create(const tr_allocator *allocator, uint32_t steps, uint32_t intervals,
                                    uint32_t columns, tr_footstep_window **window, tr_error *error) {
    *window = NULL;
    if (steps < 1 || steps > TR_FOOTSTEP_WINDOW_STEPS_MAX || intervals < 1 ||
        intervals > TR_FOOTSTEP_WINDOW_INTERVALS_MAX || columns < 1 || columns > TR_PROFILE_COLUMNS_MAX)
        return tr_fail(error, TR_INVALID,
                       "a window of %u steps, %u intervals and %u columns, it must be 1 to %u, 1 to %u and 1 "
                       "to %u",
                       steps, intervals, columns, TR_FOOTSTEP_WINDOW_STEPS_MAX,
                       TR_FOOTSTEP_WINDOW_INTERVALS_MAX, TR_PROFILE_COLUMNS_MAX);
    tr_allocator own = tr_allocator_or_default(allocator);
    tr_footstep_window *made = tr_allocate_zero(&own, 1, sizeof *made);
    if (!made)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a footstep window");
    made->allocator = own;
    made->steps = steps, made->intervals = intervals, made->columns = columns;
    made->lanes = tr_allocate(&own, lanes_of(columns), sizeof *made->lanes);
    made->places = tr_allocate(&own, places_of(steps, intervals), sizeof *made->places);
    made->bounds = tr_allocate(&own, places_of(steps, intervals), sizeof *made->bounds);
    made->heights = tr_allocate_zero(&own, places_of(steps, intervals) + VECTOR, sizeof *made->heights);
    made->stand_costs =
        tr_allocate_zero(&own, places_of(steps, intervals) + VECTOR, sizeof *made->stand_costs);
    made->rows = tr_allocate(&own, rows_of(steps, intervals), sizeof *made->rows);
    made->row_stamps = tr_allocate_zero(&own, places_of(steps, intervals), sizeof *made->row_stamps);
    made->stands = tr_allocate_zero(&own, stands_of(steps, intervals), sizeof *made->stands);
    made->swings = tr_allocate_zero(&own, swings_of(steps, intervals), sizeof *made->swings);
    made->made = tr_allocate_zero(&own, WINDOW_MADE, sizeof *made->made);
    made->visited = tr_allocate_zero(&own, WINDOW_CONFIGURATIONS, sizeof *made->visited);
    made->queue = tr_allocate(&own, WINDOW_CONFIGURATIONS, sizeof *made->queue);
    if (!made->lanes || !made->places || !made->bounds || !made->heights || !made->stand_costs ||
        !made->rows || !made->row_stamps || !made->stands || !made->swings || !made->made || !made->visited ||
        !made->queue) {
        tr_footstep_window_destroy(made);
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a window of %u steps in %u intervals", steps,
                       intervals);
    }
    share_lanes(made);
    *window = made;
    return TR_OK;
}

void tr_footstep_window_destroy(tr_footstep_window *window) {
    if (!window)
        return;
    tr_allocator own = window->allocator;
    uint32_t steps = window->steps, intervals = window->intervals;
    tr_release(&own, window->lanes, lanes_of(window->columns), sizeof *window->lanes);
    tr_release(&own, window->places, places_of(steps, intervals), sizeof *window->places);
    tr_release(&own, window->bounds, places_of(steps, intervals), sizeof *window->bounds);
    tr_release(&own, window->heights, places_of(steps, intervals) + VECTOR, sizeof *window->heights);
    tr_release(&own, window->stand_costs, places_of(steps, intervals) + VECTOR, sizeof *window->stand_costs);
    tr_release(&own, window->rows, rows_of(steps, intervals), sizeof *window->rows);
    tr_release(&own, window->row_stamps, places_of(steps, intervals), sizeof *window->row_stamps);
    tr_release(&own, window->stands, stands_of(steps, intervals), sizeof *window->stands);
    tr_release(&own, window->swings, swings_of(steps, intervals), sizeof *window->swings);
    tr_release(&own, window->made, WINDOW_MADE, sizeof *window->made);
    tr_release(&own, window->visited, WINDOW_CONFIGURATIONS, sizeof *window->visited);
    tr_release(&own, window->queue, WINDOW_CONFIGURATIONS, sizeof *window->queue);
    tr_release(&own, window, 1, sizeof *window);
}

static tr_status check_params(const tr_footstep_window_params *params, tr_error *error) {
    const struct {
        const char *name;
        float value, least, most;
    } rules[] = {{"length_least", params->length_least, 0.01f, 10},
                 {"length_most", params->length_most, 0.01f, 10},
                 {"length_usual", params->length_usual, 0.01f, 10},
                 {"rise_most", params->rise_most, 0, 10},
                 {"drop_most", params->drop_most, 0, 10},
                 {"slope_most", params->slope_most, 0, 2},
                 {"level", params->level, 0.001f, 1},
                 {"support_least", params->support_least, 0, 1},
                 {"margin", params->margin, 0, 1},
                 {"clear", params->clear, 0, 1},
                 {"aside", params->aside, 0, 1},
                 {"energy", params->energy, 0, 1e6f},
                 {"quality", params->quality, 0, 1e6f},
                 {"side_least", params->side_least, 0, 10},
                 {"side_most", params->side_most, 0, 10},
                 {"turn_most", params->turn_most, 0, 1.4f},
                 {"turn_apart", params->turn_apart, 0, 10},
                 {"balance", params->balance, 0, 10}};
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (!(rules[i].value >= rules[i].least && rules[i].value <= rules[i].most))
            return tr_fail(error, TR_INVALID, "%s of the window is %g, it must be %g to %g", rules[i].name,
                           (double)rules[i].value, (double)rules[i].least, (double)rules[i].most);
    if (params->length_most < params->length_least)
        return tr_fail(error, TR_INVALID, "length_most is %g m, less than length_least, %g m",
                       (double)params->length_most, (double)params->length_least);
    if (params->side_most > 0 && params->side_most < params->side_least)
        return tr_fail(error, TR_INVALID, "side_most is %g m, less than side_least, %g m",
                       (double)params->side_most, (double)params->side_least);
    if (params->steps < 1 || params->intervals < 1 || params->method > TR_FOOTSTEP_WINDOW_EVERY)
        return tr_fail(error, TR_INVALID, "a window needs at least one step, one interval and a method");
    return TR_OK;
}

static bool is_foot(const tr_stride_foot *foot) {
    const float most = 1e5f; // [m]: beyond that floats do not know a sole
    return fabsf(foot->along) < most && fabsf(foot->aside) < most && fabsf(foot->height) < 1e7f &&
           fabsf(foot->slope) <= 2 && fabsf(foot->turn) <= 20;
}

static bool is_start(const tr_stride_stand *start) {
    return fabsf(start->along) < 1e5f && fabsf(start->aside) < 1e5f && fabsf(start->height) < 1e7f &&
           fabsf(start->rate) < 100 && fabsf(start->rear) <= 1 && fabsf(start->front) <= 1 &&
           fabsf(start->turn) <= 20;
}

static tr_status check_query(const tr_footstep_window *window, const tr_footstep_window_query *query,
                             tr_error *error) {
    tr_status status = tr_stride_body_check(query->body, error);
    if (status == TR_OK)
        status = check_params(query->params, error);
    if (status != TR_OK)
        return status;
    if (!(query->height >= 0.1f && query->height <= 10) || query->side > 1 ||
        (query->facing != 1 && query->facing != -1))
        return tr_fail(error, TR_INVALID, "height %g, side %u or facing %g is out of range",
                       (double)query->height, query->side, (double)query->facing);
    if (query->kind > TR_FOOTSTEP_WINDOW_TURN || !(fabsf(query->turn) <= 7))
        return tr_fail(error, TR_INVALID, "kind %u or turn %g of a window is out of range",
                       (unsigned)query->kind, (double)query->turn);
    for (int i = 0; i < 2; i++)
        if (!is_foot(&query->feet[i]))
            return tr_fail(error, TR_INVALID, "the %s foot stands at %g m, %g m high", i ? "right" : "left",
                           (double)query->feet[i].along, (double)query->feet[i].height);
    if (query->start && !is_start(query->start))
        return tr_fail(error, TR_INVALID, "the pelvis begins at %g m, %g m high", (double)query->start->along,
                       (double)query->start->height);
    for (uint32_t i = 0; i < query->length_count; i++)
        if (!(fabsf(query->lengths[i]) < 1e6f))
            return tr_fail(error, TR_INVALID, "length %u of the window is %g", i, (double)query->lengths[i]);
    tr_profile_view view = tr_profile_look(query->profile);
    if (query->params->steps > window->steps || query->params->intervals > window->intervals ||
        view.columns > window->columns)
        return tr_fail(error, TR_LIMIT,
                       "%u steps, %u intervals and %u columns, the planner has room for %u, %u and %u",
                       query->params->steps, query->params->intervals, view.columns, window->steps,
                       window->intervals, window->columns);
    double configurations = 1;
    for (uint32_t i = 0; i < query->params->steps; i++)
        configurations *= (double)query->params->intervals + 1;
    if (query->params->method == TR_FOOTSTEP_WINDOW_DESCENT && configurations > WINDOW_CONFIGURATIONS)
        return tr_fail(error, TR_LIMIT, "the window has %.0f configurations, the descent takes at most %u",
                       configurations, WINDOW_CONFIGURATIONS);
    return TR_OK;
}

static void begin(tr_footstep_window *window, const tr_footstep_window_query *query,
                  tr_footstep_window_plan *plan) {
    window->query = query;
    window->plan = plan;
    window->view = tr_profile_look(query->profile);
    window->limits = tr_stride_limits_of(query->body);
    window->ahead = NAN;
    window->start = query->start
                        ? *query->start
                        : tr_stride_between_within(query->body, &window->limits, query->facing, query->side,
                                                   &query->feet[query->side], &query->feet[1 - query->side]);
    for (uint32_t i = 0; i < TR_FOOTSTEP_WINDOW_STEPS_MAX; i++)
        for (uint32_t k = 0; k < TR_STRIDE_REASONS; k++)
            window->found[i][k] = 0;
    tr_window_course_begin(window);
    tr_window_lanes_begin(window);
    tr_window_places_begin(window);
    tr_window_steps_begin(window);
    tr_window_costs_begin(window);
}

// The footstep of a foot in the world: under the middle of the sole.
static tr_footstep footstep_of(tr_footstep_window *window, uint32_t level, uint32_t sum) {
    const window_place *place = tr_window_place(window, level, sum);
    const tr_stride_body *body = window->query->body;
    float facing = window->query->facing, ahead = 0.5f * facing * (body->toe - body->heel), heading;
    stride_heading turn = tr_stride_heading_of(place->foot.turn);
    tr_vec2 at = tr_profile_place(window->query->profile, place->foot.along + ahead * turn.cosine,
                                  place->foot.aside + ahead * turn.sine, &heading);
    heading += place->foot.turn;
    if (facing < 0)
        heading = heading > 0 ? heading - (float)TR_PI : heading + (float)TR_PI;
    if (place->foot.turn != 0) // between half a turn to either side
        heading -= 2 * (float)TR_PI * floorf(heading / (2 * (float)TR_PI) + 0.5f);
    return (tr_footstep){.side = window_side(window, level),
                         .position = {at.x, place->foot.height + ahead * place->foot.slope, at.z},
                         .heading = heading,
                         .support = place->support,
                         .pitch = facing * place->foot.slope};
}

static void write_plan(tr_footstep_window *window) {
    tr_footstep_window_plan *plan = window->plan;
    uint32_t sum = 0, last = 0;
    plan->step_count = window->target;
    plan->cost = window->best_cost;
    for (uint32_t i = 0; i < window->target; i++) {
        uint32_t number = window->best[i];
        tr_window_swing(window, i + 1, sum, last, number, &plan->strides[i]);
        plan->lengths[i] = window_length(window, i + 1, number);
        last = number;
        sum += number;
        plan->footsteps[i] = footstep_of(window, i + 1, sum);
    }
}

// What prevents most of the ways to take a step, from all places where the step before it may end.
static tr_stride_reason reason_of(tr_footstep_window *window, uint32_t step) {
    uint32_t *found = window->found[step], most = 0, intervals = window->query->params->intervals;
    for (uint32_t sum = 0; sum < window_level_places(step, intervals); sum++)
        for (uint32_t i = 0; i <= intervals; i++)
            found[tr_window_row_reason(window, step + 1, sum, i)]++;
    tr_stride_reason reason = TR_STRIDE_OUTSIDE;
    for (uint32_t i = TR_STRIDE_NO_FLOOR; i < TR_STRIDE_REASONS; i++)
        if (found[i] > most) {
            most = found[i];
            reason = (tr_stride_reason)i;
        }
    return reason;
}

tr_status tr_footstep_window_find(tr_footstep_window *window, const tr_footstep_window_query *query,
                                  tr_footstep_window_plan *plan, tr_error *error) {
    plan->step_count = plan->examined = 0;
    plan->cost = 0;
    plan->reason = TR_STRIDE_FINE;
    tr_status status = check_query(window, query, error);
    if (status != TR_OK)
        return status;
    begin(window, query, plan);
    uint32_t steps = tr_window_course_steps(window);
    bool (*const methods[])(tr_footstep_window *) = {tr_window_best, tr_window_descent, tr_window_every};
    bool (*const method)(tr_footstep_window *) = methods[query->params->method];
    for (window->target = steps; window->target > 0; window->target--)
        if (method(window))
            break;
    if (window->target > 0)
        write_plan(window);
    if (window->target == steps)
        return TR_OK;
    plan->reason = reason_of(window, window->target);
    return window->target > 0 ? TR_PARTIAL : TR_NOT_FOUND;
}

static bool clear_at(const tr_solid *solid, const tr_profile *profile, const tr_stride_body *body,
                     const tr_stride_pose *pose) {
    for (int side = 0; side < 2; side++) {
        const tr_vec3 points[3] = {pose->hips[side], pose->knees[side], pose->ankles[side]};
        tr_vec3 world[3];
        for (int i = 0; i < 3; i++) {
            float heading;
            tr_vec2 at = tr_profile_place(profile, points[i].z, points[i].x, &heading);
            world[i] = tr_vec3_make(at.x, points[i].y, at.z);
        }
        const tr_solid_capsule thigh = {world[0], world[1], body->radius};
        const tr_solid_capsule shin = {world[1], world[2], 0.5f * body->radius};
        if (tr_solid_touches(solid, &thigh) || tr_solid_touches(solid, &shin))
            return false;
    }
    return true;
}

bool tr_footstep_window_clear(const tr_solid *solid, const tr_profile *profile, const tr_stride_body *body,
                              const tr_stride *stride, uint32_t samples, float *touched) {
    for (uint32_t i = 0; i < samples; i++) {
        tr_stride_pose pose;
        float share = ((float)i + 0.5f) / (float)samples;
        tr_stride_pose_at(body, stride, share, &pose);
        if (!clear_at(solid, profile, body, &pose)) {
            if (touched)
                *touched = share;
            return false;
        }
    }
    return true;
}

void tr_footstep_window_take(const tr_stride *stride, tr_stride_foot *feet) {
    uint32_t side = stride->side & 1;
    feet[side] = stride->to;
    feet[1 - side] = stride->stance;
}
