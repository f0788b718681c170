// troupe/motion/driver.h - what moves a character over the floor: its gait along a route, its feet over
// footsteps, or the floor itself, which carries it. One driver at a time.
//
// A driver moves a root, the point of the floor where the character is, and poses a body on it. The root does
// not depend on the pose. So a copy of a state that is predicted with the same limits goes where the body
// will go, bit for bit.
#pragma once
#include "troupe/motion/cast.h"
#include "troupe/motion/follow.h"
#include "troupe/motion/footstep_motion.h"

TR_BEGIN_DECLARATIONS

typedef enum tr_driver_kind {
    TR_DRIVER_GAIT,  // stands, walks and runs along a route, turns on the spot, side-steps
    TR_DRIVER_STEPS, // goes over footsteps
    TR_DRIVER_RIDE,  // stands and is carried
    TR_DRIVER_KINDS
} tr_driver_kind;

typedef enum tr_driver_doing {
    TR_DRIVER_STANDS,
    TR_DRIVER_WALKS,
    TR_DRIVER_TURNS,
    TR_DRIVER_SIDE_STEPS,
    TR_DRIVER_TREADS, // over footsteps
    TR_DRIVER_RIDES   // stands, and the floor moves
} tr_driver_doing;

// How much room a piece of a route has. Widths are for an adult of up to 1.9 m on a route through the middle.
typedef enum tr_passage {
    TR_PASSAGE_OPEN,  // 0.82 m and more
    TR_PASSAGE_TIGHT, // 0.70 m and more: walks with its shoulders turned and its arms close
    // 0.55 m and more: comes to rest at the begin of the piece, turns, side-steps along it, and turns back at
    // its end. Both ends need room to turn: some 0.35 m around.
    TR_PASSAGE_SIDE
} tr_passage;

// The same for all of a character's life.
typedef struct tr_driver_nature {
    const tr_cast *cast;
    float dt;       // of a tick [s, > 0]
    float speed;    // that it walks at when nothing else is said [m/s, > 0]
    float corridor; // how far from its route it may get [m, > 0]
} tr_driver_nature;

// What a tick changes of the root.
typedef struct tr_driver_root {
    tr_follow_state state; // over footsteps and carried its progress is the share that is gone, 0 to 1
    float ground;          // height of the floor that it is on [m]
    float final_heading;
    bool has_route, has_final;
    tr_driver_kind kind;
    tr_driver_doing doing;
    uint32_t footstep_count, footstep_next;
    uint32_t side; // the stretch to be side-stepped next: no earlier one is
    // A move from standing to standing, which is always finished: which, since when, from where, and by what
    // part of its angle or way.
    const tr_cast_move *move; // NULL: none
    double move_time;
    tr_base move_begin;
    float move_scale;
    float move_turn;  // by a step aside, on the way [rad]
    tr_vec2 move_way; // of a step aside: its direction
} tr_driver_root;

// A ride under way, which is always finished.
typedef struct tr_driver_ride {
    tr_vec3 from, to; // on the floor
    double time;      // since it began [s]
    float seconds;    // that it takes
} tr_driver_ride;

// Zero is valid: stands at the origin. `steps` counts while the kind is TR_DRIVER_STEPS, `ride` while it is
// TR_DRIVER_RIDE. A copy goes on by itself.
typedef struct tr_driver_state {
    tr_driver_root root;
    tr_footstep_motion_state steps;
    tr_driver_ride ride;
} tr_driver_state;

// ------------------------------------------------------------------------------------------ what it is told

// A stretch of a route with little room. One that is side-stepped is straight.
typedef struct tr_driver_stretch {
    float begin, end; // along the route [m]
    tr_vec2 to;       // where it ends
    uint8_t passage;  // tr_passage, not open
} tr_driver_stretch;

// Zero is not valid: see tr_driver_task_create. Only read by a tick.
typedef struct tr_driver_task {
    tr_follow_params follow;
    tr_follow_route *route;
    tr_driver_stretch *stretches; // in order
    uint32_t stretch_count, point_count;
    tr_footstep *footsteps;
    tr_footstep_motion_params footstep_motion;
    uint32_t point_room, footstep_room; // of route and stretches, of footsteps
} tr_driver_task;

// With room for so many points [> 0] and footsteps. Allocator NULL: malloc. Give it back with the same
// allocator, also after a failure.
TR_API tr_status tr_driver_task_create(const tr_allocator *allocator, uint32_t points, uint32_t footsteps,
                                       tr_driver_task *task, tr_error *error);
TR_API void tr_driver_task_destroy(const tr_allocator *allocator, tr_driver_task *task);
// Room for at least so many; what was told stays. TR_OUT_OF_MEMORY: the task is as it was.
TR_API tr_status tr_driver_task_reserve(const tr_allocator *allocator, uint32_t points, uint32_t footsteps,
                                        tr_driver_task *task, tr_error *error);
