#include "motion/logarithm.h"
#include "arm_smooth_data.h"

#include <math.h>
#include <string.h>

#define ENOUGH (-5.6)
#define TRIES 16
#define LOOSE 1e-7 // initial firmness of the knots
#define FIRMER 8.0 // factor around places that touch something
#define LOOSER 0.5 // factor after a successful step
#define CALMER 5.0 // factor everywhere after a step that made it worse
#define FIRM 1e4   // keeps a knot in place
#define ROOM_CHECKS 8
#define GAIN 1e-3 // of the logarithm: a smaller gain does not count

tr_status tr_arm_smooth_create(const tr_allocator *allocator, tr_arm_smooth **arm_smooth, tr_error *error) {
    tr_allocator own = tr_allocator_or_default(allocator);
    *arm_smooth = tr_allocate_zero(&own, 1, sizeof **arm_smooth);
    if (!*arm_smooth)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory to smooth arm paths");
    (*arm_smooth)->allocator = own;
    return TR_OK;
}

void tr_arm_smooth_destroy(tr_arm_smooth *arm_smooth) {
    if (!arm_smooth)
        return;
    tr_allocator allocator = arm_smooth->allocator;
    tr_release(&allocator, arm_smooth, 1, sizeof *arm_smooth);
}

static tr_status check(const tr_arm_smooth_params *params, const tr_posture *knots, uint32_t count,
                       tr_error *error) {
    for (uint32_t k = 0; k < count; k++)
        for (int i = 0; i < TR_ARM_ANGLES; i++)
            if (!isfinite(knots[k].q[i]))
                return tr_fail(error, TR_INVALID, "knot %u of the arm path is not finite", k);
    for (int i = 0; params->velocity && i < TR_ARM_ANGLES; i++)
        if (!isfinite(params->velocity->q[i]))
            return tr_fail(error, TR_INVALID, "the velocity at the start is not finite");
    if (!(params->enough <= 0) || !isfinite(params->enough))
        return tr_fail(error, TR_INVALID, "the log dimensionless jerk is %g, it must be at most 0",
                       params->enough);
    if (!(params->clearance >= 0 && isfinite(params->clearance)))
        return tr_fail(error, TR_INVALID, "the clearance is %g m, it must be at least 0",
                       (double)params->clearance);
    return TR_OK;
}

// Angles that are stiff, or constant along the path, stay so.
static void find_angles(tr_arm_smooth *arm_smooth, const tr_arm *arm) {
    arm_smooth->angle_count = 0;
    for (uint32_t i = 0; i < TR_ARM_ANGLES; i++) {
        bool moves = false;
        for (uint32_t k = 1; k < arm_smooth->now.count; k++)
            moves = moves || arm_smooth->now.knots[k].q[i] != arm_smooth->now.knots[0].q[i];
        if (moves && arm->low.q[i] < arm->high.q[i])
            arm_smooth->angles[arm_smooth->angle_count++] = i;
    }
}

// Is the segment certified, with the clearance at evenly spaced places?
static bool is_free(tr_reach *reach, const tr_arm_path *arm_path, uint32_t segment, float clearance) {
    for (int i = 0; i < ROOM_CHECKS && clearance > 0; i++) {
        tr_posture posture = tr_arm_path_at(arm_path, segment + (i + 0.5) / ROOM_CHECKS, NULL);
        if (tr_reach_clearance(reach, &posture, clearance) < clearance)
            return false;
    }
    return tr_reach_is_free(reach, arm_path, segment, segment + 1.0);
}

// Where the path is not free, the knots around are held more firmly from now on. Returns whether all of it is
// free.
static bool certify(tr_arm_smooth *arm_smooth, tr_reach *reach, const arm_smooth_path *path) {
    tr_arm_path arm_path = {path->knots, path->count};
    bool free = true, firmer[TR_ARM_SMOOTH_KNOTS_MAX] = {false};
    for (uint32_t segment = 0; segment + 1 < path->count; segment++) {
        if (is_free(reach, &arm_path, segment, arm_smooth->room[segment]))
            continue;
        free = false;
        for (uint32_t k = segment > 0 ? segment - 1 : 0; k <= segment + 2 && k < path->count; k++)
            firmer[k] = true;
    }
    for (uint32_t k = 0; k < path->count; k++)
        if (firmer[k])
            arm_smooth->firmness[k] *= FIRMER;
    return free;
}

