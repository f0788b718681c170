// The search of plan/path. See path_data.h.
#include "path_queue.h"

#include "troupe/base/clock.h"

#include <math.h>
#include <string.h>

#define HAIR 1e-7 // smaller differences do not count [cells]

static double distance(double x, double z) {
    return sqrt(x * x + z * z);
}

// --- Estimates ---

// The shortest line from a root through an interval to a target, which is mirrored if it lies on the root's
// side. `across` is along the interval, `ahead` in the direction of the portal, from its line on.
static double shortest(double root_across, double root_behind, double low, double high, double across,
                       double ahead) {
    ahead = fabs(ahead);
    double both = root_behind + ahead;
    double at = both > 0 ? root_across + (across - root_across) * (root_behind / both) : root_across;
    if (at >= low && at <= high && both > 0)
        return distance(across - root_across, both);
    at = at < low ? low : at > high ? high : at;
    return distance(at - root_across, root_behind) + distance(across - at, ahead);
}

static double estimate(const tr_path *path, const path_node *node) {
    double least = INFINITY;
    bool upright = !(node->direction & 1), back = node->direction & 2;
    double behind = upright ? node->line - node->root_x : node->line - node->root_z;
    for (uint32_t i = 0; i < path->estimated; i++) {
        const path_target *target = &path->targets[i];
        double ahead = upright ? target->x - node->line : target->z - node->line;
        double length = shortest(upright ? node->root_z : node->root_x, back ? -behind : behind, node->low,
                                 node->high, upright ? target->z : target->x, ahead) +
                        target->rest + path_charge(path, node->height, target->height);
        least = length < least ? length : least;
    }
    return least;
}

// --- Nodes ---

static path_node *new_node(tr_path *path) {
    if (path->node_max && path->node_count >= path->node_max) {
        path->full = true;
        return NULL;
    }
    void *nodes = path->nodes;
    bool room = tr_reserve(&path->allocator, &nodes, &path->node_capacity, (uint64_t)path->node_count + 1,
                           sizeof *path->nodes);
    path->nodes = nodes;
    if (!room) {
        path->no_memory = true;
        return NULL;
    }
    return &path->nodes[path->node_count];
}

// Is there a cheaper way to this root, including the change of height between the two? Roots without a number
// are never worse.
static bool is_worse(tr_path *path, uint32_t root, double cost, uint16_t height) {
    if (root == TR_NONE)
        return false;
    path_root *known = &path->roots[root];
    if (known->stamp != path->stamp || cost < known->cost) {
        known->stamp = path->stamp;
        known->cost = cost;
        known->height = height;
        return false;
    }
    return cost > known->cost + path_charge(path, known->height, height) + HAIR;
}

// The point from which portals are seen: a root, how the way got there, and its cost.
typedef struct view {
    double x, z;
    double cost, root_cost;
    uint32_t root;
    uint16_t height, root_height; // up to which the costs count
    uint8_t bend;
} view;

// If the root lies on the line of a portal, everything beyond is visible only from the nearer end: the way
// follows the line to there and bends. This is useful only at corners. false: there is nothing to see.
static bool slide(const path_node *made, const ground_portal *portal, uint32_t first_vertex, view *from,
                  double *slid) {
    bool upright = !(made->direction & 1);
    double at = upright ? from->z : from->x;
    *slid = 0;
    if (at >= made->low - HAIR && at <= made->high + HAIR)
        return true;
    uint32_t end = at < made->low ? 0 : 1;
    double to = end ? portal->end : portal->begin;
    if (!(made->corners & (end ? PATH_HIGH : PATH_LOW)))
        return false;
    *slid = fabs(to - at);
    from->cost += *slid;
    from->root_cost = from->cost;
    from->root_height = portal->from;
    from->root = first_vertex + portal->vertices[end];
    if (upright)
        from->z = to;
    else
        from->x = to;
    return true;
}

// The cost of reaching a place of an interval.
static double cost_at(const path_node *node, double across) {
    bool upright = !(node->direction & 1);
    return node->cost + distance(upright ? across - node->root_z : across - node->root_x,
                                 upright ? node->line - node->root_x : node->line - node->root_z);
}

