#include "troupe/base/vector.h"
#include "troupe/base/scalar.h"

#define SIMD_LANES 4
#include "simd.h"

tr_affine tr_affine_identity(void) {
    tr_affine a = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    return a;
}

tr_affine tr_affine_from_transform(tr_transform t) {
    tr_quat q = tr_quat_normalize(t.rotation);
    float xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    float xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    float wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    tr_vec3 s = t.scale;
    tr_affine a = {{{(1 - 2 * (yy + zz)) * s.x, 2 * (xy - wz) * s.y, 2 * (xz + wy) * s.z, t.position.x},
                    {2 * (xy + wz) * s.x, (1 - 2 * (xx + zz)) * s.y, 2 * (yz - wx) * s.z, t.position.y},
                    {2 * (xz - wy) * s.x, 2 * (yz + wx) * s.y, (1 - 2 * (xx + yy)) * s.z, t.position.z}}};
    return a;
}

tr_affine tr_affine_place(tr_vec3 position, double heading) {
    double s, c;
    tr_sin_cos(heading, &s, &c);
    tr_affine a = {
        {{(float)c, 0, (float)s, position.x}, {0, 1, 0, position.y}, {-(float)s, 0, (float)c, position.z}}};
    return a;
}

tr_affine tr_affine_multiply(const tr_affine *a, const tr_affine *b) {
    tr_affine product;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++) {
            float sum = a->m[row][0] * b->m[0][column] + a->m[row][1] * b->m[1][column] +
                        a->m[row][2] * b->m[2][column];
            product.m[row][column] = column == 3 ? sum + a->m[row][3] : sum;
        }
    return product;
}

tr_box tr_affine_apply_box(const tr_affine *a, tr_box box) {
    if (tr_box_is_empty(box))
        return tr_box_empty();
    tr_box image = tr_box_empty();
    for (int corner = 0; corner < 8; corner++) {
        tr_vec3 p = {corner & 1 ? box.max.x : box.min.x, corner & 2 ? box.max.y : box.min.y,
                     corner & 4 ? box.max.z : box.min.z};
        image = tr_box_include(image, tr_affine_apply(a, p));
    }
    return image;
}

bool tr_affine_is_finite(const tr_affine *a) {
    simd_float zero = simd_set(0); // multiplied by infinity or NaN, this gives NaN
    simd_float sum = simd_load(a->m[0]) * zero + simd_load(a->m[1]) * zero + simd_load(a->m[2]) * zero;
    return simd_bits(sum == zero) == 15;
}

tr_transform tr_transform_identity(void) {
    tr_transform t = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    return t;
}

// In double, where the squares of the largest and the smallest floats neither overflow nor vanish.
tr_quat tr_quat_normalize(tr_quat q) {
    double squared = (double)q.x * q.x + (double)q.y * q.y + (double)q.z * q.z + (double)q.w * q.w;
    tr_quat identity = {0, 0, 0, 1};
    if (!(squared > 0) || !isfinite(squared))
        return identity;
    double inverse = 1 / sqrt(squared);
    tr_quat unit = {(float)(q.x * inverse), (float)(q.y * inverse), (float)(q.z * inverse),
                    (float)(q.w * inverse)};
    return unit;
}

tr_quat tr_quat_about(tr_vec3 axis, double angle) {
    double length = sqrt((double)axis.x * axis.x + (double)axis.y * axis.y + (double)axis.z * axis.z);
    tr_quat identity = {0, 0, 0, 1};
    if (!(length > 0) || !isfinite(length))
        return identity;
    double s, c;
    tr_sin_cos(angle / 2, &s, &c);
    s /= length;
    tr_quat q = {(float)(axis.x * s), (float)(axis.y * s), (float)(axis.z * s), (float)c};
    return q;
}

// Computed from the nearer end: exact at both ends, and constant where a equals b.
static float lerp(float a, float b, float t) {
    return t < 0.5f ? a + (b - a) * t : b - (b - a) * (1 - t);
}

static tr_vec3 lerp_vec3(tr_vec3 a, tr_vec3 b, float t) {
    return tr_vec3_make(lerp(a.x, b.x, t), lerp(a.y, b.y, t), lerp(a.z, b.z, t));
}

// Half the angle between two unit quaternions follows from the lengths of their difference and their sum.
// This is accurate for small angles, where an arc cosine is not.
static tr_quat blend_rotations(tr_quat p, tr_quat q, double t) {
    p = tr_quat_normalize(p), q = tr_quat_normalize(q);
    double dot = (double)p.x * q.x + (double)p.y * q.y + (double)p.z * q.z + (double)p.w * q.w;
    double sign = dot < 0 ? -1.0 : 1.0;
    double difference = 2 - 2 * dot * sign, sum = 2 + 2 * dot * sign;
    double angle = 2 * tr_arc_tangent(sqrt(difference > 0 ? difference : 0), sqrt(sum));
    double from = 1 - t, to = t;
    if (angle > 1e-4) { // below this, a straight line is as good and avoids a division by almost zero
        double at_from, at_to, whole, unused;
        tr_sin_cos((1 - t) * angle, &at_from, &unused);
        tr_sin_cos(t * angle, &at_to, &unused);
        tr_sin_cos(angle, &whole, &unused);
        from = at_from / whole, to = at_to / whole;
    }
    to *= sign;
    tr_quat mixed = {(float)(p.x * from + q.x * to), (float)(p.y * from + q.y * to),
                     (float)(p.z * from + q.z * to), (float)(p.w * from + q.w * to)};
    return tr_quat_normalize(mixed);
}

