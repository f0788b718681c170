// stage/actor/actor_ahead.h - crowds are larger than caches: the memory of actors that are stepped soon is
// prefetched while others are stepped, and poses are swapped instead of copied. Internal to stage/.
#pragma once
#include "base/ahead.h"
#include "stage/actor/actor.h"

// Prefetches the actor itself. Its step prefetches what it points to.
void tr_actor_ahead(const tr_actor *actor);

// Swaps the pose of the last step with `before`. A successful step overwrites the pose that the actor gets.
void tr_actor_trade_pose(tr_actor *actor, tr_pose *before);
