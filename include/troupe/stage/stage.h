// troupe/stage/stage.h - a scene, the actors in it and their orders.
//
// Create a stage for a scene, add actors, give them orders, and step it. Every actor finds its way over all
// walkable surfaces, avoids the others, and moves with its whole body. It holds a committed motion that ends
// at rest; a new motion replaces it only if it meets no other committed motion. Therefore no two discs ever
// overlap, whatever the orders. Actors that wait for each other are detected at once, and some of them make
// way. Every order ends; a deadline makes it end in time.
//
// A stage advances in ticks of TR_STAGE_TICK seconds, whatever steps the caller takes. The result depends on
// neither the caller's dt nor the number of threads.
#pragma once
#include "troupe/base/tasks.h"
#include "troupe/motion/behavior_cast.h"
#include "troupe/plan/reach.h"
#include "troupe/plan/way.h"
#include "troupe/stage/actor.h"
#include "troupe/world/scene.h"
#include "troupe/world/sight.h"

TR_BEGIN_DECLARATIONS

#define TR_STAGE_TICK (1.0 / 30) // [s]

// Start from tr_stage_def_default().
typedef struct tr_stage_def {
    const tr_allocator *allocator; // NULL: malloc
    tr_tasks *tasks;               // NULL: one thread; the motion is the same, bit for bit
    // Must outlive the stage, which sets its time if objects have trajectories. Objects may be added, moved
    // and removed at any time, even all of them. If the scene is destroyed and another one created at the
    // same address, calls return TR_INVALID.
    tr_scene *scene;
    tr_box area;          // where actors walk; empty: all of the scene
    float cell;           // of the ground [m, > 0], 0.05
    float margin;         // between the discs of two actors, where there is room [m, >= 0], 0.1
    uint32_t plan_budget; // nodes that all searches of one tick may expand; 0: no limit
    // Time that all searches of one tick may take [us]; 0: no limit. Every tick makes at least one search.
    // This is the only setting with which the speed of the machine decides when an actor sets out.
    uint32_t plan_microseconds;
    bool record;                 // keep every tick, for tr_stage_clip; the memory grows with time
    double frames_per_second;    // of the recording, 30
    const tr_ground_link *links; // lifts, doors: connections that the geometry does not show; copied
    uint32_t link_count;
    float variety; // how much actors differ in the way they move [0 to 1], 1; 0: as their clips, all alike
    uint64_t seed; // of these differences
    uint32_t steps_ahead; // of a dragged actor: how many it plans [1 to TR_FOOTSTEP_WINDOW_STEPS_MAX], 3
} tr_stage_def;
TR_API tr_stage_def tr_stage_def_default(tr_scene *scene);

typedef struct tr_stage tr_stage;
TR_API tr_status tr_stage_create(const tr_stage_def *def, tr_stage **stage, tr_error *error);
TR_API void tr_stage_destroy(tr_stage *stage); // NULL is allowed

// --- Actors ---

// Eyes: the actor plans its ways with the objects that it has seen, where it saw them last (world/sight.h).
// What it comes to touch, it knows as well.
typedef struct tr_stage_eyes {
    bool open;        // false: it knows the whole scene at all times, and all else is ignored
    bool stranger;    // knows nothing but the floor at first; false: the scene as it is when it is added
    float half_angle; // of the view [rad]; 0: see tr_sight_def
    float range;      // [m]; 0: see tr_sight_def
    float per_second; // looks [0.1 to 30]; 0: 4
} tr_stage_eyes;

