// What the sources of `overlay` share.
//
//   overlay.c            creation, transitions, the order of the steps
//   overlay_manner.c     how this person departs from the clips
//   overlay_ground.c     what lies on the floor under the feet
//   overlay_posture.c    leaning, the weight before the first step, the head on the way
//   overlay_slope.c      hips and trunk on slopes
//   overlay_shoulders.c  shoulders and arms in tight places
//   overlay_room.c       arms keep clear of others
//   overlay_clear.c      arms keep clear of the own thighs and hips
//   overlay_lift.c       hands of long arms keep off the floor
//   overlay_arms.c       arms that move by themselves
//   overlay_gaze.c       where the body looks
//   overlay_comply.c     waist and arms depart from the motion where something is near
#pragma once
#include "overlay_ground.h"
#include "motion/overlay/overlay.h"

// One arm that may be taken.
typedef struct overlay_arm {
    bool there;
    tr_arm_rig joints;
    tr_overlay_arm_doing doing;
    tr_arm arm; // as read in the last step
    tr_posture posture, velocity, rest;
    float taken;       // the share of the posture in the arm: 0 the body's own arm, 1 the posture
    double since;      // how long it has been doing this [s]
    double time, pace; // in the timing; how fast time passes there
    tr_arm_timing arm_timing;
    tr_posture *knots; // TR_OVERLAY_KNOTS_MAX
} overlay_arm;

// Where the body looks, in the axes of the chest: to the left and down [rad], and the rates.
typedef struct overlay_gaze {
    bool active;
    tr_vec3 point;
    float aside, down, aside_rate, down_rate;
} overlay_gaze;

// How far an arm is drawn in: 0 not at all, 1 hanging.
typedef struct overlay_draw {
    float share, rate;
    float held; // how far it was needed recently
} overlay_draw;

// A value on a spring, and its rate.
typedef struct overlay_spring {
    float at, rate;
} overlay_spring;

typedef struct overlay_posture {
    float speed;                // of the root in the last tick [m/s]
    overlay_spring lean, bank;  // of the trunk, forwards and to the left [rad]
    overlay_spring aside, down; // of the head, to the left and down [rad]
    overlay_spring shift;       // of the hips, to the left [m]
} overlay_posture;

// A manner, ready to be applied. Zero: as the clips.
typedef struct overlay_manner {
    // Bits of tr_cast_bend: joints that turn, arms whose swing is scaled, and joints that may get beyond
    // their limits.
    uint32_t turned, swings, limited;
    tr_quat turns[TR_CAST_BENDS];
    float swing[4]; // of upper arm and forearm, left and right
} overlay_manner;

// What a plan for the upper body says, and where the body is on it.
typedef struct overlay_comply {
    const tr_upper *upper;
    uint32_t count, next;     // ticks of the plan (0: none), and the next of them
    bool shown;               // the last tick departed: what follows is known
    tr_comply_pose now, rate; // departure from the motion of the body [rad, rad/s]
    tr_upper_frame usual;     // the pose without it
    tr_affine hips;           // likewise
    tr_comply_pose plan[TR_OVERLAY_DEPARTURES_MAX];
} overlay_comply;

struct tr_overlay {
    tr_allocator allocator;
    const tr_cast *cast;
    overlay_manner manner;
    tr_inertia *inertia;
    tr_pose shown[2]; // the last two poses before feet were locked, the newest first
    bool has_shown;
    bool in_transition; // the inertia is still active
    tr_foot_lock_state foot_lock;
    tr_foot_lock_params foot_lock_params;
    overlay_ground floor;
    overlay_posture posture;
    float slope, slope_rate; // of the floor, as the trunk follows it [m/m]
    float lower, lower_rate; // how far the hips are lower for it [m]
    float tuck, tuck_rate;   // shoulders turned and arms close: 0 not at all, 1 as far as it goes
    overlay_draw draws[2];   // of tr_arm_side
    overlay_arm *arms;       // of tr_arm_side; NULL until they are prepared
    uint32_t first;          // the arm that was taken first; the other one is applied after it
    overlay_comply *comply;  // NULL until it is prepared
    overlay_gaze gaze;
    float stillness; // 0: breathes; 1: does not move at all
    uint32_t wall_count;
    tr_overlay_wall walls[TR_OVERLAY_WALLS_MAX]; // last, because most of them are never read
};

// What one tick works on.
typedef struct overlay_frame {
    const tr_driver *driver;
    tr_driver_state *state;
    const tr_driver_task *task;
    const tr_driver_nature *nature;
    tr_driver_body *body;
} overlay_frame;

// The root does not move, and no move is under way.
static inline bool tr_overlay_at_rest(const overlay_frame *frame) {
    const tr_driver_root *root = &frame->state->root;
    return root->doing == TR_DRIVER_STANDS || (root->doing == TR_DRIVER_WALKS && root->state.speed == 0);
}
uint32_t tr_overlay_one_foot(const tr_overlay *overlay);
// Changes only the pose; true: trunk or head turned, so that the model of everything above the hips changes.
bool tr_overlay_apply_posture(tr_overlay *overlay, const overlay_frame *frame);
// Keeps the pose as shown, before feet are locked: the next transition begins with it.
void tr_overlay_show(tr_overlay *overlay, const tr_pose *pose);
// A body that plays a chain of behaviors.
void tr_overlay_perform(tr_overlay *overlay, const overlay_frame *frame);
// A body without a gait, at rest.
void tr_overlay_stand(tr_overlay *overlay, const overlay_frame *frame);
void tr_overlay_apply_slope(tr_overlay *overlay, const overlay_frame *frame);
void tr_overlay_apply_manner(tr_overlay *overlay, const overlay_frame *frame);
void tr_overlay_apply_shoulders(tr_overlay *overlay, const overlay_frame *frame);
void tr_overlay_apply_room(tr_overlay *overlay, const overlay_frame *frame);
// Swings arms that are in a thigh or in the hips out of it, as far as walls allow.
void tr_overlay_clear_arms(const tr_overlay *overlay, const overlay_frame *frame);
// How far an arm is beyond the walls that are there now; negative: the distance left. -INFINITY without
// walls.
float tr_overlay_beyond_walls(const tr_overlay *overlay, const overlay_frame *frame, uint32_t side);
void tr_overlay_lift_hands(const tr_overlay *overlay, const overlay_frame *frame);
void tr_overlay_apply_arms(tr_overlay *overlay, const overlay_frame *frame);
void tr_overlay_apply_gaze(tr_overlay *overlay, const overlay_frame *frame);
void tr_overlay_release_arms(tr_overlay *overlay); // their memory
void tr_overlay_apply_comply(tr_overlay *overlay, const overlay_frame *frame);
void tr_overlay_release_comply(tr_overlay *overlay);
