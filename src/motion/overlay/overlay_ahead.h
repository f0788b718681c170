// motion/overlay_ahead.h - for those who step crowds: memory of an overlay that is applied soon.
#pragma once
#include "motion/overlay/overlay.h"

// The overlay itself. Reads nothing of it: another thread may be at work with it.
void tr_overlay_ahead(const tr_overlay *overlay);
// What it points to and will write.
void tr_overlay_parts_ahead(const tr_overlay *overlay);
