// The inner loops of the `soft` rasteriser, included once for each SIMD_LANES; SIMD_NAME(x) gives the
// external name.
//
// A cell is set exactly when the part of a triangle inside the height band, seen from above a convex polygon,
// comes within the slack of the closed cell. In one row of cells the polygon covers an interval of x, because
// it is convex. So it is enough to find, row by row, the least and the greatest x among the polygon's edges
// cut to the row's strip. Upright triangles are segments from above and need no special case.
#include "base/simd.h"
#include "raster_soft.h"
#include "raster_soft_tile.h"

#define EDGES 3
#define SEGMENTS 5 // three edges, and two where the band's planes cut the triangle
#define SMALL 32   // cells on a side; larger ones are drawn by tr_raster_soft_draw_large

#define INLINE static inline __attribute__((always_inline))

typedef struct segments {
    simd_float ax[SEGMENTS], az[SEGMENTS], bx[SEGMENTS], bz[SEGMENTS];
    simd_int valid[SEGMENTS];
} segments;

static inline simd_float apply_row(const float row[4], simd_float x, simd_float y, simd_float z) {
    return x * row[0] + y * row[1] + z * row[2] + row[3];
}

// The same to the last bit for an upright object: x and z do not depend on heights.
static inline simd_float apply_upright(const float row[4], simd_float x, simd_float z) {
    return x * row[0] + z * row[2] + row[3];
}

static inline simd_float min3(const simd_float v[3]) {
    return simd_min(simd_min(v[0], v[1]), v[2]);
}

static inline simd_float max3(const simd_float v[3]) {
    return simd_max(simd_max(v[0], v[1]), v[2]);
}

static inline simd_float clamp(simd_float v, float low, float high) {
    return simd_min(simd_max(v, simd_set(low)), simd_set(high));
}

// The edges of the whole triangle: for batches that lie inside the band.
static inline void take_edges(segments *s, const simd_float x[3], const simd_float z[3]) {
    for (int i = 0; i < EDGES; i++) {
        int next = i == 2 ? 0 : i + 1;
        s->ax[i] = x[i], s->az[i] = z[i], s->bx[i] = x[next], s->bz[i] = z[next];
        s->valid[i] = simd_set_int(-1);
    }
}

// Where the plane at height `level` cuts the triangle, as segment number `slot`. Two edges cross the plane or
// none.
static inline void cut_by_plane(segments *s, int slot, float level, const simd_float x[3],
                                const simd_float y[3], const simd_float z[3],
                                const simd_float inverse_rise[3]) {
    simd_int seen = simd_set_int(0);
    simd_float ax = simd_set(0), az = ax, bx = ax, bz = ax;
    for (int i = 0; i < 3; i++) {
        int next = i == 2 ? 0 : i + 1;
        simd_int crosses = (y[i] < level) ^ (y[next] < level);
        simd_float t = clamp((level - y[i]) * inverse_rise[i], 0, 1);
        simd_float px = x[i] + t * (x[next] - x[i]), pz = z[i] + t * (z[next] - z[i]);
        ax = simd_select(crosses & ~seen, px, ax), az = simd_select(crosses & ~seen, pz, az);
        bx = simd_select(crosses, px, bx), bz = simd_select(crosses, pz, bz);
        seen |= crosses;
    }
    s->ax[slot] = ax, s->az[slot] = az, s->bx[slot] = bx, s->bz[slot] = bz;
    s->valid[slot] = seen;
}

