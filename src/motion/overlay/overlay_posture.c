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
    const tr_affine *rest = tr_skeleton_rest_model(overlay->cast->skeleton);
    float off = rest[legs->feet[stance].ankle].m[0][3] - rest[legs->hips].m[0][3];
    return SHIFT_SHARE * s * s * (3 - 2 * s) * off;
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

// Turns by small vectors, by series: within 1e-6 up to half a radian.
static inline lane_turns small_turns(lane_vectors v) {
    lane_vectors half = lanes_scale(v, simd_set(0.5f));
    simd_float s = lanes_dot(half, half), one = simd_set(1);
    simd_float sine = one - s * (simd_set(1.0f / 6) - s * simd_set(1.0f / 120));
    return (lane_turns){half.x * sine, half.y * sine, half.z * sine,
                        one - s * (simd_set(0.5f) - s * simd_set(1.0f / 24))};
}

// How far four joints of the spine are to turn, in the axes of the body: the trunk leans; neck and head turn,
// and stay more level than the trunk.
static inline lane_turns turns_wanted(const overlay_posture *posture, const tr_cast_spine *spine,
                                      uint32_t first) {
    simd_int trunk = simd_numbers() + simd_set_int((int32_t)first) <
                     simd_set_int((int32_t)spine->trunk_count);
    simd_float share = simd_load(spine->share + first), zero = simd_set(0), one = simd_set(1);
    simd_float turns = simd_select(trunk, zero, share),
               leans = simd_select(trunk, share, one - share * simd_set(HEAD_LEVEL));
    leans = spine->trunk_count ? leans : zero;
    lane_vectors tilt = {leans * simd_set(posture->lean.at) + turns * simd_set(posture->down.at), zero,
                         leans * simd_set(-posture->bank.at)};
    lane_vectors aside = {zero, turns * simd_set(posture->aside.at), zero};
    return lanes_multiply(small_turns(aside), small_turns(tilt));
}

// Rotations in the axes of the body, one array for each component.
typedef struct spine_turns {
    float at[4][TR_CAST_SPINE_MAX];
} spine_turns;

static inline void keep_turn(spine_turns *turns, uint32_t i, tr_quat turn) {
    turns->at[0][i] = turn.x, turns->at[1][i] = turn.y, turns->at[2][i] = turn.z, turns->at[3][i] = turn.w;
}

static inline lane_turns take_turns(const spine_turns *turns, uint32_t first) {
    return (lane_turns){simd_load(turns->at[0] + first), simd_load(turns->at[1] + first),
                        simd_load(turns->at[2] + first), simd_load(turns->at[3] + first)};
}

// The rotations of the joints that turn, and of what each of them hangs on, before they turn.
static void find_axes(const tr_cast_spine *spine, const tr_pose *pose, uint32_t first, spine_turns *above,
                      spine_turns *own) {
    tr_quat axes = tr_pose_rotation(pose, spine->chain[0]);
    uint32_t next = first;
    if (next < spine->count && spine->place[next] == 0) {
        keep_turn(above, next, tr_quat_identity());
        keep_turn(own, next++, axes);
    }
    for (uint32_t i = 1; i < spine->chain_count && next < spine->count; i++) {
        tr_quat with = tr_quat_multiply(axes, tr_pose_rotation(pose, spine->chain[i]));
        if (spine->place[next] == i) {
            keep_turn(above, next, axes);
            keep_turn(own, next++, with);
        }
        axes = with;
    }
}

static inline lane_turns after(lane_turns last, lane_turns now) {
    return (lane_turns){__builtin_shufflevector(last.x, now.x, 3, 4, 5, 6),
                        __builtin_shufflevector(last.y, now.y, 3, 4, 5, 6),
                        __builtin_shufflevector(last.z, now.z, 3, 4, 5, 6),
                        __builtin_shufflevector(last.w, now.w, 3, 4, 5, 6)};
}

// Each joint does what the one before it in the spine has not done.
static void turn_spine(const overlay_posture *posture, const overlay_frame *frame) {
    const tr_cast *cast = frame->nature->cast;
    const tr_cast_spine *spine = &cast->spine;
    tr_pose *pose = frame->body->pose;
    if (spine->chain_count == 0)
        return;
    bool leans = posture->lean.at != 0 || posture->bank.at != 0;
    uint32_t begin = leans ? 0 : spine->trunk_count;
    spine_turns above = {0}, own = {0};
    find_axes(spine, pose, begin, &above, &own);
    simd_float zero = simd_set(0);
    lane_turns last = {zero, zero, zero, simd_set(1)};
    for (uint32_t first = begin & ~3u; first < spine->count; first += 4) {
        lane_turns wanted = turns_wanted(posture, spine, first), done = after(last, wanted);
        lane_turns turned = lanes_multiply(lanes_multiply_back(done, wanted), take_turns(&own, first));
        turned = lanes_unit(lanes_multiply_back(take_turns(&above, first), turned));
        last = wanted;
        for (uint32_t i = first < begin ? begin : first; i < spine->count && i < first + 4; i++) {
            uint32_t lane = i - first, joint = spine->chain[spine->place[i]];
            tr_quat local = {turned.x[lane], turned.y[lane], turned.z[lane], turned.w[lane]};
            tr_pose_set_rotation(pose, joint, tr_skeleton_limit_clamp(cast->skeleton, joint, local));
        }
    }
}

static void move_hips(const tr_overlay *overlay, float aside, tr_pose *pose) {
    const uint32_t *parents = tr_skeleton_parents(overlay->cast->skeleton);
    uint32_t hips = overlay->cast->legs.hips;
    tr_vec3 by = {aside, 0, 0};
    tr_quat axes = tr_quat_identity();
    for (uint32_t joint = parents[hips]; joint != TR_NONE; joint = parents[joint])
        axes = tr_quat_multiply(tr_pose_rotation(pose, joint), axes);
    by = tr_quat_rotate(tr_quat_conjugate(axes), by);
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
