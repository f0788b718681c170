// Postures at the goal that are drawn at random from the whole family: swivel, hand and help. What a grid of
// candidates misses, chance finds, given time.
#include "reach_data.h"
#include "troupe/base/scalar.h"

#include <math.h>

#define HANDS 8          // drawn for a swivel at which upper arm and forearm are free
#define HELPED 0.5f      // share of draws with another posture of the trunk
#define CONE_SHARE 0.98f // of the tolerance of a direction

// The family with the help as it was chosen, or with any other.
static bool draw_family(tr_reach *reach, tr_arm_family *family) {
    *family = reach->family;
    if (reach->dimensions == TR_ARM_JOINTS || tr_random_unit(&reach->random) >= HELPED)
        return true;
    float help[TR_ARM_HELP];
    for (int i = 0; i < TR_ARM_HELP; i++)
        help[i] = tr_random_between(&reach->random, reach->arm.low.q[TR_ARM_JOINTS + i],
                                    reach->arm.high.q[TR_ARM_JOINTS + i]);
    return tr_arm_solve(&reach->arm, help, &reach->goal, family) == TR_OK;
}

// Uniform over all ranges by their width.
static const tr_arm_range *draw_swivel(tr_reach *reach, const tr_arm_family *family, float *swivel) {
    float total = 0, passed = 0;
    for (uint32_t i = 0; i < family->range_count; i++)
        total += family->ranges[i].high - family->ranges[i].low;
    float at = tr_random_unit(&reach->random) * total;
    for (uint32_t i = 0; i < family->range_count; i++) {
        const tr_arm_range *range = &family->ranges[i];
        float width = range->high - range->low;
        if (at < passed + width || i + 1 == family->range_count) {
            float share = width > 0 ? (at - passed) / width : 0;
            *swivel = range->low + width * (0.0005f + 0.999f * (share < 1 ? share : 1));
            return range;
        }
        passed += width;
    }
    return NULL;
}

// Uniform over the cone of the goal's directions.
static tr_vec3 draw_direction(tr_reach *reach) {
    const tr_arm_goal *goal = &reach->goal;
    tr_vec3 axis = tr_vec3_scale(goal->direction, 1 / tr_vec3_length(goal->direction));
    tr_vec3 side = fabsf(axis.y) < 0.9f ? tr_vec3_make(0, 1, 0) : tr_vec3_make(1, 0, 0);
    side = tr_vec3_cross(axis, side);
    float out = sqrtf(tr_random_unit(&reach->random)), round = tr_random_unit(&reach->random);
    tr_quat tilt = tr_quat_about(side, (double)(CONE_SHARE * out * goal->tolerance));
    tr_quat spin = tr_quat_about(axis, 2 * TR_PI * (double)round);
    return tr_quat_rotate(spin, tr_quat_rotate(tilt, axis));
}

static bool draw_hand(tr_reach *reach, const tr_arm_family *family, float swivel, uint32_t branch,
                      tr_posture *posture) {
    tr_arm_goal goal = reach->goal;
    float hand[3];
    for (int i = 0; i < 3; i++)
        hand[i] = tr_random_between(&reach->random, reach->arm.low.q[TR_FOREARM_PRONATION + i],
                                    reach->arm.high.q[TR_FOREARM_PRONATION + i]);
    if (goal.kind == TR_ARM_GOAL_DIRECTION)
        goal.direction = draw_direction(reach);
    return tr_arm_family_at(&reach->arm, family, &goal, swivel, branch, hand, posture);
}

reach_goal *tr_reach_draw_goal(tr_reach *reach) {
    tr_arm_family family;
    float swivel = 0, margin = reach->margin;
    reach->result.checks++; // also where nothing is checked: every draw takes some of the budget
    if (reach->goal_count == REACH_GOALS_MAX || !draw_family(reach, &family))
        return NULL;
    const tr_arm_range *range = draw_swivel(reach, &family, &swivel);
    tr_arm_goal plain = {.kind = TR_ARM_GOAL_POSITION, .wrist = reach->goal.wrist};
    tr_posture posture;
    if (!range ||
        !tr_arm_family_at(&reach->arm, &family, &plain, swivel, range->branch & 1, reach->hand, &posture))
        return NULL;
    reach->margin = reach->margin_ends;
    bool free = tr_reach_is_clear(reach, &posture, REACH_UPPER | REACH_FOREARM | REACH_TRUNK);
    reach->margin = margin;
    for (int k = 0; free && k < HANDS && !tr_reach_out_of_budget(reach); k++) {
        if (!draw_hand(reach, &family, swivel, range->branch, &posture))
            continue;
        reach->margin = reach->margin_ends;
        bool clear = tr_reach_is_clear(reach, &posture, REACH_HAND | REACH_SELF);
        reach->margin = margin;
        if (!clear)
            continue;
        reach_goal goal = {.posture = posture, .swivel = swivel, .tail = posture};
        goal.cost = tr_reach_goal_cost(reach, &posture);
        reach_goal *taken = tr_reach_take_goal(reach, goal, true);
        if (taken)
            return taken;
    }
    return NULL;
}
