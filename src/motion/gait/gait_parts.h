// motion/gait/gait_parts.h - what the makers of gaits share: a measured body, the state of a moving body, and
// the cycle of a walk or a run. Internal to motion/. Angles in radians, lengths in metres, in doubles.
#pragma once
#include "troupe/base/scalar.h"
#include "gait_figures.h"
#include "motion/foot/foot.h"
#include "troupe/motion/gait.h"
#include "troupe/motion/limb.h"

#define TR_GAIT_DEGREE (TR_PI / 180)
#define TR_GAIT_TRUNK_MAX 3 // spine, chest, upper chest

// A measured skeleton, and memory for posing it.
typedef struct tr_gait_rig {
    tr_allocator allocator;
    const tr_skeleton *skeleton;
    uint32_t joint_count;
    tr_pose pose;
    tr_affine *model;
    tr_quat *rotations; // of joints in the body's axes: scratch
    tr_quat *turns;     // of joints relative to standing upright, in the body's axes, where `turned`: scratch
    bool *turned;
    tr_quat *upright; // of each joint: from its rest to a standing body with arms and legs down
    uint32_t hips, trunk[TR_GAIT_TRUNK_MAX], trunk_count, neck, head;
    uint32_t shoulders[2], arms[2], forearms[2], hands[2]; // left and right; TR_NONE for a missing shoulder
    tr_foot feet[2];
    tr_limb legs[2];
    tr_vec3 hips_rest;                // the place of the hips at rest
    tr_vec3 hip_offset[2];            // the hip joints, relative to the hips
    tr_vec3 heel[2], ball[2], tip[2]; // relative to the ankle, upright; the tip relative to the ball
    double leg_length;                // thigh and shank
    double scale;                     // leg length divided by that of a body of 1.75 m
    double ground;                    // height of the soles at rest
    double ankle_height;              // above the ground, at rest
    float worst_miss;                 // the largest distance between an ankle and its goal [m]
} tr_gait_rig;

// Without memory: nothing has to be destroyed, and nothing can be posed.
tr_status tr_gait_rig_measure(const tr_gait_def *def, tr_gait_rig *rig, tr_error *error);
// Is the body whole, as `what` needs it: with a trunk, a head and two arms with hands?
tr_status tr_gait_rig_need_all(const tr_skeleton *skeleton, const char *what, tr_error *error);
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

// A moving body. The pelvis is relative to the base point and its heading; feet are in the world.
typedef struct tr_gait_state {
    double base_x, base_z, heading;
    double left, up, ahead;                   // of the hips, relative to their place at rest
    double yaw, tilt, list;                   // of the pelvis: to the left, forwards, left side up
    double roll;                              // of the pelvis about the spine, to the left
    double chest_yaw, chest_lean, chest_side; // of the upper chest, relative to the heading
    double head_yaw, head_nod, head_side;
    double shrug; // of the shoulders
    tr_gait_arm arms[2];
    tr_gait_foot feet[2];
} tr_gait_state;

// Poses the rig's body. The base point is rounded to floats, as a clip stores it. Feet are exactly where the
// state says as long as the legs can reach.
void tr_gait_pose(tr_gait_rig *rig, const tr_gait_state *state);
tr_base tr_gait_base(const tr_gait_state *state);
tr_quat tr_gait_pelvis(const tr_gait_state *state); // in the axes of the base
// By how much the hips must come down for both legs to reach [m]; negative: room left.
double tr_gait_excess(const tr_gait_rig *rig, const tr_gait_state *state);
// The part of the sole that a foot stands on.
typedef enum tr_gait_sole { TR_GAIT_ON_HEEL, TR_GAIT_ON_BALL, TR_GAIT_ON_TIP } tr_gait_sole;
// The place of the ankle when that part of the sole stays where it is while the foot lies flat with its heel
// at (x, z): sets x, y and z of a foot whose angles are known.
void tr_gait_stand_on(const tr_gait_rig *rig, uint32_t side, tr_gait_sole sole, double x, double z,
                      tr_gait_foot *foot);
// Gives a foot another pitch about its heel, which stays where it is.
void tr_gait_pitch_on_heel(const tr_gait_rig *rig, uint32_t side, double pitch, tr_gait_foot *foot);
// The height of the lowest of heel, ball and tip, and that of the tip alone, above the ground.
double tr_gait_lowest(const tr_gait_rig *rig, uint32_t side, const tr_gait_foot *foot);
double tr_gait_tip_height(const tr_gait_rig *rig, uint32_t side, const tr_gait_foot *foot);

// ---------------------------------------------------------------------------------------------------- curves

#define TR_GAIT_POINTS_MAX 6

