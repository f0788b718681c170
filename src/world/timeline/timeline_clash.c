// Bodies and objects: a disc and a rectangle seen from above. Relative to the rectangle, the middle of the
// disc moves straight during a tick, and they meet while it is in the rectangle rounded by the radius. That
// is a convex shape made of two rectangles and four discs, so the times inside each of them join to one span.
#include "timeline_data.h"

typedef struct span {
    double begin, end; // empty when begin >= end
} span;

// The path of the disc's middle in a tick, in the axes of the rectangle.
typedef struct passage {
    double a, b, y;                // along, across, height at the beginning
    double move_a, move_b, move_y; // and the displacement
    double half_a, half_b, low, high;
} passage;

static passage pass(const laid_track *own, uint64_t tick, const moving_rectangle *r) {
    uint32_t i = laid_index(own, tick), k = laid_index(own, tick + 1);
    double x = (double)own->x[i] - r->x, z = (double)own->z[i] - r->z;
    double move_x = (double)own->x[k] - own->x[i] - r->move_x,
           move_z = (double)own->z[k] - own->z[i] - r->move_z;
    passage p = {.a = x * r->along_x + z * r->along_z,
                 .b = z * r->along_x - x * r->along_z,
                 .y = own->y[i],
                 .move_a = move_x * r->along_x + move_z * r->along_z,
                 .move_b = move_z * r->along_x - move_x * r->along_z,
                 .move_y = (double)own->y[k] - own->y[i],
                 .half_a = r->half_along,
                 .half_b = r->half_across,
                 .low = (double)r->low - own->height,
                 .high = r->high};
    return p;
}

// The distance from the rectangle; negative inside.
static double distance_at(const passage *p, double share) {
    double a = fabs(p->a + p->move_a * share) - p->half_a, b = fabs(p->b + p->move_b * share) - p->half_b;
    if (a <= 0 || b <= 0)
        return a > b ? a : b;
    return sqrt(a * a + b * b);
}

// The span of u in [0, 1] with low < at + move * u < high.
static span cut(span s, double at, double move, double low, double high) {
    span none = {1, 0};
    if (move == 0)
        return at > low && at < high ? s : none;
    double enter = ((move > 0 ? low : high) - at) / move, leave = ((move > 0 ? high : low) - at) / move;
    s.begin = enter > s.begin ? enter : s.begin;
    s.end = leave < s.end ? leave : s.end;
    return s;
}

static span in_rectangle(const passage *p, double half_a, double half_b) {
    span s = {0, 1};
    return cut(cut(s, p->a, p->move_a, -half_a, half_a), p->b, p->move_b, -half_b, half_b);
}

static span in_disc(const passage *p, double a, double b, double radius) {
    span none = {1, 0}, all = {0, 1};
    double x = p->a - a, z = p->b - b, vv = p->move_a * p->move_a + p->move_b * p->move_b,
           xv = x * p->move_a + z * p->move_b, c = x * x + z * z - radius * radius;
    if (vv == 0)
        return c < 0 ? all : none;
    double inside = xv * xv - vv * c;
    if (inside <= 0)
        return none;
    double root = sqrt(inside), enter = (-xv - root) / vv, leave = (-xv + root) / vv;
    span s = {enter > 0 ? enter : 0, leave < 1 ? leave : 1};
    return s;
}

static span join(span a, span b) {
    if (!(b.begin < b.end))
        return a;
    if (!(a.begin < a.end))
        return b;
    span both = {a.begin < b.begin ? a.begin : b.begin, a.end > b.end ? a.end : b.end};
    return both;
}

