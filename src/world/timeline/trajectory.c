#include "trajectory_data.h"

#include <math.h>

static bool transform_is_finite(const tr_transform *t) {
    return tr_vec3_is_finite(t->position) && tr_vec3_is_finite(t->scale) && isfinite(t->rotation.x) &&
           isfinite(t->rotation.y) && isfinite(t->rotation.z) && isfinite(t->rotation.w);
}

static tr_status check_samples(const tr_trajectory_def *def, tr_error *error) {
    if (def->count == 0)
        return tr_fail(error, TR_INVALID, "a trajectory needs at least one sample");
    for (uint32_t i = 0; i < def->count; i++) {
        if (!isfinite(def->times[i]))
            return tr_fail(error, TR_INVALID, "the time of sample %u is %g, it must be finite", i,
                           def->times[i]);
        if (i > 0 && !(def->times[i] > def->times[i - 1]))
            return tr_fail(error, TR_INVALID, "sample %u is at %g s, not after the previous sample at %g s",
                           i, def->times[i], def->times[i - 1]);
        if (!transform_is_finite(&def->transforms[i]))
            return tr_fail(error, TR_INVALID, "the transform of sample %u is not finite", i);
    }
    if (!isfinite(def->times[def->count - 1] - def->times[0]))
        return tr_fail(error, TR_INVALID, "the samples span %g to %g s, too long for a double", def->times[0],
                       def->times[def->count - 1]);
    return TR_OK;
}

tr_status tr_trajectory_create(const tr_allocator *allocator, const tr_trajectory_def *def,
                               tr_trajectory **trajectory, tr_error *error) {
    *trajectory = NULL;
    tr_status status = check_samples(def, error);
    if (status != TR_OK)
        return status;
    tr_allocator own = tr_allocator_or_default(allocator);
    tr_trajectory *made = tr_allocate_zero(&own, 1, sizeof *made);
    if (!made)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a trajectory of %u samples", def->count);
    made->allocator = own;
    made->count = def->count;
    made->loop = def->loop;
    made->times = tr_allocate(&own, def->count, sizeof *made->times);
    made->transforms = tr_allocate(&own, def->count, sizeof *made->transforms);
    if (!made->times || !made->transforms) {
        tr_trajectory_destroy(made);
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a trajectory of %u samples", def->count);
    }
    for (uint32_t i = 0; i < def->count; i++) {
        made->times[i] = def->times[i];
        made->transforms[i] = def->transforms[i];
        made->transforms[i].rotation = tr_quat_normalize(def->transforms[i].rotation);
    }
    *trajectory = made;
    return TR_OK;
}

void tr_trajectory_destroy(tr_trajectory *trajectory) {
    if (!trajectory)
        return;
    tr_allocator allocator = trajectory->allocator;
    tr_release(&allocator, trajectory->times, trajectory->count, sizeof *trajectory->times);
    tr_release(&allocator, trajectory->transforms, trajectory->count, sizeof *trajectory->transforms);
    tr_release(&allocator, trajectory, 1, sizeof *trajectory);
}

double tr_trajectory_begin(const tr_trajectory *trajectory) {
    return trajectory->times[0];
}

double tr_trajectory_end(const tr_trajectory *trajectory) {
    return trajectory->times[trajectory->count - 1];
}

uint64_t tr_trajectory_bytes(const tr_trajectory *trajectory) {
    return trajectory ? sizeof *trajectory +
                            trajectory->count * (sizeof *trajectory->times + sizeof *trajectory->transforms)
                      : 0;
}

// The last sample at or before `time`, which is at least the first sample's.
static uint32_t sample_before(const tr_trajectory *trajectory, double time) {
    uint32_t low = 0, high = trajectory->count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (trajectory->times[middle] <= time)
            low = middle;
        else
            high = middle;
    }
    return low;
}

tr_transform tr_trajectory_sample(const tr_trajectory *trajectory, double time) {
    double begin = tr_trajectory_begin(trajectory), end = tr_trajectory_end(trajectory);
    if (!(time > begin) || !isfinite(time) || trajectory->count == 1)
        return trajectory->transforms[0];
    if (time >= end) {
        if (!trajectory->loop)
            return trajectory->transforms[trajectory->count - 1];
        double length = end - begin, rounds = floor((time - begin) / length);
        time = time - rounds * length;
        if (!(time > begin) || time >= end) // rounding may leave the interval slightly
            return trajectory->transforms[0];
    }
    uint32_t i = sample_before(trajectory, time);
    double share = (time - trajectory->times[i]) / (trajectory->times[i + 1] - trajectory->times[i]);
    return tr_transform_blend(trajectory->transforms[i], trajectory->transforms[i + 1], (float)share);
}
