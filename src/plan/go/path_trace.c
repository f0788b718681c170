// From the last node of a search back to the start: where the way bends, leaps and uses links.
#include "path_data.h"

#include <math.h>

#define HAIR 1e-7
#define OFF (1.0 / 256) // bends are this far off corners, so that they belong to a free cell [cells]

static path_corner *add_corner(tr_path *path, double x, double z, uint32_t tile, uint16_t rect) {
    if (path->node_max && path->corner_count >= PATH_CORNERS_MAX) {
        path->full = path->no_memory = true;
        return NULL;
    }
    void *corners = path->corners;
    bool room = tr_reserve(&path->allocator, &corners, &path->corner_capacity,
                           (uint64_t)path->corner_count + 1, sizeof *path->corners);
    path->corners = corners;
    if (!room) {
        path->no_memory = true;
        return NULL;
    }
    path->corners[path->corner_count] =
        (path_corner){.x = x, .z = z, .tile = tile, .rect = rect, .move = TR_PATH_WALK, .link = TR_NONE};
    return &path->corners[path->corner_count++];
}

static bool is_near(double x, double z, double other_x, double other_z) {
    return fabs(x - other_x) <= 2 * HAIR && fabs(z - other_z) <= 2 * HAIR;
}

static void interval_end(const path_node *node, uint8_t end, double *x, double *z) {
    double across = end == PATH_LOW ? node->low : node->high;
    *x = node->direction & 1 ? across : node->line;
    *z = node->direction & 1 ? node->line : across;
}

// A point at an end of a portal, on the side that it leads from (`ahead` -1) or to (1), inside its end.
static void add_at_end(tr_path *path, const path_node *portal, bool at_low, int32_t ahead, double x, double z,
                       uint32_t tile, uint16_t rect) {
    path_corner *corner = add_corner(path, x, z, tile, rect);
    if (!corner)
        return;
    int8_t along = (int8_t)(portal->direction & 2 ? -ahead : ahead), across = at_low ? 1 : -1;
    corner->off_x = portal->direction & 1 ? across : along;
    corner->off_z = portal->direction & 1 ? along : across;
}

// The bend at an end of a node's interval: behind the portal, and before it.
static void add_bend(tr_path *path, const path_node *node, uint8_t end) {
    double x, z;
    interval_end(node, end, &x, &z);
    add_at_end(path, node, end == PATH_LOW, 1, x, z, node->tile, node->rect);
    const path_node *parent = &path->nodes[node->parent];
    if (node->steps == 1)
        add_at_end(path, node, end == PATH_LOW, -1, x, z, parent->tile, parent->rect);
}

// Where the line from the root to the last corner crosses the interval.
static double crossing(const path_node *node, const path_corner *to) {
    bool upright = !(node->direction & 1);
    double root = upright ? node->root_z : node->root_x, behind = upright ? node->root_x : node->root_z;
    double across = upright ? to->z : to->x, ahead = upright ? to->x : to->z;
    double both = ahead - behind;
    double at = fabs(both) > HAIR ? root + (across - root) * ((node->line - behind) / both) : root;
    return at < node->low ? node->low : at > node->high ? node->high : at;
}

static int8_t inside_of(const path_node *node, double at) {
    return at <= node->low + HAIR ? 1 : at >= node->high - HAIR ? -1 : 0;
}

// Both ends of a leap.
static void add_leap(tr_path *path, const path_node *node) {
    int8_t sign = node->direction & 2 ? -1 : 1;
    double at = crossing(node, &path->corners[path->corner_count - 1]), leap = sign * (node->steps - 1.0);
    bool upright = !(node->direction & 1);
    double x = upright ? node->line : at, z = upright ? at : node->line;
    const path_node *parent = &path->nodes[node->parent];
    path_corner *landing = add_corner(path, x, z, node->tile, node->rect);
    if (!landing)
        return;
    landing->move = TR_PATH_LEAP;
    landing->fixed = true;
    landing->off_x = upright ? sign : inside_of(node, at);
    landing->off_z = upright ? inside_of(node, at) : sign;
    path_corner *leaving =
        add_corner(path, upright ? x - leap : x, upright ? z : z - leap, parent->tile, parent->rect);
    if (!leaving)
        return;
    leaving->fixed = true;
    leaving->off_x = upright ? (int8_t)-sign : inside_of(node, at);
    leaving->off_z = upright ? inside_of(node, at) : (int8_t)-sign;
}

