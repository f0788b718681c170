// troupe/stage/actor.h - one character at work: it follows a route with its whole body, feet on the ground.
//
// The disc of tr_follow leads, tr_locomotion gives the pose for its speed, turns on the spot and side-steps
// are clips of their own, transitions are inertialised and feet held by tr_plant. Over stairs and gaps it
// goes by footprints (tr_stepping). Its arms can be taken and moved along paths while it stands. An actor
// knows nothing of maps or of others.
#pragma once
#include "troupe/motion/arm_pose.h"
#include "troupe/motion/follow.h"
#include "troupe/motion/inertia.h"
#include "troupe/motion/stepping.h"
#include "troupe/motion/stroke.h"
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
    uint32_t route_points_max; // 0: 256
    // How much higher than `ground` the floor is at a point [m, >= 0], for what lies on it and is stepped
    // onto; NULL: level. Called from the thread of a step, many times: it only reads.
    float (*rise)(void *user, tr_vec2 point);
    void *rise_user;
} tr_actor_def;

typedef struct tr_actor tr_actor;

TR_API tr_status tr_actor_create(const tr_actor_def *def, tr_actor **actor, tr_error *error);
TR_API void tr_actor_destroy(tr_actor *actor); // NULL is allowed

// Another floor from now on, as in tr_actor_def. Feet that stand stay where they are.
TR_API void tr_actor_set_rise(tr_actor *actor, float (*rise)(void *user, tr_vec2 point), void *user);

// Go this way from now on, at `speed` [m/s, > 0; 0: the actor's own]. Whatever it is doing goes over
// smoothly. `sideways` and `final_heading` (both may be NULL) as for tr_follow_route_set. No allocation. The
// route begins where the actor is.
TR_API tr_status tr_actor_set_route(tr_actor *actor, const tr_vec2 *points, uint32_t point_count,
                                    const bool *sideways, const float *final_heading, float speed,
                                    tr_error *error);

#define TR_ACTOR_TREADS_MAX 512

// Go over these footprints from now on, whatever it was doing; the route is forgotten. They are copied.
// `floor` (may be NULL) tells heights for the feet that swing, as in tr_stepping_params. At the end it stands
// on both feet, on the floor of the last one. TR_INVALID: none, or one that is not finite. TR_LIMIT: too
// many.
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
// Carry it up or down, as a lift does: everything moves by `rise` [m], feet that stand stand on.
TR_API void tr_actor_carry(tr_actor *actor, float rise);

// --- Arms ---

#define TR_ACTOR_KNOTS_MAX 256 // of a path

typedef enum tr_actor_arm_doing {
    TR_ACTOR_ARM_SWINGS,  // is the body's
    TR_ACTOR_ARM_SETTLES, // is being taken: the body comes to stand still
    TR_ACTOR_ARM_MOVES,   // along its path
    TR_ACTOR_ARM_BRAKES,  // still along its path, slower and slower
    TR_ACTOR_ARM_STAYS,   // where it was brought
    TR_ACTOR_ARM_FADES    // is being given back
} tr_actor_arm_doing;

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

typedef struct tr_actor_arm_view {
    tr_actor_arm_doing doing;
    tr_arm arm;                   // as the body holds it now
    tr_posture posture, velocity; // [rad], [rad/s]
    tr_posture rest;              // how it hung when it was taken
    tr_stroke stroke;             // the path, as it was timed last
    double time;                  // in it [s]
    const tr_arm_joints *joints;
} tr_actor_arm_view;
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

typedef enum tr_actor_doing {
    TR_ACTOR_STANDS,
    TR_ACTOR_WALKS,
    TR_ACTOR_TURNS,
    TR_ACTOR_SIDE_STEPS,
    TR_ACTOR_STEPS // over footprints
} tr_actor_doing;

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

// Where the disc will be after `stride`, 2 * stride ... count * stride steps if the speed is limited so and
// nothing else happens. No allocation, changes nothing.
TR_API void tr_actor_predict(const tr_actor *actor, float speed_limit, uint32_t stride, uint32_t count,
                             tr_vec2 *positions);

TR_END_DECLARATIONS
