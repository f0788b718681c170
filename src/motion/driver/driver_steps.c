// Walking over given footsteps: stairs, gaps, any ground that is not level. Here the root does not lead; it
// follows the feet.
#include "driver_parts.h"

#include "troupe/base/scalar.h"

#include <string.h>

#define LEAVE_SPEED 0.25f  // a slower body stops first [m/s]
#define LEAVE_LEVEL 0.004f // the feet must be this level to leave [m]
#define STAND_SLOPE 0.02f  // of soles that stand on a level floor, at most
#define STAND_APART 0.08f  // how far ahead of the other a foot of a standing body is, at most [m]
#define PACE_SLOWEST 0.5f  // the pace over footsteps is that of a walk between these speeds [m/s],
#define PACE_FASTEST 1.5f  // for an adult; others in proportion to the square root of their legs
#define PACE_LEG 0.9f      // of an adult [m]
#define WAIT_APART 1.0f    // feet that are farther apart are no place to wait, as a share of the leg

static bool is_good(const tr_footstep *footstep) {
    return tr_vec3_is_finite(footstep->position) && isfinite(footstep->heading) && footstep->side < 2;
}

tr_footstep_motion_params tr_driver_steps_params(const tr_driver_nature *nature, float speed) {
    const tr_limb *leg = &nature->cast->legs.limbs[0];
    float size = sqrtf((leg->upper_length + leg->lower_length) / PACE_LEG);
    float slowest = PACE_SLOWEST * size, fastest = PACE_FASTEST * size;
    speed = speed < slowest ? slowest : speed < fastest ? speed : fastest;
    tr_footstep_motion_params params = tr_footstep_motion_params_default();
    float rate = tr_locomotion_natural_rate(nature->cast->locomotion, speed);
    if (rate > 0) {
        params.step_time = 0.5f / rate;
        params.step_length = speed * params.step_time;
    }
    return params;
}

tr_status tr_driver_set_footsteps(tr_driver_state *state, tr_driver_task *task,
                                  const tr_driver_nature *nature, const tr_footstep *footsteps,
                                  uint32_t footstep_count, float speed,
                                  float (*floor)(void *user, tr_vec3 point), void *floor_user,
                                  tr_error *error) {
    if (state->root.kind == TR_DRIVER_RIDE || state->root.kind == TR_DRIVER_PERFORM)
        return tr_fail(error, TR_INVALID, "a body that is being carried cannot take footsteps");
    if (footstep_count == 0)
        return tr_fail(error, TR_INVALID, "the list of footsteps is empty");
    if (footstep_count > task->footstep_room)
        return tr_fail(error, TR_LIMIT, "there are %u footsteps, but room for only %u", footstep_count,
                       task->footstep_room);
    for (uint32_t i = 0; i < footstep_count; i++)
        if (!is_good(&footsteps[i]))
            return tr_fail(error, TR_INVALID, "footstep %u is not finite or has no valid side", i);
    tr_driver_root *root = &state->root;
    memmove(task->footsteps, footsteps, footstep_count * sizeof *footsteps);
    task->footstep_speed = speed > 0 ? speed : nature->speed;
    task->footstep_motion = tr_driver_steps_params(nature, task->footstep_speed);
    task->footstep_motion.floor = floor;
    task->footstep_motion.floor_user = floor_user;
    root->footstep_count = footstep_count;
    root->footstep_next = 0;
    root->kind = TR_DRIVER_STEPS;
    root->has_route = root->has_final = root->slopes = false;
    root->move = NULL;
    root->state.progress = 0;
    return TR_OK;
}

void tr_driver_leave_footsteps(tr_driver_state *state) {
    const tr_footstep_motion_foot *feet = state->steps.feet;
    float left = feet[0].footstep.position.y, right = feet[1].footstep.position.y;
    state->root.kind = TR_DRIVER_GAIT;
    state->root.ground = left < right ? left : right;
}

