// The chain of an arm from its sines and cosines to its four points, written once for one posture (NUMBER is
// float) and for several at once (NUMBER is simd_float): the same operations in the same order, so the same
// bits. Define NUMBER before including. Internal.
//
// Everything is a right arm in the trunk's axes; a left one is its mirror image, x the other way round.
#pragma once
#include "troupe/plan/arm.h"

typedef struct chain_vector {
    NUMBER x, y, z;
} chain_vector;

// Shoulder to elbow, wrist and tip, from the seven angles of the arm.
static inline void chain_arm(const NUMBER s[TR_ARM_JOINTS], const NUMBER c[TR_ARM_JOINTS],
                             const float length[TR_ARM_LINKS], chain_vector points[3]) {
    NUMBER sf = s[0], cf = c[0], sa = s[1], ca = c[1], sr = s[2], cr = c[2], se = s[3], ce = c[3];
    // The upper arm's direction, and the other two axes of R1.
    chain_vector u = {-sa, -(ca * cf), ca * sf};
    NUMBER tilt_x = sa * cr, tilt_z = sa * sr;
    chain_vector x1 = {ca * cr, -(cf * tilt_x) - sf * sr, sf * tilt_x - cf * sr};
    chain_vector z1 = {ca * sr, sf * cr - cf * tilt_z, sf * tilt_z + cf * cr};
    chain_vector v = {ce * u.x + se * z1.x, ce * u.y + se * z1.y, ce * u.z + se * z1.z};
    chain_vector z2 = {ce * z1.x - se * u.x, ce * z1.y - se * u.y, ce * z1.z - se * u.z};
    NUMBER sp = s[4], cp = c[4], sw = s[5], cw = c[5], sd = s[6], cd = c[6];
    NUMBER bend = sw * cd;
    NUMBER along_x = cp * sd - sp * bend, along_v = cw * cd, along_z = -(sp * sd) - cp * bend;
    chain_vector w = {along_x * x1.x + along_v * v.x + along_z * z2.x,
                      along_x * x1.y + along_v * v.y + along_z * z2.y,
                      along_x * x1.z + along_v * v.z + along_z * z2.z};
    points[0] = (chain_vector){length[0] * u.x, length[0] * u.y, length[0] * u.z};
    points[1] = (chain_vector){points[0].x + length[1] * v.x, points[0].y + length[1] * v.y,
                               points[0].z + length[1] * v.z};
    points[2] = (chain_vector){points[1].x + length[2] * w.x, points[1].y + length[2] * w.y,
                               points[1].z + length[2] * w.z};
}

// The trunk's turn Ry(turn) Rx(lean).
static inline chain_vector chain_trunk(chain_vector v, NUMBER s_lean, NUMBER c_lean, NUMBER s_turn,
                                       NUMBER c_turn) {
    NUMBER y = c_lean * v.y - s_lean * v.z, z = s_lean * v.y + c_lean * v.z;
    return (chain_vector){c_turn * v.x + s_turn * z, y, c_turn * z - s_turn * v.x};
}

// From a right arm's axes to the world.
static inline chain_vector chain_place(const tr_arm *arm, float side, chain_vector v) {
    const float(*m)[4] = arm->base.m;
    NUMBER x = side * v.x;
    return (chain_vector){m[0][0] * x + m[0][1] * v.y + m[0][2] * v.z + m[0][3],
                          m[1][0] * x + m[1][1] * v.y + m[1][2] * v.z + m[1][3],
                          m[2][0] * x + m[2][1] * v.y + m[2][2] * v.z + m[2][3]};
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

// Shoulder, elbow, wrist and tip in the world, the trunk upright.
static inline void chain_points(const tr_arm *arm, const NUMBER s[TR_ARM_JOINTS],
                                const NUMBER c[TR_ARM_JOINTS], chain_vector points[4]) {
    float side = chain_side(arm), x = side * arm->shoulder.x;
    NUMBER none = s[0] - s[0];
    chain_vector root = {none + x, none + arm->shoulder.y, none + arm->shoulder.z}, at[3];
    chain_arm(s, c, arm->length, at);
    points[0] = chain_place(arm, side, root);
    for (int k = 0; k < 3; k++)
        points[k + 1] =
            chain_place(arm, side, (chain_vector){root.x + at[k].x, root.y + at[k].y, root.z + at[k].z});
}

// The same with the help of the trunk.
static inline void chain_points_helped(const tr_arm *arm, const NUMBER s[TR_ARM_ANGLES],
                                       const NUMBER c[TR_ARM_ANGLES], chain_vector points[4]) {
    float side = chain_side(arm), x = side * (arm->shoulder.x - arm->collar.x),
          z = arm->shoulder.z - arm->collar.z;
    NUMBER sc = s[TR_COLLAR], cc = c[TR_COLLAR], none = sc - sc;
    chain_vector root = {cc * x + sc * z + side * (arm->collar.x - arm->waist.x),
                         none + (arm->shoulder.y - arm->waist.y),
                         cc * z - sc * x + (arm->collar.z - arm->waist.z)};
    chain_vector at[4] = {{none, none, none}, {none, none, none}, {none, none, none}, {none, none, none}};
    chain_arm(s, c, arm->length, at + 1);
    for (int k = 0; k < 4; k++) {
        chain_vector turned =
            chain_trunk((chain_vector){root.x + at[k].x, root.y + at[k].y, root.z + at[k].z},
                        s[TR_WAIST_LEAN], c[TR_WAIST_LEAN], s[TR_WAIST_TURN], c[TR_WAIST_TURN]);
        turned.x = turned.x + side * arm->waist.x;
        turned.y = turned.y + arm->waist.y;
        turned.z = turned.z + arm->waist.z;
        points[k] = chain_place(arm, side, turned);
    }
}
