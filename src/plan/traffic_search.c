// Planning by safe stays. At a place somebody can stand from when the last one has passed until the next one
// comes: such a stay is a node, whatever the moment of arrival, and to arrive early is never worse. So a cell
// has a few nodes instead of one for each moment, and waiting needs none. A move begins as soon as it meets
// nobody; when it is in somebody's way, when that one has passed.
#include "traffic_search.h"
#include "troupe/base/clock.h"

#include <string.h>

#define SLACK 1e-6     // kept from the ends of stays [s]
#define TRIES_MAX 1024 // of departures for one move
#define NEAR_STRIDES 2 // from so many moves away the goal is walked to directly

void tr_traffic_search_release(tr_traffic *traffic) {
    const tr_allocator *memory = &traffic->allocator;
    tr_release(memory, traffic->nodes, traffic->nodes_max, sizeof *traffic->nodes);
    tr_release(memory, traffic->heap, traffic->nodes_max, sizeof *traffic->heap);
    tr_release(memory, traffic->slots, traffic->slot_count, sizeof *traffic->slots);
    tr_release(memory, traffic->bends, TR_TRAFFIC_BENDS_MAX, sizeof *traffic->bends);
    tr_release(memory, traffic->points, TR_TRAFFIC_BENDS_MAX, sizeof *traffic->points);
    traffic->nodes = NULL;
    traffic->heap = traffic->slots = NULL;
    traffic->bends = NULL;
    traffic->points = NULL;
    traffic->nodes_max = traffic->slot_count = 0;
}

bool tr_traffic_search_reserve(tr_traffic *traffic, uint32_t nodes_max) {
    if (traffic->nodes_max == nodes_max)
        return true;
    tr_traffic_search_release(traffic);
    const tr_allocator *memory = &traffic->allocator;
    traffic->nodes_max = nodes_max;
    traffic->slot_count = 64;
    while (traffic->slot_count < 2 * nodes_max)
        traffic->slot_count *= 2;
    traffic->nodes = tr_allocate(memory, nodes_max, sizeof *traffic->nodes);
    traffic->heap = tr_allocate(memory, nodes_max, sizeof *traffic->heap);
    traffic->slots = tr_allocate(memory, traffic->slot_count, sizeof *traffic->slots);
    traffic->bends = tr_allocate(memory, TR_TRAFFIC_BENDS_MAX, sizeof *traffic->bends);
    traffic->points = tr_allocate(memory, TR_TRAFFIC_BENDS_MAX, sizeof *traffic->points);
    if (traffic->nodes && traffic->heap && traffic->slots && traffic->bends && traffic->points)
        return true;
    tr_traffic_search_release(traffic);
    return false;
}

tr_vec3 tr_traffic_position(const traffic_quest *quest, const tr_climb_place *place) {
    const tr_climb *climb = quest->climb;
    if (place->cell == quest->start.cell)
        return quest->start_position;
    if (place->cell == quest->goal.cell)
        return quest->goal_position;
    tr_vec2 centre = tr_grid_centre(&climb->grid, place->column, place->row);
    return tr_vec3_make(centre.x, (float)(climb->scale.bottom + place->height * climb->scale.unit), centre.z);
}

climb_spot tr_traffic_spot(const traffic_quest *quest, const tr_climb_place *place) {
    return place->cell == quest->start.cell  ? quest->start_spot
           : place->cell == quest->goal.cell ? quest->goal_spot
                                             : climb_spot_centre(place->column, place->row, place->cell);
}

static double straight_length(tr_vec3 from, tr_vec3 to) {
    double dx = (double)to.x - from.x, dy = (double)to.y - from.y, dz = (double)to.z - from.z;
    return sqrt(dx * dx + dy * dy + dz * dz);
}

static double walking_time(const traffic_quest *quest, tr_vec3 from, tr_vec3 to, double up, double down) {
    double rise = (double)to.y - from.y;
    return (straight_length(from, to) + (rise > 0 ? up * rise : -down * rise)) / quest->params->speed;
}

double tr_traffic_time(const traffic_quest *quest, tr_vec3 from, tr_vec3 to) {
    return walking_time(quest, from, to, quest->params->climb.up, quest->params->climb.down);
}