// Is all of an interval reached more cheaply by walking along the portal from a known place? The cost of a
// way grows by no more than such a walk does: if the walk is cheaper at the ends, it is cheaper between them.
static bool is_beaten(double low_cost, double high_cost, const path_node *node, double at, double cost) {
    return low_cost > cost + fabs(node->low - at) + HAIR && high_cost > cost + fabs(node->high - at) + HAIR;
}

static bool is_dominated(const tr_path *path, const path_node *node, const path_known *known, double begin,
                         double end) {
    if (known->stamp != path->stamp)
        return false;
    double low = node->low_cost, high = node->high_cost;
    return is_beaten(low, high, node, known->at, known->cost) ||
           is_beaten(low, high, node, begin, known->begin_cost) ||
           is_beaten(low, high, node, end, known->end_cost);
}

static void learn(const tr_path *path, const path_node *node, path_known *known, double begin, double end) {
    if (known->stamp != path->stamp)
        *known = (path_known){begin, INFINITY, INFINITY, INFINITY, begin, INFINITY, path->stamp};
    double root = node->direction & 1 ? node->root_x : node->root_z,
           off = node->direction & 1 ? node->root_z - node->line : node->root_x - node->line;
    if (fabs(off) <= HAIR && node->cost < known->through_cost) {
        known->through = root;
        known->through_cost = node->cost;
    }
    double at = root, cost = node->cost + fabs(off);
    if (root < node->low || root > node->high) {
        at = root < node->low ? node->low : node->high;
        cost = root < node->low ? node->low_cost : node->high_cost;
    }
    if (cost < known->cost) {
        known->cost = cost;
        known->at = at;
    }
    double low = node->low_cost + (node->low - begin), high = node->high_cost + (end - node->high);
    known->begin_cost = low < known->begin_cost ? low : known->begin_cost;
    known->end_cost = high < known->end_cost ? high : known->end_cost;
}

// A root on the portal sees everything behind it: once is enough. Without this test a way could go round a
// corner again and again.
static bool was_through(const tr_path *path, const path_node *node, const path_known *known) {
    double across = node->direction & 1 ? node->root_x : node->root_z,
           off = node->direction & 1 ? node->root_z - node->line : node->root_x - node->line;
    return fabs(off) <= HAIR && known->stamp == path->stamp && fabs(known->through - across) <= HAIR &&
           node->cost >= known->through_cost - HAIR;
}

// The part of a portal that is visible between two places of its side becomes a node.
static void see_portal(tr_path *path, uint32_t parent, uint32_t tile, uint32_t direction, double line,
                       const ground_portal *portal, view from, double begin, double end) {
    path_node *made = new_node(path);
    if (!made)
        return;
    uint32_t first_vertex = path->size->tiles[tile].first_vertex,
             number =
                 path->size->tiles[tile].first_portal + (uint32_t)(portal - path->size->tiles[tile].portals);
    path_known *known = &path->known[number];
    bool at_begin = begin <= portal->begin + HAIR, at_end = end >= portal->end - HAIR;
    memset(made, 0, sizeof *made);
    made->parent = parent;
    made->kind = PATH_PORTAL;
    made->direction = (uint8_t)direction;
    made->steps = portal->steps;
    made->before = portal->from;
    made->height = portal->to;
    made->tile = portal->tile;
    made->rect = portal->rect;
    made->bend = from.bend;
    made->low = at_begin ? portal->begin : begin;
    made->high = at_end ? portal->end : end;
    uint32_t corners = path->up > 0 || path->down > 0 ? portal->corners : portal->corners >> 2u;
    made->corners =
        (uint8_t)((at_begin && (corners & 1) ? PATH_LOW : 0) | (at_end && (corners & 2) ? PATH_HIGH : 0));
    made->ends[0] = first_vertex + portal->vertices[0];
    made->ends[1] = first_vertex + portal->vertices[1];
    if (made->high - made->low <= HAIR)
        return;
    from.cost += path_charge(path, from.height, portal->from);
    double slid, off = fabs((direction & 1 ? from.z : from.x) - line);
    if (off <= HAIR && !slide(made, portal, first_vertex, &from, &slid))
        return;
    if (is_worse(path, from.root, from.root_cost, from.root_height))
        return;
    double leap = portal->steps - 1, sign = direction & 2 ? -1 : 1;
    made->entry = leap + path_charge(path, portal->from, portal->to);
    made->cost = from.cost + made->entry;
    made->root_cost = from.root_cost;
    made->root = from.root;
    made->root_height = from.root_height;
    made->root_x = from.x + (direction & 1 ? 0 : sign * leap);
    made->root_z = from.z + (direction & 1 ? sign * leap : 0);
    made->line = line + sign * leap;
    made->portal = number;
    made->low_cost = cost_at(made, made->low);
    made->high_cost = cost_at(made, made->high);
    if (is_dominated(path, made, known, portal->begin, portal->end) || was_through(path, made, known))
        return;
    learn(path, made, known, portal->begin, portal->end);
    path->result.counters.generated++;
    path_entry entry = {made->cost + estimate(path, made), path->node_count};
    path->node_count++;
    if (!push(path, entry))
        path->no_memory = true;
}

