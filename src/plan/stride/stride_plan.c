// Plans a step: the lowest curve of the ankle whose sole clears the ground, the pelvis that both legs reach,
// and both legs against what stands beside them. Where a leg touches, the curve is lifted further.
#include "stride_columns.h"
#include "stride_data.h"
#include "stride_limits.h"
#include "troupe/base/scalar.h"

#define SAMPLES 16       // of a swing
#define BETWEEN 2        // places between them that are looked at once the curve is chosen
#define USUAL_LIFT 0.03f // of the control points of a swing over level ground [m]
#define TURNS 4          // how often a curve is lifted further because a leg touches
#define CLOSE 1e-4f      // [m]
#define ENOUGH_LIFT                                                                                          \
    0.1f              // a curve whose control points need no more, together, is not compared with others [m]
#define STRAIGHT 0.1f // a curve that is lifted less, at both control points together, has no sharp bends [m]
#define WORTH 0.03f   // by how much another curve must be lower [m]

// How far ahead of the place where the foot leaves the ground the first handle is, and how far before the
// place where it lands the second is, in lengths of the step. Negative: the foot draws back before it rises
// along a riser, or reaches beyond an edge before it sinks.
static const float handles[] = {1.0f / 3, 0, -0.25f};
#define HANDLES 3

typedef struct plan_sample {
    float share, s;   // of the step, of the swing
    float weights[2]; // how far a lift of each control point lifts the ankle
    stride_sole sole; // without lift
    float aside;      // of the ankle
    tr_vec3 hip;      // of the swinging leg; its height is that of the pelvis
    float stand_hip;  // aside, of the standing leg
    stride_sole stance;
} plan_sample;

typedef struct plan_work {
    const tr_stride_query *query;
    const stride_limits *limits;
    tr_stride *stride;
    plan_sample samples[SAMPLES + 1];
    float lift[2]; // of both control points [m]
    float bump;    // of the pelvis, as far as the standing foot allows [m]
    float floor;   // the lowest of the three footsteps [m]
    float high;    // the highest thing beside the step in the lane of the swinging foot [m]
    bool open;     // there is no overhang
    bool level;    // nothing reaches a leg
} plan_work;

stride_limits tr_stride_limits_of(const tr_stride_body *body) {
    double back, front, up, down, knee, unused;
    tr_sin_cos((double)body->hip_back, &back, &unused);
    tr_sin_cos((double)body->hip_front, &unused, &front);
    tr_sin_cos((double)body->ankle_up, &up, &unused);
    tr_sin_cos((double)body->ankle_down, &down, &unused);
    tr_sin_cos((double)body->knee_most, &unused, &knee);
    float a = body->thigh, b = body->shin, square = a * a + b * b + 2 * a * b * (float)knee;
    return (stride_limits){sqrtf(square > 0 ? square : 0), (float)back, (float)front, (float)up, (float)down};
}

// Columns from..to of a lane that lie in an interval; false: none.
static inline bool columns_in(const tr_stride_lane *lane, float low, float high, uint32_t *from,
                              uint32_t *to) {
    if (!(high >= 0) || lane->columns == 0)
        return false;
    float per = 1 / lane->cell, end = high * per;
    *from = low > 0 ? (uint32_t)(low * per) : 0;
    *to = end < (float)lane->columns ? (uint32_t)end + 1 : lane->columns;
    return *from < *to;
}

static float highest_in(const tr_stride_lane *lane, float low, float high) {
    uint32_t from, to;
    return lane->top && columns_in(lane, low, high, &from, &to) ? columns_highest(lane->top, from, to)
                                                                : -INFINITY;
}

static float lowest_over(const tr_stride_lane *lane, float low, float high) {
    uint32_t from, to;
    return lane->under && columns_in(lane, low, high, &from, &to) ? columns_lowest(lane->under, from, to)
                                                                  : INFINITY;
}

// --- The curve of the ankle ---

