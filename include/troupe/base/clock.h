// troupe/base/clock.h - a monotonic clock for budgets and measurements. Never part of a result.
#pragma once
#include "troupe/base/api.h"

TR_BEGIN_DECLARATIONS

// Returns nanoseconds since some fixed moment of this run. Any thread may call it.
TR_API uint64_t tr_clock_nanoseconds(void);

TR_END_DECLARATIONS
