// The straight path in joint space to one of the goals. Or first the hand bends, then the arm moves, then the
// hand turns as the goal requires: this is what people do near obstacles.
#include "reach_data.h"

#include <string.h>

#define LINES_MAX 6 // goals that are tried
#define FOLDED_MAX 4

void tr_reach_hand(const tr_arm *arm, uint32_t number, float hand[3]) {
    // Shares of the range from the middle of the limits to their ends.
    static const float shares[REACH_HANDS][3] = {{0, 0.85f, 0},     {0, -0.85f, 0},    {0.85f, 0.5f, 0},
                                                 {-0.85f, 0.5f, 0}, {0.85f, -0.5f, 0}, {-0.85f, -0.5f, 0}};
    for (int i = 0; i < 3; i++) {
        float low = arm->low.q[TR_FOREARM_PRONATION + i], high = arm->high.q[TR_FOREARM_PRONATION + i];
        hand[i] = 0.5f * (low + high) + 0.5f * (high - low) * shares[number][i];
    }
}

static tr_posture with_hand(const tr_posture *posture, const float hand[3]) {
    tr_posture held = *posture;
    memcpy(&held.q[TR_FOREARM_PRONATION], hand, 3 * sizeof *hand);
    return held;
}

static bool is_straight(tr_reach *reach, const reach_goal *goal) {
    if (!tr_reach_edge(reach, &reach->start, &goal->posture))
        return false;
    reach->knots[0] = reach->start;
    reach->knots[1] = goal->posture;
    reach->knot_count = 2;
    return true;
}

// The middle leg first: it is the longest.
static bool is_folded(tr_reach *reach, const reach_goal *goal, const float hand[3]) {
    tr_posture from = with_hand(&reach->start, hand), to = with_hand(&goal->posture, hand);
    if (!tr_reach_edge(reach, &from, &to) || !tr_reach_edge(reach, &reach->start, &from) ||
        !tr_reach_edge(reach, &to, &goal->posture))
        return false;
    reach->knots[0] = reach->start;
    reach->knots[1] = from;
    reach->knots[2] = to;
    reach->knots[3] = goal->posture;
    reach->knot_count = 4;
    return true;
}

bool tr_reach_by_line(tr_reach *reach) {
    for (int i = 0; i < LINES_MAX && !tr_reach_out_of_budget(reach); i++) {
        const reach_goal *goal = tr_reach_next_goal(reach, false);
        if (!goal)
            break;
        if (is_straight(reach, goal))
            return true;
    }
    for (uint32_t i = 0; i < reach->goal_count && i < FOLDED_MAX; i++)
        for (uint32_t k = 0; k < REACH_HANDS && !tr_reach_out_of_budget(reach); k++) {
            float hand[3];
            tr_reach_hand(&reach->arm, k, hand);
            if (is_folded(reach, &reach->goals[i], hand))
                return true;
        }
    return false;
}
