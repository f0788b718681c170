// stage/stage_push.h - making room for somebody. Internal to stage*.c.
#pragma once
#include "stage_data.h"

#define STAGE_PUSH_MOST 32
#define STAGE_STRIP_MOST 40
#define STAGE_BANNED_MOST 6

typedef struct stage_move {
    stage_actor *who;
    tr_vec3 from, to;
    bool aside; // to a side, without a turn
} stage_move;

// Who makes room for whom, and where each goes.
typedef struct stage_push {
    tr_stage *stage;
    stage_actor *owner;
    tr_vec3 strip[STAGE_STRIP_MOST]; // that is made free
    uint32_t strip_count;
    float more; // room beside the bodies [m]
    float end;  // of it, along the owner's way [m]
    stage_move moves[STAGE_PUSH_MOST];
    uint32_t count, tries, motions, depth;
    uint32_t effort;                      // times as many tries as usual
    bool cut;                             // the search ended before all was tried: there may be places
    stage_move banned[STAGE_BANNED_MOST]; // places that could not be set off for
    uint32_t banned_count;                // 0 before the first plan
    bool denied;                          // somebody moves, or has more right: it may go better later
} stage_push;

// Memory for making room.
tr_status tr_stage_open_push(tr_stage *stage, tr_error *error);
void tr_stage_close_push(tr_stage *stage);
// Does it stand because of somebody who stands, and will not go on by itself?
bool tr_stage_waits(const tr_stage *stage, const stage_actor *who);
// May the owner, or whoever goes by its right, send somebody away?
bool tr_stage_may_send(const stage_push *push, const stage_actor *who);
// Places for all who stand on somebody's way up to `end` and go after it. false: nobody does, or there are
// not enough places.
bool tr_stage_plan_push(tr_stage *stage, stage_actor *owner, float end, stage_push *push);
// Somebody sets out on the way in stage->trial to make room for the owner. false: somebody
// stands in its way, and it stays.
bool tr_stage_send(tr_stage *stage, stage_actor *who, const stage_actor *owner);
// Everybody of a plan sets out for its place. false: somebody could not. Its place is banned from then on,
// and all stand where they stood.
bool tr_stage_carry_out(tr_stage *stage, stage_push *push);
