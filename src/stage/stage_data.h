// stage/stage_data.h - a stage at work. Internal to stage*.c.
//
//   stage.c           making it, the tick
//   stage_actors.c    who is there
//   stage_orders.c    what they are told, and what came of it
//   stage_events.c    what happened
//   stage_goals.c     where orders lead to
//   stage_plan.c      ways for orders
//   stage_ahead.c     searches for ways by all threads at the same time
//   stage_walk.c      pieces of a way: walking, footsteps, rides
//   stage_crowd.c     committed motions: pace, footsteps, rides
//   stage_trial.c     motions that are tried
//   stage_rest.c      where they may end
//   stage_foresee.c   roughly where they lead
//   stage_around.c    ways around others
//   stage_edge.c      steps to a side
//   stage_narrow.c    doors, corridors, stairs: where two cannot pass
//   stage_turn.c      turning round on steps
//   stage_yield.c     impasses: who waits for whom, and who gives way
//   stage_push.c      places for those who do
//   stage_cover*.c    objects that were put onto somebody
//   stage_reach*.c    arms
//   stage_pose.c      bodies for engines, debug drawing
//   stage_measure.c   who is near whom: room for arms, how near bodies came
//   stage_record.c    what was played, as clips
//   save.c            the whole of it into bytes and back
//   save_fields.c     field by field
//   journal*.c        calls written down, and made again
#pragma once
#include "stage/save/journal_entry.h"
#include "stage/actor/actor.h"
#include "stage_reach.h"
#include "base/pool.h"
#include "stage_tuning.h"
#include "troupe/plan/go.h"
#include "troupe/plan/footstep.h"
#include "troupe/stage/stage.h"

#define STAGE_POINTS 192 // of a way
#define STAGE_PIECES 48
#define STAGE_PLANS 256
#define STAGE_REPORTS 8 // of orders that have ended, where nothing is recorded
#define STAGE_CLAIMS 32
#define STAGE_NARROWS 12 // stretches of a way where two cannot pass
#define STAGE_INSIDES 512
#define STAGE_STRIPS 128 // others near a place

typedef struct stage_order {
    tr_order order;
    uint32_t number; // that the caller knows it by
    tr_order_state state;
    char reason[TR_ORDER_REASON_MAX];
    double begin, end;
    bool beside;
    bool unplanned;   // under way, and has no way yet
    bool rests_first; // and gets none before the actor has come to rest
    tr_order_reach reach;
} stage_order;

// Of a way [m].
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
    STAGE_IDLE,  // it has none
    STAGE_ORDER, // it was told to
    STAGE_ASIDE  // it makes room for somebody
} stage_errand;

// What an actor is committed to: the limits of its speed, tick by tick. After `rest` it stands.
typedef struct stage_commitment {
    uint64_t slow, stop; // `limit` before tick `slow`, `slow_limit` before tick `stop`, then 0
    float limit, slow_limit;
    uint64_t rest;
    float to_go; // of its way, where it comes to rest [m]
} stage_commitment;

// Somebody who asks others to make room, over several ticks.
typedef struct stage_asking {
    uint64_t tick;  // of the last time, and 1; 0: it does not ask
    uint64_t begun; // of the first time, and 1
    uint32_t tried; // things that others cannot do for it
    bool cut;       // not all places were looked at
    bool unsure;    // others who move or go before it may leave room later
} stage_asking;

