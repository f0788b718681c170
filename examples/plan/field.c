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
    // How far each cell is from a door, in metres: a straight step costs 985.
    for (uint32_t row = 0; row < ROWS; row++) {
        for (uint32_t column = 0; column < COLUMNS; column++) {
            uint32_t cost = tr_field_cost(field, tr_route_map_node(&map, column, row));
            if (cost == UINT32_MAX) // no way out from here: a wall
                printf("   # ");
            else
                printf("%4.1f ", cost / 985.0 * (double)grid.cell);
        }
        printf("\n");
    }
    // Two people leave, step by step: each asks only which cell is next.
    uint32_t people[2] = {tr_route_map_node(&map, 5, 3), tr_route_map_node(&map, 7, 4)}, steps = 0;
    for (bool all_out = false; !all_out; steps++) {
        all_out = true;
        for (int i = 0; i < 2; i++) {
            uint32_t next = tr_field_next(field, people[i]);
            all_out = all_out && next == people[i]; // the next cell of a door is the door itself
            people[i] = next;
        }
    }
    uint32_t way[COLUMNS * ROWS], count = 0; // or the whole way at once
    tr_status status = tr_field_path(field, tr_route_map_node(&map, 5, 3), way, COLUMNS * ROWS, &count);
    printf("both are out after %u steps; the way of the first is %u cells\n", steps - 1, count);
    tr_field_destroy(field);
    tr_route_map_destroy(&map);
    return status == TR_OK ? 0 : 1;
}
