// motion/driver/driver.h - moves a character over the floor: by its gait along a route, by its feet over
// footsteps, by a chain of behaviors, or carried by the floor itself. One driver is active at a time.
//
// A driver moves a root, the point of the floor where the character is, and poses a body on it. The root does
// not depend on the pose. A copy of a state that is predicted with the same limits therefore goes where the
// body will go, bit for bit.
#pragma once
#include "motion/cast/cast.h"
#include "motion/driver/follow.h"
#include "motion/foot/footstep_motion.h"
#include "troupe/motion/behavior_motion.h"

typedef enum tr_driver_kind {
    TR_DRIVER_GAIT,    // stands, walks and runs along a route, turns on the spot, side-steps
    TR_DRIVER_STEPS,   // goes over footsteps
    TR_DRIVER_RIDE,    // stands while the floor carries it
    TR_DRIVER_PERFORM, // plays a chain of behaviors
    TR_DRIVER_KINDS
} tr_driver_kind;

typedef enum tr_driver_doing {
    TR_DRIVER_STANDS,
    TR_DRIVER_WALKS,
    TR_DRIVER_TURNS,
    TR_DRIVER_SIDE_STEPS,
    TR_DRIVER_FOOTSTEPS, // over footsteps
    TR_DRIVER_RIDES,     // stands while the floor moves
    TR_DRIVER_PERFORMS   // plays a chain of behaviors
} tr_driver_doing;

// The room along a piece of a route. Widths are for an adult of up to 1.9 m on a route through the middle.
typedef enum tr_passage {
    TR_PASSAGE_OPEN,  // 0.82 m and more
    TR_PASSAGE_TIGHT, // 0.70 m and more: walks with shoulders turned and arms close
    // 0.55 m and more: comes to rest at the beginning of the piece, turns, side-steps along it, and turns
    // back at its end. Both ends need room to turn: about 0.35 m around.
    TR_PASSAGE_SIDE
} tr_passage;

// Constant over the life of a character.
typedef struct tr_driver_nature {
    const tr_cast *cast;
    float dt;       // duration of a tick [s, > 0]
    float speed;    // default walking speed [m/s, > 0]
    float corridor; // how far it may get from its route [m, > 0]
} tr_driver_nature;

// The state of the root that a tick changes.
typedef struct tr_driver_root {
    tr_follow_state state; // over footsteps and on a ride, its progress is the completed fraction, 0 to 1
    float ground;          // height of the floor under the root [m]
    // The floor is not level: each foot asks for its own ground. On a route with heights, `ground` follows
    // them
    // (`ground_off`: what it was off when the route began; it fades. `ground_new`: not known yet).
    bool slopes, ground_new;
    float ground_off;
    float final_heading;
    bool has_route, has_final;
    tr_driver_kind kind;
    tr_driver_doing doing;
    uint32_t footstep_count, footstep_next;
    uint32_t side; // the next stretch to side-step; earlier ones are not side-stepped any more
    // The move in progress, from standing to standing. It is always finished. Time since it began, where it
    // began, and the factor that scales its angle or distance.
    const tr_cast_move *move; // NULL: none
    double move_time;
    tr_base move_begin;
    float move_scale;
    float move_turn;  // turn during a step aside [rad]
    tr_vec2 move_way; // direction of a step aside
} tr_driver_root;

// A ride in progress. It is always finished.
typedef struct tr_driver_ride {
    tr_vec3 from, to; // on the floor
    double time;      // since it began [s]
    float seconds;    // duration of the ride
} tr_driver_ride;

// A chain of behaviors in progress: the motion of the task. It is always finished.
typedef struct tr_driver_perform {
    double time; // since the chain began [s]
} tr_driver_perform;

// Zero is valid: stands at the origin. `steps` is used while the kind is TR_DRIVER_STEPS, `ride` while it is
// TR_DRIVER_RIDE, `perform` while it is TR_DRIVER_PERFORM. A copy is independent.
typedef struct tr_driver_state {
    tr_driver_root root;
    tr_footstep_motion_state steps;
    tr_driver_ride ride;
    tr_driver_perform perform;
} tr_driver_state;

