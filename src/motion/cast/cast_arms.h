// What a cast knows of its arms. Internal to cast*.c.
#pragma once
#include "motion/cast/cast.h"

// How arms are held close, how they hang, and what of them is to keep clear of others. `pose` is that of one
// who stands, and `model` where its joints are then.
void tr_cast_measure_arms(tr_cast *cast, const tr_pose *pose, const tr_affine *model);
