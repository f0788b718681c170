// The chain of an arm from its sines and cosines to its four points, written once for one posture (whose
// vectors are lanes x, y, z of one register) and for several at once (a register for each coordinate): the
// same operations in the same order, so the same bits. Before including, define NUMBER and VECTOR and
//   NUMBER chain_number(float), VECTOR chain_make(x, y, z), chain_add(a, b), chain_scale(NUMBER, a),
//   NUMBER chain_x(a), chain_y(a), chain_z(a). Internal.
//
// Everything is a right arm in the trunk's axes; a left arm is its mirror image with x reversed.
#pragma once
#include "troupe/plan/arm.h"

static inline VECTOR chain_mix(NUMBER a, VECTOR u, NUMBER b, VECTOR v) {
    return chain_add(chain_scale(a, u), chain_scale(b, v));
}

// From the shoulder to elbow, wrist and tip, by the seven angles of the arm.
static inline void chain_arm(const NUMBER s[TR_ARM_JOINTS], const NUMBER c[TR_ARM_JOINTS],
                             const float length[TR_ARM_LINKS], VECTOR points[3]) {
    NUMBER sf = s[0], cf = c[0], sa = s[1], ca = c[1], sr = s[2], cr = c[2], se = s[3], ce = c[3];
    // The direction of the upper arm, and the other two axes of R1.
    NUMBER tilt_x = sa * cr, tilt_z = sa * sr;
    VECTOR u = chain_make(-sa, -(ca * cf), ca * sf);
    VECTOR x1 = chain_make(ca * cr, -(cf * tilt_x) - sf * sr, sf * tilt_x - cf * sr);
    VECTOR z1 = chain_make(ca * sr, sf * cr - cf * tilt_z, sf * tilt_z + cf * cr);
    VECTOR v = chain_mix(ce, u, se, z1), z2 = chain_mix(ce, z1, -se, u);
    NUMBER sp = s[4], cp = c[4], sw = s[5], cw = c[5], sd = s[6], cd = c[6], bend = sw * cd;
    VECTOR w =
        chain_add(chain_mix(cp * sd - sp * bend, x1, cw * cd, v), chain_scale(-(sp * sd) - cp * bend, z2));
    points[0] = chain_scale(chain_number(length[0]), u);
    points[1] = chain_add(points[0], chain_scale(chain_number(length[1]), v));
    points[2] = chain_add(points[1], chain_scale(chain_number(length[2]), w));
}

// Axes and origin.
typedef struct chain_frame {
    VECTOR axis[4];
} chain_frame;

static inline VECTOR chain_apply(const chain_frame *frame, VECTOR v) {
    return chain_add(chain_add(chain_mix(chain_x(v), frame->axis[0], chain_y(v), frame->axis[1]),
                               chain_scale(chain_z(v), frame->axis[2])),
                     frame->axis[3]);
}

static inline VECTOR chain_fixed(float x, float y, float z) {
    return chain_make(chain_number(x), chain_number(y), chain_number(z));
}

static inline float chain_side(const tr_arm *arm) {
    return arm->side == TR_ARM_LEFT ? -1.0f : 1.0f;
}

static inline bool chain_has_help(const tr_arm *arm) {
    for (int k = TR_ARM_JOINTS; k < TR_ARM_ANGLES; k++)
        if (arm->low.q[k] != 0 || arm->high.q[k] != 0)
            return true;
    return false;
}

// From a right arm's axes to the world.
static inline chain_frame chain_base(const tr_arm *arm) {
    const float(*m)[4] = arm->base.m;
    float side = chain_side(arm);
    chain_frame frame = {{chain_fixed(side * m[0][0], side * m[1][0], side * m[2][0]),
                          chain_fixed(m[0][1], m[1][1], m[2][1]), chain_fixed(m[0][2], m[1][2], m[2][2]),
                          chain_fixed(m[0][3], m[1][3], m[2][3])}};
    return frame;
}

// Shoulder, elbow, wrist and tip in the world, the trunk upright.
static inline void chain_points(const tr_arm *arm, const NUMBER s[TR_ARM_JOINTS],
                                const NUMBER c[TR_ARM_JOINTS], VECTOR points[4]) {
    chain_frame base = chain_base(arm);
    VECTOR root = chain_fixed(chain_side(arm) * arm->shoulder.x, arm->shoulder.y, arm->shoulder.z), at[3];
    chain_arm(s, c, arm->length, at);
    points[0] = chain_apply(&base, root);
    for (int k = 0; k < 3; k++)
        points[k + 1] = chain_apply(&base, chain_add(root, at[k]));
}

// The same with the help of the trunk: about the collar bone, then about the waist by Ry(turn) Rx(lean).
static inline void chain_points_helped(const tr_arm *arm, const NUMBER s[TR_ARM_ANGLES],
                                       const NUMBER c[TR_ARM_ANGLES], VECTOR points[4]) {
    float side = chain_side(arm), x = side * (arm->shoulder.x - arm->collar.x),
          z = arm->shoulder.z - arm->collar.z;
    NUMBER sl = s[TR_WAIST_LEAN], cl = c[TR_WAIST_LEAN], st = s[TR_WAIST_TURN], ct = c[TR_WAIST_TURN],
           sc = s[TR_COLLAR], cc = c[TR_COLLAR];
    chain_frame base = chain_base(arm),
                trunk = {{chain_make(ct, chain_number(0), -st), chain_make(st * sl, cl, ct * sl),
                          chain_make(st * cl, -sl, ct * cl),
                          chain_fixed(side * arm->waist.x, arm->waist.y, arm->waist.z)}};
    VECTOR root = chain_make(cc * x + sc * z + side * (arm->collar.x - arm->waist.x),
                             chain_number(arm->shoulder.y - arm->waist.y),
                             cc * z - sc * x + (arm->collar.z - arm->waist.z)),
           at[3];
    chain_arm(s, c, arm->length, at);
    points[0] = chain_apply(&base, chain_apply(&trunk, root));
    for (int k = 0; k < 3; k++)
        points[k + 1] = chain_apply(&base, chain_apply(&trunk, chain_add(root, at[k])));
}
