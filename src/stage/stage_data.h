// stage/stage_data.h - internal data of a stage. Internal to stage*.c.
//
//   stage.c           creation, the tick
//   stage_actors.c    adding, removing and placing actors
//   stage_orders.c    orders and their results
//   stage_events.c    events
//   stage_goals.c     goals of orders
//   stage_plan.c      ways for orders
//   stage_ahead.c     searches for ways by all threads at the same time
//   stage_walk.c      pieces of a way: walking, footsteps, rides
//   stage_crowd.c     committed motions: pace, footsteps, rides
//   stage_trial.c     trials of motions
//   stage_rest.c      where a motion may end
//   stage_foresee.c   estimates of where a motion leads
//   stage_around.c    ways around others
//   stage_edge.c      steps to the side
//   stage_narrow.c    doors, corridors, stairs: where two actors cannot pass
//   stage_turn.c      turning round on steps
//   steps/*.c         steps over the triangles of the scene: actors that are dragged
//   stage_yield.c     impasses: which actor waits for which, and which gives way
//   stage_push.c      places for actors that give way
//   stage_eyes.c      actors that know only what they have seen
//   upper/*.c         waist and arms where there is little room
//   stage_cover*.c    objects that were put onto an actor
//   stage_reach*.c    arms
//   stage_pose.c      bodies for engines, debug drawing
//   stage_measure.c   distances between actors: room for arms, smallest clearance
//   stage_record.c    recorded motions as clips
//   perform/*.c       behaviors
//   stream/*.c        others that go the same way: speed behind them, and moving over
//   save.c            saving and loading a stage
//   save_fields.c     the saved fields
//   journal*.c        recording calls and replaying them
#pragma once
#include "stage/save/journal_entry.h"
#include "stage/actor/actor.h"
#include "stage_reach.h"
#include "steps/stage_steps.h"
#include "base/pool.h"
#include "stage_tuning.h"
#include "troupe/plan/go.h"
#include "troupe/plan/footstep.h"
#include "troupe/stage/stage.h"

#define STAGE_POINTS 256 // of a way
#define STAGE_PIECES 48
#define STAGE_PLANS 256
#define STAGE_REPORTS 8 // reports of ended orders that are kept if nothing is recorded
#define STAGE_CLAIMS 32
#define STAGE_NARROWS 12 // stretches of a way where two actors cannot pass
#define STAGE_INSIDES 512
#define STAGE_STRIPS 128 // others near a place

typedef struct stage_order {
    tr_order order;
    uint32_t number; // by which the caller knows the order
    tr_order_state state;
    char reason[TR_ORDER_REASON_MAX];
    double begin, end;
    bool beside;
    bool unplanned;   // under way, but without a way
    bool rests_first; // plan only after the actor has come to rest
    tr_order_reach reach;
} stage_order;

// A stretch of a way [m].
typedef struct stage_stretch {
    float begin, end;
} stage_stretch;

// An object of the scene as the ground last saw it.
typedef struct stage_seen {
    uint64_t revision;
    tr_affine placement;
    uint32_t tags;
    bool removed;
} stage_seen;

// Why an actor has a way.
typedef enum stage_errand {
    STAGE_IDLE,  // it has no way
    STAGE_ORDER, // for an order
    STAGE_ASIDE  // to make room for another actor
} stage_errand;

// The committed motion of an actor: the limits of its speed, tick by tick. After `rest` the actor stands.
typedef struct stage_commitment {
    uint64_t slow, stop; // `limit` before tick `slow`, `slow_limit` before tick `stop`, then 0
    float limit, slow_limit;
    uint64_t rest;
    float to_go; // what is left of its way where it comes to rest [m]
} stage_commitment;

// A request to others to make room, over several ticks.
typedef struct stage_asking {
    uint64_t tick;  // tick of the last request plus 1; 0: there is none
    uint64_t begun; // tick of the first request plus 1
    uint32_t tried; // number of clearings tried without success
    bool cut;       // not all places were tried
    bool unsure;    // others that move or have precedence may leave room later
} stage_asking;

