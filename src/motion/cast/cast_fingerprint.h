// Internal to motion/ and stage/.
#pragma once
#include "motion/cast/cast.h"

uint64_t tr_cast_fingerprint(const tr_cast *cast);
// Go on over the colour of a body (may be NULL).
uint64_t tr_cast_hash_color(uint64_t hash, const tr_body *body);