static void set_curve(plan_work *work, const stride_sole *from, const stride_sole *to) {
    tr_stride *stride = work->stride;
    stride->along[0] = from->along, stride->along[3] = to->along;
    stride->up[0] = from->up, stride->up[1] = from->up + USUAL_LIFT;
    stride->up[2] = to->up + USUAL_LIFT, stride->up[3] = to->up;
    stride->along[1] = from->along, stride->along[2] = to->along;
    for (int i = 0; i <= SAMPLES; i++) {
        plan_sample *sample = &work->samples[i];
        float s = sample->s, left = 1 - s;
        sample->weights[0] = 3 * s * left * left, sample->weights[1] = 3 * s * s * left;
        sample->sole = tr_stride_swing_at(work->query->body, stride, sample->share);
        sample->aside = stride_swing_aside(stride, sample->share);
    }
}

static void set_handles(plan_work *work, float first, float second) {
    tr_stride *stride = work->stride;
    float from = stride->along[0], to = stride->along[3], way = to - from;
    stride->along[1] = from + first * way;
    stride->along[2] = to - second * way;
    for (int i = 1; i < SAMPLES; i++) {
        plan_sample *sample = &work->samples[i];
        float s = sample->s, left = 1 - s;
        sample->sole.along = left * left * left * from + sample->weights[0] * stride->along[1] +
                             sample->weights[1] * stride->along[2] + s * s * s * to;
    }
}

static inline float lift_at(const plan_work *work, const plan_sample *sample) {
    return work->lift[0] * sample->weights[0] + work->lift[1] * sample->weights[1];
}

static void lift_curve(plan_work *work, float first, float second) {
    tr_stride *stride = work->stride;
    work->lift[0] += first, work->lift[1] += second;
    stride->up[1] += first, stride->up[2] += second;
    stride->lift = 0.5f * (work->lift[0] + work->lift[1]);
}

// The lower side of a foot: from the heel to the ball and on to the tip, or the other way round.
typedef struct sole_line {
    float along[3], up[3]; // in the order of `along`
} sole_line;

static sole_line line_of_sole(const plan_work *work, const stride_sole *sole) {
    const tr_stride_body *body = work->query->body;
    float facing = work->query->facing;
    sole_line line;
    int heel = facing > 0 ? 0 : 2;
    line.along[heel] = stride_sole_along(sole, body, facing, -body->heel);
    line.up[heel] = stride_sole_up(sole, body, facing, -body->heel);
    line.along[1] = stride_sole_along(sole, body, facing, body->ball);
    line.up[1] = stride_sole_up(sole, body, facing, body->ball);
    stride_tip(sole, body, facing, &line.along[2 - heel], &line.up[2 - heel]);
    return line;
}

// How far columns stick out of the line from a to b, each (along, up), between two places. A line across a
// column counts with its lower end.
static float stick_out(const tr_stride_lane *lane, const float *values, const float a[2], const float b[2],
                       uint32_t from, uint32_t to) {
    float way = b[0] - a[0], rise = fabsf(way) > 1e-4f ? (b[1] - a[1]) / way * lane->cell : 0;
    float low = stride_low(a[1], b[1]), high = rise == 0 ? low : stride_high(a[1], b[1]);
    float at = a[1] + rise * ((float)from + 0.5f - a[0] / lane->cell) - 0.5f * fabsf(rise);
    return columns_over_line(values, from, to, at, rise, low, high);
}

// How far the sole is below what it must clear while it moves between two places.
static float sole_lacks(const plan_work *work, const sole_line *line, float back, float ahead, float room) {
    const tr_stride_lane *lane = &work->query->swing;
    float lowest = stride_low(line->up[0], stride_low(line->up[1], line->up[2]));
    uint32_t from, to;
    if (work->high + room <= lowest || !lane->top ||
        !columns_in(lane, line->along[0] - back, line->along[2] + ahead, &from, &to))
        return -INFINITY;
    uint32_t middle = line->along[1] > 0 ? (uint32_t)(line->along[1] / lane->cell) : 0;
    middle = middle < from ? from : middle < to ? middle : to - 1;
    const float points[3][2] = {
        {line->along[0], line->up[0]}, {line->along[1], line->up[1]}, {line->along[2], line->up[2]}};
    float rear = stick_out(lane, lane->top, points[0], points[1], from, middle + 1);
    float front = stick_out(lane, lane->top, points[1], points[2], middle, to);
    return room + stride_high(rear, front);
}

static float room_of(const plan_work *work, float weight) {
    return work->query->clear * stride_low(weight / 0.35f, 1);
}

