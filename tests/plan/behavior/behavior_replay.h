// Follows a plan through a world of behavior_lattice.h.
#pragma once
#include "behavior_lattice.h"
#include "test.h"

// Follows a plan with the oracle's own rules. Returns its cost; INFINITY: it is not a plan.
static inline double replay(const lattice *l, const tr_behavior_plan *plan) {
    double at[2] = {(double)l->start.x, (double)l->start.z}, cost = 0, way[2], to[2];
    uint32_t heading = l->heading, frame = 0, label = 0, leg = lattice_leg(l, at, at, 0);
    for (uint32_t i = 0; i < plan->action_count; i++) {
        const tr_behavior_action *action = &plan->actions[i];
        const tr_behavior_state *state = &tr_behavior_def_of(l->behavior)->states[action->state];
        if (state->begin != label || !lattice_may(l, state, at, heading, frame) || action->frame != frame)
            return (double)INFINITY;
        lattice_turn(heading, (double)state->moves[0].x, (double)state->moves[0].z, way);
        to[0] = at[0] + way[0];
        to[1] = at[1] + way[1];
        CHECK_NEAR(action->position.x, at[0], 1e-4);
        CHECK_NEAR(action->position.z, at[1], 1e-4);
        CHECK_NEAR(action->cost, cost, 0.01);
        cost += lattice_cost(l, state, at, to);
        heading = (heading + 4 + (uint32_t)lrintf(state->moves[0].turn / 1.57f)) % 4;
        frame += state->moves[0].frames;
        label = state->end;
        leg = lattice_leg(l, at, to, leg);
        at[0] = to[0];
        at[1] = to[1];
    }
    tr_vec2 goal = l->goals[l->goal_count - 1];
    bool arrives = leg + 1 == l->goal_count && label == 0 && fabs(at[0] - (double)goal.x) < 0.3 &&
                   fabs(at[1] - (double)goal.z) < 0.3;
    CHECK_NEAR(plan->end.x, at[0], 1e-4);
    CHECK_INT(plan->end_frame, frame);
    return arrives && tr_behavior_map_is_free_during(l->map, 0, goal, frame, UINT32_MAX) ? cost
                                                                                         : (double)INFINITY;
}
