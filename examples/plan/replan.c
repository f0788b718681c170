// A character walks across a room while doors close in front of it: the route is brought up to date at every
// step for a small part of what planning it anew would take.
#include "troupe/plan/replan.h"

#include <stdio.h>

#define SIDE 64

// A wall at column 20, 34 and 48 with two doors each.
static void build_walls(tr_route_map *map) {
    for (uint32_t row = 0; row < SIDE; row++)
        for (uint32_t column = 0; column < SIDE; column++) {
            bool is_wall = column % 14 == 6 && column > 10 && column < 60;
            bool is_door = row / 2 == (column / 7) % 5 + 2 || row / 2 == 25;
            tr_route_map_set_cell(map, column, row, !is_wall || is_door);
        }
}

int main(void) {
    const tr_grid grid = {{0, 0}, 0.25f, SIDE, SIDE};
    const tr_search_budget no_limit = {0, 0};
    tr_route_params params = tr_route_params_default();
    tr_route_map map;
    tr_replan *replan = NULL;
    tr_error error;
    if (tr_route_map_create(NULL, &grid, &map, &error) != TR_OK)
        return 1;
    build_walls(&map);
    tr_status status = tr_replan_create(NULL, &map, &params, &replan, &error);
    uint32_t here = tr_route_map_node(&map, 2, 5), goal = tr_route_map_node(&map, 61, 8);
    if (status == TR_OK)
        status = tr_replan_set_goal(replan, goal);
    for (uint32_t step = 0; status == TR_OK && here != goal; step++) {
        tr_replan_set_start(replan, here);
        if ((status = tr_replan_find(replan, no_limit, &error)) != TR_OK)
            break;
        tr_route_result route = tr_replan_last(replan);
        if (step % 40 == 0 || route.counters.expanded > 100)
            printf("step %3u: %5.2f m to go, %llu cells looked at\n", step, route.length,
                   (unsigned long long)route.counters.expanded);
        here = route.cells[1];
        // The door that it is about to reach closes; those at row 50 stay open.
        uint32_t column = tr_route_map_column(&map, here), row = tr_route_map_row(&map, here);
        if (column % 14 == 4 && column > 10 && column < 50 && row < 40 &&
            tr_route_map_is_free(&map, here + 2)) {
            tr_cells door = {column + 2, row > 3 ? row - 3 : 0, column + 3, row + 4};
            for (uint32_t r = door.row_begin; r < door.row_end; r++)
                tr_route_map_set_cell(&map, column + 2, r, false);
            tr_replan_changed(replan, door);
            printf("step %3u: a door closes\n", step);
        }
    }
    printf("%s\n", status == TR_OK ? "arrived" : error.message);
    tr_replan_destroy(replan);
    tr_route_map_destroy(&map);
    return status == TR_OK ? 0 : 1;
}
