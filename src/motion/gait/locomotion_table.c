// The table: for every speed the blend and the rate with the least sliding, near the natural rate.
#include "locomotion_data.h"

#include <math.h>

enum {
    PHASES = 64,              // phases at which a stride is measured
    MIXES = 33,               // blends of a pair that are measured; between them feet move linearly
    CONTACTS_MAX = PHASES * 4 // heel and toes of two feet in each phase
};
// A rate 5 % off the natural one counts as much as sliding by 1 % of the speed.
#define RATE_WEIGHT 4.0
// Where no other cost decides, the blend rises evenly.
#define EVEN_WEIGHT 1e-4
// Rates are searched between the natural rate divided by this and multiplied by it.
#define RATE_SPAN 2.0
// The blend rises at most this many times as fast as evenly, so that the pose does not jump between lines.
#define STEEPNESS 2.0

// A step from standing begins this long before mid-stance. Growing steps push the standing foot forwards
// before mid-stance and backwards after it, and the two nearly cancel out.
#define BEGIN_EARLY 0.05

// The working data of the measurement, for one pair at a time.
typedef struct workshop {
    tr_pose lower, upper, mixed;
    tr_affine *model;
    tr_foot feet[2];
    tr_vec3 points[2][MIXES][2][3]; // heel, ball and tip of both feet at the previous phase and at this one
    // A contact is a point that a clip holds on the ground from one phase to the next.
    uint32_t contact_count;
    float step_x[MIXES][CONTACTS_MAX], step_z[MIXES][CONTACTS_MAX]; // its movement, relative to the base
    float held[2][CONTACTS_MAX];                                    // by the lower and the upper clip: 1 or 0
    float share[2][CONTACTS_MAX]; // share of the stride between the phases, for each clip
    double cost[TR_LOCOMOTION_SPEEDS][MIXES];
    double total[TR_LOCOMOTION_SPEEDS][MIXES];
    uint8_t before[TR_LOCOMOTION_SPEEDS][MIXES];
    double blend[TR_LOCOMOTION_SPEEDS];
} workshop;

// The contacts at one blend, each multiplied by its weight.
typedef struct mixed_contacts {
    uint32_t count;
    float x[CONTACTS_MAX], z[CONTACTS_MAX];             // movement of the point [m]
    float ahead_x[CONTACTS_MAX], ahead_z[CONTACTS_MAX]; // movement of the base for a stride of 1 m
    double total;
} mixed_contacts;

// The criteria of a line.
typedef struct line_goal {
    double speed, rate; // [m/s], natural [strides/s]
    double even;        // blend
} line_goal;

static void measure_points(workshop *shop, const tr_locomotion *locomotion, const tr_skeleton *skeleton,
                           double lower_time, double upper_time, const tr_clip *lower, const tr_clip *upper,
                           tr_vec3 points[MIXES][2][3]) {
    tr_clip_sample(lower, lower_time, &shop->lower);
    tr_clip_sample(upper, upper_time, &shop->upper);
    for (uint32_t mix = 0; mix < MIXES; mix++) {
        tr_locomotion_blend(locomotion, &shop->lower, &shop->upper, (float)mix / (MIXES - 1),
                            lower == locomotion->stand, NULL, &shop->mixed);
        tr_pose_to_model(skeleton, &shop->mixed, NULL, shop->model);
        for (int side = 0; side < 2; side++) {
            points[mix][side][0] = tr_foot_heel(&shop->feet[side], shop->model);
            points[mix][side][1] = tr_foot_ball(&shop->feet[side], shop->model);
            points[mix][side][2] = tr_foot_tip(&shop->feet[side], shop->model);
        }
    }
}

// The points that are on the ground at both ends of an interval and at all frames in between.
static uint32_t held_through(const tr_locomotion_stride *stride, double begin, double end) {
    uint32_t count = tr_clip_frame_count(stride->clip);
    double first = floor((stride->start + begin) * count), last = ceil((stride->start + end) * count);
    uint32_t held = UINT32_MAX;
    for (double frame = first; frame <= last && held; frame++)
        held &= tr_clip_frame_contacts(stride->clip, (uint32_t)((uint64_t)frame % count));
    return held;
}

