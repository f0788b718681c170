// Meetings of bodies. Between two ticks two bodies move straight, so one moves straight relative to the
// other: the square of the distance is quadratic in time, and the heights overlap in one span of time.
//
// Most pairs are far apart most of the time. A meeting is never further in time from a tick than half a tick,
// and at that tick the two are no further apart than the allowed distance plus half of both displacements in
// a tick. So the distances at ticks, as floats, tell where to look, and only there the time is computed, in
// doubles. The floats have a margin for rounding and never change the result.
#define SIMD_LANES 4
#include "timeline_data.h"

#include "base/simd.h"

// A query: one motion against tracks.
typedef struct question {
    const tr_timeline *timeline;
    const laid_track *own;
    uint64_t from; // tick
    double margin;
    bool rest;
    bool is_strict; // a body that is too near already counts as a meeting, too
    uint32_t self;
    tr_timeline_meeting *meeting; // the first so far
} question;

typedef struct body_pair {
    const laid_track *own, *other;
    uint64_t from, last; // the ticks of the query
    double sum, allowed; // the sum of the radii, and with the margin
    double below, above; // heights overlap while `own` is higher than the other by a value between these
    float limit;         // square of the distance at a tick beyond which there is no meeting around it
    float rise;          // the tolerance when heights of chunks are compared
} body_pair;

// --- Exactly ---

typedef struct offset {
    double x, z, y; // of `own` from the other
} offset;

static offset offset_at(const body_pair *pair, uint64_t tick) {
    uint32_t i = laid_index(pair->own, tick), k = laid_index(pair->other, tick);
    offset d = {(double)pair->own->x[i] - pair->other->x[k], (double)pair->own->z[i] - pair->other->z[k],
                (double)pair->own->y[i] - pair->other->y[k]};
    return d;
}

static double square_of(offset d) {
    return d.x * d.x + d.z * d.z;
}

// The first time in [0, 1] from which they are nearer than the square root of `square` while heights overlap,
// on the way from one offset to another; INFINITY: none.
static double first_contact(offset d0, offset d1, double square, double below, double above) {
    double vx = d1.x - d0.x, vz = d1.z - d0.z, vy = d1.y - d0.y;
    double a = vx * vx + vz * vz, b = d0.x * vx + d0.z * vz, c = square_of(d0) - square, begin = 0, end = 1;
    if (a == 0) {
        if (c >= 0)
            return INFINITY;
    } else {
        double inside = b * b - a * c;
        if (inside <= 0 || (c >= 0 && b >= 0))
            return INFINITY;
        double root = sqrt(inside), leave = (root - b) / a;
        begin = c > 0 ? c / (root - b) : 0; // the lesser root, without cancellation
        end = leave < 1 ? leave : 1;
    }
    if (vy == 0) {
        if (!(d0.y > below && d0.y < above))
            return INFINITY;
    } else {
        double enter = ((vy > 0 ? below : above) - d0.y) / vy, leave = ((vy > 0 ? above : below) - d0.y) / vy;
        begin = enter > begin ? enter : begin;
        end = leave < end ? leave : end;
    }
    return begin < end ? begin : INFINITY;
}

// In the tick that begins at `tick`.
static double contact_in(const body_pair *pair, uint64_t tick, double distance) {
    double share = first_contact(offset_at(pair, tick), offset_at(pair, tick + 1), distance * distance,
                                 pair->below, pair->above);
    return (double)tick + share;
}

// --- Bodies that begin too near ---

// Goes tick by tick until they are far enough apart, or meet. `*tick` is where to continue.
static double part(const body_pair *pair, uint64_t *tick) {
    double square = square_of(offset_at(pair, *tick)), sum = pair->sum * pair->sum,
           allowed = pair->allowed * pair->allowed;
    double nearest = square; // the square of the least distance that is allowed
    if (square >= sum) {
        double off = sqrt(square) - SOLE_HAIR;
        nearest = off > pair->sum ? off * off : sum;
    }
    for (; *tick < pair->last; ++*tick) {
        offset d0 = offset_at(pair, *tick), d1 = offset_at(pair, *tick + 1);
        double share = first_contact(d0, d1, nearest, pair->below, pair->above), end = square_of(d1);
        if (share <= 1)
            return (double)*tick + share;
        if (end >= allowed) {
            ++*tick;
            return INFINITY;
        }
        if (end >= sum && nearest < sum)
            nearest = sum;
    }
    return INFINITY;
}

// --- Roughly ---

