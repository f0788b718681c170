// One triangle at a time in double precision.
#include "raster_polygon.h"
#include "raster_soft_slice.h"

// Flat enough to stand on? From the mesh's own corners, whose differences lose nothing.
static bool is_flat(const slice_work *work, const slice_object *object, const mesh_block *block,
                    uint32_t lane) {
    float a[3], b[3];
    for (int axis = 0; axis < 3; axis++) {
        a[axis] = block->corner[3 + axis][lane] - block->corner[axis][lane];
        b[axis] = block->corner[6 + axis][lane] - block->corner[axis][lane];
    }
    float n[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    float world[3];
    for (int axis = 0; axis < 3; axis++) {
        const float *row = object->cofactor[axis];
        world[axis] = n[0] * row[0] + n[1] * row[1] + n[2] * row[2];
    }
    float upright = world[1] * world[1], across = world[0] * world[0] + world[2] * world[2];
    return upright + across > 0 && upright >= work->flatness * (upright + across);
}

// The part of a column between two heights.
static void fill_range(const slice_work *work, const slice_tile *tile, uint32_t column, double low,
                       double high, double slack, bool stands, uint16_t sure) {
    int32_t layers = (int32_t)work->request->grid.layers;
    if (!(high + slack >= 0 && low - slack <= layers))
        return;
    int32_t first = soft_cell_at(low - slack, 0, layers - 1),
            last = soft_cell_at(high + slack, 0, layers - 1);
    float above = (float)(high - last);
    above = above > 0 ? above < 1 ? above : 1 : 0;
    slice_fill(tile, column, (uint32_t)first, (uint32_t)last, slice_top_of(above),
               stands ? slice_stand_of(above, sure) : 0);
}

void tr_soft_slice_large(const slice_work *work, const slice_object *object, const mesh_block *block,
                         uint32_t lane, const slice_tile *tile) {
    soft_polygon triangle, cut_row, cut_column;
    const soft_job *job = &object->job;
    double slack = job->slack;
    tr_soft_polygon_load(job, block, lane, &triangle);
    soft_job here = *job;
    here.column_begin = tile->column;
    here.column_end = tile->column + tile->columns;
    here.row_begin = tile->row;
    here.row_end = tile->row + tile->rows;
    soft_cells cells;
    if (!tr_soft_polygon_cells(&here, &triangle, &cells))
        return;
    bool stands = object->stands && is_flat(work, object, block, lane);
    for (int32_t row = cells.row_first; row <= cells.row_last; row++) {
        const soft_polygon *strip =
            tr_soft_polygon_clip(&triangle, 2, row - slack, row + 1 + slack, &cut_row);
        for (int32_t column = cells.column_first; column <= cells.column_last; column++) {
            const soft_polygon *part =
                tr_soft_polygon_clip(strip, 0, column - slack, column + 1 + slack, &cut_column);
            if (part->count == 0)
                continue;
            double low, high;
            tr_soft_polygon_range(part, 1, &low, &high);
            uint32_t number = (uint32_t)((row - tile->row) * tile->columns + column - tile->column);
            fill_range(work, tile, number, low, high, job->height_slack, stands, object->sure);
        }
    }
}