// The corners between an interval and the one before it. `node` may bend at an end of its parent's interval,
// and slide along its own line.
static void add_between(tr_path *path, const path_node *node) {
    const path_node *parent = &path->nodes[node->parent];
    double sign = node->direction & 2 ? -1 : 1, leap = sign * (node->steps - 1);
    double x = node->root_x - (node->direction & 1 ? 0 : leap),
           z = node->root_z - (node->direction & 1 ? leap : 0), bend_x = parent->root_x,
           bend_z = parent->root_z;
    if (node->bend)
        interval_end(parent, node->bend, &bend_x, &bend_z);
    double off = (node->direction & 1 ? node->root_z : node->root_x) - node->line,
           at = node->direction & 1 ? x : z;
    if (fabs(off) <= HAIR && parent->kind == PATH_PORTAL && inside_of(node, at) != 0 && node->steps == 1) {
        // The way turns around the end of the portal: it is now behind it.
        add_at_end(path, node, at <= node->low + HAIR, 1, x, z, node->tile, node->rect);
    }
    if (!is_near(x, z, bend_x, bend_z))
        add_at_end(path, node, at <= node->low + HAIR, -1, x, z, parent->tile, parent->rect);
    if (node->bend)
        add_bend(path, parent, node->bend);
}

static void add_target(tr_path *path, const path_node *node) {
    const path_target *target = &path->targets[node->target];
    path_corner *corner = add_corner(path, target->x, target->z, node->tile, node->rect);
    if (corner)
        corner->fixed = true;
    if (node->bend)
        add_bend(path, &path->nodes[node->parent], node->bend);
}

// A way that ends early, in the middle of an interval, ends where that is nearest to its root.
static void add_middle(tr_path *path, const path_node *node) {
    bool upright = !(node->direction & 1);
    double at = upright ? node->root_z : node->root_x, margin = (node->high - node->low) / 8;
    at = at < node->low + margin ? node->low + margin : at > node->high - margin ? node->high - margin : at;
    path_corner *corner =
        add_corner(path, upright ? node->line : at, upright ? at : node->line, node->tile, node->rect);
    if (!corner)
        return;
    int8_t sign = node->direction & 2 ? -1 : 1;
    corner->off_x = upright ? sign : 0;
    corner->off_z = upright ? 0 : sign;
}

// All corners, from the last to the first.
static void trace(tr_path *path, uint32_t last) {
    const path_node *node = &path->nodes[last];
    path->corner_count = 0;
    if (node->kind == PATH_PORTAL)
        add_middle(path, node);
    for (;; node = &path->nodes[node->parent]) {
        if (path->no_memory)
            return;
        if (node->kind == PATH_TARGET) {
            add_target(path, node);
        } else if (node->kind == PATH_PORTAL) {
            if (node->steps > 1)
                add_leap(path, node);
            add_between(path, node);
        } else {
            path_corner *corner = add_corner(path, node->root_x, node->root_z, node->tile, node->rect);
            if (!corner || node->parent == TR_NONE) {
                if (corner)
                    corner->fixed = true;
                return;
            }
            corner->fixed = true;
            corner->move = TR_PATH_LINK;
            corner->link = node->target;
        }
    }
}

// The height of the cell of the corner's rectangle that is nearest to it.
static double height_near(const tr_path *path, const path_corner *corner) {
    const tr_ground *ground = path->ground;
    const ground_rect *rect = &path->size->tiles[corner->tile].rects[corner->rect];
    double x = floor(corner->x), z = floor(corner->z);
    x = x < rect->x0 ? rect->x0 : x > rect->x1 - 1.0 ? rect->x1 - 1.0 : x;
    z = z < rect->z0 ? rect->z0 : z > rect->z1 - 1.0 ? rect->z1 - 1.0 : z;
    const ground_tile *tile = &ground->tiles[corner->tile];
    const uint16_t *offsets = ground_offsets_at(tile, (uint32_t)x, (uint32_t)z);
    uint32_t i = offsets[0];
    while (i + 1 < offsets[1] && path->size->tiles[corner->tile].rects_of[i] != corner->rect)
        i++;
    return ground_height_of(ground, tile->heights[i]);
}

static tr_vec3 world_of(const tr_path *path, double x, double y, double z) {
    const tr_grid *grid = &path->ground->grid;
    return tr_vec3_make((float)(grid->origin.x + x * grid->cell), (float)y,
                        (float)(grid->origin.z + z * grid->cell));
}

