// An arm in plain double precision and the axes of the reach data (Z up, X ahead, Y left), multiplied out
// matrix by matrix as the formula of tasks.json stands: an oracle that shares nothing with the library.
#pragma once
#include "troupe/base/random.h"
#include "troupe/plan/arm.h"

#include <math.h>
#include <string.h>

typedef struct oracle_matrix {
    double m[3][3];
} oracle_matrix;
typedef struct oracle_vector {
    double v[3];
} oracle_vector;

static inline oracle_matrix oracle_about(int axis, double angle) {
    oracle_matrix r = {{{0}}};
    int next = (axis + 1) % 3, last = (axis + 2) % 3;
    r.m[axis][axis] = 1;
    r.m[next][next] = r.m[last][last] = cos(angle);
    r.m[last][next] = sin(angle);
    r.m[next][last] = -sin(angle);
    return r;
}

static inline oracle_matrix oracle_times(oracle_matrix a, oracle_matrix b) {
    oracle_matrix r = {{{0}}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                r.m[i][j] += a.m[i][k] * b.m[k][j];
    return r;
}

static inline oracle_vector oracle_along(oracle_vector from, double length, oracle_matrix r) {
    for (int i = 0; i < 3; i++)
        from.v[i] -= length * r.m[i][2]; // the arm hangs along -Z
    return from;
}

// tasks.json: R=Ry(-q0)Rx(-q1)Rz(q2); R2=R*Ry(-q3); R3=R2*Rz(q4)Ry(q5)Rx(q6).
static inline void oracle_points(const double length[3], oracle_vector shoulder, const double q[7],
                                 oracle_vector points[4], oracle_matrix rotations[3]) {
    oracle_matrix r1 =
        oracle_times(oracle_times(oracle_about(1, -q[0]), oracle_about(0, -q[1])), oracle_about(2, q[2]));
    oracle_matrix r2 = oracle_times(r1, oracle_about(1, -q[3]));
    oracle_matrix r3 = oracle_times(
        oracle_times(oracle_times(r2, oracle_about(2, q[4])), oracle_about(1, q[5])), oracle_about(0, q[6]));
    points[0] = shoulder;
    points[1] = oracle_along(points[0], length[0], r1);
    points[2] = oracle_along(points[1], length[1], r2);
    points[3] = oracle_along(points[2], length[2], r3);
    rotations[0] = r1;
    rotations[1] = r2;
    rotations[2] = r3;
}

// The file's (x, y, z) is Troupe's (y, z, x).
static inline tr_vec3 oracle_to_troupe(oracle_vector p) {
    return tr_vec3_make((float)p.v[1], (float)p.v[2], (float)p.v[0]);
}
static inline oracle_vector oracle_from_troupe(tr_vec3 p) {
    return (oracle_vector){{p.z, p.x, p.y}};
}

static inline tr_posture oracle_random_posture(const tr_arm *arm, tr_random *random) {
    tr_posture posture;
    for (int k = 0; k < TR_ARM_ANGLES; k++)
        posture.q[k] = tr_random_between(random, arm->low.q[k], arm->high.q[k]);
    return posture;
}

static inline tr_quat oracle_random_turn(tr_random *random) {
    tr_quat q;
    q.x = tr_random_between(random, -1, 1);
    q.y = tr_random_between(random, -1, 1);
    q.z = tr_random_between(random, -1, 1);
    q.w = tr_random_between(random, 0.1f, 1);
    return tr_quat_normalize(q);
}

static inline tr_vec3 oracle_random_point(tr_random *random, float reach) {
    tr_vec3 p;
    p.x = tr_random_between(random, -reach, reach);
    p.y = tr_random_between(random, -reach, reach);
    p.z = tr_random_between(random, -reach, reach);
    return p;
}

static inline void oracle_random_base(tr_arm *arm, tr_random *random) {
    tr_transform transform = tr_transform_identity();
    transform.rotation = oracle_random_turn(random);
    transform.position = oracle_random_point(random, 1);
    arm->base = tr_affine_from_transform(transform);
}

static inline double oracle_distance(tr_vec3 a, tr_vec3 b) {
    double x = (double)a.x - b.x, y = (double)a.y - b.y, z = (double)a.z - b.z;
    return sqrt(x * x + y * y + z * z);
}
