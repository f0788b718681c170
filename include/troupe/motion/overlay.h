// troupe/motion/overlay.h - what is put on top of the pose that a driver gives: one ordered pipeline.
//
//   carry       feet that stand go with a floor that moves
//   transition  what the motion before was ahead dies away
//   legs        of a driver that knows where its feet are (footsteps)
//   shoulders   are turned and arms held close in tight places
//   foot_lock   feet that touch the floor stay where they came down, and out of other feet
//   room        arms are drawn in where others or walls are near
//   arms        that were taken are moved along paths of their own
//   gaze        neck and head turn towards a point
//
// Each part reads what those before it have made, so that nothing jumps wherever the body goes.
#pragma once
#include "troupe/motion/arm_rig.h"
#include "troupe/motion/driver.h"
#include "troupe/motion/inertia.h"
#include "troupe/motion/arm_timing.h"

TR_BEGIN_DECLARATIONS

typedef struct tr_overlay_def {
    const tr_allocator *allocator; // NULL: malloc
    const tr_cast *cast;           // must outlive the overlay
    float ground;                  // height of the floor [m]
    // How much higher than `ground` the floor is at a point [m, >= 0], for what lies on it and is stepped
    // onto; NULL: level. Called from the thread of a tick, many times: it only reads.
    float (*rise)(void *user, tr_vec2 point);
    void *rise_user;
    // The most that `rise` gives anywhere in a rectangle, or more; NULL: every point is asked. Saves most of
    // the questions where the floor is level.
    float (*rise_most)(void *user, tr_vec2 min, tr_vec2 max);
} tr_overlay_def;

// Of one body.
typedef struct tr_overlay tr_overlay;
TR_API tr_status tr_overlay_create(const tr_overlay_def *def, tr_overlay **overlay, tr_error *error);
TR_API void tr_overlay_destroy(tr_overlay *overlay); // NULL is allowed

// After a tick of `driver`: pose, model and contacts of the body become what is shown. No allocation.
TR_API void tr_overlay_apply(tr_overlay *overlay, const tr_driver *driver, tr_driver_state *state,
                             const tr_driver_task *task, const tr_driver_nature *nature,
                             tr_driver_body *body);
// A driver that held the feet itself has ended: hold them where they are shown, on a floor of that height.
TR_API void tr_overlay_hold_feet(tr_overlay *overlay, float ground, tr_driver_body *body);
// The body was put elsewhere: nothing of before counts. Arms that were taken stay taken.
TR_API void tr_overlay_forget(tr_overlay *overlay, float ground);
// Another floor from now on, as in tr_overlay_def. Feet that stand stay where they are.
TR_API void tr_overlay_set_rise(tr_overlay *overlay, float (*rise)(void *user, tr_vec2 point), void *user);
// How much higher than the ground a foot stands, or was to come down [m].
TR_API float tr_overlay_foot_rise(const tr_overlay *overlay, uint32_t side);
// What of a tick passes for a body that stands [0, 1], for tr_driver_body: less while arms are taken.
TR_API float tr_overlay_stand_share(const tr_overlay *overlay);

// --- Room ---

#define TR_OVERLAY_WALLS_MAX 32

// An upright plane that arms stay behind. Two bodies whose arms stay on their own sides of one plane do not
// touch with them.
typedef struct tr_overlay_wall {
    tr_vec2 away; // from the body to the plane, length 1
    float room;   // from the root to the plane, along `away` [m]
    bool soon;    // not there yet: arms are drawn in for it as long as that can be done smoothly
} tr_overlay_wall;
// The walls of the next ticks, until they are told anew; more than TR_OVERLAY_WALLS_MAX are left out. An arm
// that would be beyond one is brought towards hanging straight down, just so far that it is not. Where even
// that is beyond a wall, it hangs. Arms that were taken, trunk and legs mind no walls. They are not archived.
TR_API void tr_overlay_set_walls(tr_overlay *overlay, const tr_overlay_wall *walls, uint32_t count);

