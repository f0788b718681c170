// Plans a step in which a foot or the pelvis is turned: to the side, on the spot, out of a turn. It is that
// of stride_plan.c in three dimensions: soles and legs against the cells of a profile instead of its lanes.
#include "stride_data.h"
#include "stride_limits.h"

#define SAMPLES 16         // of a swing
#define TURNS 4            // how often the curve is lifted
#define USUAL_LIFT 0.03f   // of the control points over level ground [m]
#define CLOSE 1e-4f        // [m]
#define FEET_APART 0.01f   // between two soles that are side by side [m]
#define FEET_OVER 1.5f     // heights of an ankle by which a sole is over another foot
#define SPREAD_MOST 0.7f   // sine of the greatest angle of a thigh outwards, and
#define CROSSED_MOST 0.35f // inwards
#define BOWS 4             // forms of the curve around the standing foot, each further out
#define BOW 0.4f           // by this many widths of a sole
#define NO_CELLS ((turned_cells){1, 0, 1, 0})

typedef struct turned_sample {
    float share, s;
    float weight; // how far a lift of both control points lifts the ankle
    stride_heading pelvis;
    tr_vec3 hips[2];       // standing and swinging leg; their height is that of the pelvis
    stride_placed feet[2]; // standing and swinging, without lift
} turned_sample;

typedef struct turned_work {
    const tr_stride_query *query;
    const stride_limits *limits;
    tr_stride *stride;
    turned_sample samples[SAMPLES + 1];
    float lift; // of both control points [m]
    float bump; // of the pelvis, as far as the standing foot allows [m]
} turned_work;

// Columns and rows, both ends included.
typedef struct turned_cells {
    uint32_t first, last, right, left;
} turned_cells;

// The cells that touch a rectangle of the path.
static turned_cells cells_in(const tr_profile_view *view, float back, float ahead, float right, float left) {
    float per = 1 / view->cell, across = 1 / view->row, middle = 0.5f * (float)view->rows;
    float first = back * per, last = ahead * per, low = right * across + middle,
          high = left * across + middle;
    if (!(last >= 0) || !(first < (float)view->columns) || !(high >= 0) || !(low < (float)view->rows))
        return NO_CELLS;
    return (turned_cells){first > 0 ? (uint32_t)first : 0,
                          last < (float)(view->columns - 1) ? (uint32_t)last : view->columns - 1,
                          low > 0 ? (uint32_t)low : 0,
                          high < (float)(view->rows - 1) ? (uint32_t)high : view->rows - 1};
}

// --- Soles ---

// The sole of a foot in its own plane: from the rear end to the front one. `more`: how much larger it is.
typedef struct turned_sole {
    float along[3], up[3]; // heel, ball and tip, from the rearmost to the foremost [m]
    float half;            // of its width [m]
} turned_sole;

static turned_sole sole_of(const turned_work *work, const stride_placed *foot) {
    const tr_stride_body *body = work->query->body;
    float facing = work->query->facing;
    const stride_sole *sole = &foot->sole;
    int heel = facing > 0 ? 0 : 2;
    turned_sole made = {.half = 0.5f * body->width};
    made.along[heel] = stride_sole_along(sole, body, facing, -body->heel);
    made.up[heel] = stride_sole_up(sole, body, facing, -body->heel);
    made.along[1] = stride_sole_along(sole, body, facing, body->ball);
    made.up[1] = stride_sole_up(sole, body, facing, body->ball);
    stride_tip(sole, body, facing, &made.along[2 - heel], &made.up[2 - heel]);
    return made;
}

