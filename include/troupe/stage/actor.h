// troupe/stage/actor.h - one character at work: it follows a route with its whole body, feet on the ground.
//
// The disc of tr_follow leads, tr_locomotion gives the pose for its speed, turns on the spot and side-steps
// are clips of their own, transitions are inertialised and feet held by tr_plant. Over stairs and gaps it
// goes by footprints (tr_stepping). Its arms can be taken and moved along paths while it stands. An actor
// knows nothing of maps or of others.
#pragma once
#include "troupe/motion/driver.h"
#include "troupe/motion/overlay.h"
#include "troupe/stage/character.h"

TR_BEGIN_DECLARATIONS

typedef struct tr_actor_def {
    const tr_allocator *allocator;
    const tr_character *character; // must outlive the actor
    tr_vec2 position;
    float heading;             // [rad]
    float ground;              // height of the floor [m]
    float speed;               // that it walks at by default [m/s, > 0]; 0: 1.3
    float corridor;            // how far from its route it may get [m, > 0]; 0: 0.1
    float dt;                  // of the steps it will be asked for [s, > 0]; 0: 1/30
    uint32_t route_points_max; // that it may be told; 0: 256
    // How much higher than `ground` the floor is at a point [m, >= 0], for what lies on it and is stepped
    // onto; NULL: level. Called from the thread of a step, many times: it only reads.
    float (*rise)(void *user, tr_vec2 point);
    void *rise_user;
    // The most that `rise` gives anywhere in a rectangle, or more; NULL: every point is asked. Saves most of
    // the questions where the floor is level.
    float (*rise_most)(void *user, tr_vec2 min, tr_vec2 max);
} tr_actor_def;

typedef struct tr_actor tr_actor;

TR_API tr_status tr_actor_create(const tr_actor_def *def, tr_actor **actor, tr_error *error);
TR_API void tr_actor_destroy(tr_actor *actor); // NULL is allowed

// Put it somewhere else, standing: what it did is over, but for its arms.
TR_API tr_status tr_actor_place(tr_actor *actor, tr_vec2 position, float ground, float heading,
                                tr_error *error);

// Another floor from now on, as in tr_actor_def. Feet that stand stay where they are.
TR_API void tr_actor_set_rise(tr_actor *actor, float (*rise)(void *user, tr_vec2 point), void *user);

// Room for routes of so many points [at most route_points_max] and for so many footprints [at most
// TR_ACTOR_TREADS_MAX]: being told such allocates nothing from then on. TR_LIMIT, TR_OUT_OF_MEMORY.
TR_API tr_status tr_actor_reserve(tr_actor *actor, uint32_t point_count, uint32_t tread_count,
                                  tr_error *error);

// Go this way from now on, at `speed` [m/s, > 0; 0: the actor's own]. Whatever it is doing goes over
// smoothly: a turn, a step aside and a step over footprints are finished first. `passage` (may be NULL: open)
// is a tr_passage for each of the point_count - 1 pieces; `final_heading` (may be NULL) is how to stand at
// the end [rad]. The route begins where the actor is. Memory grows where a route has more points than any
// before. TR_INVALID, TR_LIMIT, TR_OUT_OF_MEMORY: the actor does what it did.
TR_API tr_status tr_actor_set_route(tr_actor *actor, const tr_vec2 *points, uint32_t point_count,
                                    const uint8_t *passage, const float *final_heading, float speed,
                                    tr_error *error);

#define TR_ACTOR_TREADS_MAX 512

// Go over these footprints from now on, whatever it was doing; the route is forgotten. They are copied.
// `floor` (may be NULL) tells heights for the feet that swing, as in tr_stepping_params. At the end it stands
// on both feet, on the floor of the last one. TR_INVALID: none, or one that is not finite. TR_LIMIT: too
// many. TR_OUT_OF_MEMORY: memory grows where there are more than ever before. The actor then does what it
// did.
TR_API tr_status tr_actor_set_treads(tr_actor *actor, const tr_tread *treads, uint32_t tread_count,
                                     float (*floor)(void *user, tr_vec3 point), void *floor_user,
                                     tr_error *error);
// Where the feet are now, for tr_tread_plan. Returns which of them is in the air and should come down first,
// 2 when either may.
TR_API uint32_t tr_actor_feet(const tr_actor *actor, tr_tread feet[2]);
// May it walk on from its footprints without coming to a stand? In the moment when only the closing step of
// them is left, which brings the feet together: then tr_actor_set_route goes over to walking.
TR_API bool tr_actor_may_walk_on(const tr_actor *actor);
// How many of its footprints are still to be begun, and the next of them.
TR_API const tr_tread *tr_actor_treads(const tr_actor *actor, uint32_t *tread_count);
// Be carried to another place on the floor, as by a lift, in so many seconds [> 0]: it stands, and its feet
// go with the floor. A ride is finished whatever the speed limit; a route that is told meanwhile is begun at
// its end. TR_INVALID: it does not stand on level ground, or something is not finite; the actor does what it
// did.
TR_API tr_status tr_actor_set_ride(tr_actor *actor, tr_vec3 to, float seconds, tr_error *error);

