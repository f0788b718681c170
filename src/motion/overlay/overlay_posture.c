// Posture: a body leans into its acceleration and into curves, moves its weight over one foot before the
// first step, turns its head to where it will go, and looks at the footsteps ahead of it.
#include "overlay_parts.h"
#include "overlay_pull.h"

#include "motion/driver/follow_data.h"
#include "motion/lanes.h"
#include "troupe/base/scalar.h"

#define GRAVITY 9.81f     // [m/s^2]
#define LEAN_SHARE 0.75f  // of the angle at which a rigid body would balance, when it speeds up or brakes
#define LEAN_MOST 0.22f   // [rad]
#define LEAN_PULL 7.0f    // strength of the spring [1/s]: most of a lean is done in 0.4 s
#define HEAD_LEVEL 0.7f   // of the trunk's lean that neck and head undo
#define LOOK_AHEAD 1.1f   // of the angle to the aim of the body: so the head leads by 0.3 s
#define LOOK_MOST 0.8f    // to either side [rad]
#define LOOK_PULL 14.0f   // [1/s]
#define TURN_AHEAD 0.3f   // over footsteps the head leads by this much [s]
#define STEPS_AHEAD 2     // the footstep that a body looks at, counted from the next one
#define NOD_SHARE 0.5f    // of the angle down to it that the head does; the eyes do the rest
#define NOD_MOST 0.5f     // [rad]
#define NOD_PULL 6.0f     // [1/s]
#define EYES_HEIGHT 0.93f // of the body
#define SHIFT_SHARE 0.35f // of the distance from the middle to the foot: how far the weight moves over it
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
static inline void pull(float strength, float goal, float dt, overlay_spring *spring) {
    if (fabsf(goal) < LEAST && spring->at == 0 && spring->rate == 0)
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
        return root->has_route ? LOOK_AHEAD * tr_follow_look(state, frame->task->route) : 0;
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

// The map from the axes of what a joint hangs on to those of the body. It may scale: the unit of a rig is not
// always the metre.
static tr_affine axes_above(const tr_skeleton *skeleton, uint32_t joint, const tr_pose *pose) {
    const uint32_t *parents = tr_skeleton_parents(skeleton);
    tr_affine axes = tr_affine_identity();
    for (joint = parents[joint]; joint != TR_NONE; joint = parents[joint]) {
        tr_affine above = tr_affine_from_transform(tr_pose_get(pose, joint));
        axes = tr_affine_multiply(&above, &axes);
    }
    return axes;
}

// How far the hips are to the left of where they are in the rest pose, before they move over a foot [m].
static float hips_aside(const tr_overlay *overlay, const tr_pose *pose) {
    const tr_skeleton *skeleton = overlay->cast->skeleton;
    uint32_t hips = overlay->cast->legs.hips;
    tr_vec3 off =
        tr_vec3_subtract(tr_pose_get(pose, hips).position, tr_skeleton_joint(skeleton, hips).rest.position);
    tr_affine axes = axes_above(skeleton, hips, pose);
    return tr_affine_turn(&axes, off).x;
}

// How far the hips move to the left, over the foot that stays [m]. The step sways them as well: what it has
// done of the way counts.
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
    const tr_affine *rest = tr_skeleton_rest_model(overlay->cast->skeleton);
    float off = rest[legs->feet[stance].ankle].m[0][3] - rest[legs->hips].m[0][3];
    float upright = 1 - overlay->tuck; // in a tight place the hips stay in the middle
    return upright * s * s * (3 - 2 * s) * (SHIFT_SHARE * off - hips_aside(overlay, frame->body->pose));
}

static void follow_root(tr_overlay *overlay, const overlay_frame *frame) {
    overlay_posture *posture = &overlay->posture;
    const tr_driver_root *root = &frame->state->root;
    float dt = frame->nature->dt, speed = root->state.speed, ahead = 0, aside = 0;
    if (root->doing == TR_DRIVER_WALKS) {
        float upright = 1 - overlay->tuck; // arms that are held close need a straight trunk
        ahead = upright * (speed - posture->speed) / dt;
        aside = upright * speed * root->state.turn_rate;
    }
    pull(LEAN_PULL, within(LEAN_SHARE * ahead / GRAVITY, LEAN_MOST), dt, &posture->lean);
    pull(LEAN_PULL, within(aside / GRAVITY, LEAN_MOST), dt, &posture->bank);
    bool free = !overlay->gaze.active;
    pull(LOOK_PULL, free ? within(look_aside(frame), LOOK_MOST) : 0, dt, &posture->aside);
    pull(NOD_PULL, free ? look_down(frame) : 0, dt, &posture->down);
    pull(tr_overlay_at_rest(frame) ? JOIN_PULL : SHIFT_PULL, shift_aside(overlay, frame), dt,
         &posture->shift);
    posture->speed = speed;
}

