// The angles of an arm from the places of its joints: the inverse of the formulas in plan/arm.h.
#include "arm_rig_parts.h"
#include "troupe/base/scalar.h"

#include <math.h>

#define BENT_SINE 0.03f // of an elbow whose two bones define the plane of its bend

// A rotation as rows of doubles.
typedef struct turn_rows {
    double m[3][3];
} turn_rows;

static turn_rows rows_of(tr_quat q) {
    tr_vec3 x = tr_quat_rotate(q, tr_vec3_make(1, 0, 0)), y = tr_quat_rotate(q, tr_vec3_make(0, 1, 0)),
            z = tr_quat_rotate(q, tr_vec3_make(0, 0, 1));
    turn_rows rows = {{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
    return rows;
}

// The bones define the plane if the elbow is bent. Where it is almost straight, or bent the wrong way, the
// rotation of the upper arm comes in smoothly.
tr_quat tr_arm_rig_upper(const arm_shape *shape) {
    tr_vec3 down = tr_arm_rig_unit(tr_vec3_subtract(shape->elbow, shape->shoulder));
    tr_vec3 on = tr_arm_rig_unit(tr_vec3_subtract(shape->wrist, shape->elbow));
    tr_vec3 hinge = tr_quat_rotate(shape->upper, tr_vec3_make(1, 0, 0));
    tr_vec3 normal = tr_vec3_cross(on, down);
    float lacking = BENT_SINE - tr_vec3_dot(normal, hinge);
    if (lacking > 0)
        normal = tr_vec3_add(normal, tr_vec3_scale(hinge, lacking * lacking / BENT_SINE));
    tr_vec3 x = tr_arm_rig_across(normal, down);
    if (tr_vec3_dot(x, x) == 0) // the hinge points along the bone: not a real joint, any plane serves
        return shape->upper;
    tr_vec3 y = tr_vec3_scale(down, -1);
    return tr_arm_rig_turn_of(x, y, tr_vec3_cross(x, y));
}

static double wrap(double angle) {
    return angle > TR_PI ? angle - 2 * TR_PI : angle < -TR_PI ? angle + 2 * TR_PI : angle;
}

static double outside(const tr_arm *arm, int angle, double value) {
    double below = (double)arm->low.q[angle] - value, above = value - (double)arm->high.q[angle];
    return below > 0 ? below : above > 0 ? above : 0;
}

// Three successive angles. The other representation of the same rotation differs by half a turn in all three,
// mirrored for the middle one. Keeps the one that violates the limits less.
static void choose(const tr_arm *arm, int first, const double angles[3], tr_posture *posture) {
    double other[3] = {wrap(angles[0] + TR_PI), wrap(TR_PI - angles[1]), wrap(angles[2] + TR_PI)};
    double excess = 0, other_excess = 0;
    for (int i = 0; i < 3; i++) {
        excess += outside(arm, first + i, angles[i]);
        other_excess += outside(arm, first + i, other[i]);
    }
    for (int i = 0; i < 3; i++)
        posture->q[first + i] = (float)(other_excess < excess ? other[i] : angles[i]);
}

tr_posture tr_arm_rig_angles(const tr_arm *arm, const arm_shape *shape) {
    tr_posture posture = {{0}};
    double side = arm->side == TR_ARM_LEFT ? -1 : 1;
    tr_quat upper = tr_arm_rig_upper(shape);
    turn_rows r = rows_of(upper);
    // R1 = Rx(-flexion) Rz(-abduction) Ry(rotation): its second column is Rx Rz's, its first row Rz Ry's.
    double level = sqrt(r.m[1][1] * r.m[1][1] + r.m[2][1] * r.m[2][1]);
    double shoulder[3] = {-tr_arc_tangent(r.m[2][1], r.m[1][1]), side * tr_arc_tangent(r.m[0][1], level),
                          side * tr_arc_tangent(r.m[0][2], r.m[0][0])};
    if (level < 1e-5) { // straight out sideways: flexion and rotation are the same rotation
        shoulder[0] = -tr_arc_tangent(-r.m[1][2], r.m[2][2]);
        shoulder[2] = 0;
    }
    choose(arm, TR_SHOULDER_FLEXION, shoulder, &posture);
    tr_vec3 on = tr_arm_rig_unit(tr_vec3_subtract(shape->wrist, shape->elbow));
    tr_vec3 bent = tr_quat_rotate(tr_quat_conjugate(upper), on);
    double elbow = tr_arc_tangent(bent.z, 0 - (double)bent.y);
    posture.q[TR_ELBOW_FLEXION] = (float)elbow;
    // R3 = R2 Ry(pronation) Rx(flexion) Rz(deviation).
    tr_quat forearm = tr_arm_rig_product(upper, tr_quat_about(tr_vec3_make(1, 0, 0), -elbow));
    turn_rows h = rows_of(tr_arm_rig_product(tr_quat_conjugate(forearm), shape->hand));
    double plain = sqrt(h.m[0][2] * h.m[0][2] + h.m[2][2] * h.m[2][2]);
    double hand[3] = {side * tr_arc_tangent(h.m[0][2], h.m[2][2]), tr_arc_tangent(0 - h.m[1][2], plain),
                      side * tr_arc_tangent(h.m[1][0], h.m[1][1])};
    choose(arm, TR_FOREARM_PRONATION, hand, &posture);
    return posture;
}