// Planes that arms stay behind in the next step, and until they are told anew (tr_overlay_set_walls).
TR_API void tr_actor_set_walls(tr_actor *actor, const tr_overlay_wall *walls, uint32_t count);

// --- Arms ---

#define TR_ACTOR_KNOTS_MAX TR_OVERLAY_KNOTS_MAX // of a path

typedef tr_overlay_arm_doing tr_actor_arm_doing;
#define TR_ACTOR_ARM_SWINGS TR_OVERLAY_ARM_SWINGS
#define TR_ACTOR_ARM_SETTLES TR_OVERLAY_ARM_SETTLES
#define TR_ACTOR_ARM_MOVES TR_OVERLAY_ARM_MOVES
#define TR_ACTOR_ARM_BRAKES TR_OVERLAY_ARM_BRAKES
#define TR_ACTOR_ARM_STAYS TR_OVERLAY_ARM_STAYS
#define TR_ACTOR_ARM_FADES TR_OVERLAY_ARM_FADES

// Room for two arms and their measures; needed once, before the first is taken. TR_NOT_FOUND: the skeleton
// has neither arm (a role is named).
TR_API tr_status tr_actor_prepare_arms(tr_actor *actor, tr_error *error);
TR_API bool tr_actor_has_arm(const tr_actor *actor, tr_arm_side side); // once prepared

// Take an arm out of what the body does. The body stands still from then on (it holds its breath, eased over
// 0.3 s), so that what is planned for the arm stays true; the arm is ready to be moved when it "stays".
// TR_INVALID: no such arm, or arms are not prepared. No allocation, nor in what follows.
TR_API tr_status tr_actor_take_arm(tr_actor *actor, tr_arm_side side, tr_error *error);
// Go this way from now on, timed as tr_stroke_make does. The path begins where the arm is, and
// params->velocity is how it moves now. Knots are copied. TR_LIMIT: too many of them. TR_INVALID: the arm was
// not taken.
TR_API tr_status tr_actor_move_arm(tr_actor *actor, tr_arm_side side, const tr_sweep *sweep,
                                   const tr_stroke_params *params, tr_error *error);
// Come to rest on the path within 0.25 s; then it stays.
TR_API void tr_actor_brake_arm(tr_actor *actor, tr_arm_side side);
// Back to what the body does, eased over 0.4 s. Meant for an arm that is where it hung.
TR_API void tr_actor_give_arm(tr_actor *actor, tr_arm_side side);

// Look at this point of the world from now on, wherever the body goes; NULL: ahead again. Neck and head turn
// within their limits, in about half a second. Needs arms to be prepared.
TR_API void tr_actor_look_at(tr_actor *actor, const tr_vec3 *point);

typedef tr_overlay_arm_view tr_actor_arm_view;
// TR_INVALID: no such arm.
TR_API tr_status tr_actor_look_arm(const tr_actor *actor, tr_arm_side side, tr_actor_arm_view *view);

// What one thread needs to step actors whose characters have `joint_count` joints.
typedef struct tr_actor_scratch {
    tr_pose poses[3];
} tr_actor_scratch;
TR_API tr_status tr_actor_scratch_create(const tr_allocator *allocator, uint32_t joint_count,
                                         tr_actor_scratch *scratch, tr_error *error);
TR_API void tr_actor_scratch_destroy(tr_actor_scratch *scratch);

// One step of the dt it was made for. `speed_limit` [m/s, >= 0; INFINITY]. TR_OK: on the way; TR_DONE: stands
// at the end of its route (or has none), and may be stepped on: it breathes. No allocation. Different actors
// on different threads, each with a scratch of its own character's joint count.
TR_API tr_status tr_actor_step(tr_actor *actor, tr_actor_scratch *scratch, float speed_limit);

typedef tr_driver_doing tr_actor_doing;
#define TR_ACTOR_STANDS TR_DRIVER_STANDS
#define TR_ACTOR_WALKS TR_DRIVER_WALKS
#define TR_ACTOR_TURNS TR_DRIVER_TURNS
#define TR_ACTOR_SIDE_STEPS TR_DRIVER_SIDE_STEPS
#define TR_ACTOR_STEPS TR_DRIVER_TREADS // over footprints
#define TR_ACTOR_RIDES TR_DRIVER_RIDES  // stands, and is carried

