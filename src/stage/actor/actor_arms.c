// Arms and gaze, which belong to the overlay.
#include "actor_data.h"

void tr_actor_set_walls(tr_actor *actor, const tr_overlay_wall *walls, uint32_t count) {
    tr_overlay_set_walls(actor->overlay, walls, count);
}

void tr_actor_set_bars(tr_actor *actor, const tr_foot_lock_bar *bars, uint32_t count) {
    tr_overlay_set_bars(actor->overlay, bars, count);
}

void tr_actor_foot_bar(const tr_actor *actor, uint32_t side, tr_foot_lock_bar *bar) {
    const tr_driver_body *body = &actor->body;
    tr_vec3 step = tr_overlay_bar(actor->overlay, body->model, side, bar);
    uint32_t contacts = body->contacts >> (2 * side) & 3;
    bar->share = contacts ? 1 : 0.5f;
    if (contacts || actor->driver.root.kind != TR_DRIVER_GAIT) { // footsteps do not give way
        bar->stays = contacts & 1;
        bar->share = 1;
        return;
    }
    bar->heel = tr_vec3_add(bar->heel, step);
    bar->tip = tr_vec3_add(bar->tip, step);
}

tr_status tr_actor_prepare_arms(tr_actor *actor, tr_error *error) {
    return tr_overlay_prepare_arms(actor->overlay, error);
}

bool tr_actor_has_arm(const tr_actor *actor, tr_arm_side side) {
    return tr_overlay_has_arm(actor->overlay, side);
}

tr_status tr_actor_take_arm(tr_actor *actor, tr_arm_side side, tr_error *error) {
    return tr_overlay_take_arm(actor->overlay, side, error);
}

tr_status tr_actor_move_arm(tr_actor *actor, tr_arm_side side, const tr_arm_path *arm_path,
                            const tr_arm_timing_params *params, tr_error *error) {
    return tr_overlay_move_arm(actor->overlay, side, arm_path, params, error);
}

void tr_actor_brake_arm(tr_actor *actor, tr_arm_side side) {
    tr_overlay_brake_arm(actor->overlay, side);
}

void tr_actor_give_arm(tr_actor *actor, tr_arm_side side) {
    tr_overlay_give_arm(actor->overlay, side);
}

void tr_actor_look_at(tr_actor *actor, const tr_vec3 *point) {
    tr_overlay_look_at(actor->overlay, point);
}

tr_status tr_actor_look_arm(const tr_actor *actor, tr_arm_side side, tr_actor_arm_view *view) {
    return tr_overlay_look_arm(actor->overlay, side, view);
}
