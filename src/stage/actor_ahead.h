// stage/actor_ahead.h - crowds are larger than caches: memory of who is stepped soon is asked for while
// others are stepped, and poses change hands instead of being copied. Internal to stage/.
#pragma once
#include "troupe/stage/actor.h"

#define AHEAD_LINE 64 // bytes that come at once; elsewhere there are some too few or too many

static inline void tr_ahead(const void *begin, size_t bytes) {
    for (size_t at = 0; at < bytes; at += AHEAD_LINE)
        __builtin_prefetch((const char *)begin + at);
}

// First the actor itself, then, a while later, what it points to.
void tr_actor_ahead(const tr_actor *actor);
void tr_actor_parts_ahead(const tr_actor *actor);

// The pose of the last step goes to `before`. What the actor gets for it is written anew by a step that
// succeeds.
void tr_actor_trade_pose(tr_actor *actor, tr_pose *before);
