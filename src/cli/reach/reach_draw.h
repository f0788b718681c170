// Tasks for the arm of a person in front of a sample scene, drawn at random.
#pragma once
#include "troupe/base/random.h"
#include "troupe/io/reach_file.h"

typedef struct reach_draw_def {
    const char *sample;  // one of the scenes to reach into
    uint64_t scene_seed; // of the scene, and of the person's height
    uint64_t seed;       // of the tasks
    uint32_t count;      // of the tasks [1 to TR_REACH_FILE_TASKS_MAX]
} reach_draw_def;

// Makes the scene, a standing person of 1.55 to 1.9 m with a right arm, and tasks. Every task leads from a
// free posture, beside the body or among the obstacles, to a place of the wrist where the scene wants it and
// where a posture is free (the task's example). Whether a path leads there is not known. The caller owns the
// scene and the file. TR_INVALID: not a scene to reach into.
tr_status reach_draw(const reach_draw_def *def, tr_scene **scene, tr_reach_file *file, tr_error *error);

// The height of the person in front of that scene [m].
float reach_draw_height(uint64_t scene_seed);

// A posture at the goal, drawn from all of them: the elbow anywhere on its circle, the hand as the goal
// allows. false: this draw is beyond the limits. Nothing is said about obstacles.
bool reach_draw_goal(const tr_arm *arm, const tr_arm_goal *goal, tr_random *random, tr_posture *posture);