// The box of the positions in a chunk; before and after the track, that of the resting position.
static flat_box chunk_box(const laid_track *laid, uint64_t tick) {
    uint32_t i = laid_index(laid, tick);
    if (tick < laid->first || tick >= laid->first + (uint64_t)laid->chunk_count * CHUNK)
        return (flat_box){laid->x[i], laid->x[i], laid->z[i], laid->z[i], laid->y[i], laid->y[i]};
    return laid->boxes[i / CHUNK];
}

// Sixteen positions, or one for all.
typedef struct chunk_view {
    const float *x, *z;
    float own_x[CHUNK], own_z[CHUNK];
} chunk_view;

static void view_chunk(const laid_track *laid, uint64_t tick, chunk_view *view) {
    uint32_t at = laid_index(laid, tick);
    view->x = laid->x + at;
    view->z = laid->z + at;
    if (tick >= laid->first && tick < laid->first + (uint64_t)laid->chunk_count * CHUNK)
        return;
    for (uint32_t i = 0; i < CHUNK; i++) {
        view->own_x[i] = laid->x[at];
        view->own_z[i] = laid->z[at];
    }
    view->x = view->own_x;
    view->z = view->own_z;
}

static float gap_between(float a_min, float a_max, float b_min, float b_max) {
    float before = b_min - a_max, after = a_min - b_max, gap = before > after ? before : after;
    return gap > 0 ? gap : 0;
}

static bool chunks_apart(const body_pair *pair, const flat_box *a, const flat_box *b) {
    float x = gap_between(a->min_x, a->max_x, b->min_x, b->max_x),
          z = gap_between(a->min_z, a->max_z, b->min_z, b->max_z);
    return x * x + z * z > pair->limit || a->min_y - b->max_y > (float)pair->above + pair->rise ||
           b->min_y - a->max_y > (float)-pair->below + pair->rise;
}

// One bit for each tick of a chunk at which they are near enough to meet around it.
static uint32_t near_ticks(const chunk_view *a, const chunk_view *b, float limit) {
    uint32_t bits = 0;
    for (uint32_t i = 0; i < CHUNK; i += 4) {
        simd_float dx = simd_load(a->x + i) - simd_load(b->x + i),
                   dz = simd_load(a->z + i) - simd_load(b->z + i);
        bits |= simd_bits(dx * dx + dz * dz < simd_set(limit)) << i;
    }
    return bits;
}

// The ticks of a chunk that belong to the query.
static uint32_t asked_ticks(const body_pair *pair, uint64_t from, uint64_t chunk) {
    uint32_t bits = 0xffff;
    if (from > chunk)
        bits &= 0xffffu << (from - chunk);
    if (pair->last < chunk + CHUNK - 1)
        bits &= 0xffffu >> (chunk + CHUNK - 1 - pair->last);
    return bits;
}

static uint32_t lowest_bit(uint32_t bits) {
    return (uint32_t)__builtin_ctz(bits);
}

// The first contact from a tick on, or INFINITY; `best` is the earliest known so far.
static double scan(const body_pair *pair, uint64_t from, double best) {
    uint64_t tested = from; // earlier ticks have been solved
    chunk_view a, b;
    for (uint64_t chunk = CHUNK_TICKS(from); chunk <= pair->last && (double)chunk <= best + 1;
         chunk += CHUNK) {
        flat_box own = chunk_box(pair->own, chunk), other = chunk_box(pair->other, chunk);
        if (chunks_apart(pair, &own, &other))
            continue;
        view_chunk(pair->own, chunk, &a);
        view_chunk(pair->other, chunk, &b);
        uint32_t bits = near_ticks(&a, &b, pair->limit) & asked_ticks(pair, from, chunk);
        for (; bits; bits &= bits - 1) {
            uint64_t tick = chunk + lowest_bit(bits), begin = tick > tested ? tick - 1 : tick;
            for (begin = begin > tested ? begin : tested; begin <= tick && begin < pair->last; begin++) {
                double met = contact_in(pair, begin, pair->allowed);
                if (met < INFINITY)
                    return met;
                tested = begin + 1;
            }
        }
    }
    return INFINITY;
}

static bool is_near_at(const body_pair *pair, uint64_t tick) {
    flat_box a = chunk_box(pair->own, tick), b = chunk_box(pair->other, tick);
    if (chunks_apart(pair, &a, &b))
        return false;
    offset d = offset_at(pair, tick);
    return square_of(d) < pair->allowed * pair->allowed && d.y > pair->below && d.y < pair->above;
}

