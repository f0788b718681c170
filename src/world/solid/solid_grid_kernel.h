// The grid of clearances: its queries, and the nearest point of a tree, from which the grid is built.
// Compiled once for each width of SIMD, after solid_kernel.h.
//
// The squared distance to anything, less the square of the position, is concave: it is the minimum of
// functions that are linear in the position. So the weights that give a point from the corners of a cell, or
// a point between two samples, also give a lower bound of its squared distance, less the spread of the
// corners or samples about the point: for a cell of side h at most 3/4 h^2, for samples s apart at most s^2 /
// 4. This bound is far tighter than that of the triangle inequality.
#include "solid_grid.h"

static inline uint32_t load_pair(const uint16_t *squares) {
    uint32_t pair;
    memcpy(&pair, squares, sizeof pair);
    return pair;
}

// The eight corners of each lane's cell, two neighbours along x at a time: those of two rows, and of the two
// rows above. Plain loads: gather instructions are slower.
static inline void load_cells(const solid_grid *grid, simd_int at, simd_bitset pairs[4]) {
    const ptrdiff_t row = grid->count[0], slab = row * grid->count[1];
    uint32_t words[4][SIMD_LANES];
    for (int lane = 0; lane < SIMD_LANES; lane++) {
        const uint16_t *corner = grid->squares + (uint32_t)at[lane];
        words[0][lane] = load_pair(corner);
        words[1][lane] = load_pair(corner + row);
        words[2][lane] = load_pair(corner + slab);
        words[3][lane] = load_pair(corner + slab + row);
    }
    memcpy(pairs, words, sizeof words);
}

static inline simd_float to_float(simd_bitset v) {
    return __builtin_convertvector((simd_int)v, simd_float);
}

// Neighbours along x are the halves of a word; the left one is in the low half, because all supported
// machines are little-endian.
static inline simd_float along_x(simd_bitset pairs, simd_float f) {
    simd_float left = to_float(pairs & 0xffff), right = to_float(pairs >> 16);
    return left + f * (right - left);
}

#define HALVES (SOLID_WIDTH / SIMD_LANES)

// A line in cells, and its eight samples at 0, 1/7 ... 1 of the way.
typedef struct sampled_line {
    float from[3], way[3];
    float length; // squared [cells^2]
} sampled_line;

static inline simd_float sample_places(const sampled_line *line, int axis, int half) {
    simd_float number = __builtin_convertvector(simd_numbers() + half * SIMD_LANES, simd_float);
    return line->from[axis] + number * (1.0f / 7) * line->way[axis];
}

// Lower bounds of the squared distance at the samples [units of the grid].
static inline simd_float sample_squares(const solid_grid *grid, const sampled_line *line, int half) {
    simd_float f[3], off = simd_set(0);
    simd_int cell[3];
    for (int k = 0; k < 3; k++) {
        simd_float place = sample_places(line, k, half);
        // The last corner has no cell of its own.
        cell[k] = simd_min_int(__builtin_convertvector(place, simd_int), simd_set_int(grid->count[k] - 2));
        f[k] = place - __builtin_convertvector(cell[k], simd_float);
        off += f[k] * (1 - f[k]);
    }
    simd_bitset pairs[4];
    load_cells(grid, cell[0] + grid->count[0] * (cell[1] + grid->count[1] * cell[2]), pairs);
    simd_float near = along_x(pairs[0], f[0]), far = along_x(pairs[2], f[0]);
    near += f[1] * (along_x(pairs[1], f[0]) - near);
    far += f[1] * (along_x(pairs[3], f[0]) - far);
    return near + f[2] * (far - near) - off * grid->cell_squared;
}

static inline float least_lane(simd_float v) {
#if SIMD_LANES == 8
    v = simd_min(v, __builtin_shufflevector(v, v, 4, 5, 6, 7, 0, 1, 2, 3));
    v = simd_min(v, __builtin_shufflevector(v, v, 2, 3, 0, 1, 2, 3, 0, 1));
    v = simd_min(v, __builtin_shufflevector(v, v, 1, 0, 1, 0, 1, 0, 1, 0));
#else
    v = simd_min(v, __builtin_shufflevector(v, v, 2, 3, 0, 1));
    v = simd_min(v, __builtin_shufflevector(v, v, 1, 0, 1, 0));
#endif
    return v[0];
}

// Each sample's next sample; the last one is its own.
static inline void next_samples(const simd_float a[HALVES], simd_float b[HALVES]) {
#if SIMD_LANES == 8
    b[0] = __builtin_shufflevector(a[0], a[0], 1, 2, 3, 4, 5, 6, 7, 7);
#else
    b[0] = __builtin_shufflevector(a[0], a[1], 1, 2, 3, 4);
    b[1] = __builtin_shufflevector(a[1], a[1], 1, 2, 3, 3);
#endif
}

