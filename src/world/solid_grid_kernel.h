// The grid of clearances: how it is asked, and the nearest point of a tree, which it is made of. Compiled
// once for each width of SIMD, after solid_kernel.h.
//
// The squared distance to anything, less the square of the place, is concave: it is the least of functions
// that are linear in the place. So where the corners of a cell are weighted to give a point, and two samples
// to give a point between them, the same weights give a lower bound of its squared distance, when the spread
// of the corners or samples about it is taken off: for a cell of side h at most 3/4 h^2, for samples s apart
// at most s^2 / 4. That is far tighter than what the triangle inequality gives.
#include "solid_grid.h"

// Two neighbours along x. One load each: the processor's own gathers are slower.
static inline simd_bitset load_pairs(const uint16_t *squares, simd_int at) {
    simd_bitset pairs = simd_set_bits(0);
    for (int lane = 0; lane < SIMD_LANES; lane++) {
        const uint16_t *pair = squares + (uint32_t)at[lane];
        pairs[lane] = pair[0] | (uint32_t)pair[1] << 16;
    }
    return pairs;
}

static inline simd_float to_float(simd_bitset v) {
    return __builtin_convertvector((simd_int)v, simd_float);
}

static inline simd_float along_x(const uint16_t *squares, simd_int at, simd_float f) {
    simd_bitset pairs = load_pairs(squares, at);
    simd_float left = to_float(pairs & 0xffff), right = to_float(pairs >> 16);
    return left + f * (right - left);
}

// Eight samples of a line, at 0, 1/7 ... 1 of the way.
typedef struct samples {
    float
        squares[SOLID_WIDTH + 1]; // lower bounds of the squared distance [units of the grid]; the last twice
    int32_t corners[SOLID_WIDTH]; // the corner of the grid next to each
    float places[3][SOLID_WIDTH]; // and where it is [cells]
} samples;

static inline void sample_line(const solid_grid *grid, const float from[3], const float way[3], int first,
                               samples *made) {
    simd_float t = __builtin_convertvector(simd_numbers() + first, simd_float) * (1.0f / 7);
    simd_float f[3], off = simd_set(0);
    simd_int cell[3], next[3];
    for (int k = 0; k < 3; k++) {
        simd_float place = from[k] + t * way[k];
        cell[k] = __builtin_convertvector(place, simd_int);
        // Rounding may put the last sample just past the last cell, or the first just before 0.
        cell[k] = simd_max_int(simd_min_int(cell[k], simd_set_int(grid->count[k] - 2)), simd_set_int(0));
        f[k] = clamp_unit(place - __builtin_convertvector(cell[k], simd_float));
        off += f[k] * (1 - f[k]);
        next[k] = cell[k] - (f[k] > 0.5f); // a true lane is -1
        simd_store_float(made->places[k] + first, __builtin_convertvector(next[k], simd_float));
    }
    const int32_t row = grid->count[0], slab = grid->count[0] * grid->count[1];
    simd_int at = cell[0] + cell[1] * row + cell[2] * slab;
    simd_float low = along_x(grid->squares, at, f[0]), high = along_x(grid->squares, at + row, f[0]);
    simd_float near = low + f[1] * (high - low);
    at += slab;
    low = along_x(grid->squares, at, f[0]);
    high = along_x(grid->squares, at + row, f[0]);
    simd_float far = low + f[1] * (high - low);
    simd_store_float(made->squares + first, near + f[2] * (far - near) - off * grid->cell_squared);
    simd_store(made->corners + first, next[0] + next[1] * row + next[2] * slab);
}

static inline float least_of(const float v[SOLID_WIDTH]) {
    float a = v[0] < v[1] ? v[0] : v[1], b = v[2] < v[3] ? v[2] : v[3];
    float c = v[4] < v[5] ? v[4] : v[5], d = v[6] < v[7] ? v[6] : v[7];
    a = a < b ? a : b;
    c = c < d ? c : d;
    return a < c ? a : c;
}