// Feet of others who are near, for the next tick alone: feet that swing do not come down in them. Not copied.
// A driver that knows where its feet are minds none.
TR_API void tr_overlay_set_bars(tr_overlay *overlay, const tr_foot_lock_bar *bars, uint32_t count);
// A foot as it is shown: `away` and `share` are left to the caller. How far it moved in the last tick is
// returned.
TR_API tr_vec3 tr_overlay_bar(const tr_overlay *overlay, const tr_affine *model, uint32_t side,
                              tr_foot_lock_bar *bar);

// --- Arms ---

#define TR_OVERLAY_KNOTS_MAX 256 // of a path

typedef enum tr_overlay_arm_doing {
    TR_OVERLAY_ARM_SWINGS,  // is the body's
    TR_OVERLAY_ARM_SETTLES, // is being taken: the body comes to stand still
    TR_OVERLAY_ARM_MOVES,   // along its path
    TR_OVERLAY_ARM_BRAKES,  // still along its path, slower and slower
    TR_OVERLAY_ARM_STAYS,   // where it was brought
    TR_OVERLAY_ARM_FADES    // is being given back
} tr_overlay_arm_doing;

// Room for two arms and their measures; needed once, before the first is taken. TR_NOT_FOUND: the skeleton
// has neither arm (a role is named).
TR_API tr_status tr_overlay_prepare_arms(tr_overlay *overlay, tr_error *error);
TR_API bool tr_overlay_has_arm(const tr_overlay *overlay, tr_arm_side side); // once prepared

// Take an arm out of what the body does. The body stands still from then on (it holds its breath, eased over
// 0.3 s), so that what is planned for the arm stays true; the arm is ready to be moved when it "stays".
// TR_INVALID: no such arm, or arms are not prepared. No allocation, nor in what follows.
TR_API tr_status tr_overlay_take_arm(tr_overlay *overlay, tr_arm_side side, tr_error *error);
// Go this way from now on, timed as tr_arm_timing_make does. The path begins where the arm is, and
// params->velocity is how it moves now. Knots are copied. TR_LIMIT: too many of them. TR_INVALID: the arm was
// not taken.
TR_API tr_status tr_overlay_move_arm(tr_overlay *overlay, tr_arm_side side, const tr_arm_path *arm_path,
                                     const tr_arm_timing_params *params, tr_error *error);
// Come to rest on the path within 0.25 s; then it stays.
TR_API void tr_overlay_brake_arm(tr_overlay *overlay, tr_arm_side side);
// Back to what the body does, eased over 0.4 s. Meant for an arm that is where it hung.
TR_API void tr_overlay_give_arm(tr_overlay *overlay, tr_arm_side side);

// Look at this point of the world from now on, wherever the body goes; NULL: ahead again. Neck and head turn
// within their limits, in about half a second. Needs arms to be prepared.
TR_API void tr_overlay_look_at(tr_overlay *overlay, const tr_vec3 *point);

typedef struct tr_overlay_arm_view {
    tr_overlay_arm_doing doing;
    tr_arm arm;                   // as the body holds it now
    tr_posture posture, velocity; // [rad], [rad/s]
    tr_posture rest;              // how it hung when it was taken
    tr_arm_timing arm_timing;     // the path, as it was timed last
    double time;                  // in it [s]
    const tr_arm_rig *joints;
} tr_overlay_arm_view;
// TR_INVALID: no such arm.
TR_API tr_status tr_overlay_look_arm(const tr_overlay *overlay, tr_arm_side side, tr_overlay_arm_view *view);

// All that the next tick depends on, written or read. An overlay that is read is one of the same cast; memory
// for arms is taken where the one that was written had them.
TR_API void tr_overlay_archive(tr_overlay *overlay, tr_archive *archive);

TR_END_DECLARATIONS