// What an actor knows that knows only what it has seen.
typedef struct stage_eyes {
    tr_stage_eyes def;
    uint32_t period; // between two looks [ticks]
    tr_sight *sight;
    tr_ground *ground; // as it remembers it
} stage_eyes;

#define STAGE_POSE_CUT 0x80 // with the contacts of a pose: no motion connects it with the one before

typedef struct stage_actor {
    tr_actor_id id;
    tr_actor *actor;
    char *name;
    size_t name_size;
    float radius, height, speed;
    uint32_t sizes[TR_WAY_ROOMS]; // of the ground, for each tr_way_room; TR_NONE: never
    uint32_t body;                // number in the timeline
    uint32_t scratch;             // index in stage->scratches
    struct tr_stage *stage;       // for the floor callbacks
    float level;                  // the floor of its level stretch [m]
    stage_reach *reach;           // its arms; NULL until its first order to reach
    stage_eyes *eyes;             // NULL: it knows the whole scene
    // Orders that are kept, in the order in which they are carried out: their numbers need not increase.
    stage_order *orders;
    uint32_t order_count, order_capacity, current; // current: the order under way or next
    uint32_t order_total;                          // number of orders given so far
    double wait_until;
    // The current way.
    stage_errand errand;
    tr_way way;
    stage_stretch narrows[STAGE_NARROWS];
    uint32_t narrow_count;
    uint32_t piece;     // the current piece of the way
    bool piece_begun;   // the driver has the piece
    float route_more;   // how much longer its level route is than the piece [m]
    tr_vec3 goal;       // of the order, moved to free ground
    tr_vec3 post;       // where it was placed or arrived last; it keeps that place unless asked for room
    bool replan;        // another way may be better, or the speed has changed
    bool on_triangles;  // its footsteps were planned over the triangles of the scene
    uint64_t drag_tick; // when a dragged actor last planned its steps
    stage_commitment commitment;
    tr_status stepped; // result of tr_actor_step
    // Others.
    uint32_t blocker;      // the body that it waits for; TR_NONE
    uint64_t blocker_seen; // `commits` of the blocker at that time
    bool stuck;            // it stands and has tried everything since
    bool lost;             // it made no progress although no body was in its way, and looks for another way
    bool polite;           // it could go on, but would block that body
    uint64_t waiver;       // until this tick it need not be polite
    uint64_t commits;      // number of its commitments so far
    uint64_t tried_tick;   // when it last tried everything without success
    uint64_t around_tick;  // when it last looked for a way around others
    uint32_t around_vain;  // failed attempts to find one since it last made good progress
    uint64_t edge_tick;    // when it last tried a step to the side
    bool told_blocked;     // the event was sent
    // Objects that were put onto it.
    bool covered, told_covered; // an object is where it stands; the event was sent
    uint32_t cover;             // the object that contains it; TR_NONE
    uint64_t out_tick;          // when it last looked for a way out
    // Impasses.
    bool detours;          // its way leads around others
    uint32_t aside_for;    // id of the actor that it made room for, until its own way is free; 0: none
    bool claims;           // others make room for it,
    float claim_end;       // up to this point of its way [m]
    uint64_t rank;         // precedence: less goes first, an older order has less
    uint64_t lent_rank;    // the rank that it was lent; 0: its own rank counts
    uint64_t awaited_rank; // the best rank of the actors that wait for it, in this tick
    uint32_t lent_depth;   // how many actors the rank was passed through
    uint32_t pushes;       // unsuccessful requests to make room since it last made progress
    float pushed_to_go;    // what was left of its way at the first request [m]
    uint32_t rounds;       // long ways around that it took since it last made progress
    float round_to_go;     // what was left of its way at the first of them [m]
    uint64_t yield_tick;   // when it last asked others to make room
    stage_asking asking;   // the state of that request
    // Statistics.
    float plan_us[STAGE_PLANS];
    uint32_t plan_count, plan_timed; // all plans, and those of this run: times are not saved
    float nearest;
    double waited;
    uint32_t deviations, contacts, before_contacts; // contacts of this tick and of the previous one
    tr_pose before;                                 // pose and place of the previous tick
    tr_affine before_place;
    // The recording: the pose before its first tick and after each, of all joints, roots in the world; and
    // the places of the disc, frame by frame.
    tr_transform *poses;
    uint8_t *pose_contacts; // and STAGE_POSE_CUT
    tr_vec3 *trace;
    uint32_t pose_count, frame_count, pose_capacity, contact_capacity, trace_capacity;
    // Its waist and arms where there is little room; NULL: it has not come to such a place.
    struct stage_upper *upper;
    uint32_t upper_barred; // kinds of room, as bits, that it has no motion for
    uint32_t upper_order;  // the number of the order for which that was found out
    uint64_t upper_tick;   // before this, no further motion is tried there while it moves
    char upper_reason[TR_ORDER_REASON_MAX];
    struct stage_performer *performer; // goes by behaviors; NULL: it walks
} stage_actor;

