// A route over a small map: the path of cells, and the same pulled tight.
#include "troupe/plan/route.h"
#include "troupe/plan/line_of_sight.h"

#include <stdio.h>

static const char *const rows[] = {
    "..............", "..........#...", "...#####..#...", "...#...#..#...",
    ".......#..#...", "...#...#......", "...#####......", "..............",
};
enum { ROWS = 8, COLUMNS = 14, POINTS_MAX = ROWS * COLUMNS + 2 };

static int run(tr_route_map *map, tr_route *route) {
    for (uint32_t row = 0; row < ROWS; row++)
        for (uint32_t column = 0; column < COLUMNS; column++)
            tr_route_map_set_cell(map, column, row, rows[row][column] == '.');
    tr_route_params params = tr_route_params_default();
    tr_vec2 start = {2.4f, 1.8f}, goal = {6.8f, 0.3f}, points[POINTS_MAX];
    tr_error error;
    if (tr_route_find(route, map, &params, start, &goal, 1, &error) != TR_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    tr_route_result path = tr_route_last(route);
    printf("%u cells, %.3f m through their centres\n", path.cell_count, path.length);
    uint32_t count;
    double length;
    if (tr_line_of_sight_pull(map,
                              &(tr_line_of_sight_path){.cells = path.cells,
                                                       .cell_count = path.cell_count,
                                                       .start = start,
                                                       .goal = goal,
                                                       .cut_corners = params.cut_corners},
                              points, POINTS_MAX, &count, &length) != TR_OK)
        return 1;
    printf("%u points, %.3f m pulled tight:\n", count, length);
    for (uint32_t i = 0; i < count; i++)
        printf("  (%.3f, %.3f)\n", points[i].x, points[i].z);
    printf("start and goal %s each other\n",
           tr_line_of_sight_is_free(map, start, goal, params.cut_corners) ? "see" : "do not see");
    return 0;
}

int main(void) {
    const tr_grid grid = {{0, 0}, 0.5f, COLUMNS, ROWS};
    tr_route_map map = {0};
    tr_route *route = NULL;
    int result = 1;
    if (tr_route_map_create(NULL, &grid, &map, NULL) == TR_OK &&
        tr_route_create(NULL, tr_route_map_nodes(&map), &route, NULL) == TR_OK)
        result = run(&map, route);
    tr_route_destroy(route);
    tr_route_map_destroy(&map);
    return result;
}
