// The triangles of a scene in a tree of boxes, split at the median of the longer axis, so that its depth is
// known.
#include "audit_parts.h"

#define LEAF 4     // triangles
#define LEVEL 0.7f // of a normal, upwards: less steep than 45 degrees

void tr_audit_triangles_add(audit_triangles *triangles, audit_triangle triangle, bool may_stand) {
    tr_vec3 normal = tr_vec3_cross(tr_vec3_subtract(triangle.corners[1], triangle.corners[0]),
                                   tr_vec3_subtract(triangle.corners[2], triangle.corners[0]));
    triangle.level = fabsf(normal.y) > LEVEL * tr_vec3_length(normal);
    triangle.floor = triangle.level && may_stand;
    triangles->items[triangles->count++] = triangle;
}

static tr_box box_of(const audit_triangle *triangle) {
    tr_box box = {triangle->corners[0], triangle->corners[0]};
    return tr_box_include(tr_box_include(box, triangle->corners[1]), triangle->corners[2]);
}

static float centre_of(const audit_triangle *t, int axis) {
    return (&t->corners[0].x)[axis] + (&t->corners[1].x)[axis] + (&t->corners[2].x)[axis];
}

// Moves the items of the lower half along an axis before the others. Quickselect with the middle item as
// pivot; equal keys go to both sides, so that many triangles in one place do not slow it down.
static void split(audit_triangle *items, uint32_t count, int axis) {
    int64_t low = 0, high = (int64_t)count - 1, middle = count / 2;
    while (low < high) {
        float pivot = centre_of(&items[low + (high - low) / 2], axis);
        int64_t i = low, j = high;
        while (i <= j) {
            while (centre_of(&items[i], axis) < pivot)
                i++;
            while (centre_of(&items[j], axis) > pivot)
                j--;
            if (i <= j) {
                audit_triangle swapped = items[i];
                items[i++] = items[j];
                items[j--] = swapped;
            }
        }
        if (middle <= j)
            high = j;
        else if (middle >= i)
            low = i;
        else
            return;
    }
}

// Depth first: a node, then its first half, then the second. The halves differ by at most one, so 32 levels
// are enough.
void tr_audit_triangles_build(audit_triangles *triangles) {
    struct {
        uint32_t first, count, parent;
    } stack[64] = {{0, triangles->count, TR_NONE}};
    for (uint32_t depth = triangles->count ? 1 : 0; depth > 0;) {
        uint32_t first = stack[--depth].first, count = stack[depth].count, number = triangles->node_count++;
        if (stack[depth].parent != TR_NONE)
            triangles->nodes[stack[depth].parent].second = number;
        audit_node node = {.box = tr_box_empty(), .first = first, .count = count};
        for (uint32_t i = first; i < first + count; i++)
            node.box = tr_box_union(node.box, box_of(&triangles->items[i]));
        if (count > LEAF) {
            tr_vec3 size = tr_vec3_subtract(node.box.max, node.box.min);
            int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
            split(triangles->items + first, count, axis);
            uint32_t half = count / 2;
            node.count = 0;
            stack[depth].first = first + half, stack[depth].count = count - half;
            stack[depth++].parent = number;
            stack[depth].first = first, stack[depth].count = half;
            stack[depth++].parent = TR_NONE;
        }
        triangles->nodes[number] = node;
    }
}

void tr_audit_triangles_refit(audit_triangles *triangles) {
    for (uint32_t number = triangles->node_count; number-- > 0;) { // children come after their parents
        audit_node *node = &triangles->nodes[number];
        node->box = tr_box_empty();
        for (uint32_t i = node->first; i < node->first + node->count; i++)
            node->box = tr_box_union(node->box, box_of(&triangles->items[i]));
        if (node->count == 0)
            node->box = tr_box_union(triangles->nodes[number + 1].box, triangles->nodes[node->second].box);
    }
}

