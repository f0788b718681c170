// What lies flat on the floor: too low to be an obstacle, high enough to be stepped on. The map of it is a
// footprint of the lowest slice of the scene that keeps its heights; nothing in it is ever grown.
#include "stage_data.h"

#define GROUND_CELL 0.05f  // at most, whatever the cells of the ways are [m]
#define GROUND_TOP 0.05f   // from here on it is an obstacle, as in tr_footprint_def_default [m]
#define GROUND_BELOW 0.02f // a floor may be so much lower than the ground and is still seen [m]
#define GROUND_LEAST 1e-4f // less is flat [m]

// What reaches the top goes on above it: a wall, which nobody steps onto.
static float rise_of(const tr_stage *stage, float floor) {
    float rise = floor - stage->def.area.min.y;
    return rise > GROUND_LEAST && rise < GROUND_TOP - GROUND_LEAST ? rise : 0;
}

float tr_stage_rise(void *user, tr_vec2 point) {
    const tr_stage *stage = user;
    const tr_grid *grid = tr_footprint_grid(stage->ground);
    uint32_t column, row;
    if (!tr_grid_find(grid, point, &column, &row))
        return 0;
    return rise_of(stage, tr_footprint_floor(stage->ground)[(size_t)row * grid->columns + column]);
}

static bool is_flat(const tr_stage *stage, tr_cells cells) {
    const float *floor = tr_footprint_floor(stage->ground);
    uint32_t columns = tr_footprint_grid(stage->ground)->columns;
    for (uint32_t row = cells.row_begin; row < cells.row_end; row++)
        for (uint32_t column = cells.column_begin; column < cells.column_end; column++)
            if (rise_of(stage, floor[(size_t)row * columns + column]) > 0)
                return false;
    return true;
}

// Actors ask only where there is something to be asked for.
static void look_at_cells(tr_stage *stage, tr_cells cells) {
    if (stage->ground_is_uneven || is_flat(stage, cells))
        return;
    stage->ground_is_uneven = true;
    for (uint32_t i = 0; i < stage->actor_count; i++)
        tr_actor_set_rise(stage->actors[i]->actor, tr_stage_rise, stage);
}

tr_status tr_stage_prepare_ground(tr_stage *stage, tr_error *error) {
    if (stage->ground)
        return TR_OK;
    float ground = stage->def.area.min.y;
    tr_footprint_def def = tr_footprint_def_default(ground);
    def.allocator = &stage->allocator;
    def.grid = stage->grid;
    tr_grid fine; // where it is not too large for one
    if (stage->grid.cell > GROUND_CELL &&
        tr_grid_cover(stage->def.area, GROUND_CELL, 0, 0, &fine, NULL) == TR_OK)
        def.grid = fine;
    // Heights are split in the middle of the band.
    def.band.low = ground - GROUND_BELOW;
    def.band.high = ground + 2 * GROUND_TOP + GROUND_BELOW;
    def.radius = 0;
    def.keep_heights = true;
    tr_status status = tr_footprint_create(&def, &stage->ground, error);
    if (status == TR_OK)
        status = tr_footprint_build(stage->ground, stage->raster, stage->def.scene, error);
    if (status != TR_OK) {
        tr_footprint_destroy(stage->ground);
        stage->ground = NULL;
        return status;
    }
    look_at_cells(stage, tr_grid_all(tr_footprint_grid(stage->ground)));
    return TR_OK;
}

tr_status tr_stage_update_ground(tr_stage *stage, tr_error *error) {
    if (!stage->ground)
        return TR_OK;
    tr_cells changed = {0, 0, 0, 0};
    tr_status status = tr_footprint_update(stage->ground, stage->raster, stage->def.scene, &changed, error);
    if (status == TR_OK)
        look_at_cells(stage, changed);
    return status;
}
