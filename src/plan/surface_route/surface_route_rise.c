// The height of a step on the ground itself.
//
// A cell stores the top of all ground that it touches, so between two neighbouring cells the foot of a step
// lies up to two cells away from where the lower top was measured. If the ground falls towards the step by
// some height per cell, the step is higher than the tops indicate by twice that. Sideways, the step may grow
// from one side of a cell to the other: by as much as it differs from the same step a cell farther on.
#include "surface_route_data.h"

// The height at which the ground of a cell continues in a neighbouring column: within the rise of a slope
// over a cell. false: it ends there.
static bool goes_on_at(const tr_surface_route *route, int32_t column, int32_t row, int32_t height,
                       int32_t *at) {
    if (column < 0 || row < 0 || (uint32_t)column >= route->grid.columns || (uint32_t)row >= route->grid.rows)
        return false;
    tr_surface_column cells = tr_surface_route_column(route, (uint32_t)column, (uint32_t)row);
    int32_t least = (int32_t)route->slope + 1;
    for (uint32_t i = 0; i < cells.count; i++) {
        int32_t apart = (int32_t)cells.heights[i] - height;
        apart = apart < 0 ? -apart : apart;
        if (tr_surface_is_for_standing(cells.rooms[i]) && apart < least) {
            least = apart;
            *at = cells.heights[i];
        }
    }
    return least <= (int32_t)route->slope;
}

bool tr_surface_route_rise_is_real(const tr_surface_route *route, const tr_surface_route_place *from,
                                   const tr_surface_route_place *to) {
    const tr_surface_route_place *low = from->height < to->height ? from : to,
                                 *high = low == from ? to : from;
    int32_t x = (low->column > high->column) - (low->column < high->column),
            z = (low->row > high->row) - (low->row < high->row); // away from the step
    int32_t step = high->height - low->height, falls = 0, grows = 0, behind = 0;
    if (goes_on_at(route, low->column + x, low->row + z, low->height, &behind) && behind > low->height)
        falls = 2 * (behind - low->height);
    for (int32_t side = -1; side <= 1; side += 2) {
        int32_t lower = 0, higher = 0;
        if (goes_on_at(route, low->column + side * z, low->row + side * x, low->height, &lower) &&
            goes_on_at(route, high->column + side * z, high->row + side * x, high->height, &higher) &&
            higher - lower - step > grows)
            grows = higher - lower - step;
    }
    return step + falls + grows <= (int32_t)route->rise;
}
