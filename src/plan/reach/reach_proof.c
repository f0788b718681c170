// Proofs that a goal cannot be reached: every posture with the wrist there touches something.
//
// A link that is deeper inside an obstacle than it can move within an interval touches it in the whole
// interval. Intervals that this does not settle are halved, down to a resolution at which nothing is claimed.
#include "plan/arm/arm_solve.h"
#include "reach_data.h"
#include "troupe/base/scalar.h"
#include "troupe/world/distance.h"

#include <math.h>

#define PIECES_MAX 512
#define LEAST_SWIVEL 0.01f // [rad]
#define CONE_LEVELS 6
#define BOXES_MAX 4000 // of help that are examined
#define BOXES_WAITING 128

// Does the link touch a part of the body? Parts that hang on a trunk that may help can lean out of the way:
// nothing is claimed for them.
static bool touches_body(const tr_reach *reach, uint32_t link, const tr_solid_capsule *capsule) {
    const reach_lanes *lanes = &reach->lanes;
    for (uint32_t i = 0; i < reach->body_count; i++) {
        const tr_reach_body *body = &reach->bodies[i];
        if (!(body->links >> link & 1) || (body->on_trunk && reach->dimensions > TR_ARM_JOINTS))
            continue;
        tr_vec3 a = {lanes->start[0][i], lanes->start[1][i], lanes->start[2][i]};
        tr_vec3 along = {lanes->along[0][i], lanes->along[1][i], lanes->along[2][i]};
        float room = capsule->radius + lanes->radius[i];
        if (tr_distance_segments(capsule->a, capsule->b, a, tr_vec3_add(a, along), NULL, NULL) < room * room)
            return true;
    }
    return false;
}

// The end of the forearm is a ball about the wrist in every posture, and so is the start of the hand.
tr_reach_reason tr_reach_goal_inside(const tr_reach *reach) {
    float radius = reach->arm.radius[1] > reach->arm.radius[2] ? reach->arm.radius[1] : reach->arm.radius[2];
    tr_solid_capsule larger = {reach->goal.wrist, reach->goal.wrist, radius};
    if (reach->solid && tr_solid_touches(reach->solid, &larger))
        return TR_REACH_GOAL_INSIDE;
    for (uint32_t link = 1; link < TR_ARM_LINKS; link++) {
        tr_solid_capsule ball = {reach->goal.wrist, reach->goal.wrist, reach->arm.radius[link]};
        if (touches_body(reach, link, &ball))
            return TR_REACH_GOAL_IN_BODY;
    }
    return TR_REACH_FOUND;
}

// Is the line, which may move by `change`, certainly nearer than the radius to something?
static bool surely_touches(const tr_reach *reach, uint32_t link, tr_vec3 a, tr_vec3 b, float change) {
    tr_solid_capsule capsule = {a, b, reach->arm.radius[link] - change};
    return capsule.radius > 0 && ((reach->solid && tr_solid_touches(reach->solid, &capsule)) ||
                                  touches_body(reach, link, &capsule));
}

static tr_vec3 elbow_at(const tr_arm_family *family, double swivel) {
    double sine, cosine;
    tr_sin_cos(swivel, &sine, &cosine);
    tr_vec3 low = tr_vec3_scale(family->low, family->radius * (float)cosine);
    tr_vec3 out = tr_vec3_scale(family->out, family->radius * (float)sine);
    return tr_vec3_add(family->centre, tr_vec3_add(low, out));
}

// The least and the greatest distance of the wrist from the shoulder that the limits of the elbow allow.
static void find_reach(const tr_arm *arm, float *least, float *most) {
    double a = arm->length[0], b = arm->length[1], sine, bent, stretched;
    tr_sin_cos(arm->high.q[TR_ELBOW_FLEXION], &sine, &bent);
    tr_sin_cos(arm->low.q[TR_ELBOW_FLEXION], &sine, &stretched);
    double square = a * a + b * b + 2 * a * b * bent;
    *least = (float)sqrt(square > 0 ? square : 0);
    *most = (float)sqrt(a * a + b * b + 2 * a * b * stretched);
}

// The error of the points of an arm by rounding [m].
static float rounding_at(tr_vec3 wrist) {
    return 1e-5f + 3 * (float)tr_arm_slack(wrist);
}

// How far the elbow can be from its circle in the family. A wrist that is almost as far away as the arm is
// long counts as reached by a straight arm, although an arm that bends a little also reaches it.
static float elbow_error(const tr_reach *reach, tr_vec3 shoulder) {
    float least, most, a = reach->arm.length[0], b = reach->arm.length[1];
    float distance = tr_vec3_length(tr_vec3_subtract(reach->goal.wrist, shoulder));
    float slack = 4 * (float)tr_arm_slack(reach->goal.wrist), error = rounding_at(reach->goal.wrist);
    find_reach(&reach->arm, &least, &most);
    if (distance > least + slack && distance < most - slack)
        return error;
    // Along the line to the wrist the elbow moves by this share of the wrist's motion, across it by a root.
    float share = 0.5f + 0.5f * fabsf(b * b - a * a) / (distance * distance + slack * slack);
    return error + share * slack + sqrtf(2 * a * share * slack);
}

