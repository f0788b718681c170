// What the sources of `likeness` share.
#pragma once
#include "audit_parts.h"
#include "troupe/motion/likeness.h"

// Two rows of figures over the stride, in tenths of a degree or of a millimetre.
#define LIKENESS_SPEEDS 3  // 1.0, 1.4 and 1.8 m/s
#define LIKENESS_PLACES 26 // every 4 percent of the stride
typedef int16_t likeness_figures[LIKENESS_SPEEDS][TR_LIKENESS_CURVES][2][LIKENESS_PLACES];
// The person with the least value (row 0) or with the greatest (row 1) at a speed, by its number.
const int16_t *tr_likeness_extreme(int speed, tr_likeness_curve curve, int row);

// The joints of the curves; TR_NONE for those that the skeleton lacks.
typedef struct likeness_joints {
    uint32_t hips, chest, head;
    uint32_t thigh[2], shank[2], foot[2], toes[2], upper_arm[2], forearm[2], hand[2];
} likeness_joints;

// TR_NOT_FOUND: the hips or a part of a leg has no role.
tr_status tr_likeness_joints_find(const tr_skeleton *skeleton, likeness_joints *joints, tr_error *error);
bool tr_likeness_has_curve(const likeness_joints *joints, tr_likeness_curve curve);
// The turn of a joint from its rest pose, in the world.
tr_quat tr_likeness_turn(const audit_job *job, uint32_t joint);
// All curves at the moment at which the model of the job is placed, for a stride of `side` (0 left, 1 right)
// in the direction `travel` (level, of unit length). The path of the pelvis is its plain position.
void tr_likeness_read(const audit_job *job, const likeness_joints *joints, uint32_t side, tr_vec3 travel,
                      double values[TR_LIKENESS_CURVES]);

// When the heels strike: times in order, of the left foot and of the right [s]. Of a loop, the strikes of two
// rounds.
typedef struct likeness_strikes {
    double *times[2];
    uint32_t count[2], room;
} likeness_strikes;
// Only after TR_OK is there something to destroy.
tr_status tr_likeness_strikes_find(audit_job *job, const likeness_joints *joints, likeness_strikes *strikes,
                                   tr_error *error);
void tr_likeness_strikes_destroy(const tr_allocator *allocator, likeness_strikes *strikes);

// Compares match->values with people.
void tr_likeness_compare(const tr_likeness_people people[TR_LIKENESS_POINTS], tr_likeness_match *match);