// A periodic curve through control points (phase increasing, within one period): cubic between them and level
// where they turn back, so that it never leaves the range of its points.
typedef struct tr_gait_curve {
    uint32_t count;
    double phase[TR_GAIT_POINTS_MAX], value[TR_GAIT_POINTS_MAX];
} tr_gait_curve;
tr_gait_curve tr_gait_curve_of(uint32_t count, const double points[][2]); // phase and value of each
double tr_gait_curve_at(const tr_gait_curve *curve, double phase);

// The cubic on [0, 1] with these values and slopes at its ends.
double tr_gait_cubic(double x, double from, double from_slope, double to, double to_slope);
double tr_gait_fraction(double x); // of x, [0, 1)
double tr_gait_sine(double turns); // of this many full turns
double tr_gait_cosine(double turns);

// ----------------------------------------------------------------------------------------------------- cycle

// A periodic angle or place: its mean and three harmonics.
typedef struct tr_gait_wave {
    double mean;
    double cosine[3], sine[3];
} tr_gait_wave;
// The value at a phase; the harmonics are `first`, `second` and as much again more times the frequency of the
// stride.
double tr_gait_wave_at(const tr_gait_wave *wave, int first, int second, double phase);

// The correction from the formulas to the values that the ground contact demands at the ends of a swing.
typedef struct tr_gait_mend {
    double from, from_slope, to, to_slope;
} tr_gait_mend;

#define TR_GAIT_RISE_PARTS 3

// How a walking foot moves, where people's feet give it directly: over the stance its pitch, over the swing
// what is added to the cubic between its ends.
typedef struct tr_gait_shape {
    bool given;                      // otherwise the foot follows from the curves of the leg
    double strike_slope;             // of the pitch when the heel comes down, in strike pitches
    double rise[TR_GAIT_RISE_PARTS]; // of the heel: the weights of powers 2, 3 and 4 of the time
    double toes_off;                 // bend of the toes when they leave,
    double toes_middle, toes_swing;  // in mid-swing, and when the heel strikes
    double z[TR_GAIT_SHAPE_PARTS], y[TR_GAIT_SHAPE_PARTS], pitch[TR_GAIT_SHAPE_PARTS];
} tr_gait_shape;

// The bounce of a runner's pelvis: free fall while both feet are off the ground, and in the stance what a leg
// does that pushes with a smooth force. Zero: none.
typedef struct tr_gait_bounce {
    double stance;       // share of a step with a foot on the ground
    double half, flight; // half the time of a stance and of a flight [s]
    double fall;         // acceleration of free fall [m/s^2]
    double push[2];      // of the leg in mid-stance: its flat and its peaked part [m/s^2]
} tr_gait_bounce;
double tr_gait_bounce_at(const tr_gait_bounce *bounce, double phase); // [m], 0 at the top

// One stride of walking, jogging or running.
typedef struct tr_gait_cycle {
    const tr_gait_rig *rig;
    double speed, period, stride;
    double stance;                         // share of the stride in which a foot is on the ground
    tr_gait_curve hip, knee, ankle, elbow; // over the phase of that leg [degrees]
    double forward_size, forward_phase;    // of the pelvis
    double lateral_size, vertical_size, vertical_phase, vertical_mean;
    tr_gait_wave rise, advance, aside; // of the pelvis as well [m]: even, even, odd
    tr_gait_bounce bounce;
    double shoulder_mean, shoulder_size, arm_abduction;
    tr_gait_wave arm_swing, elbow_swing; // beside these and the curve of the elbow [degrees]
    double shoulder_early;               // the arm is this far ahead of the strike of its leg [strides]
    double lean;
    // Sway of pelvis, chest and head in a walk [degrees]. Those that change sides with the feet have odd
    // harmonics of the stride, the others even ones.
    tr_gait_wave list, torsion, chest_turn, chest_sway, head_turn, head_sway; // odd
    tr_gait_wave tilt, chest_lean, nod;                                       // even
    double half_width, toe_out;
    double strike_pitch, flat_begin, heel_off, push_pitch; // of the foot, from strike to push
    double heel_turn, turn_pitch; // when the heel begins to rise fast, and its pitch at that time
    double turn_slope;            // how fast it rises then, relative to its mean until then
    double crouch;                // the hips are this much lower than the legs require
    double ball_off, toe_roll;    // when the toes begin to roll over their tip, and by how much
    double ankle_max, hip_max;    // how far the ankle bends and the hip extends
    bool plant_given;             // otherwise it is searched for
    double plant;                 // place of the heel, ahead of the base at the strike
    double bump;                  // lifts the swinging foot
    bool lift_only;               // the swing is never pushed down to its clearance
    double clearance;             // wanted clearance of the toes in the swing
    double lowering;              // of the hips, so that legs reach
    double lowering_least;
    tr_gait_shape shape;
    tr_gait_mend mend_z[2], mend_y[2], mend_pitch;
    double toes, toes_slope;        // when the toes leave the ground
    double uncurl;                  // share of the swing in which they straighten
    double leave_x[2], strike_x[2]; // of the ankles
} tr_gait_cycle;

