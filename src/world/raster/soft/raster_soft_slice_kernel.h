// The inner loops of slicing with the `soft` rasteriser, included once for each SIMD_LANES; SIMD_NAME(x)
// gives the external name.
//
// The part of a triangle inside one row of columns is a convex polygon. Seen from the side, along the row, it
// is convex too, and its heights in one column are those of its outline there. So it is enough to walk the
// outline's segments and to keep the least and the greatest height. Upright triangles and segments need no
// special case. Positions are relative to the tile's corner, in cells and layers.
#include "raster_soft_slice_fill.h"
#include "raster_soft_slice_row.h"

#define SMALL 256       // cells on a side; larger triangles are cut to the tile in double precision first
#define NEAR_CELLS 1000 // a block up to this reach can be placed in floats
#define LONG (SIMD_LANES * 3 / 4) // a triangle over more cells is drawn alone, its cells in the lanes

#define TILE_SHIFT 5
_Static_assert(TR_VOXEL_TILE == 1 << TILE_SHIFT, "TILE_SHIFT does not match TR_VOXEL_TILE");

static inline simd_float min3(const simd_float v[3]) {
    return simd_min(simd_min(v[0], v[1]), v[2]);
}

static inline simd_float max3(const simd_float v[3]) {
    return simd_max(simd_max(v[0], v[1]), v[2]);
}

static inline simd_float apply_row(const float row[4], float move, simd_float x, simd_float y, simd_float z) {
    return x * row[0] + y * row[1] + z * row[2] + move;
}

static inline simd_int pick(simd_int mask, simd_int yes, simd_int no) {
    return (simd_int)simd_select(mask, (simd_float)yes, (simd_float)no);
}

static inline simd_int cell_of(simd_float v) {
    return simd_floor(clamp(v, -1e6f, 1e6f));
}

// SIMD_LANES triangles in a tile: each along the longer side of its box, and across.
typedef struct batch {
    simd_float along[3], y[3], across[3];
    simd_float y_min, y_max;
    simd_int first, last, across_first, across_last; // cells in the tile, both ends
    simd_int along_step, across_step;                // the increment of the column number for one more cell
    simd_int alive;                                  // has cells and heights in the tile
    simd_int small, thin, single;                    // decided by the whole triangle: in one row, in one cell
    simd_int level, stands;
} batch;

static inline void place_batch(const scope *in, const mesh_block *block, uint32_t lane, uint32_t end,
                               batch *b) {
    const soft_job *job = &in->object->job;
    simd_float x[3], z[3];
    for (int k = 0; k < 3; k++) {
        simd_float px = simd_load(&block->corner[3 * k][lane]),
                   py = simd_load(&block->corner[3 * k + 1][lane]),
                   pz = simd_load(&block->corner[3 * k + 2][lane]);
        x[k] = apply_row(job->matrix[0], in->move[0], px, py, pz);
        b->y[k] = apply_row(job->matrix[1], in->move[1], px, py, pz);
        z[k] = apply_row(job->matrix[2], in->move[2], px, py, pz);
    }
    simd_int c0 = cell_of(min3(x) - in->slack), c1 = cell_of(max3(x) + in->slack),
             r0 = cell_of(min3(z) - in->slack), r1 = cell_of(max3(z) + in->slack);
    simd_int columns = c1 - c0, rows = r1 - r0, turned = columns > rows;
    b->small = (columns < SMALL) & (rows < SMALL);
    b->single = (columns | rows) == 0;
    b->thin = (columns == 0) | (rows == 0);
    c0 = simd_max_int(c0, simd_set_int(0)), c1 = simd_min_int(c1, simd_set_int(in->tile->columns - 1));
    r0 = simd_max_int(r0, simd_set_int(0)), r1 = simd_min_int(r1, simd_set_int(in->tile->rows - 1));
    for (int k = 0; k < 3; k++) {
        b->along[k] = simd_select(turned, x[k], z[k]);
        b->across[k] = simd_select(turned, z[k], x[k]);
    }
    b->first = pick(turned, c0, r0), b->across_first = pick(turned, r0, c0);
    b->last = pick(turned, c1, r1), b->across_last = pick(turned, r1, c1);
    simd_int width = simd_set_int(in->tile->columns), one = simd_set_int(1);
    b->along_step = pick(turned, one, width);
    b->across_step = pick(turned, width, one);
    b->y_min = min3(b->y);
    b->y_max = max3(b->y);
    b->level = b->y_min == b->y_max;
    b->alive = (b->first <= b->last) & (b->across_first <= b->across_last) &
               (b->y_max >= -job->height_slack) & (b->y_min <= in->layers + job->height_slack) &
               (simd_numbers() < (int32_t)end - (int32_t)lane);
}

