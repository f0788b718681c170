// One foot of tr_foot_lock: what is held, which offsets die away, and where the ankle goes. Used by
// foot_lock*.c only.
#pragma once
#include "motion/foot/foot_lock.h"
#include "motion/skeleton/limb_pair.h"

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
    tr_vec3 hip;                      // lowered by that, over the plane that the foot stands on
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
// The upward rotation that raises a vector which points deeper than `room` to that depth.
tr_quat tr_foot_lock_raise(tr_vec3 v, float room);

// The legs (foot_lock_legs.c). The point over which a foot rolls, in the ankle's axes.
tr_vec3 tr_foot_lock_toes_of(const tr_foot *foot);
// The turn of a knee that goes with a foot turned relative to the animation.
float tr_foot_lock_swivel(const leg_view *leg, const ankle_goal *goal);
// Bends a leg, with its knee turned further by `swivel`. Returns the distance that remains between the foot
// and its goal.
float tr_foot_lock_bend_leg(const tr_legs *legs, uint32_t side, const tr_skeleton *skeleton,
                            const leg_view *leg, const ankle_goal *goal, float swivel, tr_pose *pose,
                            const tr_affine *place, tr_affine *model);
// Both legs; `pair` as it was set, or NULL.
void tr_foot_lock_bend_legs(const tr_legs *legs, limb_pair *pair, const tr_skeleton *skeleton,
                            const leg_view views[2], const ankle_goal goals[2], tr_pose *pose,
                            const tr_affine *place, tr_affine *model, float left[2]);
// Keep a knee out of the other leg, an ankle inside its limit, and toes out of the ground.
void tr_foot_lock_keep_knee(const tr_legs *legs, uint32_t side, const tr_skeleton *skeleton,
                            const leg_view *views, const ankle_goal *goal, float dt, tr_foot_lock_foot *foot,
                            tr_pose *pose, const tr_affine *place, tr_affine *model);
void tr_foot_lock_keep_ankle(const tr_legs *legs, uint32_t side, const tr_skeleton *skeleton,
                             const leg_view *leg, const tr_foot_lock_state *state,
                             const tr_foot_lock_params *params, const ankle_goal *goal, tr_pose *pose,
                             const tr_affine *place, tr_affine *model);
void tr_foot_lock_bend_toes(const tr_foot *foot, const tr_skeleton *skeleton, const tr_foot_lock_state *state,
                            const tr_foot_lock_params *params, uint32_t side, tr_pose *pose,
                            const tr_affine *place, tr_affine *model);
