// stage/stage_reach.h - the arms of actors at work. Internal to stage*.c.
//
//   stage_reach.c       orders for arms, tick by tick
//   stage_reach_plan.c  paths to goals and back
//   stage_reach_goal.c  where a hand comes to an object from
#pragma once
#include "troupe/motion/arm_smooth.h"
#include "troupe/plan/reach.h"
#include "troupe/stage/stage.h"

struct stage_actor;

// Everybody with the same character plans with the same planner, one after the other.
typedef struct stage_planner {
    const tr_character *character;
    tr_arm_side side;
    tr_reach *reach;
    tr_reach_body bodies[TR_REACH_BODIES_MAX]; // of the character as it stands
    uint32_t body_count;
} stage_planner;

// What the order under way asks of an actor's arms.
typedef struct stage_reach {
    bool busy;                        // there is something to do or to wait for
    uint32_t lowering;                // tr_hand: these are brought back before anything else
    uint32_t untried;                 // tr_hand: that may reach and have not been tried
    tr_arm_side side;                 // that reaches
    bool moving;                      // a path to the goal is under way, or was gone to its end
    bool returning[2];                // a path back is
    bool moved;                       // the hand has left the place where it was when the order began
    uint32_t tries;                   // to find a path, since one was found or anything moved
    double planned;                   // when a path was last looked for [s]
    double blocked_since;             // when none was found; INFINITY: one was [s]
    double held_since;                // when the hand arrived [s]; INFINITY: it has not
    tr_vec3 target;                   // the middle of the object then
    char reason[TR_ORDER_REASON_MAX]; // why the first hand that was tried cannot; "": none yet
} stage_reach;

// How many directions a hand may come from, and the goal for one of them, in the order in which they are to
// be tried, for an arm held so. false: the hand finds no room that way.
#define STAGE_REACH_GOALS 8
uint32_t tr_stage_reach_goal_count(const tr_order *order);
bool tr_stage_reach_goal(const tr_stage *stage, const struct stage_actor *who, const tr_order *order,
                         const tr_arm *arm, const tr_posture *posture, uint32_t number, tr_arm_goal *goal);
// The middle of what the order reaches for. false: the object is gone.
bool tr_stage_reach_target(const tr_stage *stage, const tr_order *order, tr_vec3 *target);

// Paths; they become the arm's at once. TR_NOT_FOUND and TR_PARTIAL with a reason. TR_UNAVAILABLE: the other
// arm must come down first.
tr_status tr_stage_plan_reach(tr_stage *stage, struct stage_actor *who, tr_arm_side side,
                              const char **reason);
tr_status tr_stage_plan_lower(tr_stage *stage, struct stage_actor *who, tr_arm_side side,
                              const char **reason);
// Is what is left of the arm's path free?
bool tr_stage_arm_is_free(tr_stage *stage, const struct stage_actor *who, tr_arm_side side);

// When an order is added: everything that needs memory.
tr_status tr_stage_prepare_reach(tr_stage *stage, struct stage_actor *who, const tr_order *order,
                                 tr_error *error);
tr_solid_def tr_stage_solid_def(const tr_stage *stage);
// Planners for the hands (tr_hand) of an actor with arms; the solid is there.
tr_status tr_stage_add_planners(tr_stage *stage, const struct stage_actor *who, uint32_t hands,
                                tr_error *error);
void tr_stage_close_reach(tr_stage *stage);
// Every tick, before orders are looked at: the scene as it is now, for arms.
tr_status tr_stage_update_reach(tr_stage *stage, tr_error *error);
// An order begins. true: arms have something to do first, or are all that it is about.
bool tr_stage_begin_arms(tr_stage *stage, struct stage_actor *who);
// One tick of that. TR_OK: goes on; TR_DONE: what the order asks of arms is done; TR_NOT_FOUND: it cannot be,
// `reason` says why.
tr_status tr_stage_step_arms(tr_stage *stage, struct stage_actor *who, const char **reason);
// Is an arm anywhere but with the body?
bool tr_stage_arms_are_out(const struct stage_actor *who);
// Arms that nothing is asked of are lowered, so that the actor can go aside.
void tr_stage_lower_idle_arms(struct stage_actor *who);