// All portals of a side, as far as they are visible between two places of it.
static void see_side(tr_path *path, uint32_t parent, uint32_t tile, uint32_t rect, uint32_t direction,
                     const view *from, double begin, double end) {
    const size_tile *of = &path->size->tiles[tile];
    const ground_rect *at = &of->rects[rect];
    const ground_portal *portals = of->portals + at->portals,
                        *portal = portals + (direction ? at->sides[direction - 1] : 0),
                        *last = portals + at->sides[direction];
    double line = direction == 0 ? at->x1 : direction == 1 ? at->z1 : direction == 2 ? at->x0 : at->z0;
    for (; portal < last && portal->begin < end; portal++)
        if (portal->end > begin)
            see_portal(path, parent, tile, direction, line, portal, *from, begin, end);
}

// --- Targets ---

static void see_target(tr_path *path, uint32_t parent, uint32_t number, double cost, uint8_t bend) {
    path_node *made = new_node(path);
    if (!made)
        return;
    memset(made, 0, sizeof *made);
    made->parent = parent;
    made->kind = PATH_TARGET;
    made->bend = bend;
    made->target = number;
    made->cost = cost;
    made->tile = path->targets[number].tile;
    made->rect = path->targets[number].rect;
    made->height = path->targets[number].height;
    path_entry entry = {cost + path->targets[number].rest, path->node_count++};
    if (!push(path, entry))
        path->no_memory = true;
}

// --- Expansion ---

// A rectangle as it is entered: `across` along the interval, `ahead` from its line on.
typedef struct entry_frame {
    double low, high;                      // of the interval
    double root, behind;                   // the root: across, and how far behind the line
    double left, right, far;               // the rectangle: across, and how far ahead it ends
    uint32_t ahead, left_side, right_side; // directions
    double sign, line;                     // of `ahead` in the world
    bool upright;                          // the interval runs along z
} entry_frame;

static entry_frame frame_of(const tr_path *path, const path_node *node) {
    const ground_rect *rect = &path->size->tiles[node->tile].rects[node->rect];
    entry_frame f = {.low = node->low, .high = node->high, .ahead = node->direction, .line = node->line};
    f.upright = !(node->direction & 1);
    f.sign = node->direction & 2 ? -1 : 1;
    f.root = f.upright ? node->root_z : node->root_x;
    f.behind = f.sign * (node->line - (f.upright ? node->root_x : node->root_z));
    f.behind = f.behind > HAIR ? f.behind : 0;
    f.left = f.upright ? rect->z0 : rect->x0;
    f.right = f.upright ? rect->z1 : rect->x1;
    f.left_side = f.upright ? 3 : 2;
    f.right_side = f.upright ? 1 : 0;
    double end = node->direction == 0   ? rect->x1
                 : node->direction == 1 ? rect->z1
                 : node->direction == 2 ? rect->x0
                                        : rect->z0;
    f.far = f.sign * (end - node->line);
    return f;
}

