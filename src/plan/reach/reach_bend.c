// Bends a path of straight legs into one smooth arm path: even knots whose third differences are as small as
// the pull towards the legs allows. Where the arm path touches something, the pull is made stronger.
#include "reach_data.h"

#include <math.h>
#include <string.h>

#define KNOTS 24
#define INNER (KNOTS - 2)
#define BAND 4 // with the diagonal
#define ROUNDS 16
#define LOOSE 2e-5  // initial pull on the knots
#define FIRM 1e4    // fixes a knot
#define FIRMER 6.0  // factor on the pull after each touch
#define ROOM 0.015f // [m]
#define MOVE_AFTER 1
#define MOVES 6
#define PUSHES 2
#define WRIST_WEIGHT 4.0f // radians that a metre of the wrist's path counts, for even knots

// Squares of third differences, as a band of a symmetric matrix over the inner knots; `ends` gets the
// contributions of the two fixed knots: [row][0] for the first, [row][1] for the last.
static void third_differences(double band[INNER][BAND], double ends[INNER][2]) {
    static const double shares[4] = {-1, 3, -3, 1};
    memset(band, 0, INNER * sizeof *band);
    memset(ends, 0, INNER * sizeof *ends);
    for (int k = 0; k + 3 < KNOTS; k++)
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++) {
                int row = k + i - 1, column = k + j - 1; // of inner knots
                if (row < 0 || row >= INNER)
                    continue;
                if (column < 0 || column >= INNER)
                    ends[row][column >= INNER] += shares[i] * shares[j];
                else if (column <= row)
                    band[row][row - column] += shares[i] * shares[j];
            }
}

// In place: band = L * transposed L.
static void factor(double band[INNER][BAND]) {
    for (int row = 0; row < INNER; row++)
        for (int column = row > 3 ? row - 3 : 0; column <= row; column++) {
            double sum = band[row][row - column];
            for (int k = row > 3 ? row - 3 : 0; k < column; k++)
                if (column - k < BAND)
                    sum -= band[row][row - k] * band[column][column - k];
            band[row][row - column] = column == row ? sqrt(sum > 1e-12 ? sum : 1e-12) : sum / band[column][0];
        }
}

static void solve(double band[INNER][BAND], double x[INNER]) {
    for (int row = 0; row < INNER; row++) {
        for (int k = row > 3 ? row - 3 : 0; k < row; k++)
            x[row] -= band[row][row - k] * x[k];
        x[row] /= band[row][0];
    }
    for (int row = INNER - 1; row >= 0; row--) {
        for (int k = row + 1; k < INNER && k < row + BAND; k++)
            x[row] -= band[k][k - row] * x[k];
        x[row] /= band[row][0];
    }
}

// The smoothest knots with this pull towards `held`.
static void bend(const tr_posture held[KNOTS], const double firmness[KNOTS], tr_posture knots[KNOTS]) {
    double band[INNER][BAND], ends[INNER][2], x[INNER];
    third_differences(band, ends);
    for (int row = 0; row < INNER; row++)
        band[row][0] += firmness[row + 1];
    factor(band);
    memcpy(knots, held, KNOTS * sizeof *knots);
    for (int i = 0; i < TR_ARM_ANGLES; i++) {
        for (int row = 0; row < INNER; row++)
            x[row] = firmness[row + 1] * (double)held[row + 1].q[i] - ends[row][0] * (double)held[0].q[i] -
                     ends[row][1] * (double)held[KNOTS - 1].q[i];
        solve(band, x);
        for (int row = 0; row < INNER; row++)
            knots[row + 1].q[i] = (float)x[row];
    }
}

// Points of the legs, evenly spread by the rotation of the joints and the path of the wrist.
static void spread_evenly(const tr_reach *reach, tr_posture held[KNOTS]) {
    float length[REACH_KNOTS_MAX], total = 0, passed = 0;
    for (uint32_t leg = 0; leg + 1 < reach->knot_count; leg++) {
        tr_vec3 a[4], b[4];
        tr_arm_points(&reach->arm, &reach->knots[leg], a);
        tr_arm_points(&reach->arm, &reach->knots[leg + 1], b);
        length[leg] = sqrtf(tr_reach_gap(&reach->knots[leg], &reach->knots[leg + 1])) +
                      WRIST_WEIGHT * tr_vec3_length(tr_vec3_subtract(a[2], b[2]));
        total += length[leg];
    }
    uint32_t leg = 0;
    for (int k = 0; k < KNOTS; k++) {
        float way = total * (float)k / (KNOTS - 1);
        while (leg + 2 < reach->knot_count && way > passed + length[leg])
            passed += length[leg++];
        float share = length[leg] > 0 ? (way - passed) / length[leg] : 0;
        held[k] = tr_reach_between(&reach->knots[leg], &reach->knots[leg + 1], share < 1 ? share : 1);
    }
    held[KNOTS - 1] = reach->knots[reach->knot_count - 1];
}

