// The inner loops of the `soft` rasteriser, included once for each SIMD_LANES; SIMD_NAME(x) gives the
// external name.
//
// A cell is set exactly when the part of a triangle inside the height band, seen from above a convex polygon,
// comes within the slack of the closed cell. In one row of cells the polygon covers an interval of x, because
// it is convex; so it is enough to find, row by row, the least and the greatest x among the polygon's edges
// cut to the row's strip. Upright triangles are segments from above and need no case of their own.
#include "../base/simd.h"
#include "raster_soft.h"

#define SEGMENTS 5       // three edges, and two where the band's planes cut the triangle
#define SMALL_ROWS 16    // a triangle with more rows is drawn by tr_raster_soft_draw_large
#define SMALL_COLUMNS 64 // and one with more columns or rows outside the region than this

typedef struct segments {
    simd_float ax[SEGMENTS], az[SEGMENTS], bx[SEGMENTS], bz[SEGMENTS];
    simd_int valid[SEGMENTS];
    int count;
} segments;

typedef struct rectangle {
    simd_int column_first, column_last, row_first, row_last;
} rectangle;

static inline simd_float apply_row(const float row[4], simd_float x, simd_float y, simd_float z) {
    return x * row[0] + y * row[1] + z * row[2] + row[3];
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
    s->count = 3;
    for (int i = 0; i < 3; i++) {
        int next = i == 2 ? 0 : i + 1;
        s->ax[i] = x[i], s->az[i] = z[i], s->bx[i] = x[next], s->bz[i] = z[next];
        s->valid[i] = simd_set_int(-1);
    }
}

// Where the plane at height `level` cuts the triangle, as segment number `slot`. Two edges cross the plane or
// none.
static inline void cut_by_plane(segments *s, int slot, float level, const simd_float x[3],
                                const simd_float y[3], const simd_float z[3]) {
    simd_int seen = simd_set_int(0);
    simd_float ax = simd_set(0), az = ax, bx = ax, bz = ax;
    for (int i = 0; i < 3; i++) {
        int next = i == 2 ? 0 : i + 1;
        simd_int crosses = (y[i] < level) ^ (y[next] < level);
        simd_float rise = simd_select(crosses, y[next] - y[i], simd_set(1));
        simd_float t = clamp((level - y[i]) / rise, 0, 1);
        simd_float px = x[i] + t * (x[next] - x[i]), pz = z[i] + t * (z[next] - z[i]);
        ax = simd_select(crosses & ~seen, px, ax), az = simd_select(crosses & ~seen, pz, az);
        bx = simd_select(crosses, px, bx), bz = simd_select(crosses, pz, bz);
        seen |= crosses;
    }
    s->ax[slot] = ax, s->az[slot] = az, s->bx[slot] = bx, s->bz[slot] = bz;
    s->valid[slot] = seen;
}

// The boundary of the triangle's part between two heights.
static inline void clip_to_band(segments *s, float low, float high, const simd_float x[3],
                                const simd_float y[3], const simd_float z[3]) {
    s->count = SEGMENTS;
    for (int i = 0; i < 3; i++) {
        int next = i == 2 ? 0 : i + 1;
        simd_float rise = y[next] - y[i];
        simd_int level = rise == 0;
        simd_float inverse = 1 / simd_select(level, simd_set(1), rise);
        simd_float t0 = clamp((low - y[i]) * inverse, 0, 1), t1 = clamp((high - y[i]) * inverse, 0, 1);
        t0 = simd_select(level, simd_set(0), t0);
        t1 = simd_select(level, simd_set(1), t1);
        simd_float dx = x[next] - x[i], dz = z[next] - z[i];
        s->ax[i] = x[i] + t0 * dx, s->az[i] = z[i] + t0 * dz;
        s->bx[i] = x[i] + t1 * dx, s->bz[i] = z[i] + t1 * dz;
        s->valid[i] = (simd_max(y[i], y[next]) >= low) & (simd_min(y[i], y[next]) <= high);
    }
    cut_by_plane(s, 3, low, x, y, z);
    cut_by_plane(s, 4, high, x, y, z);
}

// The smallest box around the valid segments.
static inline void bound_segments(const segments *s, simd_float *x_min, simd_float *x_max, simd_float *z_min,
                                  simd_float *z_max) {
    *x_min = *z_min = simd_set(1e30f);
    *x_max = *z_max = simd_set(-1e30f);
    for (int i = 0; i < s->count; i++) {
        simd_int valid = s->valid[i];
        *x_min = simd_select(valid, simd_min(*x_min, simd_min(s->ax[i], s->bx[i])), *x_min);
        *x_max = simd_select(valid, simd_max(*x_max, simd_max(s->ax[i], s->bx[i])), *x_max);
        *z_min = simd_select(valid, simd_min(*z_min, simd_min(s->az[i], s->bz[i])), *z_min);
        *z_max = simd_select(valid, simd_max(*z_max, simd_max(s->az[i], s->bz[i])), *z_max);
    }
}