// Copies one lane of a batch into all lanes.
APART void take_lane(const batch *b, int lane, batch *one) {
    for (int k = 0; k < 3; k++) {
        one->along[k] = simd_set(b->along[k][lane]);
        one->y[k] = simd_set(b->y[k][lane]);
        one->across[k] = simd_set(b->across[k][lane]);
    }
    one->y_min = simd_set(b->y_min[lane]), one->y_max = simd_set(b->y_max[lane]);
    one->first = simd_set_int(b->first[lane]), one->last = simd_set_int(b->last[lane]);
    one->across_first = simd_set_int(b->across_first[lane]);
    one->across_last = simd_set_int(b->across_last[lane]);
    one->along_step = simd_set_int(b->along_step[lane]);
    one->across_step = simd_set_int(b->across_step[lane]);
    one->level = simd_set_int(b->level[lane]), one->stands = simd_set_int(b->stands[lane]);
}

// Which triangles are flat enough to stand on, from the mesh's own corners, whose differences are exact.
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

// Draws triangles for which the box is sufficient: they lie in one column, or are level and lie in one row of
// columns.
APART void draw_boxes(const scope *in, const batch *b, simd_int lanes) {
    filling f = fill_between(in, b->y_min, b->y_max, b->stands);
    simd_int column = b->first * b->along_step + b->across_first * b->across_step;
    fill_lanes(in, lanes & b->single, column, &f);
    if (simd_bits(lanes & ~b->single))
        fill_spans(in, lanes & ~b->single, column, b->last - b->first + 1, b->along_step, &f);
}

// Draws triangles in one row: their edges alone make the outline. Each lane begins at its own cell and
// advances by `step` cells, whether the lanes are triangles or cells of one.
APART void draw_thin(const scope *in, const batch *b, simd_int lanes, simd_int cell, int32_t step) {
    segments s;
    for (int k = 0; k < 3; k++) {
        int next = k == 2 ? 0 : k + 1;
        set_segment(&s, k, b->along[k], b->y[k], b->along[next], b->y[next]);
    }
    simd_int column = cell * b->along_step + b->across_first * b->across_step;
    for (lanes &= cell <= b->last; simd_bits(lanes);) {
        simd_float begin = to_float(cell) - in->slack, end = to_float(cell) + (1 + in->slack), y_min, y_max;
        heights_between(&s, 3, begin, end, &y_min, &y_max);
        filling f = fill_between(in, y_min, y_max, b->stands);
        fill_lanes(in, lanes, column, &f);
        cell += step;
        column += step * b->along_step;
        lanes &= cell <= b->last;
    }
}

// An edge between two corners in their order along the axis: position across and height.
typedef struct edge {
    simd_float at, across, y, across_slope, y_slope;
    simd_float across_by, y_by; // of an edge without slope, which counts from end to end
} edge;

INLINE edge make_edge(const batch *b, int from, int to) {
    simd_float by = b->along[to] - b->along[from], across = b->across[to] - b->across[from],
               rise = b->y[to] - b->y[from];
    simd_int level = by < ALONG;
    simd_float none = simd_set(0),
               inverse = simd_select(level, none, 1 / simd_select(level, simd_set(1), by));
    edge e = {.at = b->along[from],
              .across = b->across[from],
              .y = b->y[from],
              .across_slope = across * inverse,
              .y_slope = rise * inverse,
              .across_by = simd_select(level, across, none),
              .y_by = simd_select(level, rise, none)};
    return e;
}

typedef struct place {
    simd_float across, y;
} place;

INLINE place begin_of(const edge *e, simd_float at) {
    place p = {e->across + (at - e->at) * e->across_slope, e->y + (at - e->at) * e->y_slope};
    return p;
}

INLINE place end_of(const edge *e, simd_float at) {
    place p = {e->across + ((at - e->at) * e->across_slope + e->across_by),
               e->y + ((at - e->at) * e->y_slope + e->y_by)};
    return p;
}

