// troupe/base/clock.h - time that only goes forward, for budgets and measurements. Never part of a result.
#pragma once
#include "troupe/base/api.h"

TR_BEGIN_DECLARATIONS

// Nanoseconds since some fixed moment of this run. Any thread.
TR_API uint64_t tr_clock_nanoseconds(void);

TR_END_DECLARATIONS