// The boundary of the triangle's part between two heights, for the lanes that cross them (`crosses`). The
// others keep their edges, bit for bit as in take_edges: the cells of a triangle must not depend on its
// neighbours in the batch.
static inline void clip_to_band(segments *s, float low, float high, simd_int crosses, const simd_float x[3],
                                const simd_float y[3], const simd_float z[3]) {
    simd_float inverse_rise[3];
    take_edges(s, x, z);
    for (int i = 0; i < 3; i++) {
        int next = i == 2 ? 0 : i + 1;
        simd_float rise = y[next] - y[i];
        simd_int level = rise == 0;
        inverse_rise[i] = 1 / simd_select(level, simd_set(1), rise);
        simd_float t0 = clamp((low - y[i]) * inverse_rise[i], 0, 1),
                   t1 = clamp((high - y[i]) * inverse_rise[i], 0, 1);
        t0 = simd_select(level, simd_set(0), t0);
        t1 = simd_select(level, simd_set(1), t1);
        simd_float dx = x[next] - x[i], dz = z[next] - z[i];
        s->ax[i] = simd_select(crosses, x[i] + t0 * dx, s->ax[i]);
        s->az[i] = simd_select(crosses, z[i] + t0 * dz, s->az[i]);
        s->bx[i] = simd_select(crosses, x[i] + t1 * dx, s->bx[i]);
        s->bz[i] = simd_select(crosses, z[i] + t1 * dz, s->bz[i]);
        s->valid[i] = ~crosses | ((simd_max(y[i], y[next]) >= low) & (simd_min(y[i], y[next]) <= high));
    }
    cut_by_plane(s, 3, low, x, y, z, inverse_rise);
    cut_by_plane(s, 4, high, x, y, z, inverse_rise);
}

// The smallest box around the valid segments.
static inline void bound_segments(const segments *s, simd_float *x_min, simd_float *x_max, simd_float *z_min,
                                  simd_float *z_max) {
    *x_min = *z_min = simd_set(1e30f);
    *x_max = *z_max = simd_set(-1e30f);
    for (int i = 0; i < SEGMENTS; i++) {
        simd_int valid = s->valid[i];
        *x_min = simd_select(valid, simd_min(*x_min, simd_min(s->ax[i], s->bx[i])), *x_min);
        *x_max = simd_select(valid, simd_max(*x_max, simd_max(s->ax[i], s->bx[i])), *x_max);
        *z_min = simd_select(valid, simd_min(*z_min, simd_min(s->az[i], s->bz[i])), *z_min);
        *z_max = simd_select(valid, simd_max(*z_max, simd_max(s->az[i], s->bz[i])), *z_max);
    }
}

// Cells within the slack of [low, high]; distant values are clamped so that they fit an integer.
static inline simd_int first_cell(simd_float low, float slack) {
    return simd_floor(clamp(low - slack, -1e6f, 1e6f));
}

static inline simd_int last_cell(simd_float high, float slack) {
    return simd_floor(clamp(high + slack, -1e6f, 1e6f));
}

// The data of each segment for the walk over the rows, computed once: along it x = ax + (z - az) * slope.
typedef struct edges {
    simd_float ax[SEGMENTS], az[SEGMENTS], z_min[SEGMENTS], z_max[SEGMENTS], slope[SEGMENTS];
    simd_float
        flat_dx[SEGMENTS]; // of a segment parallel to the row: it has no slope and counts from end to end
} edges;

// `count` is EDGES or SEGMENTS, here and below: inlined, so that the loops are unrolled.
INLINE void make_edges(const segments *s, int count, edges *e) {
    for (int i = 0; i < count; i++) {
        simd_float dz = s->bz[i] - s->az[i], dx = s->bx[i] - s->ax[i];
        simd_int flat = simd_abs(dz) < 1e-6f; // far below the slack
        e->ax[i] = s->ax[i];
        e->az[i] = s->az[i];
        e->slope[i] = simd_select(flat, simd_set(0), dx / simd_select(flat, simd_set(1), dz));
        e->flat_dx[i] = simd_select(flat, dx, simd_set(0));
        // A missing segment lies beyond every row.
        e->z_min[i] = simd_select(s->valid[i], simd_min(s->az[i], s->bz[i]), simd_set(1e9f));
        e->z_max[i] = simd_select(s->valid[i], simd_max(s->az[i], s->bz[i]), simd_set(1e9f));
    }
}

