// The inner loops of depth maps, included once for each SIMD_LANES.
//
// A triangle is drawn without being cut: with its corners as columns of a matrix, the inverse matrix maps a
// pixel's ray to three weights, each linear in the image. The ray meets the triangle in front of the eye
// exactly where none is negative, and there their sum is 1 / depth, wherever the corners lie (Olano & Greer
// 1997). One weight is 0 along each edge, so a row of pixels has one span. Edges are computed from their two
// corners alone: triangles that share an edge leave no gap.
//
// Everything is computed in double, lane by lane: few blocks get this far. The compiler vectorises the loops
// over lanes.
#include "base/simd.h"
#include "raster_soft_depth.h"

#define N MESH_BLOCK

// A block's triangles in the camera's view.
typedef struct block_seen {
    double x[3][N], y[3][N], z[3][N]; // column * depth, row * depth, depth of the corners
    double a[3][N], b[3][N], c[3][N]; // a column + b row + c is 0 along the edge opposite to the corner
    double volume[N];                 // of the corners and the eye, signed
    double column_low[N], column_high[N], row_low[N], row_high[N], depth_low[N];
} block_seen;

static void place_corners(const depth_job *job, const mesh_block *block, block_seen *seen) {
    double m[3][4];
    memcpy(m, job->matrix, sizeof m);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < N; i++) {
            double x = (double)block->corner[3 * k][i], y = (double)block->corner[3 * k + 1][i],
                   z = (double)block->corner[3 * k + 2][i];
            seen->x[k][i] = m[0][0] * x + m[0][1] * y + m[0][2] * z + m[0][3];
            seen->y[k][i] = m[1][0] * x + m[1][1] * y + m[1][2] * z + m[1][3];
            seen->z[k][i] = m[2][0] * x + m[2][1] * y + m[2][2] * z + m[2][3];
        }
}

static inline double most_of(double a, double b, double c) {
    double most = a > b ? a : b;
    return most > c ? most : c;
}

static inline double least_of(double a, double b, double c) {
    double least = a < b ? a : b;
    return least < c ? least : c;
}

// The triangles that are not entirely beyond one border of the window, one bit each.
static uint32_t find_inside(const depth_job *job, const block_seen *seen) {
    const double left = job->column_first + 0.5, right = job->column_last + 0.5, top = job->row_first + 0.5,
                 bottom = job->row_last + 0.5, near = (double)job->near, deepest = job->deepest;
    double inside[N]; // negative: beyond a border
    for (int i = 0; i < N; i++) {
        const double x0 = seen->x[0][i], x1 = seen->x[1][i], x2 = seen->x[2][i];
        const double y0 = seen->y[0][i], y1 = seen->y[1][i], y2 = seen->y[2][i];
        const double z0 = seen->z[0][i], z1 = seen->z[1][i], z2 = seen->z[2][i];
        double across =
            least_of(most_of(x0 - left * z0, x1 - left * z1, x2 - left * z2),
                     most_of(right * z0 - x0, right * z1 - x1, right * z2 - x2), most_of(z0, z1, z2) - near);
        double along = least_of(most_of(y0 - top * z0, y1 - top * z1, y2 - top * z2),
                                most_of(bottom * z0 - y0, bottom * z1 - y1, bottom * z2 - y2),
                                deepest - least_of(z0, z1, z2));
        inside[i] = across < along ? across : along;
    }
    uint32_t bits = 0;
    for (int i = 0; i < N; i++)
        bits |= (uint32_t)(inside[i] >= 0) << i;
    return bits;
}

static void find_edges(block_seen *seen) {
    for (int k = 0; k < 3; k++) {
        const int j = (k + 1) % 3, l = (k + 2) % 3;
        for (int i = 0; i < N; i++) {
            const double xj = seen->x[j][i], yj = seen->y[j][i], zj = seen->z[j][i];
            const double xl = seen->x[l][i], yl = seen->y[l][i], zl = seen->z[l][i];
            seen->a[k][i] = yj * zl - zj * yl;
            seen->b[k][i] = zj * xl - xj * zl;
            seen->c[k][i] = xj * yl - yj * xl;
        }
    }
    for (int i = 0; i < N; i++)
        seen->volume[i] =
            seen->x[0][i] * seen->a[0][i] + seen->y[0][i] * seen->b[0][i] + seen->z[0][i] * seen->c[0][i];
}