// Cells that [low, high] comes within the slack of; far values are cut so that they fit an integer.
static inline simd_int first_cell(simd_float low, float slack) {
    return simd_floor(clamp(low - slack, -1e6f, 1e6f));
}

static inline simd_int last_cell(simd_float high, float slack) {
    return simd_floor(clamp(high + slack, -1e6f, 1e6f));
}

// The x interval of the polygon in one row (each lane has its own row) as columns inside the region; lanes
// without any get first > last.
static inline void row_span(const soft_job *job, const segments *s, simd_int row, simd_int *first,
                            simd_int *last) {
    simd_float strip_low = __builtin_convertvector(row, simd_float) - job->slack;
    simd_float strip_high = __builtin_convertvector(row, simd_float) + (1 + job->slack);
    simd_float x_min = simd_set(1e30f), x_max = simd_set(-1e30f);
    for (int i = 0; i < s->count; i++) {
        simd_float az = s->az[i], bz = s->bz[i], dz = bz - az, dx = s->bx[i] - s->ax[i];
        simd_int touches = s->valid[i] & (simd_max(az, bz) >= strip_low) & (simd_min(az, bz) <= strip_high);
        simd_int flat = simd_abs(dz) < 1e-6f; // far below the slack: the whole segment counts
        simd_float inverse = 1 / simd_select(flat, simd_set(1), dz);
        simd_float t0 = clamp((strip_low - az) * inverse, 0, 1),
                   t1 = clamp((strip_high - az) * inverse, 0, 1);
        t0 = simd_select(flat, simd_set(0), t0);
        t1 = simd_select(flat, simd_set(1), t1);
        simd_float x0 = s->ax[i] + t0 * dx, x1 = s->ax[i] + t1 * dx;
        x_min = simd_select(touches, simd_min(x_min, simd_min(x0, x1)), x_min);
        x_max = simd_select(touches, simd_max(x_max, simd_max(x0, x1)), x_max);
    }
    *first = simd_max_int(first_cell(x_min, job->slack), simd_set_int(job->column_begin));
    *last = simd_min_int(last_cell(x_max, job->slack), simd_set_int(job->column_end - 1));
}

// Triangles of several rows and columns, all lanes of `bits` at once, row by row.
static void draw_small(const soft_job *job, const segments *s, uint32_t bits, simd_int row_first,
                       simd_int row_last) {
    int32_t rows[SIMD_LANES], lasts[SIMD_LANES], first[SIMD_LANES], last[SIMD_LANES];
    simd_store(rows, row_first);
    simd_store(lasts, row_last);
    for (simd_int row = row_first; bits; row += 1) {
        simd_int span_first, span_last;
        row_span(job, s, row, &span_first, &span_last);
        simd_store(first, span_first);
        simd_store(last, span_last);
        for (uint32_t rest = bits; rest; rest &= rest - 1) {
            int lane = __builtin_ctz(rest);
            if (first[lane] <= last[lane])
                soft_set_span(job, rows[lane], first[lane], last[lane]);
            if (++rows[lane] > lasts[lane])
                bits &= ~(1u << lane);
        }
    }
}

// Triangles inside one row or one column of cells: their box is all there is to know.
static void draw_boxes(const soft_job *job, uint32_t bits, const rectangle *box) {
    int32_t column_first[SIMD_LANES], column_last[SIMD_LANES], row_first[SIMD_LANES], row_last[SIMD_LANES];
    simd_store(column_first, box->column_first);
    simd_store(column_last, box->column_last);
    simd_store(row_first, box->row_first);
    simd_store(row_last, box->row_last);
    for (; bits; bits &= bits - 1) {
        int lane = __builtin_ctz(bits);
        for (int32_t row = row_first[lane]; row <= row_last[lane]; row++)
            soft_set_span(job, row, column_first[lane], column_last[lane]);
    }
}

