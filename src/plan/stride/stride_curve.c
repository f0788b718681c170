// The curve of the ankle: the lowest Bezier curve whose sole clears the ground.
#include "stride_work.h"

#define MUCH 0.03f       // more lift than this lets another form be tried [m]
#define PEAK 0.75f       // a lift of both control points lifts the highest point by this share
#define FAR_BELOW 0.02f  // a sole that is higher than this at two samples is clear between them [m]
#define USUAL_LIFT 0.03f // of the control points of a swing over level ground [m]
#define ENOUGH_LIFT 0.1f // a curve whose control points need no more, together, is the only one tried [m]
#define WORTH 0.03f      // by how much another curve must be lower [m]
#define OVER 0.012f      // between a sole and what stands higher than both footsteps, everywhere [m]
#define OBSTACLE 0.01f   // what is higher than the footsteps by more is an obstacle [m]
#define AROUND 0.05f     // of a footstep: there its own plane is the ground, and no obstacle [m]

// How far ahead of the place where the foot leaves the ground the first handle is, and how far before the
// place where it lands the second is, in lengths of the step. Negative: the foot draws back before it rises
// along a riser, or reaches beyond an edge before it sinks.
static const float handles[] = {1.0f / 3, 0, -0.25f};
#define HANDLES 3

// In which shares both control points are lifted, and how high that takes the highest point of the curve.
static const float splits[][3] = {{1, 1, PEAK},     {1, 0.6f, 0.614f}, {0.6f, 1, 0.614f}, {1, 0.3f, 0.52f},
                                  {0.3f, 1, 0.52f}, {1, 0, 0.444f},    {0, 1, 0.444f}};
#define SPLITS (sizeof splits / sizeof splits[0])

// Four soles: from the ankle to their rears, balls and fronts, and their directions.
typedef struct four_soles {
    simd_float along[3], up[3], ahead_along, ahead_up;
} four_soles;

// As tr_stride_swing_at, at four shares of the swing.
static void turn_soles(const plan_work *work, simd_float s, four_soles *soles) {
    const tr_stride *stride = work->stride;
    const tr_stride_body *body = work->query->body;
    simd_float facing = simd_set(work->query->facing), one = simd_set(1);
    simd_float slope =
        simd_set(stride->from.slope) + simd_set(stride->to.slope - stride->from.slope) * work_ease(s);
    simd_float roll = simd_set(stride->off) * (one - work_ease(s / simd_set(0.7f))) +
                      simd_set(stride->end.front) * work_ease((s - simd_set(0.5f)) / simd_set(0.5f));
    simd_float rise = facing * slope, size = one / simd_sqrt(one + rise * rise), up = rise * size;
    simd_float per = one / (one + roll * roll), cosine = (one - roll * roll) * per;
    simd_float sine = simd_set(2) * roll * per;
    simd_float ahead_along = facing * (size * cosine + up * sine), ahead_up = up * cosine - size * sine;
    simd_int heel_up = roll > simd_set(0);
    simd_float toes_along = simd_select(heel_up, facing * size, ahead_along);
    simd_float toes_up = simd_select(heel_up, up, ahead_up);
    // From the ankle down to the sole, and along it.
    simd_float down_along = facing * simd_set(body->ankle) * ahead_up;
    simd_float down_up = -facing * simd_set(body->ankle) * ahead_along;
    int heel = work->query->facing > 0 ? 0 : 2;
    soles->along[heel] = down_along - simd_set(body->heel) * ahead_along;
    soles->up[heel] = down_up - simd_set(body->heel) * ahead_up;
    soles->along[1] = down_along + simd_set(body->ball) * ahead_along;
    soles->up[1] = down_up + simd_set(body->ball) * ahead_up;
    soles->along[2 - heel] = soles->along[1] + simd_set(body->toe - body->ball) * toes_along;
    soles->up[2 - heel] = soles->up[1] + simd_set(body->toe - body->ball) * toes_up;
    soles->ahead_along = ahead_along, soles->ahead_up = ahead_up;
}

static simd_float bezier(const float points[4], simd_float s) {
    simd_float left = simd_set(1) - s;
    return left * left * left * simd_set(points[0]) + simd_set(3) * s * left * left * simd_set(points[1]) +
           simd_set(3) * s * s * left * simd_set(points[2]) + s * s * s * simd_set(points[3]);
}

