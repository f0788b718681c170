#include "behavior_search_data.h"

// The moves of an action: one, or two with the parameter in between.
typedef struct action_moves {
    const tr_behavior_move *a, *b;
    float t;
    const tr_behavior_disc *discs, *others; // with which they keep apart, of a and b
    uint32_t count;
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
    moves->discs = behavior_keep_discs(&behavior->def, moves->a, &moves->count);
    moves->others = behavior_keep_discs(&behavior->def, moves->b, &moves->count);
    return moves->t >= 0 && moves->t <= 1;
}

typedef struct spot_list {
    tr_behavior_spot *spots;
    uint32_t count, max;
} spot_list;

static void add_disc(spot_list *list, behavior_axes axes, const tr_behavior_disc *disc, uint32_t frame) {
    tr_vec2 at = behavior_from(axes, disc->x, disc->z);
    if (list->count < list->max)
        list->spots[list->count] = (tr_behavior_spot){at.x, at.z, frame};
    list->count++;
}

// Until the action begins the body stands as at its beginning.
static void add_standing(spot_list *list, behavior_axes axes, const action_moves *moves, uint32_t frame) {
    for (uint32_t k = 0; k < moves->count && moves->discs[k].frame == 0; k++) {
        tr_behavior_disc disc = behavior_blend_disc(&moves->discs[k], &moves->others[k], moves->t);
        add_disc(list, axes, &disc, frame);
    }
}

tr_status tr_behavior_plan_spots(const tr_behavior *behavior, const tr_behavior_plan *plan,
                                 tr_behavior_spot *spots, uint32_t spot_max, uint32_t *spot_count) {
    spot_list list = {spots, 0, spot_max};
    bool begins = true; // no disc was left at the end of the move before
    uint32_t end = 0;   // of that move
    *spot_count = 0;
    for (uint32_t i = 0; i < plan->action_count; i++) {
        const tr_behavior_action *action = &plan->actions[i];
        action_moves moves;
        if (!find_moves(behavior, action, &moves))
            return TR_INVALID;
        behavior_axes axes = behavior_axes_at(action->position.x, action->position.z, action->heading);
        uint32_t last = 0;
        if (i > 0 && action->frame > end) {
            add_standing(&list, axes, &moves, end);
            begins = true;
        }
        for (uint32_t k = 0; k < moves.count; k++) {
            tr_behavior_disc disc = behavior_blend_disc(&moves.discs[k], &moves.others[k], moves.t);
            last = disc.frame;
            if (disc.frame > 0 || begins)
                add_disc(&list, axes, &disc, action->frame + disc.frame);
        }
        uint32_t frames = behavior_lerp_frames(moves.a->frames, moves.b->frames, moves.t);
        end = action->frame + frames;
        begins = behavior->def.discs_hold || last < frames;
    }
    if (plan->action_count == 0) {
        const tr_behavior_disc here = {.x = 0};
        add_disc(&list, behavior_axes_at(plan->end.x, plan->end.z, 0), &here, plan->end_frame);
    }
    *spot_count = list.count;
    return list.count <= spot_max ? TR_OK : TR_LIMIT;
}
