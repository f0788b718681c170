// Crossings on the way of an actor: it walks up to what it cannot walk through, performs a chain of behaviors
// across it, and walks on.
#include "stage_perform.h"

#include "troupe/base/scalar.h"

#define OFF_PLACE 0.04f   // from where a crossing begins to where the actor stands [m]
#define OFF_HEADING 0.25f // [rad]
#define TRY_TICKS 10      // from one attempt to set off to the next
#define TRIES_MOST 120    // attempts while something moves in the way

static const behavior_crossing *crossing_of(const stage_actor *who, uint32_t piece) {
    uint32_t number = 0;
    for (uint32_t i = 0; i < piece; i++)
        number += who->way.pieces[i].kind == TR_WAY_PERFORM;
    return &who->performer->crossings[number < PERFORM_CROSSINGS ? number : PERFORM_CROSSINGS - 1];
}

const float *tr_stage_crossing_heading(const stage_actor *who) {
    bool leads = who->performer && who->errand == STAGE_ORDER && who->piece + 1 < who->way.piece_count &&
                 who->way.pieces[who->piece + 1].kind == TR_WAY_PERFORM;
    return leads ? &crossing_of(who, who->piece + 1)->heading : NULL;
}

static bool stands_there(const stage_actor *who, const behavior_crossing *crossing) {
    const tr_follow_state *root = &tr_actor_root(who->actor)->state;
    tr_vec2 off = {root->position.x - crossing->from.x, root->position.z - crossing->from.z};
    double turns = ((double)root->heading - (double)crossing->heading) / (2 * TR_PI);
    return tr_vec2_length(off) < OFF_PLACE &&
           fabs(turns - floor(turns + 0.5)) * 2 * TR_PI < (double)OFF_HEADING;
}

// TR_NOT_FOUND: somebody or something moves in the way; TR_INVALID: the place is not what it was.
static tr_status set_off(tr_stage *stage, stage_actor *who, const behavior_crossing *crossing, uint32_t *body,
                         tr_error *error) {
    stage_performer *performer = who->performer;
    stage_kind *kind = performer->kind;
    stage_performance *next = &performer->performances[1 - performer->now];
    const behavior_chain *chain = &kind->crossings.chains[crossing->chain];
    next->plan = (tr_behavior_plan){.actions = next->actions, .action_max = PERFORM_ACTIONS};
    next->begin = stage->tick;
    if (!stands_there(who, crossing) || !tr_behavior_crossing_is_open(kind->map, chain, crossing) ||
        tr_behavior_crossing_plan(chain, crossing, &next->plan) != TR_OK)
        return TR_INVALID;
    if (!tr_behavior_crossing_is_clear(kind->map, chain, crossing, (uint32_t)(stage->tick - kind->base)))
        return TR_NOT_FOUND;
    perform_try tried;
    tr_base to = {crossing->to.x, crossing->to.z, crossing->end_heading};
    tr_status status = tr_stage_try_performance(stage, who, next, &to, 0, &tried, error);
    if (status == TR_OK)
        status = tr_stage_check_performance(stage, who, &tried, stage->def.margin, body, error);
    if (status != TR_OK)
        return status;
    return tr_stage_play(stage, who, &tried, tr_way_length(&who->way) - tr_stage_piece(who)->end, error);
}

// Something moves in the way, or the place has changed: later, or on another way.
static void wait_there(tr_stage *stage, stage_actor *who, uint32_t body, bool moves) {
    stage_performer *performer = who->performer;
    performer->try_tick = stage->tick + TRY_TICKS;
    if (body != TR_NONE) {
        tr_stage_note_blocker(stage, who, body, false);
        who->stuck = true;
        return;
    }
    who->stuck = false;
    if (++performer->tries < TRIES_MOST) {
        if (!moves)
            tr_stage_lose_way(stage, who);
        return;
    }
    performer->tries = 0;
    tr_stage_end_order(stage, who, TR_ORDER_FAILED, "what has to be crossed on the way stays blocked");
}

tr_status tr_stage_begin_crossing(tr_stage *stage, stage_actor *who, tr_error *error) {
    const tr_way_piece *piece = tr_stage_piece(who);
    stage_performer *performer = who->performer;
    if (!performer || !piece || piece->kind != TR_WAY_PERFORM || who->piece_begun ||
        who->errand != STAGE_ORDER || !tr_stage_rests(stage, who) || stage->tick < performer->try_tick ||
        (who->reach && who->reach->busy))
        return TR_OK;
    tr_error why = {0};
    uint32_t body = TR_NONE;
    performer->stood = tr_stage_place_of(who);
    tr_status status = tr_stage_update_map(stage, performer->kind, &why);
    if (status == TR_OK)
        status = set_off(stage, who, crossing_of(who, who->piece), &body, &why);
    if (status == TR_OUT_OF_MEMORY)
        return tr_fail(error, status, "no memory for the way of %.60s", who->name);
    if (status == TR_OK)
        performer->crosses = true;
    else
        wait_there(stage, who, body, status == TR_NOT_FOUND);
    return TR_OK;
}