// The x interval of the polygon in one row (each lane has its own row) as columns inside the region; lanes
// without any get first > last.
INLINE void row_span(const soft_job *job, const edges *e, int count, simd_int row, simd_int *first,
                     simd_int *last) {
    simd_float strip_low = __builtin_convertvector(row, simd_float) - job->slack;
    simd_float strip_high = __builtin_convertvector(row, simd_float) + (1 + job->slack);
    simd_float x_min = simd_set(1e30f), x_max = simd_set(-1e30f);
    for (int i = 0; i < count; i++) {
        simd_float z0 = simd_max(strip_low, e->z_min[i]), z1 = simd_min(strip_high, e->z_max[i]);
        simd_int touches = z0 <= z1;
        simd_float x0 = e->ax[i] + (z0 - e->az[i]) * e->slope[i];
        simd_float x1 = e->ax[i] + ((z1 - e->az[i]) * e->slope[i] + e->flat_dx[i]);
        x_min = simd_select(touches, simd_min(x_min, simd_min(x0, x1)), x_min);
        x_max = simd_select(touches, simd_max(x_max, simd_max(x0, x1)), x_max);
    }
    *first = simd_max_int(first_cell(x_min, job->slack), simd_set_int(job->column_begin));
    *last = simd_min_int(last_cell(x_max, job->slack), simd_set_int(job->column_end - 1));
}

// Draws triangles of several rows and columns, all lanes of `bits` at once, row by row.
INLINE void draw_small(const soft_job *job, const segments *s, int count, uint32_t bits, simd_int row_first,
                       simd_int row_last) {
    int32_t rows[SIMD_LANES], first[SIMD_LANES], last[SIMD_LANES];
    edges e;
    make_edges(s, count, &e);
    for (simd_int row = row_first; bits; row += 1) {
        simd_int span_first, span_last;
        row_span(job, &e, count, row, &span_first, &span_last);
        simd_store(rows, row);
        simd_store(first, span_first);
        simd_store(last, span_last);
        for (uint32_t rest = bits & simd_bits(span_first <= span_last); rest; rest &= rest - 1) {
            int lane = __builtin_ctz(rest);
            soft_set_short_span(job, rows[lane], first[lane], last[lane]);
        }
        bits &= simd_bits(row < row_last);
    }
}

// The same into a tile.
INLINE void draw_small_in_tile(const soft_job *job, tile *t, const segments *s, int count, simd_int lanes,
                               const rectangle *box) {
    tile_cells cells = {simd_set_bits(0), simd_set_bits(0)};
    edges e;
    make_edges(s, count, &e);
    for (simd_int row = box->row_first; simd_bits(lanes); row += 1) {
        simd_int first, last;
        row_span(job, &e, count, row, &first, &last);
        tile_add_span(t, lanes & (first <= last), row, first, last, &cells);
        lanes &= row < box->row_last;
    }
    tile_set(t, simd_set_int(-1), &cells);
}

// Draws triangles inside one row or one column of cells: their box is sufficient.
static void draw_boxes(const soft_job *job, uint32_t bits, const rectangle *box) {
    int32_t column_first[SIMD_LANES], column_last[SIMD_LANES], row_first[SIMD_LANES], row_last[SIMD_LANES];
    simd_store(column_first, box->column_first);
    simd_store(column_last, box->column_last);
    simd_store(row_first, box->row_first);
    simd_store(row_last, box->row_last);
    for (; bits; bits &= bits - 1) {
        int lane = __builtin_ctz(bits);
        int32_t row = row_first[lane], end = row_last[lane], first = column_first[lane],
                last = column_last[lane];
        if (last - first > 63) {
            soft_set_span(job, row, first, last); // such a wide box is one row high
            continue;
        }
        for (; row <= end; row++)
            soft_set_short_span(job, row, first, last);
    }
}

// The cells near a box, in total and inside the region.
static inline void find_cells(const soft_job *job, simd_float x_min, simd_float x_max, simd_float z_min,
                              simd_float z_max, rectangle *whole, rectangle *inside) {
    whole->column_first = first_cell(x_min, job->slack);
    whole->column_last = last_cell(x_max, job->slack);
    whole->row_first = first_cell(z_min, job->slack);
    whole->row_last = last_cell(z_max, job->slack);
    inside->column_first = simd_max_int(whole->column_first, simd_set_int(job->column_begin));
    inside->column_last = simd_min_int(whole->column_last, simd_set_int(job->column_end - 1));
    inside->row_first = simd_max_int(whole->row_first, simd_set_int(job->row_begin));
    inside->row_last = simd_min_int(whole->row_last, simd_set_int(job->row_end - 1));
}