static uint32_t apart(uint32_t a, uint32_t b) {
    return a > b ? a - b : b - a;
}

static uint32_t cells_apart(uint32_t column, uint32_t row, const tr_climb_place *place) {
    uint32_t dx = apart(column, place->column), dz = apart(row, place->row);
    return dx > dz ? dx : dz;
}

bool tr_traffic_may_enter(const traffic_quest *quest, uint32_t cell, uint32_t column, uint32_t row) {
    return quest->border_is_open || tr_climb_is_free(quest->climb, cell) ||
           cells_apart(column, row, &quest->start) < quest->near_start ||
           cells_apart(column, row, &quest->goal) < quest->near_goal;
}

void tr_traffic_note_block(traffic_quest *quest, uint32_t track, double left) {
    if (left < quest->blocked_left) {
        quest->blocked_left = left;
        quest->blocked_by = track;
    }
}

// Of equal totals the one furthest on its way comes first.
static bool comes_before(const traffic_node *nodes, uint32_t a, uint32_t b) {
    double total_a = nodes[a].time + nodes[a].left, total_b = nodes[b].time + nodes[b].left;
    if (total_a != total_b)
        return total_a < total_b;
    return nodes[a].time != nodes[b].time ? nodes[a].time > nodes[b].time : a < b;
}

static void heap_put(tr_traffic *traffic, uint32_t place, uint32_t node) {
    traffic->heap[place] = node;
    traffic->nodes[node].place = place;
}

static void heap_rise(tr_traffic *traffic, uint32_t place, uint32_t node) {
    while (place > 0 && comes_before(traffic->nodes, node, traffic->heap[(place - 1) / 2])) {
        heap_put(traffic, place, traffic->heap[(place - 1) / 2]);
        place = (place - 1) / 2;
    }
    heap_put(traffic, place, node);
}

static uint32_t heap_pop(tr_traffic *traffic) {
    uint32_t first = traffic->heap[0], last = traffic->heap[--traffic->heap_count], place = 0, child;
    for (; (child = 2 * place + 1) < traffic->heap_count; place = child) {
        child += child + 1 < traffic->heap_count &&
                 comes_before(traffic->nodes, traffic->heap[child + 1], traffic->heap[child]);
        if (!comes_before(traffic->nodes, traffic->heap[child], last))
            break;
        heap_put(traffic, place, traffic->heap[child]);
    }
    if (traffic->heap_count)
        heap_put(traffic, place, last);
    traffic->nodes[first].place = TR_NONE;
    return first;
}

static double estimate(const traffic_quest *quest, tr_vec3 from) {
    const tr_climb_params *climb = &quest->params->climb;
    // A lift saves the effort of rising, but is no faster than walking.
    return quest->has_links ? walking_time(quest, from, quest->goal_position, 0, 0)
                            : walking_time(quest, from, quest->goal_position, climb->up, climb->down);
}

static bool add_stay(traffic_quest *quest, const traffic_node *like, double begin, double end) {
    tr_traffic *traffic = quest->traffic;
    if (traffic->node_count == traffic->nodes_max)
        return false;
    traffic_node *node = traffic->nodes + traffic->node_count++;
    *node = *like;
    node->begin = begin;
    node->end = end;
    return true;
}

// The stays at a cell: whatever is left between the contacts.
static bool add_stays(traffic_quest *quest, const tr_climb_place *place) {
    tr_traffic *traffic = quest->traffic;
    tr_vec3 position = tr_traffic_position(quest, place);
    uint32_t first = traffic->node_count;
    traffic_node like = {.time = INFINITY,
                         .left = estimate(quest, position),
                         .parent = TR_NONE,
                         .place = TR_NONE,
                         .cell = place->cell,
                         .column = place->column,
                         .row = place->row,
                         .height = place->height,
                         .room = place->room};
    double since = quest->params->begin;
    tr_traffic_contacts(traffic, position, quest->radius, quest->height, since);
    for (uint32_t i = 0; i < traffic->contact_count; i++) {
        const traffic_contact *contact = traffic->contacts + i;
        if (contact->begin - SLACK > since && !add_stay(quest, &like, since, contact->begin - SLACK))
            return false;
        if (!isfinite(contact->end))
            tr_traffic_note_block(quest, contact->track, like.left);
        since = contact->end + SLACK;
    }
    if (isfinite(since) && !add_stay(quest, &like, since, INFINITY))
        return false;
    if (traffic->node_count == first && !add_stay(quest, &like, INFINITY, -INFINITY))
        return false;
    traffic->nodes[first].stays = traffic->node_count - first;
    return true;
}

