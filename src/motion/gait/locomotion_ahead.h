// motion/gait/locomotion_ahead.h - for callers that step crowds: prefetches the frames that a walker mixes
// soon.
#pragma once
#include "motion/gait/locomotion.h"

void tr_locomotion_ahead(const tr_locomotion *locomotion, const tr_locomotion_state *state);
