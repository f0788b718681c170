// troupe/plan/arm.h - a human arm as a planner sees it: seven angles, their limits, where they put the hand,
// and all the ways to hold the hand somewhere.
//
// Shoulder 3, elbow 1, forearm 1, wrist 2; in front of them three angles of the trunk that help when the arm
// alone is short. The inverse is analytic, as in IKAN (Tolani, Goswami & Badler 2000): with the wrist held
// still the elbow swivels on a circle about the line from shoulder to wrist, and every limit is an interval
// of that swivel. Knows nothing of skeletons (motion/arm_rig.h does that) or of obstacles (reach.h).
#pragma once
#include "troupe/base/archive.h"
#include "troupe/base/status.h"
#include "troupe/base/vector.h"

TR_BEGIN_DECLARATIONS

// Angles in anatomical sense, the same for both arms [rad]. All 0: the arm hangs straight. The wrist's two
// are named for a palm that looks back then; where it looks inwards, as arm_rig.h has it, they change roles.
typedef enum tr_arm_angle {
    TR_SHOULDER_FLEXION,   // up ahead
    TR_SHOULDER_ABDUCTION, // up sideways
    TR_SHOULDER_ROTATION,  // of the upper arm about itself, inwards
    TR_ELBOW_FLEXION,
    TR_FOREARM_PRONATION, // of the forearm about itself, inwards
    TR_WRIST_FLEXION,
    TR_WRIST_DEVIATION, // towards the thumb
    TR_WAIST_LEAN,      // forwards
    TR_WAIST_TURN,      // of the trunk, the arm's shoulder ahead
    TR_COLLAR,          // of the shoulder about the root of the collar bone, ahead
    TR_ARM_ANGLES
} tr_arm_angle;
#define TR_ARM_JOINTS 7 // of the arm itself
#define TR_ARM_HELP 3   // of the trunk
#define TR_ARM_LINKS 3  // upper arm, forearm, hand

typedef struct tr_posture {
    float q[TR_ARM_ANGLES]; // [rad]
} tr_posture;

typedef enum tr_arm_side { TR_ARM_RIGHT, TR_ARM_LEFT } tr_arm_side;

// In the trunk's axes (X to the left, Y up, Z ahead), for a right arm; a left one has its turns about Y and Z
// the other way round:
//   R1 = Rx(-flexion) Rz(-abduction) Ry(rotation)      elbow = shoulder + length[0] * R1 * (0, -1, 0)
//   R2 = R1 Rx(-elbow)                                 wrist = elbow + length[1] * R2 * (0, -1, 0)
//   R3 = R2 Ry(pronation) Rx(wrist flexion) Rz(deviation)   tip = wrist + length[2] * R3 * (0, -1, 0)
// The trunk's axes are those of `base`, turned about `waist` by Ry(turn) Rx(lean) (turn the other way round
// for a left arm); the shoulder is turned about `collar` by Ry of its angle (other way round for a left arm),
// which moves it and does not turn the arm.
typedef struct tr_arm {
    tr_arm_side side;
    tr_affine base;                  // of the pelvis in the world: a turn and a move, no scale
    tr_vec3 waist, collar, shoulder; // in the axes of `base` with all help at 0 [m]
    float length[TR_ARM_LINKS];      // upper arm, forearm, wrist to finger tips [m, > 0; the hand >= 0]
    float radius[TR_ARM_LINKS];      // [m, > 0]
    // Limits [rad, -pi to pi, low <= high; the elbow's from 0]; equal where a joint is stiff. Where all those
    // of the help are 0 the trunk stands still, whatever a posture says.
    tr_posture low, high;
} tr_arm;

// Human limits (docs/arm.md has the sources), no help (its limits are 0), human lengths and radii for a
// person of this height [m], standing at the origin.
TR_API tr_arm tr_arm_default(tr_arm_side side, float height);
// Limits of the help on: lean to 0.9, turn 0.7 each way, collar 0.35.
TR_API void tr_arm_allow_help(tr_arm *arm);
// TR_INVALID, with the value: lengths, radii, limits or axes out of range or not finite.
TR_API tr_status tr_arm_check(const tr_arm *arm, tr_error *error);
// Is every angle inside its limits, to within `slack` [rad]?
TR_API bool tr_arm_allows(const tr_arm *arm, const tr_posture *posture, float slack);
TR_API tr_posture tr_arm_clamp(const tr_arm *arm, tr_posture posture);

// Where a posture puts everything, in the world.
typedef struct tr_arm_place {
    tr_vec3 shoulder, elbow, wrist, tip;
    tr_quat upper, forearm, hand; // R1, R2, R3 in the world
    tr_affine trunk; // from the axes of `base` at rest (where body capsules are given) to the world
} tr_arm_place;
TR_API tr_arm_place tr_arm_put(const tr_arm *arm, const tr_posture *posture);
// The four points alone, as fast as can be: what collision checks ask millions of times.
TR_API void tr_arm_points(const tr_arm *arm, const tr_posture *posture,
                          tr_vec3 points[4]); // shoulder, elbow, wrist, tip

