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

void tr_window_lanes_begin(tr_footstep_window *window) {
    const tr_footstep_window_query *query = window->query;
    const tr_stride_body *body = query->body;
    for (uint32_t side = 0; side < 2; side++)
        for (uint32_t i = 0; i < WINDOW_LANES; i++) {
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
}

const window_lane *tr_window_lane(tr_footstep_window *window, uint32_t side, uint32_t number) {
    // A foot mostly stands in one of the lanes.
    for (uint32_t i = 0; i < WINDOW_STANDS && number == WINDOW_STANDS; i++)
        if (window->lane[side][i].aside == window->lane[side][WINDOW_STANDS].aside)
            number = i;
    window_lane *lane = &window->lane[side][number];
    if (lane->ready)
        return lane;
    const tr_profile_view *view = &window->view;
    for (uint32_t i = 0; i < view->columns; i++) {
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
    lane->ready = true;
    return lane;
}
