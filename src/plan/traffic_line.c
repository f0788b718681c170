// The way as bends with times. A leg between two bends is straight seen from above and follows the ground: it
// is taken apart where the height leaves the straight line, so that nobody on another storey is met and
// nobody on the stairs is missed.
#include "traffic_search.h"

#define HEIGHT_OFF 0.1   // the cylinder's lower end is off the ground by so much at most [m]
#define TRIES_MAX 256    // of departures for one leg
#define LATER_LEAST 1e-6 // shorter waits are none [s]

// Walks over the cells of a leg and gives the points where its height bends. In between, the height stays in
// the wedge of slopes that has gone through every cell since the last point.
typedef struct ground_leg {
    climb_walk walk;
    tr_vec3 from, to;
    double x, z, dx, dz, length2; // in spots
    double scale, bottom;         // of heights
    double anchor, anchor_y;      // the last point: how far along [0, 1], and how high
    double low, high;             // the wedge
    double last, last_y;          // the last cell
    bool ended, is_leap;
} ground_leg;

static ground_leg leg_begin(const traffic_quest *quest, const traffic_bend *a, const traffic_bend *b) {
    const tr_climb *climb = quest->climb;
    ground_leg leg = {.walk = climb_walk_begin(climb, &a->spot, b->spot.x, b->spot.z),
                      .from = a->position,
                      .to = b->position,
                      .x = a->spot.x,
                      .z = a->spot.z,
                      .dx = (double)b->spot.x - a->spot.x,
                      .dz = (double)b->spot.z - a->spot.z,
                      .scale = climb->scale.unit,
                      .bottom = climb->scale.bottom,
                      .anchor_y = a->position.y,
                      .low = -INFINITY,
                      .high = INFINITY,
                      .last_y = a->position.y,
                      .is_leap = b->leaps};
    leg.length2 = leg.dx * leg.dx + leg.dz * leg.dz;
    return leg;
}

static tr_vec3 leg_at(const ground_leg *leg, double along, double y) {
    return tr_vec3_make((float)(leg->from.x + ((double)leg->to.x - leg->from.x) * along), (float)y,
                        (float)(leg->from.z + ((double)leg->to.z - leg->from.z) * along));
}

// How far along the next cell is that lies beyond the last one, and how high; 1 at the end.
static double leg_sample(ground_leg *leg, double *y) {
    while (!leg->is_leap && leg->length2 > 0 && climb_walk_step(&leg->walk)) {
        const tr_climb_place *at = &leg->walk.at;
        double cx = (at->column + 0.5) * CLIMB_UNITS, cz = (at->row + 0.5) * CLIMB_UNITS;
        double along = ((cx - leg->x) * leg->dx + (cz - leg->z) * leg->dz) / leg->length2;
        if (along > leg->last && along < 1) {
            *y = leg->bottom + at->height * leg->scale;
            return along;
        }
    }
    *y = leg->to.y;
    return 1;
}

// The next point; false after the end of the leg.
static bool leg_next(ground_leg *leg, tr_vec3 *point) {
    while (!leg->ended) {
        double y, along = leg_sample(leg, &y), run = along - leg->anchor;
        double off = along < 1 ? HEIGHT_OFF : 1e-9;
        double low = (y - off - leg->anchor_y) / run, high = (y + off - leg->anchor_y) / run;
        bool bends = low > leg->high || high < leg->low;
        if (bends) {
            leg->anchor = leg->last;
            leg->anchor_y = leg->last_y;
            run = along - leg->anchor;
            leg->low = (y - off - leg->anchor_y) / run;
            leg->high = (y + off - leg->anchor_y) / run;
            *point = leg_at(leg, leg->anchor, leg->anchor_y);
        } else {
            leg->low = low > leg->low ? low : leg->low;
            leg->high = high < leg->high ? high : leg->high;
        }
        leg->last = along;
        leg->last_y = y;
        leg->ended = along >= 1;
        if (bends)
            return true;
    }
    if (leg->anchor >= 2)
        return false;
    leg->anchor = 2;
    *point = leg->to;
    return true;
}

// How long one piece of a leg takes.
static double piece_time(const traffic_quest *quest, const traffic_bend *end, tr_vec3 from, tr_vec3 to) {
    return end->leaps ? end->duration : tr_traffic_time(quest, from, to);
}

uint32_t tr_traffic_walk_leg(const traffic_quest *quest, const traffic_bend *a, const traffic_bend *b,
                             double depart, double *arrive) {
    ground_leg leg = leg_begin(quest, a, b);
    tr_vec3 from = a->position, to;
    double time = depart;
    while (leg_next(&leg, &to)) {
        traffic_move move = {from, to, piece_time(quest, b, from, to), quest->radius, quest->height};
        uint32_t met = tr_traffic_meet(quest->traffic, &move, time);
        if (met != TR_NONE) {
            *arrive = depart + (tr_traffic_pass(quest->traffic->pieces + met, &move, time) - time);
            return met;
        }
        time += move.duration;
        from = to;
    }
    *arrive = time;
    return TR_NONE;
}

