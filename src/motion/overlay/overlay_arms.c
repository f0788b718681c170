// Arms that move by themselves, on top of a standing body. Each step reads the arm from the pose of the body
// without it, so that nothing ever jumps: when the body moves, the arm moves with it.
#include "overlay_parts.h"

#include "troupe/base/scalar.h"

#include <string.h>

#define SETTLE 0.3f         // a body comes to stand still and an arm is taken within this time [s]
#define SETTLE_PATIENCE 1.5 // after this the arm is ready, even if the hips still sink [s]
#define SETTLE_STEADY 2e-4f // hips that move less in a step stand still [m]
#define FADE 0.4f           // an arm is given back within this time [s]
#define BRAKE 0.25          // an arm comes to rest within this time [s]

tr_status tr_overlay_prepare_arms(tr_overlay *overlay, tr_error *error) {
    if (overlay->arms)
        return TR_OK;
    overlay_arm *arms = tr_allocate_zero(&overlay->allocator, 2, sizeof *arms);
    if (!arms)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for arms");
    overlay->arms = arms;
    tr_status status[2];
    for (uint32_t i = 0; i < 2; i++) {
        arms[i].knots = tr_allocate(&overlay->allocator, TR_OVERLAY_KNOTS_MAX, sizeof *arms[i].knots);
        status[i] = arms[i].knots ? TR_OK : tr_fail(error, TR_OUT_OF_MEMORY, "no memory for arms");
        if (status[i] == TR_OK)
            status[i] = tr_arm_rig_measure(overlay->cast->skeleton, overlay->cast->body, (tr_arm_side)i,
                                           &arms[i].joints, error);
        arms[i].there = status[i] == TR_OK;
        arms[i].arm = arms[i].joints.arm;
    }
    bool short_of_memory = status[0] == TR_OUT_OF_MEMORY || status[1] == TR_OUT_OF_MEMORY;
    if (!short_of_memory && (arms[0].there || arms[1].there))
        return TR_OK;
    tr_overlay_release_arms(overlay);
    return short_of_memory ? TR_OUT_OF_MEMORY : status[0];
}

void tr_overlay_release_arms(tr_overlay *overlay) {
    for (uint32_t i = 0; overlay->arms && i < 2; i++)
        tr_release(&overlay->allocator, overlay->arms[i].knots, TR_OVERLAY_KNOTS_MAX,
                   sizeof *overlay->arms[i].knots);
    tr_release(&overlay->allocator, overlay->arms, 2, sizeof *overlay->arms);
    overlay->arms = NULL;
}

static overlay_arm *arm_of(const tr_overlay *overlay, tr_arm_side side) {
    return overlay->arms && (uint32_t)side < 2 && overlay->arms[side].there ? &overlay->arms[side] : NULL;
}

bool tr_overlay_has_arm(const tr_overlay *overlay, tr_arm_side side) {
    return arm_of(overlay, side) != NULL;
}

static void begin(overlay_arm *arm, tr_overlay_arm_doing doing) {
    arm->doing = doing;
    arm->since = 0;
}

static void come_to_rest(overlay_arm *arm) {
    memset(&arm->velocity, 0, sizeof arm->velocity);
    begin(arm, TR_OVERLAY_ARM_STAYS);
}

tr_status tr_overlay_take_arm(tr_overlay *overlay, tr_arm_side side, tr_error *error) {
    overlay_arm *arm = arm_of(overlay, side);
    if (!arm)
        return tr_fail(error, TR_INVALID, "there is no %s arm to take",
                       side == TR_ARM_LEFT ? "left" : "right");
    if (arm->doing != TR_OVERLAY_ARM_SWINGS && arm->doing != TR_OVERLAY_ARM_FADES)
        return TR_OK;
    const overlay_arm *other = &overlay->arms[1 - side];
    if (other->doing == TR_OVERLAY_ARM_SWINGS || other->doing == TR_OVERLAY_ARM_FADES)
        overlay->first = side;
    memset(&arm->velocity, 0, sizeof arm->velocity);
    begin(arm, TR_OVERLAY_ARM_SETTLES);
    return TR_OK;
}

static bool is_ours(const overlay_arm *arm) {
    return arm->doing == TR_OVERLAY_ARM_STAYS || arm->doing == TR_OVERLAY_ARM_MOVES ||
           arm->doing == TR_OVERLAY_ARM_BRAKES;
}

tr_status tr_overlay_move_arm(tr_overlay *overlay, tr_arm_side side, const tr_arm_path *arm_path,
                              const tr_arm_timing_params *params, tr_error *error) {
    overlay_arm *arm = arm_of(overlay, side);
    if (!arm || !is_ours(arm))
        return tr_fail(error, TR_INVALID, "an arm must be taken before it can be moved");
    if (arm_path->count > TR_OVERLAY_KNOTS_MAX)
        return tr_fail(error, TR_LIMIT, "the arm path has %u knots, the most is %d", arm_path->count,
                       TR_OVERLAY_KNOTS_MAX);
    tr_arm_timing made;
    tr_status status = tr_arm_timing_make(&arm->arm, arm_path, params, &made, error);
    if (status != TR_OK)
        return status;
    memmove(arm->knots, arm_path->knots, arm_path->count * sizeof *arm->knots);
    arm->arm_timing = made;
    arm->arm_timing.arm_path.knots = arm->knots;
    arm->time = 0;
    arm->pace = 1;
    begin(arm, TR_OVERLAY_ARM_MOVES);
    return TR_OK;
}