// SIMD_LANES triangles of a block, beginning with `lane`.
static inline void draw_batch(const soft_job *job, const mesh_block *block, uint32_t lane) {
    simd_float x[3], y[3], z[3];
    for (int k = 0; k < 3; k++) {
        simd_float px = simd_load(&block->corner[3 * k][lane]),
                   py = simd_load(&block->corner[3 * k + 1][lane]),
                   pz = simd_load(&block->corner[3 * k + 2][lane]);
        x[k] = apply_row(job->matrix[0], px, py, pz);
        y[k] = apply_row(job->matrix[1], px, py, pz);
        z[k] = apply_row(job->matrix[2], px, py, pz);
    }
    float low = -job->height_slack, high = job->height + job->height_slack;
    simd_float y_min = min3(y), y_max = max3(y);
    simd_int alive = (y_max >= low) & (y_min <= high);
    simd_int crossing = alive & ((y_min < low) | (y_max > high));
    simd_float x_min = min3(x), x_max = max3(x), z_min = min3(z), z_max = max3(z);
    alive &= (x_max + job->slack >= (float)job->column_begin) &
             (x_min - job->slack < (float)job->column_end) & (z_max + job->slack >= (float)job->row_begin) &
             (z_min - job->slack < (float)job->row_end);
    if (!simd_bits(alive))
        return;
    segments s;
    if (simd_bits(crossing & alive)) {
        clip_to_band(&s, low, high, x, y, z);
        bound_segments(&s, &x_min, &x_max, &z_min, &z_max);
    } else {
        take_edges(&s, x, z);
    }
    rectangle whole = {first_cell(x_min, job->slack), last_cell(x_max, job->slack),
                       first_cell(z_min, job->slack), last_cell(z_max, job->slack)};
    rectangle box = {simd_max_int(whole.column_first, simd_set_int(job->column_begin)),
                     simd_min_int(whole.column_last, simd_set_int(job->column_end - 1)),
                     simd_max_int(whole.row_first, simd_set_int(job->row_begin)),
                     simd_min_int(whole.row_last, simd_set_int(job->row_end - 1))};
    alive &= (box.column_first <= box.column_last) & (box.row_first <= box.row_last);
    simd_int thin = (whole.column_first == whole.column_last) | (whole.row_first == whole.row_last);
    simd_int small = (whole.column_last - whole.column_first < SMALL_COLUMNS) &
                     (whole.row_last - whole.row_first < SMALL_COLUMNS) &
                     (box.row_last - box.row_first < SMALL_ROWS);
    uint32_t thin_bits = simd_bits(alive & thin), small_bits = simd_bits(alive & ~thin & small);
    draw_boxes(job, thin_bits, &box);
    if (small_bits)
        draw_small(job, &s, small_bits, box.row_first, box.row_last);
    for (uint32_t rest = simd_bits(alive & ~thin & ~small); rest; rest &= rest - 1)
        tr_raster_soft_draw_large(job, block, lane + (uint32_t)__builtin_ctz(rest));
}

static void draw_block(const soft_job *job, const mesh_block *block) {
    for (uint32_t lane = 0; lane < MESH_BLOCK; lane += SIMD_LANES) {
        if (!job->needs_double) {
            draw_batch(job, block, lane);
            continue;
        }
        for (uint32_t i = 0; i < SIMD_LANES; i++)
            tr_raster_soft_draw_large(job, block, lane + i);
    }
}

// The cells that each of SIMD_LANES blocks may touch; a block outside the band or the region gets first >
// last.
static inline void bound_blocks(const soft_job *job, uint32_t first_block, rectangle *box) {
    simd_float v[6];
    for (int i = 0; i < 6; i++)
        v[i] = simd_load(job->block_bounds + (size_t)i * job->block_stride + first_block);
    simd_float centre[3], half[3];
    for (int i = 0; i < 3; i++) {
        const float *row = job->matrix[i];
        float size[4] = {row[0] < 0 ? -row[0] : row[0], row[1] < 0 ? -row[1] : row[1],
                         row[2] < 0 ? -row[2] : row[2], 0};
        centre[i] = apply_row(row, v[0], v[1], v[2]);
        half[i] = apply_row(size, v[3], v[4], v[5]);
    }
    float reach = 2 * job->slack,
          height_reach = 2 * job->height_slack; // the rounding of the boxes themselves
    simd_int inside =
        (centre[1] + half[1] >= -height_reach) & (centre[1] - half[1] <= job->height + height_reach);
    box->column_first = simd_max_int(first_cell(centre[0] - half[0], reach), simd_set_int(job->column_begin));
    box->column_last = simd_min_int(last_cell(centre[0] + half[0], reach), simd_set_int(job->column_end - 1));
    box->row_first = simd_max_int(first_cell(centre[2] - half[2], reach), simd_set_int(job->row_begin));
    box->row_last = simd_min_int(last_cell(centre[2] + half[2], reach), simd_set_int(job->row_end - 1));
    box->row_last = simd_select_int(inside, box->row_last, simd_set_int(-1));
}

void SIMD_NAME(tr_raster_soft_draw)(const soft_job *job) {
    for (uint32_t first = 0; first < job->block_count; first += SIMD_LANES) {
        rectangle box;
        bound_blocks(job, first, &box);
        simd_int inside = (box.column_first <= box.column_last) & (box.row_first <= box.row_last);
        int32_t column_first[SIMD_LANES], column_last[SIMD_LANES], row_first[SIMD_LANES],
            row_last[SIMD_LANES];
        simd_store(column_first, box.column_first);
        simd_store(column_last, box.column_last);
        simd_store(row_first, box.row_first);
        simd_store(row_last, box.row_last);
        for (uint32_t bits = simd_bits(inside); bits; bits &= bits - 1) {
            int lane = __builtin_ctz(bits);
            if (first + (uint32_t)lane >= job->block_count)
                break;
            if (!soft_is_covered(job, column_first[lane], column_last[lane], row_first[lane], row_last[lane]))
                draw_block(job, &job->blocks[first + (uint32_t)lane]);
        }
    }
}
