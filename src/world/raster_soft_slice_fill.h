// Filling columns, and heights along the ground: what the inner loops of slicing stand on. Included once for
// each SIMD_LANES.
#pragma once
#include "../base/simd.h"
#include "raster_soft_slice.h"

#define INLINE static inline __attribute__((always_inline))
// Not inlined: the loops around it would leave it no registers.
#define APART static __attribute__((noinline))

#define SEGMENTS 5
#define ALONG 1e-6f // [cells]: a segment this short has no slope; far below the slack

// What the loops know of one object in one tile.
typedef struct scope {
    const slice_object *object;
    const slice_tile *tile;
    float move[3]; // what the matrix moves by, counted from the tile's corner
    float layers, slack;
    float flatness;
} scope;

static inline simd_float clamp(simd_float v, float low, float high) {
    return simd_min(simd_max(v, simd_set(low)), simd_set(high));
}

static inline simd_float to_float(simd_int v) {
    return __builtin_convertvector(v, simd_float);
}

// Rounded up; not negative.
static inline simd_int round_up(simd_float v) {
    simd_int whole = __builtin_convertvector(v, simd_int);
    return whole - (to_float(whole) < v); // a true lane is -1
}

// What of a column a range of heights fills, each lane its own.
typedef struct filling {
    simd_int low, high; // layers
    simd_int tops;      // tr_voxel_top: `top` in the lower half, `stand` in the upper
    simd_int hit;       // there is something to fill
} filling;

INLINE filling fill_between(const scope *in, simd_float y_min, simd_float y_max, simd_int stands) {
    float slack = in->object->job.height_slack, layers = in->layers;
    filling f;
    f.hit = (y_min <= y_max) & (y_max >= -slack) & (y_min <= layers + slack);
    f.low = simd_floor(clamp(y_min - slack, 0, layers - 1));
    f.high = simd_floor(clamp(y_max + slack, 0, layers - 1));
    simd_float above = clamp(y_max - to_float(f.high), 0, 1);
    simd_int top = round_up(above * 65535.0f);
    simd_int stand = ((1 + round_up(above * 32766.0f)) << 1) | (int32_t)in->object->sure;
    f.tops = top | ((stand & stands) << 16);
    return f;
}

// One column for each lane.
typedef struct lone_columns {
    int32_t column[SIMD_LANES], low[SIMD_LANES], high[SIMD_LANES], tops[SIMD_LANES];
} lone_columns;

APART void fill_lone(const slice_tile *tile, uint32_t lanes, const lone_columns *c) {
    uint64_t *occupied = tile->view.occupied;
    tr_voxel_top *tops = tile->view.tops;
    size_t words = tile->view.words, layers = tile->view.grid.layers;
    for (; lanes; lanes &= lanes - 1) {
        int lane = __builtin_ctz(lanes);
        size_t column = (size_t)c->column[lane];
        slice_fill(occupied + column * words, tops + column * layers, (uint32_t)c->low[lane],
                   (uint32_t)c->high[lane], (uint32_t)c->tops[lane]);
    }
}

INLINE void fill_lanes(const scope *in, simd_int lanes, simd_int column, const filling *f) {
    lone_columns c;
    simd_store(c.column, column);
    simd_store(c.low, f->low);
    simd_store(c.high, f->high);
    simd_store(c.tops, f->tops);
    fill_lone(in->tile, simd_bits(lanes & f->hit), &c);
}

// Several columns for each lane, all filled with the same.
typedef struct column_spans {
    int32_t column[SIMD_LANES], count[SIMD_LANES], step[SIMD_LANES];
    int32_t low[SIMD_LANES], high[SIMD_LANES], tops[SIMD_LANES];
} column_spans;

APART void fill_apart(const slice_tile *tile, uint32_t lanes, const column_spans *c) {
    uint64_t *occupied = tile->view.occupied;
    tr_voxel_top *tops = tile->view.tops;
    size_t words = tile->view.words, layers = tile->view.grid.layers;
    for (; lanes; lanes &= lanes - 1) {
        int lane = __builtin_ctz(lanes);
        uint32_t low = (uint32_t)c->low[lane], high = (uint32_t)c->high[lane], top = (uint32_t)c->tops[lane];
        size_t first = (size_t)c->column[lane], step = (size_t)c->step[lane];
        uint64_t *bits = occupied + first * words;
        tr_voxel_top *kept = tops + first * layers;
        for (int32_t left = c->count[lane]; left > 0; left--, bits += step * words, kept += step * layers)
            slice_fill(bits, kept, low, high, top);
    }
}

INLINE void fill_spans(const scope *in, simd_int lanes, simd_int column, simd_int count, simd_int step,
                       const filling *f) {
    column_spans c;
    simd_store(c.column, column);
    simd_store(c.count, count);
    simd_store(c.step, step);
    simd_store(c.low, f->low);
    simd_store(c.high, f->high);
    simd_store(c.tops, f->tops);
    fill_apart(in->tile, simd_bits(lanes & f->hit), &c);
}

// Segments seen from the side: heights along one axis of the ground.
typedef struct segments {
    simd_float at[SEGMENTS], height[SEGMENTS]; // where it begins
    simd_float at_min[SEGMENTS], at_max[SEGMENTS], slope[SEGMENTS];
    simd_float rise[SEGMENTS]; // of a segment without slope: it counts from end to end
} segments;

INLINE void set_segment(segments *s, int number, simd_float a, simd_float a_height, simd_float b,
                        simd_float b_height) {
    simd_float by = b - a, rise = b_height - a_height;
    simd_int upright = simd_abs(by) < ALONG;
    s->at[number] = a;
    s->height[number] = a_height;
    s->at_min[number] = simd_min(a, b);
    s->at_max[number] = simd_max(a, b);
    s->slope[number] = simd_select(upright, simd_set(0), rise / simd_select(upright, simd_set(1), by));
    s->rise[number] = simd_select(upright, rise, simd_set(0));
}

// The least and the greatest height of the segments between two places; least > greatest for none.
INLINE void heights_between(const segments *s, int count, simd_float begin, simd_float end, simd_float *least,
                            simd_float *greatest) {
    simd_float y_min = simd_set(1e30f), y_max = simd_set(-1e30f);
    for (int i = 0; i < count; i++) {
        simd_float from = simd_max(begin, s->at_min[i]), to = simd_min(end, s->at_max[i]);
        simd_int touches = from <= to;
        simd_float a = s->height[i] + (from - s->at[i]) * s->slope[i];
        simd_float b = s->height[i] + ((to - s->at[i]) * s->slope[i] + s->rise[i]);
        y_min = simd_select(touches, simd_min(y_min, simd_min(a, b)), y_min);
        y_max = simd_select(touches, simd_max(y_max, simd_max(a, b)), y_max);
    }
    *least = y_min;
    *greatest = y_max;
}