// The first node of a cell, made where there is none; TR_NONE: no room.
static uint32_t node_of(traffic_quest *quest, const tr_climb_place *place) {
    tr_traffic *traffic = quest->traffic;
    uint32_t mask = traffic->slot_count - 1, slot = (place->cell * 0x9e3779b1u >> 7) & mask;
    for (; traffic->slots[slot] != TR_NONE; slot = (slot + 1) & mask)
        if (traffic->nodes[traffic->slots[slot]].cell == place->cell)
            return traffic->slots[slot];
    uint32_t first = traffic->node_count;
    if (!add_stays(quest, place)) {
        traffic->node_count = first;
        return TR_NONE;
    }
    traffic->slots[slot] = first;
    return first;
}

// From one place to another: straight, or over ground that is not, in several pieces.
typedef struct traffic_stride {
    traffic_bend from, to;
    double duration;
    bool is_straight;
} traffic_stride;

static traffic_stride stride_between(const traffic_quest *quest, const tr_climb_place *from,
                                     const tr_climb_place *to) {
    traffic_stride stride = {
        .from = {.spot = tr_traffic_spot(quest, from), .position = tr_traffic_position(quest, from)},
        .to = {.spot = tr_traffic_spot(quest, to), .position = tr_traffic_position(quest, to)}};
    return stride;
}

// The piece that is met, TR_NONE for none; `depart` becomes the departure that lets it pass.
static uint32_t meet(const traffic_quest *quest, const traffic_stride *stride, double *depart) {
    const tr_traffic *traffic = quest->traffic;
    uint32_t met;
    if (!stride->is_straight) {
        double time;
        met = tr_traffic_walk_leg(quest, &stride->from, &stride->to, *depart, &time);
        *depart = met == TR_NONE ? *depart : time;
        return met;
    }
    traffic_move move = {stride->from.position, stride->to.position, stride->duration, quest->radius,
                         quest->height};
    met = tr_traffic_meet(traffic, &move, *depart);
    *depart = met == TR_NONE ? *depart : tr_traffic_pass(traffic->pieces + met, &move, *depart);
    return met;
}

// The earliest departure from `depart` on at which the move meets nobody; TR_TRAFFIC_NEVER beyond `latest`.
static double find_departure(traffic_quest *quest, const traffic_stride *stride, double depart, double latest,
                             double left) {
    for (uint32_t i = 0; i < TRIES_MAX && depart <= latest; i++) {
        uint32_t met = meet(quest, stride, &depart);
        if (met == TR_NONE)
            return depart;
        if (!(depart <= latest))
            tr_traffic_note_block(quest, quest->traffic->pieces[met].track, left);
    }
    return TR_TRAFFIC_NEVER;
}

// A move from a node to a place, into each of its stays. false: no room for more nodes.
static bool relax(traffic_quest *quest, uint32_t from, const tr_climb_place *to, const traffic_stride *stride,
                  uint8_t link) {
    tr_traffic *traffic = quest->traffic;
    uint32_t first = node_of(quest, to);
    if (first == TR_NONE)
        return false;
    const traffic_node *a = traffic->nodes + from;
    double patience = a->time + quest->params->wait_max - a->waited, duration = stride->duration;
    for (uint32_t i = first; i < first + traffic->nodes[first].stays; i++) {
        traffic_node *b = traffic->nodes + i;
        double earliest = a->time > b->begin - duration ? a->time : b->begin - duration;
        double latest = a->end < b->end - duration ? a->end : b->end - duration;
        latest = latest < patience ? latest : patience;
        if (b->closed || !(earliest <= latest) || !(earliest + duration < b->time))
            continue;
        double depart = find_departure(quest, stride, earliest, latest, b->left);
        if (!(depart + duration < b->time))
            continue;
        b->time = depart + duration;
        b->waited = a->waited + (depart - a->time);
        b->depart = depart;
        b->parent = from;
        b->link = link;
        b->leaps = stride->to.leaps;
        heap_rise(traffic, b->place == TR_NONE ? traffic->heap_count++ : b->place, i);
    }
    return true;
}

