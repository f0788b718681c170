// How the trunk helps: the more, the further the goal is for the arm alone. People do not wait until the arm
// is stretched, and turn before they lean.
#include "reach_data.h"

#include <math.h>

#define HELP_REACH 0.96f // share of the stretched arm: the trunk helps so far that the elbow stays bent
// Distance from shoulder to goal, as shares of the stretched arm: from the first on the trunk helps a little,
// from the second on as much as it can.
#define EASY_SHARE 0.8f
#define HARD_SHARE 0.94f
#define EASY_STIFFNESS 6.0f
#define HARD_STIFFNESS 2000.0f
#define ROUNDS 24
#define DAMPING 0.6f
#define STEP 1e-3f // over which slopes are measured [rad]

// What a radian of lean, turn and collar costs, squared.
static const float help_weight[TR_ARM_HELP] = {1, 0.5f, 0.3f};

static float share_with(const tr_reach *reach, const float help[TR_ARM_HELP]) {
    tr_posture posture = {{0}};
    tr_vec3 points[4];
    for (int i = 0; i < TR_ARM_HELP; i++)
        posture.q[TR_ARM_JOINTS + i] = help[i];
    tr_arm_points(&reach->arm, &posture, points);
    return tr_vec3_length(tr_vec3_subtract(points[0], reach->goal.wrist)) /
           (reach->arm.length[0] + reach->arm.length[1]);
}

// The best help if the share changed linearly: the least of  sum(weight h^2) + stiffness (share - wish)^2.
// What passes a limit stays there, and the others do more.
static void improve(const tr_reach *reach, float share, const float slope[TR_ARM_HELP],
                    float help[TR_ARM_HELP]) {
    float easy = share > EASY_SHARE ? EASY_STIFFNESS : 0, hard = share > HARD_SHARE ? HARD_STIFFNESS : 0;
    float stiffness = easy + hard,
          wish = stiffness > 0 ? (easy * EASY_SHARE + hard * HARD_SHARE) / stiffness : 0;
    float next[TR_ARM_HELP];
    bool fixed[TR_ARM_HELP] = {false};
    for (int round = 0; round < TR_ARM_HELP; round++) {
        float gain = 0, left = share - wish;
        for (int i = 0; i < TR_ARM_HELP; i++) {
            gain += fixed[i] ? 0 : slope[i] * slope[i] / help_weight[i];
            left += slope[i] * ((fixed[i] ? next[i] : 0) - help[i]);
        }
        float pull = stiffness * left / (1 + stiffness * gain);
        bool again = false;
        for (int i = 0; i < TR_ARM_HELP; i++) {
            float low = reach->arm.low.q[TR_ARM_JOINTS + i], high = reach->arm.high.q[TR_ARM_JOINTS + i];
            if (fixed[i])
                continue;
            next[i] = -pull * slope[i] / help_weight[i];
            fixed[i] = next[i] < low || next[i] > high;
            again |= fixed[i];
            next[i] = next[i] < low ? low : next[i] > high ? high : next[i];
        }
        if (!again)
            break;
    }
    for (int i = 0; i < TR_ARM_HELP; i++)
        help[i] += DAMPING * (next[i] - help[i]);
}

// The help for this distance. It changes continuously with the place of the goal.
static void choose_help(const tr_reach *reach, float help[TR_ARM_HELP]) {
    for (int i = 0; i < TR_ARM_HELP; i++) {
        float low = reach->arm.low.q[TR_ARM_JOINTS + i], high = reach->arm.high.q[TR_ARM_JOINTS + i];
        help[i] = low > 0 ? low : high < 0 ? high : 0;
    }
    for (int round = 0; round < ROUNDS; round++) {
        float share = share_with(reach, help), slope[TR_ARM_HELP];
        for (int i = 0; i < TR_ARM_HELP; i++) {
            float kept = help[i];
            help[i] = kept + STEP;
            slope[i] = (share_with(reach, help) - share) / STEP;
            help[i] = kept;
        }
        improve(reach, share, slope, help);
    }
}

// Takes the family with this help if it costs less than the best so far.
static void try_help(tr_reach *reach, const float help[TR_ARM_HELP], float cost, float *best) {
    tr_arm_family family;
    if (cost >= *best || tr_arm_solve(&reach->arm, help, &reach->goal, &family) != TR_OK)
        return;
    float far = sqrtf(reach->arm.length[0] * reach->arm.length[0] +
                      reach->arm.length[1] * reach->arm.length[1]); // with the elbow at a right angle
    tr_posture posture = reach->start;
    for (int i = 0; i < TR_ARM_HELP; i++)
        posture.q[TR_ARM_JOINTS + i] = help[i];
    tr_vec3 points[4];
    tr_arm_points(&reach->arm, &posture, points);
    float distance = tr_vec3_length(tr_vec3_subtract(points[0], reach->goal.wrist));
    float stretched = reach->arm.length[0] + reach->arm.length[1];
    cost += distance > HELP_REACH * stretched ? 4 : distance > far ? 0.1f : 0;
    if (cost < *best)
        *best = cost, reach->family = family;
}

// Closer together and over the whole range: where the elbow or the hand leave little choice.
static void try_fine_help(tr_reach *reach, float *best) {
    static const float weight[TR_ARM_HELP] = {1, 0.5f, 0.25f};
    for (uint32_t number = 0; number < 9 * 17 * 5; number++) {
        const float share[TR_ARM_HELP] = {(float)(number % 9) / 8, (float)(number / 9 % 17) / 16,
                                          (float)(number / 153) / 4};
        float help[TR_ARM_HELP], cost = 0;
        for (int i = 0; i < TR_ARM_HELP; i++) {
            float low = reach->arm.low.q[TR_ARM_JOINTS + i], high = reach->arm.high.q[TR_ARM_JOINTS + i];
            help[i] = low + (high - low) * share[i];
            cost += weight[i] * help[i] * help[i];
        }
        try_help(reach, help, cost, best);
    }
}

// The least help with which the arm reaches comfortably, or at all.
static tr_status search_help(tr_reach *reach) {
    static const float steps[5] = {0, 0.25f, 0.5f, 0.75f, 1};
    const tr_posture *low = &reach->arm.low, *high = &reach->arm.high;
    float best = INFINITY;
    for (uint32_t number = 0; number < 5 * 9 * 3; number++) {
        float lean = steps[number % 5], turn = (float)(number / 5 % 9) / 4 - 1,
              collar = (float)(number / 45) / 2;
        float cost = lean * lean + 0.5f * turn * turn + 0.25f * collar * collar;
        float help[TR_ARM_HELP] = {lean * high->q[TR_WAIST_LEAN],
                                   turn < 0 ? -turn * low->q[TR_WAIST_TURN] : turn * high->q[TR_WAIST_TURN],
                                   collar * high->q[TR_COLLAR]};
        try_help(reach, help, cost, &best);
    }
    if (best == INFINITY)
        try_fine_help(reach, &best);
    return best < INFINITY ? TR_OK : TR_NOT_FOUND;
}

tr_status tr_reach_find_help(tr_reach *reach, bool reaches) {
    tr_arm_family alone = reach->family, family;
    float help[TR_ARM_HELP];
    choose_help(reach, help);
    if (tr_arm_solve(&reach->arm, help, &reach->goal, &family) == TR_OK) {
        reach->family = family;
        return TR_OK;
    }
    reach->family = alone;
    return reaches ? TR_OK : search_help(reach);
}
