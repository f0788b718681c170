// On slopes a body is lower, so that the leg that steps down reaches the floor, and leans into the slope.
#include "overlay_parts.h"
#include "overlay_pull.h"

#define PULL 7.0f        // strength of the spring that follows the slope [1/s]
#define LEAST 1e-4f      // a smaller value counts as 0
#define LEAN_UP 0.4      // lean of the trunk for a gradient of 1, uphill [rad],
#define LEAN_DOWN 0.15   // and downhill
#define LEAN_HEAD 0.6    // share of it that neck and head undo
#define STEP_SPEED 0.39f // people's steps: the square root of this times the speed [m], for a leg of
#define STEP_LEG 0.9f    // this length [m]
#define FOOT_AWAY 0.4f   // a foot that comes down or leaves the floor is this far from the body [m]
#define LOWER_UP 0.2f    // share of the height between both feet by which the hips are lower, uphill,
#define LOWER_DOWN 0.5f  // and downhill

static void lean_joint(const overlay_frame *frame, tr_role role, double angle) {
    const tr_skeleton *skeleton = frame->nature->cast->skeleton;
    uint32_t joint = tr_skeleton_with_role(skeleton, role);
    if (joint == TR_NONE)
        return;
    const tr_affine *place = &frame->body->place;
    uint32_t above = tr_skeleton_parents(skeleton)[joint];
    tr_quat axes =
        tr_quat_normalize(tr_affine_rotation(above == TR_NONE ? place : &frame->body->model[above]));
    tr_quat turn = tr_quat_about(tr_vec3_make(place->m[0][0], place->m[1][0], place->m[2][0]), angle);
    tr_quat local = tr_quat_multiply(tr_quat_conjugate(axes), tr_quat_multiply(turn, axes));
    local = tr_quat_normalize(tr_quat_multiply(local, tr_pose_rotation(frame->body->pose, joint)));
    tr_pose_set_rotation(frame->body->pose, joint, tr_skeleton_limit_clamp(skeleton, joint, local));
}

// Rotations about one axis may be applied one after the other with the same model.
static void lean(const overlay_frame *frame, double angle) {
    const tr_cast *cast = frame->nature->cast;
    lean_joint(frame, TR_ROLE_SPINE, 0.5 * angle);
    lean_joint(frame, TR_ROLE_CHEST, 0.5 * angle);
    lean_joint(frame, TR_ROLE_NECK, -0.5 * LEAN_HEAD * angle);
    lean_joint(frame, TR_ROLE_HEAD, -0.5 * LEAN_HEAD * angle);
    tr_pose_update_model(cast->skeleton, frame->body->pose, &frame->body->place, cast->legs.hips,
                         frame->body->model);
}

static float step_of(const overlay_frame *frame) {
    const tr_limb *limb = &frame->nature->cast->legs.limbs[0];
    float leg = limb->upper_length + limb->lower_length, speed = fabsf(frame->state->root.state.speed);
    return sqrtf(STEP_SPEED * speed * leg / STEP_LEG);
}

void tr_overlay_apply_slope(tr_overlay *overlay, const overlay_frame *frame) {
    const tr_driver_root *root = &frame->state->root;
    bool walks = root->kind == TR_DRIVER_GAIT;
    overlay->foot_lock_params.lower = 0;
    if (!root->slopes && overlay->slope == 0 && overlay->lower == 0)
        return;
    // The springs lag: they follow what is ahead.
    float lag = 2 / PULL * fabsf(root->state.speed),
          slope = walks ? tr_driver_slope(root, frame->task, lag) : 0;
    // Downhill the foot ahead decides, uphill the one behind.
    float down = walks ? -tr_driver_slope(root, frame->task, lag + FOOT_AWAY) : 0,
          up = walks ? tr_driver_slope(root, frame->task, lag - FOOT_AWAY) : 0;
    down = LOWER_DOWN * (down > -slope ? down : -slope);
    up = LOWER_UP * (up > slope ? up : slope);
    float most = down > up ? down : up, lower = most > 0 ? most * step_of(frame) : 0;
    if (slope == 0 && overlay->slope == 0 && overlay->lower == 0)
        return;
    tr_overlay_pull(PULL, slope, frame->nature->dt, &overlay->slope, &overlay->slope_rate);
    tr_overlay_pull(PULL, lower, frame->nature->dt, &overlay->lower, &overlay->lower_rate);
    if (slope == 0 && fabsf(overlay->slope) < LEAST && overlay->lower < LEAST) {
        overlay->slope = overlay->slope_rate = overlay->lower = overlay->lower_rate = 0;
        return;
    }
    if (!walks)
        return;
    overlay->foot_lock_params.lower = overlay->lower > 0 ? overlay->lower : 0;
    lean(frame, (double)overlay->slope * (overlay->slope > 0 ? LEAN_UP : LEAN_DOWN));
}
