// troupe/stage/stage.h - a scene, actors in it and what they are told to do.
//
// Make a stage of a scene, add actors, give orders, and step it: every actor finds its way over whatever can
// be walked on, minds the others, and moves with its whole body. Every actor holds a committed motion that
// ends at rest; a new one replaces it only if it meets nobody's. So no two discs ever overlap, whatever the
// orders. Actors that wait for each other are found at once and some of them give way; in dense crowds that
// does not always free everybody: give such orders a deadline.
//
// A stage advances in ticks of TR_STAGE_TICK seconds, whatever steps the caller takes: the result depends on
// neither the caller's dt nor the number of threads.
#pragma once
#include "troupe/base/tasks.h"
#include "troupe/plan/reach.h"
#include "troupe/plan/way.h"
#include "troupe/stage/actor.h"
#include "troupe/world/scene.h"

TR_BEGIN_DECLARATIONS

#define TR_STAGE_TICK (1.0 / 30) // [s]

// An actor of a stage. A number that is never used again while the stage lives; 0 is nobody. Any other number
// that is no actor's, or was removed, is answered with TR_INVALID.
typedef uint32_t tr_actor_id;

// Start from tr_stage_def_default().
typedef struct tr_stage_def {
    const tr_allocator *allocator; // NULL: malloc
    tr_tasks *tasks;               // NULL: one thread; the motion is the same, bit for bit
    // Must outlive the stage, which sets its time where objects have trajectories. Objects may be added,
    // moved and removed at any time, all of them too. Another scene that lies at the same address after this
    // one was destroyed is answered with TR_INVALID.
    tr_scene *scene;
    tr_box area;  // that is walked on; empty: all of the scene
    float cell;   // of the ground [m, > 0], 0.05
    float margin; // that actors keep between them, from disc to disc, where there is room [m, >= 0], 0.1
    uint32_t plan_budget; // nodes that all searches for ways may expand in one tick; 0: no limit
    // The same in time [us]; 0: no limit. One search at least is made in a tick. The one setting that lets
    // the machine's speed decide when somebody sets out.
    uint32_t plan_microseconds;
    bool record;                 // keep every frame, for tr_stage_clip; grows for ever
    double frames_per_second;    // of what is recorded, 30
    const tr_ground_link *links; // doors, lifts: ways that walking does not explain; copied
    uint32_t link_count;
} tr_stage_def;
TR_API tr_stage_def tr_stage_def_default(tr_scene *scene);

typedef struct tr_stage tr_stage;
TR_API tr_status tr_stage_create(const tr_stage_def *def, tr_stage **stage, tr_error *error);
TR_API void tr_stage_destroy(tr_stage *stage); // NULL is allowed

// --- Actors ---

typedef struct tr_stage_actor_def {
    const char *name;              // NULL: "actor" and its number; copied
    const tr_character *character; // must outlive the stage
    tr_vec3 position;              // stands on the highest floor that is no more than 0.5 m above it
    bool any_floor;                // position.y means nothing: the lowest floor with room
    float heading;                 // [rad]
    float radius;                  // of the disc it needs [m, > 0]; 0: 0.3
    float height;                  // head room it needs [m, > 0]; 0: the character's, with a little more
    float speed;                   // [m/s, > 0]; 0: 1.3
} tr_stage_actor_def;
// TR_INVALID: no room there; the error says why and where the nearest room is.
TR_API tr_status tr_stage_add_actor(tr_stage *stage, const tr_stage_actor_def *def, tr_actor_id *actor,
                                    tr_error *error);
// Its orders are cancelled. TR_OUT_OF_MEMORY: there is no room to tell of that, and it is still there.
TR_API tr_status tr_stage_remove_actor(tr_stage *stage, tr_actor_id actor);
// Put it somewhere else, at rest; its orders go on from there. TR_INVALID: no room, or somebody is there.
TR_API tr_status tr_stage_place_actor(tr_stage *stage, tr_actor_id actor, tr_vec3 position, float heading,
                                      tr_error *error);
