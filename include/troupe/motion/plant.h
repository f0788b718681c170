// troupe/motion/plant.h - feet that stay put: contacts are held where they landed, by the legs, and let go
// smoothly.
#pragma once
#include "troupe/motion/clip.h"
#include "troupe/motion/foot.h"
#include "troupe/motion/limb.h"

TR_BEGIN_DECLARATIONS

// What is known of a skeleton's legs; shared by all characters that have it.
typedef struct tr_legs {
    tr_foot feet[2];
    tr_limb limbs[2];
} tr_legs;
// TR_NOT_FOUND: the skeleton lacks a leg with roles.
TR_API tr_status tr_legs_measure(const tr_skeleton *skeleton, tr_legs *legs, tr_error *error);

// Start from tr_plant_params_default().
typedef struct tr_plant_params {
    float
        release_time; // in which a foot that is let go comes back to the animation [s, >= 0], 0.2 by default
    float capture_height; // a labelled foot higher than this above the ground is not held yet [m, > 0]
    float stray_max; // a plant that the animation leaves by more than this is let go (a step is due) [m, > 0]
    float settle_speed; // how fast the hip may sink to let a foot reach its plant [m/s, >= 0]
    float ground;       // height of the ground [m], in the axes of `place`
} tr_plant_params;
TR_API tr_plant_params tr_plant_params_default(void);

// One foot: zero is valid, nothing held. `offset` is what is left of a released plant.
typedef struct tr_plant_foot {
    bool held_heel, held_toes;
    tr_vec3 heel, toes;  // where they are held [m]
    tr_vec3 offset;      // of the ankle [m], dying away
    tr_quat offset_turn; // of the foot
    float released;      // seconds since it was let go
    bool active;         // an offset is left
} tr_plant_foot;

typedef struct tr_plant_state {
    tr_plant_foot feet[2];
    float hip_drop; // how far the hip is lowered [m]
    bool begun;
} tr_plant_state;

// After blending: hold what `contacts` (tr_contact) says touches the ground where it came down, turn the foot
// about its held heel or toes as the animation does, keep heel and tip out of the ground, and bend the legs
// accordingly. `model` is the pose in the axes of the world (place applied) and is kept up to date. A foot
// that slid in the clip, was turned by a curved route or by a blend does not slide in the result: from one
// call to the next a held point stays within 0.01 mm while the leg reaches it. No allocation. TR_INVALID: a
// parameter out of range or not finite; nothing was changed.
TR_API tr_status tr_plant_step(tr_plant_state *state, const tr_plant_params *params, const tr_legs *legs,
                               const tr_skeleton *skeleton, uint32_t contacts, float dt, tr_pose *pose,
                               const tr_affine *place, tr_affine *model);

TR_END_DECLARATIONS