static inline simd_int has_cells(const rectangle *r) {
    return (r->column_first <= r->column_last) & (r->row_first <= r->row_last);
}

// Whether it lies in one row or one column of cells, so that the box is sufficient.
static inline simd_int is_thin(const rectangle *whole) {
    return (whole->column_first == whole->column_last) | (whole->row_first == whole->row_last);
}

// Decided by the whole triangle, not by its part in the region: a region drawn alone must have the same
// cells.
static inline simd_int is_small(const rectangle *whole) {
    return (whole->column_last - whole->column_first < SMALL) & (whole->row_last - whole->row_first < SMALL);
}

// The lanes of `bits` whose rectangle is not completely set yet.
static inline uint32_t drop_covered(const soft_job *job, uint32_t bits, const rectangle *r) {
    int32_t column_first[SIMD_LANES], column_last[SIMD_LANES], row_first[SIMD_LANES], row_last[SIMD_LANES];
    simd_store(column_first, r->column_first);
    simd_store(column_last, r->column_last);
    simd_store(row_first, r->row_first);
    simd_store(row_last, r->row_last);
    uint32_t left = bits;
    for (; bits; bits &= bits - 1) {
        int lane = __builtin_ctz(bits);
        soft_cells cells = {column_first[lane], column_last[lane], row_first[lane], row_last[lane]};
        if (soft_is_covered(job, &cells))
            left &= ~(1u << lane);
    }
    return left;
}

// SIMD_LANES triangles on the grid.
typedef struct batch {
    simd_float x[3], y[3], z[3];
    rectangle whole, box; // the cells of each triangle's part in the band, and those of them in the region
    simd_int alive;       // has cells
    simd_int crosses;     // an end of the band, and must be cut
    segments outline;
} batch;

// The triangles of a block from `lane` on, before any cut; those from `end` on do not count.
static inline void place_batch(const soft_job *job, const mesh_block *block, uint32_t lane, uint32_t end,
                               batch *b) {
    for (int k = 0; k < 3; k++) {
        simd_float px = simd_load(&block->corner[3 * k][lane]),
                   pz = simd_load(&block->corner[3 * k + 2][lane]);
        if (job->upright) {
            b->x[k] = apply_upright(job->matrix[0], px, pz);
            b->z[k] = apply_upright(job->matrix[2], px, pz);
        } else {
            simd_float py = simd_load(&block->corner[3 * k + 1][lane]);
            b->x[k] = apply_row(job->matrix[0], px, py, pz);
            b->z[k] = apply_row(job->matrix[2], px, py, pz);
        }
    }
    find_cells(job, min3(b->x), max3(b->x), min3(b->z), max3(b->z), &b->whole, &b->box);
    b->alive = has_cells(&b->box) & (simd_numbers() < (int32_t)end - (int32_t)lane);
}

// Computes heights: which triangles are in the band, and which must be cut.
static inline void place_heights(const soft_job *job, const mesh_block *block, uint32_t lane, batch *b) {
    for (int k = 0; k < 3; k++)
        b->y[k] =
            apply_row(job->matrix[1], simd_load(&block->corner[3 * k][lane]),
                      simd_load(&block->corner[3 * k + 1][lane]), simd_load(&block->corner[3 * k + 2][lane]));
    float low = -job->height_slack, high = job->height + job->height_slack;
    simd_float y_min = min3(b->y), y_max = max3(b->y);
    b->alive &= (y_max >= low) & (y_min <= high);
    b->crosses = (y_min < low) | (y_max > high);
}

// The outlines inside the band, and their cells.
static void cut_batch(const soft_job *job, batch *b) {
    simd_float x_min, x_max, z_min, z_max;
    clip_to_band(&b->outline, -job->height_slack, job->height + job->height_slack, b->crosses, b->x, b->y,
                 b->z);
    bound_segments(&b->outline, &x_min, &x_max, &z_min, &z_max);
    find_cells(job, x_min, x_max, z_min, z_max, &b->whole, &b->box);
    b->alive &= has_cells(&b->box);
}