// At a sample of a curve that is not lifted. The columns between this sample and the next belong to both.
static float sample_lacks(const plan_work *work, int i) {
    const plan_sample *sample = &work->samples[i];
    sole_line line = line_of_sole(work, &sample->sole);
    float before = fabsf(work->samples[i - 1].sole.along - sample->sole.along);
    float after = fabsf(work->samples[i + 1].sole.along - sample->sole.along);
    float more = 0.5f * stride_high(before, after);
    return sole_lacks(work, &line, more, more, room_of(work, sample->weights[0] + sample->weights[1]));
}

// In which shares both control points are lifted.
static const float splits[][2] = {{1, 1}, {1, 0.3f}, {0.3f, 1}, {1, 0}, {0, 1}};
#define SPLITS (sizeof splits / sizeof splits[0])

// The least lift of the control points, together, that takes the sole over the ground. `critical` receives
// the sample that needs it.
static float least_lift(plan_work *work, float lift[2], int *critical) {
    float lacks[SAMPLES], best = 0;
    lift[0] = lift[1] = 0;
    bool any = false;
    for (int i = 1; i < SAMPLES; i++) {
        lacks[i] = sample_lacks(work, i);
        any = any || lacks[i] > 0;
    }
    for (uint32_t k = 0; k < SPLITS && any; k++) {
        float needed = 0, sum = splits[k][0] + splits[k][1];
        int at = 0;
        for (int i = 1; i < SAMPLES; i++) {
            const float *weights = work->samples[i].weights;
            float weight = weights[0] * splits[k][0] + weights[1] * splits[k][1];
            if (lacks[i] > needed * weight)
                needed = lacks[i] / weight, at = i;
        }
        if (k == 0 || needed * sum < best) {
            best = needed * sum;
            lift[0] = needed * splits[k][0], lift[1] = needed * splits[k][1];
            *critical = at;
        }
    }
    return best;
}

// Between the samples, where a curve that bends sharply may be lower than at both: it is lifted further.
static bool lift_between(plan_work *work) {
    tr_stride *stride = work->stride;
    float more = 0, limit = STRIDE_LIFT_MOST * stride_leg(work->query->body);
    for (int i = 0; i < SAMPLES * BETWEEN; i++) {
        float s = ((float)i + 0.5f) / (SAMPLES * BETWEEN), weight = 3 * s * (1 - s);
        stride_sole sole = tr_stride_swing_at(work->query->body, stride, STRIDE_BOTH + (1 - STRIDE_BOTH) * s);
        sole_line line = line_of_sole(work, &sole);
        float lacks = sole_lacks(work, &line, 0, 0, room_of(work, weight));
        more = lacks > more * weight ? lacks / weight : more;
    }
    if (stride->lift + more > limit)
        return false;
    if (more > 0)
        lift_curve(work, more, more);
    return true;
}

// The form of the curve that needs the least lift: the end at which it lacks most is given another handle.
static bool choose_curve(plan_work *work) {
    const tr_stride_query *query = work->query;
    stride_sole from = tr_stride_sole_of(query->body, query->facing, &work->stride->from, work->stride->off);
    stride_sole to =
        tr_stride_sole_of(query->body, query->facing, &work->stride->to, work->stride->end.front);
    float best = INFINITY, lift[2] = {0, 0}, limit = STRIDE_LIFT_MOST * stride_leg(query->body);
    uint32_t numbers[2] = {0, 0}, chosen[2] = {0, 0};
    set_curve(work, &from, &to);
    for (;;) {
        float other[2];
        int critical = 0;
        set_handles(work, handles[numbers[0]], handles[numbers[1]]);
        float needed = least_lift(work, other, &critical);
        if (needed < best - WORTH) { // an unusual form must be worth it
            best = needed;
            chosen[0] = numbers[0], chosen[1] = numbers[1];
            lift[0] = other[0], lift[1] = other[1];
        }
        uint32_t end = critical < SAMPLES / 2 ? 0 : 1;
        bool near = critical <= SAMPLES / 3 || critical >= SAMPLES - SAMPLES / 3;
        if (needed <= ENOUGH_LIFT || !near || ++numbers[end] == HANDLES)
            break;
    }
    if (!(lift[0] <= limit && lift[1] <= limit))
        return false;
    if (chosen[0] != numbers[0] || chosen[1] != numbers[1])
        set_handles(work, handles[chosen[0]], handles[chosen[1]]);
    lift_curve(work, lift[0], lift[1]);
    return best <= STRAIGHT || lift_between(work);
}

