// troupe/stage/stage.h - a scene, actors in it and what they were told to do: the tick that plans, moves and
// records.
//
// Every actor plans on the map of its own body (Kuffner 1998), with the others in it where they are and where
// they will be; each looks ahead along the ways of those that go before it in order and goes round them,
// slows down or waits. On a stage with storeys they walk over whatever can be stood on (Bandi & Thalmann
// 1998): level stretches as ever, stairs and gaps by footprints.
#pragma once
#include "troupe/base/tasks.h"
#include "troupe/plan/climb.h"
#include "troupe/stage/actor.h"
#include "troupe/world/scene.h"

TR_BEGIN_DECLARATIONS

// Start from tr_stage_def_default().
typedef struct tr_stage_def {
    const tr_allocator *allocator; // NULL: malloc
    tr_tasks *tasks;               // NULL: one thread; the motion is the same, bit for bit
    tr_scene *scene;          // must outlive the stage, which sets its time where objects have trajectories
    tr_box area;              // of the ground that is walked on; its height is area.min.y
    float cell;               // of the maps [m, > 0], 0.05
    double frames_per_second; // of ticks and of what is recorded, 30
    double look_ahead;        // how far actors look ahead for each other [s, >= 0], 3
    double replan_interval;   // how often a way is planned anew while walking [s, > 0], 0.5
    float margin;             // that actors keep between them, from disc to disc [m, >= 0], 0.15
    bool record;              // keep every frame, for tr_stage_clip
    // Walk over all surfaces inside the area, not over level ground alone: stairs, storeys, gaps. `links`
    // (doors, lifts; copied) lead where walking does not; ladders are nothing that bodies here can climb.
    bool storeys;
    const tr_link *links;
    uint32_t link_count;
} tr_stage_def;
TR_API tr_stage_def tr_stage_def_default(tr_scene *scene, tr_box area);

typedef struct tr_stage tr_stage;
TR_API tr_status tr_stage_create(const tr_stage_def *def, tr_stage **stage, tr_error *error);
TR_API void tr_stage_destroy(tr_stage *stage); // NULL is allowed

typedef struct tr_stage_actor_def {
    const char *name;              // NULL: "actor" and its number
    const tr_character *character; // must outlive the stage
    tr_vec2 position;
    float level;    // with storeys: the height it stands at or falls from [m]
    bool has_level; // else it stands on the surface nearest to the height of the area
    float heading;  // [rad]
    float radius;   // of the disc it needs [m, > 0]; 0: 0.3
    float height;   // of the band that must be free [m, > 0]; 0: the character's, with a little room
    float speed;    // [m/s, > 0]; 0: 1.3
} tr_stage_actor_def;
// Actors with lower numbers go first where two are in each other's way. TR_INVALID: outside the area, or no
// room there.
TR_API tr_status tr_stage_add_actor(tr_stage *stage, const tr_stage_actor_def *def, uint32_t *actor,
                                    tr_error *error);

typedef enum tr_order_kind {
    TR_ORDER_GO,
    TR_ORDER_WAIT,
    TR_ORDER_REACH, // bring a hand somewhere; the arm stays there until it is lowered or the actor walks
    TR_ORDER_LOWER  // bring arms back to where they hang
} tr_order_kind;
typedef enum tr_hand { TR_HAND_RIGHT = 1 << 0, TR_HAND_LEFT = 1 << 1 } tr_hand;
typedef struct tr_order {
    tr_order_kind kind;
    tr_vec2 goal;     // TR_ORDER_GO
    float level;      // with storeys: its height, or that it is above [m]
    bool has_level;   // else the surface nearest to the height of the actor when it sets out
    bool has_heading; // stand so at the end
    float heading;    // [rad]
    float speed;      // [m/s, > 0]; 0: the actor's own
    double seconds;   // TR_ORDER_WAIT: how long; TR_ORDER_REACH: for the way there, 0: as people do [s, >= 0]
    // TR_ORDER_REACH and TR_ORDER_LOWER: tr_hand, or'ed; both or 0: either hand, or both are lowered.
    uint32_t hands;
    // TR_ORDER_REACH: for an object of the scene, wherever it is then, with the finger tips just before its
    // surface; or else with the wrist at a point of the world.
    bool has_object;
    uint32_t object;
    tr_vec3 point;
    bool has_direction; // the hand points so (from wrist to finger tips); for an object: comes from there
    tr_vec3 direction;  // of any length but 0
    float tolerance;    // to within this [rad, 0 to pi]; 0: 10 degrees
    double hold;        // stay there for so long before the order is done [s, >= 0]
} tr_order;
// Orders are carried out one after the other. An actor that is told to walk lowers its arms first. Reaching
// and lowering need a skeleton with the roles of that arm: TR_NOT_FOUND names what is missing.
TR_API tr_status tr_stage_order(tr_stage *stage, uint32_t actor, const tr_order *order, tr_error *error);

// One tick. TR_OK: someone is still on the way; TR_DONE: all orders have ended, well or not. Allocates only
// to record and when an actor or order was added.
TR_API tr_status tr_stage_step(tr_stage *stage, tr_error *error);
TR_API double tr_stage_time(const tr_stage *stage); // [s]
TR_API uint32_t tr_stage_actor_count(const tr_stage *stage);
TR_API const char *tr_stage_actor_name(const tr_stage *stage, uint32_t actor);
TR_API tr_actor_view tr_stage_look(const tr_stage *stage, uint32_t actor);
// The way the actor goes at present, or with storeys its level stretch; `point_count` may be 0.
TR_API const tr_vec2 *tr_stage_route(const tr_stage *stage, uint32_t actor, uint32_t *point_count);

typedef enum tr_order_state {
    TR_ORDER_PENDING,
    TR_ORDER_UNDER_WAY,
    TR_ORDER_DONE,
    TR_ORDER_FAILED
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
typedef struct tr_order_report {
    tr_order order;
    tr_order_state state;
    const char *reason; // why it failed, "" otherwise; static storage
    double begin, end;  // [s]
    bool beside;        // done, but beside the goal: that was in a wall, or somebody stood there
    tr_order_reach reach;
} tr_order_report;
// The surface of a stage with storeys; NULL otherwise.
TR_API const tr_surface *tr_stage_surface(const tr_stage *stage);
TR_API uint32_t tr_stage_order_count(const tr_stage *stage, uint32_t actor);
TR_API tr_order_report tr_stage_order_report(const tr_stage *stage, uint32_t actor, uint32_t order);

// How long the last 256 plans of an actor took [us], and how close any two discs came.
typedef struct tr_stage_counters {
    uint32_t plans; // routes that were searched
    double plan_us_median, plan_us_p99, plan_us_worst;
    float
        nearest; // to another actor, from disc to disc; negative: they overlapped [m]; INFINITY: nobody else
    double waited; // time in which others made it go slower [s]
} tr_stage_counters;
TR_API tr_stage_counters tr_stage_counters_of(const tr_stage *stage, uint32_t actor);

// What was recorded of an actor so far, as a clip with contacts, in the world (no base). The caller destroys
// it. TR_NOT_FOUND: nothing was recorded.
TR_API tr_status tr_stage_clip(const tr_stage *stage, uint32_t actor, const tr_allocator *allocator,
                               tr_clip **clip, tr_error *error);
// The points that an actor's disc went through, on the floor, one for each recorded frame.
TR_API const tr_vec3 *tr_stage_trace(const tr_stage *stage, uint32_t actor, uint32_t *count);

TR_END_DECLARATIONS
