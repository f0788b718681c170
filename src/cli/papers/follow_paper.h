// cli/papers/follow_paper.h - the control gains of Kuffner 1998, 7.1 and 7.3.
#pragma once
#include "motion/driver/follow.h"

// For a clip of canonical speed V [m/s]: k_p 1, k_theta 5, k_v 5, k_omega 10, Euler integration.
tr_follow_params paper_follow_params(float speed);