typedef struct tr_stage_actor_def {
    const char *name;              // NULL: "actor" and its number; copied
    const tr_character *character; // must outlive the stage
    tr_vec3 position;              // on the highest floor that is at most 0.5 m above it
    bool any_floor;                // ignore position.y: take the lowest floor with room
    float heading;                 // [rad]
    float radius;                  // of its disc [m, > 0]; 0: 0.3, or that of a character that only performs
    float height;                  // head room that it needs [m, > 0]; 0: a little more than the character's
    float speed;                   // [m/s, > 0]; 0: 1.3, changed by the manner
    // Who it is: actors with the same seed differ from their clips in the same way, which depends on nothing
    // else. 0: from the seed of the stage and its id, so that no two are alike.
    uint64_t seed;
    float plain; // how much of the stage's `variety` this actor lacks [0 to 1]; 1: as its clips
    // How it moves, on top of what the character and the seed bring; zero: nothing more. For a style:
    // tr_manner_of_style.
    tr_manner manner;
    tr_stage_eyes eyes;
    // Behaviors by which it goes, planned as a whole (plan/behavior_search.h); they must outlive the stage,
    // have as many frames a second as the stage has ticks, and the joints of the character. Short ways are
    // walked. NULL: it walks. Stages with such actors can be neither saved nor recorded in a journal.
    const tr_behavior_cast *behaviors;
    // It walks, and performs special behaviors across what it cannot walk through, or where the weights of
    // the machine make that cheaper than walking around.
    bool behaviors_where_needed;
} tr_stage_actor_def;
// TR_INVALID: there is no room; the error says why, and where the nearest free place is.
TR_API tr_status tr_stage_add_actor(tr_stage *stage, const tr_stage_actor_def *def, tr_actor_id *actor,
                                    tr_error *error);
// Removes the actor and cancels its orders. TR_OUT_OF_MEMORY: no memory for the events that report this; the
// actor stays.
TR_API tr_status tr_stage_remove_actor(tr_stage *stage, tr_actor_id actor);
// Puts the actor somewhere else, at rest; its orders continue from there. TR_INVALID: there is no room, or
// another actor is there.
TR_API tr_status tr_stage_place_actor(tr_stage *stage, tr_actor_id actor, tr_vec3 position, float heading,
                                      tr_error *error);
TR_API tr_status tr_stage_set_speed(tr_stage *stage, tr_actor_id actor, float speed); // [m/s, > 0]
// Makes the actor look at this point from now on; NULL: ahead again.
TR_API tr_status tr_stage_look_at(tr_stage *stage, tr_actor_id actor, const tr_vec3 *point, tr_error *error);
// Lists the actors in the order in which they were added, by `index` from 0 to count - 1. Returns 0 if there
// is no such index.
TR_API uint32_t tr_stage_actor_count(const tr_stage *stage);
TR_API tr_actor_id tr_stage_actor(const tr_stage *stage, uint32_t index);
TR_API const char *tr_stage_actor_name(const tr_stage *stage, tr_actor_id actor); // "": no such actor
// Describes the actor after the last tick; valid until the next step. TR_INVALID leaves `view` unchanged.
TR_API tr_status tr_stage_look(const tr_stage *stage, tr_actor_id actor, tr_actor_view *view);
// Returns the way that the actor follows, or NULL; valid until the next step.
TR_API const tr_way *tr_stage_way(const tr_stage *stage, tr_actor_id actor);

// --- Orders ---

