// Postures that hold the hand at the goal: candidates over all swivels and rotations of the hand, cheapest
// first.
#include "reach_data.h"
#include "troupe/base/scalar.h"

#include <math.h>

#define SWIVEL_STEP 0.25f // [rad]
#define SWIVEL_STEP_FINE 0.06f
#define START_WEIGHT 0.3f     // of radians from the start against comfort
#define FAR_COMFORT 0.15f     // the reverse, for goals that no straight way leads to
#define HAND_WEIGHT 0.25f     // of the angles of the hand among these, squared
#define LEAST_DIFFERENCE 0.2f // between goals that are kept [rad]

// A heap by cost; equal candidates come out in no particular order, which is always the same.
static void push_candidate(tr_reach *reach, const reach_goal *goal) {
    if (reach->candidate_count == REACH_CANDIDATES_MAX)
        return;
    reach_goal *heap = reach->candidates;
    uint32_t hole = reach->candidate_count++;
    for (; hole > 0 && goal->cost < heap[(hole - 1) / 2].cost; hole = (hole - 1) / 2)
        heap[hole] = heap[(hole - 1) / 2];
    heap[hole] = *goal;
}

static bool pop_candidate(tr_reach *reach, reach_goal *goal) {
    reach_goal *heap = reach->candidates;
    if (reach->candidate_count == 0)
        return false;
    *goal = heap[0];
    const reach_goal last = heap[--reach->candidate_count];
    uint32_t hole = 0, count = reach->candidate_count;
    for (;;) {
        uint32_t child = 2 * hole + 1;
        if (child + 1 < count && heap[child + 1].cost < heap[child].cost)
            child++;
        if (child >= count || !(heap[child].cost < last.cost))
            break;
        heap[hole] = heap[child];
        hole = child;
    }
    heap[hole] = last;
    return true;
}

float tr_reach_goal_cost(const tr_reach *reach, const tr_posture *posture) {
    float square = 0;
    for (int i = 0; i < TR_ARM_ANGLES; i++) {
        float gap = posture->q[i] - reach->start.q[i];
        square += gap * gap * (i >= TR_FOREARM_PRONATION && i < TR_ARM_JOINTS ? HAND_WEIGHT : 1);
    }
    return START_WEIGHT * sqrtf(square) + tr_arm_comfort(&reach->arm, posture);
}

static void add_candidate(tr_reach *reach, const tr_posture *posture, float swivel) {
    reach_goal goal = {.posture = *posture, .swivel = swivel, .tail = *posture};
    goal.cost = tr_reach_goal_cost(reach, posture);
    push_candidate(reach, &goal);
}

// Directions inside the cone of the goal: its axis, then rings at fractions of the tolerance.
static tr_vec3 direction_in_cone(const tr_arm_goal *goal, uint32_t number) {
    static const float ring[] = {0.5f, 0.9f};
    static const uint32_t spokes[] = {6, 9};
    tr_vec3 axis = tr_vec3_scale(goal->direction, 1 / tr_vec3_length(goal->direction));
    if (number == 0)
        return axis;
    uint32_t r = number <= spokes[0] ? 0 : 1, spoke = number - 1 - (r ? spokes[0] : 0);
    tr_vec3 side = fabsf(axis.y) < 0.9f ? tr_vec3_make(0, 1, 0) : tr_vec3_make(1, 0, 0);
    side = tr_vec3_cross(axis, side);
    tr_quat tilt = tr_quat_about(side, (double)ring[r] * goal->tolerance);
    tr_quat spin = tr_quat_about(axis, 2 * TR_PI * spoke / spokes[r]);
    return tr_quat_rotate(spin, tr_quat_rotate(tilt, axis));
}
#define CONE_DIRECTIONS 16
#define DIRECTIONS_FIRST 7

// The angles of the hand to try if the goal leaves them free: those of the start, the preferred ones, and a
// few around the middle of their limits.
#define HANDS 14
#define HANDS_FIRST 3 // the first of them, which are tried before the others
static void hand_angles(const tr_reach *reach, uint32_t number, float hand[3]) {
    static const float shares[HANDS - 2][3] = {{0, 0, 0},         {0.5f, 0, 0},     {-0.5f, 0, 0},
                                               {0, 0.5f, 0},      {0, -0.5f, 0},    {0.5f, 0.5f, 0},
                                               {-0.5f, -0.5f, 0}, {0.5f, -0.5f, 0}, {-0.5f, 0.5f, 0},
                                               {0, 0.9f, 0.5f},   {0, -0.9f, 0.5f}, {0, 0, 0.9f}};
    for (int i = 0; i < 3; i++) {
        float low = reach->arm.low.q[TR_FOREARM_PRONATION + i],
              high = reach->arm.high.q[TR_FOREARM_PRONATION + i];
        if (number == 0)
            hand[i] = reach->start.q[TR_FOREARM_PRONATION + i];
        else if (number == 1)
            hand[i] = reach->hand[i];
        else
            hand[i] = 0.5f * (low + high) + 0.5f * (high - low) * shares[number - 2][i];
    }
}

