// Internal to motion/ and stage/.
#pragma once
#include "motion/cast/cast.h"

uint64_t tr_cast_fingerprint(const tr_cast *cast);
// Continues a hash with the colour of a body (may be NULL).
uint64_t tr_cast_hash_color(uint64_t hash, const tr_body *body);
