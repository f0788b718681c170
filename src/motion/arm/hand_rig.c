#include "troupe/motion/hand_rig.h"
#include "arm_rig_parts.h"
#include "troupe/world/distance.h"

#define CHAIN_MAX 6         // joints of a finger below the wrist, those inside the palm and the tip included
#define HAND_LENGTH 0.1037f // of the model hand at a height of 1, from the wrist to the finger tips
#define LAST_BONE 0.85f     // of the one before, where no joint marks the tip
#define TILT 0.01f          // tolerance at the limit of a joint [rad]
#define HALVINGS 20

static const char *const words[TR_FINGERS][3] = {
    {"thumb", NULL}, {"index", NULL}, {"middle", NULL}, {"ring", NULL}, {"little", "pinky", NULL}};

static bool is_of_finger(const char *name, uint32_t finger) {
    for (int k = 0; k < 3 && words[finger][k]; k++)
        if (tr_arm_rig_says(name, words[finger][k]))
            return true;
    return false;
}

// The joints of one finger from the palm outwards. Returns their number.
static uint32_t find_chain(const tr_skeleton *skeleton, uint32_t hand, uint32_t finger,
                           uint32_t chain[CHAIN_MAX]) {
    uint32_t count = 0, above = hand;
    for (uint32_t i = hand + 1; i < tr_skeleton_subtree_end(skeleton, hand) && count < CHAIN_MAX; i++) {
        if (!is_of_finger(tr_skeleton_joint(skeleton, i).name, finger) ||
            !tr_skeleton_hangs_on(skeleton, i, above))
            continue;
        chain[count++] = above = i;
    }
    return count;
}

static tr_vec3 rest_place(const tr_skeleton *skeleton, uint32_t joint) {
    return tr_affine_position(&tr_skeleton_rest_model(skeleton)[joint]);
}

// The axes of the hand (R3) in the rest pose.
static tr_affine hand_axes(const tr_skeleton *skeleton, const tr_arm_rig *arm) {
    tr_quat turn = tr_arm_rig_product(tr_affine_rotation(&tr_skeleton_rest_model(skeleton)[arm->hand]),
                                      arm->hand_offset);
    tr_transform axes = {rest_place(skeleton, arm->hand), turn, {1, 1, 1}};
    return tr_affine_from_transform(axes);
}

// Bones, their places and hinges. The tip is the last joint of four, or lies beyond the last bone.
static void take_chain(const tr_skeleton *skeleton, const tr_affine *axes, uint32_t finger, uint32_t *chain,
                       uint32_t count, tr_hand_rig *rig) {
    bool marked =
        count > TR_FINGER_BONES || (count > 0 && tr_skeleton_joint(skeleton, chain[count - 1]).is_end);
    uint32_t bones = marked ? count - 1 : count,
             skipped = bones > TR_FINGER_BONES ? bones - TR_FINGER_BONES : 0;
    tr_finger *made = &rig->hand.fingers[finger];
    tr_vec3 model = tr_vec3_subtract(made->joints[TR_FINGER_BONES], made->joints[0]);
    bones -= skipped;
    for (uint32_t b = 0; b < bones + (marked ? 1 : 0); b++)
        made->joints[b] = tr_arm_rig_into(axes, rest_place(skeleton, chain[skipped + b]));
    if (!marked && bones > 0) {
        tr_vec3 last = tr_vec3_scale(model, 0.4f);
        if (bones > 1)
            last =
                tr_vec3_scale(tr_vec3_subtract(made->joints[bones - 1], made->joints[bones - 2]), LAST_BONE);
        made->joints[bones] = tr_vec3_add(made->joints[bones - 1], last);
    }
    made->bones = bones;
    tr_quat back = tr_quat_conjugate(tr_affine_rotation(axes));
    for (uint32_t b = 0; b < TR_FINGER_BONES; b++) {
        rig->bones[finger][b] = b < bones ? chain[skipped + b] : TR_NONE;
        uint32_t parent = b < bones ? tr_skeleton_parents(skeleton)[chain[skipped + b]] : TR_NONE;
        rig->parents[finger][b] =
            parent == TR_NONE
                ? tr_quat_identity()
                : tr_arm_rig_product(back, tr_affine_rotation(&tr_skeleton_rest_model(skeleton)[parent]));
    }
}

// A finger bends towards the palm; the ball of the thumb faces between the palm and the other fingers.
static void find_hinge(tr_hand_shape *hand, uint32_t number) {
    tr_finger *finger = &hand->fingers[number];
    tr_vec3 palm = {hand->side == TR_ARM_LEFT ? -1.0f : 1.0f, 0, number == TR_THUMB ? -1.0f : 0};
    tr_vec3 along = tr_vec3_subtract(finger->joints[finger->bones], finger->joints[number == TR_THUMB]);
    if (number != TR_THUMB)
        along.x = 0; // bent at rest
    tr_vec3 hinge = tr_arm_rig_unit(tr_vec3_cross(along, palm));
    if (tr_vec3_length(hinge) > 0.5f)
        finger->hinge = hinge;
}

// Where most of a vertex moves with one joint, that joint; otherwise TR_NONE.
static uint32_t owner_of(const tr_body_def *view, uint32_t vertex) {
    for (int k = 0; k < TR_BODY_INFLUENCES; k++)
        if (view->weights[vertex][k] > 0.5f)
            return view->joints[vertex][k];
    return TR_NONE;
}

