// Captured skeletons are often calibrated slightly wrong: by its joints, a foot that stands on level ground
// is not level. The tilt is measured in the frames in which a foot stands, and removed.
#include "retarget_data.h"

#include <math.h>

#define STILL_SPEED 0.2f  // leg lengths per second: slower ankles and toes stand
#define LEVEL_RANGE 0.06f // leg lengths: feet that stand higher than this above the lowest are on something
#define LEVEL_SHARE 0.7f  // of the frames must stand on the lowest level, otherwise the ground is not level
#define FRAMES_MIN 8
#define TILT_MAX 0.26 // [rad]: a larger tilt is intended

// One foot in one frame of the source, as the target's bones see it.
typedef struct foot_frame {
    tr_vec3 ankle, toes;
    tr_vec3 up[2]; // world up, in the common axes of foot and toes
} foot_frame;

static foot_frame look(tr_retarget *retarget, int side, const tr_pose *pose) {
    int shift = side ? TR_ROLE_RIGHT_SHOULDER - TR_ROLE_LEFT_SHOULDER : 0;
    const tr_skeleton *skeleton = retarget->from.skeleton;
    tr_retarget_look(retarget, pose);
    foot_frame frame;
    for (int i = 0; i < 2; i++) {
        tr_role role = (tr_role)(TR_ROLE_LEFT_FOOT + i + shift);
        uint32_t joint = tr_skeleton_with_role(skeleton, role);
        if (joint == TR_NONE)
            joint = tr_skeleton_with_role(skeleton, (tr_role)(TR_ROLE_LEFT_FOOT + shift));
        tr_quat turn = tr_quat_multiply(retarget->from_turns[joint],
                                        tr_quat_multiply(tr_quat_conjugate(retarget->from.rest_turn[role]),
                                                         tr_quat_conjugate(retarget->from.to_common[role])));
        frame.up[i] = tr_quat_rotate(tr_quat_conjugate(turn), retarget->from.up);
        tr_vec3 place = tr_affine_position(&retarget->from_model[joint]);
        *(i ? &frame.toes : &frame.ankle) = place;
    }
    return frame;
}

static bool stands(const foot_frame *before, const foot_frame *now, float most) {
    return tr_vec3_length(tr_vec3_subtract(now->ankle, before->ankle)) < most &&
           tr_vec3_length(tr_vec3_subtract(now->toes, before->toes)) < most;
}

// The sum over the frames in which the foot stands no higher than `ceiling`.
typedef struct foot_sum {
    uint32_t standing, low;
    float lowest;
    tr_vec3 up[2];
} foot_sum;

static foot_sum add_up(tr_retarget *retarget, int side, const tr_clip *clip, float ceiling, tr_pose *pose) {
    foot_sum sum = {.lowest = INFINITY};
    float most = STILL_SPEED * retarget->from.leg / (float)tr_clip_rate(clip);
    foot_frame before = {0};
    for (uint32_t i = 0; i < tr_clip_frame_count(clip); i++) {
        tr_clip_get_frame(clip, i, pose);
        foot_frame now = look(retarget, side, pose);
        float height = tr_vec3_dot(now.toes, retarget->from.up);
        bool still = i > 0 && stands(&before, &now, most);
        before = now;
        if (!still)
            continue;
        sum.standing++;
        sum.lowest = height < sum.lowest ? height : sum.lowest;
        if (height > ceiling)
            continue;
        sum.low++;
        for (int k = 0; k < 2; k++)
            sum.up[k] = tr_vec3_add(sum.up[k], now.up[k]);
    }
    return sum;
}

// The rotation that levels the bone; the identity when it is level, or tilted on purpose.
static tr_quat tilt_of(tr_vec3 up) {
    tr_quat tilt = tr_quat_between(tr_vec3_make(0, 1, 0), up);
    return (double)tr_vec3_length(tr_quat_to_vector(tilt)) <= TILT_MAX ? tilt : tr_quat_identity();
}

static void level_foot(tr_retarget *retarget, int side, const foot_sum *sum) {
    int shift = side ? TR_ROLE_RIGHT_SHOULDER - TR_ROLE_LEFT_SHOULDER : 0;
    for (int i = 0; i < 2; i++) {
        uint32_t joint =
            tr_skeleton_with_role(retarget->to.skeleton, (tr_role)(TR_ROLE_LEFT_FOOT + i + shift));
        tr_quat tilt = tilt_of(sum->up[i]);
        if (joint != TR_NONE && retarget->bones[joint].first != TR_NONE) {
            retarget_bone *bone = &retarget->bones[joint];
            bone->first_before = bone->second_before =
                tr_quat_normalize(tr_quat_multiply(bone->first_before, tilt));
        }
        if (i == 0) {
            tr_vec3 ball = tr_quat_rotate(tr_quat_conjugate(tilt), retarget->from.ball[side]);
            retarget->from.leg += (retarget->from.ball[side].y - ball.y) / 2;
            retarget->from.ball[side] = ball;
            retarget->from.heel[side] = tr_vec3_make(-retarget->from.behind[side] * ball.x, ball.y,
                                                     -retarget->from.behind[side] * ball.z);
        }
    }
}

tr_status tr_retarget_level(tr_retarget *retarget, const tr_clip *clip, tr_error *error) {
    tr_pose pose;
    tr_status status = tr_pose_create(&retarget->allocator, retarget->from_count, &pose, error);
    for (int side = 0; side < 2 && status == TR_OK; side++) {
        float leg = retarget->from.leg;
        foot_sum all = add_up(retarget, side, clip, INFINITY, &pose);
        if (all.standing < FRAMES_MIN)
            continue;
        foot_sum low = add_up(retarget, side, clip, all.lowest + LEVEL_RANGE * leg, &pose);
        if ((float)low.low >= LEVEL_SHARE * (float)low.standing)
            level_foot(retarget, side, &low);
    }
    tr_pose_destroy(&pose);
    // Higher ankles make longer legs.
    float upward = retarget->to.leg / retarget->from.leg;
    if (retarget->across == retarget->upward)
        retarget->across = upward;
    retarget->upward = upward;
    return status;
}
