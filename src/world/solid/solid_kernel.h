// The inner loops of a solid, compiled once for each width of SIMD (solid_4.c, solid_8.c). A node always has
// eight boxes and a packet eight triangles: decisions are made for all eight in the same order, whatever the
// width.
#include "base/simd.h"
#include "solid_data.h"
#include "troupe/world/distance.h"

#include <float.h>

typedef struct entry {
    uint32_t child;
    float bound; // squared [m^2]
} entry;

typedef struct vector {
    simd_float x, y, z;
} vector;

static inline vector minus(vector a, vector b) {
    vector v = {a.x - b.x, a.y - b.y, a.z - b.z};
    return v;
}

static inline simd_float dot(vector a, vector b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline vector cross(vector a, vector b) {
    vector v = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return v;
}

static inline simd_float clamp_unit(simd_float t) {
    return simd_min(simd_max(t, simd_set(0)), simd_set(1));
}

static inline simd_float square(simd_float v) {
    return v * v;
}

// Squared lower bounds of the distance of the line to the eight boxes of a node: the greater of the gaps
// along the three axes (which add up) and the gaps across the line and along it (which add up as well).
// Returns the boxes within reach.
static inline uint32_t node_bounds(const solid_node *node, const solid_probe *probe, float reach,
                                   float bounds[SOLID_WIDTH]) {
    const simd_float zero = simd_set(0);
    uint32_t lanes = 0;
    for (int lane = 0; lane < SOLID_WIDTH; lane += SIMD_LANES) {
        simd_float dx = simd_load(node->middle[0] + lane) - probe->middle[0];
        simd_float dy = simd_load(node->middle[1] + lane) - probe->middle[1];
        simd_float dz = simd_load(node->middle[2] + lane) - probe->middle[2];
        simd_float hx = simd_load(node->half[0] + lane), hy = simd_load(node->half[1] + lane);
        simd_float hz = simd_load(node->half[2] + lane);
        simd_float gap_x = simd_max(simd_abs(dx) - (hx + probe->half[0]), zero);
        simd_float gap_y = simd_max(simd_abs(dy) - (hy + probe->half[1]), zero);
        simd_float gap_z = simd_max(simd_abs(dz) - (hz + probe->half[2]), zero);
        simd_float by_axes = square(gap_x) + square(gap_y) + square(gap_z);
        simd_float across_x = simd_abs(probe->across[0][0] * dy + probe->across[0][1] * dz) -
                              (probe->across_size[0][0] * hy + probe->across_size[0][1] * hz);
        simd_float across_y = simd_abs(probe->across[1][0] * dx + probe->across[1][1] * dz) -
                              (probe->across_size[1][0] * hx + probe->across_size[1][1] * hz);
        simd_float across_z = simd_abs(probe->across[2][0] * dx + probe->across[2][1] * dy) -
                              (probe->across_size[2][0] * hx + probe->across_size[2][1] * hy);
        simd_float across = simd_max(simd_max(across_x, across_y), simd_max(across_z, zero));
        simd_float along =
            simd_abs(probe->along[0] * dx + probe->along[1] * dy + probe->along[2] * dz) -
            (probe->along_size[0] * hx + probe->along_size[1] * hy + probe->along_size[2] * hz) -
            probe->half_length;
        simd_float by_line = square(across) + square(simd_max(along, zero));
        simd_float bound = simd_max(by_line, by_axes);
        simd_store_float(bounds + lane, bound);
        lanes |= simd_bits(bound <= reach) << lane;
    }
    return lanes;
}

// The line (u from the origin) against an edge (e from v): the nearest points of the infinite lines first,
// clamped to one, then to the other, as in distance.c.
static inline simd_float edge_squares(const solid_probe *probe, vector u, vector v, vector e) {
    const simd_float tiny = simd_set(FLT_MIN);
    simd_float ee = dot(e, e), ue = dot(u, e), uv = dot(u, v), ev = -dot(e, v);
    simd_float level = simd_max(probe->squared * ee - square(ue), tiny);
    simd_float s = clamp_unit((ue * ev + uv * ee) / level);
    simd_float t = clamp_unit((ue * s + ev) / simd_max(ee, tiny));
    s = clamp_unit((ue * t + uv) * probe->inverse);
    vector apart = {v.x + t * e.x - s * u.x, v.y + t * e.y - s * u.y, v.z + t * e.z - s * u.z};
    return dot(apart, apart);
}

// How far the start and the end of the line are on the inner side of the edge.
static inline void edge_sides(vector normal, vector u, vector v, vector e, simd_float *start,
                              simd_float *end) {
    vector inward = cross(normal, e);
    *start = -dot(inward, v);
    *end = *start + dot(inward, u);
}

// Combines the distance to the edges with the inside of the triangles: an end of the line projects into the
// triangle, or the line pierces it.
static inline simd_float inside_squares(simd_float best, vector u, const vector corner[3],
                                        const vector edge[3]) {
    const simd_float zero = simd_set(0);
    vector normal = cross(edge[2], edge[0]); // the same orientation for all three edges
    simd_float area = simd_max(dot(normal, normal), simd_set(FLT_MIN));
    simd_float start[3], end[3];
    for (int i = 0; i < 3; i++)
        edge_sides(normal, u, corner[i], edge[i], &start[i], &end[i]);
    simd_float start_height = -dot(normal, corner[0]), end_height = start_height + dot(normal, u);
    simd_int start_inside = (start[0] >= zero) & (start[1] >= zero) & (start[2] >= zero);
    simd_int end_inside = (end[0] >= zero) & (end[1] >= zero) & (end[2] >= zero);
    simd_float over_start = start_height / area * start_height; // the square itself may overflow
    simd_float over_end = end_height / area * end_height;
    best = simd_select(start_inside, simd_min(over_start, best), best);
    best = simd_select(end_inside, simd_min(over_end, best), best);
    simd_int passes =
        ((start_height <= zero) & (end_height > zero)) | ((start_height > zero) & (end_height <= zero));
    simd_float at = start_height / (start_height - end_height);
    for (int i = 0; i < 3; i++)
        passes &= start[i] + at * (end[i] - start[i]) >= zero;
    return simd_select(passes, zero, best);
}

// Corners relative to a point. Edges are not computed from those: from a distance their rounding would bend
// them.
static inline void load_triangles(const solid_packet *packet, int lane, const float from[3], vector corner[3],
                                  vector edge[3]) {
    for (int i = 0; i < 3; i++) {
        corner[i].x = simd_load(packet->corner[3 * i] + lane);
        corner[i].y = simd_load(packet->corner[3 * i + 1] + lane);
        corner[i].z = simd_load(packet->corner[3 * i + 2] + lane);
    }
    for (int i = 0; i < 3; i++)
        edge[i] = minus(corner[(i + 1) % 3], corner[i]);
    vector origin = {simd_set(from[0]), simd_set(from[1]), simd_set(from[2])};
    for (int i = 0; i < 3; i++)
        corner[i] = minus(corner[i], origin);
}

// Squared distances of the line from the eight triangles of a packet. NaN where there is none.
static inline void packet_squares(const solid_packet *packet, const solid_probe *probe,
                                  float squares[SOLID_WIDTH]) {
    const simd_float zero = simd_set(0);
    vector u = {simd_set(probe->u[0]), simd_set(probe->u[1]), simd_set(probe->u[2])};
    for (int lane = 0; lane < SOLID_WIDTH; lane += SIMD_LANES) {
        vector corner[3], edge[3];
        load_triangles(packet, lane, probe->a, corner, edge);
        simd_float best = edge_squares(probe, u, corner[0], edge[0]);
        best = simd_min(best, edge_squares(probe, u, corner[1], edge[1]));
        best = simd_min(best, edge_squares(probe, u, corner[2], edge[2]));
        simd_int firm = simd_load(packet->slack + lane) >= zero;
        best = simd_select(firm, inside_squares(best, u, corner, edge), best);
        simd_store_float(squares + lane, best);
    }
}

// The greatest squared distance of a box that counts, with a margin for the rounding of both.
static inline float reach_of(const solid_search *search) {
    float reach = search->limit * 1.000004f + search->probe.box_slack;
    float squared = reach * reach;
    return squared < FLT_MAX ? squared : FLT_MAX; // an empty child is infinitely far and never counts
}

// Pushes the children that may count, the nearest on top.
static inline uint32_t push_children(const solid_node *node, const solid_probe *probe, float reach,
                                     entry *stack, uint32_t count) {
    float bounds[SOLID_WIDTH];
    uint32_t first = count;
    for (uint32_t lanes = node_bounds(node, probe, reach, bounds); lanes; lanes &= lanes - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(lanes), at = count++;
        for (; at > first && stack[at - 1].bound < bounds[lane]; at--)
            stack[at] = stack[at - 1];
        stack[at] = (entry){node->child[lane], bounds[lane]};
    }
    return count;
}

// Of the lanes in `lanes`, the one whose triangle is nearest.
static inline uint32_t nearest_lane(const float squares[SOLID_WIDTH], uint32_t lanes) {
    uint32_t nearest = (uint32_t)__builtin_ctz(lanes);
    for (uint32_t left = lanes & (lanes - 1); left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        if (squares[lane] < squares[nearest])
            nearest = lane;
    }
    return nearest;
}

// The lanes whose triangle may be nearer than the limit.
static inline uint32_t lanes_within(const solid_packet *packet, const float squares[SOLID_WIDTH],
                                    const solid_search *search) {
    uint32_t within = 0;
    simd_float reach = simd_set(search->limit * 1.000004f + search->probe.slack);
    for (int lane = 0; lane < SOLID_WIDTH; lane += SIMD_LANES) {
        simd_float with_slack = reach + simd_abs(simd_load(packet->slack + lane));
        simd_int nearer = simd_load(squares + lane) <= square(with_slack) + search->probe.ill;
        within |= simd_bits(nearer) << lane;
    }
    return within;
}

static inline void measure_packet(const solid_tree *tree, uint32_t number, solid_search *search) {
    const solid_packet *packet = &tree->packets[number];
    float squares[SOLID_WIDTH];
    packet_squares(packet, &search->probe, squares);
    uint32_t lanes = lanes_within(packet, squares, search);
    while (lanes) {
        uint32_t lane = nearest_lane(squares, lanes);
        tr_vec3 triangle[3], on_line, on_triangle;
        for (int i = 0; i < 3; i++)
            triangle[i] = tr_vec3_make(packet->corner[3 * i][lane], packet->corner[3 * i + 1][lane],
                                       packet->corner[3 * i + 2][lane]);
        const solid_probe *probe = &search->probe;
        float distance =
            sqrtf(tr_distance_segment_triangle(probe->from, probe->to, triangle, &on_line, &on_triangle));
        lanes &= ~(1u << lane);
        if (!(distance < search->limit))
            continue;
        search->limit = distance;
        search->found = true;
        if (search->hit) {
            solid_name name = tree->names[(size_t)number * SOLID_WIDTH + lane];
            *search->hit = (tr_solid_hit){name.object, name.triangle, on_line, on_triangle};
        }
        lanes &= lanes_within(packet, squares, search);
    }
}

static inline float positive_root(float squared) {
    return squared > 0 ? sqrtf(squared) : 0;
}

// The same in floats: lower and upper bounds of the distance.
static inline void bound_packet(const solid_tree *tree, uint32_t number, solid_search *search) {
    const solid_packet *packet = &tree->packets[number];
    float squares[SOLID_WIDTH];
    packet_squares(packet, &search->probe, squares);
    for (uint32_t lanes = lanes_within(packet, squares, search); lanes; lanes &= lanes - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(lanes);
        float high = sqrtf(squares[lane]);
        float slack = search->probe.slack + fabsf(packet->slack[lane]) + 1e-6f * high;
        float low = positive_root(squares[lane] - search->probe.ill) - slack;
        high += slack;
        search->low = low < search->low ? low : search->low;
        search->high = high < search->high ? high : search->high;
    }
    search->limit = search->high < search->limit ? search->high : search->limit;
    search->touches = search->high <= search->radius;
}

void SIMD_NAME(tr_solid_nearest)(const solid_tree *tree, solid_search *search) {
    entry stack[SOLID_STACK];
    uint32_t count = 0;
    if (tree->node_count)
        stack[count++] = (entry){0, 0};
    while (count) {
        entry top = stack[--count];
        float reach = reach_of(search);
        if (top.bound > reach)
            continue;
        if (top.child & SOLID_LEAF)
            measure_packet(tree, top.child & ~SOLID_LEAF, search);
        else
            count = push_children(&tree->nodes[top.child], &search->probe, reach, stack, count);
    }
}

void SIMD_NAME(tr_solid_clear)(const solid_tree *tree, solid_search *search) {
    entry stack[SOLID_STACK];
    uint32_t count = 0;
    if (tree->node_count)
        stack[count++] = (entry){0, 0};
    while (count && !search->touches) {
        entry top = stack[--count];
        float reach = reach_of(search);
        if (top.bound > reach)
            continue;
        if (top.child & SOLID_LEAF)
            bound_packet(tree, top.child & ~SOLID_LEAF, search);
        else
            count = push_children(&tree->nodes[top.child], &search->probe, reach, stack, count);
    }
}

uint32_t SIMD_NAME(tr_solid_near)(const solid_node *node, const float middle[3], const float half[3]) {
    uint32_t near = 0;
    for (int lane = 0; lane < SOLID_WIDTH; lane += SIMD_LANES) {
        simd_int overlap = simd_set_int(-1);
        for (int k = 0; k < 3; k++)
            overlap &= simd_abs(simd_load(node->middle[k] + lane) - middle[k]) <=
                       simd_load(node->half[k] + lane) + half[k];
        near |= simd_bits(overlap) << lane;
    }
    return near;
}
