// Aligns the phases of strides of different clips by the contacts in their labels.
#include "locomotion_data.h"

#include <math.h>

#define LEFT (TR_CONTACT_LEFT_HEEL | TR_CONTACT_LEFT_TOES)
#define RIGHT (TR_CONTACT_RIGHT_HEEL | TR_CONTACT_RIGHT_TOES)
// Knots closer to each other than this would distort time too sharply [share of the stride].
#define KNOT_GAP 0.02
// A stride whose halves are less equal than this is not a sequence of left and right steps.
#define HALF_LEAST 0.2

// The longest run of frames in which a foot is down. Noise may interrupt a stance, and cycles wrap around.
// `length` is 0 if there is none.
static void find_stance(const tr_clip *clip, uint32_t foot, uint32_t *begin, uint32_t *length) {
    uint32_t count = tr_clip_frame_count(clip), lifted = 0;
    while (lifted < count && (tr_clip_frame_contacts(clip, lifted) & foot))
        lifted++;
    *begin = 0;
    *length = lifted == count ? count : 0;
    uint32_t run = 0;
    for (uint32_t i = 1; i <= count && lifted < count; i++) {
        uint32_t frame = (uint32_t)(((uint64_t)lifted + i) % count);
        run = (tr_clip_frame_contacts(clip, frame) & foot) ? run + 1 : 0;
        if (run > *length) {
            *length = run;
            *begin = (frame + count - (run - 1)) % count;
        }
    }
}

static tr_locomotion_order find_order(double contact, double left_lift, double right_lift) {
    if (contact < HALF_LEAST || contact > 1 - HALF_LEAST)
        return TR_LOCOMOTION_LOOSE;
    double first_end = contact - KNOT_GAP, second_begin = contact + KNOT_GAP, end = 1 - KNOT_GAP;
    if (right_lift > KNOT_GAP && right_lift < first_end && left_lift > second_begin && left_lift < end)
        return TR_LOCOMOTION_WALK;
    if (left_lift > KNOT_GAP && left_lift < first_end && right_lift > second_begin && right_lift < end)
        return TR_LOCOMOTION_RUN;
    return TR_LOCOMOTION_STEPS;
}

tr_status tr_locomotion_stride_find(tr_locomotion_stride *stride, tr_error *error) {
    const tr_clip *clip = stride->clip;
    uint32_t count = tr_clip_frame_count(clip), begin[2], length[2];
    find_stance(clip, LEFT, &begin[0], &length[0]);
    find_stance(clip, RIGHT, &begin[1], &length[1]);
    for (int side = 0; side < 2; side++)
        if (length[side] == 0)
            return tr_fail(error, TR_INVALID, "the cycle \"%s\" has no contact of the %s foot",
                           tr_clip_name(clip), side ? "right" : "left");
    stride->order = TR_LOCOMOTION_LOOSE;
    stride->start = 0;
    if (length[0] == count || length[1] == count)
        return TR_OK;
    stride->start = (double)begin[0] / count;
    uint32_t right = (begin[1] + count - begin[0]) % count;
    double left_lift = (double)length[0] / count, right_lift = (double)((right + length[1]) % count) / count;
    stride->contact = (double)right / count;
    stride->lift[0] = left_lift < right_lift ? left_lift : right_lift;
    stride->lift[1] = left_lift < right_lift ? right_lift : left_lift;
    stride->order = find_order(stride->contact, left_lift, right_lift);
    return TR_OK;
}

static void add_knot(tr_locomotion_stride *stride, double phase, double share) {
    stride->phase[stride->knot_count] = phase;
    stride->share[stride->knot_count++] = share;
}

// Lift-offs lie at the mean of their places in all clips of the order, separately for each half of the
// stride. Where walking turns into running, they lie where the two clips next to each other have them: there
// the phase runs as evenly as each of the two, so that neither jerks while they are mixed.
static bool sets_lifts(const tr_locomotion *locomotion, uint32_t number, tr_locomotion_order order) {
    const tr_locomotion_stride *strides = locomotion->strides;
    uint32_t run = locomotion->first_run;
    bool next = run < locomotion->count && (strides[run].order == order || strides[run - 1].order == order);
    return strides[number].order == order && (!next || number == run || number + 1 == run);
}

