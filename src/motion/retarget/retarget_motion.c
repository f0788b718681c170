// Looks at the motions of the source to learn its anatomy, whatever its rest pose is. The axes that a file
// chooses for a joint are the same in all frames. Everything here is summed up in those axes, so the choice
// cancels out of the result.
#include "retarget_motion.h"

#include <math.h>

#define SAMPLES_MAX 512    // frames that are looked at, evenly over all motions
#define STRAIGHT 0.9f      // of its greatest length: a trunk that is shorter is bent, and does not count
#define STILL_SPEED 0.2f   // leg lengths per second: slower ankles and toes stand
#define SHANK_UPRIGHT 0.7f // cosine: the foot of a shank that lies does not stand
#define UP_CLEAR 0.8f      // cosine between an axis of the world and the mean way from the feet to the head
#define TO_THE_RIGHT (TR_ROLE_RIGHT_SHOULDER - TR_ROLE_LEFT_SHOULDER)

static uint32_t with_role(const motion_study *study, int role) {
    return tr_skeleton_with_role(study->retarget->from.skeleton, (tr_role)role);
}

static tr_vec3 at(const motion_study *study, uint32_t joint) {
    return tr_affine_position(&study->retarget->from_model[joint]);
}

static tr_vec3 place(const motion_study *study, int role) {
    return at(study, with_role(study, role));
}

static tr_vec3 middle(const motion_study *study, int left_role) {
    return tr_vec3_scale(tr_vec3_add(place(study, left_role), place(study, left_role + TO_THE_RIGHT)), 0.5f);
}

static tr_vec3 unit(tr_vec3 v) {
    float length = tr_vec3_length(v);
    return length > 0 ? tr_vec3_scale(v, 1 / length) : v;
}

static void add(tr_vec3 *sum, tr_vec3 v) {
    *sum = tr_vec3_add(*sum, v);
}

// Adds a rotation to a sum. A quaternion and its negative are the same rotation: the sum keeps to one side.
static void add_turn(tr_quat *sum, tr_quat q, float weight) {
    float dot = sum->x * q.x + sum->y * q.y + sum->z * q.z + sum->w * q.w;
    float w = dot < 0 ? -weight : weight;
    sum->x += w * q.x;
    sum->y += w * q.y;
    sum->z += w * q.z;
    sum->w += w * q.w;
}

static tr_vec3 trunk_line(const motion_study *study) {
    uint32_t neck = with_role(study, TR_ROLE_NECK);
    tr_vec3 top = neck != TR_NONE ? at(study, neck) : middle(study, TR_ROLE_LEFT_UPPER_ARM);
    return tr_vec3_subtract(top, middle(study, TR_ROLE_LEFT_THIGH));
}

static tr_vec3 line(const motion_study *study, int left_role) {
    return unit(tr_vec3_subtract(place(study, left_role), place(study, left_role + TO_THE_RIGHT)));
}

// The rotation from the common axes (left, up, ahead) to a trunk.
static tr_quat axes_of(tr_vec3 left, tr_vec3 up, tr_vec3 ahead) {
    tr_affine axes = {{{left.x, up.x, ahead.x, 0}, {left.y, up.y, ahead.y, 0}, {left.z, up.z, ahead.z, 0}}};
    return tr_affine_rotation(&axes);
}

// The end of a hand or a foot: the descendant with the longest way along the bones, which no pose changes.
static uint32_t find_tip(const tr_skeleton *skeleton, uint32_t top) {
    const uint32_t *parents = tr_skeleton_parents(skeleton);
    uint32_t tip = TR_NONE;
    float furthest = 0;
    for (uint32_t i = top + 1; i < tr_skeleton_subtree_end(skeleton, top); i++) {
        float length = 0;
        uint32_t above = i;
        for (; above != TR_NONE && above > top; above = parents[above])
            length += tr_vec3_length(tr_skeleton_joint(skeleton, above).rest.position);
        if (above == top && length > furthest) {
            furthest = length;
            tip = i;
        }
    }
    return tip;
}

// The joint whose place tells where a foot points: its toes, else its tip; else the ankle itself.
static uint32_t toes_of(const motion_study *study, int side) {
    int shift = side ? TO_THE_RIGHT : 0;
    uint32_t ankle = with_role(study, TR_ROLE_LEFT_FOOT + shift);
    uint32_t toes = with_role(study, TR_ROLE_LEFT_TOES + shift);
    if (toes == TR_NONE)
        toes = find_tip(study->retarget->from.skeleton, ankle);
    return toes == TR_NONE ? ankle : toes;
}

