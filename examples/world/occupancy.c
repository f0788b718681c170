// Where can an adult be in a furnished room? Build the map, drag a thing, and update the map.
#include "troupe/world/occupancy.h"
#include "troupe/world/sample.h"

#include <stdio.h>

// '#' an obstacle, '+' too near to one, '.' free.
static void print_map(const tr_occupancy *map) {
    const tr_grid *grid = tr_occupancy_grid(map);
    for (uint32_t row = grid->rows; row-- > 0;) {
        for (uint32_t column = 0; column < grid->columns; column++)
            putchar(tr_bitmap_get(tr_occupancy_occupied(map), column, row)  ? '#'
                    : tr_bitmap_get(tr_occupancy_blocked(map), column, row) ? '+'
                                                                            : '.');
        putchar('\n');
    }
}

static int run(tr_sample *sample, tr_raster *raster) {
    tr_error error;
    tr_occupancy *map = NULL;
    tr_occupancy_def def = tr_occupancy_def_default(sample->ground.min.y);
    def.keep_clearance = true;
    if (tr_grid_cover(sample->ground, 0.2f, 0, 0, &def.grid, &error) != TR_OK ||
        tr_occupancy_create(&def, &map, &error) != TR_OK ||
        tr_occupancy_build(map, raster, sample->scene, &error) != TR_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    print_map(map);
    printf("%u x %u cells, %.2f bytes each\n", def.grid.columns, def.grid.rows,
           tr_occupancy_bytes_per_cell(map));

    uint32_t thing = sample->first_movable;
    tr_affine placement = tr_scene_object(sample->scene, thing).placement;
    placement.m[0][3] += 0.4f;
    tr_cells changed;
    if (tr_scene_place(sample->scene, thing, &placement) != TR_OK ||
        tr_occupancy_update(map, raster, sample->scene, &changed, &error) != TR_OK)
        return 1;
    printf("\"%s\" was dragged: columns %u to %u, rows %u to %u were redone\n",
           tr_scene_object(sample->scene, thing).name, changed.column_begin, changed.column_end,
           changed.row_begin, changed.row_end);

    // The roomiest place: the free cell that is furthest from everything.
    const float *clearance = tr_occupancy_clearance(map);
    uint32_t best = 0;
    for (uint32_t i = 1; i < def.grid.columns * def.grid.rows; i++)
        best = clearance[i] > clearance[best] ? i : best;
    tr_vec2 place = tr_grid_centre(&def.grid, best % def.grid.columns, best / def.grid.columns);
    printf("most room at (%.1f, %.1f): %.2f m, %s\n", place.x, place.z, clearance[best],
           tr_occupancy_is_free(map, place) ? "free" : "blocked");
    tr_occupancy_destroy(map);
    return 0;
}

int main(void) {
    const tr_sample_def room = {.name = "room"};
    const tr_raster_def soft = {.backend = TR_RASTER_SOFT};
    tr_sample sample;
    tr_raster *raster = NULL;
    tr_error error;
    if (tr_sample_make(&room, &sample, &error) != TR_OK ||
        tr_raster_create(&soft, &raster, &error) != TR_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    int result = run(&sample, raster);
    tr_raster_destroy(raster);
    tr_scene_destroy(sample.scene);
    return result;
}
