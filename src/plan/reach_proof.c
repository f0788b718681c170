// Proofs that a goal cannot be reached: every way to hold the wrist there touches something.
//
// A link that is deeper in something than it can move within an interval touches it in the whole interval.
// Intervals that are not settled so are halved, down to a resolution at which nothing is claimed.
#include "arm_solve.h"
#include "reach_data.h"
#include "troupe/base/scalar.h"

#include <math.h>

#define PIECES_MAX 512
#define LEAST_SWIVEL 0.01f // [rad]
#define CONE_LEVELS 6
#define BOXES_MAX 4000 // of help that are looked at
#define BOXES_WAITING 128

// The forearm's end is a ball about the wrist, whatever the posture.
bool tr_reach_goal_is_inside(tr_reach *reach) {
    float radius = reach->arm.radius[1] > reach->arm.radius[2] ? reach->arm.radius[1] : reach->arm.radius[2];
    tr_solid_capsule ball = {reach->goal.wrist, reach->goal.wrist, radius};
    return reach->solid && tr_solid_touches(reach->solid, &ball);
}

// Is the line, which may move by `change`, sure to be nearer than the radius to something?
static bool surely_touches(const tr_reach *reach, tr_vec3 a, tr_vec3 b, float radius, float change) {
    tr_solid_capsule capsule = {a, b, radius - change};
    return capsule.radius > 0 && tr_solid_touches(reach->solid, &capsule);
}

static tr_vec3 elbow_at(const tr_arm_family *family, double swivel) {
    double sine, cosine;
    tr_sin_cos(swivel, &sine, &cosine);
    tr_vec3 low = tr_vec3_scale(family->low, family->radius * (float)cosine);
    tr_vec3 out = tr_vec3_scale(family->out, family->radius * (float)sine);
    return tr_vec3_add(family->centre, tr_vec3_add(low, out));
}

// How far the wrist can be from the shoulder at least and at most: as the elbow's limits say.
static void find_reach(const tr_arm *arm, float *least, float *most) {
    double a = arm->length[0], b = arm->length[1], sine, bent, stretched;
    tr_sin_cos(arm->high.q[TR_ELBOW_FLEXION], &sine, &bent);
    tr_sin_cos(arm->low.q[TR_ELBOW_FLEXION], &sine, &stretched);
    double square = a * a + b * b + 2 * a * b * bent;
    *least = (float)sqrt(square > 0 ? square : 0);
    *most = (float)sqrt(a * a + b * b + 2 * a * b * stretched);
}

// What rounding can put the points of an arm off by [m].
static float rounding_at(tr_vec3 wrist) {
    return 1e-5f + 3 * (float)tr_arm_slack(wrist);
}

// How far the elbow can be from the circle that the family has for it. A wrist that is all but as far away as
// the arm is long counts as reached by a straight arm, though it is held as well by one that bends a little.
static float elbow_error(const tr_reach *reach, tr_vec3 shoulder) {
    float least, most, a = reach->arm.length[0], b = reach->arm.length[1];
    float distance = tr_vec3_length(tr_vec3_subtract(reach->goal.wrist, shoulder));
    float slack = 4 * (float)tr_arm_slack(reach->goal.wrist), error = rounding_at(reach->goal.wrist);
    find_reach(&reach->arm, &least, &most);
    if (distance > least + slack && distance < most - slack)
        return error;
    // Along the line to the wrist the elbow moves by this share of what the wrist does, across it by a root.
    float share = 0.5f + 0.5f * fabsf(b * b - a * a) / (distance * distance + slack * slack);
    return error + share * slack + sqrtf(2 * a * share * slack);
}

// Every swivel of every range: the upper arm or the forearm is in something.
static bool all_swivels_touch(const tr_reach *reach, tr_vec3 shoulder) {
    const tr_arm_family *family = &reach->family;
    struct {
        float low, high;
    } pieces[PIECES_MAX];
    uint32_t count = 0;
    float error = elbow_error(reach, shoulder);
    for (uint32_t i = 0; i < family->range_count; i++)
        pieces[count].low = family->ranges[i].low, pieces[count++].high = family->ranges[i].high;
    while (count > 0) {
        float low = pieces[count - 1].low, high = pieces[count - 1].high, half = 0.5f * (high - low);
        count--;
        tr_vec3 elbow = elbow_at(family, low + half);
        float change = family->radius * half + error;
        if (surely_touches(reach, elbow, reach->goal.wrist, reach->arm.radius[1], change))
            continue;
        if (reach->ignore_shoulder <= 0 &&
            surely_touches(reach, shoulder, elbow, reach->arm.radius[0], change))
            continue;
        if (half < LEAST_SWIVEL || count + 2 > PIECES_MAX)
            return false;
        pieces[count].low = low, pieces[count++].high = low + half;
        pieces[count].low = low + half, pieces[count++].high = high;
    }
    return true;
}

