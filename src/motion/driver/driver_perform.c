// Playing a chain of behaviors: where its root is was known before it began.
#include "driver_parts.h"

#include <math.h>

#define BEGIN_NEAR 0.05f // a body that stands further from where a chain begins would jump [m]

tr_status tr_driver_set_perform(tr_driver_state *state, tr_driver_task *task,
                                const tr_behavior_motion *motion, double time, tr_error *error) {
    tr_driver_root *root = &state->root;
    if (!(tr_behavior_motion_duration(motion) > 0) || !(time >= 0))
        return tr_fail(error, TR_INVALID, "there is no chain of behaviors to play");
    if (root->kind != TR_DRIVER_PERFORM) {
        tr_behavior_motion_root begin = tr_behavior_motion_root_at(motion, time);
        tr_vec2 at = root->state.position, off = {begin.base.x - at.x, begin.base.z - at.z};
        bool moves = root->move && root->move_time < root->move->end;
        if (root->kind != TR_DRIVER_GAIT || moves || root->state.speed != 0 ||
            !(tr_vec2_length(off) < BEGIN_NEAR))
            return tr_fail(error, TR_INVALID,
                           "only a body that stands where a chain of behaviors begins can play it");
    }
    task->motion = motion;
    state->perform.time = time;
    root->kind = TR_DRIVER_PERFORM;
    root->has_route = root->has_final = root->slopes = false;
    root->move = NULL;
    root->state.progress = root->state.side_speed = 0;
    return TR_OK;
}

// Speeds are those of the tick.
static tr_status predict(tr_driver_state *state, const tr_driver_task *task, const tr_driver_nature *nature,
                         float speed_limit) {
    (void)speed_limit;
    tr_driver_root *root = &state->root;
    tr_follow_state *follow = &root->state;
    double duration = tr_behavior_motion_duration(task->motion);
    state->perform.time += (double)nature->dt;
    bool ends = state->perform.time >= duration;
    tr_behavior_motion_root at = tr_behavior_motion_root_at(task->motion, state->perform.time);
    tr_vec2 by = {at.base.x - follow->position.x, at.base.z - follow->position.z};
    follow->speed = ends ? 0 : tr_vec2_length(by) / nature->dt;
    follow->turn_rate = ends ? 0 : at.turn_rate;
    follow->position = (tr_vec2){at.base.x, at.base.z};
    follow->heading = at.base.heading;
    root->ground = at.ground;
    root->doing = TR_DRIVER_PERFORMS;
    if (!root->has_route) // otherwise it is that of the route, which begins at the end of the chain
        follow->progress = ends ? 1 : (float)(state->perform.time / duration);
    if (!ends)
        return TR_OK;
    root->kind = TR_DRIVER_GAIT;
    return root->has_route ? TR_OK : TR_DONE;
}

static tr_status step(tr_driver_state *state, const tr_driver_task *task, const tr_driver_nature *nature,
                      float speed_limit, tr_driver_body *body) {
    tr_driver_doing before = state->root.doing;
    tr_status status = predict(state, task, nature, speed_limit);
    body->contacts = tr_behavior_motion_sample(task->motion, state->perform.time, body->pose,
                                               &body->scratch[1], &body->place, body->model);
    body->changes = before != TR_DRIVER_PERFORMS;
    body->goes_on = false;
    body->carried = tr_vec3_make(0, 0, 0);
    return status;
}

static bool rests(const tr_driver_state *state) {
    return state->root.kind != TR_DRIVER_PERFORM;
}

static bool may_leave(const tr_driver_state *state) {
    (void)state;
    return false;
}

const tr_driver tr_driver_performs = {"perform", predict, step, NULL, rests, may_leave};
