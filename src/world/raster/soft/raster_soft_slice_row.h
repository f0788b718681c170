// Large triangles: cut to the tile in double precision, then drawn one row of columns at a time. Part of the
// inner loops of slicing, included once for each SIMD_LANES.
#pragma once
#include "raster_soft_slice_fill.h"

// The heights of a row of columns, as they are found segment by segment.
typedef struct row_heights {
    float least[TR_VOXEL_TILE + SIMD_LANES], greatest[TR_VOXEL_TILE + SIMD_LANES];
    int32_t first, last; // columns that have heights
    bool level;          // all are equal and are not stored
} row_heights;

static void clear_row(row_heights *row) {
    for (int i = 0; i < TR_VOXEL_TILE && !row->level; i++)
        row->least[i] = 1e30f, row->greatest[i] = -1e30f;
    row->first = TR_VOXEL_TILE;
    row->last = -1;
}

static void meet_segment(const scope *in, row_heights *row, const float a[2], const float b[2]) {
    float x_min = (a[0] < b[0] ? a[0] : b[0]) - in->slack, x_max = (a[0] < b[0] ? b[0] : a[0]) + in->slack;
    int32_t first = soft_cell_at(x_min, 0, in->tile->columns),
            last = soft_cell_at(x_max, -1, in->tile->columns - 1);
    if (first > last)
        return;
    row->first = first < row->first ? first : row->first;
    row->last = last > row->last ? last : row->last;
    if (row->level)
        return;
    segments s;
    set_segment(&s, 0, simd_set(a[0]), simd_set(a[1]), simd_set(b[0]), simd_set(b[1]));
    for (int32_t column = first; column <= last; column += SIMD_LANES) {
        simd_float cell = to_float(simd_numbers() + column), y_min, y_max;
        heights_between(&s, 1, cell - in->slack, cell + (1 + in->slack), &y_min, &y_max);
        simd_store_float(&row->least[column], simd_min(simd_load(&row->least[column]), y_min));
        simd_store_float(&row->greatest[column], simd_max(simd_load(&row->greatest[column]), y_max));
    }
}

// One edge of a polygon, cut to a row: `low` is its corner with the lesser z. Where it crosses the beginning
// or the end of the row, that end of the row's cut is kept.
typedef struct row_cut {
    float ends[2][2];
    int count;
} row_cut;

static void meet_edge(const scope *in, const slice_polygon *p, int low, int high, float begin, float end,
                      row_cut cuts[2], row_heights *row) {
    float dz = p->z[high] - p->z[low], inverse = dz < ALONG ? 0 : 1 / dz;
    float x_slope = (p->x[high] - p->x[low]) * inverse, y_slope = (p->y[high] - p->y[low]) * inverse;
    float ends[2][2] = {{p->x[low], p->y[low]}, {p->x[high], p->y[high]}};
    for (int side = 0; side < 2; side++) {
        float level = side ? end : begin;
        if (side ? p->z[high] <= end : p->z[low] >= begin)
            continue;
        row_cut *cut = &cuts[side];
        ends[side][0] = p->x[low] + (level - p->z[low]) * x_slope;
        ends[side][1] = p->y[low] + (level - p->z[low]) * y_slope;
        if (cut->count < 2)
            memcpy(cut->ends[cut->count++], ends[side], sizeof ends[side]);
    }
    meet_segment(in, row, ends[0], ends[1]);
}

// The outline of a polygon in a row: its edges, and the cuts where it enters and leaves the row.
static void meet_row(const scope *in, const slice_polygon *p, float begin, float end, row_heights *row) {
    row_cut cuts[2] = {{.count = 0}, {.count = 0}};
    for (int i = 0; i < p->count; i++) {
        int k = i + 1 == p->count ? 0 : i + 1;
        int low = p->z[i] <= p->z[k] ? i : k, high = p->z[i] <= p->z[k] ? k : i;
        if (p->z[high] >= begin && p->z[low] <= end)
            meet_edge(in, p, low, high, begin, end, cuts, row);
    }
    for (int side = 0; side < 2; side++)
        if (cuts[side].count == 2)
            meet_segment(in, row, cuts[side].ends[0], cuts[side].ends[1]);
}

static void fill_row_heights(const scope *in, int32_t row_number, const row_heights *row, simd_int stands) {
    for (int32_t column = row->first; column <= row->last; column += SIMD_LANES) {
        simd_int number = simd_numbers() + column;
        filling f =
            fill_between(in, simd_load(&row->least[column]), simd_load(&row->greatest[column]), stands);
        fill_lanes(in, number <= row->last, number + row_number * in->tile->columns, &f);
    }
}

// Draws one triangle that is large, or too far away for floats: cut to the tile in double precision, then one
// row of columns at a time.
APART void draw_large(const scope *in, const mesh_block *block, uint32_t lane, bool stands) {
    slice_polygon p;
    if (!tr_soft_slice_cut(in->object, block, lane, in->tile, &p))
        return;
    float z_min = p.z[0], z_max = p.z[0];
    row_heights row;
    row.level = true;
    for (int i = 1; i < p.count; i++) {
        z_min = p.z[i] < z_min ? p.z[i] : z_min;
        z_max = p.z[i] > z_max ? p.z[i] : z_max;
        row.level = row.level && p.y[i] == p.y[0];
    }
    int32_t row_first = soft_cell_at(z_min - in->slack, 0, in->tile->rows),
            row_last = soft_cell_at(z_max + in->slack, -1, in->tile->rows - 1);
    simd_int standing = simd_set_int(stands ? -1 : 0);
    filling all = fill_between(in, simd_set(p.y[0]), simd_set(p.y[0]), standing);
    for (int32_t number = row_first; number <= row_last; number++) {
        clear_row(&row);
        meet_row(in, &p, (float)number - in->slack, (float)number + (1 + in->slack), &row);
        if (row.level)
            fill_spans(in, simd_mask(row.first <= row.last),
                       simd_set_int(number * in->tile->columns + row.first),
                       simd_set_int(row.last - row.first + 1), simd_set_int(1), &all);
        else
            fill_row_heights(in, number, &row, standing);
    }
}