typedef enum tr_order_kind {
    TR_ORDER_GO,
    TR_ORDER_WAIT,
    TR_ORDER_REACH, // move a hand somewhere; the arm stays there until it is lowered or the actor walks
    TR_ORDER_LOWER, // let the arms hang again
    TR_ORDER_STEER, // walk at tr_order.velocity until the order is cancelled or replaced
    TR_ORDER_DRAG   // step as tr_order.drag says, for `seconds` or until the order is cancelled or replaced
} tr_order_kind;
typedef enum tr_goal_kind {
    TR_GOAL_POINT,
    TR_GOAL_REGION, // anywhere inside a box
    TR_GOAL_OBJECT, // beside an object of the scene, even if it moves
    TR_GOAL_ACTOR   // follow another actor until it is removed
} tr_goal_kind;
typedef enum tr_hand { TR_HAND_RIGHT = 1 << 0, TR_HAND_LEFT = 1 << 1 } tr_hand;
// The velocities that a dragged vector asks for, in the axes of the body.
typedef struct tr_drag {
    float ahead; // [m/s, -100 to 100]; below 0: backwards
    float aside; // to the left [m/s, -100 to 100]
    float turn;  // to the left [rad/s, -100 to 100]
} tr_drag;
typedef struct tr_order {
    tr_order_kind kind;
    // TR_ORDER_GO.
    tr_goal_kind goal_kind;
    tr_vec3 goal;       // TR_GOAL_POINT: on the highest floor that is at most 0.5 m above it
    bool any_floor;     // ignore goal.y: take the floor nearest to that of the actor
    tr_box region;      // TR_GOAL_REGION
    tr_actor_id target; // TR_GOAL_ACTOR
    float near;         // distance that counts as arrived [m, >= 0]; 0 for an actor or object: side by side
    bool passes;        // if another TR_ORDER_GO follows: does not stop. The order is done when the actor
                        // would begin to brake for its goal
    bool has_heading;   // face `heading` at the end
    float heading;      // [rad]
    float speed;        // [m/s, > 0]; 0: the actor's own
    double deadline;    // the order fails if it takes longer [s, > 0]; 0: none
    tr_vec2 velocity;   // TR_ORDER_STEER [m/s]
    tr_drag drag;       // TR_ORDER_DRAG
    double seconds;     // of the wait, of TR_ORDER_DRAG (0: no end), or of the movement of TR_ORDER_REACH (0:
                        // as people move) [s, >= 0]
    // A combination of tr_hand. TR_ORDER_REACH: 0 or both: either hand. TR_ORDER_LOWER: 0: both hands.
    uint32_t hands;
    // TR_ORDER_REACH: with has_object the finger tips go to the surface of `object`, even if it moves;
    // without it the wrist goes to `point` in the world. TR_GOAL_OBJECT: `object` is the goal.
    bool has_object;
    uint32_t object;
    tr_vec3 point;
    bool has_direction; // the hand points along `direction`, from wrist to finger tips
    tr_vec3 direction;  // of any length but 0
    float tolerance;    // of the direction [rad, 0 to pi]; 0: 10 degrees
    double hold;        // how long the hand stays before the order is done [s, >= 0]
} tr_order;
typedef enum tr_order_mode {
    TR_ORDER_QUEUE,   // after all others
    TR_ORDER_NEXT,    // after the current one
    TR_ORDER_REPLACE, // instead of all others, which are cancelled
} tr_order_mode;
// An actor carries out its orders one after the other. It lowers its arms before it walks. Reaching and
// lowering need a skeleton with the roles of that arm: TR_NOT_FOUND names the missing role. `number` (may be
// NULL) receives the number of the order: the actor's first is 0.
TR_API tr_status tr_stage_order(tr_stage *stage, tr_actor_id actor, const tr_order *order, tr_order_mode mode,
                                uint32_t *number, tr_error *error);
// Cancels an order, or all orders of an actor (TR_NONE). The actor comes to rest as soon as it can; a lift
// that carries it completes its ride. TR_OUT_OF_MEMORY: no memory for the events that report this; nothing is
// cancelled.
TR_API tr_status tr_stage_cancel(tr_stage *stage, tr_actor_id actor, uint32_t number);
// Changes the velocity of the current TR_ORDER_STEER, or replaces all orders by a new one.
TR_API tr_status tr_stage_steer(tr_stage *stage, tr_actor_id actor, tr_vec2 velocity, tr_error *error);
// The same with a dragged vector: changes the current TR_ORDER_DRAG, or replaces all orders by a new one. The
// actor plans its next few steps over the triangles of the scene, again with every step: over rough ground,
// gaps and blocks, forwards and backwards. Where no step is possible it stands in balance, the report of the
// order says why, and it goes on as soon as the drag leads elsewhere.
TR_API tr_status tr_stage_drag(tr_stage *stage, tr_actor_id actor, tr_drag drag, tr_error *error);