// Turns the hand where the goal leaves it free: only its own angles change.
static void add_free_hands(tr_reach *reach, const tr_posture *held, float swivel, uint32_t from,
                           uint32_t to) {
    tr_posture posture = *held;
    for (uint32_t k = from; k < to; k++) {
        hand_angles(reach, k, &posture.q[TR_FOREARM_PRONATION]);
        posture = tr_arm_clamp(&reach->arm, posture);
        add_candidate(reach, &posture, swivel);
    }
}

// Along directions inside the cone of the goal.
static void add_directions(tr_reach *reach, const reach_swivel *at, uint32_t from, uint32_t to) {
    tr_arm_goal goal = reach->goal;
    tr_posture posture;
    to = goal.tolerance > 0.01f ? to : 1;
    for (uint32_t k = from; k < to; k++) {
        goal.direction = direction_in_cone(&reach->goal, k);
        if (tr_arm_family_at(&reach->arm, &reach->family, &goal, at->swivel, at->branch,
                             &reach->start.q[TR_FOREARM_PRONATION], &posture))
            add_candidate(reach, &posture, at->swivel);
    }
}

// Rotations of the hand at a swivel: a few of them, or all the others.
static void add_hands(tr_reach *reach, const reach_swivel *at, bool others) {
    tr_posture posture;
    if (reach->goal.kind == TR_ARM_GOAL_POSITION)
        add_free_hands(reach, &at->posture, at->swivel, others ? HANDS_FIRST : 0,
                       others ? HANDS : HANDS_FIRST);
    else if (reach->goal.kind == TR_ARM_GOAL_DIRECTION)
        add_directions(reach, at, others ? DIRECTIONS_FIRST : 0, others ? CONE_DIRECTIONS : DIRECTIONS_FIRST);
    else if (!others && tr_arm_family_at(&reach->arm, &reach->family, &reach->goal, at->swivel, at->branch,
                                         reach->hand, &posture))
        add_candidate(reach, &posture, at->swivel);
}

// The upper arm and the forearm depend on the swivel alone: if they touch something, no hand is worth trying.
static void add_swivel(tr_reach *reach, float swivel, uint32_t branch) {
    reach_swivel *at = &reach->swivels[reach->swivel_count];
    tr_arm_goal goal = reach->goal;
    goal.kind = TR_ARM_GOAL_POSITION;
    *at = (reach_swivel){.swivel = swivel, .branch = branch};
    if (reach->swivel_count == REACH_SWIVELS_MAX ||
        !tr_arm_family_at(&reach->arm, &reach->family, &goal, swivel, branch & 1, reach->hand, &at->posture))
        return;
    float margin = reach->margin;
    reach->margin = reach->margin_ends;
    if (tr_reach_is_clear(reach, &at->posture, REACH_UPPER | REACH_FOREARM | REACH_TRUNK))
        add_hands(reach, &reach->swivels[reach->swivel_count++], false);
    reach->margin = margin;
}

static void add_range(tr_reach *reach, const tr_arm_range *range, float step) {
    uint32_t pieces = (uint32_t)((range->high - range->low) / step) + 1;
    pieces = pieces > REACH_SWIVELS_MAX ? REACH_SWIVELS_MAX : pieces;
    for (uint32_t i = 0; i <= pieces; i++) {
        // A little inside the range, so that rounding does not push an angle past its limit.
        float share = 0.002f + 0.996f * (float)i / (float)pieces;
        add_swivel(reach, range->low + share * (range->high - range->low), range->branch);
    }
}

static bool is_inside(const tr_arm_range *range, float swivel) {
    while (swivel < range->low)
        swivel += (float)(2 * TR_PI);
    return swivel <= range->high;
}

// The best of all postures, if nothing is in the way.
static void add_most_comfortable(tr_reach *reach) {
    tr_posture posture;
    if (tr_arm_most_comfortable(&reach->arm, reach->family.help, &reach->goal, &posture) < INFINITY)
        add_candidate(reach, &posture, tr_arm_swivel(&reach->arm, &posture));
}

static void add_swivels(tr_reach *reach, float step) {
    reach->swivel_count = 0;
    add_most_comfortable(reach);
    float special[2] = {tr_arm_natural_swivel(&reach->arm, &reach->family),
                        tr_arm_swivel(&reach->arm, &reach->start)};
    for (uint32_t i = 0; i < reach->family.range_count; i++) {
        const tr_arm_range *range = &reach->family.ranges[i];
        for (int k = 0; k < 2; k++)
            if (is_inside(range, special[k]))
                add_swivel(reach, special[k], range->branch);
        add_range(reach, range, step);
    }
}

static tr_reach_reason reason_of(tr_arm_reason reason) {
    switch (reason) {
    case TR_ARM_TOO_FAR:
        return TR_REACH_GOAL_TOO_FAR;
    case TR_ARM_TOO_NEAR:
        return TR_REACH_GOAL_TOO_NEAR;
    default:
        return TR_REACH_GOAL_LIMITS;
    }
}