// The lowest point of a sole within `reach` of a place along it.
static float under_sole(const turned_sole *sole, float along, float reach) {
    float low = INFINITY;
    for (int i = 0; i < 2; i++) {
        float from = sole->along[i], to = sole->along[i + 1], way = to - from;
        float a = stride_clamp(along - reach, from, to), b = stride_clamp(along + reach, from, to);
        float rise = way > 1e-4f ? (sole->up[i + 1] - sole->up[i]) / way : 0;
        float up = stride_low(sole->up[i] + rise * (a - from), sole->up[i] + rise * (b - from));
        bool over = (along + reach >= from || i == 0) && (along - reach <= to || i == 1);
        low = over ? stride_low(low, up) : low;
    }
    return low;
}

// How far the ground sticks out of a sole that is `more` larger on each side.
static float sole_lacks(const turned_work *work, const stride_placed *foot, float more) {
    const tr_profile_view *view = work->query->ground;
    turned_sole sole = sole_of(work, foot);
    const stride_heading *heading = &foot->heading;
    float most = -INFINITY, low = stride_low(sole.up[0], stride_low(sole.up[1], sole.up[2]));
    float lowest = INFINITY, highest = -INFINITY, right = INFINITY, left = -INFINITY;
    for (int i = 0; i < 4; i++) {
        float along = i & 1 ? sole.along[2] + more : sole.along[0] - more;
        float aside = i & 2 ? sole.half + more : -sole.half - more;
        float z = foot->along + along * heading->cosine - aside * heading->sine;
        float x = foot->aside + along * heading->sine + aside * heading->cosine;
        lowest = stride_low(lowest, z), highest = stride_high(highest, z);
        right = stride_low(right, x), left = stride_high(left, x);
    }
    turned_cells cells = cells_in(view, lowest, highest, right, left);
    // A cell reaches further than its centre.
    float reach = 0.5f * (view->cell * fabsf(heading->cosine) + view->row * fabsf(heading->sine));
    float across = 0.5f * (view->cell * fabsf(heading->sine) + view->row * fabsf(heading->cosine));
    for (uint32_t i = cells.first; i <= cells.last; i++) {
        float z = ((float)i + 0.5f) * view->cell - foot->along;
        const float *tops = view->top + (size_t)i * view->rows;
        for (uint32_t j = cells.right; j <= cells.left; j++) {
            if (!(tops[j] > low + most))
                continue;
            float x = ((float)j + 0.5f - 0.5f * (float)view->rows) * view->row - foot->aside;
            float along = z * heading->cosine + x * heading->sine;
            float aside = x * heading->cosine - z * heading->sine;
            if (fabsf(aside) > sole.half + more + across || along < sole.along[0] - more - reach ||
                along > sole.along[2] + more + reach)
                continue;
            most = stride_high(most, tops[j] - under_sole(&sole, along, more + reach));
        }
    }
    return most;
}

static float room_of(const turned_work *work, const turned_sample *sample) {
    return work->query->clear * stride_low(sample->weight / STRIDE_FULL, 1);
}

// How far a point of the foot moves between two samples, at most.
static float moved(const turned_work *work, const turned_sample *a, const turned_sample *b) {
    tr_vec3 from = stride_placed_ankle(&a->feet[1]), to = stride_placed_ankle(&b->feet[1]);
    float x = to.x - from.x, z = to.z - from.z;
    float turn = fabsf(b->feet[1].heading.turn - a->feet[1].heading.turn);
    return sqrtf(x * x + z * z) + turn * work->query->body->toe;
}

static void lift_curve(turned_work *work, float more) {
    work->lift += more;
    work->stride->up[1] += more, work->stride->up[2] += more;
    work->stride->lift = work->lift;
}

// Lifts the curve until the sole clears the ground on its whole way.
static bool lift_sole(turned_work *work) {
    float limit = STRIDE_LIFT_MOST * stride_leg(work->query->body), more = 0;
    if (!work->query->ground)
        return true;
    for (int i = 1; i < SAMPLES; i++) {
        const turned_sample *sample = &work->samples[i];
        float way = stride_high(moved(work, &sample[-1], sample), moved(work, sample, &sample[1]));
        float lacks = sole_lacks(work, &sample->feet[1], 0.5f * way) + room_of(work, sample);
        more = lacks > more * sample->weight ? lacks / sample->weight : more;
    }
    lift_curve(work, more);
    return more <= limit;
}

