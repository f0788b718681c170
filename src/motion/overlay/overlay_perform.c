// A body that plays a chain of behaviors: its limbs are held where the chain has them, and the earlier motion
// and posture die away above them. Everything else is the chain's.
#include "overlay_parts.h"

#define TRANSITION 0.3f // from the motion before the chain [s]

// The difference to what was shown before dies away. false: there is none.
static bool go_over(tr_overlay *overlay, const overlay_frame *frame) {
    tr_driver_body *body = frame->body;
    if (body->changes && overlay->has_shown) {
        tr_inertia_begin(overlay->inertia, &overlay->shown[1], &overlay->shown[0], body->pose, body->pose,
                         frame->nature->dt, TRANSITION);
        overlay->in_transition = true;
    }
    bool changed = overlay->in_transition;
    if (overlay->in_transition) {
        tr_inertia_apply(overlay->inertia, body->changes ? 0 : frame->nature->dt, body->pose);
        overlay->in_transition = !tr_inertia_is_over(overlay->inertia);
    }
    tr_overlay_show(overlay, body->pose);
    return changed;
}

void tr_overlay_stand(tr_overlay *overlay, const overlay_frame *frame) {
    tr_driver_body *body = frame->body;
    go_over(overlay, frame);
    tr_pose_to_model(overlay->cast->skeleton, body->pose, &body->place, body->model);
}

void tr_overlay_perform(tr_overlay *overlay, const overlay_frame *frame) {
    const tr_cast *cast = overlay->cast;
    tr_driver_body *body = frame->body;
    tr_vec3 ankles[2];
    tr_quat turns[2];
    bool walks = tr_cast_walks(cast);
    for (uint32_t side = 0; side < 2 && walks; side++) {
        const tr_affine *ankle = &body->model[cast->legs.feet[side].ankle];
        ankles[side] = tr_affine_position(ankle);
        turns[side] = tr_affine_rotation(ankle);
    }
    bool changed = go_over(overlay, frame);
    changed = (walks && tr_overlay_apply_posture(overlay, frame)) || changed;
    if (!changed)
        return;
    tr_pose_to_model(cast->skeleton, body->pose, &body->place, body->model);
    if (!walks)
        return;
    for (uint32_t side = 0; side < 2; side++) {
        tr_limb_goal goal = {ankles[side], &turns[side], 1, 0};
        tr_limb_reach(&cast->legs.limbs[side], cast->skeleton, &goal, body->pose, &body->place, body->model);
    }
}
