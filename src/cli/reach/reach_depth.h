// Pictures of what the cameras of Liu & Badler's links see along a path.
#pragma once
#include "reach_job.h"

// One picture for each task, FOLDER/task_ID.png: the three links half way and at the goal, of the path of
// seed 1. A task without a path has none. The folder is made where it is missing.
tr_status reach_depth_write(reach_job *job, const reach_request *request, tr_error *error);
