// Plans a step: a pelvis that both legs reach, the lowest curve of the ankle whose sole clears the ground,
// and both legs against what stands beside them. Where a leg touches, the curve is lifted further.
#include "stride_work.h"
#include "troupe/base/scalar.h"

#define TURNS 4 // how often a curve is lifted further because a leg touches

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

static float highest_in(const plan_work *work, int number, float low, float high) {
    const tr_stride_lane *lane = number ? &work->query->stand : &work->query->swing;
    uint32_t from, to;
    return lane->top && columns_in(lane, low, high, &from, &to) ? work_highest(work, number, from, to)
                                                                : -INFINITY;
}

static float lowest_over(const tr_stride_lane *lane, float low, float high) {
    uint32_t from, to;
    return lane->under && columns_in(lane, low, high, &from, &to) ? columns_lowest(lane->under, from, to)
                                                                  : INFINITY;
}

// --- The pelvis ---

// How high the pelvis may be for a leg to reach an ankle, by the squares of their distances from above.
static simd_float ceilings_of(const tr_stride_body *body, simd_float along, simd_float aside, simd_float up) {
    float reach = STRIDE_REACH * stride_leg(body);
    simd_float square = simd_set(reach * reach) - along * along - aside * aside;
    return simd_select(square > simd_set(0), up + simd_sqrt(simd_max(square, simd_set(0))),
                       simd_set(-INFINITY));
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

// The same for four samples.
static bool respect(plan_work *work, int first, simd_float ceilings) {
    simd_float hump = simd_load(work->hump + first), base = simd_load(work->level_height + first);
    simd_int high = base + simd_set(work->stride->bump) * hump > ceilings, bends = hump > simd_set(1e-3f);
    if (!simd_bits(high))
        return true;
    if (simd_bits(high & ~bends & (base > ceilings + simd_set(5e-3f))))
        return false;
    simd_float caps = (ceilings - base) / simd_select(bends, hump, simd_set(1));
    caps = simd_select(high & bends, caps, simd_set(INFINITY));
    for (int i = 0; i < 4; i++)
        work->stride->bump = stride_low(work->stride->bump, caps[i]);
    return true;
}

// tr_stride_pelvis_at for all samples.
static void set_pelvis(plan_work *work) {
    const tr_stride *stride = work->stride;
    const tr_stride_body *body = work->query->body;
    float from = stride->start.along, way = stride->end.along - from, time = stride->duration;
    float begin = stride->start.aside, sway = stride->end.aside - begin;
    for (int i = 0; i < WORK_ROOM; i += 4) {
        simd_float s = simd_load(work->share + i), left = simd_set(1) - s, ease = work_ease(s);
        simd_float hump = work_hump(s), middle = simd_set(begin) + simd_set(sway) * ease;
        simd_float along = simd_set(from) + simd_set(way) * s * s * (simd_set(3) - simd_set(2) * s) +
                           s * left * (left * simd_set(stride->start.rate) - s * simd_set(stride->end.rate)) *
                               simd_set(time);
        simd_float aside = middle + simd_set(STRIDE_SWAY) * (simd_set(stride->stance.aside) - middle) * hump;
        simd_store_float(work->hip_along + i, along);
        for (uint32_t k = 0; k < 2; k++) {
            uint32_t side = k == 0 ? work->query->side : 1 - work->query->side;
            simd_store_float(work->hip_aside[k] + i,
                             aside + simd_set(stride_hip_aside(body, stride->facing, side, 0)));
        }
        simd_store_float(work->hump + i, hump);
        simd_store_float(work->level_height + i,
                         simd_set(stride->start.height) +
                             simd_set(stride->end.height - stride->start.height) * ease);
    }
}

// tr_stride_stance_at for all samples.
static void set_stance(plan_work *work) {
    const tr_stride *stride = work->stride;
    const tr_stride_body *body = work->query->body;
    float flat_by, begins, facing = stride->facing, leaves = stride->end.rear;
    stride_stance_times(stride, &flat_by, &begins);
    stride_sole flat;
    tr_stride_sole_turn(facing, stride->stance.slope, 0, &flat);
    simd_float level = simd_set(facing * flat.ahead_along), rise = simd_set(flat.ahead_up);
    simd_float ankle = simd_set(facing * body->ankle), one = simd_set(1);
    for (int i = 0; i < WORK_ROOM; i += 4) {
        simd_float share = simd_load(work->share + i);
        simd_float roll = simd_set(stride->start.front) * (one - work_ease(share / simd_set(flat_by)));
        simd_float least = simd_max(roll, simd_set(0));
        simd_float rising =
            least + (simd_set(leaves) - least) * work_ease((share - simd_set(begins)) / simd_set(1 - begins));
        roll = simd_select(share > simd_set(begins), rising, roll);
        simd_float per = one / (one + roll * roll), cosine = (one - roll * roll) * per;
        simd_float sine = simd_set(2) * roll * per;
        simd_float along = simd_set(facing) * (level * cosine + rise * sine),
                   up = rise * cosine - level * sine;
        // The point of the sole about which it rolls stays where it is.
        simd_float pivot = simd_select(roll > simd_set(0), simd_set(body->ball), simd_set(-body->heel));
        simd_store_float(work->stand_along + i, simd_set(stride->stance.along) +
                                                    pivot * simd_set(flat.ahead_along) - pivot * along -
                                                    ankle * up);
        simd_store_float(work->stand_up + i, simd_set(stride->stance.height) +
                                                 pivot * simd_set(flat.ahead_up) - pivot * up +
                                                 ankle * along);
        simd_store_float(work->ahead_along[1] + i, along);
        simd_store_float(work->ahead_up[1] + i, up);
    }
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
        if (!tr_stride_respect(stride, share, tr_stride_ceiling_of(body, &hip, &rear, stride->from.aside)))
            return false;
    }
    set_pelvis(work);
    set_stance(work);
    for (int i = 0; i < WORK_ROOM; i += 4) {
        simd_float along = simd_load(work->hip_along + i) - simd_load(work->stand_along + i);
        simd_float aside = simd_load(work->hip_aside[1] + i) - simd_set(stride->stance.aside);
        if (!respect(work, i, ceilings_of(body, along, aside, simd_load(work->stand_up + i))))
            return false;
    }
    work->bump = stride->bump;
    return stride->bump >= -STRIDE_BUMP_LEAST * leg;
}

