#include "logarithm.h"
#include "polish_data.h"

#include <math.h>
#include <string.h>

#define ENOUGH (-5.6)
#define TRIES 16
#define LOOSE 1e-7 // how firmly knots are held to begin with
#define FIRMER 8.0 // and how much more around places that touch something
#define LOOSER 0.5 // and how much less after a step
#define CALMER 5.0 // and everywhere where a step made it worse
#define FIRM 1e4   // stays where it is
#define ROOM_CHECKS 8
#define GAIN 1e-3 // of the logarithm: less is no step

tr_status tr_polish_create(const tr_allocator *allocator, tr_polish **polish, tr_error *error) {
    tr_allocator own = tr_allocator_or_default(allocator);
    *polish = tr_allocate_zero(&own, 1, sizeof **polish);
    if (!*polish)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory to smooth paths of an arm");
    (*polish)->allocator = own;
    return TR_OK;
}

void tr_polish_destroy(tr_polish *polish) {
    if (!polish)
        return;
    tr_allocator allocator = polish->allocator;
    tr_release(&allocator, polish, 1, sizeof *polish);
}

static tr_status check(const tr_polish_params *params, const tr_posture *knots, uint32_t count,
                       tr_error *error) {
    for (uint32_t k = 0; k < count; k++)
        for (int i = 0; i < TR_ARM_ANGLES; i++)
            if (!isfinite(knots[k].q[i]))
                return tr_fail(error, TR_INVALID, "knot %u of the path is not finite", k);
    for (int i = 0; params->velocity && i < TR_ARM_ANGLES; i++)
        if (!isfinite(params->velocity->q[i]))
            return tr_fail(error, TR_INVALID, "the velocity at the start is not finite");
    if (!(params->enough <= 0) || !isfinite(params->enough))
        return tr_fail(error, TR_INVALID, "a log dimensionless jerk of %g, it must be 0 or less",
                       params->enough);
    if (!(params->clearance >= 0 && isfinite(params->clearance)))
        return tr_fail(error, TR_INVALID, "a clearance of %g m, it must be 0 or more",
                       (double)params->clearance);
    return TR_OK;
}

// Angles that are stiff, or the same all along, stay so.
static void find_angles(tr_polish *polish, const tr_arm *arm) {
    polish->angle_count = 0;
    for (uint32_t i = 0; i < TR_ARM_ANGLES; i++) {
        bool moves = false;
        for (uint32_t k = 1; k < polish->now.count; k++)
            moves = moves || polish->now.knots[k].q[i] != polish->now.knots[0].q[i];
        if (moves && arm->low.q[i] < arm->high.q[i])
            polish->angles[polish->angle_count++] = i;
    }
}

// Certified, and with room around it at even places.
static bool is_free(tr_reach *reach, const tr_sweep *sweep, uint32_t segment, float clearance) {
    for (int i = 0; i < ROOM_CHECKS && clearance > 0; i++) {
        tr_posture posture = tr_sweep_at(sweep, segment + (i + 0.5) / ROOM_CHECKS, NULL);
        if (tr_reach_clearance(reach, &posture, clearance) < clearance)
            return false;
    }
    return tr_reach_is_free(reach, sweep, segment, segment + 1.0);
}

// Where the path is not free, the knots around are held more firmly from now on. Returns whether all of it
// is.
static bool certify(tr_polish *polish, tr_reach *reach, const polish_path *path) {
    tr_sweep sweep = {path->knots, path->count};
    bool free = true, firmer[TR_POLISH_KNOTS_MAX] = {false};
    for (uint32_t segment = 0; segment + 1 < path->count; segment++) {
        if (is_free(reach, &sweep, segment, polish->room[segment]))
            continue;
        free = false;
        for (uint32_t k = segment > 0 ? segment - 1 : 0; k <= segment + 2 && k < path->count; k++)
            firmer[k] = true;
    }
    for (uint32_t k = 0; k < path->count; k++)
        if (firmer[k])
            polish->firmness[k] *= FIRMER;
    return free;
}

// A segment that has less room than was asked for keeps touching nothing.
static bool look_for_room(tr_polish *polish, tr_reach *reach, float clearance) {
    tr_sweep sweep = {polish->now.knots, polish->now.count};
    for (uint32_t segment = 0; segment + 1 < polish->now.count; segment++) {
        polish->room[segment] = is_free(reach, &sweep, segment, clearance) ? clearance : 0;
        if (polish->room[segment] == 0 && !is_free(reach, &sweep, segment, 0))
            return false;
    }
    return true;
}

static void loosen(tr_polish *polish) {
    for (uint32_t k = 0; k < polish->now.count; k++)
        if (polish->firmness[k] < FIRM && polish->firmness[k] * LOOSER > LOOSE)
            polish->firmness[k] *= LOOSER;
}

// One try. `fresh`: the samples are those of `now`.
static bool improve(tr_polish *polish, tr_reach *reach, const tr_posture *velocity, bool *fresh) {
    const tr_arm *arm = tr_reach_arm(reach);
    if (!*fresh && !tr_polish_look(polish, arm, velocity, true, &polish->now))
        return false;
    *fresh = true;
    tr_polish_bend(polish, arm);
    if (!certify(polish, reach, &polish->next))
        return false;
    *fresh = false;
    if (tr_polish_look(polish, arm, velocity, false, &polish->next) &&
        polish->next.jerk < polish->now.jerk * (1 - GAIN)) {
        polish->now = polish->next;
        loosen(polish);
        return true;
    }
    for (uint32_t k = 0; k < polish->now.count; k++)
        polish->firmness[k] *= CALMER;
    return false;
}

tr_status tr_polish_run(tr_polish *polish, tr_reach *reach, const tr_polish_params *params, tr_posture *knots,
                        uint32_t count, tr_polish_report *report, tr_error *error) {
    static const tr_polish_params plain = {0};
    tr_polish_report none, *said = report ? report : &none;
    params = params ? params : &plain;
    *said = (tr_polish_report){0};
    tr_status status = check(params, knots, count, error);
    if (status != TR_OK || count < TR_POLISH_KNOTS_MIN || count > TR_POLISH_KNOTS_MAX)
        return status;
    const tr_arm *arm = tr_reach_arm(reach);
    memcpy(polish->now.knots, knots, count * sizeof *knots);
    polish->now.count = count;
    find_angles(polish, arm);
    if (polish->angle_count == 0 || !tr_polish_look(polish, arm, params->velocity, true, &polish->now) ||
        !look_for_room(polish, reach, params->clearance))
        return TR_OK;
    said->before = said->after = -tr_natural_logarithm(polish->now.jerk);
    for (uint32_t k = 0; k < count; k++)
        polish->firmness[k] = LOOSE;
    if (params->velocity)
        polish->firmness[1] = FIRM;
    double enough = params->enough < 0 ? params->enough : ENOUGH;
    bool fresh = true;
    for (uint32_t most = params->tries ? params->tries : TRIES; said->tries < most && said->after < enough;) {
        said->tries++;
        if (improve(polish, reach, params->velocity, &fresh)) {
            said->steps++;
            said->after = -tr_natural_logarithm(polish->now.jerk);
        }
    }
    memcpy(knots, polish->now.knots, count * sizeof *knots);
    return TR_OK;
}