typedef struct stage_actor {
    tr_actor_id id;
    tr_actor *actor;
    char *name;
    size_t name_size;
    float radius, height, speed;
    uint32_t sizes[3];      // of the ground, for each tr_way_room
    uint32_t body;          // in the timeline
    uint32_t scratch;       // which of the stage's
    struct tr_stage *stage; // whose floor it asks for
    float level;            // the floor of its level stretch [m]
    stage_reach *reach;     // its arms; NULL until it is told to reach
    // Orders that are kept, as they are carried out: their numbers need not rise.
    stage_order *orders;
    uint32_t order_count, order_capacity, current; // current: the order under way or next
    uint32_t order_total;                          // that were given so far
    double wait_until;
    // The way at present.
    stage_errand errand;
    tr_way way;
    stage_stretch narrows[STAGE_NARROWS];
    uint32_t narrow_count;
    uint32_t piece;   // of it, under way
    bool piece_begun; // its driver has it
    float route_more; // how much longer its level route is than the piece [m]
    tr_vec3 goal;     // of the order, brought to free ground
    tr_vec3 post;     // where it was put, or arrived last: it keeps that place unless it is asked for room
    bool replan;      // another way may be better, or slower
    stage_commitment commitment;
    tr_status stepped; // what tr_actor_step said
    // Others.
    uint32_t blocker;      // the body that it stands before; TR_NONE
    uint64_t blocker_seen; // how often that had committed itself then
    bool stuck;            // it stands, and has tried everything since
    bool lost;             // it did not get on although nobody was there, and looks for another way
    bool polite;           // it could go on, but would stand in the way of that body
    uint64_t waiver;       // until this tick it need not be
    uint64_t commits;      // how often this one has
    uint64_t tried_tick;   // when it last tried everything, in vain
    uint64_t around_tick;  // when it last looked for a way round
    uint32_t around_vain;  // how often it has, in vain, since it last got on well
    uint64_t edge_tick;    // and for a step to a side
    bool told_blocked;     // there was an event
    // What was put onto it.
    bool covered, told_covered; // something is where it stands; there was an event
    uint32_t cover;             // the object that is around it; TR_NONE
    uint64_t out_tick;          // when it last looked for a way out of that
    // Impasses.
    bool detours;          // its way leads around others
    uint32_t aside_for;    // id of the actor that it made room for, until its way is free; 0: nobody
    bool claims;           // others make room for it,
    float claim_end;       // up to here on its way [m]
    uint64_t rank;         // the older order goes first: less is before
    uint64_t lent_rank;    // by whose right it goes at present; 0: its own
    uint64_t awaited_rank; // the best right of those who wait for it, in this tick
    uint32_t lent_depth;   // how many hands that went through
    uint32_t pushes;       // times that others were asked to make room since it last got on: in vain so far
    float pushed_to_go;    // what was left of its way at the first of them [m]
    uint32_t rounds;       // long ways round that it took since it last got on: they have to pay
    float round_to_go;     // what was left of its way at the first of them [m]
    uint64_t yield_tick;   // when it last asked others to make room
    stage_asking asking;   // how far it got with that
    // What came of it.
    float plan_us[STAGE_PLANS];
    uint32_t plan_count, plan_timed; // in all, and those of this run: times are not saved
    float nearest;
    double waited;
    uint32_t deviations, contacts;
    tr_pose before; // the pose of the tick before, and
    tr_affine before_place;
    tr_transform *frames; // of all joints, frame after frame, roots in the world
    uint8_t *frame_contacts;
    tr_vec3 *trace;
    uint32_t frame_count, frame_capacity, contact_capacity, trace_capacity;
} stage_actor;

// Those who may be about to pass near a place where one would rest, as they were found for it.
typedef struct stage_strips {
    uint32_t body; // whose place
    uint64_t tick, commits;
    tr_vec3 middle;
    uint32_t count;
    stage_actor *who[STAGE_STRIPS];
    tr_vec3 rests[STAGE_STRIPS]; // where they are committed to
} stage_strips;

// A way that was searched ahead.
typedef struct stage_plan {
    tr_actor_id actor;
    tr_go_query query;
    tr_vec3 goals[TR_PATH_GOALS_MAX]; // of the query
    tr_way way;
    tr_go_result result;
    tr_status status; // TR_OUT_OF_MEMORY: there is no answer
    tr_error error;
    uint64_t nanoseconds;
} stage_plan;

