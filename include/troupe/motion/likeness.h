// troupe/motion/likeness.h - compares a walk with captured walks of people, joint by joint over the stride.
#pragma once
#include "troupe/motion/audit.h"

TR_BEGIN_DECLARATIONS

// The curves over a stride. Limbs are those of the side whose heel strikes at 0 %. All are in degrees, except
// for the path of the pelvis, which is in millimetres.
typedef enum tr_likeness_curve {
    TR_LIKENESS_THIGH,         // from straight down, in the vertical plane of travel, forward positive
    TR_LIKENESS_HIP,           // the same in the axes of the pelvis
    TR_LIKENESS_KNEE,          // between thigh and shank, 0 straight
    TR_LIKENESS_ANKLE,         // foot against shank, toes up positive, 0 as in the rest pose
    TR_LIKENESS_TOE,           // toes against foot, up positive
    TR_LIKENESS_FOOT_PITCH,    // foot against level, toes up positive
    TR_LIKENESS_ARM,           // the upper arm from straight down in the axes of the upper chest
    TR_LIKENESS_ARM_WORLD,     // the same in the vertical plane of travel, forward positive
    TR_LIKENESS_ELBOW,         // between upper arm and forearm, 0 straight
    TR_LIKENESS_PELVIS_HEIGHT, // trend and mean removed
    TR_LIKENESS_PELVIS_SIDE,   // towards the side of the stride; trend and mean removed
    // Against the direction of travel. Yaw is positive towards the side of the stride, pitch forwards, and
    // roll with the side of the stride up.
    TR_LIKENESS_HIPS_YAW,
    TR_LIKENESS_HIPS_PITCH,
    TR_LIKENESS_HIPS_ROLL,
    TR_LIKENESS_CHEST_YAW, // the upper chest
    TR_LIKENESS_CHEST_PITCH,
    TR_LIKENESS_CHEST_ROLL,
    TR_LIKENESS_HEAD_YAW,
    TR_LIKENESS_HEAD_PITCH,
    TR_LIKENESS_HEAD_ROLL,
    TR_LIKENESS_CURVES
} tr_likeness_curve;

TR_API const char *tr_likeness_name(tr_likeness_curve curve); // "thigh"; static storage; NULL for a bad one

// What people do at one moment of the stride.
typedef struct tr_likeness_people {
    float mean, sd;    // over people
    float least, most; // the person with the least value, and with the greatest
} tr_likeness_people;
// Returns the values of people at a walking speed [m/s] and a place in the stride [percent from heel strike,
// clamped to 0 to 100]. Interpolates between 1.0, 1.4 and 1.8 m/s; slower and faster speeds count as these.
// All NAN for a bad curve or a speed that is not finite.
TR_API tr_likeness_people tr_likeness_of_people(tr_likeness_curve curve, float speed, float percent);

#define TR_LIKENESS_POINTS 51 // every 2 percent of the stride, both ends included

typedef struct tr_likeness_match {
    bool measured;             // false: the skeleton lacks a joint of this curve, and the rest is 0
    float within_2sd;          // share of the stride within two standard deviations of the mean [0, 1]
    float within_people;       // share of the stride between the least and the greatest person [0, 1]
    float range, people_range; // greatest minus least value over the stride, of the motion and of the mean
    float correlation;         // with the mean of people [-1, 1]; NAN for a curve that does not change
    float shift;               // by which it is late where it correlates best [percent, -25 to 25]
    float worst_percent;       // where it is furthest from the mean in standard deviations [percent],
    float worst_sd;            // and how far [standard deviations, with sign]
    float values[TR_LIKENESS_POINTS]; // mean over the strides of both sides
} tr_likeness_match;

typedef struct tr_likeness {
    uint32_t found;                             // strides with the heel strikes of one foot at both ends
    uint32_t strides[2];                        // those measured: of the left foot, of the right foot
    float speed;                                // of the measured strides, mean [m/s]
    float stride_length, cadence;               // [m], [steps per minute]
    float people_stride_length, people_cadence; // of people with legs of this length at this speed
    float ldlj; // of the pelvis over rows of measured strides: as in tr_audit, but the mean of the windows;
                // NAN if no row is longer than 1.1 s
    float hip_jump; // largest change of the pelvis' velocity within 1/30 s, over measured strides [m/s]
    float likeness; // mean of `within_2sd` over the measured curves [0, 1]
    tr_likeness_match curves[TR_LIKENESS_CURVES];
} tr_likeness;

// The standard deviation of people's strides and cadence, as a share of people_stride_length and
// people_cadence: 0.14 of 1.44 m, 0.10 of 1.02 strides a second (14 adults at 1.45 m/s).
#define TR_LIKENESS_STRIDE_SD 0.1f
// `ldlj` of captured walks of people, from two sets of captures: -7.8 to -7.2 and -7.4 to -7.0.
#define TR_LIKENESS_LDLJ_LOW (-7.8f)
#define TR_LIKENESS_LDLJ_HIGH (-7.0f)

// Measures the steady strides of a clip with its base put back. A stride counts if the other foot strikes
// once in it, it is 0.8 to 2 m/s fast, neither half of it differs from that by more than 10 %, the pelvis
// faces ahead and turns by less than 5 degrees, and the ground is level. `params` (NULL: the default) chooses
// the part and says whether labels count (find_contacts); the rest of it is not used. TR_NOT_FOUND: a leg or
// the hips have no role, or no stride counts (the error says why); TR_INVALID: as for tr_audit_measure, or
// fewer than 24 frames per second. `likeness` is unchanged unless the call returns TR_OK. The same bits
// everywhere.
TR_API tr_status tr_likeness_measure(const tr_allocator *allocator, const tr_skeleton *skeleton,
                                     const tr_clip *clip, const tr_audit_params *params,
                                     tr_likeness *likeness, tr_error *error);

TR_END_DECLARATIONS