// The toes touch with the lower of ball and tip.
static void add_contact(workshop *shop, uint32_t side, bool toes, const uint32_t held[2],
                        const double share[2], uint32_t now) {
    uint32_t bit = (side ? TR_CONTACT_RIGHT_HEEL : TR_CONTACT_LEFT_HEEL) << toes;
    if (!((held[0] | held[1]) & bit))
        return;
    uint32_t contact = shop->contact_count++;
    for (int clip = 0; clip < 2; clip++) {
        shop->held[clip][contact] = (held[clip] & bit) ? 1 : 0;
        shop->share[clip][contact] = (float)share[clip];
    }
    for (uint32_t mix = 0; mix < MIXES; mix++) {
        const tr_vec3 *from = shop->points[!now][mix][side], *to = shop->points[now][mix][side];
        int point = !toes ? 0 : from[2].y + to[2].y < from[1].y + to[1].y ? 2 : 1;
        shop->step_x[mix][contact] = to[point].x - from[point].x;
        shop->step_z[mix][contact] = to[point].z - from[point].z;
    }
}

static void measure_pair(workshop *shop, const tr_locomotion *locomotion, const tr_skeleton *skeleton,
                         uint32_t pair) {
    const tr_locomotion_stride *upper = &locomotion->strides[pair], *lower = pair ? upper - 1 : upper;
    shop->contact_count = 0;
    double before[2] = {0, 0};
    for (uint32_t i = 0; i <= PHASES; i++) {
        double now[2];
        tr_locomotion_map_at(&locomotion->maps[pair], (double)i / PHASES, &now[0], &now[1]);
        // Standing has no phase: it takes the contacts of the walk that it blends into.
        measure_points(shop, locomotion, skeleton, pair ? tr_locomotion_time(lower, now[0]) : 0,
                       tr_locomotion_time(upper, now[1]), pair ? lower->clip : locomotion->stand, upper->clip,
                       shop->points[i & 1]);
        if (i > 0) {
            double share[2] = {now[0] - before[0], now[1] - before[1]};
            uint32_t held[2] = {held_through(lower, before[0], now[0]),
                                held_through(upper, before[1], now[1])};
            for (uint32_t side = 0; side < 2; side++) {
                add_contact(shop, side, false, held, share, i & 1);
                add_contact(shop, side, true, held, share, i & 1);
            }
        }
        before[0] = now[0];
        before[1] = now[1];
    }
}

static void mix_contacts(const workshop *shop, double blend, tr_vec2 direction, mixed_contacts *mixed) {
    double place = blend * (MIXES - 1);
    uint32_t cell = place >= MIXES - 2 ? MIXES - 2 : (uint32_t)place;
    float part = (float)(place - cell), rest = 1 - part, upper = (float)blend, lower = 1 - upper;
    mixed->count = shop->contact_count;
    mixed->total = 0;
    for (uint32_t i = 0; i < shop->contact_count; i++) {
        float weight = lower * shop->held[0][i] + upper * shop->held[1][i];
        float share = weight * (lower * shop->share[0][i] + upper * shop->share[1][i]);
        mixed->x[i] = weight * (rest * shop->step_x[cell][i] + part * shop->step_x[cell + 1][i]);
        mixed->z[i] = weight * (rest * shop->step_z[cell][i] + part * shop->step_z[cell + 1][i]);
        mixed->ahead_x[i] = share * direction.x;
        mixed->ahead_z[i] = share * direction.z;
        mixed->total += (double)share;
    }
}

// Mean speed over the ground [m/s], and its derivative by the rate.
static double slide_at(const mixed_contacts *mixed, double speed, double rate, double *slope) {
    double sum = 0, change = 0;
    float v = (float)speed, r = (float)rate;
    for (uint32_t i = 0; i < mixed->count; i++) {
        float x = r * mixed->x[i] + v * mixed->ahead_x[i], z = r * mixed->z[i] + v * mixed->ahead_z[i];
        float length = sqrtf(x * x + z * z);
        sum += (double)length;
        change += (double)(length > 0 ? (x * mixed->x[i] + z * mixed->z[i]) / length : 0);
    }
    double inverse = mixed->total > 0 ? 1 / mixed->total : 0;
    *slope = change * inverse;
    return sum * inverse;
}

// The cost is convex in the rate: bisects the interval in which its slope changes sign.
static double best_rate(const mixed_contacts *mixed, const line_goal *goal) {
    double low = goal->rate / RATE_SPAN, high = goal->rate * RATE_SPAN;
    for (int i = 0; i < 18; i++) {
        double rate = 0.5 * (low + high), slope;
        slide_at(mixed, goal->speed, rate, &slope);
        slope = slope / goal->speed + 2 * RATE_WEIGHT * (rate / goal->rate - 1) / goal->rate;
        if (slope > 0)
            high = rate;
        else
            low = rate;
    }
    return 0.5 * (low + high);
}

static double cost_at(const workshop *shop, tr_vec2 direction, const line_goal *goal, double blend,
                      double *rate, double *slide) {
    mixed_contacts mixed;
    double slope;
    mix_contacts(shop, blend, direction, &mixed);
    *rate = best_rate(&mixed, goal);
    *slide = slide_at(&mixed, goal->speed, *rate, &slope);
    double off = *rate / goal->rate - 1, uneven = blend - goal->even;
    return *slide / goal->speed + RATE_WEIGHT * off * off + EVEN_WEIGHT * uneven * uneven;
}