// The actors that may soon pass near a resting place, as found for that place.
typedef struct stage_strips {
    uint32_t body; // the body that rests there
    uint64_t tick, commits;
    tr_vec3 middle;
    uint32_t count;
    stage_actor *who[STAGE_STRIPS];
    tr_vec3 rests[STAGE_STRIPS]; // where they are committed to come to rest
} stage_strips;

// A search for a way that was done ahead of its turn.
typedef struct stage_plan {
    tr_actor_id actor;
    const tr_ground *ground; // that the actor knows
    tr_go_query query;
    tr_vec3 goals[TR_PATH_GOALS_MAX]; // of the query
    tr_way way;
    tr_go_result result;
    tr_status status; // TR_OUT_OF_MEMORY: there is no result
    tr_error error;
    uint64_t nanoseconds;
} stage_plan;

typedef struct stage_ahead {
    tr_allocator source, memory; // `memory` passes on to the source, unless it is closed:
    bool closed;                 // while the members of the team work
    tr_go **members;             // a planner for each member; NULL if there is only one
    uint32_t member_count;
    stage_plan *plans;
    uint32_t plan_count, plan_capacity;
    uint32_t end;             // turns before this one are done
    uint64_t asked, expanded; // searches that counted so far, and their expanded nodes
    uint32_t nodes;           // room for nodes that the members have
    bool ran_out;             // a member ran out of room
} stage_ahead;

// How far a tick has come. A tick that runs out of memory continues in the next step where it stopped. What
// follows the plans needs no memory: it is reserved before.
typedef enum stage_phase {
    PHASE_BEGINS, // the tick has not begun
    PHASE_LOOKED, // the timeline is up to date with the scene
    PHASE_GROUND, // the ground is up to date, too
    PHASE_KNOWS,  // actors with eyes have looked
    PHASE_PLANS   // orders have begun; the first `plan_next` actors have had their turn to plan
} stage_phase;