// The first time in [0, 1] from which the disc is nearer than a distance while the heights overlap; INFINITY:
// none. A negative distance is a depth inside.
static double first_clash(const passage *p, double distance) {
    double inner = distance < 0 ? distance : 0, outer = distance > 0 ? distance : 0;
    double half_a = p->half_a + inner, half_b = p->half_b + inner;
    span around = in_rectangle(p, half_a + outer, half_b + outer);
    if (half_a < 0 || half_b < 0 || !(around.begin < around.end))
        return INFINITY;
    span s = join(in_rectangle(p, half_a + outer, half_b), in_rectangle(p, half_a, half_b + outer));
    if (outer > 0)
        for (int corner = 0; corner < 4; corner++)
            s = join(s, in_disc(p, corner & 1 ? half_a : -half_a, corner & 2 ? half_b : -half_b, outer));
    if (s.begin < s.end)
        s = cut(s, p->y, p->move_y, p->low, p->high);
    return s.begin < s.end ? s.begin : INFINITY;
}

// --- A mover ---

typedef struct clash {
    const tr_timeline *timeline;
    const moving_object *mover;
    bool is_strict;
    bool still; // tests the current place of the mover instead of its motion:
    moving_rectangle place;
    const laid_track *own;
    uint64_t from, last;
    double allowed, radius;
} clash;

static bool rectangle_at(const clash *c, uint64_t tick, moving_rectangle *rectangle) {
    if (c->still) {
        *rectangle = c->place;
        return true;
    }
    return tr_timeline_mover_at(c->timeline, c->mover, tick, rectangle);
}

static bool overlaps_at_begin(const passage *p) {
    return p->y > p->low && p->y < p->high;
}

// For a body that is too near at the beginning: goes tick by tick until it is far enough away or meets.
// `*tick` is where to continue. The uncertainty of an extrapolated object grows without anything coming
// nearer.
static double leave(const clash *c, uint64_t *tick, double begin) {
    double nearest = begin - SOLE_HAIR;
    if (begin >= c->radius && nearest < c->radius)
        nearest = c->radius;
    moving_rectangle rectangle;
    for (; *tick < c->last && rectangle_at(c, *tick, &rectangle); ++*tick) {
        passage p = pass(c->own, *tick, &rectangle);
        double now = distance_at(&p, 0), end = distance_at(&p, 1), limit = nearest;
        if (!c->mover->is_known && now - SOLE_HAIR < limit)
            limit = now - SOLE_HAIR;
        double share = first_clash(&p, limit);
        if (share <= 1)
            return (double)*tick + share;
        if (end >= c->allowed) {
            ++*tick;
            return INFINITY;
        }
        if (end >= c->radius && nearest < c->radius)
            nearest = c->radius;
    }
    return INFINITY;
}

// Whether nothing can happen in the chunk that begins at a tick.
static bool chunk_is_clear(const clash *c, uint64_t chunk) {
    const laid_track *own = c->own;
    flat_box box;
    uint32_t i = laid_index(own, chunk);
    if (chunk >= own->first && chunk < own->first + (uint64_t)own->chunk_count * CHUNK)
        box = own->boxes[i / CHUNK];
    else
        box = (flat_box){own->x[i], own->x[i], own->z[i], own->z[i], own->y[i], own->y[i]};
    box = box_grow(box, (float)c->allowed + own->step, own->rise, own->height + own->rise);
    if (!c->mover->is_known || c->still)
        return boxes_apart(&box, &c->mover->box);
    flat_box still = tr_timeline_rectangle_box(&c->mover->still);
    if (chunk >= c->mover->end)
        return boxes_apart(&box, &still);
    const flat_box *moving = &c->mover->ring_boxes[chunk % c->timeline->ring_ticks / CHUNK];
    return boxes_apart(&box, moving) && (chunk + CHUNK <= c->mover->end || boxes_apart(&box, &still));
}