// Moves the point onto the floor, if the place is free and no more than `most` higher or lower [m].
static bool settle(const tr_path *path, tr_vec3 *point, double most) {
    ground_spot spot = tr_ground_free_near(path->ground, path->size, *point, most);
    if (spot.tile == TR_NONE)
        return false;
    point->y = (float)ground_height_of(path->ground, path->ground->tiles[spot.tile].heights[spot.index]);
    return true;
}

// Bends are at corners of cells, and are moved a little into the cell that the way bends in.
static tr_vec3 place_corner(const tr_path *path, const path_corner *corner) {
    tr_vec3 point = world_of(path, corner->x + corner->off_x * OFF, height_near(path, corner),
                             corner->z + corner->off_z * OFF);
    settle(path, &point, path->size->body.foot_rise);
    return point;
}

static bool sees(const tr_path *path, tr_vec3 from, tr_vec3 to) {
    return tr_ground_sees(path->ground, (uint32_t)(path->size - path->ground->sizes), from, to);
}

// How many corners from this one on, which is not the last, form one bend around one corner of cells.
static uint32_t bend_length(const tr_path *path, const path_corner *first) {
    uint32_t count = 1;
    for (const path_corner *at = first;
         at > path->corners && !at->fixed && !at[-1].fixed && is_near(at->x, at->z, at[-1].x, at[-1].z); at--)
        count++;
    return count;
}

// Is the point the same as the last one?
static bool is_idle(const tr_path *path, const path_corner *corner, tr_vec3 position) {
    if (path->result.point_count == 0 || corner->move != TR_PATH_WALK)
        return false;
    tr_vec3 last = path->points[path->result.point_count - 1].position;
    return last.x == position.x && last.y == position.y && last.z == position.z;
}

static void add_point(tr_path *path, const path_corner *corner, tr_vec3 position) {
    if (is_idle(path, corner, position))
        return;
    path->points[path->result.point_count++] =
        (tr_path_point){position, (tr_path_move)corner->move, corner->link};
}

// Are all free cells around a corner level?
static bool is_level(const tr_path *path, const path_corner *corner) {
    double height = height_near(path, corner);
    int32_t low = INT32_MAX, high = INT32_MIN;
    for (int i = 0; i < 4; i++) {
        tr_vec3 point =
            world_of(path, corner->x + (i & 1 ? OFF : -OFF), height, corner->z + (i & 2 ? OFF : -OFF));
        ground_spot spot = tr_ground_free_near(path->ground, path->size, point, path->size->body.foot_rise);
        if (spot.tile == TR_NONE)
            continue;
        int32_t units = path->ground->tiles[spot.tile].heights[spot.index];
        low = units < low ? units : low;
        high = units > high ? units : high;
    }
    return high - low <= path->ground->slope_rise;
}

// A bend goes through up to four cells around a corner. If they are level, one point is enough, provided that
// it sees those before and after it; else all of them become points.
static void finish_bend(tr_path *path, const path_corner *first, uint32_t count) {
    if (count > 1 && path->result.point_count > 0 && is_level(path, first)) {
        tr_vec3 before = path->points[path->result.point_count - 1].position,
                behind = place_corner(path, first - count);
        for (uint32_t i = 0; i < count; i++) {
            tr_vec3 position = place_corner(path, first - i);
            if (sees(path, before, position) && sees(path, position, behind)) {
                add_point(path, first - i, position);
                return;
            }
        }
    }
    for (uint32_t i = 0; i < count; i++)
        add_point(path, first - i, place_corner(path, first - i));
}

static double length_of(tr_vec3 a, tr_vec3 b) {
    double x = (double)b.x - a.x, y = (double)b.y - a.y, z = (double)b.z - a.z;
    return sqrt(x * x + y * y + z * z);
}

bool tr_path_trace(tr_path *path, uint32_t last) {
    path->no_memory = path->full = false;
    trace(path, last);
    void *points = path->points;
    bool room = !path->no_memory && tr_reserve(&path->allocator, &points, &path->point_capacity,
                                               path->corner_count, sizeof *path->points);
    path->points = points;
    if (!room)
        return false;
    path->result.points = path->points;
    path->result.point_count = 0;
    for (uint32_t left = path->corner_count; left > 0;) {
        const path_corner *first = &path->corners[left - 1];
        uint32_t count = bend_length(path, first);
        finish_bend(path, first, count);
        left -= count;
    }
    path->result.length = 0;
    for (uint32_t i = 1; i < path->result.point_count; i++)
        path->result.length += length_of(path->points[i - 1].position, path->points[i].position);
    path->result.cost = path->nodes[last].cost * path->ground->grid.cell;
    return true;
}
