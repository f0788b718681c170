// The environment of a behavior planner: a log across a corridor, and somebody who walks through it. Prints
// the corridor as it is after one, two and three seconds.
#include <stdio.h>
#include <troupe/troupe.h>

static tr_behavior *make_machine(void) {
    static const char *const labels[] = {"stand"};
    static const tr_behavior_band bands[] = {{.name = "upright", .low = 0, .high = 1.8f},
                                             {.name = "jump", .low = 0.6f, .high = 2.3f}};
    tr_behavior_move step = {.z = 0.7f, .frames = 15}, jump = {.z = 1.6f, .frames = 24};
    tr_behavior_state states[] = {
        {.name = "step", .moves = &step, .move_count = 1, .weight = 1},
        {.name = "jump", .moves = &jump, .move_count = 1, .weight = 1.5f, .serves = 1},
    };
    tr_behavior_def def = {.labels = labels,
                           .label_count = 1,
                           .bands = bands,
                           .band_count = 2,
                           .radius = 0.3f,
                           .frames_per_second = 30,
                           .states = states,
                           .state_count = 2};
    tr_behavior *behavior = NULL;
    tr_behavior_create(&def, &behavior, NULL);
    return behavior;
}

// Walls on both sides in both bands, a low log in the upright band only, and ground that rises behind it.
static bool fill(tr_behavior_map *map, const tr_grid *grid) {
    tr_bitmap occupied;
    float heights[16 * 48];
    bool filled = true;
    if (tr_bitmap_create(NULL, grid->columns, grid->rows, &occupied) != TR_OK)
        return false;
    for (uint32_t band = 2; band-- > 0 && filled;) {
        for (uint32_t row = 0; row < grid->rows; row++)
            for (uint32_t column = 0; column < grid->columns; column++) {
                heights[row * grid->columns + column] = column > 30 ? 0.05f * (float)(column - 30) : 0;
                if (row == 0 || row == grid->rows - 1 || (band == 0 && column == 24))
                    tr_bitmap_set(&occupied, column, row);
            }
        filled = tr_behavior_map_set(map, band, &occupied, NULL) == TR_OK;
    }
    tr_bitmap_destroy(NULL, &occupied);
    return filled && tr_behavior_map_set_heights(map, heights, NULL) == TR_OK;
}

static void print(const tr_behavior_map *map, uint32_t frame) {
    const tr_grid *grid = tr_behavior_map_grid(map);
    printf("frame %u:\n", frame);
    for (uint32_t row = 0; row < grid->rows; row++) {
        for (uint32_t column = 0; column < grid->columns; column++) {
            tr_vec2 p = tr_grid_centre(grid, column, row);
            bool within = tr_behavior_map_is_within(map, 1, p, frame);
            putchar(within ? '~' : tr_behavior_map_is_free(map, 0, p, frame) ? '.' : '#');
        }
        putchar('\n');
    }
}

int main(void) {
    tr_behavior *behavior = make_machine();
    tr_behavior_map_def def = {.grid = {{0, 0}, 0.25f, 48, 16}, .behavior = behavior, .seconds = 10};
    tr_behavior_map *map = NULL;
    if (!behavior || tr_behavior_map_create(&def, &map, NULL) != TR_OK || !fill(map, &def.grid))
        return 1;
    const tr_behavior_spot walk[] = {{0.5f, 2, 0}, {4.5f, 2, 90}}; // rests there from the third second on
    tr_error error;
    if (tr_behavior_map_commit(map, 0, walk, 2, 0.3f, &error) != TR_OK)
        return 1;
    for (uint32_t frame = 30; frame <= 90; frame += 30)
        print(map, frame);
    tr_vec2 there = {4.5f, 2};
    printf("(4.5, 2) is free for the first second: %s; for ever: %s; %u frames are known, in %u bytes\n",
           tr_behavior_map_is_free_during(map, 0, there, 0, 30) ? "yes" : "no",
           tr_behavior_map_is_free_during(map, 0, there, 0, UINT32_MAX) ? "yes" : "no",
           tr_behavior_map_end(map), (uint32_t)tr_behavior_map_bytes(map));
    tr_behavior_map_withdraw(map, 0);
    printf("without that person: %s\n",
           tr_behavior_map_is_free_during(map, 0, there, 0, UINT32_MAX) ? "yes" : "no");
    tr_behavior_map_withdraw_all(map);
    printf("behind the log the floor is at %.2f m\n",
           (double)tr_behavior_map_height(map, tr_vec2_make(11, 2)));
    tr_behavior_map_destroy(map);
    tr_behavior_destroy(behavior);
    return 0;
}
