// Shared by the files of the border of plan/surface_route.
#pragma once
#include "surface_route_data.h"

// Marks all cells that can be reached from the starts as TR_SURFACE_ROUTE_IS_REACHED, with the directions in
// which each of them can go on in its cost byte. The states of all cells must be clear, except for links.
void tr_surface_route_border_flood(tr_surface_route *route, const tr_surface_route_place *starts,
                                   uint32_t count);