static bool is_on_lattice(const traffic_quest *quest, uint32_t a, uint32_t b) {
    return apart(a, b) % quest->stride == 0;
}

// What is met on a move: a gap, or nothing but floor at the height where it begins.
typedef struct stride_floor {
    bool leaps, is_level;
} stride_floor;

// A move in one of the four directions, to where the next nodes are.
static bool stride_straight(const traffic_quest *quest, const tr_climb_place *from, uint32_t direction,
                            tr_climb_place *to, stride_floor *floor) {
    tr_climb_place at = *from;
    uint32_t steps_most = quest->stride + quest->climb->span + 1;
    *floor = (stride_floor){.is_level = true};
    for (uint32_t i = 0; i < steps_most; i++) {
        uint32_t steps = tr_climb_step(quest->climb, &at, direction, to);
        if (steps == 0 || !tr_traffic_may_enter(quest, to->cell, to->column, to->row))
            return false;
        floor->leaps |= steps > 1;
        floor->is_level &= to->height == from->height;
        at = *to;
        if (direction & 1 ? is_on_lattice(quest, at.row, quest->start.row)
                          : is_on_lattice(quest, at.column, quest->start.column))
            return true;
    }
    return false;
}

static bool stride_diagonal(const traffic_quest *quest, const tr_climb_place *from, int32_t along_x,
                            int32_t along_z, tr_climb_place *to, stride_floor *floor) {
    tr_climb_place at = *from;
    *floor = (stride_floor){.is_level = true};
    for (uint32_t i = 0; i < quest->stride; i++) {
        if (!tr_climb_diagonal(quest->climb, &at, along_x, along_z, to) ||
            !tr_traffic_may_enter(quest, to->cell, to->column, to->row))
            return false;
        floor->is_level &= to->height == from->height;
        at = *to;
    }
    return true;
}

static bool sees(const traffic_quest *quest, const tr_climb_place *from, const tr_climb_place *to) {
    climb_spot a = tr_traffic_spot(quest, from), b = tr_traffic_spot(quest, to);
    climb_walk w = climb_walk_begin(quest->climb, &a, b.x, b.z);
    while (climb_walk_step(&w))
        if (!tr_traffic_may_enter(quest, w.at.cell, w.at.column, w.at.row))
            return false;
    return !w.blocked && w.at.cell == to->cell;
}

static bool is_end(const traffic_quest *quest, const tr_climb_place *place) {
    return place->cell == quest->start.cell || place->cell == quest->goal.cell;
}

// Between the middles of cells a move over level floor is straight; from or to a place beside them it touches
// other cells than those that were looked at.
static bool walk_to(traffic_quest *quest, uint32_t node, const tr_climb_place *from, const tr_climb_place *to,
                    stride_floor floor) {
    traffic_stride stride = stride_between(quest, from, to);
    uint32_t pieces = 1;
    stride.duration = tr_traffic_time(quest, stride.from.position, stride.to.position);
    stride.to.duration = stride.duration;
    stride.to.leaps = floor.leaps;
    if (!floor.leaps && (!floor.is_level || is_end(quest, from) || is_end(quest, to)))
        stride.duration = tr_traffic_leg_time(quest, &stride.from, &stride.to, &pieces);
    stride.is_straight = pieces == 1;
    return relax(quest, node, to, &stride, 0);
}

static bool follow_link(traffic_quest *quest, uint32_t node, const tr_climb_place *from, uint32_t link) {
    const tr_climb *climb = quest->climb;
    const tr_climb_ends *ends = climb->ends + link;
    bool on = ends->from.cell == from->cell,
         back = ends->to.cell == from->cell && climb->links[link].both_ways;
    if (!tr_climb_link_is_open(climb, &quest->params->climb, link) || (!on && !back))
        return true;
    const tr_climb_place *to = on ? &ends->to : &ends->from;
    if (to->cell == TR_NONE || to->cell == from->cell)
        return true;
    traffic_stride stride = stride_between(quest, from, to);
    double length = straight_length(stride.from.position, stride.to.position),
           cost = climb->links[link].cost > length ? climb->links[link].cost : length;
    stride.to.leaps = stride.is_straight = true;
    stride.duration = cost / quest->params->speed;
    return relax(quest, node, to, &stride, (uint8_t)(link + 1));
}

