// One foot of tr_foot_lock: what is held, what dies away, and where the ankle goes. Used by plant*.c alone.
#pragma once
#include "motion/foot/foot_lock.h"

// A leg as the animation has it, in the axes of the world.
typedef struct leg_view {
    tr_vec3 hip, knee, ankle;
    tr_vec3 heel, toes; // from the ankle; `toes` is where the foot rolls over: the ball, or the tip of a foot
                        // in one piece
    tr_quat rotation;   // of the ankle
    float straight;     // length of the leg
    float distance;     // from hip to ankle
    tr_quat sole;       // turn of the ankle and
    tr_vec3 ahead;      // direction of the foot when it stands flat, in the axes of the body
    float tip, width;   // as in tr_legs
    tr_vec3 out;        // from the other hip to this one, level; length 1, or 0
} leg_view;

typedef struct ankle_goal {
    tr_vec3 position;
    tr_quat rotation;
    bool held;
} ankle_goal;

// The most that a leg may be stretched: as far as the animation does, or to 99.9 % of straight.
float tr_foot_lock_leg_most(const leg_view *leg);
// Where a held foot would stretch it further than this, the hips sink.
float tr_foot_lock_leg_easy(const leg_view *leg);

// What the world and the animation say of one foot in this step.
typedef struct foot_news {
    uint32_t contacts; // 1 for heel and 2 for toes
    float rise;        // of the floor under it
    float drop;        // of the hips in the last step
    float dt;
    const tr_foot_lock_bar *own; // the other foot of the same body, where it stands; NULL: it does not
} foot_news;

// Go on by dt: where the ankle goes. Then what comes next is prepared: captures, releases.
ankle_goal tr_foot_lock_foot_step(tr_foot_lock_foot *foot, const tr_foot_lock_params *params,
                                  const leg_view *leg, const foot_news *news);
// Where a foot in the air goes so that it keeps out of feet: `position` is where the ankle would be, with the
// sole's heel and toes so far from it.
tr_vec3 tr_foot_lock_push(tr_foot_lock_foot *foot, const tr_foot_lock_params *params, const leg_view *leg,
                          const foot_news *news, tr_vec3 position, tr_vec3 heel, tr_vec3 toes);
// How far apart two feet are in the animation, from above, between the middles of their soles.
float tr_foot_lock_soles_apart(const leg_view *leg, const leg_view *other);
// Nothing held, nothing left over, above a floor with this rise.
void tr_foot_lock_foot_forget(tr_foot_lock_foot *foot, const leg_view *leg, float rise);
// The turn, upwards and no other way, that takes a vector which points deeper than `room` up to that depth.
tr_quat tr_foot_lock_raise(tr_vec3 v, float room);