typedef struct stage_ahead {
    tr_allocator source, memory; // `memory` is the source, but for members of the team at work:
    bool closed;                 // they are
    tr_go **members;             // a planner for each; NULL where there is only one
    uint32_t member_count;
    stage_plan *plans;
    uint32_t plan_count, plan_capacity;
    uint32_t end;             // turns before this one have been looked at
    uint64_t asked, expanded; // searches that counted so far, and their nodes
    uint32_t nodes;           // that members have room for
    bool ran_out;             // one of them did
} stage_ahead;

// How far a tick has come. One that runs out of memory goes on in the next step where it stopped. What comes
// after the plans needs no memory: it was made sure of before.
typedef enum stage_phase {
    PHASE_BEGINS, // nothing of the tick has been done
    PHASE_LOOKED, // the timeline has looked at the scene
    PHASE_KNOWS,  // the world is up to date
    PHASE_PLANS   // orders have begun; ways are planned, `plan_next` actors have had their turn
} stage_phase;

struct tr_stage {
    tr_stage_def def;
    tr_allocator allocator;
    tr_pool pool;       // of the world: what one tick gives back the next one uses
    tr_allocator world; // the pool's
    uint64_t scene_identity;
    stage_phase phase;
    uint32_t plan_next;
    tr_actor_id plan_turn; // who is the first to have one; 0: the first of all
    uint32_t plan_first;   // which of `actors` that is
    tr_raster *raster;
    tr_ground *ground;
    tr_timeline *timeline;
    stage_seen *seen; // objects, as the ground knows them
    uint32_t seen_count, seen_capacity;
    tr_go *go;
    stage_ahead searches;
    tr_way trial; // a way that is tried
    tr_way kept;  // that of somebody who tries another
    tr_actor_ghost *ghost;
    struct stage_aside *asides; // motions out of the way that were looked at in this tick
    uint64_t aside_round;       // those of earlier ones have another
    uint32_t aside_tries;       // places that were looked at in this tick
    tr_footstep_scratch *footsteps_scratch;
    tr_footstep footsteps[TR_ACTOR_FOOTSTEPS_MAX];
    tr_vec2 route[STAGE_POINTS];
    uint8_t passage[STAGE_POINTS]; // tr_passage of the stretch that begins at each point
    tr_vec3 positions[2][TUNE_POSITIONS + 8];
    tr_go_around_result around;
    tr_go_claim claims[STAGE_CLAIMS];    // that the actor at hand has to respect
    uint32_t claim_bodies[STAGE_CLAIMS]; // whose they are
    uint32_t claim_count;
    tr_actor_id claimants[STAGE_CLAIMS];
    uint32_t claimant_count;
    uint32_t horizon;                // of what is tried [ticks]
    float squeeze;                   // how much of the margin is kept in what is tried
    uint32_t insides[STAGE_INSIDES]; // bodies on narrow stretches
    uint32_t inside_count;
    stage_strips strips;
    uint64_t commits;  // of all, in this run
    uint32_t idlers;   // those who have nowhere to go, at least as long as motions are tried
    float bar;         // beyond this the actor at hand may not come to rest on its way [m],
    uint32_t bar_body; // since this one comes the other way
    uint64_t expanded; // by searches for ways, in this tick
    // Arms.
    tr_solid *solid;           // what arms run into; NULL until somebody is told to reach
    bool solid_changed;        // something moved in this tick
    bool reaching;             // somebody is
    tr_arm_smooth *arm_smooth; // with the solid; NULL before the first order to reach
    stage_planner *planners;
    uint32_t planner_count, planner_capacity;
    stage_actor **actors; // in the order of their ids
    uint32_t actor_count, actor_capacity;
    stage_actor **bodies; // by number of the timeline
    uint32_t body_capacity;
    tr_actor_id last_id;
    uint64_t tick, rank;
    double ahead; // time that was stepped beyond the last tick [s]
    tr_event *events;
    uint32_t event_count, event_capacity;
    tr_event *later; // what happens between two steps is told of in the next
    uint32_t later_count, later_capacity;
    bool stepping;
    tr_journal *journal; // where calls are written down; NULL
    // For each number of joints, one for each member of the team.
    struct stage_scratch {
        uint32_t joints;
        tr_actor_scratch *members;
    } * scratches;
    uint32_t scratch_count, scratch_capacity, member_count;
    struct stage_measures *measures; // NULL until there is an actor
    uint64_t frames;                 // that were recorded
};

