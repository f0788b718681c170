// troupe/motion/limb.h - two bones and a hinge (a leg, an arm) reach a point: analytic inverse kinematics.
#pragma once
#include "troupe/motion/pose.h"

TR_BEGIN_DECLARATIONS

// Three joints, each a descendant of the one before (joints in between stay stiff): hip, knee, ankle.
typedef struct tr_limb {
    uint32_t upper, lower, end;
    tr_vec3 hinge; // axis of the knee in the axes of the lower joint, unit length; turning the lower joint
                   // about it by a positive angle bends the limb
    float upper_length, lower_length; // in the rest pose [m]
    float reach_min, reach_max; // range of the distance from upper to end, at the lengths above [m]: the
                                // hinge is never bent past its limit, nor stretched past 99.9 % of straight
} tr_limb;

// Measures a limb from the rest pose and the limits of its joints. If the rest pose is straight, the hinge
// axis is that of the limit of the lower joint, or lies across the body so that knees bend backwards and
// elbows forwards. TR_INVALID: the joints do not descend from each other, or a bone has no length.
TR_API tr_status tr_limb_measure(const tr_skeleton *skeleton, uint32_t upper, uint32_t lower, uint32_t end,
                                 tr_limb *limb, tr_error *error);

typedef struct tr_limb_goal {
    tr_vec3 position;        // of the end joint, in the axes that `model` is in [m]
    const tr_quat *rotation; // of the end joint in those axes; NULL: keeps its local rotation
    float weight;            // [0, 1]: 0 leaves the pose unchanged, 0.5 moves the end half the way
    float swivel;            // turns the knee about the line from hip to ankle, from where it is [rad]
} tr_limb_goal;

// Turns the joints so that the end reaches the goal, or gets as near as the bones allow. The plane of the
// limb is kept from the pose (then turned by `swivel`), so that the knee keeps its direction. A limb that is
// straight or bent backwards in the pose bends about its hinge. `model` must be up to date before the call
// and is up to date afterwards; pose and model change from the upper joint down. Returns the distance that
// remains to the goal [m], 0 if it is reached. Returns INFINITY, and changes nothing, if the goal is not
// finite or a bone has no length. No allocation, any thread, the same bits everywhere.
TR_API float tr_limb_reach(const tr_limb *limb, const tr_skeleton *skeleton, const tr_limb_goal *goal,
                           tr_pose *pose, const tr_affine *place, tr_affine *model);

TR_END_DECLARATIONS
