// Shared by solving and choosing: matrices of the arm in double precision, for a right arm in the trunk's
// axes. Internal.
#pragma once
#include "arm_limits.h"

typedef struct arm_vector {
    double x, y, z;
} arm_vector;
typedef struct arm_matrix {
    double m[3][3];
} arm_matrix;

static inline double arm_dot(arm_vector a, arm_vector b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline arm_vector arm_cross(arm_vector a, arm_vector b) {
    return (arm_vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline arm_vector arm_scale(arm_vector a, double s) {
    return (arm_vector){a.x * s, a.y * s, a.z * s};
}
static inline arm_vector arm_add(arm_vector a, arm_vector b) {
    return (arm_vector){a.x + b.x, a.y + b.y, a.z + b.z};
}
// The product of the transpose of `m` with `v`: the inverse, for a rotation.
static inline arm_vector arm_back(const arm_matrix *m, arm_vector v) {
    return (arm_vector){m->m[0][0] * v.x + m->m[1][0] * v.y + m->m[2][0] * v.z,
                        m->m[0][1] * v.x + m->m[1][1] * v.y + m->m[2][1] * v.z,
                        m->m[0][2] * v.x + m->m[1][2] * v.y + m->m[2][2] * v.z};
}
static inline arm_vector arm_turn(const arm_matrix *m, arm_vector v) {
    return (arm_vector){m->m[0][0] * v.x + m->m[0][1] * v.y + m->m[0][2] * v.z,
                        m->m[1][0] * v.x + m->m[1][1] * v.y + m->m[1][2] * v.z,
                        m->m[2][0] * v.x + m->m[2][1] * v.y + m->m[2][2] * v.z};
}

// The trunk with its help: the rotation of a right arm's trunk in the axes of the base, and the shoulder.
typedef struct arm_trunk {
    double side;
    arm_matrix turn;
    arm_vector shoulder;
} arm_trunk;
arm_trunk tr_arm_trunk(const tr_arm *arm, const float help[TR_ARM_HELP]);
// A direction of the world in the axes of the trunk.
arm_vector tr_arm_to_trunk(const tr_arm *arm, const arm_trunk *trunk, tr_vec3 direction);

// Across the direction `n` from shoulder to wrist: as low as possible, and outwards from there.
void tr_arm_circle_axes(arm_vector n, arm_vector *low, arm_vector *out);
// R1, or the hand in the forearm's axes, at a swivel with this cosine and sine.
arm_matrix tr_arm_rows_at(const float rows[3][3][3], double c, double s);
// By how much a wrist may be out of reach and count as reached, or within reach and count as just reached
// [m].
double tr_arm_slack(tr_vec3 wrist);