// --- Both feet ---

// Whether two soles overlap, seen from above, along the axes of the first.
static bool apart_along(const turned_sole *a, const stride_placed *at, const turned_sole *b,
                        const stride_placed *other) {
    float low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int i = 0; i < 4; i++) {
        float along = i & 1 ? b->along[2] : b->along[0], aside = i & 2 ? b->half : -b->half;
        const stride_heading *h = &other->heading;
        float z = other->along + along * h->cosine - aside * h->sine - at->along;
        float x = other->aside + along * h->sine + aside * h->cosine - at->aside;
        float ahead = z * at->heading.cosine + x * at->heading.sine;
        float left = x * at->heading.cosine - z * at->heading.sine;
        low[0] = stride_low(low[0], ahead), high[0] = stride_high(high[0], ahead);
        low[1] = stride_low(low[1], left), high[1] = stride_high(high[1], left);
    }
    return low[0] > a->along[2] + FEET_APART || high[0] < a->along[0] - FEET_APART ||
           low[1] > a->half + FEET_APART || high[1] < -a->half - FEET_APART;
}

// The swinging foot passes beside the standing one, or high over it. Feet that are too close where the step
// begins may only part.
static bool feet_apart(const turned_work *work) {
    bool parted = false;
    for (int i = 0; i <= SAMPLES; i++) {
        const turned_sample *sample = &work->samples[i];
        stride_placed swing = sample->feet[1];
        swing.sole.up += work->lift * sample->weight;
        turned_sole stand = sole_of(work, &sample->feet[0]), own = sole_of(work, &swing);
        float low = stride_low(own.up[0], stride_low(own.up[1], own.up[2]));
        float high = stride_high(stand.up[0], stride_high(stand.up[1], stand.up[2]));
        bool apart = apart_along(&stand, &sample->feet[0], &own, &swing) ||
                     apart_along(&own, &swing, &stand, &sample->feet[0]) ||
                     low > high + FEET_OVER * work->query->body->ankle;
        if (!apart && (parted || i == SAMPLES))
            return false;
        parted = parted || apart;
    }
    return true;
}

// --- The pelvis ---

static float ceiling_of(const tr_stride_body *body, const tr_vec3 *hip, const stride_placed *foot,
                        float lift) {
    tr_vec3 ankle = stride_placed_ankle(foot);
    float reach = STRIDE_REACH * stride_leg(body), z = hip->z - ankle.z, x = hip->x - ankle.x;
    float square = reach * reach - z * z - x * x;
    return square > 0 ? ankle.y + lift + sqrtf(square) : -INFINITY;
}

static tr_vec3 hip_at(const turned_work *work, float share, uint32_t side, stride_heading *pelvis) {
    float along, aside;
    tr_stride_pelvis_at(work->stride, share, &along, &aside);
    *pelvis = tr_stride_heading_of(stride_turn_at(work->stride, share));
    tr_vec3 off = stride_hip_off(work->query->body, work->query->facing, side, pelvis);
    return tr_vec3_make(aside + off.x, 0, along + off.z);
}

// How far the foot that leaves is rolled: the more, the further the hips are ahead of it.
static float roll_off(const turned_work *work) {
    const tr_stride_body *body = work->query->body;
    const tr_stride *stride = work->stride;
    float share = stride->both, facing = stride->facing;
    if (facing < 0)
        return 0.04f;
    stride_heading pelvis;
    tr_vec3 hip = hip_at(work, share, stride->side, &pelvis);
    float ahead = (stride->to.along - stride->from.along) * pelvis.cosine +
                  (stride->to.aside - stride->from.aside) * pelvis.sine;
    ahead = stride_clamp(ahead / stride_leg(body), 0, 2);
    float roll = stride_low(stride_high(stride->start.rear, 0) + 0.12f * ahead + 0.02f, STRIDE_OFF_MOST);
    float height = stride->start.height + (stride->end.height - stride->start.height) * stride_ease(share);
    for (; roll < STRIDE_OFF_MOST; roll += STRIDE_OFF_STEP) {
        stride_placed foot = tr_stride_placed_of(body, facing, &stride->from, roll);
        if (ceiling_of(body, &hip, &foot, 0) >= height)
            break;
    }
    return stride_low(roll, STRIDE_OFF_MOST);
}