tr_status tr_audit_triangles_reserve(const tr_allocator *allocator, uint64_t count,
                                     audit_triangles *triangles, tr_error *error) {
    if (count > UINT32_MAX / 2)
        return tr_fail(error, TR_LIMIT, "the scene has %llu triangles, the most is %u",
                       (unsigned long long)count, UINT32_MAX / 2);
    if (count == 0)
        return TR_OK;
    triangles->room = (uint32_t)count; // leaves hold at least two triangles
    triangles->items = tr_allocate(allocator, triangles->room, sizeof *triangles->items);
    triangles->nodes = tr_allocate(allocator, triangles->room, sizeof *triangles->nodes);
    if (triangles->items && triangles->nodes)
        return TR_OK;
    tr_audit_triangles_destroy(allocator, triangles);
    return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for %llu triangles of the scene",
                   (unsigned long long)count);
}

void tr_audit_triangles_destroy(const tr_allocator *allocator, audit_triangles *triangles) {
    tr_release(allocator, triangles->items, triangles->room, sizeof *triangles->items);
    tr_release(allocator, triangles->nodes, triangles->room, sizeof *triangles->nodes);
    *triangles = (audit_triangles){0};
}

static bool boxes_meet(const tr_box *a, const tr_box *b) {
    return a->min.x <= b->max.x && b->min.x <= a->max.x && a->min.y <= b->max.y && b->min.y <= a->max.y &&
           a->min.z <= b->max.z && b->min.z <= a->max.z;
}

audit_walk tr_audit_walk_begin(const audit_triangles *triangles, tr_box box) {
    audit_walk walk = {.box = box};
    if (triangles->node_count > 0)
        walk.stack[walk.depth++] = 0;
    return walk;
}

const audit_triangle *tr_audit_walk_next(const audit_triangles *triangles, audit_walk *walk) {
    for (;;) {
        while (walk->next < walk->end) {
            const audit_triangle *triangle = &triangles->items[walk->next++];
            tr_box box = box_of(triangle);
            if (boxes_meet(&box, &walk->box))
                return triangle;
        }
        if (walk->depth == 0)
            return NULL;
        uint32_t number = walk->stack[--walk->depth];
        const audit_node *node = &triangles->nodes[number];
        if (!boxes_meet(&node->box, &walk->box))
            continue;
        if (node->count > 0) {
            walk->next = node->first, walk->end = node->first + node->count;
        } else {
            walk->stack[walk->depth++] = node->second;
            walk->stack[walk->depth++] = number + 1;
        }
    }
}

// The height of a triangle at (x, z), including its edges; NAN outside.
static double height_at(const audit_triangle *triangle, double x, double z) {
    const tr_vec3 *c = triangle->corners;
    double ax = c[0].x - x, az = c[0].z - z, bx = c[1].x - x, bz = c[1].z - z, cx = c[2].x - x,
           cz = c[2].z - z;
    double u = bx * cz - bz * cx, v = cx * az - cz * ax, w = ax * bz - az * bx, sum = u + v + w;
    if (sum < 0)
        u = -u, v = -v, w = -w, sum = -sum;
    double slack = -1e-7 * sum; // a seam between two triangles must not be a hole
    if (!(sum > 0) || u < slack || v < slack || w < slack)
        return NAN;
    return (u * c[0].y + v * c[1].y + w * c[2].y) / sum;
}

float tr_audit_floor(const audit_triangles *triangles, tr_vec3 point) {
    double best = NAN, most = (double)point.y + triangles->floor_reach;
    tr_box below = {{point.x, -INFINITY, point.z}, {point.x, (float)most, point.z}};
    audit_walk walk = tr_audit_walk_begin(triangles, below);
    for (const audit_triangle *triangle; (triangle = tr_audit_walk_next(triangles, &walk));) {
        double height = triangle->floor ? height_at(triangle, point.x, point.z) : NAN;
        if (height <= most && !(height <= best))
            best = height;
    }
    return (float)best;
}