// A stage with all but its ground.
tr_status tr_stage_begin(const tr_stage_def *def, tr_stage **stage, tr_error *error);
tr_ground_def tr_stage_ground_def(const tr_stage *stage);
// The ground has just taken over the first `count` objects as they are now. Reserve first.
tr_status tr_stage_reserve_seen(tr_stage *stage, tr_error *error);
void tr_stage_see_objects(tr_stage *stage, uint32_t count);

// Events.
void tr_stage_tell(tr_stage *stage, const tr_event *event);
bool tr_stage_reserve_events(tr_stage *stage);                // for a tick, whatever happens in it
bool tr_stage_reserve_later(tr_stage *stage, uint32_t count); // for so many between two steps
tr_status tr_stage_tell_later(tr_stage *stage, tr_error *error);

// Actors.
stage_actor *tr_stage_find_actor(const tr_stage *stage, tr_actor_id actor); // NULL: nobody
// What all bodies on a stage have in common.
tr_actor_def tr_stage_body_of(tr_stage *stage, stage_actor *who, const tr_character *character);
void tr_stage_free_actor(tr_stage *stage, stage_actor *actor);
// Where actors with so many joints are stepped: which of stage->scratches.
tr_status tr_stage_scratch_for(tr_stage *stage, uint32_t joints, uint32_t *scratch, tr_error *error);
// The body that a number of the timeline belongs to. false: no memory.
bool tr_stage_set_body(tr_stage *stage, stage_actor *who, uint32_t body);
void tr_stage_free_scratches(tr_stage *stage);
tr_vec3 tr_stage_place_of(const stage_actor *who);                  // where its disc is, on the floor
bool tr_stage_rests(const tr_stage *stage, const stage_actor *who); // by its commitment
float tr_stage_along(const stage_actor *who);                       // its way [m]
float tr_stage_to_go(const stage_actor *who);

tr_status tr_stage_update_ground(tr_stage *stage, tr_error *error); // what moved or came since the last time

// Orders.
stage_order *tr_stage_current(const stage_actor *who); // the one under way; NULL: none
void tr_stage_begin_orders(tr_stage *stage);
// Places that an order to go may end at, TR_PATH_GOALS_MAX at most. Gives how many.
uint32_t tr_stage_goals(const tr_stage *stage, const stage_actor *who, const tr_order *order, tr_vec3 *goals);
void tr_stage_end_orders(tr_stage *stage);
void tr_stage_step_orders(tr_stage *stage); // arms, deadlines, goals that move
void tr_stage_end_order(tr_stage *stage, stage_actor *who, tr_order_state state, const char *reason);
void tr_stage_free_orders(tr_stage *stage, stage_actor *who);
bool tr_stage_all_ended(const tr_stage *stage);
// A way for each order under way that has none; the actor sets out on it, or the order ends.
// TR_OUT_OF_MEMORY: it goes on with the same actor when it is called again.
tr_status tr_stage_plan_orders(tr_stage *stage, tr_error *error);
// Who has the turn after so many others, in this tick.
stage_actor *tr_stage_planned(const tr_stage *stage, uint32_t place);
// Will the actor ask for a way in this tick, as far as can be told before its turn?
bool tr_stage_wants_way(const tr_stage *stage, const stage_actor *who);