static void set_curve(turned_work *work) {
    const tr_stride_body *body = work->query->body;
    tr_stride *stride = work->stride;
    stride_placed from = tr_stride_placed_of(body, stride->facing, &stride->from, stride->off);
    stride_placed to = tr_stride_placed_of(body, stride->facing, &stride->to, stride->end.front);
    tr_vec3 begin = stride_placed_ankle(&from), end = stride_placed_ankle(&to);
    stride->across[0] = begin.x, stride->across[1] = end.x;
    stride->along[0] = begin.z, stride->along[3] = end.z;
    stride->along[1] = begin.z + (end.z - begin.z) / 3, stride->along[2] = end.z - (end.z - begin.z) / 3;
    stride->up[0] = begin.y, stride->up[1] = begin.y + USUAL_LIFT;
    stride->up[2] = end.y + USUAL_LIFT, stride->up[3] = end.y;
}

// Leads the swinging foot outwards around the standing one. The curve is as before it was lifted.
static void set_bow(turned_work *work, float bow) {
    tr_stride *stride = work->stride;
    stride_heading heading = tr_stride_heading_of(stride_turn_at(stride, 0.5f));
    bow *= work->query->side == 0 ? stride->facing : -stride->facing;
    stride->bow[0] = bow * heading.cosine, stride->bow[1] = -bow * heading.sine;
    lift_curve(work, -work->lift);
}

static bool place_pelvis(turned_work *work) {
    const tr_stride_query *query = work->query;
    tr_stride *stride = work->stride;
    uint32_t swing = query->side, stance = 1 - swing;
    stride_heading pelvis;
    stride->bump = STRIDE_BUMP_MOST * stride_leg(query->body);
    for (int i = 1; i <= 4; i++) { // both feet stand
        float share = stride->both * (float)i / 4;
        tr_vec3 hip = hip_at(work, share, swing, &pelvis);
        stride_placed rear = tr_stride_swing_placed(query->body, stride, share);
        if (!tr_stride_respect(stride, share, ceiling_of(query->body, &hip, &rear, 0)))
            return false;
    }
    for (int i = 0; i <= SAMPLES; i++) {
        turned_sample *sample = &work->samples[i];
        sample->s = (float)i / SAMPLES;
        sample->share = stride->both + (1 - stride->both) * sample->s;
        sample->weight = 3 * sample->s * (1 - sample->s);
        sample->hips[0] = hip_at(work, sample->share, stance, &sample->pelvis);
        sample->hips[1] = hip_at(work, sample->share, swing, &sample->pelvis);
        sample->feet[0] = tr_stride_stance_placed(query->body, stride, sample->share);
        sample->feet[1] = tr_stride_swing_placed(query->body, stride, sample->share);
        float ceiling = ceiling_of(query->body, &sample->hips[0], &sample->feet[0], 0);
        if (!tr_stride_respect(stride, sample->share, ceiling))
            return false;
    }
    work->bump = stride->bump;
    return stride->bump >= -STRIDE_BUMP_LEAST * stride_leg(query->body);
}

static bool reach_swing(turned_work *work) {
    tr_stride *stride = work->stride;
    stride->bump = work->bump;
    for (int i = 0; i <= SAMPLES; i++) {
        const turned_sample *sample = &work->samples[i];
        float ceiling =
            ceiling_of(work->query->body, &sample->hips[1], &sample->feet[1], work->lift * sample->weight);
        if (!tr_stride_respect(stride, sample->share, ceiling))
            return false;
    }
    return stride->bump >= -STRIDE_BUMP_LEAST * stride_leg(work->query->body);
}