struct tr_stage {
    tr_stage_def def;
    tr_allocator allocator;
    tr_pool pool;       // for the ground and the timeline: memory that one tick frees serves the next
    tr_allocator world; // allocates from the pool
    uint64_t scene_identity;
    stage_phase phase;
    uint32_t plan_next;
    tr_actor_id plan_turn; // the actor that has the first turn; 0: the first of all
    uint32_t plan_first;   // its index in `actors`
    tr_raster *raster;
    tr_ground *ground;
    tr_timeline *timeline;
    stage_seen *seen; // objects as the ground knows them
    uint32_t seen_count, seen_capacity;
    tr_go *go;
    stage_ahead searches;
    tr_way trial; // a way on trial
    tr_way kept;  // the way of an actor that tries another
    tr_actor_ghost *ghost;
    struct stage_aside *asides; // motions out of the way that were examined in this tick
    uint64_t aside_round;       // entries of earlier ticks have another number
    uint32_t aside_tries;       // places that were tried in this tick
    tr_footstep_scratch *footsteps_scratch;
    tr_footstep footsteps[TR_ACTOR_FOOTSTEPS_MAX];
    tr_vec2 route[STAGE_POINTS];
    float heights[STAGE_POINTS];   // of the floor there
    bool slopes;                   // the floor of the route is not level
    uint8_t passage[STAGE_POINTS]; // tr_passage of the stretch that begins at each point
    tr_vec3 positions[2][TUNE_POSITIONS + 8];
    tr_go_around_result around;
    tr_go_claim claims[STAGE_CLAIMS];    // that the current actor has to respect
    uint32_t claim_bodies[STAGE_CLAIMS]; // the bodies that have these claims
    uint32_t claim_count;
    tr_actor_id claimants[STAGE_CLAIMS];
    uint32_t claimant_count;
    uint32_t horizon;                // of trials [ticks]
    float squeeze;                   // share of the margin that trials keep
    uint32_t insides[STAGE_INSIDES]; // bodies on narrow stretches
    uint32_t inside_count;
    stage_strips strips;
    uint64_t commits;  // of all actors, in this run
    uint32_t idlers;   // actors that have nowhere to go for at least as long as trials last
    float bar;         // the current actor may not come to rest on its way beyond this [m],
    uint32_t bar_body; // because this body comes the other way
    uint64_t expanded; // nodes expanded by searches for ways in this tick
    // Arms, and steps over triangles.
    tr_solid *solid;    // obstacles for limbs; NULL until the first order to reach or to drag
    stage_steps *steps; // NULL until the first order to drag
    void (*see_step)(void *user, const tr_stage_step_view *step); // NULL: nobody watches
    void *see_user;
    bool solid_changed;          // an object moved in this tick
    bool reaching;               // an actor is reaching, or steps over triangles
    tr_arm_smooth *arm_smooth;   // made with the solid; NULL before the first order to reach
    struct stage_uppers *uppers; // NULL until an actor comes to where there is little room
    stage_planner *planners;
    uint32_t planner_count, planner_capacity;
    stage_actor **actors; // sorted by id
    uint32_t actor_count, actor_capacity;
    stage_actor **bodies; // by their number in the timeline
    uint32_t body_capacity;
    tr_actor_id last_id;
    uint64_t tick, rank;
    double ahead; // time stepped beyond the last tick [s]
    tr_event *events;
    uint32_t event_count, event_capacity;
    tr_event *later; // events between two steps, which the next step reports
    uint32_t later_count, later_capacity;
    bool stepping;
    tr_journal *journal; // records calls; NULL: none
    // For each number of joints, a scratch for each member of the team.
    struct stage_scratch {
        uint32_t joints;
        tr_actor_scratch *members;
        tr_affine *model; // of a body between two ticks; its pose is that of the first member
    } * scratches;
    uint32_t scratch_count, scratch_capacity, member_count;
    struct stage_measures *measures; // NULL until there is an actor
    uint64_t frames;                 // number of recorded frames
    // Behaviors.
    struct stage_kind **kinds;
    uint32_t kind_count, kind_room;
    tr_vec3 *performed; // positions of two motions on trial
    uint32_t performed_room;
    uint64_t world_changes; // of the ground so far
};

// Creates a stage without its ground.
tr_status tr_stage_begin(const tr_stage_def *def, tr_stage **stage, tr_error *error);
tr_ground_def tr_stage_ground_def(const tr_stage *stage);
// Notes the first `count` objects as they are now, after the ground has taken them over. Reserve first.
tr_status tr_stage_reserve_seen(tr_stage *stage, tr_error *error);
void tr_stage_see_objects(tr_stage *stage, uint32_t count);

