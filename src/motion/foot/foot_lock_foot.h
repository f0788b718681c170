// One foot of tr_foot_lock: what is held, which offsets die away, and where the ankle goes. Used by
// foot_lock*.c only.
#pragma once
#include "motion/foot/foot_lock.h"

// A leg in the animation, in world axes.
typedef struct leg_view {
    tr_vec3 hip, knee, ankle;
    tr_vec3 heel, toes; // relative to the ankle; `toes` is where the foot rolls over: the ball, or the tip of
                        // a foot in one piece
    tr_quat rotation;   // of the ankle
    float straight;     // length of the leg
    float distance;     // from hip to ankle
    tr_quat sole;       // rotation of the ankle and
    tr_vec3 ahead;      // direction of the foot when it stands flat, in the axes of the body
    float tip, width;   // as in tr_legs
    tr_vec3 out;        // from the other hip to this one, horizontal; length 1, or 0
} leg_view;

typedef struct ankle_goal {
    tr_vec3 position;
    tr_quat rotation;
    bool held;
} ankle_goal;

// The greatest stretch of a leg: as in the animation, or 99.9 % of straight.
float tr_foot_lock_leg_most(const leg_view *leg);
// If a held foot would stretch the leg further than this, the hips sink.
float tr_foot_lock_leg_easy(const leg_view *leg);

// The input from the world and the animation for one foot in this step.
typedef struct foot_news {
    uint32_t contacts;                // 1 for heel and 2 for toes
    float rise;                       // of the floor under it
    float drop;                       // of the hips in the last step
    const tr_foot_lock_ground *plane; // under it; NULL: the floor is level
    float dt;
    const tr_foot_lock_bar *own; // the other foot of the same body, if it stands; otherwise NULL
} foot_news;

// Advances by dt and returns the goal of the ankle. Then prepares what comes next: captures, releases.
ankle_goal tr_foot_lock_foot_step(tr_foot_lock_foot *foot, const tr_foot_lock_params *params,
                                  const leg_view *leg, const foot_news *news);
// The place of a foot in the air that keeps clear of other feet: `position` is where the ankle would be, with
// the sole's heel and toes relative to it.
tr_vec3 tr_foot_lock_push(tr_foot_lock_foot *foot, const tr_foot_lock_params *params, const leg_view *leg,
                          const foot_news *news, tr_vec3 position, tr_vec3 heel, tr_vec3 toes);
// The distance between two feet in the animation, seen from above, between the middles of their soles.
float tr_foot_lock_soles_apart(const leg_view *leg, const leg_view *other);
// The room between a leg in the air and the other leg, as moves of its ankle to its own side [m].
typedef struct legs_room {
    float lack; // that would just clear the other leg; negative: it is clear
    float off;  // that would bring it as far from the other leg as it is in the animation
} legs_room;
legs_room tr_foot_lock_legs_room(const tr_legs *legs, uint32_t side, const leg_view views[2],
                                 const tr_affine *model);
// Notes the room of a leg in the air in this step, for its push in the next.
void tr_foot_lock_foresee_legs(tr_foot_lock_foot *foot, legs_room room, float width, float dt);
// Nothing held, no offset left, above a floor with this rise.
void tr_foot_lock_foot_forget(tr_foot_lock_foot *foot, const leg_view *leg, float rise);
// With slopes (foot_lock_ground.c). Moves a foot onto another plane: its past stays where it was in the
// world.
void tr_foot_lock_change_ground(tr_foot_lock_foot *foot, const tr_foot_lock_ground *ground);
// From a level floor to slopes, or back.
void tr_foot_lock_change_floor(tr_foot_lock_state *state, const tr_foot_lock_params *params);
// A leg as it would be on a level floor at height 0, and where its foot is on its plane.
void tr_foot_lock_view_slope(const tr_foot_lock_params *params, uint32_t side, leg_view *leg);
// The labels of a foot that comes down flat where on a level floor it comes down on its heel.
uint32_t tr_foot_lock_slope_contacts(const tr_foot_lock_ground *plane, const leg_view *leg,
                                     uint32_t contacts);
void tr_foot_lock_lay(const tr_foot_lock_foot *foot, ankle_goal *goal);
// Raises the heel of a foot on its toes, in the world, until its leg is short enough by `lacking` at the hips
// or the ankle can do no more. `toes` is in the axes of the ankle.
void tr_foot_lock_push_off(tr_foot_lock_foot *foot, tr_vec3 toes, float lacking, float dt, ankle_goal *goal);
// The upward rotation that raises a vector which points deeper than `room` to that depth.
tr_quat tr_foot_lock_raise(tr_vec3 v, float room);