// How it is now; pointers are valid until the next step.
typedef struct tr_actor_view {
    tr_follow_state state; // where the disc is
    tr_actor_doing doing;
    const tr_pose *pose;    // relative to `place`
    const tr_affine *model; // of every joint in the world
    tr_affine place;
    uint32_t contacts; // tr_contact
    float ground;      // height of the floor it walks on [m]; over footprints, that of its base point
    const tr_character *character;
    const tr_follow_route *route;
} tr_actor_view;
TR_API tr_actor_view tr_actor_look(const tr_actor *actor);
// The root alone, which is most of what is asked: where the disc is, and more.
TR_API const tr_driver_root *tr_actor_root(const tr_actor *actor);

// --- Ghosts ---

// An actor that is tried and not moved: where would its root be if it did this? The root of an actor (its
// disc) does not depend on its pose, so the answer costs little and is, bit for bit, what tr_actor_step does
// then. One for each thread that plans; nothing is allocated after it was made. What the actor does is only
// read. It keeps where its last ghost walked, so that the next one, a few ticks later, need not walk there
// again: one ghost of an actor at a time.
typedef struct tr_actor_ghost tr_actor_ghost;
#define TR_ACTOR_GHOST_TICKS 128 // it can go, from one begin on

// `route_points_max` 0: 256.
TR_API tr_status tr_actor_ghost_create(const tr_allocator *allocator, uint32_t route_points_max,
                                       tr_actor_ghost **ghost, tr_error *error);
TR_API void tr_actor_ghost_destroy(tr_actor_ghost *ghost); // NULL is allowed
// From where the actor is now, doing what it does. The actor must not be stepped or told anything before the
// ghost is done with.
TR_API void tr_actor_ghost_begin(tr_actor_ghost *ghost, tr_actor *actor);
// Then perhaps something else, as tr_actor_set_route, tr_actor_set_treads and tr_actor_set_ride: before it
// goes, and of several the last counts. When refused it does what the actor does.
TR_API tr_status tr_actor_ghost_set_route(tr_actor_ghost *ghost, const tr_vec2 *points, uint32_t point_count,
                                          const uint8_t *passage, const float *final_heading, float speed,
                                          tr_error *error);
TR_API tr_status tr_actor_ghost_set_treads(tr_actor_ghost *ghost, const tr_tread *treads,
                                           uint32_t tread_count, float (*floor)(void *user, tr_vec3 point),
                                           void *floor_user, tr_error *error);
TR_API tr_status tr_actor_ghost_set_ride(tr_actor_ghost *ghost, tr_vec3 to, float seconds, tr_error *error);
// Go on for `ticks` more at `limit` [m/s], TR_ACTOR_GHOST_TICKS in all since it began. positions[i] (on the
// floor; may be NULL) is where the root is after the (i + 1)th of these. *done (may be NULL): it came to its
// end. Returns how many ticks it went.
TR_API uint32_t tr_actor_ghost_go(tr_actor_ghost *ghost, float limit, uint32_t ticks, tr_vec3 *positions,
                                  bool *done);
// From where it was `after` ticks since it began [at most as many as it went], at limit 0 until it rests:
// where the root is after each tick, at most `max` of them written. The last is where it stays, however long
// it is stepped with a limit of 0: a walker stands, a turn on the spot or a ride is finished, over footprints
// it stands on both feet. Does not change what it went. Returns how many ticks that takes (0: it rests there
// already).
TR_API uint32_t tr_actor_ghost_stop(tr_actor_ghost *ghost, uint32_t after, tr_vec3 *positions, uint32_t max);
// The same in parts, for those who may know before its end that it is of no use. First from where it stops,
// then for so many ticks at most, again and again until it rests (*rests). positions[i], i < max, is where
// the root is after the (i + 1)th of these. Returns how many there were.
TR_API void tr_actor_ghost_brake(tr_actor_ghost *ghost, uint32_t after);
TR_API uint32_t tr_actor_ghost_brake_on(tr_actor_ghost *ghost, uint32_t ticks, tr_vec3 *positions,
                                        uint32_t max, bool *rests);
// The root where the last tr_actor_ghost_stop brought it to rest.
TR_API tr_follow_state tr_actor_ghost_rest(const tr_actor_ghost *ghost);
// The root after so many ticks [at most as many as it went].
TR_API tr_follow_state tr_actor_ghost_state(const tr_actor_ghost *ghost, uint32_t after);
// Make the actor that the ghost began from do what the ghost was told, as if tr_actor_set_route,
// tr_actor_set_treads or tr_actor_set_ride had been called with the same; nothing is prepared twice. Memory
// may grow, as there. TR_OUT_OF_MEMORY: the actor does what it did.
TR_API tr_status tr_actor_take(tr_actor *actor, const tr_actor_ghost *ghost);

// --- Saving ---

// All that its future depends on, written or read. An actor that is read is one of the same character, dt and
// corridor; where it goes over footprints, `floor` is what tr_actor_set_treads was given. When reading fails
// it can only be destroyed.
TR_API void tr_actor_archive(tr_actor *actor, float (*floor)(void *user, tr_vec3 point), void *floor_user,
                             tr_archive *archive);

TR_END_DECLARATIONS
