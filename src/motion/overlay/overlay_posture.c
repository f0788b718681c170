// Posture: a body leans into its acceleration and into curves, moves its weight over one foot before the
// first step, turns its head to where it will go, and looks at the footsteps ahead of it.
#include "overlay_parts.h"
#include "overlay_pull.h"

#include "troupe/base/scalar.h"

#define GRAVITY 9.81f     // [m/s^2]
#define LEAN_SHARE 0.75f  // of the angle at which a rigid body would balance: the trunk's part of it
#define LEAN_MOST 0.22f   // [rad]
#define LEAN_PULL 7.0f    // strength of the spring [1/s]: most of a lean is done in 0.4 s
#define HEAD_LEVEL 0.7f   // of the trunk's lean that neck and head undo
#define NECK_SHARE 0.4f   // of the turn of the head
#define LOOK_AHEAD 1.8f   // the head turns by this multiple of the angle to the aim of the body
#define LOOK_MOST 0.8f    // to either side [rad]
#define LOOK_PULL 14.0f   // [1/s]
#define TURN_AHEAD 0.3f   // over footsteps the head leads by this much [s]
#define STEPS_AHEAD 2     // the footstep that a body looks at, counted from the next one
#define NOD_SHARE 0.5f    // of the angle down to it that the head does; the eyes do the rest
#define NOD_MOST 0.5f     // [rad]
#define NOD_PULL 6.0f     // [1/s]
#define EYES_HEIGHT 0.93f // of the body
#define SHIFT_SHARE 0.5f  // of the distance from the middle to the foot: how far the weight moves over it
#define JOIN_SHARE 0.6f   // of that in the last small step
#define JOIN_PULL 10.0f   // [1/s]
#define SHIFT_PULL 20.0f  // [1/s]
#define LEAST 5e-5f       // smaller angles [rad] and ways [m] count as none

static float within(float value, float most) {
    return value < -most ? -most : value > most ? most : value;
}

static float wrap(float angle) {
    double turns = floor((double)angle / (2 * TR_PI) + 0.5);
    return (float)((double)angle - turns * 2 * TR_PI);
}

// A spring that rests once it has nothing to do.
static void pull(float strength, float goal, float dt, overlay_spring *spring) {
    if (goal == 0 && spring->at == 0 && spring->rate == 0)
        return;
    tr_overlay_pull(strength, goal, dt, &spring->at, &spring->rate);
    if (fabsf(goal) < LEAST && fabsf(spring->at) < LEAST && fabsf(spring->rate) < strength * LEAST)
        *spring = (overlay_spring){0, 0};
}

// ---------------------------------------------------------------- goals

// Where the head turns, to the left [rad].
static float look_aside(const overlay_frame *frame) {
    const tr_driver_root *root = &frame->state->root;
    const tr_follow_state *state = &root->state;
    switch (root->doing) {
    case TR_DRIVER_WALKS:
        return root->has_route ? LOOK_AHEAD * tr_follow_error(state, frame->task->route, &frame->task->follow)
                               : 0;
    case TR_DRIVER_TURNS:
        return root->move ? root->move_begin.heading + root->move_scale * root->move->turn - state->heading
                          : 0;
    case TR_DRIVER_SIDE_STEPS:
        return wrap((float)tr_arc_tangent((double)root->move_way.x, (double)root->move_way.z) -
                    state->heading);
    case TR_DRIVER_FOOTSTEPS:
        return TURN_AHEAD * state->turn_rate;
    default:
        return 0;
    }
}

// How far the head bends down to see the footsteps ahead [rad].
static float look_down(const overlay_frame *frame) {
    const tr_driver_root *root = &frame->state->root;
    if (root->kind != TR_DRIVER_STEPS || root->footstep_next >= root->footstep_count)
        return 0;
    uint32_t last = root->footstep_count - 1, next = root->footstep_next + STEPS_AHEAD;
    tr_vec3 at = frame->task->footsteps[next < last ? next : last].position;
    tr_vec2 from = root->state.position;
    float x = at.x - from.x, z = at.z - from.z, eyes = EYES_HEIGHT * frame->nature->cast->height;
    float down = (float)tr_arc_tangent((double)(root->ground + eyes - at.y), sqrt((double)(x * x + z * z)));
    return within(NOD_SHARE * down, NOD_MOST);
}

// How far the hips move to the left, over the foot that stays [m].
static float shift_aside(const tr_overlay *overlay, const overlay_frame *frame) {
    const tr_locomotion_state *gait = &frame->body->locomotion;
    uint32_t stance = frame->driver->legs                           ? TR_NONE
                      : tr_overlay_at_rest(frame)                   ? tr_overlay_one_foot(overlay)
                      : frame->state->root.doing == TR_DRIVER_WALKS ? tr_locomotion_first_stance(gait)
                                                                    : TR_NONE;
    if (stance == TR_NONE)
        return 0;
    float s = gait->start <= 0 ? JOIN_SHARE : gait->start < 1 ? gait->start : 2 - gait->start;
    const tr_legs *legs = &overlay->cast->legs;
    const tr_affine *place = &frame->body->place, *model = frame->body->model;
    tr_vec3 left = {place->m[0][0], place->m[1][0], place->m[2][0]};
    tr_vec3 off = tr_vec3_subtract(tr_affine_position(&model[legs->feet[stance].ankle]),
                                   tr_affine_position(&model[legs->hips]));
    return SHIFT_SHARE * s * s * (3 - 2 * s) * tr_vec3_dot(off, left);
}