TR_API tr_status tr_stage_set_speed(tr_stage *stage, tr_actor_id actor, float speed); // [m/s, > 0]
// Look at a point from now on; NULL: ahead again.
TR_API tr_status tr_stage_look_at(tr_stage *stage, tr_actor_id actor, const tr_vec3 *point, tr_error *error);
// Those that are there, in the order in which they came: for `index` from 0 to count - 1. 0: no such index.
TR_API uint32_t tr_stage_actor_count(const tr_stage *stage);
TR_API tr_actor_id tr_stage_actor(const tr_stage *stage, uint32_t index);
TR_API const char *tr_stage_actor_name(const tr_stage *stage, tr_actor_id actor); // "" for nobody
// How it is after the last tick; TR_INVALID leaves `view` alone. Valid until the next step.
TR_API tr_status tr_stage_look(const tr_stage *stage, tr_actor_id actor, tr_actor_view *view);
// The way it goes at present; NULL when it has none. Valid until the next step.
TR_API const tr_way *tr_stage_way(const tr_stage *stage, tr_actor_id actor);

// --- Orders ---

typedef enum tr_order_kind {
    TR_ORDER_GO,
    TR_ORDER_WAIT,
    TR_ORDER_REACH, // bring a hand somewhere; the arm stays there until it is lowered or the actor walks
    TR_ORDER_LOWER, // bring arms back to where they hang
    TR_ORDER_STEER  // go as tr_order.velocity says, until it is cancelled or replaced
} tr_order_kind;
typedef enum tr_goal_kind {
    TR_GOAL_POINT,
    TR_GOAL_REGION, // anywhere inside a box
    TR_GOAL_OBJECT, // beside an object of the scene, wherever it is then
    TR_GOAL_ACTOR   // after another actor, for as long as it is there
} tr_goal_kind;
typedef enum tr_hand { TR_HAND_RIGHT = 1 << 0, TR_HAND_LEFT = 1 << 1 } tr_hand;
typedef struct tr_order {
    tr_order_kind kind;
    // TR_ORDER_GO.
    tr_goal_kind goal_kind;
    tr_vec3 goal;       // TR_GOAL_POINT: on the highest floor that is no more than 0.5 m above it
    bool any_floor;     // goal.y means nothing: the floor nearest to that of the actor
    tr_box region;      // TR_GOAL_REGION
    tr_actor_id target; // TR_GOAL_ACTOR
    float near;         // so near is there [m, >= 0]; for an actor or object 0 is side by side
    bool has_heading;   // stand so at the end
    float heading;      // [rad]
    float speed;        // [m/s, > 0]; 0: the actor's own
    double deadline;    // the order fails when it has taken so long [s, > 0]; 0: none
    tr_vec2 velocity;   // TR_ORDER_STEER [m/s]
    double seconds; // TR_ORDER_WAIT: how long; TR_ORDER_REACH: for the way there, 0: as people do [s, >= 0]
    // TR_ORDER_REACH and TR_ORDER_LOWER: tr_hand, or'ed; both or 0: either hand, or both are lowered.
    uint32_t hands;
    // TR_ORDER_REACH: for an object of the scene, wherever it is then, with the finger tips just before its
    // surface; or else with the wrist at a point of the world. TR_GOAL_OBJECT: which.
    bool has_object;
    uint32_t object;
    tr_vec3 point;
    bool has_direction; // the hand points so (from wrist to finger tips); for an object: comes from there
    tr_vec3 direction;  // of any length but 0
    float tolerance;    // to within this [rad, 0 to pi]; 0: 10 degrees
    double hold;        // stay there for so long before the order is done [s, >= 0]
} tr_order;
typedef enum tr_order_mode {
    TR_ORDER_QUEUE,   // after all others
    TR_ORDER_NEXT,    // after the one under way
    TR_ORDER_REPLACE, // all others are cancelled
} tr_order_mode;
// Orders are carried out one after the other. An actor that is told to walk lowers its arms first. Reaching
// and lowering need a skeleton with the roles of that arm: TR_NOT_FOUND names what is missing. `number` (may
// be NULL) gets the number of the order: the actor's first is 0.
TR_API tr_status tr_stage_order(tr_stage *stage, tr_actor_id actor, const tr_order *order, tr_order_mode mode,
                                uint32_t *number, tr_error *error);
