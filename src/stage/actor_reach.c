// Arms that are moved by themselves, on top of a body that stands. Each step reads the arm from the pose that
// the body has without it, so that nothing ever jumps: where the body moves on, the arm goes with it.
#include "actor_data.h"

#include <string.h>

#define SETTLE 0.3f         // in which a body comes to stand still and an arm is taken [s]
#define SETTLE_PATIENCE 1.5 // then the arm is ready, however the hips still sink [s]
#define SETTLE_STEADY 2e-4f // hips that moved less in a step stand still [m]
#define FADE 0.4f           // in which an arm is given back [s]
#define BRAKE 0.25          // in which an arm comes to rest [s]

tr_status tr_actor_prepare_arms(tr_actor *actor, tr_error *error) {
    if (actor->arms)
        return TR_OK;
    actor_arm *arms = tr_allocate_zero(&actor->allocator, 2, sizeof *arms);
    if (!arms)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for arms");
    actor->arms = arms;
    tr_status status[2];
    for (uint32_t i = 0; i < 2; i++) {
        arms[i].knots = tr_allocate(&actor->allocator, TR_ACTOR_KNOTS_MAX, sizeof *arms[i].knots);
        status[i] = arms[i].knots ? TR_OK : tr_fail(error, TR_OUT_OF_MEMORY, "no memory for arms");
        if (status[i] == TR_OK)
            status[i] =
                tr_arm_joints_measure(actor->nature.character->skeleton, actor->nature.character->body,
                                      (tr_arm_side)i, &arms[i].joints, error);
        arms[i].there = status[i] == TR_OK;
        arms[i].arm = arms[i].joints.arm;
    }
    bool short_of_memory = status[0] == TR_OUT_OF_MEMORY || status[1] == TR_OUT_OF_MEMORY;
    if (!short_of_memory && (arms[0].there || arms[1].there))
        return TR_OK;
    tr_actor_release_arms(actor);
    return short_of_memory ? TR_OUT_OF_MEMORY : status[0];
}

void tr_actor_release_arms(tr_actor *actor) {
    for (uint32_t i = 0; actor->arms && i < 2; i++)
        tr_release(&actor->allocator, actor->arms[i].knots, TR_ACTOR_KNOTS_MAX, sizeof *actor->arms[i].knots);
    tr_release(&actor->allocator, actor->arms, 2, sizeof *actor->arms);
    actor->arms = NULL;
}

static actor_arm *arm_of(const tr_actor *actor, tr_arm_side side) {
    return actor->arms && (uint32_t)side < 2 && actor->arms[side].there ? &actor->arms[side] : NULL;
}

bool tr_actor_has_arm(const tr_actor *actor, tr_arm_side side) {
    return arm_of(actor, side) != NULL;
}

static void begin(actor_arm *arm, tr_actor_arm_doing doing) {
    arm->doing = doing;
    arm->since = 0;
}

static void come_to_rest(actor_arm *arm) {
    memset(&arm->velocity, 0, sizeof arm->velocity);
    begin(arm, TR_ACTOR_ARM_STAYS);
}

tr_status tr_actor_take_arm(tr_actor *actor, tr_arm_side side, tr_error *error) {
    actor_arm *arm = arm_of(actor, side);
    if (!arm)
        return tr_fail(error, TR_INVALID, "there is no %s arm that could be taken",
                       side == TR_ARM_LEFT ? "left" : "right");
    if (arm->doing != TR_ACTOR_ARM_SWINGS && arm->doing != TR_ACTOR_ARM_FADES)
        return TR_OK;
    const actor_arm *other = &actor->arms[1 - side];
    if (other->doing == TR_ACTOR_ARM_SWINGS || other->doing == TR_ACTOR_ARM_FADES)
        actor->first = side;
    memset(&arm->velocity, 0, sizeof arm->velocity);
    begin(arm, TR_ACTOR_ARM_SETTLES);
    return TR_OK;
}

static bool is_ours(const actor_arm *arm) {
    return arm->doing == TR_ACTOR_ARM_STAYS || arm->doing == TR_ACTOR_ARM_MOVES ||
           arm->doing == TR_ACTOR_ARM_BRAKES;
}

tr_status tr_actor_move_arm(tr_actor *actor, tr_arm_side side, const tr_sweep *sweep,
                            const tr_stroke_params *params, tr_error *error) {
    actor_arm *arm = arm_of(actor, side);
    if (!arm || !is_ours(arm))
        return tr_fail(error, TR_INVALID, "an arm that was not taken cannot be moved");
    if (sweep->count > TR_ACTOR_KNOTS_MAX)
        return tr_fail(error, TR_LIMIT, "a path of %u knots, there may be %d", sweep->count,
                       TR_ACTOR_KNOTS_MAX);
    tr_stroke made;
    tr_status status = tr_stroke_make(&arm->arm, sweep, params, &made, error);
    if (status != TR_OK)
        return status;
    memmove(arm->knots, sweep->knots, sweep->count * sizeof *arm->knots);
    arm->stroke = made;
    arm->stroke.sweep.knots = arm->knots;
    arm->time = 0;
    arm->pace = 1;
    begin(arm, TR_ACTOR_ARM_MOVES);
    return TR_OK;
}