static inline simd_float lift_at(const plan_work *work, int first) {
    return simd_set(work->lift[0]) * simd_load(work->weights[0] + first) +
           simd_set(work->lift[1]) * simd_load(work->weights[1] + first);
}

// The swinging leg must reach its foot, too.
static bool reach_swing(plan_work *work) {
    const tr_stride_body *body = work->query->body;
    tr_stride *stride = work->stride;
    stride->bump = work->bump;
    for (int i = 0; i < WORK_ROOM; i += 4) {
        simd_float along = simd_load(work->hip_along + i) - simd_load(work->along + i);
        simd_float aside = simd_load(work->hip_aside[0] + i) - simd_load(work->aside + i);
        if (!respect(work, i, ceilings_of(body, along, aside, simd_load(work->up + i) + lift_at(work, i))))
            return false;
    }
    return stride->bump >= -STRIDE_BUMP_LEAST * stride_leg(body);
}

// --- The legs ---

// Four samples of a leg: from the ankle of a sole to the hip.
typedef struct four_legs {
    simd_float hip[3], knee[3], ankle[3]; // aside, up, along
    simd_int far, folded;
} four_legs;

static simd_float dot(const simd_float a[3], const simd_float b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// As tr_stride_bend.
static void bend(const plan_work *work, four_legs *legs) {
    const tr_stride_body *body = work->query->body;
    float upper = body->thigh, lower = body->shin;
    simd_float way[3], facing = simd_set(work->query->facing), one = simd_set(1);
    for (int k = 0; k < 3; k++)
        way[k] = legs->ankle[k] - legs->hip[k];
    simd_float square = dot(way, way), length = simd_sqrt(square);
    simd_int stretched = length >= simd_set(upper + lower), none = ~(length > simd_set(1e-6f));
    simd_float size = simd_select(none, one, length);
    simd_float part = simd_set(0.5f) * (square + simd_set(upper * upper - lower * lower)) / size;
    simd_float off = simd_set(upper * upper) - part * part;
    simd_float ahead_size = one - (way[2] / size) * (way[2] / size);
    // At right angles to the line from hip to ankle, where the body faces.
    off = simd_select((off > simd_set(0)) & (ahead_size > simd_set(1e-12f)),
                      simd_sqrt(simd_max(off, simd_set(0)) / simd_max(ahead_size, simd_set(1e-12f))),
                      simd_set(0));
    part = simd_select(stretched | none, simd_set(upper / (upper + lower)) * length, part);
    off = simd_select(stretched | none, simd_set(0), off);
    for (int k = 0; k < 3; k++) {
        simd_float line = way[k] / size, ahead = -facing * (way[2] / size) * line;
        ahead = k == 2 ? ahead + facing : ahead;
        legs->knee[k] = legs->hip[k] + line * part + ahead * off;
    }
    legs->far = none | (length > simd_set((upper + lower) * 1.0001f));
}

// Whether joints of legs are beyond their limits. The ankle counts only for a foot that stands.
static void fold(const plan_work *work, four_legs *legs, int foot, int first) {
    const stride_limits *limits = work->limits;
    const tr_stride_body *body = work->query->body;
    simd_float whole[3], thigh[3], shin[3];
    for (int k = 0; k < 3; k++) {
        whole[k] = legs->ankle[k] - legs->hip[k];
        thigh[k] = legs->knee[k] - legs->hip[k];
        shin[k] = legs->knee[k] - legs->ankle[k];
    }
    simd_float ahead = simd_set(work->query->facing) * thigh[2];
    legs->folded = dot(whole, whole) < simd_set(limits->fold * limits->fold);
    legs->folded |= ahead < simd_set(-limits->back * body->thigh - WORK_CLOSE);
    legs->folded |= (ahead > simd_set(0)) & (-thigh[1] < simd_set(limits->front * body->thigh));
    simd_float toes = shin[2] * simd_load(work->ahead_along[foot] + first) +
                      shin[1] * simd_load(work->ahead_up[foot] + first);
    simd_int turned = (toes > simd_set(limits->toes_up * body->shin + WORK_CLOSE)) |
                      (toes < simd_set(-limits->toes_down * body->shin - WORK_CLOSE));
    simd_int stands = simd_load(work->s + first) >= simd_set(foot ? 0 : 1);
    legs->folded |= turned & stands;
}

// How far the line from a to b, grown by a radius at each end, is below the ground; `overhead` receives
// whether it is above an overhang.
static float line_lacks(const plan_work *work, int number, const float a[2], const float b[2], float radius_a,
                        float radius_b, bool *overhead) {
    const tr_stride_lane *lane = number ? &work->query->stand : &work->query->swing;
    float radius = stride_high(radius_a, radius_b);
    uint32_t from, to;
    if (!lane->top ||
        !columns_in(lane, stride_low(a[0], b[0]) - radius_a, stride_high(a[0], b[0]) + radius, &from, &to))
        return -INFINITY;
    const float below[2][2] = {{a[0], a[1] - radius_a}, {b[0], b[1] - radius_b}};
    if (lane->under && !work->open)
        *overhead = *overhead || columns_lowest(lane->under, from, to) < stride_high(a[1], b[1]) + radius;
    if (work_highest(work, number, from, to) <= stride_low(below[0][1], below[1][1]))
        return -INFINITY;
    return columns_stick_out(lane, lane->top, below[0], below[1], from, to);
}

// The ground and overhangs against a leg. `lacks` receives how far it is below the ground.
static tr_stride_reason meets(const plan_work *work, int foot, const four_legs *legs, int lane,
                              float *lacks) {
    float radius = work->query->body->radius;
    bool overhead = false;
    const float ankle[2] = {legs->ankle[2][lane], legs->ankle[1][lane]};
    const float knee[2] = {legs->knee[2][lane], legs->knee[1][lane]};
    const float hip[2] = {legs->hip[2][lane], legs->hip[1][lane]};
    float shin = line_lacks(work, foot, ankle, knee, 0.5f * radius, radius, &overhead);
    float thigh = line_lacks(work, foot, knee, hip, radius, radius, &overhead);
    *lacks = stride_high(shin, thigh);
    return shin > 0    ? TR_STRIDE_SHIN
           : thigh > 0 ? TR_STRIDE_THIGH
           : overhead  ? TR_STRIDE_OVERHEAD
                       : TR_STRIDE_FINE;
}

static void set_legs(const plan_work *work, int foot, int first, four_legs *legs) {
    legs->hip[0] = simd_load(work->hip_aside[foot] + first);
    legs->hip[1] =
        simd_load(work->level_height + first) + simd_set(work->stride->bump) * simd_load(work->hump + first);
    legs->hip[2] = simd_load(work->hip_along + first);
    if (foot) {
        legs->ankle[0] = simd_set(work->stride->stance.aside);
        legs->ankle[1] = simd_load(work->stand_up + first);
        legs->ankle[2] = simd_load(work->stand_along + first);
    } else {
        legs->ankle[0] = simd_load(work->aside + first);
        legs->ankle[1] = simd_load(work->up + first) + lift_at(work, first);
        legs->ankle[2] = simd_load(work->along + first);
    }
    bend(work, legs);
    fold(work, legs, foot, first);
}

// Whether both legs stay over all that is in their lanes, at four samples together.
static bool legs_over(const plan_work *work, const four_legs legs[2]) {
    if (!work->open)
        return false;
    simd_float radius = simd_set(work->query->body->radius);
    for (int foot = 0; foot < 2; foot++) {
        simd_float low = simd_min(legs[foot].ankle[1] - simd_set(0.5f) * radius, legs[foot].knee[1] - radius);
        low = simd_min(low, legs[foot].hip[1] - radius);
        float least = stride_low(stride_low(low[0], low[1]), stride_low(low[2], low[3]));
        if (foot == 0 ? work->high > least : work->beside > least)
            return false;
    }
    return true;
}

// Both legs at four samples. `more` receives how much lift would take the swinging leg clear where that
// helps.
static tr_stride_reason check_four(const plan_work *work, int first, float *more) {
    four_legs legs[2];
    set_legs(work, 0, first, &legs[0]);
    set_legs(work, 1, first, &legs[1]);
    uint32_t far = simd_bits(legs[0].far | legs[1].far), folded = simd_bits(legs[0].folded | legs[1].folded);
    bool over = work->level || legs_over(work, legs);
    tr_stride_reason worst = TR_STRIDE_FINE;
    if (!far && !folded && over)
        return worst;
    for (int i = 0; i < 4 && first + i <= WORK_SAMPLES; i++) {
        if (far >> i & 1)
            return *more = 0, TR_STRIDE_TOO_FAR;
        if (folded >> i & 1)
            return *more = 0, TR_STRIDE_FOLDED;
        if (over)
            continue;
        float lacks;
        tr_stride_reason reason = meets(work, 1, &legs[1], i, &lacks);
        if (reason != TR_STRIDE_FINE)
            return *more = 0, reason;
        reason = meets(work, 0, &legs[0], i, &lacks);
        if (reason == TR_STRIDE_FINE)
            continue;
        float weight = work->weights[0][first + i] + work->weights[1][first + i];
        if (reason == TR_STRIDE_OVERHEAD || !(weight > 0))
            return *more = 0, reason;
        *more = stride_high(*more, lacks / weight + WORK_CLOSE);
        worst = reason;
    }
    return worst;
}

static tr_stride_reason check_legs(const plan_work *work, float *more) {
    tr_stride_reason worst = TR_STRIDE_FINE;
    *more = 0;
    for (int i = 0; i <= WORK_SAMPLES; i += 4) {
        tr_stride_reason reason = check_four(work, i, more);
        if (reason != TR_STRIDE_FINE && !(*more > 0))
            return reason;
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
        tr_stride_curve_lift(work, more, more);
    }
    return reason;
}

// --- The step ---

static tr_stride_kind kind_of(const tr_stride *stride, float leg) {
    float rise = stride->to.height - stride->stance.height, level = 0.07f * leg;
    return rise > level ? TR_STRIDE_UP : rise < -level ? TR_STRIDE_DOWN : TR_STRIDE_LEVEL;
}

float tr_stride_ceiling_of(const tr_stride_body *body, const tr_vec3 *hip, const stride_sole *sole,
                           float aside) {
    float reach = STRIDE_REACH * stride_leg(body), along = hip->z - sole->along, across = hip->x - aside;
    float square = reach * reach - along * along - across * across;
    return square > 0 ? sole->up + sqrtf(square) : -INFINITY;
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
        if (tr_stride_ceiling_of(body, &hip, &sole, stride->from.aside) >= height)
            break;
    }
    return stride_low(roll, STRIDE_OFF_MOST);
}

