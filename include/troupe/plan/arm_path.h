// troupe/plan/arm_path.h - a smooth path of an arm through postures: a cubic B-spline in joint space.
//
// The path begins at the first knot, ends at the last and bends towards the knots between. Its curvature is
// continuous (C2). It never leaves the convex hull of three or four successive knots, so limits that the
// knots keep are kept everywhere. Two knots make a straight line.
#pragma once
#include "troupe/plan/arm.h"

TR_BEGIN_DECLARATIONS

typedef struct tr_arm_path {
    const tr_posture *knots; // owned by the caller
    uint32_t count;          // [1, ...]; with one knot the arm stays there
} tr_arm_path;

// Returns the posture at `u` [0, count - 1; clamped]. `velocity` (may be NULL) receives the derivative with
// respect to u.
TR_API tr_posture tr_arm_path_at(const tr_arm_path *arm_path, double u, tr_posture *velocity);
// Return the length of the path, summed over straight pieces between `samples` + 1 points. tr_arm_path_length
// measures in joint space: the root of the sum of squares of the angles of the arm and its help [rad].
// tr_arm_path_wrist_length measures the distance that the wrist moves [m].
TR_API double tr_arm_path_length(const tr_arm_path *arm_path, uint32_t samples);
TR_API double tr_arm_path_wrist_length(const tr_arm_path *arm_path, const tr_arm *arm, uint32_t samples);

TR_END_DECLARATIONS
