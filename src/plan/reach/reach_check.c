// Is the arm free: at a posture, along an edge, along an arm path?
//
// A stretch is certified part by part: a part that is farther from everything than it can move in half the
// stretch cannot touch anything in it. Parts that are not far enough are tested again in the two halves.
#define SIMD_LANES 4
#include "base/simd.h"
#include "plan/arm/arm_stretch.h"
#include "reach_data.h"
#include "troupe/base/clock.h"

#include <math.h>

#define LEAST_NEED 1e-6f // [m]
#define FAR 1e6f
#define CHECKS_PER_LOOK 16    // between two readings of the clock
#define SEGMENTS_AT_ONCE 1024 // of an arm path, a quarter of the queue

void tr_reach_set_lanes(tr_reach *reach, const tr_affine *trunk) {
    reach_lanes *lanes = &reach->lanes;
    for (uint32_t i = 0; i < REACH_BODY_LANES; i++) {
        bool used = i < reach->body_count;
        const tr_reach_body *body = &reach->bodies[used ? i : 0];
        const tr_affine *place = used && body->on_trunk ? trunk : &reach->arm.base;
        tr_vec3 a = used ? tr_affine_apply(place, body->a) : tr_vec3_make(FAR, FAR, FAR);
        tr_vec3 along = used ? tr_vec3_subtract(tr_affine_apply(place, body->b), a) : tr_vec3_make(0, 0, 0);
        for (int axis = 0; axis < 3; axis++) {
            lanes->start[axis][i] = (&a.x)[axis];
            lanes->along[axis][i] = (&along.x)[axis];
        }
        lanes->square[i] = tr_vec3_dot(along, along);
        lanes->radius[i] = used ? body->radius : 0;
        for (uint32_t link = 0; link < TR_ARM_LINKS; link++)
            lanes->tested[link][i] = used && (body->links >> link & 1) ? -1 : 0;
    }
}

typedef struct line_lanes {
    simd_float start[3], along[3], square;
} line_lanes;

