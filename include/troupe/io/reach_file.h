// troupe/io/reach_file.h - a task file: a JSON document with an arm, the body it hangs on, and tasks for the
// hand.
//
// Files with Z up (X ahead, Y left) and files with Y up (Z ahead, X left) are read; what comes out is in the
// world's axes as tr_scene_file_read gives them for the same `up`, so that a scene and its tasks fit.
#pragma once
#include "troupe/io/scene_file.h"
#include "troupe/plan/reach.h"

TR_BEGIN_DECLARATIONS

#define TR_REACH_FILE_TASKS_MAX 4096

typedef struct tr_reach_task {
    int64_t id;                 // as in the file; 1, 2, 3 where it says nothing
    char name[80];              // "" when it has none; a longer one is cut
    uint32_t line;              // of the file
    tr_posture start;           // the arm hangs where the file says nothing
    tr_arm_goal position, pose; // `pose` (TR_ARM_GOAL_DIRECTION) is the position alone without a direction
    bool has_pose;
    bool has_example; // a posture at the goal is given, that is said to be free
    tr_posture example;
    double best_wrist[2], best_length[2]; // the shortest known for position and pose [m], [rad]; NAN: unknown
} tr_reach_task;

// All that a task file holds, with its owner. Zero is valid.
typedef struct tr_reach_file {
    tr_allocator allocator;
    tr_up_axis up; // of the file: TR_UP_Y or TR_UP_Z
    tr_arm arm;
    tr_reach_body bodies[TR_REACH_BODIES_MAX];
    uint32_t body_count;
    bool self;       // upper arm against hand
    bool help;       // the trunk may help
    char scene[256]; // the scene's file as it is named there; "" when it is not
    tr_reach_task *tasks;
    uint32_t task_count, task_capacity;
} tr_reach_file;

typedef struct tr_reach_file_options {
    const tr_allocator *allocator;                  // NULL: malloc
    tr_up_axis up;                                  // TR_UP_FROM_FORMAT: what the file says, else Y
    void (*note)(void *user, const char *sentence); // what was left out; may be NULL
    void *note_user;
} tr_reach_file_options;

// Read the document in `data`. `path` (may be NULL) is for the errors: TR_BAD_FILE has the line and the path
// of the value ("tasks[2].goal_wrist"), TR_LIMIT is for more than TR_REACH_FILE_TASKS_MAX tasks. On failure
// *file is empty.
TR_API tr_status tr_reach_file_read(const void *data, size_t size, const char *path,
                                    const tr_reach_file_options *options, tr_reach_file *file,
                                    tr_error *error);
TR_API void tr_reach_file_destroy(tr_reach_file *file);
// A point of the world in the file's axes: what was read comes back as it was.
TR_API tr_vec3 tr_reach_file_point(const tr_reach_file *file, tr_vec3 world);

TR_END_DECLARATIONS