typedef enum tr_order_state {
    TR_ORDER_PENDING,
    TR_ORDER_UNDER_WAY,
    TR_ORDER_DONE,
    TR_ORDER_FAILED,
    TR_ORDER_CANCELLED
} tr_order_state;
// The outcome of TR_ORDER_REACH; `plans` 0: no path was found.
typedef struct tr_order_reach {
    tr_arm_side side;
    uint32_t plans;              // number of paths that were planned: 1 if nothing moved
    double plan_us;              // planning time of the slowest of them, for all directions tried
    double move_begin, move_end; // when the hand set out and when it arrived [s]
    // Of the last path.
    tr_reach_by by;
    uint32_t checks;
    double duration;     // [s]
    double wrist_length; // [m]
    float clearance;     // a lower bound, from closely spaced places along the path [m]
    tr_arm_goal goal;
    tr_arm arm;         // that the path was planned for
    tr_posture posture; // at the goal
} tr_order_reach;
#define TR_ORDER_REASON_MAX 160
typedef struct tr_order_report {
    tr_order order;
    tr_order_state state;
    char reason[TR_ORDER_REASON_MAX]; // why it failed, or why a dragged actor stands; "" otherwise
    double begin, end;                // [s]
    bool beside;                      // done, but beside the goal, which was inside a wall or occupied
    tr_order_reach reach;
} tr_order_report;
// Returns the number of orders that the actor was given. A stage that does not record drops the reports of
// orders that ended long ago: `first` (may be NULL) receives the number of the first report that is kept.
TR_API uint32_t tr_stage_order_count(const tr_stage *stage, tr_actor_id actor, uint32_t *first);
// TR_INVALID: no such actor; TR_NOT_FOUND: no such order, or its report was dropped.
TR_API tr_status tr_stage_order_report(const tr_stage *stage, tr_actor_id actor, uint32_t number,
                                       tr_order_report *report);

// --- Time ---

// Advances by `dt` [s, 0 to 1], as many ticks as fit. TR_OK: an order is under way; TR_DONE: all orders have
// ended. TR_OUT_OF_MEMORY: part of the time is still due, but nothing is lost. Call the function again with a
// dt of 0: it continues where it stopped, within the tick, and the motion has the same bits as if memory had
// never run out. A tick reuses the memory that the previous tick released and allocates only for what is new.
TR_API tr_status tr_stage_step(tr_stage *stage, double dt, tr_error *error);
TR_API double tr_stage_time(const tr_stage *stage); // of the last tick [s]

typedef enum tr_event_kind {
    TR_EVENT_ORDER_BEGUN,
    TR_EVENT_ORDER_DONE,
    TR_EVENT_ORDER_FAILED,
    TR_EVENT_ORDER_CANCELLED,
    TR_EVENT_BLOCKED,  // the actor has stopped because `other` is in the way
    TR_EVENT_FOOTSTEP, // `foot` touched down at `position`
    TR_EVENT_COVERED   // an object was put where the actor stands, or its floor was removed; it walks to the
                       // nearest free place within 3 m; if there is none, its orders to go fail
} tr_event_kind;
typedef struct tr_event {
    tr_event_kind kind;
    tr_actor_id actor, other;
    uint32_t order; // number of the order
    uint32_t foot;  // 0 left, 1 right
    tr_vec3 position;
    double time; // [s]
} tr_event;
// Returns the events of the last step, in order, and those between it and the step before (cancelled orders).
// After a step that ran out of memory, it returns the events until then, and the next step lists the rest.
// Valid until the next step.
TR_API const tr_event *tr_stage_events(const tr_stage *stage, uint32_t *count);

// --- Bodies for engines ---

typedef enum tr_matrices {
    TR_MATRICES_WORLD, // of every joint
    TR_MATRICES_SKIN   // the same times the inverse of the joint's rest pose, as a skinned mesh needs
} tr_matrices;
// Returns the number of matrices of all actors together. They come actor by actor, in the order of
// tr_stage_actor.
TR_API uint32_t tr_stage_matrix_count(const tr_stage *stage);
// Writes all matrices as column-major 4x4 floats, 16 for each. The bodies are interpolated between the last
// two ticks; feet that stand stay where they are. They are one tick behind the time that the caller has
// stepped to, which includes the part of dt beyond the last tick. Uses working memory of the stage: call it
// from one thread at a time. TR_LIMIT: there is room for fewer than 16 * tr_stage_matrix_count() floats.
TR_API tr_status tr_stage_write_matrices(const tr_stage *stage, tr_matrices kind, float *floats,
                                         uint32_t float_max);