// Searches ahead, for those who want a way: from the turn `first` on, unless that was done. Drop them before
// and after the ways of a tick are planned.
tr_status tr_stage_open_ahead(tr_stage *stage, tr_error *error);
void tr_stage_close_ahead(tr_stage *stage);
tr_status tr_stage_reserve_ahead(tr_stage *stage, tr_error *error);
tr_status tr_stage_search_ahead(tr_stage *stage, uint32_t first, tr_error *error);
void tr_stage_drop_ahead(tr_stage *stage);
// The answer to a query; NULL: nobody has searched for it.
const stage_plan *tr_stage_find_ahead(const tr_stage *stage, const stage_actor *who,
                                      const tr_go_query *query);

// Things that were put onto somebody. The ground changed where it stands; after all of it, tell; leave. The
// last returns whether it is covered: then it does nothing else.
void tr_stage_cover(tr_stage *stage, stage_actor *who, tr_box changed);
void tr_stage_tell_covered(tr_stage *stage);
bool tr_stage_leave_cover(tr_stage *stage, stage_actor *who);

// A body that goes straight: does it strike an object with what is between two heights of it?
typedef struct stage_swept {
    tr_vec3 from, to;
    float radius, low, high; // [m]
} stage_swept;
bool tr_stage_strikes(const tr_scene *scene, uint32_t object, const stage_swept *body);

// Walking. Take over a way that was found into stage->trial.
void tr_stage_set_out(tr_stage *stage, stage_actor *who, stage_errand errand);
void tr_stage_halt(tr_stage *stage, stage_actor *who);     // there is nowhere to go: come to rest
void tr_stage_lose_way(tr_stage *stage, stage_actor *who); // come to rest, and look for another
bool tr_stage_is_carried(const stage_actor *who);          // by a lift
// Is it within a step to a side? Where that ends is not where it is.
bool tr_stage_is_stepping_aside(const tr_stage *stage, const stage_actor *who);
// Would it leave free ground if it went over to its new way at the speed that it has?
bool tr_stage_swings_off(tr_stage *stage, const stage_actor *who);
tr_go_query tr_stage_query(const tr_stage *stage, const stage_actor *who, const tr_vec3 *goals,
                           uint32_t goal_count, float lane);
tr_status tr_stage_find_way(tr_stage *stage, stage_actor *who, const tr_vec3 *goals, uint32_t goal_count,
                            float lane, tr_go_result *result, tr_error *error);
// The level route of the present piece from where the actor is, or from the end of `around` on, into
// stage->route. Gives the number of points.
uint32_t tr_stage_make_route(tr_stage *stage, const stage_actor *who, const tr_go_around_result *around);
// How an actor walks off from where it is on a way that it makes for itself, around others or straight ahead.
tr_way_room tr_stage_room_at(const tr_stage *stage, const stage_actor *who, tr_vec3 at);
const float *tr_stage_final_heading(const stage_actor *who);
float tr_stage_wish(const stage_actor *who); // the speed that it would like to go at [m/s]
const tr_way_piece *tr_stage_piece(const stage_actor *who);
bool tr_stage_is_last(const stage_actor *who);
// Footsteps for the present piece into stage->footsteps. TR_NOT_FOUND: no foothold.
tr_status tr_stage_plan_footsteps(tr_stage *stage, const stage_actor *who, uint32_t piece, uint32_t *count);
float tr_stage_floor_near(void *actor, tr_vec3 point); // for tr_footstep_motion_params
float tr_stage_rise(void *actor, tr_vec2 point);       // for tr_actor_def
float tr_stage_rise_most(void *actor, tr_vec2 min, tr_vec2 max);

