// Poses for a BVH file: axes of the body in the rest pose, angles about Z, X and Y without jumps.
#include "bvh_write.h"
#include "troupe/base/scalar.h"

#include <math.h>

static const bvh_matrix identity = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

static bvh_matrix multiply(const bvh_matrix *a, const bvh_matrix *b) {
    bvh_matrix c;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            c.m[row][column] = a->m[row][0] * b->m[0][column] + a->m[row][1] * b->m[1][column] +
                               a->m[row][2] * b->m[2][column];
    return c;
}

// The inverse of a rotation.
static bvh_matrix transpose(const bvh_matrix *a) {
    bvh_matrix t;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            t.m[row][column] = a->m[column][row];
    return t;
}

static void apply(const bvh_matrix *a, const double v[3], double result[3]) {
    double x = v[0], y = v[1], z = v[2];
    for (int row = 0; row < 3; row++)
        result[row] = a->m[row][0] * x + a->m[row][1] * y + a->m[row][2] * z;
}

static bvh_matrix from_quaternion(tr_quat q, tr_vec3 scale) {
    double x = (double)q.x, y = (double)q.y, z = (double)q.z, w = (double)q.w;
    double size = x * x + y * y + z * z + w * w, s = size > 0 ? 2 / size : 0;
    bvh_matrix r = {{{1 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w)},
                     {s * (x * y + z * w), 1 - s * (x * x + z * z), s * (y * z - x * w)},
                     {s * (x * z - y * w), s * (y * z + x * w), 1 - s * (x * x + y * y)}}};
    const double by[3] = {(double)scale.x, (double)scale.y, (double)scale.z};
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            r.m[row][column] *= by[column];
    return r;
}

static bool normalize(double v[3]) {
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    if (!(length > 0))
        return false;
    for (int axis = 0; axis < 3; axis++)
        v[axis] /= length;
    return true;
}

// The rotation of a map that may scale and shear: keeps its first axis and makes the second perpendicular to
// it.
static bvh_matrix turn_of(const bvh_matrix *a) {
    double x[3] = {a->m[0][0], a->m[1][0], a->m[2][0]}, y[3] = {a->m[0][1], a->m[1][1], a->m[2][1]};
    if (!normalize(x))
        return identity;
    double along = x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
    for (int axis = 0; axis < 3; axis++)
        y[axis] -= along * x[axis];
    if (!normalize(y))
        return identity;
    bvh_matrix r = {{{x[0], y[0], x[1] * y[2] - x[2] * y[1]},
                     {x[1], y[1], x[2] * y[0] - x[0] * y[2]},
                     {x[2], y[2], x[0] * y[1] - x[1] * y[0]}}};
    return r;
}

// The base of the character in the world.
static void place_base(const bvh_writer *writer, uint32_t frame, bvh_matrix *linear, double position[3]) {
    *linear = identity;
    position[0] = position[1] = position[2] = 0;
    if (!writer->clip || !tr_clip_has_base(writer->clip))
        return;
    tr_base base = tr_clip_frame_base(writer->clip, frame);
    double s, c;
    tr_sin_cos((double)base.heading, &s, &c);
    bvh_matrix turn = {{{c, 0, s}, {0, 1, 0}, {-s, 0, c}}};
    *linear = turn;
    position[0] = (double)base.x;
    position[2] = (double)base.z;
}

static void place_pose(bvh_writer *writer, const bvh_matrix *base, const double at[3]) {
    for (uint32_t i = 0; i < writer->bone_count; i++) {
        bvh_bone *bone = &writer->bones[i];
        const bvh_bone *parent = bone->parent == TR_NONE ? NULL : &writer->bones[bone->parent];
        tr_transform local = tr_pose_get(&writer->pose, i);
        bvh_matrix turn = from_quaternion(local.rotation, local.scale);
        const bvh_matrix *above = parent ? &parent->linear : base;
        double offset[3] = {(double)local.position.x, (double)local.position.y, (double)local.position.z};
        apply(above, offset, bone->position);
        for (int axis = 0; axis < 3; axis++)
            bone->position[axis] += parent ? parent->position[axis] : at[axis];
        bone->linear = multiply(above, &turn);
    }
}

void tr_bvh_begin_bones(bvh_writer *writer) {
    static const double origin[3] = {0, 0, 0};
    tr_pose_set_rest(&writer->pose, writer->skeleton);
    place_pose(writer, &identity, origin);
    for (uint32_t i = 0; i < writer->bone_count; i++) {
        bvh_bone *bone = &writer->bones[i];
        bone->rest = turn_of(&bone->linear);
        bone->turn = identity;
        tr_bvh_bone_offset(writer, i, bone->offset);
    }
}

void tr_bvh_place_bones(bvh_writer *writer, uint32_t frame) {
    bvh_matrix base;
    double at[3];
    place_base(writer, frame, &base, at);
    if (writer->clip)
        tr_clip_get_frame(writer->clip, frame, &writer->pose);
    place_pose(writer, &base, at);
    for (uint32_t i = 0; i < writer->bone_count; i++) {
        bvh_bone *bone = &writer->bones[i];
        bvh_matrix turn = turn_of(&bone->linear), back = transpose(&bone->rest);
        bone->turn = multiply(&turn, &back);
    }
}

void tr_bvh_bone_offset(const bvh_writer *writer, uint32_t number, double offset[3]) {
    const bvh_bone *bone = &writer->bones[number];
    const bvh_bone *parent = bone->parent == TR_NONE ? NULL : &writer->bones[bone->parent];
    for (int axis = 0; axis < 3; axis++)
        offset[axis] = bone->position[axis] - (parent ? parent->position[axis] : 0);
    if (!parent)
        return;
    bvh_matrix back = transpose(&parent->turn);
    apply(&back, offset, offset);
}

// The angle plus the number of whole turns that brings it closest to `to`.
static double near_to(double angle, double to) {
    return angle + floor((to - angle) / (2 * TR_PI) + 0.5) * (2 * TR_PI);
}

static double take_near(double angles[3], const double last[3]) {
    double change = 0;
    for (int i = 0; i < 3; i++) {
        angles[i] = near_to(angles[i], last[i]);
        change += fabs(angles[i] - last[i]);
    }
    return change;
}

// R = Z(a) X(b) Y(c). The same rotation is Z(a + pi) X(pi - b) Y(c + pi). Takes the one that changes less, so
// that curves stay continuous through the pole, where a and c rotate about the same axis and c is kept.
void tr_bvh_bone_angles(bvh_writer *writer, uint32_t number) {
    bvh_bone *bone = &writer->bones[number];
    bvh_matrix local = bone->turn;
    if (bone->parent != TR_NONE) {
        bvh_matrix back = transpose(&writer->bones[bone->parent].turn);
        local = multiply(&back, &bone->turn);
    }
    double(*r)[3] = local.m;
    double *last = bone->angles, cosine = sqrt(r[2][0] * r[2][0] + r[2][2] * r[2][2]);
    double one[3] = {tr_arc_tangent(-r[0][1], r[1][1]), tr_arc_tangent(r[2][1], cosine),
                     tr_arc_tangent(-r[2][0], r[2][2])};
    if (cosine < 1e-9) {
        double both = tr_arc_tangent(r[1][0], r[0][0]);
        one[2] = last[2];
        one[0] = r[2][1] > 0 ? both - last[2] : both + last[2];
    }
    double other[3] = {one[0] + TR_PI, TR_PI - one[1], one[2] + TR_PI};
    bool first = take_near(one, last) <= take_near(other, last);
    for (int i = 0; i < 3; i++)
        last[i] = first ? one[i] : other[i];
}