// The result is meaningless for triangles that reach behind the near plane.
static void find_bounds(block_seen *seen) {
    double column[3][N], row[3][N];
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < N; i++) {
            double inverse = 1 / seen->z[k][i];
            column[k][i] = seen->x[k][i] * inverse;
            row[k][i] = seen->y[k][i] * inverse;
        }
    for (int i = 0; i < N; i++) {
        seen->column_low[i] = least_of(column[0][i], column[1][i], column[2][i]);
        seen->column_high[i] = most_of(column[0][i], column[1][i], column[2][i]);
        seen->row_low[i] = least_of(row[0][i], row[1][i], row[2][i]);
        seen->row_high[i] = most_of(row[0][i], row[1][i], row[2][i]);
        seen->depth_low[i] = least_of(seen->z[0][i], seen->z[1][i], seen->z[2][i]);
    }
}

static void include_point(block_seen *seen, int i, double column, double row) {
    const double room = 1; // rounding: the edges decide which pixels are drawn
    seen->column_low[i] = column - room < seen->column_low[i] ? column - room : seen->column_low[i];
    seen->column_high[i] = column + room > seen->column_high[i] ? column + room : seen->column_high[i];
    seen->row_low[i] = row - room < seen->row_low[i] ? row - room : seen->row_low[i];
    seen->row_high[i] = row + room > seen->row_high[i] ? row + room : seen->row_high[i];
}

// The bounds of the part in front of the near plane, for a triangle that reaches behind it.
static void cut_bounds(block_seen *seen, int i, double near) {
    seen->column_low[i] = seen->row_low[i] = INFINITY;
    seen->column_high[i] = seen->row_high[i] = -INFINITY;
    seen->depth_low[i] = near;
    for (int k = 0; k < 3; k++) {
        const int j = (k + 1) % 3;
        double z = seen->z[k][i], next = seen->z[j][i];
        if (z >= near)
            include_point(seen, i, seen->x[k][i] / z, seen->y[k][i] / z);
        if ((z >= near) != (next >= near)) {
            double t = (near - z) / (next - z);
            include_point(seen, i, (seen->x[k][i] + t * (seen->x[j][i] - seen->x[k][i])) / near,
                          (seen->y[k][i] + t * (seen->y[j][i] - seen->y[k][i])) / near);
        }
    }
}

// The first pixel whose middle is not before `at`, and the last whose middle is not beyond it; both are
// within one of [least, most].
static inline int32_t pixel_from(double at, int32_t least, int32_t most) {
    double inside = at - 0.5 > least ? at - 0.5 : least;
    inside = inside < most + 1.0 ? inside : most + 1.0;
    int32_t pixel = (int32_t)inside;
    return pixel + (inside > pixel);
}

static inline int32_t pixel_to(double at, int32_t least, int32_t most) {
    double inside = at - 0.5 < most ? at - 0.5 : most;
    inside = inside > least - 1.0 ? inside : least - 1.0;
    int32_t pixel = (int32_t)inside;
    return pixel - (inside < pixel);
}

// A line with the triangle on one side: it crosses a row at from + slope * row.
typedef struct side_line {
    double from, slope;
} side_line;

// One triangle, ready to be drawn row by row.
typedef struct shape {
    side_line lows[4], highs[4]; // the lines that a row begins and ends at
    int low_count, high_count;
    double levels[4][2]; // lines parallel to rows: slope * row + from must not be negative
    int level_count;
    double depth[3]; // 1 / depth is column * [0] + row * [1] + [2]
    int32_t column_first, column_last, row_first, row_last;
} shape;

