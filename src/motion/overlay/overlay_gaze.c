// Where a body looks: neck and head turn towards a point within the limits of a neck, and follow it like a
// critically damped spring.
#include "overlay_parts.h"
#include "troupe/base/scalar.h"

#define GAZE_PULL 9.0f     // strength of the spring [1/s]: most of a turn is done in 0.4 s
#define GAZE_ASIDE 1.0f    // at most [rad]
#define GAZE_UP 0.5f       // at most [rad]
#define GAZE_DOWN 0.7f     // at most [rad]
#define GAZE_LEAST 1e-5f   // smaller turns are ignored [rad]
#define NECK_SHARE 0.4     // of the turn; the head does the rest
#define EYES_HEIGHT 0.045f // above the joint of the head, as a share of the body's height

void tr_overlay_look_at(tr_overlay *overlay, const tr_vec3 *point) {
    overlay->gaze.active = point && tr_vec3_is_finite(*point);
    if (overlay->gaze.active)
        overlay->gaze.point = *point;
}

static float within(float value, float low, float high) {
    return value < low ? low : value > high ? high : value;
}

// A critically damped spring. The exponential is approximated by a quotient, so that the bits are the same
// everywhere.
static void pull(float goal, float dt, float *value, float *rate) {
    float x = GAZE_PULL * dt, left = 1 / (1 + x + 0.48f * x * x + 0.235f * x * x * x);
    float off = *value - goal, step = (*rate + GAZE_PULL * off) * dt;
    *rate = (*rate - GAZE_PULL * step) * left;
    *value = goal + (off + step) * left;
}

// A share of the gaze's turn, given in the axes of the chest, as a rotation in the world.
static tr_quat turn_of(const overlay_gaze *gaze, tr_quat chest, double share) {
    tr_quat aside = tr_quat_about(tr_vec3_make(0, 1, 0), share * (double)gaze->aside);
    tr_quat down = tr_quat_about(tr_vec3_make(1, 0, 0), share * (double)gaze->down);
    tr_quat turn = tr_quat_multiply(aside, down);
    return tr_quat_multiply(chest, tr_quat_multiply(turn, tr_quat_conjugate(chest)));
}

static void turn_joint(const overlay_frame *frame, uint32_t joint, tr_quat wanted) {
    const tr_skeleton *skeleton = frame->nature->cast->skeleton;
    tr_driver_body *body = frame->body;
    uint32_t above = tr_skeleton_parents(skeleton)[joint];
    const tr_affine *axes = above == TR_NONE ? &body->place : &body->model[above];
    tr_quat back = tr_quat_conjugate(tr_quat_normalize(tr_affine_rotation(axes)));
    tr_quat local =
        tr_skeleton_limit_clamp(skeleton, joint, tr_quat_normalize(tr_quat_multiply(back, wanted)));
    tr_pose_set_rotation(body->pose, joint, local);
    tr_pose_update_model(skeleton, body->pose, &body->place, joint, body->model);
}

void tr_overlay_apply_gaze(tr_overlay *overlay, const overlay_frame *frame) {
    overlay_gaze *gaze = &overlay->gaze;
    if (!overlay->arms || (!gaze->active && gaze->aside == 0 && gaze->down == 0))
        return;
    const tr_arm_rig *joints = &overlay->arms[overlay->arms[0].there ? 0 : 1].joints;
    const tr_skeleton *skeleton = overlay->cast->skeleton;
    const tr_driver_body *body = frame->body;
    float dt = frame->nature->dt;
    uint32_t head = tr_skeleton_with_role(skeleton, TR_ROLE_HEAD);
    uint32_t neck = tr_skeleton_with_role(skeleton, TR_ROLE_NECK);
    if (head == TR_NONE)
        return;
    tr_quat chest = tr_quat_normalize(
        tr_quat_multiply(tr_affine_rotation(&body->model[joints->chest]), joints->trunk_offset));
    float aside = 0, down = 0;
    if (gaze->active) {
        tr_vec3 eyes = tr_affine_position(&body->model[head]);
        eyes.y += EYES_HEIGHT * overlay->cast->height;
        tr_vec3 to = tr_quat_rotate(tr_quat_conjugate(chest), tr_vec3_subtract(gaze->point, eyes));
        aside = within((float)tr_arc_tangent(to.x, to.z), -GAZE_ASIDE, GAZE_ASIDE);
        down = within((float)tr_arc_tangent(-to.y, sqrtf(to.x * to.x + to.z * to.z)), -GAZE_UP, GAZE_DOWN);
    }
    pull(aside, dt, &gaze->aside, &gaze->aside_rate);
    pull(down, dt, &gaze->down, &gaze->down_rate);
    bool over = !gaze->active && fabsf(gaze->aside) < GAZE_LEAST && fabsf(gaze->down) < GAZE_LEAST;
    if (over) {
        *gaze = (overlay_gaze){0};
        return;
    }
    tr_quat of_head = tr_quat_normalize(tr_affine_rotation(&body->model[head]));
    if (neck != TR_NONE && neck != head)
        turn_joint(frame, neck,
                   tr_quat_multiply(turn_of(gaze, chest, NECK_SHARE),
                                    tr_quat_normalize(tr_affine_rotation(&body->model[neck]))));
    turn_joint(frame, head, tr_quat_multiply(turn_of(gaze, chest, 1), of_head));
}
