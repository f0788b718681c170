// How a person departs from the motion of the clips: its posture and the swing of its arms. Its steps are
// part of the gait (tr_locomotion).
#include "overlay_parts.h"
#include "overlay_pull.h"

#define LEAN_LOW 0.6f   // the share of the lower of two joints of the back
#define HEAD_LOW 0.5f   // the same for neck and head
#define ARMS_HANG 0.8f  // arms hang on a back that leans: the share of its angle that they do not follow
#define ELBOW_FREE 0.5f // elbows that are bent no further cannot pass their limit [rad]
#define CLIP_TURNS 0.2f // how far clips turn a joint of the back or the neck [rad]

// Turns of a joint in the axes of a standing body: forwards and to the left [rad].
typedef struct manner_turn {
    float ahead, left;
} manner_turn;

static bool has(const tr_overlay *overlay, tr_cast_bend bend) {
    return overlay->cast->bends[bend].joint != TR_NONE;
}

// Shares a turn between two joints, of which one may be missing.
static void share_turn(const tr_overlay *overlay, manner_turn turn, tr_cast_bend low, tr_cast_bend high,
                       float low_share, manner_turn turns[TR_CAST_BENDS]) {
    float share = has(overlay, high) ? (has(overlay, low) ? low_share : 0) : 1;
    turns[low].ahead += share * turn.ahead, turns[low].left += share * turn.left;
    turns[high].ahead += (1 - share) * turn.ahead, turns[high].left += (1 - share) * turn.left;
}

static void find_turns(const tr_overlay *overlay, const tr_manner *manner, manner_turn turns[TR_CAST_BENDS]) {
    manner_turn lean = {manner->lean, manner->tilt}, stoop = {manner->stoop, 0};
    manner_turn head = {manner->head_down - manner->lean - manner->stoop, -manner->tilt};
    share_turn(overlay, lean, TR_CAST_SPINE, TR_CAST_CHEST, LEAN_LOW, turns);
    share_turn(overlay, stoop, TR_CAST_CHEST, TR_CAST_UPPER_CHEST, 1 - LEAN_LOW, turns);
    share_turn(overlay, head, TR_CAST_NECK, TR_CAST_HEAD, HEAD_LOW, turns);
    float hang = -ARMS_HANG * (manner->lean + manner->stoop);
    turns[TR_CAST_LEFT_UPPER_ARM] = (manner_turn){hang, -manner->arms_out};
    turns[TR_CAST_RIGHT_UPPER_ARM] = (manner_turn){hang, manner->arms_out};
    turns[TR_CAST_LEFT_FOREARM].ahead = turns[TR_CAST_RIGHT_FOREARM].ahead = -manner->elbows;
}

// The rotation of a joint of a standing body with these turns, before its limits.
static tr_quat turned_by(const tr_cast_joint *bend, float ahead, float left) {
    tr_quat turn =
        tr_quat_multiply(tr_quat_about(bend->ahead, -(double)left), tr_quat_about(bend->left, (double)ahead));
    return tr_quat_normalize(tr_quat_multiply(turn, bend->stands));
}

// May the turn, with those of the clips on top, pass a limit? Upper arms have wide limits; elbows pass theirs
// if they are straightened, or bent much further than a runner's.
static bool may_pass(const tr_skeleton *skeleton, const tr_cast_joint *bend, uint32_t number,
                     manner_turn turn) {
    if (number >= TR_CAST_LEFT_UPPER_ARM)
        return turn.ahead > 0 || turn.ahead < -ELBOW_FREE;
    bool passes = false;
    for (uint32_t i = 0; i < 4; i++) {
        tr_quat most = turned_by(bend, turn.ahead + (i & 1 ? CLIP_TURNS : -CLIP_TURNS),
                                 turn.left + 0.5f * (i & 2 ? CLIP_TURNS : -CLIP_TURNS));
        passes = passes || tr_skeleton_limit_excess(skeleton, bend->joint, most) > 0;
    }
    return passes;
}

void tr_overlay_set_manner(tr_overlay *overlay, const tr_manner *manner) {
    overlay_manner *made = &overlay->manner;
    const tr_cast *cast = overlay->cast;
    manner_turn turns[TR_CAST_BENDS] = {{0}};
    *made = (overlay_manner){0};
    find_turns(overlay, manner, turns);
    for (uint32_t i = 0; i < TR_CAST_BENDS; i++) {
        const tr_cast_joint *bend = &cast->bends[i];
        if (bend->joint == TR_NONE || (turns[i].ahead == 0 && turns[i].left == 0))
            continue;
        // A hinge stays a hinge: the turn is what its limits leave of it.
        tr_quat turned = turned_by(bend, turns[i].ahead, turns[i].left);
        turned = tr_skeleton_limit_clamp(cast->skeleton, bend->joint, turned);
        made->turns[i] = tr_quat_normalize(tr_quat_multiply(turned, tr_quat_conjugate(bend->stands)));
        made->turned |= 1u << i;
        if (may_pass(cast->skeleton, bend, i, turns[i]))
            made->limited |= 1u << i;
    }
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t bend = TR_CAST_LEFT_UPPER_ARM + i;
        float swing = 1 + manner->arm_swing[i / 2];
        // Elbows swing as the clips do, unless the arms are held still: a runner's stay bent.
        made->swing[i] = i % 2 == 0 ? swing : swing < 0.5f ? 2 * swing : 1;
        if (made->swing[i] != 1 && cast->bends[bend].joint != TR_NONE)
            made->swings |= 1u << bend;
    }
}

void tr_overlay_pose_manner(const tr_overlay *overlay, tr_pose *pose) {
    const overlay_manner *manner = &overlay->manner;
    const tr_cast *cast = overlay->cast;
    for (uint32_t i = 0, left = manner->turned | manner->swings; left; i++, left >>= 1) {
        if (!(left & 1))
            continue;
        const tr_cast_joint *bend = &cast->bends[i];
        tr_quat turn = tr_pose_rotation(pose, bend->joint);
        if (manner->swings >> i & 1)
            turn = tr_overlay_mix(bend->stands, turn, manner->swing[i - TR_CAST_LEFT_UPPER_ARM]);
        if (manner->turned >> i & 1)
            turn = tr_quat_multiply(manner->turns[i], turn); // of unit length, as both are
        if (manner->limited >> i & 1)
            turn = tr_skeleton_limit_clamp(cast->skeleton, bend->joint, turn);
        tr_pose_set_rotation(pose, bend->joint, turn);
    }
}

void tr_overlay_apply_manner(tr_overlay *overlay, const overlay_frame *frame) {
    if (!(overlay->manner.turned | overlay->manner.swings))
        return;
    tr_overlay_pose_manner(overlay, frame->body->pose);
    if (frame->body->goes_on)
        tr_overlay_pose_manner(overlay, &frame->body->scratch[0]);
}