// The disc follows the body.
static void lead_disc(tr_driver_root *root, const tr_footstep_motion_state *steps, float dt) {
    tr_follow_state *state = &root->state;
    tr_vec3 position, velocity;
    float heading;
    tr_footstep_motion_base(steps, &position, &heading, &velocity);
    state->turn_rate = (heading - state->heading) / dt;
    state->position = (tr_vec2){position.x, position.z};
    state->heading = heading;
    state->speed = sqrtf(velocity.x * velocity.x + velocity.z * velocity.z);
    state->side_speed = 0;
    root->ground = position.y;
}

// The share of the footsteps that has been walked [0 to 1].
static float share_gone(const tr_driver_root *root, const tr_footstep_motion_state *steps) {
    float step = steps->duration > 0 ? (float)(steps->time / (double)steps->duration) : 1;
    if (root->footstep_next == 0)
        return 0;
    return ((float)(root->footstep_next - 1) + (step < 1 ? step : 1)) / (float)root->footstep_count;
}

// Nobody waits in mid-stride, over a gap.
static bool stands_wide(const tr_footstep_motion_state *steps, const tr_legs *legs) {
    tr_vec3 ahead = steps->next.footstep.position, behind = steps->feet[1 - steps->side].footstep.position;
    float x = ahead.x - behind.x, z = ahead.z - behind.z;
    float wide = WAIT_APART * (legs->limbs[0].upper_length + legs->limbs[0].lower_length);
    return steps->steps && x * x + z * z > wide * wide;
}

// A body that has to wait takes no further step, unless its feet are far apart after this one.
static uint32_t footsteps_seen(const tr_driver_state *state, const tr_driver_nature *nature,
                               float speed_limit) {
    uint32_t left = state->root.footstep_count - state->root.footstep_next;
    if (speed_limit > DRIVER_WAIT_SPEED || left == 0)
        return left;
    return stands_wide(&state->steps, &nature->cast->legs) ? left : 0;
}

// A body whose feet stand on two levels, on slopes or one ahead of the other goes on standing on its
// footsteps: the gait stands on one floor, with its feet side by side.
static bool stands_level(const tr_footstep_motion_state *steps) {
    const tr_footstep *left = &steps->feet[0].footstep, *right = &steps->feet[1].footstep;
    double sine, cosine;
    tr_sin_cos((double)left->heading, &sine, &cosine);
    float ahead = (right->position.x - left->position.x) * (float)sine +
                  (right->position.z - left->position.z) * (float)cosine;
    return fabsf(ahead) < STAND_APART && fabsf(left->position.y - right->position.y) < LEAVE_LEVEL &&
           fabsf(left->pitch) < STAND_SLOPE && fabsf(right->pitch) < STAND_SLOPE &&
           fabsf(left->roll) < STAND_SLOPE && fabsf(right->roll) < STAND_SLOPE;
}

// After the feet have advanced: `status` is theirs.
static tr_status follow_feet(tr_driver_state *state, tr_status status, float dt) {
    tr_driver_root *root = &state->root;
    root->doing = TR_DRIVER_FOOTSTEPS;
    lead_disc(root, &state->steps, dt);
    if (!root->has_route) // otherwise it is that of the route, which begins behind the last footstep
        root->state.progress = share_gone(root, &state->steps);
    if (status != TR_DONE)
        return status;
    root->state.speed = root->state.turn_rate = 0;
    if (root->footstep_next < root->footstep_count)
        return TR_OK; // waits on the stairs
    bool level = stands_level(&state->steps);
    if (level || root->has_route)
        tr_driver_leave_footsteps(state);
    return root->has_route ? TR_OK : TR_DONE; // a route that was set in the meantime begins here
}

