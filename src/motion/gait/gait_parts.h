// motion/gait_parts.h - what the makers of gaits share: a body measured, the state of a moving body, and the
// cycle of a walk or a run. Internal to motion/. Angles in radians, lengths in metres, in doubles.
#pragma once
#include "troupe/base/scalar.h"
#include "motion/foot/foot.h"
#include "troupe/motion/gait.h"
#include "troupe/motion/limb.h"

#define TR_GAIT_DEGREE (TR_PI / 180)
#define TR_GAIT_TRUNK_MAX 3 // spine, chest, upper chest

// A skeleton measured, and room to pose it in.
typedef struct tr_gait_rig {
    tr_allocator allocator;
    const tr_skeleton *skeleton;
    uint32_t joint_count;
    tr_pose pose;
    tr_affine *model;
    tr_quat *rotations; // of joints in the body's axes: scratch
    tr_quat *turns;     // of joints away from standing upright, in the body's axes, where `turned`: scratch
    bool *turned;
    tr_quat *upright; // of each joint: from its rest to a body that stands with arms and legs down
    uint32_t hips, trunk[TR_GAIT_TRUNK_MAX], trunk_count, neck, head;
    uint32_t shoulders[2], arms[2], forearms[2], hands[2]; // left and right; TR_NONE for a missing shoulder
    tr_foot feet[2];
    tr_limb legs[2];
    tr_vec3 hips_rest;                // where the hips are at rest
    tr_vec3 hip_offset[2];            // where the hip joints are, from the hips
    tr_vec3 heel[2], ball[2], tip[2]; // from the ankle, upright; the tip from the ball
    double leg_length;                // thigh and shank
    double scale;                     // leg length over that of a body of 1.75 m
    double ground;                    // height of the soles at rest
    double ankle_height;              // above the ground, at rest
    float worst_miss;                 // how far an ankle stayed from where it was to be [m]
} tr_gait_rig;

tr_status tr_gait_rig_create(const tr_gait_def *def, tr_gait_rig *rig, tr_error *error);
void tr_gait_rig_destroy(tr_gait_rig *rig);

typedef struct tr_gait_foot {
    double x, y, z;    // of the ankle, in the axes of the clip's world; y above the ground
    double yaw, pitch; // about +Y; toes up
    double toes;       // toes bent up
    uint32_t contacts; // of this foot, as if it were the left: TR_CONTACT_LEFT_HEEL, TR_CONTACT_LEFT_TOES
} tr_gait_foot;

typedef struct tr_gait_arm {
    double flexion, abduction, elbow;
} tr_gait_arm;

// A body in motion. The pelvis is relative to the base point and its heading; feet are in the world.
typedef struct tr_gait_state {
    double base_x, base_z, heading;
    double left, up, ahead;                   // of the hips, from where they are at rest
    double yaw, tilt, list;                   // of the pelvis: to the left, forwards, left side up
    double chest_yaw, chest_lean, chest_side; // of the upper chest, relative to the heading
    double head_yaw, head_nod;
    double shrug; // of the shoulders
    tr_gait_arm arms[2];
    tr_gait_foot feet[2];
} tr_gait_state;

// Pose the rig's body; the base point is rounded to floats, as a clip keeps it. Feet come exactly where the
// state says as long as legs can reach.
void tr_gait_pose(tr_gait_rig *rig, const tr_gait_state *state);
tr_base tr_gait_base(const tr_gait_state *state);
// By how much the hips must come down for both legs to reach [m]; below 0: room left.
double tr_gait_excess(const tr_gait_rig *rig, const tr_gait_state *state);
// What a foot stands on.
typedef enum tr_gait_sole { TR_GAIT_ON_HEEL, TR_GAIT_ON_BALL, TR_GAIT_ON_TIP } tr_gait_sole;
// Where the ankle is when that part of the sole keeps the place on the ground that it has while the foot lies
// flat with its heel at (x, z): fills x, y and z of a foot whose angles are known.
void tr_gait_stand_on(const tr_gait_rig *rig, uint32_t side, tr_gait_sole sole, double x, double z,
                      tr_gait_foot *foot);
// The lowest of heel, ball and tip, and the height of the tip alone, above the ground.
double tr_gait_lowest(const tr_gait_rig *rig, uint32_t side, const tr_gait_foot *foot);
double tr_gait_tip_height(const tr_gait_rig *rig, uint32_t side, const tr_gait_foot *foot);

// ---------------------------------------------------------------------------------------------------- curves

#define TR_GAIT_POINTS_MAX 6

// A periodic curve through control points (phase rising, within one round): cubic between them, level where
// they turn back, so that it never leaves the values it goes through.
typedef struct tr_gait_curve {
    uint32_t count;
    double phase[TR_GAIT_POINTS_MAX], value[TR_GAIT_POINTS_MAX];
} tr_gait_curve;
tr_gait_curve tr_gait_curve_of(uint32_t count, const double points[][2]); // phase and value of each
double tr_gait_curve_at(const tr_gait_curve *curve, double phase);

// The cubic on [0, 1] with these values and slopes at its ends.
double tr_gait_cubic(double x, double from, double from_slope, double to, double to_slope);
double tr_gait_fraction(double x); // of x, [0, 1)
double tr_gait_sine(double turns); // of so many full turns
double tr_gait_cosine(double turns);

// ----------------------------------------------------------------------------------------------------- cycle

