// motion/skeleton/inertia.h - transitions without a jump: the new motion plays at once, and the offset of the
// old motion from it decays smoothly (inertialisation).
#pragma once
#include "troupe/motion/pose.h"
#include "base/archive.h"

// The difference between the old and the new motion at the switch, with its rate, for each joint. Use one for
// each character.
typedef struct tr_inertia tr_inertia;
tr_status tr_inertia_create(const tr_allocator *allocator, uint32_t joint_count, tr_inertia **inertia,
                            tr_error *error);
void tr_inertia_destroy(tr_inertia *inertia); // NULL is allowed

// Begins a transition of `duration` [s, > 0]. `before` and `shown` are the last two poses shown (`before`
// earlier by dt [s, > 0]; it may equal `shown` for a body at rest). `next` and `after` are the first two of
// the new motion, dt apart. The remainder of an earlier transition is part of the pose that was shown.
// Position and speed of every joint are continuous; the difference ends at zero with no speed and no
// acceleration. No allocation.
tr_status tr_inertia_begin(tr_inertia *inertia, const tr_pose *before, const tr_pose *shown,
                           const tr_pose *next, const tr_pose *after, float dt, float duration);
// Advances by dt [s, >= 0] and adds the remaining difference to the new motion's pose.
void tr_inertia_apply(tr_inertia *inertia, float dt, tr_pose *pose);
bool tr_inertia_is_over(const tr_inertia *inertia);
void tr_inertia_copy(tr_inertia *to, const tr_inertia *from); // of the same joint count
void tr_inertia_clear(tr_inertia *inertia);

// Writes or reads the remainder of a transition.
void tr_inertia_archive(tr_inertia *inertia, tr_archive *archive);
