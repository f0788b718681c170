// stage/actor_ahead.h - crowds are larger than caches: memory of who is stepped soon is asked for while
// others are stepped, and poses change hands instead of being copied. Internal to stage/.
#pragma once
#include "base/ahead.h"
#include "stage/actor/actor.h"

// First the actor itself, then, a while later, what it points to.
void tr_actor_ahead(const tr_actor *actor);
void tr_actor_parts_ahead(const tr_actor *actor);

// The pose of the last step goes to `before`. What the actor gets for it is written anew by a step that
// succeeds.
void tr_actor_trade_pose(tr_actor *actor, tr_pose *before);
// What is stepped next by the same thread: what it points to and may change.
void tr_actor_own_ahead(const tr_actor *actor);