void tr_overlay_brake_arm(tr_overlay *overlay, tr_arm_side side) {
    overlay_arm *arm = arm_of(overlay, side);
    if (arm && arm->doing == TR_OVERLAY_ARM_MOVES)
        begin(arm, TR_OVERLAY_ARM_BRAKES);
}

void tr_overlay_give_arm(tr_overlay *overlay, tr_arm_side side) {
    overlay_arm *arm = arm_of(overlay, side);
    if (!arm || arm->doing == TR_OVERLAY_ARM_SWINGS || arm->doing == TR_OVERLAY_ARM_FADES)
        return;
    memset(&arm->velocity, 0, sizeof arm->velocity);
    begin(arm, TR_OVERLAY_ARM_FADES);
}

tr_status tr_overlay_look_arm(const tr_overlay *overlay, tr_arm_side side, tr_overlay_arm_view *view) {
    const overlay_arm *arm = arm_of(overlay, side);
    if (!arm)
        return TR_INVALID;
    *view = (tr_overlay_arm_view){.doing = arm->doing,
                                  .arm = arm->arm,
                                  .posture = arm->posture,
                                  .velocity = arm->velocity,
                                  .rest = arm->rest,
                                  .arm_timing = arm->arm_timing,
                                  .time = arm->time,
                                  .joints = &arm->joints};
    return TR_OK;
}

float tr_overlay_stand_share(const tr_overlay *overlay) {
    return overlay->arms ? 1 - tr_ease_float(overlay->stillness) : 1;
}

// Advances along the timing by a time step that shrinks while the arm brakes.
static void follow_timing(overlay_arm *arm, float dt) {
    if (arm->doing == TR_OVERLAY_ARM_BRAKES)
        arm->pace = 1 - (double)tr_ease_float((float)(arm->since / BRAKE));
    arm->time += (double)dt * arm->pace;
    arm->posture = tr_arm_timing_at(&arm->arm_timing, arm->time, &arm->velocity);
    for (uint32_t i = 0; i < TR_ARM_ANGLES; i++)
        arm->velocity.q[i] *= (float)arm->pace;
    if (arm->time >= arm->arm_timing.duration || arm->pace <= 0)
        come_to_rest(arm);
}

// `read` is how the body itself would hold the arm, `steady` whether the body stood still since the last
// step.
static void step_arm(const tr_overlay *overlay, overlay_arm *arm, const tr_posture *read, bool steady,
                     float dt) {
    arm->since += (double)dt;
    switch (arm->doing) {
    case TR_OVERLAY_ARM_SWINGS:
        break;
    case TR_OVERLAY_ARM_SETTLES: {
        float more = arm->taken + dt / SETTLE;
        arm->taken = more < 1 ? more : 1;
        arm->posture = arm->rest = *read;
        bool still = overlay->stillness >= 1 && steady && tr_inertia_is_over(overlay->inertia);
        if (arm->taken >= 1 && (still || arm->since >= SETTLE_PATIENCE))
            come_to_rest(arm);
        break;
    }
    case TR_OVERLAY_ARM_MOVES:
    case TR_OVERLAY_ARM_BRAKES:
        follow_timing(arm, dt);
        break;
    case TR_OVERLAY_ARM_STAYS:
        break;
    case TR_OVERLAY_ARM_FADES:
        arm->taken -= dt / FADE;
        if (arm->taken <= 0) {
            arm->taken = 0;
            begin(arm, TR_OVERLAY_ARM_SWINGS);
        }
        break;
    }
}

static bool is_taken(const overlay_arm *arm) {
    return arm->there && arm->doing != TR_OVERLAY_ARM_SWINGS && arm->doing != TR_OVERLAY_ARM_FADES;
}

void tr_overlay_apply_arms(tr_overlay *overlay, const overlay_frame *frame) {
    if (!overlay->arms)
        return;
    const tr_skeleton *skeleton = overlay->cast->skeleton;
    tr_driver_body *body = frame->body;
    float dt = frame->nature->dt;
    bool taken = is_taken(&overlay->arms[0]) || is_taken(&overlay->arms[1]);
    float change = taken ? dt / SETTLE : -dt / SETTLE;
    float still = overlay->stillness + change;
    overlay->stillness = still < 0 ? 0 : still > 1 ? 1 : still;
    for (uint32_t i = 0; i < 2; i++) {
        overlay_arm *arm = &overlay->arms[overlay->first ^ i];
        if (!arm->there || arm->doing == TR_OVERLAY_ARM_SWINGS)
            continue;
        tr_vec3 before = tr_affine_position(&arm->arm.base);
        tr_posture read;
        tr_arm_rig_read(&arm->joints, skeleton, body->pose, body->model, &arm->arm, &read);
        tr_vec3 moved = tr_vec3_subtract(tr_affine_position(&arm->arm.base), before);
        step_arm(overlay, arm, &read, tr_vec3_length(moved) < SETTLE_STEADY, dt);
        if (arm->taken > 0)
            tr_arm_rig_write(&arm->joints, skeleton, &arm->arm, &arm->posture, tr_ease_float(arm->taken),
                             body->pose, &body->place, body->model);
    }
}
