// motion/locomotion_ahead.h - for those who step crowds: frames of clips that a walker mixes soon.
#pragma once
#include "motion/gait/locomotion.h"

void tr_locomotion_ahead(const tr_locomotion *locomotion, const tr_locomotion_state *state);