// The side at one of the two flanks between two distances ahead.
static void see_flank(tr_path *path, uint32_t number, const entry_frame *f, bool right, const view *from,
                      double begin, double end) {
    const path_node *node = &path->nodes[number];
    double a = f->line + f->sign * begin, b = f->line + f->sign * end;
    if (end - begin > HAIR)
        see_side(path, number, node->tile, node->rect, right ? f->right_side : f->left_side, from,
                 a < b ? a : b, a < b ? b : a);
}

static void see_ahead(tr_path *path, uint32_t number, const entry_frame *f, const view *from, double begin,
                      double end) {
    const path_node *node = &path->nodes[number];
    begin = begin > f->left ? begin : f->left;
    end = end < f->right ? end : f->right;
    if (end - begin > HAIR)
        see_side(path, number, node->tile, node->rect, f->ahead, from, begin, end);
}

// The side by which the rectangle was entered, left and right of the interval: a way may turn back around
// what lies between.
static void see_behind(tr_path *path, uint32_t number, const entry_frame *f, const view *from, bool right) {
    const path_node *node = &path->nodes[number];
    see_side(path, number, node->tile, node->rect, f->ahead ^ 2, from, right ? f->high : f->left,
             right ? f->right : f->low);
}

// Where the ray from the root through a place of the interval meets the far end, and how far ahead it meets a
// flank.
static double at_far(const entry_frame *f, double through) {
    if (f->behind > 0)
        return through + (through - f->root) * (f->far / f->behind);
    double side = through - f->root; // the root is on the interval: the ray runs along it
    return side < -HAIR ? -INFINITY : side > HAIR ? INFINITY : through;
}
static double at_flank(const entry_frame *f, double through, double flank) {
    double side = through - f->root, ahead = fabs(side) > 0 ? f->behind * (flank - through) / side : 0;
    return ahead < 0 ? 0 : ahead > f->far ? f->far : ahead;
}

// What is visible from the root itself. A root on the interval sees everything.
static void see_straight(tr_path *path, uint32_t number, const entry_frame *f, const view *from) {
    bool all = f->behind <= 0;
    double low = all ? -INFINITY : at_far(f, f->low), high = all ? INFINITY : at_far(f, f->high);
    see_ahead(path, number, f, from, low, high);
    if (all) {
        see_behind(path, number, f, from, false);
        see_behind(path, number, f, from, true);
    }
    bool on_left = fabs(f->root - f->left) <= HAIR && f->low <= f->left + HAIR,
         on_right = fabs(f->root - f->right) <= HAIR && f->high >= f->right - HAIR;
    if (low < f->left || on_left)
        see_flank(path, number, f, false, from, all || on_left ? 0 : at_flank(f, f->low, f->left),
                  high < f->left ? at_flank(f, f->high, f->left) : f->far);
    if (high > f->right || on_right)
        see_flank(path, number, f, true, from, all || on_right ? 0 : at_flank(f, f->high, f->right),
                  low > f->right ? at_flank(f, f->low, f->right) : f->far);
}

// A view from an end of the interval: the way bends there.
static view bend_at(const path_node *node, const entry_frame *f, uint8_t end) {
    double across = end == PATH_LOW ? f->low : f->high, way = distance(across - f->root, f->behind);
    view from = {.cost = node->cost + way,
                 .root_cost = node->cost - node->entry + way,
                 .height = node->height,
                 .root_height = node->before,
                 .root = node->ends[end == PATH_HIGH],
                 .bend = end};
    from.x = f->upright ? f->line : across;
    from.z = f->upright ? across : f->line;
    return from;
}

// What is hidden from the root, to the left of its ray through the low end.
static void see_left(tr_path *path, uint32_t number, const entry_frame *f, const view *from) {
    double far = at_far(f, f->low);
    see_ahead(path, number, f, from, -INFINITY, far);
    see_behind(path, number, f, from, false);
    see_flank(path, number, f, false, from, 0, far < f->left ? at_flank(f, f->low, f->left) : f->far);
    if (far > f->right)
        see_flank(path, number, f, true, from, at_flank(f, f->low, f->right), f->far);
}

