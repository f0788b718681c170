// world/solid/solid_near.h - the triangles of a solid in a box. Internal to world/.
#pragma once
#include "troupe/world/solid.h"

// Calls `take` for each triangle whose own box may meet `box`; no triangle that meets it is left out. The
// order depends on the trees. Allocates nothing.
void tr_solid_triangles_in(const tr_solid *solid, tr_box box,
                           void (*take)(void *user, const tr_vec3 corners[3]), void *user);