tr_status tr_reach_find_goals(tr_reach *reach, bool help, tr_error *error) {
    reach->candidate_count = reach->goal_count = 0;
    tr_status status =
        tr_arm_solve(&reach->arm, &reach->start.q[TR_ARM_JOINTS], &reach->goal, &reach->family);
    if (status == TR_INVALID)
        return tr_fail(error, TR_INVALID, "the goal of the reach is not finite or has no direction");
    tr_reach_reason reason = reason_of(reach->family.reason);
    tr_vec3 wrist = reach->goal.wrist;
    tr_arm_family plain = reach->family;
    bool reaches = status == TR_OK;
    if (help && reach->has_help) {
        status = tr_reach_find_help(reach, reaches);
        reason = status == TR_OK ? reason : tr_reach_out_of_reach(reach);
    }
    if (status != TR_OK && reason == TR_REACH_OUT_OF_BUDGET)
        return tr_fail(error, TR_PARTIAL,
                       "no motion of the trunk was found that brings the hand to (%g, %g, %g)",
                       (double)wrist.x, (double)wrist.y, (double)wrist.z);
    if (status != TR_OK) {
        reach->result.reason = reason;
        return tr_fail(error, TR_NOT_FOUND, "the wrist cannot be at (%g, %g, %g): %s", (double)wrist.x,
                       (double)wrist.y, (double)wrist.z, tr_reach_reason_name(reach->result.reason));
    }
    reason = tr_reach_goal_inside(reach);
    if (reason != TR_REACH_FOUND) {
        reach->result.reason = reason;
        return tr_fail(error, TR_NOT_FOUND, "the wrist cannot be at (%g, %g, %g): %s", (double)wrist.x,
                       (double)wrist.y, (double)wrist.z, tr_reach_reason_name(reason));
    }
    add_swivels(reach, SWIVEL_STEP);
    if (reach->candidate_count == 0 && reaches) { // something is in the way of the trunk
        reach->family = plain;
        add_swivels(reach, SWIVEL_STEP);
    }
    return TR_OK;
}

// If the goal leaves less room than the margin, the path ends at a posture beside it and continues from
// there.
static bool step_back(tr_reach *reach, reach_goal *goal) {
    float margin = reach->margin;
    reach->margin = reach->margin_ends;
    bool clear = tr_reach_is_clear(reach, &goal->tail, REACH_ALL);
    reach->margin = margin;
    goal->has_tail = true;
    return clear && tr_reach_push_off(reach, &goal->tail, &goal->posture);
}

// Is there a similar goal already? Goals should differ.
static bool is_known(const tr_reach *reach, const reach_goal *goal) {
    for (uint32_t i = 0; i < reach->goal_count; i++)
        if (tr_reach_gap(&reach->goals[i].tail, &goal->tail) < LEAST_DIFFERENCE * LEAST_DIFFERENCE)
            return true;
    return false;
}

reach_goal *tr_reach_take_goal(tr_reach *reach, reach_goal goal, bool tight) {
    if (reach->goal_count == REACH_GOALS_MAX || is_known(reach, &goal) ||
        (!tr_reach_is_clear(reach, &goal.posture, REACH_ALL) && !(tight && step_back(reach, &goal))))
        return NULL;
    reach->goals[reach->goal_count] = goal;
    reach->result.goals++;
    return &reach->goals[reach->goal_count++];
}

reach_goal *tr_reach_next_goal(tr_reach *reach, bool tight) {
    reach_goal goal;
    while (reach->goal_count < REACH_GOALS_MAX && pop_candidate(reach, &goal)) {
        reach_goal *taken = tr_reach_take_goal(reach, goal, tight);
        if (taken)
            return taken;
    }
    return NULL;
}

// Where a straight way leads to a goal, comfort decides; where the arm has to go round something, the way.
void tr_reach_sort_goals(tr_reach *reach) {
    for (uint32_t i = 0; i < reach->goal_count; i++) {
        reach_goal goal = reach->goals[i];
        goal.cost = sqrtf(tr_reach_gap(&goal.posture, &reach->start)) +
                    FAR_COMFORT * tr_arm_comfort(&reach->arm, &goal.posture);
        uint32_t k = i;
        for (; k > 0 && reach->goals[k - 1].cost > goal.cost; k--)
            reach->goals[k] = reach->goals[k - 1];
        reach->goals[k] = goal;
    }
}

void tr_reach_more_goals(tr_reach *reach, bool finer) {
    if (finer) {
        reach->candidate_count = 0;
        add_swivels(reach, SWIVEL_STEP_FINE);
    }
    for (uint32_t i = 0; i < reach->swivel_count; i++)
        add_hands(reach, &reach->swivels[i], true);
}

const tr_posture *tr_reach_tail(const tr_reach *reach) {
    const tr_posture *last = &reach->knots[reach->knot_count - 1];
    for (uint32_t i = 0; i < reach->goal_count; i++)
        if (reach->goals[i].has_tail && tr_reach_gap(&reach->goals[i].posture, last) == 0)
            return &reach->goals[i].tail;
    return NULL;
}