double tr_traffic_leg_time(const traffic_quest *quest, const traffic_bend *a, const traffic_bend *b,
                           uint32_t *pieces) {
    ground_leg leg = leg_begin(quest, a, b);
    tr_vec3 from = a->position, to;
    double time = 0;
    for (*pieces = 0; leg_next(&leg, &to); ++*pieces) {
        time += piece_time(quest, b, from, to);
        from = to;
    }
    return time;
}

// The earliest departure in the stay of `a`, no earlier than its arrival, that meets nobody and arrives in
// the stay of `b` no later than `latest`. false: there is none.
static bool find_departure(const traffic_quest *quest, const traffic_bend *a, const traffic_bend *b,
                           double latest, double *depart, double *arrive) {
    *depart = a->arrive;
    for (uint32_t i = 0; i < TRIES_MAX && *depart <= a->end && *depart <= latest; i++) {
        double time;
        if (tr_traffic_walk_leg(quest, a, b, *depart, &time) != TR_NONE) {
            *depart = time;
        } else if (time < b->begin) {
            *depart += b->begin - time + 1e-9;
        } else {
            *arrive = time;
            return time <= latest && time <= b->end;
        }
    }
    return false;
}

static bool is_walkable(const traffic_quest *quest, const traffic_bend *a, const traffic_bend *b) {
    climb_walk w = climb_walk_begin(quest->climb, &a->spot, b->spot.x, b->spot.z);
    while (climb_walk_step(&w))
        if (!tr_traffic_may_enter(quest, w.at.cell, w.at.column, w.at.row))
            return false;
    return !w.blocked && w.at.cell == b->spot.cell;
}

static double leap_time(const traffic_quest *quest, uint8_t link, tr_vec3 from, tr_vec3 to) {
    double dx = (double)to.x - from.x, dy = (double)to.y - from.y, dz = (double)to.z - from.z;
    double length = sqrt(dx * dx + dy * dy + dz * dz);
    if (link == 0 || link > quest->climb->link_count)
        return tr_traffic_time(quest, from, to);
    double cost = quest->climb->links[link - 1].cost;
    return (cost > length ? cost : length) / quest->params->speed;
}

static bool is_leap(uint8_t obstacle, uint8_t link) {
    return link || obstacle == TR_OBSTACLE_CROSS || obstacle == TR_OBSTACLE_STEP_OVER;
}

// The spot of a bend of a pulled line. Across leaps it is the next cell of the path that one leads to; else
// the walk from the bend before leads there.
static bool plain_spot(const traffic_quest *quest, const tr_climb_point *point, const climb_spot *before,
                       uint32_t *cell, climb_spot *spot) {
    const tr_climb *climb = quest->climb;
    bool inside;
    if (is_leap(point->obstacle, point->link)) {
        do
            ++*cell;
        while (*cell < climb->result.cell_count &&
               !is_leap(climb->path[*cell].obstacle, climb->path[*cell].link));
        if (*cell >= climb->result.cell_count)
            return false;
        *spot = climb_spot_centre(climb->path[*cell].column, climb->path[*cell].row, climb->path[*cell].cell);
        return true;
    }
    tr_climb_place place = {.cell = TR_NONE};
    uint32_t column, row;
    tr_vec2 seen = {point->position.x, point->position.z};
    if (!tr_grid_find(&climb->grid, seen, &column, &row))
        return false;
    place.column = (uint16_t)column;
    place.row = (uint16_t)row;
    *spot = tr_climb_spot_at(climb, &place, point->position, &inside);
    climb_walk w = climb_walk_begin(climb, before, spot->x, spot->z);
    bool free = climb_walk_all(&w, UINT32_MAX);
    spot->cell = w.at.cell;
    return free;
}

bool tr_traffic_line_plain(traffic_quest *quest, const tr_climb_point *points, uint32_t count) {
    tr_traffic *traffic = quest->traffic;
    double time = quest->params->begin;
    uint32_t cell = 0;
    for (uint32_t i = 0; i < count; i++) {
        traffic_bend *bend = traffic->bends + i;
        *bend = (traffic_bend){.spot = quest->start_spot, .position = points[i].position, .end = INFINITY};
        if (i > 0) {
            if (!plain_spot(quest, points + i, &bend[-1].spot, &cell, &bend->spot))
                return false;
            bend->leaps = is_leap(points[i].obstacle, points[i].link);
            bend->duration = leap_time(quest, points[i].link, bend[-1].position, bend->position);
            if (tr_traffic_walk_leg(quest, bend - 1, bend, time, &time) != TR_NONE)
                return false;
        }
        bend->arrive = bend->depart = time;
    }
    traffic->bend_count = count;
    tr_vec3 last = points[count - 1].position;
    traffic_move stay = {last, last, INFINITY, quest->radius, quest->height};
    return tr_traffic_meet(traffic, &stay, time) == TR_NONE;
}