// Events.
void tr_stage_tell(tr_stage *stage, const tr_event *event);
bool tr_stage_reserve_events(tr_stage *stage);                // enough for any tick
bool tr_stage_reserve_later(tr_stage *stage, uint32_t count); // for `count` events between two steps
tr_status tr_stage_tell_later(tr_stage *stage, tr_error *error);

// Actors.
stage_actor *tr_stage_find_actor(const tr_stage *stage, tr_actor_id actor); // NULL: there is none
// The properties that all actors of a stage share.
tr_actor_def tr_stage_body_of(tr_stage *stage, stage_actor *who, const tr_character *character);
void tr_stage_free_actor(tr_stage *stage, stage_actor *actor);
// The index in stage->scratches for actors with this many joints.
tr_status tr_stage_scratch_for(tr_stage *stage, uint32_t joints, uint32_t *scratch, tr_error *error);
// Assigns a number of the timeline to an actor. false: no memory.
bool tr_stage_set_body(tr_stage *stage, stage_actor *who, uint32_t body);
void tr_stage_free_scratches(tr_stage *stage);
tr_vec3 tr_stage_place_of(const stage_actor *who);                  // the position of its disc, on the floor
bool tr_stage_rests(const tr_stage *stage, const stage_actor *who); // according to its commitment
float tr_stage_along(const stage_actor *who);                       // how far it is along its way [m]
float tr_stage_to_go(const stage_actor *who);

tr_status tr_stage_update_ground(tr_stage *stage, tr_error *error); // objects that have moved or were added

// Orders.
stage_order *tr_stage_current(const stage_actor *who); // the order under way; NULL: none
bool tr_stage_is_of_legs(const tr_order *order);       // does it move the whole actor?
bool tr_stage_passes_on(const stage_actor *who);       // need it not stop at the goal of that order?
void tr_stage_begin_orders(tr_stage *stage);
// Writes the possible goals of an order to go, at most TR_PATH_GOALS_MAX. Returns their number.
uint32_t tr_stage_goals(const tr_stage *stage, const stage_actor *who, const tr_order *order, tr_vec3 *goals);
void tr_stage_end_orders(tr_stage *stage);
void tr_stage_step_orders(tr_stage *stage); // arms, deadlines, goals that move
void tr_stage_end_order(tr_stage *stage, stage_actor *who, tr_order_state state, const char *reason);
void tr_stage_free_orders(tr_stage *stage, stage_actor *who);
bool tr_stage_all_ended(const tr_stage *stage);
// Finds a way for each order under way that has none; the actor sets out on it, or the order ends.
// TR_OUT_OF_MEMORY: the next call continues with the same actor.
tr_status tr_stage_plan_orders(tr_stage *stage, tr_error *error);
// The actor that has turn number `place` in this tick.
stage_actor *tr_stage_planned(const tr_stage *stage, uint32_t place);
// Will the actor look for a way in this tick, as far as is known before its turn?
bool tr_stage_wants_way(const tr_stage *stage, const stage_actor *who);

// Searches ahead for actors that want a way: from turn `first` on, unless that is done. Drop the searches
// before and after the ways of a tick are planned.
tr_status tr_stage_open_ahead(tr_stage *stage, tr_error *error);
void tr_stage_close_ahead(tr_stage *stage);
tr_status tr_stage_reserve_ahead(tr_stage *stage, tr_error *error);
tr_status tr_stage_search_ahead(tr_stage *stage, uint32_t first, tr_error *error);
void tr_stage_drop_ahead(tr_stage *stage);
// The result for a query; NULL: it was not searched.
const stage_plan *tr_stage_find_ahead(const tr_stage *stage, const stage_actor *who,
                                      const tr_go_query *query);

// Eyes. `archive` (may be NULL) holds a memory to begin with.
tr_status tr_stage_check_eyes(const tr_stage_eyes *eyes, tr_error *error);
tr_status tr_stage_open_eyes(tr_stage *stage, stage_actor *who, const tr_stage_eyes *def, tr_archive *archive,
                             tr_error *error);
