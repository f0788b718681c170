// troupe/base/hash.h - a 64-bit hash for hash tables and checks for the same bits; not for secrets.
#pragma once
#include "troupe/base/api.h"

TR_BEGIN_DECLARATIONS

#define TR_HASH_START 14695981039346656037u

// Continues `hash` (TR_HASH_START at first) over `size` bytes. Pure. FNV-1a, so the same bytes give the same
// value on every machine.
TR_API uint64_t tr_hash(uint64_t hash, const void *bytes, size_t size);

TR_END_DECLARATIONS