void tr_stride_curve_begin(plan_work *work) {
    const tr_stride *stride = work->stride;
    for (int i = 0; i < WORK_ROOM; i += 4) {
        simd_float number = simd_set((float)i) + (simd_float){0, 1, 2, 3};
        simd_float s = simd_min(number * simd_set(1.0f / WORK_SAMPLES), simd_set(1)), left = simd_set(1) - s;
        simd_store_float(work->s + i, s);
        simd_store_float(work->share + i, simd_set(STRIDE_BOTH) + simd_set(1 - STRIDE_BOTH) * s);
        simd_store_float(work->weights[0] + i, simd_set(3) * s * left * left);
        simd_store_float(work->weights[1] + i, simd_set(3) * s * s * left);
        simd_store_float(work->aside + i, simd_set(stride->across[0]) +
                                              simd_set(stride->across[1] - stride->across[0]) * work_ease(s));
        four_soles soles;
        turn_soles(work, s, &soles);
        for (int k = 0; k < 3; k++) {
            simd_store_float(work->off_along[k] + i, soles.along[k]);
            simd_store_float(work->off_up[k] + i, soles.up[k]);
        }
        simd_store_float(work->ahead_along[0] + i, soles.ahead_along);
        simd_store_float(work->ahead_up[0] + i, soles.ahead_up);
    }
}

static void set_curve(plan_work *work) {
    tr_stride *stride = work->stride;
    const tr_stride_body *body = work->query->body;
    stride_sole from = tr_stride_sole_of(body, stride->facing, &stride->from, stride->off);
    stride_sole to = tr_stride_sole_of(body, stride->facing, &stride->to, stride->end.front);
    stride->along[0] = from.along, stride->along[3] = to.along;
    stride->up[0] = from.up, stride->up[1] = from.up + USUAL_LIFT;
    stride->up[2] = to.up + USUAL_LIFT, stride->up[3] = to.up;
    for (int i = 0; i < WORK_ROOM; i += 4)
        simd_store_float(work->up + i, bezier(stride->up, simd_load(work->s + i)));
}

static void set_handles(plan_work *work, float first, float second) {
    tr_stride *stride = work->stride;
    float from = stride->along[0], to = stride->along[3], way = to - from;
    stride->along[1] = from + first * way;
    stride->along[2] = to - second * way;
    for (int i = 0; i < WORK_ROOM; i += 4)
        simd_store_float(work->along + i, bezier(stride->along, simd_load(work->s + i)));
}

void tr_stride_curve_lift(plan_work *work, float first, float second) {
    tr_stride *stride = work->stride;
    work->lift[0] += first, work->lift[1] += second;
    stride->up[1] += first, stride->up[2] += second;
    stride->lift = 0.5f * (work->lift[0] + work->lift[1]);
}

// --- What a sole must clear ---

// The ground at a column as the footsteps know it.
static float ground_at(const plan_work *work, float along) {
    const tr_stride_body *body = work->query->body;
    const tr_stride_foot *feet[2] = {&work->stride->from, &work->stride->to};
    float high = stride_high(feet[0]->height, feet[1]->height);
    for (int i = 0; i < 2; i++) {
        float ahead = along - feet[i]->along;
        float rear = work->query->facing > 0 ? body->heel : body->toe;
        float front = work->query->facing > 0 ? body->toe : body->heel;
        if (ahead >= -rear - AROUND && ahead <= front + AROUND)
            high = stride_high(high, feet[i]->height + feet[i]->slope * ahead);
    }
    return high;
}

static void find_obstacles(plan_work *work) {
    work_obstacles *obstacles = &work->obstacles;
    const tr_stride_lane *lane = &work->query->swing;
    const tr_stride_foot *from = &work->stride->from, *to = &work->stride->to;
    float length = work->query->body->toe + AROUND;
    float base = stride_high(from->height, to->height) + OBSTACLE;
    obstacles->high = -INFINITY;
    if (work->high <= base ||
        !columns_in(lane, stride_low(from->along, to->along) - length,
                    stride_high(from->along, to->along) + length, &obstacles->first, &obstacles->last))
        return;
    if (obstacles->last - obstacles->first > WORK_OBSTACLES)
        obstacles->last = obstacles->first + WORK_OBSTACLES;
    for (uint32_t i = obstacles->first; i < obstacles->last; i++) {
        float top = lane->top[i];
        bool higher = top > base && top > ground_at(work, ((float)i + 0.5f) * lane->cell) + OBSTACLE;
        obstacles->values[i - obstacles->first] = higher ? top : -INFINITY;
        obstacles->high = higher && top > obstacles->high ? top : obstacles->high;
    }
}

// Four soles over the ground: the columns below them, and the two lines of each sole, at column `from` and by
// which they rise from column to column. A line across a column counts with its lower end.
typedef struct four_lines {
    simd_int from, to, middle;                  // the ball is over `middle`
    simd_float at[2], rise[2], low[2], high[2]; // [m]
    uint32_t close;                             // bits of the soles that something may stick out of
} four_lines;