static double first_meeting(const clash *c, double best) {
    uint64_t tick = c->from;
    moving_rectangle rectangle;
    if (!rectangle_at(c, tick, &rectangle))
        return INFINITY;
    passage p = pass(c->own, tick, &rectangle);
    double begin = distance_at(&p, 0);
    if (begin < c->allowed && overlaps_at_begin(&p)) {
        if (c->is_strict)
            return (double)tick;
        double met = leave(c, &tick, begin);
        if (met < INFINITY)
            return met;
    }
    while (tick < c->last && (double)tick <= best) {
        uint64_t next = CHUNK_TICKS(tick) + CHUNK, end = next < c->last ? next : c->last;
        if (chunk_is_clear(c, CHUNK_TICKS(tick)))
            tick = next;
        for (; tick < end; tick++) {
            if (!rectangle_at(c, tick, &rectangle))
                return INFINITY;
            p = pass(c->own, tick, &rectangle);
            double share = first_clash(&p, c->allowed);
            if (share <= 1)
                return (double)tick + share;
        }
    }
    return INFINITY;
}

static void meet_mover(clash *c, bool rest, tr_timeline_meeting *best) {
    uint64_t end = c->mover->end;
    c->last = rest && !c->still && end > c->own->end ? end : c->own->end;
    double tick = first_meeting(c, best->tick);
    uint32_t object = c->mover->object;
    if (tick < best->tick ||
        (tick < INFINITY && tick == best->tick && best->body == TR_NONE && object < best->object))
        *best = (tr_timeline_meeting){TR_NONE, object, tick,
                                      c->still || (c->mover->is_known && tick >= (double)end)};
}

void tr_timeline_meets_objects(const tr_timeline *timeline, const tr_timeline_motion *motion,
                               const laid_track *own, uint64_t from, tr_timeline_meeting *meeting) {
    if (timeline->mover_count == 0)
        return;
    flat_box box = box_grow(tr_timeline_box(own), motion->radius + motion->clear, 0, motion->height);
    for (uint32_t i = 0; i < timeline->mover_count; i++) {
        const moving_object *mover = &timeline->movers[i];
        if (boxes_apart(&box, &mover->box))
            continue;
        clash c = {.timeline = timeline,
                   .mover = mover,
                   .is_strict = motion->strict,
                   .own = own,
                   .from = from,
                   .radius = motion->radius,
                   .allowed = (double)motion->radius + motion->clear};
        meet_mover(&c, motion->rest, meeting);
        c.still = tr_timeline_may_stay(timeline, mover, &c.place);
        if (c.still)
            meet_mover(&c, motion->rest, meeting);
    }
}

// The nearest point of a rectangle. false: the point is inside, or too far.
static bool nearest_of(const moving_rectangle *r, tr_vec3 point, float reach, tr_vec2 *nearest) {
    double x = (double)point.x - r->x, z = (double)point.z - r->z;
    double a = x * r->along_x + z * r->along_z, b = z * r->along_x - x * r->along_z;
    double to_a = fmin(fmax(a, -(double)r->half_along), r->half_along);
    double to_b = fmin(fmax(b, -(double)r->half_across), r->half_across);
    double off = (a - to_a) * (a - to_a) + (b - to_b) * (b - to_b);
    *nearest = (tr_vec2){(float)(r->x + to_a * r->along_x - to_b * r->along_z),
                         (float)(r->z + to_a * r->along_z + to_b * r->along_x)};
    return off > 0 && off < (double)reach * reach;
}

uint32_t tr_timeline_beside(const tr_timeline *timeline, tr_vec3 point, float height, float reach,
                            uint64_t tick, tr_vec2 *nearest, uint32_t max) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < timeline->mover_count && count < max; i++) {
        const moving_object *mover = &timeline->movers[i];
        const flat_box *box = &mover->box;
        moving_rectangle r;
        if (!(point.x > box->min_x - reach && point.x < box->max_x + reach && point.z > box->min_z - reach &&
              point.z < box->max_z + reach) ||
            !tr_timeline_mover_at(timeline, mover, tick, &r))
            continue;
        if (r.low < point.y + height && r.high > point.y)
            count += nearest_of(&r, point, reach, &nearest[count]);
    }
    return count;
}