// The cosine of the largest angle between hand and forearm: the bend of the wrist (the cosines of its two
// angles multiply) plus the tolerance of the goal. -1: every direction is possible.
static double least_cosine(const tr_reach *reach) {
    double bend = 1, sine, cosine;
    for (int joint = TR_WRIST_FLEXION; joint <= TR_WRIST_DEVIATION; joint++) {
        float most = fmaxf(fabsf(reach->arm.low.q[joint]), fabsf(reach->arm.high.q[joint]));
        tr_sin_cos((double)most, &sine, &cosine);
        bend *= (double)most < TR_PI / 2 ? cosine : 0;
    }
    if (reach->goal.kind != TR_ARM_GOAL_DIRECTION || bend <= 0 ||
        !((double)reach->goal.tolerance < TR_PI / 2))
        return -1;
    tr_sin_cos((double)reach->goal.tolerance, &sine, &cosine);
    return bend * cosine - sqrt(1 - bend * bend) * sine;
}

// The elbow is within `change` of there: is it impossible for the hand to point as the goal requires?
static bool cannot_point(const tr_reach *reach, tr_vec3 elbow, float change, double cosine) {
    if (cosine <= -1)
        return false;
    tr_vec3 forearm = tr_vec3_subtract(reach->goal.wrist, elbow), direction = reach->goal.direction;
    float length = tr_vec3_length(forearm), size = tr_vec3_length(direction);
    double spread = 1.15 * (double)(change / reach->arm.length[1]) + 1e-3; // as below
    return length > 0 && (double)(tr_vec3_dot(forearm, direction) / (length * size)) < cosine - spread;
}

// At every swivel of every range, is the upper arm or the forearm inside something, or can the hand not
// follow? TR_REACH_FOUND: not certain.
static tr_reach_reason all_swivels_fail(const tr_reach *reach, tr_vec3 shoulder) {
    const tr_arm_family *family = &reach->family;
    tr_reach_reason reason = TR_REACH_GOAL_LIMITS;
    double cosine = least_cosine(reach);
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
        if (cannot_point(reach, elbow, change, cosine))
            continue;
        if (surely_touches(reach, 1, elbow, reach->goal.wrist, change) ||
            (reach->ignore_shoulder <= 0 && surely_touches(reach, 0, shoulder, elbow, change))) {
            reason = TR_REACH_GOAL_BLOCKED;
            continue;
        }
        if (half < LEAST_SWIVEL || count + 2 > PIECES_MAX)
            return TR_REACH_FOUND;
        pieces[count].low = low, pieces[count++].high = low + half;
        pieces[count].low = low + half, pieces[count++].high = high;
    }
    return reason;
}

// For every direction of the triangle of directions (unit vectors): is the hand inside something, or does it
// point out of the cone of the goal?
static bool all_directions_touch(const tr_reach *reach, const tr_vec3 corner[3], tr_vec3 axis, float cosine,
                                 uint32_t level) {
    tr_vec3 middle = tr_vec3_add(corner[0], tr_vec3_add(corner[1], corner[2]));
    middle = tr_vec3_scale(middle, 1 / tr_vec3_length(middle));
    float spread = 0; // the chord to the farthest corner; the arc is longer by less than a seventh below 1.6
    for (int i = 0; i < 3; i++) {
        float chord = tr_vec3_length(tr_vec3_subtract(corner[i], middle));
        spread = chord > spread ? chord : spread;
    }
    if (tr_vec3_dot(middle, axis) < cosine - 1.15f * spread)
        return true;
    tr_vec3 wrist = reach->goal.wrist;
    tr_vec3 tip = tr_vec3_add(wrist, tr_vec3_scale(middle, reach->arm.length[2]));
    if (surely_touches(reach, 2, wrist, tip, spread * reach->arm.length[2] + rounding_at(wrist)))
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

tr_reach_reason tr_reach_goal_blocked(const tr_reach *reach) {
    tr_vec3 points[4];
    tr_arm_points(&reach->arm, &reach->start, points);
    tr_reach_reason reason = TR_REACH_FOUND; // with help of the trunk there are more postures than one family
    if (reach->dimensions == TR_ARM_JOINTS)
        reason = all_swivels_fail(reach, points[0]);
    return reason == TR_REACH_FOUND && all_hands_touch(reach) ? TR_REACH_GOAL_BLOCKED : reason;
}

typedef struct help_box {
    tr_posture middle, half; // of the help alone
} help_box;

// The half of a box with the smaller angles; the other half in `other`.
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

// The help within a box moves the shoulder by at most its bound from where the middle of the box has it.
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