// The lower bound for the whole line: at the samples and between neighbours; the squared distance between
// neighbours is `apart`.
static inline float least_square(const solid_grid *grid, const sampled_line *line) {
    float apart = line->length * (1.0f / 49) * grid->cell_squared, inverse = apart > 0 ? 1 / apart : 0;
    simd_float a[HALVES], b[HALVES], least = simd_set(INFINITY);
    for (int half = 0; half < HALVES; half++)
        a[half] = sample_squares(grid, line, half);
    next_samples(a, b);
    for (int half = 0; half < HALVES; half++) {
        simd_float step = b[half] - a[half], lower = simd_min(a[half], b[half]);
        simd_float inside = 0.5f * (a[half] + b[half]) - 0.25f * (apart + square(step) * inverse);
        simd_int bent = (simd_abs(step) < apart) & (simd_numbers() + half * SIMD_LANES < SOLID_WIDTH - 1);
        least = simd_min(least, simd_select(bent, inside, lower));
    }
    return least_lane(least);
}

// The nearest triangles relative to the corners: x and y, then z and the slack.
static inline void load_feet(const solid_foot *feet, simd_int at, simd_int *xy, simd_int *z) {
    for (int lane = 0; lane < SIMD_LANES; lane++) {
        const solid_foot *foot = &feet[at[lane]];
        (*xy)[lane] = (int32_t)((uint16_t)foot->x | (uint32_t)(uint16_t)foot->y << 16);
        (*z)[lane] = (int32_t)((uint16_t)foot->z | (uint32_t)foot->slack << 16);
    }
}

static inline simd_float foot_place(simd_int low_half, simd_float corner, float from, float unit) {
    simd_int wide = (simd_int)((simd_bitset)low_half << 16) >> 16;
    return corner + __builtin_convertvector(wide, simd_float) * unit - from;
}

// An upper bound [cells]: the least distance of the line from the nearest points of the corners next to the
// samples. These points are on triangles.
static inline float nearest_known(const solid_grid *grid, const sampled_line *line) {
    float inverse = line->length > 0 ? 1 / line->length : 0, unit = grid->foot_unit;
    const float *from = line->from, *way = line->way;
    simd_float least = simd_set(INFINITY);
    for (int half = 0; half < HALVES; half++) {
        simd_int next[3], xy = simd_set_int(0), z = simd_set_int(0);
        simd_float corner[3];
        for (int k = 0; k < 3; k++) {
            next[k] = __builtin_convertvector(sample_places(line, k, half) + 0.5f, simd_int);
            corner[k] = __builtin_convertvector(next[k], simd_float);
        }
        load_feet(grid->feet, next[0] + grid->count[0] * (next[1] + grid->count[1] * next[2]), &xy, &z);
        simd_float px = foot_place(xy, corner[0], from[0], unit);
        simd_float py = foot_place((simd_int)((simd_bitset)xy >> 16), corner[1], from[1], unit);
        simd_float pz = foot_place(z, corner[2], from[2], unit);
        simd_float t = clamp_unit((px * way[0] + py * way[1] + pz * way[2]) * inverse);
        simd_float squared = square(px - t * way[0]) + square(py - t * way[1]) + square(pz - t * way[2]);
        simd_int none = (xy & 0xffff) == (uint16_t)SOLID_NO_FOOT;
        simd_float distance = simd_sqrt(squared) + to_float((simd_bitset)z >> 16) * unit;
        least = simd_min(least, simd_select(none, simd_set(INFINITY), distance));
    }
    return least_lane(least);
}

bool SIMD_NAME(tr_solid_glance)(const solid_grid *grid, tr_vec3 a, tr_vec3 b, float wanted, float *low,
                                float *high) {
    const float ends[2][3] = {{a.x, a.y, a.z}, {b.x, b.y, b.z}};
    sampled_line line = {.length = 0};
    bool inside = true;
    for (int k = 0; k < 3; k++) {
        float from = (ends[0][k] - grid->origin[k]) * grid->per_cell;
        float to = (ends[1][k] - grid->origin[k]) * grid->per_cell;
        float least = from < to ? from : to, most = from < to ? to : from;
        inside = inside & (least >= 0) & (most <= grid->last[k]);
        line.from[k] = from;
        line.way[k] = to - from;
        line.length += line.way[k] * line.way[k];
    }
    if (!inside)
        return false;
    float least = least_square(grid, &line);
    *low = least > 0 ? sqrtf(least) * grid->unit - grid->slack : 0;
    *high = INFINITY;
    if (*low < wanted)
        *high = nearest_known(grid, &line) * grid->cell + grid->slack;
    return true;
}

