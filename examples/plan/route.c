// From a scene to a way through it: the sample office, where an adult can be in it, and the shortest way,
// found a little at a time so that no frame of a game has to wait for it.
#include "troupe/plan/route.h"
#include "troupe/world/occupancy.h"
#include "troupe/world/sample.h"

#include <stdio.h>

// What a letter stands for: '#' an obstacle, '+' too near to one, '.' free, 'o' the way.
static char letter_of(const tr_route_map *map, const tr_bitmap *occupied, const tr_bitmap *way,
                      tr_cells cells) {
    bool is_way = false, is_occupied = false, is_blocked = false;
    for (uint32_t row = cells.row_begin; row < cells.row_end && row < map->grid.rows; row++)
        for (uint32_t column = cells.column_begin; column < cells.column_end && column < map->grid.columns;
             column++) {
            is_way |= tr_bitmap_get(way, column, row);
            is_occupied |= tr_bitmap_get(occupied, column, row);
            is_blocked |= !tr_route_map_is_free(map, tr_route_map_node(map, column, row));
        }
    return is_way ? 'o' : is_occupied ? '#' : is_blocked ? '+' : '.';
}

// Letters are twice as high as wide, and so are the cells that one stands for. +Z is up.
static void print_way(const tr_route_map *map, const tr_bitmap *occupied, const tr_bitmap *way) {
    for (uint32_t row = (map->grid.rows + 3) / 4; row-- > 0;) {
        for (uint32_t column = 0; column < (map->grid.columns + 1) / 2; column++) {
            tr_cells cells = {2 * column, 4 * row, 2 * column + 2, 4 * row + 4};
            putchar(letter_of(map, occupied, way, cells));
        }
        putchar('\n');
    }
}

static int find_way(const tr_occupancy *occupancy, tr_route_map *map, tr_route *route) {
    tr_route_params params = tr_route_params_default();
    params.method = TR_ROUTE_JPS;
    // In each frame: few nodes, but a jump looks along whole rows of cells.
    params.budget.expansions = 10;
    tr_vec2 start = {-6, -9}, goal = {7.5f, 6}; // behind a desk; in the room at the opposite corner
    tr_status status = tr_route_map_set(map, tr_occupancy_blocked(occupancy), tr_grid_all(&map->grid));
    if (status == TR_OK)
        status = tr_route_find(route, map, &params, start, &goal, 1, NULL);
    for (uint32_t frame = 1; status == TR_PARTIAL; frame++) {
        // Until it is done, the last result leads to the cell nearest to the goal: somebody may set out.
        printf("frame %u: %.2f m so far\n", frame, tr_route_last(route).length);
        status = tr_route_resume(route, params.budget, NULL);
    }
    if (status != TR_OK) {
        fprintf(stderr, "no way from (%.1f, %.1f) to (%.1f, %.1f)\n", start.x, start.z, goal.x, goal.z);
        return 1;
    }
    tr_route_result result = tr_route_last(route);
    tr_bitmap way;
    if (tr_bitmap_create(NULL, map->grid.columns, map->grid.rows, &way) != TR_OK)
        return 1;
    for (uint32_t i = 0; i < result.cell_count; i++)
        tr_bitmap_set(&way, tr_route_map_column(map, result.cells[i]),
                      tr_route_map_row(map, result.cells[i]));
    print_way(map, tr_occupancy_occupied(occupancy), &way);
    printf("%.2f m over %u cells, %llu nodes expanded%s%s\n", result.length, result.cell_count,
           (unsigned long long)result.counters.expanded, result.start_moved ? ", start moved" : "",
           result.goal_moved ? ", goal moved" : "");
    tr_bitmap_destroy(NULL, &way);
    return 0;
}

int main(void) {
    tr_error error = {.message = "no memory"};
    tr_sample office;
    tr_raster *raster = NULL;
    tr_occupancy *occupancy = NULL;
    tr_route_map map = {0};
    tr_route *route = NULL;
    if (tr_sample_make(&(tr_sample_def){.name = "office"}, &office, &error) != TR_OK)
        return 1;
    tr_occupancy_def def = tr_occupancy_def_default(office.ground.min.y);
    int result = 1;
    if (tr_grid_cover(office.ground, 0.1f, 0, 0, &def.grid, &error) == TR_OK &&
        tr_raster_create(&(tr_raster_def){.backend = TR_RASTER_SOFT}, &raster, &error) == TR_OK &&
        tr_occupancy_create(&def, &occupancy, &error) == TR_OK &&
        tr_occupancy_build(occupancy, raster, office.scene, &error) == TR_OK &&
        tr_route_map_create(NULL, &def.grid, &map, &error) == TR_OK &&
        tr_route_create(NULL, tr_route_map_nodes(&map), &route, &error) == TR_OK)
        result = find_way(occupancy, &map, route);
    else
        fprintf(stderr, "%s\n", error.message);
    tr_route_destroy(route);
    tr_route_map_destroy(&map);
    tr_occupancy_destroy(occupancy);
    tr_raster_destroy(raster);
    tr_scene_destroy(office.scene);
    return result;
}
