// motion/overlay/overlay_ahead.h - for callers that step crowds: prefetches the memory of an overlay that is
// applied soon.
#pragma once
#include "motion/overlay/overlay.h"

// Prefetches the overlay itself and reads nothing of it: another thread may be using it.
void tr_overlay_ahead(const tr_overlay *overlay);
// Prefetches what the overlay points to and will write.
void tr_overlay_parts_ahead(const tr_overlay *overlay);