// The route of another, prepared once. TR_LIMIT: there is no room for it; `to` is as it was.
TR_API tr_status tr_driver_task_copy_route(tr_driver_task *to, const tr_driver_task *from);

// Begin to go along a route, which begins at the root, at `speed` [m/s, > 0; 0: its nature's]. `passage` (may
// be NULL: open) is a tr_passage for each of the point_count - 1 pieces, `final_heading` (may be NULL) how to
// stand at the end [rad]. A move under way is finished first, and so are a ride and a step over footsteps
// (unless tr_driver may_leave): it comes to stand on both feet, and begins the route from there. No
// allocation. TR_INVALID, TR_LIMIT: nothing was changed.
TR_API tr_status tr_driver_set_route(tr_driver_state *state, tr_driver_task *task,
                                     const tr_driver_nature *nature, const tr_vec2 *points,
                                     uint32_t point_count, const uint8_t *passage, const float *final_heading,
                                     float speed, tr_error *error);

// Begin to go over footsteps: `steps` of the state must have been begun (tr_footstep_motion_begin) unless it
// goes over others already. `floor` (may be NULL) as in tr_footstep_motion_params. No allocation. TR_INVALID:
// none, or one that is not finite, or it is being carried; TR_LIMIT: more than there is room for. Nothing was
// changed then.
TR_API tr_status tr_driver_set_footsteps(tr_driver_state *state, tr_driver_task *task,
                                         const tr_footstep *footsteps, uint32_t footstep_count,
                                         float (*floor)(void *user, tr_vec3 point), void *floor_user,
                                         tr_error *error);
// A walker again, on the lower of its two feet.
TR_API void tr_driver_leave_footsteps(tr_driver_state *state);

// Begin to be carried to another place on the floor in so many seconds [> 0], from rest to rest, as by a
// lift. A ride is finished whatever the limit. The route is forgotten. TR_INVALID: it does not stand on level
// ground, or something is not finite. Nothing was changed then.
TR_API tr_status tr_driver_set_ride(tr_driver_state *state, tr_vec3 to, float seconds, tr_error *error);

// ------------------------------------------------------------------------------------------------- driving

// A body on a root. The poses and the model belong to the caller and have the joints of the cast.
typedef struct tr_driver_body {
    tr_locomotion_state locomotion;
    float stand_share; // of a tick that passes for a body that stands: 1; 0 holds its breath
    // Where the root of a walker will be after the tick, where that is known, by a prediction with the same
    // limit that gave TR_OK; else NULL.
    const tr_driver_root *next;
    tr_pose *pose;     // relative to `place`
    tr_pose *scratch;  // three more
    tr_affine *model;  // of every joint in the world; set by steps over footsteps alone
    tr_affine place;   // of the root in the world
    tr_vec3 carried;   // by the floor, in this tick: feet that stand go with it [m]
    uint32_t contacts; // tr_contact
    bool changes;      // another kind of motion began in this tick
    bool goes_on;      // and does so at the same pace: scratch[0] is how it would have been before the tick
} tr_driver_body;

// What all drivers can do. Any thread, no allocation, the same bits everywhere.
typedef struct tr_driver {
    const char *name;
    // One tick of the root alone. `speed_limit` [m/s, >= 0; INFINITY]. TR_OK: on the way; TR_DONE: at the
    // end; TR_INVALID: what it was told is out of range, nothing was changed.
    tr_status (*predict)(tr_driver_state *state, const tr_driver_task *task, const tr_driver_nature *nature,
                         float speed_limit);
    // The same with a body: its pose, before anything is put on top (tr_overlay).
    tr_status (*step)(tr_driver_state *state, const tr_driver_task *task, const tr_driver_nature *nature,
                      float speed_limit, tr_driver_body *body);
    // Bend the legs to the feet, once the hips are where they will be; NULL: feet are held by their contacts.
    void (*legs)(tr_driver_state *state, const tr_driver_nature *nature, tr_driver_body *body);
    // Does the root stay where it is, however often it is driven with a limit of 0?
    bool (*rests)(const tr_driver_state *state);
    // May another driver go on from here without coming to a stand?
    bool (*may_leave)(const tr_driver_state *state);
} tr_driver;

// The one that is at work.
TR_API const tr_driver *tr_driver_of(const tr_driver_state *state);
// Is there a tight stretch within so far ahead of the root or behind it [m]?
TR_API bool tr_driver_is_tight(const tr_driver_state *state, const tr_driver_task *task, float ahead,
                               float behind);

// Root and steps with what they were told, written or read. `floor` is what tr_driver_set_footsteps was given
// and becomes the task's when it is read. Room is made with the allocator that the task was created with.
TR_API void tr_driver_archive(tr_driver_state *state, tr_driver_task *task, const tr_driver_nature *nature,
                              const tr_allocator *allocator, float (*floor)(void *user, tr_vec3 point),
                              void *floor_user, tr_archive *archive);

TR_END_DECLARATIONS
