// `troupe gen crowd`: people for a sample scene, as a stage file.
#pragma once
#include "troupe/world/sample_crowd.h"

// Write the stage file to `path` ("-": the standard output). Returns the exit status of the command.
int gen_crowd(const tr_sample_crowd_def *def, const char *path);
