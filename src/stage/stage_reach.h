// stage/stage_reach.h - the arms of the actors of a stage. Internal to stage*.c.
//
//   stage_reach.c       orders for arms, tick by tick
//   stage_reach_plan.c  paths to goals and back
//   stage_reach_goal.c  from where a hand approaches an object
#pragma once
#include "troupe/motion/arm_smooth.h"
#include "troupe/plan/reach.h"
#include "troupe/stage/stage.h"

struct stage_actor;

// All actors with the same character share a planner, one after the other.
typedef struct stage_planner {
    const tr_character *character;
    tr_arm_side side;
    tr_reach *reach;
    tr_reach_body bodies[TR_REACH_BODIES_MAX]; // of the character as it stands
    uint32_t body_count;
} stage_planner;

// What the current order requires of an actor's arms.
typedef struct stage_reach {
    bool busy;                        // there is something to do or to wait for
    uint32_t lowering;                // tr_hand: arms that are lowered before anything else
    uint32_t untried;                 // tr_hand: arms that may reach and have not been tried
    tr_arm_side side;                 // the arm that reaches
    bool moving;                      // a path to the goal is under way or complete
    bool returning[2];                // a path back is under way
    bool moved;                       // the hand has left the place where it was when the order began
    uint32_t tries;                   // searches since a path was found or anything moved
    double planned;                   // time of the last search for a path [s]
    double blocked_since;             // when no path was found; INFINITY: one was found [s]
    double held_since;                // when the hand arrived [s]; INFINITY: it has not
    tr_vec3 target;                   // the middle of the object at that time
    char reason[TR_ORDER_REASON_MAX]; // why the first tried hand failed; "": it has not
} stage_reach;

// The number of directions from which a hand may approach, and the goal for one of them, in the order in
// which they are to be tried, for an arm in this posture. false: there is no room for the hand in that
// direction.
#define STAGE_REACH_GOALS 8
uint32_t tr_stage_reach_goal_count(const tr_order *order);
bool tr_stage_reach_goal(const tr_stage *stage, const struct stage_actor *who, const tr_order *order,
                         const tr_arm *arm, const tr_posture *posture, uint32_t number, tr_arm_goal *goal);
// The middle of the target of the order. false: the object was removed.
bool tr_stage_reach_target(const tr_stage *stage, const tr_order *order, tr_vec3 *target);

// Plan a path, which the arm follows at once. TR_NOT_FOUND and TR_PARTIAL: `reason` says why. TR_UNAVAILABLE:
// the other arm must come down first.
tr_status tr_stage_plan_reach(tr_stage *stage, struct stage_actor *who, tr_arm_side side,
                              const char **reason);
tr_status tr_stage_plan_lower(tr_stage *stage, struct stage_actor *who, tr_arm_side side,
                              const char **reason);
// Is the rest of the arm's path free?
bool tr_stage_arm_is_free(tr_stage *stage, const struct stage_actor *who, tr_arm_side side);

// Called when an order is added: allocates everything that it needs.
tr_status tr_stage_prepare_reach(tr_stage *stage, struct stage_actor *who, const tr_order *order,
                                 tr_error *error);
tr_solid_def tr_stage_solid_def(const tr_stage *stage);
// Creates planners for the hands (tr_hand) of an actor with arms. The solid exists.
tr_status tr_stage_add_planners(tr_stage *stage, const struct stage_actor *who, uint32_t hands,
                                tr_error *error);
void tr_stage_close_reach(tr_stage *stage);
// Called in every tick before the orders: brings the solid up to date.
tr_status tr_stage_update_reach(tr_stage *stage, tr_error *error);
// Begins an order. true: the arms have to do something first, or the order is for arms only.
bool tr_stage_begin_arms(tr_stage *stage, struct stage_actor *who);
// One tick of that. TR_OK: it goes on; TR_DONE: the arms are done; TR_NOT_FOUND: they cannot, `reason` says
// why.
tr_status tr_stage_step_arms(tr_stage *stage, struct stage_actor *who, const char **reason);
// Is an arm away from the body?
bool tr_stage_arms_are_out(const struct stage_actor *who);
// Lowers arms that no order needs, so that the actor can go aside.
void tr_stage_lower_idle_arms(struct stage_actor *who);
// Builds the obstacles for limbs, once.
tr_status tr_stage_open_solid(struct tr_stage *stage, tr_error *error);
