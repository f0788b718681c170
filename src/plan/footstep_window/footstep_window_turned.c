// Whether a sole that is turned can stand at a place: as footstep_window_place.c, but over the cells under
// its rectangle instead of lanes.
#include "footstep_window_data.h"

// The cells under a sole, one after the other.
typedef struct sole_cells {
    const tr_profile_view *view;
    float along, aside; // of the ankle [m]
    float sine, cosine;
    float back, ahead, half; // what belongs to the sole, from the ankle [m]
    uint32_t first, last, right, left;
    uint32_t column, row; // the next one
    // The cell that was found:
    float at, across; // of its centre, from the ankle along the foot and to its left [m]
    size_t number;
} sole_cells;

// Cells whose centres are in the sole, grown by `along` at its ends and by `across` at its sides. false: the
// sole reaches beyond the profile.
static bool cells_begin(const tr_footstep_window *window, const tr_stride_foot *foot, float along,
                        float across, sole_cells *cells) {
    const tr_profile_view *view = &window->view;
    const tr_stride_body *body = window->query->body;
    stride_heading heading = tr_stride_heading_of(foot->turn);
    bool turns = window->query->facing < 0;
    *cells = (sole_cells){.view = view,
                          .along = foot->along,
                          .aside = foot->aside,
                          .sine = heading.sine,
                          .cosine = heading.cosine,
                          .back = (turns ? body->toe : body->heel) + along,
                          .ahead = (turns ? body->heel : body->toe) + along,
                          .half = 0.5f * body->width + across};
    float low = INFINITY, high = -INFINITY, right = INFINITY, left = -INFINITY;
    for (int i = 0; i < 4; i++) {
        float u = i & 1 ? cells->ahead : -cells->back, v = i & 2 ? cells->half : -cells->half;
        float z = foot->along + u * heading.cosine - v * heading.sine;
        float x = foot->aside + u * heading.sine + v * heading.cosine;
        low = stride_low(low, z), high = stride_high(high, z);
        right = stride_low(right, x), left = stride_high(left, x);
    }
    float middle = 0.5f * (float)view->rows;
    low /= view->cell, high /= view->cell, right = right / view->row + middle,
                                           left = left / view->row + middle;
    if (!(low >= 0) || !(high < (float)view->columns) || !(right >= 0) || !(left < (float)view->rows))
        return false;
    cells->first = cells->column = (uint32_t)low, cells->last = (uint32_t)high;
    cells->right = cells->row = (uint32_t)right, cells->left = (uint32_t)left;
    return true;
}

static bool cells_next(sole_cells *cells) {
    const tr_profile_view *view = cells->view;
    for (; cells->column <= cells->last; cells->column++, cells->row = cells->right) {
        float z = ((float)cells->column + 0.5f) * view->cell - cells->along;
        while (cells->row <= cells->left) {
            uint32_t row = cells->row++;
            float x = ((float)row + 0.5f - 0.5f * (float)view->rows) * view->row - cells->aside;
            cells->at = z * cells->cosine + x * cells->sine;
            cells->across = x * cells->cosine - z * cells->sine;
            cells->number = (size_t)cells->column * view->rows + row;
            if (cells->at >= -cells->back && cells->at <= cells->ahead && fabsf(cells->across) <= cells->half)
                return true;
        }
    }
    return false;
}

// The floor under the sole, and the slope along the foot of its highest parts.
typedef struct sole_floor {
    float high, low; // [m]; -INFINITY in `low`: some of it is missing
    float slope;
} sole_floor;

static sole_floor floor_of(const tr_footstep_window *window, const tr_stride_foot *foot, sole_cells *cells) {
    sole_floor floor = {-INFINITY, INFINITY, 0};
    float n = 0, x = 0, y = 0, xx = 0, xy = 0;
    cells_begin(window, foot, 0, 0, cells);
    while (cells_next(cells)) {
        float up = window->view.floor[cells->number];
        floor.high = stride_high(floor.high, up);
        floor.low = stride_low(floor.low, up);
        if (!(up > -INFINITY))
            continue;
        float from = up - foot->height;
        n += 1, x += cells->at, y += from, xx += cells->at * cells->at, xy += cells->at * from;
    }
    float spread = n * xx - x * x;
    floor.slope = n > 2 && spread > 0 ? (n * xy - x * y) / spread : 0;
    return floor;
}