// No point of the line of link k, nor the shoulder and any point of the trunk within `trunk_reach` of the
// waist (`bound[3]`), moves further than bound[k] [m] when each angle changes by no more than |change|,
// whatever the posture.
TR_API void tr_arm_bound(const tr_arm *arm, const tr_posture *change, float trunk_reach, float bound[4]);
// The same for all postures within |change| of the one that has these points (tr_arm_points): a bent arm has
// shorter levers than a stretched one, so this is tighter, and it costs little.
TR_API void tr_arm_bound_at(const tr_arm *arm, const tr_vec3 points[4], const tr_posture *change,
                            float trunk_reach, float bound[4]);

// --- All the ways to reach ---

typedef enum tr_arm_goal_kind {
    TR_ARM_GOAL_POSITION,  // of the wrist; the hand turns as it likes
    TR_ARM_GOAL_DIRECTION, // and the hand points along `direction`, to within `tolerance`
    TR_ARM_GOAL_POSE       // and the hand is turned so
} tr_arm_goal_kind;
typedef struct tr_arm_goal {
    tr_arm_goal_kind kind;
    tr_vec3 wrist;     // in the world [m]
    tr_vec3 direction; // from the wrist to the finger tips, in the world, of any length but 0
    float tolerance;   // [rad, 0 to pi]
    tr_quat rotation;  // TR_ARM_GOAL_POSE: R3 in the world
} tr_arm_goal;

typedef enum tr_arm_reason {
    TR_ARM_REACHES,
    TR_ARM_TOO_FAR,     // further than the stretched arm
    TR_ARM_TOO_NEAR,    // nearer than the elbow bends
    TR_ARM_LIMITS,      // the elbow can go nowhere on its circle: shoulder limits
    TR_ARM_HAND_LIMITS, // the hand cannot be turned so from any of them
    TR_ARM_REASON_COUNT
} tr_arm_reason;
TR_API const char *tr_arm_reason_name(tr_arm_reason reason); // a few words; static storage

// Never more: each of six angles cuts the circle into two pieces at most, in four ways to turn.
#define TR_ARM_RANGES_MAX 48
// Swivels at which all limits are kept. `branch` tells which of the two ways to turn the shoulder (bit 0) and
// the wrist (bit 1: TR_ARM_GOAL_POSE) so; they differ by half a turn of two of their angles.
typedef struct tr_arm_range {
    float low, high; // [rad, -pi <= low < pi, low <= high < low + 2 pi]
    uint32_t branch;
} tr_arm_range;

// The wrist at one point, with the help as it was given. Swivel 0: the elbow as low (down the trunk) as its
// circle allows (where the circle is level, as far outwards); growing outwards, up and over for both arms.
// With a straight arm the circle is a point, and the swivel is the turn of the whole arm about its line.
typedef struct tr_arm_family {
    tr_arm_reason reason;
    tr_arm_range ranges[TR_ARM_RANGES_MAX];
    uint32_t range_count;
    // The circle in the world: elbow = centre + radius * (cos(swivel) * low + sin(swivel) * out).
    tr_vec3 centre, low, out;
    float radius; // [m], negative when the distance alone is wrong
    float elbow;  // flexion [rad]
    float help[TR_ARM_HELP];
    float shoulder_rows[3][3][3]; // R1 in the trunk = [0] + cos(swivel) * [1] + sin(swivel) * [2]
    float hand_rows[3][3][3];     // TR_ARM_GOAL_POSE: the hand in the forearm's axes, likewise
} tr_arm_family;

// TR_OK: there are ranges. TR_NOT_FOUND: there are none, `family->reason` says why. TR_INVALID: a goal that
// is not finite. For TR_ARM_GOAL_DIRECTION the ranges are those of the shoulder: whether the hand can follow
// is asked with tr_arm_family_at. Ends of ranges are exact to about 1e-5 rad. No allocation.
TR_API tr_status tr_arm_solve(const tr_arm *arm, const float help[TR_ARM_HELP], const tr_arm_goal *goal,
                              tr_arm_family *family);
// One of the ways. The hand's angles: TR_ARM_GOAL_POSITION takes those of `hand` (pronation, wrist flexion,
// deviation), clamped; TR_ARM_GOAL_DIRECTION points it along goal->direction with a pronation as near to
// hand[0] as the limits of all three allow; TR_ARM_GOAL_POSE as the goal says. false: not within the limits
// (by more than 1e-4 rad; what is less is clamped). Any swivel may be asked for.
TR_API bool tr_arm_family_at(const tr_arm *arm, const tr_arm_family *family, const tr_arm_goal *goal,
                             float swivel, uint32_t branch, const float hand[3], tr_posture *posture);
// The swivel that a posture has.
TR_API float tr_arm_swivel(const tr_arm *arm, const tr_posture *posture);

// How people would hold the arm: the swivel that they show with the wrist there (Soechting & Flanders 1989),
// and what a posture costs [>= 0]: angles far from the middle of comfort, elbows far from that swivel, and
// help that is not needed.
TR_API float tr_arm_natural_swivel(const tr_arm *arm, const tr_arm_family *family);
TR_API float tr_arm_comfort(const tr_arm *arm, const tr_posture *posture);

// Written or read.
TR_API void tr_arm_archive(tr_arm *arm, tr_archive *archive);
TR_API void tr_arm_archive_goal(tr_arm_goal *goal, tr_archive *archive);
TR_API void tr_arm_archive_posture(tr_posture *posture, tr_archive *archive);

TR_END_DECLARATIONS