// The crowd: extend everybody's committed motion.
void tr_stage_pace(tr_stage *stage);
// Somebody who was just told a way, at once. false: it cannot set off yet, and its `blocker` is who is in the
// way.
bool tr_stage_set_off(tr_stage *stage, stage_actor *who);
float tr_stage_limit(const tr_stage *stage, const stage_actor *who); // of speed, in this tick
tr_status tr_stage_commit_rest(tr_stage *stage, stage_actor *who);   // where it is, now
// Come to rest as soon as that meets nobody.
void tr_stage_stop(tr_stage *stage, stage_actor *who);
// The same before something that is on its way now. Whoever is committed to come to where it would stand
// stops as well, if it can: that one may go another way afterwards.
void tr_stage_stop_short(tr_stage *stage, stage_actor *who);

// Narrow stretches of ways, where two cannot pass.
void tr_stage_find_narrows(const tr_stage *stage, stage_actor *who);
// The one that somebody is in, or is committed to enter; NULL: none.
const stage_stretch *tr_stage_inside(const stage_actor *who);
// Of two who stand before each other in one: the one for whom the other makes room.
bool tr_stage_goes_through_first(const stage_actor *a, const stage_actor *b);
// How far somebody may go for the sake of those who come the other way: stage->bar.
void tr_stage_find_bar(tr_stage *stage, const stage_actor *who);
// May somebody come to rest there, after `rest_along` of its way, by its bar and by those who will come out
// of a stretch? Else `whose` way that bars.
bool tr_stage_leaves_narrow(const tr_stage *stage, const stage_actor *who, tr_vec3 from, tr_vec3 rest,
                            float rest_along, uint32_t *whose);
void tr_stage_list_insides(tr_stage *stage);
tr_vec2 tr_stage_direction(const tr_way *way, float along); // of length 1, or 0 where it leads nowhere

// Turning round on steps. Nobody is sent to a place on steps: there it could not turn, nor step to a side.
bool tr_stage_is_on_steps(const tr_stage *stage, tr_vec3 place);
// Does the present piece of its way lead somebody back who stands on steps?
bool tr_stage_turns_on_steps(const tr_stage *stage, const stage_actor *who);
// Is there room for the body while it turns over the footsteps that the ghost was told? The ghost goes them.
bool tr_stage_turn_fits(tr_stage *stage, const stage_actor *who);
// A few steps on, the way that it looks, so that it can turn there. false: it cannot, and is as it was.
bool tr_stage_step_ahead(tr_stage *stage, stage_actor *who);

// It cannot go on: its order fails, or it stays where it is.
void tr_stage_fail(tr_stage *stage, stage_actor *who, const char *reason);
// The older order goes first; of those who go by the same right, the one that it came from.
typedef struct stage_right {
    uint64_t rank;
    uint32_t depth;
} stage_right;
stage_right tr_stage_right(const stage_actor *who);
bool tr_stage_goes_before(stage_right a, stage_right b);
// Whoever made room, or cannot, goes on with what it was told.
void tr_stage_resume(tr_stage *stage, stage_actor *who);
bool tr_stage_is_idle(const stage_actor *who);
// Impasses, after everybody has tried to go on.
void tr_stage_resolve(tr_stage *stage);
// The claims that somebody has to respect: of those who go before it.
uint32_t tr_stage_claims_on(tr_stage *stage, const stage_actor *who);

// Room for so many actors is reserved before.
bool tr_stage_reserve_measures(tr_stage *stage, uint32_t actors);
void tr_stage_release_measures(tr_stage *stage);
// Before bodies move: who will be near whom; then, for each actor, what room its arms have.
void tr_stage_look_around(tr_stage *stage);
void tr_stage_give_room(const tr_stage *stage, uint32_t index);
void tr_stage_measure(tr_stage *stage); // after a tick

// Between two ticks.
tr_affine tr_stage_place_between(const tr_affine *a, const tr_affine *b, float t);
tr_transform tr_stage_mix_joints(tr_transform a, tr_transform b, float t);
bool tr_stage_reserve_record(tr_stage *stage); // for the frames of a tick
void tr_stage_record(tr_stage *stage);
void tr_stage_forget(tr_stage *stage, stage_actor *actor); // frees what was recorded

// Standing at a place from now on, as the timeline asks about it.
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
