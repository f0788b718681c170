// Shortens a path: skips corners, cuts across, ends at a nearer goal.
#include "reach_data.h"

#include <math.h>
#include <string.h>

#define CUTS_MAX 24        // shortcuts tried between random points
#define FAILURES_MAX 6     // failures in a row
#define LEAST_GAIN 0.01f   // share of the length for which a shortcut is worth its knots
#define LEAST_BENT 0.35f   // of the wrist, which is not worth a check [rad]
#define WRIST_WEIGHT 12.0f // radians that a metre of the wrist's path counts

// The cost of the leg from a to b: joint angles, and the path of the wrist.
static float leg_cost(const tr_reach *reach, const tr_posture *a, const tr_posture *b) {
    tr_posture middle = tr_reach_between(a, b, 0.5f);
    tr_vec3 p = tr_reach_wrist(reach, a), q = tr_reach_wrist(reach, &middle), r = tr_reach_wrist(reach, b);
    float way = tr_vec3_length(tr_vec3_subtract(q, p)) + tr_vec3_length(tr_vec3_subtract(r, q));
    return sqrtf(tr_reach_gap(a, b)) + WRIST_WEIGHT * way;
}

static float way_cost(const tr_reach *reach, uint32_t from, uint32_t to) {
    float cost = 0;
    for (uint32_t i = from; i < to; i++)
        cost += leg_cost(reach, &reach->knots[i], &reach->knots[i + 1]);
    return cost;
}

// Replaces the knots in [begin, end) by `count` others.
static void replace(tr_reach *reach, uint32_t begin, uint32_t end, const tr_posture *others, uint32_t count) {
    memmove(&reach->knots[begin + count], &reach->knots[end], (reach->knot_count - end) * sizeof(tr_posture));
    if (count > 0)
        memcpy(&reach->knots[begin], others, count * sizeof(tr_posture));
    reach->knot_count = reach->knot_count - (end - begin) + count;
}

// From each knot straight to the farthest later one that is visible.
static void skip_knots(tr_reach *reach) {
    for (uint32_t i = 0; i + 2 < reach->knot_count; i++)
        for (uint32_t j = reach->knot_count - 1; j > i + 1 && !tr_reach_out_of_budget(reach); j--)
            if (tr_reach_edge(reach, &reach->knots[i], &reach->knots[j])) {
                replace(reach, i + 1, j, NULL, 0);
                break;
            }
}

// The point of the path at this length, and its leg.
static tr_posture point_at(const tr_reach *reach, float way, uint32_t *leg) {
    for (*leg = 0;; ++*leg) {
        const tr_posture *a = &reach->knots[*leg], *b = &reach->knots[*leg + 1];
        float length = sqrtf(tr_reach_gap(a, b));
        if (way <= length || *leg + 2 == reach->knot_count)
            return tr_reach_between(a, b, length > way ? way / length : 1);
        way -= length;
    }
}

static float joint_length(const tr_reach *reach) {
    float length = 0;
    for (uint32_t i = 0; i + 1 < reach->knot_count; i++)
        length += sqrtf(tr_reach_gap(&reach->knots[i], &reach->knots[i + 1]));
    return length;
}

static bool cut_once(tr_reach *reach) {
    float length = joint_length(reach);
    float first = tr_random_unit(&reach->random) * length, second = tr_random_unit(&reach->random) * length;
    uint32_t from, to;
    tr_posture ends[2];
    ends[0] = point_at(reach, first < second ? first : second, &from);
    ends[1] = point_at(reach, first < second ? second : first, &to);
    if (from == to || reach->knot_count + 2 > REACH_WAY_MAX)
        return false;
    float old = leg_cost(reach, &ends[0], &reach->knots[from + 1]) + way_cost(reach, from + 1, to) +
                leg_cost(reach, &reach->knots[to], &ends[1]);
    if (leg_cost(reach, &ends[0], &ends[1]) > old * (1 - LEAST_GAIN) ||
        !tr_reach_edge(reach, &ends[0], &ends[1]))
        return false;
    replace(reach, from + 1, to + 1, ends, 2);
    return true;
}

static void cut_corners(tr_reach *reach) {
    uint32_t failures = 0;
    for (uint32_t i = 0;
         i < CUTS_MAX && failures < FAILURES_MAX && reach->knot_count > 2 && !tr_reach_out_of_budget(reach);
         i++)
        failures = cut_once(reach) ? 0 : failures + 1;
}

// Other goals may be nearer to the path than the one it leads to.
static void change_goal(tr_reach *reach) {
    for (uint32_t k = 0; k < reach->goal_count && reach->knot_count > 2; k++) {
        const tr_posture *goal = &reach->goals[k].posture;
        for (uint32_t i = 1; i + 1 < reach->knot_count && !tr_reach_out_of_budget(reach); i++) {
            if (leg_cost(reach, &reach->knots[i], goal) >=
                    0.97f * way_cost(reach, i, reach->knot_count - 1) ||
                !tr_reach_edge(reach, &reach->knots[i], goal))
                continue;
            reach->knots[i + 1] = *goal;
            reach->knot_count = i + 2;
            break;
        }
    }
}

// Straightens the hand at the end as far as there is room, if the goal leaves it free: no wrist stays bent
// because a search came that way.
static void ease_hand(tr_reach *reach) {
    static const float shares[] = {1, 0.7f, 0.4f, 0.2f};
    tr_posture *last = &reach->knots[reach->knot_count - 1], straight = *last;
    if (reach->goal.kind != TR_ARM_GOAL_POSITION || tr_reach_tail(reach) || reach->knot_count < 2)
        return;
    straight.q[TR_WRIST_FLEXION] = straight.q[TR_WRIST_DEVIATION] = 0;
    straight = tr_arm_clamp(&reach->arm, straight);
    float bent = sqrtf(tr_reach_gap(last, &straight));
    for (uint32_t i = 0; bent > LEAST_BENT && i < sizeof shares / sizeof *shares; i++) {
        tr_posture eased = tr_reach_between(last, &straight, shares[i]);
        if (tr_reach_is_clear(reach, &eased, REACH_ALL) && tr_reach_edge(reach, last - 1, &eased)) {
            *last = eased;
            return;
        }
    }
}

float tr_reach_cost(const tr_reach *reach, float *wrist) {
    float cost = way_cost(reach, 0, reach->knot_count - 1);
    *wrist = (cost - joint_length(reach)) / WRIST_WEIGHT;
    return cost;
}

void tr_reach_shorten(tr_reach *reach) {
    skip_knots(reach);
    if (reach->knot_count > 2) {
        change_goal(reach);
        cut_corners(reach);
        skip_knots(reach);
    }
    ease_hand(reach);
}
