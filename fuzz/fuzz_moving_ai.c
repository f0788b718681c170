// Any text, read as a map and as a scenario: it is read or refused, and what was read keeps its promises.
#include "target.h"
#include "troupe/io/moving_ai.h"

static void try_map(const tr_allocator *allocator, const uint8_t *data, size_t size) {
    tr_grid grid;
    tr_bitmap blocked;
    tr_error error = {0};
    tr_status status = tr_moving_ai_read_map(allocator, data, size, &grid, &blocked, &error);
    TARGET_CHECK(status == TR_OK || (error.status == status && error.message[0]));
    if (status != TR_OK)
        return;
    TARGET_CHECK(tr_grid_check(&grid, 0, NULL) == TR_OK);
    TARGET_CHECK(blocked.columns == grid.columns && blocked.rows == grid.rows);
    TARGET_CHECK((uint64_t)grid.columns * grid.rows <= size);
    TARGET_CHECK(tr_bitmap_count(&blocked) <= (uint64_t)grid.columns * grid.rows);
    tr_bitmap_destroy(allocator, &blocked);
}

static void try_scenario(const tr_allocator *allocator, const uint8_t *data, size_t size) {
    tr_moving_ai_scenario scenario;
    tr_error error = {0};
    tr_status status = tr_moving_ai_read_scenario(allocator, data, size, &scenario, &error);
    TARGET_CHECK(status == TR_OK || (error.status == status && error.message[0]));
    if (status != TR_OK)
        return;
    for (uint32_t i = 0; i < scenario.count; i++) {
        const tr_moving_ai_query *query = &scenario.queries[i];
        TARGET_CHECK(query->start_column < query->map_width && query->goal_column < query->map_width);
        TARGET_CHECK(query->start_row < query->map_height && query->goal_row < query->map_height);
        TARGET_CHECK(query->optimal >= 0 && tr_moving_ai_agrees(&scenario, i, query->optimal));
    }
    tr_moving_ai_free_scenario(allocator, &scenario);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    target_memory memory;
    tr_allocator allocator = target_allocator(&memory, size);
    try_map(&allocator, data, size);
    try_scenario(&allocator, data, size);
    TARGET_CHECK(memory.live == 0);
    return 0;
}