// End an order, or all of an actor (TR_NONE). The actor comes to rest as soon as it can; whoever is carried
// by a lift is carried on. TR_OUT_OF_MEMORY: there is no room to tell of it, and nothing was cancelled.
TR_API tr_status tr_stage_cancel(tr_stage *stage, tr_actor_id actor, uint32_t number);
// Change the velocity of a TR_ORDER_STEER that is under way, or begin one in place of all other orders.
TR_API tr_status tr_stage_steer(tr_stage *stage, tr_actor_id actor, tr_vec2 velocity, tr_error *error);

typedef enum tr_order_state {
    TR_ORDER_PENDING,
    TR_ORDER_UNDER_WAY,
    TR_ORDER_DONE,
    TR_ORDER_FAILED,
    TR_ORDER_CANCELLED
} tr_order_state;
// What came of reaching; `plans` 0: no path was found.
typedef struct tr_order_reach {
    tr_arm_side side;
    uint32_t plans;              // paths that were planned: 1 when nothing moved
    double plan_us;              // that the longest of these took, all directions tried together
    double move_begin, move_end; // when the hand left and when it arrived [s]
    // Of the last path.
    tr_reach_by by;
    uint32_t checks;
    double duration;     // [s]
    double wrist_length; // [m]
    float clearance;     // a lower bound, at places along it that are close together [m]
    tr_arm_goal goal;
    tr_arm arm;         // as it was planned for
    tr_posture posture; // at the goal
} tr_order_reach;
#define TR_ORDER_REASON_MAX 160
typedef struct tr_order_report {
    tr_order order;
    tr_order_state state;
    char reason[TR_ORDER_REASON_MAX]; // why it failed, "" otherwise
    double begin, end;                // [s]
    bool beside; // done, but beside the goal: that was in a wall, or somebody stood there
    tr_order_reach reach;
} tr_order_report;
// Orders that were given so far; reports of those that ended long ago are dropped, but for a stage that
// records: `first` (may be NULL) gets the number of the first that is kept.
TR_API uint32_t tr_stage_order_count(const tr_stage *stage, tr_actor_id actor, uint32_t *first);
// TR_INVALID: no such actor; TR_NOT_FOUND: no such order, or its report was dropped.
TR_API tr_status tr_stage_order_report(const tr_stage *stage, tr_actor_id actor, uint32_t number,
                                       tr_order_report *report);

// --- Time ---

// Go on by `dt` [s, 0 to 1]: as many ticks as fit. TR_OK: somebody is under way; TR_DONE: all orders have
// ended. TR_OUT_OF_MEMORY: some of the time is still to be gone; nothing is lost. The next step goes on where
// this one stopped, within the tick: call it with a dt of 0 to go the rest. The motion has then the same bits
// as if there had always been memory. A tick in which no more is new than in those before allocates nothing:
// what one has given back, the next one uses.
TR_API tr_status tr_stage_step(tr_stage *stage, double dt, tr_error *error);
TR_API double tr_stage_time(const tr_stage *stage); // of the last tick [s]