static simd_float dot(const simd_float a[3], const simd_float b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static simd_float clamp_unit(simd_float v) {
    return simd_max(simd_min(v, simd_set(1)), simd_set(0));
}

// From the point of p at `s` to the nearest of q, and from that to the nearest of p: the squared distance
// between these.
static simd_float distances_from(const line_lanes *p, const line_lanes *q, const simd_float from[3],
                                 simd_float b, simd_float s) {
    const simd_float tiny = simd_set(1e-20f);
    simd_float c = dot(p->along, from), f = dot(q->along, from);
    simd_float t = clamp_unit((b * s + f) / simd_max(q->square, tiny));
    s = clamp_unit((b * t - c) / simd_max(p->square, tiny));
    simd_float gap[3];
    for (int axis = 0; axis < 3; axis++)
        gap[axis] = from[axis] + p->along[axis] * s - q->along[axis] * t;
    return dot(gap, gap);
}

// Squared distances between lines, lane by lane (Ericson, Real-Time Collision Detection, 5.1.9). Lines
// without length are points. If lines are almost parallel, either end may be the nearer one.
static simd_float line_distances(const line_lanes *p, const line_lanes *q) {
    const simd_float tiny = simd_set(1e-20f);
    simd_float from[3];
    for (int axis = 0; axis < 3; axis++)
        from[axis] = p->start[axis] - q->start[axis];
    simd_float b = dot(p->along, q->along), c = dot(p->along, from), f = dot(q->along, from);
    simd_float denominator = p->square * q->square - b * b;
    simd_int crossing = denominator > p->square * q->square * 1e-7f + tiny;
    simd_float s = clamp_unit((b * f - c * q->square) / simd_select(crossing, denominator, simd_set(1)));
    simd_float first = distances_from(p, q, from, b, simd_select(crossing, s, simd_set(0)));
    if (!simd_bits(~crossing & (p->square * q->square > tiny)))
        return first;
    return simd_min(first, distances_from(p, q, from, b, simd_select(crossing, s, simd_set(1))));
}

static line_lanes line_of(tr_vec3 a, tr_vec3 b) {
    tr_vec3 along = tr_vec3_subtract(b, a);
    line_lanes line;
    for (int axis = 0; axis < 3; axis++) {
        line.start[axis] = simd_set((&a.x)[axis]);
        line.along[axis] = simd_set((&along.x)[axis]);
    }
    line.square = simd_set(tr_vec3_dot(along, along));
    return line;
}

static float least_lane(simd_float v) {
    float least = v[0];
    for (int lane = 1; lane < SIMD_LANES; lane++)
        least = v[lane] < least ? v[lane] : least;
    return least;
}

// The distance from the surface of the link to the nearest part of the body.
static float body_clearance(const tr_reach *reach, uint32_t link, tr_vec3 a, tr_vec3 b, float radius) {
    const reach_lanes *lanes = &reach->lanes;
    line_lanes line = line_of(a, b);
    float least = FAR;
    for (uint32_t i = 0; i < reach->body_count; i += SIMD_LANES) {
        line_lanes body;
        for (int axis = 0; axis < 3; axis++) {
            body.start[axis] = simd_load(&lanes->start[axis][i]);
            body.along[axis] = simd_load(&lanes->along[axis][i]);
        }
        body.square = simd_load(&lanes->square[i]);
        simd_int tested;
        memcpy(&tested, &lanes->tested[link][i], sizeof tested);
        simd_float gap = simd_sqrt(line_distances(&line, &body)) - simd_load(&lanes->radius[i]);
        float near = least_lane(simd_select(tested, gap, simd_set(FAR)));
        least = near < least ? near : least;
    }
    return least - radius;
}

static float self_clearance(const tr_reach *reach, const tr_vec3 points[4]) {
    line_lanes upper = line_of(points[0], points[1]), hand = line_of(points[2], points[3]);
    return sqrtf(line_distances(&upper, &hand)[0]) - reach->arm.radius[0] - reach->arm.radius[2];
}

void tr_reach_link_ends(const tr_reach *reach, uint32_t link, const tr_vec3 points[4], tr_vec3 *a,
                        tr_vec3 *b) {
    *a = points[link], *b = points[link + 1];
    if (link == 0 && reach->ignore_shoulder > 0) {
        float share = reach->ignore_shoulder / reach->arm.length[0];
        *a = tr_vec3_add(*a, tr_vec3_scale(tr_vec3_subtract(*b, *a), share < 1 ? share : 1));
    }
}

// With the link grown by `margin`; as tr_solid_clearance.
static float link_clearance(const tr_reach *reach, uint32_t link, const tr_vec3 points[4], float margin,
                            float enough) {
    tr_solid_capsule capsule;
    tr_reach_link_ends(reach, link, points, &capsule.a, &capsule.b);
    capsule.radius = reach->arm.radius[link] + margin;
    float clearance = reach->solid ? tr_solid_clearance(reach->solid, &capsule, enough) : FAR;
    if (clearance >= 0 && reach->tested_links >> link & 1) {
        float body = body_clearance(reach, link, capsule.a, capsule.b, capsule.radius);
        clearance = body < clearance ? body : clearance;
    }
    return clearance;
}

static float trunk_clearance(const tr_reach *reach, float margin, float enough) {
    float least = FAR;
    for (uint32_t i = 0; i < reach->body_count && reach->solid; i++) {
        if (!reach->bodies[i].on_trunk || !reach->bodies[i].hits_scene)
            continue;
        const reach_lanes *lanes = &reach->lanes;
        tr_vec3 a = {lanes->start[0][i], lanes->start[1][i], lanes->start[2][i]};
        tr_vec3 along = {lanes->along[0][i], lanes->along[1][i], lanes->along[2][i]};
        tr_solid_capsule capsule = {a, tr_vec3_add(a, along), lanes->radius[i] + margin};
        float clearance = tr_solid_clearance(reach->solid, &capsule, enough);
        least = clearance < least ? clearance : least;
    }
    return least;
}

// If the trunk moves, its capsules move with it.
static void follow_trunk(tr_reach *reach, const tr_posture *posture) {
    tr_arm_place place = tr_arm_put(&reach->arm, posture);
    tr_reach_set_lanes(reach, &place.trunk);
}

static float part_clearance(tr_reach *reach, uint32_t part, const tr_vec3 points[4], float margin,
                            float enough) {
    if (part < TR_ARM_LINKS)
        return link_clearance(reach, part, points, margin, enough);
    if (part == 3)
        return reach->self ? self_clearance(reach, points) - margin : FAR;
    return reach->has_help ? trunk_clearance(reach, margin, enough) : FAR;
}

// The hand first: it touches most often.
static const uint8_t part_order[REACH_PARTS] = {2, 1, 0, 3, 4};

// The parts that are not certified so far because they are nearer to something than their `need` [m];
// REACH_TOUCHES: a part is nearer than the margin.
static uint32_t check_parts(tr_reach *reach, const tr_posture *posture, const tr_vec3 points[4],
                            uint32_t parts, const float need[REACH_PARTS]) {
    reach->result.checks++;
    if (reach->trunk_turns)
        follow_trunk(reach, posture);
    uint32_t left = 0;
    for (uint32_t k = 0; k < REACH_PARTS; k++) {
        uint32_t part = part_order[k];
        if (!(parts >> part & 1))
            continue;
        float enough = need[part] - reach->margin - reach->slack;
        float clearance =
            part_clearance(reach, part, points, reach->margin, enough > LEAST_NEED ? enough : LEAST_NEED);
        if (!(clearance >= 0))
            return REACH_TOUCHES;
        if (clearance + reach->margin + reach->slack < need[part])
            left |= 1u << part;
        if (clearance + reach->margin < reach->result.clearance)
            reach->result.clearance = clearance + reach->margin;
    }
    return left;
}

bool tr_reach_is_clear(tr_reach *reach, const tr_posture *posture, uint32_t parts) {
    static const float nothing[REACH_PARTS] = {0};
    tr_vec3 points[4];
    tr_arm_points(&reach->arm, posture, points);
    return check_parts(reach, posture, points, parts, nothing) != REACH_TOUCHES;
}

float tr_reach_clearance(tr_reach *reach, const tr_posture *posture, float enough) {
    tr_vec3 points[4];
    float odd = 0;
    for (int i = 0; i < TR_ARM_ANGLES; i++)
        odd += posture->q[i] * 0; // NaN if an angle is not finite
    if (odd != 0)
        return -INFINITY;
    tr_arm_points(&reach->arm, posture, points);
    if (reach->trunk_turns)
        follow_trunk(reach, posture);
    float least = FAR;
    for (uint32_t k = 0; k < REACH_PARTS && least >= 0; k++) {
        float clearance = part_clearance(reach, part_order[k], points, 0, enough);
        least = clearance < least || !(clearance == clearance) ? clearance : least;
    }
    return least;
}

// Reads the clock every few checks; a deadline that has passed once stays passed.
bool tr_reach_out_of_budget(tr_reach *reach) {
    if (reach->checks_max > 0 && reach->result.checks >= reach->checks_max)
        return true;
    if (reach->deadline > 0 && !reach->late && reach->result.checks - reach->looked_at >= CHECKS_PER_LOOK) {
        reach->looked_at = reach->result.checks;
        reach->late = tr_clock_nanoseconds() > reach->deadline;
    }
    return reach->late;
}

// The distance that each part moves within a stretch is the room that it needs in the middle. Parts of the
// trunk that the links are tested against move as well.
static uint32_t check_stretch(tr_reach *reach, const tr_arm_stretch *stretch, uint32_t parts) {
    tr_arm_stretch_bound bound = tr_arm_stretch_measure(&reach->arm, stretch, reach->trunk_reach);
    float need[REACH_PARTS];
    for (int link = 0; link < TR_ARM_LINKS; link++)
        need[link] = bound.link[link] + bound.trunk;
    need[3] = bound.hand;
    need[4] = bound.trunk;
    return check_parts(reach, stretch->middle, bound.points, parts, need);
}

// Halves the rest of a stretch. false: there are too many stretches.
static bool split(tr_reach *reach, const reach_stretch *now, uint32_t parts, uint32_t *tail, uint32_t most) {
    if (*tail + 2 > most)
        return false;
    float half = 0.5f * now->width;
    reach->queue[(*tail)++] = (reach_stretch){now->begin, half, parts};
    reach->queue[(*tail)++] = (reach_stretch){now->begin + half, half, parts};
    return true;
}

// Stretches wait in a queue, so that the middles of long ones are tested first: this finds obstacles early.
bool tr_reach_edge(tr_reach *reach, const tr_posture *a, const tr_posture *b) {
    uint32_t tail = 1;
    reach->queue[0] = (reach_stretch){0, 1, REACH_ALL};
    for (uint32_t head = 0; head < tail; head++) {
        const reach_stretch now = reach->queue[head];
        tr_posture begin = tr_reach_between(a, b, now.begin),
                   end = tr_reach_between(a, b, now.begin + now.width),
                   middle = tr_reach_between(a, b, now.begin + 0.5f * now.width);
        tr_arm_stretch stretch = {&begin, &middle, &end, NULL};
        uint32_t left = check_stretch(reach, &stretch, now.parts);
        if (left == REACH_TOUCHES || (left != 0 && !split(reach, &now, left, &tail, REACH_EDGE_MAX)))
            return false;
    }
    return true;
}

// The second derivative of a spline changes linearly from knot to knot, from one second difference of the
// knots to the next; it is 0 at the ends.
static tr_posture bends_of(const tr_arm_path *arm_path, uint32_t segment, float half) {
    tr_posture bend = {{0}};
    for (uint32_t k = segment; k <= segment + 1; k++)
        for (int i = 0; i < TR_ARM_ANGLES && k > 0 && k + 1 < arm_path->count; i++) {
            float second = fabsf(arm_path->knots[k - 1].q[i] - 2 * arm_path->knots[k].q[i] +
                                 arm_path->knots[k + 1].q[i]);
            second *= half * half;
            bend.q[i] = second > bend.q[i] ? second : bend.q[i];
        }
    return bend;
}

uint32_t tr_reach_certify(tr_reach *reach, const tr_arm_path *arm_path, double begin, double end,
                          uint8_t *bad) {
    uint32_t tail = 0, touching = 0;
    // Each segment is a stretch of its own: between knots the second derivative is bounded by two of them.
    for (double u = begin; u < end && tail < REACH_QUEUE_MAX;) {
        double next = floor(u) + 1 < end ? floor(u) + 1 : end;
        reach->queue[tail++] = (reach_stretch){(float)u, (float)(next - u), REACH_ALL};
        u = next;
    }
    for (uint32_t head = 0; head < tail; head++) {
        const reach_stretch now = reach->queue[head];
        double middle = now.begin + 0.5 * (double)now.width;
        uint32_t segment = (uint32_t)middle;
        if (bad && bad[segment])
            continue;
        tr_posture at = tr_arm_path_at(arm_path, middle, NULL),
                   first = tr_arm_path_at(arm_path, now.begin, NULL),
                   last = tr_arm_path_at(arm_path, (double)now.begin + now.width, NULL);
        tr_posture bend =
            bends_of(arm_path, segment + 1 < arm_path->count ? segment : segment - 1, 0.50001f * now.width);
        tr_arm_stretch stretch = {&first, &at, &last, &bend};
        uint32_t left = check_stretch(reach, &stretch, now.parts);
        if (left == REACH_TOUCHES || (left != 0 && !split(reach, &now, left, &tail, REACH_QUEUE_MAX))) {
            if (!bad)
                return 1;
            bad[segment] = 1;
            touching++;
        }
    }
    return touching;
}

// In an empty world no other test would notice.
static bool is_finite(const tr_arm_path *arm_path) {
    for (uint32_t k = 0; k < arm_path->count; k++)
        for (int i = 0; i < TR_ARM_ANGLES; i++)
            if (!isfinite(arm_path->knots[k].q[i]))
                return false;
    return arm_path->count > 0;
}

bool tr_reach_is_free(tr_reach *reach, const tr_arm_path *arm_path, double begin, double end) {
    float kept = reach->margin, least = reach->result.clearance;
    uint32_t checks = reach->result.checks;
    double last = arm_path->count > 0 ? arm_path->count - 1 : 0;
    begin = begin > 0 ? begin : 0, end = end < last ? end : last;
    // No more than the margin next to the tightest start: a path that was found stays free.
    reach->margin = reach->margin_wanted < REACH_LEAST_MARGIN ? reach->margin_wanted : REACH_LEAST_MARGIN;
    bool free = begin <= end && is_finite(arm_path);
    if (free && begin == end) {
        tr_posture posture = tr_arm_path_at(arm_path, begin, NULL);
        free = tr_reach_is_clear(reach, &posture, REACH_ALL);
    }
    while (free && begin < end) { // no more at a time than the queue has room for
        double next = floor(begin) + SEGMENTS_AT_ONCE < end ? floor(begin) + SEGMENTS_AT_ONCE : end;
        free = tr_reach_certify(reach, arm_path, begin, next, NULL) == 0;
        begin = next;
    }
    reach->margin = kept, reach->result.clearance = least, reach->result.checks = checks;
    return free;
}