INLINE void draw_outlines(const soft_job *job, const mesh_block *block, uint32_t lane, const batch *b,
                          int count) {
    uint32_t alive = simd_bits(b->alive), thin = simd_bits(is_thin(&b->whole)) & alive;
    uint32_t small = simd_bits(is_small(&b->whole)) & alive & ~thin;
    if (thin)
        draw_boxes(job, thin, &b->box);
    if (small)
        draw_small(job, &b->outline, count, small, b->box.row_first, b->box.row_last);
    for (uint32_t rest = alive & ~thin & ~small; rest; rest &= rest - 1)
        tr_raster_soft_draw_large(job, block, lane + (uint32_t)__builtin_ctz(rest));
}

static void draw_batch(const soft_job *job, const mesh_block *block, uint32_t lane, uint32_t end) {
    batch b;
    place_batch(job, block, lane, end, &b);
    place_heights(job, block, lane, &b);
    // Testing whether the cells are all set costs as much as setting them, and much less than cutting the
    // triangle.
    uint32_t costly = simd_bits(b.alive & (b.crosses | ~is_thin(&b.whole)));
    b.alive &= ~simd_mask(costly & ~drop_covered(job, costly, &b.box));
    if (simd_bits(b.crosses & b.alive)) {
        cut_batch(job, &b);
        draw_outlines(job, block, lane, &b, SEGMENTS);
    } else if (simd_bits(b.alive)) {
        take_edges(&b.outline, b.x, b.z);
        draw_outlines(job, block, lane, &b, EDGES);
    }
}

static void draw_block(const soft_job *job, uint32_t number) {
    const mesh_block *block = &job->blocks[number];
    uint32_t count = soft_block_triangles(job, number);
    for (uint32_t lane = 0; lane < count; lane += SIMD_LANES)
        draw_batch(job, block, lane, count);
}

static void draw_block_in_double(const soft_job *job, uint32_t number) {
    const mesh_block *block = &job->blocks[number];
    uint32_t count = soft_block_triangles(job, number);
    for (uint32_t lane = 0; lane < count; lane++)
        tr_raster_soft_draw_large(job, block, lane);
}

INLINE void draw_outlines_in_tile(const soft_job *job, const mesh_block *block, uint32_t lane, const batch *b,
                                  const tile_cells *cells, int count, tile *t) {
    simd_int thin = is_thin(&b->whole), small = is_small(&b->whole);
    tile_set(t, b->alive & thin, cells);
    simd_int left = b->alive & ~thin & tile_lacks(t, cells);
    if (!simd_bits(left))
        return;
    draw_small_in_tile(job, t, &b->outline, count, left & small, &b->box);
    for (uint32_t rest = simd_bits(left & ~small); rest; rest &= rest - 1)
        tr_raster_soft_draw_large(job, block, lane + (uint32_t)__builtin_ctz(rest));
}

// Draws a block whose cells all lie inside a tile. `in_band`: none of its triangles has to be cut. Inlined,
// so that the tile stays in registers.
INLINE void draw_block_in_tile(const soft_job *job, uint32_t number, bool in_band, tile *t) {
    const mesh_block *block = &job->blocks[number];
    uint32_t count = soft_block_triangles(job, number);
    for (uint32_t lane = 0; lane < count; lane += SIMD_LANES) {
        batch b;
        place_batch(job, block, lane, count, &b);
        tile_cells cells = tile_rectangle(t, &b.box);
        b.alive &= tile_lacks(t, &cells);
        if (!simd_bits(b.alive))
            continue;
        if (!in_band) {
            place_heights(job, block, lane, &b);
            if (simd_bits(b.crosses & b.alive)) {
                cut_batch(job, &b);
                cells = tile_rectangle(t, &b.box);
                draw_outlines_in_tile(job, block, lane, &b, &cells, SEGMENTS, t);
                continue;
            }
        }
        take_edges(&b.outline, b.x, b.z);
        draw_outlines_in_tile(job, block, lane, &b, &cells, EDGES, t);
    }
}

// The results for SIMD_LANES blocks from their boxes alone.
typedef struct block_boxes {
    rectangle cells;  // that each may touch
    simd_int drawn;   // has cells and may have a part in the band
    simd_int in_band; // entirely
} block_boxes;