typedef enum tr_event_kind {
    TR_EVENT_ORDER_BEGUN,
    TR_EVENT_ORDER_DONE,
    TR_EVENT_ORDER_FAILED,
    TR_EVENT_ORDER_CANCELLED,
    TR_EVENT_BLOCKED,  // stands because `other` is in the way
    TR_EVENT_FOOTSTEP, // `foot` came down at `position`
    TR_EVENT_COVERED   // an object was put where it stands, or its floor was taken away; it walks to the
                       // nearest room within 3 m, and an order to go fails where there is none
} tr_event_kind;
typedef struct tr_event {
    tr_event_kind kind;
    tr_actor_id actor, other;
    uint32_t order; // number of the order
    uint32_t foot;  // 0 left, 1 right
    tr_vec3 position;
    double time; // [s]
} tr_event;
// What happened in the last step, in the order in which it did, and between it and the one before (orders
// that were cancelled). After a step that ran out of memory: what happened until then; the next step lists
// the rest. Valid until the next step.
TR_API const tr_event *tr_stage_events(const tr_stage *stage, uint32_t *count);

// --- Bodies for engines ---

typedef enum tr_matrices {
    TR_MATRICES_WORLD, // of every joint
    TR_MATRICES_SKIN   // the same times the inverse of the joint's rest: what a skinned mesh wants
} tr_matrices;
// How many matrices all actors have together, in the order of tr_stage_actor: an actor's begin where those of
// the ones before it end.
TR_API uint32_t tr_stage_matrix_count(const tr_stage *stage);
// Write them all as column-major 4x4 floats, 16 for each: bodies as they were one tick before the time that
// was stepped to, interpolated between two ticks (what is left of dt beyond the last tick counts). TR_LIMIT:
// fewer than 16 * tr_stage_matrix_count() floats.
TR_API tr_status tr_stage_write_matrices(const tr_stage *stage, tr_matrices kind, float *floats,
                                         uint32_t float_max);

// --- The world ---

TR_API const tr_ground *tr_stage_ground(const tr_stage *stage);
TR_API tr_status tr_stage_close_link(tr_stage *stage, uint32_t link, bool closed);

typedef enum tr_draw_kind {
    TR_DRAW_WAY,        // a piece of somebody's way
    TR_DRAW_COMMITMENT, // and of what it is committed to
    TR_DRAW_BODY,       // its disc
    TR_DRAW_BLOCKED_BY, // from somebody who waits to the one it waits for
    TR_DRAW_CLAIM       // ground that others make free for somebody
} tr_draw_kind;
typedef struct tr_draw {
    void (*line)(void *user, tr_draw_kind kind, tr_actor_id actor, tr_vec3 from, tr_vec3 to);
    void (*disc)(void *user, tr_draw_kind kind, tr_actor_id actor, tr_vec3 centre, float radius);
    void *user;
} tr_draw;
TR_API void tr_stage_draw(const tr_stage *stage, const tr_draw *draw); // a callback may be NULL

// How long the last 256 plans of an actor took [us], and how close any two discs came.
typedef struct tr_stage_counters {
    uint32_t plans; // ways that were searched
    double plan_us_median, plan_us_p99, plan_us_worst;
    float nearest; // to another actor, from disc to disc; negative: they overlapped [m]; INFINITY: never
                   // below 2
    double waited; // time in which others made it go slower [s]
    uint32_t deviations; // ticks in which it was not where it was committed to be
} tr_stage_counters;
TR_API tr_stage_counters tr_stage_counters_of(const tr_stage *stage, tr_actor_id actor);

// --- What was played ---

// What was recorded of an actor so far, as a clip with contacts, in the world (no base). The caller destroys
// it. TR_NOT_FOUND: nothing was recorded.
TR_API tr_status tr_stage_clip(const tr_stage *stage, tr_actor_id actor, const tr_allocator *allocator,
                               tr_clip **clip, tr_error *error);
// The points that an actor's disc went through, on the floor, one for each recorded frame.
TR_API const tr_vec3 *tr_stage_trace(const tr_stage *stage, tr_actor_id actor, uint32_t *count);

TR_END_DECLARATIONS
