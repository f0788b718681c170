// stage/actor/actor.h - an acting character: it follows a route with its whole body, feet on the ground.
//
// The disc of tr_follow leads, and tr_locomotion supplies the pose for its speed. Turns on the spot and
// side-steps are clips of their own, transitions are inertialised, and tr_foot_lock holds the feet. The actor
// takes stairs and gaps by footsteps (tr_footstep_motion). While it stands, its arms can be moved along
// paths. An actor knows neither maps nor other actors.
#pragma once
#include "motion/driver/driver.h"
#include "motion/overlay/overlay.h"
#include "troupe/stage/actor.h"

typedef struct tr_actor_def {
    const tr_allocator *allocator;
    const tr_character *character; // must outlive the actor
    tr_vec2 position;
    float heading;             // [rad]
    float ground;              // height of the floor [m]
    float speed;               // default walking speed [m/s, > 0]; 0: 1.3
    float corridor;            // how far it may stray from its route [m, > 0]; 0: 0.1
    float dt;                  // of every step [s, > 0]; 0: 1/30
    uint32_t route_points_max; // of a route; 0: 256
    tr_manner manner;          // how it departs from the clips of the character
    // Height of the floor above `ground` at a point [m, >= 0], for low objects that the actor steps onto;
    // NULL: level. Called many times from the thread of a step; must only read.
    float (*rise)(void *user, tr_vec2 point);
    void *rise_user;
    // An upper bound of `rise` in a rectangle, which saves most calls of `rise` on level floors. NULL: none.
    float (*rise_most)(void *user, tr_vec2 min, tr_vec2 max);
    // The height of the floor near the height `point.y`, for routes with heights; as in tr_overlay_def. NULL:
    // such routes are level under the feet.
    float (*floor)(void *user, tr_vec3 point);
} tr_actor_def;

typedef struct tr_actor tr_actor;

tr_status tr_actor_create(const tr_actor_def *def, tr_actor **actor, tr_error *error);
void tr_actor_destroy(tr_actor *actor); // NULL is allowed

// Puts the actor somewhere else, standing. It stops what it was doing, except with its arms.
tr_status tr_actor_place(tr_actor *actor, tr_vec2 position, float ground, float heading, tr_error *error);

// Tells an actor that stands whether the floor under it is not level: then each foot stands on `floor` of
// tr_actor_def. A route decides anew.
void tr_actor_set_slopes(tr_actor *actor, bool slopes);

// Changes `rise` of tr_actor_def. Planted feet stay where they are.
void tr_actor_set_rise(tr_actor *actor, float (*rise)(void *user, tr_vec2 point), void *user);

// Reserves memory for routes of `point_count` points [at most route_points_max] and for `footstep_count`
// footsteps [at most TR_ACTOR_FOOTSTEPS_MAX], so that setting these allocates nothing. TR_LIMIT,
// TR_OUT_OF_MEMORY.
tr_status tr_actor_reserve(tr_actor *actor, uint32_t point_count, uint32_t footstep_count, tr_error *error);

// Makes the actor follow this route from now on, at `speed` [m/s, > 0; 0: the actor's own]. The transition is
// smooth: the actor first finishes a turn, a side-step or a step over footsteps. `passage` (may be NULL:
// open) holds a tr_passage for each of the point_count - 1 pieces. `final_heading` (may be NULL) is the
// heading at the end [rad]. The route begins where the actor is. Allocates if the route has more points than
// any before. TR_INVALID, TR_LIMIT, TR_OUT_OF_MEMORY: the actor continues as before.
tr_status tr_actor_set_route(tr_actor *actor, const tr_vec2 *points, uint32_t point_count,
                             const uint8_t *passage, const float *final_heading, float speed,
                             tr_error *error);

#define TR_ACTOR_FOOTSTEPS_MAX 512

// Makes the actor step on these footsteps from now on, at the pace of a walk at `speed` [m/s, > 0; 0: that of
// the actor]; its route is dropped. The footsteps are copied. A step that has begun is finished first.
// `floor` (may be NULL) returns heights for swinging feet, as in tr_footstep_motion_params. At the end the
// actor stands on both feet, on the floor of the last footstep. Allocates if there are more footsteps than in
// any call before. TR_INVALID: there are no footsteps, or one is not finite. TR_LIMIT: there are too many.
// TR_OUT_OF_MEMORY. After a failure the actor continues as before.
tr_status tr_actor_set_footsteps(tr_actor *actor, const tr_footstep *footsteps, uint32_t footstep_count,
                                 float speed, float (*floor)(void *user, tr_vec3 point), void *floor_user,
                                 tr_error *error);
