// Whether a sole can stand at a place, how high, and how well.
#include "footstep_window_data.h"
#include "plan/stride/stride_columns.h"

#include <string.h>

#define LANE_COST 0.15f // quality of standing beside the own lane
#define SLOPE_COST 0.5f // quality that a slope of 1 costs

typedef struct sole_frame {
    const window_lane *lane;
    uint32_t first, last; // columns under the sole: first to last - 1
    uint32_t from, to;    // that the sole touches: from to to - 1
    uint32_t near, far;   // with the margin: near to far - 1
    float along;          // of the ankle [m]
} sole_frame;

static bool frame_of(const tr_footstep_window *window, const window_lane *lane, float along,
                     sole_frame *frame) {
    const tr_stride_body *body = window->query->body;
    float heel = body->heel, toe = body->toe, margin = window->query->params->margin;
    if (window->query->facing < 0)
        heel = body->toe, toe = body->heel;
    float per = 1 / window->view.cell, begin = (along - heel) * per, end = (along + toe) * per;
    float near = (along - heel - margin) * per, far = (along + toe + margin) * per;
    if (!(near >= 0) || !(far < (float)window->view.columns))
        return false;
    // Columns whose centres lie under the sole.
    *frame = (sole_frame){.lane = lane,
                          .first = (uint32_t)(begin + 0.5f),
                          .last = (uint32_t)(end + 0.5f),
                          .from = (uint32_t)begin,
                          .to = (uint32_t)end + 1,
                          .near = (uint32_t)near,
                          .far = (uint32_t)far + 1,
                          .along = along};
    return frame->first < frame->last;
}

// The usual case: level floor under the whole sole.
static bool is_level(const tr_footstep_window *window, const sole_frame *frame, window_place *place) {
    const window_lane *lane = frame->lane;
    float high = columns_highest(lane->high, frame->first, frame->last);
    float low = columns_lowest(lane->low, frame->first, frame->last);
    if (!(low > -INFINITY) || !(low >= high - window->query->params->level))
        return false;
    float top = columns_highest(lane->top, frame->near, frame->far);
    // What is a little higher between the centres of the cells lifts the sole.
    high = top > high && top <= high + STICKS_OUT ? top : high;
    if (top > high || !(low >= high - window->query->params->level))
        return false;
    place->foot.height = high;
    place->foot.slope = 0;
    place->support = 1;
    return true;
}

// The sole as a line: its height at a column.
typedef struct sole_plane {
    float at, slope; // at the ankle
} sole_plane;

static float plane_at(const tr_footstep_window *window, const sole_frame *frame, const sole_plane *plane,
                      uint32_t column) {
    return plane->at + plane->slope * (((float)column + 0.5f) * window->view.cell - frame->along);
}

// How many cells of a column carry a sole at this height: of the left part of the rows and of the right.
static inline void count_column(const tr_footstep_window *window, const window_lane *lane, uint32_t column,
                                float height, uint32_t carried[2]) {
    uint32_t first = lane->first, rows = lane->last - first + 1, middle = (rows + 1) / 2;
    carried[0] = carried[1] = 0;
    if (lane->high[column] < height)
        return;
    carried[0] = middle, carried[1] = rows - middle;
    if (lane->low[column] >= height)
        return;
    const float *floor = window->view.floor + (size_t)column * window->view.rows + first;
    carried[0] = carried[1] = 0;
    for (uint32_t j = 0; j < rows; j++)
        carried[j < middle ? 0 : 1] += floor[j] >= height;
}

// Share of the cells that carry, of the whole sole and, in `least`, of the worse half lengthwise or across.
static float carried(const tr_footstep_window *window, const sole_frame *frame, const sole_plane *plane,
                     float *least) {
    uint32_t rows = frame->lane->last - frame->lane->first + 1, middle = (rows + 1) / 2;
    uint32_t columns = frame->last - frame->first, back = (columns + 1) / 2;
    uint32_t across[2] = {0, 0}, along[2] = {0, 0};
    for (uint32_t i = frame->first; i < frame->last; i++) {
        uint32_t cells[2];
        count_column(window, frame->lane, i, plane_at(window, frame, plane, i) - window->query->params->level,
                     cells);
        across[0] += cells[0], across[1] += cells[1];
        along[i - frame->first < back ? 0 : 1] += cells[0] + cells[1];
    }
    const uint32_t counts[4] = {along[0], along[1], across[0], across[1]};
    const uint32_t wholes[4] = {back * rows, (columns - back) * rows, columns * middle,
                                columns * (rows - middle)};
    *least = 1;
    for (int i = 0; i < 4; i++) {
        float share = wholes[i] ? (float)counts[i] / (float)wholes[i] : 1;
        *least = share < *least ? share : *least;
    }
    return (float)(along[0] + along[1]) / (float)(columns * rows);
}

// The slope of the highest points of the columns, by least squares.
static float slope_of(const tr_footstep_window *window, const sole_frame *frame) {
    float n = 0, x = 0, y = 0, xx = 0, xy = 0, cell = window->view.cell, base = NAN;
    float at = ((float)frame->first + 0.5f) * cell - frame->along;
    for (uint32_t i = frame->first; i < frame->last; i++, at += cell) {
        float high = frame->lane->high[i];
        if (!(high > -INFINITY))
            continue;
        base = n > 0 ? base : high; // small differences, however high the ground is
        high -= base;
        n += 1, x += at, y += high, xx += at * at, xy += at * high;
    }
    float spread = n * xx - x * x;
    return n > 2 && spread > 0 ? (n * xy - x * y) / spread : 0;
}

