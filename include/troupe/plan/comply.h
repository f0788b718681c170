// troupe/plan/comply.h - an upper body that minds obstacles while its pelvis moves (Li, "Directing
// intelligent digital actor with real-time motion planning", section 5).
//
// Given where the pelvis is in each frame and how the upper body would like to move, the planner finds a
// motion of the waist, then of the left arm, then of the right arm that touches nothing, is as close to the
// preferred motion as it can, and keeps the limits of joints, speed and acceleration. Each limb is searched
// in a roadmap of configuration and time (CT-roadmap). The motion is certified between frames as well. A plan
// can be continued: the rest of the last plan is the first guess of the next. Numbers only: no skeleton, no
// file.
#pragma once
#include "troupe/plan/arm.h"
#include "troupe/world/solid.h"

TR_BEGIN_DECLARATIONS

typedef enum tr_comply_limb {
    TR_COMPLY_WAIST,
    TR_COMPLY_LEFT_ARM,
    TR_COMPLY_RIGHT_ARM,
    TR_COMPLY_LIMBS // in the order in which they are planned
} tr_comply_limb;
TR_API const char *tr_comply_limb_name(tr_comply_limb limb); // "waist", "left arm", ...; static storage

#define TR_COMPLY_WAIST_ANGLES 3 // lean forwards, bend to the left, turn to the left
#define TR_COMPLY_ARM_ANGLES 4   // the first four of tr_arm_angle; the hand continues the forearm
#define TR_COMPLY_PARTS_MAX 12
#define TR_COMPLY_CAPSULES_MAX (TR_COMPLY_PARTS_MAX + 2 * TR_ARM_LINKS)

// [rad]. All zero: upright, both arms hanging.
typedef struct tr_comply_pose {
    float waist[TR_COMPLY_WAIST_ANGLES];
    float arms[2][TR_COMPLY_ARM_ANGLES]; // by tr_arm_side
} tr_comply_pose;

// A capsule of trunk, head or hips in the axes of the pelvis, with the trunk upright [m].
typedef struct tr_comply_part {
    tr_vec3 a, b;
    float radius;   // [m, > 0]
    uint32_t links; // bits of the links of both arms that must not touch it: 1 upper arm, 2 forearm, 4 hand
    bool on_pelvis; // stays with the pelvis and is not tested against the world; otherwise moves with the
                    // trunk
} tr_comply_part;

// The trunk is rotated about `waist` by Ry(turn) Rx(lean) Rz(-bend), as in tr_arm. Of each arm, side,
// shoulder, lengths, radii and the limits of the first four angles are used.
typedef struct tr_comply_body {
    tr_arm arms[2]; // by tr_arm_side
    tr_vec3 waist;  // [m, in the axes of the pelvis]
    float waist_low[TR_COMPLY_WAIST_ANGLES], waist_high[TR_COMPLY_WAIST_ANGLES]; // equal: stiff [rad]
    bool bends; // sideways by itself, within its limits; otherwise only as the preferred motion bends
    float waist_speed,
        waist_acceleration;            // most that an angle departs from the preferred motion [rad/s, > 0]
    float arm_speed, arm_acceleration; // [rad/s^2, > 0]
    tr_comply_part parts[TR_COMPLY_PARTS_MAX];
    uint32_t part_count;
} tr_comply_body;
// A person of this height [m]: the waist leans and turns (2 degrees of freedom) and does not bend sideways.
TR_API tr_comply_body tr_comply_body_default(float height);

// The place of the pelvis. Between frames it moves on a line and turns evenly, the shorter way.
typedef struct tr_comply_place {
    tr_vec3 position; // [m]
    float heading;    // [rad]
} tr_comply_place;

// Writes the capsules of a pose in the world: the parts, then the links of the right arm, then of the left.
// Returns their number.
TR_API uint32_t tr_comply_capsules(const tr_comply_body *body, const tr_comply_place *place,
                                   const tr_comply_pose *pose,
                                   tr_solid_capsule capsules[TR_COMPLY_CAPSULES_MAX]);

// The preferred pose of walking: the waist upright, the arms swinging against the legs. `phase` is that of
// the stride [turns: 0 when the left foot strikes], `share` the size of the swing [1: that of brisk walking].
TR_API tr_comply_pose tr_comply_swing(float phase, float share);

typedef struct tr_comply tr_comply;
typedef struct tr_comply_def {
    const tr_allocator *allocator; // NULL: malloc
    tr_comply_body body;
    float frames_per_second; // [> 0], 30
    uint32_t stride;         // frames of one step of the search [1, 16], 4
    uint32_t frames_max;     // of a window [2, 4096], 256
    uint32_t nodes_max;      // of the roadmaps of the three limbs together [256, 2^24], 2^15
    uint32_t movers_max, others_max, legs_max; // [0, 1024], 16, 32, 4
    // What is kept; where a motion is planned anew it keeps 2 mm more, so that it can be certified again.
    float margin;      // from the world [m, >= 1e-4], 0.004
    float self_margin; // from the own body [m, >= 0], 0
    // The distance between neighbouring nodes [rad, >= 0]; 0: the largest that speed and acceleration allow.
    float waist_step, arm_step;
} tr_comply_def;
TR_API tr_comply_def tr_comply_def_default(void); // the body is that of 1.75 m

