// motion/upper/upper.h - the upper body of a skeleton as plan/comply sees it: two angles of the waist and
// four of each arm, with capsules.
//
// Works with any humanoid that has hips, a spine, two arms and two legs with roles. A pose is read as angles,
// and a change of these angles is applied to a pose. Whatever the skeleton bends in between (several joints
// of a spine, collar bones, wrists) stays as the pose has it. The capsules are fitted to the poses of a
// window, so that they cover the body although it has more joints than the angles say.
#pragma once
#include "motion/cast/cast.h"
#include "troupe/motion/arm_rig.h"
#include "troupe/plan/comply.h"

#define TR_UPPER_TRUNK_MAX 8 // capsules of trunk, neck and head

// Measured once for a cast; read-only.
typedef struct tr_upper {
    uint32_t hips, spine; // the joint that both legs hang on; the lowest joint of the spine
    tr_arm_rig arms[2];   // by tr_arm_side
    uint32_t trunk[TR_UPPER_TRUNK_MAX], trunk_count; // capsules of the body that move with the spine
    tr_comply_body body;                             // the limits; sizes as in the standing pose
} tr_upper;
// TR_NOT_FOUND: the skeleton lacks the spine or an arm; the error names a role.
tr_status tr_upper_measure(const tr_cast *cast, tr_upper *upper, tr_error *error);

// A pose as read: angles, and where the capsules are. The pelvis of plan/comply is the middle between the
// thighs, about which the trunk leans and turns.
typedef struct tr_upper_frame {
    tr_comply_place place;
    tr_comply_pose pose; // within the limits
    // In the axes of the trunk, from `place`: the ends of the capsules of the trunk; shoulder, elbow, wrist
    // and finger tips of the arms.
    tr_vec3 trunk[TR_UPPER_TRUNK_MAX][2], arms[2][4];
    tr_vec3 hips[2]; // the thighs, in the axes of the pelvis
} tr_upper_frame;
// `model` of every joint in the world; `heading` of the root [rad].
void tr_upper_read(const tr_upper *upper, const tr_cast *cast, const tr_affine *model, float heading,
                   tr_upper_frame *frame);
// Sizes the body so that its capsules cover those of the character in all these frames, for any angles of
// waist and arms that depart from theirs, grown by `more` [m]; less than 0: they cover less, but not less
// than in the middle of the frames. Parts of the own body that arms must not touch are no larger than what
// the arms keep from them in these frames.
void tr_upper_fit(const tr_upper *upper, const tr_cast *cast, const tr_upper_frame *frames, uint32_t count,
                  float more, tr_comply_body *body);

// Turns waist and arms of a pose, whose angles are `from`, to the angles `to`. Ankles stay where they are:
// hips that turn bend the legs. Equal angles change no bit. `model` is up to date before and after. No
// allocation.
void tr_upper_write(const tr_upper *upper, const tr_cast *cast, const tr_upper_frame *from,
                    const tr_comply_pose *to, tr_pose *pose, const tr_affine *place, tr_affine *model);
