// motion/foot/foot.h - heel, ball and tip of a foot, where a body touches the ground; and a pair of legs.
#pragma once
#include "troupe/motion/limb.h"
#include "troupe/motion/pose.h"

// Points of the sole, level with the ground in the rest pose. The ankle moves heel and ball, the toes move
// the tip.
typedef struct tr_foot {
    uint32_t thigh, shank, ankle, toes; // joints; toes: TR_NONE if the skeleton has none
    tr_vec3 heel, ball;                 // in the ankle's axes and units
    tr_vec3 tip;                        // in those of the toes, or of the ankle if there are none
    float unit, tip_unit; // metres per unit of heel and ball, and of the tip: 1 unless the rig is scaled
} tr_foot;

// Measures a foot in the rest pose. The sole is as low as the lowest joint of the leg, ends included. The
// ball lies under the toes joint, the tip under the end of the toes, and the heel behind the ankle by 0.4 of
// the distance from there to the ball. Where the skeleton knows the soles of a mesh, level, heel and tip are
// those of the mesh. `side` 0 is left, 1 right. TR_NOT_FOUND: the skeleton has no foot with
// a role on that side.
tr_status tr_foot_measure(const tr_skeleton *skeleton, uint32_t side, tr_foot *foot);

// The points that carry a body in the clips of artists, who pose joints and let the front of a stiff shoe dip
// into the ground: without what the mesh has ahead of the joint of the toes, or of the ball.
tr_status tr_foot_measure_rolling(const tr_skeleton *skeleton, uint32_t side, tr_foot *foot);

tr_vec3 tr_foot_heel(const tr_foot *foot, const tr_affine *model);
tr_vec3 tr_foot_ball(const tr_foot *foot, const tr_affine *model);
tr_vec3 tr_foot_tip(const tr_foot *foot, const tr_affine *model);

// From the ankle to the heel, and to the point over which the foot rolls: the ball, or the tip of a foot in
// one piece. In the ankle's axes, without their scale [m].
static inline tr_vec3 tr_foot_heel_arm(const tr_foot *foot) {
    return tr_vec3_scale(foot->heel, foot->unit);
}
static inline tr_vec3 tr_foot_toes_arm(const tr_foot *foot) {
    return tr_vec3_scale(foot->toes == TR_NONE ? foot->tip : foot->ball, foot->unit);
}

// Measurements of a skeleton's legs, shared by all characters with that skeleton.
typedef struct tr_legs {
    tr_foot feet[2]; // left, right
    tr_limb limbs[2];
    tr_quat sole[2];    // rotation of the ankle when the foot stands flat, as in the rest pose
    tr_vec3 ahead[2];   // from heel to toes then, in the axes of the body
    float tip[2];       // distance from heel to tip, as a multiple of that from heel to toes
    float width[2];     // half the width of a foot, derived from its length [m]
    uint32_t hips;      // the joint that is lowered so that feet reach the ground: both legs descend from it
    bool hips_move_all; // every joint numbered from hips to the end of its subtree descends from it
} tr_legs;
// Measures both legs. TR_NOT_FOUND: the skeleton lacks a leg with roles. TR_INVALID: thigh, shank and foot do
// not descend from each other, a bone has no length, or the legs have no common ancestor.
tr_status tr_legs_measure(const tr_skeleton *skeleton, tr_legs *legs, tr_error *error);

// A body at a moment: its pose, and where its base point is in the world.
typedef struct tr_legs_moment {
    const tr_pose *pose;
    tr_affine place;
} tr_legs_moment;
// The body between two moments, `t` of the way from `a` to `b` [0, 1]. Joints are mixed by angle, and both
// legs then reach for their feet: a foot turns about the point of its sole that moves least, and that point
// goes straight. A heel or a ball that stands at both moments therefore stands between them, to within
// 0.01 mm while the leg reaches it. Sets `pose`, which must be neither of the two, and
// `model`, of every joint in the world. No allocation, any thread, the same bits everywhere.
void tr_legs_between(const tr_legs *legs, const tr_skeleton *skeleton, const tr_legs_moment *a,
                     const tr_legs_moment *b, float t, tr_pose *pose, tr_affine *model);
// The same on a row of four moments at even distances, `t` of the way from the second to the third [0, 1].
// The poses have their roots in the world. The body goes along a quadratic B-spline: its velocity has no
// jumps, and it accelerates no harder than the moments themselves show, as differences of the second order.
// At a moment it is therefore off by an eighth of that difference (walking hips by less than 1 mm). At an end
// of the motion the outer moment is the same pose as its neighbour. `spare` is working memory.
void tr_legs_along(const tr_legs *legs, const tr_skeleton *skeleton, const tr_pose *const row[4], float t,
                   tr_pose *pose, tr_pose *spare, tr_affine *model);
