// Pictures seen by the cameras of Liu & Badler's links along a path.
#pragma once
#include "reach_job.h"

// One picture for each task, FOLDER/task_ID.png: the three links half way and at the goal, on the path of
// seed 1. A task without a path has none. Creates the folder if it is missing.
tr_status reach_depth_write(reach_job *job, const reach_request *request, tr_error *error);
