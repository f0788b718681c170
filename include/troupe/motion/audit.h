// troupe/motion/audit.h - measures the quality of a motion: feet, limits, smoothness, collisions.
#pragma once
#include "troupe/motion/body.h"
#include "troupe/motion/clip.h"
#include "troupe/world/scene.h"

TR_BEGIN_DECLARATIONS

// Start from tr_audit_params_default(): the whole motion, on level ground that is found from it, with nothing
// to collide with.
typedef struct tr_audit_params {
    // NULL: level ground at `ground`. Objects with a trajectory are tested where they are at the time of each
    // frame, all others where they are placed now. Drawn objects are ignored.
    const tr_scene *scene;
    double scene_time;     // time of the trajectories at frame 0 of the clip [s]
    uint32_t exclude_tags; // objects with these tags are not tested
    float ground;          // [m], also where the scene has no floor; NAN: found from the motion
    const tr_body *body;   // NULL: collisions are not tested
    double begin, end;     // the part to measure [s]; end 0: all
    float contact_height,
        contact_speed; // what counts as a plant, where the clip has no labels; 0: by the height
    const double
        *seams; // times of transitions to look at [s], may be NULL; the seam of a loop is always looked at
    uint32_t seam_count;
    bool find_contacts; // find plants in the motion even if the clip has labels: labels may be wrong
} tr_audit_params;
TR_API tr_audit_params tr_audit_params_default(void);

typedef struct tr_audit {
    uint32_t frames;
    double fps;
    uint32_t plants;                   // periods in which a heel or the toes of a foot stand
    float slide_mm_max, slide_mm_mean; // how far the point of contact gets from where it came down
    float plant_speed_max;             // during plants [m/s]
    float skate_mm; // MANN's measure: mean over frames and feet of the horizontal speed of the ball times
                    // 2 - 2^(height/limit), while below the limit of 2.5 cm [mm per frame at 30 Hz]
    float penetration_mm_max;        // of heel, ball or tip below the ground or the floor under them
    float clearance_mm_min;          // least height of the toes in mid-swing; NAN if there is no swing
    uint32_t joint_limit_violations; // frames times joints beyond their limit by more than 0.5 degrees
    float joint_limit_worst;         // [rad]
    float jerk_30hz;                 // mean size of the third difference of joint positions at 30 Hz [m/s^3]
    float ldlj;          // log dimensionless jerk of the pelvis, worst of the 1.1 s windows in which it moves
                         // (faster than 0.2 m/s); NAN if there is none
    float seam_mps;      // largest jump of a joint's velocity at seams, beyond those of the frames around; at
                         // the seam of a loop also beyond that of the joint of the other side half a round
                         // away (feet land with a jump, wherever a stride is cut) [m/s]
    uint32_t collisions; // frames with a capsule inside a triangle of the scene by more than 5 mm
    float collision_mm_max;
    uint32_t self_collisions; // frames with two capsules inside each other by more than 5 mm
    float self_collision_mm_max;
} tr_audit;

// Measures the clip with its base put back, as it is seen in the world. A whole clip that loops continues
// into its next round, so that plants and swings across the seam count. TR_NOT_FOUND: no feet with roles
// (everything that needs no feet is still measured, the rest is 0 and NAN). TR_INVALID: clip, skeleton and
// body do not match, or a parameter is out of range. `audit` is unchanged after TR_INVALID and
// TR_OUT_OF_MEMORY.
TR_API tr_status tr_audit_measure(const tr_allocator *allocator, const tr_skeleton *skeleton,
                                  const tr_clip *clip, const tr_audit_params *params, tr_audit *audit,
                                  tr_error *error);

TR_END_DECLARATIONS