// -------------------------------------------------------------------------------------------------- the task

// A stretch of a route with little room. A stretch that is side-stepped is straight.
typedef struct tr_driver_stretch {
    float begin, end; // along the route [m]
    tr_vec2 to;       // where it ends
    uint8_t passage;  // tr_passage, not open
} tr_driver_stretch;

// A point of a route whose floor is not level.
typedef struct tr_driver_height {
    float along, height; // along the route; of the floor [m]
} tr_driver_height;

// Zero is not valid: see tr_driver_task_create. A tick only reads it.
typedef struct tr_driver_task {
    tr_follow_params follow;
    tr_follow_route *route;
    tr_driver_stretch *stretches; // in order
    tr_driver_height *heights;    // of every point of the route
    uint32_t stretch_count, point_count;
    uint32_t height_count; // 0: the floor of the route is level
    tr_footstep *footsteps;
    tr_footstep_motion_params footstep_motion;
    float footstep_speed;                            // walking speed that sets the pace over footsteps [m/s]
    const tr_behavior_motion *motion;                // the chain of behaviors; the caller's
    uint32_t point_room, height_room, footstep_room; // capacity: of route and stretches, heights, footsteps
} tr_driver_task;

// Creates a task with room for `points` [> 0] points and `footsteps` footsteps. Allocator NULL: malloc.
// Destroy it with the same allocator, also after a failure.
tr_status tr_driver_task_create(const tr_allocator *allocator, uint32_t points, uint32_t footsteps,
                                tr_driver_task *task, tr_error *error);
void tr_driver_task_destroy(const tr_allocator *allocator, tr_driver_task *task);
// Makes room for at least this many points and footsteps; the contents stay. TR_OUT_OF_MEMORY: the task is
// unchanged.
tr_status tr_driver_task_reserve(const tr_allocator *allocator, uint32_t points, uint32_t footsteps,
                                 tr_driver_task *task, tr_error *error);
// Copies the prepared route of another task. TR_LIMIT: there is no room for it; `to` is unchanged.
tr_status tr_driver_task_copy_route(tr_driver_task *to, const tr_driver_task *from);

// Begins a route, which starts at the root, at `speed` [m/s, > 0; 0: the speed of `nature`]. `passage` (may
// be NULL: open) is a tr_passage for each of the point_count - 1 pieces. `final_heading` (may be NULL) is the
// heading to stand with at the end [rad]. A move in progress is finished first, and so are a ride and a step
// over footsteps (unless may_leave of tr_driver returns true): the character comes to stand on both feet and
// begins the route from there. No allocation. TR_INVALID, TR_LIMIT: nothing was changed.
tr_status tr_driver_set_route(tr_driver_state *state, tr_driver_task *task, const tr_driver_nature *nature,
                              const tr_vec2 *points, uint32_t point_count, const uint8_t *passage,
                              const float *final_heading, float speed, tr_error *error);

// Gives the points of the route that was just set the heights of the floor there: `points` and `point_count`
// are those of the route. The root follows these heights, rounded over a step where the slope changes, and is
// slower on slopes, as people are (tr_way_slope_speed). No allocation.
void tr_driver_set_heights(tr_driver_state *state, tr_driver_task *task, const tr_vec2 *points,
                           const float *heights, uint32_t point_count);
// Sets the height of a root that was moved along its route.
void tr_driver_keep_height(tr_driver_root *root, const tr_driver_task *task);
// Returns the slope of the route at a distance ahead of the root, uphill positive [m/m]; 0: it is level.
float tr_driver_slope(const tr_driver_root *root, const tr_driver_task *task, float ahead);

// Begins to go over footsteps, at the pace of a walk at `speed` [m/s, > 0; 0: the speed of `nature`]. `steps`
// of the state must have been begun (tr_footstep_motion_begin) unless the character is already going over
// footsteps. `floor` (may be NULL) as in tr_footstep_motion_params. No allocation. TR_INVALID: there are no
// footsteps, one is not finite, or the character is on a ride. TR_LIMIT:
// more footsteps than there is room for. On failure nothing was changed.
tr_status tr_driver_set_footsteps(tr_driver_state *state, tr_driver_task *task,
                                  const tr_driver_nature *nature, const tr_footstep *footsteps,
                                  uint32_t footstep_count, float speed,
                                  float (*floor)(void *user, tr_vec3 point), void *floor_user,
                                  tr_error *error);