static body_pair make_pair(const question *asked, const laid_track *other, double other_radius) {
    const laid_track *own = asked->own;
    body_pair pair = {.own = own, .other = other, .from = asked->from};
    pair.last = asked->rest && other->end > own->end ? other->end : own->end;
    pair.sum = (double)own->radius + other_radius;
    pair.allowed = pair.sum + asked->margin;
    pair.below = -(double)own->height;
    pair.above = other->height;
    float reach = ((float)pair.allowed + 0.5f * (own->step + other->step)) * 1.00001f;
    pair.limit = reach * reach * 1.00001f;
    pair.rise = 0.5f * (own->rise + other->rise) * 1.00001f + 1e-5f * (own->height + other->height);
    return pair;
}

static double first_meeting(const question *asked, const body_pair *pair) {
    uint64_t from = pair->from;
    if (asked->is_strict) // the scan misses it only where nothing moves any more
        return from >= pair->last && is_near_at(pair, from) ? (double)from
                                                            : scan(pair, from, asked->meeting->tick);
    if (is_near_at(pair, from)) {
        double met = part(pair, &from);
        if (met < INFINITY || from >= pair->last)
            return met;
    }
    return scan(pair, from, asked->meeting->tick);
}

static void visit_body(void *user, uint32_t body) {
    question *asked = user;
    if (body == asked->self)
        return;
    const laid_track *other = &asked->timeline->blocks[body]->track;
    body_pair pair = make_pair(asked, other, other->radius);
    double tick = first_meeting(asked, &pair);
    tr_timeline_meeting *best = asked->meeting;
    if (tick < best->tick || (tick == best->tick && tick < INFINITY && body < best->body))
        *best = (tr_timeline_meeting){body, TR_NONE, tick, tick >= (double)other->end};
}

// --- Queries ---

// Memory for a motion of the greatest length.
typedef struct own_motion {
    float x[CHUNKS_FOR(TR_TIMELINE_TICKS_MAX) * CHUNK], z[CHUNKS_FOR(TR_TIMELINE_TICKS_MAX) * CHUNK],
        y[CHUNKS_FOR(TR_TIMELINE_TICKS_MAX) * CHUNK];
    flat_box boxes[CHUNKS_FOR(TR_TIMELINE_TICKS_MAX)];
    laid_track laid;
} own_motion;

static void lay_motion(own_motion *own, const tr_timeline_motion *motion) {
    track_room room = {own->x, own->z, own->y, own->boxes};
    tr_timeline_lay(room, motion->begin, motion->positions, motion->count, &own->laid);
    own->laid.radius = motion->radius;
    own->laid.height = motion->height;
}

static bool motion_is_sound(const tr_timeline *timeline, const tr_timeline_motion *motion) {
    return motion->count > 0 && motion->count <= tr_timeline_room(timeline, motion->self) &&
           motion->begin <= TICK_LIMIT && is_measure(motion->radius) && is_measure(motion->height) &&
           is_measure(motion->margin) && is_measure(motion->clear) &&
           tr_timeline_is_sound(motion->positions, motion->count);
}

bool tr_timeline_meets(const tr_timeline *timeline, const tr_timeline_motion *motion,
                       tr_timeline_meeting *meeting) {
    *meeting = (tr_timeline_meeting){TR_NONE, TR_NONE, (double)motion->begin, false};
    if (!motion_is_sound(timeline, motion))
        return true;
    meeting->tick = INFINITY;
    own_motion own;
    lay_motion(&own, motion);
    uint64_t from = motion->begin > timeline->now ? motion->begin : timeline->now;
    if (from > own.laid.end && !motion->rest)
        return false; // over already
    question asked = {.timeline = timeline,
                      .own = &own.laid,
                      .from = from,
                      .margin = motion->margin,
                      .rest = motion->rest,
                      .is_strict = motion->strict,
                      .self = motion->self,
                      .meeting = meeting};
    flat_box box = box_grow(tr_timeline_box(&own.laid), motion->radius + motion->margin, 0, motion->height);
    tr_timeline_index_visit(timeline, &box, visit_body, &asked);
    if (!motion->bodies)
        tr_timeline_meets_objects(timeline, motion, &own.laid, from, meeting);
    return meeting->tick < INFINITY;
}

// --- Bodies near a point ---

// The lowest bodies found so far, as a heap with the greatest on top.
typedef struct near_list {
    question asked;
    uint32_t *bodies;
    uint32_t max, kept, found;
} near_list;

static void sink(uint32_t *heap, uint32_t count, uint32_t at) {
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child >= count)
            return;
        if (child + 1 < count && heap[child + 1] > heap[child])
            child++;
        if (heap[child] <= heap[at])
            return;
        uint32_t swapped = heap[child];
        heap[child] = heap[at];
        heap[at] = swapped;
        at = child;
    }
}