// --- The legs ---

static bool bends(const turned_work *work, const stride_leg_pose *leg, const turned_sample *sample,
                  int foot) {
    const tr_stride_query *query = work->query;
    const stride_limits *limits = work->limits;
    const tr_stride_body *body = query->body;
    const stride_heading *pelvis = &sample->pelvis;
    tr_vec3 whole = tr_vec3_subtract(leg->ankle, leg->hip), thigh = tr_vec3_subtract(leg->knee, leg->hip);
    if (tr_vec3_dot(whole, whole) < limits->fold * limits->fold)
        return false;
    float ahead = query->facing * (thigh.z * pelvis->cosine + thigh.x * pelvis->sine);
    float left = query->facing * (thigh.x * pelvis->cosine - thigh.z * pelvis->sine);
    uint32_t side = foot == 0 ? 1 - query->side : query->side;
    float out = side == 0 ? left : -left;
    if (ahead < -limits->back * body->thigh - CLOSE ||
        (ahead > 0 && -thigh.y < limits->front * body->thigh) || out > SPREAD_MOST * body->thigh ||
        out < -CROSSED_MOST * body->thigh)
        return false;
    if (foot == 1 && sample->s < 1)
        return true;
    const stride_placed *placed = &sample->feet[foot];
    tr_vec3 shin = tr_vec3_subtract(leg->knee, leg->ankle);
    float along = shin.z * placed->heading.cosine + shin.x * placed->heading.sine;
    float toes = along * placed->sole.ahead_along + shin.y * placed->sole.ahead_up;
    return toes <= limits->toes_up * body->shin + CLOSE && toes >= -limits->toes_down * body->shin - CLOSE;
}

// How far a bone, grown by a radius at each end, is below the ground.
static float bone_lacks(const tr_profile_view *view, const tr_vec3 *a, const tr_vec3 *b, float radius_a,
                        float radius_b, bool *overhead) {
    float radius = stride_high(radius_a, radius_b), x = b->x - a->x, z = b->z - a->z, most = -INFINITY;
    float square = x * x + z * z, per = square > 1e-8f ? 1 / square : 0;
    float cell = 0.5f * sqrtf(view->cell * view->cell + view->row * view->row);
    turned_cells cells = cells_in(view, stride_low(a->z, b->z) - radius, stride_high(a->z, b->z) + radius,
                                  stride_low(a->x, b->x) - radius, stride_high(a->x, b->x) + radius);
    float low = stride_low(a->y - radius_a, b->y - radius_b), high = stride_high(a->y, b->y) + radius;
    for (uint32_t i = cells.first; i <= cells.last; i++)
        for (uint32_t j = cells.right; j <= cells.left; j++) {
            size_t number = (size_t)i * view->rows + j;
            bool below = view->top[number] > low + most, above = view->under[number] < high;
            if (!below && !above)
                continue;
            float cz = ((float)i + 0.5f) * view->cell - a->z;
            float cx = ((float)j + 0.5f - 0.5f * (float)view->rows) * view->row - a->x;
            // The part of the bone that passes over this cell.
            float t = stride_clamp((cz * z + cx * x) * per, 0, 1), off_z = cz - t * z, off_x = cx - t * x;
            float near = radius_a + t * (radius_b - radius_a) + cell;
            if (off_z * off_z + off_x * off_x > near * near)
                continue;
            float slack = sqrtf(square) > 1e-4f ? near / sqrtf(square) : 1;
            float first = stride_clamp(t - slack, 0, 1), last = stride_clamp(t + slack, 0, 1);
            float at_first = a->y + first * (b->y - a->y), at_last = a->y + last * (b->y - a->y);
            float bottom = stride_low(at_first - (radius_a + first * (radius_b - radius_a)),
                                      at_last - (radius_a + last * (radius_b - radius_a)));
            most = stride_high(most, view->top[number] - bottom);
            *overhead = *overhead || view->under[number] < stride_high(at_first, at_last) + radius;
        }
    return most;
}