INLINE place choose(simd_int mask, place yes, place no) {
    place p = {simd_select(mask, yes.across, no.across), simd_select(mask, yes.y, no.y)};
    return p;
}

// A triangle in one row: the ends of its long edge there, of the short edge that enters and of the one that
// leaves. A short edge that does not reach into the row shrinks to the end of a cut.
typedef struct outline {
    place long_begin, long_end, enter, first_end, second_begin, leave;
    simd_float across_min, across_max;
} outline;

INLINE outline cut_row(const edge edges[3], const simd_float at[3], simd_float begin, simd_float end) {
    simd_float from = simd_max(begin, at[0]), to = simd_min(end, at[2]);
    simd_int first_enters = from <= at[1], second_leaves = to >= at[1];
    place b0 = begin_of(&edges[1], from), b1 = end_of(&edges[1], simd_min(to, at[1]));
    place c0 = begin_of(&edges[2], simd_max(from, at[1])), c1 = end_of(&edges[2], to);
    outline o = {.long_begin = begin_of(&edges[0], from), .long_end = end_of(&edges[0], to)};
    o.enter = choose(first_enters, b0, c0);
    o.leave = choose(second_leaves, c1, b1);
    o.first_end = choose(first_enters, b1, o.enter);
    o.second_begin = choose(second_leaves, c0, o.leave);
    o.across_min = simd_min(
        simd_min(simd_min(o.long_begin.across, o.long_end.across), simd_min(o.enter.across, o.leave.across)),
        simd_min(o.first_end.across, o.second_begin.across));
    o.across_max = simd_max(
        simd_max(simd_max(o.long_begin.across, o.long_end.across), simd_max(o.enter.across, o.leave.across)),
        simd_max(o.first_end.across, o.second_begin.across));
    return o;
}

INLINE void set_between(segments *s, int number, place a, place b) {
    set_segment(s, number, a.across, a.y, b.across, b.y);
}

APART void fill_row(const scope *in, const batch *b, simd_int lanes, simd_int column, simd_int first,
                    simd_int last, const outline *o) {
    segments s;
    set_between(&s, 0, o->long_begin, o->long_end);
    set_between(&s, 1, o->enter, o->first_end);
    set_between(&s, 2, o->second_begin, o->leave);
    set_between(&s, 3, o->long_begin, o->enter);
    set_between(&s, 4, o->long_end, o->leave);
    for (simd_int cell = first; simd_bits(lanes); cell += 1, column += b->across_step) {
        simd_float begin = to_float(cell) - in->slack, end = to_float(cell) + (1 + in->slack), y_min, y_max;
        heights_between(&s, SEGMENTS, begin, end, &y_min, &y_max);
        filling f = fill_between(in, y_min, y_max, b->stands);
        fill_lanes(in, lanes, column, &f);
        lanes &= cell < last;
    }
}

INLINE void order_corners(batch *b, int i, int k) {
    simd_int swap = b->along[k] < b->along[i];
    simd_float *planes[3] = {b->along, b->y, b->across};
    for (int axis = 0; axis < 3; axis++) {
        simd_float *v = planes[axis], low = v[i];
        v[i] = simd_select(swap, v[k], low);
        v[k] = simd_select(swap, low, v[k]);
    }
}

// Draws triangles of several rows and columns, row by row; sorts the corners of `b`.
APART void draw_rows(const scope *in, batch *b, simd_int lanes, simd_int row, int32_t step) {
    filling all = fill_between(in, b->y_min, b->y_max, b->stands);
    order_corners(b, 0, 1);
    order_corners(b, 1, 2);
    order_corners(b, 0, 1);
    edge edges[3] = {make_edge(b, 0, 2), make_edge(b, 0, 1), make_edge(b, 1, 2)};
    for (lanes &= row <= b->last; simd_bits(lanes); row += step, lanes &= row <= b->last) {
        outline o = cut_row(edges, b->along, to_float(row) - in->slack, to_float(row) + (1 + in->slack));
        simd_int first = simd_max_int(cell_of(o.across_min - in->slack), b->across_first),
                 last = simd_min_int(cell_of(o.across_max + in->slack), b->across_last);
        simd_int drawn = lanes & (first <= last), column = row * b->along_step + first * b->across_step;
        if (simd_bits(drawn & b->level))
            fill_spans(in, drawn & b->level, column, last - first + 1, b->across_step, &all);
        if (simd_bits(drawn & ~b->level))
            fill_row(in, b, drawn & ~b->level, column, first, last, &o);
    }
}

