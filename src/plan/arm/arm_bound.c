// How far a change of angles can move the arm.
//
// On the straight path in joint space from one posture to another, no point moves farther than the length of
// its path, which is at most its greatest speed, for a path that takes one unit of time. The speed is a sum
// over the joints of the rate times the distance of the point from the axis, the lever. If the axes of two
// joints are orthogonal and meet (flexion and abduction; rotation and elbow; wrist flexion and deviation;
// lean and turn), they count as one rotation by the root of the sum of their squares. A point between the
// ends of a link moves no farther than the end that moves more.
//
// A lever grows on the way by no more than the joints beyond its axis move the point: rotations about the
// axis itself, and about axes before it, leave it unchanged. So levers are bounded from the hand inwards.
#include "arm_bound.h"

static float both(float a, float b) {
    return sqrtf(a * a + b * b);
}
static float greater(float a, float b) {
    return a > b ? a : b;
}
static float lesser(float a, float b) {
    return a < b ? a : b;
}
arm_turns tr_arm_turns(const tr_arm *arm, const tr_posture *change) {
    float d[TR_ARM_ANGLES];
    bool helped = false;
    for (int k = 0; k < TR_ARM_ANGLES; k++) {
        d[k] = fabsf(change->q[k]);
        helped |= k >= TR_ARM_JOINTS && (arm->low.q[k] != 0 || arm->high.q[k] != 0);
    }
    arm_turns t = {.flexion = d[TR_SHOULDER_FLEXION],
                   .abduction = d[TR_SHOULDER_ABDUCTION],
                   .swing = both(d[TR_SHOULDER_FLEXION], d[TR_SHOULDER_ABDUCTION]),
                   .rotation = d[TR_SHOULDER_ROTATION],
                   .elbow = d[TR_ELBOW_FLEXION],
                   .twist = both(d[TR_SHOULDER_ROTATION], d[TR_ELBOW_FLEXION]),
                   .pronation = d[TR_FOREARM_PRONATION],
                   .wrist = both(d[TR_WRIST_FLEXION], d[TR_WRIST_DEVIATION])};
    if (helped) {
        t.collar = d[TR_COLLAR];
        t.trunk = both(d[TR_WAIST_LEAN], d[TR_WAIST_TURN]);
    }
    return t;
}

// `moved`: shoulder, elbow, wrist, tip.
static void write_bounds(const arm_turns *t, const float moved[4], float trunk_reach, float bound[4]) {
    bound[0] = greater(moved[0], moved[1]) * ARM_ROUNDING;
    bound[1] = greater(moved[1], moved[2]) * ARM_ROUNDING;
    bound[2] = greater(moved[2], moved[3]) * ARM_ROUNDING;
    bound[3] = greater(moved[0], t->trunk * trunk_reach) * ARM_ROUNDING;
}

void tr_arm_bound(const tr_arm *arm, const tr_posture *change, float trunk_reach, float bound[4]) {
    arm_turns t = tr_arm_turns(arm, change);
    const float *length = arm->length;
    float span = length[0] + length[1], moved[4] = {0};
    float bone = t.collar > 0 || t.trunk > 0 ? tr_vec3_distance(arm->shoulder, arm->collar) : 0;
    if (t.trunk > 0)
        moved[0] = t.trunk * (tr_vec3_distance(arm->collar, arm->waist) + bone);
    moved[0] += t.collar * bone;
    moved[1] = moved[0] + (t.trunk + t.swing) * length[0];
    moved[2] = moved[0] + (t.trunk + t.swing) * span + t.twist * length[1];
    moved[3] = moved[0] + (t.trunk + t.swing) * (span + length[2]) + t.twist * (length[1] + length[2]) +
               (t.pronation + t.wrist) * length[2];
    write_bounds(&t, moved, trunk_reach, bound);
}

// The axes of the shoulder in the world, if they are known: flexion is about the trunk's X, abduction about
// the line orthogonal to that and the upper arm.
typedef struct axes {
    bool flexion_known, abduction_known;
    tr_vec3 flexion, abduction, upper; // of length 1
    float flat;                        // cosine of abduction
} axes;

static axes find_axes(const tr_arm *arm, const arm_turns *t, const tr_vec3 points[4]) {
    axes it = {.flat = 1};
    it.upper = tr_vec3_scale(tr_vec3_subtract(points[1], points[0]), 1 / arm->length[0]);
    for (int k = TR_ARM_JOINTS; k < TR_COLLAR; k++)
        if (arm->low.q[k] != 0 || arm->high.q[k] != 0)
            return it; // the points do not show how the trunk is turned
    it.flexion = tr_vec3_make(arm->base.m[0][0], arm->base.m[1][0], arm->base.m[2][0]);
    tr_vec3 across = tr_vec3_cross(it.flexion, it.upper);
    float flat = tr_vec3_length(across);
    it.flexion_known = true;
    it.abduction_known = flat > 0.01f;
    if (it.abduction_known)
        it.abduction = tr_vec3_scale(across, 1 / flat);
    // |cos(a + x)| <= |cos a| + |x|
    it.flat = lesser(1, flat + t->abduction);
    return it;
}

