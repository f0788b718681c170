// Capsules for bodies that bring only a mesh. Internal to cast*.c.
#pragma once
#include "motion/cast/cast.h"

// If the body has a mesh and no capsules, gives the cast a copy of it with a capsule for each bone that has a
// role, fitted to the part of the mesh that the bone moves. Pairs that touch in the rest pose or in `stand`
// (the joints of a standing body) are not tested: they do so by their shape.
tr_status tr_cast_fit_capsules(tr_cast *cast, const tr_affine *stand, tr_error *error);
// How far the capsules of trunk, head and thighs of the standing body reach ahead and behind of its base
// point.
float tr_cast_measure_depth(const tr_cast *cast, const tr_affine *stand);
// How far the capsules of the standing body, arms aside, reach from its base point over the ground.
float tr_cast_measure_radius(const tr_cast *cast, const tr_affine *stand);