// Where a curve leaves the formulas to begin and end as the ground demands.
typedef struct tr_gait_mend {
    double from, from_slope, to, to_slope;
} tr_gait_mend;

// One stride of walking, jogging or running.
typedef struct tr_gait_cycle {
    const tr_gait_rig *rig;
    double speed, period, stride;
    double stance;                                 // share of the stride that a foot is on the ground
    tr_gait_curve hip, knee, ankle, elbow, thorax; // of the leg whose phase it is [degrees]
    double forward_size, forward_phase;            // of the pelvis
    double lateral_size, vertical_size, vertical_phase, vertical_mean;
    double tilt_mean, tilt_size, torsion_size, list_size;
    double shoulder_mean, shoulder_size, arm_abduction;
    double lean;
    double half_width, toe_out;
    double strike_pitch, flat_begin, heel_off, push_pitch; // of the foot, down at first and up at last
    double heel_turn, turn_pitch; // when the heel begins to rise fast, and how far it has come by then
    double ball_off, toe_roll;    // when the toes begin to roll over their tip, and how far they roll
    double ankle_max, hip_max;    // how far the ankle bends and the hip stretches
    bool plant_given;             // else it is looked for
    double plant;                 // of the heel, ahead of the base at the strike
    double bump;                  // that lifts the swinging foot
    bool lift_only;               // the swing is never pressed down to its clearance
    double clearance;             // wanted, of the toes in the swing
    double lowering;              // of the hips, so that legs reach
    tr_gait_mend mend_z[2], mend_y[2], mend_pitch;
    double toes, toes_slope;        // as toes leave the ground
    double leave_x[2], strike_x[2]; // of the ankles
} tr_gait_cycle;

// The formulas; the period is made `frames` long at the rate. Then tr_gait_cycle_plant makes feet stand.
void tr_gait_walk_formulas(const tr_gait_rig *rig, double speed, double rate, tr_gait_cycle *cycle);
void tr_gait_run_formulas(const tr_gait_rig *rig, double speed, double rate, tr_gait_cycle *cycle);
void tr_gait_cycle_plant(tr_gait_cycle *cycle, tr_gait_rig *rig);
// At a time [s, any]: base at the origin at time 0, going along +Z.
void tr_gait_cycle_at(const tr_gait_cycle *cycle, double time, tr_gait_state *state);
// One foot alone. `phase` counts on from stride to stride.
void tr_gait_cycle_foot(const tr_gait_cycle *cycle, uint32_t side, double phase, tr_gait_foot *foot);

// ------------------------------------------------------------------------------------------------------ plan

#define TR_GAIT_PLANTS_MAX 8

// One stand of a foot: where and how long, and how it comes and goes.
typedef struct tr_gait_plant {
    double x, z, yaw;           // of the heel while the foot is flat
    double begin, end;          // [s]
    double strike, strike_time; // pitch as the heel comes down, and how long the sole takes
    double push, push_time;     // pitch of the foot as it leaves (downwards), and how long the heel rises
    bool from_cycle;            // rolls as in the walk that begins at the plan's `cycle_begin`
} tr_gait_plant;

// A motion to be sampled.
typedef struct tr_gait_plan {
    tr_gait_rig *rig;
    tr_gait_kind kind;
    double rate;
    uint32_t frames;
    bool loop;
    double duration;
    double speed, angle;
    tr_gait_cycle cycle;
    double cycle_begin, cycle_place;       // when the walk has its phase 0, and where its base is then
    double lift;                           // of the feet in a step
    double move_begin, move_end, distance; // of the base
    double half_width, lowering;           // of side-steps
    tr_gait_plant plants[2][TR_GAIT_PLANTS_MAX];
    uint32_t plant_count[2];
} tr_gait_plan;

// A body at rest; `breath` and `sway` [0, 1).
void tr_gait_stand_state(const tr_gait_rig *rig, double breath, double sway, tr_gait_state *state);
// The stand of a foot of the body at rest, with the base at (x, z) and a heading.
tr_gait_plant tr_gait_stand_plant(const tr_gait_rig *rig, uint32_t side, double x, double z, double heading);

// Fill `duration`, `loop` and what the kind needs; `rig`, `kind`, `rate`, `speed` and `angle` are given.
void tr_gait_plan_stand(tr_gait_plan *plan);
void tr_gait_plan_start(tr_gait_plan *plan);
void tr_gait_plan_stop(tr_gait_plan *plan);
void tr_gait_plan_turn(tr_gait_plan *plan);
void tr_gait_plan_side(tr_gait_plan *plan);
void tr_gait_plan_step(tr_gait_plan *plan);
void tr_gait_stand_at(const tr_gait_plan *plan, double time, tr_gait_state *state);
void tr_gait_start_at(const tr_gait_plan *plan, double time, tr_gait_state *state);
void tr_gait_stop_at(const tr_gait_plan *plan, double time, tr_gait_state *state);
void tr_gait_turn_at(const tr_gait_plan *plan, double time, tr_gait_state *state);
void tr_gait_side_at(const tr_gait_plan *plan, double time, tr_gait_state *state);
void tr_gait_step_at(const tr_gait_plan *plan, double time, tr_gait_state *state);
// A foot as the plants have it.
void tr_gait_plan_foot(const tr_gait_plan *plan, uint32_t side, double time, tr_gait_foot *foot);
// From one state (share 0) to another, but for the base and the feet.
void tr_gait_mix(const tr_gait_state *from, const tr_gait_state *to, double share, tr_gait_state *state);
