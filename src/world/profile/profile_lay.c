// The cells of a leg, column by column: what counts as floor in a column depends on the floor of the columns
// before it.
#include "profile_data.h"

#include <math.h>

static inline void include_point(profile_slice *part, float up, float aside) {
    part->low = profile_low(part->low, up);
    part->high = profile_high(part->high, up);
    part->right = profile_low(part->right, aside);
    part->left = profile_high(part->left, aside);
}

static inline void include_slice(profile_slice *part, const profile_slice *more) {
    part->low = profile_low(part->low, more->low);
    part->high = profile_high(part->high, more->high);
    part->right = profile_low(part->right, more->right);
    part->left = profile_high(part->left, more->left);
}

// The triangle on a line across the path, or its nearest corner if it ends before.
static inline profile_slice line_of(const profile_triangle *triangle, float at) {
    const float *s = triangle->along;
    at = at < s[0] ? s[0] : at > s[2] ? s[2] : at;
    int edge = at < s[1] ? 0 : 1;
    float gone = at - s[0], past = at - s[edge];
    profile_slice line;
    line.low = line.high = triangle->up[0] + triangle->edge_up[2] * gone;
    line.right = line.left = triangle->aside[0] + triangle->edge_aside[2] * gone;
    include_point(&line, triangle->up[edge] + triangle->edge_up[edge] * past,
                  triangle->aside[edge] + triangle->edge_aside[edge] * past);
    return line;
}

// The extreme points of a triangle between two lines lie on the lines, or are corners.
static profile_slice slice_of(profile_triangle *triangle, float from, float to, bool begins) {
    profile_slice part = begins ? line_of(triangle, from) : triangle->line;
    triangle->line = line_of(triangle, to);
    include_slice(&part, &triangle->line);
    if (triangle->along[1] >= from && triangle->along[1] <= to)
        include_point(&part, triangle->up[1], triangle->aside[1]);
    return part;
}

typedef struct lay_place {
    float *floor, *top, *under; // of the column
    float middle;               // along [m]
    float from, to;             // what the column covers [m]
    float right, row;           // where row 0 begins, aside [m]
    uint32_t rows;
    bool wide;   // the column covers more than its own length
    float limit; // what begins higher is an overhang [m]
} lay_place;

static uint32_t row_of(const lay_place *place, float aside) {
    float row = (aside - place->right) / place->row;
    return row <= 0 ? 0 : row >= (float)place->rows ? place->rows : (uint32_t)row;
}

static void lay_cells(const lay_place *place, const profile_triangle *triangle, const profile_slice *part) {
    int32_t first = (int32_t)row_of(place, part->right), last = (int32_t)row_of(place, part->left) + 1;
    last = last < (int32_t)place->rows ? last : (int32_t)place->rows;
    bool flat = !triangle->upright && !place->wide;
    float spread = flat ? triangle->spread : INFINITY, slope = flat ? triangle->slope_aside * place->row : 0;
    float begin = flat ? triangle->base + triangle->slope_along * place->middle +
                             triangle->slope_aside * (place->right + 0.5f * place->row)
                       : 0;
    float *restrict top = place->top, *restrict under = place->under;
    float limit = place->limit, part_low = part->low, part_high = part->high;
    if (part_high <= limit) { // none of it is an overhang
        for (int32_t j = first; j < last; j++) {
            float high = profile_low(part_high, begin + slope * (float)j + spread);
            top[j] = profile_high(top[j], high);
        }
        return;
    }
    for (int32_t j = first; j < last; j++) {
        float at = begin + slope * (float)j;
        float high = profile_low(part_high, at + spread), low = profile_high(part_low, at - spread);
        under[j] = low > limit ? profile_low(under[j], low) : under[j];
        top[j] = low > limit ? top[j] : profile_high(top[j], high);
    }
}