// Writes the current places of the feet, for tr_footstep_plan; that of a foot in the air is where it is about
// to land. Returns the foot that is in the air and should land first, or 2 if either may. *landing (may be
// NULL) receives what it costs to land elsewhere, for tr_footstep_query.
uint32_t tr_actor_feet(const tr_actor *actor, tr_footstep feet[2], float *landing);
// Writes where the feet will be when the step in progress has ended. Returns the foot that moves next, or 2
// if either may.
uint32_t tr_actor_landed_feet(const tr_actor *actor, tr_footstep feet[2]);
// Returns whether the actor can change from footsteps to walking without stopping. It can while only the
// closing step is left, which brings the feet together: tr_actor_set_route then continues with a walk.
bool tr_actor_may_walk_on(const tr_actor *actor);
// Returns the footsteps that the actor has not begun, and their number.
const tr_footstep *tr_actor_footsteps(const tr_actor *actor, uint32_t *footstep_count);
// Carries the actor to another place on the floor, as a lift does, in `seconds` [> 0]: the actor stands, and
// its feet move with the floor. A ride is always finished, whatever the speed limit; a route that is set
// during the ride begins at its end. TR_INVALID: the actor does not stand on level ground, or an argument is
// not finite; the actor continues as before.
tr_status tr_actor_set_ride(tr_actor *actor, tr_vec3 to, float seconds, tr_error *error);

// --- Behaviors ---

// Makes the actor ready to play chains of these clips, at the rate of its ticks at most. Call it once.
// TR_INVALID: as for tr_behavior_motion_create.
tr_status tr_actor_prepare_perform(tr_actor *actor, const tr_behavior_motion_def *def, tr_error *error);
bool tr_actor_may_perform(const tr_actor *actor); // after tr_actor_prepare_perform
// Tries a chain from this time of it on [s, >= 0]: writes the root on the floor after each tick until the
// chain ends, at most `max`; *count gets the number of ticks. A chain that is tried while another one is
// played goes on from where that one is. The actor goes on as before. TR_INVALID: arms are taken, the actor
// neither stands where the chain begins nor plays another one, or as for tr_behavior_motion_set, which may
// allocate.
tr_status tr_actor_try_perform(tr_actor *actor, const tr_behavior_motion_chain *chain, double time,
                               tr_vec3 *positions, uint32_t max, uint32_t *count, tr_error *error);
// Plays the chain that was tried last, with success, since the last step. It is always finished.
void tr_actor_perform(tr_actor *actor);
// The chain that the actor plays, and the time of it [s]; NULL: none.
const tr_behavior_motion *tr_actor_motion(const tr_actor *actor, double *time);

// Sets the planes that the arms stay behind, from the next step until the next call (tr_overlay_set_walls).
void tr_actor_set_walls(tr_actor *actor, const tr_overlay_wall *walls, uint32_t count);
// Sets the feet of others that swinging feet avoid in the next step (tr_overlay_set_bars). They are not
// copied.
void tr_actor_set_bars(tr_actor *actor, const tr_foot_lock_bar *bars, uint32_t count);
// Describes a foot of this actor for other actors: where it will be after the next step, predicted from the
// last one. The caller sets `away`.
void tr_actor_foot_bar(const tr_actor *actor, uint32_t side, tr_foot_lock_bar *bar);

// --- Arms ---

#define TR_ACTOR_KNOTS_MAX TR_OVERLAY_KNOTS_MAX // of a path

typedef tr_overlay_arm_doing tr_actor_arm_doing;
#define TR_ACTOR_ARM_SWINGS TR_OVERLAY_ARM_SWINGS
#define TR_ACTOR_ARM_SETTLES TR_OVERLAY_ARM_SETTLES
#define TR_ACTOR_ARM_MOVES TR_OVERLAY_ARM_MOVES
#define TR_ACTOR_ARM_BRAKES TR_OVERLAY_ARM_BRAKES
#define TR_ACTOR_ARM_STAYS TR_OVERLAY_ARM_STAYS
#define TR_ACTOR_ARM_FADES TR_OVERLAY_ARM_FADES

// Measures both arms and allocates the memory that they need. Call it once, before you take an arm.
// TR_NOT_FOUND: the skeleton has neither arm; the error names a missing role.
tr_status tr_actor_prepare_arms(tr_actor *actor, tr_error *error);
bool tr_actor_has_arm(const tr_actor *actor, tr_arm_side side); // after tr_actor_prepare_arms

// Takes an arm out of the animation. The body stands still from then on and holds its breath, eased over
// 0.3 s, so that a path that is planned for the arm stays valid. The arm can be moved when it "stays".
// Neither this function nor the following ones allocate. TR_INVALID: no such arm, or arms are not prepared.
tr_status tr_actor_take_arm(tr_actor *actor, tr_arm_side side, tr_error *error);
// Moves the arm along this path, timed by tr_arm_timing_make. The path begins at the current posture, and
// params->velocity is the current velocity of the arm. The knots are copied. TR_LIMIT: there are too many
// knots. TR_INVALID: the arm was not taken.
tr_status tr_actor_move_arm(tr_actor *actor, tr_arm_side side, const tr_arm_path *arm_path,
                            const tr_arm_timing_params *params, tr_error *error);
