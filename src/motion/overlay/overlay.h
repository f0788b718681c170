// motion/overlay/overlay.h - modifies the pose that a driver produces, in one ordered pipeline.
//
//   carry       held feet move with a moving floor
//   manner      posture and arms of this person depart from the clips
//   transition  the offset of the previous motion from the new one decays
//   legs        a driver that places the feet itself (footsteps) bends the legs
//   posture     the body leans into its acceleration, and the head turns to where it goes
//   shoulders   in tight places the shoulders turn and the arms are held close
//   foot_lock   feet that touch the floor stay where they came down, and out of other feet
//   room        arms are drawn in where other bodies or walls are near
//   arms        taken arms follow paths of their own
//   gaze        neck and head turn towards a point
//   comply      waist and arms depart from all this where obstacles are near, as planned
//
// Each part reads the result of the parts before it, so that nothing jumps wherever the body goes.
#pragma once
#include "troupe/motion/arm_rig.h"
#include "motion/driver/driver.h"
#include "motion/skeleton/inertia.h"
#include "motion/upper/upper.h"
#include "troupe/motion/arm_timing.h"

typedef struct tr_overlay_def {
    const tr_allocator *allocator; // NULL: malloc
    const tr_cast *cast;           // must outlive the overlay
    float ground;                  // height of the floor [m]
    // Returns the height of the floor above `ground` at a point [m, >= 0], for objects on the floor that are
    // stepped onto; NULL: level. Called many times, on the thread of a tick: it must only read.
    float (*rise)(void *user, tr_vec2 point);
    void *rise_user;
    // Returns an upper bound of `rise` in a rectangle; NULL: `rise` is called for every point. Saves most of
    // these calls where the floor is level.
    float (*rise_most)(void *user, tr_vec2 min, tr_vec2 max);
    // Returns the height of the floor near the height `point.y` [m], NAN where there is none, for roots whose
    // floor is not level; NULL: `rise` is used there too. It must not have steps where bodies walk.
    float (*floor)(void *user, tr_vec3 point);
} tr_overlay_def;

// The overlay of one body.
typedef struct tr_overlay tr_overlay;
tr_status tr_overlay_create(const tr_overlay_def *def, tr_overlay **overlay, tr_error *error);
void tr_overlay_destroy(tr_overlay *overlay); // NULL is allowed

// Call it after a tick of `driver`: turns pose, model and contacts of the body into what is shown. No
// allocation.
void tr_overlay_apply(tr_overlay *overlay, const tr_driver *driver, tr_driver_state *state,
                      const tr_driver_task *task, const tr_driver_nature *nature, tr_driver_body *body);
// Call it when a driver that placed the feet itself has ended: holds the feet where they are shown, on the
// floor of the root.
void tr_overlay_hold_feet(tr_overlay *overlay, const tr_driver_root *root, tr_driver_body *body);
// Call it when the body was put elsewhere: discards the earlier motion. Taken arms stay taken.
void tr_overlay_forget(tr_overlay *overlay, float ground);
// Sets how trunk, head and arms depart from the clips, from the next tick on; tr_manner_check has accepted
// it. Steps and legs are the driver's part. Not archived. A new overlay does not depart from the clips.
void tr_overlay_set_manner(tr_overlay *overlay, const tr_manner *manner);
// Applies the manner to a pose of the clips.
void tr_overlay_pose_manner(const tr_overlay *overlay, tr_pose *pose);
// Replaces the floor, as in tr_overlay_def. Standing feet stay where they are.
void tr_overlay_set_rise(tr_overlay *overlay, float (*rise)(void *user, tr_vec2 point), void *user);
// Returns how far above the ground a foot stands, or will come down [m].
float tr_overlay_foot_rise(const tr_overlay *overlay, uint32_t side);
// Returns the plane that a foot stands on, or that is under it, if the floor is not level. false: it is
// level.
bool tr_overlay_foot_plane(const tr_overlay *overlay, uint32_t side, tr_foot_lock_ground *plane);
// Returns the fraction of a tick that passes for a body that stands [0, 1], for `stand_share` of
// tr_driver_body: less than 1 while arms are taken.
float tr_overlay_stand_share(const tr_overlay *overlay);

// --- Room ---

#define TR_OVERLAY_WALLS_MAX 32

// A vertical plane that arms stay behind. The arms of two bodies do not touch if each body's arms stay on its
// own side of one plane.
typedef struct tr_overlay_wall {
    tr_vec2 away; // from the body to the plane, unit length
    float room;   // from the root to the plane, along `away` [m]
    bool soon;    // not there yet: arms are drawn in for it as far as that can be done smoothly
} tr_overlay_wall;
// Sets the walls for the next ticks, until the next call; walls beyond TR_OVERLAY_WALLS_MAX are ignored. An
// arm that would be beyond a wall is moved towards hanging straight down, just far enough to stay behind it.
// If an arm that hangs straight down is still beyond a wall, it stays hanging. Walls do not affect taken
// arms, trunk and legs. They are not archived.
void tr_overlay_set_walls(tr_overlay *overlay, const tr_overlay_wall *walls, uint32_t count);