// ---------------------------------------------------------------- joints

// A turn by a small vector, by series: within 1e-6 up to half a radian.
static inline lane_turn small_turn(float x, float y, float z) {
    x *= 0.5f, y *= 0.5f, z *= 0.5f;
    float s = x * x + y * y + z * z, sine = 1 - s * (1.0f / 6 - s * (1.0f / 120));
    return (lane_turn){x * sine, y * sine, z * sine, 1 - s * (0.5f - s * (1.0f / 24))};
}

// How far a joint of the spine is to turn, in the axes of the body: the trunk leans; neck and head turn, and
// stay more level than the trunk.
static inline lane_turn turn_wanted(const overlay_posture *posture, const tr_cast_spine *spine,
                                    uint32_t number) {
    float share = spine->share[number], ahead = posture->lean.at, left = -posture->bank.at;
    if (number < spine->trunk_count)
        return small_turn(share * ahead, 0, share * left);
    float level = spine->trunk_count ? 1 - share * HEAD_LEVEL : 0;
    return lane_turn_multiply(small_turn(0, share * posture->aside.at, 0),
                              small_turn(level * ahead + share * posture->down.at, 0, level * left));
}

static inline lane_turn take_turn(const tr_pose *pose, uint32_t joint) {
    return (lane_turn){pose->rotation[0][joint], pose->rotation[1][joint], pose->rotation[2][joint],
                       pose->rotation[3][joint]};
}

static void turn_spine(const overlay_posture *posture, const overlay_frame *frame) {
    const tr_cast *cast = frame->nature->cast;
    const tr_cast_spine *spine = &cast->spine;
    tr_pose *pose = frame->body->pose;
    bool leans = posture->lean.at != 0 || posture->bank.at != 0;
    uint32_t number = leans ? 0 : spine->trunk_count;
    lane_turn before = {0, 0, 0, 1}, now = before; // of what a joint hangs on, in the axes of the body
    bool turned = false;
    for (uint32_t i = 0; i < spine->chain_count && number < spine->count; i++) {
        uint32_t joint = spine->chain[i];
        lane_turn own = take_turn(pose, joint);
        before = i ? lane_turn_multiply(before, own) : own;
        if (spine->place[number] != i) {
            now = turned ? lane_turn_multiply(now, own) : before;
            continue;
        }
        lane_turn next = lane_turn_multiply(turn_wanted(posture, spine, number++), before);
        lane_turn made = lane_turn_unit(lane_turn_back(now, next));
        tr_quat local = {made[0], made[1], made[2], made[3]};
        tr_pose_set_rotation(pose, joint, tr_skeleton_limit_clamp(cast->skeleton, joint, local));
        now = next;
        turned = true;
    }
}

static void move_hips(const tr_overlay *overlay, float aside, tr_pose *pose) {
    uint32_t hips = overlay->cast->legs.hips;
    tr_affine axes = axes_above(overlay->cast->skeleton, hips, pose), back;
    if (!tr_affine_invert(&axes, &back))
        return;
    tr_vec3 by = tr_affine_turn(&back, tr_vec3_make(aside, 0, 0));
    for (int axis = 0; axis < 3; axis++)
        pose->position[axis][hips] += (&by.x)[axis];
}

bool tr_overlay_apply_posture(tr_overlay *overlay, const overlay_frame *frame) {
    overlay_posture *posture = &overlay->posture;
    follow_root(overlay, frame);
    if (frame->driver->legs) // it has taken the hips over as they were shown, and has placed the feet
        posture->shift.at = posture->shift.rate = 0;
    bool turns =
        posture->lean.at != 0 || posture->bank.at != 0 || posture->aside.at != 0 || posture->down.at != 0;
    if (posture->shift.at != 0)
        move_hips(overlay, posture->shift.at, frame->body->pose);
    if (turns)
        turn_spine(posture, frame);
    return turns;
}
