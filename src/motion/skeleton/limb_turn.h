// Rotations and maps in double, for code that bends limbs every frame (limb.c, foot_lock.c).
#pragma once
#include "troupe/base/vector.h"

typedef struct limb_turn {
    double x, y, z, w;
} limb_turn;

// 1 / sqrt(squared). Columns of a map mostly have unit length except for rounding. There one Newton step is
// exact to 1e-11 and ten times as fast.
static inline double tr_limb_inverse_root(double squared) {
    if (squared > 0.99999 && squared < 1.00001)
        return 1.5 - 0.5 * squared;
    return squared > 0 ? 1 / sqrt(squared) : 0;
}

static inline limb_turn tr_limb_turn_normalize(limb_turn q) {
    double inverse = tr_limb_inverse_root(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return (limb_turn){q.x * inverse, q.y * inverse, q.z * inverse, q.w * inverse};
}

// From the rows of a rotation. The diagonal tells the largest component, so that nothing is divided by a
// small number.
static inline limb_turn tr_limb_turn_of_rows(double m[3][3]) {
    double xx = m[0][0], yy = m[1][1], zz = m[2][2];
    limb_turn q = {m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1], 1 + xx + yy + zz};
    if (xx + yy + zz < 0) {
        double xy = m[1][0] + m[0][1], xz = m[0][2] + m[2][0], yz = m[2][1] + m[1][2];
        if (xx >= yy && xx >= zz)
            q = (limb_turn){1 + xx - yy - zz, xy, xz, q.x};
        else if (yy >= zz)
            q = (limb_turn){xy, 1 + yy - xx - zz, yz, q.y};
        else
            q = (limb_turn){xz, yz, 1 + zz - xx - yy, q.z};
    }
    return tr_limb_turn_normalize(q);
}

static inline bool tr_limb_is_mirrored(const tr_affine *a) {
    return a->m[0][0] * (a->m[1][1] * a->m[2][2] - a->m[1][2] * a->m[2][1]) -
               a->m[0][1] * (a->m[1][0] * a->m[2][2] - a->m[1][2] * a->m[2][0]) +
               a->m[0][2] * (a->m[1][0] * a->m[2][1] - a->m[1][1] * a->m[2][0]) <
           0;
}

// The same as tr_affine_rotation, but faster.
static inline limb_turn tr_limb_turn_of_map(const tr_affine *a) {
    double rows[3][3];
    for (int column = 0; column < 3; column++) {
        double x = a->m[0][column], y = a->m[1][column], z = a->m[2][column];
        double inverse = tr_limb_inverse_root(x * x + y * y + z * z);
        rows[0][column] = x * inverse, rows[1][column] = y * inverse, rows[2][column] = z * inverse;
    }
    if (tr_limb_is_mirrored(a))
        for (int row = 0; row < 3; row++)
            rows[row][0] = -rows[row][0];
    return tr_limb_turn_of_rows(rows);
}

static inline tr_quat tr_limb_turn_to_quat(limb_turn q) {
    return (tr_quat){(float)q.x, (float)q.y, (float)q.z, (float)q.w};
}