// --- The world ---

TR_API const tr_ground *tr_stage_ground(const tr_stage *stage);
// What an actor with eyes has seen and remembers; NULL: it has none. Valid until the next step.
TR_API const tr_sight *tr_stage_sight(const tr_stage *stage, tr_actor_id actor);
// The ground that an actor plans its ways on: the true one, or the one that it remembers. NULL: no such
// actor.
TR_API const tr_ground *tr_stage_known_ground(const tr_stage *stage, tr_actor_id actor);
TR_API tr_status tr_stage_close_link(tr_stage *stage, uint32_t link, bool closed);

typedef enum tr_draw_kind {
    TR_DRAW_WAY,        // a part of an actor's way
    TR_DRAW_COMMITMENT, // a part of its committed motion
    TR_DRAW_BODY,       // its disc
    TR_DRAW_BLOCKED_BY, // from a waiting actor to the one that it waits for
    TR_DRAW_CLAIM       // ground that others clear for an actor
} tr_draw_kind;
typedef struct tr_draw {
    void (*line)(void *user, tr_draw_kind kind, tr_actor_id actor, tr_vec3 from, tr_vec3 to);
    void (*disc)(void *user, tr_draw_kind kind, tr_actor_id actor, tr_vec3 centre, float radius);
    void *user;
} tr_draw;
TR_API void tr_stage_draw(const tr_stage *stage, const tr_draw *draw); // a callback may be NULL

// A step that a dragged actor examined, for pictures of how it plans.
#define TR_STAGE_STEP_POINTS 12
typedef enum tr_stage_step_state {
    TR_STAGE_STEP_REFUSED,  // it is not possible
    TR_STAGE_STEP_EXAMINED, // possible, perhaps not the best
    TR_STAGE_STEP_LATER,    // part of the best steps, which are planned again before it begins
    TR_STAGE_STEP_NEXT      // the first of the best steps
} tr_stage_step_state;
typedef struct tr_stage_step_view {
    tr_actor_id actor;
    tr_stage_step_state state;
    const char *reason;                  // why it is refused; static storage
    uint32_t side;                       // of the foot that swings: 0 left, 1 right
    tr_vec3 place;                       // of the ankle, on the floor, where the step ends
    float heading;                       // of the course there [rad]
    tr_vec3 swing[TR_STAGE_STEP_POINTS]; // of the ankle; of a refused step all are `place`
} tr_stage_step_view;
// From now on `see` is called for every step that a dragged actor examines, on the thread of tr_stage_step,
// which it must not call. NULL: no more.
TR_API void tr_stage_watch_steps(tr_stage *stage, void (*see)(void *user, const tr_stage_step_view *step),
                                 void *user);

typedef struct tr_stage_counters {
    uint32_t plans;                                    // number of searches for a way
    double plan_us_median, plan_us_p99, plan_us_worst; // of the last 256 searches [us]
    float nearest; // least distance to another actor's disc [m]; negative: they overlapped; INFINITY: it was
                   // never below 2
    double waited; // time during which others slowed the actor down [s]
    uint32_t deviations; // ticks in which the actor was not where its committed motion said
} tr_stage_counters;
TR_API tr_stage_counters tr_stage_counters_of(const tr_stage *stage, tr_actor_id actor);

// --- Recordings ---

// Returns the recording of an actor as a clip with contacts, in the world (no base). The caller destroys the
// clip. TR_NOT_FOUND: nothing was recorded.
TR_API tr_status tr_stage_clip(const tr_stage *stage, tr_actor_id actor, const tr_allocator *allocator,
                               tr_clip **clip, tr_error *error);
// Returns the positions of an actor's disc on the floor, one for each recorded frame.
TR_API const tr_vec3 *tr_stage_trace(const tr_stage *stage, tr_actor_id actor, uint32_t *count);

TR_END_DECLARATIONS