// The mean distance of the skin from a bone.
static void find_radius(const tr_body_def *view, const tr_affine *axes, uint32_t joint, uint32_t bone,
                        tr_finger *finger) {
    double sum = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < view->vertex_count; i++) {
        if (owner_of(view, i) != joint)
            continue;
        tr_vec3 place = tr_arm_rig_into(axes, view->positions[i]);
        sum += sqrt(
            (double)tr_distance_point_segment(place, finger->joints[bone], finger->joints[bone + 1], NULL));
        count++;
    }
    if (count > 0 && sum > 0)
        finger->radius[bone] = (float)(sum / count);
}

static bool is_allowed(const tr_skeleton *skeleton, uint32_t joint, tr_quat above, tr_vec3 turn) {
    tr_quat rest = tr_skeleton_joint(skeleton, joint).rest.rotation, now = tr_quat_from_vector(turn);
    tr_quat local = tr_quat_multiply(tr_quat_conjugate(above), tr_quat_multiply(now, above));
    return tr_skeleton_limit_excess(skeleton, joint, tr_arm_rig_product(local, rest)) <= TILT;
}

// How far a joint may turn about an axis, up to `most`, which may be negative [rad].
static float allowed(const tr_skeleton *skeleton, uint32_t joint, tr_quat above, tr_vec3 axis, float most) {
    if (is_allowed(skeleton, joint, above, tr_vec3_scale(axis, most)))
        return most;
    float free = 0, beyond = most;
    for (int k = 0; k < HALVINGS; k++) {
        float middle = 0.5f * (free + beyond);
        if (is_allowed(skeleton, joint, above, tr_vec3_scale(axis, middle)))
            free = middle;
        else
            beyond = middle;
    }
    return free;
}

static void narrow_limits(const tr_skeleton *skeleton, tr_hand_rig *rig) {
    tr_hand_shape *hand = &rig->hand;
    for (uint32_t f = 0; f < TR_FINGERS; f++)
        for (uint32_t b = 0; b < hand->fingers[f].bones; b++) {
            tr_finger *finger = &hand->fingers[f];
            uint32_t joint = rig->bones[f][b];
            finger->low[b] = allowed(skeleton, joint, rig->parents[f][b], finger->hinge, finger->low[b]);
            finger->high[b] = allowed(skeleton, joint, rig->parents[f][b], finger->hinge, finger->high[b]);
        }
}

static bool has_fingers(const tr_skeleton *skeleton, const tr_hand_shape *hand, tr_error *error,
                        tr_status *status) {
    for (uint32_t f = TR_THUMB; f <= TR_INDEX; f++)
        if (hand->fingers[f].bones == 0) {
            *status = tr_fail(error, TR_NOT_FOUND, "skeleton \"%s\" has no joints of the %s %s",
                              tr_skeleton_name(skeleton), hand->side == TR_ARM_LEFT ? "left" : "right",
                              f == TR_THUMB ? "thumb" : "index finger");
            return false;
        }
    return true;
}

tr_status tr_hand_rig_measure(const tr_skeleton *skeleton, const tr_body *body, const tr_arm_rig *arm,
                              tr_hand_rig *rig, tr_error *error) {
    *rig = (tr_hand_rig){.joint = arm->hand,
                         .hand = tr_hand_default(arm->side, arm->arm.length[2] / HAND_LENGTH)};
    tr_affine axes = hand_axes(skeleton, arm);
    for (uint32_t f = 0; f < TR_FINGERS; f++) {
        uint32_t chain[CHAIN_MAX], count = find_chain(skeleton, arm->hand, f, chain);
        take_chain(skeleton, &axes, f, chain, count, rig);
        if (rig->hand.fingers[f].bones > 0)
            find_hinge(&rig->hand, f);
        for (uint32_t b = 0; body && b < rig->hand.fingers[f].bones; b++)
            find_radius(tr_body_view(body), &axes, rig->bones[f][b], b, &rig->hand.fingers[f]);
    }
    narrow_limits(skeleton, rig);
    tr_status status = TR_OK;
    return has_fingers(skeleton, &rig->hand, error, &status) ? tr_hand_check(&rig->hand, error) : status;
}

void tr_hand_rig_write(const tr_hand_rig *rig, const tr_skeleton *skeleton, const tr_hand_posture *posture,
                       float weight, tr_pose *pose) {
    for (uint32_t f = 0; f < TR_FINGERS; f++) {
        tr_finger_place place = tr_hand_put(&rig->hand, posture, f);
        tr_quat before = tr_quat_identity();
        for (uint32_t b = 0; b < rig->hand.fingers[f].bones; b++) {
            uint32_t joint = rig->bones[f][b];
            tr_quat above = rig->parents[f][b];
            // The turn of this bone alone, in the axes of the joint above it.
            tr_quat turn = tr_quat_multiply(tr_quat_conjugate(before), place.turns[b]);
            tr_quat local = tr_quat_multiply(tr_quat_conjugate(above), tr_quat_multiply(turn, above));
            local = tr_arm_rig_product(local, tr_skeleton_joint(skeleton, joint).rest.rotation);
            if (weight < 1)
                local = tr_quat_blend(tr_pose_rotation(pose, joint), local, weight);
            if (weight > 0)
                tr_pose_set_rotation(pose, joint, local);
            before = place.turns[b];
        }
    }
}