// --- The nearest point of a tree ---

typedef struct feet {
    simd_float squared;
    vector at; // from the point
} feet;

static inline void keep_foot(feet *best, simd_int wanted, vector at) {
    simd_float squared = dot(at, at);
    simd_int nearer = wanted & (squared < best->squared);
    best->squared = simd_select(nearer, squared, best->squared);
    best->at.x = simd_select(nearer, at.x, best->at.x);
    best->at.y = simd_select(nearer, at.y, best->at.y);
    best->at.z = simd_select(nearer, at.z, best->at.z);
}

// The nearest points of the triangles of a packet in these lanes. Infinitely far where there is none.
static inline feet packet_feet(const solid_packet *packet, const float point[3], int lane) {
    const simd_float zero = simd_set(0);
    vector corner[3], edge[3];
    load_triangles(packet, lane, point, corner, edge);
    vector normal = cross(edge[2], edge[0]);
    feet best = {simd_set(INFINITY), {zero, zero, zero}};
    simd_int inside = simd_load(packet->slack + lane) >= zero;
    for (int i = 0; i < 3; i++) {
        simd_float length = simd_max(dot(edge[i], edge[i]), simd_set(FLT_MIN));
        simd_float t = clamp_unit(-dot(edge[i], corner[i]) / length);
        vector at = {corner[i].x + t * edge[i].x, corner[i].y + t * edge[i].y, corner[i].z + t * edge[i].z};
        keep_foot(&best, simd_set_int(-1), at);
        inside &= dot(cross(normal, edge[i]), corner[i]) <= zero;
    }
    simd_float height = dot(normal, corner[0]) / simd_max(dot(normal, normal), simd_set(FLT_MIN));
    vector under = {normal.x * height, normal.y * height, normal.z * height};
    keep_foot(&best, inside, under);
    return best;
}

static inline void foot_of_packet(const solid_packet *packet, solid_nearest *nearest) {
    float squares[SOLID_WIDTH], at[3][SOLID_WIDTH];
    uint32_t lanes = 0;
    for (int lane = 0; lane < SOLID_WIDTH; lane += SIMD_LANES) {
        feet found = packet_feet(packet, nearest->point, lane);
        simd_float reach = simd_set(nearest->high) + simd_abs(simd_load(packet->slack + lane));
        lanes |= simd_bits(found.squared <= square(reach)) << lane;
        simd_store_float(squares + lane, found.squared);
        simd_store_float(at[0] + lane, found.at.x);
        simd_store_float(at[1] + lane, found.at.y);
        simd_store_float(at[2] + lane, found.at.z);
    }
    for (; lanes; lanes &= lanes - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(lanes);
        float distance = sqrtf(squares[lane]), slack = fabsf(packet->slack[lane]) + 1e-6f * distance;
        nearest->low = distance - slack < nearest->low ? distance - slack : nearest->low;
        if (distance + slack < nearest->high) {
            nearest->high = distance + slack;
            nearest->found = true;
            nearest->slack = slack;
            for (int k = 0; k < 3; k++)
                nearest->foot[k] = at[k][lane];
        }
    }
}

static inline uint32_t push_near(const solid_node *node, const solid_nearest *nearest, float reach,
                                 entry *stack, uint32_t count) {
    float bounds[SOLID_WIDTH];
    uint32_t lanes = 0, first = count;
    for (int lane = 0; lane < SOLID_WIDTH; lane += SIMD_LANES) {
        simd_float squared = simd_set(0);
        for (int k = 0; k < 3; k++) {
            simd_float off = simd_abs(simd_load(node->middle[k] + lane) - nearest->point[k]);
            squared += square(simd_max(off - simd_load(node->half[k] + lane), simd_set(0)));
        }
        simd_store_float(bounds + lane, squared);
        lanes |= simd_bits(squared <= reach) << lane;
    }
    for (; lanes; lanes &= lanes - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(lanes), at = count++;
        for (; at > first && stack[at - 1].bound < bounds[lane]; at--)
            stack[at] = stack[at - 1];
        stack[at] = (entry){node->child[lane], bounds[lane]};
    }
    return count;
}

void SIMD_NAME(tr_solid_foot)(const solid_tree *tree, solid_nearest *nearest) {
    entry stack[SOLID_STACK];
    uint32_t count = 0;
    if (tree->node_count)
        stack[count++] = (entry){0, 0};
    while (count) {
        entry top = stack[--count];
        float reach = nearest->high * nearest->high * 1.00001f;
        if (top.bound > reach)
            continue;
        if (top.child & SOLID_LEAF)
            foot_of_packet(&tree->packets[top.child & ~SOLID_LEAF], nearest);
        else
            count = push_near(&tree->nodes[top.child], nearest, reach, stack, count);
    }
}
