// What a cast measures of its arms. Internal to cast*.c.
#pragma once
#include "motion/cast/cast.h"

// Measures how arms are held close, how they hang, and which balls on them keep clear of others. `pose` is a
// standing pose, `model` the places of its joints; the other two are
// working memory.
void tr_cast_measure_arms(tr_cast *cast, const tr_pose *pose, const tr_affine *model, tr_pose *spare,
                          tr_affine *spare_model);
