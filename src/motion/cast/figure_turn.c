// Figures that stand elsewhere than at the origin or face elsewhere than +Z, moved and turned about the
// vertical: rest pose, mesh and clips.
#include "motion/clip/clip_data.h"
#include "troupe/base/scalar.h"
#include "troupe/motion/figure.h"

#define STRAIGHT 0.7f // cosine between legs and trunk of a body that lies straight

// Turns about the origin first, then moves.
typedef struct figure_change {
    tr_quat turn;
    tr_vec3 move; // [m]
} figure_change;

static tr_vec3 change_point(const figure_change *change, tr_vec3 point) {
    return tr_vec3_add(tr_quat_rotate(change->turn, point), change->move);
}

static tr_transform change_transform(const figure_change *change, tr_transform t) {
    t.position = change_point(change, t.position);
    t.rotation = tr_quat_normalize(tr_quat_multiply(change->turn, t.rotation));
    return t;
}

// `soles`: NULL: they change with the rest.
static tr_status change_skeleton(const tr_figure *figure, const figure_change *change, const tr_sole *soles,
                                 tr_skeleton **made, tr_error *error) {
    const tr_skeleton *skeleton = figure->skeleton;
    uint32_t count = tr_skeleton_joint_count(skeleton);
    tr_joint_def *joints = tr_allocate(&figure->allocator, count, sizeof *joints);
    if (!joints)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory to move %u joints", count);
    for (uint32_t i = 0; i < count; i++) {
        joints[i] = tr_skeleton_joint(skeleton, i);
        if (joints[i].parent == TR_NONE)
            joints[i].rest = change_transform(change, joints[i].rest);
    }
    tr_skeleton_def def = {.allocator = &figure->allocator,
                           .name = tr_skeleton_name(skeleton),
                           .joints = joints,
                           .joint_count = count};
    for (uint32_t side = 0; side < 2; side++) {
        tr_sole sole = tr_skeleton_sole(skeleton, side);
        sole.heel = change_point(change, sole.heel);
        sole.tip = change_point(change, sole.tip);
        def.soles[side] = soles ? soles[side] : sole;
    }
    tr_status status = tr_skeleton_create(&def, made, error);
    tr_release(&figure->allocator, joints, count, sizeof *joints);
    return status;
}

static tr_status change_body(const tr_figure *figure, const figure_change *change, tr_body **made,
                             tr_error *error) {
    const tr_allocator *allocator = &figure->allocator;
    tr_body_def def = *tr_body_view(figure->body);
    uint32_t vertices = def.vertex_count, count = def.joint_count;
    tr_vec3 *places = tr_allocate(allocator, vertices, 2 * sizeof *places);
    tr_affine *inverse = tr_allocate(allocator, count, sizeof *inverse);
    tr_transform back = tr_transform_identity();
    tr_status status = TR_OK;
    if ((!places && vertices > 0) || !inverse)
        status = tr_fail(error, TR_OUT_OF_MEMORY, "no memory to move %u vertices", vertices);
    for (uint32_t i = 0; i < vertices && status == TR_OK; i++) {
        places[i] = change_point(change, def.positions[i]);
        places[vertices + i] = tr_quat_rotate(change->turn, def.normals[i]);
    }
    back.rotation = tr_quat_conjugate(change->turn);
    back.position = tr_quat_rotate(back.rotation, tr_vec3_scale(change->move, -1));
    tr_affine map = tr_affine_from_transform(back);
    for (uint32_t i = 0; i < count && status == TR_OK; i++)
        inverse[i] = tr_affine_multiply(&def.inverse_rest[i], &map);
    def.allocator = allocator;
    def.positions = places;
    def.normals = vertices > 0 ? places + vertices : NULL;
    def.inverse_rest = inverse;
    if (status == TR_OK)
        status = tr_body_create(&def, made, error);
    tr_release(allocator, places, vertices, 2 * sizeof *places);
    tr_release(allocator, inverse, count, sizeof *inverse);
    return status;
}

// The base of a frame is turned with the body. Without one, the roots of a clip move over the ground.
static tr_base change_base(const figure_change *change, tr_base base) {
    tr_vec3 at = tr_quat_rotate(change->turn, tr_vec3_make(base.x, 0, base.z));
    return (tr_base){at.x, at.z, base.heading};
}

// A root in one frame of a clip: its rotation, and its position if it moves.
static void change_frame(tr_clip *clip, uint32_t frame, uint32_t joint, const figure_change *change) {
    float *rows = clip->rotations + (size_t)frame * 4 * clip->stride + joint;
    size_t stride = clip->stride;
    tr_quat q = {rows[0], rows[stride], rows[2 * stride], rows[3 * stride]};
    q = tr_quat_normalize(tr_quat_multiply(change->turn, q));
    rows[0] = q.x, rows[stride] = q.y, rows[2 * stride] = q.z, rows[3 * stride] = q.w;
    for (uint32_t k = 0; k < clip->moving_count; k++) {
        float *p = clip->positions + ((size_t)frame * clip->moving_count + k) * 3;
        if (clip->moving[k] != joint)
            continue;
        tr_vec3 moved = change_point(change, tr_vec3_make(p[0], p[1], p[2]));
        p[0] = moved.x, p[1] = moved.y, p[2] = moved.z;
    }
}