static void add_side(shape *made, double a, double b, double c, bool positive) {
    side_line line = {-c / a, -b / a};
    if (a == 0) {
        made->levels[made->level_count][0] = positive ? b : -b;
        made->levels[made->level_count++][1] = positive ? c : -c;
    } else if ((a > 0) == positive)
        made->lows[made->low_count++] = line;
    else
        made->highs[made->high_count++] = line;
}

static void make_shape(const depth_job *job, const block_seen *seen, int i, bool is_cut, shape *made) {
    double inverse = 1 / seen->volume[i];
    bool positive = seen->volume[i] > 0;
    made->low_count = made->high_count = made->level_count = 0;
    for (int k = 0; k < 3; k++)
        add_side(made, seen->a[k][i], seen->b[k][i], seen->c[k][i], positive);
    made->depth[0] = (seen->a[0][i] + seen->a[1][i] + seen->a[2][i]) * inverse;
    made->depth[1] = (seen->b[0][i] + seen->b[1][i] + seen->b[2][i]) * inverse;
    made->depth[2] = (seen->c[0][i] + seen->c[1][i] + seen->c[2][i]) * inverse;
    if (is_cut) // parts nearer than the near plane are invisible
        add_side(made, -made->depth[0], -made->depth[1], 1 / (double)job->near - made->depth[2], true);
}

// The span of one row; false when it is empty.
static inline bool find_span(const shape *drawn, double row, int32_t *first, int32_t *last) {
    double low = -INFINITY, high = INFINITY;
    for (int k = 0; k < drawn->low_count; k++) {
        double at = drawn->lows[k].from + drawn->lows[k].slope * row;
        low = at > low ? at : low;
    }
    for (int k = 0; k < drawn->high_count; k++) {
        double at = drawn->highs[k].from + drawn->highs[k].slope * row;
        high = at < high ? at : high;
    }
    for (int k = 0; k < drawn->level_count; k++)
        if (drawn->levels[k][0] * row + drawn->levels[k][1] < 0)
            return false;
    *first = pixel_from(low, drawn->column_first, drawn->column_last);
    *last = pixel_to(high, drawn->column_first, drawn->column_last);
    return *first <= *last;
}

static void draw_span(float *restrict inverse, int32_t first, int32_t last, double at, double slope) {
    for (int32_t i = first; i <= last; i++) {
        float seen = (float)(at + slope * i);
        inverse[i] = seen > inverse[i] ? seen : inverse[i];
    }
}

static void draw_item_span(float *restrict inverse, uint32_t *restrict objects, uint32_t object,
                           int32_t first, int32_t last, double at, double slope) {
    for (int32_t i = first; i <= last; i++) {
        float seen = (float)(at + slope * i);
        objects[i] = seen > inverse[i] ? object : objects[i];
        inverse[i] = seen > inverse[i] ? seen : inverse[i];
    }
}

static bool compare_span(const float *restrict link, int32_t first, int32_t last, double at, double slope,
                         float near) {
    int32_t hits = 0;
    for (int32_t i = first; i <= last; i++) {
        float seen = (float)(at + slope * i), depth = 1 / seen;
        hits |= (seen > 0) & (link[i] >= depth) & (link[i] >= near);
    }
    return hits != 0;
}

static bool draw_rows(const depth_job *job, const shape *drawn) {
    for (int32_t row = drawn->row_first; row <= drawn->row_last; row++) {
        int32_t first, last;
        double middle = row + 0.5;
        if (!find_span(drawn, middle, &first, &last))
            continue;
        double at = drawn->depth[1] * middle + drawn->depth[2] + 0.5 * drawn->depth[0];
        size_t begin = (size_t)row * job->columns;
        if (job->objects)
            draw_item_span(job->inverse + begin, job->objects + begin, job->object, first, last, at,
                           drawn->depth[0]);
        else if (job->inverse)
            draw_span(job->inverse + begin, first, last, at, drawn->depth[0]);
        else if (compare_span(job->link + begin, first, last, at, drawn->depth[0], job->near))
            return true;
    }
    return false;
}

