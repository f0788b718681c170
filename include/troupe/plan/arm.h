// troupe/plan/arm.h - the model of a human arm for planners: seven angles, their limits, the position of the
// hand that they give, and all the ways to hold the hand at a place.
//
// The shoulder has 3 angles, the elbow 1, the forearm 1 and the wrist 2. Three angles of the trunk (the help)
// come before them in the chain and help when the arm alone is too short. Inverse kinematics are analytic, as
// in IKAN (Tolani, Goswami & Badler 2000): with the wrist fixed, the elbow swivels on a circle about the line
// from shoulder to wrist, and every limit is an interval of that swivel. The module does not depend on
// skeletons (see motion/arm_rig.h) or on obstacles (see reach.h).
#pragma once
#include "troupe/base/allocator.h"
#include "troupe/base/status.h"
#include "troupe/base/vector.h"
#include "troupe/base/status.h"
#include "troupe/base/vector.h"

TR_BEGIN_DECLARATIONS

// Angles in the anatomical sense, the same for both arms [rad]. With all angles at 0 the arm hangs straight.
// The two wrist angles are named for a palm that then faces backwards. Where the palm faces inwards, as in
// arm_rig.h, the two exchange roles.
typedef enum tr_arm_angle {
    TR_SHOULDER_FLEXION,   // raises the arm forwards
    TR_SHOULDER_ABDUCTION, // raises the arm sideways
    TR_SHOULDER_ROTATION,  // of the upper arm about its own axis, inwards
    TR_ELBOW_FLEXION,
    TR_FOREARM_PRONATION, // of the forearm about its own axis, inwards
    TR_WRIST_FLEXION,
    TR_WRIST_DEVIATION, // towards the thumb
    TR_WAIST_LEAN,      // forwards
    TR_WAIST_TURN,      // of the trunk, the arm's shoulder forwards
    TR_COLLAR,          // of the shoulder about the root of the collar bone, forwards
    TR_ARM_ANGLES
} tr_arm_angle;
#define TR_ARM_JOINTS 7 // angles of the arm itself
#define TR_ARM_HELP 3   // angles of the trunk
#define TR_ARM_LINKS 3  // upper arm, forearm, hand

typedef struct tr_posture {
    float q[TR_ARM_ANGLES]; // [rad]
} tr_posture;

typedef enum tr_arm_side { TR_ARM_RIGHT, TR_ARM_LEFT } tr_arm_side;

// Forward kinematics in the trunk's axes (X to the left, Y up, Z forwards) for a right arm. For a left arm
// the rotations about Y and Z are reversed:
//   R1 = Rx(-flexion) Rz(-abduction) Ry(rotation)      elbow = shoulder + length[0] * R1 * (0, -1, 0)
//   R2 = R1 Rx(-elbow)                                 wrist = elbow + length[1] * R2 * (0, -1, 0)
//   R3 = R2 Ry(pronation) Rx(wrist flexion) Rz(deviation)   tip = wrist + length[2] * R3 * (0, -1, 0)
// The trunk's axes are those of `base`, rotated about `waist` by Ry(turn) Rx(lean) (turn is reversed for a
// left arm). The shoulder is rotated about `collar` by Ry of the collar angle (reversed for a left arm),
// which moves the shoulder but does not rotate the arm.
typedef struct tr_arm {
    tr_arm_side side;
    tr_affine base;                  // of the pelvis in the world: rotation and translation, no scale
    tr_vec3 waist, collar, shoulder; // in the axes of `base`, with all help angles at 0 [m]
    float length[TR_ARM_LINKS];      // upper arm, forearm, wrist to finger tips [m, > 0; the hand >= 0]
    float radius[TR_ARM_LINKS];      // [m, > 0]
    // Limits [rad, -pi to pi, low <= high; the elbow's from 0]; equal for a stiff joint. Where all limits of
    // the help are 0, the trunk does not move, whatever a posture says.
    tr_posture low, high;
} tr_arm;

// Returns an arm with human limits (docs/plan/arm.md has the sources), no help (its limits are 0), and human
// lengths and radii for a person of this height [m] standing at the origin.
TR_API tr_arm tr_arm_default(tr_arm_side side, float height);
// Enables the help by setting its limits: lean to 0.9, turn 0.7 each way, collar 0.35 [rad].
TR_API void tr_arm_allow_help(tr_arm *arm);
// Returns TR_INVALID, with the value, if lengths, radii, limits or axes are out of range or not finite.
TR_API tr_status tr_arm_check(const tr_arm *arm, tr_error *error);
// Returns true if every angle is inside its limits, to within `slack` [rad].
TR_API bool tr_arm_allows(const tr_arm *arm, const tr_posture *posture, float slack);
TR_API tr_posture tr_arm_clamp(const tr_arm *arm, tr_posture posture);

// The positions and rotations that a posture gives, in the world.
typedef struct tr_arm_place {
    tr_vec3 shoulder, elbow, wrist, tip;
    tr_quat upper, forearm, hand; // R1, R2, R3 in the world
    tr_affine trunk;              // from the axes of `base` at rest (those of body capsules) to the world
} tr_arm_place;
TR_API tr_arm_place tr_arm_put(const tr_arm *arm, const tr_posture *posture);
// Computes only the four points, as fast as possible. Collision checks call this millions of times.
TR_API void tr_arm_points(const tr_arm *arm, const tr_posture *posture,
                          tr_vec3 points[4]); // shoulder, elbow, wrist, tip