// First pass: sizes, and which way is up.
static void survey(motion_study *study) {
    float trunk = tr_vec3_length(trunk_line(study));
    study->trunk = trunk > study->trunk ? trunk : study->trunk;
    add(&study->rise, unit(tr_vec3_subtract(place(study, TR_ROLE_HEAD), middle(study, TR_ROLE_LEFT_FOOT))));
    study->sides += tr_vec3_dot(line(study, TR_ROLE_LEFT_THIGH), line(study, TR_ROLE_LEFT_UPPER_ARM));
    tr_box box = tr_box_empty();
    for (uint32_t i = 0; i < study->retarget->from_count; i++)
        box = tr_box_include(box, at(study, i));
    const float edges[6] = {box.min.x, box.min.y, box.min.z, box.max.x, box.max.y, box.max.z};
    for (int i = 0; i < 6; i++) {
        if (study->samples == 0)
            study->edge_first[i] = edges[i];
        double off = (double)(edges[i] - study->edge_first[i]);
        study->edge[i] += off;
        study->edge_squared[i] += off * off;
    }
}

// How steady the floor is if the axis is up or, with `down`, if its opposite is [m2].
static double unsteadiness(const motion_study *study, int axis, bool down) {
    double count = study->samples, mean = study->edge[axis + 3 * down] / count;
    return study->edge_squared[axis + 3 * down] / count - mean * mean;
}

// Up is Y unless people clearly stand along another axis. One who crawls seems to: but the floor below stays
// where it is, whereas the end of a body that crawls moves.
static tr_vec3 choose_up(const motion_study *study) {
    const float rise[3] = {study->rise.x, study->rise.y, study->rise.z};
    float clear = UP_CLEAR * (float)study->samples;
    int axis = 1;
    for (int i = 0; i < 3; i++)
        if (fabsf(rise[i]) >= clear)
            axis = i;
    bool down = rise[axis] <= -clear;
    if (axis != 1 && unsteadiness(study, axis, down) >= unsteadiness(study, 1, false)) {
        axis = 1;
        down = false;
    }
    float sign = down ? -1.0f : 1.0f;
    return tr_vec3_make(axis == 0 ? sign : 0, axis == 1 ? sign : 0, axis == 2 ? sign : 0);
}

static void add_limb(motion_study *study, int upper, tr_vec3 bend) {
    tr_vec3 first = tr_vec3_subtract(place(study, upper + 1), place(study, upper));
    tr_vec3 second = tr_vec3_subtract(place(study, upper + 2), place(study, upper + 1));
    tr_vec3 hinge = tr_vec3_cross(unit(first), unit(second)), supposed = tr_vec3_cross(unit(first), bend);
    for (int i = 0; i < 2; i++) {
        tr_quat back = tr_quat_conjugate(study->retarget->from_turns[with_role(study, upper + i)]);
        limb_sum *sum = &study->limbs[upper + i];
        add(&sum->bone, tr_quat_rotate(back, i ? second : first));
        add(&sum->hinge, tr_quat_rotate(back, hinge));
        add(&sum->supposed, tr_quat_rotate(back, supposed));
    }
}

static tr_quat relative(const motion_study *study, uint32_t joint, uint32_t before) {
    const tr_quat *turns = study->retarget->from_turns;
    return tr_quat_multiply(tr_quat_conjugate(turns[before]), turns[joint]);
}

static tr_vec3 seen_from(const motion_study *study, uint32_t joint, uint32_t other) {
    return tr_quat_rotate(tr_quat_conjugate(study->retarget->from_turns[joint]),
                          tr_vec3_subtract(at(study, other), at(study, joint)));
}

static void add_hand(motion_study *study, int side) {
    int shift = side ? TO_THE_RIGHT : 0;
    uint32_t wrist = with_role(study, TR_ROLE_LEFT_HAND + shift);
    uint32_t tip = find_tip(study->retarget->from.skeleton, wrist);
    end_sum *sum = &study->hands[side];
    add_turn(&sum->turn, relative(study, wrist, with_role(study, TR_ROLE_LEFT_FOREARM + shift)), 1);
    if (tip != TR_NONE)
        add(&sum->tip, seen_from(study, wrist, tip));
}

