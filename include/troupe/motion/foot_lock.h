// troupe/motion/foot_lock.h - feet that stay put: contacts are held where they landed, by the legs, and let
// go smoothly.
#pragma once
#include "troupe/motion/clip.h"
#include "troupe/motion/foot.h"

TR_BEGIN_DECLARATIONS

// A foot of somebody else: from heel to tip on the floor. Feet in the air keep out of it.
typedef struct tr_foot_lock_bar {
    tr_vec3 heel, tip; // [m]
    float width;       // half of it [m]
    tr_vec2 away;      // from its owner to this body, of length 1: this way a foot that is in it leaves it
    bool stays;        // stands flat: it is still there when a foot that swings comes down
    tr_vec2 velocity;  // of one in the air [m/s]
    float share; // of the distance kept from it that is this body's to keep: 1, or less if it gives way, too
} tr_foot_lock_bar;

// Start from tr_foot_lock_params_default().
typedef struct tr_foot_lock_params {
    float
        release_time; // in which a foot that is let go comes back to the animation [s, >= 0], 0.3 by default
    float capture_height; // a labelled foot higher than this above the ground is not held yet [m, > 0], 0.05
    float
        stray_max; // a plant that the animation leaves by more than this is let go (a step is due) [m, > 0],
                   // 0.3; by more than four times this, it is forgotten at once (the body was put elsewhere)
    float settle_speed; // how fast the hip may sink to let a foot reach its plant [m/s, >= 0], 0.5
    float short_max;    // a foot that its leg leaves this far from its plant is let go [m, > 0], 0.02
    float ground;       // height of the ground [m], in the axes of `place`'s result: the world
    // How much higher than `ground` the floor is under the left and the right foot [m, >= 0]; 0 by default. A
    // foot comes down there and stays at that height while it is held. A foot in the air goes over to a
    // higher floor in 0.1 s, to a lower one in 0.2 s: what lies in its way is best told that long before.
    float rise[2];
    // Feet of others where they will be after the step [all finite]; NULL and 0: none. A foot in the air that
    // is in one of them, or would come down in one, is moved aside. Read in tr_foot_lock_step only, not
    // copied.
    const tr_foot_lock_bar *bars;
    uint32_t bar_count;
} tr_foot_lock_params;
TR_API tr_foot_lock_params tr_foot_lock_params_default(void);

// A step that was: the hip, and the ankle as it was meant by the animation and as it was shown.
typedef struct tr_foot_lock_past {
    tr_vec3 hip, meant, shown;
    tr_quat meant_rotation, shown_rotation;
} tr_foot_lock_past;

// One foot: zero is valid, nothing held.
typedef struct tr_foot_lock_foot {
    bool held_heel, held_toes; // both: it stands flat and does not move at all
    bool on_toes;              // turns about the toes; else about the heel
    bool strayed;              // is or was let go too far away: waits until the contact or the offset is over
    bool heel_risen;           // the animation lifts the heel of a flat foot: its label is not believed
    float lowest[2];           // heel, toes: least height in the animation since they are held [m]
    float rise;                // of the floor that it stands on, or that it keeps above in the air [m]
    float rise_speed, rise_pull, rise_left; // in the air: its change [m/s], that one's [m/s^2], time left [s]
    float rise_goal;                        // and what it changes to [m]
    tr_vec3 heel, toes;                     // where they are held, on the floor [m]
    tr_quat heading; // held: the turn about +Y that undoes the animation's since it came down
    tr_quat flat;    // of the ankle when both are held
    // What dies away: of a foot in the air its offset from the animation, of a held one the height (y alone)
    // that it still has to sink; and a turn, as axis times angle. Each begins with a rate and ends at rest.
    tr_vec3 offset, offset_rate, turn, turn_rate;
    float stretch, stretch_rate; // of a foot in the air, how much longer its leg is than in the animation [m]
    float offset_time, turn_time;   // in which they die away [s]; 0: nothing is left
    float offset_since, turn_since; // they began [s]
    tr_vec2 push, push_rate;        // of a foot in the air: what it keeps out of feet by [m], [m/s]
    float knee, knee_rate;          // what its knee is turned out by, on its own side [rad], [rad/s]
    tr_quat thigh;                  // as it was shown in the last step
    tr_foot_lock_past past[2];      // the last step, and the one before
    float past_time;                // between these [s]
} tr_foot_lock_foot;

typedef struct tr_foot_lock_state {
    tr_foot_lock_foot feet[2];
    float hip_drop;  // how far the hip is lowered [m]
    float hip_speed; // and how fast that grows [m/s]
    bool begun;
} tr_foot_lock_state;

// After blending: hold what `contacts` (tr_contact) says touches the ground where it came down, turn the foot
// about its held heel or toes as the animation does, keep heel, ball and tip out of the ground, and bend the
// legs accordingly. Over a floor that is higher than the ground the feet do what they do on the ground, so
// much higher. `model` is the pose in the axes of the world (place applied) and is kept up to date. A foot
// that slid in the clip, was turned by a curved route or by a blend does not slide in the result: the held
// point stays within 0.01 mm over the ground while the leg reaches it (it rises where the animation clearly
// does). Labels that come late do no harm: a foot that has come down flat stands, and one that stands flat
// stays until the animation raises it. Where the leg is too short the hips sink, and where that is not enough
// the foot is let go. `dt` is the time since the last step [s, >= 0]. No allocation, any thread, the same
// bits everywhere. TR_INVALID: a parameter, `dt` or the pose of a leg is out of range or not finite; nothing
// was changed.
TR_API tr_status tr_foot_lock_step(tr_foot_lock_state *state, const tr_foot_lock_params *params,
                                   const tr_legs *legs, const tr_skeleton *skeleton, uint32_t contacts,
                                   float dt, tr_pose *pose, const tr_affine *place, tr_affine *model);
// What stands after the last step, by these labels: a foot that was let go because its plant was out of reach
// is taking a step back to where the animation has it, one that is still too high to be held comes down
// first, and one that has come down flat stands, whatever their labels say.
TR_API uint32_t tr_foot_lock_standing(const tr_foot_lock_state *state, uint32_t contacts);
// The ground under the feet was moved [m], and they with it: on a lift. Nothing else is felt of it.
TR_API void tr_foot_lock_carry(tr_foot_lock_state *state, tr_vec3 by);

// The foot of a leg as it was left by the last step: heel, tip, width, stays and velocity are written. How
// far it moved in it is returned: nothing if it stands.
TR_API tr_vec3 tr_foot_lock_bar_of(const tr_foot_lock_state *state, const tr_legs *legs, uint32_t side,
                                   const tr_affine *model, tr_foot_lock_bar *bar);

// Feet as they are held, written or read.
TR_API void tr_foot_lock_archive(tr_foot_lock_state *state, tr_archive *archive);

TR_END_DECLARATIONS