static void keep_body(near_list *list, uint32_t body) {
    list->found++;
    if (list->kept < list->max) {
        uint32_t at = list->kept++;
        for (; at > 0 && list->bodies[(at - 1) / 2] < body; at = (at - 1) / 2)
            list->bodies[at] = list->bodies[(at - 1) / 2];
        list->bodies[at] = body;
    } else if (list->max > 0 && body < list->bodies[0]) {
        list->bodies[0] = body;
        sink(list->bodies, list->kept, 0);
    }
}

static float farther(float a, float b) {
    return a > b ? a : b;
}

// Whether a whole box of positions lies within reach of the point of the query.
static bool box_is_near(const body_pair *pair, const flat_box *box) {
    float x = pair->own->x[0], z = pair->own->z[0], y = pair->own->y[0],
          dx = farther(box->max_x - x, x - box->min_x), dz = farther(box->max_z - z, z - box->min_z);
    return dx * dx + dz * dz < (float)(pair->allowed * pair->allowed) * 0.9999f &&
           (double)y - box->max_y > pair->below && (double)y - box->min_y < pair->above;
}

// Judges by the box of a whole motion, which the index has read already: 1 where all of it lies within reach
// of the point of the query, -1 where nothing does, 0: undecided.
static int judge_motion(const laid_track *own, const flat_box *box, float height) {
    float x = own->x[0], z = own->z[0], y = own->y[0], square = own->radius * own->radius;
    float dx = farther(box->max_x - x, x - box->min_x), dz = farther(box->max_z - z, z - box->min_z);
    // The box includes the height of the body.
    if (dx * dx + dz * dz < square * 0.9999f && y + own->height > box->max_y - height &&
        y - box->min_y < height)
        return 1;
    dx = gap_between(x, x, box->min_x, box->max_x);
    dz = gap_between(z, z, box->min_z, box->max_z);
    return dx * dx + dz * dz > square * 1.0001f ? -1 : 0;
}

static void visit_near(void *user, uint32_t body) {
    near_list *list = user;
    const laid_track *other = &list->asked.timeline->blocks[body]->track;
    int judged = judge_motion(list->asked.own, &list->asked.timeline->nodes[body].box, other->height);
    if (judged > 0)
        keep_body(list, body);
    if (judged != 0)
        return;
    body_pair pair = make_pair(&list->asked, other, 0); // the distance to its axis counts
    // In most cases the boxes decide, and the positions need not be read.
    const laid_track *own = pair.own;
    uint64_t past = list->asked.from > other->first ? list->asked.from - other->first : 0;
    bool is_near = false, is_far = past / CHUNK < other->chunk_count;
    flat_box point = {own->x[0], own->x[0], own->z[0], own->z[0], own->y[0], own->y[0]};
    for (uint64_t chunk = past / CHUNK; chunk < other->chunk_count && !is_near; chunk++) {
        is_near = chunk * CHUNK >= past && box_is_near(&pair, &other->boxes[chunk]);
        is_far &= chunks_apart(&pair, &point, &other->boxes[chunk]);
    }
    if (is_far)
        return;
    if (is_near || first_meeting(&list->asked, &pair) < INFINITY)
        keep_body(list, body);
}

uint32_t tr_timeline_near(const tr_timeline *timeline, tr_vec3 point, float reach, float low, float high,
                          uint32_t *bodies, uint32_t max) {
    float height = low + high;
    if (!tr_timeline_is_sound(&point, 1) || !is_measure(reach) || !is_measure(height) || !isfinite(low))
        return 0;
    float x[CHUNK], z[CHUNK], y[CHUNK];
    flat_box box;
    laid_track own;
    tr_vec3 foot = {point.x, point.y - low, point.z};
    tr_timeline_lay((track_room){x, z, y, &box}, timeline->now, &foot, 1, &own);
    own.radius = reach;
    own.height = height;
    tr_timeline_meeting meeting = {TR_NONE, TR_NONE, INFINITY, false};
    near_list list = {.asked = {.timeline = timeline,
                                .own = &own,
                                .from = timeline->now,
                                .rest = true,
                                .is_strict = true,
                                .self = TR_NONE,
                                .meeting = &meeting},
                      .bodies = bodies,
                      .max = max};
    flat_box around = box_grow(box, reach, 0, height);
    tr_timeline_index_visit(timeline, &around, visit_near, &list);
    for (uint32_t left = list.kept; left > 1; left--) {
        uint32_t greatest = bodies[0];
        bodies[0] = bodies[left - 1];
        bodies[left - 1] = greatest;
        sink(bodies, left - 1, 0);
    }
    return list.found;
}