static bool stands(const motion_study *study, int side, uint32_t ankle, uint32_t toes) {
    float most = STILL_SPEED * study->leg / study->rate;
    tr_vec3 shank =
        tr_vec3_subtract(place(study, TR_ROLE_LEFT_SHANK + (side ? TO_THE_RIGHT : 0)), at(study, ankle));
    return tr_vec3_distance(study->feet_next[side][0], at(study, ankle)) < most &&
           tr_vec3_distance(study->feet_next[side][1], at(study, toes)) < most &&
           tr_vec3_dot(unit(shank), study->retarget->from.up) > SHANK_UPRIGHT;
}

static void add_foot(motion_study *study, int side) {
    int shift = side ? TO_THE_RIGHT : 0;
    uint32_t ankle = with_role(study, TR_ROLE_LEFT_FOOT + shift), ahead = toes_of(study, side);
    uint32_t toes = with_role(study, TR_ROLE_LEFT_TOES + shift);
    uint32_t tip = find_tip(study->retarget->from.skeleton, ankle);
    foot_sum *sum = &study->feet[side];
    bool standing = stands(study, side, ankle, ahead);
    add_turn(&sum->foot.turn, relative(study, ankle, with_role(study, TR_ROLE_LEFT_SHANK + shift)), 1);
    add(&sum->foot.tip, seen_from(study, ankle, ahead));
    if (standing) {
        tr_quat back = tr_quat_conjugate(study->retarget->from_turns[ankle]);
        add(&sum->up, tr_quat_rotate(back, study->retarget->from.up));
        sum->standing++;
    }
    if (toes == TR_NONE)
        return;
    add_turn(&sum->toes_ever, relative(study, toes, ankle), 1);
    if (standing)
        add_turn(&sum->toes_standing, relative(study, toes, ankle), 1);
    if (tip != TR_NONE)
        add(&sum->tip, seen_from(study, toes, tip));
}

// The bones of the neck, and the head up to its top.
static void add_neck(motion_study *study) {
    const tr_skeleton *skeleton = study->retarget->from.skeleton;
    uint32_t head = with_role(study, TR_ROLE_HEAD), top = tr_retarget_top(skeleton);
    uint32_t next = find_tip(skeleton, head);
    for (uint32_t joint = head; joint != TR_NONE && joint != top;
         joint = tr_skeleton_parents(skeleton)[joint]) {
        if (next != TR_NONE)
            add(&study->bones[joint], seen_from(study, joint, next));
        next = joint;
    }
}

// Second pass. Trunks that are bent do not tell how a back is when it is straight.
static void add_frame(motion_study *study) {
    tr_retarget *retarget = study->retarget;
    const uint32_t *parents = tr_skeleton_parents(retarget->from.skeleton);
    tr_vec3 trunk = trunk_line(study), up = unit(trunk), thighs = line(study, TR_ROLE_LEFT_THIGH);
    tr_vec3 ahead = unit(tr_vec3_cross(thighs, up));
    tr_quat pelvis = tr_quat_conjugate(axes_of(thighs, tr_vec3_cross(ahead, thighs), ahead));
    ahead = unit(tr_vec3_cross(tr_vec3_add(thighs, line(study, TR_ROLE_LEFT_UPPER_ARM)), up));
    tr_quat chest = tr_quat_conjugate(axes_of(tr_vec3_cross(up, ahead), up, ahead));
    float straight = (tr_vec3_length(trunk) / study->trunk - STRAIGHT) / (1 - STRAIGHT);
    float weight = straight > 0 ? straight * straight : 0;
    uint32_t hips = with_role(study, TR_ROLE_HIPS), joint = with_role(study, TR_ROLE_HEAD);
    for (; joint != TR_NONE && joint != hips; joint = parents[joint])
        add_turn(&study->column[joint], tr_quat_multiply(chest, retarget->from_turns[joint]), weight);
    add_turn(&study->column[hips], tr_quat_multiply(pelvis, retarget->from_turns[hips]), weight);
    add_neck(study);
    for (int side = 0; side < 2; side++) {
        int shift = side ? TO_THE_RIGHT : 0;
        uint32_t collar = with_role(study, TR_ROLE_LEFT_SHOULDER + shift);
        if (collar != TR_NONE)
            add_turn(&study->collars[side], tr_quat_multiply(chest, retarget->from_turns[collar]), weight);
        add_limb(study, TR_ROLE_LEFT_UPPER_ARM + shift, ahead);
        add_limb(study, TR_ROLE_LEFT_THIGH + shift, tr_vec3_scale(ahead, -1));
        add_hand(study, side);
        add_foot(study, side);
    }
}

