// troupe/motion/limb.h - two bones and a hinge (a leg, an arm) reach a point: analytic inverse kinematics.
#pragma once
#include "troupe/motion/pose.h"

TR_BEGIN_DECLARATIONS

// Three joints, each hanging on the one before (others may lie between and stay stiff): hip, knee, ankle.
typedef struct tr_limb {
    uint32_t upper, lower, end;
    tr_vec3 hinge; // axis of the knee in the axes of the lower joint, unit length; turning the lower joint
                   // about it by a positive angle bends the limb
    float upper_length, lower_length; // in the rest pose [m]
    float reach_min, reach_max; // of the distance from upper to end, at the lengths above [m]: the hinge is
                                // never bent further than its limit, nor stretched past 99.9 % of straight
} tr_limb;

// From the rest pose and the limits of the joints. Where the rest pose is straight, the hinge axis is that of
// the limit of the lower joint, or across the body so that knees bend backwards and elbows forwards.
// TR_INVALID: the joints do not hang on each other, or a bone has no length.
TR_API tr_status tr_limb_measure(const tr_skeleton *skeleton, uint32_t upper, uint32_t lower, uint32_t end,
                                 tr_limb *limb, tr_error *error);

typedef struct tr_limb_goal {
    tr_vec3 position;        // of the end joint, in the axes that `model` is in [m]
    const tr_quat *rotation; // of the end joint in those axes; NULL: keeps its local rotation
    float weight;            // [0, 1]: 0 leaves the pose as it is, 0.5 takes the end half the way
    float swivel;            // the knee turned about the line from hip to ankle from where it is [rad]
} tr_limb_goal;

// Turn the joints so that the end comes to the goal, as near as the bones allow; the plane of the limb is
// kept from the pose (then turned by `swivel`), so that the knee goes on pointing where it pointed; a limb
// that is straight or bent backwards in the pose bends about its hinge. `model` is up to date before and
// after; pose and model change from the upper joint down. Returns how far the end stays from the goal [m], 0
// when it is reached; INFINITY, and nothing was changed, for a goal that is not finite and for bones without
// length. No allocation, any thread, the same bits everywhere.
TR_API float tr_limb_reach(const tr_limb *limb, const tr_skeleton *skeleton, const tr_limb_goal *goal,
                           tr_pose *pose, const tr_affine *place, tr_affine *model);

TR_END_DECLARATIONS
