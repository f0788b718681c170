// motion/retarget_motion.h - what is summed up over the frames of the source's motions.
#pragma once
#include "retarget_data.h"

// Sums over the frames, in the axes of a joint.
typedef struct limb_sum {
    tr_vec3 bone;     // the way to the next joint
    tr_vec3 hinge;    // the axis about which the knee or the elbow is bent, times the sine of the angle
    tr_vec3 supposed; // that axis if an elbow is bent to the front of the trunk, a knee to its back
} limb_sum;

// The rotation of a joint relative to that of the joint before it in the limb.
typedef struct end_sum {
    tr_quat turn;
    tr_vec3 tip; // the way to the tip (foot: to the toes), in the axes of the joint
} end_sum;

typedef struct foot_sum {
    uint32_t standing;
    tr_vec3 up; // of the world while the foot stands, in the axes of the foot
    end_sum foot;
    tr_quat toes_standing, toes_ever; // relative to the foot
    tr_vec3 tip;                      // from the toes, in their axes
} foot_sum;

typedef struct motion_study {
    tr_retarget *retarget;
    tr_pose pose;
    tr_quat *column; // one for each joint; those from the hips to the head: relative to the trunk
    tr_vec3 *bones;  // one for each joint; from the neck to the head: the way to the next joint, in its axes
    uint32_t samples;
    tr_vec3 feet_next[2][2]; // ankle and toes in the next frame
    float rate;              // of the motion at hand [1/s]
    float trunk, leg;        // greatest length of the trunk; length of a leg to the ankle [m]
    float sides;             // sum of the cosines between the line of the thighs and that of the shoulders
    tr_vec3 rise;            // sum of the directions from the feet to the head
    double edge[6], edge_squared[6]; // of the body along -X, -Y, -Z, X, Y, Z of the world, from the first
    float edge_first[6];
    tr_quat collars[2]; // relative to the trunk
    limb_sum limbs[TR_ROLE_COUNT];
    end_sum hands[2];
    foot_sum feet[2];
} motion_study;

// Turns the sums into the common pose of the source.
tr_status tr_retarget_solve(motion_study *study, tr_error *error);