void tr_stage_close_eyes(tr_stage *stage, stage_actor *who);
void tr_stage_archive_eyes(tr_stage *stage, stage_actor *who, tr_archive *archive);
void tr_stage_eyes_archive(tr_stage_eyes *eyes, tr_archive *archive); // the settings alone
// All actors with eyes look, feel what is right before them, and update the ground that they remember.
tr_status tr_stage_use_eyes(tr_stage *stage, tr_error *error);
// The ground that the actor plans its ways on: the true one, or the one that it remembers.
const tr_ground *tr_stage_known(const tr_stage *stage, const stage_actor *who);
// The actor looks for another way if the last update of this ground blocked its way.
void tr_stage_mind_ground(tr_stage *stage, stage_actor *who, const tr_ground *ground);

// Objects that were put onto actors. Call tr_stage_cover for each change of the ground, then tell, then
// leave. The last returns whether the actor is covered: it then does nothing else.
void tr_stage_cover(tr_stage *stage, stage_actor *who, tr_box changed);
void tr_stage_tell_covered(tr_stage *stage);
bool tr_stage_leave_cover(tr_stage *stage, stage_actor *who);

// Does a body that moves straight touch an object between two of its heights?
typedef struct stage_swept {
    tr_vec3 from, to;
    float radius, low, high; // [m]
} stage_swept;
bool tr_stage_strikes(const tr_scene *scene, uint32_t object, const stage_swept *body);

// Walking. Takes over the way in stage->trial.
void tr_stage_set_out(tr_stage *stage, stage_actor *who, stage_errand errand);
void tr_stage_halt(tr_stage *stage, stage_actor *who);     // comes to rest: there is nowhere to go
void tr_stage_lose_way(tr_stage *stage, stage_actor *who); // comes to rest and looks for another way
// The same for an order; it comes to rest first if it is too fast to change to the way.
void tr_stage_take_way(tr_stage *stage, stage_actor *who, stage_order *order);
// How near to its goal an actor without a gait has to come [m].
float tr_stage_tolerance(const stage_actor *who);
bool tr_stage_walks(const stage_actor *who);      // false: it moves by behaviors alone
bool tr_stage_is_carried(const stage_actor *who); // by a lift or a chain of behaviors: it cannot stop
// Is it in the middle of a step to the side? It will then end elsewhere than where it is.
bool tr_stage_is_stepping_aside(const tr_stage *stage, const stage_actor *who);
// Would it leave free ground if it changed to its new way at its present speed?
bool tr_stage_swings_off(tr_stage *stage, const stage_actor *who);
// Is it among others that go its way, while nobody comes the other way?
bool tr_stage_is_in_stream(const tr_stage *stage, const stage_actor *who, tr_vec3 goal);
// How steeply it goes to its lane, as in tr_go_query: the more people come the other way and the nearer they
// are, the sooner it has to be there.
float tr_stage_merge(const tr_stage *stage, const stage_actor *who, tr_vec3 goal);
tr_go_query tr_stage_query(const tr_stage *stage, const stage_actor *who, const tr_vec3 *goals,
                           uint32_t goal_count, float lane);
tr_status tr_stage_find_way(tr_stage *stage, stage_actor *who, const tr_vec3 *goals, uint32_t goal_count,
                            float lane, tr_go_result *result, tr_error *error);