// Where the foot stood: what begins in the columns in which its sole ended is beyond the sole.
static void leave_out(const plan_work *work, simd_float rear, simd_float front, four_lines *lines) {
    const tr_stride_body *body = work->query->body;
    const tr_stride_foot *foot = &work->stride->from;
    float per = 1 / work->query->swing.cell, behind = work->query->facing > 0 ? body->heel : body->toe;
    float begin = foot->along - behind, end = begin + body->heel + body->toe;
    simd_int first = simd_set_int((int32_t)floorf(begin * per)),
             last = simd_set_int((int32_t)floorf(end * per));
    lines->to += (front <= simd_set(end + 1e-3f)) & (lines->to - 1 == last); // a true lane is -1
    lines->from -= (rear >= simd_set(begin - 1e-3f)) & (lines->from == first);
}

static void look_below(const plan_work *work, simd_float along, simd_float up, const four_soles *soles,
                       simd_float more, simd_float room, four_lines *lines) {
    const tr_stride_lane *lane = &work->query->swing;
    simd_float per = simd_set(1 / lane->cell), zero = simd_set(0), last = simd_set((float)lane->columns);
    simd_float z[3], y[3];
    for (int k = 0; k < 3; k++)
        z[k] = along + soles->along[k], y[k] = up + soles->up[k];
    simd_float low = simd_min(y[0], simd_min(y[1], y[2])), rear = z[0] - more, front = z[2] + more;
    lines->from = __builtin_convertvector(simd_min(simd_max(rear * per, zero), last), simd_int);
    lines->to = __builtin_convertvector(simd_min(simd_max(front * per + simd_set(1), zero), last), simd_int);
    leave_out(work, rear, front, lines);
    room = simd_max(room, simd_set(OVER));
    lines->close = simd_bits((simd_set(work->high) + room > low) & (lines->from < lines->to));
    for (int k = 0; k < 4; k++)
        if (lines->close >> k & 1 &&
            work_highest(work, 0, (uint32_t)lines->from[k], (uint32_t)lines->to[k]) + room[k] <= low[k])
            lines->close &= ~(1u << k);
    if (!lines->close)
        return;
    lines->middle = __builtin_convertvector(simd_min(simd_max(z[1] * per, zero), last), simd_int);
    lines->middle = simd_min_int(simd_max_int(lines->middle, lines->from), lines->to - 1);
    simd_float from = __builtin_convertvector(lines->from, simd_float) + simd_set(0.5f);
    for (int k = 0; k < 2; k++) {
        simd_float way = z[k + 1] - z[k], fall = y[k + 1] - y[k];
        simd_int steep = simd_abs(way) <= simd_set(1e-4f);
        simd_float rise =
            simd_select(steep, zero, fall / simd_select(steep, simd_set(1), way)) * simd_set(lane->cell);
        lines->rise[k] = rise;
        lines->low[k] = simd_min(y[k], y[k + 1]);
        lines->high[k] = simd_select(steep, lines->low[k], simd_max(y[k], y[k + 1]));
        lines->at[k] = y[k] + rise * (from - z[k] * per) - simd_set(0.5f) * simd_abs(rise);
    }
}

// How far columns stick out of one of four soles. `values` is that of column 0.
static float stick_out(const float *values, const four_lines *lines, int k, uint32_t from, uint32_t to) {
    uint32_t begin = (uint32_t)lines->from[k], middle = (uint32_t)lines->middle[k], count = to - from, i = 0;
    float most = -INFINITY;
    if (count < 4) {
        for (i = from; i < to; i++)
            for (int part = i > middle; part < 2 && (part == 0 || i >= middle); part++) {
                float line = lines->at[part][k] + lines->rise[part][k] * (float)(int32_t)(i - begin);
                line = stride_clamp(line, lines->low[part][k], lines->high[part][k]);
                most = stride_high(most, values[i] - line);
            }
        return most;
    }
    simd_float over = simd_set(-INFINITY), far = simd_set(INFINITY);
    simd_float at[2], rise[2], low[2], high[2];
    for (int part = 0; part < 2; part++) {
        at[part] = simd_set(lines->at[part][k]), rise[part] = simd_set(lines->rise[part][k]);
        low[part] = simd_set(lines->low[part][k]), high[part] = simd_set(lines->high[part][k]);
    }
    for (;;) {
        simd_int column = simd_set_int((int32_t)(from + i)) + simd_numbers();
        simd_float number = __builtin_convertvector(column - simd_set_int((int32_t)begin), simd_float);
        simd_float rear = simd_min(simd_max(at[0] + rise[0] * number, low[0]), high[0]);
        simd_float front = simd_min(simd_max(at[1] + rise[1] * number, low[1]), high[1]);
        rear = simd_select(column > simd_set_int((int32_t)middle), far, rear);
        front = simd_select(column < simd_set_int((int32_t)middle), far, front);
        over = simd_max(over, simd_load(values + from + i) - simd_min(rear, front));
        if (i + 4 >= count)
            break;
        i = i + 8 <= count ? i + 4 : count - 4; // the last four may overlap those before
    }
    return stride_high(stride_high(over[0], over[1]), stride_high(over[2], over[3]));
}

