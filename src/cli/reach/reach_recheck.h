// An independent check of an arm's path: simple code in double that shares nothing with the planner except
// the distance of a line to a triangle. Each posture, at most 0.02 rad from the one before, is placed by the
// formula of the task file and tested against all triangles near it, the body, the arm itself and the limits.
// The start must be the task's, and the end must be at its goal.
#pragma once
#include "troupe/io/reach_file.h"

typedef struct reach_recheck reach_recheck;

// Fails only with TR_OUT_OF_MEMORY. The scene is used in its current state.
tr_status reach_recheck_create(const tr_scene *scene, const tr_reach_file *file, reach_recheck **recheck,
                               tr_error *error);
void reach_recheck_destroy(reach_recheck *recheck);

#define REACH_RECHECK_STEP 0.02 // the largest change of any angle [rad]

typedef enum reach_fault {
    REACH_FAULT_NONE,
    REACH_FAULT_START,  // does not begin at the start of the task
    REACH_FAULT_LIMITS, // exceeds a joint limit
    REACH_FAULT_SCENE,  // a link touches a triangle
    REACH_FAULT_BODY,   // a link touches the body
    REACH_FAULT_SELF,   // the hand touches the upper arm
    REACH_FAULT_GOAL,   // the wrist does not end at the goal
    REACH_FAULT_HAND,   // the hand points in the wrong direction
    REACH_FAULT_COUNT
} reach_fault;
const char *reach_fault_name(reach_fault fault); // a short description

typedef struct reach_finding {
    reach_fault fault;   // the first one found
    uint32_t checked;    // postures
    double depth;        // penetration [m], or the amount by which a limit or a goal is missed [rad, m]
    double wrist_error;  // at the end [m]
    double hand_error;   // beyond the tolerance [rad]; 0 for a position alone
    double wrist_length; // of the path of the wrist [m]
    double length;       // in joint space, the root of the sum of squares [rad]
} reach_finding;

// The path consists of straight lines in joint space from posture to posture. true: no fault.
bool reach_recheck_path(reach_recheck *recheck, const tr_posture *start, const tr_arm_goal *goal,
                        const tr_posture *path, uint32_t count, reach_finding *finding);
// Distance of a posture from the nearest contact [m], at most 0.1; negative: penetration.
double reach_recheck_posture(reach_recheck *recheck, const tr_posture *posture, reach_fault *fault);
// Positions of shoulder, elbow, wrist and tip for a posture, in the world.
void reach_recheck_points(const reach_recheck *recheck, const tr_posture *posture, double points[4][3]);