// Writes the level route of the current piece, from the actor or from the end of `around` on, to
// stage->route. Returns the number of points.
// Also the heights of the floor along it.
uint32_t tr_stage_make_route(tr_stage *stage, const stage_actor *who, const tr_go_around_result *around);
// Gives that route to the ghost.
tr_status tr_stage_tell_route(tr_stage *stage, const stage_actor *who, uint32_t count, float speed);
// The room with which an actor sets out on a way of its own, around others or straight ahead.
tr_way_room tr_stage_room_at(const tr_stage *stage, const stage_actor *who, tr_vec3 at);
// The narrowest size that it may have where it is: sideways, or bent where it is bent.
uint32_t tr_stage_least_size(const tr_stage *stage, const stage_actor *who);
const float *tr_stage_final_heading(const stage_actor *who);
float tr_stage_wish(const stage_actor *who); // the speed at which it would like to go [m/s]
const tr_way_piece *tr_stage_piece(const stage_actor *who);
bool tr_stage_is_last(const stage_actor *who);
// Writes the footsteps of a piece to stage->footsteps. TR_NOT_FOUND: there is no foothold.
tr_status tr_stage_plan_footsteps(tr_stage *stage, const stage_actor *who, uint32_t piece, uint32_t *count);
float tr_stage_floor_near(void *actor, tr_vec3 point); // for tr_footstep_motion_params
float tr_stage_rise(void *actor, tr_vec2 point);       // for tr_actor_def
float tr_stage_smooth_near(void *actor, tr_vec3 point);
float tr_stage_rise_most(void *actor, tr_vec2 min, tr_vec2 max);

// Behaviors.
tr_status tr_stage_add_performer(tr_stage *stage, stage_actor *who, const tr_stage_actor_def *def,
                                 tr_error *error);
void tr_stage_drop_performer(tr_stage *stage, stage_actor *who);
void tr_stage_close_kinds(tr_stage *stage);
bool tr_stage_is_performing(const stage_actor *who);
// Plans an order to go by behaviors. *done: false: the actor walks. TR_OUT_OF_MEMORY: the tick goes on with
// it.
tr_status tr_stage_plan_performance(tr_stage *stage, stage_actor *who, stage_order *order, bool *done,
                                    tr_error *error);
// An actor that has walked to what it is to cross by behaviors sets off, if others leave room.
tr_status tr_stage_begin_crossing(tr_stage *stage, stage_actor *who, tr_error *error);
// The heading with which it has to stand there; NULL: the piece of its way does not lead to a crossing.
const float *tr_stage_crossing_heading(const stage_actor *who);

// Upper bodies. Makes an actor ready to plan waist and arms: call it before it gets a way with little room.
tr_status tr_stage_prepare_upper(tr_stage *stage, stage_actor *who, tr_error *error);
void tr_stage_close_uppers(tr_stage *stage);
// Adds the size of the ground with which it bends; false: it has it already, or cannot bend.
tr_status tr_stage_add_bent(tr_stage *stage, stage_actor *who, bool *added, tr_error *error);
// May it walk through such a room with its waist turned, instead of sideways? And the passage for a kind of
// room.
bool tr_stage_walks_through(const stage_actor *who, tr_way_room room);
// For how long a motion of the actor goes on before it comes to rest [ticks].
uint32_t tr_stage_horizon(const stage_actor *who);
uint8_t tr_stage_passage(const stage_actor *who, uint8_t room);

// Notes the body that an actor waits for; TR_NONE: none. `polite`: it could go on, but would be in its way.
void tr_stage_note_blocker(tr_stage *stage, stage_actor *who, uint32_t body, bool polite);
// The crowd: extends the committed motions of all actors.
void tr_stage_pace(tr_stage *stage);
// Commits an actor to a new way at once. false: it cannot set off yet, and `blocker` is the body in its way.
bool tr_stage_set_off(tr_stage *stage, stage_actor *who);
float tr_stage_limit(const tr_stage *stage, const stage_actor *who); // of its speed, in this tick
tr_status tr_stage_commit_rest(tr_stage *stage, stage_actor *who);   // at its present place
// Comes to rest as soon as that meets no body.
void tr_stage_stop(tr_stage *stage, stage_actor *who);
// The same in front of an obstacle that is on its way now. Actors that are committed to come to where it
// would stand stop as well, if they can: they may take another way afterwards.
void tr_stage_stop_short(tr_stage *stage, stage_actor *who);