// Where ankles and toes are along the base of the motion in a frame, seen from the base of another.
static void look_at_feet(motion_study *study, const tr_clip *clip, uint32_t frame, uint32_t from) {
    tr_clip_get_frame(clip, frame, &study->pose);
    tr_retarget_look(study->retarget, &study->pose);
    tr_base base = tr_base_difference(tr_clip_frame_base(clip, from), tr_clip_frame_base(clip, frame));
    tr_affine moved = tr_base_place(base, 0);
    for (int side = 0; side < 2; side++) {
        uint32_t ankle = with_role(study, side ? TR_ROLE_RIGHT_FOOT : TR_ROLE_LEFT_FOOT);
        study->feet_next[side][0] = tr_affine_apply(&moved, at(study, ankle));
        study->feet_next[side][1] = tr_affine_apply(&moved, at(study, toes_of(study, side)));
    }
}

static void for_each_sample(motion_study *study, const tr_retarget_params *params,
                            void (*take)(motion_study *study)) {
    uint64_t total = 0, number = 0;
    for (uint32_t i = 0; i < params->motion_count; i++)
        total += tr_clip_frame_count(params->motions[i]);
    uint64_t step = (total + SAMPLES_MAX - 1) / SAMPLES_MAX;
    study->samples = 0;
    for (uint32_t i = 0; i < params->motion_count; i++) {
        const tr_clip *clip = params->motions[i];
        uint32_t count = tr_clip_frame_count(clip);
        study->rate = (float)tr_clip_rate(clip);
        for (uint32_t frame = 0; frame < count; frame++) {
            if (number++ % step != 0)
                continue;
            look_at_feet(study, clip, frame + 1 < count ? frame + 1 : frame > 0 ? frame - 1 : 0, frame);
            tr_clip_get_frame(clip, frame, &study->pose);
            tr_retarget_look(study->retarget, &study->pose);
            take(study);
            study->samples++;
        }
    }
}

static tr_status check_motions(const tr_retarget *retarget, const tr_retarget_params *params,
                               tr_error *error) {
    for (uint32_t i = 0; i < params->motion_count; i++)
        if (tr_clip_joint_count(params->motions[i]) != retarget->from_count)
            return tr_fail(error, TR_INVALID, "motion %u of the source has %u joints, its skeleton %u", i,
                           tr_clip_joint_count(params->motions[i]), retarget->from_count);
    return TR_OK;
}

static float distance(const motion_study *study, int from, int to) {
    return tr_vec3_distance(place(study, from), place(study, to));
}

// Both passes. A trusted rest pose is kept if it has the same axis up: one that lies is a convention, too.
static tr_status learn(motion_study *study, const tr_retarget_params *params, bool trusted, tr_error *error) {
    retarget_body *body = &study->retarget->from;
    for_each_sample(study, params, survey);
    tr_vec3 up = choose_up(study);
    if (trusted && tr_vec3_dot(up, body->up) > UP_CLEAR)
        return TR_OK;
    study->retarget->column = study->column;
    body->up = up;
    study->leg = distance(study, TR_ROLE_LEFT_THIGH, TR_ROLE_LEFT_SHANK) +
                 distance(study, TR_ROLE_LEFT_SHANK, TR_ROLE_LEFT_FOOT);
    for_each_sample(study, params, add_frame);
    return tr_retarget_solve(study, error);
}

tr_status tr_retarget_study(tr_retarget *retarget, const tr_retarget_params *params, bool trusted,
                            tr_error *error) {
    const tr_allocator *allocator = &retarget->allocator;
    uint32_t count = retarget->from_count;
    tr_status status = check_motions(retarget, params, error);
    if (status != TR_OK)
        return status;
    motion_study study = {.retarget = retarget};
    study.column = tr_allocate_zero(allocator, count, sizeof *study.column);
    study.bones = tr_allocate_zero(allocator, count, sizeof *study.bones);
    status = study.column && study.bones ? tr_pose_create(allocator, count, &study.pose, error)
                                         : tr_fail(error, TR_OUT_OF_MEMORY, "no memory for retargeting");
    if (status == TR_OK) {
        status = learn(&study, params, trusted, error);
        tr_pose_destroy(&study.pose);
    }
    if (retarget->column != study.column) // otherwise it belongs to the retarget now
        tr_release(allocator, study.column, count, sizeof *study.column);
    tr_release(allocator, study.bones, count, sizeof *study.bones);
    return status;
}