// A moving arm leaves along the first leg: the arm path begins towards its second knot.
static void keep_direction(const tr_reach *reach, tr_posture held[KNOTS], double firmness[KNOTS]) {
    float leg = tr_reach_gap(&reach->knots[0], &reach->knots[1]), gap = tr_reach_gap(&held[0], &held[1]);
    float share = leg > gap ? sqrtf(gap / leg) : 1;
    held[1] = tr_reach_between(&reach->knots[0], &reach->knots[1], share);
    firmness[1] = FIRM;
}

// Makes room where the path touched: moves the points of the pull there off the obstacle.
static void move_off(tr_reach *reach, tr_posture held[KNOTS], const uint8_t bad[KNOTS]) {
    for (int k = reach->moves ? 2 : 1; k + 1 < KNOTS; k++)
        if (bad[k - 1] || bad[k])
            tr_reach_make_room(reach, ROOM, PUSHES, &held[k]);
}

// Strengthens the pull around the places that touched, less farther away.
static void hold_firmer(double firmness[KNOTS], const uint8_t bad[KNOTS]) {
    for (int k = 0; k < KNOTS; k++) {
        double most = 1;
        for (int segment = k > 3 ? k - 4 : 0; segment < k + 4 && segment < KNOTS - 1; segment++) {
            double off = k - segment - 0.5, more = 1 + (FIRMER - 1) / (0.75 + off * off);
            most = bad[segment] && more > most ? more : most;
        }
        firmness[k] *= most;
    }
}

// Ends with little room around them would touch in the first rounds anyway.
static void hold_ends(const tr_reach *reach, double firmness[KNOTS]) {
    uint8_t ends[KNOTS] = {0};
    ends[0] = ends[1] = reach->has_origin;
    ends[KNOTS - 2] = ends[KNOTS - 3] = reach->has_tail;
    for (int i = 0; i < 2; i++)
        hold_firmer(firmness, ends);
}

// A quick test of the middles of the segments, which finds most contacts.
static bool touches(tr_reach *reach, const tr_arm_path *arm_path, uint8_t bad[KNOTS]) {
    bool any = false;
    for (uint32_t k = 0; k + 1 < KNOTS; k++) {
        tr_posture posture = tr_arm_path_at(arm_path, k + 0.5, NULL);
        bad[k] = !tr_reach_is_clear(reach, &posture, REACH_ALL);
        any |= bad[k];
    }
    return any;
}

bool tr_reach_bend(tr_reach *reach) {
    tr_posture held[KNOTS];
    double firmness[KNOTS];
    if (reach->knot_count < 3 || reach->result.start_touched)
        return false;
    spread_evenly(reach, held);
    for (int k = 0; k < KNOTS; k++)
        firmness[k] = LOOSE;
    if (reach->moves)
        keep_direction(reach, held, firmness);
    hold_ends(reach, firmness);
    tr_arm_path arm_path = {reach->spare, KNOTS};
    for (int round = 0; round < ROUNDS && (round == 0 || !tr_reach_out_of_budget(reach)); round++) {
        uint8_t bad[KNOTS] = {0};
        bend(held, firmness, reach->spare);
        for (int k = 1; k + 1 < KNOTS; k++)
            reach->spare[k] = tr_arm_clamp(&reach->arm, reach->spare[k]);
        reach->result.clearance = INFINITY;
        if (!touches(reach, &arm_path, bad) && tr_reach_certify(reach, &arm_path, 0, KNOTS - 1, bad) == 0) {
            reach->result.path = arm_path;
            return true;
        }
        if (round >= MOVE_AFTER && round < MOVE_AFTER + MOVES)
            move_off(reach, held, bad);
        hold_firmer(firmness, bad);
    }
    return false;
}