// A segment with less room than the wanted clearance only has to stay collision-free.
static bool look_for_room(tr_arm_smooth *arm_smooth, tr_reach *reach, float clearance) {
    tr_arm_path arm_path = {arm_smooth->now.knots, arm_smooth->now.count};
    for (uint32_t segment = 0; segment + 1 < arm_smooth->now.count; segment++) {
        arm_smooth->room[segment] = is_free(reach, &arm_path, segment, clearance) ? clearance : 0;
        if (arm_smooth->room[segment] == 0 && !is_free(reach, &arm_path, segment, 0))
            return false;
    }
    return true;
}

static void loosen(tr_arm_smooth *arm_smooth) {
    for (uint32_t k = 0; k < arm_smooth->now.count; k++)
        if (arm_smooth->firmness[k] < FIRM && arm_smooth->firmness[k] * LOOSER > LOOSE)
            arm_smooth->firmness[k] *= LOOSER;
}

// One attempt. `fresh`: the samples are those of `now`.
static bool improve(tr_arm_smooth *arm_smooth, tr_reach *reach, const tr_posture *velocity, bool *fresh) {
    const tr_arm *arm = tr_reach_arm(reach);
    if (!*fresh && !tr_arm_smooth_look(arm_smooth, arm, velocity, true, &arm_smooth->now))
        return false;
    *fresh = true;
    tr_arm_smooth_bend(arm_smooth, arm);
    if (!certify(arm_smooth, reach, &arm_smooth->next))
        return false;
    *fresh = false;
    if (tr_arm_smooth_look(arm_smooth, arm, velocity, false, &arm_smooth->next) &&
        arm_smooth->next.jerk < arm_smooth->now.jerk * (1 - GAIN)) {
        arm_smooth->now = arm_smooth->next;
        loosen(arm_smooth);
        return true;
    }
    for (uint32_t k = 0; k < arm_smooth->now.count; k++)
        arm_smooth->firmness[k] *= CALMER;
    return false;
}

tr_status tr_arm_smooth_run(tr_arm_smooth *arm_smooth, tr_reach *reach, const tr_arm_smooth_params *params,
                            tr_posture *knots, uint32_t count, tr_arm_smooth_report *report,
                            tr_error *error) {
    static const tr_arm_smooth_params plain = {0};
    tr_arm_smooth_report none, *said = report ? report : &none;
    params = params ? params : &plain;
    *said = (tr_arm_smooth_report){0};
    tr_status status = check(params, knots, count, error);
    if (status != TR_OK || count < TR_ARM_SMOOTH_KNOTS_MIN || count > TR_ARM_SMOOTH_KNOTS_MAX)
        return status;
    const tr_arm *arm = tr_reach_arm(reach);
    memcpy(arm_smooth->now.knots, knots, count * sizeof *knots);
    arm_smooth->now.count = count;
    find_angles(arm_smooth, arm);
    if (arm_smooth->angle_count == 0 ||
        !tr_arm_smooth_look(arm_smooth, arm, params->velocity, true, &arm_smooth->now) ||
        !look_for_room(arm_smooth, reach, params->clearance))
        return TR_OK;
    said->before = said->after = -tr_natural_logarithm(arm_smooth->now.jerk);
    for (uint32_t k = 0; k < count; k++)
        arm_smooth->firmness[k] = LOOSE;
    if (params->velocity)
        arm_smooth->firmness[1] = FIRM;
    double enough = params->enough < 0 ? params->enough : ENOUGH;
    bool fresh = true;
    for (uint32_t most = params->tries ? params->tries : TRIES; said->tries < most && said->after < enough;) {
        said->tries++;
        if (improve(arm_smooth, reach, params->velocity, &fresh)) {
            said->steps++;
            said->after = -tr_natural_logarithm(arm_smooth->now.jerk);
        }
    }
    memcpy(knots, arm_smooth->now.knots, count * sizeof *knots);
    return TR_OK;
}