// Exact heights at the centres of the cells that the triangle covers.
static void lay_floor(const lay_place *place, const profile_triangle *triangle, const profile_slice *part) {
    if (triangle->upright || part->low > place->limit || triangle->along[0] > place->middle ||
        triangle->along[2] < place->middle)
        return;
    profile_slice line = line_of(triangle, place->middle);
    const float close = 1e-6f; // no crack opens between two triangles
    float from = (line.right - close - place->right) / place->row - 0.5f;
    float to = (line.left + close - place->right) / place->row - 0.5f;
    if (!(to >= 0) || !(from <= (float)place->rows))
        return;
    int32_t first = from <= 0 ? 0 : (int32_t)from + ((float)(int32_t)from < from);
    int32_t last = to >= (float)place->rows ? (int32_t)place->rows : (int32_t)to + 1;
    float slope = triangle->slope_aside * place->row, limit = place->limit;
    float begin = triangle->base + triangle->slope_along * place->middle +
                  triangle->slope_aside * (place->right + 0.5f * place->row);
    float low = part->low, high = part->high, *restrict floor = place->floor;
    for (int32_t j = first; j < last; j++) {
        float at = profile_low(profile_high(begin + slope * (float)j, low), high);
        floor[j] = at <= limit && at > floor[j] ? at : floor[j];
    }
}

// The highest floor of the columns before one, as far back as a step reaches.
typedef struct floor_behind {
    uint32_t back; // columns
    float high;
    bool stale; // the column that was the highest may be too far behind now
} floor_behind;

static float highest_behind(const tr_profile *profile, const tr_profile_query *query, floor_behind *behind,
                            uint32_t column) {
    uint32_t back = behind->back;
    if (column > back && !(profile->highest[column - back - 1] < behind->high))
        behind->stale = true;
    if (column == back)
        behind->stale = true;
    if (behind->stale) {
        float high = column < back ? query->height : -INFINITY;
        for (uint32_t i = column < back ? 0 : column - back; i < column; i++)
            high = profile_high(high, profile->highest[i]);
        behind->high = high;
        behind->stale = false;
    } else if (column > 0)
        behind->high = profile_high(behind->high, profile->highest[column - 1]);
    return behind->high;
}

// The triangles that touch a column, in any order; those that end here are dropped.
static uint32_t lay_column(tr_profile *profile, const lay_place *place, uint32_t column, uint32_t active,
                           uint32_t begun) {
    uint32_t left = 0;
    for (uint32_t k = 0; k < active; k++) {
        profile_triangle *triangle = &profile->triangles[profile->active[k]];
        profile_slice part = slice_of(triangle, place->from, place->to, k >= begun);
        if (triangle->along[0] <= place->to && triangle->along[2] >= place->from) {
            lay_cells(place, triangle, &part);
            lay_floor(place, triangle, &part);
        }
        profile->active[left] = profile->active[k];
        left += triangle->last > column;
    }
    return left;
}

void tr_profile_lay(tr_profile *profile, const profile_leg *leg, const tr_profile_query *query) {
    uint32_t rows = profile->def.rows, active = 0;
    float cell = profile->def.cell;
    uint32_t back = (uint32_t)(profile_low(query->reach / cell, TR_PROFILE_COLUMNS_MAX)) + 1;
    floor_behind behind = {back, -INFINITY, true};
    for (uint32_t column = leg->first; column < leg->last; column++) {
        lay_place place = {.floor = profile->floor + (size_t)column * rows,
                           .top = profile->top + (size_t)column * rows,
                           .under = profile->under + (size_t)column * rows,
                           .middle = ((float)column + 0.5f) * cell,
                           .from = (float)column * cell - (column == leg->first ? leg->before : 0),
                           .to = (float)(column + 1) * cell + (column + 1 == leg->last ? leg->behind : 0),
                           .right = -0.5f * (float)rows * profile->def.row,
                           .row = profile->def.row,
                           .rows = rows};
        float reached = highest_behind(profile, query, &behind, column);
        profile->kept = reached > -INFINITY ? reached : profile->kept; // over a chasm the height is kept
        place.limit = profile->kept + query->knee;
        place.wide = place.to - place.from > 1.001f * cell;
        uint32_t begun = active;
        for (uint32_t i = profile->begin[column]; i != TR_NONE; i = profile->triangles[i].next)
            profile->active[active++] = i;
        active = lay_column(profile, &place, column, active, begun);
        float high = -INFINITY;
        for (uint32_t j = 0; j < rows; j++)
            high = profile_high(high, place.floor[j]);
        profile->highest[column] = high;
    }
}
