// motion/horse/horse_gait.h - how the horse moves: where its trunk and its hooves are at a time, and the pose
// that puts them there. Internal to motion/. Metres, radians, seconds, in doubles.
#pragma once
#include "horse_parts.h"
#include "troupe/motion/pose.h"

#define TR_HORSE_LEGS 4
// In the order of the footfalls: trailing and leading hind leg, trailing and leading fore leg. The left side
// leads.
typedef enum tr_horse_leg {
    TR_HORSE_RIGHT_HIND,
    TR_HORSE_LEFT_HIND,
    TR_HORSE_RIGHT_FORE,
    TR_HORSE_LEFT_FORE
} tr_horse_leg;
static inline bool tr_horse_is_fore(uint32_t leg) {
    return leg >= TR_HORSE_RIGHT_FORE;
}

// A hoof: the place of its toe in the axes of the base, how it is turned, and the bend of the joints above it
// that the place leaves open.
typedef struct tr_horse_hoof {
    double x, y, z;
    double yaw, pitch, roll; // to the left; heel up; leaning to the left
    double pastern;          // turn of the pastern about X in the world; negative: the fetlock sinks
    double knee;             // bend of the knee of a fore leg
    bool stands;
} tr_horse_hoof;

// A moving horse, in the axes of the base.
typedef struct tr_horse_state {
    double left, up, ahead;      // of the trunk, from where it is when the horse stands
    double roll;                 // of everything above the hooves: to the left about the ground
    double pitch;                // of the thorax: withers down
    double tuck;                 // of the pelvis against the thorax: hind legs forward under the body
    double bend;                 // of the spine to the left
    double neck, neck_bow, nod;  // from the standing pose: lowered, arched, nose down (in the world)
    double tail, tail_sway, ear; // tail lifted, to the left; ears back
    tr_horse_hoof hooves[TR_HORSE_LEGS];
} tr_horse_state;

// A measured skeleton, and memory for posing it.
typedef struct tr_horse_rig {
    tr_allocator allocator;
    const tr_skeleton *skeleton;
    tr_pose pose;
    tr_affine *model;
    double height;     // at the withers, from the length of the bones
    double worst_miss; // the largest distance between a hoof joint and its goal
} tr_horse_rig;

tr_status tr_horse_rig_create(const tr_allocator *allocator, const tr_skeleton *skeleton, tr_horse_rig *rig,
                              tr_error *error);
void tr_horse_rig_destroy(tr_horse_rig *rig);
// Poses the rig's horse.
void tr_horse_pose(tr_horse_rig *rig, const tr_horse_state *state);

// A planned gallop.
typedef struct tr_horse_gallop {
    double height;               // of the horse
    double speed, period;        // [m/s], [s]
    double turn;                 // in the clip, to the left
    double duty[2];              // of hind and fore legs: share of the stride on the ground
    double begin[TR_HORSE_LEGS]; // phase of the footfall; the stride begins in mid-air
    double flight;               // share of the stride in the air
    double gravity;
    double lowering; // of the trunk, so that the legs reach [m]
} tr_horse_gallop;

#define TR_HORSE_SWAY 0.3 // share of the stride in which a turn sets in, and in which it ends

// The timing for a speed; `period` is that of published horses.
void tr_horse_gallop_plan(double height, double speed, tr_horse_gallop *gallop);
// Lowers the trunk as far as the legs need it to reach all footprints of the straight gallop. After `period`
// is set. If they reach them nowhere, the largest lowering remains.
void tr_horse_gallop_lower(tr_horse_gallop *gallop, tr_horse_rig *rig);
// The base at a time: the gallop is straight before the stride and after it.
tr_base tr_horse_gallop_base(const tr_horse_gallop *gallop, double time);
// The largest angle by which the horse leans.
double tr_horse_gallop_lean(const tr_horse_gallop *gallop);
void tr_horse_gallop_at(const tr_horse_gallop *gallop, double time, tr_horse_state *state);
// A hoof in the middle of its stance in the straight gallop: x and z; one at this share of its stance, and
// one at this share of its swing: all but x and z.
void tr_horse_gallop_middle(const tr_horse_gallop *gallop, uint32_t leg, tr_horse_hoof *hoof);
void tr_horse_stance_hoof(const tr_horse_gallop *gallop, uint32_t leg, double share, tr_horse_hoof *hoof);
void tr_horse_swing_hoof(const tr_horse_gallop *gallop, uint32_t leg, double share, tr_horse_hoof *hoof);

// From standing to the straight gallop, or from it to standing, in this many strides of the same time.
#define TR_HORSE_DEPART_STRIDES 4
typedef struct tr_horse_depart {
    tr_horse_gallop gallop; // with `turn` 0
    bool halts;
} tr_horse_depart;
// The base and the horse at a time; before and after the strides it stands or gallops.
tr_base tr_horse_depart_base(const tr_horse_depart *depart, double time);
void tr_horse_depart_at(const tr_horse_depart *depart, double time, tr_horse_state *state);

void tr_horse_stand_at(double height, double phase, tr_horse_state *state); // phase of its breath [0, 1)
