// Figures that face elsewhere than +Z, turned about the vertical: rest pose, mesh and clips.
#include "motion/clip/clip_data.h"
#include "troupe/base/scalar.h"
#include "troupe/motion/figure.h"

static tr_transform turn_transform(tr_quat turn, tr_transform t) {
    t.position = tr_quat_rotate(turn, t.position);
    t.rotation = tr_quat_normalize(tr_quat_multiply(turn, t.rotation));
    return t;
}

static tr_status turn_skeleton(const tr_figure *figure, tr_quat turn, tr_skeleton **made, tr_error *error) {
    const tr_skeleton *skeleton = figure->skeleton;
    uint32_t count = tr_skeleton_joint_count(skeleton);
    tr_joint_def *joints = tr_allocate(&figure->allocator, count, sizeof *joints);
    if (!joints)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory to turn %u joints", count);
    for (uint32_t i = 0; i < count; i++) {
        joints[i] = tr_skeleton_joint(skeleton, i);
        if (joints[i].parent == TR_NONE)
            joints[i].rest = turn_transform(turn, joints[i].rest);
    }
    tr_skeleton_def def = {.allocator = &figure->allocator,
                           .name = tr_skeleton_name(skeleton),
                           .joints = joints,
                           .joint_count = count};
    for (uint32_t side = 0; side < 2; side++) {
        tr_sole sole = tr_skeleton_sole(skeleton, side);
        sole.heel = tr_quat_rotate(turn, sole.heel);
        sole.tip = tr_quat_rotate(turn, sole.tip);
        def.soles[side] = sole;
    }
    tr_status status = tr_skeleton_create(&def, made, error);
    tr_release(&figure->allocator, joints, count, sizeof *joints);
    return status;
}

static tr_status turn_body(const tr_figure *figure, tr_quat turn, tr_body **made, tr_error *error) {
    const tr_allocator *allocator = &figure->allocator;
    tr_body_def def = *tr_body_view(figure->body);
    uint32_t vertices = def.vertex_count, count = def.joint_count;
    tr_vec3 *places = tr_allocate(allocator, vertices, 2 * sizeof *places);
    tr_affine *inverse = tr_allocate(allocator, count, sizeof *inverse);
    tr_transform back = tr_transform_identity();
    tr_status status = TR_OK;
    if ((!places && vertices > 0) || !inverse)
        status = tr_fail(error, TR_OUT_OF_MEMORY, "no memory to turn %u vertices", vertices);
    for (uint32_t i = 0; i < vertices && status == TR_OK; i++) {
        places[i] = tr_quat_rotate(turn, def.positions[i]);
        places[vertices + i] = tr_quat_rotate(turn, def.normals[i]);
    }
    back.rotation = tr_quat_conjugate(turn);
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

// A root in one frame of a clip: its rotation, and its position if it moves.
static void turn_frame(tr_clip *clip, uint32_t frame, uint32_t joint, tr_quat turn) {
    float *rows = clip->rotations + (size_t)frame * 4 * clip->stride + joint;
    size_t stride = clip->stride;
    tr_quat q = {rows[0], rows[stride], rows[2 * stride], rows[3 * stride]};
    q = tr_quat_normalize(tr_quat_multiply(turn, q));
    rows[0] = q.x, rows[stride] = q.y, rows[2 * stride] = q.z, rows[3 * stride] = q.w;
    for (uint32_t k = 0; k < clip->moving_count; k++) {
        float *p = clip->positions + ((size_t)frame * clip->moving_count + k) * 3;
        if (clip->moving[k] != joint)
            continue;
        tr_vec3 moved = tr_quat_rotate(turn, tr_vec3_make(p[0], p[1], p[2]));
        p[0] = moved.x, p[1] = moved.y, p[2] = moved.z;
    }
}

// What is relative to the base keeps its place there, in the turned axes; the base goes the turned way.
static tr_base turn_base(tr_quat turn, tr_base base) {
    tr_vec3 way = tr_quat_rotate(turn, tr_vec3_make(base.x, 0, base.z));
    return (tr_base){way.x, way.z, base.heading};
}

static void turn_clip(tr_clip *clip, const tr_skeleton *skeleton, tr_quat turn) {
    const uint32_t *parents = tr_skeleton_parents(skeleton);
    for (uint32_t i = 0; i < clip->joint_count; i++) {
        if (parents[i] != TR_NONE)
            continue;
        tr_pose_set(&clip->fixed, i, turn_transform(turn, tr_pose_get(&clip->fixed, i)));
        for (uint32_t frame = 0; frame < clip->frame_count; frame++)
            turn_frame(clip, frame, i, turn);
    }
    for (uint32_t frame = 0; clip->base && frame < clip->frame_count; frame++)
        clip->base[frame] = turn_base(turn, clip->base[frame]);
    clip->advance = turn_base(turn, clip->advance);
}

tr_status tr_figure_turn(tr_figure *figure, float angle, tr_error *error) {
    if (!figure->skeleton || !isfinite(angle))
        return tr_fail(error, TR_INVALID, "a figure to be turned needs a skeleton and an angle (%g rad)",
                       (double)angle);
    double s, c;
    tr_sin_cos(0.5 * (double)angle, &s, &c);
    tr_quat turn = {0, (float)s, 0, (float)c};
    tr_skeleton *skeleton = NULL;
    tr_body *body = NULL;
    tr_status status = turn_skeleton(figure, turn, &skeleton, error);
    if (status == TR_OK && figure->body)
        status = turn_body(figure, turn, &body, error);
    if (status != TR_OK) {
        tr_skeleton_destroy(skeleton);
        return status;
    }
    for (uint32_t i = 0; i < figure->clip_count; i++)
        turn_clip(figure->clips[i], skeleton, turn);
    tr_skeleton_destroy(figure->skeleton);
    tr_body_destroy(figure->body);
    figure->skeleton = skeleton;
    figure->body = body;
    return TR_OK;
}