bool tr_traffic_line_nodes(traffic_quest *quest, uint32_t end) {
    tr_traffic *traffic = quest->traffic;
    uint32_t count = 0;
    for (uint32_t node = end; node != TR_NONE; node = traffic->nodes[node].parent)
        if (++count > TR_TRAFFIC_BENDS_MAX)
            return false;
    traffic->bend_count = count;
    double depart = traffic->nodes[end].time;
    for (uint32_t i = count, node = end; i-- > 0; node = traffic->nodes[node].parent) {
        const traffic_node *n = traffic->nodes + node;
        tr_climb_place place = {n->cell, n->column, n->row, n->height, n->room};
        traffic->bends[i] = (traffic_bend){tr_traffic_spot(quest, &place),
                                           tr_traffic_position(quest, &place),
                                           n->time,
                                           depart,
                                           n->begin,
                                           n->end,
                                           n->time - n->depart,
                                           n->leaps};
        depart = n->depart;
    }
    return true;
}

// Can the bend number `k` be walked to from bend `a`, and not later than before?
static bool is_shorter(const traffic_quest *quest, const traffic_bend *a, uint32_t i, uint32_t k,
                       double *depart, double *arrive) {
    const traffic_bend *bends = quest->traffic->bends;
    for (uint32_t j = i + 1; j <= k; j++)
        if (bends[j].leaps)
            return false;
    return is_walkable(quest, a, bends + k) &&
           find_departure(quest, a, bends + k, bends[k].arrive + 1e-9, depart, arrive);
}

void tr_traffic_line_straighten(traffic_quest *quest) {
    tr_traffic *traffic = quest->traffic;
    traffic_bend *bends = traffic->bends;
    uint32_t last = traffic->bend_count - 1, kept = 0, i = 0;
    while (i < last) {
        traffic_bend *a = bends + kept; // bends[i], moved up
        uint32_t best = i;
        double depart = 0, arrive = 0, best_depart = 0, best_arrive = 0;
        for (uint32_t step = 1, beyond = last + 1; step > 0;) {
            uint32_t k = (best > i ? best : i) + step;
            bool good = k < beyond && is_shorter(quest, a, i, k, &depart, &arrive);
            if (good) {
                best = k;
                best_depart = depart;
                best_arrive = arrive;
                step *= beyond > last ? 2 : 1;
            } else {
                beyond = k < beyond ? k : beyond;
                step /= 2;
            }
        }
        if (best == i) { // the piece as it was found
            best = i + 1;
            best_depart = a->depart;
            best_arrive = bends[best].arrive;
        }
        a->depart = best_depart;
        traffic_bend next = bends[best];
        next.arrive = best_arrive;
        next.depart = next.depart > best_arrive ? next.depart : best_arrive;
        bends[++kept] = next;
        i = best;
    }
    bends[kept].depart = bends[kept].arrive;
    traffic->bend_count = kept + 1;
}

static bool put(tr_traffic_point *points, uint32_t max, uint32_t *count, double time, tr_vec3 position) {
    if (*count == max)
        return false;
    if (*count > 0 && !(time > points[*count - 1].time))
        return true; // a place that was reached in no time is the place before
    points[*count].time = time;
    points[(*count)++].position = position;
    return true;
}

bool tr_traffic_line_points(const traffic_quest *quest, tr_traffic_point *points, uint32_t max,
                            uint32_t *count) {
    const tr_traffic *traffic = quest->traffic;
    *count = 0;
    for (uint32_t i = 0; i < traffic->bend_count; i++) {
        const traffic_bend *bend = traffic->bends + i, *next = bend + 1;
        if (i == 0 && !put(points, max, count, bend->arrive, bend->position))
            return false;
        if (i + 1 == traffic->bend_count)
            return true;
        if (bend->depart > bend->arrive + LATER_LEAST &&
            !put(points, max, count, bend->depart, bend->position))
            return false;
        ground_leg leg = leg_begin(quest, bend, next);
        tr_vec3 from = bend->position, to;
        double time = bend->depart;
        while (leg_next(&leg, &to)) {
            time += piece_time(quest, next, from, to);
            from = to;
            if (!put(points, max, count, time, to))
                return false;
        }
    }
    return true;
}