// How far flexion and abduction move a point that is at `from` relative to the shoulder, no farther from it
// than `reach` on the way, and moved by the joints beyond by no more than `beyond`.
static float swing_of(const axes *it, const arm_turns *t, tr_vec3 from, float reach, float beyond) {
    float whole = t->swing * reach;
    if (!it->abduction_known)
        return whole;
    float abduction = lesser(reach, tr_vec3_length(tr_vec3_cross(it->abduction, from)) + beyond);
    float flexion =
        lesser(reach, tr_vec3_length(tr_vec3_cross(it->flexion, from)) + beyond + t->abduction * abduction);
    return lesser(whole, t->flexion * flexion + t->abduction * abduction);
}

arm_beyond tr_arm_beyond(const tr_arm *arm, tr_vec3 upper, const arm_turns *t, const tr_vec3 points[4]) {
    const float *length = arm->length;
    tr_vec3 forearm = tr_vec3_scale(tr_vec3_subtract(points[2], points[1]), 1 / length[1]);
    tr_vec3 hand = tr_vec3_subtract(points[3], points[2]), lower = tr_vec3_subtract(points[3], points[1]);
    float sine = tr_vec3_length(tr_vec3_cross(upper, forearm)), cosine = tr_vec3_dot(upper, forearm);
    arm_beyond b;
    // The wrist: rotation moves it out of the plane of the arm, the elbow within the plane.
    float bent = lesser(1, sine + fabsf(cosine) * t->elbow); // sine of the elbow on the way
    b.wrist = length[1] * both(bent * t->rotation, t->elbow);
    // Its distance by the law of cosines, cos(e - x) <= cos e + |x| sin e, and half the square for obtuse e.
    float more = sine * t->elbow + (cosine < 0 ? -cosine * 0.5f * t->elbow * t->elbow : 0);
    tr_vec3 wrist = tr_vec3_subtract(points[2], points[0]);
    b.wrist_reach =
        lesser(length[0] + length[1], sqrtf(tr_vec3_dot(wrist, wrist) + 2 * length[0] * length[1] * more));
    // The tip: wrist, pronation, elbow, rotation.
    float by_wrist = length[2] * t->wrist;
    float by_hand =
        by_wrist + t->pronation * lesser(length[2], tr_vec3_length(tr_vec3_cross(forearm, hand)) + by_wrist);
    float reach = b.lower_reach = lesser(length[1] + length[2], tr_vec3_length(lower) + by_wrist);
    float by_elbow = t->elbow * reach;
    b.hand = greater(by_elbow + by_hand, t->elbow * length[1]); // a folded hand is nearer than the wrist
    float off = lesser(reach, tr_vec3_length(tr_vec3_cross(upper, lower)) + by_elbow + by_hand);
    b.tip = by_hand + lesser(t->twist * reach, by_elbow + t->rotation * off);
    b.tip_reach = lesser(length[0] + length[1] + length[2],
                         tr_vec3_distance(points[3], points[0]) + by_elbow + by_hand);
    return b;
}

void tr_arm_bound_at(const tr_arm *arm, const tr_vec3 points[4], const tr_posture *change, float trunk_reach,
                     float bound[4]) {
    arm_turns t = tr_arm_turns(arm, change);
    axes it = find_axes(arm, &t, points);
    arm_beyond b = tr_arm_beyond(arm, it.upper, &t, points);
    float moved[4] = {0, arm->length[0] * both(t.abduction, it.flat * t.flexion)};
    moved[2] = b.wrist + swing_of(&it, &t, tr_vec3_subtract(points[2], points[0]), b.wrist_reach, b.wrist);
    moved[3] = b.tip + swing_of(&it, &t, tr_vec3_subtract(points[3], points[0]), b.tip_reach, b.tip);
    if (t.collar > 0 || t.trunk > 0) {
        tr_vec3 waist = tr_affine_apply(&arm->base, arm->waist);
        float by_collar = t.collar * tr_vec3_distance(arm->shoulder, arm->collar);
        for (int k = 0; k < 4; k++) {
            moved[k] += by_collar;
            moved[k] += t.trunk * (tr_vec3_distance(points[k], waist) + moved[k]);
        }
    }
    write_bounds(&t, moved, trunk_reach, bound);
}