static line_goal goal_of(const tr_locomotion *locomotion, uint32_t pair, uint32_t line) {
    uint32_t first = locomotion->first_line[pair], last = locomotion->first_line[pair + 1];
    float speed = locomotion->speed[line];
    line_goal goal = {(double)speed, (double)tr_locomotion_pair_rate(locomotion, pair, speed),
                      (double)(line - first) / (last - first)};
    return goal;
}

// The cheapest path from blend 0 at the first line to 1 at the last that rises and is not too steep, over the
// measured blends: a cheap valley at one speed must not lead to a cliff at the next.
static void find_way(workshop *shop, uint32_t lines, uint32_t reach) {
    for (uint32_t mix = 0; mix < MIXES; mix++)
        shop->total[0][mix] = mix ? INFINITY : 0;
    for (uint32_t line = 1; line <= lines; line++)
        for (uint32_t mix = 0; mix < MIXES; mix++) {
            uint32_t best = mix > reach ? mix - reach : 0;
            for (uint32_t from = best + 1; from <= mix; from++)
                if (shop->total[line - 1][from] < shop->total[line - 1][best])
                    best = from;
            shop->before[line][mix] = (uint8_t)best;
            shop->total[line][mix] = shop->total[line - 1][best] + shop->cost[line][mix];
        }
    uint32_t mix = MIXES - 1;
    for (uint32_t line = lines; line > 0; line--) {
        shop->blend[line] = (double)mix / (MIXES - 1);
        mix = shop->before[line][mix];
    }
    shop->blend[0] = 0;
}

// The least cost between two blends, assuming a single valley (golden section).
static double best_blend(const workshop *shop, tr_vec2 direction, const line_goal *goal, double low,
                         double high) {
    const double golden = 0.61803398874989485;
    double rate, slide, a = high - golden * (high - low), b = low + golden * (high - low);
    double cost_a = cost_at(shop, direction, goal, a, &rate, &slide);
    double cost_b = cost_at(shop, direction, goal, b, &rate, &slide);
    for (int i = 0; i < 12; i++)
        if (cost_a < cost_b) {
            high = b;
            b = a;
            cost_b = cost_a;
            a = high - golden * (high - low);
            cost_a = cost_at(shop, direction, goal, a, &rate, &slide);
        } else {
            low = a;
            a = b;
            cost_a = cost_b;
            b = low + golden * (high - low);
            cost_b = cost_at(shop, direction, goal, b, &rate, &slide);
        }
    return 0.5 * (low + high);
}

// Refines between the measured blends: moves each line to its best blend between its neighbours.
static void refine_way(workshop *shop, const tr_locomotion *locomotion, uint32_t pair, uint32_t lines,
                       double step) {
    tr_vec2 direction = locomotion->strides[0].direction;
    const double cell = 1.0 / (MIXES - 1);
    for (int arm_path = 0; arm_path < 3; arm_path++)
        for (uint32_t line = 1; line < lines; line++) {
            double *blend = &shop->blend[line], low = *blend - cell, high = *blend + cell, rate, slide;
            double least = blend[1] - step > blend[-1] ? blend[1] - step : blend[-1];
            double most = blend[-1] + step < blend[1] ? blend[-1] + step : blend[1];
            low = low > least ? low : least;
            high = high < most ? high : most;
            if (!(low < high))
                continue;
            line_goal goal = goal_of(locomotion, pair, locomotion->first_line[pair] + line);
            double better = best_blend(shop, direction, &goal, low, high);
            if (cost_at(shop, direction, &goal, better, &rate, &slide) <
                cost_at(shop, direction, &goal, *blend, &rate, &slide))
                *blend = better;
        }
}

static void fill_pair(workshop *shop, tr_locomotion *locomotion, uint32_t pair) {
    uint32_t first = locomotion->first_line[pair], lines = locomotion->first_line[pair + 1] - first;
    tr_vec2 direction = locomotion->strides[0].direction;
    double rate, slide;
    for (uint32_t line = 1; line <= lines; line++) {
        line_goal goal = goal_of(locomotion, pair, first + line);
        for (uint32_t mix = 0; mix < MIXES; mix++)
            shop->cost[line][mix] = cost_at(shop, direction, &goal, (double)mix / (MIXES - 1), &rate, &slide);
    }
    uint32_t reach = (uint32_t)ceil(STEEPNESS * (MIXES - 1) / lines);
    find_way(shop, lines, reach);
    refine_way(shop, locomotion, pair, lines, (double)reach / (MIXES - 1));
    for (uint32_t line = 1; line <= lines; line++) {
        line_goal goal = goal_of(locomotion, pair, first + line);
        cost_at(shop, direction, &goal, shop->blend[line], &rate, &slide);
        if (line == lines) { // a clip alone at its own speed plays as recorded
            mixed_contacts mixed;
            double slope;
            mix_contacts(shop, 1, direction, &mixed);
            rate = (double)locomotion->strides[pair].rate;
            slide = slide_at(&mixed, goal.speed, rate, &slope);
        }
        locomotion->mix[first + line] = (float)(pair + shop->blend[line]);
        locomotion->rate[first + line] = (float)rate;
        locomotion->slide[first + line] = (float)slide;
    }
}

