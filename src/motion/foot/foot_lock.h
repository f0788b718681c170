// motion/foot/foot_lock.h - foot locks: hold feet where they landed, bend the legs to match, and release
// the feet smoothly.
#pragma once
#include "troupe/motion/clip.h"
#include "base/archive.h"
#include "motion/foot/foot.h"

// A foot of another body: a bar on the floor from heel to tip. Feet in the air keep out of it.
typedef struct tr_foot_lock_bar {
    tr_vec3 heel, tip; // [m]
    float width;       // half the width [m]
    tr_vec2 away;      // from its owner to this body, unit length: a foot that overlaps the bar leaves it
                       // this way
    bool stays;        // stands flat: it is still there when a swinging foot comes down
    tr_vec2 velocity;  // of a foot in the air [m/s]
    float share; // fraction of the avoidance that this body takes on: 1, or less if the other gives way too
} tr_foot_lock_bar;

// A plane of the floor under a foot. Feet are locked as on a level floor at height 0; this maps that floor
// onto the plane, by a rotation about the point `at` and without a turn about the vertical. Zero is level.
typedef struct tr_foot_lock_ground {
    tr_vec3 at;             // on the floor [m]
    float slope_x, slope_z; // rise of the floor along +X and +Z [m/m]
} tr_foot_lock_ground;

// Start from tr_foot_lock_params_default().
typedef struct tr_foot_lock_params {
    float
        release_time; // time in which a released foot returns to the animation [s, >= 0]; the default is 0.3
    float capture_height; // a labelled foot higher than this above the ground is not held yet [m, > 0], 0.05
    float
        stray_max; // a lock that the animation leaves by more than this is released (a step is due) [m, > 0],
                   // 0.3; by more than four times this, it is dropped at once (the body was put elsewhere)
    float settle_speed; // how fast the hips may sink to let a foot reach its lock [m/s, >= 0], 0.5
    float short_max;    // a foot that its leg leaves this far from its lock is released [m, > 0], 0.02
    float ground;       // height of the ground [m], in world axes (those that `place` maps to)
    // Height of the floor above `ground` under the left and the right foot [m, >= 0]; 0 by default. A foot
    // comes down at that height and keeps it while it is held. A foot in the air moves to a higher floor in
    // 0.1 s and to a lower one in 0.2 s, so announce an obstacle that long before the foot reaches it.
    float rise[2];
    // On a floor that is not level, each foot stands on the plane under it, and `rise` is not used. The pose
    // is that of a body on a level floor at `ground`, the height of the floor under the body: the feet follow
    // their planes, and the hips stay unless a leg is too short. A foot keeps its plane while it is held; in
    // the air, `planes` must change as smoothly as the foot may move. `shown`: the feet in the pose are
    // already on their planes.
    bool slopes, shown;
    float lower; // how far the hips are lowered in any case [m, >= 0]
    tr_foot_lock_ground planes[2];
    // Feet of other bodies, where they will be after the step [all finite]; NULL and 0: none. A foot in the
    // air that overlaps one of them, or would come down in one, is moved aside. Read only by
    // tr_foot_lock_step, not copied.
    const tr_foot_lock_bar *bars;
    uint32_t bar_count;
} tr_foot_lock_params;
tr_foot_lock_params tr_foot_lock_params_default(void);

// A past step: the hip, and the ankle as the animation had it (meant) and as it was shown.
typedef struct tr_foot_lock_past {
    tr_vec3 hip, meant, shown;
    tr_quat meant_rotation, shown_rotation;
} tr_foot_lock_past;

// One foot. Zero is valid: nothing is held.
typedef struct tr_foot_lock_foot {
    bool held_heel, held_toes; // both: the foot stands flat and does not move at all
    bool on_toes;              // turns about the toes; otherwise about the heel
    bool strayed;              // released because it was too far away: not held until the contact or the
                               // offset ends
    bool heel_risen;           // the animation lifts the heel of a flat foot: the heel's label is ignored
    float lowest[2];           // heel, toes: least height in the animation since they were held [m]
    float rise;                // of the floor that it stands on, or that it stays above in the air [m]
    float rise_speed, rise_pull, rise_left; // in the air: rate of `rise` [m/s], its acceleration [m/s^2],
                                            // time left [s]
    float rise_goal;                        // the value that `rise` changes to [m]
    tr_vec3 heel, toes;                     // where they are held, on the floor [m]
    tr_quat heading; // held: the turn about +Y that undoes the animation's turn since the foot came down
    tr_quat flat;    // rotation of the ankle when both are held
    // Decaying values. For a foot in the air, `offset` is its offset from the animation; for a held foot, the
    // height (y alone) that it still has to sink. `turn` is a rotation, as axis times angle. Each begins with
    // a rate and ends at rest.
    tr_vec3 offset, offset_rate, turn, turn_rate;
    float stretch, stretch_rate;    // in the air: how much longer the leg is than in the animation [m]
    float offset_time, turn_time;   // duration of the decay [s]; 0: nothing is left
    float offset_since, turn_since; // time since the decay began [s]
    tr_vec2 push, push_rate;        // in the air: displacement that keeps it out of other feet [m], [m/s]
    float near;                     // in the air: how much the leg lacks to be clear of the other one [m],
    bool near_known;                // if it was in the air in the last step as well
    float aside;                    // how far it has to move to its own side in the next moment for that [m]
    float knee, knee_rate;          // how far the knee is turned outwards, to its own side [rad], [rad/s]
    float roll, roll_rate;          // on its toes: how much further it has rolled [rad], [rad/s]
    tr_quat thigh;                  // as shown in the last step
    tr_foot_lock_ground ground;     // with slopes: what it stands on, or what is under it
    tr_foot_lock_past past[2];      // the last step, and the one before
    float past_time;                // time between these two [s]
} tr_foot_lock_foot;