// How far one of four soles is below what it must clear; not above 0 if it clears it.
static float lacks_of(const plan_work *work, const four_lines *lines, float room, int k) {
    const work_obstacles *obstacles = &work->obstacles;
    uint32_t from = (uint32_t)lines->from[k], to = (uint32_t)lines->to[k];
    float over = stride_low(OVER, work->query->clear);
    float lacks = stick_out(work->query->swing.top, lines, k, from, to) + room;
    if (room >= over || !(obstacles->high + over > stride_low(lines->low[0][k], lines->low[1][k])))
        return lacks;
    from = from > obstacles->first ? from : obstacles->first;
    to = to < obstacles->last ? to : obstacles->last;
    if (from >= to)
        return lacks;
    return stride_high(lacks, stick_out(obstacles->values - obstacles->first, lines, k, from, to) + over);
}

static simd_float rooms_of(const plan_work *work, simd_float weights) {
    return simd_set(work->query->clear) * simd_min(weights / simd_set(STRIDE_FULL), simd_set(1));
}

// What the samples of a curve that is not lifted lack: their numbers, and how much. The columns between a
// sample and its neighbours belong to it. Returns how many they are.
static uint32_t find_lacks(const plan_work *work, uint32_t numbers[WORK_SAMPLES], float lacks[WORK_SAMPLES]) {
    uint32_t count = 0;
    for (int i = 0; i < WORK_SAMPLES; i += 4) {
        four_soles soles;
        for (int k = 0; k < 3; k++) {
            soles.along[k] = simd_load(work->off_along[k] + i);
            soles.up[k] = simd_load(work->off_up[k] + i);
        }
        simd_float along = simd_load(work->along + i), up = simd_load(work->up + i);
        simd_float after = simd_abs(simd_load(work->along + i + 1) - along), before = after;
        for (int k = 0; k < 4; k++)
            before[k] = i + k > 0 ? fabsf(work->along[i + k - 1] - along[k]) : 0;
        simd_float more = simd_set(0.5f) * simd_max(before, after);
        simd_float room = rooms_of(work, simd_load(work->weights[0] + i) + simd_load(work->weights[1] + i));
        four_lines lines;
        look_below(work, along, up, &soles, more, room, &lines);
        for (int k = i == 0; k < 4; k++) {
            if (!(lines.close >> k & 1))
                continue;
            lacks[count] = lacks_of(work, &lines, room[k], k);
            numbers[count] = (uint32_t)(i + k);
            count += lacks[count] > 0;
        }
    }
    return count;
}

// The lift of the control points that takes the sole over the ground and the curve least high. Returns how
// much higher it gets; `critical` receives the sample that needs it.
static float least_lift(const plan_work *work, float lift[2], uint32_t *critical) {
    float lacks[WORK_SAMPLES + 1], best = 0;
    uint32_t numbers[WORK_SAMPLES + 1], count = find_lacks(work, numbers, lacks);
    lift[0] = lift[1] = 0;
    for (uint32_t k = 0; k < SPLITS && count > 0; k++) {
        float needed = 0;
        uint32_t at = 0;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t number = numbers[i];
            float weight = work->weights[0][number] * splits[k][0] + work->weights[1][number] * splits[k][1];
            if (lacks[i] > needed * weight)
                needed = lacks[i] / weight, at = number;
        }
        if (k == 0 || needed * splits[k][2] < best) {
            best = needed * splits[k][2];
            lift[0] = needed * splits[k][0], lift[1] = needed * splits[k][1];
            *critical = at;
        }
    }
    return best;
}