// The time in the stance at which the foot is under the body as in standing: the walk is closest to standing
// there.
static double find_middle(workshop *shop, const tr_locomotion *locomotion, const tr_skeleton *skeleton,
                          uint32_t side) {
    const tr_locomotion_stride *stride = &locomotion->strides[0];
    double ahead_before = 0;
    uint32_t foot =
        side ? TR_CONTACT_RIGHT_HEEL | TR_CONTACT_RIGHT_TOES : TR_CONTACT_LEFT_HEEL | TR_CONTACT_LEFT_TOES;
    bool was_held = false;
    for (uint32_t i = 0; i < 2 * PHASES; i++) {
        double phase = (double)(i % PHASES) / PHASES, share, same;
        tr_locomotion_map_at(&locomotion->maps[0], phase, &share, &same);
        measure_points(shop, locomotion, skeleton, 0, tr_locomotion_time(stride, share), locomotion->stand,
                       stride->clip, shop->points[0]);
        tr_vec3 stands = shop->points[0][0][side][1], walks = shop->points[0][MIXES - 1][side][1];
        double ahead =
            (double)(stride->direction.x * (walks.x - stands.x) + stride->direction.z * (walks.z - stands.z));
        bool held = (tr_clip_contacts(stride->clip, tr_locomotion_time(stride, share)) & foot) != 0;
        if (held && was_held && ahead_before > 0 && ahead <= 0) {
            double middle = phase - ahead / (ahead - ahead_before) / PHASES;
            return middle < 0 ? middle + 1 : middle;
        }
        ahead_before = ahead;
        was_held = held;
    }
    return side ? 0.75 : 0.25;
}

static void fill_all(workshop *shop, tr_locomotion *locomotion, const tr_skeleton *skeleton) {
    for (uint32_t pair = 0; pair < locomotion->count; pair++) {
        measure_pair(shop, locomotion, skeleton, pair);
        fill_pair(shop, locomotion, pair);
    }
    // As the speed goes to 0, steps become smaller but not rarer.
    locomotion->rate[0] = locomotion->rate[1];
    for (uint32_t side = 0; side < 2; side++) {
        double begin = find_middle(shop, locomotion, skeleton, side) - BEGIN_EARLY;
        locomotion->begin[side] = begin < 0 ? begin + 1 : begin;
    }
}

tr_status tr_locomotion_fill(tr_locomotion *locomotion, const tr_skeleton *skeleton, tr_error *error) {
    const tr_allocator *allocator = &locomotion->allocator;
    uint32_t joints = locomotion->joint_count;
    workshop *shop = tr_allocate_zero(allocator, 1, sizeof *shop);
    if (!shop)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory to measure %u cycles", locomotion->count);
    tr_status status = TR_OK;
    for (uint32_t side = 0; side < 2 && status == TR_OK; side++)
        if (tr_foot_measure(skeleton, side, &shop->feet[side]) != TR_OK)
            status =
                tr_fail(error, TR_NOT_FOUND, "the skeleton has no %s leg: thigh, shank and foot need roles",
                        side ? "right" : "left");
    if (status == TR_OK)
        status = tr_pose_create(allocator, joints, &shop->lower, error);
    if (status == TR_OK)
        status = tr_pose_create(allocator, joints, &shop->upper, error);
    if (status == TR_OK)
        status = tr_pose_create(allocator, joints, &shop->mixed, error);
    if (status == TR_OK) {
        shop->model = tr_allocate(allocator, joints, sizeof *shop->model);
        if (!shop->model)
            status = tr_fail(error, TR_OUT_OF_MEMORY, "no memory for %u joints", joints);
    }
    if (status == TR_OK)
        fill_all(shop, locomotion, skeleton);
    tr_release(allocator, shop->model, joints, sizeof *shop->model);
    tr_pose_destroy(&shop->mixed);
    tr_pose_destroy(&shop->upper);
    tr_pose_destroy(&shop->lower);
    tr_release(allocator, shop, 1, sizeof *shop);
    return status;
}