typedef struct tr_foot_lock_state {
    tr_foot_lock_foot feet[2];
    float hip_drop;  // how far the hips are lowered [m]
    float hip_speed; // rate of `hip_drop` [m/s]
    bool begun;
    bool slopes; // as in the parameters of the last step
} tr_foot_lock_state;

// Advances the foot locks by one step. Call it after blending. Holds the heels and toes that `contacts`
// (tr_contact) labels as touching the ground where they came down. Turns each foot about its held heel or
// toes as the animation does, keeps heel, ball and tip out of the ground, and bends the legs to match. Over a
// floor higher than the ground, the feet move as on the ground, raised by that height. `model` is the pose in
// world axes (`place` applied) and is kept up to date. A foot that slid in the clip, or was turned by a
// curved route or by a blend, does not slide in the result: the held point stays within 0.01 mm over the
// ground while the leg reaches it (it rises where the animation clearly does). Late labels do no harm: a foot
// that has come down flat stands, and a foot that stands flat stays until the animation raises it. If a leg
// is too short, the hips sink; if that is not enough, the foot is released. `dt` is the time since the last
// step [s, >= 0]. No allocation, any thread, the same bits everywhere. TR_INVALID: a parameter, `dt` or the
// pose of a leg is out of range or not finite; nothing was changed.
tr_status tr_foot_lock_step(tr_foot_lock_state *state, const tr_foot_lock_params *params, const tr_legs *legs,
                            const tr_skeleton *skeleton, uint32_t contacts, float dt, tr_pose *pose,
                            const tr_affine *place, tr_affine *model);
// Returns the contacts (tr_contact) that stand after the last step, given these labels. Some feet differ from
// their labels. A foot that was released because its lock was out of reach is stepping back to where the
// animation has it and does not stand. A foot that is still too high to be held comes down first. A foot that
// has come down flat stands.
uint32_t tr_foot_lock_standing(const tr_foot_lock_state *state, uint32_t contacts);
// Returns how much flatter than in the animation a foot with this direction comes down on its heel [0, 1].
float tr_foot_lock_flatter(const tr_foot_lock_ground *ground, tr_vec2 ahead);
// From the level floor to the plane, and back.
tr_quat tr_foot_lock_tilt(const tr_foot_lock_ground *ground);
tr_vec3 tr_foot_lock_to_world(const tr_foot_lock_ground *ground, tr_vec3 point);
tr_vec3 tr_foot_lock_from_world(const tr_foot_lock_ground *ground, tr_vec3 point);
// Returns how high a point is above the floor that a foot stands on, or stays above [m].
static inline float tr_foot_lock_height(const tr_foot_lock_state *state, const tr_foot_lock_params *params,
                                        uint32_t side, tr_vec3 point) {
    const tr_foot_lock_foot *foot = &state->feet[side];
    return params->slopes ? tr_foot_lock_from_world(&foot->ground, point).y
                          : point.y - (params->ground + foot->rise);
}
// Moves the feet with the ground under them [m], as on a lift. Nothing else changes.
void tr_foot_lock_carry(tr_foot_lock_state *state, tr_vec3 by);

// Writes heel, tip, width, stays and velocity of a foot as the last step left it. Returns how far the foot
// moved in that step: zero if it stands.
tr_vec3 tr_foot_lock_bar_of(const tr_foot_lock_state *state, const tr_legs *legs, uint32_t side,
                            const tr_affine *model, tr_foot_lock_bar *bar);

// Writes or reads the state of the foot locks.
void tr_foot_lock_archive(tr_foot_lock_state *state, tr_archive *archive);
