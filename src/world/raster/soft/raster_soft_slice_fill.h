// Filling columns, and heights along the ground: the basis of the inner loops of slicing. Included once for
// each SIMD_LANES.
#pragma once
#include "base/simd.h"
#include "raster_soft_slice.h"

#define INLINE static inline __attribute__((always_inline))
// Not inlined: the surrounding loops would leave no registers for it.
#define APART static __attribute__((noinline))

#define SEGMENTS 5
#define ALONG 1e-6f // [cells]: a segment this short has no slope; far below the slack

// The data of one object in one tile.
typedef struct scope {
    const slice_object *object;
    const slice_tile *tile;
    float move[3]; // the translation of the matrix, relative to the tile's corner
    float layers, slack;
    float flatness;
} scope;

static inline simd_float clamp(simd_float v, float low, float high) {
    return simd_min(simd_max(v, simd_set(low)), simd_set(high));
}

static inline simd_float to_float(simd_int v) {
    return __builtin_convertvector(v, simd_float);
}

// Rounds up; v must not be negative.
static inline simd_int round_up(simd_float v) {
    simd_int whole = __builtin_convertvector(v, simd_int);
    return whole - (to_float(whole) < v); // a true lane is -1
}

// The part of a column that a range of heights fills, for each lane.
typedef struct filling {
    simd_int low, high;  // layers
    simd_int top, stand; // as in tr_voxel_top
    simd_int hit;        // there is something to fill
} filling;

INLINE filling fill_between(const scope *in, simd_float y_min, simd_float y_max, simd_int stands) {
    float slack = in->object->job.height_slack, layers = in->layers;
    filling f;
    f.hit = (y_min <= y_max) & (y_max >= -slack) & (y_min <= layers + slack);
    f.low = simd_floor(clamp(y_min - slack, 0, layers - 1));
    f.high = simd_floor(clamp(y_max + slack, 0, layers - 1));
    simd_float above = clamp(y_max - to_float(f.high), 0, 1);
    f.top = round_up(above * 65535.0f);
    f.stand = (((1 + round_up(above * 32766.0f)) << 1) | (int32_t)in->object->sure) & stands;
    return f;
}

// The columns to fill, stored to memory.
typedef struct fillings {
    int32_t word[SIMD_LANES], kept[SIMD_LANES]; // of the highest layer: the positions of its bits and its top
    int32_t low_bit[SIMD_LANES], high_bit[SIMD_LANES], top[SIMD_LANES], stand[SIMD_LANES];
    int32_t words[SIMD_LANES]; // above the first of the range
    uint32_t lanes;            // lanes with something to fill
    uint32_t across;           // those of them whose range is in more than one word
} fillings;

INLINE void put_fillings(const scope *in, simd_int lanes, simd_int column, const filling *f, fillings *to) {
    simd_int low_word = f->low >> 6, high_word = f->high >> 6;
    simd_store(to->word, column * (int32_t)in->tile->view.words + high_word);
    simd_store(to->kept, column * (int32_t)in->tile->view.grid.layers + f->high);
    simd_store(to->low_bit, f->low & 63);
    simd_store(to->high_bit, f->high & 63);
    simd_store(to->top, f->top);
    simd_store(to->stand, f->stand);
    to->lanes = simd_bits(lanes & f->hit);
    to->across = simd_bits(lanes & f->hit & (low_word != high_word));
    if (to->across)
        simd_store(to->words, high_word - low_word);
}

// Fills the words below the highest one of a range.
APART void fill_below(uint64_t *highest, int32_t words, int32_t low_bit) {
    for (int32_t word = 1; word < words; word++)
        highest[-word] = ~(uint64_t)0;
    highest[-words] |= ~(uint64_t)0 << low_bit;
}

// Fills one column for each lane.
APART void fill_lone(const slice_tile *tile, fillings *f) {
    uint64_t *bits = tile->view.occupied;
    tr_voxel_top *tops = tile->view.tops;
    for (uint32_t rest = f->across; rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        fill_below(bits + f->word[lane], f->words[lane], f->low_bit[lane]);
        f->low_bit[lane] = 0;
    }
    for (uint32_t rest = f->lanes; rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        uint64_t *word = bits + (uint32_t)f->word[lane], before = *word;
        uint32_t bit = (uint32_t)f->high_bit[lane];
        *word = before | slice_mask((uint32_t)f->low_bit[lane], bit);
        slice_raise(tops + (uint32_t)f->kept[lane], before, bit, (uint32_t)f->top[lane],
                    (uint32_t)f->stand[lane]);
    }
}

INLINE void fill_lanes(const scope *in, simd_int lanes, simd_int column, const filling *f) {
    fillings to;
    put_fillings(in, lanes, column, f, &to);
    fill_lone(in->tile, &to);
}

// Several columns for each lane, all filled in the same way.
typedef struct column_spans {
    fillings first;
    int32_t count[SIMD_LANES], step[SIMD_LANES];
} column_spans;

APART void fill_apart(const slice_tile *tile, const column_spans *c) {
    const fillings *f = &c->first;
    size_t words = tile->view.words, layers = tile->view.grid.layers;
    for (uint32_t rest = f->lanes; rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        uint64_t *word = tile->view.occupied + (uint32_t)f->word[lane];
        tr_voxel_top *kept = tile->view.tops + (uint32_t)f->kept[lane];
        bool across = f->across >> lane & 1;
        uint32_t bit = (uint32_t)f->high_bit[lane], top = (uint32_t)f->top[lane],
                 stand = (uint32_t)f->stand[lane];
        uint64_t mask = slice_mask(across ? 0 : (uint32_t)f->low_bit[lane], bit);
        size_t word_step = (size_t)c->step[lane] * words, top_step = (size_t)c->step[lane] * layers;
        for (int32_t left = c->count[lane]; left > 0; left--, word += word_step, kept += top_step) {
            uint64_t before = *word;
            *word = before | mask;
            slice_raise(kept, before, bit, top, stand);
            if (across)
                fill_below(word, f->words[lane], f->low_bit[lane]);
        }
    }
}

INLINE void fill_spans(const scope *in, simd_int lanes, simd_int column, simd_int count, simd_int step,
                       const filling *f) {
    column_spans c;
    put_fillings(in, lanes, column, f, &c.first);
    simd_store(c.count, count);
    simd_store(c.step, step);
    fill_apart(in->tile, &c);
}

// Segments seen from the side: heights along one axis of the ground.
typedef struct segments {
    simd_float at[SEGMENTS], height[SEGMENTS]; // where it begins
    simd_float at_min[SEGMENTS], at_max[SEGMENTS], slope[SEGMENTS];
    simd_float rise[SEGMENTS]; // of a segment without slope, which counts from end to end
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

// The least and the greatest height of the segments between two places; least > greatest when there are none.
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