static void see_right(tr_path *path, uint32_t number, const entry_frame *f, const view *from) {
    double far = at_far(f, f->high);
    see_ahead(path, number, f, from, far, INFINITY);
    see_behind(path, number, f, from, true);
    see_flank(path, number, f, true, from, 0, far > f->right ? at_flank(f, f->high, f->right) : f->far);
    if (far < f->left)
        see_flank(path, number, f, false, from, at_flank(f, f->high, f->left), f->far);
}

// Targets in the rectangle: straight on, or around an end of the interval.
static void see_targets(tr_path *path, uint32_t number, const entry_frame *f) {
    for (uint32_t i = 0; i < path->target_count; i++) {
        const path_node *node = &path->nodes[number];
        const path_target *target = &path->targets[i];
        if (target->tile != node->tile || target->rect != node->rect)
            continue;
        double cost = node->cost + path_charge(path, node->height, target->height);
        double across = f->upright ? target->z : target->x,
               ahead = f->sign * ((f->upright ? target->x : target->z) - f->line);
        ahead = ahead > 0 ? ahead : 0;
        double both = f->behind + ahead,
               at = both > 0 ? f->root + (across - f->root) * (f->behind / both) : f->root;
        if (at >= f->low - HAIR && at <= f->high + HAIR)
            see_target(path, number, i, cost + distance(across - f->root, both), 0);
        else if (at < f->low && (node->corners & PATH_LOW))
            see_target(path, number, i,
                       cost + distance(f->low - f->root, f->behind) + distance(across - f->low, ahead),
                       PATH_LOW);
        else if (at > f->high && (node->corners & PATH_HIGH))
            see_target(path, number, i,
                       cost + distance(f->high - f->root, f->behind) + distance(across - f->high, ahead),
                       PATH_HIGH);
    }
}

static void expand_portal(tr_path *path, uint32_t number) {
    path_node node = path->nodes[number];
    const path_known *known = &path->known[node.portal];
    if (is_beaten(node.low_cost, node.high_cost, &node, known->at, known->cost))
        return;
    entry_frame f = frame_of(path, &node);
    view straight = {.x = node.root_x,
                     .z = node.root_z,
                     .cost = node.cost,
                     .root_cost = node.root_cost,
                     .height = node.height,
                     .root_height = node.root_height,
                     .root = node.root};
    see_targets(path, number, &f);
    see_straight(path, number, &f, &straight);
    if (f.behind <= 0)
        return; // it sees everything
    if (node.corners & PATH_LOW) {
        view low = bend_at(&node, &f, PATH_LOW);
        if (!is_worse(path, low.root, low.root_cost, low.root_height))
            see_left(path, number, &f, &low);
    }
    if (node.corners & PATH_HIGH) {
        view high = bend_at(&node, &f, PATH_HIGH);
        if (!is_worse(path, high.root, high.root_cost, high.root_height))
            see_right(path, number, &f, &high);
    }
}

// Everything around a point.
static void expand_start(tr_path *path, uint32_t number) {
    path_node node = path->nodes[number];
    view from = {.x = node.root_x,
                 .z = node.root_z,
                 .cost = node.cost,
                 .root_cost = node.cost,
                 .root = TR_NONE,
                 .height = node.height,
                 .root_height = node.height};
    for (uint32_t i = 0; i < path->target_count; i++)
        if (path->targets[i].tile == node.tile && path->targets[i].rect == node.rect)
            see_target(path, number, i,
                       node.cost + path_charge(path, node.height, path->targets[i].height) +
                           distance(path->targets[i].x - from.x, path->targets[i].z - from.z),
                       0);
    for (uint32_t direction = 0; direction < 4; direction++)
        see_side(path, number, node.tile, node.rect, direction, &from, -INFINITY, INFINITY);
}

