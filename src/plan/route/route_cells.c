#include "route_cells.h"

static uint16_t allowed_steps(uint32_t cells, uint32_t neighbours, bool cut_corners) {
    uint16_t allowed = 0;
    for (uint32_t k = 0; k < 9; k++) {
        if (k == 4 || !(cells >> k & 1))
            continue;
        uint32_t beside = k / 3 * 3 + 1,
                 above = 3 + k % 3; // of a diagonal step: the two cells that it passes between
        bool is_diagonal = k % 2 == 0;
        uint32_t open = (cells >> beside & 1) + (cells >> above & 1);
        if (is_diagonal && (neighbours == 4 || open < (cut_corners ? 1u : 2u)))
            continue;
        allowed |= (uint16_t)(1u << k);
    }
    return allowed;
}

tr_status tr_route_steps_check(const tr_route_params *params, tr_error *error) {
    if (params->neighbours != 4 && params->neighbours != 8)
        return tr_fail(error, TR_INVALID, "neighbours is %u, it must be 4 or 8", params->neighbours);
    if (params->metric != TR_ROUTE_TRUE && params->metric != TR_ROUTE_PAPER)
        return tr_fail(error, TR_INVALID, "metric is %d, which does not exist", (int)params->metric);
    return TR_OK;
}

void tr_route_steps_make(const tr_route_map *map, const tr_route_params *params, route_steps *steps) {
    steps->straight = params->metric == TR_ROUTE_PAPER ? 5 : 985;
    steps->diagonal = params->metric == TR_ROUTE_PAPER ? 7 : 1393;
    for (int32_t k = 0; k < 9; k++) {
        steps->offset[k] = (k / 3 - 1) * (int32_t)map->pitch + k % 3 - 1;
        steps->cost[k] = k % 2 ? steps->straight : steps->diagonal;
    }
    for (uint32_t cells = 0; cells < 512; cells++)
        steps->allowed[cells] = allowed_steps(cells, params->neighbours, params->cut_corners);
}
