// From the last node of a search back to the start: where the way bends, leaps and uses links.
#include "path_data.h"

#include <math.h>

#define HAIR 1e-7
#define OFF (1.0 / 256) // bends are so far off corners, that they belong to a free cell [cells]

static path_corner *add_corner(tr_path *path, double x, double z, uint32_t tile, uint16_t rect) {
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

// The bend at an end of a node's interval.
static void add_bend(tr_path *path, const path_node *node, uint8_t end) {
    double x, z;
    interval_end(node, end, &x, &z);
    add_corner(path, x, z, node->tile, node->rect);
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

// Both ends of a leap.
static void add_leap(tr_path *path, const path_node *node) {
    double sign = node->direction & 2 ? -1 : 1, leap = sign * (node->steps - 1);
    double at = crossing(node, &path->corners[path->corner_count - 1]);
    bool upright = !(node->direction & 1);
    double x = upright ? node->line : at, z = upright ? at : node->line;
    const path_node *parent = &path->nodes[node->parent];
    path_corner *landing = add_corner(path, x, z, node->tile, node->rect);
    if (!landing)
        return;
    landing->move = TR_PATH_LEAP;
    landing->off_x = upright ? sign : 0;
    landing->off_z = upright ? 0 : sign;
    path_corner *leaving =
        add_corner(path, upright ? x - leap : x, upright ? z : z - leap, parent->tile, parent->rect);
    if (!leaving)
        return;
    leaving->off_x = upright ? -sign : 0;
    leaving->off_z = upright ? 0 : -sign;
}

// What lies between an interval and the one before it. `node` may bend at an end of its parent's interval,
// and slide along its own line.
static void add_between(tr_path *path, const path_node *node) {
    const path_node *parent = &path->nodes[node->parent];
    double sign = node->direction & 2 ? -1 : 1, leap = sign * (node->steps - 1);
    double x = node->root_x - (node->direction & 1 ? 0 : leap),
           z = node->root_z - (node->direction & 1 ? leap : 0), bend_x = parent->root_x,
           bend_z = parent->root_z;
    if (node->bend)
        interval_end(parent, node->bend, &bend_x, &bend_z);
    if (!is_near(x, z, bend_x, bend_z))
        add_corner(path, x, z, parent->tile, parent->rect);
    if (node->bend)
        add_bend(path, parent, node->bend);
}

static void add_target(tr_path *path, const path_node *node) {
    const path_target *target = &path->targets[node->target];
    path_corner *corner = add_corner(path, target->x, target->z, node->tile, node->rect);
    if (corner)
        corner->exact = true;
    if (node->bend)
        add_bend(path, &path->nodes[node->parent], node->bend);
}

// The way ends early, in the middle of an interval: where that is nearest to its root.
static void add_middle(tr_path *path, const path_node *node) {
    bool upright = !(node->direction & 1);
    double at = upright ? node->root_z : node->root_x, margin = (node->high - node->low) / 8;
    at = at < node->low + margin ? node->low + margin : at > node->high - margin ? node->high - margin : at;
    path_corner *corner =
        add_corner(path, upright ? node->line : at, upright ? at : node->line, node->tile, node->rect);
    if (!corner)
        return;
    double sign = node->direction & 2 ? -1 : 1;
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
                    corner->exact = true;
                return;
            }
            corner->exact = true;
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

// On the floor, if the place is free.
static bool settle(const tr_path *path, tr_vec3 *point) {
    ground_spot spot = tr_ground_free_near(path->ground, path->size, *point, path->size->body.foot_rise);
    if (spot.tile == TR_NONE)
        return false;
    point->y = (float)ground_height_of(path->ground, path->ground->tiles[spot.tile].heights[spot.index]);
    return true;
}

// A corner is a corner of cells: of the four around it, the way bends in the one that is free and lies
// furthest from the inside of the bend.
static tr_vec3 place_corner(const tr_path *path, const path_corner *corner, double off_x, double off_z) {
    double height = height_near(path, corner);
    tr_vec3 best = world_of(path, corner->x, height, corner->z);
    double most = -INFINITY;
    if (corner->exact) {
        settle(path, &best);
        return best;
    }
    for (int i = 0; i < 4; i++) {
        double x = i & 1 ? OFF : -OFF, z = i & 2 ? OFF : -OFF, along = x * off_x + z * off_z;
        tr_vec3 point = world_of(path, corner->x + x, height, corner->z + z);
        if (along > most && settle(path, &point)) {
            most = along;
            best = point;
        }
    }
    return best;
}

static void unit(double *x, double *z) {
    double length = sqrt(*x * *x + *z * *z);
    if (length > 0) {
        *x /= length;
        *z /= length;
    }
}

// Away from the inside of the bend at corner i.
static void outwards(const tr_path *path, uint32_t i, double *x, double *z) {
    const path_corner *at = &path->corners[i];
    *x = at->off_x;
    *z = at->off_z;
    if (at->exact || *x != 0 || *z != 0 || i == 0 || i + 1 == path->corner_count)
        return;
    double on_x = at[-1].x - at->x, on_z = at[-1].z - at->z, back_x = at[1].x - at->x,
           back_z = at[1].z - at->z;
    unit(&on_x, &on_z);
    unit(&back_x, &back_z);
    *x = -(on_x + back_x);
    *z = -(on_z + back_z);
}

static double length_of(tr_vec3 a, tr_vec3 b) {
    double x = (double)b.x - a.x, y = (double)b.y - a.y, z = (double)b.z - a.z;
    return sqrt(x * x + y * y + z * z);
}

bool tr_path_trace(tr_path *path, uint32_t last) {
    path->no_memory = false;
    trace(path, last);
    void *points = path->points;
    bool room = !path->no_memory && tr_reserve(&path->allocator, &points, &path->point_capacity,
                                               path->corner_count, sizeof *path->points);
    path->points = points;
    if (!room)
        return false;
    uint32_t count = 0;
    double length = 0;
    for (uint32_t i = path->corner_count; i-- > 0;) {
        const path_corner *corner = &path->corners[i];
        // Two in one place are one, unless something begins between them.
        if (corner->move == TR_PATH_WALK && count > 0 && i > 0 && !corner->exact &&
            is_near(corner->x, corner->z, corner[1].x, corner[1].z))
            continue;
        double off_x, off_z;
        outwards(path, i, &off_x, &off_z);
        path->points[count].position = place_corner(path, corner, off_x, off_z);
        path->points[count].move = (tr_path_move)corner->move;
        path->points[count].link = corner->link;
        if (count > 0)
            length += length_of(path->points[count - 1].position, path->points[count].position);
        count++;
    }
    path->result.points = path->points;
    path->result.point_count = count;
    path->result.length = length;
    path->result.cost = path->nodes[last].cost * path->ground->grid.cell;
    return true;
}