// Every direction of the triangle of directions (unit vectors): the hand is in something, or points out of
// the cone of the goal.
static bool all_directions_touch(const tr_reach *reach, const tr_vec3 corner[3], tr_vec3 axis, float cosine,
                                 uint32_t level) {
    tr_vec3 middle = tr_vec3_add(corner[0], tr_vec3_add(corner[1], corner[2]));
    middle = tr_vec3_scale(middle, 1 / tr_vec3_length(middle));
    float spread = 0; // the chord to the furthest corner; the arc is longer by less than a seventh below 1.6
    for (int i = 0; i < 3; i++) {
        float chord = tr_vec3_length(tr_vec3_subtract(corner[i], middle));
        spread = chord > spread ? chord : spread;
    }
    if (tr_vec3_dot(middle, axis) < cosine - 1.15f * spread)
        return true;
    tr_vec3 wrist = reach->goal.wrist;
    tr_vec3 tip = tr_vec3_add(wrist, tr_vec3_scale(middle, reach->arm.length[2]));
    if (surely_touches(reach, wrist, tip, reach->arm.radius[2],
                       spread * reach->arm.length[2] + rounding_at(wrist)))
        return true;
    if (level == 0)
        return false;
    tr_vec3 half[3];
    for (int i = 0; i < 3; i++) {
        half[i] = tr_vec3_add(corner[i], corner[(i + 1) % 3]);
        half[i] = tr_vec3_scale(half[i], 1 / tr_vec3_length(half[i]));
    }
    for (int i = 0; i < 3; i++) {
        const tr_vec3 part[3] = {corner[i], half[i], half[(i + 2) % 3]};
        if (!all_directions_touch(reach, part, axis, cosine, level - 1))
            return false;
    }
    return all_directions_touch(reach, half, axis, cosine, level - 1);
}

static bool all_hands_touch(const tr_reach *reach) {
    const tr_arm_goal *goal = &reach->goal;
    tr_vec3 axis = {0, 1, 0};
    double sine = 0, cosine = -2; // any direction
    if (goal->kind == TR_ARM_GOAL_POSE)
        axis = tr_quat_rotate(goal->rotation, tr_vec3_make(0, -1, 0)), cosine = 1;
    else if (goal->kind == TR_ARM_GOAL_DIRECTION)
        axis = tr_vec3_scale(goal->direction, 1 / tr_vec3_length(goal->direction)),
        tr_sin_cos(goal->tolerance < (float)TR_PI ? goal->tolerance : (float)TR_PI, &sine, &cosine);
    for (int octant = 0; octant < 8; octant++) {
        const tr_vec3 corner[3] = {{octant & 1 ? 1.0f : -1.0f, 0, 0},
                                   {0, octant & 2 ? 1.0f : -1.0f, 0},
                                   {0, 0, octant & 4 ? 1.0f : -1.0f}};
        if (!all_directions_touch(reach, corner, axis, (float)cosine, CONE_LEVELS))
            return false;
    }
    return true;
}

bool tr_reach_goal_is_blocked(tr_reach *reach) {
    if (!reach->solid || reach->dimensions > TR_ARM_JOINTS)
        return false; // with help of the trunk there are more ways than one family
    tr_vec3 points[4];
    tr_arm_points(&reach->arm, &reach->start, points);
    return all_swivels_touch(reach, points[0]) || all_hands_touch(reach);
}

typedef struct help_box {
    tr_posture middle, half; // of the help alone
} help_box;

// Of a box the half with the smaller angles, and the other one in `other`.
static help_box halve(const help_box *box, help_box *other) {
    int widest = TR_ARM_JOINTS;
    for (int i = widest + 1; i < TR_ARM_ANGLES; i++)
        widest = box->half.q[i] > box->half.q[widest] ? i : widest;
    help_box lower = *box;
    lower.half.q[widest] *= 0.5f;
    *other = lower;
    lower.middle.q[widest] -= lower.half.q[widest];
    other->middle.q[widest] += lower.half.q[widest];
    return lower;
}

// A box of help moves the shoulder so far from where its middle has it, and no further.
tr_reach_reason tr_reach_out_of_reach(const tr_reach *reach) {
    help_box boxes[BOXES_WAITING] = {{.middle = reach->start}};
    for (int i = TR_ARM_JOINTS; i < TR_ARM_ANGLES; i++) {
        float low = reach->arm.low.q[i], high = reach->arm.high.q[i];
        boxes[0].middle.q[i] = 0.5f * (low + high), boxes[0].half.q[i] = 0.50001f * (high - low);
    }
    float least, most;
    tr_vec3 goal = reach->goal.wrist;
    find_reach(&reach->arm, &least, &most);
    float slack = 1e-5f + 2e-6f * (fabsf(goal.x) + fabsf(goal.y) + fabsf(goal.z));
    bool far = false, near = false;
    uint32_t count = 1;
    for (uint32_t seen = 0; count > 0; seen++) {
        const help_box box = boxes[--count];
        tr_vec3 points[4];
        float bound[4];
        tr_arm_points(&reach->arm, &box.middle, points);
        tr_arm_bound(&reach->arm, &box.half, 0, bound);
        float distance = tr_vec3_length(tr_vec3_subtract(points[0], goal)), change = bound[3] + slack;
        if (distance - change > most)
            far = true;
        else if (distance + change < least)
            near = true;
        else if (seen == BOXES_MAX || count + 2 > BOXES_WAITING)
            return TR_REACH_OUT_OF_BUDGET;
        else
            boxes[count] = halve(&box, &boxes[count + 1]), count += 2;
    }
    return far && near ? TR_REACH_GOAL_LIMITS : far ? TR_REACH_GOAL_TOO_FAR : TR_REACH_GOAL_TOO_NEAR;
}
