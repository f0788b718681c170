// Where can one stand in a two-storey house? Slice it, look up and down a column, move a thing, and update.
#include "troupe/world/sample.h"
#include "troupe/world/surface.h"

#include <stdio.h>

static void print_column(const tr_surface *surface, uint32_t column, uint32_t row) {
    static const char *const kinds[] = {"air below the lowest thing", "not to be stood on", "to stand on",
                                        "meant for standing on"};
    for (uint32_t i = 0; i < tr_surface_at(surface, column, row).count; i++) {
        tr_surface_place place = tr_surface_place_of(surface, column, row, i);
        printf("  %.2f m, %.2f m of room: %s\n", place.height, place.room, kinds[place.kind]);
    }
}

static int run(tr_sample *sample, tr_raster *raster) {
    tr_error error;
    tr_surface *surface = NULL;
    tr_surface_def def = tr_surface_def_default();
    if (tr_voxel_grid_cover(tr_scene_bounds(sample->scene), 0.1f, 0.05f, 0, 0, &def.grid, &error) != TR_OK ||
        tr_surface_create(&def, &surface, &error) != TR_OK ||
        tr_surface_build(surface, raster, sample->scene, &error) != TR_OK) {
        fprintf(stderr, "%s\n", error.message);
        tr_surface_destroy(surface);
        return 1;
    }
    const tr_grid *grid = &def.grid.grid;
    printf("%u x %u columns of %u layers: %u cells in %.0f KB, where the dense grid has %.1f million\n",
           grid->columns, grid->rows, def.grid.layers, tr_surface_cell_count(surface),
           (double)tr_surface_bytes(surface) / 1000, 1e-6 * grid->columns * grid->rows * def.grid.layers);

    uint32_t most = 0, where = 0; // the column with the most storeys
    for (uint32_t i = 0; i < grid->columns * grid->rows; i++) {
        uint32_t count = tr_surface_at(surface, i % grid->columns, i / grid->columns).count;
        where = count > most ? i : where;
        most = count > most ? count : most;
    }
    printf("column %u, row %u has %u cells:\n", where % grid->columns, where / grid->columns, most);
    print_column(surface, where % grid->columns, where / grid->columns);

    tr_surface_place start = tr_surface_drop(surface, sample->start, 0.3f);
    printf("the start drops onto %.2f m; it is %s\n", start.height,
           tr_surface_is_inside(sample->scene, sample->start) ? "inside something" : "in the open");

    uint32_t thing = sample->first_movable;
    tr_affine placement = tr_scene_object(sample->scene, thing).placement;
    placement.m[0][3] += 0.4f;
    tr_cells changed;
    if (tr_scene_place(sample->scene, thing, &placement) != TR_OK ||
        tr_surface_update(surface, raster, sample->scene, &changed, &error) != TR_OK)
        return 1;
    printf("\"%s\" was dragged: columns %u to %u, rows %u to %u were redone\n",
           tr_scene_object(sample->scene, thing).name, changed.column_begin, changed.column_end,
           changed.row_begin, changed.row_end);
    tr_surface_destroy(surface);
    return 0;
}

int main(void) {
    const tr_sample_def house = {.name = "house"};
    const tr_raster_def soft = {.backend = TR_RASTER_SOFT};
    tr_sample sample;
    tr_raster *raster = NULL;
    tr_error error;
    if (tr_sample_make(&house, &sample, &error) != TR_OK ||
        tr_raster_create(&soft, &raster, &error) != TR_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    int result = run(&sample, raster);
    tr_raster_destroy(raster);
    tr_scene_destroy(sample.scene);
    return result;
}