// Whether the link reaches this depth anywhere among these pixels.
static bool reaches(const depth_tiles *tiles, const shape *drawn, double depth) {
    int32_t first = drawn->column_first / tiles->side, last = drawn->column_last / tiles->side;
    for (int32_t row = drawn->row_first / tiles->side; row <= drawn->row_last / tiles->side; row++)
        for (int32_t column = first; column <= last; column++)
            if ((double)tiles->deepest[row * tiles->across + column] >= depth)
                return true;
    return false;
}

static bool draw_triangle(const depth_job *job, block_seen *seen, int i) {
    // Rounding of depths that are compared as floats.
    const double rounding = 1 - 0x1p-20;
    double near = (double)job->near;
    shape drawn;
    bool is_cut = seen->z[0][i] < near || seen->z[1][i] < near || seen->z[2][i] < near;
    if (is_cut)
        cut_bounds(seen, i, near);
    drawn.column_first = pixel_from(seen->column_low[i], job->column_first, job->column_last);
    drawn.column_last = pixel_to(seen->column_high[i], job->column_first, job->column_last);
    drawn.row_first = pixel_from(seen->row_low[i], job->row_first, job->row_last);
    drawn.row_last = pixel_to(seen->row_high[i], job->row_first, job->row_last);
    if (drawn.column_first > drawn.column_last || drawn.row_first > drawn.row_last)
        return false;
    if (job->tiles && !reaches(job->tiles, &drawn, seen->depth_low[i] * rounding))
        return false;
    if (seen->volume[i] == 0) // seen edge-on, or degenerate
        return false;
    make_shape(job, seen, i, is_cut, &drawn);
    return draw_rows(job, &drawn);
}

static bool draw_block(const depth_job *job, uint32_t number) {
    block_seen seen;
    uint32_t count = number + 1 < job->block_count ? N : job->last_block_triangles;
    place_corners(job, &job->blocks[number], &seen);
    uint32_t left = find_inside(job, &seen) & ((1u << count) - 1);
    if (!left)
        return false;
    find_edges(&seen);
    find_bounds(&seen);
    for (; left; left &= left - 1)
        if (draw_triangle(job, &seen, __builtin_ctz(left)))
            return true;
    return false;
}

// Blocks whose boxes are not entirely beyond one border, as bits.
static inline uint32_t find_blocks(const depth_job *job, uint32_t first) {
    const float *bounds = job->block_bounds + first;
    const uint32_t stride = job->block_stride;
    simd_float centre_x = simd_load(bounds), centre_y = simd_load(bounds + stride),
               centre_z = simd_load(bounds + 2 * (size_t)stride),
               half_x = simd_load(bounds + 3 * (size_t)stride),
               half_y = simd_load(bounds + 4 * (size_t)stride),
               half_z = simd_load(bounds + 5 * (size_t)stride);
    simd_int beyond = simd_set_int(0);
    for (int i = 0; i < DEPTH_PLANES; i++) {
        const float *plane = job->planes[i], *size = job->planes_size[i];
        simd_float at = centre_x * plane[0] + centre_y * plane[1] + centre_z * plane[2] + plane[3];
        beyond |= (at + (half_x * size[0] + half_y * size[1] + half_z * size[2]) < 0);
    }
    return ~simd_bits(beyond);
}

bool SIMD_NAME(tr_soft_depth_blocks)(const depth_job *job) {
    for (uint32_t first = 0; first < job->block_count; first += SIMD_LANES) {
        uint32_t count = job->block_count - first;
        uint32_t found = job->beyond_floats ? ~0u : find_blocks(job, first);
        for (found &= count < SIMD_LANES ? (1u << count) - 1 : (1u << SIMD_LANES) - 1; found;
             found &= found - 1)
            if (draw_block(job, first + (uint32_t)__builtin_ctz(found)))
                return true;
    }
    return false;
}