static bool expand(traffic_quest *quest, uint32_t node) {
    const traffic_node *n = quest->traffic->nodes + node;
    tr_climb_place from = {n->cell, n->column, n->row, n->height, n->room}, to;
    const stride_floor unknown = {false, false};
    stride_floor floor;
    bool room = true;
    for (uint32_t k = 0; k < 4 && room; k++) {
        if (stride_straight(quest, &from, k, &to, &floor))
            room = walk_to(quest, node, &from, &to, floor);
        if (room && stride_diagonal(quest, &from, k & 1 ? 1 : -1, k & 2 ? 1 : -1, &to, &floor))
            room = walk_to(quest, node, &from, &to, floor);
    }
    for (uint32_t i = 0; i < quest->special_count && room; i++) {
        const tr_climb_place *special = quest->specials + i;
        if (special->cell != from.cell &&
            cells_apart(from.column, from.row, special) <= NEAR_STRIDES * quest->stride &&
            sees(quest, &from, special))
            room = walk_to(quest, node, &from, special, unknown);
    }
    for (uint32_t i = 0; i < quest->climb->link_count && room && quest->has_links; i++)
        room = follow_link(quest, node, &from, i);
    return room;
}

static void set_specials(traffic_quest *quest) {
    const tr_climb *climb = quest->climb;
    quest->special_count = 0;
    quest->has_links = false;
    quest->specials[quest->special_count++] = quest->goal;
    for (uint32_t i = 0; i < climb->link_count; i++) {
        if (!tr_climb_link_is_open(climb, &quest->params->climb, i))
            continue;
        quest->has_links = true;
        if (climb->ends[i].from.cell != TR_NONE)
            quest->specials[quest->special_count++] = climb->ends[i].from;
        if (climb->links[i].both_ways && climb->ends[i].to.cell != TR_NONE)
            quest->specials[quest->special_count++] = climb->ends[i].to;
    }
}

static bool begin(traffic_quest *quest) {
    tr_traffic *traffic = quest->traffic;
    traffic->node_count = traffic->heap_count = 0;
    memset(traffic->slots, 0xff, traffic->slot_count * sizeof *traffic->slots); // TR_NONE
    set_specials(quest);
    quest->found = quest->nearest = TR_NONE;
    uint32_t goal = node_of(quest, &quest->goal),
             first = goal == TR_NONE ? TR_NONE : node_of(quest, &quest->start);
    if (first == TR_NONE)
        return false;
    traffic_node *start = traffic->nodes + first;
    if (start->begin <= quest->params->begin) {
        start->time = quest->params->begin;
        heap_rise(traffic, traffic->heap_count++, first);
    }
    return true;
}

static bool budget_is_spent(const traffic_quest *quest) {
    tr_search_budget budget = quest->params->climb.budget;
    if (budget.expansions && quest->expanded >= budget.expansions)
        return true;
    return budget.microseconds && quest->expanded % 64 == 63 &&
           (tr_clock_nanoseconds() - quest->clock_begin) / 1000 >= budget.microseconds;
}

tr_status tr_traffic_search_run(traffic_quest *quest) {
    tr_traffic *traffic = quest->traffic;
    if (!begin(quest))
        return TR_PARTIAL;
    while (traffic->heap_count) {
        if (budget_is_spent(quest))
            return TR_PARTIAL;
        uint32_t node = heap_pop(traffic);
        traffic_node *n = traffic->nodes + node;
        n->closed = true;
        quest->expanded++;
        if (quest->nearest == TR_NONE || n->left < traffic->nodes[quest->nearest].left)
            quest->nearest = node;
        if (n->cell == quest->goal.cell && !isfinite(n->end)) {
            quest->found = node;
            return TR_OK;
        }
        if (!expand(quest, node))
            return TR_PARTIAL;
    }
    return TR_NOT_FOUND;
}