// What is relative to the base keeps its place there, in the changed axes.
static void change_clip(tr_clip *clip, const tr_skeleton *skeleton, const figure_change *change) {
    const uint32_t *parents = tr_skeleton_parents(skeleton);
    for (uint32_t i = 0; i < clip->joint_count; i++) {
        if (parents[i] != TR_NONE)
            continue;
        tr_pose_set(&clip->fixed, i, change_transform(change, tr_pose_get(&clip->fixed, i)));
        for (uint32_t frame = 0; frame < clip->frame_count; frame++)
            change_frame(clip, frame, i, change);
    }
    for (uint32_t frame = 0; clip->base && frame < clip->frame_count; frame++)
        clip->base[frame] = change_base(change, clip->base[frame]);
    clip->advance = change_base(change, clip->advance);
}

static tr_status change_figure(tr_figure *figure, const figure_change *change, tr_error *error) {
    tr_skeleton *skeleton = NULL;
    tr_body *body = NULL;
    tr_status status = change_skeleton(figure, change, NULL, &skeleton, error);
    if (status == TR_OK && figure->body)
        status = change_body(figure, change, &body, error);
    if (status != TR_OK) {
        tr_skeleton_destroy(skeleton);
        return status;
    }
    for (uint32_t i = 0; i < figure->clip_count; i++)
        change_clip(figure->clips[i], skeleton, change);
    tr_skeleton_destroy(figure->skeleton);
    tr_body_destroy(figure->body);
    figure->skeleton = skeleton;
    figure->body = body;
    return TR_OK;
}

tr_status tr_figure_turn(tr_figure *figure, float angle, tr_error *error) {
    if (!figure->skeleton || !isfinite(angle))
        return tr_fail(error, TR_INVALID, "a figure to be turned needs a skeleton and an angle (%g rad)",
                       (double)angle);
    double s, c;
    tr_sin_cos(0.5 * (double)angle, &s, &c);
    figure_change change = {{0, (float)s, 0, (float)c}, {0, 0, 0}};
    return change_figure(figure, &change, error);
}

tr_status tr_figure_move(tr_figure *figure, tr_vec3 by, tr_error *error) {
    if (!figure->skeleton || !tr_vec3_is_finite(by))
        return tr_fail(error, TR_INVALID, "a figure to be moved needs a skeleton and a distance (%g, %g, %g)",
                       (double)by.x, (double)by.y, (double)by.z);
    figure_change change = {tr_quat_identity(), by};
    return change_figure(figure, &change, error);
}

// The way from the feet to the head at rest; upwards if the hips are not on it: an animal on four legs.
static tr_vec3 way_up(const tr_skeleton *skeleton) {
    static const tr_role roles[] = {TR_ROLE_HEAD, TR_ROLE_HIPS, TR_ROLE_LEFT_FOOT, TR_ROLE_RIGHT_FOOT};
    tr_vec3 at[4];
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t joint = tr_skeleton_with_role(skeleton, roles[i]);
        if (joint == TR_NONE)
            return tr_vec3_make(0, 1, 0);
        at[i] = tr_affine_position(&tr_skeleton_rest_model(skeleton)[joint]);
    }
    tr_vec3 feet = tr_vec3_scale(tr_vec3_add(at[2], at[3]), 0.5f), upper = tr_vec3_subtract(at[0], at[1]),
            lower = tr_vec3_subtract(at[1], feet);
    bool straight = tr_vec3_dot(upper, lower) > STRAIGHT * tr_vec3_length(upper) * tr_vec3_length(lower);
    return straight ? tr_vec3_add(upper, lower) : tr_vec3_make(0, 1, 0);
}

// The soles of a body that lies cannot be found before it stands.
static tr_status find_soles(tr_figure *figure, tr_error *error) {
    static const figure_change none = {{0, 0, 0, 1}, {0, 0, 0}};
    tr_sole soles[2];
    tr_skeleton *made = NULL;
    tr_body_soles(figure->body, figure->skeleton, soles);
    tr_status status = change_skeleton(figure, &none, soles, &made, error);
    if (status != TR_OK)
        return status;
    tr_skeleton_destroy(figure->skeleton);
    figure->skeleton = made;
    return TR_OK;
}

tr_status tr_figure_raise(tr_figure *figure, bool *raised, tr_error *error) {
    static const float half = 0.70710678f;
    bool based = false;
    *raised = false;
    for (uint32_t i = 0; i < figure->clip_count; i++)
        based = based || figure->clips[i]->base;
    if (!figure->skeleton || based)
        return tr_fail(error, TR_INVALID,
                       "a figure to be raised needs a skeleton, and its clips must have no bases");
    tr_vec3 up = way_up(figure->skeleton);
    float x = fabsf(up.x), z = fabsf(up.z);
    if (up.y > 0 ? up.y >= x && up.y >= z : up.y == 0 && x == 0 && z == 0)
        return TR_OK;
    figure_change change = {tr_quat_identity(), {0, 0, 0}};
    if (z >= x && z >= -up.y)
        change.turn = (tr_quat){up.z > 0 ? -half : half, 0, 0, half};
    else if (x >= -up.y)
        change.turn = (tr_quat){0, 0, up.x > 0 ? half : -half, half};
    else
        change.turn = (tr_quat){1, 0, 0, 0};
    *raised = true;
    tr_status status = change_figure(figure, &change, error);
    return status == TR_OK && figure->body ? find_soles(figure, error) : status;
}