// Sets the feet of other bodies nearby, for the next tick only: swinging feet do not come down in them. Not
// copied. A driver that places the feet itself ignores them.
void tr_overlay_set_bars(tr_overlay *overlay, const tr_foot_lock_bar *bars, uint32_t count);
// Gets a foot as it is shown; `away` and `share` are left to the caller. Returns how far the foot moved in
// the last tick.
tr_vec3 tr_overlay_bar(const tr_overlay *overlay, const tr_affine *model, uint32_t side,
                       tr_foot_lock_bar *bar);

// --- The upper body among obstacles ---

#define TR_OVERLAY_DEPARTURES_MAX 256 // ticks of a plan

// Allocates what departures need. Call it once; `upper` was measured on the cast and must outlive the
// overlay.
tr_status tr_overlay_prepare_comply(tr_overlay *overlay, const tr_upper *upper, tr_error *error);
// Sets how waist and arms depart from the motion of the body in the next ticks: departures[0] counts for the
// next one. They are angles of plan/comply, less those of the body. The last one is kept from then on.
// Copied. Count 0: the present departure dies away within half a second, as it does when arms are taken and
// when a chain of behaviors is played. Ignored before tr_overlay_prepare_comply.
void tr_overlay_set_departures(tr_overlay *overlay, const tr_comply_pose *departures, uint32_t count);
// Does the body depart from its motion, now or later on the plan?
bool tr_overlay_departs(const tr_overlay *overlay);
bool tr_overlay_has_departures(const tr_overlay *overlay); // is it on a plan?
// How the body departed in the last tick, and its pose without that. false: it did not.
typedef struct tr_overlay_departure_view {
    const tr_comply_pose *now, *rate; // [rad], [rad/s]
    const tr_upper_frame *usual;
} tr_overlay_departure_view;
bool tr_overlay_departure(const tr_overlay *overlay, tr_overlay_departure_view *view);
// Replaces the hips by those that the body would have without a departure; otherwise leaves them.
void tr_overlay_plain_hips(const tr_overlay *overlay, tr_affine *hips);
// Makes `to`, of the same cast, continue as `from` would, without arms that are taken, walls and departures:
// a rehearsal of the body's own motion. No allocation.
void tr_overlay_mimic(tr_overlay *to, const tr_overlay *from);

// --- Arms ---

#define TR_OVERLAY_KNOTS_MAX 256 // knots of a path

typedef enum tr_overlay_arm_doing {
    TR_OVERLAY_ARM_SWINGS,  // moves with the body
    TR_OVERLAY_ARM_SETTLES, // is being taken: the body comes to stand still
    TR_OVERLAY_ARM_MOVES,   // along its path
    TR_OVERLAY_ARM_BRAKES,  // still along its path, slowing down
    TR_OVERLAY_ARM_STAYS,   // holds its posture, ready to be moved
    TR_OVERLAY_ARM_FADES    // is being given back
} tr_overlay_arm_doing;

// Allocates and measures both arms. Call it once, before the first arm is taken. TR_NOT_FOUND: the skeleton
// has neither arm (the error names a role).
tr_status tr_overlay_prepare_arms(tr_overlay *overlay, tr_error *error);
bool tr_overlay_has_arm(const tr_overlay *overlay, tr_arm_side side); // once prepared

// Takes an arm out of the body's motion. From then on the body stands still (it holds its breath, eased over
// 0.3 s), so that plans for the arm stay valid. The arm is ready to be moved when it is in
// TR_OVERLAY_ARM_STAYS. TR_INVALID: no such arm, or arms are not prepared. This call and those below do not
// allocate.
tr_status tr_overlay_take_arm(tr_overlay *overlay, tr_arm_side side, tr_error *error);
// Moves an arm along a path from now on, timed as by tr_arm_timing_make. The path begins where the arm is;
// params->velocity is its current velocity. Knots are copied. TR_LIMIT: too many knots. TR_INVALID: the arm
// was not taken.
tr_status tr_overlay_move_arm(tr_overlay *overlay, tr_arm_side side, const tr_arm_path *arm_path,
                              const tr_arm_timing_params *params, tr_error *error);
// Brings an arm to rest on its path within 0.25 s; then it stays there.
void tr_overlay_brake_arm(tr_overlay *overlay, tr_arm_side side);
// Gives an arm back to the body's motion, eased over 0.4 s. Meant for an arm that is where it hung.
void tr_overlay_give_arm(tr_overlay *overlay, tr_arm_side side);

// Makes the body look at a point of the world from now on, wherever the body goes; NULL: ahead again. Neck
// and head turn within their limits, in about half a second. Arms must be prepared.
void tr_overlay_look_at(tr_overlay *overlay, const tr_vec3 *point);

typedef struct tr_overlay_arm_view {
    tr_overlay_arm_doing doing;
    tr_arm arm;                   // as the body holds it now
    tr_posture posture, velocity; // [rad], [rad/s]
    tr_posture rest;              // its posture when it was taken
    tr_arm_timing arm_timing;     // the path, as last timed
    double time;                  // along arm_timing [s]
    const tr_arm_rig *joints;
} tr_overlay_arm_view;
// TR_INVALID: no such arm.
tr_status tr_overlay_look_arm(const tr_overlay *overlay, tr_arm_side side, tr_overlay_arm_view *view);

// Writes or reads everything that the next tick depends on. Read into an overlay of the same cast. Memory for
// arms is allocated if the overlay that was written had them.
void tr_overlay_archive(tr_overlay *overlay, tr_archive *archive);
