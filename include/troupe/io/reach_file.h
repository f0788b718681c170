// troupe/io/reach_file.h - the reach file: a JSON document with an arm, the body that the arm belongs to, and
// tasks for the hand.
//
// Files with Z up (X ahead, Y left) and files with Y up (Z ahead, X left) are read. Results are in the
// world's axes, as tr_scene_file_read gives them for the same `up`, so that a scene and its tasks fit.
#pragma once
#include "troupe/io/scene_file.h"
#include "troupe/plan/reach.h"

TR_BEGIN_DECLARATIONS

#define TR_REACH_FILE_TASKS_MAX 4096

typedef struct tr_reach_task {
    int64_t id;                 // as in the file; 1, 2, 3 if the file has none
    char name[80];              // "" if there is none; a longer name is cut
    uint32_t line;              // in the file
    tr_posture start;           // the hanging arm if the file has none
    tr_arm_goal position, pose; // without a direction, `pose` (TR_ARM_GOAL_DIRECTION) equals `position`
    bool has_pose;
    bool has_example; // the file has a posture at the goal, stated to be free
    tr_posture example;
    double best_wrist[2], best_length[2]; // shortest known for position and pose [m], [rad]; NAN: unknown
} tr_reach_task;

// The content of a reach file; owns it. Zero is valid.
typedef struct tr_reach_file {
    tr_allocator allocator;
    tr_up_axis up; // of the file: TR_UP_Y or TR_UP_Z
    tr_arm arm;
    tr_reach_body bodies[TR_REACH_BODIES_MAX];
    uint32_t body_count;
    bool self;       // test the upper arm against the hand
    bool help;       // the trunk may help
    char scene[256]; // name of the scene's file as in the document; "" if there is none
    tr_reach_task *tasks;
    uint32_t task_count, task_capacity;
} tr_reach_file;

typedef struct tr_reach_file_options {
    const tr_allocator *allocator;                  // NULL: malloc
    tr_up_axis up;                                  // TR_UP_FROM_FORMAT: as the file states, else Y
    void (*note)(void *user, const char *sentence); // reports what was left out; may be NULL
    void *note_user;
} tr_reach_file_options;

// Reads the document in `data`. `path` (may be NULL) is used in errors. TR_BAD_FILE has the line and the path
// of the value ("tasks[2].goal_wrist"). TR_LIMIT: more than TR_REACH_FILE_TASKS_MAX tasks. On failure *file
// is empty.
TR_API tr_status tr_reach_file_read(const void *data, size_t size, const char *path,
                                    const tr_reach_file_options *options, tr_reach_file *file,
                                    tr_error *error);
TR_API void tr_reach_file_destroy(tr_reach_file *file);
// Converts a point of the world to the file's axes. A point that was read converts back unchanged.
TR_API tr_vec3 tr_reach_file_point(const tr_reach_file *file, tr_vec3 world);

TR_END_DECLARATIONS