// Whether the ground between two samples is far below the sole at both.
static bool is_clear(const plan_work *work, int i) {
    const tr_stride_lane *lane = &work->query->swing;
    float rear = INFINITY, front = -INFINITY, low = INFINITY;
    for (int k = i; k <= i + 1; k++) {
        float up = work->up[k] + work->lift[0] * work->weights[0][k] + work->lift[1] * work->weights[1][k];
        rear = stride_low(rear, work->along[k] + work->off_along[0][k]);
        front = stride_high(front, work->along[k] + work->off_along[2][k]);
        for (int j = 0; j < 3; j++)
            low = stride_low(low, up + work->off_up[j][k]);
    }
    uint32_t from, to;
    float slack = FAR_BELOW + stride_high(work->query->clear, OVER);
    return work->high + slack <= low || !columns_in(lane, rear - FAR_BELOW, front + FAR_BELOW, &from, &to) ||
           work_highest(work, 0, from, to) + slack <= low;
}

// By how much both control points must be lifted more for the sole to clear the ground between the samples,
// where a curve that bends sharply may be lower than at both. `end` receives the half of the curve that asks
// for it.
static float find_between(const plan_work *work, uint32_t *end) {
    const tr_stride *stride = work->stride;
    float most = 0;
    for (int i = 0; i < WORK_SAMPLES; i++) { // four between each two of the samples
        if (is_clear(work, i))
            continue;
        simd_float s = (simd_set((float)(4 * i)) + (simd_float){0.5f, 1.5f, 2.5f, 3.5f}) *
                       simd_set(0.25f / WORK_SAMPLES);
        simd_float half = simd_set(0.125f / WORK_SAMPLES), weights = simd_set(3) * s * (simd_set(1) - s);
        simd_float along = bezier(stride->along, s), up = bezier(stride->up, s);
        simd_float more =
            simd_set(0.5f) * simd_abs(bezier(stride->along, s + half) - bezier(stride->along, s - half));
        four_soles soles;
        turn_soles(work, s, &soles);
        simd_float room = rooms_of(work, weights);
        four_lines lines;
        look_below(work, along, up, &soles, more, room, &lines);
        for (int k = 0; k < 4; k++) {
            if (!(lines.close >> k & 1))
                continue;
            float lacks = lacks_of(work, &lines, room[k], k);
            if (lacks > most * weights[k])
                most = lacks / weights[k], *end = i < WORK_SAMPLES / 2 ? 0 : 1;
        }
    }
    return most;
}

// A form of the curve: which handles it has, how far its control points are lifted, and how much higher that
// takes its highest point.
typedef struct curve_form {
    uint32_t numbers[2];
    float lift[2], height;
} curve_form;

static void take_form(plan_work *work, const curve_form *form) {
    tr_stride *stride = work->stride;
    set_handles(work, handles[form->numbers[0]], handles[form->numbers[1]]);
    work->lift[0] = work->lift[1] = 0;
    stride->up[1] = stride->up[0] + USUAL_LIFT, stride->up[2] = stride->up[3] + USUAL_LIFT;
    tr_stride_curve_lift(work, form->lift[0], form->lift[1]);
}

// The lowest form at the samples: the end at which it lacks most is given another handle.
static curve_form lowest_form(plan_work *work) {
    curve_form best = {.height = INFINITY}, form = best;
    for (;;) {
        uint32_t critical = 0;
        set_handles(work, handles[form.numbers[0]], handles[form.numbers[1]]);
        form.height = least_lift(work, form.lift, &critical);
        if (form.height < best.height - WORTH) // an unusual form must be worth it
            best = form;
        uint32_t end = critical < WORK_SAMPLES / 2 ? 0 : 1;
        if (form.height <= ENOUGH_LIFT || ++form.numbers[end] == HANDLES)
            return best;
    }
}

bool tr_stride_curve_choose(plan_work *work, bool flat) {
    find_obstacles(work);
    set_curve(work);
    curve_form form = lowest_form(work);
    float limit = STRIDE_LIFT_MOST * stride_leg(work->query->body), more = 0;
    if (!(form.lift[0] <= limit && form.lift[1] <= limit))
        return false;
    take_form(work, &form);
    uint32_t end = 0, other_end = 0;
    if (!flat && work->query->swing.top)
        more = find_between(work, &end);
    // Where that asks for much, another handle at this end may ask for less.
    while (more > MUCH && form.numbers[end] + 1 < HANDLES) {
        curve_form other = form;
        uint32_t critical;
        other.numbers[end]++;
        set_handles(work, handles[other.numbers[0]], handles[other.numbers[1]]);
        other.height = least_lift(work, other.lift, &critical);
        take_form(work, &other);
        float others = find_between(work, &other_end);
        if (!(other.height + PEAK * others < form.height + PEAK * more - WORTH)) {
            take_form(work, &form);
            break;
        }
        form = other, more = others, end = other_end;
    }
    if (more > 0)
        tr_stride_curve_lift(work, more, more);
    return work->stride->lift <= limit;
}
