// stage/stage_push.h - making room for an actor. Internal to stage*.c.
#pragma once
#include "stage_data.h"

#define STAGE_PUSH_MOST 32
#define STAGE_STRIP_MOST 40
#define STAGE_BANNED_MOST 6

typedef struct stage_move {
    stage_actor *who;
    tr_vec3 from, to;
    bool aside; // to the side, without a turn
} stage_move;

// The actors that make room for the owner, and their places.
typedef struct stage_push {
    tr_stage *stage;
    stage_actor *owner;
    tr_vec3 strip[STAGE_STRIP_MOST]; // the strip of ground that is cleared
    uint32_t strip_count;
    float more; // room beside the bodies [m]
    float end;  // of the strip, along the owner's way [m]
    stage_move moves[STAGE_PUSH_MOST];
    uint32_t count, tries, motions, depth;
    uint32_t effort;                      // factor on the usual number of tries
    bool cut;                             // the search ended early: there may be more places
    stage_move banned[STAGE_BANNED_MOST]; // places for which an actor could not set off
    uint32_t banned_count;                // 0 before the first plan
    bool denied;                          // an actor moves or has precedence: a later attempt may succeed
} stage_push;

// Memory for planning pushes.
tr_status tr_stage_open_push(tr_stage *stage, tr_error *error);
void tr_stage_close_push(tr_stage *stage);
// Does it stand because of a standing actor, so that it will not go on by itself?
bool tr_stage_waits(const tr_stage *stage, const stage_actor *who);
// May the owner, or an actor with the owner's rank, send this actor away?
bool tr_stage_may_send(const stage_push *push, const stage_actor *who);
// Finds places for all actors that stand on the owner's way up to `end` and yield to it. false: there are
// none, or not enough places.
bool tr_stage_plan_push(tr_stage *stage, stage_actor *owner, float end, stage_push *push);
// Sends an actor on the way in stage->trial to make room for the owner. false: another actor is in its way,
// and it stays.
bool tr_stage_send(tr_stage *stage, stage_actor *who, const stage_actor *owner);
// All actors of a plan set out for their places. false: one could not. Its place is banned from then on, and
// all actors stay where they were.
bool tr_stage_carry_out(tr_stage *stage, stage_push *push);
