// troupe/world/trajectory.h - the place of an object at each moment: sampled transforms, blended in between.
#pragma once
#include "troupe/base/allocator.h"
#include "troupe/base/status.h"
#include "troupe/base/vector.h"

TR_BEGIN_DECLARATIONS

typedef struct tr_trajectory_def {
    const double *times;            // [s], strictly rising, finite
    const tr_transform *transforms; // finite, one for each time
    uint32_t count;                 // [1, ...]
    bool loop; // start again at the first sample after the last; otherwise stay at the last
} tr_trajectory_def;

typedef struct tr_trajectory tr_trajectory;

// Copies the samples. TR_INVALID: a sample breaks a rule; the error names the first one.
TR_API tr_status tr_trajectory_create(const tr_allocator *allocator, const tr_trajectory_def *def,
                                      tr_trajectory **trajectory, tr_error *error);
TR_API void tr_trajectory_destroy(tr_trajectory *trajectory); // NULL is allowed
// Before the first sample, and for a time that is not finite, returns the first sample. Pure.
TR_API tr_transform tr_trajectory_sample(const tr_trajectory *trajectory, double time);
TR_API double tr_trajectory_begin(const tr_trajectory *trajectory);
TR_API double tr_trajectory_end(const tr_trajectory *trajectory);
TR_API uint64_t tr_trajectory_bytes(const tr_trajectory *trajectory); // memory held; 0 for NULL

TR_END_DECLARATIONS
