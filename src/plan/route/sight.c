// Lines of sight. A blocked cell is an open square, widened by `keep` units; a line is free if it enters
// none. Without widening, squares that share a side leave a seam between them and squares that share a corner
// leave a point: these are tested separately.
#include "sight.h"

#include <math.h>

sight_view tr_sight_view(const tr_route_map *map, bool turned) {
    sight_view view = {turned ? map->free_turned : map->free, turned ? map->pitch_turned : map->pitch,
                       turned};
    return view;
}

bool tr_sight_place(const tr_grid *grid, tr_vec2 point, place *placed) {
    double x = floor(((double)point.x - grid->origin.x) / grid->cell * UNITS + 0.5),
           z = floor(((double)point.z - grid->origin.z) / grid->cell * UNITS + 0.5);
    if (!(x >= 0 && z >= 0 && x <= (double)grid->columns * UNITS && z <= (double)grid->rows * UNITS))
        return false;
    placed->x = (int32_t)x + UNITS;
    placed->z = (int32_t)z + UNITS;
    return true;
}

static bool is_free(const sight_view *view, int32_t column, int32_t row) {
    uint64_t bit = (uint64_t)row * view->pitch + (uint32_t)column;
    return view->free[bit >> 6] >> (bit & 63) & 1;
}

// Are all cells of `row` from column `first` to `last` free? true if there are none.
static bool span_is_free(const sight_view *view, int32_t row, int32_t first, int32_t last) {
    if (first > last)
        return true;
    uint64_t begin = (uint64_t)row * view->pitch + (uint32_t)first, end = begin + (uint32_t)(last - first);
    uint64_t word = begin >> 6, mask = ~(uint64_t)0 << (begin & 63);
    for (; word < end >> 6; word++, mask = ~(uint64_t)0)
        if (~view->free[word] & mask)
            return false;
    return !(~view->free[word] & mask & ~(uint64_t)0 >> (63 - (end & 63)));
}

// The corner where cells (column - 1, row - 1) and (column, row) meet: free on one diagonal only?
static bool is_squeeze(const sight_view *view, int32_t column, int32_t row) {
    bool a = is_free(view, column - 1, row - 1), b = is_free(view, column, row - 1),
         c = is_free(view, column - 1, row), d = is_free(view, column, row);
    return a == d && b == c && a != b;
}

static bool point_is_free(const sight_view *view, place p) {
    int32_t left = (p.x - 1) / UNITS, right = p.x / UNITS, low = (p.z - 1) / UNITS, high = p.z / UNITS;
    if (left != right && low != high && is_squeeze(view, right, high))
        return false;
    return is_free(view, left, low) || is_free(view, right, low) || is_free(view, left, high) ||
           is_free(view, right, high);
}

// Along the border below `row`: one free side is enough.
static bool seam_is_free(const sight_view *view, int32_t row, int32_t from, int32_t to) {
    for (int32_t column = from / UNITS; column <= (to - 1) / UNITS; column++)
        if (!is_free(view, column, row - 1) && !is_free(view, column, row))
            return false;
    for (int32_t column = (from + UNITS - 1) / UNITS; column <= to / UNITS; column++)
        if (is_squeeze(view, column, row))
            return false;
    return true;
}

// A line that rises from `low` to `high`: the cells of each row that it crosses, and the corners on it.
static bool slope_is_free(const sight_view *view, place low, place high, int32_t keep) {
    int32_t last_row = (high.z + keep - 1) / UNITS;
    for (int32_t row = (low.z - keep) / UNITS; row <= last_row; row++) {
        int32_t bottom = row * UNITS - keep, top = row * UNITS + UNITS + keep, over_bottom, over_top;
        bottom = bottom > low.z ? bottom : low.z;
        top = top < high.z ? top : high.z;
        int32_t from = tr_sight_at(low, high, bottom, &over_bottom),
                to = tr_sight_at(low, high, top, &over_top);
        bool squeezes =
            keep == 0 &&
            ((bottom % UNITS == 0 && !over_bottom && from % UNITS == 0 &&
              is_squeeze(view, from / UNITS, bottom / UNITS)) ||
             (top % UNITS == 0 && !over_top && to % UNITS == 0 && is_squeeze(view, to / UNITS, top / UNITS)));
        bool rightwards = low.x <= high.x;
        int32_t left = rightwards ? from : to, right = rightwards ? to + over_top : from + over_bottom;
        if (squeezes || !span_is_free(view, row, (left - keep) / UNITS, (right + keep - 1) / UNITS))
            return false;
    }
    return true;
}

static bool level_is_free(const sight_view *view, int32_t left, int32_t right, int32_t z, int32_t keep) {
    if (keep == 0 && z % UNITS == 0)
        return seam_is_free(view, z / UNITS, left, right);
    for (int32_t row = (z - keep) / UNITS; row <= (z + keep - 1) / UNITS; row++)
        if (!span_is_free(view, row, (left - keep) / UNITS, (right + keep - 1) / UNITS))
            return false;
    return true;
}

bool tr_sight_is_free(const tr_route_map *map, place from, place to, int32_t keep) {
    int32_t width = to.x > from.x ? to.x - from.x : from.x - to.x,
            depth = to.z > from.z ? to.z - from.z : from.z - to.z;
    sight_view view = tr_sight_view(map, depth > width);
    if (width == 0 && depth == 0 && keep == 0)
        return point_is_free(&view, from);
    from = tr_sight_turn(from, view.turned);
    to = tr_sight_turn(to, view.turned);
    if (from.z == to.z)
        return level_is_free(&view, from.x < to.x ? from.x : to.x, from.x < to.x ? to.x : from.x, from.z,
                             keep);
    return from.z < to.z ? slope_is_free(&view, from, to, keep) : slope_is_free(&view, to, from, keep);
}

bool tr_line_of_sight_is_free(const tr_route_map *map, tr_vec2 from, tr_vec2 to, bool cut_corners) {
    place a, b;
    return tr_sight_place(&map->grid, from, &a) && tr_sight_place(&map->grid, to, &b) &&
           tr_sight_is_free(map, a, b, cut_corners ? 0 : 1);
}