// Brings the arm to rest on its path within 0.25 s; it then stays there.
void tr_actor_brake_arm(tr_actor *actor, tr_arm_side side);
// Gives the arm back to the animation, eased over 0.4 s. Meant for an arm that hangs.
void tr_actor_give_arm(tr_actor *actor, tr_arm_side side);

// Makes the actor look at this point of the world from now on, wherever the body goes; NULL: ahead again.
// Neck and head turn within their limits, in about half a second. Call tr_actor_prepare_arms first.
void tr_actor_look_at(tr_actor *actor, const tr_vec3 *point);

typedef tr_overlay_arm_view tr_actor_arm_view;
// TR_INVALID: no such arm.
tr_status tr_actor_look_arm(const tr_actor *actor, tr_arm_side side, tr_actor_arm_view *view);

// --- The upper body among obstacles ---

// Makes the actor ready to depart from its motion (tr_overlay_prepare_comply). Call it once.
tr_status tr_actor_prepare_upper(tr_actor *actor, const tr_upper *upper, tr_error *error);
// How waist and arms depart from its motion in the next ticks (tr_overlay_set_departures).
void tr_actor_set_departures(tr_actor *actor, const tr_comply_pose *departures, uint32_t count);
bool tr_actor_departs(const tr_actor *actor);
bool tr_actor_has_departures(const tr_actor *actor);
bool tr_actor_departure(const tr_actor *actor, tr_overlay_departure_view *view);
// Makes `to`, of the same character, do what `from` is doing, from the same moment on, but without arms that
// are taken, without departures, and with nobody near: an understudy that rehearses the motion of the body.
// It plays no behaviors. TR_LIMIT: it has not reserved enough room (tr_actor_reserve). TR_INVALID: they are
// of different characters. No allocation.
tr_status tr_actor_mimic(tr_actor *to, const tr_actor *from);

// Working memory of one thread, for stepping actors whose characters have `joint_count` joints.
typedef struct tr_actor_scratch {
    tr_pose poses[3];
} tr_actor_scratch;
tr_status tr_actor_scratch_create(const tr_allocator *allocator, uint32_t joint_count,
                                  tr_actor_scratch *scratch, tr_error *error);
void tr_actor_scratch_destroy(tr_actor_scratch *scratch);

// Advances the actor by its dt, no faster than `speed_limit` [m/s, >= 0; INFINITY]. TR_OK: it is under way.
// TR_DONE: it stands at the end of its route, or has none; if you keep stepping it, it breathes. Allocates
// nothing. Different threads may step different actors, each with a scratch for the character's joint count.
tr_status tr_actor_step(tr_actor *actor, tr_actor_scratch *scratch, float speed_limit);

// The current state of an actor; pointers are valid until the next step.
typedef struct actor_look {
    tr_follow_state state; // where the disc is
    tr_actor_doing doing;
    const tr_pose *pose;    // relative to `place`
    const tr_affine *model; // of every joint in the world
    tr_affine place;
    uint32_t contacts; // tr_contact
    float ground;      // height of the floor it walks on [m]; on footsteps: height of its base point
    const tr_character *character;
    const tr_follow_route *route;
} actor_look;
actor_look tr_actor_look(const tr_actor *actor);
// Does it run, or change from a run to a walk or back? Footsteps are better begun in a walk.
bool tr_actor_runs(const tr_actor *actor);
// Returns the distance in which an actor that walks as it does now comes to rest at the end of its route [m].
float tr_actor_brake_distance(const tr_actor *actor);
// Returns only the root of the actor: its disc, and more.
const tr_driver_root *tr_actor_root(const tr_actor *actor);

// --- Ghosts ---

// A ghost tries a motion without moving the actor: it computes where the root of the actor would be. The root
// of an actor (its disc) does not depend on the pose, so a ghost is cheap, and its result is bit for bit the
// same as that of tr_actor_step. Use one ghost for each thread that plans; it allocates only when it is
// created and in tr_actor_ghost_reserve. It reads the actor and leaves its motion unchanged. However, it
// stores the ticks that it walked in the actor, so that the next ghost, a few ticks later, need not repeat
// them. Run only one ghost of an actor at a time.
typedef struct tr_actor_ghost tr_actor_ghost;
#define TR_ACTOR_GHOST_TICKS 128 // maximum that a ghost can go after tr_actor_ghost_begin