// --- The pelvis ---

static float ceiling_of(const tr_stride_body *body, const tr_vec3 *hip, const stride_sole *sole,
                        float aside) {
    float reach = STRIDE_REACH * stride_leg(body), along = hip->z - sole->along, across = hip->x - aside;
    float square = reach * reach - along * along - across * across;
    return square > 0 ? sole->up + sqrtf(square) : -INFINITY;
}

bool tr_stride_respect(tr_stride *stride, float share, float ceiling) {
    float hump = stride_hump(share),
          base = stride->start.height + (stride->end.height - stride->start.height) * stride_ease(share);
    if (base + stride->bump * hump <= ceiling)
        return true;
    if (!(hump > 1e-3f))
        return base <= ceiling + 5e-3f;
    stride->bump = stride_low(stride->bump, (ceiling - base) / hump);
    return true;
}

// The pelvis over the feet that stand: most steps that legs are too short for fail here, before a curve is
// looked for.
static bool place_pelvis(plan_work *work) {
    const tr_stride_query *query = work->query;
    const tr_stride_body *body = query->body;
    tr_stride *stride = work->stride;
    float leg = stride_leg(body);
    stride->bump = STRIDE_BUMP_MOST * leg;
    for (int i = 1; i <= 4; i++) { // both feet stand
        float share = STRIDE_BOTH * (float)i / 4, along, aside;
        tr_stride_pelvis_at(stride, share, &along, &aside);
        tr_vec3 hip = {stride_hip_aside(body, query->facing, query->side, aside), 0, along};
        stride_sole rear = tr_stride_swing_at(body, stride, share);
        if (!tr_stride_respect(stride, share, ceiling_of(body, &hip, &rear, stride->from.aside)))
            return false;
    }
    for (int i = 0; i <= SAMPLES; i++) {
        plan_sample *sample = &work->samples[i];
        float along, aside;
        sample->s = (float)i / SAMPLES;
        sample->share = STRIDE_BOTH + (1 - STRIDE_BOTH) * sample->s;
        tr_stride_pelvis_at(stride, sample->share, &along, &aside);
        sample->hip = tr_vec3_make(stride_hip_aside(body, query->facing, query->side, aside), 0, along);
        sample->stand_hip = stride_hip_aside(body, query->facing, 1 - query->side, aside);
        sample->stance = tr_stride_stance_at(body, stride, sample->share);
        tr_vec3 stand = {sample->stand_hip, 0, along};
        if (!tr_stride_respect(stride, sample->share,
                               ceiling_of(body, &stand, &sample->stance, stride->stance.aside)))
            return false;
    }
    work->bump = stride->bump;
    return stride->bump >= -STRIDE_BUMP_LEAST * leg;
}

// The swinging leg must reach its foot, too.
static bool reach_swing(plan_work *work) {
    const tr_stride_query *query = work->query;
    tr_stride *stride = work->stride;
    stride->bump = work->bump;
    for (int i = 0; i <= SAMPLES; i++) {
        const plan_sample *sample = &work->samples[i];
        stride_sole swing = sample->sole;
        swing.up += lift_at(work, sample);
        if (!tr_stride_respect(stride, sample->share,
                               ceiling_of(query->body, &sample->hip, &swing, sample->aside)))
            return false;
    }
    return stride->bump >= -STRIDE_BUMP_LEAST * stride_leg(query->body);
}

// --- The legs ---

// Whether the joints of a leg are within their limits. The ankle counts only for a foot that stands.
static bool bends(const plan_work *work, const stride_leg_pose *leg, const stride_sole *sole, bool stands) {
    const stride_limits *limits = work->limits;
    const tr_stride_body *body = work->query->body;
    float facing = work->query->facing;
    tr_vec3 whole = tr_vec3_subtract(leg->ankle, leg->hip), thigh = tr_vec3_subtract(leg->knee, leg->hip);
    if (tr_vec3_dot(whole, whole) < limits->fold * limits->fold)
        return false;
    float ahead = facing * thigh.z;
    if (ahead < -limits->back * body->thigh - CLOSE || (ahead > 0 && -thigh.y < limits->front * body->thigh))
        return false;
    if (!stands)
        return true;
    tr_vec3 shin = tr_vec3_subtract(leg->knee, leg->ankle);
    float toes = shin.z * sole->ahead_along + shin.y * sole->ahead_up;
    return toes <= limits->toes_up * body->shin + CLOSE && toes >= -limits->toes_down * body->shin - CLOSE;
}

