// The triangles that the SIMD loops of slicing leave to double precision.
#include "world/raster/raster_polygon.h"
#include "raster_soft_slice.h"

_Static_assert(SLICE_POLYGON_MAX == SOFT_POLYGON_MAX, "a cut polygon must fit");

bool tr_soft_slice_cut(const slice_object *object, const mesh_block *block, uint32_t lane,
                       const slice_tile *tile, slice_polygon *polygon) {
    const double low[3] = {tile->column - 1.0, -1, tile->row - 1.0},
                 high[3] = {tile->column + tile->columns + 1.0, tile->view.grid.layers + 1.0,
                            tile->row + tile->rows + 1.0};
    soft_polygon triangle, cut[3];
    tr_soft_polygon_load(&object->job, block, lane, &triangle);
    const soft_polygon *left = &triangle;
    for (int axis = 0; axis < 3 && left->count > 0; axis++)
        left = tr_soft_polygon_clip(left, axis, low[axis], high[axis], &cut[axis]);
    polygon->count = left->count;
    for (int i = 0; i < left->count; i++) {
        polygon->x[i] = (float)(left->corner[i][0] - tile->column);
        polygon->y[i] = (float)left->corner[i][1];
        polygon->z[i] = (float)(left->corner[i][2] - tile->row);
    }
    return left->count > 0;
}

void tr_soft_slice_bound(const mesh_block *block, uint32_t count, float box[6]) {
    for (int axis = 0; axis < 3; axis++) {
        float low = block->corner[axis][0], high = low;
        for (int k = 0; k < 3; k++)
            for (uint32_t lane = 0; lane < count; lane++) {
                float value = block->corner[3 * k + axis][lane];
                low = value < low ? value : low;
                high = value > high ? value : high;
            }
        box[axis] = (low + high) / 2;
        box[axis + 3] = (high - low) / 2;
    }
}
