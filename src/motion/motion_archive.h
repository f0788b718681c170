// Poses, manners and timings of arms in a saved stage.
#pragma once
#include "base/archive.h"
#include "troupe/motion/arm_timing.h"
#include "troupe/motion/behavior_motion.h"
#include "troupe/motion/manner.h"
#include "troupe/motion/pose.h"

// Writes or reads the whole pose. A pose that is read must have the joint count of the pose that was written.
void tr_pose_archive(tr_pose *pose, tr_archive *archive);
// Writes or reads the chain of a motion. Reading makes the room for it; the motion must have been created
// from the same clips. If reading fails, the motion has no chain.
void tr_behavior_motion_archive(tr_behavior_motion *motion, tr_archive *archive);

// Writes or reads a timing with its knots. `knots` has room for `knot_max`; a timing that is read uses this
// array.
void tr_arm_timing_archive(tr_arm_timing *arm_timing, tr_posture *knots, uint32_t knot_max,
                           tr_archive *archive);

void tr_manner_archive(tr_manner *manner, tr_archive *archive);