// How far the line from a to b, grown by a radius at each end, is below the ground; `overhead` receives
// whether it is above an overhang.
static float line_lacks(const plan_work *work, const tr_stride_lane *lane, const tr_vec3 *a, const tr_vec3 *b,
                        float radius_a, float radius_b, bool *overhead) {
    float radius = stride_high(radius_a, radius_b);
    uint32_t from, to;
    if (!lane->top ||
        !columns_in(lane, stride_low(a->z, b->z) - radius_a, stride_high(a->z, b->z) + radius, &from, &to))
        return -INFINITY;
    const float below[2][2] = {{a->z, a->y - radius_a}, {b->z, b->y - radius_b}};
    if (lane->under && !work->open)
        *overhead = *overhead || columns_lowest(lane->under, from, to) < stride_high(a->y, b->y) + radius;
    return stick_out(lane, lane->top, below[0], below[1], from, to);
}

static tr_stride_reason meets(const plan_work *work, const tr_stride_lane *lane, const stride_leg_pose *leg,
                              float *lacks) {
    float radius = work->query->body->radius;
    bool overhead = false;
    float shin = line_lacks(work, lane, &leg->ankle, &leg->knee, 0.5f * radius, radius, &overhead);
    float thigh = line_lacks(work, lane, &leg->knee, &leg->hip, radius, radius, &overhead);
    *lacks = stride_high(shin, thigh);
    if (shin > 0)
        return TR_STRIDE_SHIN;
    if (thigh > 0)
        return TR_STRIDE_THIGH;
    return overhead ? TR_STRIDE_OVERHEAD : TR_STRIDE_FINE;
}

// Both legs at a sample. `more` receives how much lift would take the swinging leg clear.
static tr_stride_reason check_sample(const plan_work *work, int i, float *more) {
    const tr_stride_query *query = work->query;
    const tr_stride *stride = work->stride;
    const plan_sample *sample = &work->samples[i];
    float height = tr_stride_height_at(stride, sample->share), lacks;
    stride_sole swing = sample->sole;
    swing.up += lift_at(work, sample);
    stride_leg_pose leg = {.hip = {sample->hip.x, height, sample->hip.z},
                           .ankle = {sample->aside, swing.up, swing.along}};
    stride_leg_pose stand = {.hip = {sample->stand_hip, height, sample->hip.z},
                             .ankle = {stride->stance.aside, sample->stance.up, sample->stance.along}};
    const tr_vec3 ahead = {0, 0, query->facing};
    if (!tr_stride_bend(query->body, &ahead, &leg) || !tr_stride_bend(query->body, &ahead, &stand))
        return TR_STRIDE_TOO_FAR;
    if (!bends(work, &leg, &swing, i == SAMPLES) || !bends(work, &stand, &sample->stance, true))
        return TR_STRIDE_FOLDED;
    if (work->level)
        return TR_STRIDE_FINE;
    tr_stride_reason reason = meets(work, &query->stand, &stand, &lacks);
    if (reason != TR_STRIDE_FINE)
        return reason;
    reason = meets(work, &query->swing, &leg, &lacks);
    float weight = sample->weights[0] + sample->weights[1];
    if ((reason == TR_STRIDE_SHIN || reason == TR_STRIDE_THIGH) && weight > 0)
        *more = stride_high(*more, lacks / weight + CLOSE);
    return reason;
}

static tr_stride_reason check_legs(const plan_work *work, float *more) {
    tr_stride_reason worst = TR_STRIDE_FINE;
    *more = 0;
    for (int i = 0; i <= SAMPLES; i++) {
        float lift = 0;
        tr_stride_reason reason = check_sample(work, i, &lift);
        if (reason != TR_STRIDE_FINE && !(lift > 0))
            return reason;
        *more = stride_high(*more, lift);
        worst = reason != TR_STRIDE_FINE ? reason : worst;
    }
    return worst;
}