// Bounds the movement of the arm for any posture, when each angle changes by at most |change|. No point of
// the line of link k moves further than bound[k] [m]. Neither the shoulder nor any point of the trunk within
// `trunk_reach` of the waist moves further than bound[3].
TR_API void tr_arm_bound(const tr_arm *arm, const tr_posture *change, float trunk_reach, float bound[4]);
// Computes the same bounds for all postures within |change| of the posture that has these points
// (tr_arm_points). A bent arm has shorter levers than a stretched one, so this bound is tighter, and it costs
// little.
TR_API void tr_arm_bound_at(const tr_arm *arm, const tr_vec3 points[4], const tr_posture *change,
                            float trunk_reach, float bound[4]);

// --- All the ways to reach ---

typedef enum tr_arm_goal_kind {
    TR_ARM_GOAL_POSITION,  // of the wrist; the hand may have any rotation
    TR_ARM_GOAL_DIRECTION, // the hand also points along `direction`, to within `tolerance`
    TR_ARM_GOAL_POSE       // the hand also has the rotation `rotation`
} tr_arm_goal_kind;
typedef struct tr_arm_goal {
    tr_arm_goal_kind kind;
    tr_vec3 wrist;     // in the world [m]
    tr_vec3 direction; // from the wrist to the finger tips, in the world; any length except 0
    float tolerance;   // [rad, 0 to pi]
    tr_quat rotation;  // TR_ARM_GOAL_POSE: R3 in the world
} tr_arm_goal;

typedef enum tr_arm_reason {
    TR_ARM_REACHES,
    TR_ARM_TOO_FAR,     // further than the stretched arm
    TR_ARM_TOO_NEAR,    // nearer than the bent elbow allows
    TR_ARM_LIMITS,      // shoulder limits rule out the whole circle of the elbow
    TR_ARM_HAND_LIMITS, // the hand cannot have this rotation from any allowed elbow position
    TR_ARM_REASON_COUNT
} tr_arm_reason;
TR_API const char *tr_arm_reason_name(tr_arm_reason reason); // a few words; static storage

// Upper bound: each of six angles cuts the circle into at most two pieces, in four branches.
#define TR_ARM_RANGES_MAX 48
// A range of swivels that keep all limits. `branch` selects one of the two ways to rotate the shoulder (bit
// 0) and the wrist (bit 1: TR_ARM_GOAL_POSE). The two ways differ by half a turn of two of their angles.
typedef struct tr_arm_range {
    float low, high; // [rad, -pi <= low < pi, low <= high < low + 2 pi]
    uint32_t branch;
} tr_arm_range;

// All ways to hold the wrist at one point, with the given help. At swivel 0 the elbow is at the lowest point
// of its circle (down the trunk); where the circle is level, at the outermost point. The swivel grows
// outwards, up and over for both arms. For a straight arm the circle is a point, and the swivel is the
// rotation of the whole arm about its line.
typedef struct tr_arm_family {
    tr_arm_reason reason;
    tr_arm_range ranges[TR_ARM_RANGES_MAX];
    uint32_t range_count;
    // The circle in the world: elbow = centre + radius * (cos(swivel) * low + sin(swivel) * out).
    tr_vec3 centre, low, out;
    float radius; // [m]; negative when the distance alone rules out the goal
    float elbow;  // flexion [rad]
    float help[TR_ARM_HELP];
    float shoulder_rows[3][3][3]; // R1 in the trunk = [0] + cos(swivel) * [1] + sin(swivel) * [2]
    float hand_rows[3][3][3];     // TR_ARM_GOAL_POSE: the hand in the forearm's axes, in the same form
} tr_arm_family;

// Finds all ways to reach a goal. TR_OK: there are ranges. TR_NOT_FOUND: there are none, and `family->reason`
// says why. TR_INVALID: the goal is not finite. For TR_ARM_GOAL_DIRECTION the ranges are those of the
// shoulder; tr_arm_family_at tells whether the hand can follow. Ends of ranges are exact to about 1e-5 rad.
// No allocation.
TR_API tr_status tr_arm_solve(const tr_arm *arm, const float help[TR_ARM_HELP], const tr_arm_goal *goal,
                              tr_arm_family *family);
// Computes the posture for one swivel and branch of the family. TR_ARM_GOAL_POSITION takes the hand's angles
// from `hand` (pronation, wrist flexion, deviation), clamped. TR_ARM_GOAL_DIRECTION points the hand along
// goal->direction, with the pronation as near to hand[0] as the limits of all three angles allow.
// TR_ARM_GOAL_POSE takes the rotation of the goal. Returns false if the posture exceeds the limits by more
// than 1e-4 rad; a smaller excess is clamped. Any swivel is accepted.
TR_API bool tr_arm_family_at(const tr_arm *arm, const tr_arm_family *family, const tr_arm_goal *goal,
                             float swivel, uint32_t branch, const float hand[3], tr_posture *posture);
// Returns the swivel of a posture.
TR_API float tr_arm_swivel(const tr_arm *arm, const tr_posture *posture);

// How people hold the arm. tr_arm_natural_swivel returns the swivel that people show with the wrist at that
// point (Soechting & Flanders 1989). tr_arm_comfort returns the cost of a posture [>= 0]: it grows with
// angles far from the middle of comfort, with an elbow far from the natural swivel, and with help of the
// trunk.
TR_API float tr_arm_natural_swivel(const tr_arm *arm, const tr_arm_family *family);
TR_API float tr_arm_comfort(const tr_arm *arm, const tr_posture *posture);
// Finds the most comfortable posture for a goal with this help, without regard to obstacles: the elbow near
// the natural swivel, the hand in line with the forearm as far as the goal allows. Returns its cost;
// INFINITY: no posture reaches the goal, and `posture` is unchanged. No allocation.
TR_API float tr_arm_most_comfortable(const tr_arm *arm, const float help[TR_ARM_HELP],
                                     const tr_arm_goal *goal, tr_posture *posture);

TR_END_DECLARATIONS