// Motions that begin are advanced by no time first: a body needs its pose before the tick.
static tr_status lead(tr_driver_state *state, const tr_driver_task *task, const tr_driver_nature *nature,
                      float speed_limit, float dt) {
    tr_driver_root *root = &state->root;
    uint32_t used, seen = footsteps_seen(state, nature, speed_limit);
    tr_status status = tr_footstep_motion_lead(&state->steps, &task->footstep_motion, &nature->cast->legs,
                                               &nature->cast->footstep_motion_stand,
                                               task->footsteps + root->footstep_next, seen, &used, dt);
    root->footstep_next += used;
    return status;
}

static tr_status predict(tr_driver_state *state, const tr_driver_task *task, const tr_driver_nature *nature,
                         float speed_limit) {
    tr_status status = TR_OK;
    if (state->root.doing != TR_DRIVER_FOOTSTEPS)
        status = lead(state, task, nature, speed_limit, 0);
    if (status == TR_OK || status == TR_DONE)
        status = lead(state, task, nature, speed_limit, nature->dt);
    return status == TR_OK || status == TR_DONE ? follow_feet(state, status, nature->dt) : status;
}

// The body as footsteps move it; without a task its legs alone can be bent.
static tr_footstep_motion_view view_of(const tr_driver_task *task, const tr_cast *cast,
                                       tr_driver_body *body) {
    return (tr_footstep_motion_view){.params = task ? &task->footstep_motion : NULL,
                                     .legs = &cast->legs,
                                     .skeleton = cast->skeleton,
                                     .locomotion = cast->locomotion,
                                     .pose = body->pose,
                                     .scratch = body->scratch + 1,
                                     .place = &body->place,
                                     .model = body->model};
}

// As lead, with a body.
static tr_status advance(tr_driver_state *state, const tr_driver_task *task, const tr_driver_nature *nature,
                         float speed_limit, float dt, tr_driver_body *body, tr_pose *pose) {
    tr_driver_root *root = &state->root;
    uint32_t used, seen = footsteps_seen(state, nature, speed_limit);
    tr_footstep_motion_view view = view_of(task, nature->cast, body);
    view.pose = pose;
    tr_status status =
        tr_footstep_motion_body(&state->steps, &view, task->footsteps + root->footstep_next, seen, &used, dt);
    root->footstep_next += used;
    return status;
}

static tr_status step(tr_driver_state *state, const tr_driver_task *task, const tr_driver_nature *nature,
                      float speed_limit, tr_driver_body *body) {
    bool begins = state->root.doing != TR_DRIVER_FOOTSTEPS;
    tr_status status = TR_OK;
    if (begins)
        status = advance(state, task, nature, speed_limit, 0, body, &body->scratch[0]);
    if (status == TR_OK || status == TR_DONE)
        status = advance(state, task, nature, speed_limit, nature->dt, body, body->pose);
    if (status != TR_OK && status != TR_DONE)
        return status;
    body->changes = body->goes_on = begins;
    body->carried = tr_vec3_make(0, 0, 0);
    return follow_feet(state, status, nature->dt);
}

static void legs(tr_driver_state *state, const tr_driver_nature *nature, tr_driver_body *body) {
    tr_footstep_motion_view view = view_of(NULL, nature->cast, body);
    tr_footstep_motion_legs(&state->steps, &view, nature->dt, &body->contacts);
}

static bool rests(const tr_driver_state *state) {
    const tr_footstep_motion_state *steps = &state->steps;
    return !steps->fresh && steps->ends && steps->time >= (double)steps->duration;
}

// At the moment when only the closing step is left, which brings the feet together.
static bool may_leave(const tr_driver_state *state) {
    const tr_driver_root *root = &state->root;
    const tr_footstep_motion_state *steps = &state->steps;
    float left = steps->feet[0].footstep.position.y, right = steps->feet[1].footstep.position.y;
    return root->footstep_next == root->footstep_count && steps->steps && !steps->swings &&
           root->state.speed > LEAVE_SPEED && fabsf(left - right) < LEAVE_LEVEL &&
           fabsf(root->ground - left) < LEAVE_LEVEL;
}

const tr_driver tr_driver_steps = {"steps", predict, step, legs, rests, may_leave};
