// Everybody leaves the room through the nearer of two doors: one flood, then each only asks for the next
// step.
#include <stdio.h>
#include <troupe/troupe.h>

static const char *const room[] = {
    "############", "#...#......#", "#.#.#.####.#", "D.#...#..#.#",
    "#.#####.##.D", "#..........#", "############",
};
#define ROWS 7
#define COLUMNS 12

int main(void) {
    tr_grid grid = {{0, 0}, 0.5f, COLUMNS, ROWS};
    tr_route_map map;
    tr_field *field = NULL;
    if (tr_route_map_create(NULL, &grid, &map, NULL) != TR_OK ||
        tr_field_create(NULL, tr_route_map_nodes(&map), &field, NULL) != TR_OK)
        return 1;
    uint32_t doors[2], door_count = 0;
    for (uint32_t i = 0; i < COLUMNS * ROWS; i++) {
        char letter = room[i / COLUMNS][i % COLUMNS];
        tr_route_map_set_cell(&map, i % COLUMNS, i / COLUMNS, letter != '#');
        if (letter == 'D' && door_count < 2)
            doors[door_count++] = tr_route_map_node(&map, i % COLUMNS, i / COLUMNS);
    }
    tr_route_params params = tr_route_params_default();
    if (tr_field_flood(field, &map, &params, doors, door_count, NULL) != TR_OK)
        return 1;
    // How many steps each free cell is from a door.
    for (uint32_t row = 0; row < ROWS; row++) {
        for (uint32_t column = 0; column < COLUMNS; column++) {
            uint32_t cells[COLUMNS * ROWS], count;
            uint32_t node = tr_route_map_node(&map, column, row);
            bool leaves = tr_field_path(field, node, cells, COLUMNS * ROWS, &count) == TR_OK;
            if (leaves)
                printf("%3u", count - 1);
            else
                printf("  #");
        }
        printf("\n");
    }
    tr_field_destroy(field);
    tr_route_map_destroy(&map);
    return 0;
}
