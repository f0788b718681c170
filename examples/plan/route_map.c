// Blocked cells as a planner wants them: take over a map, then only what changed, find a place to stand, and
// make people walk around a lawn that they could cross.
#include "troupe/plan/route.h"
#include "troupe/plan/route_map.h"

#include <stdio.h>

static void print_map(const tr_route_map *map) {
    for (uint32_t row = 0; row < map->grid.rows; row++) {
        for (uint32_t column = 0; column < map->grid.columns; column++)
            putchar(tr_route_map_is_free(map, tr_route_map_node(map, column, row)) ? '.' : '#');
        putchar('\n');
    }
}

static int run(tr_route_map *map, tr_bitmap *blocked) {
    for (uint32_t row = 2; row < 8; row++) // a block in the middle
        for (uint32_t column = 10; column < 20; column++)
            tr_bitmap_set(blocked, column, row);
    if (tr_route_map_set(map, blocked, tr_grid_all(&map->grid)) != TR_OK)
        return 1;

    const tr_cells door = {14, 2, 16, 8}; // in a program, tr_occupancy_changes() says what changed
    tr_bitmap_clear_cells(blocked, door);
    if (tr_route_map_set(map, blocked, door) != TR_OK)
        return 1;
    print_map(map);
    printf("%u x %u cells, %u nodes, revision %llu\n", map->grid.columns, map->grid.rows,
           tr_route_map_nodes(map), (unsigned long long)map->revision);

    const tr_vec2 inside = {5.6f, 2.4f};
    for (float reach = 0.25f; reach <= 1; reach *= 2) {
        uint32_t node = tr_route_map_nearest_free(map, inside, reach);
        if (node == TR_NONE) {
            printf("nothing free within %.2f m of (%.2f, %.2f)\n", reach, inside.x, inside.z);
            continue;
        }
        uint32_t column = tr_route_map_column(map, node), row = tr_route_map_row(map, node);
        tr_vec2 centre = tr_grid_centre(&map->grid, column, row);
        printf("within %.2f m: cell (%u, %u) with its centre at (%.2f, %.2f)\n", reach, column, row, centre.x,
               centre.z);
    }
    return 0;
}

// How many cells of the shortest way from west to east lie on the lawn, and how long it is.
static tr_status cross(const tr_route_map *map, const uint8_t *lawn, tr_route *route) {
    const tr_vec2 start = {0.75f, 3.25f}, goal = {4.75f, 3.25f};
    tr_route_params params = tr_route_params_default();
    tr_status status = tr_route_find(route, map, &params, start, &goal, 1, NULL);
    tr_route_result way = tr_route_last(route);
    uint32_t on_lawn = 0;
    for (uint32_t i = 0; i < way.cell_count; i++)
        on_lawn += lawn[tr_route_map_row(map, way.cells[i]) * map->grid.columns +
                        tr_route_map_column(map, way.cells[i])] > 0;
    if (status == TR_OK)
        printf("%s weights: %.2f m, %u cells on the lawn\n", map->weights ? "with" : "without", way.length,
               on_lawn);
    return status;
}

static int prefer(tr_route_map *map) {
    static uint8_t lawn[30 * 10]; // must live as long as it is set
    tr_route *route = NULL;
    for (uint32_t row = 3; row < 9; row++)
        for (uint32_t column = 3; column < 8; column++)
            lawn[row * map->grid.columns + column] = 32; // a metre of it counts as three
    if (tr_route_create(NULL, tr_route_map_nodes(map), &route, NULL) != TR_OK)
        return 1;
    tr_status before = cross(map, lawn, route);
    tr_route_map_set_weights(map, lawn);
    tr_status after = cross(map, lawn, route);
    tr_route_map_set_weights(map, NULL);
    tr_route_destroy(route);
    return before == TR_OK && after == TR_OK ? 0 : 1;
}

int main(void) {
    const tr_grid grid = {{0, 0}, 0.5f, 30, 10};
    tr_route_map map;
    tr_bitmap blocked;
    tr_error error;
    if (tr_route_map_create(NULL, &grid, &map, &error) != TR_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    int result = 1;
    if (tr_bitmap_create(NULL, grid.columns, grid.rows, &blocked) == TR_OK) {
        result = run(&map, &blocked);
        if (result == 0)
            result = prefer(&map);
        tr_bitmap_destroy(NULL, &blocked);
    }
    tr_route_map_destroy(&map);
    return result;
}
