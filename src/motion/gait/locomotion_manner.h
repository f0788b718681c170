// How the steps of a person depart from those of the clips. Internal to locomotion*.c.
#pragma once
#include "motion/gait/locomotion.h"

// The rate of the steps at the state's phase, as a share of that of the clips.
float tr_locomotion_own_rate(const tr_locomotion_state *state);
// Call it when a foot comes down: chooses how long the step that begins takes. `right`: it is the right foot.
void tr_locomotion_next_step(tr_locomotion_state *state, bool right);