// The least bound between neighbouring samples. They are `apart` apart, squared [units of the grid].
static inline float least_between(const float squares[SOLID_WIDTH + 1], float apart) {
    float bounds[SOLID_WIDTH], inverse = apart > 0 ? 1 / apart : 0;
    for (int first = 0; first < SOLID_WIDTH; first += SIMD_LANES) {
        simd_float a = simd_load(squares + first), b = simd_load(squares + first + 1), step = b - a;
        simd_float between = 0.5f * (a + b) - 0.25f * (apart + square(step) * inverse);
        simd_float bound = simd_select(simd_abs(step) < apart, between, simd_min(a, b));
        simd_store_float(bounds + first, bound);
    }
    bounds[SOLID_WIDTH - 1] = squares[SOLID_WIDTH - 1];
    return least_of(bounds);
}

// Where the nearest triangles are seen from the corners: x and y, then z and the slack.
static inline void load_feet(const solid_foot *feet, const int32_t *at, simd_int *xy, simd_int *z) {
    for (int lane = 0; lane < SIMD_LANES; lane++) {
        const solid_foot *foot = &feet[at[lane]];
        (*xy)[lane] = (int32_t)((uint16_t)foot->x | (uint32_t)(uint16_t)foot->y << 16);
        (*z)[lane] = (int32_t)((uint16_t)foot->z | (uint32_t)foot->slack << 16);
    }
}

static inline simd_float foot_place(simd_int low_half, const float *place, float from, float unit) {
    simd_int wide = (simd_int)((simd_bitset)low_half << 16) >> 16;
    return simd_load(place) + __builtin_convertvector(wide, simd_float) * unit - from;
}

// The least distance of the line from the points that the corners know of, which are on triangles: an upper
// bound [cells].
static inline float nearest_known(const solid_grid *grid, const float from[3], const float way[3],
                                  float length, const samples *of) {
    float inverse = length > 0 ? 1 / length : 0, unit = grid->foot_unit, distances[SOLID_WIDTH];
    for (int first = 0; first < SOLID_WIDTH; first += SIMD_LANES) {
        simd_int xy = simd_set_int(0), z = simd_set_int(0);
        load_feet(grid->feet, of->corners + first, &xy, &z);
        simd_float px = foot_place(xy, of->places[0] + first, from[0], unit);
        simd_float py = foot_place((simd_int)((simd_bitset)xy >> 16), of->places[1] + first, from[1], unit);
        simd_float pz = foot_place(z, of->places[2] + first, from[2], unit);
        simd_float t = clamp_unit((px * way[0] + py * way[1] + pz * way[2]) * inverse);
        simd_float squared = square(px - t * way[0]) + square(py - t * way[1]) + square(pz - t * way[2]);
        simd_int none = (xy & 0xffff) == (uint16_t)SOLID_NO_FOOT;
        simd_float slack = to_float((simd_bitset)z >> 16) * unit;
        simd_float distance = simd_sqrt(squared) + slack;
        simd_store_float(distances + first, simd_select(none, simd_set(INFINITY), distance));
    }
    return least_of(distances);
}

bool SIMD_NAME(tr_solid_glance)(const solid_grid *grid, tr_vec3 a, tr_vec3 b, float wanted, float *low,
                                float *high) {
    const float ends[2][3] = {{a.x, a.y, a.z}, {b.x, b.y, b.z}};
    float from[3], way[3], length = 0;
    for (int k = 0; k < 3; k++) {
        float to = (ends[1][k] - grid->origin[k]) * grid->per_cell, most = (float)(grid->count[k] - 1);
        from[k] = (ends[0][k] - grid->origin[k]) * grid->per_cell;
        if (!(from[k] >= 0 && to >= 0 && from[k] <= most && to <= most))
            return false;
        way[k] = to - from[k];
        length += way[k] * way[k];
    }
    samples of;
    for (int first = 0; first < SOLID_WIDTH; first += SIMD_LANES)
        sample_line(grid, from, way, first, &of);
    of.squares[SOLID_WIDTH] = of.squares[SOLID_WIDTH - 1];
    float least = least_between(of.squares, length * (1.0f / 49) * grid->cell_squared);
    *low = least > 0 ? sqrtf(least) * grid->unit - grid->slack : 0;
    *high = INFINITY;
    if (*low < wanted)
        *high = nearest_known(grid, from, way, length, &of) * grid->cell + grid->slack;
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

// Of the triangles of a packet, as far as they are in these lanes. Infinitely far where there is none.
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
