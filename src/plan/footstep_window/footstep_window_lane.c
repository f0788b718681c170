// Lanes: the cells under the width of a foot, reduced to one value for each column. A lane is made when
// something asks for it.
#include "footstep_window_data.h"

static float low_of(float a, float b) {
    return a < b ? a : b;
}
static float high_of(float a, float b) {
    return a > b ? a : b;
}

static uint32_t row_at(const tr_profile_view *view, float aside) {
    float row = aside / view->row + 0.5f * (float)view->rows;
    return row <= 0 ? 0 : row >= (float)(view->rows - 1) ? view->rows - 1 : (uint32_t)row;
}

// Whether nothing at all is above a floor.
static bool is_open(const tr_profile_view *view) {
    size_t cells = (size_t)view->columns * view->rows, i = 0;
    simd_float least = simd_set(INFINITY);
    for (; i + 4 <= cells; i += 4)
        least = simd_min(least, simd_load(view->under + i));
    float low = low_of(low_of(least[0], least[1]), low_of(least[2], least[3]));
    for (; i < cells; i++)
        low = low_of(low, view->under[i]);
    return low == INFINITY;
}

// The pairs (0, 1), (0, 2), (1, 2), (0, 3) and so on.
static uint32_t pair_of(uint32_t from, uint32_t to) {
    return WINDOW_PAIRS + to * (to - 1) / 2 + from;
}

void tr_window_lanes_begin(tr_footstep_window *window) {
    window->open = is_open(&window->view);
    const tr_footstep_window_query *query = window->query;
    const tr_stride_body *body = query->body;
    for (uint32_t side = 0; side < 2; side++)
        for (uint32_t i = 0; i < WINDOW_PAIRS; i++) {
            window_lane *lane = &window->lane[side][i];
            float off = i == 1 ? query->params->aside : i == 2 ? -query->params->aside : 0;
            lane->aside = (side == 0 ? 0.5f : -0.5f) * query->facing * body->apart + off;
            if (i == WINDOW_STANDS)
                lane->aside = query->feet[side].aside;
            float middle = query->params->sagittal ? 0 : lane->aside;
            float half = query->params->sagittal ? 0.25f * window->view.row : 0.5f * body->width;
            lane->first = row_at(&window->view, middle - half);
            lane->last = row_at(&window->view, middle + half);
            lane->ready = false;
        }
    for (uint32_t side = 0; side < 2; side++)
        for (uint32_t to = 1; to < WINDOW_PAIRS; to++)
            for (uint32_t from = 0; from < to; from++) {
                const window_lane *a = &window->lane[side][from], *b = &window->lane[side][to];
                window_lane *lane = &window->lane[side][pair_of(from, to)];
                lane->first = a->first < b->first ? a->first : b->first;
                lane->last = a->last > b->last ? a->last : b->last;
                lane->ready = false;
            }
}

uint32_t tr_window_lane_between(const tr_footstep_window *window, uint32_t side, uint32_t from, uint32_t to) {
    const window_lane *lanes = window->lane[side];
    if (lanes[from].first == lanes[to].first && lanes[from].last == lanes[to].last)
        return to;
    return from < to ? pair_of(from, to) : pair_of(to, from);
}

static inline simd_float extreme(simd_float a, simd_float b, bool lowest) {
    return lowest ? simd_min(a, b) : simd_max(a, b);
}

// Four extremes of the rows of a column, of which there are at least four; the first four and the last four
// may overlap.
static inline simd_float column_of(const float *from, uint32_t rows, bool lowest) {
    simd_float found = extreme(simd_load(from), simd_load(from + rows - 4), lowest);
    for (uint32_t j = 4; j + 4 < rows; j += 4)
        found = extreme(found, simd_load(from + j), lowest);
    return found;
}

// Over four columns at a time: the highest or lowest of the rows of a lane, which has at least four.
static inline void reduce(const tr_profile_view *view, const window_lane *lane, const float *values,
                          bool lowest, float *target) {
    uint32_t rows = lane->last - lane->first + 1, whole = view->columns & ~3u;
    const size_t way = view->rows;
    const float *from = values + lane->first;
    for (uint32_t i = 0; i < whole; i += 4, from += 4 * way) {
        simd_float columns[4] = {column_of(from, rows, lowest), column_of(from + way, rows, lowest),
                                 column_of(from + 2 * way, rows, lowest),
                                 column_of(from + 3 * way, rows, lowest)};
        simd_transpose(columns);
        simd_store_float(target + i, extreme(extreme(columns[0], columns[1], lowest),
                                             extreme(columns[2], columns[3], lowest), lowest));
    }
}

// `places`: soles are put into the lane, not only led over it.
static void fill(const tr_footstep_window *window, const window_lane *lane, bool places) {
    const tr_profile_view *view = &window->view;
    bool wide = lane->last - lane->first + 1 >= 4;
    if (wide) {
        reduce(view, lane, view->top, false, lane->top);
        if (!window->open)
            reduce(view, lane, view->under, true, lane->under);
        if (places) {
            reduce(view, lane, view->floor, false, lane->high);
            reduce(view, lane, view->floor, true, lane->low);
        }
    }
    for (uint32_t i = wide ? view->columns & ~3u : 0; i < view->columns; i++) {
        const float *top = view->top + (size_t)i * view->rows, *under = view->under + (size_t)i * view->rows;
        const float *floor = view->floor + (size_t)i * view->rows;
        float most = -INFINITY, least = INFINITY, high = -INFINITY, low = INFINITY;
        for (uint32_t j = lane->first; j <= lane->last; j++) {
            most = high_of(most, top[j]);
            least = low_of(least, under[j]);
            high = high_of(high, floor[j]);
            low = low_of(low, floor[j]);
        }
        lane->top[i] = most, lane->under[i] = least;
        lane->high[i] = high, lane->low[i] = low;
    }
}

const window_lane *tr_window_lane(tr_footstep_window *window, uint32_t side, uint32_t number) {
    // A foot mostly stands in one of the lanes.
    for (uint32_t i = 0; i < WINDOW_STANDS && number == WINDOW_STANDS; i++)
        if (window->lane[side][i].aside == window->lane[side][WINDOW_STANDS].aside)
            number = i;
    window_lane *lane = &window->lane[side][number];
    if (lane->ready)
        return lane;
    fill(window, lane, number < WINDOW_STANDS);
    stride_ranges_make(&lane->ranges, lane->top, lane->memory, window->view.columns);
    lane->ready = true;
    return lane;
}