static void place_lifts(const tr_locomotion *locomotion, tr_locomotion_order order, double lifts[2]) {
    double sum[2] = {0, 0};
    uint32_t count = 0;
    for (uint32_t i = 0; i < locomotion->count; i++) {
        const tr_locomotion_stride *stride = &locomotion->strides[i];
        if (!sets_lifts(locomotion, i, order))
            continue;
        sum[0] += stride->lift[0] / stride->contact;
        sum[1] += (stride->lift[1] - stride->contact) / (1 - stride->contact);
        count++;
    }
    lifts[0] = count ? 0.5 * sum[0] / count : 0;
    lifts[1] = count ? 0.5 + 0.5 * sum[1] / count : 0;
}

static double share_at(const tr_locomotion_stride *stride, double phase) {
    uint32_t i = 0;
    while (i + 2 < stride->knot_count && phase >= stride->phase[i + 1])
        i++;
    double part = (phase - stride->phase[i]) / (stride->phase[i + 1] - stride->phase[i]);
    return stride->share[i] + part * (stride->share[i + 1] - stride->share[i]);
}

// All knots of both, in order; strides of one order have the same knots.
static void make_map(const tr_locomotion_stride *lower, const tr_locomotion_stride *upper,
                     tr_locomotion_map *map) {
    uint32_t i = 0, j = 0;
    map->count = 0;
    while (i < lower->knot_count && j < upper->knot_count) {
        double a = lower->phase[i], b = upper->phase[j], phase = a < b ? a : b;
        i += a == phase;
        j += b == phase;
        map->phase[map->count] = phase;
        map->lower[map->count] = share_at(lower, phase);
        map->upper[map->count++] = share_at(upper, phase);
    }
}

void tr_locomotion_align(tr_locomotion *locomotion) {
    double lifts[TR_LOCOMOTION_ORDERS][2];
    for (int order = 0; order < TR_LOCOMOTION_ORDERS; order++)
        place_lifts(locomotion, (tr_locomotion_order)order, lifts[order]);
    for (uint32_t i = 0; i < locomotion->count; i++) {
        tr_locomotion_stride *stride = &locomotion->strides[i];
        bool lifts_known = stride->order == TR_LOCOMOTION_WALK || stride->order == TR_LOCOMOTION_RUN;
        stride->knot_count = 0;
        add_knot(stride, 0, 0);
        if (lifts_known)
            add_knot(stride, lifts[stride->order][0], stride->lift[0]);
        if (stride->order != TR_LOCOMOTION_LOOSE)
            add_knot(stride, 0.5, stride->contact);
        if (lifts_known)
            add_knot(stride, lifts[stride->order][1], stride->lift[1]);
        add_knot(stride, 1, 1);
        make_map(&locomotion->strides[i ? i - 1 : 0], stride, &locomotion->maps[i]);
    }
}

static double between(double a, double b, double t) {
    return a + (b - a) * t;
}

void tr_locomotion_map_at(const tr_locomotion_map *map, double phase, double *lower, double *upper) {
    uint32_t i = 0;
    while (i + 2 < map->count && phase >= map->phase[i + 1])
        i++;
    double part = (phase - map->phase[i]) / (map->phase[i + 1] - map->phase[i]);
    *lower = between(map->lower[i], map->lower[i + 1], part);
    *upper = between(map->upper[i], map->upper[i + 1], part);
}

double tr_locomotion_map_advance(const tr_locomotion_map *map, float blend, double phase, double strides) {
    double lower, upper;
    tr_locomotion_map_at(map, phase, &lower, &upper);
    double goal = between(lower, upper, (double)blend) + strides;
    goal -= floor(goal);
    uint32_t i = 0;
    double begin = 0, end = between(map->lower[1], map->upper[1], (double)blend);
    while (i + 2 < map->count && goal >= end) {
        i++;
        begin = end;
        end = between(map->lower[i + 1], map->upper[i + 1], (double)blend);
    }
    double next = between(map->phase[i], map->phase[i + 1], (goal - begin) / (end - begin));
    return next >= 0 && next < 1 ? next : 0;
}
