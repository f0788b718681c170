// Is the arm free: at a posture, along an edge, along a sweep.
//
// A stretch is certified part by part: a part that is further from everything than it can move in half the
// stretch cannot touch anything in it. What is not far enough is looked at again in the two halves.
#define SIMD_LANES 4
#include "base/simd.h"
#include "reach_data.h"
#include "troupe/base/clock.h"

#include <math.h>

#define LEAST_NEED 1e-6f // [m]
#define FAR 1e6f
#define SPEED_STEP 0.125f    // of half a stretch
#define SPEED_ROUNDING 4e-7f // [m] of two points

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

// Squared distances between lines, lane by lane (Ericson, Real-Time Collision Detection, 5.1.9). Lines
// without length are points.
static simd_float line_distances(const line_lanes *p, const line_lanes *q) {
    const simd_float tiny = simd_set(1e-20f);
    simd_float from[3];
    for (int axis = 0; axis < 3; axis++)
        from[axis] = p->start[axis] - q->start[axis];
    simd_float b = dot(p->along, q->along), c = dot(p->along, from), f = dot(q->along, from);
    simd_float denominator = p->square * q->square - b * b;
    simd_int crossing = denominator > p->square * q->square * 1e-7f + tiny;
    simd_float s = clamp_unit((b * f - c * q->square) / simd_select(crossing, denominator, simd_set(1)));
    s = simd_select(crossing, s, simd_set(0));
    simd_float t = clamp_unit((b * s + f) / simd_max(q->square, tiny));
    s = clamp_unit((b * t - c) / simd_max(p->square, tiny));
    simd_float gap[3];
    for (int axis = 0; axis < 3; axis++)
        gap[axis] = from[axis] + p->along[axis] * s - q->along[axis] * t;
    return dot(gap, gap);
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

// From the surface of the link to the nearest part of the body.
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

// The line of a link that is tested: the upper arm may leave out what is inside the shoulder.
static void link_ends(const tr_reach *reach, uint32_t link, const tr_vec3 points[4], tr_vec3 *a, tr_vec3 *b) {
    *a = points[link], *b = points[link + 1];
    if (link == 0 && reach->ignore_shoulder > 0) {
        float share = reach->ignore_shoulder / reach->arm.length[0];
        *a = tr_vec3_add(*a, tr_vec3_scale(tr_vec3_subtract(*b, *a), share < 1 ? share : 1));
    }
}

// Grown by `margin`; as tr_solid_clearance.
static float link_clearance(const tr_reach *reach, uint32_t link, const tr_vec3 points[4], float margin,
                            float enough) {
    tr_solid_capsule capsule;
    link_ends(reach, link, points, &capsule.a, &capsule.b);
    capsule.radius = reach->arm.radius[link] + margin;
    float clearance = FAR;
    if (reach->body_count > 0)
        clearance = body_clearance(reach, link, capsule.a, capsule.b, capsule.radius);
    if (reach->solid && clearance >= 0) {
        float scene = tr_solid_clearance(reach->solid, &capsule, enough);
        clearance = scene < clearance ? scene : clearance;
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

// Where the trunk moves, its capsules move with it.
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

// The hand first: it is what touches most often.
static const uint8_t part_order[REACH_PARTS] = {2, 1, 0, 3, 4};

// Which of the parts are not certified so far: nearer to something than `need` says [m, each]; REACH_TOUCHES
// when one is nearer than the margin.
static uint32_t check_parts(tr_reach *reach, const tr_posture *posture, const tr_vec3 points[4],
                            uint32_t parts, const float need[REACH_PARTS]) {
    reach->result.checks++;
    if (reach->has_help && reach->trunk_count > 0)
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
    for (int i = 0; i < TR_ARM_ANGLES; i++)
        if (!isfinite(posture->q[i]))
            return -INFINITY;
    tr_arm_points(&reach->arm, posture, points);
    if (reach->has_help && reach->trunk_count > 0)
        follow_trunk(reach, posture);
    float least = FAR;
    for (uint32_t k = 0; k < REACH_PARTS && least >= 0; k++) {
        float clearance = part_clearance(reach, part_order[k], points, 0, enough);
        least = clearance < least || !(clearance == clearance) ? clearance : least;
    }
    return least;
}

bool tr_reach_out_of_budget(const tr_reach *reach) {
    if (reach->checks_max > 0 && reach->result.checks >= reach->checks_max)
        return true;
    return reach->deadline > 0 && (reach->result.checks & 15) == 0 &&
           tr_clock_nanoseconds() > reach->deadline;
}

// A stretch of a path around a posture, as long as the path goes on for `half` in both directions: angles
// change at `rate`, and `rate` changes by no more than `bend` (each for a change of the path's own measure by
// one).
typedef struct stretch_motion {
    const tr_posture *posture, *rate;
    const float *bend; // NULL: none
    float half;
} stretch_motion;

// How far each part can move when every angle changes by no more than its rate says, whatever the posture.
// The hand against the upper arm moves by the joints between them alone.
static void needs_anywhere(const tr_reach *reach, const stretch_motion *motion, float need[REACH_PARTS]) {
    float bound[4];
    const float *length = reach->arm.length;
    tr_posture change;
    for (int i = 0; i < TR_ARM_ANGLES; i++)
        change.q[i] = (fabsf(motion->rate->q[i]) + (motion->bend ? motion->bend[i] * motion->half : 0)) *
                      motion->half * 1.0001f;
    tr_arm_bound(&reach->arm, &change, reach->trunk_reach, bound);
    for (int link = 0; link < TR_ARM_LINKS; link++)
        need[link] = bound[link];
    const float *q = change.q;
    need[3] = q[TR_ELBOW_FLEXION] * (length[1] + length[2]) +
              (q[TR_FOREARM_PRONATION] + q[TR_WRIST_FLEXION] + q[TR_WRIST_DEVIATION]) * length[2];
    need[4] = bound[3];
    if (!reach->has_help)
        return;
    // Parts of the trunk that the links are tested against move as well.
    for (int link = 0; link < TR_ARM_LINKS; link++)
        need[link] += bound[3];
}

// Bounds of the second derivative of elbow, wrist and tip, from rates that stay what they are: each pair of
// joints adds the product of their rates times the reach from the further one.
static void accelerations(const tr_arm *arm, const float *rate, const float *bend, float bound[3]) {
    const float *length = arm->length;
    float swing = fabsf(rate[0]) + fabsf(rate[1]), turn = fabsf(rate[2]) + fabsf(rate[3]),
          hand = fabsf(rate[4]) + fabsf(rate[5]) + fabsf(rate[6]);
    float fore = length[1] + length[2], arm_length = length[0] + length[1];
    bound[0] = swing * swing * length[0];
    bound[1] = swing * swing * arm_length + (2 * swing + turn) * turn * length[1];
    bound[2] = swing * swing * (arm_length + length[2]) + (2 * swing + turn) * turn * fore +
               (2 * (swing + turn) + hand) * hand * length[2];
    if (!bend)
        return;
    float swing_bend = bend[0] + bend[1], turn_bend = bend[2] + bend[3];
    bound[0] += swing_bend * length[0];
    bound[1] += swing_bend * arm_length + turn_bend * length[1];
    bound[2] +=
        swing_bend * (arm_length + length[2]) + turn_bend * fore + (bend[4] + bend[5] + bend[6]) * length[2];
}

// Closer, from where the joints are now: a point moves by its speed in the middle times the half, and half
// its acceleration times the square. Its speed is measured over a small step ahead, in which the acceleration
// may have hidden a little of it.
static void needs_here(const tr_reach *reach, const stretch_motion *motion, const tr_vec3 points[4],
                       float need[REACH_PARTS]) {
    float bound[3], step = SPEED_STEP * motion->half;
    tr_posture ahead = *motion->posture;
    for (int i = 0; i < TR_ARM_JOINTS; i++)
        ahead.q[i] += motion->rate->q[i] * step;
    tr_vec3 moved[4];
    tr_arm_points(&reach->arm, &ahead, moved);
    accelerations(&reach->arm, motion->rate->q, motion->bend, bound);
    float before = 0; // how far the nearer end of the link moves
    for (int link = 0; link < TR_ARM_LINKS; link++) {
        float way = tr_vec3_length(tr_vec3_subtract(moved[link + 1], points[link + 1])) + SPEED_ROUNDING;
        float speed = way / step + 0.5f * bound[link] * step;
        float far = (speed + 0.5f * bound[link] * motion->half) * motion->half;
        float most = far > before ? far : before;
        need[link] = most < need[link] ? most : need[link];
        before = far;
    }
}

static uint32_t check_stretch(tr_reach *reach, const stretch_motion *motion, uint32_t parts) {
    float need[REACH_PARTS];
    tr_vec3 points[4];
    tr_arm_points(&reach->arm, motion->posture, points);
    needs_anywhere(reach, motion, need);
    if (!reach->has_help)
        needs_here(reach, motion, points, need);
    return check_parts(reach, motion->posture, points, parts, need);
}

// Halve what is left of a stretch. false: there are too many.
static bool split(tr_reach *reach, const reach_stretch *now, uint32_t parts, uint32_t *tail, uint32_t most) {
    if (*tail + 2 > most)
        return false;
    float half = 0.5f * now->width;
    reach->queue[(*tail)++] = (reach_stretch){now->begin, half, parts};
    reach->queue[(*tail)++] = (reach_stretch){now->begin + half, half, parts};
    return true;
}

// Stretches wait in a queue, so that the middles of long ones are looked at first: what is in the way is
// found early.
bool tr_reach_edge(tr_reach *reach, const tr_posture *a, const tr_posture *b) {
    tr_posture rate, posture;
    for (int i = 0; i < TR_ARM_ANGLES; i++)
        rate.q[i] = b->q[i] - a->q[i];
    uint32_t tail = 1;
    reach->queue[0] = (reach_stretch){0, 1, REACH_ALL};
    for (uint32_t head = 0; head < tail; head++) {
        const reach_stretch now = reach->queue[head];
        posture = tr_reach_between(a, b, now.begin + 0.5f * now.width);
        stretch_motion motion = {&posture, &rate, NULL, 0.50001f * now.width};
        uint32_t left = check_stretch(reach, &motion, now.parts);
        if (left == REACH_TOUCHES || (left != 0 && !split(reach, &now, left, &tail, REACH_EDGE_MAX)))
            return false;
    }
    return true;
}

// The second derivative of a spline changes steadily from knot to knot, from one second difference of the
// knots to the next; it is 0 at the ends.
static void bends_of(const tr_sweep *sweep, uint32_t segment, float bend[TR_ARM_ANGLES]) {
    for (int i = 0; i < TR_ARM_ANGLES; i++)
        bend[i] = 0;
    for (uint32_t k = segment; k <= segment + 1; k++)
        for (int i = 0; i < TR_ARM_ANGLES && k > 0 && k + 1 < sweep->count; i++) {
            float second =
                fabsf(sweep->knots[k - 1].q[i] - 2 * sweep->knots[k].q[i] + sweep->knots[k + 1].q[i]);
            bend[i] = second > bend[i] ? second : bend[i];
        }
}

uint32_t tr_reach_certify(tr_reach *reach, const tr_sweep *sweep, double begin, double end, uint8_t *bad) {
    uint32_t tail = 0, touching = 0;
    // Segments are stretches of their own: between knots the second derivative is bounded by two of them.
    for (double u = begin; u < end && tail < REACH_QUEUE_MAX;) {
        double next = floor(u) + 1 < end ? floor(u) + 1 : end;
        reach->queue[tail++] = (reach_stretch){(float)u, (float)(next - u), REACH_ALL};
        u = next;
    }
    for (uint32_t head = 0; head < tail; head++) {
        const reach_stretch now = reach->queue[head];
        double middle = now.begin + 0.5 * (double)now.width;
        float bend[TR_ARM_ANGLES];
        uint32_t segment = (uint32_t)middle;
        if (bad && bad[segment])
            continue;
        tr_posture rate, posture = tr_sweep_at(sweep, middle, &rate);
        bends_of(sweep, segment + 1 < sweep->count ? segment : segment - 1, bend);
        stretch_motion motion = {&posture, &rate, bend, 0.50001f * now.width};
        uint32_t left = check_stretch(reach, &motion, now.parts);
        if (left == REACH_TOUCHES || (left != 0 && !split(reach, &now, left, &tail, REACH_QUEUE_MAX))) {
            if (!bad)
                return 1;
            bad[segment] = 1;
            touching++;
        }
    }
    return touching;
}

bool tr_reach_is_free(tr_reach *reach, const tr_sweep *sweep, double begin, double end) {
    float kept = reach->margin, least = reach->result.clearance;
    uint32_t checks = reach->result.checks;
    double last = sweep->count > 0 ? sweep->count - 1 : 0;
    begin = begin > 0 ? begin : 0, end = end < last ? end : last;
    reach->margin = reach->margin_wanted < 1e-4f ? reach->margin_wanted : 1e-4f;
    bool free = sweep->count > 0 && begin <= end;
    if (free && begin == end) {
        tr_posture posture = tr_sweep_at(sweep, begin, NULL);
        free = tr_reach_is_clear(reach, &posture, REACH_ALL);
    } else if (free) {
        free = tr_reach_certify(reach, sweep, begin, end, NULL) == 0;
    }
    reach->margin = kept, reach->result.clearance = least, reach->result.checks = checks;
    return free;
}