// What stands along the way of a step, as a whole.
static void look_ahead(plan_work *work) {
    const tr_stride_query *query = work->query;
    const tr_stride_body *body = query->body;
    float first = stride_low(query->from.along, query->to.along) - body->toe - body->shin;
    float last = stride_high(query->from.along, query->to.along) + body->toe + body->thigh;
    work->floor = stride_low(stride_low(query->from.height, query->to.height), query->stance.height);
    work->high = highest_in(work, 0, first, last);
    work->beside = highest_in(work, 1, first, last);
    float over = stride_low(lowest_over(&query->swing, first, last), lowest_over(&query->stand, first, last));
    work->open = over >= work->floor + 2 * stride_leg(body);
    work->level = work->open && stride_high(work->high, work->beside) <= work->floor + 0.5f * body->ankle;
}

// Whether the ground below the swing is as level as both footsteps.
static bool is_flat(const plan_work *work) {
    const tr_stride *stride = work->stride;
    return stride->from.slope == 0 && stride->to.slope == 0 &&
           work->high <= stride_low(stride->from.height, stride->to.height) + WORK_CLOSE;
}

tr_stride_reason tr_stride_plan_within(const tr_stride_query *query, const stride_limits *limits,
                                       const stride_ranges *ranges, const tr_stride_stand *end,
                                       tr_stride *stride) {
    const tr_stride_body *body = query->body;
    *stride = (tr_stride){.from = query->from, .stance = query->stance, .to = query->to};
    stride->start = query->start;
    stride->end = *end;
    stride->side = query->side;
    stride->facing = query->facing;
    stride->both = STRIDE_BOTH;
    stride->across[0] = query->from.aside, stride->across[1] = query->to.aside;
    stride->duration = end->duration;
    stride->kind = kind_of(stride, stride_leg(body));

    if (end->reason != TR_STRIDE_FINE)
        return end->reason;
    if (query->ground || stride_is_turned(stride))
        return tr_stride_plan_turned(query, limits, stride);
    stride->off = roll_off(stride, body);
    plan_work work;
    work.query = query, work.limits = limits, work.ranges = ranges, work.stride = stride;
    work.lift[0] = work.lift[1] = 0;
    tr_stride_curve_begin(&work);
    if (!place_pelvis(&work))
        return TR_STRIDE_TOO_FAR;
    look_ahead(&work);
    if (!tr_stride_curve_choose(&work, is_flat(&work)))
        return TR_STRIDE_FOOT;
    return plan_legs(&work);
}

tr_stride_reason tr_stride_plan(const tr_stride_query *query, tr_stride *stride) {
    stride_limits limits = tr_stride_limits_of(query->body);
    tr_stride_stand end =
        tr_stride_between(query->body, query->facing, 1 - query->side, &query->stance, &query->to);
    return tr_stride_plan_within(query, &limits, NULL, &end, stride);
}