tr_transform tr_transform_blend(tr_transform a, tr_transform b, float t) {
    tr_transform blended = {lerp_vec3(a.position, b.position, t), blend_rotations(a.rotation, b.rotation, t),
                            lerp_vec3(a.scale, b.scale, t)};
    return blended;
}

tr_quat tr_quat_blend(tr_quat a, tr_quat b, float t) {
    return blend_rotations(a, b, t);
}

tr_quat tr_quat_between(tr_vec3 from, tr_vec3 to) {
    double fx = from.x, fy = from.y, fz = from.z, tx = to.x, ty = to.y, tz = to.z;
    double lengths = sqrt((fx * fx + fy * fy + fz * fz) * (tx * tx + ty * ty + tz * tz));
    if (!(lengths > 0) || !isfinite(lengths))
        return tr_quat_identity();
    double w = lengths + (fx * tx + fy * ty + fz * tz);
    if (w > lengths * 1e-7) {
        double q[4] = {fy * tz - fz * ty, fz * tx - fx * tz, fx * ty - fy * tx, w};
        double inverse = 1 / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        tr_quat turn = {(float)(q[0] * inverse), (float)(q[1] * inverse), (float)(q[2] * inverse),
                        (float)(q[3] * inverse)};
        return turn;
    }
    // Opposite directions: rotate about a perpendicular axis, made with the coordinate axis furthest from the
    // direction.
    tr_vec3 across = fabs(fx) < fabs(fy) && fabs(fx) < fabs(fz) ? tr_vec3_make(0, -from.z, from.y)
                     : fabs(fy) < fabs(fz)                      ? tr_vec3_make(from.z, 0, -from.x)
                                                                : tr_vec3_make(-from.y, from.x, 0);
    tr_quat half = {across.x, across.y, across.z, 0};
    return tr_quat_normalize(half);
}

tr_vec3 tr_quat_to_vector(tr_quat q) {
    double sign = q.w < 0 ? -1 : 1;
    double s = sqrt((double)q.x * q.x + (double)q.y * q.y + (double)q.z * q.z);
    if (!(s > 0))
        return tr_vec3_make(0, 0, 0);
    double scale = sign * 2 * tr_arc_tangent(s, sign * q.w) / s;
    return tr_vec3_make((float)(q.x * scale), (float)(q.y * scale), (float)(q.z * scale));
}

tr_quat tr_quat_from_vector(tr_vec3 v) {
    return tr_quat_about(v, sqrt((double)v.x * v.x + (double)v.y * v.y + (double)v.z * v.z));
}

// The largest of the four components comes from the diagonal, the others from it: no division by a small
// number.
static tr_quat rotation_of_axes(double m[3][3]) {
    double trace = m[0][0] + m[1][1] + m[2][2], q[4]; // x, y, z, w
    if (trace > 0) {
        double s = sqrt(trace + 1) * 2;
        q[0] = (m[2][1] - m[1][2]) / s, q[1] = (m[0][2] - m[2][0]) / s;
        q[2] = (m[1][0] - m[0][1]) / s, q[3] = s / 4;
    } else {
        int i = m[1][1] > m[0][0] ? 1 : 0;
        i = m[2][2] > m[i][i] ? 2 : i;
        int j = (i + 1) % 3, k = (i + 2) % 3;
        double s = sqrt(m[i][i] - m[j][j] - m[k][k] + 1) * 2;
        q[i] = s / 4, q[3] = (m[k][j] - m[j][k]) / s;
        q[j] = (m[j][i] + m[i][j]) / s, q[k] = (m[k][i] + m[i][k]) / s;
    }
    tr_quat rotation = {(float)q[0], (float)q[1], (float)q[2], (float)q[3]};
    return tr_quat_normalize(rotation);
}

static double determinant(const tr_affine *a) {
    double m[3][3];
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            m[row][column] = a->m[row][column];
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
           m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

tr_transform tr_affine_to_transform(const tr_affine *a) {
    double axes[3][3], lengths[3];
    for (int column = 0; column < 3; column++) {
        double x = a->m[0][column], y = a->m[1][column], z = a->m[2][column];
        lengths[column] = sqrt(x * x + y * y + z * z);
    }
    if (determinant(a) < 0)
        lengths[0] = -lengths[0];
    for (int column = 0; column < 3; column++)
        for (int row = 0; row < 3; row++)
            axes[row][column] = lengths[column] == 0 ? row == column : a->m[row][column] / lengths[column];
    tr_transform t = {tr_affine_position(a),
                      rotation_of_axes(axes),
                      {(float)lengths[0], (float)lengths[1], (float)lengths[2]}};
    return t;
}

tr_quat tr_affine_rotation(const tr_affine *a) {
    return tr_affine_to_transform(a).rotation;
}

bool tr_affine_invert(const tr_affine *a, tr_affine *inverse) {
    double size = determinant(a), m[3][3];
    if (size == 0 || !isfinite(1 / size) || !tr_affine_is_finite(a))
        return false;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++) {
            int r1 = (column + 1) % 3, r2 = (column + 2) % 3, c1 = (row + 1) % 3, c2 = (row + 2) % 3;
            m[row][column] =
                ((double)a->m[r1][c1] * a->m[r2][c2] - (double)a->m[r1][c2] * a->m[r2][c1]) / size;
        }
    tr_vec3 p = tr_affine_position(a); // `inverse` may be `a`
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++)
            inverse->m[row][column] = (float)m[row][column];
        inverse->m[row][3] = (float)-(m[row][0] * p.x + m[row][1] * p.y + m[row][2] * p.z);
    }
    return true;
}
