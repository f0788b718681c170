#include "behavior_search_data.h"

// The moves of an action: one, or two with the parameter in between.
typedef struct action_moves {
    const tr_behavior_move *a, *b;
    float t;
} action_moves;

static bool find_moves(const tr_behavior *behavior, const tr_behavior_action *action, action_moves *moves) {
    if (action->state >= behavior->def.state_count)
        return false;
    const tr_behavior_state *state = &behavior->states[action->state];
    if (action->move >= state->move_count)
        return false;
    uint32_t lower = action->move;
    moves->t = state->parametrised ? behavior_between(state, action->parameter, &lower) : 0;
    moves->a = &state->moves[lower];
    moves->b = state->parametrised ? moves->a + 1 : moves->a;
    return moves->t >= 0 && moves->t <= 1;
}

tr_status tr_behavior_plan_spots(const tr_behavior *behavior, const tr_behavior_plan *plan,
                                 tr_behavior_spot *spots, uint32_t spot_max, uint32_t *spot_count) {
    bool begins = true; // no disc was left at the end of the move before
    *spot_count = 0;
    for (uint32_t i = 0; i < plan->action_count; i++) {
        const tr_behavior_action *action = &plan->actions[i];
        action_moves moves;
        if (!find_moves(behavior, action, &moves))
            return TR_INVALID;
        behavior_axes axes = behavior_axes_at(action->position.x, action->position.z, action->heading);
        uint32_t last = 0;
        for (uint32_t k = 0; k < moves.a->disc_count; k++) {
            tr_behavior_disc disc = behavior_blend_disc(&moves.a->discs[k], &moves.b->discs[k], moves.t);
            last = disc.frame;
            if (disc.frame == 0 && !begins)
                continue;
            tr_vec2 at = behavior_from(axes, disc.x, disc.z);
            if (*spot_count < spot_max)
                spots[*spot_count] = (tr_behavior_spot){at.x, at.z, action->frame + disc.frame};
            ++*spot_count;
        }
        begins = behavior->def.discs_hold ||
                 last < behavior_lerp_frames(moves.a->frames, moves.b->frames, moves.t);
    }
    if (plan->action_count == 0) {
        if (spot_max > 0)
            spots[0] = (tr_behavior_spot){plan->end.x, plan->end.z, plan->end_frame};
        *spot_count = 1;
    }
    return *spot_count <= spot_max ? TR_OK : TR_LIMIT;
}