static inline void bound_blocks(const soft_job *job, uint32_t first_block, block_boxes *boxes) {
    simd_float v[6];
    for (int i = 0; i < 6; i++)
        v[i] = simd_load(job->block_bounds + (size_t)i * job->block_stride + first_block);
    simd_float low[3], high[3];
    for (int i = 0; i < 3; i++) {
        simd_float centre = apply_row(job->matrix[i], v[0], v[1], v[2]),
                   half = apply_row(job->matrix_size[i], v[3], v[4], v[5]);
        low[i] = centre - half;
        high[i] = centre + half;
    }
    float reach = job->block_slack, height_reach = 2 * job->height_slack;
    rectangle *cells = &boxes->cells;
    cells->column_first = simd_max_int(first_cell(low[0], reach), simd_set_int(job->column_begin));
    cells->column_last = simd_min_int(last_cell(high[0], reach), simd_set_int(job->column_end - 1));
    cells->row_first = simd_max_int(first_cell(low[2], reach), simd_set_int(job->row_begin));
    cells->row_last = simd_min_int(last_cell(high[2], reach), simd_set_int(job->row_end - 1));
    boxes->drawn = has_cells(cells) & (high[1] >= -height_reach) & (low[1] <= job->height + height_reach) &
                   (simd_numbers() < (int32_t)(job->block_count - first_block));
    boxes->in_band = (low[1] >= height_reach) & (high[1] <= job->height - height_reach);
}

// Draws those of SIMD_LANES blocks that lie in the region and may add cells to it.
static void draw_blocks(const soft_job *job, uint32_t first) {
    block_boxes boxes;
    bound_blocks(job, first, &boxes);
    int32_t column_first[SIMD_LANES], column_last[SIMD_LANES], row_first[SIMD_LANES], row_last[SIMD_LANES];
    simd_store(column_first, boxes.cells.column_first);
    simd_store(column_last, boxes.cells.column_last);
    simd_store(row_first, boxes.cells.row_first);
    simd_store(row_last, boxes.cells.row_last);
    uint32_t in_band = simd_bits(boxes.in_band);
    tile t;
    for (uint32_t rest = simd_bits(boxes.drawn); rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        uint32_t number = first + (uint32_t)lane;
        soft_cells cells = {column_first[lane], column_last[lane], row_first[lane], row_last[lane]};
        // Tested only now: the previous block may have covered this one.
        if (job->needs_double) {
            if (!soft_is_covered(job, &cells))
                draw_block_in_double(job, number);
        } else if (tile_place(&cells, &t)) {
            tile_open(job, &t);
            if (t.cells == t.full)
                continue;
            draw_block_in_tile(job, number, in_band >> lane & 1, &t);
            tile_close(job, &t);
        } else if (!soft_is_covered(job, &cells)) {
            draw_block(job, number);
        }
    }
}

// Draws all blocks of an object that lies inside a tile.
static void draw_blocks_in_tile(const soft_job *job, uint32_t first, tile *t) {
    block_boxes boxes;
    bound_blocks(job, first, &boxes);
    tile_cells cells = tile_rectangle(t, &boxes.cells);
    uint32_t in_band = simd_bits(boxes.in_band);
    for (uint32_t rest = simd_bits(boxes.drawn & tile_lacks(t, &cells)); rest;) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        draw_block_in_tile(job, first + lane, in_band >> lane & 1, t);
        rest &= rest - 1;
        rest &= simd_bits(tile_lacks(t, &cells)); // the drawn block may cover others
    }
}

void SIMD_NAME(tr_raster_soft_draw)(const soft_job *job) {
    tile t;
    if (job->beyond_floats) {
        for (uint32_t number = 0; number < job->block_count; number++)
            draw_block_in_double(job, number);
        return;
    }
    if (job->needs_double || !tile_place(&job->box, &t)) {
        for (uint32_t first = 0; first < job->block_count; first += SIMD_LANES)
            draw_blocks(job, first);
        return;
    }
    tile_open(job, &t);
    if (job->block_count == 1) // its box is the object's, which the caller has tested
        draw_block_in_tile(job, 0, false, &t);
    else
        for (uint32_t first = 0; first < job->block_count && t.cells != t.full; first += SIMD_LANES)
            draw_blocks_in_tile(job, first, &t);
    tile_close(job, &t);
}