static void add_start(tr_path *path, uint32_t parent, uint32_t link, double x, double z, uint32_t tile,
                      uint16_t rect, uint16_t height, double cost) {
    path_node *made = new_node(path);
    if (!made)
        return;
    memset(made, 0, sizeof *made);
    *made = (path_node){.kind = PATH_START,
                        .parent = parent,
                        .root = TR_NONE,
                        .target = link,
                        .root_x = x,
                        .root_z = z,
                        .tile = tile,
                        .rect = rect,
                        .height = height,
                        .cost = cost,
                        .root_cost = cost};
    // The rest of the way is only known to be at least as long as a straight line.
    double rest = INFINITY;
    for (uint32_t i = 0; i < path->estimated; i++) {
        double length = distance(path->targets[i].x - x, path->targets[i].z - z) + path->targets[i].rest +
                        path_charge(path, height, path->targets[i].height);
        rest = length < rest ? length : rest;
    }
    path_entry entry = {cost + rest, path->node_count++};
    if (!push(path, entry))
        path->no_memory = true;
}

// Takes a link whose start was reached.
static void take_link(tr_path *path, uint32_t number) {
    const path_node *node = &path->nodes[number];
    path_target *target = &path->targets[node->target];
    if (target->taken)
        return;
    target->taken = true;
    const ground_end *end = &path->size->ends[target->link][target->backwards ? 0 : 1];
    const tr_grid *grid = &path->ground->grid;
    double cost = node->cost + path->ground->links[target->link].cost / grid->cell;
    add_start(path, number, target->link, ((double)end->position.x - grid->origin.x) / grid->cell,
              ((double)end->position.z - grid->origin.z) / grid->cell, end->tile, end->rect, end->height,
              cost);
}

static bool is_spent(const tr_search_budget *budget, uint64_t expanded, uint64_t begun) {
    if (budget->expansions && expanded >= budget->expansions)
        return true;
    return budget->microseconds && expanded % 64 == 63 &&
           tr_clock_nanoseconds() - begun >= budget->microseconds * 1000;
}

// Resets the state of the last search.
static bool begin(tr_path *path) {
    path->node_count = path->heap_count = 0;
    path->hand.node = TR_NONE;
    path->no_memory = path->full = false;
    memset(&path->result.counters, 0, sizeof path->result.counters);
    if (!tr_path_make_room(path, path->size->vertex_total, path->size->portal_total))
        return false;
    if (path->stamp == UINT32_MAX)
        tr_path_forget_stamps(path);
    path->stamp++;
    return true;
}

tr_status tr_path_search(tr_path *path, double x, double z, uint32_t tile, uint16_t rect, uint16_t height,
                         tr_search_budget budget, uint32_t *last) {
    *last = TR_NONE;
    if (!begin(path))
        return TR_OUT_OF_MEMORY;
    tr_search_counters *counters = &path->result.counters;
    uint64_t begun = budget.microseconds ? tr_clock_nanoseconds() : 0;
    double nearest = INFINITY;
    add_start(path, TR_NONE, TR_NONE, x, z, tile, rect, height, 0);
    while (count_waiting(path) > 0 && !path->no_memory && !path->full) {
        if (is_spent(&budget, counters->expanded, begun))
            break;
        path_entry entry = pop(path);
        const path_node *node = &path->nodes[entry.node];
        counters->expanded++;
        if (entry.total - node->cost < nearest) {
            nearest = entry.total - node->cost;
            *last = entry.node;
        }
        if (node->kind == PATH_TARGET && path->targets[node->target].goal != TR_NONE) {
            *last = entry.node;
            counters->waiting = count_waiting(path);
            return TR_OK;
        }
        if (node->kind == PATH_TARGET)
            take_link(path, entry.node);
        else if (node->kind == PATH_START)
            expand_start(path, entry.node);
        else if (!is_worse(path, node->root, node->root_cost, node->root_height))
            expand_portal(path, entry.node);
    }
    counters->waiting = count_waiting(path);
    if (path->no_memory)
        return TR_OUT_OF_MEMORY;
    return count_waiting(path) > 0 || path->full ? TR_PARTIAL : TR_NOT_FOUND;
}
