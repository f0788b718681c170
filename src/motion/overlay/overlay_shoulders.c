// In tight places a body turns its shoulders and holds its arms close, so that it passes through a door that
// it would touch otherwise.
#include "overlay_parts.h"
#include "overlay_pull.h"

#define TUCK_PULL 8.0f   // strength of the spring [1/s]: most of it is done in half a second
#define TUCK_LEAST 1e-4f // a smaller value counts as 0
#define TUCK_AHEAD 0.6f  // it begins this long before a tight stretch [s]
#define TUCK_ROOM 0.3f   // it lasts until the body is this far past it [m]
#define TURN 0.40        // of the shoulders [rad]
#define ARMS_SHARE 0.9f  // this share of the arms' swing is taken away

static void set_joint(const overlay_frame *frame, uint32_t joint, tr_quat local) {
    local = tr_skeleton_limit_clamp(frame->nature->cast->skeleton, joint, tr_quat_normalize(local));
    tr_pose_set_rotation(frame->body->pose, joint, local);
}

// Rotations about the vertical may be applied one after the other with the same model.
static void turn_joint(const overlay_frame *frame, tr_role role, double angle) {
    const tr_skeleton *skeleton = frame->nature->cast->skeleton;
    uint32_t joint = tr_skeleton_with_role(skeleton, role);
    if (joint == TR_NONE)
        return;
    uint32_t above = tr_skeleton_parents(skeleton)[joint];
    tr_quat axes = tr_quat_normalize(
        tr_affine_rotation(above == TR_NONE ? &frame->body->place : &frame->body->model[above]));
    tr_quat turn = tr_quat_about(tr_vec3_make(0, 1, 0), angle);
    tr_quat local = tr_quat_multiply(tr_quat_conjugate(axes), tr_quat_multiply(turn, axes));
    set_joint(frame, joint, tr_quat_multiply(local, tr_pose_rotation(frame->body->pose, joint)));
}

static void turn_shoulders(const overlay_frame *frame, double angle) {
    static const tr_role trunk[] = {TR_ROLE_SPINE, TR_ROLE_CHEST, TR_ROLE_UPPER_CHEST};
    static const tr_role above[] = {TR_ROLE_NECK, TR_ROLE_HEAD};
    const tr_skeleton *skeleton = frame->nature->cast->skeleton;
    uint32_t count = 0;
    for (int i = 0; i < 3; i++)
        count += tr_skeleton_with_role(skeleton, trunk[i]) != TR_NONE;
    for (int i = 0; i < 3 && count; i++)
        turn_joint(frame, trunk[i], -angle / count); // the left shoulder forward
    for (int i = 0; i < 2 && count; i++)
        turn_joint(frame, above[i], 0.5 * angle); // the eyes stay on the way
}

void tr_overlay_apply_shoulders(tr_overlay *overlay, const overlay_frame *frame) {
    const tr_cast *cast = frame->nature->cast;
    const tr_driver_state *state = frame->state;
    float ahead = TUCK_ROOM + TUCK_AHEAD * fabsf(state->root.state.speed);
    bool tight =
        state->root.kind == TR_DRIVER_GAIT && tr_driver_is_tight(state, frame->task, ahead, TUCK_ROOM);
    if (!tight && overlay->tuck == 0)
        return;
    tr_overlay_pull(TUCK_PULL, tight ? 1 : 0, frame->nature->dt, &overlay->tuck, &overlay->tuck_rate);
    if (!tight && overlay->tuck < TUCK_LEAST) {
        overlay->tuck = overlay->tuck_rate = 0;
        return;
    }
    turn_shoulders(frame, TURN * (double)overlay->tuck);
    // The elbow bends first and opens last: a hand that hangs does not pass through the thigh.
    float tuck = overlay->tuck < 1 ? overlay->tuck : 1, close[2] = {tuck * tuck, tuck * (2 - tuck)};
    for (uint32_t side = 0; side < 2; side++)
        for (uint32_t part = 0; part < 2; part++) {
            uint32_t joint = cast->arms[side][part];
            if (joint != TR_NONE)
                set_joint(frame, joint,
                          tr_overlay_mix(tr_pose_rotation(frame->body->pose, joint),
                                         cast->arms_close[side][part], ARMS_SHARE * close[part]));
        }
    uint32_t hips = cast->legs.hips;
    tr_pose_update_model(cast->skeleton, frame->body->pose, &frame->body->place, hips, frame->body->model);
}