// Switches back to the gait, at the height of the lower foot.
void tr_driver_leave_footsteps(tr_driver_state *state);

// Begins a ride to another place on the floor that takes `seconds` [s, > 0], from rest to rest, as by a lift.
// A ride is always finished, whatever the speed limit. The route is dropped. TR_INVALID: the character does
// not stand on level ground, or a value is not finite; nothing was changed.
tr_status tr_driver_set_ride(tr_driver_state *state, tr_vec3 to, float seconds, tr_error *error);

// Begins to play a chain of behaviors, which is at this time of it [s, >= 0]: from standing where it begins,
// or in place of another chain that is there now. The motion belongs to the caller and must stay as it is
// until the chain ends or another one begins. The chain is always finished, whatever the speed limit. The
// route is dropped. TR_INVALID: the motion has no chain, or the character neither stands on the spot where it
// begins, to within 5 cm, nor plays another chain; nothing was changed.
tr_status tr_driver_set_perform(tr_driver_state *state, tr_driver_task *task,
                                const tr_behavior_motion *motion, double time, tr_error *error);

// ------------------------------------------------------------------------------------------------- driving

// A body on a root. The poses and the model belong to the caller and have the joints of the cast.
typedef struct tr_driver_body {
    tr_locomotion_state locomotion;
    float stand_share; // fraction of a tick that passes for a body that stands: 1; 0 holds its breath
    // The root of a walker after the tick, if it is known from a prediction with the same limit that returned
    // TR_OK; otherwise NULL.
    const tr_driver_root *next;
    tr_pose *pose;     // relative to `place`
    tr_pose *scratch;  // three more
    tr_affine *model;  // of every joint in the world; only steps over footsteps set it
    tr_affine place;   // of the root in the world
    tr_vec3 carried;   // displacement by the floor in this tick: standing feet move with it [m]
    uint32_t contacts; // tr_contact
    bool changes;      // another kind of motion began in this tick
    bool goes_on; // it continues the motion before: scratch[0] is the pose it would have had before the tick
} tr_driver_body;

// The functions of a driver. Any thread, no allocation, the same bits everywhere.
typedef struct tr_driver {
    const char *name;
    // Advances only the root by one tick. `speed_limit` [m/s, >= 0; INFINITY]. TR_OK: on the way. TR_DONE: at
    // the end. TR_INVALID: an argument is out of range; nothing was changed.
    tr_status (*predict)(tr_driver_state *state, const tr_driver_task *task, const tr_driver_nature *nature,
                         float speed_limit);
    // The same with a body: also sets its pose, before any overlay (tr_overlay).
    tr_status (*step)(tr_driver_state *state, const tr_driver_task *task, const tr_driver_nature *nature,
                      float speed_limit, tr_driver_body *body);
    // Bends the legs to the feet once the hips have their final position. NULL: feet are held by their
    // contacts.
    void (*legs)(tr_driver_state *state, const tr_driver_nature *nature, tr_driver_body *body);
    // Returns whether the root stays where it is, however often it is driven with a limit of 0.
    bool (*rests)(const tr_driver_state *state);
    // Returns whether another driver may continue from here without stopping first.
    bool (*may_leave)(const tr_driver_state *state);
} tr_driver;

// Returns the active driver.
const tr_driver *tr_driver_of(const tr_driver_state *state);
// Returns whether a tight stretch lies within `ahead` in front of the root or within `behind` behind it [m].
bool tr_driver_is_tight(const tr_driver_state *state, const tr_driver_task *task, float ahead, float behind);

// Writes or reads root and steps with their task. `floor` is what tr_driver_set_footsteps was given; it
// becomes the task's when reading. Room is made with the allocator that the task was created with.
void tr_driver_archive(tr_driver_state *state, tr_driver_task *task, const tr_driver_nature *nature,
                       const tr_allocator *allocator, float (*floor)(void *user, tr_vec3 point),
                       void *floor_user, tr_archive *archive);