static tr_stride_reason meets(const turned_work *work, const stride_leg_pose *leg, float *lacks) {
    float radius = work->query->body->radius;
    const tr_profile_view *view = work->query->ground;
    bool overhead = false;
    float shin = bone_lacks(view, &leg->ankle, &leg->knee, 0.5f * radius, radius, &overhead);
    float thigh = bone_lacks(view, &leg->knee, &leg->hip, radius, radius, &overhead);
    *lacks = stride_high(shin, thigh);
    return shin > 0    ? TR_STRIDE_SHIN
           : thigh > 0 ? TR_STRIDE_THIGH
           : overhead  ? TR_STRIDE_OVERHEAD
                       : TR_STRIDE_FINE;
}

// Both legs at a sample. `more` receives how much lift would take the swinging leg clear.
static tr_stride_reason check_sample(const turned_work *work, const turned_sample *sample, float *more) {
    const tr_stride_query *query = work->query;
    float height = tr_stride_height_at(work->stride, sample->share), lacks;
    for (int foot = 0; foot < 2; foot++) {
        stride_leg_pose leg = {.hip = sample->hips[foot], .ankle = stride_placed_ankle(&sample->feet[foot])};
        leg.hip.y = height;
        leg.ankle.y += foot == 1 ? work->lift * sample->weight : 0;
        tr_vec3 ahead = tr_stride_knee_ahead(query->facing, &sample->pelvis, &sample->feet[foot].heading);
        if (!tr_stride_bend(query->body, &ahead, &leg))
            return TR_STRIDE_TOO_FAR;
        if (!bends(work, &leg, sample, foot))
            return TR_STRIDE_FOLDED;
        tr_stride_reason reason = query->ground ? meets(work, &leg, &lacks) : TR_STRIDE_FINE;
        if (reason == TR_STRIDE_FINE)
            continue;
        if (foot == 1 && reason != TR_STRIDE_OVERHEAD && sample->weight > 0)
            *more = stride_high(*more, lacks / sample->weight + CLOSE);
        return reason;
    }
    return TR_STRIDE_FINE;
}

static tr_stride_reason check_legs(turned_work *work) {
    float limit = STRIDE_LIFT_MOST * stride_leg(work->query->body);
    tr_stride_reason worst = TR_STRIDE_FINE;
    for (int turn = 0; turn < TURNS; turn++) {
        float more = 0;
        worst = TR_STRIDE_FINE;
        if (!reach_swing(work))
            return TR_STRIDE_TOO_FAR;
        for (int i = 0; i <= SAMPLES; i++) {
            float lift = 0;
            tr_stride_reason reason = check_sample(work, &work->samples[i], &lift);
            if (reason != TR_STRIDE_FINE && !(lift > 0))
                return reason;
            more = stride_high(more, lift);
            worst = reason != TR_STRIDE_FINE ? reason : worst;
        }
        if (worst == TR_STRIDE_FINE || work->lift + more > limit)
            return worst;
        lift_curve(work, more);
    }
    return worst;
}

tr_stride_reason tr_stride_plan_turned(const tr_stride_query *query, const stride_limits *limits,
                                       tr_stride *stride) {
    turned_work work = {.query = query, .limits = limits, .stride = stride};
    stride->off = roll_off(&work);
    set_curve(&work);
    for (int bow = 0; bow < BOWS; bow++) {
        set_bow(&work, (float)bow * BOW * query->body->width);
        if (!place_pelvis(&work))
            return TR_STRIDE_TOO_FAR;
        if (!lift_sole(&work))
            return TR_STRIDE_FOOT;
        if (feet_apart(&work))
            return check_legs(&work);
    }
    return TR_STRIDE_FEET;
}
