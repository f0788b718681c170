#include "troupe/base/vector.h"
#include "troupe/base/scalar.h"

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
    tr_affine a = {{{(float)c, 0, (float)s, position.x}, {0, 1, 0, position.y}, {-(float)s, 0, (float)c, position.z}}};
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

tr_vec3 tr_affine_apply(const tr_affine *a, tr_vec3 p) {
    return tr_vec3_make(a->m[0][0] * p.x + a->m[0][1] * p.y + a->m[0][2] * p.z + a->m[0][3],
                        a->m[1][0] * p.x + a->m[1][1] * p.y + a->m[1][2] * p.z + a->m[1][3],
                        a->m[2][0] * p.x + a->m[2][1] * p.y + a->m[2][2] * p.z + a->m[2][3]);
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
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++)
            if (!isfinite(a->m[row][column]))
                return false;
    return true;
}

tr_transform tr_transform_identity(void) {
    tr_transform t = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    return t;
}

tr_quat tr_quat_normalize(tr_quat q) {
    float squared = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    tr_quat identity = {0, 0, 0, 1};
    if (!(squared > 0) || !isfinite(squared))
        return identity;
    float inverse = 1 / sqrtf(squared);
    tr_quat unit = {q.x * inverse, q.y * inverse, q.z * inverse, q.w * inverse};
    return unit;
}

tr_quat tr_quat_about(tr_vec3 axis, double angle) {
    double length = sqrt((double)axis.x * axis.x + (double)axis.y * axis.y + (double)axis.z * axis.z);
    tr_quat identity = {0, 0, 0, 1};
    if (!(length > 0))
        return identity;
    double s, c;
    tr_sin_cos(angle / 2, &s, &c);
    s /= length;
    tr_quat q = {(float)(axis.x * s), (float)(axis.y * s), (float)(axis.z * s), (float)c};
    return q;
}

static float lerp(float a, float b, float t) {
    return a + (b - a) * t;
}

tr_transform tr_transform_blend(tr_transform a, tr_transform b, float t) {
    tr_quat p = a.rotation, q = b.rotation;
    float dot = p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w;
    float sign = dot < 0 ? -1.0f : 1.0f;
    float d = dot * sign;
    // Blending and normalising runs fast in the middle. A cubic in t fitted for each angle (d is its cosine) undoes it.
    float strength = 1.0904f + d * (-3.2452f + d * (3.55645f - d * 1.43519f));
    float offset = 0.848013f + d * (-1.06021f + d * 0.215638f);
    float k = strength * (t - 0.5f) * (t - 0.5f) + offset;
    float u = t + t * (t - 0.5f) * (t - 1) * k;
    tr_quat mixed = {lerp(p.x, sign * q.x, u), lerp(p.y, sign * q.y, u), lerp(p.z, sign * q.z, u),
                     lerp(p.w, sign * q.w, u)};
    tr_transform blended = {{lerp(a.position.x, b.position.x, t), lerp(a.position.y, b.position.y, t),
                             lerp(a.position.z, b.position.z, t)},
                            tr_quat_normalize(mixed),
                            {lerp(a.scale.x, b.scale.x, t), lerp(a.scale.y, b.scale.y, t), lerp(a.scale.z, b.scale.z, t)}};
    return blended;
}
