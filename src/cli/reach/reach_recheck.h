// An independent check of a path of an arm: plain code in double that shares nothing with the planner but
// the distance of a line to a triangle. Every posture, not more than 0.02 rad from the one before, is put by
// the formula of the task file and tested against all triangles near it, the body, the arm itself and the
// limits; the start must be the task's, the end at its goal.
#pragma once
#include "troupe/io/reach_file.h"

typedef struct reach_recheck reach_recheck;

// TR_OUT_OF_MEMORY only. The scene is taken as it stands now.
tr_status reach_recheck_create(const tr_scene *scene, const tr_reach_file *file, reach_recheck **recheck,
                               tr_error *error);
void reach_recheck_destroy(reach_recheck *recheck);

#define REACH_RECHECK_STEP 0.02 // the largest change of any angle [rad]

typedef enum reach_fault {
    REACH_FAULT_NONE,
    REACH_FAULT_START,  // does not begin where the task does
    REACH_FAULT_LIMITS, // a limit is passed
    REACH_FAULT_SCENE,  // a link touches a triangle
    REACH_FAULT_BODY,   // or the body
    REACH_FAULT_SELF,   // or the hand the upper arm
    REACH_FAULT_GOAL,   // the wrist does not end at the goal
    REACH_FAULT_HAND,   // or the hand points elsewhere
    REACH_FAULT_COUNT
} reach_fault;
const char *reach_fault_name(reach_fault fault); // what is wrong, in a few words

typedef struct reach_finding {
    reach_fault fault;   // the first that was met
    uint32_t checked;    // postures
    double depth;        // of what touches [m]; by how much a limit or a goal is missed [rad, m]
    double wrist_error;  // at the end [m]
    double hand_error;   // beyond the tolerance [rad]; 0 for a position alone
    double wrist_length; // of the path of the wrist [m]
    double length;       // in joint space, the root of the sum of squares [rad]
} reach_finding;

// Straight lines in joint space from posture to posture. true: nothing is wrong.
bool reach_recheck_path(reach_recheck *recheck, const tr_posture *start, const tr_arm_goal *goal,
                        const tr_posture *path, uint32_t count, reach_finding *finding);
// How far a posture is from touching anything [m]; negative: by how much it does. No further than 0.1.
double reach_recheck_posture(reach_recheck *recheck, const tr_posture *posture, reach_fault *fault);
// Where a posture puts shoulder, elbow, wrist and tip, in the world.
void reach_recheck_points(const reach_recheck *recheck, const tr_posture *posture, double points[4][3]);