static tr_stride_reason plan_legs(plan_work *work) {
    tr_stride *stride = work->stride;
    float limit = STRIDE_LIFT_MOST * stride_leg(work->query->body);
    tr_stride_reason reason = TR_STRIDE_FINE;
    for (int turn = 0; turn < TURNS; turn++) {
        float more;
        if (!reach_swing(work))
            return TR_STRIDE_TOO_FAR;
        reason = check_legs(work, &more);
        if (reason == TR_STRIDE_FINE || !(more > 0) || stride->lift + more > limit)
            return reason;
        lift_curve(work, more, more);
    }
    return reason;
}

// --- The step ---

static tr_stride_kind kind_of(const tr_stride *stride, float leg) {
    float rise = stride->to.height - stride->stance.height, level = 0.07f * leg;
    return rise > level ? TR_STRIDE_UP : rise < -level ? TR_STRIDE_DOWN : TR_STRIDE_LEVEL;
}

// How far a foot is rolled when it leaves the ground: the more, the further the hips are ahead of it.
static float roll_off(const tr_stride *stride, const tr_stride_body *body) {
    float leg = stride_leg(body), share = stride->both, along, aside;
    if (stride->facing < 0)
        return 0.04f;
    float ahead = stride_clamp((stride->to.along - stride->from.along) / leg, 0, 2);
    float roll = stride_low(stride_high(stride->start.rear, 0) + 0.12f * ahead + 0.02f, STRIDE_OFF_MOST);
    tr_stride_pelvis_at(stride, share, &along, &aside);
    tr_vec3 hip = {stride_hip_aside(body, stride->facing, stride->side, aside), 0, along};
    float height = stride->start.height + (stride->end.height - stride->start.height) * stride_ease(share);
    for (; roll < STRIDE_OFF_MOST; roll += STRIDE_OFF_STEP) {
        stride_sole sole = tr_stride_sole_of(body, stride->facing, &stride->from, roll);
        if (ceiling_of(body, &hip, &sole, stride->from.aside) >= height)
            break;
    }
    return stride_low(roll, STRIDE_OFF_MOST);
}

tr_stride_reason tr_stride_plan_within(const tr_stride_query *query, const stride_limits *limits,
                                       const tr_stride_stand *end, tr_stride *stride) {
    const tr_stride_body *body = query->body;
    float leg = stride_leg(body);
    *stride = (tr_stride){.from = query->from, .stance = query->stance, .to = query->to};
    stride->start = query->start;
    stride->end = *end;
    stride->side = query->side;
    stride->facing = query->facing;
    stride->both = STRIDE_BOTH;
    stride->across[0] = query->from.aside, stride->across[1] = query->to.aside;
    stride->duration = end->duration;
    stride->kind = kind_of(stride, leg);

    if (end->reason != TR_STRIDE_FINE)
        return end->reason;
    if (query->ground || stride_is_turned(stride))
        return tr_stride_plan_turned(query, limits, stride);
    stride->off = roll_off(stride, body);
    plan_work work = {.query = query, .limits = limits, .stride = stride};
    if (!place_pelvis(&work))
        return TR_STRIDE_TOO_FAR;
    float first = stride_low(query->from.along, query->to.along) - body->toe - body->shin;
    float last = stride_high(query->from.along, query->to.along) + body->toe + body->thigh;
    work.floor = stride_low(stride_low(query->from.height, query->to.height), query->stance.height);
    work.high = highest_in(&query->swing, first, last);
    float beside = highest_in(&query->stand, first, last);
    float over = stride_low(lowest_over(&query->swing, first, last), lowest_over(&query->stand, first, last));
    work.open = over >= work.floor + 2 * leg;
    work.level = work.open && stride_high(work.high, beside) <= work.floor + 0.5f * body->ankle;
    if (!choose_curve(&work))
        return TR_STRIDE_FOOT;
    return plan_legs(&work);
}

tr_stride_reason tr_stride_plan(const tr_stride_query *query, tr_stride *stride) {
    stride_limits limits = tr_stride_limits_of(query->body);
    tr_stride_stand end =
        tr_stride_between(query->body, query->facing, 1 - query->side, &query->stance, &query->to);
    return tr_stride_plan_within(query, &limits, &end, stride);
}