// Narrow stretches of ways, where two actors cannot pass.
void tr_stage_find_narrows(const tr_stage *stage, stage_actor *who);
// The stretch that the actor is in, or is committed to enter; NULL: none.
const stage_stretch *tr_stage_inside(const stage_actor *who);
// Of two actors that face each other in a stretch: does `b` make room for `a`?
bool tr_stage_goes_through_first(const stage_actor *a, const stage_actor *b);
// Sets stage->bar: how far the actor may go because of actors that come the other way.
void tr_stage_find_bar(tr_stage *stage, const stage_actor *who);
// May the actor come to rest there, after `rest_along` of its way, given its bar and the actors that will
// come out of a stretch? If not, `whose` is the body whose way it would block.
bool tr_stage_leaves_narrow(const tr_stage *stage, const stage_actor *who, tr_vec3 from, tr_vec3 rest,
                            float rest_along, uint32_t *whose);
void tr_stage_list_insides(tr_stage *stage);
tr_vec2 tr_stage_direction(const tr_way *way, float along); // of length 1, or 0 if it has no direction

// Turning round on steps. No actor is sent to a place on steps, because it could neither turn nor step to the
// side there.
bool tr_stage_is_on_steps(const tr_stage *stage, tr_vec3 place);
// Does the current piece lead an actor that stands on steps back?
bool tr_stage_turns_on_steps(const tr_stage *stage, const stage_actor *who);
// Is there room for the body while it turns over the footsteps that the ghost was given? The ghost takes
// them.
bool tr_stage_turn_fits(tr_stage *stage, const stage_actor *who);
// Takes a few steps ahead, in the direction that it faces, to a place where it can turn. false: it cannot,
// and nothing has changed.
bool tr_stage_step_ahead(tr_stage *stage, stage_actor *who);

// It cannot go on: its order fails, or it stays where it is.
void tr_stage_fail(tr_stage *stage, stage_actor *who, const char *reason);
// The older order goes first; of those with the same rank, the one that the rank came from.
typedef struct stage_right {
    uint64_t rank;
    uint32_t depth;
} stage_right;
stage_right tr_stage_right(const stage_actor *who);
bool tr_stage_goes_before(stage_right a, stage_right b);
// An actor that has made room, or cannot, continues its order.
void tr_stage_resume(tr_stage *stage, stage_actor *who);
bool tr_stage_is_idle(const stage_actor *who);
// Resolves impasses, after all actors have tried to go on.
void tr_stage_resolve(tr_stage *stage);
// Collects the claims that the actor has to respect: those of actors with precedence.
uint32_t tr_stage_claims_on(tr_stage *stage, const stage_actor *who);

// Room for this many actors is reserved before.
bool tr_stage_reserve_measures(tr_stage *stage, uint32_t actors);
void tr_stage_release_measures(tr_stage *stage);
// Before bodies move: finds the actors that will be near each other; then, for each actor, the room of its
// arms.
void tr_stage_look_around(tr_stage *stage);
void tr_stage_give_room(const tr_stage *stage, uint32_t index);
void tr_stage_measure(tr_stage *stage); // after a tick

// A body between the last two ticks, `t` of the way to the later one, in a scratch of the stage; valid until
// the next call.
typedef struct stage_body {
    const tr_pose *pose;
    const tr_affine *model; // of every joint in the world
} stage_body;
stage_body tr_stage_body_between(const tr_stage *stage, const stage_actor *who, float t);
bool tr_stage_reserve_record(tr_stage *stage); // for the frames of a tick
void tr_stage_record(tr_stage *stage);
void tr_stage_forget(tr_stage *stage, stage_actor *actor); // frees what was recorded

// The motion of an actor that stands at a place from now on, for queries to the timeline.
static inline tr_timeline_motion tr_stage_standing(const tr_stage *stage, const stage_actor *who,
                                                   const tr_vec3 *place) {
    tr_timeline_motion motion = {.begin = stage->tick,
                                 .positions = place,
                                 .count = 1,
                                 .radius = who->radius,
                                 .height = who->height,
                                 .self = who->body,
                                 .rest = true};
    return motion;
}