// Draws triangles over many cells, one after the other: their cells are in the lanes.
static void draw_long(const scope *in, const batch *b, simd_int lanes) {
    uint32_t thin = simd_bits(b->thin);
    for (uint32_t rest = simd_bits(lanes); rest; rest &= rest - 1) {
        batch one;
        int lane = __builtin_ctz(rest);
        take_lane(b, lane, &one);
        simd_int cell = one.first + simd_numbers(), all = simd_set_int(-1);
        if (thin >> lane & 1)
            draw_thin(in, &one, all, cell, SIMD_LANES);
        else
            draw_rows(in, &one, all, cell, SIMD_LANES);
    }
}

// `block` is the stored block, `near` the same block for the loops; `exact`: floats are not accurate enough.
static void draw_batch(const scope *in, const mesh_block *block, const mesh_block *near, uint32_t lane,
                       uint32_t end, bool exact) {
    batch b;
    place_batch(in, near, lane, end, &b);
    if (exact) {
        b.alive = simd_numbers() < (int32_t)end - (int32_t)lane;
        b.small = simd_set_int(0);
    }
    if (!simd_bits(b.alive))
        return;
    b.stands = in->object->stands ? find_flat(in, block, lane) : simd_set_int(0);
    simd_int small = b.alive & b.small, box = small & (b.single | (b.thin & b.level)),
             many = small & ~box & (b.last - b.first >= LONG);
    simd_int thin = small & b.thin & ~box & ~many, rows = small & ~b.thin & ~many;
    if (simd_bits(box))
        draw_boxes(in, &b, box);
    if (simd_bits(many))
        draw_long(in, &b, many);
    if (simd_bits(thin))
        draw_thin(in, &b, thin, b.first, 1);
    uint32_t standing = simd_bits(b.stands);
    for (uint32_t rest = simd_bits(b.alive & ~small); rest; rest &= rest - 1) {
        uint32_t number = (uint32_t)__builtin_ctz(rest);
        draw_large(in, block, lane + number, standing >> number & 1);
    }
    if (simd_bits(rows))
        draw_rows(in, &b, rows, b.first, 1);
}

// The block's corners relative to its own middle, for meshes too large for floats about theirs. False when
// the block itself is too large.
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

// The tiles near the boxes of SIMD_LANES blocks; returns which blocks are near any.
uint32_t SIMD_NAME(tr_soft_slice_tiles)(const slice_object *object, uint32_t first, float layers,
                                        slice_tiles *tiles) {
    const soft_job *job = &object->job;
    simd_float low[3], high[3], v[6];
    for (int i = 0; i < 6; i++)
        v[i] = simd_load(job->block_bounds + (size_t)i * job->block_stride + first);
    for (int i = 0; i < 3; i++) {
        simd_float centre = apply_row(job->matrix[i], job->matrix[i][3], v[0], v[1], v[2]),
                   half = apply_row(job->matrix_size[i], 0, v[3], v[4], v[5]);
        low[i] = centre - half;
        high[i] = centre + half;
    }
    float reach = job->block_slack, height_reach = object->block_height_slack;
    simd_int c0 = simd_max_int(cell_of(low[0] - reach), simd_set_int(job->column_begin)),
             c1 = simd_min_int(cell_of(high[0] + reach), simd_set_int(job->column_end - 1)),
             r0 = simd_max_int(cell_of(low[2] - reach), simd_set_int(job->row_begin)),
             r1 = simd_min_int(cell_of(high[2] + reach), simd_set_int(job->row_end - 1));
    simd_store(tiles->column_first, c0 >> TILE_SHIFT);
    simd_store(tiles->column_last, c1 >> TILE_SHIFT);
    simd_store(tiles->row_first, r0 >> TILE_SHIFT);
    simd_store(tiles->row_last, r1 >> TILE_SHIFT);
    return simd_bits((c0 <= c1) & (r0 <= r1) & (high[1] >= -height_reach) &
                     (low[1] <= layers + height_reach) &
                     (simd_numbers() < (int32_t)(job->block_count - first)));
}