void tr_actor_brake_arm(tr_actor *actor, tr_arm_side side) {
    actor_arm *arm = arm_of(actor, side);
    if (arm && arm->doing == TR_ACTOR_ARM_MOVES)
        begin(arm, TR_ACTOR_ARM_BRAKES);
}

void tr_actor_give_arm(tr_actor *actor, tr_arm_side side) {
    actor_arm *arm = arm_of(actor, side);
    if (!arm || arm->doing == TR_ACTOR_ARM_SWINGS || arm->doing == TR_ACTOR_ARM_FADES)
        return;
    memset(&arm->velocity, 0, sizeof arm->velocity);
    begin(arm, TR_ACTOR_ARM_FADES);
}

tr_status tr_actor_look_arm(const tr_actor *actor, tr_arm_side side, tr_actor_arm_view *view) {
    const actor_arm *arm = arm_of(actor, side);
    if (!arm)
        return TR_INVALID;
    *view = (tr_actor_arm_view){.doing = arm->doing,
                                .arm = arm->arm,
                                .posture = arm->posture,
                                .velocity = arm->velocity,
                                .rest = arm->rest,
                                .stroke = arm->stroke,
                                .time = arm->time,
                                .joints = &arm->joints};
    return TR_OK;
}

static float ease(float share) {
    float s = share < 0 ? 0 : share > 1 ? 1 : share;
    return s * s * s * (s * (6 * s - 15) + 10);
}

float tr_actor_standing_time(const tr_actor *actor, float dt) {
    return actor->arms ? dt * (1 - ease(actor->stillness)) : dt;
}

// Along the stroke by a step of time that shrinks while the arm brakes.
static void follow_stroke(actor_arm *arm, float dt) {
    if (arm->doing == TR_ACTOR_ARM_BRAKES)
        arm->pace = 1 - (double)ease((float)(arm->since / BRAKE));
    arm->time += (double)dt * arm->pace;
    arm->posture = tr_stroke_at(&arm->stroke, arm->time, &arm->velocity);
    for (uint32_t i = 0; i < TR_ARM_ANGLES; i++)
        arm->velocity.q[i] *= (float)arm->pace;
    if (arm->time >= arm->stroke.duration || arm->pace <= 0)
        come_to_rest(arm);
}

// `read` is how the body itself would hold the arm, `steady` whether it stood still since the last step.
static void step_arm(const tr_actor *actor, actor_arm *arm, const tr_posture *read, bool steady) {
    arm->since += (double)actor->nature.dt;
    switch (arm->doing) {
    case TR_ACTOR_ARM_SWINGS:
        break;
    case TR_ACTOR_ARM_SETTLES: {
        float more = arm->taken + actor->nature.dt / SETTLE;
        arm->taken = more < 1 ? more : 1;
        arm->posture = arm->rest = *read;
        bool still = actor->stillness >= 1 && steady && tr_inertia_is_over(actor->inertia);
        if (arm->taken >= 1 && (still || arm->since >= SETTLE_PATIENCE))
            come_to_rest(arm);
        break;
    }
    case TR_ACTOR_ARM_MOVES:
    case TR_ACTOR_ARM_BRAKES:
        follow_stroke(arm, actor->nature.dt);
        break;
    case TR_ACTOR_ARM_STAYS:
        break;
    case TR_ACTOR_ARM_FADES:
        arm->taken -= actor->nature.dt / FADE;
        if (arm->taken <= 0) {
            arm->taken = 0;
            begin(arm, TR_ACTOR_ARM_SWINGS);
        }
        break;
    }
}

static bool is_taken(const actor_arm *arm) {
    return arm->there && arm->doing != TR_ACTOR_ARM_SWINGS && arm->doing != TR_ACTOR_ARM_FADES;
}

void tr_actor_step_arms(tr_actor *actor) {
    if (!actor->arms)
        return;
    const tr_skeleton *skeleton = actor->nature.character->skeleton;
    bool taken = is_taken(&actor->arms[0]) || is_taken(&actor->arms[1]);
    float change = taken ? actor->nature.dt / SETTLE : -actor->nature.dt / SETTLE;
    float still = actor->stillness + change;
    actor->stillness = still < 0 ? 0 : still > 1 ? 1 : still;
    for (uint32_t i = 0; i < 2; i++) {
        actor_arm *arm = &actor->arms[actor->first ^ i];
        if (!arm->there || arm->doing == TR_ACTOR_ARM_SWINGS)
            continue;
        tr_vec3 before = tr_affine_position(&arm->arm.base);
        tr_posture read;
        tr_arm_joints_read(&arm->joints, skeleton, &actor->pose, actor->model, &arm->arm, &read);
        tr_vec3 moved = tr_vec3_subtract(tr_affine_position(&arm->arm.base), before);
        step_arm(actor, arm, &read, tr_vec3_length(moved) < SETTLE_STEADY);
        if (arm->taken > 0)
            tr_arm_joints_write(&arm->joints, skeleton, &arm->arm, &arm->posture, ease(arm->taken),
                                &actor->pose, &actor->place, actor->model);
    }
    const actor_gaze *gaze = &actor->gaze;
    if (gaze->active || gaze->aside != 0 || gaze->down != 0)
        tr_actor_step_gaze(actor, &actor->arms[actor->arms[0].there ? 0 : 1].joints);
}