// TR_INVALID names the value that is out of range. Planning allocates nothing.
TR_API tr_status tr_comply_create(const tr_comply_def *def, tr_comply **comply, tr_error *error);
TR_API void tr_comply_destroy(tr_comply *comply); // NULL is allowed
// Replaces the body by one with the same limits of angles, speed and acceleration: the same person, held or
// measured otherwise. The next plan has no guess. TR_INVALID: a limit differs, or a value is out of range;
// nothing has changed. No allocation.
TR_API tr_status tr_comply_set_body(tr_comply *comply, const tr_comply_body *body, tr_error *error);

// An object that moves: a solid in the object's own axes, placed in each frame. Between frames it is blended
// as by tr_transform_blend.
typedef struct tr_comply_mover {
    const tr_solid *solid;
    const tr_transform *places; // one for each frame; the scale must be 1
    uint32_t id;                // for reports
} tr_comply_mover;

// What moves is given for each frame of the window and moves on lines between frames.
typedef struct tr_comply_query {
    const tr_comply_place *places;   // of the pelvis, one for each frame
    const tr_comply_pose *preferred; // one for each frame
    uint32_t frame_count;            // [2, frames_max]
    const tr_solid *solid;           // in the world; NULL: nothing stands there
    const tr_comply_mover *movers;   // objects that move
    uint32_t mover_count;            // [0, movers_max]
    const tr_solid_capsule *others;  // of other people in the world: frame * other_count + i
    uint32_t other_count;            // [0, others_max]
    const tr_solid_capsule *legs;    // of this body in the axes of the pelvis: frame * leg_count + i
    uint32_t leg_count;              // [0, legs_max]
    const tr_comply_pose *pose;      // in the first frame; NULL: the preferred pose
    const tr_comply_pose *velocity;  // in the first frame [rad/s]; NULL: that of the preferred motion
    // Frames from the first of the last plan that was found to the first of this one. The rest of that plan
    // is the first guess if pose and velocity are those that it has here. TR_NONE: no guess.
    uint32_t passed;
    uint32_t checks_max; // capsules tested against the world before a search gives up, 200,000; 0: no limit
} tr_comply_query;
TR_API tr_comply_query tr_comply_query_default(void);

typedef enum tr_comply_kind {
    TR_COMPLY_NOTHING, // found
    TR_COMPLY_SCENE,   // an object of the scene
    TR_COMPLY_MOVER,
    TR_COMPLY_OTHER,
    TR_COMPLY_BODY, // the own trunk, legs or other arm
    TR_COMPLY_RATE  // the start is too fast to be continued
} tr_comply_kind;

// The result of the last plan. Pointers are valid until the next plan.
typedef struct tr_comply_result {
    const tr_comply_pose *poses;      // one for each frame; linear between frames
    const tr_comply_pose *velocities; // [rad/s]
    uint32_t frame_count;             // 0: no motion was found
    // Why not: the obstacle at which the search of a limb ended that came furthest.
    tr_comply_limb limb;
    tr_comply_kind kind;
    uint32_t id;     // of the object, mover or other person (index); TR_NONE if unknown
    uint32_t frame;  // in which it is met: the motion before it is possible
    bool folded;     // the waist made room for folded arms, because arms found no way otherwise
    uint32_t nodes;  // of the roadmaps
    uint32_t grown;  // of these, nodes from which the roadmap was grown
    uint32_t checks; // capsules tested against the world
} tr_comply_result;

// Plans. TR_OK: a motion was found. TR_NOT_FOUND: at the resolution of the roadmap there is none; the result
// and the error say why. TR_PARTIAL: nodes_max or checks_max was reached first. TR_INVALID: a count or a
// number is out of range. After TR_NOT_FOUND and TR_PARTIAL the plan before remains the guess of the next. No
// allocation. A tr_comply serves one call at a time; several may share a solid. Same input, same bits.
TR_API tr_status tr_comply_plan(tr_comply *comply, const tr_comply_query *query, tr_error *error);
TR_API const tr_comply_result *tr_comply_last(const tr_comply *comply);

// An edge of the roadmap that the last plan tried, for pictures. Angles are departures from the preferred
// motion: those of the waist, or the four of the arm [rad].
typedef struct tr_comply_edge {
    tr_comply_limb limb;
    float frame_from, frame_to;
    float from[TR_COMPLY_ARM_ANGLES], to[TR_COMPLY_ARM_ANGLES];
    bool tried;   // otherwise it waited when the search ended
    bool free;    // tried and not blocked
    bool on_path; // before it was smoothed
    bool grown;   // leads to a node that is no common pattern
} tr_comply_edge;
// false: there are not so many.
TR_API bool tr_comply_edge_at(const tr_comply *comply, uint32_t index, tr_comply_edge *edge);

TR_END_DECLARATIONS
