// The inner loops of slicing with the `soft` rasteriser, included once for each SIMD_LANES; SIMD_NAME(x)
// gives the external name.
//
// The part of a triangle inside one row of columns is a convex polygon. Seen from the side, along the row, it
// is convex too, and the heights that it has in one column are those of its outline there: so it is enough to
// walk the outline's segments and to keep the least and the greatest height. Upright triangles and segments
// need no case of their own. Places are counted from the tile's corner, in cells and layers.
#include "../base/simd.h"
#include "raster_soft_slice.h"

#define INLINE static inline __attribute__((always_inline))

#define SMALL 32 // cells on a side; larger triangles are cut to the tile in double precision first
#define SEGMENTS 5
#define NEAR_CELLS 1000 // a block of this reach can be placed in floats
#define ALONG 1e-6f     // [cells]: a segment this short has no slope; far below the slack

static inline simd_float clamp(simd_float v, float low, float high) {
    return simd_min(simd_max(v, simd_set(low)), simd_set(high));
}

static inline simd_float min3(const simd_float v[3]) {
    return simd_min(simd_min(v[0], v[1]), v[2]);
}

static inline simd_float max3(const simd_float v[3]) {
    return simd_max(simd_max(v[0], v[1]), v[2]);
}

static inline simd_float apply_row(const float row[4], float move, simd_float x, simd_float y, simd_float z) {
    return x * row[0] + y * row[1] + z * row[2] + move;
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

INLINE filling fill_between(const slice_object *object, float layers, simd_float y_min, simd_float y_max,
                            simd_int stands) {
    float slack = object->job.height_slack;
    filling f;
    f.hit = (y_min <= y_max) & (y_max >= -slack) & (y_min <= layers + slack);
    f.low = simd_floor(clamp(y_min - slack, 0, layers - 1));
    f.high = simd_floor(clamp(y_max + slack, 0, layers - 1));
    simd_float above = clamp(y_max - to_float(f.high), 0, 1);
    simd_int top = round_up(above * 65535.0f);
    simd_int stand = ((1 + round_up(above * 32766.0f)) << 1) | (int32_t)object->sure;
    f.tops = top | ((stand & stands) << 16);
    return f;
}

static inline void fill_lanes(const slice_tile *tile, simd_int lanes, simd_int columns, const filling *f) {
    int32_t column[SIMD_LANES], low[SIMD_LANES], high[SIMD_LANES], tops[SIMD_LANES];
    simd_store(column, columns);
    simd_store(low, f->low);
    simd_store(high, f->high);
    simd_store(tops, f->tops);
    for (uint32_t rest = simd_bits(lanes & f->hit); rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        slice_fill(tile, (uint32_t)column[lane], (uint32_t)low[lane], (uint32_t)high[lane],
                   (uint32_t)tops[lane]);
    }
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

// SIMD_LANES triangles in a tile.
typedef struct batch {
    simd_float x[3], y[3], z[3];
    simd_float y_min, y_max;
    simd_int column_first, column_last, row_first, row_last; // in the tile; all of it may be outside
    simd_int alive;                                          // has cells and heights there
    simd_int small, one_column, one_row;                     // told by the whole triangle
    simd_int stands;
} batch;

// What the loops know of one object in one tile.
typedef struct scope {
    const slice_object *object;
    const slice_tile *tile;
    float move[3]; // what the matrix moves by, counted from the tile's corner
    float layers, slack;
    float flatness;
} scope;

static inline void place_batch(const scope *in, const mesh_block *block, uint32_t lane, uint32_t end,
                               batch *b) {
    const soft_job *job = &in->object->job;
    for (int k = 0; k < 3; k++) {
        simd_float px = simd_load(&block->corner[3 * k][lane]),
                   py = simd_load(&block->corner[3 * k + 1][lane]),
                   pz = simd_load(&block->corner[3 * k + 2][lane]);
        b->x[k] = apply_row(job->matrix[0], in->move[0], px, py, pz);
        b->y[k] = apply_row(job->matrix[1], in->move[1], px, py, pz);
        b->z[k] = apply_row(job->matrix[2], in->move[2], px, py, pz);
    }
    simd_int c0 = simd_floor(clamp(min3(b->x) - in->slack, -1e6f, 1e6f)),
             c1 = simd_floor(clamp(max3(b->x) + in->slack, -1e6f, 1e6f)),
             r0 = simd_floor(clamp(min3(b->z) - in->slack, -1e6f, 1e6f)),
             r1 = simd_floor(clamp(max3(b->z) + in->slack, -1e6f, 1e6f));
    b->small = (c1 - c0 < SMALL) & (r1 - r0 < SMALL);
    b->one_column = c0 == c1;
    b->one_row = r0 == r1;
    b->column_first = simd_max_int(c0, simd_set_int(0));
    b->column_last = simd_min_int(c1, simd_set_int(in->tile->columns - 1));
    b->row_first = simd_max_int(r0, simd_set_int(0));
    b->row_last = simd_min_int(r1, simd_set_int(in->tile->rows - 1));
    b->y_min = min3(b->y);
    b->y_max = max3(b->y);
    float height_slack = job->height_slack;
    b->alive = (b->column_first <= b->column_last) & (b->row_first <= b->row_last) &
               (b->y_max >= -height_slack) & (b->y_min <= in->layers + height_slack) &
               (simd_numbers() < (int32_t)end - (int32_t)lane);
}

// Which are flat enough to stand on, from the mesh's own corners, whose differences lose nothing.
static inline simd_int find_flat(const scope *in, const mesh_block *block, uint32_t lane) {
    simd_float a[3], b[3], world[3];
    for (int axis = 0; axis < 3; axis++) {
        simd_float corner = simd_load(&block->corner[axis][lane]);
        a[axis] = simd_load(&block->corner[3 + axis][lane]) - corner;
        b[axis] = simd_load(&block->corner[6 + axis][lane]) - corner;
    }
    simd_float n[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    for (int axis = 0; axis < 3; axis++) {
        const float *row = in->object->cofactor[axis];
        world[axis] = n[0] * row[0] + n[1] * row[1] + n[2] * row[2];
    }
    simd_float upright = world[1] * world[1], whole = upright + (world[0] * world[0] + world[2] * world[2]);
    return (whole > 0) & (upright >= in->flatness * whole);
}

// Triangles whose box tells all: they lie in one column, or are level and lie in one row or column of them.
static void draw_boxes(const scope *in, const batch *b, simd_int lanes) {
    filling f = fill_between(in->object, in->layers, b->y_min, b->y_max, b->stands);
    int32_t width = in->tile->columns;
    int32_t first[SIMD_LANES], columns[SIMD_LANES], rows[SIMD_LANES], low[SIMD_LANES], high[SIMD_LANES],
        tops[SIMD_LANES];
    simd_store(first, b->row_first * width + b->column_first);
    simd_store(columns, b->column_last - b->column_first);
    simd_store(rows, b->row_last - b->row_first);
    simd_store(low, f.low);
    simd_store(high, f.high);
    simd_store(tops, f.tops);
    for (uint32_t rest = simd_bits(lanes & f.hit); rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        for (int32_t row = 0, at = first[lane]; row <= rows[lane]; row++, at += width)
            for (int32_t column = 0; column <= columns[lane]; column++)
                slice_fill(in->tile, (uint32_t)(at + column), (uint32_t)low[lane], (uint32_t)high[lane],
                           (uint32_t)tops[lane]);
    }
}

// Triangles in one row, or one column, of columns: their edges alone make the outline.
static void draw_thin(const scope *in, const batch *b, simd_int lanes) {
    segments s;
    simd_float along[3];
    for (int k = 0; k < 3; k++)
        along[k] = simd_select(b->one_column, b->z[k], b->x[k]);
    for (int k = 0; k < 3; k++) {
        int next = k == 2 ? 0 : k + 1;
        set_segment(&s, k, along[k], b->y[k], along[next], b->y[next]);
    }
    int32_t width = in->tile->columns;
    simd_int cell = simd_select_int(b->one_column, b->row_first, b->column_first),
             last = simd_select_int(b->one_column, b->row_last, b->column_last);
    simd_int column = b->row_first * width + b->column_first,
             step = simd_select_int(b->one_column, simd_set_int(width), simd_set_int(1));
    for (; simd_bits(lanes); cell += 1, column += step) {
        simd_float begin = to_float(cell) - in->slack, end = to_float(cell) + (1 + in->slack), y_min, y_max;
        heights_between(&s, 3, begin, end, &y_min, &y_max);
        filling f = fill_between(in->object, in->layers, y_min, y_max, b->stands);
        fill_lanes(in->tile, lanes, column, &f);
        lanes &= cell < last;
    }
}

// An edge between two corners in order of z: x and height as functions of z.
typedef struct edge {
    simd_float x, y, z, x_slope, y_slope;
    simd_float x_along, y_along; // of an edge along the row: it has no slope and counts from end to end
} edge;

INLINE edge make_edge(const batch *b, int from, int to) {
    simd_float dx = b->x[to] - b->x[from], dy = b->y[to] - b->y[from], dz = b->z[to] - b->z[from];
    simd_int along = dz < ALONG;
    simd_float none = simd_set(0),
               inverse = simd_select(along, none, 1 / simd_select(along, simd_set(1), dz));
    edge e = {b->x[from],
              b->y[from],
              b->z[from],
              dx * inverse,
              dy * inverse,
              simd_select(along, dx, none),
              simd_select(along, dy, none)};
    return e;
}

typedef struct place {
    simd_float x, y;
} place;

INLINE place begin_of(const edge *e, simd_float z) {
    place p = {e->x + (z - e->z) * e->x_slope, e->y + (z - e->z) * e->y_slope};
    return p;
}

INLINE place end_of(const edge *e, simd_float z) {
    place p = {e->x + ((z - e->z) * e->x_slope + e->x_along), e->y + ((z - e->z) * e->y_slope + e->y_along)};
    return p;
}

INLINE place choose(simd_int mask, place yes, place no) {
    place p = {simd_select(mask, yes.x, no.x), simd_select(mask, yes.y, no.y)};
    return p;
}

INLINE void swap_corners(batch *b, int i, int k) {
    simd_int swap = b->z[k] < b->z[i];
    simd_float *planes[3] = {b->x, b->y, b->z};
    for (int axis = 0; axis < 3; axis++) {
        simd_float *v = planes[axis], low = v[i];
        v[i] = simd_select(swap, v[k], low);
        v[k] = simd_select(swap, low, v[k]);
    }
}

// The outline of a triangle in one row: the long edge, the two short ones and the two cuts. Of the short
// edges, one that does not reach into the row shrinks to the end of a cut.
INLINE void outline_row(const edge edges[3], const simd_float z[3], simd_float begin, simd_float end,
                        segments *s, simd_float *x_min, simd_float *x_max) {
    simd_float from = simd_max(begin, z[0]), to = simd_min(end, z[2]);
    simd_int first_enters = from <= z[1], second_leaves = to >= z[1];
    place a0 = begin_of(&edges[0], from), a1 = end_of(&edges[0], to);
    place b0 = begin_of(&edges[1], from), b1 = end_of(&edges[1], simd_min(to, z[1]));
    place c0 = begin_of(&edges[2], simd_max(from, z[1])), c1 = end_of(&edges[2], to);
    place enter = choose(first_enters, b0, c0), leave = choose(second_leaves, c1, b1);
    b1 = choose(first_enters, b1, enter);
    c0 = choose(second_leaves, c0, leave);
    set_segment(s, 0, a0.x, a0.y, a1.x, a1.y);
    set_segment(s, 1, enter.x, enter.y, b1.x, b1.y);
    set_segment(s, 2, c0.x, c0.y, leave.x, leave.y);
    set_segment(s, 3, a0.x, a0.y, enter.x, enter.y);
    set_segment(s, 4, a1.x, a1.y, leave.x, leave.y);
    *x_min = simd_min(simd_min(s->at_min[0], s->at_min[1]), s->at_min[2]);
    *x_max = simd_max(simd_max(s->at_max[0], s->at_max[1]), s->at_max[2]);
}

// Fill columns [first, last] of a row, each lane its own, with the same.
static void fill_spans(const scope *in, simd_int lanes, simd_int row, simd_int first, simd_int last,
                       const filling *f) {
    int32_t begin[SIMD_LANES], end[SIMD_LANES], low[SIMD_LANES], high[SIMD_LANES], tops[SIMD_LANES];
    simd_store(begin, row * in->tile->columns + first);
    simd_store(end, row * in->tile->columns + last);
    simd_store(low, f->low);
    simd_store(high, f->high);
    simd_store(tops, f->tops);
    for (uint32_t rest = simd_bits(lanes & f->hit & (first <= last)); rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        for (int32_t column = begin[lane]; column <= end[lane]; column++)
            slice_fill(in->tile, (uint32_t)column, (uint32_t)low[lane], (uint32_t)high[lane],
                       (uint32_t)tops[lane]);
    }
}

static void fill_row(const scope *in, const batch *b, simd_int lanes, simd_int row, simd_int first,
                     simd_int last, const segments *s) {
    lanes &= first <= last;
    simd_int column = row * in->tile->columns + first;
    for (simd_int cell = first; simd_bits(lanes); cell += 1, column += 1) {
        simd_float begin = to_float(cell) - in->slack, end = to_float(cell) + (1 + in->slack), y_min, y_max;
        heights_between(s, SEGMENTS, begin, end, &y_min, &y_max);
        filling f = fill_between(in->object, in->layers, y_min, y_max, b->stands);
        fill_lanes(in->tile, lanes, column, &f);
        lanes &= cell < last;
    }
}

// Triangles of several rows and columns, row by row.
static void draw_rows(const scope *in, batch *b, simd_int lanes) {
    simd_int level = b->y_min == b->y_max;
    filling all = fill_between(in->object, in->layers, b->y_min, b->y_max, b->stands);
    swap_corners(b, 0, 1);
    swap_corners(b, 1, 2);
    swap_corners(b, 0, 1);
    edge edges[3] = {make_edge(b, 0, 2), make_edge(b, 0, 1), make_edge(b, 1, 2)};
    for (simd_int row = b->row_first; simd_bits(lanes); row += 1) {
        simd_float begin = to_float(row) - in->slack, end = to_float(row) + (1 + in->slack), x_min, x_max;
        segments s;
        outline_row(edges, b->z, begin, end, &s, &x_min, &x_max);
        simd_int first = simd_max_int(simd_floor(clamp(x_min - in->slack, -1, 64)), b->column_first),
                 last = simd_min_int(simd_floor(clamp(x_max + in->slack, -1, 64)), b->column_last);
        if (simd_bits(lanes & level))
            fill_spans(in, lanes & level, row, first, last, &all);
        if (simd_bits(lanes & ~level))
            fill_row(in, b, lanes & ~level, row, first, last, &s);
        lanes &= row < b->row_last;
    }
}

// The heights of a row of columns, as they become known segment by segment.
typedef struct row_heights {
    float least[TR_VOXEL_TILE + SIMD_LANES], greatest[TR_VOXEL_TILE + SIMD_LANES];
    int32_t first, last; // columns that have any
    bool level;          // all are the same: they are not kept
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
        filling f = fill_between(in->object, in->layers, simd_load(&row->least[column]),
                                 simd_load(&row->greatest[column]), stands);
        fill_lanes(in->tile, number <= row->last, number + row_number * in->tile->columns, &f);
    }
}

// Level ground, the most common of large things.
static void fill_row_level(const scope *in, int32_t row_number, const row_heights *row, const filling *f) {
    uint32_t first = (uint32_t)(row_number * in->tile->columns + row->first), count = 0;
    if (row->first <= row->last && f->hit[0])
        count = (uint32_t)(row->last - row->first + 1);
    for (uint32_t i = 0; i < count; i++)
        slice_fill(in->tile, first + i, (uint32_t)f->low[0], (uint32_t)f->high[0], (uint32_t)f->tops[0]);
}

// One triangle that is large, or too far out for floats: cut to the tile in double precision, then all
// columns of a row at once.
static void draw_large(const scope *in, const mesh_block *block, uint32_t lane, bool stands) {
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
    filling all = fill_between(in->object, in->layers, simd_set(p.y[0]), simd_set(p.y[0]), standing);
    for (int32_t number = row_first; number <= row_last; number++) {
        clear_row(&row);
        meet_row(in, &p, (float)number - in->slack, (float)number + (1 + in->slack), &row);
        if (row.level)
            fill_row_level(in, number, &row, &all);
        else
            fill_row_heights(in, number, &row, standing);
    }
}

// `block` as it is kept, and `near` the same as the loops want it; `exact`: floats will not do.
static void draw_batch(const scope *in, const mesh_block *block, const mesh_block *near, uint32_t lane,
                       uint32_t end, bool exact) {
    batch b;
    place_batch(in, near, lane, end, &b);
    if (exact)
        b.alive = simd_numbers() < (int32_t)end - (int32_t)lane;
    if (!simd_bits(b.alive))
        return;
    b.stands = in->object->stands ? find_flat(in, block, lane) : simd_set_int(0);
    simd_int small = exact ? simd_set_int(0) : b.alive & b.small, thin = b.one_column | b.one_row;
    simd_int box = small & thin & ((b.one_column & b.one_row) | (b.y_min == b.y_max));
    if (simd_bits(box))
        draw_boxes(in, &b, box);
    if (simd_bits(small & thin & ~box))
        draw_thin(in, &b, small & thin & ~box);
    if (simd_bits(small & ~thin))
        draw_rows(in, &b, small & ~thin);
    uint32_t standing = simd_bits(b.stands);
    for (uint32_t rest = simd_bits(b.alive & ~small); rest; rest &= rest - 1) {
        uint32_t number = (uint32_t)__builtin_ctz(rest);
        draw_large(in, block, lane + number, standing >> number & 1);
    }
}

// The block's corners counted from its own middle, for meshes too large for floats about theirs. False when
// the block is too large itself.
static bool bring_near(scope *in, const mesh_block *block, const float box[6], mesh_block *near) {
    const soft_job *job = &in->object->job;
    if (job->beyond_floats)
        return false;
    const double move[3] = {in->tile->column, 0, in->tile->row},
                 most[3] = {NEAR_CELLS, in->layers * 0.25, NEAR_CELLS};
    for (int axis = 0; axis < 3; axis++) {
        const double *m = job->exact[axis];
        const float *size = job->matrix_size[axis];
        if (box[3] * size[0] + box[4] * size[1] + box[5] * size[2] > most[axis])
            return false;
        in->move[axis] = (float)(box[0] * m[0] + box[1] * m[1] + box[2] * m[2] + m[3] - move[axis]);
    }
    for (int i = 0; i < 9; i++)
        for (int lane = 0; lane < MESH_BLOCK; lane++)
            near->corner[i][lane] = block->corner[i][lane] - box[i % 3];
    return true;
}

void SIMD_NAME(tr_soft_slice_draw)(const slice_work *work, const slice_object *object, uint32_t number,
                                   const slice_tile *tile) {
    const soft_job *job = &object->job;
    const mesh_block *block = &job->blocks[number], *near = block;
    uint32_t count = soft_block_triangles(job, number);
    scope in = {.object = object,
                .tile = tile,
                .move = {(float)(job->exact[0][3] - tile->column), job->matrix[1][3],
                         (float)(job->exact[2][3] - tile->row)},
                .layers = (float)work->request->grid.layers,
                .slack = job->slack,
                .flatness = work->flatness};
    mesh_block moved;
    bool exact = false;
    if (job->needs_double) {
        float box[6];
        tr_soft_slice_bound(block, count, box);
        exact = !bring_near(&in, block, box, &moved);
        near = exact ? block : &moved;
    }
    for (uint32_t lane = 0; lane < count; lane += SIMD_LANES)
        draw_batch(&in, block, near, lane, count, exact);
}