// The formulas; the period is made a whole number of frames at this rate. After that, tr_gait_cycle_plant
// makes the feet stand.
void tr_gait_walk_formulas(const tr_gait_rig *rig, double speed, double rate, tr_gait_cycle *cycle);
void tr_gait_run_formulas(const tr_gait_rig *rig, double speed, double rate, tr_gait_cycle *cycle);
void tr_gait_cycle_plant(tr_gait_cycle *cycle, tr_gait_rig *rig);
// The state at a time [s, any]: the base is at the origin at time 0 and goes along +Z.
void tr_gait_cycle_at(const tr_gait_cycle *cycle, double time, tr_gait_state *state);
// One foot alone. `phase` keeps counting from stride to stride.
void tr_gait_cycle_foot(const tr_gait_cycle *cycle, uint32_t side, double phase, tr_gait_foot *foot);

// ------------------------------------------------------------------------------------------------------ plan

#define TR_GAIT_PLANTS_MAX 8

// One stance of a foot: where, when, and how the foot comes and goes.
typedef struct tr_gait_plant {
    double x, z, yaw;           // of the heel while the foot is flat
    double begin, end;          // [s]
    double strike, strike_time; // pitch when the heel comes down, and the time until the sole is flat
    double push, push_time;     // pitch of the foot when it leaves (downwards), and how long the heel rises
    bool from_cycle;            // rolls as in the walk that begins at the plan's `cycle_begin`
    bool lands_from_cycle;      // does so until the sole is flat
    double flatter;             // the pitch of such a landing is less by this share
} tr_gait_plant;

// A planned motion, ready to be sampled.
typedef struct tr_gait_plan {
    tr_gait_rig *rig;
    tr_gait_kind kind;
    double rate;
    uint32_t frames;
    bool loop;
    double duration;
    double speed, angle;
    tr_gait_cycle cycle;
    double cycle_begin, cycle_place;       // when the walk has phase 0, and where its base is then
    double lift;                           // of the feet in a step
    double move_begin, move_end, distance; // of the base
    double half_width, lowering;           // of side-steps
    tr_gait_plant plants[2][TR_GAIT_PLANTS_MAX];
    uint32_t plant_count[2];
} tr_gait_plan;

// A body at rest; `breath` and `sway` are phases [0, 1).
void tr_gait_stand_state(const tr_gait_rig *rig, double breath, double sway, tr_gait_state *state);
// The stance of a foot of the body at rest, with the base at (x, z) and a heading.
tr_gait_plant tr_gait_stand_plant(const tr_gait_rig *rig, uint32_t side, double x, double z, double heading);

// These fill `duration`, `loop` and the fields of the kind; `rig`, `kind`, `rate`, `speed` and `angle` are
// given.
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
// A foot on the ground that rolls as the plant says: down from the strike, flat, up over the ball.
void tr_gait_plant_foot(const tr_gait_rig *rig, uint32_t side, const tr_gait_plant *plant, double time,
                        tr_gait_foot *foot);
// A curve from a value and slope to others over x [0, 1]; the slopes act only near its ends.
double tr_gait_between(double x, const double from[2], const double to[2]);
// A foot according to the plants of the plan.
void tr_gait_plan_foot(const tr_gait_plan *plan, uint32_t side, double time, tr_gait_foot *foot);
// From one state (share 0) to another (1), except for the base and the feet.
void tr_gait_mix(const tr_gait_state *from, const tr_gait_state *to, double share, tr_gait_state *state);

// ------------------------------------------------------------------------------------------------------ clip

#define TR_GAIT_FEET_EXACT 1e-4f // how far an ankle may miss its place [m]

// A clip for the rig's skeleton: joints turn, hips also move. Skeleton and channels of `def` are filled in.
tr_status tr_gait_create_clip(const tr_gait_rig *rig, const tr_clip_def *def, tr_clip **clip,
                              tr_error *error);
uint32_t tr_gait_contacts(const tr_gait_state *state); // of both feet, tr_contact or'ed
// Adds "left_step" and "right_step" in the frame in which a foot touches the ground again.
tr_status tr_gait_add_steps(tr_clip *clip, tr_error *error);
// Where legs would not reach, the hips come down: by the largest lack nearby, averaged, so that the motion is
// smooth and the hips are always low enough. The window closes towards the ends of the clip, so that its
// joins to other clips stay as they are. `lack` and `largest` have room for `count`.
void tr_gait_lower_hips(const tr_gait_rig *rig, double rate, tr_gait_state *states, uint32_t count,
                        double *lack, double *largest);
