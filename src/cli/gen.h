// Parts of `troupe gen`: people for a sample scene, as a stage file; tasks for an arm, as a reach file.
#pragma once
#include "troupe/world/sample_crowd.h"

// Write the stage file to `path` ("-": the standard output). Returns the exit status of the command.
int gen_crowd(const tr_sample_crowd_def *def, const char *path);
// Tasks in a scene to reach into, with this seed. The same.
int gen_tasks(const char *sample, uint64_t seed, uint32_t count, const char *path);