static void follow_root(tr_overlay *overlay, const overlay_frame *frame) {
    overlay_posture *posture = &overlay->posture;
    const tr_driver_root *root = &frame->state->root;
    float dt = frame->nature->dt, speed = root->doing == TR_DRIVER_WALKS ? root->state.speed : 0, ahead = 0,
          aside = 0;
    if (root->doing == TR_DRIVER_WALKS) {
        ahead = (speed - posture->speed) / dt;
        aside = speed * root->state.turn_rate;
    }
    posture->speed = speed;
    pull(LEAN_PULL, within(LEAN_SHARE * ahead / GRAVITY, LEAN_MOST), dt, &posture->lean);
    pull(LEAN_PULL, within(LEAN_SHARE * aside / GRAVITY, LEAN_MOST), dt, &posture->bank);
    bool free = !overlay->gaze.active;
    pull(LOOK_PULL, free ? within(look_aside(frame), LOOK_MOST) : 0, dt, &posture->aside);
    pull(NOD_PULL, free ? look_down(frame) : 0, dt, &posture->down);
    pull(tr_overlay_at_rest(frame) ? JOIN_PULL : SHIFT_PULL, shift_aside(overlay, frame), dt,
         &posture->shift);
}

// ---------------------------------------------------------------- joints

// Turns `joint` in the world by `wanted`, where `done` is the turn of what it hangs on.
static void turn_joint(const overlay_frame *frame, uint32_t joint, tr_quat done, tr_quat wanted) {
    const tr_skeleton *skeleton = frame->nature->cast->skeleton;
    const tr_driver_body *body = frame->body;
    uint32_t above = tr_skeleton_parents(skeleton)[joint];
    tr_quat axes =
        tr_quat_normalize(tr_affine_rotation(above == TR_NONE ? &body->place : &body->model[above]));
    tr_quat turn = tr_quat_multiply(tr_quat_conjugate(done), wanted);
    tr_quat local = tr_quat_multiply(tr_quat_conjugate(axes), tr_quat_multiply(turn, axes));
    local = tr_quat_normalize(tr_quat_multiply(local, tr_pose_rotation(body->pose, joint)));
    tr_pose_set_rotation(body->pose, joint, tr_skeleton_limit_clamp(skeleton, joint, local));
}

// The trunk leans, evenly in its joints; neck and head turn, and stay more level than the trunk.
static void turn_trunk(const overlay_posture *posture, const overlay_frame *frame) {
    static const tr_role trunk[] = {TR_ROLE_SPINE, TR_ROLE_CHEST, TR_ROLE_UPPER_CHEST};
    static const tr_role above[] = {TR_ROLE_NECK, TR_ROLE_HEAD};
    const tr_skeleton *skeleton = frame->nature->cast->skeleton;
    tr_driver_body *body = frame->body;
    uint32_t joints[3], count = 0, lowest = TR_NONE;
    for (int i = 0; i < 3; i++) {
        uint32_t joint = tr_skeleton_with_role(skeleton, trunk[i]);
        if (joint != TR_NONE)
            joints[count++] = joint;
    }
    tr_vec3 lean = tr_affine_turn(&body->place, tr_vec3_make(posture->lean.at, 0, -posture->bank.at));
    tr_vec3 nod = tr_affine_turn(&body->place, tr_vec3_make(posture->down.at, 0, 0));
    tr_quat done = tr_quat_identity();
    bool leans = posture->lean.at != 0 || posture->bank.at != 0;
    for (uint32_t i = 0; i < count && leans; i++) {
        tr_quat wanted = tr_quat_from_vector(tr_vec3_scale(lean, (float)(i + 1) / (float)count));
        turn_joint(frame, joints[i], done, wanted);
        done = wanted;
        lowest = lowest == TR_NONE ? joints[i] : lowest;
    }
    lean = count ? lean : tr_vec3_make(0, 0, 0);
    for (int i = 0; i < 2; i++) {
        uint32_t joint = tr_skeleton_with_role(skeleton, above[i]);
        if (joint == TR_NONE)
            continue;
        float part = i ? 1 : NECK_SHARE;
        tr_quat aside = tr_quat_about(tr_vec3_make(0, 1, 0), (double)(part * posture->aside.at));
        tr_vec3 tilt = tr_vec3_add(tr_vec3_scale(lean, 1 - part * HEAD_LEVEL), tr_vec3_scale(nod, part));
        tr_quat wanted = tr_quat_multiply(aside, tr_quat_from_vector(tilt));
        turn_joint(frame, joint, done, wanted);
        done = wanted;
        lowest = lowest == TR_NONE ? joint : lowest;
    }
    if (lowest != TR_NONE)
        tr_pose_update_model(skeleton, body->pose, &body->place, lowest, body->model);
}

static void move_hips(const tr_overlay *overlay, tr_vec3 by, tr_driver_body *body) {
    const tr_skeleton *skeleton = overlay->cast->skeleton;
    uint32_t hips = overlay->cast->legs.hips, above = tr_skeleton_parents(skeleton)[hips];
    tr_affine inverse;
    if (!tr_affine_invert(above == TR_NONE ? &body->place : &body->model[above], &inverse))
        return;
    tr_vec3 local = tr_affine_turn(&inverse, by);
    for (int axis = 0; axis < 3; axis++)
        body->pose->position[axis][hips] += (&local.x)[axis];
    tr_pose_update_model(skeleton, body->pose, &body->place, hips, body->model);
}

void tr_overlay_apply_posture(tr_overlay *overlay, const overlay_frame *frame) {
    overlay_posture *posture = &overlay->posture;
    follow_root(overlay, frame);
    tr_driver_body *body = frame->body;
    if (posture->shift.at != 0)
        move_hips(overlay, tr_affine_turn(&body->place, tr_vec3_make(posture->shift.at, 0, 0)), body);
    if (posture->lean.at != 0 || posture->bank.at != 0 || posture->aside.at != 0 || posture->down.at != 0)
        turn_trunk(posture, frame);
}