// `route_points_max` 0: 256.
tr_status tr_actor_ghost_create(const tr_allocator *allocator, uint32_t route_points_max,
                                tr_actor_ghost **ghost, tr_error *error);
void tr_actor_ghost_destroy(tr_actor_ghost *ghost); // NULL is allowed
// Reserves memory to keep the results of routes that were tried for `waiting` standing actors, about 16 KB
// for each. An actor that waits and tries the same route again then costs little. The results are the same
// with and without this memory. A new ghost has none.
tr_status tr_actor_ghost_reserve(tr_actor_ghost *ghost, uint32_t waiting, tr_error *error);
// Begins at the current state of the actor and with its current route or footsteps. Do not step or change
// the actor while you use the ghost.
void tr_actor_ghost_begin(tr_actor_ghost *ghost, tr_actor *actor);
// Replace the motion of the ghost, as tr_actor_set_route, tr_actor_set_footsteps and tr_actor_set_ride do.
// Call them before tr_actor_ghost_go; the last call counts. After a failure the ghost continues as the actor
// does.
tr_status tr_actor_ghost_set_route(tr_actor_ghost *ghost, const tr_vec2 *points, uint32_t point_count,
                                   const uint8_t *passage, const float *final_heading, float speed,
                                   tr_error *error);
// With the height of the floor at every point (NULL: level), as tr_driver_set_heights has it. The feet stand
// on `floor` of tr_actor_def.
tr_status tr_actor_ghost_set_slopes(tr_actor_ghost *ghost, const tr_vec2 *points, const float *heights,
                                    uint32_t point_count, const uint8_t *passage, const float *final_heading,
                                    float speed, tr_error *error);
tr_status tr_actor_ghost_set_footsteps(tr_actor_ghost *ghost, const tr_footstep *footsteps,
                                       uint32_t footstep_count, float speed,
                                       float (*floor)(void *user, tr_vec3 point), void *floor_user,
                                       tr_error *error);
tr_status tr_actor_ghost_set_ride(tr_actor_ghost *ghost, tr_vec3 to, float seconds, tr_error *error);
// Advances by up to `ticks` at the speed limit `limit` [m/s], TR_ACTOR_GHOST_TICKS in all. positions[i] (may
// be NULL) receives the root on the floor after the (i + 1)th of these ticks. *done (may be NULL): the ghost
// reached its end. Returns the number of ticks that it went.
uint32_t tr_actor_ghost_go(tr_actor_ghost *ghost, float limit, uint32_t ticks, tr_vec3 *positions,
                           bool *done);
// Brings the ghost to rest with a speed limit of 0, from its state `after` ticks after it began [at most the
// number of ticks that it went]. `positions` receives the root after each tick, at most `max` of them. The
// actor stays at the last position as long as its limit is 0: it stands, has finished a turn on the spot or a
// ride, or stands on both feet on its footsteps. The ticks that the ghost went before are unchanged. Returns
// the number of ticks until it rests (0: it rests there already).
uint32_t tr_actor_ghost_stop(tr_actor_ghost *ghost, uint32_t after, tr_vec3 *positions, uint32_t max);
// The same in parts, for callers that may reject the stop before it ends. Call tr_actor_ghost_brake first; it
// chooses the tick from which the ghost stops. Then call tr_actor_ghost_brake_on, which advances by at most
// `ticks`, until *rests is set. positions[i], i < max, receives the root after the (i + 1)th tick of the
// call. Returns the number of ticks of the call.
void tr_actor_ghost_brake(tr_actor_ghost *ghost, uint32_t after);
uint32_t tr_actor_ghost_brake_on(tr_actor_ghost *ghost, uint32_t ticks, tr_vec3 *positions, uint32_t max,
                                 bool *rests);
// Returns the root where the last tr_actor_ghost_stop brought it to rest.
tr_follow_state tr_actor_ghost_rest(const tr_actor_ghost *ghost);
// Returns the root after `after` ticks [at most the number of ticks that the ghost went].
tr_follow_state tr_actor_ghost_state(const tr_actor_ghost *ghost, uint32_t after);
// Gives the actor the route, footsteps or ride of the ghost, as tr_actor_set_route, tr_actor_set_footsteps or
// tr_actor_set_ride would, but without preparing it again. May allocate, as those functions do.
// TR_OUT_OF_MEMORY: the actor continues as before.
tr_status tr_actor_take(tr_actor *actor, tr_actor_ghost *ghost);

// --- Saving ---

// Writes or reads everything that the future of the actor depends on. Read into an actor of the same
// character, dt and corridor. If the actor steps on footsteps, `floor` must be the function that was passed
// to tr_actor_set_footsteps. If reading fails, the actor can only be destroyed.
void tr_actor_archive(tr_actor *actor, float (*floor)(void *user, tr_vec3 point), void *floor_user,
                      tr_archive *archive);
