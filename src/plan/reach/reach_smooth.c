// Smooths a path of straight legs: its corners become the knots of a spline. Where the spline touches
// something, more knots on the legs nearby pull it closer to them.
#include "reach_data.h"

#include <math.h>
#include <string.h>

#define ROUNDS 12
#define PIECES_MAX 16 // knots on one leg
#define LEAD_KNOTS 3  // of the way out of an obstacle, before the path

// Divides each leg into its number of pieces.
static uint32_t spread_knots(const tr_reach *reach, const uint8_t *pieces, uint32_t count,
                             tr_posture *knots) {
    for (uint32_t leg = 0; leg + 1 < reach->knot_count; leg++)
        for (uint32_t k = 0; k < pieces[leg]; k++)
            knots[count++] =
                tr_reach_between(&reach->knots[leg], &reach->knots[leg + 1], (float)k / (float)pieces[leg]);
    knots[count++] = reach->knots[reach->knot_count - 1];
    return count;
}

static uint32_t count_knots(const tr_reach *reach, const uint8_t *pieces) {
    uint32_t count = 1;
    for (uint32_t leg = 0; leg + 1 < reach->knot_count; leg++)
        count += pieces[leg];
    return count;
}

// The leg to which segment `u` of the spline belongs.
static uint32_t leg_of(const tr_reach *reach, const uint8_t *pieces, double u) {
    uint32_t leg = 0;
    for (double end = pieces[0]; u > end && leg + 2 < reach->knot_count; end += pieces[leg])
        leg++;
    return leg;
}

// Adds knots to the leg and to the neighbour behind the nearer corner; false: there are enough already.
static bool pull_closer(const tr_reach *reach, uint8_t *pieces, double bad) {
    uint32_t leg = leg_of(reach, pieces, bad), legs = reach->knot_count - 1;
    double begin = 0;
    for (uint32_t i = 0; i < leg; i++)
        begin += pieces[i];
    bool late = bad - begin > 0.5 * pieces[leg];
    uint32_t other = late ? leg + 1 : leg - 1; // wraps below 0: no leg
    bool more = false;
    if (pieces[leg] < PIECES_MAX)
        pieces[leg] = (uint8_t)(2 * pieces[leg]), more = true;
    if (other < legs && pieces[other] < PIECES_MAX)
        pieces[other] = (uint8_t)(2 * pieces[other]), more = true;
    return more && count_knots(reach, pieces) + LEAD_KNOTS <= REACH_KNOTS_MAX;
}

// Three knots at the same place make a corner: the legs stay as they are. 0: there is not enough room.
static uint32_t keep_corners(const tr_reach *reach, uint32_t count, tr_posture *knots) {
    uint32_t last = reach->knot_count - 1;
    if (count + 3 * last > REACH_KNOTS_MAX)
        return 0;
    for (uint32_t i = 0; i <= last; i++)
        for (int k = 0; k < (i == 0 || i == last ? 1 : 3); k++)
            knots[count++] = reach->knots[i];
    return count;
}

// The way out of what the start touches, up to a corner (with the first knot of the path): it is not
// smoothed.
static uint32_t lead_out(tr_reach *reach) {
    if (!reach->result.start_touched)
        return 0;
    reach->spare[0] = reach->origin;
    reach->spare[1] = reach->spare[2] = reach->knots[0];
    reach->result.free_from = 2;
    return LEAD_KNOTS;
}

void tr_reach_smooth(tr_reach *reach) {
    if (tr_reach_bend(reach))
        return;
    uint8_t pieces[REACH_KNOTS_MAX];
    memset(pieces, 1, sizeof pieces);
    uint32_t lead = lead_out(reach);
    double first = reach->result.free_from;
    tr_arm_path arm_path = {reach->spare, 0};
    bool free = false;
    for (int round = 0; round < ROUNDS && !free && (round == 0 || !tr_reach_out_of_budget(reach)); round++) {
        uint8_t bad[REACH_KNOTS_MAX] = {0};
        arm_path.count = spread_knots(reach, pieces, lead, reach->spare);
        reach->result.clearance = INFINITY;
        free = tr_reach_certify(reach, &arm_path, first, arm_path.count - 1, bad) == 0;
        bool closer = false;
        for (uint32_t k = arm_path.count - 1; k-- > lead && !free && !closer;)
            closer = bad[k] && pull_closer(reach, pieces, k + 0.5 - lead);
        if (!free && !closer)
            break;
    }
    if (!free) {
        arm_path.count = keep_corners(reach, lead, reach->spare);
        reach->result.clearance = INFINITY;
        free = arm_path.count > 0 && tr_reach_certify(reach, &arm_path, first, arm_path.count - 1, NULL) == 0;
    }
    reach->result.path = arm_path;
    if (!free)
        reach->result.path.count = 0;
}