// Raises a plane with a slope onto the highest point of the floor under the sole, and onto what is a little
// higher between the centres of the cells.
static void raise(const tr_footstep_window *window, const sole_frame *frame, sole_plane *plane) {
    const window_lane *lane = frame->lane;
    float cell = window->view.cell, rise = plane->slope * cell, half = 0.5f * fabsf(rise);
    float begin = plane->slope * (0.5f * cell - frame->along);
    float high = columns_over_line(lane->high, frame->first, frame->last,
                                   begin + rise * (float)(int32_t)frame->first, rise, -INFINITY, INFINITY);
    float top = columns_over_line(lane->top, frame->from, frame->to,
                                  begin + rise * (float)(int32_t)frame->from, rise, -INFINITY, INFINITY) +
                half;
    plane->at = top > high && top <= high + STICKS_OUT + 2 * half ? top : high;
}

static tr_stride_reason stand_on(const tr_footstep_window *window, const sole_frame *frame,
                                 const sole_plane *plane, window_place *place) {
    const tr_footstep_window_params *params = window->query->params;
    float least;
    place->support = carried(window, frame, plane, &least);
    place->foot.height = plane->at;
    place->foot.slope = plane->slope;
    if (place->support < params->support_least || least < HALF_LEAST * params->support_least)
        return TR_STRIDE_UNEVEN;
    float rise = plane->slope * window->view.cell;
    float over = columns_over_line(frame->lane->top, frame->near, frame->far,
                                   plane_at(window, frame, plane, frame->near), rise, -INFINITY, INFINITY);
    return over > 0.5f * fabsf(rise) + STICKS_OUT ? TR_STRIDE_CROWDED : TR_STRIDE_FINE;
}

// Level or sloping, whichever carries more.
static tr_stride_reason look(const tr_footstep_window *window, const window_lane *lane, float along,
                             window_place *place) {
    sole_frame frame;
    place->foot.along = along;
    place->foot.aside = lane->aside;
    if (!frame_of(window, lane, along, &frame))
        return TR_STRIDE_OUTSIDE;
    if (is_level(window, &frame, place))
        return TR_STRIDE_FINE;
    sole_plane level = {0, 0};
    raise(window, &frame, &level);
    if (!(level.at > -INFINITY))
        return TR_STRIDE_NO_FLOOR;
    tr_stride_reason reason = stand_on(window, &frame, &level, place);
    if (reason == TR_STRIDE_FINE && place->support > 0.95f)
        return reason;
    window_place other = *place;
    sole_plane slanted = {0, slope_of(window, &frame)};
    tr_stride_reason second = TR_STRIDE_STEEP;
    if (fabsf(slanted.slope) <= window->query->params->slope_most) {
        raise(window, &frame, &slanted);
        second = stand_on(window, &frame, &slanted, &other);
    }
    if (second == TR_STRIDE_FINE && (reason != TR_STRIDE_FINE || other.support > place->support)) {
        *place = other;
        return second;
    }
    return reason != TR_STRIDE_FINE && second == TR_STRIDE_STEEP ? second : reason;
}

// What the rows of costs need.
static void publish(tr_footstep_window *window, const window_place *place) {
    size_t number = (size_t)(place - window->places);
    bool fine = place->reason == TR_STRIDE_FINE;
    window->heights[number] = fine ? place->foot.height : 0;
    window->stand_costs[number] = fine ? window->query->params->quality * place->quality : INFINITY;
}

void tr_window_places_begin(tr_footstep_window *window) {
    uint32_t intervals = window->query->params->intervals;
    uint32_t count = window_places_before(window->query->params->steps + 1, intervals);
    for (uint32_t i = 0; i < count; i++)
        window->places[i].known = false;
    const tr_footstep_window_query *query = window->query;
    uint32_t stands = 1 - query->side;
    window->places[0] = (window_place){.foot = query->feet[stands], .lane = WINDOW_STANDS, .known = true};
    publish(window, &window->places[0]);
}

static const window_place *place_turned(tr_footstep_window *window, window_place *place, uint32_t level,
                                        uint32_t sum) {
    *place = (window_place){.known = true};
    place->reason = TR_STRIDE_OUTSIDE;
    if (tr_window_spot(window, level, sum, &place->foot))
        place->reason = (uint8_t)tr_window_look_turned(window, place);
    place->quality = 1 - place->support + SLOPE_COST * fabsf(place->foot.slope);
    publish(window, place);
    return place;
}

const window_place *tr_window_place(tr_footstep_window *window, uint32_t level, uint32_t sum) {
    const tr_footstep_window_params *params = window->query->params;
    window_place *place = &window->places[window_places_before(level, params->intervals) + sum];
    if (place->known)
        return place;
    if (window->course != WINDOW_AHEAD)
        return place_turned(window, place, level, sum);
    float along = window->origin + (float)level * params->length_least + (float)sum * window->interval;
    uint32_t side = window_side(window, level), lanes = params->aside > 0 && !params->sagittal ? 3 : 1;
    window_place best = {.known = true, .quality = INFINITY};
    for (uint32_t i = 0; i < lanes; i++) {
        window_place other = {.known = true, .lane = (uint8_t)i};
        other.reason = (uint8_t)look(window, tr_window_lane(window, side, i), along, &other);
        other.quality = (i ? LANE_COST : 0) + 1 - other.support + SLOPE_COST * fabsf(other.foot.slope);
        bool fine = other.reason == TR_STRIDE_FINE, was = best.reason == TR_STRIDE_FINE && i > 0;
        if (i == 0 || (fine && (!was || other.quality < best.quality)))
            best = other;
        if (fine && other.quality < LANE_COST)
            break; // no other lane is better
    }
    *place = best;
    publish(window, place);
    return place;
}
