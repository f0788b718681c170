// troupe/plan/arm_path.h - a smooth path of an arm through postures: a cubic B-spline in joint space.
//
// The path begins at the first knot, ends at the last and is bent towards those between; it has steady
// curvature (C2) and never leaves the hull of three or four knots in a row, so that limits kept by the knots
// are kept everywhere. Two knots are a straight line.
#pragma once
#include "troupe/plan/arm.h"

TR_BEGIN_DECLARATIONS

typedef struct tr_arm_path {
    const tr_posture *knots; // the owner's
    uint32_t count;          // [1, ...]; one knot: stays there
} tr_arm_path;

// At `u` [0, count - 1; clamped]. `velocity` (may be NULL): change for a change of u by 1.
TR_API tr_posture tr_arm_path_at(const tr_arm_path *arm_path, double u, tr_posture *velocity);
// By how much each angle can differ from that at the middle of [begin, end] anywhere in that stretch.
TR_API tr_posture tr_arm_path_extent(const tr_arm_path *arm_path, double begin, double end);
// Joint space, summed as straight pieces between `samples` + 1 points: the root of the sum of squares of the
// angles of the arm and its help [rad], and how far the wrist goes [m].
TR_API double tr_arm_path_length(const tr_arm_path *arm_path, uint32_t samples);
TR_API double tr_arm_path_wrist_length(const tr_arm_path *arm_path, const tr_arm *arm, uint32_t samples);

TR_END_DECLARATIONS
