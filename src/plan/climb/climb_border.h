// Between the files of the border of plan/climb.
#pragma once
#include "climb_data.h"

// Marks all cells that can be reached from some as TR_CLIMB_IS_REACHED, with the directions in which each of
// them can go on in its cost byte. The states of all cells must be clear, but for links.
void tr_climb_border_flood(tr_climb *climb, const tr_climb_place *starts, uint32_t count);