// The height of a plane with a slope that lies on the floor under the sole and on what is a little higher
// between the centres of the cells.
static float raised(const tr_footstep_window *window, const tr_stride_foot *foot, float slope) {
    sole_cells cells;
    const tr_profile_view *view = &window->view;
    float high = -INFINITY, top = -INFINITY, half = 0.5f * fabsf(slope) * stride_high(view->cell, view->row);
    cells_begin(window, foot, 0, 0, &cells);
    while (cells_next(&cells)) {
        float line = slope * cells.at;
        high = stride_high(high, view->floor[cells.number] - line);
        top = stride_high(top, view->top[cells.number] - line + half);
    }
    return top > high && top <= high + STICKS_OUT + 2 * half ? top : high;
}

// Whether enough of the sole is carried, also of each half, and nothing sticks out.
static tr_stride_reason stand_on(const tr_footstep_window *window, window_place *place) {
    const tr_footstep_window_params *params = window->query->params;
    const tr_profile_view *view = &window->view;
    const tr_stride_foot *foot = &place->foot;
    sole_cells cells;
    uint32_t carried[4] = {0}, all[4] = {0};
    cells_begin(window, foot, 0, 0, &cells);
    float middle = 0.5f * (cells.ahead - cells.back);
    while (cells_next(&cells)) {
        bool carries = view->floor[cells.number] >= foot->height + foot->slope * cells.at - params->level;
        uint32_t along = cells.at < middle ? 0 : 1, across = cells.across < 0 ? 2 : 3;
        all[along]++, all[across]++;
        carried[along] += carries, carried[across] += carries;
    }
    float least = 1;
    for (int i = 0; i < 4; i++)
        least = all[i] ? stride_low(least, (float)carried[i] / (float)all[i]) : least;
    uint32_t whole = all[0] + all[1];
    place->support = whole ? (float)(carried[0] + carried[1]) / (float)whole : 0;
    if (place->support < params->support_least || least < HALF_LEAST * params->support_least)
        return TR_STRIDE_UNEVEN;
    float half = 0.5f * (view->cell * fabsf(cells.cosine) + view->row * fabsf(cells.sine));
    float across = 0.5f * (view->cell * fabsf(cells.sine) + view->row * fabsf(cells.cosine));
    if (!cells_begin(window, foot, half + params->margin, across, &cells))
        return TR_STRIDE_OUTSIDE;
    float rise = fabsf(foot->slope) * half;
    while (cells_next(&cells))
        if (view->top[cells.number] > foot->height + foot->slope * cells.at + rise + STICKS_OUT)
            return TR_STRIDE_CROWDED;
    return TR_STRIDE_FINE;
}

tr_stride_reason tr_window_look_turned(const tr_footstep_window *window, window_place *place) {
    sole_cells cells;
    tr_stride_foot *foot = &place->foot;
    foot->height = window->query->feet[1 - window->query->side].height;
    foot->slope = 0;
    if (!cells_begin(window, foot, 0, 0, &cells))
        return TR_STRIDE_OUTSIDE;
    sole_floor floor = floor_of(window, foot, &cells);
    if (!(floor.high > -INFINITY))
        return TR_STRIDE_NO_FLOOR;
    foot->height = raised(window, foot, 0);
    tr_stride_reason reason = stand_on(window, place), second = TR_STRIDE_STEEP;
    if (reason == TR_STRIDE_FINE && place->support > 0.95f)
        return reason;
    window_place other = *place;
    if (fabsf(floor.slope) <= window->query->params->slope_most) {
        other.foot.slope = floor.slope;
        other.foot.height = raised(window, foot, floor.slope);
        second = stand_on(window, &other);
    }
    if (second == TR_STRIDE_FINE && (reason != TR_STRIDE_FINE || other.support > place->support)) {
        *place = other;
        return second;
    }
    return reason != TR_STRIDE_FINE && second == TR_STRIDE_STEEP ? second : reason;
}
